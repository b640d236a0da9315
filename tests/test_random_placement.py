"""Random fleets: a pure function of seed, seat and number, always legal, uniform where it says so."""

import os
import subprocess
import sys
from collections import Counter
from functools import cache
from itertools import combinations, pairwise

import pytest

from irontide import Fire, IrontideError, Match, PlaceFleet, Placement, Refused, Registry, ShipClass, Variant

CLASSIC = Registry.default().variant("classic")

CROWDED = CLASSIC.but(
    id="crowded",
    fleet=[
        ShipClass("carrier", 5),
        ShipClass("battleship", 4, count=2),
        ShipClass("cruiser", 3, count=3),
        ShipClass("destroyer", 2, count=4),
    ],
    rules=["no_touching"],
)

Spot = tuple[int, int]
Ship = frozenset[Spot]


def match_of(variant: Variant, seed: int | str = 7) -> Match:
    return Match.new(variant, seats=("ada", "bo"), seed=seed)


def spots(placement: Placement) -> Ship:
    """Return the columns and rows of the cells, from 0."""
    return frozenset((ord(name[0]) - ord("A"), int(name[1:]) - 1) for name in placement.cells)


def touching(one: Ship, other: Ship, *, corners: bool) -> bool:
    gaps = {tuple(sorted((abs(c - d), abs(r - s)))) for c, r in one for d, s in other}
    return bool(gaps & ({(0, 1), (1, 1)} if corners else {(0, 1)}))


# A pure function of seed, seat and number.


def test_the_same_fleet_comes_again():
    match, again = match_of(CLASSIC), match_of(CLASSIC)

    first = match.random_placement("ada")

    assert match.random_placement("ada") == first
    assert again.random_placement("ada") == first
    assert match.random_placement("ada", n=0) == first


def test_neither_what_was_asked_before_nor_the_match_matters():
    fresh, used = match_of(CLASSIC), match_of(CLASSIC)
    expected = fresh.random_placement("bo", n=3)

    for n in range(5):
        used.random_placement("ada", n)
    used.submit(PlaceFleet("ada", used.random_placement("ada")))
    used.submit(PlaceFleet("bo", used.random_placement("bo")))
    used.submit(Fire("ada", "A1"))

    assert used.random_placement("bo", n=3) == expected
    assert Match.loads(used.dumps()).random_placement("bo", n=3) == expected


def test_asking_changes_nothing():
    match = match_of(CLASSIC)
    before = match.dumps()

    match.random_placement("ada")

    assert match.dumps() == before


def test_seed_seat_and_number_each_give_another_fleet():
    match = match_of(CLASSIC)

    fleets = [match.random_placement("ada", n) for n in range(20)]
    fleets += [match.random_placement("bo"), match_of(CLASSIC, 8).random_placement("ada")]
    fleets += [match_of(CLASSIC, "7").random_placement("ada")]

    assert len({str(fleet) for fleet in fleets}) == len(fleets)


def test_the_fleets_are_what_they_always_were():
    """A host may have kept a seed and a number instead of the fleet."""
    fleet = match_of(CLASSIC).random_placement("ada")

    assert [str(placement) for placement in fleet.values()] == ["E6-I6", "B5-E5", "G7-G9", "G1-G3", "E2-E3"]


def test_another_process_draws_the_same(tmp_path):
    source = (
        "import irontide; print(irontide.Match.new('classic', seats=('ada', 'bo'), seed=7).random_placement('ada'))"
    )
    path = os.pathsep.join(filter(None, sys.path))
    told = {
        subprocess.run(
            [sys.executable, "-c", source],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": path},
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
        for seed in ("0", "1")
    }

    assert told == {str(match_of(CLASSIC).random_placement("ada"))}


@pytest.mark.parametrize("seat", ["cy", "", None, 0])
def test_a_seat_that_is_none(seat):
    with pytest.raises(IrontideError, match="no seat"):
        match_of(CLASSIC).random_placement(seat)


# Always legal.


@pytest.mark.parametrize("variant", ["classic", "salvo", "tactical"])
def test_a_random_fleet_is_accepted_as_it_is(variant: str):
    match = Match.new(variant, seats=("ada", "bo"), seed=7)

    for n in range(100):
        match.submit(PlaceFleet("ada", match.random_placement("ada", n)))


def test_a_crowded_fleet_is_always_legal():
    match = match_of(CROWDED)

    for n in range(60):
        fleet = match.random_placement("ada", n)
        match.submit(PlaceFleet("ada", fleet))

        ships = {ship: spots(placement) for ship, placement in fleet.items()}
        assert [len(ship) for ship in ships.values()] == [5, 4, 4, 3, 3, 3, 2, 2, 2, 2]
        assert len(frozenset[Spot]().union(*ships.values())) == 30
        assert not any(touching(one, other, corners=True) for one, other in combinations(ships.values(), 2))


def test_shapes_turn_and_keep_their_distance():
    fleet = [ShipClass("corner", shape=("xx", "x."), count=2), ShipClass("block", shape=("xx", "xx"))]
    match = match_of(CLASSIC.but(id="shapes", grid={"columns": 6, "rows": 5}, fleet=fleet, rules=["no_touching"]))

    turns = set()
    for n in range(60):
        placed = match.random_placement("ada", n)
        match.submit(PlaceFleet("ada", placed))
        corner = sorted(spots(placed["corner"]))
        turns.add(tuple((c - corner[0][0], r - corner[0][1]) for c, r in corner))
    assert len(turns) == 4


def test_a_full_grid_has_its_one_fleet_in_either_order():
    variant = CLASSIC.but(id="full", grid={"columns": 3, "rows": 1}, fleet=[ShipClass("raft", 1), ShipClass("boat", 2)])
    match = match_of(variant)

    fleets = {tuple(str(place) for place in match.random_placement("ada", n).values()) for n in range(30)}

    assert fleets == {("A1-A1", "B1-C1"), ("C1-C1", "A1-B1")}


# Uniform: chi-square at a level of one in ten thousand, over fleets that never change.

LIMITS = {14: 42.58, 24: 58.61, 263: 356.96}
"""The value that chi-square exceeds once in ten thousand, by degrees of freedom."""


def every_fleet(columns: int, rows: int, *lengths: int, corners: bool | None = None) -> set[tuple[Ship, ...]]:
    """Return every legal fleet, by trying all."""
    fleets: set[tuple[Ship, ...]] = {()}
    for length in lengths:
        across = [
            frozenset((c + k, r) for k in range(length)) for r in range(rows) for c in range(columns - length + 1)
        ]
        down = [frozenset((c, r + k) for k in range(length)) for r in range(rows - length + 1) for c in range(columns)]
        fleets = {
            (*fleet, ship)
            for fleet in fleets
            for ship in {*across, *down}
            if not any(ship & other for other in fleet)
            and (corners is None or not any(touching(ship, other, corners=corners) for other in fleet))
        }
    return fleets


def drawn(match: Match, n: int) -> tuple[Ship, ...]:
    return tuple(spots(placement) for placement in match.random_placement("ada", n).values())


def test_each_fleet_of_a_small_grid_is_equally_likely():
    variant = CLASSIC.but(
        id="small", grid={"columns": 4, "rows": 4}, fleet=[ShipClass("cruiser", 3), ShipClass("destroyer", 2)]
    )
    match = match_of(variant)

    counts = Counter(drawn(match, n) for n in range(264 * 40))

    assert set(counts) == every_fleet(4, 4, 3, 2)
    assert sum((count - 40) ** 2 / 40 for count in counts.values()) < LIMITS[263]


@pytest.mark.parametrize("corners", [True, False])
def test_each_fleet_of_a_small_crowded_grid_comes(corners: bool):
    fleet = [ShipClass("cruiser", 3), ShipClass("destroyer", 2), ShipClass("raft", 1)]
    rules = [{"use": "no_touching", "corners": corners}]
    match = match_of(CLASSIC.but(id="small", grid={"columns": 4, "rows": 4}, fleet=fleet, rules=rules))
    legal = every_fleet(4, 4, 3, 2, 1, corners=corners)

    counts = Counter(drawn(match, n) for n in range(30 * len(legal)))

    assert set(counts) == legal


CARRIERS = [
    [308679864, 300086082, 293147574],
    [268729278, 262292842, 256858544],
    [240572758, 235662132, 231209274],
    [231378638, 226940606, 222766920],
    [232207034, 227709344, 223506052],
]
"""In how many of Classic's fleets the carrier lies across from this cell on: rows 1 to 5, columns A to C.

Counted by trying all fleets; its other places are these, mirrored and turned.
"""

DESTROYERS = [
    [191764362, 186011784, 180135104, 176897388, 175042916],
    [180035094, 175869894, 171313970, 168770608, 167259840],
    [168832380, 166131498, 162789856, 160881726, 159681944],
    [162940624, 161014068, 158265552, 156568412, 155464000],
    [159823416, 158310140, 155870616, 154242312, 153107576],
]
"""The same for the destroyer: rows 1 to 5, columns A to E, of which E mirrors onto itself."""

FLEETS = 30_093_975_536
APART = 3_851_502_784
"""Of these no two ships touch at all."""
CORNERS_ONLY = 5_797_542_752
"""Of these no two ships touch side by side."""

SAMPLES = 8_000


@cache
def sample() -> list[tuple[Ship, ...]]:
    match = match_of(CLASSIC)
    return [drawn(match, n) for n in range(SAMPLES)]


def class_of(ship: Ship) -> Spot:
    """Return the row and column from which the ship lies across, turned and mirrored into the upper left quarter."""
    (c, r), *_, (d, s) = sorted(ship)
    along, beside = ((c, d), r) if r == s else ((r, s), c)
    return min(beside, 9 - beside), min(along[0], 9 - along[1])


def ways(table: list[list[int]], middle: int) -> dict[Spot, int]:
    """Return the number of fleets of each class of places; those in the middle are half as many."""
    return {
        (row, column): count * (4 if column == middle else 8)
        for row, counts in enumerate(table)
        for column, count in enumerate(counts)
    }


def chi_square(counts: Counter[Spot], wanted: dict[Spot, int]) -> float:
    assert sum(wanted.values()) == FLEETS
    assert set(counts) == set(wanted)
    expected = {key: count * counts.total() / FLEETS for key, count in wanted.items()}
    return sum((counts[key] - each) ** 2 / each for key, each in expected.items())


def test_the_carrier_lies_as_often_in_each_place_as_in_all_fleets():
    assert chi_square(Counter(class_of(fleet[0]) for fleet in sample()), ways(CARRIERS, 9)) < LIMITS[14]


def test_the_destroyer_lies_as_often_in_each_place_as_in_all_fleets():
    assert chi_square(Counter(class_of(fleet[4]) for fleet in sample()), ways(DESTROYERS, 4)) < LIMITS[24]


def test_the_statistic_would_notice_a_carrier_that_is_placed_without_a_thought_for_the_rest():
    even = Counter(dict.fromkeys(ways(CARRIERS, 9), SAMPLES // 15))

    assert chi_square(even, ways(CARRIERS, 9)) > 2 * LIMITS[14]


def near(count: int, ways: int) -> bool:
    """Tell whether so many of the sample are within four standard deviations of what is due."""
    share = ways / FLEETS
    return abs(count - SAMPLES * share) < 4 * (SAMPLES * share * (1 - share)) ** 0.5


def test_ships_touch_as_often_as_in_all_fleets():
    apart = [fleet for fleet in sample() if not any(touching(a, b, corners=True) for a, b in combinations(fleet, 2))]
    sides = [fleet for fleet in sample() if not any(touching(a, b, corners=False) for a, b in combinations(fleet, 2))]

    assert near(len(apart), APART)
    assert near(len(sides), CORNERS_ONLY)


def test_each_ship_lies_across_as_often_as_down():
    for place in range(5):
        assert near(sum(len({row for _, row in fleet[place]}) == 1 for fleet in sample()), FLEETS // 2)


def test_fleets_that_follow_each_other_have_nothing_to_do_with_each_other():
    same = sum(class_of(one[0]) == class_of(other[0]) for one, other in pairwise(sample()))

    assert near(same, sum(count * count // FLEETS for count in ways(CARRIERS, 9).values()))


def test_no_legal_fleet_is_an_error_before_any_match():
    fleet = [ShipClass("carrier", 5, count=3)]

    with pytest.raises(IrontideError):
        match_of(CLASSIC.but(id="none", grid={"columns": 5, "rows": 2}, fleet=fleet))


def test_a_random_fleet_may_still_be_refused_for_other_reasons():
    match = match_of(CLASSIC)
    for seat in match.seats:
        match.submit(PlaceFleet(seat, match.random_placement(seat)))

    with pytest.raises(Refused):
        match.submit(PlaceFleet("ada", match.random_placement("ada", n=1)))
