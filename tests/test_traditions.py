"""Traditions: variants that are TOML files, each with its fleet, its rules and where they are written down."""

from importlib.resources import files

import pytest

from irontide import Match, PlaceFleet, Registry, RuleUse, VariantError, count_placements, explain, load_variant

REGISTRY = Registry.default()
TRADITIONS = {
    "milton-bradley-1967": ([5, 4, 3, 3, 2], []),
    "hasbro-2002": ([5, 4, 3, 3, 2], ["hit_names_ship"]),
    "advanced-salvo": ([5, 4, 3, 3, 2], ["salvo", "report"]),
    "russian": ([4, 3, 3, 2, 2, 2, 1, 1, 1, 1], ["no_touching", "extra_shot_on_hit", "wrecks_are_shown"]),
    "german-paper": ([5, 4, 4, 3, 3, 3, 2, 2, 2, 2], ["no_touching"]),
    "pencil-12x10": ([5, 4, 4, 3, 3, 3, 2, 2, 2, 2], ["no_touching"]),
    "shaped": ([5, 4, 4, 3, 3], []),
    "tactical-salvo": (
        [5, 4, 3, 3, 2], ["points.start", "points.income", "points.for_sinking", "points.cap", "salvo"]
    ),
    "tactical-blitz": ([5, 4, 3, 3, 2], ["points.start", "points.income", "points.for_sinking", "points.cap"]),
}  # fmt: skip
GRIDS = {"pencil-12x10": (12, 10), "tactical-blitz": (8, 8)}


@pytest.mark.parametrize("id_", TRADITIONS)
def test_a_tradition_has_its_fleet_its_grid_and_its_rules(id_):
    variant = REGISTRY.variant(id_)
    lengths, rules = TRADITIONS[id_]

    assert sorted((class_.cells for class_ in variant.fleet for _ in class_.ships()), reverse=True) == lengths
    assert (variant.grid.columns, variant.grid.rows) == GRIDS.get(id_, (10, 10))
    assert [use.use for use in variant.rules] == rules


@pytest.mark.parametrize("id_", TRADITIONS)
def test_a_tradition_is_a_file_that_says_where_it_comes_from(id_):
    variant = REGISTRY.variant(id_)

    assert load_variant(files("irontide_variants").joinpath(f"{id_}.toml"), REGISTRY) == variant
    assert variant.source
    assert {"en", "de"} <= variant.labels.keys()
    assert all({"en", "de"} <= class_.labels.keys() for class_ in variant.fleet)
    assert variant.data()["source"] == variant.source
    for lang, word in (("en", "Source"), ("de", "Quelle")):
        assert explain(variant, lang, REGISTRY).endswith(f"\n{word}: {variant.source}\n")


@pytest.mark.parametrize("id_", TRADITIONS)
def test_a_tradition_is_written_to_logs_and_read_again(id_):
    match = Match.new(id_, seats=("ada", "bo"), seed=1)
    for seat in match.seats:
        match.submit(PlaceFleet(seat, match.random_placement(seat)))

    assert Match.loads(match.dumps()).variant.source == match.variant.source


def test_shaped_has_bent_ships():
    bent = [class_ for class_ in REGISTRY.variant("shaped").fleet if class_.shape]

    assert len(bent) >= 3
    assert all(len(class_.shape) > 1 and len(class_.shape[0]) > 1 for class_ in bent)


def test_in_advanced_salvo_only_the_number_is_told():
    assert RuleUse("report", {"level": "count"}) in REGISTRY.variant("advanced-salvo").rules


def test_a_variant_on_a_tradition_has_no_source_of_its_own():
    assert not REGISTRY.variant("russian").but(id="mine").source


def test_a_source_is_a_text():
    with pytest.raises(VariantError, match="source"):
        REGISTRY.book(REGISTRY.variant("classic").but(id="mine", source=5))


def test_the_first_board_game_is_classic():
    assert count_placements(REGISTRY.variant("milton-bradley-1967")) == 30_093_975_536
