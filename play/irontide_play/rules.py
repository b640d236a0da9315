"""The command `rules`: the house rules that a variant may use, and those of the core that it may drop."""

import json
from typing import Annotated, Any, Literal, cast, get_args, get_origin, get_type_hints

import attrs
import typer

from irontide import BASE_RULES, Registry, Rule, explain, message
from irontide_play.host import JsonOption, Lang, LangOption, load_registry, one_line_errors, tell
from irontide_play.labels import rule_label
from irontide_play.meant import meant


def rules(
    id_: Annotated[str | None, typer.Argument(metavar="[ID]", help="A rule's id; all if left out.")] = None,
    *,
    lang: LangOption = Lang.EN,
    as_json: JsonOption = False,
) -> None:
    """List the house rules, or show one with what a variant may set.

    --json prints a list of rules, or the one named: each an object with id, name, text, plugin (null of a rule of the
    core, which a variant may drop), params (what a variant may set, with what it is by default) and choices (of those
    that are one of a few words: which).
    """
    registry = load_registry()
    ids = [*registry.rules, *BASE_RULES]
    if id_ is not None:
        with one_line_errors():
            id_ = meant(id_, ids, lang)
            if id_ not in BASE_RULES:
                registry.rule(id_)
    found = [_rule(registry, name, lang) for name in (ids if id_ is None else [id_])]
    if as_json:
        typer.echo(json.dumps(found if id_ is None else found[0]))
    elif id_ is None:
        wide = max(len(one["id"]) for one in found)
        tell("\n".join(f"{one['id']:<{wide}}  {one['text']}" for one in found))
    else:
        thing = id_ if id_ in BASE_RULES else registry.rule(id_)
        tell(explain(thing, lang, registry).rstrip())


def _rule(registry: Registry, id_: str, lang: str) -> dict[str, Any]:
    if id_ in BASE_RULES:
        text = message(lang, f"explain.{id_}")
        return {"id": id_, "name": id_, "text": text, "plugin": None, "params": {}, "choices": {}}
    class_ = registry.rule(id_)
    fields = [field for field in attrs.fields(cast("type[attrs.AttrsInstance]", class_)) if field.init]
    text, *_ = [line for line in explain(class_, lang, registry).splitlines()[1:] if line]
    return {
        "id": id_,
        "name": rule_label(id_, lang),
        "text": text,
        "plugin": registry.plugin_of(id_),
        "params": {field.name: _default(field) for field in fields},
        "choices": _choices(class_),
    }


def _choices(class_: type[Rule]) -> dict[str, list[str]]:
    try:
        kinds = get_type_hints(class_)
    except NameError:  # a name that is there only for type checkers
        return {}
    return {name: [*get_args(kind)] for name, kind in kinds.items() if get_origin(kind) is Literal}


def _default(field: Any) -> Any:  # noqa: ANN401 - attrs has a private type for it
    made = getattr(field.default, "factory", None)
    return None if field.default is attrs.NOTHING else made() if made else field.default
