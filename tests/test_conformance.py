"""Conformance: a plugin with each kind of fault is found out, and what is at fault is named; a good one passes."""

import re
import sys
from itertools import count

import pytest

import irontide_abilities
import irontide_variants
from irontide import (
    Ability,
    CellSet,
    Fire,
    GainPoints,
    GrantShots,
    Mark,
    MatchEnded,
    Note,
    Noted,
    OneCell,
    Problem,
    Refusal,
    Registry,
    Resign,
    Rule,
    SetData,
    ShipSunk,
    Shot,
    ShotFired,
    TurnEnded,
    TurnStarted,
    UseAbility,
    Variant,
    VariantError,
    ability,
    adjusts,
    forbids,
    reacts,
    replaces,
    rule,
)
from irontide.testing import Bundle, Conformance, Suite, bench, find_all, irontide_conformance, play_match
from irontide.testing.conformance import CHECKS
from irontide.testing.contents import Contents
from irontide.testing.processes import found, locate, processes
from irontide.testing.statics import private_names
from irontide.testing.together import play_together

PEEKED = []
"""What a bad plugin keeps."""
COUNTER = count()


class Plugin(Bundle):
    """A plugin of these classes and texts."""

    def __init__(self, *classes, **more):
        super().__init__(classes, **more)


# What goes wrong in matches.


@rule("bad.leak")
class Leak(Rule):
    """Tells what lies in a row of the enemy's grid."""

    @reacts(ShotFired)
    def betray(self, ctx, event):
        seen = ctx.opponent(event.by).cells & ctx.grid.row(7)
        yield Note("bad.leak.seen", to=event.by, args={"cells": len(seen)})


@ability("bad.salvage")
class Salvage(Ability):
    """Pays for an own ship that sinks, so that the enemy sees that one sank."""

    @reacts(ShipSunk)
    def pay(self, ctx, event):
        if event.seat == ctx.seat.name:
            yield GainPoints(event.seat, 3)


@ability("good.second_wind", tells=("ship",))
class SecondWind(Ability):
    """Gives a shot when its ship is hit, and says that this tells which ship it was."""

    @reacts(ShotFired)
    def answer(self, ctx, event):
        if event.hit and event.by == ctx.other.name and ctx.grid.cell(event.at) in ctx.ship:
            yield GrantShots(ctx.seat.name)


@rule("bad.names")
class Names(Rule):
    """Tells everybody which ship was struck."""

    @reacts(ShotFired)
    def betray(self, ctx, event):
        if event.struck:
            yield Note("bad.names.struck", args={"ship": event.struck})


@rule("bad.shots")
class Shots(Rule):
    """Grants more shots by what the other side hides."""

    @adjusts("shots")
    def betray(self, ctx, shots):
        return shots + (len(ctx.other.cells & ctx.grid.row(1)) > 2)


@rule("bad.cancels")
class Cancels(Rule):
    """Cancels shots beside a ship, openly."""

    @replaces(Shot)
    def betray(self, ctx, effect):
        near = ctx.grid.neighbours(CellSet.of([effect.cell])) & ctx.opponent(effect.by).cells
        return effect.cancelled("bad.near", public=True) if near and ctx.side(effect.by).turn % 2 else None


@rule("bad.peeks")
class Peeks(Rule):
    """Forbids by what only the truth holds: a context kept from another handler."""

    @reacts(TurnStarted)
    def keep(self, ctx, event):
        cells = ctx.opponent(event.seat).cells
        PEEKED[:] = ctx.grid.list(cells)[:1]

    @forbids(Fire)
    def betray(self, ctx, command):
        return Refusal("bad.peeks") if set(PEEKED) & {*command.cells} and ctx.turn < 3 else None


@rule("bad.mutates")
class Mutates(Rule):
    """Changes an event that it is told of."""

    @reacts(ShotFired)
    def change(self, ctx, event):
        object.__setattr__(event, "at", "A1")


@rule("bad.raises")
class Raises(Rule):
    """Fails at a turn's end."""

    @reacts(TurnEnded)
    def fail(self, ctx, event):
        raise KeyError(event.seat)


@rule("bad.cascades")
class Cascades(Rule):
    """Answers notes with notes, for ever."""

    @reacts(ShotFired)
    def begin(self, ctx, event):
        yield SetData("n", 1)
        yield Shot(next(iter(ctx.open())), event.by)


@rule("bad.remembers")
class Remembers(Rule):
    """Keeps what it should write into the log."""

    @reacts(TurnEnded)
    def tell(self, ctx, event):
        yield Note("bad.remembers.count", args={"n": next(COUNTER)})


@rule("bad.choosy")
class Choosy(Rule):
    """Refuses every third time that it is asked."""

    @forbids(Fire)
    def refuse(self, ctx, command):
        return None if next(COUNTER) % 3 else Refusal("bad.choosy")


@rule("bad.silent")
class Silent(Rule):
    """Listens to what no rule hears."""

    @reacts(MatchEnded)
    def never(self, ctx, event):
        """Be asked never, for after the end no rule reacts."""

    @reacts(TurnStarted)
    def often(self, ctx, event):
        """Be asked each turn."""


@ability("bad.doubles", price=1, standing=1, target=OneCell(side="own"))
class Doubles(Ability):
    """Sets two markers where it may have one."""

    def use(self, ctx, cell):
        yield Mark(cell.cells)
        yield Mark(cell.cells)


FAULTS = {
    Leak: ("worlds", "betray", "is told"),
    Names: ("worlds", "betray", "'ship': "),
    Shots: ("worlds", "betray", "'shots': "),
    Cancels: ("worlds", "betray", "effect_replaced"),
    Mutates: ("fault", "change", "changed what it was handed"),
    Raises: ("fault", "fail", "raised KeyError"),
    Cascades: ("fault", "begin", "a chain of more than 32 reactions"),
    Remembers: ("copy", "tell", "a copy that was read from the log decides otherwise"),
    Choosy: ("refusal", "refuse", "bad.choosy"),
    Doubles: ("limits", "use", "has 2 markers that stand, of at most 1"),
}


@pytest.mark.parametrize("bad", FAULTS, ids=lambda bad: bad.id)
def test_a_fault_is_found_and_named_with_the_fewest_commands(bad):
    promise, handler, text = FAULTS[bad]

    [finding] = Suite(Plugin(bad), games=6).matches()

    assert (finding.promise, finding.rule, finding.handler) == (promise, bad.id, handler)
    assert text in finding.text
    assert finding.variant == bad.id
    assert len(finding.commands) <= 12
    assert f"variant {bad.id}, seed {finding.seed}, {len(finding.commands)} commands:" in str(finding)
    assert finding.log.startswith('{"format":')
    assert finding.again is not None


def test_a_handler_that_never_runs_is_named():
    suite = Suite(Plugin(Silent), games=3)

    [finding] = suite.each_handler()

    assert (finding.promise, finding.rule, finding.handler) == ("played", "bad.silent", "never")
    matches = 3 + len(suite.registry.abilities) + len(suite.registry.rules)
    assert f"never ran in {matches} matches, alone and beside each other rule" in finding.text


def test_handlers_that_need_another_rule_are_heard_beside_it():
    @rule("good.second")
    class Second(Rule):
        """Does nothing but be there."""

    @rule("good.first")
    class First(Rule):
        """Hears what the second says."""

        @reacts(Noted)
        def hear(self, ctx, event):
            """Hear of a note."""

    @rule("good.speaker")
    class Speaker(Rule):
        @reacts(TurnEnded)
        def speak(self, ctx, event):
            yield Note("good.speaker.word")

    assert [*Suite(Plugin(First, Second, Speaker), games=1).each_handler()] == []


def test_a_rule_that_cannot_be_tried_out_alone_is_not_looked_at_further():
    assert [*Suite(Plugin(Needy)).each_handler()] == []


def test_a_refusal_that_follows_from_a_secret_is_found():
    found_ = [finding for seed in range(6) for finding in play_peeking(seed)]

    assert {finding.promise for finding in found_} & {"worlds", "copy", "refusal", "log", "options"}


def play_peeking(seed):
    registry = Registry.default()
    registry.register(Plugin(Peeks), "bad")
    return play_match(bench(registry, ["bad.peeks"]), seed, registry=registry, worlds=3).findings


def test_a_fault_in_a_variant_is_blamed_on_the_plugin_s_rule():
    variant = {"id": "bad.variant", "base": "classic", "rules": ["bad.raises"]}

    alone, *in_variant = Suite(Plugin(Raises, variants=[variant])).matches()

    assert alone.variant == "bad.raises"
    assert {(finding.variant, finding.rule) for finding in in_variant} == {("bad.variant", "bad.raises")}


# What goes wrong between two processes.


WORDS = frozenset(["one", "two", "three", "four", "five"])


@rule("bad.hashes")
class Hashes(Rule):
    """Tells words in the order of a set."""

    @reacts(TurnStarted)
    def tell(self, ctx, event):
        for word in WORDS:
            yield Note("bad.hashes.word", args={"word": word})


class Hashing(Plugin):
    def __init__(self):
        super().__init__(Hashes)


def test_what_depends_on_the_order_of_a_set_differs_between_processes():
    [finding] = Suite(Hashing).same_log()

    assert (finding.promise, finding.rule, finding.handler) == ("processes", "bad.hashes", "tell")
    assert "'type': 'noted'" in finding.text
    assert len(finding.commands) == 2
    assert "bad.hashes.word" in finding.log


def test_a_plugin_that_no_other_process_can_find_is_named():
    class Local(Plugin):
        pass

    [finding] = Suite(Local(Silent)).same_log()

    assert (finding.promise, finding.rule) == ("processes", "Local")
    assert "Local cannot be found from another process: let it stand in a module" in finding.text


NAMED = Plugin(Silent)


def test_plugins_are_found_by_module_by_name_and_by_class(tmp_path, monkeypatch):
    assert found(locate(irontide_abilities)) is irontide_abilities
    assert locate(NAMED)["name"] == "NAMED"
    assert isinstance(found(locate(Hashing())), Hashing)
    (tmp_path / "only_here.py").write_text("class It:\n    pass\n", encoding="utf-8")
    place = {"module": "only_here", "file": str(tmp_path / "only_here.py"), "name": "It"}
    assert type(found(place)).__name__ == "It"
    monkeypatch.delitem(sys.modules, "only_here")
    with pytest.raises(ImportError):
        found({"module": "nowhere_at_all", "file": "", "name": ""})


def test_what_fails_in_the_other_process_is_named():
    contents = Contents.of(NAMED)
    broken = bench(contents.registry, ["bad.silent"]).but(id="x", rules=["points.cup"])

    [finding] = processes(contents, [broken], 1)

    assert finding.text.startswith("in another process:\nTraceback")
    assert "there is no rule 'points.cup'" in finding.text


# What is wrong without playing.


def module(tmp_path, monkeypatch, name, source):
    (tmp_path / f"{name}.py").write_text(source, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, name, raising=False)
    return __import__(name)


PRIVATE = """
import irontide
from irontide import Rule, TurnEnded, hookimpl, reacts, rule
from irontide.state import State

@rule("bad.private")
class Private(Rule):
    @reacts(TurnEnded)
    def use_it(self, ctx, event):
        irontide.evolve.EVOLVE

@hookimpl
def irontide_register(registry):
    registry.rule(Private)
"""


def test_a_private_import_is_found(tmp_path, monkeypatch):
    plugin = module(tmp_path, monkeypatch, "bad_private", PRIVATE)

    one, two = Suite(plugin).public_names()

    assert (one.promise, one.rule) == ("imports", "bad_private")
    assert one.text.endswith("bad_private.py:4: irontide.state.State is not public, see irontide.__all__")
    assert "irontide.evolve is not public" in two.text
    assert str(one) == f"bad_private: imports: {one.text}"


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("from irontide.state import State", ["irontide.state.State"]),
        ("import irontide.state", ["irontide.state"]),
        ("from irontide import state, Match", ["irontide.state"]),
        ("import irontide\nirontide.state.State()", ["irontide.state"]),
        ("from irontide import Match\nimport irontide, json\nirontide.Match\njson.x.y", []),
        ("from irontide.testing import scenario\nimport irontide.testing\nfrom . import x\nfrom .state import y", []),
    ],
)
def test_private_names_are_told_from_public_ones(tmp_path, source, names):
    file = tmp_path / "x.py"
    file.write_text(source, encoding="utf-8")

    assert [name for _, name in private_names(file)] == names


@rule("bad.speaks")
class Speaks(Rule):
    """Says something."""

    @reacts(TurnEnded)
    def speak(self, ctx, event):
        yield Note("bad.speaks.word", args={"word": "hush"})

    @forbids(Resign)
    def hold(self, ctx, command):
        return Refusal("bad.speaks.stay") if ctx.turn else Refusal(f"bad.speaks.{ctx.seat}")


SPOKEN = {
    "rule.bad.speaks.name": "speaks",
    "rule.bad.speaks.text": "Somebody speaks {word}.",
    "bad.speaks.word": "Hear: {word}",
    "refusal.bad.speaks.stay": "Stay.",
    "bad.other": "Something else.",
}
LABELLED = Variant("bad.variant", labels={"en": "Bad"})


def test_texts_that_a_language_lacks_or_has_otherwise_are_named():
    german = {**SPOKEN, "rule.bad.speaks.text": "Jemand spricht."}
    del german["bad.speaks.word"], german["bad.other"], german["refusal.bad.speaks.stay"]
    plugin = Plugin(Speaks, texts={"en": SPOKEN, "de": german}, variants=[LABELLED])

    findings = [(finding.rule, finding.text) for finding in Suite(plugin).messages()]

    texts = [text for rule_, text in findings if rule_ == "bad.speaks"]
    assert "there is no text 'bad.speaks.word' in 'de'" in texts
    assert "there is no text 'refusal.bad.speaks.stay' in 'de'" in texts
    assert "the arguments of 'rule.bad.speaks.text' differ: en: word; de: none" in texts
    assert ("Plugin", "there is no text 'bad.other' in 'de'") in findings
    assert ("bad.variant", "the variant 'bad.variant' has no label in 'de'") in findings


def test_a_plugin_without_texts_claims_no_language():
    assert [*Suite(Plugin(Speaks)).messages()] == []


# What cannot be tried out.


def test_a_plugin_that_cannot_be_registered_is_named():
    @rule("salvo")
    class Taken(Rule):
        """Takes a name that is taken."""

    [finding] = find_all(Plugin(Taken))

    assert (finding.promise, finding.rule) == ("plugin", "Plugin")
    assert "'salvo' is taken by plugin 'irontide_variants'" in finding.text


@rule("bad.needy")
class Needy(Rule):
    """Cannot do without a parameter."""

    amount: int

    @reacts(TurnStarted)
    def read(self, ctx, event):
        """Read nothing."""


def test_parameters_that_a_rule_needs_are_given():
    [finding] = Suite(Plugin(Needy)).matches()
    assert (finding.promise, finding.rule) == ("variant", "bad.needy")
    assert "cannot be tried out" in finding.text
    assert "amount" in finding.text

    assert [*Suite(Plugin(Needy), {"bad.needy": {"amount": 1}}).matches()] == []


# Benches.


def test_a_bench_leaves_out_of_its_base_what_does_not_go_with_the_rules():
    @rule("test.purse", place="purse", needs=("no_touching",))
    class Purse(Rule):
        pass

    @rule("test.other", place="purse")
    class Other(Rule):
        pass

    registry = Registry.default()
    registry.register(Plugin(Purse, Other), "test")
    variant = bench(registry, ["test.purse", "recon", "salvo"], {"salvo": {}})

    assert {"test.purse", "salvo", "no_touching", "points.start"} <= {use.use for use in variant.rules}
    assert variant.abilities["carrier"].use == "recon"
    with pytest.raises(VariantError, match="both stand for 'purse'"):
        bench(registry, ["test.purse", "test.other"])


def test_a_bench_drops_a_rule_of_its_base_that_stands_for_the_same():
    @rule("test.cap", place="cap")
    class Cap(Rule):
        pass

    class Tied:
        """A registry in which two rules stand for one place."""

        def __init__(self, registry):
            self.registry = registry

        def __getattr__(self, name):
            return getattr(self.registry, name)

        def book(self, variant):
            ids = {use.use for use in (*variant.rules, *variant.abilities.values())}
            if {"points.cap", "flak"} & ids:
                problem = Problem("conflict", "rules", "'test.cap' does not go with 'points.cap', 'flak'")
                raise VariantError("x", [problem])
            return self.registry.book(variant)

    registry = Registry.default()
    registry.register(Plugin(Cap), "test")

    variant = bench(Tied(registry), ["test.cap"])

    assert "points.cap" not in {use.use for use in variant.rules}
    assert "flak" not in {use.use for use in variant.abilities.values()}


# All of it.


@rule("good.luck")
class Luck(Rule):
    """A seat that misses may get a point, by chance."""

    @reacts(ShotFired)
    def give(self, ctx, event):
        if event.told == "water" and ctx.random.chance(1, 4):
            yield Note("good.luck.given", args={"seat": event.by})

    @reacts(TurnEnded)
    def listen(self, ctx, event):
        """Hear of turns."""

    @forbids(UseAbility)
    def allow(self, ctx, command):
        """Allow everything."""


class Good(Plugin):
    def __init__(self):
        super().__init__(
            Luck,
            texts={
                lang: {
                    "rule.good.luck.name": name,
                    "rule.good.luck.text": name,
                    "good.luck.given": "{seat}!",
                }
                for lang, name in (("en", "luck"), ("de", "Glück"))
            },
            variants=[{"id": "good", "base": "classic", "labels": {"en": "Good", "de": "Gut"}, "rules": ["good.luck"]}],
        )


def test_one_line_sees_that_a_plugin_keeps_every_promise(irontide_conformance):
    irontide_conformance(Good)


def test_a_failure_lists_all_that_was_found():
    with pytest.raises(AssertionError) as failed:
        irontide_conformance(Plugin(Raises, Silent), games=5)

    assert str(failed.value).startswith("3 promises are broken\n\nbad.raises.fail: fault: raised KeyError: 'ada'")
    number = Raises.fail.__code__.co_firstlineno
    assert f"raised KeyError: 'ada' at {__file__}:{number + 2}, given " in str(failed.value)
    assert "bad.silent.never: played: never ran in" in str(failed.value)
    assert "bad.raises.fail: fault" in str(failed.value)


class TestGood(Conformance):
    """The same by inheritance."""

    plugin = Good


PLAYED = [pytest.mark.slow, pytest.mark.no_cover]
"""What is played here, other tests cover."""

ALONE = [
    Suite.public_names,
    Suite.messages,
    *(pytest.param(check, marks=PLAYED) for check in (Suite.matches, Suite.same_log, Suite.each_handler)),
]
"""What is built in is played in pairs by `test_pairs.py`."""


def test_all_else_that_is_checked_is_checked_of_what_is_built_in():
    assert {getattr(check, "values", (check,))[0] for check in ALONE} == {*CHECKS} - {Suite.in_pairs}


@pytest.mark.parametrize("plugin", [irontide_abilities, irontide_variants], ids=lambda plugin: plugin.__name__)
@pytest.mark.parametrize("check", ALONE)
def test_what_is_built_in_conforms(plugin, check):
    assert [*check(Suite(plugin))] == []


# What one rule hides and another tells.


def test_what_betrays_a_sinking_that_another_rule_hides_is_found():
    registry = Registry.default()
    registry.register(Plugin(Salvage), "bad")
    ids = ("bad.salvage", "silent_sinking")

    found_ = [finding for seed in range(6) for finding in play_together(ids, seed, registry=registry)]

    assert {(finding.promise, finding.rule) for finding in found_} == {("worlds", "bad.salvage")}


def retort(*facts):
    """Return an ability that answers a hit on its ship with a shot, and declares these facts."""

    @ability("test.retort", tells=facts)
    class Retort(Ability):
        @reacts(ShotFired)
        def answer(self, ctx, event):
            if event.hit and event.by == ctx.other.name == ctx.turn_of and ctx.grid.cell(event.at) in ctx.ship:
                yield Shot(min(ctx.open(), default=0))

    return Retort


def test_a_shot_that_betrays_the_ship_that_was_hit_is_to_be_declared_and_the_other_world_is_told():
    [finding] = Suite(Bundle([retort()]), games=3).matches()

    assert (finding.promise, finding.rule, finding.handler) == ("worlds", "test.retort", "answer")
    assert re.search(r"; in the other world lie (?:\w+(?: [A-G][1-7])+(?:, |$))+", finding.text)
    assert [*Suite(Bundle([retort("hit", "ship")]), games=3).matches()] == []


def test_what_a_rule_declares_to_tell_it_may_tell():
    registry = Registry.default()
    registry.register(Plugin(SecondWind), "good")
    variant = bench(registry, ["good.second_wind"])

    assert [play_match(variant, seed, registry=registry, worlds=6).findings for seed in range(4)] == [()] * 4
