"""Trials: matches that are played to see which handlers run, what happens and how rich a seat can get.

What did not happen in a trial may still be possible, so what is concluded from it is a warning unless something else
makes it certain.
"""

import contextlib
import json
import random
import sys
from collections import Counter
from collections.abc import Callable, Generator
from types import CodeType, FrameType
from typing import Any, Final

import attrs

from irontide import (
    AbilityOption,
    AbilityUsed,
    Cell,
    Event,
    Fault,
    Fire,
    FireOption,
    Match,
    PlaceFleet,
    PointsGained,
    Refused,
    Registry,
    Resign,
    TimeOut,
    UseAbility,
    Variant,
)

GAMES: Final = 3
USES: Final = 8
"""So often an ability is to be used until it is known that it does not go wrong."""
COMMANDS: Final = 200
"""The most of one match."""
RARE: Final = 16
"""Once in so many moves, something is tried that few variants allow."""
SEATS: Final = ("a", "b")


@attrs.define
class Trial:
    """What was seen in the matches of a variant."""

    variant: Variant
    games: int = 0
    ran: set[CodeType] = attrs.field(factory=set[CodeType])
    events: set[type[Event]] = attrs.field(factory=set[type[Event]])
    used: set[str] = attrs.field(factory=set[str])
    """The abilities that were used."""
    allowed: set[str] = attrs.field(factory=set[str])
    """The kinds of commands that were not always refused with `not_allowed`."""
    uses: Counter[str] = attrs.field(factory=Counter[str])
    """How often an ability was used, in turn at a ship of the other side, where it has a choice, and anywhere."""
    richest: int = 0
    faults: list[Fault] = attrs.field(factory=list[Fault])


def trial(variant: Variant, registry: Registry, enough: Callable[[Trial], bool]) -> Trial:
    """Play a variant until there is enough, or all games are played.

    Raises:
        VariantError: it cannot be built.

    """
    seen = Trial(variant)
    while seen.games < GAMES and not (seen.games and enough(seen)):
        fresh = variant.but(id=f"{variant.id}#{seen.games}", labels=variant.labels)  # so that it is built under watch
        with _watched(seen.ran):
            match = Match.new(fresh, seats=SEATS, seed=seen.games, registry=registry)
            _Game(match, seen, registry).play()
        seen.games += 1
        _note(match, seen)
    return seen


@contextlib.contextmanager
def _watched(ran: set[CodeType]) -> Generator[None]:
    """Note all code that runs meanwhile."""

    def note(frame: FrameType, *_: object) -> None:
        ran.add(frame.f_code)

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        yield
    finally:
        sys.setprofile(before)


def _note(match: Match, seen: Trial) -> None:
    for commit in match.commits:
        for event in commit.events:
            seen.events.add(type(event))
            if isinstance(event, AbilityUsed):
                seen.used.add(event.ability)
            elif isinstance(event, PointsGained):
                seen.richest = max(seen.richest, event.total)
    seen.faults += match.faults


class _Game:
    """One match, played at random, half of the time with abilities; as many shots hit as those of a good player."""

    def __init__(self, match: Match, seen: Trial, registry: Registry) -> None:
        self.match, self.seen, self.registry, self.number = match, seen, registry, seen.games
        self.tried = Counter[str]()
        self.choose = random.Random(seen.games)  # noqa: S311 - a game, not a secret

    def play(self) -> None:
        for number in (1, 0):
            for seat in SEATS:
                self.submit(PlaceFleet(seat, self.match.random_placement(seat, number)))
        for count in range(COMMANDS):
            if self.match.seat_to_move is None:
                return
            if count % RARE == RARE - 1:
                self.try_what_is_rare(self.match.seat_to_move, count)
            else:
                self.move(self.match.seat_to_move)
        self.submit(Resign(SEATS[0]))

    def move(self, seat: str) -> None:
        options = self.match.options(seat)
        usable = [id_ for id_, option in options.abilities.items() if option.refusal is None]
        if self.number % 2:  # points add up for what was too dear in the match before
            usable = [id_ for id_ in usable if id_ not in self.seen.used and not self.tried[id_]]
        if usable and self.choose.random() < 0.5:  # noqa: PLR2004 - half of the time
            id_ = min(usable, key=lambda id_: (self.tried[id_], self.choose.random()))  # each in its turn
            self.tried[id_] += 1
            self.submit(UseAbility(seat, id_, self.target(seat, id_, options.abilities[id_])))
        else:
            self.submit(Fire(seat, self.aim(seat, options.fire)))

    def try_what_is_rare(self, seat: str, count: int) -> None:
        """Place a fleet anew, and run out of time; where that ends the match, only in a copy of it."""
        self.submit(PlaceFleet(seat, self.match.random_placement(seat, count)))
        match, self.match = self.match, self.match.fork()
        self.submit(TimeOut(seat))
        if self.match.outcome is not None:
            _note(self.match, self.seen)
            self.match = match

    def target(self, seat: str, id_: str, option: AbilityOption) -> Any:  # noqa: ANN401 - the JSON form of any target
        """Return what to aim an ability at: in every second use at a ship of the other side, if there is a choice."""
        targets = [*option.targets]
        spots = self.registry.ability(id_).target.spots(self.match.variant.ground)
        ships = self.ships(SEATS[1 - SEATS.index(seat)])
        at_ships = {json.dumps(form) for form, spot in spots.items() if ships.intersection(spot.cells)}
        struck = [each for each in targets if json.dumps(each) in at_ships]
        self.seen.uses[id_] += 1
        good = struck if struck and self.seen.uses[id_] % 2 else targets
        return self.choose.choice(good) if good else None

    def ships(self, seat: str) -> set[Cell]:
        """Return the cells of a seat's ships."""
        return {cell for ship in self.match.view(seat).own.ships.values() for cell in ship.cells}

    def aim(self, seat: str, fire: FireOption) -> list[str]:
        """Return cells to fire at; each is one with a ship in two of five cases."""
        ships = self.ships(SEATS[1 - SEATS.index(seat)])
        cells = self.choose.sample([*fire.cells], len(fire.cells))
        cells.sort(key=lambda cell: cell not in ships or self.choose.random() < 0.6)  # noqa: PLR2004 - see above
        return [self.match.grid.name(cell) for cell in cells[: fire.count]]

    def submit(self, command: Any) -> None:  # noqa: ANN401 - any command
        try:
            self.match.submit(command)
        except Refused as refused:
            if any(refusal.code == "not_allowed" for refusal in refused.refusals):
                return
        self.seen.allowed.add(type(command).__name__)
