"""Everything that irontide raises, and the reasons it gives: all errors derive from `IrontideError`."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, cast

import attrs

from irontide.frozen import FrozenDict, freeze, is_text, shown

if TYPE_CHECKING:
    from irontide.faults import Fault
    from irontide.variant import Variant


class IrontideError(Exception):
    """The base of every error that irontide raises on purpose."""


def _writable(value: object) -> object:
    """Return a value that was given, in a form that can be written: a text as UTF-8 at least with escapes."""
    return value if type(value) is not str or is_text(value) else value.encode("utf-8", "backslashreplace").decode()


def _args(args: Mapping[str, object]) -> FrozenDict:
    if not isinstance(args, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance] - a plugin may give anything
        raise TypeError(f"arguments of a refusal are a mapping, not {shown(args)}")
    return cast("FrozenDict", freeze({key: _writable(value) for key, value in args.items()}))


@attrs.frozen(cache_hash=True)
class Refusal:
    """Why a command is not accepted: a stable code and its arguments.

    The core's codes stand in `docs/reference/commands.md`; a plugin prefixes its own with its name.
    """

    code: str = attrs.field(validator=attrs.validators.instance_of(str))
    args: Mapping[str, object] = attrs.field(factory=FrozenDict, converter=_args)

    def text(self, lang: str = "en", variant: "Variant | None" = None) -> str:
        """Return the reason as a sentence for a player; ships are called as the variant, if given, calls them."""
        from irontide.messages import text  # noqa: PLC0415 - messages read events, which read errors

        return text(self, lang, variant)


@lru_cache(maxsize=4096)
def refusal(code: str, **args: str | int | None) -> Refusal:
    """Return a refusal of the core; one that comes again is not made again."""
    return Refusal(code, args)


class Refused(IrontideError):  # noqa: N818 - the public name
    """A command was not accepted, and nothing happened. `refusals` holds every reason, the weightiest first."""

    def __init__(self, refusals: Sequence[Refusal]) -> None:
        """Take all reasons that hold, in the order of `docs/reference/commands.md`."""
        self.refusals = tuple(refusals)
        super().__init__("; ".join(f"{refusal.code}: {refusal.text()}" for refusal in self.refusals))


class CommandError(IrontideError, TypeError):
    """What was submitted is no command, or its JSON form is malformed."""


class CellError(IrontideError, ValueError):
    """A name is no cell of this grid."""


class CodecError(IrontideError, ValueError):
    """JSON data does not have the form that it should have; the message holds the path."""


class UnknownName(IrontideError, LookupError):  # noqa: N818 - the public name
    """No ability, rule, variant or bot has this id; the message suggests the nearest."""


@attrs.frozen
class Problem:
    """One thing that is wrong with a variant: a stable code, where it stands, and a sentence."""

    code: str
    place: str
    text: str


class VariantError(IrontideError, ValueError):
    """A variant cannot be built. `problems` names everything that is wrong with it at once."""

    def __init__(self, variant: str, problems: Sequence[Problem]) -> None:
        """Take the variant's id, or the file, and all its problems."""
        self.variant = variant
        self.problems = tuple(problems)
        lines = "".join(f"\n  {problem.place}: {problem.text} [{problem.code}]" for problem in self.problems)
        super().__init__(f"variant {variant} cannot be built:{lines}")


class LogError(IrontideError, ValueError):
    """A log cannot be read: `line` counts from 1, `reason` says why."""

    def __init__(self, line: int, reason: str) -> None:
        """Take the number of the line and what is wrong with it."""
        self.line = line
        self.reason = reason
        super().__init__(f"line {line}: {reason}")


class PluginError(IrontideError):
    """A plugin cannot be registered."""


class PluginMissing(IrontideError):  # noqa: N818 - the public name
    """A match was read without the plugins that its variant uses: it can be looked at, not played on."""


class PluginFault(IrontideError):  # noqa: N818 - the public name
    """In strict mode: a plugin's handler went wrong. `fault` says which and how."""

    def __init__(self, fault: "Fault") -> None:
        """Take what went wrong."""
        self.fault = fault
        super().__init__(str(fault))


class TooLarge(IrontideError):  # noqa: N818 - the public name
    """A count or a search was given up because it would take too long."""
