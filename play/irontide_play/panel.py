"""What stands beside and below the grids: the state of both fleets, points, and abilities with their prices."""

from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Final

from irontide import AbilityOption, Options, Refusal, ShipClass, ShipView, View
from irontide_play.board import Line, Mark, Piece, width
from irontide_play.drawn import Picture, all_alike, straight, turned_back
from irontide_play.entries import Reader
from irontide_play.labels import by_itself, class_label, known, rule_label, say

LABEL: Final = 14
BAR: Final = 11
PANEL: Final = LABEL + 1 + BAR
GAP: Final = 2
"""Columns that are free between abilities beside each other."""


class Drawn(Enum):
    """Of which fleets the ships are drawn in their shape: the others, and straight ones anyway, are a row of cells."""

    BOTH = (True, True)
    ENEMY = (False, True)
    NONE = (False, False)


def fleets(view: View, own: Mapping[str, ShipView], lang: str, drawn: Drawn, *, plain: bool) -> list[list[Line]]:
    """Return each fleet with a line or more for each class: the own ships cell by cell, the enemy's as told."""
    sunk = view.target.sunk_ships
    mine: list[Line] = [[Piece(say(lang, "panel.own"), "bold")]]
    theirs: list[Line] = [[Piece(say(lang, "panel.enemy"), "bold")]]
    for class_ in view.variant.fleet:
        own_drawn, enemy_drawn = (wanted and not straight(class_) for wanted in drawn.value)
        ships = [
            _own(view, class_, own[ship], drawn=own_drawn) if ship in own else _all(class_, Mark.UNKNOWN, own_drawn)
            for ship in class_.ships()
        ]
        mine += _class(view, class_, ships, lang, plain=plain)
        told = [Mark.SUNK if ship in sunk else Mark.SHIP for ship in class_.ships()]
        theirs += _class(view, class_, [_all(class_, mark, enemy_drawn) for mark in told], lang, plain=plain)
    return [mine, theirs]


def _own(view: View, class_: ShipClass, ship: ShipView, *, drawn: bool) -> Picture:
    marks: dict[int, Mark] = dict.fromkeys(ship.cells, Mark.SHIP if ship.afloat else Mark.SUNK)
    marks |= dict.fromkeys(ship.hits if ship.afloat else (), Mark.HIT)
    return turned_back(class_, view.grid, marks) if drawn else [[marks[cell] for cell in ship.cells]]


def _all(class_: ShipClass, mark: Mark, drawn: bool) -> Picture:  # noqa: FBT001 - private
    return all_alike(class_, mark) if drawn else [[mark] * class_.cells]


def _class(view: View, class_: ShipClass, ships: Sequence[Picture], lang: str, *, plain: bool) -> list[Line]:
    label = f"{class_label(view.variant, class_.id, lang)[:LABEL]:<{LABEL}}"
    if sum(len(ship[0]) + 1 for ship in ships) - 1 > BAR:
        afloat = sum(Mark.SUNK not in ship[0] for ship in ships)
        return [[Piece(label), Piece(f" {afloat}/{len(ships)} x {class_.cells}")]]
    return [
        [
            Piece(label if row == 0 else " " * LABEL),
            *(piece for ship in ships for piece in [Piece(" "), *_row(ship[row], plain=plain)]),
        ]
        for row in range(len(ships[0]))
    ]


def _row(marks: Sequence[Mark | None], *, plain: bool) -> Line:
    return [Piece(mark.symbol(plain=plain), mark.style) if mark else Piece(" ") for mark in marks]


def abilities(view: View, options: Options, reader: Reader, columns: int) -> list[Line]:
    """Return points and abilities; nothing where the variant has none, and none once the match is over."""
    if not options.abilities or view.outcome is not None:
        return []
    lang = reader.lang
    head = say(lang, "panel.points", points=view.points, opponent=view.opponent, theirs=view.opponent_points)
    standing = [f"{rule_label(mark.rule, lang)}: {mark.seat}" for mark in view.markers]
    usages = {id_: reader.usage(id_, view.variant.ground) for id_ in options.abilities}
    typed = max(map(len, usages.values()))
    entries = [
        _ability(id_, option, view, f"{usages[id_]:<{typed}}", lang) for id_, option in options.abilities.items()
    ]
    wide = max(map(width, entries)) + GAP
    across = max(1, (columns + GAP) // wide)
    rows = [entries[place : place + across] for place in range(0, len(entries), across)]
    return [
        [Piece(" · ".join([head, *standing]), "bold")],
        *(
            [piece for place, entry in enumerate(row) for piece in _cell(entry, 0 if place == len(row) - 1 else wide)]
            for row in rows
        ),
    ]


def _ability(id_: str, option: AbilityOption, view: View, usage: str, lang: str) -> Line:
    if option.refusal is not None and by_itself(option.refusal) and not view.abilities[id_].off:
        return [Piece(f"  {usage}    {say(lang, 'why.by_itself')}", "dim")]
    if option.refusal is None:
        left = "" if option.left is None else f" {say(lang, 'panel.left', left=option.left)}"
        return [Piece("+ ", "bold green"), Piece(usage, "bold"), Piece(f" {option.price:>2}{left}")]
    return [Piece(f"- {usage} {option.price:>2} {_why(option, option.refusal, view, lang)}", "dim")]


def _why(option: AbilityOption, refusal: Refusal, view: View, lang: str) -> str:
    if by_itself(refusal):
        return say(lang, "why.ability_disabled")
    if refusal.args.get("limit") == "one_ability" and option.price > view.points:
        return say(lang, "why.not_enough_points")
    keys = (f"play.why.{refusal.code}.{refusal.args.get('limit')}", f"play.why.{refusal.code}", "play.why.other")
    return next(found for key in keys if (found := known(lang, key, **refusal.args)) is not None)


def _cell(entry: Line, wide: int) -> Line:
    return [*entry, Piece(" " * (wide - width(entry)))] if wide else entry
