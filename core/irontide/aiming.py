"""Aiming: what the target of an ability says of a choice. One that a plugin has written is called by the guard."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from irontide.errors import Refusal
from irontide.frozen import Json, is_frozen, is_text, shown, unchanged
from irontide.grid import CellSet, Grid
from irontide.subjects import EnemyAbility, OwnShip
from irontide.targets import Area, Lane, Line, Nothing, OneCell, Pattern, Spot, declared_fields

if TYPE_CHECKING:
    from irontide.guard import Guard
    from irontide.rulebook import Bound
    from irontide.sight import Sight


OWN = frozenset({Nothing, OneCell, Area, Line, Pattern, Lane, OwnShip, EnemyAbility})
"""Targets of the core's own, which do nothing but what stands there."""


def spot_of(bound: "Bound", grid: Grid, given: Json, guard: "Guard") -> Spot | Refusal:
    """Return which choice of an ability's target this JSON form names, or why none.

    Raises:
        Broken: the target cannot say so.

    """
    if type(bound.target) in OWN:
        return bound.target.read(grid, bound.spots, given)
    found: Spot | Refusal | None = guard.run(
        bound, "target", lambda: _known(bound, bound.target.read(grid, bound.spots, given))
    )
    if found is None:
        guard.broken(bound, "target", f"read {shown(given)} as what is none of its choices, and no Refusal")
    return found


def _known(bound: "Bound", found: object) -> Spot | Refusal | None:
    return bound.spots.get(found.json) if type(found) is Spot else made_anew(found)


def made_anew(answer: object) -> Refusal | None:
    """Return a rule's refusal out of its reach, or None if it is none."""
    try:
        return Refusal(answer.code, answer.args) if type(answer) is Refusal and is_text(answer.code) else None
    except Exception:  # noqa: BLE001 - what was tampered with may not even be looked at
        return None


def admitted(bound: "Bound", sight: "Sight", spots: Sequence[Spot], guard: "Guard") -> Sequence[Spot]:
    """Return which of these choices may be made now, by what the user knows.

    Raises:
        Broken: the target cannot say so.

    """

    def these() -> Sequence[Spot]:
        admits = bound.target.admits(sight)
        return spots if admits is None else [spot for spot in spots if admits(spot)]

    found: Sequence[Spot] = these() if type(bound.target) in OWN else guard.run(bound, "target", these)
    return found


def chosen(bound: "Bound", spot: Spot, open_: CellSet, guard: "Guard") -> Any:  # noqa: ANN401 - each ability has its own
    """Return an ability's target with this choice in it.

    Raises:
        Broken: the target cannot be made so.

    """
    if type(bound.target) in OWN:
        return bound.target.chosen(spot, open_)
    return guard.run(bound, "target", lambda: bound.target.chosen(spot, open_))


def is_as_chosen(target: Any, bound: "Bound", spot: Spot, open_: CellSet, guard: "Guard") -> bool:  # noqa: ANN401 - whatever became of it
    """Tell whether an ability's target is still what it was when it was handed over.

    Raises:
        Broken: the target cannot be made so again.

    """
    declared = bound.target
    kind: type = type(declared)
    if kind not in OWN:
        return unchanged(target, chosen(bound, spot, open_, guard))
    try:
        for name in declared_fields(kind):
            if getattr(target, name) != getattr(declared, name):
                return False
        return bool(target.spot == spot and target.open == open_) and type(target) is kind
    except Exception:  # noqa: BLE001 - a plugin may have put anything there
        return False


def listed(spots: Mapping[Json, Spot], sea: int) -> Iterable[tuple[Json, Spot]]:
    """Yield all choices of a target by their JSON forms.

    Raises:
        TypeError: something of it is no choice in this sea.

    """
    for json, spot in spots.items():
        sound = type(spot) is Spot and is_frozen(spot.json) and spot.json == json
        if not sound or type(spot.mask) is not int or spot.mask & ~sea or CellSet.of(spot.cells).mask != spot.mask:
            raise TypeError(f"{shown(spot)} is no choice")
        yield json, spot
