"""What holds for each ability of the catalogue: price, limits, flak, the end of its ship, both seats at once."""

import pytest

from irontide import ShipClass
from irontide_abilities import CATALOGUE

SECRET = {"shield": "E5", "smoke": "E5", "decoy": "E5", "dive": None, "trap": "E5"}
PUBLIC = {
    "double_shot": {"at": "E5", "axis": "across"},
    "corner_shot": "E5",
    "cross_shot": "E5",
    "seeker": "E5",
    "chain_reaction": "E5",
    "ping": "E5",
    "flyby": {"at": "E5", "axis": "down"},
    "radar": "E5",
    "spotter": "A1",
    "jam": {"ability": "flak"},
    "counter_battery": None,
}
OWN = {"repair": {"ship": "battleship"}, "relocate": {"ship": "destroyer", "to": "E5-E6"}}
TARGETS = {**SECRET, **PUBLIC, **OWN}
IDS = [ability.id for ability in CATALOGUE]
PRICES = {ability.id: ability.terms.price for ability in CATALOGUE}
WRONG = {
    "double_shot": ["E5", {"at": "E5"}, {"at": "E5", "axis": "up"}, None],
    "corner_shot": [{"at": "E5", "axis": "down"}, ["E5"], None],
    "cross_shot": [{"ship": "cruiser"}, None],
    "seeker": ["A1", ["E5"], None],
    "chain_reaction": ["A1", None],
    "ping": [["E5"], 5, None],
    "flyby": ["E5", {"at": "E5", "axis": "right"}, None],
    "radar": [{"at": "E5"}, None],
    "spotter": ["E5", "H7", None],
    "shield": [{"at": "E5"}, None],
    "smoke": [["E5"], None],
    "decoy": ["B10", "C10", "H7", None],
    "dive": ["E5", {"ship": "submarine"}],
    "repair": ["B10", {"ship": "cruiser"}, {"ship": "tug"}, {"ship": "battleship", "to": "E5-E8"}, None],
    "relocate": [
        {"ship": "destroyer"},
        {"ship": "destroyer", "to": "E5-E7"},
        {"ship": "destroyer", "to": "H7-H8"},
        {"ship": "battleship", "to": "E4-E7"},
        {"ship": "destroyer", "to": "F9-G9"},
        {"ship": "destroyer", "to": "B9-B10"},
        None,
    ],
    "jam": [{"ability": "torpedo"}, "flak", {"ability": "flak", "at": "E5"}, None],
    "counter_battery": ["E5"],
    "trap": ["B10", "C10", "H7", None],
}  # fmt: skip
"""Targets that are none, in a match in which A1 is known as water, and B10 and H7 of the user were shot."""


def line(ability, target):
    return {"type": "use_ability", "seat": "ada", "ability": ability, "target": target}


@pytest.fixture
def ready(scenario):
    """Give a match in which ada's carrier can use the ability: she knows water at A1, and was hit at B10."""

    def make(id_, points=10, also=None, **parameters):
        played = scenario(
            abilities={"carrier": {"use": id_, **parameters}, "cruiser": "flak", **(also or {})},
            points={"ada": points, "bo": 10},
            rules=["moving_allowed"],
        )
        return played.given("ada: A1", "bo: B10", "ada: J1", "bo: H7")

    return make


def test_each_ability_is_tested_here():
    assert {*TARGETS} == {*WRONG} == {*IDS}
    assert len(IDS) == 18


@pytest.mark.parametrize("id_", IDS)
def test_it_can_be_used_for_the_last_points_and_the_shot_is_left(ready, id_):
    (
        ready(id_, points=PRICES[id_])
        .offers("ada", id_, *([] if TARGETS[id_] is None else [TARGETS[id_]]), price=PRICES[id_])
        .when(line(id_, TARGETS[id_]))
        .told("bo", "points_spent", "ability_used", ability=id_, seat="ada")
        .happened("points_spent", amount=PRICES[id_], total=0, reason=id_)
        .points(ada=0)
        .to_move("ada")
        .fires_at("ada", count=1)
        .refuses(line(id_, TARGETS[id_]), "ability_limit", limit="one_ability")
        .when("ada: C3")
        .to_move("bo")
    )


@pytest.mark.parametrize("id_", IDS)
def test_it_is_refused_for_less(ready, id_):
    short = PRICES[id_] - 1
    (
        ready(id_, points=short)
        .offers("ada", id_, refusal="not_enough_points")
        .refuses(line(id_, TARGETS[id_]), "not_enough_points", price=PRICES[id_], points=short)
    )


@pytest.mark.parametrize("id_", IDS)
def test_price_and_limits_are_set_by_the_variant(ready, id_):
    (
        ready(id_, points=0, price=0, per_match=1)
        .when(line(id_, TARGETS[id_]))
        .not_told("bo", "points_spent")
        .told("bo", "ability_used")
        .given("ada: C3", "bo: A1")
        .refuses(line(id_, TARGETS[id_]), "ability_limit", limit="per_match")
    )


@pytest.mark.parametrize("id_", IDS)
def test_flak_cancels_it_and_its_price_is_lost(ready, id_):
    played = ready(id_).given("ada: J2", "bo: flak", "bo: H6").when(line(id_, TARGETS[id_]))
    for seat in ("ada", "bo", None):
        played.told(seat, "points_spent", "ability_used", "effect_replaced", "unmarked", rule="flak")
    assert [event.type for event in played.match.commits[-1].events] == [
        "points_spent", "ability_used", "effect_replaced", "unmarked",
    ]  # fmt: skip
    (
        played.points(ada=10 - PRICES[id_])
        .fires_at("ada", count=1)
        .refuses(line(id_, TARGETS[id_]), "ability_limit", limit="one_ability")
    )


@pytest.mark.parametrize("id_", IDS)
def test_it_is_off_when_its_ship_has_sunk(ready, id_):
    (
        ready(id_)
        .given("ada: J2", "bo: F10", "ada: J3", "bo: G10", "ada: J4", "bo: H10", "ada: J5", "bo: I10", "ada: J6")
        .when("bo: J10")
        .told("ada", "ship_sunk", "ability_disabled", ability=id_, reason="sunk", seat="ada")
        .offers("ada", id_, refusal="ability_disabled")
        .refuses(line(id_, TARGETS[id_]), "ability_disabled", reason="sunk")
    )


@pytest.mark.parametrize(("id_", "target"), [(id_, target) for id_, targets in WRONG.items() for target in targets])
def test_what_is_no_target_is_refused(ready, id_, target):
    ready(id_).refuses(line(id_, target), "bad_target")


@pytest.mark.parametrize("id_", [id_ for id_, target in TARGETS.items() if isinstance(target, str)])
def test_a_cell_off_the_grid_is_refused(ready, id_):
    ready(id_).refuses(line(id_, "K5"), "unknown_cell", cell="K5").refuses(line(id_, "A11"), "unknown_cell")


@pytest.mark.parametrize("id_", IDS)
def test_it_is_not_offered_out_of_turn(ready, id_):
    played = ready(id_).given("ada: J2").offers("ada", id_, refusal="not_your_turn")
    played.refuses(line(id_, TARGETS[id_]), "not_your_turn")


@pytest.mark.parametrize("id_", SECRET)
def test_nothing_but_its_use_and_price_betrays_what_is_secret(ready, secretly, id_):
    secretly(ready(id_), line(id_, SECRET[id_])).told("ada", "ability_used", target=SECRET[id_])


@pytest.mark.parametrize("id_", PUBLIC)
def test_whom_it_concerns_knows_the_target(ready, id_):
    played = ready(id_).when(line(id_, PUBLIC[id_]))
    for seat in ("ada", "bo", None):
        played.told(seat, "points_spent", "ability_used", ability=id_, target=PUBLIC[id_])


@pytest.mark.parametrize("id_", [id_ for id_ in IDS if id_ not in {"spotter", "repair", "jam", "relocate"}])
def test_both_seats_may_have_the_same_at_work(ready, id_):
    mine = line(id_, TARGETS[id_])
    played = ready(id_).given(mine, "ada: C3").when({**mine, "seat": "bo"})
    played.told("ada", "ability_used", seat="bo", ability=id_)
    assert [event.type for event in played.match.commits[-1].events][:2] == ["points_spent", "ability_used"]


@pytest.mark.parametrize("id_", IDS)
def test_a_class_of_two_ships_keeps_it_until_both_have_sunk(scenario, id_):
    fleet = (
        ShipClass("boat", 1, count=2),
        ShipClass("battleship", 4),
        ShipClass("cruiser", 3),
        ShipClass("destroyer", 2),
    )
    played = scenario(
        fleet=fleet,
        fleets={"ada": {"boat": "A9", "boat-2": "A10", "battleship": "B10-E10"}},
        abilities={"boat": {"use": id_, "price": 0}, "cruiser": "flak"},
        rules=["moving_allowed"],
    )
    played.given("ada: A1", "bo: A9", "ada: J1").when("bo: B10").not_told("ada", "ability_disabled")
    played.when(line(id_, TARGETS[id_])).told("bo", "ability_used", ability=id_)
    played.given("ada: C3", "bo: J7", "ada: J2").when("bo: A10").told(
        "ada", "ship_sunk", "ability_disabled", ability=id_, ship="boat-2"
    )
