"""A player by chance who knows all: it uses abilities often, hits often, aims at markers, and now and then errs."""

from random import Random
from typing import Any

from irontide.commands import Command, Fire, PlaceFleet, Resign, TimeOut, UseAbility
from irontide.grid import CellSet
from irontide.match import Match

ABILITY, AIM, ERROR = 0.6, 0.5, 0.08
RESIGN = 0.03
"""How often it uses an ability if it can, aims at what is there, errs; how often an error is to resign."""


def some_command(match: Match, chance: Random) -> Command:
    """Return a placement if one is due, else a command for the seat to move, or one that is wrong."""
    seat = match.seat_to_move
    if seat is None:
        due = next((name for name, fleet in zip(match.seats, match.state.fleets, strict=True) if fleet is None))
        return PlaceFleet(due, match.random_placement(due))
    if chance.random() < ERROR:
        return wrong_command(match, seat, chance)
    options = match.options(seat)
    usable = [id_ for id_, option in options.abilities.items() if option.refusal is None]
    if usable and chance.random() < ABILITY:
        id_ = chance.choice(usable)
        return UseAbility(seat, id_, _target([*options.abilities[id_].targets], match, seat, chance))
    cells, count = options.fire.cells, options.fire.count
    good = _there(match, seat) & cells if chance.random() < AIM else CellSet()
    first = match.grid.list(good)[:: chance.choice((1, -1))][:count]
    rest = match.grid.list(cells - match.grid.cells(*first))
    return Fire(seat, [*first, *chance.sample(rest, count - len(first))])


def wrong_command(match: Match, seat: str, chance: Random) -> Command:
    """Return something that is most likely refused."""
    names = match.grid.names
    ability = chance.choice([*match.options(seat).abilities, "radar"])
    target: Any = chance.choice(
        [None, names[0], "Z9", {"at": names[-1], "axis": "down"}, {"ship": "cruiser"}, [names[0]]]
    )
    other = match.seats[seat == match.seats[0]]
    kinds: list[Command] = [
        Fire(seat, chance.choice(names)),
        Fire(seat, [names[0], names[0]]),
        Fire(seat, []),
        Fire(other, chance.choice(names)),
        UseAbility(seat, ability, target),
        UseAbility(other, ability, target),
        PlaceFleet(seat, {}),
        TimeOut(seat),
    ]
    return Resign(seat) if chance.random() < RESIGN else chance.choice(kinds)


def _there(match: Match, seat: str) -> CellSet:
    """Return where the other side has ships, or either side has markers."""
    state, other = match.state, 1 - match.seats.index(seat)
    fleet = state.fleets[other]
    ships = CellSet(0 if fleet is None else fleet.mask)
    for mark in state.marks.values():
        if isinstance(mark.on, CellSet) and mark.side == match.seats[other]:
            ships |= mark.on
    return ships


def _target(targets: list[Any], match: Match, seat: str, chance: Random) -> Any:  # noqa: ANN401 - a JSON form
    """Return a target, if it aims one that names a cell where something is."""
    if not targets:
        return None
    names = {*match.grid.list(_there(match, seat))} if chance.random() < AIM else set[str]()
    good = [target for target in targets if isinstance(target, str) and target in names]
    return chance.choice(good or targets)
