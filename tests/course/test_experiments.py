"""Exercise 20: right results in many roundings, wrong ones by what they measure instead."""

from __future__ import annotations

import itertools
import json
from fractions import Fraction
from pathlib import Path
from statistics import fmean, geometric_mean, median
from typing import Any

import pytest
from marked_answers import answers_battery, mark, reference, replaced

from calmip.course.assignments import assign
from calmip.course.experiments import (
    INSTANCES,
    LEVEL,
    PAGE,
    RANK,
    coverage,
    disagreeing,
    faster,
    interval,
    is_asked,
    means,
    ratios,
    solved,
    wins,
)


def with_(*path: Any, by: Any) -> str:
    return replaced("20", *path, by=by)


TIMES = {s: [t or 60 for runs in PAGE["runs"].values() for t in runs[s]] for s in "AB"}
ENDED = {s: [t for runs in PAGE["runs"].values() for t in runs[s] if t] for s in "AB"}


def shifted(times: list[float]) -> float:
    return geometric_mean([t + 1 for t in times]) - 1


def mean(a: float, b: float) -> str:
    return with_("mean", by={"A": a, "B": b})


RIGHT = {
    "the reference": reference("20"),
    "three digits": mean(4.29, 3.72),
    "many digits": mean(4.287614300609603, 3.7246911677534174),
    "means as text": with_("mean", by={"A": "4.288", "B": "3.725"}),
    "a half per cent": mean(4.30, 3.72),
    "counts as decimals": with_("solved", by={"A": 34.0, "B": 36}),
    "a seed as text": with_("seeds", by=["3"]),
    "a seed twice": with_("seeds", by=[3, 3]),
    "fractions": with_("interval", by=["3/4", "4/2"]),
    "a rounded interval": with_("interval", by=[0.7501, 1.999]),
    "wins as text": with_("wins", by={"B": "6", "A": "6"}),
    "another order": json.dumps(dict(reversed(json.loads(reference("20")).items()))),
}

ORDERED = [float(one) for one in sorted(ratios(PAGE).values())]
WRONG: dict[str, tuple[str, int, str]] = {
    "limits count as solved": (with_("solved", by={"A": 36, "B": 36}), 9, "solved of A is not 36"),
    "instances are counted": (with_("solved", by={"A": 11, "B": 12}), 9, "solved of A is not 11"),
    "exchanged counts": (with_("solved", by={"A": 36, "B": 34}), 9, "solved of A"),
    "arithmetic means": (mean(fmean(TIMES["A"]), fmean(TIMES["B"])), 8, "the arithmetic mean"),
    "geometric means": (mean(geometric_mean(TIMES["A"]), geometric_mean(TIMES["B"])), 8,
                        "without the shift"),
    "limits are left out": (mean(shifted(ENDED["A"]), shifted(ENDED["B"])), 8,
                            "a limit counts as well"),
    "the shift is not taken off": (mean(5.288, 4.725), 8, "the mean plus the shift"),
    "medians": (mean(median(TIMES["A"]), median(TIMES["B"])), 8, "the mean of A is not"),
    "means exchanged": (mean(3.725, 4.288), 8, "the mean of A is not 3.725"),
    "the mean of one seed": (mean(*means(PAGE, 0).values()), 8, "the mean of A is not"),
    "rounded too much": (mean(4, 4), 8, "the mean of A is not 4"),
    "wins of the first seed": (with_("wins", by={"A": 7, "B": 5}), 9, "wins of A is not 7"),
    "wins of runs": (with_("wins", by={"A": 16, "B": 18}), 9, "wins of A is not 16"),
    "no seed": (with_("seeds", by=[]), 8, "a further seed ranks"),
    "all seeds": (with_("seeds", by=[1, 2, 3]), 8, "seed 1 ranks the means as all seeds do"),
    "another seed": (with_("seeds", by=[2]), 8, "seed 2 ranks the means as all"),
    "counted from 0": (with_("seeds", by=[0, 3]), 8, "seed 0 ranks"),
    "the second and the eleventh": (with_("interval", by=[ORDERED[1], ORDERED[-2]]), 7,
                                    "from ratio 2 to 11 the probability is 99.4%"),
    "the fourth and the ninth": (with_("interval", by=[ORDERED[3], ORDERED[-4]]), 7,
                                 "from ratio 4 to 9 the probability is 85.4%"),
    "the least and the largest": (with_("interval", by=[ORDERED[0], ORDERED[-1]]), 7,
                                  "from ratio 1 to 12"),
    "B over A": (with_("interval", by=[0.5, 4 / 3]), 7, "these are ratios of B over A"),
    "the ends are exchanged": (with_("interval", by=[2, 0.75]), 7, "the ends of the interval"),
    "a point": (with_("interval", by=[1.151, 1.151]), 7, "the interval is not 1.151 to 1.151"),
    "A is faster": (with_("faster", by="A"), 9, "A is not shown to be faster"),
    "B is faster by its mean": (with_("faster", by="B"), 9, "the interval has 1 inside"),
    "no verdict": (with_("faster", by="both"), 8, 'faster is "A", "B" or "open"'),
    "one end": (with_("interval", by=[0.75]), 6, "interval has two ends"),
    "a text as an end": (with_("interval", by=["low", "high"]), 6, "is a number such as"),
    "a setting is missing": (with_("mean", by={"A": 4.288}), 7, 'mean is {"A"'),
    "seeds as a number": (with_("seeds", by=3), 7, "seeds is a list"),
    "no interval": (with_("interval", by=...), 6, "the file is {"),
    "no JSON": ("A is faster", 0, "is not JSON"),
}  # fmt: skip


TestAnswers = answers_battery("20", RIGHT, WRONG)


def test_the_interval_has_the_median_as_often_as_the_page_says() -> None:
    """By all ways in which twelve ratios can lie above and below the median."""
    for rank in range(1, 6):
        inside = sum(
            rank <= sum(sides) <= INSTANCES - rank
            for sides in itertools.product((0, 1), repeat=INSTANCES)
        )
        assert coverage(INSTANCES, rank) == Fraction(inside, 2**INSTANCES)
    assert coverage(INSTANCES, RANK) >= LEVEL > coverage(INSTANCES, RANK + 1)
    assert float(coverage(INSTANCES, RANK)) == pytest.approx(0.9614, abs=1e-4)


def test_what_is_drawn_is_asked_and_has_its_own_results(tmp_path: Path) -> None:
    drawn: list[Any] = [one.task for one in assign("20", ["ada", "bo", "cy"]).values()]
    for data in (PAGE, *drawn):
        assert is_asked(data)
        for setting, found in means(data).items():
            times = [t or 60 for runs in data["runs"].values() for t in runs[setting]]
            assert found == pytest.approx(shifted(times))
        assert 1 <= sum(wins(data).values()) <= INSTANCES
        low, high = interval(data)
        assert sum(one < low for one in ratios(data).values()) == RANK - 1
        assert sum(one > high for one in ratios(data).values()) == RANK - 1
        answer = {
            "solved": solved(data),
            "mean": {one: round(number, 4) for one, number in means(data).items()},
            "wins": wins(data),
            "seeds": sorted(disagreeing(data)),
            "interval": [float(low), float(high)],
            "faster": faster(data),
        }
        assert mark("20", json.dumps(answer), tmp_path, task=data) == (10, [])
        if data is not PAGE:
            assert mark("20", reference("20"), tmp_path, task=data)[0] <= 3
