"""Exercise 19: all optimal solutions of an assignment, and what they have in common; JSON.

The file has ``{"optimum": 17, "number": 6, "always": [["ada", "cut"], ...], "never": [...],
"farthest": [{...}, {...}], "near": 21}``. Five people have 120 assignments, so all are tried.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from calmip._base.errors import join_words
from calmip.course.answers import AnswerParts
from calmip.course.checks import Check, Failed, quote, rational_of, rational_text, run_checks
from calmip.course.dice import Dice

PAGE: dict[str, Any] = {
    "people": ["bo", "cy", "dee", "gil", "hu"],
    "tasks": ["cut", "glue", "pack", "paint", "saw"],
    "cost": [[6, 1, 4, 3, 6], [3, 1, 5, 3, 5], [4, 6, 6, 4, 6], [4, 3, 5, 5, 5], [2, 2, 6, 2, 2]],
}
"""The data of the page."""

SIZE = 5
"""The number of people, and of tasks."""

Assigned = tuple[int, ...]
"""The task of each person."""

Pair = tuple[int, int]


def assignments(data: Mapping[str, Any]) -> dict[Assigned, int]:
    """Return the cost of every assignment."""
    return {
        tasks: sum(int(data["cost"][person][task]) for person, task in enumerate(tasks))
        for tasks in itertools.permutations(range(SIZE))
    }


def optima(data: Mapping[str, Any], slack: int = 0) -> list[Assigned]:
    """Return all assignments that cost at most so much more than the best one."""
    costs = assignments(data)
    least = min(costs.values())
    return [tasks for tasks, cost in costs.items() if cost <= least + slack]


def common(found: Sequence[Assigned]) -> tuple[set[Pair], set[Pair]]:
    """Return the pairs of numbers that all of some assignments have, and those that none has."""
    pairs = set(itertools.product(range(SIZE), range(SIZE)))
    own = [set(enumerate(tasks)) for tasks in found]
    return set.intersection(*own), pairs.difference(*own)


def distance(one: Assigned, other: Assigned) -> int:
    """Return the number of people whose tasks differ."""
    return sum(a != b for a, b in zip(one, other, strict=True))


def farthest(found: Sequence[Assigned]) -> int:
    """Return the largest distance of two assignments."""
    return max(itertools.starmap(distance, itertools.combinations(found, 2)), default=0)


def draw_data(seed: int) -> dict[str, Any]:
    """Draw five people, five tasks and their costs."""
    dice = Dice(seed)
    people = dice.some(["ada", "bo", "cy", "dee", "eli", "fox", "gil", "hu"], SIZE)
    tasks = dice.some(["cut", "drill", "glue", "pack", "paint", "saw", "weld"], SIZE)
    cost = [[1 + dice.below(6) for _ in tasks] for _ in people]
    return {"people": people, "tasks": tasks, "cost": cost}


def is_asked(data: Mapping[str, Any]) -> bool:
    """Return whether there are some optima, not all different, and none of everything."""
    found = optima(data)
    if not 4 <= len(found) <= 12 or not len(found) < len(optima(data, 1)):
        return False
    always, never = common(found)
    return 1 <= len(always) <= 2 and len(never) >= 3 and farthest(found) >= 3


class _AllOptima:
    """The checks of a summary of all optimal assignments."""

    def __init__(self, path: Path, data: Mapping[str, Any]) -> None:
        self.data = data
        self.people: list[str] = list(data["people"])
        self.tasks: list[str] = list(data["tasks"])
        self.optima = optima(data)
        self.numbers: dict[str, Fraction] = {}
        self.pairs: dict[str, set[tuple[int, int]]] = {}
        self.two: list[Assigned] = []
        numbers, pairs = ("optimum", "number", "near"), ("always", "never")
        self.form = {
            **dict.fromkeys(numbers, "..."),
            **dict.fromkeys(pairs, f'[["{self.people[0]}", "{self.tasks[0]}"], ...]'),
            "farthest": "[{...}, {...}]",
        }
        self.parts = AnswerParts(
            path,
            self.form,
            {
                **{name: partial(self._read_number, name) for name in numbers},
                **{name: partial(self._read_pairs, name) for name in pairs},
                "farthest": self._read_farthest,
            },
        )

    def _read_number(self, name: str, given: object) -> None:
        self.numbers[name] = rational_of(given, name)

    def _read_pairs(self, name: str, given: object) -> None:
        if not isinstance(given, list):
            raise Failed(f"{name} is {self.form[name]}")
        self.pairs[name] = set(map(partial(self._pair, name), given))

    def _read_farthest(self, two: object) -> None:
        if not isinstance(two, list) or len(two) != 2:
            raise Failed("farthest is a list of two assignments")
        for one in two:
            if not isinstance(one, dict) or set(one) != set(self.people):
                raise Failed(f"farthest: an assignment has a task for {join_words(self.people)}")
            self.two.append(tuple(self._pair("farthest", list(pair))[1] for pair in one.items()))
            order = [self.people.index(person) for person in one]
            self.two[-1] = tuple(self.two[-1][order.index(n)] for n in range(SIZE))

    def _pair(self, where: str, given: object) -> tuple[int, int]:
        if not isinstance(given, list) or len(given) != 2:
            raise Failed(f"{where} has pairs of a person and a task, not {quote(given)}")
        person, task = given
        for name, known in ((person, self.people), (task, self.tasks)):
            if name not in known:
                raise Failed(f"{where} has {quote(name)}; known are {join_words(known)}")
        return self.people.index(person), self.tasks.index(task)

    def check_number(self, name: str) -> None:
        """Refuse a wrong number."""
        costs = assignments(self.data)
        right = {
            "optimum": min(costs.values()),
            "number": len(self.optima),
            "near": len(optima(self.data, 1)),
        }[name]
        given = self.numbers[name]
        if given != right:
            slip = ""
            if name == "near" and given == right - len(self.optima):
                slip = ", those that cost exactly 1 more: the optimal ones count as well"
            elif name == "number" and given == right - 1:
                slip = ", the number of further ones"
            raise Failed(f"{name} is not {rational_text(given)}{slip}")

    def check_pairs(self, name: str) -> None:
        """Refuse pairs that some optimum lacks, or has, and pairs that are left out."""
        for person, task in sorted(self.pairs[name]):
            for one in self.optima:
                if (one[person] == task) is (name == "never"):
                    raise Failed(
                        f"{name} has {self.people[person]} {self.tasks[task]}, and this is "
                        f"optimal: {self._words(one)}"
                    )
        always, never = common(self.optima)
        if missing := {"always": always, "never": never}[name] - self.pairs[name]:
            ruled_out = all(
                any((person == one) is not (task == other) for one, other in always)
                for person, task in missing
            )
            slip = ": the pairs that always rules out count as well"
            raise Failed(
                f"{len(missing)} {'pair is' if len(missing) == 1 else 'pairs are'} missing in "
                f"{name}{slip if name == 'never' and ruled_out else ''}"
            )

    def check_farthest(self) -> None:
        """Refuse two assignments that are not optimal, or not the farthest ones."""
        for one in self.two:
            if one not in self.optima:
                cost = assignments(self.data).get(one)
                what = "gives a task to two people" if cost is None else f"costs {cost}"
                raise Failed(f"not optimal: {self._words(one)} {what}")
        if distance(*self.two) < farthest(self.optima):
            raise Failed(f"these two differ in {distance(*self.two)} people; others differ in more")

    def _words(self, one: Assigned) -> str:
        return ", ".join(
            f"{person} {self.tasks[task]}" for person, task in zip(self.people, one, strict=True)
        )


def grade_all_optima(path: Path, *, task: Mapping[str, Any] = PAGE) -> tuple[Check, ...]:
    """Mark the number of all optimal assignments, and what they have in common."""
    mine = _AllOptima(path, task)

    def number(name: str) -> Callable[[], object]:
        return mine.parts.after(partial(mine.check_number, name), name)

    def pairs(name: str) -> Callable[[], object]:
        return mine.parts.after(partial(mine.check_pairs, name), name)

    return run_checks(
        [
            ("the file has a summary", 1, mine.parts.read, False),
            ("the optimum is right", 1, number("optimum"), False),
            ("the number of optima is right", 2, number("number"), False),
            ("always has the right pairs", 1, pairs("always"), False),
            ("never has the right pairs", 2, pairs("never"), False),
            (
                "the two optima are the farthest ones",
                2,
                mine.parts.after(mine.check_farthest, "farthest"),
                False,
            ),
            ("the number within 1 is right", 1, number("near"), False),
        ]
    )


def ask(path: Path, data: Mapping[str, Any], draw: Random) -> list[tuple[str, str]]:
    """Return questions about a right answer, each with its own answer."""
    mine = _AllOptima(path, data)
    mine.parts.read()
    costs, (one, other) = assignments(data), mine.two
    same = [mine.people[at] for at in range(SIZE) if one[at] == other[at]]
    person, task = draw.choice(sorted(mine.pairs["never"]))
    best, how = min((cost, tasks) for tasks, cost in costs.items() if tasks[person] == task)
    left = draw.choice(mine.optima)
    near = [tasks for tasks in mine.optima if distance(left, tasks) == 2]
    swap = f"Yes, for example: {mine._words(near[0])}" if near else "No"
    return [
        (
            "Who has the same task in both assignments of your `farthest`?",
            f"{join_words(same) if same else 'Nobody'}.",
        ),
        (
            f"{mine.people[person]} insists on {mine.tasks[task]}. What does the best assignment "
            "cost then?",
            f"{best} instead of {min(costs.values())}, for example: {mine._words(how)}.",
        ),
        (
            f"This is optimal: {mine._words(left)}. Can two people exchange their tasks, so that "
            "it stays optimal?",
            f"{swap}.",
        ),
    ]
