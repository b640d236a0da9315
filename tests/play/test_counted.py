"""What stays on the screen of scans and of shots without answers: on the grid, or else in a line."""

import pytest
from typer.testing import CliRunner

import irontide
from irontide import Match
from irontide_play.board import Mark, target_marks
from irontide_play.cli import app
from irontide_play.counted import counted, counted_lines

RUN = CliRunner()


def play(*args, lines=()):
    text = "".join(f"{line}\n" for line in lines)
    result = RUN.invoke(app, ["play", *map(str, args)], input=text, prog_name="irontide")
    assert result.exit_code == 0, result.output
    return result.stdout


def in_order(cells):
    grid = irontide.Grid(10, 10)
    return " ".join(grid.list(grid.cells(*cells)))


def test_shots_without_an_answer_stay_on_the_grid_until_a_report_tells_them():
    secret = Match.new("advanced-salvo", seats=("Admiral", "Hunter"), seed=1).random_placement("Hunter")
    ships = [cell for place in secret.values() for cell in place.cells]
    water = [name for name in irontide.Grid(10, 10).names if name not in ships]
    mixed = [*ships[:2], *water[:3]]
    shown = play("advanced-salvo", "--seed", 1, lines=["", " ".join(mixed), " ".join(water[3:8]), "help"])
    board, _, legend = shown.rpartition("Admiral to move")[2].partition("> help")
    assert board.count("+") == len(mixed)
    assert f"Still open: {in_order(mixed)}: hits 2\n" in board
    assert "+ shot, no answer" in legend
    assert "Noch offen:" in play("advanced-salvo", "--seed", 1, "--lang", "de", lines=["", " ".join(mixed)])


def test_a_report_of_nothing_but_hits_is_on_the_grid():
    match = Match.new("advanced-salvo", seats=("a", "b"), seed=1)
    for seat in match.seats:
        match.submit(irontide.PlaceFleet(seat, match.random_placement(seat)))
    hit = match.random_placement("b")["carrier"].cells[:4] + match.random_placement("b")["battleship"].cells[:1]
    match.submit(irontide.Fire("a", hit))
    view = match.view("a")
    assert target_marks(view) == dict.fromkeys(view.grid.cells(*hit), Mark.HIT)
    assert not counted(view, "en")


def test_what_a_scan_counted_is_shown_until_its_area_is_shot():
    cells = [f"{letter}{row}" for row in (7, 8, 9) for letter in "GHI"]
    lines = ["", "sonar H8", *cells[:8], "", cells[8], ""]
    shown = play("tactical", "--seed", 1, lines=lines)
    assert "Still open: Sonar G7-I9: 5 of 9" in shown
    assert "Still open" not in shown.rpartition("Admiral to move")[2]


def view_with(*scans):
    told = Match.new("tactical", seats=("a", "b"), seed=1).told("a")
    scan = {"type": "cells_scanned", "by": "a", "ability": "sonar"}
    return irontide.fold_view("tactical", "a", [*told, *({**scan, **each} for each in scans)])


@pytest.mark.parametrize(
    ("area", "found", "said"),
    [
        ("A1 B1 A2 B2", {"tell": "any", "any": True}, ["Sonar A1-B2: a ship"]),
        ("A1 B1 A2", {"tell": "ships", "ships": 2}, ["Sonar A1 B1 A2: ships 2"]),
        ("C3", {"tell": "distance", "distance": 0}, ["Sonar C3: distance 0"]),
        ("A1 B1", {"tell": "count", "count": 1, "blind": ["B1"]}, ["Sonar A1: 1 of 1"]),
        ("A1 B1", {"tell": "count", "count": 0}, []),
        ("A1 B1", {"tell": "cells", "cells": ["A1"]}, []),
        ("A1 B1", {"tell": "distance"}, []),
    ],
)
def test_what_a_scan_found_has_a_short_form_unless_the_grid_shows_it(area, found, said):
    assert counted(view_with({"area": area.split(), **found}), "en") == said


def test_of_much_that_is_open_the_oldest_is_left_out():
    scans = [{"area": [name], "tell": "count", "count": 1} for name in irontide.Grid(10, 10).names]
    lines = counted_lines(view_with(*scans), "en", 60)
    assert len(lines) == 2
    assert lines[0].startswith("Still open: … · Sonar ")
    assert lines[-1].endswith("Sonar J10: 1 of 1")
    assert max(map(len, lines)) <= 60


def test_a_report_by_ship_names_the_ships():
    variant = irontide.Registry.default().variant("salvo").but(id="by-ship", rules=[{"use": "report", "level": "ship"}])
    match = Match.new(variant, seats=("a", "b"), seed=1)
    for seat in match.seats:
        match.submit(irontide.PlaceFleet(seat, match.random_placement(seat)))
    fleet = match.random_placement("b")
    ships = [cell for place in fleet.values() for cell in place.cells]
    water = [name for name in match.grid.names if name not in ships]
    cells = (*fleet["carrier"].cells[:2], fleet["cruiser"].cells[0], *water[:2])
    match.submit(irontide.Fire("a", cells))
    assert counted(match.view("a"), "en") == [f"{in_order(cells)}: hits Carrier 2, Cruiser 1"]


def test_nothing_is_open_after_the_end():
    match = Match.new("classic", seats=("a", "b"), seed=1)
    match.submit(irontide.Resign("a"))
    assert counted(match.view("b"), "en") == []
