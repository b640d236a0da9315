"""Pairs of abilities with a right answer: each of these went wrong in a trial."""

import pytest

from irontide import Ability, ShipClass, Sink, ability


@pytest.fixture
def pair(scenario):
    """Give a match with these abilities, as many a turn as wanted, and points for all; bo's fleet as the test says."""

    def make(abilities, **ships):
        return scenario(
            abilities=abilities,
            fleets={"bo": ships},
            points={"ada": 30, "bo": 30},
            drops=["core.one_ability"],
            rules=["moving_allowed"],
        )

    return make


def test_a_shield_and_an_area_attack_on_three_of_its_cells(pair):
    (
        pair({"carrier": "shield", "cruiser": "broadside"}, destroyer="E5-E6", submarine="F5-F7")
        .given("ada: A1", "bo: shield E5", "bo: A1")
        .when("ada: broadside E5 across")
        .told("ada", "shot_fired", at="D5", told="blocked")
        .told("ada", "shot_fired", at="E5", told="hit")
        .told("ada", "shot_fired", at="F5", told="hit")
        .told("bo", "shot_fired", "unmarked", rule="shield")
        .fires_at("ada", "D5")
    )


def test_a_shield_and_a_cross_whose_first_cell_it_covers_is_a_ship(pair):
    (
        pair({"carrier": "shield", "cruiser": "cross_shot"}, destroyer="E4-E5")
        .given("ada: A1", "bo: shield E5", "bo: A1")
        .when("ada: cross_shot E5")
        .told("ada", "shot_fired", at="E4", told="blocked")
        .told("ada", "shot_fired", "shot_fired", at="E5", told="hit")
        .not_told("ada", "ship_sunk")
        .when("ada: E4")
        .told("ada", "shot_fired", "ship_sunk", class_="destroyer")
    )


def test_a_counter_battery_and_the_hit_that_sinks_its_own_cruiser(pair):
    (
        pair({"cruiser": "counter_battery"}, cruiser="E5-E7")
        .given("ada: E5", "bo: A1", "ada: E6", "bo: counter_battery", "bo: A2")
        .when("ada: E7")
        .told("ada", "shot_fired", "ship_sunk", "ability_disabled", "unmarked", "turn_ended", seat="ada")
        .not_told("ada", "shot_fired", by="bo")
        .not_happened("shot_fired", by="bo")
    )


def test_a_counter_battery_and_a_batch_that_hits_and_sinks_its_own_cruiser(pair):
    (
        pair({"cruiser": "counter_battery", "carrier": "double_shot"}, cruiser="E5-E7", destroyer="G5-G6")
        .given("ada: E6", "bo: A1", "ada: E7", "bo: counter_battery", "bo: A2")
        .when("ada: double_shot F5 across")
        .told("ada", "shot_fired", "shot_fired", "ship_sunk", "ability_disabled", "unmarked", seat="bo")
        .not_happened("shot_fired", by="bo")
    )


def test_a_dive_and_jam(pair):
    (
        pair({"submarine": "dive", "carrier": "jam", "cruiser": "cross_shot"}, submarine="E5-E7")
        .given("ada: A1", "bo: dive", "bo: A1", "ada: cross_shot E5")
        .when("ada: jam dive")
        .told("bo", "ability_disabled", ability="dive", reason="jammed")
        .not_told("bo", "unmarked")
        .when("ada: E7")
        .told("ada", "shot_fired", told="hit")
        .told("ada", "turn_started", "knowledge_forgotten", seat="ada", cells=["E4", "D5", "E5", "F5", "E6"])
        .told("bo", "turn_started", "unmarked", rule="dive")
        .sees("ada", hit="E7", water="A1")
        .given("bo: A2", "ada: E5", "bo: A3")
        .when("ada: E6")
        .told("ada", "ship_sunk", class_="submarine")
    )


@ability("test.charge", price=0)
class Charge(Ability):
    """Sink the enemy's submarine, wherever it is."""

    def use(self, ctx, nothing):
        yield Sink(ctx.other.name, "submarine")


def test_a_dive_and_the_submarine_sunk_by_an_effect(pair):
    (
        pair({"submarine": "dive", "cruiser": "cross_shot", "carrier": Charge}, submarine="E5-E7")
        .given("ada: A1", "bo: dive", "bo: A1", "ada: cross_shot E5")
        .when("ada: test.charge")
        .told("ada", "ship_sunk", "ability_disabled", reason="sunk")
        .not_told("ada", "knowledge_forgotten")
        .when("ada: A2")
        .told("ada", "turn_started", "knowledge_forgotten", cells=["A2", "E4", "D5", "E5", "F5", "E6"])
        .told("bo", "unmarked", rule="dive")
        .sees("ada", water="A1", sunk_classes=("submarine",))
    )


def test_a_trap_under_a_shield(pair):
    (
        pair({"carrier": "trap", "cruiser": "shield"})
        .given("ada: A1", "bo: trap E5", "bo: shield E5", "bo: A1")
        .when("ada: E5")
        .told("ada", "shot_fired", told="blocked")
        .not_told("ada", "points_spent")
        .not_told("bo", "unmarked", rule="trap")
        .points(ada=30)
        .given("bo: A2")
        .when("ada: E5")
        .told("ada", "shot_fired", told="water")
        .told("ada", "points_spent", amount=2, reason="trap")
    )


@pytest.mark.parametrize(("line", "ships"), [("D5 across", 2), ("C5 across", 2), ("C5 down", 1), ("A5 across", 1)])
def test_a_decoy_and_a_flyby(pair, line, ships):
    played = pair({"carrier": "decoy", "cruiser": "flyby"}, destroyer="E5-E6").given(
        "ada: A1", "bo: decoy C5", "bo: A1"
    )
    played.when(f"ada: flyby {line}").told("ada", "cells_scanned", ships=ships)


@pytest.mark.parametrize(("at", "distance"), [("C5", 0), ("B5", 1), ("A3", 2), ("D5", 1), ("E5", 0)])
def test_a_decoy_and_a_radar(pair, at, distance):
    played = pair({"carrier": "decoy", "cruiser": "radar"}, destroyer="E5-E6").given(
        "ada: A1", "bo: decoy C5", "bo: A1"
    )
    played.when(f"ada: radar {at}").told("ada", "cells_scanned", distance=distance)


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("recon C4", {"cells": []}),
        ("sonar C4", {"count": 0}),
        ("ping C4", {"any": False}),
        ("flyby B4 across", {"ships": 0}),
        ("radar C4", {"distance": 4}),
    ],
)
@pytest.mark.parametrize("laid", [["bo: decoy C4"], []])
def test_a_decoy_inside_smoke(pair, line, found, laid):
    abilities = {"carrier": "decoy", "battleship": "smoke", "cruiser": line.split()[0]}
    played = pair(abilities, destroyer="H8-H9").given("ada: A1", *laid, "bo: smoke C4", "bo: A1").when(f"ada: {line}")
    played.told("ada", "cells_scanned", **found)
    assert "C4" in played.match.told("ada")[-1]["blind"]


def test_a_decoy_inside_smoke_is_told_no_otherwise_than_none(pair):
    def told(*laid):
        played = pair({"carrier": {"use": "decoy", "price": 0}, "battleship": "smoke", "cruiser": "radar"})
        played.given("ada: A1", *laid, "bo: smoke C4", "bo: A1").when("ada: radar C4")
        return {name: value for name, value in played.match.told("ada")[-1].items() if name != "n"}

    assert told("bo: decoy C4") == told()


def test_relocate_and_cells_already_shot(pair):
    (
        pair({"carrier": "relocate"}, destroyer="E5-E6")
        .given("ada: C3", "bo: A1", "ada: A1")
        .refuses("bo: relocate destroyer C3-D3", "bad_target", target={"ship": "destroyer", "to": "C3-D3"})
        .refuses("bo: relocate destroyer C2-C3", "bad_target")
        .refuses("bo: relocate destroyer A1-A2", "bad_target")
        .offers("bo", "relocate", {"ship": "destroyer", "to": "D3-E3"}, {"ship": "destroyer", "to": "A2-A3"})
        .when("bo: relocate destroyer D3-E3")
        .told("bo", "ship_moved", cells=["D3", "E3"])
    )


def test_relocate_and_a_hit_on_another_ship(pair):
    (
        pair({"carrier": "relocate"}, destroyer="E5-E6", cruiser="C3-C5")
        .given("ada: C3")
        .refuses("bo: relocate destroyer C3-D3", "bad_target")
        .refuses("bo: relocate cruiser D3-D5", "bad_target")
    )


def test_relocate_and_the_own_decoy(pair):
    (
        pair({"carrier": "relocate", "cruiser": "decoy", "battleship": "sonar"}, destroyer="E5-E6")
        .given("ada: A1", "bo: decoy C3", "bo: decoy C7")
        .when("bo: relocate destroyer C3-D3")
        .told("bo", "ship_moved", cells=["C3", "D3"])
        .told("bo", "unmarked", rule="decoy")
        .told("ada", "ship_moved", ship=None, cells=None)
        .not_told("ada", "unmarked")
        .given("bo: A1")
        .when("ada: sonar C3")
        .told("ada", "cells_scanned", count=2)
        .when("ada: C3")
        .told("ada", "shot_fired", told="hit")
        .not_told("bo", "unmarked")
        .given("bo: A2")
        .when("ada: sonar C7")
        .told("ada", "cells_scanned", count=1)
    )


def test_relocate_and_a_move_beside_the_own_decoy_which_stays(pair):
    played = pair({"carrier": "relocate", "cruiser": "decoy"}, destroyer="E5-E6").given("ada: A1", "bo: decoy C3")
    played.when("bo: relocate destroyer D3-E3").told("bo", "ship_moved").not_told("bo", "unmarked")


def test_smoke_and_recon_which_says_of_which_cells_it_can_tell_nothing(pair):
    (
        pair({"carrier": "recon", "battleship": "smoke"}, destroyer="E5-E6", cruiser="C3-C5")
        .given("ada: A1", "bo: smoke E6", "bo: A1")
        .when("ada: recon D5")
        .told("ada", "cells_scanned", cells=["C4", "C5"], blind=["D5", "E5", "D6", "E6"])
        .told(
            "bo", "cells_scanned", area=["C4", "D4", "E4", "C5", "D5", "E5", "C6", "D6", "E6"], cells=None, blind=None
        )
        .told(None, "cells_scanned", cells=None, blind=None)
    )


def test_a_shot_that_is_blocked_and_then_repeated(pair):
    (
        pair({"carrier": "shield", "cruiser": "double_shot"}, destroyer="E5-E6")
        .given("ada: A1", "bo: shield E5", "bo: A1")
        .when("ada: double_shot F5 across")
        .told("ada", "shot_fired", at="E5", told="blocked")
        .told("ada", "shot_fired", at="G5", told="water")
        .when("ada: E5")
        .told("ada", "shot_fired", told="hit")
        .refuses("ada: E5", "not_your_turn")
        .given("bo: A2")
        .refuses("ada: E5", "already_shot")
    )


def test_a_dive_under_a_shield_loses_only_the_shield(pair):
    (
        pair({"submarine": "dive", "carrier": "shield", "cruiser": "double_shot"}, submarine="E5-E7")
        .given("ada: A1", "bo: dive", "bo: shield E5", "bo: A1")
        .when("ada: double_shot E6 down")
        .told("ada", "shot_fired", at="E5", told="blocked")
        .told("ada", "shot_fired", at="E7", told="water")
        .when("ada: E5")
        .told("ada", "shot_fired", told="water")
        .told("ada", "knowledge_forgotten", cells=["E5", "E7"])
    )


def test_a_decoy_shot_during_a_dive_is_gone_though_its_answer_is_taken_back(pair):
    (
        pair({"submarine": "dive", "carrier": "decoy", "cruiser": "ping"})
        .given("ada: A1", "bo: dive", "bo: decoy E5", "bo: A1")
        .when("ada: E5")
        .told("ada", "shot_fired", "knowledge_forgotten", cells=["E5"])
        .told("bo", "unmarked", rule="decoy")
        .given("bo: decoy E5", "bo: A2")
        .when("ada: ping E5")
        .told("ada", "cells_scanned", any=True)
    )


def test_a_submarine_that_moves_while_it_dives_is_under_water_where_it_is(pair):
    (
        pair({"submarine": "dive", "carrier": "relocate", "cruiser": "double_shot"}, submarine="E5-E7")
        .given("ada: A1", "bo: dive", "bo: relocate submarine C5-C7", "bo: A1")
        .when("ada: double_shot D5 across")
        .told("ada", "shot_fired", at="C5", told="water")
        .told("ada", "shot_fired", at="E5", told="water")
        .when("ada: C6")
        .told("ada", "knowledge_forgotten", cells=["C5", "E5", "C6"])
    )


def test_a_chain_reaction_and_a_dive_sink_nothing(pair):
    (
        pair({"submarine": "dive", "cruiser": "chain_reaction"}, submarine="E5-E7")
        .given("ada: E5", "bo: A1", "ada: E6", "bo: dive", "bo: A2")
        .when("ada: chain_reaction E7")
        .told("ada", "shot_fired", told="water")
        .not_told("ada", "shots_granted")
        .not_happened("ship_sunk")
    )


def test_flak_and_jam_of_the_flak(pair):
    (
        pair({"cruiser": "flak", "carrier": "jam", "battleship": "ping"})
        .given("ada: A1", "bo: flak", "bo: A1")
        .when("ada: jam flak")
        .told("ada", "ability_used", "effect_replaced", "unmarked", rule="flak")
        .not_told("ada", "ability_disabled")
        .when("ada: jam flak")
        .told("ada", "ability_disabled", ability="flak")
        .when("ada: ping E5")
        .told("ada", "cells_scanned")
    )


def test_a_chain_reaction_whose_own_ship_is_sunk_by_a_counter_battery_is_finished(scenario):
    fleet = {"cruiser": "A1", "boat": "B1"}
    (
        scenario(
            grid={"columns": 3, "rows": 1},
            fleet=(ShipClass("cruiser", 1), ShipClass("boat", 1)),
            fleets={"ada": fleet, "bo": fleet},
            abilities={"cruiser": "chain_reaction", "boat": "counter_battery"},
            points={"ada": 9, "bo": 9},
            seed=2,
        )
        .given("ada: C1", "bo: counter_battery", "bo: C1")
        .when("ada: chain_reaction A1")
        .told("ada", "shot_fired", "ship_sunk", "ability_disabled", "unmarked", "shot_fired", by="bo", at="A1")
        .told("ada", "ship_sunk", "ability_disabled", seat="ada", ability="chain_reaction")
        .told("ada", "shots_granted", seat="ada", amount=1)
        .fires_at("ada", "B1", count=1)
    )
