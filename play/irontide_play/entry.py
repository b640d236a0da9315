"""The entry point of the command `irontide`: the command line, or one line that says what is missing for it."""

import sys


def main() -> None:
    """Run the command line; without its extra, say so in one line and exit with 2."""
    try:
        from irontide_play.cli import app
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in {"typer", "rich", "click"}:
            raise
        sys.stderr.write("irontide: the command line needs the extra `play`: pip install 'irontide[play]'\n")
        sys.exit(2)
    app(prog_name="irontide")
