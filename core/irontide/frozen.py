"""Values that cannot be changed after they were made: JSON data, and records that are made quickly.

Everything the engine hands to a plugin is built from these, so that nothing a plugin does to it can alter a match.
"""

from collections.abc import Callable, Mapping
from typing import Any, Never, TypeAlias, TypeVar, cast

import attrs

T = TypeVar("T")


class FrozenDict(dict[str, Any]):
    """A dict with string keys that cannot be changed; equal to a plain dict, and hashable."""

    __slots__ = ()

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(tuple(sorted(self.items())))

    def _refuse(self, *_args: object, **_kwargs: object) -> Never:
        msg = "this mapping cannot be changed"
        raise TypeError(msg)

    __setitem__ = __delitem__ = __ior__ = _refuse  # type: ignore[assignment]
    clear = pop = popitem = setdefault = update = _refuse  # type: ignore[assignment]

    def __copy__(self) -> "FrozenDict":
        return self

    def __deepcopy__(self, _memo: object) -> "FrozenDict":
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return FrozenDict, (dict(self),)


Json: TypeAlias = None | bool | int | str | tuple[Any, ...] | FrozenDict
"""Frozen JSON data without floats: what events and refusals may carry."""


def freeze(value: object) -> Json:
    """Return `value` as frozen JSON data.

    Raises:
        TypeError: it is not JSON data, or holds a float (no decision may depend on one).

    """
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, Mapping):
        items = cast("Mapping[object, object]", value)
        if all(isinstance(key, str) for key in items):
            return FrozenDict({cast("str", key): freeze(item) for key, item in items.items()})
    if isinstance(value, (list, tuple)):
        return tuple(freeze(item) for item in cast("list[object]", value))
    msg = f"not JSON data without floats: {value!r}"
    raise TypeError(msg)


def thaw(value: object) -> Any:  # noqa: ANN401 - JSON data has no narrower type
    """Return frozen JSON data as plain lists and dicts, free to change."""
    if isinstance(value, dict):
        return {key: thaw(item) for key, item in cast("dict[str, object]", value).items()}
    if isinstance(value, tuple):
        return [thaw(item) for item in cast("tuple[object, ...]", value)]
    return value


def maker(record: type[T]) -> Callable[..., T]:
    """Return a quick constructor of the frozen attrs class `record`: same arguments, no converters or validators.

    A frozen record fills its slots one guarded call at a time; a plain twin with the same slots is filled in a third
    of that time and then told its real class.
    """
    fields = attrs.fields(cast("type[attrs.AttrsInstance]", record))
    names = [field.name for field in fields]
    slots = vars(record).get("__slots__", ())
    plain = {"__slots__": slots, "__setattr__": object.__setattr__, "__delattr__": object.__delattr__}
    twin = type(f"_{record.__name__}", record.__bases__, plain)
    ordered = sorted(fields, key=lambda field: field.kw_only)
    parameters = ", ".join(f.name if f.default is attrs.NOTHING else f"{f.name}=default_{f.name}" for f in ordered)
    body = "\n    ".join(f"self.{name} = {name}" for name in names)
    source = f"def make({parameters}):\n    self = twin()\n    {body}\n    self.__class__ = record\n    return self"
    scope: dict[str, Any] = {f"default_{f.name}": f.default for f in fields if f.default is not attrs.NOTHING}
    scope |= {"twin": twin, "record": record}
    exec(source, scope)  # noqa: S102 - the source is made of this class's own field names
    return cast("Callable[..., T]", scope["make"])

