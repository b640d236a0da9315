"""The pipeline: effects → replace → event → evolve → settle → react, in batches, until quiet (DESIGN: the way of a command).

Works on the state in place; whoever runs it folds the log again when it stops with `Broken`. It knows no command and no
turn: `resolve` does.
"""

from collections import deque
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from irontide.apply import APPLY, flaw
from irontide.context import Context
from irontide.effects import Cancelled, Effect, EndMatch, Shot, Sink
from irontide.events import AbilityDisabled, EffectReplaced, Event, FleetRevealed, ShotFired, Unmarked
from irontide.evolve import EVOLVE
from irontide.frozen import FrozenDict
from irontide.guard import Guard
from irontide.randomness import Random, Seed
from irontide.rulebook import Bound, Listener, Rulebook
from irontide.rules import Result
from irontide.state import Key, State

NOTHING = Result(cancelled=True)


class Queued(NamedTuple):
    """A batch that a reaction asked for: whose, what, the place of the event it answers, how long the chain is."""

    source: Bound
    effects: Sequence[Effect]
    cause: int
    depth: int


class Pipeline:
    """Carries out effects for one match, one command at a time."""

    __slots__ = ("_commit", "_depth", "_hurt", "_queue", "_randoms", "_sank", "_seed", "book", "events", "guard", "state")

    def __init__(self, book: Rulebook, state: State, seed: Seed) -> None:
        """Take the rules, the state to work on, and the seed of all chance."""
        self.book = book
        self.state = state
        self.guard = Guard(state, book.variant.limits.runs)
        self.events: list[Event] = []
        self._seed = seed
        self._queue: deque[Queued] = deque()
        self._randoms: dict[str, Random] = {}
        self._hurt = self._sank = False
        self._depth = 0
        self._commit = 0

    def begin(self) -> None:
        """Start on a new command."""
        self.events = []
        self._commit = self.state.number + 1
        self._hurt = self._sank = False
        if self._randoms:
            self._randoms.clear()
        if self.guard.counted or self._queue:
            self.guard.begin()
            self._queue.clear()

    def emit(self, event: Event) -> None:
        """Write an event down and let the state follow."""
        self.events.append(event)
        EVOLVE[type(event)](self.state, event)

    def context(self, bound: Bound, subject: int = -1) -> Context:
        """Return what a rule instance may read."""
        name = f"{bound.rule.id}@{bound.seat}"
        random = self._randoms.get(name)
        if random is None:
            random = self._randoms[name] = Random(self._seed, name, self._commit)
        return Context(self.state, self.book.grid, bound.seat, bound.rule.id, bound.ships, random, subject)

    def batch(self, effects: Iterable[Effect], source: Bound | None, cause: int | None) -> list[Result]:
        """Carry out effects as one batch, with what it brings about; its reactions are queued."""
        start = len(self.events)
        results = [self._carry(effect, source, cause) for effect in effects]
        self.settle(start)
        if source is not None and len(self.events) > self.book.variant.limits.events:
            self._over(source, f"more than {self.book.variant.limits.events} events in one command")
        return results

    def _carry(self, effect: Effect, source: Bound | None, cause: int | None) -> Result:
        if self.state.outcome is not None and not isinstance(effect, Shot):
            return NOTHING
        start = len(self.events)
        self.effect(effect, source, cause)
        events = self.events[start:]
        if not events:
            return NOTHING
        replaced = any(isinstance(event, EffectReplaced) for event in events)
        return Result(tuple(events), any(isinstance(event, ShotFired) and event.hit for event in events), replaced)

    def effect(
        self, effect: Effect, source: Bound | None, cause: int | None, done: frozenset[Key] = frozenset()
    ) -> None:
        """Carry out one effect: let rules replace it, then make it an event.

        The rules in `done` have replaced it, or what led to it, already; so this ends.
        """
        listeners = self.book.replaces.get(type(effect))
        if listeners is not None:
            self._replace(effect, listeners[max(self.state.turn, 0)], source, cause, done)
            return
        APPLY[type(effect)](self, effect, source, cause)

    def _replace(  # noqa: PLR0913 - an effect and where it stands
        self,
        effect: Effect,
        listeners: Sequence[Listener],
        source: Bound | None,
        cause: int | None,
        done: frozenset[Key],
    ) -> None:
        for listener in listeners:
            key = listener.bound.key
            if key in done or key in self.state.off:
                continue
            full = self._named(effect, source)
            answer = self.guard.call(listener, self.context(listener.bound), full)
            if answer is None or answer is full or answer == full:
                continue
            self._replaced(full, answer, listener, source, cause, done | {key})
            return
        APPLY[type(effect)](self, effect, source, cause)

    def _named(self, effect: Effect, source: Bound | None) -> Effect:
        """Return the effect with the acting seat filled in, for a rule to read."""
        if getattr(effect, "by", "") is None and source is not None and source.seat >= 0:
            return effect.but(by=self.state.seats[source.seat])
        return effect

    def _replaced(  # noqa: PLR0913 - where a replacement stands
        self,
        effect: Effect,
        answer: object,
        listener: Listener,
        source: Bound | None,
        cause: int | None,
        done: frozenset[Key],
    ) -> None:
        bound = listener.bound
        if isinstance(answer, Cancelled):
            place = len(self.events)
            seat = getattr(effect, "seat", None) or getattr(effect, "by", None)
            to = None if answer.public else ()
            self.emit(EffectReplaced(bound.rule.id, effect.what, seat, answer.reason, cause=cause, to=to))
            for follow in answer.then:
                self.check(follow, bound, listener.name)
                self.effect(follow, bound, place, done)
            return
        first, *rest = answer if isinstance(answer, (list, tuple)) and answer else (answer,)
        for each in (first, *rest):
            self.check(each, bound, listener.name)
        self.effect(first, source, cause, done)
        for follow in rest:
            self.effect(follow, bound, cause, done)

    def check(self, effect: object, bound: Bound, name: str) -> None:
        """Stop with `Broken` where a rule gives something that is no effect, or one that makes no sense."""
        wrong = flaw(self.book, self.state, bound, effect)
        if wrong:
            self.guard.broken(bound, name, wrong)

    def settle(self, start: int) -> None:
        """Let sink what is sunk, disable its abilities, see whether the match is over, then queue the reactions."""
        if self._hurt:
            self._hurt = False
            self._sinkings()
        if self._sank:
            self._sank = False
            self._disable_sunk()
            self._victory()
        if self.state.outcome is None and self.book.reacts:
            self._react(start)

    def hurt(self) -> None:
        """Note that a ship was hit in this batch."""
        self._hurt = True

    def sank(self) -> None:
        """Note that a ship sank in this batch."""
        self._sank = True

    def _sinkings(self) -> None:
        state = self.state
        for seat in (0, 1) if state.turn <= 0 else (1, 0):
            fleet = state.fleets[seat]
            if fleet is not None:
                for ship, mask in zip(fleet.ids, fleet.masks, strict=True):
                    if not mask & ~state.hits[seat] and ship not in state.sunk[seat]:
                        self.effect(Sink(state.seats[seat], ship), None, None)

    def _disable_sunk(self) -> None:
        """Disable the abilities of classes that are gone."""
        for seat in (0, 1):
            for id_, bound in self.book.abilities[seat].items():
                sunk = self.state.sunk[seat]
                if "sunk" not in self.state.off.get(bound.key, ()) and all(ship in sunk for ship in bound.ships):
                    ship = bound.ships[-1]
                    self.emit(AbilityDisabled(self.state.seats[seat], id_, ship, "sunk"))
                    self.source_off(bound)

    def source_off(self, bound: Bound) -> None:
        """Take away the markers that last as long as this rule instance is on."""
        seat = self.state.seats[bound.seat] if bound.seat >= 0 else None
        for mark in [*self.state.marks.values()]:
            if (mark.rule, mark.seat, mark.ends) == (bound.rule.id, seat, "source"):
                self.unmark(mark.id, None)

    def unmark(self, id_: str, cause: int | None) -> None:
        """Take a marker away; whoever was told of it is told."""
        mark = self.state.marks[id_]
        self.emit(Unmarked(id_, mark.rule, mark.seat, cause=cause, to=mark.to))

    def _victory(self) -> None:
        state = self.state
        gone = [fleet is not None and len(state.sunk[seat]) == len(fleet.ids) for seat, fleet in enumerate(state.fleets)]
        if all(gone):
            self.effect(EndMatch(None, "both_sunk"), None, None)
        elif any(gone):
            self.effect(EndMatch(state.seats[gone.index(False)], "all_sunk"), None, None)

    def reveal(self) -> None:
        """Show both fleets to everybody."""
        for seat, fleet in zip(self.state.seats, self.state.fleets, strict=True):
            self.emit(FleetRevealed(seat, fleet.names(self.book.grid) if fleet else FrozenDict()))

    def _react(self, start: int) -> None:
        reacts, mover = self.book.reacts, max(self.state.turn, 0)
        for place in range(start, len(self.events)):
            event = self.events[place]
            for listener in reacts.get(type(event), ((), ()))[mover]:
                if self._hears(listener.bound, event):
                    self._answer(listener, event, place)

    def _hears(self, bound: Bound, event: Event) -> bool:
        """Tell whether the rule instance is on; one that is off hears the end of its own markers and nothing else."""
        if bound.key not in self.state.off:
            return True
        own = self.state.seats[bound.seat] if bound.seat >= 0 else None
        ended = isinstance(event, Unmarked) and (event.rule, event.seat) == (bound.rule.id, own)
        return ended and "fault" not in self.state.off[bound.key]

    def _answer(self, listener: Listener, event: Event, place: int) -> None:
        bound, name, depth = listener.bound, listener.name, self._depth + 1
        self.guard.causes = self._causes(place)
        answer = self.guard.call(listener, self.context(bound), event)
        if answer is None:
            return
        given = self.guard.run(bound, name, lambda: _upto(answer, self.book.variant.limits.events), (event,))
        for item in given:
            effects = item if isinstance(item, (list, tuple)) else [item]
            for effect in effects:
                self.check(effect, bound, name)
            self._queue.append(Queued(bound, effects, place, depth))
        if given and depth > self.book.variant.limits.depth:
            self.guard.broken(bound, name, f"a chain of more than {self.book.variant.limits.depth} reactions", (event,))

    def _causes(self, place: int | None) -> tuple[str, ...]:
        found: list[str] = []
        while place is not None:
            found.append(self.events[place].type)
            place = self.events[place].cause
        return tuple(found)

    def drain(self) -> None:
        """Carry out the queued batches, and theirs, until it is quiet or the match is over."""
        while self._queue and self.state.outcome is None:
            source, effects, cause, self._depth = self._queue.popleft()
            ends = isinstance(self.events[cause], Unmarked)
            if source.key not in self.state.off or ends:
                self.batch(effects, source, cause)
        self._depth = 0

    def _over(self, source: Bound, reason: str) -> None:
        self.guard.broken(source, "effects", reason)


def _upto(answer: object, most: int) -> list[Any]:
    """Return what a reaction gives, as far as a command may have events."""
    if isinstance(answer, (str, bytes, dict)) or not isinstance(answer, Iterable):
        msg = f"returned {answer!r} instead of effects"
        raise TypeError(msg)
    given: list[Any] = []
    for item in answer:
        given.append(item)
        if len(given) > most:
            msg = f"gave more than {most} effects at once"
            raise RuntimeError(msg)
    return given

