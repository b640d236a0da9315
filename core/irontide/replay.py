"""Replay: does a log hold what its rules decide? `verify` decides every command again and compares."""

import enum
from itertools import zip_longest

import attrs

from irontide.commands import Command
from irontide.errors import PluginMissing, Refused
from irontide.events import AbilityDisabled, Event, RuleDisabled, Unmarked
from irontide.log import Commit
from irontide.match import Match
from irontide.registry import Registry, shared


class VerdictKind(enum.Enum):
    """What a verification found."""

    EXACT = "exact"
    UNVERIFIED = "unverified"
    """A plugin is absent or of another version, so the rules could not be asked."""
    DIVERGED = "diverged"


@attrs.frozen
class Verdict:
    """The result of a verification, and for one that diverged the first commit, event and field that differ."""

    kind: VerdictKind
    why: str = ""
    commit: int | None = None
    event: int | None = None
    field: str | None = None


def verify(text: str, registry: Registry | None = None) -> Verdict:
    """Return whether deciding every command of a log again gives the same events.

    Raises:
        LogError: the log cannot be read; with the line and the reason.

    """
    registry = registry or shared()
    logged = Match.loads(text, registry)
    for name, version in logged.header.plugins.items():
        here = registry.plugins.get(name)
        if here != version:
            found = "absent" if here is None else f"here in version {here}"
            return Verdict(VerdictKind.UNVERIFIED, f"plugin {name} {version} is {found}")
    match = logged.at(0, observed=False)
    if not match.as_drawn():
        return Verdict(VerdictKind.DIVERGED, "drawn again, the islands lie elsewhere", 0, 0, "islands")
    for commit in logged.commits:
        if commit.command is None and _switched_off(commit):
            match = logged.at(commit.number, observed=False)
            continue
        try:
            difference = _again(match, commit)
        except PluginMissing as error:
            return Verdict(VerdictKind.UNVERIFIED, str(error))
        if difference is not None:
            return difference
    return Verdict(VerdictKind.EXACT)


def _switched_off(commit: Commit) -> bool:
    """Tell whether nothing but a rule going off for a fault happened, as when its use is refused."""
    off: set[tuple[str | None, str]] = set()
    for event in commit.events:
        if isinstance(event, AbilityDisabled) and event.reason == "fault":
            off.add((event.seat, event.ability))
        elif isinstance(event, RuleDisabled) and event.reason == "fault":
            off.add((None, event.rule))
        elif not isinstance(event, Unmarked) or (event.seat, event.rule) not in off:
            return False
    return bool(off)


def _again(match: Match, logged: Commit) -> Verdict | None:
    """Decide one commit again, and compare."""
    if logged.command is None:
        return Verdict(VerdictKind.DIVERGED, "without a command something happened", logged.number)
    try:
        commit = match.submit(logged.command)
    except Refused as refused:
        return Verdict(VerdictKind.DIVERGED, f"the command is refused: {refused}", logged.number)
    return _compared(commit, logged)


def _compared(here: Commit, logged: Commit) -> Verdict | None:
    if here.command != logged.command:
        return Verdict(VerdictKind.DIVERGED, _differ("command", here.command, logged.command), logged.number)
    for place, (one, other) in enumerate(zip_longest(here.events, logged.events)):
        if one != other:
            return _difference(one, other, logged.number, place)
    return None


def _difference(here: Event | None, logged: Event | None, commit: int, place: int) -> Verdict:
    field = None
    if here is not None and logged is not None and type(here) is type(logged):
        names = [item.name for item in attrs.fields(type(here))]
        field = next(name for name in names if getattr(here, name) != getattr(logged, name))
    return Verdict(VerdictKind.DIVERGED, _differ("event", here, logged), commit, place, field)


def _differ(what: str, here: Event | Command | None, logged: Event | Command | None) -> str:
    return f"decided again, the {what} is {here!r}, in the log it is {logged!r}"
