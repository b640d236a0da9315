"""`irontide check` with files, modules and names that Python itself cannot take: a finding, or one line."""

import json

import pytest
from typer.testing import CliRunner

from irontide_play.cli import app

RUN = CliRunner()

NESTED = f"x = {'[' * 3000}{']' * 3000}\n"


def problems(path):
    """Return code, place and line of each problem of what is checked."""
    result = RUN.invoke(app, ["check", str(path), "--json"])
    assert result.exit_code == 1, result.output
    return [(one["code"], one["place"], one["line"]) for one in json.loads(result.stdout)["problems"]]


@pytest.mark.parametrize("text", [NESTED, f"x = {'9' * 5000}\n"], ids=["nested", "digits"])
@pytest.mark.parametrize("name", ["mine.toml", "pyproject.toml"])
def test_toml_that_python_cannot_take_is_named(tmp_path, name, text):
    file = tmp_path / name
    file.write_text(text, "utf-8")
    [(code, _, _)] = problems(file if name == "mine.toml" else tmp_path)
    assert code == ("bad_form" if name == "mine.toml" else "no_plugin")


@pytest.mark.parametrize("text", ["project = 5", "[project]\nentry-points = 5", "[project.entry-points]\nirontide = 5"])
def test_a_project_of_odd_tables_announces_nothing(tmp_path, text):
    (tmp_path / "pyproject.toml").write_text(text, "utf-8")
    assert problems(tmp_path) == [("no_plugin", "project.entry-points", None)]


def test_a_project_that_announces_no_module_cannot_be_imported(tmp_path):
    (tmp_path / "pyproject.toml").write_text("[project.entry-points.irontide]\nx = 5", "utf-8")
    assert problems(tmp_path) == [("not_importable", "5", None)]


def test_a_package_beside_a_file_that_is_no_toml_is_checked_all_the_same(tmp_path):
    (tmp_path / "checked_beside.py").write_text(
        "import irontide\n"
        "@irontide.hookimpl\n"
        "def irontide_register(registry):\n"
        "    registry.variant({'id': 'checked_beside.v', 'base': 'nothing_of_the_kind'})\n",
        "utf-8",
    )
    (tmp_path / "other.toml").write_text(NESTED, "utf-8")
    assert [code for code, _, _ in problems(tmp_path / "checked_beside.py")] == ["unknown_variant"]


UNSPEAKABLE = "class Unspeakable(Exception):\n    def __str__(self):\n        return 1 / 0\nraise Unspeakable\n"


@pytest.mark.parametrize(
    ("name", "text", "line"),
    [("checked_exit", "x = 1\nraise SystemExit(3)\n", 2), ("checked_unspeakable", UNSPEAKABLE, 4)],
)
def test_a_module_that_exits_or_raises_what_cannot_be_told_is_named(tmp_path, name, text, line):
    (tmp_path / f"{name}.py").write_text(text, "utf-8")
    assert problems(tmp_path / f"{name}.py") == [("not_importable", name, line)]


def test_a_name_too_long_for_a_file_gets_one_line():
    result = RUN.invoke(app, ["check", "a" * 5000])
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (2, "", 1)
