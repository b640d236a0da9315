"""The grid: cells and their names, sets of cells, areas, rows, columns and neighbours."""

from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from functools import cache
from itertools import chain
from operator import getitem
from types import MappingProxyType
from typing import Any, NewType, TypeAlias

import attrs

from irontide.errors import CellError
from irontide.frozen import shown

Cell = NewType("Cell", int)
"""A cell's number, row by row from A1 = 0."""

Where: TypeAlias = Cell | str
"""A cell, by number or by name."""

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
LARGEST = 26

ALONE = {name: (name,) for name in (f"{letter}{row}" for letter in LETTERS for row in range(1, LARGEST + 1))}
"""Each name of a cell alone: commands to fire at one share it, or every shot would be one thing more to keep."""


def bits(mask: int) -> Iterator[Cell]:
    """Yield the cells of the bit set `mask`, in order."""
    octets = mask.to_bytes((mask.bit_length() + 7) // 8, "little")
    while len(_OCTETS) < len(octets):
        _OCTETS.append(_octet(len(_OCTETS)))
    return chain.from_iterable(map(getitem, _OCTETS, octets))


def _octet(place: int) -> tuple[tuple[Cell, ...], ...]:
    """Return for every value of the byte at this place of a bit set which cells it stands for."""
    return tuple(tuple(Cell(8 * place + bit) for bit in range(8) if value >> bit & 1) for value in range(256))


_OCTETS: list[tuple[tuple[Cell, ...], ...]] = []


class CellSet(AbstractSet[Cell]):
    """An immutable set of cells: a thin face over the integer `mask`, whose bit c stands for cell c.

    Iterates in cell order; `|`, `&`, `-` and `^` take another `CellSet`.
    """

    __slots__ = ("_mask",)
    _mask: int

    def __init__(self, mask: int = 0) -> None:
        """Take the cells as a bit set.

        Raises:
            CellError: it is no bit set.

        """
        if type(mask) is not int or mask < 0:
            raise CellError(f"a set of cells is an integer of 0 or more, not {shown(mask)}")
        _set_mask(self, mask)

    @classmethod
    def of(cls, cells: Iterable[Cell]) -> "CellSet":
        """Return the set of these cells."""
        mask = 0
        for cell in cells:
            mask |= 1 << cell
        return cls(mask)

    @classmethod
    def _from_iterable(cls, it: Iterable[Any]) -> "CellSet":  # type: ignore[override]
        return cls.of(it)

    @property
    def mask(self) -> int:
        """The cells as an integer."""
        return self._mask

    def __setattr__(self, name: str, value: object) -> None:
        """Refuse: a set of cells is a value."""
        raise AttributeError("a CellSet cannot be changed")

    def __contains__(self, cell: object) -> bool:
        if isinstance(cell, str):
            raise TypeError(f'a CellSet holds cells by their number: ask for grid.cell("B4"), not for {shown(cell)}')
        return isinstance(cell, int) and cell >= 0 and bool(self._mask >> cell & 1)

    def __iter__(self) -> Iterator[Cell]:
        return bits(self._mask)

    def __len__(self) -> int:
        return self._mask.bit_count()

    def __bool__(self) -> bool:
        return bool(self._mask)

    def __eq__(self, other: object) -> bool:
        return self._mask == other._mask if isinstance(other, CellSet) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._mask)

    def __or__(self, other: AbstractSet[Any]) -> "CellSet":
        return _made(self._mask | _mask_of(other))

    def __and__(self, other: AbstractSet[Any]) -> "CellSet":
        return _made(self._mask & _mask_of(other))

    def __sub__(self, other: AbstractSet[Any]) -> "CellSet":
        return _made(self._mask & ~_mask_of(other))

    def __xor__(self, other: AbstractSet[Any]) -> "CellSet":
        return _made(self._mask ^ _mask_of(other))

    def __repr__(self) -> str:
        return f"CellSet({list(self)})"

    def __copy__(self) -> "CellSet":
        return _made(self._mask)

    def __reduce__(self) -> tuple[Any, ...]:
        return CellSet, (self._mask,)


_set_mask = vars(CellSet)["_mask"].__set__


def _made(mask: int) -> CellSet:
    """Return the set of these cells, known to be a bit set."""
    made = object.__new__(CellSet)
    _set_mask(made, mask)
    return made


def _mask_of(cells: AbstractSet[Any]) -> int:
    return cells.mask if isinstance(cells, CellSet) else CellSet.of(cells).mask


def clipped(middle: int, length: int, limit: int) -> range:
    """Return `length` positions around `middle` within range(limit); of an even length it is nearer the start."""
    start = middle - (length - 1) // 2
    return range(max(0, start), min(limit, start + length))


def _side(_grid: object, attribute: "attrs.Attribute[int]", value: int) -> None:
    if type(value) is not int or not 1 <= value <= LARGEST:
        raise CellError(f"a grid has 1 to {LARGEST} {attribute.name}, not {shown(value)}")


@attrs.frozen(weakref_slot=False)
class Grid:
    """A grid of `columns` x `rows` cells, 1 to 26 each; columns are letters, rows numbers from 1 at the top."""

    columns: int = attrs.field(validator=_side)
    rows: int = attrs.field(validator=_side)

    @property
    def size(self) -> int:
        """The number of cells."""
        return self.columns * self.rows

    @property
    def all(self) -> CellSet:
        """Every cell."""
        return _made(_all(self.columns, self.rows))

    @property
    def names(self) -> tuple[str, ...]:
        """The name of each cell, by its number."""
        return _names(self.columns, self.rows)

    @property
    def numbers(self) -> Mapping[str, Cell]:
        """The number of each cell by its exact name."""
        return _shown_numbers(self.columns, self.rows)

    @property
    def bits(self) -> Mapping[str, int]:
        """The bit of each cell by its exact name."""
        return _shown_bits(self.columns, self.rows)

    def find(self, name: object) -> Cell | None:
        """Return the cell of this name, or None. Lower case and blanks around it are accepted."""
        if not isinstance(name, str) or not name.isascii():
            return None
        return numbers_of(self).get(name.strip(" \t").upper())

    def cell(self, name: str) -> Cell:
        """Return the cell of this name, an ASCII letter and a number without leading zero.

        Raises:
            CellError: there is no such cell on this grid.

        """
        found = self.find(name)
        if found is None:
            raise CellError(f"no cell {shown(name)} on this grid, which goes from A1 to {self.names[-1]}")
        return found

    def name(self, cell: Cell) -> str:
        """Return the cell's name, such as "B4".

        Raises:
            CellError: there is no such cell on this grid.

        """
        if type(cell) is not int or not 0 <= cell < self.size:
            raise CellError(f"no cell number {shown(cell)} on this grid, which has {self.size} cells")
        return self.names[cell]

    def cells(self, *names: str) -> CellSet:
        """Return the set of the cells of these names."""
        return CellSet.of(self.cell(name) for name in names)

    def list(self, cells: CellSet) -> tuple[str, ...]:
        """Return the names of these cells, in order.

        Raises:
            CellError: a cell is beyond this grid.

        """
        if cells.mask >> self.size:
            raise CellError(f"a cell is beyond this grid, which goes from A1 to {self.names[-1]}")
        names = self.names
        return tuple([names[cell] for cell in bits(cells.mask)])

    def position(self, where: Where) -> tuple[int, int]:
        """Return column and row of a cell, both from 0."""
        cell = self.cell(where) if isinstance(where, str) else where
        self.name(cell)
        row, column = divmod(cell, self.columns)
        return column, row

    def at(self, column: int, row: int) -> Cell | None:
        """Return the cell in this column and row, both from 0, or None outside the grid."""
        inside = 0 <= column < self.columns and 0 <= row < self.rows
        return Cell(row * self.columns + column) if inside else None

    def area(self, middle: Where, width: int, height: int) -> CellSet:
        """Return the cells of a width x height area around `middle`, clipped at the edge."""
        column, row = self.position(middle)
        return CellSet.of(
            Cell(r * self.columns + c)
            for r in clipped(row, height, self.rows)
            for c in clipped(column, width, self.columns)
        )

    def distance(self, one: Where, other: Where) -> int:
        """Return how many steps two cells are apart, diagonal ones too (Chebyshev distance)."""
        (column, row), (to_column, to_row) = self.position(one), self.position(other)
        return max(abs(column - to_column), abs(row - to_row))

    def squared(self, one: Where, other: Where) -> int:
        """Return the square of the straight (Euclidean) distance between two cells: an integer."""
        (column, row), (to_column, to_row) = self.position(one), self.position(other)
        return (column - to_column) ** 2 + (row - to_row) ** 2

    def row(self, number: int) -> CellSet:
        """Return the cells of the row with this number, from 1."""
        if type(number) is not int or not 1 <= number <= self.rows:
            raise CellError(f"no row {shown(number)}: rows go from 1 to {self.rows}")
        return CellSet(((1 << self.columns) - 1) << (number - 1) * self.columns)

    def column(self, letter: str) -> CellSet:
        """Return the cells of the column with this letter."""
        column, row = self.position(f"{letter}1")
        if row or len(letter.strip()) != 1:
            raise CellError(f"no column {shown(letter)}: columns go from A to {LETTERS[self.columns - 1]}")
        return CellSet.of(Cell(row * self.columns + column) for row in range(self.rows))

    def neighbours(self, cells: CellSet, *, corners: bool = False) -> CellSet:
        """Return the cells next to `cells` that are not of them; diagonal ones too if `corners`."""
        full, wide = self.all.mask, self.columns
        inner_left, inner_right = full & ~self.column(LETTERS[0]).mask, full & ~self.column(LETTERS[wide - 1]).mask
        mask = cells.mask
        across = mask | (mask & inner_left) >> 1 | (mask & inner_right) << 1
        upright = across if corners else mask
        return CellSet((across | upright << wide | upright >> wide) & full & ~mask)


@cache
def _names(columns: int, rows: int) -> tuple[str, ...]:
    return tuple(f"{LETTERS[column]}{row + 1}" for row in range(rows) for column in range(columns))


@cache
def _all(columns: int, rows: int) -> int:
    return (1 << columns * rows) - 1


@cache
def _bits(columns: int, rows: int) -> dict[str, int]:
    return {name: 1 << number for number, name in enumerate(_names(columns, rows))}


@cache
def _numbers(columns: int, rows: int) -> dict[str, Cell]:
    return {name: Cell(number) for number, name in enumerate(_names(columns, rows))}


@cache
def _shown_bits(columns: int, rows: int) -> Mapping[str, int]:
    return MappingProxyType(_bits(columns, rows))


@cache
def _shown_numbers(columns: int, rows: int) -> Mapping[str, Cell]:
    return MappingProxyType(_numbers(columns, rows))


def bits_of(grid: Grid) -> dict[str, int]:
    """Return a grid's table of bits itself, which all matches share: not to be changed, and for the engine alone."""
    return _bits(grid.columns, grid.rows)


def numbers_of(grid: Grid) -> dict[str, Cell]:
    """Return a grid's table of numbers itself, which all matches share: not to be changed, and for the engine alone."""
    return _numbers(grid.columns, grid.rows)


def is_cells(value: object, grid: Grid) -> bool:
    """Tell whether a value is a set of cells of the grid, also where it was tampered with."""
    return type(value) is CellSet and type(value.mask) is int and 0 <= value.mask <= grid.all.mask
