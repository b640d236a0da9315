"""The commands on what is installed: `variants`, `abilities` and `explain`."""

import json
from collections.abc import Sequence
from typing import Annotated, Any

import attrs
import typer

from irontide import Ability, Registry, Variant, order
from irontide import explain as explained
from irontide_play.aims import example
from irontide_play.host import (
    JsonOption,
    Lang,
    LangOption,
    find_variant,
    is_file_name,
    load_registry,
    one_line_errors,
    tell,
)
from irontide_play.labels import ability_label, class_label, known, rule_label, say
from irontide_play.meant import meant, parts


def variants(
    id_: Annotated[
        str | None, typer.Argument(metavar="[ID]", help="A variant's id or TOML file; all if left out.")
    ] = None,
    *,
    lang: LangOption = Lang.EN,
    as_json: JsonOption = False,
) -> None:
    """List the variants, or show one.

    --json prints a list of variants, or the one named: each an object with the keys of a variant's TOML form.
    """
    registry = load_registry()
    if id_ is not None:
        variant = find_variant(registry, id_)
        typer.echo(json.dumps(variant.data()) if as_json else _variant(variant, lang))
        return
    found = registry.variants
    if as_json:
        typer.echo(json.dumps([variant.data() for variant in found.values()]))
        return
    wide = max(map(len, found), default=0)
    for name, variant in found.items():
        ships = sum(class_.count for class_ in variant.fleet)
        grid = f"{variant.grid.columns}x{variant.grid.rows}"
        typer.echo(f"{name:<{wide}}  {variant.label(lang)} ({grid}, {_count(ships, 'ship', lang)})")


def _count(number: int, noun: str, lang: str) -> str:
    return say(lang, f"catalog.{noun}s", count=number)


def _variant(variant: Variant, lang: str) -> str:
    rows = [("base", variant.base)] if variant.base else []
    rows.append(("grid", f"{variant.grid.columns}x{variant.grid.rows}"))
    for class_ in variant.fleet:
        count = f"{class_.count} x " if class_.count > 1 else ""
        cells = _count(class_.cells, "cell", lang)
        rows.append(("ship", f"{class_.id}: {count}{class_label(variant, class_.id, lang)}, {cells}"))
    for class_id, use in variant.granted.items():
        rows.append(("ability", f"{class_id}: {use.use}, {ability_label(use.use, lang)}{_params(use.params)}"))
    rows += [("rule", f"{use.use}, {rule_label(use.use, lang)}{_params(use.params)}") for use in variant.rules]
    rows += [("drops", rule) for rule in variant.drops]
    rows += [("source", variant.source)] if variant.source else []
    return "\n".join([f"{variant.id}  {variant.label(lang)}", *_table(rows, lang)])


def _table(rows: Sequence[tuple[str, str]], lang: str) -> list[str]:
    """Return rows, each with the word for what it is about before it."""
    named = [(known(lang, f"play.catalog.{word}") or word, text) for word, text in rows]
    wide = max(len(word) for word, _ in named)
    return [f"  {word:<{wide}}  {text}" for word, text in named]


def _params(params: Any) -> str:  # noqa: ANN401 - a mapping of JSON data
    return "".join(f", {name}={json.dumps(value)}" for name, value in params.items())


def abilities(
    id_: Annotated[str | None, typer.Argument(metavar="[ID]", help="An ability's id; all if left out.")] = None,
    *,
    lang: LangOption = Lang.EN,
    as_json: JsonOption = False,
) -> None:
    """List the abilities, or show one.

    --json prints a list of abilities, or the one named: each an object with id, name, text, plugin, target (the kind),
    example (how it is typed on a grid of 10x10), shoots, terms (price, and limits that a variant may change) and
    params (what else a variant may set, with what it is by default).
    """
    registry = load_registry()
    with one_line_errors():
        found = list(registry.abilities) if id_ is None else [registry.ability(meant(id_, registry.abilities, lang)).id]
    data = [_ability(registry, name, lang) for name in found]
    if as_json:
        typer.echo(json.dumps(data if id_ is None else data[0]))
        return
    width = max((len(one["id"]) for one in data), default=0)
    for one in data:
        about = f": {one['text']}" if one["text"] else ""
        tell(_lines(one, lang) if id_ else f"{one['id']:<{width}}  {one['terms']['price']:>2}  {one['name']}{about}")


def _ability(registry: Registry, id_: str, lang: str) -> dict[str, Any]:
    ability = registry.ability(id_)
    params = _defaults(ability)
    doc = (ability.__doc__ or "").strip().splitlines()
    return {
        "id": id_,
        "name": ability_label(id_, lang),
        "text": known(lang, f"ability.{id_}.text", **params) or next(iter(doc), ""),
        "plugin": registry.plugin_of(id_),
        "target": type(ability.target).__name__.lower(),
        "example": f"{id_} {example(ability.target, registry.variant('tactical').ground, lang)}".strip(),
        "shoots": ability.shoots,
        "terms": attrs.asdict(ability.terms),
        "params": params,
    }


def _defaults(ability: type[Ability]) -> dict[str, Any]:
    """Return the parameters of an ability that have a default, with that."""
    fields = attrs.fields(ability) if attrs.has(ability) else ()
    return {field.name: field.default for field in fields if field.init and field.default is not attrs.NOTHING}


def _lines(one: dict[str, Any], lang: str) -> str:
    terms = {name: value for name, value in one["terms"].items() if value not in {None, 0} or name == "price"}
    rows = [("does", one["text"])] if one["text"] else []
    rows += [("typed", one["example"]), ("plugin", one["plugin"])]
    rows += [(name, str(value)) for name, value in (terms | one["params"]).items()]
    return "\n".join([f"{one['id']}  {one['name']}", *_table(rows, lang)])


def explain(
    id_: Annotated[str, typer.Argument(metavar="ID", help="A variant's id or TOML file, an ability or a rule.")],
    *,
    lang: LangOption = Lang.EN,
    in_order: Annotated[bool, typer.Option("--order", help="Add who is asked in which order, and why.")] = False,
) -> None:
    """Explain the rules of a variant as players read them, or what an ability or rule does and what can be set.

    Of one id, a variant is meant before an ability or rule; `irontide rules ID` explains a rule in any case.
    """
    registry = load_registry()
    if not is_file_name(id_) and id_ not in registry.variants and not in_order:
        with one_line_errors():
            tell(explained(meant(id_, parts(registry), lang), lang, registry).rstrip())
        return
    variant = find_variant(registry, id_)
    with one_line_errors():
        tell(explained(variant, lang, registry).rstrip())
        if id_ in registry.rules and id_ in registry.variants:
            tell(f"\n{say(lang, 'catalog.rule_too', id=id_)}")
        if in_order:
            asked = order(registry.book(variant), lang).rstrip() or say(lang, "order.nobody")
            tell(f"\n{say(lang, 'order.head')}\n\n{asked}")
