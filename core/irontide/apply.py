"""Apply: how each effect becomes an event. All decisions about an effect that no rule has changed are here."""

from functools import partial
from typing import TYPE_CHECKING, Any, cast

from irontide.effects import (
    Activate,
    Answer,
    Disable,
    Effect,
    EndMatch,
    EndTurn,
    Forget,
    GainPoints,
    GrantShots,
    Mark,
    Move,
    Note,
    OtherTurns,
    OwnTurn,
    Repair,
    Report,
    Reveal,
    Scan,
    SetData,
    Shot,
    Sink,
    SpendPoints,
    Unmark,
    Until,
)
from irontide.events import (
    AbilityDisabled,
    Audience,
    CellRepaired,
    CellsRevealed,
    DataSet,
    End,
    KnowledgeForgotten,
    Marked,
    Noted,
    PointsGained,
    PointsSpent,
    Reported,
    ShipMoved,
    ShipSunk,
    ShotFired,
    ShotsGranted,
)
from irontide.fleet import NO_FLEET
from irontide.frozen import FrozenDict, is_text, maker
from irontide.grid import Cell, CellSet
from irontide.guard import ask
from irontide.legality import NO_CAP, open_cells, seat_face
from irontide.sensing import scan
from irontide.sight import answered_cells, stands

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from irontide.pipeline import Pipeline
    from irontide.rulebook import Bound
    from irontide.state import State

shot_fired = maker(ShotFired)
ship_sunk = maker(ShipSunk)
points_gained = maker(PointsGained)
points_spent = maker(PointsSpent)
marked = maker(Marked)


def _shot(pipeline: "Pipeline", effect: Shot, source: "Bound | None", cause: int | None) -> None:
    state, cell = pipeline.state, effect.cell
    seat = pipeline.acting(effect.by, source)
    other = 1 - seat
    if not open_cells(pipeline.book, state, seat) >> cell & 1:
        return
    fleet = state.fleets[other]
    at = pipeline.book.names[cell]
    struck = None if fleet is None else fleet.at.get(at)
    hit = struck is not None and effect.harm and not state.hits[other] >> cell & 1
    told, ship = effect.answer or ("water" if struck is None else "hit"), None
    if pipeline.book.answers:
        told, ship = _answer(pipeline, Answer(told), seat, cell, struck)
    if hit and struck is not None:
        pipeline.hurt(other, struck)
    pipeline.emit(shot_fired(state.seats[seat], at, told, ship, hit, struck, effect.again, source is not None, cause))


def _answer(pipeline: "Pipeline", answer: Answer, seat: int, cell: Cell, struck: str | None) -> tuple[str, str | None]:
    """Return what a shot tells as the rules have it, and the class that it names."""
    book, classes = pipeline.book, pipeline.book.ships
    class_ = None if struck is None else classes[struck].id

    def sound(given: object) -> bool:
        named = {ship.id for ship in classes.values()}
        return (
            type(given) is Answer
            and is_text(given.told)
            and (given.ship is None or (is_text(given.ship) and given.ship in named))
        )

    face = partial(pipeline.context, subject=seat)
    answer = ask(book.adjusts, "answer", pipeline.guard, face, answer, seat, cell, class_, sound=sound)
    return answer.told, answer.ship


def _report(pipeline: "Pipeline", effect: Report, source: "Bound | None", cause: int | None) -> None:
    book, by = pipeline.book, pipeline.state.seats[pipeline.acting(effect.by, source)]
    given = cast("Mapping[str, int]", effect.ships or {})
    hits: dict[str, int] = {}
    for ship in (ship for ship in book.ships if ship in given):
        class_ = book.ships[ship].id
        hits[class_] = hits.get(class_, 0) + given[ship]
    ships = None if effect.ships is None else FrozenDict(hits)
    pipeline.emit(Reported(by, book.grid.list(effect.cells), effect.hits, ships, cause=cause))


def _reveal(pipeline: "Pipeline", effect: Reveal, _source: "Bound | None", cause: int | None) -> None:
    state, book = pipeline.state, pipeline.book
    other = 1 - state.index[effect.to]
    known = state.water[other] | state.struck[other] | state.wrecks[other] | state.seen[other]
    cells = effect.cells.mask & book.sea & ~known
    ships = cells & (state.fleets[other] or NO_FLEET).mask
    if cells:
        water, found = book.grid.list(CellSet(cells & ~ships)), book.grid.list(CellSet(ships))
        pipeline.emit(CellsRevealed(effect.to, water, found, cause=cause))


def _activate(pipeline: "Pipeline", effect: Activate, _source: "Bound | None", _cause: int | None) -> None:
    """Leave no event of its own: the price and `AbilityUsed` have been told."""
    pipeline.activated = effect


def _sink(pipeline: "Pipeline", effect: Sink, _source: "Bound | None", cause: int | None) -> None:
    state = pipeline.state
    if effect.ship in state.sunk[state.index[effect.seat]]:
        return
    class_ = pipeline.book.ships[effect.ship].id
    fleet = state.fleets[state.index[effect.seat]] or NO_FLEET
    cells = fleet.names.get(effect.ship) if effect.shown else None
    pipeline.emit(ship_sunk(effect.seat, class_, effect.ship, cells, cause))
    pipeline.sank()


def _forget(pipeline: "Pipeline", effect: Forget, _source: "Bound | None", cause: int | None) -> None:
    state, other = pipeline.state, 1 - pipeline.state.index[effect.seat]
    held = state.shots[other] | state.water[other] | state.struck[other]
    cells = CellSet(effect.cells.mask & held)
    if cells:
        pipeline.emit(KnowledgeForgotten(effect.seat, pipeline.book.grid.list(cells), cause=cause))


def _repair(pipeline: "Pipeline", effect: Repair, _source: "Bound | None", cause: int | None) -> None:
    state, book = pipeline.state, pipeline.book
    seat = state.index[effect.seat]
    fleet = state.fleets[seat]
    if fleet is None or effect.ship in state.sunk[seat]:
        return
    class_ = book.ships[effect.ship].id
    for name in book.grid.list(CellSet(fleet.cells[effect.ship] & state.hits[seat])):
        pipeline.emit(CellRepaired(effect.seat, class_, effect.ship, name, cause=cause))


def _move(pipeline: "Pipeline", effect: Move, _source: "Bound | None", cause: int | None) -> None:
    state, book = pipeline.state, pipeline.book
    seat, to = state.index[effect.seat], effect.to.mask
    fleet = state.fleets[seat]
    if book.ships_stay or fleet is None or effect.ship in state.sunk[seat]:
        return
    if fleet.cells[effect.ship] & state.hits[seat] or to & answered_cells(state, seat):
        return
    names = book.grid.list(effect.to)
    if names in book.places(book.ships[effect.ship]) and stands(book, fleet.cells, effect.ship, to):
        pipeline.emit(ShipMoved(effect.seat, effect.ship, names, cause=cause))


def _disable(pipeline: "Pipeline", effect: Disable, source: "Bound | None", cause: int | None) -> None:
    state = pipeline.state
    rule, owner = pipeline.named(source)
    if effect.until == "source" and source is not None and source.key in state.off:
        return  # it would end as it begins
    ends = _ends(pipeline, source, effect.until)
    reason = effect.reason or rule
    pipeline.emit(AbilityDisabled(effect.seat, effect.ability, None, reason, ends, rule, owner, cause=cause))
    pipeline.source_off(pipeline.book.abilities[state.index[effect.seat]][effect.ability])


def _gain(pipeline: "Pipeline", effect: GainPoints, source: "Bound | None", cause: int | None) -> None:
    state, book = pipeline.state, pipeline.book
    seat = state.index[effect.seat]
    cap = ask(book.adjusts, "cap", pipeline.guard, seat_face(book, state, seat), NO_CAP, seat)
    amount = min(effect.amount, cap - state.points[seat])
    if amount > 0:
        reason = effect.reason or ("" if source is None else source.rule.id)
        pipeline.emit(points_gained(effect.seat, amount, state.points[seat] + amount, reason, cause))


def _spend(pipeline: "Pipeline", effect: SpendPoints, source: "Bound | None", cause: int | None) -> None:
    state = pipeline.state
    purse = state.points[state.index[effect.seat]]
    amount = min(effect.amount, purse)
    if amount > 0:
        reason = effect.reason or ("" if source is None else source.rule.id)
        pipeline.emit(points_spent(effect.seat, amount, purse - amount, reason, cause))


def _grant(pipeline: "Pipeline", effect: GrantShots, source: "Bound | None", cause: int | None) -> None:
    state = pipeline.state
    if effect.amount > 0:
        later = pipeline.over or state.turn != state.index[effect.seat]
        reason = "" if source is None else source.rule.id
        pipeline.emit(ShotsGranted(effect.seat, effect.amount, reason, later, cause=cause))


def _end_turn(pipeline: "Pipeline", effect: EndTurn, _source: "Bound | None", _cause: int | None) -> None:
    """Leave no event of its own: `TurnEnded` follows when it is quiet."""
    if pipeline.state.turn == pipeline.state.index[effect.seat] and not pipeline.over:
        pipeline.ending = effect.reason


def _mark(pipeline: "Pipeline", effect: Mark, source: "Bound | None", cause: int | None) -> None:
    state = pipeline.state
    rule, owner = pipeline.named(source)
    side = effect.side or owner
    if effect.until == "source" and source is not None and source.key in state.off:
        return  # it would end as it begins
    to: Audience = None if effect.public else (owner,) if owner is not None and side == owner else ()
    on = pipeline.book.grid.list(effect.on) if isinstance(effect.on, CellSet) else effect.on
    ends = _ends(pipeline, source, effect.until)
    pipeline.emit(marked(marker_id(state, rule, owner, to), rule, owner, side, on, ends, effect.data, cause, to))


def marker_id(state: "State", rule: str, owner: str | None, to: Audience) -> str:
    """Return a new marker's id: numbered among those of the same audience, so that it tells nothing of others."""
    kind = "" if to is None else "hidden" if not to else "own" if to == (owner,) else "other"
    same = [mark.id for mark in state.marks.values() if (mark.rule, mark.seat, mark.to) == (rule, owner, to)]
    last = 0
    for id_ in same:
        end = id_.rpartition("#")[2].removeprefix(kind)
        last = max(last, int(end) if end.isdecimal() else 0)  # all are but in a log that nobody played
    return f"{rule}@{owner or ''}#{kind}{last + 1}"


def _ends(pipeline: "Pipeline", source: "Bound | None", until: Until) -> End:
    """Return when a marker goes: with its source, with the match, or at the start or end of a seat's n-th turn."""
    state, owner = pipeline.state, pipeline.acting(None, source)
    if isinstance(until, OwnTurn):
        return "start", state.seats[owner], state.turns[owner] + until.n
    if isinstance(until, OtherTurns):
        return "end", state.seats[1 - owner], state.turns[1 - owner] + until.n
    if until == "turn":
        mover, over = max(state.turn, 0), pipeline.over  # between two turns it is the one to come
        seat = 1 - mover if over else mover
        return "end", state.seats[seat], state.turns[seat] + over
    return until


def _unmark(pipeline: "Pipeline", effect: Unmark, source: "Bound | None", cause: int | None) -> None:
    mark = pipeline.state.marks.get(effect.marker.id)
    if mark is not None and (mark.rule, mark.seat) == pipeline.named(source):  # whatever is handed in says that it is
        pipeline.unmark(mark.id, cause)


def _data(pipeline: "Pipeline", effect: SetData, source: "Bound | None", cause: int | None) -> None:
    rule, seat = pipeline.named(source)
    to: Audience = None if effect.public else ()
    pipeline.emit(DataSet(rule, seat, effect.key, effect.value, cause=cause, to=to))


def _note(pipeline: "Pipeline", effect: Note, source: "Bound | None", cause: int | None) -> None:
    to: Audience = None if effect.to is None else (effect.to,)
    pipeline.emit(Noted("" if source is None else source.rule.id, effect.key, effect.args, cause=cause, to=to))


def _end(pipeline: "Pipeline", effect: EndMatch, _source: "Bound | None", cause: int | None) -> None:
    if pipeline.state.outcome is None:
        pipeline.end(effect.winner, effect.reason, cause)


APPLY: dict[type[Effect], "Callable[[Pipeline, Any, Bound | None, int | None], None]"] = {
    Shot: _shot,
    Report: _report,
    Reveal: _reveal,
    Scan: scan,
    Activate: _activate,
    Sink: _sink,
    Forget: _forget,
    Repair: _repair,
    Move: _move,
    Disable: _disable,
    GainPoints: _gain,
    SpendPoints: _spend,
    GrantShots: _grant,
    EndTurn: _end_turn,
    Mark: _mark,
    Unmark: _unmark,
    SetData: _data,
    Note: _note,
    EndMatch: _end,
}
