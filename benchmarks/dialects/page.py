"""The readings as tables in files, which the site shows as a page and others search.

``docs/reference/dialects.csv`` has a row for each reading of each case, with the programs that read
it so; ``dialects-written.csv`` those files of programs that some program reads otherwise.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.dialects.cases import Case
from benchmarks.dialects.written import written_rows

FOLDER = Path(__file__).parents[2] / "docs" / "reference"
CASES, WRITTEN = FOLDER / "dialects.csv", FOLDER / "dialects-written.csv"

Facets = Mapping[str, str]

USUAL: dict[str, Facets] = {
    "mps": {"objective": "minimise x + 2 y", "x": "x >= 0", "y": "y >= 0", "r:": "x + y <= 4"},
    "lp": {"objective": "minimise x + 2 y", "x": "x >= 0", "y": "y >= 0", "r:": "x + y >= 4"},
}

FIXED = "GLPK (fixed)"
MAX_LISTED_ENTRIES = 5
WARNED = " *"


def groups(case: Case, readings: Mapping[str, Any]) -> list[tuple[str, list[str]]]:
    """Return what is read and by whom: readings that differ, largest group first."""
    found: list[tuple[Facets, list[str]]] = []
    for reader, reading in readings.items():
        if "facets" in reading:
            same = [readers for facets, readers in found if facets == reading["facets"]]
            if same:
                same[0].append(reader)
            else:
                found.append((reading["facets"], [reader]))
    # CBC renames all columns if it does not like one name.
    found.sort(key=lambda pair: (pair[1] == ["CBC"], -len(pair[1])))
    usual = USUAL[case.kind]
    own = columns(found[0][0]) if found else set()
    if found and found[0][1] == ["CBC"]:
        own = columns(usual)
    kept = [facets for facets, _ in found if columns(facets) & own]
    names = dict.fromkeys(name for facets in kept for name in facets)
    varying = [name for name in names if len({facets.get(name) for facets in kept}) > 1]
    texts = []
    for facets, readers in found:
        if not columns(facets) & own:
            rest = {n: t for n, t in facets.items() if n == "objective" or n.endswith(":")}
            text = f"other names: {words(rest)}"
        elif varying:
            here = {name: facets[name] for name in varying if name in facets}
            text = words(here) or words(dict.fromkeys(varying, ""))
        else:
            here = {name: part for name, part in facets.items() if usual.get(name) != part}
            gone = {name: "" for name in usual if name not in facets}
            text = words(here) or words(gone) or "the same model"
        texts.append((text, readers))
    return texts


def columns(facets: Facets) -> set[str]:
    return {name for name in facets if name != "objective" and not name.endswith(":")}


def words(facets: Facets) -> str:
    """Return some parts of a reading in one line; an empty text is a part that is not there."""
    parts = []
    for name, text in facets.items():
        shown = name.removesuffix(" again:")
        if not text:
            kind = "no row" if name.endswith(":") else "no column"
            parts.append(f"{kind} {code(shown.rstrip(':'))}")
        elif name.endswith(":"):
            parts.append(code(f"{shown} {text}"))
        elif name.startswith("also "):
            parts.append(f"and {text}")
        elif ", " in text:
            kind, _, rest = text.rpartition(", ")
            parts.append(f"{kind} {code(rest)}")
        else:
            parts.append(code(text))
    return "; ".join(
        parts if len(parts) <= MAX_LISTED_ENTRIES else [*parts[:MAX_LISTED_ENTRIES], "..."]
    )


def code(text: str) -> str:
    text = re.sub(" +", " ", text if len(text) <= 50 else f"{text[:40]} ...")
    return f"`` {text} ``" if "`" in text else f"`{text}`"


def join(readers: Sequence[str], readings: Mapping[str, Any]) -> str:
    # The fixed format is named where it is read otherwise than the free one.
    some = [name for name in readers if name != FIXED or "GLPK" not in readers]
    return ", ".join(name + WARNED * ("warned" in readings[name]) for name in some)


def rows(case: Case, readings: Mapping[str, Any]) -> Iterator[list[str]]:
    """Yield a row for each reading of a case, that of most programs first, refusals last."""
    found = [(text, join(readers, readings)) for text, readers in groups(case, readings)]
    for word, key in (("refused", "refused"), ("crashes", "crash")):
        readers = [name for name, reading in readings.items() if key in reading]
        if readers:
            found.append((word, join(readers, readings)))
    shown = "\n".join(map(code, case.shown))
    for reading, programs in found:
        yield [
            case.anchor,
            case.kind.upper(),
            case.topic,
            case.title,
            shown,
            reading,
            programs,
            case.note,
        ]


def cases_text(cases: Sequence[Case], known: Mapping[str, Any]) -> str:
    """Return the table of all cases."""
    head = ["case", "format", "topic", "title", "in the file", "read as", "programs", "advice"]
    readings = known["cases"]
    return table(head, (one for case in cases for one in rows(case, readings[case.anchor])))


def written_text(known: Mapping[str, Any]) -> str:
    """Return the table of the files that programs write."""
    head = ["the model has", "written by", "format", "read as", "programs"]
    return table(head, written_rows(known["written"], code))


def table(head: Sequence[str], lines: Iterable[Sequence[str]]) -> str:
    """Return a table as CSV."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(head)
    writer.writerows(lines)
    return stream.getvalue()
