"""A page to play on, in one file: every puzzle, tilings left, hints, the model, a MIP solver.

The page is built from ``web/`` and lies in ``calmip/page/``; here the solver and the first
address are added. It needs neither a server nor a network.
"""

from __future__ import annotations

import base64
import datetime
import gzip
import hashlib
import json
import os
import sys
import webbrowser
import zlib
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from urllib.parse import quote

from calmip._base.errors import InputError, SolverFailed
from calmip._base.files import write_atomically
from calmip.mip.status import Status
from calmip.puzzle.dates import parse_date
from calmip.puzzle.documents.reader import DEFAULT_PUZZLE, bundled_puzzles, read_puzzle
from calmip.puzzle.instance import Instance
from calmip.puzzle.tasks.interface import public
from calmip.puzzle.tasks.results import Result

__all__ = ["Page", "board_script", "more_script", "page_text", "play", "show_page", "solver_script"]


@dataclass(frozen=True, repr=False)
class Page(Result):
    """The written page, and whether a browser shows it.

    Parameters
    ----------
    path
        The HTML file that holds everything, or the script of the board alone.
    start
        The address that the page opens first: the puzzle, and the date if one was given (else
        today's). Empty for the board alone, which its page sets up.
    opened
        Whether a browser was found and asked to show the page.
    """

    KEYS = ("status", "path", "start", "opened")

    path: Path
    start: str
    opened: bool

    @property
    def status(self) -> Status:
        """Always done."""
        return Status.DONE

    def _summary(self) -> str:
        return str(self.path)


@public
def play(
    puzzle: str | Path = DEFAULT_PUZZLE,
    *,
    date: datetime.date | str | None = None,
    output: Path | str | None = None,
) -> Page:
    """Open a page to play on in the browser, without a server or a network.

    The page has all bundled puzzles and dates, the number of tilings left after
    every move, hints, the year, the model with its files, and HiGHS. It is one
    file, which can be saved, copied and mailed.

    Parameters
    ----------
    puzzle
        A bundled puzzle's name, or the path of a puzzle in YAML.
    date
        Open this date: 2024-02-29, tomorrow, +3 days. The day on which the page
        is opened unless given.
    output
        Write the page to a file instead of opening the browser; a name that ends in .js
        gets the element <calmip-board>, the board alone for pages of others.

    Raises
    ------
    InputError
        If there is no such puzzle, it does not have the date, or the file
        cannot be written.
    """
    start = _start(puzzle, date)
    if output is not None and Path(output).suffix == ".js":
        write_atomically(Path(output), board_script().encode())
        return Page(Path(output), "", opened=False)
    return show_page(start, output)


def show_page(start: str, output: Path | str | None) -> Page:
    """Write the page, which opens an address first; without a file, show it in the browser."""
    text = page_text(start)
    if output is not None:
        path = Path(output)
        write_atomically(path, text.encode())
        return Page(path, start, opened=False)
    # The same page has the same file, so the browser keeps the tilings that the player found.
    name = hashlib.sha256(text.encode()).hexdigest()[:12]
    path = _cache() / f"play-{name}.html"
    if not path.is_file():
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(
                f"cannot be made: {error.strerror or error}; write the page with -o",
                path=path.parent,
            ) from None
        write_atomically(path, text.encode())
    return Page(path, start, opened=webbrowser.open(path.resolve().as_uri()))


def page_text(start: str = "", *, whole: bool = True) -> str:
    """Return the page as HTML.

    Parameters
    ----------
    start
        The address that it opens first, such as ``#puzzle=heart-set1``.
    whole
        Whether the lab, its solver and what else most visits never open are in it; otherwise they
        are in `solver_script` and `more_script` beside the page.
    """
    parts = []
    if start:
        parts.append(_data("start", start))
    if whole:
        parts += [_data("lab", _solver()), _data("more", more_script())]
    return _built("page.html").decode().replace("<!--lab-->", "\n".join(parts), 1)


def solver_script() -> str:
    """Return the text of ``highs.js``: the lab and its solver, beside a page without them."""
    return f"globalThis.calmipLab = {json.dumps(_solver())};\n"


def more_script() -> str:
    """Return the text of ``more.js``: the model and the editor, beside a page without them."""
    return _built("more.js").decode()


def board_script() -> str:
    """Return the text of ``board.js``: the element ``<calmip-board>`` for pages of others."""
    return _built("board.js").decode()


def _start(puzzle: str | Path, date: datetime.date | str | None) -> str:
    found = read_puzzle(puzzle)
    if str(puzzle) in bundled_puzzles():
        parts = {"puzzle": str(puzzle)}
    else:
        path = Path(puzzle)
        parts = {"file": path.name, "yaml": path.read_text(encoding="utf-8-sig")}
    if date is not None:
        day = parse_date(date) if isinstance(date, str) else date
        Instance.of_date(found, day)
        parts["date"] = day.isoformat()
    return "#" + "&".join(f"{key}={quote(text, safe='')}" for key, text in parts.items())


def _solver() -> dict[str, str]:
    """Return the lab's view and the solver's thread as scripts, and HiGHS, packed, as base64."""
    return {
        "view": _built("lab.js").decode(),
        "thread": _built("highs.js").decode(),
        "wasm": base64.b64encode(_wasm()).decode(),
    }


def _wasm() -> bytes:
    """Return HiGHS, packed, which is the program that the package was built with."""
    packed = _built(name := "highs.wasm.gz")
    try:
        found = hashlib.sha256(gzip.decompress(packed)).hexdigest()
    except (OSError, EOFError, zlib.error):
        found = ""
    if found != json.loads(_built("highs.json"))["sha256"]:
        raise SolverFailed(f"calmip/page/{name} is not HiGHS as calmip has it; reinstall calmip")
    return packed


def _data(name: str, value: object) -> str:
    """Return a script element with data, escaped so that no text can end it."""
    text = json.dumps(value).replace("<", "\\u003c")
    return f'<script type="application/json" id="{name}">{text}</script>'


def _built(name: str) -> bytes:
    return (resources.files("calmip") / "page" / name).read_bytes()


def _cache() -> Path:
    """Return this system's folder for cached files."""
    if sys.platform == "win32":
        folder = os.environ.get("LOCALAPPDATA") or str(Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        folder = str(Path.home() / "Library" / "Caches")
    else:
        folder = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(folder) / "calmip"
