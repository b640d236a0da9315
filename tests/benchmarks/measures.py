"""The measures. Each plays its contenders in alternation, game by game, and compares them within each round."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TypeAlias

import attrs
from figures import Figure, at_least, at_most, ratios, timed
from games import Game, Move, draw, moves_of, play, play_asking, play_tactical
from peers import Engine

from irontide import Match, Registry, ShipClass, Variant, count_placements
from irontide.evolve import fold

CLASSIC = Registry.default().variant("classic")

WIDER = CLASSIC.but(id="bench.12x10", grid={"columns": 12, "rows": 10})

CROWDED = CLASSIC.but(
    id="bench.crowded",
    fleet=[
        ShipClass("carrier", 5),
        ShipClass("battleship", 4, count=2),
        ShipClass("cruiser", 3, count=3),
        ShipClass("destroyer", 2, count=4),
    ],
    rules=["no_touching"],
)

COUNTS = ((CLASSIC, 30_093_975_536, 15.0), (WIDER, 101_832_786_704, 60.0))
"""Variants, the number of their fleets, and the seconds in which it must be counted."""

DEMANDS = {"battleship-tui": at_least(2, aim=3), "open_spiel": at_least(10, aim=15)}
"""How many times a peer's speed is demanded."""

Rounds: TypeAlias = Sequence[Sequence[Game]]
"""The games of each round. The first round warms up and is not counted."""

Seconds: TypeAlias = dict[str, list[float]]
"""For each contender what it took in each round that counts."""


def draw_rounds(rounds: int, games: int, numbers: Iterator[int]) -> Rounds:
    """Return the games of the next numbers for so many rounds that count, and for one more to warm up."""
    return [[draw(next(numbers)) for _ in range(games)] for _ in range(rounds + 1)]


# Speed


def _irontide(name: str, variant: str, player: Callable[..., Match]) -> Engine:
    """Return irontide as a contender that plays a variant in this way; the commands are drawn beforehand."""

    def fits(match: Match, game: Game) -> bool:
        winner = None if match.outcome is None else match.outcome.winner
        return winner in game.seats if variant == "tactical" else winner == game.seats[game.winner]

    def moves(game: Game) -> list[Move]:
        return moves_of(play_tactical(game)) if variant == "tactical" else game.moves

    return Engine(name, lambda game: (game, moves(game)), lambda ready: player(variant, *ready), fits)


IRONTIDE = (
    _irontide("Classic", "classic", play),
    _irontide("Classic, asking", "classic", play_asking),
    _irontide("Tactical, asking", "tactical", play_asking),
)


def speed(rounds: Rounds, peers: Sequence[Engine]) -> list[Figure]:
    """Measure how fast games are played: Classic against the peers, Classic asking for options, Tactical."""
    took = _alternate([*IRONTIDE, *peers], rounds)
    plain, asking, tactical = (took[each.name] for each in IRONTIDE)
    games = [len(each) for each in rounds[1:]]
    return [
        *(_against(peer.name, ratios(took[peer.name], plain)) for peer in peers),
        Figure("Classic, asking: games a second, of those without", "x", ratios(plain, asking), at_least(0.35)),
        Figure("Tactical, asking: games a second, of Classic's", "x", ratios(asking, tactical), at_least(0.14)),
        _by_command(rounds[1:], asking, tactical),
        *(Figure(f"a game: {name}", "ms", ratios([1e3 * each for each in took[name]], games)) for name in took),
    ]


def _against(peer: str, times: tuple[float, ...]) -> Figure:
    return Figure(f"Classic: games a second, of {peer}'s", "x", times, DEMANDS.get(peer))


def _by_command(rounds: Rounds, asking: Sequence[float], tactical: Sequence[float]) -> Figure:
    """Compare Tactical with Classic command by command, as its games are longer."""
    shots = [sum(len(game.shots) for game in games) for games in rounds]
    commands = [sum(play_tactical(game).number - len(game.seats) for game in games) for games in rounds]
    a_shot, a_command = ratios(asking, shots), ratios(tactical, commands)
    return Figure("Tactical, asking: commands a second, of Classic's", "x", ratios(a_shot, a_command))


def _alternate(contenders: Sequence[Engine], rounds: Rounds) -> Seconds:
    """Let each play the games of a round in one go, another one first each time.

    One game takes a millisecond: timed alone it would mostly show how cold the processor's caches were.
    """
    took: Seconds = {each.name: [0.0] * len(rounds) for each in contenders}
    for number, games in enumerate(rounds):
        first = number % len(contenders)
        for each in (*contenders[first:], *contenders[:first]):
            took[each.name][number] = _played(each, games)
    return {name: seconds[1:] for name, seconds in took.items()}


def _played(engine: Engine, games: Sequence[Game]) -> float:
    """Return the seconds of some games.

    Raises:
        RuntimeError: one did not end as it should, so that its time means nothing.

    """
    ready = [engine.prepare(game) for game in games]
    ended, seconds = timed(lambda: [engine.play(each) for each in ready])
    for end, game in zip(ended, games, strict=True):
        if not engine.fits(end, game):
            raise RuntimeError(f"{engine.name}: game {game.seed} did not end as it should")
    return seconds


# Logs


@attrs.frozen
class Work:
    """The seconds of one round's work with logs, and what was worked on."""

    live: float
    fold: float
    write: float
    read: float
    size: int
    events: int


def _work(variant: str, games: Sequence[Game]) -> Work:
    """Play matches, write and read their logs, and fold the events that were read; each of it for all in one go.

    Raises:
        RuntimeError: what was read or folded is not the match that was played.

    """
    ready = [(game, game.moves if variant == "classic" else moves_of(play_tactical(game))) for game in games]
    matches, live = timed(lambda: [play(variant, *each) for each in ready])
    texts, write = timed(lambda: [match.dumps() for match in matches])
    again, read = timed(lambda: [Match.loads(text) for text in texts])
    folded = [(match.at(0).state, [commit.events for commit in match.commits]) for match in again]
    seconds = timed(lambda: [fold(*each) for each in folded])[1]
    for match, other, (state, _) in zip(matches, again, folded, strict=True):
        if not state == match.state == other.state:
            raise RuntimeError(f"{variant}: the match of seed {match.seed} is not the fold of its log")
    events = sum(len(commit.events) for match in matches for commit in match.commits)
    return Work(live, seconds, write, read, sum(len(text.encode()) for text in texts), events)


def logs(variant: str, rounds: Rounds) -> list[Figure]:
    """Measure folding, writing and reading against live play that asks nothing."""
    return _log_figures(variant.capitalize(), [_work(variant, games) for games in rounds][1:])


def _log_figures(name: str, done: Sequence[Work]) -> list[Figure]:
    live, events = [each.live for each in done], [each.events for each in done]
    folding, both = [each.fold for each in done], [each.read + each.write for each in done]
    return [
        Figure(f"{name}: events a second folded, of live", "x", ratios(live, folding), at_least(4)),
        Figure(f"{name}: reading and writing the log, of playing", "x", ratios(both, live), at_most(4)),
        Figure(f"{name}: log", "bytes an event", ratios([each.size for each in done], events), at_most(100)),
        Figure(f"{name}: reading the log, of playing", "x", ratios([each.read for each in done], live)),
        Figure(f"{name}: writing the log, of playing", "x", ratios([each.write for each in done], live)),
        Figure(f"{name}: live", "µs an event", ratios([1e6 * each for each in live], events)),
    ]


# Fleets


def counting(cases: Sequence[tuple[Variant, int, float]]) -> list[Figure]:
    """Measure how long it takes to count all legal fleets."""
    return [_counted(*case) for case in cases]


def _counted(variant: Variant, number: int, most: float) -> Figure:
    counted, seconds = timed(lambda: count_placements(variant))
    if counted != number:
        raise RuntimeError(f"{variant.id}: counted {counted} fleets, not {number}")
    return Figure(f"counting {number:,} fleets", "s", (seconds,), at_most(most))


def placing(draws: int, variant: Variant = CROWDED) -> Figure:
    """Measure how long a random fleet takes where ships have little room; each draw is of another match."""
    matches = [Match.new(variant, seats=("ada", "bo"), seed=seed) for seed in range(draws)]
    took = tuple(1e3 * timed(partial(match.random_placement, "ada"))[1] for match in matches)
    return Figure("a random fleet of 5, 2x4, 3x3, 4x2 without touching", "ms", took, at_most(50, each=True))
