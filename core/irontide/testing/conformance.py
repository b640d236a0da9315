"""Conformance: everything that irontide promises, checked of each ability, rule and variant of a plugin."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cached_property
from itertools import islice, repeat
from typing import ClassVar

from irontide.errors import PluginError, VariantError
from irontide.testing.bench import Params, bench
from irontide.testing.contents import Contents
from irontide.testing.findings import Finding
from irontide.testing.play import play_match
from irontide.testing.processes import processes
from irontide.testing.statics import imports, texts
from irontide.testing.together import EVERY, play_together
from irontide.testing.watch import Watch, handlers
from irontide.variant import Variant

GAMES = 24
"""So many matches of a rule are played until each of its handlers has run, before others are put beside it."""

LEAST = 4
"""So many matches of each rule and variant are played in any case."""


class Suite:
    """All checks of one plugin. Each method yields what it finds."""

    def __init__(self, plugin: object, params: Params | None = None, games: int = GAMES) -> None:
        """Take the plugin, parameters that its rules need, by id, and how many matches are played at most.

        Raises:
            PluginError: it cannot be registered.

        """
        self.contents = Contents.of(plugin)
        self.watch = Watch()
        self.registry = self.watch.registry(self.contents.registry)
        self._params, self._games = params or {}, games
        self._failed: set[str] = set()

    def public_names(self) -> Iterator[Finding]:
        """Check that nothing private is imported."""
        yield from imports(self.contents)

    def messages(self) -> Iterator[Finding]:
        """Check that there is a text for everything, in every language that has one."""
        yield from texts(self.contents, self.registry)

    def matches(self) -> Iterator[Finding]:
        """Check every promise in matches by chance."""
        for id_ in self.contents.classes:
            variant = self.benches.get(id_)
            if isinstance(variant, Variant):
                yield from self._matches(id_, variant)
            else:
                yield Finding("variant", f"cannot be tried out: {variant}", id_)
        for id_ in self.contents.variants:
            for seed in range(LEAST):
                played = play_match(self.registry.variant(id_), seed, registry=self.registry, watch=self.watch)
                for finding in played.findings[:1]:
                    yield finding.shortest().blamed(self.contents.classes)

    def _matches(self, id_: str, variant: Variant) -> Iterator[Finding]:
        for seed in range(LEAST):
            played = play_match(variant, seed, registry=self.registry, watch=self.watch, worlds=3)
            if played.findings:
                self._failed.add(id_)
                yield played.findings[0].shortest().blamed([id_])
                return

    def each_handler(self) -> Iterator[Finding]:
        """Check that each handler runs: in matches of its rule alone, and beside each other rule if it must be."""
        for id_, class_ in self.contents.classes.items():
            keys = [(id_, name) for name in handlers(class_)]
            benches = self._until_heard(id_) if id_ not in self._failed else iter(())
            count = 0
            while not self.watch.ever.issuperset(keys) and (variant := next(benches, None)) is not None:
                play_match(variant, count, registry=self.registry, watch=self.watch, every=EVERY, worlds=0)
                count += 1
            for _, name in (key for key in keys if count and key not in self.watch.ever):
                yield Finding("played", f"never ran in {count} matches, alone and beside each other rule", id_, name)

    def _until_heard(self, id_: str) -> Iterator[Variant]:
        """Yield variants to hear of a rule in: that of it alone, then those of it and another."""
        alone = self.benches[id_]
        if isinstance(alone, Variant):
            yield from repeat(alone, self._games)
            for other in (*self.registry.abilities, *self.registry.rules):
                with suppress(VariantError):
                    yield bench(self.registry, (id_, other), self._params)

    def in_pairs(self) -> Iterator[Finding]:
        """Check every promise in a match of each own rule or ability with each other that there is.

        Of each only what is found first is yielded, and nothing of those that fail alone.
        """
        for number, id_ in enumerate(self.contents.classes):
            if id_ not in self._failed:
                earlier = [*self.contents.classes][: number + 1]
                yield from islice(self._with_others(id_, earlier), 1)

    def _with_others(self, id_: str, but: Sequence[str]) -> Iterator[Finding]:
        for other in (*self.registry.abilities, *self.registry.rules):
            if other not in but:
                ids = id_, other
                yield from play_together(ids, registry=self.registry, watch=self.watch, params=self._params)

    def same_log(self) -> Iterator[Finding]:
        """Check that two processes write the same log."""
        variants = [variant for variant in self.benches.values() if isinstance(variant, Variant)]
        variants += [self.registry.variant(id_) for id_ in self.contents.variants]
        for finding in processes(self.contents, variants, 1):
            suspects = [id_ for id_ in self.contents.classes if id_ in finding.variant.split("+")]
            yield finding.blamed(suspects or self.contents.classes)

    @cached_property
    def benches(self) -> dict[str, Variant | VariantError]:
        """A variant to try out each own rule and ability in, or why there is none."""
        made: dict[str, Variant | VariantError] = {}
        for id_ in self.contents.classes:
            try:
                made[id_] = bench(self.registry, (id_,), self._params)
            except VariantError as error:
                made[id_] = error
        return made


CHECKS: tuple[Callable[[Suite], Iterator[Finding]], ...] = (
    Suite.public_names, Suite.messages, Suite.matches, Suite.same_log, Suite.in_pairs, Suite.each_handler
)  # fmt: skip


def find_all(plugin: object, params: Params | None = None, games: int = GAMES) -> list[Finding]:
    """Return all that is found of a plugin, by all checks. What cannot be registered is not looked at further."""
    try:
        suite = Suite(plugin, params, games)
    except PluginError as error:
        return [Finding("plugin", str(error), str(getattr(plugin, "__name__", type(plugin).__name__)))]
    return [finding for check in CHECKS for finding in check(suite)]


def irontide_conformance(plugin: object, *, params: Params | None = None, games: int = GAMES) -> None:
    """See that a plugin keeps every promise: `irontide_conformance(my_plugin)` in a test is all it takes.

    Args:
        plugin: a module, an object, or a class that is made without arguments.
        params: by id, parameters that a rule cannot do without.
        games: so many matches of each rule are played at most until each of its handlers has run.

    Raises:
        AssertionError: with every finding: the rule, the handler, the seed and the shortest log that shows it.

    """
    expect_none(find_all(plugin, params, games))


def expect_none(found: Iterable[Finding]) -> None:
    """Raise an `AssertionError` with these findings, if there are any."""
    lines = [str(finding) for finding in found]
    if lines:
        broken = "1 promise is broken" if len(lines) == 1 else f"{len(lines)} promises are broken"
        raise AssertionError("\n\n".join([broken, *lines]))


class Conformance:
    """The same as `irontide_conformance`, a test for each check: derive from it and name the plugin.

    class TestMyPlugin(Conformance):
        plugin = my_plugin
    """

    plugin: ClassVar[object]
    params: ClassVar[Params] = {}
    games: ClassVar[int] = GAMES

    def _expect(self, check: Callable[[Suite], Iterator[Finding]]) -> None:
        expect_none(check(Suite(self.plugin, self.params, self.games)))

    def test_it_uses_public_names_only(self) -> None:
        """See `Suite.public_names`."""
        self._expect(Suite.public_names)

    def test_it_has_all_its_texts(self) -> None:
        """See `Suite.messages`."""
        self._expect(Suite.messages)

    def test_it_keeps_every_promise_in_matches_by_chance(self) -> None:
        """See `Suite.matches`."""
        self._expect(Suite.matches)

    def test_it_writes_the_same_log_in_two_processes(self) -> None:
        """See `Suite.same_log`."""
        self._expect(Suite.same_log)

    def test_it_goes_with_all_others(self) -> None:
        """See `Suite.in_pairs`."""
        self._expect(Suite.in_pairs)

    def test_each_handler_runs(self) -> None:
        """See `Suite.each_handler`."""
        self._expect(Suite.each_handler)
