"""Logs at their edges: written otherwise, of plugins that changed, of facts that no built-in rule hides or shows."""

import hashlib
import json
from pathlib import Path

import attrs
import pytest

import irontide
from irontide import (
    Ability,
    Context,
    Fire,
    GainPoints,
    Match,
    Note,
    PlaceFleet,
    PluginMissing,
    Registry,
    ShipSunk,
    UseAbility,
    VerdictKind,
    ability,
    hookimpl,
    verify,
)
from irontide.randomness import Random

SEATS = ("ada", "bo")
ADA = {"carrier": "A1-A5", "battleship": "C1-C4", "cruiser": "E1-E3", "submarine": "G1-G3", "destroyer": "I1-I2"}


def begun(variant: object = "tactical", **options: object) -> Match:
    match = Match.new(variant, seats=SEATS, seed=7, **options)
    for seat in SEATS:
        match.submit(PlaceFleet(seat, ADA))
    return match


def a_sinking() -> Match:
    """Return a match in which bo's destroyer has just sunk."""
    match = begun()
    for cell in ("I1", "J1", "I2"):
        match.submit(Fire(match.seat_to_move, cell))
    return match


def signed(lines: list[dict[str, object]]) -> str:
    """Return a log of these lines with the hashes that they should have."""
    text, before = "", ""
    for line in lines:
        body = json.dumps({key: value for key, value in line.items() if key != "hash"}, separators=(",", ":"))
        before = hashlib.sha256(f"{before}{body}".encode()).hexdigest()[:32]
        text += f'{body[:-1]},"hash":"{before}"}}\n'
    return text


def data(match: Match) -> list[dict[str, object]]:
    return [json.loads(line) for line in match.lines()]


# Lines.


def test_a_log_whose_keys_stand_in_another_order_is_the_same_match():
    match = a_sinking()
    lines = [dict(reversed(line.items())) for line in data(match)]

    again = Match.loads(signed(lines))

    assert again.state == match.state
    assert again.commits == match.commits
    assert Match.loads(signed(lines)).state == match.state


def test_a_file_that_cannot_be_written_leaves_what_was_there_and_nothing_beside_it(tmp_path: Path):
    folder = tmp_path / "match.jsonl"
    folder.mkdir()

    with pytest.raises(OSError, match=r"match\.jsonl"):
        begun().save(folder)

    assert list(tmp_path.iterdir()) == [folder]
    assert list(folder.iterdir()) == []


# Plugins that have changed.


@ability("test.flare")
class Flare(Ability):
    """Tell both that it was lit."""

    def use(self, ctx, nothing):
        yield Note("test.lit")


@ability("test.torch")
class Torch(Ability):
    """What a later release has instead."""

    def use(self, ctx, nothing):
        yield Note("test.lit")


class Plugin:
    """Registers one ability under the same name and version, whichever it is."""

    __version__ = "1"

    def __init__(self, class_: type[Ability]) -> None:
        self.class_ = class_

    @hookimpl
    def irontide_register(self, registry):
        registry.ability(self.class_)


def with_plugin(class_: type[Ability]) -> Registry:
    registry = Registry.default()
    registry.register(Plugin(class_), "test")
    return registry


def test_a_log_whose_ability_its_plugin_no_longer_has_can_be_looked_at_but_not_played_on():
    registry = with_plugin(Flare)
    match = begun(
        registry.variant("classic").but(id="test.lit", abilities={"cruiser": "test.flare"}), registry=registry
    )
    match.submit(UseAbility("ada", "test.flare"))
    later = with_plugin(Torch)

    again = Match.loads(match.dumps(), registry=later)

    assert again.state == match.state
    assert again.view("bo") == match.view("bo")
    with pytest.raises(PluginMissing, match="test 1"):
        again.submit(Fire("ada", "A1"))
    verdict = verify(match.dumps(), registry=later)
    assert verdict.kind is VerdictKind.UNVERIFIED
    assert "test 1" in verdict.why
    assert verify(match.dumps(), registry=registry).kind is VerdictKind.EXACT


# Facts that the format can hide or show, though no built-in rule does.


def hidden(match: Match, to: list[str]) -> Match:
    """Return the match of this log with its sinkings told to these seats only."""
    lines = data(match)
    for line in lines:
        for event in line["events"]:
            if event["type"] == "ship_sunk":
                event["to"] = to
    return Match.loads(signed(lines))


@pytest.mark.parametrize("to", [[], ["bo"]])
def test_a_sinking_is_told_to_those_to_whom_its_event_says(to: list[str]):
    match = hidden(a_sinking(), to)

    assert match.state.sunk == [(), ("destroyer",)]
    assert match.state.told_sunk == [(), ()]
    for seat in (*SEATS, None):
        told = [event["type"] for event in match.told(seat)]
        assert ("ship_sunk" in told) == (seat in to)
    assert match.view("ada").target.sunk_classes == ()
    assert match.view("bo").own.ships["destroyer"].afloat == ("bo" not in to)


def test_points_for_sinking_count_what_was_told_to_the_seat_that_gains_them():
    """RULES: what follows from a hidden fact is hidden with it."""
    rule = Registry.default().rule("points.for_sinking")()
    match = a_sinking()
    ctx = Context(match.state, match.grid, -1, rule.id, (), Random(7, rule.id, 1), 0)
    [sunk] = [event for event in match.commits[-1].events if isinstance(event, ShipSunk)]

    for to, gained in ((None, 1), (("ada",), 1), (("bo",), 0), ((), 0)):
        effects = list(rule.reward(ctx, attrs.evolve(sunk, to=to)))
        assert effects == [GainPoints("ada", 1)] * gained


def test_what_a_match_was_created_with_is_read_back():
    match = a_sinking()
    again = Match.loads(match.dumps())

    assert (again.header, again.seed, again.seats, again.variant.id) == (match.header, 7, SEATS, "tactical")
    assert irontide.verify(match.dumps()) == irontide.Verdict(VerdictKind.EXACT)
