"""The command ``calmip prove``."""

from pathlib import Path
from typing import Any

import pytest

import calmip
from calmip._base.errors import InputError, ProofRefused
from calmip._base.limits import Limits
from calmip.cli import main
from calmip.mip.model import Model
from calmip.proofs import check_proofs
from calmip.proofs import prove as proofs
from calmip.proofs.check_tree import Refused
from calmip.proofs.prove import prove_dates
from calmip.puzzle.documents.reader import read_instance

INSTANCES = Path(__file__).parents[2] / "instances"
TINY = str(INSTANCES / "tiny.yaml")
MONTHS = "tests/data/two-months.yaml"
NOTHING = """\
puzzle:
  name: Two corners
  grid: ["a b", "c d"]
  pieces:
    P: ["##"]
reveal: [a, d]
"""


def test_prove_and_check(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "new" / "proof"
    assert main(["prove", TINY, "-o", str(folder)]) == 0
    output = capsys.readouterr()
    assert "2 tilings, and no others" in output.out
    assert "compare" not in output.err  # it is of this puzzle
    names = {path.name for path in folder.iterdir()}
    assert names == {"proof.json", "model.opb", "proof.pbp", "model.cnf", "proof.drat"}
    assert main(["prove", "check", str(folder)]) == 0
    output = capsys.readouterr()
    assert "the puzzle or model is the one in the folder" in output.err
    assert output.out.endswith("2 tilings, and no others (5 nodes)\n") or "nodes" in output.out
    assert main(["prove", "check", str(folder), TINY]) == 0
    assert main(["prove", "check", str(folder), TINY, "--no-flip"]) in (0, 4)
    capsys.readouterr()
    assert main(["prove", "check", str(folder), "a-puzzle-a-day", "--reveal", "Jan,1"]) == 4
    assert "is about another puzzle" in capsys.readouterr().err


def test_no_tiling(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "none.yaml"
    source.write_text(NOTHING)
    assert main(["prove", str(source), "-o", str(tmp_path / "p")]) == 1
    assert main(["prove", "check", str(tmp_path / "p"), str(source)]) == 1
    assert "no tiling" in capsys.readouterr().out
    assert (tmp_path / "p" / "proof.pbp").read_text().endswith("\nrup >= 1 ;\nc 4\n")
    call = ["prove", str(source), "-o", str(tmp_path / "p"), "--dialect", "3.0"]
    assert main(call) == 1
    assert "conclusion UNSAT" in (tmp_path / "p" / "proof.pbp").read_text()
    assert main(["prove", "check", str(tmp_path / "p")]) == 1


def test_what_was_not_checked_is_said_at_the_end(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["prove", TINY, "-o", str(tmp_path)]) == 0
    capsys.readouterr()
    assert main(["prove", "check", str(tmp_path)]) == 0
    *_, last = capsys.readouterr().out.splitlines()
    assert last.startswith("2 tilings, and no others (5 nodes); not checked: ")
    assert "each step of proof.pbp (run veripb)" in last
    for name in ("model.opb", "proof.pbp", "model.cnf", "proof.drat"):
        (tmp_path / name).unlink()
    assert main(["prove", "check", str(tmp_path)]) == 0
    *_, last = capsys.readouterr().out.splitlines()
    assert last == "2 tilings, and no others (5 nodes)"


def test_parts(tmp_path: Path) -> None:
    assert main(["prove", TINY, "-o", str(tmp_path), "--proofs", "tree,drat"]) == 0
    names = {path.name for path in tmp_path.iterdir()}
    assert names == {"proof.json", "model.cnf", "proof.drat"}


@pytest.mark.long
@pytest.mark.parametrize("workers", ["1", "2"])
def test_all_dates(
    workers: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert main(["prove", "dates", MONTHS, "--workers", workers]) == 0
    first = capsys.readouterr().out
    assert first.startswith("8 dates, each proof checked: ")
    out = ["prove", "dates", MONTHS, "-o", str(tmp_path / "year"), "--workers", workers]
    assert main(out) == 0
    assert capsys.readouterr().out == first
    files = sorted((tmp_path / "year").glob("*/proof.json"))
    assert len(files) == 8
    before = [path.stat().st_mtime_ns for path in files]
    files[3].unlink()
    assert main(out) == 0
    after = [path.stat().st_mtime_ns for path in files]
    assert [a != b for a, b in zip(before, after, strict=True)] == [n == 3 for n in range(8)]
    files[5].write_text(files[5].read_text().replace("[[", "[[[", 1))
    assert main(out) == 4


def test_a_count_that_disagrees_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from calmip.puzzle.search.exact_cover import counting

    found = counting.count_by_reveal

    def off_by_one(*arguments: object) -> dict[tuple[str, ...], int]:
        return {key: number + 1 for key, number in found(*arguments).items()}  # type: ignore[arg-type]

    monkeypatch.setattr(counting, "count_by_reveal", off_by_one)
    assert main(["prove", "dates", MONTHS]) == 4
    assert "but there are" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "Missing argument 'INSTANCE'"),
        ([TINY], "-o DIR"),
        (["check", "x", TINY, "--dialect", "1.1"], "--dialect is an option of calmip prove"),
        ([TINY, "-o", "x", "--dialect", "2.0"], "2.0"),
        (["dates", "a-puzzle-a-day", "--dialect", "3.0"], "is an option of calmip prove"),
        (["check", "nowhere", TINY], "cannot be read"),
        (["check", "x", "--reveal", "Jan,1"], "--reveal goes with an INSTANCE only"),
        (["dates", TINY, "--reveal", "Jan,1"], "is an option of calmip prove"),
        ([TINY, "-o", "x", "--proofs", "pie"], "pie"),
        (["dates", "a-puzzle-a-day", "--workers", "0"], "0 is not in the range"),
        (["dates", "a-puzzle-a-day", "-o", "x", "--proofs", "drat"], "add tree to the proofs"),
        (["a-puzzle-a-day", "-o", "x"], "reveal"),
    ],
)
def test_wrong_use(
    arguments: list[str],
    message: str,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["prove", *arguments]) == 2
    assert message in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_a_huge_file_is_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["prove", TINY, "-o", str(tmp_path), "--proofs", "tree"]) == 0
    monkeypatch.setattr(check_proofs, "MAX_BYTES", 10)
    assert main(["prove", "check", str(tmp_path)]) == 2
    assert "is not read" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"dialect": "9"}, "unknown version '9' of VeriPB's format; use "),
        ({"proofs": ["tree", "pdf"]}, "unknown format 'pdf' of a proof; use "),
    ],
)
def test_what_is_no_format_is_refused(given: Any, words: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=words):
        calmip.prove(read_instance(TINY), tmp_path, **given)
    assert not list(tmp_path.iterdir())


def test_the_proof_of_a_model_has_no_formats(tmp_path: Path) -> None:
    model = Model.from_rows(["x"], [("c", {0: 1.0}, 0.0, 1.0)])
    with pytest.raises(InputError, match=r"the proof of a model is proof\.json alone"):
        calmip.prove(model, tmp_path, proofs=["tree"])
    assert not list(tmp_path.iterdir())


def test_at_the_time_limit_a_proof_is_of_what_was_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def late(*_: object, **__: object) -> Any:
        raise TimeoutError

    monkeypatch.setattr(proofs, "_prove", late)
    model = Model.from_rows(["x"], [("c", {0: 1.0}, 0.0, 1.0)])
    for source, of_model in ((model, True), (read_instance(TINY), False)):
        found = calmip.prove(source, tmp_path)
        assert (found.tilings, found.stopped, found.of_model) == (None, "time", of_model)


def test_a_date_is_refused_if_its_tree_holds_for_another_number(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    instance = read_instance(TINY)
    assert proofs._prove_date(instance, None, (), Limits()).tilings == 2
    monkeypatch.setattr(proofs, "check", lambda _: 10**6)
    with pytest.raises(ProofRefused, match=f"{instance.name}: 1000000 tilings are proved"):
        proofs._prove_date(instance, None, (), Limits())

    def refuse(_: Any) -> int:
        raise Refused("a piece is missing")

    monkeypatch.setattr(proofs, "check", refuse)
    with pytest.raises(ProofRefused, match=f"{instance.name}: a piece is missing"):
        proofs._prove_date(instance, None, (), Limits())


@pytest.mark.slow
def test_a_year() -> None:
    proof = prove_dates(read_instance("a-puzzle-a-day", free=True).puzzle)
    assert proof.dates is not None
    assert len(proof.dates) == 366
    assert proof.tilings == sum(proof.dates.values()) == 24_405
