"""Settings: what a variant may set of a rule or an ability, in words: by default what, and what else is possible."""

from types import UnionType
from typing import Any, Literal, Union, cast, get_args, get_origin, get_type_hints

import attrs

from irontide.messages import message
from irontide.rules import Ability, Rule, Terms


def settings(class_: type[Rule], lang: str) -> list[str]:
    """Return a line for each parameter of a rule, and of an ability that can be used for each of its terms."""
    fields = [field for field in attrs.fields(cast("type[attrs.AttrsInstance]", class_)) if field.init]
    lines = [f"{field.name}: {_field(class_, field, lang)}" for field in fields]
    if issubclass(class_, Ability) and class_.use is not Ability.use:
        lines += [f"{field.name}: {_term(class_.terms, field, lang)}" for field in attrs.fields(Terms)]
    return lines


def default(field: Any) -> object:  # noqa: ANN401 - attrs has a private type for it
    """Return what a field is by default."""
    factory = getattr(field.default, "factory", None)
    return field.default if factory is None else factory()


def _field(class_: type[Rule], field: Any, lang: str) -> str:  # noqa: ANN401 - as above
    required = field.default is attrs.NOTHING
    value = message(lang, "explain.required") if required else _shown(default(field), lang)
    key = f"{'ability' if issubclass(class_, Ability) else 'rule'}.{class_.id}.param.{field.name}"
    told = message(lang, key)
    choices = _choices(_type(class_, field), field, lang) if told == key else told
    return message(lang, "explain.choice", value=value, choices=choices) if choices else value


def _term(terms: Terms, field: Any, lang: str) -> str:  # noqa: ANN401 - as above
    value = getattr(terms, field.name)
    shown = message(lang, "explain.unlimited") if value is None else _shown(value, lang)
    number = message(lang, "explain.number_from", least=0)
    return message(lang, "explain.choice", value=shown, choices="true, false" if field.default is False else number)


def _shown(value: object, lang: str) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return message(lang, "word.none") if value is None or value == () else str(value)


def _type(class_: type[Rule], field: Any) -> object:  # noqa: ANN401 - as above
    try:
        return get_type_hints(class_).get(field.name)
    except NameError:  # a name that is there only for type checkers
        return None


def _choices(kind: object, field: Any, lang: str) -> str:  # noqa: ANN401 - as above
    """Return what a parameter of a type can be; nothing of a type that has no words."""
    if get_origin(kind) in {Union, UnionType}:
        found = [_choices(one, field, lang) for one in get_args(kind)]
        return message(lang, "explain.or").join(one for one in found if one)
    if get_origin(kind) is Literal:
        return ", ".join(map(str, get_args(kind)))
    if kind is bool:
        return "true, false"
    if kind is int:
        least = getattr(getattr(field, "validator", None), "bound", None)
        return message(lang, "explain.number" if least is None else "explain.number_from", least=least)
    word = {str: "words", tuple: "list", list: "list"}.get(cast("Any", get_origin(kind) or kind))
    return message(lang, f"explain.{word}") if word else ""
