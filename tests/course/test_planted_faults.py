"""A rostering assignment: every right formulation passes, and each planted fault is shown."""

from __future__ import annotations

from typing import Any

import pytest
from requirements import need_package

from calmip.course.checks import Failed, Undecided
from calmip.course.references import ReferenceComparison, compare_with_reference
from calmip.mip.files.objects import read_object
from calmip.mip.model import Model

pytestmark = pytest.mark.long

PROGRAM = """
import pulp

SHIFTS = ["early", "late"]


def build(data):
    nurses, days, most = data["nurses"], range(data["days"]), data["most"]
    problem = pulp.LpProblem("roster", pulp.LpMinimize)
    works = {
        (n, d, s): problem.add_variable(f"works_{n}_{d}_{s}", cat="Binary")
        for n in nurses for d in days for s in SHIFTS
    }
    problem += pulp.lpSum(
        data["dislikes"][n][d % 2] * works[n, d, s] for n in nurses for d in days for s in SHIFTS
    )
    for d in days:
        for s, need in zip(SHIFTS, data["need"]):
            problem += pulp.lpSum(works[n, d, s] for n in nurses) == need, f"need_{d}_{s}"
    for n in nurses:
        for d in days:
            problem += works[n, d, "early"] + works[n, d, "late"] <= 1, f"one_{n}_{d}"
        for d in days[1:]:
            problem += works[n, d - 1, "late"] + works[n, d, "early"] <= 1, f"rest_{n}_{d}"
        problem += pulp.lpSum(works[n, d, s] for d in days for s in SHIFTS) <= most, f"most_{n}"
    return problem
"""

DATA = {
    "three": {
        "nurses": ["ann", "ben", "cat", "dan"],
        "days": 3,
        "need": [2, 1],
        "most": 3,
        "dislikes": {"ann": [1, 3], "ben": [2, 2], "cat": [3, 1], "dan": [2, 5]},
    },
    "four": {
        "nurses": ["ann", "ben", "cat"],
        "days": 4,
        "need": [1, 1],
        "most": 3,
        "dislikes": {"ann": [4, 1], "ben": [1, 2], "cat": [2, 7]},
    },
}

NEED = 'pulp.lpSum(works[n, d, s] for n in nurses) == need, f"need_{d}_{s}"'
ONE = 'works[n, d, "early"] + works[n, d, "late"] <= 1, f"one_{n}_{d}"'
REST = 'works[n, d - 1, "late"] + works[n, d, "early"] <= 1, f"rest_{n}_{d}"'
AT_MOST = 'pulp.lpSum(works[n, d, s] for d in days for s in SHIFTS) <= most, f"most_{n}"'
COST = 'data["dislikes"][n][d % 2] * works[n, d, s]'
NAME = 'f"works_{n}_{d}_{s}", cat="Binary"'
TOTAL = 'len(days) * sum(data["need"])'
END = "    return problem"

RIGHT = [
    (
        NEED,
        'pulp.lpSum(works[n, d, s] for n in nurses) >= need, f"need_{d}_{s}"\n'
        "            problem += pulp.lpSum(works[n, d, s] for n in nurses) <= need",
    ),
    (NEED, "2 * pulp.lpSum(works[n, d, s] for n in nurses) == 2 * need"),
    (ONE, 'works[n, d, "early"] <= 1 - works[n, d, "late"]'),
    (ONE, '3 * works[n, d, "early"] + 3 * works[n, d, "late"] <= 5'),
    (REST, 'works[n, d, "early"] - 1 <= -works[n, d - 1, "late"]'),
    # A clique of three instead of the two pairs.
    (
        REST,
        'works[n, d - 1, "late"] + works[n, d, "early"] + works[n, d, "late"]'
        ' <= 1 + works[n, d, "late"]',
    ),
    (AT_MOST, "pulp.lpSum(works[n, d, s] for d in days for s in SHIFTS) <= most + 0.5"),
    (
        AT_MOST,
        f"pulp.lpSum(works[m, d, s] for m in nurses for d in days for s in SHIFTS if m != n)"
        f" >= {TOTAL} - most",
    ),
    (COST, '10 * data["dislikes"][n][d % 2] * works[n, d, s]'),
    (COST, '(data["dislikes"][n][d % 2] + 1) * works[n, d, s]'),
    ("LpMinimize", "LpMaximize"),
    (NAME, 'f"works[{n},{d},{s}]", cat="Binary"'),
    (NAME, 'f"works_{n}_{s}_{d}", cat="Binary"'),
    (NAME, 'f"works_{n}_{d}_{s}", lowBound=0, upBound=1, cat="Integer"'),
    (END, '    problem += pulp.lpSum(works.values()) == len(days) * sum(data["need"])\n' + END),
    (
        END,
        '    count = {n: problem.add_variable(f"count_{n}", lowBound=0) for n in nurses}\n'
        "    for n in nurses:\n"
        "        own = pulp.lpSum(works[n, d, s] for d in days for s in SHIFTS)\n"
        "        problem += count[n] == own\n"
        "        problem += count[n] <= most\n" + END,
    ),
    (
        END,
        '    off = {k: problem.add_variable(f"off_{k[0]}_{k[1]}", cat="Binary")'
        " for k in {k[:2] for k in works}}\n"
        "    for n, d in off:\n"
        '        problem += works[n, d, "early"] + works[n, d, "late"] + off[n, d] == 1\n' + END,
    ),
]

WRONG = [
    (NEED, "pulp.lpSum(works[n, d, s] for n in nurses) >= need"),
    (NEED, "pulp.lpSum(works[n, d, s] for n in nurses) <= need"),
    (NEED, "pulp.lpSum(works[n, d, s] for n in nurses) == 1"),
    (NEED, "pulp.lpSum(works[n, d, s] for n in nurses) == need + (d == 0)"),
    (NEED, "pulp.lpSum(works[n, d, s] for n in list(nurses)[1:]) == need"),
    ("zip(SHIFTS, data", "zip(SHIFTS[:1], data"),
    ('zip(SHIFTS, data["need"])', 'zip(SHIFTS, [data["need"][0] + 1, data["need"][1]])'),
    (ONE, 'works[n, d, "early"] + works[n, d, "late"] <= 2'),
    (ONE, 'works[n, d, "early"] + works[n, d, "late"] == 1'),
    (ONE, 'works[n, 0, "early"] + works[n, 0, "late"] <= 1'),
    (ONE, 'works[n, d, "early"] <= works[n, d, "late"]'),
    (REST, 'works[n, d - 1, "late"] + works[n, d, "early"] <= 2'),
    (REST, 'works[n, d - 1, "early"] + works[n, d, "late"] <= 1'),
    (REST, 'works[n, d, "late"] + works[n, d - 1, "late"] <= 1'),
    (REST, 'works[n, d - 1, "late"] + works[n, d, "early"] >= 1'),
    ("days[1:]", "days[2:]"),
    (REST, 'works[n, d - 1, "late"] + pulp.lpSum(works[n, e, "early"] for e in days) <= 1'),
    (AT_MOST, "pulp.lpSum(works[n, d, s] for d in days for s in SHIFTS) <= most - 1"),
    (AT_MOST, "pulp.lpSum(works[n, d, s] for d in days for s in SHIFTS) <= most + 1"),
    (AT_MOST, 'pulp.lpSum(works[n, d, "late"] for d in days) <= most'),
    (AT_MOST, "pulp.lpSum(works[n, d, s] for d in days for s in SHIFTS) >= most"),
    (NAME, 'f"works_{n}_{d}_{s}", lowBound=0, upBound=1'),
    (NAME, 'f"works_{n}_{len(days) - 1 - d}_{s}", cat="Binary"'),
    (COST, 'data["dislikes"][n][0] * works[n, d, s]'),
    (COST, '-data["dislikes"][n][d % 2] * works[n, d, s]'),
    (COST, 'data["dislikes"][n][d % 2] * works[n, d, "late"]'),
    ("return problem", 'problem += works[nurses[0], 0, "late"] == 1\n    return problem'),
]


def models(program: str) -> list[Model]:
    names: dict[str, Any] = {}
    exec(compile(program, "program.py", "exec"), names)
    found = [read_object(names["build"](data)) for data in DATA.values()]
    return [one for one in found if one is not None]


def compared(program: str) -> list[tuple[ReferenceComparison | None, list[Failed]]]:
    need_package("pulp")
    found: list[tuple[ReferenceComparison | None, list[Failed]]] = []
    for handed, reference in zip(models(program), models(PROGRAM), strict=True):
        faults: list[Failed] = []
        one = None
        try:
            one = compare_with_reference(handed, reference, columns=["works*"])
        except Failed as failed:
            faults.append(failed)
        else:
            for check in (one.check_solutions, one.check_objective):
                try:
                    check()
                except Failed as failed:
                    faults.append(failed)
        found.append((one, faults))
    return found


def test_the_lists_are_long_and_every_program_another() -> None:
    assert len(set(RIGHT)) == len(RIGHT) >= 12
    assert len(set(WRONG)) == len(WRONG) >= 25
    assert all(old in PROGRAM for old, _ in RIGHT + WRONG)


@pytest.mark.parametrize(("old", "new"), RIGHT)
def test_a_right_formulation_passes(old: str, new: str) -> None:
    if new == "LpMaximize":
        program = PROGRAM.replace(old, new).replace(COST, f"-{COST}")
    else:
        program = PROGRAM.replace(old, new)
    for _, faults in compared(program):
        assert not faults


@pytest.mark.parametrize(("old", "new"), WRONG)
def test_a_planted_fault_is_shown(old: str, new: str) -> None:
    """Each point is checked once more here, on both models."""
    found = compared(PROGRAM.replace(old, new))
    faults = [fault for _, some in found for fault in some]
    assert faults
    assert not any(isinstance(fault, Undecided) for fault in faults)
    for one, _ in found:
        if one is None:
            continue
        if (point := one.wrong.point) is not None:
            assert not list(one.model.violations(point))
            theirs = {t: point[o] for t, o in one.pairing.columns.items() if o in point}
            assert list(one.reference.violations(theirs))
        if (point := one.missing.point) is not None:
            assert not list(one.reference.violations(point))
