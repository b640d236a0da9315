"""The same log in two processes: what depends on the order of a set, or on `hash()`, differs between them."""

import importlib
import inspect
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from importlib.util import module_from_spec, spec_from_file_location
from operator import attrgetter
from types import ModuleType
from typing import Any

from irontide.errors import IrontideError
from irontide.match import Match
from irontide.testing.contents import Contents
from irontide.testing.findings import Finding
from irontide.testing.play import Table, chosen
from irontide.testing.watch import Watch
from irontide.variant import Variant

HASH_SEEDS = ("1", "2")

CHILD = "from irontide.testing.processes import answer; answer()"

FOREVER = 10_000


def processes(contents: Contents, variants: Sequence[Variant], seed: int) -> Iterator[Finding]:
    """Yield where two processes that differ in `PYTHONHASHSEED` write another log of the same match."""
    try:
        place = locate(contents.plugin)
    except IrontideError as error:
        yield Finding("processes", str(error), contents.name)
        return
    games = [{**variant.data(), "base": None} for variant in variants]
    children = [_child(hash_seed) for hash_seed in HASH_SEEDS]
    asked = json.dumps({"path": sys.path, "plugin": place, "games": games, "seed": seed})
    answers = [child.communicate(asked) for child in children]
    for child, (_, complaint) in zip(children, answers, strict=True):
        if child.returncode:
            yield Finding("processes", f"in another process:\n{complaint.strip()}", contents.name)
            return
    logs = [json.loads(said) for said, _ in answers]
    for variant, one, two in zip(variants, *logs, strict=True):
        if one != two:
            yield _difference(contents, variant, seed, one, two)


def _child(hash_seed: str) -> "subprocess.Popen[str]":
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    return subprocess.Popen(  # noqa: S603 - starts this Python with the text above
        [sys.executable, "-c", CHILD],
        env=environment,
        text=True,
        encoding="utf-8",
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def _difference(contents: Contents, variant: Variant, seed: int, one: str, two: str) -> Finding:
    """Return where two logs part: the log up to there, and the events that differ."""
    lines, others = one.splitlines(), two.splitlines()
    number = next(n for n, line in enumerate(lines) if n >= len(others) or line != others[n])
    match = Match.loads("\n".join(lines[: number + 1]) + "\n", contents.registry)
    commands = tuple(commit.command for commit in match.commits if commit.command is not None)
    parts = [json.loads(line)["events"] for line in (lines[number], *others[number : number + 1])]
    pairs = zip(parts[0], [*parts[-1], None], strict=False)
    left, right = next(((a, b) for a, b in pairs if a != b), (parts[0], parts[-1]))
    text = f"one process writes {left}, another {right}"
    watch = Watch()
    heard = Table(variant, seed, watch.registry(contents.registry), watch).heard(commands)
    return Finding("processes", text, "", "", variant.id, seed, commands, match, heard)


def locate(plugin: object) -> dict[str, str]:
    """Return where another process finds the plugin: its module, file and name in there.

    Raises:
        IrontideError: it cannot be found by name.

    """
    if isinstance(plugin, ModuleType):
        return {"module": plugin.__name__, "file": plugin.__file__ or "", "name": ""}
    class_ = type(plugin)
    module = sys.modules[class_.__module__]
    named = next((name for name, thing in vars(module).items() if thing is plugin), class_.__qualname__)
    if "<locals>" in named:
        raise IrontideError(f"{class_.__qualname__} cannot be found from another process: let it stand in a module")
    return {"module": module.__name__, "file": inspect.getfile(class_), "name": named}


def found(place: dict[str, str]) -> object:
    """Return the plugin that `locate` described: a module, an object, or one made of a class without arguments."""
    try:
        module = importlib.import_module(place["module"])
    except ImportError:
        spec = spec_from_file_location(place["module"], place["file"])
        if spec is None or spec.loader is None:
            raise
        module = sys.modules[place["module"]] = module_from_spec(spec)
        spec.loader.exec_module(module)
    thing: Any = attrgetter(place["name"])(module) if place["name"] else module
    return thing() if isinstance(thing, type) else thing


def answer() -> None:
    """Play the matches that standard input asks for, and write their logs to standard output."""
    asked = json.loads(sys.stdin.read())
    registry = Contents.of(found(asked["plugin"])).registry
    logs: list[str] = []
    for data in asked["games"]:
        table = Table(registry.read_variant(data), asked["seed"], registry, Watch())
        logs.append(table.play(chosen(asked["seed"]), FOREVER, FOREVER).log)
    sys.stdout.write(json.dumps(logs))
