"""The guard: the one way in which the engine calls a plugin's handler.

Whatever goes wrong in there (an exception, junk, a changed argument, a limit) leaves as `Broken`, with everything
that the host needs to know. A handler is handed replicas, so whatever it does to them harms nothing.
"""

import traceback
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NoReturn

from irontide.faults import Broken, Fault, failure
from irontide.frozen import replica, shown, unchanged
from irontide.rulebook import Bound, Listener
from irontide.state import Key, State


class Guard:
    """Calls the handlers of one match, and counts how often each has run in the command under way."""

    __slots__ = ("_most", "causes", "runs", "state")

    def __init__(self, state: State, most: int | None) -> None:
        """Take the state that names seats and commits, and how often a handler may run in a command (None: any)."""
        self.state = state
        self.causes: tuple[str, ...] = ()
        self.runs: dict[tuple[Key, str], int] = {}
        self._most = most

    def begin(self) -> None:
        """Start a command."""
        self.runs.clear()
        self.causes = ()

    def call(self, listener: Listener, ctx: object, *args: object) -> Any:  # noqa: ANN401 - what a plugin returns
        """Return what the handler gives for these arguments.

        Raises:
            Broken: it went wrong.

        """
        bound, name = listener.bound, listener.name
        if self._most is not None:
            self._count(bound, name, args, self._most)
        handed = replica(args)
        answer = self.run(bound, name, lambda: listener.call(ctx, *handed), args)
        if not unchanged(handed, args):
            self.broken(bound, name, "changed what it was handed", args)
        return answer

    def run(self, bound: Bound, name: str, step: Callable[[], Any], args: Sequence[object] = ()) -> Any:  # noqa: ANN401
        """Return what one step of a handler gives."""
        try:
            answer = step()
        except Exception as error:  # noqa: BLE001 - whatever a plugin raises is its fault
            reason, detail = f"raised {failure(error)}", _trace(error)
        else:
            if bound.as_built():
                return answer
            reason, detail = "changed its own parameters", ""
        return self.broken(bound, name, reason, args, detail)

    def broken(self, bound: Bound, name: str, reason: str, args: Sequence[object] = (), detail: str = "") -> NoReturn:
        """Stop the resolution because of this rule instance."""
        seat = self.state.seats[bound.seat] if bound.seat >= 0 else None
        given = ", ".join(shown(arg) for arg in args)
        number = self.state.number + 1
        fault = Fault(bound.plugin, bound.rule.id, seat, name, reason, number, given, self.causes, detail)
        raise Broken(bound.key, fault)

    def _count(self, bound: Bound, name: str, args: Sequence[object], most: int) -> None:
        key = bound.key, name
        runs = self.runs[key] = self.runs.get(key, 0) + 1
        if runs > most:
            self.broken(bound, name, f"ran more than {most} times in one command", args)


def _trace(error: Exception) -> str:
    try:
        return "".join(traceback.format_exception(error))
    except Exception:  # noqa: BLE001 - even saying what went wrong may go wrong
        return "".join(traceback.format_tb(error.__traceback__))


def ask(  # noqa: PLR0913, PLR0917 - a question has a subject, a value and details
    table: Mapping[Any, tuple[tuple[Listener, ...], ...]],
    question: str,
    guard: Guard,
    face: Callable[[Bound], object],
    value: int,
    seat: int,
    *details: object,
) -> int:
    """Return the answer to a question about a seat: the value, changed by every rule that adjusts it, in order.

    An ability adjusts only what is asked about its own seat. `face` makes what a handler reads; a handler that returns
    anything but a number of 0 or more is broken.
    """
    listeners = table.get(question)
    if not listeners:
        return value
    for listener in listeners[seat]:
        if listener.bound.seat == 1 - seat or listener.bound.key in guard.state.off:
            continue
        value = guard.call(listener, face(listener.bound), value, *details)
        if type(value) is not int or value < 0:
            guard.broken(listener.bound, listener.name, f"answered {shown(value)} to {question!r}")
    return value
