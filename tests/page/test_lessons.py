"""All lessons done from the page alone, in two engines and on a phone; what is wrong is said."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import quote

import pytest
from browsing import PHONE, Opened, hash_of, reads

from calmip.course.lesson import bundled_lessons, lesson_data, read_lesson

pytestmark = [pytest.mark.long, pytest.mark.trade("course")]

CLICK = """at => document.querySelector(at).click()"""
PRESS = """name => [...document.querySelectorAll('.lab button')]
    .find((one) => one.textContent === name).click()"""
WRITE = """([at, text]) => {
    const one = document.querySelector(at);
    one.value = text;
    one.dispatchEvent(new Event('input', {bubbles: true}));
}"""

WRONG = {
    "all-solutions": ("4", "This is not the number."),
    "big-m": ("x - 6 open <= 0", "cuts off a solution: x = 7 and open = 1"),
    "chvatal-gomory": ("x + y <= 9", "With this row the bound is 59/7; 7.5 is asked for."),
    "clique": ("a + b + z <= 1", "'a + b + z <= 1' is not a row of this model"),
    "cuts-or-branch": ("", "The tree has open nodes"),
    "degenerate": ("total=1", "total may not be used here."),
    "depth-or-best": ("", "The tree has open nodes"),
    "dual": ("oak=1", "These multipliers prove 24."),
    "infeasible": ("need=-1 steel=1", "proves no conflict"),
    "knapsack-cover": ("a + b <= 1", "cuts off a solution: a = 1 and b = 1"),
    "rounding-fails": ("x=2 y=5", "first is violated: 255 ≤ 250 is wrong."),
    "symmetry": ("y1 >= 1", "3 solutions are left; at most 1 may be."),
}


def write(page: Any, at: str, text: str) -> None:
    page.evaluate(WRITE, [at, text])


def check(page: Any, answer: str, words: str) -> None:
    """Check an answer, and wait for what is said of it."""
    if answer:
        write(page, "#lesson-answer", answer)
    page.evaluate(CLICK, ".lesson .tools button")
    reads(page, ".verdict", words)


def grow(page: Any, answer: str, columns: list[str]) -> None:
    """Grow the tree of an answer by the buttons of the lab."""
    page.evaluate(PRESS, "Relax")
    number, parents = 0, {0: 0}
    reads(page, ".facts", "you: 1 node")
    for step in answer.split(";")[1:]:
        parent, name, *more = step.split(".")
        if name == "cut":
            most, *names = more
            write(page, "#lab-row", f"{' + '.join(names)} <= {most}")
            page.evaluate(PRESS, "Add the cut")
            reads(page, ".facts", "integral")
            continue
        number += 1
        parents[number] = parents[int(parent)] + 1
        if int(parent) != number - 1:
            page.evaluate(CLICK, f".path-of button[data-key='{parents[int(parent)]}']")
        row = f".candidate[data-column='{columns.index(name)}']"
        page.wait_for_function(
            "at => document.querySelector(at)"
            " && document.querySelector('.lab').dataset.state === 'idle'",
            arg=row,
        )
        page.evaluate(CLICK, f"{row} button:nth-of-type({2 - int(more[0])})")
        reads(page, ".facts", f"you: {number + 1} nodes")


def all_done(page: Any) -> None:
    for name in bundled_lessons():
        found = read_lesson(name)
        page.evaluate("name => { location.hash = `#lesson=${name}`; }", name)
        reads(page, ".lesson h2", found.title)
        answer, words = WRONG[name]
        check(page, answer, words)
        if found.ask["kind"] == "tree":
            grow(page, found.answer, list(found.model.columns))
            check(page, "", "Right: proved")
        else:
            check(page, found.answer, "Right: proved")
        assert page.evaluate("location.hash").startswith(f"#lesson={name}")
    assert page.evaluate("document.querySelectorAll('.message').length") == 0


def test_all_lessons_are_done_from_the_page_alone(opened: Opened) -> None:
    all_done(opened("#lesson=dual"))


def test_all_lessons_are_done_in_the_second_engine(second: Any) -> None:
    all_done(second("#lesson=dual"))


def test_all_lessons_are_done_on_a_phone(opened: Opened) -> None:
    page = opened("#lesson=dual", **PHONE)
    all_done(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_a_lesson_of_ones_own_is_in_the_link(opened: Opened) -> None:
    data = {**lesson_data(read_lesson("rounding-fails")), "title": "Mine"}
    page = opened(f"#lesson={quote(json.dumps(data))}")
    reads(page, ".lesson h2", "Mine")
    # General integers are branched by a floor and a ceiling; what is grown is in the address.
    page.get_by_role("button", name="Relax", exact=True).click()
    page.get_by_role("button", name="x ≥2").click()
    reads(page, ".facts", "you: 2 nodes")
    hash_of(page, "root")
    page.reload()
    reads(page, ".facts", "you: 2 nodes")
    # A row that cuts off a solution is no cut.
    page.locator(".cuts summary").click()
    page.locator("#lab-row").fill("x <= 4")
    page.get_by_role("button", name="Add the cut").click()
    reads(page, ".cuts", "cuts off a solution: x = 5")


def test_cuts_follow_from_rows_with_their_arithmetic(opened: Opened) -> None:
    page = opened("#lesson=knapsack-cover")
    page.locator(".cuts summary").click()
    page.get_by_role("button", name="Find a cover").click()
    reads(page, ".cuts", "Solve the relaxation first.")
    page.get_by_role("button", name="Relax", exact=True).click()
    reads(page, ".facts", "you: 1 node")
    page.get_by_role("button", name="Find a cover").click()
    reads(page, ".cuts", "weight: 2 + 3 + 4 = 9 > 7, so these do not fit together: a + b + c ≤ 2")
    page.get_by_role("button", name="Add the cut").click()
    reads(page, ".cuts", "cuts off this point: 5/2 > 2")
    page.evaluate("() => { location.hash = '#lesson=chvatal-gomory'; }")
    reads(page, ".lesson h2", "Chvátal-Gomory cuts")
    page.get_by_role("button", name="Relax", exact=True).click()
    reads(page, ".facts", "you: 1 node")
    page.locator(".cuts summary").click()
    page.locator("#lab-multipliers").fill("first=1/7 second=-1")
    page.get_by_role("button", name="Add up and round down").click()
    reads(page, ".cuts", "second has no right side for this multiplier")
    page.locator("#lab-multipliers").fill("first=1/7 second=2/7")
    page.get_by_role("button", name="Add up and round down").click()
    reads(page, ".cuts", "sum: x ≤ 20/7; rounded down: x ≤ 2; left side now 20/7")
    page.locator("#lab-multipliers").fill("")
    page.get_by_role("button", name="Gomory").click()
    reads(page, ".cuts", "rounded down: x ≤ 2")
    page.get_by_role("button", name="Add the cut").click()
    reads(page, ".cuts", "cuts off this point: 20/7 > 2; the cut moved the bound from 8.4")


def test_the_plane_of_two_columns_shows_relaxation_hull_branchings_and_cuts(
    opened: Opened,
) -> None:
    page = opened("#lesson=rounding-fails", **PHONE)
    words = "#plane-words"
    reads(page, words, "relaxation, vertices: (0, 0), (5, 0), (376/193, 950/193) and (0, 2)")
    reads(
        page,
        words,
        "convex hull of the solutions, vertices: (0, 0), (5, 0), (3, 3), (2, 4) and (0, 2)",
    )
    assert page.locator(".plane > svg circle.point").count() == 19
    page.get_by_role("button", name="Relax", exact=True).click()
    reads(page, words, "optimum of this node: (376/193, 950/193)")
    page.get_by_role("button", name="x ≥2").click()
    reads(page, words, "this node, with its cuts, vertices: (2, 0), (5, 0) and (2, 150/31)")
    assert page.locator(".plane > svg .branch").count() == 1
    page.evaluate(CLICK, ".cuts summary")
    write(page, "#lab-row", "x + y <= 6")
    page.evaluate(PRESS, "Add the cut")
    reads(page, words, "(64/19, 50/19) and (2, 4)")
    assert page.locator(".plane > svg .cut").count() == 1
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    # A model of three columns has no plane.
    page.evaluate("() => { location.hash = '#lesson=symmetry'; }")
    reads(page, ".lesson h2", "Symmetry")
    assert page.locator(".plane").count() == 0


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("cliqe", "lesson=cliqe is not a lesson; there are all-solutions"),
        ("{}", "the lesson in the address is broken"),
        ('{"title": 1', "the lesson in the address is broken"),
    ],
)
def test_an_address_without_a_lesson_says_so(opened: Opened, text: str, words: str) -> None:
    page = opened(f"#lesson={quote(text)}")
    reads(page, ".messages", words)


def test_another_board_is_chosen_after_a_lesson(opened: Opened) -> None:
    page = opened("#lesson=clique")
    reads(page, ".lesson h2", "Cliques")
    page.locator("#lab-board").select_option("small")
    page.wait_for_selector(".lab .board-drawing")
    page.locator("#lab-board").select_option("dual")
    reads(page, ".lesson h2", "A bound without a solver")
    page.evaluate("document.querySelector('.tabs [data-key=play]').click()")
    page.wait_for_selector("main > .play")
    hash_of(page, "puzzle=")
