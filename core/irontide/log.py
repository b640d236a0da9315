"""The log: JSON Lines, a header and then one line a commit, each with a hash chained to the line before.

A log is as secret as the fleets in it. Reading is strict: every fault is a `LogError` with the line and the reason.
"""

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeAlias, TypeVar, cast

import attrs

from irontide.codec import (
    COMMAND_SCANNERS,
    EVENT_SCANNERS,
    WRITERS,
    command_from_json,
    encode,
    event_from_data,
    scan_shot,
    structure,
)
from irontide.commands import Command
from irontide.errors import CodecError, CommandError, LogError
from irontide.events import EVENTS, Event, Names, ShotFired
from irontide.fitting import DOUBTFUL
from irontide.frozen import is_text, maker, shown
from irontide.randomness import Seed
from irontide.version import LOG_FORMAT

DIGITS = 32
"""Hexadecimal digits of a line's hash: 128 bits of SHA-256."""

T = TypeVar("T")

COMMIT_KEYS = {"commit", "command", "events"}

Upcast: TypeAlias = Callable[[dict[str, Any]], dict[str, Any]]
"""What lifts the data of an event of an earlier version to the next."""

TAIL = len(',"hash":""}') + DIGITS


@attrs.frozen(weakref_slot=False)
class Commit:
    """One accepted command with all its events. Without a command: the opening, or a rule switched off on its own."""

    number: int
    command: Command | None
    events: tuple[Event, ...]


make_commit = maker(Commit)


@attrs.frozen
class Header:
    """What a match was created with: the resolved variant as data, and the versions of the plugins that it uses."""

    engine: str
    seats: Names
    seed: Seed
    first: str
    variant: Mapping[str, Any]
    plugins: dict[str, str]


def hash_of(line: str) -> str:
    """Return the hash at the end of a line."""
    return line[-DIGITS - 2 : -2]


def _hash(before: str, body: str) -> str:
    """Return the hash of a line by the hash of the line before (or nothing) and the line's JSON object, still open."""
    return hashlib.sha256(f"{before}{body}}}".encode()).hexdigest()[:DIGITS]


def write_header(header: Header, events: Sequence[Event]) -> str:
    """Return the first line of a log."""
    head = encode({"format": LOG_FORMAT, **attrs.asdict(header, recurse=False)})
    body = f'{head[:-1]},"events":[{",".join([WRITERS[type(event)](event) for event in events])}]'
    return f'{body},"hash":"{_hash("", body)}"}}'


def write_commits(commits: Iterable[Commit], before: str) -> list[str]:
    """Return the lines of commits, each with its hash chained to the line before, the first to the one given."""
    digest, lines = hash_of(before), list[str]()
    for commit in commits:
        command = "null" if commit.command is None else WRITERS[type(commit.command)](commit.command)
        texts = [WRITERS[type(event)](event) for event in commit.events]
        body = f'{{"commit":{commit.number},"command":{command},"events":[{",".join(texts)}]'
        digest = _hash(digest, body)
        lines.append(f'{body},"hash":"{digest}"}}')
    return lines


VERSIONS = {event.type: event.version for event in EVENTS}


class Upcasters:
    """How to read events of earlier versions: for each type and version a step to the next one.

    Raises:
        CodecError: a step is missing, or leads beyond the code's version (checked when made).

    """

    def __init__(self, steps: Mapping[tuple[str, int], Upcast], versions: Mapping[str, int] | None = None) -> None:
        """Take the steps by event type and the version they start from; the versions default to the core's."""
        self._steps = dict(steps)
        self._versions = versions or VERSIONS
        ours = [type_ for type_, version in VERSIONS.items() if self._versions.get(type_, 1) == version]
        self.scanners = {type_: EVENT_SCANNERS[type_] for type_ in ours}
        """What reads the text of an event of the code's version."""
        for type_, latest in self._versions.items():
            for version in range(1, latest):
                if (type_, version) not in self._steps:
                    raise CodecError(f"no upcaster for {type_} from version {version} to {version + 1}")
        for type_, version in self._steps:
            if version >= self._versions.get(type_, 0):
                raise CodecError(f"an upcaster for {type_} from version {version}, which the code does not go beyond")

    def __call__(self, data: dict[str, Any]) -> dict[str, Any]:
        """Return the event's data in the form of the code's version.

        Raises:
            CodecError: it is newer than the code.

        """
        version = data.pop("v", 1)
        type_ = data.get("type")
        latest = self._versions.get(type_, 1) if isinstance(type_, str) else 1
        if type(version) is not int or version < 1:
            raise CodecError(f"v is the version of {type_!r}, an integer of 1 or more, not {version!r}")
        if version > latest:
            raise CodecError(f"version {version} of {type_!r} is newer than this code, which knows version {latest}")
        for step in range(version, latest):
            try:
                data = self._steps[str(type_), step](data)
            except Exception as error:
                raise CodecError(f"{type_!r} of version {step} cannot be read: {shown(error)}") from error
        return data


UPCASTERS = Upcasters({})


def _scan(scanners: Mapping[str, Callable[[str], T]], text: str) -> T:
    """Return the record of this text, from the value of its type on and without braces.

    Raises:
        LookupError: no scanner knows it.

    """
    found = scanners[text[1 : text.find('"', 1)]](text)
    if found is None:
        raise LookupError(text)
    return found


def _scan_nothing(_text: str, _start: int) -> None:
    """Know no text, where shots are of another version."""


class Log:
    """A log that was read: its header, the opening events, its commits, and the lines they were read from."""

    def __init__(self, text: str, upcast: Upcasters | None = None) -> None:
        """Read the text of a log; events of earlier versions with the core's upcasters if no others are given.

        Raises:
            LogError: it cannot be read; with the line and the reason.

        """
        if not is_text(text):
            raise LogError(1, f"a log is a text that can be written as UTF-8, not {shown(text)}")
        self.lines = text.removesuffix("\n").split("\n")
        if not text.strip():
            raise LogError(1, "the log is empty")
        self._upcast = upcast or UPCASTERS
        self._scan_shot = scan_shot if ShotFired.type in self._upcast.scanners else _scan_nothing
        self._known: dict[str, Event] = {}
        self._endings: dict[str, tuple[Event, ...]] = {}
        self.doubtful: list[tuple[int, Event]] = []
        """With their lines, the events of which the state takes something at its word; what comes again but once."""
        self.commits: list[Commit] = []
        self.hash = ""
        self.header, self.opening = self._header(self._data(1, self.lines[0]))
        for number, line in enumerate(self.lines[1:], 2):
            self.commits.append(self._scanned(number, line) or self._commit(number, line))

    def _scanned(self, number: int, line: str) -> Commit | None:
        """Return the commit of a line in the form in which most are written; what is off in any way is not known."""
        start, body = f'{{"commit":{number - 1},"command":{{"type":', line[:-TAIL]
        digest = _hash(self.hash, body)
        if line[-TAIL:] != f',"hash":"{digest}"}}' or not body.startswith(start):
            return None
        shot = self._scan_shot(body, len(start))
        try:
            if shot is not None:
                command, event, rest = shot
                events = (event, *(self._endings.get(rest) or self._ending(rest)))
            else:
                command, events = self._others(body[len(start) :])
        except LookupError:
            return None
        self.hash = digest
        return make_commit(number - 1, command, events)

    def _ending(self, text: str) -> tuple[Event, ...]:
        """Return the events after a shot, from the comma on."""
        found = self._endings[text] = self._scan_events(text[1:]) if text != "]" else ()
        return found

    def _others(self, text: str) -> tuple[Command, tuple[Event, ...]]:
        command, _, events = text.partition('},"events":[')
        return _scan(COMMAND_SCANNERS, command), self._scan_events(events)

    def _scan_events(self, text: str) -> tuple[Event, ...]:
        """Return the events of the text of a list, without its first bracket."""
        if not text.startswith('{"type":') or not text.endswith("}]"):
            raise LookupError(text)
        known = self._known  # what comes again, as a turn does, is not scanned again
        return tuple([known.get(each) or self._event(each) for each in text[8:-2].split('},{"type":')])

    def _event(self, text: str) -> Event:
        event: Event = _scan(self._upcast.scanners, text)
        self._known[text] = event
        if type(event) in DOUBTFUL:
            self.doubtful.append((len(self.commits) + 2, event))
        return event

    def _data(self, number: int, line: str) -> dict[str, Any]:
        try:
            data: object = json.loads(line)
        except (ValueError, RecursionError):
            raise LogError(number, "not JSON: the line was cut off or edited") from None
        if not isinstance(data, dict):
            raise LogError(number, "a line is a JSON object")
        found = cast("dict[str, Any]", data)
        digest = found.pop("hash", None)
        if digest != hash_of(line) or digest != _hash(self.hash, line[:-TAIL]):
            raise LogError(
                number, "the hash does not follow from the line before: edited, reordered or of another match"
            )
        self.hash = digest
        return found

    def _header(self, data: dict[str, Any]) -> tuple[Header, tuple[Event, ...]]:
        version = data.pop("format", None)
        if type(version) is not int or version < 1:
            raise LogError(1, "not a log of irontide: the first line has no format")
        if version > LOG_FORMAT:
            raise LogError(1, f"format {version} is newer than this code, which knows format {LOG_FORMAT}")
        events = self._events(1, data.pop("events", None))
        try:
            return structure(Header, data, "header"), events
        except CodecError as error:
            raise LogError(1, str(error)) from None

    def _commit(self, number: int, line: str) -> Commit:
        data = self._data(number, line)
        if data.keys() != COMMIT_KEYS:
            raise LogError(number, "a line has the keys commit, command, events and hash")
        place, given = data["commit"], data["command"]
        if place != number - 1 or type(place) is not int:
            raise LogError(number, f"expected commit {number - 1}, not {shown(place)}")
        events = self._events(number, data["events"])
        try:
            command = None if given is None else command_from_json(given)
        except CommandError as error:
            raise LogError(number, str(error)) from None
        return make_commit(place, command, events)

    def _events(self, number: int, data: object) -> tuple[Event, ...]:
        if not isinstance(data, list) or not all(type(event) is dict for event in cast("list[object]", data)):
            raise LogError(number, "events are a list of objects")
        found = cast("list[dict[str, Any]]", data)
        try:
            events = [event_from_data(self._upcast(event), f"events[{place}]") for place, event in enumerate(found)]
            self.doubtful += [(number, event) for event in events if number > 1 and type(event) in DOUBTFUL]
            return tuple(events)
        except CodecError as error:
            raise LogError(number, str(error)) from None


def text_of(lines: Iterable[str]) -> str:
    """Return the text of a log."""
    return "\n".join([*lines, ""])
