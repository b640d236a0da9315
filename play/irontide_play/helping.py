"""What `help` says: what can be typed now, each ability as the rules explain it, and what the symbols mean."""

from irontide import Grid, Options, explain, message
from irontide_play.labels import ability_label, say
from irontide_play.session import Session


def help_text(session: Session, seat: str, about: str = "") -> str:
    """Return what can be typed in battle, or only how the ability that it is asked `about` is used."""
    lang, reader = session.lang, session.reader
    view, options = session.match.view(seat), session.match.options(seat)
    explained = _explained(session, options)
    abilities = {id_: f"{reader.usage(id_, view.variant.ground)} - {explained[id_]}" for id_ in options.abilities}
    if (asked := reader.ability(about)) in abilities:
        return abilities[str(asked)]
    shots = options.fire.count
    many = say(lang, "help.fire_many", shots=shots, cells=_some_cells(view.grid, shots))
    lines = [many if shots > 1 else say(lang, "help.fire"), *abilities.values()]
    lines += [say(lang, "help.short", word=word, id=id_) for id_, word in _shortened(session)[:1]]
    lines += [say(lang, "help.pass")] if reader.passing else []
    lines += [say(lang, f"help.{action}") for action in ("log", "save", "resign", "quit")]
    return "\n".join([*lines, _symbols(lang), say(lang, "help.more")])


def _shortened(session: Session) -> list[tuple[str, str]]:
    """Return the abilities whose plugin's name need not be typed, each with its word."""
    words = ((id_, session.reader.word(id_)) for id_ in session.reader.targets)
    return [(id_, word) for id_, word in words if word != id_]


def _explained(session: Session, options: Options) -> dict[str, str]:
    """Return what the rules of the variant say of each ability."""
    lang = session.lang
    head = message(lang, "explain.abilities")
    _, _, rest = explain(session.match.variant, lang, session.registry).partition(f"\n{head}\n")
    lines = [line.removeprefix("  - ") for line in rest.splitlines() if line.startswith("  - ")]
    named = {id_: ability_label(id_, lang) for id_ in options.abilities}
    return dict(zip(named, lines, strict=True)) if len(lines) == len(named) else named


def _some_cells(grid: Grid, count: int) -> str:
    """Return an example of so many cells."""
    return " ".join(grid.names[cell] for cell in list(range(0, len(grid.names), grid.columns + 1))[:count])


def _symbols(lang: str) -> str:
    """Return the symbols, each in one line with its meaning."""
    each = say(lang, "help.symbols").split("  ")
    return "  ".join(one.replace(" ", "\N{NO-BREAK SPACE}") for one in each)
