"""Fine points of the rules, each of which was broken once: who knows what, what ends when, what counts as what."""

import pytest

from irontide import (
    Ability,
    Fire,
    Mark,
    Marker,
    Match,
    Note,
    OneCell,
    PlaceFleet,
    Refusal,
    Refused,
    Registry,
    Reported,
    Rule,
    Shot,
    TimedOut,
    TimeOut,
    TurnEnded,
    Unmark,
    UseAbility,
    ability,
    adjusts,
    forbids,
    reacts,
    rule,
)
from irontide.testing import Bundle, scenario

FLEET = {"carrier": "A1-A5", "battleship": "C1-C4", "cruiser": "E1-E3", "submarine": "G1-G3", "destroyer": "I1-I2"}
FLEETS = {"ada": FLEET, "bo": FLEET}
SUNK = {"ada": FLEET, "bo": FLEET | {"destroyer": "A10-B10", "cruiser": "D10-F10"}}
AFLOAT = {"ada": FLEET, "bo": FLEET | {"cruiser": "A10-C10", "destroyer": "E1-E2"}}
HALF_KNOWN = ("ada: A10", "bo: I1", "ada: B10", "bo: I2")
"""After these the ship at A10 has sunk in silence in one world, not in the other."""


def free(id_: str, **more: object) -> dict[str, object]:
    return {"use": id_, "price": 0, **more}


# What hangs on a silent sinking.


@ability("test.clock")
class Clock(Ability):
    """Tells its owner that the time is up."""

    @reacts(TimedOut)
    def chime(self, ctx, event):
        if event.seat == ctx.seat.name:
            yield Note("test.chime", to=ctx.seat.name)


@pytest.mark.parametrize("fleets", [SUNK, AFLOAT])
def test_whether_a_time_out_is_taken_does_not_hang_on_the_enemys_abilities(fleets):
    table = scenario("classic", rules=["silent_sinking"], abilities={"destroyer": Clock}, fleets=fleets)
    table.given(*HALF_KNOWN).given("ada: J10", "bo: J10")

    # ada's own destroyer is sunk, and what bo's hears is none of ada's business
    table.refuses(TimeOut("ada"), "not_allowed")


@pytest.mark.parametrize(("fleets", "ships"), [(SUNK, 1), (AFLOAT, 1)])
def test_a_ship_that_sank_in_silence_counts_as_afloat(fleets, ships):
    abilities = {"battleship": free("flyby")}
    table = scenario("classic", rules=["silent_sinking"], abilities=abilities, fleets=fleets).given(*HALF_KNOWN)

    table.when(UseAbility("ada", "flyby", {"at": "A10", "axis": "down"})).told("ada", "cells_scanned", ships=ships)


def test_a_ship_that_was_told_to_have_sunk_does_not_count_as_afloat():
    table = scenario("classic", abilities={"battleship": free("flyby")}, fleets=SUNK).given(*HALF_KNOWN)

    table.when(UseAbility("ada", "flyby", {"at": "A10", "axis": "down"})).told("ada", "cells_scanned", ships=0)


# What was told to whom.


@rule("test.mute", hides=("hit",))
class Mute(Rule):
    """Reports are told to the owner of the grid alone."""

    @adjusts("audience", group="hide")
    def hush(self, ctx, to, event):
        return (ctx.opponent(event.by).name,) if isinstance(event, Reported) else to


@pytest.mark.parametrize(
    ("extra", "follows"), [("extra_shot_on_hit", "shots_granted"), ("points.on_hit", "points_gained")]
)
def test_a_report_that_the_shooter_was_not_told_earns_nothing(extra, follows):
    rules = [{"use": "report", "level": "count"}, extra]
    scenario("classic", rules=rules, fleets=FLEETS).when("ada: A1").happened(follows)

    scenario("classic", rules=[Mute, *rules], fleets=FLEETS).when("ada: A1").not_happened(follows)


def test_a_dive_takes_back_answers_and_not_what_a_wreck_told():
    rules = ["no_touching", "wrecks_are_shown", "mark_around_wreck"]
    table = scenario("classic", rules=rules, abilities={"submarine": free("dive")}, fleets=FLEETS)
    table.given("ada: J10", "bo: I1").given("ada: dive", "ada: J9")

    table.when("bo: I2").told("bo", "cells_revealed").sees("bo", water="H1 J1 H2 J2 H3 I3 J3")


def test_a_dive_takes_back_its_own_answers():
    table = scenario("classic", abilities={"submarine": free("dive")}, fleets=FLEETS)

    table.given("ada: dive", "ada: J9").when("bo: J8").told("bo", "knowledge_forgotten").sees("bo", water="")


# Markers.


@rule("test.thief")
class Thief(Rule):
    """Says that the flak of bo is its own."""

    @reacts(TurnEnded)
    def steal(self, ctx, event):
        yield Unmark(Marker("flak@bo#1", self.id, None, None, None, "match", None, None))


def test_nobody_takes_away_the_marker_of_another():
    table = scenario("tactical", rules=[Thief], abilities={"cruiser": free("flak")}, fleets=FLEETS)

    table.given("ada: J10").when("bo: flak", "bo: J10").told("ada", "marked").not_happened("unmarked")


@rule("test.evening")
class Evening(Rule):
    """Marks ada between two turns, for a turn."""

    @reacts(TurnEnded)
    def mark(self, ctx, event):
        if event.seat == "ada" and ctx.side("ada").turn == 1:
            yield Mark(side="ada", until="turn", public=True)


def test_a_marker_set_between_two_turns_for_a_turn_goes_with_the_next():
    table = scenario("classic", rules=[Evening], fleets=FLEETS)

    table.when("ada: J10").told("ada", "marked", ends=["end", "bo", 1]).when("bo: J10").told("ada", "unmarked")


# Turns and shots.


def test_a_use_in_place_of_the_shot_gives_up_what_was_due_and_keeps_what_it_granted():
    abilities = {"cruiser": free("chain_reaction", instead_of_shot=True)}
    table = scenario("classic", abilities=abilities, fleets=FLEETS).given("ada: I1", "bo: J10")

    table.when("ada: chain_reaction I2").told("ada", "shots_granted", "shots_granted", amount=-1, reason="instead")
    table.to_move("ada").fires_at("ada", count=1)
    table.when("ada: J9").told("ada", "turn_ended").to_move("bo")


def test_the_turn_of_a_shot_is_no_turn_without_one():
    pausing = scenario("classic", drops=["core.must_shoot"], limits={"quiet_turns": 3}, fleets=FLEETS)
    pausing.given("ada: A1", "bo: pass", "ada: pass").to_move("bo").when("bo: pass").over(None, "no_progress")

    scenario("classic", limits={"quiet_turns": 1}, fleets=FLEETS).when("ada: J10").to_move("bo")


@rule("test.frozen")
class Frozen(Rule):
    """Nobody may fire once ada has fired."""

    @forbids(Fire)
    def freeze(self, ctx, command):
        return None if ctx.seat == "ada" and ctx.turn == 1 else Refusal("test.frozen")


def test_turns_that_nobody_can_shoot_in_do_not_pass_for_ever():
    table = scenario("classic", rules=[Frozen], limits={"quiet_turns": 1_000_000, "events": 50}, fleets=FLEETS)

    table.when("ada: J10").over(None, "no_progress")
    assert len(table.match.commits[-1].events) < 100


def test_a_purse_is_refreshed_before_income_comes_on_top():
    table = scenario("tactical", rules=[{"use": "points.refresh", "n": 9}], fleets=FLEETS)
    for shot in ("J10", "J9", "J8"):
        table.given(f"ada: {shot}", f"bo: {shot}").points(ada=10, bo=10)


# What is refused anyhow.


@ability("test.choosy", target=OneCell())
class Choosy(Ability):
    """Cannot say what it allows."""

    def allows(self, ctx, target):
        raise ValueError

    def use(self, ctx, target):
        yield Shot(target.cell)


def test_an_ability_that_fails_at_a_use_that_is_refused_anyhow_stays_on():
    registry = Registry.default()
    registry.register(Bundle([Choosy]), "test")
    variant = registry.variant("classic").but(id="test.choosy", abilities={"destroyer": "test.choosy"})
    match = Match.new(variant, seats=("ada", "bo"), seed=1, registry=registry)
    for seat in match.seats:
        match.submit(PlaceFleet(seat, match.random_placement(seat)))
    before = match.dumps()

    with pytest.raises(Refused, match="not bo's turn") as caught:
        match.submit(UseAbility("bo", "test.choosy", "A1"))

    assert [refusal.code for refusal in caught.value.refusals] == ["not_your_turn"]
    assert match.dumps() == before
    assert [fault.handler for fault in match.faults] == ["allows"]
    with pytest.raises(Refused, match="plugin test failed"):
        match.submit(UseAbility("ada", "test.choosy", "A1"))
    assert match.state.off == {(0, "test.choosy"): ("fault",)}
