"""What goes wrong in a plugin: told to the host, never to a seat."""

import re
from pathlib import Path
from typing import Final

import attrs

from irontide.frozen import kind_of
from irontide.state import Key

CORE: Final = Path(__file__).parent
FRAME: Final = re.compile(r'^ *File "(.+)", line (\d+), in ', re.MULTILINE)
"""A frame in a traceback."""


@attrs.frozen
class Fault:
    """A handler raised, returned junk, changed what it was handed, or went over a limit; its rule is switched off."""

    plugin: str
    rule: str
    seat: str | None
    handler: str
    reason: str
    commit: int
    """The number that the command under way would have had."""
    event: str = ""
    """What it was handed."""
    causes: tuple[str, ...] = ()
    """The types of the events that led to it, the last one first."""
    traceback: str = ""

    @property
    def spot(self) -> tuple[str, int] | None:
        """The innermost file and line of the plugin's own code where it went wrong; None if nothing was raised."""
        frames = [(Path(file), int(line)) for file, line in FRAME.findall(self.traceback)]
        outside = [(file, line) for file, line in frames if not file.is_relative_to(CORE)]
        own = [(file, line) for file, line in outside if file.parent == outside[0][0].parent]
        return (str(own[-1][0]), own[-1][1]) if own else None

    def __str__(self) -> str:
        return f"{self.rule}.{self.handler} of plugin {self.plugin}: {self.reason}"


def failure(error: BaseException) -> str:
    """Return what an exception says, even if it cannot say it; of one by a validator of attrs the sentence alone."""
    try:
        given: list[object] = [*error.args]
        several = type(error) in (ValueError, TypeError) and len(given) > 1 and type(given[0]) is str
        return f"{kind_of(error)}: {given[0] if several else error}"
    except Exception:  # noqa: BLE001 - even saying what went wrong may go wrong
        return kind_of(error)


class Broken(BaseException):
    """Stops a resolution: the rule instance `key` is to be switched off.

    No `Exception`, so that it passes through a rule that asked something of the broken one, which is not to blame.
    """

    def __init__(self, key: Key, fault: Fault) -> None:
        """Take whose fault and what it was."""
        self.key = key
        self.fault = fault
        super().__init__(str(fault))
