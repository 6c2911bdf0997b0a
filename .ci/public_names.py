"""Write calmip/__init__.pyi, the public names for type checkers: python .ci/public_names.py.

With ``--check`` nothing is written, and the exit code is 1 if the file has other names.
"""

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

import calmip  # noqa: E402
from calmip.features import Feature, groups  # noqa: E402

STUB = ROOT / "calmip" / "__init__.pyi"
HEAD = '''"""The public names of calmip, for type checkers; .ci/public_names.py writes this file."""

# ruff: isort: skip_file

from calmip import models as models
'''
WIDTH = 100


def imports(homes: Mapping[str, str]) -> Iterator[str]:
    """Yield the lines that import names from their modules, as the formatter has them.

    The values are modules, and the names that are no longer public begin with an underscore.
    """
    for home in dict.fromkeys(homes.values()):
        found = sorted(name for name in homes if homes[name] == home)
        names = [f"{name if name.endswith('__') else name.lstrip('_')} as {name}" for name in found]
        line = f"from {home} import {', '.join(names)}"
        if len(line) > WIDTH:
            line = "\n".join([f"from {home} import (", *(f"    {one}," for one in names), ")"])
        yield f"{line}  # noqa: A004" if "enumerate" in homes and home in line else line


def own_imports(feature: Feature) -> Iterator[str]:
    """Yield the imports of a feature; a function with verbs, and these, get an underscore."""
    verbs = {f"{feature.name}_{verb}" for verb in feature.verbs}
    hidden = verbs | {feature.name} if verbs else set()
    yield from imports({f"_{k}" if k in hidden else k: home for k, home in feature.homes.items()})


def verbs_of(feature: Feature) -> str:
    """Return the class of a function that has others as attributes, and its name."""
    name, kind = feature.name, f"_{feature.name.title()}"
    called = [f"    __call__ = staticmethod(_{name})"] if name in feature.homes else []
    verbs = [f"    {verb} = staticmethod(_{name}_{verb})" for verb in sorted(feature.verbs)]
    return "\n".join([f"class {kind}:", *called, *verbs, "", f"{name}: {kind}"])


def stub() -> str:
    """Return the text of the stub."""
    lines = [HEAD + "\n".join(imports(calmip._HOMES))]
    every = groups()
    for heading, features in every.items():
        named = [one for one in features if one.homes]
        found = ["\n".join([f"# {one.line}", *own_imports(one)]) for one in named]
        lines += [f"# {heading}:", *found] if found else []
    features = [one for some in every.values() for one in some]
    lines += ["# Functions that have others as attributes:"]
    lines += [verbs_of(one) for one in features if one.verbs]
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
