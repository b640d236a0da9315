"""Bots: players that work on a view and its options only, and so can't know more than a human in their seat."""

from irontide_play.bots.chance import RandomBot
from irontide_play.bots.hunter import Hunter
from irontide_play.bots.protocol import Bot, BotFactory, source

__all__ = ["Bot", "BotFactory", "Hunter", "RandomBot", "source"]
