"""Faces that tell whether anything was read of them.

A handler that read nothing of its face answered from its arguments and its parameters alone, which do not change: so
its answer to the same arguments need not be asked for again.
"""

from typing import Any

from irontide.context import Context, SeatContext


class _UnreadContext(Context):
    """A context that nothing was read of yet."""

    __slots__ = ()

    def __getattribute__(self, name: str) -> Any:  # noqa: ANN401 - whatever the face has
        object.__setattr__(self, "__class__", Context)
        return getattr(self, name)


class _UnreadSeatContext(SeatContext):
    """A seat's context that nothing was read of yet."""

    __slots__ = ()

    def __getattribute__(self, name: str) -> Any:  # noqa: ANN401 - whatever the face has
        object.__setattr__(self, "__class__", SeatContext)
        return getattr(self, name)


_UNREAD: dict[type, type] = {Context: _UnreadContext, SeatContext: _UnreadSeatContext}


def unread(face: object) -> object:
    """Return this new face; it becomes its plain self when something is read of it."""
    object.__setattr__(face, "__class__", _UNREAD[type(face)])
    return face


def was_read(face: object) -> bool:
    """Tell whether something was read of a face that `unread` returned."""
    return type(face) in _UNREAD
