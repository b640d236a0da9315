"""Fitting: whether an event that came from outside, in a log or a told stream, is about this match at all.

The state takes events at their word. Whether anybody decided them so is a question for `verify`; here only their seats,
their ships and where these lie are looked at.
"""

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from irontide.events import (
    AbilityDisabled,
    CellRepaired,
    EffectReplaced,
    Event,
    FleetPlaced,
    FleetRevealed,
    Marked,
    MatchCreated,
    MatchEnded,
    Names,
    ShipMoved,
    ShipSunk,
    ShotsGranted,
    TimedOut,
    TurnEnded,
    Unmarked,
)
from irontide.fleet import berths
from irontide.frozen import shown
from irontide.grid import bits_of
from irontide.variant import Variant

NAMED: dict[type[Event], tuple[str, ...]] = {
    TimedOut: ("seat",),
    TurnEnded: ("seat",),
    ShotsGranted: ("seat",),
    AbilityDisabled: ("by_seat",),
    EffectReplaced: ("seat",),
    Marked: ("seat", "side"),
    Unmarked: ("seat",),
    MatchEnded: ("winner",),
}
"""By event, the fields that name a seat, if anything, and that the state never looks up: those it does fail there."""


KEPT = 32
"""The places of so many variants are kept."""


class Fitting:
    """Tells what does not fit a match of these seats by this variant."""

    def __init__(self, seats: Names, variant: Variant, *, told: bool = False) -> None:
        """Take what the match is made of; in a told stream ships and places may be withheld."""
        self._seats = {None, *seats}
        self._bits = bits_of(variant.grid)
        self._ships = _berths(variant)
        self._told = told

    def misfit(self, event: Event) -> str:
        """Return what is wrong with an event after the first; nothing if it is about this match."""
        kind = type(event)
        for field in NAMED.get(kind, ()):
            seat = getattr(event, field)
            if seat not in self._seats:
                return f"{event.type}: {field} is no seat of this match: {shown(seat)}"
        check = CHECKS.get(kind)
        return "" if check is None or check(self, event) else f"no event of this match: {shown(event)}"

    def opens(self, _event: MatchCreated) -> bool:
        """Refuse what opens a match: nothing but the first event does."""
        return False

    def is_fleet(self, event: FleetPlaced | FleetRevealed) -> bool:
        """Tell whether it is the whole fleet, each ship in water of its own."""
        if event.ships is None:
            return self._told
        taken = [name for cells in event.ships.values() for name in cells]
        lie = all(self._lies(ship, cells) for ship, cells in event.ships.items())
        return event.ships.keys() == self._ships.keys() and len(taken) == len(set(taken)) and lie

    def moves(self, event: ShipMoved) -> bool:
        """Tell whether it is a ship, and can lie there."""
        if event.ship is None or event.cells is None:
            return self._told
        return self._lies(event.ship, event.cells)

    def is_ship(self, event: ShipSunk | CellRepaired) -> bool:
        """Tell whether it is about a ship of the fleet."""
        return event.ship in self._ships

    def marks(self, event: Marked) -> bool:
        """Tell whether what is marked is a ship of the fleet, if it is a ship."""
        return type(event.on) is not str or event.on in self._ships

    def _lies(self, ship: str, cells: Names) -> bool:
        mask = 0
        for name in cells:
            mask |= self._bits.get(name, 0)
        return mask in self._ships.get(ship, ()) and mask.bit_count() == len(cells)


@lru_cache(KEPT)
def _berths(variant: Variant) -> Mapping[str, frozenset[int]]:
    """Return where each ship can lie, islands or not."""
    grid = variant.grid
    return {ship: frozenset(berths(class_, grid, grid.all.mask)) for class_ in variant.fleet for ship in class_.ships()}


CHECKS: dict[type[Event], Callable[[Fitting, Any], bool]] = {
    MatchCreated: Fitting.opens,
    FleetPlaced: Fitting.is_fleet,
    FleetRevealed: Fitting.is_fleet,
    ShipMoved: Fitting.moves,
    ShipSunk: Fitting.is_ship,
    CellRepaired: Fitting.is_ship,
    Marked: Fitting.marks,
}
"""By event, what tells whether it can be about this fleet."""

DOUBTFUL = CHECKS.keys() | NAMED.keys()
"""All events of which something is taken at its word."""
