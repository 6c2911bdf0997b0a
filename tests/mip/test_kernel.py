"""The compiled libraries: built from their source, loaded where they fit, else done without."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import sysconfig
import types
import zlib
from pathlib import Path

import kernel_build
import pytest
from requirements import need_package

from calmip.mip import kernel

ROOT = Path(__file__).parents[2]

TINY = """
from calmip.puzzle.board import Board, Piece
from calmip.puzzle.cover import ExactCover
from calmip.puzzle.instance import Instance
from calmip.puzzle.puzzle import Puzzle
from calmip.puzzle.search.exact_cover.counting import *
from calmip.puzzle.search.exact_cover.search import *
from calmip.mip.one_tree import OneTree
from calmip.puzzle.search.exact_cover.witnesses import exists
board = Board.from_text(["a b * *", "* * * ."])
pieces = (Piece.from_rows("d", ["##"]), Piece.from_rows("e", ["##"]), Piece.from_rows("i", ["##"]))
puzzle = Puzzle("tiny", board, pieces, {"g": ("a", "b")})
cover = ExactCover(Instance.reveal(puzzle, {"g": "free"}))
print(list(solutions(cover)), exists(cover)[0], count(cover), count_by_reveal(cover),
      sum(count_uncovered(puzzle, 1).values()), list(OneTree(cover)))
"""
LOADED = "from calmip.mip import kernel; print(kernel.library() is not None)\n"


def run(code: str, before: str = "", **environment: str) -> tuple[str, str]:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", before + code],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
    )
    assert done.returncode == 0, done.stderr
    return done.stdout, done.stderr


@pytest.mark.long
def test_without_a_library_the_answers_are_the_same() -> None:
    fast, plain = run(TINY + LOADED), run(TINY + LOADED, CALMIP_KERNEL="off")
    assert fast[0].endswith("True\n")
    assert plain == (fast[0].removesuffix("True\n") + "False\n", "")


BUILT = Path(kernel.BUILT)

DAMAGE = {
    "gone": "path.unlink()",
    "empty": "path.write_bytes(b'')",
    "cut off": "path.write_bytes(path.read_bytes()[:3000])",
    "changed": "data = bytearray(path.read_bytes()); data[-9] ^= 1; path.write_bytes(bytes(data))",
    "no library": "path.write_bytes(b'no library'); known(b'no library')",
    "no manifest": "(built / 'manifest.json').unlink()",
    "odd manifest": "(built / 'manifest.json').write_text('{}')",
    "another version": "kernel.VERSION += 1",
    "another machine": "os.uname = uname; sysconfig.get_platform = lambda: 'pdp-11'",
}


@pytest.mark.long
@pytest.mark.parametrize("damage", DAMAGE)
def test_a_library_that_does_not_fit_is_done_without(damage: str, tmp_path: Path) -> None:
    built = shutil.copytree(BUILT, tmp_path / "built")
    before = f"""
import json, os, sys, sysconfig, zlib
from pathlib import Path
from calmip.mip import kernel
built = Path({str(built)!r})
kernel.BUILT = str(built)
name = kernel.library_name()
path = built / name
def uname():
    return os.uname_result(("", "", "", "", "pdp-11"))
def known(data):
    manifest = json.loads((built / "manifest.json").read_text())
    manifest["libraries"][name]["crc32"] = zlib.crc32(data)
    (built / "manifest.json").write_text(json.dumps(manifest))
{DAMAGE[damage]}
"""
    out, note = run(TINY, before)
    assert out == run(TINY)[0]
    assert note.count("\n") == 1
    assert note.startswith("calmip: the compiled search cannot be used (")
    assert note.endswith("plain Python takes its place, about a hundred times slower\n")


@pytest.mark.long
def test_nothing_is_loaded_before_a_search() -> None:
    code = (
        "import calmip.puzzle.search.exact_cover.counting\n"
        "import calmip.puzzle.search.exact_cover.search\n"
        "from calmip.mip.kernel import library\n"
        "print(library.cache_info().currsize)"
    )
    assert run(code)[0] == "0\n"


def test_the_manifest_describes_the_files() -> None:
    manifest = json.loads((BUILT / "manifest.json").read_text())
    source = {path.name: path.read_bytes() for path in BUILT.parent.glob("*.[ch]")}
    assert manifest["sources"] == {
        name: hashlib.sha256(data).hexdigest() for name, data in source.items()
    }, "the source has changed: python .ci/kernel_build.py"
    libraries = {path.name: path.read_bytes() for path in BUILT.iterdir() if path.suffix != ".json"}
    assert manifest["libraries"] == {
        name: {"sha256": hashlib.sha256(data).hexdigest(), "crc32": zlib.crc32(data)}
        for name, data in libraries.items()
    }
    assert set(kernel_build.TARGETS) == set(libraries)


@pytest.mark.parametrize(
    ("system", "machine", "name"),
    [
        ("linux", "x86_64", "linux-x86_64.so"),
        ("linux", "aarch64", "linux-aarch64.so"),
        ("linux", "riscv64", "linux-riscv64.so"),
        ("darwin", "x86_64", "macos-x86_64.dylib"),
        ("darwin", "arm64", "macos-arm64.dylib"),
        ("win32", "win-amd64", "windows-x86_64.dll"),
        ("win32", "win-arm64", "windows-arm64.dll"),
        ("freebsd14", "amd64", "freebsd14-x86_64.so"),
        ("linux", "", "linux-unknown.so"),
    ],
)
def test_the_library_of_each_machine(
    system: str, machine: str, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", system)
    about = types.SimpleNamespace(machine="ARM64" if system == "win32" else machine)
    monkeypatch.setattr(os, "uname", lambda: about, raising=False)
    monkeypatch.setattr(sysconfig, "get_platform", lambda: machine)
    assert kernel.library_name() == name
    others = {"linux-riscv64.so", "freebsd14-x86_64.so", "linux-unknown.so"}
    assert (name in kernel_build.TARGETS) == (name not in others)


def test_the_version_is_the_header_s() -> None:
    header = (BUILT.parent / "kernel.h").read_text()
    assert f"#define KERNEL_VERSION {kernel.VERSION}\n" in header


def test_no_library_names_a_path_of_the_machine_that_built_it() -> None:
    for path in BUILT.iterdir():
        data = path.read_bytes()
        assert not any(word in data for word in (b"/tmp", b"/home", b"/work", b".c\0"))


@pytest.mark.slow
def test_the_libraries_are_what_the_source_gives() -> None:
    need_package("ziglang")
    done = subprocess.run(
        [sys.executable, str(ROOT / ".ci/kernel_build.py"), "--check"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
