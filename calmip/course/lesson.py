"""Lessons for the lab of the page: a small model, a question, hints, and an answer that is proved.

A lesson is a YAML file. `lesson_data` is what the page has of it: all but the answer, since the
page judges what a student writes by exact arithmetic. What an answer must do is under ``ask``:

``row``
    An inequality that keeps all solutions, or an optimum (``keeps``). With it, the relaxation's
    optimum is at best ``bound``, and at most ``leaves`` solutions are left.
``point``
    A solution worth at least ``worth``; at most, where the objective is minimised.
``number``
    The optimum of the ``relaxation``, the ``optimum`` of the model, or how many ``solutions`` it
    has (``of``).
``multipliers``
    Multipliers of rows that prove the ``bound``, or without one that the relaxation is
    infeasible; those of the rows in ``without`` are 0.
``tree``
    A tree of at most ``nodes`` nodes that proves the optimum.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from importlib import resources
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

from calmip._base.errors import InputError, did_you_mean, join_words
from calmip.mip.files.lp import read_lp
from calmip.mip.files.text_source import TextFile
from calmip.mip.lp.exact_lp import ExactLp
from calmip.mip.lp.inequality import greatest
from calmip.mip.model import Model
from calmip.mip.rows import Bound, Number, is_finite
from calmip.mip.status import Status
from calmip.puzzle.documents.yaml import (
    Table,
    check_keys,
    choice_of,
    locate_errors,
    read_table,
    text_of,
    texts_of,
)
from calmip.puzzle.tasks.compare import compare
from calmip.puzzle.tasks.enumerate import enumerate as enumerate_solutions
from calmip.puzzle.tasks.interface import public
from calmip.puzzle.tasks.play import Page, show_page

KEYS = ("title", "question", "hints", "model", "ask", "answer")

KINDS: dict[str, tuple[str, ...]] = {
    "row": ("keeps", "bound", "leaves"),
    "point": ("worth",),
    "number": ("of",),
    "multipliers": ("bound", "without"),
    "tree": ("nodes",),
}
"""The keys beside ``kind``, for each kind of answer."""

WORDS = {"keeps": ("all", "optimum"), "of": ("relaxation", "optimum", "solutions")}
"""The words that a key may have; the others are numbers, but for ``without``."""

MAX_COLUMNS = 60
"""A page shows and branches models up to this size."""

MAX_SOLUTIONS = 20_000
"""The page counts no more solutions."""


@dataclass(frozen=True)
class Lesson:
    """A lesson as its file has it.

    Parameters
    ----------
    name
        The name of the file, without its suffix.
    title, question, hints
        What a student reads.
    model
        The model.
    ask
        What an answer must do, see above.
    answer
        An answer that does.
    """

    name: str
    title: str
    question: str
    hints: tuple[str, ...]
    model: Model
    ask: Mapping[str, Any]
    answer: str


def bundled_lessons() -> list[str]:
    """Return the names of the lessons that come with the package."""
    folder = resources.files("calmip") / "course" / "lessons"
    return sorted(entry.name.removesuffix(".yaml") for entry in folder.iterdir())


def read_lesson(source: str | Path) -> Lesson:
    """Return a bundled lesson, or the lesson in a file.

    Raises
    ------
    InputError
        If there is none, or the file is not a lesson; with its line.
    """
    path = Path(source)
    if path.suffix not in (".yaml", ".yml"):
        known = bundled_lessons()
        if str(source) not in known:
            near = did_you_mean(str(source), known)
            raise InputError(
                f"no such bundled lesson; there are {join_words(known)}; the name of a file ends "
                f"in .yaml{f' (did you mean {near}?)' if near else ''}",
                path=str(source),
            )
        path = Path(str(resources.files("calmip") / "course" / "lessons" / f"{source}.yaml"))
    document = read_table(path, str(path), f"is not a lesson; it has the keys {join_words(KEYS)}")
    with locate_errors(str(path), document):
        check_keys(document, KEYS)
        missing = [key for key in KEYS if key not in document]
        if missing:
            raise InputError(f"the key '{missing[0]}' is missing; a lesson has {join_words(KEYS)}")
        title, question, model, answer = (
            text_of(document, key, default="") for key in ("title", "question", "model", "answer")
        )
        hints = tuple(texts_of(document, "hints"))
        ask = _ask(document)
    line = document.lines["model"]
    # Lines of the model are those of the file.
    lines = [""] * line + model.splitlines()
    found = read_lp(TextFile(str(path), lines))
    found.check_rows_alone("a lesson")
    if found.constant:
        raise InputError("the objective has a constant; leave it out", path=str(path), line=line)
    if len(found.columns) > MAX_COLUMNS:
        fault = f"the model has {len(found.columns)} columns; a lesson has at most {MAX_COLUMNS}"
        raise InputError(fault, path=str(path), line=line)
    return Lesson(path.stem, title, question, hints, found, ask, answer.strip())


def _ask(document: Table) -> dict[str, Any]:
    table = document["ask"]
    if not isinstance(table, Table):
        raise InputError("'ask' has keys: its kind, and what an answer of that kind must do")
    kind = choice_of(table, "kind", tuple(KINDS))
    check_keys(table, ("kind", *KINDS[kind]))
    ask: dict[str, Any] = {"kind": kind}
    for key in KINDS[kind]:
        if key not in table:
            continue
        if key in WORDS:
            ask[key] = choice_of(table, key, WORDS[key])
        elif key == "without":
            ask[key] = texts_of(table, key)
        else:
            ask[key] = _number(table[key], key)
    return ask


def _number(value: object, what: str) -> int | float:
    try:
        number = Fraction(str(value))
    except ValueError:
        raise InputError(f"'{what}' is a number, not '{value}'") from None
    return int(number) if number.denominator == 1 else float(number)


def lesson_data(lesson: Lesson) -> dict[str, Any]:
    """Return what the page has of a lesson: the answer is not in it."""
    model = lesson.model
    sign = -1 if model.maximise else 1
    return {
        "title": lesson.title,
        "question": lesson.question,
        "hints": list(lesson.hints),
        "sense": -sign,
        "columns": [
            [
                name,
                _plain(sign * model.costs.get(column, 0)),
                *map(_plain, model.bounds(column)),
                int(model.is_integer(column)),
            ]
            for column, name in enumerate(model.columns)
        ],
        "rows": [
            [name, [[c, _plain(value)] for c, value in row.terms.items()], *map(_plain, row.bounds)]
            for name, row in zip(model.rows, model.exact_rows(), strict=True)
        ],
        "ask": dict(lesson.ask),
    }


def _plain(number: Bound) -> int | float | None:
    """Return a number for JSON; an endless side is none."""
    if not is_finite(number):
        return None
    return int(number) if number == int(number) else float(number)


@public
def lesson(path: str | Path, *, output: Path | str | None = None) -> Page:
    """Prove the answer to a lesson, and open it in the lab of the page.

    A lesson has a model of at most 60 columns, a question, hints and an answer.
    The page judges a student's answer by exact arithmetic; the lesson's own is
    proved here and is not on the page.

    Parameters
    ----------
    path
        A bundled lesson's name, or the path of a lesson in YAML.
    output
        Write the page to a file instead of opening the browser.

    Raises
    ------
    InputError
        If there is no such lesson, its answer is wrong, or the file cannot be
        written.
    """
    found = read_lesson(path)
    prove(found)
    known = str(path) in bundled_lessons()
    text = str(path) if known else json.dumps(lesson_data(found), ensure_ascii=False)
    return show_page(f"#lesson={quote(text, safe='')}", output)


# Proofs ------------------------------------------------------------------------


def prove(lesson: Lesson) -> None:
    """Raise `InputError` unless the answer to a lesson does what is asked, exactly."""
    fault = PROOFS[lesson.ask["kind"]](lesson)
    if fault:
        raise InputError(f"the answer '{lesson.answer}' is not right: {fault}", path=lesson.name)


def relaxed(model: Model) -> Fraction | None:
    """Return the exact optimum of the relaxation in the model's own sense; None if infeasible."""
    answer = ExactLp(model, range(len(model.columns))).solve()
    if answer.status is Status.INFEASIBLE:
        return None
    if answer.status is not Status.OPTIMAL or answer.cost is None:
        raise InputError(f"the relaxation is {answer.status}; every column needs a bound")
    return Fraction(answer.cost) * (-1 if model.maximise else 1)


def optimum(model: Model) -> Fraction | None:
    """Return the exact optimum; None if there is no solution. Branches on exact relaxations."""
    lp = ExactLp(model, range(len(model.columns)))
    best: Number | None = None
    whole = _is_whole(model)
    open_: list[dict[int, tuple[Bound, Bound]]] = [{}]
    while open_:
        bounds = open_.pop()
        answer = lp.solve(bounds=bounds)
        if answer.status is Status.INFEASIBLE or answer.cost is None or answer.point is None:
            continue
        least = math.ceil(answer.cost) if whole else answer.cost
        if best is not None and least >= best:
            continue
        point = answer.point
        at = next((c for c, v in point.items() if model.is_integer(c) and v != int(v)), None)
        if at is None:
            best = answer.cost
            continue
        low, high = bounds.get(at, model.bounds(at))
        down = math.floor(point[at])
        open_ += [{**bounds, at: (low, down)}, {**bounds, at: (down + 1, high)}]
    return None if best is None else Fraction(best) * (-1 if model.maximise else 1)


def _is_whole(model: Model) -> bool:
    """Whether every solution is worth a whole number."""
    return all(value == int(value) and model.is_integer(c) for c, value in model.costs.items())


def solutions(model: Model) -> int:
    """Return how many solutions a model of bounded integers has."""
    pool = enumerate_solutions(model, limit=MAX_SOLUTIONS)
    if not pool.complete:
        raise InputError(f"the model has more than {MAX_SOLUTIONS} solutions, or unbounded columns")
    return len(pool.solutions)


def _with_row(lesson: Lesson, text: str) -> Model:
    """Return the model with a row that is written as in an LP file."""
    names = lesson.model.column_index
    head = ["Minimize", f" obj: 0 {lesson.model.columns[0]}", "Subject To", f" new: {text}", "End"]
    found = read_lp(TextFile(lesson.name, head))
    unknown = [name for name in found.columns if name not in names]
    if unknown or len(found.rows) != 1:
        raise InputError(f"'{text}' is not a row over {join_words(names)}", path=lesson.name)
    row = found.exact_row(0)
    columns = [names[found.columns[c]] for c in row.terms]
    return lesson.model.with_row("new", columns, row.low, row.high, list(row.terms.values()))


def _values(text: str, names: Mapping[str, int]) -> dict[int, Fraction]:
    values = {}
    for part in text.split():
        name, _, number = part.partition("=")
        if name not in names:
            raise InputError(f"'{part}' is not NAME=NUMBER; the names are {join_words(names)}")
        values[names[name]] = Fraction(number)
    return values


def _beats(lesson: Lesson, value: Fraction, goal: float) -> bool:
    """Whether a value is better than a goal: greater, where the objective is maximised."""
    return value > Fraction(str(goal)) if lesson.model.maximise else value < Fraction(str(goal))


def _row_fault(lesson: Lesson) -> str:
    model, ask = lesson.model, lesson.ask
    more = _with_row(lesson, lesson.answer)
    if ask.get("keeps") == "optimum":
        before, after = optimum(model), optimum(more)
        if before != after:
            return f"it changes the optimum from {before} to {after}"
    elif compare(more, model).feasible_set != "same":
        return "it cuts off a solution"
    bound = relaxed(more)
    if "bound" in ask and bound is not None and _beats(lesson, bound, ask["bound"]):
        return f"the relaxation's optimum is {bound}, not {ask['bound']}"
    if "leaves" in ask and (left := solutions(more)) > ask["leaves"]:
        return f"{left} solutions are left, not {ask['leaves']}"
    return ""


def _point_fault(lesson: Lesson) -> str:
    model = lesson.model
    point = _values(lesson.answer, model.column_index)
    if (found := next(model.violations(point), None)) is not None:
        what = model.rows if found.kind == "row" else model.columns
        kind = {"bound": "bounds of", "integrality": "integrality of"}.get(found.kind, found.kind)
        return f"it violates the {kind} {what[found.number]}"
    value, best = Fraction(model.exact_objective(point)), optimum(model)
    if best is None or _beats(lesson, Fraction(str(lesson.ask["worth"])), float(value)):
        return f"it is worth {value}, not {lesson.ask['worth']}"
    return "" if best == Fraction(str(lesson.ask["worth"])) else f"the optimum is {best}"


def _number_fault(lesson: Lesson) -> str:
    of = {"relaxation": relaxed, "optimum": optimum, "solutions": solutions}[lesson.ask["of"]]
    right = of(lesson.model)
    return "" if right == Fraction(lesson.answer) else f"it is {right}"


def _multipliers_fault(lesson: Lesson) -> str:
    model, ask = lesson.model, lesson.ask
    names = {name: row for row, name in enumerate(model.rows)}
    given = _values(lesson.answer, names)
    banned = [name for name in ask.get("without", ()) if given.get(names[name])]
    if banned:
        return f"{banned[0]} may not be used"
    sign = -1 if model.maximise else 1
    costs = model.costs if "bound" in ask else {}
    faults = []
    # The rows, times their multipliers, less the costs: no solution is worth more.
    for turn in (1,) if costs else (1, -1):
        total = Fraction(0)
        rest = {column: -Fraction(cost) for column, cost in costs.items()}
        for row, value in given.items():
            multiplier = turn * value * -sign
            exact = model.exact_row(row)
            side = exact.high if multiplier > 0 else exact.low
            if not is_finite(side):
                continue
            total += multiplier * Fraction(side)
            for column, coefficient in exact.terms.items():
                rest[column] = rest.get(column, Fraction(0)) - multiplier * coefficient
        most = greatest(rest, model.column_bounds)
        bound = total + most if is_finite(most) else math.inf
        if costs and is_finite(bound) and not _beats(lesson, -sign * Fraction(bound), ask["bound"]):
            return ""
        if not costs and bound < 0:
            return ""
        faults.append(bound)
    return f"they prove {-sign * faults[0]}" if costs else "they prove no conflict"


def _tree_fault(lesson: Lesson) -> str:
    """Replay the steps, and close each leaf by an exact relaxation."""
    model, whole = lesson.model, _is_whole(lesson.model)
    sign = -1 if model.maximise else 1
    nodes: list[dict[int, tuple[Bound, Bound]]] = []
    branched: dict[int, set[str]] = {}
    for step in lesson.answer.split(";"):
        at, name, *more = step.split(".", 2) if step != "root" else ("", "", "")
        if not at:
            nodes.append({})
        elif name == "cut":
            most, *names = more[0].split(".")
            terms = [(n.partition("*")[2] or "1") + " " + n.partition("*")[0] for n in names]
            changed = _with_row(lesson, f"{' + '.join(terms)} <= {most}")
            if compare(changed, lesson.model).feasible_set != "same":
                return f"the cut {step} cuts off a solution"
            row = changed.exact_row(len(changed.rows) - 1)
            model = model.with_row(
                f"cut{len(model.rows)}", list(row.terms), row.low, row.high, [*row.terms.values()]
            )
        else:
            column, key = model.column_index[name], unquote(more[0])
            low, high = nodes[int(at)].get(column, model.bounds(column))
            number = int(re.sub(r"\D", "", key))
            side = {"≥": (number, high), "≤": (low, number)}.get(key[0], (number, number))
            nodes.append({**nodes[int(at)], column: side})
            branched.setdefault(int(at), set()).add(key)
    if len(nodes) > lesson.ask["nodes"]:
        return f"it has {len(nodes)} nodes"
    lp = ExactLp(model, range(len(model.columns)))
    answers = [lp.solve(bounds=bounds) for bounds in nodes]
    found = [
        answer.cost
        for answer in answers
        if answer.cost is not None
        and all(v == int(v) for c, v in answer.point.items() if model.is_integer(c))
    ]
    if not found:
        return "it finds no solution"
    best = min(found)
    for number, answer in enumerate(answers):
        # What was branched is closed below; a side that was not solved has its parent's bound.
        if answer.cost is None or len(branched.get(number, ())) == 2:
            continue
        if (math.ceil(answer.cost) if whole else answer.cost) < best:
            return f"node {number} is open: its bound is {answer.cost * sign}"
    return ""


PROOFS = {
    "row": _row_fault,
    "point": _point_fault,
    "number": _number_fault,
    "multipliers": _multipliers_fault,
    "tree": _tree_fault,
}
"""What is wrong with an answer, by the kind of lesson; nothing where it is right."""
