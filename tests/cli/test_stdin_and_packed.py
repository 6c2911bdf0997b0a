"""Files from a pipe, as ``-``, and files that gzip, bzip2 or xz have packed."""

import bz2
import gzip
import io
import json
import lzma
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import calmip
from calmip._base.errors import InputError
from calmip.cli import main
from calmip.cli._stdin import without_folder
from calmip.mip.files.model_files import kind_of_text
from calmip.mip.files.text_source import TextFile, read_source

LP = "\\ a comment\nMinimize\n o: x + 2 y\nSubject To\n c: x + y >= 1\nBinaries\n x y\nEnd\n"
MPS = (
    "* a comment\nNAME m\nROWS\n N o\n G c\nCOLUMNS\n x o 1 c 1\n y o 2 c 1\nRHS\n R c 1\nBOUNDS\n"
    " BV B x\n BV B y\nENDATA\n"
)
OPB = "* #variable= 2 #constraint= 1\n* x1 = x\nmin: +1 x1 +2 x2 ;\n+1 x1 +1 x2 >= 1 ;\n"
CNF = "c 1 = x\np cnf 2 1\n1 2 0\n"
STORED = Path("tests/data/solutions")
YAML = Path("instances/tiny.yaml").read_text(encoding="utf-8")
PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "": bytes,
    ".gz": gzip.compress,
    ".bz2": bz2.compress,
    ".xz": lzma.compress,
}


def feed(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))


@pytest.mark.parametrize("packed", PACKERS)
@pytest.mark.parametrize("text", [LP, MPS, OPB, CNF], ids=["lp", "mps", "opb", "cnf"])
def test_a_model_comes_through_a_pipe(
    text: str,
    packed: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    data = PACKERS[packed](text.encode())
    for words, wanted in {
        ("count", "-"): "3 solutions, proved complete",
        ("solve", "-", "--solver", "highs"): "x",
        ("enumerate", "-", "--format", "csv"): "x",
        ("export", "-", "-o", str(tmp_path / "m.mps")): "2 columns",
        ("relax", "-"): "the linear relaxation",
        ("tree", "-"): "1 node",
        ("explain", "-"): "",
    }.items():
        feed(monkeypatch, data)
        assert main(list(words)) in (0, 1)
        found = capsys.readouterr()
        assert wanted in found.out + found.err


@pytest.mark.parametrize("packed", PACKERS)
def test_an_answer_or_a_second_model_comes_through_a_pipe(
    packed: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    model = tmp_path / f"m.lp{packed}"
    model.write_bytes(PACKERS[packed](LP.encode()))
    for text, code in {
        "x 1\n": 0,
        "y 0\nx 0.0\n": 1,
        "# Objective value = 1\nx 1\ny 0\n": 0,
    }.items():
        feed(monkeypatch, PACKERS[packed](text.encode()))
        assert main(["check", str(model), "-"]) == code
    (tmp_path / "a.sol").write_text("x 1\n")
    feed(monkeypatch, PACKERS[packed](MPS.encode()))
    assert main(["check", "-", str(tmp_path / "a.sol")]) == 0
    feed(monkeypatch, PACKERS[packed](MPS.encode()))
    assert main(["compare", str(model), "-"]) == 0
    assert "the same feasible set and the same objective" in capsys.readouterr().out
    feed(monkeypatch, b"x 1\n")
    assert main(["check", "-", "-"]) == 2
    assert "stdin is one file" in capsys.readouterr().err


def test_an_instance_comes_through_a_pipe(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for command in ("solve", "count", "enumerate", "puzzles"):
        feed(monkeypatch, YAML.encode())
        code = main([command, "-"])
        found = capsys.readouterr()
        assert code in ((0, 2) if command == "puzzles" else (0,)), found.err
        assert "stdin" not in found.err


@pytest.mark.parametrize("answer", sorted(STORED.glob("tiny.*")), ids=lambda path: path.name)
def test_an_answer_of_any_program_comes_through_a_pipe(
    answer: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """None needs the suffix that its file has."""
    code = main(["check", "tiny", str(answer)])
    wanted = capsys.readouterr().out.replace(str(answer), "stdin.sol")
    feed(monkeypatch, answer.read_bytes())
    assert main(["check", "tiny", "-"]) == code
    assert capsys.readouterr().out == wanted
    feed(monkeypatch, answer.read_bytes())
    assert main(["check", "tiny", "-", "--suffix", answer.suffix]) == code
    assert capsys.readouterr().out == wanted.replace("stdin.sol", f"stdin{answer.suffix}")


def test_answers_are_no_models() -> None:
    """Some begin as a model does."""
    answers = [one for one in STORED.iterdir() if one.suffix != ".md"]
    assert len(answers) > 40
    for path in answers:
        assert kind_of_text(read_source(path), whole=True) in ("", ".yaml")
    for text in (LP, MPS, OPB, CNF):
        source = TextFile("-", tuple(text.split("\n")))
        assert kind_of_text(source, whole=True) == kind_of_text(source) != ""


def test_names_of_columns_make_no_model_of_an_answer(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    model = tmp_path / "m.lp"
    model.write_text("Maximize\n o: max + ROWS\nSubject To\n c: max + ROWS <= 2\nEnd\n")
    for text, code in {
        "max 2\n": 0,
        "ROWS 2\n": 0,
        "NAME m\n C max 1\n C ROWS 1\nENDATA\n": 0,
        "max 3\n": 1,
        "NAME 2\n": 2,
    }.items():
        feed(monkeypatch, text.encode())
        assert main(["check", str(model), "-"]) == code
        assert str(tmp_path) not in capsys.readouterr().out


def test_a_suffix_says_what_stdin_is(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "tiny.dlx"
    assert main(["export", "tiny", "-o", str(path)]) == 0
    for suffix, code, words in [
        (".dlx", 0, "2 solutions, proved complete"),
        ("", 2, "-: is of no known kind"),
        ("dlx", 2, "--suffix: 'dlx' is unknown; use one of .mps, "),
        (".mp", 2, "--suffix: '.mp' is unknown; use one of .mps, "),
        (".mps", 2, "-:1: found"),
    ]:
        feed(monkeypatch, path.read_bytes())
        assert main(["count", "-", *(["--suffix", suffix] if suffix else [])]) == code
        found = capsys.readouterr()
        assert words in found.out + found.err
    assert main(["count", str(path), "--suffix", ".dlx"]) == 2
    assert "--suffix is that of stdin (-) only" in capsys.readouterr().err


def test_a_model_or_a_puzzle_alone_comes_through_a_pipe(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for words in (["check", "-"], ["check", "file", "-"]):
        feed(monkeypatch, LP.encode())
        assert main(words) == 0
        assert capsys.readouterr().out == "stdin.lp: programs read it alike\n"
    puzzle = Path("calmip/puzzles/heart-set1.yaml").read_bytes()
    for words in (
        ["puzzles", "-", "--format", "json"],
        ["hint", "-", "--date", "2024-02-29"],
        ["play", "-", "-o", "-"],
    ):
        feed(monkeypatch, puzzle)
        assert main(words) == 0
        found = capsys.readouterr().out
        assert "Heart board" in found or "can be solved" in found
        assert "scratch" not in found


@pytest.mark.parametrize("words", ["solve", "enumerate", "count", "explain", "relax", "tree"])
@pytest.mark.parametrize("text", [LP, YAML], ids=["lp", "yaml"])
def test_no_result_shows_where_the_copy_of_stdin_was(
    words: str,
    text: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    path = tmp_path / "result.json"
    for output in (["--format", "json"], ["-o", str(path)]):
        feed(monkeypatch, text.encode())
        assert main([words, "-", *output]) in (0, 1)
    found = capsys.readouterr()
    for shown in (found.out, found.err, path.read_text(encoding="utf-8")):
        assert "scratch" not in shown
    assert '"stdin' in found.out


def test_the_folder_of_the_copy_is_found_as_json_escapes_it() -> None:
    for path in ("/tmp/s/", "C:\\s\\"):
        for name in (f"{path}stdin.lp", json.dumps(f"{path}stdin.lp")):
            assert without_folder(name.encode(), path).strip(b'"') == b"stdin.lp"
    assert without_folder(b"/tmp/s/stdin.lp", "") == b"/tmp/s/stdin.lp"


@pytest.mark.parametrize("command", ["compare", "hint"])
def test_a_model_where_a_puzzle_is_expected_is_named(
    command: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for text, suffix in {LP: ".lp", MPS: ".mps", OPB: ".opb", CNF: ".cnf"}.items():
        feed(monkeypatch, text.encode())
        assert main([command, "-"]) == 2
        said = capsys.readouterr().err
        assert f"-: is a model ({suffix}), not a puzzle or an instance" in said
        assert "calmip compare A B" in said
    for text in ("puzzle: [", "maximal: 3\n", "min: 3\n", "\xff"):
        feed(monkeypatch, text.encode("latin-1"))
        assert main([command, "-"]) == 2
        assert "model" not in capsys.readouterr().err, text


def test_what_a_pipe_holds_is_named_in_errors(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for data, words in {
        b"": "-: is empty",
        b"Minimize\n o: x\nSubject To\n c: x >= y\nEnd\n": "-:4: found 'y', not a number",
        b"hello\n": "-: is of no known kind",
        b"\x1f\x8bnothing": "-: is not a valid gzip file",
        b"BZh9nothing": "-: is not a valid bzip2 file",
        b"\xfd7zXZ\0nothing": "-: is not a valid xz file",
        LP.encode("utf-16"): "-:1: is not UTF-8 text",
    }.items():
        feed(monkeypatch, data)
        assert main(["solve", "-"]) == 2
        assert words in capsys.readouterr().err
    monkeypatch.setattr(sys, "stdin", None)
    assert main(["solve", "-"]) == 2
    assert "-: is empty" in capsys.readouterr().err


def test_kinds_are_distinguished() -> None:
    for kind, text in {
        ".lp": "max: x\nst\nc: x <= 1\nend",
        ".opb": "max: +1 x1\n +2 x2 ;\n+1 x1 >= 1 ;",
        ".mps": "*comment\n\nROWS",
        ".cnf": "c p\nc max: 1\np  cnf 1 1\n1 0",
        ".yaml": "# a puzzle\npuzzle: tiny\n",
        "": "x 1\n",
    }.items():
        assert kind_of_text(TextFile("-", tuple(text.split("\n")))) == kind


@pytest.mark.long
@pytest.mark.parametrize("packed", [one for one in PACKERS if one])
def test_packed_files_are_read_in_parts_and_within_bounds(packed: str, tmp_path: Path) -> None:
    pack = PACKERS[packed]
    path = tmp_path / f"m.lp{packed}"
    half = len(LP) // 2
    path.write_bytes(pack(LP[:half].encode()) + pack(LP[half:].encode()))
    assert calmip.read_model(path).columns == ("x", "y")
    bomb = pack(b" " * 100_000_000)
    assert len(bomb) < 1_000_000
    path.write_bytes(bomb)
    with pytest.raises(InputError, match="unpacks to more than"):
        calmip.read_model(path)
    path.write_bytes(pack(LP.encode())[:-9])
    with pytest.raises(InputError, match=r"is cut|is not a valid"):
        calmip.read_model(path)
    path.write_bytes(pack(b"a\n") * 101)
    with pytest.raises(InputError, match="is made of more than 100"):
        read_source(path)


def test_only_gzip_is_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "m.lp"
    path.write_text(LP)
    assert main(["export", str(path), "-o", str(tmp_path / "m.mps.bz2")]) == 2
    assert ".bz2" in capsys.readouterr().err


def test_a_folder_of_packed_files_is_checked(tmp_path: Path) -> None:
    models, answers = tmp_path / "models", tmp_path / "answers"
    models.mkdir()
    answers.mkdir()
    for number, (suffix, pack) in enumerate(PACKERS.items()):
        (models / f"m{number}.lp{suffix}").write_bytes(pack(LP.encode()))
        (answers / f"m{number}.sol{suffix}").write_bytes(pack(b"x 1\n"))
    assert main(["check", "folder", str(models), str(answers)]) == 0
