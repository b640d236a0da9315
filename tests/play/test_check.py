"""The command `check`: every problem of a variant or a plugin, each with its file and line."""

import json
import os
import sys
import textwrap
from importlib.metadata import EntryPoint

import pytest
from typer.testing import CliRunner

import irontide
from irontide import (
    Ability,
    Area,
    Fire,
    FleetRevealed,
    GainPoints,
    Mark,
    MatchEnded,
    Note,
    Noted,
    Registry,
    Rule,
    RuleDisabled,
    Scan,
    SetData,
    Shot,
    ShotFired,
    TimedOut,
    TimeOut,
    UseAbility,
    ability,
    adjusts,
    forbids,
    hookimpl,
    reacts,
    replaces,
    rule,
)
from irontide.testing import Bundle
from irontide_play.checks.idle import gives
from irontide_play.checks.places import Spot, TomlFile, class_spot
from irontide_play.cli import app

RUN = CliRunner()


def check(*args):
    result = RUN.invoke(app, ["check", *map(str, args)], prog_name="irontide")
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def found(*args):
    """Return the JSON form of what is found."""
    result = check(*args, "--json")
    data = json.loads(result.stdout)
    assert (result.exit_code, result.stderr) == (0 if data["ok"] else 1, "")
    return data


def line_of(path, text):
    return next(number for number, line in enumerate(path.read_text("utf-8").splitlines(), 1) if text in line)


def brief(findings):
    return [(one["code"], one["place"], one["line"]) for one in findings]


@pytest.fixture
def toml(tmp_path):
    def write(text, name="mine.toml"):
        path = tmp_path / name
        path.write_text(textwrap.dedent(text).lstrip(), "utf-8")
        return path

    return write


@pytest.fixture
def module(tmp_path):
    """Write a module of a plugin; each test gives it another name, for Python remembers modules."""

    def write(name, text):
        path = tmp_path / f"{name}.py"
        path.write_text(HEAD + textwrap.dedent(text), "utf-8")
        return path

    return write


HEAD = '''"""A plugin."""

import irontide
from irontide import *
from irontide import Ability, Rule
'''


# What is in files and what is installed is all right.


@pytest.mark.parametrize("name", ["classic", "salvo", "tactical"])
def test_the_first_variants_are_all_right(name):
    assert found(name) == {"checked": name, "ok": True, "problems": [], "warnings": [], "hints": []}


@pytest.mark.parametrize("name", ["irontide_abilities", "irontide_variants", "irontide_play"])
def test_what_is_built_in_has_no_problem(name):
    data = found(name)
    assert (data["ok"], data["problems"]) == (True, [])


def test_for_people_each_finding_is_a_line_and_ok_ends_what_has_no_problem(toml, monkeypatch):
    use(monkeypatch, Tests())
    path = toml('id = "x"\nbase = "classic"\nrules = ["test.deaf"]\n')
    data, said = found(path), check(path)

    assert said.exit_code == 1
    assert said.stdout.splitlines() == [
        *(f"{path}:3: {one['place']}: {one['text']} [never_runs]" for one in data["problems"]),
        *(f"warning: {path}:3: {one['place']}: {one['text']} [never_runs]" for one in data["warnings"]),
    ]
    assert check("classic").stdout == "ok\n"


# Variants: what the engine refuses.


def test_every_problem_is_named_with_its_line(toml):
    path = toml("""
        colour = "red"
        id = "bad"
        base = "tactical"
        [grid]
        colums = 5   # a column is no colum

        [[rules]]
        use = "no_tuching"

        [[rules]]
        use = "points.cap"
        mots = 3

        [abilities.destroyer]
        use = "sonar"
        pricee = 3

        [instead_of]
        "core.no_repeet" = "no_touching"

        [[rule]]
        use = "salvo"
        """)
    data = found(path)

    assert not data["ok"]
    assert {one["file"] for one in data["problems"]} == {str(path)}
    assert brief(data["problems"]) == [
        ("bad_form", "grid", 5),
        ("bad_form", "variant", 1),
        ("bad_form", "variant", 21),
        ("bad_parameter", "rules.points.cap", 12),
        ("unknown_rule", "rules.no_tuching", 8),
        ("bad_parameter", "abilities.destroyer.pricee", 16),
        ("unknown_rule", "instead_of[core.no_repeet]", 19),
    ]
    assert check(path).stdout.splitlines()[4].startswith(f"{path}:8: rules.no_tuching: there is no rule")


def test_a_fleet_that_cannot_fit_is_named_with_its_line(toml):
    small = '[grid]\ncolumns = 5\nrows = 5\n[[fleet]]\nclass = "carrier"\nlength = 9\n'
    assert brief(found(toml(f'id = "x"\nbase = "classic"\n{small}'))["problems"]) == [("no_room", "fleet.carrier", 7)]
    crowded = (
        'rules = ["no_touching"]\n[grid]\ncolumns = 5\nrows = 5\n[[fleet]]\nclass = "raft"\nlength = 1\ncount = 12\n'
    )
    assert brief(found(toml(f'id = "x"\nbase = "classic"\n{crowded}'))["problems"]) == [("no_room", "fleet", 7)]


def test_rules_may_stand_in_a_list(toml):
    path = toml("""
        id = "list"
        base = "classic"
        rules = [
          "salvo",
          { use = "no_tuching" },
        ]
        drops = ["core.nothing"]
        limits.depth = 0
        """)
    assert brief(found(path)["problems"]) == [
        ("unknown_rule", "rules.no_tuching", 5),
        ("unknown_rule", "drops", 7),
        ("bad_parameter", "limits.depth", 8),
    ]


def test_a_problem_of_no_line_has_none(toml):
    data = found(toml("labels = { en = 'Nameless' }"))
    assert {one["line"] for one in data["problems"]} == {None}


def test_no_toml_is_named_with_its_line(toml, tmp_path):
    data = found(toml('id = "x"\n[grid\n'))
    assert brief(data["problems"]) == [("bad_form", "", 2)]
    (tmp_path / "latin.toml").write_bytes(b"id = '\xff'\n")
    assert brief(found(tmp_path / "latin.toml")["problems"]) == [("bad_form", "", None)]


def test_an_installed_variant_is_checked_by_its_id(monkeypatch):
    class Plugin:
        @hookimpl
        def irontide_register(self, registry):
            registry.variant({"id": "test.bad", "base": "classic", "rules": ["salvoo"]})
            registry.variant(irontide.Variant("test.empty"))

    use(monkeypatch, Plugin())
    assert [one["code"] for one in found("test.bad")["problems"]] == ["unknown_rule"]
    assert [one["code"] for one in found("test.empty")["problems"]] == ["bad_fleet"]


def use(monkeypatch, *plugins):
    """Let the command line know these plugins too."""

    def registry():
        made = Registry.default()
        for number, plugin in enumerate(plugins):
            made.register(plugin, f"test{number}")
        return made

    monkeypatch.setattr("irontide_play.check.load_registry", registry)


# Variants: what only a closer look shows.


@rule("test.deaf")
class Deaf(Rule):
    """Listens where there is nothing to hear."""

    @reacts(MatchEnded)
    def after_the_end(self, ctx, event):
        return None

    @reacts(FleetRevealed)
    def at_the_end(self, ctx, event):
        return None

    @reacts(Noted)
    def of_notes(self, ctx, event):
        return None

    @reacts(RuleDisabled)
    def of_faults(self, ctx, event):
        return None

    @replaces(Mark)
    def of_marks(self, ctx, effect):
        return None

    @adjusts("price")
    def of_prices(self, ctx, price, ability):
        return price

    @adjusts("cap")
    def of_points(self, ctx, most):
        return most

    @forbids(UseAbility)
    def of_abilities(self, ctx, command):
        return None


@rule("test.busy")
class Busy(Deaf):
    """Listens to what there is too."""

    @adjusts("shots")
    def of_shots(self, ctx, shots):
        return shots

    @forbids(Fire)
    def of_shooting(self, ctx, command):
        return None


def _note():
    return Note("test.note")


class Helper:
    @property
    def remembers(self):
        return [SetData("a", 1)]


@rule("test.generous")
class Generous(Rule):
    """Gives all kinds of things, if only it were asked."""

    @reacts(RuleDisabled)
    def give(self, ctx, event):
        def later():
            yield irontide.GainPoints("a", 1)

        return [_note(), *Helper().remembers, *later()]

    @staticmethod
    def mark():
        return Mark()


@rule("test.broken")
class Broken(Rule):
    """Goes wrong."""

    @reacts(ShotFired)
    def boom(self, ctx, event):
        raise ValueError("boom")


@rule("test.late")
class Late(Rule):
    """Forbids what nothing allows."""

    @forbids(TimeOut)
    def never(self, ctx, command):
        return None


@ability("test.shy", price=1, target=Area(3, 3))
class Shy(Ability):
    """Is never allowed."""

    def use(self, ctx, area):
        yield Scan(area.cells, tell="any")

    def allows(self, ctx, area):
        return False


@ability("test.passive", price=3)
class Passive(Ability):
    """Only listens."""

    @replaces(Shot)
    def look(self, ctx, effect):
        return None


class Tests:
    """Registers all of them."""

    @hookimpl
    def irontide_register(self, registry):
        for class_ in (Deaf, Busy, Generous, Broken, Late):
            registry.rule(class_)
        for class_ in (Shy, Passive):
            registry.ability(class_)


def line(handler):
    return handler.__code__.co_firstlineno


def test_a_handler_that_can_never_run_is_named_at_the_rule_in_the_file(toml, monkeypatch):
    use(monkeypatch, Tests())
    data = found(toml('id = "x"\nbase = "classic"\n\n[[rules]]\nuse = "test.deaf"\n'))

    assert {(one["code"], one["place"], one["line"]) for one in data["problems"]} == {
        ("never_runs", "rules.test.deaf", 5)
    }
    assert [one["text"] for one in data["problems"]] == [
        f"'test.deaf' waits for what can't happen here: {why}"
        for why in (
            "nothing reacts before the match or after its end",
            "no rule or ability here gives the effect Note",
            "no rule or ability here gives the effect Mark",
            "there is no ability that can be used",
            "no rule or ability here gives the effect GainPoints",
        )
    ]
    [doubt] = data["warnings"]
    assert doubt["text"].startswith("'test.deaf' did nothing in 3 matches that were played to find out")


def test_what_another_rule_could_set_off_is_only_doubted(toml, monkeypatch):
    use(monkeypatch, Tests())
    path = toml('id = "x"\nbase = "classic"\nrules = ["test.deaf", "test.generous"]\n')
    data = found(path)

    assert [one["text"].partition(": ")[2] for one in data["problems"]] == [
        "nothing reacts before the match or after its end", "there is no ability that can be used"
    ]  # fmt: skip
    assert [one["place"] for one in data["warnings"]] == ["rules.test.deaf", "rules.test.generous"]
    assert {one["line"] for one in data["warnings"]} == {3}


def test_of_a_rule_that_does_something_in_a_variant_only_what_no_variant_can_use_is_named(toml, monkeypatch):
    use(monkeypatch, Tests())
    data = found(toml('id = "x"\nbase = "classic"\nrules = ["test.busy"]\n'))

    [problem] = data["problems"]
    assert problem["text"].endswith("can't happen here: nothing reacts before the match or after its end")
    assert data["warnings"] == []


def test_a_command_that_is_not_allowed_anyway_need_not_be_forbidden(toml, monkeypatch):
    use(monkeypatch, Tests())
    [problem] = found(toml('id = "x"\nbase = "classic"\nrules = ["test.late"]\n'))["problems"]
    assert problem["text"].endswith("the command TimeOut is not allowed anyway")


def test_a_rule_that_is_built_in_is_named_only_where_it_can_do_nothing(toml):
    """They were doubted with the lines of their code: nothing ran out of time."""
    rules = '"turn_limit", "time_out", "points.on_hit", "points.cap"'
    assert found(toml(f'id = "x"\nbase = "salvo"\nrules = [{rules}]\n')) | {"checked": ""} == {
        "checked": "", "ok": True, "problems": [], "warnings": [], "hints": []
    }  # fmt: skip
    [problem] = found(toml('id = "x"\nbase = "classic"\n\nrules = ["points.cap"]\n'))["problems"]
    text = "'points.cap' does nothing here: no rule or ability here gives the effect GainPoints"
    assert (problem["text"], problem["place"], problem["line"]) == (text, "rules.points.cap", 4)


@rule("test.patient")
class Patient(Rule):
    """Waits for the time to run out."""

    @reacts(TimedOut)
    def hear(self, ctx, event):
        return None


@pytest.mark.parametrize("action", ["lose", "pass", "random_shot"])
def test_seats_run_out_of_time_where_a_variant_knows_of_that(toml, monkeypatch, action):
    use(monkeypatch, Bundle([Patient]))
    rules = f'"test.patient", {{ use = "time_out", action = "{action}" }}'
    assert found(toml(f'id = "x"\nbase = "classic"\nrules = [{rules}]\n'))["warnings"] == []


def test_what_goes_wrong_in_a_match_is_named_where_it_stands(toml, monkeypatch):
    use(monkeypatch, Tests())
    [problem] = found(toml('id = "x"\nbase = "classic"\nrules = ["test.broken"]\n'))["problems"]

    assert (problem["code"], problem["place"]) == ("faulty", "test.broken")
    assert (problem["file"], problem["line"]) == (__file__, line(Broken.boom) + 2)
    assert "boom raised ValueError: boom" in problem["text"]


def test_a_price_that_nothing_pays_for_is_a_problem(toml):
    path = toml('id = "poor"\nbase = "classic"\n\n[abilities.destroyer]\nuse = "sonar"\nprice = 1\n')
    data = found(path)

    assert brief(data["problems"]) == [("never_paid", "abilities.destroyer.price", 6)]
    assert "nothing in this variant gives any" in data["problems"][0]["text"]
    assert data["warnings"] == []


def test_a_price_that_nobody_had_is_doubted(toml):
    drops = '["points.cap", "points.income"]'
    data = found(toml(f'id = "dear"\nbase = "tactical"\ndrops = {drops}\n[abilities.destroyer]\nprice = 50\n'))

    assert data["problems"] == []
    assert ("never_paid", "abilities.destroyer.price", 5) in brief(data["warnings"])
    assert "nobody had more than" in data["warnings"][0]["text"]


def test_an_ability_that_could_not_be_used_is_doubted_and_a_passive_one_not(toml, monkeypatch):
    use(monkeypatch, Tests())
    path = toml("""
        id = "shy"
        base = "tactical"

        [abilities]
        destroyer = "test.shy"
        cruiser = "test.passive"
        """)
    data = found(path)
    assert brief(data["warnings"]) == [("never_used", "abilities.destroyer", 5)]
    assert data["ok"]


@pytest.mark.parametrize(
    ("effect", "given"), [(GainPoints, True), (Note, True), (SetData, True), (Mark, True), (Scan, False)]
)
def test_what_a_rule_could_give_is_seen_in_its_code_and_what_that_calls(effect, given):
    assert gives(Generous, effect.__name__) == given


def test_an_effect_that_there_is_not_is_given_by_nobody():
    assert not gives(Generous, "Nonsense")


# Plugins.


def test_a_module_is_checked_and_each_problem_has_its_line(module):
    path = module("checked_wrong", """
        @ability("checked_wrong.dear", price=40, target=Area(3, 3))
        class Dear(Ability):
            def use(self, ctx, area):
                yield Scan(area.cells, tell="any")

        @rule("checked_wrong.odd")
        class Odd(Rule):
            @reacts(MatchEnded)
            def never(self, ctx, event):
                yield Note("checked_wrong.nothing")

            @reacts(DataSet)
            def data(self, ctx, event):
                return irontide.Note(key="checked_wrong.other", to=str(event))

            @forbids(TimeOut)
            def late(self, ctx, command):
                return Refusal("checked_wrong.late") if ctx else Refusal("already_shot")

            @adjusts("bravery")
            def brave(self, ctx, value):
                return value

        @rule("checked_wrong.needy")
        class Needy(Rule):
            much: int

        @rule("checked_wrong.boom")
        class Boom(Rule):
            @reacts(ShotFired)
            def boom(self, ctx, event):
                raise ValueError("no")

        @hookimpl
        def irontide_register(registry):
            registry.ability(Dear)
            for rule in (Odd, Needy, Boom):
                registry.rule(rule)
            registry.variant({"id": "checked_wrong.v", "base": "classic", "rules": [{"use": "checked_wrong.needy"}]})
        """)  # fmt: skip
    data = found(path)
    lines = path.read_text("utf-8").splitlines()

    def at(text):
        return next(number for number, line in enumerate(lines, 1) if text in line)

    assert {one["file"] for one in data["problems"] + data["warnings"]} == {str(path)}
    assert brief(data["problems"]) == [
        ("text_missing", "checked_wrong.other", at("other")),
        ("text_missing", "checked_wrong.nothing", at("nothing")),
        ("text_missing", "refusal.checked_wrong.late", at("Refusal(")),
        ("bad_parameter", "checked_wrong.v: rules.checked_wrong.needy.much", None),
        ("bad_rule", "checked_wrong.checked_wrong.odd.brave", at("bravery")),
        ("faulty", "checked_wrong.boom", at("raise ValueError")),
        ("never_runs", "checked_wrong.odd.never", at("MatchEnded")),
        ("never_runs", "checked_wrong.odd.late", at("TimeOut")),
    ]
    assert brief(data["warnings"]) == [
        ("untried", "checked_wrong.dear", at("@ability")),
        ("untried", "checked_wrong.needy", at("checked_wrong.needy")),
    ]
    assert "checked_wrong" not in sys.modules


@pytest.mark.parametrize(("id_", "code"), [("classic", "id_taken"), ("x y", "odd_id"), ("mine", None)])
def test_an_id_that_is_taken_or_hard_to_type_is_doubted(toml, id_, code):
    data = found(toml(f'base = "salvo"\nid = "{id_}"\n'))

    assert data["ok"]
    assert brief(data["warnings"]) == ([(code, "id", 2)] if code else [])


def test_a_use_that_goes_wrong_only_at_a_ship_is_found(module):
    path = module("checked_gun", """
        @ability("checked_gun.gun", target=Area(1, 1), price=1)
        class Gun(Ability):
            def use(self, ctx, area):
                shot = yield Shot(next(iter(area.cells)))
                if shot.hit:
                    raise TypeError("at a ship")

        @hookimpl
        def irontide_register(registry):
            registry.ability(Gun)
        """)  # fmt: skip
    problems = found(path)["problems"]
    [(code, place, number)] = [one for one in brief(problems) if one[0] == "faulty"]

    assert (code, place) == ("faulty", "checked_gun.gun")
    assert "raise TypeError" in path.read_text("utf-8").splitlines()[number - 1]


def test_an_ability_that_fails_at_each_use_is_not_said_to_have_no_use(module):
    path = module("checked_fails", """
        @ability("checked_fails.gun")
        class Gun(Ability):
            def use(self, ctx, nothing):
                raise TypeError("always")
                yield

        @hookimpl
        def irontide_register(registry):
            registry.ability(Gun)
        """)  # fmt: skip
    data = found(path)

    assert "faulty" in [one["code"] for one in data["problems"]]
    assert "never_used" not in [one["code"] for one in data["warnings"]]


def test_a_fact_that_there_is_not_is_a_problem_of_the_class(module):
    path = module("checked_fact", """
        @ability("checked_fact.gun", target=OneCell(), shoots=True, tells=("hitt",))
        class Gun(Ability):
            def use(self, ctx, cell):
                yield cell.shots

        @hookimpl
        def irontide_register(registry):
            registry.ability(Gun)
        """)  # fmt: skip
    problems = [one for one in found(path)["problems"] if one["code"] == "bad_rule"]

    assert brief(problems) == [("bad_rule", "checked_fact.checked_fact.gun", line_of(path, "@ability"))]
    assert problems[0]["text"].endswith("the facts are sinking, hit, ship, wreck, did you mean 'hit'?")


def test_what_a_target_does_not_take_is_named_at_the_line_of_the_plugin(module):
    path = module("checked_target", """
        AT = OneCell(known="opne")
        """)  # fmt: skip
    [problem] = found(path)["problems"]

    assert brief([problem]) == [("not_importable", "checked_target", line_of(path, "opne"))]
    assert problem["text"] == "ValueError: 'known' must be in ('any', 'open', 'water', 'hit') (got 'opne')"


def test_a_place_that_is_not_in_the_file_is_that_of_its_table(toml):
    path = toml('id = "x"\nbase = "tactical"\n\n[abilities.cruiser]\nuse = "sonar"\n')
    [problem] = found(path)["problems"]

    assert brief([problem]) == [("ability_twice", "abilities.destroyer", 4)]
    assert problem["text"].endswith('to give it to another class, drop it first: drops = ["sonar"]')


def test_an_ability_that_does_not_go_with_another_is_tried_without_that(module):
    path = module("checked_ghost", """
        @ability("checked_ghost.phantom", price=PRICE, hides=("hit",))
        class Phantom(Ability):
            def use(self, ctx, nothing):
                yield Mark(public=True)

        @hookimpl
        def irontide_register(registry):
            registry.ability(Phantom)
        """)  # fmt: skip
    text = path.read_text("utf-8")
    path.write_text(text.replace("PRICE", "1"), "utf-8")
    data = found(path)
    assert brief(data["warnings"]) == []
    [hint] = data["hints"]
    assert (hint["code"], hint["place"], hint["line"]) == ("choosy", "checked_ghost.phantom", line_of(path, "@ability"))
    assert hint["text"].startswith("goes into 'tactical' only without 'torpedo': 'checked_ghost.phantom' hides what")
    assert check(path).stdout.startswith("hint: ")
    assert check(path).stdout.endswith("\nok\n")

    path.write_text(text.replace("PRICE", "99"), "utf-8")
    [warning] = found(path)["warnings"]
    assert warning["code"] == "never_used"
    assert "it does not go with 'tactical': 'checked_ghost.phantom' hides what 'torpedo' tells" in warning["text"]


def test_a_rule_that_goes_with_no_part_of_tactical_is_told_with_where_it_goes(module):
    path = module("checked_hush", """
        @rule("checked_hush.quiet", hides=("sinking", "hit"))
        class Quiet(Rule):
            @adjusts("shots")
            def one(self, ctx, shots):
                return shots

        @hookimpl
        def irontide_register(registry):
            registry.rule(Quiet)
        """)  # fmt: skip
    hints = found(path)["hints"]
    assert [(one["place"], one["text"].split(":")[0]) for one in hints] == [
        ("checked_hush.quiet", "goes into 'classic', not 'tactical'")
    ]


def test_what_waits_for_another_is_tried_with_it(module):
    path = module("checked_pair", """
        @ability("checked_pair.flag", price=1)
        class Flag(Ability):
            def use(self, ctx, nothing):
                yield Mark(public=True)

        @rule("checked_pair.sees")
        class Sees(Rule):
            @reacts(Marked)
            def see(self, ctx, event):
                return None

            @reacts(Noted)
            def hear(self, ctx, event):
                return None

        @rule("checked_pair.apart", place="shots")
        class Apart(Rule):
            @reacts(RuleDisabled)
            def maybe(self, ctx, event):
                return Note("word.none")

        @hookimpl
        def irontide_register(registry):
            registry.ability(Flag)
            registry.rule(Sees)
            registry.rule(Apart)
        """)  # fmt: skip
    data = found(path)

    assert data["ok"]
    assert [one["text"].split()[0] for one in data["warnings"]] == ["@reacts(Noted)", "@reacts(RuleDisabled)"]


TEXTS = """
    @ability("{0}.look", price=1)
    class Look(Ability):
        deep: int = 1

        def use(self, ctx, nothing):
            yield Note("{0}.seen")

    @rule("{0}.calm")
    class Calm(Rule):
        turns: bool = True

    @hookimpl
    def irontide_register(registry):
        registry.ability(Look)
        registry.rule(Calm)
        registry.messages("en", {{
            "ability.{0}.look.name": "Look", "ability.{0}.look.text": "Looks {{deep}} {{far}}.",
            "rule.{0}.calm.name": "calm", "rule.{0}.calm.text.true": "Calm.", "{0}.seen": "{{who}} saw {{it}}.",
            "ability.{0}.look.name.one": "One look",
        }})
        registry.messages("de", {{
            "ability.{0}.look.name": "Blick", "rule.{0}.calm.name": "Ruhe", "{0}.seen": "{{wer}} sah {{it}}.",
        }})
        registry.variant({{"id": "{0}.v", "base": "tactical", "rules": ["{0}.calm"], "labels": {{"en": "V"}},
                           "abilities": {{"destroyer": "{0}.look"}}}})
        other = irontide.Registry.default().variant("classic")
        registry.variant(other.but(id="{0}.w", labels={{"en": "W", "de": "W"}}))
"""


def test_a_text_is_missing_in_each_language_that_the_plugin_speaks(module):
    data = found(module("checked_texts", TEXTS.format("checked_texts")))

    assert [(one["code"], one["place"]) for one in data["problems"]] == [
        ("text_argument", "ability.checked_texts.look.text"),
        ("text_missing", "ability.checked_texts.look.text"),
        ("text_missing", "rule.checked_texts.calm.text"),
        ("text_missing", "rule.checked_texts.calm.text.true"),
        ("text_argument", "checked_texts.seen"),
        ("text_argument", "checked_texts.seen"),
        ("text_missing", "checked_texts.v: labels"),
    ]
    assert [one["text"] for one in data["problems"]] == [
        "{far} is no parameter, and stays as it is",
        "no text in the language 'de' for the ability 'checked_texts.look'",
        "no text in the language 'de' for the rule 'checked_texts.calm'",
        "no text in the language 'de', but one in 'en'",
        "{wer} is not in the text of every language",
        "{who} is not in the text of every language",
        "no label in the language 'de'",
    ]
    assert data["warnings"] == []


def test_a_project_is_checked_by_what_it_announces(tmp_path, monkeypatch):
    assert RUN.invoke(app, ["new", "plugin", "checked_made", "--into", str(tmp_path)]).exit_code == 0
    project = tmp_path / "irontide-checked-made"
    package = project / "irontide_checked_made"
    assert found(project)["ok"]
    assert found(package)["ok"]
    monkeypatch.chdir(tmp_path)
    german = package / "de.toml"
    german.write_text(german.read_text("utf-8").replace("{turns}", "{zug}").replace("Lookout", "Ausguck"), "utf-8")
    with (package / "skirmish.toml").open("a", encoding="utf-8") as file:
        file.write('\n[[rules]]\nuse = "nonsense"\n')
    (package / "broken.toml").write_text("=", "utf-8")
    data = found("irontide-checked-made")

    texts = german.read_text("utf-8").splitlines()
    assert {(one["code"], one["line"]) for one in data["problems"] if one["file"] == str(german)} == {
        ("text_argument", number) for number, text in enumerate(texts, 1) if "{zug}" in text
    }
    [wrong] = [one for one in data["problems"] if one["code"] == "unknown_rule"]
    assert wrong["file"] == str(package / "skirmish.toml")
    assert (package / "skirmish.toml").read_text("utf-8").splitlines()[wrong["line"] - 1] == 'use = "nonsense"'
    assert [path for path in project.rglob("*") if "__pycache__" in path.parts] == []


def test_a_project_that_announces_nothing_is_told_so(tmp_path):
    project = tmp_path / "pyproject.toml"
    project.write_text('[project]\nname = "x"\n', "utf-8")
    assert brief(found(tmp_path)["problems"]) == [("no_plugin", "project.entry-points", None)]
    project.write_text("[project\n", "utf-8")
    assert "is no TOML" in found(tmp_path)["problems"][0]["text"]


def test_what_cannot_be_imported_or_registered_is_named_with_its_line(tmp_path, module):
    (tmp_path / "checked_syntax.py").write_text("x = 1\ny = (\n", "utf-8")
    assert brief(found(tmp_path / "checked_syntax.py")["problems"]) == [("not_importable", "checked_syntax", 2)]
    (tmp_path / "checked_import.py").write_text("x = 1\nimport nothing_of_the_kind\n", "utf-8")
    assert brief(found(tmp_path / "checked_import.py")["problems"]) == [("not_importable", "checked_import", 2)]
    register = "@hookimpl\ndef irontide_register(registry):\n    {}\n"
    failing = module("checked_failing", register.format("1 / 0"))
    assert brief(found(failing)["problems"]) == [("not_registered", "checked_failing", 8)]
    taken = module("checked_taken", register.format('registry.bot("hunter", print)'))
    assert brief(found(taken)["problems"]) == [("not_registered", "checked_taken", None)]
    assert brief(found(module("checked_bot", register.format('registry.bot("checked", print)')))["problems"]) == []


def test_what_registers_nothing_is_no_plugin():
    assert [one["code"] for one in found("json")["problems"]] == ["no_plugin"]
    assert [one["code"] for one in found("textwrap")["problems"]] == ["no_plugin"]


def test_an_installed_plugin_is_checked_by_its_name_or_its_module(module, monkeypatch):
    path = module("checked_point", TEXTS.format("checked_point"))
    monkeypatch.syspath_prepend(path.parent)
    points = [EntryPoint("checked_name", "checked_point", "irontide")]
    monkeypatch.setattr("irontide_play.checks.subjects.entry_points", lambda group: points)
    assert [one["code"] for one in found("checked_name")["problems"]].count("text_missing") == 4
    assert found("checked_point")["problems"] == found("checked_name")["problems"]


def test_a_plugin_may_be_an_object(module, monkeypatch):
    text = """
        class Plugin:
            @hookimpl
            def irontide_register(self, registry):
                registry.rule("no rule")
        plugin = Plugin()
    """
    monkeypatch.syspath_prepend(module("checked_object", text).parent)
    points = [EntryPoint("checked_object", "checked_object:plugin", "irontide")]
    monkeypatch.setattr("irontide_play.checks.subjects.entry_points", lambda group: points)
    [problem] = found("checked_object")["problems"]
    assert (problem["code"], problem["file"].rpartition(os.sep)[2]) == ("not_registered", "checked_object.py")


@pytest.mark.parametrize("name", ["tactcal", "no.such.module", "nowhere.py", ".", "..."])
def test_what_is_not_there_gets_one_line(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = check(name)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.count("\n") == 1
    assert repr(name) in result.stderr
    assert ("did you mean 'tactical'?" in result.stderr) == (name == "tactcal")


# Places.


def test_a_file_that_cannot_be_read_has_no_lines(tmp_path):
    assert TomlFile.read(tmp_path / "none.toml").spot("id") == Spot(str(tmp_path / "none.toml"))


def test_a_class_without_a_source_stands_nowhere():
    assert class_spot(int) == class_spot(type("Made", (), {})) == Spot()
    assert str(Spot()) == ""
