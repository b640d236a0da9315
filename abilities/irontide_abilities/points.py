"""Command points: what a purse starts with, what it gains, and what it holds at most (RULES: Tactical)."""

import attrs

from irontide import (
    BattleStarted,
    Context,
    Effects,
    GainPoints,
    Rule,
    SeatContext,
    ShipSunk,
    TurnStarted,
    adjusts,
    reacts,
    rule,
)


@rule("points.start")
class Start(Rule):
    """Both seats begin the battle with some points."""

    amount: int = attrs.field(default=1, validator=attrs.validators.ge(0))

    @reacts(BattleStarted)
    def give(self, ctx: Context, event: BattleStarted) -> Effects:
        for side in (ctx.seat, ctx.other):
            yield GainPoints(side.name, self.amount)


@rule("points.income")
class Income(Rule):
    """A seat gains points at the start of each of its turns."""

    amount: int = attrs.field(default=1, validator=attrs.validators.ge(0))

    @reacts(TurnStarted)
    def pay(self, ctx: Context, event: TurnStarted) -> Effects:
        yield GainPoints(event.seat, self.amount)


@rule("points.for_sinking")
class ForSinking(Rule):
    """A seat gains points for each enemy ship that sinks, as far as it was told."""

    amount: int = attrs.field(default=1, validator=attrs.validators.ge(0))

    @reacts(ShipSunk)
    def reward(self, ctx: Context, event: ShipSunk) -> Effects:
        winner = ctx.opponent(event.seat).name
        if event.to is None or winner in event.to:
            yield GainPoints(winner, self.amount)


@rule("points.cap", place="points.cap")
class Cap(Rule):
    """A purse never holds more."""

    most: int = attrs.field(default=10, validator=attrs.validators.ge(1))

    @adjusts("cap", group="limit")
    def limit(self, ctx: SeatContext, most: int) -> int:
        return min(most, self.most)
