"""The dialog of placing a fleet: a random one at once, another one, or ship by ship."""

import difflib
from typing import Final

import attrs

from irontide import PlaceFleet
from irontide_play.draft import RANGE, Draft
from irontide_play.entries import Action, Puzzle
from irontide_play.labels import known, say, ship_label
from irontide_play.session import Session

WORDS: Final = ("start", "again", "random", "place", "back", "help", "quit")


@attrs.frozen
class Step:
    """What became of a line: the draft as it is now, what to say, and whether the fleet stands.

    `entry` is a line that is the first move and was no answer to this dialog.
    """

    draft: Draft
    notice: str = ""
    done: bool = False
    entry: str | None = None


def place_fleet(session: Session, seat: str) -> str | None:
    """Let a player place the fleet. A line that is a move takes the fleet that is shown, and is returned.

    Raises:
        LeftError: the player leaves.
        EOFError: there are no more lines.

    """
    step = _shown(Draft.random(session, seat))
    if session.remark:
        session.terminal.say(session.remark)
        session.remark = ""
    while not step.done:
        session.terminal.say(step.notice)
        missing = step.draft.missing
        line = session.terminal.read(f"{seat}> " if missing is None else _asks(session, missing))
        step = _step(step.draft, line)
    session.submit(PlaceFleet(seat, step.draft.ships))
    return step.entry


def _asks(session: Session, ship: str) -> str:
    variant, lang = session.match.variant, session.lang
    class_ = variant.ship_class(ship)
    cells = class_.cells if class_ else 0
    return say(lang, "placing.ship", ship=ship_label(variant, ship, lang), cells=cells) + "> "


def _shown(draft_: Draft) -> Step:
    """Show the draft, and say what can be done with it."""
    draft_.show()
    lang, missing = draft_.session.lang, draft_.missing
    shape = None if missing is None else draft_.shape_of(missing)
    if shape is not None:
        return Step(draft_, f"{shape}\n{say(lang, 'placing.by_hand_drawn')}")
    key = "by_hand" if missing is not None else "complete" if draft_.by_hand else "random"
    return Step(draft_, say(lang, f"placing.{key}"))


def _step(draft_: Draft, line: str) -> Step:
    """Take one line."""
    session = draft_.session
    word = "start" if not line.strip() else _word(line, session.lang)
    if word == "quit":
        session.leave(lost=say(session.lang, "closing.draft") if draft_.by_hand and draft_.ships else "")
        return _shown(draft_)
    if word == "help":
        return Step(draft_, _help(session))
    if word in {"again", "random", "place", "back"}:
        return _shown(_changed(draft_, word))
    if word == "start":
        return Step(draft_, done=True) if draft_.missing is None else _shown(draft_)
    if draft_.missing is None and not RANGE.fullmatch(line):
        return _first_move(draft_, line)
    return _by_hand(draft_, line)


def _by_hand(draft_: Draft, line: str) -> Step:
    """Take a line as the place of the next ship, unless it begins with a word for the match."""
    session, seat = draft_.session, draft_.seat
    if draft_.by_hand and draft_.missing is None:
        return Step(draft_, say(session.lang, "placing.full"))
    entry = session.reader.read(line, session.match.view(seat))
    if isinstance(entry, Action) and entry.name == "save":
        return Step(draft_, session.save(entry.argument))
    if session.reader.is_move(line):
        return Step(draft_, _too_soon(session, line))
    return _put(draft_ if draft_.by_hand else Draft(session, seat, draft_.n, by_hand=True), line)


def _too_soon(session: Session, line: str) -> str:
    return say(session.lang, "placing.first", word=line.split(maxsplit=1)[0])


def _changed(draft_: Draft, word: str | None) -> Draft:
    """Return another random draft, or this one with its last ship taken back; a random one begins empty by hand."""
    if word in {"again", "random"}:
        return Draft.random(draft_.session, draft_.seat, draft_.n + 1)
    if not draft_.by_hand:
        return Draft(draft_.session, draft_.seat, draft_.n, by_hand=True)
    if word == "back" and draft_.ships:
        draft_.ships.popitem()
    return draft_


def _put(draft_: Draft, line: str) -> Step:
    refused = draft_.put(str(draft_.missing), line)
    if refused is None:
        return _shown(draft_)
    if draft_.session.terminal.interactive:
        draft_.show()
    return Step(draft_, refused)


def _first_move(draft_: Draft, line: str) -> Step:
    """Take a line that is a move as one that the fleet is begun with, and say what any other is."""
    session, lang = draft_.session, draft_.session.lang
    entry = session.reader.read(line, session.match.view(draft_.seat))
    if isinstance(entry, Action) and entry.name == "log":
        return Step(draft_, _too_soon(session, line))
    if isinstance(entry, Action):
        return Step(draft_, session.save(entry.argument) if entry.name == "save" else _help(session))
    near = difflib.get_close_matches(
        line.strip().casefold(), [one for words in _words(lang).values() for one in words], 1
    )
    if isinstance(entry, Puzzle):
        return Step(draft_, say(lang, "puzzle.near", word=line.strip(), near=near[0]) if near else entry.text)
    if len(session.people) > 1:  # it would be the other one's first turn
        return Step(draft_, say(lang, "placing.too_early"))
    return Step(draft_, done=True, entry=line)


def _help(session: Session) -> str:
    lang = session.lang
    return say(lang, "placing.help") + ("" if len(session.people) > 1 else "\n" + say(lang, "placing.help_first"))


def _words(lang: str) -> dict[str, set[str]]:
    return {name: {name, *(known(lang, f"play.placing.word.{name}") or "").split()} for name in WORDS}


def _word(line: str, lang: str) -> str | None:
    said = line.strip().casefold()
    return next((name for name, spoken in _words(lang).items() if said in spoken), None)
