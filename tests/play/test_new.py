"""The command `new`: what it makes passes its own tests; a bad name makes nothing."""

import os
import subprocess
import sys
import tomllib

import pytest
from typer.testing import CliRunner

import irontide
from irontide_play.cli import app

RUN = CliRunner()
UNMEASURED = {name: value for name, value in os.environ.items() if not name.startswith("COVERAGE_")}
"""What is made has tests of its own, and what these run, others cover."""

ENV = UNMEASURED | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}


def new(*args):
    result = RUN.invoke(app, ["new", *map(str, args)], prog_name="irontide")
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def names(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


ALWAYS = [
    "README.md",
    "irontide_harbour/__init__.py",
    "irontide_harbour/py.typed",
    "pyproject.toml",
    "tests/conftest.py",
    "tests/test_conformance.py",
]
ABILITY = ["irontide_harbour/abilities.py", "tests/test_abilities.py"]
RULE = ["irontide_harbour/rules.py", "tests/test_rules.py"]
VARIANT = ["irontide_harbour/skirmish.toml", "tests/test_variants.py"]
TEXTS = ["irontide_harbour/de.toml", "irontide_harbour/en.toml"]


@pytest.mark.parametrize(
    ("kind", "files", "ids"),
    [
        ("plugin", ABILITY + RULE + VARIANT + TEXTS, ["harbour.lookout", "harbour.calm_edge", "harbour.skirmish"]),
        ("ability", ABILITY + TEXTS, ["harbour.lookout"]),
        ("rule", RULE + TEXTS, ["harbour.calm_edge"]),
        ("variant", VARIANT, ["harbour.skirmish"]),
    ],
)
def test_each_kind_makes_a_package_whose_tests_pass(kind, files, ids, tmp_path):
    result = new(kind, "harbour", "--into", tmp_path)
    made = tmp_path / "irontide-harbour"

    assert (result.exit_code, result.stderr) == (0, "")
    assert f"made, with {', '.join(ids)}\n" in result.stdout
    assert [path.name for path in tmp_path.iterdir()] == ["irontide-harbour"]
    assert names(made) == sorted(ALWAYS + files)
    assert not [name for name in names(made) if "{{" in (made / name).read_text(encoding="utf-8")]
    assert all(f"`{id_}`" in (made / "README.md").read_text(encoding="utf-8") for id_ in ids)
    tested = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "irontide_pytest"],
        cwd=made, env=ENV, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert tested.returncode == 0, tested.stdout
    assert " passed" in tested.stdout


def test_what_is_made_announces_itself_and_needs_this_version_or_later(tmp_path):
    new("plugin", "two_words", "--into", tmp_path)
    project = tomllib.loads((tmp_path / "irontide-two-words/pyproject.toml").read_text(encoding="utf-8"))["project"]

    assert project["name"] == "irontide-two-words"
    assert project["entry-points"] == {"irontide": {"two_words": "irontide_two_words"}}
    assert project["dependencies"] == [f"irontide>={irontide.__version__}"]
    found = (tmp_path / "irontide-two-words/irontide_two_words/__init__.py").read_text(encoding="utf-8")
    assert f"irontide_api = ({irontide.API_VERSION}, {irontide.API_VERSION})" in found


def test_a_name_with_a_dot_names_what_is_in_it_too(tmp_path):
    assert new("ability", "harbour.scan", "--into", tmp_path).exit_code == 0
    source = (tmp_path / "irontide-harbour/irontide_harbour/abilities.py").read_text(encoding="utf-8")

    assert '@ability("harbour.scan"' in source
    assert "class ScanAbility(Ability)" in source  # for `Scan` is what it yields


def test_it_is_made_in_the_folder_that_one_is_in(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert new("variant", "harbour").stdout.startswith("irontide-harbour: made")
    assert (tmp_path / "irontide-harbour").is_dir()


@pytest.mark.parametrize(
    ("args", "parts"),
    [
        (["ability", "Bad-Name"], ["'Bad-Name'", "'bad_name' would do"]),
        (["ability", "größe"], ["small letters"]),
        (["ability", ""], ["small letters"]),
        (["ability", "harbour."], ["small letters"]),
        (["ability", "harbour.a.b"], ["'harbour.a.b'"]),
        (["ability", "../harbour"], ["'../harbour'"]),
        (["rule", "Dock.x"], ["'Dock.x'", "'dock.x' would do"]),
        (["rule", "Dock.My-Rule"], ["'dock.my_rule' would do"]),
        (["plugin", "harbour.scan"], ["'harbour.scan'", "'harbour_scan' would do"]),
        (["plugin", "x" * 41], ["at most 40"]),
        (["rule", "class"], ["'class'", "Python"]),
        (["rule", "harbour.class"], ["'class'", "Python"]),
        (["variant", "harbour.de"], ["de.toml"]),
        (["plugin", "core"], ["irontide's own"]),
        (["ability", "sonar"], ["taken", "'sonar'"]),
        (["rule", "points.more"], ["taken", "'points.cap'"]),
        (["plugin", "abilities"], ["irontide_abilities", "installed already"]),
        (["plugin", "irontide_play"], ["irontide's own"]),
    ],
)
def test_a_bad_name_gets_one_clear_line_and_makes_nothing(args, parts, tmp_path):
    result = new(*args, "--into", tmp_path)

    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("irontide: ")
    assert result.stderr.count("\n") == 1
    assert [part for part in parts if part not in result.stderr] == []
    assert names(tmp_path) == []


def test_the_name_of_an_installed_plugin_is_taken(tmp_path, monkeypatch):
    monkeypatch.setattr(irontide.Registry, "plugins", {"harbour": "1.0"})
    assert "'harbour' is taken" in new("ability", "harbour", "--into", tmp_path).stderr


def test_a_folder_that_is_there_is_left_as_it_is(tmp_path):
    (tmp_path / "irontide-harbour").mkdir()
    (tmp_path / "irontide-harbour/mine.txt").write_text("mine", "utf-8")
    result = new("plugin", "harbour", "--into", tmp_path)

    assert result.exit_code == 2
    assert "is there already" in result.stderr
    assert names(tmp_path) == ["irontide-harbour/mine.txt"]
    assert "is no folder" in new("plugin", "harbour", "--into", tmp_path / "nowhere").stderr


def test_nothing_is_left_behind_when_it_cannot_be_written(tmp_path, monkeypatch):
    def full(source, made, **_):
        made.mkdir()
        (made / "README.md").write_text("half", "utf-8")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("copier.run_copy", full)
    result = new("plugin", "harbour", "--into", tmp_path)

    assert result.exit_code == 2
    assert result.stderr == f"irontide: {tmp_path / 'irontide-harbour'}: No space left on device\n"
    assert [*tmp_path.iterdir()] == []
