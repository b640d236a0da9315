"""The promises of a match, each as a check of how it stands: a generator of what does not hold, in words.

They look at a match from outside, by its public face, and are cheap or dear as their docstrings say.
"""

import json
from collections.abc import Iterator, Sequence
from itertools import pairwise
from random import Random
from typing import Any, TypeVar

from irontide.commands import Command, Fire, PlaceFleet, UseAbility
from irontide.errors import IrontideError
from irontide.events import AbilityUsed, CellsScanned, Event, Marked, TurnStarted
from irontide.grid import CellSet
from irontide.jsonforms import to_json
from irontide.log import Commit
from irontide.match import Match
from irontide.options import FireOption
from irontide.registry import Registry
from irontide.replay import VerdictKind, verify
from irontide.rulebook import Rulebook
from irontide.state import State
from irontide.view import fold_view

T = TypeVar("T")


def log_is_true(match: Match, registry: Registry) -> Iterator[str]:
    """Yield where the log, read again, is not the match, or where deciding it again gives something else. Dear."""
    text = match.dumps()
    try:
        copy = Match.loads(text, registry)
    except IrontideError as error:
        yield f"the log cannot be read: {error}"
        return
    yield from differences(copy, match)
    verdict = verify(text, registry)
    if verdict.kind is not VerdictKind.EXACT:
        yield f"decided again, the log is {verdict}"


def differences(copy: Match, match: Match) -> Iterator[str]:
    """Yield what of the state of a copy is not as in the match. Cheap."""
    one, other = copy.state.values(), match.state.values()
    for name in [name for name in one if one[name] != other[name]]:
        yield f"in a copy made from the log, {name} is {one[name]!r}, in the match {other[name]!r}"


def views_are_folds(match: Match) -> Iterator[str]:
    """Yield whose view is not the fold of what it was told, read strictly: without gaps or secret fields. Dear."""
    for seat in (*match.seats, None):
        told = match.told(seat)
        plain = json.loads(json.dumps(told))
        view: object = match.view(seat)
        try:
            same = plain == told and fold_view(match.variant, seat, plain) == view
        except IrontideError as error:
            yield f"what {seat} was told cannot be folded: {error}"
            continue
        if not same:
            yield f"the view of {seat} is not the fold of what it was told"
        json.dumps(to_json(view))


def purses_hold(match: Match) -> Iterator[str]:
    """Yield where a purse is below 0 or not what its seat knows. Cheap."""
    for seat, points in zip(match.seats, match.state.points, strict=True):
        known = match.view(seat).points
        if points < 0 or known != points:
            yield f"{seat} has {points} points and knows of {known}"


def the_sunk_are_still(match: Match, book: Rulebook) -> Iterator[str]:
    """Yield which ability of a class that has sunk is not off, or has markers that should have gone. Cheap."""
    state = match.state
    for key, bound in ((bound.key, bound) for abilities in book.abilities for bound in abilities.values()):
        seat, id_ = key
        if set(bound.ships) <= set(state.sunk[seat]):
            if "sunk" not in state.off.get(key, ()):
                yield f"{id_} of {match.seats[seat]} is on, though its ships have sunk"
            stands = [
                m.id for m in state.marks.values() if (m.rule, m.seat, m.ends) == (id_, match.seats[seat], "source")
            ]
            if stands:
                yield f"markers of {id_} of {match.seats[seat]} stand, though its ships have sunk: {', '.join(stands)}"


def no_sunk_ship_acts(before: State, commit: Commit, book: Rulebook) -> Iterator[str]:
    """Yield which ability did something although all its ships had sunk before the commit. Cheap."""
    for event in commit.events:
        seat, id_ = _actor(event)
        bound = None if seat is None else book.abilities[before.index[seat]].get(id_)
        if bound is not None and set(bound.ships) <= set(before.sunk[bound.seat]):
            yield f"{id_} of {seat} did something ({event.type}), though its ships had sunk"


def _actor(event: Event) -> tuple[str | None, str]:
    """Return whose ability an event is of, and which: none and no name where it is of no ability."""
    match event:
        case AbilityUsed():
            return event.seat, event.ability
        case CellsScanned():
            return event.by, event.ability
        case Marked():
            return event.seat, event.rule
        case _:
            return None, ""


def limits_are_kept(match: Match, book: Rulebook, seat: str) -> Iterator[str]:
    """Yield which limit of an ability the seat is over, as the log has it: worked out without the engine. Dear."""
    used: dict[str, list[int]] = {}
    now = 0
    for event in (event for commit in match.commits for event in commit.events):
        now += isinstance(event, TurnStarted) and event.seat == seat
        if isinstance(event, AbilityUsed) and event.seat == seat:
            used.setdefault(event.ability, []).append(now)
    marks = match.view(seat).markers
    for id_, bound in book.abilities[match.seats.index(seat)].items():
        terms, turns = bound.terms, used.get(id_, [])
        stands = sum((mark.rule, mark.seat) == (id_, seat) for mark in marks)
        in_turn = max(map(turns.count, turns), default=0)
        gap = min((later - turn for turn, later in pairwise(turns) if turn != later), default=terms.cooldown + 1)
        for what, number, most in (
            ("uses in one turn", in_turn, terms.per_turn),
            ("uses in the match", len(turns), terms.per_match),
            ("uses in the match", len(turns), terms.charges),
            ("markers that stand", stands, terms.standing),
        ):
            if most is not None and number > most:
                yield f"{id_} of {seat} has {number} {what}, of at most {most}"
        if terms.cooldown and (gap <= terms.cooldown or in_turn > 1):
            yield f"{id_} of {seat} was used before its cooldown of {terms.cooldown} turns was over"


def options_are_what_is_accepted(
    match: Match, book: Rulebook, seat: str, chance: Random, most: int = 3
) -> Iterator[str]:
    """Yield what the options of a seat hold that would be refused, or leave out that would be accepted.

    Each cell that is not offered is tried, and of all else `most` of a kind, by chance. Dear.
    """
    options = match.options(seat)
    cells, count, names = [*options.fire.cells], options.fire.count, match.grid.names
    for command, offered in _shots(seat, [names[cell] for cell in cells], options.fire, chance, most):
        yield from _judged(match, command, offered=offered)
    closed = [names[cell] for cell in match.grid.all - CellSet.of(cells)]
    for name in closed:
        others = [names[cell] for cell in cells[: max(count, 1) - 1]]
        yield from _judged(match, Fire(seat, [name, *others]), offered=False)
    for id_, option in options.abilities.items():
        targets = [*option.targets]
        if option.refusal is not None and targets:
            yield f"{id_} is refused to {seat}, but has targets"
        wanted = [None] if option.refusal is None and not targets else targets
        for target in _some(wanted, chance, most):
            yield from _judged(match, UseAbility(seat, id_, target), offered=True)
        forms: list[Any] = [UseAbility(seat, id_, form) for form in _forms(book, match, seat, id_)]
        for command in _some([use for use in forms if to_json(use)["target"] not in wanted], chance, most):
            yield from _judged(match, command, offered=False)


def _forms(book: Rulebook, match: Match, seat: str, id_: str) -> Sequence[Any]:
    bound = book.abilities[match.seats.index(seat)].get(id_)
    return bound.forms if bound is not None else ()


def _shots(seat: str, names: list[str], fire: FireOption, chance: Random, most: int) -> Iterator[tuple[Command, bool]]:
    """Yield some shots, as many as are due, and one command with another number of them."""
    count = fire.count
    if not count:
        return
    for _ in range(min(most, len(names))):
        yield Fire(seat, chance.sample(names, count)), True
    wrong = names[: count - 1] if len(names) == count else names[: count + 1]
    if wrong or not fire.may_pass:
        yield Fire(seat, wrong), False


def _judged(match: Match, command: Command, *, offered: bool) -> Iterator[str]:
    refusals = match.refusals(command)
    if offered and refusals:
        yield f"{shown(command)} is offered, but would be refused: {refusals[0].code}"
    if not offered and not refusals:
        yield f"{shown(command)} is not offered, but would be accepted"


def _some(things: Sequence[T], chance: Random, most: int) -> Sequence[T]:
    return chance.sample(things, most) if len(things) > most else things


def shown(command: Command) -> str:
    """Return a command as a line."""
    if isinstance(command, PlaceFleet):
        return f"{command.seat} places a fleet"
    return json.dumps(to_json(command), ensure_ascii=False)
