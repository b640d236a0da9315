"""All checks of a variant or of a plugin, put together."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final, TypeAlias

import attrs

from irontide import Fault, Problem, Registry, Rule, Variant, VariantError, load_variant
from irontide_play.checks.findings import Finding
from irontide_play.checks.idle import done, helping, idle, idle_here, rules_of, unpayable, unused
from irontide_play.checks.places import Spot, TomlFile, class_spot, handler_spot
from irontide_play.checks.subjects import Plugin, Subject, importing, load
from irontide_play.checks.texts import check_texts
from irontide_play.checks.trials import Trial, trial

BASES: Final = ("tactical", "salvo", "classic")
"""The variants that a plugin's abilities and rules are tried on, the first that they go with; the first has points.

Of the first those abilities are left out that do not go with them.
"""

BUILT_IN: Final = ("irontide_abilities", "irontide_variants", "irontide_play")
"""Plugins of which it is known that everything in them can happen."""

SHIPS: Final = ("carrier", "battleship")
"""The ships that get an ability to be tried, and one that sets it off."""

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
    found = [*_odd_id(variant, registry), *check_variant(variant, registry)]
    return [_placed(finding, file) for finding in found]


def _odd_id(variant: Variant, registry: Registry) -> Iterator[Finding]:
    """Yield why the id of a file's variant may not be what was meant."""
    id_ = variant.id
    if id_ != "".join(id_.split()):
        yield Finding("odd_id", f"an id with blanks, as {id_!r}, can hardly be typed", "id", sure=False)
    if registry.variants.get(id_, variant) != variant:
        text = f"there is another variant {id_!r}, and it is that one which the id means on the command line"
        yield Finding("id_taken", text, "id", sure=False)


def _refused(problem: Problem, file: TomlFile) -> Finding:
    place = "" if problem.place == str(file.path) else problem.place
    return Finding(problem.code, problem.text, place, file.spot(problem.place, problem.text))


def _placed(finding: Finding, file: TomlFile) -> Finding:
    """Return a finding at its line in the file, if it has one there."""
    spot = file.spot(finding.place)
    return attrs.evolve(finding, spot=spot if spot.line or not finding.spot.file else finding.spot)


def check_variant(variant: Variant, registry: Registry) -> Iterator[Finding]:
    """Yield all that is found in a variant; only what refuses it, if anything does."""
    problems = _problems(variant, registry)
    yield from (Finding(problem.code, problem.text, problem.place) for problem in problems)
    if not problems:
        yield from _played(variant, registry)


def _played(variant: Variant, registry: Registry) -> Iterator[Finding]:
    """Yield what matches of a variant show."""
    classes = rules_of(variant, registry)
    seen = trial(variant, registry, done(classes))
    yield from _faults([seen], classes)
    prices = [*unpayable(seen, registry)]
    yield from prices
    dear = {variant.granted[finding.place.split(".")[1]].use for finding in prices}
    ships = {use.use: ship for ship, use in variant.granted.items()}
    for class_ in classes:
        found = [*idle_here(class_, seen, classes, known=registry.plugin_of(class_.id) in BUILT_IN)]
        found += [] if class_.id in dear else unused(class_, [seen])
        place = f"abilities.{ships[class_.id]}" if class_.id in ships else f"rules.{class_.id}"
        for finding in found:  # a designer has no use for the line of its code
            yield attrs.evolve(finding, place=place, text=f"{class_.id!r} {finding.text}", spot=Spot())


def _faults(trials: Sequence[Trial], classes: Classes) -> Iterator[Finding]:
    """Yield what went wrong in trials, once each."""
    known = {class_.id: class_ for class_ in classes}
    first: dict[tuple[str, str, str], Fault] = {}
    for fault in (fault for seen in trials for fault in seen.faults):
        first.setdefault((fault.rule, fault.handler, fault.reason), fault)
    for (rule, handler, reason), fault in sorted(first.items(), key=lambda item: item[0]):
        asked = handler_spot(getattr(known[rule], handler)) if rule in known else Spot()
        spot = Spot(*fault.spot) if fault.spot else asked
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
            trials += _tried(class_, registry)
        except VariantError as error:
            uses = any(class_ in rules_of(seen.variant, registry) for seen in trials)
            yield from _untried(plugin, error, class_, uses=uses)
    yield from _faults(trials, classes)
    others = [*registry.rules.values(), *registry.abilities.values()]
    for class_ in classes:
        mine = [seen for seen in trials if class_ in rules_of(seen.variant, registry)]
        yield from (finding for finding in idle(class_, mine, others, trials) if finding.sure or mine)
        if not any(fault.rule == class_.id for seen in mine for fault in seen.faults):
            yield from (_with_reason(finding, class_, registry) for finding in unused(class_, mine))
        if mine and registry.plugin_of(class_.id) not in BUILT_IN:
            yield from _choosy(class_, registry)


def _choosy(class_: type[Rule], registry: Registry) -> Iterator[Finding]:
    """Yield where an ability or rule goes, if not into the first of the variants as it is."""
    base = registry.variant(BASES[0])
    problems = _problems(_with([class_], base, registry), registry)
    if not problems:
        return
    fitting = _trial_variant([class_], registry)
    if _problems(fitting, registry):
        return
    lost = {use.use for use in base.abilities.values()} - {use.use for use in fitting.abilities.values()}
    if class_.id in registry.abilities:
        lost -= {base.abilities[SHIPS[0]].use}  # that is where it was tried
    without = ", ".join(map(repr, sorted(lost)))
    where = (
        f"{BASES[0]!r} only without {without}" if fitting.base == BASES[0] else f"{fitting.base!r}, not {BASES[0]!r}"
    )
    text = f"goes into {where}: {problems[0].text}"
    yield Finding("choosy", text, class_.id, class_spot(class_), sure=False, hint=True)


def _with_reason(finding: Finding, class_: type[Rule], registry: Registry) -> Finding:
    """Return a finding with why a part could not be tried in the first of the variants, if it could not."""
    problems = _problems(_with([class_], registry.variant(BASES[0]), registry), registry)
    why = "".join(f"; it does not go with {BASES[0]!r}: {problem.text}" for problem in problems[:1])
    return attrs.evolve(finding, text=f"{finding.text}{why}")


def _tried(class_: type[Rule], registry: Registry) -> Iterator[Trial]:
    """Yield a trial of an ability or rule, and another with what gives the effects that it waits for.

    Raises:
        VariantError: it can't be built.

    """
    seen = trial(_trial_variant([class_], registry), registry, done([class_]))
    yield seen
    helpers = helping(class_, seen, [*registry.rules.values(), *registry.abilities.values()])
    for helper in helpers:
        variant = _trial_variant([class_, helper], registry)
        if not _problems(variant, registry):
            yield trial(variant, registry, done([class_]))


def _trial_variant(classes: Sequence[type[Rule]], registry: Registry) -> Variant:
    """Return a variant with these abilities and rules and what they need: the first that can be built, else the first.

    What is wrong with a parameter is wrong everywhere, and then no other is looked for.
    """
    made = [_with(classes, registry.variant(base), registry) for base in BASES]
    rest = [use.use for use in registry.variant(BASES[0]).abilities.values()]
    made[1:1] = [_with(classes, registry.variant(BASES[0]), registry, [id_]) for id_ in rest]
    made.insert(len(rest) + 1, _with(classes, registry.variant(BASES[0]), registry, rest))
    if any(problem.code == "bad_parameter" for problem in _problems(made[0], registry)):
        return made[0]
    return next((variant for variant in made if not _problems(variant, registry)), made[0])


def _with(classes: Sequence[type[Rule]], base: Variant, registry: Registry, drops: Sequence[str] = ()) -> Variant:
    owned = [class_.id for class_ in classes if class_.id in registry.abilities]
    rules = [class_.id for class_ in classes if class_.id not in owned]
    rules += [id_ for class_ in classes for id_ in getattr(class_, "needs", ())]
    abilities: dict[str, str] = dict(zip(SHIPS, owned, strict=False))
    return base.but(id=f"{classes[0].id}@{base.id}", drops=[*owned, *drops], abilities=abilities, rules=rules)


def _problems(variant: Variant, registry: Registry) -> Sequence[Problem]:
    try:
        registry.book(variant)
    except VariantError as error:
        return error.problems
    return ()


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
