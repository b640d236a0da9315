"""Effects (`docs/reference/effects.md`): what each becomes, what it does not do, and how rules change it."""

import pytest

from irontide import (
    Ability,
    AbilityUsed,
    Activate,
    CellSet,
    EndMatch,
    Fire,
    GainPoints,
    Grid,
    Mark,
    Match,
    Note,
    OneCell,
    Outcome,
    PlaceFleet,
    PointsGained,
    Refused,
    Registry,
    Rule,
    Scan,
    SetData,
    ShipClass,
    Shot,
    ShotFired,
    Sink,
    SpendPoints,
    TurnStarted,
    Unmark,
    UseAbility,
    Variant,
    ability,
    forbids,
    reacts,
    replaces,
    rule,
)
from irontide.randomness import Random
from irontide.testing import Bundle

SEATS = ("ada", "bo")
FLEET = {"cruiser": "A1-A3", "destroyer": "E1-E2"}
BASE = Variant("base", grid=Grid(5, 5), fleet=(ShipClass("cruiser", 3), ShipClass("destroyer", 2)))


def begun(*classes: type[Rule], strict: bool = True, **changes: object) -> Match:
    """Return a match with these: the first ability belongs to the cruiser, the second to the destroyer."""
    registry = Registry.default()
    registry.register(Bundle(classes), "test")
    abilities = [class_.id for class_ in classes if issubclass(class_, Ability)]
    rules = [class_.id for class_ in classes if not issubclass(class_, Ability)]
    variant = BASE.but(
        id="test.effects",
        abilities=dict(zip(("cruiser", "destroyer"), abilities, strict=False)),
        rules=[*changes.pop("rules", ()), *rules],
        **changes,
    )
    match = Match.new(variant, seats=SEATS, seed=7, registry=registry, strict=strict)
    for seat in SEATS:
        match.submit(PlaceFleet(seat, FLEET))
    return match


def does(*batches: object, **fields: object) -> type[Ability]:
    """Return an ability that yields these, one after another, and keeps their results in `results`."""
    results = []

    def use(self, ctx, target):
        for batch in batches:
            answer = yield batch(ctx) if callable(batch) else batch
            results.append(answer)

    return ability("test.act", **fields)(type("Act", (Ability,), {"use": use, "results": results}))


def types(match: Match) -> list[str]:
    return [event.type for event in match.commits[-1].events]


# Shots.


def test_a_shot_at_a_cell_already_shot_does_nothing_and_says_so():
    act = does(Shot(0), [Shot(0), Shot(24)])
    match = begun(act)

    match.submit(UseAbility("ada", "test.act"))

    assert types(match) == ["ability_used", "shot_fired", "shot_fired"]
    first, (again, other) = act.results
    assert (first.hit, first.cancelled) == (True, False)
    assert (again.hit, again.cancelled, again.events) == (False, True, ())
    assert (other.hit, other.cancelled, other.events[0].at) == (False, False, "E5")


def test_an_ability_s_shot_is_none_of_the_turn_s():
    match = begun(does(Shot(24)))

    match.submit(UseAbility("ada", "test.act"))

    assert match.seat_to_move == "ada"
    assert match.commits[-1].events[-1].free
    assert match.options("ada").fire.count == 1


@rule("test.wall")
class Wall(Rule):
    """Cell A1 of either side turns each shot away."""

    @replaces(Shot, group="prevent")
    def turn_away(self, ctx, effect):
        return effect.blocked() if effect.cell == 0 else None


def test_a_blocked_shot_does_no_harm_takes_the_turn_and_may_be_tried_again():
    match = begun(Wall)

    match.submit(Fire("ada", "A1"))

    assert types(match) == ["shot_fired", "turn_ended", "turn_started"]
    for seat in (*SEATS, None):
        [shot] = [event for event in match.told(seat) if event["type"] == "shot_fired"]
        assert (shot["told"], shot["again"]) == ("blocked", True)
    assert not match.view("bo").own.ships["cruiser"].hits
    assert match.view("ada").target.unknown == match.grid.all
    match.submit(Fire("bo", "E5"))
    assert "A1" in match.grid.list(match.options("ada").fire.cells)
    assert match.refusals(Fire("ada", "A1")) == ()


@rule("test.current")
class Current(Rule):
    """Each shot drifts one cell to the right, and splashes at the cell it was meant for."""

    @replaces(Shot, group="redirect")
    def drift(self, ctx, effect):
        return [effect.but(cell=effect.cell + 1), Note("test.splash", args={"cell": effect.cell})]


def test_a_rule_may_redirect_an_effect_and_let_another_follow():
    match = begun(Current)

    match.submit(Fire("ada", "B1"))

    events = match.commits[-1].events
    assert [event.type for event in events] == ["effect_replaced", "shot_fired", "noted", "turn_ended", "turn_started"]
    assert (events[0].what, events[0].reason, events[0].to) == ("shot", "redirected", ())
    assert events[1].at == "C1"
    assert events[2].args == {"cell": 1}


@rule("test.calm")
class Calm(Rule):
    """No shot of the second seat happens; instead it loses a point."""

    public: bool = True

    @replaces(Shot)
    def stop(self, ctx, effect):
        if effect.by == "ada":
            return None
        return effect.cancelled("test.calm", [SpendPoints(effect.by, 1)], public=self.public)


@pytest.mark.parametrize("public", [True, False])
def test_a_cancelled_shot_did_not_happen_and_is_told_only_if_that_is_declared(public: bool):
    match = begun(Calm, rules=["points.start", {"use": "test.calm", "public": public}])
    match.submit(Fire("ada", "E5"))
    heard = {seat: len(match.told(seat)) for seat in SEATS}

    commit = match.submit(Fire("bo", "E5"))

    assert [event.type for event in commit.events][:2] == ["effect_replaced", "points_spent"]
    assert (commit.events[0].seat, commit.events[0].what) == ("bo", "shot")
    for seat in SEATS:
        told = [event["type"] for event in match.told(seat, since=heard[seat])]
        assert told[:2] == ["effect_replaced", "points_spent"] if public else told[0] == "points_spent"
        assert ("effect_replaced" in told) == public
    assert not match.view("bo").target.shots


STOPPED = {
    "cancelled": lambda effect: effect.cancelled("test.stop"),
    "blocked": lambda effect: effect.blocked(),
    "redirected to a cell already shot": lambda effect: effect.but(cell=0),
}


@pytest.mark.parametrize("how", STOPPED)
def test_a_match_in_which_no_shot_gets_through_ends_as_a_draw(how: str):
    """DESIGN 7: never a match that cannot go on; one that makes no progress is a draw."""

    @rule("test.stop")
    class Stop(Rule):
        @replaces(Shot)
        def stop(self, ctx, effect):
            return STOPPED[how](effect)

    match = begun(Stop, limits={"quiet_turns": 5})
    for _ in range(50):
        if match.outcome is None:
            options = match.options(match.seat_to_move)
            match.submit(Fire(match.seat_to_move, match.grid.list(options.fire.cells)[-1]))

    assert match.outcome == Outcome(None, "no_progress")


@rule("test.mirror")
class Mirror(Rule):
    """A shot is followed by one at the next cell."""

    @replaces(Shot)
    def twice(self, ctx, effect):
        return [effect, effect.but(cell=effect.cell + 1)]


def test_a_rule_replaces_an_effect_and_what_comes_of_it_at_most_once():
    match = begun(Mirror)

    match.submit(Fire("ada", "A5"))

    assert [event.at for event in match.commits[-1].events if event.type == "shot_fired"] == ["A5", "B5"]


def test_a_replacement_that_changes_nothing_is_no_replacement():
    @rule("test.same")
    class Same(Rule):
        @replaces(Shot)
        def same(self, ctx, effect):
            return effect.but()

    match = begun(Same)
    match.submit(Fire("ada", "A5"))

    assert types(match) == ["shot_fired", "turn_ended", "turn_started"]


# Scans.


@pytest.mark.parametrize(
    ("scan", "found"),
    [
        (Scan(CellSet.of([0, 1, 5]), tell="count"), {"count": 1}),
        (Scan(CellSet.of([0, 1, 5]), tell="count", of="any"), {"count": 2}),
        (Scan(CellSet.of([0, 1, 5]), tell="cells"), {"cells": ("A2",)}),
        (Scan(CellSet.of([0, 1, 5]), tell="cells", of="any"), {"cells": ("A1", "A2")}),
        (Scan(CellSet.of([0, 1]), tell="any"), {"any": False}),
        (Scan(CellSet.of([0, 1]), tell="any", of="any"), {"any": True}),
        (Scan(CellSet(), tell="count"), {"count": 0}),
    ],
)
def test_a_scan_tells_what_it_asks_of_cells_not_yet_hit_or_of_any(scan: Scan, found: dict[str, object]):
    match = begun(does(Shot(0), scan))

    match.submit(UseAbility("ada", "test.act"))

    told = match.view("ada").target.scans[0]
    assert {name: getattr(told, name) for name in ("count", "cells", "any") if getattr(told, name) is not None} == found


# Ships, points, the end.


def test_a_ship_sinks_once():
    act = does(Sink("bo", "destroyer"), Sink("bo", "destroyer"))
    match = begun(act)

    match.submit(UseAbility("ada", "test.act"))

    assert types(match) == ["ability_used", "ship_sunk"]
    assert [result.cancelled for result in act.results] == [False, True]


def test_without_a_cap_a_purse_may_grow_beyond_10():
    match = begun(does(GainPoints("ada", 50)))

    match.submit(UseAbility("ada", "test.act"))

    assert match.view("ada").points == 50


def test_spending_takes_what_is_there_and_nothing_is_no_event():
    match = begun(
        does(GainPoints("ada", 3), SpendPoints("ada", 5, "test.toll"), SpendPoints("ada", 5), GainPoints("ada", 0))
    )

    match.submit(UseAbility("ada", "test.act"))

    assert types(match) == ["ability_used", "points_gained", "points_spent"]
    spent = match.commits[-1].events[-1]
    assert (spent.amount, spent.total, spent.reason) == (3, 0, "test.toll")


@pytest.mark.parametrize("winner", ["ada", "bo", None])
def test_a_match_ends_once_and_the_rest_of_the_batch_is_told_only_of_shots(winner: str | None):
    act = does([EndMatch(winner, "test.over"), EndMatch("bo", "test.late"), SpendPoints("ada", 1), Shot(0)])
    match = begun(act, rules=["points.start"])

    match.submit(UseAbility("ada", "test.act"))

    assert types(match) == ["ability_used", "match_ended", "fleet_revealed", "fleet_revealed", "shot_fired"]
    assert match.outcome == Outcome(winner, "test.over")
    assert act.results == []  # nothing of the ability goes on after the end


def test_a_match_ends_once_also_where_a_replacement_ends_it_twice():
    @rule("test.peace")
    class Peace(Rule):
        @replaces(Shot)
        def stop(self, ctx, effect):
            return effect.cancelled("test.peace", [EndMatch(None, "test.peace"), EndMatch("bo", "test.late")])

    match = begun(Peace)
    match.submit(Fire("ada", "A1"))

    assert types(match) == ["effect_replaced", "match_ended", "fleet_revealed", "fleet_revealed"]
    assert match.outcome == Outcome(None, "test.peace")


# Markers and data.


def test_a_marker_is_taken_away_once():
    def both(ctx):
        return [Unmark(ctx.marks[0]), Unmark(ctx.marks[0])]

    match = begun(does(Mark(public=True), both))
    match.submit(UseAbility("ada", "test.act"))

    assert types(match) == ["ability_used", "marked", "unmarked"]
    assert match.view("bo").markers == ()


def test_what_a_rule_remembers_is_its_own_and_secret_unless_declared():
    seen = []

    def read(ctx):
        seen.append(dict(ctx.data))
        return []

    act = does(SetData("a", {"n": [1, None, True]}), SetData("b", 2, public=True), read, SetData("a"), read)
    match = begun(act)

    match.submit(UseAbility("ada", "test.act"))

    assert seen == [{"a": {"n": (1, None, True)}, "b": 2}, {"b": 2}]
    for seat in (*SEATS, None):
        assert [event["key"] for event in match.told(seat) if event["type"] == "data_set"] == ["b"]


@pytest.mark.parametrize(("to", "hear"), [("ada", ["ada"]), ("bo", ["bo"]), (None, ["ada", "bo", None])])
def test_a_note_is_told_to_one_seat_or_to_all(to: str | None, hear: list[str | None]):
    match = begun(does(Note("test.hello", to, {"n": 1})))

    match.submit(UseAbility("ada", "test.act"))

    heard = [seat for seat in (*SEATS, None) if any(event["type"] == "noted" for event in match.told(seat))]
    assert heard == hear


# Reactions and their order.


@ability("test.grudge")
class Grudge(Ability):
    """When its ship is hit: sink it, then gain a point, which comes too late."""

    @reacts(ShotFired)
    def sulk(self, ctx, event):
        if event.by == ctx.other.name and event.hit:
            yield Sink(ctx.seat.name, "cruiser")
            yield GainPoints(ctx.seat.name, 1)


def test_what_an_ability_has_queued_is_dropped_when_its_ship_has_sunk():
    match = begun(Grudge)

    match.submit(Fire("ada", "A1"))

    assert types(match) == ["shot_fired", "ship_sunk", "ability_disabled", "turn_ended", "turn_started"]
    assert match.view("bo").points == 0


@rule("test.echo")
class Echo(Rule):
    """Answers each shot with two batches and each gain with a note."""

    @reacts(ShotFired)
    def answer(self, ctx, event):
        yield GainPoints("ada", 1)
        yield [GainPoints("ada", 2), GainPoints("bo", 3)]

    @reacts(PointsGained)
    def tell(self, ctx, event):
        return [Note(f"test.{event.amount}")]


def test_reactions_are_queued_behind_the_batch_under_way_each_yield_a_batch_of_its_own():
    match = begun(Echo)

    match.submit(Fire("ada", "B1"))

    events = [getattr(event, "amount", getattr(event, "key", event.type)) for event in match.commits[-1].events]
    assert events == ["shot_fired", 1, 2, 3, "test.1", "test.2", "test.3", "turn_ended", "turn_started"]


def test_each_event_names_the_one_that_caused_it():
    match = begun(Echo)
    match.submit(Fire("ada", "B1"))

    events = match.commits[-1].events
    assert [event.cause for event in events] == [None, 0, 0, 0, 1, 2, 3, None, None]
    assert all("cause" not in event for seat in (*SEATS, None) for event in match.told(seat))


def test_reactions_to_price_and_announcement_come_before_the_ability_acts():
    @rule("test.tax")
    class Tax(Rule):
        @reacts(AbilityUsed)
        def take(self, ctx, event):
            yield SpendPoints(event.seat, 1, "test.tax")

    act = does(Note("test.acts"), price=2)
    match = begun(act, Tax, rules=[{"use": "points.start", "amount": 3}])

    match.submit(UseAbility("ada", "test.act"))

    assert types(match) == ["points_spent", "ability_used", "points_spent", "noted"]
    assert match.view("ada").points == 0


# What a rule may know.


def test_a_context_is_the_truth_about_both_sides():
    seen = {}

    @rule("test.look")
    class Look(Rule):
        @reacts(TurnStarted)
        def look(self, ctx, event):
            if ctx.round < 3:
                return
            ada, bo = ctx.side("ada"), ctx.opponent("ada")
            seen.update(
                names=(ctx.seat.name, ctx.other.name, ctx.turn_of),
                ships={id_: ctx.grid.list(cells) for id_, cells in bo.ships.items()},
                cells=ctx.grid.list(bo.cells),
                fates=(bo.sunk, bo.afloat, ctx.grid.list(bo.hits), ctx.grid.list(bo.shots)),
                turns=(ctx.round, ada.turn, bo.turn, ada.points, bo.points),
                off=(bo.is_off("test.act"), bo.is_off("test.none"), ada.is_off("test.act")),
                left=(len(ctx.open()), tuple(ctx.open())[:2], ctx.rule),
                ship=ctx.grid.list(ctx.ship),
                mark=ctx.mark_at(ctx.grid.cell("B2")),
            )

    match = begun(does(), Look, rules=["points.income"])
    for cell in ("A1", "E5", "A2", "E4"):
        match.submit(Fire(match.seat_to_move, cell))

    assert seen == {
        "names": ("ada", "bo", "ada"),
        "ships": {"cruiser": ("A1", "A2", "A3"), "destroyer": ("E1", "E2")},
        "cells": ("A1", "E1", "A2", "E2", "A3"),
        "fates": ((), ("cruiser", "destroyer"), ("A1", "A2"), ("A1", "A2")),
        "turns": (3, 3, 2, 2, 2),
        "off": (False, False, False),
        "left": (23, (1, 2), "test.look"),
        "ship": (),
        "mark": None,
    }


def test_a_rule_reads_whose_turn_it_is_and_who_begins_when_the_battle_does():
    seen = []

    @rule("test.whose")
    class Whose(Rule):
        @replaces(GainPoints)
        def look(self, ctx, effect):
            seen.append((ctx.turn_of, ctx.seat.name))

    begun(Whose, rules=["points.start", "points.income"])

    assert seen == [("ada", "ada")] * 3


def test_a_seat_s_face_is_what_it_knows():
    seen = {}

    class Peek(Ability):
        def use(self, ctx, target):
            yield []

        def allows(self, ctx, target):
            seen.update(
                names=(ctx.seat, ctx.opponent, ctx.rule),
                numbers=(ctx.turn, ctx.points, ctx.opponent_points),
                ships={id_: ctx.grid.list(cells) for id_, cells in ctx.ships.items()},
                own=(ctx.sunk, ctx.grid.list(ctx.hits), ctx.grid.list(ctx.shots)),
                enemy=(ctx.sunk_enemies, ctx.grid.list(ctx.hit), ctx.grid.list(ctx.water), len(ctx.open())),
                marks=ctx.marks,
            )

    match = begun(ability("test.peek", target=OneCell())(Peek), rules=["points.income"])
    for cell in ("E1", "A1", "E2", "E1", "B1", "E2"):
        match.submit(Fire(match.seat_to_move, cell))
    match.refusals(UseAbility("ada", "test.peek", "C3"))

    assert seen == {
        "names": ("ada", "bo", "test.peek"),
        "numbers": (4, 4, 3),
        "ships": {"cruiser": ("A1", "A2", "A3"), "destroyer": ("E1", "E2")},
        "own": (("destroyer",), ("A1", "E1", "E2"), ("A1", "E1", "E2")),
        "enemy": (("destroyer",), ("E1", "E2"), ("B1",), 22),
        "marks": (),
    }


# What makes no sense.


def test_a_target_that_no_log_can_hold_is_the_fault_of_who_gave_it():
    @rule("test.float")
    class Float(Rule):
        @replaces(Activate)
        def spoil(self, ctx, effect):
            return effect.but(target=1.5)

    match = begun(does(Note("test.acts")), Float, strict=False)

    match.submit(UseAbility("ada", "test.act"))

    assert [fault.rule for fault in match.faults] == ["test.float"]
    assert types(match) == ["rule_disabled", "ability_used", "noted"]
    assert Match.loads(match.dumps(), match._registry).state == match.state  # noqa: SLF001 - the registry of the test


def test_a_refused_command_leaves_a_rule_that_failed_beside_it_as_it_was():
    """A prohibition that raises on a command that is refused anyhow: reported to the host, and nothing happened."""

    @rule("test.nervous")
    class Nervous(Rule):
        @forbids(Fire)
        def panic(self, ctx, command):
            raise ValueError

    match = begun(Nervous, strict=False)
    before = match.dumps()

    with pytest.raises(Refused) as caught:
        match.submit(Fire("bo", "A1"))

    assert [refusal.code for refusal in caught.value.refusals] == ["not_your_turn"]
    assert match.dumps() == before
    assert match.state.off == {}
    assert {fault.rule for fault in match.faults} == {"test.nervous"}


class TellTale(type):
    """A class that cannot even say what it is called."""

    def __getattribute__(cls, name):
        if name == "__qualname__":
            raise ValueError
        return super().__getattribute__(name)


class UnnamedError(Exception, metaclass=TellTale):
    """An exception that the standard library cannot show."""


def test_a_fault_has_a_traceback_even_of_an_exception_that_cannot_be_shown():
    @rule("test.unnamed")
    class Unnamed(Rule):
        @reacts(ShotFired)
        def fail(self, ctx, event):
            raise UnnamedError

    match = begun(Unnamed, strict=False)
    match.submit(Fire("ada", "A1"))

    [fault] = match.faults
    assert "raise UnnamedError" in fault.traceback
    assert __file__ in fault.traceback


class Hostile:
    """What cannot be compared."""

    __hash__ = None

    def __eq__(self, other):
        raise ValueError


def test_a_replacement_that_cannot_be_compared_is_the_fault_of_who_gave_it():
    @rule("test.hostile")
    class Spoil(Rule):
        @replaces(Shot)
        def spoil(self, ctx, effect):
            return effect.but(answer=Hostile())

    match = begun(Spoil, strict=False)
    match.submit(Fire("ada", "B1"))

    assert [fault.handler for fault in match.faults] == ["spoil"]
    assert types(match) == ["rule_disabled", "shot_fired", "turn_ended", "turn_started"]


def test_an_ability_that_changes_its_own_parameters_when_asked_for_a_target_is_off():
    @ability("test.waver", target=OneCell())
    class Waver(Ability):
        amount: int = 1

        def use(self, ctx, target):
            yield GainPoints(ctx.seat.name, self.amount)

        def allows(self, ctx, target):
            object.__setattr__(self, "amount", 9)

    match = begun(Waver, strict=False)

    with pytest.raises(Refused, match="plugin_error"):
        match.submit(UseAbility("ada", "test.waver", "B2"))

    assert match.faults[0].reason == "changed its own parameters"
    assert match.faults[0].handler == "allows"


def test_a_use_that_changes_its_own_parameters_is_off_and_other_matches_have_them_as_before():
    @ability("test.creep")
    class Creep(Ability):
        amount: int = 1

        def use(self, ctx, nothing):
            yield GainPoints(ctx.seat.name, self.amount)
            object.__setattr__(self, "amount", 9)

    match = begun(Creep, strict=False)
    other = Match.new(match.variant, seats=SEATS, registry=match._registry)  # noqa: SLF001 - the registry of the test
    for seat in SEATS:
        other.submit(PlaceFleet(seat, FLEET))

    for one in (match, other):
        with pytest.raises(Refused) as caught:
            one.submit(UseAbility("ada", "test.creep"))
        assert [refusal.code for refusal in caught.value.refusals] == ["plugin_error"]
        assert one.faults[0].reason == "changed its own parameters"
        assert one.view("ada").points == 0
    [bound] = {bound.rule for bound in match._registry.book(match.variant).bounds}  # noqa: SLF001 - as above
    assert bound.amount == 1


# Chance.


@rule("test.dice")
class Dice(Rule):
    """Throws for each shot and for each turn, in handlers of their own."""

    @reacts(ShotFired)
    def throw(self, ctx, event):
        yield Note("test.shot", args={"n": ctx.random.below(1000)})

    @reacts(TurnStarted)
    def again(self, ctx, event):
        yield Note("test.turn", args={"n": ctx.random.below(1000)})


def test_draws_of_a_rule_go_on_through_a_commit_and_start_anew_with_the_next():
    match = begun(Dice)
    for cell in ("B1", "B1", "C1"):
        commit = match.submit(Fire(match.seat_to_move, cell))
        thrown = [event.args["n"] for event in commit.events if event.type == "noted"]
        draws = Random(7, "test.dice@-1", commit.number)
        assert thrown == [draws.below(1000), draws.below(1000)]
