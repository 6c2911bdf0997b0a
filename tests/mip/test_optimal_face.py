"""The optimal face of linear programs: against all bases, by known polytopes, limits and lies."""

from __future__ import annotations

import json
import math
import random
from fractions import Fraction
from itertools import combinations, product
from pathlib import Path

import pytest

import calmip
from calmip import InputError, Model
from calmip._base.errors import SolverFailed
from calmip._base.limits import ENDLESS, Deadline
from calmip.cli import main
from calmip.mip import OptimalFace, find_face
from calmip.mip.face import other_point
from calmip.mip.lp.exact_lp import ExactLp, LinearAnswer, exact_model
from calmip.mip.optima import face
from calmip.mip.status import Status

Capture = pytest.CaptureFixture[str]

Point = tuple[Fraction, ...]

LINE = "Minimize\n o: x + y\nSubject To\n c: x + y >= 1\nBounds\n x <= 5\n y <= 5\nEnd\n"


def birkhoff(size: int) -> Model:
    """Return the model of the doubly stochastic matrices, without an objective."""
    cells = list(product(range(size), repeat=2))
    rows = [
        (f"{side}{number}", {n: 1 for n, cell in enumerate(cells) if cell[side] == number}, 1, 1)
        for side in (0, 1)
        for number in range(size)
    ]
    names = [f"x{row},{column}" for row, column in cells]
    return exact_model(names, [(0, math.inf)] * len(cells), [False] * len(cells), rows)


def drawn(seed: int) -> Model:
    """Return a small linear program, some of its columns without bounds."""
    draw = random.Random(seed)
    width = draw.randint(1, 4)
    bounds = [
        draw.choice([(0, math.inf), (0, 2), (-1, 1), (-math.inf, math.inf), (0, 3)])
        for _ in range(width)
    ]
    rows = []
    for number in range(draw.randint(1, 4)):
        terms = {c: draw.choice([-2, -1, 1, 1, 2]) for c in range(width) if draw.random() < 0.8}
        low = draw.choice([-math.inf, -1, 0, 1])
        high = draw.choice([low + 2, low, math.inf]) if low > -math.inf else draw.choice([1, 3])
        rows.append((f"r{number}", terms, low, high))
    cost: dict[int, int | Fraction] = {c: draw.choice([0, 0, 1, -1, 2]) for c in range(width)}
    return exact_model([f"x{c}" for c in range(width)], bounds, [False] * width, rows, cost)


def solved(rows: list[tuple[Point, Fraction]], width: int) -> Point | None:
    """Return the only solution of as many equations as columns; None without one."""
    left = [[*terms, side] for terms, side in rows]
    for column in range(width):
        pivot = next((n for n in range(column, width) if left[n][column]), None)
        if pivot is None:
            return None
        left[column], left[pivot] = left[pivot], left[column]
        left[column] = [x / left[column][column] for x in left[column]]
        for n in range(width):
            if n != column:
                left[n] = [
                    x - left[n][column] * y for x, y in zip(left[n], left[column], strict=True)
                ]
    return tuple(row[-1] for row in left)


def rank(rows: list[list[Fraction]]) -> int:
    """Return the rank of some vectors."""
    left, found = [list(row) for row in rows], 0
    while left:
        row = left.pop()
        place = next((n for n, x in enumerate(row) if x), None)
        if place is None:
            continue
        found += 1
        left = [
            [x - other[place] / row[place] * y for x, y in zip(other, row, strict=True)]
            for other in left
        ]
    return found


def all_vertices(model: Model, best: Fraction) -> set[Point]:
    """Return the optimal vertices by all bases."""
    width = len(model.columns)
    every: list[tuple[Point, Fraction]] = []
    for terms, low, high in model.exact_rows():
        row = tuple(Fraction(terms.get(c, 0)) for c in range(width))
        every += [(row, Fraction(side)) for side in {low, high} if abs(side) < math.inf]
    for column in range(width):
        unit = tuple(Fraction(c == column) for c in range(width))
        every += [(unit, Fraction(x)) for x in model.bounds(column) if abs(x) < math.inf]
    found = set()
    for chosen in combinations(every, width):
        point = solved(list(chosen), width)
        if point is not None:
            values = {c: x for c, x in enumerate(point) if x}
            if model.violated(values) is None and model.exact_objective(values) == best:
                found.add(point)
    return found


def compare(seeds: range) -> dict[str, int]:
    """Compare faces with those of all bases; return how many had what."""
    seen = {"models": 0, "points": 0, "edges": 0, "rays": 0, "lines": 0}
    for seed in seeds:
        model = drawn(seed)
        answer = ExactLp(model).solve()
        if answer.status is not Status.OPTIMAL:
            with pytest.raises(InputError, match="has no optimum"):
                find_face(model)
            continue
        found = find_face(model)
        assert found.complete
        width = range(len(model.columns))
        listed = [tuple(Fraction(one.get(c, 0)) for c in width) for one in found.vertices]
        assert listed == sorted(set(listed)), seed
        assert set(listed) == all_vertices(model, Fraction(answer.cost or 0)), seed
        assert found.unique is (other_point(model, answer.point) is None), seed
        moves = [*found.rays, *found.lines]
        for move, way in [*product(moves, (1,)), *product(found.lines, (-1,))]:
            point = {c: answer.point.get(c, 0) + 9 * way * move.get(c, 0) for c in width}
            assert model.violated(point) is None, seed
            assert model.exact_objective(point) == model.exact_objective(answer.point)
        if listed:
            edges = [[x - y for x, y in zip(one, listed[0], strict=True)] for one in listed[1:]]
            steps = [[Fraction(move.get(c, 0)) for c in width] for move in moves]
            assert rank([*edges, *steps]) == found.dimension, seed
        assert bool(listed) is not bool(found.lines)
        seen["models"] += 1
        seen["points"] += found.unique
        seen["edges"] += len(listed) > 1
        seen["rays"] += bool(found.rays)
        seen["lines"] += bool(found.lines)
    return seen


def test_vertices_of_some_programs_are_those_of_all_bases() -> None:
    """Bounds are equations of a face, too, if the optimum alone makes them tight."""
    assert compare(range(12))["models"] > 2


@pytest.mark.long
def test_vertices_are_those_of_all_bases() -> None:
    assert min(compare(range(150)).values()) > 0


@pytest.mark.long
def test_vertices_of_many_programs_are_those_of_all_bases() -> None:
    assert min(compare(range(150, 3000)).values()) > 10


@pytest.mark.parametrize(("size", "vertices"), [(2, 2), (3, 6), (4, 24), (5, 120)])
def test_doubly_stochastic_matrices_are_mixtures_of_permutations(size: int, vertices: int) -> None:
    found = find_face(birkhoff(size))
    assert (found.dimension, len(found.vertices)) == ((size - 1) ** 2, vertices)
    assert all(sorted(one.values()) == [1] * size for one in found.vertices)


def test_what_is_too_much_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    few = find_face(birkhoff(3), most=5)
    assert (few.complete, few.stopped, few.vertices, few.dimension) == (False, "vertices", (), 4)
    assert str(few).endswith("dimension 4; its vertices are not listed: there are too many")
    assert find_face(birkhoff(3), most=6).complete
    with monkeypatch.context() as patch:  # the rays of a cone on the way
        patch.setattr(face, "RAYS_PER_VERTEX", 1)
        assert find_face(birkhoff(3), most=6).stopped == "vertices"
    monkeypatch.setattr(face, "MAX_STEPS", 3)
    assert find_face(birkhoff(3)).stopped == "vertices"


def test_without_time_the_face_is_not_complete(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(TimeoutError):
        find_face(birkhoff(4), clock=Deadline(1e-9))

    def late(*_: object) -> None:
        raise TimeoutError

    monkeypatch.setattr(face, "_rays", late)
    found = find_face(birkhoff(4))
    assert (found.complete, found.stopped, found.dimension) == (False, "time", 9)
    assert found.vertices == ()


def test_a_clock_that_ends_ends_each_step(monkeypatch: pytest.MonkeyPatch) -> None:
    """Gauss and Jordan may take minutes, such as for a thousand dense equations."""
    over, rows = Deadline(1e-9), [(1, 0, 0), (0, 1, 1), (0, 1, 2)]
    equations = list(map(face._equation, rows))
    with pytest.raises(TimeoutError):
        face._solved(equations, over)
    with pytest.raises(TimeoutError):
        face._kernel(rows, 3, over)
    with pytest.raises(TimeoutError):
        face._simplicial(rows, 3, over)
    simplicial = face._simplicial
    monkeypatch.setattr(face, "_simplicial", lambda *given: simplicial(*given[:2], ENDLESS))
    with pytest.raises(TimeoutError):
        face._rays([(1, 0), (0, 1), (1, -1)], 9, over)
    whole = face._Face(birkhoff(3), {0: 1, 4: 1, 8: 1}, ENDLESS)
    whole.clock = over
    with pytest.raises(TimeoutError):
        whole._reduced_sides({}, {c: c for c in range(9)})


@pytest.mark.parametrize(
    ("status", "error"), [(Status.UNKNOWN, TimeoutError), (Status.INFEASIBLE, SolverFailed)]
)
def test_a_linear_program_without_an_answer_gives_no_face(
    status: Status, error: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ExactLp, "solve", lambda *_: LinearAnswer(status))
    with pytest.raises(error):
        find_face(birkhoff(2), {0: 1, 3: 1})


def test_equations_that_contradict_each_other_are_reported() -> None:
    one = face._Side({0: Fraction(1)}, Fraction(1))
    assert face._solved([one, one], ENDLESS) == {0: ({}, 1)}
    with pytest.raises(SolverFailed, match="contradict each other"):
        face._solved([one, one._replace(side=Fraction(2))], ENDLESS)


def test_a_wrong_ray_is_no_vertex(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(face, "_rays", lambda rows, *_: [(1, *[2] * (len(rows[0]) - 1))])
    with pytest.raises(SolverFailed, match="a vertex of the optimal face is none"):
        find_face(birkhoff(3))


def test_rays_and_lines_have_names(tmp_path: Path) -> None:
    path = tmp_path / "line.lp"
    path.write_text(LINE.replace("x <= 5", "x free").replace("y <= 5", "y free"))
    found = find_face(calmip.read_model(path))
    assert (found.vertices, found.lines) == ((), ({0: 1, 1: -1},))
    assert "<p>line 1: x=1 y=-1</p>" in found._repr_html_()
    assert str(found) == "the optimal face has dimension 1, 0 vertices, 1 line"
    path.write_text(LINE.replace("x <= 5", "y >= 0").replace("y <= 5", "x >= -infinity"))
    found = find_face(calmip.read_model(path))
    assert (found.vertices, found.rays) == (({0: 1},), ({0: -1, 1: 1},))
    assert "<p>ray 1: x=-1 y=1</p>" in found._repr_html_()


def test_integer_columns_are_fixed_at_the_values_of_a_point(tmp_path: Path) -> None:
    path = tmp_path / "mixed.lp"
    path.write_text(LINE.replace("+ y >=", "+ y - z >=").replace("End", "Binary\n z\nEnd"))
    model = calmip.read_model(path)
    with pytest.raises(InputError, match="the model has integer columns"):
        find_face(model)
    with pytest.raises(InputError, match="does not satisfy"):
        find_face(model, {})
    for point in ({0: 1}, {0: 1, 1: 0, 2: 0}):
        assert find_face(model, point).vertices == ({1: 1}, {0: 1})
    assert find_face(model, {1: 2, 2: 1}).vertices == ({1: 2, 2: 1}, {0: 2, 2: 1})


def test_the_command_lists_vertices(
    tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "line.lp"
    path.write_text(LINE)
    assert main(["unique", str(path), "--vertices"]) == 1
    assert capsys.readouterr().out.splitlines()[2:-1] == [
        "vertex 1: y=1",
        "vertex 2: x=1",
        "the optimal face has dimension 1, 2 vertices",
    ]
    assert main(["unique", str(path), "--vertices", "--format", "json"]) == 1
    told = json.loads(capsys.readouterr().out)["face"]
    assert (told["dimension"], len(told["vertices"]), told["rays"]) == (1, 2, [])
    assert main(["unique", str(path), "--vertices", "--format", "csv"]) == 1
    assert capsys.readouterr().out.split() == ["objective,x,y", "1,0,1", "1,1,0"]
    assert main(["unique", "instances/tiny.yaml", "--vertices"]) == 2
    assert "--vertices goes with a model only" in capsys.readouterr().err
    assert main(["unique", str(path), "--vertices", "--ranges"]) == 2
    capsys.readouterr()
    monkeypatch.setattr(face, "MAX_STEPS", -1)
    assert main(["unique", str(path), "--vertices"]) == 3
    assert "its vertices are not listed: there are too many\n" in capsys.readouterr().out

    def late(*_: object, **__: object) -> None:
        raise TimeoutError

    monkeypatch.setattr("calmip.mip.optima.face.find_face", late)
    capsys.readouterr()
    assert main(["unique", str(path), "--vertices"]) == 3
    assert "time limit reached: the list is not complete" in capsys.readouterr().out


def test_columns_of_a_vertex_are_in_their_order(tmp_path: Path) -> None:
    path = tmp_path / "mixed.lp"
    names = [f"x{number}" for number in range(20)]
    path.write_text(
        f"Minimize\n o: {' + '.join(names)}\nSubject To\n c: x10 + x3 >= 1\n"
        f"{''.join(f' {name}: {name} >= 1{chr(10)}' for name in names[::-2])}"
        f"Generals\n {' '.join(names[5:])}\nEnd\n"
    )
    found = calmip.unique(calmip.read_model(path), vertices=True).face
    assert isinstance(found, OptimalFace)
    assert len(found.vertices) == 1
    assert all(list(one) == sorted(one) for one in found.vertices)


def test_without_an_objective_it_is_the_feasible_set(tmp_path: Path, capsys: Capture) -> None:
    path = tmp_path / "line.lp"
    path.write_text(LINE)
    assert main(["unique", str(path), "--vertices", "--ignore-objective"]) == 1
    assert "the feasible set has dimension 2, 5 vertices" in capsys.readouterr().out
    assert main(["unique", str(path), "--vertices", "--ignore-objective", "--format", "csv"]) == 1
    assert len(capsys.readouterr().out.splitlines()) == 6


def test_a_notebook_shows_the_vertices(tmp_path: Path) -> None:
    path = tmp_path / "line.lp"
    path.write_text(LINE)
    found = find_face(calmip.read_model(path))
    assert isinstance(found, OptimalFace)
    assert "<p>vertex 1: y=1</p>" in found._repr_html_()
    assert repr(found) == "<OptimalFace: the optimal face has dimension 1, 2 vertices>"


@pytest.mark.parametrize(
    ("status", "fault", "words"),
    [
        (Status.UNKNOWN, TimeoutError, "late"),
        (Status.INFEASIBLE, SolverFailed, "exact searches disagree"),
    ],
)
def test_a_linear_program_that_does_not_answer_or_lies_gives_no_face(
    status: Status, fault: type[Exception], words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = birkhoff(3)
    point = {0: 1, 4: 1, 8: 1}
    assert find_face(model, point).complete
    answer = LinearAnswer(status, {}, reason="late")
    monkeypatch.setattr(ExactLp, "solve", lambda *_, **__: answer)
    with pytest.raises(fault, match=words):
        find_face(model, point)
