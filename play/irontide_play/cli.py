"""The command line: its commands put together. Each is in the module that its kind is in."""

from typing import Annotated

import typer

from irontide import __version__
from irontide_play import catalog, logs
from irontide_play.check import check
from irontide_play.new import new
from irontide_play.play import play
from irontide_play.rules import rules
from irontide_play.simulate import simulate

app = typer.Typer(
    name="irontide",
    help="Battleship with rules that compose: play it, watch bots play it, look into its variants and logs.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def _version(asked: bool) -> None:
    if asked:
        typer.echo(f"irontide {__version__}")
        raise typer.Exit


@app.callback()
def main(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version.", is_eager=True, callback=_version)
    ] = False,
) -> None:
    """Battleship with rules that compose: play it, watch bots play it, look into its variants and logs."""


for name, command, short in (
    ("play", play, None),
    ("simulate", simulate, "Let bots play matches against each other."),
    ("replay", logs.replay, "Tell a saved match as sentences."),
    ("verify", logs.verify_files, None),
    ("variants", catalog.variants, None),
    ("abilities", catalog.abilities, None),
    ("rules", rules, "List the house rules, or show one."),
    ("explain", catalog.explain, "Explain a variant, an ability or a rule."),
    ("check", check, "Print every problem of a variant or a plugin."),
    ("new", new, "Make a package with an ability, a rule or a variant."),
):
    app.command(name, short_help=short)(command)
