"""The course of a match at the table: fleets, turns of people and bots, handing over, and the end."""

from irontide import PlaceFleet
from irontide_play.arena import move
from irontide_play.board import Piece
from irontide_play.host import complain
from irontide_play.labels import say
from irontide_play.placing import place_fleet
from irontide_play.session import LeftError, Session
from irontide_play.turns import take_turn


def run(session: Session) -> None:
    """Play a match to its end, or until its players leave or their lines end; then say how it stands.

    Raises:
        BotError: a bot failed; the match is saved before, if it is to be.

    """
    closing = None
    with session.terminal.screen():
        try:
            _play(session)
        except LeftError:
            closing = "closing.left"
        except (EOFError, KeyboardInterrupt):
            closing = "closing.ended"
        session.keep()
    _close(session, closing)


def _play(session: Session) -> None:
    entered = _place(session)
    match = session.match
    last = None
    while (seat := match.seat_to_move) is not None:
        if seat in session.bots:
            move(match, seat, session.bots[seat], session.names[seat])
            session.keep()
            continue
        if seat != last:
            _hand_over(session, seat)
        take_turn(session, seat, entered)
        entered, last = None, seat
        if match.seat_to_move not in (seat, None) and len(session.people) > 1:
            _look(session, seat)


def _place(session: Session) -> str | None:
    """Let every seat place its fleet, bots first; return an entry that was typed for the first turn."""
    match = session.match
    entered = None
    for seat in sorted(match.seats, key=lambda seat: seat in session.people):
        if seat in match.view(None).placed or match.outcome is not None:
            continue
        if seat in session.bots:
            match.submit(PlaceFleet(seat, match.random_placement(seat)))
            session.keep()
            continue
        _hand_over(session, seat)
        entered = place_fleet(session, seat)
    return entered


def _hand_over(session: Session, seat: str) -> None:
    """Hide one player's board before the other sits down; without a terminal there is nothing to hide."""
    if len(session.people) == 1:
        return
    if not session.terminal.interactive:
        session.terminal.say(say(session.lang, "hand_over.line", seat=seat))
        return
    session.terminal.clear()
    session.pause(say(session.lang, "hand_over.ask", seat=seat))


def _look(session: Session, seat: str) -> None:
    """Show a player what the turn brought, before it is handed over."""
    if session.terminal.interactive:
        session.show(seat)
        session.pause(say(session.lang, "hand_over.done"))


def _close(session: Session, closing: str | None) -> None:
    """Say how the match ended, and where it is kept."""
    terminal, lang, outcome = session.terminal, session.lang, session.match.outcome
    if outcome is not None:
        session.show(session.people[0], clear=False)
    elif closing is not None:
        terminal.say(say(lang, closing))
    file = session.saved[1] if session.saved is not None else ""
    if outcome is not None:
        terminal.say(say(lang, "closing.kept", file=file) if session.kept else say(lang, "closing.end"))
    elif session.kept:
        terminal.say(say(lang, "closing.kept_on"))
        terminal.show([[Piece(session.how_to_go_on())]])
    else:
        terminal.say(say(lang, "closing.kept_before", file=file) if file else say(lang, "closing.not_kept"))
    for fault in session.match.faults:
        complain(str(fault))
