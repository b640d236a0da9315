"""House rules, each one rule with its parameters."""

from irontide import CellSet, Context, Grid, Rule, adjusts, rule


@rule("salvo", place="shots")
class Salvo(Rule):
    """A turn has a shot for each own ship afloat when it starts (RULES: Salvo)."""

    @adjusts("shots", group="set")
    def per_ship(self, ctx: Context, shots: int) -> int:
        return len(ctx.seat.afloat)


@rule("no_touching", place="clearance")
class NoTouching(Rule):
    """Ships keep apart by at least one cell; with `corners` diagonally too (RULES: Classic, placement)."""

    corners: bool = True

    @adjusts("clearance")
    def keep_apart(self, grid: Grid, zone: CellSet, ship: CellSet) -> CellSet:
        return zone | grid.neighbours(ship, corners=self.corners)
