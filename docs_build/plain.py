"""The documentation as plain Markdown, which any generator of sites can take.

    python docs_build/plain.py FOLDER

What a generator would need hooks for is done here before it starts: formulas become MathML, the
commands' options and the known counts come from the program, notebooks are run, the changelog
and the page to play on are put in their places. Only the reference of Python remains to a
generator's plug-in (mkdocstrings): its page names what is documented.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import pages
import percent
from mathml import formulas

from calmip.tasks.play import page_text, solver_script

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"


def files() -> Iterator[tuple[str, bytes]]:
    """Yield the path and the content of every file."""
    for path in sorted(DOCS.rglob("*")):
        name = path.relative_to(DOCS).as_posix()
        if not path.is_file() or "__pycache__" in path.parts:
            continue
        if path.suffix == ".md":
            text = pages.for_site(pages.with_options(path.read_text(encoding="utf-8")), name)
            yield name, formulas(text, name).encode()
        else:
            yield name, path.read_bytes()
    for path in sorted((DOCS / "notebooks").glob("*.py")):
        cells = percent.run(path)
        text = percent.markdown(cells, path.stem)
        yield f"notebooks/{path.stem}.md", formulas(text, path.name).encode()
        yield f"notebooks/{path.stem}.ipynb", percent.notebook(cells).encode()
    yield "reference/counts.md", pages.counts().encode()
    yield "about/changelog.md", (ROOT / "CHANGELOG.md").read_bytes()
    yield "play/index.html", page_text(whole=False).encode()
    yield "play/highs.js", solver_script().encode()


def write(folder: Path) -> None:
    """Make a folder hold these files and no others; what is the same already is not touched."""
    wanted = dict(files())
    for path in [path for path in folder.rglob("*") if path.is_file()]:
        if path.relative_to(folder).as_posix() not in wanted:
            path.unlink()
    for name, content in wanted.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.is_file() or path.read_bytes() != content:
            path.write_bytes(content)


if __name__ == "__main__":
    write(Path(sys.argv[1]))
