"""Messages: what players read, in English and German.

Texts are data (`en.toml`, `de.toml`), by key, with arguments in braces. Plugins add texts
under keys of their own when they are registered.
"""

import string
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, cast

from irontide.errors import CodecError, IrontideError, Refusal
from irontide.frozen import shown

if TYPE_CHECKING:
    from irontide.variant import Variant

LANGUAGES = ("en", "de")

ONE = ".one"
"""What ends the key of the singular form of a text."""

Data = Mapping[str, Any]


def _flat(data: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for key, value in data.items():
        if isinstance(value, Mapping):
            yield from _flat(cast("Mapping[str, Any]", value), f"{prefix}{key}.")
        else:
            yield prefix + key, value


def read_texts(package: str, lang: str) -> dict[str, str]:
    """Return the texts of a package's `LANG.toml` by key, tables joined with dots.

    Raises:
        IrontideError: it is no TOML, or holds something else than texts; with the file and the line or the key.

    """
    name = f"{lang}.toml"
    try:
        found = dict(_flat(tomllib.loads(files(package).joinpath(name).read_text(encoding="utf-8"))))
    except ValueError as error:
        raise IrontideError(f"{name}: {error}") from error
    for key, value in found.items():
        if type(value) is not str:
            raise IrontideError(f"{name}: {key} is a text, not {shown(value)}")
    return found


class Catalogue:
    """The texts of all languages. A key that a language lacks is looked up in English."""

    def __init__(self) -> None:
        """Start with the core's own texts."""
        self._texts = {lang: read_texts("irontide.messages", lang) for lang in LANGUAGES}
        self._own = {lang: frozenset(texts) for lang, texts in self._texts.items()}

    def own(self, lang: str) -> frozenset[str]:
        """Return the keys of the core's own texts."""
        return self._own.get(lang, frozenset())

    def add(self, lang: str, texts: Mapping[str, str]) -> None:
        """Add texts of a plugin."""
        self._texts.setdefault(lang, {}).update(texts)

    def find(self, lang: str, *keys: str, args: Mapping[str, object] | None = None) -> str | None:
        """Return the text of the first of these keys that there is, in the language or else in English.

        Of a text that with these arguments is about one thing, it is the form `KEY.one`, if there is that.
        """
        for texts in (self._texts.get(lang, {}), self._texts["en"]):
            for key in keys:
                if key in texts:
                    one = texts.get(f"{key}{ONE}")
                    return texts[key] if one is None or not _is_one(texts[key], args or {}) else one
        return None


@cache
def catalogue() -> Catalogue:
    """Return the texts of the core and of every plugin registered so far."""
    return Catalogue()


def _found(lang: str, *keys: str, args: Mapping[str, object] | None = None) -> str | None:
    found = catalogue().find(lang, *keys, args=args)
    if found is None:
        from irontide.registry import shared  # noqa: PLC0415 - registering adds texts, so it stands above messages

        shared()
        found = catalogue().find(lang, *keys, args=args)
    return found


def _is_one(template: str, args: Mapping[str, object]) -> bool:
    """Tell whether the first argument of a text that is a number is 1, or if it is a list holds one thing."""
    named = (args.get(field or "") for _, field, _, _ in string.Formatter().parse(template))
    counts = (len(cast("list[object]", one)) if isinstance(one, (list, tuple)) else one for one in named)
    return next((count == 1 for count in counts if type(count) is int), False)


def is_template(text: str) -> bool:
    """Tell whether a text can be filled in: its braces are in order."""
    try:
        return all(True for _ in string.Formatter().parse(text))
    except ValueError:
        return False


def _filled(template: str, args: Mapping[str, object]) -> str:
    parts: list[str] = []
    for literal, field, _, _ in string.Formatter().parse(template):
        parts.append(literal)
        if field is not None:
            parts.append(str(args.get(field, f"{{{field}}}")))
    return "".join(parts)


def message(lang: str, /, *keys: str, **args: object) -> str:
    """Return the text of the first of these keys that there is, with its arguments filled in; else the first key.

    Its form `KEY.one` is taken where its first argument that is a number is 1, or if that is a list holds one thing.
    """
    template = _found(lang, *keys, args=args)
    return (
        keys[0] if template is None else _filled(template, {name: _shown(value, lang) for name, value in args.items()})
    )


def _shown(value: object, lang: str) -> object:
    if isinstance(value, (list, tuple)):
        items = [str(item) for item in cast("list[object]", value)]
        return ", ".join(items) or message(lang, "word.none")
    if isinstance(value, Mapping):
        return " ".join(str(item) for item in cast("Mapping[str, object]", value).values())
    if value is None:
        return message(lang, "word.none")
    return value


def ship_label(class_: str, lang: str) -> str:
    """Return what players call a ship class, or its id."""
    return _found(lang, f"ship.{class_}") or class_


def ability_name(id_: str, lang: str) -> str:
    """Return what players call an ability, or its id."""
    return _found(lang, f"ability.{id_}.name") or id_


def text(thing: "Refusal | Data", lang: str = "en", variant: "Variant | None" = None) -> str:
    """Return a sentence for a player: of a refusal, or of an event that a seat was told.

    The variant and its ships are called as the variant calls them. Without it a variant is called by its id, and ships
    as the edition of 1967 calls them. A language that there is not, or that lacks a text, gives the English one.

    Raises:
        CodecError: it is neither a refusal nor an event as a seat is told it.

    """
    if isinstance(thing, Refusal):
        return _refusal(thing, lang, variant)
    try:
        return _event(thing, lang, variant)
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        raise CodecError(f"neither a refusal nor an event as a seat is told it: {shown(thing)}") from error


def _refusal(thing: Refusal, lang: str, variant: "Variant | None") -> str:
    plain = f"{thing.code} ({', '.join(f'{key}={value}' for key, value in thing.args.items())})"
    try:
        args = {**thing.args, **_labels(thing.args, lang, variant), **_lists(thing, lang, variant)}
        keys = [f"refusal.{thing.code}.{_refusal_form(thing)}", f"refusal.{thing.code}"]
    except (LookupError, TypeError):  # a plugin gave a code of the core with arguments of its own
        return plain
    return message(lang, *keys, **args) if _found(lang, *keys) else plain


def _refusal_form(refusal: Refusal) -> object:
    """Return which sentence of a code fits: by the limit, the command, what a cell is, or what is given."""
    if refusal.code == "bad_target":
        missing = "target" not in refusal.args
        return "any" if missing else "none" if refusal.args["target"] is None else "given"
    if refusal.code == "wrong_shape":
        return "given" if refusal.args["place"] else "none"
    if refusal.code == "not_allowed":
        return refusal.args["command"]
    return "island" if refusal.args.get("island") else refusal.args.get("limit")


def _lists(refusal: Refusal, lang: str, variant: "Variant | None") -> dict[str, list[str]]:
    """Return the arguments that are lists of ships or abilities, as players call them."""
    key = {"unknown_ship": "known", "unknown_ability": "known", "wrong_fleet": "missing"}.get(refusal.code, "")
    listed = [str(item) for item in cast("Sequence[object]", refusal.args.get(key, ()))]
    if refusal.code == "unknown_ability":
        return {key: [ability_name(id_, lang) for id_ in listed]}
    return {key: [_ship(id_, lang, variant) for id_ in listed]} if key else {}


def _labels(args: Data, lang: str, variant: "Variant | None") -> dict[str, str]:
    """Return the arguments that have a name for players."""
    found = {
        key: _ship(args[key], lang, variant) for key in ("class", "ship", "other") if isinstance(args.get(key), str)
    }
    if isinstance(args.get("ability"), str):
        found["ability"] = ability_name(args["ability"], lang)
    if isinstance(args.get("target"), Mapping):
        found["target"] = _target(args["target"], lang, variant)
    if variant is not None and args.get("variant") == variant.id:
        found["variant"] = variant.label(lang)
    if isinstance(args.get("rule"), str):
        found["rule"] = _rule(args["rule"], lang)
    if isinstance(args.get("reason"), str):
        found["reason"] = _reason(args["reason"], lang)
    return found


def _ship(ship: str, lang: str, variant: "Variant | None") -> str:
    """Return what players call a ship or a class, by its id; further ships of a class with their number."""
    known = variant.ship_class(ship) if variant else None
    if known is not None:
        label = known.labels.get(lang) or ship_label(known.id, lang)
        return label if ship == known.id else f"{label} {ship.removeprefix(known.id)[1:]}"
    class_, _, number = ship.rpartition("-")
    return f"{ship_label(class_, lang)} {number}" if class_ and number.isdecimal() else ship_label(ship, lang)


def _target(target: Data, lang: str, variant: "Variant | None") -> str:
    """Return a target that is more than cells, in words as far as there are any."""
    words = {key: _found(lang, f"aim.{word}") or word for key, word in target.items()}
    return str(_shown({**words, **_labels(target, lang, variant)}, lang))


def _rule(rule: str, lang: str) -> str:
    return _found(lang, f"rule.{rule}.name", f"ability.{rule}.name") or rule


def _reason(reason: str, lang: str) -> str:
    return _found(lang, f"reason.{reason}", f"rule.{reason}.name", f"ability.{reason}.name") or reason


def _event(told: Data, lang: str, variant: "Variant | None") -> str:
    kind = str(told["type"])
    args = {**told, **_labels(told, lang, variant)}
    if kind == "effect_replaced":
        args["by"] = _rule(str(told["by"]), lang)
    if kind == "reported" and told.get("ships"):
        ships = {_ship(ship, lang, variant): hits for ship, hits in told["ships"].items()}
        args["ships"] = ", ".join(ships if len(told["cells"]) == 1 else (f"{ships[ship]} x {ship}" for ship in ships))
    if kind == "noted":
        return message(lang, str(told["key"]), **dict(told["args"]))
    sentence = message(lang, *(f"event.{kind}.{form}" for form in _forms(kind, told)), f"event.{kind}", **args)
    return f"{sentence} {message(lang, 'word.blind', **args)}" if told.get("blind") else sentence


def _scan_form(told: Data) -> str:
    """Return which sentence tells what a scan found: none of them to those who may not know."""
    if told["tell"] == "distance" and told.get("blind") and told.get("distance") is None:
        return "nothing"
    if told.get("any") is not None:
        return "any_yes" if told["any"] else "any_no"
    return next((key for key in ("count", "cells", "ships", "distance") if told.get(key) is not None), "hidden")


def _end_forms(told: Data) -> list[str]:
    """Return which sentence tells an end: none that names a winner, where there is none."""
    if told.get("winner"):
        return [str(told["reason"]), "won"]
    return ["draw"] if told["reason"] in WON else [str(told["reason"]), "draw"]


WON = ("all_sunk", "resigned", "timed_out")
"""Reasons of the core whose sentence names a winner; a rule may give them for a draw too."""


def _forms(kind: str, told: Data) -> list[str]:
    """Return which of an event's sentences fits, the most special first."""
    forms = _FORMS.get(kind)
    return [] if forms is None else forms(told)


_FORMS: dict[str, Callable[[Data], list[str]]] = {
    "shot_fired": lambda told: [f"{told['told']}_ship" if told.get("ship") else str(told["told"])],
    "reported": lambda told: [] if told["hits"] and not told.get("ships") else ["ships" if told["hits"] else "none"],
    "cells_revealed": lambda told: [] if told["ships"] else ["water"],
    "turn_ended": lambda told: [str(told["reason"]), "early"] if told.get("reason") else [],
    "shots_granted": lambda told: (
        ["later"] if told.get("later") else [str(told["reason"])] if told["amount"] < 0 else []
    ),
    "match_ended": _end_forms,
    "cells_scanned": lambda told: [_scan_form(told)],
    "ship_moved": lambda told: ["own"] if told.get("ship") else [],
    "ability_used": lambda told: ["plain" if told.get("target") is None else "target"],
    "effect_replaced": lambda told: [str(told["what"])],
    "marked": lambda told: [str(told["rule"])],
    "unmarked": lambda told: [str(told["rule"])],
}
