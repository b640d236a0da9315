"""House rules, each alone: what it does, its edge cases, and what it is refused for (`docs/catalogue/rules.md`)."""

import pytest

import irontide
from irontide import (
    CellsRevealed,
    Fire,
    Match,
    Outcome,
    PlaceFleet,
    PointsGained,
    PointsSpent,
    Refused,
    Registry,
    Reported,
    ShipClass,
    ShipSunk,
    ShotFired,
    ShotsGranted,
    TimeOut,
    TurnEnded,
    TurnStarted,
    UseAbility,
    Variant,
    VariantError,
    count_placements,
    fold_view,
    verify,
)
from irontide.counting import ROOM_BUDGET

REGISTRY = Registry.default()
FLEET = {"cruiser": "A1-A3", "destroyer": "E1-E2", "raft": "C5"}
BASE = Variant("base", fleet=(ShipClass("cruiser", 3), ShipClass("destroyer", 2), ShipClass("raft", 1)))


def variant(*rules, **changes):
    return BASE.but(id="test", grid={"columns": 5, "rows": 5}, rules=rules, **changes)


def begun(*rules, seed=1, **changes):
    """Return a match of these rules in which both seats have placed the same fleet."""
    match = Match.new(variant(*rules, **changes), seats=("ada", "bo"), seed=seed, registry=REGISTRY, strict=True)
    for seat in match.seats:
        match.submit(PlaceFleet(seat, FLEET))
    return match


def types(commit):
    return [event.type for event in commit.events]


def of(commit, kind):
    return [event for event in commit.events if isinstance(event, kind)]


def refused(*rules, **changes):
    with pytest.raises(VariantError) as caught:
        REGISTRY.book(variant(*rules, **changes))
    return [(problem.code, problem.place) for problem in caught.value.problems]


# How many shots.


@pytest.mark.parametrize(("per", "shots"), [("ships", 3), ("cells", 6), (4, 4)])
def test_salvo_counts_ships_cells_or_neither(per, shots):
    match = begun({"use": "salvo", "per": per})

    assert match.options("ada").fire.count == shots


def test_salvo_by_cells_counts_those_that_are_not_hit_when_the_turn_starts():
    match = begun({"use": "salvo", "per": "cells"})

    match.submit(Fire("ada", ["A1", "E1", "E2", "B1", "B2", "B3"]))

    assert match.options("bo").fire.count == 3
    assert match.view("ada").shots_due == 3


@pytest.mark.parametrize("per", ["boats", 0, -1, True])
def test_salvo_is_per_something(per):
    assert {code for code, _ in refused({"use": "salvo", "per": per})} == {"bad_parameter"}


@pytest.mark.parametrize(("both", "second"), [(False, 3), (True, 1)])
@pytest.mark.parametrize("turned", [False, True])
def test_opening_shots_hold_for_the_first_turn_whatever_the_order_of_the_rules(both, second, turned):
    rules = ["salvo", {"use": "opening_shots", "n": 1, "both": both}]
    match = begun(*(rules[::-1] if turned else rules))

    assert match.options("ada").fire.count == 1
    match.submit(Fire("ada", "B1"))
    assert match.options("bo").fire.count == second
    match.submit(Fire("bo", ["B1", "B2", "B3"][:second]))
    assert match.options("ada").fire.count == 3


def test_each_hit_adds_a_shot():
    match = begun("extra_shot_on_hit")

    assert types(match.submit(Fire("ada", "A1"))) == ["shot_fired", "shots_granted"]
    assert match.seat_to_move == "ada"
    assert types(match.submit(Fire("ada", "B1"))) == ["shot_fired", "turn_ended", "turn_started"]


def test_with_salvo_the_added_shots_are_fired_together_in_the_same_turn():
    match = begun("salvo", "extra_shot_on_hit")

    commit = match.submit(Fire("ada", ["A1", "A2", "B1"]))

    assert len(of(commit, ShotsGranted)) == 2
    assert match.options("ada").fire.count == 2
    commit = match.submit(Fire("ada", ["B2", "B3"]))
    assert types(commit)[-2:] == ["turn_ended", "turn_started"]


def test_hits_that_are_only_counted_add_as_many_shots():
    match = begun("salvo", "extra_shot_on_hit", {"use": "report", "level": "count"})

    commit = match.submit(Fire("ada", ["A1", "A2", "B1"]))

    assert of(commit, ShotsGranted) == [ShotsGranted("ada", 2, "extra_shot_on_hit", cause=3)]
    assert match.options("ada").fire.count == 2


def test_a_hit_that_ends_the_match_adds_nothing():
    match = begun("extra_shot_on_hit")
    for cell in ("A1", "A2", "A3", "E1", "E2"):
        match.submit(Fire("ada", cell))

    commit = match.submit(Fire("ada", "C5"))

    assert match.outcome == Outcome("ada", "all_sunk")
    assert of(commit, ShotsGranted) == []


def test_a_cell_may_be_shot_again_and_nothing_changes():
    match = begun("repeat_shots")
    match.submit(Fire("ada", "A1"))
    match.submit(Fire("bo", "B1"))
    before = match.state

    commit = match.submit(Fire("ada", "A1"))

    assert commit.events[0] == ShotFired("ada", "A1", "repeat", None, False, "cruiser")
    after = match.state
    assert (after.hits, after.shots, after.water, after.struck) == (
        before.hits, before.shots, before.water, before.struck
    )  # fmt: skip
    assert len(match.options("bo").fire.cells) == 25


def test_a_match_of_repeated_shots_ends_as_one_without_progress():
    match = begun("repeat_shots", limits={"quiet_turns": 4})
    for cell in ("A1", "A1", "A1", "A1", "A1", "A1", "A1"):
        if match.outcome is None:
            match.submit(Fire(match.seat_to_move, cell))

    assert match.outcome == Outcome(None, "no_progress")


# What is told.


def test_a_hit_names_the_class():
    match = begun("hit_names_ship")

    assert match.submit(Fire("ada", "E2")).events[0].ship == "destroyer"
    assert match.submit(Fire("bo", "B2")).events[0].ship is None
    [shot] = [event for event in match.told("ada") if event["type"] == "shot_fired" and event["by"] == "ada"]
    assert irontide.text(shot, "en") == "ada fires at E2: hit, Destroyer."


def test_a_count_is_told_in_place_of_the_answers():
    match = begun("salvo", {"use": "report", "level": "count"})

    commit = match.submit(Fire("ada", ["A1", "B1", "E1"]))

    assert [shot.told for shot in of(commit, ShotFired)] == ["unknown"] * 3
    assert of(commit, Reported) == [Reported("ada", ("A1", "B1", "E1"), 2, None, cause=2)]
    view = match.view("ada")
    assert not view.target.hit | view.target.water
    assert [report.hits for report in view.target.reports] == [2]
    assert match.view("bo").own.ships["cruiser"].hits == match.grid.cells("A1")
    assert view.target.reports == match.view(None).sides["bo"].reports
    assert fold_view(match.variant, "ada", match.told("ada"), REGISTRY) == view


def test_a_report_by_ship_names_classes_in_fleet_order():
    match = begun("salvo", {"use": "report", "level": "ship"})

    match.submit(Fire("ada", ["E1", "A1", "E2"]))

    [report] = match.view("ada").target.reports
    assert (report.hits, dict(report.ships)) == (3, {"cruiser": 1, "destroyer": 2})
    [told] = [event for event in match.told("ada") if event["type"] == "reported"]
    assert irontide.text(told, "en") == "ada's shots at A1, E1, E2 hit: 1 x Cruiser, 2 x Destroyer."


def test_ships_of_one_class_are_summed_up_together():
    fleet = [ShipClass("raft", 1, count=2)]
    match = Match.new(
        variant({"use": "report", "level": "ship"}, {"use": "salvo", "per": 2}, fleet=fleet),
        seats=("ada", "bo"), seed=1, registry=REGISTRY, strict=True,
    )  # fmt: skip
    for seat in match.seats:
        match.submit(PlaceFleet(seat, {"raft": "A1", "raft-2": "C1"}))

    commit = match.submit(Fire("ada", ["A1", "C1"]))

    assert [shot.told for shot in of(commit, ShotFired)] == ["unknown", "unknown"]
    assert match.outcome is not None


@pytest.mark.parametrize("level", ["shot", "ship", "count"])
def test_after_each_shot_one_cell_is_named_at_a_time(level):
    match = begun("salvo", {"use": "report", "level": level, "when": "after_each"})

    assert match.options("ada").fire.count == 1
    with pytest.raises(Refused) as caught:
        match.submit(Fire("ada", ["A1", "B1"]))
    assert caught.value.refusals[0].args == {"due": 1, "given": 2}
    for cell in ("A1", "B1", "C1"):
        assert match.seat_to_move == "ada"
        match.submit(Fire("ada", cell))
    assert match.seat_to_move == "bo"
    assert len(match.view("ada").target.reports) == (0 if level == "shot" else 3)


def test_no_hit_is_reported_too():
    match = begun({"use": "report", "level": "ship"})

    match.submit(Fire("ada", "B1"))

    [told] = [event for event in match.told("bo") if event["type"] == "reported"]
    assert (told["hits"], told["ships"]) == (0, {})
    assert irontide.text(told, "de") == "Schuss von ada auf B1: kein Treffer."


def test_a_silent_sinking_is_told_to_its_owner_alone():
    match = begun("silent_sinking")

    commit = match.submit(Fire("ada", "C5"))

    assert of(commit, ShipSunk)[0].to == ("bo",)
    assert match.view("ada").target.sunk_classes == ()
    assert "ship_sunk" not in {event["type"] for event in match.told("ada") + match.told(None)}
    assert not match.view("bo").own.ships["raft"].afloat


def test_what_follows_from_a_silent_sinking_is_silent_too():
    rules = ("silent_sinking", "points.start")
    match = begun(*rules, abilities={"raft": {"use": "sonar", "price": 0}}, drops=[])

    commit = match.submit(Fire("ada", "C5"))

    [off] = [event for event in commit.events if event.type == "ability_disabled"]
    assert off.to == ("bo",)
    assert match.view("ada").opponent_abilities["sonar"].off == ()
    assert match.view("bo").abilities["sonar"].off == ("sunk",)
    with pytest.raises(Refused):
        match.submit(UseAbility("bo", "sonar", "A1"))


def test_at_the_end_silently_sunk_ships_are_known_by_their_hits():
    match = begun("silent_sinking")
    for seat, cell in zip(
        ["ada", "bo"] * 6, ["A1", "B1", "A2", "B2", "A3", "B3", "E1", "B4", "E2", "B5", "C5"], strict=False
    ):
        match.submit(Fire(seat, cell))

    assert match.outcome == Outcome("ada", "all_sunk")
    assert [ship.afloat for ship in match.view("ada").target.ships.values()] == [False] * 3
    assert [ship.afloat for ship in match.view("bo").target.ships.values()] == [True] * 3


def test_wrecks_are_shown():
    match = begun("wrecks_are_shown")

    commit = match.submit(Fire("ada", "C5"))

    assert of(commit, ShipSunk)[0].cells == ("C5",)
    assert match.view("ada").target.sunk == match.grid.cells("C5")
    assert not match.view("ada").target.hit


@pytest.mark.parametrize(("corners", "water"), [(True, "B4 C4 D4 B5 D5"), (False, "C4 B5 D5")])
def test_the_cells_around_a_wreck_are_told_as_water(corners, water):
    apart = {"use": "no_touching", "corners": corners}
    match = begun(apart, "wrecks_are_shown", "mark_around_wreck")

    commit = match.submit(Fire("ada", "C5"))

    assert of(commit, CellsRevealed) == [CellsRevealed("ada", tuple(water.split()), cause=1)]
    view = match.view("ada")
    assert view.target.water == match.grid.cells(*water.split())
    assert match.grid.cells(*water.split()) <= match.options("ada").fire.cells or match.seat_to_move == "bo"
    assert irontide.text(match.told("ada")[-3], "en") == f"ada is told of water at {', '.join(water.split())}."


def test_what_is_known_around_a_wreck_is_not_told_again():
    match = begun("no_touching", "wrecks_are_shown", "mark_around_wreck")
    for seat, cell in (("ada", "B4"), ("bo", "B1"), ("ada", "C4"), ("bo", "B2"), ("ada", "D4"), ("bo", "B3")):
        match.submit(Fire(seat, cell))

    assert of(match.submit(Fire("ada", "C5")), CellsRevealed)[0].water == ("B5", "D5")


def test_mark_around_wreck_needs_its_two_rules():
    assert refused("mark_around_wreck") == [("missing_rule", "rules.mark_around_wreck")] * 2


# Waters.


def test_no_ship_lies_on_an_island_and_no_shot_goes_there():
    match = Match.new(
        variant({"use": "islands", "cells": ["B2", "D4"]}), seats=("ada", "bo"), seed=1, registry=REGISTRY, strict=True
    )

    with pytest.raises(Refused) as caught:
        match.submit(PlaceFleet("ada", {**FLEET, "cruiser": "B1-B3"}))
    assert [(r.code, r.args) for r in caught.value.refusals] == [
        ("unknown_cell", {"ship": "cruiser", "cell": "B2", "island": True})
    ]
    for seat in match.seats:
        match.submit(PlaceFleet(seat, FLEET))
    with pytest.raises(Refused) as caught:
        match.submit(Fire("ada", "b2"))
    assert [refusal.code for refusal in caught.value.refusals][:1] == ["unknown_cell"]
    assert [caught.value.refusals[0].text(lang) for lang in ("en", "de")] == ["B2 is an island.", "B2 ist eine Insel."]
    assert len(match.options("ada").fire.cells) == 23
    assert match.view("ada").sea == match.grid.all - match.grid.cells("B2", "D4")
    assert match.view("ada").target.unknown == match.view("ada").sea
    assert match.islands == ("B2", "D4")


def free(*ids):
    return {class_: {"use": id_, "price": 0} for class_, id_ in zip(("cruiser", "raft"), ids, strict=False)}


@pytest.mark.parametrize(
    ("ability", "target"),
    [
        ("radar", " b2"),
        ("chain_reaction", "B2"),
        ("decoy", "B2"),
        ("double_shot", {"at": "B2", "axis": "sideways"}),
        ("torpedo", {"from": "B2", "direction": "down"}),
        ("relocate", {"ship": "raft", "to": "B2"}),
        ("relocate", {"ship": "cruiser", "to": "B1-B3"}),
    ],
)
def test_what_aims_at_an_island_is_told_that_it_is_one(ability, target):
    match = begun({"use": "islands", "cells": ["B2"]}, "moving_allowed", abilities=free(ability))

    refusal = match.refusals(UseAbility("ada", ability, target))[0]

    assert (refusal.code, refusal.args) == ("unknown_cell", {"cell": "B2", "island": True})
    assert refusal.text("de") == "B2 ist eine Insel."


def test_a_target_that_names_no_island_keeps_its_own_reason():
    match = begun({"use": "islands", "cells": ["B2"]}, abilities=free("torpedo", "radar"))

    for ability, target, code in (
        ("torpedo", {"from": "A2", "direction": "down"}, "bad_target"),
        ("radar", {"to": 5}, "bad_target"),
        ("radar", "B9", "unknown_cell"),
    ):
        refusal = match.refusals(UseAbility("ada", ability, target))[0]
        assert (refusal.code, refusal.args.get("island")) == (code, None)


def test_islands_are_counted_and_drawn_around():
    rules = {"use": "islands", "cells": ["A1", "A2", "A3", "A4", "B1", "B2", "B3", "B4"]}
    small = variant(rules, fleet=[ShipClass("raft", 1)])
    assert count_placements(small, REGISTRY) == 17
    match = Match.new(small, seats=("ada", "bo"), seed=1, registry=REGISTRY)
    drawn = {match.random_placement("ada", n)["raft"].cells[0] for n in range(200)}
    assert len(drawn) == 17
    assert not drawn & set(match.islands)


def test_a_random_set_comes_from_the_seed_and_both_are_told():
    made = variant({"use": "islands", "count": 5})
    islands = []
    for seed in (1, 1, 2):
        match = Match.new(made, seats=("ada", "bo"), seed=seed, registry=REGISTRY)
        islands.append(match.islands)
        assert len(match.islands) == 5
        assert {tuple(match.told(seat)[0]["islands"]) for seat in ("ada", "bo", None)} == {match.islands}
        for seat in match.seats:
            match.submit(PlaceFleet(seat, match.random_placement(seat)))
        cells = [cell for names in match.random_placement("ada").values() for cell in names.cells]
        assert not {*cells} & {*match.islands}
        assert verify(match.dumps(), REGISTRY).kind.name == "EXACT"
        assert Match.loads(match.dumps(), REGISTRY).state == match.state
        assert match.fork().islands == match.islands
    assert islands[0] == islands[1] != islands[2]
    with pytest.raises(irontide.TooLarge, match="each match draws"):
        count_placements(made, REGISTRY)


def test_a_log_with_other_islands_than_the_seed_gives_diverges():
    import hashlib  # noqa: PLC0415 - for this one test
    import json  # noqa: PLC0415 - for this one test

    match = Match.new(variant({"use": "islands", "count": 5}), seats=("ada", "bo"), seed=1, registry=REGISTRY)
    line = match.dumps().splitlines()[0]
    data = json.loads(line)
    digits = len(data.pop("hash"))
    data["events"][0]["islands"] = ["A1"]
    body = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    mark = hashlib.sha256(body.encode()).hexdigest()[:digits]
    forged = f'{body[:-1]},"hash":"{mark}"}}\n'

    verdict = verify(forged, REGISTRY)

    assert (verdict.kind.name, verdict.field) == ("DIVERGED", "islands")


def test_islands_that_are_no_cells_or_leave_no_room_are_refused():
    assert refused({"use": "islands", "cells": ["Z9"]}) == [("bad_parameter", "rules")]
    assert refused({"use": "islands", "count": 24}) == [("no_room", "fleet")]
    assert refused({"use": "islands", "count": 0}) == [("bad_parameter", "rules.islands.count")]


def test_islands_that_leave_no_room_as_far_as_can_be_found_out_in_time_are_refused(monkeypatch):
    monkeypatch.setattr("irontide.sea.CHARTING", ROOM_BUDGET)
    assert refused({"use": "islands", "count": 2}) == [("no_room", "fleet")]


def test_a_torpedo_passes_an_island():
    match = begun(
        {"use": "islands", "cells": ["B3", "C3"]}, abilities={"raft": {"use": "torpedo", "price": 0}},
    )  # fmt: skip
    options = match.options("ada").abilities["torpedo"]
    assert {"from": "B1", "direction": "down"} in options.targets

    commit = match.submit(UseAbility("ada", "torpedo", {"from": "E3", "direction": "left"}))

    assert [shot.at for shot in of(commit, ShotFired)] == ["E3", "D3", "A3"]


def test_targets_on_islands_only_are_none():
    match = begun({"use": "islands", "cells": ["B3", "C3"]}, abilities={"raft": {"use": "sonar", "price": 0}})

    commit = match.submit(UseAbility("ada", "sonar", "B3"))

    [scan] = [event for event in commit.events if event.type == "cells_scanned"]
    assert scan.area == ("A2", "B2", "C2", "A3", "A4", "B4", "C4")


def test_moving_is_allowed_by_a_rule():
    assert REGISTRY.book(variant()).ships_stay
    assert not REGISTRY.book(variant("moving_allowed")).ships_stay


# The course of a match.


@pytest.mark.parametrize(("then", "winner"), [("draw", None), ("most_sunk", "ada"), ("most_hits", "bo")])
def test_the_turn_limit_ends_the_match(then, winner):
    match = begun({"use": "turn_limit", "n": 2, "then": then})
    for seat, cell in (("ada", "C5"), ("bo", "A1"), ("ada", "B1")):
        match.submit(Fire(seat, cell))
        assert match.outcome is None

    match.submit(Fire("bo", "A2"))

    assert match.outcome == Outcome(winner, "turn_limit")


def test_with_as_many_hits_it_is_a_draw():
    match = begun({"use": "turn_limit", "n": 1, "then": "most_hits"})
    match.submit(Fire("ada", "A1"))
    match.submit(Fire("bo", "A1"))

    assert match.outcome == Outcome(None, "turn_limit")


def test_without_a_rule_a_time_out_is_refused():
    with pytest.raises(Refused) as caught:
        begun().submit(TimeOut("ada"))

    assert [refusal.code for refusal in caught.value.refusals] == ["not_allowed"]


def test_out_of_time_is_only_who_is_to_move():
    match = begun("time_out")

    for seat, code in (("bo", "not_your_turn"), ("eve", "unknown_seat")):
        with pytest.raises(Refused) as caught:
            match.submit(TimeOut(seat))
        assert [refusal.code for refusal in caught.value.refusals] == [code]


def test_out_of_time_may_be_lost():
    match = begun("time_out")

    assert types(match.submit(TimeOut("ada")))[:2] == ["timed_out", "match_ended"]
    assert match.outcome == Outcome("bo", "timed_out")


def test_out_of_time_may_be_a_pass():
    match = begun({"use": "time_out", "action": "pass"}, "salvo")

    commit = match.submit(TimeOut("ada"))

    assert of(commit, TurnEnded) == [TurnEnded("ada", "timed_out", 3)]
    assert match.seat_to_move == "bo"


def test_out_of_time_may_be_random_shots():
    match = begun({"use": "time_out", "action": "random_shot"}, "salvo", "extra_shot_on_hit", seed=3)

    commit = match.submit(TimeOut("ada"))

    assert len({shot.at for shot in of(commit, ShotFired)}) == 3
    assert match.seat_to_move == "bo"


# Points.


def test_points_for_hits_count_what_was_told():
    match = begun({"use": "points.on_hit", "amount": 2})
    commit = match.submit(Fire("ada", "A1"))
    assert of(commit, PointsGained) == [PointsGained("ada", 2, 2, "points.on_hit", cause=0)]
    assert of(match.submit(Fire("bo", "B1")), PointsGained) == []

    match = begun("points.on_hit", "salvo", "report")
    match.submit(Fire("ada", ["A1", "A2", "B1"]))
    assert match.view("ada").points == 2


def test_points_for_a_loss_go_to_the_owner():
    match = begun("points.on_loss")

    match.submit(Fire("ada", "C5"))

    assert (match.view("ada").points, match.view("bo").points) == (0, 1)


def test_shots_that_are_given_up_pay():
    match = begun("points.unused_shot", "salvo")

    commit = match.submit(Fire("ada", []))

    assert of(commit, PointsGained) == [PointsGained("ada", 3, 3, "points.unused_shot", cause=0)]


def test_shots_that_were_taken_away_pay_nothing():
    match = begun("points.unused_shot", "salvo", {"use": "time_out", "action": "pass"})

    commit = match.submit(TimeOut("ada"))

    assert of(commit, TurnEnded)[0].unused == 3
    assert of(commit, PointsGained) == []


def test_a_purse_is_fresh_each_turn():
    match = begun({"use": "points.refresh", "n": 2}, {"use": "points.start", "amount": 5})
    assert (match.view("ada").points, match.view("bo").points) == (2, 5)

    commit = match.submit(Fire("ada", "B1"))

    assert of(commit, PointsSpent) == [PointsSpent("bo", 3, 2, "points.refresh", cause=2)]
    assert of(commit, TurnStarted) == [TurnStarted("bo")]


@pytest.mark.parametrize(
    ("rule", "parameter", "value"),
    [
        ("opening_shots", "n", 0), ("turn_limit", "n", 0), ("turn_limit", "then", "flip"),
        ("time_out", "action", "cry"),
        ("report", "level", "fleet"), ("report", "when", "never"), ("islands", "count", 0), ("salvo", "per", "boats"),
        ("points.on_hit", "amount", -1), ("points.on_loss", "amount", -1), ("points.unused_shot", "amount", -1),
        ("points.refresh", "n", -1), ("no_touching", "corners", 1), ("repeat_shots", "often", 1),
    ],
)  # fmt: skip
def test_parameters_are_checked_in_words(rule, parameter, value):
    with pytest.raises(VariantError) as caught:
        REGISTRY.book(variant({"use": rule, parameter: value}))

    assert {problem.code for problem in caught.value.problems} == {"bad_parameter"}
    assert any(parameter in problem.place + problem.text for problem in caught.value.problems)
