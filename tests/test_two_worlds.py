"""Two worlds that look the same to a seat: the same commands tell it the same, offer it the same, refuse it the same.

A match is played by chance. Then the other side's fleet is changed to one that fits everything the seat could learn
from its shots and scans (worked out here, without the engine), and the same commands are submitted in that other world.
"""

import random

import hypothesis.strategies as st
import pytest
from hypothesis import HealthCheck, assume, given, settings

from irontide import (
    Ability,
    Area,
    BattleStarted,
    CellSet,
    CellsScanned,
    Fire,
    FleetPlaced,
    Mark,
    Match,
    Note,
    OneCell,
    OtherTurns,
    PlaceFleet,
    Refused,
    Registry,
    Resign,
    Rule,
    Scan,
    SetData,
    ShipClass,
    ShipSunk,
    Shot,
    ShotFired,
    TimeOut,
    TurnEnded,
    UseAbility,
    ability,
    hookimpl,
    reacts,
    replaces,
    rule,
)
from irontide.testing.worlds import apart

# A plugin with secrets.


@ability("test.shield", price=1, target=OneCell(side="own"))
class Shield(Ability):
    """An own cell, marked in secret, turns shots away."""

    def use(self, ctx, cell):
        yield Mark(cell.cells, until=OtherTurns(2))

    @replaces(Shot, group="prevent")
    def turn_away(self, ctx, effect):
        if effect.by != ctx.seat.name and ctx.mark_at(effect.cell):
            return effect.blocked()
        return None


@ability("test.fog", price=1, target=Area(2, 2, side="own"))
class Fog(Ability):
    """Shots into the area are answered "unknown"."""

    def use(self, ctx, area):
        yield Mark(area.cells)

    @replaces(Shot, group="modify")
    def hide(self, ctx, effect):
        hidden = effect.by != ctx.seat.name and ctx.mark_at(effect.cell)
        return effect.but(answer="unknown") if hidden else None


@ability("test.scout", price=1, target=OneCell(known="open"))
class Scout(Ability):
    """Look at an open cell, beside a hit if there is one."""

    def use(self, ctx, cell):
        yield Scan(cell.cells, tell="any")

    def allows(self, ctx, cell):
        near = ctx.grid.neighbours(ctx.hit) & ctx.open()
        return not near or bool(cell.cells & near)


@rule("test.secretive")
class Secretive(Rule):
    """Remembers, marks and draws as the hidden fleets have it, and says nothing of it."""

    @reacts(FleetPlaced)
    def weigh(self, ctx, event):
        ctx.random.below(1 + len(ctx.seat.cells & ctx.grid.row(1)) + len(ctx.other.cells & ctx.grid.row(1)))
        yield SetData("placed", ctx.data.get("placed", 0) + 1)

    @reacts(BattleStarted)
    def remember(self, ctx, event):
        for side in (ctx.seat, ctx.other):
            yield SetData(side.name, len(side.cells & ctx.grid.row(1)))
            for ship, cells in side.ships.items():
                if cells & ctx.grid.row(1):
                    yield Mark(ship, side=side.name)

    @reacts(ShotFired)
    def watch(self, ctx, event):
        if event.struck is not None:
            yield SetData(event.struck, ctx.random.below(9))
            yield Mark(ctx.grid.cells(event.at), side=ctx.opponent(event.by).name)


@rule("test.open_marks")
class OpenMarks(Rule):
    """Marks ships of the first row in secret, and each turn openly, which must not betray that there are others."""

    @reacts(BattleStarted)
    def hide(self, ctx, event):
        for side in (ctx.seat, ctx.other):
            for ship, cells in side.ships.items():
                if cells & ctx.grid.row(1):
                    yield Mark(ship, side=side.name)

    @reacts(TurnEnded)
    def show(self, ctx, event):
        yield Mark(public=True, until="turn")
        yield Note("test.luck", args={"luck": ctx.random.below(100)})


class Plugin:
    @hookimpl
    def irontide_register(self, registry):
        for each in (Shield, Fog, Scout):
            registry.ability(each)
        for each in (Secretive, OpenMarks):
            registry.rule(each)


REGISTRY = Registry.default()
REGISTRY.register(Plugin(), "test")
CLASSIC, SALVO, TACTICAL = (REGISTRY.variant(id_) for id_ in ("classic", "salvo", "tactical"))
SMALL = {"columns": 6, "rows": 6}
FOUR = (ShipClass("carrier", 3), ShipClass("cruiser", 3), ShipClass("destroyer", 2), ShipClass("raft", 1))
PAIRS = (ShipClass("cruiser", 3), ShipClass("destroyer", 2, count=2), ShipClass("raft", 1, count=2))


def one(class_, id_, base=TACTICAL):
    """Return a small variant with this one ability, nearly for nothing."""
    return base.but(
        id=f"only-{id_}",
        grid=SMALL,
        fleet=FOUR,
        abilities={**dict.fromkeys(base.abilities), class_: {"use": id_, "price": 1}},
    )


VARIANTS = {
    "classic": CLASSIC,
    "salvo": SALVO,
    "tactical": TACTICAL,
    "small salvo with pairs": SALVO.but(id="pairs", grid=SMALL, fleet=PAIRS),
    "small salvo, apart": SALVO.but(id="apart", grid=SMALL, fleet=PAIRS, rules=["no_touching"]),
    "bent": CLASSIC.but(
        id="bent", grid=SMALL, fleet=(ShipClass("hook", shape=("xx", "x."), count=2), ShipClass("destroyer", 2))
    ),
    "recon": one("destroyer", "recon"),
    "sonar": one("destroyer", "sonar"),
    "torpedo": one("destroyer", "torpedo"),
    "broadside": one("destroyer", "broadside"),
    "flak": one("destroyer", "flak"),
    "shield": one("carrier", "test.shield"),
    "fog": one("carrier", "test.fog"),
    "scout": one("carrier", "test.scout"),
    "scouts in fog": one("carrier", "test.scout").but(id="both", abilities={"cruiser": "test.fog"}),
    "everything": TACTICAL.but(
        id="everything",
        grid=SMALL,
        fleet=FOUR,
        rules=["salvo", "test.secretive", "test.open_marks"],
        abilities={
            **dict.fromkeys(TACTICAL.abilities),
            "carrier": {"use": "test.shield"},
            "cruiser": {"use": "flak", "price": 1},
            "destroyer": {"use": "sonar", "price": 1},
            "raft": {"use": "test.fog"},
        },
    ),
}


# The first world.


def place_both(match, fleets):
    for seat, ships in fleets.items():
        match.submit(PlaceFleet(seat, ships))


def some_command(match, seat, chance):
    """Return an ability, if the purse and chance will, or shots; now and then one that is refused."""
    options = match.options(seat)
    if chance.random() < 0.1:
        cell = chance.choice(match.grid.names)
        return chance.choice(
            [Fire(seat, cell), Fire(seat, [cell, "Z9"]), UseAbility(seat, "sonar", cell), TimeOut(seat)]
        )
    usable = [id_ for id_, option in options.abilities.items() if option.refusal is None]
    if usable and chance.random() < 0.7:
        id_ = chance.choice(usable)
        return UseAbility(seat, id_, chance.choice([*options.abilities[id_].targets] or [None]))
    names = match.grid.list(options.fire.cells)
    near = match.grid.list(match.grid.neighbours(match.view(seat).target.hit) & options.fire.cells)
    if near and options.fire.count == 1 and chance.random() < 0.7:
        return Fire(seat, chance.choice(near))
    return Fire(seat, chance.sample(names, options.fire.count))


def play(match, moves, chance):
    """Play a match by chance, but not to its end; return its commands, refused ones too."""
    commands = []
    while len(commands) < moves:
        command = some_command(match, match.seat_to_move, chance)
        try:
            ends = match.fork().submit(command).events[-1].type == "fleet_revealed"
        except Refused:
            ends = False
        if ends:
            break
        attempt(match, command)
        commands.append(command)
    return commands


def attempt(match, command):
    """Submit a command; return why it was refused, if it was."""
    try:
        match.submit(command)
    except Refused as refused:
        return refused.refusals
    return ()


# What a seat could learn about the other fleet: worked out anew, from its shots and scans alone.


def fits(grid, fleet, match, seat):
    """Tell whether a fleet of the other side would have given all the answers that the seat got."""
    at = {grid.cell(name): ship for ship, names in fleet.items() for name in names}
    left = {ship: set(grid.cells(*names)) for ship, names in fleet.items()}
    for commit in match.commits:
        if not all(answers(grid, at, left, event) for event in commit.events if getattr(event, "by", None) == seat):
            return False
        gone = [ship for ship, cells in left.items() if not cells]
        sunk = [event.ship for event in commit.events if isinstance(event, ShipSunk) and event.seat != seat]
        if sorted(gone) != sorted(sunk):
            return False
        for ship in gone:
            del left[ship]
    return True


def answers(grid, at, left, event):
    """Tell whether a fleet (`at`: the ship on each cell; `left`: what is not yet hit) would answer so, and hit it."""
    if isinstance(event, ShotFired):
        cell = grid.cell(event.at)
        if event.told in {"hit", "water"} and (event.told == "hit") != (cell in at):
            return False
        if cell in at and event.told != "blocked":
            left[at[cell]].discard(cell)
    elif isinstance(event, CellsScanned):
        area = set(grid.cells(*event.area))
        unhit = set().union(*left.values()) & area
        found = {"count": len(unhit), "any": bool(unhit), "cells": grid.list(CellSet.of(area & set(at)))}
        return found[event.tell] == getattr(event, event.tell)
    return True


def another_fleet(match, seat, other, true, chance):
    """Return a legal fleet that is not the true one but that the seat can't tell from it, or None if none was found."""
    grid = match.grid
    fresh = Match.new(match.variant, seats=match.seats, seed=1, registry=REGISTRY)
    for n in range(60):
        drawn = {ship: place.cells for ship, place in match.random_placement(other, n).items()}
        for _ in range(12):
            moved = chance.sample([*true], chance.randint(1, min(3, len(true))))
            fleet = {ship: (drawn if ship in moved else true)[ship] for ship in true}
            if chance.random() < 0.3:
                one, two = chance.choice([*true]), chance.choice([*true])
                fleet[one], fleet[two] = fleet[two], fleet[one]
            cells = [cell for names in fleet.values() for cell in names]
            if fleet == true or len(cells) != len({*cells}) or not fits(grid, fleet, match, seat):
                continue
            if not fresh.refusals(PlaceFleet(other, fleet)):
                return fleet
    return None


# The comparison.


def compare(match, other_match, seat):
    assert apart(match, other_match, seat) is None
    assert (match.seat_to_move, match.outcome, match.number) == (
        other_match.seat_to_move,
        other_match.outcome,
        other_match.number,
    )


@pytest.mark.parametrize("variant", VARIANTS.values(), ids=VARIANTS.keys())
def test_a_seat_cannot_tell_two_worlds_apart(variant):
    @settings(max_examples=15, suppress_health_check=[*HealthCheck])
    @given(seed=st.integers(0, 2**32), moves=st.integers(1, 40), turned=st.booleans())
    def try_worlds(seed, moves, turned):
        chance = random.Random(seed)  # noqa: S311 - a game
        seat, other = ("bo", "ada") if turned else ("ada", "bo")
        match = Match.new(variant, seats=("ada", "bo"), seed=seed, registry=REGISTRY, strict=True)
        fleets = {
            name: {ship: place.cells for ship, place in match.random_placement(name).items()} for name in ("ada", "bo")
        }
        place_both(match, fleets)
        commands = play(match, moves, chance)
        fleet = another_fleet(match, seat, other, fleets[other], chance)
        assume(fleet is not None)
        here = Match.new(variant, seats=("ada", "bo"), seed=seed, registry=REGISTRY, strict=True)
        there = Match.new(variant, seats=("ada", "bo"), seed=seed, registry=REGISTRY, strict=True)
        place_both(here, fleets)
        place_both(there, {**fleets, other: fleet})
        compare(here, there, seat)
        for n, command in enumerate(commands):
            reasons = attempt(here, command), attempt(there, command)
            if command.seat == seat:
                assert reasons[0] == reasons[1]
            assert here.told(seat) == there.told(seat)
            if n % 4 == 3:
                compare(here, there, seat)
        compare(here, there, seat)
        assert here.told(other) != there.told(other), "the worlds are not two"

    try_worlds()


# The pair to keep.

REST = {"carrier": "A10-E10", "battleship": "A8-D8", "submarine": "A6-C6"}
LONG_FIRST = {**REST, "cruiser": "A1-C1", "destroyer": "D1-E1"}
SHORT_FIRST = {**REST, "destroyer": "A1-B1", "cruiser": "C1-E1"}


@pytest.mark.parametrize("rules", [[], ["points.start", "points.income", "points.for_sinking"]])
@pytest.mark.parametrize("base", [SALVO, TACTICAL.but(id="both", rules=["salvo"])], ids=["salvo", "tactical salvo"])
def test_one_salvo_that_sinks_two_ships_does_not_tell_which_lay_where(base, rules):
    variant = base.but(id="pair", rules=rules)
    worlds = []
    for fleet in (LONG_FIRST, SHORT_FIRST):
        match = Match.new(variant, seats=("ada", "bo"), seed=1, registry=REGISTRY, strict=True)
        place_both(match, {"ada": LONG_FIRST, "bo": fleet})
        match.submit(Fire("ada", ["A1", "B1", "C1", "D1", "E1"]))
        assert [e["class"] for e in match.told("ada") if e["type"] == "ship_sunk"] == ["cruiser", "destroyer"]
        worlds.append(match)
    compare(*worlds, "ada")
    for match in worlds:
        match.submit(Fire("bo", ["J1", "J2", "J3"]))
        match.submit(Fire("ada", ["J1", "J2", "J3", "J4", "J5"]))
    compare(*worlds, "ada")


def test_a_torpedo_does_not_tell_by_where_it_stops_what_fog_hides():
    """What follows from a hidden fact is hidden with it: the torpedo stops at what was told as a hit."""
    variant = TACTICAL.but(
        id="fog",
        grid=SMALL,
        fleet=(ShipClass("carrier", 3), ShipClass("submarine", 2)),
        abilities={
            **dict.fromkeys(TACTICAL.abilities),
            "carrier": "test.fog",
            "submarine": {"use": "torpedo", "price": 1},
        },
    )
    worlds = []
    for submarine in ("A2-B2", "E6-F6"):
        match = Match.new(variant, seats=("bo", "ada"), seed=1, registry=REGISTRY, strict=True)
        place_both(
            match,
            {
                "ada": {"carrier": "D4-F4", "submarine": "A1-B1"},
                "bo": {"carrier": "D4-F4", "submarine": submarine},
            },
        )
        match.submit(UseAbility("bo", "test.fog", "A2"))
        match.submit(Fire("bo", "F6"))
        match.submit(UseAbility("ada", "torpedo", {"from": "A1", "direction": "down"}))
        assert "unknown" in [event["told"] for event in match.told("ada") if event["type"] == "shot_fired"]
        worlds.append(match)
    compare(*worlds, "ada")


def test_a_shield_does_not_tell_where_it_is_before_it_is_shot_at():
    worlds = []
    for cell in ("D4", "E5"):
        match = Match.new(VARIANTS["shield"], seats=("bo", "ada"), seed=1, registry=REGISTRY, strict=True)
        place_both(match, {seat: match.random_placement(seat) for seat in ("ada", "bo")})
        match.submit(UseAbility("bo", "test.shield", cell))
        match.submit(Fire("bo", "A1"))
        match.submit(Fire("ada", "A1"))
        worlds.append(match)
    compare(*worlds, "ada")
    assert worlds[0].told("bo") != worlds[1].told("bo")


def test_before_the_battle_nothing_is_known_of_the_other_fleet():
    for variant in VARIANTS.values():
        worlds = []
        for n in (0, 1):
            match = Match.new(variant, seats=("ada", "bo"), seed=1, registry=REGISTRY)
            match.submit(PlaceFleet("bo", match.random_placement("bo", n)))
            worlds.append(match)
        compare(*worlds, "ada")
        for match in worlds:
            match.submit(PlaceFleet("ada", match.random_placement("ada")))
        compare(*worlds, "ada")


def test_placing_again_tells_the_other_seat_the_same_wherever_the_ships_went():
    worlds = []
    for n in (0, 1):
        match = Match.new("tactical", seats=("ada", "bo"), seed=1)
        match.submit(PlaceFleet("bo", LONG_FIRST))
        match.submit(PlaceFleet("bo", match.random_placement("bo", n)))
        worlds.append(match)
    compare(*worlds, "ada")


def test_resigning_before_the_battle_reveals_to_everybody_what_there_is():
    match = Match.new("classic", seats=("ada", "bo"), seed=1)
    match.submit(PlaceFleet("bo", LONG_FIRST))
    match.submit(Resign("ada"))
    assert match.view("ada").target.ships["cruiser"].cells == match.grid.cells("A1", "B1", "C1")


# The spectator.


def holds(told, event):
    """Tell whether an event that a seat was told holds all that another says, but for its number."""
    given = {key: value for key, value in event.items() if key != "n" and value is not None}
    return all(told.get(key) == value for key, value in given.items())


@pytest.mark.parametrize("variant", VARIANTS.values(), ids=VARIANTS.keys())
def test_a_spectator_is_told_nothing_that_one_of_the_seats_was_not_told(variant):
    for seed in range(6):
        chance = random.Random(seed)  # noqa: S311 - a game
        match = Match.new(variant, seats=("ada", "bo"), seed=seed, registry=REGISTRY, strict=True)
        place_both(match, {seat: match.random_placement(seat) for seat in match.seats})
        play(match, 40, chance)
        for seat in match.seats:
            stream = iter(match.told(seat))
            for event in match.told(None):
                assert any(holds(told, event) for told in stream), f"{seat} was not told {event}"


def test_a_spectator_knows_each_shot_s_answer_but_no_fleet_no_target_and_no_finding():
    match = Match.new("tactical", seats=("ada", "bo"), seed=1)
    place_both(match, {"ada": LONG_FIRST, "bo": SHORT_FIRST})
    match.submit(UseAbility("ada", "sonar", "B2"))
    match.submit(Fire("ada", "A1"))
    told = match.told(None)
    assert [event["ships"] for event in told if event["type"] == "fleet_placed"] == [None, None]
    (scan,) = [event for event in told if event["type"] == "cells_scanned"]
    assert not {"count", "any", "cells"} & {*scan}
    (shot,) = [event for event in told if event["type"] == "shot_fired"]
    assert (shot["at"], shot["told"]) == ("A1", "hit")
    assert not {"hit", "struck"} & {*shot}
    assert match.view(None).sides["bo"].hit == match.grid.cells("A1")
