"""The commands but `play`: what they print, how they exit, and that a bad name or file gets one line."""

import json
import os
import string
import subprocess
import sys
import tomllib
from importlib.resources import files

import attrs
import pytest
from typer.testing import CliRunner

import irontide
from irontide import Fire, Match, PlaceFleet, Resign
from irontide.log import write_commits
from irontide.registry import PluginProblem
from irontide.testing import Bundle
from irontide_play.cli import app
from irontide_play.entry import main

RUN = CliRunner()
ENV = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "PYTHONIOENCODING": "utf-8"}


def run(*args):
    result = RUN.invoke(app, [*map(str, args)], prog_name="irontide")
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def one_line(result, *parts):
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.startswith("irontide: ")
    assert result.stderr.count("\n") == 1
    for part in parts:
        assert part in result.stderr
    return True


@pytest.fixture
def saved(tmp_path):
    match = Match.new("tactical", seats=("ada", "bo"), seed=7)
    for seat in match.seats:
        match.submit(PlaceFleet(seat, match.random_placement(seat)))
    match.submit(Fire("ada", "B2"))
    match.submit(irontide.UseAbility("bo", "sonar", "C3"))
    match.submit(Resign("ada"))
    match.save(tmp_path / "match.jsonl")
    return tmp_path / "match.jsonl"


@pytest.fixture
def bad_variant(tmp_path):
    path = tmp_path / "bad.toml"
    path.write_text('id = "bad"\nbase = "classic"\n[[rules]]\nuse = "no_tuching"\n[[rules]]\nuse = "salvoo"\n', "utf-8")
    return path


def test_version():
    assert run("--version").stdout == f"irontide {irontide.__version__}\n"


def test_the_help_says_of_each_command_what_it_does_in_one_line():
    listed = run("--help").stdout.partition("Commands:\n")[2].splitlines()
    assert len(listed) == 10
    assert [line for line in listed if not line.endswith(".") or line.endswith("...")] == []


def test_each_command_has_help():
    for command in (
        "play",
        "simulate",
        "replay",
        "verify",
        "variants",
        "abilities",
        "rules",
        "explain",
        "check",
        "new",
    ):
        assert run(command, "--help").exit_code == 0


@pytest.mark.parametrize(
    ("args", "parts"),
    [
        (["play", "clasic"], ["'clasic'", "'classic'"]),
        (["play", "--opponent", "huntr"], ["'huntr'", "'hunter'"]),
        (["play", "nowhere.toml"], ["nowhere.toml", "No such file"]),
        (["play", "--resume", "nowhere.jsonl"], ["nowhere.jsonl", "No such file"]),
        (["play", "classic", "--resume", "nowhere.jsonl"], ["--resume"]),
        (["play", "classic", "--save", "/nowhere/x.jsonl"], ["/nowhere/x.jsonl", "No such file"]),
        (["simulate", "salvoo", "--games", 1, "--seed", 1], ["'salvo'"]),
        (
            ["simulate", "salvo", "--games", 1, "--seed", 1, "--bots", "hunter", "rndom"],
            ["'random'? (there are: hunter, random)"],
        ),
        (["play", "--opponent", "nobody"], ["'nobody' (there are: hunter, random, human for two people)"]),
        (["replay", "nowhere.jsonl"], ["nowhere.jsonl", "No such file"]),
        (["verify", "nowhere.jsonl"], ["nowhere.jsonl", "No such file"]),
        (["variants", "tacticle"], ["'tactical'"]),
        (["abilities", "sonr"], ["'sonar'"]),
        (["explain", "tacticle"], ["'tactical'"]),
        (["explain", "nowhere.toml"], ["nowhere.toml"]),
        (["check", "nowhere.toml"], ["nowhere.toml"]),
        (["check", "/"], ["/"]),
        (["check", "tacticle"], ["'tactical'"]),
    ],
)
def test_a_bad_name_or_file_gets_one_clear_line(args, parts):
    assert one_line(run(*args), *parts)


@pytest.mark.parametrize(
    "args", [["play", "--seed", "x"], ["simulate", "classic"], ["nonsense"], ["explain", "classic", "--lang", "xx"], []]
)
def test_wrong_use_exits_with_2(args):
    result = run(*args)
    assert result.exit_code == 2
    assert "Traceback" not in result.output


@pytest.mark.parametrize("command", ["play", "explain", "variants"])
def test_a_variant_that_cannot_be_built_gets_one_line(command, bad_variant):
    assert one_line(run(command, bad_variant), "no_touching", "1 more", "irontide check")


def test_check_of_a_good_variant_is_ok(tmp_path):
    path = tmp_path / "good.toml"
    path.write_text('id = "good"\nbase = "salvo"\n[grid]\ncolumns = 12\n', "utf-8")
    result = run("check", path)
    assert (result.exit_code, result.stdout) == (0, "ok\n")
    assert "12 columns" in run("explain", path).stdout
    assert json.loads(run("variants", path, "--json").stdout)["grid"] == {"columns": 12, "rows": 10}


def test_verify_of_exact_and_diverged_logs(saved, tmp_path):
    assert run("verify", saved).stdout == f"{saved}: exact\n"
    other = tmp_path / "other.jsonl"
    other.write_text(diverged(), "utf-8")
    result = run("verify", saved, other)
    assert result.exit_code == 1
    assert f"{other}: diverged at commit 3, event 0, field told" in result.stdout
    data = json.loads(run("verify", saved, other, "--json").stdout)
    assert [one["verdict"] for one in data] == ["exact", "diverged"]
    assert (data[1]["commit"], data[1]["event"], data[1]["field"]) == (3, 0, "told")


def diverged():
    """Return a log in which a shot is answered wrong, with hashes that fit."""
    match = Match.new("classic", seats=("ada", "bo"), seed=7)
    fleet = {"carrier": "A1-A5", "battleship": "C1-C4", "cruiser": "E1-E3", "submarine": "G1-G3", "destroyer": "I1-I2"}
    for seat in match.seats:
        match.submit(PlaceFleet(seat, fleet))
    match.submit(Fire("ada", "J10"))
    commit = match.commits[-1]
    events = (irontide.ShotFired("ada", "J10", "hit"), *commit.events[1:])
    [line] = write_commits([irontide.Commit(3, commit.command, events)], match.lines()[-2])
    return "\n".join([*match.lines()[:-1], line]) + "\n"


def test_verify_names_a_log_that_cannot_be_read_and_goes_on(saved, tmp_path):
    cut = tmp_path / "cut.jsonl"
    cut.write_text(saved.read_text("utf-8")[:-20], "utf-8")
    result = run("verify", cut, saved)
    assert result.exit_code == 2
    assert result.stdout == f"{saved}: exact\n"
    assert f"{cut}: line " in result.stderr
    data = json.loads(run("verify", cut, "--json").stdout)
    assert data[0]["verdict"] == "unreadable"
    (tmp_path / "latin.jsonl").write_bytes(b"\xff\n")
    assert "UTF-8" in run("verify", tmp_path / "latin.jsonl").stderr


def test_replay_tells_the_host_everything_and_a_seat_what_it_was_told(saved):
    everything = run("replay", saved).stdout
    assert "ada fires at B2" in everything
    assert "bo's Carrier: " in everything
    assert everything.startswith("A match of Tactical between ada, bo.\n")
    assert run("replay", saved, "--as", "bo", "--lang", "de").stdout.startswith("Eine Partie Taktisch zwischen")
    assert "   1  ada has placed a fleet." in everything
    told = run("replay", saved, "--as", "ada").stdout
    match = Match.load(saved)
    assert told.splitlines() == [irontide.text(event, "en", match.variant) for event in match.told("ada")]
    assert "bo's Sonar looks at" in told
    assert "Ziel" not in run("replay", saved, "--lang", "de").stdout
    assert "hat die Flotte aufgestellt" in run("replay", saved, "--lang", "de").stdout
    assert one_line(run("replay", saved, "--as", "eve"), "'eve'", "ada, bo")


def test_variants_and_abilities_are_listed_and_shown():
    listed = [line.split()[0] for line in run("variants").stdout.splitlines()]
    assert listed == sorted(listed) == [one["id"] for one in json.loads(run("variants", "--json").stdout)]
    assert {"classic", "salvo", "tactical", "russian"} <= {*listed}
    shown = run("variants", "tactical", "--lang", "de").stdout
    assert "destroyer: sonar, Sonar" in shown
    assert "Flugzeugträger, 5 Felder" in shown
    assert "  Grundlage  classic\n" in shown
    assert "Taktisch (10x10, 5 Schiffe)" in run("variants", "--lang", "de").stdout
    assert "  Eingabe  torpedo A5 rechts\n" in run("abilities", "torpedo", "--lang", "de").stdout
    listed = run("abilities", "--lang", "de").stdout
    assert "Luftaufklärung" in listed
    data = json.loads(run("abilities", "--json").stdout)
    prices = {one["id"]: one["terms"]["price"] for one in data}
    assert prices == {id_: ability.terms.price for id_, ability in irontide.Registry.default().abilities.items()}
    torpedo = json.loads(run("abilities", "torpedo", "--json").stdout)
    assert (torpedo["example"], torpedo["target"], torpedo["shoots"]) == ("torpedo A5 right", "lane", True)
    assert "standing  1" in run("abilities", "flak").stdout


def test_a_variant_shows_counts_parameters_and_drops(tmp_path):
    path = tmp_path / "v.toml"
    path.write_text(
        'id = "v"\nbase = "classic"\ndrops = ["core.no_repeat"]\n[[fleet]]\nclass = "raft"\nlength = 2\ncount = 3\n'
        '[[rules]]\nuse = "no_touching"\ncorners = false\n',
        "utf-8",
    )
    shown = run("variants", path).stdout
    assert "raft: 3 x raft, 2 cells" in shown
    assert "no_touching, no touching, corners=false" in shown
    assert "drops  core.no_repeat" in shown


def test_explain_in_both_languages_and_with_the_order():
    assert "At most one ability" in run("explain", "tactical").stdout
    assert "höchstens eine Fähigkeit" in run("explain", "tactical", "--lang", "de").stdout
    ordered = run("explain", "tactical", "--order").stdout
    assert "flak.intercept" in ordered
    assert "by group, then rules" in ordered
    assert run("explain", "classic", "--order").stdout.endswith("(nobody)\n")
    german = run("explain", "tactical", "--order", "--lang", "de").stdout
    assert "\n  1. flak.intercept (Gruppe prevent, die Seite am Zug, Stelle 3 der Flotte)\n" in german
    assert "\nWer in welcher Reihenfolge gefragt wird" in german


def test_explain_takes_the_id_of_an_ability_or_a_rule_too():
    assert run("explain", "sonar", "--lang", "de").stdout == irontide.explain(
        irontide.Registry.default().ability("sonar"), "de"
    )
    assert "corners: true" in run("explain", "no_touching").stdout
    assert one_line(run("explain", "no_tuching"), "no variant, ability or rule", "'no_touching'")
    assert one_line(run("explain", "zzz"), "'zzz'")
    assert one_line(run("explain", "sonar", "--order"), "no variant 'sonar'")


@pytest.fixture
def tiny(tmp_path):
    path = tmp_path / "tiny.toml"
    path.write_text('id = "tiny"\nbase = "classic"\n[grid]\ncolumns = 6\nrows = 6\n', "utf-8")
    return path


def test_simulate_gives_the_same_totals_whatever_the_jobs(tiny):
    args = ("simulate", tiny, "--games", 30, "--seed", 3, "--bots", "hunter", "random", "--json")
    one = run(*args)
    assert one.stderr == ""
    data = json.loads(one.stdout)
    assert data["bots"] == {"a": "hunter", "b": "random"}
    assert data["wins"]["a"] + data["wins"]["b"] + data["draws"] == data["games"] == 30
    assert run(*args, "--jobs", 2).stdout == one.stdout


def test_simulate_prints_a_table(tiny):
    shown = run("simulate", tiny, "--games", 3, "--seed", 1).stdout
    assert "3 of tiny, seed 1" in shown
    assert "2 of tiny, seed " in run("simulate", tiny, "--games", 2).stdout
    assert "ended by" in shown


def test_a_plugin_that_was_kept_out_is_named(monkeypatch):
    def default():
        registry = real()
        registry.problems.append(PluginProblem("acme", "ImportError: no"))
        return registry

    real = irontide.Registry.default
    monkeypatch.setattr("irontide_play.host.Registry.default", default)
    result = run("variants", "--json")
    assert result.stderr == "irontide: plugin acme was kept out: ImportError: no\n"
    assert json.loads(result.stdout)


def process(*args, code=None, stdin=""):
    command = [sys.executable, "-c", code] if code else [sys.executable, "-m", "irontide_play"]
    return subprocess.run(
        [*command, *args], env=ENV, input=stdin, capture_output=True, encoding="utf-8", timeout=60, check=False
    )


def test_it_runs_as_a_module():
    result = process("variants")
    assert (result.returncode, result.stderr) == (0, "")
    assert "tactical" in result.stdout


WITHOUT = """
import sys
for name in ("typer", "rich", "click"):
    sys.modules[name] = None
import irontide, irontide_play
assert set(irontide.Registry.default().bots) == {"hunter", "random"}
from irontide_play.entry import main
main()
"""


def test_without_its_extra_it_names_it_in_one_line():
    result = process("variants", code=WITHOUT)
    assert result.returncode == 2
    assert result.stderr == "irontide: the command line needs the extra `play`: pip install 'irontide[play]'\n"


def test_another_missing_module_is_not_mistaken_for_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "irontide_play.cli", None)
    with pytest.raises(ModuleNotFoundError, match=r"irontide_play\.cli"):
        main()


def keys(table, prefix=""):
    for key, value in table.items():
        yield from keys(value, f"{prefix}{key}.") if isinstance(value, dict) else [(f"{prefix}{key}", value)]


def test_both_languages_have_the_same_texts_with_the_same_arguments():
    english, german = (
        dict(keys(tomllib.loads(files("irontide_play").joinpath(f"{lang}.toml").read_text("utf-8"))))
        for lang in ("en", "de")
    )
    assert english.keys() == german.keys()
    for key, text in english.items():
        assert arguments(text) == arguments(german[key]), key


def arguments(text):
    return {field for _, field, _, _ in string.Formatter().parse(text) if field}


def test_house_rules_are_listed_and_shown_with_those_of_the_core():
    listed = [line.split(maxsplit=1) for line in run("rules").stdout.splitlines()]
    assert ["turn_limit", "When each player has had 50 turns, it is a draw."] in listed
    assert ["core.must_shoot", "The turn ends with its last shot; nobody may pass."] in listed
    assert run("rules", "turn_limit").stdout.endswith(
        "  n: 50 (a number of 1 or more)\n  then: draw (draw, most_sunk, most_hits)\n"
    )
    assert "points.unused_shot" in run("rules", "core.must_shoot").stdout
    assert run("rules", "Salve", "--lang", "de").stdout.startswith("Salve (salvo)\n")
    refused = run("rules", "turn_limt")
    assert (refused.exit_code, refused.stderr) == (
        2,
        "irontide: there is no rule 'turn_limt', did you mean 'turn_limit'?\n",
    )

    data = {one["id"]: one for one in json.loads(run("rules", "--json").stdout)}
    assert data["turn_limit"]["params"] == {"n": 50, "then": "draw"}
    assert data["turn_limit"]["choices"] == {"then": ["draw", "most_sunk", "most_hits"]}
    assert data["core.no_repeat"]["plugin"] is None
    assert json.loads(run("rules", "salvo", "--json").stdout) == data["salvo"]
    assert set(irontide.BASE_RULES) < data.keys()


def test_where_a_variant_and_a_rule_have_one_id_it_is_said_how_to_see_the_rule():
    assert run("explain", "salvo").stdout.endswith("\nThere is a rule of that name too: irontide rules salvo\n")


def test_a_name_will_do_where_it_is_clear(monkeypatch):
    registry = irontide.Registry.default()

    @irontide.ability("corsair.flash", price=1)
    class Flash(irontide.Ability):
        """Flashes."""

    @irontide.rule("corsair.tides")
    class Tides(irontide.Rule):
        """Rise and fall."""

        given: int
        made: list[int] = attrs.field(factory=list)

    @irontide.rule("corsair.typed")
    class Typed(irontide.Rule):
        """Has a type that is not there when it is played."""

        what: "Nowhere" = 1  # type: ignore[name-defined]  # noqa: F821 - that is the point

    registry.register(Bundle([Flash, Tides, Typed]), "corsair", "1")
    monkeypatch.setattr("irontide_play.host.Registry.default", lambda: registry)
    assert run("explain", "flash").stdout.startswith("corsair.flash\n")
    assert run("abilities", "Flash").stdout.startswith("corsair.flash ")
    assert run("explain", "air reconnaissance").stdout.startswith("Air Reconnaissance (recon)\n")
    assert json.loads(run("rules", "tides", "--json").stdout)["params"] == {"given": None, "made": []}
    assert json.loads(run("rules", "typed", "--json").stdout)["choices"] == {}
    assert "did you mean 'corsair.flash'?" in run("explain", "corsair.flush").stderr
