"""Texts: what players would read as a key, because a language that the plugin speaks lacks the text."""

import ast
import string
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import attrs

from irontide_play.checks.findings import Finding
from irontide_play.checks.places import Spot, TomlFile
from irontide_play.checks.subjects import Plugin
from irontide_play.labels import known

TELLING: Final = {"Note": ("", "key"), "Refusal": ("refusal.", "code")}
"""What takes the key of a text: what stands before the key in the texts, and the name of the argument."""


def check_texts(plugin: Plugin) -> Iterator[Finding]:
    """Yield each text that is missing, in each language that the plugin has texts in, and each with wrong arguments."""
    spoken: dict[str, dict[str, str]] = {}
    for lang, texts in plugin.offered.texts:
        spoken.setdefault(lang, {}).update(texts)
    files = {lang: TomlFile.read(plugin.folder / f"{lang}.toml") for lang in spoken}
    wanted = {**_keys_elsewhere(spoken), **_keys_of_rules(plugin)} if spoken else {}
    for lang, texts in spoken.items():
        file = Spot(str(files[lang].path)) if files[lang].lines else plugin.spot
        for key in sorted(key for key in wanted if not _has(texts, key)):
            yield Finding("text_missing", f"no text in the language {lang!r}{wanted[key]}", key, file)
        yield from _wrong_arguments(plugin, texts, spoken, files[lang])
        for id_, variant in plugin.offered.found["variant"].items():
            labels = variant.labels if hasattr(variant, "labels") else variant.get("labels", {})
            if lang not in labels:
                yield Finding("text_missing", f"no label in the language {lang!r}", *plugin.at(id_, "labels"))
    yield from _keys_in_sources(plugin)


def _has(texts: dict[str, str], key: str) -> bool:
    """Tell whether there is the text, or for a rule one of its forms; of a singular form the text itself will do."""
    return {key, key.removesuffix(".one")} & texts.keys() != set() or any(
        other.startswith(f"{key}.") for other in texts if key.endswith(".text")
    )


def _keys_elsewhere(spoken: dict[str, dict[str, str]]) -> dict[str, str]:
    """Return the keys that any language has, with which."""
    return {key: f", but one in {lang!r}" for lang, texts in reversed(spoken.items()) for key in texts}


def _keys_of_rules(plugin: Plugin) -> dict[str, str]:
    found = plugin.offered.found
    return {
        f"{kind}.{id_}.{part}": f" for the {kind} {id_!r}"
        for kind in ("ability", "rule")
        for id_ in found[kind]
        for part in ("name", "text")
    }


def _wrong_arguments(
    plugin: Plugin, texts: dict[str, str], spoken: dict[str, dict[str, str]], file: TomlFile
) -> Iterator[Finding]:
    first = next(iter(spoken.values()))
    for key, text in texts.items():
        spot = file.key_spot(key) if file.lines else plugin.spot
        allowed = _parameters(plugin, key)
        for name in sorted(_arguments(text) - allowed if allowed is not None else ()):
            yield Finding("text_argument", f"{{{name}}} is no parameter, and stays as it is", key, spot)
        for name in sorted(_arguments(text) ^ _arguments(first.get(key, text)) if allowed is None else ()):
            yield Finding("text_argument", f"{{{name}}} is not in the text of every language", key, spot)


def _arguments(text: str) -> set[str]:
    return {field for _, field, _, _ in string.Formatter().parse(text) if field}


def _parameters(plugin: Plugin, key: str) -> set[str] | None:
    """Return the arguments that a text of a rule or ability can have, or None if it is of something else."""
    for kind in ("ability", "rule"):
        for id_, class_ in plugin.offered.found[kind].items():
            if key.startswith(f"{kind}.{id_}."):
                return {field.name for field in attrs.fields(class_)}
    return None


def _keys_in_sources(plugin: Plugin) -> Iterator[Finding]:
    """Yield the keys that stand in the plugin's source for players to read, and that have no text at all."""
    for path in plugin.sources:
        for name, value, line in _told(path):
            key = TELLING[name][0] + value
            if known("en", key) is None:
                yield Finding("text_missing", "no text in any language", key, Spot(str(path), line))


def _told(path: Path) -> Iterator[tuple[str, str, int]]:
    """Yield the calls of a source that take the key of a text and are given a literal one."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and (name := _called(node.func)) in TELLING:
            named = [word.value for word in node.keywords if word.arg == TELLING[name][1]]
            for given in [*node.args[:1], *named]:
                if isinstance(given, ast.Constant) and isinstance(given.value, str):
                    yield name, given.value, node.lineno


def _called(function: ast.expr) -> str:
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
