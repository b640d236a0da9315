"""The commands on logs: `replay` tells a match as sentences, `verify` decides it again."""

import json
from pathlib import Path
from typing import Annotated, Any

import attrs
import typer

from irontide import Event, IrontideError, LogError, Match, Placement, VerdictKind, text, verify
from irontide_play.host import NO, WRONG_USE, JsonOption, Lang, LangOption, complain, load_registry, one_line_errors
from irontide_play.labels import say, ship_label
from irontide_play.news import sentence


def replay(
    file: Annotated[Path, typer.Argument(help="A saved match.")],
    *,
    seat: Annotated[str | None, typer.Option("--as", metavar="SEAT", help="Tell only what this seat was told.")] = None,
    lang: LangOption = Lang.EN,
) -> None:
    """Tell a saved match as sentences: what one seat was told, or (without --as) everything, fleets and all."""
    registry = load_registry()
    with one_line_errors(file):
        match = Match.load(file, registry)
        lines = (
            _all(match, lang) if seat is None else [sentence(told, lang, match.variant) for told in match.told(seat)]
        )
    typer.echo("\n".join(lines))


def _all(match: Match, lang: str) -> list[str]:
    """Return the true events as sentences, each commit with its number."""
    created = {"type": "match_created", "variant": match.variant.id, "seats": list(match.seats)}
    lines = [text(created, lang, match.variant)]
    for commit in match.commits:
        number = f"{commit.number:>4}  "
        for event in commit.events:
            data = _data(event)
            for line in [sentence(data, lang, match.variant), *_fleet(match, data, lang)]:
                lines.append(number + line)
                number = " " * len(number)
    return lines


def _data(event: Event) -> dict[str, Any]:
    """Return an event with all of its fields, as sentences need them."""
    fields = {field.name.rstrip("_"): getattr(event, field.name) for field in attrs.fields(type(event))}
    return {"type": event.type, **fields}


def _fleet(match: Match, data: dict[str, Any], lang: str) -> list[str]:
    ships: dict[str, tuple[str, ...]] = data.get("ships") or {}
    return [
        say(
            lang,
            "replay.ship",
            seat=data["seat"],
            ship=ship_label(match.variant, ship, lang),
            place=Placement(tuple(cells)),
        )
        for ship, cells in ships.items()
    ]


def verify_files(
    files: Annotated[list[Path], typer.Argument(help="Saved matches.")], *, as_json: JsonOption = False
) -> None:
    """Decide every command of saved matches again, and compare.

    Exits with 0 if all are exact, with 1 if one diverged or can't be verified because its plugins are not here, with 2
    if one can't be read. --json prints a list with an object for each file: file, verdict (exact, unverified, diverged
    or unreadable), why, commit, event and field (of the first difference, else null).
    """
    registry = load_registry()
    found: list[dict[str, Any]] = []
    for file in files:
        result: dict[str, Any] = {"file": str(file), "verdict": "unreadable", "why": "", "commit": None, "event": None}
        result["field"] = None
        try:
            Match.load(file, registry)
            verdict = verify(file.read_text("utf-8"), registry)
        except LogError as error:
            result["why"] = str(error)
        except (OSError, IrontideError) as error:
            result["why"] = getattr(error, "strerror", None) or str(error)
        else:
            result |= {**attrs.asdict(verdict), "verdict": verdict.kind.value}
            del result["kind"]
        found.append(result)
        if not as_json:
            _say(result)
    if as_json:
        typer.echo(json.dumps(found))
    raise typer.Exit(max(_code(result["verdict"]) for result in found))


def _say(result: dict[str, Any]) -> None:
    if result["verdict"] == "unreadable":
        complain(f"{result['file']}: {result['why']}")
        return
    where = "" if result["commit"] is None else f" at commit {result['commit']}"
    place = "" if result["event"] is None else f", event {result['event']}"
    field = "" if result["field"] is None else f", field {result['field']}"
    why = f": {result['why']}" if result["why"] else ""
    typer.echo(f"{result['file']}: {result['verdict']}{where}{place}{field}{why}")


def _code(verdict: str) -> int:
    return {"unreadable": WRONG_USE, VerdictKind.EXACT.value: 0}.get(verdict, NO)
