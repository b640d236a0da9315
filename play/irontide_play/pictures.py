"""Pictures: what an ability covers on the grid, and the ships of a fleet, as SVG.

They are drawn from what is declared and from nothing else, so they are the same wherever they are made.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, cast
from xml.sax.saxutils import escape

import attrs

from irontide import Grid, Ground, ShipClass, Target

SIZE: Final = 7
"""Rows and columns of the part of a grid that is shown."""
MIDDLE: Final = "D4"
CELL: Final = 14
"""Width and height of a cell, in pixels."""
GAP: Final = 10
"""Pixels between two grids, and around them."""

SEA, LINES = "#eef4f9", "#b7c6d2"
COVERED: Final = {"other": "#c8553d", "own": "#3d7d5c"}
"""The colour of covered cells, by whose grid they lie on."""
SHIP: Final = "#8595a3"

EXAMPLE: Final = Ground(Grid(SIZE, SIZE), (ShipClass("cruiser", 3),), ("sonar",))
"""Where targets are shown: a grid with a middle, one ship, one ability."""
BERTH: Final = ("C2", "D2", "E2")
"""Where the ship of the example lies."""


@attrs.frozen
class Choice:
    """One choice of a target to be shown: its cells, the cell that names it, and a ship that it is about."""

    cells: tuple[str, ...]
    named: str | None = None
    ship: tuple[str, ...] = ()


def choices(target: Target) -> tuple[Choice, ...]:
    """Return choices that show the target: one of each way to turn it, in the middle where that can be.

    One without cells if it covers none.
    """
    shown: dict[str | None, Choice] = {}
    spots = target.spots(EXAMPLE)
    for json in sorted(spots, key=_far):
        words: Mapping[str, str] = cast("Any", json) if isinstance(json, Mapping) else {}
        named = json if isinstance(json, str) else words.get("at") or words.get("from")
        ship = BERTH if "ship" in words else ()
        cells = tuple(map(EXAMPLE.grid.name, spots[json].cells)) or ship
        shown.setdefault(words.get("axis"), Choice(cells, named, ship))
    return tuple(shown.values())


def _far(json: object) -> tuple[bool, bool]:
    """Return how far a choice is from being named by the middle cell: by that, by one in its row, by another."""
    return MIDDLE not in str(json), MIDDLE[1:] not in str(json)


def covers(title: str, target: Target) -> str:
    """Return a picture of what a target covers: a grid for each way to turn it."""
    panels = [
        _grid(choice, COVERED[target.side], GAP + place * (SIZE * CELL + GAP))
        for place, choice in enumerate(choices(target))
    ]
    return _svg(title, GAP + len(panels) * (SIZE * CELL + GAP), SIZE * CELL + 2 * GAP, panels)


def _grid(choice: Choice, colour: str, left: int) -> str:
    return "\n".join(
        [
            _cells(_places(EXAMPLE.grid.names), SEA, left),
            _cells(_places(choice.ship), SHIP, left),
            _cells(_places(choice.cells), colour, left),
            *(_dot(place, left) for place in _places([choice.named] if choice.named else [])),
        ]
    )


def fleet(title: str, ships: Sequence[ShipClass]) -> str:
    """Return a picture of all ships of a fleet, each class as often as the fleet has it."""
    drawn: list[str] = []
    left = wide = 0
    tall = max((len(_rows(ship)) for ship in ships), default=0)
    for ship in ships:
        for _ in range(ship.count):
            rows = _rows(ship)
            places = [(c, r) for r, row in enumerate(rows) for c, mark in enumerate(row) if mark == "x"]
            drawn.append(_cells(places, SHIP, GAP + left))
            wide = left + len(rows[0]) * CELL
            left = wide + GAP
    return _svg(title, wide + 2 * GAP, tall * CELL + 2 * GAP, drawn)


def _rows(ship: ShipClass) -> Sequence[str]:
    return ship.shape or ("x" * ship.length,)


def _places(names: Iterable[str]) -> list[tuple[int, int]]:
    return [EXAMPLE.grid.position(name) for name in names]


def _cells(places: Iterable[tuple[int, int]], colour: str, left: int) -> str:
    squares = "".join(f"M{left + c * CELL} {GAP + r * CELL}h{CELL}v{CELL}h-{CELL}z" for c, r in places)
    return f'<path d="{squares}" fill="{colour}" stroke="{LINES}"/>' if squares else ""


def _dot(place: tuple[int, int], left: int) -> str:
    column, row = place
    x, y = left + column * CELL + CELL // 2, GAP + row * CELL + CELL // 2
    return f'<circle cx="{x}" cy="{y}" r="3" fill="#222" stroke="#fff"/>'


def _svg(title: str, width: int, height: int, parts: Iterable[str]) -> str:
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}">'
    return "\n".join([head, f"<title>{escape(title)}</title>", *filter(None, parts), "</svg>", ""])
