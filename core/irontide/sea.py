"""The sea: which cells exist. Islands are the others: no ship lies there and no shot goes there.

The question `sea` is asked when a variant is built. Where a rule draws, the answer is another for each match: it is
drawn when the match starts, from its seed, and written into its first event.
"""

from contextlib import suppress

from irontide.counting import Effort, SearchLimitError, sample_fleet
from irontide.errors import IrontideError
from irontide.events import Names
from irontide.frozen import replica, shown
from irontide.grid import CellSet
from irontide.randomness import Random, Seed
from irontide.rulebook import Rulebook

DRAWS = 100
"""How often islands are drawn until there is room for the fleet among them."""

TRIED = 4
"""For how many seeds it is tried, when a variant is built, whether there is room."""


CHARTING = 2_000
"""The words that one place of a ship costs in each drawing, besides the search: about ten microseconds."""


class _Chance(Random):
    """Draws that know whether there were any."""

    __slots__ = ()

    @property
    def used(self) -> bool:
        return self._draws > 0


def _asked(book: Rulebook, seed: Seed, draw: int) -> tuple[int, bool]:
    """Return the sea as the rules have it, and whether chance had a say in it."""
    sea, drawn = book.grid.all, False
    for listener in book.adjusts.get("sea", ((), ()))[0]:
        chance = _Chance(seed, f"{listener.bound.rule.id}@sea", draw)
        sea = replica(listener.call(replica(book.grid), sea, chance))
        if type(sea) is not CellSet or sea - book.grid.all:
            raise TypeError(f"{listener.bound.rule.id} answered {shown(sea)} to 'sea'")
        drawn = drawn or chance.used
    return sea.mask, drawn


def charted(book: Rulebook) -> Rulebook:
    """Return the rules of a new variant on its sea, where that is the same for all matches; else say that it is not.

    Raises:
        TypeError: a rule answered with no set of cells of the grid; or whatever a rule raises.

    """
    if "sea" not in book.adjusts:
        return book
    sea, drawn = _asked(book, "", 0)
    if not drawn:
        return book.on(sea)
    book.sea_varies = True
    return book


def has_room(book: Rulebook) -> bool:
    """Tell whether islands that are drawn for a match leave room for the fleet, as far as that can be tried."""
    effort = Effort()
    return all(_drawn(book, str(seed), effort) is not None for seed in range(TRIED))


def _drawn(book: Rulebook, seed: Seed, effort: Effort) -> int | None:
    """Return the first sea drawn with this seed that has room for the fleet, or None if none of many has.

    The searches in all drawings share what work they may be; where that is spent, none has.
    """
    for draw in range(DRAWS):
        sea, _ = _asked(book, seed, draw)
        places = book.on(sea).berths()
        with suppress(SearchLimitError):
            effort.spend(sum(len(each.masks) for each in places) * CHARTING)
            if sample_fleet(places, Random(seed, "room@sea", draw).below, effort) is not None:
                return sea
        if effort.left < 0:
            break
    return None


def islands_of(book: Rulebook, seed: Seed) -> Names:
    """Return the names of the cells that do not exist in the match of this seed.

    Raises:
        IrontideError: a rule went wrong, or left no room for the fleet.

    """
    if not book.sea_varies and not book.islands:
        return ()
    sea = _drawn_or_raise(book, seed) if book.sea_varies else book.sea
    return book.grid.list(book.grid.all - CellSet(sea))


def _drawn_or_raise(book: Rulebook, seed: Seed) -> int:
    try:
        sea = _drawn(book, seed, Effort())
    except Exception as error:  # whatever a plugin raises is its fault
        raise IrontideError(f"the islands cannot be drawn: {shown(error)}") from error
    if sea is None:
        raise IrontideError("no room for the fleet was found among the islands, however they were drawn")
    return sea


def on_islands(book: Rulebook, islands: Names) -> Rulebook:
    """Return the rules on the sea around these islands."""
    if not islands and not book.islands:
        return book
    return book.on((book.grid.all - book.grid.cells(*islands)).mask)
