"""A campaign's verdicts: whatever a solver says of a small model, brute force knows better."""

import itertools
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_models import KNAPSACK, models

from calmip._base.errors import InputError, SolverFailed, SolverMissing
from calmip._base.limits import ENDLESS
from calmip.bench.campaign.jobs import FILE, STATUSES, Question, Witness, judge_run
from calmip.bench.campaign.runner import work
from calmip.mip.files.mps import mps_text
from calmip.mip.model import Model
from calmip.mip.status import Status
from calmip.puzzle.cover import ExactCover
from calmip.puzzle.documents.reader import read_instance
from calmip.puzzle.search.exact_cover.search import solutions
from calmip.puzzle.tasks import verdicts
from calmip.puzzle.tiling import Tiling
from calmip.solvers import Outcome
from calmip.solvers.base import KILLED, KindRefused, ModelRefused, OptionUnknown
from calmip.solvers.highs import Highs
from calmip.solvers.verdicts import Evidence, Standing, falls_short, judge_model

SECONDS = 20.0


def ended(answer: dict[str, Any] | None, **how: Any) -> dict[str, Any]:
    """Return what a run of a second comes back with."""
    told = None if answer is None else {"detail": "so it says", **answer}
    return {"answer": told, "killed": None, "status": 0, "output": "", "wall": 1.0} | how


def problem_of(model: Model, **known: Any) -> Question:
    return Question("m", FILE, "solve", ".mps", mps_text(model).encode(), **known)


def verdict(problem: Question, answer: dict[str, Any] | None, **how: Any) -> tuple[Any, ...]:
    found = judge_run(problem, "liar", SECONDS, ended(answer, **how))
    assert found["status"] in STATUSES
    return found["status"], found["correct"], found["objective"]


@pytest.fixture(scope="module", autouse=True)
def _patient() -> Iterator[None]:
    """Give the witness as long as a busy machine may need for a few columns."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("calmip.mip.independent_search.WITNESS_SECONDS", 60.0)
        yield


def test_a_solution_of_all_zeros_refutes_a_file_that_says_infeasible() -> None:
    model = Model.from_rows(["x"], [("row", {0: 1.0}, 0.0, 1.0)])
    problem = problem_of(model, known=("inf", None), source="known.solu")
    assert verdict(problem, {"status": Status.INFEASIBLE, "values": {}})[:2] == ("wrong", False)
    assert problem.evidence.doubt.startswith("known.solu says =inf=, but a checked solution")


@pytest.mark.long
@settings(max_examples=150, deadline=None)
@given(
    model=models(),
    claim=st.sampled_from(list(Status)),
    data=st.data(),
    word=st.sampled_from(["", "opt", "best", "feas", "inf", "unkn"]),
    told=st.integers(-6, 6),
)
def test_a_claim_about_a_small_model(
    model: Model, claim: Status, data: st.DataObject, word: str, told: int
) -> None:
    """Whatever a solver and a .solu file say, true or false: the verdict is that of brute force."""
    points = [
        tuple(itertools.compress(range(len(model.columns)), point))
        for point in itertools.product((0, 1), repeat=len(model.columns))
    ]
    worth = {p: model.objective(p) for p in points if model.violated(p) is None}
    best = min(worth.values(), default=None)
    known = (word, float(told) if word in ("opt", "best") else None) if word else None
    chosen = data.draw(st.sampled_from(points))
    value = worth.get(chosen)
    values = {model.columns[column]: 1.0 for column in chosen}
    problem = problem_of(model, known=known, source="known.solu")
    status, correct, objective = verdict(problem, {"status": claim, "values": values})
    pointed = claim in (Status.OPTIMAL, Status.FEASIBLE)
    if claim is Status.INFEASIBLE:
        expected = "solved" if best is None else "wrong"
    elif claim is Status.UNBOUNDED or (pointed and value is None):
        expected = "wrong"
    elif claim is Status.OPTIMAL or (pointed and not model.cost.any()):
        expected = "solved" if value == best else "wrong"
    else:
        reached = claim is Status.FEASIBLE and word == "opt" and value == told
        expected = "solved" if reached else "unknown"
    assert (status, correct) == (expected, {"solved": True, "wrong": False}.get(status))
    assert objective == (value if pointed and status != "wrong" else None)
    feasible = best is not None
    true = {
        "opt": best == told,
        "best": feasible and best <= told,
        "feas": feasible,
        "inf": not feasible,
    }.get(word, True)
    doubt = problem.evidence.doubt
    assert not (true and doubt)
    assert not doubt or doubt.startswith(f"known.solu says ={word}=")
    if (
        claim is Status.INFEASIBLE
        and (best is None) != (word == "inf")
        and word not in ("", "unkn")
    ):
        assert doubt
    elif claim is Status.OPTIMAL and status == "solved" and word == "opt" and model.cost.any():
        assert bool(doubt) == (value != told)


@pytest.mark.long
@settings(max_examples=60)
@given(
    model=models(),
    claims=st.lists(
        st.tuples(st.sampled_from(["optimal", "feasible", "infeasible"]), st.integers(0, 31)),
        min_size=1,
        max_size=3,
    ),
    word=st.sampled_from(["", "opt", "best", "feas", "inf", "unkn"]),
    off=st.integers(-2, 2),
    decides=st.booleans(),
)
def test_a_claim_is_judged_by_a_witness_or_else_by_a_file(
    model: Model, claims: list[tuple[str, int]], word: str, off: int, *, decides: bool
) -> None:
    """A witness that decides is right whatever a file says; without it, a true file is."""
    points = list(itertools.product((0, 1), repeat=len(model.columns)))
    costs = model.costs
    cost_of = {
        point: sum(cost * point[c] for c, cost in costs.items())
        for point in points
        if model.violated(tuple(itertools.compress(range(len(point)), point))) is None
    }
    least = min(cost_of.values(), default=None)
    best = None if least is None else float(-least if model.maximise else least)
    given = None if best is None or word not in ("opt", "best") else best + off
    true = {"opt": best is not None and not off, "best": best is not None and off >= 0}
    true |= {"feas": best is not None, "inf": best is None}

    def find(_: Model, *__: object, most: float | None = None) -> tuple[bool | None, object]:
        there = [one for one, cost in cost_of.items() if most is None or cost <= most]
        if not decides:
            return None, {}
        return bool(there), dict(enumerate(there[-1])) if there else {}

    evidence = Evidence(model, lambda: ENDLESS, (word, given) if word else None, "known.solu")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("calmip.mip.independent_search.find", find)
        for status, number in claims:
            point = points[number % len(points)]
            values = {name: 1.0 for name, x in zip(model.columns, point, strict=True) if x}
            found = judge_model(evidence, Outcome(Status(status), values, "so"), "liar")
            cost = cost_of.get(point)
            right = cost is not None and (status == "feasible" or not costs or cost == least)
            right = right if status != "infeasible" else least is None
            if decides:
                assert found.standing is (Standing.VERIFIED if right else Standing.REFUTED)
            elif found.standing is Standing.VERIFIED:
                assert right or not true.get(word, True)
            elif found.standing is Standing.REFUTED:
                assert not right or not true.get(word, True)
            else:
                assert status != "feasible"
                assert cost is not None or status == "infeasible"
                deciding = {"opt", "inf", "feas"} if status == "infeasible" else {"opt", "inf"}
                assert not true.get(word, False) or word not in deciding or right
                assert not (right and true.get(word, False) and word in {"opt", "inf"})
            assert not (evidence.doubt and true.get(word, True))
            assert evidence.reached(float("inf" if not model.maximise else "-inf")) is False


@pytest.mark.parametrize("there", [True, False, None])
@pytest.mark.parametrize("status", ["unbounded", "optimal", "infeasible", "unknown"])
def test_unbounded_needs_a_ray_and_a_solution(
    monkeypatch: pytest.MonkeyPatch, status: str, there: bool | None
) -> None:
    model = Model.from_rows(["x"], [("row", {0: 1.0}, 0.0, 1.0)], [-1.0])
    evidence = Evidence(model, lambda: ENDLESS)
    evidence.__dict__["relaxed"] = SimpleNamespace(status=Status(status), point=[1])
    monkeypatch.setattr("calmip.mip.independent_search.find", lambda *_, **__: (there, {}))
    found = judge_model(evidence, Outcome(Status.UNBOUNDED, detail="so"), "liar")
    by_ray = {True: Standing.VERIFIED, False: Standing.REFUTED, None: Standing.UNVERIFIED}
    other = Standing.UNVERIFIED if status == "unknown" else Standing.REFUTED
    assert found.standing is (by_ray[there] if status == "unbounded" else other)
    proved = found.standing is Standing.VERIFIED
    assert found.status is (Status.UNBOUNDED if proved else Status.UNKNOWN)
    assert proved or found.reason.startswith("liar says 'so', but ")


@pytest.mark.parametrize(("optimum", "right"), [(1.0, True), (2.0, False), (1.0 + 1e-8, True)])
def test_an_optimum_that_is_known_decides(optimum: float, *, right: bool) -> None:
    class Knowing(Evidence):
        def optimum(self) -> float:
            return optimum

    model = Model.from_rows(["x"], [("row", {0: 1.0}, 0.0, 1.0)], [-1.0], maximise=True)
    evidence = Knowing(model, lambda: ENDLESS, ("opt", 9.0), "known.solu")
    found = judge_model(evidence, Outcome(Status.OPTIMAL, {"x": 1.0}, "so"), "liar")
    assert found.standing is (Standing.VERIFIED if right else Standing.REFUTED)
    assert right or found.reason == "liar says 'so', but the optimum is 2, not 1"


@pytest.mark.parametrize(
    ("words", "claim", "ones", "doubt"),
    [
        ("=opt= k 9999", "optimal", "xz", ""),  # to be large: a solution of 15 is not refuted
        ("=opt= k 14", "optimal", "xz", "a checked solution has the objective 15"),
        ("=opt= k 16", "optimal", "xz", "a search proves that none is better than 15"),
        ("=inf= k", "optimal", "xz", "a checked solution satisfies every row"),
        ("=inf= k", "infeasible", "", "a checked solution satisfies every row"),
    ],
)
def test_a_given_answer_that_is_refuted_is_named(
    words: str, claim: str, ones: str, doubt: str
) -> None:
    word, _, *value = words.split()
    known = (word.strip("="), float(value[0]) if value else None)
    problem = Question("k", FILE, "solve", ".lp", KNAPSACK.encode(), None, known, "known.solu")
    told = {"status": claim, "values": dict.fromkeys(ones, 1.0), "detail": "so"}
    found = judge_run(problem, "liar", SECONDS, ended(told))
    assert found["correct"] is (claim == "optimal")
    if doubt:
        assert problem.evidence.doubt.startswith(f"known.solu says {word}")
        assert problem.evidence.doubt.endswith(doubt)
        assert problem.evidence.doubt in found["detail"]
    else:
        assert "proves that none is better" in problem.evidence.doubt


def test_what_no_witness_decides_is_unverified_or_the_word_of_the_file(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("calmip.mip.independent_search.exists", lambda *_, **__: (None, []))
    monkeypatch.setattr("calmip.mip.independent_search._search_pool", lambda *_: (None, {}))
    point = {"status": "optimal", "values": {"y": 1.0}}
    none = {"status": "infeasible", "values": {}}
    for known, answer, expected, words in (
        (None, point, "unverified", "the check took too long"),
        (None, none, "unverified", "the check took too long"),
        (("inf", None), none, "solved", "so it says"),
        (("feas", None), none, "wrong", "known.solu says that there is a solution"),
        (("opt", 14.0), point, "solved", "so it says"),
        (("opt", 15.0), point, "wrong", "known.solu says that the optimum is 15, not 14"),
        (("best", 15.0), point, "wrong", "the best known objective is 15, not 14"),
        (("best", 14.0), point, "unverified", "the check took too long"),
    ):
        problem = Question("k", FILE, "solve", ".lp", KNAPSACK.encode(), None, known, "known.solu")
        found = judge_run(problem, "liar", SECONDS, ended({"detail": "so it says", **answer}))
        assert (found["status"], words in found["detail"]) == (expected, True), (known, found)
        assert found["correct"] is {"solved": True, "wrong": False}.get(expected)


def test_a_solution_that_was_checked_is_a_witness_from_then_on() -> None:
    problem = Question("k", FILE, "solve", ".lp", KNAPSACK.encode())
    assert verdict(problem, {"status": "feasible", "values": {"x": 1.0, "z": 1.0}})[0] == "unknown"
    assert verdict(problem, {"status": "infeasible"})[0] == "wrong"
    assert verdict(problem, {"status": "optimal", "values": {"y": 1.0}})[0] == "wrong"


@pytest.mark.parametrize(
    ("known", "claim", "ones", "expected"),
    [
        (("opt", 15.0), "optimal", "xz", ("solved", True, 15.0)),
        (("opt", 15.0), "feasible", "xz", ("solved", True, 15.0)),
        (("opt", 15.0), "optimal", "y", ("wrong", False, None)),
        (("opt", 15.0), "feasible", "y", ("unknown", None, 14.0)),
        (("opt", 15.00001), "optimal", "xz", ("solved", True, 15.0)),
        (("opt", 15.00002), "optimal", "xz", ("solved", True, 15.0)),  # no other is better
        (("opt", 14.0), "optimal", "xz", ("solved", True, 15.0)),  # better than the best known
        (("best", 15.0), "optimal", "y", ("wrong", False, None)),
        (None, "optimal", "y", ("wrong", False, None)),
        (None, "optimal", "xz", ("solved", True, 15.0)),
        (("feas", None), "infeasible", "", ("wrong", False, None)),
        (("unkn", None), "infeasible", "", ("wrong", False, None)),
    ],
)
def test_an_objective_that_is_to_be_large(
    known: Any, claim: str, ones: str, expected: tuple[Any, ...]
) -> None:
    problem = Question("knapsack", FILE, "solve", ".lp", KNAPSACK.encode(), known=known)
    assert verdict(problem, {"status": claim, "values": dict.fromkeys(ones, 1.0)}) == expected


@pytest.mark.parametrize("maximise", [False, True])
@pytest.mark.parametrize(
    ("optimum", "lack", "short"),
    [
        (0, 0, False),
        (0, 1e-6, False),
        (1, 1.5e-6, True),
        (-1e6, 0.9, False),
        (-1e6, 1.1, True),
        (1e6, -5, False),
    ],
)
def test_an_objective_falls_short_by_more_than_a_millionth(
    optimum: float, lack: float, short: bool, maximise: bool
) -> None:
    objective = optimum - lack if maximise else optimum + lack
    assert falls_short(objective, optimum, maximise=maximise, unit=1.0) is short
    # In a smaller unit, where all is as small.
    small = [value * 1e-9 for value in (objective, optimum)]
    assert falls_short(*small, maximise=maximise, unit=1e-9) is short


TINY = read_instance("instances/tiny.yaml")
TILINGS = list(solutions(ExactCover(TINY)))


@pytest.mark.parametrize("witness", [Witness(TINY), None])
def test_a_count_is_held_against_the_witness(witness: Witness | None) -> None:
    tilings = len(TILINGS)
    model = Model.from_cover(ExactCover(TINY))
    problem = Question("tiny", "matrix", "count", ".mps", mps_text(model).encode(), witness)
    for number in (0, tilings - 1, tilings, tilings + 1):
        right = number == tilings
        expected = ("solved" if right else "wrong", right)
        assert verdict(problem, {"status": "done", "count": number}) == (*expected, None)
        late = verdict(problem, {"status": "unknown", "count": number})
        assert late == ("unknown", None, None)
        found = judge_run(problem, "liar", SECONDS, ended({"status": "done", "count": number}))
        assert found["count"] == number


COVER = ExactCover(TINY)
LAID = dict.fromkeys((COVER.option_names[option] for option in TILINGS[0]), 1.0)


@pytest.mark.parametrize(
    ("cover", "outcome", "status", "standing", "words"),
    [
        (COVER, Outcome(Status.OPTIMAL, LAID, "so"), "feasible", "verified", "so"),
        (COVER, Outcome(Status.FEASIBLE, LAID, "so"), "feasible", "verified", "so"),
        (COVER, Outcome(Status.UNKNOWN, LAID, "so"), "unknown", None, "so"),
        (COVER, Outcome(Status.OPTIMAL, {"none": 1.0}, "so"), "unknown", "refuted", "not a til"),
        (COVER, Outcome(Status.OPTIMAL, {}, "so"), "unknown", "refuted", "is not a tiling"),
        (COVER.packing(), Outcome(Status.FEASIBLE, {}, "so"), "unknown", None, "so"),
        (COVER.packing(), Outcome(Status.OPTIMAL, {}, "so"), "feasible", "refuted", "at least"),
        (COVER, Outcome(Status.INFEASIBLE, {}, "so"), "feasible", "refuted", "there is a tiling"),
        (COVER.restricted([0]), Outcome(Status.INFEASIBLE, {}, "so"), "infeasible", "verified", ""),
        (None, Outcome(Status.INFEASIBLE, {}, "so"), "unknown", "unverified", "too long"),
    ],
)
def test_an_answer_to_a_formulation_is_a_tiling_or_needs_a_witness(
    monkeypatch: pytest.MonkeyPatch,
    cover: ExactCover | None,
    outcome: Outcome,
    status: str,
    standing: str | None,
    words: str,
) -> None:
    if cover is None:
        monkeypatch.setattr(verdicts.witnesses, "exists", lambda *_, **__: (None, []))
    cover = cover or COVER
    model: Any = SimpleNamespace(auxiliary=())
    found = verdicts.judge_cover(cover, model, outcome, "liar", ENDLESS)
    assert (found.status, found.standing) == (status, standing)
    assert words in found.reason
    assert isinstance(found.packing, Tiling) is (status == "feasible" and standing == "verified")
    missing = 0 if found.packing is None else len(found.packing.missing)
    assert missing == (len(TINY.to_cover) if cover.packs else 0)


def test_a_point_that_the_rows_allow_is_still_held_against_the_board() -> None:
    cover = ExactCover(TINY)
    whole = Model.from_cover(cover)
    free = replace(whole, lower=np.full(len(whole.rows), -np.inf))  # a packing's rows
    nothing = {"status": "optimal", "values": {}}
    tiling = dict.fromkeys((cover.option_names[option] for option in TILINGS[0]), 1.0)

    def said(formulation: str, model: Model, values: dict[str, float]) -> tuple[Any, ...]:
        data = mps_text(model).encode()
        problem = Question("tiny", formulation, "solve", ".mps", data, Witness(TINY))
        return verdict(problem, {**nothing, "values": values})

    for formulation in ("matrix", "packing"):
        assert said(formulation, free, tiling) == ("solved", True, 0.0)
    assert said("matrix", free, {}) == ("wrong", False, None)
    assert said("packing", free, {}) == ("solved", True, 0.0)  # nothing laid is a packing
    # As many cells as there are to cover, and no tiling: the rows of a wrong model allow it.
    anything = replace(free, upper=np.full(len(whole.rows), np.inf))
    for some in itertools.combinations(range(cover.columns), len(tiling)):
        placements = [cover.option(option) for option in some]
        if sum(len(one.cells) for one in placements) == len(TINY.to_cover):
            values = dict.fromkeys((cover.option_names[option] for option in some), 1.0)
            right = sorted(some) in TILINGS
            for formulation in ("matrix", "packing"):
                assert said(formulation, anything, values)[1] is right


@pytest.mark.parametrize(
    ("error", "word"),
    [
        (SolverMissing("no highs"), "missing"),
        (OptionUnknown("no such option"), "option"),
        (KindRefused("no integers"), "unfit"),
        (ModelRefused("no licence"), "unfit"),
        (SolverFailed("no answer"), "failed"),
        (InputError("no space left on the device"), "failed"),
        (MemoryError(), "memory"),
    ],
)
def test_a_worker_says_why_there_is_no_answer(
    error: Exception, word: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def solve(*_: object) -> None:
        raise error

    monkeypatch.setattr(Highs, "solve", solve)
    task = {"goal": "solve", "options": [], "seconds": 1, "seed": 0}
    (tmp_path / "task.json").write_text(json.dumps({**task, "solver": "highs"}))
    work(tmp_path)
    answer = json.loads((tmp_path / "answer.json").read_text())
    assert answer.pop("wall") >= 0
    assert min(answer.pop("startup")) >= 0
    assert answer == {word: str(error) or "the solver had no more memory"}


POINT = {"status": "optimal", "values": {"x": 1.0, "z": 1.0}}
GAVE_UP = {"status": "unknown", "values": {}}


@pytest.mark.parametrize(
    ("answer", "how", "status", "words"),
    [
        (POINT, {"wall": SECONDS}, "solved", "so it says"),
        # Which clock decides about a late answer is a question of the report.
        (POINT, {"wall": SECONDS + 0.01}, "solved", "so it says"),
        (GAVE_UP, {"wall": 0.94 * SECONDS}, "unknown", "so it says"),
        (GAVE_UP, {"wall": 0.95 * SECONDS}, "time", "so it says"),
        ({**GAVE_UP, "detail": KILLED}, {}, "time", KILLED),
        (
            None,
            {"status": 3, "output": "no licence"},
            "crash",
            "exit status 3; its last line: 'no l",
        ),
        (None, {"status": -11}, "crash", "its process ended with signal 11"),
        (None, {"status": None}, "crash", "its process ended with no exit status"),
        (None, {"status": 0}, "crash", "its process ended with exit status 0"),
        (None, {"killed": "time"}, "time", "killed: overran its limit"),
        (None, {"killed": "memory"}, "memory", "killed: overran its limit"),
        (POINT, {"killed": "memory"}, "memory", "killed: overran its limit"),
        ({"memory": "no more"}, {}, "memory", "no more"),
        ({"unfit": "integers"}, {}, "unfit", "integers"),
        ({"failed": "no answer"}, {"wall": 2 * SECONDS}, "crash", "no answer"),
        ({"status": "infeasible"}, {"wall": 2 * SECONDS}, "wrong", "satisfies every row"),
    ],
)
def test_how_a_run_ended_comes_before_what_it_says(
    answer: dict[str, Any] | None, how: dict[str, Any], status: str, words: str
) -> None:
    problem = Question("k", FILE, "solve", ".lp", KNAPSACK.encode(), known=("opt", 15.0))
    found = judge_run(problem, "liar", SECONDS, ended(answer, **how))
    assert (found["status"], found["correct"]) == (
        status,
        {"solved": True, "wrong": False}.get(status),
    )
    assert words in found["detail"]
    assert found["answer"] == ("" if answer is None else answer.get("status", ""))
