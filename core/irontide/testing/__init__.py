"""What authors test their rules with: scenarios, promise checks, and a conformance run for a whole plugin."""

from irontide.testing.scenario import Scenario

scenario = Scenario
"""Given fleets and points, when commands, then what was told and what truly happened."""

__all__ = ["Scenario", "scenario"]
