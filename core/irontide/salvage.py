"""Salvage: what of a variant's data can still be read where something is wrong, so that all the rest is checked too."""

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final, cast

from irontide.frozen import shown

UNKNOWN: Final = re.compile(r"unknown key '([^']*)'")
SHIP: Final = re.compile(r"(fleet\[\d+\])(\.\w+)?")
LOST: Final = re.compile(r"\w+(\[\d+\](\.(class|use))?|\.[^.\[\]]+)?")
"""The places of what can't be read as a whole: a key, or one thing in it, such as a ship or a rule."""


def salvaged(data: Mapping[str, Any], found: Iterable[tuple[str, str]]) -> dict[str, Any]:
    """Return the data without what these complaints are about: paths, each with what is wrong there.

    A ship of which the class can be read stays, so that what is said of that class elsewhere can be checked.
    """
    return cast("dict[str, Any]", _without(data, "", {_precisely(path, text) for path, text in found}))


def loses(place: str, text: str) -> bool:
    """Tell whether that which stands at this place is lost as a whole by a complaint."""
    return LOST.fullmatch(place) is not None and UNKNOWN.match(text) is None


def _precisely(path: str, text: str) -> str:
    """Return the path of what has to go: of an unknown key that itself, of a ship no less than one of its keys."""
    key = UNKNOWN.match(text)
    whole = path if key is None else f"{path}.{key[1]}".lstrip(".")
    ship = SHIP.match(whole)
    return ship[0] if ship else whole


def _without(value: object, path: str, places: set[str]) -> object:
    if isinstance(value, Mapping):
        named = cast("Mapping[object, object]", value).items()
        items = [(key, f"{path}.{key if type(key) is str else shown(key)}".lstrip("."), one) for key, one in named]
        table = {key: _without(one, place, places) for key, place, one in items if place not in places}
        return _stand_in(table) if SHIP.fullmatch(path) and len(table) < len(items) else table
    if isinstance(value, (list, tuple)):
        numbered = [(f"{path}[{number}]", one) for number, one in enumerate(cast("list[object]", value))]
        kept = [_without(one, place, places) for place, one in numbered if place not in places]
        return [one for one in kept if one is not None]
    return value


def _stand_in(ship: dict[Any, object]) -> dict[str, object] | None:
    """Return a ship that is right but for what was left out; None where its class was."""
    if "class" not in ship:
        return None
    return ship if {"length", "shape"} & {*ship} else {"length": 1, **ship}
