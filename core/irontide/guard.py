"""The guard: the one way in which the engine calls a plugin's handler.

Whatever goes wrong in there (an exception, junk, a changed argument, a limit) leaves as `Broken`, with everything the host
needs to know. In strict mode the host gets it as an exception (`PluginFault`).
"""

import traceback
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NoReturn

from irontide.faults import Broken, Fault
from irontide.rulebook import Bound, Listener
from irontide.state import Key, State


class Guard:
    """Calls the handlers of one match, and counts how often each has run in the command under way."""

    __slots__ = ("_most", "_runs", "causes", "state")

    def __init__(self, state: State, most: int | None) -> None:
        """Take the state that names seats and commits, and how often a handler may run in one command (None: no matter)."""
        self.state = state
        self.causes: tuple[str, ...] = ()
        self._most = most
        self._runs: dict[tuple[Key, str], int] = {}

    @property
    def counted(self) -> bool:
        """Whether any handler has run."""
        return bool(self._runs)

    def begin(self) -> None:
        """Start a command."""
        self._runs.clear()
        self.causes = ()

    def call(self, listener: Listener, ctx: object, *args: object) -> Any:  # noqa: ANN401 - what a plugin returns
        """Return what the handler gives for these arguments.

        Raises:
            Broken: it went wrong.

        """
        bound, name = listener.bound, listener.name
        if self._most is not None:
            self._count(bound, name, args, self._most)
        before = hash(args)
        answer = self.run(bound, name, lambda: listener.call(ctx, *args), args)
        if hash(args) != before:
            self.broken(bound, name, "changed what it was handed", args)
        return answer

    def run(self, bound: Bound, name: str, step: Callable[[], Any], args: Sequence[object] = ()) -> Any:  # noqa: ANN401
        """Return what one step of a handler gives."""
        try:
            return step()
        except Exception as error:  # noqa: BLE001 - whatever a plugin raises is its fault
            detail = "".join(traceback.format_exception(error))
            reason = f"raised {type(error).__name__}: {error}"
        self.broken(bound, name, reason, args, detail)

    def broken(self, bound: Bound, name: str, reason: str, args: Sequence[object] = (), detail: str = "") -> NoReturn:
        """Stop the resolution because of this rule instance."""
        seat = self.state.seats[bound.seat] if bound.seat >= 0 else None
        given = ", ".join(_shown(arg) for arg in args)
        fault = Fault(
            bound.plugin, bound.rule.id, seat, name, reason, self.state.number + 1, given, self.causes, detail
        )
        raise Broken(bound.key, fault)

    def _count(self, bound: Bound, name: str, args: Sequence[object], most: int) -> None:
        key = bound.key, name
        runs = self._runs[key] = self._runs.get(key, 0) + 1
        if runs > most:
            self.broken(bound, name, f"ran more than {most} times in one command", args)


def _shown(value: object) -> str:
    try:
        return repr(value)
    except Exception:  # noqa: BLE001 - a plugin's own record may break even here
        return f"a {type(value).__name__}"


def ask(  # noqa: PLR0913 - a question has a subject, a value and details
    table: Mapping[Any, tuple[tuple[Listener, ...], ...]],
    question: str,
    guard: Guard,
    face: Callable[[Bound], object],
    value: Any,  # noqa: ANN401 - each question has its own type
    kind: type,
) -> Any:  # noqa: ANN401
    """Return the answer to a question: the value, changed by every rule that adjusts it, in order.

    `face` makes what a handler reads; a handler that returns anything but a `kind`, or a negative number, is broken.
    """
    listeners = table.get(question)
    if not listeners:
        return value
    for listener in listeners[max(guard.state.turn, 0)]:
        if listener.bound.key in guard.state.off:
            continue
        value = guard.call(listener, face(listener.bound), value)
        if type(value) is not kind or value < 0:
            guard.broken(listener.bound, listener.name, f"answered {value!r} to {question!r}")
    return value
