"""Commands as a test writes them: records, their JSON form, or a line such as "ada: sonar C3"."""

import re
from collections.abc import Mapping
from typing import Any, TypeAlias, cast

from irontide.codec import command_from_json
from irontide.commands import Command, Fire, Resign, TimeOut, UseAbility
from irontide.errors import IrontideError
from irontide.match import Match
from irontide.registry import Registry
from irontide.targets import Lane

Given: TypeAlias = Command | Mapping[str, Any] | str
"""A command, its JSON form, or a line."""

CELL = re.compile(r"[A-Za-z][0-9]+")
LANES = ("right", "left", "up")

WORDS: dict[str, type[Resign] | type[TimeOut]] = {"resign": Resign, "time_out": TimeOut}


def command_of(given: Given, match: Match, registry: Registry) -> Command:
    """Return the command that is meant.

    A line is "SEAT: " (left out, the seat to move) and then cells to fire at, an ability and its target ("torpedo A5
    right", "broadside B2 across", "double_shot B2 down", "jam sonar", "repair cruiser", "relocate cruiser A1-A3"),
    "pass", "resign" or "time_out".

    Raises:
        IrontideError: a line without a seat before the battle.
        CommandError: data that is no command.

    """
    if isinstance(given, str):
        return _read(given, match, registry)
    return command_from_json(given) if isinstance(given, Mapping) else given


def _read(line: str, match: Match, registry: Registry) -> Command:
    said, _, rest = line.rpartition(":")
    seat = said.strip() or match.seat_to_move
    if seat is None:
        raise IrontideError(f"nobody is to move: name the seat, as in {match.seats[0] + ': ' + line!r}")
    first, *words = rest.split() or [""]
    if first in WORDS:
        return WORDS[first](seat)
    if first in {"", "pass"} or CELL.fullmatch(first):
        cells = [] if first == "pass" else rest.split()
        return Fire(seat, cells[0] if len(cells) == 1 else cells)
    return UseAbility(seat, first, _target(words, first, match, registry))


def _target(words: list[str], ability: str, match: Match, registry: Registry) -> Any:  # noqa: ANN401 - JSON data
    first, *more = words or [""]
    if all(CELL.fullmatch(word) for word in words):
        return first or None if len(words) < 2 else words  # noqa: PLR2004 - one cell is no list
    if CELL.fullmatch(first):
        class_ = registry.abilities.get(ability)
        lane = more[0] in LANES or isinstance(class_ and class_.target, Lane)
        return {"from": first, "direction": more[0]} if lane else {"at": first, "axis": more[0]}
    if any(first in class_.ships() for class_ in match.variant.fleet):
        place: dict[str, Any] = {"to": more[0] if len(more) == 1 else more} if more else {}
        return {"ship": first, **place}
    return {"ability": first}


def cells_of(given: object) -> tuple[str, ...]:
    """Return cells given as "B2 B3", or as a list of names."""
    return tuple(given.split()) if isinstance(given, str) else tuple(cast("list[str]", given))
