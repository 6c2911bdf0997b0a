"""All lessons done from the page alone, in two engines and on phones; what is wrong is said."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

import pytest
import qr_reader
from browsing import PHONE, Opened, hash_of, reads

from calmip.cli import main
from calmip.course.lesson import judge_codes
from calmip.course.lesson_files import bundled_lessons, lesson_data, read_lesson

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


UNLIKE = {"clique": "a + b + c <= 1"}
"""A wrong answer that is a row all the same."""


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


@pytest.mark.parametrize(("width", "height"), [(390, 844), (360, 740)])
def test_all_lessons_are_done_on_a_phone(opened: Opened, width: int, height: int) -> None:
    page = opened("#lesson=dual", **PHONE | {"viewport": {"width": width, "height": height}})
    all_done(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def exam_of(name: str) -> str:
    """Return the address of a bundled lesson as an exam."""
    return f"#lesson={quote(json.dumps(lesson_data(replace(read_lesson(name), exam=True))))}"


def coded(page: Any, student: str, answer: str) -> str:
    """Make the code of an answer, and return it."""
    write(page, "#lesson-name", student)
    if answer:
        write(page, "#lesson-answer", answer)
    page.evaluate(CLICK, ".lesson .tools button")
    page.wait_for_function("document.querySelector('#lesson-code').value")
    return str(page.evaluate("document.querySelector('#lesson-code').value"))


@pytest.mark.parametrize("opener", ["opened", "second"])
def test_an_exam_gives_codes_that_calmip_judges_as_the_page_judges_answers(
    request: pytest.FixtureRequest, opener: str, tmp_path: Path
) -> None:
    page = request.getfixturevalue(opener)("#lesson=dual")
    for name in bundled_lessons():
        found = read_lesson(name)
        page.evaluate("hash => { location.hash = hash; }", exam_of(name))
        page.wait_for_selector("#lesson-name")
        reads(page, ".lesson h2", found.title)
        # Neither hints nor a verdict, and the goal is not on the page.
        assert page.evaluate("document.querySelectorAll('.lesson details').length") == 0
        if found.ask["kind"] == "tree":
            grow(page, found.answer, list(found.model.columns))
            codes = [coded(page, "Ada", "")]
        else:
            codes = [
                coded(page, "Ada", found.answer),
                coded(page, "Bob", UNLIKE.get(name, WRONG[name][0])),
            ]
        assert page.evaluate("document.querySelector('.verdict').textContent") == ""
        file = tmp_path / f"{name}.txt"
        file.write_text("\n".join(codes), encoding="utf-8")
        answers = judge_codes(found, file).answers
        assert [(one.name, one.right) for one in answers] == [("Ada", True), ("Bob", False)][
            : len(codes)
        ]


def test_a_code_is_of_what_was_written_when_it_was_made(opened: Opened) -> None:
    page = opened(exam_of("clique"))
    page.locator("#lesson-answer").fill("a + z <= 1")
    page.get_by_role("button", name="Make the code").click()
    reads(page, ".verdict", "'a + z <= 1' is not a row of this model")
    page.locator("#lesson-answer").fill("d + a <= 1")
    page.get_by_role("button", name="Make the code").click()
    reads(page, ".verdict", "Write your name first.")
    first = coded(page, "Ada", "d + a <= 1")
    assert page.locator("#lesson-code").is_visible()
    page.locator("#lesson-answer").fill("b + a <= 1")
    assert not page.locator("#lesson-code").is_visible()
    assert coded(page, "Ada", "b + a <= 1") != first


def test_an_exam_of_a_file_is_locked_and_its_codes_are_a_table(
    opened: Opened, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lesson = tmp_path / "mine.yaml"
    text = (Path("calmip") / "course" / "lessons" / "clique.yaml").read_text(encoding="utf-8")
    lesson.write_text(f"exam: true\n{text}", encoding="utf-8")
    assert main(["lesson", str(lesson), "-o", str(tmp_path / "exam.html"), "--format", "json"]) == 0
    start = json.loads(capsys.readouterr().out)["start"]
    assert "1/2" not in unquote(start)
    page = opened(start)
    reads(page, ".lesson", "An exam: hand in the code of your answer.")
    assert page.locator("#lab-board").count() == 0
    code = coded(page, "Ada", "a + b + c + d <= 1")
    (tmp_path / "codes.txt").write_text(f"From: Ada\n> {code}\n{code[:40]}", encoding="utf-8")
    assert main(["lesson", str(lesson), "--codes", str(tmp_path / "codes.txt")]) == 0
    shown = capsys.readouterr()
    assert "Ada   a + b + c + d <= 1  yes" in shown.out
    assert "1 of 1 answers right" in shown.out
    assert "not a code of this lesson" in shown.err


def test_a_poll_opens_the_same_node_on_a_phone_and_the_branch_with_most_votes_is_taken(
    opened: Opened,
) -> None:
    start = "#lesson=depth-or-best&tree=lesson;root;0.f.1;0.f.0"
    page = opened(start, viewport={"width": 1920, "height": 1080})
    reads(page, ".facts", "you: 3 nodes")
    page.keyboard.press("p")
    page.get_by_role("button", name="Poll").click()
    page.wait_for_selector(".poll .code")
    rows = page.evaluate(
        r"""() => {
            const side = document.querySelector('.poll .code').viewBox.baseVal.width;
            const all = document.querySelectorAll('.poll .code path')[1].getAttribute('d');
            const dark = new Set([...all.matchAll(/M(\d+ \d+)h/g)].map((one) => one[1]));
            const inner = Array.from({length: side - 8}, (_, k) => k + 4);
            return inner.map((r) => inner.map((c) => Number(dark.has(`${c} ${r}`))));
        }"""
    )
    address = qr_reader.text_of(rows)
    assert address.endswith("#lesson=depth-or-best&tree=lesson;root;0.f.1;0.f.0;2.poll")
    box = page.locator(".poll").bounding_box()
    assert box["y"] + box["height"] <= 1080
    phone = opened(f"#{address.split('#')[1]}", **PHONE)
    reads(phone, ".poll", "Choose a branch.")
    # A student votes, and does not branch.
    assert not phone.locator(".candidates").is_visible()
    options = ["1: c = 1", "2: c = 0"]
    for at in (phone, page):
        assert at.locator(".poll .option button").all_inner_texts() == options
    phone.get_by_role("button", name="2: c = 0").click()
    reads(phone, ".poll", "Call out: 2 (c = 0)")
    hash_of(phone, "2.poll")
    phone.reload()
    reads(phone, ".poll", "Choose a branch.")
    for name in (options[1], options[0], options[1]):
        page.get_by_role("button", name=name).click()
    page.get_by_role("button", name="Take the branch with most votes").click()
    reads(page, ".facts", "you: 4 nodes")
    hash_of(page, "2.c.0")
    assert not page.locator(".poll").is_visible()


def test_the_order_of_nodes_is_chosen_where_a_lesson_is_about_trees(opened: Opened) -> None:
    page = opened("#lesson=depth-or-best")
    counts = {}
    for order in ("depth", "best"):
        page.locator("#lab-order").select_option(order)
        page.get_by_role("button", name="To the end").click()
        reads(page, ".facts", "none open")
        counts[order] = int(page.locator(".facts").inner_text().split("you: ")[1].split()[0])
        page.get_by_role("button", name="Start over").click()
    assert counts["best"] < counts["depth"]
    page.evaluate("() => { location.hash = '#lesson=dual'; }")
    reads(page, ".lesson h2", "A bound without a solver")
    assert page.locator("#lab-order").count() == 0


def test_a_clique_follows_from_pairs_of_rows_with_their_arithmetic(opened: Opened) -> None:
    page = opened("#lesson=clique")
    page.locator(".cuts summary").click()
    page.get_by_role("button", name="Relax", exact=True).click()
    reads(page, ".facts", "you: 1 node")
    page.get_by_role("button", name="Find a clique").click()
    reads(
        page, ".cuts", "No two of them are 1 together (ab: a = b = 1, 2 > 1; ac: a = c = 1, 2 > 1"
    )
    reads(page, ".cuts", "a + b + c + d ≤ 1; left side now 2")
    page.get_by_role("button", name="Add the cut").click()
    reads(page, ".cuts", "cuts off this point: 2 > 1")
    page.get_by_role("button", name="Find a clique").click()
    reads(page, ".cuts", "no clique is violated here")


def test_a_lesson_in_a_link_is_text_and_no_page(opened: Opened) -> None:
    evil = "<img src=x onerror='document.title=`broken`'><b>bold</b>"
    data = lesson_data(read_lesson("clique"))
    data |= {"title": evil, "question": evil, "hints": [evil]}
    page = opened(f"#lesson={quote(json.dumps(data))}")
    reads(page, ".lesson h2", evil)
    assert page.locator(".lesson img, .lesson b, #lab-board img").count() == 0
    assert page.title() != "broken"


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


@pytest.mark.parametrize("disturbance", ["Stop", "small"])
def test_a_row_whose_proof_is_broken_off_is_no_cut(opened: Opened, disturbance: str) -> None:
    page = opened("#lesson=rounding-fails")
    page.get_by_role("button", name="Relax", exact=True).click()
    reads(page, ".facts", "you: 1 node")
    page.locator(".cuts summary").click()
    page.locator("#lab-row").fill("x <= 4")
    # In the same task: no proof is that fast.
    page.evaluate(
        """disturbance => {
            [...document.querySelectorAll('.cuts button')]
                .find((one) => one.textContent === 'Add the cut').click();
            const choice = document.getElementById('lab-board');
            if (disturbance === 'Stop') document.querySelector('.lab .stop').click();
            else {
                choice.value = disturbance;
                choice.dispatchEvent(new Event('change'));
            }
        }""",
        disturbance,
    )
    page.wait_for_function("document.querySelector('.lab').dataset.state === 'idle'")
    page.wait_for_timeout(300)
    if disturbance == "small":
        assert "cut" not in hash_of(page, "small")
        page.locator("#lab-board").select_option("rounding-fails")
    # The lesson has the relaxation that it had.
    reads(page, ".facts", "you: 1 node")
    assert "cut" not in hash_of(page, "root")


def test_an_answer_whose_check_is_broken_off_may_be_checked_again(opened: Opened) -> None:
    page = opened("#lesson=knapsack-cover")
    page.get_by_role("button", name="Relax", exact=True).click()
    reads(page, ".facts", "you: 1 node")
    page.evaluate(
        """([answer, click]) => {
            document.getElementById('lesson-answer').value = answer;
            document.querySelector(click).click();
            document.querySelector('.lab .stop').click();
        }""",
        [read_lesson("knapsack-cover").answer, ".lesson .tools button"],
    )
    page.wait_for_function("!document.querySelector('.verdict').textContent")


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
    # The line lies where the cut ends the node, which is on its lower side.
    spots = """at => document.querySelector(at).getAttribute('points').split(' ')
        .map((one) => one.split(',').map(Number))"""
    (x0, y0), (x1, y1) = page.evaluate(spots, ".plane > svg .cut")
    above = [
        (y - y0) * (x1 - x0) - (x - x0) * (y1 - y0)
        for x, y in page.evaluate(spots, ".plane > svg polygon.node")
    ]
    off = [one * (1 if x1 > x0 else -1) / abs(x1 - x0) for one in above]
    assert sum(abs(one) < 0.5 for one in off) == 2
    assert all(one > -0.5 for one in off)
    assert max(off) > 50
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    # A model of three columns has no plane.
    page.evaluate("() => { location.hash = '#lesson=symmetry'; }")
    reads(page, ".lesson h2", "Symmetry")
    assert page.locator(".plane").count() == 0


RULES = ("fractional", "pseudo", "strong")

GROW = """rule => {
    const press = (name) => [...document.querySelectorAll('.lab button')]
        .find((one) => one.textContent === name).click();
    press('Start over');
    const choice = document.getElementById('lab-rule');
    choice.value = rule;
    choice.dispatchEvent(new Event('change'));
    press('To the end');
}"""


@pytest.mark.slow
def test_the_trees_of_lessons_are_equal_in_ten_runs_of_two_engines(
    opened: Opened, second: Any
) -> None:
    """Each run draws the trees in another order: what was solved before matters not."""
    found: dict[tuple[str, str], list[list[str]]] = {}
    for make in (opened, second):
        for run in range(10):
            page = make("#lesson=dual")
            jobs = [(name, rule) for name in bundled_lessons() for rule in RULES]
            random.Random(run).shuffle(jobs)
            for name, rule in jobs:
                page.evaluate("name => { location.hash = `#lesson=${name}`; }", name)
                reads(page, ".lesson h2", read_lesson(name).title)
                page.evaluate(GROW, rule)
                reads(page, ".facts", "none open")
                page.wait_for_function("document.querySelector('.lab').dataset.state === 'idle'")
                tree = page.evaluate(
                    "[...document.querySelectorAll('.tree .node')].map((one) => one.ariaLabel)"
                )
                found.setdefault((name, rule), []).append(tree)
    assert len(found) == 36
    for trees in found.values():
        assert len(trees) == 20
        assert all(tree == trees[0] for tree in trees)
    assert len({len(trees[0]) for trees in found.values()}) > 4, "lessons and rules differ"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("cliqe", "lesson=cliqe is not a lesson; there are all-solutions"),
        ("{}", "the lesson in the address is broken"),
        ('{"title": 1', "the lesson in the address is broken"),
        ("%", "lesson=% is not a lesson"),
        (
            json.dumps(
                {
                    **lesson_data(read_lesson("clique")),
                    "columns": [[f"x{k}", 0, 0, 1, 1] for k in range(61)],
                }
            ),
            "the lesson in the address has 61 columns; a lesson has at most 60",
        ),
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
