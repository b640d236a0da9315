"""Command points: what a purse starts with, what it gains, and what it holds at most (RULES: Tactical)."""

import attrs

from irontide import (
    BattleStarted,
    Context,
    Effects,
    GainPoints,
    Reported,
    Rule,
    SeatContext,
    ShipSunk,
    ShotFired,
    SpendPoints,
    TurnEnded,
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


@rule("points.for_sinking", tells=("sinking",))
class ForSinking(Rule):
    """A seat gains points for each enemy ship that sinks, as far as it was told."""

    amount: int = attrs.field(default=1, validator=attrs.validators.ge(0))

    @reacts(ShipSunk)
    def reward(self, ctx: Context, event: ShipSunk) -> Effects:
        winner = ctx.opponent(event.seat).name
        if event.to is None or winner in event.to:
            yield GainPoints(winner, self.amount)


@rule("points.on_loss", tells=("sinking",))
class OnLoss(Rule):
    """A seat gains points for each of its own ships that sinks, as far as the other was told."""

    amount: int = attrs.field(default=1, validator=attrs.validators.ge(0))

    @reacts(ShipSunk)
    def comfort(self, ctx: Context, event: ShipSunk) -> Effects:
        if event.to is None:
            yield GainPoints(event.seat, self.amount)


@rule("points.on_hit")
class OnHit(Rule):
    """A seat gains points for each hit that it is told, alone or in a report."""

    amount: int = attrs.field(default=1, validator=attrs.validators.ge(0))

    @reacts(ShotFired)
    def reward(self, ctx: Context, event: ShotFired) -> Effects:
        if event.told == "hit":
            yield GainPoints(event.by, self.amount)

    @reacts(Reported)
    def reward_all(self, ctx: Context, event: Reported) -> Effects:
        if event.to is None or event.by in event.to:
            yield GainPoints(event.by, self.amount * event.hits)


@rule("points.unused_shot", instead_of="core.must_shoot")
class UnusedShot(Rule):
    """A turn may be passed; each shot that is given up so earns points."""

    amount: int = attrs.field(default=1, validator=attrs.validators.ge(0))

    @reacts(TurnEnded)
    def pay(self, ctx: Context, event: TurnEnded) -> Effects:
        if event.reason == "passed":
            yield GainPoints(event.seat, self.amount * event.unused)


@rule("points.refresh", place="points.refresh")
class Refresh(Rule):
    """At the start of each own turn a purse holds so many points, whatever it held before."""

    n: int = attrs.field(default=3, validator=attrs.validators.ge(0))

    @reacts(TurnStarted, group="core")  # before any income
    def refill(self, ctx: Context, event: TurnStarted) -> Effects:
        purse = ctx.side(event.seat).points
        yield SpendPoints(event.seat, max(purse - self.n, 0))
        yield GainPoints(event.seat, max(self.n - purse, 0))


@rule("points.cap", place="points.cap")
class Cap(Rule):
    """A purse never holds more."""

    most: int = attrs.field(default=10, validator=attrs.validators.ge(1))

    @adjusts("cap", group="limit")
    def limit(self, ctx: SeatContext, most: int) -> int:
        return min(most, self.most)
