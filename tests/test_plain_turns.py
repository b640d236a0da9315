"""Turns in which no rule has a part are carried out in one step: as the pipeline would have done."""

import random

import pytest

from irontide import (
    Context,
    Fire,
    Match,
    PlaceFleet,
    Refused,
    Registry,
    Rule,
    ShotFired,
    Variant,
    hookimpl,
    reacts,
    rule,
)
from irontide.plain import is_plain

SEATS = ("ada", "bo")


@rule("test.listens")
class Listens(Rule):
    """Hears of every shot, and leaves all as it is."""

    @reacts(ShotFired)
    def hear(self, ctx: Context, event: ShotFired) -> None:
        pass


class Plugin:
    __version__ = "1"

    @hookimpl
    def irontide_register(self, registry):
        registry.rule(Listens)


REGISTRY = Registry.default()
REGISTRY.register(Plugin(), "test")
CLASSIC = REGISTRY.variant("classic")


def begun(variant: Variant, seed: int) -> Match:
    match = Match.new(variant, seats=SEATS, seed=seed, registry=REGISTRY)
    for seat in SEATS:
        match.submit(PlaceFleet(seat, match.random_placement(seat)))
    return match


def outcome(match: Match, command: Fire) -> object:
    """Return the commit of a command, or its refusals."""
    try:
        return match.submit(command)
    except Refused as refused:
        return refused.refusals


@pytest.mark.parametrize("seed", range(5))
def test_a_match_of_plain_turns_is_the_one_that_the_pipeline_plays(seed: int):
    plain, heard = begun(CLASSIC, seed), begun(CLASSIC.but(id="test.heard", rules=["test.listens"]), seed)
    chance = random.Random(seed)  # noqa: S311 - a game, not a secret
    cells = [*plain.grid.names, "K1", " b2", ""]

    while plain.outcome is None:
        command = Fire(chance.choice([*SEATS, "cy"]), chance.choice([*cells, ["A1", "A2"], []]))
        assert outcome(plain, command) == outcome(heard, command)
    assert plain.state == heard.state
    assert plain.number > 30


def test_only_where_no_rule_has_a_part_are_turns_plain():
    def plain(variant: Variant) -> bool:
        return is_plain(REGISTRY.book(variant))

    assert plain(CLASSIC)
    assert plain(CLASSIC.but(id="test.apart", rules=["no_touching"]))
    assert not plain(CLASSIC.but(id="test.heard", rules=["test.listens"]))
    assert not plain(CLASSIC.but(id="test.repeats", drops=["core.no_repeat"]))
    assert plain(CLASSIC.but(id="test.short", limits={"quiet_turns": 1}))
    assert not plain(REGISTRY.variant("salvo"))
    assert not plain(REGISTRY.variant("tactical"))


def test_a_plain_turn_waits_for_a_command_of_the_present():
    match = begun(CLASSIC, 1)
    match.submit(Fire("ada", "A1"), expect=2)

    with pytest.raises(Refused, match="stale"):
        match.submit(Fire("bo", "A1"), expect=2)

    assert match.number == 3
