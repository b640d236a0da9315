"""Placing: the places that a command gives a fleet, and why ships may not lie there or, in the battle, go there."""

from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import cast

from irontide.commands import PlaceFleet
from irontide.errors import Refusal
from irontide.fleet import NO_FLEET, Placement, read_placement
from irontide.frozen import FrozenDict, maker
from irontide.grid import CellSet, bits
from irontide.rulebook import Berth, Rulebook
from irontide.sight import answered_cells
from irontide.state import State

place_fleet = maker(PlaceFleet)


def stands_whole(book: Rulebook, ships: Mapping[str, object]) -> bool:
    """Tell whether these are the places of the whole fleet as the engine writes them, and legal together."""
    taken = zones = 0
    for ship, class_ in book.ships.items():
        given = ships.get(ship)
        berth = book.places(class_).get(given)
        if berth is None or berth.mask & (taken | zones) or (book.spaced and book.zone(berth.mask) & taken):
            return False
        taken |= berth.mask
        zones |= book.zone(berth.mask) if book.spaced else 0
    return len(ships) == len(book.ships)


def read_berth(book: Rulebook, ship: str, given: object) -> "Berth | Refusal":
    """Return the place that a ship is given, or why it is none: `unknown_cell` or `wrong_shape`."""
    places = book.places(book.ships[ship])
    found = places.get(given)
    if found is not None:
        return found
    cells = read_placement(book.grid, given)
    if isinstance(cells, CellSet):
        for cell in bits(cells.mask & book.islands):
            return Refusal("unknown_cell", {"ship": ship, "cell": book.names[cell], "island": True})
        found = places.get(Placement.of(book.grid, cells).json())
        return found or Refusal("wrong_shape", {"ship": ship, "place": given})
    code, wrong = cells
    return Refusal(code, {"ship": ship, "cell" if code == "unknown_cell" else "place": wrong})


def placed(book: Rulebook, command: PlaceFleet) -> dict[str, Berth]:
    """Return the places of a legal placement, in fleet order."""
    read = {ship: read_berth(book, ship, command.ships[ship]) for ship in book.ships}
    return cast("dict[str, Berth]", read)


def written_placement(command: PlaceFleet, berths: Mapping[str, Berth]) -> PlaceFleet:
    """Return a legal placement with its ships in fleet order, each place as the engine writes it."""
    return place_fleet(command.seat, FrozenDict({ship: berth.form for ship, berth in berths.items()}))


def berth_reasons(book: Rulebook, command: PlaceFleet) -> Iterator[Refusal]:
    """Yield why the ships named may not lie where they are put: each alone, then each pair."""
    read = {ship: read_berth(book, ship, command.ships[ship]) for ship in book.ships if ship in command.ships}
    for code in ("unknown_cell", "wrong_shape"):
        yield from (berth for berth in read.values() if isinstance(berth, Refusal) and berth.code == code)
    placed = {ship: berth.mask for ship, berth in read.items() if isinstance(berth, Berth)}
    pairs = [*combinations(placed.items(), 2)]
    yield from (Refusal("overlap", {"ship": a, "other": b}) for (a, one), (b, two) in pairs if one & two)
    if book.spaced:
        for (a, one), (b, two) in pairs:
            if not one & two and (book.zone(one) & two or book.zone(two) & one):
                yield Refusal("touching", {"ship": a, "other": b})


def moved(state: State, seat: int, berths: Mapping[str, Berth]) -> dict[str, Berth]:
    """Return those of these places at which a seat's ships do not lie yet."""
    fleet = state.fleets[seat] or NO_FLEET
    return {ship: berth for ship, berth in berths.items() if fleet.cells.get(ship) != berth.mask}


def move_reasons(book: Rulebook, state: State, seat: int, berths: Mapping[str, Berth]) -> Iterator[Refusal]:
    """Yield why ships may not go there in the battle: all that the other seat was told of the grid has to stay true."""
    fleet, answered, moves = state.fleets[seat] or NO_FLEET, answered_cells(state, seat), moved(state, seat, berths)
    held = [ship for ship in moves if ship in state.sunk[seat] or fleet.cells[ship] & state.hits[seat]]
    yield from (Refusal("ship_stays", {"ship": ship}) for ship in held)
    for ship, berth in moves.items():
        cells = () if ship in held else bits(berth.mask & answered)
        yield from (Refusal("already_answered", {"ship": ship, "cell": book.names[cell]}) for cell in cells)
