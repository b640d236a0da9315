"""A variant compiled: every rule instance, and who is asked about what in which order. Made once per variant and registry.

The order is total and the engine's own (DESIGN: order): group, then the seat to move first, then fleet order, then rule
id. It never depends on a cell, on registration time or on a set.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple, TypeAlias

import attrs

from irontide.counting import Berths
from irontide.fleet import ShipClass, berths
from irontide.grid import CellSet, Grid
from irontide.rules import ADJUST_GROUPS, FORBID_GROUPS, REACT_GROUPS, REPLACE_GROUPS, Ability, Rule, Terms, Verb
from irontide.state import Key
from irontide.targets import Spot, Target
from irontide.variant import Variant

GROUPS = {"forbids": FORBID_GROUPS, "adjusts": ADJUST_GROUPS, "replaces": REPLACE_GROUPS, "reacts": REACT_GROUPS}


@attrs.frozen(eq=False)
class Bound:
    """A rule instance: a rule with its parameters, for one seat if it belongs to a ship, else for the match (seat -1)."""

    plugin: str
    rule: Rule
    seat: int = -1
    place: int = -1
    """The place of its class in the fleet."""
    ships: tuple[str, ...] = ()
    terms: Terms = Terms()
    target: Target = attrs.field(factory=Target)
    spots: Mapping[Any, Spot] = attrs.field(factory=dict[Any, Spot])
    all_spots: tuple[Spot, ...] = attrs.field(init=False)
    key: Key = attrs.field(init=False)

    @all_spots.default  # pyright: ignore
    def _all_spots(self) -> tuple[Spot, ...]:
        return tuple(self.spots.values())

    @key.default  # pyright: ignore
    def _key(self) -> Key:
        return self.seat, self.rule.id

    @property
    def ability(self) -> Ability:
        """The rule as the ability that it is."""
        if not isinstance(self.rule, Ability):
            msg = f"{self.rule.id} is no ability"
            raise TypeError(msg)
        return self.rule


class Listener(NamedTuple):
    """One handler of one rule instance."""

    bound: Bound
    call: Callable[..., Any]
    name: str
    verb: Verb

    def rank(self, mover: int) -> tuple[int, bool, bool, int, str, str]:
        """Return its place in the order when seat `mover` is to move."""
        groups = GROUPS[self.verb.verb]
        default = ("ability" if self.bound.seat >= 0 else "rule") if "ability" in groups else groups[0]
        group = groups.index(self.verb.group or default)
        bound = self.bound
        return group, bound.seat >= 0, bound.seat not in (-1, mover), bound.place, bound.rule.id, self.name


Table: TypeAlias = "dict[Any, tuple[tuple[Listener, ...], tuple[Listener, ...]]]"
"""By what is listened to: the listeners in order when seat 0, and when seat 1 is to move."""


class Rulebook:
    """The compiled rules of one variant, shared by all its matches."""

    def __init__(self, variant: Variant, bounds: Iterable[Bound], base: frozenset[str]) -> None:
        """Take the checked variant, its rule instances, and which of the core's own rules hold."""
        self.variant = variant
        self.grid: Grid = variant.grid
        self.names = self.grid.names
        self.numbers = self.grid.numbers
        self.sea = self.grid.all.mask
        self.bounds = tuple(bounds)
        self.base = base
        self.no_repeat = "core.no_repeat" in base
        self.must_shoot = "core.must_shoot" in base
        self.one_ability = "core.one_ability" in base
        self.fleet_fixed = "core.fleet_fixed" in base
        self.ships: dict[str, ShipClass] = {ship: class_ for class_ in variant.fleet for ship in class_.ships()}
        self.abilities = tuple(
            {bound.rule.id: bound for bound in self.bounds if bound.seat == seat and isinstance(bound.rule, Ability)}
            for seat in (0, 1)
        )
        self.of_class = {class_: use.use for class_, use in variant.abilities.items()}
        self.plugins = tuple(sorted({bound.plugin for bound in self.bounds}))
        self.forbids = _table(self.bounds, "forbids")
        self.adjusts = _table(self.bounds, "adjusts")
        self.replaces = _table(self.bounds, "replaces")
        self.reacts = _table(self.bounds, "reacts")
        self._zones: dict[int, int] = {}

    def zone(self, mask: int) -> int:
        """Return the cells that other ships may not use because of a ship on these cells, its own included."""
        found = self._zones.get(mask)
        if found is None:
            zone = ship = CellSet(mask)
            for listener in self.adjusts.get("clearance", ((), ()))[0]:
                zone = listener.call(self.grid, zone, ship)
            found = self._zones[mask] = zone.mask | mask
        return found

    def berths(self) -> list[Berths]:
        """Return every place that each class can take, for counting and for drawing a fleet."""
        found: list[Berths] = []
        for class_ in self.variant.fleet:
            masks = berths(class_, self.grid, self.sea)
            found.append(Berths(masks, tuple(self.zone(mask) for mask in masks), class_.count))
        return found


def _table(bounds: Iterable[Bound], verb: str) -> Table:
    found: dict[Any, list[Listener]] = {}
    for bound in bounds:
        for name, mark in bound.rule.handlers:
            if mark.verb == verb:
                found.setdefault(mark.on, []).append(Listener(bound, getattr(bound.rule, name), name, mark))
    return {
        on: (
            tuple(sorted(listeners, key=lambda listener: listener.rank(0))),
            tuple(sorted(listeners, key=lambda listener: listener.rank(1))),
        )
        for on, listeners in found.items()
    }
