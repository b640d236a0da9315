"""The guard: the one way in which the engine calls a plugin's handler.

Whatever goes wrong in there (an exception, junk, a changed argument, a limit) leaves as `Broken`, with everything
that the host needs to know. A handler is handed replicas, so whatever it does to them harms nothing.
"""

import traceback
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from itertools import islice
from types import GeneratorType
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

from irontide.faults import Broken, Fault, failure
from irontide.frozen import BIGGEST, PLAIN, replica, shown, unchanged
from irontide.rulebook import Bound, Listener
from irontide.state import State
from irontide.unread import unread, was_read
from irontide.variant import Limits

if TYPE_CHECKING:
    from irontide.events import Event


T = TypeVar("T")

KEPT = 256
"""How many answers of a rule instance are kept."""


MOST = BIGGEST // 2
"""The largest number that can be answered: with what effects add to it, it stays one that can be written and read."""


UNKNOWN, DONE = object(), object()


class Guard:
    """Calls the handlers of one match, and counts how often those that can cascade have run."""

    __slots__ = ("_limits", "raised", "runs", "state", "trail")

    def __init__(self, state: State, limits: Limits) -> None:
        """Take the state that names seats and commits, and what a command may take."""
        self.state = state
        self.trail: tuple[Sequence[Event], int | None] = ((), None)
        """The events of the command under way, and the place of the one that is answered."""
        self.runs: dict[int, int] = {}
        self._limits = limits
        self.raised: Broken | None = None
        """What stopped the resolution, should a handler that asked something of the broken one have caught it."""

    def begin(self) -> None:
        """Start a command."""
        self.runs.clear()
        self.trail = ((), None)

    def call(self, listener: Listener, ctx: object, *args: object) -> Any:  # noqa: ANN401 - what a plugin returns
        """Return what the handler gives for these arguments, of a generator a list.

        It is handed a replica of the first argument; further ones are plain.

        Raises:
            Broken: it went wrong.

        """
        bound, name = listener.bound, listener.name
        arg = args[0]
        handed = arg if type(arg) in PLAIN else replica(arg)
        try:
            answer = listener.call(ctx, handed, *args[1:]) if len(args) > 1 else listener.call(ctx, handed)
            if type(answer) is GeneratorType:
                answer = _upto(answer, self._limits.events)  # pyright: ignore[reportUnknownArgumentType] - what it yields is checked later
        except Exception as error:  # noqa: BLE001 - whatever a plugin raises is its fault
            self.broken(bound, name, f"raised {failure(error)}", args, _trace(error))
        if self.raised is not None or bound.built.parameters:
            self._check(bound, name, args)
        if handed is not arg and not unchanged(handed, arg):
            self.broken(bound, name, "changed what it was handed", args)
        return answer

    def learn(self, listener: Listener, face: Callable[[Bound], object], *args: object) -> Any:  # noqa: ANN401 - what a plugin returns
        """Return what the handler makes of these plain arguments; it is kept where it rests on nothing else.

        `face` makes what it may read: one that reads nothing of it need not be called again for the same arguments.

        Raises:
            Broken: it went wrong.

        """
        kept, key = listener.bound.answers, (listener.name, args)
        ctx = unread(face(listener.bound))
        answer = self.call(listener, ctx, *args)
        if not _alike(answer, args[0]):
            self.unsound(listener, answer, args)
        if not was_read(ctx):
            if len(kept) >= KEPT:
                kept.clear()
            kept[key] = answer
        return answer

    def unsound(self, listener: Listener, answer: object, args: Sequence[object]) -> NoReturn:
        """Stop because of what a handler answered."""
        on = listener.verb.on
        self.broken(listener.bound, listener.name, f"answered {shown(answer)} to {on!r}", args)

    def run(self, bound: Bound, name: str, step: Callable[[], Any]) -> Any:  # noqa: ANN401 - what an author's code returns
        """Return what one step of something else that an author wrote gives."""
        try:
            answer = step()
        except Exception as error:  # noqa: BLE001 - whatever a plugin raises is its fault
            self.broken(bound, name, f"raised {failure(error)}", (), _trace(error))
        if self.raised is not None or bound.built.parameters:
            self._check(bound, name)
        return answer

    def start(self, bound: Bound, ctx: Any, target: object) -> Generator[Any, Any, None]:  # noqa: ANN401 - a face
        """Return the steps of an ability's use, of which none is taken yet."""
        try:
            steps = bound.ability.use(ctx, target)
            kind: type = type(steps)
            if kind is not GeneratorType:
                _expect_steps(steps)
        except Exception as error:  # noqa: BLE001 - whatever a plugin raises is its fault
            self.broken(bound, "use", f"raised {failure(error)}", (), _trace(error))
        if self.raised is not None or bound.built.parameters:
            self._check(bound, "use")
        return steps

    def step(self, bound: Bound, steps: Generator[Any, Any, None], answer: object) -> Any:  # noqa: ANN401 - what a plugin yields
        """Return what an ability yields next, given what its last yield brought about; `DONE` at its end."""
        try:
            given = steps.send(answer)
        except StopIteration:
            given = DONE
        except Exception as error:  # noqa: BLE001 - whatever a plugin raises is its fault
            self.broken(bound, "use", f"raised {failure(error)}", (), _trace(error))
        if self.raised is not None or bound.built.parameters:
            self._check(bound, "use")
        return given

    def _check(self, bound: Bound, name: str, args: Sequence[object] = ()) -> None:
        """Stop if the rule that was called swallowed what stopped another, or changed its own parameters."""
        if self.raised is not None:
            raise self.raised
        if not bound.built.holds():
            self.broken(bound, name, "changed its own parameters", args)

    def broken(self, bound: Bound, name: str, reason: str, args: Sequence[object] = (), detail: str = "") -> NoReturn:
        """Stop the resolution because of this rule instance, or of the one that stopped it before."""
        if self.raised is not None:
            raise self.raised
        seat = self.state.seats[bound.seat] if bound.seat >= 0 else None
        given = ", ".join(shown(arg) for arg in args)
        number = self.state.number + 1
        fault = Fault(bound.plugin, bound.id, seat, name, reason, number, given, self._causes(), detail)
        self.raised = Broken(bound.key, fault)
        raise self.raised

    def _causes(self) -> tuple[str, ...]:
        """Return the types of the events that led here, the last one first."""
        events, place = self.trail
        found: list[str] = []
        while place is not None:
            found.append(events[place].type)
            place = events[place].cause
        return tuple(found)

    def count(self, listener: Listener, arg: object) -> None:
        """Count that a handler which can set off another runs once more in the command under way.

        Raises:
            Broken: that was too often.

        """
        key = id(listener)  # it lives as long as the rulebook
        runs = self.runs[key] = self.runs.get(key, 0) + 1
        if runs > self._limits.runs:
            reason = f"ran more than {self._limits.runs} times in one command"
            self.broken(listener.bound, listener.name, reason, (arg,))


def _expect_steps(given: object) -> None:
    if not isinstance(given, Generator):
        raise TypeError(f"use returned {shown(given)} instead of yielding effects")


def _upto(given: Iterable[Any], most: int) -> list[Any]:
    found = [*islice(given, most + 1)]
    if len(found) > most:
        raise RuntimeError(f"gave more than {most} effects at once")
    return found


def _trace(error: Exception) -> str:
    try:
        return "".join(traceback.format_exception(error))
    except Exception:  # noqa: BLE001 - even saying what went wrong may go wrong
        return "".join(traceback.format_tb(_TRACEBACK.__get__(error)))


_TRACEBACK: Any = vars(BaseException)["__traceback__"]
"""What an exception holds, whatever its class says."""


def _alike(answer: object, value: object) -> bool:
    return type(answer) is type(value) and (type(answer) is not int or 0 <= answer <= MOST)


def _is_sound(sound: Callable[[object], bool], answer: object) -> bool:
    try:
        return sound(answer)
    except Exception:  # noqa: BLE001 - an answer that was tampered with may not even be looked at
        return False


def ask(  # noqa: PLR0913, PLR0917 - a question has a subject, a value and details
    table: Mapping[Any, tuple[tuple[Listener, ...], ...]],
    question: str,
    guard: Guard,
    face: Callable[[Bound], object],
    value: T,
    seat: int,
    *details: object,
    sound: Callable[[object], bool] | None = None,
) -> T:
    """Return the answer to a question about a seat: the value, changed by every rule that adjusts it, in order.

    An ability adjusts only what is asked about its own seat. `face` makes what a handler reads; a handler whose answer
    is not `sound` is broken. Without `sound` value and details are plain, and an answer of another kind is broken, or a
    number below 0 or too large to be written.
    """
    listeners = table.get(question)
    if not listeners:
        return value
    off = guard.state.off
    given: Any = value
    for listener in listeners[seat]:
        bound = listener.bound
        if bound.seat == 1 - seat or (off and bound.key in off):
            continue
        if sound is None:
            answer = bound.answers.get((listener.name, (given, *details)), UNKNOWN)
            given = guard.learn(listener, face, given, *details) if answer is UNKNOWN else answer
        else:
            answer = guard.call(listener, face(bound), given, *details)
            if not _is_sound(sound, answer):
                guard.unsound(listener, answer, (given, *details))
            given = answer
    answered: T = given
    return answered
