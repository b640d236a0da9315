"""The arena: bots against each other, one match or many. The same seed gives the same matches, whoever counts them."""

import statistics
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, Final

import attrs

from irontide import IrontideError, Match, PlaceFleet, Refused, Registry, Variant
from irontide_play.bots import Bot, source

SEATS: Final[tuple[str, str]] = ("a", "b")

LONGEST: Final = 20_000
"""Commands after which a match is given up: the bots get nowhere."""


class BotError(IrontideError):
    """A bot failed: it raised, gave a command that is refused, or never came to an end."""


@attrs.frozen
class Game:
    """One finished match, as the totals need it."""

    first: str
    winner: str | None
    reason: str
    turns: int
    """How many turns both seats took together."""


@attrs.frozen
class Totals:
    """Many finished matches between the bot of seat `a` and that of seat `b`, who take turns at moving first."""

    games: tuple[Game, ...]

    def data(self) -> dict[str, Any]:
        """Return them as JSON data; what `simulate --json` documents."""
        wins = Counter(game.winner for game in self.games)
        turns = [game.turns for game in self.games]
        return {
            "games": len(self.games),
            "wins": {seat: wins[seat] for seat in SEATS},
            "draws": wins[None],
            "wins_moving_first": sum(game.winner == game.first for game in self.games),
            "turns": {
                "mean": round(statistics.fmean(turns), 2) if turns else 0,
                "median": statistics.median(turns) if turns else 0,
                "least": min(turns, default=0),
                "most": max(turns, default=0),
            },
            "reasons": dict(sorted(Counter(game.reason for game in self.games).items())),
        }


def play_game(registry: Registry, variant: Variant, bots: Sequence[str], seed: int, number: int) -> Game:
    """Play match `number` of a series to its end.

    Raises:
        BotError: a bot failed.
        VariantError: the variant cannot be built.
        UnknownName: there is no such bot.

    """
    first = SEATS[number % 2]
    match = Match.new(variant, seats=SEATS, seed=f"{seed}:{number}", first=first, registry=registry)
    players: dict[str, Bot] = {
        seat: registry.bot(bot)(source(seed, number, seat)) for seat, bot in zip(SEATS, bots, strict=True)
    }
    names: dict[str, str] = dict(zip(SEATS, bots, strict=True))
    for seat in SEATS:
        match.submit(PlaceFleet(seat, match.random_placement(seat)))
    while (to_move := match.seat_to_move) is not None:
        if match.number > LONGEST:
            msg = f"the bots {bots[0]} and {bots[1]} have come to no end after {LONGEST} commands"
            raise BotError(msg)
        move(match, to_move, players[to_move], names[to_move])
    return _game(match, first)


def move(match: Match, seat: str, bot: Bot, name: str) -> None:
    """Let a bot act once for its seat.

    Raises:
        BotError: it raised, or its command is refused.

    """
    view, options = match.view(seat), match.options(seat)
    try:
        command = bot.command(view, options)
    except Exception as error:
        msg = f"the bot {name} failed: {type(error).__name__}: {error}"
        raise BotError(msg) from error
    try:
        if command.seat != seat:
            msg = f"the bot {name} gave a command for seat {command.seat}, not for its own, {seat}"
            raise BotError(msg)
        match.submit(command)
    except Refused as refused:
        if refused.refusals[0].code == "plugin_error":  # the ability's fault: it is off now, and the bot is asked again
            return
        msg = f"the bot {name} gave a command that is refused: {refused}"
        raise BotError(msg) from refused


def _game(match: Match, first: str) -> Game:
    outcome = match.outcome
    if outcome is None:
        msg = "the match came to a stop before its end"
        raise BotError(msg)
    turns = sum(event.type == "turn_started" for commit in match.commits for event in commit.events)
    return Game(first, outcome.winner, outcome.reason, turns)


def play_games(
    registry: Registry, variant: Variant, bots: Sequence[str], seed: int, numbers: Iterable[int]
) -> list[Game]:
    """Play the matches of these numbers."""
    return [play_game(registry, variant, bots, seed, number) for number in numbers]
