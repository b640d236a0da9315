"""Counting the legal fleets of a variant."""

from irontide.counting import SearchLimitError, count_fleets
from irontide.errors import TooLarge
from irontide.registry import Registry, shared
from irontide.variant import Variant


def count_placements(variant: Variant, registry: Registry | None = None) -> int:
    """Return the exact number of legal fleets, ships of one class interchangeable; 30,093,975,536 for Classic.

    Raises:
        TooLarge: it cannot be counted in reasonable time.
        VariantError: the variant cannot be built.

    """
    book = (registry or shared()).book(variant)
    if book.sea_varies:
        raise TooLarge(f"the fleets of {variant.id} cannot be counted: each match draws islands of its own")
    try:
        return count_fleets(book.berths(), book.grid.columns, book.grid.rows)
    except SearchLimitError as error:
        raise TooLarge(f"the fleets of {variant.id} are too many to count: {error}") from None
