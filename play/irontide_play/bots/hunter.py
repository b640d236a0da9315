"""The bot `hunter`: searches on a pattern, and after a hit works the cells around it until the ship is sunk."""

from functools import cache
from random import Random
from typing import Any, Final, cast

from irontide import Area, CellSet, Command, Fire, Grid, Ground, Lane, Line, Options, Resign, UseAbility, View
from irontide_play.bots.chart import Chart

READY: Final = 3
"""An ability is used when what it promises is at least this many times its price."""

SHIELD: Final = 3
"""What an ability without a target promises for each point that the enemy could spend, up to its price and one."""

LOOK: Final = 2
"""A look at a cell is worth this much less than a shot at it."""


class Hunter:
    """Hunt and target, with abilities where they promise more than they cost.

    Knows no ability by name: it judges by the cells that a target's JSON form names.
    """

    def __init__(self, chance: Random) -> None:
        """Take the chance that it plays by."""
        self._chance = chance
        self._offset = chance.randrange(26)
        self._spent = False

    def command(self, view: View, options: Options) -> Command:
        chart = Chart(view, options, self._offset)
        use = None if self._spent and chart.open else self._ability(view, options, chart)
        self._spent = use is not None
        if use is not None:
            return use
        if not chart.open:
            return Resign(view.seat)
        ranked = sorted(chart.open, key=lambda cell: (-chart.values[cell], self._chance.random()))
        return Fire(view.seat, options.grid.list(CellSet.of(ranked[: options.fire.count])))

    def _ability(self, view: View, options: Options, chart: Chart) -> Command | None:
        """Return the use of an ability that promises most for its price, if it is worth it or there is no shot."""
        best: float
        best, chosen = READY if chart.open else 0, None
        for id_, option in options.abilities.items():
            if option.refusal is not None:
                continue
            worth, target = self._best(view, option.targets, chart, option.price)
            if worth / max(option.price, 1) >= best:
                best, chosen = worth / max(option.price, 1), UseAbility(view.seat, id_, target)
        return chosen

    def _best(self, view: View, targets: Any, chart: Chart, price: int) -> tuple[float, Any]:  # noqa: ANN401 - JSON
        if not targets:
            return SHIELD * min(view.opponent_points, price + 1), None
        judged = [(promise(chart, target), self._chance.random(), place) for place, target in enumerate(targets)]
        worth, _, place = max(judged)
        return worth, targets[place]


def promise(chart: Chart, target: object) -> float:
    """Return what a target promises: the cells that its JSON form stands for, as the chart values them."""
    if isinstance(target, list):
        return chart.sum(chart.grid.cells(*cast("list[str]", target)))
    reach = _reaches(chart.grid).get(_key(target), CellSet())
    if isinstance(target, str):
        return chart.sum(reach) / LOOK if chart.hunting else 0
    return chart.sum(reach)


@cache
def _reaches(grid: Grid) -> dict[object, CellSet]:
    """Return which cells a target is taken to stand for: a cell an area around it, else a short line or a lane."""
    return {
        _key(spot.json): CellSet(spot.mask)
        for shape in (Area(3, 3), Line(3), Lane())
        for spot in shape.spots(Ground(grid)).values()
    }


def _key(target: object) -> object:
    return tuple(sorted(cast("dict[str, str]", target).items())) if isinstance(target, dict) else target
