"""Whatever is told in words has its words, in English and in German, with the same arguments."""

import ast
import contextlib
import functools
import random
import re
import string
from pathlib import Path

import attrs
import pytest

import irontide
from irontide import (
    Ability,
    EndMatch,
    Fire,
    Match,
    Note,
    OneCell,
    PlaceFleet,
    Refused,
    Resign,
    ShipClass,
    TimeOut,
    UseAbility,
    ability,
    hookimpl,
    reacts,
    rule,
)
from irontide.events import EVENTS
from irontide.testing import Bundle

LANGUAGES = ("en", "de")
PACKAGES = ("irontide.messages", "irontide_abilities", "irontide_variants", "irontide_play")
TEXTS = {package: {lang: irontide.read_texts(package, lang) for lang in LANGUAGES} for package in PACKAGES}
CORE = TEXTS["irontide.messages"]
SEATS = ("ada", "bo")
FLEET = {"carrier": "A1-A5", "battleship": "C1-C4", "cruiser": "E1-E3", "submarine": "G1-G3", "destroyer": "I1-I2"}
EVENT_TYPES = [event.type for event in EVENTS if event.type != "noted"]  # a note brings its own text

CODES = {
    "unknown_seat", "unknown_cell", "unknown_ship", "unknown_ability", "not_placed_yet", "fleet_fixed", "wrong_fleet",
    "wrong_shape", "overlap", "touching", "ship_stays", "already_answered",
    "not_your_turn", "already_shot", "wrong_shot_count", "duplicate_cell",
    "ability_disabled", "ability_limit", "not_enough_points", "bad_target", "nothing_to_shoot", "match_over", "stale",
    "not_allowed", "plugin_error",
}  # fmt: skip
SPECIAL = {
    "ability_limit.cooldown.one", "bad_target.any", "bad_target.none", "unknown_cell.island", "wrong_shape.none",
    "not_allowed.time_out", "not_allowed.use_ability",
}  # fmt: skip
LIMITS = ("one_ability", "per_turn", "per_match", "cooldown", "standing")


def arguments(template):
    return {name for _, name, _, _ in string.Formatter().parse(template) if name is not None}


def in_both_languages(key):
    """Return whether one of the packages has a text for the key in each language."""
    return all(any(texts[lang].get(key) for texts in TEXTS.values()) for lang in LANGUAGES)


# The texts themselves.


@pytest.mark.parametrize("package", PACKAGES)
def test_both_languages_have_the_same_keys_with_the_same_arguments(package):
    english, german = (TEXTS[package][lang] for lang in LANGUAGES)
    assert english.keys() == german.keys()
    assert {key: arguments(english[key]) for key in english} == {key: arguments(german[key]) for key in german}
    assert [key for key in english if bool(english[key].strip()) != bool(german[key].strip())] == []


@pytest.mark.parametrize("package", PACKAGES)
def test_a_singular_form_has_its_text_for_more_with_a_number_or_a_list_in_it(package):
    for texts in TEXTS[package].values():
        for key in (key for key in texts if key.endswith(".one") and not key.startswith("play.seat.")):
            plural = texts[key.removesuffix(".one")]
            assert arguments(plural)
            assert arguments(texts[key]) <= arguments(plural)


@pytest.mark.parametrize(
    ("key", "args", "said"),
    [
        ("event.turn_started", {"seat": "ada", "shots": 1}, "It is ada's turn."),
        ("event.turn_started", {"seat": "ada", "shots": 3}, "It is ada's turn, with 3 shots."),
        ("event.points_gained", {"seat": "ada", "amount": 2, "reason": "x", "total": 1}, "ada gains 2 points (x) and"),
        ("event.reported", {"by": "ada", "cells": ["A1"], "hits": 1}, "ada's shot at A1: hit."),
        ("event.reported", {"by": "ada", "cells": ["A1", "A2"], "hits": 1}, "ada's shots at A1, A2: 1 hit."),
        ("rule.salvo.text", {"per": True}, "A turn has True shots."),
        ("rule.salvo.text", {}, "A turn has {per} shots."),
        ("terms.per_turn", {"n": 1}, "At most once a turn."),
    ],
)
def test_the_singular_form_is_taken_where_the_first_number_is_one(key, args, said):
    assert irontide.message("en", key, **args).startswith(said)


def test_an_end_without_a_winner_names_none():
    told = {"type": "match_ended", "winner": None, "reason": "timed_out"}
    assert irontide.text(told) == "A draw (out of time)."


def test_a_language_without_a_singular_form_does_without():
    irontide.messages.catalogue().add("xx", {"test.count": "{n} x"})
    irontide.messages.catalogue().add("en", {"test.count": "{n} things", "test.count.one": "a thing"})
    assert [irontide.message(lang, "test.count", n=1) for lang in ("xx", "en")] == ["1 x", "a thing"]


# Refusals.


def refusals_in_the_source():
    """Yield code and arguments of each refusal that the core makes with a literal code."""
    for path in sorted(Path(irontide.__file__).parent.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if (
                isinstance(node, ast.Call)
                and ast.unparse(node.func) in ("Refusal", "refusal")
                and isinstance(node.args[0], ast.Constant)
            ):
                given = node.args[1] if len(node.args) > 1 else ast.Dict([], [])
                named = {keyword.arg for keyword in node.keywords}
                yield node.args[0].value, {ast.literal_eval(key) for key in given.keys} | named  # type: ignore[attr-defined]


def test_the_source_gives_no_code_that_is_not_in_the_list():
    found = {code for code, _ in refusals_in_the_source()}
    assert found <= CODES
    assert CODES - found <= {"unknown_cell", "wrong_shape"}  # also made with a code that was read


def test_each_code_of_the_core_has_its_text_and_no_other_has():
    keys = {key.split(".", 1)[1] for key in CORE["en"] if key.startswith("refusal.")}
    assert keys == CODES | {f"ability_limit.{limit}" for limit in LIMITS} | SPECIAL


def test_texts_use_only_arguments_that_every_such_refusal_has():
    checked = list(refusals_in_the_source())
    assert len(checked) >= len(CODES) - 2
    for code, given in checked:
        assert arguments(CORE["en"][f"refusal.{code}"]) <= given, code


@ability("test.dud", price=0)
class Dud(Ability):
    """Goes wrong."""

    def use(self, ctx, target):
        raise RuntimeError
        yield


@ability("test.rest", price=0, per_turn=1, cooldown=2)
class Rest(Ability):
    """May be used once a turn and not in the two turns after."""

    def use(self, ctx, target):
        yield Note("test.rested")


@ability("test.once", price=0, per_match=1)
class Once(Ability):
    """May be used once."""

    def use(self, ctx, target):
        yield Note("test.rested")


@ability("test.idle", price=0)
class Idle(Ability):
    """Works by itself."""


@ability("test.finish", target=OneCell(known="hit"))
class Finish(Ability):
    """Has no target before something was hit."""

    def use(self, ctx, target):
        yield Note("test.rested")


@rule("test.ending")
class Ending(irontide.Rule):
    """Ends the match for a reason of the core that no built-in rule has."""

    reason: str
    winner: str = ""

    @reacts(irontide.TurnEnded)
    def end(self, ctx, event):
        yield EndMatch(self.winner or None, self.reason)


class Tests:
    @hookimpl
    def irontide_register(self, registry):
        for one in (Dud, Rest, Once, Idle, Finish):
            registry.ability(one)
        registry.rule(Ending)


REGISTRY = irontide.Registry.default()
REGISTRY.register(Tests(), "test", "1")
TACTICAL = REGISTRY.variant("tactical")
FREE = TACTICAL.but(
    id="test.free",
    drops=["core.one_ability"],
    abilities={
        "carrier": "test.rest",
        "battleship": "test.dud",
        "cruiser": "test.once",
        "submarine": "test.finish",
        "destroyer": "test.idle",
    },
)

ISLE = TACTICAL.but(id="test.isle", rules=[{"use": "islands", "cells": ["J10"]}])
LOOSE = TACTICAL.but(id="test.loose", drops=["core.fleet_fixed"])
ROUNDS = [Fire(seat, cell) for cell in ("A1", "A2") for seat in SEATS]
MOVED = PlaceFleet("ada", {**FLEET, "destroyer": "J9-J10"})


def placed(variant=TACTICAL):
    match = Match.new(variant, seats=SEATS, seed=1, registry=REGISTRY)
    for seat in SEATS:
        match.submit(PlaceFleet(seat, FLEET))
    return match


def refused(match, command, **expect):
    with pytest.raises(Refused) as caught:
        match.submit(command, **expect)
    return caught.value.refusals


def placing(**ships):
    match = Match.new(REGISTRY.variant("classic"), seats=SEATS, seed=1)
    return refused(match, PlaceFleet("ada", {**FLEET, **ships}))


def after(commands, command, variant=TACTICAL):
    match = placed(variant)
    for each in commands:
        match.submit(each)
    return refused(match, command)


def touching():
    variant = REGISTRY.variant("classic").but(id="test.apart", rules=["no_touching"])
    return refused(Match.new(variant, seats=SEATS, seed=1), PlaceFleet("ada", {**FLEET, "carrier": "B1-B5"}))


def sunk_sonar():
    return after([Fire("ada", "I1"), Fire("bo", "J10"), Fire("ada", "I2")], UseAbility("bo", "sonar", "C3"))


def all_shot():
    shots = [Fire("ada", "A9"), Fire("bo", "A9"), Fire("ada", "A10"), Fire("bo", "A8")]
    found = after(shots, UseAbility("ada", "broadside", {"at": "A10", "axis": "down"}))
    return [refusal for refusal in found if refusal.code == "nothing_to_shoot"]  # it cannot be paid either


GIVEN = {
    "unknown_seat": lambda: refused(placed(), Fire("eve", "A1")),
    "unknown_cell": lambda: refused(placed(), Fire("ada", "Z9")),
    "unknown_cell.island": lambda: refused(placed(ISLE), Fire("ada", "J10")),
    "unknown_ship": lambda: placing(raft="A9"),
    "unknown_ability": lambda: refused(placed(), UseAbility("ada", "magic")),
    "not_placed_yet": lambda: refused(Match.new("classic", seats=SEATS), Fire("ada", "A1")),
    "fleet_fixed": lambda: refused(placed(), PlaceFleet("ada", FLEET)),
    "wrong_fleet": lambda: refused(Match.new("classic", seats=SEATS), PlaceFleet("ada", {"carrier": "A1-A5"})),
    "wrong_shape": lambda: placing(carrier=["A1", "B2"]),
    "wrong_shape.none": lambda: placing(carrier=[]),
    "overlap": lambda: placing(carrier="C4-G4"),
    "touching": touching,
    "ship_stays": lambda: after([Fire("ada", "J10"), Fire("bo", "I1")], MOVED, LOOSE),
    "already_answered": lambda: after([Fire("ada", "J10"), Fire("bo", "J10")], MOVED, LOOSE),
    "not_your_turn": lambda: refused(placed(), Fire("bo", "A1")),
    "already_shot": lambda: after([Fire("ada", "A1"), Fire("bo", "A1")], Fire("ada", "A1")),
    "wrong_shot_count": lambda: refused(placed(), Fire("ada", ["A1", "A2"])),
    "duplicate_cell": lambda: refused(placed(REGISTRY.variant("salvo")), Fire("ada", ["A1"] * 5)),
    "ability_disabled": sunk_sonar,
    "not_enough_points": lambda: refused(placed(), UseAbility("ada", "recon", "C3")),
    "bad_target": lambda: refused(placed(), UseAbility("ada", "sonar", {"at": "C3"})),
    "bad_target.none": lambda: refused(placed(), UseAbility("ada", "sonar")),
    "bad_target.any": lambda: [placed(FREE).options("ada").abilities["test.finish"].refusal],
    "nothing_to_shoot": all_shot,
    "match_over": lambda: after([Resign("ada")], Fire("bo", "A1")),
    "stale": lambda: refused(placed(), Fire("ada", "A1"), expect=1),
    "not_allowed": lambda: [irontide.Refusal("not_allowed", {"command": "fire"})],  # a rule may say so
    "not_allowed.time_out": lambda: refused(placed(), TimeOut("ada")),
    "not_allowed.use_ability": lambda: refused(placed(FREE), UseAbility("ada", "test.idle")),
    "plugin_error": lambda: refused(placed(FREE), UseAbility("ada", "test.dud")),
    "ability_limit.one_ability": lambda: after([UseAbility("ada", "sonar", "C3")], UseAbility("ada", "flak")),
    "ability_limit.per_turn": lambda: after([UseAbility("ada", "test.rest")], UseAbility("ada", "test.rest"), FREE),
    "ability_limit.per_match": lambda: after([UseAbility("ada", "test.once")], UseAbility("ada", "test.once"), FREE),
    "ability_limit.cooldown": lambda: after(
        [UseAbility("ada", "test.rest"), *ROUNDS[:2]], UseAbility("ada", "test.rest"), FREE
    ),
    "ability_limit.cooldown.one": lambda: after(
        [UseAbility("ada", "test.rest"), *ROUNDS], UseAbility("ada", "test.rest"), FREE
    ),
    "ability_limit.standing": lambda: after(
        [UseAbility("ada", "flak"), Fire("ada", "A1"), Fire("bo", "A1")], UseAbility("ada", "flak")
    ),
}


def test_every_code_is_given_below():
    assert GIVEN.keys() == (CODES - {"ability_limit"}) | {f"ability_limit.{limit}" for limit in LIMITS} | SPECIAL


@pytest.mark.parametrize("key", GIVEN)
def test_a_refusal_as_it_is_given_becomes_a_sentence(key):
    refusal = GIVEN[key]()[0]
    code, _, form = key.partition(".")
    assert refusal.code == code
    assert refusal.args.get("limit", form if key in SPECIAL else "") == form.removesuffix(".one")
    sentences = [refusal.text(lang) for lang in LANGUAGES]
    for lang, sentence in zip(LANGUAGES, sentences, strict=True):
        assert fits(CORE[lang][f"refusal.{key}"], sentence)
        assert not re.search(r"[{}]|None|FrozenDict", sentence)
    assert sentences[0] != sentences[1]


def test_ships_and_abilities_in_a_refusal_are_called_as_players_call_them():
    labels = {"en": "Liner", "de": "Ozeandampfer"}
    fleet = [ShipClass("liner", 4, labels=labels), ShipClass("boat", 2, count=2, labels={"de": "Ruderboot"})]
    variant = REGISTRY.variant("classic").but(id="test.liners", fleet=fleet, abilities={"liner": "recon"})
    match = Match.new(variant, seats=SEATS, seed=1, registry=REGISTRY)

    refusals = match.refusals(PlaceFleet("ada", {"liner": "A1-A4", "boat": "A4-A5", "raft": "C1"}))

    assert [refusal.text("de", variant) for refusal in refusals] == [
        "Ein Schiff raft gehört nicht zur Flotte; ihre Schiffe sind Ozeandampfer, Ruderboot, Ruderboot 2.",
        "Die Flotte ist nicht vollständig; es fehlt: Ruderboot 2.",
        "Ozeandampfer und Ruderboot liegen auf demselben Feld.",
    ]
    assert [refusal.text("de", variant) for refusal in refusals] == [
        irontide.text(refusal, "de", variant) for refusal in refusals
    ]
    assert refusals[1].text() == "The fleet is not complete; missing: boat 2."
    [unknown] = refused(placed(), UseAbility("ada", "magic"))
    assert unknown.text("de").endswith("bekannt sind: Luftaufklärung, Breitseite, Flugabwehr, Torpedo, Sonar.")
    [incomplete] = refused(Match.new("classic", seats=SEATS), PlaceFleet("ada", {"carrier": "A1-A5"}))
    assert incomplete.text("de").endswith("es fehlt: Schlachtschiff, Kreuzer, U-Boot, Zerstörer.")


def test_a_language_that_there_is_not_gives_english():
    refusal = refused(placed(), UseAbility("ada", "magic"))[0]
    assert refusal.text("fr") == refusal.text("en")
    assert irontide.text(placed().told("ada")[0], "fr") == irontide.text(placed().told("ada")[0])


def fits(template, sentence):
    """Return whether the sentence is the template with its arguments filled in."""
    parts = [
        re.escape(literal) + (".+" if name is not None else "")
        for literal, name, _, _ in string.Formatter().parse(template)
    ]
    return re.fullmatch("".join(parts), sentence) is not None


# Events.


def test_a_marker_may_have_words_of_its_own():
    blown = {"type": "marked", "id": "test.gale@ada#1", "rule": "test.gale", "seat": "ada"}
    assert irontide.text(blown) == "test.gale of ada is ready."
    texts = {"event.marked.test.gale": "A gale blows for {seat}.", "event.unmarked.test.gale": "The gale is over."}
    irontide.Registry.default().register(Bundle([], texts={"en": texts}), "test")

    assert irontide.text(blown) == "A gale blows for ada."
    assert irontide.text({**blown, "type": "unmarked"}) == "The gale is over."


FORMS = {
    "ship_moved": ("own",),
    "shot_fired": ("hit", "hit_ship", "water", "blocked", "repeat", "unknown"),
    "ability_used": ("target", "plain"),
    "cells_scanned": ("count", "any_yes", "any_no", "cells", "ships", "distance", "nothing", "hidden"),
    "effect_replaced": ("activate",),
    "reported": ("none", "ships"),
    "cells_revealed": ("water",),
    "turn_ended": ("passed", "timed_out", "early"),
    "shots_granted": ("later", "lost", "instead"),
    "match_ended": ("all_sunk", "both_sunk", "resigned", "timed_out", "no_progress", "won", "draw"),
}


@pytest.mark.parametrize("type_", EVENT_TYPES)
def test_each_event_type_has_its_text_in_every_form(type_):
    has_forms = [f"event.{type_}.{form}" for form in FORMS.get(type_, ())]
    general = f"event.{type_}"
    for lang in LANGUAGES:
        keys = {key for key in CORE[lang] if key == general or key.startswith(f"{general}.")}
        assert {key.removesuffix(".one") for key in keys} - {general} == set(has_forms)
        assert general in keys or type_ in {"ability_used", "cells_scanned", "match_ended"}, "a form fits each of these"


def test_no_text_is_for_an_event_that_does_not_exist():
    assert {key.split(".")[1] for key in CORE["en"] if key.startswith("event.")} == set(EVENT_TYPES)


def test_texts_use_only_fields_of_their_event():
    for event in EVENTS:
        names = {field.name.rstrip("_") for field in attrs.fields(event)} - {"cause", "to", "target_to"}
        for key, text in CORE["en"].items():
            if key.split(".")[:2] == ["event", event.type]:
                assert arguments(text) <= names, key


TOLD = {
    "shot_fired.hit": {"by": "ada", "at": "B2", "told": "hit", "ship": None},
    "shot_fired.hit_ship": {"by": "ada", "at": "B2", "told": "hit", "ship": "cruiser"},
    "shot_fired.water": {"by": "ada", "at": "B2", "told": "water", "ship": None},
    "shot_fired.blocked": {"by": "ada", "at": "B2", "told": "blocked", "ship": None},
    "shot_fired.repeat": {"by": "ada", "at": "B2", "told": "repeat", "ship": None},
    "shot_fired.unknown": {"by": "ada", "at": "B2", "told": "unknown", "ship": None},
    "shot_fired": {"by": "ada", "at": "B2", "told": "acme.near", "ship": None},
    "ability_used.target": {"seat": "ada", "ability": "torpedo", "target": {"from": "A5", "direction": "right"}},
    "ability_used.plain": {"seat": "ada", "ability": "flak", "target": None},
    "cells_scanned.count": {"by": "ada", "ability": "sonar", "area": ["A1"], "tell": "count", "count": 0},
    "cells_scanned.any_yes": {"by": "ada", "ability": "sonar", "area": ["A1"], "tell": "any", "any": True},
    "cells_scanned.any_no": {"by": "ada", "ability": "sonar", "area": ["A1"], "tell": "any", "any": False},
    "cells_scanned.cells": {"by": "ada", "ability": "recon", "area": ["A1"], "tell": "cells", "cells": []},
    "cells_scanned.ships": {"by": "ada", "ability": "flyby", "area": ["A1"], "tell": "ships", "ships": 0},
    "cells_scanned.distance": {"by": "ada", "ability": "radar", "area": ["A1"], "tell": "distance", "distance": 2},
    "cells_scanned.nothing": {"by": "ada", "ability": "radar", "area": ["A1"], "tell": "distance", "blind": ["A2"]},
    "cells_scanned.hidden": {"by": "ada", "ability": "recon", "area": ["A1"], "tell": "cells"},
    "effect_replaced.activate": {"by": "flak", "what": "activate", "seat": "bo", "reason": "flak"},
    "effect_replaced": {"by": "flak", "what": "shot", "seat": "bo", "reason": "flak"},
    "match_ended.all_sunk": {"winner": "ada", "reason": "all_sunk"},
    "match_ended.resigned": {"winner": "ada", "reason": "resigned"},
    "match_ended.both_sunk": {"winner": None, "reason": "both_sunk"},
    "match_ended.no_progress": {"winner": None, "reason": "no_progress"},
    "match_ended.timed_out": {"winner": "ada", "reason": "timed_out"},
    "match_ended.won": {"winner": "ada", "reason": "turn_limit"},
    "match_ended.draw": {"winner": None, "reason": "turn_limit"},
    "rule_disabled": {"rule": "salvo", "reason": "fault"},
    "data_set": {"rule": "points.cap", "seat": None, "key": "most", "value": 3},
}


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("key", TOLD)
def test_a_told_event_takes_the_sentence_of_its_form(key, lang):
    sentence = irontide.text({"n": 1, "type": key.partition(".")[0], **TOLD[key]}, lang)
    more = f" {irontide.message(lang, 'word.blind', blind=TOLD[key].get('blind'))}"
    assert fits(CORE[lang][f"event.{key}"], sentence.removesuffix(more))
    assert sentence.endswith(more) == ("blind" in TOLD[key])
    assert not re.search(r"[{}]|None", sentence)


@pytest.mark.parametrize(
    ("target", "said"),
    [
        ({"from": "A5", "direction": "right"}, {"en": "A5 right", "de": "A5 rechts"}),
        ({"at": "B2", "axis": "down"}, {"en": "B2 down", "de": "B2 runter"}),
        ({"ship": "cruiser-2"}, {"en": "Cruiser 2", "de": "Kreuzer 2"}),
        ({"ship": "cruiser", "to": "A1-A3"}, {"en": "Cruiser A1-A3", "de": "Kreuzer A1-A3"}),
        ({"ability": "recon"}, {"en": "Air Reconnaissance", "de": "Luftaufklärung"}),
        ({"ability": 3, "at": "B2"}, {"en": "3 B2", "de": "3 B2"}),
        (["B2", "C3"], {"en": "B2, C3", "de": "B2, C3"}),
    ],
)
def test_a_target_is_told_in_words(target, said):
    used = {"type": "ability_used", "seat": "ada", "ability": "sonar", "target": target}
    for lang in LANGUAGES:
        assert said[lang] in irontide.text(used, lang)
        assert said[lang] in irontide.Refusal("bad_target", {"target": target}).text(lang)


FEW = 40


def played(variant, seed, *ends):
    """Return a match played at random to its end, or for some turns and then ended by these commands.

    An ability is used whenever one can be.
    """
    match, chance = placed(variant), random.Random(seed)  # noqa: S311 - the same play each time
    while match.outcome is None and (not ends or match.number < FEW):
        seat = match.seat_to_move
        options = match.options(seat)
        usable = [(id_, list(option.targets)) for id_, option in options.abilities.items() if option.refusal is None]
        if usable:
            id_, targets = chance.choice(usable)
            with contextlib.suppress(Refused):  # it went wrong, and is off from now on
                match.submit(UseAbility(seat, id_, chance.choice(targets) if targets else None))
        if match.seat_to_move == seat:
            fire = match.options(seat).fire
            cells = chance.sample(list(fire.cells), fire.count)
            match.submit(Fire(seat, [match.grid.name(cell) for cell in cells]))
    for command in ends:
        match.submit(command)
    return match


MATCHES = {
    "classic": lambda: played(REGISTRY.variant("classic"), 1),
    "salvo": lambda: played(REGISTRY.variant("salvo"), 2),
    "tactical": lambda: played(TACTICAL, 3),
    "resigned": lambda: played(TACTICAL, 4, Resign("bo")),
    "with an ability that goes wrong": lambda: played(FREE.but(id="test.wrong"), 5, Resign("ada")),
    "with an end of its own": lambda: played(
        TACTICAL.but(id="test.ends", rules=[{"use": "test.ending", "reason": "turn_limit"}]), 6
    ),
}


@functools.cache
def match_of(name):
    return MATCHES[name]()


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", MATCHES)
def test_all_that_is_told_of_a_match_becomes_sentences(name, lang):
    match = match_of(name)
    for seat in (*SEATS, None):
        told = match.told(seat)
        assert told[-1]["type"] == "fleet_revealed"
        for event in told:
            sentence = irontide.text(event, lang)
            known = [text for key, text in CORE[lang].items() if key.split(".")[:2] == ["event", event["type"]]]
            assert event["type"] == "noted" or any(fits(text, sentence) for text in known), event
            assert not re.search(r"[{}]|None|FrozenDict", sentence), event


def test_played_matches_tell_most_types():
    told = {event["type"] for name in MATCHES for event in match_of(name).told("ada")}
    assert set(EVENT_TYPES) - told == {
        "rule_disabled", "data_set", "ability_enabled", "knowledge_forgotten", "cell_repaired", "ship_moved",
        "shots_granted", "reported", "cells_revealed", "timed_out",
    }  # fmt: skip


# Abilities, rules, ships, explanations.


def built_in(found):
    return [id_ for id_ in found if REGISTRY.plugin_of(id_).startswith("irontide_")]


@pytest.mark.parametrize("id_", built_in(REGISTRY.abilities))
def test_each_ability_has_a_name_and_a_text(id_):
    assert in_both_languages(f"ability.{id_}.name")
    assert in_both_languages(f"ability.{id_}.text")


@pytest.mark.parametrize("id_", built_in(REGISTRY.rules))
def test_each_rule_has_a_name_and_a_text_with_its_parameters(id_):
    assert in_both_languages(f"rule.{id_}.name")
    assert in_both_languages(f"rule.{id_}.text")
    parameters = {field.name for field in attrs.fields(REGISTRY.rule(id_))}
    for texts in TEXTS.values():
        assert all(arguments(text) <= parameters for key, text in texts["en"].items() if key.startswith(f"rule.{id_}."))


@pytest.mark.parametrize("id_", ["classic", "salvo", "tactical"])
def test_each_ship_and_variant_has_a_label(id_):
    variant = REGISTRY.variant(id_)
    assert set(LANGUAGES) <= variant.labels.keys()
    for ship in variant.fleet:
        assert set(LANGUAGES) <= ship.labels.keys()
        assert in_both_languages(f"ship.{ship.id}")


def test_each_word_of_an_explanation_is_there():
    files = [Path(irontide.__file__).with_name(name) for name in ("explain.py", "settings.py")]
    source = "".join(file.read_text(encoding="utf-8") for file in files)
    words = ["fleet.drawn", "number", "list", "words"]
    words += [f"{word}{id_}" for id_ in irontide_base_rules() for word in ("", "not.")]
    words += re.findall(r'about\("([a-z_]+)"', source)
    keys = set(re.findall(r'"(explain\.[a-z_]+)"', source)) | {f"explain.{word}" for word in words}
    assert keys == {key.removesuffix(".one") for key in CORE["en"] if key.startswith("explain.")}
    terms = {field.name for field in attrs.fields(irontide.Terms)} - {"price"}  # the price stands beside the name
    said = {key.removesuffix(".one") for key in CORE["en"] if key.startswith("terms.")}
    assert {f"terms.{term}" for term in terms} == said


def test_each_rule_of_the_core_is_told_in_an_explanation():
    lines = TACTICAL.explain("en").splitlines()
    assert [id_ for id_ in irontide_base_rules() if CORE["en"][f"explain.{id_}"] not in lines] == []


def test_each_target_is_explained():
    targets = [getattr(irontide, name) for name in irontide.__all__]
    targets = [kind for kind in targets if isinstance(kind, type) and issubclass(kind, irontide.Target)]
    known = {kind.__name__.lower() for kind in targets} - {"target", "nothing"}
    keys = {key.split(".")[1] for key in CORE["en"] if key.startswith("target.")}
    assert keys == known | {"on"}


def irontide_base_rules():
    from irontide.rules import BASE_RULES  # noqa: PLC0415 - the only use

    return BASE_RULES


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("id_", ["classic", "salvo", "tactical"])
def test_an_explanation_is_made_of_texts_alone(id_, lang):
    lines = REGISTRY.variant(id_).explain(lang).splitlines()
    assert lines[0] == REGISTRY.variant(id_).labels[lang]
    assert len(lines) > len(REGISTRY.variant(id_).fleet) + len(REGISTRY.variant(id_).abilities)
    assert not [line for line in lines if re.search(r"[{}]|None|\b(explain|terms|rule|ability|ship)\.\w", line)]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_all_terms_are_explained(lang):
    terms = attrs.asdict(irontide.Terms(7, 2, 3, 4, 5, 6, instead_of_shot=True))
    variant = TACTICAL.but(id="test.terms", abilities={"destroyer": {"use": "sonar", **terms}})
    line = next(line for line in variant.explain(lang).splitlines() if "Sonar" in line)
    assert set("234567") <= set(re.findall(r"\d", line))
    assert line.endswith(CORE[lang]["terms.instead_of_shot"])


def test_reasons_of_the_core_have_words():
    given = {"sunk", "fault", "all_sunk", "both_sunk", "resigned", "no_progress", "turn_limit", "timed_out"}
    assert [reason for reason in given if not in_both_languages(f"reason.{reason}")] == []


@pytest.mark.parametrize(
    ("package", "text", "wrong"),
    [
        ("odd_toml", "[event\n", r"^de\.toml: .*\(at line 1, column 7\)"),
        ("odd_number", "[event]\nx.one = 1\n", r"^de\.toml: event\.x\.one is a text, not 1$"),
        ("odd_list", "x = ['a']\n", r"^de\.toml: x is a text, not \['a'\]$"),
    ],
)
def test_a_file_of_texts_that_cannot_be_read_is_named_with_the_place(package, text, wrong, tmp_path, monkeypatch):
    (tmp_path / package).mkdir()
    (tmp_path / package / "__init__.py").touch()
    (tmp_path / package / "de.toml").write_text(text, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)

    with pytest.raises(irontide.IrontideError, match=wrong):
        irontide.read_texts(package, "de")
