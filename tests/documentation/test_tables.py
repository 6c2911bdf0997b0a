"""The tables of measured figures on the pages are those of the data that are kept."""

from __future__ import annotations

import argparse
import json
import re
import shlex
import statistics
from collections import Counter
from pathlib import Path

import pytest

from benchmarks import tables
from benchmarks.tables import FOLDER, MARK, ROOT, Table, add_option, kept, pages, with_tables

PAGE = """Seconds:

<!-- table: one -->
| old | table |
|---|---|
| 1 | 2 |

The end.
"""


MEASURED = ROOT / "docs" / "about" / "benchmarks.md"


def test_each_table_is_on_one_page_as_its_data_have_it() -> None:
    """A page has the rows themselves, or the site puts them in."""
    known = kept()
    found: Counter[str] = Counter()
    for path, text in pages():
        assert with_tables(text, known) == text, f"{path}: python -m benchmarks.tables"
        found.update(match[1] for match in MARK.finditer(text))
    found.update(re.findall(r"(?m)^<!-- measured: ([a-z0-9-]+) -->$", MEASURED.read_text("utf-8")))
    assert found == Counter(known.keys())


def test_each_table_says_what_measures_it_again() -> None:
    for table in kept().values():
        python, option, module, *_ = shlex.split(table.command)
        if python == "calmip":
            continue
        assert (python, option) == ("python", "-m")
        assert (ROOT / (module.replace(".", "/") + ".py")).is_file()
        assert table.rows
        assert all(len(row) == len(table.head) for row in table.rows)


def test_the_sentences_on_conflicts_are_of_their_table() -> None:
    table = kept()["iis"]
    page = MEASURED.read_text(encoding="utf-8")
    both = []
    for row in table.rows:
        cells = [
            re.match(r"(\d+)\+\d+, ([\d.]+)", row[table.head.index(name)])
            for name in ("calmip", "Gurobi")
        ]
        if all(cells):
            both.append([(int(cell[1]), float(cell[2])) for cell in cells if cell])
    ratios = [(ours[1] + 0.01) / (theirs[1] + 0.01) for ours, theirs in both]
    text = " ".join(page.split())
    assert all(ours[0] <= theirs[0] for ours, theirs in both)
    assert f"in all {len(both)} models that both answer" in text
    assert f"calmip takes {statistics.geometric_mean(ratios):.1f} times Gurobi's CPU" in text
    quick = max(ours[1] for ours, theirs in both if theirs[1] < 1)
    assert f"takes less than a second, calmip takes at most {quick:.2f} s" in text


def test_a_changed_figure_is_seen() -> None:
    path, text = next(iter(pages()))
    known = kept()
    name = MARK.search(text)[1]  # type: ignore[index]
    known[name].rows[0][-1] += "1"
    assert with_tables(text, known) != text, path


def test_a_kept_table_goes_to_its_data_and_its_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(tables, "ROOT", tmp_path)
    monkeypatch.setattr(tables, "FOLDER", tmp_path)
    monkeypatch.setattr("sys.argv", ["one", "--keep", "--runs", "3"])
    (tmp_path / "docs").mkdir()
    page = tmp_path / "docs" / "page.md"
    page.write_text(PAGE)
    parser = argparse.ArgumentParser()
    add_option(parser)
    assert parser.parse_args(["--keep"]).keep
    table = Table("one", ["", "seconds"])
    table.add("fast", 0.5)
    table.add("slow", 7)
    printed = capsys.readouterr().out
    assert printed == "|  | seconds |\n|---|---|\n| fast | 0.5 |\n| slow | 7 |\n"
    table.keep("benchmarks.one")
    assert page.read_text() == re.sub(r"(?m)^\| old[^T]*\n\n", f"{printed}\n", PAGE)
    data = json.loads((tmp_path / "one.json").read_text())
    assert data["command"] == "python -m benchmarks.one --runs 3"
    assert data["rows"] == [["fast", "0.5"], ["slow", "7"]]
    assert data["versions"]["calmip"]
    assert tmp_path != FOLDER
