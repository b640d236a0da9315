"""Flaws: whether what a rule gives is an effect that makes sense in this match, field by field.

An effect that passes can be carried out, written to a log and read back; one that does not is the rule's fault. Nothing
that changes in a match is asked: what is sound once stays so.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, TypeAlias

from irontide.effects import (
    Activate,
    Disable,
    EndMatch,
    EndTurn,
    Forget,
    GainPoints,
    GrantShots,
    Mark,
    Move,
    Note,
    OtherTurns,
    OwnTurn,
    Repair,
    Report,
    Reveal,
    Scan,
    SetData,
    Shot,
    Sink,
    SpendPoints,
    Unmark,
)
from irontide.frozen import FrozenDict, freeze, is_text, shown, unchanged
from irontide.grid import CellSet
from irontide.rulebook import Bound, Rulebook
from irontide.state import Marker, State


class _Where(NamedTuple):
    """Where an effect was given: the rules, the seats' numbers by their names, and by whom."""

    book: Rulebook
    seats: Mapping[str, int]
    source: Bound


Check: TypeAlias = Callable[[_Where, Any], bool]


def _seat(where: _Where, value: object) -> bool:
    return is_text(value) and value in where.seats


def _maybe_seat(where: _Where, value: object) -> bool:
    return value is None or _seat(where, value)


def _acting(where: _Where, value: object) -> bool:
    """Tell whether it is a seat, or left out by a rule that has one (a rule without a ship must name it)."""
    return where.source.seat >= 0 if value is None else _seat(where, value)


def _cell(where: _Where, value: object) -> bool:
    return type(value) is int and 0 <= value < where.book.grid.size


def _cells(where: _Where, value: object) -> bool:
    return type(value) is CellSet and 0 <= value.mask <= where.book.grid.all.mask


def _on(where: _Where, value: object) -> bool:
    return value is None or _cells(where, value) or _ship(where, value)


def _ship(where: _Where, value: object) -> bool:
    return is_text(value) and value in where.book.ships


def _berth(where: _Where, value: object) -> bool:
    return _cells(where, value) and bool(value)


def _cause(where: _Where, value: object) -> bool:
    """Tell whether it can be the reason of a passing disablement: not one of the core's own."""
    return _maybe_text(where, value) and value not in {"sunk", "fault"}


def _ability(where: _Where, value: object) -> bool:
    return is_text(value) and value in where.book.abilities[0]


def _amount(_where: _Where, value: object) -> bool:
    return type(value) is int and value >= 0


def _flag(_where: _Where, value: object) -> bool:
    return type(value) is bool


def _text(_where: _Where, value: object) -> bool:
    return is_text(value)


def _maybe_text(_where: _Where, value: object) -> bool:
    return value is None or is_text(value)


def _one_of(*words: str) -> Check:
    return lambda _where, value: is_text(value) and value in words


def _until(_where: _Where, value: object) -> bool:
    if type(value) is OwnTurn or type(value) is OtherTurns:
        return type(value.n) is int and value.n >= 1
    return is_text(value) and value in ("source", "turn", "match")


def _json(_where: _Where, value: object) -> bool:
    return value is None or unchanged(freeze(value), value)


def _args(where: _Where, value: object) -> bool:
    return type(value) is FrozenDict and _json(where, value)


def _tally(where: _Where, value: object) -> bool:
    if type(value) is not FrozenDict:
        return value is None
    return all(ship in where.book.ships and _amount(where, hits) for ship, hits in value.items())


def _own_marker(where: _Where, value: object) -> bool:
    return type(value) is Marker and is_text(value.id) and value.rule == where.source.rule.id


CHECKS: Mapping[type, Mapping[str, Check]] = {
    Shot: {"cell": _cell, "by": _acting, "harm": _flag, "answer": _maybe_text, "again": _flag},
    Scan: {
        "area": _cells,
        "tell": _one_of("cells", "count", "any", "ships", "distance"),
        "of": _one_of("unhit", "afloat", "any"),
        "by": _acting,
    },
    Report: {"cells": _cells, "hits": _amount, "ships": _tally, "by": _acting},
    Reveal: {"to": _seat, "cells": _cells},
    Activate: {"seat": _seat, "ability": _text, "target": _json},
    Sink: {"seat": _seat, "ship": _ship, "shown": _flag},
    Forget: {"seat": _seat, "cells": _cells},
    Repair: {"seat": _seat, "ship": _ship},
    Move: {"seat": _seat, "ship": _ship, "to": _berth},
    Disable: {"seat": _seat, "ability": _ability, "until": _until, "reason": _cause},
    GainPoints: {"seat": _seat, "amount": _amount, "reason": _maybe_text},
    SpendPoints: {"seat": _seat, "amount": _amount, "reason": _maybe_text},
    GrantShots: {"seat": _seat, "amount": _amount},
    EndTurn: {"seat": _seat, "reason": _text},
    Mark: {"on": _on, "side": _maybe_seat, "until": _until, "public": _flag, "data": _json},
    Unmark: {"marker": _own_marker},
    SetData: {"key": _text, "value": _json, "public": _flag},
    Note: {"key": _text, "to": _maybe_seat, "args": _args},
    EndMatch: {"winner": _maybe_seat, "reason": _text},
}


def flaw(book: Rulebook, state: State, source: Bound, effect: object) -> str | None:
    """Return what is wrong with something that a rule gave, or None if it is an effect that makes sense."""
    checks = CHECKS.get(type(effect))
    if checks is None:
        return f"gave {shown(effect)} instead of an effect"
    where = _Where(book, state.index, source)
    for name, check in checks.items():
        value = getattr(effect, name, MISSING)
        if not _holds(check, where, value):
            return f"gave {type(effect).__name__} with {name}={shown(value)}, which makes no sense here"
    return None


MISSING = object()


def _holds(check: Check, where: _Where, value: object) -> bool:
    try:
        return check(where, value)
    except Exception:  # noqa: BLE001 - what was tampered with may not even be looked at
        return False
