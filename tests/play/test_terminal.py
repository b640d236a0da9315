"""Playing in a real (pseudo) terminal: grids, colours, a screen of its own, hiding between two people, Ctrl-C."""

import contextlib
import os
import re
import select
import signal
import struct
import subprocess
import sys
import time

import pytest

fcntl = pytest.importorskip("fcntl")
termios = pytest.importorskip("termios")
pty = pytest.importorskip("pty")

ALT, MAIN, CLEAR = "\x1b[?1049h", "\x1b[?1049l", "\x1b[2J"


class Screen:
    """A program in a pseudo-terminal, and what it has written since it was last asked."""

    def __init__(self, *args, rows=24, columns=80, **env):
        self.master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        clean = {key: value for key, value in os.environ.items() if key not in {"NO_COLOR", "COLUMNS", "LINES"}}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "irontide_play", *args],
            env={**clean, "PYTHONPATH": os.pathsep.join(sys.path), "TERM": "xterm-256color", "PYTHONUTF8": "1", **env},
            stdin=slave, stdout=slave, stderr=slave, start_new_session=True,
        )  # fmt: skip
        os.close(slave)
        self.all = ""

    def until(self, pattern):
        """Return what is written until it matches."""
        text = ""
        deadline = time.monotonic() + 20
        while not re.search(pattern, text):
            assert time.monotonic() < deadline, text
            text += self._read()
        self.all += text
        return text

    def _read(self):
        if not select.select([self.master], [], [], 0.2)[0]:
            return ""
        return os.read(self.master, 65536).decode("utf-8", "replace")

    def type(self, text):
        os.write(self.master, text.encode())

    def end(self):
        """Return the last of what is written and the exit code."""
        text = ""
        deadline = time.monotonic() + 20
        with contextlib.suppress(OSError):  # how Linux says that the other end is closed
            while time.monotonic() < deadline and (
                self.process.poll() is None or select.select([self.master], [], [], 0)[0]
            ):
                text += self._read()
        if self.process.poll() is None:
            self.process.kill()
        os.close(self.master)
        return text, self.process.wait(20)


def plain(text):
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", text)


def test_a_few_moves_in_a_terminal(tmp_path):
    screen = Screen("play", "tactical", "--seed", "3", "--save", str(tmp_path / "m.jsonl"))
    first = screen.until(r"Admiral> ")
    assert ALT in first
    assert "\x1b[1;32m■" in first
    screen.type("\r")
    screen.until(r"Admiral> ")
    screen.type("D7\r")
    board = screen.until(r"Admiral fires at D7[\s\S]*Admiral> ")
    assert CLEAR in board
    rows = plain(board).replace("\r", "").splitlines()
    start = max(number for number, row in enumerate(rows) if row.startswith("Tactical")) if rows else 0
    assert len(rows) - start <= 24
    assert "[o]" in plain(board)
    assert "\x1b[36mo" in board
    screen.type("D7\r")
    assert "D7 was shot already." in plain(screen.until(r"already\.[\s\S]*> "))
    screen.type("help\r")
    assert "unknown  o water" in plain(screen.until(r"small[\s\S]*> "))
    time.sleep(0.3)  # Python's input() misses a signal that comes just before it waits
    screen.process.send_signal(signal.SIGINT)
    last, code = screen.end()
    assert code == 0
    assert MAIN in last
    assert "Go on with" in plain(last)


@pytest.mark.parametrize(("args", "env"), [(["--no-color"], {}), ([], {"NO_COLOR": "1"})])
def test_without_colours(args, env):
    screen = Screen("play", "classic", "--seed", "3", *args, rows=40, columns=120, **env)
    board = screen.until(r"Admiral> ")
    assert not re.search(r"\x1b\[[0-9;]*3[0-7]m", board)
    screen.type("\r")
    screen.until(r"Admiral> ")
    screen.type("\x04")
    last, code = screen.end()
    assert code == 0
    assert "The input ended" in last


def test_two_people_do_not_see_each_other_s_board():
    screen = Screen("play", "--opponent", "human", "--seed", "1")
    screen.until(r"Red takes over[^\n]*Enter")
    screen.type("\r")
    assert "■" in screen.until(r"Red> ")
    screen.type("\r")
    hidden = screen.until(r"Blue takes over[^\n]*Enter")
    assert CLEAR in hidden
    assert "■" not in hidden.rpartition(CLEAR)[2]
    screen.type("\r")
    screen.until(r"Blue> ")
    screen.type("\r")
    screen.until(r"Red takes over[^\n]*Enter")
    screen.type("\r")
    screen.until(r"Red> ")
    screen.type("D7\r")
    assert "Red fires at D7" in screen.until(r"hide your board\. ")
    screen.type("\r")
    hidden = screen.until(r"Blue takes over[^\n]*Enter")
    assert CLEAR in hidden
    assert "■" not in hidden.rpartition(CLEAR)[2]
    screen.type("\r")
    assert "Red fires at D7" in screen.until(r"Blue> ")
    screen.type("resign\r")
    screen.until(r"Really give up\? ")
    screen.type("\r")
    screen.until(r"The match goes on[\s\S]*Blue> ")
    screen.type("resign\r")
    screen.until(r"Really give up\? ")
    screen.type("y\r")
    last, code = screen.end()
    assert code == 0
    assert "Red wins" in plain(last)


def test_placing_by_hand_in_a_terminal():
    screen = Screen("play", "--seed", "1")
    screen.until(r"Admiral> ")
    screen.type("A1-A5\r")
    screen.until(r"Battleship, 4 cells> ")
    screen.type("A1-A4\r")
    assert "lie on the same cell" in screen.until(r"Battleship, 4 cells> ")
    screen.type("quit\r")
    screen.until(r"placed by hand are not saved[\s\S]*Leave all the same\? \[y/N\] ")
    screen.type("\r")
    screen.until(r"Battleship, 4 cells> ")
    screen.type("quit\r")
    screen.until(r"\[y/N\] ")
    screen.type("y\r")
    assert screen.end()[1] == 0


def test_simulate_shows_its_progress_on_a_terminal():
    screen = Screen("simulate", "salvo", "--games", "60", "--seed", "1")
    shown, code = screen.end()
    assert code == 0
    assert "/60" in plain(shown)
    assert "60 of salvo, seed 1" in plain(shown)


def test_a_person_is_asked_before_anything_is_lost(tmp_path):
    path = tmp_path / "precious.txt"
    path.write_text("precious\n", "utf-8")
    screen = Screen("play", "classic", "--seed", "1", "--save", str(path))
    screen.until(r"Overwrite it\? \[y/N\] ")
    screen.type("\r")
    shown, code = screen.end()
    assert code == 2
    assert "was left as it is" in " ".join(plain(shown).split())
    screen = Screen("play", "classic", "--seed", "1")
    screen.until(r"Admiral> ")
    screen.type("\r")
    screen.until(r"Admiral> ")
    screen.type(f"save {path}\r")
    screen.until(r"Overwrite it\? \[y/N\] ")
    screen.type("n\r")
    screen.until(r"Admiral> ")
    assert path.read_text("utf-8") == "precious\n"
    screen.type("quit\r")
    screen.until(r"Leave all the same\? \[y/N\] ")
    screen.type("no\r")
    screen.until(r"The match goes on[\s\S]*Admiral> ")
    screen.type(f"save {path}\r")
    screen.until(r"Overwrite it\? \[y/N\] ")
    screen.type("yes\r")
    screen.until(r"Saved in[\s\S]*Admiral> ")
    screen.type("quit\r")
    assert screen.end()[1] == 0
    assert "match" in path.read_text("utf-8")


def test_between_two_people_quit_leaves_too(tmp_path):
    screen = Screen("play", "--opponent", "human", "--seed", "1", "--save", str(tmp_path / "m"))
    screen.until(r"Red takes over[^\n]*Enter")
    screen.type("quit\r")
    shown, code = screen.end()
    assert code == 0
    assert "--opponent human" in plain(shown)


def test_rules_are_wrapped_at_words_and_a_low_window_is_told():
    screen = Screen("explain", "tactical", columns=60)
    shown, code = screen.end()
    assert code == 0
    assert max(map(len, shown.splitlines())) < 60
    screen = Screen("play", "tactical", "--seed", "1", columns=60, rows=20)
    screen.until(r"Admiral> ")
    screen.type("\r")
    assert "The window is too low" in screen.until(r"Admiral> ")
    screen.type("\x04")
    assert screen.end()[1] == 0


def test_two_people_go_on_and_are_told_so_before_any_board_is_shown(tmp_path):
    path = tmp_path / "m"
    screen = Screen("play", "--opponent", "human", "--seed", "1", "--save", str(path))
    for seat in ("Red", "Blue"):
        screen.until(rf"{seat} takes over[^\n]*Enter")
        screen.type("\r")
        screen.until(rf"{seat}> ")
        screen.type("\r")
    screen.until(r"Red takes over[^\n]*Enter")
    screen.type("quit\r")
    assert screen.end()[1] == 0
    screen = Screen("play", "--resume", str(path))
    said = screen.until(r"Red takes over[^\n]*Enter")
    assert "both played by people" in " ".join(plain(said).split())
    assert "■" not in said
    screen.type("\r")
    screen.until(r"Red> ")
    screen.type("A1\r")
    screen.until(r"hide your board\. ")
    screen.type("quit\r")
    assert screen.end()[1] == 0
