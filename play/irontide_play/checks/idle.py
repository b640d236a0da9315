"""Idle things: handlers that ran in no trial, and whether it is certain that they can't; prices that nobody had."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import CodeType, FunctionType
from typing import Any, Final, TypeGuard

import irontide
from irontide import (
    Ability,
    AbilityUsed,
    Activate,
    FleetRevealed,
    GainPoints,
    MatchCreated,
    MatchEnded,
    Registry,
    Rule,
    UseAbility,
    Variant,
)
from irontide_play.checks.findings import Finding
from irontide_play.checks.places import handler_spot
from irontide_play.checks.trials import USES, Trial

UNHEARD: Final[set[Any]] = {MatchCreated, MatchEnded, FleetRevealed}
"""Events that nothing can react to: before the match, and after its end."""

MADE_BY: Final = {
    "CellsScanned": "Scan",
    "Reported": "Report",
    "CellsRevealed": "Reveal",
    "KnowledgeForgotten": "Forget",
    "CellRepaired": "Repair",
    "ShipMoved": "Move",
    "ShotsGranted": "GrantShots",
    "AbilityEnabled": "Disable",
    "Marked": "Mark",
    "Unmarked": "Mark",
    "DataSet": "SetData",
    "Noted": "Note",
    "PointsGained": "GainPoints",
}
"""Events that come only from an effect that a rule gives: from which."""

BY_CORE: Final = {"Shot", "Sink", "Activate", "SpendPoints", "EndMatch", "EndTurn"}
"""Effects that the core gives too."""

ABOUT_ABILITIES: Final[tuple[Any, ...]] = (UseAbility, Activate, AbilityUsed, "price")


def rules_of(variant: Variant, registry: Registry) -> list[type[Rule]]:
    """Return the rules and abilities that a variant uses."""
    uses = [*variant.rules, *variant.granted.values()]
    known: Mapping[str, type[Rule]] = {**registry.rules, **registry.abilities}
    names = dict.fromkeys([*(use.use for use in uses), *variant.instead_of.values()])
    return [known[id_] for id_ in names if id_ in known]


def idle(
    class_: type[Rule], trials: Sequence[Trial], others: Sequence[type[Rule]], all_trials: Sequence[Trial]
) -> Iterator[Finding]:
    """Yield each handler of a rule that ran in none of its trials.

    `others` are the rules that could set it off; what commands are allowed is seen from all trials.
    """
    for name, verb in _asleep(class_, trials):
        why = _why(verb.verb, verb.on, all_trials, others)
        games = sum(trial.games for trial in trials)
        doubt = f"was not asked in {games} matches that were played to find out, and may never be"
        text = f"@{verb.verb}({_name(verb.on)}) {f'can never run: {why}' if why else doubt}"
        handler = getattr(class_, name)
        yield Finding("never_runs", text, f"{class_.id}.{name}", handler_spot(handler), sure=why is not None)


def idle_here(
    class_: type[Rule], seen: Trial, others: Sequence[type[Rule]], *, known: bool = False
) -> Iterator[Finding]:
    """Yield what of a rule does nothing in a variant, in words for designers, each reason once.

    A rule may have handlers for what other variants have; as long as one of them runs, it is not for nothing here. Of
    one that is `known` to work, only what is certain is told.
    """
    asleep = [verb for _, verb in _asleep(class_, [seen])]
    meant = asleep if len(asleep) == len(class_.handlers) else [verb for verb in asleep if verb.on in UNHEARD]
    reasons = dict.fromkeys(_why(verb.verb, verb.on, [seen], others) for verb in meant)
    for why in reasons:
        if why:
            whole = "does nothing here" if len(reasons) == 1 and meant == asleep else "waits for what can't happen here"
            yield Finding("never_runs", f"{whole}: {why}", class_.id)
        elif not known:
            text = f"did nothing in {seen.games} matches that were played to find out, and may never do anything"
            yield Finding("never_runs", text, class_.id, sure=False)


def _asleep(class_: type[Rule], trials: Sequence[Trial]) -> list[tuple[str, Any]]:
    """Return the handlers that ran in none of the trials, each with its verb."""
    ran = set[CodeType]().union(*(trial.ran for trial in trials))
    return [(name, verb) for name, verb in class_.handlers if _code(getattr(class_, name)) not in ran]


def helping(class_: type[Rule], trial: Trial, others: Iterable[type[Rule]]) -> Iterator[type[Rule]]:
    """Yield for each handler that did not run a rule or ability that gives the effect it needs, if there is one."""
    effects = {
        effect
        for _, verb in _asleep(class_, [trial])
        if (effect := _needed(verb.verb, verb.on)) and effect not in BY_CORE
    }
    known = [other for other in others if other is not class_]
    for effect in sorted(effects):
        yield from [other for other in known if gives(other, effect)][:1]


def _name(on: object) -> str:
    return on.__name__ if isinstance(on, type) else repr(on)


def _code(handler: Any) -> CodeType:  # noqa: ANN401 - any function
    code: CodeType = handler.__code__
    return code


def _why(verb: str, on: Any, trials: Sequence[Trial], others: Sequence[type[Rule]]) -> str | None:  # noqa: ANN401 - a type or a question
    """Return why a handler can never run, if that is certain."""
    if on in UNHEARD:
        return "nothing reacts before the match or after its end"
    if on in ABOUT_ABILITIES and not any(map(_usable, others)):
        return "there is no ability that can be used"
    if verb == "forbids" and trials and not any(on.__name__ in trial.allowed for trial in trials):
        return f"the command {on.__name__} is not allowed anyway"
    effect = _needed(verb, on)
    if effect and effect not in BY_CORE and not any(gives(other, effect) for other in others):
        return f"no rule or ability here gives the effect {effect}"
    return None


def _needed(verb: str, on: Any) -> str | None:  # noqa: ANN401 - what a handler is about
    """Return the effect without which a handler is not asked."""
    if verb == "adjusts":
        return GainPoints.__name__ if on == "cap" else None
    name: str = on.__name__
    return {"reacts": MADE_BY.get(name), "replaces": name}.get(verb)


def _usable(class_: type[Rule]) -> TypeGuard[type[Ability]]:
    return issubclass(class_, Ability) and class_.use is not Ability.use


def gives(class_: type[Rule], effect: str) -> bool:
    """Tell whether the code of a rule, or what it calls by name within its own package, names an effect."""
    wanted = getattr(irontide, effect, None)
    package = class_.__module__.partition(".")[0]
    todo: list[Any] = [*class_.__mro__]
    seen: list[Any] = []
    while todo:
        thing = _plain(todo.pop())
        if thing in seen or getattr(thing, "__module__", "").partition(".")[0] != package:
            continue
        seen.append(thing)
        if isinstance(thing, type):
            todo += vars(thing).values()
        elif isinstance(thing, FunctionType):
            names = _names(thing.__code__)
            called = [thing.__globals__[name] for name in names if name in thing.__globals__]
            if effect in names or any(one is wanted for one in called):
                return True
            todo += called
    return False


def _plain(thing: Any) -> Any:  # noqa: ANN401 - whatever stands in a class
    """Return the function that is behind a property or a method of the class."""
    return thing.fget if isinstance(thing, property) else getattr(thing, "__func__", thing)


def _names(code: CodeType) -> set[str]:
    """Return the names that some code uses, and the code within it."""
    inner = [_names(const) for const in code.co_consts if isinstance(const, CodeType)]
    return {*code.co_names}.union(*inner)


def unpayable(trial: Trial, registry: Registry) -> Iterator[Finding]:
    """Yield each ability of the variant whose price nobody had."""
    variant, others = trial.variant, rules_of(trial.variant, registry)
    for ship, use in variant.granted.items():
        class_ = registry.ability(use.use)
        price = use.params.get("price", class_.terms.price)
        if price <= trial.richest or use.use in trial.used or not _usable(class_):
            continue
        given = any(gives(other, GainPoints.__name__) for other in others)
        most = f"nobody had more than {trial.richest} in {trial.games} matches that were played to find out"
        text = (
            f"{use.use!r} costs {price} points, {f'but {most}' if given else 'and nothing in this variant gives any'}"
        )
        yield Finding("never_paid", text, f"abilities.{ship}.price", sure=not given)


def unused(class_: type[Rule], trials: Sequence[Trial]) -> Iterator[Finding]:
    """Yield the ability if it was used in none of the trials."""
    if trials and _usable(class_) and not any(class_.id in trial.used for trial in trials):
        games = sum(trial.games for trial in trials)
        text = f"could not be used in {games} matches that were played to find out, and may never be"
        yield Finding("never_used", text, class_.id, handler_spot(class_.use), sure=False)


def done(classes: Iterable[type[Rule]]) -> Callable[[Trial], bool]:
    """Return what tells whether every handler has run in a trial, and every use often enough."""
    kept = [*classes]
    usable = [class_.id for class_ in kept if _usable(class_)]
    codes = {_code(getattr(class_, name)) for class_ in kept for name, _ in class_.handlers}
    return lambda trial: codes <= trial.ran and all(trial.uses[id_] >= USES for id_ in usable)
