"""Parameters as they were built: one rule serves many matches, so no handler may leave them changed."""

from copy import deepcopy
from typing import cast

import attrs

from irontide.frozen import is_fixed, unchanged
from irontide.rules import Rule

ABSENT = object()


class Built:
    """The parameters of one rule; of those that can be changed in place also what they were, where that can be told."""

    __slots__ = ("_loose", "_rule", "parameters")

    def __init__(self, rule: Rule) -> None:
        """Take a rule that was just built."""
        self._rule = rule
        names = [field.name for field in attrs.fields(cast("type[attrs.AttrsInstance]", type(rule)))]
        self.parameters = tuple([(name, object.__getattribute__(rule, name)) for name in names])
        self._loose = {name: kept for name, value in self.parameters if (kept := _copied(value)) is not ABSENT}

    def holds(self) -> bool:
        """Tell whether the rule's parameters are those it was built with; put them back if not, for other matches."""
        whole = True
        for name, value in self.parameters:
            try:
                now = object.__getattribute__(self._rule, name)
            except AttributeError:
                now = ABSENT
            if now is not value:
                object.__setattr__(self._rule, name, value)
                whole = False
        return self._as_copied() and whole if self._loose else whole

    def _as_copied(self) -> bool:
        parameters = dict(self.parameters)
        changed = [name for name, kept in self._loose.items() if not unchanged(parameters[name], kept)]
        for name in changed:
            parameters[name] = deepcopy(self._loose[name])
            object.__setattr__(self._rule, name, parameters[name])
        self.parameters = tuple(parameters.items()) if changed else self.parameters
        return not changed


def _copied(value: object) -> object:
    """Return a copy of a value that can be changed in place, to compare it with; ABSENT if there is no need or way."""
    if is_fixed(value):
        return ABSENT
    try:
        copy = deepcopy(value)
    except Exception:  # noqa: BLE001 - a parameter may be anything
        return ABSENT
    return copy if unchanged(copy, value) else ABSENT
