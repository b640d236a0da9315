"""Views: what a seat, or a spectator, may know, as the fold of the events that it was told, and nothing else."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import attrs

from irontide.codec import event_from_data
from irontide.errors import CodecError
from irontide.events import CellsScanned, Event, MatchCreated, Names, Reported
from irontide.evolve import EVOLVE
from irontide.fitting import DOUBTFUL, Fitting
from irontide.fleet import Fleet
from irontide.frozen import FrozenDict, shown
from irontide.given import are_seats
from irontide.grid import CellSet, Grid
from irontide.messages import ship_label
from irontide.state import Marker, Outcome, State
from irontide.variant import Variant

if TYPE_CHECKING:
    from irontide.registry import Registry


@attrs.frozen
class ShipView:
    """One ship as its owner, or after the end everybody, sees it."""

    id: str
    class_id: str
    cells: CellSet
    hits: CellSet
    afloat: bool
    labels: Mapping[str, str] = attrs.field(factory=FrozenDict, repr=False)

    def label(self, lang: str = "en") -> str:
        """Return what players call it."""
        return self.labels.get(lang) or ship_label(self.class_id, lang)


@attrs.frozen
class AbilityView:
    """An ability as everybody sees it: whose ships it belongs to, why it is off (if it is), how often it was used."""

    id: str
    class_id: str
    off: tuple[str, ...]
    uses: int


class _Reader:
    """Reads one state that was folded from told events."""

    __slots__ = ("_seat", "_state", "_variant")

    def __init__(self, state: State, variant: Variant, seat: int) -> None:
        self._state = state
        self._variant = variant
        self._seat = seat

    def _ships(self, fleet: Fleet, hit: int, sunk: Collection[str]) -> Mapping[str, ShipView]:
        found: dict[str, ShipView] = {}
        for id_, mask in fleet.cells.items():
            class_ = self._variant.ship_class(id_)
            labels = class_.labels if class_ else FrozenDict()
            class_id = class_.id if class_ else id_
            hits = CellSet(mask & hit)
            found[id_] = ShipView(id_, class_id, CellSet(mask), hits, id_ not in sunk, labels)
        return FrozenDict(found)


class OwnSide(_Reader):
    """A seat's own grid."""

    __slots__ = ()

    @property
    def ships(self) -> Mapping[str, ShipView]:
        """The ships by id, in fleet order; none before they were placed."""
        state, seat = self._state, self._seat
        fleet = state.fleets[seat]
        return FrozenDict() if fleet is None else self._ships(fleet, state.hits[seat], state.sunk[seat])

    @property
    def shots(self) -> CellSet:
        """Where the other side has shot."""
        return CellSet(self._state.shots[self._seat])


class TargetSide(_Reader):
    """A grid as the seat that shoots at it knows it. `water`, `hit`, `sunk` and `unknown` share no cell."""

    __slots__ = ()

    @property
    def shots(self) -> CellSet:
        """The cells that were shot and may not be shot again."""
        return CellSet(self._state.shots[self._seat])

    @property
    def water(self) -> CellSet:
        """Told to be water."""
        return CellSet(self._state.water[self._seat] & ~self._state.wrecks[self._seat])

    @property
    def hit(self) -> CellSet:
        """Answered: hit; of a ship that is not known to be a wreck in this place."""
        return CellSet(self._state.struck[self._seat] & ~self._state.wrecks[self._seat])

    @property
    def sunk(self) -> CellSet:
        """Told to be wrecks."""
        return CellSet(self._state.wrecks[self._seat])

    @property
    def seen(self) -> CellSet:
        """Told to hold a ship, without a shot: of those that are `unknown`."""
        return CellSet(self._state.seen[self._seat]) & self.unknown

    @property
    def unknown(self) -> CellSet:
        """No answer is held."""
        return CellSet(self._state.sea) - self.water - self.hit - self.sunk

    @property
    def sunk_ships(self) -> tuple[str, ...]:
        """The ships that were told to have sunk, by id, in the order of sinking."""
        return self._state.told_sunk[self._seat]

    @property
    def sunk_classes(self) -> tuple[str, ...]:
        """The classes of the ships that were told to have sunk, in the order of sinking."""
        classes = (self._variant.ship_class(ship) for ship in self.sunk_ships)
        return tuple(class_.id for class_ in classes if class_ is not None)

    @property
    def scans(self) -> tuple[CellsScanned, ...]:
        """What scans of this grid told."""
        return self._state.scans[1 - self._seat]

    @property
    def reports(self) -> tuple[Reported, ...]:
        """What was told of shots together at this grid, whose answers were held back."""
        return self._state.reports[1 - self._seat]

    @property
    def ships(self) -> Mapping[str, ShipView] | None:
        """The ships by id, once the fleet was revealed at the end; None before."""
        state, seat = self._state, self._seat
        fleet, hit = state.revealed[seat], state.struck[seat]
        if fleet is None:
            return None
        silent = [ship for ship, cells in fleet.cells.items() if not cells & ~hit]
        return self._ships(fleet, hit, {*state.sunk[seat], *silent})


class _Board:  # noqa: PLW1641 - compared, never a key
    """What everybody may read of a match."""

    __slots__ = ("_state", "_variant")

    def __init__(self, variant: Variant, state: State) -> None:
        self._variant = variant
        self._state = state

    @property
    def variant(self) -> Variant:
        """The rules of the match."""
        return self._variant

    @property
    def seats(self) -> tuple[str, ...]:
        """The names of both seats."""
        return self._state.seats

    @property
    def grid(self) -> Grid:
        """The grid of both sides."""
        return self._state.grid

    @property
    def sea(self) -> CellSet:
        """The cells that exist; the others of the grid are islands."""
        return CellSet(self._state.sea)

    @property
    def seat_to_move(self) -> str | None:
        """Whose turn it is; None before both fleets stand and after the end."""
        return self._state.seats[self._state.turn] if self._state.turn >= 0 else None

    @property
    def turns(self) -> Mapping[str, int]:
        """How many turns each seat has started."""
        return dict(zip(self._state.seats, self._state.turns, strict=True))

    @property
    def outcome(self) -> Outcome | None:
        """How the match ended."""
        return self._state.outcome

    @property
    def placed(self) -> tuple[str, ...]:
        """The seats whose fleets stand."""
        return tuple(seat for seat, done in zip(self._state.seats, self._state.placed, strict=True) if done)

    @property
    def markers(self) -> tuple[Marker, ...]:
        """The markers that stand, as far as they were told."""
        return tuple(self._state.marks.values())

    def _abilities(self, seat: int) -> Mapping[str, AbilityView]:
        state = self._state
        found: dict[str, AbilityView] = {}
        for class_id, use in self._variant.granted.items():
            key = seat, use.use
            uses = state.uses[key].total if key in state.uses else 0
            found[use.use] = AbilityView(use.use, class_id, state.off.get(key, ()), uses)
        return FrozenDict(found)

    def _value(self) -> tuple[object, ...]:
        return type(self), self._variant.id, self._state

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Board) and self._value() == other._value()


class View(_Board):
    """What one seat may know."""

    __slots__ = ("_seat",)

    def __init__(self, variant: Variant, seat: int, state: State) -> None:
        """Take a state of its own, folded from what the seat was told."""
        super().__init__(variant, state)
        self._seat = seat

    @property
    def seat(self) -> str:
        """The seat whose view it is."""
        return self._state.seats[self._seat]

    @property
    def opponent(self) -> str:
        """The other seat."""
        return self._state.seats[1 - self._seat]

    @property
    def own(self) -> OwnSide:
        """The seat's own grid."""
        return OwnSide(self._state, self._variant, self._seat)

    @property
    def target(self) -> TargetSide:
        """What the seat knows of the other grid."""
        return TargetSide(self._state, self._variant, 1 - self._seat)

    @property
    def points(self) -> int:
        """What the seat's purse holds."""
        return self._state.points[self._seat]

    @property
    def opponent_points(self) -> int:
        """What the other purse holds."""
        return self._state.points[1 - self._seat]

    @property
    def shots_due(self) -> int:
        """How many shots of the turn are left, of whoever is to move."""
        return self._state.due

    @property
    def abilities(self) -> Mapping[str, AbilityView]:
        """The seat's own abilities by id."""
        return self._abilities(self._seat)

    @property
    def opponent_abilities(self) -> Mapping[str, AbilityView]:
        """The other seat's abilities by id."""
        return self._abilities(1 - self._seat)

    def _value(self) -> tuple[object, ...]:
        return *super()._value(), self._seat


class SpectatorView(_Board):
    """What a spectator may know: of each event the fields that both seats were told alike."""

    __slots__ = ()

    @property
    def sides(self) -> Mapping[str, TargetSide]:
        """Each seat's grid, as far as both seats know it."""
        return {seat: TargetSide(self._state, self._variant, n) for n, seat in enumerate(self._state.seats)}

    @property
    def points(self) -> Mapping[str, int]:
        """What each purse holds."""
        return dict(zip(self._state.seats, self._state.points, strict=True))

    @property
    def abilities(self) -> Mapping[str, Mapping[str, AbilityView]]:
        """Each seat's abilities by id."""
        return {seat: self._abilities(n) for n, seat in enumerate(self._state.seats)}


def view_of(variant: Variant, seat: str | None, state: State) -> "View | SpectatorView":
    """Return the view on a state that was folded from what this seat was told."""
    return SpectatorView(variant, state) if seat is None else View(variant, state.index[seat], state)


def fold_told(state: State, events: Iterable[Event]) -> None:
    """Apply told events to the state, in place."""
    for place, event in enumerate(events):
        try:
            EVOLVE[type(event)](state, event)
        except (LookupError, ValueError, TypeError, AttributeError) as error:
            raise CodecError(f"told[{place}]: does not fit what was told before: {error!r}") from None


def told_events(told: Iterable[Mapping[str, Any]]) -> Iterator[Event]:
    """Yield the events of a told stream; their numbers must be without gaps from the first on.

    Raises:
        CodecError: what was told does not have the form of told events.

    """
    if isinstance(told, (str, Mapping)) or not isinstance(told, Iterable):  # pyright: ignore[reportUnnecessaryIsInstance] - it came from outside
        raise CodecError(f"a told stream is a list of events, not {shown(told)}")  # pyright: ignore[reportUnknownArgumentType] - it came from outside
    for place, data in enumerate(told):
        if not isinstance(data, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance] - it came from outside
            raise CodecError(f"told[{place}]: an event is a mapping, not {shown(data)}")
        if data.get("n", place + 1) != place + 1:
            raise CodecError(f"told[{place}]: expected number {place + 1}, not {shown(data['n'])}")
        yield event_from_data({key: value for key, value in data.items() if key != "n"}, f"told[{place}]")


def _by(rules: Variant, told: Iterator[Event]) -> Iterator[Event]:
    """Yield what was told, having seen that it was told of a match by these rules."""
    fitting: Fitting | None = None
    for place, event in enumerate(told):
        if fitting is None:
            fitting = Fitting(_opened(rules, event), rules, told=True)
        elif type(event) in DOUBTFUL and (wrong := fitting.misfit(event)):
            raise CodecError(f"told[{place}]: {wrong}")
        yield event


def _opened(rules: Variant, event: Event) -> Names:
    """Return the seats of a match by these rules, which this event opens."""
    if not isinstance(event, MatchCreated):
        raise CodecError(f"told[0]: what is told first is match_created, not {event.type}")
    here = rules.id, rules.grid.columns, rules.grid.rows
    if here != (event.variant, event.columns, event.rows):
        was = f"{event.variant!r} on {event.columns}x{event.rows}"
        raise CodecError(f"told of a match by {was}, not by {rules.id!r} on {here[1]}x{here[2]}")
    if not are_seats(event.seats):
        raise CodecError(f"told[0]: a match has two seats with different names, not {shown(event.seats)}")
    return event.seats


def fold_view(
    variant: "Variant | str",
    seat: str | None,
    told: Iterable[Mapping[str, Any]],
    registry: "Registry | None" = None,
) -> "View | SpectatorView":
    """Return the view that a seat, or (None) a spectator, has after it was told these events from the first on.

    A remote client builds its view with this from `Match.told`; it equals `Match.view`. The registry is asked only for
    a variant that is given by id; of one that was sent as data (`variant_from_json`), nothing has to be installed.

    Raises:
        CodecError: what was told does not have the form of told events, or is of a match by another variant.
        UnknownName: there is no such variant.

    """
    from irontide.registry import shared  # noqa: PLC0415 - views are below the registry

    rules: Variant = (registry or shared()).variant(variant) if isinstance(variant, str) else variant
    state = State()
    fold_told(state, _by(rules, told_events(told)))
    if seat is not None and (not isinstance(seat, str) or seat not in state.index):  # pyright: ignore[reportUnnecessaryIsInstance] - it came from outside
        raise CodecError(f"a seat {shown(seat)} was not told of: the seats are {', '.join(state.seats) or 'not told'}")
    return view_of(rules, seat, state)
