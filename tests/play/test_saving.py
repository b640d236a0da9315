"""Saving and going on: no file is lost, the hint at the end goes on with the same match, and nobody's seat is taken."""

import shlex

import pytest
from typer.testing import CliRunner

from irontide import Match, PlaceFleet, Resign
from irontide_play import session
from irontide_play.cli import app

RUN = CliRunner()


def play(*args, lines=(), code=0):
    text = "".join(f"{line}\n" for line in lines)
    result = RUN.invoke(app, ["play", *map(str, args)], input=text, prog_name="irontide")
    assert result.exit_code == code, result.output
    return result.stderr if code else result.stdout


def hinted(shown):
    """Return the arguments of the command that the last line names."""
    first, second, *args = shlex.split(shown.splitlines()[-1])
    assert (first, second) == ("irontide", "play")
    return args


@pytest.fixture
def precious(tmp_path):
    path = tmp_path / "precious.txt"
    path.write_text("precious\n", "utf-8")
    return path


def test_another_file_is_not_overwritten_without_force(precious):
    said = play("classic", "--save", precious, code=2)
    assert said.count("\n") == 1
    assert "--force" in said
    assert precious.read_text("utf-8") == "precious\n"
    play("classic", "--save", precious, "--force")
    assert Match.load(precious).variant.id == "classic"


def test_another_match_is_not_overwritten_either_but_an_empty_file_is(tmp_path):
    one, two = tmp_path / "one.jsonl", tmp_path / "two.jsonl"
    play("classic", "--seed", 1, "--save", one, lines=["", "A1"])
    text = one.read_text("utf-8")
    play("classic", "--seed", 2, "--save", one, code=2)
    play("classic", "--seed", 2, "--resume", one, code=2)
    assert one.read_text("utf-8") == text
    two.touch()
    play("--resume", one, "--save", two, lines=["B1"])
    assert Match.load(two).lines()[: text.count("\n")] == text.splitlines()
    play("--resume", one, "--save", two, code=2)  # it has gone on further than what is resumed
    assert one.read_text("utf-8") == text


def test_save_in_a_match_is_as_careful(precious, tmp_path):
    (tmp_path / "bytes").write_bytes(b"\xff\xfe")
    shown = play(
        "classic",
        lines=[
            "",
            f"save {precious}",
            f"save {tmp_path / 'bytes'}",
            f"save {tmp_path / 'a'}",
            "A1",
            f"save {tmp_path / 'a'}",
        ],
    )
    shown = " ".join(shown.split())
    assert shown.count("was left as it is") == 2
    assert shown.count("Saved in") == 2
    assert precious.read_text("utf-8") == "precious\n"


def test_a_folder_gets_one_clear_line(tmp_path):
    assert play("classic", "--save", tmp_path, code=2) == f"irontide: {tmp_path}: it is a folder\n"


def test_a_resumed_match_is_kept_in_its_file(tmp_path):
    path = tmp_path / "match.jsonl"
    args = hinted(play("tactical", "--seed", 1, "--save", path, lines=["", "A1", "quit"]))
    assert args == ["--resume", str(path)]
    before = Match.load(path).number
    assert hinted(play(*args, lines=["B1", "quit"])) == args
    assert Match.load(path).number > before


def test_what_came_after_the_last_save_is_named(tmp_path):
    shown = play("classic", "--seed", 1, lines=["", "A1", f"save {tmp_path / 'once'}", "B1", "quit"])
    assert "The last moves were not saved; what came before is in" in shown


def test_the_second_person_s_seat_is_given_to_no_bot(tmp_path):
    path = tmp_path / "h2.jsonl"
    options = ("--opponent", "human", "--lang", "de", "--no-color")
    args = hinted(play("classic", *options, "--save", path, lines=["", "", "A1"]))
    assert args == ["--resume", str(path), *options]
    shown = play("--resume", path)
    assert "Rot and Blau are both played by people" in " ".join(shown.split())
    assert "--- Blau ---" in shown
    assert Match.load(path).seat_to_move == "Blau"
    shown = play("--resume", path, "--opponent", "random", lines=["quit"])
    assert "Blau is played by the bot random" in " ".join(shown.split())


def test_a_person_who_was_still_placing_goes_on_placing(tmp_path):
    path = tmp_path / "h2.jsonl"
    play("classic", "--opponent", "human", "--save", path, lines=[""])
    assert "Enter begins with this fleet" in play("--resume", path)
    assert Match.load(path).view(None).placed == ("Red",)


def test_the_bot_that_played_goes_on_and_is_named(tmp_path):
    path = tmp_path / "match.jsonl"
    args = hinted(play("classic", "--opponent", "random", "--save", path, lines=["", "A1"]))
    assert args == ["--resume", str(path)]
    assert "Random is played by the bot random" in " ".join(play(*args, lines=["quit"]).split())


def test_only_the_last_turn_is_told_again(tmp_path):
    path = tmp_path / "match.jsonl"
    play("classic", "--opponent", "random", "--seed", 1, "--save", path, lines=["", "A1", "B1", "C1"])
    shown = play("--resume", path, lines=["quit"])
    assert "Admiral fires at C1" in shown
    assert "Admiral fires at B1" not in shown
    assert shown.count("[") == 2


def test_a_finished_match_is_only_shown(tmp_path):
    path = tmp_path / "match.jsonl"
    match = Match.new("tactical", seats=("Admiral", "Hunter"), seed=7)
    for seat in match.seats:
        match.submit(PlaceFleet(seat, match.random_placement(seat)))
    match.submit(Resign("Admiral"))
    match.save(path)
    shown = play("--resume", path)
    assert "Going on" not in shown
    assert "sonar" not in shown  # nothing can be used any more
    assert "the match is over" in shown


def test_a_finished_match_is_not_written_again_but_can_be_kept_elsewhere(tmp_path):
    path, other = tmp_path / "match.jsonl", tmp_path / "other.jsonl"
    play("classic", "--seed", 1, "--save", path, lines=["", "resign"])
    before = path.stat().st_mtime_ns
    assert str(path) in "".join(play("--resume", path).split())
    assert path.stat().st_mtime_ns == before
    play("--resume", path, "--save", other)
    assert other.read_bytes() == path.read_bytes()


def test_a_match_goes_on_when_saving_fails_in_the_middle_of_it(tmp_path, monkeypatch):
    saved = []

    def full(match, file):
        if len(saved) == 2:
            raise OSError(28, "No space left on device")
        saved.append(match.number)
        match.save(file)

    monkeypatch.setattr(session, "write", full)
    shown = play("classic", "--seed", 1, "--save", tmp_path / "one.jsonl", lines=["", "A1", "B1", "save", "quit"])

    assert "No space left on device" in shown
    assert "B1" in shown
    assert len(saved) == 2


def test_a_name_that_no_file_can_have_is_no_traceback(tmp_path):
    shown = play("classic", "--seed", 1, lines=["", "save a\0b", "quit"])

    assert "not a name for a file" in shown
