"""The fleet by edition: the same five ships, which players call differently (RULES: Classic)."""

from irontide import ShipClass

LENGTHS = {"carrier": 5, "battleship": 4, "cruiser": 3, "submarine": 3, "destroyer": 2}

LABELS_1967 = {
    "carrier": {"en": "Carrier", "de": "Flugzeugträger"},
    "battleship": {"en": "Battleship", "de": "Schlachtschiff"},
    "cruiser": {"en": "Cruiser", "de": "Kreuzer"},
    "submarine": {"en": "Submarine", "de": "U-Boot"},
    "destroyer": {"en": "Destroyer", "de": "Zerstörer"},
}
"""The editions of 1967 and 1990."""

LABELS_2002 = LABELS_1967 | {
    "cruiser": {"en": "Destroyer", "de": "Kreuzer"},
    "destroyer": {"en": "Patrol Boat", "de": "Zerstörer"},
}
"""The edition of 2002."""


def fleet(labels: dict[str, dict[str, str]]) -> tuple[ShipClass, ...]:
    """Return the five classes with these labels."""
    return tuple(ShipClass(id_, length, labels=labels[id_]) for id_, length in LENGTHS.items())


FLEET_1967 = fleet(LABELS_1967)
FLEET_2002 = fleet(LABELS_2002)
