"""Variants: the rules of a match as data that compose, the same from Python, TOML and a log's header."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias, cast

import attrs

from irontide.errors import Problem, VariantError
from irontide.fleet import ShipClass
from irontide.frozen import FrozenDict, freeze, shown, thaw
from irontide.grid import Grid
from irontide.targets import Ground

Params: TypeAlias = Mapping[str, Any]


def _params(params: Mapping[str, object]) -> FrozenDict:
    try:
        return cast("FrozenDict", freeze(params))
    except TypeError as error:
        problem = Problem("bad_parameter", "rules", f"the parameters of a rule or ability: {error}")
        raise VariantError("under construction", [problem]) from None


@attrs.frozen
class RuleUse:
    """A rule or ability that a variant uses, with its parameters."""

    use: str
    params: Params = attrs.field(factory=FrozenDict, converter=_params)

    @classmethod
    def of(cls, given: "RuleUse | str | Params") -> "RuleUse":
        """Return it from its id, or from a mapping of `use` and the parameters."""
        if isinstance(given, RuleUse):
            return given
        if isinstance(given, Mapping):
            return cls(given.get("use", ""), {key: value for key, value in given.items() if key != "use"})
        return cls(given)

    def data(self) -> dict[str, Any]:
        """Return it as plain data."""
        return {"use": self.use, **thaw(self.params)}


@attrs.frozen
class Limits:
    """What stops a runaway: within one command, and for a match that gets nowhere."""

    depth: int = 32
    """How long a chain of reactions to reactions may get."""
    events: int = 2_000
    """How many events one command may have, for each hundred cells of a grid or part of it."""
    runs: int = 500
    """How often one handler may run in one command, for each hundred cells of a grid or part of it."""
    quiet_turns: int = 200
    """After so many turns in a row without a shot at a new cell the match is a draw (`no_progress`)."""

    def over(self, cells: int) -> "Limits":
        """Return what stops a runaway on a grid of so many cells: a salvo at all of them is none."""
        hundreds = -(-cells // 100)
        return attrs.evolve(self, events=self.events * hundreds, runs=self.runs * hundreds)


@attrs.frozen(cache_hash=True)
class Variant:
    """The rules of a match: grid, fleet, rules with parameters, an ability for each class that has one.

    Frozen; `but` makes another of it. Nothing is checked before it is built, by a registry or by a new match.
    """

    id: str
    base: str | None = None
    labels: Mapping[str, str] = attrs.field(factory=FrozenDict, converter=FrozenDict)
    grid: Grid = attrs.field(default=Grid(10, 10))
    fleet: tuple[ShipClass, ...] = ()
    rules: tuple[RuleUse, ...] = ()
    abilities: Mapping[str, RuleUse] = attrs.field(factory=FrozenDict, converter=FrozenDict)
    drops: tuple[str, ...] = ()
    instead_of: Mapping[str, str] = attrs.field(factory=FrozenDict, converter=FrozenDict)
    limits: Limits = attrs.field(factory=Limits)
    source: str = ""
    """Where these rules are written down, for people."""

    def __attrs_post_init__(self) -> None:
        """Refuse what is no record at all; whether it makes sense is a question for when it is built."""
        kinds: dict[str, tuple[type, type]] = {
            "grid": (Grid, object), "fleet": (tuple, ShipClass), "rules": (tuple, RuleUse), "drops": (tuple, object),
            "abilities": (FrozenDict, RuleUse), "instead_of": (FrozenDict, object), "limits": (Limits, object),
        }  # fmt: skip
        for name, (kind, inner) in kinds.items():
            value: object = getattr(self, name)
            if not isinstance(value, kind) or not all(isinstance(item, inner) for item in _items(value)):
                text = f"a {kind.__name__} of {inner.__name__}s is needed, not {shown(value)}"
                raise VariantError(shown(self.id), [Problem("bad_form", name, text)])

    def but(  # noqa: PLR0913 - the keys of the record
        self,
        *,
        id: str,
        labels: Mapping[str, str] | None = None,
        grid: "Grid | Mapping[str, int] | None" = None,
        fleet: Sequence[ShipClass] | None = None,
        rules: "Sequence[RuleUse | str | Params]" = (),
        abilities: "Mapping[str, RuleUse | str | Params | None] | None" = None,
        drops: Sequence[str] = (),
        instead_of: Mapping[str, str] | None = None,
        limits: Mapping[str, int] | None = None,
        source: str = "",
    ) -> "Variant":
        """Return this variant with these differences.

        Rules and abilities merge by id and by class, parameter by parameter, and None takes an ability away; a fleet
        replaces the fleet. What is dropped goes first, so a dropped ability can be given to another class.
        """
        gone = set(drops)
        kept_rules = [use for use in self.rules if use.use not in gone]
        kept_abilities = {class_: use for class_, use in self.abilities.items() if use.use not in gone}
        found = {use.use for use in (*self.rules, *self.abilities.values())}
        uses = [RuleUse.of(use) for use in rules]
        merged = _merged_abilities(kept_abilities, abilities or {})
        added = {use.use for use in (*uses, *(merged[class_] for class_ in abilities or {} if class_ in merged))}
        return Variant(
            id=id,
            base=self.id,
            labels=labels or {},
            grid=self._grid(grid),
            fleet=self.fleet if fleet is None else tuple(fleet),
            rules=_merged(kept_rules, uses),
            abilities=merged,
            drops=tuple(dict.fromkeys(drop for drop in (*self.drops, *drops) if drop not in added | found)),
            instead_of={**self.instead_of, **(instead_of or {})},
            limits=attrs.evolve(self.limits, **(limits or {})),
            source=source,
        )

    def _grid(self, change: "Grid | Mapping[str, int] | None") -> Grid:
        return change if isinstance(change, Grid) else attrs.evolve(self.grid, **(change or {}))

    def data(self) -> dict[str, Any]:
        """Return the variant as plain data: the keys of its TOML form, with nothing left to a base."""
        return {
            "id": self.id,
            "base": self.base,
            "labels": dict(self.labels),
            "grid": {"columns": self.grid.columns, "rows": self.grid.rows},
            "fleet": [_fleet_data(ship) for ship in self.fleet],
            "rules": [use.data() for use in self.rules],
            "abilities": {class_: use.data() for class_, use in self.abilities.items()},
            "drops": list(self.drops),
            "instead_of": dict(self.instead_of),
            "limits": attrs.asdict(self.limits),
            **({"source": self.source} if self.source else {}),
        }

    @property
    def ground(self) -> Ground:
        """What there is to aim at."""
        return Ground(self.grid, self.fleet, tuple(use.use for use in self.granted.values()))

    @property
    def granted(self) -> dict[str, RuleUse]:
        """The abilities by ship class, without those that are dropped."""
        return {class_: use for class_, use in self.abilities.items() if use.use not in self.drops}

    def label(self, lang: str) -> str:
        """Return what players call the variant."""
        return self.labels.get(lang) or self.labels.get("en") or self.id

    def explain(self, lang: str = "en") -> str:
        """Return the rules as a text for players."""
        from irontide.explain import explain  # noqa: PLC0415 - explaining needs a registry, which needs variants

        return explain(self, lang)

    def ship_class(self, ship: str) -> ShipClass | None:
        """Return the class of a ship by the ship's id."""
        return next((class_ for class_ in self.fleet if ship in class_.ships()), None)


def _items(value: object) -> list[object]:
    if isinstance(value, FrozenDict):
        return [*value.values()]
    return [*cast("tuple[object, ...]", value)] if isinstance(value, tuple) else []


def _fleet_data(ship: ShipClass) -> dict[str, Any]:
    form = {"shape": list(ship.shape), "mirror": ship.mirror} if ship.shape else {"length": ship.length}
    form |= {"mirror": True} if ship.mirror else {}
    return {"class": ship.id, **form, "count": ship.count, "labels": dict(ship.labels)}


def _merged(old: Sequence[RuleUse], new: Sequence[RuleUse]) -> tuple[RuleUse, ...]:
    merged = {use.use: use for use in old}
    for use in new:
        before: Params = merged[use.use].params if use.use in merged else {}
        merged[use.use] = RuleUse(use.use, {**before, **use.params})
    return tuple(merged.values())


def _merged_abilities(
    old: Mapping[str, RuleUse], new: "Mapping[str, RuleUse | str | Params | None]"
) -> dict[str, RuleUse]:
    merged = dict(old)
    for class_, given in new.items():
        if given is None:
            merged.pop(class_, None)
            continue
        before = merged.get(class_)
        plain = {"use": before.use, **given} if isinstance(given, Mapping) and before else given
        use = RuleUse.of(plain)
        same = before is not None and before.use == use.use
        merged[class_] = RuleUse(use.use, {**(before.params if before and same else {}), **use.params})
    return merged
