"""House rules about how many shots a turn has, and at which cells."""

import attrs

from irontide import (
    Context,
    Effects,
    GrantShots,
    Reported,
    Rule,
    Shot,
    ShotFired,
    adjusts,
    reacts,
    replaces,
    rule,
)


def _per(_rule: object, _attribute: object, value: object) -> None:
    if value not in ("ships", "cells") and not (type(value) is int and value >= 1):
        raise ValueError(f'per is "ships", "cells" or a number of 1 or more, not {value!r}')


@rule("salvo", place="shots")
class Salvo(Rule):
    """A turn has a shot for each own ship afloat, or own ship cell not yet hit, or so many (RULES: Salvo)."""

    per: int | str = attrs.field(default="ships", validator=_per)

    def facts_told(self) -> tuple[str, ...]:
        return ("sinking",) if self.per == "ships" else ()

    @adjusts("shots", group="set")
    def fill(self, ctx: Context, shots: int) -> int:
        if isinstance(self.per, int):
            return self.per
        return len(ctx.seat.afloat if self.per == "ships" else ctx.seat.cells - ctx.seat.hits)


@rule("opening_shots", about="shots")
class OpeningShots(Rule):
    """The first turn of the match, or with `both` of each seat, has so many shots, whatever other rules say."""

    n: int = attrs.field(default=1, validator=attrs.validators.ge(1))
    both: bool = False

    @adjusts("shots", group="limit")
    def open(self, ctx: Context, shots: int) -> int:
        first = ctx.seat.turn == 0 and (self.both or ctx.other.turn == 0)
        return self.n if first else shots


@rule("extra_shot_on_hit", about="shots")
class ExtraShotOnHit(Rule):
    """Each hit that is told adds a shot: to the turn under way, or to the next one of whoever fired it."""

    @reacts(ShotFired)
    def reward(self, ctx: Context, event: ShotFired) -> Effects:
        if event.told == "hit":
            yield GrantShots(event.by)

    @reacts(Reported)
    def reward_all(self, ctx: Context, event: Reported) -> Effects:
        if event.to is None or event.by in event.to:
            yield GrantShots(event.by, event.hits)


@rule("repeat_shots", instead_of="core.no_repeat")
class RepeatShots(Rule):
    """A cell may be shot again: that is told `repeat` and changes nothing."""

    @replaces(Shot, group="cannot")
    def repeat(self, ctx: Context, effect: Shot) -> Shot | None:
        shots = ctx.opponent(str(effect.by)).shots
        return effect.but(harm=False, answer="repeat") if effect.cell in shots else None
