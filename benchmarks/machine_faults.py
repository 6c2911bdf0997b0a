"""Faults of the machine, planted at drawn places while `calmip grade` marks a class.

    python -m benchmarks.machine_faults --number 300 --seed 1 [--only N] [--small-disk]

The class has right and wrong answers. A fault is an error of the system at a drawn call of this
process or of a submission's, a process that is killed, a result that is cut, a full disk, a file
that vanishes. A case fails if an answer has other marks than without the fault, unless it has
``?``; if ``?`` does not end with exit code 4; if another file has ``?`` without a reason; or if
``--resume`` does not find the marks of a run without faults. The cases depend on the seed
alone, but for the moments at which processes are killed. ``--small-disk`` mounts a file system,
for root.
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
    "5": {"ada": "right", "bob": "def cut_k1(tiling):\n    return tiling, 0\n"},
}
"""For each exercise the students, and what they hand in."""

KINDS = {
    "call": 20,
    "call 1": 10,
    "child": 12,
    "killed": 6,
    "result": 6,
    "disk": 3,
    "room": 3,
    "vanished": 4,
    "journal": 3,
    "page": 2,
}
"""How often each kind is drawn."""


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
        self.place, self.hook = place, Hook()
        self.plant = place / "plant"
        self.plant.mkdir()
        (self.plant / "sitecustomize.py").write_text(CHILD)
        os.environ["PYTHONPATH"] = str(self.plant)
        sys.path.append(str(self.plant))  # so that it is shown in bubblewrap
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
        for name in CLASSES:
            for _ in range(2):  # the first imports
                self.hook.next = 1 << 60
                self.clean[name] = self.grade(name)
                self.calls[name] = self.hook.seen
            assert self.clean[name][0] == 1, self.clean[name]
        self.child_calls = self._count()

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
        with quiet[0], quiet[1], self.hook.armed():
            code = main(
                [
                    "grade",
                    name,
                    str(self.classes[name]),
                    "--format",
                    "json",
                    "-o",
                    str(out),
                    "--feedback",
                    str(self.place / "pages"),
                    "--unprotected",
                    *more,
                ]
            )
        self.told = text.getvalue()
        rows = json.loads(out.read_text())["submissions"] if out.exists() else []
        return code, {row["student"]: row["marks"] for row in rows}

    def case(self, rng: random.Random) -> tuple[str, str, str, list[str]]:
        """Plant a fault; return its kind, where it was, what became of it, and what is wrong."""
        kind = rng.choices([*KINDS], [*KINDS.values()])[0]
        name = (
            "5"
            if kind in ("child", "killed", "result", "disk", "room", "call")
            else (rng.choice("14") if kind == "call 1" else rng.choice("145"))
        )
        with contextlib.ExitStack() as stack:
            where = getattr(self, f"_{kind.split()[0]}")(name, rng, stack)
            if rng.random() < 0.1:
                sandbox._try_ways.cache_clear()
            code, marks = self.grade(name)
        told = self.told
        self._restore()
        clean_code, clean = self.clean[name]
        faults = [
            f"{student} has {got}, not {clean.get(student)}"
            for student, got in marks.items()
            if got is not None and got != clean.get(student)
        ]
        unmarked = [student for student, got in marks.items() if got is None]
        if unmarked and code != 4:
            faults.append(f"? and exit code {code}")
        if not unmarked and marks and code not in (4, clean_code):
            faults.append(f"exit code {code}")
        if not marks and code not in (2, 4):
            faults.append(f"no marks, and exit code {code}")
        if code == clean_code and marks != clean:
            faults.append(f"exit code {code} with {marks}")
        became = "?" if unmarked else "no table" if not marks else "noted" if code == 4 else "none"
        became += f" (exit code {code})"
        again = self.grade(name, "--resume")
        if again != self.clean[name]:
            faults.append(f"then {again}: {self.told[-300:]}")
        return kind, f"exercise {name}, {where}", became, [*faults, *([told] if faults else [])]

    def _restore(self) -> None:
        for name, folder in self.classes.items():
            saved = self.place / f"saved{name}"
            if not saved.exists():
                shutil.copytree(folder, saved)
                continue
            shutil.rmtree(folder, ignore_errors=True)
            shutil.copytree(saved, folder)

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


def run(number: int, seed: int, *, only: int | None = None, disk: bool = False) -> int:
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
        for case in range(number) if only is None else [only]:
            kind, where, became, faults = campaign.case(random.Random(f"{seed} {case}"))
            table.setdefault(kind, Counter())[became] += 1
            if faults or only is not None:
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
    print(f"{cases} cases, {failed} failed, {cpu:.0f} CPU s, {time.monotonic() - started:.0f} s")
    return failed


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--number", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=int)
    parser.add_argument("--small-disk", action="store_true")
    given = parser.parse_args()
    sys.exit(1 if run(given.number, given.seed, only=given.only, disk=given.small_disk) else 0)
