"""A chart of the enemy's grid: what a view tells a bot about each open cell, as a value to aim by."""

from collections.abc import Iterator
from typing import Final

from irontide import CellSet, Options, View
from irontide_play.bots.reports import reported
from irontide_play.bots.shapes import places

SEEN: Final = 8
IN_LINE: Final = 6
BESIDE: Final = 4
WARM: Final = 1
STEP: Final = 1
"""What a cell is worth: a ship was seen there; in line with two hits; beside a hit; in an area where a scan counted
ships; on the pattern that no ship slips through. The last two add up."""

REPEATED: Final = -1
"""What a cell is worth that was shot already."""

EXPLANATIONS: Final = 64
"""So many ways to lay the sunk ships over the hits are looked at."""

PLACES_TRIED: Final = 2000
"""So many places of sunk ships are tried for that."""

STEPS: Final = ((1, 0), (-1, 0), (0, 1), (0, -1))


class Chart:
    """What is worth shooting at. `values` holds every open cell; 0 is where it is known that no ship lies.

    A cell that was shot already, and may be again, is worth least.
    """

    def __init__(self, view: View, options: Options, offset: int) -> None:
        """Read the view; `offset` chooses among the patterns to search by."""
        self.grid = view.grid
        self.open = options.fire.cells
        self._shot = view.target.shots
        reports = reported(view)
        self.wounds = wounds(view) | reports.hits
        self.seen, self.clear, self.warm = _scanned(view)
        self.warm |= self.grid.neighbours(reports.some)
        near = self.grid.neighbours(self.wounds)
        self._near = near - self._kept_free(view)
        step = _step(view)
        self.values = {
            cell: self._value(cell, (sum(self.grid.position(cell)) + offset) % step == 0) for cell in self.open
        }

    @property
    def hunting(self) -> bool:
        """Whether no open cell is known to be promising."""
        return max(self.values.values(), default=0) < BESIDE

    def sum(self, cells: CellSet) -> int:
        """Return what these cells are worth together."""
        return sum(self.values[cell] for cell in cells & self.open)

    def _kept_free(self, view: View) -> CellSet:
        """Return the cells that no ship can take because of the wrecks, where ships may not touch."""
        rule = next((use for use in view.variant.rules if use.use == "no_touching"), None)
        if rule is None:
            return CellSet()
        wrecks = view.target.sunk | (view.target.hit - self.wounds)
        return self.grid.neighbours(wrecks, corners=bool(rule.params.get("corners", True)))

    def _value(self, cell: int, on_pattern: bool) -> int:  # noqa: FBT001 - private
        if cell in self._shot:
            return REPEATED
        if cell in self.seen:
            return SEEN
        if cell in self.clear:
            return 0
        if cell in self._near:
            return IN_LINE if self._in_line(cell) else BESIDE
        return 1 + STEP * on_pattern + WARM * (cell in self.warm)

    def _in_line(self, cell: int) -> bool:
        column, row = divmod(cell, self.grid.columns)[::-1]
        return any(
            self.grid.at(column + c, row + r) in self.wounds
            and self.grid.at(column + 2 * c, row + 2 * r) in self.wounds
            for c, r in STEPS
        )


def wounds(view: View) -> CellSet:
    """Return the hits that may belong to a ship still afloat: those that some laying of the sunk ships leaves over."""
    hits = view.target.hit
    classes = [class_ for ship in view.target.sunk_ships if (class_ := view.variant.ship_class(ship))]
    if view.target.sunk or not classes:
        return hits
    if sum(class_.cells for class_ in classes) >= len(hits):
        return CellSet()
    choices = [[place for place in places(class_, view.grid) if not place - hits] for class_ in classes]
    choices.sort(key=len, reverse=True)  # those with the least choice are laid first
    left = CellSet()
    found = False
    for _, rest in zip(range(EXPLANATIONS), _leftovers(choices, hits, iter(range(PLACES_TRIED))), strict=False):
        found, left = True, left | rest
    return left if found else hits


def _leftovers(choices: list[list[CellSet]], hits: CellSet, tries: Iterator[int]) -> Iterator[CellSet]:
    """Yield what ways to lay the sunk ships leave of the hits, until there are no tries left."""
    if not choices:
        yield hits
        return
    for place, _ in zip(choices[-1], tries, strict=False):
        if not place - hits:
            yield from _leftovers(choices[:-1], hits - place, tries)


def _scanned(view: View) -> tuple[CellSet, CellSet, CellSet]:
    """Return what was told: cells with ships, cells without, and areas with a ship somewhere."""
    grid = view.grid
    seen, clear, warm = view.target.seen, view.target.water, CellSet()
    for scan in view.target.scans:
        area = grid.cells(*scan.area) - grid.cells(*(scan.blind or ()))
        if scan.cells is not None:
            ships = grid.cells(*scan.cells)
            seen, clear = seen | ships, clear | (area - ships)
        elif scan.tell == "distance":
            continue
        elif 0 in {scan.count, scan.ships} or scan.any is False:
            clear |= area
        elif (scan.count or 1) > len(area & view.target.hit):
            warm |= area
    return seen, clear, warm


def _step(view: View) -> int:
    """Return how far apart shots may lie so that the smallest ship afloat is found: 1 where that can't be said."""
    sunk = view.target.sunk_ships
    afloat = [class_ for class_ in view.variant.fleet if any(ship not in sunk for ship in class_.ships())]
    return min((class_.length or 2 for class_ in afloat), default=1)
