"""A submission cannot give itself marks, and cannot run for ever."""

from __future__ import annotations

import contextlib
import ctypes
import itertools
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from processes import HANG_SECONDS, assert_gone

from calmip._base.errors import SolverFailed
from calmip._base.files import scratch_folder
from calmip.course import _child, sandbox
from calmip.course.checks import CASES, Failed, plain
from calmip.course.machine import OF_PROGRAM
from calmip.course.sandbox import (
    LIMITS,
    Protection,
    _groups,
    _out_of_memory,
    _start,
    is_root,
    run_submission,
)
from calmip.processes import warden

TASK = {"job": "models", "data": [["six cells", [plain(CASES[0])]]]}
ROOT = Path(__file__).parents[2]
FAKE = '{"exercise": "2", "marks": 10, "most": 10, "checks": []}'


BWRAP = shutil.which("bwrap") or ""
WAYS = {
    "nothing": Protection(),
    "a user of its own": Protection(own_user=True),
    "a control group": Protection(groups=_groups("pids")),
    "bubblewrap": Protection(BWRAP),
    "bubblewrap, a user of its own": Protection(BWRAP, own_user=True),
    "all": Protection(BWRAP, own_user=True, groups=_groups("pids"), memory=_groups("memory")),
}


@cache
def works(name: str) -> bool:
    """Whether a way to protect this machine works here."""
    way = WAYS[name]
    if (name != "nothing" and not way) or (way.own_user and not is_root()):
        return False
    with scratch_folder() as folder:
        try:
            _start(folder, {"job": "nothing", "library": "pulp"}, LIMITS, way)
        except SolverFailed:
            return False
    return True


def run(tmp_path: Path, source: str, *, way: str = "nothing", **limits: int) -> str:
    """Run a submission; return why it failed, or an empty text."""
    if not works(way):
        pytest.skip(f"not here: {way}")
    path = tmp_path / "mine.py"
    path.write_text(source)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("calmip.course.sandbox.protection", lambda job: WAYS[way])
        try:
            with run_submission(path, TASK, ["models.json"], limits=limits):
                return ""
        except Failed as failed:
            return str(failed)


@pytest.mark.parametrize(
    ("source", "words"),
    [
        pytest.param("while True: pass", "longer than 1 seconds", marks=pytest.mark.long),
        ("import time; time.sleep(1000)", "longer than 1 seconds"),
        ("import os; os._exit(0)", "before it had handed over"),
        ("import sys; sys.exit(0)", "SystemExit"),
        ("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)", "before it had handed over"),
        ("x = 1", "no function build"),
        ("def build(", "SyntaxError"),
        ("\n\nraise ValueError('full marks\\n\\x1b[2J')", r"full marks\n\x1b[2J (line 3)"),
    ],
)
def test_whatever_it_does_it_fails_with_a_reason(source: str, words: str, tmp_path: Path) -> None:
    # On a busy machine it takes seconds to load PuLP.
    fault = run(tmp_path, source, seconds=1 if "longer than" in words else 600)
    assert words in fault
    assert fault.isprintable()


@pytest.mark.long
def test_the_grace_of_the_warden_is_not_taken_from_the_submission(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("calmip.course.sandbox.WARDEN_SECONDS", 1e6)
    assert "no function build" in run(tmp_path, "x = 1")


@pytest.mark.long
def test_a_submission_finds_the_calmip_that_grades_it(tmp_path: Path) -> None:
    source = "import os, sys\nraise ValueError(os.environ['PYTHONPATH'].split(os.pathsep)[0])"
    assert f"ValueError: {ROOT}" in run(tmp_path, source)


def test_what_cannot_be_killed_is_said_after_a_while(tmp_path: Path) -> None:
    program = (
        "import os, signal, subprocess, sys\nfrom calmip.processes import warden\n"
        "warden.KILL_SECONDS = 0.2\nwarden.signal_all = lambda pids, number: None\n"
        "child = 'import os, sys, time; "
        "os.write(1, bytes(1)); "
        "os.fork() or print(os.getpid(), file=sys.stderr, flush=True) or time.sleep(600)'\n"
        "limits = ['-1', '60', '999999999', '99', '99', '']\n"
        "status = warden.main([*limits, sys.executable, '-c', child])\n"
        "print(status == warden.LEFT)\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        cwd=tmp_path,
    ) as process:
        assert process.stdout is not None
        orphan = int(process.stdout.readline())
        try:
            assert process.stdout.readline() == "True\n"
        finally:
            os.kill(orphan, signal.SIGKILL)


def test_the_page_says_what_the_limits_are() -> None:
    page = (ROOT / "docs" / "how-to" / "grade.md").read_text(encoding="utf-8")
    for words in (
        f"Each process has {LIMITS['seconds']} seconds and {LIMITS['bytes'] >> 30} GB of memory, "
        f"files {LIMITS['file'] >> 20} MB each, their folder {LIMITS['folder'] >> 20} MB and "
        f"{LIMITS['entries']:,} files.",
        f"there are at most {LIMITS['processes']} processes",
    ):
        assert words in " ".join(page.split())


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere there is no such switch")
def test_other_processes_are_kept_off_this_one(tmp_path: Path) -> None:
    set_dumpable, get_dumpable = 4, 3
    prctl = ctypes.CDLL(None).prctl
    prctl(set_dumpable, 1)
    assert run(tmp_path, "x = 1")
    assert prctl(get_dumpable) == 0


@pytest.mark.slow
def test_memory_and_files_are_limited(tmp_path: Path) -> None:
    assert "MemoryError" in run(tmp_path, "x = bytearray(3 << 30)", bytes=2 << 30)
    big = "open('big', 'wb').write(bytes(5 << 20))"
    assert run(tmp_path, big, file=1 << 20)


@pytest.mark.long
def test_its_children_are_killed(tmp_path: Path) -> None:
    trace = tmp_path / "pid"
    source = (
        "import subprocess, sys, os\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(6000)'])\n"
        f"open({str(trace)!r}, 'w').write(str(child.pid))\n"
        "os._exit(0)\n"
    )
    run(tmp_path, source, seconds=600)
    assert_gone(int(trace.read_text()))


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="the ways are those of Linux")
def test_nothing_that_it_prints_is_taken_for_marks(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(
        f"import os\nfake = {FAKE!r}\nprint(fake)\nos.write(1, fake.encode())\n"
        "over, places = os.getpid(), ['/dev/tty', '/dev/stdout']\n"
        "while over > 1:\n"
        "    over = int(open(f'/proc/{over}/stat').read().rpartition(')')[2].split()[1])\n"
        "    places.append(f'/proc/{over}/fd/1')\n"
        "for place in places:\n"
        "    try:\n        open(place, 'w').write(fake)\n    except OSError:\n        pass\n"
        "for name in ('marks.json', 'result.json', 'done', 'error.json', 'models.json'):\n"
        "    open(name, 'w').write(fake)\n"
        "os._exit(0)\n"
    )
    done = subprocess.run(
        [sys.executable, "-m", "calmip", "grade", "2", str(path), "--format", "json"],
        capture_output=True,
        text=True,
        timeout=HANG_SECONDS,
        check=False,
        cwd=ROOT,
    )
    found = json.loads(done.stdout)
    assert (done.returncode, found["marks"], found["most"]) == (1, 0, 10)
    assert len(found["checks"]) == 5
    assert done.stdout.count('"marks": 10') == 0
    assert done.stderr == ""


@pytest.mark.long
def test_a_model_file_that_it_writes_itself_is_only_a_model(tmp_path: Path) -> None:
    # The file is read as any other; what is not a model is not marked as one.
    path = tmp_path / "mine.py"
    path.write_text(
        "import json, pathlib, os\n"
        f"models = [dict(mps='ENDATA', columns=dict(), rows=dict())] * {len(CASES)}\n"
        "found = dict(data=[], models=models, title='')\n"
        "pathlib.Path('models.json').write_text(json.dumps(found))\n"
        "pathlib.Path('done').touch()\nos._exit(0)\n"
    )
    from calmip.course.grade import grade

    result = grade("2", path)
    assert result.marks == 0
    assert "the model cannot be read" in result.checks[0].fault


@pytest.mark.long
def test_a_claim_to_be_done_without_a_model_earns_nothing(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text("import os\nopen('done', 'w').close()\nos._exit(0)\n")
    from calmip.course.grade import grade

    for exercise in ("2", "5"):
        result = grade(exercise, path)
        assert result.marks == 0


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="elsewhere not everybody may make links")
def test_a_folder_is_measured_to_the_byte_and_links_lead_nowhere(tmp_path: Path) -> None:
    inside = tmp_path / "inside"
    (inside / "a" / "b").mkdir(parents=True)
    (inside / "file").write_bytes(bytes(20_000))
    (inside / "a" / "b" / "file").write_bytes(bytes(9_000))
    (tmp_path / "large").write_bytes(bytes(200_000))
    (inside / "a" / "link").symlink_to(tmp_path / "large")
    (inside / "a" / "up").symlink_to(tmp_path)
    entries = list(inside.rglob("*"))
    size = sum(512 * path.lstat().st_blocks for path in entries)
    assert len(entries) == 6
    assert warden.fits(inside, size, 6)
    assert not warden.fits(inside, size - 1, 6)
    assert not warden.fits(inside, size, 5)


@pytest.mark.long
def test_the_task_with_its_answers_is_not_left_lying_about(tmp_path: Path) -> None:
    assert "FileNotFoundError" in run(tmp_path, "open('task.json')")


@pytest.fixture
def alarm() -> Iterator[None]:
    """End a test that waits for ever."""
    if hasattr(signal, "SIGALRM"):
        signal.signal(signal.SIGALRM, lambda *_: pytest.fail("it hangs"))
        signal.alarm(100)
        yield
        signal.alarm(0)


PIPE = "os.mkfifo({name!r})"


@pytest.mark.long
@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no pipes with names")
@pytest.mark.parametrize(
    ("make", "name"),
    [
        (PIPE, "error.json"),
        (PIPE, "done"),
        (PIPE, "models.json"),
        ("os.symlink('/dev/zero', {name!r})", "error.json"),
        ("os.symlink(os.path.abspath('there'), {name!r})", "models.json"),
        ("os.mkdir({name!r})", "models.json"),
        ("import socket; socket.socket(socket.AF_UNIX).bind({name!r})", "models.json"),
    ],
)
def test_only_regular_files_are_opened(make: str, name: str, tmp_path: Path, alarm: None) -> None:
    others = {"done", "models.json"} - {name}
    source = (
        f"import os\nfor other in {others}: open(other, 'w').close()\n"
        f"open('there', 'w').close()\n{make.format(name=name)}\nos._exit(0)\n"
    )
    assert f"it handed over {name}" in run(tmp_path, source)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no pipes with names")
def test_cuts_are_not_read_from_a_pipe(tmp_path: Path, alarm: None) -> None:
    from calmip.course.grade import grade

    path = tmp_path / "mine.py"
    path.write_text("import os\nos.mkfifo('cuts.json')\nopen('done', 'w').close()\nos._exit(0)")
    result = grade("5", path)
    assert result.marks == 0
    assert "it handed over cuts.json" in result.checks[0].fault


@pytest.mark.long
def test_a_longer_file_than_allowed_is_not_read(tmp_path: Path) -> None:
    assert "larger than 10,000" in run(
        tmp_path, "import os\nopen('error.json', 'w').write('9' * 20000)\nos._exit(0)"
    )
    # What is in it is told if it is a text, and only then.
    for text, words in (('"so"', "so"), ("[" * 400 + "]" * 400, "cannot be read"), ("NaN", "read")):
        source = f"import os\nopen('error.json', 'w').write({text!r})\nos._exit(0)"
        assert words in run(tmp_path, source)


@pytest.mark.long
@pytest.mark.parametrize("mode", ["", "    os.chmod('../x', 0)\n"])
def test_folders_in_folders_are_removed(
    mode: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(scratch))
    source = (
        "import os, sys\nopen('../keep', 'w').close()\nos.symlink('../keep', 'link')\n"
        f"for number in range(1500):\n    os.mkdir('x')\n    os.chdir('x')\n{mode}os._exit(0)\n"
    )
    assert run(tmp_path, source)
    assert [path.name for path in scratch.iterdir()] == ["keep"]


@pytest.mark.long
@pytest.mark.parametrize(
    ("loop", "times"),
    [
        ("open(str(number), 'wb').write(bytes(1 << 20))", 30),
        ("open('x' * 250 + str(number), 'wb').close()", 1000),
        ("os.mkdir('y' * 200); os.chdir('y' * 200)", 1000),
    ],
)
def test_the_folder_is_limited(loop: str, times: int, tmp_path: Path) -> None:
    source = (
        "import os, time\n"
        f"for number in range({times}):\n    {loop}\n    time.sleep(0.001)\ntime.sleep(1000)\n"
    )
    fault = run(tmp_path, source, folder=5 << 20, entries=300, seconds=600)
    assert "more than 5,242,880 bytes, or more than 300 files" in fault


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="/proc tells who descends from whom")
def test_processes_are_limited_and_none_lives_on(tmp_path: Path) -> None:
    trace = tmp_path / "pids"
    source = (
        "import os, time\n"
        "for number in range(60):\n"
        "    if os.fork() == 0:\n"
        "        os.setsid()\n"
        "        if os.fork() == 0:\n"
        f"            open({str(trace)!r}, 'a').write(f'{{os.getpid()}} ')\n"
        "            time.sleep(1000)\n"
        "        os._exit(0)\n"
        "time.sleep(1000)\n"
    )
    # Root has as many processes as it likes until the next look; others get an error.
    fault = run(tmp_path, source, processes=30, seconds=600)
    assert "more than 30 processes" in fault or "BlockingIOError" in fault
    for pid in trace.read_text().split():
        assert_gone(int(pid))


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere nobody adopts them")
def test_a_child_in_a_session_of_its_own_is_killed(tmp_path: Path) -> None:
    trace = tmp_path / "pid"
    source = (
        "import os, time\n"
        "if os.fork() == 0:\n"
        "    os.setsid()\n"
        "    if os.fork() == 0:\n"
        f"        open({str(trace)!r}, 'w').write(str(os.getpid()))\n"
        "        time.sleep(1000)\n"
        "    os._exit(0)\n"
        f"while not os.path.exists({str(trace)!r}): time.sleep(0.05)\n"
        "time.sleep(0.5)\nos._exit(0)\n"
    )
    assert run(tmp_path, source)
    assert_gone(int(trace.read_text()))


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere nobody adopts them")
def test_the_dead_are_buried(tmp_path: Path) -> None:
    # Whom the warden leaves behind, dead or alive, this program would inherit.
    program = (
        "import ctypes, os, sys\nctypes.CDLL(None).prctl(36, 1)\n"
        "from calmip.processes import Bounds, run\nimport pathlib\n"
        "run([sys.executable, 'mine.py'], folder=pathlib.Path(), seconds=600,"
        " bounds=Bounds(60, 9999999, 99, 99))\n"
        "try:\n    print(os.waitpid(-1, os.WNOHANG))\nexcept ChildProcessError:\n    print('none')"
    )
    (tmp_path / "mine.py").write_text(
        "import os, time\nfor _ in range(20):\n    if not os.fork():\n        time.sleep(600)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=True,
        timeout=HANG_SECONDS,
        cwd=tmp_path,
    )
    assert done.stdout == "none\n"


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0 or sys.platform != "linux",
    reason="only root can run a program as somebody else",
)
def test_the_system_limits_the_processes_of_others_than_root(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    source = Path(_child.__file__).read_text()
    program.write_text(
        source.replace('if __name__ == "__main__":', 'if __name__ == "never":')
        + "\nlimit(dict(seconds=600, bytes=1 << 30, file=9, descriptors=99, threads=6, core=0))\n"
        "import time\nmade = []\n"
        "try:\n    for number in range(50):\n"
        "        made.append(os.fork())\n"
        "        if made[-1] == 0: time.sleep(600); os._exit(0)\n"
        "except BlockingIOError:\n    print(len(made))\n"
        "for child in made: os.kill(child, 9)\n"
    )
    done = subprocess.run(
        ["/usr/bin/env", "python3", "-I", "-"],
        input=program.read_text(),
        capture_output=True,
        text=True,
        check=False,
        user=54321,
        cwd="/",
    )
    if done.returncode and "Error" not in done.stderr:
        pytest.skip("another user cannot run Python here")
    assert done.stdout.strip() == "5", done.stderr


CHAIN = """
import os, sys, time
end = time.monotonic() + 600
while time.monotonic() < end:
    os.setsid() if os.getpid() != os.getsid(0) else None
    time.sleep(0.0005)
    if os.fork():
        os._exit(0)
"""

BOMB = """
import os, time
end = time.monotonic() + 600
made = 0
while time.monotonic() < end:
    try:
        os.fork()
        made += 1
    except OSError:
        time.sleep(0.001)
    if made > 9:  # of one process; 2**9 of all
        time.sleep(600)
"""


def living(token: str) -> int:
    """Return how many processes there are whose command line has a word."""
    found = 0
    for path in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):  # a process that has ended meanwhile
            found += token.encode() in (path / "cmdline").read_bytes()
    return found


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere nobody adopts them")
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    ("program", "fault"),
    [(CHAIN, "before it had handed over"), (BOMB, "more than 100 processes")],
)
def test_nothing_outlives_the_marking(program: str, fault: str, way: str, tmp_path: Path) -> None:
    token = f"calmip-test-{os.urandom(8).hex()}"
    wait = 5 if program is CHAIN else 900  # a busy machine needs a while to look
    # It has begun before the program ends, whether this test sees it alive or not.
    begin = "import os, sys\nos.write(int(sys.argv[2]), b'.')\n" + program
    source = (
        "import os, sys, time\n"
        "ready, begun = os.pipe()\n"
        "os.set_inheritable(begun, True)\n"
        "if os.fork() == 0:\n"
        f"    words = [sys.executable, '-c', {begin!r}, {token!r}, str(begun)]\n"
        "    os.execv(sys.executable, words)\n"
        f"os.read(ready, 1)\ntime.sleep({wait})\nos._exit(0)\n"
    )
    most = 0
    done = threading.Event()

    def look() -> None:
        nonlocal most
        while not done.wait(0.02):
            most = max(most, living(token))

    watcher = threading.Thread(target=look)
    watcher.start()
    try:
        said = run(tmp_path, source, way=way, seconds=600)
    finally:
        done.set()
        watcher.join()
    assert [living(token) for _ in range(20)] == [0] * 20
    assert fault in said
    if program is BOMB and (WAYS[way].own_user or WAYS[way].groups or not is_root()):
        assert most <= 104  # the system gave it no more


def tells(tmp_path: Path, expression: str, way: str) -> str:
    """Return what a submission finds out about where it runs."""
    found = run(tmp_path, f"import os, socket\nraise ValueError({expression})", way=way)
    assert "ValueError: " in found, found
    return found.split("ValueError: ")[1].split(" (line")[0]


@pytest.mark.long
@pytest.mark.parametrize("way", [way for way in WAYS if WAYS[way].bubblewrap])
def test_in_bubblewrap_there_are_no_other_processes_files_and_networks(
    way: str, tmp_path: Path
) -> None:
    (tmp_path / "secret").write_text("x")  # below /tmp
    assert (
        int(tells(tmp_path, "max(int(one) for one in os.listdir('/proc') if one.isdigit())", way))
        < 20
    )
    assert tells(tmp_path, f"os.path.exists({str(tmp_path)!r})", way) == "False"
    assert tells(tmp_path, "[name for _, name in socket.if_nameindex()]", way) == "['lo']"
    places = ["/", "/tmp", "/dev/shm", "/etc", "/var/tmp", str(ROOT), "."]
    source = (
        "import os\nwritten = []\n"
        f"for place in {places}:\n    try:\n        open(place + '/x', 'w')\n"
        "        written.append(place)\n    except OSError:\n        pass\n"
        "raise ValueError(written)"
    )
    assert "['.']" in run(tmp_path, source, way=way)  # its own folder
    assert not any((Path(place) / "x").exists() for place in places)


@pytest.mark.skipif(sys.platform == "win32", reason="there is no bubblewrap")
def test_what_lies_above_hidden_folders_is_not_shown_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hidden = [os.path.realpath(place) for place in sandbox.HIDDEN if Path(place).is_dir()]
    own = f"{hidden[0]}/own"
    monkeypatch.setattr(sys, "path", [*sys.path, "/", "/var", *hidden, own])
    for own_user in (False, True):
        words = sandbox._wrap(tmp_path, Protection("bwrap", own_user=own_user))
        shown = [after for word, after in itertools.pairwise(words) if word == "--ro-bind-try"]
        assert own in shown
        assert all(any(place.startswith(f"{one}/") for one in hidden) for place in shown)


@pytest.mark.long
@pytest.mark.parametrize("way", [way for way in WAYS if WAYS[way].own_user])
def test_a_user_of_its_own_has_no_rights(way: str, tmp_path: Path) -> None:
    user, first = (int(tells(tmp_path, "os.getuid()", way)) for _ in range(2))
    assert user != 0
    assert first in sandbox.USERS
    assert tells(tmp_path, "os.getgroups(), os.getgid() == os.getuid()", way) == "([], True)"
    status = "[line for line in open('/proc/self/status') if line.startswith(('CapEff', 'NoNew'))]"
    assert tells(tmp_path, f"sum(int(line.split()[1], 16) for line in {status})", way) == "1"
    assert "PermissionError" in run(tmp_path, "import os\nos.setuid(0)", way=way)


@pytest.mark.long
@pytest.mark.parametrize("way", [way for way in WAYS if WAYS[way].own_user])
def test_a_user_of_its_own_can_read_its_task_whatever_root_hides(way: str, tmp_path: Path) -> None:
    before = os.umask(0o077)
    try:
        assert tells(tmp_path, "os.path.exists('task.json')", way) in ("True", "False")
    finally:
        os.umask(before)


def test_a_folder_is_no_control_group(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox, "CGROUPS", tmp_path)
    (tmp_path / "pids").mkdir()
    assert _groups("pids") is None
    assert _groups("memory") is None
    assert not list((tmp_path / "pids").iterdir())


EATER = """
import os, time
parts = [os.fork() for _ in range(2)] and []
for _ in range({parts}):
    parts.append(b"x" * (1 << 20))
time.sleep({seconds})
os._exit(0)
"""


@pytest.mark.long
@pytest.mark.parametrize("way", [way for way in WAYS if WAYS[way].memory])
@pytest.mark.parametrize("parts", [20, 200])
def test_a_control_group_limits_the_memory_of_all_processes(
    way: str, parts: int, tmp_path: Path
) -> None:
    """Four processes take four times as much; none of them is beyond its own limit."""
    seconds = 600 if parts == 200 else 0
    fault = run(tmp_path, EATER.format(parts=parts, seconds=seconds), way=way, bytes=600 << 20)
    # Version 1 also refuses memory to a process, as its own limit does, and ends none.
    more = ("took more than 629,145,600 bytes of memory", "the file failed: 'MemoryError")
    assert any(words in fault for words in (("before it had handed over",), more)[parts == 200])


def test_a_group_that_the_machine_has_starved_has_not_taken_too_much(tmp_path: Path) -> None:
    taken, starved = "took more than 600 bytes of memory", "this machine failed"
    for files, words in [
        ({"memory.events": "low 0\nhigh 0\nmax 9\noom 1\noom_kill 1\n"}, taken),
        ({"memory.events": "low 0\nhigh 0\nmax 9\noom 0\noom_kill 1\n"}, starved),
        ({"memory.events": "low 0\nhigh 0\nmax 9\noom 1\noom_kill 0\n"}, ""),
        ({"memory.failcnt": "9\n", "memory.oom_control": "under_oom 0\noom_kill 1\n"}, taken),
        ({"memory.failcnt": "0\n", "memory.oom_control": "under_oom 0\noom_kill 1\n"}, starved),
        ({"memory.failcnt": "9\n", "memory.oom_control": "under_oom 0\noom_kill 0\n"}, ""),
        ({"pids.max": "103\n"}, ""),
    ]:
        group = tmp_path / f"group{len(list(tmp_path.iterdir()))}"
        group.mkdir()
        for name, text in files.items():
            (group / name).write_text(text)
        fault = _out_of_memory(group, 600)
        assert bool(fault) is bool(words)
        assert words in str(fault)


@pytest.mark.long
@pytest.mark.parametrize("way", [way for way in WAYS if WAYS[way].memory])
def test_what_another_submission_takes_is_no_fault_of_the_machine(
    way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The number of processes that the system has ended is that of the whole machine."""
    numbers = itertools.count()
    monkeypatch.setattr(sandbox, "oom_kills", lambda: next(numbers))
    assert "no function build" in run(tmp_path, "x = 1", way=way)


def test_what_the_control_group_limits_is_said(tmp_path: Path) -> None:
    for way, words in {
        Protection(groups=tmp_path): "in a control group of at most 100 processes. ",
        Protection(memory=tmp_path): "in a control group of at most 4 GB of memory together. ",
        Protection(groups=tmp_path, memory=tmp_path): (
            "in a control group of at most 100 processes and 4 GB of memory together. "
        ),
    }.items():
        assert words in str(way)
        assert not way
    assert "control group" not in str(Protection())


NO_PROCESS = 999_999_999
"""A number that no process can have."""


@pytest.mark.long
@pytest.mark.parametrize("way", [way for way in WAYS if WAYS[way].groups])
def test_no_control_group_is_left(way: str, tmp_path: Path) -> None:
    run(tmp_path, "x = 1", way=way)
    groups = WAYS[way].groups
    assert groups is not None
    container = Path("/proc/self/ns/pid").stat().st_ino
    killed = groups / f"{OF_PROGRAM}{NO_PROCESS}-{container}-x"
    killed.mkdir()
    assert run(tmp_path, "x = 1", way=way)
    assert not list(groups.glob(f"{OF_PROGRAM}{os.getpid()}-*"))
    assert not killed.exists()


@pytest.mark.skipif(sys.platform != "linux", reason="control groups are those of Linux")
def test_a_control_group_of_another_container_stays(tmp_path: Path) -> None:
    """The processes of a container have numbers that mean others, or none, outside of it."""
    container = Path("/proc/self/ns/pid").stat().st_ino
    other, killed = (
        tmp_path / f"{OF_PROGRAM}{NO_PROCESS}-{one}-x" for one in (container + 1, container)
    )
    other.mkdir()
    killed.mkdir()
    with sandbox._group(tmp_path, {}) as own, sandbox._group(tmp_path, {}):
        assert own.is_dir()
    assert [one.name for one in tmp_path.iterdir()] == [other.name]
