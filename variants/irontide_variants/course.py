"""House rules about the course of a match: when it ends, and what follows when a player is out of time."""

from typing import Literal

import attrs

from irontide import (
    Context,
    Effects,
    EndMatch,
    EndTurn,
    Rule,
    Shot,
    Side,
    TimedOut,
    TurnEnded,
    reacts,
    rule,
)


@rule("turn_limit", about="defeated")
class TurnLimit(Rule):
    """The match ends when each seat has had `n` turns: a draw, or won by who sank or hit most."""

    n: int = attrs.field(default=50, validator=attrs.validators.ge(1))
    then: Literal["draw", "most_sunk", "most_hits"] = "draw"

    @reacts(TurnEnded, group="late")
    def stop(self, ctx: Context, event: TurnEnded) -> Effects:
        if min(ctx.seat.turn, ctx.other.turn) >= self.n:
            lost = {side.name: self.losses(side) for side in (ctx.seat, ctx.other)}
            fewest = [name for name, losses in lost.items() if losses == min(lost.values())]
            yield EndMatch(fewest[0] if len(fewest) == 1 else None, "turn_limit")

    def losses(self, side: Side) -> int:
        return {"draw": 0, "most_sunk": len(side.sunk), "most_hits": len(side.hits)}[self.then]


@rule("time_out", place="time_out", about="end")
class TimeIsUp(Rule):
    """What follows when the host's clock has run out: the seat loses, or its turn ends, perhaps with random shots."""

    action: Literal["lose", "pass", "random_shot"] = "lose"

    @reacts(TimedOut)
    def act(self, ctx: Context, event: TimedOut) -> Effects:
        if self.action == "lose":
            yield EndMatch(ctx.opponent(event.seat).name, "timed_out")
        if self.action == "random_shot":
            cells = ctx.open()
            yield [Shot(cell, event.seat) for cell in ctx.random.sample(cells, min(ctx.due, len(cells)))]
        yield EndTurn(event.seat, "timed_out")
