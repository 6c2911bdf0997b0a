"""When a line shows that a stream of solutions goes on: not beside solutions that are shown."""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from calmip.cli import _puzzle


def test_a_line_of_progress_is_silent_beside_a_file_or_without_entries(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[bool] = []

    @contextlib.contextmanager
    def counter(_: str, *, silent: bool) -> Iterator[Any]:
        asked.append(silent)
        yield lambda _: None

    monkeypatch.setattr(_puzzle, "counter", counter)
    search: Any = SimpleNamespace(what="solution", count=2, report_to=lambda _: True)
    for entry, output, nowhere in itertools.product((None, str), (None, Path("x")), (True, False)):
        written: list[str] = []
        write = _puzzle._nowhere if nowhere else written.append
        asked.clear()
        assert not _puzzle._stream(search, iter((1, 2)), write, entry, "h", output)
        assert asked == [entry is None or nowhere or output is not None]
        told = [] if nowhere else ["h", *(["1", "2"] if entry else [])]
        assert written == told
