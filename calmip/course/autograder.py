"""The archive that Gradescope takes as an autograder: two scripts, and calmip as a wheel.

The wheel is made of the installed package, so that no server has to find this version. Its bytes,
and those of the archive, depend on the content alone.
"""

from __future__ import annotations

import base64
import hashlib
import os
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from shlex import quote

from calmip._base.errors import InputError
from calmip._base.version import __version__
from calmip.course.archives import pack
from calmip.course.translations import ENGLISH

PACKAGE = Path(__file__).resolve().parents[1]

BESIDE = {
    "instances": "instances",
    "course/pages": "docs/course",
    "LICENSE": "LICENSE",
    "CITATION.cff": "CITATION.cff",
}
"""What a wheel has inside of the package, and where a checkout has it beside the package."""

SETUP = """\
#!/usr/bin/env bash
# Install calmip in a Python of its own. Gradescope runs this once, as root.
set -euo pipefail
base=${CALMIP_AUTOGRADER:-/autograder}
source=$(cd "$(dirname "$0")" && pwd)
python=
for one in python3.13 python3.12 python3.11 python3; do
    if "$one" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
        python=$one
        break
    fi
done
if [ -z "$python" ]; then
    apt-get update
    apt-get install -y python3.11 python3.11-venv
    python=python3.11
fi
if ! "$python" -m venv "$base/calmip"; then
    apt-get update
    version=$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
    apt-get install -y "python$version-venv"
    "$python" -m venv --clear "$base/calmip"
fi
if [ -d "$source/wheels" ]; then
    "$base/calmip/bin/pip" install --no-index --find-links "$source/wheels" "$source"/calmip-*.whl
else
    "$base/calmip/bin/pip" install "$source"/calmip-*.whl
fi
"$base/calmip/bin/python" -m calmip --version
"""

RUN = """\
#!/usr/bin/env bash
# Mark the submission. Exit code 0: full marks, 1: fewer, 3: a check was not decided. Any other is a
# fault of this machine or of the assignment. Only the first two leave marks.
base=${CALMIP_AUTOGRADER:-/autograder}
mkdir -p "$base/results"
"$base/calmip/bin/python" -m calmip grade submission %(exercise)s "$base/submission" \\
    --format gradescope -o "$base/results/results.json"%(more)s
code=$?
[ "$code" -le 1 ] && exit 0
rm -f "$base/results/results.json"
exit "$code"
"""


def archive(
    exercise: str,
    *,
    time_limit: float | None = None,
    tables: Mapping[str, bytes] | None = None,
    wheels: Sequence[Path] = (),
    language: str = ENGLISH,
) -> bytes:
    """Return the archive of an autograder.

    Parameters
    ----------
    exercise
        The exercise's name.
    time_limit
        The seconds for a Python file.
    tables
        The contents of the roster and of the table of puzzles, by their options.
    wheels
        The wheels of all packages that calmip needs; without them they are downloaded.
    language
        The language of the feedback.

    Raises
    ------
    InputError
        If calmip's own files are not those of a package, or a wheel cannot be read.
    """
    more = "" if time_limit is None else f" --time-limit {time_limit:g}"
    more += "" if language == ENGLISH else f" --language {language}"
    files: dict[str, bytes] = {}
    for option, data in (tables or {}).items():
        files[f"{option}.csv"] = data
        more += f' \\\n    --{option} "$base/source/{option}.csv"'
    if tables:
        more += ' \\\n    --metadata "$base/submission_metadata.json"'
    files["setup.sh"] = SETUP.encode()
    files["run_autograder"] = (RUN % {"exercise": quote(exercise), "more": more}).encode()
    files[f"calmip-{__version__}-py3-none-any.whl"] = wheel()
    for path in wheels:
        try:
            files[f"wheels/{path.name}"] = path.read_bytes()
        except OSError as error:
            raise InputError(f"cannot be read: {error.strerror or error}", path=path) from None
    return pack(files)


def wheel() -> bytes:
    """Return calmip as a wheel, made of the package that is running."""
    folder = f"calmip-{__version__}.dist-info"
    files = {f"calmip/{name}": data for name, data in _package()}
    files[f"{folder}/METADATA"] = _metadata()
    files[f"{folder}/WHEEL"] = (
        b"Wheel-Version: 1.0\nGenerator: calmip\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    )
    files[f"{folder}/entry_points.txt"] = b"[console_scripts]\ncalmip = calmip.__main__:run\n"
    for name, data in _licences():
        files[f"{folder}/licenses/{name}"] = data
    rows = []
    for name, data in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        rows.append(f"{name},sha256={digest},{len(data)}\n")
    record = f"{folder}/RECORD"
    return pack({**files, record: "".join([*rows, f"{record},,\n"]).encode()})


def _package() -> Iterator[tuple[str, bytes]]:
    """Yield the files of the package, by their paths in it."""
    beside = [
        (PACKAGE.parent / place, name)
        for name, place in BESIDE.items()
        if not (PACKAGE / name).exists()
    ]
    for root, below in [(PACKAGE, ""), *beside]:
        if not root.exists():
            continue
        if root.is_file():
            yield below, root.read_bytes()
            continue
        for folder, names, files in os.walk(root):
            names[:] = sorted(name for name in names if name != "__pycache__")
            for name in sorted(files):
                path = Path(folder, name)
                if path.suffix != ".pyc":
                    yield str(Path(below, path.relative_to(root)).as_posix()), path.read_bytes()


def _metadata() -> bytes:
    needs, python = _needs()
    lines = [
        "Metadata-Version: 2.1",
        "Name: calmip",
        f"Version: {__version__}",
        f"Requires-Python: {python}",
        *(f"Requires-Dist: {one}" for one in needs),
    ]
    return ("\n".join(lines) + "\n").encode()


def _needs() -> tuple[list[str], str]:
    """Return the packages that calmip needs, and the versions of Python."""
    try:
        found = distribution("calmip")
        needs = [one for one in found.requires or () if not re.search(r";.*\bextra\b", one)]
        return needs, str(found.metadata["Requires-Python"])
    except PackageNotFoundError:  # a checkout that is not installed
        source = PACKAGE.parent / "pyproject.toml"
        if not source.is_file():
            raise InputError(
                "calmip is not installed as a package; install it with pip first"
            ) from None
        project = tomllib.loads(source.read_text(encoding="utf-8"))["project"]
        return list(project["dependencies"]), str(project["requires-python"])


def _licences() -> Iterator[tuple[str, bytes]]:
    for name in ("LICENSE", "NOTICES"):
        places = [PACKAGE.parent / name, PACKAGE / name]
        try:
            found = distribution("calmip")
            own = [one for one in found.files or () if one.name == name]
            places += [Path(str(found.locate_file(one))) for one in own]
        except PackageNotFoundError:
            pass
        for place in places:
            if place.is_file():
                yield name, place.read_bytes()
                break
