"""What a failed test shows: both grids as they truly are, the events with their causes, and who was asked."""

from collections.abc import Iterable, Mapping
from string import ascii_lowercase

from irontide.grid import Cell
from irontide.jsonforms import to_json
from irontide.log import Commit
from irontide.match import Match
from irontide.testing.watch import Asked
from irontide.view import OwnSide


def report(match: Match, since: int, asked: Iterable[Asked]) -> str:
    """Return the truth of a match, with the commits after number `since` and the rules asked meanwhile."""
    commits = (
        "\n".join(map(tree, match.commits[since:]))
        or f"(no command since commit {since}; what `given` brought is not looked at)"
    )
    order = "\n".join(f"  {number}. {each}" for number, each in enumerate(asked, 1)) or "  nobody"
    return f"{grids(match)}\n\n{commits}\n\nrules asked, in this order:\n{order}"


def grids(match: Match) -> str:
    """Return both grids side by side, with all ships."""
    signs = _signs(match)
    boards = [_board(match, seat, signs) for seat in match.seats]
    ships = ", ".join(f"{sign} {class_}" for class_, sign in signs.items())
    rows = [f"{left}   {right}" for left, right in zip(*boards, strict=True)]
    return "\n".join([*rows, f"({ships}; small where hit; * is a shot at water)"])


def _signs(match: Match) -> dict[str, str]:
    """Return a letter for each class: one of its own id, if that is free."""
    signs: dict[str, str] = {}
    for class_ in match.variant.fleet:
        free = [letter for letter in f"{class_.id}{ascii_lowercase}".upper() if letter not in signs.values()]
        signs[class_.id] = next((letter for letter in free if letter.isalpha()), "?")
    return signs


def _board(match: Match, seat: str, signs: Mapping[str, str]) -> list[str]:
    grid, side = match.grid, match.view(seat).own
    head = "   " + " ".join(name.rstrip("0123456789") for name in grid.names[: grid.columns])
    rows = [range(start, start + grid.columns) for start in range(0, grid.size, grid.columns)]
    lines = [f"{n:2} " + " ".join(_sign(side, Cell(cell), signs) for cell in row) for n, row in enumerate(rows, 1)]
    return [f"{seat}'s grid".ljust(len(head)), head, *lines]


def _sign(side: OwnSide, cell: Cell, signs: Mapping[str, str]) -> str:
    for ship in side.ships.values():
        if cell in ship.cells:
            return signs[ship.class_id].lower() if cell in ship.hits else signs[ship.class_id]
    return "*" if cell in side.shots else "."


def tree(commit: Commit) -> str:
    """Return a commit's events, each under the one that caused it."""
    command = "(no command)" if commit.command is None else _fields(to_json(commit.command))
    depth: list[int] = []
    lines = [f"commit {commit.number}: {command}"]
    for event in commit.events:
        depth.append(0 if event.cause is None else depth[event.cause] + 1)
        lines.append(f"{'  ' * (depth[-1] + 1)}{_fields(to_json(event))}")
    return "\n".join(lines)


def _fields(data: dict[str, object]) -> str:
    shown = [f"{name}={value}" for name, value in data.items() if name not in {"type", "cause"} and value is not None]
    return " ".join([str(data["type"]), *shown])
