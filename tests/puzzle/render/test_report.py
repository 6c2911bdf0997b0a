"""Reports as data: what each writer makes of any title, lines, tables and drawings."""

from __future__ import annotations

import csv
import io
import re
from html.parser import HTMLParser
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import calmip
from calmip._base.errors import InputError
from calmip.puzzle.render.characters import PLAIN
from calmip.puzzle.render.escaping import markdown_text
from calmip.puzzle.render.report import (
    DEFAULT,
    WIDTH,
    DataTable,
    Document,
    Drawing,
    Paragraph,
    as_markdown,
    as_page,
    as_text,
)
from calmip.puzzle.render.reports import data, forms_of, output_of
from calmip.puzzle.render.reports.answers import _verdict, _verdict_of_model

TEXTS = st.text(st.sampled_from("ab |`*_<>&#\x1b\u202e\n"), max_size=8)


@st.composite
def tables(draw: st.DrawFn) -> DataTable:
    width = draw(st.integers(1, 4))
    row = st.lists(TEXTS, min_size=width, max_size=width)
    head = draw(st.just([]) | row)
    rows = draw(st.lists(row, min_size=1, max_size=3))
    return DataTable(head, rows, draw(TEXTS), draw(TEXTS))


BLOCKS = st.lists(
    TEXTS
    | tables()
    | TEXTS.map(lambda text: Drawing(lambda _: text))
    | st.builds(Paragraph, TEXTS, TEXTS, TEXTS),
    max_size=4,
)


class Tags(HTMLParser):
    """The tags and the cells of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []

    def handle_starttag(self, tag: str, _: object) -> None:
        self.tags.append(tag)


@pytest.mark.long
@given(TEXTS, BLOCKS)
def test_no_text_is_taken_for_markup(title: str, blocks: list[str | DataTable | Drawing]) -> None:
    report = Document(title, blocks)
    found = [block for block in blocks if isinstance(block, DataTable)]
    rows = sum(len(block.rows) + bool(block.head) for block in found)
    cells = sum(len(row) for block in found for row in [block.head, *block.rows])
    tags = Tags()
    tags.feed(as_page(report))
    assert tags.tags.count("tr") == rows
    assert tags.tags.count("th") + tags.tags.count("td") == cells
    assert not {"a", "b"} & set(tags.tags)
    outside = re.sub(r"(?ms)^(`{3,})text$.*?^\1$", "", as_markdown(report))
    lines = [line for line in outside.splitlines() if line.startswith("| ")]
    assert len(lines) == sum(len(block.rows) + 2 for block in found)
    wanted = [len(block.rows[0]) + 1 for block in found for _ in range(len(block.rows) + 2)]
    assert [len(re.findall(r"(?<!\\)\|", line)) for line in lines] == wanted
    assert not {"\x1b", "\u202e"} & set(outside)


def test_a_text_has_a_table_with_its_title_and_its_note() -> None:
    table = DataTable(("", "n"), [("a", "1"), ("bb", "10")], "title", "note", indent="  ")
    assert as_text(Document("", [table, "", "end"])) == (
        "title\n       n\n  a    1\n  bb  10\n  note\n\nend\n"
    )


@given(st.lists(st.text("ab.", min_size=1, max_size=99), max_size=30), st.integers(0, 9))
def test_a_paragraph_is_wrapped_in_a_text_alone(words: list[str], indent: int) -> None:
    block = Paragraph(" ".join(words), "- ", " " * indent)
    first, *others = as_text(Document("", [block])).splitlines()
    assert first.startswith("-")
    assert all(line.startswith(" " * indent) for line in others)
    lines = [first[2:], *(line[indent:] for line in others)]
    assert [word for line in lines for word in line.split(" ") if word] == words
    for line in (first, *others):
        assert len(line) <= WIDTH or " " not in line.removeprefix("- ").strip()
    assert as_markdown(Document("t", [block])).splitlines()[2:] == [
        f"* {markdown_text(f'- {block.words}'.strip())}"
    ]


def test_words_of_a_page_s_table_begin_at_the_left() -> None:
    block = DataTable(("name", "number", "words"), [("a", "1", "b")], left=(0, 2))
    page = as_page(Document("t", [block]))
    for cell in ("col", "row"):
        assert f'<th scope="{cell}" class="words">' in page
    assert '<th scope="col">number</th>' in page
    assert '<td>1</td><td class="words">b</td>' in page


@pytest.mark.trade("bench")
def test_a_comparison_is_a_table_for_other_programs() -> None:
    compared = calmip.compare.formulations(
        calmip.read_instance("instances/tiny.yaml"), formulation=["matrix"], solver=["exact-cover"]
    )
    (row,) = csv.DictReader(io.StringIO(data(compared, "csv").decode()))
    (run,) = compared.describe()["runs"]
    assert row == {key: "" if value is None else str(value) for key, value in run.items()}


def test_reports_of_commands_are_pages_and_markdown(tmp_path: Path) -> None:
    tiny, conflict = (
        calmip.read_instance(f"instances/{one}.yaml") for one in ("tiny", "dead-corner")
    )
    results = [
        calmip.hint(tiny),
        calmip.count(tiny),
        calmip.relax(tiny),
        calmip.tree(tiny),
        calmip.explain(conflict),
    ]
    for result in results:
        assert {"text", "html", "md", "json"} <= set(forms_of(result))
        result.save(tmp_path / "report.md")
        markdown, html = data(result, "md").decode(), data(result, "html").decode()
        assert (tmp_path / "report.md").read_text() == markdown
        title = markdown.splitlines()[0].removeprefix("# ")
        assert f"<h1>{title.replace(chr(92), '')}</h1>" in html
        with pytest.raises(InputError, match="unknown theme"):
            data(result, "html", "pink")


@pytest.mark.trade("bench")
def test_a_type_without_a_report_has_its_description_as_lines_and_tables() -> None:
    solution = calmip.solve(calmip.read_instance("instances/tiny.yaml"), solver="exact-cover")
    assert output_of(object) is DEFAULT
    text = DEFAULT.forms["text"](solution, style=PLAIN)
    assert f"status: {solution.status}\n" in text
    assert f"columns: {solution.columns}\n" in text
    compared = calmip.compare.formulations(
        solution.instance, formulation=["matrix"], solver=["exact-cover"]
    )
    head = " | ".join(compared.describe()["runs"][0])
    assert f"| {head} |" in DEFAULT.forms["md"](compared).replace("\\", "")


@pytest.mark.parametrize(
    ("parts", "words"),
    [
        ({"status": "feasible"}, "L: tiling found and verified"),
        (
            {"status": "feasible", "found_by": "search"},
            "L: tiling found by the exact-cover search, accepted by cbc and verified",
        ),
        ({"status": "infeasible"}, "there is no tiling: so"),
        (
            {"status": "infeasible", "seconds": {"solve": 1.0}},
            "there is no tiling: cbc reports so, and an independent search agrees",
        ),
        ({"status": "unknown"}, "stopped before an answer: so"),
        ({"status": "unknown", "detail": ""}, "stopped before an answer"),
        (
            {"status": "unknown", "missing": "ab"},
            "stopped before an answer; a packing covers 7 of 9 cells",
        ),
        (
            {"status": "infeasible", "missing": "abc", "seconds": {"solve": 1.0}},
            "there is no tiling; a packing covers 6 of 9 cells (cbc: none covers more)",
        ),
    ],
)
def test_the_verdict_on_an_instance_says_who_says_so(parts: dict[str, Any], words: str) -> None:
    missing = parts.pop("missing", None)
    usual = {"solver": "cbc", "detail": "so", "found_by": "cbc", "seconds": {}}
    found: Any = SimpleNamespace(
        **usual | parts | {"status": calmip.Status(parts["status"])},
        tilings=[SimpleNamespace(labels=("L",))],
        instance=SimpleNamespace(to_cover=range(9)),
        packing=None if missing is None else SimpleNamespace(missing=missing),
    )
    assert _verdict(found) == words


MODEL = calmip.Model.from_rows(["x"], [("r", {0: 1.0}, 0.0, 9.0)], [2.0])


@pytest.mark.parametrize(
    ("status", "parts", "words"),
    [
        ("optimal", {}, "solution found and checked; optimal: verified, objective 6"),
        (
            "optimal",
            {"verified": False},
            "solution found and checked; optimal: claimed by cbc, unverified, objective 6",
        ),
        ("feasible", {"model": MODEL.with_costs({})}, "solution found and checked"),
        ("feasible", {"exact": False}, "solution found, so, objective 6"),
        (
            "optimal",
            {"unique": True},
            "solution found and checked; optimal: verified, objective 6; the only optimum",
        ),
        (
            "optimal",
            {"unique": False},
            "solution found and checked; optimal: verified, objective 6; not the only optimum",
        ),
        ("infeasible", {"objective": None}, "there is no solution: so"),
        ("unknown", {"objective": None, "detail": ""}, "stopped before an answer"),
        ("unbounded", {"objective": None}, "there are solutions with an arbitrarily good obj"),
    ],
)
def test_the_verdict_on_a_model_says_what_was_checked(
    status: str, parts: dict[str, Any], words: str
) -> None:
    usual: dict[str, Any] = {
        "model": MODEL,
        "point": {0: 3},
        "objective": 6.0,
        "solver": "cbc",
        "detail": "so",
        "verified": True,
        "exact": True,
        "unique": None,
    }
    found: Any = SimpleNamespace(status=calmip.Status(status), **(usual | parts))
    verdict = _verdict_of_model(found)
    assert verdict.startswith(words) if status == "unbounded" else verdict == words
