"""Ships of a drawn shape: how they look in a list and in a sentence, and how their place is typed."""

from collections.abc import Iterable, Mapping
from typing import TypeAlias

import attrs

from irontide import Grid, ShipClass, View
from irontide_play.board import Mark
from irontide_play.bots.shapes import places, turns
from irontide_play.labels import class_label, say

Spot: TypeAlias = tuple[int, int]
"""Column and row."""

Picture: TypeAlias = list[list[Mark | None]]
"""Rows of symbols, None where there is nothing of the ship."""


def straight(class_: ShipClass) -> bool:
    """Tell whether all cells lie in a row, so that the first and the last say where."""
    columns, rows = zip(*class_.offsets(), strict=True)
    return 1 in {len(set(columns)), len(set(rows))}


def picture(class_: ShipClass, marks: Mapping[Spot, Mark]) -> Picture:
    """Return the shape as it is drawn, with a mark for each of its cells."""
    columns, rows = (range(max(places) + 1) for places in zip(*class_.offsets(), strict=True))
    return [[marks.get((column, row)) for column in columns] for row in rows]


def all_alike(class_: ShipClass, mark: Mark) -> Picture:
    """Return the shape as it is drawn, with the same mark for all of its cells."""
    return picture(class_, dict.fromkeys(class_.offsets(), mark))


def turned_back(class_: ShipClass, grid: Grid, marks: Mapping[int, Mark]) -> Picture:
    """Return the shape as it is drawn, marked like a ship that lies somewhere on the grid, perhaps turned."""
    spots = {grid.position(grid.names[cell]): mark for cell, mark in marks.items()}
    left, top = (min(places) for places in zip(*spots, strict=True))
    lying = {(column - left, row - top): mark for (column, row), mark in spots.items()}
    turn = next(turn for turn in turns(class_) if set(turn) == set(lying))
    return picture(class_, dict(zip(sorted(class_.offsets()), map(lying.__getitem__, turn), strict=True)))


def how_to_name(view: View, class_: ShipClass, lang: str, *, plain: bool) -> str:
    """Return how the place of a ship that is not straight is typed, with its shape, in several lines."""
    lying = places(class_, view.grid)
    example = next((place for place in lying if not place - view.sea), lying[0])
    other = attrs.evolve(class_, mirror=not class_.mirror)
    flips = set(places(other, view.grid)) != set(lying)
    text = say(
        lang,
        f"drawn.{('flipped' if class_.mirror else 'unflipped') if flips else 'turned'}",
        ship=class_label(view.variant, class_.id, lang),
        cells=" ".join(view.grid.list(example)),
    )
    return "\n".join([text, *_text(all_alike(class_, Mark.SHIP), plain=plain)])


def _text(rows: Iterable[Iterable[Mark | None]], *, plain: bool) -> list[str]:
    return ["  " + "".join(mark.symbol(plain=plain) if mark else " " for mark in row).rstrip() for row in rows]
