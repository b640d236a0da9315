"""Legality: every reason why a command is refused, in the order of RULES, from what the acting seat knows.

Reads only what the seat knows of the other side, so it gives the same on the true state and on a state folded from what
the seat was told. Submitting and options both ask here.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from irontide.aiming import admitted, chosen, made_anew, spot_of
from irontide.commands import Command, Fire, PlaceFleet, Resign, TimeOut, UseAbility
from irontide.context import SeatContext
from irontide.errors import CommandError, Refusal, refusal
from irontide.events import TimedOut
from irontide.fleet import read_placement
from irontide.frozen import FrozenDict, replica, shown
from irontide.grid import Cell, CellSet, bits
from irontide.guard import Guard, ask
from irontide.placing import berth_reasons, move_reasons, placed, stands_whole, written_placement
from irontide.rulebook import Bound, Rulebook
from irontide.sight import Sight
from irontide.state import NO_USES, State
from irontide.targets import Spot

OK: tuple[Refusal, ...] = ()

NO_CAP = 1_000_000_000
"""What a purse holds at most where no rule caps it."""


def open_cells(book: Rulebook, state: State, seat: int) -> int:
    """Return the cells of the other side that this seat may shoot."""
    return book.sea & ~state.shots[1 - seat] if book.no_repeat else book.sea


def shots_due(book: Rulebook, state: State, seat: int, cells: int, guard: Guard) -> int:
    """Return how many of these open cells the next command to fire takes: as many as shots are due, or all of them.

    A rule may let one command take fewer.
    """
    due = state.due
    if book.volleys:
        due = min(due, max(1, ask(book.adjusts, "volley", guard, seat_face(book, state, seat), due, seat)))
    return min(due, cells.bit_count())


def check_fire(book: Rulebook, state: State, command: Fire, guard: Guard) -> Sequence[Refusal]:
    """Return why these cells may not be fired at: `OK` itself if they may, and are written as the engine does."""
    turn, cells = state.turn, command.cells
    if state.index.get(command.seat) == turn and not book.forbids and not book.volleys:
        taken, bits = book.islands | (state.shots[1 - turn] if book.no_repeat else 0), book.bits
        for name in cells:
            bit = bits.get(name)
            if bit is None or taken & bit:
                break
            taken |= bit
        else:
            if len(cells) == state.due or len(cells) == min(state.due, open_cells(book, state, turn).bit_count()):
                return OK
    return [*_fire_reasons(book, state, command, guard)]


def _fire_reasons(book: Rulebook, state: State, command: Fire, guard: Guard) -> Iterator[Refusal]:
    yield from _turn_reasons(state, command.seat)
    known = {name: _at_sea(book, book.grid.find(name)) for name in command.cells}
    yield from (_no_cell(book, name) for name, cell in known.items() if cell is None)
    seat = state.index.get(command.seat, -1)
    cells = [cell for name in command.cells if (cell := known[name]) is not None]
    twice = dict.fromkeys(cell for cell in cells if cells.count(cell) > 1)
    yield from (Refusal("duplicate_cell", {"cell": book.names[cell]}) for cell in twice)
    if seat < 0 or not all(state.placed):
        return
    if state.turn == seat:
        due = shots_due(book, state, seat, allowed_cells(book, state, seat, guard), guard)
        passed = not command.cells and not book.must_shoot
        if len(command.cells) != due and not passed:
            yield Refusal("wrong_shot_count", {"due": due, "given": len(command.cells)})
    free = open_cells(book, state, seat)
    shot = [cell for cell in dict.fromkeys(cells) if not free >> cell & 1]
    yield from (Refusal("already_shot", {"cell": book.names[cell]}) for cell in shot)
    if len(cells) == len(command.cells):
        written = Fire(command.seat, [book.names[cell] for cell in cells])
        yield from forbidden(book, state, seat, written, guard)


def _at_sea(book: Rulebook, cell: Cell | None) -> Cell | None:
    """Return the cell if it exists: an island is no cell to shoot at or to lie on."""
    return None if cell is None or book.islands >> cell & 1 else cell


def _no_cell(book: Rulebook, name: str) -> Refusal:
    """Return the refusal of a name that is no cell, or that of an island, which says so."""
    cell = book.grid.find(name)
    if cell is None:
        return Refusal("unknown_cell", {"cell": name})
    return Refusal("unknown_cell", {"cell": book.names[cell], "island": True})


def _named_island(book: Rulebook, target: object) -> Refusal | None:
    """Return the refusal of a target that names an island as its cell, or as a place to go to."""
    given: Mapping[str, object] = target if isinstance(target, FrozenDict) else {"at": target}
    place = read_placement(book.grid, given.get("to"))
    to = book.grid.list(place) if isinstance(place, CellSet) else ()
    for name in (given.get("at"), given.get("from"), *to):
        cell = book.grid.find(name)
        if cell is not None and _at_sea(book, cell) is None:
            return _no_cell(book, book.names[cell])
    return None


def allowed_cells(book: Rulebook, state: State, seat: int, guard: Guard) -> int:
    """Return the open cells that no rule forbids to fire at; each is asked for alone."""
    cells = open_cells(book, state, seat)
    if Fire not in book.forbids:
        return cells
    name, names = state.seats[seat], book.names
    return sum(
        1 << cell for cell in bits(cells) if not any(forbidden(book, state, seat, Fire(name, names[cell]), guard))
    )


def _turn_reasons(state: State, name: str) -> Iterator[Refusal]:
    if state.outcome is not None:
        yield Refusal("match_over", {"winner": state.outcome.winner, "reason": state.outcome.reason})
    elif not all(state.placed):
        yield Refusal(
            "not_placed_yet", {"seats": [s for s, done in zip(state.seats, state.placed, strict=True) if not done]}
        )
    if name not in state.index:
        yield _unknown_seat(name)
    elif state.turn >= 0 and state.turn != state.index[name]:
        yield Refusal("not_your_turn", {"seat": name, "seat_to_move": state.seats[state.turn]})


def _unknown_seat(name: str) -> Refusal:
    return Refusal("unknown_seat", {"seat": name})


def forbidden(book: Rulebook, state: State, seat: int, command: object, guard: Guard) -> Iterator[Refusal]:
    """Yield what rules forbid of this command, each asked on what the acting seat knows.

    An ability forbids only what its own seat wants to do.
    """
    for listener in book.forbids.get(type(command), ((), ()))[max(state.turn, 0)]:
        if listener.bound.seat == 1 - seat or listener.bound.key in state.off:
            continue
        answer = guard.call(listener, seat_context(book, state, seat, listener.bound), command)
        if answer is None:
            continue
        made = made_anew(answer)
        if made is None:
            guard.broken(listener.bound, listener.name, f"returned {shown(answer)} instead of a Refusal or None")
        yield made


def check_ability(book: Rulebook, state: State, command: UseAbility, guard: Guard) -> Sequence[Refusal]:
    """Return why this ability may not be used on this target."""
    seat = state.index.get(command.seat, -1)
    found = [] if state.turn == seat >= 0 else [*_turn_reasons(state, command.seat)]
    bound = book.abilities[max(seat, 0)].get(command.ability)
    if bound is None:
        return [*found, Refusal("unknown_ability", {"ability": command.ability, "known": list(book.abilities[0])})]
    if seat < 0 or not all(state.placed):
        return found
    reasons = ability_reasons(book, state, bound, price_of(book, state, bound, guard))
    if "fault" in state.off.get(bound.key, ()):
        return [*found, *reasons]  # its target is not asked again
    spot = spot_of(bound, book.grid, command.target, guard)
    if isinstance(spot, Refusal):
        spot = (book.islands and _named_island(book, command.target)) or spot
        name = spot.code == "unknown_cell"  # names come first, targets last
        return [*found, *([spot] if name else []), *reasons, *([] if name else [spot])]
    found += reasons
    if bound.key in state.off:
        return found
    if bound.picky or not bound.steady:
        found += target_reasons(book, state, bound, spot, guard)
    if UseAbility in book.forbids:
        written = UseAbility(command.seat, command.ability, spot.json)
        found += forbidden(book, state, seat, written, guard)
    return found or OK


def ability_reasons(book: Rulebook, state: State, bound: Bound, price: int) -> list[Refusal]:
    """Return why an ability may not be used now at this price, whatever its target: off, limit, points."""
    id_, points = bound.id, state.points[bound.seat]
    found: list[Refusal] = []
    if bound.passive:
        found.append(refusal("not_allowed", command="use_ability", ability=id_))
    if state.off and bound.key in state.off:
        found.append(refusal("ability_disabled", ability=id_, reason=state.off[bound.key][0]))
    limit = _reached(book, state, bound)
    if limit:
        turns = {"turns": wait_of(state, bound)} if limit == "cooldown" else {}
        found.append(refusal("ability_limit", ability=id_, limit=limit, **turns))
    if price > points:
        found.append(refusal("not_enough_points", ability=id_, price=price, points=points))
    return found


def conditions(book: Rulebook, state: State, seat: int, waits: Refusal | None) -> tuple[object, ...]:
    """Return all that `ability_reasons` depends on for a seat's abilities, at a price that does not vary.

    With it comes `waits`, why the seat can do nothing at all.
    """
    used = state.used > 0 and book.one_ability and state.turn == seat
    known: list[object] = [waits, state.points[seat], used]
    if not used and state.turn == seat:
        for bound in book.limited[seat]:
            known.append(_own_limit(state, bound))  # noqa: PERF401 - asked for at every question
    for bound in book.counted[seat]:
        known += (left_of(state, bound), wait_of(state, bound))
    if state.off:
        known += map(state.off.get, book.keys[seat])
    return tuple(known)


def left_of(state: State, bound: Bound) -> int | None:
    """Return how often the ability may still be used in the match; None: as often as may be."""
    caps = [cap for cap in (bound.terms.per_match, bound.terms.charges) if cap is not None]
    return max(0, min(caps) - state.uses.get(bound.key, NO_USES).total) if caps else None


def wait_of(state: State, bound: Bound) -> int:
    """Return in how many own turns the ability is ready again, 1 being the next one; 0: it does not rest."""
    uses = state.uses.get(bound.key)
    if uses is None or not bound.terms.cooldown:
        return 0
    return max(0, uses.turn + bound.terms.cooldown + 1 - state.turns[bound.seat])


def _reached(book: Rulebook, state: State, bound: Bound) -> str | None:
    """Return which limit of the ability is reached in its seat's turn."""
    if not (state.used or bound.limited) or state.turn != bound.seat:
        return None
    return "one_ability" if book.one_ability and state.used else _own_limit(state, bound)


def _own_limit(state: State, bound: Bound) -> str | None:
    terms = bound.terms
    if terms.per_turn is not None:
        uses = state.uses.get(bound.key, NO_USES)
        if (uses.in_turn if uses.turn == state.turns[bound.seat] else 0) >= terms.per_turn:
            return "per_turn"
    if bound.counted and left_of(state, bound) == 0:
        return "per_match"
    if bound.counted and wait_of(state, bound):
        return "cooldown"
    if terms.standing is not None:
        id_, name, standing = bound.id, state.seats[bound.seat], 0
        for mark in state.marks.values():
            standing += mark.rule == id_ and mark.seat == name and mark.told
        return "standing" if standing >= terms.standing else None
    return None


def price_of(book: Rulebook, state: State, bound: Bound, guard: Guard) -> int:
    """Return what the ability costs its seat now."""
    price, seat = bound.terms.price, bound.seat
    if not book.prices_vary:
        return price
    return ask(book.adjusts, "price", guard, seat_face(book, state, seat), price, seat, bound.rule.id)


def seat_face(book: Rulebook, state: State, seat: int) -> Callable[[Bound], SeatContext]:
    """Return what makes the face of this seat that a rule reads."""
    return lambda bound: seat_context(book, state, seat, bound)


def seat_context(book: Rulebook, state: State, seat: int, bound: Bound) -> SeatContext:
    """Return what a rule instance may read of what this seat knows."""
    return SeatContext(state, book.grid, seat, bound.rule.id, owned=bound.seat >= 0)


def target_reasons(book: Rulebook, state: State, bound: Bound, spot: Spot, guard: Guard) -> Iterator[Refusal]:
    """Yield why a target of the right form is not allowed."""
    seat, id_ = bound.seat, bound.rule.id
    free, wrong = open_cells(book, state, seat), None
    if not bound.steady and not admitted(bound, Sight(book, state, seat, free), (spot,), guard):
        wrong = Refusal("bad_target", {"target": spot.json})
        yield wrong
    if bound.ability.shoots and not spot.mask & free:
        yield Refusal("nothing_to_shoot", {"ability": id_})
    if bound.picky:
        yield from (each for each in _allowed(book, state, bound, spot, guard) if each != wrong)


def _allowed(book: Rulebook, state: State, bound: Bound, spot: Spot, guard: Guard) -> Iterator[Refusal]:
    ctx = seat_context(book, state, bound.seat, bound)
    target = chosen(bound, spot, CellSet(open_cells(book, state, bound.seat)), guard)
    answer = guard.run(bound, "allows", lambda: bound.ability.allows(ctx, replica(target)))
    if answer is False:
        yield Refusal("bad_target", {"target": spot.json})
    elif answer is not None and answer is not True:
        made = made_anew(answer)
        if made is None:
            guard.broken(bound, "allows", f"returned {shown(answer)}")
        yield made


def check_place(book: Rulebook, state: State, command: PlaceFleet, guard: Guard) -> Sequence[Refusal]:
    """Return why this fleet may not be placed."""
    ready = state.outcome is None and command.seat in state.index and not all(state.placed)
    if ready and PlaceFleet not in book.forbids and stands_whole(book, command.ships):
        return ()
    return [*_place_reasons(book, state, command, guard)]


def _place_reasons(book: Rulebook, state: State, command: PlaceFleet, guard: Guard) -> Iterator[Refusal]:
    if state.outcome is not None:
        yield Refusal("match_over", {"winner": state.outcome.winner, "reason": state.outcome.reason})
    elif all(state.placed) and book.fleet_fixed:
        yield Refusal("fleet_fixed")
    if command.seat not in state.index:
        yield _unknown_seat(command.seat)
    elif state.turn >= 0 and not book.fleet_fixed:
        yield from _turn_reasons(state, command.seat)
    unknown = [ship for ship in command.ships if ship not in book.ships]
    missing = [ship for ship in book.ships if ship not in command.ships]
    yield from (Refusal("unknown_ship", {"ship": ship, "known": list(book.ships)}) for ship in unknown)
    if missing:
        yield Refusal("wrong_fleet", {"missing": missing})
    wrong = [] if stands_whole(book, command.ships) else [*berth_reasons(book, command)]
    yield from wrong
    if unknown or missing or wrong or command.seat not in state.index:
        return
    seat, berths = state.index[command.seat], placed(book, command)
    if state.turn >= 0 and not book.fleet_fixed:
        yield from move_reasons(book, state, seat, berths)
    if PlaceFleet in book.forbids:
        yield from forbidden(book, state, seat, written_placement(command, berths), guard)


def check_resign(_book: Rulebook, state: State, command: Resign, _guard: Guard) -> Sequence[Refusal]:
    """Return why a seat may not resign."""
    found: list[Refusal] = []
    if state.outcome is not None:
        found.append(Refusal("match_over", {"winner": state.outcome.winner, "reason": state.outcome.reason}))
    if command.seat not in state.index:
        found.append(_unknown_seat(command.seat))
    return found


def check_time_out(book: Rulebook, state: State, command: TimeOut, _guard: Guard) -> Sequence[Refusal]:
    """Return why a time-out is refused: the seat is not to move, or no rule says what follows."""
    seat = state.index.get(command.seat, -1)
    listening = [listener.bound for listener in book.reacts.get(TimedOut, ((), ()))[0]]
    heard = any(bound.seat in {-1, seat} and bound.key not in state.off for bound in listening)  # what the seat knows
    allowed = [] if heard else [Refusal("not_allowed", {"command": command.type})]
    return [*_turn_reasons(state, command.seat), *allowed]


CHECKS: dict[type, Callable[[Rulebook, State, Any, Guard], Sequence[Refusal]]] = {
    Fire: check_fire,
    UseAbility: check_ability,
    PlaceFleet: check_place,
    Resign: check_resign,
    TimeOut: check_time_out,
}


def check_of(command: Command) -> Callable[[Rulebook, State, Any, Guard], Sequence[Refusal]]:
    """Return what checks a command of this kind.

    Raises:
        CommandError: it is no command.

    """
    check = CHECKS.get(type(command))
    if check is None:
        raise CommandError(f"expected a command, not {shown(command)}")
    return check
