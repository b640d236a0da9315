"""The catalogue: every ability, rule and variant that comes with irontide, as pages with pictures, from the registry.

Abilities and variants are made as a whole; of the rules, which go with each other in ways that take words, the table.

`python docs/catalogue/regenerate.py [FOLDER]` writes it all again, here or in that folder. A test sees that what stands
here is what this makes.
"""

import json
import sys
import textwrap
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import attrs

from irontide import Ability, Registry, Rule, ShipClass, Target, Variant, explain
from irontide_play.aims import example, read_aim
from irontide_play.pictures import EXAMPLE, covers, fleet

HERE = Path(__file__).resolve().parent
REGISTRY = Registry.default()
MADE = "<!-- Made by docs/catalogue/regenerate.py. -->"
END = "<!-- End. -->"
OURS = {"irontide_abilities", "irontide_variants"}
"""The plugins that come with irontide. Ids of any other begin with its name and a dot."""

ABILITIES = """# Abilities

Every ability that comes with irontide, with what it costs and covers where a variant says nothing else. A variant gives
it to a ship class, and may set its price, limits and parameters ([TOML keys](../reference/variants.md#toml-keys)):

```toml
# harbour.toml
id = "harbour"
base = "tactical"

[abilities.destroyer]
use = "ping"
price = 2
```

The pictures show a part of a grid. Covered cells are red on the enemy's grid and green on the own one; a dot is the
cell that names the target; two grids are the two ways to turn it; grey is an own ship. All is clipped at the edge.
"""

VARIANTS = """# Variants

Every variant that comes with irontide. `irontide explain ID` tells its rules in full, `irontide play ID` plays it, and
a variant of your own may have any of them as its `base`.
"""


def files() -> dict[str, str]:
    """Return the whole catalogue: the text of each file by its name."""
    abilities, rules = (
        [one for id_, one in found.items() if REGISTRY.plugin_of(id_) in OURS]
        for found in (REGISTRY.abilities, REGISTRY.rules)
    )
    variants = [one for id_, one in REGISTRY.variants.items() if "." not in id_]
    return {
        "abilities.md": _page(ABILITIES, _summary(abilities), *map(_ability, abilities)),
        "rules.md": _between((HERE / "rules.md").read_text(encoding="utf-8"), _rules(rules)),
        "variants.md": _page(VARIANTS, *map(_variant, variants)),
        **{f"pictures/{one.id}.svg": covers(f"What {one.id} covers", one.target) for one in abilities},
        **{f"pictures/fleet-{one.id}.svg": fleet(f"The fleet of {one.id}", one.fleet) for one in variants},
    }


def _page(head: str, *parts: str) -> str:
    return "\n".join([head.replace("\n", f"\n\n{MADE}\n", 1), *parts])


def _summary(abilities: Iterable[type[Ability]]) -> str:
    rows = [
        f"| [{_title(one)}](#{_anchor(one.id)}) | `{one.id}` | {one.terms.price} | {_declared(one.target)} |\n"
        for one in abilities
    ]
    return "| ability | id | price | target |\n|---|---|---|---|\n" + "".join(rows)


def _ability(one: type[Ability]) -> str:
    _, _, text, terms, *_ = explain(one).splitlines()
    words = example(one.target, EXAMPLE, "en").split()
    form = read_aim(one.target, EXAMPLE, tuple(words), "en")
    rows = {
        "price and limits": terms.removeprefix("Price: "),
        "parameters": _parameters(one),
        "target": _declared(one.target),
        "as JSON": f"`{json.dumps(form, default=dict)}`",
        "typed": f"`{' '.join([one.id, *words])}`",
        **_declares(one),
        "plugin": f"`{REGISTRY.plugin_of(one.id)}`",
    }
    picture = f"![What {one.id} covers](pictures/{one.id}.svg)"
    return "\n".join([f"## `{one.id}`\n", _text(f"**{_title(one)}.** {text}"), f"{picture}\n", _table(rows)])


def _rules(rules: Iterable[type[Rule]]) -> str:
    rows = [
        f"| [`{one.id}`](#{_anchor(one.id)}) | {_parameters(one)} | {_said(one)} | {_joined(_declares(one))} |\n"
        for one in rules
    ]
    return "| rule | parameters | what players read | declares |\n|---|---|---|---|\n" + "".join(rows)


def _between(page: str, text: str) -> str:
    """Return the page with this text where the marks are."""
    head, _, rest = page.partition(MADE)
    return f"{head}{MADE}\n\n{text}\n{END}{rest.partition(END)[2]}"


def _variant(one: Variant) -> str:
    rules = [f"[`{use.use}`](rules.md#{_anchor(use.use)}){_set(use.params)}" for use in one.rules]
    abilities = [
        f"{ship}: [`{use.use}`](abilities.md#{_anchor(use.use)}){_set(use.params)}"
        for ship, use in one.abilities.items()
    ]
    rows = {
        "base": f"`{one.base}`" if one.base else "",
        "grid": f"{one.grid.columns}x{one.grid.rows}",
        "fleet": ", ".join(map(_ship, one.fleet)),
        "rules": ", ".join(rules),
        "abilities": ", ".join(abilities),
        "without": ", ".join(f"`{id_}`" for id_ in one.drops),
        "source": getattr(one, "source", None) or "",
    }
    picture = f"![The fleet of {one.id}](pictures/fleet-{one.id}.svg)"
    return "\n".join([f"## `{one.id}`\n", f"**{one.label('en')}**\n", f"{picture}\n", _table(rows)])


def _table(rows: Mapping[str, str]) -> str:
    return "| | |\n|---|---|\n" + "".join(f"| {name} | {value} |\n" for name, value in rows.items() if value)


def _text(text: str) -> str:
    return textwrap.fill(text, 120, break_on_hyphens=False) + "\n"


def _said(one: type[Rule]) -> str:
    """Return what players read of a rule."""
    return explain(one).splitlines()[2]


def _title(one: type[Rule]) -> str:
    return explain(one).splitlines()[0].removesuffix(f" ({one.id})")


def _ship(ship: ShipClass) -> str:
    form = f"{ship.length} cells" if ship.length else " / ".join(f"`{row}`" for row in ship.shape)
    return f"{ship.count} x {ship.id} ({form})"


def _set(params: Mapping[str, Any]) -> str:
    """Return the parameters that a variant sets."""
    return f" ({', '.join(f'{name} = {json.dumps(value)}' for name, value in params.items())})" if params else ""


def _declared(target: Target) -> str:
    """Return a target as it is declared: with what is not as it is by default."""
    fields = [field.name for field in attrs.fields(type(target)) if field.name not in {"spot", "open"}]
    plain = type(target)()
    said = [f"{name}={_python(getattr(target, name))}" for name in fields if _differs(target, plain, name)]
    return f"`{type(target).__name__}({', '.join(said)})`"


def _differs(target: Target, plain: Target, name: str) -> bool:
    """Tell whether a field is worth showing: it is not as by default, or it is a size."""
    return getattr(target, name) != getattr(plain, name) or name in {"width", "height", "length"}


def _python(value: object) -> str:
    return json.dumps(value) if isinstance(value, (str, tuple)) else repr(value)


def _parameters(one: type[Rule]) -> str:
    lines = explain(one).partition("A variant may set:\n")[2].splitlines()
    return ", ".join("`{0} = {2}`".format(*line.strip().partition(": ")) for line in lines)


def _declares(one: type[Rule]) -> dict[str, str]:
    """Return what a rule declares of others."""
    given = {
        "place": [one.place],
        "instead of": [one.instead_of],
        "needs": one.needs,
        "hides": one().facts_hidden(),
        "tells": one().facts_told(),
    }
    return {name: ", ".join(f"`{value}`" for value in values if value) for name, values in given.items()}


def _joined(rows: Mapping[str, str]) -> str:
    return "; ".join(f"{name} {value}" for name, value in rows.items() if value)


def _anchor(id_: str) -> str:
    """Return the anchor of the heading that is this id."""
    return id_.replace(".", "")


def regenerate(folder: Path = HERE) -> None:
    """Write the whole catalogue into a folder, and take away pictures of what there is no more."""
    made = files()
    for path in folder.glob("pictures/*.svg"):
        if path.relative_to(folder).as_posix() not in made:
            path.unlink()
    for name, text in made.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    regenerate(*map(Path, sys.argv[1:]))
