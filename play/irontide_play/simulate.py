"""The command `simulate`: many matches between bots, in one process or several, and what came of them."""

import json
import multiprocessing
import sys
from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from functools import partial
from secrets import randbelow
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

from irontide import Registry, Variant, load_variant
from irontide_play.arena import SEATS, Game, Totals, play_games
from irontide_play.host import JsonOption, find_bot, find_variant, is_file_name, load_registry, one_line_errors

BATCH = 25
"""Matches that a process plays before it reports."""


def simulate(  # noqa: PLR0913 - the options of the command
    variant: Annotated[str, typer.Argument(help="A variant's id or TOML file.")],
    *,
    games: Annotated[int, typer.Option(min=1, help="How many matches.")],
    seed: Annotated[
        int | None, typer.Option(help="Of all chance: the same seed, the same totals. Random if left out; it is shown.")
    ] = None,
    bots: Annotated[
        tuple[str, str], typer.Option(help="The bots of the seats a and b: hunter, random, or a plugin's.")
    ] = ("hunter", "hunter"),
    jobs: Annotated[int, typer.Option(min=1, help="How many processes; the totals are the same.")] = 1,
    as_json: JsonOption = False,
) -> None:
    """Let bots play matches against each other and print what came of them.

    The seats a and b take turns at moving first. --json prints one object: variant, seed, bots (by seat), games,
    wins (by seat), draws, wins_moving_first (of whichever seat it was), turns (mean, median, least, most: both seats'
    turns together) and reasons (how often a match ended by each).
    """
    seed = randbelow(10**6) if seed is None else seed
    registry = load_registry()
    found = find_variant(registry, variant)
    for bot in bots:
        find_bot(registry, bot)
    with one_line_errors():
        registry.book(found)
        played = _played(registry, found, variant, bots, seed, games, jobs)
        totals = Totals(tuple(_watched(played, games, quiet=as_json)))
    data = {"variant": found.id, "seed": seed, "bots": dict(zip(SEATS, bots, strict=True)), **totals.data()}
    typer.echo(json.dumps(data) if as_json else _table(data))


def _played(  # noqa: PLR0913, PLR0917 - what a series of matches is made of
    registry: Registry, variant: Variant, name: str, bots: Sequence[str], seed: int, games: int, jobs: int
) -> Generator[list[Game]]:
    batches = [range(start, min(start + BATCH, games)) for start in range(0, games, BATCH)]
    if jobs == 1:
        for numbers in batches:
            yield play_games(registry, variant, bots, seed, numbers)
        return
    context = multiprocessing.get_context("spawn")  # a fork would copy threads, such as the progress bar's
    with ProcessPoolExecutor(min(jobs, len(batches)), mp_context=context) as pool:
        yield from pool.map(partial(_batch, name, bots, seed), batches)


def _batch(name: str, bots: Sequence[str], seed: int, numbers: range) -> list[Game]:
    """Play matches in a process of their own, which finds bots and variant by their names."""
    registry = Registry.default()
    variant = load_variant(name, registry) if is_file_name(name) else registry.variant(name)
    return play_games(registry, variant, bots, seed, numbers)


def _watched(played: Generator[list[Game]], games: int, *, quiet: bool) -> Iterator[Game]:
    """Yield all games, with a progress bar on standard error if that is a terminal."""
    columns = BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    shown = sys.stderr.isatty() and not quiet
    bar = Progress(*columns, console=Console(stderr=True), transient=True, disable=not shown)
    with closing(played), bar:
        task = bar.add_task("", total=games)
        for batch in played:
            yield from batch
            bar.advance(task, len(batch))


def _table(data: dict[str, Any]) -> str:
    games = data["games"]
    turns = data["turns"]
    rows = [("games", f"{games} of {data['variant']}, seed {data['seed']}")]
    rows += [(f"{bot} ({seat})", _share(data["wins"][seat], games)) for seat, bot in data["bots"].items()]
    rows += [("draws", _share(data["draws"], games)), ("moving first", _share(data["wins_moving_first"], games))]
    rows += [("turns", f"mean {turns['mean']}, median {turns['median']:g}, {turns['least']} to {turns['most']}")]
    rows += [("ended by", ", ".join(f"{reason} {count}" for reason, count in data["reasons"].items()))]
    wide = max(len(name) for name, _ in rows)
    return "\n".join(f"{name:<{wide}}  {value}" for name, value in rows)


def _share(count: int, games: int) -> str:
    return f"{count} ({count / games:.1%})"
