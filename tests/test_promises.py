"""The checks of promises would see an engine that breaks them: each is shown a match that was tampered with."""

from itertools import cycle
from random import Random

import attrs
import pytest

from irontide import (
    Ability,
    Fire,
    Mark,
    Match,
    Note,
    PlaceFleet,
    Refusal,
    Refused,
    Registry,
    Rule,
    ShotFired,
    TurnEnded,
    TurnStarted,
    UseAbility,
    ability,
    reacts,
    rule,
)
from irontide.testing import Bundle, Finding, Scenario, Table, Watch, bench, play_match, play_together
from irontide.testing.game import Game
from irontide.testing.player import some_command
from irontide.testing.promises import (
    limits_are_kept,
    log_is_true,
    no_sunk_ship_acts,
    options_are_what_is_accepted,
    purses_hold,
    shown,
    the_sunk_are_still,
    views_are_folds,
)
from irontide.testing.watch import handlers
from irontide.testing.worlds import Worlds, another_fleet, apart, may_differ

REGISTRY = Registry.default()
TACTICAL = REGISTRY.variant("tactical")
BOOK = REGISTRY.book(TACTICAL)
FLEETS = {"bo": {"destroyer": "A1-A2"}}


def chance(seed):
    return Random(seed)  # noqa: S311 - a game


class Tampered:
    """A match in which some of what is read is otherwise."""

    def __init__(self, match, **otherwise):
        self.match = match
        vars(self).update(otherwise)

    def __getattr__(self, name):
        return getattr(self.match, name)


@pytest.fixture
def match():
    """A Tactical match in which bo's destroyer was sunk and ada has used its sonar."""
    return (
        Scenario("tactical", fleets=FLEETS, points={"ada": 10, "bo": 10})
        .given("sonar A1", "A1")
        .given("sonar C3", "J1", "sonar A1", "A2")
        .match
    )


def test_a_true_match_keeps_every_promise(match):
    book = match._registry.book(match.variant)  # noqa: SLF001 - the scenario's own
    for seat in match.seats:
        assert [*options_are_what_is_accepted(match, book, seat, chance(1), 50)] == []
        assert [*limits_are_kept(match, book, seat)] == []
    for check in (views_are_folds, purses_hold):
        assert [*check(match)] == []
    assert [*the_sunk_are_still(match, book)] == []
    assert [*log_is_true(match, match._registry)] == []  # noqa: SLF001 - the scenario's own


def test_a_log_that_is_not_the_match_is_seen(match):
    [text] = log_is_true(Tampered(match, dumps=lambda: match.dumps()[:-9]), REGISTRY)
    assert text.startswith("the log cannot be read: line")

    earlier = match.at(match.number - 1)
    texts = [*log_is_true(Tampered(match, dumps=earlier.dumps), match._registry)]  # noqa: SLF001 - the scenario's own
    assert any(text.startswith("in a copy made from the log, shots is") for text in texts)


TURNS = cycle([True, False])


@rule("bad.flips")
class Flips(Rule):
    """Says yes and no by turns, whoever asks."""

    @reacts(ShotFired)
    def flip(self, ctx, event):
        yield Note("bad.flips", args={"yes": next(TURNS)})


def registry_with(*classes):
    registry = Registry.default()
    registry.register(Bundle(classes), "test")
    return registry


def test_a_log_that_is_not_decided_again_as_it_stands_is_seen():
    registry = registry_with(Flips)
    match = Match.new(bench(registry, ["bad.flips"]), seats=("ada", "bo"), seed=1, registry=registry)
    for seat in match.seats:
        match.submit(PlaceFleet(seat, match.random_placement(seat)))
    match.submit(Fire("ada", "A1"))

    [text] = log_is_true(match, registry)

    assert text.startswith("decided again, the log is")
    assert "DIVERGED" in text


def test_a_view_that_is_no_fold_and_a_gap_are_seen(match):
    def without_the_second(seat, since=0):
        told = match.told(seat, since)
        return [told[0], *told[2:]]

    text, *_ = views_are_folds(Tampered(match, told=without_the_second))
    assert text == "what ada was told cannot be folded: told[1]: expected number 2, not 3"

    def earlier(seat):
        return match.at(2).view(seat)

    texts = [*views_are_folds(Tampered(match, view=earlier))]
    assert texts == [f"the view of {seat} is not the fold of what it was told" for seat in ("ada", "bo", None)]


def test_a_purse_that_its_seat_does_not_know_is_seen(match):
    state = match.state
    state.points[0] = -1

    assert [*purses_hold(Tampered(match, state=state))] == ["ada has -1 points and knows of 8"]


def test_what_a_sunk_ship_still_does_is_seen():
    @ability("test.flag")
    class Flag(Ability):
        def use(self, ctx, nothing):
            yield Mark()

    game = Scenario("tactical", fleets=FLEETS, abilities={"destroyer": Flag}).given("J1", "bo: test.flag", "bo: J1")
    book = game.registry.book(game.match.variant)
    state = game.match.state
    state.sunk[1] = ("destroyer",)

    texts = [*the_sunk_are_still(Tampered(game.match, state=state), book)]

    assert texts[0] == "test.flag of bo is on, though its ships have sunk"
    assert texts[1].startswith("markers of test.flag of bo stand, though its ships have sunk: test.flag@bo")


def test_what_a_ship_does_after_it_has_sunk_is_seen(match):
    before = match.at(match.number - 3).state
    before.sunk[0] = ("destroyer",)
    used = next(commit for commit in match.commits if commit.command == UseAbility("ada", "sonar", "A1"))

    assert [*no_sunk_ship_acts(before, used, BOOK)] == [
        "sonar of ada did something (ability_used), though its ships had sunk",
        "sonar of ada did something (cells_scanned), though its ships had sunk",
    ]


def test_where_a_seat_may_pass_no_shot_at_all_is_no_mistake():
    variant = REGISTRY.variant("classic").but(
        id="one", grid={"columns": 1, "rows": 2}, fleet=TACTICAL.fleet[-1:], drops=["core.must_shoot"]
    )
    match = Match.new(variant, seats=("ada", "bo"), seed=1)
    for seat in match.seats:
        match.submit(PlaceFleet(seat, match.random_placement(seat)))
    match.submit(Fire("ada", "A1"))
    match.submit(Fire("bo", []))
    assert match.options("ada").fire.count == len(match.options("ada").fire.cells) == 1

    assert [*options_are_what_is_accepted(match, REGISTRY.book(variant), "ada", chance(1))] == []


def test_uses_beyond_a_limit_are_seen(match):
    def over(**terms):
        variant = TACTICAL.but(id="test.terms", abilities={"destroyer": terms})
        return [*limits_are_kept(match, REGISTRY.book(variant), "ada")]

    assert over() == []
    assert over(per_match=1) == ["sonar of ada has 2 uses in the match, of at most 1"]
    assert over(charges=1) == ["sonar of ada has 2 uses in the match, of at most 1"]
    assert over(per_turn=0) == ["sonar of ada has 1 uses in one turn, of at most 0"]
    assert over(cooldown=1) == ["sonar of ada was used before its cooldown of 1 turns was over"]


def test_options_that_are_not_what_is_accepted_are_seen(match):
    honest = match.options("bo")
    ability_ = honest.abilities["flak"]
    refused = attrs.evolve(ability_, refusal=Refusal("no"))
    sonar = attrs.evolve(honest.abilities["recon"], refusal=Refusal("no"))

    def texts(options):
        tampered = Tampered(match, options=lambda _: options)
        return [*options_are_what_is_accepted(tampered, BOOK, "bo", chance(1), 200)]

    few = attrs.evolve(honest, fire=attrs.evolve(honest.fire, cells=honest.fire.cells - match.grid.cells("B5")))
    assert '{"type": "fire", "seat": "bo", "cells": ["B5"]} is not offered, but would be accepted' in texts(few)
    many = attrs.evolve(honest, fire=attrs.evolve(honest.fire, cells=match.grid.all))
    assert '{"type": "fire", "seat": "bo", "cells": ["J1"]} is offered, but would be refused: already_shot' in [
        text for seed in range(60) for text in shots_of(match, many, seed)
    ]
    odd = attrs.evolve(honest, abilities={**honest.abilities, "flak": refused, "recon": sonar})
    assert any("recon is refused to bo, but has targets" in text for text in texts(odd))
    assert any('"flak", "target": null} is not offered, but would be accepted' in text for text in texts(odd))


def shots_of(match, options, seed):
    tampered = Tampered(match, options=lambda _: options)
    return [*options_are_what_is_accepted(tampered, BOOK, "bo", chance(seed), 5)]


# Games.


def test_a_game_sees_a_refused_command_that_changes_something_and_reasons_that_were_not_told(match):
    game = Game(TACTICAL, 1, REGISTRY)
    for seat in match.seats:
        assert [*game.submit(PlaceFleet(seat, game.match.random_placement(seat)))] == []
    real = game.match

    def refuse_and_fire(command):
        real.submit(Fire("ada", "B2"))
        raise Refused([Refusal("no")])

    game.match = Tampered(real, submit=refuse_and_fire)
    kinds = [*game.submit(Fire("ada", "B2"))]
    assert kinds[0] == ("refusal", "a refused command changed the match")
    assert kinds[1][1].startswith("refused with no: no (), but the seat was told to expect ()")

    game = Game(TACTICAL, 1, REGISTRY)
    game.match = Tampered(game.match, refusals=lambda _: (Refusal("no"),))
    kinds = [*game.submit(PlaceFleet("ada", game.match.random_placement("ada")))]
    assert kinds == [("refusal", "accepted, but the seat was told to expect no")]


@ability("test.lucky")
class Lucky(Ability):
    """Fails where the enemy has ships in row 1."""

    def use(self, ctx, nothing):
        assert not ctx.other.cells & ctx.grid.row(1)
        yield Note("test.lucky")


def test_a_plugin_that_goes_wrong_in_another_world_only_is_seen():
    watch = Watch()
    registry = watch.registry(registry_with(Lucky))
    fleet = {"carrier": "A7-C7", "battleship": "A6-C6", "cruiser": "A5-B5", "submarine": "D5-E5", "destroyer": "D7-E7"}
    places = [PlaceFleet("ada", fleet), PlaceFleet("bo", fleet)]
    table = Table(bench(registry, ["test.lucky"]), 1, registry, watch)

    finding = table.compare([*places, UseAbility("ada", "test.lucky")], "ada", {**fleet, "cruiser": "A1-B1"})

    assert (finding.promise, finding.rule, finding.handler) == ("fault", "test.lucky", "use")
    assert len(finding.shortest().commands) == 3
    assert table.compare([*places, Fire("ada", "A1")], "ada", {**fleet, "cruiser": "A1-B1"}) is None


def test_the_same_seed_plays_the_same_match():
    one, two = (play_match("salvo", 5, most=9, every=2) for _ in range(2))

    assert (one.commands, one.log) == (two.commands, two.log)
    assert len(one.commands) == 9
    assert play_match("salvo", 6, most=9).log != one.log


def test_commands_are_played_again_and_the_handlers_at_the_last_are_known():
    watch = Watch()
    registry = watch.registry(REGISTRY)
    table = Table(registry.variant("tactical"), 2, registry, watch)
    commands = play_match(table.variant, 2, registry=registry, watch=watch, most=12, worlds=0).commands

    assert table.replay(commands) is None
    assert {("points.income", "pay"), ("points.start", "give")} <= {*table.heard(commands[:2])}


def test_players_by_chance_do_all_that_a_seat_can_do():
    commands = [
        command for seed in range(30) for command in play_match("tactical", seed, worlds=0, every=9_999).commands
    ]

    assert {command.type for command in commands} >= {"fire", "place_fleet", "use_ability", "time_out", "resign"}
    assert len({command.ability for command in commands if isinstance(command, UseAbility)}) == 6


def test_a_player_places_what_is_not_placed():
    match = Match.new("classic", seats=("ada", "bo"), seed=1)
    assert some_command(match, chance(1)).seat == "ada"
    match.submit(some_command(match, chance(1)))
    assert some_command(match, chance(1)).seat == "bo"


def test_rules_that_are_refused_together_are_found_to_break_nothing():
    @rule("test.one", place="one")
    class One(Rule):
        pass

    @rule("test.two", place="one")
    class Two(Rule):
        pass

    registry = registry_with(One, Two)
    assert [*play_together(["test.one", "test.two"], registry=registry)] == []
    assert [*play_together(["test.one", "sonar"], registry=registry)] == []


def test_a_rule_that_breaks_a_promise_in_company_is_blamed():
    [finding] = play_together(["bad.flips", "salvo"], registry=registry_with(Flips))

    assert (finding.promise, finding.rule) == ("copy", "bad.flips")


# Worlds.


@pytest.mark.parametrize(
    ("one", "two", "may"),
    [
        ("shot_fired", "shot_fired", True),
        ("noted", "noted", False),
        ("shot_fired", "cells_scanned", True),
        ("shot_fired", "effect_replaced", False),
        ("ship_sunk", "turn_ended", True),
        ("nothing", "points_gained", False),
    ],
)
def test_worlds_may_part_by_answers_alone(one, two, may):
    assert may_differ(one, two) == may_differ(two, one) == may


def worlds_of(seat="ada", **otherwise):
    here, there = (Match.new("tactical", seats=("ada", "bo"), seed=1) for _ in range(2))
    fleet = {"carrier": "A1-A5", "battleship": "C1-C4", "cruiser": "E1-E3", "submarine": "G1-G3", "destroyer": "I1-I2"}
    worlds = Worlds(here, there, seat, fleet)
    for name in ("ada", "bo"):
        assert worlds.submit(PlaceFleet(name, here.random_placement(name))) is None
    for name, value in otherwise.items():
        setattr(worlds, name, value(there))
    return worlds


def test_worlds_that_offer_or_refuse_otherwise_are_told_apart():
    worlds = worlds_of()
    assert worlds.look() is None

    def poorer(seat):
        honest = worlds.here.options(seat)
        sonar = attrs.evolve(honest.abilities["sonar"], price=7)
        return attrs.evolve(honest, abilities={**honest.abilities, "sonar": sonar})

    there = worlds.there
    worlds.there = Tampered(there, options=poorer)
    assert "'sonar': {'price': 7" in worlds.look()
    fewer = attrs.evolve(there.options("ada"), fire=attrs.evolve(there.options("ada").fire, count=0))
    worlds.there = Tampered(there, options=lambda _: fewer)
    assert worlds.look().startswith("ada is offered {'fire': {'cells': ['A1'")
    worlds.there = Tampered(there, refusals=lambda _: (Refusal("no"),))
    assert "would be answered by" in worlds.look()


def test_worlds_in_which_the_own_command_is_answered_otherwise_are_told_apart():
    def refusing(there):
        def refuse(command):
            raise Refused([Refusal("no")])

        return Tampered(there, submit=refuse)

    worlds = worlds_of(there=refusing)
    assert "is answered by () in one world" in worlds.submit(Fire("ada", "J1"))
    worlds = worlds_of("bo", there=refusing)
    assert worlds.submit(Fire("ada", "J1")) is None
    assert worlds.parted


def test_the_spectator_too_tells_worlds_apart():
    def gossip(there):
        def told(seat, since=0):
            return there.told(seat, since) + ([{"type": "noted"}] if seat is None else [])

        return Tampered(there, told=told)

    assert worlds_of(there=gossip).submit(Fire("ada", "J1")).startswith("the spectator is told {'type': 'nothing'}")


def test_matches_in_which_something_else_was_told_are_told_apart():
    worlds = worlds_of()
    assert apart(worlds.here, worlds.there, "ada") is None
    assert apart(worlds.here, worlds.there, "bo").startswith("bo is told {'n': 3, 'type': 'fleet_placed'")


def test_there_is_no_other_world_where_a_fleet_is_not_placed_or_is_known_whole():
    match = Match.new("tactical", seats=("ada", "bo"), seed=1)
    assert another_fleet(match, BOOK, "bo", chance(1)) is None

    tight = REGISTRY.variant("classic").but(id="tight", grid={"columns": 1, "rows": 2}, fleet=TACTICAL.fleet[-1:])
    match = Match.new(tight, seats=("ada", "bo"), seed=1)
    match.submit(PlaceFleet("bo", match.random_placement("bo")))
    assert another_fleet(match, REGISTRY.book(tight), "bo", chance(1)) is None


def test_another_fleet_fits_all_shots_so_far():
    match = Scenario("classic", fleets={"bo": {"destroyer": "A1-A2", "cruiser": "C1-C3"}}).match
    for mine, theirs in (("A1", "J1"), ("A2", "J2"), ("C1", "J3"), ("B1", "J4")):
        match.submit(Fire("ada", mine))
        match.submit(Fire("bo", theirs))
    book = REGISTRY.book(match.variant)
    found = [another_fleet(match, book, "bo", chance(seed)) for seed in range(20)]

    fleets = [fleet for fleet in found if fleet is not None]
    assert len(fleets) > 10
    for fleet in fleets:
        cells = {cell for ship in fleet.values() for cell in ship}
        assert fleet["destroyer"] == ["A1", "A2"]
        assert "C1" in cells
        assert "B1" not in cells
    assert {ship for fleet in fleets for ship, cells in fleet.items() if "C1" in cells} > {"cruiser"}


# Findings, and who ran.


def test_a_finding_without_a_suspect_names_its_variant():
    finding = Finding("log", "is odd", variant="classic")

    assert finding.blamed([]) is finding
    assert (finding.log, str(finding)) == ("", "classic: log: is odd")
    assert finding.shortest() is finding
    assert finding.blamed(["x"]).rule == "x"
    assert shown(PlaceFleet("ada", {})) == "ada places a fleet"


def test_handlers_are_all_that_an_author_wrote_for_the_engine():
    @ability("test.all")
    class All(Ability):
        def use(self, ctx, target):
            yield Note("x")

        def allows(self, ctx, target):
            return True

        @reacts(TurnStarted)
        def hear(self, ctx, event):
            pass

    @ability("test.passive")
    class Passive(Ability):
        @reacts(TurnEnded)
        def hear(self, ctx, event):
            pass

    assert handlers(All) == ("hear", "use", "allows")
    assert handlers(Passive) == ("hear",)
    assert handlers(Flips) == ("flip",)


def test_a_watch_hears_bots_and_variants_too():
    registry = Watch().registry(REGISTRY)

    assert {*registry.variants} == {*REGISTRY.variants}
    assert {*registry.bots} == {*REGISTRY.bots}
    assert registry.plugin_of("sonar") == "irontide_abilities"
