"""Targets: what an ability aims at, in its JSON form, and every choice of it in a variant.

The same class declares a target (`Area(3, 3)`) and is what `use` gets: the declaration with a choice in it. Every
target is clipped at the edge, can be listed for the options, and is read strictly. Those that are cells are here;
`subjects` has those that are a ship or an ability.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Literal, NamedTuple, Self, TypeAlias, cast, get_args

import attrs
from attrs.validators import in_

from irontide.effects import Shot
from irontide.errors import Refusal
from irontide.fleet import ShipClass
from irontide.frozen import PLAIN, FrozenDict, Json, replica
from irontide.grid import Cell, CellSet, Grid

if TYPE_CHECKING:
    from irontide.sight import Sight

AXES = {"across": (1, 0), "down": (0, 1)}
DIRECTIONS = {"right": (1, 0), "left": (-1, 0), "down": (0, 1), "up": (0, -1)}

KNOWN = ("any", "open", "water", "hit")

Side: TypeAlias = Literal["other", "own"]


class Spot(NamedTuple):
    """One choice of a target: its JSON form, its cells in their order, and the same as a bit set."""

    json: Json
    cells: tuple[Cell, ...]
    mask: int


@attrs.frozen
class Ground:
    """What there is to aim at in a variant: its grid, its ship classes, and the ids of its abilities."""

    grid: Grid
    fleet: tuple[ShipClass, ...] = ()
    abilities: tuple[str, ...] = ()


Admits: TypeAlias = Callable[[Spot], bool]


def _spot(json: Json, cells: Iterable[Cell]) -> Spot:
    ordered = tuple(cells)
    return Spot(json, ordered, CellSet.of(ordered).mask)


@attrs.frozen
class Target:
    """The base of all targets. `side` is whose grid it lies on."""

    side: Side = attrs.field(default="other", kw_only=True, validator=in_(get_args(Side)))
    spot: Spot = attrs.field(default=Spot(None, (), 0), kw_only=True)
    open: CellSet = attrs.field(default=CellSet(), kw_only=True)

    def spots(self, ground: Ground) -> Mapping[Json, Spot]:
        """Return every choice there is by its JSON form, in a fixed order."""
        return {spot.json: spot for spot in self.all_spots(ground)}

    def all_spots(self, ground: Ground) -> Iterable[Spot]:
        """Yield every choice there is."""
        raise NotImplementedError

    def at_sea(self, spot: Spot, sea: int) -> Spot | None:
        """Return a choice without the cells that do not exist, or None if nothing is left of it."""
        if not spot.mask & ~sea:
            return spot
        cells = tuple(cell for cell in spot.cells if sea >> cell & 1)
        return Spot(spot.json, cells, spot.mask & sea) if cells else None

    def read(self, grid: Grid, spots: Mapping[Json, Spot], given: Json) -> Spot | Refusal:
        """Return which of all choices this JSON form names, or why none: `unknown_cell` or `bad_target`."""
        if type(given) is str and given in spots:
            return spots[given]
        form = self.normal(grid, given)
        return form if isinstance(form, Refusal) else spots.get(form) or bad_target(given)

    def admits(self, sight: "Sight") -> Admits | None:
        """Return what tells whether a choice may be made now, by what the user knows; None: all may."""
        return None

    def normal(self, grid: Grid, given: Json) -> Json | Refusal:
        """Return the JSON form with cell names as the engine writes them."""
        raise NotImplementedError

    def chosen(self, spot: Spot, open_: CellSet) -> Self:
        """Return the target with this choice in it; `open_` are the cells that may be shot."""
        kind: type = type(self)
        made = object.__new__(type(self))
        for name in declared_fields(kind):
            value = getattr(self, name)
            _set(made, name, value if type(value) in PLAIN else replica(value))
        _set(made, "spot", spot)
        _set(made, "open", open_)
        return made

    @property
    def cells(self) -> CellSet:
        """The cells of the choice."""
        return CellSet(self.spot.mask)

    @property
    def unshot(self) -> tuple[Cell, ...]:
        """Its cells that may be shot, in their order."""
        return tuple(cell for cell in self.spot.cells if cell in self.open)

    @property
    def shots(self) -> list[Shot]:
        """A shot at each cell that may be shot, to yield as one batch."""
        return [Shot(cell) for cell in self.unshot]


_set = object.__setattr__


@cache
def declared_fields(target: type) -> tuple[str, ...]:
    """Return the names of a target's fields without those of a choice."""
    names = [field.name for field in attrs.fields(cast("type[Target]", target))]
    return tuple(name for name in names if name not in {"spot", "open"})


def bad_target(given: Json) -> Refusal:
    """Return the refusal of a target that does not have the right form."""
    return Refusal("bad_target", {"target": given})


def _cell_form(grid: Grid, given: Json) -> Json | Refusal:
    if not isinstance(given, str):
        return bad_target(given)
    cell = grid.find(given)
    return Refusal("unknown_cell", {"cell": given}) if cell is None else grid.names[cell]


def _word_form(grid: Grid, given: Json, cell_key: str, word_key: str, words: Iterable[str]) -> Json | Refusal:
    if not isinstance(given, FrozenDict) or set(given) != {cell_key, word_key} or given[word_key] not in words:
        return bad_target(given)
    name = _cell_form(grid, given[cell_key])
    return name if isinstance(name, Refusal) else FrozenDict({cell_key: name, word_key: given[word_key]})


@attrs.frozen
class Nothing(Target):
    """No target: null."""

    def all_spots(self, ground: Ground) -> Iterable[Spot]:
        return [Spot(None, (), 0)]

    def normal(self, grid: Grid, given: Json) -> Json | Refusal:
        return bad_target(given) if given is not None else None


@attrs.frozen
class OneCell(Target):
    """One cell, by name. `known` asks what the user knows of it.

    On the other side: still open, told as water, or told as hit. On the own side: not yet shot (`open`), neither shot
    nor under a ship (`water`), or hit.
    """

    known: Literal["any", "open", "water", "hit"] = attrs.field(default="any", validator=in_(KNOWN))

    @property
    def cell(self) -> Cell:
        """The cell chosen."""
        return self.spot.cells[0]

    def all_spots(self, ground: Ground) -> Iterable[Spot]:
        return [_spot(name, [Cell(number)]) for number, name in enumerate(ground.grid.names)]

    def normal(self, grid: Grid, given: Json) -> Json | Refusal:
        return _cell_form(grid, given)

    def admits(self, sight: "Sight") -> Admits | None:
        if self.known == "any":
            return None
        cells = self._own(sight) if self.side == "own" else self._other(sight)
        return lambda spot: not spot.mask & ~cells

    def _other(self, sight: "Sight") -> int:
        return {"open": sight.free, "water": sight.water, "hit": sight.hit}[self.known]

    def _own(self, sight: "Sight") -> int:
        unshot = sight.sea & ~sight.own_shots
        ships = sum(sight.own_ships.values())
        return {"open": unshot, "water": unshot & ~ships, "hit": sight.own_hits}[self.known]


@attrs.frozen
class Area(Target):
    """An area of width x height cells, named by its middle cell and clipped at the edge."""

    width: int = 3
    height: int = 3

    def all_spots(self, ground: Ground) -> Iterable[Spot]:
        grid = ground.grid
        return [_spot(name, grid.area(name, self.width, self.height)) for name in grid.names]

    def normal(self, grid: Grid, given: Json) -> Json | Refusal:
        return _cell_form(grid, given)


@attrs.frozen
class Line(Target):
    """`length` cells in a row or column, named by the middle one and clipped: `{"at": "B2", "axis": "across"}`."""

    length: int = 3

    def all_spots(self, ground: Ground) -> Iterable[Spot]:
        for name in ground.grid.names:
            for axis, (across, down) in AXES.items():
                width, height = (self.length, 1) if across > down else (1, self.length)
                yield _spot(FrozenDict(at=name, axis=axis), ground.grid.area(name, width, height))

    def normal(self, grid: Grid, given: Json) -> Json | Refusal:
        return _word_form(grid, given, "at", "axis", AXES)


def _drawn(rows: Sequence[str]) -> tuple[str, ...]:
    return tuple(rows)


@attrs.frozen
class Pattern(Target):
    """Cells drawn in rows of `x` and `.` around the middle one, which names it; clipped at the edge.

    With `turns` it is named like a line: `across` as it is drawn, `down` with rows and columns exchanged. Of an even
    number of rows or columns the middle is the one nearer the start.
    """

    rows: tuple[str, ...] = attrs.field(default=("x",), converter=_drawn)
    turns: bool = False

    def all_spots(self, ground: Ground) -> Iterable[Spot]:
        for name in ground.grid.names:
            if self.turns:
                yield _spot(FrozenDict(at=name, axis="across"), self._around(ground.grid, name, self.rows))
                turned = tuple("".join(row) for row in zip(*self.rows, strict=True))
                yield _spot(FrozenDict(at=name, axis="down"), self._around(ground.grid, name, turned))
            else:
                yield _spot(name, self._around(ground.grid, name, self.rows))

    def normal(self, grid: Grid, given: Json) -> Json | Refusal:
        return _word_form(grid, given, "at", "axis", AXES) if self.turns else _cell_form(grid, given)

    def _around(self, grid: Grid, name: str, rows: tuple[str, ...]) -> list[Cell]:
        column, row = grid.position(name)
        left, top = column - (len(rows[0]) - 1) // 2, row - (len(rows) - 1) // 2
        drawn = ((left + c, top + r) for r, line in enumerate(rows) for c, mark in enumerate(line) if mark == "x")
        return [cell for c, r in drawn if (cell := grid.at(c, r)) is not None]


@attrs.frozen
class Lane(Target):
    """A row or column run from an edge cell straight away from that edge: `{"from": "A5", "direction": "right"}`."""

    def all_spots(self, ground: Ground) -> Iterable[Spot]:
        for name in ground.grid.names:
            for direction, step in DIRECTIONS.items():
                cells = _run(ground.grid, name, step)
                if cells:
                    yield _spot(FrozenDict({"from": name, "direction": direction}), cells)

    def normal(self, grid: Grid, given: Json) -> Json | Refusal:
        return _word_form(grid, given, "from", "direction", DIRECTIONS)


def _run(grid: Grid, name: str, step: tuple[int, int]) -> list[Cell]:
    """Return the cells from an edge cell in a direction, or none if it does not lead straight away from its edge."""
    (column, row), (across, down) = grid.position(name), step
    if grid.at(column - across, row - down) is not None:
        return []
    found = [grid.at(column + across * n, row + down * n) for n in range(max(grid.columns, grid.rows))]
    return [cell for cell in found if cell is not None]
