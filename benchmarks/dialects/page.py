"""The page of the readings, docs/reference/dialects.md."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.dialects.cases import LP, Case, mps
from benchmarks.dialects.readers import ONLY_MPS, READERS
from benchmarks.dialects.written import written_tables

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "dialects.md"

Facets = Mapping[str, str]

USUAL: dict[str, Facets] = {
    "mps": {"objective": "minimise x + 2 y", "x": "x >= 0", "y": "y >= 0", "r:": "x + y <= 4"},
    "lp": {"objective": "minimise x + 2 y", "x": "x >= 0", "y": "y >= 0", "r:": "x + y >= 4"},
}

FIXED = "GLPK (fixed)"
MAX_LISTED_ENTRIES = 5
WARNED = " \\*"

ADVICE = Path(__file__).parent / "page.md"


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
    text = text.replace("|", "\\|")
    return f"`` {text} ``" if "`" in text else f"`{text}`"


def join(readers: Sequence[str], readings: Mapping[str, Any]) -> str:
    # The fixed format is named where it is read otherwise than the free one.
    some = [name for name in readers if name != FIXED or "GLPK" not in readers]
    return ", ".join(name + WARNED * ("warned" in readings[name]) for name in some)


def is_alike(readings: Mapping[str, Any]) -> bool:
    """Whether every reader reads the file, and the same in it."""
    found = [reading.get("facets") for name, reading in readings.items() if name != FIXED]
    return all(facets is not None and facets == found[0] for facets in found)


def row(case: Case, readings: Mapping[str, Any]) -> str:
    """Return a row of a table."""
    shown = "<br>".join(code(line) for line in case.shown)
    lines = [f"{text}: {join(readers, readings)}" for text, readers in groups(case, readings)]
    refused = [name for name, reading in readings.items() if "refused" in reading]
    crashed = [name for name, reading in readings.items() if "crash" in reading]
    if refused:
        who = "all" if len(refused) == len(readings) else join(refused, readings)
        lines.append(f"refused: {who}")
    if crashed:
        lines.append(f"crashes: {', '.join(crashed)}")
    title = f'<span id="{case.anchor}"></span>{case.title}'
    remark = re.sub(r"\b(Minimize|Maximize)\b", r"`\1`", case.note)  # words of the format
    note = f"<br>*{remark}*" if remark else ""
    return f"| {title}{note} | {shown} | {'<br>'.join(lines)} |"


def page_text(cases: list[Case], known: Mapping[str, Any]) -> str:
    """Return the page of these readings."""
    versions = "\n".join(
        f"| {name} | {known['versions'][name]} | {known['dates'][name]} | "
        f"{'MPS' if name in ONLY_MPS else 'MPS, LP'} |"
        for name in READERS
        if name in known["versions"]
    )
    alike = [case for case in cases if is_alike(known["cases"][case.anchor])]
    tables = {}
    for kind in ("mps", "lp"):
        parts = []
        topics = dict.fromkeys(case.topic for case in cases if case.kind == kind)
        for topic in topics:
            chosen = [c for c in cases if (c.kind, c.topic) == (kind, topic) and c not in alike]
            if chosen:
                parts.append(
                    f"### {kind.upper()}: {topic[0].lower()}{topic[1:]}\n\n"
                    "| case | in the file | read as |\n|---|---|---|\n"
                    + "\n".join(row(case, known["cases"][case.anchor]) for case in chosen)
                )
        tables[kind] = "\n\n".join(parts)
    same = [
        f"| {case.kind.upper()} | "
        f'<span id="{case.anchor}"></span>{case.title} | '
        f"{'<br>'.join(map(code, case.shown))} | "
        f"{groups(case, known['cases'][case.anchor])[0][0]} |"
        for case in alike
    ]
    return ADVICE.read_text(encoding="utf-8").format(
        count=len(cases),
        alike=len(alike),
        versions=versions,
        base_mps=mps({})[0].rstrip("\n"),
        base_lp=LP.rstrip("\n"),
        mps=tables["mps"],
        lp=tables["lp"],
        written=written_tables(known["written"], code),
        same="| format | case | in the file | read as |\n|---|---|---|---|\n" + "\n".join(same),
    )
