"""The benchmarks work: each measure runs once, on tiny games, with the peers and without. Nothing here is timed."""

import json
import sys
from importlib import import_module
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from types import SimpleNamespace

import pytest

from irontide import ShipClass

FOLDER = Path(__file__).parent / "benchmarks"
MODULES = ("figures", "games", "peers", "measures", "run")
PEERS = {"battleship-tui": "battleship", "open_spiel": "pyspiel"}


@pytest.fixture(scope="module")
def bench():
    """The modules of the benchmarks, which import each other as the scripts they are."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(FOLDER)
        yield SimpleNamespace(**{name: import_module(name) for name in MODULES})
        for name in MODULES:
            del sys.modules[name]


@pytest.fixture
def tiny(bench, monkeypatch):
    """Two ships on 4x4 to count, instead of Classic's fleet."""
    ships = [ShipClass("cruiser", 3), ShipClass("destroyer", 2)]
    variant = bench.measures.CLASSIC.but(id="bench.tiny", grid={"columns": 4, "rows": 4}, fleet=ships)
    monkeypatch.setattr(bench.measures, "COUNTS", [(variant, 264, 60.0)])


@pytest.fixture
def alone(monkeypatch):
    """No peer is installed."""
    for package in PEERS.values():
        for name in [each for each in sys.modules if each.split(".")[0] == package] or [package]:
            monkeypatch.setitem(sys.modules, name, None)


def test_without_peers_all_else_is_measured_and_they_are_named(bench, tiny, alone, capsys):
    code = bench.run.main(["--rounds", "1", "--games", "1", "--json"])

    out, err = capsys.readouterr()
    report = json.loads(out)
    assert code in {0, 1}
    assert report["missing"] == [*PEERS]
    assert all(f"{name} is not installed and left out" in err for name in PEERS)
    assert all(figure["min"] <= figure["median"] <= figure["max"] for figure in report["figures"])
    assert sum(figure["demand"] is not None for figure in report["figures"]) == 10
    assert "counting 264 fleets" in [figure["what"] for figure in report["figures"]]


@pytest.mark.parametrize(("most", "code", "verdict"), [(3, 0, "yes"), (2, 1, "NO")])
def test_the_table_and_the_exit_code_give_the_verdict(bench, alone, monkeypatch, capsys, most, code, verdict):
    figure = bench.figures.Figure("wide", "m", (1.0, 2.5, 3.0), bench.figures.at_most(most))
    monkeypatch.setattr(bench.run, "measure", lambda *_: [figure])

    assert bench.run.main([]) == code
    assert capsys.readouterr().out.splitlines()[-1].split() == ["wide", "m", "2.5", "1", "3", "≤", str(most), verdict]


def test_the_peers_that_are_installed_play_the_same_games_to_the_same_end(bench):
    found, missing = bench.peers.installed()
    names = [name for name, package in PEERS.items() if find_spec(package)]

    figures = bench.measures.speed(bench.measures.draw_rounds(1, 1, count()), found)

    assert sorted([*names, *missing]) == sorted(PEERS)
    assert [engine.name for engine in found] == names
    assert [figure.what for figure in figures[: len(names)]] == [
        f"Classic: games a second, of {name}'s" for name in names
    ]
    assert [figure.demand for figure in figures[: len(names)]] == [bench.measures.DEMANDS[name] for name in names]


def test_a_game_that_ends_otherwise_than_it_should_is_an_error(bench):
    liar = bench.peers.Engine("liar", lambda game: game, lambda game: None, lambda ended, game: False)

    with pytest.raises(RuntimeError, match="liar: game 0 did not end as it should"):
        bench.measures.speed(bench.measures.draw_rounds(1, 1, count()), [liar])


@pytest.mark.parametrize(
    ("values", "least", "each", "holds"),
    [
        ((1, 2, 3), True, False, True),
        ((1, 1, 3), True, False, False),
        ((1, 2, 3), False, False, True),
        ((1, 2, 3), False, True, False),
    ],
)
def test_a_demand_is_on_the_median_or_on_each_value(bench, values, least, each, holds):
    demand = bench.figures.Demand(2, least=least, each=each)

    assert demand.holds(values) is holds


@pytest.mark.parametrize("number", ["0", "-1", "x"])
def test_rounds_and_games_are_positive(bench, number, capsys):
    with pytest.raises(SystemExit) as stopped:
        bench.run.main(["--rounds", number])

    assert stopped.value.code == 2
    assert "invalid positive_integer value" in capsys.readouterr().err
