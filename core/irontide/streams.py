"""Streams: what a seat, or a spectator, was told so far, and the state folded from it."""

from collections.abc import Sequence

from irontide.errors import LogError
from irontide.events import Event, Names
from irontide.evolve import EVOLVE
from irontide.log import Commit
from irontide.state import State
from irontide.visibility import told, told_spectator


class Stream:
    """What one seat, or (None) a spectator, was told: worked out when asked for, from where it stood."""

    __slots__ = ("_commits", "_seat", "_seats", "events", "state")

    def __init__(self, seats: Names, seat: str | None) -> None:
        """Take the names of both seats, and the one that is told."""
        self._seats = seats
        self._seat = seat
        self._restart()

    def _restart(self) -> None:
        self.events = list[Event]()
        self.state = State()
        self._commits = 0

    def follow(self, opening: Commit, commits: Sequence[Commit]) -> "Stream":
        """Tell what was not told yet of the opening and these commits.

        Raises:
            LogError: an event does not fit what was told before, as in a log that nobody played.

        """
        if self._commits <= len(commits):
            try:
                for commit in [opening, *commits][self._commits :]:
                    self._tell(commit)
            except (LookupError, ValueError) as error:
                line = self._commits + 1
                self._restart()
                raise LogError(line, f"an event does not fit what was told: {error!r}") from None
            except BaseException:
                self._restart()  # interrupted: told anew from the start
                raise
        return self

    def _tell(self, commit: Commit) -> None:
        for event in commit.events:
            known = told_spectator(event, self._seats) if self._seat is None else told(event, self._seat)
            if known is not None:
                self.events.append(known)
                EVOLVE[type(known)](self.state, known)
        self._commits += 1
