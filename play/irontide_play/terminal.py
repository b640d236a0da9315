"""The terminal: reads lines and shows styled ones; without one lines come from standard input and no codes go out."""

import contextlib
import io
import sys
from collections.abc import Generator, Iterable

from rich.console import Console
from rich.text import Text

from irontide_play.board import Line, Mark, Piece
from irontide_play.news import wrapped
from irontide_play.screen import Size


class Terminal:
    """Where a match is shown and played. Everything it shows goes to standard output."""

    def __init__(self, *, interactive: bool, color: bool = True) -> None:
        """Take whether a person sits at both ends, and whether colours are wanted; `NO_COLOR` takes them away too."""
        for stream in (sys.stdin, sys.stdout):
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(errors="replace")
        self.interactive = interactive
        self._console = Console(no_color=True if not color else None, highlight=False, markup=False, emoji=False)
        self._plain = not _encodes(self._console.encoding)

    @property
    def size(self) -> Size:
        """How much room there is now."""
        console = self._console
        return Size(console.width, console.height if self.interactive else None, self._plain)

    def read(self, prompt: str) -> str:
        """Return the next line that was typed.

        Raises:
            EOFError: there are no more.

        """
        if self.interactive:
            return input(prompt)
        line = sys.stdin.readline()
        if not line:
            raise EOFError
        self.say(f"{prompt}{line.rstrip()}")
        return line

    def show(self, lines: Iterable[Line]) -> None:
        """Show lines, as they are."""
        for line in lines:
            styled = Text.assemble(*((piece.text, piece.style) for piece in line))
            styled.rstrip()
            self._console.print(styled, no_wrap=True, overflow="ignore", crop=False)

    def say(self, text: str, style: str = "") -> None:
        """Show a text, wrapped where it is too long."""
        self.show([Piece(line, style)] for line in wrapped(text, self._console.width))

    def clear(self) -> None:
        """Begin a new screen; where there is none, leave a line free."""
        if self.interactive:
            self._console.clear()
        else:
            self._console.print()

    @contextlib.contextmanager
    def screen(self) -> Generator[None]:
        """Show on a screen of its own, that leaves nothing behind to scroll back to."""
        changed = self.interactive and self._console.set_alt_screen()
        try:
            yield
        finally:
            if changed:
                self._console.set_alt_screen(enable=False)


def remember_entries() -> None:
    """Let the arrow keys bring back earlier entries, where Python can."""
    with contextlib.suppress(ImportError):
        __import__("readline")


def _encodes(encoding: str) -> bool:
    try:
        "".join(mark.symbol(plain=False) for mark in Mark).encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return False
    return True
