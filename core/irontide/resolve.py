"""Resolve: from an accepted command to its events, and whose turn comes next.

One method for each command. Everything that happens goes through the pipeline; here stand only what a command sets off
and how turns follow each other (RULES: Classic, Salvo, Tactical).
"""

from collections.abc import Callable, Generator
from functools import partial
from typing import Any, cast

from irontide.commands import Command, Fire, PlaceFleet, Resign, UseAbility
from irontide.context import Context
from irontide.effects import Activate, Effect, EndMatch, Shot, SpendPoints
from irontide.events import (
    AbilityDisabled,
    AbilityUsed,
    BattleStarted,
    EffectReplaced,
    FleetPlaced,
    RuleDisabled,
    TurnEnded,
    TurnStarted,
)
from irontide.fleet import Fleet, Placement, read_placement
from irontide.frozen import maker
from irontide.grid import CellSet
from irontide.guard import ask
from irontide.legality import open_cells, price_of, shots_due
from irontide.pipeline import Pipeline
from irontide.randomness import Seed
from irontide.rulebook import Bound, Rulebook
from irontide.rules import Effects
from irontide.state import Key, State
from irontide.targets import Spot

shot_at = maker(Shot)


class Resolver(Pipeline):
    """Resolves the commands of one match."""

    __slots__ = ("_ended", "_first", "_started")

    def __init__(self, book: Rulebook, state: State, seed: Seed, first: str) -> None:
        """Take what the pipeline takes, and who moves first."""
        super().__init__(book, state, seed)
        self._first = first
        self._started = {(seat, 1): TurnStarted(seat, 1) for seat in state.seats}
        self._ended = [TurnEnded(seat) for seat in state.seats]

    def resolve(self, command: Command, *, going: bool = False) -> Command:
        """Carry out an accepted command; return it as the log writes it. `events` holds what happened.

        With `going` the commit was begun already, with rules that were switched off.

        Raises:
            Broken: a rule went wrong; the state is half done and must be folded again.

        """
        if not going:
            self.begin()
        done = RESOLVE[type(command)](self, command)
        self.state.number += 1
        return done

    def switch_off(self, broken: list[Key]) -> None:
        """Write down that these rule instances are off because they went wrong."""
        for bound in self.book.bounds:
            if bound.key in broken:
                id_ = bound.rule.id
                seat = self.state.seats[bound.seat] if bound.seat >= 0 else None
                off = RuleDisabled(id_, "fault") if seat is None else AbilityDisabled(seat, id_, None, "fault")
                self.emit(off)
                self.source_off(bound)

    def place(self, command: PlaceFleet) -> Command:
        """Place a fleet; when both stand, the battle begins."""
        start, grid = len(self.events), self.book.grid
        read = {ship: read_placement(grid, command.ships[ship]) for ship in self.book.ships}
        ships = {ship: cast("CellSet", cells) for ship, cells in read.items()}
        begun = all(self.state.placed)
        self.emit(FleetPlaced(command.seat, Fleet(ships).names(grid)))
        begins = all(self.state.placed) and not begun
        if begins:
            self.emit(BattleStarted(self._first))
        self.settle(start)
        self.drain()
        if begins and self.state.outcome is None:
            self._start_turn(self.state.index[self._first])
        return PlaceFleet(command.seat, {ship: Placement.of(grid, cells) for ship, cells in ships.items()})

    def fire(self, command: Fire) -> Command:
        """Fire all shots of the turn as one batch."""
        numbers, seat = self.book.numbers, command.seat
        start = len(self.events)
        try:
            cells = [numbers[name] for name in command.cells]
        except KeyError:
            cells = [self.book.grid.cell(name) for name in command.cells]
            command = Fire(seat, [self.book.names[cell] for cell in cells])
        for cell in cells:
            self.effect(shot_at(cell, seat), None, None)
        self.settle(start)
        if self._queue:
            self.drain()
        if self.state.outcome is None:
            if not cells:
                self._pass_turn()
            else:
                self._go_on()
        return command

    def use(self, command: UseAbility) -> Command:
        """Pay, announce, and let the ability act unless a rule prevents it."""
        bound = self.book.abilities[self.state.index[command.seat]][command.ability]
        spot = cast("Spot", bound.target.read(self.book.grid, command.target))
        start, state = len(self.events), self.state
        price = price_of(self.book, state, bound, self.guard)
        self.effect(SpendPoints(command.seat, price), bound, None)
        to = None if bound.target.side == "other" else (command.seat,)
        self.emit(AbilityUsed(command.seat, command.ability, spot.json, to))
        used = len(self.events) - 1
        self.settle(start)
        self.drain()
        if state.outcome is None and bound.key not in state.off:
            self._activate(bound, spot, used)
        if state.outcome is None:
            if bound.terms.instead_of_shot:
                self._pass_turn()
            else:
                self._go_on()
        return UseAbility(command.seat, command.ability, spot.json)

    def _activate(self, bound: Bound, spot: Spot, used: int) -> None:
        start, seat = len(self.events), self.state.seats[bound.seat]
        self.effect(Activate(seat, bound.rule.id, spot.json), bound, used)
        cancelled = any(isinstance(e, EffectReplaced) and e.what == "activate" for e in self.events[start:])
        self.settle(start)
        self.drain()
        if not cancelled and self.state.outcome is None:
            self._act(bound, spot, used)

    def _act(self, bound: Bound, spot: Spot, used: int) -> None:
        """Run an ability's `use`: each yield is a batch, and gives its result back."""
        target = bound.target.chosen(spot, CellSet(open_cells(self.book, self.state, bound.seat)))
        ctx = self.context(bound)
        steps = self.guard.run(bound, "use", lambda: _steps(bound, ctx, target))
        answer: Any = None
        while self.state.outcome is None:
            given = self.guard.run(bound, "use", partial(_next, steps, answer))
            if given is _DONE:
                return
            many = isinstance(given, (list, tuple))
            effects = cast("list[Effect]", given if many else [given])
            for effect in effects:
                self.check(effect, bound, "use")
            results = self.batch(effects, bound, used)
            self.drain()
            answer = results if many else results[0]

    def resign(self, command: Resign) -> Command:
        """Let the other seat win."""
        state = self.state
        self.effect(EndMatch(state.seats[1 - state.index[command.seat]], "resigned"), None, None)
        return command

    def _go_on(self) -> None:
        """Pass the turn if no shot of it is left, or none is possible."""
        if self.state.due <= 0 or not open_cells(self.book, self.state, self.state.turn):
            self._pass_turn()

    def _pass_turn(self) -> None:
        state, limit = self.state, self.book.variant.limits.quiet_turns
        while True:
            seat = state.turn
            start = len(self.events)
            self.emit(self._ended[seat])
            if state.marks:
                self._expire("end", seat)
            if self.book.reacts:
                self.settle(start)
                self.drain()
            if state.outcome is not None:
                return
            if state.quiet >= limit:
                self.effect(EndMatch(None, "no_progress"), None, None)
                return
            self._start_turn(1 - seat)
            if state.outcome is not None or shots_due(self.book, state, state.turn):
                return

    def _start_turn(self, seat: int) -> None:
        name, start = self.state.seats[seat], len(self.events)
        shots = 1
        if "shots" in self.book.adjusts:
            shots = ask(self.book.adjusts, "shots", self.guard, lambda bound: self.context(bound, seat), 1, int)
        event = self._started.get((name, shots))
        if event is None:
            event = self._started[name, shots] = TurnStarted(name, shots)
        self.emit(event)
        if self.state.marks:
            self._expire("start", seat)
        if self.book.reacts:
            self.settle(start)
            self.drain()

    def _expire(self, when: str, seat: int) -> None:
        name, turn = self.state.seats[seat], self.state.turns[seat]
        for mark in [*self.state.marks.values()]:
            ends = mark.ends
            if isinstance(ends, tuple) and ends[:2] == (when, name) and cast("int", ends[2]) <= turn:
                self.unmark(mark.id, None)


_DONE = object()


def _steps(bound: Bound, ctx: Context, target: object) -> Effects:
    steps = bound.ability.use(ctx, target)
    if not isinstance(steps, Generator):  # pyright: ignore[reportUnnecessaryIsInstance] - an author may forget to yield
        msg = f"use returned {steps!r} instead of yielding effects"
        raise TypeError(msg)
    return steps


def _next(steps: Effects, answer: Any) -> object:  # noqa: ANN401 - what the last yield gives back
    try:
        return steps.send(answer)
    except StopIteration:
        return _DONE


RESOLVE: dict[type, Callable[[Resolver, Any], Command]] = {
    PlaceFleet: Resolver.place,
    Fire: Resolver.fire,
    UseAbility: Resolver.use,
    Resign: Resolver.resign,
}
