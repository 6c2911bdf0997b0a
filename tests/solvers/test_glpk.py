"""A glpsol that is missing, crashes or lies; the real one is in the shared tests."""

import sys
from pathlib import Path

import pytest

import calmip
from calmip import SolverFailed, SolverMissing
from calmip.puzzle.documents.reader import read_instance
from calmip.solvers import Limits
from calmip.solvers.programs import Glpk

TINY = "instances/tiny.yaml"
REAL = (Path(__file__).parents[1] / "data/solutions/tiny.glpk.txt").read_text()
"""What the real one wrote for this instance."""

ONES = [line for line in REAL.splitlines() if " *              1 " in line]


def fake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, body: str) -> Path:
    """Make a program that behaves as told and let it be the glpsol to use."""
    program = tmp_path / "glpsol"
    program.write_text(
        f"#!{sys.executable}\nimport os, sys, signal\nfrom pathlib import Path\n"
        f"answer = Path(sys.argv[sys.argv.index('-o') + 1]) if '-o' in sys.argv else None\n{body}\n"
    )
    program.chmod(0o755)
    monkeypatch.setenv("CALMIP_GLPSOL", str(program))
    return program


def writes(text: str) -> str:
    return f"answer.write_text({text!r})"


def with_status(status: str) -> str:
    return writes(REAL.replace("INTEGER OPTIMAL", status))


def solve_tiny() -> calmip.Solution:
    return calmip.solve(read_instance(TINY), solver="glpk", time_limit=100)


def test_the_real_file_has_a_tiling() -> None:
    assert len(ONES) == 2
    assert "INTEGER OPTIMAL" in REAL


@pytest.mark.parametrize(
    ("word", "status"),
    [
        ("INTEGER OPTIMAL", "feasible"),
        ("INTEGER NON-OPTIMAL", "feasible"),
        ("INTEGER UNDEFINED", "unknown"),
        ("A NEW WORD", "unknown"),
    ],
)
def test_its_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, word: str, status: str) -> None:
    fake(tmp_path, monkeypatch, with_status(word))
    assert solve_tiny().status == status


LIES = [
    ("exit(1)", "exit status 1"),
    ("print('MPS file processing error'); exit(1)", "exit status 1; its last line: 'MPS file"),
    ("os.kill(os.getpid(), signal.SIGSEGV)", "signal 11"),
    ("print('hello')", "wrote no solution file; its last line: 'hello'"),
    (writes(""), "cannot be read: is empty"),
    (writes("garbage"), "'garbage', which no known format does"),
    ("answer.write_bytes(bytes(range(256)))", "cannot be read"),
    (writes(REAL[: len(REAL) * 2 // 3]), "cut"),
    (with_status("INTEGER EMPTY"), "but there is a tiling"),
    (
        writes(REAL.replace(ONES[0], ONES[0].replace("* " + " " * 13 + "1 ", "*        0.4999 "))),
        "neither 0 nor 1",
    ),
    (
        writes(REAL.replace(ONES[0], ONES[0].replace("* " + " " * 13 + "1 ", "*           nan "))),
        "cannot be read",
    ),
    (
        writes(REAL.replace(ONES[0], ONES[0].replace("* " + " " * 13 + "1 ", "*             0 "))),
        "no placement",
    ),
    (writes(REAL.replace(" dom_", " rod_")), "not columns of this model"),
]


@pytest.mark.parametrize(("body", "message"), LIES, ids=[message for _, message in LIES])
def test_a_glpsol_that_fails_or_lies_is_not_believed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, body: str, message: str
) -> None:
    fake(tmp_path, monkeypatch, body)
    with pytest.raises(SolverFailed, match=message):
        solve_tiny()


def test_its_time_limit_is_in_whole_seconds() -> None:
    for seconds, said in ((0.001, "1"), (10.5, "11"), (1e12, "2147482")):
        words = Glpk().arguments(Path("tiny.mps"), Limits(seconds))
        assert words[words.index("--tmlim") + 1] == said


def test_where_glpsol_is_looked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said = "print('GLPSOL--GLPK LP/MIP Solver 5.0'); print('on its licence\\n' * 40)"
    program = fake(tmp_path, monkeypatch, said)
    assert Glpk().find() == str(program)
    assert Glpk().availability().version == "5.0"
    monkeypatch.setenv("CALMIP_GLPSOL", str(tmp_path / "nosuch"))
    with pytest.raises(SolverMissing, match="CALMIP_GLPSOL"):
        Glpk().find()
    monkeypatch.delenv("CALMIP_GLPSOL")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert Glpk().find() == str(program)
    monkeypatch.setenv("PATH", "")
    # Beside the interpreter, where the package of pip puts it.
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    assert Glpk().find() == str(program)
    program.unlink()
    with pytest.raises(SolverMissing, match="apt install glpk-utils, brew install glpk"):
        solve_tiny()
    assert Glpk().availability().found is None
