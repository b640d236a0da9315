"""Targets: what an ability aims at, its JSON form, every choice of it, and what may not be chosen."""

import pytest

from irontide import (
    Ability,
    Area,
    EnemyAbility,
    Fire,
    Lane,
    Line,
    Match,
    Nothing,
    OneCell,
    OwnShip,
    Pattern,
    PlaceFleet,
    Refusal,
    Refused,
    Registry,
    Rule,
    Scan,
    ShipClass,
    Target,
    UseAbility,
    Variant,
    VariantError,
    ability,
    forbids,
    hookimpl,
    rule,
)
from irontide.grid import Grid

SEATS = ("ada", "bo")
FLEET = {"cruiser": "A1-A3", "destroyer": "E1-E2"}


class Aimed(Ability):
    """Keeps what it was aimed at in its scan."""

    def use(self, ctx, target):
        yield Scan(target.cells, tell="any")


@rule("test.keep_off")
class KeepOff(Rule):
    """Nobody aims at B2."""

    @forbids(UseAbility)
    def keep_off(self, ctx, command):
        return Refusal("test.reserved") if command.target == "B2" else None


class Plugin:
    """Registers an ability and a rule."""

    __version__ = "1"

    def __init__(self, ability: type[Ability]):
        self.ability = ability

    @hookimpl
    def irontide_register(self, registry):
        registry.ability(self.ability)
        registry.rule(KeepOff)


def aimed(target: Target, base: type[Ability] = Aimed, rules: tuple[str, ...] = (), *, shoots: bool = False) -> Match:
    """Return a match in which ada is to move and has the ability `test.aim` with this target."""
    registry = Registry.default()
    registry.register(Plugin(ability("test.aim", target=target, shoots=shoots)(type("Aim", (base,), {}))), "test")
    variant = Variant("test", grid=Grid(5, 5), fleet=(ShipClass("cruiser", 3), ShipClass("destroyer", 2)))
    variant = variant.but(id="test.targets", abilities={"cruiser": "test.aim"}, rules=rules)
    match = Match.new(variant, seats=SEATS, seed=7, registry=registry, strict=True)
    for seat in SEATS:
        match.submit(PlaceFleet(seat, FLEET))
    return match


def codes(match: Match, target: object) -> list[str]:
    return [refusal.code for refusal in match.refusals(UseAbility("ada", "test.aim", target))]


def area_of(match: Match, target: object) -> str:
    match.submit(UseAbility("ada", "test.aim", target))
    return " ".join(match.view("ada").target.scans[-1].area)


# Each kind: its choices, what it covers, what is none.

KINDS = [
    (OneCell(), 25, "B2", "B2"),
    (Area(3, 3), 25, "A1", "A1 B1 A2 B2"),
    (Area(2, 1), 25, "B2", "B2 C2"),
    (Line(3), 50, {"at": "B2", "axis": "across"}, "A2 B2 C2"),
    (Line(3), 50, {"at": "E5", "axis": "down"}, "E4 E5"),
    (Line(4), 50, {"at": "B2", "axis": "across"}, "A2 B2 C2 D2"),
    (Lane(), 20, {"from": "A5", "direction": "right"}, "A5 B5 C5 D5 E5"),
    (Lane(), 20, {"from": "C5", "direction": "up"}, "C1 C2 C3 C4 C5"),
    (Pattern(["x.x", "...", "x.x"]), 25, "B2", "A1 C1 A3 C3"),
    (Pattern([".x.", "xxx", ".x."]), 25, "A1", "A1 B1 A2"),
    (Pattern(["x.x"], turns=True), 50, {"at": "B2", "axis": "across"}, "A2 C2"),
    (Pattern(["x.x"], turns=True), 50, {"at": "B2", "axis": "down"}, "B1 B3"),
    (Pattern(["xx"], turns=True), 50, {"at": "B2", "axis": "down"}, "B2 B3"),
    (OwnShip(), 2, {"ship": "destroyer"}, ""),
    (OwnShip(damaged=False), 2, {"ship": "cruiser"}, ""),
    (EnemyAbility(), 1, {"ability": "test.aim"}, ""),
]


@pytest.mark.parametrize(("target", "count", "given", "area"), KINDS)
def test_options_list_every_choice_as_it_is_used(target: Target, count: int, given: object, area: str):
    match = aimed(target)
    option = match.options("ada").abilities["test.aim"]

    assert option.refusal is None
    assert len(option.targets) == count
    assert given in list(option.targets)
    assert all(codes(match, choice) == [] for choice in option.targets)
    assert area_of(match, given) == area


@pytest.mark.parametrize(
    ("target", "given", "code"),
    [
        (OneCell(), "F1", "unknown_cell"),
        (OneCell(), None, "bad_target"),
        (OneCell(), ["B2"], "bad_target"),
        (OneCell(), 7, "bad_target"),
        (OneCell(), {"at": "B2"}, "bad_target"),
        (Area(3, 3), "B6", "unknown_cell"),
        (Area(3, 3), ["B2", "C2"], "bad_target"),
        (Line(3), "B2", "bad_target"),
        (Line(3), {"at": "B2"}, "bad_target"),
        (Line(3), {"at": "B2", "axis": "up"}, "bad_target"),
        (Line(3), {"at": "B2", "axis": ["down"]}, "bad_target"),
        (Line(3), {"at": "B9", "axis": "down"}, "unknown_cell"),
        (Line(3), {"at": 5, "axis": "down"}, "bad_target"),
        (Line(3), {"at": "B2", "axis": "down", "length": 3}, "bad_target"),
        (Lane(), {"from": "B2", "direction": "up"}, "bad_target"),
        (Lane(), {"from": "A5", "direction": "left"}, "bad_target"),
        (Lane(), {"from": "A3", "direction": "down"}, "bad_target"),
        (Lane(), {"from": "A0", "direction": "right"}, "unknown_cell"),
        (Pattern(["x.x"]), "F1", "unknown_cell"),
        (Pattern(["x.x"], turns=True), "B2", "bad_target"),
        (OwnShip(), "cruiser", "bad_target"),
        (OwnShip(), {"ship": "carrier"}, "bad_target"),
        (OwnShip(), {"ship": "cruiser", "to": "C1-C3"}, "bad_target"),
        (OwnShip(damaged=True), {"ship": "cruiser"}, "bad_target"),
        (OwnShip(to=True), {"ship": "cruiser"}, "bad_target"),
        (OwnShip(to=True), {"ship": "cruiser", "to": "C1-C9"}, "unknown_cell"),
        (OwnShip(to=True), {"ship": "cruiser", "to": "C1-C2"}, "bad_target"),
        (OwnShip(to=True), {"ship": "cruiser", "to": "C1-D2"}, "bad_target"),
        (OwnShip(to=True), {"ship": "cruiser", "to": "E1-E3"}, "bad_target"),
        (OwnShip(to=True), {"ship": "cruiser", "to": "A1-A3"}, "bad_target"),
        (OwnShip(to=True), {"ship": ["cruiser"], "to": "C1-C3"}, "bad_target"),
        (EnemyAbility(), "test.aim", "bad_target"),
        (EnemyAbility(), {"ability": "sonar"}, "bad_target"),
        (Nothing(), "B2", "bad_target"),
        (Nothing(), {}, "bad_target"),
    ],
)
def test_what_is_no_choice_is_refused(target: Target, given: object, code: str):
    match = aimed(target)

    assert codes(match, given) == [code]
    with pytest.raises(Refused):
        match.submit(UseAbility("ada", "test.aim", given))


@pytest.mark.parametrize(
    ("target", "given", "written"),
    [
        (OneCell(), " b2 ", "B2"),
        (Area(3, 3), "b2", "B2"),
        (Line(3), {"axis": "down", "at": "b2"}, {"at": "B2", "axis": "down"}),
        (Lane(), {"from": "a5", "direction": "right"}, {"from": "A5", "direction": "right"}),
        (Pattern(["x.x"], turns=True), {"axis": "down", "at": "b2"}, {"at": "B2", "axis": "down"}),
        (OwnShip(to=True), {"to": "c3-c1", "ship": "cruiser"}, {"ship": "cruiser", "to": "C1-C3"}),
    ],
)
def test_a_target_is_written_as_the_engine_writes_cells(target: Target, given: object, written: object):
    commit = aimed(target).submit(UseAbility("ada", "test.aim", given))

    assert commit.command == UseAbility("ada", "test.aim", written)
    assert commit.events[0].target == written


def test_tactical_has_40_lanes_100_areas_and_200_lines():
    match = Match.new("tactical", seats=SEATS)
    spots = {id_: bound.spots for id_, bound in Registry.default().book(match.variant).abilities[0].items()}

    assert {id_: len(spots[id_]) for id_ in ("torpedo", "recon", "sonar", "broadside", "flak")} == {
        "torpedo": 40, "recon": 100, "sonar": 100, "broadside": 200, "flak": 1,
    }  # fmt: skip


def test_no_target_is_needed_and_none_is_listed_where_an_ability_takes_none():
    match = aimed(Nothing())
    option = match.options("ada").abilities["test.aim"]

    assert (option.refusal, list(option.targets)) == (None, [])
    assert codes(match, None) == []


# What the user knows of a cell.


@pytest.mark.parametrize(
    ("known", "count", "good", "bad"),
    [("any", 25, "E5", None), ("open", 23, "B1", "A1"), ("water", 1, "E5", "A1"), ("hit", 1, "A1", "E5")],
)
def test_a_cell_may_have_to_be_open_told_as_water_or_told_as_hit(known: str, count: int, good: str, bad: str | None):
    match = aimed(OneCell(known=known))
    for seat, cell in (("ada", "A1"), ("bo", "C3"), ("ada", "E5"), ("bo", "C4")):
        match.submit(Fire(seat, cell))
    option = match.options("ada").abilities["test.aim"]

    assert len(option.targets) == count
    assert good in list(option.targets)
    assert codes(match, good) == []
    assert bad is None or codes(match, bad) == ["bad_target"]


def test_a_shooting_ability_may_aim_at_each_cell_that_is_not_shot():
    match = aimed(OneCell(), shoots=True)
    match.submit(Fire("ada", "A1"))
    match.submit(Fire("bo", "C3"))

    targets = list(match.options("ada").abilities["test.aim"].targets)
    assert targets == [cell for cell in match.grid.names if cell != "A1"]
    assert codes(match, "A1") == ["nothing_to_shoot"]


def test_where_no_target_is_left_options_say_so():
    option = aimed(OneCell(known="hit")).options("ada").abilities["test.aim"]

    assert list(option.targets) == []
    assert option.refusal == Refusal("bad_target", {"ability": "test.aim"})


@pytest.mark.parametrize(
    ("known", "bad"), [("any", ""), ("open", "B5"), ("water", "A1 A2 A3 E1 E2 B5"), ("hit", "A1 A3 E1 E2 B5 C1")]
)
def test_an_own_cell_may_have_to_be_unshot_water_or_hit(known: str, bad: str):
    match = aimed(OneCell(side="own", known=known))
    for seat, cell in (("ada", "A5"), ("bo", "B5"), ("ada", "B5"), ("bo", "A2")):
        match.submit(Fire(seat, cell))
    targets = match.options("ada").abilities["test.aim"].targets

    refused = [cell for cell in match.grid.names if codes(match, cell) == ["bad_target"]]
    assert refused == [cell for cell in match.grid.names if cell not in targets]
    assert set(bad.split()) <= set(refused)
    assert codes(match, "A2") == ([] if known in {"any", "hit"} else ["bad_target"])


def test_a_ship_that_was_hit_is_damaged_until_it_sinks():
    match = aimed(OwnShip(damaged=True))
    whole = aimed(OwnShip(damaged=False, to=True))
    for each in (match, whole):
        each.submit(Fire("ada", "A5"))
        each.submit(Fire("bo", "E1"))

    assert list(match.options("ada").abilities["test.aim"].targets) == [{"ship": "destroyer"}]
    moves = whole.options("ada").abilities["test.aim"].targets
    assert {move["ship"] for move in moves} == {"cruiser"}
    assert {"ship": "cruiser", "to": "B1-B3"} in list(moves)
    assert all(codes(whole, move) == [] for move in moves)
    match.submit(Fire("ada", "B5"))
    match.submit(Fire("bo", "E2"))
    assert list(match.options("ada").abilities["test.aim"].targets) == []


# What an ability allows by itself.


class Picky(Aimed):
    """Allows the first row; refuses B1 with a reason and the rest without."""

    def allows(self, ctx, target):
        if target.spot.json == "B1":
            return Refusal("test.not_there", {"cell": "B1"})
        return target.spot.json.endswith("1")


class Lenient(Aimed):
    """Says nothing against any target."""

    def allows(self, ctx, target):
        return None


def test_an_ability_says_itself_which_targets_it_allows():
    match = aimed(OneCell(), Picky)

    assert codes(match, "A1") == []
    assert codes(match, "B1") == ["test.not_there"]
    assert codes(match, "A2") == ["bad_target"]
    assert list(match.options("ada").abilities["test.aim"].targets) == ["A1", "C1", "D1", "E1"]


def test_an_ability_that_says_nothing_allows_all():
    assert len(aimed(OneCell(), Lenient).options("ada").abilities["test.aim"].targets) == 25


def test_what_a_rule_forbids_is_no_option():
    match = aimed(OneCell(), rules=("test.keep_off",))

    assert codes(match, "b2") == ["test.reserved"]
    assert "B2" not in list(match.options("ada").abilities["test.aim"].targets)
    assert len(match.options("ada").abilities["test.aim"].targets) == 24


# Whose grid a target lies on, and who is told of it.


def test_a_target_on_the_other_grid_is_told_to_both():
    match = aimed(OneCell())
    match.submit(UseAbility("ada", "test.aim", "B2"))

    for seat in (*SEATS, None):
        [used] = [event for event in match.told(seat) if event["type"] == "ability_used"]
        assert used["target"] == "B2"


def test_a_target_on_the_own_grid_is_told_to_the_user_alone():
    match = aimed(OneCell(side="own"))
    match.submit(UseAbility("ada", "test.aim", "B2"))

    told = {
        seat: next(event["target"] for event in match.told(seat) if event["type"] == "ability_used")
        for seat in (*SEATS, None)
    }
    assert told == {"ada": "B2", "bo": None, None: None}


# Lists of targets as options show them.


def test_targets_are_a_list_of_fresh_data():
    targets = aimed(Line(3)).options("ada").abilities["test.aim"].targets

    assert targets[0] == {"at": "A1", "axis": "across"} == next(iter(targets))
    assert targets[-1] == {"at": "E5", "axis": "down"}
    assert targets[:2] == [{"at": "A1", "axis": "across"}, {"at": "A1", "axis": "down"}]
    with pytest.raises(IndexError):
        targets[50]
    targets[0]["at"] = "C3"
    assert targets[0] == {"at": "A1", "axis": "across"}
    assert repr(targets).startswith("Targets([{'at': 'A1', 'axis': 'across'}, ")


def test_targets_compare_by_what_they_hold():
    match = aimed(Line(3))

    assert match.options("ada") == match.options("ada")
    assert match.options("ada").abilities["test.aim"].targets != [{"at": "A1", "axis": "across"}]


def test_an_ability_that_declares_no_kind_of_target_is_a_problem_of_the_variant():
    with pytest.raises(VariantError):
        aimed(Target())
