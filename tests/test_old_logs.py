"""Logs of earlier versions, kept as files (`tests/logs/README.md`): each opens, and is what it was."""

import json
from pathlib import Path
from typing import Any

import pytest

import irontide
import irontide_abilities
from irontide import CodecError, LogError, Match, Outcome, Registry, VerdictKind
from irontide.events import EVENTS
from irontide.log import Log, Upcasters

LOGS = Path(__file__).with_name("logs")
TACTICAL = LOGS / "v1-tactical.jsonl"
OLDER_SHOTS = LOGS / "older-shots.jsonl"

VERSIONS = {event.type: event.version for event in EVENTS}
NEXT_SHOT = {**VERSIONS, "shot_fired": VERSIONS["shot_fired"] + 1}
"""The versions of a code whose shots have the form of today, and in which the older shots are one version behind."""


def lift_shot(data: dict[str, Any]) -> dict[str, Any]:
    """Return a shot of the older form (`seat`, `cell`, `result`) in today's."""
    seat, cell, result = data.pop("seat"), data.pop("cell"), data.pop("result")
    return {**data, "by": seat, "at": cell, "told": {"miss": "water"}.get(result, result)}


LIFT = Upcasters({("shot_fired", VERSIONS["shot_fired"]): lift_shot}, NEXT_SHOT)


def registry_of(path: Path) -> Registry:
    """Return a registry whose built-in plugin says that it is of the version that wrote the log."""
    plugins = json.loads(path.read_text(encoding="utf-8").splitlines()[0])["plugins"]
    registry = Registry()
    registry.register(irontide_abilities, "irontide_abilities", plugins["irontide_abilities"])
    return registry


def test_an_old_log_opens():
    match = Match.load(TACTICAL)

    assert match.variant.id == "tactical"
    assert match.seats == ("ada", "bo")
    assert match.number == 36
    assert match.outcome == Outcome("ada", "all_sunk")
    assert match.view("bo").points == 5
    assert match.told("ada")[-1]["type"] == "fleet_revealed"


def test_an_old_log_is_written_as_it_was_read():
    text = TACTICAL.read_bytes().decode("utf-8")

    assert Match.loads(text).dumps() == text


def test_an_old_log_is_verified():
    text = TACTICAL.read_text(encoding="utf-8")

    assert irontide.verify(text, registry=registry_of(TACTICAL)).kind is VerdictKind.EXACT


def test_an_old_match_played_again_writes_the_same_lines():
    old = Match.load(TACTICAL)
    again = Match.new("tactical", seats=old.seats, seed=old.seed)
    for commit in old.commits:
        again.submit(commit.command)

    assert again.commits == old.commits
    assert again.state == old.state


def test_a_real_upcaster_lifts_the_events_of_a_kept_log():
    log = Log(OLDER_SHOTS.read_text(encoding="utf-8"), LIFT)

    assert [commit.events for commit in log.commits] == [commit.events for commit in Match.load(TACTICAL).commits]


def test_a_lifted_match_is_the_match_that_it_was(monkeypatch: pytest.MonkeyPatch):
    text = OLDER_SHOTS.read_text(encoding="utf-8")
    now = Match.load(TACTICAL)
    monkeypatch.setattr(irontide.log, "UPCASTERS", LIFT)

    match = Match.loads(text)

    assert match.state == now.state
    assert match.told("bo") == now.told("bo")
    assert match.dumps() == text
    assert irontide.verify(text, registry=registry_of(OLDER_SHOTS)).kind is VerdictKind.EXACT
    assert match.at(20).dumps() == now.at(20).dumps()


def test_a_kept_log_without_its_upcaster_is_refused():
    with pytest.raises(LogError, match=r"^line 5: .*events\[0\]: unknown key 'cell'") as error:
        Match.load(OLDER_SHOTS)

    assert error.value.line == 5


def test_an_event_that_an_upcaster_can_not_lift_is_refused_with_its_line():
    with pytest.raises(LogError) as error:
        Log(TACTICAL.read_text(encoding="utf-8"), LIFT)

    assert error.value.line == 5


def test_events_are_lifted_step_by_step():
    def named(step: str):
        return lambda data: {**data, "steps": [*data.get("steps", []), step]}

    steps = {("noted", 1): named("1 to 2"), ("noted", 2): named("2 to 3")}
    upcast = Upcasters(steps, {"noted": 3, "marked": 1})

    assert upcast({"type": "noted"}) == {"type": "noted", "steps": ["1 to 2", "2 to 3"]}
    assert upcast({"type": "noted", "v": 2}) == {"type": "noted", "steps": ["2 to 3"]}
    assert upcast({"type": "noted", "v": 3}) == {"type": "noted"}
    assert upcast({"type": "marked"}) == {"type": "marked"}


def test_an_event_of_a_newer_version_is_refused():
    upcast = Upcasters({("noted", 1): dict, ("noted", 2): dict}, {"noted": 3})

    with pytest.raises(CodecError, match="version 4 of 'noted' is newer than this code, which knows version 3"):
        upcast({"type": "noted", "v": 4})


@pytest.mark.parametrize("version", [0, -1, "2", 2.0, True, None])
def test_a_version_that_is_none_is_refused(version: object):
    upcast = Upcasters({("noted", 1): dict, ("noted", 2): dict}, {"noted": 3})

    with pytest.raises(CodecError, match=r"version of 'noted', an integer of 1 or more, not "):
        upcast({"type": "noted", "v": version})


def test_a_missing_step_is_found_when_the_upcasters_are_made():
    with pytest.raises(CodecError, match="no upcaster for noted from version 2 to 3"):
        Upcasters({("noted", 1): dict}, {"noted": 3})


@pytest.mark.parametrize("step", [("noted", 3), ("noted", 4), ("unheard_of", 1)])
def test_a_step_that_leads_beyond_the_code_is_found_when_the_upcasters_are_made(step: tuple[str, int]):
    steps = {("noted", 1): dict, ("noted", 2): dict, step: dict}

    with pytest.raises(CodecError, match="which the code does not go beyond"):
        Upcasters(steps, {"noted": 3})


def test_the_versions_of_the_core_need_no_step_that_is_missing():
    assert Upcasters({})({"type": "shot_fired"}) == {"type": "shot_fired"}
