"""The abilities that protect or hide: shield, smoke, decoy and dive, and who learns what of them."""

import pytest

from irontide import Ability, Grid, OneCell, ShipClass, Sink, ability

CELLS = Grid(10, 10).names


@pytest.fixture
def guarded(scenario):
    """Give a match in which bo's battleship has the ability, unless the test says otherwise."""

    def make(use, also=None, fleets=None, **more):
        abilities = {"battleship": use, **(also or {})}
        return scenario(abilities=abilities, fleets={"bo": fleets or {}}, points={"ada": 30, "bo": 30}, **more)

    return make


# Shield.


def test_a_shield_blocks_the_next_shot_and_the_cell_may_be_shot_again(guarded):
    (
        guarded("shield", fleets={"destroyer": "E5-E6"})
        .given("ada: A1", "bo: shield D4", "bo: A1")
        .when("ada: E5")
        .told("ada", "shot_fired", at="E5", told="blocked", hit=None, struck=None)
        .told("bo", "shot_fired", told="blocked", hit=False, struck="destroyer")
        .told("bo", "unmarked", rule="shield")
        .told(None, "shot_fired", at="E5", told="blocked")
        .not_told("ada", "unmarked", "effect_replaced", "marked")
        .sees("ada", shots="A1", water="A1", hit="", unknown=[name for name in CELLS if name != "A1"])
        .to_move("bo")
        .given("bo: A2")
        .when("ada: E5")
        .told("ada", "shot_fired", told="hit")
        .happened("shot_fired", hit=True, struck="destroyer")
    )


def test_a_shield_blocks_water_just_the_same(guarded):
    played = guarded("shield").given("ada: A1", "bo: shield D4", "bo: A1").when("ada: C3")
    played.told("ada", "shot_fired", at="C3", told="blocked").fires_at("bo", "A2").given("bo: A2")
    played.when("ada: C3").told("ada", "shot_fired", told="water")


def test_a_shield_does_not_block_what_falls_beside_it(guarded):
    played = guarded("shield", fleets={"destroyer": "F4-F5"}).given("ada: A1", "bo: shield D4", "bo: A1")
    played.when("ada: F4").told("ada", "shot_fired", told="hit").not_told("bo", "unmarked").given("bo: A2")
    played.when("ada: E5").told("ada", "shot_fired", told="blocked")


def test_a_shield_does_not_block_the_own_shots(guarded):
    guarded("shield").given("ada: A1", "bo: shield A1").when("bo: A1").told("bo", "shot_fired", told="water")


def test_a_shield_is_gone_after_two_turns_of_the_enemy(guarded, secretly):
    played = guarded("shield", fleets={"destroyer": "E5-E6"}).given("ada: A1")
    secretly(played, "bo: shield E5").told("bo", "marked", on=["D4", "E4", "F4", "D5", "E5", "F5", "D6", "E6", "F6"])
    played.given("bo: A1").when("ada: A2").not_told("bo", "unmarked").given("bo: A2")
    played.when("ada: A3").told("bo", "turn_ended", "unmarked", rule="shield").not_told("ada", "unmarked")
    played.not_told(None, "unmarked", "marked").given("bo: A3").when("ada: E5").told("ada", "shot_fired", told="hit")


def test_a_shield_stands_to_the_end_of_the_second_turn(guarded):
    played = guarded("shield", fleets={"destroyer": "E5-E6"}).given("ada: A1", "bo: shield E5", "bo: A1", "ada: A2")
    played.given("bo: A2").when("ada: E5").told("ada", "shot_fired", told="blocked")


def test_a_shield_lasts_as_many_turns_as_the_variant_says(guarded):
    played = guarded({"use": "shield", "turns": 1}).given("ada: A1", "bo: shield E5", "bo: A1")
    played.when("ada: A2").told("bo", "turn_ended", "unmarked").given("bo: A2")
    played.when("ada: E5").told("ada", "shot_fired", told="water")


@pytest.mark.parametrize(
    ("at", "covered", "free"),
    [("A1", "A1 B1 A2 B2", "C1"), ("J1", "I1 J1 I2 J2", "H2"), ("A5", "A4 B4 A5 B5 A6 B6", "A7")],
)
def test_a_shield_is_clipped_at_the_edge(guarded, at, covered, free):
    cells = covered.split()
    played = guarded("shield").given("ada: D1").when(f"bo: shield {at}").told("bo", "marked", on=cells).given("bo: A1")
    played.when(f"ada: {free}").told("ada", "shot_fired", told="water").given("bo: A2")
    played.when(f"ada: {cells[-1]}").told("ada", "shot_fired", told="blocked")


def test_a_shield_may_lie_on_cells_already_shot(guarded):
    played = guarded("shield", fleets={"destroyer": "E5-E6"}).given("ada: E5", "bo: shield E5", "bo: A1")
    played.refuses("ada: E5", "already_shot").when("ada: E6").told("ada", "shot_fired", told="blocked")
    played.not_told("ada", "ship_sunk")


def test_of_two_shields_on_a_cell_each_blocks_one_shot(guarded):
    played = guarded("shield").given("ada: A1", "bo: shield E5", "bo: A1", "ada: A2", "bo: shield E6", "bo: A2")
    played.when("ada: E5").told("ada", "shot_fired", told="blocked").given("bo: A3")
    played.when("ada: E5").told("ada", "shot_fired", told="blocked").given("bo: A4")
    played.when("ada: E5").told("ada", "shot_fired", told="water")


def test_a_shield_blocks_nothing_when_its_ship_has_sunk(guarded):
    (
        guarded("shield", fleets={"battleship": "A9-D9", "destroyer": "E5-E6"}, also={"carrier": "cross_shot"})
        .given("ada: A9", "bo: A1", "ada: B9", "bo: A2", "ada: C9", "bo: shield E5", "bo: A3")
        .when("ada: D9")
        .told("ada", "ship_sunk", "ability_disabled", ability="shield")
        .not_told("ada", "unmarked")
        .given("bo: A4")
        .when("ada: E5")
        .told("ada", "shot_fired", told="hit")
    )


def test_a_shield_that_is_jammed_blocks_nothing(guarded):
    (
        guarded("shield", fleets={"destroyer": "E5-E6"}, also={"carrier": "jam"})
        .given("ada: A1", "bo: shield E5", "bo: A1")
        .when("ada: jam shield")
        .told("bo", "ability_disabled", ability="shield", reason="jammed")
        .when("ada: E5")
        .told("ada", "shot_fired", told="hit")
        .not_told("bo", "unmarked")
        .given("bo: A2")
        .when("ada: E6")
        .told("bo", "turn_ended", "unmarked", rule="shield")
        .not_told("ada", "unmarked")
    )


def test_a_shield_that_outlasts_the_jamming_blocks_again(guarded):
    (
        guarded({"use": "shield", "turns": 5}, also={"carrier": {"use": "jam", "turns": 1}})
        .given("ada: A1", "bo: shield E5", "bo: A1", "ada: jam shield", "ada: A2")
        .when("bo: A2")
        .told("ada", "turn_ended", "ability_enabled", ability="shield", reason="jammed")
        .when("ada: E5")
        .told("ada", "shot_fired", told="blocked")
    )


def test_both_seats_may_have_a_shield_at_once(guarded):
    (
        guarded("shield")
        .given("ada: shield E5", "ada: A1", "bo: shield E5")
        .when("bo: D4")
        .told("bo", "shot_fired", told="blocked")
        .when("ada: F6")
        .told("ada", "shot_fired", told="blocked")
        .when("bo: D4")
        .told("bo", "shot_fired", told="water")
    )


def test_a_blocked_shot_does_not_count_as_progress_for_the_shooter(guarded):
    guarded("shield").given("ada: A1", "bo: shield E5", "bo: A1").when("ada: E5").sees("ada", water="A1").fires_at("bo")


# Smoke.


def test_smoke_clears_when_the_enemys_next_turn_has_ended(guarded, secretly):
    played = guarded("smoke", also={"carrier": "recon"}, fleets={"destroyer": "E5-E6"}).given("ada: A1")
    secretly(played, "bo: smoke E5").told("bo", "marked", rule="smoke").given("bo: A1")
    (
        played.when("ada: recon E6")
        .told("ada", "cells_scanned", cells=[], blind=["D5", "E5", "F5", "D6", "E6", "F6"])
        .told("bo", "cells_scanned", blind=None, cells=None)
        .when("ada: A2")
        .told("bo", "turn_ended", "unmarked", rule="smoke")
        .not_told("ada", "unmarked")
        .given("bo: A2")
        .when("ada: recon E6")
        .told("ada", "cells_scanned", cells=["E5", "E6"], blind=None)
    )


def test_smoke_does_not_hinder_shots_or_the_own_scans(guarded):
    played = guarded("smoke", also={"carrier": "recon"}, fleets={"destroyer": "E5-E6"}).given("ada: A1", "bo: smoke E5")
    played.given("bo: A1").when("ada: E5").told("ada", "shot_fired", told="hit").when("bo: recon E5")
    played.told("bo", "cells_scanned", cells=[], blind=None)


@pytest.mark.parametrize(
    ("at", "blind"),
    [("A1", "A1 B1 A2 B2"), ("J1", "I1 J1 I2 J2"), ("J5", "I4 J4 I5 J5 I6 J6"), ("E1", "D1 E1 F1 D2 E2 F2")],
)
def test_smoke_is_clipped_at_the_edge(guarded, at, blind):
    played = guarded("smoke", also={"carrier": "recon"}).given("ada: E9", f"bo: smoke {at}", "bo: A1")
    played.when(f"ada: recon {at}").told("ada", "cells_scanned", cells=[], blind=blind.split())


def test_smoke_covers_what_is_known_already_too(guarded):
    played = guarded("smoke", also={"carrier": "recon"}, fleets={"destroyer": "E5-E6"})
    played.given("ada: E5", "bo: smoke E5", "bo: A1").when("ada: recon F7").sees("ada", hit="E5")
    played.told("ada", "cells_scanned", cells=[], blind=["E6", "F6"])


def test_smoke_lasts_as_many_turns_as_the_variant_says(guarded):
    played = guarded({"use": "smoke", "turns": 2}, also={"carrier": "ping"})
    played.given("ada: A1", "bo: smoke E5", "bo: A1", "ada: A2", "bo: A2").when("ada: ping E5")
    played.told("ada", "cells_scanned", any=False).when("ada: A3").told("bo", "unmarked")


def test_smoke_hides_nothing_when_its_ship_has_sunk(guarded):
    (
        guarded(
            {"use": "smoke", "turns": 5},
            also={"carrier": "ping"},
            fleets={"battleship": "A9-D9", "destroyer": "E5-E6"},
        )
        .given("ada: A9", "bo: A1", "ada: B9", "bo: A2", "ada: C9", "bo: smoke E5", "bo: A3")
        .when("ada: D9")
        .told("ada", "ship_sunk", "ability_disabled", ability="smoke")
        .not_told("ada", "unmarked")
        .given("bo: A4")
        .when("ada: ping E5")
        .told("ada", "cells_scanned", any=True, blind=None)
    )


def test_smoke_that_is_jammed_hides_nothing(guarded):
    (
        guarded(
            "smoke",
            also={"carrier": "ping", "cruiser": "jam"},
            fleets={"destroyer": "E5-E6"},
            drops=["core.one_ability"],
        )
        .given("ada: A1", "bo: smoke E5", "bo: A1", "ada: jam smoke")
        .when("ada: ping E5")
        .told("ada", "cells_scanned", any=True, blind=None)
    )


def test_both_seats_may_be_in_smoke_at_once(guarded):
    played = guarded("smoke", also={"carrier": "ping"}, drops=["core.one_ability"])
    played.given("ada: smoke A9", "ada: A1", "bo: smoke A9").when("bo: ping A9")
    played.told("bo", "cells_scanned", any=False, blind=["A8", "B8", "A9", "B9", "A10", "B10"]).given("bo: A1")
    played.when("ada: ping A9").told("ada", "cells_scanned", any=False)


# Decoy.


def test_a_decoy_fools_until_it_is_shot_which_tells_water(guarded, secretly):
    played = guarded("decoy", also={"carrier": "recon"}).given("ada: A1")
    secretly(played, "bo: decoy E5").told("bo", "marked", rule="decoy", on=["E5"]).given("bo: A1")
    (
        played.when("ada: recon E5")
        .told("ada", "cells_scanned", cells=["E5"], blind=None)
        .when("ada: E5")
        .told("ada", "shot_fired", told="water")
        .told("bo", "shot_fired", "unmarked", rule="decoy")
        .not_told("ada", "unmarked")
        .not_told(None, "unmarked")
        .given("bo: A2")
        .when("ada: recon E5")
        .told("ada", "cells_scanned", cells=[])
    )


def test_a_decoy_stays_while_other_cells_are_shot(guarded):
    played = guarded("decoy", also={"carrier": "ping"}).given("ada: A1", "bo: decoy E5", "bo: A1", "ada: E4", "bo: E5")
    played.when("ada: ping E5").told("ada", "cells_scanned", any=True)


@pytest.mark.parametrize("at", ["A1", "J1", "E1", "A5", "J7"])
def test_a_decoy_may_lie_at_the_edge(guarded, at):
    played = guarded("decoy", also={"carrier": "radar"}).given("ada: E5", f"bo: decoy {at}", "bo: A1")
    played.when(f"ada: radar {at}").told("ada", "cells_scanned", distance=0)


def test_a_decoy_needs_water_that_was_not_shot(guarded):
    (
        guarded("decoy", fleets={"destroyer": "E5-E6"})
        .given("ada: A1")
        .refuses("bo: decoy A1", "bad_target", target="A1")
        .refuses("bo: decoy E5", "bad_target", target="E5")
        .given("bo: A1", "ada: E5")
        .refuses("bo: decoy E5", "bad_target")
        .offers("bo", "decoy", "A2", "E4")
    )


def test_several_decoys_fool_together_and_each_goes_alone(guarded):
    played = guarded("decoy", also={"carrier": "sonar"}).given("ada: A1", "bo: decoy E5", "bo: A1", "ada: A2")
    played.given("bo: decoy E6", "bo: A2").when("ada: sonar E5").told("ada", "cells_scanned", count=2).given("ada: E5")
    played.given("bo: A3").when("ada: sonar E5").told("ada", "cells_scanned", count=1)


def test_a_decoy_is_gone_when_its_ship_has_sunk_and_the_enemy_is_not_told(guarded):
    (
        guarded("decoy", also={"carrier": "ping"}, fleets={"battleship": "A9-D9"})
        .given("ada: A9", "bo: A1", "ada: B9", "bo: A2", "ada: C9", "bo: decoy E5", "bo: A3")
        .when("ada: D9")
        .told("bo", "ability_disabled", "unmarked", rule="decoy")
        .not_told("ada", "unmarked")
        .not_told(None, "unmarked")
        .given("bo: A4")
        .when("ada: ping E5")
        .told("ada", "cells_scanned", any=False)
    )


def test_a_decoy_is_gone_when_it_is_jammed_and_the_enemy_is_not_told(guarded):
    (
        guarded("decoy", also={"carrier": "jam", "cruiser": "ping"}, drops=["core.one_ability"])
        .given("ada: A1", "bo: decoy E5", "bo: A1")
        .when("ada: jam decoy")
        .told("bo", "ability_disabled", "unmarked", rule="decoy")
        .not_told("ada", "unmarked")
        .when("ada: ping E5")
        .told("ada", "cells_scanned", any=False)
        .given("ada: A2", "bo: A2", "ada: A3", "bo: A3")
        .when("ada: ping E5")
        .told("ada", "cells_scanned", any=False)
    )


def test_a_decoy_under_a_shield_outlives_the_shot_that_is_blocked(guarded):
    (
        guarded("decoy", also={"cruiser": "shield", "carrier": "ping"})
        .given("ada: A1", "bo: decoy E5", "bo: A1", "ada: A2", "bo: shield E5", "bo: A2")
        .when("ada: E5")
        .told("ada", "shot_fired", told="blocked")
        .given("bo: A3")
        .when("ada: ping E5")
        .told("ada", "cells_scanned", any=True)
    )


def test_both_seats_may_lay_decoys_at_the_same_cell(guarded):
    played = guarded("decoy", also={"carrier": "ping"}).given("ada: decoy E5", "ada: A1", "bo: decoy E5", "bo: E5")
    played.when("ada: ping E5").told("ada", "cells_scanned", any=True).given("ada: E5").when("bo: ping E5")
    played.told("bo", "cells_scanned", any=False)


# Dive.


@pytest.fixture
def diver(guarded):
    """Give a match in which bo's submarine, at E5-E7, has dived after ada's shot at A1."""

    def make(also=None, *before, fleets=None, **more):
        fleets = {"submarine": "E5-E7", **(fleets or {})}
        played = guarded(None, also={"submarine": "dive", **(also or {})}, fleets=fleets, **more)
        return played.given(*(before or ("ada: A1",)), "bo: dive", "bo: J1")

    return make


def test_shots_at_a_diving_submarine_tell_water_and_do_no_harm_until_they_are_taken_back(diver):
    (
        diver()
        .when("ada: E5")
        .told("ada", "shot_fired", told="water", hit=None, struck=None)
        .told(None, "shot_fired", told="water", hit=None)
        .told("ada", "turn_ended", "turn_started", "knowledge_forgotten", seat="ada", cells=["E5"])
        .told("bo", "shot_fired", told="water", hit=False, struck="submarine")
        .told("bo", "turn_started", "unmarked", "knowledge_forgotten", seat="ada", cells=["E5"])
        .told(None, "knowledge_forgotten", cells=["E5"])
        .not_told("ada", "unmarked", "data_set")
        .not_told("bo", "data_set")
        .sees("ada", shots="A1", water="A1", hit="")
        .given("bo: J2")
        .fires_at("ada", "E5")
        .when("ada: E5")
        .told("ada", "shot_fired", told="hit")
        .happened("shot_fired", hit=True, struck="submarine")
    )


def test_all_water_of_that_time_is_taken_back_and_none_from_before(diver):
    (
        diver({"carrier": "cross_shot"}, "ada: D4", fleets={"destroyer": "F5-F6"})
        .when("ada: cross_shot E5", "ada: A3")
        .told("ada", "knowledge_forgotten", cells=["A3", "E4", "D5", "E5", "E6"])
        .sees("ada", water="D4", hit="F5")
    )


def test_what_was_hit_before_stays_hit(diver):
    played = diver(None, "ada: E5", "bo: J2", "ada: A1").sees("ada", hit="E5").when("ada: E6")
    played.told("ada", "shot_fired", told="water").sees("ada", hit="E5", water="A1").given("bo: J3")
    played.when("ada: E6").told("ada", "shot_fired", told="hit").given("bo: J4").when("ada: E7")
    played.told("ada", "ship_sunk", class_="submarine")


def test_a_dive_during_which_nothing_was_shot_into_water_takes_nothing_back(diver):
    played = diver(fleets={"destroyer": "G5-G6"}).when("ada: G5").told("ada", "shot_fired", told="hit")
    played.told("bo", "unmarked").not_told("ada", "knowledge_forgotten").sees("ada", hit="G5", water="A1")


def test_a_dive_ends_when_the_own_next_turn_starts(diver):
    played = diver().given("ada: A2").when("bo: J2").not_told("bo", "unmarked").when("ada: E5")
    played.told("ada", "shot_fired", told="hit").not_told("ada", "knowledge_forgotten")


def test_a_dive_covers_only_the_submarine(diver):
    played = diver(fleets={"destroyer": "G5-G6", "cruiser": "F5-F7"}).when("ada: F5")
    played.told("ada", "shot_fired", told="hit").not_told("ada", "knowledge_forgotten")


def test_a_submarine_cannot_dive_twice_at_once(guarded):
    (
        guarded(None, also={"submarine": "dive"}, drops=["core.one_ability"])
        .when("ada: dive")
        .refuses("ada: dive", "ability_limit", limit="standing")
        .given("ada: A1", "bo: A1")
        .offers("ada", "dive", price=3)
    )


def test_the_dive_covers_the_shot_of_a_counter_battery_in_the_own_turn(scenario):
    played = scenario(
        grid={"columns": 3, "rows": 2},
        fleet=(ShipClass("submarine", 3), ShipClass("cruiser", 2)),
        fleets={"ada": {"submarine": "A1-C1", "cruiser": "A2-B2"}, "bo": {"submarine": "A1-C1", "cruiser": "A2-B2"}},
        abilities={"submarine": "dive", "cruiser": "counter_battery"},
        points={"ada": 9, "bo": 9},
    )
    played.given("ada: C2", "bo: counter_battery", "bo: C2", "ada: dive").when("ada: A1")
    (
        played.told("ada", "shot_fired", by="ada", told="hit")
        .told("bo", "shot_fired", "unmarked", "shot_fired", by="bo", at="A1", told="water")
        .not_told("bo", "knowledge_forgotten")
        .told("ada", "unmarked", "shot_fired", at="A1", told="water", hit=False, struck="submarine")
        .when("bo: A2")
        .told("bo", "turn_started", "knowledge_forgotten", seat="bo", cells=["A1"])
        .sees("bo", water="C2", hit="A2")
    )


def test_both_submarines_of_a_class_dive_together(guarded):
    (
        guarded(
            None,
            also={"submarine": "dive", "carrier": "cross_shot"},
            fleet=(ShipClass("carrier", 5), ShipClass("submarine", 2, count=2)),
            fleets={"submarine": "E5-E6", "submarine-2": "F5-F6"},
        )
        .given("ada: A1", "bo: dive", "bo: A1", "ada: cross_shot E5")
        .sees("ada", hit="", water="A1 E4 D5 E5 F5 E6")
        .when("ada: A2")
        .told("ada", "knowledge_forgotten", cells=["A2", "E4", "D5", "E5", "F5", "E6"])
    )


def test_both_seats_may_dive_at_once(diver):
    (
        diver(None, "ada: dive", "ada: A1")
        .when("ada: E5")
        .told("ada", "shot_fired", "knowledge_forgotten", seat="ada", cells=["E5"])
        .told("bo", "shot_fired", told="water")
    )


@ability("test.charge", price=0, target=OneCell())
class Charge(Ability):
    """Sink the enemy's submarine, wherever it is."""

    def use(self, ctx, target):
        yield Sink(ctx.other.name, "submarine")


def test_a_diving_submarine_that_is_sunk_by_an_effect_still_surfaces(diver):
    (
        diver({"carrier": "cross_shot", "cruiser": Charge}, drops=["core.one_ability"])
        .given("ada: cross_shot E5")
        .when("ada: test.charge E6")
        .told("ada", "ship_sunk", "ability_disabled", ability="dive", reason="sunk")
        .not_told("bo", "unmarked", "knowledge_forgotten")
        .when("ada: A3")
        .told("ada", "turn_started", "knowledge_forgotten", cells=["A3", "E4", "D5", "E5", "F5", "E6"])
        .told("bo", "unmarked", rule="dive")
    )
