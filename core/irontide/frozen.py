"""Values that cannot be changed after they were made: JSON data, and records that are made quickly.

Everything the engine hands to a plugin is built from these, so that nothing a plugin does to it can alter a match.
"""

from collections.abc import Callable, Mapping
from copy import copy
from functools import partial
from operator import attrgetter
from typing import Any, Never, TypeAlias, TypeGuard, TypeVar, cast

import attrs

T = TypeVar("T")


class FrozenDict(dict[str, Any]):
    """A dict with string keys that cannot be changed; equal to a plain dict, and hashable."""

    __slots__ = ()

    def __hash__(self) -> int:  # type: ignore[override]  # pyright: ignore[reportIncompatibleVariableOverride] - a dict has none
        return hash(tuple(sorted(self.items())))

    def _refuse(self, *_args: object, **_kwargs: object) -> Never:
        raise TypeError("this mapping cannot be changed")

    __setitem__ = __delitem__ = __ior__ = clear = pop = popitem = _refuse
    setdefault = update = _refuse  # pyright: ignore[reportAssignmentType] - it takes anything

    def __copy__(self) -> "FrozenDict":
        return self

    def __deepcopy__(self, _memo: object) -> "FrozenDict":
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return FrozenDict, (dict(self),)


Json: TypeAlias = bool | int | str | tuple[Any, ...] | FrozenDict | None
"""Frozen JSON data without floats: what events and refusals may carry."""


DEEPEST = 32
"""How deep JSON data may be nested."""


def is_text(value: object) -> bool:
    """Tell whether a value is a text that can be written as UTF-8 (a lone surrogate cannot)."""
    if type(value) is not str:
        return False
    if not value.isascii():
        try:
            value.encode()
        except UnicodeEncodeError:
            return False
    return True


BIGGEST = 2**1024 - 1
"""The largest number in JSON data, and below 0 likewise: room for a set of cells, and always writable."""


def is_number(value: object) -> TypeGuard[int]:
    """Tell whether a value is an integer, and no bool, of at most 1024 bits."""
    return type(value) is int and -BIGGEST <= value <= BIGGEST


def freeze(value: object, depth: int = 0, *, text: Callable[[object], bool] = is_text) -> Json:
    """Return `value` as frozen JSON data; `text` says what is a text.

    Raises:
        TypeError: it is not JSON data, holds a float (no decision may depend on one) or a number of more than 1024
            bits, or is nested too deeply.

    """
    if value is None or type(value) is bool or is_number(value) or text(value):
        return cast("Json", value)
    if depth == DEEPEST:
        raise TypeError(f"nested more than {DEEPEST} deep")
    if type(value) is int:
        raise TypeError(f"a number is of at most 1024 bits, not {shown(value, LONGEST)}")
    if isinstance(value, (list, tuple)):
        if all(map(text, cast("list[object]", value))):
            return tuple(cast("list[str]", value))
        return tuple([freeze(item, depth + 1, text=text) for item in cast("list[object]", value)])
    if isinstance(value, (dict, Mapping)):
        items = cast("Mapping[str, object]", value)
        if all(map(text, items)):
            return FrozenDict({key: freeze(item, depth + 1, text=text) for key, item in items.items()})
    raise TypeError(f"not JSON data without floats: {_unfit(value)}")  # pyright: ignore[reportUnknownArgumentType] - of nobody knows what


def _unfit(value: object) -> str:
    derived = isinstance(value, (int, str)) and type(value) is not str
    return f"{shown(value, LONGEST)}, of {kind_of(value)}" if derived else shown(value, LONGEST)


def is_frozen(value: object, depth: int = 0) -> bool:
    """Tell whether a value is frozen JSON data as `freeze` makes it, all through."""
    if depth > DEEPEST:
        return False
    if type(value) is tuple:
        return all(is_frozen(item, depth + 1) for item in cast("tuple[object, ...]", value))
    if type(value) is FrozenDict:
        return all(is_text(key) and is_frozen(item, depth + 1) for key, item in value.items())
    return value is None or type(value) is bool or is_number(value) or is_text(value)


LONGEST = 80
"""How much of a bad value an error shows."""


def thaw(value: object) -> Any:  # noqa: ANN401 - JSON data has no narrower type
    """Return frozen JSON data as plain lists and dicts, free to change."""
    if isinstance(value, dict):
        if PLAIN.issuperset(map(type, cast("dict[str, object]", value).values())):
            return dict(cast("dict[str, object]", value))
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
    source = f"def make({parameters}):\n    self = new(twin)\n    {body}\n    self.__class__ = record\n    return self"
    scope: dict[str, Any] = {f"default_{f.name}": f.default for f in fields if f.default is not attrs.NOTHING}
    scope |= {"new": object.__new__, "twin": twin, "record": record}
    exec(source, scope)  # noqa: S102 - the source is made of this class's own field names
    return cast("Callable[..., T]", scope["make"])


PLAIN = frozenset({int, str, bool, type(None)})
"""What cannot be changed even by force."""


def replica(value: T) -> T:
    """Return an equal value that shares nothing with this one that could be changed, even by force.

    For what is handed to a plugin: whatever it does to the replica, the original stays as it is. What cannot be changed
    at all is its own replica.
    """
    kind = type(value)
    if kind in PLAIN:
        return value
    copier = _COPIERS.get(kind)
    if copier is None:
        copier = _COPIERS[kind] = _copier(kind)
    made: T = copier(value)
    return made


_COPIERS: dict[type, Callable[[Any], Any]] = {}


def _copier(kind: type) -> Callable[[Any], Any]:
    if issubclass(kind, FrozenDict):
        return lambda value: FrozenDict({key: replica(item) for key, item in value.items()})
    if issubclass(kind, tuple):
        return _tuple_copier(kind)  # pyright: ignore[reportUnknownArgumentType] - narrowed by what it is not
    if attrs.has(kind):  # pyright: ignore[reportUnknownArgumentType] - narrowed by what it is not
        return _record_copier(kind)
    copier: Callable[[Any], Any] = getattr(cast("Any", kind), "__copy__", None) or copy
    return copier


def _tuple_copier(kind: type[tuple[Any, ...]]) -> Callable[[tuple[object, ...]], Any]:
    """Return what copies tuples of this class, named or plain."""
    make = cast("Callable[[Any], Any]", tuple if kind is tuple else vars(kind)["_make"].__get__(None, kind))

    def copied(value: tuple[object, ...]) -> Any:  # noqa: ANN401 - a tuple of this class
        for item in value:
            if type(item) not in PLAIN and not is_fixed(item):
                return make(map(replica, value))
        return value

    return copied


def is_fixed(value: object) -> bool:
    """Tell whether neither a value nor anything it holds can be changed, without looking far."""
    kind = type(value)
    return kind in PLAIN or (kind is tuple and PLAIN.issuperset(map(type, cast("tuple[object, ...]", value))))


FLAT = (int, str, bool, int | None, str | None, bool | None, tuple[str, ...], tuple[str, ...] | None)
"""Types of fields that hold nothing which could be changed even by force."""


def _record_copier(kind: type) -> Callable[[Any], Any]:
    attrs.resolve_types(kind)
    fields = sorted(attrs.fields(kind), key=lambda field: field.kw_only)
    if "__weakref__" in vars(kind)["__slots__"] or len(fields) == 1:
        puts = [(field.name, getattr(kind, field.name).__set__) for field in fields]
        return partial(_refilled, kind, puts)
    make: Callable[..., Any] = maker(kind)
    values: Callable[[Any], tuple[Any, ...]] = attrgetter(*(field.name for field in fields))
    deep = [place for place, field in enumerate(fields) if field.type not in FLAT]
    if not deep:
        return lambda value: make(*values(value))

    def copied(value: Any) -> Any:  # noqa: ANN401 - a record of this class
        items = [*values(value)]
        for place in deep:
            items[place] = replica(items[place])
        return make(*items)

    return copied


def _refilled(kind: type[T], puts: list[tuple[str, Callable[[T, Any], None]]], value: T) -> T:
    new: T = object.__new__(kind)
    for name, put in puts:
        put(new, replica(getattr(value, name)))
    return new


def unchanged(one: object, value: object) -> bool:
    """Tell whether a replica still equals its original. What cannot be compared was changed."""
    try:
        return type(one) is type(value) and bool(one == value)
    except Exception:  # noqa: BLE001 - a plugin may have put anything there
        return False


def shown(value: object, most: int = 200) -> str:
    """Return a value as text for people, whatever it is; of a long text the beginning."""
    try:
        text = str.__str__(repr(value))
    except Exception:  # noqa: BLE001 - a plugin's own record may break even here
        text = f"<{kind_of(value)}>"
    return text if len(text) <= most else f"{text[:most]}..."


def kind_of(value: object) -> str:
    """Return the name of a value's class, whatever that class says of itself."""
    name: str = _NAME.__get__(type(value))
    return name


_NAME: Any = vars(type)["__name__"]
