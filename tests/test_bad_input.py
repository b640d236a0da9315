"""Bad input: each kind has a stable code, nothing of it happens, and nothing but irontide's own errors comes out."""

from functools import reduce

import pytest

import irontide
from irontide import (
    CommandError,
    Fire,
    IrontideError,
    Match,
    PlaceFleet,
    Refused,
    Registry,
    Resign,
    RuleUse,
    ShipClass,
    TimeOut,
    UnknownName,
    UseAbility,
    VariantError,
)

FLEET = {
    "carrier": "A1-A5",
    "battleship": "C1-C4",
    "cruiser": "E1-E3",
    "submarine": "G1-G3",
    "destroyer": "I1-I2",
}


def started(variant="classic"):
    """Return a match of ada against bo with both fleets placed; ada is to move."""
    match = Match.new(variant, seats=("ada", "bo"), seed=1)
    match.submit(PlaceFleet("ada", FLEET))
    match.submit(PlaceFleet("bo", FLEET))
    return match


def over():
    match = started("tactical")
    match.submit(Resign("bo"))
    return match


def new():
    return Match.new("tactical", seats=("ada", "bo"), seed=1)


def refused(match, command):
    """Return the codes with which a command is refused, having seen that nothing else came of it."""
    before, state = match.dumps(), match.state
    with pytest.raises(Refused) as caught:
        match.submit(command)
    assert (match.dumps(), match.state) == (before, state)
    assert match.refusals(command) == caught.value.refusals
    for refusal in caught.value.refusals:
        for lang in ("en", "de"):
            assert refusal.text(lang)
            assert not refusal.text(lang).startswith(refusal.code)
        irontide.to_json(refusal)
    return [refusal.code for refusal in caught.value.refusals]


# Cells.

NO_CELLS = {
    "row 0": "A0",
    "a column too far": "K1",
    "a row too far": "A11",
    "turned round": "1A",
    "a leading zero": "A01",
    "empty": "",
    "blank": " ",
    "a blank inside": "A 1",
    "a letter alone": "A",
    "a number alone": "1",
    "two letters": "AA1",
    "two cells": "A1 A2",
    "a line": "A1-A2",
    "full-width digits": "A\uff11",
    "a full-width letter": "\uff211",
    "a dotless i": "\u01311",
    "Arabic digits": "A\u0661",
    "superscript": "A²",
    "a minus": "A-1",
    "a plus": "A+1",
    "underscore": "A1_0",
    "a decimal": "A1.0",
    "a no-break space": "A1\u00a0",
    "a null": "A1\x00",
    "a lone surrogate": "A1\ud800",
}


@pytest.mark.parametrize("name", NO_CELLS.values(), ids=NO_CELLS.keys())
def test_what_is_no_cell_name_is_refused_wherever_a_cell_stands(name):
    match = started("tactical")
    assert refused(match, Fire("ada", name)) == ["unknown_cell"]
    assert refused(match, UseAbility("ada", "sonar", name)) == ["unknown_cell"]
    torpedo = UseAbility("ada", "torpedo", {"from": name, "direction": "right"})
    assert refused(match, torpedo) == ["unknown_cell", "not_enough_points"]
    broadside = UseAbility("ada", "broadside", {"at": name, "axis": "down"})
    assert refused(match, broadside) == ["unknown_cell", "not_enough_points"]
    assert refused(new(), PlaceFleet("ada", {**FLEET, "destroyer": [name, "I2"]})) == ["unknown_cell"]
    with pytest.raises(irontide.CellError):
        match.grid.cell(name)


@pytest.mark.parametrize("name", ["b4", " B4", "B4 ", "\tb4\t"])
def test_lower_case_and_blanks_around_are_accepted_and_written_as_the_engine_writes_them(name):
    match = started("tactical")
    assert match.submit(UseAbility("ada", "sonar", name)).command == UseAbility("ada", "sonar", "B4")
    commit = match.submit(Fire("ada", name))
    assert commit.command == Fire("ada", "B4")
    assert commit.events[0].at == "B4"
    assert Match.loads(match.dumps()).state == match.state


def test_a_fleet_in_lower_case_with_blanks_stands_where_it_would_in_upper_case():
    match = new()
    sloppy = {"carrier": "a5-a1", "battleship": " c1 - c4 ", "cruiser": ["e3", " e1", "E2"], "submarine": "g1-G3",
              "destroyer": ("i1", "i2")}  # fmt: skip
    written = match.submit(PlaceFleet("ada", sloppy)).command
    assert written == PlaceFleet("ada", FLEET)


def test_every_cell_of_the_largest_grid_is_found_by_its_name():
    grid = irontide.Grid(26, 26)
    assert [grid.cell(name) for name in grid.names] == list(range(676))
    assert grid.find("Z27") is None


# Salvos.


@pytest.mark.parametrize(
    ("cells", "codes", "args"),
    [
        (["A1", "B1", "C1", "D1"], ["wrong_shot_count"], {"due": 5, "given": 4}),
        (["A1", "B1", "C1", "D1", "E1", "F1"], ["wrong_shot_count"], {"due": 5, "given": 6}),
        ([], ["wrong_shot_count"], {"due": 5, "given": 0}),
        (["A1", "B1", "C1", "D1", "A1"], ["duplicate_cell"], {"cell": "A1"}),
        (["A1", "B1", "C1", "D1", " a1 "], ["duplicate_cell"], {"cell": "A1"}),
        (["A1", "A1", "A1"], ["duplicate_cell", "wrong_shot_count"], {"cell": "A1"}),
        (["A1", "B1", "C1", "D1", "K1"], ["unknown_cell"], {"cell": "K1"}),
        (["Z1", "Z2", "A1"], ["unknown_cell", "unknown_cell", "wrong_shot_count"], {"cell": "Z1"}),
    ],
)
def test_a_salvo_is_refused_whole(cells, codes, args):
    match = started("salvo")
    assert refused(match, Fire("ada", cells)) == codes
    assert dict(match.refusals(Fire("ada", cells))[0].args) == args


def test_one_refusal_names_each_cell_that_was_shot_already():
    match = started("salvo")
    match.submit(Fire("ada", ["A1", "B1", "C1", "D1", "E1"]))
    match.submit(Fire("bo", ["A1", "B1", "C1", "D1", "E1"]))
    again = Fire("ada", ["A1", "B1", "F1", "G1", "H1"])
    assert refused(match, again) == ["already_shot", "already_shot"]
    assert [refusal.args["cell"] for refusal in match.refusals(again)] == ["A1", "B1"]


# Names.


@pytest.mark.parametrize(
    "command",
    [
        Fire("eve", "A1"),
        UseAbility("eve", "sonar", "C3"),
        PlaceFleet("eve", FLEET),
        Resign("eve"),
        TimeOut("eve"),
        Fire("", "A1"),
        Fire("Ada", "A1"),
    ],
)
def test_an_unknown_seat_is_refused(command):
    codes = refused(started("tactical"), command)
    assert "unknown_seat" in codes


@pytest.mark.parametrize("ask", ["view", "told", "options", "random_placement"])
@pytest.mark.parametrize("seat", ["eve", "", 0, True, 1.5, (), [], {}, object()])
def test_asking_for_an_unknown_seat_raises_irontides_own_error(ask, seat):
    match = started()
    with pytest.raises(IrontideError):
        getattr(match, ask)(seat)


def test_an_unknown_ability_is_refused_with_those_there_are():
    match = started("tactical")
    assert refused(match, UseAbility("ada", "radar", "C3")) == ["unknown_ability"]
    assert refused(started("classic"), UseAbility("ada", "sonar", "C3")) == ["unknown_ability"]
    assert set(match.refusals(UseAbility("ada", "radar"))[0].args["known"]) == set(match.options("ada").abilities)


@pytest.mark.parametrize("id_", ["lidar", "", "Sonar", None, 7, [], {}])
def test_an_unknown_name_in_the_registry_is_an_unknown_name(id_):
    registry = Registry.default()
    for find in (registry.ability, registry.rule, registry.variant):
        with pytest.raises(UnknownName):
            find(id_)


# Fleets.


@pytest.mark.parametrize(
    ("change", "codes"),
    [
        ({"frigate": "J1-J2"}, ["unknown_ship"]),
        ({"cruiser-2": "J1-J3"}, ["unknown_ship"]),
        ({"destroyer": "I1-I3"}, ["wrong_shape"]),
        ({"destroyer": "I1"}, ["wrong_shape"]),
        ({"destroyer": "I1-J2"}, ["wrong_shape"]),
        ({"destroyer": "I1-I2-I3"}, ["wrong_shape"]),
        ({"destroyer": ["I1", "I1"]}, ["wrong_shape"]),
        ({"destroyer": ["I1", "I3"]}, ["wrong_shape"]),
        ({"destroyer": []}, ["wrong_shape"]),
        ({"cruiser": ["E1", "E2", "F2"]}, ["wrong_shape"]),
        ({"destroyer": "I1-K1"}, ["unknown_cell"]),
        ({"destroyer": "I10-I11"}, ["unknown_cell"]),
        ({"destroyer": "A5-B5"}, ["overlap"]),
        ({"destroyer": "A5-B5", "cruiser": "C4-E4"}, ["overlap", "overlap"]),
        ({"destroyer": "I1-I3", "cruiser": "E1-K1"}, ["unknown_cell", "wrong_shape"]),
        ({"destroyer": None}, ["wrong_shape"]),
        ({"destroyer": 5}, ["wrong_shape"]),
        ({"destroyer": {"from": "I1"}}, ["wrong_shape"]),
        ({"destroyer": [1, 2]}, ["unknown_cell"]),
    ],
)
def test_a_fleet_that_cannot_stand_is_refused_whole(change, codes):
    assert refused(new(), PlaceFleet("ada", {**FLEET, **change})) == codes


def test_a_ship_missing_is_a_wrong_fleet_and_all_that_are_missing_are_named():
    match = new()
    few = PlaceFleet("ada", {"carrier": "A1-A5", "cruiser": "E1-E3"})
    assert refused(match, few) == ["wrong_fleet"]
    assert list(match.refusals(few)[0].args["missing"]) == ["battleship", "submarine", "destroyer"]
    assert refused(match, PlaceFleet("ada", {})) == ["wrong_fleet"]


def test_touching_is_refused_where_a_house_rule_forbids_it():
    variant = Registry.default().variant("classic").but(id="apart", rules=["no_touching"])
    sides = variant.but(id="sides", rules=[{"use": "no_touching", "corners": False}])
    near = PlaceFleet("ada", {**FLEET, "destroyer": "H1-H2"})
    corner = PlaceFleet("ada", {**FLEET, "destroyer": "H4-H5"})
    assert refused(Match.new(variant, seats=("ada", "bo"), seed=1), near) == ["touching"]
    assert refused(Match.new(variant, seats=("ada", "bo"), seed=1), corner) == ["touching"]
    assert refused(Match.new(sides, seats=("ada", "bo"), seed=1), near) == ["touching"]
    assert Match.new(sides, seats=("ada", "bo"), seed=1).submit(corner).number == 1


# The order of the reasons when several hold (RULES: where the page is silent).


def sunk_destroyers():
    """Return a tactical match in which both destroyers have sunk, ada holding 5 points and having used nothing."""
    match = started("tactical")
    for cell in ("I1", "I2"):
        match.submit(Fire("ada", cell))
        match.submit(Fire("bo", cell))
    return match


def armed():
    """Return a tactical match in which ada has armed a flak this turn and has no point left."""
    match = started("tactical")
    match.submit(UseAbility("ada", "flak"))
    return match


def armed_last_turn():
    match = armed()
    match.submit(Fire("ada", "A1"))
    match.submit(Fire("bo", "A1"))
    return match


BAD_FLEET = {"frigate": "A1-A2", "carrier": "A1-A4", "battleship": "B1-B4", "cruiser": "E9-E11", "destroyer": "A1-B1"}

ORDER = {
    "shooting: over, seat, cells": (over, Fire("eve", ["Z1", "A1", "A1"]),
        ["match_over", "unknown_seat", "unknown_cell", "duplicate_cell"]),
    "shooting: not placed, seat, cells": (new, Fire("eve", ["Z1", "A1", "A1"]),
        ["not_placed_yet", "unknown_seat", "unknown_cell", "duplicate_cell"]),
    "shooting: turn, names, cells": (sunk_destroyers, Fire("bo", ["Z1", "A1", "A1", "I1"]),
        ["not_your_turn", "unknown_cell", "duplicate_cell", "already_shot"]),
    "shooting: names, twice, number, shot": (sunk_destroyers, Fire("ada", ["Z1", "A1", "A1", "I1"]),
        ["unknown_cell", "duplicate_cell", "wrong_shot_count", "already_shot"]),
    "ability: over, seat, names": (over, UseAbility("eve", "radar", "Z1"),
        ["match_over", "unknown_seat", "unknown_ability"]),
    "ability: not placed, seat, names": (new, UseAbility("eve", "radar"),
        ["not_placed_yet", "unknown_seat", "unknown_ability"]),
    "ability: turn, names": (armed, UseAbility("bo", "radar"), ["not_your_turn", "unknown_ability"]),
    "ability: turn, off, target": (sunk_destroyers, UseAbility("bo", "sonar", 7),
        ["not_your_turn", "ability_disabled", "bad_target"]),
    "ability: turn, points, cell": (armed, UseAbility("bo", "recon", "Z9"),
        ["not_your_turn", "unknown_cell", "not_enough_points"]),
    "ability: limit, points, target": (armed, UseAbility("ada", "recon", 7),
        ["ability_limit", "not_enough_points", "bad_target"]),
    "ability: limit, target": (armed_last_turn, UseAbility("ada", "flak", "C3"),
        ["ability_limit", "not_enough_points", "bad_target"]),
    "placing: over, seat, ship, fleet, cell, shape, overlap": (over, PlaceFleet("eve", BAD_FLEET),
        ["match_over", "unknown_seat", "unknown_ship", "wrong_fleet", "unknown_cell", "wrong_shape", "overlap"]),
    "placing: fixed, ship, fleet, cell, shape, overlap": (started, PlaceFleet("ada", BAD_FLEET),
        ["fleet_fixed", "unknown_ship", "wrong_fleet", "unknown_cell", "wrong_shape", "overlap"]),
    "placing: seat, overlap": (new, PlaceFleet("eve", {**FLEET, "destroyer": "A1-B1"}), ["unknown_seat", "overlap"]),
    "resigning: over, seat": (over, Resign("eve"), ["match_over", "unknown_seat"]),
    "resigning: over": (over, Resign("ada"), ["match_over"]),
    "time: turn, no rule": (armed, TimeOut("bo"), ["not_your_turn", "not_allowed"]),
}  # fmt: skip


@pytest.mark.parametrize(("make", "command", "codes"), ORDER.values(), ids=ORDER.keys())
def test_all_reasons_are_given_in_their_order(make, command, codes):
    assert refused(make(), command) == codes


def test_stale_is_refused_before_anything_else():
    match = started()
    with pytest.raises(Refused) as caught:
        match.submit(Fire("eve", "Z9"), expect=0)
    assert [refusal.code for refusal in caught.value.refusals] == ["stale"]
    assert dict(caught.value.refusals[0].args) == {"expect": 0, "number": 2}
    assert match.number == 2


def test_a_refused_command_leaves_the_turn_to_the_same_seat():
    match = started("tactical")
    for bad in (
        Fire("ada", "K1"),
        Fire("ada", ["A1", "A2"]),
        UseAbility("ada", "sonar"),
        UseAbility("ada", "recon", "B2"),
    ):
        refused(match, bad)
    assert match.seat_to_move == "ada"
    assert match.view("ada").points == 2
    assert match.submit(Fire("ada", "A1"), expect=2).number == 3


# What is no text where a text stands.

HOLDS_ITSELF = []
HOLDS_ITSELF.append(HOLDS_ITSELF)

NO_TEXTS = {
    "none": None,
    "true": True,
    "an integer": 1,
    "a float": 1.5,
    "not a number": float("nan"),
    "an empty list": [],
    "a list": ["Z9"],
    "a tuple": ("Z9",),
    "nested lists": [["A1"]],
    "an empty dict": {},
    "a dict": {"at": "A1"},
    "a dict with a number for a key": {1: "A1"},
    "bytes": b"A1",
    "a set": {"A1"},
    "an object": object(),
    "a class": Fire,
    "a function": len,
    "a list that holds itself": HOLDS_ITSELF,
    "lists in lists": reduce(lambda inner, _: [inner], range(900), "A1"),
}

WHERE = {
    "as a seat that fires": lambda junk: Fire(junk, "A1"),
    "as the cells": lambda junk: Fire("ada", junk),
    "as a cell": lambda junk: Fire("ada", [junk]),
    "as a seat that uses": lambda junk: UseAbility(junk, "sonar", "C3"),
    "as an ability": lambda junk: UseAbility("ada", junk, "C3"),
    "as an area": lambda junk: UseAbility("ada", "sonar", junk),
    "as a lane": lambda junk: UseAbility("ada", "torpedo", junk),
    "as the start of a lane": lambda junk: UseAbility("ada", "torpedo", {"from": junk, "direction": "right"}),
    "as a direction": lambda junk: UseAbility("ada", "torpedo", {"from": "A1", "direction": junk}),
    "as the middle of a line": lambda junk: UseAbility("ada", "broadside", {"at": junk, "axis": "down"}),
    "as an axis": lambda junk: UseAbility("ada", "broadside", {"at": "A1", "axis": junk}),
    "as the target of what has none": lambda junk: UseAbility("ada", "flak", [junk]),
    "as a seat that places": lambda junk: PlaceFleet(junk, FLEET),
    "as a fleet": lambda junk: PlaceFleet("ada", junk),
    "as a place": lambda junk: PlaceFleet("ada", {**FLEET, "carrier": junk}),
    "as a cell of a place": lambda junk: PlaceFleet("ada", {**FLEET, "carrier": ["A1", junk]}),
    "as a seat that resigns": Resign,
    "as a seat whose time is out": TimeOut,
    "as a command": lambda junk: junk,
}


@pytest.mark.parametrize("junk", NO_TEXTS.values(), ids=NO_TEXTS.keys())
@pytest.mark.parametrize("make", WHERE.values(), ids=WHERE.keys())
def test_junk_is_refused_or_is_no_command_and_changes_nothing(make, junk):
    for match in (new(), started("tactical")):
        before, state = match.dumps(), match.state
        for act in (match.submit, match.refusals):
            try:
                found = act(make(junk))
            except Refused as refused:
                found = refused.refusals
                assert all(refusal.text("de") for refusal in found)
            except CommandError as error:
                assert str(error)  # noqa: PT017 - one of two errors that are right
            else:
                assert act == match.refusals, f"{make(junk)!r} was accepted"
                assert found, f"nothing speaks against {make(junk)!r}"
        assert (match.dumps(), match.state) == (before, state)


@pytest.mark.parametrize(
    "data",
    [
        None, 5, "fire", [], {}, {"type": None}, {"type": []}, {"type": "shoot", "seat": "ada", "cells": ["A1"]},
        {"type": "fire"}, {"type": "fire", "seat": "ada"}, {"type": "fire", "seat": "ada", "cells": ["A1"], "more": 1},
        {"type": "fire", "seat": 5, "cells": ["A1"]}, {"type": "fire", "seat": "ada", "cells": [1]},
        {"type": "fire", "seat": "ada", "cells": {"A1": 1}}, {"type": "fire", "seat": None, "cells": ["A1"]},
        {"type": "fire", "seat": "ada", "cells": None}, {"type": "fire", "seat": "ada", "cells": [["A1"]]},
        {"type": "fire", "seat": "ada", "cell": "A1"}, {"type": "place_fleet", "seat": "ada", "ships": []},
        {"type": "place_fleet", "seat": "ada", "ships": {"carrier": 1.5}}, {"type": "place_fleet", "ships": {}},
        {"type": "use_ability", "seat": "ada"}, {"type": "use_ability", "seat": "ada", "ability": None, "target": None},
        {"type": "use_ability", "seat": "ada", "ability": "sonar", "target": 1.5},
        {"type": "resign"}, {"type": "resign", "seat": ["ada"]}, {"type": "resign", "seat": "ada", "why": ""},
        {"type": "time_out", "seat": True}, {1: 2}, {"type": "resign", 5: "ada"},
    ],
)  # fmt: skip
def test_a_command_in_json_is_read_strictly(data):
    with pytest.raises(CommandError):
        irontide.command_from_json(data)


def test_a_misspelt_command_or_key_is_named():
    with pytest.raises(CommandError, match="fire"):
        irontide.command_from_json({"type": "fier", "seat": "ada", "cells": ["A1"]})
    with pytest.raises(CommandError, match=r"command.*'cell'"):
        irontide.command_from_json({"type": "fire", "seat": "ada", "cells": ["A1"], "cell": "A1"})


@pytest.mark.parametrize("expect", [-1, 99])
def test_an_expectation_that_does_not_hold_is_refused(expect):
    match = started()
    with pytest.raises(Refused, match="stale"):
        match.submit(Fire("ada", "A1"), expect=expect)
    assert match.number == 2


@pytest.mark.parametrize("expect", [2.0, 2.5, True, "2", [], pytest.param(10**5000, id="long")])
def test_an_expectation_that_is_no_number_of_a_commit_is_no_command(expect):
    match = started()
    with pytest.raises(CommandError, match="expect is the number of a commit, not "):
        match.submit(Fire("ada", "A1"), expect=expect)
    assert match.number == 2


@pytest.mark.parametrize(
    "seats", [(), ("ada",), ("ada", "ada"), ("ada", "bo", "cy"), ("ada", ""), ("ada", 5), ("ada", None), "ab", ([], {})]
)
def test_a_match_needs_two_seats_with_different_names(seats):
    with pytest.raises(IrontideError):
        Match.new("classic", seats=seats, seed=1)


@pytest.mark.parametrize("more", [{"seed": 1.5}, {"seed": True}, {"seed": []}, {"first": "eve"}, {"first": 0}])
def test_a_match_needs_a_usable_seed_and_beginner(more):
    with pytest.raises(IrontideError):
        Match.new("classic", seats=("ada", "bo"), **more)


DEEP = reduce(lambda inner, _: [inner], range(100_000), "A1")

ENDLESS = {"a number of 5000 digits": 10**5000, "lists in lists": DEEP}
"""What can't be shown, let alone written."""

ASKED = {
    "a seat that resigns": (Resign, CommandError),
    "a cell": (lambda junk: Fire("ada", [junk]), CommandError),
    "a target": (lambda junk: UseAbility("ada", "sonar", junk), CommandError),
    "a key of a target": (lambda junk: UseAbility("ada", "torpedo", {"from": junk}), CommandError),
    "a place": (lambda junk: PlaceFleet("ada", {"destroyer": junk}), CommandError),
    "a fleet": (lambda junk: PlaceFleet("ada", junk), CommandError),
    "a command": (lambda junk: started().submit(junk), CommandError),
    "a command in JSON": (irontide.command_from_json, CommandError),
    "its type": (lambda junk: irontide.command_from_json({"type": junk}), CommandError),
    "the seat of a view": (lambda junk: started().view(junk), IrontideError),
    "the seat of options": (lambda junk: started().options(junk), IrontideError),
    "the number of a commit": (lambda junk: started().at(junk), IrontideError),
    "since": (lambda junk: started().told("ada", junk), IrontideError),
    "since of lines": (lambda junk: started().lines(junk), IrontideError),
    "n": (lambda junk: started().random_placement("ada", junk), IrontideError),
    "a seed": (lambda junk: Match.new("classic", seats=("ada", "bo"), seed=junk), IrontideError),
    "first": (lambda junk: Match.new("classic", seats=("ada", "bo"), first=junk), IrontideError),
    "the seats": (lambda junk: Match.new("classic", seats=junk), IrontideError),
    "observers": (lambda junk: Match.new("classic", seats=("ada", "bo"), observers=junk), IrontideError),
    "a variant": (lambda junk: Match.new(junk, seats=("ada", "bo")), UnknownName),
    "a variant to count": (irontide.count_placements, IrontideError),
    "a limit": (lambda junk: Registry().book(_classic().but(id="x", limits={"events": junk})), VariantError),
    "a parameter": (lambda junk: RuleUse("salvo", {"per": junk}), VariantError),
    "a variant as data": (irontide.variant_from_json, VariantError),
    "a variant on a base": (lambda junk: Registry().read_variant(junk), VariantError),
    "a value of that": (lambda junk: Registry().read_variant({"id": "x", "grid": {"rows": junk}}), VariantError),
    "a log": (Match.loads, irontide.LogError),
    "what was told": (lambda junk: irontide.fold_view("classic", "ada", junk), irontide.CodecError),
    "the type of what was told": (
        lambda junk: irontide.fold_view("classic", "ada", [{"type": junk}]), irontide.CodecError),
    "what is to be said": (irontide.text, irontide.CodecError),
    "a plugin's rule": (lambda junk: Registry().plugin_of(junk), UnknownName),
    "a cell's number": (lambda junk: irontide.Grid(10, 10).name(junk), irontide.CellError),
    "a cell's name": (lambda junk: irontide.Grid(10, 10).cell(junk), irontide.CellError),
    "a set of cells": (lambda junk: irontide.CellSet(junk and [junk]), irontide.CellError),
    "the columns of a grid": (lambda junk: irontide.Grid(junk, 10), irontide.CellError),
}  # fmt: skip


def _classic():
    return Registry.default().variant("classic")


@pytest.mark.parametrize("junk", ENDLESS.values(), ids=ENDLESS.keys())
@pytest.mark.parametrize(("ask", "error"), ASKED.values(), ids=ASKED.keys())
def test_what_cannot_even_be_shown_is_refused_as_anything_else_is(ask, error, junk):
    with pytest.raises(error) as caught:
        ask(junk)
    assert len(str(caught.value)) < 2000


def test_a_key_that_cannot_be_shown_is_unknown():
    with pytest.raises(VariantError, match="unknown key <int>"):
        Registry.default().read_variant({"id": "x", "base": "classic", 10**5000: 1})
    with pytest.raises(CommandError, match="unknown key <int>"):
        irontide.command_from_json({"type": "resign", "seat": "ada", 10**5000: 1})


@pytest.mark.parametrize("number", [2**1024 - 1, -(2**1024) + 1])
def test_the_largest_numbers_are_refused_as_targets(number):
    assert refused(started("tactical"), UseAbility("ada", "sonar", number)) == ["bad_target"]


@pytest.mark.parametrize("number", [2**1024, -(2**1024)])
def test_a_number_of_more_than_1024_bits_is_no_target(number):
    with pytest.raises(CommandError, match=r"a number is of at most 1024 bits, not -?17976931"):
        UseAbility("ada", "sonar", number)


def test_a_seed_of_1024_bits_is_a_seed():
    match = Match.new("classic", seats=("ada", "bo"), seed=-(2**1024) + 1)
    assert Match.loads(match.dumps()).random_placement("ada") == match.random_placement("ada")


@pytest.mark.parametrize("junk", [None, 1.0, True, "2", []])
def test_where_a_number_stands_nothing_else_does(junk):
    match = started()
    for ask in (match.at, match.lines, lambda n: match.told("ada", n), lambda n: match.random_placement("ada", n)):
        with pytest.raises(IrontideError):
            ask(junk)


@pytest.mark.parametrize("observers", [5, None, "acme", [5], [None], ["\ud800"]])
def test_observers_are_names_of_plugins(observers):
    with pytest.raises(IrontideError, match="observers are a list of names of plugins, not "):
        Match.new("classic", seats=("ada", "bo"), observers=observers)
    with pytest.raises(IrontideError, match="observers are a list of names of plugins, not "):
        Match.loads(started().dumps(), observers=observers)


@pytest.mark.parametrize(
    "thing",
    [{}, {"type": "shot_fired"}, {"type": "noted"}, {"type": "reported", "ships": 5, "hits": 1}, None, 5, "hit"],
)
def test_what_is_neither_a_refusal_nor_told_has_no_text(thing):
    with pytest.raises(irontide.CodecError, match="neither a refusal nor an event as a seat is told it"):
        irontide.text(thing)


def test_cells_beyond_a_grid_have_no_names():
    grid = irontide.Grid(10, 10)
    assert grid.list(irontide.CellSet(1 << 99)) == ("J10",)
    with pytest.raises(irontide.CellError, match="which goes from A1 to J10"):
        grid.list(irontide.CellSet(1 << 100))


def _told(*more):
    return [*started().told("ada")[:1], *more]


@pytest.mark.parametrize(
    ("told", "text"),
    [
        ([{"type": "turn_started", "seat": "ada"}], "what is told first is match_created, not turn_started"),
        ([{**_told()[0], "seats": ["ada", "bo", "cy"]}], "a match has two seats with different names"),
        (_told({"type": "turn_ended", "seat": "cy"}), "seat is no seat of this match: 'cy'"),
        (_told({**_told()[0], "n": 2}), "no event of this match"),
        (_told({"type": "fleet_placed", "seat": "ada", "ships": {"zoe": ["A1"]}}), "no event of this match"),
    ],
)
def test_what_was_told_of_no_match_by_these_rules_is_refused(told, text):
    with pytest.raises(irontide.CodecError, match=text):
        irontide.fold_view("classic", "ada", told)


def test_what_was_withheld_from_a_seat_is_no_fault_of_what_it_was_told():
    hidden = ({"type": "fleet_placed", "seat": "bo", "ships": None}, {"type": "ship_moved", "seat": "bo"})
    assert irontide.fold_view("classic", "ada", _told(*hidden)).placed == ("bo",)


def test_a_match_needs_a_variant_that_there_is():
    with pytest.raises(UnknownName, match="did you mean 'classic'"):
        Match.new("clasic", seats=("ada", "bo"), seed=1)


# Variants in TOML: every problem at once, with code and place.


def problems(tmp_path, text, registry=None):
    """Return code and place of everything that is wrong with a variant file."""
    file = tmp_path / "mine.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(VariantError) as caught:
        irontide.load_variant(str(file), registry)
    assert all(problem.text for problem in caught.value.problems)
    assert all(problem.text in str(caught.value) for problem in caught.value.problems)
    return [(problem.code, problem.place) for problem in caught.value.problems]


def only(tmp_path, text):
    """Return the text of the one problem of a variant file."""
    problems(tmp_path, text)
    with pytest.raises(VariantError) as caught:
        irontide.load_variant(str(tmp_path / "mine.toml"))
    (problem,) = caught.value.problems
    return problem.text


DROPPED_INSTEAD = "needs `use`, the id of what is used, not ''; to take away an ability of the base, name it in `drops`"
BASE = 'id = "mine"\nbase = "classic"\n'

VARIANTS = {
    "a typo in a key": (BASE + "[gird]\ncolumns = 8\n", [("bad_form", "variant")]),
    "a typo inside a table": (BASE + "[grid]\ncolums = 8\n", [("bad_form", "grid")]),
    "a text for a number": (BASE + '[grid]\ncolumns = "8"\n', [("bad_form", "grid.columns")]),
    "a float for a number": (BASE + "[grid]\ncolumns = 8.0\n", [("bad_form", "grid.columns")]),
    "true for a number": (BASE + "[grid]\ncolumns = true\n", [("bad_form", "grid.columns")]),
    "no id": ('base = "classic"\n', [("bad_form", "id")]),
    "a table for a list": (BASE + '[rules]\nuse = "salvo"\n', [("bad_form", "rules")]),
    "a rule without use": (BASE + "[[rules]]\ncorners = true\n", [("bad_form", "rules[0]")]),
    "a float in a parameter": (BASE + '[[rules]]\nuse = "salvo"\nx = 1.5\n', [("bad_form", "rules[0].x")]),
    "a grid too large": (BASE + "[grid]\ncolumns = 27\n", [("bad_grid", "grid.columns")]),
    "a grid of nothing": (BASE + "[grid]\nrows = 0\n", [("bad_grid", "grid.rows")]),
    "an unknown rule": (BASE + '[[rules]]\nuse = "salvoo"\n', [("unknown_rule", "rules.salvoo")]),
    "an ability as a rule": (BASE + '[[rules]]\nuse = "sonar"\n', [("unknown_rule", "rules.sonar")]),
    "a rule as an ability": (BASE + '[abilities.cruiser]\nuse = "salvo"\n', [("unknown_ability", "abilities.cruiser")]),
    "an unknown ability": (BASE + '[abilities.cruiser]\nuse = "sonnar"\n', [("unknown_ability", "abilities.cruiser")]),
    "an unknown class": (BASE + '[abilities.cruser]\nuse = "sonar"\n', [("unknown_ship", "abilities.cruser")]),
    "an ability twice": (
        BASE + '[abilities.cruiser]\nuse = "sonar"\n[abilities.carrier]\nuse = "sonar"\n',
        [("ability_twice", "abilities.cruiser")],
    ),
    "an unknown parameter": (
        BASE + '[[rules]]\nuse = "no_touching"\ncorner = false\n', [("bad_parameter", "rules.no_touching")]),
    "a parameter of a wrong type": (
        BASE + '[[rules]]\nuse = "no_touching"\ncorners = 1\n', [("bad_parameter", "rules.no_touching.corners")]),
    "a price of a wrong type": (
        BASE + '[abilities.cruiser]\nuse = "sonar"\nprice = "2"\n', [("bad_parameter", "abilities.cruiser.price")]),
    "a negative price": (
        BASE + '[abilities.cruiser]\nuse = "sonar"\nprice = -2\n', [("bad_parameter", "abilities.cruiser.price")]),
    "an unknown drop": (BASE + 'drops = ["core.no_repeats"]\n', [("unknown_rule", "drops")]),
    "an unknown place to stand in": (
        BASE + '[instead_of]\n"core.repeat" = "salvo"\n', [("unknown_rule", "instead_of[core.repeat]")]),
    "an unknown rule to stand there": (
        BASE + '[instead_of]\n"core.no_repeat" = "salvoo"\n', [("unknown_rule", "instead_of[core.no_repeat]")]),
    "a limit of nothing": (BASE + "[limits]\ndepth = 0\n", [("bad_parameter", "limits.depth")]),
    "no fleet": ('id = "mine"\n', [("bad_fleet", "fleet")]),
    "a fleet that cannot fit": (BASE + "[grid]\ncolumns = 4\nrows = 4\n", [("no_room", "fleet.carrier")]),
    "a fleet too many": (BASE + "[grid]\ncolumns = 5\nrows = 3\n", [("no_room", "fleet")]),
    "a fleet that cannot keep apart": (
        BASE + '[grid]\ncolumns = 6\nrows = 5\n[[rules]]\nuse = "no_touching"\n', [("no_room", "fleet")]),
    "a ship of no length": (BASE + '[[fleet]]\nclass = "raft"\n', [("bad_fleet", "fleet.raft")]),
    "a ship of no number": (BASE + '[[fleet]]\nclass = "raft"\nlength = 2\ncount = 0\n', [("bad_fleet", "fleet.raft")]),
    "a ship in two parts": (BASE + '[[fleet]]\nclass = "raft"\nshape = ["x.x"]\n', [("bad_fleet", "fleet.raft")]),
    "a ship drawn with o": (BASE + '[[fleet]]\nclass = "raft"\nshape = ["oo"]\n', [("bad_fleet", "fleet.raft")]),
    "a ship drawn and measured": (
        BASE + '[[fleet]]\nclass = "raft"\nshape = ["xx"]\nlength = 2\n', [("bad_fleet", "fleet.raft")]),
    "a class twice": (
        BASE + '[[fleet]]\nclass = "raft"\nlength = 2\n[[fleet]]\nclass = "raft"\nlength = 3\n',
        [("bad_fleet", "fleet")],
    ),
    "a number too small": (
        BASE + '[[rules]]\nuse = "turn_limit"\nn = 0\n', [("bad_parameter", "rules.turn_limit.n")]),
    "an ability taken away": (BASE + '[abilities]\ncruiser = ""\n', [("bad_form", "abilities.cruiser")]),
    "an ability without a rule it needs": (
        BASE + '[abilities]\ncruiser = "relocate"\n', [("missing_rule", "abilities.cruiser")]),
    "abilities that tell and hide the same": (
        BASE + '[abilities]\ncruiser = "torpedo"\n[[rules]]\nuse = "report"\n', [("conflict", "rules.report")]),
    "a misspelt base, and what follows": (
        'id = "mine"\nbase = "tacticl"\ndrops = ["recon", "points.start"]\n[abilities.cruiser]\nprice = 2\n',
        [("unknown_variant", "base")],
    ),
    "a misspelt key of a ship, and what follows": (
        BASE + '[[fleet]]\nclass = "raft"\nlength = 2\nlabel = {en = "Raft"}\n[abilities]\nraft = "sonar"\n',
        [("bad_form", "fleet[0]")],
    ),
    "a wrong parameter of a rule that is needed": (
        BASE + '[[rules]]\nuse = "moving_allowed"\nhow = 1\n[abilities]\ncruiser = "relocate"\n',
        [("bad_parameter", "rules.moving_allowed")],
    ),
    "a key of a table, and the other keys of it": (
        BASE + '[grid]\ncolumns = "8"\nrows = 30\n', [("bad_form", "grid.columns"), ("bad_grid", "grid.rows")]),
    "a key of a ship, and all else": (
        BASE + '[[fleet]]\nclass = "raft"\nlenght = 2\n[[fleet]]\nclass = "tub"\n[abilities]\ntug = "sonar"\n',
        [("bad_form", "fleet[0]"), ("bad_fleet", "fleet.tub"), ("unknown_ship", "abilities.tug")],
    ),
    "a ship's class, and what follows": (
        BASE + '[[fleet]]\nclass = 5\nlength = 2\n[[fleet]]\nclass = "tub"\n[abilities]\nraft = "sonar"\n',
        [("bad_form", "fleet[0].class"), ("bad_fleet", "fleet.tub")],
    ),
    "parameters that can be none, and the others": (
        BASE + '[abilities.cruiser]\nuse = "sonar"\ncooldown = 2.5\ncharges = 2020-01-01\nprize = 3\n',
        [
            ("bad_form", "abilities.cruiser.cooldown"), ("bad_form", "abilities.cruiser.charges"),
            ("bad_parameter", "abilities.cruiser.prize"),
        ],
    ),
    "a key of the grid, and what follows": (
        BASE + '[grid]\ncolums = 20\n[[fleet]]\nclass = "long"\nlength = 15\n', [("bad_form", "grid")]),
    "a key too odd to be found again": (BASE + '"it\'s" = 1\n', [("bad_form", "variant")]),
    "such a key in a table": (BASE + '[grid]\n"it\'s" = 1\n', [("bad_form", "grid")]),
    "a rule twice": (
        BASE + '[[rules]]\nuse = "turn_limit"\n[[rules]]\nuse = "turn_limit"\nn = 0\n',
        [("conflict", "rules[1]"), ("bad_parameter", "rules.turn_limit.n")],
    ),
    "a fleet without the ships of the base's abilities": (
        'id = "mine"\nbase = "tactical"\ndrops = ["flak"]\nrules = ["salvoo"]\n[[fleet]]\nclass = "tub"\nlength = 2\n',
        [("unknown_ship", "fleet"), ("unknown_rule", "rules.salvoo")],
    ),
    "too many of a ship": (
        BASE + '[[fleet]]\nclass = "long"\nlength = 10\ncount = 21\n', [("no_room", "fleet.long")]),
    "an unknown base": ('id = "mine"\nbase = "clasic"\n', [("unknown_variant", "base")]),
}  # fmt: skip


@pytest.mark.parametrize(("text", "found"), VARIANTS.values(), ids=VARIANTS.keys())
def test_a_variant_file_is_told_what_is_wrong_and_where(tmp_path, text, found):
    assert problems(tmp_path, text) == found


@pytest.mark.parametrize(
    ("text", "near"),
    [
        (BASE + "[gird]\ncolumns = 8\n", "'grid'"),
        (BASE + "[grid]\ncolums = 8\n", "'columns'"),
        (BASE + '[[rules]]\nuse = "salvoo"\n', "'salvo'"),
        (BASE + '[abilities.cruiser]\nuse = "sonnar"\n', "'sonar'"),
        (BASE + '[abilities.cruser]\nuse = "sonar"\n', "'cruiser'"),
        (BASE + '[[rules]]\nuse = "no_touching"\ncorner = false\n', "'corners'"),
        (BASE + '[abilities.cruiser]\nuse = "sonar"\nprize = 2\n', "'price'"),
        (BASE + 'drops = ["core.no_repeats"]\n', "'core.no_repeat'"),
        (BASE + '[instead_of]\n"core.repeat" = "salvo"\n', "'core.no_repeat'"),
        ('id = "mine"\nbase = "clasic"\n', "'classic'"),
    ],
)
def test_a_typo_gets_a_suggestion(tmp_path, text, near):
    assert f"did you mean {near}?" in only(tmp_path, text)


@pytest.mark.parametrize(
    ("more", "text"),
    [
        ('[abilities.cruiser]\nuse = "sonar"\ncooldown = 2.5\n', "expected a whole number, not 2.5"),
        ('[[rules]]\nuse = "salvo"\n[[rules]]\nuse = "salvo"\n',
         "the rule 'salvo' is listed twice: give all its parameters in one place"),
        ('[[fleet]]\nclass = "long"\nlength = 10\ncount = 21\n',
         "21 times 'long' do not fit on a grid of 10x10"),
        ('[[rules]]\nuse = "turn_limit"\nthen = "most_hit"\n',
         "expected one of 'draw', 'most_sunk', 'most_hits', not 'most_hit', did you mean 'most_hits'?"),
        ('[[rules]]\nuse = "turn_limit"\nthen = 3\n', "expected one of 'draw', 'most_sunk', 'most_hits', not 3"),
        ('[[rules]]\nuse = "turn_limit"\nn = 0\n', "must be 1 or more, not 0"),
        ('labels = "Mine"\n', "expected a table of texts, not 'Mine'"),
        ("[labels]\nen = 1\n", "expected a text, not 1"),
        ("abilities = 3\n", "expected a table of abilities by ship class, not 3"),
        ("[abilities]\ncruiser = 3\n", "expected the id of an ability, or a table with `use`, not 3"),
        ("grid = 3\n", "expected a table of columns, rows, not 3"),
        ("limits = 3\n", "expected a table of depth, events, runs, quiet_turns, not 3"),
        ("fleet = [3]\n", "expected a table of class, length, shape, count, mirror, labels, not 3"),
        ('[rules]\nuse = "salvo"\n', "expected a list of tables: write [[rules]] for each"),
        ("rules = 3\n", "expected a list of tables, not 3"),
        ('[abilities]\ncruiser = ""\n', DROPPED_INSTEAD),
    ],
)  # fmt: skip
def test_a_problem_says_what_would_have_been_right(tmp_path, more, text):
    assert only(tmp_path, BASE + more) == text


def test_all_that_is_wrong_is_told_at_once(tmp_path):
    text = BASE + (
        'drops = ["core.none"]\n'
        '[[rules]]\nuse = "no_touching"\ncorners = "yes"\n'
        '[[rules]]\nuse = "salvoo"\n'
        '[abilities.cruiser]\nuse = "sonar"\nprice = -1\n'
        '[abilities.frigate]\nuse = "recon"\n'
        "[limits]\nevents = 0\n"
    )
    assert sorted(problems(tmp_path, text)) == [
        ("bad_parameter", "abilities.cruiser.price"),
        ("bad_parameter", "limits.events"),
        ("bad_parameter", "rules.no_touching.corners"),
        ("unknown_rule", "drops"),
        ("unknown_rule", "rules.salvoo"),
        ("unknown_ship", "abilities.frigate"),
    ]


def test_all_that_is_wrong_with_the_form_is_told_at_once(tmp_path):
    text = 'id = 5\nbase = "classic"\nnonsense = 1\n[grid]\ncolumns = "8"\nrows = 1.5\n[[fleet]]\nlength = "2"\n'
    found = problems(tmp_path, text)
    assert {place for _, place in found} >= {"id", "grid.columns", "grid.rows", "fleet[0].length"}
    assert {code for code, _ in found} == {"bad_form"}


@pytest.mark.parametrize("content", [b"id = ", b"not toml at all", b"\xff\xfe", b'id = "a"\nid = "b"\n', b"{}"])
def test_a_file_that_is_no_toml_is_a_variant_error(tmp_path, content):
    file = tmp_path / "mine.toml"
    file.write_bytes(content)
    with pytest.raises(VariantError) as caught:
        irontide.load_variant(str(file))
    (problem,) = caught.value.problems
    assert (problem.code, problem.place) == ("bad_form", str(file))


def test_an_empty_file_lacks_an_id(tmp_path):
    assert problems(tmp_path, "") == [("bad_form", "id")]


def test_a_file_that_is_not_there_is_an_os_error(tmp_path):
    with pytest.raises(FileNotFoundError):
        irontide.load_variant(str(tmp_path / "none.toml"))


def test_two_rules_for_one_place_conflict():
    registry = Registry.default()

    @irontide.rule("test.two_shots", place="shots")
    class TwoShots(irontide.Rule):
        @irontide.adjusts("shots")
        def two(self, ctx, shots):
            return 2

    class Plugin:
        @irontide.hookimpl
        def irontide_register(self, registry):
            registry.rule(TwoShots)

    registry.register(Plugin(), "test")
    variant = registry.variant("salvo").but(id="mine", rules=["test.two_shots"])
    with pytest.raises(VariantError, match=r"salvo.*test\.two_shots") as caught:
        Match.new(variant, seats=("ada", "bo"), seed=1, registry=registry)
    assert [(problem.code, problem.place) for problem in caught.value.problems] == [
        ("conflict", "rules.test.two_shots")
    ]
    instead = registry.variant("salvo").but(id="mine", rules=["test.two_shots"], drops=["salvo"])
    Match.new(instead, seats=("ada", "bo"), seed=1, registry=registry)


def test_bases_that_go_in_a_circle_are_a_variant_error():
    registry = Registry.default()

    class Circle:
        @irontide.hookimpl
        def irontide_register(self, registry):
            registry.variant({"id": "one", "base": "two"})
            registry.variant({"id": "two", "base": "three"})
            registry.variant({"id": "three", "base": "one"})
            registry.variant({"id": "self", "base": "self"})

    registry.register(Circle(), "circle")
    for id_ in ("one", "two", "three", "self"):
        with pytest.raises(VariantError) as caught:
            registry.variant(id_)
        assert {problem.code for problem in caught.value.problems} == {"circular_base"}


@pytest.mark.parametrize(
    "change",
    [
        {"rules": [RuleUse("salvo", {"x": 1})]}, {"rules": [{"use": 5}]}, {"rules": [{"corners": True}]},
        {"abilities": {"cruiser": 5}}, {"abilities": {5: "sonar"}}, {"drops": [5]},
        {"instead_of": {"core.no_repeat": 5}},
        {"grid": {"columns": "8"}}, {"grid": {"columns": 0}}, {"limits": {"depth": "5"}}, {"limits": {"depth": 0}},
        {"fleet": [ShipClass("raft", -1)]}, {"fleet": [ShipClass("raft", "2")]},
        {"fleet": [ShipClass("raft", 2, count="2")]},
        {"fleet": [ShipClass(5, 2)]}, {"fleet": [ShipClass("raft", shape="xx")]}, {"fleet": []},
    ],
)  # fmt: skip
def test_a_variant_from_python_is_checked_like_one_from_a_file(change):
    registry = Registry.default()
    with pytest.raises(IrontideError):
        registry.book(registry.variant("classic").but(id="mine", **change))
