"""Small variants to try rules out in: a grid on which matches are short, and everything else that rules react to."""

from collections.abc import Mapping, Sequence
from typing import Any

from irontide.errors import VariantError
from irontide.fleet import ShipClass
from irontide.registry import Registry
from irontide.rules import Rule
from irontide.variant import RuleUse, Variant

BASE = "tactical"
FLEET = (
    ShipClass("carrier", 3), ShipClass("battleship", 3), ShipClass("cruiser", 2), ShipClass("submarine", 2),
    ShipClass("destroyer", 2),
)  # fmt: skip
HOSTS = ("cruiser", "destroyer", "carrier", "submarine", "battleship")
"""The classes that get abilities, in this order."""

RICH = {"points.start": {"amount": 4}, "points.income": {"amount": 3}}

Params = Mapping[str, Mapping[str, Any]]


def bench(registry: Registry, ids: Sequence[str], params: Params | None = None) -> Variant:
    """Return a variant with these rules and abilities, by id, and all of Tactical that goes with them.

    Args:
        registry: where they come from.
        ids: of rules and abilities.
        params: parameters by id.

    Raises:
        VariantError: they do not go together; with every problem.
        UnknownName: there is no such rule or ability.

    """
    left_out: set[str] = set()
    while True:
        variant = _variant(registry, ids, params or {}, left_out)
        try:
            registry.book(variant)
        except VariantError as error:
            said = " ".join(f"{problem.place} {problem.text}" for problem in error.problems)
            base = registry.variant(BASE)
            extra = {use.use for use in (*base.rules, *base.abilities.values())} - {*ids} - left_out
            more = {id_ for id_ in extra if id_ in said}
            if not more:
                raise
            left_out |= more
        else:
            return variant


def _variant(registry: Registry, ids: Sequence[str], params: Params, left_out: set[str]) -> Variant:
    base = registry.variant(BASE)
    owned = {class_: use.use for class_, use in base.abilities.items() if use.use not in left_out}
    free = [class_ for class_ in HOSTS if owned.get(class_) not in ids]
    abilities: dict[str, Any] = {class_: None for class_, use in base.abilities.items() if use.use in left_out}
    needed = [need for id_ in ids for need in _class(registry, id_).needs if need in registry.rules]
    for id_ in ids:
        if id_ in registry.abilities and id_ not in owned.values():
            abilities[free.pop(0)] = RuleUse(id_, params.get(id_, {}))
    kept = [use.use for use in base.rules if use.use not in left_out]
    rules = dict.fromkeys((*kept, *needed, *(id_ for id_ in ids if id_ in registry.rules)))
    return base.but(
        id="+".join(ids) or "bench",
        grid={"columns": 7, "rows": 7},
        fleet=FLEET,
        rules=[RuleUse(id_, {**RICH.get(id_, {}), **params.get(id_, {})}) for id_ in rules],
        abilities=abilities,
        drops=sorted(left_out & {use.use for use in base.rules}),
    )


def _class(registry: Registry, id_: str) -> type[Rule]:
    return registry.abilities.get(id_) or registry.rule(id_)
