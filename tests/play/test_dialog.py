"""The dialogs of placing and of turns: confirming, going back, passing, markers, ships by the variant's names."""

import re

import pytest
from typer.testing import CliRunner

import irontide
from irontide import Match, ability
from irontide.testing import Bundle
from irontide_play.board import Mark, island_marks
from irontide_play.cli import app
from irontide_play.entries import Reader, may_pass
from irontide_play.labels import say
from irontide_play.news import condensed, fitted, sentence
from irontide_play.panel import abilities as abilities_lines

RUN = CliRunner()
HAND = ["A1-A5", "C1-C4", "E1-E3", "G1-G3", "I1-I2"]


def play(*args, lines=()):
    text = "".join(f"{line}\n" for line in lines)
    result = RUN.invoke(app, ["play", *map(str, args)], input=text, prog_name="irontide")
    assert result.exit_code == 0, result.output
    return result.stdout


def test_enter_half_way_keeps_what_was_placed():
    shown = play("classic", lines=["place", *HAND[:2], "", *HAND[2:], "start"])
    assert shown.count("Cruiser, 3 cells>") == 2
    assert "Classic · Admiral to move" in shown


def test_after_the_last_ship_it_is_shown_and_can_be_taken_back(tmp_path):
    path = tmp_path / "m.jsonl"
    shown = play("classic", "--save", path, lines=["place", *HAND, "back", "J9-J10", "A7-A8", "", "quit"])
    assert shown.count("All ships are placed.") == 2
    assert shown.count("All ships are placed already: back takes the last one back.") == 1
    assert Match.load(path).view("Admiral").own.ships["destroyer"].cells == Match.load(path).grid.cells("J9", "J10")


def test_back_in_a_random_fleet_begins_by_hand_and_place_keeps_what_was_placed():
    shown = play("classic", lines=["back", "A1-A5", "place", "quit"])
    assert shown.count("Carrier, 5 cells> ") == 1
    assert shown.count("Battleship, 4 cells> ") == 2


def test_what_is_no_move_does_not_begin_the_battle(tmp_path):
    path = tmp_path / "m.jsonl"
    shown = play("classic", lines=["agian", "bananas", "log", f"save {path}", "quit"])
    assert "did you mean again?" in shown
    assert "bananas means nothing here" in shown
    assert "Place your fleet first; log is for the battle." in shown
    assert Match.load(path).seat_to_move is None


def test_a_move_of_one_of_two_people_waits_for_both_fleets():
    shown = play("classic", "--opponent", "human", lines=["help", "A1"])
    assert "is your first one" not in shown
    assert "The battle begins when both fleets stand" in shown


def test_an_empty_line_shows_the_board_again_and_help_one_ability():
    shown = play("tactical", "--seed", 1, lines=["", "help sonar", ""])
    assert "sonar C3 - Sonar (" in shown
    assert "torpedo A5 right - " not in shown
    assert shown.count("Tactical · Admiral to move") == 2


def test_the_symbols_are_not_parted_from_their_meanings():
    for lang in ("en", "de"):
        shown = play("tactical", "--lang", lang, lines=["", "help"])
        assert re.search(r"\[ \] \w+ \w+\n", shown)
        assert re.search(r"~ \w+ \w+", shown)
        assert "\N{NO-BREAK SPACE}" not in shown


def test_passing_where_it_is_allowed(tmp_path):
    path, log = tmp_path / "calm.toml", tmp_path / "m.jsonl"
    path.write_text('id = "calm"\nbase = "classic"\ndrops = ["core.must_shoot"]\n', "utf-8")
    shown = play(path, "--save", log, lines=["", "help", "pass", "quit"])
    assert "pass - end the turn without a shot" in shown
    assert [commit.command for commit in Match.load(log).commits][2] == irontide.Fire("Admiral", ())
    assert "passen - den Zug" in play(path, "--lang", "de", lines=["", "hilfe", "passen"])


def test_ships_are_called_what_the_variant_calls_them(tmp_path):
    path = tmp_path / "duel.toml"
    path.write_text(
        'id = "duel"\nbase = "classic"\n[grid]\ncolumns = 2\nrows = 1\n'
        '[[fleet]]\nclass = "destroyer"\nlength = 1\nlabels = { en = "Rowing Boat" }\n',
        "utf-8",
    )
    shown = play(path, "--opponent", "random", "--seed", 1, lines=["place", "A1", "", "A1", "B1"])
    assert "Rowing Boat, 1 cell> " in shown
    assert re.search(r"Rowing Boat (is )?sunk", shown) or "Rowing Boat is" in shown


def test_a_target_is_told_in_the_words_it_is_typed_in():
    match = Match.new("tactical", seats=("a", "b"), seed=1)
    used = {"type": "ability_used", "seat": "a", "ability": "torpedo"}
    for target, said in (
        ({"from": "A5", "direction": "right"}, "A5 rechts"),
        ({"at": "B2", "axis": "across"}, "B2 quer"),
        ({"ship": "cruiser"}, "Kreuzer"),
        ({"ability": "flak"}, "Flugabwehr"),
        ("C3", "C3"),
    ):
        assert said in sentence({**used, "target": target}, "de", match.variant)


def shot(at, told, by="a"):
    return {"type": "shot_fired", "by": by, "at": at, "told": told, "ship": None}


def test_shots_in_a_row_are_told_as_one():
    told = [
        shot("A1", "water"),
        {"type": "turn_ended", "seat": "a"},
        shot("A2", "water"),
        shot("A3", "hit"),
        shot("A4", "hit", "b"),
    ]
    assert [event["at"] for event in condensed(told)] == [["A1", "A2"], ["A3"], ["A4"]]


def test_where_there_is_no_room_the_oldest_sentences_are_left_out_as_a_whole():
    sentences = [f"Sentence number {number} is this one." for number in range(9)]
    assert fitted(sentences, 80, 9) == sentences
    packed = fitted(sentences, 80, 2)
    assert len(packed) == 2
    assert packed[0].startswith("… Sentence number")
    assert packed[-1].endswith("number 8 is this one.")


@ability("acme.mine", price=0, target=irontide.OneCell())
class Mine(irontide.Ability):
    """Lays a mine."""

    def use(self, ctx, cell):
        yield irontide.Mark(on=cell.cells)


class Mines:
    @irontide.hookimpl
    def irontide_register(self, registry):
        registry.ability(Mine)
        registry.variant(
            irontide.Registry.default().variant("classic").but(id="mines", abilities={"cruiser": "acme.mine"})
        )


def test_own_markers_are_drawn(monkeypatch):
    registry = irontide.Registry.default()
    registry.register(Mines(), "acme")
    monkeypatch.setattr("irontide_play.host.Registry.default", lambda: registry)
    shown = play("mines", "--seed", 1, lines=["", "mine J10", ""])
    assert Mark.MARKED.symbol(plain=False) in shown


def test_islands_are_drawn_and_a_rule_may_let_a_turn_pass():
    registry = irontide.Registry.default()
    rules = [{"use": "islands", "cells": ["B2"]}, "points.unused_shot"]
    variant = registry.variant("classic").but(id="isle", rules=rules)
    match = irontide.Match.new(variant, seats=("ada", "bo"), seed=1)

    assert island_marks(match.view("ada")) == {match.grid.cell("B2"): Mark.ISLAND}
    assert may_pass(variant, registry)
    assert not may_pass(registry.variant("classic"), registry)


@ability("acme.echo", price=0)
class Echo(irontide.Ability):
    """Tells of its own accord."""


class Echoes:
    @irontide.hookimpl
    def irontide_register(self, registry):
        registry.ability(Echo)
        registry.messages("en", {"ability.acme.echo.name": "Echo"})
        registry.variant(
            irontide.Registry.default().variant("classic").but(id="echoes", abilities={"cruiser": "acme.echo"})
        )


def test_an_ability_that_works_by_itself_says_so_until_it_is_lost(monkeypatch):
    registry = irontide.Registry.default()
    registry.register(Echoes(), "acme")
    monkeypatch.setattr("irontide_play.host.Registry.default", lambda: registry)
    hand = ["place", *HAND, ""]
    shots = ["J1", "E1", "J2", "E2", "J3", "E3"]  # the cruiser of the first is sunk
    shown = play("echoes", "--opponent", "human", "--seed", 1, lines=[*hand, *hand, "echo", "help", *shots])
    assert re.search(r"\n  echo +works by itself\n", shown)
    assert "> echo\nEcho works by itself; it is not used.\n" in shown
    assert "The plugin's name before an ability may be left out: echo is acme.echo." in shown
    assert re.search(r"\n- echo +0 lost\n", shown)


@pytest.mark.parametrize(
    ("lang", "line", "axis"),
    [
        ("de", "breitseite C3 quer", "across"),
        ("de", "Breitseite C3 Waagerecht", "across"),
        ("de", "broadside C3 senkrecht", "down"),
        ("de", "broadside längs C3", "down"),
        ("en", "broadside C3 vertical", "down"),
        ("de", "broadside C3 across", "across"),
    ],
)
def test_each_word_for_an_axis_that_is_shown_can_be_typed(lang, line, axis):
    match = irontide.Match.new("tactical", seats=("ada", "bo"), seed=1)
    targets = {use.use: irontide.Registry.default().ability(use.use).target for use in match.variant.abilities.values()}
    entry = Reader(targets, lang).read(line, match.view("ada"))
    assert entry == irontide.UseAbility("ada", "broadside", {"at": "C3", "axis": axis})


@pytest.mark.parametrize("lang", ["en", "de"])
def test_the_words_for_axes_in_the_explanations_can_be_typed(lang):
    spoken = {plain: set(say(lang, f"word.{plain}").split()) for plain in ("across", "down")}
    for key in ("target.line", "target.pattern.true"):
        said = set(re.findall(r"\w+", irontide.message(lang, key)))
        assert all(said & words for words in spoken.values()), key


def test_an_ability_may_have_a_name_of_several_words():
    match = irontide.Match.new("tactical", seats=("ada", "bo"), seed=1)
    reader = Reader({"recon": irontide.Area(3, 3), "sonar": irontide.Area(3, 3)}, "en")
    said = reader.read("air reconnaissance C3", match.view("ada"))
    assert said == irontide.UseAbility("ada", "recon", "C3")


def test_abilities_beside_each_other_have_a_gap(monkeypatch):
    """The longest texts stood against the next ability."""
    registry = irontide.Registry.default()
    registry.register(Echoes(), "acme")
    monkeypatch.setattr("irontide_play.host.Registry.default", lambda: registry)
    abilities = {"carrier": "acme.echo", "cruiser": "sonar"}
    variant = registry.variant("classic").but(id="gap", abilities=abilities)
    match = Match.new(variant, seats=("ada", "bo"), seed=1, registry=registry)
    for seat in match.seats:
        match.submit(irontide.PlaceFleet(seat, match.random_placement(seat)))
    reader = Reader({id_: registry.ability(id_).target for id_ in abilities.values()}, "en")
    for columns, rows in ((80, 2), (30, 3)):
        lines = abilities_lines(match.view("ada"), match.options("ada"), reader, columns)
        said = ["".join(piece.text for piece in line) for line in lines]
        assert len(said) == rows
        assert all("works by itself  - sonar" in line for line in said[1:] if "- sonar" in line and "echo" in line)


def test_after_an_ability_it_is_said_that_a_shot_is_due():
    shown = play("tactical", "--seed", 3, lines=["", "sonar C3", "", "A1"])
    after = shown.partition("> sonar C3\n")[2]
    assert after.count("\nNow fire: name a cell.\n") == 2  # Enter shows it again
    assert "Now fire" not in after.partition("> A1\n")[2]
    shown = play("tactical-salvo", "--seed", 3, "--lang", "de", lines=["", "sonar C3"])
    assert "\nJetzt 5 Schüsse abgeben.\n" in shown


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (
            "torpedo C3 right",
            "the purse holds 2. C3 right is not a target for this. It is typed like this: torpedo A5 right",
        ),
        ("recon Z9", "the purse holds 2. Z9 is no cell of this grid. It is typed like this: recon C3"),
        ("recon", "the purse holds 2.\n"),
        ("torpedo A5 right", "the purse holds 2.\n"),
    ],
)
def test_what_no_points_would_mend_is_told_beside_the_price(line, says):
    assert says in " ".join(play("tactical", "--seed", 3, lines=["", line]).split(" ")).replace("\n  ", " ")


@pytest.mark.parametrize(
    ("variant", "lang", "line", "says"),
    [
        ("tactical", "en", "sonar C3", "Place your fleet first; sonar is for the battle."),
        ("classic", "de", "verlauf", "Erst die Flotte aufstellen; verlauf ist für das Gefecht."),
        ("classic", "en", "resign", "Place your fleet first; resign is for the battle."),
        ("classic", "en", "pass", "Place your fleet first; pass is for the battle."),
        ("classic", "en", "bananas", "bananas is no cell of this grid."),
        ("classic", "en", "save .", ". cannot be written"),
    ],
)
def test_words_for_the_battle_have_their_answer_while_ships_are_placed(variant, lang, line, says):
    assert says in play(variant, "--lang", lang, lines=["place", "A1-A5", line])
    assert says in play(variant, "--lang", lang, lines=["place", line])


def test_log_has_its_answer_beside_a_random_fleet():
    assert "Place your fleet first; log is for the battle." in play("classic", lines=["log"])


def test_who_leaves_while_placing_by_hand_is_told_what_is_lost():
    lost = "The ships placed by hand are not saved: a fleet is kept once all of it is\n  placed.\n"
    assert lost in play("classic", lines=["place", "A1-A5", "quit"])
    assert lost not in play("classic", lines=["place", "quit"])
    assert lost not in play("classic", lines=["quit"])


@ability("acme.rocket", price=0, charges=3, cooldown=1)
class Rocket(irontide.Ability):
    """Flies."""

    def use(self, ctx, target):
        yield []


def test_uses_left_and_turns_of_rest_are_shown(monkeypatch):
    registry = irontide.Registry.default()
    variant = registry.variant("classic").but(id="rockets", abilities={"cruiser": "acme.rocket"})
    registry.register(Bundle([Rocket], variants=[variant]), "acme")
    monkeypatch.setattr("irontide_play.host.Registry.default", lambda: registry)
    shown = play("rockets", "--seed", 1, lines=["", "rocket", "A1", "", "A2", ""])
    assert re.findall(r"[+-] rocket +0 ?(.*)\n", shown) == [
        "3 left", "next turn", "next turn", "next turn", "2 left", "2 left"
    ]  # fmt: skip
