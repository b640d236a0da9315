"""Commands: what a seat wants. Their `type` names are the storage format of logs and the protocol of embedders."""

from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar, TypeAlias, cast

import attrs

from irontide.errors import CommandError
from irontide.fleet import Placement
from irontide.frozen import FrozenDict, Json, freeze, shown
from irontide.grid import ALONE


def _any_text(value: object) -> bool:
    """Tell whether it is a text: one that cannot even be written is refused when it is submitted, with a reason."""
    return type(value) is str


def _json(value: object) -> Json:
    if value is None or type(value) is str:
        return value
    try:
        return freeze(value, text=_any_text)
    except TypeError as error:
        raise CommandError(str(error)) from None


def _name(value: object) -> str:
    if type(value) is str:
        return value
    raise CommandError(f"a seat and an ability are named by a text, not {shown(value)}")


def _cells(value: object) -> tuple[Json, ...]:
    if isinstance(value, (list, tuple)):
        cells = tuple(cast("list[Json]", value))
        return cells if {str}.issuperset(map(type, cells)) else tuple(map(_json, cells))
    return (_json(value),)


def _ships(value: object) -> FrozenDict:
    if not isinstance(value, Mapping):
        raise CommandError(f"the ships of a placement are a mapping from ship to place, not {shown(value)}")
    places = cast("Mapping[object, object]", value).items()
    made: dict[object, object] = {}
    for ship, place in places:
        kind = type(place)
        if kind is list or kind is tuple:
            cells = tuple(cast("Sequence[object]", place))
            made[ship] = cells if {str}.issuperset(map(type, cells)) else _json(cells)
        else:
            made[ship] = place.json() if isinstance(place, Placement) else _json(place)
    if {str}.issuperset(map(type, made)):
        return FrozenDict(cast("dict[str, object]", made))
    return cast("FrozenDict", _json(made))


@attrs.frozen(weakref_slot=False)
class PlaceFleet:
    """Place the whole fleet: for each ship "A1-A5", a list of cells, or a `Placement`.

    Placing again before the battle replaces the earlier placement.
    """

    type: ClassVar[str] = "place_fleet"
    seat: str = attrs.field(converter=_name)
    ships: Mapping[str, object] = attrs.field(converter=_ships)


@attrs.frozen(init=False, weakref_slot=False)
class Fire:
    """Fire at one cell, or at each cell of a salvo, by name."""

    type: ClassVar[str] = "fire"
    seat: str
    cells: tuple[str, ...]

    def __init__(self, seat: str, cells: str | Sequence[str]) -> None:
        """Take whose shot it is and where; what is no cell is refused when it is submitted."""
        # Written out because one is made for every shot: this takes half the time of a generated one.
        _set_seat(self, seat if type(seat) is str else _name(seat))
        _set_cells(self, ALONE.get(cells) or (cells,) if type(cells) is str else _cells(cells))


_set_seat: Callable[[Fire, str], None] = vars(Fire)["seat"].__set__
_set_cells: Callable[[Fire, tuple[Json, ...]], None] = vars(Fire)["cells"].__set__


@attrs.frozen(init=False, weakref_slot=False)
class UseAbility:
    """Use a ship's ability on a target in its JSON form (`docs/reference/targets.md` lists them), or on none."""

    type: ClassVar[str] = "use_ability"
    seat: str
    ability: str
    target: Json = None

    def __init__(self, seat: str, ability: str, target: object = None) -> None:
        """Take who uses what on what; what is no target of the ability is refused when it is submitted."""
        # Written out for the same reason as that of Fire.
        _set_user(self, seat if type(seat) is str else _name(seat))
        _set_ability(self, ability if type(ability) is str else _name(ability))
        _set_target(self, target if target is None or type(target) is str else _json(target))


_set_user: Callable[[UseAbility, str], None] = vars(UseAbility)["seat"].__set__
_set_ability: Callable[[UseAbility, str], None] = vars(UseAbility)["ability"].__set__
_set_target: Callable[[UseAbility, Json], None] = vars(UseAbility)["target"].__set__


@attrs.frozen(weakref_slot=False)
class Resign:
    """Give up: the other seat wins."""

    type: ClassVar[str] = "resign"
    seat: str = attrs.field(converter=_name)


@attrs.frozen(weakref_slot=False)
class TimeOut:
    """The host's clock has run out for this seat; what follows is a rule of the variant."""

    type: ClassVar[str] = "time_out"
    seat: str = attrs.field(converter=_name)


Command: TypeAlias = PlaceFleet | Fire | UseAbility | Resign | TimeOut

COMMANDS: tuple[type[Command], ...] = (PlaceFleet, Fire, UseAbility, Resign, TimeOut)
