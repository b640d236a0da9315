"""The abilities that mend and move own ships: what the enemy is told, what it may shoot again, where a ship may go."""

import pytest

from irontide import Ability, Forget, OneCell, ShipClass, VariantError, ability, command_from_json


@pytest.fixture
def yard(scenario):
    """Give a match in which bo's carrier has the ability."""

    def make(use, also=None, fleets=None, **more):
        abilities = {"carrier": use, **(also or {})}
        return scenario(abilities=abilities, fleets={"bo": fleets or {}}, points={"ada": 30, "bo": 30}, **more)

    return make


# Repair.


def test_a_repair_heals_all_hits_and_the_enemy_may_shoot_them_again(yard):
    (
        yard("repair", fleets={"cruiser": "E5-E7"})
        .given("ada: E5", "bo: A1", "ada: E7", "bo: A2", "ada: A1")
        .when("bo: repair cruiser")
        .told("bo", "points_spent", "ability_used", target={"ship": "cruiser"})
        .told("bo", "cell_repaired", "cell_repaired", at="E7")
        .told("ada", "points_spent", "ability_used", target=None)
        .told("ada", "cell_repaired", class_="cruiser", at="E5", seat="bo")
        .told("ada", "cell_repaired", class_="cruiser", at="E7")
        .told(None, "ability_used", "cell_repaired", "cell_repaired", class_="cruiser")
        .sees("ada", hit="", shots="A1", water="A1")
        .given("bo: A3")
        .fires_at("ada", "E5", "E7")
        .given("ada: E5", "bo: A4", "ada: E6", "bo: A5")
        .when("ada: E7")
        .told("ada", "shot_fired", "ship_sunk", class_="cruiser")
    )


def test_a_repair_leaves_other_ships_as_they_are(yard):
    played = yard("repair", fleets={"cruiser": "E5-E7", "destroyer": "F5-F6"}, also={"battleship": "double_shot"})
    played.given("ada: E5", "bo: A1", "ada: F5", "bo: repair cruiser").sees("ada", hit="F5").when("bo: A2")
    played.when("ada: F6").told("ada", "ship_sunk", class_="destroyer")


def test_only_a_damaged_ship_afloat_can_be_repaired(yard):
    (
        yard("repair", fleets={"destroyer": "E5-E6"})
        .given("ada: A1")
        .offers("bo", "repair", refusal="bad_target")
        .refuses("bo: repair destroyer", "bad_target", target={"ship": "destroyer"})
        .given("bo: A1", "ada: E5")
        .offers("bo", "repair", {"ship": "destroyer"}, price=4)
        .refuses("bo: repair cruiser", "bad_target")
        .given("bo: A2", "ada: E6")
        .refuses("bo: repair destroyer", "bad_target")
    )


def test_a_repair_at_the_corner_of_the_grid(yard):
    played = yard("repair", fleets={"destroyer": "A1-B1"}).given("ada: A1").when("bo: repair destroyer")
    played.told("ada", "cell_repaired", at="A1").given("bo: A1").fires_at("ada", "A1")


def test_the_ship_of_the_repair_may_repair_itself_as_long_as_it_floats(yard):
    played = yard("repair", fleets={"carrier": "A1-E1"}).given("ada: A1").when("bo: repair carrier")
    played.told("ada", "cell_repaired", class_="carrier", at="A1")


def test_of_several_ships_of_a_class_only_the_one_chosen_is_repaired(yard):
    (
        yard(
            "repair",
            fleet=(ShipClass("carrier", 5), ShipClass("cruiser", 3, count=2)),
            fleets={"cruiser": "E5-E7", "cruiser-2": "G5-G7"},
        )
        .given("ada: E5", "bo: A1", "ada: G5")
        .when("bo: repair cruiser-2")
        .told("ada", "cell_repaired", class_="cruiser", at="G5")
        .sees("ada", hit="E5")
        .refuses("bo: repair cruiser-2", "ability_limit")
    )


@ability("test.amnesia", price=0, target=OneCell(side="own"))
class Amnesia(Ability):
    """Make the enemy forget about an own cell."""

    def use(self, ctx, target):
        yield Forget(ctx.other.name, target.cells)


def test_a_repair_also_heals_a_hit_whose_answer_was_taken_back(yard):
    (
        yard("repair", also={"battleship": Amnesia}, fleets={"cruiser": "E5-E7"})
        .given("ada: E5", "bo: A1", "ada: E6", "bo: test.amnesia E5", "bo: A2")
        .sees("ada", hit="E6")
        .given("ada: A1")
        .when("bo: repair cruiser")
        .sees("ada", hit="", shots="A1")
        .given("bo: A3", "ada: E5", "bo: A4", "ada: E6", "bo: A5")
        .when("ada: E7")
        .told("ada", "ship_sunk", class_="cruiser")
    )


def test_both_seats_may_repair(yard):
    played = yard("repair").given("ada: A8", "bo: A8", "ada: repair cruiser", "ada: A1").when("bo: repair cruiser")
    played.told("ada", "cell_repaired", seat="bo", at="A8").sees("ada", hit="").sees("bo", hit="")


# Relocate.


@pytest.fixture
def harbour(yard):
    """Give a match in which bo's carrier may move ships."""

    def make(also=None, fleets=None, rules=(), **more):
        return yard("relocate", also, fleets, rules=["moving_allowed", *rules], **more)

    return make


def test_a_ship_moves_and_the_enemy_is_told_only_that_one_moved(harbour):
    played = harbour(fleets={"destroyer": "E5-E6"}).given("ada: A1").when("bo: relocate destroyer C3-D3")
    (
        played.told("bo", "points_spent", "ability_used", target={"ship": "destroyer", "to": "C3-D3"})
        .told("bo", "ship_moved", ship="destroyer", cells=["C3", "D3"])
        .told("ada", "points_spent", "ability_used", target=None)
        .told("ada", "ship_moved", seat="bo", ship=None, cells=None)
        .told(None, "ability_used", "ship_moved", seat="bo", ship=None, cells=None)
        .not_told("ada", "data_set", "marked", "unmarked", "knowledge_forgotten")
        .given("bo: A1")
        .when("ada: E5")
        .told("ada", "shot_fired", told="water")
        .given("bo: A2")
        .when("ada: C3")
        .told("ada", "shot_fired", told="hit")
    )
    assert played.match.grid.list(played.match.view("bo").own.ships["destroyer"].cells) == ("C3", "D3")


@pytest.mark.parametrize("to", ["A1-B1", "I1-J1", "J6-J7", "A5-A6", "C3-B3"])
def test_a_ship_may_move_to_edges_and_corners_and_is_named_from_either_end(harbour, to):
    first, last = sorted(to.split("-"))
    harbour().given("ada: E5").when(f"bo: relocate destroyer {to}").told("bo", "ship_moved", cells=[first, last])


def test_a_ship_may_move_onto_cells_that_it_leaves_but_not_stay(harbour):
    played = harbour(fleets={"destroyer": "E5-E6"}).given("ada: A1")
    played.refuses("bo: relocate destroyer E5-E6", "bad_target").refuses("bo: relocate destroyer E6-E5", "bad_target")
    played.when("bo: relocate destroyer E6-E7").told("bo", "ship_moved", cells=["E6", "E7"])


def test_a_ship_may_not_move_onto_another_nor_out_of_shape_nor_off_the_grid(harbour):
    (
        harbour(fleets={"destroyer": "E5-E6", "cruiser": "C3-C5"})
        .given("ada: A1")
        .refuses("bo: relocate destroyer C5-C6", "bad_target")
        .refuses("bo: relocate destroyer C6-C8", "bad_target")
        .refuses("bo: relocate destroyer C6-D7", "bad_target")
        .refuses("bo: relocate destroyer J10-K10", "unknown_cell", cell="K10")
        .refuses("bo: relocate tug C6-C7", "bad_target")
        .offers("bo", "relocate", {"ship": "destroyer", "to": "C6-C7"})
    )


def test_a_place_that_is_wrong_for_two_reasons_is_refused_once(harbour):
    played = harbour(fleets={"destroyer": "E5-E6", "cruiser": "C3-C5"}).given("ada: C3")
    command = {"type": "use_ability", "seat": "bo", "ability": "relocate"}
    found = played.match.refusals(command_from_json({**command, "target": {"ship": "destroyer", "to": "C3-D3"}}))
    assert [refusal.code for refusal in found] == ["bad_target"]


def test_a_damaged_ship_does_not_move_until_it_is_repaired(harbour):
    (
        harbour(also={"battleship": "repair"}, fleets={"destroyer": "E5-E6"})
        .given("ada: E5")
        .refuses("bo: relocate destroyer C3-D3", "bad_target")
        .given("bo: repair destroyer", "bo: A1", "ada: A1")
        .when("bo: relocate destroyer C3-D3")
        .told("bo", "ship_moved")
        .given("bo: A2")
        .when("ada: E5")
        .told("ada", "shot_fired", told="water")
    )


def test_ships_keep_apart_where_the_variant_says_so_wrecks_too(harbour):
    (
        harbour(rules=["no_touching"], fleets={"destroyer": "E5-E6", "cruiser": "C3-C5"})
        .given("ada: E5", "bo: A1", "ada: E6")
        .refuses("bo: relocate cruiser D5-D7", "bad_target")
        .refuses("bo: relocate cruiser F7-H7", "bad_target")
        .when("bo: relocate cruiser G4-G6")
        .told("bo", "ship_moved")
    )


def test_a_variant_that_keeps_ships_where_they_are_cannot_have_it(scenario):
    with pytest.raises(VariantError, match="needs the rule 'moving_allowed'"):
        scenario(abilities={"carrier": "relocate"})


def test_the_abilities_of_a_ship_move_with_it(harbour):
    (
        harbour(also={"submarine": "dive"}, fleets={"submarine": "E5-E7"})
        .given("ada: A1", "bo: relocate submarine C3-E3", "bo: A1", "ada: E5", "bo: dive", "bo: A2")
        .when("ada: C3")
        .told("ada", "shot_fired", told="water")
        .told("ada", "knowledge_forgotten", cells=["C3"])
    )


def test_both_seats_may_move_ships(harbour):
    played = harbour().given("ada: relocate destroyer C3-D3", "ada: A1").when("bo: relocate destroyer C3-D3")
    played.told("ada", "ship_moved", seat="bo").given("bo: C3").sees("bo", hit="C3").when("ada: C3").sees(
        "ada", hit="C3"
    )
