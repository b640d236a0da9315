"""The dialog of placing a fleet: a random one at once, another one, or ship by ship."""

import re
from typing import Final

import attrs

from irontide import CellSet, PlaceFleet, Placement, ShipView
from irontide_play.labels import known, say, ship_label
from irontide_play.screen import draft
from irontide_play.session import LeftError, Session, reasons

RANGE: Final = re.compile(r"\s*[A-Za-z]\d+\s*-\s*[A-Za-z]\d+\s*")

WORDS: Final = ("again", "random", "place", "back", "help", "quit")


@attrs.define
class Draft:
    """A fleet that is not yet placed: random number `n`, or the ships placed by hand so far."""

    session: Session
    seat: str
    n: int = 0
    by_hand: bool = False
    ships: dict[str, Placement] = attrs.field(factory=dict[str, Placement])

    @classmethod
    def random(cls, session: Session, seat: str, n: int = 0) -> "Draft":
        """Return a random fleet, the same for the same match, seat and n."""
        return cls(session, seat, n, by_hand=False, ships=session.match.random_placement(seat, n))

    @property
    def missing(self) -> str | None:
        """The next ship that has no place yet."""
        ids = [ship for class_ in self.session.match.variant.fleet for ship in class_.ships()]
        return next((ship for ship in ids if ship not in self.ships), None)

    def put(self, ship: str, line: str) -> str | None:
        """Put one ship where the line says; return why not if it can't lie there beside the others."""
        match = self.session.match
        place = line if RANGE.fullmatch(line) else line.replace(",", " ").split()
        found = match.refusals(PlaceFleet(self.seat, {**self.ships, ship: _clean(place)}))
        wrong = [refusal for refusal in found if refusal.code != "wrong_fleet"]
        if wrong:
            return reasons(wrong, self.session.lang)
        self.ships[ship] = Placement.of(match.grid, self._cells(place))
        return None

    def _cells(self, place: str | list[str]) -> CellSet:
        grid = self.session.match.grid
        if isinstance(place, list):
            return grid.cells(*place)
        (c1, r1), (c2, r2) = (grid.position(end.strip()) for end in place.split("-"))
        return CellSet.of(
            cell
            for column in range(min(c1, c2), max(c1, c2) + 1)
            for row in range(min(r1, r2), max(r1, r2) + 1)
            if (cell := grid.at(column, row)) is not None
        )

    def show(self) -> None:
        """Show the fleet as it would lie."""
        session, variant = self.session, self.session.match.variant
        ships: dict[str, ShipView] = {}
        for ship, place in self.ships.items():
            class_ = variant.ship_class(ship)
            cells = session.match.grid.cells(*place.cells)
            ships[ship] = ShipView(ship, class_.id if class_ else ship, cells, CellSet(), afloat=True)
        session.terminal.clear()
        session.terminal.show(draft(session.match.view(self.seat), ships, session.lang, session.terminal.size))


def _clean(place: str | list[str]) -> str | list[str]:
    return "".join(place.split()) if isinstance(place, str) else place


def place_fleet(session: Session, seat: str) -> str | None:
    """Let a player place the fleet. A line that is no answer to this takes the random fleet, and is returned.

    Raises:
        LeftError: the player leaves.
        EOFError: there are no more lines.

    """
    draft_ = Draft.random(session, seat)
    draft_.show()
    notice: str | None = say(session.lang, "placing.random")
    while True:
        if notice is not None:
            session.terminal.say(notice)
        missing = draft_.missing
        line = session.terminal.read(f"{seat}> " if missing is None else _asks(session, missing))
        draft_, notice, rest, done = _step(draft_, line)
        if done:
            session.submit(PlaceFleet(seat, draft_.ships))
            return rest


def _asks(session: Session, ship: str) -> str:
    variant, lang = session.match.variant, session.lang
    class_ = variant.ship_class(ship)
    cells = class_.cells if class_ else 0
    return say(lang, "placing.ship", ship=ship_label(variant, ship, lang), cells=cells) + "> "


def _step(draft_: Draft, line: str) -> tuple[Draft, str | None, str | None, bool]:
    """Take one line: return the draft, what to say, an entry that is left over, and whether the fleet stands."""
    session, seat, lang = draft_.session, draft_.seat, draft_.session.lang
    word = _word(line, lang)
    if word == "quit":
        raise LeftError
    if word == "help":
        return draft_, say(lang, "placing.help"), None, False
    if word in {"again", "random"} or (draft_.by_hand and not line.strip()):
        draft_ = Draft.random(session, seat, draft_.n + 1)
        draft_.show()
        return draft_, say(lang, "placing.random"), None, False
    if word == "place":
        draft_ = Draft(session, seat, draft_.n, by_hand=True)
        draft_.show()
        return draft_, say(lang, "placing.by_hand"), None, False
    if not draft_.by_hand and not RANGE.fullmatch(line):
        if line.strip() and len(session.people) > 1:  # it would be the other one's first turn
            return draft_, say(lang, "placing.help"), None, False
        return draft_, None, line if line.strip() else None, True
    return _by_hand(draft_ if draft_.by_hand else Draft(session, seat, draft_.n, by_hand=True), line, word)


def _by_hand(draft_: Draft, line: str, word: str | None) -> tuple[Draft, str | None, str | None, bool]:
    refused = None
    if word == "back":
        draft_.ships.popitem() if draft_.ships else None
    elif (ship := draft_.missing) is not None:
        refused = draft_.put(ship, line)
    if draft_.missing is None:
        return draft_, None, None, True
    if refused is None or draft_.session.terminal.interactive:
        draft_.show()
    return draft_, refused, None, False


def _word(line: str, lang: str) -> str | None:
    said = line.strip().casefold()
    names = {name: {name, *(known(lang, f"play.placing.word.{name}") or "").split()} for name in WORDS}
    return next((name for name, spoken in names.items() if said in spoken), None)
