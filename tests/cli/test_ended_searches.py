"""What `calmip enumerate` tells of a search that ended, for each form and each end."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import click
import pytest

from calmip.cli import _puzzle as module
from calmip.puzzle.render.reports import enumerate as report


@pytest.mark.parametrize("form", ["jsonl", "csv", "text", "svg"])
@pytest.mark.parametrize("pooled", [True, False])
@pytest.mark.parametrize("stopped", ["interrupt", "time", ""])
@pytest.mark.parametrize("count", [0, 3])
@pytest.mark.parametrize("output", [None, Path("all.out")])
def test_only_lines_that_were_written_are_continued(
    form: str,
    pooled: bool,
    stopped: str,
    count: int,
    output: Path | None,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    search: Any = SimpleNamespace(
        stopped=stopped,
        complete=not stopped,
        count=count,
        statistics=object(),
        problem=SimpleNamespace(pooled=pooled),
    )
    monkeypatch.setattr(report, "verdict", lambda _: "the verdict")
    monkeypatch.setattr(module, "note_interrupt", module.note)
    monkeypatch.setattr(report, "statistics", lambda _: "the statistics")
    for verbose in (True, False):
        with click.Context(click.Command("enumerate")):
            module._conclude(search, form, output, verbose=verbose)
        err = capsys.readouterr().err
        assert ("the statistics" in err) is verbose
        told = form != "text" or output is not None or stopped == "interrupt"
        assert ("the verdict" in err) is told
        resumable = form == "jsonl" and output is not None
        kept = (pooled and stopped != "") or (not pooled and stopped == "interrupt" and count > 0)
        assert ("wrote all.out" in err) is (resumable and not pooled)
        assert ("continue with --resume" in err) is (resumable and kept)
        assert ("all.out.journal has what is known" in err) is (
            resumable and pooled and stopped != ""
        )
        written = output is not None and not pooled and stopped == "interrupt" and count > 0
        assert ("they are in all.out" in err) is written
