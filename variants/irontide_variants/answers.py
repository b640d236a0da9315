"""House rules about what is told: of a shot, of several together, of a sinking and of a wreck."""

from collections import Counter
from typing import Literal

from irontide import (
    Answer,
    Context,
    Effects,
    Event,
    Report,
    Reveal,
    Rule,
    SeatContext,
    ShipSunk,
    ShotFired,
    Sink,
    adjusts,
    reacts,
    replaces,
    rule,
)


@rule("hit_names_ship", tells=("hit", "ship"))
class HitNamesShip(Rule):
    """A hit is told with the class of the ship."""

    @adjusts("answer", group="set")
    def name(self, ctx: Context, answer: Answer, cell: int, ship: str | None) -> Answer:
        return answer.but(ship=ship) if answer.told == "hit" else answer


@rule("report", place="report", about="answer")
class Reports(Rule):
    """Shots are told one by one, or only summed up: by ship, or in all; for a whole turn at once, or one by one."""

    level: Literal["shot", "ship", "count"] = "count"
    when: Literal["after_all", "after_each"] = "after_all"

    def facts_hidden(self) -> tuple[str, ...]:
        return {"shot": (), "ship": ("hit",), "count": ("hit", "ship")}[self.level]

    @adjusts("answer", group="hide")
    def hold_back(self, ctx: Context, answer: Answer, cell: int, ship: str | None) -> Answer:
        plain = self.level != "shot" and answer.told in {"hit", "water"}
        return Answer("unknown") if plain else answer

    @adjusts("volley", group="limit")
    def one_by_one(self, ctx: SeatContext, volley: int) -> int:
        return 1 if self.when == "after_each" else volley

    @reacts(ShotFired, group="core")
    def sum_up(self, ctx: Context, event: ShotFired) -> Effects:
        shots = [each for each in ctx.batch if isinstance(each, ShotFired) and each.by == event.by]
        shots = [shot for shot in shots if shot.told == "unknown"]
        if shots and event == shots[-1]:
            struck = [shot.struck for shot in shots if shot.hit and shot.struck]
            ships = Counter(struck) if self.level == "ship" else None
            yield Report(ctx.grid.cells(*(shot.at for shot in shots)), len(struck), ships, event.by)


@rule("silent_sinking", place="sinking", hides=("sinking",))
class SilentSinking(Rule):
    """Nobody but its owner is told that a ship has sunk."""

    @adjusts("audience", group="hide")
    def hush(self, ctx: Context, to: tuple[str, ...] | None, event: Event) -> tuple[str, ...] | None:
        return (event.seat,) if isinstance(event, ShipSunk) else to


@rule("wrecks_are_shown", about="sinking", tells=("sinking", "wreck"))
class WrecksAreShown(Rule):
    """Where a ship has sunk is told with its sinking."""

    @replaces(Sink, group="modify")
    def show(self, ctx: Context, effect: Sink) -> Sink:
        return effect.but(shown=True)


@rule("mark_around_wreck", about="sinking", needs=("no_touching", "wrecks_are_shown"), tells=("sinking", "wreck"))
class MarkAroundWreck(Rule):
    """The cells around a wreck, which no other ship may use, are told as water."""

    @reacts(ShipSunk)
    def mark(self, ctx: Context, event: ShipSunk) -> Effects:
        yield Reveal(ctx.opponent(event.seat).name, ctx.clearance(ctx.grid.cells(*(event.cells or ()))))
