"""What a command tells of its work at a terminal: progress, or a line instead of it."""

from __future__ import annotations

import sys

import click
import pytest

from calmip._base.limits import Progress
from calmip.cli import _work as module


@pytest.mark.parametrize("silent", [True, False])
@pytest.mark.parametrize("out", [True, False])
@pytest.mark.parametrize("err", [True, False])
@pytest.mark.parametrize("total", [None, 5])
def test_progress_is_shown_at_a_terminal_that_is_not_written_to(
    silent: bool,
    out: bool,
    err: bool,
    total: int | None,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Then the line after two seconds is left out."""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: err)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: out)
    with click.Context(click.Command("some")) as context, module.work(context):
        now = module._now()
        assert not now.progress
        with module.counter("tilings", total, silent=silent) as show:
            show(Progress(3, total))
            assert now.progress is (err and (silent or not out))
    assert capsys.readouterr().out == ""
