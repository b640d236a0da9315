"""Plugins found through the entry-point group `irontide`: loaded by name, kept out whole and named where they fail."""

import sys
from itertools import count
from pathlib import Path
from textwrap import dedent

import pytest

import irontide
from irontide import API_VERSION, Match, PluginError, Registry, hookimpl

FRESH = count(1)


class Site:
    """A folder on `sys.path` in which distributions can be laid out as an installer would."""

    def __init__(self, folder: Path):
        self.folder = folder

    def module(self, source: str) -> str:
        """Write a module of a name of its own, and return it."""
        name = f"irontide_test_plugin_{next(FRESH)}"
        (self.folder / f"{name}.py").write_text(dedent(source), encoding="utf-8")
        return name

    def distribution(self, name: str, version: str, **points: str) -> None:
        """Write the metadata of a distribution with these entry points."""
        info = self.folder / f"{name.replace('-', '_')}-{version}.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n", encoding="utf-8")
        lines = "".join(f"{point} = {value}\n" for point, value in points.items())
        (info / "entry_points.txt").write_text(f"[console_scripts]\nx = x:y\n\n[irontide]\n{lines}", encoding="utf-8")


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    before = {*sys.modules}
    monkeypatch.syspath_prepend(tmp_path)
    yield Site(tmp_path)
    for name in {*sys.modules} - before:
        if name.startswith("irontide_test_plugin_"):
            del sys.modules[name]


def source(*ids: str, before: str = "", texts: str = "{}") -> str:
    """Return the source of a plugin that registers abilities of these ids and texts, after doing something else."""
    use = "    def use(self, ctx, target):\n        yield Note('')\n"
    made = "".join(f"@ability({id_!r}, price=1)\nclass A{n}(Ability):\n{use}\n" for n, id_ in enumerate(ids))
    given = "".join(f"    registry.ability(A{n})\n" for n in range(len(ids)))
    return (
        f"from irontide import Ability, Note, ability, hookimpl\n{before}\n{made}\n"
        f"@hookimpl\ndef irontide_register(registry):\n    registry.messages('en', {texts})\n{given}"
    )


def problems(registry: Registry) -> dict[str, str]:
    return {problem.plugin: problem.text for problem in registry.problems}


def test_plugins_are_loaded_through_the_entry_point_group(site: Site):
    site.distribution("some-thing", "3.1", some=site.module(source("some.thing")))

    registry = Registry.default()

    assert registry.plugins["some"] == "3.1"
    assert registry.ability("some.thing").terms.price == 1
    assert registry.plugin_of("some.thing") == "some"
    assert "some" not in problems(registry)


def test_plugins_are_loaded_in_the_order_of_their_names(site: Site):
    modules = {name: site.module(source(f"{name}.x")) for name in ("zz", "mm", "aa", "nn")}
    site.distribution("one", "1", zz=modules["zz"], aa=modules["aa"])
    site.distribution("a-two", "1", nn=modules["nn"], mm=modules["mm"])

    registry = Registry.default()

    imported = [name for name in sys.modules if name in modules.values()]
    assert imported == [modules[name] for name in ("aa", "mm", "nn", "zz")]
    assert [name for name in registry.plugins if name in modules] == ["aa", "mm", "nn", "zz"]


def test_built_in_plugins_come_before_installed_ones(site: Site):
    site.distribution("first", "1", aaa=site.module(source("aaa.x")))

    names = [*Registry.default().plugins]

    assert names.index("irontide_abilities") < names.index("irontide_variants") < names.index("aaa")


def test_an_entry_point_may_name_an_object(site: Site):
    module = site.module(
        """
        from irontide import Ability, Note, ability, hookimpl

        @ability("thing.x", price=1)
        class X(Ability):
            def use(self, ctx, target):
                yield Note("x")

        class Thing:
            @hookimpl
            def irontide_register(self, registry):
                registry.ability(X)

        thing = Thing()
        """
    )
    site.distribution("thing", "1", thing=f"{module}:thing")

    assert Registry.default().plugin_of("thing.x") == "thing"


def test_a_match_goes_on_with_what_is_installed(site: Site):
    site.distribution("some-thing", "3.1", some=site.module(source("some.thing")))
    registry = Registry.default()
    variant = registry.variant("tactical").but(id="some.tactical", abilities={"destroyer": "some.thing"})

    match = Match.new(variant, seats=("ada", "bo"), seed=7, registry=registry)

    assert match.header.plugins == {"irontide_abilities": irontide.__version__, "some": "3.1"}


# Kept out.


@pytest.mark.parametrize(
    ("before", "reason"),
    [
        ("raise RuntimeError('on the way in')", "RuntimeError: on the way in"),
        ("import no_such_module_anywhere", "ModuleNotFoundError: No module named 'no_such_module_anywhere'"),
        ("this is no Python", "SyntaxError"),
        ("from irontide import no_such_name", "ImportError"),
    ],
)
def test_a_plugin_that_fails_to_import_is_named_and_the_others_load(site: Site, before: str, reason: str):
    site.distribution("bad", "1", bad=site.module(source("bad.x", before=before)))
    site.distribution(
        "good", "1", also_good=site.module(source("also_good.x")), zz_good=site.module(source("zz_good.x"))
    )

    registry = Registry.default()

    assert problems(registry)["bad"].startswith(reason)
    assert "bad" not in registry.plugins
    assert "bad.x" not in registry.abilities
    assert {"also_good.x", "zz_good.x", "sonar"} <= set(registry.abilities)


@pytest.mark.parametrize("value", ["no_such_module_anywhere", "json:no_such_name"])
def test_an_entry_point_that_leads_nowhere_is_named(site: Site, value: str):
    site.distribution("bad", "1", bad=value)

    registry = Registry.default()

    assert "bad" in problems(registry)
    assert "bad" not in registry.plugins


def test_a_plugin_that_fails_to_register_is_kept_out_as_a_whole(site: Site):
    module = site.module(source("half.x", texts="{'half.text': 'half'}") + "    raise RuntimeError('halfway')\n")
    site.distribution("half", "1", half=module)

    registry = Registry.default()

    assert "RuntimeError: halfway" in problems(registry)["half"]
    assert "half.x" not in registry.abilities
    assert "half" not in registry.plugins
    assert irontide.message("en", "half.text") == "half.text"


@pytest.mark.parametrize(
    "junk",
    ["ability(7)", "ability(str)", "ability(Ability)", "rule(A0)", "variant([])", "messages('en', 7)", "nothing()"],
)
def test_a_plugin_that_registers_junk_is_kept_out_as_a_whole(site: Site, junk: str):
    site.distribution("junk", "1", junk=site.module(source("junk.x") + f"    registry.{junk}\n"))

    registry = Registry.default()

    assert "junk" in problems(registry)
    assert "junk.x" not in registry.abilities


def test_an_id_taken_by_a_built_in_keeps_the_plugin_out_as_a_whole(site: Site):
    site.distribution("thief", "1", thief=site.module(source("thief.x", "sonar", texts="{'thief.text': 'gotcha'}")))

    registry = Registry.default()

    assert "the ability 'sonar' is taken by plugin 'irontide_abilities'" in problems(registry)["thief"]
    assert registry.plugin_of("sonar") == "irontide_abilities"
    assert "thief.x" not in registry.abilities
    assert irontide.message("en", "thief.text") == "thief.text"


def test_an_id_taken_by_another_plugin_stays_with_the_first_by_name(site: Site):
    later, first = site.module(source("both.x", "later.y")), site.module(source("both.x"))
    site.distribution("a-later", "1", later=later)
    site.distribution("z-first", "1", first=first)

    registry = Registry.default()

    assert registry.plugin_of("both.x") == "first"
    assert "taken by plugin 'first'" in problems(registry)["later"]
    assert "later.y" not in registry.abilities


def test_an_id_of_a_rule_is_taken_for_an_ability_too(site: Site):
    site.distribution("thief", "1", thief=site.module(source("points.cap")))

    assert "the ability 'points.cap' is taken" in problems(Registry.default())["thief"]


def test_an_id_twice_in_one_plugin_keeps_it_out(site: Site):
    site.distribution("twice", "1", twice=site.module(source("twice.x", "twice.x")))

    registry = Registry.default()

    assert "twice" in problems(registry)
    assert "twice.x" not in registry.abilities


def test_a_name_twice_is_named(site: Site):
    site.distribution("one", "1", same=site.module(source("one.x")))
    site.distribution("two", "1", same=site.module(source("two.x")))

    registry = Registry.default()

    assert "registered already" in problems(registry)["same"]
    assert len({"one.x", "two.x"} & set(registry.abilities)) == 1


@pytest.mark.parametrize("low_high", [(API_VERSION + 1, API_VERSION + 2), (API_VERSION - 2, API_VERSION - 1)])
def test_a_plugin_for_another_api_is_kept_out(site: Site, low_high: tuple[int, int]):
    site.distribution("other", "1", other=site.module(source("other.x", before=f"irontide_api = {low_high}")))

    registry = Registry.default()

    low, high = low_high
    assert f"was written for API {low} to {high}, this is API {API_VERSION}" in problems(registry)["other"]
    assert "other.x" not in registry.abilities


@pytest.mark.parametrize("low_high", [(API_VERSION, API_VERSION), (API_VERSION - 1, API_VERSION + 3)])
def test_a_plugin_whose_range_holds_this_api_is_loaded(site: Site, low_high: tuple[int, int]):
    site.distribution("other", "1", other=site.module(source("other.x", before=f"irontide_api = {low_high}")))

    assert "other.x" in Registry.default().abilities


@pytest.mark.parametrize("junk", ["7", "'1'", "(1,)", "None", "('1', '2')"])
def test_an_api_range_that_is_none_keeps_the_plugin_out(site: Site, junk: str):
    site.distribution("other", "1", other=site.module(source("other.x", before=f"irontide_api = {junk}")))

    registry = Registry.default()

    assert "other" in problems(registry)
    assert "other.x" not in registry.abilities


def test_a_hook_that_there_is_not_is_named(site: Site):
    typo = "from irontide import hookimpl\n@hookimpl\ndef irontide_observ(commit):\n    pass\n"
    site.distribution("typo", "1", typo=site.module(source("typo.x", before=typo)))

    registry = Registry.default()

    assert "irontide_observ" in problems(registry)["typo"]
    assert "typo.x" not in registry.abilities


def test_a_hook_with_other_arguments_is_named(site: Site):
    module = site.module("from irontide import hookimpl\n@hookimpl\ndef irontide_register(reg):\n    pass\n")
    site.distribution("args", "1", args=module)

    registry = Registry.default()

    assert "reg" in problems(registry)["args"]
    assert "args" not in registry.plugins


def test_a_variant_that_can_not_be_read_does_not_hide_the_others(site: Site):
    module = site.module(source("lost.x") + "    registry.variant({'id': 'lost.v', 'base': 'no_such_variant'})\n")
    site.distribution("lost", "1", lost=module)

    registry = Registry.default()

    assert {"classic", "salvo", "tactical"} <= set(registry.variants)


# By hand: the same checks, as an error.


class TakesSonar:
    """A plugin that takes an id."""

    @hookimpl
    def irontide_register(self, registry):
        registry.ability(Registry.default().ability("sonar"))


class OtherArguments:
    """A plugin whose hook wants something else."""

    @hookimpl
    def irontide_register(self, reg):
        """Never be called."""


class OtherApi:
    """A plugin for a later API."""

    irontide_api = (API_VERSION + 1, API_VERSION + 1)


class Raises:
    """A plugin that fails to register."""

    @hookimpl
    def irontide_register(self, registry):
        raise ValueError("halfway")


@pytest.mark.parametrize(
    "plugin", [TakesSonar(), OtherArguments(), OtherApi(), Raises()], ids=lambda p: type(p).__name__
)
def test_a_plugin_registered_by_hand_raises_and_leaves_no_trace(plugin: object):
    registry = Registry.default()
    before = (dict(registry.abilities), dict(registry.rules), registry.plugins)

    for _ in range(2):
        with pytest.raises(PluginError) as error:
            registry.register(plugin, "by_hand")
        assert "by_hand" in str(error.value)
        assert "already" not in str(error.value)

    assert (dict(registry.abilities), dict(registry.rules), registry.plugins) == before


def test_registries_do_not_know_of_each_other(site: Site):
    one, other = Registry.default(), Registry.default()
    module = __import__(site.module(source("mine.x")))

    one.register(module, "mine")
    one.register(object(), "nothing")

    assert "mine.x" in one.abilities
    assert "mine.x" not in other.abilities
    other.register(module, "mine")
    with pytest.raises(PluginError, match="registered already"):
        other.register(module, "mine")
