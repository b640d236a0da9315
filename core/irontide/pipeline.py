"""The pipeline: effects → replace → event → evolve → settle → react, in batches, until quiet.

Works on the state in place; whoever runs it folds the log again when it stops with `Broken`. It knows no command and no
turn: `resolve` does.
"""

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from irontide.apply import APPLY
from irontide.audience import addressed
from irontide.context import Context
from irontide.effects import Activate, Cancelled, Effect, EndMatch, Shot, Sink
from irontide.events import (
    AbilityDisabled,
    AbilityEnabled,
    Audience,
    EffectReplaced,
    Event,
    FleetRevealed,
    MatchEnded,
    ShipSunk,
    ShotFired,
    Unmarked,
)
from irontide.evolve import EVOLVE
from irontide.flaws import flaw
from irontide.frozen import FrozenDict, is_text, maker, replica, shown, unchanged
from irontide.grid import CellSet
from irontide.guard import Guard
from irontide.randomness import Random, Seed
from irontide.rulebook import Bound, Listener, Rulebook
from irontide.rules import Result
from irontide.sensing import sensed
from irontide.state import Key, State
from irontide.unread import unread, was_read

REDIRECTED = "redirected"
"""The reason of an effect that was aimed elsewhere, and still happened."""

unmarked = maker(Unmarked)
effect_replaced = maker(EffectReplaced)
sink = maker(Sink)
result_made = maker(Result)


class Queued(NamedTuple):
    """A batch that a reaction asked for: whose, what, the place of the event it answers, how long the chain is."""

    source: Bound
    effects: Sequence[Effect]
    cause: int
    depth: int
    handler: str
    last: bool
    """Whether it answers the end of the rule's own marker, which a rule that is off does too."""


class Answers(NamedTuple):
    """All answers to an event, in order, and whose they are."""

    keys: frozenset[Key]
    listeners: Sequence[Listener]
    batches: Sequence[tuple[Listener, Sequence[Effect]]]
    once: Mapping[int, int]
    """That each has run once, as `guard` counts."""


class Pipeline:
    """Carries out effects for one match, one command at a time."""

    __slots__ = (
        "_depth",
        "_heard",
        "_hurt",
        "_kept",
        "_lasting",
        "_queue",
        "_sank",
        "_seed",
        "_sure",
        "activated",
        "asks_audience",
        "book",
        "ending",
        "events",
        "guard",
        "over",
        "randoms",
        "state",
    )

    def __init__(self, book: Rulebook, state: State, seed: Seed) -> None:
        """Take the rules, the state to work on, and the seed of all chance."""
        self.book = book
        self.state = state
        self._heard = frozenset(book.reacts)
        self.guard = Guard(state, book.limits)
        self.asks_audience = "audience" in book.adjusts
        """Whether a rule has a say in who is told of an event."""
        self.events: list[Event] = []
        self._seed = seed
        self._queue: deque[Queued] = deque()
        self.randoms: dict[Key, Random] = {}
        self._hurt: list[tuple[int, str]] = []
        self._sank = False
        self._depth = 0
        self._lasting: frozenset[int] = frozenset()
        """The ids of events that are made once for the match, however often they happen."""
        self._kept: dict[tuple[int, int], Sequence[Sequence[Effect]]] = {}
        """What handlers answered to a lasting event, where it rests on nothing else."""
        self._sure: dict[int, Answers] = {}
        """All answers to a lasting event where all are kept."""
        self.activated: Activate | None = None
        """The ability that may act, as the rules left it."""
        self.ending: str | None = None
        """Why the turn is to end before its last shot, if it is."""
        self.over = False
        """Whether the turn has ended and the next has not begun."""

    def begin(self) -> None:
        """Start on a new command."""
        self.events = []
        self.randoms.clear()
        self.guard.begin()

    def emit(self, event: Event) -> None:
        """Write an event down and let the state follow."""
        if self.asks_audience:
            event = addressed(self, event)
        self.events.append(event)
        EVOLVE[type(event)](self.state, event)

    def context(self, bound: Bound, subject: int = -1, batch: Sequence[Event] = ()) -> Context:
        """Return what a rule instance may read, about this seat, its own or else the one to move."""
        seat = bound.seat
        if seat < 0:
            seat = subject if subject >= 0 else max(self.state.turn, 0)
        return Context(self.state, self.book.grid, bound.seat, bound.rule.id, bound.ships, self, seat, batch)

    def acting(self, by: str | None, source: Bound | None) -> int:
        """Return the seat that acts: the one named, else the source's, else the one whose turn it is."""
        if by is not None:
            return self.state.index[by]
        return source.seat if source is not None and source.seat >= 0 else max(self.state.turn, 0)

    def sensed(self, owner: int) -> CellSet:
        """Return the ship cells of this seat, not yet hit, that can be found."""
        return sensed(self, owner, "unhit").found

    def clearance(self, ship: CellSet) -> CellSet:
        """Return the cells around a ship that no other ship may use."""
        return CellSet(self.book.zone(ship.mask) & ~ship.mask & self.book.sea)

    def draws(self, rule: str, seat: int) -> Random:
        """Return the draws of a rule instance in the commit under way."""
        found = self.randoms.get((seat, rule))
        if found is None:
            found = self.randoms[seat, rule] = Random(self._seed, f"{rule}@{seat}", self.state.number + 1)
        return found

    def batch(self, effects: Iterable[Effect], source: Bound, cause: int, handler: str) -> list[int]:
        """Carry out effects as one batch, with what it brings about; its reactions are queued.

        Returns the place of the first event of each effect, and of the first one after them all.
        """
        events, limit = self.events, self.book.limits.events
        starts = [len(events)]
        for effect in effects:
            if self.state.outcome is None or isinstance(effect, Shot):
                self.effect(effect, source, cause)
            starts.append(len(events))
        self.settle(starts[0])
        if len(events) > limit:
            self.guard.broken(source, handler, f"more than {limit} events in one command")
        return starts

    def result(self, start: int, end: int, settled: int) -> Result:
        """Return what became of an effect, by the events it led to at once; its batch was settled from there on."""
        events, hit, replaced = tuple(self.events[start:end]), False, start == end
        struck: dict[str | None, str] = {}
        for event in events:
            if isinstance(event, ShotFired):
                struck[event.struck] = event.by
                hit = hit or event.told == "hit"
            elif isinstance(event, EffectReplaced):
                replaced = replaced or event.reason != REDIRECTED
        sinkings = [event for event in self.events[settled:] if isinstance(event, ShipSunk)] if struck else []
        sunk = tuple([event.ship for event in sinkings if event.ship in struck and heard(event, struck[event.ship])])
        return result_made(events, hit, replaced, sunk)

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

    def _replace(
        self,
        effect: Effect,
        listeners: Sequence[Listener],
        source: Bound | None,
        cause: int | None,
        done: frozenset[Key],
    ) -> None:
        full, guard, off = self._named(effect, source), self.guard, self.state.off
        for listener in listeners:
            bound = listener.bound
            if (done and bound.key in done) or (off and bound.key in off):
                continue
            guard.count(listener, full)
            answer = guard.call(listener, self.context(bound), full)
            if answer is None or unchanged(answer, full):
                continue
            self._replaced(full, answer, listener, source, cause, done | {bound.key})
            return
        APPLY[type(effect)](self, effect, source, cause)

    def _named(self, effect: Effect, source: Bound | None) -> Effect:
        """Return the effect with the acting seat filled in, for a rule to read."""
        if getattr(effect, "by", "") is None and source is not None and source.seat >= 0:
            return effect.but(by=self.state.seats[source.seat])
        return effect

    def _replaced(  # noqa: PLR0913, PLR0917 - where a replacement stands
        self,
        effect: Effect,
        answer: object,
        listener: Listener,
        source: Bound | None,
        cause: int | None,
        done: frozenset[Key],
    ) -> None:
        bound = listener.bound
        if type(answer) is Cancelled and self._sound(answer):
            place = len(self.events)
            seat = getattr(effect, "seat", None) or getattr(effect, "by", None)
            to = None if answer.public else ()
            self.emit(effect_replaced(bound.rule.id, effect.what, seat, answer.reason, cause, to))
            for follow in self.checked(answer.then, bound, listener.name, effect):
                self.effect(follow, bound, place, done)
            return
        given, most = many(answer), self.book.limits.events
        if len(given) > most:
            self.guard.broken(bound, listener.name, f"gave more than {most} effects at once", (effect,))
        effects = self.checked(given or [answer], bound, listener.name, effect)
        if _aim(effects[0]) != _aim(effect):
            seat = getattr(effect, "seat", None) or getattr(effect, "by", None)
            self.emit(effect_replaced(bound.rule.id, effect.what, seat, REDIRECTED, cause, ()))
        self.effect(effects[0], source, cause, done)
        for follow in effects[1:]:
            self.effect(follow, bound, cause, done)

    def _sound(self, answer: Cancelled) -> bool:
        try:
            return is_text(answer.reason) and type(answer.public) is bool and type(answer.then) is tuple
        except AttributeError:  # it was tampered with
            return False

    def checked(self, effects: Iterable[object], bound: Bound, name: str, about: object) -> list[Effect]:
        """Return effects that a rule gave when it was handed this, out of its reach.

        Raises:
            Broken: something of it is no effect, or one that makes no sense.

        """
        made: list[Effect] = []
        for effect in effects:
            wrong = flaw(self.book, self.state, bound, effect)
            if wrong:
                self.guard.broken(bound, name, wrong, (about,))
            sound: Any = replica(effect)
            made.append(sound)
        return made

    def settle(self, start: int) -> None:
        """Let sink what is sunk, disable its abilities, see whether the match is over, then queue the reactions."""
        if self._hurt:
            self._sinkings()
        if self._sank:
            self._sank = False
            self._disable_sunk()
            self._victory()
        if self.state.outcome is None and not self._heard.isdisjoint(map(type, self.events[start:])):
            self._react(start)

    def quiet(self, start: int) -> None:
        """Settle the batch that began at this event, and let the reactions run until it is quiet."""
        self.settle(start)
        if self._queue:
            self.drain()

    def hurt(self, seat: int, ship: str) -> None:
        """Note that a ship of this seat was hit in this batch."""
        self._hurt.append((seat, ship))

    def sank(self) -> None:
        """Note that a ship sank in this batch."""
        self._sank = True

    def _sinkings(self) -> None:
        """Sink the ships that were hit in every cell: those of the seat to move first, each side's in fleet order."""
        state = self.state
        fleets, hits = state.fleets, state.hits
        doomed = [hit for hit in self._hurt if (fleet := fleets[hit[0]]) and not fleet.cells[hit[1]] & ~hits[hit[0]]]
        self._hurt.clear()
        if len(doomed) > 1:
            order = [*self.book.ships]
            doomed = sorted(set(doomed), key=lambda hit: (hit[0] != max(state.turn, 0), order.index(hit[1])))
        for seat, ship in doomed:
            self.effect(sink(state.seats[seat], ship), None, None)

    def _disable_sunk(self) -> None:
        """Disable the abilities of classes that are gone."""
        off = self.state.off
        for seat in self._mover_first():
            sunk, told = self.state.sunk[seat], self.state.told_sunk[seat]
            gone = {*sunk}
            for id_, bound in self.book.abilities[seat].items():
                if gone.issuperset(bound.ships) and "sunk" not in off.get(bound.key, ()):
                    ship = max(bound.ships, key=sunk.index)
                    name = self.state.seats[seat]
                    to = None if {*told}.issuperset(bound.ships) else (name,)
                    self.emit(AbilityDisabled(name, id_, ship, "sunk", to=to))
                    self.source_off(bound, to)

    def named(self, source: Bound | None) -> tuple[str, str | None]:
        """Return a source's rule id and the name of its seat, as events write them."""
        seat = -1 if source is None else source.seat
        return "" if source is None else source.rule.id, self.state.seats[seat] if seat >= 0 else None

    def source_off(self, bound: Bound, to: Audience = None) -> None:
        """Take away what lasts as long as this rule instance is on: markers, and abilities that it holds off.

        Of the markers at most `to` is told.
        """
        mine = (*self.named(bound), "source")
        self.ends([mark.id for mark in self.state.marks.values() if (mark.rule, mark.seat, mark.ends) == mine], to)
        self.released([key for key, hold in self.state.held.items() if (hold.rule, hold.seat, hold.ends) == mine])

    def ends(self, marks: Iterable[str], to: Audience = None) -> None:
        """Take these markers away; at most `to` is told."""
        for id_ in marks:
            self.unmark(id_, None, to)

    def released(self, held: Iterable[tuple[Key, str]]) -> None:
        """Let abilities no longer be off for these reasons."""
        for (seat, ability), reason in held:
            self.emit(AbilityEnabled(self.state.seats[seat], ability, None, reason))

    def unmark(self, id_: str, cause: int | None, to: Audience = None) -> None:
        """Take a marker away; of those whom `to` allows, whoever was told of it is told."""
        mark = self.state.marks[id_]
        heard = mark.to if to is None else to if mark.to is None else tuple(seat for seat in mark.to if seat in to)
        self.emit(unmarked(id_, mark.rule, mark.seat, cause, heard))

    def _victory(self) -> None:
        state, whole = self.state, len(self.book.ships)
        gone = [seat for seat in (0, 1) if len(state.sunk[seat]) == whole]
        if len(gone) == 1:
            self.effect(EndMatch(state.seats[1 - gone[0]], "all_sunk"), None, None)
        elif gone:
            self.effect(EndMatch(None, "both_sunk"), None, None)

    def end(self, winner: str | None, reason: str, cause: int | None) -> None:
        """End the match, and show both fleets to everybody."""
        state, order = self.state, self._mover_first()
        self.emit(MatchEnded(winner, reason, cause=cause))
        for seat in order:
            fleet = state.fleets[seat]
            self.emit(FleetRevealed(state.seats[seat], fleet.names if fleet is not None else FrozenDict()))

    def _mover_first(self) -> tuple[int, int]:
        """Return the seats in the order in which they come everywhere."""
        return (1, 0) if self.state.turn == 1 else (0, 1)

    def _react(self, start: int) -> None:
        reacts, off = self.book.reacts, self.state.off
        for place, event in enumerate(self.events[start:], start):
            listeners = reacts[type(event)][max(self.state.turn, 0)] if type(event) in reacts else ()
            for listener in listeners:
                if not off or self._hears(listener.bound, event):
                    self._answer(listener, event, place, start)
            if id(event) in self._lasting and all((id(listener), id(event)) in self._kept for listener in listeners):
                batches = [(each, effects) for each in listeners for effects in self._kept[id(each), id(event)]]
                keys = frozenset(each.bound.key for each in listeners)
                self._sure[id(event)] = Answers(keys, listeners, batches, {id(each): 1 for each in listeners})

    def _hears(self, bound: Bound, event: Event) -> bool:
        """Tell whether the rule instance is on; one that is off hears the end of its own markers and nothing else."""
        if bound.key not in self.state.off:
            return True
        return self._own_end(bound, event) and "fault" not in self.state.off[bound.key]

    def _own_end(self, bound: Bound, event: Event) -> bool:
        own = self.state.seats[bound.seat] if bound.seat >= 0 else None
        return isinstance(event, Unmarked) and (event.rule, event.seat) == (bound.rule.id, own)

    def _answer(self, listener: Listener, event: Event, place: int, start: int) -> None:
        bound, name, depth = listener.bound, listener.name, self._depth + 1
        self.guard.trail = self.events, place
        self.guard.count(listener, event)
        batches = self._kept.get((id(listener), id(event)))
        if batches is None:
            batches = self._asked(listener, event, start)
        if not batches:
            return
        last = type(event) is Unmarked and self._own_end(bound, event)
        for effects in batches:
            self._queue.append(Queued(bound, effects, place, depth, name, last))
        if depth > self.book.limits.depth:
            self.guard.broken(bound, name, f"a chain of more than {self.book.limits.depth} reactions", (event,))

    def _asked(self, listener: Listener, event: Event, start: int) -> Sequence[Sequence[Effect]]:
        """Return the batches that a handler answers to an event; kept if both event and answer can only be the same."""
        bound, name = listener.bound, listener.name
        ctx = unread(self.context(bound, batch=self.events[start:]))
        answer = self.guard.call(listener, ctx, event)
        answer = () if answer is None else answer
        if type(answer) not in LISTS:
            self.guard.broken(bound, name, f"returned {shown(answer)} instead of effects", (event,))
        batches = tuple([self.checked(many(each), bound, name, event) for each in answer])
        if id(event) in self._lasting and not was_read(ctx):
            self._kept[id(listener), id(event)] = batches
        return batches

    def at_once(self, event: Event) -> bool:
        """Carry out what is kept of all answers to the event that just happened; tell whether all of them are."""
        known, state = self._sure.get(id(event)), self.state
        if known is None or (state.off and not known.keys.isdisjoint(state.off)):
            return False
        place = len(self.events) - 1
        self.guard.trail, self._depth = (self.events, place), 1
        if self.guard.runs:
            for listener in known.listeners:
                self.guard.count(listener, event)
        else:
            self.guard.runs.update(known.once)  # no limit is below 1
        for listener, effects in known.batches:
            if state.outcome is None and listener.bound.key not in state.off:
                self.batch(effects, listener.bound, place, listener.name)
        self._depth = 0
        if self._queue:
            self.drain()
        return True

    def drain(self) -> None:
        """Carry out the queued batches, and theirs, until it is quiet or the match is over."""
        while self._queue and self.state.outcome is None:
            source, effects, cause, self._depth, handler, last = self._queue.popleft()
            if last or source.key not in self.state.off:
                self.batch(effects, source, cause, handler)
        self._depth = 0


def heard(event: Event, seat: str) -> bool:
    """Tell whether a seat is told of an event."""
    return event.to is None or seat in event.to


def _aim(effect: Effect) -> tuple[object, ...]:
    """Return what an effect does to what: where that changes, the effect was redirected."""
    return type(effect), getattr(effect, "cell", None), getattr(effect, "target", None)


LISTS = (list, tuple)
"""What several effects are given in: nothing derived of them, which may count or iterate as it likes."""


def many(given: Any) -> list[Any]:  # noqa: ANN401 - a rule may give anything
    """Return what a rule gave as a list: it may be one effect, or several for one batch."""
    return [*given] if type(given) in LISTS else [given]
