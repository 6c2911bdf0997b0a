"""Write the public names for type checkers, two stubs in calmip: python .ci/public_names.py.

With ``--check`` nothing is written, and the exit code is 1 if they have other names.
"""

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

import calmip  # noqa: E402
from calmip.features import Feature, groups  # noqa: E402

STUB = ROOT / "calmip" / "__init__.pyi"
VERBS = ROOT / "calmip" / "_namespaces.pyi"
HEAD = '''"""The public names of calmip, for type checkers; .ci/public_names.py writes this file."""

# ruff: isort: skip_file

from calmip import models as models
'''
HEAD_OF_VERBS = '''"""Functions with others as attributes; .ci/public_names.py writes this file.

It is for type checkers alone: in Python they are objects of `calmip._base.verbs.Verbs`.
"""

# ruff: isort: skip_file
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


def public_imports(feature: Feature) -> Iterator[str]:
    """Yield the imports of the public names of a feature."""
    hidden = [f"{feature.name}_{verb}" for verb in feature.verbs]
    homes = {name: home for name, home in feature.homes.items() if name not in hidden}
    if feature.verbs:
        homes[feature.name] = "calmip._namespaces"
    return imports(homes)


def stub() -> str:
    """Return the text of the stub."""
    lines = [HEAD + "\n".join(imports(calmip._HOMES))]
    for heading, features in groups().items():
        named = [one for one in features if one.homes]
        found = ["\n".join([f"# {one.line}", *public_imports(one)]) for one in named]
        lines += [f"# {heading}:", *found] if found else []
    return "\n\n".join(lines) + "\n"


def stub_of_verbs() -> str:
    """Return the text of the stub of functions with others as attributes."""
    with_verbs = [one for some in groups().values() for one in some if one.verbs]
    homes = {}
    for one in with_verbs:
        own = [one.name, *(f"{one.name}_{verb}" for verb in one.verbs)]
        homes |= {f"_{name}": one.homes[name] for name in own if name in one.homes}
    lines = [HEAD_OF_VERBS + "\n" + "\n".join(imports(homes))]
    for one in with_verbs:
        name, kind = one.name, f"_{one.name.title()}"
        called = [f"    __call__ = staticmethod(_{name})"] if name in one.homes else []
        verbs = [f"    {verb} = staticmethod(_{name}_{verb})" for verb in sorted(one.verbs)]
        lines.append("\n".join([f"class {kind}:", *called, *verbs, "", f"{name}: {kind}"]))
    return "\n\n".join(lines) + "\n"


def written() -> bool:
    """Return whether the files have the public names."""
    return all(path.read_text(encoding="utf-8") == text for path, text in files())


def files() -> Iterator[tuple[Path, str]]:
    """Yield both files with their texts."""
    yield STUB, stub()
    yield VERBS, stub_of_verbs()


def main() -> None:
    """Write the files, or check them."""
    if "--check" in sys.argv:
        sys.exit(not written())
    for path, text in files():
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
