"""Other engines that play the same Classic games, as they stand; one that is not installed is left out."""

from collections.abc import Callable
from importlib import import_module
from typing import Any

import attrs
from games import Game

HORIZONTAL, VERTICAL = 100, 200
"""Where open_spiel's actions that place a ship begin; below are the shots, cell by cell."""

SPIEL = (
    "battleship(board_width=10,board_height=10,ship_sizes=[5;4;3;3;2],ship_values=[1;1;1;1;1],"
    "num_shots=100,allow_repeated_shots=false)"
)


@attrs.frozen
class Engine:
    """A contender: it gets ready for a game and plays it, of which only playing is timed.

    `fits` then tells from what `play` returned whether the game ended as it should.
    """

    name: str
    prepare: Callable[[Game], Any]
    play: Callable[[Any], Any]
    fits: Callable[[Any, Game], bool]


def battleship_tui() -> Engine:
    """Return battleship-tui's engine, without listeners.

    Raises:
        ImportError: it is not installed.

    """
    create_game = import_module("battleship.engine.api").create_game
    roster = import_module("battleship.engine.rosters").get_roster("classic")
    ids = {item.type: item.id for item in roster}

    def prepare(game: Game) -> Any:
        fleets = [[(cells, ids[ship]) for ship, cells in fleet.items()] for fleet in game.fleets]
        return fleets, [[cell] for cell in game.shots]

    def play(prepared: Any) -> Any:
        fleets, shots = prepared
        game = create_game("ada", "bo", roster, "alternately", False, False)
        first, second = players = game.actor, game.subject  # the engine draws who begins
        for player, fleet in zip(players, fleets, strict=True):
            for cells, id_ in fleet:
                game.add_ship(player, cells, id_)
        for shot in shots:
            game.turn(game.fire(shot))
        return game, first, second

    def fits(ended: Any, game: Game) -> bool:
        played, *players = ended
        return played.winner is players[game.winner]

    return Engine("battleship-tui", prepare, play, fits)


def open_spiel() -> Engine:
    """Return open_spiel's battleship, driven from Python by action numbers; it is not asked for its legal actions.

    Raises:
        ImportError: it is not installed.

    """
    spiel = import_module("pyspiel").load_game(SPIEL)

    def prepare(game: Game) -> list[int]:
        fleets = [[_placing(cells) for cells in fleet.values()] for fleet in game.fleets]
        by_turns = [action for ships in zip(*fleets, strict=True) for action in ships]
        return by_turns + [_number(cell) for cell in game.shots]

    def play(actions: list[int]) -> Any:
        state = spiel.new_initial_state()
        apply = state.apply_action
        for action in actions:
            apply(action)
        return state

    def fits(state: Any, game: Game) -> bool:
        one, other = state.returns()
        return bool(state.is_terminal()) and game.winner == int(other > one)

    return Engine("open_spiel", prepare, play, fits)


def _number(cell: str) -> int:
    return (int(cell[1:]) - 1) * 10 + ord(cell[0]) - ord("A")


def _placing(cells: list[str]) -> int:
    start, following = (_number(cell) for cell in cells[:2])
    return start + (HORIZONTAL if following == start + 1 else VERTICAL)


PEERS = {"battleship-tui": battleship_tui, "open_spiel": open_spiel}


def installed() -> tuple[list[Engine], list[str]]:
    """Return the peers that are there, and the names of those that are not."""
    found: list[Engine] = []
    missing: list[str] = []
    for name, load in PEERS.items():
        try:
            found.append(load())
        except ImportError:
            missing.append(name)
    return found, missing
