"""JSON forms of everything public that holds data: commands, events, views and options."""

from collections.abc import Callable, Mapping
from typing import Any

import attrs

from irontide.codec import command_to_data, event_to_json, event_to_told
from irontide.commands import COMMANDS
from irontide.errors import Refusal
from irontide.events import Event
from irontide.frozen import thaw
from irontide.grid import CellSet, Grid
from irontide.log import Commit
from irontide.options import Options
from irontide.state import Marker, Outcome
from irontide.variant import Variant
from irontide.view import AbilityView, OwnSide, ShipView, SpectatorView, TargetSide, View


def to_json(thing: object) -> Any:  # noqa: ANN401 - JSON data
    """Return the JSON form of a command, event, commit, refusal, variant, view or options: plain, fresh data.

    Raises:
        TypeError: it has none.

    """
    for kinds, form in FORMS:
        if isinstance(thing, kinds):
            return form(thing)
    raise TypeError(f"{type(thing).__name__} has no JSON form")


def _commit(commit: Commit) -> dict[str, Any]:
    command = None if commit.command is None else command_to_data(commit.command)
    return {"commit": commit.number, "command": command, "events": [event_to_json(event) for event in commit.events]}


def _refusal(refusal: Refusal) -> dict[str, Any]:
    return {"code": refusal.code, "args": thaw(refusal.args)}


def _options(options: Options) -> dict[str, Any]:
    abilities = {
        id_: {
            "price": option.price,
            "targets": list(option.targets),
            "refusal": None if option.refusal is None else _refusal(option.refusal),
            "left": option.left,
            "wait": option.wait,
        }
        for id_, option in options.abilities.items()
    }
    fire = {
        "cells": list(options.grid.list(options.fire.cells)),
        "count": options.fire.count,
        "may_pass": options.fire.may_pass,
    }
    return {"seat": options.seat, "fire": fire, "abilities": abilities}


def _view(view: "View | SpectatorView") -> dict[str, Any]:
    common = {
        "variant": view.variant.id,
        "seats": list(view.seats),
        "grid": {"columns": view.grid.columns, "rows": view.grid.rows},
        "islands": _cells(view.grid.all - view.sea, view.grid),
        "placed": list(view.placed),
        "seat_to_move": view.seat_to_move,
        "turns": dict(view.turns),
        "outcome": None if view.outcome is None else _outcome(view.outcome),
        "markers": [_marker(mark, view.grid) for mark in view.markers],
    }
    if isinstance(view, SpectatorView):
        sides = {seat: _target(side, view.grid) for seat, side in view.sides.items()}
        abilities = {seat: _abilities(found) for seat, found in view.abilities.items()}
        return {**common, "seat": None, "sides": sides, "points": dict(view.points), "abilities": abilities}
    return {
        **common,
        "seat": view.seat,
        "opponent": view.opponent,
        "own": _own(view.own, view.grid),
        "target": _target(view.target, view.grid),
        "points": view.points,
        "opponent_points": view.opponent_points,
        "shots_due": view.shots_due,
        "abilities": _abilities(view.abilities),
        "opponent_abilities": _abilities(view.opponent_abilities),
    }


def _outcome(outcome: Outcome) -> dict[str, Any]:
    return {"winner": outcome.winner, "reason": outcome.reason}


def _cells(cells: CellSet, grid: Grid) -> list[str]:
    return list(grid.list(cells))


def _own(side: OwnSide, grid: Grid) -> dict[str, Any]:
    return {"ships": _ships(side.ships, grid), "shots": _cells(side.shots, grid)}


def _target(side: TargetSide, grid: Grid) -> dict[str, Any]:
    sets = {name: _cells(getattr(side, name), grid) for name in ("shots", "water", "hit", "sunk", "unknown", "seen")}
    ships = None if side.ships is None else _ships(side.ships, grid)
    told = {"scans": [*map(event_to_told, side.scans)], "reports": [*map(event_to_told, side.reports)]}
    sunk = {"sunk_ships": list(side.sunk_ships), "sunk_classes": list(side.sunk_classes)}
    return {**sets, **sunk, **told, "ships": ships}


def _ships(ships: Mapping[str, ShipView], grid: Grid) -> dict[str, Any]:
    return {
        ship.id: {
            "class": ship.class_id,
            "cells": _cells(ship.cells, grid),
            "hits": _cells(ship.hits, grid),
            "afloat": ship.afloat,
        }
        for ship in ships.values()
    }


def _abilities(abilities: Mapping[str, AbilityView]) -> dict[str, Any]:
    return {id_: {"class": a.class_id, "off": list(a.off), "uses": a.uses} for id_, a in abilities.items()}


def _marker(mark: Marker, grid: Grid) -> dict[str, Any]:
    on = _cells(mark.on, grid) if isinstance(mark.on, CellSet) else mark.on
    fields = attrs.asdict(mark, recurse=False)
    return {**{name: thaw(value) for name, value in fields.items() if name != "to"}, "on": on}


FORMS: tuple[tuple[Any, Callable[[Any], dict[str, Any]]], ...] = (
    (COMMANDS, command_to_data),
    (Event, event_to_json),
    (Commit, _commit),
    (Refusal, _refusal),
    (Variant, Variant.data),
    (Options, _options),
    ((View, SpectatorView), _view),
)
"""What has a JSON form, and what makes it."""
