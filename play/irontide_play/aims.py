"""How a target is typed: the words of its JSON form, one after the other. No ability is known by name here."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final, TypeAlias, cast

from irontide import Grid, Ground, Target
from irontide_play.labels import known

Words: TypeAlias = tuple[str, ...]

SHOWN: Final = ("C3", "A5")
"""Cells that stand in examples, where they can."""

CELL: Final = re.compile(
    r"(?P<letter>[a-z])[ ,;:-]?0*(?P<row>\d{1,2})|0*(?P<before>\d{1,2})[ ,;:-]?(?P<after>[a-z])", re.IGNORECASE
)
"""How cells are written by those who write them otherwise: `d08`, `D 8`, `8D`."""

AXES: Final = ("across", "down")


def words(target: object) -> Words:
    """Return a target's JSON form as words: `{"from": "A5", "direction": "right"}` is `A5 right`."""
    if target is None:
        return ()
    if isinstance(target, Mapping):
        return tuple(word for value in cast("Mapping[str, object]", target).values() for word in words(value))
    if isinstance(target, (list, tuple)):
        return tuple(word for item in cast("Sequence[object]", target) for word in words(item))
    return (str(target),)


def read_aim(target: Target, ground: Ground, given: Words, lang: str) -> Any:  # noqa: ANN401 - JSON data
    """Return the JSON form that these words mean.

    Where they fit no choice of the target it is the nearest guess, for the engine to refuse with its reason.
    """
    said = _folded(_english(word, lang) for word in given)
    spots = {_folded(words(json)): json for json in target.spots(ground)}
    if said in spots:
        return spots[said]
    by_set = {frozenset(key): json for key, json in spots.items()}
    return by_set[frozenset(said)] if len(given) > 1 and frozenset(said) in by_set else _guess(given, said)


def _guess(given: Words, said: Words) -> Any:  # noqa: ANN401 - JSON data
    if not given:
        return None
    if len(given) == 1:
        return given[0]
    if len(given) == 2 and not said[1][-1:].isdigit():  # noqa: PLR2004 - a cell and a word
        cell, word = "at" if said[1] in AXES else "from", "axis" if said[1] in AXES else "direction"
        return {cell: given[0], word: said[1]}
    return list(given)


def example(target: Target, ground: Ground, lang: str) -> str:
    """Return how such a target is typed, by an example; empty if none is needed."""
    forms = [words(json) for json in target.spots(ground)]
    fitting = [form for cell in SHOWN for form in forms if form[:1] == (cell,)]
    return " ".join(localised(word, lang) for word in (fitting or forms or [()])[0])


def localised(word: str, lang: str) -> str:
    """Return an axis or a direction as it is shown in this language; any other word as it is."""
    return (known(lang, f"play.word.{word}") or word).partition(" ")[0]


def _english(word: str, lang: str) -> str:
    """Return the axis or the direction that a word of this language means; any other word as it is."""
    said = word.casefold()
    spoken = {plain: (known(lang, f"play.word.{plain}") or "").split() for plain in (*AXES, "right", "left", "up")}
    return next((plain for plain, forms in spoken.items() if said in forms), word)


def _folded(given: Any) -> Words:  # noqa: ANN401 - words
    return tuple(word.casefold() for word in given)


def mended(given: Sequence[str], grid: Grid) -> str | None:
    """Return the cells that were meant by words that are no cells of this grid; None if that is not clear."""
    alone = [_mended(word, grid) for word in given]
    names = alone if all(alone) else [_mended(" ".join(given), grid)]
    return " ".join(name for name in names if name) if all(names) and names else None


def _mended(word: str, grid: Grid) -> str | None:
    found = CELL.fullmatch(word)
    if found is None:
        return None
    name = f"{found['letter'] or found['after']}{found['row'] or found['before']}".upper()
    return name if name in grid.names else None
