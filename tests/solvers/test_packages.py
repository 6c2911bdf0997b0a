"""What packages of solvers answer, in this process: fake packages say each word, and lie."""

from __future__ import annotations

import itertools
import json
import math
import sys
from pathlib import Path
from random import Random
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from requirements import need_package

from calmip import solvers
from calmip._base.errors import SolverFailed, SolverMissing
from calmip._base.limits import Limits
from calmip.mip.rows import Row
from calmip.mip.status import Status
from calmip.processes import NO_PROCESSES, Ended
from calmip.solvers import base, packages
from calmip.solvers.packages import (
    MAX_COEFFICIENT,
    Z3,
    Cpsat,
    Gurobi,
    Package,
    Scip,
    _parse,
    _z3_row,
)

BINARY = "Minimize\n obj: x + y\nSubject To\n r: x + y >= 1\nBinaries\n x y\nEnd\n"


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "m.lp"
    path.write_text(BINARY)
    return path


def loaded(monkeypatch: pytest.MonkeyPatch, kind: type[packages.Package], package: Any) -> Any:
    """Return a solver whose package is another."""
    monkeypatch.setattr(kind, "load", lambda _: package)
    return kind()


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("Binaries\n x y", "Binaries\n x", "variable y is continuous"),
        ("Binaries\n x y", "Generals\n x y", "variable x is an integer without bounds"),
        ("Binaries", "Bounds\n x >= -inf\n y <= 3\nGenerals", "x is an integer without bounds"),
    ],
)
def test_cpsat_refuses_what_it_would_round(
    old: str, new: str, fault: str, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file.write_text(BINARY.replace(old, new))
    with pytest.raises(base.KindRefused, match=fault):
        loaded(monkeypatch, Cpsat, None).work(file, Limits())


class CpsatPackage:
    """A package as OR-tools has it: what it reads, and what it says, is given."""

    def __init__(self, word: str, *, read: bool = True, size: tuple[int, int] = (2, 1)) -> None:
        self.word, self.read, self.hints = word, read, dict[str, int]()
        self.num_variables, self.num_constraints = size
        self.values, self.best_objective_bound, self.seconds = {"x": 1.0, "y": 0.0}, 1.0, 0.0

    def Model(self) -> CpsatPackage:  # noqa: N802
        return self

    def Solver(self, _: str) -> CpsatPackage:  # noqa: N802
        return self

    def import_from_mps_file(self, path: str) -> bool:
        assert Path(path).read_text().startswith("NAME")
        return self.read

    def get_variables(self) -> list[Any]:
        return [SimpleNamespace(name=name) for name in self.values]

    def add_hint(self, variable: Any, value: int) -> None:
        self.hints[variable.name] = value

    def enable_output(self, shown: bool) -> None:
        self.shown = shown

    def set_time_limit_in_seconds(self, seconds: float) -> None:
        self.seconds = seconds

    def set_solver_specific_parameters(self, text: str) -> None:
        self.parameters = text

    def solve(self, _: object) -> Any:
        return SimpleNamespace(name=self.word)

    def value(self, variable: Any) -> float:
        return self.values[variable.name]


@pytest.mark.parametrize(
    ("word", "status", "values"),
    [
        ("OPTIMAL", Status.OPTIMAL, {"x": 1.0}),
        ("FEASIBLE", Status.FEASIBLE, {"x": 1.0}),
        ("INFEASIBLE", Status.INFEASIBLE, {}),
        ("NOT_SOLVED", Status.UNKNOWN, {}),
    ],
)
def test_cpsat_says_what_its_word_means(
    word: str, status: Status, values: Any, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = CpsatPackage(word)
    limits = Limits(9.0, 5, 1, None, ("x",), (("cp_model_presolve", "0"),))
    found = loaded(monkeypatch, Cpsat, package).work(file, limits)
    assert (found.status, found.values) == (status, values)
    assert found.bound == (1.0 if values else None)
    assert (package.hints, package.shown) == ({"x": 1, "y": 0}, False)
    assert 5 < package.seconds <= 9
    assert package.parameters == "num_workers:1 random_seed:5 cp_model_presolve:0"
    package = CpsatPackage("OPTIMAL")
    package.values["x"] = 0.0  # of a point without ones no bound is told
    found = loaded(monkeypatch, Cpsat, package).work(file, Limits(log=print))
    assert (found.status, found.values, found.bound) == (Status.OPTIMAL, {}, None)
    assert (package.hints, package.shown) == ({}, True)


@pytest.mark.parametrize(
    ("package", "error", "fault"),
    [
        (CpsatPackage("OPTIMAL", read=False), SolverFailed, "cannot read m.lp"),
        (CpsatPackage("OPTIMAL", size=(2, 0)), SolverFailed, r"CP-SAT read \[2, 0\] columns"),
        (CpsatPackage("OPTIMAL", size=(3, 1)), SolverFailed, r"CP-SAT read \[3, 1\] columns"),
        (
            CpsatPackage("INVALID_SOLVER_PARAMETERS"),
            base.OptionUnknown,
            "does not know these options",
        ),
        (CpsatPackage("MODEL_INVALID"), SolverFailed, "the status 'MODEL_INVALID'"),
    ],
)
def test_cpsat_that_read_another_model_has_no_answer(
    package: Any, error: type[Exception], fault: str, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(error, match=fault):
        loaded(monkeypatch, Cpsat, package).work(file, Limits())


@pytest.mark.parametrize("bounded", [False, True])
@pytest.mark.parametrize(
    ("word", "number", "status"),
    [
        ("optimal", 1, Status.OPTIMAL),
        ("timelimit", 1, Status.FEASIBLE),
        ("timelimit", 0, Status.UNKNOWN),
        ("infeasible", 0, Status.INFEASIBLE),
        ("inforunbd", 0, None),
        ("unbounded", 0, Status.UNBOUNDED),
    ],
)
def test_scip_and_gurobi_say_what_their_words_mean(
    word: str,
    number: int,
    status: Status | None,
    bounded: bool,
    file: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    wanted = status or (Status.INFEASIBLE if bounded else Status.UNKNOWN)
    end = 3.0 if bounded else 1e20
    x = SimpleNamespace(
        name="x",
        getLbOriginal=lambda: 0.0,
        getUbOriginal=lambda: end,
        VarName="x",
        X=2.0,
        VType="I",
        LB=0.0,
        UB=end,
    )
    scip = SimpleNamespace(
        hideOutput=lambda: None,
        readProblem=lambda _: None,
        setParam=lambda *_: None,
        optimize=lambda: None,
        getDualbound=lambda: end,
        getNSols=lambda: number,
        getBestSol=lambda: None,
        getSolVal=lambda *_: 2.0,
        getVars=lambda **_: [x],
        infinity=lambda: 1e20,
        getStatus=lambda: word,
        getNTotalNodes=lambda: 7,
    )
    package = SimpleNamespace(Model=lambda: scip)
    found = loaded(monkeypatch, Scip, package).work(file, Limits())
    values = {"x": 2.0} if number else {}
    bound = end if bounded and status in (Status.OPTIMAL, Status.FEASIBLE) else None
    assert (found.status, found.values) == (wanted, values)
    assert status in (Status.UNKNOWN, None) or found.bound == bound
    # Gurobi adds a slack to a row with a range: its value is none of the model's.
    slack = SimpleNamespace(VarName="MPS_Rgr", X=5.0, VType="C", LB=0.0, UB=1.0)
    names = {"timelimit": "TIME_LIMIT", "inforunbd": "INF_OR_UNBD"}
    codes = SimpleNamespace(
        **{
            name: place
            for place, name in enumerate(
                ("OPTIMAL", "INFEASIBLE", "INF_OR_UNBD", "UNBOUNDED", "TIME_LIMIT")
            )
        }
    )
    problem = SimpleNamespace(
        Status=getattr(codes, names.get(word, word.upper())),
        ObjBound=end,
        SolCount=number,
        getConstrs=lambda: [SimpleNamespace(ConstrName="r")],
        getVars=lambda: [x, slack],
        NodeCount=7.0,
    )
    grb: Any = SimpleNamespace(GRB=SimpleNamespace(Status=codes, INFINITY=1e20))
    found = packages._gurobi_outcome(problem, grb)
    assert (found.status, found.values) == (wanted, values)
    assert status in (Status.UNKNOWN, None) or found.bound == bound


def test_scip_that_cannot_read_a_model_has_no_answer(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(_: str) -> None:
        raise OSError("file not found")

    package = SimpleNamespace(
        Model=lambda: SimpleNamespace(hideOutput=lambda: None, readProblem=fails)
    )
    with pytest.raises(SolverFailed, match=r"SCIP cannot read m\.lp: file not found"):
        loaded(monkeypatch, Scip, package).work(file, Limits())


@pytest.mark.parametrize(("number", "error"), [(10009, base.ModelRefused), (10003, SolverFailed)])
def test_a_licence_of_gurobi_is_told_from_other_errors(
    number: int, error: type[Exception], file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class GurobiError(Exception):
        errno = number

    def fails(**_: object) -> None:
        raise GurobiError("no")

    package = SimpleNamespace(Env=fails, GurobiError=GurobiError)
    with pytest.raises(error) as raised:
        loaded(monkeypatch, Gurobi, package).work(file, Limits())
    assert type(raised.value) is error
    assert ("upgrade gurobipy" in str(raised.value)) is (number == 10009)


@pytest.mark.parametrize(
    ("text", "now", "value"),
    [("TRUE", False, True), ("false", True, False), ("x", "y", "x"), ("3", 1, 3), ("3", 1.0, 3.0)],
)
def test_options_have_the_type_that_they_had(text: str, now: Any, value: Any) -> None:
    assert (_parse(text, now), type(_parse(text, now))) == (value, type(value))
    with pytest.raises(ValueError, match="it is true or false"):
        _parse("1", True)


@pytest.mark.parametrize(
    ("word", "reason", "status"),
    [
        ("sat", "", Status.OPTIMAL),
        ("unsat", "", Status.INFEASIBLE),
        ("unknown", "timeout", Status.UNKNOWN),
        ("unknown", "sat.canceled", Status.UNKNOWN),
        ("unknown", "incomplete", None),
    ],
)
def test_z3_says_what_its_word_means(
    word: str, reason: str, status: Status | None, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[object] = []
    solver = SimpleNamespace(
        minimize=lambda _: calls.append("minimise"),
        set=lambda name, value: calls.append((name, 0 < value <= 50_000)),
        add=lambda *_: None,
        check=lambda: word,
        model=lambda: {"x": True, "y": False},
        reason_unknown=lambda: reason,
    )

    def made(kind: str) -> Any:
        calls.append(kind)
        return solver

    package = SimpleNamespace(
        Bool=str,
        set_param=lambda *_: None,
        Optimize=lambda: made("Optimize"),
        Solver=lambda: made("Solver"),
        Sum=sum,
        sat="sat",
        unsat="unsat",
        If=lambda *_: 0,
        Q=lambda *_: 0,
        PbGe=lambda *_: 0,
    )
    solve = loaded(monkeypatch, Z3, package).work
    if status is None:
        with pytest.raises(SolverFailed, match="Z3 gave up: incomplete"):
            solve(file, Limits(50.0))
    else:
        found = solve(file, Limits(50.0))
        assert (found.status, found.values) == (status, {"x": 1.0} if word == "sat" else {})
        assert calls == ["Optimize", "minimise", ("timeout", True)]
        calls.clear()
        file.write_text(BINARY.replace("x + y\nSubject", "\nSubject"))
        assert (solve(file, Limits()).status, calls) == (status, ["Solver"])


@pytest.mark.long
def test_rows_of_z3_are_those_of_the_model() -> None:
    """With numbers of more than 32 bits, too, which its pseudo-Boolean constraints wrap."""
    z3: Any = need_package("z3")
    x = [z3.Bool(name) for name in "xyz"]
    large = [MAX_COEFFICIENT, -MAX_COEFFICIENT, 2 * MAX_COEFFICIENT, MAX_COEFFICIENT - 1]
    for seed in range(40):
        draw = Random(seed)
        numbers = [-2, -1, 1, 2, 3] + (large if seed % 2 else [])
        terms = {column: draw.choice(numbers) for column in range(3) if draw.random() < 0.8}
        low: float = draw.choice([-1, 0, 1, -math.inf, *(large if seed % 4 == 1 else [])])
        high: float = draw.choice([low if math.isfinite(low) else 1, 2, math.inf, 0])
        rows = z3.And(*_z3_row(z3, x, Row(terms, low, high)))
        for values in itertools.product((False, True), repeat=3):
            given = [(one, z3.BoolVal(value)) for one, value in zip(x, values, strict=True)]
            solver = z3.Solver()
            solver.add(z3.substitute(rows, *given))
            total = sum(a for column, a in terms.items() if values[column])
            assert (solver.check() == z3.sat) is (low <= total <= high), (seed, values)
    for low, high in itertools.product((-math.inf, -1, 0, 1), (-1, 0, 1, math.inf)):
        (only,) = _z3_row(z3, x, Row({}, low, high))
        assert z3.is_true(only) is (low <= 0 <= high)


def test_a_row_of_no_columns_or_with_crossed_sides_is_a_truth_value() -> None:
    z3 = SimpleNamespace(BoolVal=lambda truth: ("is", truth))
    ends = (-math.inf, -2, -1, 0, 1, 2, math.inf)
    for low, high in itertools.product(ends, ends):
        assert _z3_row(z3, [], Row({}, low, high)) == [("is", low <= 0 <= high)]
        if low > high:
            assert _z3_row(z3, ["x"], Row({0: 1}, low, high)) == [("is", False)]


def test_rows_of_z3_hold_numbers_that_its_constraints_can() -> None:
    """They are true where the row is; a package that checks its numbers stands for Z3's."""

    def small(total: list[tuple[bool, int]], end: float) -> int:
        assert all(abs(number) < MAX_COEFFICIENT for number in (end, *(a for _, a in total)))
        return sum(a for one, a in total if one)

    z3 = SimpleNamespace(
        PbEq=lambda terms, end: small(terms, end) == end,
        PbGe=lambda terms, end: small(terms, end) >= end,
        PbLe=lambda terms, end: small(terms, end) <= end,
        BoolVal=bool,
        IntVal=int,
        If=lambda one, value, other: value if one else other,
        Sum=sum,
    )
    least, most = -MAX_COEFFICIENT, MAX_COEFFICIENT
    numbers = (least, least + 1, -1, 1, most - 1, most)
    ends = (least, least + 1, -1, 0, 1, most - 1, most)
    for pair in itertools.product(numbers, numbers):
        for x in itertools.product((False, True), repeat=2):
            total = sum(itertools.compress(pair, x))
            for low, high in itertools.product((-math.inf, *ends), (*ends, math.inf)):
                rows = _z3_row(z3, list(x), Row(dict(enumerate(pair)), low, high))
                assert all(rows) is (low <= total <= high), (pair, x, low, high)
                assert all(type(row) is bool for row in rows)


def test_z3_refuses_an_option_that_it_does_not_know(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Z3Exception(Exception):
        pass

    def set_param(name: str, _: object) -> None:
        if name == "colour":
            raise Z3Exception("unknown parameter")

    package = SimpleNamespace(Bool=str, set_param=set_param, Z3Exception=Z3Exception)
    with pytest.raises(base.OptionUnknown, match="colour"):
        loaded(monkeypatch, Z3, package).work(file, Limits(options=(("colour", "red"),)))


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        (Scip, "pyscipopt"),
        (Cpsat, "ortools.linear_solver.python.model_builder"),
        (Gurobi, "gurobipy"),
        (Z3, "z3"),
    ],
)
def test_a_package_is_loaded_by_its_name(
    kind: type[Package], name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    above: Any = None
    words = name.split(".")
    for number in range(1, len(words) + 1):
        module = ModuleType(".".join(words[:number]))
        monkeypatch.setitem(sys.modules, module.__name__, module)
        if above:
            setattr(above, words[number - 1], module)
        above = module
    assert kind().load() is above


class Fake(Package):
    """A solver whose child is not started: what it would answer is given."""

    name, package = "fake", "fake-package"
    found: str | None = "here"

    def load(self) -> Any:
        raise AssertionError("the package is loaded in the child")

    def work(self, model: Path, limits: Limits) -> base.Outcome:
        raise AssertionError("and so is the model solved")

    def availability(self) -> base.Availability:
        return base.Availability(self.found, None, "get it")


class Child:
    """What would run a child: it keeps its task, and leaves an answer."""

    def __init__(self, answer: bytes | None, ended: Ended) -> None:
        self.answer, self.ended = answer, ended
        self.task: dict[str, Any] = {}
        self.seconds: float | None = None

    def __call__(
        self, _: object, *, folder: Path, seconds: float | None, log: object = None
    ) -> Ended:
        self.task = json.loads((folder / "task.json").read_text())
        assert self.task["log"] is (log is not None)
        self.seconds = seconds
        if self.answer is not None:
            (folder / "answer.json").write_bytes(self.answer)
        return self.ended


GOOD = {"status": "optimal", "values": {"x": 1, "y": 0.5}, "detail": "done"}


@pytest.fixture
def child(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return a function that plants a child, which has answered and ended."""

    def plant(answer: object, status: int | None = 0, tail: str = "") -> Child:
        text = answer if isinstance(answer, bytes | None) else json.dumps(answer).encode()
        made = Child(text, Ended(status, tail))
        monkeypatch.setattr(packages, "run", made)
        return made

    return plant


@pytest.mark.parametrize("status", [0, 1, -11])
@pytest.mark.parametrize(
    ("more", "nodes", "bound", "startup"),
    [
        ({}, None, None, (0.0, 0.0)),
        ({"nodes": None, "bound": None}, None, None, (0.0, 0.0)),
        ({"nodes": 7, "bound": -2, "startup": [0.5, 0.25]}, 7, -2.0, (0.5, 0.25)),
    ],
)
def test_what_a_child_answers_is_the_outcome(
    more: dict[str, Any],
    nodes: int | None,
    bound: float | None,
    startup: tuple[float, float],
    status: int,
    child: Any,
    file: Path,
) -> None:
    """A complete answer counts, even if the child crashed afterwards."""
    child(GOOD | more, status)
    values = {"x": 1.0, "y": 0.5}
    wanted = base.Outcome(Status.OPTIMAL, values, "done", nodes, bound, startup)
    assert Fake().solve(file, Limits()) == wanted


def test_a_child_knows_the_limits_and_has_a_while_longer(child: Any, file: Path) -> None:
    told = child(GOOD)
    Fake().solve(file, Limits(log=print))
    assert (told.seconds, told.task["seconds"], told.task["log"]) == (None, None, True)
    limits = Limits(50.0, startup=3.0)
    Fake().solve(file, limits)
    assert told.task["log"] is False
    assert limits.patience is not None
    assert 50.0 < told.seconds <= limits.patience + 3.0 + 1.0
    assert told.seconds > limits.patience + 2.5
    # One that does not end at its limit is killed, and says nothing of the model.
    child(None, None)
    assert Fake().solve(file, limits) == base.Outcome(Status.UNKNOWN, detail=base.KILLED)


def test_an_answer_has_the_length_that_its_model_allows(child: Any, file: Path) -> None:
    most = base.answer_bytes(file)
    text = json.dumps(GOOD).encode().ljust(most)
    child(text)
    assert Fake().solve(file, Limits()).status is Status.OPTIMAL
    child(text + b" ")
    with pytest.raises(SolverFailed, match=f"fake's answer is larger than {most:,} bytes"):
        Fake().solve(file, Limits())


@pytest.mark.parametrize(
    ("answer", "error", "fault"),
    [
        (None, SolverFailed, "fake ended with exit status 3 and without an answer; its last line"),
        (b'{"status": "opt', SolverFailed, "fake's answer is cut or garbled; its last line: 'oh'"),
        (b"[" * 100_000, SolverFailed, "fake's answer is cut or garbled"),
        ([1, 2], SolverFailed, "fake's answer is cut or garbled"),
        ({"missing": "no module"}, SolverMissing, r"fake cannot be used \(no module\); get it"),
        ({"memory": "the solver had no more memory"}, SolverFailed, "^the solver had no more"),
        ({"option": "it knows no colour"}, base.OptionUnknown, "^it knows no colour$"),
        ({"unfit": "it is too large"}, base.ModelRefused, "^it is too large$"),
        ({"failed": "it broke"}, SolverFailed, "^it broke$"),
        ({}, SolverFailed, "is not a status, a word and values by name"),
        (GOOD | {"status": "splendid"}, SolverFailed, "is not a status"),
        (GOOD | {"values": [1]}, SolverFailed, "is not a status"),
        (GOOD | {"values": {"x": None}}, SolverFailed, "is not a status"),
        (GOOD | {"nodes": "many"}, SolverFailed, "is not a status"),
        (GOOD | {"bound": []}, SolverFailed, "is not a status"),
        (GOOD | {"startup": [1]}, SolverFailed, "is not a status"),
        (GOOD | {"values": {"x": math.nan}}, SolverFailed, "says 'done', but x has the value nan"),
        (GOOD | {"values": {"y": math.inf}}, SolverFailed, "but y has the value inf"),
    ],
)
def test_a_wrong_answer_of_a_child_is_no_outcome(
    answer: object, error: type[Exception], fault: str, child: Any, file: Path
) -> None:
    child(answer, 3, "ah\noh\n")
    with pytest.raises(error, match=fault) as raised:
        Fake().solve(file, Limits())
    assert type(raised.value) is error


def test_a_package_that_is_not_there_is_not_run(
    file: Path, child: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = child(GOOD)
    monkeypatch.setattr(Fake, "found", None)
    with pytest.raises(SolverMissing, match="fake was not found; get it"):
        Fake().solve(file, Limits())
    assert not told.task
    monkeypatch.setattr(packages, "package_availability", lambda *given: given)
    wanted: object = ("fake-package", "pip install 'calmip[fake]'")
    assert Package.availability(Fake()) == wanted
    monkeypatch.setattr(packages, "processes_are_here", lambda: False)
    assert Package.availability(Fake()) == base.Availability(None, None, NO_PROCESSES)


def offered(made: Any, name: str = "mine") -> Any:
    """Return the entry point of another package's solver; what it returns is marked."""
    return SimpleNamespace(
        name=name,
        load=lambda: made,
        call=lambda work, *given: work(*given),
        expect=lambda value, kind: (value, kind),
        fault=SolverMissing,
        about="",
    )


def test_a_solver_of_another_package_answers_through_its_entry_point() -> None:
    """So a fault of its code, or an answer of another kind, names the package."""
    own = SimpleNamespace(
        name="mine",
        availability=lambda: "here",
        solve=lambda *given: given,
        starts=1,
        exact={"a": 1},
    )
    found: Any = solvers._Foreign(offered(lambda: own))
    assert (found.name, found.starts, found.unused, found.loads) == ("mine", True, (), False)
    assert (found.exact, found.tuned) == ({"a": 1}, {})
    assert found.availability() == ("here", base.Availability)
    path, limits = Path("m.lp"), Limits()
    assert found.solve(path, limits) == ((path, limits), base.Outcome)
    for gone, words in (("solve", "has no method solve"), ("availability", "method availability")):
        other = SimpleNamespace(**{key: one for key, one in vars(own).items() if key != gone})
        with pytest.raises(SolverMissing, match=f"not a solver: .*{words}"):
            solvers._Foreign(offered(lambda other=other: other))
    with pytest.raises(SolverMissing, match="its name is another"):
        solvers._Foreign(offered(lambda: own, "yours"))

    def fails() -> None:
        raise SolverFailed("no licence")

    with pytest.raises(SolverMissing, match="no licence"):
        solvers._Foreign(offered(fails))


@pytest.mark.parametrize(
    ("kind", "words"), [("Generals", "is an integer from 0 on"), ("Binaries", "")]
)
def test_a_solver_of_binary_models_refuses_another(
    kind: str, words: str, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file.write_text(BINARY.replace("Binaries", kind))
    if words:
        with pytest.raises(base.KindRefused, match=r"Z3 needs binary .*; use another solver$"):
            base.read_binary(file, "Z3")
    else:
        assert base.read_binary(file, "Z3").columns == ("x", "y")
