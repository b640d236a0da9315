"""The fleet: ship classes with their shapes, placements and how they are written, and a fleet as it stands."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import TypeAlias

import attrs

from irontide.errors import Problem
from irontide.frozen import FrozenDict, is_text, shown
from irontide.grid import LARGEST, Cell, CellSet, Grid

Shape: TypeAlias = tuple[str, ...]
"""A ship drawn in rows, `x` for a cell of it and `.` for none: ("xx", "x.")."""

Offsets: TypeAlias = frozenset[tuple[int, int]]
"""Column and row of each cell of a shape, the smallest of each being 0."""


def _shape(shape: Shape | list[str]) -> Shape:
    return tuple(shape) if isinstance(shape, list) else shape


def _labels(labels: Mapping[str, str]) -> FrozenDict:
    return FrozenDict(labels)


@attrs.frozen
class ShipClass:
    """A class of ships: `count` of them in a fleet, straight and `length` cells long, or of the shape drawn.

    A shape turns in quarters; it is mirrored only if `mirror` says so. `labels` are what players call it, by language.
    """

    id: str
    length: int = 0
    shape: Shape = attrs.field(default=(), converter=_shape)
    count: int = 1
    mirror: bool = False
    labels: Mapping[str, str] = attrs.field(factory=FrozenDict, converter=_labels)

    @property
    def cells(self) -> int:
        """The number of cells of one ship."""
        return len(self.offsets())

    def offsets(self) -> Offsets:
        """Return the ship's cells as drawn."""
        if self.shape:
            return frozenset((c, r) for r, line in enumerate(self.shape) for c, x in enumerate(line) if x == "x")
        return frozenset((c, 0) for c in range(self.length))

    def ships(self) -> tuple[str, ...]:
        """Return the ids of its ships: the class id, then the class id with -2, -3, ..."""
        return (self.id, *(f"{self.id}-{number}" for number in range(2, self.count + 1)))

    def problems(self, place: str) -> Iterator[Problem]:
        """Yield what makes this no ship class at all; whether it fits a grid is another question."""
        drawn = isinstance(self.shape, (list, tuple)) and all(type(line) is str for line in self.shape)  # pyright: ignore[reportUnnecessaryIsInstance] - a record from data
        if not is_text(self.id) or not self.id or type(self.length) is not int or not drawn:
            yield Problem("bad_fleet", place, "a ship class has an id, and a length or a shape in rows")
            return
        if self.length > LARGEST or len(self.shape) > LARGEST or any(len(line) > LARGEST for line in self.shape):
            yield Problem("bad_fleet", place, f"a ship is at most {LARGEST} cells long, as the largest grid is")
            return
        if type(self.count) is not int or not 1 <= self.count <= LARGEST**2:
            yield Problem("bad_fleet", place, f"count must be 1 to {LARGEST**2}, not {shown(self.count)}")
        if self.shape and self.length:
            yield Problem("bad_fleet", place, "give either length or shape, not both")
        if any(set(line) - {"x", "."} for line in self.shape):
            yield Problem("bad_fleet", place, "a shape is drawn with x and . only")
        elif not self.offsets():
            yield Problem("bad_fleet", place, "a ship needs a length of 1 or more, or a shape")
        elif not _connected(self.offsets()):
            yield Problem("bad_fleet", place, "the cells of a shape must hang together by their sides")


def _connected(offsets: Offsets) -> bool:
    reached, edge = set[tuple[int, int]](), {min(offsets)}
    while edge:
        reached |= edge
        near = {(c + dc, r + dr) for c, r in edge for dc, dr in ((0, 1), (1, 0), (0, -1), (-1, 0))}
        edge = (near & offsets) - reached
    return len(reached) == len(offsets)


def _turned(offsets: Offsets) -> Offsets:
    height = max(r for _, r in offsets)
    return frozenset((height - r, c) for c, r in offsets)


def turns(ship: ShipClass) -> tuple[Offsets, ...]:
    """Return the different ways in which the ship can lie, in a fixed order."""
    found: list[Offsets] = []
    drawn = ship.offsets()
    width = max(c for c, _ in drawn)
    for start in (drawn, frozenset((width - c, r) for c, r in drawn)) if ship.mirror else (drawn,):
        turned = start
        for _ in range(4):
            left, top = min(c for c, _ in turned), min(r for _, r in turned)
            turned = frozenset((c - left, r - top) for c, r in turned)
            if turned not in found:
                found.append(turned)
            turned = _turned(turned)
    return tuple(found)


@cache
def berths(ship: ShipClass, grid: Grid, sea: int) -> tuple[int, ...]:
    """Return every place that the ship can take in the cells of `sea`, as bit sets in a fixed order."""
    places: list[int] = []
    for offsets in turns(ship):
        width, height = max(c for c, _ in offsets), max(r for _, r in offsets)
        for row in range(grid.rows - height):
            for column in range(grid.columns - width):
                mask = sum(1 << (row + r) * grid.columns + column + c for c, r in offsets)
                if mask & sea == mask:
                    places.append(mask)
    return tuple(places)


@attrs.frozen
class Placement:
    """Where one ship lies: the names of its cells in order. `str` gives "A1-A5" where that says it all."""

    cells: tuple[str, ...]

    @classmethod
    def of(cls, grid: Grid, cells: CellSet) -> "Placement":
        """Return the placement on these cells."""
        return cls(tuple(grid.names[cell] for cell in cells))

    def json(self) -> "str | tuple[str, ...]":
        """Return the JSON form: "A1-A5" for a straight ship, else its cells."""
        columns, rows = {name[0] for name in self.cells}, {name[1:] for name in self.cells}
        straight = len(columns) == 1 or len(rows) == 1
        return f"{self.cells[0]}-{self.cells[-1]}" if straight else self.cells

    def __str__(self) -> str:
        form = self.json()
        return form if isinstance(form, str) else " ".join(form)


def read_placement(grid: Grid, given: object) -> "CellSet | tuple[str, object]":
    """Return the cells of a placement, or a refusal code and what was wrong.

    Either end may come first: "E3-E1" is "E1-E3" (RULES, "a placement's ends").
    """
    ends = _ends(given)
    if ends is None:
        return "wrong_shape", given
    cells: list[Cell] = []
    for name in ends:
        cell = grid.find(name)
        if cell is None:
            return "unknown_cell", name
        cells.append(cell)
    if isinstance(given, str):
        line = _line(grid, cells[0], cells[-1])
        return ("wrong_shape", given) if line is None else line
    return CellSet.of(cells) if len(set(cells)) == len(cells) else ("wrong_shape", given)


def _ends(given: object) -> Sequence[object] | None:
    if isinstance(given, str):
        ends = given.split("-")
        return ends if len(ends) <= 2 else None  # noqa: PLR2004 - a line has two ends
    return given if isinstance(given, (list, tuple)) else None  # pyright: ignore[reportUnknownVariableType] - what it holds is checked by the caller


def _line(grid: Grid, one: Cell, other: Cell) -> CellSet | None:
    (c1, r1), (c2, r2) = grid.position(one), grid.position(other)
    if c1 != c2 and r1 != r2:
        return None
    step = 1 if r1 == r2 else grid.columns
    return CellSet.of(Cell(cell) for cell in range(min(one, other), max(one, other) + 1, step))


class Fleet:
    """A fleet as it stands: its ships in fleet order, with their cells by name and as bit sets; compares by value."""

    __slots__ = ("at", "cells", "ids", "mask", "names")

    def __init__(self, names: Mapping[str, tuple[str, ...]], bits: Mapping[str, int]) -> None:
        """Take the names of the cells of each ship, and the bit of every cell in a bit set."""
        self.names = names
        self.ids = tuple(names)
        self.at: dict[str, str] = {}
        """The ship at each of its cells, by the cell's name."""
        self.cells: dict[str, int] = {}
        self.mask = 0
        for ship, its in names.items():
            mask = 0
            for name in its:
                self.at[name] = ship
                mask |= bits[name]
            self.cells[ship] = mask
            self.mask |= mask

    def ships(self) -> FrozenDict:
        """Return the cells of each ship, by id."""
        return FrozenDict({ship: CellSet(mask) for ship, mask in self.cells.items()})

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Fleet) and (self.ids, self.cells) == (other.ids, other.cells)

    def __hash__(self) -> int:
        return hash((self.ids, self.mask))


NO_FLEET = Fleet({}, {})
"""Of a seat that has placed none, or whose fleet is not told."""
