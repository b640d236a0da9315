"""Abilities that shoot."""

import attrs

from irontide import Ability, Context, Effects, GrantShots, OneCell, Pattern, Shot, ability


@ability("double_shot", price=3, target=Pattern(["x.x"], turns=True), shoots=True)
class DoubleShot(Ability):
    """Two shots: on both sides of a cell, but not at it."""

    def use(self, ctx: Context, pattern: Pattern) -> Effects:
        yield pattern.shots


@ability("corner_shot", price=5, target=Pattern(["x.x", "...", "x.x"]), shoots=True)
class CornerShot(Ability):
    """Four shots: at the diagonal neighbours of a cell."""

    def use(self, ctx: Context, pattern: Pattern) -> Effects:
        yield pattern.shots


@ability("cross_shot", price=6, target=Pattern([".x.", "xxx", ".x."]), shoots=True)
class CrossShot(Ability):
    """Five shots: at a cell and its four neighbours."""

    def use(self, ctx: Context, pattern: Pattern) -> Effects:
        yield pattern.shots


@ability("seeker", price=4, target=OneCell(known="open"), shoots=True)
class Seeker(Ability):
    """A shot at the ship cell nearest to a cell, as far as scans would find one within reach; else at the cell."""

    reach: int = attrs.field(default=2, validator=attrs.validators.ge(0))

    def use(self, ctx: Context, target: OneCell) -> Effects:
        away = {cell: ctx.grid.squared(cell, target.cell) for cell in ctx.sensed() & target.open}
        near = [cell for cell in away if away[cell] <= self.reach**2]
        yield Shot(min(near, key=away.__getitem__, default=target.cell))


@ability("chain_reaction", price=3, target=OneCell(known="open"), shoots=True)
class ChainReaction(Ability):
    """A shot; if it sinks a ship, one more shot this turn."""

    def use(self, ctx: Context, target: OneCell) -> Effects:
        shot = yield Shot(target.cell)
        if shot.sunk:
            yield GrantShots(ctx.seat.name)
