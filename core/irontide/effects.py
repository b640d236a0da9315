"""Effects: what is about to happen and can still be changed. Rules yield them; the core makes events of them.

Every effect has `but(...)`, a changed copy, and `cancelled(reason)`; a rule that replaces returns one of these.
"""

from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self, TypeAlias

import attrs

from irontide.frozen import FrozenDict, Json, freeze
from irontide.grid import Cell, CellSet
from irontide.state import Marker

if TYPE_CHECKING:
    from collections.abc import Sequence


@attrs.frozen
class Effect:
    """The base of all effects. `what` is its name in `EffectReplaced`."""

    what: ClassVar[str] = ""

    def but(self, **changes: Any) -> Self:  # noqa: ANN401 - any field of the effect
        """Return the effect with these fields changed."""
        return attrs.evolve(self, **changes)

    def cancelled(self, reason: str, then: "Sequence[Effect]" = (), *, public: bool = False) -> "Cancelled":
        """Return the word that this does not happen; `then` happens instead, and `public` tells both seats of it."""
        return Cancelled(self, reason, tuple(then), public)


@attrs.frozen
class Cancelled:
    """An effect that does not happen."""

    effect: Effect
    reason: str
    then: tuple[Effect, ...]
    public: bool


@attrs.frozen
class OwnTurn:
    """A duration: until the owner's `n`-th next turn starts."""

    n: int = 1


@attrs.frozen
class OtherTurns:
    """A duration: until the other seat's `n`-th next turn has ended."""

    n: int = 1


Until: TypeAlias = Literal["source", "turn", "match"] | OwnTurn | OtherTurns
"""A duration: with its source (as long as the rule is on), this turn, or the match; or counted in turns."""


@attrs.frozen
class Shot(Effect):
    """A shot at a cell of the other seat's grid; on a cell that may not be shot it does nothing.

    `by` shoots (left out: the seat of the source). Without `harm` no ship is hurt; `answer` is told instead of the
    truth; `again`: the cell may be shot again.
    """

    what: ClassVar[str] = "shot"
    cell: Cell
    by: str | None = None
    harm: bool = True
    answer: str | None = None
    again: bool = False

    def blocked(self) -> "Shot":
        """Return the shot answered "blocked": no harm, and the cell may be shot again."""
        return self.but(harm=False, answer="blocked", again=True)


@attrs.frozen
class Answer:
    """What a shot tells: `told` is "hit", "water" or another word, `ship` the class that was hit if it is named."""

    told: str
    ship: str | None = None

    def but(self, **changes: Any) -> "Answer":  # noqa: ANN401 - either field
        """Return the answer with these fields changed."""
        return attrs.evolve(self, **changes)


@attrs.frozen
class Report(Effect):
    """Tells the shooter, and everybody, what shots whose answers were held back came to.

    `cells` were shot; `hits` is how many of the shots hit; `ships` how many hit each ship, by its id, told by class.
    """

    what: ClassVar[str] = "report"
    cells: CellSet
    hits: int
    ships: Json = attrs.field(default=None, converter=freeze)
    by: str | None = None


@attrs.frozen
class Reveal(Effect):
    """Tells a seat, and everybody, the truth about cells of the other's grid without a shot, where it is not known."""

    what: ClassVar[str] = "reveal"
    to: str
    cells: CellSet


@attrs.frozen
class Scan(Effect):
    """A question about cells of the other seat's grid, answered to the user alone.

    `tell`: the `cells` with ships, their `count`, whether there is `any`, how many different `ships`, or the `distance`
    to the nearest (in steps, diagonal ones too); `of`: ship cells not yet hit, those of ships that the user was not
    told to have sunk, or any.
    """

    what: ClassVar[str] = "scan"
    area: CellSet
    tell: Literal["cells", "count", "any", "ships", "distance"] = "count"
    of: Literal["unhit", "afloat", "any"] = "unhit"
    by: str | None = None


@attrs.frozen
class Activate(Effect):
    """An ability, paid for and announced, is about to act."""

    what: ClassVar[str] = "activate"
    seat: str
    ability: str
    target: Json = None


@attrs.frozen
class Sink(Effect):
    """A ship of this seat sinks; with `shown` it is told where it lies."""

    what: ClassVar[str] = "sink"
    seat: str
    ship: str
    shown: bool = False


@attrs.frozen
class Forget(Effect):
    """A seat's answers about cells of the other grid are taken back: unknown to it again, it may shoot them again."""

    what: ClassVar[str] = "forget"
    seat: str
    cells: CellSet


@attrs.frozen
class Repair(Effect):
    """All hits of a ship afloat are healed; both seats are told, and the cells may be shot again."""

    what: ClassVar[str] = "repair"
    seat: str
    ship: str


@attrs.frozen
class Move(Effect):
    """A ship without a hit goes to these cells, where it may stand; the other seat is told only that one moved.

    It stays where it is if it may not stand there, or in a variant that keeps `core.ships_stay`.
    """

    what: ClassVar[str] = "move"
    seat: str
    ship: str
    to: CellSet


@attrs.frozen
class Disable(Effect):
    """An ability of this seat goes off for a while, and both seats are told.

    The reason is the source's id if none is given.
    """

    what: ClassVar[str] = "disable"
    seat: str
    ability: str
    until: Until = "source"
    reason: str | None = None


@attrs.frozen
class GainPoints(Effect):
    """A purse grows, at most to the variant's cap. The reason is the source's id if none is given."""

    what: ClassVar[str] = "gain_points"
    seat: str
    amount: int
    reason: str | None = None


@attrs.frozen
class SpendPoints(Effect):
    """A purse shrinks, at most to 0."""

    what: ClassVar[str] = "spend_points"
    seat: str
    amount: int
    reason: str | None = None


@attrs.frozen
class GrantShots(Effect):
    """A seat may fire so many shots more: in the turn under way if it is its own, else in its next one."""

    what: ClassVar[str] = "grant_shots"
    seat: str
    amount: int = 1


@attrs.frozen
class EndTurn(Effect):
    """The turn of this seat ends as soon as all that is under way is done; nothing if it is not its turn.

    Shots of the turn that are left are lost. The reason is told in `TurnEnded`.
    """

    what: ClassVar[str] = "end_turn"
    seat: str
    reason: str


@attrs.frozen
class Mark(Effect):
    """Sets a marker of the rule that yields it, on a seat (`on` left out), on cells or on a ship (its id) of `side`.

    `side` is the source's own seat if left out. A public marker is told to both seats, one on the own side to its
    owner, one on the other side to nobody.
    """

    what: ClassVar[str] = "mark"
    on: CellSet | str | None = None
    side: str | None = None
    until: Until = "source"
    public: bool = False
    data: Json = attrs.field(default=None, converter=freeze)


@attrs.frozen
class Unmark(Effect):
    """Takes a marker away; one that is gone already is no error."""

    what: ClassVar[str] = "unmark"
    marker: Marker


@attrs.frozen
class SetData(Effect):
    """What a rule remembers under a key, for itself; told to both seats if `public`. None forgets it."""

    what: ClassVar[str] = "set_data"
    key: str
    value: Json = attrs.field(default=None, converter=freeze)
    public: bool = False


def _args(args: object) -> Json:
    return freeze(args)


@attrs.frozen
class Note(Effect):
    """Something to tell in words: a message key of the plugin, told to one seat or (None) to both."""

    what: ClassVar[str] = "note"
    key: str
    to: str | None = None
    args: Any = attrs.field(factory=FrozenDict, converter=_args)


@attrs.frozen
class EndMatch(Effect):
    """The match ends; no winner is a draw."""

    what: ClassVar[str] = "end_match"
    winner: str | None
    reason: str


EFFECTS: tuple[type[Effect], ...] = (
    Shot, Report, Reveal, Scan, Activate, Sink, Forget, Repair, Move, Disable, GainPoints, SpendPoints, GrantShots,
    EndTurn, Mark, Unmark, SetData, Note, EndMatch,
)  # fmt: skip
