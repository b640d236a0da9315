"""Reading what a player types in battle: a command for the engine, or a word for the command line itself."""

import difflib
from collections.abc import Mapping
from typing import Final, TypeAlias

import attrs

from irontide import Command, Fire, Ground, Registry, Resign, Target, UseAbility, Variant, View
from irontide_play.aims import example, mended, read_aim
from irontide_play.labels import ability_label, known, say

ACTIONS: Final = ("help", "save", "log", "quit", "fire", "resign", "pass")


@attrs.frozen
class Action:
    """Something for the command line itself: `help`, `log`, `quit`, or `save` with a file name."""

    name: str
    argument: str = ""


@attrs.frozen
class Puzzle:
    """An entry that can't be read, and what to say about it."""

    text: str


Entry: TypeAlias = Command | Action | Puzzle


@attrs.frozen
class Reader:
    """Reads entries of one seat. `targets` are the variant's abilities by id, with what each aims at."""

    targets: Mapping[str, Target]
    lang: str
    passing: bool = False
    """Whether a turn may be passed without a shot."""

    def read(self, line: str, view: View) -> Entry:
        """Return what a line means; cells are taken as shots, also where the grid has none of that name."""
        first, _, rest = line.strip().partition(" ")
        given = tuple(line.replace(",", " ").split())
        action = self._action(first)
        if action in {"help", "log", "quit", "save"}:
            return Action(action, rest.strip())
        if action == "resign":
            return Resign(view.seat)
        if action == "pass":
            return Fire(view.seat, ()) if self.passing else Puzzle(say(self.lang, "puzzle.no_pass"))
        used = self._use(given)
        if used is not None:
            ability, aim = used
            return UseAbility(view.seat, ability, read_aim(self.targets[ability], view.variant.ground, aim, self.lang))
        cells = given[1:] if action == "fire" else given
        if cells and all(any(letter.isdigit() for letter in word) for word in cells):
            return Fire(view.seat, cells)
        meant = mended(cells, view.grid)
        odd = next((word for word in cells if view.grid.find(word) is None), first)
        return Puzzle(say(self.lang, "puzzle.near", word=line.strip(), near=meant) if meant else self._hint(odd))

    def is_move(self, line: str) -> bool:
        """Tell whether a line begins with a word for the battle: of an ability, or of the command line."""
        given = tuple(line.replace(",", " ").split())
        return bool(given) and (self._action(given[0]) is not None or self._use(given) is not None)

    def leaves(self, line: str) -> bool:
        """Tell whether a line is a word for leaving the match."""
        return self._action(line.strip()) == "quit"

    def usage(self, ability: str, ground: Ground) -> str:
        """Return how an ability is typed."""
        return f"{self.word(ability)} {example(self.targets[ability], ground, self.lang)}".strip()

    def word(self, ability: str) -> str:
        """Return the word for an ability: its id, without its plugin's name where that is enough."""
        short = ability.rpartition(".")[2]
        same = [id_ for id_ in self.targets if id_.rpartition(".")[2] == short]
        return short if len(same) == 1 and short not in ACTIONS else ability

    def _action(self, word: str) -> str | None:
        said = word.casefold()
        names = {name: {name, *(known(self.lang, f"play.action.{name}") or "").split()} for name in ACTIONS}
        return next((name for name, spoken in names.items() if said in spoken), None)

    def ability(self, word: str) -> str | None:
        """Return the id of the ability that a word means."""
        said = word.casefold()
        spoken = {id_: {id_, self.word(id_), ability_label(id_, self.lang)} for id_ in self.targets}
        return next((id_ for id_, forms in spoken.items() if said in {form.casefold() for form in forms}), None)

    def _use(self, given: tuple[str, ...]) -> tuple[str, tuple[str, ...]] | None:
        """Return the ability that the first words mean, for a name may be several, and the rest of them."""
        named = ((self.ability(" ".join(given[:count])), given[count:]) for count in range(len(given), 0, -1))
        return next(((ability, rest) for ability, rest in named if ability is not None), None)

    def _hint(self, word: str) -> str:
        choices = [*(self.word(id_) for id_ in self.targets), *ACTIONS]
        near = difflib.get_close_matches(word.casefold(), choices, 1)
        if near and near[0] != word.casefold():
            return say(self.lang, "puzzle.near", word=word, near=near[0])
        return say(self.lang, "puzzle.far", word=word)


def may_pass(variant: Variant, registry: Registry) -> bool:
    """Tell whether a turn may be passed without a shot."""
    stands = [registry.rule(use.use).instead_of for use in variant.rules]
    return "core.must_shoot" in {*variant.drops, *variant.instead_of, *stands}
