"""Sight: what the user of an ability knows, as far as the choice of its target may depend on it.

Reads only what the seat knows of the other side, on the true state and on a folded one alike.
"""

from collections.abc import Mapping

from irontide.fleet import NO_FLEET
from irontide.rulebook import Rulebook
from irontide.state import State


class Sight:
    """What one seat knows; cells are bit sets."""

    __slots__ = ("_book", "_seat", "_state", "free")

    def __init__(self, book: Rulebook, state: State, seat: int, free: int) -> None:
        """Take the rules, the state, which seat, and the other side's cells that it may shoot."""
        self._book = book
        self._state = state
        self._seat = seat
        self.free = free

    @property
    def sea(self) -> int:
        """The cells that exist."""
        return self._book.sea

    @property
    def water(self) -> int:
        """The cells of the other side that were told to be water."""
        return self._state.water[1 - self._seat]

    @property
    def hit(self) -> int:
        """The cells of the other side that were told to be hit."""
        return self._state.struck[1 - self._seat]

    @property
    def own_ships(self) -> Mapping[str, int]:
        """The own ships, wrecks too, by id in fleet order."""
        return (self._state.fleets[self._seat] or NO_FLEET).cells

    @property
    def own_sunk(self) -> tuple[str, ...]:
        """The own ships that have sunk."""
        return self._state.sunk[self._seat]

    @property
    def own_hits(self) -> int:
        """The hit cells of the own ships."""
        return self._state.hits[self._seat]

    @property
    def own_shots(self) -> int:
        """The own cells that were shot and may not be shot again."""
        return self._state.shots[self._seat]

    @property
    def enemy_off(self) -> frozenset[str]:
        """The enemy's abilities that are known to be off."""
        return frozenset(ability for ability, _ in self._state.told_off[1 - self._seat])

    def may_stand(self, ship: str, place: int) -> bool:
        """Tell whether an own ship may go there: beside the others, wrecks too, and where the enemy holds no answer."""
        if place & answered_cells(self._state, self._seat):
            return False
        return stands(self._book, self.own_ships, ship, place)


def stands(book: Rulebook, ships: Mapping[str, int], ship: str, place: int) -> bool:
    """Tell whether a ship of a fleet may stand at this place of the sea beside the others."""
    zone = book.zone(place) if book.spaced else place
    others = [cells for id_, cells in ships.items() if id_ != ship]
    if any(zone & cells for cells in others):
        return False
    return not (book.spaced and any(book.zone(cells) & place for cells in others))


def answered_cells(state: State, seat: int) -> int:
    """Return the cells of a seat's grid of which the other holds an answer or may not ask again."""
    return state.shots[seat] | state.water[seat] | state.struck[seat] | state.wrecks[seat]
