"""Lessons: each answer is proved on the exported model; a wrong one is refused with the reason."""

from __future__ import annotations

import base64
import itertools
import json
import math
import re
from dataclasses import replace
from pathlib import Path
from urllib.parse import unquote

import pytest

import calmip
from calmip import InputError
from calmip.cli import main
from calmip.course.lesson import judge_codes, lesson
from calmip.course.lesson_files import bundled_lessons, lesson_data, read_lesson
from calmip.course.lesson_proofs import fault_of, optimum, prove, relaxed, solutions, with_row
from calmip.course.lesson_report import lesson_notes
from calmip.mip.files.lp import read_lp
from calmip.mip.files.model_files import write_model
from calmip.mip.files.text_source import TextFile

OWN = """\
title: Mine
question: What is best?
hints: [Relax.]
model: |
  Minimize
   cost: 3 x + 2.5 y
  Subject To
   need: 2 x + y >= 3
  Bounds
   x <= 4
   y <= 4
  Generals
   x y
  End
ask:
  kind: point
  worth: 5.5
answer: x=1 y=1
"""

WRONG = [
    ("knapsack-cover", "a + b <= 1", "cuts off a solution"),
    ("knapsack-cover", "a + b + c <= 2", "the relaxation's optimum is 231/5, not 44"),
    ("big-m", "x - 6 open <= 0", "cuts off a solution"),
    ("big-m", "x - 8 open <= 0", "the relaxation's optimum is"),
    ("symmetry", "y1 + y2 + y3 >= 3", "changes the optimum from 2 to 3"),
    ("symmetry", "y1 >= 1", "3 solutions are left, not 1"),
    ("rounding-fails", "x=2 y=4", "it is worth 456, not 500"),
    ("rounding-fails", "x=2 y=5", "it violates the row first"),
    ("rounding-fails", "x=1/2", "it violates the integrality of x"),
    ("all-solutions", "4", "it is 3"),
    ("degenerate", "total=1", "total may not be used"),
    ("degenerate", "first=1/2 second=1/2", "they prove 6"),
    ("infeasible", "need=-1 steel=1/5", "they prove no conflict"),
    ("dual", "oak=-1", "they prove inf"),
    ("cuts-or-branch", "root", "it finds no solution"),
    ("cuts-or-branch", "root;0.cut.1.a.b.c.d.f", "cuts off a solution"),
    ("cuts-or-branch", "root;0.a.1;0.a.0", "it has 3 nodes"),
    ("depth-or-best", "root;0.f.1;0.f.0;2.c.1", "it finds no solution"),
    ("depth-or-best", "root;0.f.1;0.f.1", "it finds no solution"),
    (
        # Two sides of two columns close no node.
        "depth-or-best",
        "root;0.f.0;1.c.0;2.g.1;0.c.1",
        "is open: its bound is",
    ),
    (
        "depth-or-best",
        "root;0.c.1;1.d.1;2.b.1;3.a.0;4.f.0;5.g.0",
        "node 0 is open: its bound is 896/19",
    ),
]


@pytest.mark.parametrize("name", bundled_lessons())
def test_the_answer_to_each_lesson_is_proved(name: str, tmp_path: Path) -> None:
    found = read_lesson(name)
    prove(found)
    # The exported model is the lesson's, and the package's own solver agrees on its optimum.
    path = tmp_path / "model.lp"
    write_model(path, found.model)
    again, best = calmip.read_model(path), optimum(found.model)
    if best is None:
        assert optimum(again) is None
        return
    # The file is of a model that is minimised.
    assert optimum(again) == (-best if found.model.maximise else best)
    assert calmip.solve(again).objective == optimum(again)


def test_there_are_twelve_lessons_of_every_kind() -> None:
    kinds = [read_lesson(name).ask["kind"] for name in bundled_lessons()]
    assert len(kinds) == 12
    assert set(kinds) == {"row", "point", "number", "multipliers", "tree"}


@pytest.mark.parametrize(("name", "answer", "why"), WRONG)
def test_a_wrong_answer_is_refused_with_the_reason(
    name: str, answer: str, why: str, tmp_path: Path
) -> None:
    found = read_lesson(name)
    with pytest.raises(InputError, match=re.escape(why)):
        prove(type(found)(**{**vars(found), "answer": answer}))


def test_the_exercises_and_tutorials_link_to_each_lesson_where_it_helps() -> None:
    pages = [path.read_text("utf-8") for path in Path("docs").rglob("*.md")]
    links = "".join(pages).split("https://calmip.github.io/calmip/play/index.html#lesson=")[1:]
    linked = [link[: link.index(")")] for link in links]
    assert set(linked) == set(bundled_lessons())


def test_what_is_asked_is_exact() -> None:
    model = read_lesson("chvatal-gomory").model
    assert str(relaxed(model)) == "59/7"
    assert optimum(model) == 7
    assert solutions(read_lesson("all-solutions").model) == 3
    assert relaxed(read_lesson("infeasible").model) is None
    assert optimum(read_lesson("infeasible").model) is None


def test_the_page_has_all_but_the_answer(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(OWN, encoding="utf-8")
    found = read_lesson(path)
    data = lesson_data(found)
    assert data["sense"] == -1
    assert data["columns"] == [["x", 3, 0, 4, 1], ["y", 2.5, 0, 4, 1]]
    assert data["rows"] == [["need", [[0, 2], [1, 1]], 3, None]]
    assert data["ask"] == {"kind": "point", "worth": 5.5}
    page = lesson(path, output=tmp_path / "lesson.html")
    written = (tmp_path / "lesson.html").read_text(encoding="utf-8")
    start = re.search('id="start">"#lesson=([^"]*)"', written)
    assert start is not None
    assert json.loads(unquote(start[1])) == data
    assert page.start == f"#lesson={start[1]}"
    assert "x=1 y=1" not in written


def test_a_bundled_lesson_is_opened_by_its_name(tmp_path: Path) -> None:
    path = tmp_path / "cover.html"
    assert main(["lesson", "knapsack-cover", "-o", str(path)]) == 0
    assert '"#lesson=knapsack-cover"' in path.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("title: Mine\n", "", "the key 'title' is missing"),
        ("kind: point", "kind: pint", "kind: 'pint' is not one of row, point"),
        ("worth: 5.5", "worth: much", "'worth' is a number, not 'much'"),
        ("worth: 5.5", "bound: 5.5", "bound"),
        ("2.5 y", "2.5 y + 1", "the objective has a constant"),
        ("need: 2 x", "need: 2 zz zz", "mine.yaml:8"),
        ("x=1 y=1", "x=2", "it is worth 6, not 5.5"),
        ("x=1 y=1", "x:1", "'x:1' is not NAME=NUMBER"),
        ("worth: 5.5", "worth: 6", "the optimum is 11/2"),
        ("2.5 y", "2.5 cut", "'cut' is not a name that a student can write"),
        ("title: Mine\n", "title: Mine\nexam: maybe\n", "exam"),
        ("x y\n", "".join(f" x{k}" for k in range(60)) + " x y\n", "62 columns"),
    ],
)
def test_a_file_that_is_no_lesson_is_refused(
    old: str, new: str, why: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert old in OWN
    path = tmp_path / "mine.yaml"
    path.write_text(OWN.replace(old, new), encoding="utf-8")
    assert main(["lesson", str(path), "-o", str(tmp_path / "out.html")]) == 2
    assert why in capsys.readouterr().err
    assert not (tmp_path / "out.html").exists()


UNREADABLE = [
    ("knapsack-cover", "a + b"),
    ("knapsack-cover", "a + z <= 1"),
    ("knapsack-cover", "a <= 1e999999999"),
    ("knapsack-cover", "a <= 1\n b >= 2"),
    ("rounding-fails", "x=1/0"),
    ("rounding-fails", "x=1e999999999"),
    ("rounding-fails", "x="),
    ("all-solutions", "three"),
    ("all-solutions", "9" * 30_000),
    ("depth-or-best", ""),
    ("depth-or-best", "root;0.f.2"),
    ("depth-or-best", "root;0.zz.1"),
    ("depth-or-best", "root;7.f.1"),
    ("depth-or-best", "root;x.f.1"),
    ("depth-or-best", "root;0.f"),
    ("depth-or-best", "root;0.cut"),
    ("depth-or-best", "root;0.cut.x"),
    ("depth-or-best", "root;0.cut.1.zz"),
    ("depth-or-best", "root;0.cut.1e9.a"),
    ("depth-or-best", "0.f.1"),
]


@pytest.mark.parametrize(("name", "answer"), UNREADABLE)
def test_an_answer_that_cannot_be_read_is_an_error_of_one_line(name: str, answer: str) -> None:
    with pytest.raises(InputError) as caught:
        fault_of(replace(read_lesson(name), answer=answer))
    assert "\n" not in str(caught.value)


def test_the_terms_of_a_row_may_stand_in_any_order() -> None:
    found = read_lesson("knapsack-cover")
    for text in ("3 d + b <= 3", "b + 3 d <= 3", "3 >= b + 3 d"):
        more = with_row(found, text)
        assert more.exact_row(len(more.rows) - 1).terms == {1: 1, 3: 3}


def test_a_tree_with_a_gap_between_its_sides_proves_nothing() -> None:
    found = read_lesson("rounding-fails")
    found = replace(found, ask={"kind": "tree", "nodes": 99})
    # x >= 5 and x <= 1 leave the rest out; the solution 5, 0 is the optimum all the same.
    faults = fault_of(replace(found, answer="root;0.x.%E2%89%A55;0.x.%E2%89%A41"))
    assert "node 0 is open: its bound is" in faults


def code_of(*parts: str) -> str:
    text = json.dumps([list(parts)])
    return "calmip-answer-1:" + base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def test_the_codes_of_a_class_are_judged_exactly(tmp_path: Path) -> None:
    found = read_lesson("clique")
    codes = [
        code_of("Cliques", "Ada", found.answer),
        code_of("Cliques", "Bob", "a + b <= 1"),
        code_of("Cliques", "Eve", "a + z <= 1"),
        code_of("Symmetry", "Joe", "y1 >= 1"),
        "calmip-answer-1:nonsense",
        "calmip-answer-1:" + base64.urlsafe_b64encode(b"[" * 9000).decode(),
    ]
    path = tmp_path / "codes.txt"
    path.write_text(f"Dear Sir,\n{codes[0]}\n" + ", ".join(codes), encoding="utf-8")
    answers = lesson("clique", codes=path)
    judged = [(one.name, one.right) for one in answers.answers]
    assert judged == [("Ada", True), ("Bob", False), ("Eve", None)]
    assert answers.right == 1
    assert len(answers.unread) == 3
    assert judge_codes(found, path) == answers
    notes = lesson_notes(answers)
    assert [line.partition(": ")[0] for line in notes] == ["not a code of this lesson"] * 3


@pytest.mark.parametrize(
    ("text", "options", "why"),
    [
        ("nothing", (), "there is no code in it"),
        (code_of("Cliques", "Ada", "a <= 1"), ("-o", "page.html"), "leave out --output"),
    ],
)
def test_what_cannot_be_judged_is_said_in_one_line(
    text: str,
    options: tuple[str, ...],
    why: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = tmp_path / "codes.txt"
    path.write_text(text, encoding="utf-8")
    assert main(["lesson", "clique", "--codes", str(path), *options]) == 2
    assert why in capsys.readouterr().err
    assert main(["lesson", "clique", "--codes", str(tmp_path / "none.txt")]) == 2
    assert "no such file" in capsys.readouterr().err


def test_a_page_has_no_table_of_answers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = str(tmp_path / "page.html")
    assert main(["lesson", "clique", "-o", page, "--format", "csv"]) == 2
    assert "no format csv" in capsys.readouterr().err


def test_an_exam_has_neither_hints_nor_the_goal(tmp_path: Path) -> None:
    for name in bundled_lessons():
        found = read_lesson(name)
        data = lesson_data(replace(found, exam=True))
        assert data["hints"] == []
        assert data["ask"] == {"kind": found.ask["kind"]}
        assert data["exam"] is True
    path = tmp_path / "mine.yaml"
    path.write_text("exam: true\n" + OWN, encoding="utf-8")
    assert read_lesson(path).exam
    assert lesson(path, output=tmp_path / "page.html").start.endswith("&lock=lab")


def test_no_chvatal_gomory_cut_proves_more_than_is_asked() -> None:
    """Every such cut of a direction has the floor of its maximum over the relaxation."""
    found = read_lesson("chvatal-gomory")
    bounds = []
    for a, b in itertools.product(range(-9, 10), repeat=2):
        terms = f"{a} x {'+' if b >= 0 else '-'} {abs(b)} y"
        head = ["Maximize", f" obj: {terms}", "Subject To", " first: 7 x - 2 y <= 14"]
        rows = [" second: y <= 3", " third: 2 x - 2 y <= 3", "End"]
        side = math.floor(relaxed(read_lp(TextFile("cut", [*head, *rows]))))
        bounds.append(relaxed(with_row(found, f"{terms} <= {side}")))
    assert min(bounds) == found.ask["bound"] == 7.5


def test_an_unknown_name_is_answered_by_the_names() -> None:
    with pytest.raises(InputError, match="did you mean clique"):
        read_lesson("cliqe")
