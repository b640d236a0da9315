"""Any two house rules go together, or are refused when the variant is built, with the reason.

Each pair is built and played, and every promise is checked on the way and in another world (`irontide.testing`).
"""

import itertools

import pytest

from irontide import (
    EndTurn,
    Fire,
    GainPoints,
    Grid,
    Match,
    PlaceFleet,
    Registry,
    Rule,
    RuleUse,
    SetData,
    ShipClass,
    ShipSunk,
    ShotFired,
    TurnStarted,
    UseAbility,
    Variant,
    VariantError,
    adjusts,
    hookimpl,
    reacts,
    rule,
)
from irontide.testing import play_match

REGISTRY = Registry.default()
CLASSIC = REGISTRY.variant("classic")
ROWS = {"carrier": "A1-E1", "battleship": "A3-D3", "cruiser": "A5-C5", "submarine": "A7-C7", "destroyer": "A9-B9"}
FLEET = (ShipClass("carrier", 3), ShipClass("cruiser", 2), ShipClass("destroyer", 2), ShipClass("raft", 1))
REPORTS = [
    {"use": "report", "level": level, "when": when}
    for level in ("shot", "ship", "count")
    for when in ("after_all", "after_each")
]
WRECKS = ["no_touching", "wrecks_are_shown"]
RULES = {
    "salvo by ships": ["salvo"],
    "salvo by cells": [{"use": "salvo", "per": "cells"}],
    "salvo of 3": [{"use": "salvo", "per": 3}],
    "opening": ["opening_shots"],
    "opening of both": [{"use": "opening_shots", "n": 2, "both": True}],
    "extra shot": ["extra_shot_on_hit"],
    "repeats": ["repeat_shots"],
    "named": ["hit_names_ship"],
    **{f"report by {use['level']} {use['when']}": [use] for use in REPORTS},
    "silent": ["silent_sinking"],
    "wrecks": ["wrecks_are_shown"],
    "around wrecks": [*WRECKS, "mark_around_wreck"],
    "apart": ["no_touching"],
    "apart at sides": [{"use": "no_touching", "corners": False}],
    "islands": [{"use": "islands", "count": 3}],
    "islands named": [{"use": "islands", "cells": ["B2", "C5"]}],
    "moving": ["moving_allowed"],
    **{f"limit, {then}": [{"use": "turn_limit", "n": 9, "then": then}] for then in ("draw", "most_sunk", "most_hits")},
    **{f"time out, {action}": [{"use": "time_out", "action": action}] for action in ("lose", "pass", "random_shot")},
    "start": [{"use": "points.start", "amount": 2}],
    "income": ["points.income"],
    "refresh": ["points.refresh"],
    "for sinking": ["points.for_sinking"],
    "on loss": ["points.on_loss"],
    "on hit": ["points.on_hit"],
    "unused": ["points.unused_shot"],
    "cap": [{"use": "points.cap", "most": 4}],
}
REFUSED = {
    *(("named", f"report by {level} {when}") for level in ("ship", "count") for when in ("after_all", "after_each")),
    ("salvo by ships", "silent"), ("silent", "wrecks"), ("silent", "around wrecks"), ("silent", "for sinking"),
    ("silent", "on loss"),
}  # fmt: skip
"""Where one tells what the other hides."""


def pair(one, other):
    """Return a small variant with both, or None where they are one rule with two sets of parameters."""
    uses = {}
    for use in map(RuleUse.of, RULES[one] + RULES[other]):
        if uses.setdefault(use.use, use) != use:
            return None
    return Variant(f"{one}+{other}", grid=Grid(6, 6), fleet=FLEET, rules=tuple(uses.values()))


PAIRS = [(one, other) for one, other in itertools.combinations(RULES, 2) if pair(one, other)]


def test_every_rule_is_among_them():
    ours = {id_ for id_ in REGISTRY.rules if REGISTRY.plugin_of(id_) in {"irontide_variants", "irontide_abilities"}}
    assert ours == {RuleUse.of(use).use for uses in RULES.values() for use in uses}
    assert len(PAIRS) > 500


@pytest.mark.slow
@pytest.mark.no_cover  # what is played here, other tests cover
@pytest.mark.parametrize("one", RULES)
def test_each_pair_is_refused_with_the_reason_or_keeps_every_promise(one):
    for pair_ in [pair_ for pair_ in PAIRS if pair_[0] == one]:
        variant = pair(*pair_)
        if pair_ in REFUSED:
            with pytest.raises(VariantError) as caught:
                REGISTRY.book(variant)
            assert {problem.code for problem in caught.value.problems} == {"conflict"}, pair_
            assert all(" hides what " in problem.text for problem in caught.value.problems), pair_
        else:
            played = play_match(variant, 1, registry=REGISTRY, worlds=1, every=64)
            assert [str(finding) for finding in played.findings] == [], pair_
            assert played.match.number > 2, pair_


@pytest.mark.parametrize("name", RULES)
def test_each_rule_keeps_every_promise_in_several_worlds(name):
    variant = pair(name, name)
    for seed in range(3):
        played = play_match(variant, seed, registry=REGISTRY, worlds=3)
        assert [str(finding) for finding in played.findings] == []


# Pairs with a right answer, beside those that each rule's own tests have.


@pytest.mark.parametrize("standing", ["flak", "counter_battery"])
def test_a_public_standing_order_would_betray_a_silent_sinking(standing):
    variant = CLASSIC.but(id="test", rules=["silent_sinking"], abilities={"cruiser": standing})
    with pytest.raises(VariantError) as caught:
        REGISTRY.book(variant)
    assert [problem.text for problem in caught.value.problems] == [
        f"'silent_sinking' hides what {standing!r} tells: that a ship has sunk"
    ]


def test_a_trap_shows_nothing_of_a_silent_sinking_but_by_being_sprung():
    variant = CLASSIC.but(
        id="test", rules=["silent_sinking", {"use": "points.start", "amount": 9}], abilities={"destroyer": "trap"}
    )
    match = Match.new(variant, seats=("ada", "bo"), seed=1, registry=REGISTRY, strict=True)
    for seat in match.seats:
        match.submit(PlaceFleet(seat, ROWS))
    match.submit(Fire("ada", "A9"))
    match.submit(UseAbility("bo", "trap", "J10"))
    match.submit(Fire("bo", "J1"))
    told = len(match.told("ada"))

    match.submit(Fire("ada", "B9"))

    assert [event["type"] for event in match.told("ada", told)] == ["shot_fired", "turn_ended", "turn_started"]
    match.submit(Fire("bo", "J2"))
    match.submit(Fire("ada", "J10"))
    assert match.view("ada").points == 9


def test_shots_that_an_enemy_took_away_pay_nothing():
    match = Match.new(ENDING, seats=("ada", "bo"), seed=1, registry=PLUGGED, strict=True)
    for seat in match.seats:
        match.submit(PlaceFleet(seat, ROWS))
    match.submit(Fire("ada", ["J1", "J2", "J3", "J4", "J5"]))

    match.submit(Fire("bo", []))
    match.submit(Fire("ada", ["A1", "I2", "I3", "I4", "I5"]))

    assert match.state.turns == [3, 2]
    assert (match.view("ada").points, match.view("bo").points) == (0, 5)


def test_extra_shots_come_after_an_opening_shot_too():
    variant = CLASSIC.but(id="test", rules=["salvo", "extra_shot_on_hit", "opening_shots"])
    match = Match.new(variant, seats=("ada", "bo"), seed=1, registry=REGISTRY, strict=True)
    for seat in match.seats:
        match.submit(PlaceFleet(seat, ROWS))

    match.submit(Fire("ada", "A1"))

    assert (match.seat_to_move, match.options("ada").fire.count) == ("ada", 1)


@rule("test.end")
class Ends(Rule):
    """A hit at A1 takes the next turn of whoever was hit away."""

    @reacts(ShotFired)
    def remember(self, ctx, event):
        if event.hit:
            yield SetData(ctx.opponent(event.by).name, 1)

    @reacts(TurnStarted)
    def end(self, ctx, event):
        if ctx.data.get(event.seat):
            yield SetData(event.seat, None)
            yield EndTurn(event.seat, "test.end")


@rule("test.salvo")
class UndeclaredSalvo(Rule):
    """A shot for each ship afloat, without a word that this tells of sinkings."""

    @adjusts("shots", group="set")
    def fill(self, ctx, shots):
        return len(ctx.seat.afloat)


@rule("test.comfort")
class UndeclaredComfort(Rule):
    """A point for each sinking, told or not."""

    @reacts(ShipSunk)
    def pay(self, ctx, event):
        yield GainPoints(event.seat, 1)


class Plugin:
    @hookimpl
    def irontide_register(self, registry):
        for each in (UndeclaredSalvo, UndeclaredComfort, Ends):
            registry.rule(each)


PLUGGED = Registry.default()
PLUGGED.register(Plugin(), "test")
ENDING = CLASSIC.but(id="ending", rules=["salvo", "points.unused_shot", "test.end"])


@pytest.mark.parametrize("id_", ["test.salvo", "test.comfort"])
def test_a_rule_that_betrays_a_silent_sinking_would_be_found(id_):
    registry = PLUGGED
    variant = Variant("leak", grid=Grid(6, 6), fleet=FLEET, rules=(RuleUse("silent_sinking"), RuleUse(id_)))

    played = [play_match(variant, seed, registry=registry, worlds=3) for seed in range(4)]

    assert any(finding.promise == "worlds" for each in played for finding in each.findings)
