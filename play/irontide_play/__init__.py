"""Who plays and who shows: bots, the arena, the command line. As a plugin it registers the bots and its own texts.

Needs nothing beyond irontide itself; only the command line (`irontide_play.entry`) needs the extra `play`.
"""

from irontide import Registrar, hookimpl, read_texts
from irontide_play.bots import Hunter, RandomBot

BOTS = {"hunter": Hunter, "random": RandomBot}


@hookimpl
def irontide_register(registry: Registrar) -> None:
    """Register the bots, and what the command line says to players."""
    for id_, bot in BOTS.items():
        registry.bot(id_, bot)
    for lang in ("en", "de"):
        registry.messages(lang, read_texts("irontide_play", lang))
