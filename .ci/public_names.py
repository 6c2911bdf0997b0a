"""Write calmip/__init__.pyi, the public names for type checkers: python .ci/public_names.py.

With ``--check`` nothing is written, and the exit code is 1 if the file has other names.
"""

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

import calmip  # noqa: E402
from calmip.features import groups  # noqa: E402

STUB = ROOT / "calmip" / "__init__.pyi"
HEAD = '''"""The public names of calmip, for type checkers; .ci/public_names.py writes this file."""

# ruff: isort: skip_file

from calmip import models as models
'''
WIDTH = 100


def imports(homes: Mapping[str, str]) -> Iterator[str]:
    """Yield the lines that import names from their modules, as the formatter has them."""
    for home in dict.fromkeys(homes.values()):
        names = [f"{name} as {name}" for name in sorted(homes) if homes[name] == home]
        line = f"from {home} import {', '.join(names)}"
        if len(line) > WIDTH:
            line = "\n".join([f"from {home} import (", *(f"    {one}," for one in names), ")"])
        yield f"{line}  # noqa: A004" if "enumerate" in homes and home in line else line


def stub() -> str:
    """Return the text of the stub."""
    lines = [HEAD + "\n".join(imports(calmip._HOMES))]
    for heading, features in groups().items():
        found = ["\n".join([f"# {one.line}", *imports(one.homes)]) for one in features if one.homes]
        lines += [f"# {heading}:", *found] if found else []
    return "\n\n".join(lines) + "\n"


def written() -> bool:
    """Return whether the file has the public names."""
    return STUB.read_text(encoding="utf-8") == stub()


def main() -> None:
    """Write the file, or check it."""
    if "--check" in sys.argv:
        sys.exit(not written())
    STUB.write_text(stub(), encoding="utf-8")


if __name__ == "__main__":
    main()
