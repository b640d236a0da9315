"""The built-in ship abilities and command-point rules: plugins like any other, made of irontide's public names."""

from irontide import Registrar, hookimpl, read_texts
from irontide_abilities.answers import CounterBattery, Jam, Trap
from irontide_abilities.cover import Decoy, Dive, Shield, Smoke
from irontide_abilities.points import Cap, ForSinking, Income, OnHit, OnLoss, Refresh, Start, UnusedShot
from irontide_abilities.scans import Flyby, Ping, Radar, Spotter
from irontide_abilities.shots import ChainReaction, CornerShot, CrossShot, DoubleShot, Seeker
from irontide_abilities.tactical import Broadside, Flak, Recon, Sonar, Torpedo
from irontide_abilities.upkeep import Relocate, Repairs

TACTICAL = (Broadside, Flak, Recon, Sonar, Torpedo)
CATALOGUE = (
    ChainReaction, CornerShot, CounterBattery, CrossShot, Decoy, Dive, DoubleShot, Flyby, Jam, Ping, Radar, Relocate,
    Repairs, Seeker, Shield, Smoke, Spotter, Trap,
)  # fmt: skip
ABILITIES = (*TACTICAL, *CATALOGUE)
RULES = (Cap, ForSinking, Income, OnHit, OnLoss, Refresh, Start, UnusedShot)


@hookimpl
def irontide_register(registry: Registrar) -> None:
    """Register all of them, with their texts."""
    for ability in ABILITIES:
        registry.ability(ability)
    for rule in RULES:
        registry.rule(rule)
    for lang in ("en", "de"):
        registry.messages(lang, read_texts("irontide_abilities", lang))
