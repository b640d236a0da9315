"""Drawing grids: each cell as a symbol that reads without colour, in lines of styled pieces that need no terminal."""

from collections.abc import Iterable, Mapping, Sequence
from enum import Enum
from typing import Final, NamedTuple, TypeAlias

from irontide import CellSet, Grid, ShipView, View
from irontide_play.bots.reports import reported


class Piece(NamedTuple):
    """A piece of a line: its text, and the style (of rich) that a terminal with colours gives it."""

    text: str
    style: str = ""


Line: TypeAlias = list[Piece]


class Mark(Enum):
    """What is known of a cell; the first symbol is shown where the terminal can, the second anywhere."""

    UNKNOWN = ("·", ".", "blue")
    WATER = ("o", "o", "cyan")
    SHOT = ("+", "+", "yellow")
    HIT = ("X", "X", "bold red")
    SUNK = ("#", "#", "red")
    SHIP = ("■", "S", "bold green")
    SEEN = ("?", "?", "bold yellow")
    CLEAR = ("~", "~", "cyan")
    ISLAND = ("▲", "^", "green")
    MARKED = ("◆", "*", "bold magenta")

    @property
    def style(self) -> str:
        """The style of the symbol."""
        return self.value[2]

    def symbol(self, *, plain: bool) -> str:
        """Return the symbol; the ASCII one if `plain`."""
        return self.value[plain]


Marks: TypeAlias = Mapping[int, Mark]
"""By cell; one that is not in it is unknown."""


def island_marks(view: View) -> dict[int, Mark]:
    """Return the cells that do not exist."""
    return dict.fromkeys(view.grid.all - view.sea, Mark.ISLAND)


def own_marks(ships: Iterable[ShipView], shots: CellSet) -> dict[int, Mark]:
    """Return what an owner sees of the own grid: the ships, and where the other side has shot."""
    marks: dict[int, Mark] = dict.fromkeys(shots, Mark.WATER)
    for ship in ships:
        marks.update(dict.fromkeys(ship.cells, Mark.SHIP if ship.afloat else Mark.SUNK))
        marks.update(dict.fromkeys(ship.hits if ship.afloat else (), Mark.HIT))
    return marks


def marker_marks(view: View, side: str) -> dict[int, Mark]:
    """Return the cells of one side that markers lie on, as far as the seat was told of them."""
    found = (marker.on for marker in view.markers if marker.side == side and isinstance(marker.on, CellSet))
    return {cell: Mark.MARKED for cells in found for cell in cells}


def target_marks(view: View) -> dict[int, Mark]:
    """Return what a seat knows of the enemy's grid: answers, what scans and reports told, and at the end the ships."""
    target, grid = view.target, view.grid
    marks: dict[int, Mark] = {}
    for scan in target.scans:
        ships = grid.cells(*(scan.cells or ()))
        empty = scan.cells is not None or 0 in {scan.count, scan.ships} or scan.any is False
        seen = grid.cells(*scan.area) - grid.cells(*(scan.blind or ()))
        marks.update(dict.fromkeys(seen - ships if empty else (), Mark.CLEAR))
        marks.update(dict.fromkeys(ships, Mark.SEEN))
    marks.update(_held_back(view))
    for cells, mark in ((target.water, Mark.WATER), (target.hit, Mark.HIT), (target.sunk, Mark.SUNK)):
        marks.update(dict.fromkeys(cells, mark))
    shown = () if target.ships is None else target.ships.values()
    return marks | own_marks(shown, CellSet())


def _held_back(view: View) -> dict[int, Mark]:
    """Return the cells that were shot without an answer; a report of no hit, or of nothing but hits, tells it."""
    target, told = view.target, reported(view)
    held = target.shots - target.water - target.hit - target.sunk
    in_reports = view.grid.cells(*(cell for report in target.reports for cell in report.cells))
    return {
        cell: Mark.HIT
        if cell in told.hits
        else Mark.WATER
        if cell in in_reports and cell not in told.some
        else Mark.SHOT
        for cell in held
    }


def grid_lines(grid: Grid, marks: Marks, latest: CellSet, *, wide: bool, plain: bool) -> list[Line]:
    """Return a grid with its coordinates: a line of letters, then one for each row.

    Args:
        grid: its size.
        marks: what stands in the cells.
        latest: cells to put brackets around, where there is room.
        wide: two columns of text for each column of the grid, else one.
        plain: ASCII only.

    """
    letters = [grid.names[column][0] for column in range(grid.columns)]
    gap = " " if wide else ""
    lines: list[Line] = [[Piece("   " + gap + gap.join(letters) + gap, "bold")]]
    for row in range(grid.rows):
        cells = range(row * grid.columns, (row + 1) * grid.columns)
        lines.append([Piece(f"{row + 1:>2} ", "bold"), *_row(cells, marks, latest, wide=wide, plain=plain)])
    return lines


def _row(cells: Sequence[int], marks: Marks, latest: CellSet, *, wide: bool, plain: bool) -> Line:
    line: Line = []
    before = False
    for cell in cells:
        now = cell in latest
        if wide:
            line.append(_between(before=before, now=now))
        mark = marks.get(cell, Mark.UNKNOWN)
        line.append(Piece(mark.symbol(plain=plain), mark.style))
        before = now
    return [*line, _between(before=before, now=False)] if wide else line


def _between(*, before: bool, now: bool) -> Piece:
    text: Final = {(True, True): "|", (True, False): "]", (False, True): "[", (False, False): " "}
    return Piece(text[before, now], "bold")


def width(line: Line) -> int:
    """Return how many columns a line takes."""
    return sum(len(piece.text) for piece in line)


def side_by_side(blocks: Sequence[Sequence[Line]], gap: int = 3) -> list[Line]:
    """Return blocks of lines beside each other, each as wide as its widest line."""
    height = max(len(block) for block in blocks)
    widths = [max((width(line) for line in block), default=0) for block in blocks]
    found: list[Line] = []
    for row in range(height):
        line: Line = []
        for place, block in enumerate(blocks):
            part = block[row] if row < len(block) else []
            last = place == len(blocks) - 1
            fill = 0 if last else widths[place] - width(part) + gap
            line += [*part, Piece(" " * fill)]
        found.append(line)
    return found
