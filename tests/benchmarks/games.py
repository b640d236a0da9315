"""The games that are measured: drawn beforehand, the same for every engine, and how irontide plays them."""

from collections.abc import Iterator, Sequence
from itertools import chain
from random import Random
from string import ascii_lowercase
from typing import Any, TypeAlias

import attrs

from irontide import Command, Fire, Grid, Match, Options, PlaceFleet, UseAbility

Fleet: TypeAlias = dict[str, list[str]]
"""For each class id the names of its ship's cells, the longest ship first."""

Move: TypeAlias = tuple[type[Command], tuple[Any, ...]]
"""A command that is still to be made: its class and its arguments."""

CELLS = tuple(Grid(10, 10).names)


@attrs.frozen
class Game:
    """Seats, their fleets, and for each all cells in the order in which it shoots; the first seat begins."""

    seed: int
    seats: tuple[str, str]
    fleets: tuple[Fleet, Fleet]
    orders: tuple[tuple[str, ...], tuple[str, ...]]

    @property
    def shots(self) -> tuple[str, ...]:
        """The shots of Classic, by turns, up to the one that sinks the last ship."""
        lasts = [
            max(order.index(cell) for cell in chain(*fleet.values()))
            for order, fleet in zip(self.orders, reversed(self.fleets), strict=True)
        ]
        by_turns = tuple(chain.from_iterable(zip(*self.orders, strict=True)))
        return by_turns[: min(2 * lasts[0], 2 * lasts[1] + 1) + 1]

    @property
    def winner(self) -> int:
        """Who fires Classic's last shot: 0 is the first seat, 1 the second."""
        return 1 - len(self.shots) % 2

    @property
    def moves(self) -> list[Move]:
        """The commands of Classic."""
        placing: list[Move] = [(PlaceFleet, (seat, fleet)) for seat, fleet in zip(self.seats, self.fleets, strict=True)]
        return placing + [(Fire, (self.seats[turn % 2], cell)) for turn, cell in enumerate(self.shots)]


def draw(seed: int) -> Game:
    """Return the random game of this number.

    Its seats have names of their own, as the players of a host do: what the engine keeps of one match, as the text of
    an event, must not make the next one look quick. All first seats' names have three letters, all second ones' two.
    """
    pair = ascii_lowercase[seed // 26 % 26] + ascii_lowercase[seed % 26]
    seats = f"a{pair}", pair
    chance = Random(seed)  # noqa: S311 - the same games each time
    host = Match.new("classic", seats=seats, seed=seed)
    one, other = (
        {ship: list(placement.cells) for ship, placement in host.random_placement(seat).items()} for seat in seats
    )
    first, second = (tuple(chance.sample(CELLS, len(CELLS))) for _ in seats)
    return Game(seed, seats, (one, other), (first, second))


def moves_of(match: Match) -> list[Move]:
    """Return the commands of a match that was played, to play it again."""
    commands = [commit.command for commit in match.commits if commit.command is not None]
    return [(type(command), attrs.astuple(command, recurse=False)) for command in commands]


def play(variant: str, game: Game, moves: Sequence[Move]) -> Match:
    """Submit these commands, and ask nothing."""
    match = Match.new(variant, seats=game.seats, seed=game.seed)
    for kind, arguments in moves:
        match.submit(kind(*arguments))
    return match


def play_asking(variant: str, game: Game, moves: Sequence[Move]) -> Match:
    """Submit these commands, and read before every command of the battle all that may be done."""
    match = Match.new(variant, seats=game.seats, seed=game.seed)
    for kind, arguments in moves:
        if kind is not PlaceFleet:
            read(match.options(arguments[0]))
        match.submit(kind(*arguments))
    return match


def read(options: Options) -> dict[str, list[Any]]:
    """Read all that a seat may do: list the open cells, and return the targets of each ability, listed."""
    _ = list(options.fire.cells), options.fire.count
    return {id_: list(option.targets) for id_, option in options.abilities.items()}


def play_tactical(game: Game) -> Match:
    """Play Tactical: a random ability at a random target whenever one can be paid for, else the next open cell."""
    match = Match.new("tactical", seats=game.seats, seed=game.seed)
    for owner, fleet in zip(game.seats, game.fleets, strict=True):
        match.submit(PlaceFleet(owner, fleet))
    chance = Random(game.seed)  # noqa: S311 - the same games each time
    shots = {seat: iter(order) for seat, order in zip(game.seats, game.orders, strict=True)}
    while (seat := match.seat_to_move) is not None:
        match.submit(_choose(match.options(seat), chance, shots[seat], match.grid))
    return match


def _choose(options: Options, chance: Random, shots: Iterator[str], grid: Grid) -> Command:
    targets = read(options)
    usable = [id_ for id_, option in options.abilities.items() if option.refusal is None]
    if usable:
        id_ = chance.choice(usable)
        return UseAbility(options.seat, id_, chance.choice(targets[id_]) if targets[id_] else None)
    cells, count = options.fire.cells, options.fire.count
    is_open = (name for name in shots if grid.cell(name) in cells)
    return Fire(options.seat, [next(is_open) for _ in range(count)])
