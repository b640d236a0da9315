"""Golden matches: one for each way in which a match can end in each variant, as text with what everybody was told.

`python tests/golden/regenerate.py [FOLDER]` writes them all again, here or in that folder. Read the differences before
you keep them: each is a change of the rules, of what a seat learns, or of the storage format.
"""

import json
import sys
from collections.abc import Iterator, Sequence
from itertools import chain, zip_longest
from pathlib import Path
from typing import Any, NamedTuple

import irontide
from irontide import (
    Command,
    Context,
    Effect,
    Fire,
    Match,
    PlaceFleet,
    Refused,
    Registry,
    Resign,
    Rule,
    Shot,
    TimeOut,
    UseAbility,
    Variant,
    replaces,
    rule,
)
from irontide.codec import event_to_log

HERE = Path(__file__).parent


@rule("golden.ricochet")
class Ricochet(Rule):
    """Each shot falls on the shooter's own grid too."""

    @replaces(Shot)
    def bounce(self, ctx: Context, effect: Shot) -> list[Effect]:
        return [effect, Shot(effect.cell, by=ctx.opponent(effect.by).name)]


class Plugin:
    """Not built in: ends that no built-in variant has need a rule from outside."""

    @irontide.hookimpl
    def irontide_register(self, registry: Any) -> None:
        registry.rule(Ricochet)


REGISTRY = Registry.default()
REGISTRY.register(Plugin(), "golden")

COLUMNS = {"carrier": "A1-A5", "battleship": "C1-C4", "cruiser": "E1-E3", "submarine": "G1-G3", "destroyer": "I1-I2"}
ROWS = {"carrier": "A1-E1", "battleship": "A3-D3", "cruiser": "A5-C5", "submarine": "A7-C7", "destroyer": "A9-B9"}

CELLS = {
    "carrier": ["A1", "B1", "C1", "D1", "E1"],
    "battleship": ["A3", "B3", "C3", "D3"],
    "cruiser": ["A5", "B5", "C5"],
    "submarine": ["A7", "B7", "C7"],
    "destroyer": ["A9", "B9"],
}
"""The cells of ROWS, ship by ship."""

WATER = [f"{column}{row}" for row in range(10, 5, -1) for column in "JIHGFED"]
"""Cells on which neither fleet lies."""

PLACED = [PlaceFleet("ada", COLUMNS), PlaceFleet("bo", ROWS)]
ALIKE = [PlaceFleet("ada", ROWS), PlaceFleet("bo", ROWS)]


class Golden(NamedTuple):
    """One match: the file's name, why it is here, and what is played."""

    name: str
    why: str
    variant: "Variant | str"
    commands: Sequence[Command]
    first: str = "ada"


def fleet_cells(*but: str) -> list[str]:
    """Return the cells of ROWS, without those of some ships."""
    return [cell for ship, cells in CELLS.items() if ship not in but for cell in cells]


def duel(one: str, shots: Sequence[str], other: str, answers: Sequence[str]) -> list[Command]:
    """Return the shots of two seats in turn, `one` first."""
    pairs = zip_longest([Fire(one, cell) for cell in shots], [Fire(other, cell) for cell in answers])
    return [command for command in chain.from_iterable(pairs) if command is not None]


def passes(*seats: str) -> list[Command]:
    """Return turns without a shot, which these variants allow and end after four in a row."""
    return [Fire(seat, []) for seat in seats]


def idle(base: str) -> Variant:
    """Return the variant with leave to pass, given up as a draw after four turns without a shot."""
    return REGISTRY.variant(base).but(id=f"golden.idle-{base}", drops=["core.must_shoot"], limits={"quiet_turns": 4})


def bouncing(base: str) -> Variant:
    """Return the variant in which each shot falls on both grids."""
    return REGISTRY.variant(base).but(id=f"golden.bouncing-{base}", rules=["golden.ricochet"])


CLASSIC = [
    Golden(
        "classic-all-sunk-by-the-first",
        "the seat that moves first sinks the last ship; some commands on the way are refused",
        "classic",
        [
            PlaceFleet("ada", {**COLUMNS, "destroyer": "I1-I3"}),
            Fire("ada", "A1"),
            PlaceFleet("ada", ROWS),
            PlaceFleet("ada", COLUMNS),
            PlaceFleet("bo", {**ROWS, "carrier": "E1-A1"}),
            PlaceFleet("bo", ROWS),
            Fire("bo", "A1"),
            Fire("ada", "K1"),
            *duel("ada", fleet_cells()[:9], "bo", WATER[:9]),
            Fire("ada", "A1"),
            Fire("ada", "A10"),
            *duel("bo", ["A1", "A2", "A3", "A4", "A5", "I1", "I2", "C1"], "ada", fleet_cells()[9:]),
            Fire("bo", "J1"),
        ],
    ),
    Golden(
        "classic-all-sunk-by-the-second",
        "the seat that moves second sinks the last ship",
        "classic",
        [*PLACED, *duel("bo", WATER[:17], "ada", fleet_cells())],
        first="bo",
    ),
    Golden("classic-resigned-before-placing", "a seat gives up before any fleet stands", "classic", [Resign("bo")]),
    Golden(
        "classic-resigned-with-one-fleet",
        "a seat gives up when only its own fleet stands: there is one fleet to reveal",
        "classic",
        [PlaceFleet("ada", COLUMNS), Resign("ada"), PlaceFleet("bo", ROWS)],
    ),
    Golden(
        "classic-resigned-on-its-turn",
        "the seat to move gives up; nothing is accepted after it",
        "classic",
        [*PLACED, Fire("ada", "A1"), Resign("bo"), Fire("ada", "B1"), Resign("ada")],
    ),
    Golden(
        "classic-resigned-out-of-turn",
        "the seat that is not to move gives up",
        "classic",
        [*PLACED, Fire("ada", "A1"), Resign("ada")],
    ),
    Golden(
        "classic-no-progress",
        "with leave to pass (a variant that drops core.must_shoot), four turns without a shot are a draw",
        idle("classic"),
        [*PLACED, *passes("ada", "bo"), Fire("ada", "A1"), *passes("bo", "ada", "bo", "ada", "bo")],
    ),
    Golden(
        "classic-both-sunk",
        "with a plugin's rule that lets each shot fall on both grids, both last ships sink in one batch: a draw",
        bouncing("classic"),
        [*ALIKE, *duel("ada", fleet_cells()[::2], "bo", fleet_cells()[1::2])],
    ),
]

SALVO = [
    Golden(
        "salvo-all-sunk-in-mid-salvo",
        "the last ship sinks on the first shot of the last volley: its rest is resolved and told, then the match ends",
        "salvo",
        [
            *PLACED,
            Fire("ada", ["A1", "B1", "C1", "D1"]),
            Fire("ada", ["A1", "B1", "C1", "D1", "D1"]),
            Fire("ada", ["A1", "B1", "C1", "D1", "E1"]),
            Fire("bo", WATER[:4]),
            Fire("ada", ["A3", "B3", "C3", "D3", "A5"]),
            Fire("bo", ["I1", "I2", "J1"]),
            Fire("ada", ["B5", "C5", "A7", "B7"]),
            Fire("bo", ["J2", "J3"]),
            Fire("ada", ["C7", "A9", "J10", "J9"]),
            Fire("bo", ["J4"]),
            Fire("ada", ["B9", "J8", "J7", "C9"]),
        ],
    ),
    Golden(
        "salvo-all-sunk-by-the-second",
        "two ships sink in one volley, told in fleet order, and with them the match is over",
        "salvo",
        [
            *PLACED,
            Fire("ada", WATER[:5]),
            Fire("bo", ["A1", "A2", "A3", "A4", "A5"]),
            Fire("ada", WATER[5:9]),
            Fire("bo", ["C1", "C2", "C3", "C4", "E1"]),
            Fire("ada", WATER[9:12]),
            Fire("bo", ["E2", "E3", "G1", "G2", "I1"]),
            Fire("ada", WATER[12:14]),
            Fire("bo", ["I2", "G3", "J1", "J2", "J3"]),
        ],
    ),
    Golden("salvo-resigned-before-placing", "a seat gives up before any fleet stands", "salvo", [Resign("ada")]),
    Golden(
        "salvo-resigned-on-its-turn",
        "the seat to move gives up",
        "salvo",
        [*PLACED, Fire("ada", WATER[:5]), Resign("bo")],
    ),
    Golden("salvo-resigned-out-of-turn", "the seat that is not to move gives up", "salvo", [*PLACED, Resign("bo")]),
    Golden(
        "salvo-no-progress",
        "with leave to pass, four turns without a shot are a draw",
        idle("salvo"),
        [*PLACED, Fire("ada", WATER[:5]), *passes("bo", "ada", "bo", "ada")],
    ),
    Golden(
        "salvo-both-sunk",
        "with each shot falling on both grids, both last ships sink in one volley",
        bouncing("salvo"),
        [
            *ALIKE,
            Fire("ada", fleet_cells()[:5]),
            Fire("bo", fleet_cells()[5:9]),
            Fire("ada", fleet_cells()[9:12]),
            Fire("bo", fleet_cells()[12:14]),
            Fire("ada", ["C7", "A9"]),
            Fire("bo", ["B9"]),
        ],
    ),
]

TACTICAL = [
    Golden(
        "tactical-all-sunk-by-a-shot",
        "every ability is used; flak cancels one and dies armed with its cruiser; a shot sinks the last ship",
        "tactical",
        [
            *PLACED,
            UseAbility("ada", "recon", "B2"),
            UseAbility("ada", "sonar", "B2"),
            UseAbility("ada", "sonar", "B2"),
            Fire("ada", "A1"),
            UseAbility("bo", "flak"),
            Fire("bo", "I1"),
            Fire("ada", "B1"),
            Fire("bo", "J10"),
            UseAbility("ada", "sonar", "C1"),
            Fire("ada", "C1"),
            UseAbility("bo", "flak"),
            UseAbility("bo", "flak"),
            Fire("bo", "J9"),
            Fire("ada", "D1"),
            Fire("bo", "I2"),
            UseAbility("ada", "sonar", "B2"),
            Fire("ada", "E1"),
            UseAbility("bo", "flak"),
            Fire("bo", "J8"),
            Fire("ada", "A5"),
            Fire("bo", "J7"),
            Fire("ada", "B5"),
            Fire("bo", "J6"),
            Fire("ada", "C5"),
            UseAbility("bo", "torpedo", {"from": "J4", "direction": "left"}),
            Fire("bo", "I10"),
            UseAbility("ada", "recon", "B3"),
            UseAbility("ada", "recon", "B3"),
            Fire("ada", "A3"),
            UseAbility("bo", "sonar", "A1"),
            Fire("bo", "I9"),
            UseAbility("ada", "broadside", {"at": "C3", "axis": "across"}),
            Fire("ada", "J1"),
            Fire("bo", "I8"),
            UseAbility("ada", "torpedo", {"from": "A7", "direction": "left"}),
            Fire("ada", "B9"),
            Fire("bo", "I7"),
            UseAbility("ada", "torpedo", {"from": "A10", "direction": "up"}),
            *duel("ada", ["A7", "B7", "C7"], "bo", ["I6", "H10"]),
        ],
    ),
    Golden(
        "tactical-all-sunk-by-an-ability",
        "a broadside sinks the last ship: the match ends at once, no shot follows and no points",
        "tactical",
        [
            *PLACED,
            *duel("ada", fleet_cells("cruiser"), "bo", WATER[: len(fleet_cells("cruiser"))]),
            UseAbility("ada", "broadside", {"at": "B5", "axis": "across"}),
            Fire("ada", "J1"),
        ],
    ),
    Golden(
        "tactical-all-sunk-by-a-torpedo",
        "a torpedo of the seat that moves second ends the match on the way",
        "tactical",
        [
            *PLACED,
            *duel(
                "ada",
                WATER[:16],
                "bo",
                ["A1", "A2", "A3", "A4", "A5", "C1", "C2", "C3", "C4", "E1", "E2", "E3", "G1", "G2", "I1"],
            ),
            UseAbility("bo", "torpedo", {"from": "J3", "direction": "left"}),
            Fire("bo", "J2"),
            Fire("ada", WATER[16]),
            UseAbility("bo", "torpedo", {"from": "I1", "direction": "down"}),
        ],
    ),
    Golden("tactical-resigned-before-placing", "a seat gives up before any fleet stands", "tactical", [Resign("ada")]),
    Golden(
        "tactical-resigned-on-its-turn",
        "the seat to move gives up after an ability, before its shot",
        "tactical",
        [*PLACED, UseAbility("ada", "sonar", "J10"), Resign("ada")],
    ),
    Golden(
        "tactical-resigned-out-of-turn",
        "the seat that is not to move gives up while flak is armed",
        "tactical",
        [*PLACED, UseAbility("ada", "flak"), Fire("ada", "J10"), Resign("ada")],
    ),
    Golden(
        "tactical-no-progress",
        "with leave to pass, four turns without a shot are a draw; an ability that does not shoot changes nothing",
        idle("tactical"),
        [*PLACED, Fire("ada", "J10"), *passes("bo", "ada"), UseAbility("bo", "sonar", "A1"), *passes("bo", "ada")],
    ),
    Golden(
        "tactical-both-sunk",
        "with each shot falling on both grids, an ability sinks both last ships",
        bouncing("tactical"),
        [
            *ALIKE,
            *duel("ada", fleet_cells("battleship")[::2], "bo", [*fleet_cells("battleship")[1::2], "A3"]),
            UseAbility("ada", "broadside", {"at": "C3", "axis": "across"}),
        ],
    ),
]


def ruled(name: str, *rules: "str | dict[str, Any]") -> Variant:
    """Return Classic with these house rules."""
    return REGISTRY.variant("classic").but(id=f"golden.{name}", rules=rules)


HOUSE = [
    Golden(
        "house-extra-shots-and-wrecks",
        "hits shoot again and sunk ships are shown, the water around them too; a salvo's extra shots come together",
        ruled("wrecks", "salvo", "no_touching", "extra_shot_on_hit", "wrecks_are_shown", "mark_around_wreck"),
        [
            *PLACED,
            Fire("ada", ["A9", "B9", "A1", "J10", "J9"]),
            Fire("ada", ["B1", "C1"]),
            Fire("ada", ["B1", "C1", "J8"]),
            Fire("ada", ["D1", "E1"]),
            Fire("ada", ["I10", "I9"]),
            Resign("bo"),
        ],
    ),
    Golden(
        "house-counted",
        "of a salvo only the number of hits is told, and it pays; a sinking is told all the same",
        ruled("counted", "salvo", {"use": "report", "level": "count"}, "points.on_hit"),
        [*PLACED, Fire("ada", ["A1", "A9", "B9", "J1", "J2"]), Fire("bo", ["A1", "B1", "C1", "D1"]), Resign("ada")],
    ),
    Golden(
        "house-by-ship-one-by-one",
        "one cell is named at a time, and the ship that was hit is told, not by the shot but in a report",
        ruled("by-ship", {"use": "salvo", "per": 2}, {"use": "report", "level": "ship", "when": "after_each"}),
        [*PLACED, Fire("ada", ["A1", "B1"]), Fire("ada", "A1"), Fire("ada", "J1"), Fire("bo", "A1"), Resign("bo")],
    ),
    Golden(
        "house-silent",
        "a ship sinks and nobody but its owner is told, nor of the ability that is lost",
        REGISTRY.variant("classic").but(
            id="golden.silent", rules=["silent_sinking", "points.start"], abilities={"destroyer": "sonar"}
        ),
        [*PLACED, *duel("ada", ["A9", "B9"], "bo", WATER[:1]), UseAbility("bo", "sonar", "B2"), Resign("bo")],
    ),
    Golden(
        "house-out-of-time",
        "islands are no cells; a time-out loses the turn, unused shots pay only who passes",
        ruled(
            "time",
            "salvo",
            {"use": "islands", "cells": ["J1", "J2"]},
            {"use": "time_out", "action": "pass"},
            "points.unused_shot",
            {"use": "turn_limit", "n": 2, "then": "most_hits"},
        ),
        [
            *PLACED,
            Fire("ada", ["J1", "A1", "B1", "C1", "D1"]),
            TimeOut("ada"),
            Fire("bo", []),
            Fire("ada", ["A1", "B1", "J5", "J6", "J7"]),
            Fire("bo", ["A1", "B2", "J5", "J6", "J7"]),
        ],
    ),
]

MATCHES = (*CLASSIC, *HOUSE, *SALVO, *TACTICAL)


def shown(data: dict[str, Any]) -> str:
    """Return an event as one line: its type, then its fields."""
    fields = {key: value for key, value in data.items() if key not in {"n", "type"}}
    values = {
        key: value if isinstance(value, str) and value else json.dumps(value, ensure_ascii=False)
        for key, value in fields.items()
    }
    return " ".join([data["type"], *(f"{key}={value}" for key, value in values.items())])


def told(match: Match, seat: str | None, since: int) -> Iterator[str]:
    """Yield what a seat, or (None) a spectator, was told since then, with the sentence that a player reads."""
    for data in match.told(seat, since=since):
        yield f"    {data['n']} {shown(data)} | {irontide.text(data)}"


def step(match: Match, command: Command) -> Iterator[str]:
    """Yield what happens on one command, and what everybody is told of it."""
    heard = {seat: len(match.told(seat)) for seat in (*match.seats, None)}
    yield f"> {json.dumps(irontide.to_json(command), ensure_ascii=False)}"
    try:
        commit = match.submit(command)
    except Refused as refused:
        for refusal in refused.refusals:
            yield f"  refused: {refusal.code} {json.dumps(irontide.to_json(refusal)['args'], ensure_ascii=False)}"
            yield f"    {refusal.text('en')}"
            yield f"    {refusal.text('de')}"
        return
    yield f"  commit {commit.number}"
    for place, event in enumerate(commit.events):
        yield f"    [{place}] {shown(event_to_log(event))}"
    for seat, since in heard.items():
        yield f"  told {seat or 'a spectator'}"
        yield from told(match, seat, since)
    points = ", ".join(f"{seat} {held}" for seat, held in match.view(None).points.items())
    yield f"  to move: {match.seat_to_move}; points: {points}"


def render(golden: Golden) -> str:
    """Return the text of a golden match."""
    match = Match.new(golden.variant, seats=("ada", "bo"), seed=1, first=golden.first, registry=REGISTRY, strict=True)
    lines = [f"{golden.name}: {golden.why}", f"variant {match.variant.id}, {golden.first} moves first"]
    for command in golden.commands:
        lines += ["", *step(match, command)]
    end = match.outcome
    lines += ["", "no end" if end is None else f"end: {end.reason}, winner {end.winner}"]
    return "".join(f"{line}\n" for line in lines)


def regenerate(folder: Path = HERE) -> None:
    """Write all golden matches."""
    for golden in MATCHES:
        (folder / f"{golden.name}.txt").write_text(render(golden), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    regenerate(*map(Path, sys.argv[1:]))
