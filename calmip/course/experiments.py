"""Exercise 20: what a campaign of two settings shows, and what it does not; JSON.

The file has ``{"solved": {...}, "mean": {...}, "wins": {...}, "seeds": [2], "interval": [0.7, 1.2],
"faster": "open"}``. The interval is that of the median of the instances' ratios, by order
statistics, so nothing is drawn and nothing is assumed about how seconds are distributed.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

from calmip.course.answers import AnswerParts
from calmip.course.checks import Check, Failed, quote, rational_of, rational_text, run_checks
from calmip.course.dice import Dice

PAGE: dict[str, Any] = {
    "limit": 60,
    "shift": 1,
    "runs": {
        "i01": {"A": [22.2, None, None], "B": [8.5, 32.7, 29.1]},
        "i02": {"A": [22.1, 17.5, 20.5], "B": [29.2, 13.0, 16.6]},
        "i03": {"A": [3.6, 5.4, 8.2], "B": [6.2, 5.9, 5.9]},
        "i04": {"A": [0.3, 0.5, 0.3], "B": [0.4, 0.4, 0.1]},
        "i05": {"A": [4.3, 2.8, 1.2], "B": [3.3, 4.3, 2.6]},
        "i06": {"A": [0.1, 0.4, 0.3], "B": [0.5, 0.5, 0.5]},
        "i07": {"A": [9.5, 4.2, 2.7], "B": [4.0, 4.9, 2.5]},
        "i08": {"A": [0.2, 0.2, 0.9], "B": [0.4, 0.2, 1.0]},
        "i09": {"A": [9.9, 10.2, 3.3], "B": [3.8, 1.5, 3.2]},
        "i10": {"A": [9.1, 4.3, 4.2], "B": [5.4, 3.7, 9.2]},
        "i11": {"A": [0.1, 0.2, 0.3], "B": [0.1, 0.2, 0.1]},
        "i12": {"A": [22.3, 30.9, 20.9], "B": [20.7, 21.2, 33.4]},
    },
}
"""The data of the page."""

SETTINGS = ("A", "B")
SEEDS = 3
INSTANCES = 12
"""The instances of a campaign."""

RANK = 3
"""The interval is from this ratio to that which is as far from the other end."""

LEVEL = Fraction(96, 100)
"""The least probability that the interval has the median."""

TOLERANCE = Fraction(1, 200)
"""Of means and ratios, relative: students round."""

Runs = Mapping[str, Mapping[str, Sequence[float | None]]]


def coverage(number: int, rank: int) -> Fraction:
    """Return the least probability that two order statistics have the median between them."""
    below = sum(math.comb(number, k) for k in range(rank))
    return 1 - Fraction(2 * below, 2**number)


def seconds(data: Mapping[str, Any], instance: str, setting: str) -> list[Fraction]:
    """Return the seconds of an instance by seed, the limit where it was reached."""
    limit = Fraction(data["limit"])
    found: Sequence[float | None] = data["runs"][instance][setting]
    return [limit if one is None else Fraction(str(one)) for one in found]


def every(data: Mapping[str, Any], setting: str, seed: int | None = None) -> list[Fraction]:
    """Return the seconds of all runs of a setting, or of those with one seed."""
    runs = [seconds(data, instance, setting) for instance in data["runs"]]
    return [one for times in runs for at, one in enumerate(times) if seed in (None, at)]


def shifted_mean(times: Sequence[Fraction], shift: float) -> float:
    """Return the shifted geometric mean."""
    logs = math.fsum(math.log(float(one) + shift) for one in times)
    return math.exp(logs / len(times)) - shift


def means(data: Mapping[str, Any], seed: int | None = None) -> dict[str, float]:
    """Return the shifted geometric mean of each setting."""
    return {one: shifted_mean(every(data, one, seed), data["shift"]) for one in SETTINGS}


def solved(data: Mapping[str, Any]) -> dict[str, int]:
    """Return the runs of each setting that ended within the limit."""
    runs: Runs = data["runs"]
    return {
        setting: sum(one is not None for times in runs.values() for one in times[setting])
        for setting in SETTINGS
    }


def ratios(data: Mapping[str, Any]) -> dict[str, Fraction]:
    """Return for each instance the median seconds of A over those of B."""
    return {
        instance: _median(seconds(data, instance, "A")) / _median(seconds(data, instance, "B"))
        for instance in data["runs"]
    }


def _median(times: Sequence[Fraction]) -> Fraction:
    return sorted(times)[len(times) // 2]


def wins(data: Mapping[str, Any]) -> dict[str, int]:
    """Return on how many instances each setting has the smaller median."""
    found = ratios(data).values()
    return {"A": sum(one < 1 for one in found), "B": sum(one > 1 for one in found)}


def interval(data: Mapping[str, Any]) -> tuple[Fraction, Fraction]:
    """Return the interval for the median ratio."""
    found = sorted(ratios(data).values())
    return found[RANK - 1], found[-RANK]


def faster(data: Mapping[str, Any]) -> str:
    """Return the setting that is faster in the median, or ``open`` if the interval has 1."""
    low, high = interval(data)
    return "A" if high < 1 else "B" if low > 1 else "open"


def disagreeing(data: Mapping[str, Any]) -> set[int]:
    """Return the seeds, from 1, that alone rank the means the other way."""
    first = _first(means(data))
    return {seed + 1 for seed in range(SEEDS) if _first(means(data, seed)) != first}


def _first(found: Mapping[str, float]) -> str:
    return min(found, key=lambda one: found[one])


def draw_data(seed: int) -> dict[str, Any]:
    """Draw the seconds of two settings on twelve instances with three seeds."""
    dice = Dice(seed)
    limit, gain = 60, 35 + dice.below(100)
    runs: dict[str, dict[str, list[float | None]]] = {}
    for number in range(1, INSTANCES + 1):
        base = 3 * 2 ** dice.below(8)  # tenths of a second
        own = {"A": 60 + dice.below(80), "B": (60 + dice.below(80)) * gain // 100}
        runs[f"i{number:02}"] = {
            setting: [
                None if (tenths := base * size * (40 + dice.below(160)) // 10000) > 10 * limit
                else max(1, tenths) / 10
                for _ in range(SEEDS)
            ]
            for setting, size in own.items()
        }  # fmt: skip
    return {"limit": limit, "shift": 1, "runs": runs}


def is_asked(data: Mapping[str, Any]) -> bool:
    """Return whether seeds disagree, limits matter, and no two ranks of a ratio are the same."""
    if min(solved(data).values()) == INSTANCES * SEEDS or len(disagreeing(data)) == SEEDS:
        return False
    if not disagreeing(data) and faster(data) == "open":
        return False
    found = sorted(ratios(data).values())
    near = [found[RANK - 2 : RANK + 1], found[-RANK - 1 : INSTANCES - RANK + 2]]
    apart = 1 + 3 * TOLERANCE
    if any(other < one * apart for part in near for one, other in pairwise(part)):
        return False
    average = means(data)
    far = abs(average["A"] - average["B"]) > 0.02 * average["A"]
    return far and 1 not in found


class _Experiment:
    """The checks of what was read off a campaign."""

    def __init__(self, path: Path, data: Mapping[str, Any]) -> None:
        self.data = data
        both = ("solved", "mean", "wins")
        self.form = {
            **dict.fromkeys(both, '{"A": ..., "B": ...}'),
            "seeds": "[...]",
            "interval": "[..., ...]",
            "faster": '"A", "B" or "open"',
        }
        self.parts = AnswerParts(
            path,
            self.form,
            {
                **{name: partial(self._read_both, name) for name in both},
                "seeds": self._read_seeds,
                "interval": self._read_interval,
                "faster": self._read_faster,
            },
        )
        self.given: dict[str, dict[str, Fraction]] = {}
        self.seeds: set[Fraction] = set()
        self.interval: list[Fraction] = []
        self.faster = ""

    def _read_both(self, name: str, given: object) -> None:
        if not isinstance(given, dict) or set(given) != set(SETTINGS):
            raise Failed(f"{name} is {self.form[name]}")
        self.given[name] = {
            one: rational_of(value, f"{name} of {one}") for one, value in given.items()
        }

    def _read_seeds(self, given: object) -> None:
        if not isinstance(given, list):
            raise Failed(f"seeds is a list, not {quote(given)}")
        self.seeds = {rational_of(one, "a seed") for one in given}

    def _read_interval(self, given: object) -> None:
        if not isinstance(given, list):
            raise Failed(f"interval is a list, not {quote(given)}")
        self.interval = [rational_of(one, "an end of the interval") for one in given]
        if len(self.interval) != 2:
            raise Failed("interval has two ends")

    def _read_faster(self, given: object) -> None:
        self.faster = str(given)
        if self.faster not in (*SETTINGS, "open"):
            raise Failed(f"faster is {self.form['faster']}, not {quote(given)}")

    def check_counts(self, name: str, right: Mapping[str, int]) -> None:
        """Refuse a wrong number of runs or instances."""
        for one in SETTINGS:
            if self.given[name][one] != right[one]:
                raise Failed(f"{name} of {one} is not {rational_text(self.given[name][one])}")

    def check_means(self) -> None:
        """Refuse a wrong shifted geometric mean, and say which other mean it is."""
        right = means(self.data)
        for one in SETTINGS:
            given = self.given["mean"][one]
            if not _near(given, right[one]):
                times, shift = every(self.data, one), self.data["shift"]
                ended = [t for t in times if t < self.data["limit"]]
                others = {
                    "the arithmetic mean": float(sum(times) / len(times)),
                    "the geometric mean without the shift": shifted_mean(times, 0),
                    "the mean of the runs that ended; a limit counts as well": shifted_mean(
                        ended, shift
                    ),
                    "the mean plus the shift": right[one] + shift,
                }
                slip = next((f", {text}" for text, n in others.items() if _near(given, n)), "")
                raise Failed(f"the mean of {one} is not {_decimal(given)}{slip}")

    def check_seeds(self) -> None:
        """Refuse other seeds than those that rank the settings the other way."""
        right = disagreeing(self.data)
        for seed in sorted(self.seeds):
            if seed not in right:
                raise Failed(f"seed {rational_text(seed)} ranks the means as all seeds do")
        if len(self.seeds) < len(right):
            raise Failed("a further seed ranks the means the other way")

    def check_interval(self) -> None:
        """Refuse another interval than that of the order statistics."""
        low, high = self.interval
        found = sorted(ratios(self.data).values())
        right = interval(self.data)
        if low > high:
            raise Failed("the ends of the interval are exchanged")
        if not (_near(low, float(right[0])) and _near(high, float(right[1]))):
            slip = ""
            if _near(low, float(1 / right[1])) and _near(high, float(1 / right[0])):
                slip = ": these are ratios of B over A"
            for rank in range(1, INSTANCES // 2):
                ends = found[rank - 1], found[-rank]
                if _near(low, float(ends[0])) and _near(high, float(ends[1])):
                    slip = (
                        f": from ratio {rank} to {INSTANCES + 1 - rank} the probability is "
                        f"{float(coverage(INSTANCES, rank)):.1%}"
                    )
            raise Failed(f"the interval is not {_decimal(low)} to {_decimal(high)}{slip}")

    def check_faster(self) -> None:
        """Refuse a verdict that the interval does not give; without it, it is a guess."""
        self.check_interval()
        right = faster(self.data)
        if self.faster != right:
            if right == "open":
                raise Failed(f"{self.faster} is not shown to be faster: the interval has 1 inside")
            raise Failed(f"{quote(self.faster)} is not what the interval says")


def grade_experiment(path: Path, *, task: Mapping[str, Any] = PAGE) -> tuple[Check, ...]:
    """Mark what was read off a campaign of two settings."""
    mine = _Experiment(path, task)
    after = mine.parts.after
    runs = partial(mine.check_counts, "solved", solved(task))
    instances = partial(mine.check_counts, "wins", wins(task))
    return run_checks(
        [
            ("the file has all results", 1, mine.parts.read, False),
            ("the solved runs are counted", 1, after(runs, "solved"), False),
            (
                "the means are shifted geometric means",
                2,
                after(mine.check_means, "mean"),
                False,
            ),
            (
                "the instances that each setting wins are counted",
                1,
                after(instances, "wins"),
                False,
            ),
            ("the seeds that disagree are named", 2, after(mine.check_seeds, "seeds"), False),
            (
                "the interval has the median with 96 %",
                2,
                after(mine.check_interval, "interval"),
                False,
            ),
            (
                "the verdict is that of the interval",
                1,
                after(mine.check_faster, "interval", "faster"),
                False,
            ),
        ]
    )


def _near(given: Fraction, right: float) -> bool:
    return abs(float(given) - right) <= float(TOLERANCE) * abs(right)


def _decimal(number: Fraction) -> str:
    return f"{float(number):.4g}"
