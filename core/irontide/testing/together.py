"""Rules in company: any of them, abilities and rules alike, are put into one variant and played."""

from collections.abc import Iterator, Sequence

from irontide.errors import VariantError
from irontide.registry import Registry
from irontide.testing.bench import Params, bench
from irontide.testing.findings import Finding
from irontide.testing.play import play_match
from irontide.testing.watch import Watch

EVERY = 64

SECRETIVE = 6
"""With so many other worlds a match is compared, for each seat, where a rule hides what usually is told."""


def play_together(  # noqa: PLR0913 - what a match by chance depends on
    ids: Sequence[str],
    seed: int = 1,
    *,
    registry: Registry,
    watch: Watch | None = None,
    params: Params | None = None,
    every: int = EVERY,
) -> Iterator[Finding]:
    """Yield which promise breaks first in one match of a variant with these rules and abilities.

    Nothing is yielded where the variant is refused, for that is one of the two right answers; what is yielded is played
    with as few commands as can be found, and blamed on one of them.

    Raises:
        UnknownName: there is no such rule or ability.

    """
    try:
        variant = bench(registry, ids, params)
    except VariantError:
        return
    hides = any(bound.rule.facts_hidden() for bound in registry.book(variant).bounds)
    worlds = SECRETIVE if hides else 1
    for finding in play_match(variant, seed, registry=registry, watch=watch, every=every, worlds=worlds).findings[:1]:
        yield finding.shortest().blamed(ids)
