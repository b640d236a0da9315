"""The built-in variants and house rules: plugins like any other, made of irontide's public names."""

from irontide import Registrar, hookimpl, read_texts
from irontide_variants.answers import HitNamesShip, MarkAroundWreck, Reports, SilentSinking, WrecksAreShown
from irontide_variants.course import TimeIsUp, TurnLimit
from irontide_variants.shots import ExtraShotOnHit, OpeningShots, RepeatShots, Salvo
from irontide_variants.variants import CLASSIC, SALVO, TACTICAL, traditions
from irontide_variants.waters import Islands, MovingAllowed, NoTouching

RULES = (
    ExtraShotOnHit,
    HitNamesShip,
    Islands,
    MarkAroundWreck,
    MovingAllowed,
    NoTouching,
    OpeningShots,
    RepeatShots,
    Reports,
    Salvo,
    SilentSinking,
    TimeIsUp,
    TurnLimit,
    WrecksAreShown,
)
VARIANTS = (CLASSIC, SALVO, TACTICAL)


@hookimpl
def irontide_register(registry: Registrar) -> None:
    """Register all of them, with their texts."""
    for rule in RULES:
        registry.rule(rule)
    for variant in VARIANTS:
        registry.variant(variant)
    for data in traditions():
        registry.variant(data)
    for lang in ("en", "de"):
        registry.messages(lang, read_texts("irontide_variants", lang))
