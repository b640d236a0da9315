"""Ships that are not straight: how their place is asked for, and how the lists of the fleets show them."""

import re

import pytest
from typer.testing import CliRunner

import irontide
from irontide import Match
from irontide_play.board import Mark
from irontide_play.cli import app
from irontide_play.drawn import how_to_name, turned_back
from irontide_play.entries import Reader
from irontide_play.news import News
from irontide_play.panel import Drawn, fleets
from irontide_play.screen import Size, draw

RUN = CliRunner()


def play(*args, lines=()):
    text = "".join(f"{line}\n" for line in lines)
    result = RUN.invoke(app, ["play", *map(str, args)], input=text, prog_name="irontide")
    assert result.exit_code == 0, result.output
    return result.stdout


def test_a_ship_that_is_not_straight_is_placed_by_its_cells_and_drawn():
    shown = play("shaped", "--seed", 1, lines=["place", "A1-A5", "A1 B1 A2 A3 B3", "quit"])
    naming = "Name all cells of the Dry Dock, as in A1 B1 C1 A2 C2. It may be turned:\n  ■■■\n  ■ ■\n"
    assert f"{naming}back takes a ship back, random places all.\nDry Dock, 5 cells> A1-A5\n" in shown
    assert f"its cells must have its length and shape.\n{naming}Dry Dock, 5 cells>" in shown
    assert "It may be turned and\n  flipped:\n  ■■■\n  ■\n" in shown
    assert re.search(r"Dry Dock +■■■\n.* {5}■ ■\n", shown)
    german = play("shaped", "--seed", 1, "--lang", "de", lines=["setzen", "A1"])
    naming = "auf denen das Schiff Trockendock liegt, etwa A1 B1 C1 A2 C2. Gedreht werden darf es: ■■■ ■ ■"
    assert " ".join(german.split()).count(naming) == 2


def test_a_ship_that_would_look_different_flipped_may_not_be():
    hook = irontide.ShipClass("hook", shape=("xxx", "x.."))
    variant = irontide.Registry.default().variant("classic").but(id="hooks", fleet=(hook,))
    match = Match.new(variant, seats=("a", "b"), seed=1)
    assert "It may be turned, but not flipped:\n  SSS\n  S" in how_to_name(match.view("a"), hook, "en", plain=True)


def test_a_drawn_ship_is_marked_in_its_list_as_it_was_hit_also_where_it_is_turned():
    dock = irontide.Registry.default().variant("shaped").fleet[0]
    grid = irontide.Grid(10, 10)
    lying = {grid.cell(name): Mark.SHIP for name in ("D4", "E4", "E5", "D6", "E6")}  # a quarter to the right
    marked = turned_back(dock, grid, {**lying, grid.cell("D6"): Mark.HIT})
    assert marked == [[Mark.SHIP] * 3, [Mark.SHIP, None, Mark.HIT]]


@pytest.mark.parametrize(
    ("columns", "rows", "drawn"), [(100, None, 2), (100, 40, 2), (100, 24, 1), (100, 18, 0), (70, 40, 2), (70, 24, 0)]
)
def test_the_fleets_are_drawn_as_far_as_there_is_room(columns, rows, drawn):
    match = Match.new("shaped", seats=("a", "b"), seed=1)
    match.submit(irontide.PlaceFleet("a", match.random_placement("a")))
    view = match.view("a")
    lines = draw(view, match.options("a"), News(), Reader({}, "en"), Size(columns, rows, plain=True))
    text = "\n".join("".join(piece.text for piece in line) for line in lines)
    assert len(re.findall(r"Dry Dock +SSS(?!S)", text)) == drawn, (columns, text)


def test_where_a_class_has_too_many_ships_to_draw_they_are_counted():
    tees = irontide.ShipClass("tee", shape=("xxx", ".x."), count=4)
    variant = irontide.Registry.default().variant("classic").but(id="tees", fleet=(tees,))
    match = Match.new(variant, seats=("a", "b"), seed=1)
    for seat in match.seats:
        match.submit(irontide.PlaceFleet(seat, match.random_placement(seat)))
    wreck = match.random_placement("b")["tee-2"].cells
    for at, answer in zip(wreck, match.grid.names, strict=False):
        match.submit(irontide.Fire("a", (at,)))
        match.submit(irontide.Fire("b", (answer,)))
    view = match.view("a")
    own, enemy = fleets(view, view.own.ships, "en", Drawn.BOTH, plain=True)
    assert ["".join(piece.text for piece in line).split() for line in (own[1], enemy[1])] == [
        ["tee", "4/4", "x", "4"],
        ["tee", "3/4", "x", "4"],
    ]
