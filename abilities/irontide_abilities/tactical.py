"""The five abilities of Tactical (RULES: Tactical)."""

from irontide import (
    Ability,
    Activate,
    Area,
    Cancelled,
    Context,
    Effects,
    Lane,
    Line,
    Mark,
    Scan,
    Shot,
    Unmark,
    ability,
    replaces,
)


@ability("recon", price=4, target=Area(3, 3))
class Recon(Ability):
    """Tell for each cell of an area whether a ship is there, hit and sunk ones too."""

    def use(self, ctx: Context, area: Area) -> Effects:
        yield Scan(area.cells, tell="cells", of="any")


@ability("broadside", price=5, target=Line(3), shoots=True)
class Broadside(Ability):
    """Three shots in a row, as one batch."""

    def use(self, ctx: Context, line: Line) -> Effects:
        yield line.shots


@ability("flak", price=2, standing=1, tells=("sinking",))
class Flak(Ability):
    """Armed until used: cancels the next enemy ability."""

    def use(self, ctx: Context, nothing: None) -> Effects:
        yield Mark(public=True)

    @replaces(Activate, group="prevent")
    def intercept(self, ctx: Context, effect: Activate) -> Cancelled | None:
        if effect.seat == ctx.seat.name or not ctx.marks:
            return None
        return effect.cancelled(self.id, then=[Unmark(ctx.marks[0])], public=True)


@ability("torpedo", price=3, target=Lane(), shoots=True, tells=("hit",))
class Torpedo(Ability):
    """Run along a row or column and hit the first ship cell in the way."""

    def use(self, ctx: Context, lane: Lane) -> Effects:
        for cell in lane.unshot:
            shot = yield Shot(cell)
            if shot.hit:
                return


@ability("sonar", price=2, target=Area(3, 3))
class Sonar(Ability):
    """Count the ship cells of an area that are not yet hit."""

    def use(self, ctx: Context, area: Area) -> Effects:
        yield Scan(area.cells, tell="count")
