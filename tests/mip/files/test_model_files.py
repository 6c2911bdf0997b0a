"""Models in MPS and LP files: read as other programs read them, or refused."""

import math
import tracemalloc
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from peers import ours, referee
from requirements import need_package, need_solver

from calmip._base.errors import InputError
from calmip._base.limits import Limits
from calmip.mip.files.lp import lp_text
from calmip.mip.files.model_files import is_model, model_parts, read_model
from calmip.mip.files.mps import mps_text
from calmip.mip.files.registry import FORMATS
from calmip.mip.model import Model
from calmip.mip.status import Status
from calmip.models import FORMULATIONS, build
from calmip.puzzle.cover import ExactCover
from calmip.puzzle.documents.reader import read_instance
from calmip.puzzle.files.cover_files import cover_parts, header, write_cover
from calmip.solvers import solver_named

quiet = settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60, deadline=None
)


def by_name(model: Model) -> dict[str, Any]:
    """Return a model as plain data, the rows by name."""
    rows = {}
    for number, row in enumerate(model.rows):
        part = slice(model.start[number], model.start[number + 1])
        names = [model.columns[column] for column in model.index[part]]
        terms = dict(zip(names, model.value[part].tolist(), strict=True))
        rows[row] = (float(model.lower[number]), terms, float(model.upper[number]))
    cost = {n: c for n, c in zip(model.columns, model.cost.tolist(), strict=True) if c}
    return {"columns": model.columns, "rows": rows, "cost": cost}


coefficients = st.integers(-9, 9).filter(bool).map(float) | st.floats(0.01, 100.0)
sides = st.integers(-20, 20).map(float)


@st.composite
def models(draw: st.DrawFn, *, ranges: bool = True) -> Model:
    columns = draw(st.integers(1, 6))
    rows = []
    for _ in range(draw(st.integers(1, 5))):
        chosen = draw(st.lists(st.integers(0, columns - 1), min_size=1, unique=True))
        terms = [(column, draw(coefficients)) for column in sorted(chosen)]
        low, high = sorted((draw(sides), draw(sides)))
        kind = draw(st.sampled_from("<>=" + ("r" if ranges else "")))
        rows.append(
            (
                -np.inf if kind == "<" else low,
                terms,
                np.inf if kind == ">" else low if kind == "=" else high,
            )
        )
    return Model(
        columns=tuple(f"x{n}" for n in range(columns)),
        rows=tuple(f"r{n}" for n in range(len(rows))),
        start=np.cumsum([0] + [len(terms) for _, terms, _ in rows]).astype(np.int32),
        index=np.array([c for _, terms, _ in rows for c, _ in terms], dtype=np.int32),
        value=np.array([v for _, terms, _ in rows for _, v in terms]),
        lower=np.array([low for low, _, _ in rows]),
        upper=np.array([high for _, _, high in rows]),
        cost=np.array([draw(st.just(0.0) | coefficients) for _ in range(columns)]),
    )


@pytest.mark.long
@quiet
@given(model=models())
def test_mps_is_read_as_written_and_as_highs_reads_it(model: Model, tmp_path: Path) -> None:
    path = tmp_path / "m.mps"
    path.write_text(mps_text(model))
    said = by_name(read_model(path))
    assert said == by_name(model)
    # The columns, and they alone, stand between the two markers of integers.
    _, columns, _ = path.read_text().split("    MARKER    'MARKER'                 'INT")
    assert columns.startswith("ORG'\n")
    assert {line.split()[0] for line in columns.splitlines()[1:]} == set(model.columns)
    # HiGHS drops what it takes for small; the coefficients above are not.
    assert ours(read_model(path)) == referee(path)


@pytest.mark.long
@quiet
@given(model=models(ranges=False))
def test_lp_is_read_as_written_and_as_highs_reads_it(model: Model, tmp_path: Path) -> None:
    path = tmp_path / "m.lp"
    path.write_text(lp_text(model))
    assert by_name(read_model(path)) == by_name(model)
    assert ours(read_model(path)) == referee(path)


def test_lp_refuses_a_row_with_two_bounds(covers: dict[str, ExactCover]) -> None:
    model = Model.from_cover(covers["tiny"]).with_row("n1", [0, 1], 1, 2)
    with pytest.raises(InputError, match=r"row 'n1' has two bounds.*write MPS"):
        lp_text(model)


@pytest.mark.parametrize("solver", ["cbc", "glpk", "highs", "scip", "gurobi"])
def test_a_row_without_bounds_is_read_again(
    solver: str, covers: dict[str, ExactCover], tmp_path: Path
) -> None:
    need_solver(solver)
    model = Model.from_cover(covers["tiny"]).with_row("n1", [0, 1], -math.inf, math.inf)
    path = tmp_path / "m.lp"
    path.write_text(lp_text(model))
    assert by_name(read_model(path)) == by_name(model)
    # The solver reads the file itself.
    outcome = solver_named(solver).solve(path, Limits(time_limit=60))
    assert outcome.status in (Status.OPTIMAL, Status.FEASIBLE), outcome


@pytest.mark.long
@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_no_formulation_has_a_row_with_two_bounds(
    formulation: str, covers: dict[str, ExactCover], tmp_path: Path
) -> None:
    for cover in covers.values():
        if cover.columns < 900:
            path = tmp_path / "model.mps"
            build(formulation, cover).write(path)
            model = read_model(path)
            two = np.isfinite(model.lower) & np.isfinite(model.upper)
            assert (model.lower[two] == model.upper[two]).all()


@pytest.mark.long
@pytest.mark.parametrize("suffix", [".mps", ".lp", ".mps.gz", ".lp.gz"])
def test_exports_are_read_back(suffix: str, covers: dict[str, ExactCover], tmp_path: Path) -> None:
    for cover in covers.values():
        path = tmp_path / f"model{suffix}"
        write_cover(path, cover, header(cover))
        model = read_model(path)
        assert by_name(model) == by_name(Model.from_cover(cover))
        if suffix == ".mps" and cover.columns < 900:
            assert ours(model) == referee(path)


@pytest.mark.parametrize("formulation", ["pulp", "pyomo"])
@pytest.mark.long
@pytest.mark.parametrize("suffix", [".mps", ".lp"])
def test_formulations_say_the_same(
    formulation: str, suffix: str, tiny: ExactCover, feb29: ExactCover, tmp_path: Path
) -> None:
    for cover in (tiny, feb29):
        path = tmp_path / f"m{suffix}"
        build(formulation, cover).write(path)
        said, known = by_name(read_model(path)), by_name(Model.from_cover(cover))
        assert set(said["columns"]) == set(known["columns"])
        rows = [(low, sorted(terms.items()), high) for low, terms, high in said["rows"].values()]
        assert sorted(rows) == sorted(
            (low, sorted(terms.items()), high) for low, terms, high in known["rows"].values()
        )


def test_pulp_reads_our_mps_as_we_mean_it(feb29: ExactCover, tmp_path: Path) -> None:
    pulp = need_package("pulp")
    path = tmp_path / "m.mps"
    write_cover(path, feb29, header(feb29))
    columns, problem = pulp.LpProblem.fromMPS(str(path))
    assert tuple(columns) == feb29.option_names
    assert all(v.cat == "Integer" and (v.lowBound, v.upBound) == (0, 1) for v in columns.values())
    constraints = problem.constraints
    constraints = constraints() if callable(constraints) else constraints
    rows = constraints.values() if isinstance(constraints, dict) else constraints
    said = {
        row.name: (row.sense, -row.constant, {v.name: value for v, value in row.items()})
        for row in rows
    }
    names = feb29.option_names
    assert said == {
        item.name: (0, item.demand, {names[option]: 1 for option in options})
        for item, options in zip(feb29.items, feb29.options_of(), strict=True)
    }


def test_a_row_may_be_called_like_the_objective(tmp_path: Path) -> None:
    (tmp_path / "m.lp").write_text("Max\n OBJ: x\nst\n OBJ: x <= 1\n OBJ_: x >= 0\nBin\n x\nEnd")
    model = read_model(tmp_path / "m.lp")
    (tmp_path / "m.mps").write_text(mps_text(model))
    assert by_name(read_model(tmp_path / "m.mps")) == by_name(model)


def test_programs_in_modelling_languages_are_refused_with_the_way_on(tmp_path: Path) -> None:
    for name, remedy in (
        ("Cut.mod", "glpsol --check -m Cut.mod --wlp Cut.lp"),
        ("x.gms.gz", "x.lp"),
    ):
        with pytest.raises(InputError, match=rf"a program in a modelling language; .*{remedy}"):
            read_model(tmp_path / name)


def test_rows_without_names_get_names_of_their_own(tmp_path: Path) -> None:
    rows = "R3: x >= 0\n x <= 1\n y <= 1\n R3__: y >= 0\n x + y >= 1"
    (tmp_path / "m.lp").write_text(f"Min\n obj: x\nst\n {rows}\nBin\n x y\nEnd")
    assert read_model(tmp_path / "m.lp").rows == ("R3", "R2", "R3_", "R3__", "R5")


@pytest.mark.parametrize("suffix", FORMATS)
def test_what_a_puzzle_is_not_is_said_by_the_suffix(suffix: str, tmp_path: Path) -> None:
    kind = FORMATS[suffix]
    other = not (kind.model or kind.language or kind.data or suffix == ".json")
    words = {
        "is a model, not a puzzle": kind.model is not None,
        "is a model in a modelling language": kind.language,
        "is a model for other programs": other,
    }
    expected = [text for text, holds in words.items() if holds]
    for end in ("", ".gz"):
        path = tmp_path / f"m{suffix}{end}"
        path.write_text("Min")
        with pytest.raises(InputError) as caught:
            read_instance(path)
        said = [text for text in words if text in str(caught.value)]
        assert said == expected  # data and JSON may hold anything


def test_a_model_is_known_by_its_name() -> None:
    names = [
        "m.mps",
        "m.lp",
        "M.MPS",
        "m.lp.gz",
        "m.mps.bz2",
        "m.lp.xz",
        "m.txt",
        "mps",
        "m.mps.txt",
        "m.json",
    ]
    assert [name for name in names if is_model(Path(name))] == names[:6]


def test_other_suffixes_are_refused(tmp_path: Path) -> None:
    (tmp_path / "m.txt").write_text("NAME\nENDATA\n")
    with pytest.raises(InputError, match=r"use one of \.mps, \.lp"):
        read_model(tmp_path / "m.txt")


@pytest.mark.long
@quiet
@given(data=st.data(), suffix=st.sampled_from([".mps", ".lp"]))
def test_damage_gives_an_error_or_a_model(
    data: st.DataObject, suffix: str, tiny: ExactCover, tmp_path: Path
) -> None:
    text = "".join(cover_parts(tiny, suffix))
    for _ in range(data.draw(st.integers(1, 3))):
        start = data.draw(st.integers(0, len(text)))
        end = data.draw(st.integers(start, min(len(text), start + 12)))
        text = text[:start] + data.draw(st.text(max_size=6)) + text[end:]
    (tmp_path / f"m{suffix}").write_bytes(text.encode("utf-8", "replace"))
    try:
        model = read_model(tmp_path / f"m{suffix}")
    except InputError:
        return
    # What was read can be written, and says the same again.
    (tmp_path / "again.mps").write_text(mps_text(model))
    said = by_name(model)
    said["rows"] = {n: r for n, r in said["rows"].items() if r[0] > -np.inf or r[2] < np.inf}
    assert by_name(read_model(tmp_path / "again.mps")) == said


@pytest.mark.long
def test_large_files_stay_quick(tmp_path: Path) -> None:
    """A line or a section that grows must not make reading quadratic."""
    names = [f"x{n}" for n in range(30_000)]
    row, binaries = "\n + ".join(names), "\n".join(names)
    path = tmp_path / "m.lp"
    path.write_text(f"Minimize\n\nst\n{row} = 1\nBinaries\n{binaries}\nEnd\n")
    started = process_time()
    model = read_model(path)
    assert model.columns == tuple(names)
    assert model.value.tolist() == [1.0] * len(names)
    assert process_time() - started < 5


@pytest.mark.long
@pytest.mark.parametrize("suffix", [".mps", ".lp"])
def test_the_text_of_a_model_is_never_in_memory_as_a_whole(suffix: str) -> None:
    columns = 1500
    rows = [
        (f"row{row}", {c: (c * row % 977 + 1) / 8 for c in range(row, columns, 40)}, 0.0, math.inf)
        for row in range(300)
    ]
    names = [f"x{column}" for column in range(columns)]
    model = Model.from_rows(names, rows, [1.0] * columns, integer=np.arange(columns) < 1000)
    size = sum(map(len, model_parts(model, suffix)))  # what the model keeps is there from now on
    tracemalloc.start()
    assert sum(map(len, model_parts(model, suffix))) == size
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 2 * size, peak / size
