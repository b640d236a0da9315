"""Abilities that ask a question about the enemy's grid."""

from irontide import Ability, Area, Context, Effects, Line, OneCell, Scan, ability


@ability("ping", price=1, target=Area(3, 3))
class Ping(Ability):
    """Tell whether any ship cell of an area is not yet hit."""

    def use(self, ctx: Context, area: Area) -> Effects:
        yield Scan(area.cells, tell="any")


@ability("flyby", price=2, target=Line(5))
class Flyby(Ability):
    """Count the different ships afloat along a line."""

    def use(self, ctx: Context, line: Line) -> Effects:
        yield Scan(line.cells, tell="ships", of="afloat")


@ability("radar", price=2, target=OneCell())
class Radar(Ability):
    """Tell how many steps, diagonal ones too, it is to the nearest ship cell not yet hit."""

    def use(self, ctx: Context, target: OneCell) -> Effects:
        yield Scan(target.cells, tell="distance")


@ability("spotter", price=1, target=OneCell(known="water"))
class Spotter(Ability):
    """Tell of a cell known as water whether a ship lies beside it."""

    def use(self, ctx: Context, target: OneCell) -> Effects:
        yield Scan(ctx.grid.neighbours(target.cells), tell="any", of="any")
