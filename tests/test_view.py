"""Views: what a seat or a spectator may know, and that it is the fold of what they were told."""

import json

import pytest

import irontide
from irontide import (
    CodecError,
    Commit,
    Fire,
    IrontideError,
    Match,
    Outcome,
    PlaceFleet,
    Registry,
    Resign,
    SpectatorView,
    UnknownName,
    UseAbility,
    View,
    fold_view,
)

SEATS = ("ada", "bo")
ADA = {"carrier": "A1-A5", "battleship": "C1-C4", "cruiser": "E1-E3", "submarine": "G1-G3", "destroyer": "I1-I2"}
BO = {"carrier": "A10-E10", "battleship": "A8-D8", "cruiser": "A6-C6", "submarine": "A4-C4", "destroyer": "A2-B2"}
REGISTRY = Registry.default()
RICH = REGISTRY.variant("tactical").but(id="test.rich", rules=[{"use": "points.start", "amount": 9}])


def begun(variant: object = RICH) -> Match:
    match = Match.new(variant, seats=SEATS, seed=7)
    match.submit(PlaceFleet("ada", ADA))
    match.submit(PlaceFleet("bo", BO))
    return match


def play(match: Match, *cells: str) -> Commit:
    for cell in cells:
        commit = match.submit(Fire(match.seat_to_move, cell))
    return commit


def some_turns() -> Match:
    """Bo's destroyer sinks; ada's carrier is hit; ada has scanned and armed flak; bo is to move."""
    match = begun()
    play(match, "A2", "A1", "B2", "J1")
    match.submit(UseAbility("ada", "sonar", "B4"))
    play(match, "J2", "J3")
    match.submit(UseAbility("ada", "flak"))
    play(match, "J4")
    return match


# Before the battle.


def test_before_the_battle_a_seat_sees_its_own_fleet_and_that_the_other_s_stands():
    match = Match.new("tactical", seats=SEATS)
    match.submit(PlaceFleet("bo", BO))
    ada, bo = match.view("ada"), match.view("bo")

    assert ada.placed == bo.placed == ("bo",)
    assert dict(ada.own.ships) == {}
    assert list(bo.own.ships) == list(BO)
    assert ada.target.ships is None
    assert (ada.seat_to_move, ada.outcome, ada.points) == (None, None, 0)
    assert ada.target.unknown == match.grid.all


# The own grid.


def test_the_own_grid_shows_the_fleet_and_where_the_other_side_has_shot():
    view = some_turns().view("ada")
    carrier, cruiser = view.own.ships["carrier"], view.own.ships["cruiser"]

    assert view.own.shots == view.grid.cells("A1", "J1", "J3")
    assert (carrier.id, carrier.class_id, carrier.afloat) == ("carrier", "carrier", True)
    assert carrier.cells == view.grid.column("A") & (view.grid.row(1) | view.grid.area("A3", 1, 5))
    assert carrier.hits == view.grid.cells("A1")
    assert not cruiser.hits


def test_an_own_ship_that_sank_is_no_longer_afloat():
    ships = some_turns().view("bo").own.ships

    assert {id_: ship.afloat for id_, ship in ships.items()} == {
        "carrier": True,
        "battleship": True,
        "cruiser": True,
        "submarine": True,
        "destroyer": False,
    }
    assert ships["destroyer"].hits == ships["destroyer"].cells


def test_a_ship_is_labelled_as_its_variant_calls_it():
    """A label never tells the length, so code asks the class id (RULES: Classic)."""
    from irontide_variants.fleets import FLEET_2002  # noqa: PLC0415 - only here

    old, new = begun("classic"), begun(REGISTRY.variant("classic").but(id="test.2002", fleet=FLEET_2002))
    plain = begun(REGISTRY.variant("classic").but(id="test.plain", fleet=[*bare(FLEET_2002)]))

    assert old.view("ada").own.ships["destroyer"].label("en") == "Destroyer"
    assert new.view("ada").own.ships["destroyer"].label("en") == "Patrol Boat"
    assert new.view("ada").own.ships["cruiser"].label() == "Destroyer"
    assert new.view("ada").own.ships["cruiser"].label("de") == "Kreuzer"
    assert plain.view("ada").own.ships["destroyer"].label("de") == "Zerstörer"


def bare(fleet: tuple[irontide.ShipClass, ...]) -> list[irontide.ShipClass]:
    return [irontide.ShipClass(ship.id, ship.length) for ship in fleet]


# The target grid.


def test_the_target_grid_shows_answers_to_shots_in_sets_that_share_no_cell():
    view = some_turns().view("ada").target
    grid = irontide.Grid(10, 10)

    assert view.shots == grid.cells("A2", "B2", "J2", "J4")
    assert view.hit == grid.cells("A2", "B2")
    assert view.water == grid.cells("J2", "J4")
    assert not view.sunk
    sets = [view.water, view.hit, view.sunk, view.unknown]
    assert sum(map(len, sets)) == 100
    assert view.water | view.hit | view.sunk | view.unknown == grid.all


def test_sunk_ships_are_told_by_class_in_the_order_of_sinking():
    match = begun()
    play(match, "A4", "J1", "B4", "J2", "C4", "J3", "A2", "J4", "B2")

    assert match.view("ada").target.sunk_ships == ("submarine", "destroyer")
    assert match.view("ada").target.sunk_classes == ("submarine", "destroyer")
    assert match.view("bo").target.sunk_classes == ()


def test_scans_show_what_was_asked_where_and_what_was_found():
    match = some_turns()

    [scan] = match.view("ada").target.scans
    assert (scan.ability, scan.tell, scan.count) == ("sonar", "count", 3)
    assert scan.area[0] == "A3"
    assert match.view("bo").target.scans == ()


def test_the_enemy_fleet_is_shown_to_all_after_the_end():
    match = some_turns()
    assert match.view("ada").target.ships is None
    match.submit(Resign("ada"))

    for ships in (match.view("ada").target.ships, match.view(None).sides["bo"].ships):
        assert ships["carrier"].cells == match.grid.cells("A10", "B10", "C10", "D10", "E10")
        assert ships["destroyer"].hits == match.grid.cells("A2", "B2")
        assert ships["destroyer"].afloat is False
    assert match.view("bo").target.ships["carrier"].hits == match.grid.cells("A1")


def test_where_a_stream_tells_wrecks_their_cells_are_sunk_and_no_longer_hit():
    """A field of the format that no built-in variant fills: a remote client folds it all the same."""
    told = some_turns().told("ada")
    for event in told:
        if event["type"] == "ship_sunk":
            event["cells"] = ["A2", "B2"]

    target = fold_view(RICH, "ada", told).target

    assert target.sunk == irontide.Grid(10, 10).cells("A2", "B2")
    assert not target.hit
    assert len(target.water | target.unknown) == 98


# What is public.


def test_points_abilities_and_what_is_armed_are_known_to_both():
    match = some_turns()
    ada, bo = match.view("ada"), match.view("bo")

    assert (ada.points, ada.opponent_points) == (bo.opponent_points, bo.points) == (7, 10)
    assert ada.abilities == bo.opponent_abilities
    assert {id_: ability.uses for id_, ability in bo.opponent_abilities.items()} == {
        "recon": 0,
        "broadside": 0,
        "flak": 1,
        "torpedo": 0,
        "sonar": 1,
    }
    assert (ada.abilities["sonar"].id, ada.abilities["sonar"].class_id) == ("sonar", "destroyer")
    assert [ability.off for ability in bo.abilities.values()] == [(), (), (), (), ("sunk",)]
    assert [mark.rule for mark in bo.markers] == ["flak"]


def test_a_view_says_whose_it_is_and_whose_turn():
    match = some_turns()
    view = match.view("bo")

    assert (view.seat, view.opponent, view.seats) == ("bo", "ada", SEATS)
    assert (view.seat_to_move, view.shots_due, view.outcome) == ("bo", 1, None)
    assert view.variant is match.variant
    match.submit(Resign("ada"))
    assert match.view("bo").outcome == Outcome("bo", "resigned")
    assert match.view("bo").seat_to_move is None


def test_a_spectator_sees_what_both_seats_were_told_alike():
    match = some_turns()
    view = match.view(None)

    assert isinstance(view, SpectatorView)
    assert view.sides["bo"].hit == match.view("ada").target.hit
    assert view.sides["ada"].hit == match.view("bo").target.hit
    assert view.sides["bo"].sunk_classes == ("destroyer",)
    assert view.points == {"ada": 7, "bo": 10}
    assert view.abilities == {"ada": match.view("ada").abilities, "bo": match.view("bo").abilities}
    assert view.sides["bo"].scans[0].count is None
    assert view.sides["bo"].ships is None
    assert (view.seats, view.placed, view.seat_to_move, len(view.markers)) == (SEATS, SEATS, "bo", 1)


# A view is the fold of what was told.


@pytest.mark.parametrize("seat", [*SEATS, None])
def test_a_view_is_the_fold_of_what_was_told_after_each_commit(seat: str | None):
    whole = some_turns()
    whole.submit(Resign("bo"))

    for number in range(whole.number + 1):
        match = whole.at(number)
        through_json = json.loads(json.dumps(match.told(seat)))
        assert fold_view(match.variant, seat, through_json) == match.view(seat)


def test_a_variant_may_be_named_by_its_id_where_a_view_is_folded():
    match = begun("tactical")

    assert fold_view("tactical", "bo", match.told("bo")) == match.view("bo")
    assert fold_view("tactical", "bo", match.told("bo"), registry=REGISTRY) == match.view("bo")
    with pytest.raises(UnknownName):
        fold_view("tactica", "bo", match.told("bo"))


def test_what_was_told_of_a_match_by_other_rules_makes_no_view():
    match = begun("tactical")
    wide = match.variant.but(id="tactical", grid={"columns": 12})

    for other in ("classic", wide):
        with pytest.raises(CodecError, match=r"told of a match by 'tactical' on 10x10, not by '\w+' on 1[02]x10"):
            fold_view(other, "ada", match.told("ada"))


def test_what_was_told_is_numbered_from_1_without_gaps_and_may_be_asked_for_from_a_number_on():
    match = some_turns()

    for seat in (*SEATS, None):
        told = match.told(seat)
        assert [event["n"] for event in told] == list(range(1, len(told) + 1))
        assert match.told(seat, since=5) == told[5:]
        assert match.told(seat, since=-3) == told
        assert match.told(seat, since=len(told)) == []


def test_what_was_told_is_fresh_data_each_time():
    match = some_turns()
    match.told("ada")[0]["seats"].append("eve")

    assert match.told("ada")[0]["seats"] == ["ada", "bo"]


def test_a_view_stands_still_while_the_match_goes_on():
    match = begun()
    before = match.view("ada")
    play(match, "A2")

    assert not before.target.hit
    assert before != match.view("ada")
    assert match.view("ada").target.hit


def test_views_compare_by_whose_they_are_and_what_they_hold():
    match, same = some_turns(), some_turns()

    assert match.view("ada") == same.view("ada")
    assert match.view("ada") != match.view("bo")
    assert match.view(None) == same.view(None)
    assert match.view(None) != match.view("ada")
    assert match.view("ada") != "ada"


@pytest.mark.parametrize(
    "junk",
    [
        [{"type": "shot_fired"}],
        [{"type": "mystery"}],
        [{"n": 1}],
        [{"type": ["shot_fired"]}],
        [{"type": "turn_started", "seat": "ada", "shots": 1.5}],
        [{"type": "turn_started", "seat": "ada", "shots": 1, "more": 2}],
    ],
)
def test_what_is_no_told_stream_is_a_codec_error(junk: list[dict[str, object]]):
    told = [*Match.new("classic", seats=SEATS).told("ada"), *junk]

    with pytest.raises(CodecError, match=r"told\[1\]"):
        fold_view("classic", "ada", told)


@pytest.mark.parametrize("ask", [Match.view, Match.told, Match.options])
def test_there_is_no_view_of_a_seat_that_there_is_not(ask: object):
    with pytest.raises(IrontideError, match="seats are ada, bo"):
        ask(begun(), "eve")


def test_a_view_s_type_says_whose_it_may_be():
    match = begun()

    assert type(match.view("ada")) is View
    assert type(match.view(None)) is SpectatorView


# Options are worked out from the same.


def test_out_of_turn_before_the_battle_and_after_the_end_there_is_nothing_to_fire_at():
    match = Match.new("tactical", seats=SEATS)
    waiting = match.options("ada")
    match.submit(PlaceFleet("ada", ADA))
    match.submit(PlaceFleet("bo", BO))
    idle = match.options("bo")
    match.submit(Resign("bo"))
    over = match.options("ada")

    for options, code in ((waiting, "not_placed_yet"), (idle, "not_your_turn"), (over, "match_over")):
        assert (len(options.fire.cells), options.fire.count) == (0, 0)
        assert {option.refusal.code for option in options.abilities.values()} == {code}
        assert all(not option.targets for option in options.abilities.values())
    assert waiting.abilities["flak"].refusal.args == {"seats": ("ada", "bo")}


def test_in_turn_options_are_what_would_be_accepted():
    match = some_turns()
    options = match.options("bo")

    assert options.seat == "bo"
    assert options.fire.cells == match.grid.all - match.view("bo").target.shots
    assert options.fire.count == 1
    assert {id_: option.price for id_, option in options.abilities.items()} == {
        "recon": 4,
        "broadside": 5,
        "flak": 2,
        "torpedo": 3,
        "sonar": 2,
    }
    assert {id_ for id_, option in options.abilities.items() if option.refusal is None} == {
        "recon",
        "broadside",
        "flak",
        "torpedo",
    }
