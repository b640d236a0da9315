"""Two worlds that a seat cannot tell apart must be told it alike.

The same commands are submitted in two matches: the other side's fleet lies elsewhere in one of them, where this seat
cannot know it. As long as shots, scans and sinkings are answered alike, nothing else may differ: no event, no option,
no refusal. Where an answer differs the worlds part, as they may; likewise by what a rule does that declares to tell
something.
"""

from collections.abc import Callable, Iterable, Mapping
from itertools import zip_longest
from random import Random
from typing import Any, TypeAlias

from irontide.commands import Command, Fire, PlaceFleet, TimeOut, UseAbility
from irontide.errors import Refusal, Refused
from irontide.jsonforms import to_json
from irontide.match import Match
from irontide.rulebook import Rulebook
from irontide.testing.promises import shown

QUESTIONS = {"shot_fired", "cells_scanned"}
"""Events that answer what was asked: it has to be asked in both worlds."""

ANSWERS = QUESTIONS | {
    "ship_sunk", "reported", "cells_revealed", "knowledge_forgotten", "cell_repaired", "ship_moved", "match_ended",
    "fleet_revealed",
}  # fmt: skip
"""Events by which two worlds may become known to be two."""

PROBES = 9
"""At so many cells a seat asks whether it may fire."""

TRIES = 30
"""So many fleets are drawn before there is no other world."""

Ships: TypeAlias = dict[str, Any]


class Worlds:
    """Two matches, and the seat that compares them."""

    def __init__(  # noqa: PLR0913, PLR0917 - two worlds, and by what they may part
        self,
        here: Match,
        there: Match,
        seat: str,
        fleet: Ships,
        telling: Iterable[str] = (),
        acted: Callable[[], Iterable[str]] = tuple,
    ) -> None:
        """Take two matches before their first command, and the fleet of the other seat in the second.

        Worlds may part by what rules do that declare what they tell: `telling` are their ids, and `acted` returns the
        ids of all rules that did something in the last command. Without it, only events that name a rule are known.
        """
        self.here, self.there, self.seat, self.fleet = here, there, seat, fleet
        self.parted = False
        """Whether the seat may know by now that they are two."""
        self._heard: dict[str | None, int] = {seat: 0, None: 0}
        self._telling = frozenset(telling)
        self._acted = acted

    def submit(self, command: Command) -> str | None:
        """Submit a command in both; return by what they can be told apart, or None."""
        moved = isinstance(command, PlaceFleet) and command.seat != self.seat and bool(command.ships)
        one, two = (
            _attempt(self.here, command),
            _attempt(self.there, PlaceFleet(command.seat, self.fleet) if moved else command),
        )
        if command.seat != self.seat and one != two:
            self.parted = True
            return None
        if one != two:
            return f"{shown(command)} is answered by {one} in one world, by {two} in the other"
        return self._told(self.seat) or (None if self.parted else self._told(None))

    def _told(self, who: str | None) -> str | None:
        since = self._heard[who]
        pair = first_difference(self.here.told(who, since), self.there.told(who, since))
        self._heard[who] = len(self.here.told(who))
        if pair is None:
            return None
        self.parted = may_differ(pair[0]["type"], pair[1]["type"]) or self._declared(pair)
        return None if self.parted else _shown_apart(who, pair)

    def _declared(self, pair: Iterable[Ships]) -> bool:
        """Tell whether events may come from a rule that declares to tell something."""
        named = {event.get(name) for event in pair for name in ("rule", "reason", "by")}
        return not self._telling.isdisjoint({*named, *self._acted()})

    def look(self) -> str | None:
        """Return what is offered or refused in one world only, or None. Dear."""
        return offered_apart(self.here, self.there, self.seat)


def apart(here: Match, there: Match, seat: str) -> str | None:
    """Return by what a seat can tell two matches apart, or None: what it or a spectator was told, options, refusals."""
    for who in (seat, None):
        pair = first_difference(here.told(who), there.told(who))
        if pair is not None:
            return _shown_apart(who, pair)
    return offered_apart(here, there, seat)


def first_difference(one: list[Ships], two: list[Ships]) -> tuple[Ships, Ships] | None:
    """Return the first events that differ in two streams; where one ends, its event is nothing."""
    end = {"type": "nothing"}
    pairs = zip_longest(one, two, fillvalue=end)
    return next(((left, right) for left, right in pairs if left != right), None)


def _shown_apart(who: str | None, pair: tuple[Ships, Ships]) -> str:
    return f"{who or 'the spectator'} is told {pair[0]} in one world, {pair[1]} in the other"


def offered_apart(here: Match, there: Match, seat: str) -> str | None:
    """Return what is offered to a seat, or refused to it, in one of two matches only; or None."""
    one, two = to_json(here.options(seat)), to_json(there.options(seat))
    if one != two:
        return f"{seat} is offered {_otherwise(one, two)} in one world, {_otherwise(two, one)} in the other"
    for probe in _probes(here, seat):
        left, right = here.refusals(probe), there.refusals(probe)
        if left != right:
            return f"{shown(probe)} would be answered by {left} in one world, by {right} in the other"
    return None


def may_differ(one: str, two: str) -> bool:
    """Tell whether two worlds may part where one tells this type of event first, the other that."""
    if one == two:
        return one in ANSWERS
    return bool({one, two} & (ANSWERS - QUESTIONS)) or {one, two} <= ANSWERS


def _attempt(match: Match, command: Command) -> tuple[Refusal, ...]:
    try:
        match.submit(command)
    except Refused as refused:
        return tuple(refused.refusals)
    return ()


def _otherwise(one: dict[str, Any], two: dict[str, Any]) -> dict[str, Any]:
    """Return what of some options is not so in others: of abilities, each one that differs."""
    parts = {key: value for key, value in one.items() if value != two[key]}
    if "abilities" in parts:
        parts["abilities"] = {
            id_: option for id_, option in one["abilities"].items() if option != two["abilities"][id_]
        }
    return parts


def _probes(match: Match, seat: str) -> list[Command]:
    """Return commands to ask about, legal and illegal."""
    names = match.grid.names
    lane, line = {"from": names[0], "direction": "right"}, {"at": names[-1], "axis": "down"}
    targets = (None, names[0], names[-1], lane, line, "Z9")
    uses: list[Command] = [UseAbility(seat, id_, target) for id_ in match.options(seat).abilities for target in targets]
    some: list[Command] = [Fire(seat, name) for name in names[:: max(1, len(names) // PROBES)]]
    odd: list[Command] = [Fire(seat, names[:2]), Fire(seat, []), Fire(seat, "Z9"), UseAbility(seat, "radar")]
    return [*uses, *some, *odd, PlaceFleet(seat, {}), TimeOut(seat)]


def another_fleet(match: Match, book: Rulebook, seat: str, chance: Random) -> Ships | None:
    """Return a fleet of the seat that would have got all shots so far the same answers, or None if none was found."""
    state, side = match.state, match.seats.index(seat)
    fleet = state.fleets[side]
    if fleet is None:
        return None
    sunk = {ship: fleet.cells[ship] for ship in state.told_sunk[side]}
    for _ in range(TRIES):
        found = _drawn(book, fleet.cells, sunk, state.struck[side], state.water[side], chance)
        if found is not None and found != fleet.cells:
            return {ship: [book.names[cell] for cell in _cells(mask)] for ship, mask in found.items()}
    return None


def _drawn(  # noqa: PLR0913, PLR0917 - all that is known of a fleet
    book: Rulebook, true: Mapping[str, int], sunk: Mapping[str, int], struck: int, water: int, chance: Random
) -> dict[str, int] | None:
    """Return a fleet with these sunk ships, and others that cover the struck cells and leave the water."""
    found = dict(sunk)
    for ship in chance.sample([*true], len(true)):
        if ship in found:
            continue
        masks = [place.mask for place in book.places(book.ships[ship]).values()]
        open_ = [mask for mask in dict.fromkeys(masks) if not mask & water and _clear(book, mask, found)]
        left = struck & ~sum(found.values())
        good = [mask for mask in open_ if mask & left] if left else [mask for mask in open_ if not mask & struck]
        if not left and true[ship] in good and chance.random() < 0.5:  # noqa: PLR2004 - half of them stay
            good = [true[ship]]
        if not good:
            return None
        found[ship] = chance.choice(good)
    return {ship: found[ship] for ship in true} if not struck & ~sum(found.values()) else None


def _clear(book: Rulebook, mask: int, others: Mapping[str, int]) -> bool:
    return not any(mask & book.zone(other) or book.zone(mask) & other for other in others.values())


def _cells(mask: int) -> list[int]:
    return [place for place in range(mask.bit_length()) if mask >> place & 1]
