"""The compiled libraries: built from their source, loaded where they fit, else done without."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import zlib
from pathlib import Path

import pytest
from presence import need_package

from calmip.search import kernel

ROOT = Path(__file__).parents[2]

TINY = """
from calmip.problem.board import Board, Piece
from calmip.problem.cover import ExactCover
from calmip.problem.instance import Instance
from calmip.problem.puzzle import Puzzle
from calmip.search.exact_cover.counting import *
from calmip.search.exact_cover.search import *
from calmip.search.one_tree import OneTree
from calmip.search.witnesses import exists
board = Board.from_text(["a b * *", "* * * ."])
pieces = (Piece.from_rows("d", ["##"]), Piece.from_rows("e", ["##"]), Piece.from_rows("i", ["##"]))
puzzle = Puzzle("tiny", board, pieces, {"g": ("a", "b")})
cover = ExactCover(Instance.reveal(puzzle, {"g": "free"}))
print(list(solutions(cover)), exists(cover)[0], count(cover), count_by_reveal(cover),
      sum(count_uncovered(puzzle, 1).values()), list(OneTree(cover)))
"""
LOADED = "from calmip.search import kernel; print(kernel.library() is not None)\n"


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


DAMAGE = {
    "gone": "path.unlink()",
    "empty": "path.write_bytes(b'')",
    "cut off": "path.write_bytes(path.read_bytes()[:3000])",
    "changed": "data = bytearray(path.read_bytes()); data[-9] ^= 1; path.write_bytes(bytes(data))",
    "no library": "path.write_bytes(b'no library'); known(b'no library')",
    "no manifest": "(kernel.BUILT / 'manifest.json').unlink()",
    "odd manifest": "(kernel.BUILT / 'manifest.json').write_text('{}')",
    "another version": "kernel.VERSION += 1",
    "another machine": "kernel.LIBRARIES.clear()",
}


@pytest.mark.long
@pytest.mark.parametrize("damage", DAMAGE)
def test_a_library_that_does_not_fit_is_done_without(damage: str, tmp_path: Path) -> None:
    built = shutil.copytree(kernel.BUILT, tmp_path / "built")
    before = f"""
import json, platform, sys, zlib
from pathlib import Path
from calmip.search import kernel
kernel.BUILT = Path({str(built)!r})
name = kernel.LIBRARIES[sys.platform, platform.machine().lower()]
path = kernel.BUILT / name
def known(data):
    manifest = json.loads((kernel.BUILT / "manifest.json").read_text())
    manifest["libraries"][name]["crc32"] = zlib.crc32(data)
    (kernel.BUILT / "manifest.json").write_text(json.dumps(manifest))
{DAMAGE[damage]}
"""
    out, note = run(TINY, before)
    assert out == run(TINY)[0]
    assert note.count("\n") == 1
    assert note.startswith("calmip: the compiled search cannot be used (")
    assert note.endswith("plain Python takes its place, about a hundred times slower\n")


def test_nothing_is_loaded_before_a_search() -> None:
    code = (
        "import calmip.search.exact_cover.counting, calmip.search.exact_cover.search\n"
        "from calmip.search.kernel import library\n"
        "print(library.cache_info().currsize)"
    )
    assert run(code)[0] == "0\n"


def test_the_manifest_describes_the_files() -> None:
    manifest = json.loads((kernel.BUILT / "manifest.json").read_text())
    source = {path.name: path.read_bytes() for path in kernel.BUILT.parent.glob("*.[ch]")}
    assert manifest["sources"] == {
        name: hashlib.sha256(data).hexdigest() for name, data in source.items()
    }, "the source has changed: python kernel_build.py"
    libraries = {
        path.name: path.read_bytes() for path in kernel.BUILT.iterdir() if path.suffix != ".json"
    }
    assert manifest["libraries"] == {
        name: {"sha256": hashlib.sha256(data).hexdigest(), "crc32": zlib.crc32(data)}
        for name, data in libraries.items()
    }
    assert set(kernel.LIBRARIES.values()) | {"web.wasm"} == set(libraries)


def test_the_version_is_the_header_s() -> None:
    header = (kernel.BUILT.parent / "kernel.h").read_text()
    assert f"#define KERNEL_VERSION {kernel.VERSION}\n" in header


def test_no_library_names_a_path_of_the_machine_that_built_it() -> None:
    for path in kernel.BUILT.iterdir():
        data = path.read_bytes()
        assert not any(word in data for word in (b"/tmp", b"/home", b"/work", b".c\0"))


@pytest.mark.slow
def test_the_libraries_are_what_the_source_gives() -> None:
    need_package("ziglang")
    done = subprocess.run(
        [sys.executable, str(ROOT / "kernel_build.py"), "--check"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
