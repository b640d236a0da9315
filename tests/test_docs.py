"""The docs are true: their code runs, its values are as the comments say, and their tables hold all there is."""

import ast
import contextlib
import inspect
import io
import json
import os
import re
import shlex
import subprocess
import sys
import tokenize
import tomllib
import types
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

import attrs
import pytest

import irontide
from irontide.effects import EFFECTS, Until
from irontide.events import EVENTS
from irontide.frozen import Json
from irontide.hookspecs import Hooks
from irontide.rules import BASE_RULES, FACTS, QUESTIONS
from irontide.targets import Target
from irontide.testing import Bundle, Suite, play_match
from irontide.testing.watch import handlers

ROOT = Path(__file__).resolve().parents[1]
GUIDE = ROOT / "docs"
PATHS = {"README.md": ROOT / "README.md"} | {
    path.relative_to(GUIDE).as_posix(): path for path in sorted(GUIDE.rglob("*.md"))
}
DOCS = {page: path.read_text(encoding="utf-8") for page, path in PATHS.items()}
TUTORIALS = [page for page in DOCS if page.startswith("tutorial/")]
"""Pages that are followed as a reader would, in a folder of their own: see `test_tutorials.py`."""
PAGES = [page for page in DOCS if page not in TUTORIALS]
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)#\s]*)(?:#([^)\s]*))?\)")


def blocks(page, *languages):
    """Return each block of these languages with the number of its first line."""
    text = DOCS[page]
    found = [(match[1], match[2], text[: match.start(2)].count("\n") + 1) for match in FENCE.finditer(text)]
    return [(body, line) for language, body, line in found if language in languages]


def with_blocks(*languages):
    return [page for page in PAGES if blocks(page, *languages)]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with the files that the docs show, each named by the comment in its first line; the one to work in."""
    for page in PAGES:
        for body, _ in blocks(page, "toml"):
            (tmp_path / body.splitlines()[0].removeprefix("# ")).write_text(body, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


# The code.


class Shown:
    """What a page's expressions gave, beside what the comments after them promise."""

    def __init__(self, body, line):
        self.tree = ast.parse(body)
        readable = tokenize.generate_tokens(io.StringIO(body).readline)
        self.comments = {
            token.start[0]: token.string[1:].strip() for token in readable if token.type == tokenize.COMMENT
        }
        self.line = line

    def checked(self, page):
        """Return the code in which each expression with a value in its comment is handed to `_same_`."""
        for node in ast.walk(self.tree):
            said = self.comments.get(node.end_lineno) if isinstance(node, ast.Expr) else None
            if said is not None and is_value(said):
                args = [node.value, ast.Constant(said), ast.Constant(f"{page}:{self.line + node.lineno - 1}")]
                node.value = ast.Call(ast.Name("_same_", ast.Load()), args, [])
        ast.increment_lineno(self.tree, self.line - 1)
        return compile(ast.fix_missing_locations(self.tree), page, "exec")


def is_value(said):
    with contextlib.suppress(ValueError, SyntaxError):
        ast.literal_eval(said)
        return True
    return said.startswith("irontide.")


@pytest.mark.parametrize("page", with_blocks("python"))
def test_python_of_a_page_runs_and_gives_what_its_comments_say(page, folder, monkeypatch, capsys):
    checked = []

    def same(value, said, place):
        checked.append(place)
        assert value == eval(said, {"irontide": irontide}), place  # noqa: S307 - the docs' own text

    module = types.ModuleType(re.sub(r"\W", "_", f"docs_{page}"))
    monkeypatch.setitem(sys.modules, module.__name__, module)
    module._same_ = same
    for body, line in blocks(page, "python"):
        exec(Shown(body, line).checked(page), vars(module))  # noqa: S102 - the docs' own code
    assert len(checked) == sum(body.count("  # ") for body, _ in blocks(page, "python")) - UNCHECKED.get(page, 0)


def shelf(module):
    """Return a plugin with the rules and abilities that a page defines."""
    kinds = [kind for kind in vars(module).values() if isinstance(kind, type) and issubclass(kind, irontide.Rule)]
    return Bundle([kind for kind in kinds if kind.__module__ == module.__name__])


BETRAYING = {"acme.gossip"}
"""What pages show as an example of what tells too much."""

DEFINING = [page for page in with_blocks("python") if re.search(r"^@(rule|ability)\(", DOCS[page], re.MULTILINE)]


@pytest.mark.parametrize("page", DEFINING)
def test_what_a_page_defines_runs_in_matches(page, folder, monkeypatch):
    module = types.ModuleType(re.sub(r"\W", "_", f"docs_{page}"))
    monkeypatch.setitem(sys.modules, module.__name__, module)
    for body, _ in blocks(page, "python"):
        exec(body, vars(module))  # noqa: S102 - the docs' own code
    suite = Suite(shelf(module))
    for id_, kind in suite.contents.classes.items():
        for seed in range(4):
            played = play_match(suite.benches[id_], seed, registry=suite.registry, watch=suite.watch, worlds=4)
            assert {finding.promise for finding in played.findings} == ({"worlds"} if id_ in BETRAYING else set()), id_
        assert {name for name in handlers(kind) if (id_, name) not in suite.watch.ever} == set()


UNCHECKED = {
    "README.md": 3,  # what is printed (see below), and two that only explain
    "embedding.md": 2,  # "a SpectatorView", "as it stood after commit 3"
}


def test_the_readme_prints_what_it_says(folder, capsys):
    (body, line), *_ = blocks("README.md", "python")
    exec(Shown(body, line).checked("README.md"), {"__name__": "readme"})  # noqa: S102 - the docs' own code
    assert re.search(r"print\(.*\)  # (.*)", body)[1] == capsys.readouterr().out.strip()


@pytest.mark.parametrize("page", with_blocks("toml"))
def test_toml_of_a_page_is_a_variant_or_a_package(page, folder):
    for body, _ in blocks(page, "toml"):
        name = body.splitlines()[0].removeprefix("# ")
        (folder / name).write_text(body, encoding="utf-8")  # another page may show one of the same name
        if name == "pyproject.toml":
            assert list(tomllib.loads(body)["project"]["entry-points"]) == ["irontide"]
        else:
            assert irontide.load_variant(name).id == name.removesuffix(".toml")


def irontide_run(line, folder):
    """Run a line as it stands, with nothing to read on standard input."""
    asked = [sys.executable, "-m", "irontide_play", *shlex.split(line)[1:]]
    surroundings = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    return subprocess.run(
        asked,
        cwd=folder,
        env=surroundings,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def commands(page):
    lines = [line for body, _ in blocks(page, "console", "bash") for line in body.splitlines()]
    return [line.removeprefix("$ ") for line in lines if line.removeprefix("$ ").startswith("irontide ")]


@pytest.mark.parametrize("page", [page for page in PAGES if commands(page)])
def test_commands_of_a_page_run(page, folder):
    for line in commands(page):
        ran = irontide_run(line, folder)
        assert (ran.returncode, ran.stderr) == (0, ""), line
        assert ran.stdout, line


def test_the_page_of_the_command_line_shows_every_command(folder):
    listed = irontide_run("irontide --help", folder).stdout.partition("Commands:")[2]
    names = re.findall(r"^\W+(\w+)  ", listed, re.MULTILINE)
    assert "simulate" in names
    assert {line.split()[1] for line in commands("command-line.md")} == set(names)


def test_bots():
    assert sorted(first_column("command-line.md", "bot")) == sorted(irontide.Registry.default().bots)


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("irontide simulate classic --games 1 --seed 1 --json", "simulate"),
        ("irontide verify match.jsonl --json", "verify"),
        ("irontide variants grandma.toml --json", "variants"),
        ("irontide abilities --json", "abilities"),
        ("irontide check grandma.toml --json", "check"),
    ],
)
def test_json_has_the_keys_that_the_page_says(line, command, folder):
    irontide.Match.new("classic", seats=("ada", "bo"), seed=1).save(folder / "match.jsonl")
    given = json.loads(irontide_run(line, folder).stdout)
    said = {named(row[0])[0]: named(row[2]) for row in table("command-line.md", "command")}
    assert list(given[0] if isinstance(given, list) else given) == said[command]


# The tables.


def table(page, head):
    """Return the rows of the one table whose first heading this is, each as its cells."""
    found = re.findall(rf"^\| {head} \|.*\n\|[-| ]+\|\n((?:\|.*\n)+)", DOCS[page], re.MULTILINE)
    assert len(found) == 1, (page, head)
    return [[cell.strip() for cell in row.strip().strip("|").split(" |")] for row in found[0].splitlines()]


def named(cell):
    return re.findall(r"`([^`]+)`", cell)


def first_column(page, head):
    return [name for row in table(page, head) for name in named(row[0])]


def fields(record, *withheld):
    return [field.name.rstrip("_") for field in attrs.fields(record) if field.name not in withheld]


def test_every_public_name_stands_in_some_page():
    whole = "\n".join(DOCS.values())
    assert [name for name in irontide.__all__ if not re.search(rf"\b{name}\b", whole)] == []


def test_events_and_their_fields():
    rows = [(*map(named, row[:2]), named(row[2])) for row in table("reference/events.md", "type \\| class")]
    assert rows == [([event.type], [event.__name__], fields(event, "cause", "to", "target_to")) for event in EVENTS]


def test_refusal_codes():
    texts = irontide.read_texts("irontide.messages", "en")
    codes = {key.removeprefix("refusal.") for key in texts if key.startswith("refusal.")}
    codes = {code for code in codes if "." not in code}
    assert sorted(first_column("reference/commands.md", "code")) == sorted(codes)
    assert codes == set(re.findall(r"`(\w+)`", section("reference/commands.md", "The order of reasons"))) & codes


def test_reasons_come_in_the_order_that_the_page_says():
    order = re.findall(r"`(\w+)`", section("reference/commands.md", "The order of reasons").partition("Apart from")[0])
    registry = irontide.Registry.default()
    abilities = {"cruiser": {"use": "sonar", "price": 9}, "destroyer": "broadside", "carrier": "recon"}
    variant = registry.variant("tactical").but(id="all", drops=["core.fleet_fixed"], abilities={"cruiser": None})
    variant = variant.but(id="all", drops=["broadside", "recon"], rules=["no_touching"], abilities=abilities)
    fleet = {"carrier": "A1-A5", "battleship": "C1-C4", "cruiser": "E1-E3", "submarine": "G1-G3", "destroyer": "I1-I2"}
    moved = {**fleet, "destroyer": "I1", "carrier": "C1-C5", "cruiser": "E9-E11", "raft": "J1", "submarine": "H7-H9"}
    del moved["battleship"]
    match = irontide.Match.new(variant, seats=("ada", "bo"), seed=1)
    wishes = [
        *(irontide.Fire(seat, ["Z1", "A1", "A1"]) for seat in ("ada", "bo", "eve")),
        *(irontide.UseAbility("ada", id_, "Z1") for id_ in ("sonar", "flak", "magic", "broadside")),
        *(irontide.UseAbility("ada", "broadside", {"at": at, "axis": "sideways"}) for at in ("A1", "Z1")),
        *(irontide.PlaceFleet("ada", ships) for ships in (moved, {**fleet, "cruiser": "B1-B3", "submarine": "A3-C3"})),
        irontide.PlaceFleet("ada", {**fleet, "destroyer": "J1-J2", "cruiser": "J4-J6"}),
        irontide.TimeOut("bo"),
    ]
    given = [match.refusals(wish) for wish in wishes]
    for seat in match.seats:
        match.submit(irontide.PlaceFleet(seat, fleet))
    given += [match.refusals(wish) for wish in wishes]
    for seat, cell in (("ada", "A1"), ("bo", "I1"), ("ada", "I1"), ("bo", "J5")):
        match.submit(irontide.Fire(seat, cell))
    given += [match.refusals(wish) for wish in wishes]
    match.submit(irontide.Resign("ada"))
    given += [match.refusals(wish) for wish in wishes]

    for refusals in given:
        codes, place = [refusal.code for refusal in refusals], 0
        for code in codes:
            assert code in order[place:] or code == "not_allowed", codes
            place = order.index(code, place) if code in order[place:] else place
    rare = {"ability_disabled", "ability_limit", "nothing_to_shoot", "fleet_fixed", "bad_target"}
    assert {refusal.code for refusals in given for refusal in refusals} >= set(order) - rare


def section(page, heading):
    return re.search(rf"^#+ {heading}\n(.*?)(?=^#|\Z)", DOCS[page], re.MULTILINE | re.DOTALL)[1]


def test_commands_and_their_fields():
    rows = {
        named(row[0])[0]: re.findall(r'"(\w+)": …|"(\w+)": [\[{]…', named(row[1])[0])
        for row in table("reference/commands.md", "command")
    }
    given = {name: [one or other for one, other in found] for name, found in rows.items()}
    kinds = (irontide.PlaceFleet, irontide.Fire, irontide.UseAbility, irontide.Resign, irontide.TimeOut)
    assert given == {kind.__name__: fields(kind) for kind in kinds}


def test_errors():
    errors = {name for name in irontide.__all__ if isinstance(getattr(irontide, name), type)}
    errors = {name for name in errors if issubclass(getattr(irontide, name), Exception)}
    assert set(first_column("embedding.md", "error")) == errors


def declared(field):
    """Return a field as a page declares it: its name, its type, and its default if it has one."""
    kinds = get_args(field.type) if get_origin(field.type) is Literal else [field.type]
    known = {Json: "JSON", Any: "JSON", Until: "Until"}
    kind = " | ".join(known.get(kind) or (json.dumps(kind) if isinstance(kind, str) else typed(kind)) for kind in kinds)
    if field.default is attrs.NOTHING:
        return f"{field.name}: {kind}"
    default = field.default.factory() if isinstance(field.default, attrs.Factory) else field.default
    shown = json.dumps(default) if isinstance(default, (str, dict)) else repr(default)
    return f"{field.name}: {kind} = {shown}"


def typed(kind):
    """Return how a type is written in annotations."""
    written = re.sub(r"(?:\w+\.)+(\w)", r"\1", inspect.formatannotation(kind)).strip("'")
    return re.sub(r"^Optional\[(.*)\]$", r"\1 | None", written)


def test_effects_and_their_fields():
    rows = {named(row[0])[0]: named(row[1].replace("\\|", "|")) for row in table("reference/effects.md", "effect")}
    assert rows == {effect.__name__: [*map(declared, attrs.fields(effect))] for effect in EFFECTS}


def test_questions():
    assert tuple(first_column("reference/questions.md", "question")) == QUESTIONS


def test_facts():
    assert first_column("reference/rules.md", "fact") == list(FACTS)


def test_verbs_and_what_they_mark():
    rows = [named(row[0])[0] for row in table("reference/rules.md", "verb \\| gives")]
    verbs = [irontide.forbids, irontide.adjusts, irontide.replaces, irontide.reacts]
    assert [row.split("(")[0].strip("@") for row in rows] == [*(verb.__name__ for verb in verbs), "use"]


def test_hooks():
    rows = [named(row[0])[0].rstrip(")").split("(") for row in table("reference/hooks.md", "hook")]
    given = {
        name: ", ".join([*inspect.signature(hook).parameters][1:])
        for name, hook in vars(Hooks).items()
        if name.startswith("irontide_")
    }
    assert dict(rows) == given
    takes = {name.split("(")[0] for name in first_column("reference/hooks.md", "of a `Registrar`")}
    assert takes == {name for name in vars(irontide.Registrar) if not name.startswith("_")}


def test_durations():
    said = {name.strip('"').split("(")[0] for name in first_column("reference/effects.md", "duration")}
    words = {word for part in get_args(Until) for word in (get_args(part) or [part.__name__])}
    assert said == words


def test_topics_of_an_explanation():
    source = files("irontide").joinpath("explain.py").read_text(encoding="utf-8")
    topics = re.findall(r'about\("(\w+)"', source)
    assert set(first_column("reference/texts.md", "topic")) == {*topics, "core.no_repeat"}


def test_groups_of_the_order():
    from irontide.rulebook import GROUPS  # noqa: PLC0415 - the only test that looks in there

    rows = {named(row[0])[0]: row[1].split(", ") for row in table("reference/rules.md", "verb \\| groups")}
    assert {verb: groups for verb, groups in rows.items() if verb != "forbids"} == {
        verb: list(groups) for verb, groups in GROUPS.items() if verb != "forbids"
    }


def test_terms_and_targets():
    assert first_column("reference/rules.md", "term") == fields(irontide.Terms)
    targets = [kind.__name__ for kind in Target.__subclasses__() if kind.__name__ in irontide.__all__]
    assert sorted(row[0].strip("`") for row in table("reference/targets.md", "target")) == sorted(targets)


def test_toml_keys():
    lagoon = irontide.Registry.default().variant("classic").but(
        id="all",
        fleet=[irontide.ShipClass("cruiser", 3), irontide.ShipClass("atoll", shape=("xx", "x."))],
        rules=["salvo"],
        source="here",
        abilities={"cruiser": {"use": "sonar", **attrs.asdict(irontide.Terms())}},
    )  # fmt: skip
    data = lagoon.data()
    inner = {key: [data[key]] for key in ("grid", "limits")} | {"fleet": data["fleet"], "rules": data["rules"]}
    inner["abilities"] = list(data["abilities"].values())
    keys = {key for key in data if key not in ("grid", "limits")}
    keys |= {f"{table}.{key}" for table, records in inner.items() for record in records for key in record}
    assert set(first_column("reference/variants.md", "key \\| what it is")) == keys


def test_base_rules():
    assert tuple(first_column("reference/variants.md", "id")) == BASE_RULES


def test_limits_have_the_values_that_the_page_says():
    rows = {named(row[0])[0]: row[1] for row in table("reference/variants.md", "key \\| what it is")}
    said = {
        key.removeprefix("limits."): int(text.rsplit("; ", 1)[1])
        for key, text in rows.items()
        if key.startswith("limits.")
    }
    assert said == attrs.asdict(irontide.Limits())


def test_problems_of_variants():
    sources = [path.read_text(encoding="utf-8") for path in files("irontide").iterdir() if path.name.endswith(".py")]
    codes = {code for source in sources for code in re.findall(r'\b[Pp]roblem\(\s*"(\w+)"', source)}
    assert {"unknown_rule", "bad_form", "no_room"} <= codes
    listed = set(first_column("reference/variants.md", "problem"))
    assert listed == codes | {"unknown_ability"}  # f"unknown_{kind}" in the source


def test_findings_of_check():
    folder = files("irontide_play").joinpath("checks")
    sources = [path.read_text(encoding="utf-8") for path in folder.iterdir() if path.name.endswith(".py")]
    codes = {code for source in sources for code in re.findall(r'\bFinding\(\s*"(\w+)"', source)}
    assert {"never_runs", "text_missing", "no_plugin"} <= codes
    assert set(first_column("command-line.md", "code \\| what is wrong")) == codes


def test_faults_and_verdicts():
    listed = section("reference/hooks.md", "What goes wrong")
    assert [name for name in fields(irontide.Fault) if f"`{name}`" not in listed] == []
    listed = section("embedding.md", "Store, load, verify")
    assert [name for name in fields(irontide.Verdict) if f"`{name}`" not in listed] == []
    assert [kind.name for kind in irontide.VerdictKind if f"`{kind.name}`" not in listed] == []


def public(kind):
    return [name for name in dir(kind) if not name.startswith("_") and not isinstance(getattr(kind, name), classmethod)]


@pytest.mark.parametrize("face", [irontide.View, irontide.SpectatorView])
def test_views_are_described_in_full(face):
    listed = DOCS["embedding.md"]
    assert [name for name in public(face) if not re.search(rf"`{name}\b|\.{name}\b", listed)] == []


HELD = [irontide.Grid, irontide.CellSet, irontide.Marker, irontide.Side, irontide.SeatContext, irontide.Context]
HELD += [irontide.Result, irontide.Random]


@pytest.mark.parametrize("kind", HELD)
def test_what_rules_hold_is_listed_in_full(kind):
    listed = first_column("reference/values.md", f"of a `{kind.__name__}`")
    assert sorted(name.split("(")[0] for name in listed) == sorted(public(kind))


@pytest.mark.parametrize("kind", HELD)
def test_what_rules_hold_has_the_types_that_the_page_says(kind):
    rows = {named(row[0])[0].split("(")[0]: row[1] for row in table("reference/values.md", f"of a `{kind.__name__}`")}
    said = {name: kind_[1:-1].replace("\\|", "|") for name, kind_ in rows.items() if kind_[0] == "`"}
    assert said == {name: type_of(kind, name) for name in said}
    assert len(said) > 2


MADE_HERE = {irontide.Registry: ["problems"]}
"""What is no more than an attribute of each object."""


@pytest.mark.parametrize("kind", [irontide.Match, irontide.Variant, irontide.Registry])
def test_what_an_embedder_holds_is_listed_in_full_with_its_types(kind):
    rows = table("reference/match.md", f"of a `{kind.__name__}`")
    listed = {name.split("(")[0]: row[1] for row in rows for name in named(row[0])}
    assert sorted(listed) == sorted([*public(kind), *MADE_HERE.get(kind, [])])
    said = {name: kind_[1:-1].replace("\\|", "|") for name, kind_ in listed.items() if kind_}
    assert said == {name: said[name] if name in MADE_HERE.get(kind, []) else type_of(kind, name) for name in said}


def keys_of(form, dynamic, stop, path=""):
    """Yield the keys of JSON data, each with its way; ids and names are written as what they are."""
    if (
        path in stop
        or not isinstance(form, (dict, list))
        or not form
        or (isinstance(form, list) and type(form[0]) is str)
    ):
        yield path
    elif isinstance(form, list):
        yield from keys_of(form[0], dynamic, stop, path)
    else:
        for key, value in form.items():
            yield from keys_of(value, dynamic, stop, f"{path}.{dynamic.get(key, key)}".lstrip("."))


def test_the_json_of_views_and_options_has_the_keys_that_the_page_says():
    match = irontide.Match.new("tactical", seats=("ada", "bo"), seed=1)
    for seat in match.seats:
        match.submit(irontide.PlaceFleet(seat, match.random_placement(seat)))
    match.submit(irontide.UseAbility("ada", "flak"))
    options = irontide.to_json(match.options("ada"))
    match.submit(irontide.Resign("bo"))
    view, crowd = (irontide.to_json(match.view(seat)) for seat in ("ada", None))
    dynamic = dict.fromkeys(match.seats, "SEAT") | dict.fromkeys(options["abilities"], "ABILITY")
    dynamic |= dict.fromkeys(match.view("ada").own.ships, "SHIP")

    def keys(form, *stop):
        return set(keys_of(form, dynamic, stop))

    page, stops = "reference/match.md", ("target.scans", "target.reports", "target.ships", "opponent_abilities")
    assert set(first_column(page, "key of a view")) == keys(view, *stops)
    other = set(first_column(page, "key of a spectator's view"))
    assert other == keys(crowd, "sides.SEAT", "abilities.SEAT") - (keys(view) - {"seat"})
    assert set(view) - set(crowd) == set(
        named(section(page, "The JSON of a view").split("has the same keys but for")[1])[:6]
    )
    assert set(first_column(page, "key of options")) == keys(
        options, "abilities.ABILITY.refusal", "abilities.ABILITY.targets"
    )


def type_of(kind, name):
    """Return what a property, a method or a field gives, as it is written in annotations."""
    member = inspect.getattr_static(kind, name, None)
    called = member.fget if isinstance(member, property) else getattr(kind, name, None)
    if callable(called):
        given = inspect.signature(called).return_annotation
        given = bool if given is inspect.Signature.empty else given  # `isdisjoint`, which sets have untyped
    else:
        given = next(annotations(base)[name] for base in kind.__mro__ if name in annotations(base))
    return typed(given)


def annotations(kind):
    return vars(kind).get("__annotations__", {})


def test_modules_of_the_engine_stand_in_the_architecture():
    modules = [path.name.removesuffix(".py") for path in files("irontide").iterdir() if path.name[0] not in "_."]
    listed = first_column("architecture.md", "modules")
    others = {"py.typed", "names", "version"}  # small helpers
    assert sorted(set(modules) - others) == sorted(listed)


# The README, and links.


def test_the_readme_gives_one_command_to_play_and_one_to_test():
    start, test = (body for body, _ in blocks("README.md", "sh"))
    assert start == "python3 -m venv .venv && .venv/bin/pip install '.[play]' && .venv/bin/irontide play tactical\n"
    assert test == "python3 -m venv .venv && .venv/bin/pip install -e '.[play,test]' && .venv/bin/pytest -n auto\n"
    assert "<!-- test command -->\n```sh\n" + test in DOCS["README.md"]


@pytest.mark.parametrize("page", DOCS)
def test_links_lead_somewhere(page):
    pages = {path: name for name, path in PATHS.items()}
    links = LINK.findall(FENCE.sub("", DOCS[page]))
    for target, anchor in links:
        path = (PATHS[page].parent / target).resolve() if target else PATHS[page]
        assert path.is_file(), target
        assert not anchor or anchor in anchors(DOCS[pages[path]]), (target, anchor)


def test_every_page_of_the_guide_is_in_its_contents():
    listed = re.findall(r"^ +- ([\w/-]+\.md)$", (ROOT / "mkdocs.yml").read_text(encoding="utf-8"), re.MULTILINE)
    assert sorted(listed) == sorted(page for page in DOCS if page != "README.md")


def anchors(text):
    headings = re.findall(r"^#+ (.*)$", FENCE.sub("", text), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}
