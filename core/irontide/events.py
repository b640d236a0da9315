"""Events: what has happened. Their `type` and field names are the storage format of logs: a change needs an upcaster.

Every event stores at birth who is told of it (`to`) and every field that its told form depends on (DESIGN: who sees
what), so that neither replay nor a view ever asks a rule. `visibility` makes the told forms.
"""

from collections.abc import Mapping
from typing import ClassVar, TypeAlias

import attrs

from irontide.frozen import FrozenDict, Json

Names: TypeAlias = tuple[str, ...]
"""Cells by name, in order: an event reads the same everywhere, without a grid."""

On: TypeAlias = Names | str | None
"""What a marker lies on: cells, a ship by its id, or a seat."""

End: TypeAlias = str | tuple[str, str, int] | None
"""When something goes: "source" or "match", or at the "start" or "end" of a seat's n-th turn, or (None) never."""

Audience: TypeAlias = tuple[str, ...] | None
"""The seats that are told; None is everybody."""


@attrs.frozen
class Event:
    """The base: `cause` is the place, within the commit, of the event that caused this one."""

    type: ClassVar[str] = ""
    version: ClassVar[int] = 1
    cause: int | None = attrs.field(default=None, kw_only=True)
    to: Audience = attrs.field(default=None, kw_only=True)


@attrs.frozen
class MatchCreated(Event):
    """The match was set up; the rules are pinned from now on. `islands` are cells that do not exist."""

    type: ClassVar[str] = "match_created"
    seats: tuple[str, ...]
    variant: str
    first: str
    columns: int
    rows: int
    islands: Names = ()


@attrs.frozen
class FleetPlaced(Event):
    """A seat placed its fleet, or placed it again; `ships` is told to its owner only."""

    type: ClassVar[str] = "fleet_placed"
    seat: str
    ships: Mapping[str, Names] | None = None


@attrs.frozen
class BattleStarted(Event):
    """Both fleets stand."""

    type: ClassVar[str] = "battle_started"
    first: str


@attrs.frozen
class TurnStarted(Event):
    """It is this seat's turn, with so many shots."""

    type: ClassVar[str] = "turn_started"
    seat: str
    shots: int = 1


@attrs.frozen
class TimedOut(Event):
    """The host's clock has run out for this seat, whose turn it is."""

    type: ClassVar[str] = "timed_out"
    seat: str


@attrs.frozen
class TurnEnded(Event):
    """This seat's turn is over: all shots were fired, or it ended before that, for this reason with so many unused."""

    type: ClassVar[str] = "turn_ended"
    seat: str
    reason: str | None = None
    unused: int = 0


@attrs.frozen
class ShotsGranted(Event):
    """A seat may fire so many shots more (below 0: fewer): in this turn, or (`later`) in its next one."""

    type: ClassVar[str] = "shots_granted"
    seat: str
    amount: int
    reason: str
    later: bool = False


@attrs.frozen
class ShotFired(Event):
    """A shot fell on the other seat's grid.

    `told` and `ship` are the answer; `hit` (did harm) and `struck` (the ship's id) are the truth, told to its owner
    only (None where withheld).
    `again`: the cell may be shot again. `free`: fired by a rule or ability, so no shot of the turn.
    """

    type: ClassVar[str] = "shot_fired"
    by: str
    at: str
    told: str
    ship: str | None = None
    hit: bool | None = False
    struck: str | None = None
    again: bool = False
    free: bool = False


@attrs.frozen
class Reported(Event):
    """What the shots at `cells`, whose answers were held back, came to: how many hits, and perhaps on which classes."""

    type: ClassVar[str] = "reported"
    by: str
    cells: Names
    hits: int
    ships: Mapping[str, int] | None = None


@attrs.frozen
class CellsRevealed(Event):
    """`seat` is told of cells of the other's grid without a shot: where there is water, and where ships lie."""

    type: ClassVar[str] = "cells_revealed"
    seat: str
    water: Names = ()
    ships: Names = ()


@attrs.frozen
class ShipSunk(Event):
    """A ship of `seat` sank. `cells` where the variant shows wrecks."""

    type: ClassVar[str] = "ship_sunk"
    seat: str
    class_: str
    ship: str
    cells: Names | None = None


@attrs.frozen
class AbilityUsed(Event):
    """A seat used an ability and has paid for it. The target is told to `target_to` (None: everybody)."""

    type: ClassVar[str] = "ability_used"
    seat: str
    ability: str
    target: Json = None
    target_to: Audience = None


@attrs.frozen
class AbilityDisabled(Event):
    """An ability went off for this reason; it stays off while any reason holds.

    `ends` says when this one does (null: never); `by` and `by_seat` name the rule instance that caused it.
    """

    type: ClassVar[str] = "ability_disabled"
    seat: str
    ability: str
    ship: str | None = None
    reason: str = "sunk"
    ends: End = None
    by: str | None = None
    by_seat: str | None = None


@attrs.frozen
class AbilityEnabled(Event):
    """A reason for which an ability was off holds no longer."""

    type: ClassVar[str] = "ability_enabled"
    seat: str
    ability: str
    ship: str | None = None
    reason: str = ""


@attrs.frozen
class RuleDisabled(Event):
    """A rule that belongs to no seat went off."""

    type: ClassVar[str] = "rule_disabled"
    rule: str
    reason: str


@attrs.frozen
class EffectReplaced(Event):
    """The rule `by` cancelled or redirected what `seat` was about to do (`what`: an effect's name)."""

    type: ClassVar[str] = "effect_replaced"
    by: str
    what: str
    seat: str | None = None
    reason: str = ""


@attrs.frozen
class CellsScanned(Event):
    """A scan looked at `area`; of the findings one is set, by what was asked for, and told to the user alone.

    `of` says which ship cells it looked for: those not hit (`unhit`), those of ships afloat (`afloat`), or `any`. Told
    forms say it always; None is what is usual for what was asked (`usual`).
    `blind` are cells of which it could tell nothing. A `distance` of null: there was nothing to be found.
    """

    type: ClassVar[str] = "cells_scanned"
    by: str
    ability: str
    area: Names
    tell: str
    count: int | None = None
    any: bool | None = None
    cells: Names | None = None
    ships: int | None = None
    distance: int | None = None
    blind: Names | None = None
    of: str | None = None

    @staticmethod
    def usual(tell: str) -> str:
        """Return which ship cells a scan that does not say so looked for."""
        return _USUAL.get(tell, "unhit")


_USUAL = {"cells": "any", "ships": "afloat"}


@attrs.frozen
class KnowledgeForgotten(Event):
    """What a seat was told of these cells of the other grid holds no longer; it may shoot them again."""

    type: ClassVar[str] = "knowledge_forgotten"
    seat: str
    cells: Names


@attrs.frozen
class CellRepaired(Event):
    """A hit of a ship of `seat` was healed; the cell may be shot again."""

    type: ClassVar[str] = "cell_repaired"
    seat: str
    class_: str
    ship: str
    at: str


@attrs.frozen
class ShipMoved(Event):
    """A ship of `seat` moved; which one and where it lies now is told to its owner only."""

    type: ClassVar[str] = "ship_moved"
    seat: str
    ship: str | None = None
    cells: Names | None = None


@attrs.frozen
class PointsGained(Event):
    """A purse grew; `total` is what it holds now."""

    type: ClassVar[str] = "points_gained"
    seat: str
    amount: int
    total: int
    reason: str


@attrs.frozen
class PointsSpent(Event):
    """A purse shrank; `total` is what it holds now."""

    type: ClassVar[str] = "points_spent"
    seat: str
    amount: int
    total: int
    reason: str


@attrs.frozen
class Marked(Event):
    """A rule set a marker: on a seat (null), on cells or on a ship of the seat `side`; `ends` says when it goes."""

    type: ClassVar[str] = "marked"
    id: str
    rule: str
    seat: str | None
    side: str | None
    on: On = None
    ends: End = "source"
    data: Json = None


@attrs.frozen
class Unmarked(Event):
    """A marker went: it was taken away, ran out, or its source is off."""

    type: ClassVar[str] = "unmarked"
    id: str
    rule: str
    seat: str | None


@attrs.frozen
class DataSet(Event):
    """A rule wrote down something for itself; null forgets it."""

    type: ClassVar[str] = "data_set"
    rule: str
    seat: str | None
    key: str
    value: Json = None


@attrs.frozen
class Noted(Event):
    """A rule tells something in words: a message key and its arguments."""

    type: ClassVar[str] = "noted"
    rule: str
    key: str
    args: Mapping[str, Json] = attrs.field(factory=FrozenDict)


@attrs.frozen
class MatchEnded(Event):
    """The match is over; no winner is a draw."""

    type: ClassVar[str] = "match_ended"
    winner: str | None
    reason: str


@attrs.frozen
class FleetRevealed(Event):
    """After the end everybody is shown where this seat's ships lay."""

    type: ClassVar[str] = "fleet_revealed"
    seat: str
    ships: Mapping[str, Names]


EVENTS: tuple[type[Event], ...] = (
    MatchCreated, FleetPlaced, BattleStarted, TurnStarted, TimedOut, TurnEnded, ShotsGranted, ShotFired, Reported,
    CellsRevealed, ShipSunk, AbilityUsed, AbilityDisabled, AbilityEnabled, RuleDisabled, EffectReplaced, CellsScanned,
    KnowledgeForgotten, CellRepaired, ShipMoved, PointsGained, PointsSpent, Marked, Unmarked, DataSet, Noted,
    MatchEnded, FleetRevealed,
)  # fmt: skip
