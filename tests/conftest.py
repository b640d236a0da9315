"""Settings for all tests: how hypothesis searches, and irontide's own fixtures, installed or not."""

import os
import signal

import pytest
from hypothesis import settings

# No deadline: coverage and a busy machine make single examples slow. In CI the same examples each time, so that a
# change is judged by what it changes.
settings.register_profile("irontide", deadline=None, derandomize="CI" in os.environ, print_blob=True)
settings.load_profile("irontide")

pytest_plugins = ["irontide_pytest"]

LONGEST = 60
"""So many seconds of the processor's time a test may take that asks whether something hangs."""


class HangingError(BaseException):
    """Not caught as a plugin's fault."""


@pytest.fixture
def nothing_hangs():
    """Fail a test that keeps the processor busy for ever, where the system has an alarm for that."""
    if not hasattr(signal, "setitimer"):
        yield
        return

    def ring(*_):
        raise HangingError

    old = signal.signal(signal.SIGVTALRM, ring)
    signal.setitimer(signal.ITIMER_VIRTUAL, LONGEST)
    yield
    signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    signal.signal(signal.SIGVTALRM, old)
