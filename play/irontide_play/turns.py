"""The dialog of a turn: asks until the match has gone on, and says what is wrong with each entry that can't be."""

from irontide import UseAbility
from irontide_play.entries import Action, Puzzle
from irontide_play.labels import ability_label, known, say
from irontide_play.screen import happened
from irontide_play.session import LeftError, Session


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
    view = session.match.view(seat)
    entry = session.reader.read(line, view)
    if isinstance(entry, Puzzle):
        return entry.text
    if isinstance(entry, Action):
        return _act(session, seat, entry)
    refused = session.submit(entry)
    if refused is not None and isinstance(entry, UseAbility) and _bad_form(session, entry):
        return f"{refused} {say(session.lang, 'usage', form=session.reader.usage(entry.ability, view))}"
    return refused


def _bad_form(session: Session, entry: UseAbility) -> bool:
    return any(refusal.code in {"bad_target", "unknown_cell"} for refusal in session.match.refusals(entry))


def _act(session: Session, seat: str, action: Action) -> str:
    lang = session.lang
    if action.name == "quit":
        raise LeftError
    if action.name == "save":
        return session.save(action.argument)
    if action.name == "log":
        lines = happened(session.match.told(seat), lang, session.terminal.size.columns, None)
        return "\n".join(line[0].text for line in lines)
    return help_text(session, seat)


def help_text(session: Session, seat: str) -> str:
    """Return what can be typed in battle, with each ability of the match, and what the symbols mean."""
    lang, reader = session.lang, session.reader
    view, options = session.match.view(seat), session.match.options(seat)
    lines = [say(lang, "help.fire_many" if options.fire.count > 1 else "help.fire", shots=options.fire.count)]
    for id_, option in options.abilities.items():
        name = f"{ability_label(id_, lang)} ({option.price})"
        lines.append(f"{reader.usage(id_, view)} - {name}: {known(lang, f'ability.{id_}.text') or ''}")
    lines += [say(lang, f"help.{action}") for action in ("log", "save", "resign", "quit")]
    return "\n".join([*lines, say(lang, "help.symbols"), say(lang, "help.more")])
