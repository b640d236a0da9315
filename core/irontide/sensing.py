"""Sensing: what scans and seekers find of a seat's grid, and what a scan tells of it.

The truth, as the rules let it be seen: `sensed` changes which ship cells are found, `blind` which cells say nothing.
"""

from typing import TYPE_CHECKING, Any, NamedTuple

from irontide.effects import Scan
from irontide.events import CellsScanned
from irontide.frozen import maker
from irontide.grid import CellSet, Grid, is_cells
from irontide.guard import ask

if TYPE_CHECKING:
    from irontide.context import Context
    from irontide.fleet import Fleet
    from irontide.pipeline import Pipeline
    from irontide.rulebook import Bound
    from irontide.state import State

cells_scanned = maker(CellsScanned)


NO_CELLS = CellSet()


class Sensed(NamedTuple):
    """What there is to find: ship cells, real or taken for such, outside the cells that say nothing."""

    found: CellSet
    blind: CellSet


def sensed(pipeline: "Pipeline", owner: int, of: str) -> Sensed:
    """Return what can be found of this seat's grid: ship cells not yet hit, of ships not told to have sunk, or any."""
    book, state = pipeline.book, pipeline.state
    cells = _ship_cells(state, owner, of)
    if "sensed" not in book.adjusts and "blind" not in book.adjusts:
        return Sensed(CellSet(cells & book.sea), NO_CELLS)
    found, blind = CellSet(cells), NO_CELLS

    def face(bound: "Bound") -> "Context":
        return pipeline.context(bound, owner)

    def sound(cells: object) -> bool:
        return is_cells(cells, book.grid)

    found = ask(book.adjusts, "sensed", pipeline.guard, face, found, owner, sound=sound)
    blind = ask(book.adjusts, "blind", pipeline.guard, face, blind, owner, sound=sound)
    return Sensed(CellSet(found.mask & book.sea & ~blind.mask), CellSet(blind.mask & book.sea))


def _ship_cells(state: "State", owner: int, of: str) -> int:
    fleet = state.fleets[owner]
    if fleet is None:
        return 0
    if of == "afloat":
        return sum(cells for ship, cells in fleet.cells.items() if ship not in state.told_sunk[owner])
    return fleet.mask & ~state.hits[owner] if of == "unhit" else fleet.mask


def scan(pipeline: "Pipeline", effect: Scan, source: "Bound | None", cause: int | None) -> None:
    """Tell the user what was asked for of the area, as far as it can be seen."""
    state, grid = pipeline.state, pipeline.book.grid
    user = pipeline.acting(effect.by, source)
    there = sensed(pipeline, 1 - user, effect.of)
    area, blind = CellSet(effect.area.mask & pipeline.book.sea), there.blind
    hidden = grid.list(blind if effect.tell == "distance" else blind & area) if blind else None
    answer = _answer(effect.tell, grid, area, there.found, state.fleets[1 - user])
    by, id_ = state.seats[user], "" if source is None else source.rule.id
    told = {effect.tell: answer, "of": None if effect.of == CellsScanned.usual(effect.tell) else effect.of}
    pipeline.emit(cells_scanned(by, id_, grid.list(area), effect.tell, blind=hidden or None, cause=cause, **told))


def _answer(tell: str, grid: Grid, area: CellSet, found: CellSet, fleet: "Fleet | None") -> Any:  # noqa: ANN401 - by what was asked
    if tell == "count":
        return (area.mask & found.mask).bit_count()
    inside = area & found
    if tell == "cells":
        return grid.list(inside)
    if tell == "any":
        return bool(inside)
    return _ships(inside, fleet) if tell == "ships" else _distance(grid, area, found)


def _ships(inside: CellSet, fleet: "Fleet | None") -> int:
    """Count the different ships; a cell that is taken for a ship's, and is none's, counts as a ship of its own."""
    ships = [] if fleet is None else [cells for cells in fleet.cells.values() if cells & inside.mask]
    return len(ships) + (inside.mask & ~sum(ships)).bit_count()


def _distance(grid: Grid, area: CellSet, found: CellSet) -> int | None:
    """Return the fewest steps, diagonal ones too, from the area to a cell that was found; None where there is none."""
    steps = (grid.distance(one, other) for one in area for other in found)
    return min(steps, default=None)
