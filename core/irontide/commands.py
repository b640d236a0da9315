"""Commands: what a seat wants. Their `type` names are the storage format of logs and the protocol of embedders."""

from collections.abc import Mapping
from typing import ClassVar, TypeAlias, cast

import attrs

from irontide.errors import CommandError
from irontide.fleet import Placement
from irontide.frozen import FrozenDict, Json, freeze


def _json(value: object) -> Json:
    try:
        return freeze(value)
    except TypeError as error:
        raise CommandError(str(error)) from None


def _cells(value: object) -> tuple[object, ...]:
    if isinstance(value, (list, tuple)):
        return tuple(_json(item) for item in cast("list[object]", value))
    return (value if type(value) is str else _json(value),)


def _ships(value: object) -> FrozenDict:
    if not isinstance(value, Mapping):
        msg = f"the ships of a placement are a mapping from ship to place, not {value!r}"
        raise CommandError(msg)
    places = cast("Mapping[object, object]", value).items()
    plain = {ship: place.json() if isinstance(place, Placement) else place for ship, place in places}
    return cast("FrozenDict", _json(plain))


@attrs.frozen
class PlaceFleet:
    """Place the whole fleet: for each ship "A1-A5", a list of cells, or a `Placement`. Again before the battle replaces it."""

    type: ClassVar[str] = "place_fleet"
    seat: str
    ships: Mapping[str, object] = attrs.field(converter=_ships)


@attrs.frozen
class Fire:
    """Fire at one cell, or at each cell of a salvo, by name."""

    type: ClassVar[str] = "fire"
    seat: str
    cells: "tuple[str, ...]" = attrs.field(converter=_cells)  # type: ignore[assignment] - checked when submitted


@attrs.frozen
class UseAbility:
    """Use a ship's ability on a target in its JSON form (`docs/rules.md` lists them), or on none."""

    type: ClassVar[str] = "use_ability"
    seat: str
    ability: str
    target: Json = attrs.field(default=None, converter=_json)


@attrs.frozen
class Resign:
    """Give up: the other seat wins."""

    type: ClassVar[str] = "resign"
    seat: str


@attrs.frozen
class TimeOut:
    """The host's clock has run out for this seat; what follows is a rule of the variant."""

    type: ClassVar[str] = "time_out"
    seat: str


Command: TypeAlias = PlaceFleet | Fire | UseAbility | Resign | TimeOut

COMMANDS: tuple[type[Command], ...] = (PlaceFleet, Fire, UseAbility, Resign, TimeOut)
