"""The process that runs a submission: it calls its functions and writes their results to files.

    python -P -m calmip.course._child TASK

Before it runs the submission, it gives up its rights, limits itself and writes a byte to
stdout. A failure before that byte is the machine's fault.
"""

from __future__ import annotations

import contextlib
import ctypes
import hashlib
import itertools
import json
import math
import numbers
import os
import runpy
import signal
import sys
import time
import traceback
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

PR_SET_DUMPABLE = 4
PR_CAPBSET_DROP = 24
PR_SET_NO_NEW_PRIVS = 38
CAPABILITY_VERSION_3 = 0x20080522

LIMITED = {
    "RLIMIT_CPU": ("seconds", "processor time"),
    "RLIMIT_AS": ("bytes", "memory"),
    "RLIMIT_FSIZE": ("file", "the size of files"),
    "RLIMIT_NOFILE": ("descriptors", "open files"),
    "RLIMIT_NPROC": ("threads", "the number of processes"),
    "RLIMIT_CORE": ("core", ""),
}
"""The system's limits: for each the key of its number in the task, and what it limits."""


KILL_MARGIN_SECONDS = 5
"""Seconds after which the system ends a program that ignores its limit of processor time. Its
first signal, unlike this one, is never that of a lack of memory."""


def main(task_file: str) -> None:
    """Do the task; write ``error.json`` if the submission raises anything.

    The last word, which also a full disk takes, goes to stderr: what was handed over, or what
    this machine lacked.
    """
    tell, word = os.dup(1), os.dup(2)
    os.dup2(2, 1)
    folder = Path.cwd()
    task = json.loads(Path(task_file).read_text(encoding="utf-8"))
    _drop_rights(task["user"])
    Path(task_file).unlink()  # it holds answers
    for library in (os.__file__, __file__):  # another user may not be able to import anything
        Path(library).read_bytes()
    import calmip.course.machine  # noqa: F401 - now, as later the machine may lack something

    if task["library"] == "pulp":
        import pulp  # noqa: F401 - here, so that the submission is not charged for it
    held = limit({"descriptors": 256, "core": 0, **task["limits"]})
    if task["job"] == "nothing":
        (folder / "held.json").write_text(json.dumps(held), encoding="utf-8")
    os.write(tell, b".")
    os.close(tell)
    if task["job"] == "nothing":
        return
    try:
        names = runpy.run_path(task["submission"], run_name="submission")
        JOBS[task["job"]](names, task, folder)
        (folder / "done").touch()
        data = {name: (folder / name).read_bytes() for name in task["names"]}
        digests = {name: hashlib.sha256(one).hexdigest() for name, one in data.items()}
        _say(word, task, "handed", json.dumps(digests))
    except BaseException as error:  # any error is the submission's, or this machine's
        try:
            text = _own_fault(error, task)
        except Lacked as lacked:
            _say(word, task, "lacked", str(lacked))
        else:
            (folder / "error.json").write_text(json.dumps(text), encoding="utf-8")
        os._exit(1)
    os._exit(0)


class Lacked(BaseException):
    """What this machine lacked; a submission's ``except Exception`` does not catch it."""


def _own_fault(error: BaseException, task: dict[str, Any]) -> str:
    """Return the error of a submission in words; raise `Lacked` for one of this machine."""
    from calmip.course.machine import fault_of_machine

    if isinstance(error, Lacked):
        raise error
    if lacked := fault_of_machine(error, limited=True):
        raise Lacked(lacked) from error
    return _describe(error, task)


def _say(word: int, task: dict[str, Any], kind: str, text: str) -> None:
    """Write a line beside the submission's output, in one piece."""
    with contextlib.suppress(OSError):  # the submission may have closed all files
        os.write(word, f"\n{task['secret']} {kind} {text}\n".encode())


def limit(most: dict[str, int | None]) -> list[str]:
    """Limit this process and its children by all numbers given; return what the system limits.

    A system that lacks a limit, or refuses it, keeps the others. Windows has none.
    """
    try:
        import resource
    except ImportError:
        return []
    held = []
    for name, (key, what) in LIMITED.items():
        number, wanted = getattr(resource, name, None), most[key]
        if number is None or wanted is None:
            continue
        with contextlib.suppress(OSError, ValueError):  # current macOS refuses RLIMIT_AS
            hard = resource.getrlimit(number)[1]
            if key == "seconds":  # the start is not counted
                wanted += math.ceil(time.process_time())
            most_hard = wanted + (KILL_MARGIN_SECONDS if key == "seconds" else 0)
            if hard != resource.RLIM_INFINITY:
                wanted, most_hard = min(wanted, hard), min(most_hard, hard)
            resource.setrlimit(number, (wanted, most_hard))
            # Older macOS accepts the memory limit, and does not enforce it.
            unheld = sys.platform == "darwin" and name == "RLIMIT_AS"
            held += [what] if what and not unheld else []
    return held


def _drop_rights(user: int | None) -> None:
    """Switch to a separate user, or drop the privileges of root's process."""
    if sys.platform != "linux":
        return
    libc = ctypes.CDLL(None)
    if user is not None:
        os.setgroups([])
        os.setgid(user)
        os.setuid(user)
        libc.prctl(PR_SET_DUMPABLE, 1, 0, 0, 0)  # else its own /proc/self belongs to root
    elif os.geteuid() == 0:  # so that it does not reach its parent's descriptors
        for capability in range(64):
            libc.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0)
        header = (ctypes.c_uint32 * 2)(CAPABILITY_VERSION_3, 0)
        none = (ctypes.c_uint32 * 6)()
        libc.capset(ctypes.byref(header), ctypes.byref(none))
    libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)


def _function(names: dict[str, Any], name: str) -> Callable[..., Any]:
    found = names.get(name)
    if not callable(found):
        raise TypeError(f"the file has no function {name}")
    return found  # type: ignore[no-any-return]


def _describe(error: BaseException, task: dict[str, Any]) -> str:
    """Return an error with the last line of the submission in its traceback."""
    place = ""
    for frame in traceback.extract_tb(error.__traceback__):
        if frame.filename == task["submission"]:
            place = f" (line {frame.lineno})"
    return f"{type(error).__name__}: {error}{place}"[:1000]


def _models(names: dict[str, Any], task: dict[str, Any], folder: Path) -> None:
    """Write the model of every data set as MPS with its names, or the error that it raises.

    Without data in the task, those of the file are written with the models.
    """
    build = _function(names, "build")
    sets = task["data"]
    if sets is None:
        # As JSON, so that every program gets the same data.
        sets = json.loads(json.dumps(_data_sets(names), allow_nan=False))
    models: list[Any] = []
    for _, given in sets:
        try:
            models.append(_plain_model(build(*given)))
        except Exception as error:
            models.append(_own_fault(error, task))
    title = str(names.get("__doc__") or "").strip().partition("\n")[0][:200]
    found = {"data": sets, "models": models, "title": title}
    (folder / "models.json").write_text(json.dumps(found), encoding="utf-8")


def _data_sets(names: dict[str, Any]) -> list[tuple[str, list[Any]]]:
    """Return the name of each data set of a file and the arguments of ``build``."""
    found = names.get("DATA")
    if found is None:
        return [("", [])]
    if isinstance(found, dict):
        return [(str(name), [data]) for name, data in found.items()]
    return [(str(number), [data]) for number, data in enumerate(found, start=1)]


def _plain_model(problem: Any) -> dict[str, Any]:
    """Return a model as the text of an MPS file, and its names by those of the file."""
    from calmip.mip.files.mps import mps_text
    from calmip.mip.files.objects import portable_names, read_object

    model = read_object(problem)
    if model is None:
        raise TypeError(f"build returned {type(problem).__name__}, not a model")
    columns, rows = portable_names(model.columns, "x"), portable_names(model.rows, "r")
    text = mps_text(model.changed(columns=tuple(columns), rows=tuple(rows), name="model"))
    return {
        "mps": text,
        "maximise": model.maximise,
        "columns": dict(zip(columns, model.columns, strict=True)),
        "rows": dict(zip(rows, model.rows, strict=True)),
    }


def _cuts(names: dict[str, Any], task: dict[str, Any], folder: Path) -> None:
    """Write the cut that the function makes of every tiling, or the error that it raises."""
    found: Any
    try:
        cut = _function(names, "no_good_cut")
        found = [
            [_cut_of(cut(list(tiling)), "no_good_cut") for tiling in tilings]
            for tilings in task["tilings"]
        ]
    except Exception as error:
        found = _own_fault(error, task)
    (folder / "cuts.json").write_text(json.dumps({"cuts": found}), encoding="utf-8")


def _cut_of(cut: Any, name: str) -> list[Any]:
    try:
        placements, most = cut
        names = [str(placement) for placement in placements]
    except (TypeError, ValueError):
        raise TypeError(f"{name} returned {cut!r}, not a pair (placements, most)") from None
    if isinstance(most, bool) or not isinstance(most, numbers.Real):
        raise TypeError(f"{name} allows {most!r} placements, which is not a number")
    if not math.isfinite(most):
        raise ValueError(f"{name} allows {most!r} placements, which is not a finite number")
    return [names, float(most)]


MAX_CALLS_PER_TILING, MAX_LOOP_CPU_SECONDS = 10, 1.0
"""A loop with more calls of ``solve`` per tiling, or more seconds of processor time, is endless.
A correct loop needs a call per tiling and one more, and milliseconds."""


class Endless(BaseException):
    """A loop is endless; a submission's ``except Exception`` does not catch it."""


@contextlib.contextmanager
def _end_after(seconds: float) -> Iterator[None]:
    """Raise `Endless` after seconds of processor time; on Windows the warden's clock ends it."""
    if sys.platform == "win32":
        yield
        return

    def end(*_: object) -> None:
        raise Endless

    signal.signal(signal.SIGPROF, end)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def _lists(names: dict[str, Any], task: dict[str, Any], folder: Path) -> None:
    """Write the tilings that the submission lists; of an endless loop its last answers.

    The loop calls a right ``no_good_cut``, so that a wrong one costs its own marks alone.
    """
    enumerate_all = _function(names, "enumerate_all")
    getattr(enumerate_all, "__globals__", {})["no_good_cut"] = lambda tiling: (
        list(tiling),
        len(tiling) - 1,
    )
    found: dict[str, Any] = {"lists": [], "endless": None}
    for tilings in task["tilings"]:
        answers: list[list[str] | None] = []
        most = MAX_CALLS_PER_TILING * len(tilings)
        try:
            with _end_after(MAX_LOOP_CPU_SECONDS):
                listed = enumerate_all(_oracle(tilings, answers, most))
                if not isinstance(listed, Iterable):
                    raise TypeError(
                        f"enumerate_all returned {type(listed).__name__}, not a list of tilings"
                    )
                plain = [_plain(tiling) for tiling in itertools.islice(listed, most)]
        except Endless:
            found["endless"] = {"calls": len(answers), "answers": answers[-2:]}
            break
        found["lists"].append(plain)
    (folder / "lists.json").write_text(json.dumps(found), encoding="utf-8")


def _pricing(names: dict[str, Any], task: dict[str, Any], folder: Path) -> None:
    """Write what the functions of exercise 11 answer to every question, or the error raised."""
    found: dict[str, Any] = {}
    for kind in ("price", "bound", "may_stop", "start"):
        try:
            function = _function(names, kind)
            found[kind] = [
                _answer_of(function(*map(_numbers, question))) for question in task[kind]
            ]
        except Exception as error:
            found[kind] = _own_fault(error, task)
    (folder / "pricing.json").write_text(json.dumps(found), encoding="utf-8")


def _numbers(given: Any) -> Any:
    """Return data with the fractions that JSON has as text, which begins with ``=``."""
    if isinstance(given, dict):
        return {key: _numbers(value) for key, value in given.items()}
    if isinstance(given, list):
        return list(map(_numbers, given))
    return Fraction(given[1:]) if isinstance(given, str) and given.startswith("=") else given


def _answer_of(answer: Any) -> Any:
    """Return None, a truth value or text as it is, a number as text, and a list of names."""
    if isinstance(answer, (list, tuple, set)):
        return [str(name) for name in answer]
    if answer is None or isinstance(answer, (bool, str)):
        return answer
    if isinstance(answer, (int, float, Fraction)) and math.isfinite(answer):
        return f"={Fraction(answer)}"
    raise TypeError(
        f"the answer {answer!r} is neither a number nor a name, list, truth value or None"
    )


def _columns(names: dict[str, Any], task: dict[str, Any], folder: Path) -> None:
    """Write the columns that the submission generates, or that its loop does not end."""
    generate = _function(names, "generate")
    found: dict[str, Any] = {"columns": [], "endless": False}
    for placements, value in task["boards"]:
        try:
            with _end_after(task["seconds"]):
                listed = generate(_master(placements, value), placements, value)
                found["columns"].append([str(name) for name in listed])
        except Endless:
            found["endless"] = True
            break
    (folder / "columns.json").write_text(json.dumps(found), encoding="utf-8")


def _master(
    placements: dict[str, Any], value: dict[str, int]
) -> Callable[[Any], tuple[Fraction, dict[str, Fraction]]]:
    """Return a solver of the restricted master: it takes columns, and gives value and prices."""
    from array import array

    from calmip.mip.lp.exact_lp import ExactLp
    from calmip.mip.model import Model

    rows = sorted({row for used in placements.values() for row in used})
    calls = itertools.count()

    def solve(columns: Any) -> tuple[Fraction, dict[str, Fraction]]:
        if next(calls) > len(placements):
            raise Endless
        chosen = list(dict.fromkeys(columns))
        for name in chosen:
            if name not in placements:
                raise ValueError(f"solve has no placement {name!r}")
        if not chosen:
            return Fraction(0), dict.fromkeys(rows, Fraction(0))
        terms = [
            (
                row,
                {n: 1.0 for n, name in enumerate(chosen) if row in placements[name]},
                -math.inf,
                1.0,
            )
            for row in rows
        ]
        model = Model.from_rows(
            chosen,
            terms,
            [-float(value[name]) for name in chosen],
            maximise=True,
            column_upper=array("d", [math.inf]) * len(chosen),
        )
        answer = ExactLp(model, range(len(chosen))).solve()
        prices = {row: -Fraction(answer.prices.get(n, 0)) for n, row in enumerate(rows)}
        return -Fraction(answer.cost or 0), prices

    return solve


def _plain(tiling: Any) -> list[str] | str:
    if isinstance(tiling, (list, tuple, set, frozenset)):
        return [str(name) for name in tiling]
    return str(tiling)[:200]


def _oracle(
    tilings: list[list[str]], answers: list[list[str] | None], most: int
) -> Callable[[Any], list[str] | None]:
    """Return a solver: it takes cuts and gives a tiling that satisfies them, or None."""

    def solve(cuts: Any = ()) -> list[str] | None:
        if len(answers) >= most:
            raise Endless
        checked = [_cut_of(cut, "the list of cuts") for cut in cuts]
        satisfying = (
            tiling
            for tiling in tilings
            if all(len(set(tiling) & set(names)) <= bound for names, bound in checked)
        )
        answers.append(next(satisfying, None))
        return None if answers[-1] is None else list(answers[-1])

    return solve


JOBS: dict[str, Callable[[dict[str, Any], dict[str, Any], Path], None]] = {
    "models": _models,
    "cuts": _cuts,
    "lists": _lists,
    "pricing": _pricing,
    "columns": _columns,
}

if __name__ == "__main__":
    main(sys.argv[1])
