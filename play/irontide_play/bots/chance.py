"""The bot `random`: any legal command."""

from random import Random

from irontide import Command, Fire, Options, Resign, UseAbility, View


class RandomBot:
    """Fires at random open cells, and before every other shot uses a random ability if one can be used."""

    def __init__(self, chance: Random) -> None:
        """Take the chance that it plays by."""
        self._chance = chance

    def command(self, view: View, options: Options) -> Command:
        usable = [id_ for id_, option in options.abilities.items() if option.refusal is None]
        cells, shot = options.grid.list(options.fire.cells), {*options.grid.list(view.target.shots)}
        if usable and (not cells or self._chance.random() < 1 / 2):
            id_ = self._chance.choice(usable)
            targets = options.abilities[id_].targets
            return UseAbility(view.seat, id_, self._chance.choice(targets) if targets else None)
        if not cells:
            return Resign(view.seat)
        fresh = [name for name in cells if name not in shot]
        few = [name for name in cells if name in shot]
        chosen = self._chance.sample(fresh, min(options.fire.count, len(fresh)))
        return Fire(view.seat, [*chosen, *self._chance.sample(few, options.fire.count - len(chosen))])
