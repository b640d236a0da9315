"""Logs: written and read back, refused with line and reason where they are broken, folded without plugins, verified."""

import hashlib
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import irontide
import irontide_abilities
from irontide import (
    Ability,
    Area,
    CellSet,
    Context,
    Effects,
    Fire,
    IrontideError,
    LogError,
    Mark,
    Match,
    Note,
    PlaceFleet,
    PluginMissing,
    Refused,
    Registry,
    Scan,
    SetData,
    UseAbility,
    Verdict,
    VerdictKind,
    ability,
)
from irontide.codec import event_to_log
from irontide.frozen import thaw

FLEET = {"carrier": "A1-A5", "battleship": "C1-C4", "cruiser": "E1-E3", "submarine": "G1-G3", "destroyer": "I1-I2"}


def begun(variant: Any = "tactical", **options: Any) -> Match:
    match = Match.new(variant, seats=("ada", "bo"), seed=7, **options)
    match.submit(PlaceFleet("ada", FLEET))
    match.submit(PlaceFleet("bo", match.random_placement("bo")))
    return match


def some_turns(variant: Any = "tactical", **options: Any) -> Match:
    match = begun(variant, **options)
    match.submit(UseAbility("ada", match.variant.abilities["destroyer"].use, "C3"))
    match.submit(Fire("ada", "B2"))
    match.submit(Fire("bo", "A1"))
    return match


def played(variant: str, seed: int) -> Match:
    """Return a whole match of random commands, with an ability before each shot wherever one is affordable."""
    match = Match.new(variant, seats=("ada", "bo"), seed=seed)
    choose = random.Random(seed)  # noqa: S311 - a game, not a secret
    for seat in match.seats:
        match.submit(PlaceFleet(seat, match.random_placement(seat)))
    while (seat := match.seat_to_move) is not None:
        options = match.options(seat)
        usable = [(id_, option.targets) for id_, option in options.abilities.items() if option.refusal is None]
        if usable:
            id_, targets = choose.choice(usable)
            match.submit(UseAbility(seat, id_, choose.choice(list(targets)) if targets else None))
            continue
        match.submit(Fire(seat, choose.sample(list(match.grid.list(options.fire.cells)), options.fire.count)))
    return match


def signed(lines: list[dict[str, Any]]) -> str:
    """Return a log of these lines with the hashes that they should have, as somebody who knows the format writes it."""
    text, before = "", ""
    for line in lines:
        body = json.dumps({key: value for key, value in line.items() if key != "hash"}, ensure_ascii=False)
        body = json.dumps(json.loads(body), ensure_ascii=False, separators=(",", ":"))
        before = hashlib.sha256(f"{before}{body}".encode()).hexdigest()[:32]
        text += f'{body[:-1]},"hash":"{before}"}}\n'
    return text


def marked(**fields: Any) -> dict[str, Any]:
    """Return the data of an event that marks seat bo for flak."""
    return {"type": "marked", "id": "flak@bo#7", "rule": "flak", "seat": "bo", "side": "bo"} | fields


def parsed(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.split("\n") if line]


def refused(text: str) -> tuple[int, str]:
    """Return the line and the reason of the `LogError` that reading this text raises."""
    with pytest.raises(LogError) as error:
        Match.loads(text)
    with pytest.raises(LogError):
        irontide.verify(text)
    assert str(error.value) == f"line {error.value.line}: {error.value.reason}"
    return error.value.line, error.value.reason


# Writing and reading.


def test_a_log_is_a_header_and_one_line_a_commit():
    match = some_turns()

    header, *commits = parsed(match.dumps())

    assert header["format"] == 1
    assert (header["seats"], header["seed"], header["first"]) == (["ada", "bo"], 7, "ada")
    assert header["engine"] == irontide.__version__
    assert header["variant"]["id"] == "tactical"
    assert header["plugins"] == {"irontide_abilities": irontide.__version__}
    assert [line["commit"] for line in commits] == [1, 2, 3, 4, 5]
    assert commits[3]["command"] == {"type": "fire", "seat": "ada", "cells": ["B2"]}
    assert commits[4]["events"] == [thaw(event_to_log(event)) for event in match.commits[4].events]


def test_each_line_is_chained_to_the_one_before():
    text = some_turns().dumps()

    assert signed(parsed(text)) == text


def test_a_log_is_read_back_whole():
    match = some_turns()

    again = Match.loads(match.dumps())

    assert again.state == match.state
    assert again.commits == match.commits
    assert again.header == match.header
    assert again.variant == match.variant
    assert again.dumps() == match.dumps()
    for seat in ("ada", "bo", None):
        assert again.told(seat) == match.told(seat)
        assert again.view(seat) == match.view(seat)


@pytest.mark.parametrize("variant", ["classic", "salvo", "tactical"])
def test_a_match_read_back_at_any_commit_goes_on_as_the_other_did(variant: str):
    match = played(variant, seed=3)

    for number in range(0, match.number, 7):
        again = Match.loads(match.at(number).dumps())
        for commit in match.commits[number:]:
            assert again.submit(commit.command) == commit
        assert again.dumps() == match.dumps()


def test_lines_since_a_commit_are_what_a_store_appends(tmp_path: Path):
    match = begun()
    store = tmp_path / "match.jsonl"
    store.write_text("".join(f"{line}\n" for line in match.lines()), encoding="utf-8")
    before = match.number

    match.submit(Fire("ada", "B2"))
    match.submit(Fire("bo", "B2"))
    with store.open("a", encoding="utf-8") as file:
        file.writelines(f"{line}\n" for line in match.lines(since=before + 1))

    assert store.read_text(encoding="utf-8") == match.dumps()
    assert match.lines(since=match.number + 1) == []
    assert match.lines(since=-3) == match.lines()


def test_a_log_file_is_saved_and_loaded(tmp_path: Path):
    match = some_turns()
    path = tmp_path / "a match.jsonl"

    match.save(path)

    assert path.read_bytes() == match.dumps().encode("utf-8")
    assert Match.load(path).state == match.state
    assert Match.load(str(path)).state == match.state


def test_saving_replaces_the_file_and_leaves_nothing_beside_it(tmp_path: Path):
    match = begun()
    path = tmp_path / "match.jsonl"
    path.write_text("something else, much longer than a log" * 1000, encoding="utf-8")

    match.save(path)

    assert [file.name for file in tmp_path.iterdir()] == ["match.jsonl"]
    assert Match.load(path).dumps() == match.dumps()


def test_a_file_that_is_not_there_is_no_log_error(tmp_path: Path):
    with pytest.raises(FileNotFoundError):
        Match.load(tmp_path / "none.jsonl")


@pytest.mark.parametrize(
    "seat", ["Ädä", "ada 🚢", 'a"d\\a', "a\nd\ra", "a\x85da", "a\u2028da", "a\u2029da", "a\x1cda", "\x00"]
)
def test_a_name_of_any_text_comes_back(seat: str):
    match = Match.new("classic", seats=(seat, "bo"), seed=f"seed of {seat}")
    match.submit(PlaceFleet(seat, FLEET))

    again = Match.loads(match.dumps())

    assert again.seats == (seat, "bo")
    assert again.seed == f"seed of {seat}"
    assert again.state == match.state
    assert again.dumps() == match.dumps()


@pytest.mark.parametrize("text", ["\ud800", "a\udfff"])
def test_what_no_log_can_hold_is_refused_when_the_match_is_created(text: str):
    with pytest.raises(IrontideError):
        Match.new("classic", seats=(text, "bo"))
    with pytest.raises(IrontideError):
        Match.new("classic", seats=("ada", "bo"), seed=text)


# As it stood, and other ways on.


def test_a_match_as_it_stood_after_a_commit():
    match = some_turns()

    earlier = match.at(2)

    assert earlier.number == 2
    assert earlier.commits == match.commits[:2]
    assert earlier.dumps() == "".join(f"{line}\n" for line in match.lines()[:3])
    assert earlier.view("ada") == begun().view("ada")
    assert match.at(0).seat_to_move is None


def test_a_match_goes_another_way_from_an_earlier_commit():
    match = some_turns()
    before = match.dumps()

    other = match.at(2)
    other.submit(Fire("ada", "J10"))

    assert match.dumps() == before
    assert other.commits[-1].events[0].at == "J10"
    assert irontide.verify(other.dumps()).kind is VerdictKind.EXACT


@pytest.mark.parametrize("number", [-1, 6, 1000, True, "2", 2.0, None])
def test_a_commit_that_is_not_there(number: Any):
    with pytest.raises(IrontideError, match=r"no commit .*: they go from 0 to 5"):
        some_turns().at(number)


def test_a_fork_goes_its_own_way():
    match = some_turns()
    before = match.dumps()

    fork = match.fork()
    assert fork.dumps() == before
    fork.submit(Fire("ada", "J10"))
    match.submit(Fire("ada", "J9"))

    assert fork.commits[-1].events[0].at == "J10"
    assert match.commits[-1].events[0].at == "J9"
    assert fork.at(5).dumps() == match.at(5).dumps() == before


def test_a_command_for_an_earlier_commit_is_stale():
    match = begun()
    number = match.number
    match.submit(Fire("ada", "B2"), expect=number)
    before = match.dumps()

    with pytest.raises(Refused) as refusal:
        match.submit(Fire("bo", "B2"), expect=number)

    assert refusal.value.refusals[0].code == "stale"
    assert refusal.value.refusals[0].args == {"expect": 2, "number": 3}
    assert match.dumps() == before
    match.submit(Fire("bo", "B2"), expect=3)


# Broken logs.


def test_an_empty_text_is_no_log():
    for text in ("", "\n", "  \n \n"):
        assert refused(text) == (1, "the log is empty")


@pytest.mark.parametrize("cut", [1, 20, 300])
def test_a_log_cut_inside_a_line(cut: int):
    text = some_turns().dumps()
    last = len(text.splitlines())

    line, reason = refused(text[: -1 - cut])

    assert line == last
    assert "not JSON" in reason


def test_a_log_cut_anywhere_is_refused_or_is_the_match_as_it_stood():
    match = some_turns()
    text = match.dumps()
    stood = {match.at(number).dumps(): number for number in range(match.number + 1)}

    for end in range(len(text)):
        cut = text[:end]
        if cut in stood or f"{cut}\n" in stood:
            assert Match.loads(cut).number == stood.get(cut, stood.get(f"{cut}\n"))
        else:
            line, _ = refused(cut)
            assert line == max(1, len(cut.splitlines()))


def test_a_log_without_its_last_line_break_is_whole():
    match = some_turns()

    assert Match.loads(match.dumps().rstrip("\n")).dumps() == match.dumps()


def test_a_log_that_lost_a_line_in_the_middle():
    lines = some_turns().lines()

    assert refused("\n".join([*lines[:3], *lines[4:]]))[0] == 4


def test_reordered_lines():
    lines = some_turns().lines()
    lines[3], lines[4] = lines[4], lines[3]

    line, reason = refused("\n".join(lines))

    assert line == 4
    assert "reordered" in reason


def test_a_line_twice():
    lines = some_turns().lines()

    assert refused("\n".join([*lines, lines[-1]]))[0] == len(lines) + 1


def test_an_edited_line():
    text = some_turns().dumps().replace('"cells":["B2"]', '"cells":["B3"]')

    line, reason = refused(text)

    assert line == 5
    assert "edited" in reason


def test_an_edited_header():
    assert refused(some_turns().dumps().replace('"seed":7', '"seed":8'))[0] == 1


def test_any_byte_that_changes_is_noticed():
    text = some_turns().dumps()

    for place in range(0, len(text), 13):
        changed = "x" if text[place] != "x" else "y"
        line, _ = refused(text[:place] + changed + text[place + 1 :])
        assert line in {text[:place].count("\n") + 1, text[:place].count("\n") + 2}


def test_a_line_of_another_match():
    ours, theirs = some_turns().lines(), begun("tactical", first="bo").lines()

    line, reason = refused("\n".join([*ours[:2], theirs[2], *ours[3:]]))

    assert line == 3
    assert "of another match" in reason


def test_a_log_that_goes_on_as_another_match_did():
    match = begun()
    one, other = match.fork(), match.fork()
    one.submit(Fire("ada", "A1"))
    one.submit(Fire("bo", "A1"))
    other.submit(Fire("ada", "B1"))
    other.submit(Fire("bo", "A1"))

    assert refused("\n".join([*one.lines()[:-1], other.lines()[-1]]))[0] == 5


@pytest.mark.parametrize("junk", ["[]", "7", '"text"', "null", "{}", "not JSON", '{"format":1}', "\ufeff{}"])
def test_a_first_line_that_is_no_header(junk: str):
    assert refused(f"{junk}\n")[0] == 1


@pytest.mark.parametrize("junk", ["", "[]", "7", "null", "{}", "not JSON"])
def test_a_later_line_that_is_no_commit(junk: str):
    lines = some_turns().lines()

    assert refused("\n".join([*lines[:3], junk, *lines[3:]]))[0] == 4


def test_a_log_in_windows_line_ends():
    text = some_turns().dumps().replace("\n", "\r\n")

    assert refused(text)[0] == 1


def test_a_log_that_is_not_utf_8(tmp_path: Path):
    path = tmp_path / "match.jsonl"
    lines = some_turns().dumps().encode("utf-8").split(b"\n")
    lines[2] = lines[2].replace(b"ada", b"ad\xe4", 1)
    path.write_bytes(b"\n".join(lines))

    with pytest.raises(LogError, match="line 3: not UTF-8"):
        Match.load(path)


def test_a_log_of_a_newer_format():
    lines = parsed(some_turns().dumps())
    lines[0]["format"] = 2

    line, reason = refused(signed(lines))

    assert line == 1
    assert reason == "format 2 is newer than this code, which knows format 1"


def test_an_event_of_a_newer_version():
    lines = parsed(some_turns().dumps())
    lines[4]["events"][0]["v"] = 2

    line, reason = refused(signed(lines))

    assert line == 5
    assert "version 2 of 'shot_fired' is newer than this code, which knows version 1" in reason


Change = Callable[[list[dict[str, Any]]], object]

BAD_HEADERS: dict[str, Change] = {
    "an unknown key": lambda lines: lines[0].update(colour="red"),
    "no seats": lambda lines: lines[0].pop("seats"),
    "no format": lambda lines: lines[0].pop("format"),
    "format true": lambda lines: lines[0].update(format=True),
    "format a text": lambda lines: lines[0].update(format="1"),
    "format 1.0": lambda lines: lines[0].update(format=1.0),
    "format 0": lambda lines: lines[0].update(format=0),
    "seats a text": lambda lines: lines[0].update(seats="ab"),
    "seats numbers": lambda lines: lines[0].update(seats=[1, 2]),
    "three seats": lambda lines: lines[0].update(seats=["ada", "bo", "cy"]),
    "the same seat twice": lambda lines: lines[0].update(seats=["ada", "ada"]),
    "no seat": lambda lines: lines[0].update(seats=[]),
    "other seats": lambda lines: lines[0].update(seats=["cy", "di"]),
    "a first seat that is none": lambda lines: lines[0].update(first="cy"),
    "the other seat first": lambda lines: lines[0].update(first="bo"),
    "a first seat that is none, told so": lambda lines: (
        lines[0].update(first="cy"),
        lines[0]["events"][0].update(first="cy"),
    ),
    "three seats, told so": lambda lines: (
        lines[0].update(seats=["ada", "bo", "cy"]),
        lines[0]["events"][0].update(seats=["ada", "bo", "cy"]),
    ),
    "a seed of too many bits": lambda lines: lines[0].update(seed=1 << 1024),
    "a seed with a fraction": lambda lines: lines[0].update(seed=1.5),
    "seed true": lambda lines: lines[0].update(seed=True),
    "seed null": lambda lines: lines[0].update(seed=None),
    "plugins a list": lambda lines: lines[0].update(plugins=["irontide_abilities"]),
    "plugins with numbers": lambda lines: lines[0].update(plugins={"irontide_abilities": 1}),
    "a variant by id": lambda lines: lines[0].update(variant="tactical"),
    "a variant without a key": lambda lines: lines[0]["variant"].pop("fleet"),
    "a variant with an unknown key": lambda lines: lines[0]["variant"].update(colour="red"),
    "a variant of another id": lambda lines: lines[0]["variant"].update(id="other"),
    "a grid of texts": lambda lines: lines[0]["variant"].update(grid={"columns": "10", "rows": 10}),
    "another grid": lambda lines: lines[0]["variant"].update(grid={"columns": 12, "rows": 10}),
    "no opening events": lambda lines: lines[0].update(events=[]),
    "two opening events": lambda lines: lines[0].update(events=lines[0]["events"] * 2),
    "opening events of another kind": lambda lines: lines[0].update(
        events=[{"type": "battle_started", "first": "ada"}]
    ),
}


@pytest.mark.parametrize("change", BAD_HEADERS.values(), ids=BAD_HEADERS.keys())
def test_a_bad_header_is_refused_though_its_hash_fits(change: Change):
    lines = parsed(some_turns().dumps())
    change(lines)

    line, reason = refused(signed(lines))

    assert line == 1
    assert reason


BAD_COMMITS: dict[str, Change] = {
    "an unknown key": lambda lines: lines[4].update(colour="red"),
    "no events": lambda lines: lines[4].pop("events"),
    "no command": lambda lines: lines[4].pop("command"),
    "a commit twice": lambda lines: lines[4].update(commit=3),
    "commit a text": lambda lines: lines[4].update(commit="4"),
    "commit 4.0": lambda lines: lines[4].update(commit=4.0),
    "events null": lambda lines: lines[4].update(events=None),
    "events a mapping": lambda lines: lines[4].update(events={}),
    "events of texts": lambda lines: lines[4].update(events=["shot_fired"]),
    "an event without type": lambda lines: lines[4]["events"][0].pop("type"),
    "an event of no type": lambda lines: lines[4]["events"][0].update(type=None),
    "an event of an unknown type": lambda lines: lines[4]["events"][0].update(type="acme.exploded"),
    "an event's type a list": lambda lines: lines[4]["events"][0].update(type=["shot_fired"]),
    "an event with an unknown key": lambda lines: lines[4]["events"][0].update(colour="red"),
    "an event without a key": lambda lines: lines[4]["events"][0].pop("at"),
    "an event's cell a number": lambda lines: lines[4]["events"][0].update(at=12),
    "an event's hit a number": lambda lines: lines[4]["events"][0].update(hit=1),
    "an event's number true": lambda lines: lines[4]["events"][3].update(total=True),
    "an event's number with a fraction": lambda lines: lines[4]["events"][3].update(total=1.9),
    "an event's cause a text": lambda lines: lines[4]["events"][0].update(cause="1"),
    "an event's audience a text": lambda lines: lines[4]["events"][0].update(to="ada"),
    "an event of a seat that is none": lambda lines: lines[4]["events"][0].update(by="cy"),
    "an event at a cell that is none": lambda lines: lines[4]["events"][0].update(at="K1"),
    "an event's version a text": lambda lines: lines[4]["events"][0].update(v="1"),
    "an event's version 0": lambda lines: lines[4]["events"][0].update(v=0),
    "a marker goes that never was": lambda lines: lines[4]["events"].append(
        {"type": "unmarked", "id": "flak@bo#1", "rule": "flak", "seat": "bo"}
    ),
    "a marker that ends in no known way": lambda lines: lines[4]["events"].append(marked(ends="tomorrow")),
    "a marker that ends at a turn of no number": lambda lines: lines[4]["events"].append(
        marked(ends=["end", "bo", "x"])
    ),
    "a marker that ends at a turn true": lambda lines: lines[4]["events"].append(marked(ends=["end", "bo", True])),
    "a marker that ends in a turn": lambda lines: lines[4]["events"].append(marked(ends=["in", "bo", 3])),
    "a marker that ends at a turn of nobody": lambda lines: lines[4]["events"].append(marked(ends=["end", None, 3])),
    "a marker that ends at a turn and more": lambda lines: lines[4]["events"].append(marked(ends=["end", "bo", 3, 4])),
    "a command of an unknown type": lambda lines: lines[4]["command"].update(type="surrender"),
    "a command without a seat": lambda lines: lines[4]["command"].pop("seat"),
    "a command with an unknown key": lambda lines: lines[4]["command"].update(colour="red"),
    "a command's seat a number": lambda lines: lines[4]["command"].update(seat=1),
    "a command that is a text": lambda lines: lines[4].update(command="fire B2"),
    "a command that is a list": lambda lines: lines[4].update(command=[]),
}


@pytest.mark.parametrize("change", BAD_COMMITS.values(), ids=BAD_COMMITS.keys())
def test_a_bad_commit_is_refused_though_its_hash_fits(change: Change):
    lines = parsed(some_turns().dumps())
    change(lines)

    line, reason = refused(signed(lines))

    assert line == 5
    assert reason


ELSEWHERE: dict[str, tuple[int, Change]] = {
    "a second opening": (5, lambda lines: lines[4]["events"].append(lines[0]["events"][0])),
    "a ship that is none": (3, lambda lines: _berth(lines).update(zoe=_berth(lines).pop("destroyer"))),
    "a ship too few": (3, lambda lines: _berth(lines).pop("destroyer")),
    "no ships": (3, lambda lines: lines[2]["events"][0].update(ships=None)),
    "a ship without cells": (3, lambda lines: _berth(lines).update(destroyer=[])),
    "a ship too long": (3, lambda lines: _berth(lines).update(destroyer=["J1", "J2", "J3"])),
    "a ship off the grid": (3, lambda lines: _berth(lines).update(destroyer=["J10", "J11"])),
    "two ships in one place": (3, lambda lines: _berth(lines).update(cruiser=_berth(lines)["submarine"])),
    "a number of more than 1024 bits": (5, lambda lines: lines[4]["events"][3].update(total=1 << 1024)),
    "a sinking of no ship": (5, lambda lines: lines[4]["events"].append(
        {"type": "ship_sunk", "seat": "bo", "class": "zoe", "ship": "zoe"})),
    "a repair of no ship": (5, lambda lines: lines[4]["events"].append(
        {"type": "cell_repaired", "seat": "bo", "class": "zoe", "ship": "zoe", "at": "A1"})),
    "a move of no ship": (5, lambda lines: lines[4]["events"].append(
        {"type": "ship_moved", "seat": "bo", "ship": "zoe", "cells": ["A1"]})),
    "a move to nowhere": (5, lambda lines: lines[4]["events"].append({"type": "ship_moved", "seat": "bo"})),
    "a marker on no ship": (5, lambda lines: lines[4]["events"].append(marked(on="zoe"))),
    "a marker of no seat": (5, lambda lines: lines[4]["events"].append(marked(seat="cy"))),
    "a marker on the side of no seat": (5, lambda lines: lines[4]["events"].append(marked(side="cy"))),
    "a winner that is no seat": (5, lambda lines: lines[4]["events"].append(
        {"type": "match_ended", "winner": "cy", "reason": "resigned"})),
    "a turn that ends of no seat": (5, lambda lines: lines[4]["events"].append({"type": "turn_ended", "seat": "cy"})),
}  # fmt: skip


def _berth(lines: list[dict[str, Any]]) -> dict[str, Any]:
    """Return where the ships of bo lie."""
    ships: dict[str, Any] = lines[2]["events"][0]["ships"]
    return ships


@pytest.mark.parametrize(("place", "change"), ELSEWHERE.values(), ids=ELSEWHERE.keys())
def test_an_event_of_no_match_by_these_rules_is_refused_though_its_hash_fits(place: int, change: Change):
    lines = parsed(some_turns().dumps())
    change(lines)

    line, reason = refused(signed(lines))

    assert line == place
    assert reason


def test_a_ship_and_a_marker_of_this_match_are_read():
    lines = parsed(some_turns().dumps())
    destroyer = _berth(lines)["destroyer"]
    lines[4]["events"] += [
        {"type": "ship_moved", "seat": "bo", "ship": "destroyer", "cells": destroyer},
        marked(on="destroyer"), marked(id="flak@bo#8", on=["A1"]),
    ]  # fmt: skip

    marks = Match.loads(signed(lines)).state.marks
    assert (marks["flak@bo#7"].on, marks["flak@bo#8"].on) == ("destroyer", CellSet(1))


@pytest.mark.parametrize("junk", [b"{}", None, 5, ["{}"], "\ud800", "{}\ud800"])
def test_what_is_no_text_that_can_be_written_is_no_log(junk: Any):
    assert refused(junk)[1].startswith("a log is a text that can be written as UTF-8, not ")


def test_a_fault_in_an_event_is_told_with_its_path():
    lines = parsed(some_turns().dumps())
    lines[4]["events"][3]["total"] = 1.9

    assert refused(signed(lines)) == (5, "events[3].total: expected an integer, not 1.9")


def test_a_log_that_tells_a_seat_the_end_of_what_it_was_never_told_is_refused_when_that_seat_is_asked_for():
    lines = parsed(some_turns().dumps())
    lines[4]["events"] += [marked(to=["bo"]), {"type": "unmarked", "id": "flak@bo#7", "rule": "flak", "seat": "bo"}]
    match = Match.loads(signed(lines))

    for ask in (match.view, match.told, match.view):
        with pytest.raises(LogError, match=r"^line 5: an event does not fit what was told: KeyError"):
            ask("ada")
    assert match.told("bo")


# Without the plugins.


@ability("lost.lamp", price=1, target=Area(3, 3))
class Lamp(Ability):
    """Looks, marks, remembers and tells: all that leaves something behind."""

    def use(self, ctx: Context, area: Area) -> Effects:
        yield Scan(area.cells, tell="any")
        yield Mark(area.cells, public=True)
        yield SetData("n", ctx.random.below(1000))
        yield Note("lost.lamp.lit", args={"seat": ctx.seat.name})


class Lost:
    """A plugin that will not be there."""

    @irontide.hookimpl
    def irontide_register(self, registry: Any) -> None:
        registry.ability(Lamp)


def registry_with(version: str | None) -> Registry:
    """Return the default registry, with the plugin in this version or (None) without it."""
    registry = Registry.default()
    if version is not None:
        registry.register(Lost(), "lost", version)
    return registry


def lost_match(version: str = "1.0") -> Match:
    registry = registry_with(version)
    variant = registry.variant("tactical").but(id="lost.tactical", abilities={"destroyer": "lost.lamp"})
    return some_turns(variant, registry=registry)


def test_a_log_folds_without_the_plugins_it_was_played_with():
    match = lost_match()

    folded = Match.loads(match.dumps(), registry=registry_with(None))

    assert folded.state == match.state
    assert folded.commits == match.commits
    assert folded.variant == match.variant
    assert folded.seat_to_move == "ada"
    for seat in ("ada", "bo", None):
        assert folded.told(seat) == match.told(seat)
        assert folded.view(seat) == match.view(seat)
        assert irontide.fold_view(folded.variant, seat, folded.told(seat)) == match.view(seat)
    assert folded.dumps() == match.dumps()
    assert folded.at(2).state == match.at(2).state


def test_a_log_folds_without_any_plugin_at_all():
    match = lost_match()

    assert Match.loads(match.dumps(), registry=Registry()).state == match.state


def test_a_match_without_its_plugins_cannot_go_on():
    folded = Match.loads(lost_match().dumps(), registry=registry_with(None))
    before = folded.dumps()

    for way_on in (
        lambda: folded.submit(Fire("ada", "J10")),
        lambda: folded.options("ada"),
        lambda: folded.refusals(Fire("ada", "J10")),
        lambda: folded.random_placement("ada"),
        lambda: folded.fork().submit(Fire("ada", "J10")),
    ):
        with pytest.raises(PluginMissing, match=r"lost 1\.0"):
            way_on()
    assert folded.dumps() == before


def test_a_log_that_was_lying_without_its_plugin_goes_on_with_it():
    match = lost_match()
    folded = Match.loads(match.dumps(), registry=registry_with(None))

    again = Match.loads(folded.dumps(), registry=registry_with("1.0"))

    assert again.submit(Fire("ada", "J10")) == match.submit(Fire("ada", "J10"))


@pytest.mark.parametrize("id_", ["", "lamp", "lost.lamp@ada#", "lost.lamp@ada#x", "lost.lamp@ada#own2"])
def test_a_marker_of_a_forged_name_does_not_stand_in_the_way_of_the_next(id_: str):
    lines = parsed(lost_match().dumps())
    [marked] = [event for line in lines for event in line["events"] if event["type"] == "marked"]
    marked["id"] = id_
    match = Match.loads(signed(lines), registry=registry_with("1.0"))
    match.submit(Fire("ada", "J10"))
    match.submit(Fire("bo", "J10"))

    match.submit(UseAbility("ada", "lost.lamp", "C3"))

    assert [*match.state.marks] == [id_, "lost.lamp@ada#1"]


# Verifying.


@pytest.mark.parametrize("variant", ["classic", "salvo", "tactical"])
def test_whole_matches_are_exact(variant: str):
    for seed in range(3):
        assert irontide.verify(played(variant, seed).dumps()) == Verdict(VerdictKind.EXACT)


def test_a_log_of_a_plugin_is_exact_where_it_is_installed():
    assert irontide.verify(lost_match().dumps(), registry=registry_with("1.0")).kind is VerdictKind.EXACT


def test_a_log_whose_plugin_is_absent_is_unverified():
    verdict = irontide.verify(lost_match().dumps(), registry=registry_with(None))

    assert verdict.kind is VerdictKind.UNVERIFIED
    assert verdict.why == "plugin lost 1.0 is absent"


def test_a_log_whose_plugin_is_of_another_version_is_unverified():
    verdict = irontide.verify(lost_match().dumps(), registry=registry_with("2.0"))

    assert verdict.kind is VerdictKind.UNVERIFIED
    assert verdict.why == "plugin lost 1.0 is here in version 2.0"


def test_a_log_of_another_version_of_a_built_in_plugin_is_unverified():
    registry = Registry()
    registry.register(irontide_abilities, "irontide_abilities", "99")

    assert irontide.verify(some_turns().dumps(), registry=registry).kind is VerdictKind.UNVERIFIED


def diverged(change: Change) -> Verdict:
    """Return the verdict on a log that was changed and signed anew, so that it reads well."""
    lines = parsed(some_turns().dumps())
    change(lines)
    verdict = irontide.verify(signed(lines))
    assert verdict.kind is VerdictKind.DIVERGED
    assert verdict.why
    return verdict


def test_a_changed_answer_diverges_at_its_field():
    verdict = diverged(lambda lines: lines[4]["events"][0].update(told="unknown"))

    assert (verdict.commit, verdict.event, verdict.field) == (4, 0, "told")
    assert "told='unknown'" in verdict.why


def test_changed_points_diverge_at_their_field():
    verdict = diverged(lambda lines: lines[5]["events"][3].update(amount=2))

    assert (verdict.commit, verdict.event, verdict.field) == (5, 3, "amount")


def test_an_event_too_few_diverges_at_its_place():
    verdict = diverged(lambda lines: lines[5]["events"].pop())

    assert (verdict.commit, verdict.event, verdict.field) == (5, 3, None)


def test_an_event_too_many_diverges_at_its_place():
    extra = {"type": "noted", "rule": "sonar", "key": "a.key"}

    verdict = diverged(lambda lines: lines[5]["events"].append(extra))

    assert (verdict.commit, verdict.event, verdict.field) == (5, 4, None)


def test_an_event_of_another_type_diverges_at_its_place():
    verdict = diverged(lambda lines: lines[5]["events"].__setitem__(1, {"type": "turn_ended", "seat": "ada"}))

    assert (verdict.commit, verdict.event) == (5, 1)
    assert diverged(lambda lines: lines[5]["events"].reverse()).field is None


def test_a_command_that_would_be_refused_diverges():
    verdict = diverged(lambda lines: lines[5]["command"].update(seat="ada"))

    assert (verdict.commit, verdict.event) == (5, None)
    assert "not_your_turn" in verdict.why


def test_a_command_that_was_not_written_as_it_is_read_diverges():
    verdict = diverged(lambda lines: lines[5]["command"].update(cells=["a1"]))

    assert verdict.commit == 5
    assert "command" in verdict.why


def test_events_without_a_command_diverge():
    verdict = diverged(lambda lines: lines[5].update(command=None))

    assert verdict.commit == 5


def test_only_the_first_difference_is_reported():
    def change(lines: list[dict[str, Any]]) -> None:
        lines[4]["events"][3]["total"] = 9
        lines[5]["events"][3]["total"] = 9

    assert diverged(change).commit == 4


# Size.


@pytest.mark.parametrize("variant", ["classic", "tactical"])
def test_a_log_takes_at_most_100_bytes_an_event(variant: str):
    for seed in range(3):
        match = played(variant, seed)
        events = sum(len(commit.events) for commit in match.commits)

        assert len(match.dumps().encode("utf-8")) <= 100 * events
