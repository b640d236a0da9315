"""What a scenario is played by: a variant made on the fly, with rules and abilities that a test brings along."""

from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

from irontide.context import Context
from irontide.effects import GainPoints, SpendPoints
from irontide.events import TurnStarted
from irontide.registry import Registry
from irontide.rules import Effects, Rule, reacts, rule
from irontide.testing.watch import Watch
from irontide.variant import RuleUse, Variant

Use: TypeAlias = type[Rule] | RuleUse | str | Mapping[str, Any]
"""A rule or ability: its class, its id, or a mapping of `use` (either of them) and parameters."""

PLENTY = 1_000_000


@rule("testing.purse")
class Purse(Rule):
    """The purses hold these points, by seat, when the first turn has begun, whatever other rules gave them."""

    points: Mapping[str, int]

    @reacts(TurnStarted, group="late")
    def fill(self, ctx: Context, event: TurnStarted) -> Effects:
        """Empty the purses when the first turn has had its income, and fill them."""
        if ctx.seat.turn + ctx.other.turn == 1:
            for seat, points in self.points.items():
                yield [SpendPoints(seat, PLENTY, "testing"), GainPoints(seat, points, "testing")]


def set_up(
    watch: Watch,
    base: Registry,
    variant: Variant | str,
    rules: Iterable[Use],
    abilities: Mapping[str, Use | None],
    **changes: Any,  # noqa: ANN401 - what `Variant.but` takes
) -> tuple[Registry, Variant]:
    """Return a registry that knows all these rules, watched, and the variant with them.

    Raises:
        UnknownName: there is no variant of this id.
        PluginError: a class is no rule, or takes an id that is taken.

    """
    uses = [*rules]
    classes = [class_ for class_ in map(_class, (*uses, *abilities.values())) if class_ is not None]
    registry = watch.registry(base, *dict.fromkeys(classes))
    made = registry.variant(variant) if isinstance(variant, str) else variant
    if not (uses or abilities or changes):
        return registry, made
    owned = {class_: None if use is None else _named(use) for class_, use in abilities.items()}
    named = [_named(use) for use in uses]
    return registry, made.but(id=changes.pop("id", "testing.scenario"), rules=named, abilities=owned, **changes)


def _class(use: Use | None) -> type[Rule] | None:
    found = use.get("use") if isinstance(use, Mapping) else use
    return found if isinstance(found, type) else None


def _named(use: Use) -> RuleUse | str | Mapping[str, Any]:
    """Return the use with an id in the place of its class."""
    if isinstance(use, type):
        return use.id
    class_ = _class(use)
    return {**use, "use": class_.id} if isinstance(use, Mapping) and class_ else use
