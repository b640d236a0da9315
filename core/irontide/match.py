"""The match: what an embedder holds. Commands go in, commits come out; nothing but `submit` changes a match."""

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar, cast, overload

from irontide.codec import event_to_told
from irontide.commands import Command, Fire, UseAbility
from irontide.counting import sample_fleet
from irontide.errors import (
    CommandError,
    IrontideError,
    LogError,
    PluginFault,
    PluginMissing,
    Refusal,
    Refused,
)
from irontide.events import MatchCreated, Names
from irontide.evolve import EVOLVE, fold
from irontide.faults import Broken, Fault
from irontide.files import read_text, write_text
from irontide.fleet import Placement
from irontide.frozen import replica, shown
from irontide.given import as_expected, checked_number, checked_observers, checked_seats, checked_seed
from irontide.grid import CellSet, Grid
from irontide.guard import Guard
from irontide.legality import CHECKS, OK, check_of
from irontide.log import Commit, Header, Log, make_commit, text_of, write_commits, write_header
from irontide.options import Options, options_of
from irontide.randomness import Random, Seed
from irontide.recall import islands_in, recall
from irontide.registry import Registry, shared
from irontide.resolve import RESOLVE, Resolver
from irontide.rulebook import Rulebook
from irontide.sea import islands_of, on_islands
from irontide.state import Key, Outcome, State
from irontide.streams import Stream
from irontide.variant import Variant
from irontide.version import __version__
from irontide.view import SpectatorView, View, view_of

if TYPE_CHECKING:
    from pathlib import Path

T = TypeVar("T")

Observer = Callable[..., Any]


class Match:
    """One match between two seats. Make one with `new`, or read one with `loads` or `load`."""

    def __init__(
        self, header: Header, variant: Variant, registry: Registry, book: Rulebook | None, islands: Names
    ) -> None:
        """Not for hosts: use `new`, `loads` or `load`."""
        self._faults: list[Fault] = []
        self._header = header
        self._variant = variant
        self._registry = registry
        self._islands = islands
        self._book = None if book is None else on_islands(book, islands)
        self._strict, self._heard = False, True
        self._observers: list[tuple[str, Observer]] = []
        self._commits: list[Commit] = []
        self._lines: list[str] = []
        self._streams: dict[str | None, Stream] = {}
        self._restart()

    @classmethod
    def new(  # noqa: PLR0913 - what a match is created with
        cls,
        variant: "Variant | str",
        *,
        seats: Sequence[str],
        seed: Seed | None = None,
        first: str | None = None,
        registry: Registry | None = None,
        observers: Iterable[str] = (),
        strict: bool = False,
    ) -> "Match":
        """Create a match.

        Args:
            variant: a variant, or the id of one in the registry.
            seats: the names of the two seats; the first moves first unless `first` says otherwise.
            seed: of all chance in the match; drawn from the system if None.
            first: the seat that moves first.
            registry: where abilities and rules come from; the default one if None.
            observers: names of plugins that see each commit, beside those that the variant uses.
            strict: raise `PluginFault` where a plugin goes wrong, instead of switching it off.

        Raises:
            VariantError: the variant cannot be built; with every problem.
            UnknownName: there is no variant of this id.
            IrontideError: the seats or the seed are unusable.

        """
        registry = registry or shared()
        made = variant if isinstance(variant, Variant) else registry.variant(variant)
        book = registry.book(made)
        (names, starts), drawn = checked_seats(seats, first), checked_seed(seed)
        versions = registry.plugins
        plugins = {name: versions[name] for name in book.plugins}
        header = Header(__version__, names, drawn, starts, book.data, plugins)
        match = cls(header, made, registry, book, islands_of(book, drawn))
        match._host(observers, strict=strict)
        return match

    def _host(self, observers: Iterable[str], *, strict: bool) -> None:
        self._strict = strict
        self._observers = self._registry.observers(
            (*(self._book.plugins if self._book else ()), *checked_observers(observers))
        )

    def _restart(self) -> None:
        """Fold the log anew into the state, and work on from there."""
        header, variant = self._header, self._variant
        grid = variant.grid
        opening = MatchCreated(header.seats, variant.id, header.first, grid.columns, grid.rows, self._islands)
        self._opening = Commit(0, None, (opening,))
        state = State()
        EVOLVE[MatchCreated](state, opening)
        fold(state, [commit.events for commit in self._commits])
        resolver = None if self._book is None else Resolver(self._book, state, header.seed, header.first)
        self._folded: State | None = state
        self._resolver = resolver
        """Carries out commands; None without the rules, while it is at work, and where a command was broken off."""

    @property
    def _state(self) -> State:
        state = self._folded
        if state is None:
            self._restart()
            state = cast("State", self._folded)
        return state

    # What a host reads.

    @property
    def variant(self) -> Variant:
        """The rules of the match."""
        return self._variant

    @property
    def header(self) -> Header:
        """What the match was created with; a secret of the host."""
        return self._header

    @property
    def islands(self) -> Names:
        """The names of the cells that do not exist."""
        return self._islands

    @property
    def grid(self) -> Grid:
        """The grid of both sides."""
        return self._variant.grid

    @property
    def seats(self) -> tuple[str, ...]:
        """The names of both seats."""
        return self._state.seats

    @property
    def seed(self) -> Seed:
        """The seed of all chance in the match; a secret of the host."""
        return self._header.seed

    @property
    def number(self) -> int:
        """The number of the last commit; 0 before the first."""
        return self._state.number

    @property
    def commits(self) -> tuple[Commit, ...]:
        """All commits with their true events, for the host."""
        return tuple(self._commits)

    @property
    def state(self) -> State:
        """A copy of the true state, for the host."""
        return self._state.copy().apart()

    @property
    def seat_to_move(self) -> str | None:
        """Whose turn it is; None before both fleets stand and after the end."""
        turn = self._state.turn
        return self._state.seats[turn] if turn >= 0 else None

    @property
    def outcome(self) -> Outcome | None:
        """How the match ended; None while it goes on."""
        return self._state.outcome

    @property
    def faults(self) -> list[Fault]:
        """What went wrong in plugins, for the host, since this match was made, read or taken from another."""
        return [*self._faults]

    def as_drawn(self) -> bool:
        """Tell whether the islands are those that the rules and the seed give; without the rules, yes."""
        book = self._book
        return book is None or self._islands == islands_of(self._registry.book(self._variant), self._header.seed)

    # Commands.

    def submit(self, command: Command, expect: int | None = None) -> Commit:
        """Carry out a command as one commit, or nothing of it.

        Args:
            command: what a seat wants.
            expect: refuse (`stale`) if the match has gone on since this commit.

        Raises:
            Refused: the command is not accepted; with every reason.
            CommandError: it is no command.
            PluginMissing: the match was read without the plugins that its variant uses.
            PluginFault: in strict mode, a plugin went wrong.
            IrontideError: it is called by a rule that is at work on this match.

        """
        resolver = self._resolver or self._ready()
        state, plain = resolver.state, resolver.plain
        if expect is not None:
            as_expected(expect, state.number)
        try:
            events = plain.fire(command) if plain and type(command) is Fire else None
            if events is None:
                commit = self._carried_out(resolver, CHECKS.get(type(command)) or check_of(command), command)
            else:
                state.number += 1
                commit = make_commit(state.number, command, events)
                self._commits.append(commit)
        except (Refused, CommandError):
            raise
        except BaseException:
            self._folded = self._resolver = None  # half done: folded anew at the next use
            raise
        if self._observers:
            self._observe(commit)
        return commit

    def _ready(self) -> Resolver:
        if self._folded is None:
            self._restart()
        if self._resolver is not None:
            return self._resolver
        if self._book is not None:
            raise IrontideError("the match is at work on another command or question: no rule may submit or ask")
        here, needed = self._registry.plugins, self._header.plugins
        absent = [name for name in needed if name not in here] or needed
        needs = ", ".join(f"{name} {needed[name]}" for name in absent)
        raise PluginMissing(f"the match can be looked at, but to go on it needs the plugins {needs}")

    def _carried_out(self, resolver: Resolver, check: Callable[..., Sequence[Refusal]], command: Command) -> Commit:
        """Carry out a command in which rules may have a part, and meanwhile no other."""
        self._resolver = None
        try:
            written = resolver.turned(command) if type(command) is Fire else None
            if written is None:
                refusals = check(resolver.book, resolver.state, command, resolver.guard)
                if refusals:
                    self._resolver = resolver
                    raise Refused(refusals)
                written = resolver.resolve(command if refusals is OK else resolver.written(command))
            commit = self._committed(resolver, written)
        except Broken as broken:
            return self._without(broken, command)
        self._resolver = resolver
        return commit

    def _without(self, broken: Broken, command: Command) -> Commit:
        """Resolve the command again from the start, without the rule that went wrong, and whichever else does."""
        off: dict[Key, Fault] = {}
        used = (self._state.index.get(command.seat, -1), command.ability) if isinstance(command, UseAbility) else None
        while True:
            self._restart()
            resolver, self._resolver = self._ready(), None
            self._report(broken.fault)
            off[broken.key] = broken.fault
            resolver.begin()
            resolver.switch_off([*off])
            try:
                refusals = check_of(command)(resolver.book, self._state, command, resolver.guard)
                if used is not None and used in off:
                    refusals = [each for each in refusals if each.args.get("reason") != "fault"]  # what held before
                    if not refusals:
                        self._give_up(resolver, off[used])
                if refusals:
                    self._restart()
                    raise Refused(refusals)
                commit = self._committed(resolver, RESOLVE[type(command)](resolver, resolver.written(command)))
            except Broken as again:
                broken = again
            else:
                self._resolver = resolver
                return commit

    def _give_up(self, resolver: Resolver, fault: Fault) -> NoReturn:
        """Refuse the use of an ability that went wrong, and write down that it is off."""
        commit, self._resolver = self._committed(resolver, None), resolver
        if self._observers:
            self._observe(commit)
        raise Refused([Refusal("plugin_error", {"plugin": fault.plugin})])

    def _committed(self, resolver: Resolver, command: Command | None) -> Commit:
        """Write down what was resolved."""
        resolver.state.number += 1
        commit = make_commit(resolver.state.number, command, tuple(resolver.events))
        self._commits.append(commit)
        return commit

    def _report(self, fault: Fault) -> None:
        if fault not in self._faults:
            self._faults.append(fault)
            if self._heard:
                self._registry.report(fault)
        if self._strict:
            raise PluginFault(fault)

    def _observe(self, commit: Commit) -> None:
        for name, hook in self._observers:
            try:
                hook(commit=replica(commit))
            except Exception as error:  # noqa: BLE001 - whatever a plugin raises is its fault, not the match's
                self._report(Fault(name, "", None, "irontide_observe", f"raised {shown(error)}", commit.number))

    def refusals(self, command: Command) -> tuple[Refusal, ...]:
        """Return every reason against a command that its seat can know, without submitting it."""
        return tuple(self._ask(check_of(command), command))

    def options(self, seat: str) -> Options:
        """Return what a seat may do now, worked out from what it knows.

        Raises:
            IrontideError: there is no such seat.

        """
        return self._ask(options_of, self._seat(seat))

    def _ask(self, question: Callable[[Rulebook, State, Any, Guard], T], about: object) -> T:
        """Return the answer to a question that changes nothing; a rule that goes wrong is left out and reported."""
        resolver = self._ready()
        state, self._resolver = resolver.state, None
        try:
            while True:
                try:
                    return question(resolver.book, state, about, Guard(state, resolver.book.limits))
                except Broken as broken:
                    self._report(broken.fault)
                    state = state.copy()
                    state.off[broken.key] = ("fault",)
        finally:
            self._resolver = resolver

    def _seat(self, seat: str) -> int:
        index = self._state.index
        if not isinstance(seat, str) or seat not in index:  # pyright: ignore[reportUnnecessaryIsInstance] - what a host hands in
            raise IrontideError(f"no seat {shown(seat)} in this match, whose seats are {', '.join(index)}")
        return index[seat]

    def random_placement(self, seat: str, n: int = 0) -> dict[str, Placement]:
        """Return a random legal fleet for a seat: a pure function of seed, seat and `n`.

        Uniform over all legal fleets for Classic's; in crowded fleets each legal one can come.

        Raises:
            IrontideError: there is no such seat, or `n` is no integer.

        """
        self._seat(seat)
        book = self._ready().book
        draws = Random(self._header.seed, f"placement:{seat}", checked_number("n", n))
        masks = sample_fleet(book.berths(), draws.below) or []  # one exists, or the variant would not have been built
        flat = [mask for class_ in masks for mask in class_]
        return {ship: Placement.of(book.grid, CellSet(mask)) for ship, mask in zip(book.ships, flat, strict=True)}

    # What a seat may know.

    @overload
    def view(self, seat: str) -> View: ...

    @overload
    def view(self, seat: None) -> SpectatorView: ...

    def view(self, seat: str | None) -> "View | SpectatorView":
        """Return what a seat, or (None) a spectator, may know: the fold of what it was told."""
        return view_of(self._variant, seat, self._stream(seat).state.copy())

    def told(self, seat: str | None, since: int = 0) -> list[dict[str, Any]]:
        """Return the events that a seat, or (None) a spectator, was told after number `since`, as JSON data."""
        events = self._stream(seat).events
        start = max(checked_number("since", since), 0)
        return [{"n": n, **event_to_told(event)} for n, event in enumerate(events[start:], start + 1)]

    def _stream(self, seat: str | None) -> Stream:
        if seat is not None:
            self._seat(seat)
        stream = self._streams.get(seat)
        if stream is None:
            stream = self._streams[seat] = Stream(self._state.seats, seat)
        return stream.follow(self._opening, self._commits)

    # Logs.

    def lines(self, since: int = 0) -> list[str]:
        """Return the log's lines from that commit on, the header being line 0: for a store that appends."""
        start = max(checked_number("since", since), 0)
        if not self._lines:
            self._lines.append(write_header(self._header, self._opening.events))
        self._lines += write_commits(self._commits[len(self._lines) - 1 :], self._lines[-1])
        return self._lines[start:]

    def dumps(self) -> str:
        """Return the whole log as text. It is as secret as the fleets in it."""
        return text_of(self.lines())

    def save(self, path: "Path | str") -> None:
        """Write the log to a file; a file that is there is replaced only by the whole of the new one."""
        write_text(path, self.dumps())

    @classmethod
    def loads(
        cls, text: str, registry: Registry | None = None, *, observers: Iterable[str] = (), strict: bool = False
    ) -> "Match":
        """Return the match of a log, as it stood. No rule is asked; without its plugins it can be looked at only.

        Raises:
            LogError: the log cannot be read; with the line and the reason.

        """
        log = Log(text)
        registry = registry or shared()
        variant, book = recall(log, registry)
        match = cls(log.header, variant, registry, book, islands_in(log, variant))
        if match._opening.events != log.opening:
            raise LogError(1, "the opening events do not fit the header")
        match._commits = log.commits
        match._lines = [*log.lines]
        match._fold_log()
        match._host(observers, strict=strict)
        return match

    def _fold_log(self) -> None:
        try:
            fold(self._state, [commit.events for commit in self._commits])
        except (LookupError, ValueError) as error:
            raise LogError(self._state.number + 2, f"an event does not fit the match: {error!r}") from None

    @classmethod
    def load(
        cls,
        path: "Path | str",
        registry: Registry | None = None,
        *,
        observers: Iterable[str] = (),
        strict: bool = False,
    ) -> "Match":
        """Return the match of a log file, as `loads` does.

        Raises:
            LogError: the log cannot be read.
            OSError: the file cannot be read.

        """
        return cls.loads(read_text(path), registry, observers=observers, strict=strict)

    def fork(self) -> "Match":
        """Return an independent match that stands where this one does, to look ahead: no plugin hears of it."""
        return self.at(self.number, observed=False)

    def at(self, number: int, *, observed: bool = True) -> "Match":
        """Return the match as it stood after that commit, to look at or to go on from.

        Args:
            number: of the commit, 0 for the start.
            observed: whether plugins hear of what follows: those that observe this match, and of faults all.

        Raises:
            IrontideError: there is no such commit.

        """
        if type(number) is not int or not 0 <= number <= len(self._commits):
            raise IrontideError(f"no commit {shown(number)}: they go from 0 to {len(self._commits)}")
        match = Match(self._header, self._variant, self._registry, self._book, self._islands)
        match._commits = self._commits[:number]
        match._strict, match._observers = self._strict, self._observers if observed else []
        match._heard = observed and self._heard
        match._restart()
        return match
