"""Answers that rest on nothing but what a handler was handed are kept; any other is asked for each time."""

from collections import Counter

import pytest

from irontide import (
    Ability,
    Context,
    Disable,
    EndMatch,
    Fire,
    GainPoints,
    Grid,
    Match,
    PlaceFleet,
    PointsGained,
    Registry,
    Rule,
    SeatContext,
    ShipClass,
    ShotFired,
    TurnStarted,
    Variant,
    ability,
    adjusts,
    reacts,
    rule,
)
from irontide.guard import KEPT, Guard
from irontide.legality import seat_face
from irontide.options import KEPT as OPTIONS_KEPT
from irontide.options import options_of
from irontide.rulebook import Rulebook
from irontide.state import State
from irontide.testing import Bundle
from irontide.unread import unread, was_read

SEATS = ("ada", "bo")
BASE = Variant("base", grid=Grid(5, 5), fleet=(ShipClass("cruiser", 3), ShipClass("destroyer", 2)))
CALLS: Counter[str] = Counter()


@pytest.fixture(autouse=True)
def _no_calls():
    CALLS.clear()


def made(*classes: type[Rule]) -> tuple[Registry, Variant]:
    """Return a registry with these, and a variant of it; an ability belongs to the destroyer."""
    registry = Registry.default()
    registry.register(Bundle(classes), "test")
    rules = [each.id for each in classes if not issubclass(each, Ability)]
    abilities = dict(zip(["destroyer"], [each.id for each in classes if issubclass(each, Ability)], strict=False))
    return registry, BASE.but(id="test.kept", rules=rules, abilities=abilities)


def begun(*classes: type[Rule]) -> Match:
    registry, variant = made(*classes)
    match = Match.new(variant, seats=SEATS, seed=7, registry=registry, strict=True)
    for seat in SEATS:
        match.submit(PlaceFleet(seat, {"cruiser": "A1-A3", "destroyer": "E1-E2"}))
    return match


def turns(match: Match, cells: str = "B1 B1 C1 C1 D1 D1 B2 B2") -> Match:
    for cell in cells.split():
        match.submit(Fire(match.seat_to_move, cell))
    return match


@rule("test.income")
class Income(Rule):
    amount: int = 1

    @reacts(TurnStarted)
    def pay(self, ctx: Context, event: TurnStarted):
        CALLS["pay"] += 1
        yield GainPoints(event.seat, self.amount)


@rule("test.poor")
class ForThePoor(Rule):
    @reacts(TurnStarted)
    def help(self, ctx: Context, event: TurnStarted):
        CALLS["help"] += 1
        if ctx.side(event.seat).points < 3:
            yield GainPoints(event.seat, 1)


@rule("test.silent")
class Silent(Rule):
    @reacts(TurnStarted)
    def wait(self, ctx: Context, event: TurnStarted) -> None:
        CALLS["wait"] += 1


@rule("test.hits")
class ForHits(Rule):
    @reacts(ShotFired)
    def reward(self, ctx: Context, event: ShotFired):
        CALLS["reward"] += 1
        return [GainPoints(event.by, 1)]


@rule("test.again")
class Again(Rule):
    """Two batches, the first of two effects."""

    @reacts(TurnStarted)
    def give(self, ctx: Context, event: TurnStarted):
        yield [GainPoints(event.seat, 1), GainPoints(event.seat, 2)]
        yield GainPoints(event.seat, 3)


@rule("test.most")
class Most(Rule):
    @adjusts("cap", group="limit")
    def most(self, ctx: SeatContext, most: int) -> int:
        CALLS["most"] += 1
        return min(most, 2)


@rule("test.half")
class HalfOfTheOther(Rule):
    @adjusts("cap", group="limit")
    def half(self, ctx: SeatContext, most: int) -> int:
        CALLS["half"] += 1
        return min(most, 2 * ctx.opponent_points + 1)


def test_a_reaction_that_reads_nothing_else_is_asked_once_for_each_seat_s_turn():
    match = turns(begun(Income))

    assert CALLS["pay"] == 2
    assert match.state.points == [5, 4]


def test_a_reaction_that_reads_the_match_is_asked_each_time():
    match = turns(begun(ForThePoor))

    assert CALLS["help"] == 9
    assert match.state.points == [3, 3]


def test_a_reaction_that_gives_nothing_is_nothing_each_time():
    match = turns(begun(Silent))

    assert CALLS["wait"] >= 2
    assert match.state.points == [0, 0]


def test_a_reaction_to_what_happens_once_is_asked_each_time():
    match = turns(begun(ForHits))

    assert CALLS["reward"] == 8
    assert match.state.points == [4, 4]


def test_a_kept_reaction_has_all_its_batches():
    match = turns(begun(Again))

    assert match.state.points == [30, 24]


def test_a_kept_reaction_is_of_its_own_match():
    first, second = turns(begun(Income)), turns(begun(Income))

    assert first.commits == second.commits
    assert CALLS["pay"] == 4


def test_a_question_that_rests_on_its_value_alone_is_asked_once_for_both_seats():
    match = turns(begun(Income, Most))

    assert CALLS["most"] == 1
    assert match.state.points == [2, 2]


def test_a_question_that_rests_on_the_match_is_asked_each_time():
    match = turns(begun(Income, HalfOfTheOther))

    assert CALLS["half"] == 9
    assert match.state.points == [5, 4]


READS: list[bool] = []


def read_if_asked(ctx: Context) -> None:
    """Read something of the match where the test wants answers that are not kept."""
    if READS:
        assert ctx.round


@rule("test.waves")
class Waves(Rule):
    """Two batches at each turn."""

    @reacts(TurnStarted)
    def give(self, ctx: Context, event: TurnStarted):
        read_if_asked(ctx)
        yield GainPoints(event.seat, 1)
        yield [GainPoints(event.seat, 2), GainPoints(event.seat, 3)]


@rule("test.hush")
class Hush(Rule):
    """Takes the destroyer's ability away for each turn of ada."""

    @reacts(TurnStarted)
    def take(self, ctx: Context, event: TurnStarted):
        read_if_asked(ctx)
        if event.seat == "ada":
            yield Disable("ada", "test.tribute", until="turn")


@ability("test.tribute")
class Tribute(Ability):
    """Its owner gains points at every turn."""

    @reacts(TurnStarted)
    def gain(self, ctx: Context, event: TurnStarted):
        read_if_asked(ctx)
        yield GainPoints("ada" if self.id else "", 1)


@rule("test.rich")
class Rich(Rule):
    """The match ends when a purse is full: in the middle of what a turn's start brings about."""

    @reacts(PointsGained)
    def end(self, ctx: Context, event: PointsGained):
        if event.total > 32:
            yield EndMatch(event.seat, "test.rich")


SOME_SHOTS = (
    "A5",
    "A5",
    "E1",
    "A1",
    "B5",
    "A2",
    "E2",
    "A3",
    "C5",
    "B5",
    "D5",
    "C5",
    "A1",
    "D5",
    "B1",
    "E5",
    "C1",
    "C1",
)


@pytest.mark.parametrize(
    "classes", [(Waves,), (Tribute,), (Waves, Tribute), (Hush, Tribute), (Waves, Rich), (Waves, Hush, Tribute, Rich)]
)
def test_a_match_is_the_same_whether_or_not_answers_are_kept(classes):
    def played() -> Match:
        match = begun(*classes)
        for cell in SOME_SHOTS:
            if match.outcome is None:
                match.submit(Fire(match.seat_to_move, cell))
        return match

    kept = played()
    READS.append(True)
    asked = played()
    READS.clear()

    assert kept.commits == asked.commits
    assert kept.number >= 8


def test_an_effect_out_of_the_plugin_s_hands_stays_as_it_was_kept():
    given = []

    @rule("test.holds")
    class Holds(Rule):
        @reacts(TurnStarted)
        def give(self, ctx: Context, event: TurnStarted):
            given.append(GainPoints(event.seat, 1))
            for effect in given[:-1]:
                object.__setattr__(effect, "amount", 100)
            return [given[-1]]

    match = turns(begun(Holds))

    assert match.state.points == [5, 4]


def test_what_is_kept_of_a_rule_is_bounded():
    registry, variant = made(Most)
    book, state = registry.book(variant), State()
    ((listener,), _) = book.adjusts["cap"]
    guard, face = Guard(state, variant.limits), seat_face(book, state, 0)

    for value in range(KEPT + 10):
        assert guard.learn(listener, face, value) == min(value, 2)

    assert CALLS["most"] == KEPT + 10
    assert len(listener.bound.answers) == 10


def test_a_face_knows_whether_it_was_read():
    registry, variant = made(Most)
    book = registry.book(variant)
    face = seat_face(book, State(), 0)
    left, taken = unread(face(book.bounds[0])), unread(face(book.bounds[0]))

    assert taken.points == 0
    assert isinstance(left, SeatContext)
    assert not was_read(left)
    assert was_read(taken)
    assert type(taken) is SeatContext


PRICES = {"recon": 4, "broadside": 5, "flak": 2, "torpedo": 3, "sonar": 2}


def tactical() -> tuple[Rulebook, State]:
    """Return the rules of Tactical, with nothing kept, and a state in which ada is to move."""
    registry = Registry.default()
    match = Match.new("tactical", seats=SEATS, seed=7, registry=registry)
    for seat in SEATS:
        match.submit(PlaceFleet(seat, match.random_placement(seat)))
    return registry.book(match.variant), match.state


def test_options_are_kept_as_they_were():
    book, state = tactical()
    guard = Guard(state, book.variant.limits)

    for points in (*range(8), *range(8)):
        state.points[0] = points
        options = options_of(book, state, 0, guard)
        usable = {id_ for id_, option in options.abilities.items() if option.refusal is None}
        assert usable == {id_ for id_, price in PRICES.items() if price <= points}
    anew = {points: PRICES.keys() - kept.keys() for (_, points, *_), kept in book.options[0].items()}
    assert anew == {n: {id_ for id_ in ("torpedo", "broadside") if PRICES[id_] <= n} for n in range(8)}  # at open cells


def test_what_is_kept_of_options_is_bounded():
    book, state = tactical()

    for points in range(OPTIONS_KEPT + 10):
        state.points[1] = points
        options_of(book, state, 1, Guard(state, book.variant.limits))

    assert len(book.options[1]) == 10
