"""Figures: what was measured round by round, what is demanded of it, and how a table shows both."""

import gc
from collections.abc import Callable, Iterable, Sequence
from statistics import median
from time import process_time
from typing import Any, TypeVar

import attrs

T = TypeVar("T")

HEADINGS = ("figure", "unit", "median", "min", "max", "demand", "aim", "holds")


def timed(task: Callable[[], T]) -> tuple[T, float]:
    """Return what the task returns and the seconds of processor time it took.

    Processor time, as other programs may want the processor too. What earlier tasks left behind is collected before;
    the collector stays on, so each task pays for its own.
    """
    gc.collect()
    start = process_time()
    result = task()
    return result, process_time() - start


@attrs.frozen
class Demand:
    """A bound on a figure's median, or on each of its values."""

    bound: float
    least: bool = True
    """Whether the bound is the least that is good enough, or the most."""
    aim: float | None = None
    each: bool = False

    def holds(self, values: Sequence[float]) -> bool:
        """Tell whether the values meet the demand."""
        judged = values if self.each else [median(values)]
        return all(value >= self.bound if self.least else value <= self.bound for value in judged)


def at_least(bound: float, aim: float | None = None) -> Demand:
    """Return the demand for a median of `bound` or more."""
    return Demand(bound, aim=aim)


def at_most(bound: float, *, each: bool = False) -> Demand:
    """Return the demand for a median, or with `each` every value, of `bound` or less."""
    return Demand(bound, least=False, each=each)


@attrs.frozen
class Figure:
    """One thing that was measured, with a value for each round. Without a demand it is there for orientation."""

    what: str
    unit: str
    values: tuple[float, ...]
    demand: Demand | None = None

    @property
    def holds(self) -> bool | None:
        """Whether the demand is met; None where there is none."""
        return None if self.demand is None else self.demand.holds(self.values)

    def to_json(self) -> dict[str, Any]:
        """Return the figure as JSON data."""
        demand = None if self.demand is None else attrs.asdict(self.demand)
        spread = {"median": median(self.values), "min": min(self.values), "max": max(self.values)}
        return {"what": self.what, "unit": self.unit, **spread, "demand": demand, "holds": self.holds}

    def row(self) -> tuple[str, ...]:
        """Return the cells of its row under `HEADINGS`."""
        spread = [f"{value:.3g}" for value in (median(self.values), min(self.values), max(self.values))]
        if self.demand is None:
            return (self.what, self.unit, *spread, "", "", "")
        sign = "≥" if self.demand.least else "≤"
        aim = "" if self.demand.aim is None else f"{sign} {self.demand.aim:g}"
        bound = f"{'each ' * self.demand.each}{sign} {self.demand.bound:g}"
        return (self.what, self.unit, *spread, bound, aim, "yes" if self.holds else "NO")


def ratios(dividends: Iterable[float], divisors: Iterable[float]) -> tuple[float, ...]:
    """Return round by round how many times the one is the other."""
    return tuple(one / other for one, other in zip(dividends, divisors, strict=True))


def table(figures: Sequence[Figure]) -> str:
    """Return the figures as a table: first those with a demand, then the others."""
    ordered = sorted(figures, key=lambda figure: figure.demand is None)
    rows = [HEADINGS, *(figure.row() for figure in ordered)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    rows.insert(1, tuple("-" * width for width in widths))
    return "\n".join("  ".join(map(str.ljust, row, widths)).rstrip() for row in rows)
