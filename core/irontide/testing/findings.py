"""What a check found: which promise is broken by which rule, and the shortest log that shows it."""

from collections.abc import Callable, Iterable, Sequence
from json import dumps
from typing import Optional

import attrs

from irontide.commands import Command
from irontide.jsonforms import to_json
from irontide.match import Match
from irontide.randomness import Seed
from irontide.testing.report import tree

PATIENCE = 200
"""So often a match is played again to find fewer commands that show the same."""


@attrs.frozen
class Finding:
    """A promise that does not hold. What no match shows (a missing text, a private import) has no match."""

    promise: str
    text: str
    rule: str = ""
    handler: str = ""
    variant: str = ""
    seed: Seed | None = None
    commands: tuple[Command, ...] = ()
    """What was submitted; the last one shows it."""
    match: Match | None = attrs.field(default=None, repr=False, eq=False)
    heard: tuple[tuple[str, str], ...] = attrs.field(default=(), repr=False)
    """The handlers that ran at the last command."""
    again: Callable[[Sequence[Command]], Optional["Finding"]] | None = attrs.field(default=None, repr=False, eq=False)
    """Plays these commands instead, and returns what is found then."""

    @property
    def log(self) -> str:
        """The log of the match that shows it, as text."""
        return "" if self.match is None else self.match.dumps()

    def blamed(self, suspects: Iterable[str]) -> "Finding":
        """Return it with a rule and handler: the first of the rules suspected that ran at the last command."""
        rules = [*suspects]
        if self.rule or not rules:
            return self
        heard = [(rule, handler) for suspect in rules for rule, handler in self.heard if rule == suspect]
        rule, handler = next(iter(heard), (rules[0], ""))
        return attrs.evolve(self, rule=rule, handler=handler)

    def shortest(self) -> "Finding":
        """Return the same with as few commands as can be found by leaving some out."""
        best, tries = self, 0
        size = len(self.commands) // 2
        while self.again is not None and size:
            start = 0
            while start < len(best.commands) and tries < PATIENCE:
                found = self.again(best.commands[:start] + best.commands[start + size :])
                tries += 1
                if found is not None and found.promise == self.promise:
                    best = found
                else:
                    start += size
            size //= 2
        return best

    def __str__(self) -> str:
        name = ".".join(part for part in (self.rule, self.handler) if part)
        lines = [f"{name or self.variant}: {self.promise}: {self.text}"]
        if self.match is not None:
            lines.append(f"  variant {self.variant}, seed {self.seed!r}, {len(self.commands)} commands:")
            lines += [f"    {dumps(to_json(command), ensure_ascii=False)}" for command in self.commands]
            last = [commit for commit in self.match.commits[-1:] if commit.command == self.commands[-1]]
            lines += [f"  {line}" for commit in last for line in tree(commit).splitlines()]
        return "\n".join(lines)
