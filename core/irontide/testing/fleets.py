"""Fleets for tests: a test names the ships that matter, the others are put out of the way."""

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from irontide.commands import PlaceFleet
from irontide.errors import Refusal
from irontide.match import Match
from irontide.placing import read_berth
from irontide.rulebook import Rulebook

TRIES = 2_000
"""So many ways to place the other ships are tried."""


def place(match: Match, book: Rulebook, seat: str, ships: Mapping[str, Any]) -> None:
    """Place a fleet of which only these ships are given; the others lie as near to the last cell as they may.

    Raises:
        Refused: the fleet is not allowed, with the ships as they are given.

    """
    given = PlaceFleet(seat, ships)
    for more in islice(_completions(book, given), TRIES):
        command = PlaceFleet(seat, {**given.ships, **more})
        if not match.refusals(command):
            match.submit(command)
            return
    match.submit(given)


def _completions(book: Rulebook, given: PlaceFleet) -> Iterator[dict[str, Any]]:
    """Yield the places of the ships that are not given, clear of all others."""
    masks, zones = 0, 0
    for ship in book.ships:
        berth = read_berth(book, ship, given.ships[ship]) if ship in given.ships else None
        if berth is not None and not isinstance(berth, Refusal):
            masks, zones = masks | berth.mask, zones | book.zone(berth.mask)
    yield from _placed(book, [ship for ship in book.ships if ship not in given.ships], masks, zones)


def _placed(book: Rulebook, ships: list[str], masks: int, zones: int) -> Iterator[dict[str, Any]]:
    if not ships:
        yield {}
        return
    ship, *others = ships
    berths = {berth.mask: berth for berth in book.places(book.ships[ship]).values()}
    for mask in sorted(berths, reverse=True):
        zone = book.zone(mask)
        if not (mask & zones or zone & masks):
            for rest in _placed(book, others, masks | mask, zones | zone):
                yield {ship: berths[mask].form, **rest}
