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
from irontide.frozen import FrozenDict, is_frozen, is_text, shown
from irontide.grid import is_cells
from irontide.rulebook import Bound, Rulebook
from irontide.state import Marker, State

MOST = 1_000_000_000
"""The largest amount or number of turns in an effect: sums of them stay numbers that can be written."""


class _Where(NamedTuple):
    """Where an effect was given: the rules, the seats' numbers by their names, and by whom."""

    book: Rulebook
    seats: Mapping[str, int]
    source: Bound


Check: TypeAlias = Callable[[_Where, Any], bool]

WANTED: dict[Check, str] = {}
"""What each check holds of, for whoever gave something else."""


def _wants(what: str) -> Callable[[Check], Check]:
    def keep(check: Check) -> Check:
        WANTED[check] = what
        return check

    return keep


@_wants("the name of a seat")
def _seat(where: _Where, value: object) -> bool:
    return is_text(value) and value in where.seats


@_wants("the name of a seat, or None")
def _maybe_seat(where: _Where, value: object) -> bool:
    return value is None or _seat(where, value)


@_wants("the name of a seat (a rule without a ship has to name it)")
def _acting(where: _Where, value: object) -> bool:
    """Tell whether it is a seat, or left out by a rule that has one (a rule without a ship must name it)."""
    return where.source.seat >= 0 if value is None else _seat(where, value)


@_wants("a cell of the grid")
def _cell(where: _Where, value: object) -> bool:
    return type(value) is int and 0 <= value < where.book.grid.size


@_wants('a CellSet of this grid, such as ctx.grid.cells("B4")')
def _cells(where: _Where, value: object) -> bool:
    return is_cells(value, where.book.grid)


@_wants("a CellSet of this grid, the id of a ship, or None")
def _on(where: _Where, value: object) -> bool:
    return value is None or _cells(where, value) or _ship(where, value)


@_wants("the id of a ship of this variant")
def _ship(where: _Where, value: object) -> bool:
    return is_text(value) and value in where.book.ships


@_wants("a CellSet of this grid that is not empty")
def _berth(where: _Where, value: object) -> bool:
    return _cells(where, value) and bool(value)


@_wants('a text other than "sunk" and "fault", or None')
def _cause(where: _Where, value: object) -> bool:
    """Tell whether it can be the reason of a passing disablement: not one of the core's own."""
    return _maybe_text(where, value) and value not in {"sunk", "fault"}


@_wants("the id of an ability of this variant")
def _ability(where: _Where, value: object) -> bool:
    return is_text(value) and value in where.book.abilities[0]


@_wants(f"an integer of 0 or more, at most {MOST}")
def _amount(_where: _Where, value: object) -> bool:
    return type(value) is int and 0 <= value <= MOST


@_wants("True or False")
def _flag(_where: _Where, value: object) -> bool:
    return type(value) is bool


@_wants("a text")
def _text(_where: _Where, value: object) -> bool:
    return is_text(value)


@_wants("a text, or None")
def _maybe_text(_where: _Where, value: object) -> bool:
    return value is None or is_text(value)


def _one_of(*words: str) -> Check:
    return _wants(f"one of {', '.join(map(repr, words))}")(lambda _where, value: is_text(value) and value in words)


@_wants('"source", "turn", "match", OwnTurn(n) or OtherTurns(n), with n of 1 or more')
def _until(_where: _Where, value: object) -> bool:
    if type(value) is OwnTurn or type(value) is OtherTurns:
        return type(value.n) is int and 1 <= value.n <= MOST
    return is_text(value) and value in ("source", "turn", "match")


@_wants("JSON data without floats")
def _json(_where: _Where, value: object) -> bool:
    return is_frozen(value)


@_wants("a mapping of JSON data without floats")
def _args(where: _Where, value: object) -> bool:
    return type(value) is FrozenDict and _json(where, value)


@_wants("the ids of ships with integers of 0 or more, or None")
def _tally(where: _Where, value: object) -> bool:
    if type(value) is not FrozenDict:
        return value is None
    return all(ship in where.book.ships and _amount(where, hits) for ship, hits in value.items())


@_wants("a marker of the rule itself")
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
        try:
            holds = check(where, value)
        except Exception:  # noqa: BLE001 - what was tampered with may not even be looked at
            holds = False
        if not holds:
            return f"gave {type(effect).__name__} with {name}={shown(value)}: expected {WANTED[check]}"
    return None


MISSING = object()
