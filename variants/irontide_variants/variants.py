"""Classic, Salvo and Tactical (RULES): Classic whole, the others as what they change of it."""

from irontide import Variant
from irontide_variants.fleets import FLEET_1967

CLASSIC = Variant("classic", labels={"en": "Classic", "de": "Klassisch"}, fleet=FLEET_1967)

SALVO = CLASSIC.but(id="salvo", labels={"en": "Salvo", "de": "Salvo"}, rules=["salvo"])

TACTICAL = CLASSIC.but(
    id="tactical",
    labels={"en": "Tactical", "de": "Taktisch"},
    abilities={
        "carrier": "recon",
        "battleship": "broadside",
        "cruiser": "flak",
        "submarine": "torpedo",
        "destroyer": "sonar",
    },
    rules=["points.start", "points.income", "points.for_sinking", "points.cap"],
)
