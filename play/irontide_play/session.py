"""A match at the table: what all of its dialogs share. Submitting, saving, and what each seat has seen of it."""

from collections.abc import Iterable, Mapping
from pathlib import Path

import attrs

from irontide import Command, Match, Refusal, Refused
from irontide_play.bots import Bot
from irontide_play.entries import Reader
from irontide_play.labels import say
from irontide_play.screen import Told, draw
from irontide_play.terminal import Terminal


class LeftError(Exception):
    """A player leaves the match."""


@attrs.define
class Session:
    """One match, who plays it and where it is shown. Seats without a bot are people's."""

    match: Match
    bots: Mapping[str, Bot]
    names: Mapping[str, str]
    """The ids of the bots, by seat."""
    terminal: Terminal
    reader: Reader
    save_to: Path | None = None
    saved: tuple[int, str] | None = None
    """The commit and the file that the match was saved at last."""
    _seen: dict[str, int] = attrs.field(factory=dict[str, int])

    @property
    def lang(self) -> str:
        """The language that is spoken."""
        return self.reader.lang

    @property
    def people(self) -> tuple[str, ...]:
        """The seats that people play."""
        return tuple(seat for seat in self.match.seats if seat not in self.bots)

    def submit(self, command: Command) -> str | None:
        """Carry out a command; return why not if it is refused."""
        seen = len(self.match.told(command.seat))
        try:
            self.match.submit(command)
        except Refused as refused:
            self.keep()  # also where a plugin failed, which is a commit of its own
            return reasons(refused.refusals, self.lang)
        self._seen[command.seat] = seen
        self.keep()
        return None

    def keep(self) -> None:
        """Save the match if it is to be kept."""
        if self.save_to is not None:
            self.match.save(self.save_to)
            self.saved = self.match.number, str(self.save_to)

    def save(self, file: str) -> str:
        """Save the match in a file; return what came of it."""
        if not file:
            return say(self.lang, "save.where")
        try:
            self.match.save(file)
        except OSError as error:
            return say(self.lang, "save.failed", file=file, error=error.strerror or error)
        self.saved = self.match.number, file
        return say(self.lang, "save.done", file=file)

    def news(self, seat: str) -> Told:
        """Return what a seat was told since it last acted, its own act included."""
        return self.match.told(seat, self._seen.get(seat, 0))

    def show(self, seat: str, notice: str | None = None, *, clear: bool = True) -> None:
        """Show the screen of a seat, with a notice in place of what happened."""
        match, terminal = self.match, self.terminal
        if clear:
            terminal.clear()
        told = self.news(seat) if notice is None else ()
        terminal.show(draw(match.view(seat), match.options(seat), told, self.reader, terminal.size))
        if notice is not None:
            terminal.say(notice)


def reasons(refusals: Iterable[Refusal], lang: str) -> str:
    """Return all reasons of a refusal in one text."""
    return " ".join(dict.fromkeys(refusal.text(lang) for refusal in refusals))
