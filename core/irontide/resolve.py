"""Resolve: from an accepted command to its events, and whose turn comes next.

One method for each command. Everything that happens goes through the pipeline; here stand only what a command sets off
and how turns follow each other (RULES: Classic, Salvo, Tactical).
"""

from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Any

from irontide.aiming import chosen, is_as_chosen, spot_of
from irontide.commands import Command, Fire, PlaceFleet, Resign, TimeOut, UseAbility
from irontide.effects import Activate, EndMatch, Shot, SpendPoints
from irontide.errors import Refusal
from irontide.events import (
    AbilityDisabled,
    AbilityUsed,
    BattleStarted,
    End,
    FleetPlaced,
    PointsSpent,
    RuleDisabled,
    ShipMoved,
    ShotFired,
    ShotsGranted,
    TimedOut,
    TurnEnded,
    TurnStarted,
)
from irontide.evolve import shot_fired
from irontide.fleet import NO_FLEET
from irontide.frozen import FrozenDict, maker, replica
from irontide.grid import CellSet
from irontide.guard import DONE, ask
from irontide.legality import allowed_cells, open_cells, price_of
from irontide.pipeline import LISTS, Pipeline, many
from irontide.placing import moved, placed, written_placement
from irontide.plain import PlainTurns, lasts_for_turns
from irontide.randomness import Seed
from irontide.rulebook import Berth, Bound, Rulebook
from irontide.state import Key, State
from irontide.targets import Spot


class Resolver(Pipeline):
    """Resolves the commands of one match."""

    __slots__ = (
        "_ended", "_first", "_forbidding", "_full", "_patience", "_shots_change", "_shots_heard",
        "_started", "_turns", "_uses_heard", "plain",
    )  # fmt: skip

    def __init__(self, book: Rulebook, state: State, seed: Seed, first: str) -> None:
        """Take what the pipeline takes, and who moves first."""
        super().__init__(book, state, seed)
        self._first = first
        self._patience = book.variant.limits.quiet_turns
        self._full = book.sea if book.no_repeat else -1
        """The shots on a grid when no more are possible."""
        self._started = [turn_started(seat) for seat in state.seats]
        self._forbidding = Fire in book.forbids
        self._shots_change = Shot in book.replaces or not book.no_repeat or book.answers or self.asks_audience
        self._shots_heard = self._shots_change or ShotFired in book.reacts
        self._uses_heard = SpendPoints in book.replaces or not book.reacts.keys().isdisjoint((PointsSpent, AbilityUsed))
        """Whether anything can follow on the price and the news of a use, before the ability acts."""
        self._ended = [turn_ended(seat) for seat in state.seats]
        turns = PlainTurns(book, state, self._ended, self._started) if book.plain else None
        self.plain = turns if book.bare else None
        """What carries out plain turns, where no rule has a part in anything else either."""
        self._turns = None if book.bare else turns
        """What carries them out where rules may answer to the next."""
        self._lasting = frozenset(map(id, (*self._started, *self._ended)))

    def resolve(self, command: Command) -> Command:
        """Carry out an accepted command; return it as the log writes it. `events` holds what happened.

        Raises:
            Broken: a rule went wrong; the state is half done and must be folded again.

        """
        self.events = []
        if self.guard.runs:
            self.guard.begin()
        if self.randoms:
            self.randoms.clear()
        return RESOLVE[type(command)](self, command)

    def turned(self, command: Fire) -> Command | None:
        """Carry out an accepted shot with its turn, and what rules answer to the next one; None if it is not plain.

        Raises:
            Broken: a rule went wrong; the state is half done and must be folded again.

        """
        plain = self._turns
        turn = None if plain is None or self.state.extra or lasts_for_turns(self.state) else plain.fire(command)
        if turn is None:
            return None
        self.guard.begin()
        if self.randoms:
            self.randoms.clear()
        self.events = [*turn]
        if not self.at_once(turn[-1]):
            self.quiet(len(turn) - 1)
        if self.state.outcome is None and self._done():
            self._pass_turn()
        return command

    def switch_off(self, broken: list[Key]) -> None:
        """Write down that these rule instances are off because they went wrong; all are told, whatever a rule says."""
        asks, self.asks_audience = self.asks_audience, False
        for bound in self.book.bounds:
            if bound.key in broken:
                id_ = bound.rule.id
                seat = self.state.seats[bound.seat] if bound.seat >= 0 else None
                off = RuleDisabled(id_, "fault") if seat is None else AbilityDisabled(seat, id_, None, "fault")
                self.emit(off)
                self.source_off(bound)
        self.asks_audience = asks

    def place(self, command: PlaceFleet) -> Command:
        """Place a fleet; when both stand, the battle begins. In the battle the ships that are placed anew move."""
        start, berths = len(self.events), placed(self.book, command)
        if self.state.turn >= 0:
            self._place_anew(command.seat, berths)
            return written_placement(command, berths)
        self.emit(FleetPlaced(command.seat, FrozenDict({ship: berth.names for ship, berth in berths.items()})))
        begins = all(self.state.placed)
        if begins:
            self.emit(BattleStarted(self._first))
        self.quiet(start)
        if begins and self.state.outcome is None:
            self._start_turn(self.state.index[self._first])
            if self.state.outcome is None and (self.state.due <= 0 or self.ending is not None):
                self._pass_turn()
        return written_placement(command, berths)

    def _place_anew(self, name: str, berths: Mapping[str, Berth]) -> None:
        start = len(self.events)
        for ship, berth in moved(self.state, self.state.index[name], berths).items():
            self.emit(ShipMoved(name, ship, berth.names))
        self.quiet(start)
        if self.state.outcome is None and self._done():
            self._pass_turn()

    def fire(self, command: Fire) -> Command:
        """Fire at these cells as one batch, or pass; the turn ends when no shot is left."""
        start = len(self.events)
        if self._shots_change:
            self._effective_shots(command)
        else:
            self._plain_shots(command.cells)
        if self._hurt or self._shots_heard:
            self.quiet(start)
        if not command.cells:
            self.ending = PASSED
        if self.state.outcome is None and self._done():
            self._pass_turn()
        return command

    def _effective_shots(self, command: Fire) -> None:
        """Shoot where rules may change a shot; one that they let come to nothing is spent all the same."""
        left = self.state.due - len(command.cells)
        for name in command.cells:
            self.effect(Shot(self.book.numbers[name], command.seat), None, None)
        if self.state.due != left and self.state.outcome is None:
            self.emit(ShotsGranted(command.seat, left - self.state.due, LOST))

    def written(self, command: Command) -> Command:
        """Return an accepted command with the cells to fire at as the engine writes them."""
        if not isinstance(command, Fire):
            return command
        return Fire(command.seat, [self.book.names[self.book.grid.cell(name)] for name in command.cells])

    def _plain_shots(self, names: tuple[str, ...]) -> None:
        """Shoot at open cells where no rule can change a shot: the events need no effects."""
        state, seat = self.state, self.state.turn
        by, ships = state.seats[seat], (state.fleets[1 - seat] or NO_FLEET).at
        for name in names:
            struck = ships.get(name)
            if struck is None:
                event = plain_shot(by, name, "water")
            else:
                harms = not state.hits[1 - seat] & state.bits[name]  # no second time where an answer was taken back
                event = plain_shot(by, name, "hit", None, harms, struck)
                if harms:
                    self._hurt.append((1 - seat, struck))
            self.events.append(event)
            shot_fired(state, event)

    def use(self, command: UseAbility) -> Command:
        """Pay, announce, and let the ability act unless a rule prevents it."""
        bound = self.book.abilities[self.state.index[command.seat]][command.ability]
        spot: Any = spot_of(bound, self.book.grid, command.target, self.guard)  # a Spot: the command is accepted
        start, state = len(self.events), self.state
        due = state.due
        price = price_of(self.book, state, bound, self.guard)
        self.effect(spend_points(command.seat, price), bound, None)
        to = None if bound.target.side == "other" else (command.seat,)
        self.emit(ability_used(command.seat, command.ability, spot.json, to))
        used = len(self.events) - 1
        if self._uses_heard:
            self.quiet(start)
        if state.outcome is None:
            self._activate(bound, spot, used)
        if state.outcome is None and (self._instead(bound, due) or self._done()):
            self._pass_turn()
        return use_ability(command.seat, command.ability, spot.json)

    def _instead(self, bound: Bound, due: int) -> bool:
        """Tell whether a use in the place of the shots that were due ends the turn: not if it granted others."""
        if not bound.terms.instead_of_shot:
            return False
        granted = self.state.due > due
        if granted:
            self.emit(ShotsGranted(self.state.seats[bound.seat], -due, INSTEAD))
        return not granted

    def _activate(self, bound: Bound, spot: Spot, used: int) -> None:
        start, seat, self.activated = len(self.events), self.state.seats[bound.seat], None
        self.effect(activate(seat, bound.rule.id, spot.json), bound, used)
        if len(self.events) > start:
            self.quiet(start)
        if self.activated is None or self.state.outcome is not None:
            return
        same = self.activated.target is spot.json
        aim = spot if same else spot_of(bound, self.book.grid, self.activated.target, self.guard)
        if not isinstance(aim, Refusal):
            self._act(bound, aim, used)

    def _act(self, bound: Bound, spot: Spot, used: int) -> None:
        """Run an ability's `use`: each yield is a batch, and gives its result back."""
        open_ = CellSet(open_cells(self.book, self.state, bound.seat))
        target = chosen(bound, spot if bound.named else replica(spot), CellSet(open_.mask), self.guard)
        ctx = self.context(bound)
        steps = self.guard.start(bound, ctx, target)
        answer: Any = None
        for _ in range(self.book.limits.events):
            if self.state.outcome is not None:
                break
            given = self.guard.step(bound, steps, answer)
            if given is DONE:
                break
            starts = self.batch(self.checked(many(given), bound, "use", spot.json), bound, used, "use")
            if type(given) in LISTS:
                answer = [self.result(start, end, starts[-1]) for start, end in pairwise(starts)]
            else:
                answer = self.result(starts[0], starts[1], starts[-1])
            if self._queue:
                self.drain()
        else:
            self.guard.broken(bound, "use", f"yielded more than {self.book.limits.events} times")
        if not is_as_chosen(target, bound, spot, open_, self.guard):
            self.guard.broken(bound, "use", "changed what it was handed")

    def resign(self, command: Resign) -> Command:
        """Let the other seat win."""
        state = self.state
        self.effect(EndMatch(state.seats[1 - state.index[command.seat]], "resigned"), None, None)
        return command

    def time_out(self, command: TimeOut) -> Command:
        """Tell that the time is up; what follows is for the rules of the variant."""
        start = len(self.events)
        self.emit(TimedOut(command.seat))
        self.quiet(start)
        if self.state.outcome is None and self._done():
            self._pass_turn()
        return command

    def _done(self) -> bool:
        """Tell whether the turn is to end: no shot is left, none can be fired, or something ends it."""
        return self.state.due <= 0 or self.ending is not None or self._stuck()

    def _stuck(self) -> bool:
        """Tell whether the seat to move could not fire at any cell."""
        state = self.state
        if self._forbidding:
            return not allowed_cells(self.book, state, state.turn, self.guard)
        return state.shots[1 - state.turn] == self._full

    def _pass_turn(self) -> None:
        """End the turn and start the next; one in which nobody could shoot passes at once."""
        state = self.state
        while True:
            seat = state.turn
            self._end_turn(seat)
            endless = state.quiet >= self._patience or len(self.events) > self.book.limits.events
            if endless and state.outcome is None:
                self.effect(EndMatch(None, "no_progress"), None, None)
                if state.outcome is None:
                    self.end(None, "no_progress", None)  # no rule can keep a match going for ever
            if state.outcome is not None:
                return
            self._start_turn(1 - seat)
            if state.outcome is not None or not self._done():
                return

    def _end_turn(self, seat: int) -> None:
        start = len(self.events)
        reason, self.ending, self.over = self.ending, None, True
        ended = self._ended[seat] if reason is None else TurnEnded(self.state.seats[seat], reason, self.state.due)
        self.emit(ended)
        timed = lasts_for_turns(self.state)
        if timed:
            self._expire("end", seat)
        if timed or TurnEnded in self.book.reacts:
            self.quiet(start)

    def _start_turn(self, seat: int) -> None:
        start, shots, self.over = len(self.events), 1, False
        if "shots" in self.book.adjusts:
            shots = ask(self.book.adjusts, "shots", self.guard, lambda bound: self.context(bound, seat), 1, seat)
        shots += self.state.extra.get(seat, 0)
        started = self._started[seat] if shots == 1 else TurnStarted(self.state.seats[seat], shots)
        self.emit(started)
        timed = lasts_for_turns(self.state)
        if timed:
            self._expire("start", seat)
        if timed or not self.at_once(started):
            self.quiet(start)

    def _expire(self, when: str, seat: int) -> None:
        state = self.state
        name, turn = state.seats[seat], state.turns[seat]

        def over(ends: End) -> bool:
            return isinstance(ends, tuple) and ends[:2] == (when, name) and ends[2] <= turn

        self.ends([mark.id for mark in state.marks.values() if over(mark.ends)])
        self.released([key for key, hold in state.held.items() if over(hold.ends)])


PASSED = "passed"
"""Why a turn ended in which a seat gave up its shots."""

LOST = "lost"
"""Why a seat has a shot less: a rule let it come to nothing."""

INSTEAD = "instead"
"""Why a seat has a shot less: it used an ability in its place."""

ability_used = maker(AbilityUsed)
turn_started, turn_ended = maker(TurnStarted), maker(TurnEnded)
plain_shot = maker(ShotFired)
activate = maker(Activate)
spend_points = maker(SpendPoints)
use_ability = maker(UseAbility)


RESOLVE: dict[type, Callable[[Resolver, Any], Command]] = {
    PlaceFleet: Resolver.place,
    Fire: Resolver.fire,
    UseAbility: Resolver.use,
    Resign: Resolver.resign,
    TimeOut: Resolver.time_out,
}
