"""What a bot is, and where its chance comes from."""

from collections.abc import Callable
from random import Random
from typing import Protocol, TypeAlias

from irontide import Command, Options, View


class Bot(Protocol):
    """A player of one seat in one match. It is made anew for each match, and may remember what it likes."""

    def command(self, view: View, options: Options) -> Command:
        """Return what the seat does now; asked whenever it is to move.

        A fleet is placed for it. A command that is refused is the bot's fault and ends the match.
        """
        ...


BotFactory: TypeAlias = Callable[[Random], Bot]
"""What a plugin registers with `registry.bot(id, factory)`: it is handed all the chance that the bot may use."""


def source(*parts: object) -> Random:
    """Return chance that depends on these parts alone: the same on every machine and in every process."""
    return Random(":".join(map(str, parts)))  # noqa: S311 - a game, and to be played again alike
