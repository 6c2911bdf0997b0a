"""Exercise 19: right summaries in many forms, wrong ones by an optimum that contradicts them."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any

from marked_answers import answers_battery, mark, reference, replaced

from calmip.course.all_optima import PAGE, SIZE, assignments, common, farthest, is_asked, optima
from calmip.course.assignments import assign

ANSWER = json.loads(reference("19"))
NEVER, FAR = ANSWER["never"], ANSWER["farthest"]


def with_(*path: Any, by: Any) -> str:
    return replaced("19", *path, by=by)


RIGHT = {
    "the reference": reference("19"),
    "another order of pairs": with_("never", by=NEVER[::-1]),
    "a pair twice": with_("never", by=[*NEVER, NEVER[0]]),
    "the two exchanged": with_("farthest", by=FAR[::-1]),
    "people in another order": with_("farthest", 0, by=dict(reversed(FAR[0].items()))),
    "both in another order": with_("farthest", by=[dict(sorted(one.items())[::-1]) for one in FAR]),
    "the optimum as text": with_("optimum", by="15"),
    "the optimum as a decimal": with_("optimum", by=15.0),
    "the number as text": with_("number", by="4"),
    "near as a fraction": with_("near", by="24/2"),
    "always twice": with_("always", by=[["hu", "saw"], ["hu", "saw"]]),
    "another order of keys": json.dumps(dict(reversed(ANSWER.items()))),
}

WRONG: dict[str, tuple[str, int, str]] = {
    "one optimum": (with_("number", by=1), 8, "number is not 1"),
    "without the first": (with_("number", by=3), 8, "the number of further ones"),
    "one too many": (with_("number", by=5), 8, "number is not 5"),
    "all assignments": (with_("number", by=120), 8, "number is not 120"),
    "a better optimum": (with_("optimum", by=14), 9, "optimum is not 14"),
    "a worse optimum": (with_("optimum", by=16), 9, "optimum is not 16"),
    "the cheapest tasks": (with_("optimum", by=11), 9, "optimum is not 11"),
    "half an optimum": (with_("optimum", by=14.5), 9, "optimum is not 29/2"),
    "exactly 1 more": (with_("near", by=8), 9, "the optimal ones count as well"),
    "near is the number": (with_("near", by=4), 9, "near is not 4"),
    "near by 2": (with_("near", by=len(optima(PAGE, 2))), 9, "near is not"),
    "always is empty": (with_("always", by=[]), 9, "1 pair is missing in always"),
    "always of one optimum": (with_("always", by=[["hu", "saw"], ["bo", "glue"]]), 9,
                              "always has bo glue, and this is optimal"),
    "always of all of them": (with_("always", by=[[p, t] for p, t in FAR[0].items()]), 9,
                              "and this is optimal"),
    "never is empty": (with_("never", by=[]), 8, "14 pairs are missing in never"),
    "never lacks a pair": (with_("never", by=NEVER[1:]), 8, "1 pair is missing in never"),
    "never without what always rules out": (
        with_("never", by=[pair for pair in NEVER if "hu" not in pair and "saw" not in pair]), 8,
        "8 pairs are missing in never: the pairs that always rules out count as well"),
    "never of one optimum": (with_("never", by=[*NEVER, ["bo", "pack"]]), 8,
                             "never has bo pack, and this is optimal"),
    "always and never exchanged": (json.dumps({**ANSWER, "always": NEVER,
                                               "never": ANSWER["always"]}), 7, "this is optimal"),
    "task and person exchanged": (with_("always", by=[["saw", "hu"]]), 8, "always has 'saw'"),
    "the same one twice": (with_("farthest", by=[FAR[0], FAR[0]]), 8, "differ in 0 people"),
    "two neighbours": (with_("farthest", 1, by={
        "bo": "paint", "cy": "glue", "dee": "cut", "gil": "pack", "hu": "saw"}), 8,
        "these two differ in 2 people"),
    "one that is not optimal": (with_("farthest", 0, by=dict(zip(PAGE["people"], PAGE["tasks"],
                                                             strict=True))), 8, "not optimal"),
    "a task twice": (with_("farthest", 0, "bo", by="cut"), 8, "gives a task to two people"),
    "one assignment": (with_("farthest", by=FAR[:1]), 7, "a list of two assignments"),
    "a person is missing": (with_("farthest", 0, "bo", by=...), 7, "has a task for"),
    "an unknown task": (with_("farthest", 0, "bo", by="weld"), 7, "has 'weld'; known are"),
    "an unknown person": (with_("always", by=[["eli", "saw"]]), 8, "has 'eli'; known are"),
    "three names": (with_("always", by=[["hu", "saw", "cut"]]), 8, "has pairs of a person"),
    "a name alone": (with_("never", by=["hu"]), 7, "has pairs of a person"),
    "no number": (with_("number", by="many"), 7, "is a number such as"),
    "no never": (with_("never", by=...), 7, "the file is {"),
    "always as text": (with_("always", by="hu saw"), 8, "always is [["),
    "no JSON": ("15", 0, "the file is {"),
}  # fmt: skip


TestAnswers = answers_battery("19", RIGHT, WRONG)


def test_what_is_drawn_has_a_summary_of_its_own(tmp_path: Path) -> None:
    drawn: list[Any] = [one.task for one in assign("19", ["ada", "bo", "cy"]).values()]
    for data in (PAGE, *drawn):
        assert is_asked(data)
        assert len(assignments(data)) == 120
        found = optima(data)
        least = min(assignments(data).values())
        # By the definition, pair by pair.
        pairs = itertools.product(range(SIZE), range(SIZE))
        times = {(p, t): sum(one[p] == t for one in found) for p, t in pairs}
        always, never = common(found)
        assert always == {pair for pair, number in times.items() if number == len(found)}
        assert never == {pair for pair, number in times.items() if not number}
        people, tasks = data["people"], data["tasks"]

        def named(pairs: set[Any], people: Any = people, tasks: Any = tasks) -> list[list[str]]:
            return [[people[p], tasks[t]] for p, t in sorted(pairs)]

        far = next(
            pair for pair in itertools.combinations(found, 2)
            if sum(a != b for a, b in zip(*pair, strict=True)) == farthest(found)
        )  # fmt: skip
        answer = {
            "optimum": least,
            "number": len(found),
            "always": named(always),
            "never": named(never),
            "farthest": [dict(named(set(enumerate(one)))) for one in far],
            "near": sum(cost <= least + 1 for cost in assignments(data).values()),
        }
        assert mark("19", json.dumps(answer), tmp_path, task=data) == (10, [])
        if data is not PAGE:
            assert mark("19", reference("19"), tmp_path, task=data)[0] <= 3
