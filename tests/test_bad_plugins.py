"""Bad plugins: each is switched off or kept out, and named to the host; the match goes on and no seat learns of it.

Each bad rule is played to the end of a match beside the same match without it: but for the word that it is off, both
seats must be told the same.
"""

import json
import sys

import pytest

import irontide
from irontide import (
    Ability,
    Activate,
    Area,
    BattleStarted,
    CellSet,
    DataSet,
    EndMatch,
    Fire,
    FleetPlaced,
    GainPoints,
    Lane,
    Mark,
    Match,
    Note,
    OtherTurns,
    OwnTurn,
    PlaceFleet,
    PluginError,
    PluginFault,
    PointsGained,
    Refusal,
    Refused,
    Registry,
    Resign,
    Rule,
    Scan,
    SetData,
    ShipSunk,
    Shot,
    ShotFired,
    Sink,
    SpendPoints,
    TurnEnded,
    TurnStarted,
    Unmark,
    UseAbility,
    Variant,
    VariantError,
    VerdictKind,
    ability,
    adjusts,
    forbids,
    hookimpl,
    reacts,
    replaces,
    rule,
)
from irontide.testing import Bundle

LEAK = "the enemy hides at C4"
"""Stands in every exception that the bad plugins raise; no seat may ever read it."""

FLEETS = {"ada": {"cruiser": "A3-C3", "destroyer": "A5-B5"}, "bo": {"cruiser": "B2-D2", "destroyer": "E4-E5"}}

PLAIN = Variant(
    "plain",
    grid=irontide.Grid(5, 5),
    fleet=(irontide.ShipClass("cruiser", 3), irontide.ShipClass("destroyer", 2)),
).but(id="plain", rules=["points.start", "points.income", "points.cap"], abilities={"cruiser": "sonar"})


pytestmark = pytest.mark.usefixtures("nothing_hangs")


class Listener:
    """A host's plugin that hears of faults."""

    def __init__(self):
        self.heard = []

    @hookimpl
    def irontide_fault(self, fault):
        self.heard.append(fault)


def registry_with(*classes, name="bad"):
    registry = Registry.default()
    if classes:
        registry.register(Bundle(classes), name)
    return registry


def new(registry, variant, *, place=True, **more):
    match = Match.new(variant, seats=("ada", "bo"), seed=1, registry=registry, **more)
    if place:
        for seat, ships in FLEETS.items():
            match.submit(PlaceFleet(seat, ships))
    return match


def commands():
    """Yield the commands of one whole match, as each turn's first choice."""
    for seat, ships in FLEETS.items():
        yield PlaceFleet(seat, ships)
    for n, cell in enumerate(PLAIN.grid.names):
        for seat in FLEETS:
            if n in (1, 3):
                yield UseAbility(seat, "sonar", cell)
            yield Fire(seat, cell)


def play(match):
    """Play a match to its end."""
    for command in commands():
        if match.outcome is not None:
            break
        match.submit(command)
    assert match.outcome is not None
    return match


def play_strictly(match):
    """Return the fault at which a strict match stops, having seen that it left the match as it was."""
    for command in commands():
        before, state = match.dumps(), match.state
        try:
            match.submit(command)
        except PluginFault as stopped:
            assert (match.dumps(), match.state) == (before, state)
            with pytest.raises(PluginFault):
                match.submit(command)
            assert (match.dumps(), match.state) == (before, state)
            return stopped.fault
    return None


def told(match, seat):
    """Return what a seat was told but for its own numbers and for rules that were switched off."""
    off = [
        event
        for event in match.told(seat)
        if event["type"] in {"rule_disabled", "ability_disabled"} and event["reason"] == "fault"
    ]
    for event in off:
        extra = {"rule"} if event["type"] == "rule_disabled" else {"seat", "ability", "ship"}
        assert set(event) == {"n", "type", "reason"} | extra
    return [{**event, "n": 0} for event in match.told(seat) if event not in off]


def nothing_leaks(match, *others):
    text = json.dumps([match.told(seat) for seat in (*match.seats, None)]) + json.dumps(others)
    for secret in (LEAK, "secret_handler", "Traceback", "traceback", "Error", ".py"):
        assert secret not in text


def check_log(match, registry):
    text = match.dumps()
    assert Match.loads(text, registry).state == match.state
    assert Match.loads(text, Registry.default()).state == match.state, "a log folds without the plugin"
    assert irontide.verify(text, registry).kind is VerdictKind.EXACT


def suspect(*bad, off=1):
    """Play a match with these bad rules of plugin "bad" and see that they are switched off and nothing else happens.

    Args:
        bad: the rules.
        off: how many of them get switched off.

    Returns:
        The faults.

    """
    registry = registry_with(*bad)
    listener = Listener()
    registry.register(listener, "listener")
    variant = PLAIN.but(id="plain", rules=[each.id for each in bad])
    match = play(new(registry, variant, place=False))
    clean = play(new(Registry.default(), PLAIN, place=False))
    for seat in ("ada", "bo", None):
        assert told(match, seat) == told(clean, seat)
        assert len(match.told(seat)) == len(clean.told(seat)) + off
    nothing_leaks(match)
    assert match.outcome == clean.outcome
    assert len(match.faults) == off
    assert listener.heard == match.faults
    for fault in match.faults:
        assert fault.plugin == "bad"
        assert fault.rule in {each.id for each in bad}
        assert fault.handler.startswith("secret_handler")
        assert fault.reason
        assert fault.commit in range(1, match.number + 1)
        opening = match.commits[fault.commit - 1].events[0]
        assert isinstance(opening, irontide.RuleDisabled)
        assert opening.reason == "fault"
    check_log(match, registry)
    strict = new(registry, variant, place=False, strict=True)
    stopped, places = play_strictly(strict), [(fault.rule, fault.handler, fault.commit) for fault in match.faults]
    assert (stopped.rule, stopped.handler, stopped.commit) in places
    return match.faults


def reacting(give, event=ShotFired, id_="bad.rule"):
    """Return a rule whose reaction is what `give(ctx, event)` gives."""

    @rule(id_)
    class Reacting(Rule):
        amount: int = 1

        @reacts(event)
        def secret_handler(self, ctx, event):
            return give(ctx, event)

    return Reacting


def replacing(give, effect=Shot, id_="bad.rule"):
    @rule(id_)
    class Replacing(Rule):
        @replaces(effect)
        def secret_handler(self, ctx, effect):
            return give(ctx, effect)

    return Replacing


def forbidding(give, command=Fire, id_="bad.rule"):
    @rule(id_)
    class Forbidding(Rule):
        @forbids(command)
        def secret_handler(self, ctx, command):
            return give(ctx, command)

    return Forbidding


def adjusting(give, question="shots", id_="bad.rule"):
    @rule(id_)
    class Adjusting(Rule):
        @adjusts(question)
        def secret_handler(self, ctx, value, *details):
            return give(ctx, value)

    return Adjusting


# One raises.


class SecretError(Exception):
    pass


class UnspeakableError(Exception):
    def __str__(self):
        raise SecretError(LEAK)

    __repr__ = __str__


def fail(*_):
    raise SecretError(LEAK)


def fail_unspeakably(*_):
    raise UnspeakableError


def fail_after_a_gain(ctx, event):
    yield GainPoints("ada", 3)
    yield Mark(public=True)
    raise SecretError(LEAK)


def fall(*_):
    return fall()


RAISES = {
    "at the placing of a fleet": reacting(fail, FleetPlaced),
    "at the start of the battle": reacting(fail, BattleStarted),
    "at the start of a turn": reacting(fail, TurnStarted),
    "at the end of a turn": reacting(fail, TurnEnded),
    "at a shot": reacting(fail),
    "at a sinking": reacting(fail, ShipSunk),
    "at a gain": reacting(fail, PointsGained),
    "at the use of an ability": reacting(fail, irontide.AbilityUsed),
    "after two effects": reacting(fail_after_a_gain),
    "after two effects at the start of a turn": reacting(fail_after_a_gain, TurnStarted),
    "in forbids of shots": forbidding(fail),
    "in forbids of abilities": forbidding(fail, UseAbility),
    "in forbids of fleets": forbidding(fail, PlaceFleet),
    "in adjusts shots": adjusting(fail),
    "in adjusts price": adjusting(fail, "price"),
    "in adjusts cap": adjusting(fail, "cap"),
    "in replaces of shots": replacing(fail),
    "in replaces of gains": replacing(fail, GainPoints),
    "in replaces of prices": replacing(fail, SpendPoints),
    "in replaces of an activation": replacing(fail, Activate),
    "in replaces of a scan": replacing(fail, Scan),
    "in replaces of a sinking": replacing(fail, Sink),
    "in replaces of the end": replacing(fail, EndMatch),
    "what cannot be shown": reacting(fail_unspeakably),
    "for it never ends": reacting(fall),
    "a stop": reacting(lambda ctx, event: next(iter(()))),
    "an own refusal": reacting(lambda ctx, event: (_ for _ in ()).throw(Refused([Refusal("bad.no", {"why": LEAK})]))),
    "a fault of its own": forbidding(lambda ctx, event: (_ for _ in ()).throw(irontide.CommandError(LEAK))),
}


@pytest.mark.parametrize("bad", RAISES.values(), ids=RAISES.keys())
def test_a_rule_that_raises_is_switched_off_and_named_to_the_host(bad):
    (fault,) = suspect(bad)
    assert fault.reason.startswith("raised ")
    assert "Traceback" in fault.traceback
    assert "test_bad_plugins.py" in fault.traceback
    assert str(fault)


def test_the_host_is_told_what_went_wrong_and_what_led_to_it():
    (fault,) = suspect(reacting(fail, TurnStarted))
    assert (fault.plugin, fault.rule, fault.seat, fault.handler) == ("bad", "bad.rule", None, "secret_handler")
    assert LEAK in fault.reason
    assert LEAK in fault.traceback
    assert fault.commit == 2
    assert "TurnStarted" in fault.event
    assert fault.causes[0] == "turn_started"


def test_two_bad_rules_are_both_switched_off_in_one_command():
    faults = suspect(reacting(fail, id_="bad.one"), reacting(fail, id_="bad.two"), off=2)
    assert {fault.rule for fault in faults} == {"bad.one", "bad.two"}
    assert {fault.commit for fault in faults} == {3}


def test_a_good_rule_beside_a_bad_one_goes_on():
    good = reacting(lambda ctx, event: [GainPoints("bo", 1)], id_="good.rule")
    registry = registry_with(good, name="good")
    registry.register(Bundle([reacting(fail)]), "bad")
    both = new(registry, PLAIN.but(id="plain", rules=["bad.rule", "good.rule"]), place=False)
    alone = new(registry, PLAIN.but(id="plain", rules=["good.rule"]), place=False)
    for seat in ("ada", "bo"):
        assert told(play(both), seat) == told(play(alone), seat)
    check_log(both, registry)


@pytest.mark.parametrize("stop", [KeyboardInterrupt, SystemExit])
def test_what_stops_the_program_passes_and_leaves_the_match_as_it_was(stop):
    stops = [stop()]

    def interrupt(ctx, event):
        if stops:
            raise stops.pop()

    registry = registry_with(reacting(interrupt))
    match = new(registry, PLAIN.but(id="plain", rules=["bad.rule"]))
    before, state = match.dumps(), match.state
    with pytest.raises(stop):
        match.submit(Fire("ada", "A1"))
    assert (match.dumps(), match.state) == (before, state)
    match.submit(Fire("ada", "A1"))
    check_log(match, registry)


@pytest.mark.parametrize("bad", [forbidding(fail), forbidding(lambda *_: "no")])
def test_asking_for_options_and_refusals_leaves_the_bad_rule_out_and_changes_nothing(bad):
    registry = registry_with(bad)
    match = new(registry, PLAIN.but(id="plain", rules=["bad.rule"]))
    clean = new(Registry.default(), PLAIN)
    before, state = match.dumps(), match.state
    for seat in ("ada", "bo"):
        assert match.options(seat) == clean.options(seat)
        assert match.refusals(Fire(seat, "Z9")) == clean.refusals(Fire(seat, "Z9"))
    assert match.refusals(Fire("ada", "A1")) == ()
    assert {(fault.plugin, fault.handler) for fault in match.faults} == {("bad", "secret_handler")}
    assert (match.dumps(), match.state) == (before, state)
    nothing_leaks(match)


def test_a_bad_clearance_is_a_problem_of_the_variant():
    for give in (fail, lambda *_: None, lambda *_: "no", lambda *_: 5):

        @rule("bad.rule")
        class Bad(Rule):
            @adjusts("clearance")
            def secret_handler(self, grid, zone, ship, give=give):
                return give()

        with pytest.raises(VariantError) as caught:
            new(registry_with(Bad), PLAIN.but(id="plain", rules=["bad.rule"]))
        assert [problem.code for problem in caught.value.problems] == ["bad_rule"]


def test_a_clearance_that_fails_for_cells_that_are_no_ship_is_never_asked_about_them():
    @rule("bad.rule")
    class Picky(Rule):
        @adjusts("clearance")
        def secret_handler(self, grid, zone, ship):
            if len(ship) not in (2, 3):
                raise SecretError(LEAK)
            return zone

    match = new(registry_with(Picky), PLAIN.but(id="plain", rules=["bad.rule"]), place=False)
    with pytest.raises(Refused) as caught:
        match.submit(PlaceFleet("ada", {"cruiser": "A1-E1", "destroyer": "A3-B3"}))
    assert [refusal.code for refusal in caught.value.refusals] == ["wrong_shape"]


@rule("bad.rule")
class UnknownQuestion(Rule):
    @adjusts("shotz")
    def secret_handler(self, ctx, value):
        return value


@rule("bad.rule")
class UnknownEvent(Rule):
    @reacts(str)
    def secret_handler(self, ctx, value):
        return None


@rule("bad.rule")
class UnknownGroup(Rule):
    @reacts(ShotFired, group="sometimes")
    def secret_handler(self, ctx, value):
        return None


@pytest.mark.parametrize("bad", [UnknownQuestion, UnknownEvent, UnknownGroup])
def test_a_rule_that_listens_to_what_there_is_not_is_a_problem_of_the_variant(bad):
    with pytest.raises(VariantError) as caught:
        new(registry_with(bad), PLAIN.but(id="plain", rules=["bad.rule"]))
    assert [problem.code for problem in caught.value.problems] == ["bad_rule"]


# One cascades for ever.

TOO_MANY = 30_000
"""So often a handler of these tests goes on before it gives up, so that a test fails instead of hanging."""


class Counter:
    def __init__(self):
        self.n = 0

    def more(self):
        self.n += 1
        return self.n < TOO_MANY


def test_a_rule_that_answers_its_own_events_is_stopped():
    grow = reacting(lambda ctx, event: [SetData("n", ctx.data.get("n", 0) + 1)], DataSet, "bad.rule")
    start = reacting(lambda ctx, event: [SetData("n", 0)], ShotFired, "bad.rule")

    @rule("bad.rule")
    class Both(Rule):
        secret_handler = start.secret_handler
        secret_handler_of_its_own = grow.secret_handler

    suspect(Both)


def test_two_rules_that_answer_each_other_for_ever_are_stopped():
    def answers(id_, other):
        def give(ctx, event):
            own = isinstance(event, ShotFired) or event.rule == other
            return [SetData("n", ctx.data.get("n", 0) + 1)] if own else None

        @rule(id_)
        class Answers(Rule):
            @reacts(DataSet)
            def secret_handler_answers(self, ctx, event):
                return give(ctx, event)

            @reacts(ShotFired)
            def secret_handler_starts(self, ctx, event):
                return give(ctx, event)

        return Answers

    registry = registry_with(answers("bad.ping", "bad.pong"), answers("bad.pong", "bad.ping"))
    match = play(new(registry, PLAIN.but(id="plain", rules=["bad.ping", "bad.pong"]), place=False))
    clean = play(new(Registry.default(), PLAIN, place=False))
    assert 1 <= len(match.faults) <= 2
    assert {fault.rule for fault in match.faults} <= {"bad.ping", "bad.pong"}
    for seat in ("ada", "bo"):
        assert told(match, seat) == told(clean, seat)
    check_log(match, registry)


def test_a_rule_whose_answers_multiply_is_stopped():
    def double(ctx, event):
        return [[SetData(key, 1)] for key in "abc"]

    @rule("bad.rule")
    class Doubles(Rule):
        @reacts(DataSet)
        def secret_handler_doubles(self, ctx, event):
            return double(ctx, event)

        @reacts(ShotFired)
        def secret_handler_starts(self, ctx, event):
            return double(ctx, event)

    suspect(Doubles)


@pytest.mark.parametrize(
    "effect", [GainPoints("ada", 0), GainPoints("ada", 1), SetData("n", 1), [], Shot(0, by="ada")], ids=str
)
def test_a_reaction_that_yields_for_ever_is_stopped(effect):
    counter = Counter()

    def endless(ctx, event):
        while counter.more():
            yield effect

    suspect(reacting(endless))
    assert counter.n < TOO_MANY


def test_a_rule_that_answers_with_a_huge_list_is_stopped():
    suspect(reacting(lambda ctx, event: [[SetData("n", n) for n in range(TOO_MANY)]]))
    suspect(replacing(lambda ctx, effect: [effect, *(SetData("n", n) for n in range(TOO_MANY))]))


def test_being_asked_often_is_nobodys_fault():
    asked = forbidding(
        lambda ctx, command: Refusal("good.no_corner") if command.cells == ("A1",) else None, id_="good.rule"
    )
    dear = adjusting(lambda ctx, price: price + 1, "price", id_="good.price")
    match = new(registry_with(asked, dear, name="good"), PLAIN.but(id="plain", rules=["good.rule", "good.price"]))
    for _ in range(600):
        for command in (Fire("ada", "A1"), UseAbility("ada", "sonar", "Z9")):
            with pytest.raises(Refused):
                match.submit(command)
    with pytest.raises(Refused) as caught:
        match.submit(Fire("ada", "A1"))
    assert [refusal.code for refusal in caught.value.refusals] == ["good.no_corner"]
    assert match.faults == []


# One changes what it is given.


def set_openly(name, value):
    def change(ctx, thing):
        setattr(thing, name, value)

    return change


def set_by_force(name, value):
    def change(ctx, thing):
        object.__setattr__(thing, name, value)

    return change


def set_target(ctx, effect):
    effect.target["from"] = "E5"


def set_target_by_force(ctx, effect):
    dict.__setitem__(effect.target, "from", "E5")


def set_own_parameter(ctx, event):
    ctx.data["n"] = 1


CHANGES = {
    "an event": reacting(set_openly("at", "C3")),
    "an event by force": reacting(set_by_force("at", "C3")),
    "an event's answer by force": reacting(set_by_force("told", "hit")),
    "an event by force, into something without a hash": reacting(set_by_force("at", [])),
    "a turn's start by force": reacting(set_by_force("seat", "bo"), TurnStarted),
    "a turn's end by force": reacting(set_by_force("seat", "bo"), TurnEnded),
    "a gain by force": reacting(set_by_force("total", 99), PointsGained),
    "an effect": replacing(set_openly("cell", 0)),
    "an effect by force": replacing(set_by_force("cell", 0)),
    "a command": forbidding(set_openly("cells", ("E5",))),
    "a command by force": forbidding(set_by_force("cells", ("E5",))),
    "a use by force": forbidding(set_by_force("target", "E5"), UseAbility),
    "a fleet by force": forbidding(
        lambda ctx, command: dict.__setitem__(command.ships, "destroyer", "A5-B5"), PlaceFleet),
    "its data": reacting(set_own_parameter),
}  # fmt: skip


@pytest.mark.parametrize("bad", CHANGES.values(), ids=CHANGES.keys())
def test_a_rule_that_changes_what_it_was_handed_is_switched_off_and_its_change_undone(bad):
    (fault,) = suspect(bad)
    assert fault.reason == "changed what it was handed" or fault.reason.startswith("raised ")


@pytest.mark.parametrize("bad", CHANGES.values(), ids=CHANGES.keys())
def test_a_change_does_not_reach_another_match_of_the_same_registry(bad):
    registry = registry_with(bad)
    play(new(registry, PLAIN.but(id="plain", rules=["bad.rule"]), place=False))
    later, clean = new(registry, PLAIN, place=False), new(Registry.default(), PLAIN, place=False)
    assert play(later).dumps() == play(clean).dumps()


@pytest.mark.parametrize("change", [set_openly("amount", 3), set_by_force("amount", 3)], ids=["openly", "by force"])
def test_a_rule_cannot_change_its_own_parameters(change):
    @rule("bad.rule")
    class Greedy(Rule):
        amount: int = 0

        @reacts(ShotFired)
        def secret_handler(self, ctx, event):
            change(ctx, self)
            yield GainPoints(event.by, self.amount)

    suspect(Greedy)


@pytest.mark.parametrize("change", [set_target, set_target_by_force], ids=["openly", "by force"])
def test_a_rule_that_changes_a_target_is_switched_off_and_the_target_stands(change):
    registry = registry_with(replacing(change, Activate))
    plain = PLAIN.but(id="plain", abilities={"destroyer": {"use": "torpedo", "price": 1}})
    match, clean = new(registry, plain.but(id="plain", rules=["bad.rule"])), new(Registry.default(), plain)
    torpedo = UseAbility("ada", "torpedo", {"from": "A2", "direction": "right"})
    for each in (match, clean):
        each.submit(torpedo)
    for seat in ("ada", "bo", None):
        assert told(match, seat) == told(clean, seat)
    assert [fault.handler for fault in match.faults] == ["secret_handler"]
    fresh = new(registry, plain)
    fresh.submit(torpedo)
    assert fresh.dumps() == clean.dumps(), "the change must not reach another match"
    check_log(match, registry)


# One returns junk.


class Hostile:
    """Cannot be shown, compared, counted or hashed."""

    def _fail(self, *_):
        raise SecretError(LEAK)

    __repr__ = __str__ = __eq__ = __hash__ = __bool__ = __len__ = __iter__ = _fail


JUNK = {
    "a text": "no effects",
    "bytes": b"no effects",
    "a number": 5,
    "true": True,
    "a dict": {"n": 1},
    "a list of texts": ["no effects"],
    "a list of None": [None],
    "a list of lists of None": [[None]],
    "a set": {5},
    "a class": GainPoints,
    "an exception": SecretError(LEAK),
    "an event": TurnEnded("ada"),
    "what is hostile": Hostile(),
    "a list of what is hostile": [Hostile()],
    "the base of effects": [irontide.Effect()],
    "a gain of nobody": [GainPoints("eve", 1)],
    "a gain of None": [GainPoints(None, 1)],
    "a gain of a list": [GainPoints([], 1)],
    "a negative gain": [GainPoints("ada", -1)],
    "half a point": [GainPoints("ada", 1.5)],
    "a true gain": [GainPoints("ada", True)],
    "a gain of a text": [GainPoints("ada", "1")],
    "a gain for a number": [GainPoints("ada", 1, 5)],
    "a gain for a list": [GainPoints("ada", 1, ["x"])],
    "a negative price": [SpendPoints("ada", -1)],
    "half a price": [SpendPoints("ada", 0.5)],
    "a shot far off": [Shot(999, by="ada")],
    "a negative shot": [Shot(-1, by="ada")],
    "a shot at a name": [Shot("A1", by="ada")],
    "a shot at a float": [Shot(0.0, by="ada")],
    "a shot at true": [Shot(True, by="ada")],
    "a shot of nobody": [Shot(24, by="eve")],
    "a shot of a list": [Shot(24, by=["ada"])],
    "a shot of no seat": [Shot(24)],
    "a shot with a strange harm": [Shot(24, by="ada", harm="yes")],
    "a shot with no harm at all": [Shot(24, by="ada", harm=None)],
    "a shot with a strange answer": [Shot(24, by="ada", answer=5)],
    "a shot with a strange again": [Shot(24, by="ada", again="maybe")],
    "a scan of a name": [Scan("A1", by="ada")],
    "a scan far off": [Scan(CellSet(1 << 999), by="ada")],
    "a scan for nothing": [Scan(CellSet(1), by="ada", tell="secrets")],
    "a scan of what is not": [Scan(CellSet(1), by="ada", of="dreams")],
    "a scan of no seat": [Scan(CellSet(1))],
    "a mark on a number": [Mark(999)],
    "a mark on a list": [Mark(["A1"])],
    "a mark on no ship": [Mark("frigate")],
    "a mark far off": [Mark(CellSet(1 << 999), side="ada")],
    "a mark of nobody's": [Mark(side="eve")],
    "a mark for ever and a day": [Mark(until="tomorrow")],
    "a mark until a list": [Mark(until=[])],
    "a mark until a text": [Mark(until=OwnTurn("x"), side="ada")],
    "a mark until half a turn": [Mark(until=OtherTurns(1.5), side="ada")],
    "a mark until a negative turn": [Mark(until=OwnTurn(-1), side="ada")],
    "a mark of strange publicity": [Mark(side="ada", public="some")],
    "an end of no mark": [Unmark(None)],
    "an end of a text": [Unmark("flak@ada#1")],
    "data under a number": [SetData(5, 1)],
    "data under a list": [SetData([], 1)],
    "data of strange publicity": [SetData("n", 1, public=[])],
    "a note under a number": [Note(5)],
    "a note to nobody": [Note("bad.note", to="eve")],
    "a note to a list": [Note("bad.note", to=["ada"])],
    "a note with a number": [Note("bad.note", args=5)],
    "a note with a list": [Note("bad.note", args=["n"])],
    "a note with a text": [Note("bad.note", args="n")],
    "an end for nobody": [EndMatch("eve", "bad.end")],
    "an end for a list": [EndMatch(["ada"], "bad.end")],
    "an end for no reason": [EndMatch("ada", None)],
    "an end for a number": [EndMatch("ada", 5)],
    "a sinking of nobody's": [Sink("eve", "cruiser")],
    "a sinking of no ship": [Sink("ada", "frigate")],
    "a sinking of a list": [Sink("ada", ["cruiser"])],
    "an activation of nobody": [Activate("eve", "sonar", "A1")],
    "a cancelling": [GainPoints("ada", 1).cancelled("bad.rule")],
    "a good one and a bad one": [GainPoints("ada", 1), "no effect"],
    "a good batch with a bad one": [[GainPoints("ada", 1), None]],
}


@pytest.mark.parametrize("junk", JUNK.values(), ids=JUNK.keys())
def test_a_reaction_that_gives_junk_is_switched_off(junk):
    suspect(reacting(lambda ctx, event: junk))


@pytest.mark.parametrize("junk", JUNK.values(), ids=JUNK.keys())
def test_a_reaction_that_yields_junk_is_switched_off(junk):
    def give(ctx, event):
        if isinstance(junk, list):
            yield from junk
        else:
            yield junk

    suspect(reacting(give))


def test_junk_that_cannot_be_made_is_the_fault_of_who_makes_it():
    for make in (
        lambda ctx, event: [SetData("n", 1.5)],
        lambda ctx, event: [SetData("n", {1: 2})],
        lambda ctx, event: [Mark(data=object())],
        lambda ctx, event: [Note("bad.note", args={"n": 0.5})],
        lambda ctx, event: [GainPoints("ada")],
        lambda ctx, event: ctx.nothing,
        lambda ctx, event: ctx.grid.cell("Z99"),
        lambda ctx, event: ctx.random.below(0),
    ):
        suspect(reacting(make))


REPLACEMENTS = {
    **{name: junk for name, junk in JUNK.items() if name not in {"a cancelling", "a good one and a bad one"}},
    "nothing in a list": [],
    "a cancelling of junk": Shot(0).cancelled("bad.rule", then=["no effect"]),
    "a cancelling with nonsense": Shot(0).cancelled("bad.rule", then=[GainPoints("eve", 1)]),
    "a cancelling for a number": Shot(0).cancelled(5),
    "a cancelling for None": Shot(0).cancelled(None),
    "a cancelling of strange publicity": Shot(0).cancelled("bad.rule", public="some"),
    "a cancelling made by hand": irontide.Cancelled("no effect", "bad.rule", None, public=True),
    "a generator": (Shot(0) for _ in range(1)),
}


@pytest.mark.parametrize("junk", REPLACEMENTS.values(), ids=REPLACEMENTS.keys())
def test_a_replacement_that_is_junk_is_switched_off(junk):
    suspect(replacing(lambda ctx, effect: junk))


@pytest.mark.parametrize(
    "junk",
    ["no", b"no", 5, True, False, [], [Refusal("bad.no")], Refusal, {}, Hostile(), SecretError(LEAK)],
    ids=type,
)
def test_a_prohibition_that_is_junk_is_switched_off(junk):
    for command in (Fire, UseAbility, PlaceFleet):
        suspect(forbidding(lambda ctx, command: junk, command))


@pytest.mark.parametrize("junk", [5, None, b"x", ["bad.no"]])
def test_a_refusal_with_a_code_that_is_no_text_is_the_fault_of_who_makes_it(junk):
    suspect(forbidding(lambda ctx, command: Refusal(junk)))


@pytest.mark.parametrize("junk", [None, "2", 1.0, True, -1, [], Hostile(), float("nan")], ids=type)
@pytest.mark.parametrize("question", ["shots", "price", "cap"])
def test_an_answer_that_is_junk_is_switched_off(question, junk):
    suspect(adjusting(lambda ctx, value: junk, question))


# The same of abilities.


def with_ability(bad, variant=PLAIN):
    """Return a match, and its registry, in which the destroyers have this ability of plugin "bad"."""
    registry = registry_with(bad)
    return new(registry, variant.but(id="plain", abilities={"destroyer": bad.id})), registry


def using(use, target=None, **more):
    @ability("bad.ability", price=1, target=target, **more)
    class Using(Ability):
        def use(self, ctx, target):
            return use(ctx, target)

    return Using


def no_generator(ctx, target):
    return [GainPoints(ctx.seat.name, 1)]


def good_then_bad(ctx, target):
    yield GainPoints(ctx.seat.name, 3)
    yield Shot(0)
    raise SecretError(LEAK)


def yields(*things):
    def use(ctx, target):
        yield from things

    return use


BAD_USES = {
    "raises": using(fail),
    "raises what cannot be shown": using(fail_unspeakably),
    "raises after good effects": using(good_then_bad),
    "returns a list": using(no_generator),
    "returns None": using(lambda ctx, target: None),
    "returns a text": using(lambda ctx, target: "no"),
    "yields None": using(yields(None)),
    "yields a text": using(yields(GainPoints("ada", 1), "no")),
    "yields a bad batch": using(yields([GainPoints("ada", 1), 5])),
    "yields nonsense": using(yields(GainPoints("eve", 1))),
    "yields a shot far off": using(yields(Shot(999))),
    "yields what is hostile": using(yields(Hostile())),
    "takes too few": using(lambda ctx: None),
}


@pytest.mark.parametrize("bad", BAD_USES.values(), ids=BAD_USES.keys())
def test_an_ability_whose_use_fails_is_refused_and_off_and_nothing_is_spent(bad):
    match, registry = with_ability(bad)
    before = {seat: match.told(seat) for seat in ("ada", "bo", None)}
    state = match.state
    with pytest.raises(Refused) as caught:
        match.submit(UseAbility("ada", "bad.ability"))
    (refusal,) = caught.value.refusals
    assert refusal == Refusal("plugin_error", {"plugin": "bad"})
    nothing_leaks(match, irontide.to_json(refusal), refusal.text("en"), refusal.text("de"), str(caught.value))
    for seat, old in before.items():
        word = {"type": "ability_disabled", "seat": "ada", "ability": "bad.ability", "ship": None, "reason": "fault"}
        assert match.told(seat) == [*old, {"n": len(old) + 1, **word}]
    assert match.seat_to_move == "ada"
    assert match.state.points == state.points
    assert match.state.uses == state.uses
    option = match.options("ada").abilities["bad.ability"]
    assert option.refusal == Refusal("ability_disabled", {"ability": "bad.ability", "reason": "fault"})
    with pytest.raises(Refused, match="ability_disabled"):
        match.submit(UseAbility("ada", "bad.ability"))
    (fault,) = match.faults
    assert (fault.plugin, fault.rule, fault.seat, fault.handler) == ("bad", "bad.ability", "ada", "use")
    match.submit(UseAbility("ada", "sonar", "B2"))
    play_on(match)
    check_log(match, registry)
    nothing_leaks(match)


def play_on(match):
    """Play a match on to its end, shooting alone."""
    while match.outcome is None:
        seat = match.seat_to_move
        match.submit(Fire(seat, match.grid.name(next(iter(match.options(seat).fire.cells)))))


@pytest.mark.parametrize("bad", BAD_USES.values(), ids=BAD_USES.keys())
def test_in_a_strict_match_a_use_that_fails_stops_and_leaves_the_match_as_it_was(bad):
    registry = registry_with(bad)
    match = new(registry, PLAIN.but(id="plain", abilities={"destroyer": "bad.ability"}), strict=True)
    before, state = match.dumps(), match.state
    with pytest.raises(PluginFault) as caught:
        match.submit(UseAbility("ada", "bad.ability"))
    assert caught.value.fault.handler == "use"
    assert (match.dumps(), match.state) == (before, state)


@pytest.mark.parametrize("effect", [GainPoints("ada", 0), SetData("n", 1), [], [GainPoints("ada", 0)], Unmark], ids=str)
def test_a_use_that_yields_for_ever_is_stopped(effect):
    counter = Counter()

    def endless(ctx, target):
        while counter.more():
            yield effect

    match, registry = with_ability(using(endless))
    with pytest.raises(Refused, match="plugin_error"):
        match.submit(UseAbility("ada", "bad.ability"))
    assert counter.n < TOO_MANY
    check_log(match, registry)


def test_a_use_cannot_change_the_target_that_it_is_handed():
    def change(ctx, lane):
        dict.__setitem__(lane.spot.json, "from", "E5")
        object.__setattr__(lane.spot.json, "x", 1) if hasattr(lane.spot.json, "x") else None
        yield Shot(lane.unshot[0])

    match, registry = with_ability(using(change, Lane()))
    command = UseAbility("ada", "bad.ability", {"from": "A2", "direction": "right"})
    with pytest.raises(Refused, match="plugin_error"):
        match.submit(command)
    other = new(registry, match.variant)
    targets = list(other.options("ada").abilities["bad.ability"].targets)
    assert {"from": "A2", "direction": "right"} in targets
    assert len(targets) == len({json.dumps(target) for target in targets})
    check_log(match, registry)


@pytest.mark.parametrize("give", [fail, lambda *_: "no", lambda *_: 5, lambda *_: [], lambda *_: Hostile()])
def test_an_ability_that_fails_to_say_whether_a_target_is_allowed_is_off_once_it_is_asked_for(give):
    @ability("bad.ability", price=1, target=Area(3, 3))
    class Bad(Ability):
        def use(self, ctx, target):
            yield Scan(target.cells)

        def allows(self, ctx, target):
            return give(ctx, target)

    match, registry = with_ability(Bad)
    before, state = match.dumps(), match.state
    match.options("ada")
    match.refusals(UseAbility("ada", "bad.ability", "B2"))
    assert (match.dumps(), match.state) == (before, state)
    with pytest.raises(Refused) as caught:
        match.submit(UseAbility("ada", "bad.ability", "B2"))
    assert [refusal.code for refusal in caught.value.refusals] == ["plugin_error"]
    nothing_leaks(match, irontide.to_json(caught.value.refusals[0]))
    assert {fault.handler for fault in match.faults} == {"allows"}
    assert match.options("ada").abilities["bad.ability"].refusal.code == "ability_disabled"
    play_on(match)
    check_log(match, registry)


PASSIVE = {
    "at a shot": (reacts(ShotFired), fail),
    "at a turn's start": (reacts(TurnStarted), fail),
    "with junk": (reacts(ShotFired), lambda *_: ["no effect"]),
    "for ever": (reacts(irontide.TurnEnded), lambda *_: (SetData("n", 1) for _ in iter(int, 1))),
    "in a shot": (replaces(Shot), fail),
    "in a shot with junk": (replaces(Shot), lambda *_: "no effect"),
    "about a shot": (forbids(Fire), fail),
    "about the number of shots": (adjusts("shots"), fail),
}


@pytest.mark.parametrize(("verb", "give"), PASSIVE.values(), ids=PASSIVE.keys())
def test_an_ability_that_fails_beside_its_use_is_switched_off_for_its_seat(verb, give):
    class Bad(Ability):
        def use(self, ctx, target):
            yield SetData("n", 1)

        @verb
        def secret_handler(self, ctx, thing):
            return give(ctx, thing)

    registry = registry_with(ability("bad.ability", price=1)(Bad))
    quiet = type("Quiet", (Ability,), {"use": Bad.use})
    other = registry_with(ability("bad.ability", price=1)(quiet))
    variant = PLAIN.but(id="plain", abilities={"destroyer": "bad.ability"})
    match, clean = play(new(registry, variant, place=False)), play(new(other, variant, place=False))
    for seat in ("ada", "bo", None):
        assert told(match, seat) == told(clean, seat)
    assert sorted(fault.seat for fault in match.faults) in (["ada", "bo"], ["ada"], ["bo"])
    assert {(fault.plugin, fault.handler) for fault in match.faults} == {("bad", "secret_handler")}
    nothing_leaks(match)
    check_log(match, registry)


def test_a_sunk_ship_s_ability_cannot_fail_any_more():
    def late(ctx, event):
        raise SecretError(LEAK)

    @ability("bad.ability", price=1)
    class Bad(Ability):
        def use(self, ctx, target):
            yield SetData("n", 1)

        @reacts(ShipSunk)
        def secret_handler(self, ctx, event):
            if event.seat == ctx.seat.name and event.class_ == "destroyer":
                raise SecretError(LEAK)

    match, registry = with_ability(Bad)
    play_on(match)
    assert match.faults == []
    check_log(match, registry)


# One changes by force what it can reach by other ways than its arguments.


def in_use(change):
    """Return an ability that shoots, scans, marks and remembers, and changes what it then can reach."""

    def use(ctx, target):
        shot = yield Shot(0)
        scan = yield Scan(ctx.grid.row(2))
        remembered = SetData("k", {"a": 1})
        yield [Mark(on=ctx.grid.row(1), data={"a": 1}), remembered]
        change(ctx, shot.events, scan.events, remembered)
        yield GainPoints(ctx.seat.name, 1)

    return using(use)


def set_attribute(thing, name, value):
    object.__setattr__(thing, name, value)


REACHED = {
    "a result": lambda ctx, shot, scan, data: set_attribute(shot[0], "told", "hit"),
    "a scan's result": lambda ctx, shot, scan, data: set_attribute(scan[0], "count", 9),
    "a marker": lambda ctx, shot, scan, data: set_attribute(ctx.marks[0], "on", None),
    "a marker's cells": lambda ctx, shot, scan, data: set_attribute(ctx.mark_at(0).on, "_mask", 9),
    "a marker's data": lambda ctx, shot, scan, data: dict.__setitem__(ctx.marks[0].data, "a", 9),
    "what it remembers": lambda ctx, shot, scan, data: dict.__setitem__(ctx.data["k"], "a", 9),
    "an effect that was carried out": lambda ctx, shot, scan, data: dict.__setitem__(data.value, "a", 9),
    "the grid": lambda ctx, shot, scan, data: set_attribute(ctx.grid, "columns", 3),
    "the grid's cells": lambda ctx, shot, scan, data: set_attribute(ctx.grid.all, "_mask", 3),
    "its ships": lambda ctx, shot, scan, data: dict.clear(ctx.seat.ships),
}


@pytest.mark.parametrize("change", REACHED.values(), ids=REACHED.keys())
def test_what_an_ability_can_reach_is_not_the_match_itself(change):
    logs = []
    for each in (change, lambda ctx, shot, scan, data: None):
        match, registry = with_ability(in_use(each))
        match.submit(UseAbility("ada", "bad.ability"))
        check_log(match, registry)
        play_on(match)
        assert match.faults == []
        check_log(match, registry)
        logs.append(match.dumps())
    assert logs[0] == logs[1]
    play(new(Registry.default(), PLAIN, place=False))


@pytest.mark.parametrize("table", ["numbers", "bits"])
def test_the_tables_of_a_grid_which_all_matches_share_cannot_be_changed(table):
    def clear(ctx, event):
        getattr(ctx.grid, table).clear()

    suspect(reacting(clear))


def test_a_clearance_and_a_sea_cannot_change_the_grid():
    @rule("bad.rule")
    class Bad(Rule):
        @adjusts("clearance")
        def keep_apart(self, grid, zone, ship):
            set_attribute(grid, "columns", 3)
            set_attribute(ship, "_mask", 3)
            return zone

        @adjusts("sea")
        def rise(self, grid, sea, chance):
            set_attribute(grid, "columns", 3)
            return sea

    registry = registry_with(Bad)
    match = play(new(registry, PLAIN.but(id="plain", rules=["bad.rule"]), place=False))
    assert match.grid == irontide.Grid(5, 5)
    check_log(match, registry)


def test_an_effect_that_waits_its_turn_cannot_be_changed_any_more():
    given = []

    def give(ctx, event):
        given.append(GainPoints("ada", 1))
        return [GainPoints("ada", 1), given[-1]]

    def change(ctx, event):
        while given:
            set_attribute(given.pop(), "amount", LEAK)

    registry = registry_with(reacting(give, id_="bad.give"), reacting(change, PointsGained, id_="bad.rule"))
    match = play(new(registry, PLAIN.but(id="plain", rules=["bad.give", "bad.rule"]), place=False))
    assert match.faults == []
    check_log(match, registry)


# One gives what is no list, no effect, no refusal and no answer, though it says so.


class RaisingList(list):
    def __iter__(self):
        raise SecretError(LEAK)


class EndlessList(list):
    def __iter__(self):
        while True:
            yield GainPoints("ada", 1)


class RaisingTuple(tuple):
    __slots__ = ()

    def __iter__(self):
        raise SecretError(LEAK)


class Lying:
    @property
    def __class__(self):
        raise SecretError(LEAK)


class EqualToAll:
    __hash__ = None

    def __eq__(self, other):
        return True


def forced(thing, name, value):
    set_attribute(thing, name, value)
    return thing


def nested(depth):
    value = 1
    for _ in range(depth):
        value = (value,)
    return value


PRETENDED = {
    "a list that raises": lambda: RaisingList([1]),
    "a list without end": lambda: EndlessList([1]),
    "a tuple that raises": lambda: RaisingTuple((1,)),
    "a batch without end": lambda: [EndlessList([1])],
    "what lies about its class": Lying,
    "an effect without fields": lambda: object.__new__(Shot),
    "a cancelled effect without fields": lambda: object.__new__(irontide.Cancelled),
    "a refusal without fields": lambda: object.__new__(Refusal),
    "a refusal of junk": lambda: forced(Refusal("bad.no"), "args", 5),
    "cells that are none": lambda: Scan(forced(CellSet(1), "_mask", "x"), by="ada"),
    "cells below none": lambda: Scan(forced(CellSet(1), "_mask", -1), by="ada"),
    "cells without cells": lambda: Scan(object.__new__(CellSet), by="ada"),
    "data nested for ever": lambda: forced(SetData("k", 1), "value", nested(5000)),
    "data that can be changed": lambda: forced(Note("bad.k"), "args", {}),
    "a duration of junk": lambda: Mark(until=forced(OwnTurn(1), "n", "x")),
}


@pytest.mark.parametrize("give", PRETENDED.values(), ids=PRETENDED.keys())
@pytest.mark.parametrize("make", [reacting, replacing, forbidding], ids=["reacts", "replaces", "forbids"])
def test_what_only_pretends_to_be_an_answer_is_switched_off(make, give):
    suspect(make(lambda ctx, thing: give()))


@pytest.mark.parametrize("give", PRETENDED.values(), ids=PRETENDED.keys())
def test_a_use_that_yields_what_only_pretends_is_refused(give):
    match, registry = with_ability(using(yields(GainPoints("ada", 1), give())))
    with pytest.raises(Refused, match="plugin_error"):
        match.submit(UseAbility("ada", "bad.ability"))
    check_log(match, registry)


@pytest.mark.parametrize("junk", [EqualToAll(), (EqualToAll(),), ("ada", 5), ["ada"], ("eve",), RaisingTuple(("ada",))])
def test_an_audience_that_is_junk_is_switched_off(junk):
    suspect(adjusting(lambda ctx, to: junk, "audience"))


JUNK_ANSWERS = (
    irontide.Answer(5), irontide.Answer("hit", "eve"), irontide.Answer("hit", EqualToAll()),
    object.__new__(irontide.Answer), "hit",
)  # fmt: skip


@pytest.mark.parametrize("junk", JUNK_ANSWERS, ids=["told", "ship", "ship equal to all", "no fields", "a text"])
def test_an_answer_to_a_shot_that_is_junk_is_switched_off(junk):
    suspect(adjusting(lambda ctx, answer: junk, "answer"))


@pytest.mark.parametrize(
    "junk", [forced(CellSet(1), "_mask", "x"), object.__new__(CellSet), CellSet(1 << 400), {1}], ids=type
)
@pytest.mark.parametrize("question", ["sensed", "blind"])
def test_cells_that_are_none_are_switched_off(question, junk):
    suspect(adjusting(lambda ctx, cells: junk, question))


def asking(ctx, event):
    ctx.sensed()
    yield GainPoints(event.by, 1)


def asking_carefully(ctx, event):
    try:
        ctx.sensed()
    except Exception:  # noqa: BLE001 - what a careful author may write
        return
    yield GainPoints(event.by, 1)


@pytest.mark.parametrize(
    "give", [fail, lambda ctx, cells: 5, lambda ctx, cells: ctx.sensed()], ids=["fails", "junk", "itself"]
)
@pytest.mark.parametrize("ask", [asking, asking_carefully])
def test_who_asks_a_bad_rule_is_not_blamed_for_it(give, ask):
    registry = registry_with(adjusting(give, "sensed"), reacting(ask, id_="bad.asking"))
    seeking = PLAIN.but(
        id="plain", rules=["bad.rule", "bad.asking"], abilities={"destroyer": {"use": "seeker", "price": 1}}
    )
    match = new(registry, seeking)
    match.submit(UseAbility("ada", "seeker", "E5"))
    assert [fault.rule for fault in match.faults] == ["bad.rule"]
    assert not match.options("bo").abilities["seeker"].refusal.code.startswith("ability")
    play_on(match)
    assert [fault.rule for fault in match.faults] == ["bad.rule"]
    check_log(match, registry)


def test_no_rule_can_keep_a_match_going_for_ever():
    cancel = replacing(lambda ctx, effect: effect.cancelled("bad.no"), EndMatch)
    registry = registry_with(cancel)
    match = play(new(registry, PLAIN.but(id="plain", rules=["bad.rule"]), place=False))
    assert match.outcome == irontide.Outcome(None, "no_progress")
    assert match.faults == [], "no other rule is blamed for it"
    check_log(match, registry)


# One claims a taken id, one fails to register.


def registers(*calls):
    class Registers:
        @hookimpl
        def irontide_register(self, registry):
            for call in calls:
                call(registry)

    return Registers()


@rule("sonar")
class RuleSonar(Rule):
    pass


@rule("salvo")
class OtherSalvo(Rule):
    pass


@rule("bad.rule")
class Harmless(Rule):
    pass


@ability("sonar", price=0)
class OtherSonar(Ability):
    pass


class Nameless(Rule):
    pass


class NotForThisApi:
    irontide_api = (900, 901)


class StrangeApi:
    irontide_api = "all"


class WrongSignature:
    @hookimpl
    def irontide_register(self, registry, more):
        """Take what nobody gives."""


REGISTERS = {
    "raises": registers(fail),
    "raises what cannot be shown": registers(fail_unspeakably),
    "raises after good rules": registers(lambda registry: registry.rule(Harmless), fail),
    "claims an ability's id": registers(lambda registry: registry.ability(OtherSonar)),
    "claims an ability's id for a rule": registers(lambda registry: registry.rule(RuleSonar)),
    "claims a rule's id": registers(lambda registry: registry.rule(OtherSalvo)),
    "claims a rule's id after a good one": registers(
        lambda registry: registry.rule(Harmless), lambda registry: registry.rule(OtherSalvo)),
    "claims a variant's id": registers(lambda registry: registry.variant(PLAIN.but(id="classic"))),
    "claims its own id": registers(*[lambda registry: registry.rule(Harmless)] * 2),
    "registers an ability as a rule": registers(lambda registry: registry.rule(OtherSonar)),
    "registers a rule as an ability": registers(lambda registry: registry.ability(Harmless)),
    "registers a rule without an id": registers(lambda registry: registry.rule(Nameless)),
    "registers an instance": registers(lambda registry: registry.rule(Harmless())),
    "registers a text": registers(lambda registry: registry.ability("sonar")),
    "registers a number as a variant": registers(lambda registry: registry.variant(5)),
    "registers a variant without an id": registers(lambda registry: registry.variant({})),
    "registers a number as texts": registers(lambda registry: registry.messages("en", 5)),
    "registers texts that are none": registers(lambda registry: registry.messages("en", {"bad.text": 5})),
    "registers texts in no language": registers(lambda registry: registry.messages(5, {"bad.text": "x"})),
    "is of another API": NotForThisApi(),
    "is of a strange API": StrangeApi(),
    "has a hook with a wrong signature": WrongSignature(),
}  # fmt: skip


@pytest.mark.parametrize("bad", REGISTERS.values(), ids=REGISTERS.keys())
def test_a_plugin_that_fails_to_register_is_kept_out_whole(bad):
    registry = Registry.default()
    before = [*registry.abilities], [*registry.rules], [*registry.variants], dict(registry.plugins)
    with pytest.raises(PluginError) as caught:
        registry.register(bad, "bad")
    assert "bad" in str(caught.value)
    assert ([*registry.abilities], [*registry.rules], [*registry.variants], dict(registry.plugins)) == before
    registry.register(Bundle([Harmless]), "bad")
    assert registry.rule("bad.rule") is Harmless
    play(new(registry, PLAIN, place=False))


def test_a_plugin_of_a_name_that_is_taken_is_kept_out():
    registry = registry_with(Harmless)
    with pytest.raises(PluginError, match="'bad'"):
        registry.register(Bundle([]), "bad")
    with pytest.raises(PluginError, match="'irontide_abilities'"):
        registry.register(Bundle([]), "irontide_abilities")


def test_who_has_the_id_is_named_to_who_claims_it():
    with pytest.raises(PluginError, match=r"'late'.*'sonar'.*'irontide_abilities'"):
        Registry.default().register(registers(lambda registry: registry.ability(OtherSonar)), "late")


def install(folder, name, source):
    """Write an installed distribution with one module that is an irontide plugin."""
    (folder / f"{name}.py").write_text(source, encoding="utf-8")
    info = folder / f"{name}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n", encoding="utf-8")
    (info / "entry_points.txt").write_text(f"[irontide]\n{name} = {name}\n", encoding="utf-8")


def test_an_installed_plugin_that_fails_is_named_and_keeps_no_other_out(tmp_path, monkeypatch):
    register = "import irontide\n@irontide.hookimpl\ndef irontide_register(registry):\n    "
    rule_ = "registry.rule(irontide.rule({!r})(type('R', (irontide.Rule,), {{}})))\n"
    installed = {
        "aa_import": "import there_is_no_such_module\n",
        "bb_raises": "1 / 0\n",
        "cc_syntax": "def (:\n",
        "dd_register": register + "raise ValueError('no')\n",
        "ee_taken": register + rule_.format("salvo"),
        "gg_good": register + rule_.format("gg.rule"),
    }
    for name, source in installed.items():
        install(tmp_path, name, source)
    monkeypatch.syspath_prepend(tmp_path)
    registry = Registry.default()
    assert [problem.plugin for problem in registry.problems] == [*installed][:-1]
    assert all(problem.text for problem in registry.problems)
    assert "gg.rule" in registry.rules
    assert registry.plugins["gg_good"] == "1.0"
    assert not {*installed} - {"gg_good"} & {*registry.plugins}
    play(new(registry, PLAIN, place=False))
    for name in installed:
        sys.modules.pop(name, None)


# Observers and listeners that fail.


class Observer:
    def __init__(self, observe):
        self.observe = observe
        self.seen = []

    @hookimpl
    def irontide_observe(self, commit):
        self.seen.append(commit.number)
        self.observe(commit)


def test_an_observer_that_raises_harms_nothing_and_nobody():
    registry = Registry.default()
    bad, good = Observer(fail), Observer(lambda commit: None)
    registry.register(bad, "bad")
    registry.register(good, "good")
    match, clean = (
        new(registry, PLAIN, place=False, observers=["good", "bad"]),
        new(Registry.default(), PLAIN, place=False),
    )
    assert play(match).dumps() == play(clean).dumps()
    assert good.seen == list(range(1, match.number + 1))
    assert match.faults
    assert {(fault.plugin, fault.handler) for fault in match.faults} == {("bad", "irontide_observe")}
    assert LEAK in match.faults[0].reason
    nothing_leaks(match)


def test_in_a_strict_match_an_observer_that_raises_is_heard_of_and_the_match_stays_whole():
    registry = Registry.default()
    registry.register(Observer(fail), "bad")
    match = new(registry, PLAIN, place=False, observers=["bad"], strict=True)
    with pytest.raises(PluginFault):
        match.submit(PlaceFleet("ada", FLEETS["ada"]))
    assert Match.loads(match.dumps(), registry).state == match.state
    assert irontide.verify(match.dumps(), registry).kind is VerdictKind.EXACT


def empty_events(commit):
    object.__setattr__(commit, "events", ())


def change_event(commit):
    object.__setattr__(commit.events[-1], "seat", "eve")


def change_command(commit):
    object.__setattr__(commit.command, "seat", "eve")


@pytest.mark.parametrize("change", [empty_events, change_event, change_command])
def test_an_observer_cannot_change_the_log(change):
    registry = Registry.default()
    registry.register(Observer(change), "bad")
    match, clean = new(registry, PLAIN, place=False, observers=["bad"]), new(Registry.default(), PLAIN, place=False)
    assert play(match).dumps() == play(clean).dumps()
    assert match.state == clean.state
    assert match.told("bo") == clean.told("bo")


def test_an_observer_that_submits_is_the_hosts_affair_but_the_match_stays_whole():
    registry = Registry.default()
    holder = []

    def resign(commit):
        if commit.number == 3:
            holder[0].submit(Resign("bo"))

    registry.register(Observer(resign), "bad")
    match = new(registry, PLAIN, place=False, observers=["bad"])
    holder.append(match)
    for seat, ships in FLEETS.items():
        match.submit(PlaceFleet(seat, ships))
    match.submit(Fire("ada", "A1"))
    assert [commit.number for commit in match.commits] == list(range(1, match.number + 1))
    check_log(match, registry)


def test_what_goes_wrong_in_a_trial_is_no_news_for_the_host(tmp_path):
    listener = Listener()
    registry = registry_with(reacting(fail))
    registry.register(listener, "z_listener")
    match = new(registry, PLAIN.but(id="plain", rules=["bad.rule"]))
    fork = match.fork()

    for trial in (fork, fork.at(fork.number)):
        trial.submit(Fire("ada", "A1"))
        assert trial.faults
    assert listener.heard == match.faults == []

    match.submit(Fire("ada", "A1"))
    assert listener.heard == match.faults != []
    assert irontide.verify(match.dumps(), registry=registry).kind is irontide.VerdictKind.EXACT
    assert listener.heard == match.faults


def test_a_match_that_was_read_or_taken_back_has_no_faults_yet(tmp_path):
    listener = Listener()
    registry = registry_with(reacting(fail))
    registry.register(listener, "z_listener")
    match = new(registry, PLAIN.but(id="plain", rules=["bad.rule"]))
    match.submit(Fire("ada", "A1"))
    match.save(tmp_path / "match.jsonl")

    assert Match.load(tmp_path / "match.jsonl", registry).faults == []
    back = match.at(match.number - 1)
    assert back.faults == []
    back.submit(Fire("ada", "A1"))
    assert listener.heard == match.faults + back.faults


def test_a_match_of_a_file_is_observed_and_strict_as_one_of_a_text(tmp_path):
    seen = []

    class Observer:
        @hookimpl
        def irontide_observe(self, commit):
            seen.append(commit.number)

    registry = registry_with(reacting(fail))
    registry.register(Observer(), "observer")
    file = tmp_path / "match.jsonl"
    new(registry, PLAIN.but(id="plain", rules=["bad.rule"]), place=False).save(file)

    match = Match.load(file, registry, observers=["observer"], strict=True)

    for seat, ships in FLEETS.items():
        match.submit(PlaceFleet(seat, ships))
    assert seen == [1, 2]
    with pytest.raises(PluginFault):
        match.submit(Fire("ada", "A1"))


class Deaf:
    @hookimpl
    def irontide_fault(self, fault):
        raise SecretError(LEAK)


def test_a_listener_that_raises_keeps_nobody_from_hearing():
    registry = registry_with(reacting(fail))
    listener = Listener()
    registry.register(Deaf(), "a_deaf")
    registry.register(listener, "z_listener")
    match = play(new(registry, PLAIN.but(id="plain", rules=["bad.rule"]), place=False))
    assert listener.heard == match.faults
    assert [problem.plugin for problem in registry.problems] == ["a_deaf"]
    nothing_leaks(match)
    check_log(match, registry)
