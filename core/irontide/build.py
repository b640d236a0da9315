"""Building a variant: check everything about it at once, then compile it into a rulebook."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import permutations
from typing import TYPE_CHECKING, Any, Protocol, cast

import attrs
import cattrs

from irontide.aiming import listed
from irontide.built import Built
from irontide.codec import complaints, strict_converter
from irontide.commands import COMMANDS
from irontide.counting import SearchLimitError, fits
from irontide.effects import EFFECTS
from irontide.errors import IrontideError, Problem, VariantError
from irontide.events import EVENTS
from irontide.faults import Broken, failure
from irontide.fleet import berths
from irontide.frozen import is_number, is_text, shown, thaw
from irontide.guard import Guard, ask
from irontide.legality import NO_CAP, seat_face
from irontide.names import hint
from irontide.rulebook import GROUPS, Bound, Rulebook
from irontide.rules import BASE_RULES, FACTS, QUESTIONS, Ability, Rule, Terms
from irontide.sea import charted, has_room
from irontide.state import State
from irontide.variant import RuleUse, Variant

if TYPE_CHECKING:
    from irontide.fleet import ShipClass
    from irontide.targets import Target

HEARD: dict[str, tuple[Any, ...]] = {
    "forbids": COMMANDS, "adjusts": QUESTIONS, "replaces": EFFECTS, "reacts": EVENTS
}  # fmt: skip
"""What each verb can be about."""

DROPPED = "to take away an ability of the base, name it in `drops`"

VALIDATED = re.compile(r"'(\w+)' must be (?:>= (\S+): )?(.*)", re.DOTALL)
"""What the validators of attrs say of a field: its name, the least it may be, and what it was or the rest of it."""

TERMS = tuple(field.name for field in attrs.fields(Terms))


class Known(Protocol):
    """What a registry offers to a build: classes by id, and the plugin each came from."""

    @property
    def abilities(self) -> Mapping[str, type[Ability]]:
        """All abilities."""
        ...

    @property
    def rules(self) -> Mapping[str, type[Rule]]:
        """All rules that are no abilities."""
        ...

    def plugin_of(self, id_: str) -> str:
        """Return the name of the plugin that registered an ability or rule."""
        ...


class _Build:
    def __init__(self, variant: Variant, known: Known) -> None:
        self.variant = variant
        self.known = known
        self.problems: list[Problem] = []
        self.ground = variant.ground
        """What there is to aim at: of the ship classes those that are sound as such."""

    def problem(self, code: str, place: str, text: str) -> None:
        self.problems.append(Problem(code, place, text))

    def check_words(self) -> None:
        variant = self.variant
        if not is_text(variant.id) or not variant.id:
            self.problem("bad_form", "id", f"a variant needs an id, not {shown(variant.id)}")
        if variant.base is not None and not is_text(variant.base):
            self.problem("bad_form", "base", f"the base is an id, not {shown(variant.base)}")
        if not is_text(variant.source):
            self.problem("bad_form", "source", f"the source is a text, not {shown(variant.source)}")
        named = [("labels", variant.labels), *((f"fleet.{ship.id}.labels", ship.labels) for ship in variant.fleet)]
        for place, labels in named:
            if not all(is_text(lang) and is_text(label) for lang, label in labels.items()):
                self.problem("bad_form", place, "labels are texts by language")

    def run(self) -> Rulebook:
        variant = self.variant
        self.check_words()
        self.check_fleet()
        bounds = [*self.rules(), *self.abilities()]
        base = self.base_rules([bound.rule for bound in bounds])
        self.check_together({bound.rule.id: bound.rule for bound in bounds})
        self.check_limits()
        self.check_handlers(bounds)
        self.stop()
        book = self.charted(Rulebook(variant, bounds, base))
        self.check_room(book)
        self.check_prices(book)
        self.stop()
        return book

    def charted(self, book: Rulebook) -> Rulebook:
        try:
            return charted(book)
        except IrontideError as error:
            self.problem("bad_parameter", "rules", str(error))
            return book
        except Exception as error:  # noqa: BLE001 - a rule of a plugin is asked here
            self.problem("bad_rule", "rules", f"asking for the sea raised {shown(error)}")
            return book

    def at(self, id_: str) -> str:
        """Return where a rule or an ability stands."""
        owners = (class_ for class_, use in self.variant.abilities.items() if use.use == id_)
        return next((f"abilities.{class_}" for class_ in owners), f"rules.{id_}")

    def stop(self) -> None:
        if self.problems:
            raise VariantError(self.variant.id, self.problems)

    def check_fleet(self) -> None:
        fleet = self.variant.fleet
        if not fleet:
            self.problem("bad_fleet", "fleet", "a fleet needs at least one ship")
        good: list[ShipClass] = []
        for number, ship in enumerate(fleet):
            wrong = [*ship.problems(f"fleet.{ship.id}" if is_text(ship.id) and ship.id else f"fleet[{number}]")]
            self.problems += wrong
            good += [] if wrong else [ship]
        self.ground = attrs.evolve(self.ground, fleet=tuple(good))
        ships = Counter(id_ for ship in good for id_ in ship.ships())
        for id_ in (ship for ship, times in ships.items() if times > 1):
            self.problem("bad_fleet", "fleet", f"the ship {id_!r} is there twice; use count for several of one class")
        grid = self.variant.grid
        for ship in good:
            room = len(berths(ship, grid, grid.all.mask))
            if room < ship.count:
                what = f"{ship.count} times {ship.id!r} do not fit" if room else f"{ship.id!r} does not fit"
                text = f"{what} on a grid of {grid.columns}x{grid.rows}"
                self.problem("no_room", f"fleet.{ship.id}", text)

    def rules(self) -> Iterator[Bound]:
        drops = set(self.variant.drops)
        uses = [(_place(use, n), use) for n, use in enumerate(self.variant.rules) if use.use not in drops]
        listed = {use.use for _, use in uses}
        uses += [
            (f"instead_of[{base}]", RuleUse(id_)) for base, id_ in self.variant.instead_of.items() if id_ not in listed
        ]
        ids = [use.use for _, use in uses]
        for id_ in dict.fromkeys(id_ for id_ in ids if ids.count(id_) > 1):
            self.problem("conflict", f"rules.{id_}", f"the rule {id_!r} is there twice")
        for place, use in uses:
            if not self.named(use, place):
                continue
            class_ = self.known.rules.get(use.use)
            if class_ is None:
                self.unknown("rule", use.use, place, self.known.rules, self.known.abilities)
                continue
            rule = self.configured(class_, use.params, place)
            if rule is not None:
                yield Bound(self.known.plugin_of(use.use), rule)
        known = {*BASE_RULES, *(use.use for use in (*self.variant.rules, *self.variant.abilities.values()))}
        for id_ in self.variant.drops:
            if id_ not in known:
                text = f"there is no rule or ability {shown(id_)} to drop{hint(id_, filter(is_text, known))}"
                self.problem("unknown_rule", "drops", text)

    def named(self, use: RuleUse, place: str, instead: str = "") -> bool:
        if isinstance(use.use, str) and use.use:  # pyright: ignore[reportUnnecessaryIsInstance] - a record from data
            return True
        self.problem("bad_form", place, f"needs `use`, the id of what is used, not {shown(use.use)}{instead}")
        return False

    def unknown(
        self, kind: str, id_: str, place: str, known: Mapping[str, object], other: Mapping[str, object]
    ) -> None:
        where = f", but {id_!r} is an ability: give it to a ship class" if id_ in other and kind == "rule" else ""
        where = where or (", but it is a rule, not an ability" if id_ in other else hint(id_, known))
        self.problem(f"unknown_{kind}", place, f"there is no {kind} {id_!r}{where}")

    def configured(self, class_: type[Rule], params: Mapping[str, Any], place: str) -> Rule | None:
        try:
            return _converter().structure(thaw(params), class_)
        except Exception as error:  # noqa: BLE001 - cattrs raises what a rule's own checks raise
            for path, text in complaints(error, place):
                self.problem("bad_parameter", *_at_field(class_, path, place, text))
            return None

    def abilities(self) -> Iterator[Bound]:
        classes = [ship.id for ship in self.variant.fleet]
        used: dict[str, str] = {}
        order = {class_id: number for number, class_id in enumerate(classes)}
        for class_id, use in sorted(self.variant.abilities.items(), key=lambda item: order.get(item[0], len(order))):
            place = f"abilities.{class_id}"
            if use.use in self.variant.drops or not self.named(use, place, f"; {DROPPED}"):
                continue
            known = class_id in classes
            if not known:
                near = hint(class_id, classes)
                text = f"no ship class {shown(class_id)} in the fleet{near}; {DROPPED}"
                self.problem("unknown_ship", place, text)
            if use.use in used:
                text = f"{use.use!r} belongs to {used[use.use]!r} too; to give it to another class, drop it first: "
                self.problem("ability_twice", place, f'{text}drops = ["{use.use}"]')
                continue
            used[use.use] = class_id
            sound = class_id in {ship.id for ship in self.ground.fleet}
            yield from self.ability(classes.index(class_id) if sound else -1, use, place)

    def ability(self, number: int, use: RuleUse, place: str) -> Iterator[Bound]:
        class_ = self.known.abilities.get(use.use)
        if class_ is None:
            self.unknown("ability", use.use, place, self.known.abilities, self.known.rules)
            return
        given = {name: value for name, value in use.params.items() if name in TERMS}
        fields = [field.name for field in attrs.fields(cast("type[attrs.AttrsInstance]", class_))]
        for name in use.params:
            if name not in TERMS and name not in fields:
                text = f"unknown key {name!r}{hint(name, [*TERMS, *fields])}"
                self.problem("bad_parameter", f"{place}.{name}", text)
        rule = self.configured(class_, {name: use.params[name] for name in fields if name in use.params}, place)
        terms = self.terms(class_.terms, given, place)
        if isinstance(rule, Ability) and terms is not None and number >= 0:
            ships = self.variant.fleet[number].ships()
            target: Target = rule.target
            plugin = self.known.plugin_of(use.use)
            try:
                spots = dict(listed(target.spots(self.ground), self.variant.grid.all.mask))
            except Exception as error:  # noqa: BLE001 - a target may have been made with anything
                self.problem("bad_rule", f"{plugin}.{use.use}", f"its target cannot be listed: {failure(error)}")
                return
            built = Built(rule)
            for seat in (0, 1):
                yield Bound(plugin, rule, seat, number, ships, terms, target, spots, built=built)

    def terms(self, declared: Terms, given: Mapping[str, Any], place: str) -> Terms | None:
        try:
            terms = _converter().structure({**attrs.asdict(declared), **given}, Terms)
        except Exception as error:  # noqa: BLE001 - cattrs raises what the hooks raise
            for path, text in complaints(error, place):
                self.problem("bad_parameter", path, text)
            return None
        for name in TERMS:
            value = getattr(terms, name)
            if type(value) is int and value < 0:
                self.problem("bad_parameter", f"{place}.{name}", f"must be 0 or more, not {value}")
            elif name != "price" and type(value) is int and value > NO_CAP:
                self.problem("bad_parameter", f"{place}.{name}", f"must be at most {NO_CAP}, not {value}")
        return terms

    def base_rules(self, rules: list[Rule]) -> frozenset[str]:
        taken: dict[str, str] = {}
        for rule in rules:
            for place in dict.fromkeys(place for place in (rule.place, rule.instead_of) if place):
                other = taken.setdefault(place, rule.id)
                if other != rule.id:
                    self.problem("conflict", self.at(rule.id), f"{other!r} and {rule.id!r} both stand for {place!r}")
        for id_ in {**self.variant.instead_of, **{rule.instead_of: "" for rule in rules if rule.instead_of}}:
            if id_ not in BASE_RULES:
                self.problem("unknown_rule", f"instead_of[{id_}]", f"no rule of the core{hint(id_, BASE_RULES)}")
        for id_, other in self.variant.instead_of.items():
            if id_ in BASE_RULES and any(rule.id == other and rule.instead_of != id_ for rule in rules):
                those = sorted(name for name, class_ in self.known.rules.items() if class_.instead_of == id_)
                text = f"{other!r} does not stand for {id_!r}; what does: {', '.join(map(repr, those)) or 'nothing'}"
                self.problem("conflict", f"instead_of[{id_}]", f"{text}; to do without it, name it in `drops`")
        replaced = {rule.instead_of for rule in rules} | {*self.variant.instead_of}
        return frozenset(id_ for id_ in BASE_RULES if id_ not in self.variant.drops and id_ not in replaced)

    def check_together(self, rules: Mapping[str, Rule]) -> None:
        """Refuse rules that lack one they need, and those that tell what another hides."""
        meant, facts = {*rules, *self.meant()}, dict[str, tuple[tuple[str, ...], ...]]()
        for rule in rules.values():
            for id_ in rule.needs:
                if id_ not in meant:
                    text = f"{rule.id!r} needs the rule {id_!r}, which this variant does not have"
                    self.problem("missing_rule", self.at(rule.id), text)
            facts[rule.id] = self.facts(rule)
            for fact in (*facts[rule.id][0], *facts[rule.id][1]):
                if not (isinstance(fact, str) and fact in FACTS):  # pyright: ignore[reportUnnecessaryIsInstance] - what a plugin declares
                    near = hint(fact, FACTS)
                    text = f"{rule.id!r} speaks of {shown(fact)}: the facts are {', '.join(FACTS)}{near}"
                    self.problem("bad_rule", f"{self.known.plugin_of(rule.id)}.{rule.id}", text)
        for one, other in permutations(rules.values(), 2):
            for fact in dict.fromkeys(facts[one.id][0]):
                if fact in facts[other.id][1]:
                    text = f"{one.id!r} hides what {other.id!r} tells: {FACTS.get(fact, fact)}"
                    self.problem("conflict", self.at(one.id), text)

    def facts(self, rule: Rule) -> tuple[tuple[str, ...], ...]:
        """Return which facts a rule hides, and which it tells."""
        try:
            hidden, told = tuple(rule.facts_hidden()), tuple(rule.facts_told())
            hash((hidden, told))
        except Exception as error:  # noqa: BLE001 - a rule of a plugin is asked here
            self.problem("bad_rule", self.at(rule.id), f"{rule.id!r} cannot say its facts: {failure(error)}")
            return (), ()
        return hidden, told

    def meant(self) -> Iterator[str]:
        """Yield the rules and abilities that the variant names, also those in which something is wrong."""
        uses = (*self.variant.rules, *self.variant.abilities.values())
        yield from (use.use for use in uses if use.use not in self.variant.drops)

    def check_limits(self) -> None:
        for name, value in attrs.asdict(self.variant.limits, recurse=False).items():
            if not is_number(value) or value < 1:
                self.problem("bad_parameter", f"limits.{name}", f"must be 1 or more, not {shown(value)}")

    def check_handlers(self, bounds: list[Bound]) -> None:
        for bound in {bound.rule.id: bound for bound in bounds}.values():
            for name, verb in bound.rule.handlers:
                place = f"{bound.plugin}.{bound.rule.id}.{name}"
                if verb.on not in HEARD[verb.verb]:
                    words = [on if isinstance(on, str) else on.__name__ for on in HEARD[verb.verb]]
                    given = verb.on if isinstance(verb.on, str) else getattr(verb.on, "__name__", shown(verb.on))
                    self.problem("bad_rule", place, f"{verb.verb} does not go with {given!r}{hint(given, words)}")
                if verb.group is not None and verb.group not in GROUPS[verb.verb]:
                    text = f"no group {shown(verb.group)} of {verb.verb}: they are {', '.join(GROUPS[verb.verb])}"
                    self.problem("bad_rule", place, text)

    def check_prices(self, book: Rulebook) -> None:
        """Refuse a price that no purse can ever hold, as far as that is known before the match."""
        for bound in book.abilities[0].values():
            cap = _cap(book, bound)
            if bound.terms.price > cap:
                place = f"abilities.{book.variant.fleet[bound.place].id}.price"
                text = f"{bound.terms.price} points can never be paid: a purse holds at most {cap}"
                self.problem("bad_parameter", place, text)

    def check_room(self, book: Rulebook) -> None:
        try:
            room = has_room(book) if book.sea_varies else _fits(book)
        except Exception as error:  # noqa: BLE001 - a rule of a plugin is asked here
            self.problem("bad_rule", "rules", f"asking for the clearance of ships or the sea raised {shown(error)}")
            return
        if not room:
            grid = self.variant.grid
            text = f"no way was found to fit the fleet on a grid of {grid.columns}x{grid.rows} with these rules"
            self.problem("no_room", "fleet", text)


def _cap(book: Rulebook, bound: Bound) -> int:
    """Return the most that a purse holds before the match; a rule that cannot say so yet has no say here."""
    guard = Guard(State(), book.limits)
    try:
        return ask(book.adjusts, "cap", guard, seat_face(book, guard.state, 0), NO_CAP, bound.seat)
    except (Broken, IndexError):  # it may need a match that has begun
        return NO_CAP


def _place(use: RuleUse, number: int) -> str:
    """Return where a rule stands: by its id, for what was merged has other numbers than what was written."""
    return f"rules.{use.use}" if isinstance(use.use, str) and use.use else f"rules[{number}]"  # pyright: ignore[reportUnnecessaryIsInstance] - a record from data


def _at_field(class_: type[Rule], path: str, place: str, text: str) -> tuple[str, str]:
    """Return a complaint at the parameter that it is about, where a validator only names that."""
    told = VALIDATED.fullmatch(text) if path == place else None
    if told is None or told[1] not in attrs.fields_dict(cast("type[attrs.AttrsInstance]", class_)):
        return path, text
    return f"{place}.{told[1]}", f"must be {told[3]}" if told[
        2
    ] is None else f"must be {told[2]} or more, not {told[3]}"


def _fits(book: Rulebook) -> bool:
    try:
        return fits(book.berths(), book.grid.columns, book.grid.rows)
    except SearchLimitError:
        return False


def _converter() -> cattrs.Converter:
    return _CONVERTER


_CONVERTER = strict_converter(detailed=True)


def build(variant: Variant, known: Known) -> Rulebook:
    """Return the compiled variant.

    Raises:
        VariantError: it cannot be built; with every problem.

    """
    return _Build(variant, known).run()
