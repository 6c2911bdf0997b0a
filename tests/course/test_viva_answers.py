"""Questions about right answers to exercises 14 to 19: each answer, found in another way."""

from __future__ import annotations

import itertools
import json
import math
import random
import re
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from marked_answers import reference, starter

import calmip
from calmip.cli import main
from calmip.course import viva
from calmip.course.viva import ANSWERS, grade_viva

Asked = list[tuple[str, str]]


def number(text: str, pattern: str = r"(-?[\d/]+)") -> Fraction:
    """Return the first number of a text."""
    found = re.search(pattern, text)
    assert found is not None, (pattern, text)
    return Fraction(found[1])


def check_cuts(data: Any, mine: Any, asked: Asked) -> None:
    weights = data["weights"]
    total = sum(weights[item] for item in mine["cover"])
    assert number(asked[0][1]) < total <= number(asked[0][1]) + 1
    (item,) = re.findall(r"^The item (\w)", asked[1][0])
    sets = [
        items
        for size in range(7)
        for items in itertools.combinations(weights, size)
        if item in items and sum(weights[one] for one in items) <= data["capacity"]
    ]
    most = number(asked[1][1])
    assert most == max(sum(mine["lifted"][one] for one in items) for items in sets)
    left = re.search(r"^(\d+) x \+ (\d+) y \+ (\d+) z <= (\d+)", asked[2][1])
    assert left is not None
    r, s = (Fraction(mine["multipliers"][row]) for row in "sr")
    for name, given in zip("xyz", left.groups(), strict=False):
        sums = r * data["rows"]["r"][name] + s * data["rows"]["s"][name]
        assert int(given) == math.floor(sums)
    assert int(left[4]) == math.floor(r * data["sides"]["r"] + s * data["sides"]["s"])
    corner = [Fraction(data["corner"][name]) for name in "xyz"]
    value = sum(int(a) * x for a, x in zip(left.groups(), corner, strict=False))
    assert (
        f"has {value}, so it {'violates' if value > int(left[4]) else 'satisfies'}" in asked[2][1]
    )


def check_hull(data: Any, mine: Any, asked: Asked) -> None:
    square = itertools.product(range(8), range(8))
    points = [p for p in square if all(a * p[0] + b * p[1] <= c for a, b, c in data["rows"])]
    facets = [
        (Fraction(a), Fraction(b.replace(" ", "")), Fraction(c))
        for text, _ in asked[:2]
        for a, b, c in re.findall(r"(-?\d+) x ([+-] \d+) y <= (-?\d+)", text)
    ]
    assert len(facets) == 3
    a, b, c = facets[0]
    on = [point for point in points if a * point[0] + b * point[1] == c]
    assert sorted(map(str, on)) == sorted(re.findall(r"\(\d+, \d+\)", asked[0][1]))
    x, y = (number(asked[1][1], rf"{name} = (-?[\d/]+)") for name in "xy")
    assert all(a * x + b * y == c for a, b, c in facets[1:])
    assert ("no vertex" in asked[1][1]) is ([x, y] not in mine["vertices"])
    a, b = data["objective"]
    best = max(b * x + a * y for x, y in points)
    assert asked[2][1].endswith(f" with the value {best}.")
    told = re.findall(r"\((\d+), (\d+)\)", asked[2][1])
    assert told
    assert all(b * int(x) + a * int(y) == best for x, y in told)


def check_least_m(data: Any, mine: Any, asked: Asked) -> None:
    (of,) = re.findall(r"point of (\w+)\?", asked[0][0])
    other = {"either": "or", "or": "either"}[of]
    point = {name: Fraction(mine[of]["point"].get(name, 0)) for name in "xyz"}
    rows = {
        **{f"the row {name}": row for name, row in data["rows"].items()},
        f"the row {other}": data[other],
        **{f"the limit of {name}": [{name: 1}, most] for name, most in data["limits"].items()},
    }
    tight = {
        name
        for name, (terms, side) in rows.items()
        if sum(value * point[one] for one, value in terms.items()) == side
    }
    found = re.findall(r"the (?:row|limit of) \w+", asked[0][1].lower())
    assert set(found) == tight
    (row,) = re.findall(r"^The right side of (\w+) grows", asked[1][0])
    sides = {**{n: r[1] for n, r in data["rows"].items()}, other: data[other][1], **data["limits"]}
    sides[row] += 1
    proof = sum(Fraction(u) * sides[name] for name, u in mine[of]["multipliers"].items())
    assert number(asked[1][1]) == proof - data[of][1]
    k = number(asked[2][0])
    large = Fraction(mine[of]["M"])
    assert number(asked[2][1]) == data[of][1] + large * (1 - k if of == "either" else k)


def check_facilities(data: Any, mine: Any, asked: Asked) -> None:
    prices = {name: Fraction(u) for name, u in mine["lagrange"]["prices"].items()}
    (one,) = re.findall(r"^The price of (\w)", asked[0][0])
    for (_, answer), changed in (
        (asked[0], {**prices, one: prices[one] + 1}),
        (asked[1], {name: u - 1 for name, u in prices.items()}),
    ):
        reduced = {
            depot: fixed + sum(min(0, data["cost"][depot][c] - u) for c, u in changed.items())
            for depot, fixed in data["fixed"].items()
        }
        opened = {depot for depot, value in reduced.items() if value < 0}
        head, _, bound = answer.partition(";")
        assert set(re.findall(r"\b[pqrs]\b", head)) == opened
        assert number(bound) == sum(changed.values()) + sum(reduced[one] for one in opened)
    chosen = re.findall(
        r"\b[pqrs]\b", asked[2][0].partition("say for")[2].partition("what does")[0]
    )
    cut = mine["benders"]
    least, cost = map(Fraction, re.findall(r"[\d/]+", asked[2][1]))
    assert least == cut["constant"] - sum(cut["coefficients"].get(one, 0) for one in chosen)
    assert cost == sum(min(data["cost"][one][c] for one in chosen) for c in prices)
    assert least <= cost


def check_rounds(data: Any, mine: Any, asked: Asked) -> None:
    at = int(number(asked[0][0])) - 1
    row = set(mine["rounds"][at]["row"])
    assert set(re.findall(r"\b[a-g]\b", asked[0][1])) == set(data["cities"]) - row
    tour = mine["tour"]

    def inside(cycle: list[str]) -> int:
        return sum(
            {one, other} <= row for one, other in zip(cycle, cycle[1:] + cycle, strict=False)
        )

    used, own, side = map(int, re.findall(r"\d+", asked[1][1]))
    assert used == sum(map(inside, mine["rounds"][at]["cycles"])) > side == len(row) - 1
    assert own == inside(tour) <= side
    one, other = re.findall(r"\b[a-g]\b", asked[2][0])
    turned = [{one: other, other: one}.get(city, city) for city in tour]
    lengths = []
    for cycle in (turned, tour):
        places = [data["places"][data["cities"].index(city)] for city in cycle]
        pairs = zip(places, [*places[1:], places[0]], strict=True)
        lengths.append(sum(abs(x - u) + abs(y - v) for (x, y), (u, v) in pairs))
    assert list(map(int, re.findall(r"\d+", asked[2][1]))) == lengths


def check_optima(data: Any, mine: Any, asked: Asked) -> None:
    people, tasks = data["people"], data["tasks"]

    def cost(done: dict[str, str]) -> int:
        return sum(data["cost"][people.index(p)][tasks.index(t)] for p, t in done.items())

    def parse(text: str) -> dict[str, str]:
        return dict(re.findall(rf"({'|'.join(people)}) ({'|'.join(tasks)})", text))

    one, other = mine["farthest"]
    told = set(re.findall("|".join(people), asked[0][1]))
    assert told == {person for person in people if one[person] == other[person]}
    every = [dict(zip(people, p, strict=True)) for p in itertools.permutations(tasks)]
    person, task = re.findall(r"^(\w+) insists on (\w+)\.", asked[1][0])[0]
    best = min(cost(done) for done in every if done[person] == task)
    assert re.findall(r"\d+", asked[1][1]) == [str(best), str(mine["optimum"])]
    assert cost(parse(asked[1][1])) == best
    assert parse(asked[1][1])[person] == task
    left = parse(asked[2][0])
    assert cost(left) == mine["optimum"]
    swaps = [
        done
        for done in every
        if cost(done) == mine["optimum"] and sum(done[p] != left[p] for p in people) == 2
    ]
    assert asked[2][1].startswith("Yes") is bool(swaps)
    assert not swaps or parse(asked[2][1]) in swaps


CHECKED: dict[str, Callable[[Any, Any, Asked], None]] = {
    "14": check_cuts,
    "15": check_hull,
    "16": check_least_m,
    "17": check_facilities,
    "18": check_rounds,
    "19": check_optima,
}


@pytest.mark.parametrize("exercise", CHECKED)
def test_every_answer_is_right(exercise: str, tmp_path: Path) -> None:
    assert CHECKED.keys() == ANSWERS.keys()
    path = tmp_path / "ada.json"
    path.write_text(reference(exercise))
    data, ask = ANSWERS[exercise]
    found = set()
    for seed in range(12):
        asked = ask(path, data, random.Random(seed))
        assert len(asked) == 3
        CHECKED[exercise](data, json.loads(path.read_text()), asked)
        found.add(str(asked))
    assert len(found) > 1  # something is drawn


def test_a_right_answer_is_asked_about_and_no_other(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "ada.json"
    path.write_text(reference("19"))
    assert main(["grade", "viva", "19", str(path)]) == 0
    assert capsys.readouterr().out.startswith(
        "About ada.json: the answer to exercise 19, the data of its page\n\n1. "
    )
    path.write_text(starter("19"))
    assert main(["grade", "viva", "19", str(path)]) == 2
    assert "of 10 marks, and the questions are about a right answer" in capsys.readouterr().err


def test_the_own_sheet_has_the_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "roster.csv").write_text("student\nada\nbob\n")
    roster, sheets = str(tmp_path / "roster.csv"), str(tmp_path / "sheets")
    assert main(["grade", "assign", "19", roster, "-o", sheets]) == 0
    data = json.loads((tmp_path / "sheets" / "bob-data.json").read_text())
    seen: list[Any] = []
    monkeypatch.setitem(
        ANSWERS, "19", (ANSWERS["19"][0], lambda _, task, __: seen.append(task) or [])
    )
    monkeypatch.setattr(viva, "checks_of", lambda *_, **__: ())
    for name, words in (("bob", ""), ("zoe", "has no student of this file")):
        path = tmp_path / f"{name}.json"
        path.write_text("{}")
        if words:
            with pytest.raises(calmip.InputError, match=words):
                grade_viva("19", path, assigned=tmp_path / "sheets" / "assigned.csv")
        else:
            found = grade_viva("19", path, assigned=tmp_path / "sheets" / "assigned.csv")
            assert found.data == viva.OWN
    assert [json.loads(json.dumps(one)) for one in seen] == [data]
