"""The hooks that a plugin may implement. pluggy finds plugins; the engine orders and calls their rules itself."""

from typing import TYPE_CHECKING

import pluggy

if TYPE_CHECKING:
    from irontide.faults import Fault
    from irontide.log import Commit
    from irontide.registry import Registrar

PROJECT = "irontide"

hookspec = pluggy.HookspecMarker(PROJECT)
hookimpl = pluggy.HookimplMarker(PROJECT)


class Hooks:
    """The specifications."""

    @hookspec
    def irontide_register(self, registry: "Registrar") -> None:
        """Register abilities, rules, variants, bots and messages; called once, when the plugin is registered.

        A plugin that raises here, or takes an id that is taken, is kept out as a whole.
        """

    @hookspec
    def irontide_observe(self, commit: "Commit") -> None:
        """See a commit after it was made, true events and all.

        Called for plugins that the variant uses or the host names, in the order of their names. What it returns is
        ignored, and what it raises is reported and harms nothing.
        """

    @hookspec
    def irontide_fault(self, fault: "Fault") -> None:
        """Hear that a plugin's handler went wrong; called for every registered plugin, for the host's log."""
