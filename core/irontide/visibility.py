"""Visibility: what each seat, and a spectator, is told of an event. Closed by default, decided from the event alone.

A told form is the event with what was withheld left out, so a seat's view is the same fold as the state itself. It
never holds the cause, which could betray a hidden rule.
"""

from collections.abc import Callable
from typing import Any

import attrs

from irontide.events import AbilityUsed, CellsScanned, Event, FleetPlaced, ShipMoved, ShotFired
from irontide.frozen import maker

shot_fired = maker(ShotFired)
cells_scanned = maker(CellsScanned)


def _placed(event: FleetPlaced, seat: str) -> Event:
    return event if seat == event.seat else FleetPlaced(event.seat, None)


def _shot(event: ShotFired, seat: str) -> Event:
    if seat != event.by:
        return event
    return shot_fired(event.by, event.at, event.told, event.ship, None, None, event.again, event.free)


def _used(event: AbilityUsed, seat: str) -> Event:
    if event.target_to is None:
        return event
    if seat in event.target_to:
        return attrs.evolve(event, target_to=None)
    return attrs.evolve(event, target=None, target_to=None)


def _scanned(event: CellsScanned, seat: str) -> Event:
    """Return a scan that says which ship cells it looked for, without what it found for all but its user."""
    of = event.of or CellsScanned.usual(event.tell)
    if seat == event.by:
        return attrs.evolve(event, of=of)
    return cells_scanned(event.by, event.ability, event.area, event.tell, of=of, cause=event.cause, to=event.to)


def _moved(event: ShipMoved, seat: str) -> Event:
    return event if seat == event.seat else ShipMoved(event.seat)


REDACT: dict[type[Event], Callable[[Any, str], Event]] = {
    FleetPlaced: _placed,
    ShotFired: _shot,
    AbilityUsed: _used,
    CellsScanned: _scanned,
    ShipMoved: _moved,
}


def told(event: Event, seat: str) -> Event | None:
    """Return the event as this seat is told it, or None if it is not told of it."""
    if event.to is not None and seat not in event.to:
        return None
    redact = REDACT.get(type(event))
    known = event if redact is None else redact(event, seat)
    return known if known.cause is None and known.to is None else attrs.evolve(known, cause=None, to=None)


def told_spectator(event: Event, seats: tuple[str, ...]) -> Event | None:
    """Return of the event what both seats are told alike, or None if one of them is not told of it."""
    one, other = (told(event, seat) for seat in seats)
    if one is None or other is None or one == other:
        return one if other is not None else None
    names = [field.name for field in attrs.fields(type(event))]
    unlike = [name for name in names if getattr(one, name) != getattr(other, name)]
    return attrs.evolve(one, **dict.fromkeys(unlike))
