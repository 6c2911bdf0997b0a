"""The program as a user meets it."""

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from processes import HANG_SECONDS

import calmip
from calmip.cli import main
from calmip.puzzle.documents.reader import bundled_puzzles
from calmip.solvers import SOLVERS

Run = tuple[int, str, str]


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> Run:
    code = main(arguments)
    out, err = capsys.readouterr()
    return code, out, err


def program(*arguments: str, **settings: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "calmip", *arguments]
    return subprocess.run(
        command, capture_output=True, text=True, timeout=HANG_SECONDS, check=False, **settings
    )


@pytest.mark.long
def test_the_main_job() -> None:
    done = program("solve", "instances/feb29.yaml")
    assert (done.returncode, done.stderr) == (0, "")
    assert "| Feb |" in done.stdout
    assert "|  29 |" in done.stdout
    assert re.fullmatch(
        r"Feb 29: tiling found and verified \(highs, [\d.]+ s\)", done.stdout.splitlines()[-1]
    )
    assert done.stdout.isascii()
    assert "\x1b" not in done.stdout


@pytest.mark.long
def test_the_sizes_of_the_model_appear_with_verbose() -> None:
    done = program("solve", "instances/feb29.yaml", "-v")
    assert done.stderr.endswith("matrix: 872 columns x 49 rows, 598 columns after reduction\n")
    assert "columns" not in done.stdout


@pytest.mark.parametrize(
    ("name", "code"),
    [
        (path.stem, int(path.stem in ("chessboard", "dead-corner", "no-flip-dec29")))
        for path in sorted(Path("instances").glob("*.yaml"))
    ],
)
def test_every_instance_has_its_exit_code(
    capsys: pytest.CaptureFixture[str], name: str, code: int
) -> None:
    found, out, err = run(capsys, "solve", f"instances/{name}.yaml")
    assert (found, err) == (code, "")
    assert ("there is no tiling" in out) == bool(code)


def test_json_is_the_documented_form(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(
        capsys, "solve", "a-puzzle-a-day", "--reveal", "month=Feb,day=29", "--format", "json"
    )
    found = json.loads(out)
    assert (code, err) == (0, "")
    assert list(found) == [
        "instance",
        "status",
        "complete",
        "detail",
        "solver",
        "found_by",
        "formulation",
        "columns",
        "reduced",
        "rows",
        "seconds",
        "tilings",
    ]
    assert (found["found_by"], found["reduced"]) == ("highs", 598)
    assert (found["columns"], found["rows"]) == (872, 49)
    assert (found["status"], found["complete"]) == ("feasible", False)
    (tiling,) = found["tilings"]
    assert tiling["reveal"] == {"month": "Feb", "day": "29"}
    cells = [tuple(cell) for p in tiling["placements"] for cell in p["cells"]]
    assert len(cells) == len(set(cells)) == 41
    assert not {(0, 1), (6, 0)} & set(cells)


def test_json_of_an_impossible_instance(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "solve", "instances/dead-corner.yaml", "--format", "json")
    found = json.loads(out)
    assert (code, found["status"], found["complete"]) == (1, "infeasible", True)
    assert found["tilings"] == []
    assert found["instance"]["reveal"] == {"labels": ["Jul", "Feb"]}


def test_same_seed_same_answer(capsys: pytest.CaptureFixture[str]) -> None:
    texts = {
        json.dumps(
            json.loads(
                run(
                    capsys,
                    "solve",
                    "a-puzzle-a-day",
                    "--reveal",
                    "Jan,25",
                    "--seed",
                    "7",
                    "--format",
                    "json",
                )[1]
            )["tilings"]
        )
        for _ in range(2)
    }
    assert len(texts) == 1


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["solve"], 2, "Missing argument 'INSTANCE'"),
        (["nosuch"], 2, "No such command 'nosuch'"),
        (["solve", "nosuch.yaml"], 2, "no such file or bundled puzzle"),
        (["solve", "a-puzzle-a-day"], 2, "--date today"),
        (["solve", "a-puzzle-a-day", "--date", "2026-02-30"], 2, "is not a date"),
        (["solve", "a-puzzle-a-day", "--reveal", "Feb"], 2, "no day is revealed"),
        (["solve", "a-puzzle-a-day", "--reveal", "Feb,x\x1b[31m"], 2, "x\\x1b[31m"),
        (["solve", "instances/tiny.yaml", "--time-limit", "0"], 2, "above 0"),
        (["solve", "instances/tiny.yaml", "--time-limit", "-3"], 2, "above 0"),
        (["solve", "instances/tiny.yaml", "--solver", "x"], 2, "'highs', 'cbc', 'scip', 'glpk'"),
        (["solve", "instances/tiny.yaml", "-o", "/nosuch/x"], 2, "/nosuch"),
        (["enumerate", "instances/tiny.yaml", "--limit", "0"], 2, "from 1 on"),
        (["enumerate", "instances/tiny.yaml", "--method", "magic"], 2, "'one-tree'"),
        (["puzzles", "nosuch"], 2, "no such file or bundled puzzle"),
    ],
)
def test_wrong_usage_is_one_clear_line(
    capsys: pytest.CaptureFixture[str], arguments: list[str], code: int, message: str
) -> None:
    found, out, err = run(capsys, *arguments)
    assert (found, out) == (code, "")
    assert message in err
    assert err.startswith("calmip: error: ")
    assert err.count("\n") == 1
    assert "\x1b" not in err


def test_a_limit_that_comes_first(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(
        capsys,
        "solve",
        "kao-pentomino-8x8",
        "--time-limit",
        "0.001",
        "--reveal",
        "month=Jan,day=free,weekday=free",
    )
    assert code == 3
    assert "stopped before an answer" in out


def test_a_missing_solver(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CALMIP_CBC", "/nosuch/cbc")
    assert run(capsys, "solve", "instances/tiny.yaml", "--solver", "cbc")[0] == 4
    code, out, _ = run(capsys, "solvers")
    assert code == 0
    assert "/nosuch/cbc" in out


def test_output_quiet_and_verbose(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "out.txt"
    assert run(capsys, "solve", "instances/tiny.yaml", "-o", str(path)) == (
        0,
        "",
        f"wrote {path}\n",
    )
    assert "tiling found and verified" in path.read_text()
    assert list(tmp_path.iterdir()) == [path]
    assert run(capsys, "solve", "instances/tiny.yaml", "--quiet") == (0, "", "")
    code, out, err = run(capsys, "solve", "instances/tiny.yaml", "-v")
    assert code == 0
    assert "HiGHS" in err
    assert "HiGHS" not in out


def terminal(environment: dict[str, str]) -> str:
    master, slave = os.openpty()
    base = {k: v for k, v in os.environ.items() if k != "NO_COLOR"}
    with subprocess.Popen(
        [sys.executable, "-m", "calmip", "solve", "instances/tiny.yaml"],
        stdout=slave,
        env={**base, "TERM": "xterm-256color", "PYTHONUTF8": "1", **environment},
    ) as process:
        os.close(slave)
        data = b""
        try:
            while part := os.read(master, 65536):
                data += part
        except OSError:
            pass
        assert process.wait(timeout=HANG_SECONDS) == 0
    os.close(master)
    return data.decode()


@pytest.mark.long
def test_a_terminal_gets_colours_and_boxes_by_default() -> None:
    colourful = terminal({})
    assert "\x1b[38;5;16;48;5;" in colourful
    assert "┌" in colourful
    for plain in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
        text = terminal(plain)
        assert "\x1b" not in text
        assert text.isascii()


@pytest.mark.long
def test_closed_and_full_outputs_are_no_traceback() -> None:
    shell = f"{sys.executable} -m calmip solve instances/feb29.yaml"
    for tail in ("| head -1", "> /dev/full", ">&-"):
        done = subprocess.run(
            f"{shell} {tail}",
            shell=True,
            capture_output=True,
            text=True,
            timeout=HANG_SECONDS,
            check=False,
        )
        assert "Traceback" not in done.stderr
        assert "Exception ignored" not in done.stderr


def test_lists(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "solvers")
    assert code == 0
    for name in (*SOLVERS, "matrix", "pulp", "pyomo"):
        assert name in out
    code, out, _ = run(capsys, "puzzles")
    # What is too long for a line goes on below itself.
    names = [line.split()[0] for line in out.splitlines() if not line.startswith(" ")]
    assert names == list(bundled_puzzles())
    assert max(map(len, out.splitlines())) <= 80
    code, out, _ = run(capsys, "puzzles", "weekday-8x7")
    assert "Thu | Fri | Sat" in out
    assert "uncover: weekday, month, day" in out


@pytest.mark.parametrize("name", bundled_puzzles())
def test_a_puzzle_is_shown_in_eighty_columns(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    puzzle = calmip.read_puzzle(name)
    _, out, _ = run(capsys, "puzzles", name)
    assert max(map(len, out.splitlines())) <= 80
    # Lines are broken where they have a blank, and nothing is lost.
    words = " ".join(out.split())
    for text in (puzzle.note, *puzzle.sources):
        assert " ".join(text.split()) in words


@pytest.mark.parametrize("method", ["exact-cover", "one-tree", "no-good"])
def test_enumerate_says_complete(capsys: pytest.CaptureFixture[str], method: str) -> None:
    code, out, _ = run(capsys, "enumerate", "instances/tiny.yaml", "--method", method)
    assert code == 0
    assert "2 tilings, proved complete" in out
    code, out, err = run(
        capsys,
        "enumerate",
        "instances/tiny.yaml",
        "--method",
        method,
        "--limit",
        "1",
        "--format",
        "jsonl",
    )
    assert code == 3
    assert len(out.splitlines()) == 1
    assert "incomplete: solution limit reached" in err
    code, out, _ = run(
        capsys, "enumerate", "instances/no-flip-dec29.yaml", "--method", method, "--format", "json"
    )
    found = json.loads(out)
    assert (code, found["complete"], found["count"]) == (1, True, 0)


def test_a_terminal_shows_the_verdict_of_an_enumeration_once(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    _, out, err = run(capsys, "enumerate", "instances/tiny.yaml")
    assert (out + err).count("2 tilings, proved complete") == 1


def test_enumerate_into_a_file(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "all.jsonl"
    code, out, err = run(
        capsys, "enumerate", "instances/feb29.yaml", "--format", "jsonl", "-o", str(path)
    )
    assert (code, out) == (0, "")
    assert "64 tilings, proved complete" in err
    lines = path.read_text().splitlines()
    assert len(set(lines)) == 64
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.long
@pytest.mark.parametrize("formulation", ["matrix", "pulp", "pyomo"])
def test_export_solve_elsewhere_and_check(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, formulation: str
) -> None:
    import highspy

    model, answer = tmp_path / "feb29.mps", tmp_path / "feb29.sol"
    code, out, _ = run(
        capsys, "export", "instances/feb29.yaml", "-o", str(model), "--formulation", formulation
    )
    assert (code, out) == (0, "")
    highs = highspy.Highs()
    highs.setOptionValue("output_flag", False)
    highs.readModel(str(model))
    highs.run()
    highs.writeSolution(str(answer), 0)
    code, out, _ = run(capsys, "check", "instances/feb29.yaml", str(answer))
    assert code == 0
    assert "| Feb |" in out
    assert "verified: it is a tiling" in out
    code, out, err = run(capsys, "check", "instances/christmas.yaml", str(answer))
    assert (code, out) == (2, "")
    assert "is it the answer to another instance?" in err


def test_check_says_which_equation_fails(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    answer = tmp_path / "wrong.sol"
    answer.write_text("=obj= 0\ndom_a00 1\n")
    code, out, _ = run(capsys, "check", "instances/tiny.yaml", str(answer))
    assert code == 1
    assert "piece square is used 0 times instead of once" in out
    answer.write_text("=infeas=\n")
    assert run(capsys, "check", "instances/tiny.yaml", str(answer))[0] == 1
    assert run(capsys, "check", "instances/dead-corner.yaml", str(answer))[0] == 0
    answer.write_text("what is this")
    assert run(capsys, "check", "instances/tiny.yaml", str(answer))[0] == 2


@pytest.mark.long
def test_count_the_year(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "count", "a-puzzle-a-day", "--format", "json")
    found = json.loads(out)
    assert (code, found["total"], len(found["counts"])) == (0, 25061, 372)
    by_date = {(c["reveal"]["month"], c["reveal"]["day"]): c["tilings"] for c in found["counts"]}
    assert by_date["Feb", "29"] == 64
    _, out, _ = run(capsys, "count", "a-puzzle-a-day")
    assert "minimum 7: Oct 6" in out
    assert "maximum 216: Jan 25" in out
    _, out, _ = run(capsys, "count", "a-puzzle-a-day", "--format", "csv")
    assert out.splitlines()[0] == "month,day,tilings"
    assert "Dec,25,92" in out.splitlines()
    assert run(capsys, "count", "instances/dead-corner.yaml")[0] == 1


def test_count_any_two_cells(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "count", "a-puzzle-a-day", "--any-cells", "2")
    assert code == 0
    assert "total 59,787 in 903 choices" in out
    assert "maximum 305: Jan Jul" in out
    assert "impossible (7)" in out
    assert "unique (1): 6 12" in out


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_count_that_is_cut_short_gives_no_numbers(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, workers: str
) -> None:
    path = tmp_path / "counts.csv"
    code, out, err = run(
        capsys,
        "count",
        "weekday-8x7",
        "--time-limit",
        "0.01",
        "--workers",
        workers,
        "-o",
        str(path),
    )
    assert (code, out) == (3, "")
    assert err == "not all tilings were counted within 0.01 s: the number of tilings is unknown\n"
    assert list(tmp_path.iterdir()) == []


# The signal comes in the middle of the count, however long the rest of it takes.
IS_INTERRUPTED = """
import os, sys, threading
from calmip.cli import main
from calmip.mip.exact_cover.regions import Regions
forward, first = Regions._forward, threading.Lock()
def next_level(self, cell):
    if cell > 20 and first.acquire(blocking=False):
        os.kill(os.getpid(), {kind})
    return forward(self, cell)
Regions._forward = next_level
sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.long
@pytest.mark.parametrize(("workers", "kind"), [("1", signal.SIGTERM), ("2", signal.SIGINT)])
def test_an_interrupted_count_says_so(tmp_path: Path, workers: str, kind: signal.Signals) -> None:
    path = tmp_path / "counts.csv"
    command = [
        sys.executable,
        "-c",
        IS_INTERRUPTED.format(kind=int(kind)),
        "count",
        "weekday-8x7",
        "--workers",
        workers,
        "-o",
        str(path),
    ]
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=HANG_SECONDS, check=False
    )
    said = "interrupted: the count is not finished, so nothing is written\n"
    assert (done.returncode, done.stdout, done.stderr) == (130, "", said)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--any-cells", "3"], "so 2 stay uncovered, not 3"),
        (["--any-cells", "2", "--any-cells", "2"], "is given twice"),
        (["--any-cells", "2", "--date", "today"], "exclude each other"),
        (["--time-limit", "0"], "above 0"),
        (["--workers", "0"], "0 is not in the range"),
    ],
)
def test_wrong_counts_are_one_clear_line(
    capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    code, out, err = run(capsys, "count", "a-puzzle-a-day", *arguments)
    assert (code, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1


def test_a_mistyped_file_names_three_neighbours(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("model.lp", "modes.lp", "mode.lp", "models.lp", "model.mps", "other.lp"):
        (tmp_path / name).touch()
    assert main(["solve", "modle.lp"]) == 2
    said = capsys.readouterr().err
    assert said.startswith("calmip: error: modle.lp: no such file (did you mean mode")
    assert said.count(".lp") == 4
    assert "other" not in said
    assert ".mps" not in said
    assert main(["solve", "hex43-v2"]) == 2
    said = capsys.readouterr().err
    assert "did you mean hex43-v1" in said
    assert sum(said.count(name) for name in bundled_puzzles()) <= 3
    assert main(["solve", "qqqqqqqq"]) == 2
    said = capsys.readouterr().err
    assert "no such file or bundled puzzle; calmip puzzles lists those that are bundled" in said
