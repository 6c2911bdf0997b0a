"""What becomes of a run that has ended: its row, whether it is repeated, and what is told of it."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from concurrent.futures import Future
from types import SimpleNamespace
from typing import Any

import pytest

from calmip._base.errors import InputError, SolverMissing
from calmip.bench import bench
from calmip.bench.campaign.runner import AGAINST, NOTHING, Job

VERSIONS = {"exact-cover": "1", AGAINST + "exact-cover": "2", "machine": "m", "calmip": "c"}
CAMPAIGN: Any = SimpleNamespace(
    time_limit=9.0, cpu_limit=None, memory_limit=None, reference_every=0
)


def problem(name: str, *, skipped: Any = None, maximise: bool = False, doubt: str = "") -> Any:
    return SimpleNamespace(
        name=name,
        formulation="f",
        goal="g",
        skipped=skipped,
        digest="d",
        model=SimpleNamespace(maximise=maximise),
        evidence=SimpleNamespace(doubt=doubt),
    )


def test_the_row_of_a_run_has_what_was_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[Any] = []
    monkeypatch.setattr(
        bench, "judge_run", lambda *args, **_: given.append(args) or {"status": "s"}
    )
    cases = itertools.product((None, 4.0, math.inf, -math.inf), ("", "there"), (True, False))
    for bound, build, maximise in cases:
        for skipped in (None, "why"):
            job = Job("k", solver="exact-cover", build=build, seed=3, side="before", round=2)
            one = problem("p", skipped=skipped, maximise=maximise)
            answer = {"bound": bound, "nodes": 7}
            ended = {**NOTHING, "answer": answer, "wall": 1.5, "host": "h"}
            row = bench._row(CAMPAIGN, one, job, ended, VERSIONS)
            assert row["bound"] == (4.0 if bound == 4 else None)
            assert row["version"] == ("2" if build else "1")
            assert row["sense"] == ("max" if maximise and skipped is None else "min")
            assert [row[key] for key in ("key", "instance", "status", "nodes", "wall")] == [
                "k",
                "p",
                "s",
                7,
                1.5,
            ]
            assert [row[key] for key in ("seed", "side", "round", "machine")] == [
                3,
                "before",
                2,
                "m",
            ]
    assert given[-1][:3] == (one, "exact-cover", 9.0)
    row = bench._row(CAMPAIGN, problem("p"), job, {**NOTHING, "answer": None}, VERSIONS)
    assert (row["nodes"], row["bound"]) == (None, None)
    for key, error in (("option", InputError), ("missing", SolverMissing)):
        with pytest.raises(error, match="no such thing"):
            bench._row(
                CAMPAIGN, problem("p"), job, {**NOTHING, "answer": {key: "no such thing"}}, VERSIONS
            )


class Pool:
    """Workers whose runs have ended when they begin."""

    versions = VERSIONS

    def __init__(self) -> None:
        self.jobs: list[str] = []

    def size(self) -> int:
        return 1

    def submit(self, job: Job) -> Future[dict[str, Any]]:
        self.jobs.append(job.key)
        future: Future[dict[str, Any]] = Future()
        future.set_result({**NOTHING, "log": job.key.encode()})
        return future


@pytest.mark.parametrize("starved", range(bench.MAX_REPEATS + 2))
@pytest.mark.parametrize("every", [0, 1])
def test_a_starved_run_is_repeated_after_all_others(
    starved: int, every: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So often at most; what is skipped has no run, and a doubt has the name of its instance."""
    tried: Counter[str] = Counter()

    def row(_: Any, one: Any, job: Job, ended: Any, __: Any) -> dict[str, Any]:
        tried[job.key] += 1
        low = job.key == "b" and tried["b"] <= starved
        return {"key": job.key, "status": "starved" if low else "optimal", "ended": ended}

    monkeypatch.setattr(bench, "_row", row)
    planned = [
        (problem("skipped", skipped="why"), Job("s")),
        *(
            (problem(name, doubt=doubt), Job(name))
            for name, doubt in zip("abc", ("", "no", ""), strict=True)
        ),
    ]
    references: list[Any] = []
    store: Any = SimpleNamespace(add_reference=references.append, set_work=lambda _: None)
    pool: Any = Pool()
    campaign: Any = SimpleNamespace(**{**vars(CAMPAIGN), "reference_every": every})
    work = bench.Work(planned, [], 1)
    ended = list(bench._runs(campaign, planned, pool, store, work))
    repeats = min(starved, bench.MAX_REPEATS)
    assert tried == {"s": 1, "a": 1, "b": 1 + repeats, "c": 1}
    assert ended[0] == ({"key": "s", "status": "optimal", "ended": NOTHING}, "", None)
    found = {run["key"]: (run["status"], doubt, log) for run, doubt, log in ended[1:]}
    assert len(found) == len(ended) - 1 == 3
    last = "starved" if starved > bench.MAX_REPEATS else "optimal"
    assert found == {
        "a": ("optimal", "", b"a"),
        "b": (last, "b: no", b"b"),
        "c": ("optimal", "", b"c"),
    }
    own = [key for key in pool.jobs if key]
    assert own == ["a", "b", "c", *["b"] * repeats]
    assert len(references) == pool.jobs.count("") == (3 if every else 0)


def test_what_is_counted_of_a_campaign() -> None:
    planned: Any = [(problem("p"), Job(key, solver=key[0])) for key in ("x1", "x2", "y1")]
    kept = [
        {"key": "x1", "solver": "x", "status": "wrong"},
        {"key": "other", "solver": "x", "status": "wrong"},
    ]
    work = bench.Work(planned, kept, 4)
    work.add({"key": "x2", "solver": "x", "status": "solved", "wall": 1.5})
    assert work.due
    assert not work.due
    first, second = work.rows([Job(solver="x")])
    names = ("solver", "planned", "kept", "done", "wrong", "running", "workers", "seconds")
    assert [first[name] for name in names] == ["x", 2, 1, 2, 1, 1, 4, 1.5]
    assert [second[name] for name in names] == ["y", 1, 0, 0, 0, 0, 4, 0.0]
    assert first["solved"] == ("solved" in bench.statistics.ENDED)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"measure": "eye"}, "unknown measure 'eye'; use one of "),
        ({"machine": "two\nlines"}, "the name of a machine is a text on one line, not 'two"),
        ({"machine": " "}, "the name of a machine is a text on one line, not ' '"),
        ({"machine": ""}, "the name of a machine is a text on one line, not ''"),
        ({"rounds": 0}, "the number of rounds is from 1 to 1000, not 0"),
        ({"rounds": 1001}, "the number of rounds is from 1 to 1000, not 1001"),
    ],
)
def test_a_way_that_is_none_is_refused(given: Any, words: str) -> None:
    with pytest.raises(InputError, match=words):
        bench.Ways(**given).check()
    bench.Ways(rounds=1000, machine="one").check()
    bench.Ways().check()
