"""Explaining a variant: its rules as players read them, in their language."""

from typing import TYPE_CHECKING

from irontide.messages import ability_name, message, ship_label
from irontide.rules import BASE_RULES

if TYPE_CHECKING:
    from irontide.fleet import ShipClass
    from irontide.registry import Registry
    from irontide.rulebook import Bound, Listener, Rulebook
    from irontide.variant import Variant


def explain(variant: "Variant", lang: str = "en", registry: "Registry | None" = None) -> str:
    """Return the rules of a variant as a text for players.

    Raises:
        VariantError: the variant cannot be built.

    """
    from irontide.registry import shared  # noqa: PLC0415 - the registry builds variants, which explain themselves

    book = (registry or shared()).book(variant)
    grid = variant.grid
    lines = [
        variant.label(lang),
        "",
        message(lang, "explain.aim"),
        message(lang, "explain.grid", columns=grid.columns, rows=grid.rows, last=grid.names[-1]),
        message(lang, "explain.fleet"),
        *(f"  - {_ship(ship, lang)}" for ship in variant.fleet),
        *([] if book.spaced else [message(lang, "explain.touching")]),
        *([] if "shots" in book.adjusts else [message(lang, "explain.one_shot")]),
        message(lang, "explain.answer"),
        *(message(lang, f"explain.{_holds(id_, book)}") for id_ in BASE_RULES if _matters(id_, book)),
        *_rules(book, lang),
        *_abilities(book, lang),
        message(lang, "explain.end"),
    ]
    return "\n".join(lines) + "\n"


def _matters(base: str, book: "Rulebook") -> bool:
    return base != "core.one_ability" or bool(book.abilities[0])


def _holds(base: str, book: "Rulebook") -> str:
    return base if base in book.base else f"not.{base}"


def _ship(ship: "ShipClass", lang: str) -> str:
    label = ship.labels.get(lang) or ship_label(ship.id, lang)
    form = message(lang, "explain.length", length=ship.length) if ship.length else " / ".join(ship.shape)
    return f"{ship.count} x {label} ({form})" if ship.count > 1 else f"{label} ({form})"


def _rules(book: "Rulebook", lang: str) -> list[str]:
    return [_rule(bound, lang) for bound in book.bounds if bound.seat < 0]


def _rule(bound: "Bound", lang: str) -> str:
    rule, params = bound.rule, dict(bound.parameters)
    form = ".".join(str(value).lower() for value in params.values() if isinstance(value, bool))
    keys = ([f"rule.{rule.id}.text.{form}"] if form else []) + [f"rule.{rule.id}.text"]
    return _text(bound, lang, *keys, **params)


def _abilities(book: "Rulebook", lang: str) -> list[str]:
    bounds = book.abilities[0]
    if not bounds:
        return []
    return [message(lang, "explain.abilities"), *(f"  - {_ability(book, bound, lang)}" for bound in bounds.values())]


def _ability(book: "Rulebook", bound: "Bound", lang: str) -> str:
    class_ = book.variant.fleet[bound.place]
    ship = class_.labels.get(lang) or ship_label(class_.id, lang)
    name = ability_name(bound.rule.id, lang)
    text = _text(bound, lang, f"ability.{bound.rule.id}.text", **dict(bound.parameters))
    terms = [
        message(lang, f"terms.{term}", n=value)
        for term in ("per_turn", "per_match", "cooldown", "charges", "standing", "instead_of_shot")
        if (value := getattr(bound.terms, term))
    ]
    head = message(lang, "explain.ability", name=name, ship=ship, price=bound.terms.price)
    return " ".join([head, text, *terms])


def _text(bound: "Bound", lang: str, *keys: str, **params: object) -> str:
    """Return the rule's text, or the first line of its docstring where its plugin has none."""
    found = message(lang, *keys, **params)
    return found if found != keys[0] else (type(bound.rule).__doc__ or bound.rule.id).strip().splitlines()[0]


def order(book: "Rulebook") -> str:
    """Return who is asked in which order and why, for all that is listened to, when the first seat is to move."""
    lines: list[str] = []
    for verb, table in (
        ("forbids", book.forbids), ("adjusts", book.adjusts), ("replaces", book.replaces), ("reacts", book.reacts)
    ):  # fmt: skip
        for on, listeners in sorted(table.items(), key=lambda item: _name(item[0])):
            lines.append(f"{verb} {_name(on)}")
            lines += [f"  {place}. {_listener(listener)}" for place, listener in enumerate(listeners[0], 1)]
    return "\n".join(lines) + "\n"


def _name(on: object) -> str:
    return on.__name__ if isinstance(on, type) else str(on)


def _listener(listener: "Listener") -> str:
    bound = listener.bound
    whose = "no seat" if bound.seat < 0 else ("the seat to move" if bound.seat == 0 else "the other seat")
    default = "ability" if bound.seat >= 0 else "rule"
    group = listener.verb.group or (default if listener.verb.verb == "reacts" else "")
    why = ", ".join(
        part for part in (f"group {group}" if group else "", whose, f"fleet place {bound.place + 1}") if part
    )
    return f"{bound.rule.id}.{listener.name} ({why if bound.seat >= 0 else why.rsplit(', ', 1)[0]})"
