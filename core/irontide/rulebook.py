"""A variant compiled: every rule instance, and who is asked about what in which order.

Made once per variant and registry. The order is total and the engine's own: group, then the seat to move first, then
fleet order, then rule id. It never depends on a cell, on registration time or on a set.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import Any, NamedTuple, TypeAlias, cast

import attrs

from irontide.built import Built
from irontide.commands import Fire, UseAbility
from irontide.counting import Berths
from irontide.effects import Shot
from irontide.events import ShotFired, TurnEnded
from irontide.fleet import Placement, ShipClass, berths
from irontide.frozen import PLAIN, FrozenDict, Json, freeze, replica, thaw
from irontide.grid import CellSet, Grid, bits_of, numbers_of
from irontide.rules import (
    ADJUST_GROUPS,
    BASE_RULES,
    FORBID_GROUPS,
    REACT_GROUPS,
    REPLACE_GROUPS,
    Ability,
    Rule,
    Terms,
    Verb,
)
from irontide.state import Key
from irontide.targets import OneCell, Spot, Target
from irontide.variant import Variant

GROUPS = {"forbids": FORBID_GROUPS, "adjusts": ADJUST_GROUPS, "replaces": REPLACE_GROUPS, "reacts": REACT_GROUPS}


ABOUT_SHOTS = {"answer", "audience", "shots", "volley"}
"""What is asked about a shot or a turn."""

MOST_EVENTS = 3
"""How many events a plain turn has before the next begins: a shot, a sinking, and its end."""

BEFORE_THE_BATTLE = {"clearance"}
"""What can be asked of a rule that has no part in the battle."""


def _listed(bound: "Bound") -> tuple[Spot, ...]:
    return tuple(bound.spots.values())


def _forms(bound: "Bound") -> tuple[Json, ...]:
    return tuple(spot.json for spot in bound.all_spots)


def _fresh(bound: "Bound") -> Callable[[Any], Any]:
    flat = all(type(form) is FrozenDict and PLAIN.issuperset(map(type, form.values())) for form in bound.forms)
    return dict if flat else thaw


def _named(bound: "Bound") -> bool:
    return {str, type(None)}.issuperset(map(type, bound.forms))


def _passive(bound: "Bound") -> bool:
    return not isinstance(bound.rule, Ability) or type(bound.rule).use is Ability.use


def _steady(bound: "Bound") -> bool:
    shoots = isinstance(bound.rule, Ability) and bound.rule.shoots
    narrowed = type(bound.target).admits is not Target.admits and bound.target != OneCell(side=bound.target.side)
    return not (shoots or narrowed)


def _picky(bound: "Bound") -> bool:
    return isinstance(bound.rule, Ability) and type(bound.rule).allows is not Ability.allows


def _limited(bound: "Bound") -> bool:
    return attrs.evolve(bound.terms, price=0, instead_of_shot=False) != Terms()


def _counted(bound: "Bound") -> bool:
    terms = bound.terms
    return terms.cooldown > 0 or terms.per_match is not None or terms.charges is not None


def _id(bound: "Bound") -> str:
    return bound.rule.id


def _key(bound: "Bound") -> Key:
    return bound.seat, bound.rule.id


def _built(bound: "Bound") -> Built:
    return Built(bound.rule)


@attrs.frozen(eq=False)
class Bound:
    """A rule instance: a rule with its parameters, for one seat if it belongs to a ship, else for none (-1)."""

    plugin: str
    rule: Rule
    seat: int = -1
    place: int = -1
    """The place of its class in the fleet."""
    ships: tuple[str, ...] = ()
    terms: Terms = attrs.field(factory=Terms)
    target: Target = attrs.field(factory=Target)
    spots: Mapping[Any, Spot] = attrs.field(factory=dict[Any, Spot])
    all_spots: tuple[Spot, ...] = attrs.field(init=False, default=attrs.Factory(_listed, takes_self=True))
    forms: tuple[Json, ...] = attrs.field(init=False, default=attrs.Factory(_forms, takes_self=True))
    fresh: Callable[[Any], Any] = attrs.field(init=False, default=attrs.Factory(_fresh, takes_self=True))
    """What makes a JSON form of its targets free to change."""
    named: bool = attrs.field(init=False, default=attrs.Factory(_named, takes_self=True))
    """Whether each of its targets has a name, if anything: then nothing of them could be changed, even by force."""
    passive: bool = attrs.field(init=False, default=attrs.Factory(_passive, takes_self=True))
    """Whether it cannot be used: an ability that has only handlers."""
    answers: dict[Any, Any] = attrs.field(init=False, factory=dict[Any, Any])
    """What its handlers answered that rests on nothing but what they were asked; kept by `guard`."""
    steady: bool = attrs.field(init=False, default=attrs.Factory(_steady, takes_self=True))
    """Whether all its targets are always open to it."""
    picky: bool = attrs.field(init=False, default=attrs.Factory(_picky, takes_self=True))
    """Whether it has a say of its own in its targets."""
    limited: bool = attrs.field(init=False, default=attrs.Factory(_limited, takes_self=True))
    """Whether it has limits of its own."""
    counted: bool = attrs.field(init=False, default=attrs.Factory(_counted, takes_self=True))
    """Whether its uses in the match, or its turns of rest after one, are counted."""
    key: Key = attrs.field(init=False, default=attrs.Factory(_key, takes_self=True))
    id: str = attrs.field(init=False, default=attrs.Factory(_id, takes_self=True))
    built: Built = attrs.field(kw_only=True, default=attrs.Factory(_built, takes_self=True))

    @property
    def parameters(self) -> tuple[tuple[str, object], ...]:
        """The rule's parameters by name."""
        return self.built.parameters

    def on(self, sea: int) -> "Bound":
        """Return the rule instance with the targets that there are where only these cells exist."""
        spots = {json: self.target.at_sea(spot, sea) for json, spot in self.spots.items()}
        return attrs.evolve(self, spots={json: spot for json, spot in spots.items() if spot is not None})

    @property
    def ability(self) -> Ability:
        """The rule as the ability that it is."""
        return cast("Ability", self.rule)


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


class Berth(NamedTuple):
    """A place of a ship: its cells as a bit set, their names, and its JSON form as the engine writes it."""

    mask: int
    names: tuple[str, ...]
    form: "str | tuple[str, ...]"


Table: TypeAlias = "dict[Any, tuple[tuple[Listener, ...], tuple[Listener, ...]]]"
"""By what is listened to: the listeners in order when seat 0, and when seat 1 is to move."""


KEPT_SEAS = 64
"""On how many seas drawn for matches a rulebook keeps its rules."""


class Rulebook:
    """The compiled rules of one variant, shared by all its matches."""

    def __init__(self, variant: Variant, bounds: Iterable[Bound], base: frozenset[str], sea: int = -1) -> None:
        """Take the checked variant, its rule instances, which of the core's own rules hold, and which cells exist."""
        self.variant = variant
        self.grid: Grid = variant.grid
        self.limits = variant.limits.over(self.grid.size)
        """What one command may take on this grid."""
        self.names = self.grid.names
        self.numbers = numbers_of(self.grid)
        self.sea = self.grid.all.mask & sea
        self.islands = self.grid.all.mask & ~sea
        self.sea_varies = False
        """Whether each match draws which cells exist."""
        self._seas: dict[int, Rulebook] = {}
        self.bounds = tuple(bounds)
        self.base = base
        self.no_repeat = "core.no_repeat" in base
        self.must_shoot = "core.must_shoot" in base
        self.one_ability = "core.one_ability" in base
        self.ships_stay = "core.ships_stay" in base
        self.fleet_fixed = "core.fleet_fixed" in base
        self.ships: dict[str, ShipClass] = {ship: class_ for class_ in variant.fleet for ship in class_.ships()}
        self.abilities = tuple(
            {bound.rule.id: bound for bound in self.bounds if bound.seat == seat and isinstance(bound.rule, Ability)}
            for seat in (0, 1)
        )
        self.of_class = {class_: use.use for class_, use in variant.granted.items()}
        self.plugins = tuple(sorted({bound.plugin for bound in self.bounds}))
        self.forbids = _table(self.bounds, "forbids")
        self.adjusts = _table(self.bounds, "adjusts")
        self.replaces = _table(self.bounds, "replaces")
        self.reacts = _table(self.bounds, "reacts")
        self.bits = bits_of(self.grid)
        self.data = cast("FrozenDict", freeze(variant.data()))
        self.answers = "answer" in self.adjusts
        """Whether a rule has a say in what a shot tells."""
        self.volleys = "volley" in self.adjusts
        """Whether a rule has a say in how many cells one command takes."""
        self.prices_vary = "price" in self.adjusts
        self.keys = tuple([bound.key for bound in seat.values()] for seat in self.abilities)
        self.limited = tuple([bound for bound in seat.values() if bound.limited] for seat in self.abilities)
        """The abilities of each seat that have limits of their own."""
        self.counted = tuple([bound for bound in seat if bound.counted] for seat in self.limited)
        """Those whose uses or turns of rest are counted."""
        picky = any(bound.picky for bound in self.bounds)
        self.choosy = picky or self.prices_vary or UseAbility in self.forbids
        """Whether rules or abilities have a say in how abilities are used."""
        self.options: tuple[dict[Any, FrozenDict], ...] = {}, {}
        """What the options of each seat's abilities were, by all that they depend on; kept by `options`."""
        self.spaced = "clearance" in self.adjusts
        """Whether a ship keeps others off more than its own cells."""
        self._zones: dict[int, int] = {}
        self._places: dict[str, dict[object, Berth]] = {}

    @cached_property
    def plain(self) -> bool:
        """Whether no rule has a part in a shot that sinks nothing and in the turn after it, and the core's own hold."""
        heard = {ShotFired, TurnEnded} & self.reacts.keys() or Shot in self.replaces or Fire in self.forbids
        asked = ABOUT_SHOTS & self.adjusts.keys() or self.islands
        return not heard and not asked and self.base == frozenset(BASE_RULES) and self.limits.events >= MOST_EVENTS

    @cached_property
    def bare(self) -> bool:
        """Whether no rule has any part in the battle."""
        heard = self.reacts or self.replaces or self.forbids or self.adjusts.keys() - BEFORE_THE_BATTLE
        return not heard and not self.abilities[0]

    def on(self, sea: int) -> "Rulebook":
        """Return the same rules where only these cells exist."""
        if sea == self.sea:
            return self
        found = self._seas.get(sea)
        if found is None:
            if len(self._seas) >= KEPT_SEAS:
                self._seas.clear()
            bounds = [bound.on(sea) for bound in self.bounds]
            found = self._seas[sea] = Rulebook(self.variant, bounds, self.base, sea)
        return found

    def zone(self, mask: int) -> int:
        """Return the cells that other ships may not use because of a ship on these cells, its own included."""
        found = self._zones.get(mask)
        if found is None:
            zone = ship = CellSet(mask)
            for listener in self.adjusts.get("clearance", ((), ()))[0]:
                zone = replica(listener.call(replica(self.grid), zone, replica(ship)))
            found = self._zones[mask] = zone.mask | mask
        return found

    def places(self, class_: ShipClass) -> dict[object, Berth]:
        """Return every place that a ship of this class can take, by its JSON form and by its cells in order."""
        found = self._places.get(class_.id)
        if found is None:
            found = dict[object, Berth]()
            for mask in berths(class_, self.grid, self.sea):
                placement = Placement.of(self.grid, CellSet(mask))
                found[placement.json()] = found[placement.cells] = Berth(mask, placement.cells, placement.json())
            self._places[class_.id] = found  # whole, for other matches, in other threads too
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
