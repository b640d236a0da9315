"""JSON forms of everything public that holds data, and the frozen values they are made of."""

import copy
import json
import pickle

import attrs
import pytest

from irontide import (
    CellSet,
    CommandError,
    Fire,
    Match,
    OneCell,
    PlaceFleet,
    Placement,
    Refusal,
    Registry,
    Resign,
    RuleUse,
    ShipClass,
    TimeOut,
    UseAbility,
    Variant,
    VariantError,
    command_from_json,
    fold_view,
    to_json,
    variant_from_json,
)
from irontide.codec import COMMAND_SCANNERS, EVENT_SCANNERS, encode, structure
from irontide.commands import COMMANDS as COMMAND_KINDS
from irontide.events import EVENTS, Event
from irontide.frozen import FrozenDict, freeze, is_text, maker, shown, thaw
from irontide.quick import scanner, writer

SEATS = ("ada", "bo")
ADA = {"carrier": "A1-A5", "battleship": "C1-C4", "cruiser": "E1-E3", "submarine": "G1-G3", "destroyer": "I1-I2"}
BO = {"carrier": "A10-E10", "battleship": "A8-D8", "cruiser": "A6-C6", "submarine": "A4-C4", "destroyer": "A2-B2"}


def begun() -> Match:
    match = Match.new("tactical", seats=SEATS, seed=7)
    match.submit(PlaceFleet("ada", ADA))
    match.submit(PlaceFleet("bo", BO))
    return match


def some_turns() -> Match:
    match = begun()
    match.submit(UseAbility("ada", "sonar", "A1"))
    for cell in ("A2", "A1", "B2", "J1"):
        match.submit(Fire(match.seat_to_move, cell))
    match.submit(UseAbility("ada", "flak"))
    return match


# Commands.

COMMANDS = [
    (Fire("ada", "B2"), {"type": "fire", "seat": "ada", "cells": ["B2"]}),
    (Fire("ada", ["B2", "C3"]), {"type": "fire", "seat": "ada", "cells": ["B2", "C3"]}),
    (PlaceFleet("ada", ADA), {"type": "place_fleet", "seat": "ada", "ships": ADA}),
    (
        PlaceFleet("ada", {"hook": Placement(("A1", "A2", "B2")), "d": ["C1", "C2"], "e": Placement(("E1", "E2"))}),
        {
            "type": "place_fleet",
            "seat": "ada",
            "ships": {"hook": ["A1", "A2", "B2"], "d": ["C1", "C2"], "e": "E1-E2"},
        },
    ),
    (UseAbility("ada", "flak"), {"type": "use_ability", "seat": "ada", "ability": "flak", "target": None}),
    (
        UseAbility("ada", "broadside", {"at": "B2", "axis": "down"}),
        {"type": "use_ability", "seat": "ada", "ability": "broadside", "target": {"at": "B2", "axis": "down"}},
    ),
    (Resign("ada"), {"type": "resign", "seat": "ada"}),
    (TimeOut("ada"), {"type": "time_out", "seat": "ada"}),
]


@pytest.mark.parametrize(("command", "form"), COMMANDS)
def test_a_command_has_its_json_form_and_is_read_from_it(command: object, form: dict[str, object]):
    assert to_json(command) == form
    assert command_from_json(json.loads(json.dumps(form))) == command


@pytest.mark.parametrize(
    ("make", "junk"),
    [
        (lambda junk: Fire(junk, "A1"), 7),
        (lambda junk: Fire("ada", junk), 1.5),
        (lambda junk: Fire("ada", junk), [object()]),
        (lambda junk: PlaceFleet("ada", junk), ["A1-A5"]),
        (lambda junk: PlaceFleet("ada", junk), {1: "A1-A5"}),
        (lambda junk: UseAbility("ada", junk), None),
        (lambda junk: UseAbility("ada", "sonar", junk), {"at": 1.5}),
        (Resign, None),
        (TimeOut, b"ada"),
    ],
)
def test_what_cannot_be_written_as_json_makes_no_command(make: object, junk: object):
    with pytest.raises(CommandError):
        make(junk)


# Events, commits, refusals.


def test_a_true_event_has_all_its_fields():
    match = some_turns()
    shot = next(event for commit in match.commits for event in commit.events if event.type == "shot_fired")

    assert to_json(shot) == {
        "type": "shot_fired",
        "by": "ada",
        "at": "A2",
        "told": "hit",
        "ship": None,
        "hit": True,
        "struck": "destroyer",
        "again": False,
        "free": False,
        "cause": None,
        "to": None,
    }


def test_a_commit_has_its_number_its_command_and_its_true_events():
    match = begun()
    commit = match.submit(Fire("ada", "B2"))

    form = to_json(commit)
    assert (form["commit"], form["command"]) == (3, {"type": "fire", "seat": "ada", "cells": ["B2"]})
    assert form["events"] == [to_json(event) for event in commit.events]
    assert json.loads(json.dumps(form)) == form
    for logged, event in zip(json.loads(match.lines(since=3)[0])["events"], form["events"], strict=True):
        assert logged.items() <= event.items()  # which leaves out what says nothing


def test_a_commit_without_a_command_says_so():
    assert to_json(begun()._opening) == {  # noqa: SLF001 - the only commit of that kind without a fault
        "commit": 0,
        "command": None,
        "events": [
            {
                "type": "match_created",
                "seats": ["ada", "bo"],
                "variant": "tactical",
                "first": "ada",
                "columns": 10,
                "rows": 10,
                "islands": [],
                "cause": None,
                "to": None,
            }
        ],
    }


def test_a_refusal_is_its_code_and_arguments():
    [refusal] = begun().refusals(Fire("bo", "B2"))

    assert to_json(refusal) == {"code": "not_your_turn", "args": {"seat": "bo", "seat_to_move": "ada"}}


# Options and views.


def test_options_have_a_json_form():
    match = begun()
    form = json.loads(json.dumps(to_json(match.options("ada"))))

    assert form["seat"] == "ada"
    assert form["fire"] == {"cells": list(match.grid.names), "count": 1, "may_pass": False}
    assert list(form["abilities"]) == list(match.options("ada").abilities)
    assert form["abilities"]["sonar"]["targets"] == list(match.grid.names)
    assert form["abilities"]["recon"] == {
        "price": 4,
        "targets": [],
        "refusal": {"code": "not_enough_points", "args": {"ability": "recon", "price": 4, "points": 2}},
        "left": None,
        "wait": 0,
    }


def test_targets_in_json_are_as_the_command_takes_them():
    match = some_turns()
    match.submit(Fire("ada", "J2"))
    for id_, option in to_json(match.options("bo"))["abilities"].items():
        for target in option["targets"][:5]:
            form = {"type": "use_ability", "seat": "bo", "ability": id_, "target": target}
            assert match.refusals(command_from_json(json.loads(json.dumps(form)))) == ()


def test_a_view_has_a_json_form():
    match = some_turns()
    form = json.loads(json.dumps(to_json(match.view("ada"))))

    assert {key: form[key] for key in ("variant", "seats", "placed", "seat_to_move", "outcome", "seat")} == {
        "variant": "tactical",
        "seats": ["ada", "bo"],
        "placed": ["ada", "bo"],
        "seat_to_move": "ada",
        "outcome": None,
        "seat": "ada",
    }
    assert form["own"]["shots"] == ["A1", "J1"]
    assert form["own"]["ships"]["carrier"] == {
        "class": "carrier",
        "cells": ["A1", "A2", "A3", "A4", "A5"],
        "hits": ["A1"],
        "afloat": True,
    }
    target = form["target"]
    assert (target["hit"], target["water"], target["sunk"]) == (["A2", "B2"], [], [])
    assert (target["shots"], len(target["unknown"]), target["ships"]) == (["A2", "B2"], 98, None)
    assert target["sunk_ships"] == ["destroyer"]
    assert target["scans"] == [
        {
            "type": "cells_scanned",
            "by": "ada",
            "ability": "sonar",
            "area": ["A1", "B1", "A2", "B2"],
            "tell": "count",
            "count": 2,
            "of": "unhit",
        }
    ]
    assert target["sunk_classes"] == ["destroyer"]
    assert (form["grid"], form["opponent"]) == ({"columns": 10, "rows": 10}, "bo")
    assert form["turns"] == dict(match.view("bo").turns) == {"ada": 3, "bo": 2}
    assert (form["points"], form["opponent_points"], form["shots_due"]) == (1, 3, 1)
    assert form["abilities"]["flak"] == {"class": "cruiser", "off": [], "uses": 1}
    assert form["opponent_abilities"]["sonar"] == {"class": "destroyer", "off": ["sunk"], "uses": 0}
    assert [mark["rule"] for mark in form["markers"]] == ["flak"]


def test_after_the_end_a_view_s_form_shows_outcome_and_both_fleets():
    match = some_turns()
    match.submit(Resign("bo"))
    form = to_json(match.view("ada"))

    assert form["outcome"] == {"winner": "ada", "reason": "resigned"}
    assert form["target"]["ships"]["destroyer"] == {
        "class": "destroyer",
        "cells": ["A2", "B2"],
        "hits": ["A2", "B2"],
        "afloat": False,
    }


def test_a_spectator_s_view_has_a_json_form_with_both_sides():
    match = some_turns()
    form = json.loads(json.dumps(to_json(match.view(None))))

    assert form["seat"] is None
    assert form["turns"] == {"ada": 3, "bo": 2}
    assert form["points"] == {"ada": 1, "bo": 3}
    assert form["sides"]["bo"]["hit"] == ["A2", "B2"]
    assert form["sides"]["ada"]["hit"] == ["A1"]
    assert "count" not in form["sides"]["bo"]["scans"][0]
    assert form["abilities"]["ada"]["flak"]["uses"] == 1


def test_each_form_is_fresh_data():
    match = some_turns()
    to_json(match.view("ada"))["target"]["hit"].append("J10")
    to_json(match.options("ada"))["fire"]["cells"].clear()

    assert to_json(match.view("ada"))["target"]["hit"] == ["A2", "B2"]
    assert len(to_json(match.options("ada"))["fire"]["cells"]) == 98


@pytest.mark.parametrize("thing", [None, "fire", 7, {"type": "fire"}, OneCell()])
def test_what_has_no_json_form_is_a_type_error(thing: object):
    with pytest.raises(TypeError, match="has no JSON form"):
        to_json(thing)


def variants():
    registry = Registry.default()
    tactical = registry.variant("tactical")
    house = tactical.but(id="house.a", drops=["core.no_repeat", "flak"], labels={"de": "Haus"})
    mirrored = ShipClass("raft", 2, mirror=True, labels={"en": "Raft"})
    return [
        *registry.variants.values(),
        house.but(id="house.b", abilities={"destroyer": None, "carrier": {"price": 1}}),
        tactical.but(id="house.c", abilities={"carrier": "nowhere.here"}, rules=[{"use": "nowhere.too", "n": [1, {}]}]),
        Variant("house.d", rules=(RuleUse("salvo"),), drops=("salvo",), fleet=(mirrored,), source="a book"),
    ]


@pytest.mark.parametrize("variant", variants(), ids=lambda variant: variant.id)
def test_a_variant_s_data_is_json_and_makes_the_variant_again(variant):
    sent = json.dumps(to_json(variant))

    assert to_json(variant) == variant.data()
    assert variant_from_json(json.loads(sent)) == variant
    assert json.dumps(to_json(variant_from_json(variant.data()))) == sent


def test_a_variant_whose_plugins_are_nowhere_is_read_and_folds_what_was_told(monkeypatch):
    match = begun()
    sent = json.dumps({"variant": to_json(match.variant), "told": match.told("ada")})
    monkeypatch.setattr("irontide.registry.shared", Registry)

    got = json.loads(sent)
    view = fold_view(variant_from_json(got["variant"]), "ada", got["told"])

    assert view == match.view("ada")
    assert list(view.abilities) == ["recon", "broadside", "flak", "torpedo", "sonar"]


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"grid": {"columns": 27, "rows": 5}}, "grid.columns"),
        ({"fleet": [{"class": "raft"}]}, "fleet[0]"),
        ({"rules": [5]}, "rules[0]"),
        ({"colour": 5}, "variant"),
        ({"limits": None}, "limits"),
    ],
)
def test_what_is_no_data_of_a_variant_is_a_variant_error(change, place):
    with pytest.raises(VariantError) as caught:
        variant_from_json({**begun().variant.data(), **change})
    assert [problem.place for problem in caught.value.problems] == [place]


def test_a_variant_s_data_is_whole():
    with pytest.raises(VariantError) as caught:
        variant_from_json({"id": "mine", "base": "classic", "fleet": []})
    missing = ["labels", "grid", "rules", "abilities", "drops", "instead_of", "limits"]
    assert [(problem.place, problem.code) for problem in caught.value.problems] == [
        (key, "bad_form") for key in missing
    ]
    with pytest.raises(VariantError, match="expected a table"):
        variant_from_json("classic")


# Frozen values.


def test_json_data_is_frozen_all_through_and_thawed_fresh():
    given = {"a": [1, {"b": None}], "c": True, "d": "x"}
    frozen = freeze(given)

    assert frozen == {"a": (1, {"b": None}), "c": True, "d": "x"}
    assert thaw(frozen) == given
    assert thaw(frozen) is not given
    assert hash(frozen) == hash(freeze(copy.deepcopy(given)))


@pytest.mark.parametrize(
    "change",
    [
        lambda frozen: frozen.__setitem__("a", 2),
        lambda frozen: frozen.__delitem__("a"),
        lambda frozen: frozen.update(b=2),
        lambda frozen: frozen.setdefault("b", 2),
        lambda frozen: frozen.pop("a"),
        lambda frozen: frozen.popitem(),
        lambda frozen: frozen.clear(),
        lambda frozen: frozen.__ior__({"b": 2}),
    ],
)
def test_a_frozen_mapping_cannot_be_changed(change: object):
    frozen = FrozenDict(a=1)

    with pytest.raises(TypeError, match="cannot be changed"):
        change(frozen)
    assert frozen == {"a": 1}


def test_a_frozen_mapping_is_its_own_copy_and_can_be_pickled():
    frozen = FrozenDict(a=(1, FrozenDict(b=2)))

    assert copy.copy(frozen) is frozen
    assert copy.deepcopy(frozen) is frozen
    again = pickle.loads(pickle.dumps(frozen))  # noqa: S301 - pickled here
    assert again == frozen
    assert type(again) is FrozenDict


@pytest.mark.parametrize("junk", [1.0, {1: 2}, {"a": {3}}, b"x", object(), "\ud800", {"\ud800": 1}])
def test_what_is_no_json_data_without_floats_is_a_type_error(junk: object):
    with pytest.raises(TypeError):
        freeze(junk)


def test_data_is_not_nested_without_end():
    deep: list[object] = []
    deep.append(deep)

    with pytest.raises(TypeError):
        freeze(deep)


def test_a_text_is_one_that_can_be_written():
    assert is_text("Zerstörer")
    assert is_text("\U0001f6a2")
    assert not is_text("\ud83d")
    assert not is_text(None)


class Unshowable:
    """What cannot say what it is."""

    def __repr__(self) -> str:
        raise ValueError


def test_anything_can_be_shown_and_of_a_long_text_its_beginning():
    assert shown("x") == "'x'"
    assert shown("x" * 500, 10) == "'xxxxxxxxx..."
    assert shown(Unshowable()) == "<Unshowable>"


def test_a_refusal_can_be_written_whatever_was_given():
    refusal = Refusal("unknown_cell", {"cell": "\ud800"})

    assert refusal.args == {"cell": "\\ud800"}
    json.dumps(to_json(refusal)).encode()


@pytest.mark.parametrize("junk", [5, None, ["cell"], "cell"])
def test_arguments_of_a_refusal_are_a_mapping(junk: object):
    with pytest.raises(TypeError, match="a mapping"):
        Refusal("test.no", junk)


# Texts of records in logs, scanned quickly, or not known and then read as JSON.

JUNK = [
    *(None, True, False, 0, 1, -1, 10**30, 1.5, "", "x", "B2", '"', "\\", "\n", "\x7f", "ü", "\ud800"),
    *([], ["B2"], ["B2", "C3"], ["\ud800"], ["\\"], [1], {}, {"cruiser": ["B2"]}, {"a": 1.5}, {"type": "fire"}),
]
KINDS = {kind.type: kind for kind in (*EVENTS, *COMMAND_KINDS)}
SCANNERS = {**EVENT_SCANNERS, **COMMAND_SCANNERS}


def logged() -> list[dict[str, object]]:
    """Return the data of each event and command of a log."""
    lines = [json.loads(line) for line in some_turns().lines(since=1)]
    return [data for line in lines for data in (line["command"], *line["events"])]


def scanned(text: str) -> object:
    """Return what a scanner makes of a record's text, where it is not exactly what is read of it as JSON."""
    found = SCANNERS[json.loads(text)["type"]](text.removeprefix('{"type":').removesuffix("}"))
    given = json.loads(text)
    kind = KINDS[given.pop("type")]
    assert found is None or repr(found) == repr(structure(kind, given, "data"))
    return found


@pytest.mark.parametrize("data", logged(), ids=lambda data: data["type"])
def test_what_is_scanned_is_what_is_read_as_json(data: dict[str, object]):
    fields = [field.name.rstrip("_") for field in attrs.fields(KINDS[data["type"]])]

    scanned(encode(data))
    for name in [*fields, "more"]:
        for junk in JUNK:
            for ascii_only in (True, False):
                scanned(json.dumps({**data, name: junk}, separators=(",", ":"), ensure_ascii=ascii_only))
        scanned(encode({key: value for key, value in data.items() if key != name}))
    assert scanned(json.dumps(data)) is None


def test_what_every_shot_writes_is_scanned():
    plain = {"fire", "shot_fired", "turn_started", "turn_ended", "points_gained", "points_spent", "cells_scanned"}

    texts = [encode(data) for data in logged() if data["type"] in plain]

    assert {json.loads(text)["type"] for text in texts} == plain
    assert all(scanned(text) is not None for text in texts)


def test_a_record_with_a_field_of_no_known_form_is_not_scanned():
    @attrs.frozen
    class Odd:
        type = "odd"
        cells: CellSet

    assert scanner(Odd, Odd, omit=True)('"odd","cells":3') is None


def test_a_record_of_a_later_version_is_written_and_scanned_with_it():
    @attrs.frozen
    class Later(Event):
        type = "later"
        version = 3
        amount: int = 0

    write, scan = writer(Later, encode, omit=True), scanner(Later, maker(Later), omit=True)

    assert write(Later(2, cause=1)) == '{"type":"later","cause":1,"amount":2,"v":3}'
    assert scan('"later","cause":1,"amount":2,"v":3') == Later(2, cause=1)
    assert scan('"later","cause":1,"amount":2') is None
