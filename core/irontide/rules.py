"""Rules and abilities: the four verbs by which a rule hooks in, the fifth of an ability, and what is declared of them.

A rule is a frozen record of its parameters with handlers: methods marked by a verb. Instances hold no state and serve
many matches; what a rule remembers goes into `SetData` and `Mark`.
"""

from collections.abc import Callable, Generator, Iterable, Sequence
from typing import Any, ClassVar, Literal, TypeAlias, TypeVar, dataclass_transform

import attrs

from irontide.commands import Command
from irontide.context import Context, SeatContext
from irontide.effects import Cancelled, Effect
from irontide.errors import Refusal
from irontide.events import Event
from irontide.frozen import replica
from irontide.targets import Nothing, Target

R = TypeVar("R", bound="Rule")
A = TypeVar("A", bound="Ability")
E = TypeVar("E", bound=Event)
C = TypeVar("C", bound=Command)
F = TypeVar("F", bound=Effect)
H = TypeVar("H", bound=Callable[..., Any])


@attrs.frozen(weakref_slot=False)
class Result:
    """What became of a yielded effect: its events, and what its seat was told of it: a hit, and which ships sank.

    `cancelled`: it did not happen.
    """

    _events: tuple[Event, ...] = ()
    hit: bool = False
    cancelled: bool = False
    sunk: tuple[str, ...] = ()

    @property
    def events(self) -> tuple[Event, ...]:
        """The events that it led to at once."""
        return replica(self._events)


Effects: TypeAlias = Generator[Effect | Sequence[Effect], Any, None]
"""What `use` and reactions are: generators of effects. In `use` a yield returns its `Result`, of a list one each."""

Reaction: TypeAlias = Effects | Iterable[Effect | Sequence[Effect]] | None
Replacement: TypeAlias = Effect | Cancelled | Sequence[Effect] | None

Forbidding: TypeAlias = Callable[[Any, SeatContext, C], Refusal | None]
Replacing: TypeAlias = Callable[[Any, Context, F], Replacement]
Reacting: TypeAlias = Callable[[Any, Context, E], Reaction]

REPLACE_GROUPS = ("cannot", "redirect", "prevent", "modify", "other")
REACT_GROUPS = ("core", "rule", "ability", "late")
ADJUST_GROUPS = ("set", "change", "limit", "hide")
FORBID_GROUPS = ("rule",)

QUESTIONS = ("shots", "volley", "answer", "audience", "price", "cap", "sensed", "blind", "clearance", "sea")
"""What `@adjusts` can change: see `docs/reference/questions.md`."""

BASE_RULES = ("core.no_repeat", "core.fleet_fixed", "core.ships_stay", "core.must_shoot", "core.one_ability")
"""Rules of the core that a variant may drop or put another in place of."""


FACTS = {
    "sinking": "that a ship has sunk",
    "hit": "which shot hit",
    "ship": "which ship a shot hit",
    "wreck": "where a sunk ship lies",
}
"""What a rule may hide or tell."""


@attrs.frozen
class Verb:
    """The mark on a handler: which verb, on what type or question, in which group of the order."""

    verb: Literal["forbids", "adjusts", "replaces", "reacts"]
    on: Any
    group: str | None


def _mark(handler: H, verb: Verb) -> H:
    vars(handler)["__irontide_verb__"] = verb
    return handler


def forbids(command: type[C]) -> Callable[[Forbidding[C]], Forbidding[C]]:
    """Mark a handler that may refuse this command: it returns a `Refusal`, or None. It can only tighten."""
    return lambda handler: _mark(handler, Verb("forbids", command, None))


def adjusts(question: str, *, group: Literal["set", "change", "limit", "hide"] = "change") -> Callable[[H], H]:
    """Mark a handler that changes the answer to a question: it takes the value so far and returns the new one."""
    return lambda handler: _mark(handler, Verb("adjusts", question, group))


def replaces(
    effect: type[F], *, group: Literal["cannot", "redirect", "prevent", "modify", "other"] = "other"
) -> Callable[[Replacing[F]], Replacing[F]]:
    """Mark a handler that acts before an effect happens: it returns it changed, several, a cancelled one, or None."""
    return lambda handler: _mark(handler, Verb("replaces", effect, group))


def reacts(
    event: type[E], *, group: Literal["core", "rule", "ability", "late"] | None = None
) -> Callable[[Reacting[E]], Reacting[E]]:
    """Mark a handler that answers an event with effects, each yield a batch of its own."""
    return lambda handler: _mark(handler, Verb("reacts", event, group))


@attrs.frozen
class Terms:
    """What an ability costs and how often it may be used; a variant may set each of these. None: no limit."""

    price: int = 0
    per_turn: int | None = None
    per_match: int | None = None
    cooldown: int = 0
    """So many own turns must pass before it may be used again."""
    charges: int | None = None
    standing: int | None = None
    """How many of its markers may stand at once."""
    instead_of_shot: bool = False


class Rule:
    """Anything that hooks in. Give it an id with `@rule(...)`; annotated fields are its parameters."""

    id: ClassVar[str] = ""
    place: ClassVar[str | None] = None
    instead_of: ClassVar[str | None] = None
    about: ClassVar[str | None] = None
    needs: ClassVar[tuple[str, ...]] = ()
    hides: ClassVar[tuple[str, ...]] = ()
    tells: ClassVar[tuple[str, ...]] = ()
    handlers: ClassVar[tuple[tuple[str, Verb], ...]] = ()

    def facts_hidden(self) -> Sequence[str]:
        """Return which `FACTS` it hides: those it declares, unless its parameters make a difference."""
        return self.hides

    def facts_told(self) -> Sequence[str]:
        """Return which `FACTS` it tells: those it declares, unless its parameters make a difference."""
        return self.tells


class Ability(Rule):
    """A rule that belongs to a ship class, lives and dies with its ships, and can be used."""

    terms: ClassVar[Terms] = Terms()
    target: ClassVar[Target] = Nothing()
    shoots: ClassVar[bool] = False

    def use(self, ctx: Context, target: Any, /) -> Effects:  # noqa: ANN401 - each ability has its own target
        """Yield what the ability does. It has been paid for and announced."""
        raise NotImplementedError

    def allows(self, ctx: SeatContext, target: Any, /) -> "Refusal | bool | None":  # noqa: ANN401 - as in `use`
        """Return why a target that has the right shape is not allowed, or False; by default all are."""


def _handlers(cls: type[Rule]) -> tuple[tuple[str, Verb], ...]:
    found: dict[str, Verb] = {}
    for base in reversed(cls.__mro__):
        for name, value in vars(base).items():
            verb = getattr(value, "__irontide_verb__", None)
            if isinstance(verb, Verb):
                found[name] = verb
    return tuple(found.items())


@dataclass_transform(frozen_default=True)
def rule(  # noqa: PLR0913 - what a rule declares
    id: str,
    *,
    place: str | None = None,
    instead_of: str | None = None,
    about: str | None = None,
    needs: tuple[str, ...] = (),
    hides: tuple[str, ...] = (),
    tells: tuple[str, ...] = (),
) -> Callable[[type[R]], type[R]]:
    """Make the class a rule of this id. Of the rules for one `place`, or `instead_of` one, a variant has only one.

    `about`: the topic of an explanation beside whose sentence the rule's text stands.
    `needs`: ids of rules without which a variant is refused. `hides` and `tells`: facts (`FACTS`) that a seat would
    not or would learn because of it; a variant in which one rule tells what another hides is refused.
    """

    def wrap(cls: type[R]) -> type[R]:
        made = attrs.frozen(cls)
        made.id, made.place, made.instead_of, made.about = id, place, instead_of, about
        made.needs, made.hides, made.tells = needs, hides, tells
        made.handlers = _handlers(made)
        return made

    return wrap


@dataclass_transform(frozen_default=True)
def ability(  # noqa: PLR0913 - what an ability declares
    id: str,
    *,
    price: int = 0,
    target: Target | None = None,
    shoots: bool = False,
    per_turn: int | None = None,
    per_match: int | None = None,
    cooldown: int = 0,
    charges: int | None = None,
    standing: int | None = None,
    instead_of_shot: bool = False,
    needs: tuple[str, ...] = (),
    hides: tuple[str, ...] = (),
    tells: tuple[str, ...] = (),
) -> Callable[[type[A]], type[A]]:
    """Make the class an ability of this id, with its price, target and limits; the engine enforces and shows them.

    `shoots`: refused where no open cell is left in the target. An ability without `use` only hooks in. `needs`,
    `hides` and `tells` are those of a rule.
    """

    def wrap(cls: type[A]) -> type[A]:
        made = rule(id, needs=needs, hides=hides, tells=tells)(cls)
        made.terms = Terms(price, per_turn, per_match, cooldown, charges, standing, instead_of_shot)
        made.target, made.shoots = target or Nothing(), shoots
        return made

    return wrap
