"""The plugin as installed: found through its entry point, played, told, logged and verified like anything built in."""

import random
from typing import Any

import irontide_acme
import pytest

import irontide
from irontide import Fire, Match, PlaceFleet, PluginMissing, Refused, Registry, Shot, UseAbility, VerdictKind

FLEET = {
    "battleship": "B2-E2",
    "cruiser": "B4-D4",
    "raft": ["G2", "H2", "G3"],
    "destroyer": "B6-C6",
    "destroyer-2": "E6-F6",
}
ALONG = ("A3", "A4", "A5", "A6", "A7", "B8", "C8", "D8", "E8", "F8", "G8")
"""Cells of water in this fleet."""


def begun(seed: int = 7) -> Match:
    match = Match.new("acme.skirmish", seats=("ada", "bo"), seed=seed, strict=True)
    for seat in match.seats:
        match.submit(PlaceFleet(seat, FLEET))
    return match


def quiet_turns(match: Match, turns: int) -> None:
    """Let so many turns pass with shots at water."""
    for _ in range(turns):
        seat = match.seat_to_move
        open_ = match.grid.list(match.options(seat).fire.cells)
        match.submit(Fire(seat, next(cell for cell in ALONG if cell in open_)))


def played(seed: int) -> Match:
    """Return a match played to its end by random commands, all of them from the options."""
    match = Match.new("acme.skirmish", seats=("ada", "bo"), seed=seed, strict=True)
    choose = random.Random(seed)  # noqa: S311 - a game, not a secret
    for seat in match.seats:
        match.submit(PlaceFleet(seat, match.random_placement(seat)))
    while (seat := match.seat_to_move) is not None:
        options = match.options(seat)
        usable = [id_ for id_, option in options.abilities.items() if option.refusal is None]
        if usable and choose.random() < 0.5:
            id_ = choose.choice(usable)
            targets = list(options.abilities[id_].targets)
            match.submit(UseAbility(seat, id_, choose.choice(targets) if targets else None))
        else:
            match.submit(Fire(seat, choose.choice(match.grid.list(options.fire.cells))))
    return match


def types(events: list[dict[str, Any]]) -> list[str]:
    return [event["type"] for event in events]


# Found.


def test_the_plugin_is_found_through_its_entry_point():
    registry = Registry.default()

    assert registry.problems == []
    assert registry.plugins["acme"] == "1.2.0"
    assert {"acme.dice", "acme.flare", "acme.shield"} <= set(registry.abilities)
    assert {"acme.no_corners", "acme.salvage"} <= set(registry.rules)
    assert registry.plugin_of("acme.flare") == registry.plugin_of("acme.no_corners") == "acme"


def test_its_variant_is_data_on_a_built_in_base():
    variant = Registry.default().variant("acme.skirmish")

    assert variant.base == "classic"
    assert variant.label("de") == "Acmes Scharmützel"
    assert (variant.grid.columns, variant.grid.rows) == (8, 8)
    assert variant.abilities["destroyer"].use == "acme.flare"


@pytest.mark.parametrize("lang", ["en", "de"])
def test_its_rules_are_explained(lang: str):
    explained = Registry.default().variant("acme.skirmish").explain(lang)

    names = {"en": ("Flare", "Shield", "Dice", "Raft"), "de": ("Leuchtkugel", "Schild", "Würfel", "Floß")}
    assert all(name in explained for name in names[lang])
    assert "acme." not in explained


# Its abilities.


def test_a_flare_tells_the_user_alone_whether_there_is_a_ship():
    match = begun()

    match.submit(UseAbility("ada", "acme.flare", "B2"))
    quiet_turns(match, 2)
    match.submit(UseAbility("ada", "acme.flare", "H8"))

    seen = [event for event in match.told("ada") if event["type"] == "cells_scanned"]
    assert [event["any"] for event in seen] == [True, False]
    assert seen[1]["area"] == ["G7", "H7", "G8", "H8"]
    assert all("any" not in event for event in match.told("bo") if event["type"] == "cells_scanned")
    assert irontide.text(seen[0]) == "ada's Flare finds a ship in A1, B1, C1, A2, B2, C2, A3, B3, C3."


def test_a_shield_blocks_the_first_shot_into_it():
    match = begun()
    match.submit(UseAbility("ada", "acme.shield", "C2"))
    match.submit(Fire("ada", "A3"))

    blocked = match.submit(Fire("bo", "B2"))
    match.submit(Fire("ada", "A4"))
    hit = match.submit(Fire("bo", "B2"))

    assert (blocked.events[0].told, blocked.events[0].hit) == ("blocked", False)
    assert (hit.events[0].told, hit.events[0].hit) == ("hit", True)
    assert match.view("bo").target.hit == match.grid.cells("B2")


def test_a_shield_is_seen_by_its_owner_alone():
    match = begun()
    match.submit(UseAbility("ada", "acme.shield", "C2"))

    assert [mark.rule for mark in match.view("ada").markers] == ["acme.shield"]
    assert match.view("bo").markers == match.view(None).markers == ()
    used = next(event for event in match.told("bo") if event["type"] == "ability_used")
    assert used["target"] is None

    match.submit(Fire("ada", "A3"))
    match.submit(Fire("bo", "C2"))

    assert match.view("ada").markers == ()
    assert "unmarked" in types(match.told("ada"))
    assert "unmarked" not in types(match.told("bo"))


def test_a_second_shield_waits_for_the_first():
    match = begun()
    match.submit(UseAbility("ada", "acme.shield", "C2"))
    quiet_turns(match, 2)

    refusal = match.options("ada").abilities["acme.shield"].refusal

    assert refusal is not None
    assert (refusal.code, refusal.args["limit"]) == ("ability_limit", "standing")


def test_a_shield_goes_down_with_its_ship():
    match = begun()
    match.submit(UseAbility("ada", "acme.shield", "B6"))
    for cell in ("B2", "C2", "D2", "E2"):
        quiet_turns(match, 1)
        match.submit(Fire("bo", cell))

    assert match.view("ada").abilities["acme.shield"].off == ("sunk",)
    assert match.view("ada").markers == ()
    quiet_turns(match, 1)
    assert match.submit(Fire("bo", "B6")).events[0].told == "hit"


def test_dice_fall_by_the_seed_and_are_told_in_words():
    rolls = set()
    for seed in range(40):
        match = begun(seed)
        commit = match.submit(UseAbility("ada", "acme.dice"))
        again = begun(seed).submit(UseAbility("ada", "acme.dice"))
        assert again == commit

        noted = next(event for event in match.told("bo") if event["type"] == "noted")
        roll = noted["args"]["roll"]
        assert irontide.text(noted, "en") == f"ada rolls a {roll}."
        assert irontide.text(noted, "de") == f"ada würfelt eine {roll}."
        assert match.view("ada").points == 1 + {5: 3, 6: 5}.get(roll, 0)
        assert "data_set" not in types(match.told("ada"))
        rolls.add(roll)
    assert rolls == {1, 2, 3, 4, 5, 6}


# Its rules.


@pytest.mark.parametrize("cell", ["A1", "H1", "A8", "H8", " h8 "])
def test_a_corner_is_refused_in_both_languages(cell: str):
    match = begun()

    with pytest.raises(Refused) as refused:
        match.submit(Fire("ada", cell))

    (refusal,) = refused.value.refusals
    assert refusal.code == "acme.corner"
    assert refusal.text("en").startswith("Corners may not be fired at")
    assert refusal.text("de").startswith("Auf Ecken darf nicht geschossen werden")
    assert not match.options("ada").fire.cells & match.grid.cells("A1", "H1", "A8", "H8")


@pytest.mark.parametrize("cell", ["Z9", "", "1A", "A0"])
def test_a_cell_that_is_none_leaves_the_rule_in_force(cell: str):
    match = begun()

    with pytest.raises(Refused) as refused:
        match.submit(Fire("ada", cell))

    assert [refusal.code for refusal in refused.value.refusals] == ["unknown_cell"]
    assert [refusal.code for refusal in match.refusals(Fire("ada", "A1"))] == ["acme.corner"]
    assert match.faults == []


def test_lost_ships_make_abilities_cheaper():
    match = begun()
    assert match.options("ada").abilities["acme.flare"].price == 2

    for cell in ("B6", "C6", "E6", "F6"):
        quiet_turns(match, 1)
        match.submit(Fire("bo", cell))

    assert match.options("ada").abilities["acme.shield"].price == 1
    assert match.options("ada").abilities["torpedo"].price == 1
    assert match.options("bo").abilities["acme.flare"].price == 2


# Whole matches.


@pytest.mark.parametrize("seed", range(8))
def test_a_match_is_played_told_logged_and_verified(seed: int):
    match = played(seed)
    text = match.dumps()

    assert match.outcome is not None
    assert match.faults == []
    assert irontide.verify(text).kind is VerdictKind.EXACT
    assert Match.loads(text).state == match.state
    for seat in ("ada", "bo", None):
        told = match.told(seat)
        assert [event["n"] for event in told] == [*range(1, len(told) + 1)]
        assert irontide.fold_view(match.variant, seat, told) == match.view(seat)
        assert all(irontide.text(event, lang) for event in told for lang in ("en", "de"))


def test_every_ability_comes_up():
    used = {
        event["ability"] for seed in range(8) for event in played(seed).told(None) if event["type"] == "ability_used"
    }

    assert used == {"acme.dice", "acme.flare", "acme.shield", "torpedo"}


def test_a_match_folds_where_the_plugin_is_not_installed():
    match = played(1)
    bare = Registry()

    folded = Match.loads(match.dumps(), registry=bare)

    assert folded.state == match.state
    assert folded.told("ada") == match.told("ada")
    assert irontide.verify(match.dumps(), registry=bare).kind is VerdictKind.UNVERIFIED
    with pytest.raises(PluginMissing, match=r"acme 1\.2\.0"):
        folded.at(0).submit(PlaceFleet("ada", FLEET))


def test_it_keeps_every_promise(irontide_conformance):
    irontide_conformance(irontide_acme)


# Observing.


def test_the_plugin_sees_the_commits_of_matches_that_use_it():
    irontide_acme.USES.clear()

    match = begun()
    match.submit(UseAbility("ada", "acme.flare", "B2"))
    quiet_turns(match, 2)
    match.submit(UseAbility("ada", "acme.flare", "E5"))

    assert irontide_acme.USES == {"acme.flare": 2}


def test_the_plugin_sees_other_matches_only_if_the_host_says_so():
    irontide_acme.USES.clear()

    for observers in ((), ("acme",)):
        match = Match.new("tactical", seats=("ada", "bo"), seed=7, observers=observers)
        for seat in match.seats:
            match.submit(PlaceFleet(seat, match.random_placement(seat)))
        match.submit(UseAbility("ada", "sonar", "C3"))

    assert irontide_acme.USES == {"sonar": 1}


def test_the_plugin_needs_nothing_but_public_names():
    names = {name for module in (irontide_acme.abilities, irontide_acme.rules) for name in vars(module)}

    assert Shot.__name__ in names
    assert not [name for name in names if name.startswith("_") and not name.startswith("__")]
