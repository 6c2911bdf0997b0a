"""Read the code blocks of a Markdown page, run them in order, compare what they print.

A page is one session: its blocks share a folder, and its Python blocks share
their names. What a block is follows from its language and from a comment on the
line before it::

    <!-- file: NAME -->       the block is written to this file
    <!-- output -->           the block is what the Python block before it prints
    <!-- prints: COMMAND -->  the block is what this command prints
    <!-- not run: REASON -->  the block is not run
    <!-- command: NAME -->    the block is run by .ci/run, in a clean environment
    <!-- needs: PROGRAM -->   the block is run where this program or package is; in CI it must be
                              (presence.py)

``console``: every ``$ `` line is a command, what follows is its output; a line
``...`` stands for any lines, within a line for any text; ``[exit N]`` at the end
says with which code.
``sh``: run as a script that must succeed. ``python``: run; ``pycon``: a doctest.
``yaml``, ``json`` and ``text`` are not run.
"""

from __future__ import annotations

import contextlib
import doctest
import importlib.util
import io
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from processes import HANG_SECONDS
from requirements import required

FENCE = re.compile(r"^( *)(`{3,})(\w*).*$")
MARK = re.compile(r"^ *<!-- (file|not run|output|command|needs|prints)(?:: (.*?))? -->$")
DRAWN = re.compile(r"^[+|][-+| ].*[+|]$")
LANGUAGES = {
    "console",
    "sh",
    "python",
    "pycon",
    "yaml",
    "toml",
    "json",
    "text",
    "lp",
    "c",
    "html",
    "js",
    "",
}


@dataclass(frozen=True)
class Block:
    """One fenced block: its language, its lines, its line number, and its mark."""

    language: str
    text: str
    line: int
    mark: str = ""
    argument: str = ""


def blocks(path: Path) -> Iterator[Block]:
    """Yield the fenced blocks of a page."""
    lines = iter(enumerate(path.read_text(encoding="utf-8").splitlines(), start=1))
    mark, argument = "", ""
    for number, line in lines:
        found = MARK.match(line)
        if found:
            mark, argument = found.group(1), found.group(2) or ""
            continue
        fence = FENCE.match(line)
        if fence is None:
            if line.strip():
                mark, argument = "", ""
            continue
        indent, ticks, language = fence.groups()
        body = []
        for _, inner in lines:
            if inner.strip() == ticks:
                break
            body.append(inner.removeprefix(indent))
        yield Block(language, "\n".join(body) + "\n", number, mark, argument)
        mark, argument = "", ""


class Session:
    """What the blocks of one page share."""

    def __init__(self, page: str, folder: Path, environment: dict[str, str]) -> None:
        self.page = page
        self.folder = folder
        self.environment = environment
        self.names: dict[str, Any] = {"__name__": "__main__"}
        self.printed: str | None = None

    def run(self, block: Block) -> None:
        """Run one block; an AssertionError says where the page and the program differ."""
        place = f"{self.page}:{block.line}"
        assert block.language in LANGUAGES, f"{place}: unknown language {block.language!r}"
        if block.mark == "file":
            path = self.folder / block.argument
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block.text, encoding="utf-8")
        elif block.mark == "output":
            assert self.printed is not None, f"{place}: no Python block before this output"
            compare(block.text, self.printed, place)
            self.printed = None
        elif block.mark == "prints":
            compare(block.text, self._shell(block.argument).stdout, place)
        elif block.mark in ("not run", "command"):
            assert block.argument, f"{place}: say why"
        elif block.mark == "needs" and not _is_here(block.argument):
            assert not required(block.argument), f"{place}: {block.argument} is required here"
        elif block.language == "console":
            self._console(block, place)
        elif block.language == "sh":
            done = self._shell(block.text)
            assert done.returncode == 0, f"{place}: {done.stdout}{done.stderr}"
        elif block.language == "python":
            self._python(block, place)
        elif block.language == "pycon":
            self._doctest(block, place)

    def _console(self, block: Block, place: str) -> None:
        for command, expected in commands(block.text):
            code = 0
            status = re.search(r"^\[exit (\d+)\]\n\Z", expected, re.MULTILINE)
            if status:
                code, expected = int(status.group(1)), expected[: status.start()]
            done = self._shell(command)
            where = f"{place}: $ {command}"
            assert done.returncode == code, (
                f"{where}\nexit code {done.returncode}, not {code}\n{done.stdout}"
            )
            compare(expected, done.stdout, where)

    def _shell(self, command: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["bash", "-euo", "pipefail", "-c", command],
            cwd=self.folder,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=HANG_SECONDS,
            check=False,
        )

    def _python(self, block: Block, place: str) -> None:
        stream = io.StringIO()
        # Blank lines before the code make line numbers in a traceback those of the page.
        code = compile("\n" * block.line + block.text, self.page, "exec")
        with contextlib.redirect_stdout(stream), self._in_folder():
            exec(code, self.names)
        self.printed = stream.getvalue()

    def _doctest(self, block: Block, place: str) -> None:
        test = doctest.DocTestParser().get_doctest(
            block.text, self.names, place, self.page, block.line
        )
        runner = doctest.DocTestRunner(
            optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE, verbose=False
        )
        stream = io.StringIO()
        with self._in_folder():
            result = runner.run(test, out=stream.write, clear_globs=False)
        self.names.update(test.globs)
        assert result.failed == 0, stream.getvalue()

    @contextlib.contextmanager
    def _in_folder(self) -> Iterator[None]:
        before = Path.cwd()
        os.chdir(self.folder)
        try:
            yield
        finally:
            os.chdir(before)


def _is_here(name: str) -> bool:
    # A folder of that name, such as tests/mip, has no origin.
    found = getattr(importlib.util.find_spec(name), "origin", None)
    return shutil.which(name) is not None or found is not None


def commands(text: str) -> Iterator[tuple[str, str]]:
    """Yield the commands of a console block, each with the output that is shown."""
    command, output = "", ""
    for line in text.splitlines(keepends=True):
        if line.startswith("$ "):
            if command:
                yield command, output
            command, output = line[2:].rstrip("\n"), ""
        elif command.endswith("\\"):
            command += "\n" + line.removeprefix("> ").rstrip("\n")
        else:
            output += line
    if command:
        yield command, output


def compare(expected: str, found: str, place: str) -> None:
    """Compare outputs line by line after masking what differs from run to run."""
    wanted, got = masked(expected), masked(found)
    pattern = "".join(
        r"(?:.*\n)*?" if line == "...\n" else re.escape(line).replace(r"\.\.\.", ".*")
        for line in wanted.splitlines(keepends=True)
    )
    assert re.fullmatch(pattern, got), f"{place}\n--- the page\n{wanted}--- the program\n{got}"


def masked(text: str) -> str:
    """Return an output without seconds and versions, trailing blanks and empty last lines.

    A drawing of a tiling that a MIP solver chose keeps its outline only: another
    version of the solver may find another tiling.
    """
    text = re.sub(r"\b\d+\.\d+ s\b", "N s", text)
    text = re.sub(r"(\"(?:cover|model|solve|verify|total)\": )[\d.e-]+", r"\1N", text)
    text = re.sub(r"\b\d+\.\d+\.\d+\b", "VERSION", text)
    lines = [line.rstrip() for line in text.rstrip().splitlines()]
    if any("tiling found and verified (" in line for line in lines):
        lines = [f"drawn, {len(line)} wide" if DRAWN.match(line) else line for line in lines]
    return "".join(f"{line}\n" for line in lines)


def environment(tools: Path) -> dict[str, str]:
    """Return an environment in which ``calmip`` and ``python`` are those under test."""
    tools.mkdir(exist_ok=True)
    for name, what in (("calmip", "-m calmip"), ("python", "")):
        script = tools / name
        script.write_text(f'#!/bin/sh\nexec "{sys.executable}" {what} "$@"\n')
        script.chmod(0o755)
    root = Path(__file__).parents[2]
    kept = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "COLUMNS")}
    return {**kept, "PATH": f"{tools}:{kept['PATH']}", "PYTHONPATH": str(root), "COLUMNS": "100"}
