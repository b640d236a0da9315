"""What was told of several cells together and is not settled: counts of scans, and of shots without answers.

The grid, with one symbol for each cell, has no room for it.
"""

from collections.abc import Iterator

from irontide import CellSet, CellsScanned, Reported, View
from irontide_play.bots.reports import reported
from irontide_play.labels import ability_label, say, ship_label
from irontide_play.news import wrapped

MOST = 2
"""Lines that it takes at most."""


def counted(view: View, lang: str) -> list[str]:
    """Return what is still open, a short text for each scan and each report, the newest of each last.

    Nothing once the match is over.
    """
    return [] if view.outcome is not None else [*_scans(view, lang), *_reports(view, lang)]


def counted_lines(view: View, lang: str, columns: int) -> list[str]:
    """Return it in a few lines that fit; the oldest is left out where there is too much."""
    parts = counted(view, lang)
    lines: list[str] = []
    for start in range(len(parts)):
        said = " · ".join([*(["…"] if start else []), *parts[start:]])
        lines = wrapped(f"{say(lang, 'counted.head')} {said}", columns)
        if len(lines) <= MOST:
            break
    return lines


def _scans(view: View, lang: str) -> Iterator[str]:
    grid = view.grid
    for scan in view.target.scans:
        cells = grid.cells(*scan.area) - grid.cells(*(scan.blind or ()))
        found = _finding(scan)
        if found is not None and cells - view.target.shots:
            said = say(lang, f"counted.{found[0]}", found=found[1], size=len(cells))
            yield f"{ability_label(scan.ability, lang)} {place_name(view, cells)}: {said}"


def _finding(scan: CellsScanned) -> tuple[str, object] | None:
    """Return what a scan asked for and what it found; None where the grid shows it, or nothing was found."""
    found = {"count": scan.count, "any": scan.any, "ships": scan.ships, "distance": scan.distance}
    shown = {key: value for key, value in found.items() if value or (key == "distance" and value is not None)}
    return next(iter(shown.items()), None)


def _reports(view: View, lang: str) -> Iterator[str]:
    some = reported(view).some
    for report in view.target.reports:
        if view.grid.cells(*report.cells) & some:
            yield f"{' '.join(report.cells)}: {say(lang, 'counted.hits', hits=_hits(view, report, lang))}"


def _hits(view: View, report: Reported, lang: str) -> str:
    ships = (f"{ship_label(view.variant, ship, lang)} {hits}" for ship, hits in (report.ships or {}).items())
    return ", ".join(ships) or str(report.hits)


def place_name(view: View, cells: CellSet) -> str:
    """Return the name of an area: two of its corners where it is a rectangle, else all of its cells."""
    names = view.grid.list(cells)
    columns, rows = zip(*map(view.grid.position, names), strict=True)
    box = (max(columns) - min(columns) + 1) * (max(rows) - min(rows) + 1)
    return f"{names[0]}-{names[-1]}" if 1 < len(names) == box else " ".join(names)
