"""A fleet while it is being placed: a random one, or ships that were placed one after the other."""

import re
from typing import Final

import attrs

from irontide import CellSet, PlaceFleet, Placement, ShipView
from irontide_play.drawn import how_to_name, straight
from irontide_play.screen import draft
from irontide_play.session import Session, reasons

RANGE: Final = re.compile(r"\s*[A-Za-z]\d+\s*-\s*[A-Za-z]\d+\s*")
"""A place named by its first and its last cell."""


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
            shape = self.shape_of(ship) if any(refusal.code == "wrong_shape" for refusal in wrong) else None
            return "\n".join(filter(None, [reasons(wrong, self.session.lang, match.variant), shape]))
        self.ships[ship] = Placement.of(match.grid, self._cells(place))
        return None

    def shape_of(self, ship: str) -> str | None:
        """Return the shape of a ship that is not straight, and how its place is typed."""
        session = self.session
        class_ = session.match.variant.ship_class(ship)
        if class_ is None or straight(class_):
            return None
        return how_to_name(session.match.view(self.seat), class_, session.lang, plain=session.terminal.size.plain)

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
            ships[ship] = ShipView(
                ship,
                class_.id if class_ else ship,
                cells,
                CellSet(),
                afloat=True,
                labels=class_.labels if class_ else {},
            )
        session.terminal.clear()
        session.terminal.show(draft(session.match.view(self.seat), ships, session.lang, session.terminal.size))


def _clean(place: str | list[str]) -> str | list[str]:
    return "".join(place.split()) if isinstance(place, str) else place
