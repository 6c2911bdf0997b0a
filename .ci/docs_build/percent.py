"""Notebooks as text: read the percent format of Jupytext, run the cells, write .ipynb and Markdown.

    python .ci/docs_build/percent.py

writes the ``.ipynb`` of every notebook beside it, with what its cells print.

A cell begins with ``# %%`` (code) or ``# %% [markdown]`` (text behind ``# ``). A line
``# %pip ...`` is a command of the notebook and is not run here. Lines ``# > `` at the
end of a cell say what it prints; running the notebook compares.
"""

from __future__ import annotations

import ast
import base64
import contextlib
import io
import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

MAGIC = "# %"
SAYS = "# > "


@dataclass
class Cell:
    """One cell: its kind (``markdown`` or ``code``), its text, and what running it gave."""

    kind: str
    text: str
    printed: str = ""
    shown: dict[str, str] = field(default_factory=dict)

    @property
    def code(self) -> str:
        """The code without the lines that say what it prints."""
        lines = [line for line in self.text.splitlines() if not line.startswith(SAYS.strip())]
        return "\n".join(lines).rstrip()

    @property
    def source(self) -> str:
        """The code as a notebook has it: with its commands, not as comments."""
        return self.code.removeprefix("# ") if self.text.startswith(MAGIC) else self.code

    @property
    def said(self) -> str:
        """What the cell says that it prints."""
        lines = [line for line in self.text.splitlines() if line.startswith(SAYS.strip())]
        return "".join(f"{line[len(SAYS) :]}\n" for line in lines)


def cells(text: str) -> Iterator[Cell]:
    """Yield the cells of a notebook in the percent format."""
    kind, lines = "", []
    for line in [*text.splitlines(), "# %%"]:
        if line.startswith("# %%"):
            body = "\n".join(lines).strip("\n")
            if kind and body:
                yield Cell(kind, body)
            kind = "markdown" if "[markdown]" in line else "code"
            lines = []
        elif kind == "markdown":
            lines.append(line.removeprefix("#").removeprefix(" "))
        else:
            lines.append(line)


def read(path: Path) -> list[Cell]:
    """Return the cells of a notebook, as text or as an ``.ipynb`` file."""
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".ipynb":
        return list(cells(text))
    found = []
    for cell in json.loads(text)["cells"]:
        printed = "".join(output["text"] for output in cell.get("outputs", ()))
        source = f"# {cell['source']}" if cell["source"].startswith("%") else cell["source"]
        says = [SAYS + line for line in printed.splitlines()]
        found.append(Cell(cell["cell_type"], "\n".join([source, *says])))
    return found


def unrun(path: Path) -> str:
    """Return the text of the ``.ipynb`` file of a notebook that is not run: with what it prints."""
    found = list(cells(path.read_text(encoding="utf-8")))
    for cell in found:
        cell.printed = cell.said if cell.kind == "code" else ""
    return notebook(found)


def run(path: Path) -> list[Cell]:
    """Run a notebook from top to bottom; AssertionError where a cell prints something else."""
    names: dict[str, Any] = {"__name__": "__main__"}
    found = read(path)
    for number, cell in enumerate(found, start=1):
        if cell.kind != "code" or cell.text.startswith(MAGIC):
            continue
        stream = io.StringIO()
        value = None
        tree = ast.parse(cell.code, f"{path.name}, cell {number}")
        last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
        with contextlib.redirect_stdout(stream):
            exec(compile(tree, f"{path.name}, cell {number}", "exec"), names)  # noqa: S102
            if isinstance(last, ast.Expr):
                code = compile(ast.Expression(last.value), f"{path.name}, cell {number}", "eval")
                value = eval(code, names)  # noqa: S307
        cell.printed = stream.getvalue()
        cell.shown = _shown(value)
        if cell.said != cell.printed:
            raise AssertionError(
                f"{path.name}, cell {number} says\n{cell.said}but prints\n{cell.printed}"
            )
    return found


def _shown(value: Any) -> dict[str, str]:
    """Return what a notebook shows of a value, by MIME type."""
    if value is None:
        return {}
    if hasattr(value, "_repr_mimebundle_"):
        bundle: dict[str, str] = value._repr_mimebundle_()
        return bundle
    methods = {"_repr_html_": "text/html", "_repr_svg_": "image/svg+xml"}
    found = {kind: getattr(value, one)() for one, kind in methods.items() if hasattr(value, one)}
    return found | {"text/plain": repr(value)[:200] if found else repr(value)}


def notebook(found: list[Cell]) -> str:
    """Return the notebook as the text of an ``.ipynb`` file, outputs included."""
    listed = []
    for number, cell in enumerate(found):
        common = {
            "id": f"cell-{number}",
            "cell_type": cell.kind,
            "metadata": {},
            "source": cell.source,
        }
        if cell.kind == "code":
            outputs: list[dict[str, Any]] = []
            if cell.printed:
                outputs.append({"output_type": "stream", "name": "stdout", "text": cell.printed})
            if cell.shown:
                outputs.append(
                    {
                        "output_type": "execute_result",
                        "execution_count": None,
                        "metadata": {},
                        "data": cell.shown,
                    }
                )
            common |= {"execution_count": None, "outputs": outputs}
        listed.append(common)
    document = {
        "cells": listed,
        "metadata": {
            "kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}
        },
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def markdown(found: list[Cell], name: str) -> str:
    """Return the notebook as a page; pictures stand in it as data, which no style reaches."""
    parts = []
    for cell in found:
        if cell.kind == "markdown":
            parts.append(cell.text)
            continue
        parts.append(f"```python\n{cell.source}\n```")
        if cell.printed:
            parts.append(f"```text\n{cell.printed}```")
        if "image/svg+xml" in cell.shown:
            data = base64.b64encode(cell.shown["image/svg+xml"].encode()).decode()
            parts.append(f'<img alt="" src="data:image/svg+xml;base64,{data}" width="340">')
        elif "text/html" in cell.shown:
            parts.append(cell.shown["text/html"])
        elif cell.shown:
            parts.append(f"```text\n{cell.shown['text/plain']}\n```")
    head, rest = parts[0], parts[1:]
    link = (
        f"Download: [{name}.ipynb]({name}.ipynb), a notebook with its outputs, or "
        f"[{name}.py]({name}.py), the same as text (Jupytext)."
    )
    return "\n\n".join([head, link, *rest]) + "\n"


if __name__ == "__main__":
    folder = Path(
        sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parents[2] / "docs/notebooks"
    )
    for path in folder.glob("*.py"):
        path.with_suffix(".ipynb").write_text(unrun(path), encoding="utf-8")
