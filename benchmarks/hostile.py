"""Hostile submissions among right ones, marked by `calmip grade` in one call.

    python -m benchmarks.hostile [--bare] [--only NAME ...]

Each hostile program lies between right answers of one class. What is checked: every right answer
has full marks (or ``?`` where nothing protects it), each hostile one at most what its answer is
worth, and in a protected marking no right answer's file has changed. At the end no process is left.
``--bare`` leaves out bubblewrap and a user of its own. Then run it in namespaces of its own
(`unshare --pid --fork --mount-proc --mount`), as the programs have all rights.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import io
import json
import os
import re
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any
from unittest import mock

from calmip._base.files import SCRATCH
from calmip.cli import main
from calmip.course import sandbox
from calmip.course.exercises import SOLUTIONS
from calmip.course.sandbox import Protection

RIGHT = (SOLUTIONS / "5-no-good").read_text()

RUN_SECONDS = 3
"""The time limit of a program."""

HEAD = (
    "import ctypes, json, os, pathlib, shutil, signal, socket, subprocess, sys, threading, time\n"
)

CLASS = "pathlib.Path(r'''{place}/class''')"
OTHERS = f"[one for one in {CLASS}.rglob('*.py') if one.parent.name.startswith('right')]"
TEMPORARY = "[one for one in pathlib.Path(r'''{temporary}''').glob('calmip-scratch-*')]"
QUIET = "try:\n    {}\nexcept OSError: pass\n"

FORGED = json.dumps({"exercise": "5", "marks": 10, "most": 10, "checks": []})
CUTS = json.dumps({"cuts": []})
LISTS = json.dumps({"lists": [], "endless": None})

FORK = """
made = 0
end = time.monotonic() + 30
while time.monotonic() < end and made < 300:
    try:
        made += 1
        if not os.fork(): {}
    except OSError: time.sleep(0.01)
"""

DETACH = """
if not os.fork():
    os.setsid()
    if not os.fork():
        {}
        time.sleep(60)
    os._exit(0)
"""

PARENTS = """
over = os.getpid()
for _ in range({depth}):
    over = int(open(f'/proc/{{over}}/stat').read().rpartition(')')[2].split()[1])
    if over > 1: os.kill(over, {signal})
"""


def each(files: str, what: str) -> str:
    return f"for one in {files}:\n    try: {what}\n    except OSError: pass\n"


WRONG: dict[str, str] = {
    # Deletes and rewrites.
    "deletes the others' files": each(OTHERS, "one.unlink()"),
    "rewrites the others' files": each(OTHERS, "one.write_text('x = 1')"),
    "empties the others' files": each(OTHERS, "open(one, 'w').close()"),
    "moves the others' files": each(OTHERS, "one.rename(str(one) + '.old')"),
    "removes the others' folders": each(OTHERS, "shutil.rmtree(one.parent)"),
    "links the others to itself": each(OTHERS, "one.unlink(); one.symlink_to(__file__)"),
    "removes the whole class": QUIET.format(f"shutil.rmtree({CLASS})"),
    "closes the class": QUIET.format(f"{CLASS}.chmod(0)"),
    "adds files for the others": each(OTHERS, "(one.parent / 'z.py').write_text('x = 1')"),
    "removes the scratch folders of others": each(TEMPORARY, "shutil.rmtree(one)"),
    "rewrites what others hand over": each(
        TEMPORARY, "[two.write_text('{}') for two in one.glob('*.json')]"
    ),
    "rewrites the others' copies": each(
        TEMPORARY, "[two.write_text('x = 1') for two in one.glob('*.py')]"
    ),
    "removes the table of marks": QUIET.format("os.unlink(r'''{place}/marks.json.part''')"),
    "writes a table of marks": QUIET.format(
        f"open(r'''{{place}}/marks.json''', 'w').write({FORGED!r})"
    ),
    "adds a line to the journal": QUIET.format(
        f"open(r'''{{place}}/marks.json.part''', 'a').write({FORGED!r})"
    ),
    # Fills.
    "fills the disk": "file = open('big', 'wb')\nwhile True: file.write(bytes(1 << 20))\n",
    "fills its folder with files": "for n in range(10**9): open(f'f{n}', 'w').close()\n",
    "fills its folder with folders": "while True:\n    os.mkdir('x'); os.chdir('x')\n",
    "fills the temporary folder": QUIET.format(
        "[open(r'''{temporary}/full%d''' % n, 'wb').write(bytes(10 << 20)) for n in range(20)]"
    ),
    "fills the memory": "x = []\nwhile True: x.append(bytearray(1 << 28))\n",
    "asks for all memory at once": "x = bytearray(1 << 45)\n",
    "maps a file beyond its limit": (
        "import mmap\nfile = open('x', 'w+b'); file.truncate(10 << 20)\n"
        "x = mmap.mmap(file.fileno(), 0); file.truncate(0); x[9]\n"
    ),
    "opens all files": "x = []\nwhile True: x.append(os.open('.', 0))\n",
    "hands over a large file": "open('cuts.json', 'wb').write(b'[' * (19 << 20))\n"
    "open('done', 'w'); os._exit(0)\n",
    "hands over deep lists": "open('cuts.json', 'w').write('[' * 99999 + ']' * 99999)\n"
    "open('done', 'w'); os._exit(0)\n",
    "hands over a number without end": "open('cuts.json', 'w').write('9' * 999999)\n"
    "open('done', 'w'); os._exit(0)\n",
    "prints without end": "while True: os.write(1, b'x' * 65536)\n",
    "prints lines to stderr without end": "while True: os.write(2, b'10/10' * 999 + b'\\n')\n",
    "sparse file of a terabyte": "open('x', 'wb').truncate(1 << 40)\n",
    # Processes.
    "forks": FORK.format("time.sleep(60)"),
    "forks and works": FORK.format("exec('while True: pass')"),
    "forks again and again": FORK.format("os.fork(); os.fork(); time.sleep(60)"),
    "a chain of processes": (
        "end = time.monotonic() + 30\nwhile time.monotonic() < end:\n"
        "    if os.fork(): os._exit(0)\n    os.setsid() if os.getpid() != os.getsid(0) else 0\n"
    ),
    "threads": "x = [threading.Thread(target=time.sleep, args=(60,)) for _ in range(999)]\n"
    "[one.start() for one in x]\n",
    "detaches": DETACH.format("pass") + "os._exit(0)\n",
    "detaches and goes on": DETACH.format("os.chdir('/')"),
    "detaches without its environment": DETACH.format(
        "os.execve(sys.executable, [sys.executable, '-c', 'import time; time.sleep(60)'], {{}})"
    ),
    "detaches and rewrites the next": DETACH.format(
        f"exec({('while True:' + chr(10) + '    for one in ' + TEMPORARY + ':' + chr(10) + '        for two in one.glob(chr(42)):' + chr(10) + '            try: two.unlink()' + chr(10) + '            except OSError: pass')!r})"  # noqa: E501
    )
    + "time.sleep(0.5)\n",
    "ignores signals": "for n in range(1, 64):\n    try: signal.signal(n, signal.SIG_IGN)\n"
    "    except (OSError, ValueError): pass\ntime.sleep(60)\n",
    "stops itself": "os.kill(os.getpid(), signal.SIGSTOP)\n",
    "sleeps": "time.sleep(60)\n",
    "works without end": "while True: pass\n",
    # Ends others.
    "kills its parent": PARENTS.format(depth=1, signal=9),
    "stops its parent": PARENTS.format(depth=1, signal=19) + "time.sleep(60)\n",
    "kills its parents": PARENTS.format(depth="1 if {bare} else 9", signal=9),
    "ends all processes": "{bare} or os.kill(-1, 9)\n",
    "kills its group": "os.killpg(0, 9)\n",
    "closes all files": "os.closerange(0, 999)\n",
    "ends at once": "os._exit(0)\n",
    "faults": "ctypes.string_at(0)\n",
    # Reads, and hands over what it must not.
    "links to the answers": "os.symlink(r'''{solutions}''', 'cuts.json'); open('done', 'w')\n"
    "os._exit(0)\n",
    "hands over a pipe": "os.mkfifo('cuts.json'); open('done', 'w'); os._exit(0)\n",
    "hands over a folder": "os.mkdir('cuts.json'); open('done', 'w'); os._exit(0)\n",
    "hands over a device": QUIET.format("os.symlink('/dev/zero', 'cuts.json')")
    + "open('done', 'w'); os._exit(0)\n",
    "hands over a socket": "socket.socket(socket.AF_UNIX).bind('cuts.json'); open('done', 'w')\n"
    "os._exit(0)\n",
    "a link as its folder": "here = os.getcwd(); os.chdir('..')\n"
    + QUIET.format("os.rename(here, here + 'x'); os.symlink('/etc', here)"),
    "forges marks": f"print({FORGED!r}); open('marks.json', 'w').write({FORGED!r})\n",
    "forges results": f"open('cuts.json', 'w').write({CUTS!r})\n"
    f"open('lists.json', 'w').write({LISTS!r})\nopen('done', 'w'); os._exit(0)\n",
    "forges an error of the machine": "os.write(2, b'\\n' + b'0' * 32 + b' lacked x\\n')\n",
    "forges the lines of the terminal": "sys.stderr.write('\\x1b[2J 10/10 right\\r')\n",
    "reads the task": "open('task.json').read()\n",
    "traces the marking": "ctypes.CDLL(None).ptrace(16, os.getppid(), 0, 0)\n",
}
"""What has no marks, but for a forger who is right."""

RIGHTS = {
    "right, and deletes the others": ("deletes the others' files",),
    "right, and rewrites copies": ("rewrites the others' copies", "rewrites what others hand over"),
    "right, and detaches": ("detaches and rewrites the next",),
    "right, and removes scratch folders": ("removes the scratch folders of others",),
}
"""A right answer that also does harm."""

ANSWERS = {"copies the answers": "exec(open(r'''{solutions}/5-no-good''').read())\n"}
"""What has full marks where the package can be read: the answers are public."""


def programs(place: Path, *, bare: bool) -> dict[str, tuple[str, int]]:
    """Return the name of each program, its text and the most marks that it may have."""

    def fill(text: str) -> str:
        words = {
            "place": str(place),
            "temporary": tempfile.gettempdir(),
            "bare": str(bare),
            "solutions": str(SOLUTIONS),
        }
        for name, value in words.items():
            text = text.replace(f"{{{name}}}", value)
        return text.replace("{{}}", "{}")

    found = {name: (HEAD + fill(text), 0) for name, text in WRONG.items()}
    for name, parts in RIGHTS.items():
        harm = "".join(fill(WRONG[part]) for part in parts)
        found[name] = (f"{HEAD}{harm}{RIGHT}", 10)
    return found | {name: (HEAD + fill(text), 10) for name, text in ANSWERS.items()}


def write_class(place: Path, chosen: dict[str, tuple[str, int]]) -> dict[str, tuple[str, int]]:
    """Write a class with a right answer before each five programs; return students and marks."""
    students: dict[str, tuple[str, int]] = {}
    for number, (name, (text, most)) in enumerate(chosen.items()):
        if number % 5 == 0:
            students[f"right{number:02}"] = "right", 10
            (place / "class" / f"right{number:02}").mkdir(parents=True)
            (place / "class" / f"right{number:02}" / "a.py").write_text(f"# {number}\n{RIGHT}")
        student = f"s{number:02}"
        students[student] = name, most
        (place / "class" / student).mkdir(parents=True)
        (place / "class" / student / "a.py").write_text(text)
    students["right99"] = "right", 10
    (place / "class" / "right99").mkdir(parents=True)
    (place / "class" / "right99" / "a.py").write_text(RIGHT)
    return students


def files_of(place: Path) -> dict[str, str]:
    """Return the digests of the right answers."""
    return {
        str(one): hashlib.sha256(one.read_bytes()).hexdigest()
        for one in (place / "class").rglob("*.py")
        if one.is_file() and one.parent.name.startswith("right")
    }


def survivors(parent: int | None = None) -> list[int]:
    """Return what this process, or another, has started, by the mark that it inherits."""
    mark = f"CALMIP_RUN={parent or os.getpid()}-".encode()
    found = []
    for path in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            text = (path / "environ").read_bytes()
            if mark in text:
                found.append(int(path.name))
    return found


def grade(place: Path, students: dict[str, Any], *more: str) -> tuple[int, dict[str, Any], str]:
    """Mark a class; return the exit code, the row of each student, and the first line."""
    names = [student for student in students if (place / "class" / student).exists()]
    order = sorted(names, key=lambda one: (one.lstrip("rights"), one))
    (place / "roster.csv").write_text("\n".join(["student", *order]) + "\n")
    out = place / "marks.json"
    text = io.StringIO()
    with contextlib.redirect_stdout(text), contextlib.redirect_stderr(text):
        code = main(
            [
                "grade",
                "5",
                str(place / "class"),
                "--roster",
                str(place / "roster.csv"),
                "--time-limit",
                str(RUN_SECONDS),
                "--format",
                "json",
                "-o",
                str(out),
                *more,
            ]
        )
    rows = json.loads(out.read_text())["submissions"]
    return code, {row["student"]: row for row in rows}, text.getvalue().partition("\n")[0]


def run(*, bare: bool = False, only: Iterable[str] = ()) -> int:
    """Mark the class, print what became of each program, and return how many faults there are."""
    faults: list[str] = []
    started = time.monotonic()
    chosen = tuple(only)
    with contextlib.ExitStack() as stack:
        # Not below a folder that bubblewrap hides, so that it is there to be harmed.
        above = next((one for one in ("/srv", "/opt") if os.access(one, os.W_OK)), None)
        place = Path(stack.enter_context(tempfile.TemporaryDirectory(dir=above)))
        if not bare and not sandbox.protection("cuts"):
            sys.exit("nothing protects this machine: run it with --bare, in namespaces of its own")
        if bare:
            way = Protection(groups=sandbox.protection("cuts").groups)
            for where in ("calmip.course.sandbox", "calmip.course.exercises"):
                stack.enter_context(mock.patch(f"{where}.protection", return_value=way))
        every = programs(place, bare=bare)
        students = write_class(
            place, {name: one for name, one in every.items() if not chosen or name in chosen}
        )
        before = files_of(place)
        code, rows, first = grade(place, students, *(["--unprotected"] if bare else []))
        protected = "Not protected: this user" not in first
        if protected and files_of(place) != before:
            faults.append("a right answer has been changed")
        found: Counter[str] = Counter()
        for student, (name, most) in students.items():
            row = rows[student]
            marks, fault = row["marks"], row["checks"][0]["fault"]
            shown = "?" if marks is None else marks
            if name == "right":
                found[f"right: {shown}/10"] += 1
                if marks != 10 and (protected or marks is not None):
                    faults.append(f"{student}, a right answer, has {shown}: {row['checks']}")
                continue
            found[f"hostile: {shown}/10"] += 1
            why = re.sub("^this machine.*submission: ", "? ", fault)[:100]
            print(f"  {shown:>2}/10  {name}: {why}")
            if marks is not None and marks > most and "forges" not in name:
                faults.append(f"{name} has {marks}")
        if (code == 4) != any(row["marks"] is None for row in rows.values()):
            faults.append(f"exit code {code}")
        left = survivors()
        faults += [f"{len(left)} processes are left"] * bool(left)
        scratch = [
            one.name
            for one in Path(tempfile.gettempdir()).glob(f"{SCRATCH}*")
            if one.stat().st_uid == os.getuid() and one.stat().st_ctime > time.time() - 600
        ]
        print(
            f"{first}\n{sum(found.values())} submissions: "
            + ", ".join(f"{number} {name}" for name, number in sorted(found.items()))
        )
        print(
            f"exit code {code}, {time.monotonic() - started:.0f} s, {len(scratch)} scratch folders"
        )
    for fault in faults:
        print(f"FAULT: {fault[:1000]}")
    return len(faults)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--bare", action="store_true")
    parser.add_argument("--only", nargs="*", default=())
    given = parser.parse_args()
    sys.exit(1 if run(bare=given.bare, only=given.only) else 0)
