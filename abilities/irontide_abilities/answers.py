"""Abilities that answer or hinder what the enemy does."""

import attrs

from irontide import (
    Ability,
    Context,
    Disable,
    Effects,
    EnemyAbility,
    Mark,
    OneCell,
    OtherTurns,
    Shot,
    ShotFired,
    SpendPoints,
    Unmark,
    ability,
    reacts,
)


@ability("jam", price=2, target=EnemyAbility())
class Jam(Ability):
    """An enemy ability is off for the enemy's next turns."""

    turns: int = attrs.field(default=2, validator=attrs.validators.ge(1))

    def use(self, ctx: Context, target: EnemyAbility) -> Effects:
        yield Disable(ctx.other.name, target.ability, OtherTurns(self.turns), "jammed")


@ability("counter_battery", price=3, standing=1, tells=("sinking", "hit"))
class CounterBattery(Ability):
    """Armed until used: the next hit on an own ship is answered by a shot at a random cell."""

    def use(self, ctx: Context, nothing: None) -> Effects:
        yield Mark(public=True)

    @reacts(ShotFired)
    def answer(self, ctx: Context, event: ShotFired) -> Effects:
        hits = (each for each in ctx.batch if isinstance(each, ShotFired) and each.hit and each.by == ctx.other.name)
        if event == next(hits, None) and ctx.marks and ctx.open():
            yield [Unmark(ctx.marks[0]), Shot(ctx.random.choice(ctx.open()))]


@ability("trap", price=1, target=OneCell(side="own", known="water"), tells=("hit",))
class Trap(Ability):
    """An enemy shot at an own water cell costs the enemy points."""

    cost: int = attrs.field(default=2, validator=attrs.validators.ge(0))

    def use(self, ctx: Context, target: OneCell) -> Effects:
        yield Mark(on=target.cells)

    @reacts(ShotFired)
    def spring(self, ctx: Context, event: ShotFired) -> Effects:
        mark = ctx.mark_at(ctx.grid.cell(event.at)) if event.by == ctx.other.name else None
        if mark and event.told != "blocked":
            yield [Unmark(mark), SpendPoints(event.by, self.cost)]
