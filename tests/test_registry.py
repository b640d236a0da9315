"""The registry: what is installed, by id; plugins whole or not at all; which of them see what."""

import sys

import attrs
import pytest

import irontide
from irontide import (
    Ability,
    Fault,
    Fire,
    IrontideError,
    Match,
    PlaceFleet,
    PluginError,
    Registrar,
    Registry,
    Rule,
    ShotFired,
    UnknownName,
    VariantError,
    ability,
    hookimpl,
    reacts,
    rule,
)
from irontide.registry import KEPT

SEATS = ("ada", "bo")


@ability("test.b")
class B(Ability):
    """Does nothing."""


@ability("test.a")
class A(Ability):
    """Does nothing."""


@rule("test.c")
class C(Rule):
    """Fails at each shot."""

    @reacts(ShotFired)
    def fail(self, ctx, event):
        raise ValueError


def nobody(*_: object) -> None:
    """Stand for a bot."""


class Plugin:
    """Registers one of each kind, and listens."""

    __version__ = "1.5"

    def __init__(self) -> None:
        self.commits: list[int] = []
        self.faults: list[Fault] = []

    @hookimpl
    def irontide_register(self, registry):
        registry.ability(B)
        registry.ability(A)
        registry.rule(C)
        registry.bot("test.nobody", nobody)
        registry.variant({"id": "test.v", "base": "classic", "rules": ["test.c"]})
        registry.messages("en", {"test.greeting": "Ahoy, {name}!"})

    @hookimpl
    def irontide_observe(self, commit):
        self.commits.append(commit.number)

    @hookimpl
    def irontide_fault(self, fault):
        self.faults.append(fault)


class Registers:
    """A plugin that does one thing when it is registered."""

    def __init__(self, act: object) -> None:
        self.act = act

    @hookimpl
    def irontide_register(self, registry):
        self.act(registry)


def registered() -> tuple[Registry, Plugin]:
    registry, plugin = Registry.default(), Plugin()
    registry.register(plugin, "test")
    return registry, plugin


# By id.


def test_what_is_registered_is_found_by_its_id_in_a_fixed_order():
    registry, _ = registered()

    assert registry.ability("test.a") is A
    assert registry.rule("test.c") is C
    assert registry.bot("test.nobody") is nobody
    assert registry.variant("test.v").rules[0].use == "test.c"
    assert {"sonar", "test.a", "test.b", "torpedo"} <= {*registry.abilities}
    for known in (registry.abilities, registry.rules, registry.variants, registry.bots):
        assert list(known) == sorted(known)
    assert "test.nobody" in registry.bots


@pytest.mark.parametrize(
    ("ask", "typo", "near"),
    [
        (Registry.ability, "sonnar", "sonar"),
        (Registry.rule, "no_touch", "no_touching"),
        (Registry.variant, "classik", "classic"),
        (Registry.bot, "test.nobodi", "test.nobody"),
    ],
)
def test_an_unknown_name_is_an_error_that_suggests_the_nearest(ask: object, typo: str, near: str):
    with pytest.raises(UnknownName, match=repr(near)) as caught:
        ask(registered()[0], typo)
    assert isinstance(caught.value, IrontideError)
    assert isinstance(caught.value, LookupError)


def test_a_rule_is_no_ability_and_an_ability_no_rule():
    registry, _ = registered()

    with pytest.raises(UnknownName):
        registry.ability("test.c")
    with pytest.raises(UnknownName):
        registry.rule("test.a")


def test_each_plugin_has_its_version_and_what_it_registered():
    registry, _ = registered()

    assert registry.plugins["test"] == "1.5"
    assert registry.plugins["irontide_abilities"] == irontide.__version__
    assert registry.plugin_of("test.a") == registry.plugin_of("test.c") == "test"
    assert registry.plugin_of("sonar") == "irontide_abilities"


def test_a_match_names_only_the_plugins_that_its_variant_uses():
    registry, _ = registered()

    assert Match.new("classic", seats=SEATS, registry=registry).header.plugins == {}
    assert set(Match.new("salvo", seats=SEATS, registry=registry).header.plugins) == {"irontide_variants"}
    assert set(Match.new("test.v", seats=SEATS, registry=registry).header.plugins) == {"test"}


def test_a_plugin_s_texts_are_filled_in_like_the_core_s():
    registered()

    assert irontide.message("en", "test.greeting", name="Ada") == "Ahoy, Ada!"
    assert irontide.message("de", "test.greeting", name="Ada") == "Ahoy, Ada!"  # what a language lacks is in English
    assert irontide.message("en", "test.nothing") == "test.nothing"


# All of a plugin or nothing of it.


@pytest.mark.parametrize(
    ("act", "says"),
    [
        (lambda registry: registry.ability(C), "no ability"),
        (lambda registry: registry.ability(Ability), "no ability"),
        (lambda registry: registry.ability("sonar"), "no ability"),
        (lambda registry: registry.rule(A), "no rule"),
        (lambda registry: registry.rule(Rule), "no rule"),
        (lambda registry: registry.rule(object()), "no rule"),
        (lambda registry: registry.variant({"base": "classic"}), "needs an id"),
        (lambda registry: registry.variant({"id": ""}), "needs an id"),
        (lambda registry: registry.messages("en", {"refusal.stale": "Stale."}), "'refusal.stale' is the core's own"),
        (lambda registry: registry.messages("en", {"test.x": 5}), "messages are texts"),
        (lambda registry: registry.messages("\ud800", {}), "messages are texts"),
        (lambda registry: [registry.bot("test.x", nobody), registry.bot("test.x", nobody)], "'test.x' twice"),
        (lambda registry: int("one"), "ValueError: invalid literal"),
    ],
)
def test_a_plugin_that_registers_what_it_may_not_is_kept_out_whole_and_named(act: object, says: str):
    registry = Registry.default()
    before = dict(registry.plugins), list(registry.abilities), list(registry.rules), list(registry.bots)

    def first_something_good(registrar: Registrar) -> None:
        registrar.ability(B)
        act(registrar)

    with pytest.raises(PluginError, match=says) as caught:
        registry.register(Registers(first_something_good), "wrong")

    assert "'wrong'" in str(caught.value)
    assert (dict(registry.plugins), list(registry.abilities), list(registry.rules), list(registry.bots)) == before
    registry.register(Plugin(), "wrong")  # the name is free, and so are the ids


def test_an_id_that_is_taken_names_who_has_it():
    registry, _ = registered()

    for act, owner in (
        (lambda registrar: registrar.ability(A), "test"),
        (lambda registrar: registrar.bot("test.nobody", nobody), "test"),
        (lambda registrar: registrar.variant({"id": "salvo"}), "irontide_variants"),
    ):
        with pytest.raises(PluginError, match=f"taken by plugin '{owner}'"):
            registry.register(Registers(act), "late")


def test_a_plugin_is_registered_once():
    registry, plugin = registered()

    with pytest.raises(PluginError, match="registered already"):
        registry.register(plugin, "again")
    with pytest.raises(PluginError, match="registered already"):
        registry.register(Plugin(), "test")


def test_a_plugin_without_a_name_is_called_as_its_module_or_class():
    registry = Registry()
    registry.register(Registers(lambda registrar: registrar.ability(A)))

    assert dict(registry.plugins) == {"Registers": ""}


# Variants that cannot be read.


def broken() -> Registry:
    registry = Registry.default()

    def register(registrar: Registrar) -> None:
        registrar.variant({"id": "test.good", "base": "classic"})
        registrar.variant({"id": "test.orphan", "base": "test.nowhere"})
        registrar.variant({"id": "test.hen", "base": "test.egg"})
        registrar.variant({"id": "test.egg", "base": "test.hen"})
        registrar.variant({"id": "test.shapeless", "base": "classic", "grid": 5})

    registry.register(Registers(register), "test")
    return registry


def test_a_variant_that_cannot_be_read_hides_no_other_and_is_named_once():
    registry = broken()

    assert "test.good" in registry.variants
    assert not {"test.orphan", "test.hen", "test.egg", "test.shapeless"} & set(registry.variants)
    assert {problem.plugin for problem in registry.problems} == {"test"}
    assert len(registry.problems) == 4
    assert "test.good" in registry.variants
    assert len(registry.problems) == 4


@pytest.mark.parametrize(
    ("id_", "code"),
    [
        ("test.orphan", "unknown_variant"),
        ("test.hen", "circular_base"),
        ("test.egg", "circular_base"),
        ("test.shapeless", "bad_form"),
    ],
)
def test_asking_for_it_says_what_is_wrong(id_: str, code: str):
    with pytest.raises(VariantError) as caught:
        broken().variant(id_)

    assert [problem.code for problem in caught.value.problems] == [code]


# Built-ins and what is installed.


def test_a_built_in_that_is_not_installed_is_left_out(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "irontide_play", None)  # as Python does where a module must not be imported

    registry = Registry.default()

    assert "irontide_play" not in registry.plugins
    assert {"classic", "salvo", "tactical", "russian"} <= {*registry.variants}


class Lacking:
    """Stands first among the finders of modules: to load the command line takes a module that is nowhere."""

    def find_spec(self, name: str, *_: object) -> None:
        if name == "irontide_play":
            raise ModuleNotFoundError("No module named 'a_module_that_is_nowhere'", name="a_module_that_is_nowhere")


def test_a_built_in_that_lacks_something_is_not_taken_for_one_that_is_not_installed(monkeypatch: pytest.MonkeyPatch):
    # No package of that name is written anywhere: pytest's import hook, which loads a plugin's distribution, would
    # look for the real one's files there for the rest of the run.
    for name in [name for name in sys.modules if name.partition(".")[0] == "irontide_play"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(sys, "meta_path", [Lacking(), *sys.meta_path])

    with pytest.raises(ModuleNotFoundError, match="a_module_that_is_nowhere"):
        Registry.default()


def test_an_empty_registry_knows_nothing_until_a_plugin_is_registered():
    registry = Registry()

    for known in (registry.abilities, registry.rules, registry.variants, registry.bots, registry.plugins):
        assert not known


# Who sees commits and faults.


def begun(registry: Registry, variant: str, **options: object) -> Match:
    match = Match.new(variant, seats=SEATS, seed=7, registry=registry, **options)
    for seat in SEATS:
        match.submit(PlaceFleet(seat, match.random_placement(seat)))
    return match


def test_commits_are_seen_by_plugins_that_the_variant_uses_or_the_host_names():
    registry, plugin = registered()

    begun(registry, "classic")
    assert plugin.commits == []
    begun(registry, "test.v")
    assert plugin.commits == [1, 2]
    begun(registry, "classic", observers=["test"])
    assert plugin.commits == [1, 2, 1, 2]


def test_nobody_observes_what_a_fork_tries_out():
    registry, plugin = registered()
    match = begun(registry, "classic", observers=["test"])
    plugin.commits.clear()

    match.fork().submit(Fire("ada", "A1"))
    assert plugin.commits == []
    match.at(2).submit(Fire("ada", "A1"))
    assert plugin.commits == [3]


def test_a_fault_is_told_to_every_plugin_that_listens():
    registry, plugin = registered()
    registry.register(Deaf(), "deaf")

    match = begun(registry, "test.v")
    match.submit(Fire("ada", "A1"))

    [fault] = plugin.faults
    assert (fault.plugin, fault.rule, fault.handler, fault.commit) == ("test", "test.c", "fail", 3)
    assert str(fault) == "test.c.fail of plugin test: raised ValueError: "
    assert match.faults == [fault]
    assert [problem.plugin for problem in registry.problems] == ["deaf"]


class Deaf:
    """A listener that fails when it hears of a fault: named, and harms nobody."""

    @hookimpl
    def irontide_fault(self, fault):
        raise ValueError


def test_variants_of_logs_are_known_again_and_bounded():
    registry, read = Registry.default(), []
    variant = registry.variant("classic")

    for n in [*range(KEPT), *range(KEPT), KEPT]:
        assert registry.recalled(f"text {n}", lambda n=n: read.append(n) or variant) is variant

    assert read == [*range(KEPT), KEPT]


def test_equal_variants_share_their_rules_however_many_there_are():
    registry = Registry.default()
    variants = [attrs.evolve(registry.variant("classic")) for _ in range(KEPT + 1)]

    books = [registry.book(variant) for variant in [*variants, variants[0]]]

    assert all(book is books[0] for book in books)


@pytest.mark.parametrize("id_", [5, ("acme", "r"), "", None, "\ud800", pytest.param(10**5000, id="long")])
def test_an_id_that_is_no_text_keeps_a_whole_plugin_out(id_):
    class Acme:
        @hookimpl
        def irontide_register(self, registry):
            registry.rule(ShotCounter)
            registry.bot(id_, print)

    registry = Registry.default()
    for _ in range(2):
        with pytest.raises(PluginError, match="plugin 'acme': every bot needs an id, a text, not "):
            registry.register(Acme(), "acme", "1")
    assert "acme" not in registry.plugins
    assert "acme.counter" not in registry.rules


@rule("acme.counter")
class ShotCounter(Rule):
    """Does nothing."""


def test_a_rule_whose_id_is_no_text_is_refused():
    @rule(5)
    class Five(Rule):
        """Does nothing."""

    class Acme:
        @hookimpl
        def irontide_register(self, registry):
            registry.rule(Five)

    with pytest.raises(PluginError, match="every rule needs an id, a text, not 5"):
        Registry.default().register(Acme(), "acme", "1")


@pytest.mark.parametrize(
    "named",
    [
        (5, "1"),
        ("\ud800", "1"),
        ("acme", (1, 0)),
        ("acme", 1),
        ("acme", "\ud800"),
        pytest.param((10**5000, None), id="long"),
    ],
)
def test_a_name_and_a_version_are_texts_that_a_log_can_hold(named):
    registry = Registry.default()
    with pytest.raises(PluginError, match="the name and the version of a plugin are texts, not "):
        registry.register(Deaf(), *named)
    assert registry.plugins == Registry.default().plugins
