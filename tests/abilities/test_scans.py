"""The abilities that ask: what they find, what is told to whom, and what fools or blinds them."""

import pytest

from irontide import Grid, ShipClass, text

FOUND = ("count", "any", "cells", "ships", "distance", "blind")
"""The fields of a scan that only its user may know."""


@pytest.fixture
def scout(scenario):
    """Give a match in which ada's carrier has the scan, and bo's fleet lies where the test says."""

    def make(use, also=None, **ships):
        return scenario(abilities={"carrier": use, **(also or {})}, fleets={"bo": ships}, points={"ada": 30, "bo": 30})

    return make


def scanned(played, line, **found):
    """See that ada finds this, and that bo and a spectator are told of the question alone."""
    ability = line.split()[0]
    played.when(f"ada: {line}").told("ada", "points_spent", "ability_used", "cells_scanned", by="ada", ability=ability)
    told = played.match.told("ada")[-1]
    assert {name: told[name] for name in FOUND if name in told} == found
    for seat in ("bo", None):
        heard = played.match.told(seat)[-1]
        assert {**heard, "n": 0} == {**{name: told[name] for name in told if name not in FOUND}, "n": 0}
    return played.to_move("ada").fires_at("ada", count=1).not_told("bo", "shot_fired")


# Ping.


@pytest.mark.parametrize(
    ("at", "found"),
    [
        ("D4", True),
        ("F7", True),
        ("E5", True),
        ("C5", False),
        ("G5", False),
        ("E8", False),
        ("A1", False),
        ("J1", False),
    ],
)
def test_a_ping_tells_whether_a_ship_cell_is_in_the_area(scout, at, found):
    scanned(scout("ping", destroyer="E5-E6"), f"ping {at}", any=found)


@pytest.mark.parametrize(
    ("at", "area"),
    [
        ("A1", "A1 B1 A2 B2"),
        ("J1", "I1 J1 I2 J2"),
        ("E1", "D1 E1 F1 D2 E2 F2"),
        ("A5", "A4 B4 A5 B5 A6 B6"),
    ],
)
def test_a_ping_is_clipped_at_the_edge(scout, at, area):
    scout("ping").when(f"ping {at}").told("bo", "cells_scanned", area=area.split(), any=None, tell="any")


def test_a_ping_does_not_find_what_is_hit_and_may_ask_where_all_was_shot(scout):
    played = scout("ping", destroyer="A1-A2").given("ada: A1", "bo: A1", "ada: B1", "bo: A2", "ada: B2", "bo: A3")
    played = scanned(played, "ping A1", any=True).given("ada: A2", "bo: A4")
    scanned(played, "ping A1", any=False)


# Flyby.


@pytest.mark.parametrize(
    ("line", "ships"),
    [
        ("E5 across", 2),  # the destroyer's and the submarine's ends
        ("E5 down", 1),  # both cells of one ship
        ("H5 across", 1),
        ("B2 across", 0),
        ("A1 down", 0),
        ("A9 across", 1),
        ("A10 down", 1),
        ("C10 across", 2),
    ],
)
def test_a_flyby_counts_the_different_ships_in_line(scout, line, ships):
    scanned(scout("flyby", destroyer="E5-E6", submarine="G5-G7"), f"flyby {line}", ships=ships)


@pytest.mark.parametrize(
    ("line", "area"),
    [
        ("E5 across", "C5 D5 E5 F5 G5"),
        ("E5 down", "E3 E4 E5 E6 E7"),
        ("A1 across", "A1 B1 C1"),
        ("J1 across", "H1 I1 J1"),
        ("A10 down", "A8 A9 A10"),
    ],
)
def test_a_flyby_is_five_cells_clipped_at_the_edge(scout, line, area):
    scout("flyby").when(f"flyby {line}").told("bo", "cells_scanned", area=area.split(), ships=None)


def test_a_flyby_counts_a_ship_that_is_hit_but_not_one_that_is_sunk(scout):
    played = scout("flyby", destroyer="E5-E6").given("ada: E5", "bo: A1")
    played = scanned(played, "flyby E5 across", ships=1).given("ada: E6", "bo: A2")
    scanned(played, "flyby E5 across", ships=0)


# Radar.


@pytest.mark.parametrize(
    ("at", "distance"), [("E5", 0), ("D4", 1), ("E3", 2), ("C3", 2), ("G4", 2), ("A1", 4), ("J1", 5), ("J5", 4)]
)
def test_a_radar_tells_the_steps_to_the_nearest_ship(scout, at, distance):
    scanned(scout("radar", destroyer="E5-E6"), f"radar {at}", distance=distance)


def test_a_radar_does_not_count_cells_that_are_hit(scout):
    played = scout("radar", destroyer="E5-E6").given("ada: E5", "bo: A1")
    played = scanned(played, "radar E5", distance=1).given("ada: E6", "bo: A2")
    scanned(played, "radar E5", distance=4)


def test_a_radar_may_be_aimed_at_a_cell_that_was_shot(scout):
    scanned(scout("radar", destroyer="E5-E6").given("ada: E5", "bo: A1"), "radar E5", distance=1)


def test_a_radar_looks_past_the_smoke_and_says_so(scout):
    played = scout("radar", {"battleship": "smoke"}, destroyer="E5-E6", cruiser="J1-J3")
    played.given("ada: A1", "bo: smoke E5", "bo: A1")
    scanned(played, "radar B5", distance=3, blind=["D4", "E4", "F4", "D5", "E5", "F5", "D6", "E6", "F6"])


def test_a_radar_inside_of_the_smoke_finds_what_lies_outside(scout):
    played = scout("radar", {"battleship": "smoke"}, destroyer="E5-E6", cruiser="H3-H5")
    played.given("ada: A1", "bo: smoke E5", "bo: A1")
    scanned(played, "radar E5", distance=3, blind=["D4", "E4", "F4", "D5", "E5", "F5", "D6", "E6", "F6"])


def test_a_radar_with_every_ship_in_smoke_finds_none(scenario):
    played = scenario(
        fleet=(ShipClass("carrier", 5), ShipClass("destroyer", 2)),
        fleets={"bo": {"carrier": "A9-E9", "destroyer": "A10-B10"}},
        abilities={"carrier": "radar", "destroyer": "smoke"},
        drops=["core.one_ability"],
        points={"ada": 9, "bo": 9},
    )
    played.given("ada: A1", "bo: smoke B10", "bo: smoke D9", "bo: smoke E10", "bo: A1").when("ada: radar B2")
    played.told("ada", "cells_scanned", distance=None, area=["B2"])
    told = played.match.told("ada")[-1]
    assert text(told).startswith("ada's Radar at B2 finds no ship. It sees nothing of C8, D8, E8, A9,")
    assert text(told, "de").startswith("Radar von ada bei B2 findet kein Schiff. Von C8, D8, E8, A9,")


# Spotter.


@pytest.mark.parametrize(
    ("at", "found"),
    [
        ("D5", True),
        ("F6", True),
        ("E4", True),
        ("E7", True),
        ("D4", False),
        ("F7", False),
        ("E3", False),
        ("A1", False),
    ],
)
def test_a_spotter_looks_at_the_four_cells_beside_water(scout, at, found):
    scanned(scout("spotter", destroyer="E5-E6").given(f"ada: {at}", "bo: A1"), f"spotter {at}", any=found)


@pytest.mark.parametrize(("at", "area"), [("A1", "B1 A2"), ("J1", "I1 J2"), ("E1", "D1 F1 E2"), ("E5", "E4 D5 F5 E6")])
def test_a_spotter_asks_for_the_cells_beside_and_not_for_the_water(scout, at, area):
    played = scout("spotter").given(f"ada: {at}", "bo: A1").when(f"ada: spotter {at}")
    played.told("bo", "cells_scanned", area=area.split(), any=None)


def test_a_spotter_needs_a_cell_known_as_water(scout):
    (
        scout("spotter", destroyer="E5-E6")
        .offers("ada", "spotter", refusal="bad_target")
        .refuses("ada: spotter D5", "bad_target", target="D5")
        .given("ada: E5", "bo: D5")
        .refuses("ada: spotter E5", "bad_target", target="E5")
        .refuses("ada: spotter D5", "bad_target", target="D5")
        .given("ada: D5", "bo: A1")
        .offers("ada", "spotter", "D5")
    )


def test_a_spotter_sees_ships_that_are_hit_or_sunk(scout):
    played = scout("spotter", destroyer="E5-E6").given("ada: D5", "bo: A1", "ada: E5", "bo: A2", "ada: E6", "bo: A3")
    scanned(played, "spotter D5", any=True)


def test_a_spotter_takes_a_decoy_for_a_ship_until_it_is_shot(scout):
    played = scout("spotter", {"battleship": "decoy"}).given("ada: D5", "bo: decoy D6", "bo: A1")
    played = scanned(played, "spotter D5", any=True).given("ada: D6", "bo: A2")
    scanned(played, "spotter D5", any=False)


def test_a_spotter_may_not_use_water_that_was_taken_back(scout):
    (
        scout("spotter", {"submarine": "dive"}, submarine="E5-E7")
        .given("ada: D5", "bo: dive", "bo: A1")
        .when("ada: E5")
        .told("ada", "knowledge_forgotten", cells=["E5"])
        .given("bo: A2")
        .sees("ada", water="D5", unknown=[name for name in Grid(10, 10).names if name != "D5"])
        .refuses("ada: spotter E5", "bad_target", target="E5")
        .offers("ada", "spotter", "D5")
    )


# What fools and blinds them all.


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("ping D4", {"any": True}),
        ("flyby D5 across", {"ships": 2}),
        ("radar C4", {"distance": 0}),
        ("recon C4", {"cells": ["C4"]}),
        ("sonar D4", {"count": 2}),
    ],
)
def test_a_decoy_is_a_ship_cell_and_a_ship_of_its_own_to_every_scan(scout, line, found):
    at = "C5" if "flyby" in line else "C4"
    played = scout(line.split()[0], {"battleship": "decoy"}, destroyer="E5-E6", cruiser="J1-J3")
    scanned(played.given("ada: A1", f"bo: decoy {at}", "bo: A1"), line, **found)


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("ping D4", {"any": True, "blind": "E5"}),
        ("ping F6", {"any": False, "blind": "E5 F5 G5 E6 F6 G6 E7 F7 G7"}),
        ("flyby D5 across", {"ships": 0, "blind": "E5 F5"}),
        ("recon D4", {"cells": ["C3"], "blind": "E5"}),
        ("recon F6", {"cells": [], "blind": "E5 F5 G5 E6 F6 G6 E7 F7 G7"}),
        ("sonar D4", {"count": 1, "blind": "E5"}),
    ],
)
def test_a_scan_leaves_out_what_lies_in_smoke_and_says_which_cells(scout, line, found):
    played = scout(line.split()[0], {"battleship": "smoke"}, destroyer="E5-E6", cruiser="C1-C3")
    played.given("ada: A1", "bo: smoke F6", "bo: A1")
    scanned(played, line, **{**found, "blind": found["blind"].split()})


def test_a_sunk_ship_scans_no_more(scout):
    (
        scout("ping")
        .given("ada: A1", "bo: F10", "ada: A2", "bo: G10", "ada: A3", "bo: H10", "ada: A4", "bo: I10", "ada: A5")
        .when("bo: J10")
        .told("ada", "ability_disabled", ability="ping", ship="carrier")
        .refuses("ada: ping E5", "ability_disabled")
    )
