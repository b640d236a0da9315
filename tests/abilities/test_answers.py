"""The abilities that answer or hinder the enemy: jam, counter-battery and trap."""

import pytest

from irontide import Rule, ShipClass, Shot, replaces, rule

THREE = {
    "grid": {"columns": 3, "rows": 2},
    "fleet": (ShipClass("submarine", 3), ShipClass("cruiser", 2)),
}
"""A match so small that all its cells can be named."""
PLACES = {"submarine": "A1-C1", "cruiser": "A2-B2"}


@pytest.fixture
def duel(scenario):
    """Give a match in which the carriers have the ability."""

    def make(use, also=None, fleets=None, points=None, **more):
        abilities = {"carrier": use, **(also or {})}
        purses = points or {"ada": 30, "bo": 30}
        return scenario(abilities=abilities, fleets={"bo": fleets or {}}, points=purses, **more)

    return make


# Jam.


def test_a_jammed_ability_is_off_for_the_enemys_next_two_turns(duel):
    (
        duel("jam", {"cruiser": "sonar"})
        .when("ada: jam sonar")
        .told("bo", "points_spent", "ability_used", target={"ability": "sonar"})
        .told("bo", "ability_disabled", seat="bo", ability="sonar", reason="jammed", ship=None)
        .told("ada", "ability_used", "ability_disabled", seat="bo", reason="jammed")
        .told(None, "ability_used", "ability_disabled", seat="bo", reason="jammed")
        .given("ada: A1")
        .offers("bo", "sonar", refusal="ability_disabled")
        .refuses("bo: sonar E5", "ability_disabled", reason="jammed")
        .given("bo: A1", "ada: A2")
        .refuses("bo: sonar E5", "ability_disabled")
        .when("bo: A2")
        .told("ada", "turn_ended", "ability_enabled", seat="bo", ability="sonar", reason="jammed")
        .told("bo", "turn_ended", "ability_enabled", ability="sonar")
        .told(None, "ability_enabled", ability="sonar")
        .given("ada: A3")
        .when("bo: sonar E5")
        .told("bo", "cells_scanned")
    )


def test_jam_leaves_the_own_ability_of_that_kind_on(duel):
    duel("jam", {"cruiser": "sonar"}).given("ada: jam sonar", "ada: A1", "bo: A1").when("ada: sonar E5")


def test_jam_lasts_as_many_turns_as_the_variant_says(duel):
    played = duel({"use": "jam", "turns": 1}, {"cruiser": "sonar"}).given("ada: jam sonar", "ada: A1")
    played.when("bo: A1").told("bo", "turn_ended", "ability_enabled")


def test_what_is_off_cannot_be_jammed(duel):
    (
        duel("jam", {"cruiser": "sonar", "destroyer": "ping"}, {"destroyer": "E5-E6"})
        .given("ada: jam sonar", "ada: E5", "bo: A1")
        .refuses("ada: jam sonar", "bad_target", target={"ability": "sonar"})
        .given("ada: E6", "bo: A2")
        .refuses("ada: jam ping", "bad_target")
        .refuses({"type": "use_ability", "seat": "ada", "ability": "jam", "target": {"ability": "tug"}}, "bad_target")
        .offers("ada", "jam", {"ability": "sonar"}, {"ability": "jam"})
    )


def test_jam_itself_can_be_jammed(duel):
    played = duel("jam", {"cruiser": "sonar"}).when("ada: jam jam").told("bo", "ability_disabled", ability="jam")
    played.given("ada: A1").refuses("bo: jam sonar", "ability_disabled", reason="jammed")


def test_both_seats_may_jam_each_other(duel):
    (
        duel("jam", {"cruiser": "sonar"})
        .given("ada: jam sonar", "ada: A1")
        .when("bo: jam sonar")
        .told("ada", "ability_disabled", seat="ada", ability="sonar", reason="jammed")
        .given("bo: A1")
        .refuses("ada: sonar E5", "ability_disabled", reason="jammed")
        .given("ada: A2")
        .refuses("bo: sonar E5", "ability_disabled", reason="jammed")
        .when("bo: A2")
        .told("bo", "ability_enabled", seat="bo")
        .when("ada: A3")
        .told("ada", "ability_enabled", seat="ada")
    )


def test_jam_holds_when_the_jammer_has_sunk(duel):
    (
        duel("jam", {"cruiser": "sonar"}, {"carrier": "A1"}, fleet=(ShipClass("carrier", 1), ShipClass("cruiser", 2)))
        .given("ada: B5", "bo: jam sonar", "bo: B5")
        .when("ada: A1")
        .told("ada", "ship_sunk", "ability_disabled", seat="bo", ability="jam")
        .not_told("ada", "ability_enabled")
        .given("bo: B6")
        .refuses("ada: sonar E5", "ability_disabled", reason="jammed")
        .when("ada: B6")
        .told("ada", "turn_ended", "ability_enabled", ability="sonar")
    )


def test_what_sinks_while_it_is_jammed_stays_off(duel):
    (
        duel("jam", {"destroyer": "sonar"}, {"destroyer": "E5-E6"})
        .given("ada: E5", "bo: A1", "ada: jam sonar")
        .when("ada: E6")
        .told("bo", "ship_sunk", "ability_disabled", reason="sunk")
        .given("bo: A2", "ada: A1")
        .when("bo: A3")
        .told("bo", "turn_ended", "ability_enabled", reason="jammed")
        .given("ada: A2")
        .refuses("bo: sonar E5", "ability_disabled", reason="sunk")
    )


def test_what_was_armed_is_lost_when_it_is_jammed(duel):
    (
        duel("jam", {"cruiser": "counter_battery"})
        .given("ada: A1", "bo: counter_battery", "bo: A1")
        .when("ada: jam counter_battery")
        .told("ada", "ability_disabled", "unmarked", rule="counter_battery", seat="bo")
        .told("bo", "ability_disabled", "unmarked", rule="counter_battery")
        .when("ada: A8")
        .told("ada", "shot_fired", told="hit")
        .not_told("ada", "unmarked", by="bo")
        .to_move("bo")
    )


def test_jam_at_the_last_ability_leaves_it_no_target(scenario):
    played = scenario(abilities={"carrier": "jam"}, points={"ada": 9, "bo": 9}, drops=["core.one_ability"])
    played.given("ada: jam jam").offers("ada", "jam", refusal="bad_target").refuses("ada: jam jam", "bad_target")


# Counter-battery.


def test_the_next_hit_is_answered_by_a_shot_at_a_random_cell(duel):
    played = (
        duel("counter_battery")
        .given("ada: A1")
        .when("bo: counter_battery")
        .told("ada", "points_spent", "ability_used", "marked", rule="counter_battery", seat="bo")
        .told("bo", "marked", rule="counter_battery")
        .told(None, "marked", rule="counter_battery")
        .given("bo: A1")
        .when("ada: A2")
        .not_told("ada", "unmarked")
        .given("bo: A2")
        .when("ada: A8")
        .told("ada", "shot_fired", "unmarked", "shot_fired", "turn_ended", seat="ada")
        .told(None, "shot_fired", "unmarked", "shot_fired", by="bo")
        .to_move("bo")
        .fires_at("bo", count=1)
    )
    mine, answer = [event for event in played.match.told("bo") if event["type"] == "shot_fired"][-2:]
    assert (mine["by"], mine["told"], answer["by"]) == ("ada", "hit", "bo")
    assert answer["free"]
    assert answer["at"] not in {"A1", "A2"}
    played.when("bo: counter_battery").told("ada", "marked")


def test_the_same_seed_answers_at_the_same_cell_and_another_elsewhere(duel):
    def answer(seed):
        played = duel("counter_battery", seed=seed).given("ada: A1", "bo: counter_battery", "bo: A1", "ada: A8")
        return [event["at"] for event in played.match.told("bo") if event["type"] == "shot_fired"][-1]

    assert answer(1) == answer(1)
    assert len({answer(seed) for seed in range(6)}) > 3


def test_several_hits_at_once_are_answered_by_one_shot(duel):
    played = duel("cross_shot", {"cruiser": "counter_battery"}, {"cruiser": "B1-B3", "destroyer": "C2-D2"})
    played.given("ada: J1", "bo: counter_battery", "bo: J1").when("ada: cross_shot C2")
    fired = [event for event in played.match.commits[-1].events if event.type == "shot_fired"]
    assert [event.by for event in fired] == ["ada"] * 5 + ["bo"]
    assert [event.told for event in fired][:5] == ["water", "hit", "hit", "hit", "water"]


def test_the_answer_comes_once_all_of_a_salvo_has_been_shot(scenario):
    played = scenario("salvo", abilities={"cruiser": "counter_battery"}, points={"ada": 9, "bo": 9})
    played.given("ada: A1 A2 A3 A4 A5", "bo: counter_battery", "bo: A1 A2 A3 A4 A5").when("ada: B1 A8 A9 B2 B10")
    fired = [event.by for event in played.match.commits[-1].events if event.type == "shot_fired"]
    assert fired == ["ada"] * 5 + ["bo"]


def test_a_second_one_is_refused_while_one_is_armed(duel):
    played = duel("counter_battery").given("ada: counter_battery", "ada: A1", "bo: A1")
    played.offers("ada", "counter_battery", refusal="ability_limit")
    played.refuses("ada: counter_battery", "ability_limit", limit="standing")


def test_it_does_not_answer_own_hits_or_shots_that_do_no_harm(duel):
    (
        duel("counter_battery", {"cruiser": "shield", "submarine": "dive"}, drops=["core.one_ability"])
        .given("ada: A1", "bo: counter_battery", "bo: shield A9", "bo: dive")
        .when("bo: A8")
        .not_told("bo", "unmarked")
        .when("ada: A8")
        .told("ada", "shot_fired", told="blocked")
        .not_told("ada", "unmarked")
        .given("bo: dive", "bo: A1")
        .when("ada: H9")
        .told("ada", "shot_fired", told="water")
        .not_told("ada", "unmarked")
    )


def test_it_is_gone_when_its_ship_has_sunk_and_everybody_is_told(duel):
    (
        duel("counter_battery", fleets={"carrier": "A1-E1"}, also={"cruiser": "double_shot"})
        .given(
            "ada: A1", "bo: A1", "ada: B1", "bo: A2", "ada: C1", "bo: A3", "ada: D1", "bo: counter_battery", "bo: A4"
        )
        .when("ada: E1")
        .told("ada", "ship_sunk", "ability_disabled", "unmarked", rule="counter_battery")
        .told("bo", "ship_sunk", "ability_disabled", "unmarked")
        .not_told("bo", "shot_fired", by="bo")
    )


def test_the_hit_that_sinks_another_ship_is_answered(duel):
    (
        duel("counter_battery", fleets={"destroyer": "E5-E6"})
        .given("ada: E5", "bo: counter_battery", "bo: A1")
        .when("ada: E6")
        .told("ada", "shot_fired", "ship_sunk", "unmarked", "shot_fired", by="bo")
    )


def test_the_hit_that_sinks_one_of_two_ships_of_its_class_is_answered(scenario):
    played = scenario(
        fleet=(ShipClass("cruiser", 1, count=2), ShipClass("carrier", 3)),
        fleets={"bo": {"cruiser": "A1", "cruiser-2": "C1"}},
        abilities={"cruiser": "counter_battery"},
        points={"ada": 9, "bo": 9},
    )
    played.given("ada: J1", "bo: counter_battery", "bo: A1").when("ada: A1")
    played.told("ada", "ship_sunk", "unmarked", "shot_fired", by="bo").given("bo: counter_battery", "bo: B1")
    played.when("ada: C1").told("ada", "ship_sunk", "ability_disabled", "unmarked")
    played.not_told("ada", "shot_fired", by="bo")


def test_both_seats_armed_answer_each_other(scenario):
    played = scenario(
        **THREE,
        fleets={"ada": PLACES, "bo": PLACES},
        abilities={"cruiser": "counter_battery"},
        points={"ada": 9, "bo": 9},
    )
    played.given("ada: counter_battery", "ada: C2", "bo: counter_battery", "bo: C2").when("ada: A1")
    fired = [event.by for event in played.match.commits[-1].events if event.type == "shot_fired"]
    assert fired == ["ada", "bo", "ada"], "on the cells that are left every answer hits"
    played.told("ada", "unmarked", seat="bo").told("ada", "unmarked", seat="ada")


def test_the_answer_may_win_the_match(scenario):
    played = scenario(
        grid={"columns": 2, "rows": 1},
        fleet=(ShipClass("cruiser", 2),),
        abilities={"cruiser": "counter_battery"},
        points={"ada": 9, "bo": 9},
    )
    played.given("ada: counter_battery", "ada: A1").when("bo: A1").told("bo", "shot_fired", "unmarked", "shot_fired")
    played.told("bo", "ship_sunk", "match_ended", winner="ada").over("ada", "all_sunk")


@rule("test.duds")
class Duds(Rule):
    """All shots of bo are told as water and do no harm."""

    @replaces(Shot)
    def fail(self, ctx, effect):
        return effect.but(harm=False, answer="water") if effect.by == "bo" else None


def test_where_no_cell_is_left_to_answer_at_it_stays_armed(scenario):
    played = scenario(
        grid={"columns": 4, "rows": 1},
        fleet=(ShipClass("cruiser", 2), ShipClass("boat", 1)),
        fleets={seat: {"cruiser": "A1-B1", "boat": "C1"} for seat in ("ada", "bo")},
        abilities={"cruiser": {"use": "counter_battery", "price": 0}, "boat": {"use": "broadside", "price": 0}},
        drops=["core.one_ability"],
        rules=[Duds],
    )
    played.given("ada: D1", "bo: counter_battery", "bo: broadside B1 across", "bo: D1")
    played.when("ada: A1").told("ada", "shot_fired", told="hit").not_told("ada", "unmarked")
    played.not_told("bo", "shot_fired", by="bo").told("bo", "turn_started", seat="ada")


# Trap.


def test_a_shot_at_a_trap_costs_the_enemy_points(duel, secretly):
    played = duel("trap").given("ada: A1")
    secretly(played, "bo: trap E5").told("bo", "marked", rule="trap", on=["E5"]).given("bo: A1")
    (
        played.when("ada: E5")
        .told("ada", "shot_fired", told="water")
        .told("ada", "points_spent", seat="ada", amount=2, total=28, reason="trap")
        .told("bo", "shot_fired", "unmarked", "points_spent", seat="ada", amount=2)
        .told(None, "points_spent", seat="ada", reason="trap")
        .not_told("ada", "unmarked")
        .points(ada=28)
    )


@pytest.mark.parametrize(("purse", "paid"), [(5, 2), (2, 2), (1, 1)])
def test_a_trap_takes_what_is_there_and_never_more(duel, purse, paid):
    played = duel("trap", points={"ada": purse, "bo": 9}).given("ada: A1", "bo: trap E5", "bo: A1").when("ada: E5")
    played.told("ada", "points_spent", amount=paid, total=purse - paid).points(ada=purse - paid)


def test_a_trap_and_an_empty_purse_tell_the_shooter_nothing(duel):
    played = duel("trap", points={"ada": 0, "bo": 9}).given("ada: A1", "bo: trap E5", "bo: A1").when("ada: E5")
    played.told("ada", "shot_fired", told="water").not_told("ada", "points_spent", "unmarked")
    played.told("bo", "shot_fired", "unmarked", rule="trap").points(ada=0)


def test_a_trap_costs_what_the_variant_says(duel):
    played = duel({"use": "trap", "cost": 5}).given("ada: A1", "bo: trap E5", "bo: A1").when("ada: E5")
    played.told("ada", "points_spent", amount=5)


def test_a_trap_springs_once(duel):
    played = duel("trap", drops=["core.no_repeat"]).given("ada: A1", "bo: trap E5", "bo: A1", "ada: E5", "bo: A2")
    played.when("ada: E5").not_told("ada", "points_spent")


def test_of_several_traps_each_springs_for_its_cell(duel):
    played = duel("trap", {"cruiser": "double_shot"}).given("ada: A1", "bo: trap D5", "bo: A1", "ada: A2")
    played.given("bo: trap F5", "bo: A2").when("ada: double_shot E5 across")
    played.told("ada", "points_spent", "shot_fired", "shot_fired", "points_spent", "points_spent", reason="trap")
    played.points(ada=30 - 3 - 2 - 2)


def test_a_trap_springs_for_the_shot_of_a_counter_battery_too(scenario):
    played = scenario(
        grid={"columns": 3, "rows": 1},
        fleet=(ShipClass("cruiser", 1), ShipClass("submarine", 1)),
        fleets={"ada": {"cruiser": "A1", "submarine": "B1"}, "bo": {"cruiser": "A1", "submarine": "B1"}},
        abilities={"cruiser": "trap", "submarine": "counter_battery"},
        points={"ada": 9, "bo": 9},
    )
    played.given("ada: trap C1", "ada: C1", "bo: counter_battery", "bo: B1").when("ada: A1")
    played.told("bo", "ship_sunk", "unmarked", "shot_fired", by="bo", at="C1")
    played.told("bo", "points_spent", seat="bo", amount=2, reason="trap").points(bo=9 - 3 - 2)


@pytest.mark.parametrize("at", ["A1", "J1", "J7", "E1"])
def test_a_trap_may_lie_at_the_edge(duel, at):
    played = duel("trap").given("ada: E5", f"bo: trap {at}", "bo: A1").when(f"ada: {at}")
    played.told("ada", "points_spent", amount=2)


def test_a_trap_needs_water_that_was_not_shot(duel):
    (
        duel("trap", fleets={"destroyer": "E5-E6"})
        .given("ada: A1")
        .refuses("bo: trap A1", "bad_target", target="A1")
        .refuses("bo: trap E5", "bad_target", target="E5")
        .offers("bo", "trap", "A2", "E4")
    )


def test_a_trap_is_gone_when_its_ship_has_sunk_and_the_enemy_is_not_told(duel):
    (
        duel("trap", fleets={"carrier": "A9-E9"})
        .given("ada: A9", "bo: A1", "ada: B9", "bo: A2", "ada: C9", "bo: A3", "ada: D9", "bo: trap E5", "bo: A4")
        .when("ada: E9")
        .told("bo", "ability_disabled", "unmarked", rule="trap")
        .not_told("ada", "unmarked")
        .given("bo: A5")
        .when("ada: E5")
        .told("ada", "shot_fired", told="water")
        .not_told("ada", "points_spent")
    )


def test_a_trap_is_gone_when_it_is_jammed(duel):
    played = duel("trap", {"cruiser": "jam"}).given("ada: A1", "bo: trap E5", "bo: A1").when("ada: jam trap")
    played.told("bo", "unmarked", rule="trap").not_told("ada", "unmarked")
    played.when("ada: E5").not_told("ada", "points_spent")


def test_both_seats_may_lay_traps_at_the_same_cell(duel):
    played = duel("trap").given("ada: trap E5", "ada: A1", "bo: trap E5").when("bo: E5")
    played.told("bo", "points_spent", seat="bo", amount=2, reason="trap").when("ada: E5")
    played.told("ada", "points_spent", seat="ada", amount=2, reason="trap")
