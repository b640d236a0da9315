"""What the class of a rule or an ability declares: checked when it is registered."""

from typing import cast

from irontide.frozen import is_text, shown
from irontide.rules import Ability, Rule, Terms
from irontide.targets import Target


def misdeclared(class_: type[Rule]) -> str | None:
    """Return what is wrong with what a class declares of itself, or None."""
    for name in ("place", "instead_of", "about"):
        value: object = getattr(class_, name)
        if value is not None and not is_text(value):
            return f"{class_.id!r} is declared with {name}={shown(value)}: expected a text, or None"
    for name in ("needs", "hides", "tells"):
        given: object = getattr(class_, name)
        texts = cast("tuple[object, ...]", given) if type(given) in (tuple, list) else None
        if texts is None or (name == "needs" and not all(map(is_text, texts))):  # facts are looked up by the build
            return f"{class_.id!r} is declared with {name}={shown(given)}: expected a tuple of texts"
    return _no_ability(class_) if issubclass(class_, Ability) else None


def _no_ability(class_: type[Ability]) -> str | None:
    for name, kind in (("target", Target), ("terms", Terms), ("shoots", bool)):
        value: object = getattr(class_, name)
        if not isinstance(value, kind):
            return f"{class_.id!r} is declared with {name}={shown(value)}: expected a {kind.__name__}"
    return None
