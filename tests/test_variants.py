"""Variants as data that compose: `but`, `base`, `drops`, `instead_of`, and the same from TOML."""

import attrs
import pytest

import irontide
from irontide import (
    Ability,
    Fire,
    Grid,
    Limits,
    Match,
    Note,
    PlaceFleet,
    Registry,
    Rule,
    RuleUse,
    ShipClass,
    Variant,
    VariantError,
    ability,
    adjusts,
    hookimpl,
    rule,
)

SEATS = ("ada", "bo")
REGISTRY = Registry.default()
CLASSIC, SALVO, TACTICAL = (REGISTRY.variant(id_) for id_ in ("classic", "salvo", "tactical"))


@rule("test.pass_freely", instead_of="core.must_shoot")
class PassFreely(Rule):
    """Nobody must shoot."""


@rule("test.two_shots", place="shots")
class TwoShots(Rule):
    """Two shots a turn."""

    @adjusts("shots", group="set")
    def two(self, ctx, shots):
        return 2


@ability("test.whistle", price=1)
class Whistle(Ability):
    """Whistle so many times."""

    times: int = 1

    def use(self, ctx, nothing):
        for _ in range(self.times):
            yield Note("test.whistle")


class Plugin:
    """Registers these, and a variant as data on a base."""

    __version__ = "1"

    @hookimpl
    def irontide_register(self, registry):
        registry.rule(PassFreely)
        registry.rule(TwoShots)
        registry.ability(Whistle)
        registry.variant({"id": "test.calm", "base": "salvo", "instead_of": {"core.must_shoot": "test.pass_freely"}})


@pytest.fixture
def registry() -> Registry:
    registry = Registry.default()
    registry.register(Plugin(), "test")
    return registry


def problems(variant: Variant, registry: Registry = REGISTRY) -> list[tuple[str, str]]:
    with pytest.raises(VariantError) as caught:
        registry.book(variant)
    return [(problem.code, problem.place) for problem in caught.value.problems]


# The built-in ones hold only their differences.


def test_salvo_is_classic_plus_one_rule():
    assert SALVO.base == "classic"
    assert SALVO.fleet == CLASSIC.fleet
    assert [use.use for use in SALVO.rules if use not in CLASSIC.rules] == ["salvo"]
    assert not SALVO.abilities


def test_tactical_is_classic_plus_abilities_and_point_rules():
    assert (TACTICAL.base, TACTICAL.fleet, TACTICAL.grid) == ("classic", CLASSIC.fleet, Grid(10, 10))
    assert {class_: use.use for class_, use in TACTICAL.abilities.items()} == {
        "carrier": "recon",
        "battleship": "broadside",
        "cruiser": "flak",
        "submarine": "torpedo",
        "destroyer": "sonar",
    }
    assert all(use.use.startswith("points.") for use in TACTICAL.rules)


@pytest.mark.parametrize(("id_", "price"), [("recon", 4), ("broadside", 5), ("flak", 2), ("torpedo", 3), ("sonar", 2)])
def test_prices_of_tactical(id_: str, price: int):
    book = REGISTRY.book(TACTICAL)

    assert [side[id_].terms.price for side in book.abilities] == [price, price]


# `but`.


def test_a_variant_is_frozen_and_but_makes_another():
    other = CLASSIC.but(id="test.other", grid={"columns": 12})

    assert (other.id, other.base, other.grid) == ("test.other", "classic", Grid(12, 10))
    assert CLASSIC.grid == Grid(10, 10)
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        CLASSIC.id = "mine"


def test_what_is_left_out_of_but_comes_from_the_variant():
    other = TACTICAL.but(id="test.other")

    for name in ("grid", "fleet", "rules", "abilities", "drops", "instead_of", "limits"):
        assert getattr(other, name) == getattr(TACTICAL, name)
    assert other.labels == {}
    assert other.label("de") == "test.other"


def test_a_grid_may_be_given_whole_and_a_fleet_replaces_the_fleet():
    fleet = [ShipClass("buoy", 1)]
    other = TACTICAL.but(id="test.other", grid=Grid(3, 4), fleet=fleet, abilities=dict.fromkeys(TACTICAL.abilities))

    assert other.grid == Grid(3, 4)
    assert other.fleet == tuple(fleet)
    assert not other.abilities
    assert irontide.count_placements(other) == 12


def test_rules_merge_by_id_parameter_by_parameter():
    one = TACTICAL.but(id="test.one", rules=[{"use": "points.start", "amount": 3}, "no_touching"])
    two = one.but(id="test.two", rules=["points.start", RuleUse("no_touching", {"corners": False})])

    assert [use.use for use in two.rules] == [use.use for use in one.rules]
    assert {use.use: dict(use.params) for use in two.rules if use.params} == {
        "points.start": {"amount": 3},
        "no_touching": {"corners": False},
    }


def test_abilities_merge_by_class_and_none_takes_one_away():
    one = TACTICAL.but(id="test.one", abilities={"destroyer": {"price": 5}, "carrier": None})
    two = one.but(id="test.two", abilities={"destroyer": {"per_match": 1}, "battleship": {"use": "recon", "price": 1}})
    three = two.but(id="test.three", abilities={"destroyer": "sonar", "submarine": None, "frigate": None})

    assert one.abilities["destroyer"] == RuleUse("sonar", {"price": 5})
    assert two.abilities["destroyer"] == RuleUse("sonar", {"price": 5, "per_match": 1})
    assert two.abilities["battleship"] == RuleUse("recon", {"price": 1})
    assert three.abilities["destroyer"] == two.abilities["destroyer"]
    assert set(three.abilities) == {"battleship", "cruiser", "destroyer"}


def test_another_ability_does_not_inherit_the_parameters_of_the_one_before():
    one = TACTICAL.but(id="test.one", abilities={"destroyer": {"price": 9}, "carrier": None})

    assert one.but(id="test.two", abilities={"destroyer": "recon"}).abilities["destroyer"] == RuleUse("recon")


def test_what_was_dropped_comes_back_where_it_is_named_again():
    one = TACTICAL.but(id="test.one", drops=["sonar", "points.cap", "core.one_ability"])
    two = one.but(id="test.two", rules=["points.cap"], abilities={"destroyer": "sonar"})

    assert "sonar" not in REGISTRY.book(one).abilities[0]
    assert "cap" not in REGISTRY.book(one).adjusts
    assert "sonar" in REGISTRY.book(two).abilities[0]
    assert "cap" in REGISTRY.book(two).adjusts
    assert two.drops == ("core.one_ability",)


def test_limits_merge():
    one = CLASSIC.but(id="test.one", limits={"events": 50})

    assert one.but(id="test.two", limits={"depth": 3}).limits == Limits(depth=3, events=50)


@pytest.mark.parametrize("limit", ["depth", "events", "runs", "quiet_turns"])
@pytest.mark.parametrize("value", [0, -1, 1.5, True, "9"])
def test_a_limit_is_1_or_more(limit: str, value: object):
    assert problems(CLASSIC.but(id="test.one", limits={limit: value})) == [("bad_parameter", f"limits.{limit}")]


def test_labels_are_what_players_call_it():
    assert [variant.label("de") for variant in (CLASSIC, SALVO, TACTICAL)] == ["Klassisch", "Salvo", "Taktisch"]
    assert CLASSIC.but(id="test.one", labels={"en": "One"}).label("de") == "One"


# Base rules that are dropped or replaced.


def test_a_rule_may_stand_in_the_place_of_a_base_rule(registry: Registry):
    for variant in (
        CLASSIC.but(id="test.a", rules=["test.pass_freely"]),
        CLASSIC.but(id="test.b", instead_of={"core.must_shoot": "test.pass_freely"}),
        CLASSIC.but(id="test.c", drops=["core.must_shoot"]),
    ):
        match = Match.new(variant, seats=SEATS, registry=registry)
        for seat in SEATS:
            match.submit(PlaceFleet(seat, match.random_placement(seat)))
        assert match.refusals(Fire("ada", [])) == ()


def test_two_rules_for_one_place_conflict(registry: Registry):
    assert problems(SALVO.but(id="test.a", rules=["test.two_shots"]), registry) == [
        ("conflict", "rules.test.two_shots")
    ]
    assert registry.book(SALVO.but(id="test.b", rules=["test.two_shots"], drops=["salvo"]))


def test_a_rule_stands_only_in_the_place_that_it_declares():
    with pytest.raises(VariantError) as caught:
        REGISTRY.book(CLASSIC.but(id="test.a", instead_of={"core.no_repeat": "salvo", "core.fleet_fixed": "islands"}))
    assert [(problem.code, problem.place, problem.text) for problem in caught.value.problems] == [
        (
            "conflict",
            f"instead_of[{core}]",
            f"'{rule}' does not stand for '{core}'; what does: {known}; to do without it, name it in `drops`",
        )
        for core, rule, known in (
            ("core.no_repeat", "salvo", "'repeat_shots'"),
            ("core.fleet_fixed", "islands", "nothing"),
        )
    ]


@pytest.mark.parametrize(
    ("changes", "code", "place"),
    [
        ({"drops": ["core.no_repeats"]}, "unknown_rule", "drops"),
        ({"instead_of": {"core.must_shot": "salvo"}}, "unknown_rule", "instead_of[core.must_shot]"),
        ({"instead_of": {"core.must_shoot": "nothing"}}, "unknown_rule", "instead_of[core.must_shoot]"),
        ({"rules": ["sonar"]}, "unknown_rule", "rules.sonar"),
        ({"abilities": {"destroyer": "salvo"}}, "unknown_ability", "abilities.destroyer"),
        ({"abilities": {"frigate": "sonar"}}, "unknown_ship", "abilities.frigate"),
        ({"abilities": {"destroyer": {"price": 1}}}, "bad_form", "abilities.destroyer"),
        ({"rules": [{"corners": True}]}, "bad_form", "rules[0]"),
        ({"abilities": {"destroyer": "sonar", "cruiser": "sonar"}}, "ability_twice", "abilities.destroyer"),
        ({"abilities": {"destroyer": {"use": "sonar", "price": -1}}}, "bad_parameter", "abilities.destroyer.price"),
        ({"abilities": {"destroyer": {"use": "sonar", "price": "1"}}}, "bad_parameter", "abilities.destroyer.price"),
        ({"abilities": {"destroyer": {"use": "sonar", "prize": 1}}}, "bad_parameter", "abilities.destroyer.prize"),
        ({"rules": [{"use": "no_touching", "corners": 1}]}, "bad_parameter", "rules.no_touching.corners"),
        ({"rules": [{"use": "no_touching", "sides": True}]}, "bad_parameter", "rules.no_touching"),
        ({"fleet": []}, "bad_fleet", "fleet"),
        ({"fleet": [ShipClass("d", 2), ShipClass("d", 3)]}, "bad_fleet", "fleet"),
        ({"fleet": [ShipClass("d", 2, count=2), ShipClass("d-2", 3)]}, "bad_fleet", "fleet"),
        ({"fleet": [ShipClass("d", 2, count=0)]}, "bad_fleet", "fleet.d"),
        ({"fleet": [ShipClass("d", 2, ("xx",))]}, "bad_fleet", "fleet.d"),
        ({"fleet": [ShipClass("d", shape=("xy",))]}, "bad_fleet", "fleet.d"),
        ({"fleet": [ShipClass("d", shape=("..",))]}, "bad_fleet", "fleet.d"),
        ({"fleet": [ShipClass("d", shape=("x.", ".x"))]}, "bad_fleet", "fleet.d"),
        ({"fleet": [ShipClass("", 2)]}, "bad_fleet", "fleet[0]"),
        ({"fleet": [ShipClass("d", -1)]}, "bad_fleet", "fleet.d"),
        ({"fleet": [ShipClass("d", 11)]}, "no_room", "fleet.d"),
        ({"fleet": [ShipClass("d", 10, count=11)]}, "no_room", "fleet"),
        ({"fleet": [ShipClass("d", 10, count=6)], "rules": ["no_touching"]}, "no_room", "fleet"),
    ],
)
def test_what_is_wrong_is_named_with_its_place(changes: dict[str, object], code: str, place: str):
    assert problems(CLASSIC.but(id="test.wrong", **changes)) == [(code, place)]


def test_everything_wrong_is_named_at_once():
    variant = CLASSIC.but(
        id="test.wrong", fleet=[], rules=["salve"], abilities={"destroyer": "soner"}, limits={"depth": 0}
    )

    assert {code for code, _ in problems(variant)} == {
        "bad_fleet", "unknown_rule", "unknown_ship", "unknown_ability", "bad_parameter",
    }  # fmt: skip


def test_a_fleet_of_which_nobody_knows_in_time_whether_it_fits_is_refused():
    """17 squares of 2x2 cells have 68 of the 81 cells of 9x9, but only 16 go in: too hard to search through."""
    variant = CLASSIC.but(
        id="test.squares", grid={"columns": 9, "rows": 9}, fleet=[ShipClass("square", shape=("xx", "xx"), count=17)]
    )

    assert problems(variant) == [("no_room", "fleet")]


def test_ships_that_cannot_keep_apart_are_refused_by_the_room_that_each_takes():
    """20 ships of 3 cells would fit by their cells, but each keeps those around it free."""
    flagship = ShipClass("flagship", shape=("xxx", ".x.", ".x."))
    fleet = [flagship, ShipClass("cruiser", 3, count=20)]
    variant = CLASSIC.but(id="test.dense", grid={"columns": 12, "rows": 8}, fleet=fleet, rules=["no_touching"])

    assert problems(variant) == [("no_room", "fleet")]


# Parameters.


def test_parameters_of_rules_and_terms_of_abilities_are_the_variant_s(registry: Registry):
    variant = CLASSIC.but(
        id="test.loud",
        abilities={"destroyer": {"use": "test.whistle", "times": 3, "price": 0, "per_match": 1}},
        rules=[{"use": "points.income", "amount": 4}],
    )
    match = Match.new(variant, seats=SEATS, registry=registry)
    for seat in SEATS:
        match.submit(PlaceFleet(seat, match.random_placement(seat)))

    assert match.view("ada").points == 4
    commit = match.submit(irontide.UseAbility("ada", "test.whistle"))
    assert [event.type for event in commit.events] == ["ability_used", "noted", "noted", "noted"]
    bound = registry.book(variant).abilities[0]["test.whistle"]
    assert (bound.terms.price, bound.terms.per_match, Whistle.terms.price) == (0, 1, 1)


@pytest.mark.parametrize(
    "changes",
    [{"rules": [{"use": "points.start", "amount": 1.5}]}, {"abilities": {"destroyer": {"use": "sonar", "price": {1}}}}],
)
def test_a_parameter_that_no_log_could_hold_is_a_problem(changes: dict[str, object]):
    with pytest.raises(VariantError) as caught:
        CLASSIC.but(id="test.wrong", **changes)

    assert [problem.code for problem in caught.value.problems] == ["bad_parameter"]


# TOML.


def test_a_toml_file_has_the_keys_of_the_record(tmp_path):
    file = tmp_path / "grandma.toml"
    file.write_text(
        """
        id = "grandmas"
        base = "tactical"
        drops = ["core.one_ability"]
        [labels]
        en = "Grandma's"
        [grid]
        columns = 12
        rows = 11
        [[fleet]]
        class = "cruiser"
        length = 3
        count = 2
        [fleet.labels]
        en = "Tub"
        [[fleet]]
        class = "hook"
        shape = ["x.", "xx"]
        mirror = true
        [[rules]]
        use = "no_touching"
        corners = false
        [abilities]
        hook = "sonar"
        [abilities.cruiser]
        use = "recon"
        price = 2
        [instead_of]
        [limits]
        quiet_turns = 50
        """,
        encoding="utf-8",
    )
    with pytest.raises(VariantError) as caught:  # ships of Tactical that this fleet lacks still have abilities
        irontide.load_variant(file)
    [problem] = caught.value.problems
    assert (problem.code, problem.place) == ("unknown_ship", "fleet")
    assert problem.text.endswith('take those away with drops = ["recon", "broadside", "torpedo", "sonar"]')

    file.write_text(file.read_text(encoding="utf-8").replace('base = "tactical"', 'base = "classic"'), encoding="utf-8")
    variant = irontide.load_variant(file, registry=REGISTRY)
    assert variant == CLASSIC.but(
        id="grandmas",
        labels={"en": "Grandma's"},
        grid=Grid(12, 11),
        fleet=[
            ShipClass("cruiser", 3, count=2, labels={"en": "Tub"}),
            ShipClass("hook", shape=("x.", "xx"), mirror=True),
        ],
        rules=[{"use": "no_touching", "corners": False}],
        abilities={"hook": "sonar", "cruiser": {"use": "recon", "price": 2}},
        drops=["core.one_ability"],
        limits={"quiet_turns": 50},
    )
    assert irontide.load_variant(str(file)) == variant


@pytest.mark.parametrize(
    ("data", "place"),
    [
        ({"id": "x", "rules": [5]}, "rules[0]"),
        ({"id": "x", "abilities": {"destroyer": 5}}, "abilities.destroyer"),
        ({"id": "x", "rules": "salvo"}, "rules"),
        ({"id": "x", "fleet": {"class": "d"}}, "fleet"),
        ({"id": "x", "fleet": [{"length": 2}]}, "fleet[0].class"),
        ({"id": "x", "fleet": [{"class": "d", "length": True}]}, "fleet[0].length"),
        ({"id": "x", "grid": {"columns": 27}}, "grid.columns"),
        ({"id": "x", "grid": {"columns": 0}}, "grid.columns"),
        ({"id": "x", "grid": {"colums": 9}}, "grid"),
        ({"id": "x", "base": "classics"}, "base"),
        ({"base": "classic"}, "id"),
        ({"id": 5}, "id"),
        ({"id": "x", "colour": "red"}, "variant"),
    ],
)
def test_a_wrong_form_is_named_with_its_place(data: dict[str, object], place: str):
    with pytest.raises(VariantError) as caught:
        REGISTRY.read_variant({"base": "classic", **data} if data.get("id") == "x" else data)

    assert place in [problem.place for problem in caught.value.problems]


def test_a_rule_may_be_named_by_its_id_alone_where_it_takes_no_parameters():
    variant = REGISTRY.read_variant({"id": "x", "base": "classic", "rules": ["salvo"]})

    assert variant.rules == (RuleUse("salvo"),)


def test_a_plugin_may_register_a_variant_as_data_on_a_base(registry: Registry):
    variant = registry.variant("test.calm")

    assert (variant.base, variant.rules) == ("salvo", SALVO.rules)
    assert registry.variants["test.calm"] is variant is registry.variant("test.calm")
    assert "core.must_shoot" not in registry.book(variant).base


def test_a_variant_without_a_base_starts_from_nothing():
    variant = REGISTRY.read_variant({"id": "bare", "fleet": [{"class": "buoy", "length": 1}]})

    assert (variant.base, variant.grid, variant.rules) == (None, Grid(10, 10), ())
    assert Match.new(variant, seats=SEATS).variant == variant


# Compiled once.


def test_a_variant_is_compiled_once_for_each_registry():
    one, other = Registry.default(), Registry.default()

    assert one.book(CLASSIC) is one.book(attrs.evolve(CLASSIC))
    assert one.book(CLASSIC) is not other.book(CLASSIC)


def test_one_compiled_variant_serves_seats_of_any_name():
    """Some of what comes again is made once for each seat's name, of which only so many are kept."""
    registry = Registry.default()
    fleet = [ShipClass("buoy", 1)]
    variant = CLASSIC.but(
        id="test.tiny", grid={"columns": 2, "rows": 1}, fleet=fleet, abilities={"buoy": {"use": "sonar", "price": 0}}
    )
    for number in range(300):
        seats = (f"a{number}", f"b{number}")
        match = Match.new(variant, seats=seats, registry=registry)
        for seat in seats:
            match.submit(PlaceFleet(seat, {"buoy": "A1"}))
        refusal = match.options(seats[1]).abilities["sonar"].refusal
        assert refusal.args == {"seat": seats[1], "seat_to_move": seats[0]}
        assert match.submit(Fire(seats[0], "B1")).events[0].by == seats[0]
        assert match.submit(Fire(seats[1], "A1")).events[0].by == seats[1]
