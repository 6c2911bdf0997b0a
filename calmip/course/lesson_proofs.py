"""Whether an answer to a lesson is right, proved by exact arithmetic."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from urllib.parse import unquote

from calmip._base.errors import InputError, join_words
from calmip.course.lesson_files import NUMBER, Lesson, fraction_of
from calmip.mip.files.lp import read_lp
from calmip.mip.files.text_source import TextFile
from calmip.mip.lp.exact_lp import ExactLp
from calmip.mip.lp.inequality import greatest
from calmip.mip.model import Model
from calmip.mip.rows import Bound, Number, is_finite
from calmip.mip.status import Status
from calmip.puzzle.tasks.compare import compare
from calmip.puzzle.tasks.enumerate import enumerate as enumerate_solutions

MAX_SOLUTIONS = 20_000
"""The page counts no more solutions."""

MAX_ANSWER = 20_000
"""Characters of an answer."""

Bounds = dict[int, tuple[Bound, Bound]]
"""The bounds of the columns that a node of a tree branches on."""


def prove(lesson: Lesson) -> None:
    """Raise `InputError` unless the answer to a lesson does what is asked, exactly."""
    if fault := fault_of(lesson):
        raise InputError(f"the answer '{lesson.answer}' is not right: {fault}", path=lesson.name)


def fault_of(lesson: Lesson) -> str:
    """Return what is wrong with the answer to a lesson; nothing if it is right.

    Raises
    ------
    InputError
        If the answer cannot be read, or is not decided.
    """
    if len(lesson.answer) > MAX_ANSWER:
        raise InputError(f"the answer has {len(lesson.answer)} characters; {MAX_ANSWER} are read")
    return PROOFS[lesson.ask["kind"]](lesson)


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
    open_: list[Bounds] = [{}]
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


def with_row(lesson: Lesson, text: str) -> Model:
    """Return the model with a row that is written as in an LP file."""
    names = lesson.model.column_index
    head = ["Minimize", f" obj: 0 {lesson.model.columns[0]}", "Subject To", f" new: {text}", "End"]
    found = read_lp(TextFile(lesson.name, head))
    unknown = [name for name in found.columns if name not in names]
    if unknown or len(found.rows) != 1:
        raise InputError(f"'{text}' is not a row over {join_words(names)}", path=lesson.name)
    row = found.exact_row(0)
    terms = {names[found.columns[c]]: value for c, value in row.terms.items()}
    columns = sorted(terms)
    return lesson.model.with_row("new", columns, row.low, row.high, [terms[c] for c in columns])


def _values(text: str, names: Mapping[str, int]) -> dict[int, Fraction]:
    values = {}
    for part in text.split():
        name, _, number = part.partition("=")
        if name not in names:
            raise InputError(f"'{part}' is not NAME=NUMBER; the names are {join_words(names)}")
        values[names[name]] = fraction_of(number, f"'{part}' is not NAME=NUMBER")
    return values


def _beats(lesson: Lesson, value: Fraction, goal: float) -> bool:
    """Whether a value is better than a goal: greater, where the objective is maximised."""
    return value > Fraction(str(goal)) if lesson.model.maximise else value < Fraction(str(goal))


def _cuts_off(more: Model, model: Model) -> bool:
    """Whether a model with a row more has fewer solutions."""
    found = compare(more, model).feasible_set
    if found == "unknown":
        raise InputError("whether it cuts off a solution was not decided")
    return found != "same"


def _row_fault(lesson: Lesson) -> str:
    model, ask = lesson.model, lesson.ask
    more = with_row(lesson, lesson.answer)
    if ask.get("keeps") == "optimum":
        before, after = optimum(model), optimum(more)
        if before != after:
            return f"it changes the optimum from {before} to {after}"
    elif _cuts_off(more, model):
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
    given = fraction_of(lesson.answer, f"'{lesson.answer}' is not a number")
    return "" if right == given else f"it is {right}"


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
    nodes: list[Bounds] = []
    children: dict[int, list[tuple[int, tuple[Bound, Bound]]]] = {}
    for step in lesson.answer.split(";"):
        at, _, words = step.partition(".")
        name, _, words = words.partition(".")
        if step == "root" and not nodes:
            nodes.append({})
        elif name == "cut":
            changed = with_row(lesson, _cut_text(words))
            if _cuts_off(changed, lesson.model):
                return f"the cut {step} cuts off a solution"
            row = changed.exact_row(len(changed.rows) - 1)
            model = model.with_row(
                f"cut{len(model.rows)}", list(row.terms), row.low, row.high, [*row.terms.values()]
            )
        else:
            parent = int(at) if at.isdecimal() and len(at) < 6 else len(nodes)
            column = model.column_index.get(name, -1)
            key = re.fullmatch(r"([≥≤]?)(-?\d{1,15})", unquote(words))
            if parent >= len(nodes) or column < 0 or not model.is_integer(column) or key is None:
                raise InputError(f"'{step}' is not a step of a tree: NODE.COLUMN.VALUE")
            low, high = nodes[parent].get(column, model.bounds(column))
            number = int(key[2])
            if not low <= number <= high:
                raise InputError(f"'{step}' is not a step of a tree: {number} is out of bounds")
            side = {"≥": (number, high), "≤": (low, number)}.get(key[1], (number, number))
            nodes.append({**nodes[parent], column: side})
            children.setdefault(parent, []).append((column, side))
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
    for number, (bounds, answer) in enumerate(zip(nodes, answers, strict=True)):
        # What was branched is closed below; a side that was not solved has its parent's bound.
        if answer.cost is None or _is_branched(model, bounds, children.get(number, [])):
            continue
        if (math.ceil(answer.cost) if whole else answer.cost) < best:
            return f"node {number} is open: its bound is {answer.cost * sign}"
    return ""


def _cut_text(words: str) -> str:
    """Return the row of a cut whose step has its right side and its columns, with their values."""
    most, *names = re.split(r"\.(?=[A-Za-z_])", words)
    parts = [name.partition("*") for name in names]
    terms = " ".join(
        f"{value if value.startswith('-') else '+' + (value or '1')} {name}"
        for name, _, value in parts
    )
    if not all(NUMBER.fullmatch(one) for one in (most, *(value or "1" for _, _, value in parts))):
        raise InputError(f"'{words}' is not a cut: SIDE.COLUMN*VALUE")
    return f"{terms} <= {most}"


def _is_branched(
    model: Model, bounds: Bounds, children: Sequence[tuple[int, tuple[Bound, Bound]]]
) -> bool:
    """Whether two children leave no integer of one column out."""
    if len(children) != 2 or children[0][0] != children[1][0]:
        return False
    column = children[0][0]
    low, high = bounds.get(column, model.bounds(column))
    (first, down), (up, last) = sorted(side for _, side in children)
    return first <= low and high <= last and up <= down + 1


PROOFS = {
    "row": _row_fault,
    "point": _point_fault,
    "number": _number_fault,
    "multipliers": _multipliers_fault,
    "tree": _tree_fault,
}
"""What is wrong with an answer, by the kind of lesson; nothing where it is right."""
