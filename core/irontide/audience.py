"""Audience: who is told of an event, as the rules have it where they have a say (the question `audience`)."""

from typing import TYPE_CHECKING, cast

import attrs

from irontide.apply import marker_id
from irontide.events import (
    AbilityDisabled,
    AbilityEnabled,
    AbilityUsed,
    BattleStarted,
    CellRepaired,
    CellsRevealed,
    Event,
    FleetPlaced,
    FleetRevealed,
    KnowledgeForgotten,
    Marked,
    MatchEnded,
    PointsGained,
    PointsSpent,
    RuleDisabled,
    ShipMoved,
    ShipSunk,
    ShotFired,
    ShotsGranted,
    TurnEnded,
    TurnStarted,
    Unmarked,
)
from irontide.frozen import is_text, replica
from irontide.guard import ask

if TYPE_CHECKING:
    from irontide.pipeline import Pipeline

NOT_ASKED = (
    BattleStarted, FleetPlaced, TurnStarted, TurnEnded, ShotsGranted, ShotFired, MatchEnded, FleetRevealed, AbilityUsed,
    AbilityDisabled, AbilityEnabled, RuleDisabled, PointsGained, PointsSpent, KnowledgeForgotten, CellRepaired,
    CellsRevealed, Unmarked,
)  # fmt: skip
"""Events of which no rule can keep a seat ignorant: it would not know what it may do, or what has come to an end."""

OWN = (ShipSunk, ShipMoved)
"""Events of which their own seat is told in any case."""


def addressed(pipeline: "Pipeline", event: Event) -> Event:
    """Return the event with those whom the rules let know of it.

    Raises:
        Broken: a rule answered with what is no audience.

    """
    if isinstance(event, NOT_ASKED):
        return event
    seats, mover = pipeline.state.seats, max(pipeline.state.turn, 0)

    def sound(to: object) -> bool:
        if type(to) is not tuple:
            return to is None
        return all(is_text(seat) and seat in seats for seat in cast("tuple[object, ...]", to))

    table, face, handed = pipeline.book.adjusts, pipeline.context, replica(event)
    to = ask(table, "audience", pipeline.guard, face, event.to, mover, handed, sound=sound)
    if to is not None:
        own = event.seat if isinstance(event, OWN) else None
        to = tuple([seat for seat in seats if seat in to or seat == own])
        to = None if to == seats else to
    if to == event.to:
        return event
    if isinstance(event, Marked):
        return attrs.evolve(event, id=marker_id(pipeline.state, event.rule, event.seat, to), to=to)
    return attrs.evolve(event, to=to)
