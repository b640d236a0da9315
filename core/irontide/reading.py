"""Reading a variant from data: the keys of its TOML form, from a file, Python or a log's header.

What is wrong with the form is collected, every problem with its place; whether the rules make sense is for `build`.
"""

import re
import tomllib
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias, cast

import attrs
import cattrs
from cattrs.gen import make_dict_structure_fn, override

from irontide.codec import complaints, strict_converter
from irontide.errors import CellError, Problem, UnknownName, VariantError
from irontide.events import Names
from irontide.fleet import ShipClass
from irontide.frozen import FrozenDict, freeze
from irontide.grid import Grid
from irontide.variant import RuleUse, Variant

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


def _use(value: object, _: object) -> Use:
    if isinstance(value, str):
        return value
    if isinstance(value, Mapping):
        return cast("FrozenDict", freeze(cast("Mapping[str, object]", value)))
    raise TypeError(f"expected the id of an ability, or a table with `use`, not {value!r}")


def _rule_use(value: object, kind: object) -> RuleUse:
    return RuleUse.of(_use(value, kind))


@cache
def _converter() -> cattrs.Converter:
    converter = strict_converter(detailed=True)
    converter.register_structure_hook(RuleUse, _rule_use)
    converter.register_structure_hook_func(lambda kind: kind == Use, _use)
    converter.register_structure_hook(
        ShipData, make_dict_structure_fn(ShipData, converter, class_=override(rename="class"))
    )
    return converter


class Read(NamedTuple):
    """A variant as far as it could be read, and what could not."""

    variant: Variant
    problems: list[Problem]


def read_variant(data: Mapping[str, Any], base: Callable[[str], Variant], *, whole: bool = False) -> Read:
    """Return the variant of this data on its base; with `whole` nothing is left to a base (a log's header)."""
    given, problems = _structured(data)
    if whole:
        missing = [field.name for field in attrs.fields(VariantData) if field.name not in {*data, "source"}]
        problems += [Problem("bad_form", name, f"key {name!r} is missing") for name in missing]
    start = Variant("")
    if given.base is not None and not whole:
        try:
            start = base(given.base)
        except CircularBase as error:
            problems.append(Problem("circular_base", "base", str(error)))
        except UnknownName as error:
            problems.append(Problem("unknown_variant", "base", str(error)))
    made, wrong = _applied(start, given)
    return Read(attrs.evolve(made, base=given.base), problems + wrong)


def _structured(data: Mapping[str, Any]) -> tuple[VariantData, list[Problem]]:
    """Return what has the right form, and complaints about the keys that do not."""
    wrong = [key for key in LISTS if key in data and not isinstance(data[key], (list, tuple))]
    problems = [Problem("bad_form", key, "expected a list of tables") for key in wrong]
    rest: dict[str, Any] = {key: value for key, value in data.items() if key not in wrong}
    while True:
        try:
            return _converter().structure(rest, VariantData), problems
        except Exception as error:  # noqa: BLE001 - cattrs raises what the hooks raise
            found = [(path.lstrip("."), text) for path, text in complaints(error, "")]
        problems += [Problem("bad_form", path or "variant", text) for path, text in found]
        bad = {re.split(r"[.\[]", path)[0] for path, _ in found}
        known = {field.name for field in attrs.fields(VariantData)}
        rest = {"id": "", **{key: value for key, value in rest.items() if key in known - bad}}


def _applied(start: Variant, given: VariantData) -> tuple[Variant, list[Problem]]:
    grid = {key: value for key, value in attrs.asdict(given.grid).items() if value is not None}
    problems: list[Problem] = []
    try:
        Grid(**{"columns": 1, "rows": 1, **grid})
    except CellError as error:
        problems, grid = [Problem("bad_grid", "grid", str(error))], {}
    made = start.but(
        id=given.id,
        labels=given.labels,
        grid=grid,
        fleet=None if given.fleet is None else [_ship(ship) for ship in given.fleet],
        rules=given.rules,
        abilities=given.abilities,
        drops=given.drops,
        instead_of=given.instead_of,
        limits={key: value for key, value in attrs.asdict(given.limits).items() if value is not None},
        source=given.source,
    )
    return made, problems


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
