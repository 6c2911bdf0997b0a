"""What is in a wheel: the list of foreign parts, and the compiled search, or one made here."""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
import sys
import sysconfig
import zipfile
import zlib
from pathlib import Path

import kernel_build
import pytest
from requirements import missing, need_package

from calmip.mip import kernel

pytestmark = pytest.mark.long
ROOT = Path(__file__).parents[2]
BUILD = """
import sys
from hatchling.builders.wheel import WheelBuilder
print(*WheelBuilder(sys.argv[1]).build(directory=sys.argv[2], versions=["standard"]))
"""
BUILT = "calmip/mip/kernel/built/"


def build(folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    need_package("hatchling")
    command = [sys.executable, "-c", BUILD, str(ROOT), str(folder)]
    environment = {**os.environ, **environment}
    return subprocess.run(command, capture_output=True, text=True, env=environment, check=False)


def content(done: subprocess.CompletedProcess[str]) -> tuple[str, dict[str, bytes]]:
    assert done.returncode == 0, done.stderr
    path = Path(done.stdout.strip())
    with zipfile.ZipFile(path) as wheel:
        return path.name, {name: wheel.read(name) for name in wheel.namelist()}


def listed(files: dict[str, bytes]) -> set[str]:
    """Return the files that the list of foreign parts has, which is right about all."""
    (name,) = (name for name in files if name.endswith(".dist-info/sboms/calmip.cdx.json"))
    bill = json.loads(files[name])
    assert (bill["bomFormat"], bill["specVersion"]) == ("CycloneDX", "1.6")
    found = set()
    for part in bill["components"]:
        assert part["licenses"][0]["license"]["id"] in ("MIT", "Zlib"), part["name"]
        for file in part["components"]:
            (known,) = file["hashes"]
            assert known["content"] == hashlib.sha256(files[file["name"]]).hexdigest()
            found.add(file["name"])
    references = [part["bom-ref"] for part in bill["components"]]
    assert bill["dependencies"] == [{"ref": "calmip", "dependsOn": references}]
    assert len(set(references)) == len(references) > 9
    return found


def test_the_wheel_lists_what_others_wrote_and_compilers_made(tmp_path: Path) -> None:
    name, files = content(build(tmp_path))
    assert name.endswith("-py3-none-any.whl")
    notices = (ROOT / "NOTICES").read_text(encoding="utf-8")
    lists = re.findall("^Files: (.+)$", notices, re.MULTILINE)
    named = {path for line in lists for path in line.split(", ") if path.startswith("calmip/")}
    assert listed(files) == named | {BUILT + name for name in kernel_build.TARGETS}


COMPILERS = {
    "": None,
    "cc": "cc -pipe",  # several words, as those of zig
    "clang": "clang",
    "zig": f"{sys.executable} -m ziglang cc",
}


@pytest.mark.parametrize(
    "compiler", ["", "cc", "clang", pytest.param("zig", marks=pytest.mark.slow)]
)
def test_the_search_can_be_compiled_when_calmip_is_installed(compiler: str, tmp_path: Path) -> None:
    if compiler == "zig":
        need_package("ziglang")
    command = COMPILERS[compiler]
    try:
        kernel_build.compiler_here() if command is None else subprocess.run(
            [*command.split(), "--version"], check=True, capture_output=True
        )
    except (SystemExit, OSError):
        missing("cc") if compiler in ("", "cc") else pytest.skip(f"there is no {compiler}")
    chosen = {} if command is None else {"CC": command}
    name, files = content(build(tmp_path, CALMIP_BUILD_KERNEL="1", **chosen))
    platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    assert name.endswith(f"-py3-none-{platform}.whl")
    library = kernel.library_name()
    built = {name.removeprefix(BUILT) for name in files if name.startswith(BUILT)}
    assert built == {library, "web.wasm", "manifest.json"}
    manifest = json.loads(files[BUILT + "manifest.json"])
    assert manifest["libraries"][library]["crc32"] == zlib.crc32(files[BUILT + library])
    assert str(tmp_path) not in manifest["compiler"]
    assert BUILT + library in listed(files)
    place = tmp_path / "place"
    for one, data in files.items():
        (place / one).parent.mkdir(parents=True, exist_ok=True)
        (place / one).write_bytes(data)
    # It is loaded, and finds what plain Python finds.
    code = (
        "from calmip import read_instance\n"
        "from calmip.puzzle.cover import ExactCover\n"
        "from calmip.mip import kernel\n"
        "from calmip.puzzle.search.exact_cover.counting import count\n"
        "day = ExactCover(read_instance('a-puzzle-a-day', reveal=['Jan', '25']))\n"
        "print(kernel.library()._name, count(day))"
    )
    environment = {**os.environ, "PYTHONPATH": str(place)}
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        env=environment,
        cwd=tmp_path,
        check=True,
    )
    assert done.stdout.split() == [str(place / BUILT / library), "216"]


def test_what_is_asked_wrongly_or_cannot_be_built_is_said(tmp_path: Path) -> None:
    done = build(tmp_path, CALMIP_BUILD_KERNEL="yes")
    assert done.returncode == 1
    assert done.stderr == "CALMIP_BUILD_KERNEL is 'yes'; it is 1, or 0 as without it\n"
    done = build(tmp_path, CALMIP_BUILD_KERNEL="1", CC="no-compiler-of-this-name")
    assert done.returncode == 1
    assert done.stderr == (
        "CALMIP_BUILD_KERNEL=1: no-compiler-of-this-name cannot be run; "
        "set CC to the command of a C compiler\n"
    )
    assert not list(tmp_path.iterdir())
