"""What is meant by a name that is typed: an id, the end of one without its plugin's name, or what players call it."""

from collections.abc import Iterable

from irontide import BASE_RULES, Registry
from irontide_play.labels import rule_label


def meant(name: str, ids: Iterable[str], lang: str) -> str:
    """Return the one of these ids that a name means, or the name if it is none, or could be several."""
    known = [*ids]
    if name in known:
        return name
    said = name.casefold()
    near = {id_ for id_ in known if said in {id_.rpartition(".")[2], rule_label(id_, lang).casefold()}}
    return near.pop() if len(near) == 1 else name


def parts(registry: Registry) -> list[str]:
    """Return the ids of all abilities and rules, those of the core among them."""
    return [*registry.abilities, *registry.rules, *BASE_RULES]
