"""The pages of the site that show a table of `docs/` for its search and for browsers."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from itertools import groupby
from operator import itemgetter
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs"
DIALECTS, WRITTEN = "reference/dialects.csv", "reference/dialects-written.csv"
STATEMENTS = "about/audit.csv"

BASES = {
    "MPS": """NAME          model
ROWS
 N  cost
 L  r
COLUMNS
    x         cost      1
    x         r         1
    y         cost      2
    y         r         1
RHS
    rhs       r         4
ENDATA
""",
    "LP": "Minimize\n obj: x + 2 y\nSubject To\n r: x + y >= 4\nEnd\n",
}
"""The files of which a case of each format changes some lines."""


def data_pages() -> Iterator[tuple[str, str]]:
    """Yield the path and the Markdown of every such page."""
    yield "reference/dialects-cases.md", dialects()
    yield "about/audit-statements.md", statements()


def rows(name: str) -> list[dict[str, str]]:
    """Return the rows of a table of `docs/`."""
    with (DOCS / name).open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def dialects() -> str:
    """Return the page of all measured cases of MPS and LP files."""
    parts = [
        "# All cases of MPS and LP dialects",
        "Who reads which text of a model file as what: the table "
        "[dialects.csv](dialects.csv) as a page. [Dialects](dialects.md) says what to write.",
    ]
    for kind, readings in groupby(rows(DIALECTS), itemgetter("format")):
        parts.append(f"## {kind}\n\nA case changes this file.\n\n```text\n{BASES[kind]}```")
        for topic, cases in groupby(readings, itemgetter("topic")):
            table = ["| case | in the file | read as |", "|---|---|---|"]
            table += [case_row(list(some)) for _, some in groupby(cases, itemgetter("case"))]
            parts.append(f"### {kind}: {topic[0].lower()}{topic[1:]}\n\n" + "\n".join(table))
    table = ["| the model has | written by | read otherwise |", "|---|---|---|"]
    for (model, writer, kind), readings in groupby(
        rows(WRITTEN), itemgetter("the model has", "written by", "format")
    ):
        table.append(f"| {model} | {writer}, {kind} | {shown(readings)} |")
    parts.append("## Files that programs write\n\n" + "\n".join(table))
    return "\n\n".join(parts) + "\n"


def statements() -> str:
    """Return the page of all published numbers of tilings, puzzle by puzzle."""
    parts = [
        "# All statements on numbers of tilings",
        "The table [audit.csv](audit.csv) as a page; [Published counts](audit.md) explains it. "
        '"Real dates" are the 366 days, with weekdays 2,562. "All choices" are any label of '
        'each group, so February 30 too. "A list" is the source\'s own number for each choice. '
        "Pieces may be turned over, and equal pieces are not told apart, unless a line says so.",
    ]
    for puzzle, some in groupby(rows(STATEMENTS), itemgetter("puzzle")):
        table = ["| who | of | says | recounted |", "|---|---|---|---|"]
        for one in some:
            same = one["recounted"] == "the same"
            found = one["recounted"] if same else f"**{one['recounted']}**"
            who = f"[{one['who']}]({one['address']})"
            table.append(f"| {who} | {one['of']} | {one['says']} | {found} |")
        parts.append(f"## {puzzle}\n\n" + "\n".join(table))
    return "\n\n".join(parts) + "\n"


def case_row(readings: list[dict[str, str]]) -> str:
    """Return the row of a case, from its readings."""
    first = readings[0]
    advice = f"<br>*{first['advice']}*" if first["advice"] else ""
    lines = cell(first["in the file"]).replace("\n", "<br>")
    title = f'<span id="{first["case"]}"></span>{first["title"]}'
    return f"| {title}{advice} | {lines} | {shown(readings)} |"


def shown(readings: Iterator[dict[str, str]] | list[dict[str, str]]) -> str:
    """Return what is read and by whom, a reading a line."""
    return "<br>".join(
        f"{cell(one['read as'])}: {one['programs'].replace('*', chr(92) + '*')}" for one in readings
    )


def cell(text: str) -> str:
    """Return a text as a cell of a table."""
    return text.replace("|", "\\|")
