"""Plain turns, in which no rule has a part, are carried out in one step: as the pipeline would have done."""

import random

import pytest

from irontide import (
    Ability,
    Context,
    Effects,
    Fire,
    Forget,
    GrantShots,
    Match,
    OneCell,
    PlaceFleet,
    Refused,
    Registry,
    Rule,
    ShotFired,
    UseAbility,
    Variant,
    ability,
    reacts,
    rule,
)
from irontide.testing import Bundle

SEATS = ("ada", "bo")


@rule("test.listens")
class Listens(Rule):
    """Hears of every shot, and leaves all as it is."""

    @reacts(ShotFired)
    def hear(self, ctx: Context, event: ShotFired) -> None:
        pass


@ability("test.gift", price=1)
class Gift(Ability):
    """Gives the enemy a shot more, for its next turn."""

    def use(self, ctx: Context, nothing: None) -> Effects:
        yield GrantShots(ctx.other.name)


@ability("test.fog", price=1, target=OneCell())
class Fog(Ability):
    """Takes an answer back, so that the cell may be shot again."""

    def use(self, ctx: Context, target: OneCell) -> Effects:
        yield Forget(ctx.seat.name, target.cells)


@ability("test.dud", target=OneCell())
class Dud(Ability):
    def use(self, ctx: Context, target: OneCell) -> Effects:
        raise ValueError("a dud")
        yield


REGISTRY = Registry.default()
REGISTRY.register(Bundle([Listens, Gift, Fog, Dud]), "test", "1")
CLASSIC, TACTICAL = REGISTRY.variant("classic"), REGISTRY.variant("tactical")


def begun(variant: Variant, seed: int) -> Match:
    match = Match.new(variant, seats=SEATS, seed=seed, registry=REGISTRY)
    for seat in SEATS:
        match.submit(PlaceFleet(seat, match.random_placement(seat)))
    return match


def outcome(match: Match, command: Fire | UseAbility) -> object:
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


ARMED = TACTICAL.but(
    id="test.armed",
    abilities={
        "carrier": "smoke",
        "battleship": "chain_reaction",
        "cruiser": "jam",
        "submarine": "test.gift",
        "destroyer": "test.fog",
    },
    rules=[{"use": "points.income", "amount": 3}],
)
"""Abilities that last for turns, that grant shots, and that take answers back."""


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("variant", [TACTICAL, ARMED], ids=lambda variant: variant.id)
def test_plain_turns_among_abilities_are_those_that_the_pipeline_plays(variant: Variant, seed: int):
    plain = begun(variant, seed)
    heard = begun(variant.but(id="test.heard", rules=["test.listens"]), seed)
    chance = random.Random(seed)  # noqa: S311 - a game, not a secret

    while (seat := plain.seat_to_move) is not None:
        options = plain.options(seat)
        assert options == heard.options(seat)
        usable = [id_ for id_, option in options.abilities.items() if option.refusal is None]
        if usable and chance.random() < 1 / 3:
            id_ = chance.choice(usable)
            targets = options.abilities[id_].targets
            told = (
                [cell for cell in targets if plain.grid.cells(cell) & plain.view(seat).target.hit]
                if id_ == "test.fog"
                else []
            )
            command = UseAbility(seat, id_, chance.choice(told or targets) if targets else None)
        else:
            cells = [plain.grid.names[cell] for cell in options.fire.cells]
            command = Fire(seat, chance.choice([chance.sample(cells, options.fire.count), "A1", []]))
        assert outcome(plain, command) == outcome(heard, command)
    assert plain.state == heard.state
    assert plain.number > 30


def test_only_where_no_rule_has_a_part_are_turns_plain():
    def plain(variant: Variant) -> tuple[bool, bool]:
        book = REGISTRY.book(variant)
        return book.plain, book.bare

    assert plain(CLASSIC) == (True, True)
    assert plain(CLASSIC.but(id="test.apart", rules=["no_touching"])) == (True, True)
    assert plain(CLASSIC.but(id="test.heard", rules=["test.listens"])) == (False, False)
    assert plain(CLASSIC.but(id="test.repeats", drops=["core.no_repeat"])) == (False, True)
    assert plain(CLASSIC.but(id="test.short", limits={"quiet_turns": 1})) == (True, True)
    assert plain(CLASSIC.but(id="test.few", limits={"events": 2})) == (False, True)
    assert plain(CLASSIC.but(id="test.islands", rules=[{"use": "islands", "cells": ["C3"]}])) == (False, False)
    assert plain(REGISTRY.variant("salvo")) == (False, False)
    assert plain(TACTICAL) == (True, False)
    assert plain(ARMED) == (True, False)


def test_a_plain_turn_waits_for_a_command_of_the_present():
    match = begun(CLASSIC, 1)
    match.submit(Fire("ada", "A1"), expect=2)

    with pytest.raises(Refused, match="stale"):
        match.submit(Fire("bo", "A1"), expect=2)

    assert match.number == 3


def test_a_fault_after_plain_turns_names_no_event_of_them():
    match = begun(TACTICAL.but(id="test.duds", abilities={"cruiser": "test.dud"}, drops=["flak"]), 1)
    for cell in ("A1", "J1", "A10"):
        for seat in SEATS:
            match.submit(Fire(seat, cell))

    with pytest.raises(Refused, match="plugin_error"):
        match.submit(UseAbility("ada", "test.dud", "A1"))

    assert [(fault.reason, fault.causes) for fault in match.faults] == [("raised ValueError: a dud", ())]
