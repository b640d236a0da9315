"""Options: what a seat may do now, worked out from what it knows: what would be accepted, as far as it can know."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

import attrs

from irontide.commands import UseAbility
from irontide.errors import Refusal
from irontide.frozen import FrozenDict, thaw
from irontide.grid import CellSet, Grid
from irontide.guard import Guard
from irontide.legality import (
    ability_reasons,
    allowed_cells,
    forbidden,
    open_cells,
    price_of,
    target_reasons,
)
from irontide.rulebook import Bound, Rulebook
from irontide.rules import Ability
from irontide.state import State
from irontide.targets import Nothing, OneCell, Spot, known_cells


@attrs.frozen
class FireOption:
    """Where to fire: the open cells, and how many of them the next salvo takes."""

    cells: CellSet
    count: int


class Targets(Sequence[Any]):  # noqa: PLW1641 - a list in all but name
    """The possible targets of an ability, each in its JSON form as `UseAbility` takes it, fresh for whoever asks."""

    __slots__ = ("_spots",)

    def __init__(self, spots: Sequence[Spot]) -> None:
        """Take the choices."""
        self._spots = spots

    def __len__(self) -> int:
        return len(self._spots)

    def __getitem__(self, place: Any) -> Any:  # noqa: ANN401 - a number or a slice
        if isinstance(place, slice):
            return [self[number] for number in range(*place.indices(len(self._spots)))]
        return thaw(self._spots[place].json)

    def __iter__(self) -> Iterator[Any]:
        for spot in self._spots:
            yield thaw(cast("object", spot.json))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Targets) and self._spots == other._spots

    def __repr__(self) -> str:
        return f"Targets({list(self)})"


NO_TARGETS = Targets(())


@attrs.frozen
class AbilityOption:
    """Whether and how an ability may be used: its price, its targets, and why not (None: it may)."""

    price: int
    targets: Targets
    refusal: Refusal | None


@attrs.frozen
class Options:
    """What a seat may do now."""

    seat: str
    fire: FireOption
    abilities: Mapping[str, AbilityOption]
    grid: Grid = attrs.field(repr=False)


NO_FIRE = FireOption(CellSet(), 0)


def options_of(book: Rulebook, state: State, seat: int, guard: Guard) -> Options:
    """Return the options of a seat, from the true state or from its own folded one alike."""
    fire = _fire(book, state, seat, guard) if state.turn == seat else NO_FIRE
    bounds = book.abilities[seat]
    abilities = {id_: _ability(book, state, bound, guard) for id_, bound in bounds.items()} if bounds else {}
    return Options(state.seats[seat], fire, FrozenDict(abilities), book.grid)


def _fire(book: Rulebook, state: State, seat: int, guard: Guard) -> FireOption:
    cells = allowed_cells(book, state, seat, guard)
    return FireOption(CellSet(cells), min(state.due, cells.bit_count()))


def _ability(book: Rulebook, state: State, bound: Bound, guard: Guard) -> AbilityOption:
    price = price_of(book, state, bound, guard)
    refusal = _refusal(book, state, bound, guard)
    if refusal is not None:
        return AbilityOption(price, NO_TARGETS, refusal)
    if isinstance(bound.target, Nothing):
        why = next(_reasons(book, state, bound, bound.spots[None], guard), None)
        return AbilityOption(price, NO_TARGETS, why)
    targets = _targets(book, state, bound, guard)
    if targets:
        return AbilityOption(price, Targets(targets), None)
    code = "nothing_to_shoot" if bound.ability.shoots else "bad_target"
    return AbilityOption(price, NO_TARGETS, Refusal(code, {"ability": bound.rule.id}))


def _refusal(book: Rulebook, state: State, bound: Bound, guard: Guard) -> Refusal | None:
    if state.outcome is not None:
        return Refusal("match_over", {"winner": state.outcome.winner, "reason": state.outcome.reason})
    if not all(state.placed):
        waiting = [seat for seat, done in zip(state.seats, state.placed, strict=True) if not done]
        return Refusal("not_placed_yet", {"seats": waiting})
    if state.turn != bound.seat:
        to_move = state.seats[state.turn] if state.turn >= 0 else None
        return Refusal("not_your_turn", {"seat": state.seats[bound.seat], "seat_to_move": to_move})
    return next(ability_reasons(book, state, bound, guard), None)


def _targets(book: Rulebook, state: State, bound: Bound, guard: Guard) -> Sequence[Spot]:
    seat = bound.seat
    spots: Sequence[Spot] = bound.all_spots
    free = open_cells(book, state, seat)
    if isinstance(bound.target, OneCell):
        cells = known_cells(bound.target, state.water[1 - seat], state.struck[1 - seat], free, book.sea)
        spots = [spot for spot in spots if not spot.mask & ~cells]
    if bound.ability.shoots:
        spots = [spot for spot in spots if spot.mask & free]
    if type(bound.ability).allows is not Ability.allows or book.forbids.get(UseAbility):
        spots = [spot for spot in spots if not any(_reasons(book, state, bound, spot, guard))]
    return spots


def _reasons(book: Rulebook, state: State, bound: Bound, spot: Spot, guard: Guard) -> Iterator[Refusal]:
    yield from target_reasons(book, state, bound, spot, guard)
    command = UseAbility(state.seats[bound.seat], bound.rule.id, spot.json)
    yield from forbidden(book, state, bound.seat, command, guard)
