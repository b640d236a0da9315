"""A match under watch: every command goes to it and to a copy that was read from its log, and what fails is found."""

from collections.abc import Iterator
from random import Random

from irontide.commands import Command
from irontide.errors import Refused
from irontide.match import Match
from irontide.randomness import Seed
from irontide.registry import Registry
from irontide.testing.promises import (
    limits_are_kept,
    log_is_true,
    no_sunk_ship_acts,
    options_are_what_is_accepted,
    purses_hold,
    the_sunk_are_still,
    views_are_folds,
)
from irontide.variant import Variant

SEATS = ("ada", "bo")


class Game:
    """A match with its copy. `submit` and `look` yield what does not hold as a promise and words."""

    def __init__(self, variant: Variant, seed: Seed, registry: Registry) -> None:
        """Create the match.

        Raises:
            VariantError: the variant cannot be built.

        """
        self.match = Match.new(variant, seats=SEATS, seed=seed, registry=registry, strict=True)
        self.book = registry.book(variant)
        self._registry = registry
        self._copy = Match.loads(self.match.dumps(), registry, strict=True)

    def submit(self, command: Command) -> Iterator[tuple[str, str]]:
        """Submit a command to the match and its copy. A plugin that goes wrong raises `PluginFault`."""
        before = self.match.state
        expected = self.match.refusals(command)
        try:
            commit = self.match.submit(command)
        except Refused as refused:
            if self.match.state != before:
                yield "refusal", "a refused command changed the match"
            if refused.refusals != expected:
                yield "refusal", f"refused with {refused}, but the seat was told to expect {expected}"
            return
        if expected:
            yield "refusal", f"accepted, but the seat was told to expect {expected[0].code}"
        try:
            same = self._copy.submit(command) == commit
        except Refused:
            same = False
        if not same:
            yield "copy", "a copy that was read from the log decides otherwise"
        yield from (("points", text) for text in purses_hold(self.match))
        yield from (("sunk", text) for text in no_sunk_ship_acts(before, commit, self.book))
        yield from (("sunk", text) for text in the_sunk_are_still(self.match, self.book))

    def look(self, chance: Random) -> Iterator[tuple[str, str]]:
        """Look at all that is dear to look at, and go on with a fresh copy."""
        yield from (("log", text) for text in log_is_true(self.match, self._registry))
        yield from (("view", text) for text in views_are_folds(self.match))
        for seat in self.match.seats:
            found = options_are_what_is_accepted(self.match, self.book, seat, chance)
            yield from (("options", text) for text in found)
            yield from (("limits", text) for text in limits_are_kept(self.match, self.book, seat))
        self._copy = Match.loads(self.match.dumps(), self._registry, strict=True)
