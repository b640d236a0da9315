"""The dialog of a turn: asks until the match has gone on, and says what is wrong with each entry that can't be."""

from irontide import Fire, Resign, UseAbility
from irontide_play.aims import example, mended
from irontide_play.entries import Action, Puzzle
from irontide_play.helping import help_text
from irontide_play.labels import ability_label, say
from irontide_play.news import SILENT, sentence
from irontide_play.session import Session, decisive


def take_turn(session: Session, seat: str, line: str | None = None) -> None:
    """Let a player act once. `line` is an entry that was typed already.

    Raises:
        LeftError: the player leaves.
        EOFError: there are no more lines.

    """
    if line is None:
        session.show(seat)
    while True:
        entered = session.terminal.read(f"{seat}> ") if line is None else line
        line = None
        if not entered.strip():
            session.show(seat)
            continue
        notice = _answer(session, seat, entered)
        if notice is None:
            return
        _notify(session, seat, notice)


def _notify(session: Session, seat: str, notice: str) -> None:
    if session.terminal.interactive and "\n" not in notice:
        session.show(seat, notice)
        return
    if session.terminal.interactive:
        session.terminal.clear()
    session.terminal.say(notice)


def _answer(session: Session, seat: str, line: str) -> str | None:
    """Carry out what was typed; return what to say if the match has not gone on."""
    entry = session.reader.read(line, session.match.view(seat))
    if isinstance(entry, Puzzle):
        return entry.text
    if isinstance(entry, Action):
        return act(session, seat, entry)
    if isinstance(entry, Resign) and not _meant(session):
        return say(session.lang, "resign.stays")
    codes = {refusal.code for refusal in decisive(session.match.refusals(entry)) if "island" not in refusal.args}
    refused = session.submit(entry)
    if refused is None or not codes & {"bad_target", "unknown_cell"}:
        return refused
    hint = _hint(session, entry)
    plain = isinstance(entry, UseAbility) and codes == {"bad_target"} and _misses_target(session, entry) is not None
    return hint if plain else f"{refused} {hint}".strip()


def _meant(session: Session) -> bool:
    """Ask a person whether giving up is meant; a line of a pipe is."""
    return not session.terminal.interactive or session.agreed(say(session.lang, "resign.sure"))


def _hint(session: Session, entry: object) -> str:
    """Return how an entry with cells or a target that can't be would be typed."""
    grid, lang = session.match.grid, session.lang
    if isinstance(entry, Fire):
        meant = mended(entry.cells, grid)
        return say(lang, "puzzle.meant", near=meant) if meant else ""
    if not isinstance(entry, UseAbility):
        return ""
    usage = say(lang, "usage", form=session.reader.usage(entry.ability, session.match.variant.ground))
    missed = _misses_target(session, entry)
    return usage if missed is None else f"{say(lang, missed, ability=ability_label(entry.ability, lang))} {usage}"


def _misses_target(session: Session, entry: UseAbility) -> str | None:
    """Return what to say where a target is missing, or named in vain."""
    if entry.target is None:
        return "aimless"
    return None if example(session.reader.targets[entry.ability], session.match.variant.ground, "en") else "needless"


def act(session: Session, seat: str, action: Action) -> str:
    """Do something that is no move; return what to say.

    Raises:
        LeftError: the player leaves.

    """
    if action.name == "quit":
        session.leave()
        return say(session.lang, "closing.stays")
    if action.name == "save":
        return session.save(action.argument)
    if action.name == "log":
        match = session.match
        told = (event for event in match.told(seat) if event["type"] not in SILENT)
        return "\n".join(sentence(event, session.lang, match.variant) for event in told)
    return help_text(session, seat, action.argument)
