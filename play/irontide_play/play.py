"""The command `play`: a match at the terminal, against a bot or between two people."""

from pathlib import Path
from typing import Annotated

import typer

from irontide import Match, Registry
from irontide_play.bots import source
from irontide_play.entries import Reader, may_pass
from irontide_play.game import run
from irontide_play.host import (
    Lang,
    LangOption,
    fail,
    find_bot,
    find_variant,
    load_registry,
    on_terminal,
    one_line_errors,
)
from irontide_play.labels import say
from irontide_play.saving import HUMAN, in_the_way, opponent_of
from irontide_play.session import Session
from irontide_play.terminal import Terminal, remember_entries


def play(  # noqa: PLR0913 - the options of the command
    variant: Annotated[str | None, typer.Argument(help="A variant's id or TOML file.", show_default="classic")] = None,
    *,
    opponent: Annotated[
        str | None,
        typer.Option(
            help="A bot (hunter, random, or a plugin's), or human for two people at one keyboard.",
            show_default="hunter",
        ),
    ] = None,
    seed: Annotated[int | None, typer.Option(help="Of all chance: the same seed, the same match.")] = None,
    save: Annotated[Path | None, typer.Option(help="Keep the match in this file, after every move.")] = None,
    resume: Annotated[Path | None, typer.Option(help="Go on with the match of this file, and keep it there.")] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Let --save overwrite a file that holds anything else.")
    ] = False,
    lang: LangOption = Lang.EN,
    color: Annotated[bool, typer.Option("--color/--no-color", help="Colours; NO_COLOR turns them off too.")] = True,
) -> None:
    """Play a match against a bot, or between two people.

    Without a terminal the moves come from standard input, a line each, and the match ends with them.
    """
    if resume is not None and (variant is not None or seed is not None):
        fail("--resume takes variant and seed from the file: give either")
    registry = load_registry()
    if opponent not in {None, HUMAN}:
        find_bot(registry, str(opponent), also=f"{HUMAN} for two people")
    match = (
        _resumed(registry, resume) if resume else _new(registry, variant or "classic", opponent or "hunter", seed, lang)
    )
    opponent = opponent or (opponent_of(match, registry) if resume else "hunter")
    session = _session(match, registry, opponent, Terminal(interactive=on_terminal(), color=color), lang)
    session.options += () if color else ("--no-color",)
    if session.terminal.interactive and opponent != HUMAN:
        remember_entries()  # not with two people: one could bring back what the other typed
    if resume is not None and match.outcome is not None:
        session.saved = match.number, str(resume)  # it need not be written again
    _keep_in(session, save or resume, force=force)
    if resume is not None:
        session.resumed(resume, opponent)
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
    targets = {use.use: registry.ability(use.use).target for use in match.variant.granted.values()}
    other = match.seats[1]
    bots = {} if opponent == HUMAN else {other: registry.bot(opponent)(source(match.seed, match.number, other))}
    session = Session(
        match,
        registry,
        bots,
        dict.fromkeys(bots, opponent),
        terminal,
        Reader(targets, lang, may_pass(match.variant, registry)),
    )
    if opponent == HUMAN or opponent_of(match, registry) != opponent:
        session.options += ("--opponent", opponent)
    session.options += () if lang == Lang.EN else ("--lang", lang)
    return session


def _keep_in(session: Session, file: Path | None, *, force: bool) -> None:
    """Keep the match in this file from now on; exit with 2 if that would overwrite something that is not to be lost."""
    if file is None:
        return
    if not force and in_the_way(file, session.match):
        question = say(session.lang, "save.overwrite", file=file)
        if not session.terminal.interactive:
            fail(f"{file} holds something else than this match: name another file, or overwrite it with --force")
        if not _agreed(session, question):
            fail(f"{file} was left as it is: name another file")
    session.save_to = file
    with one_line_errors(file):
        session.keep()


def _agreed(session: Session, question: str) -> bool:
    try:
        return session.agreed(question)
    except (EOFError, KeyboardInterrupt):
        return False
