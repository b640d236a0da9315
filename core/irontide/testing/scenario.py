"""Scenarios: given fleets and points, when commands, then what was told and what truly happened.

    scenario("tactical", fleets={"bo": {"cruiser": "B2-B4"}}, points={"ada": 2}).when("ada: sonar B3").told(
        "ada", "cells_scanned", count=3
    )

Every step returns the scenario, so that a test reads from top to bottom. A step that does not hold raises an
`AssertionError` that shows both grids, the events with their causes, and the rules that were asked.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NoReturn, Self, cast

from irontide.commands import Fire
from irontide.errors import Refused
from irontide.frozen import thaw
from irontide.grid import CellSet
from irontide.jsonforms import to_json
from irontide.match import Match
from irontide.registry import Registry, shared
from irontide.testing.expect import event_text, fits, listed
from irontide.testing.fleets import place
from irontide.testing.report import report
from irontide.testing.setup import Purse, Use, set_up
from irontide.testing.shorthand import Given, cells_of, command_of
from irontide.testing.watch import Watch
from irontide.variant import Variant

SEATS = ("ada", "bo")


class Scenario:
    """A match under test. Each step returns the scenario itself; `match` is there for all else."""

    def __init__(  # noqa: PLR0913 - what a match can be given
        self,
        variant: Variant | str = "classic",
        *,
        fleets: Mapping[str, Mapping[str, Any]] | None = None,
        points: Mapping[str, int] | None = None,
        abilities: Mapping[str, Use | None] | None = None,
        rules: Iterable[Use] = (),
        seats: Sequence[str] = SEATS,
        first: str | None = None,
        seed: int | str = 1,
        registry: Registry | None = None,
        **changes: Any,  # noqa: ANN401 - what `Variant.but` takes
    ) -> None:
        """Set up a match in which both fleets stand.

        Args:
            variant: a variant or the id of one.
            fleets: by seat, the ships that matter; the others are put where they are out of the way.
            points: by seat, what its purse holds when the first turn has begun; left out, what the rules give.
            abilities: by ship class, an ability or None; classes are registered on the fly.
            rules: more rules, added to the variant's; classes are registered on the fly.
            seats: the names of both seats.
            first: who moves first; the first seat unless the variant says otherwise.
            seed: of all chance in the match.
            registry: where all else comes from; the default one if None.
            changes: further changes of the variant, as `Variant.but` takes them (`grid`, `fleet`, `drops`, …).

        Raises:
            VariantError: the variant cannot be built; with every problem.
            Refused: a fleet is not allowed.

        """
        self._watch = Watch(keep=True)
        purse = [{"use": Purse, "points": dict(points)}] if points else []
        self.registry, made = set_up(
            self._watch, registry or shared(), variant, [*rules, *purse], abilities or {}, **changes
        )
        self.match = Match.new(made, seats=seats, seed=seed, first=first, registry=self.registry, strict=True)
        for seat in self.match.seats:
            place(self.match, self.registry.book(made), seat, (fleets or {}).get(seat, {}))
        self._mark()

    # When.

    def given(self, *commands: Given) -> Self:
        """Let these commands have happened: what follows looks at what comes after them."""
        for command in commands:
            self._submit(command)
        self._mark()
        return self

    def when(self, *commands: Given) -> Self:
        """Submit commands (see `command_of` for their short forms); what follows looks at what they brought."""
        self._mark()
        for command in commands:
            self._submit(command)
        return self

    def turns(self, count: int = 1) -> Self:
        """Let so many turns pass: whoever is to move fires at cells without a ship, the last ones first."""
        self._mark()
        for _ in range(count):
            seat = cast("str", self.match.seat_to_move)
            [other] = [other for other in self.match.seats if other != seat]
            fire = self.match.options(seat).fire
            ships = CellSet.of(cell for ship in self.match.view(other).own.ships.values() for cell in ship.cells)
            names = self.match.grid.list(fire.cells - ships)[::-1][: fire.count]
            self._submit(Fire(seat, names))
        return self

    def refuses(self, command: Given, code: str, /, **args: object) -> Self:
        """Submit a command that must be refused with this code first, and these among its arguments."""
        self._mark()
        before = self.match.dumps()
        asked = command_of(command, self.match, self.registry)
        try:
            self.match.submit(asked)
        except Refused as refused:
            found = refused.refusals[0]
        else:
            self._fail(f"{command} should be refused with {code!r}, but was accepted")
        same = found.code == code and fits(args, cast("dict[str, Any]", thaw(found.args)))
        self._hold(same, f"{command} to be refused with {code!r} {args or ''}", f"{found.code!r} {thaw(found.args)}")
        self._hold(self.match.dumps() == before, "no change by a refused command", "another log")
        return self

    # Then.

    def told(self, seat: str | None, /, *types: str, **fields: object) -> Self:
        """See that the seat (None: a spectator) was told these types of events, in this order.

        They come after what earlier steps since the last command found. `fields` are of the last of them; None stands
        for a field that is null or withheld; a name that Python has taken has `_` behind it (`class_`).
        """
        self._found(seat or "spectator", self._told(seat), types, fields)
        return self

    def not_told(self, seat: str | None, /, *types: str, **fields: object) -> Self:
        """See that none of what the last commands brought, or none with these fields, was told to the seat."""
        self._missing(seat or "spectator", self._told(seat), types, fields)
        return self

    def happened(self, *types: str, **fields: object) -> Self:
        """See that these true events happened, in this order, as `told` does."""
        self._found("truth", self._true(), types, fields)
        return self

    def not_happened(self, *types: str, **fields: object) -> Self:
        """See that no such event happened."""
        self._missing("truth", self._true(), types, fields)
        return self

    def sees(self, seat: str, /, **parts: object) -> Self:
        """See that parts of the seat's view are so: of `view.target`, or else of `view` itself.

        Cells are given as "B2 B3" or a list of names.
        """
        view = self.match.view(seat)
        for name, wanted in parts.items():
            found: object = getattr(view.target if hasattr(view.target, name) else view, name)
            same = found == wanted
            if isinstance(found, CellSet):
                found = self.match.grid.list(found)
                same = {*cells_of(wanted)} == {*found}
            self._hold(same, f"{seat} to see {name} {wanted!r}", found)
        return self

    def points(self, **purses: int) -> Self:
        """See what the purses hold, by seat."""
        for seat, wanted in purses.items():
            found = self.match.view(seat).points
            self._hold(found == wanted, f"{seat} to have {wanted} points", found)
        return self

    def offers(
        self, seat: str, ability: str, *targets: object, price: int | None = None, refusal: str | None = None
    ) -> Self:
        """See that the seat's options hold the ability, with these among its targets; or its refusal's code."""
        option = self.match.options(seat).abilities[ability]
        code = option.refusal and option.refusal.code
        self._hold(code == refusal, f"{ability} offered to {seat} with refusal {refusal!r}", code)
        self._hold(price in {None, option.price}, f"{ability} to cost {price}", option.price)
        found = [*option.targets]
        for target in targets:
            self._hold(target in found, f"{target!r} among the targets of {ability}", found)
        return self

    def fires_at(self, seat: str, *cells: str, count: int | None = None) -> Self:
        """See that the seat may fire at each of these cells, and at how many in one command."""
        fire = self.match.options(seat).fire
        found = self.match.grid.list(fire.cells)
        self._hold(set(cells) <= {*found}, f"{seat} may fire at {' '.join(cells)}", found)
        self._hold(count in {None, fire.count}, f"{seat} to fire {count} shots", fire.count)
        return self

    def to_move(self, seat: str | None) -> Self:
        """See whose turn it is."""
        self._hold(self.match.seat_to_move == seat, f"{seat} to move", self.match.seat_to_move)
        return self

    def over(self, winner: str | None, reason: str) -> Self:
        """See how the match has ended; no winner is a draw."""
        outcome = self.match.outcome
        found = outcome and (outcome.winner, outcome.reason)
        self._hold(found == (winner, reason), f"the match won by {winner} ({reason})", found)
        return self

    # Within.

    def _mark(self) -> None:
        """Look from now on at what comes next."""
        self._since = self.match.number
        self._heard = {seat: len(self.match.told(seat)) for seat in (*self.match.seats, None)}
        self._at: dict[str, int] = {}
        self._watch.asked.clear()

    def _submit(self, command: Given) -> None:
        try:
            self.match.submit(command_of(command, self.match, self.registry))
        except Refused as refused:
            self._fail(f"{command} was refused: {refused}")

    def _told(self, seat: str | None) -> list[dict[str, Any]]:
        return self.match.told(seat, since=self._heard[seat])

    def _true(self) -> list[dict[str, Any]]:
        return [to_json(event) for commit in self.match.commits[self._since :] for event in commit.events]

    def _found(
        self, where: str, events: list[dict[str, Any]], types: tuple[str, ...], fields: dict[str, object]
    ) -> None:
        for number, type_ in enumerate(types, 1):
            wanted = {"type": type_, **(fields if number == len(types) else {})}
            start = self._at.get(where, 0)
            place = next((n for n, event in enumerate(events[start:], start) if fits(wanted, event)), None)
            if place is None:
                self._fail(f"{where}: expected {event_text(wanted)} from event {start + 1} on, of{listed(events)}")
            self._at[where] = place + 1

    def _missing(
        self, where: str, events: list[dict[str, Any]], types: tuple[str, ...], fields: dict[str, object]
    ) -> None:
        for type_ in types:
            found = [event for event in events if fits({"type": type_, **fields}, event)]
            if found:
                self._fail(f"{where}: expected no {event_text({'type': type_, **fields})}, but{listed(found)}")

    def _hold(self, holds: bool, wanted: str, found: object) -> None:  # noqa: FBT001 - what is checked
        if not holds:
            self._fail(f"expected {wanted}, found {found}")

    def _fail(self, text: str) -> NoReturn:
        raise AssertionError(f"{text}\n\n{report(self.match, self._since, self._watch.asked)}")
