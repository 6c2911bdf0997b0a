"""Write what textlint reads beside the pages: the help of the commands, the notebooks' text."""

import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / ".ci/docs_build"))

import pages  # noqa: E402
import percent  # noqa: E402

from calmip.features import OWN  # noqa: E402

folder = Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)
for path in (ROOT / "docs" / "notebooks").glob("*.py"):
    found = percent.cells(path.read_text(encoding="utf-8"))
    text = "\n\n".join(cell.text for cell in found if cell.kind == "markdown")
    (folder / f"{path.stem}.md").write_text(text, encoding="utf-8")
for name in OWN:
    (folder / f"help-{name}.md").write_text(pages.with_options(f"<!-- options: {name} -->"))
