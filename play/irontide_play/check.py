"""The command `check`: everything that is wrong with a variant or a plugin, each thing with its place."""

import difflib
import json
from pathlib import Path
from typing import Annotated

import typer

from irontide import Registry, UnknownName, VariantError
from irontide_play.checks.findings import Finding
from irontide_play.checks.run import check_file, check_plugin, check_variant
from irontide_play.checks.subjects import subjects
from irontide_play.host import NO, JsonOption, fail, load_registry, one_line_errors, tell


def check(
    name: Annotated[
        str,
        typer.Argument(
            metavar="WHAT",
            help="A variant's TOML file or id; or a plugin: its name, its module, a .py file or a folder.",
        ),
    ],
    *,
    as_json: JsonOption = False,
) -> None:
    """Check a variant or a plugin: print every problem with its file and place, or ok.

    Exits with 1 if there is a problem. A warning is what looks wrong but may be right: what no match showed that was
    played to find out. A hint is what is good to know. --json prints an object with checked (what was asked for), ok,
    problems, warnings and hints; these are lists of objects with code, text, place, file and line (null where there is
    none).
    """
    found = [*dict.fromkeys(_findings(name, load_registry()))]
    problems = [finding for finding in found if finding.sure]
    warnings = [finding for finding in found if not finding.sure and not finding.hint]
    hints = [finding for finding in found if finding.hint]
    if as_json:
        kinds = {"problems": problems, "warnings": warnings, "hints": hints}
        lists = {kind: [one.data() for one in ones] for kind, ones in kinds.items()}
        typer.echo(json.dumps({"checked": name, "ok": not problems, **lists}))
    else:
        tell("\n".join([*map(str, [*problems, *warnings, *hints]), *([] if problems else ["ok"])]))
    if problems:
        raise typer.Exit(NO)


def _findings(name: str, registry: Registry) -> list[Finding]:
    if name.lower().endswith(".toml"):
        with one_line_errors(name):
            return check_file(Path(name), registry)
    try:
        return [*check_variant(registry.variant(name), registry)]
    except UnknownName:
        with one_line_errors(name):
            meant = subjects(name, registry)
    except VariantError as error:
        return [Finding(problem.code, problem.text, problem.place) for problem in error.problems]
    if meant is None:
        near = difflib.get_close_matches(name, [*registry.variants, *registry.plugins], n=1)
        hint = f", did you mean {near[0]!r}?" if near else ""
        fail(f"there is no variant, plugin, module, file or folder {name!r} to check{hint}")
    if isinstance(meant, Finding):
        return [meant]
    return [finding for subject in meant for finding in check_plugin(subject, registry)]
