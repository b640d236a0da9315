"""Reading a variant from data: the keys of its TOML form, from a file, Python or a log's header.

What is wrong with the form is collected, every problem with its place; whether the rules make sense is for `build`.
"""

import operator
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, partial
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias, cast

import attrs
import cattrs
from cattrs.gen import make_dict_structure_fn, override

from irontide.codec import SeveralError, complaints, strict_converter
from irontide.errors import CellError, Problem, UnknownName, VariantError
from irontide.events import Names
from irontide.fleet import ShipClass
from irontide.frozen import FrozenDict, freeze, shown
from irontide.grid import Grid
from irontide.salvage import loses, salvaged
from irontide.variant import Limits, RuleUse, Variant

Labels = dict[str, str]

Use: TypeAlias = str | FrozenDict
"""An ability or rule by its id, or a table with `use` and its parameters."""


class CircularBase(UnknownName):
    """A variant whose base is, in the end, itself."""


@attrs.frozen
class GridData:
    """The `[grid]` table."""

    columns: int | None = None
    rows: int | None = None


@attrs.frozen
class ShipData:
    """One `[[fleet]]` table."""

    class_: str
    length: int = 0
    shape: Names = ()
    count: int = 1
    mirror: bool = False
    labels: Labels = attrs.field(factory=dict[str, str])


@attrs.frozen
class LimitsData:
    """The `[limits]` table."""

    depth: int | None = None
    events: int | None = None
    runs: int | None = None
    quiet_turns: int | None = None


@attrs.frozen
class VariantData:
    """The keys of a variant; what is left out comes from its base."""

    id: str
    base: str | None = None
    labels: Labels | None = None
    grid: GridData = attrs.field(factory=GridData)
    fleet: tuple[ShipData, ...] | None = None
    rules: tuple[RuleUse, ...] = ()
    abilities: dict[str, Use] = attrs.field(factory=dict[str, Use])
    drops: Names = ()
    instead_of: Labels = attrs.field(factory=dict[str, str])
    limits: LimitsData = attrs.field(factory=LimitsData)
    source: str = ""


LISTS = ("fleet", "rules")

NEEDS: Final = frozenset({("missing_rule", "rules"), ("missing_rule", "abilities")})

READ: Final = frozenset({"unknown_ship", "conflict"})
"""Codes of what is found while reading, but keeps nothing from being read."""

FOLLOWS: Final[Mapping[str, frozenset[tuple[str, str]]]] = {
    "base": NEEDS | {("unknown_rule", "drops"), ("unknown_ship", "abilities"), ("bad_form", "abilities")},
    "grid": frozenset({("no_room", "fleet")}),
    "fleet": frozenset({("unknown_ship", "abilities"), ("no_room", "fleet")}),
    "rules": NEEDS | {("unknown_rule", "drops")},
    "abilities": frozenset({("unknown_rule", "drops")}),
}
"""By the key that could not be read, the problems that may only come of that: their codes, and the keys they are at."""


def _use(value: object, _: object) -> Use:
    if isinstance(value, str):
        return value
    if isinstance(value, Mapping):
        table = cast("Mapping[str, object]", value)
        wrong = [(key, text) for key, one in table.items() if (text := _odd(one))]
        if wrong:
            raise SeveralError(wrong)
        return cast("FrozenDict", freeze(table))
    raise TypeError(f"expected the id of an ability, or a table with `use`, not {shown(value)}")


def _odd(value: object) -> str:
    """Return why something can't be a parameter; nothing if it can."""
    if isinstance(value, float):
        return f"expected a whole number, not {value}"
    try:
        freeze(value)
    except TypeError as error:
        return str(error)
    return ""


def _table(value: object, of: str) -> dict[str, Any]:
    if isinstance(value, Mapping):
        return dict(cast("Mapping[str, Any]", value))
    raise TypeError(f"expected a table of {of}, not {shown(value)}")


def _tables(of: str, read: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """Return what reads a table, and says so where it is given something else."""
    return lambda value, kind: read(_table(value, of), kind)


def _record(kind: type, converter: cattrs.Converter, **changes: Any) -> Callable[[Any, Any], Any]:  # noqa: ANN401 - cattrs' overrides
    """Return what reads one table of fixed keys."""
    keys = ", ".join(field.name.rstrip("_") for field in attrs.fields(cast("type[attrs.AttrsInstance]", kind)))
    return _tables(keys, make_dict_structure_fn(cast("Any", kind), converter, **changes))


def _rule_use(value: object, kind: object) -> RuleUse:
    return RuleUse.of(_use(value, kind))


@cache
def _converter() -> cattrs.Converter:
    converter = strict_converter(detailed=True)
    converter.register_structure_hook(RuleUse, _rule_use)
    converter.register_structure_hook_func(lambda kind: kind == Use, _use)
    for kind, of in ((Labels, "texts"), (dict[str, Use], "abilities by ship class")):
        read = _tables(of, converter.get_structure_hook(kind))
        converter.register_structure_hook_func(partial(operator.eq, kind), read)
    converter.register_structure_hook(ShipData, _record(ShipData, converter, class_=override(rename="class")))
    for table in (GridData, LimitsData):
        converter.register_structure_hook(table, _record(table, converter))
    return converter


class Read(NamedTuple):
    """A variant as far as it could be read, and what could not."""

    variant: Variant
    problems: list[Problem]


def read_variant(data: Mapping[str, Any], base: Callable[[str], Variant]) -> Read:
    """Return the variant of this data on its base."""
    given, problems = _structured(data)
    start = Variant("")
    if given.base is not None:
        try:
            start = base(given.base)
        except CircularBase as error:
            problems.append(Problem("circular_base", "base", str(error)))
        except UnknownName as error:
            problems.append(Problem("unknown_variant", "base", str(error)))
    made, wrong = _applied(start, given)
    return Read(attrs.evolve(made, base=given.base), problems + wrong)


def variant_from_json(data: object) -> Variant:
    """Return the variant of its own `data()` or `to_json`, which leave nothing to a base: the same variant again.

    No plugin is asked, so whether the rules are there and make sense is left to whoever builds it: a match or a
    registry. To fold what a seat was told, they need not be there.

    Raises:
        VariantError: the data does not have the form; with every problem.

    """
    given, problems = _structured(cast("Mapping[str, Any]", data))
    whole = cast("Mapping[str, Any]", data if isinstance(data, Mapping) else attrs.asdict(given))
    missing = [field.name for field in attrs.fields(VariantData) if field.name not in {*whole, "source"}]
    problems += [Problem("bad_form", name, f"key {name!r} is missing") for name in missing]
    grid, wrong = _grid(given)
    fleet = tuple([_ship(ship) for ship in given.fleet or ()])
    problems += wrong + [problem for n, ship in enumerate(fleet) for problem in ship.problems(f"fleet[{n}]")]
    if problems:
        raise VariantError(given.id, problems)
    return Variant(
        id=given.id,
        base=given.base,
        labels=given.labels or {},
        grid=Grid(**grid),
        fleet=fleet,
        rules=given.rules,
        abilities={class_: RuleUse.of(use) for class_, use in given.abilities.items()},
        drops=given.drops,
        instead_of=given.instead_of,
        limits=Limits(**_given(given.limits)),
        source=given.source,
    )


def _structured(data: Mapping[str, Any]) -> tuple[VariantData, list[Problem]]:
    """Return what has the right form, and complaints about the keys that do not."""
    if not isinstance(data, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance] - it came from outside
        return VariantData(""), [Problem("bad_form", "variant", f"expected a table, not {shown(data)}")]
    wrong = [key for key in LISTS if key in data and not isinstance(data[key], (list, tuple))]
    problems = [Problem("bad_form", key, f"expected a list of tables{_instead(key, data[key])}") for key in wrong]
    rest: dict[str, Any] = {key: value for key, value in data.items() if key not in wrong}
    while True:  # what a complaint is about is then left out
        try:
            return _converter().structure(rest, VariantData), problems
        except Exception as error:  # noqa: BLE001 - cattrs raises what the hooks raise
            found = [(path.lstrip("."), text) for path, text in complaints(error, "")]
        problems += [Problem("bad_form", path or "variant", text) for path, text in found]
        kept = salvaged(rest, found)
        if kept == rest:  # a key was too odd to be found again
            known = {field.name for field in attrs.fields(VariantData)} - {_key(path) for path, _ in found}
            kept = {key: value for key, value in rest.items() if key in known}
        rest = {"id": "", **kept}


def _instead(key: str, given: object) -> str:
    return f": write [[{key}]] for each" if isinstance(given, Mapping) else f", not {shown(given)}"


def fresh(unread: list[Problem], built: Iterable[Problem]) -> list[Problem]:
    """Return what is wrong with a variant as it was built that does not merely follow from what could not be read."""
    wrong = [problem for problem in unread if problem.code not in READ]
    if not wrong:
        return [*built]
    known = {"fleet", *(problem.place for problem in wrong)}
    lost = [problem.place for problem in wrong if loses(problem.place, problem.text) or _key(problem.place) == "grid"]
    follows = {pair for place in lost for pair in FOLLOWS.get(_key(place), ())}
    return [one for one in built if one.place not in known and (one.code, _key(one.place)) not in follows]


def _key(place: str) -> str:
    return re.split(r"[.\[]", place)[0]


def _given(table: "GridData | LimitsData") -> dict[str, int]:
    return {key: value for key, value in attrs.asdict(table).items() if value is not None}


def _grid(given: VariantData) -> tuple[dict[str, int], list[Problem]]:
    """Return what is said of the grid as far as it can be, and what is wrong with the rest."""
    grid, problems = _given(given.grid), list[Problem]()
    for key, value in [*grid.items()]:
        try:
            Grid(**{"columns": 1, "rows": 1, key: value})
        except CellError as error:
            problems.append(Problem("bad_grid", f"grid.{key}", str(error)))
            del grid[key]
    return grid, problems


def _applied(start: Variant, given: VariantData) -> tuple[Variant, list[Problem]]:
    grid, problems = _grid(given)
    problems += _twice(given)
    homeless = _homeless(start, given)
    if homeless:
        text = f"the base gives abilities to ships that this fleet lacks; take those away with drops = {homeless}"
        problems.append(Problem("unknown_ship", "fleet", text.replace("'", '"')))
    made = start.but(
        id=given.id,
        labels=given.labels,
        grid=grid,
        fleet=None if given.fleet is None else [_ship(ship) for ship in given.fleet],
        rules=given.rules,
        abilities=given.abilities,
        drops=(*given.drops, *homeless),
        instead_of=given.instead_of,
        limits=_given(given.limits),
        source=given.source,
    )
    return made, problems


def _homeless(start: Variant, given: VariantData) -> list[str]:
    """Return the abilities of the base of which the fleet that is given has not the ship."""
    if given.fleet is None:
        return []
    ships = {ship.class_ for ship in given.fleet} | {*given.abilities}
    return [use.use for class_, use in start.abilities.items() if class_ not in ships and use.use not in given.drops]


def _twice(given: VariantData) -> Iterator[Problem]:
    """Yield each rule that is listed again: the places would be merged, which nobody means."""
    before = set[str]()
    for number, use in enumerate(given.rules):
        if use.use in before:
            text = f"the rule {use.use!r} is listed twice: give all its parameters in one place"
            yield Problem("conflict", f"rules[{number}]", text)
        before.add(use.use)


def _ship(ship: ShipData) -> ShipClass:
    return ShipClass(ship.class_, ship.length, ship.shape, ship.count, ship.mirror, FrozenDict(ship.labels))


def read_file(path: "Path | str") -> dict[str, Any]:
    """Return the data of a TOML file.

    Raises:
        VariantError: the file is no TOML.
        OSError: the file cannot be read.

    """
    try:
        return tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except (
        ValueError,
        RecursionError,
    ) as error:  # no TOML, no UTF-8, a number of too many digits, or nested too deeply
        raise VariantError(str(path), [Problem("bad_form", str(path), f"not TOML: {error}")]) from None
