"""What authors test their rules with: scenarios, matches under watch, and a conformance run for a whole plugin."""

from irontide.testing.bench import bench
from irontide.testing.conformance import Conformance, Suite, find_all, irontide_conformance
from irontide.testing.findings import Finding
from irontide.testing.play import Played, Table, play_match
from irontide.testing.scenario import Scenario
from irontide.testing.together import play_together
from irontide.testing.watch import Bundle, Watch

scenario = Scenario
"""Given fleets and points, when commands, then what was told and what truly happened."""

__all__ = [
    "Bundle",
    "Conformance",
    "Finding",
    "Played",
    "Scenario",
    "Suite",
    "Table",
    "Watch",
    "bench",
    "find_all",
    "irontide_conformance",
    "play_match",
    "play_together",
    "scenario",
]
