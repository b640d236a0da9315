"""The pytest plugin: fixtures for tests of rules and abilities, there wherever irontide is installed.

pytest imports this module in every run, before coverage is measured and whether or not it is used. So it stands outside
of the package `irontide`, which it imports only when a test asks for a fixture.
"""

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from irontide.testing import Scenario


@pytest.fixture
def scenario() -> "type[Scenario]":
    """Give `irontide.testing.scenario`: given fleets and points, when commands, then what was told and happened."""
    from irontide.testing import Scenario  # noqa: PLC0415 - see above

    return Scenario


@pytest.fixture
def irontide_conformance() -> "Callable[..., None]":
    """Give `irontide.testing.irontide_conformance`: sees that a plugin keeps every promise."""
    from irontide.testing import irontide_conformance  # noqa: PLC0415 - see above

    return irontide_conformance
