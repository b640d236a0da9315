"""Subjects: which plugin is meant by a name, a file or a folder; it is imported and registered beside all others."""

import sys
import tomllib
from collections.abc import Generator
from contextlib import contextmanager
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any, cast

import attrs

from irontide import PluginError, Registrar, Registry
from irontide_play.checks.findings import Finding
from irontide_play.checks.places import Spot, TomlFile, error_spot

GROUP = "irontide"


@attrs.frozen
class Subject:
    """A plugin that is meant: how it is loaded, and the folders that its modules are in, where it need be told."""

    point: EntryPoint
    paths: tuple[Path, ...] = ()


@attrs.frozen
class Plugin:
    """A plugin that was loaded and registered: what it offers, and the file or the folder of its module."""

    name: str
    offered: Registrar
    root: Path

    @property
    def spot(self) -> Spot:
        """Where it registers."""
        file = self.root / "__init__.py"
        return Spot(str(file if file.is_file() else self.root))

    @property
    def folder(self) -> Path:
        """The folder that its texts and variants are in."""
        return self.root if self.root.is_dir() else self.root.parent

    def at(self, id_: str, place: str) -> tuple[str, Spot]:
        """Return a place in a variant of the plugin's, and where it stands: in a TOML file, or where it registers."""
        for path in sorted(self.folder.glob("**/*.toml")):
            if _id_in(path) == id_:
                return place, TomlFile.read(path).spot(place)
        return f"{id_}: {place}", self.spot

    @property
    def sources(self) -> list[Path]:
        """Its Python files."""
        return sorted(self.root.rglob("*.py")) if self.root.is_dir() else [self.root]


def _id_in(path: Path) -> object:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8")).get("id")
    except (ValueError, RecursionError):
        return None


def subjects(given: str, registry: Registry) -> list[Subject] | Finding | None:
    """Return the plugins that a file, a folder or a name means, or why it holds none; None if nothing is so called."""
    path = Path(given)
    if path.suffix == ".py" and path.is_file():
        return [Subject(_point(path.stem, path.stem), (path.resolve().parent,))]
    if path.is_dir():
        return _in_folder(path.resolve())
    installed = [point for point in entry_points(group=GROUP) if given in {point.name, point.value}]
    if installed:
        return [Subject(installed[0])]
    return [Subject(_point(given, given))] if given in registry.plugins or _importable(given) else None


def _point(name: str, value: str) -> EntryPoint:
    return EntryPoint(name, value, GROUP)


def _importable(name: str) -> bool:
    try:
        return find_spec(name) is not None
    except (ImportError, ValueError):
        return False


def _in_folder(folder: Path) -> list[Subject] | Finding | None:
    """Return the plugins of a project, by what its pyproject.toml announces, or that of a package."""
    project = folder / "pyproject.toml"
    if not project.is_file():
        if (folder / "__init__.py").is_file():
            return [Subject(_point(folder.name, folder.name), (folder.parent,))]
        return None
    try:
        data = tomllib.loads(project.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        return Finding("no_plugin", f"is no TOML: {error}", spot=Spot(str(project)))
    points = _table(_table(_table(data, "project"), "entry-points"), GROUP)
    announced = [Subject(_point(name, str(value)), (folder, folder / "src")) for name, value in points.items()]
    missing = f"announces no plugin: the table [project.entry-points.{GROUP}] is missing"
    return announced or Finding("no_plugin", missing, "project.entry-points", Spot(str(project)))


def _table(data: dict[str, Any], key: str) -> dict[str, Any]:
    found = data.get(key)
    return cast("dict[str, Any]", found) if isinstance(found, dict) else {}


@contextmanager
def importing(paths: tuple[Path, ...]) -> Generator[None]:
    """Let modules be found in these folders meanwhile, and forget them afterwards."""
    path, modules, bytecode = [*sys.path], {*sys.modules}, sys.dont_write_bytecode
    sys.path[:0] = map(str, paths)
    sys.dont_write_bytecode = True
    try:
        yield
    finally:
        sys.path[:], sys.dont_write_bytecode = path, bytecode
        for name in {*sys.modules} - modules:
            file = getattr(sys.modules[name], "__file__", None) or ""
            if any(file.startswith(str(folder)) for folder in paths):
                del sys.modules[name]


def load(subject: Subject, registry: Registry) -> Plugin | Finding:
    """Return the plugin, registered, or why it can't be; within `importing` its paths."""
    point = subject.point
    try:
        thing: Any = point.load()
    except (Exception, SystemExit) as error:  # noqa: BLE001 - importing runs whatever it holds
        spot = error_spot(error, str(subject.paths[0]) if subject.paths else "")
        return Finding("not_importable", _said(error), point.value, spot)
    root = _root(thing)
    try:
        if point.name not in registry.plugins:
            registry.register(thing, point.name)
    except PluginError as error:
        spot = error_spot(error.__cause__, str(root)) if error.__cause__ else Spot(str(root))
        return Finding("not_registered", str(error), point.value, spot)
    plugin = Plugin(point.name, _offered(thing, point.name), root)
    if not (plugin.offered.texts or any(plugin.offered.found.values())):
        return Finding(
            "no_plugin", "registers nothing: it has no irontide_register marked @hookimpl", point.value, plugin.spot
        )
    return plugin


def _said(error: BaseException) -> str:
    """Return what an exception says, even if it cannot say it; of one by a validator of attrs the sentence alone."""
    try:
        given = [*map(str, error.args)] if type(error) is ValueError else []
        return f"{type(error).__name__}: {given[0] if len(given) > 1 else error}"
    except Exception:  # noqa: BLE001 - a plugin's own exception may break even here
        return type(error).__name__


def _root(thing: object) -> Path:
    """Return the folder of the package that a plugin is or is in, or the file of a module that is in none."""
    module = thing if isinstance(thing, ModuleType) else sys.modules[type(thing).__module__]
    if module.__package__:
        top = sys.modules[module.__package__.partition(".")[0]]
        return Path(str(top.__file__)).parent
    return Path(str(module.__file__))


def _offered(thing: Any, name: str) -> Registrar:  # noqa: ANN401 - whatever a plugin is
    offered = Registrar(name)
    if hasattr(getattr(thing, "irontide_register", None), f"{GROUP}_impl"):
        thing.irontide_register(registry=offered)
    return offered
