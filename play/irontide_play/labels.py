"""What players call things, in their language: ships, abilities and the command line's own texts."""

from irontide import Refusal, Variant, message


def say(lang: str, key: str, **args: object) -> str:
    """Return a text of the command line (`en.toml`, `de.toml`)."""
    return message(lang, f"play.{key}", **args)


def known(lang: str, key: str, **args: object) -> str | None:
    """Return the text of a key that a plugin may or may not have, or None."""
    found = message(lang, key, **args)
    return None if found == key else found


def ability_label(id_: str, lang: str) -> str:
    """Return what players call an ability, or its id."""
    return known(lang, f"ability.{id_}.name") or id_


def rule_label(id_: str, lang: str) -> str:
    """Return what players call a rule or ability, or its id."""
    return known(lang, f"rule.{id_}.name") or ability_label(id_, lang)


def by_itself(refusal: Refusal) -> bool:
    """Tell whether it is refused to use an ability because that is none to be used: it works by itself."""
    return refusal.code == "not_allowed" and "ability" in refusal.args


def class_label(variant: Variant, class_id: str, lang: str) -> str:
    """Return what players of this variant call a ship class, or its id."""
    class_ = variant.ship_class(class_id)
    label = class_.labels.get(lang) if class_ else None
    return label or known(lang, f"ship.{class_id}") or class_id


def ship_label(variant: Variant, ship: str, lang: str) -> str:
    """Return what players call one ship; numbered from the second of its class on."""
    class_ = variant.ship_class(ship)
    if class_ is None:
        return ship
    number = class_.ships().index(ship) + 1
    label = class_label(variant, class_.id, lang)
    return f"{label} {number}" if number > 1 else label
