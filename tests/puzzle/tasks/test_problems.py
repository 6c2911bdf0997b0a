"""A problem of an instance or of a model: the one thing that tasks and reports ask."""

import importlib
from pathlib import Path
from typing import Any

import pytest

import calmip
from calmip.puzzle.tasks.problems import (
    InstanceProblem,
    ModelProblem,
    Problem,
    per_kind,
    problem_of,
)

INSTANCE = calmip.read_instance("a-puzzle-a-day", reveal="Jan,1")
MODEL = calmip.Model.from_rows(["a", "b"], [("r", {0: 1.0, 1: 1.0}, 1.0, 1.0)])

KINDS = {*Problem.__subclasses__()}
NOTHING = per_kind().registry[object].__qualname__


def registered() -> dict[str, set[type]]:
    """Return the functions that kinds of problems register, and the kinds that do."""
    package = Path(calmip.__file__).parent
    users = (path for path in package.rglob("*.py") if "per_kind()" in path.read_text("utf-8"))
    places = (path.relative_to(package.parent).with_suffix("") for path in users)
    names = (".".join(place.parts).removesuffix(".__init__") for place in places)
    return {
        f"{module.__name__}.{name}": {*value.registry} - {object}
        for module in map(importlib.import_module, names)
        for name, value in vars(module).items()
        if hasattr(value, "dispatch") and value.registry[object].__qualname__ == NOTHING
    }


def test_each_kind_of_problem_registers_what_each_task_and_report_does() -> None:
    found = registered()
    assert "calmip.puzzle.tasks.solve._solve" in found
    assert "calmip.puzzle.render.reports.conflicts._conflict" in found
    assert {name: kinds for name, kinds in found.items() if kinds != KINDS} == {}


def test_a_kind_that_registers_nothing_is_named() -> None:
    class Other(Problem):
        kind = "riddle"

    do = per_kind()
    do.register(ModelProblem)(lambda problem: problem.title)
    assert do(problem_of(MODEL)) == MODEL.title
    with pytest.raises(NotImplementedError, match="riddle"):
        do(Other())
    with pytest.raises(NotImplementedError, match="instance"):
        do(problem_of(INSTANCE))


def test_a_further_kind_is_one_class() -> None:
    class Assignment(ModelProblem):
        kind, what = "assignment", "choice"

        def describe(self) -> dict[str, Any]:
            return {"assignment": self.title}

    pool = calmip.enumerate(MODEL)
    assert str(pool).splitlines()[-1].startswith("2 solutions, ")
    vars(pool)["problem"] = Assignment(MODEL)
    assert str(pool).splitlines()[-1].startswith("2 choices, ")
    assert len(pool.describe()["choices"]) == 2
    found = calmip.relax(MODEL)
    vars(found)["problem"] = Assignment(MODEL)
    assert found.describe()["assignment"] == MODEL.title


@pytest.mark.parametrize(
    ("source", "name", "fault"),
    [
        (INSTANCE, "model", "the source is an instance, and has no model; see its instance"),
        (MODEL, "instance", "the source is a model, and has no instance; see its model"),
        (MODEL, "cover", "the source is a model, and has no exact cover; see its model"),
        (MODEL, "colour", "a problem has no attribute colour"),
    ],
)
def test_what_a_kind_does_not_have_is_said(source: Any, name: str, fault: str) -> None:
    with pytest.raises(AttributeError, match=fault):
        getattr(problem_of(source), name)


def test_a_cover_is_made_once_and_only_if_it_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    cover = calmip.ExactCover(INSTANCE)
    assert problem_of(cover).cover is problem_of(cover).subject is cover
    made: list[Any] = []
    make = calmip.ExactCover.__init__
    monkeypatch.setattr(
        calmip.ExactCover, "__init__", lambda self, one: (made.append(one), make(self, one))[1]
    )
    problem = InstanceProblem(INSTANCE)
    assert (problem.title, problem.what, made) == (INSTANCE.name, "tiling", [])
    assert problem.cover is problem.subject
    assert made == [INSTANCE]
