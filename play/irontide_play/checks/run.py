"""All checks of a variant or of a plugin, put together."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final, TypeAlias

import attrs

from irontide import Problem, Registry, Rule, Variant, VariantError, load_variant
from irontide_play.checks.findings import Finding
from irontide_play.checks.idle import done, idle, rules_of, unpayable, unused
from irontide_play.checks.places import Spot, TomlFile, class_spot, handler_spot
from irontide_play.checks.subjects import Plugin, Subject, importing, load
from irontide_play.checks.texts import check_texts
from irontide_play.checks.trials import Trial, trial

BASES: Final = ("tactical", "salvo", "classic")
"""The variants that a plugin's abilities and rules are tried on, the first that they go with; the first has points."""

SHIP: Final = "destroyer"

Classes: TypeAlias = "Iterable[type[Rule]]"


def check_file(path: Path, registry: Registry) -> list[Finding]:
    """Return all that is found in a variant's TOML file.

    Raises:
        OSError: it can't be read.

    """
    file = TomlFile.read(path)
    try:
        variant = load_variant(path, registry)
    except VariantError as error:
        return [_refused(problem, file) for problem in error.problems]
    return [_placed(finding, file) for finding in check_variant(variant, registry)]


def _refused(problem: Problem, file: TomlFile) -> Finding:
    place = "" if problem.place == str(file.path) else problem.place
    return Finding(problem.code, problem.text, place, file.spot(problem.place, problem.text))


def _placed(finding: Finding, file: TomlFile) -> Finding:
    """Return a finding at its line in the file, if it has one there."""
    spot = file.spot(finding.place)
    return attrs.evolve(finding, spot=spot if spot.line or not finding.spot.file else finding.spot)


def check_variant(variant: Variant, registry: Registry) -> Iterator[Finding]:
    """Yield all that is found in a variant; only what refuses it, if anything does."""
    try:
        registry.book(variant)
    except VariantError as error:
        for problem in error.problems:
            yield Finding(problem.code, problem.text, problem.place)
        return
    classes = rules_of(variant, registry)
    seen = trial(variant, registry, done(classes))
    yield from _faults([seen], classes)
    prices = [*unpayable(seen, registry)]
    yield from prices
    dear = {variant.abilities[finding.place.split(".")[1]].use for finding in prices}
    ships = {use.use: ship for ship, use in variant.abilities.items()}
    for class_ in classes:
        found = [*idle(class_, [seen], classes, [seen])]
        found += [] if class_.id in dear else unused(class_, [seen])
        place = f"abilities.{ships[class_.id]}" if class_.id in ships else f"rules.{class_.id}"
        for finding in found:
            yield attrs.evolve(finding, place=place, text=f"{class_.id}: {finding.text}")


def _faults(trials: Sequence[Trial], classes: Classes) -> Iterator[Finding]:
    """Yield what went wrong in trials, once each."""
    known = {class_.id: class_ for class_ in classes}
    faults = {(fault.rule, fault.handler, fault.reason) for seen in trials for fault in seen.faults}
    for rule, handler, reason in sorted(faults):
        spot = handler_spot(getattr(known[rule], handler)) if rule in known else Spot()
        yield Finding("faulty", f"{handler} {reason}, in a match that was played to find out", rule, spot)


def check_plugin(subject: Subject, registry: Registry) -> list[Finding]:
    """Return all that is found in a plugin; the registry knows it afterwards."""
    with importing(subject.paths):
        plugin = load(subject, registry)
        return [plugin] if isinstance(plugin, Finding) else [*_loaded(plugin, registry)]


def _loaded(plugin: Plugin, registry: Registry) -> Iterator[Finding]:
    found = plugin.offered.found
    classes: list[type[Rule]] = [*found["ability"].values(), *found["rule"].values()]
    yield from check_texts(plugin)
    trials: list[Trial] = []
    for id_ in found["variant"]:
        wrong = [*_own_variant(plugin, id_, registry, classes)]
        yield from wrong
        if not wrong:
            variant = registry.variant(id_)
            trials.append(trial(variant, registry, done(rules_of(variant, registry))))
            yield from (_in_variant(plugin, id_, finding) for finding in unpayable(trials[-1], registry))
    for class_ in classes:
        try:
            trials.append(trial(_trial_variant(class_, registry), registry, done([class_])))
        except VariantError as error:
            uses = any(class_ in rules_of(seen.variant, registry) for seen in trials)
            yield from _untried(plugin, error, class_, uses=uses)
    yield from _faults(trials, classes)
    others = [*registry.rules.values(), *registry.abilities.values()]
    for class_ in classes:
        mine = [seen for seen in trials if class_ in rules_of(seen.variant, registry)]
        yield from (finding for finding in idle(class_, mine, others, trials) if finding.sure or mine)
        yield from unused(class_, mine)


def _trial_variant(class_: type[Rule], registry: Registry) -> Variant:
    """Return a variant with an ability or rule, and with what it needs; of all that can't be built the first."""
    made = [_with(class_, registry.variant(base), registry) for base in BASES]
    return next((variant for variant in made if _builds(variant, registry)), made[0])


def _with(class_: type[Rule], base: Variant, registry: Registry) -> Variant:
    id_, rules = f"{class_.id}@{base.id}", [*getattr(class_, "needs", ())]
    if class_.id in registry.abilities:
        return base.but(id=id_, drops=[class_.id], abilities={SHIP: {"use": class_.id}}, rules=rules)
    return base.but(id=id_, rules=[*rules, class_.id])


def _builds(variant: Variant, registry: Registry) -> bool:
    try:
        registry.book(variant)
    except VariantError:
        return False
    return True


def _own_variant(plugin: Plugin, id_: str, registry: Registry, classes: Classes) -> Iterator[Finding]:
    """Yield why a variant of the plugin's own can't be built."""
    try:
        registry.book(registry.variant(id_))
    except VariantError as error:
        for problem in error.problems:
            spot = _handler(plugin, problem, classes)
            finding = Finding(problem.code, problem.text, problem.place, spot or Spot())
            yield finding if spot else _in_variant(plugin, id_, finding)


def _in_variant(plugin: Plugin, id_: str, finding: Finding) -> Finding:
    place, spot = plugin.at(id_, finding.place)
    return attrs.evolve(finding, place=place, spot=spot)


def _untried(plugin: Plugin, error: VariantError, class_: type[Rule], *, uses: bool) -> Iterator[Finding]:
    """Yield why an ability or rule can't be tried: what is wrong with it, or only that it does not go with the base."""
    for problem in error.problems:
        spot = _handler(plugin, problem, [class_])
        if spot:
            yield Finding(problem.code, problem.text, problem.place, spot)
        elif not uses:
            text = f"could not be tried in {BASES[0]!r}: {problem.place}: {problem.text}"
            yield Finding("untried", text, class_.id, class_spot(class_), sure=False)


def _handler(plugin: Plugin, problem: Problem, classes: Classes) -> Spot | None:
    """Return where the handler or the rule is that a problem is of, if it is of one."""
    for class_ in classes:
        place = f"{plugin.name}.{class_.id}"
        if problem.place == place:
            return class_spot(class_)
        if problem.place.startswith(f"{place}."):
            return handler_spot(getattr(class_, problem.place.removeprefix(f"{place}.")))
    return None
