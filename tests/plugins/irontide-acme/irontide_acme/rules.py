"""Two house rules: one that forbids, one that changes a price."""

from irontide import Fire, Refusal, Rule, SeatContext, adjusts, forbids, rule


@rule("acme.no_corners")
class NoCorners(Rule):
    """Corners may not be fired at while any other cell is open."""

    @forbids(Fire)
    def spare_corners(self, ctx: SeatContext, command: Fire) -> Refusal | None:
        grid = ctx.grid
        across, down = (0, grid.columns - 1), (0, (grid.rows - 1) * grid.columns)
        corners = {column + row for column in across for row in down}
        shot = [name for name in command.cells if grid.cell(name) in corners]
        if shot and any(cell not in corners for cell in ctx.open()):
            return Refusal("acme.corner", {"cells": shot})
        return None


@rule("acme.salvage", tells=("sinking",))
class Salvage(Rule):
    """Abilities cost less for each own ship lost, but never less than one point."""

    less: int = 1

    @adjusts("price")
    def cheaper(self, ctx: SeatContext, price: int, ability: str) -> int:
        return max(price - self.less * len(ctx.sunk), min(price, 1))
