"""Put the pages of releases beside those of main: /X.Y/ for each minor release, and /latest/.

    python .ci/versions.py SITE ARCHIVES

ARCHIVES is a folder of files ``site-X.Y.Z.tar.gz``, which releases carry. Of each X.Y the last
release counts; /latest/ is the newest of all, and leads to main before the first release. Addresses
without a version stay those of main. ``versions/`` and ``versions.json`` list them all.
"""

from __future__ import annotations

import json
import re
import sys
import tarfile
from pathlib import Path

ARCHIVE = re.compile(r"site-(\d+)\.(\d+)\.(\d+)\.tar\.gz")

PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Versions of the documentation of calmip</title>
<h1>Versions of the documentation</h1>
<ul>
{}
</ul>
</html>
"""

REDIRECT = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>calmip</title>
<meta http-equiv="refresh" content="0; url=../index.html">
<a href="../index.html">The documentation of calmip</a>
</html>
"""


def newest(archives: Path) -> dict[str, tuple[str, Path]]:
    """Return the last release of each X.Y, the newest first: its version and its archive."""
    numbers: dict[tuple[int, ...], Path] = {}
    for path in archives.iterdir():
        found = ARCHIVE.fullmatch(path.name)
        if not found:
            raise SystemExit(f"{path.name} is not site-X.Y.Z.tar.gz")
        numbers[tuple(map(int, found.groups()))] = path
    releases: dict[str, tuple[str, Path]] = {}
    for number in sorted(numbers, reverse=True):
        version = ".".join(map(str, number))
        releases.setdefault(version.rpartition(".")[0], (version, numbers[number]))
    return releases


def unpack(archive: Path, folder: Path) -> None:
    """Unpack a site into a folder that is not there yet."""
    folder.mkdir()
    with tarfile.open(archive) as file:
        file.extractall(folder, filter="data")
    if not (folder / "index.html").is_file():
        raise SystemExit(f"{archive.name} has no index.html")


def add_versions(site: Path, archives: Path) -> None:
    """Add the pages of the releases and the list of them to the site of main."""
    releases = newest(archives)
    for minor, (_, archive) in releases.items():
        unpack(archive, site / minor)
    if releases:
        unpack(next(iter(releases.values()))[1], site / "latest")
    else:
        (site / "latest").mkdir()
        (site / "latest" / "index.html").write_text(REDIRECT, encoding="utf-8")
    rows = ['<li><a href="../index.html">main</a>']
    rows += [f'<li><a href="../{one}/index.html">{two}</a>' for one, (two, _) in releases.items()]
    (site / "versions").mkdir()
    (site / "versions" / "index.html").write_text(PAGE.format("\n".join(rows)), encoding="utf-8")
    listed = [
        {"version": minor, "title": version, "aliases": ["latest"] * (number == 0)}
        for number, (minor, (version, _)) in enumerate(releases.items())
    ]
    (site / "versions.json").write_text(json.dumps(listed), encoding="utf-8")


if __name__ == "__main__":
    add_versions(Path(sys.argv[1]), Path(sys.argv[2]))
