"""The documentation as plain Markdown, which any generator of sites can take.

    python .ci/docs_build/plain.py FOLDER

What a generator would need hooks for is done here before it starts: formulas become MathML, the
commands' options, the known counts and the schemas come from the program, notebooks are run, the
changelog, the page to play on and the wheel are put in their places. Only the reference of Python
remains to a generator's plug-in (mkdocstrings): its pages name what is documented.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import feed
import installable
import pages
import percent
import slides
from data_pages import data_pages
from hatchling.builders.wheel import WheelBuilder
from mathml import formulas
from schemas import schemas

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"


def files() -> Iterator[tuple[str, bytes]]:
    """Yield the path and the content of every file."""
    decks = slides.decks()
    for folder, text in decks.items():
        yield f"course/{folder}/slides.html", text.encode()
    for path in sorted(DOCS.rglob("*")):
        name = path.relative_to(DOCS).as_posix()
        if not path.is_file() or "__pycache__" in path.parts:
            continue
        if path.suffix == ".md":
            text = pages.for_site(pages.with_options(path.read_text(encoding="utf-8")), name)
            if path.parent.name in decks and path.name == "index.md":
                text += "\nThis page as [slides](slides.html): arrow keys turn them.\n"
            yield name, _page(text, name)
        else:
            yield name, path.read_bytes()
    for path in sorted((DOCS / "notebooks").glob("*.py")):
        cells = percent.run(path)
        text = percent.markdown(cells, path.stem)
        yield f"notebooks/{path.stem}.md", _page(text, f"notebooks/{path.stem}.md")
        yield f"notebooks/{path.stem}.ipynb", percent.notebook(cells).encode()
    for name, text in schemas().items():
        yield f"reference/schemas/{name}", text.encode()
    yield "reference/counts.md", _page(pages.counts(), "reference/counts.md")
    for name, text in data_pages():
        yield name, _page(text, name)
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    yield "about/changelog.md", pages.with_description(changes, "about/changelog.md").encode()
    for name, text in pages.redirects().items():
        yield name, text.encode()
    for name, content in {**installable.files(), **feed.files()}.items():
        yield f"play/{name}", content
    with tempfile.TemporaryDirectory() as folder:
        (path,) = WheelBuilder(str(ROOT)).build(directory=folder, versions=["standard"])
        yield f"how-to/{Path(path).name}", Path(path).read_bytes()


def _page(markdown: str, name: str) -> bytes:
    return pages.with_description(formulas(markdown, name), name).encode()


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
