"""The references after problems of Williams: their data tell every fault in a rule from none.

The audit plants one fault at a time. Here are also whole ideas, right and wrong ones, as students
have them.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import calmip
from calmip.mip.status import Status

MODELS = Path(__file__).parents[2] / "docs" / "course" / "models"
NAMES = sorted(path.stem for path in MODELS.glob("*.py"))

Changes = tuple[tuple[str, str], ...]

RIGHT: dict[str, Changes] = {
    "mining": (  # one row for all blocks above
        ("        for other in needed:\n", "        if needed:\n"),
        (
            'dig[block] <= dig[other], f"above_{block}_{other}"',
            'len(needed) * dig[block] <= pulp.lpSum(dig[one] for one in needed), f"a_{block}"',
        ),
    ),
    "sharing": (  # who stays
        (
            'problem += sold <= most, f"most_{good}"',
            'rest = sum(data["retailers"][name][good] for name in names) - most\n'
            '        stay = pulp.lpSum(data["retailers"][n][good] * (1 - take[n]) for n in names)\n'
            "        problem += stay >= rest",
        ),
    ),
    "blending": (  # needs as a sum; the smallest M is another for each oil, and any that is right
        ('use[oil] <= data["made"] * on[oil]', 'use[oil] <= (data["made"] + 5) * on[oil]'),
    ),
    "power": (  # starts that are no choice
        ('start[p, h] >= on[p, h] - before, f"start_{p}_{h}"', "on[p, h] <= before + start[p, h]"),
    ),
    "maintenance": (  # the machines that run
        (
            'problem += pulp.lpSum(down) == data["down"], "down"',
            'run = pulp.lpSum(data["machines"] - one for one in down)\n'
            '    problem += run == data["machines"] * data["months"] - data["down"]',
        ),
    ),
    "offices": (  # the same as twice one minus the places that are shared
        ('== 1, f"one_{d}"', '>= 1, f"one_{d}"'),
        (
            "    for c in cities:\n        problem += pulp.lpSum(move[d, c] for d in gain)",
            '    problem += pulp.lpSum(move.values()) <= len(gain), "all"\n'
            "    for c in cities:\n        problem += pulp.lpSum(move[d, c] for d in gain)",
        ),
    ),
}

WRONG: dict[str, tuple[Changes, ...]] = {
    "mining": (
        (("dig[block] <= dig[other]", "dig[block] >= dig[other]"),),
        (("dig[block] <= dig[other]", "dig[block] + dig[other] <= 1"),),
        (("for other in needed:", "for other in needed[:1]:"),),
    ),
    "sharing": (
        (("take[one] - take[other] == 0", "take[one] + take[other] == 1"),),
        (("problem += sold <= most", "problem += sold <= most - 1"),),
        (("LpMinimize", "LpMaximize"),),
    ),
    "blending": (
        (('>= data["portion"] * on[oil]', '>= data["portion"]'),),
        (('hard >= data["softest"] * data["made"]', 'hard >= data["softest"]'),),
        (("on[one] <= on[other]", "use[one] <= use[other]"),),
    ),
    "power": (
        (("- before", "- 0"),),
        (('int(p in data["running"])', "0"),),
        (('data["demand"][h] + data["spare"]', 'data["demand"][h]'),),
    ),
    "maintenance": (
        (("before = hold[g, m - 1] if m else 0", "before = 0"),),
        (('data["machines"] - down[m]', 'data["machines"]'),),
        (("pulp.lpSum(hold[g, m] for g in goods)", "hold[goods[0], m]"),),
    ),
    "offices": (
        (("move[one, c] - move[other, c] <= apart[pair]", "move[one, c] <= apart[pair]"),),
        (('== 1, f"one_{d}"', '<= 1, f"one_{d}"'),),
        (("gained - pulp", "gained + pulp"),),
    ),
}


def test_there_are_six_of_them_with_ideas_for_each() -> None:
    assert sorted(RIGHT) == sorted(WRONG) == NAMES
    assert len(NAMES) == 6


@pytest.mark.long
@pytest.mark.parametrize("name", NAMES)
def test_the_data_tell_every_fault_in_a_rule(name: str) -> None:
    found = calmip.grade.model(MODELS / f"{name}.py", audit=True)
    assert found.status is Status.ACCEPTED
    assert found.told == len(found.wrong) >= 14


def changed(name: str, changes: Changes, folder: Path) -> Path:
    text = (MODELS / f"{name}.py").read_text()
    for old, new in changes:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    path = folder / "mine.py"
    path.write_text(text)
    return path


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_right_ideas_have_full_marks(name: str, tmp_path: Path) -> None:
    for changes in ((), RIGHT[name]):
        path = changed(name, changes, tmp_path)
        found = calmip.grade.model(MODELS / f"{name}.py", [path])
        assert found.status is Status.ACCEPTED, [one.fault for one in found.checks]


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_wrong_ideas_are_refused_by_a_point(name: str, tmp_path: Path) -> None:
    for changes in WRONG[name]:
        path = changed(name, changes, tmp_path)
        found = calmip.grade.model(MODELS / f"{name}.py", [path])
        faults = [one.fault for one in found.checks if one.fault]
        assert found.status is Status.REFUSED, changes
        assert not any(one.undecided for one in found.checks), faults
        assert re.search("solution that is wrong|not this solution|ranks solutions", faults[0])
