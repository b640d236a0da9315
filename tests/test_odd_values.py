"""Odd values that plugins give, raise, declare and keep: each is a fault, or keeps the plugin or the variant out."""

import enum
import threading
from typing import Any

import attrs
import pytest

import irontide
from irontide import (
    Ability,
    Activate,
    Area,
    CellSet,
    Fire,
    GainPoints,
    GrantShots,
    Mark,
    Match,
    Note,
    OneCell,
    OtherTurns,
    OwnTurn,
    PlaceFleet,
    PluginError,
    Refusal,
    Refused,
    Registry,
    Report,
    Rule,
    SetData,
    ShotFired,
    SpendPoints,
    UseAbility,
    VariantError,
    VerdictKind,
    ability,
    adjusts,
    forbids,
    reacts,
    rule,
    verify,
)
from irontide.frozen import FrozenDict, is_frozen, shown
from irontide.targets import Spot
from irontide.testing import Bundle

FLEET = {"carrier": "A1-A5", "battleship": "C1-C4", "cruiser": "E1-E3", "submarine": "G1-G3", "destroyer": "I1-I2"}
HUGE = 10**5000
MOST = 2**1024 - 1


def registry_with(*classes, texts=None):
    registry = Registry.default()
    registry.register(Bundle(classes, texts=texts), "acme", "1")
    return registry


def begun(registry, **but):
    match = Match.new(registry.variant("classic").but(id="t", **but), seats=("a", "b"), seed=1, registry=registry)
    for seat in "ab":
        match.submit(PlaceFleet(seat, FLEET))
    return match


def types(commit):
    return [event.type for event in commit.events]


def raising(error):
    raise error


def reacting(give):
    @rule("acme.r")
    class Reacts(Rule):
        @reacts(ShotFired)
        def react(self, ctx, event):
            return give(ctx)

    return Reacts


def adjusting(question, answer):
    @rule("acme.r")
    class Adjusts(Rule):
        @adjusts(question)
        def adjust(self, *args):
            return answer

    return Adjusts


def only_fault(match, commit):
    assert types(commit)[0] in {"rule_disabled", "ability_disabled"}
    [fault] = match.faults
    return fault


def forged(**slots):
    effect = Activate("a", "acme.x")
    for name, value in slots.items():
        object.__setattr__(effect, name, value)
    return effect


class Mode(enum.IntEnum):
    CALM = 3


class Odd(int):
    def __copy__(self):
        raise ValueError("copy")


class Pair(tuple):
    __slots__ = ()


# Numbers that a rule gives.


def deep(times):
    value = 1
    for _ in range(times):
        value = (value,)
    return value


@pytest.mark.parametrize(
    "number", [HUGE, 2**1024, -HUGE, Mode.CALM, Odd(3)], ids=["huge", "long", "least", "enum", "odd"]
)
@pytest.mark.parametrize(
    "give",
    [
        lambda ctx, n: SetData("k", n),
        lambda ctx, n: SetData("k", {"n": [n]}),
        lambda ctx, n: Note("k", args={"n": n}),
        lambda ctx, n: Mark(side="a", data=n),
        lambda ctx, n: Mark(side="a", until=OwnTurn(n)),
        lambda ctx, n: Mark(side="a", until=OtherTurns(n)),
        lambda ctx, n: GrantShots("a", n),
        lambda ctx, n: GainPoints("a", n),
        lambda ctx, n: SpendPoints("a", n),
        lambda ctx, n: Report(ctx.grid.cells("A1"), n, None, "a"),
        lambda ctx, n: Report(ctx.grid.cells("A1"), 1, {"carrier": n}, "a"),
        lambda ctx, n: Activate("a", "acme.x", n),
    ],
)
def test_a_number_that_is_no_plain_integer_or_too_long_is_a_fault(give, number):
    registry = registry_with(reacting(lambda ctx: [give(ctx, number)]))
    match = begun(registry, rules=["acme.r"])
    only_fault(match, match.submit(Fire("a", "J10")))
    assert verify(match.dumps(), registry).kind is VerdictKind.EXACT


def test_the_longest_number_is_written_and_read():
    registry = registry_with(reacting(lambda ctx: [SetData("k", MOST), Mark(side="a", data={"least": -MOST})]))
    match = begun(registry, rules=["acme.r"])
    match.submit(Fire("a", "J10"))
    assert match.faults == []
    assert Match.loads(match.dumps(), registry).state == match.state


def test_the_largest_amounts_make_sums_that_are_written_and_read():
    @rule("acme.r")
    class Most(Rule):
        @reacts(ShotFired)
        def most(self, ctx, event):
            yield [GrantShots(event.by, 10**9), GrantShots("a", 10**9), GainPoints("a", 10**9), GainPoints("a", 10**9)]
            yield Mark(side="a", until=OwnTurn(10**9))

        @adjusts("shots")
        def shots(self, ctx, shots):
            return 2**1023 - 1

        @adjusts("cap")
        def cap(self, ctx, cap):
            return 2**1023 - 1

    registry = registry_with(Most)
    match = begun(registry, rules=["acme.r", "salvo"])
    match.submit(Fire("a", match.grid.names))
    assert match.faults == []
    assert Match.loads(match.dumps(), registry).state == match.state


@pytest.mark.parametrize("question", ["shots", "volley", "price", "cap"])
@pytest.mark.parametrize("answer", [HUGE, Mode.CALM, -1, True], ids=["huge", "enum", "negative", "bool"])
def test_so_it_is_as_an_answer(question, answer):
    @ability("acme.x")
    class Gains(Ability):
        def use(self, ctx, target):
            yield GainPoints("a", 1)

    registry = registry_with(adjusting(question, answer), Gains)
    match = begun(registry, rules=["acme.r"], abilities={"destroyer": "acme.x"})
    match.options("a")
    match.submit(UseAbility("a", "acme.x"))
    if match.seat_to_move == "a":
        match.submit(Fire("a", "J10"))
    assert {fault.rule for fault in match.faults} == {"acme.r"}
    assert f"answered {shown(answer)} to {question!r}" in match.faults[0].reason
    match.dumps()


def test_a_declared_number_that_is_too_long_is_a_problem_of_the_variant():
    @ability("acme.x", price=HUGE)
    class Dear(Ability):
        pass

    with pytest.raises(VariantError, match=r"abilities\.destroyer\.price: expected an integer, not <int>"):
        begun(registry_with(Dear), abilities={"destroyer": "acme.x"})


@pytest.mark.parametrize("value", [Pair((1,)), (Pair((1,)),), (1.5,), {1: 2}, FrozenDict({"a": Odd(1)}), deep(34)])
def test_what_is_no_frozen_data_is_a_fault_also_where_nothing_freezes_it(value):
    registry = registry_with(reacting(lambda ctx: [forged(target=value)]))
    match = begun(registry, rules=["acme.r"])
    assert "with target=" in only_fault(match, match.submit(Fire("a", "J10"))).reason


def test_frozen_data_is_known_all_through():
    assert is_frozen((None, True, 1, "a", FrozenDict({"a": (1,)})))
    assert is_frozen(deep(32))


def test_a_set_of_cells_that_was_tampered_with_is_a_fault():
    cells = CellSet(1)
    object.__setattr__(cells, "_mask", 3.0)
    registry = registry_with(reacting(lambda ctx: [Mark(on=cells, side="a")]))
    match = begun(registry, rules=["acme.r"])
    assert "expected a CellSet of this grid" in only_fault(match, match.submit(Fire("a", "J10"))).reason


# What cannot even say what it is.


class Nameless(type):
    @property
    def __name__(cls):
        raise ZeroDivisionError


class SpeechlessError(Exception, metaclass=Nameless):
    def __str__(self):
        raise ValueError


class Shapeless(metaclass=Nameless):
    def __repr__(self):
        raise ValueError


class Text(str):
    __slots__ = ()

    def __len__(self):
        raise ZeroDivisionError


class Nasty:
    def __repr__(self):
        return Text("nasty")


class TracelessError(Exception):
    @property
    def __traceback__(self):
        raise ZeroDivisionError

    @__traceback__.setter
    def __traceback__(self, value):
        pass


@pytest.mark.parametrize(
    ("give", "reason"),
    [
        (lambda _: raising(SpeechlessError()), "raised SpeechlessError"),
        (lambda _: Shapeless(), "returned <Shapeless> instead of effects"),
        (lambda _: Nasty(), "returned nasty instead of effects"),
        (lambda _: raising(TracelessError("gone")), "raised TracelessError: gone"),
    ],
)
def test_a_fault_is_told_whatever_it_says_of_itself(give, reason):
    registry = registry_with(reacting(give))
    match = begun(registry, rules=["acme.r"])
    fault = only_fault(match, match.submit(Fire("a", "J10")))
    assert fault.reason == reason
    assert type(fault.reason) is str


# Texts and refusals.


def forbidding(*refusal):
    @rule("acme.f")
    class No(Rule):
        @forbids(Fire)
        def no(self, ctx, command):
            return Refusal(*refusal)

    return No


def test_a_text_whose_braces_are_not_in_order_is_refused_when_it_is_registered():
    with pytest.raises(PluginError, match=r"braces of the text 'refusal\.acme\.no' are not in order: 'No \{'"):
        registry_with(texts={"en": {"refusal.acme.no": "No {"}})


def test_an_argument_may_have_any_name():
    registry = registry_with(
        forbidding("acme.no", {"lang": "x", "keys": 1}),
        reacting(lambda ctx: [Note("acme.n", args={"lang": "de"})]),
        texts={"en": {"refusal.acme.no": "No {lang} {keys}", "acme.n": "Hi {lang}"}},
    )
    match = begun(registry, rules=["acme.f"])
    with pytest.raises(Refused, match=r"acme\.no: No x 1"):
        match.submit(Fire("a", "J10"))
    match = begun(registry, rules=["acme.r"])
    match.submit(Fire("a", "J10"))
    assert "Hi de" in [irontide.text(told) for told in match.told("a")]


@pytest.mark.parametrize(
    ("code", "args", "text"),
    [
        ("wrong_shape", {}, "wrong_shape ()"),
        ("not_allowed", {"n": 1}, "not_allowed (n=1)"),
        ("unknown_ship", {"known": 5}, "unknown_ship (known=5)"),
    ],
)
def test_a_code_of_the_core_with_arguments_of_its_own_is_told_plainly(code, args, text):
    assert Refusal(code, args).text() == text
    match = begun(registry_with(forbidding(code, args)), rules=["acme.f"])
    with pytest.raises(Refused, match=code):
        match.submit(Fire("a", "J10"))


@pytest.mark.parametrize("number", [HUGE, Odd(1)], ids=["huge", "odd"])
def test_a_refusal_with_a_number_that_cannot_be_written_is_a_fault(number):
    @rule("acme.f")
    class No(Rule):
        @forbids(Fire)
        def no(self, ctx, command):
            return Refusal("acme.no", {"n": number})

    match = begun(registry_with(No), rules=["acme.f"])
    assert only_fault(match, match.submit(Fire("a", "J10"))).reason.startswith("raised TypeError: ")


# Targets and declarations.


@attrs.frozen
class Fails(OneCell):
    where: str = ""

    def normal(self, grid, given):
        return raising(ValueError("normal")) if self.where == "normal" else super().normal(grid, given)

    def admits(self, sight):
        return raising(ValueError("admits")) if self.where == "admits" else None

    def read(self, grid, spots, given):
        return (
            Spot("A1", (), 0)
            if self.where == "other"
            else 5
            if self.where == "junk"
            else super().read(grid, spots, given)
        )

    def chosen(self, spot, open_):
        return raising(ValueError("chosen")) if self.where == "chosen" else super().chosen(spot, open_)


@pytest.mark.parametrize(("where", "cell"), [("normal", "Z9"), ("admits", "A1"), ("junk", "A1"), ("chosen", "A1")])
def test_a_target_that_fails_is_the_fault_of_its_ability(where, cell):
    @ability("acme.x", target=Fails(where=where))
    class Aims(Ability):
        def use(self, ctx, target):
            yield Note("k")

    match = begun(registry_with(Aims), abilities={"destroyer": "acme.x"})
    match.options("a")
    with pytest.raises(Refused, match="plugin_error"):
        match.submit(UseAbility("a", "acme.x", cell))
    assert {(fault.rule, fault.handler) for fault in match.faults} == {("acme.x", "target")}
    number = match.number
    with pytest.raises(Refused, match="ability_disabled"):
        match.submit(UseAbility("a", "acme.x", cell))
    assert match.number == number
    assert match.options("a").abilities["acme.x"].refusal.code == "ability_disabled"


def test_a_choice_of_a_target_is_the_one_that_was_listed():
    seen = []

    @ability("acme.x", target=Fails(where="other"))
    class Aims(Ability):
        def use(self, ctx, target):
            seen.append(target.cell)
            yield Note("k")

    match = begun(registry_with(Aims), abilities={"destroyer": "acme.x"})
    match.submit(UseAbility("a", "acme.x", "B2"))
    assert seen == [0]


@attrs.frozen
class Lists(OneCell):
    given: tuple = ()

    def spots(self, ground):
        return {"A1": self.given[0]}


@pytest.mark.parametrize(
    "given",
    [5, Spot("B1", (1,), 2), Spot("A1", (), 1), Spot("A1", (0,), 1.0), Spot("A1", (900,), 1 << 900), Spot("A1", 5, 1)],
)
def test_a_target_that_lists_junk_is_a_problem_of_the_variant(given):
    @ability("acme.x", target=Lists(given=(given,)))
    class Aims(Ability):
        pass

    with pytest.raises(VariantError, match="its target cannot be listed"):
        begun(registry_with(Aims), abilities={"destroyer": "acme.x"})


@pytest.mark.parametrize("make", [lambda: OneCell(known="watre"), lambda: Area(side="mine"), lambda: OneCell(side=1)])
def test_a_target_with_a_word_that_there_is_not_cannot_be_made(make):
    with pytest.raises(ValueError, match="must be in"):
        make()


@pytest.mark.parametrize(
    ("declared", "name"),
    [({"place": ["x"]}, "place"), ({"about": 5}, "about"), ({"needs": 5}, "needs"), ({"needs": "x"}, "needs"),
     ({"needs": (1,)}, "needs"), ({"hides": 1}, "hides"), ({"tells": "hit"}, "tells")],
)  # fmt: skip
def test_a_rule_that_declares_junk_keeps_its_plugin_out(declared, name):
    @rule("acme.r", **declared)
    class Declares(Rule):
        pass

    with pytest.raises(PluginError, match=f"'acme.r' is declared with {name}="):
        registry_with(Declares)


@pytest.mark.parametrize(("name", "value"), [("target", "A1"), ("target", OneCell), ("shoots", 1), ("terms", 5)])
def test_an_ability_that_declares_junk_keeps_its_plugin_out(name, value):
    @ability("acme.x")
    class Declares(Ability):
        pass

    setattr(Declares, name, value)
    with pytest.raises(PluginError, match=f"'acme.x' is declared with {name}="):
        registry_with(Declares)


@pytest.mark.parametrize("say", [lambda _: raising(ValueError("boom")), lambda _: 5, lambda _: [["hit"]]])
@pytest.mark.parametrize("name", ["facts_hidden", "facts_told"])
def test_a_rule_that_cannot_say_its_facts_is_a_problem_of_the_variant(name, say):
    class Says(Rule):
        pass

    setattr(Says, name, say)
    with pytest.raises(VariantError, match=r"rules\.acme\.r: 'acme\.r' cannot say its facts"):
        begun(registry_with(rule("acme.r")(Says)), rules=["acme.r"])


# Parameters.


@attrs.define
class Box:
    held: list


def change_list(rule):
    rule.kept.append(1)


def change_deep(rule):
    rule.kept["a"].append(1)


def change_box(rule):
    rule.kept.held.append(1)


def change_set(rule):
    rule.kept.add(1)


def change_tuple(rule):
    rule.kept[0].append(1)


def delete(rule):
    object.__delattr__(rule, "kept")


@pytest.mark.parametrize(
    ("make", "change"),
    [
        (list, change_list),
        (lambda: {"a": []}, change_deep),
        (lambda: Box([]), change_box),
        (set, change_set),
        (lambda: ([],), change_tuple),
        (lambda: 1, delete),
    ],
)
def test_a_parameter_that_is_changed_in_place_is_noticed_and_put_back(make, change):
    @rule("acme.l")
    class Keeps(Rule):
        kept: Any = attrs.field(factory=make)

        @reacts(ShotFired)
        def keep(self, ctx, event):
            found.append(self.kept == make())
            change(self)

    found, registry, logs = [], registry_with(Keeps), []
    variant = registry.variant("classic").but(id="t", rules=["acme.l"])
    for _ in range(2):
        match = Match.new(variant, seats=("a", "b"), seed=1, registry=registry)
        for seat in "ab":
            match.submit(PlaceFleet(seat, FLEET))
        fault = only_fault(match, match.submit(Fire("a", "J10")))
        assert fault.reason == "changed its own parameters"
        logs.append(match.dumps())
    assert found == [True, True]
    assert logs[0] == logs[1]
    assert verify(logs[0], registry).kind is VerdictKind.EXACT


def test_nor_does_the_other_seat_pay_for_it():
    @ability("acme.x")
    class Keeps(Ability):
        kept: list[int] = attrs.field(factory=list)

        def use(self, ctx, target):
            if ctx.seat.name == "a":
                self.kept.append(1)
            yield Note("k", args={"n": len(self.kept)})

    match = begun(registry_with(Keeps), abilities={"destroyer": "acme.x"})
    with pytest.raises(Refused, match="plugin_error"):
        match.submit(UseAbility("a", "acme.x"))
    match.submit(Fire("a", "J10"))
    noted = next(event for event in match.submit(UseAbility("b", "acme.x")).events if event.type == "noted")
    assert noted.args == {"n": 0}
    assert [fault.seat for fault in match.faults] == ["a"]


@pytest.mark.parametrize("make", [threading.Lock, object])
def test_a_parameter_that_cannot_be_copied_or_compared_is_left_alone(make):
    @rule("acme.l")
    class Keeps(Rule):
        kept: Any = attrs.field(factory=make)

        @reacts(ShotFired)
        def keep(self, ctx, event):
            return ()

    match = begun(registry_with(Keeps), rules=["acme.l"])
    match.submit(Fire("a", "J10"))
    assert match.faults == []


def test_a_rule_may_keep_all_cells_of_the_largest_grid_as_one_number():
    registry = registry_with(reacting(lambda ctx: [SetData("cells", ctx.grid.all.mask)]))
    match = begun(registry, grid={"columns": 26, "rows": 26}, rules=["acme.r"])

    match.submit(Fire("a", "A1"))

    assert match.faults == []
    again = Match.loads(match.dumps(), registry)
    assert again.state == match.state
    assert [*again.state.data.values()] == [2**676 - 1]
