"""The built-in variants and house rules: plugins like any other, made of irontide's public names."""

from irontide import Registrar, hookimpl, read_texts
from irontide_variants.house_rules import NoTouching, Salvo
from irontide_variants.variants import CLASSIC, SALVO, TACTICAL

RULES = (NoTouching, Salvo)
VARIANTS = (CLASSIC, SALVO, TACTICAL)


@hookimpl
def irontide_register(registry: Registrar) -> None:
    """Register all of them, with their texts."""
    for rule in RULES:
        registry.rule(rule)
    for variant in VARIANTS:
        registry.variant(variant)
    for lang in ("en", "de"):
        registry.messages(lang, read_texts("irontide_variants", lang))
