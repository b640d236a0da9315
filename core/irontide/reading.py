"""Reading a variant from data: the keys of its TOML form, from a file, Python or a log's header.

What is wrong with the form is collected, every problem with its place; whether the rules make sense is `build`'s question.
"""

import tomllib
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, cast

import attrs
import cattrs
from cattrs.gen import make_dict_structure_fn, override

from irontide.codec import complaints, strict_converter
from irontide.errors import CellError, Problem, VariantError
from irontide.fleet import ShipClass
from irontide.frozen import FrozenDict, freeze
from irontide.variant import RuleUse, Variant

Labels = dict[str, str]


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
    shape: tuple[str, ...] = ()
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
    abilities: dict[str, RuleUse] = attrs.field(factory=dict[str, RuleUse])
    drops: tuple[str, ...] = ()
    instead_of: Labels = attrs.field(factory=dict[str, str])
    limits: LimitsData = attrs.field(factory=LimitsData)


def _rule_use(value: object, _: object) -> RuleUse:
    given = {"use": value} if isinstance(value, str) else value
    if not isinstance(given, Mapping) or not isinstance(cast("Mapping[str, object]", given).get("use"), str):
        msg = "a rule needs `use`, the id of the rule"
        raise TypeError(msg)
    freeze(cast("Mapping[str, object]", given))
    return RuleUse.of(cast("Mapping[str, Any]", given))


@cache
def _converter() -> cattrs.Converter:
    converter = strict_converter(detailed=True)
    converter.register_structure_hook(RuleUse, _rule_use)
    converter.register_structure_hook(
        ShipData, make_dict_structure_fn(ShipData, converter, class_=override(rename="class"))
    )
    return converter


def variant_from_data(
    data: Mapping[str, Any], base: Callable[[str], Variant], where: str = "variant", *, whole: bool = False
) -> Variant:
    """Return the variant of this data on its base; with `whole` nothing is left to the base (a log's header).

    Raises:
        VariantError: it does not have the form; with every problem.

    """
    try:
        given = _converter().structure(data, VariantData)
    except Exception as error:  # noqa: BLE001 - cattrs raises what the hooks raise
        problems = [Problem("bad_form", path.lstrip("."), text) for path, text in complaints(error, "")]
        raise VariantError(str(data.get("id", where)), problems) from None
    start = Variant("") if whole or given.base is None else base(given.base)
    try:
        made = start.but(
            id=given.id,
            labels=given.labels,
            grid={key: value for key, value in attrs.asdict(given.grid).items() if value is not None},
            fleet=None if given.fleet is None else [_ship(ship) for ship in given.fleet],
            rules=given.rules,
            abilities=given.abilities,
            drops=given.drops,
            instead_of=given.instead_of,
            limits={key: value for key, value in attrs.asdict(given.limits).items() if value is not None},
        )
    except CellError as error:
        raise VariantError(given.id, [Problem("bad_grid", "grid", str(error))]) from None
    return attrs.evolve(made, base=given.base)


def _ship(ship: ShipData) -> ShipClass:
    length = 0 if ship.shape and not ship.length else ship.length
    return ShipClass(ship.class_, length, ship.shape, ship.count, ship.mirror, FrozenDict(ship.labels))


def variant_from_file(path: "Path | str", base: Callable[[str], Variant]) -> Variant:
    """Return the variant of a TOML file.

    Raises:
        VariantError: the file is no TOML, or not of the form.
        OSError: the file cannot be read.

    """
    try:
        data = tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise VariantError(str(path), [Problem("bad_form", str(path), f"not TOML: {error}")]) from None
    return variant_from_data(data, base, str(path))


