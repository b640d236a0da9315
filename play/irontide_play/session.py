"""A match at the table, and what all of its dialogs share: submitting, saving, asking, what each seat has seen."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

import attrs

from irontide import Command, Match, Refusal, Refused, Registry, UseAbility, Variant, text
from irontide_play.bots import Bot
from irontide_play.entries import Reader
from irontide_play.labels import ability_label, by_itself, say
from irontide_play.news import News
from irontide_play.saving import going_on, in_the_way, write
from irontide_play.screen import draw
from irontide_play.terminal import Terminal

HINDRANCES: Final = ("match_over", "ability_disabled", "ability_limit", "not_enough_points")
"""Codes of refusals that keep an ability from being used now, whatever it is aimed at."""


PASSING: Final = ("ability_limit", "not_enough_points")
"""Those of them that another turn may mend."""

AIMLESS: Final = ("bad_target", "unknown_cell")
"""Codes of refusals of a target that is none, now or later."""


class LeftError(Exception):
    """A player leaves the match."""


@attrs.define
class Session:
    """One match, who plays it and where it is shown. Seats without a bot are people's."""

    match: Match
    registry: Registry
    bots: Mapping[str, Bot]
    names: Mapping[str, str]
    """The ids of the bots, by seat."""
    terminal: Terminal
    reader: Reader
    options: tuple[str, ...] = ()
    """What must be typed besides the file to go on with the match as it is played now."""
    save_to: Path | None = None
    saved: tuple[int, str] | None = None
    """The commit and the file that the match was saved at last."""
    remark: str = ""
    """What is still to be said to whoever sits down first."""
    _seen: dict[str, int] = attrs.field(factory=dict[str, int])

    @property
    def lang(self) -> str:
        """The language that is spoken."""
        return self.reader.lang

    @property
    def people(self) -> tuple[str, ...]:
        """The seats that people play."""
        return tuple(seat for seat in self.match.seats if seat not in self.bots)

    @property
    def kept(self) -> bool:
        """Whether the match is saved as it stands."""
        return self.saved is not None and self.saved[0] == self.match.number

    def resumed(self, file: Path, opponent: str) -> None:
        """Take note that the match was saved earlier: say who plays whom, and tell each seat only the last turn."""
        first, second = self.match.seats
        key = "resume.bot" if self.bots else "resume.people"
        if self.match.outcome is None:
            self.remark = say(self.lang, key, file=file, first=first, second=second, bot=opponent)
        for seat in self.people:
            acted = [commit.number for commit in self.match.commits if commit.command and commit.command.seat == seat]
            self._seen[seat] = len(self.match.at(acted[-1] - 1, observed=False).told(seat)) if acted else 0

    def submit(self, command: Command) -> str | None:
        """Carry out a command; return why not if it is refused."""
        seen = len(self.match.told(command.seat))
        try:
            self.match.submit(command)
        except Refused as refused:
            self.keep()  # also where a plugin failed, which is a commit of its own
            return reasons(refused.refusals, self.lang, self.match.variant)
        self._seen[command.seat] = seen
        self.keep()
        return None

    def keep(self) -> None:
        """Save the match if it is to be kept. If that fails in mid-match the players are told, and play goes on.

        Raises:
            OSError: it cannot be saved there even once.

        """
        if self.save_to is None or self.saved == (self.match.number, str(self.save_to)):
            return
        try:
            write(self.match, self.save_to)
        except OSError as error:
            if self.saved is None:
                raise
            self.remark = say(self.lang, "save.failed", file=self.save_to, error=error.strerror or error)
            self.save_to = None
        else:
            self.saved = self.match.number, str(self.save_to)

    def save(self, file: str) -> str:
        """Save the match in a file, but not over anything else unless a person agrees; return what came of it."""
        if not file:
            return say(self.lang, "save.where")
        try:
            if in_the_way(Path(file), self.match) and not self._may_overwrite(file):
                return say(self.lang, "save.kept_out", file=file)
            write(self.match, Path(file))
        except OSError as error:
            return say(self.lang, "save.failed", file=file, error=error.strerror or error)
        self.saved = self.match.number, file
        return say(self.lang, "save.done", file=file)

    def _may_overwrite(self, file: str) -> bool:
        return self.terminal.interactive and self.agreed(say(self.lang, "save.overwrite", file=file))

    def agreed(self, question: str) -> bool:
        """Ask a question, and return whether the answer is yes."""
        answer = self.terminal.read(f"{question} ").strip().casefold()
        return answer in {"y", "yes", *say(self.lang, "yes").split()}

    def leave(self, lost: str = "") -> None:
        """Leave the match; where a person would lose something by it, only if that is meant.

        `lost`: what is lost besides moves that are not saved, as a sentence.

        Raises:
            LeftError: the player leaves.

        """
        moves = self.match.seat_to_move is not None and not self.kept
        if lost and not self.terminal.interactive:
            self.terminal.say(lost)
        elif self.terminal.interactive and (lost or moves):
            question = say(self.lang, "closing.sure_draft", lost=lost) if lost else say(self.lang, "closing.sure")
            if not self.agreed(question):
                return
        raise LeftError

    def pause(self, prompt: str) -> None:
        """Wait until somebody presses Enter; a word for leaving leaves."""
        if self.remark:
            self.terminal.say(self.remark)
            self.remark = ""
        while self.reader.leaves(self.terminal.read(f"{prompt} ")):
            self.leave()

    def how_to_go_on(self) -> str:
        """Return the command that goes on with the match from where it was saved."""
        return going_on(self.saved[1], *self.options) if self.saved is not None else ""

    def show(self, seat: str, notice: str | None = None, *, clear: bool = True) -> None:
        """Show the screen of a seat: with what it was told since it last acted, or with a notice in place of that."""
        match, terminal = self.match, self.terminal
        if clear:
            terminal.clear()
        told = match.told(seat, self._seen.get(seat, 0)) if notice is None else ()
        news = News(told, self.remark, self._goes_on(seat)) if notice is None else News()
        self.remark = self.remark if notice is not None else ""
        terminal.show(draw(match.view(seat), match.options(seat), news, self.reader, terminal.size))
        if notice is not None:
            terminal.say(notice)

    def _goes_on(self, seat: str) -> str:
        """Return what a seat that has just used an ability still has to do."""
        match = self.match
        last = match.commits[-1].command if match.commits else None
        if match.seat_to_move != seat or not isinstance(last, UseAbility) or last.seat != seat:
            return ""
        return say(self.lang, "status.fire", shots=match.options(seat).fire.count)


def decisive(refusals: Iterable[Refusal]) -> tuple[Refusal, ...]:
    """Return the reasons that are worth telling: the first that no other target would mend, if there is one.

    What is wrong with a target is told beside one that will pass, so that nobody waits for what can't be.
    """
    found = tuple(refusals)
    first = next((one for one in found if one.code in HINDRANCES or by_itself(one)), None)
    if first is None:
        return found
    lasting = [
        one for one in found if first.code in PASSING and one.code in AIMLESS and one.args.get("target", 1) is not None
    ]
    return (first, *lasting)


def reasons(refusals: Iterable[Refusal], lang: str, variant: Variant) -> str:
    """Return the reasons of a refusal in one text."""
    return " ".join(dict.fromkeys(_reason(refusal, lang, variant) for refusal in decisive(refusals)))


def _reason(refusal: Refusal, lang: str, variant: Variant) -> str:
    if by_itself(refusal):
        return say(lang, "by_itself", ability=ability_label(str(refusal.args["ability"]), lang))
    return text(refusal, lang, variant)
