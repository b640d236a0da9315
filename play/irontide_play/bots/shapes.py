"""Where a ship of a class can lie on a grid: for bots, which see no fleet but their own."""

from functools import cache

from irontide import CellSet, Grid, ShipClass


@cache
def places(ship: ShipClass, grid: Grid) -> tuple[CellSet, ...]:
    """Return every place that a ship of this class can take on an empty grid, each turn of its shape once."""
    found: dict[CellSet, None] = {}
    for turn in turns(ship):
        for column in range(grid.columns):
            for row in range(grid.rows):
                cells = [cell for c, r in turn if (cell := grid.at(column + c, row + r)) is not None]
                if len(cells) == len(turn):
                    found[CellSet.of(cells)] = None
    return tuple(found)


def turns(ship: ShipClass) -> list[list[tuple[int, int]]]:
    """Return every way to turn its shape: column and row of each cell, in the order of the cells as drawn."""
    drawn = sorted(ship.offsets())
    found: list[list[tuple[int, int]]] = []
    for start in (drawn, [(-column, row) for column, row in drawn]) if ship.mirror else (drawn,):
        turn = start
        for _ in range(4):
            left, top = min(c for c, _ in turn), min(r for _, r in turn)
            found.append([(c - left, r - top) for c, r in turn])
            turn = [(-r, c) for c, r in turn]
    return found
