"""Evolve: how each event changes the state. It copies facts and decides nothing; live play, replay and views share it.

Total: every event of the core has its function, and none asks a rule. A field that was withheld from a seat is absent
from the events it was told, and so from the state folded from them.
"""

from collections.abc import Callable, Iterable
from typing import Any

from irontide.events import (
    AbilityDisabled,
    AbilityEnabled,
    AbilityUsed,
    BattleStarted,
    CellRepaired,
    CellsRevealed,
    CellsScanned,
    DataSet,
    EffectReplaced,
    Event,
    FleetPlaced,
    FleetRevealed,
    KnowledgeForgotten,
    Marked,
    MatchCreated,
    MatchEnded,
    Noted,
    PointsGained,
    PointsSpent,
    Reported,
    RuleDisabled,
    ShipMoved,
    ShipSunk,
    ShotFired,
    ShotsGranted,
    TimedOut,
    TurnEnded,
    TurnStarted,
    Unmarked,
)
from irontide.fleet import Fleet
from irontide.frozen import FrozenDict
from irontide.grid import Grid, bits_of, numbers_of
from irontide.state import NO_USES, Hold, Marker, Outcome, State, Uses


def _created(state: State, event: MatchCreated) -> None:
    state.seats = event.seats
    state.index = {seat: number for number, seat in enumerate(event.seats)}
    state.grid = Grid(event.columns, event.rows)
    state.numbers = numbers_of(state.grid)
    state.bits = bits_of(state.grid)
    state.sea = state.grid.all.mask
    if event.islands:
        state.sea &= ~state.grid.cells(*event.islands).mask


def _placed(state: State, event: FleetPlaced) -> None:
    seat = state.index[event.seat]
    state.placed[seat] = True
    state.fleets[seat] = None if event.ships is None else Fleet(event.ships, state.bits)


def _begun(state: State, event: BattleStarted) -> None:
    state.turn = state.index[event.first]


def turn_started(state: State, event: TurnStarted) -> None:
    """Apply the start of a turn."""
    seat = state.turn = state.index[event.seat]
    state.turns[seat] += 1
    state.due = event.shots
    state.used = 0
    if state.extra:
        state.extra.pop(seat, None)


def turn_ended(state: State, _event: TurnEnded) -> None:
    """Apply the end of a turn."""
    state.due = 0
    state.quiet += 1


def _granted(state: State, event: ShotsGranted) -> None:
    if event.later:
        seat = state.index[event.seat]
        state.extra[seat] = state.extra.get(seat, 0) + event.amount
    else:
        state.due += event.amount


def shot_fired(state: State, event: ShotFired) -> None:
    """Apply a shot."""
    other, bit, told = 1 - state.index[event.by], state.bits[event.at], event.told
    before = state.shots[other]
    if not event.free:
        state.due -= 1
    if not event.again and before != (after := before | bit):
        state.shots[other] = after
        state.quiet = -1  # so that the end of this turn makes it 0
    if event.hit:
        state.hits[other] |= bit
    if told == "water":
        state.water[other] |= bit
    elif told == "hit":
        state.struck[other] |= bit


def ship_sunk(state: State, event: ShipSunk) -> None:
    """Apply a sinking."""
    seat = state.index[event.seat]
    state.sunk[seat] = (*state.sunk[seat], event.ship)
    if event.to is None:
        state.told_sunk[seat] = (*state.told_sunk[seat], event.ship)
        if event.cells:
            state.wrecks[seat] |= state.grid.cells(*event.cells).mask


def _reported(state: State, event: Reported) -> None:
    seat = state.index[event.by]
    state.reports[seat] = (*state.reports[seat], event)


def _shown(state: State, event: CellsRevealed) -> None:
    other = 1 - state.index[event.seat]
    state.water[other] |= state.grid.cells(*event.water).mask
    state.seen[other] |= state.grid.cells(*event.ships).mask


def _used(state: State, event: AbilityUsed) -> None:
    seat = state.index[event.seat]
    key = seat, event.ability
    turn = state.turns[seat]
    total, in_turn, last = state.uses.get(key, NO_USES)
    state.uses[key] = Uses(total + 1, in_turn + 1 if last == turn else 1, turn)
    state.used += 1


def _ability_off(state: State, event: AbilityDisabled) -> None:
    key = state.index[event.seat], event.ability
    state.off[key] = (*(reason for reason in state.off.get(key, ()) if reason != event.reason), event.reason)
    if event.ends is not None and event.by is not None:
        state.held[key, event.reason] = Hold(event.ends, event.by, event.by_seat)
    if event.to is None:
        state.told_off[key[0]] |= {(event.ability, event.reason)}


def _ability_on(state: State, event: AbilityEnabled) -> None:
    key = state.index[event.seat], event.ability
    rest = tuple(reason for reason in state.off.pop(key) if reason != event.reason)
    if rest:
        state.off[key] = rest
    state.held.pop((key, event.reason), None)
    state.told_off[key[0]] -= {(event.ability, event.reason)}


def _rule_off(state: State, event: RuleDisabled) -> None:
    state.off[-1, event.rule] = (event.reason,)


def _points(state: State, event: PointsGained | PointsSpent) -> None:
    state.points[state.index[event.seat]] = event.total


def _marked(state: State, event: Marked) -> None:
    on = state.grid.cells(*event.on) if isinstance(event.on, tuple) else event.on
    state.marks[event.id] = Marker(event.id, event.rule, event.seat, event.side, on, event.ends, event.data, event.to)


def _unmarked(state: State, event: Unmarked) -> None:
    del state.marks[event.id]


def _scanned(state: State, event: CellsScanned) -> None:
    user = state.index[event.by]
    state.scans[user] = (*state.scans[user], event)


def _forget(state: State, seat: int, mask: int) -> None:
    """Take back what the other seat was told of these cells of this seat's grid."""
    for known in (state.shots, state.water, state.struck, state.wrecks):
        known[seat] &= ~mask


def _forgotten(state: State, event: KnowledgeForgotten) -> None:
    _forget(state, 1 - state.index[event.seat], state.grid.cells(*event.cells).mask)


def _repaired(state: State, event: CellRepaired) -> None:
    seat, bit = state.index[event.seat], state.bits[event.at]
    state.hits[seat] &= ~bit
    _forget(state, seat, bit)


def _moved(state: State, event: ShipMoved) -> None:
    seat = state.index[event.seat]
    fleet = state.fleets[seat]
    if fleet is not None and event.ship is not None and event.cells is not None:
        state.fleets[seat] = Fleet(FrozenDict({**fleet.names, event.ship: event.cells}), state.bits)


def _data(state: State, event: DataSet) -> None:
    key = state.side(event.seat), event.rule, event.key
    if event.value is None:
        state.data.pop(key, None)
    else:
        state.data[key] = event.value


def _ended(state: State, event: MatchEnded) -> None:
    state.outcome = Outcome(event.winner, event.reason)
    state.turn = -1
    state.due = 0


def _revealed(state: State, event: FleetRevealed) -> None:
    seat = state.index[event.seat]
    known = state.fleets[seat]
    same = known is not None and known.ids == tuple(event.ships) and known.names == event.ships
    state.revealed[seat] = known if same else Fleet(event.ships, state.bits)


def _nothing(_state: State, _event: Event) -> None:
    pass


EVOLVE: dict[type[Event], Callable[[State, Any], None]] = {
    MatchCreated: _created,
    FleetPlaced: _placed,
    BattleStarted: _begun,
    TurnStarted: turn_started,
    TimedOut: _nothing,
    TurnEnded: turn_ended,
    ShotsGranted: _granted,
    ShotFired: shot_fired,
    Reported: _reported,
    CellsRevealed: _shown,
    ShipSunk: ship_sunk,
    AbilityUsed: _used,
    AbilityDisabled: _ability_off,
    AbilityEnabled: _ability_on,
    RuleDisabled: _rule_off,
    EffectReplaced: _nothing,
    CellsScanned: _scanned,
    KnowledgeForgotten: _forgotten,
    CellRepaired: _repaired,
    ShipMoved: _moved,
    PointsGained: _points,
    PointsSpent: _points,
    Marked: _marked,
    Unmarked: _unmarked,
    DataSet: _data,
    Noted: _nothing,
    MatchEnded: _ended,
    FleetRevealed: _revealed,
}


def fold(state: State, commits: Iterable[Iterable[Event]]) -> None:
    """Apply the events of these commits, in place; where one does not fit, `number` is that of the commit before."""
    step, number = EVOLVE, state.number
    try:
        for events in commits:
            for event in events:
                step[type(event)](state, event)
            number += 1
    finally:
        state.number = number
