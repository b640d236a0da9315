"""What stands beside and below the grids: the state of both fleets, points, and abilities with their prices."""

from collections.abc import Mapping, Sequence
from typing import Final

from irontide import AbilityOption, Options, Refusal, ShipClass, ShipView, View
from irontide_play.board import Line, Mark, Piece, width
from irontide_play.entries import Reader
from irontide_play.labels import class_label, known, rule_label, say

LABEL: Final = 14
BAR: Final = 11
PANEL: Final = LABEL + 1 + BAR
ABILITY: Final = 39


def fleets(view: View, own: Mapping[str, ShipView], lang: str, *, plain: bool) -> list[Line]:
    """Return both fleets, a line for each class: the own ships cell by cell, the enemy's as told."""
    lines: list[Line] = [[Piece(say(lang, "panel.own"), "bold")]]
    for class_ in view.variant.fleet:
        ships = [_own(own[ship]) if ship in own else [Mark.UNKNOWN] * class_.cells for ship in class_.ships()]
        lines.append(_class(view, class_, ships, lang, plain=plain))
    lines.append([Piece(say(lang, "panel.enemy"), "bold")])
    for class_ in view.variant.fleet:
        sunk = view.target.sunk_ships
        ships = [[Mark.SUNK if ship in sunk else Mark.SHIP] * class_.cells for ship in class_.ships()]
        lines.append(_class(view, class_, ships, lang, plain=plain))
    return lines


def _own(ship: ShipView) -> list[Mark]:
    if not ship.afloat:
        return [Mark.SUNK] * len(ship.cells)
    return [Mark.HIT if cell in ship.hits else Mark.SHIP for cell in ship.cells]


def _class(view: View, class_: ShipClass, ships: Sequence[list[Mark]], lang: str, *, plain: bool) -> Line:
    line = [Piece(f"{class_label(view.variant, class_.id, lang)[:LABEL]:<{LABEL}}")]
    if sum(len(ship) + 1 for ship in ships) - 1 > BAR:
        afloat = sum(Mark.SUNK not in ship for ship in ships)
        return [*line, Piece(f" {afloat}/{len(ships)} x {class_.cells}")]
    for ship in ships:
        line.append(Piece(" "))
        line += [Piece(mark.symbol(plain=plain), mark.style) for mark in ship]
    return line


def abilities(view: View, options: Options, reader: Reader, columns: int) -> list[Line]:
    """Return points and abilities; nothing where the variant has none, and none once the match is over."""
    if not options.abilities or view.outcome is not None:
        return []
    lang = reader.lang
    head = say(lang, "panel.points", points=view.points, opponent=view.opponent, theirs=view.opponent_points)
    standing = [f"{rule_label(mark.rule, lang)}: {mark.seat}" for mark in view.markers]
    entries = [_ability(id_, option, view, reader) for id_, option in options.abilities.items()]
    across = max(1, columns // ABILITY)
    rows = [entries[place : place + across] for place in range(0, len(entries), across)]
    return [
        [Piece(" · ".join([head, *standing]), "bold")],
        *(
            [piece for place, entry in enumerate(row) for piece in _cell(entry, last=place == len(row) - 1)]
            for row in rows
        ),
    ]


def _ability(id_: str, option: AbilityOption, view: View, reader: Reader) -> Line:
    usage = reader.usage(id_, view.variant.ground)
    if option.refusal is None:
        return [Piece("+ ", "bold green"), Piece(f"{usage:<21}", "bold"), Piece(f"{option.price:>2}")]
    return [Piece(f"- {usage:<21}{option.price:>2} {_why(option, option.refusal, view, reader.lang)}", "dim")]


def _why(option: AbilityOption, refusal: Refusal, view: View, lang: str) -> str:
    if refusal.args.get("limit") == "one_ability" and option.price > view.points:
        return say(lang, "why.not_enough_points")
    keys = (f"play.why.{refusal.code}.{refusal.args.get('limit')}", f"play.why.{refusal.code}", "play.why.other")
    return next(found for key in keys if (found := known(lang, key)) is not None)


def _cell(entry: Line, *, last: bool) -> Line:
    return entry if last else [*entry, Piece(" " * (ABILITY - width(entry)))]
