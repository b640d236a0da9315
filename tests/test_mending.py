"""Effects that change what was: answers taken back, ships repaired and moved, abilities off for a while."""

import pytest

from irontide import (
    Ability,
    Disable,
    EnemyAbility,
    Fire,
    Forget,
    Grid,
    Mark,
    Match,
    Move,
    Nothing,
    OtherTurns,
    PlaceFleet,
    PluginFault,
    Registry,
    Repair,
    Rule,
    Scan,
    ShipClass,
    Shot,
    Sink,
    UseAbility,
    Variant,
    ability,
    fold_view,
    rule,
)
from irontide.flaws import CHECKS, WANTED
from irontide.testing import Bundle

SEATS = ("ada", "bo")
FLEET = {"cruiser": "A1-A3", "destroyer": "D1-E1"}
GRID = Grid(5, 5)
BASE = Variant("base", grid=GRID, fleet=(ShipClass("cruiser", 3), ShipClass("destroyer", 2)))


@rule("test.moving", instead_of="core.ships_stay")
class Moving(Rule):
    """Ships may move."""


@ability("test.flag")
class Flag(Ability):
    """Raise a flag."""

    def use(self, ctx, nothing):
        yield Mark(public=True)


def begun(*batches: object, rules: tuple[type[Rule], ...] = (), base: Variant = BASE, **fields: object) -> Match:
    """Return a match in which the cruiser's `test.act` yields these, in ada's hands, and the destroyer has a flag."""

    def use(self, ctx, target):
        for batch in batches:
            result = yield batch(target) if callable(batch) else batch
            results.append(result)

    results: list[object] = []
    act = ability("test.act", **fields)(type("Act", (Ability,), {"use": use}))

    registry = Registry.default()
    registry.register(Bundle([act, Flag, *rules]), "test")
    variant = base.but(
        id="test.mending",
        abilities={"cruiser": "test.act", "destroyer": "test.flag"},
        rules=[class_.id for class_ in rules],
        drops=["core.one_ability"],
    )
    match = Match.new(variant, seats=SEATS, seed=7, registry=registry, strict=True)
    match.results = results
    for seat in SEATS:
        match.submit(PlaceFleet(seat, FLEET))
    return match


def fired(match: Match, *cells: str) -> None:
    """Let ada and bo fire in turns, ada first."""
    for number, cell in enumerate(cells):
        match.submit(Fire(SEATS[number % 2], cell))


def act(match: Match, target: object = None) -> list[str]:
    """Let ada act; return what happened beside the use itself."""
    commit = match.submit(UseAbility("ada", "test.act", target))
    for seat in SEATS:
        assert fold_view(match.variant, seat, match.told(seat)) == match.view(seat)
    assert Match.loads(match.dumps()).state == match.state
    return [event.type for event in commit.events if event.type != "ability_used"]


# Answers taken back.


def test_forgotten_cells_are_unknown_and_may_be_shot_again():
    match = begun(Forget("ada", GRID.cells("A1", "B2", "C3")))
    fired(match, "A1", "E5", "B2", "E4")

    assert act(match) == ["knowledge_forgotten"]
    assert match.told("bo")[-1] == {
        "n": len(match.told("bo")), "type": "knowledge_forgotten", "seat": "ada", "cells": ["A1", "B2"],
    }  # fmt: skip
    target = match.view("ada").target
    assert not target.shots and not target.water and not target.hit  # noqa: PT018 - all of one thing
    assert GRID.cell("A1") in match.options("ada").fire.cells
    commit = match.submit(Fire("ada", "A1"))
    assert (commit.events[0].told, commit.events[0].hit) == ("hit", False), "a wound does not bleed twice"


def test_where_no_answer_is_held_nothing_is_forgotten():
    assert act(begun(Forget("ada", GRID.cells("A1")))) == []


# Repairs.


def test_a_repaired_ship_has_no_hits_and_may_be_shot_there_again():
    match = begun(Repair("bo", "cruiser"))
    fired(match, "A1", "E5", "A2", "E4")

    assert act(match) == ["cell_repaired", "cell_repaired"]
    assert [event["at"] for event in match.told("ada")[-2:]] == ["A1", "A2"]
    assert {event["class"] for event in match.told("ada")[-2:]} == {"cruiser"}
    assert not match.view("bo").own.ships["cruiser"].hits
    assert not match.view("ada").target.hit
    fired(match, "A1", "E3", "A2", "E2", "A3")
    assert match.commits[-1].events[1].type == "ship_sunk"


def test_a_whole_ship_and_a_wreck_cannot_be_repaired():
    match = begun([Repair("bo", "cruiser"), Sink("bo", "destroyer"), Repair("bo", "destroyer")])
    fired(match, "D1", "E5")

    assert act(match) == ["ship_sunk", "ability_disabled"]


# Moves.


def test_a_ship_moves_and_the_enemy_is_told_only_that_one_did():
    match = begun(Move("ada", "cruiser", GRID.cells("C3", "C4", "C5")), rules=(Moving,))

    assert act(match) == ["ship_moved"]
    assert match.told("ada")[-1]["cells"] == ["C3", "C4", "C5"]
    assert (match.told("bo")[-1]["ship"], match.told("bo")[-1]["cells"]) == (None, None)
    assert match.view("ada").own.ships["cruiser"].cells == GRID.cells("C3", "C4", "C5")
    match.submit(Fire("ada", "E5"))
    commit = match.submit(Fire("bo", "C4"))
    assert commit.events[0].struck == "cruiser"


@pytest.mark.parametrize(
    ("ship", "to", "rules"),
    [
        ("cruiser", "C3 C4 C5", ()),
        ("cruiser", "D1 D2 D3", (Moving,)),
        ("cruiser", "C3 C4", (Moving,)),
        ("cruiser", "C3 C4 D4", (Moving,)),
        ("destroyer", "C3 C4", (Moving,)),
    ],
)
def test_a_ship_stays_where_it_may_not_move_or_not_stand_or_is_hit(ship, to, rules):
    match = begun(Move("ada", ship, GRID.cells(*to.split())), rules=rules)
    fired(match, "E5", "D1")

    assert act(match) == []


def test_no_ship_moves_to_where_the_enemy_holds_an_answer_and_no_wreck_moves():
    far, shot = GRID.cells("C3", "C4", "C5"), GRID.cells("C5", "D5", "E5")
    moves = [Move("ada", "cruiser", shot), Move("ada", "cruiser", far), Sink("ada", "cruiser")]
    match = begun([*moves, Move("ada", "cruiser", GRID.cells("B1", "B2", "B3"))], rules=(Moving,))
    fired(match, "E1", "D5")

    assert act(match) == ["ship_moved", "ship_sunk", "ability_disabled"]
    assert match.view("ada").own.ships["cruiser"].cells == far


def test_a_moved_ship_keeps_its_distance():
    base = BASE.but(id="test.apart", rules=["no_touching"])
    near, far = GRID.cells("C2", "D2", "E2"), GRID.cells("C3", "D3", "E3")
    match = begun([Move("ada", "cruiser", near), Move("ada", "cruiser", far)], rules=(Moving,), base=base)

    assert act(match) == ["ship_moved"]
    assert match.view("ada").own.ships["cruiser"].cells == far


# Abilities off for a while.


def jamming(until: object) -> Match:
    return begun(lambda target: Disable("bo", target.ability, until), target=EnemyAbility())


def test_an_ability_is_off_until_the_other_s_turns_have_ended():
    match = jamming(OtherTurns(2))
    match.submit(UseAbility("ada", "test.act", {"ability": "test.flag"}))

    assert {"ability": "test.flag"} not in list(match.options("ada").abilities["test.act"].targets)
    for cell in ("A5", "B5"):
        match.submit(Fire("ada", cell))
        refusal = match.options("bo").abilities["test.flag"].refusal
        assert (refusal.code, refusal.args["reason"]) == ("ability_disabled", "test.act")
        last = match.submit(Fire("bo", cell))
    assert [event.type for event in last.events] == ["shot_fired", "turn_ended", "ability_enabled", "turn_started"]
    assert {"ability": "test.flag"} in list(match.options("ada").abilities["test.act"].targets)
    match.submit(Fire("ada", "C5"))
    assert match.options("bo").abilities["test.flag"].refusal is None
    assert Match.loads(match.dumps()).state == match.state
    assert match.view("ada").opponent_abilities["test.flag"].off == ()


def test_an_ability_that_is_off_is_off_for_longer_if_it_is_put_off_again():
    match = jamming(OtherTurns(1))
    match.submit(UseAbility("ada", "test.act", {"ability": "test.flag"}))
    match.submit(Fire("ada", "A5"))
    match.submit(Fire("bo", "A5"))
    match.submit(UseAbility("ada", "test.act", {"ability": "test.flag"}))
    match.submit(Fire("ada", "B5"))

    assert match.options("bo").abilities["test.flag"].refusal.code == "ability_disabled"


def test_what_is_off_with_its_source_is_on_again_when_that_is_sunk():
    match = jamming("source")
    match.submit(UseAbility("ada", "test.act", {"ability": "test.flag"}))
    fired(match, "A5", "A1", "B5", "A2", "C5")
    commit = match.submit(Fire("bo", "A3"))

    assert [event.type for event in commit.events][1:4] == ["ship_sunk", "ability_disabled", "ability_enabled"]
    match.submit(Fire("ada", "D5"))
    assert match.options("bo").abilities["test.flag"].refusal is None


def test_a_source_that_is_off_itself_holds_nothing_off():
    match = begun([Sink("ada", "cruiser")], Disable("bo", "test.flag"))

    assert act(match) == ["ship_sunk", "ability_disabled"]


def test_a_sunk_ship_s_ability_stays_off_when_a_passing_reason_ends():
    match = jamming(OtherTurns(1))
    match.submit(UseAbility("ada", "test.act", {"ability": "test.flag"}))
    fired(match, "D1", "A5", "E1")

    assert match.view("ada").opponent_abilities["test.flag"].off == ("sunk",)
    match.submit(Fire("bo", "B5"))
    assert list(match.options("ada").abilities["test.act"].targets) == [{"ability": "test.act"}]


def test_an_armed_ability_that_is_put_off_is_armed_no_longer():
    match = jamming(OtherTurns(1))
    match.submit(Fire("ada", "A5"))
    match.submit(UseAbility("bo", "test.flag"))
    match.submit(Fire("bo", "A5"))

    assert act(match, {"ability": "test.flag"}) == ["ability_disabled", "unmarked"]


@pytest.mark.parametrize(
    ("effect", "expected"),
    [
        (Disable("bo", "sonar"), "the id of an ability of this variant"),
        (Disable("bo", "test.flag", reason="sunk"), 'a text other than "sunk" and "fault", or None'),
        (Disable("bo", "test.flag", until="never"), '"source", "turn", "match", OwnTurn(n) or OtherTurns(n)'),
        (Forget("eve", GRID.cells("A1")), "the name of a seat"),
        (Forget("ada", ("A1",)), 'a CellSet of this grid, such as ctx.grid.cells("B4")'),
        (Repair("bo", "carrier"), "the id of a ship of this variant"),
        (Move("ada", "cruiser", GRID.cells()), "a CellSet of this grid that is not empty"),
        (Scan(GRID.cells("A1"), tell="number"), "one of 'cells', 'count', 'any', 'ships', 'distance'"),
    ],
)
def test_what_makes_no_sense_is_the_fault_of_who_gave_it_and_is_told_what_would_make_sense(effect, expected):
    with pytest.raises(PluginFault) as caught:
        begun(effect).submit(UseAbility("ada", "test.act"))

    assert f": expected {expected}" in caught.value.fault.reason


def test_every_field_of_an_effect_has_words_for_what_it_takes():
    assert {check for fields in CHECKS.values() for check in fields.values()} <= WANTED.keys()


# What became of a shot.


def test_a_result_names_the_ships_that_were_sunk_by_it():
    match = begun([Shot(GRID.cell("D1")), Shot(GRID.cell("E1")), Shot(GRID.cell("A1"))], target=Nothing())
    act(match)

    assert [result.sunk for result in match.results[0]] == [("destroyer",), ("destroyer",), ()]
