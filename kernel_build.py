"""Build the compiled search for every platform, or check that what is committed is its source's.

    python kernel_build.py            writes calmip/search/kernel/built/
    python kernel_build.py --check    builds elsewhere and compares byte for byte

Needs the package ziglang, in the version that `pyproject.toml` names (``pip install
'calmip[kernel]'``): one compiler for all platforms, on any of them, whose output
depends on its input alone. Who installs calmip needs none.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import zlib
from pathlib import Path

SOURCE = Path(__file__).parent / "calmip" / "search" / "kernel"
BUILT = SOURCE / "built"
MANIFEST = "manifest.json"

FLAGS = ["-std=c11", "-O3", "-s", "-Wall", "-Wextra", "-Werror", "-nostdlib", "-ffreestanding"]
FLAGS += [
    "-ffp-contract=off",
    "-fno-sanitize=undefined",
    "-fno-stack-protector",
    "-fno-unwind-tables",
]
FLAGS += ["-fno-asynchronous-unwind-tables", "-fvisibility=hidden"]
SHARED = ["-shared", "-fPIC"]
TARGETS = {
    # No C library is linked, so what is built against the oldest glibc serves musl as well.
    "linux-x86_64.so": ["-target", "x86_64-linux-gnu.2.17", *SHARED],
    "linux-aarch64.so": ["-target", "aarch64-linux-gnu.2.17", *SHARED],
    "macos-x86_64.dylib": ["-target", "x86_64-macos.11.0", *SHARED],
    "macos-arm64.dylib": ["-target", "aarch64-macos.11.0", *SHARED],
    "windows-x86_64.dll": ["-target", "x86_64-windows-gnu", "-shared"],
    # A page grows the memory and puts its arrays behind what the module keeps for itself.
    "web.wasm": ["--target=wasm32-freestanding", "-Wl,--no-entry", "-Wl,--export=__heap_base"],
}


IN_PAGES = ("runtime.c", "search.c")
"""The sources that a page needs."""


def build(folder: Path) -> None:
    """Write the libraries and the manifest into a folder that exists."""
    sources = sorted(path.name for path in SOURCE.glob("*.c"))
    for name, flags in TARGETS.items():
        with tempfile.TemporaryDirectory() as scratch:
            # Names without folders, so that no path of this machine gets into a library.
            for path in SOURCE.glob("*.[ch]"):
                shutil.copy(path, scratch)
            needed = [one for one in sources if name != "web.wasm" or one in IN_PAGES]
            compiler = [sys.executable, "-m", "ziglang", "cc"]
            install = ["-install_name", f"@rpath/{name}"] if name.startswith("macos") else []
            subprocess.run(
                [*compiler, *flags, *FLAGS, *install, "-o", name, *needed],
                cwd=scratch,
                env={**os.environ, "ZIG_LOCAL_CACHE_DIR": str(Path(scratch) / "cache")},
                check=True,
            )
            shutil.copyfile(Path(scratch) / name, folder / name)
    libraries = {name: (folder / name).read_bytes() for name in TARGETS}
    manifest = {
        "zig": subprocess.check_output(
            [sys.executable, "-m", "ziglang", "version"], text=True
        ).strip(),
        "sources": {
            path.name: hashlib.sha256(path.read_bytes()).hexdigest()
            for path in sorted(SOURCE.glob("*.[ch]"))
        },
        "libraries": {
            name: {"sha256": hashlib.sha256(data).hexdigest(), "crc32": zlib.crc32(data)}
            for name, data in libraries.items()
        },
    }
    text = json.dumps(manifest, indent=2) + "\n"
    (folder / MANIFEST).write_text(text, encoding="utf-8", newline="\n")


def differences(folder: Path) -> list[str]:
    """Return the names of the files in which what is committed differs from a folder."""
    names = sorted({path.name for place in (folder, BUILT) for path in place.iterdir()})
    return [
        name
        for name in names
        if not (
            (folder / name).is_file()
            and (BUILT / name).is_file()
            and (folder / name).read_bytes() == (BUILT / name).read_bytes()
        )
    ]


def main() -> None:
    """Build, and write or compare."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compare with what is committed")
    check = parser.parse_args().check
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        build(folder)
        if check:
            odd = differences(folder)
            if odd:
                sys.exit(f"not what the source gives: {', '.join(odd)}; run python kernel_build.py")
            return
        BUILT.mkdir(exist_ok=True)
        for path in BUILT.iterdir():
            path.unlink()
        for path in folder.iterdir():
            shutil.copyfile(path, BUILT / path.name)


if __name__ == "__main__":
    main()
