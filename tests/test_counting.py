"""Counts against figures and against enumeration one by one; random fleets against counts."""

import random
import re
from collections import Counter
from itertools import combinations
from pathlib import Path

import pytest

from irontide.counting import Berths, Effort, SearchLimitError, count_fleets, fits, sample_fleet

COUNTS = Path(__file__).parent / "counts"
BARRED = {  # where other ships may not be, from a ship's cell
    "any": [(0, 0)],
    "corners": [(0, 0), (0, 1), (0, -1), (1, 0), (-1, 0)],
    "none": [(right, down) for right in (-1, 0, 1) for down in (-1, 0, 1)],
}
SHAPES = {
    "L": [(0, 0), (0, 1), (0, 2), (1, 2)],
    "O": [(0, 0), (1, 0), (2, 0), (0, 1), (2, 1), (0, 2), (1, 2), (2, 2)],
    "S": [(0, 0), (2, 1)],
}
CROWDED = "10x10 5,2*4,3*3,4*2 touching=none"


# Places of ships, written as in the files


def places_of(shape, sea, touching):
    turns = [shape]
    for _ in range(3):
        turns.append([(-y, x) for x, y in turns[-1]])
    moved = {frozenset((x + right, y + down) for x, y in turn) for turn in turns for right, down in offsets(sea, turn)}
    for place in sorted(moved, key=sorted):
        if place <= sea:
            yield place, {(x + right, y + down) for x, y in place for right, down in BARRED[touching]} & sea


def offsets(sea, turn):
    return {(x - turn[0][0], y - turn[0][1]) for x, y in sea}


def read(line):
    """Return columns, rows and berths."""
    size, ships, *rest = line.split()
    options = dict(option.split("=") for option in rest)
    columns, rows = map(int, size.split("x"))
    islands = {(ord(name[0]) - ord("A"), int(name[1:]) - 1) for name in options.get("islands", "").split(",") if name}
    sea = {(x, y) for x in range(columns) for y in range(rows)} - islands
    berths = []
    for ship in ships.split(","):
        *count, kind = ship.split("*")
        shape = SHAPES.get(kind) or [(x, 0) for x in range(int(kind))]
        places = [
            [sum(1 << y * columns + x for x, y in cells) for cells in place]
            for place in places_of(shape, sea, options.get("touching", "any"))
        ]
        masks, zones = zip(*places, strict=True) if places else ((), ())
        berths.append(Berths(masks, zones, int(*count or [1])))
    return columns, rows, berths


def lines(*names):
    return [
        pytest.param(*line.rsplit(maxsplit=1), id=f"{name}:{number}")
        for name in names
        for number, line in enumerate((COUNTS / name).read_text("utf-8").splitlines(), 1)
        if line and not line.startswith("#")
    ]


# Counting


@pytest.mark.parametrize(("case", "figure"), lines(*sorted(path.name for path in COUNTS.glob("*.txt"))))
def test_there_are_as_many_fleets_as_the_file_says(case, figure):
    columns, rows, berths = read(case)
    assert f"{case} {count_fleets(berths, columns, rows)}" == f"{case} {figure}"


def enumerated(berths, others=()):
    """Yield each legal fleet, as the set of masks of each class."""
    if not berths:
        yield ()
        return
    places = zip(berths[0].masks, berths[0].zones, strict=True)
    free = [place for place in places if not any(clash(place, other) for other in others)]
    for chosen in combinations(free, berths[0].count):
        if not any(clash(one, other) for one, other in combinations(chosen, 2)):
            for rest in enumerated(berths[1:], (*others, *chosen)):
                yield (frozenset(mask for mask, _ in chosen), *rest)


def clash(one, other):
    return one[0] & other[1] or other[0] & one[1]


def agrees_with_enumeration(berths, columns, rows):
    fleets = set(enumerated(berths))
    assert count_fleets(berths, columns, rows) == len(fleets)
    assert fits(berths, columns, rows) == bool(fleets)
    sample = sample_fleet(berths, drawer(1))
    assert as_sets(sample) in fleets if fleets else sample is None
    return True


def drawer(seed):
    return random.Random(seed).randrange  # noqa: S311  # no secret depends on it; refuses range(0) as the engine does


def as_sets(fleet):
    return tuple(frozenset(masks) for masks in fleet)


@pytest.mark.parametrize(("case", "figure"), lines("small.txt"))
def test_enumeration_agrees(case, figure):
    columns, rows, berths = read(case)
    assert len(list(enumerated(berths))) == int(figure)
    assert agrees_with_enumeration(berths, columns, rows)


@pytest.mark.parametrize("seed", range(60))
def test_enumeration_agrees_on_berths_of_any_kind(seed):
    """Zones are neither symmetrical nor the same for all classes, places follow no rule."""
    rng = random.Random(seed)  # noqa: S311  # as above

    def some_berths():
        masks = rng.sample(range(1, 1 << 9), rng.randrange(7))
        masks = [mask & rng.randrange(1 << 9) or mask for mask in masks]
        masks = list(dict.fromkeys(masks))
        zones = [mask | rng.randrange(1 << 9) & rng.randrange(1 << 9) for mask in masks]
        return Berths(tuple(masks), tuple(zones), rng.choice((0, 1, 1, 1, 2, 3)))

    berths = [some_berths() for _ in range(rng.randrange(1, 6))]
    assert agrees_with_enumeration([*berths, berths[0]], 3, 3)


def test_counting_is_refused_at_once_where_it_would_take_hours():
    with pytest.raises(SearchLimitError, match=r"^counting would take about \d+ words of work, and the budget is \d+$"):
        count_fleets(read("26x26 5,4,3,3,2")[-1], 26, 26)


def test_counting_stops_where_the_estimate_was_too_low():
    columns, rows, berths = read("7x7 4,2*3,3*2 touching=none")
    with pytest.raises(SearchLimitError) as refused:
        count_fleets(berths, columns, rows, budget=0)
    estimate = int(re.search(r"\d+", str(refused.value))[0])
    with pytest.raises(SearchLimitError, match=r"^counting takes more work than its budget$"):
        count_fleets(berths, columns, rows, budget=estimate)
    assert count_fleets(berths, columns, rows, budget=2 * estimate) == 3326576


# Is there a fleet?


@pytest.mark.parametrize(
    ("case", "answer"),
    [
        ("10x10 5,4,3,3,2", True),
        (CROWDED, True),
        ("9x9 5,2*4,3*3,4*2 touching=none", True),
        ("7x7 5,2*4,3*3,4*2 touching=none", False),
        ("10x10 20*5", True),
        ("10x10 21*5", False),
        ("26x26 676*1", True),
        ("6x6 9*4", False),
        ("12x8 15*3 touching=none", False),
        ("12x12 40*3 touching=corners", False),
    ],
)
def test_a_fleet_fits_or_not(case, answer):
    columns, rows, berths = read(case)
    assert fits(berths, columns, rows) is answer


@pytest.mark.parametrize("case", ["6x3 6*2 touching=none", "7x3 5*2,1 touching=corners", "5x5 3*L,2 touching=none"])
def test_what_is_said_not_to_fit_has_no_fleet(case):
    columns, rows, berths = read(case)
    assert fits(berths, columns, rows) == (count_fleets(berths, columns, rows) > 0)


def test_whether_a_fleet_fits_may_take_too_long_to_say():
    columns, rows, berths = read("8x8 5,2*4,3*3,4*2 touching=none")
    with pytest.raises(SearchLimitError, match=r"^no legal fleet was found in time, nor was it shown"):
        fits(berths, columns, rows, Effort(1_000_000))


def test_searches_can_share_an_effort():
    columns, rows, berths = read(CROWDED)
    effort = Effort()
    before = effort.left
    assert fits(berths, columns, rows, effort)
    after_one = effort.left
    assert sample_fleet(berths, drawer(5), effort)
    assert before > after_one > effort.left > 0
    with pytest.raises(SearchLimitError):
        sample_fleet(berths, drawer(5), Effort(0))


# Random fleets


def chi_square(seen, expected):
    """Return the statistic in standard deviations from its mean."""
    assert set(seen) <= set(expected)
    statistic = sum((seen[key] - figure) ** 2 / figure for key, figure in expected.items())
    freedom = len(expected) - 1
    return (statistic - freedom) / (2 * freedom) ** 0.5


@pytest.mark.parametrize("case", ["4x4 3,2", "4x3 2*2,1", "4x3 3*2 islands=B2"])
def test_all_fleets_are_equally_likely(case):
    berths = read(case)[-1]
    fleets = set(enumerated(berths))
    draw = drawer(2)
    seen = Counter(as_sets(sample_fleet(berths, draw)) for _ in range(100 * len(fleets)))
    assert chi_square(seen, dict.fromkeys(fleets, 100)) < 4


def test_each_place_of_a_carrier_is_as_likely_as_it_has_fleets():
    """Places that the grid's symmetries make one of the other count as one."""
    columns, rows, (carrier, *others) = read("10x10 5,4,3,3,2")
    draws = 20_000
    draw = drawer(3)
    seen = Counter(folded(sample_fleet([carrier, *others], draw)[0][0]) for _ in range(draws))
    orbits = Counter(map(folded, carrier.masks))
    fleets = {
        place: count_fleets([Berths((place,), (place,), 1), *others], columns, rows) * size
        for place, size in orbits.items()
    }
    assert sum(fleets.values()) == 30093975536
    assert chi_square(seen, {place: draws * figure / 30093975536 for place, figure in fleets.items()}) < 4


def folded(mask):
    cells = [divmod(cell, 10) for cell in range(100) if mask >> cell & 1]
    if cells[0][1] == cells[1][1]:
        cells = [(x, y) for y, x in cells]
    images = [[(y, x), (9 - y, x), (y, 9 - x), (9 - y, 9 - x)] for y, x in cells]
    return min(sum(1 << 10 * y + x for y, x in image) for image in zip(*images, strict=True))


def test_crowded_fleets_are_legal():
    berths = read(CROWDED)[-1]
    draw = drawer(4)
    for _ in range(50):
        fleet = sample_fleet(berths, draw)
        assert [len(masks) for masks in fleet] == [1, 2, 3, 4]
        assert is_legal(fleet, berths)


def is_legal(fleet, berths):
    places = [
        (mask, dict(zip(each.masks, each.zones, strict=True))[mask])
        for masks, each in zip(fleet, berths, strict=True)
        for mask in masks
    ]
    return not any(clash(one, other) for one, other in combinations(places, 2))


@pytest.mark.parametrize("case", ["3x5 5*1 touching=none", "4x4 5*3", "4x4 4,3*3,2"])
def test_any_crowded_fleet_can_come(case):
    """Hardly any of a thousand throws is legal, so that these fleets are built ship by ship."""
    berths = read(case)[-1]
    fleets = set(enumerated(berths))
    draw = drawer(5)
    seen = {as_sets(sample_fleet(berths, draw)) for _ in range(12 * len(fleets))}
    assert seen == fleets


def test_the_most_crowded_fleet_is_found_as_well():
    berths = read("10x10 2*5,3*4,4*3,5*2 touching=none")[-1]
    assert is_legal(sample_fleet(berths, drawer(6)), berths)


def test_where_no_fleet_is_legal_none_comes():
    assert sample_fleet(read("3x3 4")[-1], drawer(7)) is None
    assert sample_fleet(read("6x6 9*4")[-1], drawer(7)) is None


def test_whether_there_is_a_fleet_to_draw_may_take_too_long_to_say():
    with pytest.raises(SearchLimitError, match=r"^no legal fleet was found in time, nor was it shown"):
        sample_fleet(read("8x8 5,2*4,3*3,4*2 touching=none")[-1], drawer(8))


def test_a_fleet_depends_on_the_draws_alone():
    for case in ("10x10 5,4,3,3,2", CROWDED):
        berths = read(case)[-1]
        assert sample_fleet(berths, drawer(9)) == sample_fleet(berths, drawer(9))
