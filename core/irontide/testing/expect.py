"""What a test expects of events, and what it is shown instead."""

from collections.abc import Iterable, Mapping
from json import dumps
from typing import Any


def fits(wanted: Mapping[str, object], found: Mapping[str, Any]) -> bool:
    """Tell whether data has these fields; None stands for one that is null or withheld, `class_` for `class`."""
    return all(_same(value, found.get(name.rstrip("_"))) for name, value in wanted.items())


def _same(wanted: object, found: object) -> bool:
    """Tell whether two things are the same as JSON, which knows no tuples and tells true from 1."""
    return dumps(wanted, sort_keys=True) == dumps(found, sort_keys=True)


def event_text(fields: Mapping[str, object]) -> str:
    """Return an event, or what is wanted of one, as a line."""
    shown = [f"{name.rstrip('_')}={value!r}" for name, value in fields.items() if name not in {"type", "n", "cause"}]
    return " ".join([str(fields["type"]), *shown])


def listed(events: Iterable[Mapping[str, object]]) -> str:
    """Return events as numbered lines."""
    lines = [
        f"\n  {number}. {event_text({name: value for name, value in event.items() if value is not None})}"
        for number, event in enumerate(events, 1)
    ]
    return "".join(lines) or " none"
