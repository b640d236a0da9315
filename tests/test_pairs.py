"""Every ability and house rule beside every other: together they keep every promise, or are refused when built."""

import pytest

from irontide import Registry, VariantError
from irontide.testing import Watch, bench, play_together

WATCH = Watch()
REGISTRY = WATCH.registry(Registry.default())
IDS = (*REGISTRY.abilities, *REGISTRY.rules)


def later(id_):
    return IDS[IDS.index(id_) + 1 :]


@pytest.mark.slow
@pytest.mark.no_cover  # what is played here, other tests cover
@pytest.mark.parametrize("id_", IDS)
def test_a_rule_goes_with_each_other_or_is_refused(id_: str):
    found = [finding for other in later(id_) for finding in play_together((id_, other), registry=REGISTRY, watch=WATCH)]

    assert not found, "\n\n".join(map(str, found))


def refusal(*ids):
    """Return why a pair is refused, or None if it is not."""
    try:
        bench(REGISTRY, ids)
    except VariantError as refused:
        return str(refused)
    return None


@pytest.mark.parametrize("id_", IDS)
def test_a_pair_that_is_refused_is_refused_with_both_named(id_: str):
    reasons = {other: refusal(id_, other) for other in later(id_)}

    assert [other for other, why in reasons.items() if why and not (id_ in why and other in why)] == []
