"""Releases keep their pages: /X.Y/ beside the site of main, the newest at /latest/ too."""

import io
import json
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / ".ci" / "versions.py"

pytestmark = pytest.mark.skipif(not SCRIPT.exists(), reason="in the repository only")


def archive(folder: Path, version: str, name: str = "./index.html") -> None:
    folder.mkdir(exist_ok=True)
    with tarfile.open(folder / f"site-{version}.tar.gz", "w:gz") as file:
        member = tarfile.TarInfo(name)
        member.size = len(version)
        file.addfile(member, io.BytesIO(version.encode()))


def add(site: Path, archives: Path) -> subprocess.CompletedProcess[str]:
    site.mkdir()
    archives.mkdir(exist_ok=True)
    (site / "index.html").write_text("main")
    command = [sys.executable, str(SCRIPT), str(site), str(archives)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_the_last_release_of_each_minor_version_is_beside_main(tmp_path: Path) -> None:
    site, archives = tmp_path / "site", tmp_path / "archives"
    for version in ("0.2.0", "0.10.1", "0.9.2", "0.9.10"):
        archive(archives, version)
    assert add(site, archives).returncode == 0
    pages = {path.parent.name: path.read_text() for path in site.glob("*/index.html")}
    listing = pages.pop("versions")
    assert pages == {"0.2": "0.2.0", "0.9": "0.9.10", "0.10": "0.10.1", "latest": "0.10.1"}
    assert (site / "index.html").read_text() == "main"
    listed = json.loads((site / "versions.json").read_text())
    assert [one["version"] for one in listed] == ["0.10", "0.9", "0.2"]
    assert [one["aliases"] for one in listed] == [["latest"], [], []]
    for folder in ("0.10", "0.9", "0.2"):
        assert f'href="../{folder}/index.html"' in listing


def test_before_the_first_release_latest_leads_to_main(tmp_path: Path) -> None:
    site = tmp_path / "site"
    assert add(site, tmp_path / "archives").returncode == 0
    assert "url=../index.html" in (site / "latest" / "index.html").read_text()
    assert json.loads((site / "versions.json").read_text()) == []


@pytest.mark.parametrize(
    ("version", "name"), [("0.3", "index.html"), ("0.3.0", "../x.html"), ("0.3.0", "page.html")]
)
def test_another_archive_is_refused(version: str, name: str, tmp_path: Path) -> None:
    site, archives = tmp_path / "site", tmp_path / "archives"
    archive(archives, version, name)
    assert add(site, archives).returncode
    assert not (tmp_path / "site" / "x.html").exists()
    assert not (tmp_path / "x.html").exists()
    assert not (site / "versions.json").exists()
