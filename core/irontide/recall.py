"""Recall: the variant that stands in a log, and its rules where the plugins for them are there."""

from irontide.codec import encode
from irontide.errors import LogError, VariantError
from irontide.events import MatchCreated, Names
from irontide.fitting import Fitting
from irontide.frozen import shown
from irontide.given import are_seats
from irontide.log import Log
from irontide.reading import variant_from_json
from irontide.registry import Registry
from irontide.rulebook import Rulebook
from irontide.variant import Variant


def recall(log: Log, registry: Registry) -> tuple[Variant, Rulebook | None]:
    """Return the variant of a log, and its rules if the plugins for them are there.

    Raises:
        LogError: what stands in the log is no variant, or an event is about no match by it.

    """
    variant = registry.recalled(encode(log.header.variant), lambda: _read(log))
    _check(log, variant)
    if any(plugin not in registry.plugins for plugin in log.header.plugins):
        return variant, None
    try:
        return variant, registry.book(variant)
    except VariantError:
        return variant, None


def _read(log: Log) -> Variant:
    try:
        return variant_from_json(log.header.variant)
    except VariantError as error:
        raise LogError(1, str(error)) from None


def islands_in(log: Log, variant: Variant) -> Names:
    """Return the islands of a log's match, as far as they can be."""
    [*opening] = log.opening
    found = opening[0].islands if opening and isinstance(opening[0], MatchCreated) else ()
    return found if all(name in variant.grid.numbers for name in found) else ()


def _check(log: Log, variant: Variant) -> None:
    """Refuse seats, ships and places that are not those of the match: the state takes them at their word."""
    seats, first = log.header.seats, log.header.first
    if not are_seats(seats) or first not in seats:
        given = shown([*seats, first])
        raise LogError(1, f"a match has two seats with different names, and first is one of them, not {given}")
    misfit = Fitting(seats, variant).misfit
    for line, event in log.doubtful:
        wrong = misfit(event)
        if wrong:
            raise LogError(line, wrong)
