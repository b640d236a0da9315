"""Acme's abilities and house rules for irontide."""

import tomllib
from collections import Counter
from importlib.resources import files

from irontide import AbilityUsed, Commit, Registrar, hookimpl, read_texts
from irontide_acme.abilities import Dice, Flare, Shield
from irontide_acme.rules import NoCorners, Salvage

irontide_api = (1, 1)
"""The range of API versions that this plugin was written for."""

ABILITIES = (Dice, Flare, Shield)
RULES = (NoCorners, Salvage)

USES: Counter[str] = Counter()
"""How often each ability was used in the matches that this plugin has observed."""


@hookimpl
def irontide_register(registry: Registrar) -> None:
    """Register everything, with its texts."""
    for ability in ABILITIES:
        registry.ability(ability)
    for rule in RULES:
        registry.rule(rule)
    registry.variant(tomllib.loads(files(__name__).joinpath("skirmish.toml").read_text(encoding="utf-8")))
    for lang in ("en", "de"):
        registry.messages(lang, read_texts(__name__, lang))


@hookimpl
def irontide_observe(commit: Commit) -> None:
    """Count the abilities used."""
    USES.update(event.ability for event in commit.events if isinstance(event, AbilityUsed))
