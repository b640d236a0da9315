"""What can be said of a plugin without playing: that it uses public names only, and has all its texts."""

import ast
import string
from collections.abc import Iterator, Mapping
from pathlib import Path

import irontide
from irontide.messages import catalogue
from irontide.registry import Registry
from irontide.testing.contents import Contents
from irontide.testing.findings import Finding

OPEN = ("irontide.testing",)
"""Modules beside the package itself that everybody may import from."""

TOLD = {"Refusal": "refusal.", "Note": ""}
"""What stands for a text, called with its key first, and what the key begins with."""


def private_names(path: Path) -> Iterator[tuple[int, str]]:
    """Yield each name of the engine that a file uses although it is not public, with its line."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module is not None and not node.level:
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            names = [f"{node.value.id}.{node.attr}"] if node.value.id == "irontide" else []
        else:
            continue
        yield from ((node.lineno, name) for name in names if _private(name))


def _private(name: str) -> bool:
    package, _, rest = name.partition(".")
    if package != "irontide" or not rest or name.startswith(OPEN):
        return False
    return rest not in irontide.__all__


def imports(contents: Contents) -> Iterator[Finding]:
    """Yield what the plugin's files use of the engine that is not public."""
    for file in contents.files():
        for line, name in private_names(file):
            yield Finding("imports", f"{file}:{line}: {name} is not public, see irontide.__all__", contents.name)


def texts(contents: Contents, registry: Registry) -> Iterator[Finding]:
    """Yield which texts are missing in a language that the plugin claims, or have other arguments there."""
    own = contents.texts()
    keys = dict.fromkeys(key for found in own.values() for key in found)
    for lang in own:
        for key in dict.fromkeys((*keys, *_needed(contents))):
            if key not in own[lang] and key not in catalogue().own(lang):
                yield Finding("texts", f"there is no text {key!r} in {lang!r}", _rule(key, contents))
        yield from _labels(contents, registry, lang)
    for key in keys:
        forms = {lang: _arguments(found[key]) for lang, found in own.items() if key in found}
        if len({*map(frozenset, forms.values())}) > 1:
            yield Finding("texts", f"the arguments of {key!r} differ: {_listed(forms)}", _rule(key, contents))


def _needed(contents: Contents) -> Iterator[str]:
    """Yield the keys that players read without doubt: names, and what the sources spell out."""
    for kind in ("ability", "rule"):
        for id_ in contents.found.found[kind]:
            yield from (f"{kind}.{id_}.{part}" for part in ("name", "text"))
    for source in contents.sources():
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in TOLD and node.args:
                key = node.args[0]
                if isinstance(key, ast.Constant) and isinstance(key.value, str):
                    yield TOLD[node.func.id] + key.value


def _labels(contents: Contents, registry: Registry, lang: str) -> Iterator[Finding]:
    for id_ in contents.variants:
        if lang not in registry.variant(id_).labels:
            yield Finding("texts", f"the variant {id_!r} has no label in {lang!r}", id_)


def _rule(key: str, contents: Contents) -> str:
    """Return the rule that a key is about, as far as the key tells."""
    return max((id_ for id_ in contents.classes if id_ in key), key=len, default=contents.name)


def _arguments(template: str) -> set[str]:
    return {field for _, field, _, _ in string.Formatter().parse(template) if field is not None}


def _listed(forms: Mapping[str, set[str]]) -> str:
    return "; ".join(f"{lang}: {', '.join(sorted(names)) or 'none'}" for lang, names in forms.items())
