"""What a host gives to a match, checked before anything is done with it; errors say what would have been right."""

from collections.abc import Iterable, Sequence

from irontide.errors import CommandError, IrontideError, Refusal, Refused
from irontide.events import Names
from irontide.frozen import is_number, is_text, shown
from irontide.randomness import SEED, Seed, is_seed, new_seed

SEATS = 2


def are_seats(names: Sequence[object]) -> bool:
    """Tell whether these can be the names of the seats of a match."""
    return len(names) == SEATS and all(is_text(name) and name for name in names) and names[0] != names[1]


def checked_seats(seats: Sequence[str], first: str | None) -> tuple[Names, str]:
    """Return the names of the seats, and which moves first."""
    names: Names = tuple(seats if isinstance(seats, (list, tuple)) else ())
    if not are_seats(names):
        raise IrontideError(f"a match has two seats with different names, not {shown(seats)}")
    starts = names[0] if first is None else first
    if not is_text(starts) or starts not in names:
        raise IrontideError(f"first must be one of the seats {names}, not {shown(first)}")
    return names, starts


def checked_seed(seed: Seed | None) -> Seed:
    """Return the seed, or one drawn from the system."""
    if seed is not None and not is_seed(seed):
        raise IrontideError(f"a seed is {SEED}, not {shown(seed)}")
    return new_seed() if seed is None else seed


def checked_observers(names: Iterable[str]) -> Names:
    """Return the names of plugins."""
    given = tuple(names) if isinstance(names, Iterable) and not isinstance(names, str) else None  # pyright: ignore[reportUnnecessaryIsInstance] - what a host hands in
    if given is None or not all(map(is_text, given)):
        raise IrontideError(f"observers are a list of names of plugins, not {shown(names)}")
    return given


def checked_number(what: str, number: int) -> int:
    """Return a number that is given as `what`."""
    if not is_number(number):
        raise IrontideError(f"{what} is an integer, not {shown(number)}")
    return number


def as_expected(expect: int, number: int) -> None:
    """See that the match has not gone on since commit `expect`.

    Raises:
        CommandError: it is no number of a commit.
        Refused: it has, to commit `number`.

    """
    if not is_number(expect):
        raise CommandError(f"expect is the number of a commit, not {shown(expect)}")
    if expect != number:
        raise Refused([Refusal("stale", {"expect": expect, "number": number})])
