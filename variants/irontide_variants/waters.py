"""House rules about where ships may lie, and whether they may move."""

import attrs

from irontide import CellSet, Grid, Random, Rule, adjusts, rule


@rule("no_touching", place="clearance")
class NoTouching(Rule):
    """Ships keep apart by at least one cell; with `corners` diagonally too (RULES: Classic, placement)."""

    corners: bool = True

    @adjusts("clearance")
    def keep_apart(self, grid: Grid, zone: CellSet, ship: CellSet) -> CellSet:
        return zone | grid.neighbours(ship, corners=self.corners)


@rule("islands", place="islands", about="sea")
class Islands(Rule):
    """Cells where no ship may lie and no shot goes: those named, or, where none are, `count` drawn for each match."""

    cells: tuple[str, ...] = ()
    count: int = attrs.field(default=4, validator=attrs.validators.ge(1))

    @adjusts("sea")
    def rise(self, grid: Grid, sea: CellSet, chance: Random) -> CellSet:
        drawn = [] if self.cells else chance.sample([*sea], min(self.count, len(sea)))
        return sea - grid.cells(*self.cells) - CellSet.of(drawn)


@rule("moving_allowed", instead_of="core.ships_stay")
class MovingAllowed(Rule):
    """Ships may move during the battle, by abilities that move them."""
