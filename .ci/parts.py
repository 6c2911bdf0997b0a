"""Run the parts of CI side by side, on clean copies of the commit: .ci/parts.py [PART...].

With --whole all long tests run, and not only the sixth that CALMIP_SEED draws. --changed-since
REVISION runs what a change in trades alone needs (.ci/changes.py).

Each part is a session of noxfile.py in a process group of its own, and its log is printed whole,
in the order of the parts. A table follows, and what ran again. A part that takes more than an
hour is ended, with the stacks of its tests (the module hangs of the tests ends single ones). Any
part that fails makes this fail, after all others have run; Ctrl-C and SIGTERM end all parts. With
names, only these parts run, and those that they need.
"""

from __future__ import annotations

import contextlib
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parents[1]
SIDE_BY_SIDE = (os.cpu_count() or 1) + 1
"""The parts that run at a time: one more than processors, as some of them wait."""

TERMINATION_SECONDS = 10
"""Seconds between asking the processes of a part to end and ending them."""

POLL_SECONDS = 0.1
"""Seconds between two checks whether a part has ended."""

PART_SECONDS = 3600
"""Seconds of a part; one that takes longer hangs."""

PASSED = re.compile(r"^=*\s*(?:\d+ failed, )?(\d+) passed\b.* in [\d.]+s", re.MULTILINE)
AGAIN = re.compile(r"^run again, .*", re.MULTILINE)


@dataclass
class Part:
    """A part: the arguments of nox, or a script of the shell."""

    name: str
    nox: tuple[str, ...] = ()
    script: str = ""
    after: tuple[str, ...] = ()
    follows: str = ""
    """A part whose end this one awaits, red or green, as it does the rest."""
    tree: str = ""
    """The copy of the commit; parts that share what they install into it have one."""
    patient: bool = False
    """Whether it is served before the others, as it mostly waits."""
    code: int | None = field(default=None, init=False)
    cpu: float = field(default=0.0, init=False)
    wall: float = field(default=0.0, init=False)
    log: str = field(default="", init=False)
    late: bool = field(default=False, init=False)

    @property
    def alone(self) -> str:
        """The command that runs this part alone."""
        return f"nox {' '.join(self.nox)}" if self.nox else f".ci/run {self.name}"

    @property
    def row(self) -> str:
        """The row of the table."""
        tests = sum(map(int, PASSED.findall(self.log)))
        again = len(AGAIN.findall(self.log))
        state = "" if self.code == 0 else "  FAILED"
        numbers = f"{self.cpu:8.1f} {self.wall:8.1f} {tests or '':>7} {again or '':>6}"
        return f"{self.name:10}{numbers}  {self.alone}{state}"


def commands(readme: str, *names: str) -> str:
    """Return commands that the README marks, as one script."""
    text = Path(readme).read_text(encoding="utf-8")
    found = [
        re.findall(rf"^<!-- command: {name} -->\n```sh\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
        for name in names
    ]
    return "".join(block for blocks in found for block in blocks)


def session(name: str, *arguments: str) -> tuple[str, ...]:
    """Return the arguments of nox for a session."""
    return ("--session", name, *(("--", *arguments) if arguments else ()))


def parts(*, whole: bool = False) -> list[Part]:
    """Return all parts, the first to start first; all tests, or those that CALMIP_SEED draws."""
    draw = () if whole else ("--sixth",)
    # The README's commands, as a newcomer runs them: what is not installed is skipped there.
    readme = "export CALMIP_PASSED_TO=$CALMIP_PASSED\n"
    readme += "unset CI CALMIP_PASSED CALMIP_WITHOUT CALMIP_WHEEL CALMIP_SEED\n"
    return [
        Part("install", ("--session", "newest", "--install-only"), tree="newest"),
        Part("page", session("page"), tree="newest"),
        Part("readme", script=readme + commands(str(ROOT / "README.md"), "solve", "test")),
        *(
            Part(
                name,
                session("newest", name, *draw),
                after=("install", "page"),
                follows="readme",
                tree="newest",
                patient=name == "waiting",
            )
            for name in ("waiting", "tests")
        ),
        Part("oldest", session("oldest", *(() if whole else ("--half",)))),
        *(
            Part(name, session("newest", name, *draw), after=("install", "page"), tree="newest")
            for name in ("documents", "battery")
        ),
        Part("site", session("site")),
        Part("package", session("package")),
        Part("lint", session("lint")),
        Part("prose", session("prose")),
        Part("kernel", session("kernel")),
    ]


def chosen(names: list[str], *, whole: bool = False) -> list[Part]:
    """Return the parts with these names, and those that they need; all without names."""
    every = {part.name: part for part in parts(whole=whole)}
    unknown = [name for name in names if name not in every]
    if unknown:
        sys.exit(f"there is no part {unknown[0]!r}; the parts are {', '.join(every)}")
    wanted = set(names or every)
    for part in reversed(every.values()):
        if part.name in wanted:
            wanted |= set(part.after)
    return [part for part in every.values() if part.name in wanted]


class Run:
    """Parts that run, those that wait, and what is printed of them."""

    def __init__(
        self, every: list[Part], work: Path, environment: dict[str, str], began: float
    ) -> None:
        self.every = every
        self.work = work
        self.environment = environment
        self.waiting = list(every)
        self.running: dict[int, Part] = {}
        self.programs: list[subprocess.Popen[bytes]] = []
        """Kept, as Python waits for the process of one that is dropped."""
        self.unprinted = list(every)
        self.began = began
        self.last = ""
        """The closing line of the README's tests, which is printed at the very end."""

    def start(self) -> None:
        """Start the parts whose needs are met, as many as run side by side."""
        codes = {part.name: part.code for part in self.every}
        for part in list(self.waiting):
            needs = {codes[name] for name in part.after}
            if needs - {0, None}:
                self.waiting.remove(part)
                part.code = 1
                part.log = f"not run, as it needs {' and '.join(part.after)}"
            elif None in {*needs, codes.get(part.follows, 0)}:
                continue
            elif len(self.running) < SIDE_BY_SIDE:
                self.waiting.remove(part)
                part.wall = -time.monotonic()
                self.running[self.process(part)] = part

    def process(self, part: Part) -> int:
        """Start a part; return the number of its process and its group."""
        tree = self.work / "trees" / (part.tree or part.name)
        if not tree.is_dir():
            copy(tree)
        if part.nox:
            nox = [str(self.work / "nox/bin/nox"), "--envdir", str(self.work / "environments")]
            # What "install" has installed is there.
            reuse = ["-R"] if "install" in part.after else []
            words = [*nox, *reuse, *part.nox]
        else:
            words = ["bash", "-euo", "pipefail", "-c", part.script]
        if not part.patient:
            words = ["nice", "-n", "5", *words]
        with (self.work / f"{part.name}.log").open("a") as log:
            program = subprocess.Popen(
                words,
                cwd=tree,
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        self.programs.append(program)
        return program.pid

    def finish(self) -> None:
        """Wait for the next part that ends; print what can be printed in order."""
        if self.running:
            number, status, used = self.wait()
            part = self.running.pop(number)
            end(number)
            part.code = os.waitstatus_to_exitcode(status)
            part.cpu = used.ru_utime + used.ru_stime
            part.wall += time.monotonic()
            log = self.work / f"{part.name}.log"
            part.log = log.read_text(encoding="utf-8", errors="replace")
        while self.unprinted and self.unprinted[0].code is not None:
            self.show(self.unprinted.pop(0))

    def wait(self) -> tuple[int, int, resource.struct_rusage]:
        """Wait for the next part that ends, or end one that hangs."""
        while True:
            with stop.allowed():
                number, status, used = os.wait4(-1, os.WNOHANG)
                if number:
                    return number, status, used
                time.sleep(POLL_SECONDS)
            for number, part in self.running.items():
                if not part.late and part.wall + time.monotonic() > PART_SECONDS:
                    part.late = True
                    self.abort(number, part)

    def abort(self, number: int, part: Part) -> None:
        """Let the tests of a part print the stacks of all threads, and end it."""
        with (self.work / f"{part.name}.log").open("a") as log:
            print(f"\n{part.name} takes more than {PART_SECONDS} s: it hangs", file=log)
        # On this signal pytest prints them.
        end(number, signal.SIGABRT)
        with stop.allowed():
            time.sleep(TERMINATION_SECONDS)
        end(number)

    def show(self, part: Part) -> None:
        """Print the log of a part."""
        text = part.log
        if part.name == "readme" and part.code == 0:
            text, _, self.last = text.rstrip("\n").rpartition("\n")
        print(f"=== {part.name}: {part.alone}", text.rstrip("\n"), sep="\n", flush=True)

    def kill(self) -> None:
        """End all processes of all parts."""
        for number in self.running:
            end(number, signal.SIGTERM)
        deadline = time.monotonic() + TERMINATION_SECONDS
        for program in self.programs:
            if program.pid in self.running:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    program.wait(max(0, deadline - time.monotonic()))
                end(program.pid)

    def table(self) -> int:
        """Print the table and what ran again; return the exit code."""
        print(f"{'part':10}{'CPU s':>8} {'wall s':>8} {'tests':>7} {'again':>6}  alone")
        print(*(part.row for part in self.every), sep="\n")
        cpu, wall = sum(part.cpu for part in self.every), time.monotonic() - self.began
        print(f"{'together':10}{cpu:8.1f} {wall:8.1f}")
        for part in self.every:
            print(*(f"{part.name}: {line}\n" for line in AGAIN.findall(part.log)), sep="", end="")
        if self.last:
            print(self.last)
        failed = [part.name for part in self.every if part.code]
        if failed:
            print(f"failed: {', '.join(failed)}")
        return 1 if failed else 0


def end(group: int, how: signal.Signals = signal.SIGKILL) -> None:
    """Send a signal to what is left of a process group."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, how)


def copy(tree: Path) -> None:
    """Copy the commit."""
    tree.mkdir(parents=True)
    script = 'git archive HEAD | tar -x -C "$1"'
    subprocess.run(["bash", "-euo", "pipefail", "-c", script, "copy", tree], cwd=ROOT, check=True)


def prepare(work: Path) -> dict[str, str]:
    """Install nox, build the wheel that all parts install; return the parts' environment."""
    environment = {
        **os.environ,
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
        "PIP_QUIET": "1",
        # To enable --no-compile. Most of what pip would compile is never imported.
        "PIP_NO_COMPILE": "no",
        "PYTHONUNBUFFERED": "1",
        "UV_HTTP_TIMEOUT": "180",
        "CALMIP_SEED": os.environ.get("CALMIP_SEED") or str(random.randrange(32_768)),
        # The README's tests write what passed there; "tests" and "waiting" run the others.
        "CALMIP_PASSED": str(work / "passed.json"),
        # One process of tests at a time compiles their modules (tests/helpers/collecting.py).
        "CALMIP_TURNS": "1",
    }
    # A program of Python takes 1.6 times as long where its byte code is not kept.
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    print(f"random inputs: CALMIP_SEED={environment['CALMIP_SEED']} draws them again", flush=True)
    pip = [str(work / "nox/bin/pip")]
    tree = work / "trees/wheel"
    copy(tree)
    for words in (
        [sys.executable, "-m", "venv", str(work / "nox")],
        [*pip, "install", "--constraint", ".ci/requirements.txt", "nox", "uv", "hatchling"],
        [*pip, "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", str(work), str(tree)],
    ):
        subprocess.run(words, env=environment, cwd=ROOT, check=True, timeout=PART_SECONDS)
    (wheel,) = work.glob("calmip-*.whl")
    return {**environment, "CALMIP_WHEEL": str(wheel)}


class Stop:
    """What a signal does: it ends this program, though not while a part is being started."""

    def __init__(self) -> None:
        self.number = 0
        self.now = False

    def __call__(self, number: int, _: object) -> None:
        """Take note of the signal; end at once where that is allowed."""
        self.number = number
        if self.now:
            raise SystemExit(128 + number)

    @contextlib.contextmanager
    def allowed(self) -> Iterator[None]:
        """Let a signal end this program here, and one that came before."""
        self.now = True
        try:
            if self.number:
                raise SystemExit(128 + self.number)
            yield
        finally:
            self.now = False


stop = Stop()


def for_change(revision: str) -> list[Part]:
    """Return the parts that a change since a revision needs; all unless it is in trades alone."""
    import changes

    found = changes.trades_of(changes.changed_since(revision))
    if not found:
        return parts()
    print(f"changed: {', '.join(sorted(found))} alone; .ci/run runs all", flush=True)
    few = chosen(list(changes.PARTS))
    for part in few:
        if part.name == "tests":
            part.nox = session("newest", "tests", *changes.tests_of(found))
    return few


def asked(words: list[str]) -> list[Part]:
    """Return the parts that the command line asks for."""
    if words[:1] == ["--changed-since"]:
        if len(words) != 2:
            sys.exit("--changed-since needs one revision, such as origin/main")
        return for_change(words[1])
    if words[:1] == ["--whole"]:
        return chosen(words[1:], whole=True)
    return chosen(words)


def main(words: list[str]) -> int:
    """Run the parts that the command line asks for; return the exit code."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        # Under nohup the terminal may go.
        if number != signal.SIGHUP or signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, stop)
    every = asked(words)
    began = time.monotonic()
    work = Path(tempfile.mkdtemp())
    run = None
    try:
        with stop.allowed():
            environment = prepare(work)
        run = Run(every, work, environment, began)
        while run.waiting or run.running:
            run.start()
            run.finish()
        return run.table()
    finally:
        if run is not None:
            run.kill()
        shutil.rmtree(work, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
