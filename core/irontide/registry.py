"""The registry: which abilities, rules, variants, bots and messages there are, and the plugins they came from."""

from collections.abc import Callable, Mapping
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import TYPE_CHECKING, Any, TypeVar, cast

import attrs
import pluggy

from irontide import hookspecs
from irontide.build import build
from irontide.declared import misdeclared
from irontide.errors import IrontideError, PluginError, UnknownName, VariantError
from irontide.faults import failure
from irontide.frozen import is_text, shown
from irontide.messages import catalogue, is_template
from irontide.names import hint
from irontide.reading import CircularBase, fresh, read_file, read_variant
from irontide.rulebook import Rulebook
from irontide.rules import Ability, Rule
from irontide.variant import Variant
from irontide.version import API_VERSION, __version__

if TYPE_CHECKING:
    from pathlib import Path

T = TypeVar("T")

DEFAULT_PLUGINS = ("irontide_abilities", "irontide_variants", "irontide_play")
"""The plugins that are built in; each a package with an `irontide_register`. Those not installed are left out."""


KEPT = 256
"""How many variants a registry knows again at sight."""


@attrs.frozen
class PluginProblem:
    """A plugin that was kept out, and why."""

    plugin: str
    text: str


class Registrar:
    """What a plugin is handed to register with; nothing of it counts until all of it went well."""

    def __init__(self, plugin: str) -> None:
        """Take the plugin's name."""
        self.plugin = plugin
        self.found: dict[str, dict[str, Any]] = {"ability": {}, "rule": {}, "variant": {}, "bot": {}}
        self.texts: list[tuple[str, Mapping[str, str]]] = []

    def ability(self, ability: type[Ability]) -> None:
        """Register an ability: a class made with `@ability(...)`."""
        if not (isinstance(ability, type) and issubclass(ability, Ability) and ability.id):  # pyright: ignore[reportUnnecessaryIsInstance] - what a plugin registers
            self._refuse(f"{ability!r} is no ability: make it with @ability(...) from a class derived from Ability")
        self._check(ability)
        self._add("ability", ability.id, ability)

    def rule(self, rule: type[Rule]) -> None:
        """Register a rule: a class made with `@rule(...)`."""
        if not (isinstance(rule, type) and issubclass(rule, Rule) and rule.id) or issubclass(rule, Ability):  # pyright: ignore[reportUnnecessaryIsInstance] - what a plugin registers
            self._refuse(f"{rule!r} is no rule: make it with @rule(...) from a class derived from Rule")
        self._check(rule)
        self._add("rule", rule.id, rule)

    def variant(self, variant: "Variant | Mapping[str, Any]") -> None:
        """Register a variant: a record, or data with the keys of its TOML form."""
        id_: Any = variant.id if isinstance(variant, Variant) else dict(variant).get("id")
        self._add("variant", id_, variant)

    def bot(self, id_: str, bot: Callable[..., Any]) -> None:
        """Register a bot: whatever makes a player (see `irontide_play.bots`)."""
        self._add("bot", id_, bot)

    def messages(self, lang: str, texts: Mapping[str, str]) -> None:
        """Register texts for players: by key, with arguments in braces."""
        if not is_text(lang) or not all(is_text(key) and is_text(value) for key, value in texts.items()):
            self._refuse("messages are texts by key, for a language such as 'en'")
        odd = sorted(key for key, value in texts.items() if not is_template(value))
        if odd:
            self._refuse(f"the braces of the text {odd[0]!r} are not in order: {shown(texts[odd[0]])}")
        taken = sorted(key for key in texts if key in catalogue().own(lang))
        if taken:
            self._refuse(f"the text {taken[0]!r} is the core's own")
        self.texts.append((lang, dict(texts)))

    def _check(self, class_: type[Rule]) -> None:
        wrong = misdeclared(class_)
        if wrong:
            self._refuse(wrong)

    def _add(self, kind: str, id_: str, value: object) -> None:
        if not is_text(id_) or not id_:
            self._refuse(f"every {kind} needs an id, a text, not {shown(id_)}")
        if id_ in self.found[kind]:
            self._refuse(f"registers the {kind} {id_!r} twice")
        self.found[kind][id_] = value

    def _refuse(self, text: str) -> None:
        raise PluginError(f"plugin {self.plugin!r}: {text}")


class Registry:
    """All that is installed. Installed is not active: a match uses what its variant names."""

    def __init__(self) -> None:
        """Start empty; `default` is what most hosts want."""
        self._manager = pluggy.PluginManager(hookspecs.PROJECT)
        self._manager.add_hookspecs(hookspecs.Hooks)
        self._found: dict[str, dict[str, Any]] = {"ability": {}, "rule": {}, "variant": {}, "bot": {}}
        self._plugin_of: dict[str, str] = {}
        self._versions: dict[str, str] = {}
        self._built: dict[str, Rulebook] = {}
        self._recent: dict[int, tuple[Variant, Rulebook]] = {}
        self._recalled: dict[str, Variant] = {}
        self.problems: list[PluginProblem] = []

    @classmethod
    def default(cls) -> "Registry":
        """Return a new registry of the built-ins and the installed plugins, those of the entry-point group `irontide`.

        A plugin that cannot be loaded is kept out and named in `problems`.
        """
        registry = cls()
        for name in DEFAULT_PLUGINS:
            registry._load_built_in(name)
        for point in sorted(entry_points(group=hookspecs.PROJECT), key=lambda point: (point.name, point.value)):
            registry._load(point)
        return registry

    def _load_built_in(self, name: str) -> None:
        try:
            module = __import__(name)
        except ModuleNotFoundError as error:
            if error.name != name:
                raise
            return
        self.register(module, name, __version__)

    def _load(self, point: EntryPoint) -> None:
        version = point.dist.version if point.dist is not None else ""
        try:
            self.register(cast("object", point.load()), point.name, version)
        except Exception as error:  # noqa: BLE001 - one bad plugin must not keep the others out
            self.problems.append(PluginProblem(point.name, failure(error)))

    def register(self, plugin: object, name: str | None = None, version: str | None = None) -> None:
        """Register a plugin: a module or an object with hook implementations. All of it, or nothing.

        Raises:
            PluginError: it is for another API version, takes an id that is taken, or its registration failed.

        """
        name = name or str(getattr(plugin, "__name__", type(plugin).__name__))
        version = version or str(getattr(plugin, "__version__", ""))
        if not is_text(name) or not is_text(version):
            raise PluginError(f"the name and the version of a plugin are texts, not {shown(name)} and {shown(version)}")
        self._check_plugin(plugin, name)
        try:
            self._manager.register(plugin, name)
            self._manager.check_pending()
            registrar = self._asked(plugin, name)
            self._check_ids(registrar)
        except Exception as error:
            if self._manager.has_plugin(name):
                self._manager.unregister(name=name)
            if isinstance(error, PluginError):
                raise
            raise PluginError(f"plugin {name!r} failed to register: {failure(error)}") from error
        self._take(registrar, version)

    def _check_plugin(self, plugin: object, name: str) -> None:
        if self._manager.has_plugin(name) or self._manager.is_registered(plugin):
            raise PluginError(f"a plugin {name!r} is registered already")
        stated = getattr(plugin, "irontide_api", (API_VERSION, API_VERSION))
        if not (isinstance(stated, tuple) and [type(end) for end in cast("tuple[object, ...]", stated)] == [int, int]):
            raise PluginError(f"plugin {name!r}: irontide_api is a pair of integers, not {shown(stated)}")  # pyright: ignore[reportUnknownArgumentType] - what a plugin states
        low, high = cast("tuple[int, int]", stated)
        if not low <= API_VERSION <= high:
            raise PluginError(f"plugin {name!r} was written for API {low} to {high}, this is API {API_VERSION}")

    def _asked(self, plugin: object, name: str) -> Registrar:
        registrar = Registrar(name)
        others = [other for other in self._manager.get_plugins() if other is not plugin]
        caller = self._manager.subset_hook_caller("irontide_register", others)
        caller(registry=registrar)
        return registrar

    def _check_ids(self, registrar: Registrar) -> None:
        for kind, found in registrar.found.items():
            kinds = ("ability", "rule") if kind in ("ability", "rule") else (kind,)
            for id_ in found:
                taken = [other for other in kinds if id_ in self._found[other]]
                if taken:
                    owner = self._plugin_of[f"{taken[0]}:{id_}"]
                    raise PluginError(f"plugin {registrar.plugin!r}: the {kind} {id_!r} is taken by plugin {owner!r}")

    def _take(self, registrar: Registrar, version: str) -> None:
        self._versions[registrar.plugin] = version
        for kind, found in registrar.found.items():
            self._found[kind] = dict(sorted({**self._found[kind], **found}.items()))
            for id_ in found:
                self._plugin_of[f"{kind}:{id_}"] = registrar.plugin
        for lang, texts in registrar.texts:
            catalogue().add(lang, texts)

    @property
    def abilities(self) -> Mapping[str, type[Ability]]:
        """All abilities by id."""
        return self._found["ability"]

    @property
    def rules(self) -> Mapping[str, type[Rule]]:
        """All rules by id."""
        return self._found["rule"]

    @property
    def variants(self) -> Mapping[str, Variant]:
        """All variants by id; one that cannot be read is left out and named in `problems`."""
        found: dict[str, Variant] = {}
        for id_ in self._found["variant"]:
            try:
                found[id_] = self.variant(id_)
            except (VariantError, UnknownName) as error:
                problem = PluginProblem(self._plugin_of[f"variant:{id_}"], str(error))
                self.problems += [] if problem in self.problems else [problem]
        return found

    @property
    def bots(self) -> Mapping[str, Callable[..., Any]]:
        """All bots by id."""
        return self._found["bot"]

    @property
    def plugins(self) -> Mapping[str, str]:
        """The version of each registered plugin, by name."""
        return dict(self._versions)

    def name_of(self, plugin: object) -> str | None:
        """Return the name under which a module or object is registered, or None if it is not."""
        return self._manager.get_name(plugin)

    def plugin_of(self, id_: str) -> str:
        """Return the name of the plugin that registered an ability or rule, or raise `UnknownName`."""
        kind = "ability" if is_text(id_) and id_ in self.abilities else "rule"
        self._get(kind, id_)
        return self._plugin_of[f"{kind}:{id_}"]

    def ability(self, id_: str) -> type[Ability]:
        """Return the ability of this id, or raise `UnknownName`."""
        return cast("type[Ability]", self._get("ability", id_))

    def rule(self, id_: str) -> type[Rule]:
        """Return the rule of this id, or raise `UnknownName`."""
        return cast("type[Rule]", self._get("rule", id_))

    def bot(self, id_: str) -> Callable[..., Any]:
        """Return the bot of this id, or raise `UnknownName`."""
        return cast("Callable[..., Any]", self._get("bot", id_))

    def variant(self, id_: str) -> Variant:
        """Return the variant of this id, or raise `UnknownName`."""
        return self._variant(id_, ())

    def _variant(self, id_: str, reading: tuple[str, ...]) -> Variant:
        """Return the variant of this id, as the base of those that are being read."""
        found = self._get("variant", id_)
        if isinstance(found, Variant):
            return found
        if id_ in reading:
            raise CircularBase(f"the base of {id_!r} is in the end itself: {', '.join(reading)}")
        variant, problems = read_variant(found, lambda base: self._variant(base, (*reading, id_)))
        if problems:
            raise VariantError(id_, problems)
        self._found["variant"][id_] = variant
        return variant

    def _get(self, kind: str, id_: str) -> Any:  # noqa: ANN401 - each kind has its own type
        found = self._found[kind]
        if not isinstance(id_, str) or id_ not in found:  # pyright: ignore[reportUnnecessaryIsInstance] - what a host asks for
            raise UnknownName(f"there is no {kind} {shown(id_)}{hint(id_, found)}")
        return found[id_]

    def read_variant(self, data: Mapping[str, Any], place: str = "variant") -> Variant:
        """Return the variant of data with the keys of its TOML form, built once to see that it works.

        Raises:
            VariantError: it cannot be read or built; with every problem.

        """
        variant, problems = read_variant(data, self.variant)
        try:
            self.book(variant)
        except VariantError as error:
            problems += fresh(problems, error.problems)
        if problems:
            raise VariantError(variant.id or place, problems)
        return variant

    def book(self, variant: Variant) -> Rulebook:
        """Return the variant compiled; once per variant.

        Raises:
            VariantError: it cannot be built; with every problem.
        IrontideError: it is no variant.

        """
        recent = self._recent.get(id(variant))
        if recent is not None and recent[0] is variant:
            return recent[1]
        if not isinstance(variant, Variant):  # pyright: ignore[reportUnnecessaryIsInstance] - what a host hands in
            raise IrontideError(f"a variant is needed, not {shown(variant)}")
        try:
            text = repr(variant)  # tells what equality does not: True from 1, and the order in which things stand
        except Exception:  # noqa: BLE001 - what holds a thing that cannot be written is for the build to refuse
            return build(variant, self)
        found = self._built.get(text)
        if found is None:
            found = self._built[text] = build(variant, self)
        if len(self._recent) >= KEPT:
            self._recent.clear()
        self._recent[id(variant)] = variant, found
        return found

    def recalled(self, text: str, read: Callable[[], Variant]) -> Variant:
        """Return the variant of this text in a log; what `read` made of a text is known again."""
        found = self._recalled.get(text)
        if found is None:
            if len(self._recalled) >= KEPT:
                self._recalled.clear()
            found = self._recalled[text] = read()
        return found

    def observers(self, names: tuple[str, ...]) -> list[tuple[str, Callable[..., Any]]]:
        """Return who among the plugins of these names wants to see commits."""
        found = [
            (name, getattr(self._manager.get_plugin(name), "irontide_observe", None)) for name in sorted(set(names))
        ]
        return [(name, hook) for name, hook in found if callable(hook)]

    def report(self, fault: object) -> None:
        """Tell every plugin that listens of a fault; what they raise is swallowed, for there is nobody left to tell."""
        for name, plugin in sorted(self._manager.list_name_plugin(), key=lambda named: named[0]):
            hook = getattr(plugin, "irontide_fault", None)
            if callable(hook):
                try:
                    hook(fault=fault)
                except Exception as error:  # noqa: BLE001 - see above
                    self.problems.append(PluginProblem(name, f"irontide_fault raised {failure(error)}"))


@cache
def shared() -> Registry:
    """Return the registry that is used where none is given: the default one, loaded once."""
    return Registry.default()


def load_variant(path: "Path | str", registry: Registry | None = None) -> Variant:
    """Return the variant of a TOML file.

    Raises:
        VariantError: it cannot be read or built; with every problem.
        OSError: the file cannot be read.

    """
    return (registry or shared()).read_variant(read_file(path), str(path))
