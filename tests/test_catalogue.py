"""The catalogue: what stands in the guide is what the registry holds, with a picture of each ability."""

import runpy
import subprocess
import sys
from pathlib import Path

import attrs

import irontide

FOLDER = Path(__file__).resolve().parents[1] / "docs" / "catalogue"
SCRIPT = FOLDER / "regenerate.py"
MADE = runpy.run_path(str(SCRIPT))["files"]()
BUILT_IN = {"irontide_abilities", "irontide_variants"}


def there(folder):
    found = [*folder.glob("*.md"), *folder.glob("pictures/*")]
    return {path.relative_to(folder).as_posix(): path.read_bytes().decode("utf-8") for path in found}


def test_the_pages_and_pictures_are_what_the_code_makes():
    said = "run: python docs/catalogue/regenerate.py"

    assert sorted(there(FOLDER)) == sorted(MADE), said
    assert [name for name, text in there(FOLDER).items() if text != MADE[name]] == [], said


def test_everything_built_in_has_its_section():
    registry = irontide.Registry.default()
    for page, mark, found in (("abilities.md", "## `{}`", registry.abilities), ("rules.md", "### {}", registry.rules)):
        ours = {mark.format(id_) for id_ in found if registry.plugin_of(id_) in BUILT_IN}
        start = mark.partition("{")[0]
        assert {line for line in MADE[page].splitlines() if line.startswith(start)} == ours
    assert {f"## `{id_}`" for id_ in registry.variants} <= set(MADE["variants.md"].splitlines())


def test_the_section_of_a_rule_names_all_its_parameters():
    registry = irontide.Registry.default()
    for section in MADE["rules.md"].split("\n### ")[1:]:
        rule = registry.rule(section.partition("\n")[0])
        assert [field.name for field in attrs.fields(rule) if f"`{field.name} = " not in section] == []


def test_each_ability_has_its_picture_price_and_target():
    registry = irontide.Registry.default()
    for section in MADE["abilities.md"].split("\n## ")[1:]:
        ability = registry.ability(section.split("`")[1])
        assert f"](pictures/{ability.id}.svg)" in section
        assert f"| price and limits | {ability.terms.price}." in section
        assert f"| target | `{type(ability.target).__name__}(" in section


def test_the_script_takes_away_what_is_no_more(tmp_path):
    (tmp_path / "pictures").mkdir()
    (tmp_path / "pictures/mace.svg").write_text("<svg/>", encoding="utf-8")
    subprocess.run([sys.executable, str(SCRIPT), str(tmp_path)], check=True, timeout=60)

    assert there(tmp_path) == MADE
