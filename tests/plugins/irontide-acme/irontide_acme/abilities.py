"""Three abilities: one that looks, one that guards, one that trusts to chance."""

from collections.abc import Sequence

from irontide import (
    Ability,
    Area,
    Context,
    Effect,
    Effects,
    GainPoints,
    Mark,
    Note,
    Scan,
    SetData,
    Shot,
    Unmark,
    ability,
    replaces,
)


@ability("acme.flare", price=1, target=Area(3, 3))
class Flare(Ability):
    """Tells whether any ship lies in the area."""

    def use(self, ctx: Context, area: Area) -> Effects:
        yield Scan(area.cells, tell="any", of="any")


@ability("acme.shield", price=2, target=Area(3, 3, side="own"), standing=1)
class Shield(Ability):
    """Guards an area of the own grid: the first shot into it is blocked, and uses the shield up."""

    def use(self, ctx: Context, area: Area) -> Effects:
        yield Mark(area.cells)

    @replaces(Shot, group="prevent")
    def block(self, ctx: Context, effect: Shot) -> Sequence[Effect] | None:
        mark = ctx.mark_at(effect.cell)
        if effect.by == ctx.seat.name or mark is None:
            return None
        return [effect.blocked(), Unmark(mark)]


@ability("acme.dice", price=2, per_turn=1)
class Dice(Ability):
    """Rolls a die: a six gains five points, a five gains three."""

    sides: int = 6

    def use(self, ctx: Context, nothing: None) -> Effects:
        roll = ctx.random.between(1, self.sides)
        yield SetData("last", roll)
        yield Note("acme.dice.rolled", args={"seat": ctx.seat.name, "roll": roll})
        yield GainPoints(ctx.seat.name, {6: 5, 5: 3}.get(roll, 0))
