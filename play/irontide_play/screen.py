"""One seat's screen: both grids side by side, the fleets, points and abilities, and what has happened, as lines."""

from collections.abc import Mapping
from typing import Final

import attrs

from irontide import CellSet, Grid, Options, ShipView, View
from irontide_play.board import (
    Line,
    Piece,
    grid_lines,
    island_marks,
    marker_marks,
    own_marks,
    side_by_side,
    target_marks,
    width,
)
from irontide_play.counted import counted_lines
from irontide_play.entries import Reader
from irontide_play.labels import say
from irontide_play.news import News, Told, fitted
from irontide_play.panel import PANEL, Drawn, abilities, fleets

AIRY: Final = 9
"""Lines that must be left for what happened before some of them are left free instead."""

LEAST: Final = 3
"""Lines that are kept for what happened, even where the screen is too low for all."""

BELOW_DRAFT: Final = 8
"""Lines that are kept for what is said while a fleet is placed, the shape of a ship among it."""


@attrs.frozen
class Size:
    """How much room there is. `rows` is None where lines simply follow each other."""

    columns: int
    rows: int | None
    plain: bool = False
    """Whether only ASCII can be shown."""


def draw(view: View, options: Options, news: News, reader: Reader, size: Size) -> list[Line]:
    """Return the whole screen, with what the seat was told since it last looked."""
    status, purse = _status(view, options, reader.lang), abilities(view, options, reader, size.columns)
    purse += [[Piece(line)] for line in counted_lines(view, reader.lang, size.columns)]
    grids = _grids(view, news.told, view.own.ships, reader.lang, size, len(purse) + 2 + LEAST)
    left = None if size.rows is None else size.rows - len(grids) - len(purse) - 2
    gap: list[Line] = [[]] if left is None or left >= AIRY else []
    room = None if left is None else max(LEAST, left - 3 * len(gap))
    lines = [status, *gap, *grids, *(gap if purse else []), *purse, *gap]
    happened = fitted(news.sentences(view.variant, reader.lang), size.columns, room)
    if left is not None and left < 0:
        happened = [say(reader.lang, "status.low", rows=(size.rows or 0) - left + LEAST), *happened]
    return [*lines, *([Piece(line)] for line in happened)]


def draft(view: View, ships: Mapping[str, ShipView], lang: str, size: Size) -> list[Line]:
    """Return the screen while a fleet is placed: where the ships would lie."""
    return _grids(view, (), ships, lang, size, below=BELOW_DRAFT)


def _status(view: View, options: Options, lang: str) -> Line:
    title = view.variant.label(lang)
    if view.outcome is not None:
        return [Piece(say(lang, "status.over", variant=title), "bold")]
    to_move = say(lang, "status.move", variant=title, seat=view.seat_to_move)
    shots = options.fire.count
    return [Piece(to_move, "bold"), Piece(say(lang, "status.shots", shots=shots) if shots > 1 else "")]


def _grids(  # noqa: PLR0913, PLR0917 - what is shown, where, and how
    view: View, told: Told, own: Mapping[str, ShipView], lang: str, size: Size, below: int
) -> list[Line]:
    """Return both grids with the fleets, their ships drawn as far as `below` lines are left free."""
    grid = view.grid
    wide = 2 * _width(grid, wide=True) + 3 <= size.columns
    islands = island_marks(view)
    mine = islands | marker_marks(view, view.seat) | own_marks(own.values(), view.own.shots)
    theirs = islands | marker_marks(view, view.opponent) | target_marks(view)
    sides = (
        ("board.own", mine, _shots(told, grid, view.opponent)),
        ("board.target", theirs, _shots(told, grid, view.seat)),
    )
    blocks = [
        [
            [Piece("   " + " " * wide + say(lang, key), "bold")],
            *grid_lines(grid, marks, latest, wide=wide, plain=size.plain),
        ]
        for key, marks, latest in sides
    ]
    lines: list[Line] = []
    for drawn in Drawn:
        lines = _with_fleets(blocks, fleets(view, own, lang, drawn, plain=size.plain), size.columns)
        if size.rows is None or len(lines) <= size.rows - below:
            break
    return lines


def _with_fleets(grids: list[list[Line]], both: list[list[Line]], columns: int) -> list[Line]:
    """Return the fleets beside the grids, or beside each other below them."""
    if sum(max(map(width, block)) + 3 for block in grids) + PANEL <= columns:
        return side_by_side([*grids, [line for fleet in both for line in fleet]])
    return [*side_by_side(grids), *side_by_side(both)]


def _width(grid: Grid, *, wide: bool) -> int:
    return 3 + (2 * grid.columns + 1 if wide else grid.columns)


def _shots(told: Told, grid: Grid, by: str) -> CellSet:
    return grid.cells(*(event["at"] for event in told if event["type"] == "shot_fired" and event["by"] == by))
