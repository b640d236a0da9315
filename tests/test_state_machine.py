"""A state machine plays any variant with legal and illegal commands, and checks the promises after each."""

import json
import random

import hypothesis.strategies as st
import pytest
from hypothesis import HealthCheck, settings
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

import irontide
from irontide import (
    Ability,
    Area,
    Fire,
    GainPoints,
    Mark,
    Match,
    Note,
    OneCell,
    OtherTurns,
    PlaceFleet,
    Refusal,
    Refused,
    Registry,
    Resign,
    Rule,
    Scan,
    SetData,
    ShipClass,
    Shot,
    ShotFired,
    TimeOut,
    TurnEnded,
    UseAbility,
    ability,
    adjusts,
    forbids,
    hookimpl,
    reacts,
    replaces,
)
from irontide.guard import Guard
from irontide.legality import CHECKS
from irontide.options import options_of
from irontide.testing.promises import (
    limits_are_kept,
    no_sunk_ship_acts,
    options_are_what_is_accepted,
    purses_hold,
    the_sunk_are_still,
    views_are_folds,
)

CAP = 10
"""Of every variant here that has points."""

MANY = 8
"""So many shots, and targets of each ability, offered or not, are tried each time."""

# A plugin that uses every verb.


@ability("test.shield", price=1, target=OneCell(side="own"))
class Shield(Ability):
    """An own cell, marked in secret, turns shots away until the enemy's second turn from now is over."""

    def use(self, ctx, cell):
        yield Mark(cell.cells, until=OtherTurns(2))

    @replaces(Shot, group="prevent")
    def turn_away(self, ctx, effect):
        if effect.by != ctx.seat.name and ctx.mark_at(effect.cell):
            return effect.blocked()
        return None


@ability("test.scout", price=1, target=OneCell(known="open"), per_match=3, cooldown=1)
class Scout(Ability):
    """Look at an open cell beside a hit, or at any as long as nothing was hit."""

    def use(self, ctx, cell):
        yield Scan(cell.cells, tell="any")

    def allows(self, ctx, cell):
        near = ctx.grid.neighbours(ctx.hit)
        return not near or bool(cell.cells & near)


@ability("test.fog", price=1, target=Area(2, 2, side="own"), instead_of_shot=True)
class Fog(Ability):
    """Shots into the area are answered "unknown" as long as the ship floats; it takes the place of the shot."""

    def use(self, ctx, area):
        yield Mark(area.cells, public=True)

    @replaces(Shot, group="modify")
    def hide(self, ctx, effect):
        hidden = effect.by != ctx.seat.name and ctx.mark_at(effect.cell)
        return effect.but(answer="unknown") if hidden else None


@irontide.rule("test.no_corners")
class NoCorners(Rule):
    """In its first two turns a seat may not fire at a corner."""

    @forbids(Fire)
    def keep_off(self, ctx, command):
        names = ctx.grid.names
        corners = {names[0], names[ctx.grid.columns - 1], names[-ctx.grid.columns], names[-1]}
        return Refusal("test.no_corners") if ctx.turn <= 2 and corners & {*command.cells} else None


@irontide.rule("test.no_scout_twice_rich")
class NoScout(Rule):
    """A seat with more than 4 points may not scout."""

    @forbids(UseAbility)
    def keep_off(self, ctx, command):
        return Refusal("test.rich") if command.ability == "test.scout" and ctx.points > 4 else None


@irontide.rule("test.third_turn")
class ThirdTurn(Rule):
    """Every third turn has one shot or two more, by chance."""

    @adjusts("shots")
    def more(self, ctx, shots):
        return shots + 1 + ctx.random.below(2) if ctx.seat.turn % 3 == 2 else shots


@irontide.rule("test.dear")
class Dear(Rule):
    """All costs one more for the richer seat."""

    @adjusts("price")
    def more(self, ctx, price, ability):
        return price + (ctx.points > ctx.opponent_points)


@irontide.rule("test.memory")
class Memory(Rule):
    """Counts the turns, in secret and openly, tells of it, and rewards every fourth miss."""

    @reacts(TurnEnded)
    def count(self, ctx, event):
        n = ctx.data.get("turns", 0) + 1
        yield SetData("turns", n)
        yield [SetData("shown", {"turns": [n]}, public=True), Note("test.note", to=event.seat, args={"n": n})]
        if n % 5 == 0:
            yield Note("test.all", args={"n": n})

    @reacts(ShotFired)
    def reward(self, ctx, event):
        misses = ctx.data.get(event.by, 0) + (event.told == "water")
        yield SetData(event.by, misses % 4)
        if misses == 4:
            yield GainPoints(event.by, 2)


class Plugin:
    @hookimpl
    def irontide_register(self, registry):
        for each in (Shield, Scout, Fog):
            registry.ability(each)
        for each in (NoCorners, NoScout, ThirdTurn, Dear, Memory):
            registry.rule(each)


REGISTRY = Registry.default()
REGISTRY.register(Plugin(), "test")
CLASSIC, SALVO, TACTICAL = (REGISTRY.variant(id_) for id_ in ("classic", "salvo", "tactical"))
PAIRS = (ShipClass("cruiser", 3), ShipClass("destroyer", 2, count=2))
BENT = (
    ShipClass("hook", shape=("xx", "x."), count=2),
    ShipClass("ess", shape=(".xx", "xx."), mirror=True),
    ShipClass("raft", 1),
)
CHEAP = {"recon": 1, "broadside": 1, "flak": 1, "torpedo": 1, "sonar": 1}


def armed(**abilities):
    """Return these abilities by class, at a price of 1."""
    return {class_: {"use": id_, "price": 1} for class_, id_ in abilities.items()}


VARIANTS = {
    "classic": CLASSIC,
    "salvo": SALVO,
    "tactical": TACTICAL,
    "small": CLASSIC.but(id="small", grid={"columns": 4, "rows": 4}, fleet=PAIRS),
    "small salvo": SALVO.but(id="small-salvo", grid={"columns": 5, "rows": 4}, fleet=PAIRS),
    "small tactical": TACTICAL.but(
        id="small-tactical",
        grid={"columns": 6, "rows": 4},
        fleet=(ShipClass("battleship", 3), ShipClass("cruiser", 2, count=2), ShipClass("submarine", 2)),
        abilities={
            "carrier": None,
            "destroyer": None,
            **armed(battleship="broadside", cruiser="flak", submarine="torpedo"),
        },
    ),
    "bent": TACTICAL.but(
        id="bent",
        grid={"columns": 7, "rows": 5},
        fleet=BENT,
        rules=["salvo", {"use": "no_touching", "corners": False}],
        abilities={**dict.fromkeys(TACTICAL.abilities), **armed(hook="torpedo", ess="sonar", raft="recon")},
    ),
    "free": TACTICAL.but(
        id="free",
        grid={"columns": 4, "rows": 5},
        fleet=PAIRS,
        rules=["salvo"],
        drops=["core.one_ability", "core.no_repeat"],
        abilities={**dict.fromkeys(TACTICAL.abilities), **armed(cruiser="broadside", destroyer="flak")},
    ),
    "plugin": TACTICAL.but(
        id="plugin",
        grid={"columns": 5, "rows": 5},
        fleet=(ShipClass("carrier", 3), *PAIRS, ShipClass("raft", 1)),
        rules=["test.no_corners", "test.no_scout_twice_rich", "test.third_turn", "test.dear", "test.memory"],
        abilities={
            "battleship": None,
            "submarine": None,
            "carrier": "test.shield",
            "cruiser": "test.scout",
            "destroyer": "flak",
            "raft": "test.fog",
        },
    ),
    "plugin salvo": SALVO.but(
        id="plugin-salvo",
        grid={"columns": 5, "rows": 4},
        fleet=(*PAIRS, ShipClass("raft", 1)),
        rules=["test.memory", "points.start", "points.cap", "points.for_sinking", "no_touching"],
        drops=["no_touching"],
        abilities=armed(cruiser="test.shield", destroyer="torpedo", raft="test.fog"),
    ),
}


# Commands, most of them wrong.

SEATS = st.sampled_from(["ada", "bo", "ada", "bo", "ada", "bo", "eve", ""])
ON_GRID = st.builds("{}{}".format, st.sampled_from("ABCDEFG"), st.integers(1, 5))
CELLS = st.one_of(
    ON_GRID, ON_GRID, st.sampled_from([" b2 ", "a1", "Z9", "A0", "K1", "A01", "\u01311", "A\uff11", "", None, 5, True])
)
WORDS = st.sampled_from(["across", "down", "right", "left", "up", "", None, 1])
TARGETS = st.one_of(
    CELLS,
    st.fixed_dictionaries({"at": CELLS, "axis": WORDS}),
    st.fixed_dictionaries({"from": CELLS, "direction": WORDS}),
    st.lists(CELLS, max_size=3),
    st.sampled_from([{}, {"ship": "cruiser"}, {"ability": "flak"}, {"at": "B2"}, {"at": "B2", "axis": "down", "x": 1}]),
)
ABILITIES = st.sampled_from(
    ["recon", "broadside", "flak", "torpedo", "sonar", "test.shield", "test.scout", "test.fog", "radar", ""]
)
PLACES = st.one_of(st.builds("{}-{}".format, ON_GRID, ON_GRID), st.lists(CELLS, max_size=4), CELLS)
SHIPS = st.sampled_from(["carrier", "cruiser", "destroyer", "destroyer-2", "hook", "raft", "frigate"])
GARBAGE = st.one_of(
    st.builds(Fire, SEATS, st.one_of(CELLS, st.lists(CELLS, max_size=6))),
    st.builds(Fire, SEATS, st.one_of(CELLS, st.lists(CELLS, max_size=6))),
    st.builds(UseAbility, SEATS, ABILITIES, TARGETS),
    st.builds(UseAbility, SEATS, ABILITIES, TARGETS),
    st.builds(PlaceFleet, SEATS, st.dictionaries(SHIPS, PLACES, max_size=5)),
    st.builds(TimeOut, SEATS),
    st.builds(Resign, st.sampled_from(["eve", ""])),
)


def attempt(match, command):
    """Submit a command; return its commit, or None and why it was refused."""
    try:
        return match.submit(command), ()
    except Refused as refused:
        return None, refused.refusals


class Play(RuleBasedStateMachine):
    """One match of the variant `name`. What holds after a commit is not looked at again after a refused command."""

    name = "classic"
    checked = -1

    @initialize(
        seed=st.integers(0, 2**32),
        first=st.sampled_from(["ada", "bo"]),
        shots=st.integers(0, 40),
    )
    def begin(self, seed, first, shots):
        """Start a match, in most cases in the midst of a battle: after some shots by chance."""
        self.variant = VARIANTS[self.name]
        self.book = REGISTRY.book(self.variant)
        self.match = Match.new(
            self.variant, seats=("ada", "bo"), seed=seed, first=first, registry=REGISTRY, strict=True
        )
        self.lengths = {}
        if shots < 2:
            return
        for seat in ("ada", "bo"):
            self.match.submit(PlaceFleet(seat, self.match.random_placement(seat)))
        chance = random.Random(seed)  # noqa: S311 - a game
        for _ in range(shots - 2):
            seat = self.match.seat_to_move
            if seat is None:
                break
            fire = self.match.options(seat).fire
            names = self.match.grid.list(fire.cells)
            self.match.submit(Fire(seat, chance.sample(names, fire.count)))

    # Commands.

    @precondition(lambda self: self.match.number < 4)
    @rule(seat=st.sampled_from(["ada", "bo"]), n=st.integers(0, 9))
    def place(self, seat, n):
        placed = self.try_out(PlaceFleet(seat, self.match.random_placement(seat, n)))
        both = self.match.seat_to_move is not None or self.match.outcome is not None
        assert placed or both, "a fleet by chance is refused"

    @precondition(lambda self: self.match.seat_to_move)
    @rule(data=st.data(), sloppy=st.booleans())
    def fire(self, data, sloppy):
        self.fire_some(data, sloppy)

    def fire_some(self, data, sloppy):
        seat = self.match.seat_to_move
        fire = self.match.options(seat).fire
        chosen = data.draw(st.permutations(self.match.grid.list(fire.cells)))[: fire.count]
        names = [f" {name.lower()} " for name in chosen] if sloppy else chosen
        assert self.try_out(Fire(seat, names))

    @precondition(lambda self: self.usable())
    @rule(data=st.data())
    def use(self, data):
        self.use_one(data)

    @precondition(lambda self: self.match.seat_to_move)
    @rule(data=st.data())
    def use_or_fire(self, data):
        if self.usable():
            self.use_one(data)
        else:
            self.fire_some(data, sloppy=False)

    def use_one(self, data):
        options = self.match.options(self.match.seat_to_move)
        id_ = data.draw(st.sampled_from(self.usable()))
        targets = [*options.abilities[id_].targets] or [None]
        command = UseAbility(options.seat, id_, data.draw(st.sampled_from(targets)))
        assert self.try_out(command)

    @rule(command=GARBAGE)
    def try_garbage(self, command):
        self.try_out(command)

    @precondition(lambda self: self.match.number > 20 and self.match.outcome is None)
    @rule(seat=st.sampled_from(["ada", "bo"]))
    def resign(self, seat):
        assert self.try_out(Resign(seat))
        assert not self.try_out(Resign(seat))

    def usable(self):
        seat = self.match.seat_to_move
        if seat is None:
            return []
        return [id_ for id_, option in self.match.options(seat).abilities.items() if option.refusal is None]

    def try_out(self, command):
        """Submit a command to the match and to one read from its log; tell whether it was accepted."""
        match, before, state = self.match, self.match.dumps(), self.match.state
        told = {seat: match.told(seat) for seat in ("ada", "bo", None)}
        copy = Match.loads(before, REGISTRY, strict=True)
        expected = match.refusals(command)
        if command.seat in match.seats:
            known = match.view(command.seat)._state  # noqa: SLF001 - what the seat knows
            check = CHECKS[type(command)](self.book, known, command, Guard(known, None))
            assert tuple(check) == expected, "the seat can't know why"
        commit, refusals = attempt(match, command)
        assert refusals == expected
        if commit is None:
            assert expected
            assert attempt(copy, command) == (None, expected)
            self.can_be_told(expected)
            assert (match.dumps(), match.state) == (before, state), "a refused command left a trace"
            assert {seat: match.told(seat) for seat in told} == told
            return False
        assert commit.number == state.number + 1 == match.number
        assert copy.submit(command) == commit
        assert copy.dumps() == match.dumps()
        assert match.dumps().startswith(before)
        written = json.loads(json.dumps(irontide.to_json(commit.command)))
        assert irontide.command_from_json(written) == commit.command
        assert [*no_sunk_ship_acts(state, commit, self.book)] == []
        return True

    def can_be_told(self, refusals):
        for refusal in refusals:
            assert refusal.text("en")
            assert refusal.text("de")
            json.dumps(irontide.to_json(refusal))

    # What holds after each command.

    @invariant()
    def all_promises_hold(self):
        if self.checked == self.match.number:
            return
        self.checked = self.match.number
        self.the_kit_finds_nothing()
        self.the_log_folds_to_the_live_state()
        self.told_streams_only_grow()
        self.secrets_stay_with_whose_they_are()
        self.a_view_shows_the_target_in_disjoint_parts()
        self.points_stay_within_bounds()
        self.options_come_from_the_view_alone()

    def the_kit_finds_nothing(self):
        match, book, chance = self.match, self.book, random.Random(self.match.number)  # noqa: S311 - a sample
        found = [*views_are_folds(match), *purses_hold(match), *the_sunk_are_still(match, book)]
        for seat in match.seats:
            found += [*limits_are_kept(match, book, seat)]
            found += [*options_are_what_is_accepted(match, book, seat, chance, MANY)]
        assert found == []

    def the_log_folds_to_the_live_state(self):
        text = self.match.dumps()
        assert Match.loads(text, REGISTRY).state == self.match.state
        assert self.match.faults == []

    def told_streams_only_grow(self):
        for seat in ("ada", "bo", None):
            told, old = self.match.told(seat), self.lengths.get(seat, 0)
            assert self.match.told(seat, since=old) == told[old:]
            self.lengths[seat] = len(told)

    def secrets_stay_with_whose_they_are(self):
        """Check who is told what was struck, found, aimed at on the own side, marked and noted in secret."""
        for seat in ("ada", "bo", None):
            for event in self.match.told(seat):
                assert not {"cause", "to", "target_to"} & {*event}
                if event["type"] == "shot_fired" and (seat is None or event["by"] == seat):
                    assert not {"hit", "struck"} & {*event}
                elif event["type"] == "cells_scanned" and event["by"] != seat:
                    assert not {"count", "any", "cells"} & {*event}
                elif event["type"] == "ability_used" and event["seat"] != seat:
                    assert event["ability"] not in {"test.shield", "test.fog"} or event["target"] is None
                elif event["type"] == "fleet_placed" and event["seat"] != seat:
                    assert event["ships"] is None
                elif event["type"] == "noted" and event["key"] == "test.note":
                    assert seat is not None
                assert event["type"] != "marked" or event["rule"] != "test.shield" or event["seat"] == seat
                assert event["type"] != "data_set" or event["key"] == "shown"

    def a_view_shows_the_target_in_disjoint_parts(self):
        for seat in ("ada", "bo"):
            target = self.match.view(seat).target
            parts = (target.water, target.hit, target.sunk, target.unknown)
            assert sum(len(part) for part in parts) == self.match.grid.size
            assert (parts[0] | parts[1] | parts[2] | parts[3]) == self.match.grid.all
            assert (target.ships is None) == (self.match.outcome is None)

    def points_stay_within_bounds(self):
        assert all(points <= CAP for points in self.match.state.points)
        for seat, other in (("ada", "bo"), ("bo", "ada")):
            assert self.match.view(seat).opponent_points == self.match.view(other).points

    def options_come_from_the_view_alone(self):
        for n, seat in enumerate(self.match.seats):
            known = self.match.view(seat)._state  # noqa: SLF001 - what the seat knows
            assert options_of(self.book, known, n, Guard(known, None)) == self.match.options(seat)
            json.dumps(irontide.to_json(self.match.options(seat)))

    def teardown(self):
        if hasattr(self, "match"):
            verdict = irontide.verify(self.match.dumps(), REGISTRY)
            assert verdict.kind is irontide.VerdictKind.EXACT, verdict
            assert Match.loads(self.match.dumps(), Registry.default()).state == self.match.state


@pytest.mark.parametrize("name", VARIANTS)
def test_the_promises_hold_whatever_is_submitted(name):
    class PlayVariant(Play):
        pass

    PlayVariant.name = name
    run_state_machine_as_test(
        PlayVariant, settings=settings(max_examples=6, stateful_step_count=30, suppress_health_check=[*HealthCheck])
    )


def test_every_variant_of_the_machine_can_be_played_to_its_end_by_its_options_alone():
    """The machine stops after some commands; here each variant ends, with abilities used whenever there are some."""
    for variant in VARIANTS.values():
        for seed in range(3):
            match = Match.new(variant, seats=("ada", "bo"), seed=seed, registry=REGISTRY, strict=True)
            chance = random.Random(seed)  # noqa: S311 - a game
            for seat in match.seats:
                match.submit(PlaceFleet(seat, match.random_placement(seat)))
            while match.outcome is None:
                seat = match.seat_to_move
                options = match.options(seat)
                usable = [id_ for id_, option in options.abilities.items() if option.refusal is None]
                if usable and chance.random() < 0.5:
                    id_ = chance.choice(usable)
                    match.submit(UseAbility(seat, id_, chance.choice([*options.abilities[id_].targets] or [None])))
                else:
                    fire = options.fire
                    match.submit(Fire(seat, chance.sample(match.grid.list(fire.cells), fire.count)))
                assert match.number < 2_000
            assert irontide.verify(match.dumps(), REGISTRY).kind is irontide.VerdictKind.EXACT
