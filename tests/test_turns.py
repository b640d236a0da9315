"""Turns: shots that are granted, turns that end early, and what rules declare about each other."""

import pytest

from irontide import (
    BattleStarted,
    EndTurn,
    Fire,
    GrantShots,
    Match,
    PlaceFleet,
    Registry,
    Rule,
    ShipClass,
    Shot,
    ShotFired,
    ShotsGranted,
    TurnEnded,
    TurnStarted,
    Variant,
    VariantError,
    adjusts,
    reacts,
    replaces,
    rule,
    text,
    verify,
)
from irontide.testing import Bundle

FLEET = {"cruiser": "A1-A3", "destroyer": "E1-E2"}
BASE = Variant("base", fleet=(ShipClass("cruiser", 3), ShipClass("destroyer", 2))).but(
    id="base", grid={"columns": 5, "rows": 5}
)


def installed(*classes):
    registry = Registry.default()
    registry.register(Bundle(classes), "test")
    return registry


def begun(*classes, **changes):
    """Return a match of these rules that stands at its first turn."""
    registry = installed(*classes)
    variant = BASE.but(id="test", rules=[class_.id for class_ in classes], **changes)
    match = Match.new(variant, seats=("ada", "bo"), seed=1, registry=registry, strict=True)
    for seat in match.seats:
        match.submit(PlaceFleet(seat, FLEET))
    return match


def types(commit):
    return [event.type for event in commit.events]


@rule("test.grant")
class Grant(Rule):
    """Each hit grants this seat, or the one that fired, shots."""

    seat: str = ""
    amount: int = 1

    @reacts(ShotFired)
    def more(self, ctx, event):
        if event.hit:
            yield GrantShots(self.seat or event.by, self.amount)


@rule("test.grant_bo")
class GrantBo(Rule):
    """Each hit grants bo two shots."""

    @reacts(ShotFired)
    def more(self, ctx, event):
        if event.hit:
            yield GrantShots("bo", 2)
            yield GrantShots("bo", 0)


@rule("test.stop")
class Stop(Rule):
    """Water at E5 ends ada's turn; so bo's shots there end nothing."""

    @reacts(ShotFired)
    def stop(self, ctx, event):
        if event.at == "E5":
            yield EndTurn("ada", "test.stop")


@rule("test.two")
class Two(Rule):
    """Two shots a turn."""

    @adjusts("shots")
    def two(self, ctx, shots):
        return 2


@rule("test.void")
class Void(Rule):
    """A shot at E4 comes to nothing."""

    @replaces(Shot)
    def void(self, ctx, effect):
        return effect.cancelled("test.void") if effect.cell == ctx.grid.cell("E4") else None


# Shots that are granted.


def test_a_granted_shot_belongs_to_the_turn_under_way():
    match = begun(Grant)

    commit = match.submit(Fire("ada", "A1"))

    assert types(commit) == ["shot_fired", "shots_granted"]
    assert commit.events[1] == ShotsGranted("ada", 1, "test.grant", cause=0)
    assert match.seat_to_move == "ada"
    assert match.options("ada").fire.count == 1
    assert types(match.submit(Fire("ada", "B1"))) == ["shot_fired", "turn_ended", "turn_started"]


def test_a_shot_granted_to_the_other_seat_belongs_to_its_next_turn():
    match = begun(GrantBo)

    commit = match.submit(Fire("ada", "A1"))

    assert [event for event in commit.events if isinstance(event, ShotsGranted)] == [
        ShotsGranted("bo", 2, "test.grant_bo", later=True, cause=0)
    ]
    assert commit.events[-1] == TurnStarted("bo", 3)
    assert match.options("bo").fire.count == 3
    match.submit(Fire("bo", ["B1", "B2", "B3"]))
    match.submit(Fire("ada", "B1"))
    assert match.state.due == 1
    assert verify(match.dumps()).kind.name == "UNVERIFIED"
    assert Match.loads(match.dumps()).state == match.state


def test_granted_shots_are_copied_with_the_state():
    @rule("test.early")
    class Early(Rule):
        @reacts(BattleStarted)
        def more(self, ctx, event):
            yield GrantShots("bo", 1)

    match = begun(Early)

    assert match.state.extra == {1: 1}
    assert match.fork().state == match.state
    assert match.view("bo") == match.fork().view("bo")


def test_a_shot_granted_between_turns_belongs_to_the_next_one():
    @rule("test.after")
    class After(Rule):
        @reacts(TurnEnded)
        def more(self, ctx, event):
            yield GrantShots(event.seat)

    match = begun(After)
    match.submit(Fire("ada", "B1"))
    match.submit(Fire("bo", "B1"))

    assert match.options("ada").fire.count == 2


def test_shots_due_are_told_to_both():
    match = begun(GrantBo)
    match.submit(Fire("ada", "A1"))

    for seat in ("ada", "bo", None):
        [granted] = [event for event in match.told(seat) if event["type"] == "shots_granted"]
        assert granted["seat"] == "bo"
        assert text(granted, "en") == "bo has 2 more shots in the next turn."
    assert match.view("ada").shots_due == match.view("bo").shots_due == 3


# Turns that end early.


def test_a_turn_can_be_ended_and_the_shots_left_are_told():
    match = begun(Stop, Two, GrantBo)
    match.submit(Fire("ada", ["A1", "A2"]))
    match.submit(Fire("bo", ["A1", "E5", "B1", "B2", "B3", "B4"]))
    assert match.seat_to_move == "bo"
    match.submit(Fire("bo", ["C1", "C2"]))

    commit = match.submit(Fire("ada", ["E5", "E3"]))

    assert commit.events[2] == TurnEnded("ada", "test.stop", 0)
    assert match.seat_to_move == "bo"


def test_what_is_under_way_is_finished_before_the_turn_ends():
    @rule("test.end_and_mark")
    class EndAndMark(Rule):
        @reacts(ShotFired)
        def end(self, ctx, event):
            yield GrantShots(event.by, 3)
            yield EndTurn(event.by, "test.done")
            yield GrantShots(event.by, 1)

    commit = begun(EndAndMark).submit(Fire("ada", "B1"))

    assert types(commit) == ["shot_fired", "shots_granted", "shots_granted", "turn_ended", "turn_started"]
    assert commit.events[3] == TurnEnded("ada", "test.done", 4)
    assert text({"type": "turn_ended", "seat": "ada", "reason": "test.done"}, "en") == "ada's turn ends (test.done)."


@pytest.mark.parametrize("first", [True, False])
def test_a_turn_can_end_as_it_begins(first):
    @rule("test.skip")
    class Skip(Rule):
        @reacts(TurnStarted)
        def skip(self, ctx, event):
            if event.seat == ("ada" if first else "bo"):
                yield EndTurn(event.seat, "test.skip")

    match = begun(Skip)
    assert match.seat_to_move == ("bo" if first else "ada")
    match.submit(Fire(match.seat_to_move, "B1"))
    assert match.seat_to_move == ("bo" if first else "ada")


def test_a_turn_that_is_over_is_not_ended_again():
    @rule("test.late")
    class Late(Rule):
        @reacts(TurnEnded)
        def end(self, ctx, event):
            yield EndTurn(event.seat, "test.late")

    match = begun(Late)
    commit = match.submit(Fire("ada", "B1"))

    assert types(commit) == ["shot_fired", "turn_ended", "turn_started"]


def test_passing_tells_the_shots_given_up():
    commit = begun(Two, drops=["core.must_shoot"]).submit(Fire("ada", []))

    assert commit.events[0] == TurnEnded("ada", "passed", 2)


def test_a_shot_that_comes_to_nothing_is_spent():
    match = begun(Two, Void)

    commit = match.submit(Fire("ada", ["E4", "E5"]))

    assert types(commit) == ["effect_replaced", "shot_fired", "shots_granted", "turn_ended", "turn_started"]
    assert commit.events[2] == ShotsGranted("ada", -1, "lost")
    assert text(match.told("ada")[-3], "de") == "Ein Schuss von ada verpufft."


# What rules declare about each other.


def problems(*classes):
    with pytest.raises(VariantError) as caught:
        begun(*classes)
    return [(problem.code, problem.place, problem.text) for problem in caught.value.problems]


@rule("test.silent", hides=("sinking",))
class Silent(Rule):
    """Hides sinkings."""


@rule("test.loud", tells=("sinking", "hit"))
class Loud(Rule):
    """Tells sinkings."""


def test_a_rule_that_tells_what_another_hides_is_refused_with_both_named():
    text_ = "'test.silent' hides what 'test.loud' tells: that a ship has sunk"
    assert problems(Silent, Loud) == problems(Loud, Silent) == [("conflict", "rules.test.silent", text_)]


def test_parameters_may_decide_what_is_hidden_and_told():
    @rule("test.choosy")
    class Choosy(Rule):
        quiet: bool = False

        def facts_hidden(self):
            return ("hit",) if self.quiet else ()

        def facts_told(self):
            return () if self.quiet else ("sinking",)

    assert problems(Choosy, Silent)
    registry = installed(Choosy, Silent, Loud)
    quiet = {"use": "test.choosy", "quiet": True}
    registry.book(BASE.but(id="good", rules=[quiet, "test.silent"]))
    with pytest.raises(VariantError, match="which shot hit"):
        registry.book(BASE.but(id="bad", rules=[quiet, "test.loud"]))


def test_a_rule_that_another_needs_must_be_there():
    @rule("test.needy", needs=("test.loud", "salvo"))
    class Needy(Rule):
        pass

    assert [problem[:2] for problem in problems(Needy, Loud)] == [("missing_rule", "rules.test.needy")]
    registry = installed(Needy, Loud)
    registry.book(BASE.but(id="good", rules=["test.needy", "test.loud", "salvo"]))


@pytest.mark.parametrize("fact", ["sinkings", 3])
def test_only_known_facts_can_be_hidden(fact):
    @rule("test.odd", hides=(fact,))
    class Odd(Rule):
        pass

    code, place, text = problems(Odd)[0]
    assert (code, place) == ("bad_rule", "test.test.odd")
    assert text.startswith(f"'test.odd' speaks of {fact!r}: the facts are sinking, hit, ship, wreck")


def test_ships_stay_unless_a_rule_stands_in_the_place_of_that():
    @rule("test.moves", instead_of="core.ships_stay")
    class Moves(Rule):
        pass

    registry = installed(Moves)
    assert registry.book(BASE).ships_stay
    moves = BASE.but(id="moves", rules=["test.moves"])
    assert not registry.book(moves).ships_stay
