"""Watching rules: a registry like another, whose rules write down each time that one of their handlers is asked."""

from collections.abc import Callable, Generator, Iterable, Mapping
from contextlib import suppress
from typing import Any

import attrs

from irontide.frozen import shown
from irontide.hookspecs import hookimpl
from irontide.registry import Registrar, Registry
from irontide.rules import Ability, Rule
from irontide.targets import Target
from irontide.variant import Variant

HERE = "irontide.testing"
"""The name of the plugin that brings what a test registers on the fly."""


OWN = "testing."
"""So begin the ids of rules that only set a test up."""


class Effects(list[Any]):
    """The effects that a handler gave one after the other, as far as it came."""

    def of(self, handler: Generator[Any, Any, Any]) -> Generator[Any, Any, None]:
        """Yield what a handler yields, with the same answers, and keep it."""
        answer: Any = None
        with suppress(StopIteration):
            while True:
                effect = handler.send(answer)
                self.append(effect)
                answer = yield effect


@attrs.frozen
class Asked:
    """One handler was asked: of which rule, for which seat (None: of no seat), about what, and what it gave."""

    rule: str
    handler: str
    seat: str | None
    about: object
    gave: object

    def __str__(self) -> str:
        whose = "" if self.seat is None else f" for {self.seat}"
        gave = shown(self.gave)
        if isinstance(self.gave, Effects):
            gave = "effects" if self.gave else "no effects"
        about = self.about.spot.json if isinstance(self.about, Target) else self.about
        return f"{self.rule}.{self.handler}{whose}: {shown(about)} -> {gave}"


class Watch:
    """Who was asked: every handler in `ran`, and, if `keep`, each call in its order in `asked`."""

    def __init__(self, *, keep: bool = False) -> None:
        """Start with nothing heard."""
        self.ran: set[tuple[str, str]] = set()
        """The rules' ids and the names of their handlers, `use` and `allows` among them, since `clear`."""
        self.ever: set[tuple[str, str]] = set()
        """The same, never emptied: some handlers run only when a variant is built."""
        self.acts: list[tuple[str, Effects]] = []
        """What each use and reaction yielded, with its rule's id, since `clear`."""
        self.asked: list[Asked] = []
        self._keep = keep

    def clear(self) -> None:
        """Forget what ran and was done: a new command begins."""
        self.ran.clear()
        self.acts.clear()

    def acted(self) -> set[str]:
        """Return the ids of the rules that did something by a use or a reaction since `clear`."""
        return {rule for rule, effects in self.acts if effects}

    def registry(self, base: Registry, *classes: type[Rule]) -> Registry:
        """Return a registry of all that `base` has and these classes besides, each of them watched.

        Raises:
            PluginError: one of the classes is no rule or takes an id that is taken.

        """
        new = Registry()
        for plugin, version in base.plugins.items():
            found = {**base.abilities, **base.rules}
            own = [class_ for id_, class_ in found.items() if base.plugin_of(id_) == plugin]
            new.register(Bundle([self.watched(class_) for class_ in own]), plugin, version)
        known = {**base.abilities, **base.rules}
        fresh = [self.watched(class_) for class_ in classes if known.get(class_.id) is not class_]
        new.register(Bundle(fresh, variants=base.variants.values(), bots=base.bots), HERE)
        return new

    def watched(self, class_: type[Rule]) -> type[Rule]:
        """Return a class that does what this one does, and writes it down."""
        names = handlers(class_)
        body = {name: self._watched(class_.id, name, getattr(class_, name)) for name in names}
        kept = {"__slots__": (), "__module__": class_.__module__, "__doc__": class_.__doc__}
        return type(class_.__name__, (class_,), {**kept, **body})

    def _watched(self, rule: str, name: str, handler: Callable[..., Any]) -> Callable[..., Any]:
        key = rule, name

        def ask(instance: Rule, *args: Any) -> Any:  # noqa: ANN401 - what a handler is given and gives
            self.ran.add(key)
            self.ever.add(key)
            gave = handler(instance, *args)
            if rule.startswith(OWN):
                return gave
            effects = Effects()
            given = hasattr(gave, "send")
            if given:
                self.acts.append((rule, effects))
            if self._keep:
                self.asked.append(Asked(rule, name, _seat(args[0]), args[1], effects if given else gave))
            return effects.of(gave) if given else gave

        return ask


def handlers(class_: type[Rule]) -> tuple[str, ...]:
    """Return the names of all that an author wrote for the engine to call."""
    own = [name for name in ("use", "allows") if getattr(class_, name, None) is not getattr(Ability, name)]
    return (*(name for name, _ in class_.handlers), *(name for name in own if issubclass(class_, Ability)))


def _seat(face: object) -> str | None:
    """Return the seat that a context is of; a grid, which a clearance is asked with, is of none."""
    seat = getattr(face, "seat", None)
    return getattr(seat, "name", seat)


class Bundle:
    """A plugin made of rules and abilities, variants, bots and texts."""

    def __init__(
        self,
        classes: Iterable[type[Rule]],
        *,
        variants: Iterable[Variant | Mapping[str, Any]] = (),
        bots: Mapping[str, Callable[..., Any]] | None = None,
        texts: Mapping[str, Mapping[str, str]] | None = None,
    ) -> None:
        """Take what it registers; texts are by language and key."""
        self._classes, self._variants, self._bots, self._texts = [*classes], [*variants], bots or {}, texts or {}

    @hookimpl
    def irontide_register(self, registry: Registrar) -> None:
        """Register it all."""
        for class_ in self._classes:
            if issubclass(class_, Ability):
                registry.ability(class_)
            else:
                registry.rule(class_)
        for variant in self._variants:
            registry.variant(variant)
        for id_, bot in self._bots.items():
            registry.bot(id_, bot)
        for lang, texts in self._texts.items():
            registry.messages(lang, texts)
