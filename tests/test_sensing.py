"""Sensing: what scans and seekers find, what rules make them find, and where they are blind."""

import pytest

import irontide
from irontide import (
    Ability,
    Fire,
    Grid,
    Mark,
    Match,
    OneCell,
    PlaceFleet,
    Registry,
    Rule,
    Scan,
    ShipClass,
    Shot,
    UseAbility,
    Variant,
    ability,
    adjusts,
    rule,
)
from irontide.testing import Bundle

SEATS = ("ada", "bo")
FLEET = {"cruiser": "A1-A3", "destroyer": "D1-E1"}
GRID = Grid(5, 5)
BASE = Variant("base", grid=GRID, fleet=(ShipClass("cruiser", 3), ShipClass("destroyer", 2)))


@ability("test.dummy", target=OneCell(side="own"))
class Dummy(Ability):
    """Scans take the cell for a ship's."""

    def use(self, ctx, cell):
        yield Mark(on=cell.cells)

    @adjusts("sensed")
    def add(self, ctx, cells):
        return cells | {cell for mark in ctx.marks for cell in mark.on}


@rule("test.fog")
class Fog(Rule):
    """Nothing is seen of row 1."""

    @adjusts("blind")
    def hide(self, ctx, cells):
        return cells | ctx.grid.row(1)


def begun(use, *rules: type[Rule]) -> Match:
    """Return a match in which ada is to move: `test.act` of her cruiser does this, her destroyer lays dummies."""
    act = ability("test.act")(type("Act", (Ability,), {"use": use}))

    registry = Registry.default()
    registry.register(Bundle([act, Dummy, *rules]), "test")
    variant = BASE.but(
        id="test.sensing",
        abilities={"cruiser": "test.act", "destroyer": "test.dummy"},
        rules=[class_.id for class_ in rules],
        drops=["core.one_ability"],
    )
    match = Match.new(variant, seats=SEATS, seed=7, registry=registry, strict=True)
    for seat in SEATS:
        match.submit(PlaceFleet(seat, FLEET))
    return match


def scanned(match: Match) -> dict[str, object]:
    """Return what ada is told when she scans."""
    match.submit(UseAbility("ada", "test.act"))
    told = match.told("ada")[-1]
    return {name: told[name] for name in ("count", "any", "cells", "ships", "distance", "blind") if name in told}


def scan(*cells: str, **asked: str):
    def use(self, ctx, nothing):
        yield Scan(ctx.grid.cells(*cells), **asked)

    return use


@pytest.mark.parametrize(
    ("cells", "asked", "found"),
    [
        ("A1 B1 C1 D1 E1", {"tell": "ships"}, {"ships": 2}),
        ("D1 E1", {"tell": "ships"}, {"ships": 1}),
        ("B1 C1", {"tell": "ships"}, {"ships": 0}),
        ("C1", {"tell": "distance"}, {"distance": 1}),
        ("A1", {"tell": "distance"}, {"distance": 0}),
        ("C5 D5", {"tell": "distance"}, {"distance": 2}),
        ("E5", {"tell": "distance"}, {"distance": 4}),
    ],
)
def test_a_scan_counts_different_ships_or_tells_how_far_the_nearest_is(cells, asked, found):
    assert scanned(begun(scan(*cells.split(), **asked))) == found


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ({"tell": "ships"}, {"ships": 0}),
        ({"tell": "ships", "of": "any"}, {"ships": 1}),
        ({"tell": "count", "of": "afloat"}, {"count": 0}),
        ({"tell": "distance"}, {"distance": 2}),
    ],
)
def test_hit_and_sunk_ships_are_found_only_where_they_are_asked_for(asked, found):
    match = begun(scan("D1", **asked))
    for seat, cell in (("ada", "D1"), ("bo", "D1"), ("ada", "E1"), ("bo", "D2")):
        match.submit(Fire(seat, cell))
    if asked["tell"] == "distance":
        found = {"distance": 3}

    assert scanned(match) == found


@pytest.mark.parametrize("of", ["unhit", "afloat", "any"])
@pytest.mark.parametrize(
    ("tell", "usual"),
    [("cells", "any"), ("ships", "afloat"), ("count", "unhit"), ("any", "unhit"), ("distance", "unhit")],
)
def test_both_are_told_which_ship_cells_a_scan_looked_for(tell, usual, of):
    match = begun(scan("A1", "B1", tell=tell, of=of))
    commit = match.submit(UseAbility("ada", "test.act"))

    assert commit.events[-1].of == (None if of == usual else of)
    for seat in (*SEATS, None):
        assert match.told(seat)[-1]["of"] == of
        assert irontide.fold_view(match.variant, seat, match.told(seat)) == match.view(seat)
    assert match.view("ada").target.scans[0].of == of
    again = Match.loads(match.dumps())
    assert (again.commits, again.told("bo")) == (match.commits, match.told("bo"))


def test_a_hit_ship_is_found_as_long_as_it_floats():
    match = begun(scan("D1", tell="ships", of="afloat"))
    match.submit(Fire("ada", "D1"))
    match.submit(Fire("bo", "D2"))

    assert scanned(match) == {"ships": 1}


@pytest.mark.parametrize(
    ("tell", "found"),
    [
        ("cells", {"cells": ["D1", "C5"]}),
        ("count", {"count": 2}),
        ("any", {"any": True}),
        ("ships", {"ships": 2}),
        ("distance", {"distance": 0}),
    ],
)
def test_what_is_taken_for_a_ship_cell_is_one_to_every_scan(tell, found):
    match = begun(scan("C5", "D1", tell=tell))
    match.submit(Fire("ada", "E5"))
    match.submit(UseAbility("bo", "test.dummy", "C5"))
    match.submit(Fire("bo", "E5"))

    assert scanned(match) == found


@pytest.mark.parametrize(
    ("tell", "found"),
    [
        ("cells", {"cells": ["A2"], "blind": ["A1", "B1"]}),
        ("count", {"count": 1, "blind": ["A1", "B1"]}),
        ("any", {"any": True, "blind": ["A1", "B1"]}),
        ("ships", {"ships": 1, "blind": ["A1", "B1"]}),
        ("distance", {"distance": 0, "blind": ["A1", "B1", "C1", "D1", "E1"]}),
    ],
)
def test_where_a_scan_is_blind_it_says_so_and_counts_nothing(tell, found):
    match = begun(scan("A1", "B1", "A2", tell=tell), Fog)

    assert scanned(match) == found
    assert "A1" in irontide.text(match.told("ada")[-1], "en").rsplit("nothing", 1)[-1]
    assert not {"count", "any", "ships", "distance", "blind"} & set(match.told("bo")[-1])
    assert match.told("bo")[-1]["area"] == ["A1", "B1", "A2"]


def test_outside_the_fog_a_scan_sees_all():
    assert scanned(begun(scan("A2", "B2", tell="count"), Fog)) == {"count": 1}


def test_a_distance_with_nothing_to_be_found_is_none():
    @rule("test.night")
    class Night(Rule):
        """Nothing is seen."""

        @adjusts("blind")
        def hide(self, ctx, cells):
            return ctx.sea

    match = begun(scan("C3", tell="distance"), Night)

    assert scanned(match) == {"blind": list(GRID.names)}
    assert irontide.text(match.told("ada")[-1], "en").startswith("ada's test.act at C3 finds no ship.")


def test_a_seeker_finds_what_a_scan_finds():
    def seek(self, ctx, nothing):
        yield Shot(min(ctx.sensed(), key=lambda cell: ctx.grid.squared(cell, "C4")))

    match = begun(seek, Fog)
    match.submit(Fire("ada", "E5"))
    match.submit(UseAbility("bo", "test.dummy", "C5"))
    match.submit(Fire("bo", "E5"))
    match.submit(UseAbility("ada", "test.act"))

    assert match.told("ada")[-1]["at"] == "C5"
    assert match.told("ada")[-1]["told"] == "water"


def test_a_rule_that_answers_with_anything_but_cells_is_at_fault():
    @rule("test.junk")
    class Junk(Rule):
        """Gives a number for cells."""

        @adjusts("sensed")
        def spoil(self, ctx, cells):
            return 3

    match = begun(scan("A1", tell="count"), Junk)

    with pytest.raises(irontide.PluginFault, match="answered 3 to 'sensed'"):
        match.submit(UseAbility("ada", "test.act"))


def test_before_there_is_a_fleet_nothing_is_found():
    from irontide.sensing import _ship_cells  # noqa: PLC0415 - no command scans before both fleets stand
    from irontide.state import State  # noqa: PLC0415 - for this one test

    assert _ship_cells(State(), 0, "any") == 0


def test_distances_between_cells():
    assert (GRID.distance("A1", "C4"), GRID.squared("A1", "C4")) == (3, 13)
    assert (GRID.distance("B2", "B2"), GRID.squared("E5", "E4")) == (0, 1)
