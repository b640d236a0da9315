"""The abilities that shoot: which cells, in which order, what is told, what fools them."""

import pytest

from irontide import Rule, ShipClass, Shot, replaces, rule

ALONE = (ShipClass("destroyer", 2),)
"""A fleet of one ship, whose end is the end of the match."""


def shots(played, seat="bo"):
    """Return where the last command shot and what was answered, as this seat was told."""
    told = played.match.told(seat)
    commit = played.match.commits[-1]
    fired = sum(event.type == "shot_fired" for event in commit.events)
    return " ".join(f"{e['at']}:{e['told']}" for e in [e for e in told if e["type"] == "shot_fired"][-fired:] if fired)


@pytest.fixture
def gunner(scenario):
    """Give a match in which ada's carrier has the ability, and bo's fleet lies where the test says."""

    def make(use, also=None, drops=(), **ships):
        abilities = {"carrier": use, **(also or {})}
        return scenario(abilities=abilities, fleets={"bo": ships}, points={"ada": 30, "bo": 30}, drops=drops)

    return make


# Patterns.


@pytest.mark.parametrize(
    ("line", "answers"),
    [
        ("double_shot C3 across", "B3:water D3:hit"),
        ("double_shot C3 down", "C2:hit C4:water"),
        ("double_shot A1 across", "B1:water"),
        ("double_shot A1 down", "A2:water"),
        ("double_shot J1 across", "I1:water"),
        ("double_shot E1 down", "E2:water"),
        ("corner_shot C3", "B2:hit D2:water B4:water D4:hit"),
        ("corner_shot A1", "B2:hit"),
        ("corner_shot J1", "I2:water"),
        ("corner_shot E1", "D2:water F2:water"),
        ("cross_shot C3", "C2:hit B3:water C3:water D3:hit C4:water"),
        ("cross_shot A1", "A1:water B1:water A2:water"),
        ("cross_shot J1", "I1:water J1:water J2:water"),
        ("cross_shot A3", "A2:water A3:water B3:water A4:water"),
    ],
)
def test_a_pattern_shoots_the_cells_around_one_row_by_row(gunner, line, answers):
    use = line.split(maxsplit=1)[0]
    played = gunner(use, cruiser="D3-D5", destroyer="B2-C2").when(line)
    assert shots(played) == shots(played, "ada") == answers
    played.to_move("ada").fires_at("ada", count=1).not_told("ada", "turn_ended")


def test_the_cell_between_is_not_shot_and_stays_open(gunner):
    gunner("double_shot").when("double_shot C3 across").sees("ada", shots="B3 D3", water="B3 D3").when("C3")


@pytest.mark.parametrize(
    ("line", "fired", "answers"),
    [
        ("double_shot C3 across", ["B3"], "D3:hit"),
        ("corner_shot C3", ["B2", "D4"], "D2:water B4:water"),
        ("cross_shot C3", ["C3", "C2"], "B3:water D3:hit C4:water"),
    ],
)
def test_cells_already_shot_are_left_out(gunner, line, fired, answers):
    played = gunner(line.split(maxsplit=1)[0], cruiser="D3-D5")
    for number, cell in enumerate(fired, 1):
        played.given(f"ada: {cell}", f"bo: J{number}")
    assert shots(played.when(line)) == answers


@pytest.mark.parametrize("line", ["double_shot A1 down", "corner_shot A1"])
def test_where_every_cell_was_shot_it_is_refused_and_costs_nothing(gunner, line):
    use, target, *_ = line.split()
    played = gunner(use).given("ada: A2", "bo: A1", "ada: B2", "bo: A2").points(ada=30)
    found = [*played.match.options("ada").abilities[use].targets]
    assert ({"at": target, "axis": "down"} if "down" in line else target) not in found
    played.refuses(f"ada: {line}", "nothing_to_shoot", ability=use).points(ada=30)


def test_a_cross_of_which_nothing_is_open_is_refused(gunner):
    played = gunner("cross_shot").given("ada: A1", "bo: A1", "ada: A2", "bo: A2", "ada: B1", "bo: A3")
    played.refuses("ada: cross_shot A1", "nothing_to_shoot").offers("ada", "cross_shot", "A2")


def test_the_ships_of_one_batch_sink_after_all_its_shots(gunner):
    (
        gunner("cross_shot", destroyer="B3-C3", submarine="D3-D5")
        .given("ada: D4", "bo: A1", "ada: D5", "bo: A2")
        .when("ada: cross_shot C3")
        .told("bo", "shot_fired", "shot_fired", "shot_fired", "shot_fired", "shot_fired", at="C4")
        .told("bo", "ship_sunk", "ship_sunk", class_="destroyer")
        .happened("ship_sunk", class_="submarine")
        .told("ada", "ship_sunk", class_="submarine")
    )


@pytest.mark.parametrize("line", ["double_shot D5 across", "corner_shot D6", "cross_shot E4", "seeker D5"])
def test_an_ability_that_sinks_the_last_ship_ends_the_match_and_no_shot_follows(scenario, line):
    use = line.split(maxsplit=1)[0]
    (
        scenario(fleet=ALONE, abilities={"destroyer": use}, fleets={"bo": {"destroyer": "E5-E6"}}, points={"ada": 6})
        .given("ada: E6", "bo: A1")
        .when(line)
        .told("ada", "shot_fired", "ship_sunk", "match_ended", winner="ada")
        .not_told("ada", "turn_ended")
        .over("ada", "all_sunk")
        .refuses("ada: A1", "match_over")
    )


# Seeker.


@pytest.mark.parametrize(
    ("aim", "cell", "answer"),
    [
        ("E5", "E5", "hit"),  # at it
        ("E7", "E6", "hit"),  # one down
        ("D4", "E5", "hit"),  # one off at a corner
        ("C5", "E5", "hit"),  # two away
        ("E3", "E5", "hit"),
        ("C4", "C4", "water"),  # a knight's move is further than 2
        ("C7", "C7", "water"),
        ("B5", "B5", "water"),  # three away
    ],
)
def test_the_seeker_finds_what_is_at_most_two_cells_away_in_a_straight_line(gunner, aim, cell, answer):
    (
        gunner("seeker", destroyer="E5-E6")
        .when(f"seeker {aim}")
        .told("bo", "ability_used", target=aim)
        .told("bo", "shot_fired", at=cell, told=answer)
        .told("ada", "shot_fired", at=cell, told=answer)
        .happened("shot_fired", at=cell, free=True)
        .to_move("ada")
    )


@pytest.mark.parametrize(
    ("aim", "ships", "cell"),
    [
        ("D5", {"destroyer": "E5-E6", "cruiser": "C5-C7"}, "C5"),  # one row: the one further left
        ("D5", {"destroyer": "D6-D7", "cruiser": "D2-D4"}, "D4"),  # one column: the one further up
        ("D5", {"destroyer": "E5-F5", "cruiser": "D2-D4"}, "D4"),
        ("D5", {"destroyer": "D3-E3", "cruiser": "E6-E8"}, "E6"),  # nearer before lower
        ("A1", {"destroyer": "B2-C2", "cruiser": "A3-C3"}, "B2"),
        ("J1", {"destroyer": "I2-I3", "cruiser": "H1-H3"}, "I2"),
    ],
)
def test_the_seeker_takes_the_nearest_and_of_equals_the_lowest_cell(gunner, aim, ships, cell):
    gunner("seeker", **ships).when(f"seeker {aim}").told("ada", "shot_fired", at=cell, told="hit")


def test_the_seeker_passes_cells_already_hit(gunner):
    (
        gunner("seeker", destroyer="E5-E6")
        .given("ada: E5", "bo: A1")
        .when("ada: seeker E4")
        .told("ada", "shot_fired", "ship_sunk", class_="destroyer")
        .given("ada: A1", "bo: A2")
        .when("ada: seeker E4")
        .told("ada", "shot_fired", at="E4", told="water")
        .refuses("ada: seeker E4", "ability_limit")
        .given("ada: A2", "bo: A3")
        .refuses("ada: seeker E4", "bad_target", target="E4")
    )


def test_the_seeker_is_fooled_by_a_decoy(gunner):
    (
        gunner("seeker", {"battleship": "decoy"}, destroyer="E5-E6")
        .given("ada: A1", "bo: decoy E3", "bo: A1")
        .when("ada: seeker E4")
        .told("ada", "shot_fired", at="E3", told="water")
        .told("bo", "shot_fired", "unmarked", rule="decoy")
        .not_told("ada", "unmarked")
        .given("ada: A2", "bo: A2")
        .when("ada: seeker E4")
        .told("ada", "shot_fired", at="E5", told="hit")
    )


def test_the_seeker_finds_nothing_in_smoke(gunner):
    (
        gunner("seeker", {"battleship": "smoke"}, destroyer="E5-E6", cruiser="D2-F2")
        .given("ada: A1", "bo: smoke E6", "bo: A1")
        .when("ada: seeker E4")
        .told("ada", "shot_fired", at="E2", told="hit")
        .not_told("ada", "marked", "effect_replaced")
        .given("ada: A2", "bo: A2")
        .when("ada: seeker E4")
        .told("ada", "shot_fired", at="E5", told="hit")
    )


def test_the_seeker_reaches_as_far_as_the_variant_says(gunner):
    gunner({"use": "seeker", "reach": 4}, destroyer="E5-E6").when("seeker E1").told("ada", "shot_fired", at="E5")


def test_the_seeker_does_not_shoot_twice_at_what_was_answered_with_water(gunner):
    (
        gunner("seeker", {"submarine": "dive"}, submarine="E5-E7", drops=["core.one_ability"])
        .given("ada: A1", "bo: dive", "bo: A1")
        .when("ada: seeker E4")
        .told("ada", "shot_fired", at="E5", told="water")
        .when("ada: seeker E4")
        .told("ada", "shot_fired", at="E6", told="water")
        .when("ada: E7")
        .told("bo", "knowledge_forgotten", seat="ada", cells=["E5", "E6", "E7"])
        .given("bo: A2")
        .when("ada: seeker E4")
        .told("ada", "shot_fired", at="E5", told="hit")
    )


# Chain reaction.


def test_a_chain_reaction_that_hits_nothing_leaves_one_shot(gunner):
    (
        gunner("chain_reaction", destroyer="E5-E6")
        .when("chain_reaction C3")
        .told("ada", "shot_fired", at="C3", told="water")
        .not_told("ada", "shots_granted")
        .fires_at("ada", count=1)
        .when("ada: A1")
        .to_move("bo")
    )


def test_a_chain_reaction_that_only_hits_leaves_one_shot(gunner):
    played = gunner("chain_reaction", destroyer="E5-E6").when("chain_reaction E5")
    played.told("ada", "shot_fired", told="hit").not_told("ada", "shots_granted").fires_at("ada", count=1)


def test_a_chain_reaction_that_sinks_a_ship_gives_one_more_shot_this_turn(gunner):
    (
        gunner("chain_reaction", destroyer="E5-E6")
        .given("ada: E5", "bo: A1")
        .when("ada: chain_reaction E6")
        .told("ada", "shot_fired", "ship_sunk", "shots_granted", seat="ada", amount=1)
        .told("bo", "ship_sunk", "shots_granted", amount=1)
        .told(None, "ship_sunk", "shots_granted", amount=1)
        .fires_at("ada", count=2)
        .refuses("ada: A1", "wrong_shot_count", due=2, given=1)
        .when("ada: A1 A2")
        .told("ada", "shot_fired", "shot_fired", "turn_ended")
        .to_move("bo")
        .given("bo: A2")
        .fires_at("ada", count=1)
    )


@rule("testing.splash")
class Splash(Rule):
    """A shot at row 5 also shoots the cell to its right."""

    @replaces(Shot)
    def widen(self, ctx, effect):
        right = ctx.grid.at(effect.cell % ctx.grid.columns + 1, 4)
        return [effect, effect.but(cell=right)] if effect.cell // ctx.grid.columns == 4 else None


def test_a_chain_reaction_that_sinks_two_ships_gives_one_shot_too(scenario):
    (
        scenario(
            abilities={"carrier": "chain_reaction"},
            rules=[Splash],
            fleets={"bo": {"destroyer": "E5-E6", "submarine": "F5-F7"}},
            points={"ada": 3},
        )
        .given("ada: E6", "bo: A1", "ada: F6", "bo: A2", "ada: F7", "bo: A3")
        .when("ada: chain_reaction E5")
        .told("ada", "shot_fired", "shot_fired", "ship_sunk", "ship_sunk", "shots_granted", amount=1)
        .fires_at("ada", count=2)
    )


def test_a_chain_reaction_at_a_shield_sinks_nothing(gunner):
    (
        gunner("chain_reaction", {"battleship": "shield"}, destroyer="E5-E6")
        .given("ada: E5", "bo: shield E6", "bo: A1")
        .when("ada: chain_reaction E6")
        .told("ada", "shot_fired", told="blocked")
        .not_told("ada", "shots_granted")
        .fires_at("ada", "E6", count=1)
    )


def test_a_chain_reaction_as_the_last_shot_of_the_match_grants_nothing(scenario):
    (
        scenario(
            fleet=ALONE,
            abilities={"destroyer": "chain_reaction"},
            fleets={"bo": {"destroyer": "E5-E6"}},
            points={"ada": 3},
        )
        .given("ada: E5", "bo: A1")
        .when("ada: chain_reaction E6")
        .told("ada", "shot_fired", "ship_sunk", "ability_disabled", "match_ended", winner="ada")
        .not_told("ada", "shots_granted", "turn_ended")
        .over("ada", "all_sunk")
    )
