"""Abilities that protect or hide the own fleet; until they act, nobody is told what they lie on."""

import attrs

from irontide import (
    Ability,
    Area,
    CellSet,
    Context,
    Effects,
    Forget,
    Mark,
    OneCell,
    OtherTurns,
    OwnTurn,
    SetData,
    ShipMoved,
    Shot,
    ShotFired,
    Unmark,
    Unmarked,
    ability,
    adjusts,
    reacts,
    replaces,
)


@ability("shield", price=2, target=Area(3, 3, side="own"))
class Shield(Ability):
    """The next enemy shot into an own area is blocked; gone after that, or after some turns of the enemy."""

    turns: int = attrs.field(default=2, validator=attrs.validators.ge(1))

    def use(self, ctx: Context, area: Area) -> Effects:
        yield Mark(on=area.cells, until=OtherTurns(self.turns))

    @replaces(Shot, group="prevent")
    def block(self, ctx: Context, effect: Shot) -> list[Shot | Unmark] | None:
        mark = ctx.mark_at(effect.cell) if effect.by == ctx.other.name else None
        return [effect.blocked(), Unmark(mark)] if mark else None


@ability("smoke", price=2, target=Area(3, 3, side="own"))
class Smoke(Ability):
    """Enemy scans tell nothing about an own area during the enemy's next turns."""

    turns: int = attrs.field(default=1, validator=attrs.validators.ge(1))

    def use(self, ctx: Context, area: Area) -> Effects:
        yield Mark(on=area.cells, until=OtherTurns(self.turns))

    @adjusts("blind")
    def hide(self, ctx: Context, cells: CellSet) -> CellSet:
        return cells | ctx.marked


@ability("decoy", price=1, target=OneCell(side="own", known="water"))
class Decoy(Ability):
    """Enemy scans take an own water cell for a ship cell until it is shot."""

    def use(self, ctx: Context, target: OneCell) -> Effects:
        yield Mark(on=target.cells)

    @adjusts("sensed")
    def fool(self, ctx: Context, cells: CellSet) -> CellSet:
        return cells | ctx.marked

    @reacts(ShotFired)
    def shot(self, ctx: Context, event: ShotFired) -> Effects:
        mark = ctx.mark_at(ctx.grid.cell(event.at)) if event.by == ctx.other.name else None
        if mark and event.told != "blocked":
            yield Unmark(mark)

    @reacts(ShipMoved)
    def make_room(self, ctx: Context, event: ShipMoved) -> Effects:
        yield [Unmark(mark) for cell in ctx.marked & ctx.seat.cells if (mark := ctx.mark_at(cell))]


@ability("dive", price=3, standing=1, tells=("hit",))
class Dive(Ability):
    """Until the own next turn shots at the ship do no harm and are told as water; then those answers are taken back."""

    def use(self, ctx: Context, nothing: None) -> Effects:
        yield [SetData("water", ctx.grid.list(ctx.seat.water)), Mark(until=OwnTurn(1))]

    @replaces(Shot, group="modify")
    def duck(self, ctx: Context, effect: Shot) -> Shot | None:
        under = ctx.marks and effect.by == ctx.other.name and effect.cell in ctx.ship
        return effect.but(harm=False, answer="water") if under and effect.harm else None

    @reacts(Unmarked)
    def surface(self, ctx: Context, event: Unmarked) -> Effects:
        if (event.rule, event.seat) == (self.id, ctx.seat.name):
            yield Forget(ctx.other.name, ctx.seat.water & ctx.seat.shots - ctx.grid.cells(*ctx.data["water"]))
