"""What hatchling adds to a wheel: a list of its foreign parts, and the compiled search if asked.

The list is a software bill of materials in CycloneDX, in the folder ``.dist-info/sboms`` (PEP 770).
It comes from ``NOTICES``, the manifest of the compiled search and the lock file of the page.

With the environment variable CALMIP_BUILD_KERNEL=1 the C compiler of the machine makes the compiled
search, and the wheel has no other library: for distributions that refuse prebuilt ones, and for
machines that have none. The wheel is one of this platform then.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import sys
import sysconfig
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

VARIABLE = "CALMIP_BUILD_KERNEL"
BUILT = "calmip/mip/kernel/built"
LICENCES = {"MIT": "MIT", "zlib": "Zlib"}
"""The licences by their names in NOTICES, as SPDX names them."""

Component = dict[str, Any]


class WheelHook(BuildHookInterface[Any]):
    """Write the list, and compile the search if `VARIABLE` is 1."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add files to a wheel; an editable one has those of the repository."""
        asked = os.environ.get(VARIABLE, "")
        if asked not in ("", "0", "1"):
            sys.exit(f"{VARIABLE} is '{asked}'; it is 1, or 0 as without it")
        if version == "editable":
            return
        self.scratch = tempfile.TemporaryDirectory()
        built, root = Path(self.root, BUILT), Path(self.root)
        if asked == "1":
            built = Path(self.scratch.name, "built")
            self._compile(built, build_data)
        sbom = Path(self.scratch.name, "calmip.cdx.json")
        text = json.dumps(bill(root, built, self.metadata.version), indent=2, ensure_ascii=False)
        sbom.write_text(text + "\n", encoding="utf-8", newline="\n")
        self.build_config.target_config["sbom-files"] = [str(sbom)]

    def _compile(self, folder: Path, build_data: dict[str, Any]) -> None:
        """Replace the prebuilt libraries by one that is built now."""
        sys.path[:0] = [self.root, str(Path(self.root, ".ci"))]
        import kernel_build

        from calmip.mip.kernel import library_name

        folder.mkdir()
        kernel_build.build_here(folder, library_name())
        self.build_config.target_config.setdefault("exclude", []).append(f"/{BUILT}")
        files = {str(path): f"{BUILT}/{path.name}" for path in sorted(folder.iterdir())}
        build_data["force_include"].update(files)
        platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
        build_data.update(pure_python=False, tag=f"py3-none-{platform}")

    def finalize(self, *_: Any) -> None:
        """Remove what was built, once it is in the wheel."""
        if hasattr(self, "scratch"):
            self.scratch.cleanup()


def bill(root: Path, built: Path, version: str) -> Component:
    """Return the list of what others wrote or a compiler made.

    Parameters
    ----------
    root, built
        The folders of the repository and of the compiled search.
    version
        The version of calmip.
    """
    parts = [*_others(root), _search(built, version)]
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "component": {
                "type": "application",
                "bom-ref": "calmip",
                "name": "calmip",
                "version": version,
                "purl": f"pkg:pypi/calmip@{version}",
                **_licensed("MIT"),
            }
        },
        "components": parts,
        "dependencies": [{"ref": "calmip", "dependsOn": [part["bom-ref"] for part in parts]}],
    }


def _others(root: Path) -> Iterator[Component]:
    """Yield what NOTICES names in the package."""
    lock = json.loads((root / "web" / "package-lock.json").read_text(encoding="utf-8"))
    notices = (root / "NOTICES").read_text(encoding="utf-8")
    heads = r"^-{78}\n(.+) \((.+)\)\n(https:.+)\nFiles: (.+)\n"
    for name, licence, address, listed in re.findall(heads, notices, re.MULTILINE):
        package = lock["packages"].get(f"node_modules/{name}", {})
        known = {"version": version} if (version := package.get("version")) else {}
        files = [path for path in listed.split(", ") if path.startswith("calmip/")]
        if files:
            yield {
                "type": "library",
                "bom-ref": name,
                "name": name,
                **known,
                **({"purl": f"pkg:npm/{name}@{version}"} if known else {}),
                **_licensed(LICENCES[licence]),
                "externalReferences": [{"type": "website", "url": address}],
                "components": [_file(name, path, root / path) for path in files],
            }


def _search(built: Path, version: str) -> Component:
    """Return the libraries of calmip's own search, and what compiled them."""
    manifest = json.loads((built / "manifest.json").read_text(encoding="utf-8"))
    compiler = f"Zig {manifest['zig']}" if "zig" in manifest else manifest["compiler"]
    return {
        "type": "library",
        "bom-ref": "compiled search",
        "name": "calmip's compiled search",
        "version": version,
        "description": f"compiled by {compiler}",
        **_licensed("MIT"),
        "components": [
            _file("compiled search", f"{BUILT}/{name}", built / name)
            for name in manifest["libraries"]
        ],
    }


def _licensed(name: str) -> Component:
    return {"licenses": [{"license": {"id": name}}]}


def _file(part: str, name: str, path: Path) -> Component:
    content = hashlib.sha256(path.read_bytes()).hexdigest()
    hashes = [{"alg": "SHA-256", "content": content}]
    return {"type": "file", "bom-ref": f"{part}: {name}", "name": name, "hashes": hashes}
