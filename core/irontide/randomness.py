"""Chance without a hidden counter: each value is a hash of the seed, who draws, the commit, and the draw's number.

So nothing hidden shifts a later draw, no generator lives in the state, and every Python version draws alike. Ranges by
rejection, so that each value is equally likely; no floats.
"""

import hashlib
import secrets
from collections.abc import Sequence
from typing import Any, TypeAlias, TypeGuard, TypeVar, overload

from irontide.frozen import is_number, is_text
from irontide.grid import Cell, CellSet

T = TypeVar("T")

Seed: TypeAlias = int | str

SEED = "an integer of at most 1024 bits or a text"
"""What a seed is, for people."""


def is_seed(value: object) -> TypeGuard[Seed]:
    """Tell whether a value can be a seed: one that a log can hold."""
    return is_text(value) or is_number(value)


WORD = 64
"""Bits of one draw."""


def new_seed() -> str:
    """Return 32 bytes from the system, as text."""
    return secrets.token_hex(32)


def draw(key: str, n: int) -> int:
    """Return a number in range(n), decided by `key` alone."""
    words = -(-max(n - 1, 1).bit_length() // WORD) + 1
    limit = 1 << WORD * words
    fair = limit - limit % n
    attempt = 0
    while True:
        value = 0
        for word in range(words):
            digest = hashlib.sha256(f"{key}/{attempt}/{word}".encode()).digest()
            value = value << WORD | int.from_bytes(digest[:8], "big")
        if value < fair:
            return value % n
        attempt += 1


class Random:
    """The draws of one rule within one commit, or of anything else that has a name."""

    __slots__ = ("_draws", "_key")

    def __init__(self, seed: Seed, name: str, commit: int) -> None:
        """Take what decides the draws."""
        self._key = f"{type(seed).__name__}:{seed}/{name}/{commit}"
        self._draws = 0

    def below(self, n: int) -> int:
        """Return a number in range(n).

        Raises:
            ValueError: `n` is below 1.

        """
        if n < 1:
            raise ValueError(f"a range has at least one number, not {n!r}")
        self._draws += 1
        return draw(f"{self._key}/{self._draws}", n)

    def between(self, low: int, high: int) -> int:
        """Return a number from `low` to `high`, both included."""
        return low + self.below(high - low + 1)

    def chance(self, hits: int, of: int) -> bool:
        """Return True in `hits` cases out of `of`."""
        return self.below(of) < hits

    @overload
    def choice(self, items: CellSet) -> Cell: ...
    @overload
    def choice(self, items: Sequence[T]) -> T: ...
    def choice(self, items: Sequence[Any] | CellSet) -> Any:
        """Return one of the items.

        Raises:
            TypeError: they have no order, as a set has none; a `CellSet` has.
            ValueError: there are none.

        """
        ordered = _ordered(items)
        return ordered[self.below(len(ordered))]

    @overload
    def sample(self, items: CellSet, n: int) -> list[Cell]: ...
    @overload
    def sample(self, items: Sequence[T], n: int) -> list[T]: ...
    def sample(self, items: Sequence[Any] | CellSet, n: int) -> list[Any]:
        """Return `n` different items in random order.

        Raises:
            TypeError: the items have no order, as a set has none; a `CellSet` has.
            ValueError: there are fewer.

        """
        rest = _ordered(items)
        return [rest.pop(self.below(len(rest))) for _ in range(n)]


def _ordered(items: Sequence[Any] | CellSet) -> list[Any]:
    if isinstance(items, (Sequence, CellSet)):  # pyright: ignore[reportUnnecessaryIsInstance] - what a plugin gives
        return list(items)
    raise TypeError(f"chance chooses from a sequence or a CellSet, not from {type(items).__name__}, which has no order")
