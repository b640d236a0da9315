"""Names that people mistype: the nearest known one, as a suggestion."""

from collections.abc import Iterable
from difflib import get_close_matches


def hint(given: object, known: Iterable[str]) -> str:
    """Return ", did you mean ...?" for the nearest known name, or nothing if none is near."""
    near = get_close_matches(given, sorted(known), n=1) if isinstance(given, str) else []
    return f", did you mean {near[0]!r}?" if near else ""
