"""Follow a tutorial of the guide to the letter, in an empty folder.

`python tests/walk.py PAGE FOLDER` does what a reader does, block by block: a `python` or `toml` block that begins with
the name of a file becomes that file; `sh` blocks are run, one after the other, in the folder and the environment that
the last one left; a `text` block holds what the block before it prints, where … stands for anything. A `sh` block after
the comment "fails" has to end with an exit code other than 0.
"""

import os
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

BLOCK = re.compile(r"(<!-- fails -->\n)?^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
NAMED = re.compile(r"# ([\w./-]+\.\w+)\n")
MARK = "-- where it ended --"
LEFT = f'code=$?; echo; echo "{MARK}"; pwd; env -0; exit $code'


class StepError(Exception):
    """A block does not do what the page says."""


def walk(text: str, folder: Path, env: Mapping[str, str]) -> int:
    """Follow a page in this folder and environment; return how many blocks were followed.

    Raises:
        StepError: a command failed, or printed something else.

    """
    printed, found = "", BLOCK.findall(text)
    for fails, language, body in found:
        if language == "sh":
            printed, folder, env = run(body, folder, env, fails=bool(fails))
        elif language == "text":
            if not pattern(body).fullmatch(printed):
                raise StepError(f"not printed:\n{body}\nbut:\n{printed}")
        elif named := NAMED.match(body):
            (folder / named[1]).write_text(body, encoding="utf-8")
        else:
            raise StepError(f"a block without the name of its file:\n{body}")
    return len(found)


def run(commands: str, folder: Path, env: Mapping[str, str], *, fails: bool) -> tuple[str, Path, Mapping[str, str]]:
    """Run commands as a shell would that is left open; return what they print, and where they leave it."""
    strict = "" if fails else "set -e\n"
    ran = subprocess.run(
        ["bash", "-c", f"{strict}{{\n{commands}\n}} 2>&1\n{LEFT}"],  # noqa: S607 - the first bash on the path
        cwd=folder,
        env=dict(env),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    printed, _, left = ran.stdout.partition(f"\n{MARK}\n")
    if bool(ran.returncode) is not fails:
        raise StepError(f"exit code {ran.returncode} of:\n{commands}\n{printed}{ran.stderr}")
    place, _, rest = left.partition("\n")
    return printed, Path(place), dict(one.split("=", 1) for one in rest.split("\0") if "=" in one)


def pattern(said: str) -> re.Pattern[str]:
    """Return what matches a text in which … stands for anything, a line of it for any lines."""
    lines = [
        r"(?:.*\n)*?" if line == "…" else re.escape(line).replace("…", ".*") + r" *\n" for line in said.splitlines()
    ]
    return re.compile("".join(lines))


if __name__ == "__main__":
    _, page, place = sys.argv
    print(walk(Path(page).read_text(encoding="utf-8"), Path(place), os.environ), "blocks followed")  # noqa: T201 - for whoever runs it
