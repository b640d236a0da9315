"""Files that a match is kept in: one that holds anything else is overwritten only if a player says so."""

import errno
import shlex
from pathlib import Path

from irontide import Match, Registry

HUMAN = "human"
"""What is named instead of a bot where two people play."""


def in_the_way(file: Path, match: Match) -> bool:
    """Tell whether saving there would lose something: any file but an empty one or an earlier log of this match."""
    if not file.is_file():
        return False
    try:
        lines = file.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        return True
    return lines != match.lines()[: len(lines)]


def write(match: Match, file: Path) -> None:
    """Save the match.

    Raises:
        OSError: it cannot be written there.

    """
    if file.exists() and not file.is_file():
        raise OSError(errno.EISDIR, "it is a folder" if file.is_dir() else "it is no plain file", str(file))
    match.save(file)


def opponent_of(match: Match, registry: Registry) -> str:
    """Return who played the second seat, as its name tells: the bot that it is called after, or else a person."""
    name = match.seats[1].casefold()
    return next((bot for bot in registry.bots if bot.casefold() == name), HUMAN)


def going_on(file: str, *options: str) -> str:
    """Return the command that goes on with a saved match."""
    return shlex.join(["irontide", "play", "--resume", file, *options])
