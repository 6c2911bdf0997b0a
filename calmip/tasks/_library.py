"""A library of model files as MIPLIB has them: an index, the known answers, licence and sums.

Here is also the text of each file, as a formulation writes it, and what its head says.
"""

from __future__ import annotations

import contextlib
import csv
import hashlib
import io
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from calmip._files import encoded, make_folder, scratch_folder, suffix_of, write_atomically
from calmip._limits import Limits, Progress
from calmip._version import __version__
from calmip.errors import InputError, listed
from calmip.formats.covers import FORMATS
from calmip.formats.model_files import (
    READERS,
    WRITERS,
    Known,
    cover_parts,
    header,
    model_parts,
    plain,
    solu_text,
)
from calmip.models import build, objective, packs
from calmip.problem.binary_model import BinaryModel
from calmip.problem.cover import ExactCover
from calmip.problem.instance import Instance

__all__ = [
    "Given",
    "LibraryEntry",
    "Model",
    "ModelText",
    "known_count",
    "model_text",
    "write_library",
]


EFFORT = 1000
"""Steps of a count after which it is not for free; every bundled puzzle needs under 600 a date."""


class ModelText(NamedTuple):
    """The text of a model file.

    Parameters
    ----------
    parts
        The text, in parts.
    columns, rows, nonzeros
        The size of the model in it.
    """

    parts: Iterator[str]
    columns: int
    rows: int
    nonzeros: int


def model_text(
    cover: ExactCover,
    suffix: str,
    formulation: str = "matrix",
    *,
    tilings: int | None = None,
    name: str = "",
) -> ModelText:
    """Return the text of an exact cover's file, as a formulation writes it, and its size.

    Parameters
    ----------
    cover
        The exact cover.
    suffix
        One of `calmip.formats.model_files.WRITERS`; the formulations other than
        ``matrix`` write ``.mps`` and ``.lp``.
    formulation
        The formulation's name.
    tilings
        The number of tilings for the head of the file, where it is known.
    name
        What the NAME line of an MPS file says, in the place of what it says by itself.

    Raises
    ------
    InputError
        If the suffix or the formulation is unknown.
    SolverMissing
        If the formulation's package is not installed.
    """
    if formulation == "matrix":
        # A model file without any column would not be read; see `BinaryModel.from_cover`.
        least = 1 if suffix in READERS else 0
        size = (max(cover.columns, least), cover.rows, cover.nonzeros)
        comments = header(cover, size, tilings=tilings)
        return ModelText(_named(cover_parts(cover, suffix, comments), suffix, name), *size)
    if suffix not in READERS:
        raise InputError(
            f"formulation {formulation} writes {listed(list(READERS))}, not {suffix}; "
            "formulation matrix writes every format"
        )
    with scratch_folder() as folder:
        path = folder / f"model{suffix}"
        model = build(formulation, cover)
        model.write(path)
        text = path.read_text(encoding="utf-8")
    comments = header(cover, model.size, tilings=tilings)
    parts = [*(f"{FORMATS[suffix].comment} {line}\n" for line in comments), text]
    return ModelText(_named(iter(parts), suffix, name), *model.size)


def _named(parts: Iterator[str], suffix: str, name: str) -> Iterator[str]:
    if suffix != ".mps" or not name:
        return parts
    return (re.sub(r"^NAME\b.*", f"NAME          {name}", part, flags=re.M) for part in parts)


def known_count(cover: ExactCover) -> int | None:
    """Return the number of tilings if a second or so is enough to count them, or None.

    The effort is measured in steps of the search, not by a clock, so that the
    same instance always has the same answer.
    """
    from calmip.search.exact_cover.counting import count

    steps = iter(range(EFFORT))

    def step(_: Progress) -> None:
        if next(steps, None) is None:
            raise TimeoutError

    try:
        return count(cover, Limits(progress=step))
    except TimeoutError:
        return None


@dataclass(frozen=True)
class Given:
    """A model that came as a file, under its name, and what its ``.solu`` file knows."""

    name: str
    model: BinaryModel
    known: Known | None


Model = tuple[Instance, int | None] | Given
"""An instance under the name of its file, and the number of its tilings where it is known."""

INDEX_COLUMNS = (
    "instance", "nodes", "solver", "variables", "binaries", "constraints", "nonzeros",
    "objective", "tags", "tilings",
)  # fmt: skip
"""The columns of MIPLIB's table of instances, with the nodes of a search instead of a word for
the difficulty, and the number of tilings. Nothing in it depends on the machine's speed."""

MOST_BYTES = 100_000_000
"""An index that is larger is not read for what was measured."""

MEASURED_SECONDS = 60.0
"""So long the search may take that measures how difficult an instance is."""

Measured = tuple[int | None, str]
"""Nodes (None if it did not end), and the solver."""


@dataclass(frozen=True)
class LibraryEntry:
    """A line of the index.

    Parameters
    ----------
    name
        The file's name without its suffix.
    columns, rows, nonzeros
        The size of the model.
    objective
        The objective's value at every solution, as the formulation says.
    tilings
        How many solutions it has, None if that takes too long to count.
    feasible
        Whether it has one, None if that is not known.
    tags
        MIPLIB's words for the kind of model.
    nodes, solver
        The nodes of the search for a first solution, the exact-cover search if it was
        not another one; None if it did not end.
    """

    name: str
    columns: int
    rows: int
    nonzeros: int
    objective: float
    tilings: int | None
    feasible: bool | None = None
    nodes: int | None = None
    solver: str = ""
    tags: tuple[str, ...] = ("binary", "feasibility", "set_partitioning")


def write_library(
    title: str,
    models: Iterable[Model],
    folder: Path,
    *,
    suffix: str,
    formulation: str,
    force: bool,
    step: Callable[[int], None],
) -> list[LibraryEntry]:
    """Write the models of instances and all that a library has beside them.

    See `calmip.export_dates`, which says what that is, and what is raised.
    """
    kind, packed = suffix_of(Path(f"model{suffix}"), WRITERS)
    if suffix != kind + (".gz" if packed else ""):
        raise InputError(f"'{suffix}' is not a suffix; write it as {kind} or {kind}.gz")
    if packs(formulation):
        raise InputError(
            "a library has answers beside the models, and the optimum of "
            f"{formulation} is not known for instances without a tiling; use another formulation"
        )
    make_folder(folder)
    measured = _measured(folder / "index.csv")
    entries, sums = [], {}
    step(0)
    for one in models:
        if isinstance(one, Given):
            name, parts = one.name, _given_parts(one, kind)
        else:
            cover, name = ExactCover(one[0]), one[0].name
            written = model_text(cover, kind, formulation, tilings=one[1], name=name)
            parts = written.parts
        data = b"".join(encoded(parts, packed=packed))
        sums[f"{name}{suffix}"] = _put(folder / f"{name}{suffix}", data, force=force)
        entries.append(
            _given_entry(one)
            if isinstance(one, Given)
            else _entry(cover, written, one[1], formulation, measured.get(name))
        )
        step(len(entries))
    known = solu_text({entry.name: _known(entry) for entry in entries}).encode()
    sums["index.solu"] = _put(folder / "index.solu", known, force=force)
    for name, text in (
        ("index.csv", _index(entries)),
        ("README.md", _readme(title, entries, suffix, formulation)),
        ("LICENSE", _beside("LICENSE")),
        ("CITATION.cff", _beside("CITATION.cff")),
    ):
        sums[name] = _put(folder / name, text.encode(), force=force or name == "index.csv")
    text = "".join(f"{digest}  {name}\n" for name, digest in sums.items())
    _put(folder / "SHA256SUMS", text.encode(), force=True)
    return entries


def _entry(
    cover: ExactCover, text: ModelText, tilings: int | None, formulation: str,
    measured: Measured | None,
) -> LibraryEntry:  # fmt: skip
    """Return a line of the index; what was measured before is not measured again."""
    from calmip.search.exact_cover.search import Search
    from calmip.search.witnesses import exists

    feasible = None if tilings is None else tilings > 0
    if measured is None:
        search = Search(cover, limit=1, time_limit=MEASURED_SECONDS)
        found = any(True for _ in search)
        ended = found or search.complete
        nodes = search.nodes if ended else None
        measured = nodes, "exact-cover"
        feasible = found if ended else feasible
    elif feasible is None:
        feasible = None if measured[0] is None else exists(cover)[0]
    return LibraryEntry(
        cover.instance.name, text.columns, text.rows, text.nonzeros,
        objective(formulation, cover), tilings, feasible, *measured,
    )  # fmt: skip


def _given_parts(given: Given, kind: str) -> Iterator[str]:
    if kind not in READERS:
        raise InputError(f"{given.name} is a model file, and is written as .mps or .lp, not {kind}")
    return model_parts(replace(given.model, name=given.name), kind)


def _given_entry(given: Given) -> LibraryEntry:
    """Return a line of the index; without costs any solution is an optimum of 0."""
    model, (word, value) = given.model, given.known or ("unkn", None)
    if word == "feas" and not model.cost.any():
        word, value = "opt", model.offset
    return LibraryEntry(
        given.name, len(model.columns), len(model.rows), len(model.index), value or 0.0, None,
        {"opt": True, "inf": False}.get(word), tags=("binary",),
    )  # fmt: skip


def _measured(path: Path) -> dict[str, Measured]:
    """Return what an index that is there says of its instances, as far as it can be read."""
    found: dict[str, Measured] = {}
    with contextlib.suppress(OSError, ValueError, csv.Error, KeyError, TypeError):
        if path.stat().st_size > MOST_BYTES:
            return found
        text = path.read_text(encoding="utf-8")
        for line in csv.DictReader(io.StringIO(text)):
            nodes = line["nodes"]
            if line["solver"] == "exact-cover" and re.fullmatch(r"\d{0,18}", nodes, re.ASCII):
                found[line["instance"]] = int(nodes) if nodes else None, line["solver"]
    return found


def _put(path: Path, data: bytes, *, force: bool) -> str:
    """Write a file, unless it is there already; return its SHA-256."""
    digest = hashlib.sha256(data).hexdigest()
    if path.is_file():
        try:
            same = path.stat().st_size == len(data) and path.read_bytes() == data
        except OSError as error:
            raise InputError(f"cannot be read: {error.strerror or error}", path=path) from None
        if same:
            return digest
        if not force:
            raise InputError(
                "is there already, with another content; --force replaces it, or choose another "
                "folder",
                path=path,
            )
    write_atomically(path, data)
    return digest


def _index(entries: list[LibraryEntry]) -> str:
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(INDEX_COLUMNS)
    for entry in entries:
        words = {True: f"{entry.objective:.15g}", False: "Infeasible", None: ""}
        writer.writerow(
            [
                entry.name,
                "" if entry.nodes is None else entry.nodes,
                entry.solver,
                entry.columns,
                entry.columns,
                entry.rows,
                entry.nonzeros,
                words[entry.feasible],
                " ".join([*entry.tags, *(["infeasible"] if entry.feasible is False else [])]),
                "" if entry.tilings is None else entry.tilings,
            ]
        )
    return stream.getvalue()


def _known(entry: LibraryEntry) -> Known:
    if entry.feasible is None:
        return "unkn", None
    return ("opt", entry.objective) if entry.feasible else ("inf", None)


def _readme(title: str, entries: list[LibraryEntry], suffix: str, formulation: str) -> str:
    given = [entry.name for entry in entries if "set_partitioning" not in entry.tags]
    others = f", but not of {listed(given)}, which came as files" if given else ""
    return f"""# {plain(title)}

{len(entries)} models ({suffix}) of binary variables, formulation {formulation}, written by calmip
{__version__}. Every solution is a tiling of a board by polyominoes or polyhexes{others}; the head
of a file, where its format has comments, says of which, and how its names are read.

* index.csv: sizes, objective, number of solutions, and the nodes until a solver (column
  `solver`) found the first one or had proved that there is none; empty where it did not
* index.solu: the known answers, as the checkers of SCIP and MIPLIB read them
* SHA256SUMS: `sha256sum -c SHA256SUMS`
* LICENSE, CITATION.cff

`calmip check .` holds the solution files NAME.sol in this folder against the models.
"""


def _beside(name: str) -> str:
    """Return a text that comes with the package; in a checkout it lies beside the package."""
    package = Path(__file__).parents[1]
    path = package / name
    return (path if path.is_file() else package.parent / name).read_text(encoding="utf-8")
