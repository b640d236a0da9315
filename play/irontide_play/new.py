"""The command `new`: an installable package with an ability, a rule, a variant or all three, made from a template."""

import keyword
import re
import shutil
import tempfile
from enum import StrEnum
from importlib.resources import as_file, files
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Final

import attrs
import typer

import irontide
from irontide import Registry
from irontide_play.host import fail, load_registry, one_line_errors

NAME: Final = re.compile(r"[a-z](_?[a-z0-9])*")
LONGEST: Final = 40
DEFAULTS: Final = {"ability": "lookout", "rule": "calm_edge", "variant": "skirmish"}
"""What is in a package that was given only a plugin's name."""

MORE: Final = "a class beside the first, its name in irontide_register, a name and a text in each language"
"""How an ability or a rule is added to a package that exists."""


class Kind(StrEnum):
    """What a new package holds; a plugin holds one of each."""

    PLUGIN = "plugin"
    ABILITY = "ability"
    RULE = "rule"
    VARIANT = "variant"


@attrs.frozen
class Plan:
    """A package to be made: the plugin's name, and of what it holds the names without the plugin's, else empty."""

    plugin: str
    ability: str = ""
    rule: str = ""
    variant: str = ""

    @classmethod
    def of(cls, kind: Kind, name: str) -> "Plan":
        """Return the plan of a name as it is given: `PLUGIN`, or `PLUGIN.THING` for one thing of that name."""
        plugin, _, thing = name.partition(".")
        if kind is Kind.PLUGIN:
            return cls(name, **DEFAULTS)
        return cls(plugin, **{kind.value: thing if "." in name else DEFAULTS[kind.value]})

    @property
    def package(self) -> str:
        """The name that Python imports."""
        return f"irontide_{self.plugin}"

    @property
    def folder(self) -> str:
        """The name of the distribution, and of the folder that holds it."""
        return self.package.replace("_", "-")

    @property
    def ids(self) -> list[str]:
        """The ids of what the package holds."""
        return [f"{self.plugin}.{thing}" for thing in (self.ability, self.rule, self.variant) if thing]

    def answers(self) -> dict[str, object]:
        """Return what the template asks for."""
        return {
            **attrs.asdict(self),
            "package": self.package,
            "distribution": self.folder,
            "version": irontide.__version__,
            "api": irontide.API_VERSION,
            "ability_class": _class_name(self.ability, "Ability"),
            "rule_class": _class_name(self.rule, "Rule"),
        }


def new(
    kind: Annotated[Kind, typer.Argument(metavar="KIND", help="plugin (one of each), ability, rule or variant.")],
    name: Annotated[str, typer.Argument(metavar="NAME", help="The plugin's name, or PLUGIN.NAME to name both.")],
    *,
    into: Annotated[Path, typer.Option("--into", metavar="FOLDER", help="Where to make its folder.")] = Path(),
) -> None:
    """Make a package of your own: with an entry point, texts in English and German, passing tests and a README.

    It is made as a whole or not at all, in a new folder irontide-NAME.
    """
    plan = Plan.of(kind, name)
    wrong = _wrong_name(name, plan) or _taken(plan, load_registry()) or _wrong_place(plan, into)
    if wrong:
        fail(wrong)
    with one_line_errors(into / plan.folder):
        made = make(plan, into)
    typer.echo(f"{made}: made, with {', '.join(plan.ids)}")
    typer.echo(f"Its README.md tells how to install and test it; {plan.package}/ is what to change.")


def make(plan: Plan, into: Path) -> Path:
    """Make the package in a new folder there and return that; nothing is left behind if it can't be made.

    Raises:
        OSError: it can't be written.

    """
    from copier import run_copy  # noqa: PLC0415 - takes its time, and no other command needs it

    work = Path(tempfile.mkdtemp(prefix=".irontide-new-", dir=into))
    try:
        with as_file(files("irontide_play").joinpath("template")) as template:
            run_copy(str(template), work / "made", data=plan.answers(), defaults=True, quiet=True)
        return (work / "made").rename(into / plan.folder)
    finally:
        shutil.rmtree(work)


def _wrong_name(name: str, plan: Plan) -> str | None:
    """Return what is wrong with a name as such."""
    parts = [plan.plugin, *name.removeprefix(plan.plugin).split(".", 1)[1:]]
    like = [re.sub(r"[^a-z0-9]+", "_", part.lower()).strip("_0123456789")[:LONGEST] for part in parts]
    for part in parts:
        if not NAME.fullmatch(part) or len(part) > LONGEST:
            near = f"; {'.'.join(like)!r} would do" if all(map(NAME.fullmatch, like)) and like != parts else ""
            return f"{name!r}: a name is made of small letters, digits and single _, at most {LONGEST}{near}"
        if keyword.iskeyword(part):
            return f"{name!r}: {part!r} is a word of Python's own"
    return f"{name!r}: {plan.variant}.toml holds the texts of a language" if plan.variant in {"en", "de"} else None


def _taken(plan: Plan, registry: Registry) -> str | None:
    """Return what else has a name."""
    plugin = plan.plugin
    if plugin in {"core", "play", "testing"} or plugin.startswith("irontide"):
        return f"the name {plugin!r} is irontide's own (the package of a plugin x is called irontide_x anyway)"
    more = f"; more goes into its package, as the page on hooks tells under 'Being found': {MORE}"
    for id_ in (*registry.abilities, *registry.rules, *registry.variants):
        if id_ == plugin or id_.startswith(f"{plugin}."):
            return f"the name {plugin!r} is taken: there is {id_!r}{more if plugin in registry.plugins else ''}"
    if plugin in registry.plugins:
        return f"the name {plugin!r} is taken by an installed plugin{more}"
    return f"a package {plan.package} is installed already" if find_spec(plan.package) else None


def _wrong_place(plan: Plan, into: Path) -> str | None:
    if not into.is_dir():
        return f"{into} is no folder"
    folder = into / plan.folder
    return f"{folder} is there already" if folder.exists() or folder.is_symlink() else None


def _class_name(name: str, kind: str) -> str:
    """Return the name of a class, other than those that a module of it imports."""
    plain = "".join(part.capitalize() for part in name.split("_"))
    return f"{plain}{kind}" if hasattr(irontide, plain) else plain
