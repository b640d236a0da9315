"""Every registered bot plays every variant to its end by the rules, on its view alone, alike each time."""

import pytest

import irontide
from irontide import Ability, Area, CellSet, Match, PlaceFleet, Scan, UseAbility, ability
from irontide_play.arena import LONGEST, BotError, Totals, move, play_game, play_games
from irontide_play.bots import Hunter, RandomBot, source
from irontide_play.bots import chart as charts
from irontide_play.bots.hunter import promise
from irontide_play.bots.reports import reported
from irontide_play.bots.shapes import places

REGISTRY = irontide.Registry.default()
CLASSIC = REGISTRY.variant("classic")
TINY = CLASSIC.but(id="tiny", grid={"columns": 4, "rows": 4}, fleet=[irontide.ShipClass("dinghy", 2)])
SHAPES = CLASSIC.but(
    id="shapes",
    grid={"columns": 12, "rows": 7},
    fleet=[
        irontide.ShipClass("hook", shape=("xx", "x."), count=2),
        irontide.ShipClass("hatchet", shape=("xxx", "..x"), mirror=True),
        irontide.ShipClass("dot", 1),
    ],
    rules=["no_touching"],
)


@ability("test.lamp", price=0, target=irontide.OneCell(known="open"), shoots=True)
class Lamp(Ability):
    """One more shot, for nothing."""

    def use(self, ctx, target):
        yield target.shots


@ability("test.any", price=1, target=Area(2, 2))
class AnyShip(Ability):
    """Whether there is a ship."""

    def use(self, ctx, area):
        yield Scan(area.cells, tell="any")


class Plugin:
    @irontide.hookimpl
    def irontide_register(self, registry):
        registry.ability(Lamp)
        registry.ability(AnyShip)
        registry.bot("test.rude", lambda _: Wrong("other"))
        registry.bot("test.broken", lambda _: Wrong("raise"))
        registry.bot("test.blind", lambda _: Wrong("refused"))
        registry.bot("test.lost", lambda _: Wrong("lost"))


class Wrong:
    def __init__(self, how):
        self.how = how

    def command(self, view, options):
        if self.how == "raise":
            raise RuntimeError("oh")
        if self.how == "other":
            return irontide.Resign(view.opponent)
        if self.how == "lost":
            return UseAbility(view.seat, "test.lamp", options.abilities["test.lamp"].targets[0])
        return irontide.Fire(view.seat, "Z9")


def with_plugin():
    registry = irontide.Registry.default()
    registry.register(Plugin(), "test")
    return registry


WITH = with_plugin()
STRANGE = WITH.variant("tactical").but(id="strange", abilities={"carrier": "test.lamp", "destroyer": "test.any"})
SALVO = REGISTRY.variant("salvo").but(id="salvo-apart", rules=[{"use": "no_touching", "corners": False}])
VARIANTS = [*REGISTRY.variants.values(), TINY, SHAPES, STRANGE, SALVO]


@pytest.mark.parametrize("bot", REGISTRY.bots)
@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.id)
def test_a_bot_plays_to_the_end_and_alike_each_time(bot, variant):
    one, again = (play_games(WITH, variant, (bot, "hunter"), 5, range(3)) for _ in range(2))
    assert one == again
    assert {game.reason for game in one} == {"all_sunk"}


@pytest.mark.parametrize(("variant", "most"), [("classic", 130), ("salvo", 60), ("tactical", 100)])
def test_hunter_beats_random(variant, most):
    games = play_games(REGISTRY, REGISTRY.variant(variant), ("hunter", "random"), 1, range(8))
    data = Totals(tuple(games)).data()
    assert data["wins"] == {"a": 8, "b": 0}
    assert data["turns"]["mean"] < most


@pytest.mark.parametrize(
    ("bot", "says"),
    [
        ("test.rude", "not for its own"),
        ("test.broken", "RuntimeError: oh"),
        ("test.blind", "refused: unknown_cell"),
    ],
)
def test_a_bad_bot_is_named(bot, says):
    with pytest.raises(BotError, match=says) as error:
        play_game(WITH, CLASSIC, (bot, bot), 1, 0)
    assert bot in str(error.value)


def test_bots_that_come_to_no_end_are_stopped(monkeypatch):
    monkeypatch.setattr("irontide_play.arena.LONGEST", 20)
    with pytest.raises(BotError, match="no end after 20"):
        play_game(WITH, CLASSIC, ("random", "random"), 1, 0)
    assert LONGEST > 20


def battle(variant, fleets, registry=REGISTRY):
    match = Match.new(variant, seats=("ada", "bo"), seed=1, registry=registry)
    for seat, fleet in zip(("ada", "bo"), fleets, strict=True):
        match.submit(PlaceFleet(seat, fleet))
    return match


def test_hunter_works_the_line_of_two_hits_until_the_ship_is_sunk():
    fleet = {
        "carrier": "C3-G3",
        "battleship": "A10-D10",
        "cruiser": "J1-J3",
        "submarine": "J5-J7",
        "destroyer": "A1-A2",
    }
    match = battle("classic", [fleet, fleet])
    bot = Hunter(source(1))
    for cell in ("E3", "F3"):
        match.submit(irontide.Fire("ada", cell))
        match.submit(irontide.Fire("bo", "J10" if cell == "E3" else "J9"))
    for _ in range(5):
        if match.view("ada").target.sunk_classes:
            break
        move(match, "ada", bot, "hunter")
        move(match, "bo", RandomBot(source(2)), "random")
    assert match.view("ada").target.sunk_classes == ("carrier",)
    assert charts.wounds(match.view("ada")) == CellSet()


def test_wounds_are_the_hits_that_a_laying_of_the_sunk_ships_leaves_over():
    fleet = {"carrier": "A1-E1", "battleship": "A3-D3", "cruiser": "A5-C5", "submarine": "A7-C7", "destroyer": "F1-G1"}
    match = battle("salvo", [fleet, fleet])
    for cells in (["F1", "G1", "E1", "J1", "J2"], ["J3", "J4", "J5", "J6", "J7"]):
        match.submit(irontide.Fire("ada", cells))
        fire = match.options("bo").fire
        match.submit(irontide.Fire("bo", match.grid.list(fire.cells)[-fire.count :]))
    view = match.view("ada")
    assert view.target.sunk_classes == ("destroyer",)
    assert charts.wounds(view) == view.grid.cells("E1", "G1")  # the destroyer is F1 and one of them


def test_places_of_a_shape_are_its_turns_and_mirrored_only_if_it_says_so():
    grid = irontide.Grid(3, 3)
    hook = irontide.ShipClass("hook", shape=("xxx", "..x"))
    assert len(places(hook, grid)) == 8
    assert len(places(irontide.ShipClass("hook", shape=("xxx", "..x"), mirror=True), grid)) == 16
    assert len(places(irontide.ShipClass("dot", 1), grid)) == 9


class NoShot(Plugin):
    @irontide.hookimpl
    def irontide_register(self, registry):
        registry.rule(Truce)


@irontide.rule("test.truce")
class Truce(irontide.Rule):
    """Nobody may fire."""

    @irontide.forbids(irontide.Fire)
    def no(self, ctx, command):
        return irontide.Refusal("test.truce", {})


@pytest.mark.parametrize("bot", ["hunter", "random"])
def test_a_bot_that_can_do_nothing_resigns(bot):
    registry = irontide.Registry.default()
    registry.register(NoShot(), "truce")
    variant = CLASSIC.but(id="truce", rules=["test.truce"])
    assert play_game(registry, variant, (bot, bot), 1, 0).reason == "resigned"


def test_hunter_judges_targets_by_their_form():
    match = battle("tactical", [Match.new("tactical", seats=("a", "b"), seed=1).random_placement("a")] * 2)
    chart = charts.Chart(match.view("ada"), match.options("ada"), 0)
    lane = promise(chart, {"from": "A5", "direction": "right"})
    assert lane > promise(chart, {"at": "B5", "axis": "across"}) > 0
    assert promise(chart, ["A1", "B1"]) == promise(chart, ["A1", "A2"]) > 0
    assert promise(chart, {"ship": "carrier"}) == 0


# House rules: several commands a turn, answers that are held back, cells that may be shot again, islands.


@pytest.mark.parametrize("bot", ["hunter", "random"])
@pytest.mark.parametrize(
    "rules",
    [
        ["salvo", "extra_shot_on_hit", {"use": "report", "level": "count"}],
        ["salvo", {"use": "report", "level": "ship", "when": "after_each"}, "repeat_shots"],
        ["silent_sinking", {"use": "islands", "count": 12}, "points.unused_shot"],
        ["no_touching", "wrecks_are_shown", "mark_around_wreck", "hit_names_ship"],
    ],
    ids=str,
)
def test_bots_play_by_house_rules(bot, rules):
    variant = CLASSIC.but(id="house", rules=rules)
    for number in range(3):
        assert play_game(REGISTRY, variant, (bot, bot), 1, number).reason == "all_sunk"


def begun_by(*rules):
    variant = CLASSIC.but(id="house", rules=rules)
    match = Match.new(variant, seats=("ada", "bo"), seed=1)
    for seat in match.seats:
        match.submit(PlaceFleet(seat, FLEET_OF_ROWS))
    return match


FLEET_OF_ROWS = {
    "carrier": "A1-E1", "battleship": "A3-D3", "cruiser": "A5-C5", "submarine": "A7-C7", "destroyer": "A9-B9"
}  # fmt: skip


def test_a_bot_reads_reports():
    match = begun_by({"use": "salvo", "per": 2}, "report")
    for seat, cells in (("ada", ["A1", "B1"]), ("bo", ["J1", "J2"]), ("ada", ["A3", "J3"]), ("bo", ["J4", "J5"])):
        match.submit(irontide.Fire(seat, cells))

    found = reported(match.view("ada"))

    assert found.hits == match.grid.cells("A1", "B1")
    assert found.some == match.grid.cells("A3", "J3")
    chart = charts.Chart(match.view("ada"), match.options("ada"), 0)
    assert chart.values[match.grid.cell("C1")] == charts.IN_LINE
    assert chart.values[match.grid.cell("J4")] > 0


def test_a_bot_shoots_again_only_where_nothing_else_is_left():
    match = begun_by("repeat_shots")
    match.submit(irontide.Fire("ada", "J1"))
    match.submit(irontide.Fire("bo", "J1"))
    chart = charts.Chart(match.view("ada"), match.options("ada"), 0)

    assert chart.values[match.grid.cell("J1")] == charts.REPEATED
    assert min(value for cell, value in chart.values.items() if cell != match.grid.cell("J1")) >= 0
