"""Findings: one thing that is wrong, or looks wrong, with its place."""

from collections.abc import Mapping
from typing import Any

import attrs

from irontide_play.checks.places import Spot


@attrs.frozen
class Finding:
    """One thing that was found: a stable code, a sentence, and where it stands."""

    code: str
    text: str
    place: str = ""
    spot: Spot = attrs.field(factory=Spot)
    sure: bool = True
    """Whether it is wrong for certain; else it only looks so, and is a warning."""
    hint: bool = False
    """Whether nothing is wrong with it: only good to know."""

    def data(self) -> Mapping[str, Any]:
        """Return it as JSON data."""
        return {
            "code": self.code, "text": self.text, "place": self.place, "file": self.spot.file, "line": self.spot.line
        }  # fmt: skip

    def __str__(self) -> str:
        where = ": ".join(part for part in (str(self.spot), self.place) if part)
        return f"{'' if self.sure else 'hint: ' if self.hint else 'warning: '}{where}: {self.text} [{self.code}]"
