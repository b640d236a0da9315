"""Settings for all tests: how hypothesis searches, and irontide's own fixtures, installed or not."""

import os

from hypothesis import settings

# No deadline: coverage and a busy machine make single examples slow. In CI the same examples each time, so that a
# change is judged by what it changes.
settings.register_profile("irontide", deadline=None, derandomize="CI" in os.environ, print_blob=True)
settings.load_profile("irontide")

pytest_plugins = ["irontide_pytest"]
