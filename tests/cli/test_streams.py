"""What a result is written to: a pipe without a reader, a full disk, a closed or a plain stream."""

from __future__ import annotations

import contextlib
import errno
import io
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import click
import pytest

from calmip._base.errors import InputError
from calmip.cli import _command, _options, _parameters, _puzzle, _streams
from calmip.puzzle.documents.reader import bundled_puzzles
from calmip.puzzle.render.characters import Style


class Failing:
    """A stream that keeps nothing of what it takes."""

    encoding = "ascii"

    def __init__(self, error: OSError) -> None:
        self.error, self.buffer = error, self

    def write(self, _: str | bytes) -> None:
        pass

    def flush(self) -> None:
        raise self.error


@pytest.mark.parametrize("text", ["a tiling ┌", b"PNG"])
def test_a_reader_that_left_is_told_from_a_full_disk(
    text: str | bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    dropped: list[object] = []
    monkeypatch.setattr(_streams, "drop", dropped.append)
    cases: list[tuple[OSError, type[Exception], str]] = [
        (BrokenPipeError(errno.EPIPE, "Broken pipe"), _streams.ReaderLeft, "^$"),
        (OSError(errno.ENOSPC, "No space left"), InputError, "cannot write .*: No space left$"),
        (OSError("odd"), InputError, "cannot write the output: odd$"),
    ]
    for error, kind, words in cases:
        stream = Failing(error)
        monkeypatch.setattr(sys, "stdout", stream)
        with pytest.raises(kind, match=words):
            _streams.put(text)
        assert dropped.pop() is stream
    good = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    monkeypatch.setattr(sys, "stdout", good)
    _streams.put(text)
    written = text if isinstance(text, bytes) else rb"a tiling \u250c"
    assert (good.buffer.getvalue(), dropped) == (written, [])


@pytest.mark.parametrize("text", ["a tiling", b"PNG"])
def test_a_closed_stdout_refuses_what_is_written(
    text: str | bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_streams, "drop", lambda _: None)
    for name in ("stdout", "stderr"):
        monkeypatch.setattr(sys, name, None)
    _streams.prepare()
    with pytest.raises(InputError, match="stdout is closed, so the result cannot be written"):
        _streams.put(text)
    print("a warning", file=sys.stderr)


@pytest.mark.parametrize("output", [None, Path("x.txt")])
@pytest.mark.parametrize(
    ("encoding", "boxes"), [("utf-8", True), ("cp437", True), ("ascii", False), (None, False)]
)
def test_boxes_are_drawn_where_the_terminal_has_them(
    encoding: str | None, boxes: bool, output: Path | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR", "CLICOLOR_FORCE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    terminal = SimpleNamespace(isatty=lambda: True, encoding=encoding)
    monkeypatch.setattr(sys, "stdout", terminal)
    wanted = Style() if output else Style(colour=True, boxes=boxes)
    assert _options.terminal_style(output) == wanted
    terminal.isatty = lambda: False
    assert _options.terminal_style(output) == Style()
    terminal.encoding = "no encoding"
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert _options.terminal_style(output) == Style(colour=output is None)
    monkeypatch.setenv("NO_COLOR", "1")
    assert _options.terminal_style(output) == Style()


@pytest.mark.parametrize(
    ("error", "left", "interrupted"),
    [(None, False, 0), (_streams.ReaderLeft, True, 0), (KeyboardInterrupt, False, 1)],
)
def test_a_stream_of_solutions_ends_where_its_reader_leaves(
    error: type[BaseException] | None,
    left: bool,
    interrupted: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    @contextlib.contextmanager
    def counter(_: str, *, silent: bool) -> Iterator[Any]:
        yield lambda _: None

    monkeypatch.setattr(_puzzle, "counter", counter)
    interrupts: list[int] = []
    search: Any = SimpleNamespace(
        what="tiling", count=0, report_to=lambda _: False, interrupt=lambda: interrupts.append(1)
    )
    written: list[str] = []

    def write(text: str) -> None:
        written.append(text)
        if error is not None and text == "2":
            raise error

    assert _puzzle._stream(search, iter((1, 2, 3)), write, str, "h", None) is left
    assert written == ["h", "1", "2", *(["3"] if error is None else [])]
    assert len(interrupts) == interrupted


def test_the_shell_completes_bundled_puzzles_and_files() -> None:
    first = min(bundled_puzzles())
    context = click.Context(click.Command("solve"))
    for begin in ("", first[:2], "nowhere/else"):
        *names, file = _command.Source().shell_complete(context, click.Argument(["puzzle"]), begin)
        wanted = [one for one in bundled_puzzles() if one.startswith(begin)]
        assert [(one.value, one.type) for one in names] == [(one, "plain") for one in wanted]
        assert (file.value, file.type) == (begin, "file")


@pytest.mark.parametrize("offered", [True, False])
def test_errors_of_another_packages_command_name_it(offered: bool) -> None:
    calls: list[str] = []

    def call(work: Any, *given: Any, **named: Any) -> Any:
        calls.append("theirs")
        return work(*given, **named)

    offer = SimpleNamespace(call=call) if offered else None
    command: Any = SimpleNamespace(feature=SimpleNamespace(offer=offer))
    found = _parameters.Made.call(command, lambda a, b: (a, b), 1, b=2)
    assert (found, calls) == ((1, 2), ["theirs"] * offered)


@pytest.mark.parametrize("announced", [True, False])
def test_an_interrupt_is_said_once_and_on_stderr(
    announced: bool, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_streams, "is_announced", lambda: announced)
    _streams.note("so far")
    _streams.note_interrupt()
    out, err = capsys.readouterr()
    assert (out, err) == ("", "so far\n" + "interrupted\n" * (not announced))


@pytest.mark.parametrize("reports", [True, False])
def test_solutions_are_counted_unless_the_search_reports_itself(
    reports: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[Any] = []

    @contextlib.contextmanager
    def counter(_: str, *, silent: bool) -> Iterator[Any]:
        yield lambda now: told.append(now.done)

    monkeypatch.setattr(_puzzle, "counter", counter)
    search: Any = SimpleNamespace(what="tiling", count=7, report_to=lambda _: reports)
    assert not _puzzle._stream(search, iter((1, 2)), lambda _: None, None, "h", None)
    assert told == ([] if reports else [7, 7])
