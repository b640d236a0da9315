"""The same seed and commands write the same log byte for byte, in every process, for every hash seed and Python."""

import os
import shutil
import subprocess
import sys
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import pytest

import irontide

PACKAGES = (
    "irontide",
    "irontide_abilities",
    "irontide_variants",
    "attr",
    "attrs",
    "cattrs",
    "pluggy",
    "typing_extensions",
)
SPECS = [spec for name in PACKAGES if (spec := find_spec(name)) is not None and spec.origin is not None]
PATH = os.pathsep.join(
    dict.fromkeys(str(Path(spec.origin).parents[bool(spec.submodule_search_locations)]) for spec in SPECS)
)
"""What an interpreter needs on its path, be the packages installed for it or not; all of it is pure Python."""

PLAY = """
import json, sys
from irontide import *
from irontide.randomness import Random

@ability("two.dice", price=1, target=Area(3, 3))
class Dice(Ability):
    def use(self, ctx, area):
        yield SetData("drawn", {"die": ctx.random.between(1, 6), "order": ctx.random.sample(range(9), 9)})
        yield Mark(area.cells, until=OtherTurns(2), public=True)
        yield Shot(ctx.random.choice(ctx.open()))

@rule("two.echo")
class Echo(Rule):
    @reacts(ShotFired)
    def echo(self, ctx, event):
        if not event.free and ctx.random.chance(1, 4):
            yield Note("two.echo.heard", args={"by": event.by, "at": [event.at, event.told]})

class Two:
    @hookimpl
    def irontide_register(self, registry):
        registry.ability(Dice)
        registry.rule(Echo)

registry = Registry.default()
registry.register(Two(), "two", "1")
variant, seed = sys.argv[1], json.loads(sys.argv[2])
rules = registry.variant(variant).but(id="two." + variant, abilities={"submarine": "two.dice"}, rules=["two.echo"])
match = Match.new(rules, seats=("ada", "bo"), seed=seed, registry=registry, strict=True)
choose = Random(99, "commands", 0)
for seat in match.seats:
    match.submit(PlaceFleet(seat, match.random_placement(seat)))
while (seat := match.seat_to_move) is not None:
    options = match.options(seat)
    usable = [id_ for id_, option in options.abilities.items() if option.refusal is None]
    if usable:
        id_ = choose.choice(usable)
        targets = options.abilities[id_].targets
        match.submit(UseAbility(seat, id_, choose.choice(targets) if targets else None))
        if match.seat_to_move != seat:
            continue
        options = match.options(seat)
    cells = choose.sample(match.grid.list(options.fire.cells), options.fire.count)
    match.submit(Fire(seat, cells))
out = [match.dumps()]
for seat in ("ada", "bo", None):
    out.append(json.dumps([match.told(seat), to_json(match.view(seat))]))
out.append(explain(match.variant, "de", registry))
sys.stdout.buffer.write("\\n".join(out).encode())
"""
"""Plays a match of random commands to its end; prints its log, what everybody was told, every view, and its rules."""


def run(python: str, source: str, *arguments: str, hash_seed: str = "0") -> bytes:
    environment = {**os.environ, "PYTHONPATH": PATH, "PYTHONHASHSEED": hash_seed, "PYTHONIOENCODING": "latin-1"}
    done = subprocess.run([python, "-c", source, *arguments], env=environment, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout


@cache
def play(variant: str, seed: str, python: str = sys.executable, hash_seed: str = "0") -> bytes:
    return run(python, PLAY, variant, seed, hash_seed=hash_seed)


@cache
def interpreters() -> dict[str, str]:
    """Return the interpreters that are here, by version: this one, and each other that can import irontide."""
    roots = [*Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")).glob("versions/*/bin")]
    places = [*os.environ.get("PATH", "").split(os.pathsep), *map(str, roots)]
    names = [f"python3.{minor}" for minor in range(11, 20)]
    found = {sys.version.split()[0]: sys.executable}
    for file in dict.fromkeys(shutil.which(name, path=place) for name in names for place in places):
        if file is not None:
            try:
                version = run(file, "import irontide, sys; print(sys.version.split()[0])").decode().strip()
            except (AssertionError, OSError):
                continue
            found.setdefault(version, file)
    return found


@pytest.mark.parametrize("variant", ["classic", "salvo", "tactical"])
@pytest.mark.parametrize("hash_seed", ["1", "12345"])
def test_the_hash_seed_of_python_changes_nothing(variant: str, hash_seed: str):
    assert play(variant, "7", hash_seed=hash_seed) == play(variant, "7", hash_seed="0")


def test_every_python_that_is_here_writes_the_same():
    logs = {version: play("tactical", "7", python, "random") for version, python in interpreters().items()}

    assert len(logs) >= 1
    assert {version: log == play("tactical", "7") for version, log in logs.items()} == dict.fromkeys(logs, True)


@pytest.mark.parametrize("variant", ["classic", "tactical"])
def test_another_seed_writes_another_log(variant: str):
    assert len({play(variant, seed) for seed in ("7", "8", '"7"')}) == 3


def test_without_a_seed_each_match_has_its_own():
    logs = [play("classic", "null", hash_seed=hash_seed) for hash_seed in ("0", "1")]

    assert logs[0] != logs[1]
    assert logs[0].splitlines()[1] != logs[1].splitlines()[1]


def test_the_log_of_a_process_is_a_log():
    text = play("classic", "7").decode("utf-8")
    log = text[: text.index("\n\n") + 1]

    match = irontide.Match.loads(log)

    assert match.outcome is not None
    assert match.dumps() == log
