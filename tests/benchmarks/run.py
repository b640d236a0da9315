"""Measure irontide against what is demanded of it; README.md tells how to read what this prints."""

import argparse
import itertools
import json
import platform
import sys
from collections.abc import Sequence
from typing import Any

import measures
import peers
from figures import Figure, table

from irontide import __version__


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure all, print it, and return 0 if every demand holds, else 1."""
    chosen = _parser().parse_args(arguments)
    engines, missing = peers.installed()
    for name in missing:
        print(f"{name} is not installed and left out: pip install -e '.[peers]'", file=sys.stderr)
    figures = measure(chosen.rounds, chosen.games, engines)
    print(json.dumps(report(figures, chosen, missing), indent=2) if chosen.json else table(figures))
    return 0 if all(figure.holds is not False for figure in figures) else 1


def measure(rounds: int, games: int, engines: Sequence[peers.Engine]) -> list[Figure]:
    """Return all figures."""
    numbers = itertools.count()  # no game comes twice
    return [
        *measures.speed(measures.draw_rounds(rounds, games, numbers), engines),
        *measures.logs("classic", measures.draw_rounds(rounds, games, numbers)),
        *measures.logs("tactical", measures.draw_rounds(rounds, games, numbers)),
        *measures.counting(measures.COUNTS),
        measures.placing(rounds * games),
    ]


def report(figures: Sequence[Figure], chosen: argparse.Namespace, missing: Sequence[str]) -> dict[str, Any]:
    """Return the figures as JSON data, with what they were measured on."""
    return {
        "irontide": __version__,
        "python": platform.python_version(),
        "rounds": chosen.rounds,
        "games": chosen.games,
        "missing": list(missing),
        "figures": [figure.to_json() for figure in figures],
    }


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description="Measure irontide against what is demanded of it.")
    parser.add_argument("--rounds", type=positive_integer, default=9, metavar="N", help="rounds that count (9)")
    parser.add_argument("--games", type=positive_integer, default=10, metavar="N", help="games in each round (10)")
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    return parser


def positive_integer(text: str) -> int:
    """Return the number that an option gives; argparse names this function where it is none."""
    if (number := int(text)) < 1:
        raise ValueError(text)
    return number


if __name__ == "__main__":
    sys.exit(main())
