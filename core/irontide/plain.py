"""Plain turns: one shot, after which the match goes on, where no rule of the variant has a part in either.

What such a turn brings about is known beforehand, so it is carried out in one step: its events and what they change are
those of the pipeline, which does all else. Where rules have a part in anything else, a shot that sinks is not plain.
"""

from irontide.commands import Fire
from irontide.events import Event, ShipSunk, ShotFired, TurnEnded, TurnStarted
from irontide.evolve import ship_sunk, shot_fired, turn_ended, turn_started
from irontide.frozen import maker
from irontide.rulebook import Rulebook
from irontide.state import State

made, sinking = maker(ShotFired), maker(ShipSunk)


def lasts_for_turns(state: State) -> bool:
    """Tell whether anything lasts for a number of turns."""
    for mark in state.marks.values():
        if type(mark.ends) is tuple:
            return True
    return bool(state.held) and any(type(hold.ends) is tuple for hold in state.held.values())


class PlainTurns:
    """Carries out the plain turns of one match."""

    __slots__ = ("_bare", "_bits", "_ended", "_sea", "_ships", "_started", "_state")

    def __init__(self, book: Rulebook, state: State, ended: list[TurnEnded], started: list[TurnStarted]) -> None:
        """Take the rules, the state to work on, and each seat's events of a turn."""
        self._bits = book.bits
        self._sea = book.sea
        self._ships = book.ships
        self._bare = book.bare
        self._state = state
        self._ended = ended
        self._started = started

    def fire(self, command: Fire) -> tuple[Event, ...] | None:
        """Carry out an accepted shot with its turn; where that is not plain do nothing and return None.

        Whether something lasts for a number of turns, or shots are granted for the next one, is not looked at.
        """
        state, seat = self._state, self._state.turn
        if state.due != 1 or state.seats[seat] != command.seat or state.shots[seat] == self._sea:
            return None
        try:
            (name,) = command.cells
            bit = self._bits[name]
        except (ValueError, LookupError):  # several cells, or what is no cell; quicker than to look first
            return None
        other = 1 - seat
        fleet = state.fleets[other]
        if fleet is None or state.shots[other] & bit:
            return None
        ship, sunk = fleet.at.get(name), None
        if ship is None:
            shot = made(command.seat, name, "water")
        else:
            harms = not state.hits[other] & bit  # no second time where an answer was taken back
            shot = made(command.seat, name, "hit", None, harms, ship)
            if harms and not fleet.cells[ship] & ~(state.hits[other] | bit):
                if not self._bare or len(state.sunk[other]) + 1 == len(self._ships):
                    return None
                sunk = sinking(state.seats[other], self._ships[ship].id, ship)
        ended, started = self._ended[seat], self._started[other]
        shot_fired(state, shot)
        if sunk is not None:
            ship_sunk(state, sunk)
        turn_ended(state, ended)
        turn_started(state, started)
        return (shot, ended, started) if sunk is None else (shot, sunk, ended, started)
