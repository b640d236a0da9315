"""Matches by chance under watch: played until a promise is broken, and played again from their commands."""

from collections.abc import Callable, Iterator, Sequence
from random import Random

import attrs

from irontide.commands import Command
from irontide.errors import PluginFault
from irontide.fleet import NO_FLEET
from irontide.match import Match
from irontide.registry import Registry, shared
from irontide.sea import on_islands
from irontide.testing.findings import Finding
from irontide.testing.game import SEATS, Game
from irontide.testing.player import some_command
from irontide.testing.watch import Watch
from irontide.testing.worlds import Ships, Worlds, another_fleet
from irontide.variant import Variant

EVERY = 32
"""After so many commands the dear checks run, if a caller does not say."""

MOST = 500
"""So many commands a match by chance takes before it is left alone."""


@attrs.frozen
class Played:
    """A match that was played under watch."""

    match: Match
    commands: tuple[Command, ...]
    """All that were submitted, refused ones too."""
    ran: frozenset[tuple[str, str]] = frozenset()
    """The handlers that ran, as ids of rules and names; none where no watch was given."""
    findings: tuple[Finding, ...] = ()

    @property
    def log(self) -> str:
        """The log as text."""
        return self.match.dumps()


@attrs.frozen
class Table:
    """Where matches of one variant and seed are played."""

    variant: Variant
    seed: int
    registry: Registry
    watch: Watch

    def play(self, choose: Callable[[Match], Command | None], every: int, most: int) -> Played:
        """Play until the match is over, something is found, or `choose` has no command left."""
        game, chance = Game(self.variant, self.seed, self.registry), Random(0)  # noqa: S311 - a sample
        commands, ran, found = list[Command](), set[tuple[str, str]](), list[Finding]()
        while len(commands) < most and not found and game.match.outcome is None:
            self.watch.clear()
            try:
                command = choose(game.match)
                if command is None:
                    break
                commands.append(command)
                found = self._found(game.submit(command))
                if not found and (len(commands) % every == 0 or game.match.outcome is not None):
                    found = self._found(game.look(chance))
            except PluginFault as wrong:
                found = [_fault(wrong)]
            ran |= self.watch.ran
        shown = [self._shown(finding, commands, game.match, self.replay) for finding in found]
        return Played(game.match, tuple(commands), frozenset(ran), tuple(shown))

    def heard(self, commands: Sequence[Command]) -> tuple[tuple[str, str], ...]:
        """Return the handlers that run at the last of these commands."""
        game = Game(self.variant, self.seed, self.registry)
        for command in commands:
            self.watch.clear()
            self._found(game.submit(command))
        return tuple(sorted(self.watch.ran))

    def replay(self, commands: Sequence[Command]) -> Finding | None:
        """Submit these commands, check every promise after each, and return what is found first."""
        given = iter(commands)
        return next(iter(self.play(lambda _: next(given, None), 1, len(commands) + 1).findings), None)

    def compare(self, commands: Sequence[Command], seat: str, fleet: Ships) -> Finding | None:
        """Submit these commands in two worlds, and return how the seat can tell them apart although it may not."""
        here, there = (
            Match.new(self.variant, seats=SEATS, seed=self.seed, registry=self.registry, strict=True) for _ in range(2)
        )
        telling = {bound.id for bound in self.registry.book(self.variant).bounds if bound.rule.facts_told()}
        worlds = Worlds(here, there, seat, fleet, telling, self.watch.acted)
        for n, command in enumerate(commands, 1):
            self.watch.clear()
            try:
                text = worlds.submit(command)
                if text is None and not worlds.parted and (n % 8 == 0 or n == len(commands)):
                    text = worlds.look()
                found = Finding("worlds", f"{text}; {_otherwise(here, seat, fleet)}{CURE}") if text else None
            except PluginFault as wrong:
                found = _fault(wrong)
            if found is not None:
                return self._shown(found, commands[:n], here, lambda fewer: self.compare(fewer, seat, fleet))
            if worlds.parted or here.outcome is not None:
                break
        return None

    def other_worlds(self, played: Played, count: int) -> Iterator[Finding]:
        """Yield how a seat can tell the match played from others that it cannot know to be others."""
        chance = Random(self.seed)  # noqa: S311 - a sample
        book = on_islands(self.registry.book(self.variant), played.match.islands)
        for seat, other in (SEATS, SEATS[::-1]):
            for _ in range(count):
                fleet = another_fleet(played.match.at(chance.randrange(played.match.number + 1)), book, other, chance)
                found = None if fleet is None else self.compare(played.commands, seat, fleet)
                if found is not None:
                    yield found

    def _found(self, broken: Iterator[tuple[str, str]]) -> list[Finding]:
        return [Finding(promise, text) for promise, text in broken]

    def _shown(
        self,
        finding: Finding,
        commands: Sequence[Command],
        match: Match,
        again: Callable[[Sequence[Command]], Finding | None],
    ) -> Finding:
        heard = tuple(sorted(self.watch.ran))
        known = attrs.evolve(finding, variant=self.variant.id, seed=self.seed, commands=tuple(commands))
        return attrs.evolve(known, match=match, heard=heard, again=again)


def chosen(seed: int) -> Callable[[Match], Command]:
    """Return who chooses commands by chance: always the same for a seed."""
    chance = Random(seed)  # noqa: S311 - a game
    return lambda match: some_command(match, chance)


CURE = "; what a rule is meant to tell it declares: tells=(…)"


def _otherwise(match: Match, seat: str, fleet: Ships) -> str:
    """Return where the other seat's ships lie in another world, as far as they lie elsewhere in this one."""
    here = match.state.fleets[1 - match.seats.index(seat)] or NO_FLEET
    elsewhere = [f"{ship} {' '.join(cells)}" for ship, cells in fleet.items() if here.names.get(ship) != tuple(cells)]
    return f"in the other world lie {', '.join(elsewhere)}"


def _fault(wrong: PluginFault) -> Finding:
    fault = wrong.fault
    where = "" if fault.spot is None else f" at {fault.spot[0]}:{fault.spot[1]}"
    return Finding("fault", f"{fault.reason}{where}, given {fault.event or 'nothing'}", fault.rule, fault.handler)


def play_match(  # noqa: PLR0913 - what a match by chance depends on
    variant: Variant | str,
    seed: int,
    *,
    registry: Registry | None = None,
    watch: Watch | None = None,
    every: int = EVERY,
    worlds: int = 1,
    most: int = MOST,
) -> Played:
    """Play one match by chance, with legal commands and some that are not, and check every promise on the way.

    Args:
        variant: a variant or the id of one.
        seed: of the match and of both players.
        registry: where abilities and rules come from; the default one if None.
        watch: whose registry that is, to know which handlers ran.
        every: after so many commands the dear checks run, and at the end.
        worlds: with how many other worlds it is compared, for each seat.
        most: so many commands are submitted at most.

    Raises:
        VariantError: the variant cannot be built.

    """
    registry = registry or shared()
    made = registry.variant(variant) if isinstance(variant, str) else variant
    table = Table(made, seed, registry, watch or Watch())
    played = table.play(chosen(seed), every, most)
    if played.findings:
        return played
    return attrs.evolve(played, findings=tuple(table.other_worlds(played, worlds)))
