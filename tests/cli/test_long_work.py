"""What is said of long work, and what Ctrl-C leaves behind."""

import ctypes
import datetime
import functools
import inspect
import os
import re
import shlex
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import pytest
from cpu_marks import marked_long
from processes import HANG_SECONDS

import calmip
from calmip import Instance, Tiling
from calmip._base import signals
from calmip._base.limits import Deadline
from calmip.cli import cli, main
from calmip.features import OWN, feature_named, load
from calmip.puzzle.render.text import draw_tiling
from calmip.puzzle.search.exact_cover.search import Search

TINY = "instances/tiny.yaml"

CONTEXT = click.Context(cli, info_name="calmip")


@pytest.fixture
def replaced(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[..., list[str]]:
    """Return a function that replaces a command's task and returns an example's words."""
    monkeypatch.chdir(tmp_path)

    def replace(command: str, task: Callable[..., None]) -> list[str]:
        words = shlex.split(feature_named(command).lines[0])[1:]
        name, meant, rest = cli.resolve_command(CONTEXT, list(words))
        name = meant.make_context(name, rest, parent=CONTEXT).info_name
        found = load(feature_named(name).task)
        # Not by a dotted name: the folder of a trade may have the name of a function.
        place: Any = (inspect.getmodule(found), found.__name__)
        if name == "enumerate":
            place = (Search, "__iter__")
        monkeypatch.setattr(*place, functools.wraps(found)(task))
        return words

    return replace


@pytest.mark.parametrize("command", OWN)
def test_ctrl_c_says_what_is_kept(
    command: str,
    replaced: Callable[..., list[str]],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def interrupted(*_: object, **__: object) -> None:
        signal.raise_signal(signal.SIGINT)

    assert main(replaced(command, interrupted)) == 130
    out, err = capsys.readouterr()
    kept = (
        feature_named(command).steps.unfinished or "there is no answer yet, and nothing is written"
    )
    said = f"interrupted: {kept}"
    if command == "enumerate":
        said = "0 tilings, incomplete: interrupted, there may be more"
    assert said in out + err
    assert not list(tmp_path.iterdir())


@pytest.mark.long
@pytest.mark.trade("year")
def test_ctrl_c_says_where_the_days_are_and_resume_goes_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from calmip.year.calendar import Day, DaySearch

    made = DaySearch.day
    days = 0

    def day(search: DaySearch, date: datetime.date) -> Day:
        nonlocal days
        days += 1
        if days == 20:
            signal.raise_signal(signal.SIGINT)
        return made(search, date)

    monkeypatch.setattr(DaySearch, "day", day)
    path = tmp_path / "2027.json"
    command = ["calendar", "a-puzzle-a-day", "--year", "2027", "-o", str(path)]
    assert main(command) == 130
    assert capsys.readouterr().err == (
        f"interrupted: 19 of 365 days are done; partial results are in {path}.part; "
        "continue with --resume\n"
    )
    assert main([*command, "--resume"]) == 0
    assert [file.name for file in tmp_path.iterdir()] == ["2027.json"]


def test_ctrl_c_keeps_the_tilings_that_were_found(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from calmip.puzzle.documents.serialise import tiling_lines

    seen = 0

    def counting(instance: Instance) -> Callable[[Tiling], str]:
        line = tiling_lines(instance)

        def interrupted(tiling: Tiling) -> str:
            nonlocal seen
            seen += 1
            if seen == 8:
                signal.raise_signal(signal.SIGINT)
            return line(tiling)

        return interrupted

    monkeypatch.setattr("calmip.puzzle.tasks.journal.tiling_lines", counting)
    path = tmp_path / "all.jsonl"
    command = ["enumerate", "instances/apr24.yaml", "-o", str(path)]
    assert main(command) == 130
    assert f"they are in {path}; continue with --resume" in capsys.readouterr().err
    assert main([*command, "--resume"]) == 0
    assert len(path.read_text().splitlines()) == 26


class Impatient(threading.Timer):
    """A timer that runs out the moment before it is stopped."""

    def start(self) -> None:
        self.waiting = True

    def cancel(self) -> None:
        if getattr(self, "waiting", False):
            self.waiting = False
            self.function()


@pytest.mark.parametrize("command", OWN)
def test_every_command_says_that_it_is_at_work(
    command: str,
    replaced: Callable[..., list[str]],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refused(*_: object, **__: object) -> None:
        raise calmip.InputError("enough")

    monkeypatch.setattr(threading, "Timer", Impatient)
    words = replaced(command, refused)
    assert main(words) == 2
    assert "still running" not in capsys.readouterr().err, "no terminal, no line"
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    assert main(words) == 2
    err = capsys.readouterr().err
    assert " is still running; " in err or command == "enumerate", err


def test_a_slow_solver_is_compared_with_the_search(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(threading, "Timer", Impatient)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    assert main(["solve", TINY]) == 0
    err = capsys.readouterr().err
    assert "the exact-cover search found a tiling in" in err
    assert f"calmip solve {TINY} --solver exact-cover" in err


# However slow the machine is: the seconds begin when the solver does, and the search that
# is shown beside it has as long as it needs.
PATIENT = """
import sys, threading
from calmip.cli import _work, main
begun = threading.Event()
class Timer(threading.Timer):
    def run(self):
        begun.wait()
        super().run()
compare = _work.compare_with_search
def beginning(*given, **more):
    compare(*given, **more)
    begun.set()
_work.compare_with_search, _work.SEARCH_SECONDS, threading.Timer = beginning, 600, Timer
_work.PROGRESS_SECONDS = 0.1
sys.exit(main(sys.argv[1:]))
"""


def in_a_terminal(*command: str, stop: bytes) -> tuple[int, str]:
    """Run the program with a terminal as its stderr; return its exit code and what it said.

    It gets a Ctrl-C when it has said something that is given.
    """
    ours, theirs = os.openpty()
    with subprocess.Popen(
        [sys.executable, "-c", PATIENT, *command], stderr=theirs, stdout=subprocess.DEVNULL
    ) as program:
        os.close(theirs)
        said = b""
        while True:
            try:
                part = os.read(ours, 4096)
            except OSError:
                break
            if not part:
                break
            said += part
            if stop in said:
                program.send_signal(signal.SIGINT)
                stop = b"no second one"
    os.close(ours)
    return program.returncode, said.decode()


@pytest.mark.long
def test_a_terminal_sees_a_line_after_a_while(tmp_path: Path) -> None:
    # A solver that takes longer, whatever the machine.
    slow = tmp_path / "slow"
    slow.write_text("#!/bin/sh\nexec sleep 600\n")
    slow.chmod(0o755)
    os.environ["CALMIP_CBC"] = str(slow)
    try:
        command = ["solve", "instances/feb29.yaml", "--solver", "cbc"]
        code, said = in_a_terminal(*command, stop=b"press Ctrl-C to")
    finally:
        del os.environ["CALMIP_CBC"]
    assert code == 130
    assert re.search(r"cbc is still running; the exact-cover search found a tiling in \d", said)
    # What the line names is a command that works.
    assert main(["solve", "instances/feb29.yaml", "--solver", "exact-cover", "-q"]) == 0


@pytest.mark.long
@pytest.mark.parametrize("name", ["feb29", "dead-corner"])
def test_ctrl_c_shows_what_the_search_has_found(name: str, tmp_path: Path) -> None:
    slow = tmp_path / "slow"
    slow.write_text("#!/bin/sh\nexec sleep 600\n")
    slow.chmod(0o755)
    os.environ["CALMIP_CBC"] = str(slow)
    source = f"instances/{name}.yaml"
    # A packing is not reduced, so that the solver is asked.
    command = ["solve", source, "--solver", "cbc", "--formulation", "packing"]
    try:
        code, said = in_a_terminal(*command, stop=b"press Ctrl-C to")
    finally:
        del os.environ["CALMIP_CBC"]
    assert code == 130
    lines = said.replace("\r\n", "\n").split("interrupted: ")[1]
    if name == "feb29":
        assert "press Ctrl-C to see it, or run calmip solve" in said
        tiling = calmip.enumerate(calmip.read_instance(source), limit=1).tilings[0]
        assert lines == (
            "cbc has no answer yet; the exact-cover search found this tiling:\n"
            f"{draw_tiling(tiling)}\n"
        )
    else:
        assert "press Ctrl-C to stop, or run calmip solve" in said
        assert "the exact-cover search found that there is none\n" in lines


def _fail() -> None:
    raise ValueError("a fault of a callback")


def test_a_signal_that_native_code_has_lost_is_heard_by_the_next_loop() -> None:
    """ctypes hands what its callbacks raise to a hook, which prints it; others print it."""
    before = threading.excepthook
    unraisable, hook = sys.unraisablehook, sys.excepthook
    handlers = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)]
    lost: list[type[BaseException]] = []
    sys.unraisablehook = lambda unraised: lost.append(unraised.exc_type)
    sys.excepthook = lambda kind, *_: lost.append(kind)
    prints = ctypes.pythonapi.PyRun_SimpleString
    try:
        with signals.listening():
            callback = ctypes.CFUNCTYPE(None)(lambda: signal.raise_signal(signal.SIGTERM))
            callback()
            prints(b"import signal; signal.raise_signal(signal.SIGTERM)")
            assert not lost, "the interrupt is remembered, so nobody needs its traceback"
            assert signals.is_interrupted()
            ctypes.CFUNCTYPE(None)(_fail)()
            prints(b"1 / 0")
            assert lost == [ValueError, ZeroDivisionError]
            with pytest.raises(KeyboardInterrupt):
                Deadline().over  # noqa: B018
            with pytest.raises(KeyboardInterrupt), signals.hold_signals() as hear:
                hear()
    finally:
        sys.unraisablehook, sys.excepthook = unraisable, hook
        threading.excepthook = before
    assert not Deadline().over
    assert handlers == [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)]


LOSES = """
import ctypes, signal, sys
from calmip.cli import main
import {module} as module
sys.unraisablehook = lambda _: None
made = module.{name}
def losing(*given, **options):
    ctypes.CFUNCTYPE(None)(lambda: signal.raise_signal(signal.{kind}))()
    print("lost", flush=True)
    return made(*given, **options)
module.{name} = losing
sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.long
@pytest.mark.parametrize("kind", marked_long(["SIGTERM", "SIGINT"], {"SIGINT"}))
@pytest.mark.parametrize(
    ("module", "name", "command"),
    [
        (
            "calmip.puzzle.search.exact_cover.search",
            "walk",
            ["enumerate", "a-puzzle-a-day", "--reveal", "month=free,day=free", "-q"],
        ),
        ("calmip.puzzle.search.exact_cover.counting", "count_by_reveal", ["count", "weekday-8x7"]),
        (
            "calmip.mip.pool.branch_and_bound",
            "loops",
            ["enumerate", "weekday-8x7", "--reveal", "Jan,1,Mon", "--method", "one-tree", "-q"],
        ),
        ("calmip.solvers.highs", "_solve", ["solve", "instances/feb29.yaml"]),
        ("calmip.puzzle.documents.reader", "read_instance", ["solve", TINY]),
    ],
)
def test_a_lost_signal_ends_the_command(
    kind: str, module: str, name: str, command: list[str]
) -> None:
    code = LOSES.format(module=module, name=name, kind=kind)
    done = subprocess.run(
        [sys.executable, "-c", code, *command],
        capture_output=True,
        text=True,
        timeout=HANG_SECONDS,
        check=False,
    )
    assert "lost" in done.stdout or command[1] == TINY, done.stderr
    if "lost" in done.stdout:
        assert done.returncode == 130
        assert done.stderr.count("interrupted") == 1


# A signal comes with the n-th module that is loaded after the one that handles signals.
LOADING = """
import signal, sys
import calmip.__main__ as program
number = 0
def loading(event, given):
    global number
    if event == "import" and (number or given[0] == "calmip._base.signals"):
        number += 1
        if number == {number}:
            print("now", flush=True)
            signal.raise_signal(signal.{kind})
sys.addaudithook(loading)
sys.argv[1:] = {command}
program.run()
"""


@pytest.mark.parametrize(
    ("kind", "number"),
    [
        # SIGTERM needs the handler; Python turns SIGINT into an exception from its start on.
        *(("SIGTERM", number) for number in (30, 150, 270)),
        *(("SIGINT", number) for number in (1, 3, 20, 90, 150, 240)),
        *(
            pytest.param(kind, number, marks=pytest.mark.long)
            for kind, numbers in {
                "SIGTERM": (90, 210, 330),
                "SIGINT": (2, 5, 60, 120, 180, 300, 330),
            }.items()
            for number in numbers
        ),
    ],
)
@pytest.mark.parametrize(
    "command", [["solve", "instances/dead-corner.yaml"], ["count", "a-puzzle-a-day"]]
)
def test_a_signal_while_the_program_is_loaded_is_no_answer(
    kind: str, number: int, command: list[str]
) -> None:
    done = subprocess.run(
        [sys.executable, "-c", LOADING.format(kind=kind, number=number, command=command)],
        capture_output=True,
        text=True,
        timeout=HANG_SECONDS,
        check=False,
    )
    if "now" in done.stdout:
        assert done.returncode == 130, done.stderr
        assert re.fullmatch(r"interrupted(: .*)?\n", done.stderr), done.stderr
    else:
        assert (done.returncode, number > 120) == (command[0] == "solve", True), done.stderr


# Modules are loaded with such texts: dataclasses and named tuples are made of them.
EVALUATED = """
import signal, sys
import calmip.__main__ as program
from calmip import cli
cli.main = lambda: exec("import signal; signal.raise_signal(signal.SIGINT)")
program.run()
"""


def test_a_signal_in_an_evaluated_text_ends_with_the_same_code(tmp_path: Path) -> None:
    # Only python -m ends by a signal that has been caught.
    (tmp_path / "evaluated.py").write_text(EVALUATED)
    done = subprocess.run(
        [sys.executable, "-m", "evaluated"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=HANG_SECONDS,
        check=False,
    )
    assert (done.returncode, done.stderr) == (130, "interrupted\n")


# The first signal comes in the middle of the work, the second when all has been cleaned up.
TWICE = """
import signal, sys
from calmip import __main__ as program
from calmip import cli
from calmip._base import signals
from calmip.puzzle.documents import reader
def interrupted(*given, **more):
    signal.raise_signal(signal.{kind})
reader.read_instance = interrupted
main = cli.main
def cleaned_up():
    try:
        return main()
    finally:
        {early}
cli.main = cleaned_up
ignore = signals.ignore_signals
def late():
    ignore()
    {late}
signals.ignore_signals = late
import atexit
atexit.register(lambda: {end})
sys.argv[1:] = ["count", "feb29"]
program.run()
"""


@pytest.mark.parametrize("kind", ["SIGTERM", "SIGINT"])
@pytest.mark.parametrize("when", ["early", "late", "end"])
def test_a_second_signal_changes_nothing(kind: str, when: str) -> None:
    again = dict.fromkeys(("early", "late", "end"), "None")
    again[when] = f"signal.raise_signal(signal.{kind})"
    done = subprocess.run(
        [sys.executable, "-c", TWICE.format(kind=kind, **again)],
        capture_output=True,
        text=True,
        timeout=HANG_SECONDS,
        check=False,
    )
    assert done.returncode == 130, done.stderr
    assert re.fullmatch(r"interrupted(: .*)?\n", done.stderr), done.stderr


# While a signal is answered another one comes, at its first line, at its second, and so on.
WHILE_ANSWERED = """
import signal, sys
from calmip._base import signals
def line(frame, event, given):
    global left
    left -= event == "line"
    if left == 0:
        left = -1
        signal.raise_signal(signal.{kind})
    return line
came = 0
with signals.listening():
    for number in range(1, 30):
        left = number
        sys.settrace(line)
        try:
            signal.raise_signal(signal.{kind})
        except KeyboardInterrupt:
            sys.settrace(None)
        came += left < 0
        assert signals.is_interrupted()
print("came", came)
"""


@pytest.mark.parametrize("kind", ["SIGTERM", "SIGINT"])
def test_a_signal_may_come_while_another_is_answered(kind: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", WHILE_ANSWERED.format(kind=kind)],
        capture_output=True,
        text=True,
        timeout=HANG_SECONDS,
        check=False,
    )
    assert done.stdout.startswith("came"), done.stderr
    assert done.stdout != "came 0\n"


# The signal comes from another thread of the program, soon after the first call of the compiled
# loops has begun, so that native code runs. From outside it might come after the end.
IN_THE_KERNEL = """
import ctypes, os, sys, threading
from calmip.cli import main
from calmip.mip import kernel
loaded = kernel._load
class Telling:
    def __init__(self, library): self.library = library
    def __getattr__(self, name):
        function = getattr(self.library, name)
        def call(*given):
            if first.acquire(blocking=False):
                threading.Timer(0.005, lambda: os.kill(os.getpid(), {kind})).start()
            return function(*given)
        return call
first = threading.Lock()
def telling():
    return Telling(loaded())
kernel._load = telling
sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.long
@pytest.mark.parametrize("kind", marked_long(["SIGTERM", "SIGINT"], {"SIGTERM"}))
@pytest.mark.parametrize(
    "command",
    [
        ["count", "weekday-8x7"],
        ["count", "weekday-8x7", "--workers", "2"],
        ["year", "weekday-8x7"],
        ["enumerate", "weekday-8x7", "--reveal", "month=free,day=free,weekday=free", "-q"],
    ],
)
def test_a_signal_during_the_compiled_loops_is_heard(kind: str, command: list[str]) -> None:
    number = int(signal.Signals[kind])
    done = subprocess.run(
        [sys.executable, "-c", IN_THE_KERNEL.format(kind=number), *command],
        capture_output=True,
        text=True,
        timeout=HANG_SECONDS,
        check=False,
    )
    assert done.returncode == 130
    assert not done.stdout
    assert "interrupted" in done.stderr
    assert "Traceback" not in done.stderr
