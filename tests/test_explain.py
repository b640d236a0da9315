"""Explaining: the rules of a variant as players read them, and the order in which rules are asked."""

from typing import Literal

import attrs
import pytest

import irontide
from irontide import (
    Ability,
    Activate,
    Fire,
    Match,
    Registry,
    Rule,
    ShipClass,
    Shot,
    ShotFired,
    Target,
    TurnStarted,
    UseAbility,
    VariantError,
    ability,
    adjusts,
    forbids,
    hookimpl,
    reacts,
    replaces,
    rule,
)
from irontide.testing import Bundle
from irontide_variants.fleets import FLEET_2002

REGISTRY = Registry.default()
CLASSIC, SALVO, TACTICAL = (REGISTRY.variant(id_) for id_ in ("classic", "salvo", "tactical"))


@attrs.frozen
class Odd(Target):
    """A target of a kind that the core has no text for."""


@rule("test.quiet")
class Quiet(Rule):
    """No noise after dark.

    This is for authors.
    """


@rule("test.bare")
class Bare(Rule):
    pass


@ability("test.hoot", price=3, per_turn=1, per_match=4, cooldown=2, charges=5, standing=6, instead_of_shot=True)
class Hoot(Ability):
    """Hoot."""

    def use(self, ctx, target):
        yield []

    @reacts(ShotFired, group="late")
    def answer(self, ctx, event):
        return None

    @replaces(Shot, group="prevent")
    def prevent(self, ctx, effect):
        return None


@rule("test.busy")
class Busy(Rule):
    """Listens to everything."""

    @forbids(Fire)
    def forbid_fire(self, ctx, command):
        return None

    @forbids(UseAbility)
    def forbid_use(self, ctx, command):
        return None

    @adjusts("shots", group="limit")
    def few(self, ctx, shots):
        return min(shots, 3)

    @replaces(Activate)
    def before(self, ctx, effect):
        return None

    @replaces(Shot, group="redirect")
    def redirect(self, ctx, effect):
        return None

    @reacts(TurnStarted, group="core")
    def after(self, ctx, event):
        return None

    @reacts(ShotFired)
    def answer(self, ctx, event):
        return None


@ability("test.lookout")
class Lookout(Ability):
    """Looks out."""


@pytest.fixture
def registry() -> Registry:
    registry = Registry.default()
    registry.register(Bundle([Quiet, Bare, Busy, Hoot, Lookout]), "test")
    return registry


# For players.


def test_an_explanation_names_grid_fleet_and_what_ends_a_match():
    text = CLASSIC.explain("en")

    assert text.startswith("Classic\n\n")
    assert "10 columns" in text
    assert "A1 to J10" in text
    for ship in ("Carrier (5 cells)", "Battleship (4 cells)", "Cruiser (3 cells)", "Destroyer (2 cells)"):
        assert f"  - {ship}\n" in text
    assert text.endswith("At the end both fleets are shown.\n")


def test_it_is_in_the_language_that_is_asked_for():
    text = TACTICAL.explain("de")

    assert text.startswith("Taktisch\n")
    assert "Flugzeugträger" in text
    assert "Luftaufklärung" in text


def test_ships_are_called_as_the_variant_calls_them_with_their_number_and_shape():
    fleet = [*FLEET_2002, ShipClass("hook", shape=("x.", "xx"), count=2, labels={"en": "Hook"}), ShipClass("buoy", 1)]
    text = CLASSIC.but(id="test.2002", fleet=fleet).explain("en")

    assert "  - Patrol Boat (2 cells)\n" in text
    assert "  - 2 x Hook (x. / xx)\n" in text  # mirrored it is the same
    assert "  - buoy (1 cell)\n" in text


@pytest.mark.parametrize(("mirror", "said"), [(True, "may be mirrored too"), (False, "may not be mirrored")])
def test_a_ship_that_has_a_mirror_image_is_told_with_whether_it_may_be_mirrored(mirror, said):
    ship = ShipClass("zed", shape=("xx.", ".xx"), mirror=mirror)

    assert f"  - zed (xx. / .xx, {said})\n" in CLASSIC.but(id="test.zed", fleet=[ship]).explain("en")


def test_a_base_rule_is_told_unless_it_is_dropped_or_does_not_matter():
    once, one_ability = (irontide.message("en", f"explain.core.{id_}") for id_ in ("no_repeat", "one_ability"))

    assert once in CLASSIC.explain()
    assert once not in CLASSIC.but(id="test.again", drops=["core.no_repeat"]).explain()
    assert one_ability not in CLASSIC.explain()
    assert one_ability in TACTICAL.explain()
    assert one_ability not in TACTICAL.but(id="test.many", drops=["core.one_ability"]).explain()


def test_each_ability_is_told_with_its_ship_and_the_price_of_the_variant():
    text = TACTICAL.but(id="test.dear", abilities={"destroyer": {"price": 7}}).explain("en")

    assert "Sonar (Destroyer, price 7)" in text
    assert "Torpedo (Submarine, price 3)" in text
    assert irontide.message("en", "explain.abilities") not in CLASSIC.explain()


def test_rules_are_told_with_their_parameters():
    one, two = (
        CLASSIC.but(id="test.touch", rules=[{"use": "no_touching", "corners": corners}]).explain("en")
        for corners in (True, False)
    )
    rich = TACTICAL.but(id="test.rich", rules=[{"use": "points.start", "amount": 8}]).explain("en")

    assert one != two
    assert irontide.message("en", "rule.points.start.text", amount=8) in rich


def test_what_a_plugin_has_no_text_for_is_told_by_the_first_line_of_its_docstring(registry: Registry):
    variant = CLASSIC.but(id="test.quiet", rules=["test.quiet", "test.bare"], abilities={"cruiser": "test.hoot"})
    lines = irontide.explain(variant, "en", registry).splitlines()

    assert "No noise after dark." in lines
    assert "test.bare" in lines  # and by its id where there is none
    assert not any("for authors" in line for line in lines)


def test_all_terms_of_an_ability_are_told(registry: Registry):
    variant = CLASSIC.but(id="test.owls", abilities={"cruiser": "test.hoot"})
    [line] = [line for line in irontide.explain(variant, "en", registry).splitlines() if "test.hoot" in line]

    assert line.startswith("  - test.hoot (Cruiser, price 3)")
    for term, n in (("per_turn", 1), ("per_match", 4), ("cooldown", 2), ("charges", 5), ("standing", 6)):
        assert irontide.message("en", f"terms.{term}", n=n) in line
    assert irontide.message("en", "terms.instead_of_shot") in line


def test_what_cannot_be_built_is_not_explained():
    with pytest.raises(VariantError):
        CLASSIC.but(id="test.wrong", rules=["salve"]).explain()


# What a rule says in place of the core's sentences.


@rule("test.every_second", place="shots")
class EverySecond(Rule):
    """A turn has two shots."""


@rule("test.again", instead_of="core.no_repeat")
class Again(Rule):
    """A cell may be shot twice."""


@rule("test.set")
class Setting(Rule):
    """A purse holds 3 points."""

    @adjusts("cap", group="set")
    def most(self, ctx, most):
        return 3


@rule("test.worded")
class Worded(Rule):
    """Told beside what it says instead."""

    by: int = 2
    names: tuple[str, ...] = attrs.field(factory=lambda: ("a", "b"))


@rule("test.needy")
class Needy(Rule):
    """Needs to be told something."""

    how: bool


TEXTS = {"en": {"rule.test.worded.instead.next_seat": "Then it is the turn of seat {by}."}}
"""A text in place of who moves next."""


@pytest.fixture
def wordy() -> Registry:
    registry = Registry.default()
    registry.register(Bundle([EverySecond, Again, Setting, Worded, Needy], texts=TEXTS), "test")
    return registry


def said(rule_, registry):
    return irontide.explain(CLASSIC.but(id="test.said", rules=[rule_]), "en", registry).splitlines()


@pytest.mark.parametrize(
    ("rule_", "topic", "text"),
    [
        ("test.every_second", "shots", "A turn has two shots."),
        ("test.again", "core.no_repeat", "A cell may be shot twice."),
        ("test.worded", "next_seat", "Then it is the turn of seat 2."),
    ],
)
def test_a_rule_that_stands_for_a_topic_is_told_in_its_place(rule_, topic, text, wordy: Registry):
    base = [irontide.message("en", f"explain.{key}{topic}") for key in ("", "not.")]
    lines = said(rule_, wordy)

    assert lines.count(text) == 1
    assert not set(base) & set(lines)
    assert lines.index(text) == CLASSIC.explain().splitlines().index(base[0])


def test_a_rule_put_in_place_of_one_of_the_core_by_the_variant_is_told_there(wordy: Registry):
    variant = CLASSIC.but(id="test.put", instead_of={"core.no_repeat": "test.again"})
    lines = irontide.explain(variant, "en", wordy).splitlines()

    place = CLASSIC.explain().splitlines().index(irontide.message("en", "explain.core.no_repeat"))
    assert lines[place] == "A cell may be shot twice."
    assert lines.count(lines[place]) == 1


def test_a_rule_that_only_says_something_instead_keeps_its_own_text(wordy: Registry):
    assert "Told beside what it says instead." in said("test.worded", wordy)


def test_a_rule_that_sets_what_has_no_sentence_is_told_with_the_others(wordy: Registry):
    assert "A purse holds 3 points." in said("test.set", wordy)


def test_how_points_work_is_told_only_where_something_costs_points():
    points = irontide.message("en", "explain.points")
    free = {class_: {"price": 0} for class_ in TACTICAL.abilities}

    assert points in TACTICAL.explain().splitlines()
    assert points not in TACTICAL.but(id="test.free", abilities=free).explain().splitlines()


# Where a referee looks for it.


def paragraph_of(text, **rule_):
    """Return the paragraph of a variant with this rule in which the text stands, as lines."""
    explained = CLASSIC.but(id="test.beside", rules=[rule_]).explain("en")
    [found] = [part for part in explained.split("\n\n") if text in part]
    assert explained.count(text) == 1
    return found.splitlines()


@pytest.mark.parametrize(
    ("rule_", "text", "beside"),
    [
        ({"use": "islands", "cells": ["B2", "C3"]}, "They are: B2, C3.", "explain.first_seat"),
        ({"use": "islands", "count": 3}, "drawn by lot before the fleets are placed", "explain.first_seat"),
        ({"use": "extra_shot_on_hit"}, "gives one shot more", "explain.shots"),
        (
            {"use": "turn_limit", "n": 40, "then": "most_hits"},
            "When each player has had 40 turns, whoever",
            "explain.defeated",
        ),
        ({"use": "time_out"}, "out of time", "explain.defeated"),
        ({"use": "wrecks_are_shown"}, "its owner names the cells", "explain.answer"),
    ],
)
def test_a_rule_is_told_beside_the_sentence_on_what_it_is_about(rule_, text, beside):
    assert irontide.message("en", beside) in paragraph_of(text, **rule_)


def test_islands_that_are_named_are_not_drawn():
    assert "by lot" not in CLASSIC.but(id="test.named", rules=[{"use": "islands", "cells": ["B2"]}]).explain("en")


@rule("test.coin", about="points")
class Coin(Rule):
    """Coins are round."""


class Minted:
    """Registers it."""

    @hookimpl
    def irontide_register(self, registry):
        registry.rule(Coin)


@pytest.mark.parametrize("base", ["classic", "tactical"])
def test_a_rule_about_what_is_not_told_stands_with_the_others(base):
    registry = Registry.default()
    registry.register(Minted(), "test")
    text = irontide.explain(registry.variant(base).but(id="test.mint", rules=["test.coin"]), "en", registry)

    assert text.splitlines().count("Coins are round.") == 1


def test_what_cannot_be_used_has_no_price(registry: Registry):
    variant = CLASSIC.but(id="test.passive", abilities={"cruiser": "test.lookout"})
    text = irontide.explain(variant, "en", registry)

    assert "  - test.lookout (Cruiser, works by itself): Looks out.\n" in text
    assert irontide.explain(Lookout).splitlines()[3].strip() == "It is not used: it works by itself."
    assert "rice" not in text


# One ability or rule.


def test_an_ability_is_explained_alone():
    lines = irontide.explain(REGISTRY.ability("flak"), "de").splitlines()

    assert lines[0] == "Flugabwehr (flak)"
    assert lines[3] == "Preis: 2. Nur eine zugleich."


def test_its_target_is_told():
    assert "3 cells on the enemy's grid, named by its middle cell" in irontide.explain(REGISTRY.ability("sonar"))


def test_a_rule_is_explained_alone_with_its_parameters_and_what_they_are_by_default(wordy: Registry):
    touching = irontide.explain(REGISTRY.rule("no_touching")).splitlines()

    assert touching[0] == "no touching (no_touching)"
    assert touching[2] == irontide.message("en", "rule.no_touching.text.true")
    assert touching[-2:] == ["A variant may set:", "  corners: true (true, false)"]
    assert irontide.explain(wordy.rule("test.worded")).splitlines()[-2:] == [
        "  by: 2 (a number)", "  names: ('a', 'b') (a list)"
    ]  # fmt: skip


@rule("test.settable")
class Settable(Rule):
    """Has one of each kind."""

    of: Literal["b", "a"] = "b"
    n: int = attrs.field(default=3, validator=attrs.validators.ge(2))
    yes: bool = False
    some: int | Literal["all"] = 1
    maybe: str | None = None
    names: tuple[str, ...] = ()
    odd: dict[str, int] = attrs.field(factory=dict)
    made: list[int] = attrs.field(factory=list)


def test_what_a_variant_may_set_is_told_with_what_is_possible():
    assert irontide.explain(Settable).splitlines()[4:] == [
        "  of: b (b, a)", "  n: 3 (a number of 2 or more)", "  yes: false (true, false)", "  some: 1 (a number or all)",
        "  maybe: none (a text)", "  names: none (a list)", "  odd: {}", "  made: [] (a list)",
    ]  # fmt: skip
    assert irontide.explain(REGISTRY.rule("salvo"), "de").splitlines()[-1] == (
        "  per: ships (ships, cells oder eine Zahl ab 1)"
    )


@rule("test.typed")
class Typed(Rule):
    """Has a type that is not there when it is played."""

    what: "Nowhere" = 1  # type: ignore[name-defined]  # noqa: F821 - that is the point


def test_a_parameter_of_a_type_that_cannot_be_found_is_told_without_it():
    assert irontide.explain(Typed).splitlines()[-1] == "  what: 1"


def test_an_ability_is_told_with_all_terms_that_a_variant_may_set():
    assert irontide.explain(REGISTRY.ability("shield")).splitlines()[5:] == [
        "  turns: 2 (a number of 1 or more)", "  price: 2 (a number of 0 or more)",
        "  per_turn: no limit (a number of 0 or more)", "  per_match: no limit (a number of 0 or more)",
        "  cooldown: 0 (a number of 0 or more)", "  charges: no limit (a number of 0 or more)",
        "  standing: no limit (a number of 0 or more)", "  instead_of_shot: false (true, false)",
    ]  # fmt: skip


def test_an_id_will_do_that_of_a_rule_of_the_core_too():
    assert irontide.explain("salvo") == REGISTRY.variant("salvo").explain()
    assert irontide.explain("sonar") == irontide.explain(REGISTRY.ability("sonar"))
    assert irontide.explain("core.no_repeat").splitlines() == [
        "core.no_repeat", "", irontide.message("en", "explain.core.no_repeat"),
        'Without it (drops = ["core.no_repeat"]): ' + irontide.message("en", "explain.not.core.no_repeat"),
        "Rules that may stand in its place: repeat_shots.",
    ]  # fmt: skip
    assert len(irontide.explain("core.fleet_fixed", "de").splitlines()) == 4
    with pytest.raises(irontide.UnknownName, match=r"did you mean 'core.no_repeat'"):
        irontide.explain("core.no_repeats")


MARKED = ["no_touching", "wrecks_are_shown", "mark_around_wreck"]


@pytest.mark.parametrize(
    ("variant", "said", "unsaid"),
    [
        (CLASSIC, "Each fleet; ships lie across or down", "a drawn one"),
        (REGISTRY.variant("shaped"), "a drawn one may be turned in quarters", "Each fleet; ships lie"),
        (TACTICAL, "can't be used where no cell is left for it to shoot", "nothing else"),
        (CLASSIC.but(id="t", abilities={"destroyer": "ping"}), "What it finds out", "no cell is left for it to shoot"),
        (CLASSIC.but(id="t", drops=["core.no_repeat"]), "it is answered again as what it is", "only once"),
        (TACTICAL, "One that is cancelled has been used all the same.", "nothing else"),
        (TACTICAL, "the end of the match brings none", "nothing else"),
        (TACTICAL, "those of both players counted together", "seat"),
        (
            TACTICAL.but(id="t", abilities={"destroyer": {"instead_of_shot": True}}),
            "It takes the place of all shots that the turn has left: the turn ends with it.",
            "nothing else",
        ),
        (CLASSIC.but(id="t", rules=MARKED), "they may still be shot", "nothing else"),
    ],
)  # fmt: skip
def test_a_match_can_be_refereed_on_paper(variant, said, unsaid):
    text = variant.explain()
    assert said in text
    assert unsaid not in text


def test_what_has_no_texts_is_explained_by_its_docstring(wordy: Registry, registry: Registry):
    assert irontide.explain(wordy.rule("test.needy")).splitlines() == [
        "test.needy", "", "Needs to be told something.", "A variant may set:", "  how: has to be given (true, false)"
    ]  # fmt: skip
    assert irontide.explain(registry.rule("test.bare")).splitlines() == ["test.bare", "", "test.bare"]


@ability("test.odd", target=Odd())
class Oddly(Ability):
    """Aims oddly."""


def test_a_target_of_a_kind_that_nobody_can_name_is_left_out():
    assert irontide.explain(Oddly).splitlines()[2] == "Aims oddly."


# For authors: who is asked in which order, and why.


def test_the_order_of_all_that_is_listened_to_can_be_printed(registry: Registry):
    variant = SALVO.but(id="test.busy", rules=["test.busy"], abilities={"cruiser": "test.hoot", "destroyer": "flak"})

    assert irontide.order(registry.book(variant)).splitlines() == [
        "forbids Fire",
        "  1. test.busy.forbid_fire (no seat)",
        "forbids UseAbility",
        "  1. test.busy.forbid_use (no seat)",
        "adjusts shots",
        "  1. salvo.fill (group set, no seat)",
        "  2. test.busy.few (group limit, no seat)",
        "replaces Activate",
        "  1. flak.intercept (group prevent, the seat to move, fleet place 5)",
        "  2. flak.intercept (group prevent, the other seat, fleet place 5)",
        "  3. test.busy.before (group other, no seat)",
        "replaces Shot",
        "  1. test.busy.redirect (group redirect, no seat)",
        "  2. test.hoot.prevent (group prevent, the seat to move, fleet place 3)",
        "  3. test.hoot.prevent (group prevent, the other seat, fleet place 3)",
        "reacts ShotFired",
        "  1. test.busy.answer (group rule, no seat)",
        "  2. test.hoot.answer (group late, the seat to move, fleet place 3)",
        "  3. test.hoot.answer (group late, the other seat, fleet place 3)",
        "reacts TurnStarted",
        "  1. test.busy.after (group core, no seat)",
    ]


def test_where_nobody_listens_the_order_is_empty():
    assert irontide.order(REGISTRY.book(CLASSIC)).strip() == ""


def test_the_order_does_not_depend_on_who_was_registered_or_named_first():
    names = ["points.start", "points.income", "no_touching", "salvo"]
    variants = [CLASSIC.but(id="test.order", rules=order) for order in (names, names[::-1])]

    assert irontide.order(REGISTRY.book(variants[0])) == irontide.order(REGISTRY.book(variants[1]))


# Sentences about ships.


def test_a_sentence_calls_a_ship_as_the_variant_does_further_ones_by_number():
    fleet = [ShipClass("destroyer", 1, count=2, labels={"en": "Patrol Boat"}), ShipClass("cruiser", 1)]
    variant = CLASSIC.but(id="test.named", fleet=fleet)
    match = Match.new(variant, seats=("ada", "bo"))
    ships = {"destroyer": "A1", "destroyer-2": "A1", "cruiser": "C1"}

    [refusal] = match.refusals(irontide.PlaceFleet("ada", ships))

    assert refusal.code == "overlap"
    assert irontide.text(refusal, "en", variant) == "Patrol Boat and Patrol Boat 2 lie on the same cell."
    assert irontide.text(refusal, "de", variant).startswith("Zerstörer und Zerstörer 2 ")
    assert refusal.text("en") == "Destroyer and Destroyer 2 lie on the same cell."
