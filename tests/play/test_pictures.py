"""Pictures: they show the cells that a target declares, and every ship of a fleet."""

from xml.etree import ElementTree as ET

import pytest

from irontide import Area, EnemyAbility, Lane, Line, Nothing, OneCell, OwnShip, Pattern, Registry, ShipClass
from irontide_play.pictures import COVERED, EXAMPLE, SHIP, choices, covers, fleet

SVG = "{http://www.w3.org/2000/svg}"
REGISTRY = Registry.default()


def squares(picture, colour):
    """Return how many squares of a colour are drawn."""
    paths = ET.fromstring(picture).iter(f"{SVG}path")  # noqa: S314 - made by the code under test
    return sum(path.get("d").count("M") for path in paths if path.get("fill") == colour)


def dots(picture):
    return picture.count("<circle")


@pytest.mark.parametrize(
    ("target", "shown"),
    [
        (Area(3, 3), [["C3", "D3", "E3", "C4", "D4", "E4", "C5", "D5", "E5"]]),
        (Line(3), [["C4", "D4", "E4"], ["D3", "D4", "D5"]]),
        (Line(2), [["D4", "E4"], ["D4", "D5"]]),
        (Pattern(["x.x", "...", "x.x"]), [["C3", "E3", "C5", "E5"]]),
        (Pattern(["x.x"], turns=True), [["C4", "E4"], ["D3", "D5"]]),
        (Lane(), [["A4", "B4", "C4", "D4", "E4", "F4", "G4"]]),
        (OneCell(side="own"), [["D4"]]),
        (Nothing(), [[]]),
        (EnemyAbility(), [[]]),
        (OwnShip(), [["C2", "D2", "E2"]]),
        (OwnShip(to=True), [["B4", "C4", "D4"]]),
    ],
)
def test_a_picture_shows_the_cells_of_a_choice_in_the_middle(target, shown):
    picture = covers("what it covers", target)

    assert [sorted(choice.cells) for choice in choices(target)] == [sorted(cells) for cells in shown]
    assert squares(picture, COVERED[target.side]) == sum(map(len, shown))
    assert squares(picture, "#eef4f9") == len(EXAMPLE.grid.names) * len(shown)


@pytest.mark.parametrize("id_", REGISTRY.abilities)
def test_of_each_ability_a_cell_that_names_the_target_has_a_dot(id_):
    target = REGISTRY.ability(id_).target

    assert dots(covers(id_, target)) == sum(choice.named is not None for choice in choices(target))
    assert covers(id_, target) == covers(id_, target)


def test_a_ship_that_moves_is_shown_where_it_was():
    picture = covers("relocate", OwnShip(to=True))

    assert (squares(picture, SHIP), squares(picture, COVERED["own"])) == (3, 3)


def test_a_fleet_is_drawn_ship_by_ship():
    ships = [ShipClass("atoll", shape=("xx", "x.")), ShipClass("cruiser", 3, count=2)]

    assert squares(fleet("a fleet", ships), SHIP) == 3 + 2 * 3


def test_a_title_is_text():
    assert "<title>this &lt; that &amp; more</title>" in covers("this < that & more", Nothing())
