"""Counts the legal fleets of a grid exactly, draws one at random, and says whether there is one at all.

It knows nothing of rules: a caller turns grid, islands, shapes and touching rules into the places that
each class can take, as bit sets of cells. Here the places of all classes stand in one row, so that a set
of places is an integer too, and a ship is the range of its places.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import reduce
from itertools import cycle, islice, product
from math import factorial, prod
from typing import Final, TypeAlias

import attrs

COUNT_BUDGET: Final = 10_000_000_000
"""The words of 64 bits that `count_fleets` looks at if not told otherwise: about a minute's work."""
ROOM_BUDGET: Final = 150_000_000
"""The words of 64 bits that looking for room looks at if not told otherwise: about two seconds' work."""

_PROBES: Final = 200
_LOT: Final = 3**1000  # its multiples have digits that look random
_STEP: Final = 32  # a step costs as much as so many words, besides those that it looks at
_ENTRY: Final = 256  # an entry of the table costs as much as so many steps; that bounds memory too
_THROWS: Final = 400
_RESTARTS: Final = 40
_PATIENCE: Final = 100  # dead ends before a restart, and before it is asked whether too much is to fit
_WINDOWS: Final = (((1, 1),), ((2, 1), (1, 2)), ((2, 2),), ((3, 3),), ((4, 4),))  # columns and rows

_Place: TypeAlias = tuple[int, int]  # mask and zone


class SearchLimitError(Exception):
    """A search has taken, or would take, more work than its budget."""


@attrs.define
class Effort:
    """The work that may still go into looking for room, in words of 64 bits; several searches can share one."""

    left: int = ROOM_BUDGET

    def spend(self, words: int) -> None:
        """Take off what a step costs.

        Raises:
            SearchLimitError: There is not as much left.

        """
        self.left -= words
        if self.left < 0:
            raise SearchLimitError("no legal fleet was found in time, nor was it shown that there is none")


@attrs.frozen
class Berths:
    """The places that ships of one class can take: bit sets of cells.

    Takes for granted that the places are distinct and that a zone holds its mask.
    """

    masks: tuple[int, ...]
    """The cells of each place: bit c stands for cell c, row by row from A1 = 0."""
    zones: tuple[int, ...]
    """For each place its cells and all others that no other ship may use because of it."""
    count: int
    """How many interchangeable ships of the class there are, each in a different place."""


def count_fleets(berths: Sequence[Berths], columns: int, rows: int, *, budget: int = COUNT_BUDGET) -> int:
    """Return the exact number of legal fleets, ships of one class interchangeable.

    Raises:
        SearchLimitError: An estimate made beforehand, or the work itself, exceeds the budget.

    """
    missing = max(0, 3 - sum(each.count for each in berths))
    nowhere = (0,) * missing
    padded = [*berths, Berths(nowhere, nowhere, missing)]  # a census takes three ships; these are in nobody's way
    merged = _merged(padded)
    ways = prod(factorial(each.count) for each in merged) // prod(factorial(each.count) for each in padded)
    return ways * _Census(_Chart.of(merged), budget).count(columns, rows)


def sample_fleet(
    berths: Sequence[Berths], draw: Callable[[int], int], effort: Effort | None = None
) -> list[list[int]] | None:
    """Return a random legal fleet, or None if there is none: for each class as many masks as it has ships.

    Any legal fleet can come. All are equally likely where some hundred independent throws are sure to bring one, as
    with Classic's fleet; a more crowded fleet is built ship by ship, and some are likelier than others.
    `draw` gives a uniform integer in range(n).

    Raises:
        SearchLimitError: No legal fleet was found, and yet there may be one.

    """
    if any(len(each.masks) < each.count for each in berths):
        return None
    for _ in range(_THROWS):
        if (fleet := _throw(berths, draw)) is not None:
            return fleet
    chart = _Chart.of(berths)
    chosen = _search_by_chance(chart, draw, effort or Effort())
    if chosen is None:
        return None
    return [[chart.places[place][0] for place in chosen if place in each] for each in chart.classes]


def fits(berths: Sequence[Berths], columns: int, rows: int, effort: Effort | None = None) -> bool:
    """Return whether there is a legal fleet at all.

    Raises:
        SearchLimitError: Undecided after that much effort.

    """
    chart, spent = _Chart.of(_merged(berths)), effort or Effort()
    with suppress(_DeadEndError):
        return _search(chart, chart.least_harmful, spent, _PATIENCE) is not None
    if any(_overfull(chart, columns, rows, sizes) for sizes in _WINDOWS):
        return False
    return _search(chart, chart.least_harmful, spent) is not None


def _bits(number: int) -> list[int]:
    found: list[int] = []
    while number:
        low = number & -number
        found.append(low.bit_length() - 1)
        number ^= low
    return found


def _union(sets: Iterable[int]) -> int:
    return reduce(int.__or__, sets, 0)


def _span(ship: range) -> int:
    return (1 << ship.stop) - (1 << ship.start)


def _merged(berths: Sequence[Berths]) -> list[Berths]:
    """Return classes alike as one: first those with the fewest ships, and of these with the fewest places."""
    counts = Counter[tuple[tuple[int, ...], tuple[int, ...]]]()
    for each in berths:
        counts[each.masks, each.zones] += each.count
    merged = [Berths(masks, zones, count) for (masks, zones), count in counts.items()]
    return sorted(merged, key=lambda each: (each.count, len(each.masks)))


@attrs.frozen
class _Chart:
    """All places in a row, and who can take them."""

    places: tuple[_Place, ...]
    clashes: tuple[int, ...]
    """For each place those that it excludes, itself among them."""
    classes: tuple[range, ...]
    ships: tuple[range, ...]

    @classmethod
    def of(cls, berths: Sequence[Berths]) -> "_Chart":
        row: list[_Place] = []
        classes: list[range] = []
        for each in berths:
            classes.append(range(len(row), len(row) + len(each.masks)))
            row += zip(each.masks, each.zones, strict=True)
        ships = (ship for ship, each in zip(classes, berths, strict=True) for _ in range(each.count))
        return cls(tuple(row), _clashes(row), tuple(classes), tuple(ships))

    def least_harmful(self, places: Iterable[int], free: int) -> int:
        """Return the place that excludes the fewest of those that are free."""
        return min(places, key=lambda place: (self.clashes[place] & free).bit_count())


def _clashes(places: Sequence[_Place]) -> tuple[int, ...]:
    takers: dict[int, int] = defaultdict(int)  # by cell, the places with the cell in their mask
    claimers: dict[int, int] = defaultdict(int)  # by cell, the places with the cell in their zone
    for place, (mask, zone) in enumerate(places):
        for cell in _bits(mask):
            takers[cell] |= 1 << place
        for cell in _bits(zone):
            claimers[cell] |= 1 << place
    return tuple(
        _union([1 << place, *(takers[cell] for cell in _bits(zone)), *(claimers[cell] for cell in _bits(mask))])
        for place, (mask, zone) in enumerate(places)
    )


# Counting


@attrs.define
class _Census:
    """Goes through the places of all ships but the last two, whose pairs of places are one bit set.

    Interchangeable ships stand side by side and take their places in rising order.
    """

    chart: _Chart
    budget: int
    later: list[int] = attrs.field(init=False)
    """For each place those behind it that it leaves free."""
    table: dict[int, int] = attrs.field(init=False)
    """For each place of the ships between the first and the last two, the pairs that it leaves free."""
    step: int = attrs.field(init=False)
    """The words that a step costs."""

    def __attrs_post_init__(self) -> None:
        every = (1 << len(self.chart.places)) - 1
        self.later = [(every & ~clash) >> place << place for place, clash in enumerate(self.chart.clashes)]
        self.step = _STEP + self._pairs(every).bit_length() // 64

    def count(self, columns: int, rows: int) -> int:
        """Return the number of fleets, all ships alike interchangeable."""
        first, *others = self.chart.ships
        roots = _orbits(self.chart, first, columns, rows)
        between = [place for ship in dict.fromkeys(others[:-2]) for place in ship]
        self._refuse_if_dear(list(roots), len(between))
        self.budget -= self.step * len(between) * _ENTRY
        self.table = {place: self._pairs(self.later[place]) for place in between}
        found = 0
        for place, weight in roots.items():
            free = ~self.chart.clashes[place]
            found += weight * self._walk(1, free, self._pairs(free))
        return found // self.chart.ships.count(first)  # each of them was the first in turn

    def _pairs(self, free: int) -> int:
        """Return the free pairs of places of the last two ships: for each place of the one a stretch of the other's."""
        one, other = self.chart.ships[-2:]
        stretches: list[bytes] = []
        for place in one:
            start = max(place, other.start)
            stretch = (self.later[place] & free & _span(other)) >> start if free >> place & 1 else 0
            stretches.append(stretch.to_bytes((other.stop - start + 7) // 8, "little"))
        return int.from_bytes(b"".join(stretches), "little")

    def _walk(self, depth: int, free: int, pairs: int) -> int:
        if depth == len(self.chart.ships) - 2:
            return pairs.bit_count()
        places = _bits(free & _span(self.chart.ships[depth]))
        self.budget -= len(places) * self.step
        if self.budget < 0:
            raise SearchLimitError("counting takes more work than its budget")
        steps = ((place, pairs & self.table[place]) for place in places)
        return sum(self._walk(depth + 1, free & self.later[place], rest) for place, rest in steps if rest)

    def _refuse_if_dear(self, roots: Sequence[int], entries: int) -> None:
        probes = enumerate(islice(cycle(roots), _PROBES), 1)
        steps = sum(self._probe(root, number * _LOT) for number, root in probes) * len(roots) // _PROBES
        cost = self.step * (steps + entries * _ENTRY)
        if cost > self.budget:
            raise SearchLimitError(f"counting would take about {cost} words of work, and the budget is {self.budget}")

    def _probe(self, root: int, lot: int) -> int:
        """Estimate the steps below a root: D. E. Knuth, Estimating the Efficiency of Backtrack Programs (1975)."""
        free = ~self.chart.clashes[root]
        steps, branches = 0, 1
        for ship in self.chart.ships[1:-2]:
            places = _bits(free & _span(ship))
            branches *= len(places)
            steps += branches
            lot, index = divmod(lot, len(places) or 1)
            free &= self.later[places[index]] if places else 0
        return steps


def _orbits(chart: _Chart, ship: range, columns: int, rows: int) -> Mapping[int, int]:
    """Return some of a ship's places, each with the number of those that are its images by the grid's symmetries.

    Only those symmetries serve that leave the set of each ship's places and zones as it is.
    """
    kinds = set(chart.ships)
    images: list[list[_Place]] = []
    for symmetry in _symmetries(columns, rows):
        moved = [(_moved(mask, symmetry), _moved(zone, symmetry)) for mask, zone in chart.places]
        if all(set(moved[each.start : each.stop]) == set(chart.places[each.start : each.stop]) for each in kinds):
            images.append(moved[ship.start : ship.stop])
    least = Counter(map(min, zip(*images, strict=True)))
    return {chart.places.index(place, ship.start): weight for place, weight in least.items()}


def _symmetries(columns: int, rows: int) -> Iterator[list[int]]:
    """Yield for each symmetry of the grid where it takes each cell; one of them leaves all as it is."""
    for transposed, across, down in product((False, True) if columns == rows else (False,), (1, -1), (1, -1)):
        ranks, files = range(rows)[::down], range(columns)[::across]
        cells = [rank * columns + file for rank in ranks for file in files]
        yield [cells[cell % rows * columns + cell // rows] for cell in range(len(cells))] if transposed else cells


def _moved(mask: int, symmetry: Sequence[int]) -> int:
    return sum(1 << symmetry[cell] for cell in _bits(mask))


# Searching


class _DeadEndError(SearchLimitError):
    """A search has run into as many dead ends as it may."""


def _search(
    chart: _Chart, choose: Callable[[list[int], int], int], effort: Effort, dead_ends: int | None = None
) -> list[int] | None:
    """Return the places of a legal fleet, or None if there is none.

    Serves the ship with the least choice first. `choose` picks one of its free places, told all free places. After
    a dead end the search goes on without the place chosen last, so that no set of places comes twice.

    Raises:
        SearchLimitError: Undecided after that much effort, or so many dead ends.

    """
    if not _has_room(chart):
        return None
    left = Counter(chart.ships)
    free = _union(map(_span, left))
    words = _STEP + len(chart.places) // 64
    trail: list[tuple[range, int, int]] = []  # for each ship its place, and what else was free
    found = 0
    while left.total():
        slack, ship = _tightest(left, free)
        if slack >= 0:
            places = _bits(free & _span(ship))
            effort.spend(words * len(places))
            place = choose(places, free)
            trail.append((ship, place, free & ~(1 << place)))
            free &= ~chart.clashes[place]
            left[ship] -= 1
        elif not trail:
            return None
        elif found == dead_ends:
            raise _DeadEndError(f"no legal fleet was found before {found} dead ends")
        else:
            found += 1
            effort.spend(words * len(left))
            ship, _, free = trail.pop()
            left[ship] += 1
    return [place for _, place, _ in trail]


def _tightest(left: Counter[range], free: int) -> tuple[int, range]:
    """Return the least surplus of free places over ships of a kind, and a ship of that kind."""
    surplus = {ship: (free & _span(ship)).bit_count() - count for ship, count in left.items() if count}
    ship = min(surplus, key=surplus.__getitem__)
    return surplus[ship], ship


def _has_room(chart: _Chart) -> bool:
    masks = [mask for mask, _ in chart.places]
    needed = sum(min(map(int.bit_count, masks[ship.start : ship.stop]), default=0) for ship in chart.ships)
    return needed <= _union(masks).bit_count()


def _overfull(chart: _Chart, columns: int, rows: int, sizes: Iterable[tuple[int, int]]) -> bool:
    """Tell whether the ships need more windows of these sizes than there are.

    A window is a rectangle of cells, which may lie half off the grid. It counts where any two places that meet it
    exclude each other, so that one ship at most has it; then each ship has at least as many as the place that meets
    the fewest.
    """
    masks = [mask for mask, _ in chart.places]
    meeting = [0] * len(masks)
    windows = 0
    for window in _windows(columns, rows, sizes):
        places = [place for place, mask in enumerate(masks) if mask & window]
        together = _union(1 << place for place in places)
        if places and all(chart.clashes[place] & together == together for place in places):
            windows += 1
            for place in places:
                meeting[place] += 1
    return sum(min(meeting[ship.start : ship.stop]) for ship in chart.ships) > windows


def _windows(columns: int, rows: int, sizes: Iterable[tuple[int, int]]) -> Iterator[int]:
    """Yield the cells on the grid of each rectangle of these sizes that has any."""
    for wide, high in sizes:
        for left, top in product(range(1 - wide, columns), range(1 - high, rows)):
            ranks, files = range(max(top, 0), min(top + high, rows)), range(max(left, 0), min(left + wide, columns))
            yield sum(1 << rank * columns + file for rank in ranks for file in files)


def _throw(berths: Sequence[Berths], draw: Callable[[int], int]) -> list[list[int]] | None:
    """Choose each ship's place regardless of the others, which makes all fleets equally likely; None if they clash."""
    fleet: list[list[int]] = []
    taken = barred = 0
    for each in berths:
        fleet.append([])
        for _ in range(each.count):
            place = draw(len(each.masks))
            mask, zone = each.masks[place], each.zones[place]
            if mask & barred or zone & taken:
                return None
            taken, barred = taken | mask, barred | zone
            fleet[-1].append(mask)
    return fleet


def _search_by_chance(chart: _Chart, draw: Callable[[int], int], effort: Effort) -> list[int] | None:
    """Search with ever more care, first by pure chance, at last without any; the arguments as in `sample_fleet`."""
    for care in range(1, _RESTARTS + 1):

        def choose(places: list[int], free: int, care: int = care) -> int:
            return chart.least_harmful([places[draw(len(places))] for _ in range(care)], free)

        with suppress(_DeadEndError):
            return _search(chart, choose, effort, _PATIENCE)
    return _search(chart, chart.least_harmful, effort)
