"""What every command needs: the registry, variants by id or file, and one clear line for an error."""

import os
import re
import shutil
import sys
import textwrap
from collections.abc import Callable, Generator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, Final, NoReturn

import typer

from irontide import IrontideError, Registry, UnknownName, Variant, VariantError, load_variant

WRONG_USE = 2
NO = 1

LEAD: Final = re.compile(r"\s*(- |\S+ {2,})?")
"""What stands before the text of a line: a bullet, or the name of what it tells."""


class Lang(StrEnum):
    """A language that players are spoken to in."""

    EN = "en"
    DE = "de"


LangOption = Annotated[Lang, typer.Option("--lang", help="The language of what players read.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print nothing but JSON.")]


def fail(text: str, code: int = WRONG_USE) -> NoReturn:
    """Say in one line on standard error what is wrong, and exit."""
    complain(text)
    raise typer.Exit(code)


def complain(text: str) -> None:
    """Say something in one line on standard error."""
    typer.echo(f"irontide: {' '.join(text.split())}", err=True)


@contextmanager
def one_line_errors(file: object = None, but: type[Exception] | tuple[()] = ()) -> Generator[None]:
    """Turn an error over a name or a file, `but` not of that kind, into one clear line and exit code 2."""
    where = f"{file}: " if file else ""
    try:
        yield
    except but:
        raise
    except VariantError as error:
        fail(_first_problem(error))
    except IrontideError as error:
        fail(f"{where}{error}")
    except OSError as error:
        fail(f"{where or f'{error.filename}: '}{error.strerror or error}")


def _first_problem(error: VariantError) -> str:
    first, *more = error.problems
    rest = f" (and {len(more)} more; `irontide check` names all of a file)" if more else ""
    return f"variant {error.variant} cannot be built: {first.place}: {first.text}{rest}"


def tell(text: str) -> None:
    """Print a text for people: on a terminal its lines are wrapped at words, elsewhere they stay as they are."""
    columns = shutil.get_terminal_size().columns - 1
    lines = text.splitlines()
    typer.echo("\n".join([part for line in lines for part in _folded(line, columns)] if sys.stdout.isatty() else lines))


def _folded(line: str, columns: int) -> list[str]:
    """Return a line in several that fit, each but the first set in as far as the text that it belongs to."""
    lead = LEAD.match(line)
    indent = len(lead[0]) if lead and len(lead[0]) < columns // 2 else 0
    return textwrap.wrap(line, max(columns, 1), subsequent_indent=" " * indent, break_on_hyphens=False) or [""]


def load_registry() -> Registry:
    """Return what is installed, and name on standard error each plugin that was kept out."""
    registry = Registry.default()
    for problem in registry.problems:
        complain(f"plugin {problem.plugin} was kept out: {problem.text}")
    return registry


def find_variant(registry: Registry, name: str) -> Variant:
    """Return the variant of this id, or of this TOML file if it is a path; exit with 2 if there is none."""
    with one_line_errors(name if is_file_name(name) else None):
        return load_variant(name, registry) if is_file_name(name) else registry.variant(name)


def find_bot(registry: Registry, name: str, also: str = "") -> Callable[..., Any]:
    """Return what makes the bot of this id; exit with 2 if there is none, and name all (`also`: another choice)."""
    try:
        return registry.bot(name)
    except UnknownName as error:
        fail(f"{error} (there are: {', '.join([*sorted(registry.bots), *filter(None, [also])])})")


def is_file_name(name: str) -> bool:
    """Tell whether the name of a variant means a file."""
    return name.lower().endswith(".toml") or os.sep in name or len(Path(name).parts) > 1


def on_terminal() -> bool:
    """Tell whether a person sits at both ends: standard input and output are terminals."""
    return sys.stdin.isatty() and sys.stdout.isatty()
