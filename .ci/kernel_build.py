"""Build the compiled search for every platform, or check that what is committed is its source's.

    python .ci/kernel_build.py            writes calmip/mip/kernel/built/
    python .ci/kernel_build.py --check    builds elsewhere and compares byte for byte

`.ci/hatch_build.py` takes `build_here`: one library, by any C compiler, for this machine.

All others need the package ziglang, in the version that `pyproject.toml` names (``pip install
'calmip[kernel]'``): one compiler for all platforms, on any of them, whose output
depends on its input alone. Who installs calmip needs none.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.util
import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import zlib
from pathlib import Path

SOURCE = Path(__file__).parents[1] / "calmip" / "mip" / "kernel"
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
    "windows-arm64.dll": ["-target", "aarch64-windows-gnu", "-shared"],
    # A page grows the memory and puts its arrays behind what the module keeps for itself.
    "web.wasm": ["--target=wasm32-freestanding", "-Wl,--no-entry", "-Wl,--export=__heap_base"],
}


IN_PAGES = ("runtime.c", "search.c")
"""The sources that a page needs."""


HERE = ["-std=c11", "-O3", "-ffp-contract=off", "-fvisibility=hidden", "-DHOSTED", *SHARED]
"""The flags for the C compiler of a machine, which links its C library."""


def compiler_here() -> list[str]:
    """Return the command of a C compiler: CC, or what is installed."""
    if os.environ.get("CC"):
        return shlex.split(os.environ["CC"])
    for command in (["cc"], ["gcc"], ["clang"], ["zig", "cc"]):
        if shutil.which(command[0]):
            return command
    if importlib.util.find_spec("ziglang"):
        return [sys.executable, "-m", "ziglang", "cc"]
    sys.exit("CALMIP_BUILD_KERNEL=1 needs a C compiler; install one, or ziglang, or set CC")


def build_here(folder: Path, name: str) -> None:
    """Write the library for this machine and its manifest into a folder that exists."""
    own = [shlex.split(os.environ.get(one, "")) for one in ("CFLAGS", "LDFLAGS")]
    command = [*compiler_here(), *own[0], *HERE]
    try:
        compile_sources(command, own[1], folder / name)
    except OSError:
        sys.exit(
            f"CALMIP_BUILD_KERNEL=1: {command[0]} cannot be run; "
            "set CC to the command of a C compiler"
        )
    except subprocess.CalledProcessError as error:
        sys.exit(f"CALMIP_BUILD_KERNEL=1: {command[0]} ended with {error.returncode}")
    shutil.copyfile(BUILT / "web.wasm", folder / "web.wasm")  # which pages hold
    write_manifest(folder, [name, "web.wasm"], {"compiler": shlex.join(command)})


def build(folder: Path) -> None:
    """Write the libraries and the manifest into a folder that exists."""
    for name, flags in TARGETS.items():
        compiler = [sys.executable, "-m", "ziglang", "cc", *flags, *FLAGS]
        install = ["-install_name", f"@rpath/{name}"] if name.startswith("macos") else []
        compile_sources([*compiler, *install], [], folder / name)
    zig = subprocess.check_output([sys.executable, "-m", "ziglang", "version"], text=True)
    write_manifest(folder, list(TARGETS), {"zig": zig.strip()})


def compile_sources(command: list[str], last: list[str], target: Path) -> None:
    """Compile the sources by a command, with some arguments at its end."""
    sources = sorted(path.name for path in SOURCE.glob("*.c"))
    needed = [one for one in sources if target.name != "web.wasm" or one in IN_PAGES]
    with tempfile.TemporaryDirectory() as scratch:
        # Names without folders, so that no path of this machine gets into a library.
        for path in SOURCE.glob("*.[ch]"):
            shutil.copy(path, scratch)
        subprocess.run(
            [*command, "-o", target.name, *needed, *last],
            cwd=scratch,
            env={**os.environ, "ZIG_LOCAL_CACHE_DIR": str(Path(scratch) / "cache")},
            check=True,
        )
        shutil.copyfile(Path(scratch) / target.name, target)


def write_manifest(folder: Path, names: list[str], made_by: dict[str, str]) -> None:
    """Write which sources the libraries in a folder have, and the sums by which they are known."""
    libraries = {name: (folder / name).read_bytes() for name in names}
    manifest = {
        **made_by,
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
                sys.exit(
                    f"not what the source gives: {', '.join(odd)}; run python .ci/kernel_build.py"
                )
            return
        BUILT.mkdir(exist_ok=True)
        for path in BUILT.iterdir():
            path.unlink()
        for path in folder.iterdir():
            shutil.copyfile(path, BUILT / path.name)


if __name__ == "__main__":
    main()
