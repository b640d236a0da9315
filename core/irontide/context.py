"""What a rule may read: two typed, read-only faces of the state, so that a type checker finds a leak.

`SeatContext` holds what its seat knows and nothing else: `@forbids`, prices, limits and targets are decided from it, on
the true state and on a state folded from told events alike. `Context` holds the truth: for `@replaces`, `@reacts`,
questions and `use`.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from irontide.events import Event
from irontide.fleet import NO_FLEET
from irontide.frozen import FrozenDict, replica
from irontide.grid import Cell, CellSet, Grid
from irontide.randomness import Random
from irontide.state import Marker, State


class Engine(Protocol):
    """What a context asks the engine for while a command is carried out."""

    def draws(self, rule: str, seat: int) -> Random:
        """Return the draws of a rule instance in the commit under way."""
        ...

    def sensed(self, owner: int) -> CellSet:
        """Return the ship cells of a seat that can be found."""
        ...

    def clearance(self, ship: CellSet) -> CellSet:
        """Return the cells around a ship that no other ship may use."""
        ...


class _Reader:
    """What both faces have: the grid, the sea, and the rule instance that they were made for."""

    __slots__ = ("_grid", "_seat", "_state", "rule")

    _grid: Grid
    _seat: int
    _state: State
    rule: str

    @property
    def grid(self) -> Grid:
        """The grid of both sides."""
        return replica(self._grid)

    @property
    def sea(self) -> CellSet:
        """All cells that exist."""
        return CellSet(self._state.sea)


class SeatContext(_Reader):
    """What one seat knows: its own side, and what it was told of the other."""

    __slots__ = ("_owned",)

    def __init__(self, state: State, grid: Grid, seat: int, rule: str, *, owned: bool) -> None:
        """Take the state, which seat, and the rule instance: `owned` by the seat, or of none."""
        self._state = state
        self._seat = seat
        self._grid = grid
        self.rule = rule
        self._owned = owned

    @property
    def seat(self) -> str:
        """The seat's name."""
        return self._state.seats[self._seat]

    @property
    def opponent(self) -> str:
        """The other seat's name."""
        return self._state.seats[1 - self._seat]

    @property
    def turn(self) -> int:
        """How many turns the seat has started."""
        return self._state.turns[self._seat]

    @property
    def points(self) -> int:
        """What the seat's purse holds."""
        return self._state.points[self._seat]

    @property
    def opponent_points(self) -> int:
        """What the other purse holds."""
        return self._state.points[1 - self._seat]

    @property
    def ships(self) -> Mapping[str, CellSet]:
        """The seat's own ships, sunk ones too, by id."""
        return (self._state.fleets[self._seat] or NO_FLEET).ships()

    @property
    def sunk(self) -> tuple[str, ...]:
        """The seat's own ships that have sunk."""
        return self._state.sunk[self._seat]

    @property
    def hits(self) -> CellSet:
        """The hit cells of its own ships."""
        return CellSet(self._state.hits[self._seat])

    @property
    def shots(self) -> CellSet:
        """The own cells that were shot and may not be shot again."""
        return CellSet(self._state.shots[self._seat])

    @property
    def water(self) -> CellSet:
        """The enemy's cells that were told to be water."""
        return CellSet(self._state.water[1 - self._seat])

    @property
    def hit(self) -> CellSet:
        """The enemy's cells that were told to be hit."""
        return CellSet(self._state.struck[1 - self._seat])

    @property
    def sunk_enemies(self) -> tuple[str, ...]:
        """The enemy's ships that are known to have sunk."""
        return self._state.told_sunk[1 - self._seat]

    def open(self) -> CellSet:
        """Return the enemy's cells that the seat may still shoot."""
        return self.sea - CellSet(self._state.shots[1 - self._seat])

    @property
    def marks(self) -> tuple[Marker, ...]:
        """The markers of this rule instance that the seat knows of."""
        return replica(marks_of(self._state, self.rule, self.seat if self._owned else None, known=True))


class Side:
    """The truth about one seat."""

    __slots__ = ("_seat", "_state")

    def __init__(self, state: State, seat: int) -> None:
        """Take the state and which seat."""
        self._state = state
        self._seat = seat

    @property
    def name(self) -> str:
        """The seat's name."""
        return self._state.seats[self._seat]

    @property
    def ships(self) -> Mapping[str, CellSet]:
        """All its ships by id, in fleet order."""
        return (self._state.fleets[self._seat] or NO_FLEET).ships()

    @property
    def cells(self) -> CellSet:
        """All cells of its ships."""
        return CellSet((self._state.fleets[self._seat] or NO_FLEET).mask)

    @property
    def sunk(self) -> tuple[str, ...]:
        """Its ships that have sunk, in the order of sinking."""
        return self._state.sunk[self._seat]

    @property
    def afloat(self) -> tuple[str, ...]:
        """Its ships that have not sunk, in fleet order."""
        sunk = self._state.sunk[self._seat]
        return tuple(ship for ship in (self._state.fleets[self._seat] or NO_FLEET).ids if ship not in sunk)

    @property
    def hits(self) -> CellSet:
        """The hit cells of its ships."""
        return CellSet(self._state.hits[self._seat])

    @property
    def shots(self) -> CellSet:
        """The cells of its grid that were shot and may not be shot again."""
        return CellSet(self._state.shots[self._seat])

    @property
    def water(self) -> CellSet:
        """The cells of its grid that the other seat was told to be water."""
        return CellSet(self._state.water[self._seat])

    @property
    def points(self) -> int:
        """What its purse holds."""
        return self._state.points[self._seat]

    @property
    def turn(self) -> int:
        """How many turns it has started."""
        return self._state.turns[self._seat]

    def is_off(self, ability: str) -> bool:
        """Tell whether this ability of the seat is off."""
        return (self._seat, ability) in self._state.off


class Context(_Reader):
    """The truth, for one rule instance.

    `seat` is the seat of an ability's ship, or, for a rule without one, the seat that the question is about or whose
    turn it is.
    """

    __slots__ = ("_batch", "_engine", "_ship_ids", "_subject")

    def __init__(  # noqa: PLR0913, PLR0917 - made by the engine alone
        self,
        state: State,
        grid: Grid,
        owner: int,
        rule: str,
        ships: tuple[str, ...],
        engine: Engine,
        subject: int,
        batch: Sequence[Event] = (),
    ) -> None:
        """Take the state, the rule's seat (-1: none) and id, its ships, the engine, the seat it acts for, the batch."""
        self._state = state
        self._seat = owner
        self._grid = grid
        self.rule = rule
        self._subject = subject
        self._ship_ids = ships
        self._engine = engine
        self._batch = batch

    @property
    def batch(self) -> tuple[Event, ...]:
        """The events of the batch that is answered, in their order; none outside of a reaction."""
        return tuple(map(replica, self._batch))

    @property
    def random(self) -> Random:
        """The draws of this rule instance in this commit."""
        return self._engine.draws(self.rule, self._seat)

    @property
    def seat(self) -> Side:
        """The seat that the rule acts for."""
        return Side(self._state, self._subject)

    @property
    def other(self) -> Side:
        """The other seat."""
        return Side(self._state, 1 - self._subject)

    def side(self, seat: str) -> Side:
        """Return the truth about a seat, by name."""
        return Side(self._state, self._state.index[seat])

    def opponent(self, seat: str) -> Side:
        """Return the truth about the other of two seats."""
        return Side(self._state, 1 - self._state.index[seat])

    @property
    def ship(self) -> CellSet:
        """The cells of the ships that the ability belongs to."""
        ships = self.seat.ships
        return CellSet(sum(ships[id_].mask for id_ in self._ship_ids if id_ in ships))

    @property
    def round(self) -> int:
        """The round: how many turns the seat that is ahead has started."""
        return max(self._state.turns)

    @property
    def turn_of(self) -> str | None:
        """The seat whose turn it is."""
        return self._state.seats[self._state.turn] if self._state.turn >= 0 else None

    @property
    def marks(self) -> tuple[Marker, ...]:
        """The markers of this rule instance."""
        mine = self._marks()
        return replica(mine) if mine else mine

    @property
    def marked(self) -> CellSet:
        """The cells that markers of this rule instance lie on."""
        return CellSet.of(cell for mark in self._marks() if isinstance(mark.on, CellSet) for cell in mark.on)

    def mark_at(self, cell: Cell) -> Marker | None:
        """Return the first marker of this rule instance that lies on a cell."""
        return replica(next((mark for mark in self._marks() if isinstance(mark.on, CellSet) and cell in mark.on), None))

    @property
    def data(self) -> Mapping[str, Any]:
        """What this rule instance remembers, by key: JSON data."""
        items = self._state.data.items()
        mine = self._seat, self.rule
        return FrozenDict({key: replica(value) for (seat, rule, key), value in items if (seat, rule) == mine})

    def open(self) -> CellSet:
        """Return the other seat's cells that were not shot."""
        return self.sea - CellSet(self._state.shots[1 - self._subject])

    @property
    def due(self) -> int:
        """How many shots of the turn are left."""
        return self._state.due

    def clearance(self, ship: CellSet) -> CellSet:
        """Return the cells around these that no other ship may use, by the rules of the variant."""
        return self._engine.clearance(ship)

    def sensed(self) -> CellSet:
        """Return the other seat's ship cells, not yet hit, as scans find them: with decoys, without what is hidden."""
        return self._engine.sensed(1 - self._subject)

    def _marks(self) -> tuple[Marker, ...]:
        return marks_of(self._state, self.rule, self._name(), known=False)

    def _name(self) -> str | None:
        return self._state.seats[self._seat] if self._seat >= 0 else None


def marks_of(state: State, rule: str, seat: str | None, *, known: bool) -> tuple[Marker, ...]:
    """Return the markers of one rule instance; with `known` only those that its seat was told of."""
    if not state.marks:
        return ()
    marks = state.marks.values()
    return tuple([each for each in marks if each.rule == rule and each.seat == seat and (each.told or not known)])
