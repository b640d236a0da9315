"""What the tests of abilities share: scenarios that look at the promises too, and secrets that nothing betrays."""

import re

import pytest

import irontide
from irontide import Match, VerdictKind, fold_view, verify

FLEET = {"carrier": "F10-J10", "battleship": "B10-E10", "cruiser": "A8-A10", "submarine": "H9-J9", "destroyer": "F9-G9"}
"""Where a scenario puts the ships that a test does not name: rows 1 to 7 are free."""


@pytest.fixture
def scenario(scenario):
    """Scenarios; of each one, all that was told is looked at when the test has passed."""
    made = []

    def make(*args, **kwargs):
        made.append(scenario(*args, **kwargs))
        return made[-1]

    yield make
    for each in made:
        keeps_promises(each)


def keeps_promises(played):
    match, registry = played.match, played.registry
    log = match.dumps()
    assert Match.loads(log, registry=registry).state == match.state
    assert verify(log, registry=registry).kind is VerdictKind.EXACT
    for seat in (*match.seats, None):
        told = match.told(seat)
        assert fold_view(match.variant, seat, told, registry=registry) == match.view(seat)
        for event in told:
            for lang in ("en", "de"):
                sentence = irontide.text(event, lang, match.variant)
                assert not re.search(r"[{}\[\]_]|None|event\.", sentence), sentence


@pytest.fixture
def secretly():
    """Let the seat to move use an ability; see that the other seat and a spectator are told of the price alone."""

    def use(played, line):
        match = played.match
        user = match.seat_to_move
        heard = {seat: len(match.told(seat)) for seat in (*match.seats, None)}
        played.when(line)
        for seat in {*heard} - {user}:
            told = match.told(seat, since=heard[seat])
            paid = [event for event in told if event["type"] != "ability_used"]
            [used] = [event for event in told if event["type"] == "ability_used"]
            assert [event["type"] for event in paid] in ([], ["points_spent"])
            assert {*used} <= {"n", "type", "seat", "ability", "target", "target_to"}
            assert used.get("target") is None
            assert used.get("target_to") is None
        return played

    return use
