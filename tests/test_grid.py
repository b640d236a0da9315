"""The grid: cells and their names, sets of cells, areas, rows, columns and neighbours."""

import copy
import pickle

import pytest

from irontide import CellError, CellSet, Grid, IrontideError

TEN = Grid(10, 10)


# Cells and names.


def test_cells_are_numbered_row_by_row_from_a1():
    assert [TEN.name(cell) for cell in (0, 1, 9, 10, 99)] == ["A1", "B1", "J1", "A2", "J10"]
    assert [TEN.cell(name) for name in ("A1", "B1", "J1", "A2", "J10")] == [0, 1, 9, 10, 99]


@pytest.mark.parametrize(("columns", "rows"), [(1, 1), (26, 1), (1, 26), (26, 26), (7, 3)])
def test_every_cell_has_one_name_and_every_name_its_cell(columns: int, rows: int):
    grid = Grid(columns, rows)

    assert grid.size == columns * rows == len(grid.all) == len(set(grid.names))
    assert [grid.cell(name) for name in grid.names] == list(range(grid.size)) == list(grid.all)
    assert grid.names[-1] == f"{'ABCDEFGHIJKLMNOPQRSTUVWXYZ'[columns - 1]}{rows}"


def test_lower_case_and_blanks_around_are_accepted():
    assert TEN.cell(" b4\t") == TEN.cell("B4")


@pytest.mark.parametrize("name", ["", "B", "4", "B0", "B04", "B11", "K1", "4B", "B 4", "B4\n", "B٤", "Ｂ4", None, 4])  # noqa: RUF001 - a digit and a letter that only look right
def test_what_is_no_cell_name_is_found_nowhere_and_is_a_cell_error(name: object):
    assert TEN.find(name) is None
    with pytest.raises(CellError, match="goes from A1 to J10"):
        TEN.cell(name)


@pytest.mark.parametrize("cell", [-1, 100, True, "A1", 1.0, None])
def test_what_is_no_cell_number_has_no_name(cell: object):
    with pytest.raises(CellError, match="has 100 cells"):
        TEN.name(cell)


@pytest.mark.parametrize(
    ("columns", "rows"), [(0, 10), (10, 0), (27, 10), (10, 27), (10.0, 10), (True, 10), ("10", 10)]
)
def test_a_grid_has_1_to_26_columns_and_rows(columns: object, rows: object):
    with pytest.raises(CellError, match="a grid has 1 to 26"):
        Grid(columns, rows)


def test_a_cell_error_is_a_value_error_of_irontide():
    assert issubclass(CellError, IrontideError)
    assert issubclass(CellError, ValueError)


# Areas, rows, columns, neighbours.


@pytest.mark.parametrize(
    ("middle", "width", "height", "expected"),
    [
        ("C3", 3, 3, "B2 C2 D2 B3 C3 D3 B4 C4 D4"),
        ("A1", 3, 3, "A1 B1 A2 B2"),
        ("J10", 3, 3, "I9 J9 I10 J10"),
        ("A5", 3, 1, "A5 B5"),
        ("B2", 1, 1, "B2"),
        ("B2", 2, 2, "B2 C2 B3 C3"),  # of an even number the middle cell is the one nearer the start
        ("B2", 4, 1, "A2 B2 C2 D2"),
        ("J1", 2, 1, "J1"),
    ],
)
def test_an_area_is_named_by_its_middle_cell_and_clipped(middle: str, width: int, height: int, expected: str):
    assert TEN.area(middle, width, height) == TEN.cells(*expected.split())


def test_an_area_may_be_named_by_the_number_of_its_middle_cell():
    assert TEN.area(TEN.cell("C3"), 3, 3) == TEN.area("C3", 3, 3)


def test_an_area_around_no_cell_is_a_cell_error():
    with pytest.raises(CellError):
        TEN.area(100, 3, 3)


def test_rows_count_from_1_at_the_top_and_columns_are_letters():
    grid = Grid(3, 2)

    assert grid.list(grid.row(2)) == ("A2", "B2", "C2")
    assert grid.list(grid.column("C")) == ("C1", "C2")


@pytest.mark.parametrize("number", [0, 3, -1])
def test_a_row_that_is_not_there_is_a_cell_error(number: int):
    with pytest.raises(CellError, match="rows go from 1 to 2"):
        Grid(3, 2).row(number)


def test_a_column_that_is_not_there_is_a_cell_error():
    with pytest.raises(CellError):
        Grid(3, 2).column("D")


def test_column_and_row_of_a_cell_and_back():
    assert TEN.position("D2") == (3, 1)
    assert TEN.at(3, 1) == TEN.cell("D2")


@pytest.mark.parametrize(("column", "row"), [(-1, 0), (0, -1), (10, 0), (0, 10)])
def test_outside_the_grid_is_no_cell(column: int, row: int):
    assert TEN.at(column, row) is None


@pytest.mark.parametrize(
    ("cells", "corners", "expected"),
    [
        ("E5", False, "E4 D5 F5 E6"),
        ("E5", True, "D4 E4 F4 D5 F5 D6 E6 F6"),
        ("A1", False, "B1 A2"),
        ("A1", True, "B1 A2 B2"),
        ("J5", True, "I4 J4 I5 I6 J6"),  # a row does not go on at the other edge
        ("A5 B5", False, "A4 B4 C5 A6 B6"),
        ("J10", True, "I9 J9 I10"),
    ],
)
def test_neighbours_lie_beside_the_cells_and_are_none_of_them(cells: str, corners: bool, expected: str):
    assert TEN.neighbours(TEN.cells(*cells.split()), corners=corners) == TEN.cells(*expected.split())


def test_a_grid_of_one_cell_has_no_neighbours():
    assert not Grid(1, 1).neighbours(Grid(1, 1).all, corners=True)


# Sets of cells.


def test_a_set_of_cells_iterates_in_cell_order_and_counts():
    cells = TEN.cells("J10", "A1", "C3", "A1")

    assert list(cells) == [0, 22, 99]
    assert len(cells) == 3
    assert cells.mask == 1 | 1 << 22 | 1 << 99


def test_sets_of_cells_join_meet_and_differ():
    one, other = CellSet.of([1, 2, 3]), CellSet.of([3, 4])

    assert list(one | other) == [1, 2, 3, 4]
    assert list(one & other) == [3]
    assert list(one - other) == [1, 2]
    assert list(one ^ other) == [1, 2, 4]
    assert CellSet.of([3]) <= one
    assert one.isdisjoint(CellSet.of([7]))


def test_a_plain_set_of_cells_joins_on_either_side():
    cells = CellSet.of([1, 2])

    for joined in (cells | {7}, {7} | cells, cells ^ {7}):
        assert isinstance(joined, CellSet)
        assert list(joined) == [1, 2, 7]
    assert {2, 7} & cells == CellSet.of([2]) == cells & {2, 7}
    assert {2, 7} - cells == CellSet.of([7])


def test_what_is_no_cell_is_in_no_set_of_cells():
    cells = CellSet.of([0, 1])

    assert 1 in cells
    for thing in (2, -1, None, 1.0):
        assert thing not in cells
    with pytest.raises(TypeError, match=r"by their number: ask for grid.cell\(.B4.\), not for 'A1'"):
        assert "A1" in cells


def test_an_empty_set_of_cells_is_false():
    assert not CellSet()
    assert CellSet.of([0])


def test_sets_of_cells_compare_and_hash_by_value():
    assert CellSet.of([2, 1]) == CellSet(6)
    assert CellSet(6) != CellSet(2)
    assert CellSet(6) != 6
    assert len({CellSet.of([1, 2]), CellSet(6), CellSet(2)}) == 2


@pytest.mark.parametrize("mask", [-1, True, 1.0, "6", None])
def test_what_is_no_bit_set_makes_no_set_of_cells(mask: object):
    with pytest.raises(CellError, match="an integer of 0 or more"):
        CellSet(mask)


def test_a_set_of_cells_cannot_be_changed():
    cells = CellSet(6)

    with pytest.raises(AttributeError, match="cannot be changed"):
        cells._mask = 1  # noqa: SLF001 - the attempt is the test
    assert cells.mask == 6


def test_a_set_of_cells_can_be_copied_pickled_and_shown():
    cells = CellSet(6)

    assert copy.deepcopy(cells) == cells == pickle.loads(pickle.dumps(cells))  # noqa: S301 - pickled here
    assert repr(cells) == "CellSet([1, 2])"
