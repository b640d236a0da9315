"""Markers: when they go, who is told of them, and what they are called (`docs/reference/effects.md`, durations)."""

import pytest

from irontide import (
    Ability,
    CellSet,
    Fire,
    Grid,
    Mark,
    Match,
    Note,
    OtherTurns,
    OwnTurn,
    PlaceFleet,
    Registry,
    Rule,
    Scan,
    ShipClass,
    ShotFired,
    TurnEnded,
    TurnStarted,
    Unmark,
    Unmarked,
    UseAbility,
    Variant,
    ability,
    reacts,
    rule,
    to_json,
)
from irontide.testing import Bundle

SEATS = ("ada", "bo")
FLEET = {"cruiser": "A1-A3", "destroyer": "E1-E2"}
BASE = Variant("base", grid=Grid(5, 5), fleet=(ShipClass("cruiser", 3), ShipClass("destroyer", 2)))


def begun(*classes: type[Rule], **options: object) -> Match:
    """Return a match with these: an ability belongs to the destroyer."""
    registry = Registry.default()
    registry.register(Bundle(classes), "test")
    abilities = [class_.id for class_ in classes if issubclass(class_, Ability)]
    variant = BASE.but(
        id="test.durations",
        abilities=dict(zip(("destroyer",), abilities, strict=False)),
        rules=[class_.id for class_ in classes if not issubclass(class_, Ability)],
    )
    match = Match.new(variant, seats=SEATS, seed=7, registry=registry, strict=True, **options)
    for seat in SEATS:
        match.submit(PlaceFleet(seat, FLEET))
    return match


def marking(**mark: object) -> Match:
    """Return a match in which ada has just set a marker with her ability."""

    class Marking(Ability):
        def use(self, ctx, nothing):
            yield Mark(**mark)

    match = begun(ability("test.mark")(Marking))
    match.submit(UseAbility("ada", "test.mark"))
    return match


def play(match: Match, *cells: str) -> None:
    for cell in cells:
        match.submit(Fire(match.seat_to_move, cell))


def types(match: Match) -> list[str]:
    return [event.type for event in match.commits[-1].events]


SHOTS = [f"{letter}{row}" for letter in "BCD" for row in (3, 4, 5)]
"""Cells without ships, for turns in which nothing happens."""


# When a marker goes.


@pytest.mark.parametrize(
    ("until", "shots"),
    [
        ("turn", 1),  # ada's shot ends her turn
        (OtherTurns(), 2),  # bo's next turn has ended
        (OtherTurns(2), 4),
        (OtherTurns(3), 6),
        (OwnTurn(), 2),  # ada's next turn starts when bo's has ended
        (OwnTurn(2), 4),
    ],
)
def test_a_marker_goes_after_so_many_turns(until: object, shots: int):
    match = marking(until=until, public=True)

    for number in range(shots):
        assert len(match.view("bo").markers) == 1, number
        play(match, SHOTS[number // 2])

    assert match.view("bo").markers == ()


@pytest.mark.parametrize("until", ["match", "source"])
def test_a_marker_stays_with_the_match_or_with_its_source(until: str):
    match = marking(until=until, public=True)

    play(match, *(cell for cell in SHOTS for _ in SEATS))

    assert len(match.view("bo").markers) == 1


@pytest.mark.parametrize(("until", "stays"), [("source", 0), ("match", 1), (OwnTurn(9), 1), (OtherTurns(9), 1)])
def test_a_marker_that_lasts_as_long_as_its_source_goes_when_the_ship_sinks(until: object, stays: int):
    match = marking(until=until, public=True)

    play(match, "B3", "E1", "B4", "E2")

    assert match.view("bo").opponent_abilities["test.mark"].off == ("sunk",)
    assert len(match.view("bo").markers) == stays


def test_a_marker_goes_by_an_event_before_any_reaction_to_the_turn():
    @ability("test.watch")
    class Watch(Ability):
        def use(self, ctx, nothing):
            yield [Mark(until=OwnTurn(), public=True), Mark(until=OtherTurns(), public=True)]

        @reacts(TurnStarted)
        @reacts(TurnEnded)
        def look(self, ctx, event):
            yield Note(f"test.{len(ctx.marks)}")

    match = begun(Watch)
    match.submit(UseAbility("ada", "test.watch"))
    play(match, "B3", "B3")

    assert types(match)[:4] == ["shot_fired", "turn_ended", "unmarked", "turn_started"]


def test_turns_before_the_battle_do_not_count():
    """A marker set before the first turn until the end of the turn goes with the first turn."""

    @rule("test.early")
    class Early(Rule):
        @reacts(TurnStarted)
        def set(self, ctx, event):
            if ctx.round == 1 and ctx.seat.turn + ctx.other.turn == 1:
                yield Mark(until="turn", public=True)

    match = begun(Early)

    assert len(match.view("ada").markers) == 1
    play(match, "B3")
    assert match.view("ada").markers == ()


# Who hears of the end.


@ability("test.lamp")
class Lamp(Ability):
    """Says when its markers go, also when its ship is what has sunk; hears nothing else any more."""

    def use(self, ctx, nothing):
        yield [Mark(public=True), Mark(until="match", public=True)]

    @reacts(Unmarked)
    def tell(self, ctx, event):
        if event.seat == ctx.seat.name:
            yield Note("test.out")

    @reacts(ShotFired)
    def shine(self, ctx, event):
        if event.by == ctx.other.name:
            yield Note("test.shot")


def test_an_ability_that_is_off_still_hears_the_end_of_its_own_markers_and_nothing_else():
    match = begun(Lamp)
    match.submit(UseAbility("ada", "test.lamp"))
    play(match, "B3", "E1", "B4", "E2")

    notes = [event.key for event in match.commits[-1].events if event.type == "noted"]
    assert types(match)[:4] == ["shot_fired", "ship_sunk", "ability_disabled", "unmarked"]
    assert notes == ["test.out"]
    play(match, "B5", "C3")
    assert "noted" not in types(match)


# Who is told of a marker.


@pytest.mark.parametrize(
    ("mark", "told"),
    [
        ({"public": True}, ["ada", "bo", None]),
        ({"public": True, "side": "bo"}, ["ada", "bo", None]),
        ({}, ["ada"]),
        ({"side": "ada"}, ["ada"]),
        ({"side": "bo"}, []),
        ({"on": CellSet.of([0, 1])}, ["ada"]),
        ({"on": CellSet.of([0, 1]), "side": "bo"}, []),
        ({"on": "destroyer"}, ["ada"]),
    ],
)
def test_a_public_marker_is_told_to_all_one_on_the_own_side_to_its_owner_one_on_the_other_to_nobody(
    mark: dict[str, object], told: list[str | None]
):
    match = marking(until=OtherTurns(), **mark)

    for seat in (*SEATS, None):
        assert len(match.view(seat).markers) == (seat in told)
    play(match, "B3", "B3")
    for seat in (*SEATS, None):
        events = [event["type"] for event in match.told(seat)]
        assert [events.count(kind) for kind in ("marked", "unmarked")] == [seat in told] * 2


@pytest.mark.parametrize(
    ("on", "shown"), [(None, None), ("destroyer", "destroyer"), (CellSet.of([6, 0]), ["A1", "B2"])]
)
def test_a_marker_lies_on_a_seat_a_ship_or_cells(on: object, shown: object):
    match = marking(on=on, data={"power": 2}, public=True)

    [mark] = match.view("bo").markers
    assert (mark.rule, mark.seat, mark.side, mark.on, mark.ends) == ("test.mark", "ada", "ada", on, "source")
    assert mark.data == {"power": 2}
    assert to_json(match.view("bo"))["markers"] == [
        {
            "id": "test.mark@ada#1",
            "rule": "test.mark",
            "seat": "ada",
            "side": "ada",
            "on": shown,
            "ends": "source",
            "data": {"power": 2},
        }
    ]


def test_numbers_of_markers_do_not_tell_of_those_that_are_hidden():
    """Each kind of audience is counted for itself."""

    class Many(Ability):
        def use(self, ctx, nothing):
            yield [Mark(side=ctx.other.name), Mark(public=True), Mark(), Mark(side=ctx.other.name), Mark(public=True)]

    match = begun(ability("test.many")(Many))
    match.submit(UseAbility("ada", "test.many"))

    assert [mark.id for mark in match.view("bo").markers] == ["test.many@ada#1", "test.many@ada#2"]
    assert [mark.id for mark in match.view("ada").markers] == [
        "test.many@ada#1",
        "test.many@ada#own1",
        "test.many@ada#2",
    ]
    assert len(match.state.marks) == 5


# What a rule knows of its markers.


@ability("test.net", standing=2)
class Net(Ability):
    """Lay a secret net at A1 and B1 of the own grid; whoever shoots there is scanned, and the net is gone."""

    def use(self, ctx, nothing):
        yield Mark(CellSet.of([0, 1]))

    @reacts(ShotFired)
    def catch(self, ctx, event):
        mark = ctx.mark_at(ctx.grid.cell(event.at))
        if event.by == ctx.other.name and mark is not None:
            yield [Unmark(mark), Scan(ctx.sea, tell="count")]


def test_a_rule_finds_the_marker_that_lies_on_a_cell():
    match = begun(Net)
    match.submit(UseAbility("ada", "test.net"))
    play(match, "C3", "C1")
    assert "unmarked" not in types(match)

    play(match, "C4", "B1")

    assert types(match)[:3] == ["shot_fired", "unmarked", "cells_scanned"]
    assert match.view("ada").target.scans[0].count == 5
    assert match.view("bo").target.scans == ()


def test_as_many_may_be_armed_as_is_declared():
    match = begun(Net)
    for number in range(2):
        match.submit(UseAbility("ada", "test.net"))
        play(match, SHOTS[number], SHOTS[number])

    [refusal] = match.refusals(UseAbility("ada", "test.net"))
    assert (refusal.code, refusal.args["limit"]) == ("ability_limit", "standing")


def test_markers_of_one_seat_s_ability_are_not_those_of_the_other_s():
    match = begun(Net)
    match.submit(UseAbility("ada", "test.net"))
    play(match, "A1")

    assert "unmarked" not in types(match)
    assert match.options("bo").abilities["test.net"].refusal is None


def test_a_marker_of_a_rule_without_a_ship_is_nobody_s():
    @rule("test.tide")
    class Tide(Rule):
        @reacts(TurnStarted)
        def rise(self, ctx, event):
            if not ctx.marks:
                yield Mark(ctx.grid.row(5), side=event.seat, public=True)

    match = begun(Tide)

    [mark] = match.view("bo").markers
    assert (mark.id, mark.seat, mark.side) == ("test.tide@#1", None, "ada")
    assert mark.on == match.grid.row(5)


@rule("test.timed")
class Timed(Rule):
    """Markers of no seat count the turns of whoever is to move."""

    @reacts(TurnStarted)
    def start(self, ctx, event):
        if ctx.round == 1 and event.seat == "ada":
            yield [Mark(until=OwnTurn(), public=True), Mark(until="turn", public=True)]


def test_a_rule_without_a_ship_counts_the_turns_of_the_seat_to_move():
    match = begun(Timed)

    assert [mark.ends for mark in match.view("bo").markers] == [("start", "ada", 2), ("end", "ada", 1)]
    play(match, "B3")
    assert len(match.view("bo").markers) == 1
    play(match, "B3")
    assert match.view("bo").markers == ()


# Limits that count uses.

LIMITS = [
    ({"per_turn": 1}, [True, False, "turn", True]),
    ({"per_turn": 2}, [True, True, False, "turn", True]),
    ({"per_match": 2}, [True, True, False, "turn", False]),
    ({"charges": 1}, [True, False, "turn", False]),
    ({"charges": 3, "per_match": 2}, [True, True, False]),
    ({"cooldown": 1, "per_turn": 1}, [True, "turn", False, "turn", True]),
    ({"cooldown": 2, "per_turn": 1}, [True, "turn", False, "turn", False, "turn", True]),
    ({"per_match": 0}, [False]),
]


@pytest.mark.parametrize(("terms", "steps"), LIMITS)
def test_limits_of_uses(terms: dict[str, int], steps: list[object]):
    class Wink(Ability):
        def use(self, ctx, nothing):
            yield Note("test.wink")

    registry = Registry.default()
    registry.register(Bundle([ability("test.wink", **terms)(Wink)]), "test")
    variant = BASE.but(id="test.limits", abilities={"destroyer": "test.wink"}, drops=["core.one_ability"])
    match = Match.new(variant, seats=SEATS, registry=registry)
    for seat in SEATS:
        match.submit(PlaceFleet(seat, FLEET))

    cells = iter(SHOTS)
    for step in steps:
        if step == "turn":
            cell = next(cells)
            play(match, cell, cell)
            continue
        refusals = match.refusals(UseAbility("ada", "test.wink"))
        assert [refusal.code for refusal in refusals] == ([] if step else ["ability_limit"])
        assert match.options("ada").abilities["test.wink"].refusal == (None if step else refusals[0])
        if step:
            match.submit(UseAbility("ada", "test.wink"))


@pytest.mark.parametrize(
    ("terms", "here"),
    [
        ({}, [(None, 0)] * 6),
        ({"charges": 3, "per_match": 2}, [(2, 0), (1, 0), (1, 0), (1, 0), (0, 0), (0, 0)]),
        ({"cooldown": 2}, [(None, 0), (None, 3), (None, 3), (None, 2), (None, 1), (None, 0)]),
        ({"cooldown": 1, "charges": 1}, [(1, 0), (0, 2), (0, 2), (0, 1), (0, 0), (0, 0)]),
    ],
)
def test_options_say_how_often_and_when_an_ability_may_be_used_again(terms, here):
    class Wink(Ability):
        def use(self, ctx, nothing):
            yield Note("test.wink")

    registry = Registry.default()
    registry.register(Bundle([ability("test.wink", **terms)(Wink)]), "test")
    match = Match.new(BASE.but(id="test.left", abilities={"destroyer": "test.wink"}), seats=SEATS, registry=registry)
    for seat in SEATS:
        match.submit(PlaceFleet(seat, FLEET))

    def now():
        option = match.options("ada").abilities["test.wink"]
        assert Match.loads(match.dumps(), registry).options("ada").abilities["test.wink"] == option
        waits = [refusal.args["turns"] for refusal in (option.refusal,) if refusal and "turns" in refusal.args]
        assert waits in ([], [option.wait])
        return option.left, option.wait

    seen = [now()]
    match.submit(UseAbility("ada", "test.wink"))
    seen.append(now())
    for cell in SHOTS[:4]:
        play(match, cell)
        seen.append(now())
        play(match, cell)
        if cell == SHOTS[1] and match.options("ada").abilities["test.wink"].refusal is None:
            match.submit(UseAbility("ada", "test.wink"))
    assert seen == here
