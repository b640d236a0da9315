"""Explaining: the rules of a variant as players read them, in their language; one ability or rule; the order."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

import attrs

from irontide.errors import UnknownName
from irontide.fleet import turns
from irontide.messages import ability_name, message, ship_label
from irontide.names import hint
from irontide.rules import BASE_RULES, Ability, Rule
from irontide.settings import default, settings

if TYPE_CHECKING:
    from irontide.fleet import ShipClass
    from irontide.registry import Registry
    from irontide.rulebook import Bound, Listener, Rulebook
    from irontide.rules import Terms
    from irontide.targets import Target
    from irontide.variant import Variant


def explain(thing: "Variant | type[Rule] | str", lang: str = "en", registry: "Registry | None" = None) -> str:
    """Return the rules of a variant as a text for players, or what an ability or a rule is, with its parameters.

    A text is the id of a variant or an ability, else of a rule, those of the core among them.

    The core's own sentences are each about one topic. A rule that stands for the topic (it is `place`d there, is
    `instead_of` it, or sets the answer to that question) has its text in the sentence's place, and so has any rule
    with a text `rule.ID.instead.TOPIC` (or one for its parameters, as `rule.ID.instead.TOPIC.true`). The text of a
    rule that is `about` the topic follows it. What is left stands in a paragraph of its own.

    Raises:
        UnknownName: nothing has this id.
        VariantError: the variant cannot be built.

    """
    from irontide.registry import shared  # noqa: PLC0415 - the registry builds variants, which explain themselves

    found = registry or shared()
    if isinstance(thing, str):
        if thing in BASE_RULES:
            return "\n".join(_base(thing, lang, found.rules)) + "\n"
        thing = _named(thing, found)
    if isinstance(thing, type):
        return "\n".join(_alone(thing, lang)) + "\n"
    return "\n".join(_Page(found.book(thing), lang).lines()) + "\n"


def _named(id_: str, registry: "Registry") -> "Variant | type[Rule]":
    if id_ in registry.variants:
        return registry.variant(id_)
    parts: dict[str, type[Rule]] = {**registry.rules, **registry.abilities}
    if id_ not in parts:
        near = hint(id_, [*registry.variants, *parts, *BASE_RULES])
        raise UnknownName(f"there is no variant, ability or rule {id_!r}{near}")
    return parts[id_]


class _Page:
    """The explanation of one variant: which sentences hold, and what rules say in place of the others."""

    def __init__(self, book: "Rulebook", lang: str) -> None:
        self.book, self.lang = book, lang
        self.rules = [bound for bound in book.bounds if bound.seat < 0]
        self.told: set[str] = set()
        """The rules whose text stands in place of a sentence."""

    def lines(self) -> list[str]:
        variant, grid = self.book.variant, self.book.grid
        size: dict[str, Any] = {"columns": grid.columns, "rows": grid.rows, "last": grid.names[-1]}
        several = "shots" in self.book.adjusts
        abilities = self.abilities()
        end = [*self.about("defeated"), *self.about("end", turns=variant.limits.quiet_turns)]
        parts = [
            [variant.label(self.lang)],
            [*self.about("aim"), *self.about("first_seat"), *self.about("sea", **size)],
            [
                *self.about("fleet", form="drawn" if any(ship.shape for ship in variant.fleet) else ""),
                *(f"  - {_ship(ship, self.lang)}" for ship in variant.fleet),
            ],
            [*self.about("clearance"), *self.about("placing"), *self.fixed()],
            [*self.about("shots"), *(self.about("volley") if several else []), *self.about("next_seat")],
            [*self.base("core.no_repeat"), *self.base("core.must_shoot")],
            [*self.about("answer"), *self.about("sinking")],
            self.others(),
            abilities,
            end,
            [message(self.lang, "explain.source", source=variant.source)] if variant.source else [],
        ]
        return [line for part in parts if part for line in ("", *part)][1:]

    def about(self, topic: str, form: str = "", **args: object) -> list[str]:
        said = self.instead(topic) or [message(self.lang, f"explain.{topic}.{form}", f"explain.{topic}", **args)]
        beside = [bound.rule for bound in self.rules if bound.rule.about == topic and bound.rule.id not in self.told]
        self.told.update(rule.id for rule in beside)
        return [*said, *(_rule(rule, self.lang) for rule in beside)]

    def base(self, id_: str) -> list[str]:
        return self.instead(id_) or [message(self.lang, f"explain.{'' if id_ in self.book.base else 'not.'}{id_}")]

    def fixed(self) -> list[str]:
        placed_anew = "core.fleet_fixed" not in self.book.base  # so ships move, if only by their owner's hand
        stay = [] if placed_anew and "core.ships_stay" in self.book.base else self.base("core.ships_stay")
        return [*self.base("core.fleet_fixed"), *stay]

    def instead(self, topic: str) -> list[str]:
        """Return what rules say in place of the sentence on this topic."""
        return [text for bound in self.rules if (text := self.own(bound, topic))]

    def own(self, bound: "Bound", topic: str) -> str | None:
        key, form = f"rule.{bound.rule.id}.instead.{topic}", _form(dict(bound.parameters))
        text = message(self.lang, f"{key}.{form}", key, **dict(bound.parameters))
        if text != f"{key}.{form}":
            return text
        if topic not in _stands_for(bound.rule):
            return None
        self.told.add(bound.rule.id)
        return _rule(bound.rule, self.lang)

    def others(self) -> list[str]:
        """Return the texts of the rules that no sentence so far had room for, in the order of the variant."""
        return [_rule(bound.rule, self.lang) for bound in self.rules if bound.rule.id not in self.told]

    def abilities(self) -> list[str]:
        bounds = self.book.abilities[0].values()
        if not bounds:
            return []
        priced = any(bound.terms.price for bound in bounds)
        return [
            message(self.lang, "explain.abilities"),
            *(f"  - {self.ability(bound)}" for bound in bounds),
            *self.base("core.one_ability"),
            *self.about("use"),
            *(self.about("shooting") if any(bound.ability.shoots for bound in bounds) else []),
            *(self.about("points") if priced else []),
        ]

    def ability(self, bound: "Bound") -> str:
        class_ = self.book.variant.fleet[bound.place]
        ship = class_.labels.get(self.lang) or ship_label(class_.id, self.lang)
        name = ability_name(bound.rule.id, self.lang)
        key = "explain.passive_ability" if bound.passive else "explain.ability"
        head = message(self.lang, key, name=name, ship=ship, price=bound.terms.price)
        return " ".join([head, _ability(bound.ability, self.lang), *_terms(bound.terms, self.lang)])


def _stands_for(rule: "Rule") -> set[str]:
    """Return the topics that a rule is about in the core's place."""
    answers = {verb.on for _, verb in rule.handlers if (verb.verb, verb.group) == ("adjusts", "set")}
    return {topic for topic in (rule.place, rule.instead_of, *answers) if topic}


def _ship(ship: "ShipClass", lang: str) -> str:
    label = ship.labels.get(lang) or ship_label(ship.id, lang)
    length = message(lang, "explain.length", length=ship.length)
    form = length if ship.length else " / ".join(ship.shape)
    if _has_mirror_image(ship):
        form += message(lang, "explain.mirror" if ship.mirror else "explain.unmirrored")
    return f"{ship.count} x {label} ({form})" if ship.count > 1 else f"{label} ({form})"


def _has_mirror_image(ship: "ShipClass") -> bool:
    """Tell whether the ship mirrored is another one, however it is turned."""
    return len(turns(attrs.evolve(ship, mirror=True))) > len(turns(attrs.evolve(ship, mirror=False)))


def _rule(rule: "Rule | type[Rule]", lang: str) -> str:
    params = _params(rule)
    form = _form(params)
    keys = ([f"rule.{rule.id}.text.{form}"] if form else []) + [f"rule.{rule.id}.text"]
    return _text(rule, lang, *keys, **params)


def _form(params: Mapping[str, object]) -> str:
    """Return the form of a rule's text by its parameters that are words, yes or no, or lists (some or none)."""
    words = (("some" if value else "none") if isinstance(value, tuple) else value for value in params.values())
    return ".".join(str(word).lower() for word in words if isinstance(word, (bool, str)))


def _ability(ability: "Ability | type[Ability]", lang: str) -> str:
    """Return what an ability does, and what it aims at."""
    text = _text(ability, lang, f"ability.{ability.id}.text", **_params(ability))
    return " ".join(part for part in (text, _target(ability.target, lang)) if part)


def _target(target: "Target", lang: str) -> str:
    """Return what a target is; nothing of a kind that has no text."""
    key = f"target.{type(target).__name__.lower()}"
    fields = {field.name: getattr(target, field.name) for field in attrs.fields(type(target))}
    form = next((str(value).lower() for name, value in fields.items() if name in ("known", "turns", "to")), "")
    side = message(lang, f"target.on.{target.side}")
    text = message(lang, f"{key}.{form}", key, **{**fields, "side": side})
    return "" if text.startswith("target.") else text


def _terms(terms: "Terms", lang: str) -> list[str]:
    limits = ("per_turn", "per_match", "cooldown", "charges", "standing", "instead_of_shot")
    return [message(lang, f"terms.{term}", n=value) for term in limits if (value := getattr(terms, term))]


def _text(rule: "Rule | type[Rule]", lang: str, *keys: str, **params: object) -> str:
    """Return the rule's text, or the first line of its docstring where its plugin has none."""
    found = message(lang, *keys, **params)
    return found if found != keys[0] else (rule.__doc__ or rule.id).strip().splitlines()[0]


def _params(rule: "Rule | type[Rule]") -> dict[str, object]:
    """Return the parameters of a rule: as they are, or of a class those that have a default."""
    fields = attrs.fields(cast("type[attrs.AttrsInstance]", rule if isinstance(rule, type) else type(rule)))
    if isinstance(rule, type):
        return {field.name: default(field) for field in fields if field.default is not attrs.NOTHING}
    return {field.name: getattr(rule, field.name) for field in fields}


def _alone(class_: "type[Rule]", lang: str) -> list[str]:
    """Return what an ability or a rule is, whatever the variant."""
    name = message(lang, f"ability.{class_.id}.name", f"rule.{class_.id}.name")
    title = class_.id if name.endswith(f".{class_.id}.name") else f"{name} ({class_.id})"
    lines = [title, ""]
    if issubclass(class_, Ability):
        used = class_.use is not Ability.use
        price = message(lang, "explain.price" if used else "explain.passive", price=class_.terms.price)
        lines += [_ability(class_, lang), " ".join([price, *_terms(class_.terms, lang)])]
    else:
        lines.append(_rule(class_, lang))
    given = [f"  {line}" for line in settings(class_, lang)]
    return [*lines, *([message(lang, "explain.parameters"), *given] if given else [])]


def _base(id_: str, lang: str, rules: Mapping[str, type[Rule]]) -> list[str]:
    """Return what a rule of the core is, what holds without it, and which rules may stand in its place."""
    stand_ins = [other for other, class_ in rules.items() if class_.instead_of == id_]
    without = message(lang, "explain.base", id=id_, text=message(lang, f"explain.not.{id_}"))
    named = [message(lang, "explain.stand_ins", rules=stand_ins)] if stand_ins else []
    return [id_, "", message(lang, f"explain.{id_}"), without, *named]


def order(book: "Rulebook", lang: str = "en") -> str:
    """Return who is asked in which order and why, for all that is listened to, when the first seat is to move."""
    lines: list[str] = []
    for verb, table in (
        ("forbids", book.forbids), ("adjusts", book.adjusts), ("replaces", book.replaces), ("reacts", book.reacts)
    ):  # fmt: skip
        for on, listeners in sorted(table.items(), key=lambda item: _name(item[0])):
            lines.append(f"{verb} {_name(on)}")
            lines += [f"  {place}. {_listener(listener, lang)}" for place, listener in enumerate(listeners[0], 1)]
    return "\n".join(lines) + "\n"


def _name(on: object) -> str:
    return on.__name__ if isinstance(on, type) else str(on)


def _listener(listener: "Listener", lang: str) -> str:
    bound = listener.bound
    default = "ability" if bound.seat >= 0 else "rule"
    group = listener.verb.group or (default if listener.verb.verb == "reacts" else "")
    why = [message(lang, "order.group", group=group)] if group else []
    why.append(message(lang, f"order.{('to_move', 'other')[bound.seat]}" if bound.seat >= 0 else "order.none"))
    why += [message(lang, "order.place", n=bound.place + 1)] if bound.seat >= 0 else []
    return f"{bound.rule.id}.{listener.name} ({', '.join(why)})"
