"""The fleet: ship classes and shapes, placements and how they are written, which fleets may stand."""

from collections import Counter

import pytest

import irontide
from irontide import CellSet, Fire, Grid, Match, PlaceFleet, Placement, Refused, Registry, ShipClass, TooLarge, Variant
from irontide.fleet import Fleet, berths

L = ("x.", "x.", "xx")
SEATS = ("ada", "bo")
REGISTRY = Registry.default()
CLASSIC = REGISTRY.variant("classic")
FLEET = {"carrier": "A1-A5", "battleship": "C1-C4", "cruiser": "E1-E3", "submarine": "G1-G3", "destroyer": "I1-I2"}


def match_of(*fleet: ShipClass, columns: int = 5, rows: int = 5, rules: tuple[str, ...] = ()) -> Match:
    variant = Variant("test", grid=Grid(columns, rows), fleet=fleet).but(id="test.fleet", rules=rules)
    return Match.new(variant, seats=SEATS, seed=7)


def codes(match: Match, ships: dict[str, object]) -> list[str]:
    return [refusal.code for refusal in match.refusals(PlaceFleet("ada", ships))]


def stands(match: Match, ships: dict[str, object]) -> dict[str, str]:
    """Place a fleet for ada and return where her view says it stands."""
    match.submit(PlaceFleet("ada", ships))
    return {id_: " ".join(match.grid.list(ship.cells)) for id_, ship in match.view("ada").own.ships.items()}


# Classes.


def test_the_fleet_is_five_ships_of_17_cells():
    assert {ship.id: ship.cells for ship in CLASSIC.fleet} == {
        "carrier": 5, "battleship": 4, "cruiser": 3, "submarine": 3, "destroyer": 2,
    }  # fmt: skip
    assert sum(ship.cells for ship in CLASSIC.fleet) == 17


def test_a_shape_has_the_cells_that_are_drawn():
    assert ShipClass("hook", shape=L).cells == 4


def test_several_ships_of_a_class_are_numbered_from_the_second():
    ship = ShipClass("cruiser", 3, count=3)

    assert ship.ships() == ("cruiser", "cruiser-2", "cruiser-3")
    variant = Variant("test", fleet=(ship, ShipClass("destroyer", 2)))
    assert variant.ship_class("cruiser-3") == ship
    assert variant.ship_class("cruiser-4") is None
    assert variant.ship_class("destroyer-2") is None


# Placements as they are written.


@pytest.mark.parametrize(
    "given", ["A1-A3", "A3-A1", "a3-a1", ["A1", "A2", "A3"], ["A3", "A1", "A2"], Placement(("A1", "A2", "A3"))]
)
def test_either_end_comes_first_and_cells_come_in_any_order(given: object):
    assert stands(match_of(ShipClass("cruiser", 3)), {"cruiser": given}) == {"cruiser": "A1 A2 A3"}


def test_e3_e1_is_e1_e3():
    commit = Match.new("classic", seats=SEATS).submit(PlaceFleet("ada", FLEET | {"cruiser": "E3-E1"}))

    assert commit.events[0].ships["cruiser"] == ("E1", "E2", "E3")


def test_a_ship_of_one_cell_is_placed_by_that_cell():
    assert stands(match_of(ShipClass("buoy", 1)), {"buoy": "B2"}) == {"buoy": "B2"}
    assert stands(match_of(ShipClass("buoy", 1)), {"buoy": "B2-B2"}) == {"buoy": "B2"}


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ("A1-A2", "wrong_shape"),
        ("A1-A4", "wrong_shape"),
        ("A1-C3", "wrong_shape"),
        ("A1-A2-A3", "wrong_shape"),
        ("A1", "wrong_shape"),
        (["A1", "A2", "A4"], "wrong_shape"),
        (["A1", "A2", "B2"], "wrong_shape"),
        (["A1", "A2", "A2"], "wrong_shape"),
        (["A1", "A2", "A3", "A3"], "wrong_shape"),
        ([], "wrong_shape"),
        (None, "wrong_shape"),
        (7, "wrong_shape"),
        ("A4-A6", "unknown_cell"),
        ("A0-A2", "unknown_cell"),
        ("A1-", "unknown_cell"),
        (["A1", "A2", 3], "unknown_cell"),
    ],
)
def test_what_is_no_place_of_the_ship_is_refused(given: object, code: str):
    match = match_of(ShipClass("cruiser", 3))

    assert codes(match, {"cruiser": given}) == [code]
    with pytest.raises(Refused):
        match.submit(PlaceFleet("ada", {"cruiser": given}))
    assert match.number == 0


def test_a_placement_is_written_by_its_ends_where_that_says_it_all():
    grid = Grid(5, 5)

    assert str(Placement.of(grid, grid.cells("A3", "A1", "A2"))) == "A1-A3"
    assert str(Placement.of(grid, grid.cells("A1", "A2", "B2"))) == "A1 A2 B2"
    assert Placement(("A1", "A2", "B2")).json() == ("A1", "A2", "B2")


# Shapes.


@pytest.mark.parametrize("cells", ["A1 A2 A3 B3", "A1 B1 C1 A2", "A1 B1 B2 B3", "C1 A2 B2 C2"])
def test_a_shape_turns_in_quarters(cells: str):
    placed = stands(match_of(ShipClass("hook", shape=L)), {"hook": cells.split()})

    assert placed == {"hook": cells}


@pytest.mark.parametrize("cells", ["B1 B2 A3 B3", "A1 A2 B2 C2", "A1 B1 A2 A3", "A1 B1 C1 C2"])
def test_a_shape_is_mirrored_only_if_that_is_declared(cells: str):
    plain, mirrored = (match_of(ShipClass("hook", shape=L, mirror=mirror)) for mirror in (False, True))

    assert codes(plain, {"hook": cells.split()}) == ["wrong_shape"]
    assert codes(mirrored, {"hook": cells.split()}) == []


@pytest.mark.parametrize(
    ("shape", "mirror", "ways"),
    [(("xxx",), False, 2), (("xx", "xx"), True, 1), (L, False, 4), (L, True, 8), (("xx.", ".xx"), True, 4)],
)
def test_a_shape_lies_in_as_many_ways_as_differ(shape: tuple[str, ...], mirror: bool, ways: int):
    """On 5x5, shifted into the corner A1: both its first row and its first column are taken."""
    grid = Grid(5, 5)
    found = berths(ShipClass("s", shape=shape, mirror=mirror), grid, grid.all.mask)
    corner = [mask for mask in found if mask & grid.row(1).mask and mask & grid.column("A").mask]

    assert len(corner) == ways
    assert len(set(found)) == len(found)


def test_a_hollow_shape_may_hold_another_ship():
    ring = ("xxx", "x.x", "xxx")
    ships = {"ring": ["A1", "B1", "C1", "A2", "C2", "A3", "B3", "C3"], "buoy": "B2"}
    match = match_of(ShipClass("ring", shape=ring), ShipClass("buoy", 1), columns=3, rows=3)

    assert codes(match, ships) == []
    assert irontide.count_placements(match.variant) == 1


def test_a_bent_ship_sinks_when_each_of_its_cells_is_hit():
    match = match_of(ShipClass("hook", shape=L))
    for seat in SEATS:
        match.submit(PlaceFleet(seat, {"hook": ["A1", "A2", "A3", "B3"]}))

    for shot, answer in zip(("A1", "B3", "A2"), ("E1", "E2", "E3"), strict=True):
        commit = match.submit(Fire("ada", shot))
        assert "ship_sunk" not in [event.type for event in commit.events]
        match.submit(Fire("bo", answer))
    match.submit(Fire("ada", "A3"))

    assert match.outcome == irontide.Outcome("ada", "all_sunk")
    assert match.view("bo").own.ships["hook"].afloat is False


def test_a_place_lies_in_the_sea():
    """Where some cells are no sea, no ship lies on them."""
    assert berths(ShipClass("d", 2), Grid(3, 1), 0b011) == (0b011,)
    assert berths(ShipClass("d", 2), Grid(3, 1), 0b101) == ()


# The whole fleet.


def test_ships_of_one_class_have_keys_of_their_own_and_each_sinks_alone():
    match = match_of(ShipClass("cruiser", 2, count=2), ShipClass("buoy", 1))
    ships = {"cruiser": "A1-A2", "cruiser-2": "C1-C2", "buoy": "E5"}
    for seat in SEATS:
        match.submit(PlaceFleet(seat, ships))
    match.submit(Fire("ada", "C1"))
    match.submit(Fire("bo", "E1"))

    commit = match.submit(Fire("ada", "C2"))

    [sunk] = [event for event in commit.events if event.type == "ship_sunk"]
    assert (sunk.class_, sunk.ship) == ("cruiser", "cruiser-2")
    view = match.view("ada").target
    assert (view.sunk_ships, view.sunk_classes) == (("cruiser-2",), ("cruiser",))
    assert [ship.afloat for ship in match.view("bo").own.ships.values()] == [True, False, True]


@pytest.mark.parametrize(
    ("ships", "expected"),
    [
        ({"cruiser": "A1-A2", "cruiser-2": "B1-B2"}, []),
        ({"cruiser": "A1-A2"}, ["wrong_fleet"]),
        ({"cruiser": "A1-A2", "cruiser-3": "B1-B2"}, ["unknown_ship", "wrong_fleet"]),
        ({"cruiser": "A1-A2", "cruiser-2": "B1-B2", "cruiser-3": "C1-C2"}, ["unknown_ship"]),
        ({"cruiser": "A1-A2", "cruiser-2": "A2-A3"}, ["overlap"]),
        ({"cruiser": "A1-A2", "cruiser-2": "A1-A2"}, ["overlap"]),
        ({}, ["wrong_fleet"]),
    ],
)
def test_every_ship_stands_exactly_once_and_none_on_another(ships: dict[str, object], expected: list[str]):
    assert codes(match_of(ShipClass("cruiser", 2, count=2)), ships) == expected


@pytest.mark.parametrize(
    ("rules", "other", "expected"),
    [
        ((), "B1-B2", []),
        (("no_touching",), "B1-B2", ["touching"]),
        (("no_touching",), "B3-B4", ["touching"]),
        (("no_touching",), "C1-C2", []),
        (("no_touching",), "A1-A2", ["overlap"]),
        (({"use": "no_touching", "corners": False},), "B3-B4", []),
        (({"use": "no_touching", "corners": False},), "A3-A4", ["touching"]),
    ],
)
def test_touching_is_allowed_unless_a_house_rule_forbids_it(rules: tuple[object, ...], other: str, expected: list[str]):
    match = match_of(ShipClass("cruiser", 2, count=2), rules=rules)

    assert codes(match, {"cruiser": "A1-A2", "cruiser-2": other}) == expected


def test_no_edge_is_a_neighbour_of_the_edge_opposite():
    match = match_of(ShipClass("cruiser", 2, count=2), rules=("no_touching",))

    assert codes(match, {"cruiser": "D1-E1", "cruiser-2": "A2-B2"}) == []


def test_the_largest_grid_is_played_to_its_last_corner():
    match = match_of(ShipClass("destroyer", 2), columns=26, rows=26)
    match.submit(PlaceFleet("ada", {"destroyer": "A1-B1"}))
    match.submit(PlaceFleet("bo", {"destroyer": "Z25-Z26"}))

    match.submit(Fire("ada", "Z26"))
    match.submit(Fire("bo", "z1"))
    match.submit(Fire("ada", "Z25"))

    assert match.outcome == irontide.Outcome("ada", "all_sunk")
    assert irontide.count_placements(match.variant) == 2 * 25 * 26


def test_a_ship_as_long_as_the_largest_grid_is_wide():
    match = match_of(ShipClass("pier", 26), columns=26, rows=26)

    assert codes(match, {"pier": "A7-Z7"}) == []
    assert codes(match, {"pier": "B7-Z7"}) == ["wrong_shape"]
    assert irontide.count_placements(match.variant) == 52


def test_random_fleets_of_any_shape_can_be_placed():
    match = match_of(ShipClass("hook", shape=L, count=2), ShipClass("buoy", 1, count=2), rules=("no_touching",))

    drawn = [match.random_placement("ada", n) for n in range(20)]

    assert all(codes(match, ships) == [] for ships in drawn)
    assert len(Counter(str(ships) for ships in drawn)) > 1


def test_counting_that_would_take_too_long_is_given_up():
    fleet = [ShipClass(f"s{n}", n) for n in range(2, 9)]
    variant = CLASSIC.but(id="test.large", grid={"columns": 26, "rows": 26}, fleet=fleet)

    with pytest.raises(TooLarge, match=r"test\.large"):
        irontide.count_placements(variant)


def test_fleets_compare_and_hash_by_where_their_ships_lie():
    bits = Grid(3, 3).bits
    one, same, other = (Fleet({"d": names}, bits) for names in (("A1", "A2"), ("A2", "A1"), ("A2", "A3")))

    assert one == same
    assert one != other
    assert len({one, same, other}) == 2
    assert one.ships() == {"d": CellSet.of([0, 3])}
