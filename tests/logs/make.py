"""Wrote the logs of this folder (README.md). Do not run it again once a release has written logs of this format."""

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from irontide import Command, Fire, Match, PlaceFleet, UseAbility

HERE = Path(__file__).parent

COLUMNS = {"carrier": "A1-A5", "battleship": "C1-C4", "cruiser": "E1-E3", "submarine": "G1-G3", "destroyer": "I1-I2"}
ROWS = {"carrier": "A1-E1", "battleship": "A3-D3", "cruiser": "A5-C5", "submarine": "A7-C7", "destroyer": "A9-B9"}
COMMANDS: list[Command] = [
    PlaceFleet("ada", COLUMNS),
    PlaceFleet("bo", ROWS),
    UseAbility("ada", "sonar", "B2"),
    Fire("ada", "A1"),
    UseAbility("bo", "flak"),
    Fire("bo", "I1"),
    Fire("ada", "B1"),
    Fire("bo", "J10"),
    UseAbility("ada", "sonar", "C1"),
    Fire("ada", "C1"),
    UseAbility("bo", "flak"),
    Fire("bo", "I2"),
    Fire("ada", "D1"),
    Fire("bo", "J9"),
    Fire("ada", "A5"),
    Fire("bo", "J8"),
    Fire("ada", "B5"),
    Fire("bo", "J7"),
    Fire("ada", "C5"),
    UseAbility("bo", "torpedo", {"from": "J4", "direction": "left"}),
    Fire("bo", "I10"),
    UseAbility("ada", "recon", "B3"),
    Fire("ada", "E1"),
    UseAbility("bo", "sonar", "A1"),
    Fire("bo", "I9"),
    Fire("ada", "A3"),
    Fire("bo", "I8"),
    Fire("ada", "A7"),
    Fire("bo", "I7"),
    UseAbility("ada", "broadside", {"at": "C3", "axis": "across"}),
    Fire("ada", "B7"),
    Fire("bo", "I6"),
    Fire("ada", "C7"),
    Fire("bo", "H10"),
    UseAbility("ada", "torpedo", {"from": "A10", "direction": "up"}),
    Fire("ada", "B9"),
]


def older(event: dict[str, Any]) -> dict[str, Any]:
    """Return a shot in the form of the invented earlier version, any other event as it is."""
    if event["type"] != "shot_fired":
        return event
    names = {"by": "seat", "at": "cell", "told": "result"}
    results = {"told": {"water": "miss"}}
    return {names.get(key, key): results.get(key, {}).get(value, value) for key, value in event.items()}


def with_older_shots(text: str) -> Iterator[str]:
    """Yield the lines of a log with its shots in the earlier form, their hashes chained anew."""
    before = ""
    for line in text.splitlines():
        data = json.loads(line)
        del data["hash"]
        data["events"] = [older(event) for event in data["events"]]
        body = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
        before = hashlib.sha256(f"{before}{body}".encode()).hexdigest()[:32]
        yield f'{body[:-1]},"hash":"{before}"}}\n'


def make() -> None:
    """Play the match and write both files."""
    match = Match.new("tactical", seats=("ada", "bo"), seed=7, strict=True)
    for command in COMMANDS:
        match.submit(command)
    assert match.outcome is not None
    (HERE / "v1-tactical.jsonl").write_text(match.dumps(), encoding="utf-8", newline="\n")
    (HERE / "older-shots.jsonl").write_text("".join(with_older_shots(match.dumps())), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    make()
