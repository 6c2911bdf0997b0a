"""Tables of measured figures: printed row by row, kept as data, and put into the pages.

    python -m benchmarks.tables

A benchmark that is run with ``--keep`` writes its table to ``benchmarks/tables/NAME.json`` and into
the page that has the line ``<!-- table: NAME -->``. The site puts it where a page has the line
``<!-- measured: NAME -->``. Without arguments every page is written again from the data that are
there; a test compares them.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import platform
import re
import shlex
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from datetime import date
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

__all__ = ["Table", "add_option", "kept", "pages", "with_tables"]

ROOT = Path(__file__).parents[1]
FOLDER = Path(__file__).parent / "tables"
PACKAGES = ("calmip", "highspy", "ortools", "gurobipy", "pyscipopt", "z3-solver")

MARK = re.compile(r"(?m)^<!-- table: ([a-z0-9-]+) -->\n(?:\|.*\n)*")
"""The line that names a table on a page, and the table below it."""


@dataclass
class Table:
    """A table of texts, and how it came about.

    Parameters
    ----------
    name
        The name of its file and of its mark on a page.
    head, rows
        The cells. Each column is as wide as the first line.
    command
        What measures it again.
    measured
        The day of the run, ISO 8601; empty if it is not known.
    python, versions
        The Python and the packages of the run, as far as they are known.
    """

    name: str
    head: Sequence[str]
    rows: list[list[str]] = field(default_factory=list)
    command: str = ""
    measured: str = ""
    python: str = ""
    versions: dict[str, str] = field(default_factory=dict)

    @property
    def markdown(self) -> str:
        """The table as it stands on a page."""
        return "".join(f"{line}\n" for line in self._lines())

    def _lines(self) -> Iterator[str]:
        yield _line(self.head)
        yield "|" + "---|" * len(self.head)
        yield from map(_line, self.rows)

    def add(self, *cells: object) -> None:
        """Add a row, and print it; the head comes before the first."""
        assert len(cells) == len(self.head), cells
        self.rows.append([str(cell) for cell in cells])
        lines = list(self._lines())
        print("\n".join(lines if len(self.rows) == 1 else lines[-1:]), flush=True)

    def keep(self, module: str) -> None:
        """Write the table with the command of this run, and put it into its page."""
        self.command = shlex.join(["python", "-m", module, *_arguments()])
        self.measured, self.python = date.today().isoformat(), platform.python_version()
        for package in PACKAGES:
            with contextlib.suppress(PackageNotFoundError):
                self.versions[package] = version(package)
        path = FOLDER / f"{self.name}.json"
        path.write_text(json.dumps(asdict(self), indent=1, ensure_ascii=False) + "\n", "utf-8")
        write()


def _line(cells: Sequence[str]) -> str:
    return "|" + "".join(f" {cell} |" for cell in cells)


def _arguments() -> list[str]:
    return [argument for argument in sys.argv[1:] if argument != "--keep"]


def add_option(parser: argparse.ArgumentParser) -> None:
    """Add the option ``--keep`` to a benchmark's command line."""
    parser.add_argument("--keep", action="store_true", help="write the table into its page")


def kept() -> dict[str, Table]:
    """Return the tables that are kept, by name."""
    found = {}
    for path in sorted(FOLDER.glob("*.json")):
        table = Table(**json.loads(path.read_text(encoding="utf-8")))
        found[table.name] = table
    return found


def with_tables(text: str, tables: dict[str, Table]) -> str:
    """Return a page with each marked table as its data have it."""

    def put(match: re.Match[str]) -> str:
        return f"<!-- table: {match[1]} -->\n{tables[match[1]].markdown}"

    return MARK.sub(put, text)


def pages() -> Iterator[tuple[Path, str]]:
    """Yield the pages that have marked tables, and their texts."""
    for path in sorted((ROOT / "docs").rglob("*.md")):
        text = path.read_text(encoding="utf-8")
        if MARK.search(text):
            yield path, text


def write() -> None:
    """Write the tables of all pages again from their data."""
    tables = kept()
    for path, text in pages():
        path.write_text(with_tables(text, tables), encoding="utf-8")


if __name__ == "__main__":
    write()
