"""The public names: a literal list, complete and true, and all that what is built in is made of."""

import ast
import inspect
import statistics
import textwrap
import tomllib
from pathlib import Path

import pytest

import irontide
import irontide_abilities
import irontide_play
import irontide_variants
from irontide import Ability, IrontideError, Registry
from irontide.testing.statics import private_names

OUTER = (irontide_abilities, irontide_variants, irontide_play)
FILES = {
    f"{package.__name__}/{path.relative_to(folder)}": path
    for package in OUTER
    for folder in [Path(package.__file__).parent]
    for path in sorted(folder.rglob("*.py"))
}


def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


# The list.


def test_the_list_of_public_names_is_literal_and_sorted():
    [names] = [
        node.value
        for node in tree_of(Path(irontide.__file__)).body
        if isinstance(node, ast.Assign) and [target.id for target in node.targets] == ["__all__"]
    ]

    in_order = sorted(irontide.__all__, key=lambda name: (not name.isupper(), name))  # constants first, as ruff has it
    assert ast.literal_eval(names) == irontide.__all__ == in_order
    assert len(set(irontide.__all__)) == len(irontide.__all__)


@pytest.mark.parametrize("name", irontide.__all__)
def test_each_public_name_is_there(name: str):
    assert getattr(irontide, name) is not None


def test_whatever_the_package_imports_for_others_is_in_the_list():
    imported = {
        alias.asname or alias.name
        for node in tree_of(Path(irontide.__file__)).body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }

    assert imported == set(irontide.__all__)


NAMES_OF_THE_FACE = """
    Ability Area Context Effects Fire Grid LogError Match PlaceFleet Placement Refused Registry Resign Rule Scan Shot
    TooLarge UnknownName UseAbility VariantError ability adjusts command_from_json count_placements fold_view forbids
    hookimpl load_variant reacts replaces rule text to_json verify IrontideError PluginMissing Variant Outcome CellSet
"""
"""Those that every embedder's and author's program may rely on."""


@pytest.mark.parametrize("name", NAMES_OF_THE_FACE.split())
def test_names_that_others_rely_on_stay(name: str):
    assert name in irontide.__all__


def test_all_public_errors_derive_from_one():
    errors = [
        thing
        for thing in vars(irontide).values()
        if isinstance(thing, type) and issubclass(thing, BaseException) and thing.__module__.startswith("irontide")
    ]

    assert len(errors) > 5
    assert all(issubclass(error, IrontideError) for error in errors)


@pytest.mark.parametrize("name", irontide.__all__)
def test_each_public_class_and_function_says_what_it_is(name: str):
    thing = getattr(irontide, name)
    if inspect.isclass(thing) or inspect.isfunction(thing):
        assert inspect.getdoc(thing), name


def test_the_version_is_that_of_the_distribution():
    project = tomllib.loads((Path(__file__).parent.parent / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert irontide.__version__ == project["version"]


# What is built in is made of them.


@pytest.mark.parametrize("file", FILES)
def test_what_is_built_in_uses_only_public_names(file: str):
    assert [*private_names(FILES[file])] == []


ORDER = ("irontide", "irontide_abilities", "irontide_variants", "irontide_play")


@pytest.mark.parametrize("package", ORDER)
def test_the_outer_imports_the_inner_and_never_back(package: str):
    module = {each.__name__: each for each in (irontide, *OUTER)}[package]
    inner = ORDER[: ORDER.index(package) + 1]
    for path in Path(module.__file__).parent.rglob("*.py"):
        imported = {
            name.partition(".")[0]
            for node in ast.walk(tree_of(path))
            for name in (
                [alias.name for alias in node.names]
                if isinstance(node, ast.Import)
                else [node.module or ""]
                if isinstance(node, ast.ImportFrom)
                else []
            )
        }
        assert {name for name in imported if name.startswith("irontide")} <= set(inner), path


# Built-in content has little control flow.


def body_of(class_: type) -> int:
    """Return the lines of a class between its decorators, its head and its docstring, and its end."""
    [node] = ast.parse(textwrap.dedent(inspect.getsource(class_))).body
    body = node.body[1:] if ast.get_docstring(node) else node.body
    return body[-1].end_lineno - min(item.lineno for item in body) + 1 if body else 0


def built_in(known: dict[str, type]) -> list[type]:
    return [class_ for class_ in known.values() if class_.__module__.startswith("irontide")]


@pytest.mark.parametrize("kind", ["abilities", "rules"])
def test_bodies_of_built_in_abilities_and_house_rules_are_short(kind: str):
    classes = built_in(getattr(Registry.default(), kind))
    lengths = [body_of(class_) for class_ in classes if class_ is not Registry.default().rule("moving_allowed")]

    assert len(lengths) >= 5
    assert all(length > 0 for length in lengths)  # but for a rule that does all by standing in the place of another
    assert statistics.median(lengths) <= 8
    assert max(lengths) <= 25


def test_each_built_in_ability_says_what_it_does():
    for class_ in built_in(Registry.default().abilities):
        assert issubclass(class_, Ability)
        assert inspect.getdoc(class_) != inspect.getdoc(Ability)
