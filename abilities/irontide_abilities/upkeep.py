"""Abilities that mend or move own ships."""

from irontide import Ability, Context, Effects, Move, OwnShip, Repair, ability


@ability("repair", price=4, target=OwnShip(damaged=True), tells=("hit", "ship"))
class Repairs(Ability):
    """Heal all hits of an own ship; the enemy is told which, and may shoot the cells again."""

    def use(self, ctx: Context, target: OwnShip) -> Effects:
        yield Repair(ctx.seat.name, target.ship)


@ability("relocate", price=3, target=OwnShip(damaged=False, to=True), needs=("moving_allowed",))
class Relocate(Ability):
    """Move an undamaged ship to cells that were not shot."""

    def use(self, ctx: Context, target: OwnShip) -> Effects:
        yield Move(ctx.seat.name, target.ship, target.cells)
