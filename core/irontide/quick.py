"""Quick writers and scanners of records, made from their fields: how a log's lines are written, and most of them read.

A scanner knows a record's text by its form, which is what the writer writes where no text in it needs an escape. It
explains nothing: what it does not know is read as JSON, strictly, and with a reason where that fails.
"""

import json
import re
import sys
from collections.abc import Callable, Mapping
from json.encoder import encode_basestring
from typing import Any, cast

import attrs

from irontide.frozen import FrozenDict, Json
from irontide.grid import ALONE

CHARS = r'[^"\\\x00-\x1f\ud800-\udfff]*'
"""What a text holds that is written without an escape."""

TEXT = f'"{CHARS}"'
TEXTS = rf"\[{TEXT}(?:,{TEXT})*\]"


def _mapping(kind: str) -> str:
    """Return the form of a mapping to values of this form."""
    return rf"\{{({TEXT}:{kind}(?:,{TEXT}:{kind})*)\}}"


PLAIN: dict[Any, tuple[str, str, str]] = {
    str: ("quote({0})", f'"({CHARS})"', "intern({0})"),  # the same few texts come again and again
    int: ("format({0}, 'd')", "(-?(?:0|[1-9][0-9]{0,17}))", "int({0})"),
    bool: ("words[{0}]", "(true|false)", "{0} == 'true'"),
    tuple[str, ...]: (
        "'[' + ','.join(map(quote, {0})) + ']'",
        rf'\["({CHARS}(?:","{CHARS})*)"\]',
        """alone.get({0}) or (*{0}.split('","'),)""",
    ),
    Mapping[str, tuple[str, ...]]: ("encode({0})", _mapping(TEXTS), "places({0})"),
    Mapping[str, object]: ("encode({0})", _mapping(f"(?:{TEXT}|{TEXTS})"), "places({0})"),
}
"""By plain type: the expression that writes a value, the form of its text, and the expression that reads that."""


def _places(text: str) -> FrozenDict:
    """Return the mapping of this JSON text, which was found to hold texts and lists of texts."""
    found = json.loads(f"{{{text}}}").items()
    return FrozenDict({key: value if type(value) is str else tuple(value) for key, value in found})


WORDS = {True: "true", False: "false", None: "null"}


@attrs.frozen
class _Field:
    """A field of a record: its key, its plain type if it has one, whether it may be None, and its default if any."""

    name: str
    key: str
    var: str
    """What it is called in the source that is made."""
    plain: Any
    scanned: Any
    """The plain type that a scanner takes it for, if any."""
    maybe: bool
    default: Any
    optional: bool
    """Whether its text is left out where it is the default."""
    last: bool
    """Whether it is given by keyword."""


def _fields(record: type[Any], *, omit: bool, prefix: str = "") -> list[_Field]:
    """Return a record's fields in the order of its text: those that are never left out first."""
    found = [_field(field, prefix, omit=omit) for field in attrs.fields(record)]
    return sorted(found, key=lambda field: field.optional)


def _field(field: "attrs.Attribute[Any]", prefix: str, *, omit: bool) -> _Field:
    kind: Any = field.type
    factory = getattr(field.default, "factory", None)
    plain = next((each for each in PLAIN if kind in (each, each | None)), None)
    default = field.default if factory is None else factory()  # what it makes is frozen, so one serves all
    optional = omit and default is not attrs.NOTHING
    scanned = str if kind == Json else plain
    key = field.name.rstrip("_")
    var, maybe = prefix + field.name, kind != scanned
    return _Field(field.name, key, var, plain, scanned, maybe, default, optional, field.kw_only)


def _compiled(lines: list[str], scope: dict[str, Any]) -> Callable[..., Any]:
    exec("\n    ".join(lines), scope)  # noqa: S102 - the source is made of the core's own field names
    return cast("Callable[..., Any]", scope["made"])


def _end(record: type[Any]) -> str:
    """Return how a record's text ends: with its version where that is not the first."""
    version = getattr(record, "version", 1)
    return "" if version == 1 else f',"v":{version}'


def writer(record: type[Any], encode: Callable[[Any], str], *, omit: bool) -> Callable[[Any], str]:
    """Return what writes a record as a log holds it; with `omit` without the fields that say nothing."""
    scope: dict[str, Any] = {"quote": encode_basestring, "words": WORDS, "encode": encode}
    always, others = f'{{{{"type":"{record.type}"', list[str]()
    for field in _fields(record, omit=omit):
        text = f',"{field.key}":{{{_written(field).format(f"record.{field.name}")}}}'
        if field.optional:
            scope[f"d_{field.name}"] = field.default
            unlike = "is not" if field.default is None or field.default is False else "!="
            others.append(f"if record.{field.name} {unlike} d_{field.name}: text += f'''{text}'''")
        else:
            always += text
    lines = [f"text = f'''{always}'''", *others, f"return text + '{_end(record)}}}'"]
    if not others:
        lines = [f"return f'''{always}{_end(record)}}}}}'''"]
    return _compiled(["def made(record):", *lines], scope)


def _written(field: _Field) -> str:
    if field.plain is None:
        return "encode({0})"
    text = PLAIN[field.plain][0]
    return f"('null' if {{0}} is None else {text})" if field.maybe else text


def scanner(record: type[Any], make: Callable[..., Any], *, omit: bool) -> Callable[[str], Any]:
    """Return what makes a record of its text, without braces and from the value of its type on, or returns None.

    With `omit` the fields that say nothing are left out. Of JSON data it knows only texts and null, of what else is not
    plain nothing but that it is left out. `make` takes the values, those by keyword last.
    """
    fields = _fields(record, omit=omit)
    if any(field.scanned is None and not field.optional for field in fields):
        return lambda _text: None
    needed, known = _needed(fields), _known(fields)
    scope = _scope(fields) | {"make": make}
    scope |= {"few": _match(_text(record, needed)), "all_": _match(_text(record, known))}
    lines = [
        "def made(text):",
        "found = few(text)",
        f"if found is not None: {_groups(needed)} = found.groups(); return make({_values(fields, needed)})",
        "found = all_(text)",
        "if found is None: return None",
        f"{_groups(known)} = found.groups()",
        f"return make({_values(fields, known)})",
    ]
    return _compiled(lines, scope)


def pair_scanner(
    form: str, record: type[Any], make: Callable[..., Any], other: type[Any], make_other: Callable[..., Any]
) -> Callable[[str, int], tuple[Any, Any, str] | None]:
    """Return what makes two records at once of a text from a place in it on, or returns None.

    The form has the two records' texts at `{0}` and `{1}`, as `scanner` knows them; what its one group is, after them,
    is returned with them. The second record's text leaves out the fields that say nothing.
    """
    one, two = _fields(record, omit=False), _fields(other, omit=True, prefix="o_")
    known, also = _known(one), _known(two)
    scope = _scope(one + two) | {"make": make, "other": make_other}
    scope["match"] = _match(form.format(_text(record, known), _text(other, also)))
    lines = [
        "def made(text, start):",
        "found = match(text, start)",
        "if found is None: return None",
        f"{_groups(known + also)[:-1]}, rest] = found.groups()",
        f"return make({_values(one, known)}), other({_values(two, also)}), rest",
    ]
    return _compiled(lines, scope)


def _known(fields: list[_Field]) -> list[_Field]:
    """Return the fields whose values a scanner reads."""
    return [field for field in fields if field.scanned is not None]


def _needed(fields: list[_Field]) -> list[_Field]:
    """Return the fields that are never left out."""
    return [field for field in fields if not field.optional]


def _scope(fields: list[_Field]) -> dict[str, Any]:
    """Return what the expressions of these fields' values need."""
    return {f"d_{field.var}": field.default for field in fields} | {
        "alone": ALONE,
        "intern": sys.intern,
        "places": _places,
    }


def _match(form: str) -> Callable[..., "re.Match[str] | None"]:
    return re.compile(form).fullmatch


def _text(record: type[Any], fields: list[_Field]) -> str:
    """Return the form of the text of a record that has these fields."""
    return f'"{record.type}"{"".join(map(_form, fields))}{_end(record)}'


def _groups(fields: list[_Field]) -> str:
    """Return what the values of these fields are unpacked to."""
    return f"[{', '.join(f'v_{field.var}' for field in fields)}]"


def _form(field: _Field) -> str:
    """Return the form of a field's text; null is known where it is the default, or there is none."""
    form = PLAIN[field.scanned][1]
    if field.maybe and (field.default is None or not field.optional):
        form = f"(?:{form}|null)"
    return f'(?:,"{field.key}":{form})?' if field.optional else f',"{field.key}":{form}'


def _values(fields: list[_Field], found: list[_Field]) -> str:
    """Return the expressions for the values of all fields, in the order in which a maker takes them."""
    given = sorted(fields, key=lambda field: field.last)
    return ", ".join(_value(field) if field in found else f"d_{field.var}" for field in given)


def _value(field: _Field) -> str:
    found = f"v_{field.var}"
    value = PLAIN[field.scanned][2].format(found)
    if field.optional:
        return f"d_{field.var} if {found} is None else {value}"
    return f"None if {found} is None else {value}" if field.maybe else value
