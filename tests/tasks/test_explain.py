"""Conflicts named by ``calmip explain``, in words and as data."""

from __future__ import annotations

import json

import pytest

from calmip.cli import main


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    code = main(("explain", *arguments))
    out, err = capsys.readouterr()
    assert err == ""
    return code, out


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    code, out = run(capsys, "a-puzzle-a-day", "--reveal", "22,24")
    assert code == 0
    assert "| [23] |" in out
    assert "22 24: there is no tiling; 3 equations of 49 cannot hold together:" in out
    assert "covered once: 23, 29, 31" in out
    assert "without any one of them the others can hold" in out
    assert "  +1  c_60 c_62" in out
    assert "the right-hand side is 1 (verified in whole numbers)" in out
    code, out = run(capsys, "instances/dead-corner.yaml")
    assert code == 0
    assert "| [Jan] |" in out
    assert "one equation of 49 cannot hold:" in out
    code, out = run(capsys, "instances/feb29.yaml")
    assert (code, out) == (1, "Feb 29: there is a tiling, so nothing to explain\n")
    code, out = run(capsys, "instances/chessboard.yaml", "--tries", "1")
    assert "used 7 times: I2 and those equal to it" in out


def test_json(capsys: pytest.CaptureFixture[str]) -> None:
    code, out = run(capsys, "a-puzzle-a-day", "--reveal", "22,24", "--format", "json")
    found = json.loads(out)
    assert code == 0
    assert list(found) == ["instance", "status", "columns", "rows", "conflict", "certificate"]
    assert (found["status"], found["rows"]) == ("infeasible", 49)
    assert found["conflict"]["cells"] == [[5, 1], [6, 0], [6, 2]]
    assert found["conflict"]["irreducible"]
    assert found["certificate"] == {
        "value": "1",
        "multipliers": {"c_51": "-1", "c_60": "1", "c_62": "1"},
    }
    code, out = run(capsys, "instances/feb29.yaml", "--format", "json")
    found = json.loads(out)
    assert (code, found["status"], found["conflict"]) == (1, "feasible", None)


def test_a_dead_position_on_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    code, out = run(capsys, "a-puzzle-a-day", "--reveal", "Feb,29", "--placed",
                    "U:Apr+Jun+Oct+Nov+Dec")  # fmt: skip
    assert code == 0
    assert "Feb 29 with U placed: there is no tiling; one equation" in out
    assert "covered once: May" in out
