"""The game (`docs/reference/game.md`), line by line: Classic, Salvo, Tactical, and where rules on paper are silent."""

from itertools import count
from random import Random

import pytest

import irontide
from irontide import (
    Ability,
    AbilityUsed,
    CellSet,
    Commit,
    EndMatch,
    EndTurn,
    Fire,
    GainPoints,
    Grid,
    Match,
    OneCell,
    Outcome,
    PlaceFleet,
    Refusal,
    Refused,
    Registry,
    Resign,
    Rule,
    ShipClass,
    ShipMoved,
    ShipSunk,
    Shot,
    ShotFired,
    Sink,
    TimeOut,
    TurnEnded,
    UseAbility,
    Variant,
    ability,
    adjusts,
    forbids,
    reacts,
    replaces,
    rule,
)
from irontide.testing import Bundle

SEATS = ("ada", "bo")
ADA = {"carrier": "A1-A5", "battleship": "C1-C4", "cruiser": "E1-E3", "submarine": "G1-G3", "destroyer": "I1-I2"}
BO = {"carrier": "A10-E10", "battleship": "A8-D8", "cruiser": "A6-C6", "submarine": "A4-C4", "destroyer": "A2-B2"}

# Abilities and rules that bring about what the built-in ones cannot.


@ability("test.scuttle")
class Scuttle(Ability):
    """Sink both fleets in one batch."""

    def use(self, ctx, nothing):
        yield [Sink(side.name, ship) for side in (ctx.seat, ctx.other) for ship in side.ships]


@ability("test.burst", target=OneCell())
class Burst(Ability):
    """Sink the own ship in the middle of the attack, and go on."""

    def use(self, ctx, cell):
        yield Sink(ctx.seat.name, "cruiser")
        yield Shot(cell.spot.cells[0])


@ability("test.triumph")
class Triumph(Ability):
    """End the match; whatever comes after that does not happen."""

    def use(self, ctx, nothing):
        yield [EndMatch(ctx.seat.name, "test.triumph"), GainPoints(ctx.seat.name, 5)]
        yield GainPoints(ctx.seat.name, 5)


@ability("test.ram", target=OneCell(), instead_of_shot=True)
class Ram(Ability):
    """Shoot in place of the turn's own shot."""

    def use(self, ctx, cell):
        yield cell.shots


@ability("test.plunder")
class Plunder(Ability):
    """A passive one: gain a point for each hit on the other side, as long as the ship floats."""

    @reacts(ShotFired)
    def gain(self, ctx, event):
        if event.by == ctx.seat.name and event.told == "hit":
            yield GainPoints(ctx.seat.name, 1)


@rule("test.revenge")
class Revenge(Rule):
    """Whoever loses a ship gains 3 points, or what is left to the cap."""

    @reacts(ShipSunk)
    def pay(self, ctx, event):
        yield GainPoints(event.seat, 3)


@rule("test.no_abilities")
class NoAbilities(Rule):
    """Whoever uses an ability has lost."""

    @reacts(AbilityUsed)
    def end(self, ctx, event):
        yield EndMatch(ctx.opponent(event.seat).name, "test.used")


@rule("test.armour")
class Armour(Rule):
    """No shot of this seat, or of either, does harm."""

    seat: str = ""

    @replaces(Shot)
    def turn_away(self, ctx, effect):
        return effect.but(harm=False, answer="water") if self.seat in ("", effect.by) else None


@rule("test.two_for")
class TwoFor(Rule):
    """One seat has two shots a turn."""

    seat: str = "ada"

    @adjusts("shots")
    def two(self, ctx, shots):
        return 2 if ctx.seat.name == self.seat else shots


@rule("test.last_turn")
class LastTurn(Rule):
    """The match ends as a draw with the turn of this number."""

    turn: int = 2

    @reacts(TurnEnded)
    def end(self, ctx, event):
        if ctx.seat.turn + ctx.other.turn >= self.turn:
            yield EndMatch(None, "test.last_turn")


REGISTRY = Registry.default()
REGISTRY.register(
    Bundle([Scuttle, Burst, Triumph, Ram, Plunder, Revenge, NoAbilities, Armour, TwoFor, LastTurn]), "test"
)
CLASSIC, SALVO, TACTICAL = (REGISTRY.variant(id_) for id_ in ("classic", "salvo", "tactical"))
LOOSE = CLASSIC.but(id="test.loose", drops=["core.fleet_fixed"])
RICH = TACTICAL.but(id="test.rich", rules=[{"use": "points.start", "amount": 9}])
SMALL = Variant("small", grid=Grid(2, 2), fleet=(ShipClass("destroyer", 2),))
NUMBER = count()


def variant_of(base: Variant, **changes: object) -> Variant:
    return base.but(id=f"test.v{next(NUMBER)}", **changes)


def begun(variant: Variant, ada: dict[str, str] = ADA, bo: dict[str, str] = BO, **options: object) -> Match:
    match = Match.new(variant, **{"seats": SEATS, "seed": 7, "registry": REGISTRY, "strict": True, **options})
    match.submit(PlaceFleet("ada", ada))
    match.submit(PlaceFleet("bo", bo))
    return match


def small(variant: Variant) -> Match:
    """Return a match on 2x2 cells with a destroyer in each first column."""
    return begun(variant, {"destroyer": "A1-A2"}, {"destroyer": "A1-A2"})


def play(match: Match, *cells: str) -> Commit:
    """Fire at these cells in turn, one each, whoever is to move; return the last commit."""
    for cell in cells:
        commit = match.submit(Fire(match.seat_to_move, cell))
    return commit


def types(commit: Commit) -> list[str]:
    return [event.type for event in commit.events]


def of_type(commit: Commit, *kinds: str) -> list[object]:
    return [event for event in commit.events if event.type in kinds]


def codes(match: Match, command: object) -> list[str]:
    """Return the codes of a command that is refused, having seen that nothing happened."""
    before = match.dumps()
    with pytest.raises(Refused) as caught:
        match.submit(command)
    assert match.dumps() == before
    return [refusal.code for refusal in caught.value.refusals]


def points(match: Match) -> tuple[int, int]:
    view = match.view("ada")
    return view.points, view.opponent_points


# Classic.


def test_the_first_seat_moves_first_unless_it_is_said_otherwise():
    assert begun(CLASSIC).seat_to_move == "ada"
    assert begun(CLASSIC, first="bo").seat_to_move == "bo"


def test_the_battle_begins_when_both_fleets_stand():
    match = Match.new(CLASSIC, seats=SEATS)

    assert types(match.submit(PlaceFleet("bo", BO))) == ["fleet_placed"]
    assert match.seat_to_move is None
    assert types(match.submit(PlaceFleet("ada", ADA))) == ["fleet_placed", "battle_started", "turn_started"]


def test_then_the_other_seat_moves_hit_or_not():
    match = begun(CLASSIC)

    assert types(play(match, "J1")) == ["shot_fired", "turn_ended", "turn_started"]
    assert match.seat_to_move == "bo"
    assert types(play(match, "A1")) == ["shot_fired", "turn_ended", "turn_started"]
    assert match.seat_to_move == "ada"


def test_a_plain_hit_does_not_name_the_ship():
    match = begun(CLASSIC)
    play(match, "A10")

    for seat in (*SEATS, None):
        [shot] = [event for event in match.told(seat) if event["type"] == "shot_fired"]
        assert (shot["told"], shot["ship"]) == ("hit", None)
    assert "struck" not in match.told("ada")[-3]
    assert match.told("bo")[-3]["struck"] == "carrier"


def test_sinking_is_announced_with_its_class_but_not_with_its_cells():
    match = begun(CLASSIC)

    commit = play(match, "A2", "J10", "B2")

    assert types(commit) == ["shot_fired", "ship_sunk", "turn_ended", "turn_started"]
    for seat in (*SEATS, None):
        [sunk] = [event for event in match.told(seat) if event["type"] == "ship_sunk"]
        assert (sunk["seat"], sunk["class"], sunk["cells"]) == ("bo", "destroyer", None)
    assert match.view("ada").target.sunk_classes == ("destroyer",)
    assert not match.view("ada").target.sunk


def test_whoever_first_has_sunk_the_whole_enemy_fleet_wins():
    match = small(SMALL)

    commit = play(match, "A1", "B1", "A2")

    assert types(commit) == ["shot_fired", "ship_sunk", "match_ended", "fleet_revealed", "fleet_revealed"]
    assert match.outcome == Outcome("ada", "all_sunk")
    assert match.seat_to_move is None
    for seat in (*SEATS, None):
        shown = [event for event in match.told(seat) if event["type"] == "fleet_revealed"]
        assert [(event["seat"], event["ships"]) for event in shown] == [
            ("ada", {"destroyer": ["A1", "A2"]}),
            ("bo", {"destroyer": ["A1", "A2"]}),
        ]


def test_placing_again_before_the_battle_replaces_the_earlier_placement():
    match = Match.new(CLASSIC, seats=SEATS)
    match.submit(PlaceFleet("ada", ADA))

    match.submit(PlaceFleet("ada", BO))

    ships = match.view("ada").own.ships
    assert {id_: "-".join(match.grid.list(ship.cells)[:: len(ship.cells) - 1]) for id_, ship in ships.items()} == BO
    match.submit(PlaceFleet("bo", ADA))
    play(match, "J10", "A10")
    assert match.view("bo").target.hit == match.grid.cells("A10")


def test_a_placement_is_secret():
    match = begun(CLASSIC)

    for seat, other in (SEATS, SEATS[::-1]):
        placed = {event["seat"]: event["ships"] for event in match.told(seat) if event["type"] == "fleet_placed"}
        assert placed[seat] is not None
        assert placed[other] is None
    assert all(event["ships"] is None for event in match.told(None) if event["type"] == "fleet_placed")


def test_once_the_battle_has_begun_ships_never_move():
    assert codes(begun(CLASSIC), PlaceFleet("ada", BO)) == ["fleet_fixed"]


def test_where_a_variant_lets_fleets_be_placed_again_ships_move_in_the_own_turn():
    match = begun(LOOSE)
    play(match, "J1")
    assert codes(match, PlaceFleet("ada", ADA)) == ["not_your_turn"]
    play(match, "J10")
    seen = match.told("bo")

    commit = match.submit(PlaceFleet("ada", {**ADA, "cruiser": "G5-G7", "destroyer": ["I9", "I10"]}))

    assert [(event.type, event.ship, event.cells) for event in commit.events] == [
        ("ship_moved", "cruiser", ("G5", "G6", "G7")),
        ("ship_moved", "destroyer", ("I9", "I10")),
    ]
    assert [(event["type"], event["ship"], event["cells"]) for event in match.told("bo", since=len(seen))] == [
        ("ship_moved", None, None)
    ] * 2
    assert (match.seat_to_move, match.options("ada").fire.count) == ("ada", 1)
    play(match, "J2", "I10")
    assert match.view("bo").target.hit == match.grid.cells("I10")


def test_ships_change_places_and_a_fleet_that_stays_is_no_event():
    match = begun(LOOSE)
    assert types(match.submit(PlaceFleet("ada", ADA))) == []

    match.submit(PlaceFleet("ada", {**ADA, "cruiser": ADA["submarine"], "submarine": ADA["cruiser"]}))

    ships = match.view("ada").own.ships
    assert (ships["cruiser"].cells, ships["submarine"].cells) == (
        match.grid.cells("G1", "G2", "G3"), match.grid.cells("E1", "E2", "E3"),
    )  # fmt: skip
    assert irontide.verify(match.dumps()).kind is irontide.VerdictKind.EXACT


def test_what_was_hit_stays_and_nothing_goes_where_the_enemy_holds_an_answer():
    match = begun(LOOSE)
    play(match, "J1", "E1", "J2", "I1", "J3", "I2", "J4", "I5")

    moved = {**ADA, "cruiser": "E8-E10", "destroyer": "H9-H10", "submarine": "I5-I7"}

    assert codes(match, PlaceFleet("ada", moved)) == ["ship_stays", "ship_stays", "already_answered"]
    refused = match.refusals(PlaceFleet("ada", moved))
    assert [dict(each.args) for each in refused] == [
        {"ship": "cruiser"}, {"ship": "destroyer"}, {"ship": "submarine", "cell": "I5"}
    ]  # fmt: skip
    assert [each.text("de") for each in refused[1:]] == [
        "Zerstörer ist getroffen oder versenkt und bleibt liegen.",
        "Von I5 hat der Gegner eine Antwort: Dort darf kein Schiff mehr aufgestellt werden.",
    ]


def test_a_rule_hears_that_a_ship_was_placed_anew_and_may_forbid_it():
    @rule("test.restless")
    class Restless(Rule):
        @reacts(ShipMoved)
        def end(self, ctx, event):
            yield EndTurn(event.seat, "test.moved")

        @forbids(PlaceFleet)
        def shore(self, ctx, command):
            return Refusal("test.shore") if "J9-J10" in command.ships.values() else None

    registry = Registry.default()
    registry.register(Bundle([Restless]), "test", "1")
    match = begun(LOOSE.but(id="test.restless", rules=["test.restless"]), registry=registry)

    assert codes(match, PlaceFleet("ada", {**ADA, "destroyer": "J9-J10"})) == ["test.shore"]
    commit = match.submit(PlaceFleet("ada", {**ADA, "destroyer": "H9-H10"}))
    assert types(commit) == ["ship_moved", "turn_ended", "turn_started"]
    assert match.seat_to_move == "bo"


@pytest.mark.parametrize("drops", [["core.fleet_fixed"], ["core.fleet_fixed", "core.no_repeat"]])
@pytest.mark.parametrize("base", ["classic", "tactical"])
def test_however_ships_are_placed_anew_what_was_told_stays_true_and_the_match_ends(base, drops):
    variant = Registry.default().variant(base).but(id="test.loose", drops=drops)
    for seed in range(6):
        chance = Random(seed)  # noqa: S311 - a game
        match = Match.new(variant, seats=SEATS, seed=seed, strict=True)
        for seat in SEATS:
            match.submit(PlaceFleet(seat, match.random_placement(seat)))
        anew = count(1)
        while match.outcome is None:
            seat = match.seat_to_move
            places = {**placement_of(match, seat), **anywhere(match, seat, next(anew), chance)}
            if not match.refusals(PlaceFleet(seat, places)):
                match.submit(PlaceFleet(seat, places))
            open_ = match.view(seat).target.unknown
            match.submit(Fire(seat, match.grid.name(chance.choice(list(open_)))))
            for side in (match.view(each).target for each in SEATS):
                assert not side.water & side.hit
        for seat, other in (SEATS, SEATS[::-1]):
            assert irontide.fold_view(variant, seat, match.told(seat)) == match.view(seat)
            known, fleet = match.view(seat).target, match.view(other).own.ships.values()
            lies = CellSet.of(cell for ship in fleet for cell in ship.cells)
            assert (known.hit - lies, known.water & lies) == (CellSet(), CellSet())
        assert irontide.verify(match.dumps()).kind is irontide.VerdictKind.EXACT
        assert any(event.type == "ship_moved" for commit in match.commits for event in commit.events)
        assert match.outcome.reason == "all_sunk"


def placement_of(match, seat):
    return {id_: list(match.grid.list(ship.cells)) for id_, ship in match.view(seat).own.ships.items()}


def anywhere(match, seat, n, chance):
    """Return a place for one of the ships, from a random fleet."""
    return dict([chance.choice([*match.random_placement(seat, n).items()])])


def test_which_ship_was_placed_anew_shows_nowhere():
    def told(first, then):
        match = begun(LOOSE)
        match.submit(PlaceFleet("ada", first))
        play(match, "J1", "J2")
        match.submit(PlaceFleet("ada", then))
        return match.told("bo"), match.told(None), match.view("bo"), match.options("bo")

    cruiser, destroyer = {**ADA, "cruiser": "E7-E9"}, {**ADA, "destroyer": "I8-I9"}
    assert told(cruiser, {**cruiser, "cruiser": "F7-F9"}) == told(destroyer, {**destroyer, "destroyer": "H8-H9"})


# Salvo.


def salvo(match: Match, *cells: str) -> Commit:
    return match.submit(Fire(match.seat_to_move, cells))


def test_a_salvo_has_as_many_shots_as_ships_were_afloat_when_the_turn_started():
    match = begun(SALVO)

    assert match.options("ada").fire.count == 5
    salvo(match, "A2", "B2", "A4", "B4", "C4")
    assert match.view("bo").target.sunk_ships == ()
    assert match.view("ada").target.sunk_ships == ("submarine", "destroyer")
    assert match.options("bo").fire.count == 3
    assert match.told("ada")[-1] == {"n": len(match.told("ada")), "type": "turn_started", "seat": "bo", "shots": 3}


def test_a_salvo_of_the_wrong_size_is_refused_whole_and_told_how_many_were_due():
    match = begun(SALVO)

    for cells in ([], ["A1"], ["A1", "A2", "A3", "A4"], ["A1", "A2", "A3", "A4", "A5", "A6"]):
        refusals = match.refusals(Fire("ada", cells))
        assert [refusal.code for refusal in refusals] == ["wrong_shot_count"]
        assert refusals[0].args == {"due": 5, "given": len(cells)}


def test_a_cell_named_twice_is_refused_with_the_salvo():
    assert codes(begun(SALVO), Fire("ada", ["A1", "A2", "A3", "A4", "a4 "])) == ["duplicate_cell"]


def test_results_are_told_in_the_order_in_which_the_cells_were_named():
    match = begun(SALVO)

    commit = salvo(match, "J1", "A10", "C5", "B2", "A1")

    shots = [(event["at"], event["told"]) for event in match.told("ada") if event["type"] == "shot_fired"]
    assert shots == [("J1", "water"), ("A10", "hit"), ("C5", "water"), ("B2", "hit"), ("A1", "water")]
    assert types(commit) == ["shot_fired"] * 5 + ["turn_ended", "turn_started"]


def test_ships_sunk_by_one_salvo_sink_after_all_its_shots_and_in_fleet_order():
    match = begun(SALVO)

    commit = salvo(match, "B2", "A2", "C4", "A4", "B4")

    assert types(commit) == ["shot_fired"] * 5 + ["ship_sunk"] * 2 + ["turn_ended", "turn_started"]
    assert [event.ship for event in of_type(commit, "ship_sunk")] == ["submarine", "destroyer"]


def buoys(*rules: str) -> Match:
    """Return a match on 3x2 cells with two ships of one cell each, one shot for each afloat."""
    variant = variant_of(SMALL, fleet=[ShipClass("buoy", 1, count=2)], grid={"columns": 3}, rules=["salvo", *rules])
    fleet = {"buoy": "A1", "buoy-2": "C2"}
    return begun(variant, fleet, fleet)


def test_the_rest_of_a_salvo_is_told_after_the_last_ship_was_sunk_in_the_middle():
    match = buoys()
    salvo(match, "A1", "B1")
    salvo(match, "B1")

    commit = salvo(match, "C2", "A2")

    assert [event.told for event in of_type(commit, "shot_fired")] == ["hit", "water"]
    assert types(commit)[2:] == ["ship_sunk", "match_ended", "fleet_revealed", "fleet_revealed"]


def test_a_salvo_is_as_large_as_there_are_cells_left():
    variant = variant_of(SMALL, fleet=[ShipClass("buoy", 1, count=2)], grid={"columns": 5, "rows": 1}, rules=["salvo"])
    fleet = {"buoy": "A1", "buoy-2": "E1"}
    match = begun(variant_of(variant, rules=["test.armour"]), fleet, fleet)
    for cells in (("A1", "B1"), ("A1", "B1"), ("C1", "E1"), ("C1", "E1")):
        salvo(match, *cells)

    assert match.options("ada").fire.count == 1
    assert match.refusals(Fire("ada", ["D1", "A1"]))[0].args == {"due": 1, "given": 2}
    assert [event.at for event in of_type(salvo(match, "D1"), "shot_fired")] == ["D1"]


# Tactical: points.


def test_a_purse_starts_with_1_and_gains_1_at_each_own_turn_the_first_included():
    match = begun(TACTICAL)

    assert points(match) == (2, 1)
    play(match, "J1")
    assert points(match) == (2, 2)
    play(match, "J1")
    assert points(match) == (3, 2)


def test_order_inside_the_commit_that_begins_the_battle():
    commit = begun(TACTICAL).commits[-1]

    assert types(commit) == [
        "fleet_placed", "battle_started", "points_gained", "points_gained", "turn_started", "points_gained",
    ]  # fmt: skip
    assert [(event.seat, event.reason) for event in of_type(commit, "points_gained")] == [
        ("ada", "points.start"),
        ("bo", "points.start"),
        ("ada", "points.income"),
    ]


def test_sinking_a_ship_gains_1_before_the_turn_ends():
    match = begun(TACTICAL)

    commit = play(match, "A2", "J1", "B2")

    assert types(commit) == [
        "shot_fired", "ship_sunk", "ability_disabled", "points_gained", "turn_ended", "turn_started", "points_gained",
    ]  # fmt: skip
    gained = of_type(commit, "points_gained")[0]
    assert (gained.seat, gained.amount, gained.reason) == ("ada", 1, "points.for_sinking")


def test_a_purse_never_holds_more_than_10_and_a_full_one_gains_nothing_and_no_event():
    match = begun(TACTICAL)
    cells = [name for name in match.grid.names if name[0] in "FGHIJ" and name not in ("G1", "G2", "G3", "I1", "I2")]
    for cell in cells[:8]:
        play(match, cell, cell)

    assert points(match) == (10, 9)
    assert types(play(match, cells[8])) == ["shot_fired", "turn_ended", "turn_started", "points_gained"]
    assert points(match) == (10, 10)
    assert types(play(match, cells[8])) == ["shot_fired", "turn_ended", "turn_started"]
    assert points(match) == (10, 10)


def test_of_a_gain_only_what_fits_below_the_cap_is_gained():
    match = begun(variant_of(TACTICAL, rules=[{"use": "points.start", "amount": 8}, "test.revenge"]))
    play(match, "A2", "J1")

    commit = play(match, "B2")

    gained = [(event.seat, event.amount, event.total) for event in of_type(commit, "points_gained")]
    assert gained == [("bo", 1, 10)]


def test_there_are_no_points_for_the_last_sinking():
    match = small(variant_of(SMALL, rules=["points.start", "points.for_sinking"]))

    commit = play(match, "A1", "B1", "A2")

    assert types(commit) == ["shot_fired", "ship_sunk", "match_ended", "fleet_revealed", "fleet_revealed"]
    assert points(match) == (1, 1)


def test_points_are_public():
    match = begun(TACTICAL)

    for seat in (*SEATS, None):
        gained = [(e["seat"], e["total"]) for e in match.told(seat) if e["type"] == "points_gained"]
        assert gained == [("ada", 1), ("bo", 1), ("ada", 2)]


# Tactical: using an ability.


def test_at_most_one_ability_a_turn_and_then_the_shot_which_ends_the_turn():
    match = begun(RICH)
    match.submit(UseAbility("ada", "sonar", "B2"))

    assert match.seat_to_move == "ada"
    assert match.refusals(UseAbility("ada", "sonar", "B2"))[0].args == {"ability": "sonar", "limit": "one_ability"}
    assert codes(match, UseAbility("ada", "recon", "B2")) == ["ability_limit"]
    play(match, "J1")
    assert codes(match, UseAbility("ada", "recon", "B2")) == ["not_your_turn"]
    play(match, "J1")
    match.submit(UseAbility("ada", "recon", "B2"))


def test_where_a_variant_drops_that_rule_a_turn_has_as_many_as_points_allow():
    match = begun(variant_of(RICH, drops=["core.one_ability"]))
    for _ in range(2):
        match.submit(UseAbility("ada", "recon", "B2"))

    assert codes(match, UseAbility("ada", "recon", "B2")) == ["not_enough_points"]


def test_an_ability_used_with_exactly_its_price_leaves_0():
    match = begun(TACTICAL)

    commit = match.submit(UseAbility("ada", "sonar", "B2"))

    assert types(commit) == ["points_spent", "ability_used", "cells_scanned"]
    assert points(match) == (0, 1)


def test_a_point_too_few_is_refused_with_price_and_purse():
    match = begun(TACTICAL)

    [refusal] = match.refusals(UseAbility("ada", "torpedo", {"from": "A5", "direction": "right"}))
    assert refusal.code == "not_enough_points"
    assert refusal.args == {"ability": "torpedo", "price": 3, "points": 2}


def test_an_ability_dies_with_its_ship_at_once_and_for_good():
    match = begun(TACTICAL)
    commit = play(match, "J1", "I1", "J2", "I2")

    [off] = of_type(commit, "ability_disabled")
    assert (off.seat, off.ability, off.ship, off.reason) == ("ada", "sonar", "destroyer", "sunk")
    assert codes(match, UseAbility("ada", "sonar", "B2")) == ["ability_disabled"]
    assert match.options("ada").abilities["sonar"].refusal.code == "ability_disabled"
    assert match.view("bo").opponent_abilities["sonar"].off == ("sunk",)
    assert match.view("bo").abilities["sonar"].off == ()


def test_an_ability_of_a_class_lives_while_one_ship_of_it_floats():
    variant = variant_of(
        RICH, fleet=[ShipClass("cruiser", 2), ShipClass("destroyer", 1, count=2)],
        abilities={"carrier": None, "battleship": None, "submarine": None},
    )  # fmt: skip
    fleet = {"cruiser": "E5-E6", "destroyer": "A1", "destroyer-2": "C1"}
    match = begun(variant, fleet, fleet)

    assert "ability_disabled" not in types(play(match, "J1", "A1"))
    assert match.options("ada").abilities["sonar"].refusal is None
    commit = play(match, "J2", "C1")
    assert [(e.ability, e.ship) for e in of_type(commit, "ability_disabled")] == [("sonar", "destroyer-2")]


def test_an_unpaid_or_refused_ability_changes_nothing():
    match = begun(RICH)

    assert codes(match, UseAbility("ada", "torpedo", {"from": "B2", "direction": "right"})) == ["bad_target"]
    assert codes(match, UseAbility("ada", "sonar", "K1")) == ["unknown_cell"]
    assert points(match) == (10, 9)


# Tactical: the five abilities.


def test_recon_tells_the_user_ships_hit_and_sunk_ones_too():
    match = begun(RICH)
    play(match, "A2", "J1", "B2", "J2", "A4", "J3")
    match.submit(UseAbility("ada", "recon", "B3"))

    scan = match.view("ada").target.scans[0]
    assert scan.area == ("A2", "B2", "C2", "A3", "B3", "C3", "A4", "B4", "C4")
    assert scan.cells == ("A2", "B2", "A4", "B4", "C4")
    assert (scan.count, scan.any) == (None, None)


def test_sonar_tells_the_user_the_number_of_ship_cells_not_yet_hit():
    match = begun(RICH)
    play(match, "A2", "J1", "A4", "J2")
    match.submit(UseAbility("ada", "sonar", "B3"))

    scan = match.view("ada").target.scans[0]
    assert (scan.count, scan.cells, scan.any) == (3, None, None)


def test_what_a_scan_found_is_told_to_the_user_alone_and_its_area_to_both():
    match = begun(RICH)
    match.submit(UseAbility("ada", "sonar", "A1"))

    told = {seat: match.told(seat)[-1] for seat in (*SEATS, None)}
    assert all(event["area"] == ["A1", "B1", "A2", "B2"] for event in told.values())
    assert told["ada"]["count"] == 2
    assert "count" not in told["bo"]
    assert "count" not in told[None]


def test_a_scan_over_cells_that_were_all_shot_is_allowed():
    match = begun(RICH)
    for cell in ("A1", "B1", "A2", "B2"):
        play(match, cell, "J" + cell[1] if cell[0] == "A" else "H" + cell[1])

    match.submit(UseAbility("ada", "sonar", "A1"))

    assert match.view("ada").target.scans[0].count == 0


def test_broadside_is_three_shots_as_one_batch_from_left_to_right():
    match = begun(RICH)

    commit = match.submit(UseAbility("ada", "broadside", {"at": "B2", "axis": "across"}))

    assert types(commit) == [
        "points_spent", "ability_used", *["shot_fired"] * 3, "ship_sunk", "ability_disabled", "points_gained",
    ]  # fmt: skip
    assert [event.at for event in of_type(commit, "shot_fired")] == ["A2", "B2", "C2"]
    assert match.seat_to_move == "ada"
    play(match, "J1")
    assert match.seat_to_move == "bo"


def test_broadside_goes_from_top_to_bottom_and_is_clipped():
    match = begun(RICH)

    commit = match.submit(UseAbility("ada", "broadside", {"at": "A10", "axis": "down"}))

    assert [event.at for event in of_type(commit, "shot_fired")] == ["A9", "A10"]


def test_in_an_attack_cells_already_shot_are_skipped():
    match = begun(RICH)
    play(match, "B2", "J1")

    commit = match.submit(UseAbility("ada", "broadside", {"at": "B2", "axis": "across"}))

    assert [event.at for event in of_type(commit, "shot_fired")] == ["A2", "C2"]


def test_an_attack_whose_every_cell_was_shot_is_refused_and_costs_nothing():
    match = begun(RICH)
    play(match, "A1", "J1", "B1", "J2", "C1", "J3")

    for target in ({"at": "B1", "axis": "across"}, {"at": "A1", "axis": "across"}):
        assert codes(match, UseAbility("ada", "broadside", target)) == ["nothing_to_shoot"]
    assert points(match) == (10, 10)
    assert {"at": "B1", "axis": "across"} not in list(match.options("ada").abilities["broadside"].targets)


def test_a_torpedo_runs_until_it_hits_and_is_told_as_it_goes():
    match = begun(RICH)

    commit = match.submit(UseAbility("ada", "torpedo", {"from": "A1", "direction": "down"}))

    assert [(event.at, event.told) for event in of_type(commit, "shot_fired")] == [("A1", "water"), ("A2", "hit")]


def test_a_torpedo_passes_cells_already_shot_silently_also_hit_ones():
    match = begun(RICH)
    play(match, "A2", "J1", "A3", "J2")

    commit = match.submit(UseAbility("ada", "torpedo", {"from": "A1", "direction": "down"}))

    assert [(event.at, event.told) for event in of_type(commit, "shot_fired")] == [("A1", "water"), ("A4", "hit")]


def test_a_torpedo_that_hits_nothing_shoots_the_whole_lane():
    match = begun(RICH)

    commit = match.submit(UseAbility("ada", "torpedo", {"from": "J1", "direction": "left"}))

    assert [event.at for event in of_type(commit, "shot_fired")] == [f"{letter}1" for letter in "JIHGFEDCBA"]


def armed(variant: Variant = RICH) -> Match:
    """Return a match in which ada has armed flak and bo is to move."""
    match = begun(variant)
    match.submit(UseAbility("ada", "flak"))
    play(match, "J1")
    return match


def test_what_is_armed_is_public():
    match = armed()

    for seat in (*SEATS, None):
        [mark] = match.view(seat).markers
        assert (mark.rule, mark.seat) == ("flak", "ada")


def test_flak_cancels_the_next_enemy_ability_whose_price_is_lost():
    match = armed()

    commit = match.submit(UseAbility("bo", "sonar", "B2"))

    assert types(commit) == ["points_spent", "ability_used", "effect_replaced", "unmarked"]
    assert points(match)[1] == 8
    for seat in (*SEATS, None):
        spent, used, cancelled, unmarked = match.told(seat)[-4:]
        assert (spent["type"], spent["seat"], spent["amount"]) == ("points_spent", "bo", 2)
        assert (used["type"], used["ability"], used["target"]) == ("ability_used", "sonar", "B2")
        assert (cancelled["type"], cancelled["by"], cancelled["what"]) == ("effect_replaced", "flak", "activate")
        assert (unmarked["type"], unmarked["rule"]) == ("unmarked", "flak")
        assert match.view(seat).markers == ()
    assert match.view("bo").target.scans == ()


def test_a_cancelled_ability_counts_as_that_turn_s_ability_and_the_next_one_acts():
    match = armed()
    match.submit(UseAbility("bo", "sonar", "B2"))

    assert codes(match, UseAbility("bo", "sonar", "B2")) == ["ability_limit"]
    play(match, "J1", "J2")
    assert types(match.submit(UseAbility("bo", "sonar", "B2")))[-1] == "cells_scanned"


def test_flak_cancels_flak():
    match = armed()

    commit = match.submit(UseAbility("bo", "flak"))

    assert types(commit) == ["points_spent", "ability_used", "effect_replaced", "unmarked"]
    assert match.view("ada").markers == ()
    play(match, "J1")
    assert types(match.submit(UseAbility("ada", "sonar", "B2")))[-1] == "cells_scanned"


def test_flak_lets_the_own_abilities_pass_and_stays_armed():
    match = armed()
    play(match, "J1")

    assert types(match.submit(UseAbility("ada", "sonar", "B2")))[-1] == "cells_scanned"
    assert len(match.view("ada").markers) == 1


def test_a_second_own_flak_while_one_is_armed_is_refused():
    match = armed()
    play(match, "J1")

    [refusal] = match.refusals(UseAbility("ada", "flak"))
    assert (refusal.code, refusal.args["limit"]) == ("ability_limit", "standing")
    assert codes(match, UseAbility("ada", "flak")) == ["ability_limit"]
    play(match, "J2")
    match.submit(UseAbility("bo", "sonar", "B2"))
    play(match, "J2")
    assert types(match.submit(UseAbility("ada", "flak")))[-1] == "marked"


def test_flak_is_disarmed_when_the_cruiser_sinks():
    match = armed()
    play(match, "E1", "J2", "E2", "J3")

    commit = play(match, "E3")

    assert types(commit)[:4] == ["shot_fired", "ship_sunk", "ability_disabled", "unmarked"]
    assert match.view("bo").markers == ()
    play(match, "J4")
    assert types(match.submit(UseAbility("bo", "sonar", "B2")))[-1] == "cells_scanned"


# What the page is silent about.


def test_the_same_cell_twice_is_refused_and_it_is_still_your_turn():
    match = begun(TACTICAL)
    play(match, "A2", "J1")

    assert codes(match, Fire("ada", "A2")) == ["already_shot"]
    assert match.seat_to_move == "ada"
    assert points(match) == (3, 2)


def test_a_shot_out_of_turn_before_both_fleets_stand_or_after_the_end_is_refused_each_with_its_reason():
    match = Match.new(CLASSIC, seats=SEATS)
    assert codes(match, Fire("ada", "A1")) == ["not_placed_yet"]
    match.submit(PlaceFleet("ada", ADA))
    assert match.refusals(Fire("ada", "A1"))[0].args == {"seats": ("bo",)}
    match.submit(PlaceFleet("bo", BO))
    assert codes(match, Fire("bo", "A1")) == ["not_your_turn"]
    match.submit(Resign("bo"))
    assert codes(match, Fire("ada", "A1")) == ["match_over"]
    assert codes(match, PlaceFleet("ada", BO)) == ["match_over"]


def test_a_time_out_is_refused_where_the_variant_has_no_rule_for_it():
    assert codes(begun(CLASSIC), TimeOut("ada")) == ["not_allowed"]


def test_an_ability_that_sinks_the_last_enemy_ship_ends_the_match_at_once():
    variant = variant_of(
        RICH,
        fleet=[ShipClass("battleship", 2)],
        abilities=dict.fromkeys(TACTICAL.abilities) | {"battleship": "broadside"},
    )
    match = begun(variant, {"battleship": "A1-A2"}, {"battleship": "A1-A2"})

    commit = match.submit(UseAbility("ada", "broadside", {"at": "A2", "axis": "down"}))

    assert types(commit) == [
        "points_spent", "ability_used", *["shot_fired"] * 3, "ship_sunk", "ability_disabled", "match_ended",
        "fleet_revealed", "fleet_revealed",
    ]  # fmt: skip
    assert match.outcome == Outcome("ada", "all_sunk")
    assert codes(match, Fire("ada", "J1")) == ["match_over"]


def test_a_torpedo_stops_when_the_match_is_over():
    variant = variant_of(
        RICH, fleet=[ShipClass("submarine", 1)], abilities=dict.fromkeys(TACTICAL.abilities) | {"submarine": "torpedo"}
    )
    match = begun(variant, {"submarine": "A1"}, {"submarine": "A3"})

    commit = match.submit(UseAbility("ada", "torpedo", {"from": "A1", "direction": "down"}))

    assert [event.at for event in of_type(commit, "shot_fired")] == ["A1", "A2", "A3"]
    assert match.outcome == Outcome("ada", "all_sunk")


def test_both_fleets_gone_after_one_batch_is_a_draw():
    match = begun(variant_of(TACTICAL, abilities={"carrier": "test.scuttle"}))
    play(match, "J1")

    commit = match.submit(UseAbility("bo", "test.scuttle"))

    assert match.outcome == Outcome(None, "both_sunk")
    assert types(commit) == [
        "ability_used", *["ship_sunk"] * 10, *["ability_disabled"] * 10, "match_ended", *["fleet_revealed"] * 2,
    ]  # fmt: skip
    assert [event.seat for event in of_type(commit, "ability_disabled")] == ["bo"] * 5 + ["ada"] * 5
    assert [event.seat for event in of_type(commit, "fleet_revealed")] == ["bo", "ada"]


def test_all_ships_of_a_batch_sink_then_all_their_abilities_are_off_then_reactions_run():
    match = begun(variant_of(TACTICAL, rules=["salvo"]))

    commit = salvo(match, "B2", "A2", "C4", "A4", "B4")

    assert types(commit)[5:11] == ["ship_sunk"] * 2 + ["ability_disabled"] * 2 + ["points_gained"] * 2
    assert [event.ability for event in of_type(commit, "ability_disabled")] == ["torpedo", "sonar"]


def test_a_started_ability_whose_ship_sinks_while_it_resolves_finishes():
    match = begun(variant_of(CLASSIC, abilities={"cruiser": "test.burst"}))

    commit = match.submit(UseAbility("ada", "test.burst", "A2"))

    assert types(commit) == ["ability_used", "ship_sunk", "ability_disabled", "shot_fired"]
    assert match.view("ada").target.hit == match.grid.cells("A2")


def test_a_passive_ability_acts_while_its_ship_floats_and_stops_at_once():
    match = begun(variant_of(CLASSIC, abilities={"destroyer": "test.plunder"}))

    assert "points_gained" in types(play(match, "A10"))
    play(match, "I1", "J1", "I2")
    assert match.view("bo").target.sunk_classes == ("destroyer",)
    assert "points_gained" not in types(play(match, "B10"))


def test_a_passive_ability_cannot_be_used():
    match = begun(variant_of(CLASSIC, abilities={"destroyer": "test.plunder"}))

    assert codes(match, UseAbility("ada", "test.plunder")) == ["not_allowed"]
    assert match.options("ada").abilities["test.plunder"].refusal.code == "not_allowed"


@pytest.mark.parametrize("placed", [(), ("ada",), ("bo",)])
@pytest.mark.parametrize(("seat", "winner"), [SEATS, SEATS[::-1]])
def test_a_seat_may_resign_before_the_battle(placed: tuple[str, ...], seat: str, winner: str):
    match = Match.new(CLASSIC, seats=SEATS)
    for who in placed:
        match.submit(PlaceFleet(who, ADA))

    commit = match.submit(Resign(seat))

    assert types(commit) == ["match_ended", "fleet_revealed", "fleet_revealed"]
    assert match.outcome == Outcome(winner, "resigned")
    shown = {event.seat: bool(event.ships) for event in of_type(commit, "fleet_revealed")}
    assert shown == {who: who in placed for who in SEATS}
    assert match.view(winner).target.ships is not None


@pytest.mark.parametrize(("seat", "winner"), [SEATS, SEATS[::-1]])
def test_a_seat_may_resign_in_turn_and_out_of_turn(seat: str, winner: str):
    match = begun(TACTICAL)

    match.submit(Resign(seat))

    assert match.outcome == Outcome(winner, "resigned")
    assert codes(match, Resign(winner)) == ["match_over"]


# Turns that pass, and matches that get nowhere.


def test_a_turn_in_which_a_seat_has_no_cell_left_passes_at_once():
    match = small(variant_of(SMALL, rules=[{"use": "test.armour", "seat": "ada"}, "test.two_for"]))
    match.submit(Fire("ada", ["A1", "A2"]))
    play(match, "B1")
    commit = match.submit(Fire("ada", ["B1", "B2"]))
    assert types(commit)[-2:] == ["turn_ended", "turn_started"]

    commit = play(match, "B2")

    assert types(commit) == ["shot_fired", "turn_ended", "turn_started", "turn_ended", "turn_started"]
    assert [event.seat for event in commit.events[1:]] == ["bo", "ada", "ada", "bo"]
    play(match, "A1", "A2")
    assert match.outcome == Outcome("bo", "all_sunk")


def test_a_match_in_which_nobody_has_a_cell_left_ends_as_a_draw():
    match = small(variant_of(SMALL, rules=["test.armour"], limits={"quiet_turns": 3}))

    commit = play(match, "A1", "A1", "A2", "A2", "B1", "B1", "B2", "B2")

    assert match.outcome == Outcome(None, "no_progress")
    assert types(commit) == [
        "shot_fired",
        *["turn_ended", "turn_started"] * 3,  # the turn of the shot, and so many without one
        "turn_ended",
        "match_ended",
        *["fleet_revealed"] * 2,
    ]


def test_a_match_without_a_shot_for_so_many_turns_is_a_draw_and_a_shot_starts_the_count_anew():
    match = small(variant_of(SMALL, drops=["core.must_shoot"], limits={"quiet_turns": 3}))
    for cells in ([], [], ["B1"], [], [], []):
        assert match.outcome is None
        match.submit(Fire(match.seat_to_move, cells))

    assert match.outcome == Outcome(None, "no_progress")


def test_where_nobody_must_shoot_a_turn_may_be_passed_but_not_shortened():
    match = begun(variant_of(SALVO, drops=["core.must_shoot"]))

    assert codes(match, Fire("ada", ["A1"])) == ["wrong_shot_count"]
    assert types(match.submit(Fire("ada", []))) == ["turn_ended", "turn_started"]
    assert match.seat_to_move == "bo"


@pytest.mark.parametrize("rules", [[], [{"use": "test.armour", "seat": "nobody"}]])
def test_where_a_cell_may_be_shot_again_it_may_be_hit_again_but_hurts_no_more(rules: list[dict[str, str]]):
    """The event of a shot is the same whether or not there is a rule that might have changed it."""
    match = begun(variant_of(CLASSIC, drops=["core.no_repeat"], rules=rules))
    play(match, "A2", "J1")

    commit = play(match, "A2")

    assert [(event.told, event.hit) for event in of_type(commit, "shot_fired")] == [("hit", False)]
    assert "ship_sunk" not in types(commit)


# Abilities and rules that end the match or the turn.


def test_an_ability_may_end_the_match_and_nothing_follows():
    match = begun(variant_of(TACTICAL, abilities={"carrier": {"use": "test.triumph", "price": 1}}))

    commit = match.submit(UseAbility("ada", "test.triumph"))

    assert types(commit) == ["points_spent", "ability_used", "match_ended", "fleet_revealed", "fleet_revealed"]
    assert match.outcome == Outcome("ada", "test.triumph")
    assert points(match)[0] == 1


def test_a_rule_may_end_the_match_before_an_announced_ability_acts():
    match = begun(variant_of(TACTICAL, rules=["test.no_abilities"]))

    commit = match.submit(UseAbility("ada", "sonar", "B2"))

    assert types(commit) == ["points_spent", "ability_used", "match_ended", "fleet_revealed", "fleet_revealed"]
    assert match.outcome == Outcome("bo", "test.used")


def test_an_ability_in_place_of_the_shot_ends_the_turn():
    match = begun(variant_of(CLASSIC, abilities={"cruiser": "test.ram"}))

    commit = match.submit(UseAbility("ada", "test.ram", "A2"))

    assert types(commit) == ["ability_used", "shot_fired", "turn_ended", "turn_started"]
    assert match.seat_to_move == "bo"


def test_a_match_ends_once_though_two_reasons_come_together():
    """A rule ends it with the very turn after which there was no progress for too long."""
    match = small(variant_of(SMALL, drops=["core.must_shoot"], limits={"quiet_turns": 2}, rules=["test.last_turn"]))
    match.submit(Fire("ada", []))

    commit = match.submit(Fire("bo", []))

    assert types(commit) == ["turn_ended", "match_ended", "fleet_revealed", "fleet_revealed"]
    assert match.outcome == Outcome(None, "test.last_turn")
