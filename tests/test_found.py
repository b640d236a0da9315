"""Faults that were found once, each kept as a test of the rule that it broke."""

import hashlib
import json
import os
import subprocess
import sys
from itertools import count

import attrs
import pytest

import irontide
from irontide import (
    Ability,
    AbilityUsed,
    Activate,
    BattleStarted,
    CellError,
    CodecError,
    Fire,
    GainPoints,
    Grid,
    LogError,
    Mark,
    Match,
    PlaceFleet,
    Refusal,
    Refused,
    Registry,
    Rule,
    RuleUse,
    ShipClass,
    Shot,
    Sink,
    TurnEnded,
    TurnStarted,
    Unmark,
    Unmarked,
    UseAbility,
    Variant,
    VariantError,
    VerdictKind,
    ability,
    adjusts,
    fold_view,
    forbids,
    hookimpl,
    load_variant,
    reacts,
    replaces,
    rule,
    verify,
)
from irontide.testing import Bundle

FLEET = {"carrier": "A1-E1", "battleship": "A2-D2", "cruiser": "A3-C3", "submarine": "A4-C4", "destroyer": "A5-B5"}
CLASSIC = Registry.default().variant("classic")
TACTICAL = Registry.default().variant("tactical")


pytestmark = pytest.mark.usefixtures("nothing_hangs")


class Plugin(Bundle):
    """Registers these rules and abilities, and keeps the numbers of the commits that it observes."""

    def __init__(self, *classes):
        super().__init__(classes)
        self.observed = []

    @hookimpl
    def irontide_observe(self, commit):
        self.observed.append(commit.number)


def knowing(*classes):
    """Return a registry that has these too."""
    registry = Registry.default()
    registry.register(Plugin(*classes), "found")
    return registry


def begun(variant="classic", registry=None, first=None, fleet=None):
    """Return a match in which both fleets stand, in the same cells."""
    match = Match.new(variant, seats=("ada", "bo"), seed=1, first=first, registry=registry)
    for seat in match.seats:
        match.submit(PlaceFleet(seat, fleet or FLEET))
    return match


def with_rules(*classes, base=CLASSIC, first=None, **changes):
    """Return a match of the variant with these rules."""
    rules = [class_.id for class_ in classes if not issubclass(class_, Ability)]
    return begun(base.but(id="found", rules=rules, **changes), knowing(*classes), first)


def said(commit, *names):
    """Return type and these fields of every event."""
    return [(event.type, *(getattr(event, name, None) for name in names)) for event in commit.events]


def types(commit):
    return [event.type for event in commit.events]


def assert_whole(match):
    """Assert that the match stands where its commits lead, and that its log says the same."""
    again = Match.loads(match.dumps())
    assert match.number == len(match.commits)
    assert match.state == match.at(match.number).state == again.state
    for seat in (*match.seats, None):
        assert match.view(seat) == again.view(seat)
        assert match.told(seat) == again.told(seat)


# A: logs and whole commits.


FRESH = """
import json, sys
from irontide import *
fleet, target = json.loads(sys.argv[1])
match = Match.new("tactical", seats=("ada", "bo"), seed=1)
for seat in match.seats:
    match.submit(PlaceFleet(seat, fleet))
for command in (Fire("ada", "J1"), Fire("bo", "J1"), UseAbility("ada", "torpedo", target)):
    match.submit(command)
print(match.dumps(), end="")
"""


def torpedoed(target):
    match = begun("tactical")
    for command in (Fire("ada", "J1"), Fire("bo", "J1"), UseAbility("ada", "torpedo", target)):
        match.submit(command)
    return match.dumps()


def test_a_target_is_written_alike_whatever_was_written_before():
    """The order of the keys of the first equal target was written ever after in this process."""
    one, other = {"from": "A5", "direction": "right"}, {"direction": "right", "from": "A5"}
    here = [torpedoed(one), torpedoed(other)]
    path = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    alone = [
        subprocess.run(
            [sys.executable, "-c", FRESH, json.dumps([FLEET, target])], env=path, check=True, capture_output=True
        ).stdout.decode()
        for target in (other, one)
    ]

    assert {*here, *alone} == {here[0]}


def test_ships_are_written_in_the_order_of_the_variant_that_is_played():
    """An equal placement of another variant, with its ships in another order, was written instead."""
    classes = ShipClass("carrier", 3), ShipClass("destroyer", 2)
    fleet = {"carrier": "A1-C1", "destroyer": "A3-B3"}
    for order in (classes, classes[::-1]):
        match = begun(Variant("v", fleet=order, grid=Grid(6, 6)), fleet=fleet)
        match.submit(Fire("ada", "A1"))

        ids = [class_.id for class_ in order]
        placed = json.loads(match.lines()[1])["events"][0]["ships"]
        assert [*placed] == [*match.view("ada").own.ships] == [*Match.loads(match.dumps()).view("ada").own.ships] == ids
        assert_whole(match)
        assert verify(match.dumps()).kind is VerdictKind.EXACT


def test_abilities_are_lost_in_fleet_order_however_a_variant_lists_them():
    """They were lost in the order of the variant that was built first, so an honest log diverged."""

    def variant(classes):
        abilities = {"cruiser": "flak", "destroyer": "sonar"}
        rules = RuleUse("salvo"), RuleUse("points.start", {"amount": 20})
        return Variant("v", fleet=CLASSIC.fleet, rules=rules, abilities={c: RuleUse(abilities[c]) for c in classes})

    one, other = variant(["cruiser", "destroyer"]), variant(["destroyer", "cruiser"])
    registry = Registry.default()
    for rules, where in ((one, registry), (other, registry), (other, Registry.default())):
        match = begun(rules, where)
        commit = match.submit(Fire("ada", ["A3", "B3", "C3", "A5", "B5"]))

        assert [event.ability for event in commit.events if event.type == "ability_disabled"] == ["flak", "sonar"]
        assert verify(match.dumps(), where).kind is VerdictKind.EXACT
        assert verify(match.dumps(), registry).kind is VerdictKind.EXACT
        assert_whole(match)


@pytest.mark.parametrize(
    ("good", "bad"),
    [
        ({"rules": [{"use": "no_touching", "corners": True}]}, {"rules": [{"use": "no_touching", "corners": 1}]}),
        ({"rules": [{"use": "no_touching", "corners": False}]}, {"rules": [{"use": "no_touching", "corners": 0}]}),
        ({"limits": {"quiet_turns": 1}}, {"limits": {"quiet_turns": True}}),
    ],
)
def test_whether_a_variant_is_accepted_does_not_depend_on_what_was_built_before(good, bad):
    """1 == True, so what equals a built variant was never checked."""
    registry = Registry.default()
    registry.book(CLASSIC.but(id="z", **good))

    for where in (registry, Registry.default()):
        with pytest.raises(VariantError):
            where.book(CLASSIC.but(id="z", **bad))


@pytest.mark.parametrize(
    "rules",
    [
        (RuleUse("points.income"), RuleUse("points.income")),
        (RuleUse("no_touching", {"corners": True}), RuleUse("no_touching", {"corners": False})),
    ],
)
def test_a_rule_stands_in_a_variant_once(rules):
    """Listed twice it acted twice, but was read from the log once."""
    with pytest.raises(VariantError) as error:
        Match.new(Variant("d", fleet=CLASSIC.fleet, rules=rules), seats=("ada", "bo"))

    assert [problem.code for problem in error.value.problems] == ["conflict"]


def interrupted(step, act, inside):
    """Do something, interrupted at this step of the engine's code; tell whether it came that far.

    Every call, line and return counts; in files of these names every instruction.
    """
    left, home = step, os.path.dirname(irontide.__file__)  # noqa: PTH120 - compared with a code's file name

    def trace(frame, event, _):
        nonlocal left
        if not frame.f_code.co_filename.startswith(home):
            return None
        frame.f_trace_opcodes = frame.f_code.co_filename.endswith(inside)
        left -= 1
        if left == 0:
            raise KeyboardInterrupt
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        act()
    except KeyboardInterrupt:
        return True
    finally:
        sys.settrace(before)
    return False


def assert_safe_to_interrupt(match, act, after, inside=("match.py",)):
    """Assert that a copy of the match is whole and can go on, wherever `act` was interrupted."""
    for step in count(1):
        copy = match.fork()
        stopped = interrupted(step, lambda copy=copy: act(copy), inside)
        after(copy)
        if not stopped:
            assert step > 50
            return


def fires_on(match):
    """Go on with whoever is to move, and assert that the match is whole before and after."""
    assert match.state == match.at(match.number).state
    assert match.number == len(match.commits)
    seat = match.seat_to_move
    assert match.view(seat).seat_to_move == seat
    match.submit(Fire(seat, "J9"))
    assert_whole(match)


@pytest.mark.parametrize(
    ("variant", "command"),
    [
        ("tactical", Fire("ada", "A1")),
        ("tactical", UseAbility("ada", "sonar", "C3")),
        ("classic", Fire("ada", "A1")),
        ("classic", Fire("ada", "B2")),
    ],
    ids=["shot", "ability", "plain hit", "plain miss"],
)
def test_an_interrupt_at_any_step_leaves_all_of_the_commit_or_nothing(variant, command):
    """Between resolving and writing down, the state was ahead of the log, which was then lost."""
    assert_safe_to_interrupt(begun(variant), lambda match: match.submit(command), fires_on)


@rule("found.breaks")
class Breaks(Rule):
    @reacts(irontide.ShotFired)
    def go(self, ctx, event):
        if event.at == "A1":
            raise ValueError(event.at)


def test_an_interrupt_while_a_broken_rule_is_taken_out_leaves_all_of_the_commit_or_nothing():
    """This was done where no handler of the interrupt stood."""
    assert_safe_to_interrupt(with_rules(Breaks), lambda match: match.submit(Fire("ada", "A1")), fires_on, ())


def test_an_interrupt_at_any_step_of_telling_tells_nothing_twice():
    """Events that had been told were told again, with other numbers."""
    match = begun()
    match.submit(Fire("ada", "A1"))
    expected, seen = match.told("bo"), match.view("bo")

    def after(copy):
        assert copy.told("bo") == expected
        assert copy.view("bo") == seen

    assert_safe_to_interrupt(match, lambda copy: copy.told("bo"), after)


def test_an_interrupt_at_any_step_of_writing_a_log_writes_nothing_twice():
    """The hash may not be ahead of the lines."""
    match = begun()
    match.submit(Fire("ada", "A1"))
    expected = match.dumps()

    def after(copy):
        assert copy.dumps() == expected

    assert_safe_to_interrupt(match, lambda copy: copy.dumps(), after)


SURROGATE = "\ud800"


@pytest.mark.parametrize(
    "variant",
    [
        lambda: Variant("v", fleet=(ShipClass("s", 1, labels={"en": 5}),)),
        lambda: Variant("v", fleet=(ShipClass("s", 1, labels={5: "x"}),)),
        lambda: Variant("v", fleet=(ShipClass("s", 1, labels={"en": SURROGATE}),)),
        lambda: Variant("v", fleet=(ShipClass("s", 1, labels={SURROGATE: "x"}),)),
        lambda: Variant("v", fleet=(ShipClass(SURROGATE, 1),)),
        lambda: Variant("v", fleet=(ShipClass(5, 1),)),
        lambda: Variant("v", fleet=(ShipClass("s", shape=["x"]),)),
        lambda: Variant("v", fleet=(ShipClass("s", shape="x"),)),
        lambda: Variant("v", fleet=[ShipClass("s", 1)]),
        lambda: Variant("v", fleet=(5,)),
        lambda: Variant("v", fleet=5),
        lambda: Variant("v", base=5, fleet=CLASSIC.fleet),
        lambda: Variant("v", base=SURROGATE, fleet=CLASSIC.fleet),
        lambda: Variant(5, fleet=CLASSIC.fleet),
        lambda: Variant(SURROGATE, fleet=CLASSIC.fleet),
        lambda: Variant("v", labels={"en": 5}, fleet=CLASSIC.fleet),
        lambda: Variant("v", labels={SURROGATE: "x"}, fleet=CLASSIC.fleet),
        lambda: Variant("v", grid="x", fleet=CLASSIC.fleet),
        lambda: Variant("v", limits=5, fleet=CLASSIC.fleet),
        lambda: Variant("v", rules=5, fleet=CLASSIC.fleet),
        lambda: Variant("v", rules=("salvo",), fleet=CLASSIC.fleet),
        lambda: Variant("v", rules=[RuleUse("salvo")], fleet=CLASSIC.fleet),
        lambda: Variant("v", abilities={"cruiser": "flak"}, fleet=CLASSIC.fleet),
        lambda: Variant("v", drops=5, fleet=CLASSIC.fleet),
        lambda: Variant("v", drops=(5,), fleet=CLASSIC.fleet),
        lambda: Variant("v", instead_of={5: 5}, fleet=CLASSIC.fleet),
    ],
)
def test_a_variant_of_odd_values_is_refused_or_its_log_can_be_read(variant):
    """It was accepted and its log could not be read, or it raised whatever it came to first."""
    try:
        match = Match.new(variant(), seats=("ada", "bo"), seed=1)
    except VariantError as error:
        assert error.problems  # noqa: PT017 - or else the log is read below
        return
    for seat in match.seats:
        match.submit(PlaceFleet(seat, match.random_placement(seat)))
    assert_whole(match)


@pytest.mark.parametrize("base", ["classic", "tactical"])
@pytest.mark.parametrize(
    "fleet",
    [
        "length = 1\ncount = 1000000",
        "length = 1\ncount = 100000000",
        "length = 100000000",
        f"length = {10**30}",
        f"length = 1\ncount = {10**18}",
        "shape = [" + '"x",' * 5000 + "]",
        'shape = ["' + "x" * 50000 + '"]',
    ],
    ids=["count", "more", "length", "longest", "most", "long list", "wide"],
)
def test_a_fleet_larger_than_any_grid_is_refused_at_once(tmp_path, base, fleet):
    """The check took minutes, or all memory."""
    path = tmp_path / "v.toml"
    path.write_text(f'id = "v"\nbase = "{base}"\n[[fleet]]\nclass = "cruiser"\n{fleet}\n')

    with pytest.raises(VariantError) as error:
        load_variant(path)

    codes = {problem.code for problem in error.value.problems if problem.place.startswith("fleet")}
    codes.discard("unknown_ship")  # of the other ships' abilities
    assert codes in ({"bad_fleet"}, {"bad_form"})


def numbers_in(data, place=()):
    """Yield where the integers of JSON data are."""
    if isinstance(data, dict | list):
        for key in data if isinstance(data, dict) else range(len(data)):
            yield from numbers_in(data[key], (*place, key))
    elif type(data) is int:
        yield place


def hashed(lines):
    """Return the text of a log of these lines, with hashes that follow."""
    text, digest = "", ""
    for line in lines:
        body = {key: value for key, value in line.items() if key != "hash"}
        body = json.dumps(body, separators=(",", ":"), ensure_ascii=False)
        digest = hashlib.sha256(f"{digest}{body}".encode()).hexdigest()[:32]
        text += f'{body[:-1]},"hash":"{digest}"}}\n'
    return text


def test_a_huge_number_anywhere_in_a_log_is_read_or_refused_at_once():
    """Some numbers of a log's header ate all memory."""
    match = begun("tactical")
    match.submit(UseAbility("ada", "sonar", "C3"))
    match.submit(Fire("ada", "A1"))
    lines = [json.loads(line) for line in match.lines()]
    assert hashed(lines) == match.dumps()
    places = [*numbers_in(lines)]
    assert len(places) > 20

    for place in places:
        changed = json.loads(json.dumps(lines))
        inner = changed
        for key in place[:-1]:
            inner = inner[key]
        inner[place[-1]] = 10**30
        try:
            again = Match.loads(hashed(changed))
        except LogError:
            continue
        assert len(again.view("ada").own.ships) == len(FLEET)


# B: the rules.


@ability("found.ping")
class Ping(Ability):
    def use(self, ctx, nothing):
        yield Mark(public=True, until="match")
        yield Unmark(ctx.marks[0])


@rule("found.sinker")
class Sinker(Rule):
    @reacts(Unmarked)
    def go(self, ctx, event):
        yield Sink("ada", "submarine")


@ability("found.last_word")
class LastWord(Ability):
    @reacts(Unmarked)
    def go(self, ctx, event):
        yield GainPoints(ctx.seat.name, 5, "last_word")


def test_a_sunk_ship_s_ability_answers_no_marker_but_its_own():
    """What it had asked for in answer to another's marker still came after it had sunk."""
    match = with_rules(Ping, Sinker, LastWord, abilities={"cruiser": "found.ping", "submarine": "found.last_word"})

    commit = match.submit(UseAbility("ada", "found.ping"))

    gained = [event.seat for event in commit.events if event.type == "points_gained"]
    assert types(commit)[-2:] == ["ability_disabled", "points_gained"]
    assert gained == ["bo"]  # whose submarine is afloat
    assert match.faults == []


@rule("found.sinks_user")
class SinksUser(Rule):
    @reacts(AbilityUsed)
    def go(self, ctx, event):
        yield Sink(event.seat, "cruiser")


def test_flak_is_not_armed_for_a_cruiser_that_sank_while_it_was_used():
    """Its marker stood in every view for the rest of the match."""
    match = with_rules(SinksUser, base=TACTICAL.but(id="rich", rules=[{"use": "points.start", "amount": 9}]))

    commit = match.submit(UseAbility("ada", "flak"))
    match.submit(Fire("ada", "J10"))

    assert "marked" not in types(commit)
    assert [match.view(seat).markers for seat in (*match.seats, None)] == [()] * 3
    assert [*match.state.marks] == []


def test_a_cooldown_holds_in_the_turn_of_the_use_too():
    """Where several abilities may be used in a turn, one could be used again at once."""
    match = begun(
        TACTICAL.but(
            id="t",
            drops=["core.one_ability"],
            rules=[{"use": "points.start", "amount": 9}],
            abilities={"destroyer": {"cooldown": 1}},
        )
    )
    match.submit(UseAbility("ada", "sonar", "C3"))

    def refused():
        [refusal] = match.refusals(UseAbility("ada", "sonar", "C3")) or [None]
        assert match.options("ada").abilities["sonar"].refusal == refusal
        return refusal and refusal.code

    assert refused() == "ability_limit"
    with pytest.raises(Refused):
        match.submit(UseAbility("ada", "sonar", "C3"))
    for turn in (1, 2):
        match.submit(Fire("ada", f"A{turn}"))
        match.submit(Fire("bo", f"A{turn}"))
        assert refused() == ("ability_limit" if turn == 1 else None)


def test_shots_that_change_nothing_end_in_a_draw_where_cells_may_be_shot_again():
    """Two seats that fired at the same cell for ever played for ever."""
    match = begun(CLASSIC.but(id="t", drops=["core.no_repeat"]))
    for _ in range(500):
        if match.outcome is not None:
            break
        match.submit(Fire(match.seat_to_move, "J10"))

    assert (match.outcome.winner, match.outcome.reason) == (None, "no_progress")
    assert len(match.commits) == 2 + 2 + CLASSIC.limits.quiet_turns  # the last shot to change anything is the second


@rule("found.ice")
class Ice(Rule):
    @reacts(BattleStarted)
    def freeze(self, ctx, event):
        yield Mark(on=ctx.grid.cells("A1"), side="bo", until="match", public=True)
        yield Mark(on=ctx.grid.cells("B1"), side="bo", until="match")

    @forbids(Fire)
    def thick(self, ctx, command):
        frozen = any(ctx.grid.cell(cell) in mark.on for mark in ctx.marks for cell in command.cells)
        return Refusal("found.ice") if frozen else None


def test_a_rule_without_a_ship_reads_its_own_public_markers_where_it_forbids():
    """It was shown none of its own."""
    match = with_rules(Ice)

    assert [refusal.code for refusal in match.refusals(Fire("ada", "A1"))] == ["found.ice"]
    assert match.refusals(Fire("ada", "B1")) == ()  # a marker that is hidden from the seat does not show in refusals
    assert Grid(10, 10).cell("A1") not in match.options("ada").fire.cells


def who(heard):
    """Return a rule that notes for whom it acts, and sets a marker for the turn."""

    @rule("found.who")
    class Who(Rule):
        @reacts(BattleStarted)
        def start(self, ctx, event):
            heard.append(("battle", event.first, ctx.seat.name))

        @reacts(TurnEnded)
        def end(self, ctx, event):
            heard.append(("ended", event.seat, ctx.seat.name))
            yield Mark(until="turn", public=True)

    return Who


@pytest.mark.parametrize("first", ["ada", "bo"])
def test_between_turns_a_rule_acts_for_the_seat_that_moved_last(first):
    """It acted for the first of the two seats, whoever had moved."""
    heard = []
    second = {"ada": "bo", "bo": "ada"}[first]
    match = with_rules(who(heard), first=first)
    turns = [first, second, first, second]
    for seat in turns:
        match.submit(Fire(seat, f"J{match.number}"))

    assert heard == [("battle", first, first), *(("ended", seat, seat) for seat in turns)]
    assert match.faults == []
    # A marker that was set when the turn was over lasts alike for both seats: until the end of the turn that follows.
    assert [len(match.at(number).view(None).markers) for number in (3, 4, 5, 6)] == [1, 1, 1, 1]


@rule("found.aims_activate")
class AimsActivate(Rule):
    @replaces(Activate)
    def go(self, ctx, effect):
        return effect.but(target="A1") if effect.ability == "sonar" else None


def test_an_ability_acts_where_a_rule_aimed_it_and_the_log_says_so():
    """An ability that a rule aimed elsewhere acted where its seat had aimed."""
    match = with_rules(AimsActivate, base=TACTICAL.but(id="rich", rules=[{"use": "points.start", "amount": 9}]))

    commit = match.submit(UseAbility("ada", "sonar", "J10"))

    [scan] = [event for event in commit.events if event.type == "cells_scanned"]
    assert scan.area == ("A1", "B1", "A2", "B2")
    assert ("effect_replaced", "found.aims_activate", "activate", "ada") in said(commit, "by", "what", "seat")
    assert match.faults == []
    assert verify(match.dumps(), knowing(AimsActivate)).kind is VerdictKind.EXACT


@rule("found.aims_shot")
class AimsShot(Rule):
    @replaces(Shot, group="redirect")
    def go(self, ctx, effect):
        return effect.but(cell=5) if effect.cell == 0 else None


def test_the_log_says_that_a_shot_was_redirected():
    """It held the shot where it went, and nothing of where it had been aimed."""
    match = with_rules(AimsShot)

    commit = match.submit(Fire("ada", "A1"))

    assert said(commit, "by", "what", "seat", "at")[:2] == [
        ("effect_replaced", "found.aims_shot", "shot", "ada", None),
        ("shot_fired", "ada", None, None, "F1"),
    ]
    assert "effect_replaced" not in types(match.submit(Fire("bo", "B1")))


def shooter(results):
    """Return an ability that shoots at the enemy's A1, and keeps what became of it."""

    @ability("found.shooter")
    class Shooter(Ability):
        def use(self, ctx, nothing):
            results.append((yield Shot(0)))

    return Shooter


def test_a_redirected_shot_was_not_cancelled():
    """The event that says so is not to be taken for a cancelling."""
    results = []
    match = with_rules(shooter(results), AimsShot, abilities={"cruiser": "found.shooter"})

    commit = match.submit(UseAbility("ada", "found.shooter"))

    assert "shot_fired" in types(commit)
    assert not results[0].cancelled


@rule("found.armour")
class Armour(Rule):
    @replaces(Shot)
    def harmless(self, ctx, effect):
        return effect.but(harm=False)


def test_the_owner_s_view_shows_as_damage_only_what_was_harmed():
    """A hit that did no harm stood among the hits of the owner's ship."""
    match = with_rules(Armour)

    match.submit(Fire("ada", "A1"))

    assert match.state.hits == [0, 0]
    assert [*match.view("bo").own.ships["carrier"].hits] == []
    assert [*match.view("ada").target.hit] == [0]  # what the shooter was told


def test_a_command_s_reasons_begin_with_names():
    """Points came before an unknown cell."""
    match = begun("tactical")

    codes = [refusal.code for refusal in match.refusals(UseAbility("ada", "recon", "Z9"))]

    assert codes == ["unknown_cell", "not_enough_points"]
    assert "not_enough_points" in [r.code for r in match.refusals(UseAbility("ada", "recon", "C3"))]


@pytest.mark.parametrize("shots", [("C1", "A1"), ("A1", "C1")])
def test_the_ship_that_took_an_ability_down_is_the_one_that_sank_last(shots):
    """Of several ships of a class the last of the fleet was named."""
    classes = ShipClass("raft", 1, count=2), ShipClass("big", 2)
    fleet = {"raft": "A1", "raft-2": "C1", "big": "A3-B3"}
    match = begun(Variant("t", fleet=classes, grid=Grid(5, 5), abilities={"raft": RuleUse("sonar")}), fleet=fleet)
    match.submit(Fire("ada", shots[0]))
    match.submit(Fire("bo", "E5"))

    commit = match.submit(Fire("ada", shots[1]))

    [off] = [event for event in commit.events if event.type == "ability_disabled"]
    assert (off.seat, off.ability, off.ship) == ("bo", "sonar", "raft" if shots[1] == "A1" else "raft-2")


def test_a_price_that_no_purse_can_hold_is_a_problem():
    """An ability that could never be used was accepted."""
    registry = Registry.default()
    with pytest.raises(VariantError) as error:
        registry.book(TACTICAL.but(id="p", abilities={"destroyer": {"price": 11}}))

    assert ["destroyer" in problem.place for problem in error.value.problems] == [True]
    registry.book(TACTICAL.but(id="p", abilities={"destroyer": {"price": 10}}))


@ability("found.bad")
class Bad(Ability):
    def use(self, ctx, nothing):
        raise ValueError
        yield


def test_every_commit_is_observed():
    """The commit in which a broken ability was switched off was not."""
    plugin, registry = Plugin(Bad), Registry.default()
    registry.register(plugin, "found")
    match = begun(CLASSIC.but(id="t", abilities={"cruiser": "found.bad"}), registry)

    with pytest.raises(Refused, match="plugin_error"):
        match.submit(UseAbility("ada", "found.bad"))
    match.submit(Fire("ada", "A1"))

    assert plugin.observed == [commit.number for commit in match.commits] == [1, 2, 3, 4]
    assert verify(match.dumps(), registry).kind is VerdictKind.EXACT


@rule("found.bad_price")
class BadPrice(Rule):
    @adjusts("price")
    def fail(self, ctx, price, ability):
        raise ValueError


def test_a_fault_is_reported_once_however_often_options_are_asked():
    """Each time that options were asked for, the same fault was added."""
    match = with_rules(BadPrice, base=TACTICAL)

    for _ in range(100):
        match.options("ada")
    assert len(match.faults) == 1

    for _ in range(100):
        match.refusals(UseAbility("ada", "sonar", "C3"))
    assert len(match.faults) == 2  # of another price


UNMARKED = {"type": "unmarked", "id": "flak@ada#1", "rule": "flak", "seat": "ada"}
OFF = {"type": "ability_disabled", "seat": "bo", "ability": "recon"}


@pytest.mark.parametrize(
    "events",
    [
        [UNMARKED, {**OFF, "reason": "sunk"}],
        [UNMARKED],
        [{**OFF, "reason": "sunk"}],
        [UNMARKED, {**OFF, "reason": "fault"}],
        [],
    ],
    ids=["both", "marker", "sunk", "marker of another", "nothing"],
)
def test_a_forged_commit_without_command_does_not_pass_as_exact(events):
    """Any commit that held only switching off and markers was skipped unread."""
    match = begun(TACTICAL.but(id="rich", rules=[{"use": "points.start", "amount": 9}]))
    match.submit(UseAbility("ada", "flak"))
    lines = [json.loads(line) for line in match.lines()]

    forged = hashed([*lines, {"commit": 4, "command": None, "events": events}])

    assert verify(forged).kind is VerdictKind.DIVERGED


@pytest.mark.parametrize("base", ["classic", "salvo"])
def test_options_show_whether_a_turn_may_pass_without_a_shot(base):
    """That `Fire(seat, [])` was accepted could not be seen."""
    rules = Registry.default().variant(base)
    for drops, passes in (([], False), (["core.must_shoot"], True)):
        match = begun(rules.but(id="t", drops=drops))
        assert match.options("ada").fire.may_pass is passes
        assert (match.refusals(Fire("ada", [])) == ()) is passes
        assert not match.options("bo").fire.may_pass  # not to move


# C: the interface.


def shot(n, **changes):
    return {"n": n, "type": "shot_fired", "by": "ada", "at": "A1", "told": "water", **changes}


@pytest.mark.parametrize(
    "change",
    [
        lambda told: told[1:],
        lambda told: told[:2] + told[3:],
        lambda told: told[:2] + told[1:],
        lambda told: told[::-1],
        lambda told: [*told, {"n": len(told) + 1}],
        lambda told: [*told, shot(99)],
        lambda told: [*told, shot(len(told) + 1, at="Z9")],
        lambda told: [*told, shot(len(told) + 1, at=5)],
        lambda told: [*told, shot(len(told) + 1, by="zed")],
        lambda told: [{**event, "n": str(event["n"])} for event in told],
        lambda told: [],
        lambda told: [5],
        lambda told: [None],
        lambda told: ["told"],
        lambda told: [[]],
        lambda told: [{}],
        lambda told: 5,
        lambda told: None,
        lambda told: "told",
    ],
    ids=[
        "no first", "gap", "twice", "reversed", "no type", "gap at end", "no cell", "number", "no seat", "texts",
        "empty", "[5]", "[None]", "[text]", "[[]]", "[{}]", "5", "None", "text",
    ],
)  # fmt: skip
def test_a_stream_that_is_not_what_was_told_is_a_codec_error(change):
    """It raised whatever it came to first, and a gap gave a wrong view."""
    match = begun("tactical")
    told = match.told("ada")
    assert fold_view("tactical", "ada", told) == match.view("ada")

    with pytest.raises(CodecError):
        fold_view("tactical", "ada", change(told))


@pytest.mark.parametrize("seat", ["zed", 5, []])
def test_a_view_of_a_seat_that_was_not_told_of_is_a_codec_error(seat):
    """It was a KeyError."""
    with pytest.raises(CodecError):
        fold_view("tactical", seat, begun("tactical").told("ada"))


def emptied(thing):
    """Empty or overwrite all that can be reached and changed from here; tell how many things were."""
    if isinstance(thing, dict):
        inner = [*thing.values()]
        done = 0
        try:
            thing.clear()
            done = 1
        except (TypeError, AttributeError):
            pass
        return done + sum(map(emptied, inner))
    if isinstance(thing, list):
        inner = [*thing]
        thing.clear()
        return 1 + sum(map(emptied, inner))
    slots = getattr(type(thing), "__slots__", ())
    return sum(emptied(getattr(thing, name, None)) for name in slots if isinstance(name, str) and name[0] != "_")


def test_nothing_that_is_done_to_a_copy_of_the_state_changes_the_match():
    """Tables of the fleets and of the grid were handed out as they are."""
    match, other = begun(), begun()
    for each in (match, other):
        each.submit(Fire("ada", "A1"))

    state = match.state
    assert emptied(state) > 10

    for each in (match, other):
        each.submit(Fire("bo", "A1"))
        each.submit(Fire("ada", "B1"))
    assert match.dumps() == other.dumps()
    assert match.state == other.state
    assert match.commits[-1].events[0].told == "hit"
    assert_whole(match)


@pytest.mark.parametrize("letter", ["D1", "", "1", "AA", "K", "ä", 4, None, 0.5])
def test_a_column_is_a_letter(letter):
    """A whole name was read as a column: "D1" as D11."""
    with pytest.raises(CellError):
        Grid(10, 11).column(letter)


@pytest.mark.parametrize("number", ["4", 0, 12, True, None, 1.0])
def test_a_row_is_a_number(number):
    """A text was a TypeError."""
    with pytest.raises(CellError):
        Grid(10, 11).row(number)


class AimsNowhere(Rule):
    @replaces(Activate)
    def aim(self, ctx, effect):
        return effect.but(target="Z9")


def test_an_ability_that_a_rule_aims_at_nothing_does_nothing():
    match = with_rules(rule("found.nowhere")(AimsNowhere), base=TACTICAL)

    commit = match.submit(UseAbility("ada", "sonar", "C3"))

    assert types(commit) == ["points_spent", "ability_used", "effect_replaced"]
    assert match.seat_to_move == "ada"


@rule("found.sulks")
class Sulks(Rule):
    @reacts(AbilityUsed)
    def sulk(self, ctx, event):
        raise ValueError


@ability("found.mine", price=0)
class Mine(Ability):
    """Lays a marker; the second time it fails."""

    def use(self, ctx, nothing):
        if ctx.marks:
            raise ValueError
        yield Mark(public=True)


@ability("found.dud", price=0)
class Dud(Ability):
    """Fails."""

    def use(self, ctx, nothing):
        raise ValueError


def test_all_that_a_refused_use_switches_off_stands_in_its_commit_and_is_verified():
    registry = knowing(Mine)
    mined = CLASSIC.but(id="found.mined", abilities={"cruiser": "found.mine"})
    match = begun(mined, registry)
    for command in (UseAbility("ada", "found.mine"), Fire("ada", "J1"), Fire("bo", "J1")):
        match.submit(command)

    with pytest.raises(Refused, match="plugin_error"):
        match.submit(UseAbility("ada", "found.mine"))

    assert types(match.commits[-1]) == ["ability_disabled", "unmarked"]
    assert verify(match.dumps(), registry).kind is VerdictKind.EXACT


def test_a_rule_that_failed_beside_a_use_that_failed_is_switched_off_in_the_same_commit():
    registry = knowing(Sulks, Dud)
    both = CLASSIC.but(id="found.both", abilities={"cruiser": "found.dud"}, rules=["found.sulks"])
    match = begun(both, registry)

    with pytest.raises(Refused, match="plugin_error"):
        match.submit(UseAbility("ada", "found.dud"))

    assert types(match.commits[-1]) == ["rule_disabled", "ability_disabled"]
    assert verify(match.dumps(), registry).kind is VerdictKind.EXACT


def test_what_was_told_before_an_interrupt_is_told_anew(monkeypatch):
    match = begun()
    expected = match.fork().told("ada")

    def stop(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("irontide.streams.told", stop)
        with pytest.raises(KeyboardInterrupt):
            match.told("ada")

    assert match.told("ada") == expected


def test_a_log_is_saved_under_no_impossible_name(tmp_path):
    with pytest.raises(OSError, match="not a name for a file"):
        begun().save(f"{tmp_path}/a\0b")
    assert list(tmp_path.iterdir()) == []


JAMMED = TACTICAL.but(
    id="jammed",
    grid={"columns": 6, "rows": 6},
    fleet=[ShipClass("cruiser", 3), ShipClass("destroyer", 2)],
    abilities={"carrier": None, "battleship": None, "submarine": None, "cruiser": "jam", "destroyer": "repair"},
    rules=[RuleUse("points.start", {"amount": 9}), "test.audience", "test.markers"],
)


def with_audience(answer):
    """Return a match in which a rule decides who is told, and abilities are jammed and ships mended."""

    @rule("test.audience")
    class Told(Rule):
        @adjusts("audience")
        def decide(self, ctx, to, event):
            return answer(to)

    @rule("test.markers")
    class Markers(Rule):
        @reacts(TurnStarted)
        def mark(self, ctx, event):
            yield [Mark(side=event.seat, public=True, until="match"), Mark(side=event.seat, public=True)]

    return begun(JAMMED, knowing(Told, Markers), fleet={"cruiser": "A1-C1", "destroyer": "A3-B3"})


@pytest.mark.parametrize(
    "answer",
    [lambda to: (), lambda to: ("ada",), lambda to: None, lambda to: ("bo", "bo", "ada"), lambda to: ("bo",)],
    ids=["nobody", "ada", "everybody", "both by name", "bo"],
)
def test_whoever_is_told_less_still_knows_what_it_may_do(answer):
    match = with_audience(answer)
    for command in (
        UseAbility("ada", "jam", {"ability": "jam"}), Fire("ada", "A3"), Fire("bo", "A3"), Fire("ada", "F6"),
        UseAbility("bo", "repair", {"ship": "destroyer"}), Fire("bo", "F6"), Fire("ada", "A1"),
        UseAbility("bo", "jam", {"ability": "repair"}), Fire("bo", "A1"), Fire("ada", "B1"), Fire("bo", "B1"),
        Fire("ada", "C1"), Fire("bo", "F5"),
    ):  # fmt: skip
        match.submit(command)
        for seat in match.seats:
            view = match.view(seat)
            assert fold_view(match.variant, seat, match.told(seat)) == view
            assert view.points == match.state.points[match.seats.index(seat)]
            assert view.target.shots.mask == match.state.shots[1 - match.seats.index(seat)]
            assert [ship.afloat for ship in view.own.ships.values()] == [
                ship not in match.state.sunk[match.seats.index(seat)] for ship in view.own.ships
            ]
            off = {id_ for id_, each in match.options(seat).abilities.items() if each.refusal is not None}
            known = {id_ for id_, each in view.abilities.items() if each.off}
            assert known <= off
    state = match.state
    assert len(state.marks) == sum(event.type == "marked" for commit in match.commits for event in commit.events)
    assert match.faults == []
    assert Match.loads(match.dumps(), Registry.default()).state == state


@pytest.mark.parametrize(
    ("ability", "name", "value"),
    [
        ("jam", "turns", 0),
        ("shield", "turns", 0),
        ("smoke", "turns", -1),
        ("trap", "cost", -1),
        ("seeker", "reach", -1),
    ],
)
def test_a_parameter_with_which_an_ability_would_fail_is_a_problem_of_the_variant(ability, name, value):
    variant = TACTICAL.but(id="found", abilities={"cruiser": {"use": ability, name: value}})
    with pytest.raises(VariantError) as caught:
        Registry.default().book(variant)
    [problem] = caught.value.problems
    assert problem.place == f"abilities.cruiser.{name}"
    assert str(value) in problem.text


def test_ships_of_a_class_that_cannot_be_are_not_listed(tmp_path):
    file = tmp_path / "big.toml"
    file.write_text(
        'id = "big"\nbase = "classic"\n[abilities.destroyer]\nuse = "repair"\n'
        '[[fleet]]\nclass = "destroyer"\nlength = 2\n[[fleet]]\nclass = "cruiser"\nlength = 3\ncount = 1000000000000\n'
    )
    with pytest.raises(VariantError) as caught:
        irontide.load_variant(file)
    assert [(problem.code, problem.place) for problem in caught.value.problems] == [("bad_fleet", "fleet.cruiser")]


def test_many_ships_of_many_classes_are_looked_through_once():
    fleet = [ShipClass(f"c{n}", 1, count=676) for n in range(60)]
    with pytest.raises(VariantError) as caught:
        Registry.default().book(TACTICAL.but(id="found", grid={"columns": 26, "rows": 26}, fleet=fleet, drops=ALL))
    assert {problem.code for problem in caught.value.problems} == {"no_room"}


ALL = tuple(use.use for use in TACTICAL.abilities.values())


def test_an_ability_that_is_dropped_is_nowhere_offered():
    variant = TACTICAL.but(id="found", abilities={"carrier": {"use": "jam", "price": 0}, "destroyer": "sonar"})
    match = Match.new(attrs.evolve(variant, drops=("sonar",)), seats=("ada", "bo"), seed=1)
    for seat in match.seats:
        match.submit(PlaceFleet(seat, match.random_placement(seat)))
    assert "sonar" not in match.view("ada").abilities
    assert {"ability": "sonar"} not in match.options("ada").abilities["jam"].targets
    with pytest.raises(Refused, match="bad_target"):
        match.submit(UseAbility("ada", "jam", {"ability": "sonar"}))
    assert match.faults == []


@pytest.mark.parametrize("side", [10, 14, 26])
@pytest.mark.parametrize(
    "more",
    [
        {"rules": ["extra_shot_on_hit"]},
        {"rules": [{"use": "report", "level": "ship"}, "extra_shot_on_hit"]},
        {"rules": ["repeat_shots", "wrecks_are_shown"], "abilities": {"cruiser": {"use": "shield", "price": 0}}},
    ],
    ids=["extra shots", "report", "shield"],
)
def test_a_salvo_at_all_cells_breaches_no_limit(side, more):
    rules = [{"use": "salvo", "per": side * side}, *more["rules"]]
    size = {"columns": side, "rows": side}
    variant = CLASSIC.but(id="found", grid=size, **{**more, "rules": rules})
    match = Match.new(variant, seats=("ada", "bo"), seed=1, strict=True)
    for seat in match.seats:
        match.submit(PlaceFleet(seat, match.random_placement(seat)))
    assert len(match.submit(Fire("ada", match.grid.names)).events) > side * side
    assert match.faults == []


def test_limits_grow_with_the_grid():
    limits = irontide.Limits(depth=3, events=20, runs=5, quiet_turns=7)
    assert limits.over(100) == limits
    assert limits.over(101) == irontide.Limits(depth=3, events=40, runs=10, quiet_turns=7)
    assert limits.over(676) == irontide.Limits(depth=3, events=140, runs=35, quiet_turns=7)


@pytest.mark.parametrize("term", ["per_turn", "per_match", "cooldown", "charges", "standing"])
def test_a_limit_of_an_ability_that_is_beyond_all_reckoning_is_a_problem_of_the_variant(term):
    def at(value):
        return TACTICAL.but(id="found", abilities={"destroyer": {"use": "sonar", term: value}})

    assert Registry.default().book(at(10**9))
    with pytest.raises(VariantError, match="must be at most 1000000000, not 1000000001") as caught:
        Registry.default().book(at(10**9 + 1))
    assert [problem.place for problem in caught.value.problems] == [f"abilities.destroyer.{term}"]


def test_what_rests_longest_says_how_long():
    variant = TACTICAL.but(
        id="found", drops=["core.one_ability"], abilities={"destroyer": {"use": "sonar", "price": 0, "cooldown": 10**9}}
    )
    match = Match.new(variant, seats=("ada", "bo"), seed=1)
    for seat in match.seats:
        match.submit(PlaceFleet(seat, match.random_placement(seat)))
    match.submit(UseAbility("ada", "sonar", "C3"))
    [refusal] = match.refusals(UseAbility("ada", "sonar", "C3"))
    assert refusal.args["turns"] == match.options("ada").abilities["sonar"].wait == 10**9 + 1
