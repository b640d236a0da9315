"""What rules do where nobody expects it, and what breaks off half way: the match stays whole, and says so."""

import threading
from collections.abc import Generator

import pytest

import irontide.match
import irontide.registry
import irontide.rulebook
from irontide import (
    Ability,
    Area,
    CellSet,
    Fire,
    IrontideError,
    Match,
    OneCell,
    PlaceFleet,
    Refused,
    Registry,
    Resign,
    Rule,
    Shot,
    ShotFired,
    UseAbility,
    VerdictKind,
    ability,
    adjusts,
    forbids,
    hookimpl,
    reacts,
    rule,
    verify,
)
from irontide.pipeline import Pipeline
from irontide.testing import Bundle

FLEET = {"carrier": "A1-A5", "battleship": "C1-C4", "cruiser": "E1-E3", "submarine": "G1-G3", "destroyer": "I1-I2"}


def registry_with(*classes):
    registry = Registry.default()
    registry.register(Bundle(classes), "acme", "1")
    return registry


def begun(registry, **but):
    match = Match.new(registry.variant("classic").but(id="t", **but), seats=("a", "b"), seed=1, registry=registry)
    for seat in "ab":
        match.submit(PlaceFleet(seat, FLEET))
    return match


def types(commit):
    return [event.type for event in commit.events]


def is_whole(match, registry):
    return match.at(match.number).state == match.state and verify(match.dumps(), registry).kind is VerdictKind.EXACT


class Nested:
    """Calls the match once from inside a handler, and keeps what came of it."""

    def __init__(self):
        self.call, self.came = None, []

    def __call__(self):
        call, self.call = self.call, None
        if call is not None:
            try:
                self.came.append(call())
            except IrontideError as error:
                self.came.append(error)


NESTED = Nested()


@rule("acme.calls")
class Calls(Rule):
    @reacts(ShotFired)
    def call(self, ctx, event):
        NESTED()
        return ()


@rule("acme.calls")
class CallsInAQuestion(Rule):
    @adjusts("answer")
    def call(self, ctx, answer, cell, ship):
        NESTED()
        return answer


@rule("acme.calls")
class CallsWhenAsked(Rule):
    @forbids(Fire)
    def call(self, ctx, command):
        NESTED()


CALLING = [Calls, CallsInAQuestion, CallsWhenAsked]


@pytest.mark.parametrize("calls", CALLING)
@pytest.mark.parametrize(
    "call",
    [
        lambda match: match.submit(Resign("b")),
        lambda match: match.submit(Fire("a", "J9")),
        lambda match: match.options("a"),
        lambda match: match.refusals(Fire("a", "J9")),
    ],
)
def test_a_rule_at_work_on_a_match_cannot_submit_to_it(calls, call):
    registry = registry_with(calls)
    match = begun(registry, rules=["acme.calls"])
    NESTED.__init__()
    NESTED.call = lambda: call(match)
    commit = match.submit(Fire("a", "J10"))
    [came] = NESTED.came
    assert type(came) is IrontideError
    assert "no rule may submit" in str(came)
    assert types(commit) == ["shot_fired", "turn_ended", "turn_started"]
    assert match.faults == []
    assert is_whole(match, registry)


def test_nor_when_it_is_asked_for_options():
    registry = registry_with(CallsWhenAsked)
    match = begun(registry, rules=["acme.calls"])
    NESTED.__init__()
    NESTED.call = lambda: match.submit(Fire("a", "J10"))
    assert len(match.options("a").fire.cells) == 100
    assert type(NESTED.came[0]) is IrontideError
    assert match.number == 2
    match.submit(Fire("a", "J10"))
    assert is_whole(match, registry)


def test_a_rule_that_lets_the_refusal_pass_is_switched_off():
    @rule("acme.submits")
    class Submits(Rule):
        @reacts(ShotFired)
        def submit(self, ctx, event):
            return (found[0].submit(Resign("b")),)

    registry = registry_with(Submits)
    match = begun(registry, rules=["acme.submits"])
    found = [match]
    assert types(match.submit(Fire("a", "J10"))) == ["rule_disabled", "shot_fired", "turn_ended", "turn_started"]
    assert "at work on another command" in match.faults[0].reason
    assert is_whole(match, registry)


class Watcher:
    """A plugin that submits from its hooks, and keeps what came of it."""

    def __init__(self):
        self.match, self.came = None, []

    def _submits(self, command):
        try:
            self.came.append(self.match.submit(command).number)
        except IrontideError as error:
            self.came.append(type(error))

    @hookimpl
    def irontide_observe(self, commit):
        if self.match is not None and commit.number == 3:
            self._submits(Fire("b", "J10"))

    @hookimpl
    def irontide_fault(self, fault):
        self._submits(Fire("a", "J9"))


def test_an_observer_may_submit_and_one_of_faults_may_not():
    @rule("acme.fails")
    class Fails(Rule):
        @reacts(ShotFired)
        def fail(self, ctx, event):
            raise ValueError

    registry, watcher = registry_with(Fails), Watcher()
    registry.register(watcher, "watcher")
    variant = registry.variant("classic").but(id="t", rules=["acme.fails"])
    match = Match.new(variant, seats=("a", "b"), seed=1, registry=registry, observers=["watcher"])
    for seat in "ab":
        match.submit(PlaceFleet(seat, FLEET))
    watcher.match = match
    assert match.submit(Fire("a", "J10")).number == 3
    assert watcher.came == [IrontideError, 4]
    assert match.number == 4
    assert is_whole(match, registry)


# What breaks off half way.


def interrupted(*_args, **_kwargs):
    raise KeyboardInterrupt


def test_a_match_that_is_interrupted_while_it_puts_itself_right_is_put_right_later(monkeypatch):
    registry = Registry.default()
    match = begun(registry, rules=["extra_shot_on_hit"])
    before = match.state
    with monkeypatch.context() as patched:
        patched.setattr(Pipeline, "settle", interrupted)
        with pytest.raises(KeyboardInterrupt):
            match.submit(Fire("a", "A1"))
        patched.setattr(irontide.match, "fold", interrupted)
        with pytest.raises(KeyboardInterrupt):
            match.submit(Fire("a", "A1"))
        with pytest.raises(KeyboardInterrupt):
            match.number  # noqa: B018 - it is folded at the next use
    assert match.state == before
    match.submit(Fire("a", "A1"))
    assert is_whole(match, registry)


def test_an_interrupted_match_takes_the_next_command(monkeypatch):
    registry = Registry.default()
    match = begun(registry, rules=["extra_shot_on_hit"])
    with monkeypatch.context() as patched:
        patched.setattr(Pipeline, "settle", interrupted)
        with pytest.raises(KeyboardInterrupt):
            match.submit(Fire("a", "A1"))
    match.submit(Fire("a", "A1"))
    assert is_whole(match, registry)


def test_places_that_were_interrupted_are_worked_out_anew_for_every_match(monkeypatch):
    registry = Registry.default()
    match = Match.new("classic", seats=("a", "b"), seed=1, registry=registry)
    place, left = irontide.rulebook.Placement.of, [3]

    def of(*args):
        left[0] -= 1
        return place(*args) if left[0] else interrupted()

    with monkeypatch.context() as patched:
        patched.setattr(irontide.rulebook.Placement, "of", of)
        with pytest.raises(KeyboardInterrupt):
            match.submit(PlaceFleet("a", FLEET))
    assert match.submit(PlaceFleet("a", FLEET)).number == 1
    other = Match.new("classic", seats=("x", "y"), seed=2, registry=registry)
    assert other.submit(PlaceFleet("x", FLEET)).number == 1


def test_two_threads_may_read_a_variant_and_its_base_at_once(monkeypatch):
    registry, found, read = Registry.default(), [], irontide.registry.read_variant
    other = [threading.Thread(target=lambda: found.append(registry.variant("russian")))]

    def read_beside_another(*args):
        if other:
            thread = other.pop()
            thread.start()
            thread.join()
        return read(*args)

    monkeypatch.setattr(irontide.registry, "read_variant", read_beside_another)
    assert registry.variant("russian").id == "russian"
    assert [variant.id for variant in found] == ["russian"]


# A rule that catches what stops another.


@rule("acme.breaks")
class Breaks(Rule):
    @adjusts("sensed")
    def sense(self, ctx, cells):
        raise ValueError("broken")


def catching(then):
    @ability("acme.seeks", target=OneCell(known="open"), shoots=True)
    class Seeks(Ability):
        def use(self, ctx, target):
            try:
                ctx.sensed()
            except BaseException:  # noqa: BLE001 - that is what is tried
                then()
            yield Shot(target.cell)

    return Seeks


def fail():
    raise RuntimeError("in turn")


@pytest.mark.parametrize("then", [lambda: None, fail])
def test_what_stops_a_broken_rule_cannot_be_caught_by_who_asked_it(then):
    registry = registry_with(Breaks, catching(then))
    match = begun(registry, rules=["acme.breaks"], abilities={"destroyer": "acme.seeks"})
    assert types(match.submit(UseAbility("a", "acme.seeks", "J10"))) == ["rule_disabled", "ability_used", "shot_fired"]
    [fault] = match.faults
    assert (fault.rule, fault.reason) == ("acme.breaks", "raised ValueError: broken")
    assert is_whole(match, registry)


def test_a_command_that_is_refused_without_a_broken_rule_changes_nothing():
    @rule("acme.raises")
    class Raises(Rule):
        @forbids(Fire)
        def raises(self, ctx, command):
            raise ValueError("broken")

    registry = registry_with(Raises)
    match = begun(registry, rules=["acme.raises"])
    before = match.state
    with pytest.raises(Refused, match="wrong_shot_count"):
        match.submit(Fire("a", ["J10", "J9"]))
    assert (match.number, match.state) == (2, before)
    assert [fault.rule for fault in match.faults] == ["acme.raises"]
    assert types(match.submit(Fire("a", "J10"))) == ["rule_disabled", "shot_fired", "turn_ended", "turn_started"]
    assert is_whole(match, registry)


# What a use is handed, and what it gives.


def put(name, value):
    return lambda target: object.__setattr__(target, name, value)


@pytest.mark.parametrize(
    "change",
    [
        put("width", 9),
        put("spot", None),
        put("open", CellSet(1)),
        lambda target: object.__delattr__(target, "open"),
        lambda target: object.__delattr__(target, "height"),
    ],
)
def test_a_use_that_changes_its_target_by_force_is_a_fault(change):
    @ability("acme.forcing", target=Area(3, 3))
    class Forcing(Ability):
        def use(self, ctx, area):
            change(area)
            yield []

    registry = registry_with(Forcing)
    match = begun(registry, abilities={"cruiser": "acme.forcing"})
    with pytest.raises(Refused, match="plugin_error"):
        match.submit(UseAbility("a", "acme.forcing", "B2"))

    assert [fault.reason for fault in match.faults] == ["changed what it was handed"]
    assert is_whole(match, registry)


class Steps(Generator):
    """A generator that is none of Python's own."""

    def __init__(self, *effects):
        self.left = [*effects]

    def send(self, value):
        if not self.left:
            raise StopIteration
        return self.left.pop()

    def throw(self, *error):
        raise error[0]


def test_a_use_may_give_a_generator_of_its_own_class():
    @ability("acme.steps", target=OneCell())
    class Own(Ability):
        def use(self, ctx, target):
            return Steps(Shot(target.cell))

    registry = registry_with(Own)
    match = begun(registry, abilities={"cruiser": "acme.steps"})

    assert types(match.submit(UseAbility("a", "acme.steps", "B2"))) == ["ability_used", "shot_fired"]
    assert match.faults == []
    assert is_whole(match, registry)
