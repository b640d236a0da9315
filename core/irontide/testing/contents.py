"""What a plugin brings: its rules, abilities, variants, texts and files, found by asking it."""

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from textwrap import dedent
from types import ModuleType
from typing import Any, cast

import attrs

from irontide.registry import Registrar, Registry
from irontide.rules import Rule


@attrs.frozen
class Contents:
    """A plugin, the registry that has it, and what it brings."""

    plugin: object
    registry: Registry
    name: str
    found: Registrar

    @classmethod
    def of(cls, plugin: object) -> "Contents":
        """Return what a plugin brings: a module, an object, or a class that is made without arguments.

        Raises:
            PluginError: it cannot be registered.

        """
        made = plugin() if isinstance(plugin, type) else plugin
        registry = Registry.default()
        name = registry.name_of(made)
        if name is None:
            name = str(getattr(made, "__name__", type(made).__name__))
            registry.register(made, name, str(getattr(made, "__version__", "")))
        found = Registrar(name)
        cast("Any", made).irontide_register(registry=found)
        return cls(made, registry, name, found)

    @property
    def classes(self) -> Mapping[str, type[Rule]]:
        """All abilities and rules by id."""
        return {**self.found.found["ability"], **self.found.found["rule"]}

    @property
    def variants(self) -> tuple[str, ...]:
        """The ids of its variants."""
        return tuple(self.found.found["variant"])

    def texts(self) -> Mapping[str, Mapping[str, str]]:
        """Return its texts by language and key."""
        texts: dict[str, dict[str, str]] = {}
        for lang, more in self.found.texts:
            texts.setdefault(lang, {}).update(more)
        return texts

    def files(self) -> list[Path]:
        """Return its source files: those of its package, and those in which its classes stand."""
        module = self.plugin if isinstance(self.plugin, ModuleType) else None
        folders = getattr(module, "__path__", ())
        inside = [file for folder in folders for file in sorted(Path(folder).rglob("*.py"))]
        written = [*_written(inspect.getfile, [module or type(self.plugin), *self.classes.values()])]
        return [*dict.fromkeys([*inside, *map(Path, written)])]

    def sources(self) -> Iterator[str]:
        """Yield the source of its package, or else of its classes alone."""
        if isinstance(self.plugin, ModuleType):
            yield from (file.read_text(encoding="utf-8") for file in self.files())
        else:
            yield from map(dedent, _written(inspect.getsource, [*self.classes.values()]))


def _written(read: Callable[[Any], str], things: Sequence[object]) -> Iterator[str]:
    """Yield what can be read of these; what was typed in at a prompt has neither file nor source."""
    for thing in things:
        with suppress(OSError, TypeError):
            yield read(thing)
