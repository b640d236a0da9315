"""Options: what a seat may do now, worked out from what it knows: what would be accepted, as far as it can know."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import attrs

from irontide.aiming import admitted
from irontide.commands import UseAbility
from irontide.errors import Refusal, refusal
from irontide.frozen import FrozenDict, Json, maker
from irontide.grid import CellSet, Grid
from irontide.guard import Guard
from irontide.legality import (
    ability_reasons,
    allowed_cells,
    conditions,
    forbidden,
    left_of,
    open_cells,
    price_of,
    shots_due,
    target_reasons,
    wait_of,
)
from irontide.rulebook import Bound, Rulebook
from irontide.sight import Sight
from irontide.state import State
from irontide.targets import Nothing, Spot


@attrs.frozen(weakref_slot=False)
class FireOption:
    """Where to fire: the open cells, and how many of them the next salvo takes; `may_pass`: none at all will do too."""

    cells: CellSet
    count: int
    may_pass: bool = False


class Targets(Sequence[Any]):  # noqa: PLW1641 - a list in all but name
    """The possible targets of an ability, each in its JSON form as `UseAbility` takes it, fresh for whoever asks."""

    __slots__ = ("_forms", "_fresh")

    def __init__(self, forms: Sequence[Json], fresh: Callable[[Any], Any]) -> None:
        """Take the JSON forms, and what makes one of them free to change."""
        self._forms = forms
        self._fresh = fresh

    def __len__(self) -> int:
        return len(self._forms)

    def __getitem__(self, place: Any) -> Any:  # noqa: ANN401 - a number or a slice
        if isinstance(place, slice):
            return [self[number] for number in range(*place.indices(len(self._forms)))]
        return self._fresh(self._forms[int(place)])

    def __iter__(self) -> Iterator[Any]:
        return map(self._fresh, self._forms)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Targets) and self._forms == other._forms

    def __repr__(self) -> str:
        return f"Targets({list(self)})"


NO_TARGETS: Sequence[Any] = ()


@attrs.frozen(weakref_slot=False)
class AbilityOption:
    """Whether and how an ability may be used: its price, its targets, and why not (None: it may)."""

    price: int
    targets: Sequence[Any]
    refusal: Refusal | None
    left: int | None = None
    """How often it may still be used in the match; None: as often as may be."""
    wait: int = 0
    """In how many own turns it is ready again, 1 being the next one; 0: it does not rest."""


@attrs.frozen(weakref_slot=False)
class Options:
    """What a seat may do now."""

    seat: str
    fire: FireOption
    abilities: Mapping[str, AbilityOption]
    grid: Grid = attrs.field(repr=False)


KEPT = 256
"""How many options of all abilities of a seat are kept: most come again."""

UNTARGETED = ("not_enough_points", "ability_limit", "not_your_turn", "ability_disabled", "not_allowed", "match_over")
"""Refusals that do not depend on any target."""

options_made, fire_made = maker(Options), maker(FireOption)

NO_FIRE = FireOption(CellSet(), 0)


def options_of(book: Rulebook, state: State, seat: int, guard: Guard) -> Options:
    """Return the options of a seat, from the true state or from its own folded one alike."""
    fire = _fire(book, state, seat, guard) if state.turn == seat else NO_FIRE
    abilities = _abilities(book, state, seat, guard) if book.abilities[seat] else NO_ABILITIES
    return options_made(state.seats[seat], fire, abilities, book.grid)


NO_ABILITIES = FrozenDict()


def _abilities(book: Rulebook, state: State, seat: int, guard: Guard) -> FrozenDict:
    """Return the options of a seat's abilities; those that are what they were are not worked out again."""
    bounds, waits = book.abilities[seat], None if state.turn == seat else _waits(state, seat)
    if book.choosy:
        return FrozenDict({id_: _worked_out(book, state, bound, guard, waits) for id_, bound in bounds.items()})
    kept, known = book.options[seat], conditions(book, state, seat, waits)
    found = kept.get(known, NO_ABILITIES)
    if len(found) == len(bounds):
        return found
    options = FrozenDict(
        {id_: found.get(id_) or _worked_out(book, state, bound, guard, waits) for id_, bound in bounds.items()}
    )
    if known not in kept:
        if len(kept) >= KEPT:
            kept.clear()
        kept[known] = FrozenDict({id_: option for id_, option in options.items() if _lasts(bounds[id_], option)})
    return options


def _lasts(bound: Bound, option: AbilityOption) -> bool:
    """Tell whether an option does not depend on what its ability could be aimed at."""
    return bound.steady or (option.refusal is not None and option.refusal.code in UNTARGETED)


def _fire(book: Rulebook, state: State, seat: int, guard: Guard) -> FireOption:
    cells = allowed_cells(book, state, seat, guard)
    return fire_made(CellSet(cells), shots_due(book, state, seat, cells, guard), not book.must_shoot)


def _waits(state: State, seat: int) -> Refusal:
    """Return why the seat, which is not to move, can do nothing now."""
    if state.outcome is not None:
        return refusal("match_over", winner=state.outcome.winner, reason=state.outcome.reason)
    if not all(state.placed):
        waiting = [seat for seat, done in zip(state.seats, state.placed, strict=True) if not done]
        return Refusal("not_placed_yet", {"seats": waiting})
    to_move = state.seats[state.turn] if state.turn >= 0 else None
    return refusal("not_your_turn", seat=state.seats[seat], seat_to_move=to_move)


def _worked_out(book: Rulebook, state: State, bound: Bound, guard: Guard, waits: Refusal | None) -> AbilityOption:
    price = price_of(book, state, bound, guard)
    why = waits or next(iter(ability_reasons(book, state, bound, price)), None)
    targets, why = (NO_TARGETS, why) if why is not None else _aims(book, state, bound, guard)
    return AbilityOption(price, targets, why, left_of(state, bound), wait_of(state, bound))


def _aims(book: Rulebook, state: State, bound: Bound, guard: Guard) -> tuple[Sequence[Any], Refusal | None]:
    """Return the targets of an ability that may be used now, or why there is none."""
    if isinstance(bound.target, Nothing):
        return NO_TARGETS, next(_reasons(book, state, bound, bound.spots[None], guard), None)
    targets = _targets(book, state, bound, guard)
    if targets:
        forms = bound.forms if targets is bound.all_spots else tuple([spot.json for spot in targets])
        return forms if type(forms[0]) is str else Targets(forms, bound.fresh), None
    code = "nothing_to_shoot" if bound.ability.shoots else "bad_target"
    return NO_TARGETS, refusal(code, ability=bound.rule.id)


def _targets(book: Rulebook, state: State, bound: Bound, guard: Guard) -> Sequence[Spot]:
    seat = bound.seat
    spots: Sequence[Spot] = bound.all_spots
    free = open_cells(book, state, seat)
    if not bound.steady:
        spots = admitted(bound, Sight(book, state, seat, free), spots, guard)
    if bound.ability.shoots:
        spots = [spot for spot in spots if spot.mask & free]
    if bound.picky or UseAbility in book.forbids:
        spots = [spot for spot in spots if not any(_reasons(book, state, bound, spot, guard))]
    return spots


def _reasons(book: Rulebook, state: State, bound: Bound, spot: Spot, guard: Guard) -> Iterator[Refusal]:
    yield from target_reasons(book, state, bound, spot, guard)
    if UseAbility not in book.forbids:
        return
    command = UseAbility(state.seats[bound.seat], bound.rule.id, spot.json)
    yield from forbidden(book, state, bound.seat, command, guard)
