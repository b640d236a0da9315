"""Places: the file and line of a key in TOML, of a class or a handler in Python."""

import inspect
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final, TypeAlias

import attrs

Keys: TypeAlias = tuple[str, ...]

HEADER: Final = re.compile(r"\s*\[\[?([^\[\]]+)\]\]?\s*(#.*)?")
KEY: Final = re.compile(r"""\s*((?:"[^"]*"|'[^']*'|[\w-]+)(?:\s*\.\s*(?:"[^"]*"|'[^']*'|[\w-]+))*)\s*=\s*(.*)""")
PART: Final = re.compile(r""""([^"]*)"|'([^']*)'|([\w-]+)""")
QUOTED: Final = re.compile(r"""["']([^"']+)["']""")
STEP: Final = re.compile(r"\[([^\]]*)\]|([^.\[\]]+)")
NAMED_BY: Final = {"rules": "use", "fleet": "class"}
"""The lists of a variant whose tables a place names: by which of their keys."""
AT_LINE: Final = re.compile(r"at line (\d+)")
UNKNOWN: Final = re.compile(r"unknown key '([^']+)'")


@attrs.frozen
class Spot:
    """A file and a line in it, as far as they are known."""

    file: str | None = None
    line: int | None = None

    def __str__(self) -> str:
        return f"{self.file or ''}{f':{self.line}' if self.line else ''}"


@attrs.frozen
class TomlFile:
    """A variant's TOML file, in which the keys that places name are looked up."""

    path: Path
    lines: dict[Keys, int]
    names: dict[Keys, str]
    """What the tables of lists are called, by `use` or `class`."""
    quoted: dict[str, int]
    """The first line of each quoted text: where ids stand in a list."""

    @classmethod
    def read(cls, path: Path) -> "TomlFile":
        """Return what stands where in the file; nothing if it can't be read."""
        try:
            text = path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            text = ""
        lines: dict[Keys, int] = {}
        names: dict[Keys, str] = {}
        for keys, value, line in _keys(text):
            lines.setdefault(keys, line)
            if len(keys) == 3 and keys[2] == NAMED_BY.get(keys[0]):  # noqa: PLR2004 - list, number, key
                names[keys[:2]] = value.strip("\"'")
        quotes = [(found, line) for line, row in enumerate(text.splitlines(), 1) for found in QUOTED.findall(row)]
        return cls(path, lines, names, dict(reversed(quotes)))

    def spot(self, place: str, text: str = "") -> Spot:
        """Return where the place of a problem is, or the line that its text names."""
        told, key = AT_LINE.search(text), UNKNOWN.search(text)
        if key and not place.endswith(f".{key[1]}"):
            place = key[1] if place == "variant" else f"{place}.{key[1]}"
        line = self._line(place)
        return Spot(str(self.path), int(told[1]) if told else line)

    def key_spot(self, key: str) -> Spot:
        """Return where a text is, by its whole key."""
        return Spot(str(self.path), next((line for keys, line in self.lines.items() if ".".join(keys) == key), None))

    def _line(self, place: str) -> int | None:
        for keys, name in self.names.items():
            rest = place.removeprefix(f"{keys[0]}.")
            if rest != place and (rest == name or rest.startswith(f"{name}.")):
                more = tuple(part for part in rest[len(name) :].split(".") if part)
                return self._nearest((*keys, *(more or (NAMED_BY[keys[0]],))))
        table, _, rest = place.partition(".")
        if table in NAMED_BY and rest:
            return self.quoted.get(rest) or self.lines.get((table,))
        return self._nearest(tuple(one or other for one, other in STEP.findall(place)))

    def _nearest(self, keys: Keys) -> int | None:
        """Return the line of a key, or of the table that it would stand in, or of the first one of that list."""
        for length in range(len(keys), 0, -1):
            if keys[:length] in self.lines:
                return self.lines[keys[:length]]
        return min((line for key, line in self.lines.items() if key[:1] == keys[:1]), default=None)


def _keys(text: str) -> Iterator[tuple[Keys, str, int]]:
    """Yield each table and key with its value as written and its line; tables of a list are numbered."""
    table: Keys = ()
    counts: dict[str, int] = {}
    for number, line in enumerate(text.splitlines(), 1):
        if header := HEADER.fullmatch(line):
            parts = _parts(header[1])
            if line.lstrip().startswith("[["):
                counts[parts[0]] = counts.get(parts[0], -1) + 1
            table = (parts[0], str(counts[parts[0]]), *parts[1:]) if parts[0] in counts else parts
            yield table, "", number
        elif key := KEY.fullmatch(line):
            yield (*table, *_parts(key[1])), re.sub(r"\s*#.*", "", key[2]), number


def _parts(dotted: str) -> Keys:
    return tuple(first or second or third for first, second, third in PART.findall(dotted))


def class_spot(class_: type[Any]) -> Spot:
    """Return where a class stands."""
    try:
        return Spot(inspect.getsourcefile(class_), inspect.getsourcelines(class_)[1])
    except (OSError, TypeError):
        return Spot()


def handler_spot(handler: Callable[..., Any]) -> Spot:
    """Return where a handler stands, from its first decorator on."""
    return Spot(handler.__code__.co_filename, handler.__code__.co_firstlineno)


def error_spot(error: BaseException, within: str) -> Spot:
    """Return where in a folder or file something went wrong, the innermost place of it."""
    if isinstance(error, SyntaxError):
        return Spot(error.filename, error.lineno)
    found, trace = Spot(), error.__traceback__
    while trace is not None:
        file = trace.tb_frame.f_code.co_filename
        own = file.startswith(within) and "site-packages" not in Path(file.removeprefix(within)).parts
        found = Spot(file, trace.tb_lineno) if own else found
        trace = trace.tb_next
    return found
