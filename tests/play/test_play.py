"""Playing from standard input: whole matches, entries right and wrong, fleets, two people, saving, German."""

import json
import re

import pytest
from typer.testing import CliRunner

import irontide
from irontide import Match, Resign, UseAbility, ability
from irontide_play.arena import BotError
from irontide_play.cli import app

RUN = CliRunner()
EVERY = [f"{letter}{row}" for row in range(1, 11) for letter in "ABCDEFGHIJ"]


def play(*args, lines=(), code=0):
    result = RUN.invoke(
        app, ["play", *map(str, args)], input="".join(f"{line}\n" for line in lines), prog_name="irontide"
    )
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    assert result.exit_code == code, result.output
    assert "\x1b" not in result.output
    return result.stdout


def test_a_whole_tactical_match_from_standard_input(tmp_path):
    path = tmp_path / "match.jsonl"
    secret = Match.new("tactical", seats=("Admiral", "Random"), seed=1).random_placement("Random")
    cells = [cell for place in secret.values() for cell in place.cells]
    shown = play("tactical", "--opponent", "random", "--seed", 1, "--save", path, lines=["", "sonar C3", *cells])
    assert "Admiral wins: all ships of the other side are sunk." in shown
    assert "Tactical · the match is over" in shown
    assert f"{path}." in shown
    match = Match.load(path)
    assert match.outcome == irontide.Outcome("Admiral", "all_sunk")
    assert irontide.verify(path.read_text("utf-8")).kind is irontide.VerdictKind.EXACT
    assert max(len(line) for line in shown.splitlines() if str(path) not in line) <= 80


def test_a_whole_salvo_match_against_the_hunter():
    shown = play(
        "salvo", "--seed", 2, lines=["again", "again", *[" ".join(EVERY[n : n + 5]) for n in range(0, 100, 5)]]
    )
    assert "name 5 cells" in shown
    assert "The number of cells must be" in shown  # once a ship is lost, five are too many
    assert "It was not saved." in shown or "Good game!" in shown


def test_an_entry_that_is_no_answer_to_the_fleet_begins_the_battle():
    shown = play("classic", "--seed", 3, lines=["D7"])
    assert "Admiral fires at D7: water." in shown
    assert shown.endswith("The input ended before the match did.\nIt was not saved.\n")


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("Z9", "Z9 is no cell of this grid."),
        ("A0", "A0 is no cell of this grid."),
        ("1A", "1A is no cell of this grid."),
        ("A01", "A01 is no cell of this grid. Did you mean A1?"),
        ("d08 E9", "Did you mean D8 E9?"),
        ("7D", "7D is no cell of this grid. Did you mean D7?"),
        ("D 7", "D 7 means nothing here; did you mean D7?"),
        ("pass", "Nobody may pass here"),
        ("save .", ". cannot be written: it is a folder."),
        ("A1 B2", "The number of cells must be 1, not 2."),
        ("sonar", "Sonar needs a target. It is typed like this: sonar C3"),
        ("sonar Z9", "Z9 is no cell of this grid. It is typed like this: sonar C3"),
        ("broadside C3 across", "the purse holds 2."),
        ("flak C3 C4 C5", "Flak takes no target. It is typed like this: flak"),
        ("snoar C3", "snoar means nothing here; did you mean sonar?"),
        ("bananas", "bananas means nothing here. Name a cell such as D7, or type help."),
        ("A1 across", "across means nothing here"),
        ("fire", "Name a cell such as D7"),
        ("save", "Name a file"),
        ("save /nowhere/x", "/nowhere/x cannot be written: No such file or directory."),
    ],
)
def test_a_wrong_entry_says_why_and_asks_again(line, says):
    shown = play("tactical", "--seed", 1, lines=["", line, "quit"])
    assert says in " ".join(shown.split())
    assert shown.count("Admiral>") == 3
    assert shown.endswith("You left the match.\nIt was not saved.\n")


@pytest.mark.parametrize("line", ["C3", "fire C3", "radar c3"])
def test_an_island_is_called_one_and_nothing_is_guessed(line, tmp_path):
    path = tmp_path / "isle.toml"
    islands = '[[rules]]\nuse = "islands"\ncells = ["C3"]\n'
    path.write_text(f'id = "isle"\nbase = "tactical"\nabilities.cruiser = "radar"\n{islands}', "utf-8")
    shown = " ".join(play(path, "--seed", 1, lines=["", line]).split())
    assert "C3 is an island." in shown
    assert "mean" not in shown


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("torpedo A5", "It is typed like this: torpedo A5 right"),
        ("torpedo A5 left", "is not a target for this. It is typed like this: torpedo A5 right"),
        ("broadside C3 sideways", "It is typed like this: broadside C3 across"),
    ],
)
def test_a_target_that_is_none_is_answered_with_one_that_is(line, says, tmp_path):
    path = tmp_path / "rich.toml"
    path.write_text('id = "rich"\nbase = "tactical"\n[[rules]]\nuse = "points.start"\namount = 9\n', "utf-8")
    assert says in " ".join(play(path, "--seed", 1, lines=["", line]).split())


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        (["recon"], "Not enough points for Air Reconnaissance: it costs 4, the purse holds 2."),
        (["torpedo A5 right"], "Not enough points for Torpedo: it costs 3, the purse holds 2."),
        (["sonar C3", "sonar"], "Only one ability may be used in a turn."),
        (["sonar"], "Sonar needs a target. It is typed like this: sonar C3"),
    ],
)
def test_of_several_reasons_only_the_decisive_one_is_told(lines, says):
    shown = " ".join(play("tactical", "--seed", 1, lines=["", *lines]).split())
    assert f"> {lines[-1]} {says} The input ended" in shown


def test_every_ability_is_typed_as_its_target_reads(tmp_path):
    path = tmp_path / "match.jsonl"
    lines = ["", "FLAK", "A1", "A2", "Sonar c3", "B1", "B2", "C1", "torpedo a5 RIGHT", "c2", "D1", "D2", "E1", "F1"]
    lines += ["recon b9", "H1", "I1", "J1", "J2", "J3", "broadside j9 down"]
    play("tactical", "--opponent", "random", "--seed", 4, "--save", path, lines=lines)
    used = [commit.command for commit in Match.load(path).commits if isinstance(commit.command, UseAbility)]
    assert [(use.ability, use.target) for use in used if use.seat == "Admiral"] == [
        ("flak", None),
        ("sonar", "C3"),
        ("torpedo", {"from": "A5", "direction": "right"}),
        ("recon", "B9"),
        ("broadside", {"at": "J9", "axis": "down"}),
    ]


def test_help_and_log():
    shown = play("tactical", "--seed", 1, lines=["help", "", "help", "A1", "log"])
    assert "again - another random fleet" in shown
    assert "broadside C3 across - Broadside (Battleship, price 5): Three shots" in shown
    assert "· unknown  o water" in shown
    assert shown.count("Admiral fires at A1: ") == 2
    assert "A1 B2 C3 D4 E5 - fire a salvo: name 5 cells" in play("salvo", lines=["", "help"])


def test_resigning_shows_both_fleets():
    shown = play("classic", "--seed", 1, lines=["", "resign"])
    assert "Hunter wins: the other side resigned." in shown
    assert len(re.findall("■", shown.rpartition("over")[2])) >= 34
    assert shown.endswith("Good game!\n")


def test_save_and_go_on(tmp_path):
    first, second = tmp_path / "one.jsonl", tmp_path / "two.jsonl"
    shown = play("tactical", "--seed", 5, lines=["", "A1", f"save {first}", "quit"])
    assert shown.endswith(f"Go on with:\nirontide play --resume {first}\n")
    shown = play("--resume", first, "--save", second, lines=["B1"])
    assert "Admiral fires at B1" in shown
    assert Match.load(second).number > Match.load(first).number
    assert Match.load(second).lines()[: Match.load(first).number + 1] == Match.load(first).lines()


def test_going_on_with_a_match_before_its_battle_and_after_its_end(tmp_path):
    path = tmp_path / "match.jsonl"
    play("classic", "--seed", 5, "--save", path, lines=[])
    assert Match.load(path).view(None).placed == ("Hunter",)
    assert "Admiral fires at A1" in play("--resume", path, lines=["A1"])
    match = Match.load(path)
    match.submit(Resign("Admiral"))
    match.save(path)
    assert "the other side resigned" in play("--resume", path)


def test_a_fleet_placed_by_hand(tmp_path):
    path = tmp_path / "match.jsonl"
    lines = [
        "A1-A5", "A1-A4", "C1-C3", "C1-C9", "C4 - C1", "back", "C1-C4", "K1-K3", "nonsense",
        "E1-E3", "help", "random", "place", "back", "A1-E1", "A2 B2 C2 D2", "A3-C3", "A4-C4", "A5-B5", "J1",
    ]  # fmt: skip
    shown = play("classic", "--seed", 1, "--save", path, lines=lines)
    for part in (
        "Battleship, 4 cells> A1-A4",
        "lie on the same cell",
        "C1-C3 is no place for",
        "K1 is no cell of this grid",
        "nonsense is no cell of this grid",
        "Submarine, 3 cells> random",
        "Admiral fires at J1",
    ):
        assert part in shown
    ships = Match.load(path).view("Admiral").own.ships
    grid = Match.load(path).grid
    assert ships["carrier"].cells == grid.cells("A1", "B1", "C1", "D1", "E1")
    assert ships["destroyer"].cells == grid.cells("A5", "B5")


def test_quitting_while_the_fleet_is_placed():
    assert "You left the match." in play("classic", lines=["place", "quit"])
    assert "You left the match." in play("classic", lines=["place", "", "q"])


def test_german():
    shown = play(
        "tactical", "--lang", "de", "--seed", 1,
        lines=["hilfe", "nochmal", "", "hilfe", "torpedo A5 rechts", "breitseite C3 quer", "D7", "sonra", "aufgeben"],
    )  # fmt: skip
    for part in (
        "Eigenes Raster", "Zielraster", "Flugzeugträger ■■■■■", "Taktisch · am Zug: Admiral", "zu teuer",
        "Breitseite", "Admiral schießt auf D7", "vielleicht sonar?", "nochmal - eine",
        "Hunter gewinnt: Die andere Seite hat aufgegeben.", "Gut gespielt!", "torpedo A5 rechts",
    ):  # fmt: skip
        assert part in shown
    assert max(map(len, shown.splitlines())) <= 80


def test_two_people_at_one_keyboard(tmp_path):
    path = tmp_path / "match.jsonl"
    lines = ["D7", "", "again", "", "A1", "B1", "C1"]
    shown = play("tactical", "--opponent", "human", "--seed", 1, "--save", path, lines=lines)
    assert re.findall("--- (Red|Blue) ---", shown) == ["Red", "Blue", "Red", "Blue", "Red", "Blue"]
    assert "Red fires at A1" in shown
    assert "Blue fires at B1" in shown
    assert Match.load(path).seats == ("Red", "Blue")
    assert "Rot" in play("--opponent", "human", "--lang", "de", lines=[""])


BIG = """
id = "big"
base = "classic"
[grid]
columns = 26
rows = 12
[[fleet]]
class = "tee"
shape = ["xxx", ".x."]
count = 3
[[fleet]]
class = "raft"
length = 2
count = 2
labels = { en = "Raft", de = "Floß" }
"""


def test_wide_grids_and_shapes_fit_too(tmp_path):
    path = tmp_path / "big.toml"
    path.write_text(BIG, "utf-8")
    shown = play(
        path, "--seed", 1, lines=["place", "A1 B1 C1 B2", "E1 E2 E3 F2", "H1 I1 J1 I2", "A12-B12", "D12-E12", "Z12"]
    )
    assert "   ABCDEFGHIJKLMNOPQRSTUVWXYZ" in shown
    assert "tee 2, 4 cells> " in shown
    assert "Raft           ■■ ■■" in shown
    assert re.search(r"tee            ■■■ ■■■ ■■■.*\n +■   ■   ■", shown)
    assert "Admiral fires at Z12" in shown
    assert max(map(len, shown.splitlines())) <= 80


def test_a_narrow_terminal(monkeypatch):
    monkeypatch.setenv("COLUMNS", "60")
    shown = play("tactical", "--seed", 1, lines=["", "A1"])
    assert max(map(len, shown.splitlines())) <= 60


def test_a_terminal_that_has_ascii_only(monkeypatch):
    monkeypatch.setattr("rich.console.Console.encoding", "ascii")
    shown = play("tactical", "--seed", 1, lines=["A1"])
    assert "■" not in shown
    assert " S " in shown


@ability("acme.sonar", price=0, target=irontide.OneCell())
class AcmeSonar(irontide.Ability):
    """Looks at a cell."""

    def use(self, ctx, cell):
        yield irontide.Scan(cell.cells, tell="any")


@ability("acme.probe", price=0, target=irontide.Area(3, 3))
class Probe(irontide.Ability):
    """Looks at an area, and fails where it lies at the corner."""

    def use(self, ctx, area):
        if len(area.cells) < 9:
            raise RuntimeError("corner")
        yield irontide.Scan(area.cells, tell="cells")


class Acme:
    @irontide.hookimpl
    def irontide_register(self, registry):
        registry.ability(AcmeSonar)
        registry.ability(Probe)
        registry.variant(
            irontide.Registry.default()
            .variant("tactical")
            .but(id="acme", abilities={"cruiser": "acme.sonar", "submarine": "acme.probe"})
        )
        registry.bot("acme", lambda _: Broken())


class Broken:
    def command(self, view, options):
        raise RuntimeError("no idea")


@pytest.fixture
def acme(monkeypatch):
    registry = irontide.Registry.default()
    registry.register(Acme(), "acme")
    monkeypatch.setattr("irontide_play.host.Registry.default", lambda: registry)
    return registry


def test_abilities_of_a_plugin_need_nothing_of_their_own(acme):
    lines = ["", "help", "acme.sonar C3", "C3", "probe E5", "E5", "acme.probe G7", "G7", "sonar B9", "bananas"]
    shown = play("acme", "--opponent", "random", "--seed", 1, lines=lines)
    assert "acme.sonar C3" in shown  # "sonar" alone is the built-in one
    assert "probe C3 " in shown
    assert "Admiral uses acme.sonar on C3." in shown
    assert "Admiral uses acme.probe on E5." in shown
    assert "Admiral uses Sonar on B9." in shown
    assert "~" in shown


def test_what_went_wrong_in_a_plugin_is_told_the_host_at_the_end(acme):
    result = RUN.invoke(app, ["play", "acme", "--seed", "1"], input="\nprobe A1\nquit\n")
    assert result.exit_code == 0
    assert "acme.probe" in result.stderr
    assert result.stderr.count("\n") == 1


def test_a_bot_that_fails_gets_one_line_and_nothing_is_lost(acme, tmp_path):
    path = tmp_path / "match.jsonl"
    args = ["play", "classic", "--opponent", "acme", "--seed", "1", "--save", str(path)]
    result = RUN.invoke(app, args, input="A1\n")
    assert result.exit_code == 2
    assert result.stderr == "irontide: the bot acme failed: RuntimeError: no idea\n"
    assert json.loads(path.read_text("utf-8").splitlines()[-1])["command"]["cells"] == ["A1"]
    assert issubclass(BotError, irontide.IrontideError)
