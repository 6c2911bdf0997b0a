"""The lab of the page: it never locks, and its tree is kept, undone and shared."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from browsing import DAY, PHONE, Opened, has, hash_of, reads, tiling
from page_monkey import works

pytestmark = pytest.mark.long

LAB = DAY + "&view=lab"


def press(page: Any, name: str) -> None:
    page.locator(".lab").get_by_role("button", name=name, exact=True).click()


def solve(page: Any, how: str) -> None:
    """Let HiGHS solve it in one of the ways."""
    page.locator("#lab-how").select_option(how)
    press(page, "Solve with HiGHS")


def nodes(page: Any) -> list[str]:
    """Return what the nodes of the tree are called."""
    found: list[str] = page.evaluate(
        "[...document.querySelectorAll('.tree .node')].map((one) => one.ariaLabel)"
    )
    return found


def grown(page: Any, number: int) -> None:
    """Solve as many nodes, always the first that is offered."""
    press(page, "Relax")
    reads(page, ".facts", "you: 1 node")
    for count in range(2, number + 1):
        if page.locator(".candidate").count():
            page.locator(".candidate button").first.click()
        else:
            page.locator(".tree .node.open").first.press("Enter")
        reads(page, ".facts", f"you: {count} nodes")


def stop(page: Any) -> None:
    """Press Stop at once: it goes by itself when the solver is done, which may be now."""
    page.evaluate("document.querySelector('.lab .stop').click()")


SMALL = "&view=lab&tree=small-weights"
RULES = ("fractional", "pseudo", "strong", "cell")


def tree_of(page: Any, rule: str) -> list[str]:
    """Grow a tree by a rule to its end, in any engine; return what its nodes are called."""
    page.evaluate(
        """rule => {
            const press = (name) => [...document.querySelectorAll('.lab button')]
                .find((one) => one.textContent === name).click();
            press('Start over');
            const choice = document.getElementById('lab-rule');
            choice.value = rule;
            choice.dispatchEvent(new Event('change'));
            press('To the end');
        }""",
        rule,
    )
    reads(page, ".facts", "none open")
    page.wait_for_function("document.querySelector('.lab')?.dataset.state === 'idle'")
    return nodes(page)


DISTURBANCES = {
    "another date": lambda page: page.get_by_role("button", name="The day after").click(),
    "another puzzle": lambda page: page.locator("#puzzle").select_option("heart-set1"),
    "another view": lambda page: page.get_by_role("button", name="The model").click(),
    "Stop": stop,
    "another run": lambda page: press(page, "Relax"),
    "Start over": lambda page: press(page, "Start over"),
}


@pytest.mark.parametrize("what", DISTURBANCES)
@pytest.mark.parametrize("task", ["Relax", "all"])
def test_nothing_that_is_done_while_highs_loads_or_works_locks_the_lab(
    opened: Opened, what: str, task: str
) -> None:
    page = opened(LAB)
    for is_loaded in (False, True):
        if is_loaded and task == "Relax":
            break
        if task == "Relax":
            press(page, task)
        else:
            solve(page, task)
        if is_loaded:
            page.wait_for_function("document.querySelector('.lab').dataset.state !== 'loading'")
        if what == "Stop":
            page.wait_for_function(
                "document.querySelector('.lab')?.dataset.state === 'idle'"
                "|| [...document.querySelectorAll('.lab .tools button')].some("
                "one => one.textContent === 'Stop' && !one.hidden)"
            )
            if page.evaluate("document.querySelector('.lab').dataset.state") == "idle":
                continue
        DISTURBANCES[what](page)
        works(page)


def test_a_thread_that_crashes_is_noticed_and_replaced(opened: Opened) -> None:
    page = opened(LAB)
    page.evaluate(
        """() => {
            window.threads = [];
            window.Worker = class extends Worker {
                constructor(...all) {
                    super(...all);
                    threads.push(this);
                }
            };
        }"""
    )
    for number in (1, 2):
        # While it is at work: at the first tiling, in the moment in which it is said.
        page.evaluate(
            """() => {
                const facts = document.querySelector('.facts');
                const seen = new MutationObserver(() => {
                    if (!facts.textContent.includes('found')) return;
                    seen.disconnect();
                    const message = 'out of memory';
                    threads.at(-1).dispatchEvent(
                        new ErrorEvent('error', {message, cancelable: true}));
                });
                seen.observe(facts, {childList: true});
            }"""
        )
        solve(page, "all")
        reads(page, ".messages", "out of memory")
        assert page.evaluate("document.querySelector('.lab').dataset.state") == "failed"
        works(page)
        assert page.evaluate("threads.length") == number + 1


def test_the_tree_survives_another_tab_and_another_date(opened: Opened) -> None:
    page = opened(LAB)
    grown(page, 3)
    before = nodes(page)
    for view in ("Play", "The model", "The year"):
        page.get_by_role("button", name=view, exact=True).click()
        page.get_by_role("button", name="The lab").click()
        assert nodes(page) == before
    page.get_by_role("button", name="The day after").click()
    assert len(nodes(page)) == 1
    page.get_by_role("button", name="The day before").click()
    assert nodes(page) == before
    # Its values are still there: it goes on where it was.
    reads(page, ".facts", "you: 3 nodes")


def test_steps_are_undone_and_done_again(opened: Opened) -> None:
    page = opened(LAB)
    grown(page, 3)
    whole = nodes(page)
    for count in ("2 nodes", "1 node"):
        press(page, "Undo")
        reads(page, ".facts", f"you: {count}")
    has(page, ".tree .node", 1)
    for _ in range(2):
        press(page, "Redo")
    assert nodes(page) == whole
    press(page, "Start over")
    has(page, ".tree .node", 1)
    assert page.inner_text(".facts") == ""
    press(page, "Undo")
    assert nodes(page) == whole


def test_an_address_brings_the_tree(opened: Opened) -> None:
    page = opened(LAB)
    grown(page, 4)
    page.wait_for_function("(location.hash.match(/;/g) ?? []).length === 4")
    hash_ = hash_of(page)
    other = opened(hash_)
    reads(other, ".facts", "you: 4 nodes")
    other.wait_for_function("document.querySelector('.lab')?.dataset.state === 'idle'")
    assert nodes(other) == nodes(page)
    other.reload()
    reads(other, ".facts", "you: 4 nodes")
    assert hash_of(other) == hash_


def test_an_address_with_a_tree_that_cannot_be_grown_says_so(opened: Opened) -> None:
    page = opened(LAB + "&tree=cover;root;0.nothing.1")
    reads(page, ".messages", "'0.nothing.1' is no step of it")
    reads(page, ".facts", "you: 1 node")


def test_the_small_board_opens_first_and_its_rules_agree(opened: Opened) -> None:
    page = opened()
    page.get_by_role("button", name="The lab").click()
    assert page.locator("#lab-board").input_value() == "small"
    press(page, "Compare rules")
    reads(page, ".counts", "on a cell")
    page.wait_for_function("document.querySelector('.lab')?.dataset.state === 'idle'")
    rows = [row.split() for row in page.locator(".counts tbody tr").all_inner_texts()]
    assert len(rows) == 4
    assert {row[-1] for row in rows} == {"27"}, "the same optimum by every rule"
    # The strong rule solves more relaxations than nodes.
    nodes_, lps = (int(number) for number in rows[2][-3:-1])
    assert lps > nodes_
    press(page, "To the end")
    reads(page, ".facts", "incumbent 27, best bound 27, gap 0 %")
    reads(page, ".facts", "none open")
    wide, width, high, height = page.evaluate(
        "(({scrollWidth, clientWidth, scrollHeight, clientHeight}) =>"
        " [scrollWidth, clientWidth, scrollHeight, clientHeight])(document.querySelector('.tree'))"
    )
    assert wide <= width, "the whole tree fits"
    assert high <= height < 800
    # Every node has its reason, and one that was branched keeps its own.
    reasons = {one.partition(", ")[2].partition(", bound")[0] for one in nodes(page)}
    assert reasons <= {
        "fractional",
        "branched, later dominated",
        "pruned by bound",
        "pruned as infeasible",
        "pruned by optimality: an integral tiling, verified",
    }
    assert "branched, later dominated" in reasons
    assert any(one.startswith("pruned by optimality") for one in reasons)
    press(page, "Solve with HiGHS")
    reads(page, ".facts", "HiGHS: a tiling of weight 27 after")
    # A reload grows the same tree on the same board.
    before = nodes(page)
    page.wait_for_function("location.hash.includes('small-weights;root;')")
    page.reload()
    page.wait_for_function(
        "n => document.querySelectorAll('.tree .node').length === n", arg=len(before)
    )
    assert page.locator("#lab-board").input_value() == "small"


def test_a_tree_is_the_same_in_two_pages_and_in_two_engines(
    opened: Opened, second: Callable[..., Any]
) -> None:
    found: dict[str, list[list[str]]] = {rule: [] for rule in RULES}
    # The second page of an engine draws them in another order: what was solved before matters not.
    for make in (opened, second):
        for order in (RULES, RULES[::-1]):
            page = make(DAY + SMALL)
            page.wait_for_selector("#lab-rule")
            for rule in order:
                found[rule].append(tree_of(page, rule))
    for trees in found.values():
        assert len(trees) == 4
        assert all(tree == trees[0] for tree in trees)
    assert len({len(trees[0]) for trees in found.values()}) > 1, "rules differ"


def test_the_documentation_has_the_numbers_of_the_page(opened: Opened) -> None:
    page = opened(DAY + SMALL)
    press(page, "Compare rules")
    reads(page, ".counts", "on a cell")
    page.wait_for_function("document.querySelector('.lab')?.dataset.state === 'idle'")
    shown = [
        tuple(row.evaluate("row => [...row.cells].map(cell => cell.textContent)"))
        for row in page.locator(".counts tbody tr").all()
    ]
    text = Path("docs/how-to/play.md").read_text(encoding="utf-8")
    table = text.partition("| rule | nodes | LPs | incumbent |\n")[2].partition("\n\n")[0]
    rows = [tuple(re.split(r" *\| *", line.strip("| "))) for line in table.splitlines()[1:]]
    assert rows == shown


def test_a_cut_by_hand_moves_the_bound(opened: Opened) -> None:
    page = opened(LAB + "&tree=weights")
    press(page, "Relax")
    page.wait_for_selector(".candidate")
    page.locator(".cuts summary").click()
    bound = float(page.inner_text(".facts span").partition(": ")[2])
    press(page, "Find a clique")
    reads(page, ".cuts", "≤ 1; now 1.")
    press(page, "Add the cut")
    reads(page, ".cuts", f"the cut moved the bound from {bound:g} to")
    assert re.search(r"cuts off this point: \d+/\d+ > 1; the cut moved", page.inner_text(".cuts"))
    assert float(page.inner_text(".facts span").partition(": ")[2]) < bound
    press(page, "Undo")
    assert page.inner_text(".facts span") == f"bound: {bound:g}"
    # Two placements that do not exclude each other give no cut.
    for k in range(2, page.locator(".candidate input").count()):
        page.locator(".candidate input").nth(0).check()
        page.locator(".candidate input").nth(k).check()
        if "neither a clique" in page.inner_text(".cuts"):
            break
        page.locator(".candidate input").nth(k).uncheck()
    else:
        raise AssertionError("all fractional placements exclude each other")
    press(page, "Add the cut")
    assert page.inner_text(".facts span") == f"bound: {bound:g}"


def test_every_number_of_a_node_is_checked_in_fractions(opened: Opened) -> None:
    page = opened(DAY + SMALL)
    press(page, "Relax")
    page.wait_for_selector(".candidate")
    page.get_by_text("Check the numbers").click()
    left, total = page.inner_text(".sum-of").split(" = ")[:2]
    terms = [[Fraction(part) for part in term.split(" · ")] for term in left.split(" + ")]
    assert sum(math.prod(term) for term in terms) == Fraction(total) == Fraction(59, 2)
    reads(page, ".check-numbers", "satisfy 20 rows exactly")
    reads(
        page, ".check-numbers", "Proved: no solution of this relaxation is better than 59/2 = 29.5"
    )
    reads(page, ".check-numbers", "no tiling below this node is better than 29.")
    products = page.locator(".proof tbody td:last-child").all_inner_texts()
    assert sum(map(Fraction, products)) == Fraction(59, 2)
    assert Fraction(page.inner_text(".proof tfoot td:last-child")) == Fraction(59, 2)
    # The weight stands in the list, and on the board with the value of what is pointed at.
    row = page.locator(".candidate").first
    row.hover()
    weight = row.locator(".weight").inner_text().removesuffix(" ·")
    value = row.locator(".value").inner_text()
    assert page.locator(".lit .weight-of").text_content() == f"{weight} · {value}"
    tree_of(page, "fractional")
    page.locator(".tree .node.infeasible").first.press("Enter")
    reads(page, ".facts", "these rows contradict each other: ")
    reads(page, ".check-numbers", "below 0: a contradiction.")
    products = page.locator(".proof tbody td:last-child").all_inner_texts()
    assert sum(map(Fraction, products)) == Fraction(page.inner_text(".proof tfoot td:last-child"))
    assert sum(map(Fraction, products)) < 0
    assert page.locator(".number-line circle").count() == page.locator(".tree .node").count() - len(
        page.locator(".tree .node.infeasible").all()
    )
    assert page.locator(".number-line").bounding_box()["height"] == 40


@pytest.mark.parametrize("objective", ["weights", "cover"])
def test_an_infeasible_node_names_what_died(opened: Opened, objective: str) -> None:
    page = opened(f"{DAY}&view=lab&tree=small-{objective};root;0.V3_a01.1")
    # In the corner beside it no other piece fits.
    reads(page, ".facts", "no placement that is left covers 1")


def test_a_large_tree_is_folded_beside_the_path_and_shown_whole(opened: Opened) -> None:
    page = opened(LAB + "&tree=weights")
    press(page, "Relax")
    press(page, "To the end")
    page.wait_for_function(
        "document.querySelectorAll('.folded').length > 1"
        " && /you: (4[1-9]|[5-9][0-9]|[0-9]{3})/.test(document.querySelector('.facts').innerText)"
    )
    stop(page)
    page.wait_for_function("document.querySelector('.lab')?.dataset.state === 'idle'")
    count = int(re.search(r"you: (\d+) nodes", page.inner_text(".facts")).group(1))
    assert count > 40
    few = page.locator(".tree .node").count()
    path = page.locator(".path-of button").all_inner_texts()
    assert path[0] == "root"
    assert page.locator(".tree .node.here").count() == 1
    page.locator(".folded").first.press("Enter")
    page.wait_for_function("n => document.querySelectorAll('.tree .node').length > n", arg=few)
    press(page, "Whole tree")
    page.wait_for_function("n => document.querySelectorAll('.tree .node').length >= n", arg=count)
    before = page.locator(".tree svg").bounding_box()["width"]
    press(page, "Enlarge the tree")
    assert page.locator(".tree svg").bounding_box()["width"] > 1.4 * before
    press(page, "Path only")
    page.wait_for_function("n => document.querySelectorAll('.tree .node').length < n", arg=count)


def test_a_phone_shows_board_and_tree_by_turns(opened: Opened) -> None:
    page = opened(DAY + SMALL, **PHONE)
    press(page, "Relax")
    reads(page, ".facts", "you: 1 node")
    for turn, shown, hidden in (
        ("The tree", ".tree", ".lab .stage"),
        ("Board", ".lab .stage", ".tree"),
    ):
        page.locator(".turns").get_by_text(turn, exact=True).tap()
        assert page.locator(shown).is_visible()
        assert page.locator(hidden).is_hidden()
        # What is shown, the line and the facts are on the first screen.
        assert page.locator(".number-line").bounding_box()["y"] < PHONE["viewport"]["height"] - 40


def test_a_guess_is_compared_kept_and_counted_for_a_class(opened: Opened) -> None:
    page = opened(DAY + SMALL)
    page.get_by_text("Guess, then see").click()
    page.locator("#guess-bound").fill("30")
    press(page, "Relax")
    reads(page, ".facts", "guessed 30, it is 29.5")
    page.wait_for_selector(".candidate")
    page.locator("#guess-none").check()
    page.locator(".candidate", has_text="V3_c23").locator("button").first.click()
    reads(page, ".facts", "guessed right: infeasible")
    page.locator("#guess-rule").select_option("pseudo")
    press(page, "Compare rules")
    reads(page, ".facts", "guessed pseudo-cost, it is on a cell")
    rows = page.locator(".guesses tbody tr").all_inner_texts()
    assert len(rows) == 3
    code = page.locator("#guess-code").input_value()
    page.reload()
    page.wait_for_selector("#guess-code", state="attached")
    assert page.locator("#guess-code").input_value() == code
    page.get_by_text("Guess, then see").click()
    page.locator(".guesses summary", has_text="The codes of a class").click()
    page.locator("#guess-codes").fill(f"Ada {code}\nBob {code[:-4]}")
    reads(page, ".guesses", "this code cannot be read")
    page.locator("#guess-codes").fill(f"Ada {code}")
    assert page.locator(".guesses details tbody tr").count() == 3


def test_steps_are_ticked_for_what_a_student_did(opened: Opened) -> None:
    page = opened(DAY + SMALL)
    press(page, "To the end")
    reads(page, ".facts", "none open")
    assert page.locator(".steps .done").count() == 0
    press(page, "Start over")
    press(page, "Relax")
    page.wait_for_selector(".candidate")
    has(page, ".steps .done", 1)
    page.locator(".candidate", has_text="V3_c23").locator("button").first.click()
    reads(page, ".facts", "pruned as infeasible")
    has(page, ".steps .done", 4)


def test_a_solved_game_is_the_incumbent_to_beat(opened: Opened) -> None:
    laid = [f"{one.piece}:{'+'.join(f'{r},{c}' for r, c in one.cells)}" for one in tiling()]
    page = opened(f"{DAY}&placed={';'.join(laid)}")
    has(page, ".pieces .piece", 8)
    page.get_by_role("button", name="The lab").click()
    reads(page, ".candidates", "it is the incumbent")
    worth = int(re.search(r"is worth (\d+)", page.inner_text(".candidates")).group(1))
    has(page, ".lab .pieces .piece", 8)
    press(page, "Relax")
    reads(page, ".facts", f"incumbent {worth}, best bound")
    # The date is empty: all placements are there.
    assert page.locator(".candidate").count() > 8


def test_a_projector_shows_board_and_tree_and_goes_by_space_and_back(opened: Opened) -> None:
    page = opened(DAY + SMALL, viewport={"width": 1920, "height": 1080})
    page.wait_for_selector(".lab .steps")
    page.keyboard.press("p")
    assert page.evaluate("getComputedStyle(document.querySelector('.facts')).fontSize") == "24px"
    for count in ("1 node", "2 nodes", "3 nodes"):
        page.keyboard.press("Space")
        reads(page, ".facts", f"you: {count}")
        page.wait_for_function("document.querySelector('.lab')?.dataset.state === 'idle'")
    page.keyboard.press("Backspace")
    reads(page, ".facts", "you: 2 nodes")
    press(page, "To the end")
    reads(page, ".facts", "none open")
    # The last row of a room reads a tree of some leaves, too: it is scrolled, and not made smaller.
    sizes = page.evaluate(
        """[...document.querySelectorAll('.tree text.inside')].map(
            one => parseFloat(getComputedStyle(one).fontSize) * one.getScreenCTM().a)"""
    )
    assert len(sizes) > 8
    assert min(sizes) == pytest.approx(24, abs=0.01)
    assert page.locator(".tree .here").bounding_box()["x"] < 1920
    board, tree = (page.locator(at).bounding_box() for at in (".lab .stage", ".tree"))
    assert board["x"] + board["width"] <= tree["x"]
    assert tree["y"] + tree["height"] <= 1080
    page.keyboard.press("p")
    assert page.locator(".lab .steps").is_visible()


def test_a_cell_is_branched_on_and_highs_shows_the_rows_of_its_log(opened: Opened) -> None:
    page = opened(LAB)
    press(page, "Relax")
    page.wait_for_selector(".candidate")
    box = page.locator(".lab .board-drawing").bounding_box()
    for part in (0.3, 0.4, 0.5, 0.6):
        page.mouse.click(box["x"] + part * box["width"], box["y"] + part * box["height"])
        if page.locator(".which").count():
            break
    words = page.inner_text(".which")
    assert words.endswith("which piece covers it?")
    page.locator(".which").click()
    reads(page, ".facts", "you: 2 nodes")
    label = words.removeprefix("Branch on ").partition(":")[0]
    assert any(f"Node {label}: " in one for one in nodes(page))
    solve(page, "plain")
    page.wait_for_selector(".log-rows tbody tr")
    reads(page, ".log-rows", "has no tree")
    stop(page)
    works(page)
