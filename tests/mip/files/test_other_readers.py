"""PuLP's and HiGHS's readers find the very arrays that calmip wrote, and that it reads back."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from calmip.mip.files.model_files import read_model
from calmip.puzzle.cover import ExactCover
from calmip.puzzle.files.cover_files import header, write_cover

Rows = dict[str, tuple[float, float, dict[str, float]]]
"""Rows by name: lower and upper side, coefficients by column."""

NAMES = [path.stem for path in sorted((Path(__file__).parents[3] / "instances").glob("*.yaml"))]


def rows_of(cover: ExactCover) -> Rows:
    names = [item.name for item in cover.items]
    rows: Rows = {
        name: (float(demand), float(demand), {})
        for name, demand in zip(names, cover.demand, strict=True)
    }
    for option, name in enumerate(cover.option_names):
        for item in cover.items_of(option):
            rows[names[item]][2][name] = 1.0
    return rows


def written(cover: ExactCover, folder: Path, suffix: str) -> Path:
    path = folder / f"model{suffix}"
    write_cover(path, cover, header(cover))
    return path


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("suffix", [".mps", ".lp", ".mps.gz", ".lp.gz"])
def test_ours(name: str, suffix: str, covers: Mapping[str, ExactCover], tmp_path: Path) -> None:
    model = read_model(written(covers[name], tmp_path, suffix))
    rows: Rows = {}
    for number, row in enumerate(model.rows):
        part = slice(model.start[number], model.start[number + 1])
        columns = [model.columns[column] for column in model.index[part]]
        entries = dict(zip(columns, model.value[part].tolist(), strict=True))
        rows[row] = (float(model.lower[number]), float(model.upper[number]), entries)
    assert rows == rows_of(covers[name])
    assert sorted(model.columns) == sorted(covers[name].option_names)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("suffix", [".mps", ".lp"])
def test_highs(name: str, suffix: str, covers: Mapping[str, ExactCover], tmp_path: Path) -> None:
    import highspy

    highs = highspy.Highs()
    highs.setOptionValue("output_flag", False)
    path = written(covers[name], tmp_path, suffix)
    assert highs.readModel(str(path)) == highspy.HighsStatus.kOk
    lp = highs.getLp()
    names, matrix = list(lp.row_names_), lp.a_matrix_
    start, index, value = list(matrix.start_), list(matrix.index_), list(matrix.value_)
    rows: Rows = {
        row: (low, high, {})
        for row, low, high in zip(names, lp.row_lower_, lp.row_upper_, strict=True)
    }
    assert matrix.format_ == highspy.MatrixFormat.kColwise
    for column, option in enumerate(lp.col_names_):
        for place in range(start[column], start[column + 1]):
            rows[names[index[place]]][2][option] = value[place]
    assert rows == rows_of(covers[name])
    assert sorted(lp.col_names_) == sorted(covers[name].option_names)
    assert {*lp.col_lower_} == {0.0}
    assert {*lp.col_upper_} == {1.0}
    assert {*lp.integrality_} == {highspy.HighsVarType.kInteger}
    assert {*lp.col_cost_} == {0.0}


@pytest.mark.parametrize("name", NAMES)
def test_pulp(name: str, covers: Mapping[str, ExactCover], tmp_path: Path) -> None:
    import pulp

    variables, problem = pulp.LpProblem.fromMPS(str(written(covers[name], tmp_path, ".mps")))
    constraints = problem.constraints
    found = constraints() if callable(constraints) else list(constraints.values())
    rows: Rows = {}
    for row in found:
        assert row.sense == pulp.LpConstraintEQ
        entries = {variable.name: float(value) for variable, value in row.items()}
        rows[row.name] = (-row.constant, -row.constant, entries)
    assert rows == rows_of(covers[name])
    assert sorted(variables) == sorted(covers[name].option_names)
    for variable in variables.values():
        assert (variable.lowBound, variable.upBound, variable.cat) == (0, 1, "Integer")
    assert problem.sense == pulp.LpMinimize
