"""Scenarios: what can be said in one, and what is shown where one does not hold."""

import os
import re
import subprocess
import sys

import pytest

from irontide import (
    Ability,
    CommandError,
    Fire,
    IrontideError,
    Mark,
    Note,
    OneCell,
    PluginError,
    PluginFault,
    Refused,
    Rule,
    RuleUse,
    ShipClass,
    Shot,
    ShotFired,
    SpendPoints,
    Unmark,
    UseAbility,
    VariantError,
    ability,
    adjusts,
    reacts,
    replaces,
    rule,
)
from irontide.testing.shorthand import command_of

SMALL = {"grid": {"columns": 5, "rows": 5}, "fleet": (ShipClass("cruiser", 3), ShipClass("destroyer", 2))}


@ability("test.trap", price=1, target=OneCell(side="own"))
class Trap(Ability):
    """An enemy shot at an own cell costs the enemy points."""

    cost: int = 2

    def use(self, ctx, cell):
        yield Mark(cell.cells)

    @reacts(ShotFired)
    def spring(self, ctx, event):
        trap = ctx.mark_at(ctx.grid.cell(event.at)) if event.by != ctx.seat.name else None
        if trap:
            yield [Unmark(trap), SpendPoints(event.by, self.cost, "test.trap")]


@rule("test.calm")
class Calm(Rule):
    """Column A turns shots away; the salvo is one of three."""

    @replaces(Shot, group="prevent")
    def block(self, ctx, effect):
        return effect.blocked() if effect.cell % ctx.grid.columns == 0 else None

    @adjusts("clearance")
    def keep_off(self, grid, zone, ship):
        return zone


# What can be said.


def test_a_trap_is_secret_and_costs_the_enemy_points_when_it_springs(scenario):
    (
        scenario(abilities={"cruiser": Trap}, fleets={"ada": {"cruiser": "B2-B4"}}, points={"ada": 1, "bo": 3})
        .when("ada: test.trap C3")
        .told("ada", "ability_used", "marked", on=["C3"])
        .told("bo", "ability_used", target=None)
        .not_told("bo", "marked", "noted")
        .happened("points_spent", amount=1)
        .happened("marked", side="ada")
        .points(ada=0, bo=3)
        .given("A1")
        .when("bo: C3")
        .told("bo", "shot_fired", told="water")
        .told("bo", "points_spent", amount=2, reason="test.trap")
        .not_happened("ship_sunk")
        .points(bo=1)
        .to_move("ada")
    )


def test_a_rule_under_test_takes_its_parameters(scenario):
    (
        scenario("tactical", abilities={"cruiser": {"use": Trap, "cost": 1, "price": 2}, "carrier": None})
        .offers("ada", "test.trap", "A1", "J10", price=2)
        .refuses("recon C3", "unknown_ability", ability="recon")
        .when("ada: test.trap A1", "ada: J1")
        .when("bo: A1")
        .told(None, "points_spent", seat="bo", amount=1)
    )


def test_rules_come_by_class_by_id_and_as_records(scenario):
    game = scenario("salvo", rules=[Calm, "points.cap", RuleUse("points.start", {"amount": 4}), {"use": "no_touching"}])
    assert [use.use for use in game.match.variant.rules] == [
        "salvo",
        "test.calm",
        "points.cap",
        "points.start",
        "no_touching",
    ]
    game.points(ada=4, bo=4).fires_at("ada", "A1", "J10", count=5).when("A1 A2 A3 B1 B2").told(
        "bo", "shot_fired", "shot_fired", told="blocked"
    ).told("bo", "shot_fired", at="A3").told("bo", "shot_fired", "shot_fired", at="B2", told="water")


def test_a_variant_as_it_is_needs_no_changes(scenario):
    assert scenario().match.variant.id == "classic"
    assert scenario("salvo", seats=("x", "y"), first="y", seed="s").to_move("y").match.seed == "s"
    assert scenario(id="test.mine").match.variant.id == "test.mine"


def test_each_fleet_is_completed_clear_of_the_ships_that_are_given(scenario):
    game = scenario("classic", rules=["no_touching"], fleets={"bo": {"cruiser": "H10-J10", "destroyer": ["A1", "A2"]}})

    ships = game.match.view("bo").own.ships
    assert game.match.grid.list(ships["cruiser"].cells) == ("H10", "I10", "J10")
    assert game.match.grid.list(ships["destroyer"].cells) == ("A1", "A2")
    assert len(ships) == 5


@pytest.mark.parametrize(
    ("ships", "code"),
    [
        ({"cruiser": "A1-A4"}, "wrong_shape"),
        ({"yacht": "A1"}, "unknown_ship"),
        ({"cruiser": "A1-A3", "destroyer": "A3-A4"}, "overlap"),
    ],
)
def test_a_fleet_that_is_not_allowed_is_refused(scenario, ships, code):
    with pytest.raises(Refused) as refused:
        scenario(fleets={"ada": ships})

    assert code in {refusal.code for refusal in refused.value.refusals}


def test_the_seat_that_is_to_move_need_not_be_named(scenario):
    scenario(**SMALL).when("A1", "A1").told("ada", "shot_fired", by="ada").told("ada", "shot_fired", by="bo")


def test_commands_come_as_records_and_in_their_json_form(scenario):
    (
        scenario(**SMALL)
        .when(Fire("ada", "A1"), {"type": "fire", "seat": "bo", "cells": ["A2"]})
        .told("bo", "shot_fired", at="A1")
        .told("bo", "shot_fired", at="A2")
        .refuses(UseAbility("ada", "sonar"), "unknown_ability")
        .refuses({"type": "time_out", "seat": "ada"}, "not_allowed")
        .refuses("ada: time_out", "not_allowed")
        .when("bo: resign")
        .over("ada", "resigned")
        .to_move(None)
    )
    with pytest.raises(CommandError, match="cells"):
        scenario().when({"type": "fire"})


@pytest.mark.parametrize(
    ("line", "target"),
    [
        ("sonar B3", "B3"),
        ("flak", None),
        ("torpedo A2 right", {"from": "A2", "direction": "right"}),
        ("torpedo B1 down", {"from": "B1", "direction": "down"}),
        ("broadside B2 down", {"at": "B2", "axis": "down"}),
        ("broadside B2 across", {"at": "B2", "axis": "across"}),
        ("sonar B2 B3", ["B2", "B3"]),
        ("sonar cruiser", {"ship": "cruiser"}),
        ("sonar cruiser A1-A3", {"ship": "cruiser", "to": "A1-A3"}),
        ("sonar cruiser A1 A2", {"ship": "cruiser", "to": ["A1", "A2"]}),
        ("sonar flak", {"ability": "flak"}),
    ],
)
def test_targets_are_written_as_at_the_command_line(scenario, line, target):
    game = scenario("tactical")

    assert command_of(line, game.match, game.registry) == UseAbility("ada", line.split()[0], target)


def test_a_line_may_fire_at_nothing(scenario):
    game = scenario(drops=["core.must_shoot"]).when("pass").to_move("bo").when("bo:").to_move("ada")
    assert game.match.commits[-1].command == Fire("bo", [])


def test_nobody_to_move_has_to_be_named(scenario):
    game = scenario().when("ada: resign")

    with pytest.raises(IrontideError, match="name the seat, as in 'ada: A1'"):
        game.when("A1")


def test_turns_pass_with_shots_at_water(scenario):
    game = scenario("salvo", **SMALL, fleets={"bo": {"cruiser": "C5-E5"}})
    game.turns(2).told("ada", "turn_ended", "turn_ended").not_told(None, "ship_sunk").to_move("ada")
    assert not game.match.view("ada").target.hit
    assert game.match.grid.list(game.match.view("ada").target.water) == ("D4", "E4")


def test_views_are_seen_part_by_part(scenario):
    (
        scenario(**SMALL, fleets={"bo": {"destroyer": "A1-A2"}})
        .when("A1", "E1", "A2", "E2", "C3")
        .sees("ada", hit="A1 A2", water=["C3"], sunk_classes=("destroyer",), seat_to_move="bo", sunk="")
    )


def test_offers_say_what_is_refused_and_what_it_costs(scenario):
    scenario("tactical").offers("ada", "flak", price=2).offers("ada", "recon", refusal="not_enough_points")
    scenario("tactical").offers("bo", "flak", refusal="not_your_turn")


# What is shown where it does not hold.


def failure(step, *args, **fields):
    with pytest.raises(AssertionError) as caught:
        step(*args, **fields)
    return str(caught.value)


def test_a_failure_shows_both_grids_the_events_with_causes_and_who_was_asked(scenario):
    game = scenario(
        **SMALL,
        abilities={"cruiser": Trap},
        points={"ada": 1, "bo": 3},
        fleets={"ada": {"cruiser": "B2-D2", "destroyer": "E4-E5"}},
    ).given("ada: test.trap B2", "A1", "B2", "A2", "E4")

    shown = failure(game.when("C3", "A1").told, "bo", "shot_fired", "points_spent", amount=9)

    assert shown.startswith("bo: expected points_spent amount=9 from event 2 on, of\n  1. shot_fired by='ada' at='C3'")
    assert "ada's grid" in shown
    assert " 2 . c C C ." in shown
    assert " 1 * . . . .    1 * . . . ." in shown
    assert "(C cruiser, D destroyer; small where hit; * is a shot at water)" in shown
    assert re.search(r"commit \d: fire seat=bo cells=\['A1'\]\n  shot_fired by=bo at=A1", shown)
    assert "  1. test.trap.spring for ada: ShotFired(" in shown
    assert "-> no effects" in shown


def test_events_stand_under_what_caused_them_and_repeated_letters_are_told_apart(scenario):
    game = scenario("tactical", points={"ada": 4}).when("ada: sonar A1")

    shown = failure(game.happened, "noted")

    assert "\n  ability_used seat=ada ability=sonar target=A1\n    cells_scanned by=ada" in shown
    assert "(C carrier, B battleship, R cruiser, S submarine, D destroyer;" in shown
    assert "sonar.use for ada: 'A1' -> effects" in shown


def test_more_classes_than_letters_are_shown_too(scenario):
    fleet = [ShipClass(f"a{number}", 1) for number in range(30)]

    assert ", ? a29" in failure(scenario(fleet=fleet).to_move, "bo")


@pytest.mark.parametrize(
    ("step", "args", "fields", "shown"),
    [
        ("when", ("A1", "A1", "A1"), {}, "A1 was refused: already_shot"),
        ("given", ("bo: A1",), {}, "bo: A1 was refused: not_your_turn"),
        ("refuses", ("A1", "already_shot"), {}, "A1 should be refused with 'already_shot', but was accepted"),
        ("refuses", ("bo: A1", "already_shot"), {}, "expected bo: A1 to be refused with 'already_shot'"),
        ("refuses", ("bo: A1", "not_your_turn"), {"seat": "eve"}, "found 'not_your_turn' {'seat': 'bo'"),
        ("told", ("ada", "noted"), {}, "ada: expected noted from event 1 on, of none"),
        ("told", (None, "noted"), {}, "spectator: expected noted"),
        ("happened", ("noted",), {}, "truth: expected noted"),
        ("points", (), {"ada": 3}, "expected ada to have 3 points, found 0"),
        ("sees", ("ada",), {"hit": "A1"}, "expected ada to see hit 'A1', found ()"),
        ("sees", ("ada",), {"points": 2}, "expected ada to see points 2, found 0"),
        ("offers", ("ada", "test.trap"), {}, "refusal None, found not_enough_points"),
        ("offers", ("ada", "test.trap"), {"refusal": "not_enough_points", "price": 5}, "to cost 5, found 1"),
        ("fires_at", ("bo", "A1"), {}, "expected bo may fire at A1, found ()"),
        ("fires_at", ("ada", "A1"), {"count": 2}, "expected ada to fire 2 shots, found 1"),
        ("to_move", ("bo",), {}, "expected bo to move, found ada"),
        ("over", ("bo", "all_sunk"), {}, "expected the match won by bo (all_sunk), found None"),
    ],
)
def test_each_step_says_what_it_expected(scenario, step, args, fields, shown):
    game = scenario(**SMALL, abilities={"cruiser": Trap})

    text = failure(getattr(game, step), *args, **fields)

    assert shown in text.partition("\n\n")[0]


def test_a_target_that_is_not_offered_is_named(scenario):
    game = scenario("tactical")

    assert "expected 'Z9' among the targets of sonar" in failure(game.offers, "ada", "sonar", "A1", "Z9")


def test_what_must_not_be_told_is_shown_if_it_was(scenario):
    game = scenario(**SMALL).when("A1")

    assert "ada: expected no shot_fired at='A1', but\n  1. shot_fired" in failure(
        game.not_told, "ada", "noted", "shot_fired", at="A1"
    )
    assert "truth: expected no turn_ended" in failure(game.not_happened, "turn_ended")


def test_nobody_was_asked_and_nothing_accepted(scenario):
    shown = failure(scenario(**SMALL).to_move, "bo")

    assert "(no command since commit 2; what `given` brought is not looked at)" in shown
    assert "rules asked, in this order:\n  nobody" in shown


def test_a_field_that_is_true_is_not_one(scenario):
    game = scenario(**SMALL, fleets={"bo": {"cruiser": "A1-A3"}}).when("A1").happened("shot_fired", hit=True)

    assert "hit=1" in failure(game.not_told("bo", "noted").given("E1").when("A2").happened, "shot_fired", hit=1)


def test_a_fault_of_a_plugin_is_raised(scenario):
    @rule("test.fault")
    class Fault(Rule):
        @reacts(ShotFired)
        def fail(self, ctx, event):
            yield Note("test.note", to="eve")

    with pytest.raises(PluginFault, match=r"test\.fault"):
        scenario(rules=[Fault]).when("A1")


def test_what_cannot_be_built_is_told(scenario):
    with pytest.raises(VariantError, match="yacht"):
        scenario(abilities={"yacht": Trap})
    with pytest.raises(PluginError, match="is no rule"):
        scenario(rules=[Rule])


# The pytest plugin.


def test_pytest_finds_the_fixture_and_imports_nothing_until_it_is_asked_for(tmp_path):
    (tmp_path / "test_it.py").write_text(
        "import sys\n"
        "def test_lazy():\n    assert 'irontide' not in sys.modules\n"
        "def test_given(scenario):\n    scenario().when('A1').told('ada', 'shot_fired')\n",
        encoding="utf-8",
    )
    path = os.pathsep.join(entry for entry in sys.path if entry)
    asked = [sys.executable, "-m", "pytest", "-q", "-W", "error", "-p", "irontide_pytest", "-p", "no:cacheprovider"]
    environment = {**os.environ, "PYTHONPATH": path, "PYTEST_ADDOPTS": ""}

    ran = subprocess.run(asked, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)

    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "2 passed" in ran.stdout
