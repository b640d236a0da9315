"""The log: JSON Lines, a header and then one line a commit, each with a hash chained to the line before.

A log is as secret as the fleets in it. Reading is strict: every fault is a `LogError` with the line and the reason.
"""

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, cast

import attrs

from irontide.codec import command_from_json, command_to_data, event_from_data, event_to_log, structure
from irontide.commands import Command
from irontide.errors import CodecError, CommandError, LogError
from irontide.events import EVENTS, Event, Names
from irontide.frozen import shown
from irontide.randomness import Seed
from irontide.version import LOG_FORMAT

Upcaster = Callable[[dict[str, Any]], dict[str, Any]]

DIGITS = 32
"""Hexadecimal digits of a line's hash: 128 bits of SHA-256."""

TAIL = len(',"hash":""}') + DIGITS


@attrs.frozen(weakref_slot=False)
class Commit:
    """One accepted command with all its events. Without a command: the opening, or a rule switched off on its own."""

    number: int
    command: Command | None
    events: tuple[Event, ...]


@attrs.frozen
class Header:
    """What a match was created with: the resolved variant as data, and the versions of the plugins that it uses."""

    engine: str
    seats: Names
    seed: Seed
    first: str
    variant: Mapping[str, Any]
    plugins: dict[str, str]


_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def _line(data: Mapping[str, Any], before: str) -> tuple[str, str]:
    """Return the line of this data and its hash."""
    body = _encode(data)
    digest = _hash(before, body)
    return f'{body[:-1]},"hash":"{digest}"}}', digest


def _hash(before: str, body: str) -> str:
    return hashlib.sha256(f"{before}{body}".encode()).hexdigest()[:DIGITS]


def _event(event: Event) -> dict[str, Any]:
    data = event_to_log(event)
    return data if event.version == 1 else {**data, "v": event.version}


def write_header(header: Header, events: Sequence[Event]) -> tuple[str, str]:
    """Return the first line of a log and its hash."""
    data = {"format": LOG_FORMAT, **attrs.asdict(header, recurse=False), "events": [_event(event) for event in events]}
    return _line(data, "")


def write_commit(commit: Commit, before: str) -> tuple[str, str]:
    """Return the line of a commit and its hash, chained to the hash of the line before."""
    command = None if commit.command is None else command_to_data(commit.command)
    data = {"commit": commit.number, "command": command, "events": [_event(event) for event in commit.events]}
    return _line(data, before)


class Upcasters:
    """How to read events of earlier versions: for each type and version a step to the next one.

    Raises:
        CodecError: a step is missing, or leads beyond the code's version (checked when made).

    """

    def __init__(self, steps: Mapping[tuple[str, int], Upcaster], versions: Mapping[str, int] | None = None) -> None:
        """Take the steps by event type and the version they start from; the versions default to the core's."""
        self._steps = dict(steps)
        self._versions = versions or {event.type: event.version for event in EVENTS}
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


class Log:
    """A log that was read: its header, the opening events, its commits, and the lines they were read from."""

    def __init__(self, text: str, upcast: Upcasters | None = None) -> None:
        """Read the text of a log; events of earlier versions with the core's upcasters if no others are given.

        Raises:
            LogError: it cannot be read; with the line and the reason.

        """
        self.lines = text.removesuffix("\n").split("\n")
        if not text.strip():
            raise LogError(1, "the log is empty")
        self._upcast = upcast or UPCASTERS
        self.commits: list[Commit] = []
        self.hash = ""
        self.header, self.opening = self._header(self._data(1, self.lines[0]))
        for number in range(2, len(self.lines) + 1):
            self.commits.append(self._commit(number, self._data(number, self.lines[number - 1])))

    def _data(self, number: int, line: str) -> dict[str, Any]:
        try:
            data: object = json.loads(line)
        except ValueError:
            raise LogError(number, "not JSON: the line was cut off or edited") from None
        if not isinstance(data, dict):
            raise LogError(number, "a line is a JSON object")
        found = cast("dict[str, Any]", data)
        digest = found.pop("hash", None)
        if digest != line[-DIGITS - 2 : -2] or digest != _hash(self.hash, line[:-TAIL] + "}"):
            raise LogError(
                number, "the hash does not follow from the line before: edited, reordered or of another match"
            )
        self.hash = digest
        return found

    def _header(self, data: dict[str, Any]) -> tuple[Header, list[Event]]:
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

    def _commit(self, number: int, data: dict[str, Any]) -> Commit:
        if set(data) != {"commit", "command", "events"}:
            raise LogError(number, "a line has the keys commit, command, events and hash")
        if data["commit"] != number - 1 or type(data["commit"]) is not int:
            raise LogError(number, f"expected commit {number - 1}, not {data['commit']!r}")
        events = tuple(self._events(number, data["events"]))
        try:
            command = None if data["command"] is None else command_from_json(data["command"])
        except CommandError as error:
            raise LogError(number, str(error)) from None
        return Commit(number - 1, command, events)

    def _events(self, number: int, data: object) -> list[Event]:
        if not isinstance(data, list) or not all(isinstance(event, dict) for event in cast("list[object]", data)):
            raise LogError(number, "events are a list of objects")
        found = cast("list[dict[str, Any]]", data)
        try:
            return [event_from_data(self._upcast(event), f"events[{place}]") for place, event in enumerate(found)]
        except CodecError as error:
            raise LogError(number, str(error)) from None


def text_of(lines: Iterable[str]) -> str:
    """Return the text of a log."""
    return "".join(f"{line}\n" for line in lines)
