"""Classic, Salvo and Tactical (RULES), Classic whole, the others as what they change of it; and the traditions."""

import tomllib
from collections.abc import Iterator
from importlib.resources import files
from typing import Any

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

TRADITIONS = (
    "advanced-salvo",
    "german-paper",
    "hasbro-2002",
    "milton-bradley-1967",
    "pencil-12x10",
    "russian",
    "shaped",
    "tactical-blitz",
    "tactical-salvo",
)
"""Variants that are TOML files beside this one, each with its source."""


def traditions() -> Iterator[dict[str, Any]]:
    """Yield the data of each tradition."""
    for name in TRADITIONS:
        yield tomllib.loads(files("irontide_variants").joinpath(f"{name}.toml").read_text(encoding="utf-8"))
