"""Faults of the machine, planted at drawn places while `calmip grade` marks a class.

    python -m benchmarks.machine_faults --number 300 --seed 1 [--first N] [--small-disk]

The class has right and wrong answers. A fault is an error of the system at a drawn call of calmip
or of a submission, a process that is killed, a marking that is stopped, a result that is cut, a
full disk, a file that vanishes. A case fails if an answer has other marks than without the fault,
unless it has ``?``; if ``?`` does not end with exit code 4; if another file has ``?`` without a
reason; or if ``--resume`` does not find the marks of a run without faults. For comparison, some
faults are a student's: these are marked, and the other students keep their marks. The cases depend
on the seed alone, but for the moments at which processes are killed. ``--small-disk`` mounts a file
system, for root. ``cc`` compiles `failing_calls.c`, without which those faults are left out.
"""

from __future__ import annotations

import argparse
import contextlib
import errno
import io
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from unittest import mock

from benchmarks.hostile import survivors
from calmip.cli import main
from calmip.course import sandbox
from calmip.course.exercises import SOLUTIONS
from calmip.processes import descendants
from calmip.puzzle.tasks.journal import Journal

ERRORS = ("ENOSPC", "EDQUOT", "EIO", "ENOMEM")
OURS = (*ERRORS, "EMFILE", "ENFILE", "MemoryError")

EVENTS = frozenset(
    {
        "open",
        "os.mkdir",
        "os.scandir",
        "os.listdir",
        "os.rename",
        "os.remove",
        "os.rmdir",
        "os.chmod",
        "os.chown",
        "subprocess.Popen",
    }
)
"""What Python announces before it does it (`sys.addaudithook`)."""

CHILD = f"""
import json, os, signal, sys

try:
    plan = json.loads(open(os.path.join(os.path.dirname(__file__), "plan.json")).read())
except OSError:
    plan = None
if plan and "calmip.course._child" in sys.orig_argv:
    seen = 0

    def hook(event, given):
        global seen
        if event not in {set(EVENTS)!r}:
            return
        if "library" in plan and event == "open" and str(given[0]).endswith("submission.py"):
            os.environ.update(plan.pop("library"))
            sys.modules["calmip.course.machine"].memory_left = lambda: 0  # as it would be
        seen += 1
        if plan["error"] == "count" and event == "open" and str(given[0]).endswith("done"):
            os.write(2, f"\\nCOUNT {{seen}}\\n".encode())
        if seen != plan["at"]:
            return
        if plan["error"] == "kill":
            os.kill(os.getpid(), signal.SIGKILL)
        machine = sys.modules.get("calmip.course.machine")
        if machine is not None:
            machine.memory_left = lambda: 0  # as it would be
        if plan["error"] == "MemoryError":
            raise MemoryError
        number = plan["error"]
        raise OSError(number, os.strerror(number))

    sys.addaudithook(hook)
"""

CLASSES = {
    "1": {"ada": "right", "bob": "I: 00 01\n", "eve": "right"},
    "4": {"ada": "right", "bob": "{}", "eve": "right"},
    "5": {"ada": "right", "bob": "def no_good_cut(tiling):\n    return tiling, 0\n"},
}
"""For each exercise the students, and what they hand in."""

KINDS = {
    "call": 12,
    "call 1": 6,
    "child": 8,
    "library": 10,
    "library child": 8,
    "killed": 6,
    "stopped": 8,
    "result": 6,
    "disk": 3,
    "room": 2,
    "vanished": 4,
    "journal": 3,
    "page": 2,
    "student": 8,
}
"""How often each kind is drawn."""

STUDENTS = {
    "5": {
        "raises an error": "raise ValueError('no')",
        "is no Python": "def no_good_cut(tiling:",
        "has no functions": "x = 1",
        "is empty": "",
        "is no text": "\udcff\0",
        "exits": "raise SystemExit(0)",
        "interrupts itself": "raise KeyboardInterrupt",
        "imports what is not there": "import no_such_module",
        "opens what is not there": "open('no such file')",
        "opens what it may not": "open('/proc/1/mem', 'wb')",
        "calls itself": "def no_good_cut(tiling): return no_good_cut(tiling)\nno_good_cut([])",
        "asks for memory beyond its limit": "x = bytearray(1 << 45)",
        "takes memory up to its limit": "x = []\nwhile True: x.append(bytearray(1 << 29))",
        "claims that memory is short": "raise MemoryError",
        "opens too many files": "x = []\nwhile True: x.append(open(__file__))",
        "writes too large a file": (
            "import signal\nsignal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
            "file = open('x', 'wb')\nwhile True: file.write(bytes(1 << 20))"
        ),
        "fills its folder": "for n in range(9999): open(f'f{n}', 'w').close()",
        "sleeps": "import time; time.sleep(60)",
        "works without end": "while True: pass",
        "ends at once": "import os; os._exit(0)",
        "aborts": "import os; os.abort()",
        "faults": "import ctypes; ctypes.string_at(0)",
        "divides by zero in C": "import os, signal; os.kill(os.getpid(), signal.SIGFPE)",
        "removes its folder": "import os, shutil; shutil.rmtree(os.getcwd())",
        "forges that the machine failed": (
            "import os\nos.write(2, b'\\n' + b'0' * 32 + b' lacked x\\n')"
        ),
        "returns nothing": "no_good_cut = enumerate_all = lambda given: None",
        "returns no numbers": "no_good_cut = lambda given: (given, float('nan'))",
        "hands over a part": "open('cuts.json', 'w').write('{\"cuts\": [')\n"
        "open('done', 'w').close()\nimport os; os._exit(0)",
    },
    "1": {"is empty": "", "is no text": "\udcff\0\udcfe", "is one line": "I: 00 01\n" * 3},
    "4": {"is no object": "[]", "is cut": '{"a": ', "is deep": "[" * 99999, "is a NaN": "NaN"},
}
"""What a student hands in that has no full marks, whatever the machine does; by exercise."""

CHILD_LIBRARY_CALLS = 20
"""How many calls of a submission, from its reading on, may fail; it makes about so many."""

LEFT_SECONDS = 20.0
"""Seconds after which a program and a scratch folder count as left behind, on a busy machine."""

STUDENT_SECONDS = 5
"""The time limit of these programs."""


class Hook:
    """Raises an error at one of the calls of this process."""

    def __init__(self) -> None:
        self.seen, self.at, self.error = 0, -1, ""
        self.next = -1
        sys.addaudithook(self)

    @contextlib.contextmanager
    def armed(self) -> Iterator[None]:
        """Raise the next error in this block, if there is one."""
        self.seen, self.at = 0, self.next
        try:
            yield
        finally:
            self.at = self.next = -1

    def __call__(self, event: str, given: tuple[Any, ...]) -> None:
        """Count an event, and raise the error at its number."""
        if event not in EVENTS or self.at < 0:
            return
        self.seen += 1
        if self.seen == self.at:
            if self.error == "MemoryError":
                raise MemoryError
            number = getattr(errno, self.error)
            raise OSError(number, os.strerror(number), given[0] if given else None)


class Campaign:
    """The classes, their marks without a fault, and how many calls the marking makes."""

    def __init__(self, place: Path) -> None:
        for number in (signal.SIGINT, signal.SIGHUP):  # which a program in the background ignores
            signal.signal(number, signal.SIG_DFL)
        self.place, self.hook = place, Hook()
        self.plant = place / "plant"
        self.plant.mkdir()
        (self.plant / "sitecustomize.py").write_text(CHILD)
        os.environ["PYTHONPATH"] = str(self.plant)
        sys.path.append(str(self.plant))  # so that it is shown in bubblewrap
        self.library = self._compile()
        self._main: Callable[[list[str]], int] = main
        self.answers = {one.name.partition("-")[0]: one.read_text() for one in SOLUTIONS.iterdir()}
        suffixes = {"1": ".txt", "4": ".json", "5": ".py"}
        self.classes = {name: place / f"class{name}" for name in CLASSES}
        for name, folder in self.classes.items():
            for student, text in CLASSES[name].items():
                comment = f"# {student}\n" if name != "4" else " " * len(student)
                (folder / student).mkdir(parents=True)
                own = self.answers[name] if text == "right" else text
                (folder / student / f"answer{suffixes[name]}").write_text(comment + own)
        self.clean = {}
        self.calls = {}
        self.ends: tuple[int, ...] = ()
        self.left: list[str] = []
        self.slowest_end = 0.0
        for name in CLASSES:
            for _ in range(2):  # the first imports
                self.hook.next = 1 << 60
                self.clean[name] = self.grade(name)
                self.calls[name] = self.hook.seen
            assert self.clean[name][0] == 1, self.clean[name]
        self.child_calls = self._count()
        self.seconds, self.library_calls = {}, {}
        for name in CLASSES:
            started = time.monotonic()
            never = {"FAIL_FROM": str(1 << 60), "FAIL_COUNT": "1"} if self.library else {}
            with mock.patch.object(
                self, "_main", lambda words, never=never: self._apart(words, never)
            ):
                assert self.grade(name) == self.clean[name], self.told
            self.seconds[name] = time.monotonic() - started
            self.library_calls[name] = int(
                self.told.rpartition("CALLS ")[2].split()[0] if never else 0
            )

    def _count(self) -> int:
        """Return how many calls a submission makes until it is done."""
        found: list[int] = []
        real = sandbox._Words.hear

        def hear(words: Any, line: str) -> None:
            if line.startswith("COUNT "):
                found.append(int(line.split()[1]))
            real(words, line)

        with (
            self.planned({"error": "count", "at": -1}),
            mock.patch.object(sandbox._Words, "hear", hear),
        ):
            self.grade("5")
        return max(found)

    @contextlib.contextmanager
    def planned(self, plan: dict[str, Any], run: int | None = None) -> Iterator[None]:
        """Give the submissions a plan: all of them, or the one of a number."""
        path, real, runs = self.plant / "plan.json", sandbox._start, 0

        def start(folder: Path, order: Any, *given: Any) -> Any:
            nonlocal runs
            runs += 1
            if run in (None, runs):
                path.write_text(json.dumps(plan))
            try:
                return real(folder, order, *given)
            finally:
                path.unlink(missing_ok=True)

        with mock.patch.object(sandbox, "_start", start):
            yield

    def grade(self, name: str, *more: str) -> tuple[int, dict[str, int | None]]:
        """Mark a class; return the exit code and the marks of each, None for ``?``."""
        out = self.place / "marks.json"
        if "--resume" not in more:
            for path in (out, self.place / "marks.json.part"):
                path.unlink(missing_ok=True)
        text = io.StringIO()
        quiet = contextlib.redirect_stdout(text), contextlib.redirect_stderr(text)
        words = ["grade", name, str(self.classes[name]), "--format", "json", "-o", str(out)]
        words += ["--feedback", str(self.place / "pages"), "--unprotected", *more]
        with quiet[0], quiet[1], self.hook.armed():
            code = self._main(words)
        self.told = text.getvalue()
        rows = json.loads(out.read_text())["submissions"] if out.exists() else []
        return code, {row["student"]: row["marks"] for row in rows}

    def case(self, rng: random.Random) -> tuple[str, str, str, list[str]]:
        """Plant a fault; return its kind, where it was, what became of it, and what is wrong."""
        kind = rng.choices([*KINDS], [*KINDS.values()])[0]
        name = (
            "5"
            if kind in ("child", "library child", "killed", "result", "disk", "room", "call")
            else (rng.choice("14") if kind == "call 1" else rng.choice("145"))
        )
        with contextlib.ExitStack() as stack:
            where = getattr(self, f"_{kind.replace(' ', '_')}")(name, rng, stack)
            if rng.random() < 0.1:
                sandbox._try_ways.cache_clear()
            more = ["--time-limit", str(STUDENT_SECONDS)] if kind == "student" else []
            code, marks = self.grade(name, *more)
        told = self.told
        self._restore()
        if kind == "student":
            return kind, f"exercise {name}, {where}", *self._of_student(name, code, marks)
        clean_code, clean = self.clean[name]
        faults = [
            f"{student} has {got}, not {clean.get(student)}"
            for student, got in marks.items()
            if got is not None and got != clean.get(student)
        ]
        unmarked = [student for student, got in marks.items() if got is None]
        if unmarked and code != 4:
            faults.append(f"? and exit code {code}")
        if not unmarked and marks and code not in (*self.ends, 4, clean_code):
            faults.append(f"exit code {code}")
        if not marks and code not in (*self.ends, 2, 4):
            faults.append(f"no marks, and exit code {code}")
        if code == clean_code and marks != clean:
            faults.append(f"exit code {code} with {marks}")
        became = "?" if unmarked else "no table" if not marks else "noted" if code == 4 else "none"
        became += f" (exit code {code})"
        faults += [f"{one} is left" for one in self.left]
        self.ends, self.left = (), []
        again = self.grade(name, "--resume")
        if again != self.clean[name]:
            faults.append(f"then {again}: {self.told[-300:]}")
        return kind, f"exercise {name}, {where}", became, [*faults, *([told] if faults else [])]

    def _of_student(
        self, name: str, code: int, marks: dict[str, int | None]
    ) -> tuple[str, list[str]]:
        """Return what became of a student's fault, and what is wrong."""
        bob = marks.pop("bob", None)
        others = {student: got for student, got in self.clean[name][1].items() if student != "bob"}
        faults = ["it is not marked"] * (bob is None) + ["full marks"] * (bob == 10)
        faults += [f"the others have {marks}"] * (marks != others)
        faults += [f"exit code {code}"] * (code != 1)
        return f"marked (exit code {code})", [*faults, *([self.told] if faults else [])]

    def _student(self, name: str, rng: random.Random, _: contextlib.ExitStack) -> str:
        what, text = rng.choice([*STUDENTS[name].items()])
        (path,) = (self.classes[name] / "bob").iterdir()
        path.write_bytes(text.encode("utf-8", "surrogateescape"))
        return what

    def _restore(self) -> None:
        for name, folder in self.classes.items():
            saved = self.place / f"saved{name}"
            if not saved.exists():
                shutil.copytree(folder, saved)
                continue
            shutil.rmtree(folder, ignore_errors=True)
            shutil.copytree(saved, folder)

    def _compile(self) -> Path | None:
        """Return the library that fails calls, if there is a compiler."""
        compiler, library = shutil.which("cc"), self.plant / "failing_calls.so"
        if compiler is None:
            return None
        source = Path(__file__).with_name("failing_calls.c")
        subprocess.run([compiler, "-shared", "-fPIC", "-o", library, source, "-ldl"], check=True)
        return library

    def _failing(self, rng: random.Random, most: int) -> tuple[str, dict[str, str]]:
        """Return which calls fail, in words and as the library's environment."""
        error = rng.choice(ERRORS)
        at, number = rng.randint(1, most), rng.choice((1, 1, 3, 1 << 30))
        words = f"{error} from call {at} of {most} of the library on, {number} times"
        given = {"FAIL_FROM": at, "FAIL_NUMBER": number, "FAIL_ERROR": getattr(errno, error)}
        return words, {name: str(value) for name, value in given.items()}

    def _library(self, name: str, rng: random.Random, stack: contextlib.ExitStack) -> str:
        """Fail calls to the system of calmip itself, in a process of its own."""
        if self.library is None:
            return self._call(name, rng, stack)
        where, given = self._failing(rng, self.library_calls[name])
        stack.enter_context(
            mock.patch.object(self, "_main", lambda words: self._apart(words, given))
        )
        return where

    def _library_child(self, name: str, rng: random.Random, stack: contextlib.ExitStack) -> str:
        """Fail calls to the system of a submission, from the reading of its file on."""
        if self.library is None:
            return self._child(name, rng, stack)
        number = rng.randint(1, 3)
        where, given = self._failing(rng, CHILD_LIBRARY_CALLS)
        real = sandbox._environment

        def environment(folder: Path) -> dict[str, str]:
            return {**real(folder), "LD_PRELOAD": str(self.library)}

        stack.enter_context(mock.patch.object(sandbox, "_environment", environment))
        stack.enter_context(self.planned({"error": "library", "at": -1, "library": given}, number))
        return f"{where}, of program {number}"

    def _apart(
        self, words: list[str], given: dict[str, str], stop: tuple[float, int] | None = None
    ) -> int:
        """Run calmip in a process of its own, with the library or stopped by a signal."""
        scratch = self.place / "scratch"
        scratch.mkdir(exist_ok=True)
        command = f"import os, sys; from calmip.cli import main; os.environ.update({given!r}); "
        command += "sys.exit(main(sys.argv[1:]))"
        preload = {"LD_PRELOAD": str(self.library)} if given else {}
        with tempfile.TemporaryFile("w+") as told:
            program = subprocess.Popen(
                [sys.executable, "-c", command, *words],
                stdin=subprocess.DEVNULL,
                stdout=told,
                stderr=told,
                env={**os.environ, **preload, "TMPDIR": str(scratch)},
                start_new_session=True,
            )
            if stop is not None:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    program.wait(stop[0])
                program.send_signal(stop[1])
            ended = time.monotonic()
            code = program.wait()
            while left := [*survivors(program.pid), *scratch.iterdir()]:
                if time.monotonic() > ended + LEFT_SECONDS:
                    break
                time.sleep(0.02)
            told.seek(0)
            print(told.read())
        if stop is not None:
            self.slowest_end = max(self.slowest_end, time.monotonic() - ended)
            self.left = [str(one) for one in left]
        for one in scratch.iterdir():
            shutil.rmtree(one, ignore_errors=True)
        return code

    def _stopped(self, name: str, rng: random.Random, stack: contextlib.ExitStack) -> str:
        """Stop calmip by a signal; then nothing of it may be left."""
        number = rng.choice((signal.SIGKILL, signal.SIGHUP, signal.SIGTERM, signal.SIGINT))
        at = rng.uniform(0, 1.2 * self.seconds[name])
        self.ends = (-number, 130)
        stop = at, number
        stack.enter_context(
            mock.patch.object(self, "_main", lambda words: self._apart(words, {}, stop))
        )
        return f"{number.name} after {at:.2f} s"

    def _call_1(self, name: str, rng: random.Random, stack: contextlib.ExitStack) -> str:
        return self._call(name, rng, stack)

    def _call(self, name: str, rng: random.Random, _: contextlib.ExitStack) -> str:
        self.hook.error = rng.choice(OURS)
        self.hook.next = rng.randint(1, self.calls[name])
        return f"{self.hook.error} at call {self.hook.next} of {self.calls[name]}"

    def _child(self, _: str, rng: random.Random, stack: contextlib.ExitStack) -> str:
        error = rng.choice((*ERRORS, "MemoryError", "kill"))
        # The last calls, of its own work, as often as all the imports.
        most = self.child_calls + 3
        at = rng.randint(max(1, most - 12) if rng.random() < 0.5 else 1, most)
        run = rng.randint(1, 3)
        stack.enter_context(self.planned({"error": getattr(errno, error, error), "at": at}, run))
        return f"{error} at call {at} of {most} of program {run}"

    def _killed(self, _: str, rng: random.Random, stack: contextlib.ExitStack) -> str:
        """Kill the warden, bubblewrap or the submission, whichever it is."""
        at, number, runs = rng.uniform(0, 0.4), rng.randint(1, 3), 0
        real, choice = sandbox.run, rng.random()

        def kill() -> None:
            below = sorted(descendants({os.getpid()}))
            with contextlib.suppress(OSError, IndexError):
                os.kill(below[int(choice * len(below))], signal.SIGKILL)

        def run(*given: Any, **more: Any) -> Any:
            nonlocal runs
            runs += 1
            timer = threading.Timer(at, kill)
            if runs == number:
                timer.start()
            try:
                return real(*given, **more)
            finally:
                timer.cancel()

        stack.enter_context(mock.patch.object(sandbox, "run", run))
        return f"SIGKILL after {at:.2f} s of program {number}"

    def _result(self, _: str, rng: random.Random, stack: contextlib.ExitStack) -> str:
        """Cut, empty, change or remove a file that a submission has handed over."""
        how, number, runs = (
            rng.choice(("cut", "empty", "gone", "done", "zeros")),
            rng.randint(1, 3),
            0,
        )
        real = sandbox._start

        def start(folder: Path, order: Any, *given: Any) -> Any:
            nonlocal runs
            runs += 1
            ran = real(folder, order, *given)
            path = folder / ("done" if how == "done" else next(iter(order.get("names", ("x",)))))
            if runs != number or not path.exists():
                return ran
            data = path.read_bytes()
            if how in ("gone", "done"):
                path.unlink()
            else:
                path.write_bytes(
                    {"empty": b"", "zeros": bytes(len(data))}.get(
                        how, data[: rng.randrange(len(data))]
                    )
                )
            return ran

        stack.enter_context(mock.patch.object(sandbox, "_start", start))
        return f"result {how}, of program {number}"

    def _disk(self, name: str, rng: random.Random, stack: contextlib.ExitStack) -> str:
        """Use a folder for temporary files with little room, without asking for it first."""
        if not self.small:
            return self._room(name, rng, stack)
        room = rng.choice((0, 4096, 8192, 16384, 40960, 1 << 20, 30 << 20))
        left = os.statvfs(self.small)
        fill = max(0, left.f_bavail * left.f_frsize - room)
        (self.small / "full").write_bytes(bytes(fill))
        stack.callback((self.small / "full").unlink)
        stack.enter_context(mock.patch.object(tempfile, "tempdir", str(self.small)))
        if rng.random() < 0.7:
            stack.enter_context(mock.patch.object(sandbox, "shortage", return_value=""))
        return f"{room} bytes left"

    def _room(self, _: str, rng: random.Random, stack: contextlib.ExitStack) -> str:
        at, asked = rng.randint(1, 6), 0

        def shortage(_: Path) -> str:
            nonlocal asked
            asked += 1
            return "little is left" if asked == at else ""

        stack.enter_context(mock.patch.object(sandbox, "shortage", shortage))
        return f"no room when asked for the {at}. time"

    def _vanished(self, name: str, rng: random.Random, stack: contextlib.ExitStack) -> str:
        """Remove or change the students' files, or copies of them, as soon as one is marked."""
        copies, real = rng.random() < 0.5, self._marker()

        def checks(exercise: str, path: Path, **more: Any) -> Any:
            found = real(exercise, path, **more) if not copies else None
            files = [path] if copies else [*self.classes[name].glob("*/*")]
            for one in files:
                one.unlink(missing_ok=True)
                if rng.random() < 0.5:
                    one.write_text("raise SystemExit")
            return found if found is not None else real(exercise, path, **more)

        if copies:  # of the first alone, else no file is marked
            first = [True]
            gone = checks

            def checks(exercise: str, path: Path, **more: Any) -> Any:  # type: ignore[no-redef]
                return (gone if first and first.pop() else real)(exercise, path, **more)

        stack.enter_context(mock.patch("calmip.course.class_marking.checks_of", checks))
        return "a copy" if copies else "all originals"

    @staticmethod
    def _marker() -> Callable[..., Any]:
        from calmip.course.exercises import checks_of

        return checks_of

    def _journal(self, _: str, rng: random.Random, stack: contextlib.ExitStack) -> str:
        at, written, real = rng.randint(2, 4), 0, Journal._write

        def write(journal: Journal, line: bytes) -> None:
            nonlocal written
            written += 1
            if written >= at:
                assert journal._file is not None
                journal._file.write(line[: len(line) // 2])
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            real(journal, line)

        stack.enter_context(mock.patch.object(Journal, "_write", write))
        return f"ENOSPC from line {at} on"

    def _page(self, _: str, rng: random.Random, stack: contextlib.ExitStack) -> str:
        from calmip._base.errors import InputError

        at, written = rng.randint(1, 3), 0

        def write(*_: Any) -> None:
            nonlocal written
            written += 1
            if written == at:
                raise InputError("cannot be written: No space left on device")

        stack.enter_context(mock.patch("calmip.course.grade.write_page", write))
        return f"page {at}"

    small: Path | None = None


@contextlib.contextmanager
def small_disk(place: Path) -> Iterator[Path]:
    """Mount a file system of 31 MB."""
    place.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=31m", "tmpfs", str(place)], check=True)
    try:
        yield place
    finally:
        subprocess.run(["umount", "-l", str(place)], check=True)


def run(number: int, seed: int, *, first: int = 0, disk: bool = False) -> int:
    """Run a campaign and print its table; return how many cases failed."""
    started, used = time.monotonic(), os.times()
    failed = 0
    table: dict[str, Counter[str]] = {}
    with contextlib.ExitStack() as stack:
        place = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        campaign = Campaign(place)
        campaign._restore()
        if disk:
            campaign.small = stack.enter_context(small_disk(place / "small"))
        for case in range(first, first + number):
            kind, where, became, faults = campaign.case(random.Random(f"{seed} {case}"))
            table.setdefault(kind, Counter())[became] += 1
            if faults or number == 1:
                print(f"case {case}: {kind}, {where}: {became}", *faults, sep="\n  ")
            failed += bool(faults)
            if case % 25 == 24:
                print(f"{case + 1} cases, {failed} failed", file=sys.stderr)
    columns = sorted({name for found in table.values() for name in found})
    print("| fault | cases |", " | ".join(columns), "|")
    print("|---|---|", "|".join("---" for _ in columns), "|", sep="")
    for kind, found in table.items():
        print(f"| {kind} | {found.total()} |", " | ".join(str(found[one]) for one in columns), "|")
    now = os.times()
    cpu = sum(
        getattr(now, name) - getattr(used, name)
        for name in ("user", "system", "children_user", "children_system")
    )
    cases = sum(found.total() for found in table.values())
    print(f"{campaign.slowest_end:.2f} s from a signal until nothing was left, at most")
    print(f"{cases} cases, {failed} failed, {cpu:.0f} CPU s, {time.monotonic() - started:.0f} s")
    return failed


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--number", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="the number of the first case")
    parser.add_argument("--small-disk", action="store_true")
    given = parser.parse_args()
    sys.exit(1 if run(given.number, given.seed, first=given.first, disk=given.small_disk) else 0)
