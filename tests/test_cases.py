"""Small inputs that once went wrong in some public Battleship game (`tests/cases/README.md`)."""

import json
from pathlib import Path
from typing import Any

import pytest

from irontide import Command, Fire, Match, PlaceFleet, Refused, Resign, UseAbility

CASES = sorted(Path(__file__).with_name("cases").glob("*.json"))

Step = dict[str, Any]


def command_of(step: Step) -> Command:
    seat = step["seat"]
    if "fire" in step:
        return Fire(seat, step["fire"])
    if "use" in step:
        return UseAbility(seat, step["use"], step.get("target"))
    if "place" in step:
        return PlaceFleet(seat, step["place"])
    assert step["resign"]
    return Resign(seat)


def refused(match: Match, command: Command) -> str | None:
    """Return the first code of the refusal, having seen that nothing happened; None if the command was accepted."""
    before = match.dumps()
    try:
        match.submit(command)
    except Refused as error:
        assert match.dumps() == before
        return error.refusals[0].code
    return None


def fits(wanted: Step, told: Step) -> bool:
    return all(told.get(key, ...) == value for key, value in wanted.items())


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_case(path: Path):
    case = json.loads(path.read_text(encoding="utf-8"))
    match = Match.new(case["variant"], seats=tuple(case["fleets"]), seed=1, first=case["first"])
    for seat, ships in case["fleets"].items():
        match.submit(PlaceFleet(seat, ships))
    for step in case["steps"]:
        heard = {seat: len(match.told(seat)) for seat in match.seats}
        code = refused(match, command_of(step))

        acceptable = [step.get("refused")] if not isinstance(step.get("refused"), list) else step["refused"]
        assert code in acceptable, step
        for seat, wanted in step.get("told", {}).items():
            stream = iter(match.told(seat, since=heard[seat]))
            for each in wanted:
                assert any(fits(each, told) for told in stream), f"{seat} was not told, in this order: {each}"
        for seat, unwanted in step.get("not_told", {}).items():
            for told in match.told(seat, since=heard[seat]):
                assert not any(fits(each, told) for each in unwanted), f"{seat} was told: {told}"
        for seat, points in step.get("points", {}).items():
            assert match.view(seat).points == points
        if "to_move" in step:
            assert match.seat_to_move == step["to_move"]
        if "outcome" in step:
            assert match.outcome is not None
            assert match.outcome.winner == step["outcome"]["winner"]
            assert match.outcome.reason == step["outcome"]["reason"]


def test_the_cases_are_there():
    assert len(CASES) >= 19
