"""Subjects: targets that are no set of cells: an own ship, perhaps with a place to go to, and an enemy ability."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, cast, get_args

import attrs
from attrs.validators import in_

from irontide.errors import Refusal
from irontide.fleet import Placement, berths, read_placement
from irontide.frozen import FrozenDict, Json
from irontide.grid import CellSet, Grid, bits
from irontide.targets import Admits, Ground, Side, Spot, Target, bad_target

if TYPE_CHECKING:
    from irontide.sight import Sight


@attrs.frozen
class OwnShip(Target):
    """An own ship afloat: `{"ship": "cruiser"}`, or with `to` and a legal place: `{"ship": "cruiser", "to": "A1-A3"}`.

    `damaged` asks that it was hit (True) or was not (False).
    """

    damaged: bool | None = None
    to: bool = False
    side: Side = attrs.field(default="own", kw_only=True, validator=in_(get_args(Side)))

    @property
    def ship(self) -> str:
        """The id of the ship chosen."""
        return cast("str", cast("FrozenDict", self.spot.json)["ship"])

    def all_spots(self, ground: Ground) -> Iterable[Spot]:
        grid = ground.grid
        for class_ in ground.fleet:
            places = berths(class_, grid, grid.all.mask) if self.to else ()
            for ship in class_.ships():
                if not self.to:
                    yield Spot(FrozenDict(ship=ship), (), 0)
                for mask in places:
                    form = Placement.of(grid, CellSet(mask)).json()
                    yield Spot(FrozenDict(ship=ship, to=form), tuple(bits(mask)), mask)

    def at_sea(self, spot: Spot, sea: int) -> Spot | None:
        return None if spot.mask & ~sea else spot

    def normal(self, grid: Grid, given: Json) -> Json | Refusal:
        if not isinstance(given, FrozenDict) or set(given) != ({"ship", "to"} if self.to else {"ship"}):
            return bad_target(given)
        if not self.to:
            return given
        place = read_placement(grid, given["to"])
        if isinstance(place, CellSet):
            return FrozenDict(ship=given["ship"], to=Placement.of(grid, place).json())
        code, wrong = place
        return Refusal("unknown_cell", {"cell": wrong}) if code == "unknown_cell" else bad_target(given)

    def admits(self, sight: "Sight") -> Admits | None:
        fit = {ship for ship, cells in sight.own_ships.items() if self._fits(sight, ship, cells)}

        def admitted(spot: Spot) -> bool:
            ship = cast("str", cast("FrozenDict", spot.json)["ship"])
            return ship in fit and (not self.to or self._may_go(sight, ship, spot.mask))

        return admitted

    def _fits(self, sight: "Sight", ship: str, cells: int) -> bool:
        asked = self.damaged is None or self.damaged is bool(cells & sight.own_hits)
        return asked and ship not in sight.own_sunk

    def _may_go(self, sight: "Sight", ship: str, place: int) -> bool:
        return place != sight.own_ships[ship] and sight.may_stand(ship, place)


@attrs.frozen
class EnemyAbility(Target):
    """An ability of the other seat that is not known to be off: `{"ability": "sonar"}`."""

    @property
    def ability(self) -> str:
        """The id of the ability chosen."""
        return cast("str", cast("FrozenDict", self.spot.json)["ability"])

    def all_spots(self, ground: Ground) -> Iterable[Spot]:
        return [Spot(FrozenDict(ability=id_), (), 0) for id_ in ground.abilities]

    def normal(self, grid: Grid, given: Json) -> Json | Refusal:
        named = isinstance(given, FrozenDict) and set(given) == {"ability"}
        return given if named else bad_target(given)

    def admits(self, sight: "Sight") -> Admits | None:
        off = sight.enemy_off
        return lambda spot: cast("FrozenDict", spot.json)["ability"] not in off
