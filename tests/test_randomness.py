"""Chance: the same draws for ever, everywhere, and each value equally likely."""

import hashlib
from collections import Counter
from itertools import permutations
from typing import Any

import pytest

from irontide import Grid, randomness
from irontide.randomness import Random, draw, new_seed

SIZES = (1, 2, 6, 100, 2**32, 2**64, 2**64 + 1, 10**20)


# Never to change: old logs hold what came of these.


ALWAYS = {
    "": "0 1 1 27 1513302187 16037171442532690091 13583527295740612450 55470686002761024777",
    "int:7/x@0/1": "0 1 1 85 1603707225 1273235746468569433 16686326147976910896 84766848244884148692",
    "str:abc/acme.dice@0/12": "0 1 1 1 3372153533 10333248785592810173 12681892970625031238 58006806701517707877",
}
"""What `draw` gives for a key and each of SIZES."""


@pytest.mark.parametrize("key", ALWAYS)
def test_a_draw_is_what_it_always_was(key: str):
    assert [draw(key, n) for n in SIZES] == [int(value) for value in ALWAYS[key].split()]


def test_the_draws_of_a_rule_are_what_they_always_were():
    die = Random(7, "acme.dice@0", 3)

    assert [die.below(6) for _ in range(10)] == [3, 4, 5, 3, 4, 4, 5, 4, 2, 4]


def test_a_number_and_its_text_are_different_seeds():
    assert Random(7, "x", 1).sample(range(10), 10) == [7, 0, 2, 1, 8, 6, 4, 5, 3, 9]
    assert Random("7", "x", 1).sample(range(10), 10) == [2, 6, 1, 4, 8, 0, 9, 5, 3, 7]


def test_a_draw_is_a_hash_of_its_key():
    """The draw as `draw` describes it, written once more for a range of at most 2**64."""
    for n in SIZES[:6]:
        high, low = (hashlib.sha256(f"key/0/{word}".encode()).digest()[:8] for word in (0, 1))
        assert draw("key", n) == int.from_bytes(high + low, "big") % n


# Nothing hidden shifts a draw.


def test_draws_depend_on_seed_name_commit_and_their_number_alone():
    names = [(7, "dice@0", 3), (8, "dice@0", 3), (7, "dice@1", 3), (7, "dice@0", 4), ("7", "dice@0", 3)]

    drawn = [Random(*name).below(10**9) for name in names]

    assert drawn == [Random(*name).below(10**9) for name in names]
    assert len(set(drawn)) == len(names)


def test_the_draws_of_one_rule_are_not_shifted_by_another():
    alone, one, other = Random(7, "one", 3), Random(7, "one", 3), Random(7, "other", 3)
    expected = [alone.below(1000) for _ in range(5)]

    drawn = []
    for _ in range(5):
        other.below(6)
        drawn.append(one.below(1000))

    assert drawn == expected


def test_the_size_of_a_draw_does_not_shift_the_next():
    one, other = Random(7, "x", 1), Random(7, "x", 1)
    one.below(2)
    other.below(10**40)

    assert one.below(1000) == other.below(1000)


# Ranges.


@pytest.mark.parametrize("n", [1, 2, 3, 7, 100, 2**64 - 1, 2**64, 2**64 + 1, 3 * 2**100])
def test_draws_lie_in_their_range(n: int):
    for number in range(200):
        assert 0 <= draw(f"range/{number}", n) < n


@pytest.mark.parametrize("n", [0, -1])
def test_an_empty_range_is_an_error(n: int):
    with pytest.raises(ValueError, match="at least one number"):
        Random(7, "x", 1).below(n)


def test_both_ends_of_a_range_come():
    die = Random(7, "x", 1)

    assert {die.between(1, 6) for _ in range(200)} == {1, 2, 3, 4, 5, 6}
    assert {die.between(-2, 0) for _ in range(100)} == {-2, -1, 0}
    assert die.between(4, 4) == 4


def test_what_would_make_some_values_likelier_is_drawn_again(monkeypatch: pytest.MonkeyPatch):
    class Digest:
        def __init__(self, key: bytes):
            self.key = key

        def digest(self) -> bytes:
            return b"\xff" * 8 if self.key in (b"key/0/0", b"key/0/1") else b"\0\0\0\0\0\0\0\1"

    monkeypatch.setattr(randomness.hashlib, "sha256", Digest)

    # 2**128 - 1 is the one value of 128 bits above the last whole multiple of 3; the next try gives 2**64 + 1.
    assert draw("key", 3) == (2**64 + 1) % 3
    assert draw("key", 2) == 1


# Each value equally likely: chi-square at a level of one in ten thousand, over draws that never change.

LIMITS = {1: 15.14, 5: 25.74, 9: 33.72, 23: 57.07, 99: 160.06}
"""The value that chi-square exceeds once in ten thousand, by degrees of freedom."""


def chi_square(counts: Counter[Any], kinds: int) -> float:
    expected = counts.total() / kinds
    assert len(counts) == kinds
    return sum((count - expected) ** 2 / expected for count in counts.values())


@pytest.mark.parametrize("n", [2, 6, 10, 100])
def test_draws_of_one_rule_are_uniform(n: int):
    die = Random(7, "acme.dice@0", 3)

    assert chi_square(Counter(die.below(n) for _ in range(10_000)), n) < LIMITS[n - 1]


@pytest.mark.parametrize("n", [2, 6, 10, 100])
def test_first_draws_over_commits_are_uniform(n: int):
    counts = Counter(Random(7, "acme.dice@0", commit).below(n) for commit in range(10_000))

    assert chi_square(counts, n) < LIMITS[n - 1]


@pytest.mark.parametrize("n", [2, 6, 10, 100])
def test_first_draws_over_seeds_are_uniform(n: int):
    counts = Counter(Random(seed, "acme.dice@0", 3).below(n) for seed in range(10_000))

    assert chi_square(counts, n) < LIMITS[n - 1]


def test_orders_are_uniform():
    cards = Random(7, "cards", 1)

    counts = Counter(tuple(cards.sample("abcd", 4)) for _ in range(10_000))

    assert set(counts) == set(permutations("abcd"))
    assert chi_square(counts, 24) < LIMITS[23]


def test_choices_are_uniform_over_places():
    cards = Random(7, "cards", 1)

    assert chi_square(Counter(cards.choice("abcdef") for _ in range(10_000)), 6) < LIMITS[5]


def test_a_chance_comes_true_as_often_as_it_says():
    dice = Random(7, "dice", 1)

    came = sum(dice.chance(1, 3) for _ in range(9_000))

    assert 2_800 < came < 3_200
    assert not any(dice.chance(0, 3) for _ in range(50))
    assert all(dice.chance(3, 3) for _ in range(50))


def test_a_sample_holds_different_items():
    cards = Random(7, "cards", 1)

    for _ in range(50):
        assert len(set(cards.sample(range(52), 5))) == 5
    assert cards.sample([], 0) == []


def test_chance_chooses_among_cells_in_their_order_and_not_among_what_has_none():
    cells = Grid(5, 5).cells("E5", "B2", "A1")

    assert [Random(seed, "cells", 1).choice(cells) for seed in range(9)] == [
        Random(seed, "cells", 1).choice([0, 6, 24]) for seed in range(9)
    ]
    assert sorted(Random(7, "cells", 1).sample(cells, 3)) == [0, 6, 24]
    for unordered in (lambda chance: chance.choice({0, 6}), lambda chance: chance.sample({0, 6}, 1)):
        with pytest.raises(TypeError, match="not from set, which has no order"):
            unordered(Random(7, "cells", 1))
    with pytest.raises(ValueError, match="at least one number"):
        Random(7, "cells", 1).choice(cells - cells)


def test_a_seed_of_the_system_has_32_bytes():
    seeds = {new_seed() for _ in range(20)}

    assert len(seeds) == 20
    assert all(len(bytes.fromhex(seed)) == 32 for seed in seeds)
