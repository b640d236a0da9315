"""The command `play`: a match at the terminal, against a bot or between two people."""

from pathlib import Path
from typing import Annotated

import typer

from irontide import Match, Registry
from irontide_play.bots import source
from irontide_play.entries import Reader
from irontide_play.game import run
from irontide_play.host import Lang, LangOption, fail, find_variant, load_registry, on_terminal, one_line_errors
from irontide_play.labels import say
from irontide_play.session import Session
from irontide_play.terminal import Terminal, remember_entries

HUMAN = "human"


def play(  # noqa: PLR0913 - the options of the command
    variant: Annotated[str | None, typer.Argument(help="A variant's id or TOML file.", show_default="classic")] = None,
    *,
    opponent: Annotated[str, typer.Option(help="A bot's id, or human for two people at one keyboard.")] = "hunter",
    seed: Annotated[int | None, typer.Option(help="Of all chance: the same seed, the same match.")] = None,
    save: Annotated[Path | None, typer.Option(help="Keep the match in this file, after every move.")] = None,
    resume: Annotated[Path | None, typer.Option(help="Go on with the match of this file.")] = None,
    lang: LangOption = Lang.EN,
    color: Annotated[bool, typer.Option("--color/--no-color", help="Colours; NO_COLOR turns them off too.")] = True,
) -> None:
    """Play a match against a bot, or between two people.

    Without a terminal the moves come from standard input, a line each, and the match ends with them.
    """
    if resume is not None and (variant is not None or seed is not None):
        fail("--resume takes variant and seed from the file: give either")
    registry = load_registry()
    if opponent != HUMAN:
        with one_line_errors():
            registry.bot(opponent)
    match = _resumed(registry, resume) if resume else _new(registry, variant or "classic", opponent, seed, lang)
    interactive = on_terminal()
    if interactive and opponent != HUMAN:
        remember_entries()  # not with two people: one could bring back what the other typed
    session = _session(match, registry, opponent, Terminal(interactive=interactive, color=color), lang)
    session.save_to = save
    with one_line_errors(save):
        session.keep()
    with one_line_errors():
        run(session)


def _new(registry: Registry, variant: str, opponent: str, seed: int | None, lang: str) -> Match:
    found = find_variant(registry, variant)
    people = say(lang, "seat.first"), say(lang, "seat.second")
    seats = people if opponent == HUMAN else (say(lang, "seat.one"), opponent.capitalize())
    with one_line_errors():
        return Match.new(found, seats=seats, seed=seed, registry=registry)


def _resumed(registry: Registry, file: Path) -> Match:
    with one_line_errors(file):
        match = Match.load(file, registry)
        match.options(match.seats[0])  # raises where a plugin of the match is missing
        return match


def _session(match: Match, registry: Registry, opponent: str, terminal: Terminal, lang: str) -> Session:
    targets = {use.use: registry.ability(use.use).target for use in match.variant.abilities.values()}
    other = match.seats[1]
    bots = {} if opponent == HUMAN else {other: registry.bot(opponent)(source(match.seed, match.number, other))}
    return Session(match, bots, dict.fromkeys(bots, opponent), terminal, Reader(targets, lang))
