"""The state of a match: small, cheap to copy, and changed by `evolve` alone.

Seats are 0 and 1 here. Every per-seat pair is about the seat's own grid and things: `shots[0]` are the cells of seat
0's grid that seat 1 has shot. What the other seat was *told* of a grid (`water`, `struck`, `told_sunk`) is kept beside
the truth (`fleets`, `hits`, `sunk`), so that options and refusals read only what a seat knows. A state folded from what
a seat was told is of the same kind, with the other fleet missing.
"""

from typing import Any, NamedTuple, TypeAlias

import attrs

from irontide.events import CellsScanned, End, Reported
from irontide.fleet import Fleet
from irontide.frozen import Json
from irontide.grid import Cell, CellSet, Grid

Key: TypeAlias = tuple[int, str]
"""A rule instance: its seat (-1 for a rule that belongs to none) and its id."""


@attrs.frozen
class Outcome:
    """How a match ended; no winner is a draw."""

    winner: str | None
    reason: str


class Uses(NamedTuple):
    """How often an ability was used: in all, in the user's turn number `turn`, and which that was."""

    total: int
    in_turn: int
    turn: int


NO_USES = Uses(0, 0, 0)


@attrs.frozen(weakref_slot=False)
class Hold:
    """A passing reason for which an ability is off: when it ends, and which rule instance it is from."""

    ends: End
    rule: str
    seat: str | None


@attrs.frozen(weakref_slot=False)
class Marker:
    """A marker that stands. `side` is whose seat, cells or ship it lies on; `seat` and `rule` whose it is."""

    id: str
    rule: str
    seat: str | None
    side: str | None
    on: CellSet | str | None
    ends: End
    data: Any
    """JSON data, as `Mark(data=…)` gave it."""
    to: tuple[str, ...] | None
    """Who knows of it; None is everybody."""

    @property
    def told(self) -> bool:
        """Whether its owner knows of it."""
        return self.to is None or (self.seat is not None and self.seat in self.to)


class State:  # noqa: PLW1641 - it changes
    """Everything about a match at one moment. `copy` is independent; compares by value."""

    __slots__ = (
        "bits",
        "data",
        "due",
        "extra",
        "fleets",
        "grid",
        "held",
        "hits",
        "index",
        "marks",
        "number",
        "numbers",
        "off",
        "outcome",
        "placed",
        "points",
        "quiet",
        "reports",
        "revealed",
        "scans",
        "sea",
        "seats",
        "seen",
        "shots",
        "struck",
        "sunk",
        "told_off",
        "told_sunk",
        "turn",
        "turns",
        "used",
        "uses",
        "water",
        "wrecks",
    )  # fmt: skip

    seats: tuple[str, ...]
    index: dict[str, int]
    grid: Grid
    numbers: dict[str, Cell]
    sea: int
    """The cells that exist."""
    bits: dict[str, int]
    number: int
    """Of the last commit."""
    scans: list[tuple[CellsScanned, ...]]
    """What each seat's scans told it."""
    reports: list[tuple[Reported, ...]]
    """What each seat was told of its shots together."""
    seen: list[int]
    """The cells that were told to hold ships without a shot."""
    fleets: list[Fleet | None]
    placed: list[bool]
    shots: list[int]
    hits: list[int]
    water: list[int]
    struck: list[int]
    sunk: list[tuple[str, ...]]
    told_off: list[frozenset[tuple[str, str]]]
    """Each seat's abilities that the other was told to be off, with the reason."""
    told_sunk: list[tuple[str, ...]]
    wrecks: list[int]
    revealed: list[Fleet | None]
    turn: int
    """Whose turn it is; -1 before the battle and after the end."""
    turns: list[int]
    """How many turns each seat has started."""
    due: int
    """How many shots of the turn are left."""
    extra: dict[int, int]
    """Shots that a seat was granted for its next turn."""
    used: int
    """How many abilities were used in the turn."""
    quiet: int
    """How many turns have passed since the last shot that changed anything."""
    points: list[int]
    uses: dict[Key, Uses]
    off: dict[Key, tuple[str, ...]]
    held: dict[tuple[Key, str], Hold]
    """The passing ones among the reasons in `off`, by the ability and the reason."""
    marks: dict[str, Marker]
    data: dict[tuple[int, str, str], Json]
    outcome: Outcome | None

    def __init__(self) -> None:
        """Start from before the match was created."""
        self.seats = ()
        self.index = {}
        self.grid = Grid(1, 1)
        self.numbers = {}
        self.bits = {}
        self.sea = 0
        self.number = 0
        self.scans = [(), ()]
        self.fleets = [None, None]
        self.placed = [False, False]
        self.shots = [0, 0]
        self.hits = [0, 0]
        self.water = [0, 0]
        self.struck = [0, 0]
        self.sunk = [(), ()]
        self.told_off = [frozenset(), frozenset()]
        self.told_sunk = [(), ()]
        self.wrecks = [0, 0]
        self.revealed = [None, None]
        self.reports = [(), ()]
        self.seen = [0, 0]
        self.turn = -1
        self.turns = [0, 0]
        self.due = 0
        self.extra = {}
        self.used = 0
        self.quiet = 0
        self.points = [0, 0]
        self.uses = {}
        self.off = {}
        self.held = {}
        self.marks = {}
        self.data = {}
        self.outcome = None

    def copy(self) -> "State":
        """Return a state that goes its own way."""
        new = State.__new__(State)
        new.seats, new.index, new.number, new.outcome = self.seats, self.index, self.number, self.outcome
        new.grid, new.numbers, new.bits, new.scans = self.grid, self.numbers, self.bits, self.scans[:]
        new.sea = self.sea
        new.fleets, new.placed, new.revealed = self.fleets[:], self.placed[:], self.revealed[:]
        new.shots, new.hits, new.water, new.struck = self.shots[:], self.hits[:], self.water[:], self.struck[:]
        new.sunk, new.told_sunk, new.wrecks = self.sunk[:], self.told_sunk[:], self.wrecks[:]
        new.told_off, new.held = self.told_off[:], self.held.copy()
        new.reports, new.seen = self.reports[:], self.seen[:]
        new.turn, new.turns, new.due, new.used = self.turn, self.turns[:], self.due, self.used
        new.extra = self.extra.copy() if self.extra else {}
        new.quiet, new.points = self.quiet, self.points[:]
        new.uses, new.off, new.marks, new.data = self.uses.copy(), self.off.copy(), self.marks.copy(), self.data.copy()
        return new

    def apart(self) -> "State":
        """Return the same state, with tables of its own too: for whoever may change them."""
        self.index, self.numbers, self.bits = dict(self.index), dict(self.numbers), dict(self.bits)
        self.fleets = [fleet and Fleet(fleet.names, self.bits) for fleet in self.fleets]
        self.revealed = [fleet and Fleet(fleet.names, self.bits) for fleet in self.revealed]
        return self

    def values(self) -> dict[str, object]:
        """Return every field by name."""
        return {name: getattr(self, name) for name in State.__slots__}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, State) and self.values() == other.values()

    def side(self, seat: str | None) -> int:
        """Return 0 or 1, or -1 for no seat."""
        return -1 if seat is None else self.index[seat]
