"""What a bot makes of reports, which tell how many of several shots hit, and not which."""

from typing import NamedTuple

from irontide import CellSet, View


class Reported(NamedTuple):
    """The cells that were hit for sure, and those of which some were."""

    hits: CellSet
    some: CellSet


def reported(view: View) -> Reported:
    """Return what the reports tell: where as many hit as were shot all did; a wreck is known by itself."""
    hits = some = CellSet()
    known = view.target.sunk | view.target.hit
    for report in view.target.reports:
        cells = view.grid.cells(*report.cells)
        left = report.hits - len(cells & known)
        if left == len(cells - known):
            hits |= cells - known
        elif left > 0:
            some |= cells - known
    return Reported(hits, some)
