"""What happened, as sentences: shots that follow each other told as one, and as many as there is room for."""

import textwrap
from collections.abc import Mapping, Sequence
from typing import Any, Final, TypeAlias, cast

import attrs

from irontide import Variant, text
from irontide_play.aims import localised, words
from irontide_play.labels import ability_label, known, ship_label

Told: TypeAlias = Sequence[Mapping[str, Any]]

SILENT: Final = ("turn_started", "turn_ended", "points_gained", "points_spent", "match_created", "fleet_placed")
"""Events that are no sentence of their own on the screen, which shows what they tell."""


@attrs.frozen
class News:
    """What a seat is to be told: events, before them a remark of the host, and after them what is to be done."""

    told: Told = ()
    remark: str = ""
    after: str = ""

    def sentences(self, variant: Variant, lang: str) -> list[str]:
        """Return all of it as sentences."""
        told = [sentence(event, lang, variant) for event in condensed(self.told)]
        return [line for line in (self.remark, *told, self.after) if line]


def sentence(event: Mapping[str, Any], lang: str, variant: Variant) -> str:
    """Return a sentence of an event, with its target in the words that a player types in this language."""
    target = event.get("target")
    if isinstance(target, Mapping):
        spoken = [_spoken(word, lang, variant) for word in words(cast("Mapping[str, Any]", target))]
        return text({**event, "target": " ".join(spoken)}, lang, variant)
    return text(event, lang, variant)


def _spoken(word: str, lang: str, variant: Variant) -> str:
    if variant.ship_class(word) is not None:
        return ship_label(variant, word, lang)
    return localised(word, lang) if known(lang, f"play.word.{word}") else ability_label(word, lang)


def condensed(told: Told) -> list[Mapping[str, Any]]:
    """Return the events that have a sentence; shots that follow each other and had the same answer are one."""
    found: list[Mapping[str, Any]] = []
    for event in told:
        if event["type"] in SILENT:
            continue
        if found and _alike(found[-1], event):
            found[-1] = {**found[-1], "at": [*found[-1]["at"], event["at"]]}
        else:
            found.append({**event, "at": [event["at"]]} if event["type"] == "shot_fired" else event)
    return found


def _alike(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    keys = ("type", "by", "told", "ship")
    return other["type"] == "shot_fired" and [one.get(key) for key in keys] == [other.get(key) for key in keys]


def fitted(sentences: Sequence[str], columns: int, room: int | None) -> list[str]:
    """Return a line for each sentence; if there is no room for that they are packed, and the oldest left out."""
    lines = [line for one in sentences for line in wrapped(one, columns)]
    if room is None or len(lines) <= room:
        return lines
    for start in range(len(sentences)):
        lines = wrapped(("… " if start else "") + " ".join(sentences[start:]), columns)
        if len(lines) <= room:
            break
    return lines[-room:]


def wrapped(sentence: str, columns: int) -> list[str]:
    """Return a text in lines that fit, those after the first set in; its own line breaks stay.

    Between words that a no-break space joins no line ends; it is shown as a plain one.
    """
    wrapper = textwrap.TextWrapper(
        max(columns - 1, 1), subsequent_indent="  ", break_long_words=False, break_on_hyphens=False
    )
    parts = sentence.splitlines() or [""]
    return [line.replace("\N{NO-BREAK SPACE}", " ") for part in parts for line in wrapper.wrap(part) or [""]]
