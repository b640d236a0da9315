"""Codec: commands, events and parameters to JSON data and back, strictly. cattrs does all structuring.

Strict means: an unknown key, a missing one, `1.9` or `true` for an integer, or an unknown `type` is an error with the
path to it. Reading first runs without collecting details, and again with them only where something is wrong. The texts
of logs are made, and most of them read, by the writers and scanners of `quick`.
"""

import json
import operator
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from typing import Any, Literal, TypeVar, cast, get_args, get_origin

import attrs
import cattrs
from cattrs.errors import ClassValidationError, ForbiddenExtraKeysError, IterableValidationError, IterableValidationNote
from cattrs.gen import make_dict_structure_fn, make_dict_unstructure_fn, override

from irontide.commands import COMMANDS, Command, Fire
from irontide.errors import CodecError, CommandError
from irontide.events import EVENTS, End, Event, Names, On, ShotFired
from irontide.frozen import FrozenDict, Json, freeze, is_number, is_text, maker, shown, thaw
from irontide.names import hint
from irontide.quick import pair_scanner, scanner, writer
from irontide.randomness import SEED, Seed, is_seed

T = TypeVar("T")

Data = dict[str, Any]

UNTOLD = ("cause", "to", "target_to")
"""Fields of an event that no told form holds."""

LEFT_OUT: dict[str, dict[str, object]] = {
    "match_created": {"islands": ()},
    "shot_fired": {"again": False, "free": False, "hit": None, "struck": None},
    "turn_ended": {"reason": None, "unused": 0},
    "shots_granted": {"later": False},
    "reported": {"ships": None},
    "ability_disabled": {"ends": None, "by": None, "by_seat": None},
    "cells_scanned": {"count": None, "any": None, "cells": None, "ships": None, "distance": None, "blind": None},
    "marked": {"side": None, "on": None, "data": None},
}
"""Fields that the told form of an event leaves out where they say nothing, with the value that says nothing."""


def _is_literal(kind: Any) -> bool:  # noqa: ANN401 - whatever a field is annotated with
    origin: object = get_origin(kind)
    return origin is Literal


def _literal(value: object, kind: object) -> object:
    known = get_args(kind)
    if any(type(value) is type(one) and value == one for one in known):
        return value
    near = hint(value, filter(is_text, known))
    raise ValueError(f"expected one of {', '.join(map(repr, known))}, not {shown(value)}{near}")


def _int(value: object, _: object) -> int:
    if is_number(value):
        return value
    raise TypeError(f"expected an integer, not {shown(value)}")


def _str(value: object, _: object) -> str:
    if type(value) is str and (value.isascii() or is_text(value)):
        return value
    raise TypeError(f"expected a text, not {shown(value)}")


def _bool(value: object, _: object) -> bool:
    if type(value) is bool:
        return value
    raise TypeError(f"expected true or false, not {shown(value)}")


def _json(value: object, _: object) -> Json:
    return freeze(value)


def _names(value: object, _: object) -> Names:
    if isinstance(value, (list, tuple)) and all(is_text(item) for item in cast("list[object]", value)):
        return tuple(cast("list[str]", value))
    raise TypeError(f"expected a list of texts, not {shown(value)}")  # pyright: ignore[reportUnknownArgumentType] - a list of nobody knows what


def _optional_names(value: object, kind: object) -> Names | None:
    return None if value is None else _names(value, kind)


def _on(value: object, kind: object) -> On:
    return value if value is None or isinstance(value, str) else _names(value, kind)


def _end(value: object, _: object) -> End:
    given = freeze(value)
    if given is None or (isinstance(given, str) and given in {"source", "match"}):
        return given
    if isinstance(given, tuple) and [*map(type, given)] == [str, str, int] and given[0] in {"start", "end"}:
        return cast("tuple[str, str, int]", given)
    raise TypeError(f'expected "source", "match" or like ["end", a seat, 3], not {shown(value)}')


def _seed(value: object, _: object) -> Seed:
    if is_seed(value):
        return value
    raise TypeError(f"expected {SEED}, not {shown(value)}")


def _mapping(value: object, _: object) -> FrozenDict:
    frozen = freeze(value)
    if isinstance(frozen, FrozenDict):
        return frozen
    raise TypeError(f"expected a mapping, not {shown(value)}")


def _ships(value: object, kind: object) -> FrozenDict:
    return FrozenDict({ship: _names(cells, kind) for ship, cells in _mapping(value, kind).items()})


def _optional_counts(value: object, kind: object) -> FrozenDict | None:
    return None if value is None else FrozenDict({ship: _int(n, kind) for ship, n in _mapping(value, kind).items()})


def _optional_ships(value: object, kind: object) -> FrozenDict | None:
    return None if value is None else _ships(value, kind)


def strict_converter(*, detailed: bool) -> cattrs.Converter:
    """Return a converter for frozen records that takes nothing but the exact types."""
    converter = cattrs.Converter(forbid_extra_keys=True, detailed_validation=detailed)
    for kind, hook in ((int, _int), (str, _str), (bool, _bool)):
        converter.register_structure_hook(kind, hook)
    hooks: list[tuple[Any, Any]] = [
        (Json, _json),
        (Names, _names),
        (Names | None, _optional_names),
        (On, _on),
        (End, _end),
        (Mapping[str, Names], _ships),
        (Mapping[str, Names] | None, _optional_ships),
        (Mapping[str, int] | None, _optional_counts),
        (Mapping[str, Json], _mapping),
        (Mapping[str, object], _mapping),
        (Mapping[str, Any], _mapping),
        (Seed, _seed),
    ]
    for kind, hook in hooks:
        converter.register_structure_hook_func(partial(operator.eq, kind), hook)
    converter.register_structure_hook_func(_is_literal, _literal)
    for event in EVENTS:
        converter.register_structure_hook(event, _reader(event, converter))
    return converter


def _reader(kind: type[Event], converter: cattrs.Converter) -> Callable[[Mapping[str, Any], Any], Any]:
    renames: dict[str, Any] = {"class_": override(rename="class")} if "class_" in _field_names(kind) else {}
    read: Callable[[Mapping[str, Any], Any], Any] = make_dict_structure_fn(cast("Any", kind), converter, **renames)
    return read


def _field_names(kind: type) -> list[str]:
    return [field.name for field in attrs.fields(cast("type[attrs.AttrsInstance]", kind))]


@cache
def _converter(*, detailed: bool) -> cattrs.Converter:
    return strict_converter(detailed=detailed)


class _Hooks(dict[type, Callable[[Any, Any], Any]]):
    """What makes a record of a class of plain data, by the class."""

    def __missing__(self, kind: type) -> Callable[[Any, Any], Any]:
        hook = self[kind] = _converter(detailed=False).get_structure_hook(kind)
        return hook


_HOOKS = _Hooks()


def structure(kind: type[T], data: object, where: str) -> T:
    """Return `data` as a record of this class.

    Raises:
        CodecError: it does not have the form; the message names each path and starts at `where`.

    """
    try:
        made: T = _HOOKS[kind](data, kind)
    except Exception:  # noqa: BLE001 - whatever was wrong is found again below, with its path
        return _explained(kind, data, where)
    return made


def _explained(kind: type[T], data: object, where: str) -> T:
    try:
        return _converter(detailed=True).structure(data, kind)
    except Exception as error:  # noqa: BLE001 - cattrs raises what the hooks raise
        raise CodecError("; ".join(f"{path}: {text}" for path, text in complaints(error, where))) from None


class SeveralError(TypeError):
    """What is wrong with several keys of a table: each with what."""

    def __init__(self, found: Sequence[tuple[str, str]]) -> None:
        """Take the keys, each with what is wrong with it."""
        super().__init__(", ".join(f"{key}: {text}" for key, text in found))
        self.found = found


def complaints(error: BaseException, where: str) -> list[tuple[str, str]]:
    """Return every complaint of a failed structuring with the path to it."""
    if isinstance(error, (ClassValidationError, IterableValidationError)):
        notes, rest = error.group_exceptions()
        found = [item for one, note in notes for item in complaints(one, f"{where}{_step(note)}")]
        return found + [item for one in rest for item in complaints(one, where)]
    if isinstance(error, ForbiddenExtraKeysError):
        known = [name.rstrip("_") for name in _field_names(error.cl)] if attrs.has(error.cl) else []
        return [(where, f"unknown key {shown(key)}{hint(key, known)}") for key in sorted(error.extra_fields, key=shown)]
    if isinstance(error, SeveralError):
        return [(f"{where}.{key}", text) for key, text in error.found]
    if isinstance(error, KeyError):
        return [(where, f"key {error.args[0]!r} is missing")]
    return [(where, str(error))]


def _step(note: Any) -> str:  # noqa: ANN401 - one of two kinds of cattrs
    if isinstance(note, IterableValidationNote) and isinstance(note.index, int):
        return f"[{note.index}]"
    return f".{note.index if isinstance(note, IterableValidationNote) else note.name.rstrip('_')}"


def _writer(kind: type, drop: tuple[str, ...] = ()) -> Callable[[Any], Data]:
    converter = cattrs.Converter()
    plain = (Json, Names, Names | None, On, End, Mapping[str, Json])
    for frozen in (*plain, Mapping[str, Names], Mapping[str, Names] | None, Mapping[str, int] | None):
        converter.register_unstructure_hook_func(partial(operator.eq, frozen), lambda value: value)
    names = _field_names(kind)
    changes: dict[str, Any] = {name: override(omit=True) for name in drop if name in names}
    if "class_" in names:
        changes["class_"] = override(rename="class")
    write: Callable[[Any], Data] = make_dict_unstructure_fn(cast("Any", kind), converter, **changes)
    return write


_READERS = {kind.type: kind for kind in EVENTS}
_COMMANDS = {kind.type: kind for kind in COMMANDS}

_JSON_WRITERS = {kind: _writer(kind) for kind in EVENTS}
_TOLD_WRITERS = {kind: _writer(kind, UNTOLD) for kind in EVENTS}


def event_to_json(event: Event) -> Data:
    """Return the event with every field, those that say nothing too: fresh JSON data."""
    return {"type": event.type, **thaw(_JSON_WRITERS[type(event)](event))}


encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode

WRITERS: dict[type, Callable[[Any], str]] = {
    **{kind: writer(kind, encode, omit=True) for kind in EVENTS},
    **{kind: writer(kind, encode, omit=False) for kind in COMMANDS},
}
"""What writes a record as a log does: JSON without blanks, an event with its version where that is not the first."""

EVENT_SCANNERS = {kind.type: scanner(kind, maker(kind), omit=True) for kind in EVENTS}
COMMAND_SCANNERS = {kind.type: scanner(kind, maker(kind), omit=False) for kind in COMMANDS}
"""By its type, what makes a record of its text in a log quickly, or returns None."""

scan_shot = pair_scanner(
    r'{0}\}},"events":\[\{{"type":{1}\}}((?:,.*)?\])', Fire, maker(Fire), ShotFired, maker(ShotFired)
)
"""What makes a `Fire`, the shot that is its first event, and the text of the other events, of a log's line after the
command's key `type`: most lines are of this kind."""


def event_to_log(event: Event) -> Data:
    """Return the event as the log holds it: fields that say nothing are left out."""
    data: Data = json.loads(WRITERS[type(event)](event))
    return data


def event_from_data(data: Mapping[str, Any], where: str = "event") -> Event:
    """Return the event of this data, from a told stream or of the code's version.

    Raises:
        CodecError: the data does not have the form of an event of the core.

    """
    given = dict(data)
    name = given.pop("type", None)
    kind = _READERS.get(name) if type(name) is str else None
    if kind is None:
        raise CodecError(f"{where}: unknown event type {shown(name)}")
    return structure(kind, given, where)


def event_to_told(event: Event) -> Data:
    """Return a told event as a seat gets it: fresh, flat JSON data."""
    fields, out = _TOLD_WRITERS[type(event)](event), LEFT_OUT.get(event.type, {})
    return {"type": event.type, **{k: thaw(v) for k, v in fields.items() if k not in out or v is not out[k]}}


def command_to_data(command: Command) -> Data:
    """Return the command in its JSON form."""
    fields = {name: thaw(getattr(command, name)) for name in _field_names(type(command))}
    return {"type": command.type, **fields}


def command_from_json(data: object) -> Command:
    """Return the command of this JSON data, as `{"type": "fire", "seat": "ada", "cells": ["B2"]}`.

    Raises:
        CommandError: the data does not have the form of a command; the message says where and how.

    """
    if not isinstance(data, Mapping):
        raise CommandError(f"a command is a mapping, not {shown(data)}")
    given = dict(cast("Mapping[str, Any]", data))
    name = given.pop("type", None)
    kind = _COMMANDS.get(name) if isinstance(name, str) else None
    if kind is None:
        raise CommandError(f"command.type: unknown {shown(name)}{hint(name, _COMMANDS)}")
    try:
        return structure(kind, given, "command")
    except CodecError as error:
        raise CommandError(str(error)) from None
