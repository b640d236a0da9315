"""Words for house rules: what may be asked of a rule about shots, sinkings and the sea, and what it may not answer."""

import pytest

import irontide
from irontide import (
    Ability,
    Answer,
    CellSet,
    CellsRevealed,
    Fire,
    IrontideError,
    Mark,
    Match,
    OneCell,
    PlaceFleet,
    Registry,
    Report,
    Reported,
    Reveal,
    Rule,
    ShipClass,
    ShipSunk,
    Shot,
    ShotFired,
    ShotsGranted,
    Sink,
    TurnStarted,
    UseAbility,
    Variant,
    VariantError,
    ability,
    adjusts,
    reacts,
    replaces,
    rule,
    to_json,
)
from irontide.testing import Bundle

FLEET = {"cruiser": "A1-A3", "destroyer": "E1-E2"}
BASE = Variant("base", fleet=(ShipClass("cruiser", 3), ShipClass("destroyer", 2)))


def registry_of(*classes):
    registry = Registry.default()
    registry.register(Bundle(classes), "test")
    return registry


def begun(*classes, strict=True, **changes):
    abilities = dict(zip(["destroyer"], (each.id for each in classes if issubclass(each, Ability)), strict=False))
    rules = [class_.id for class_ in classes if not issubclass(class_, Ability)]
    variant = BASE.but(id="test", grid={"columns": 5, "rows": 5}, rules=rules, abilities=abilities, **changes)
    match = Match.new(variant, seats=("ada", "bo"), seed=1, registry=registry_of(*classes), strict=strict)
    for seat in match.seats:
        match.submit(PlaceFleet(seat, FLEET))
    return match


def of(commit, kind):
    return [event for event in commit.events if isinstance(event, kind)]


# What a shot tells.


def test_an_answer_may_be_any_word_and_a_special_one_survives_whoever_leaves_it():
    @rule("test.near")
    class Near(Rule):
        @adjusts("answer")
        def near(self, ctx, answer, cell, ship):
            if answer.told == "water" and ctx.grid.neighbours(CellSet.of([cell])) & ctx.other.cells:
                return answer.but(told="test.near")
            return answer

    @rule("test.armour")
    class Armour(Rule):
        @replaces(Shot)
        def block(self, ctx, effect):
            return effect.blocked() if effect.cell == ctx.grid.cell("A1") else None

    match = begun(Near, Armour)

    assert match.submit(Fire("ada", "A1")).events[0].told == "blocked"
    assert match.submit(Fire("bo", "B1")).events[0].told == "test.near"
    assert match.submit(Fire("ada", "E5")).events[0].told == "water"


@pytest.mark.parametrize("given", [None, "hit", Answer(3), Answer("hit", "frigate"), Answer("hit", 5)])
def test_an_answer_that_is_none_is_the_rules_fault(given):
    @rule("test.odd")
    class Odd(Rule):
        @adjusts("answer")
        def odd(self, ctx, answer, cell, ship):
            return given

    match = begun(Odd, strict=False)

    assert match.submit(Fire("ada", "A1")).events[1] == ShotFired("ada", "A1", "hit", None, True, "cruiser")
    assert [fault.rule for fault in match.faults] == ["test.odd"]


# Who is told of an event.


@pytest.mark.parametrize(
    ("to", "heard"),
    [(("bo",), {"bo"}), (("bo", "ada"), {"ada", "bo"}), ((), {"bo"}), (("ada",), {"ada", "bo"}), (None, {"ada", "bo"})],
)
def test_a_rule_says_who_is_told_beside_whose_ship_it_is(to, heard):
    @rule("test.whisper")
    class Whisper(Rule):
        @adjusts("audience", group="hide")
        def whisper(self, ctx, seats, event):
            return to if isinstance(event, ShipSunk) else seats

    match = begun(Whisper)
    match.submit(Fire("ada", "E1"))
    match.submit(Fire("bo", "B1"))
    match.submit(Fire("ada", "E2"))

    assert {seat for seat in match.seats if "ship_sunk" in {event["type"] for event in match.told(seat)}} == heard
    assert match.view("ada").target.sunk_classes == (("destroyer",) if len(heard) == 2 else ())


@pytest.mark.parametrize("to", ["bo", ("eve",), (3,), 5])
def test_an_audience_that_is_none_is_the_rules_fault(to):
    @rule("test.odd")
    class Odd(Rule):
        @adjusts("audience")
        def odd(self, ctx, seats, event):
            return to

    @ability("test.mark")
    class Marker(Ability):
        def use(self, ctx, nothing):
            yield Mark(public=True)

    match = begun(Odd, Marker, strict=False)
    match.submit(UseAbility("ada", "test.mark"))

    assert {fault.rule for fault in match.faults} == {"test.odd"}
    assert [mark.rule for mark in match.view("bo").markers] == ["test.mark"]


def test_markers_that_end_with_a_silent_sinking_stay_in_the_others_view():
    @ability("test.mark")
    class Marker(Ability):
        def use(self, ctx, cell):
            yield Mark(public=True)
            yield Mark(ctx.ship)

    registry = registry_of(Marker)
    variant = BASE.but(
        id="test", grid={"columns": 5, "rows": 5}, rules=["silent_sinking"], abilities={"destroyer": "test.mark"}
    )
    match = Match.new(variant, seats=("ada", "bo"), seed=1, registry=registry, strict=True)
    for seat in match.seats:
        match.submit(PlaceFleet(seat, FLEET))
    match.submit(Fire("ada", "E1"))
    match.submit(UseAbility("bo", "test.mark"))
    match.submit(Fire("bo", "B1"))

    match.submit(Fire("ada", "E2"))

    assert match.view("bo").markers == ()
    assert [mark.id for mark in match.view("ada").markers] == ["test.mark@bo#1"]


@pytest.mark.parametrize("points", ["points.for_sinking", "points.on_loss"])
def test_points_for_a_sinking_that_was_not_told_are_not_paid(points):
    """A plugin's rule that hides sinkings without saying so: what follows is hidden all the same."""

    @rule("test.hush")
    class Hush(Rule):
        @adjusts("audience")
        def hush(self, ctx, seats, event):
            return (event.seat,) if isinstance(event, ShipSunk) else seats

    variant = BASE.but(id="test", grid={"columns": 5, "rows": 5}, rules=["test.hush", points])
    match = Match.new(variant, seats=("ada", "bo"), seed=1, registry=registry_of(Hush), strict=True)
    for seat in match.seats:
        match.submit(PlaceFleet(seat, FLEET))
    for seat, cell in (("ada", "E1"), ("bo", "B1"), ("ada", "E2")):
        match.submit(Fire(seat, cell))

    assert match.state.sunk[1] == ("destroyer",)
    assert match.state.points == [0, 0]


# How many cells a command takes.


def test_a_command_takes_one_cell_at_least():
    @rule("test.none")
    class Nothing(Rule):
        @adjusts("volley")
        def none(self, ctx, volley):
            return 0

    match = begun(Nothing)

    assert match.options("ada").fire.count == 1
    match.submit(Fire("ada", "B1"))


# Telling without a shot, and telling together.


def test_cells_are_revealed_once_and_never_what_is_known():
    @ability("test.lamp", target=OneCell())
    class Lamp(Ability):
        def use(self, ctx, cell):
            yield Reveal(ctx.seat.name, ctx.grid.cells("A1", "B1", "E1", "E3"))

    match = begun(Lamp, drops=["core.one_ability"])
    match.submit(Fire("ada", "A1"))
    match.submit(Fire("bo", "B1"))

    commit = match.submit(UseAbility("ada", "test.lamp", "C3"))

    assert of(commit, CellsRevealed) == [CellsRevealed("ada", ("B1", "E3"), ("E1",), cause=0)]
    target = match.view("ada").target
    assert (target.water, target.seen) == (match.grid.cells("B1", "E3"), match.grid.cells("E1"))
    assert to_json(match.view("ada"))["target"]["seen"] == ["E1"]
    assert match.grid.cells("E1", "E3") <= match.options("ada").fire.cells
    [told] = [event for event in match.told("bo") if event["type"] == "cells_revealed"]
    assert irontide.text(told, "en") == "ada is told of water at B1, E3 and of ships at E1."
    assert of(match.submit(UseAbility("ada", "test.lamp", "C3")), CellsRevealed) == []
    match.submit(Fire("ada", "E1"))
    assert not match.view("ada").target.seen


def test_before_a_fleet_stands_nothing_of_it_is_revealed_or_sunk():
    @rule("test.early")
    class Early(Rule):
        @reacts(irontide.FleetPlaced)
        def reveal(self, ctx, event):
            if ctx.other.ships == {}:
                yield Reveal("ada", ctx.grid.cells("A1"))
                yield Sink("bo", "cruiser", shown=True)

    match = begun(Early)

    events = match.commits[0].events
    assert [event for event in events if isinstance(event, CellsRevealed)] == [CellsRevealed("ada", ("A1",), cause=0)]
    assert [event.cells for event in events if isinstance(event, ShipSunk)] == [None]


def test_a_report_is_told_as_it_is_given():
    @rule("test.report")
    class Summary(Rule):
        @reacts(ShotFired)
        def sum_up(self, ctx, event):
            assert [type(each) for each in ctx.batch] == [ShotFired]
            cells = ctx.grid.cells(event.at)
            yield [Report(cells, 1, {"destroyer": 1, "cruiser": 2}, event.by), Report(cells, 0, by=event.by)]

    match = begun(Summary)

    commit = match.submit(Fire("ada", "B1"))

    assert [dict(each.ships) if each.ships else None for each in of(commit, Reported)] == [
        {"cruiser": 2, "destroyer": 1}, None
    ]  # fmt: skip
    assert [event["ships"] for event in match.told("bo") if event["type"] == "reported" and "ships" in event] == [
        {"cruiser": 2, "destroyer": 1}
    ]
    assert Match.loads(match.dumps(), registry_of(Summary)).state == match.state


@pytest.mark.parametrize("ships", [{"frigate": 1}, {"cruiser": -1}, ["cruiser"], {"cruiser": "1"}])
def test_a_report_of_ships_that_are_none_is_the_rules_fault(ships):
    @rule("test.odd")
    class Odd(Rule):
        @reacts(ShotFired)
        def sum_up(self, ctx, event):
            yield Report(ctx.grid.cells(event.at), 1, ships, event.by)

    match = begun(Odd, strict=False)
    match.submit(Fire("ada", "B1"))

    assert [fault.handler for fault in match.faults] == ["sum_up"]


def test_a_context_knows_the_shots_that_are_left_and_the_clearance_of_a_ship():
    seen = []

    @rule("test.look")
    class Look(Rule):
        @reacts(TurnStarted)
        def look(self, ctx, event):
            seen.append((ctx.due, len(ctx.clearance(ctx.grid.cells("B2")))))

    begun(Look)
    assert seen == [(1, 0)]


# The sea.


def built(class_, **changes):
    registry = registry_of(class_)
    return registry, BASE.but(id="test", grid={"columns": 5, "rows": 5}, rules=[class_.id], **changes)


@pytest.mark.parametrize("given", [None, 5, CellSet(1 << 40)])
def test_a_sea_that_is_no_set_of_cells_is_refused(given):
    @rule("test.odd")
    class Odd(Rule):
        @adjusts("sea")
        def odd(self, grid, sea, chance):
            return given

    registry, variant = built(Odd)
    with pytest.raises(VariantError) as caught:
        registry.book(variant)
    assert [problem.code for problem in caught.value.problems] == ["bad_rule"]


def test_a_sea_that_goes_wrong_when_it_is_drawn_stops_the_match():
    @rule("test.odd")
    class Odd(Rule):
        @adjusts("sea")
        def odd(self, grid, sea, chance):
            key = chance._key  # noqa: SLF001 - a rule that is bad on purpose
            chance.below(2)
            if "str:unlucky" in key:
                raise ValueError
            return sea if "str:crowded" not in key else CellSet()

    registry, variant = built(Odd)
    Match.new(variant, seats=("ada", "bo"), seed=1, registry=registry)
    with pytest.raises(IrontideError, match="cannot be drawn"):
        Match.new(variant, seats=("ada", "bo"), seed="unlucky", registry=registry)
    with pytest.raises(IrontideError, match="no room"):
        Match.new(variant, seats=("ada", "bo"), seed="crowded", registry=registry)


def test_islands_that_take_what_was_drawn_before_are_drawn_again():
    @rule("test.half")
    class Half(Rule):
        @adjusts("sea")
        def half(self, grid, sea, chance):
            return sea - CellSet.of(chance.sample([*sea], 12))

    registry, variant = built(Half)
    for seed in range(70):
        match = Match.new(variant, seats=("ada", "bo"), seed=seed, registry=registry)
        assert len(match.islands) == 12
        for seat in match.seats:
            match.submit(PlaceFleet(seat, match.random_placement(seat)))


def test_a_fleet_that_moves_goes_to_no_island():
    book = Registry.default().book(
        BASE.but(id="test", grid={"columns": 5, "rows": 5}, rules=[{"use": "islands", "cells": ["B2"]}])
    )
    ground = irontide.OwnShip(to=True)
    spots = ground.spots(book.variant.ground)
    on = [spot for spot in spots.values() if ground.at_sea(spot, book.sea)]
    assert 0 < len(on) < len(spots)
    assert all(not spot.mask & book.islands for spot in on)


def test_granted_shots_of_abilities_wait_for_the_owners_turn():
    @ability("test.reserve")
    class Reserve(Ability):
        def use(self, ctx, nothing):
            yield irontide.GrantShots(ctx.other.name, 2)

    match = begun(Reserve)
    commit = match.submit(UseAbility("ada", "test.reserve"))

    assert of(commit, ShotsGranted)[0].later
    match.submit(Fire("ada", "B1"))
    assert match.options("bo").fire.count == 3
