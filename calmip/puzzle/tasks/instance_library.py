"""Libraries of model files in MIPLIB's form: index, known answers, licence and checksums.

The module also makes the text of each file in a formulation.
"""

from __future__ import annotations

import contextlib
import io
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from calmip._base.errors import InputError, join_words
from calmip._base.files import (
    digest_of,
    encode,
    make_folder,
    os_errors,
    scratch_folder,
    suffix_of,
    write_atomically,
)
from calmip._base.limits import Limits, Progress
from calmip._base.shards import WHOLE, Shard
from calmip._base.signals import hold_signals
from calmip._base.version import __version__
from calmip.mip.files.model_files import Known, model_parts, solu_text
from calmip.mip.files.registry import FORMATS
from calmip.mip.model import Model
from calmip.models import PACKING, build, objective
from calmip.puzzle.cover import ExactCover
from calmip.puzzle.documents.serialise import csv_text
from calmip.puzzle.files.cover_files import LINEAR, WRITERS, cover_parts, header, plain
from calmip.puzzle.instance import Instance
from calmip.puzzle.search.exact_cover.search import count_few
from calmip.puzzle.tasks.problems import InstanceProblem, ModelProblem, per_kind, problem_of

if TYPE_CHECKING:
    from calmip.puzzle.tasks.problems import PerKind

MAX_QUICK_STEPS = 1000
"""The most steps of a quick count; every bundled puzzle needs fewer than 600 per date."""


class ModelText(NamedTuple):
    """The text of a model file, in parts, and the size of the model."""

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

    The head of the file gets the number of tilings, the NAME line of an MPS file a name.

    Raises
    ------
    InputError
        If the formulation is unknown, or does not write files with this suffix.
    SolverMissing
        If the formulation's package is not installed.
    """
    if formulation == "matrix":
        # Readers refuse a model file without columns; see `Model.from_cover`.
        least = 1 if suffix in LINEAR else 0
        size = (max(cover.columns, least), cover.rows, cover.nonzeros)
        comments = header(cover, size, tilings=tilings)
        return ModelText(_rename(cover_parts(cover, suffix, comments), suffix, name), *size)
    if suffix not in LINEAR:
        raise InputError(
            f"formulation {formulation} writes {join_words(LINEAR)}, not {suffix}; "
            "formulation matrix writes every format"
        )
    with scratch_folder() as folder:
        path = folder / f"model{suffix}"
        model = build(formulation, cover)
        model.write(path)
        text = path.read_text(encoding="utf-8")
    comments = header(cover, model.size, tilings=tilings)
    parts = [*(f"{FORMATS[suffix].comment} {line}\n" for line in comments), text]
    return ModelText(_rename(iter(parts), suffix, name), *model.size)


def _rename(parts: Iterator[str], suffix: str, name: str) -> Iterator[str]:
    if suffix != ".mps" or not name:
        return parts
    line = re.compile(r"^NAME\b.*", re.M)
    return (line.sub(f"NAME          {name}", one) if "NAME" in one else one for one in parts)


def quick_count(cover: ExactCover) -> int | None:
    """Return the number of tilings, or None if counting takes more than about a second.

    The effort is measured in steps, not by a clock: the same instance always has the same answer.
    """
    few = count_few(cover)
    if few is not None:
        return few
    from calmip.puzzle.search.exact_cover.counting import count

    steps = iter(range(MAX_QUICK_STEPS))

    def step(_: Progress) -> None:
        if next(steps, None) is None:
            raise TimeoutError

    try:
        return count(cover, Limits(progress=step))
    except TimeoutError:
        return None


@dataclass(frozen=True)
class Given:
    """A model, or an exact cover, with its name and its known answer."""

    name: str
    model: Model | ExactCover
    known: Known | None


Exportable = tuple[Instance, int | None] | Given
"""An instance under the name of its file and the number of its tilings, or None; or a file."""

INDEX_COLUMNS = (
    "instance",
    "nodes",
    "solver",
    "variables",
    "binaries",
    "constraints",
    "nonzeros",
    "objective",
    "tags",
    "tilings",
)
"""The columns of MIPLIB's table of instances, with the nodes of a search as the measure of
difficulty, and the number of tilings. Nothing in it depends on the machine's speed."""

INDEX_OF_SHARD = "index-*-of-*.csv"
"""The names of the indices of shards, until there is that of the whole."""

SUMS = "SHA256SUMS"

MAX_INDEX_BYTES = 100_000_000
"""The most bytes of an earlier index that is read again."""

MAX_MEASURED_NODES = 5_000_000
"""The most nodes of the search that measures the difficulty of an instance, half a second."""

Measured = tuple[int | None, str]
"""The nodes (None if the search did not end), and the solver."""


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
        The objective's value at every solution, or its best; None if that is unknown.
    tilings
        The number of solutions; None if that takes too long to count.
    feasible
        Whether there is a solution; None if unknown.
    nodes, solver
        The nodes of the solver's search for a first solution; None if it did not end.
    tags
        MIPLIB's words for the kind of model.
    binaries
        The number of binary columns; None if all are.
    best
        Whether the objective is only the best that is known.
    """

    name: str
    columns: int
    rows: int
    nonzeros: int
    objective: float | None
    tilings: int | None
    feasible: bool | None = None
    nodes: int | None = None
    solver: str = ""
    tags: tuple[str, ...] = ("binary", "feasibility", "set_partitioning")
    binaries: int | None = None
    best: bool = False


class LibraryWriter:
    """The writer of a library, a file for each model as it comes, and the index at the end.

    Parameters
    ----------
    folder
        Write the files to this folder.
    suffix, formulation, force
        As for `calmip.export.dates`.

    Raises
    ------
    InputError
        If the suffix or the formulation is not one for a library.
    """

    def __init__(
        self, folder: Path, *, suffix: str, formulation: str = "matrix", force: bool = False
    ) -> None:
        try:
            kind, packed = suffix_of(Path(f"model{suffix}"), WRITERS)
        except InputError as error:  # the file is not the user's
            raise InputError(error.message) from None
        if suffix != kind + (".gz" if packed else ""):
            raise InputError(f"'{suffix}' is not a suffix; write it as {kind} or {kind}.gz")
        if formulation == PACKING:
            raise InputError(
                f"a library has answers beside the models, and the optimum of {formulation} "
                "is not known for instances without a tiling; use another formulation"
            )
        self._kind, self._packed = kind, packed
        self._folder, self._suffix, self._formulation = folder, suffix, formulation
        self._force = force
        self.entries: list[LibraryEntry] = []
        self._sums: dict[str, str] = {}

    @cached_property
    def _measured(self) -> dict[str, Measured]:
        found: dict[str, Measured] = {}
        for path in [self._folder / "index.csv", *self._folder.glob(INDEX_OF_SHARD)]:
            found |= _read_measured(path)
        return found

    @cached_property
    def _earlier(self) -> dict[str, str]:
        """The digests of an earlier run's files, by their names."""
        with contextlib.suppress(OSError, ValueError):
            path = self._folder / SUMS
            if path.stat().st_size <= MAX_INDEX_BYTES:
                lines = path.read_text(encoding="utf-8").splitlines()
                return {name: digest for digest, _, name in (x.partition("  ") for x in lines)}
        return {}

    def _is_earlier(self, name: str, data: bytes | None = None) -> bool:
        """Return whether a file is as an earlier run wrote it, and has these bytes if given."""
        with contextlib.suppress(OSError):
            found = data if data is not None else (self._folder / name).read_bytes()
            return digest_of(found) == self._earlier.get(name)
        return False

    def has(self, given: Given) -> bool:
        """Return whether an earlier run has written this model."""
        data = b"".join(
            encode(parts_of(problem_of(given.model), self._kind, given.name), packed=self._packed)
        )
        return self._is_earlier(f"{given.name}{self._suffix}", data)

    def table(self, name: str) -> list[dict[str, str]]:
        """Return the rows of a table of an earlier run; none if it was changed since."""
        if not self._is_earlier(name):
            return []
        import csv

        text = (self._folder / name).read_text(encoding="utf-8")
        return list(csv.DictReader(io.StringIO(text)))

    def add(self, one: Exportable, beside: Mapping[str, str] = MappingProxyType({})) -> None:
        """Write a model, and further texts by their suffixes."""
        kind = self._kind
        if isinstance(one, Given):
            parts, entry = parts_of(problem_of(one.model), kind, one.name), _given_entry(one)
        else:
            instance, tilings = one
            cover, measured = ExactCover(instance), self._measured.get(instance.name)
            text = model_text(cover, kind, self._formulation, tilings=tilings, name=instance.name)
            entry = _entry(cover, text, tilings, self._formulation, measured)
            parts = text.parts
        data = b"".join(encode(parts, packed=self._packed))
        with hold_signals():  # a model that is written is in the index
            self._put(f"{entry.name}{self._suffix}", data)
            for suffix, content in beside.items():
                self._put(f"{entry.name}{suffix}", content.encode())
            self.entries.append(entry)

    def finish_shard(self, shard: Shard) -> None:
        """Write the index of a shard, which that of the whole replaces."""
        make_folder(self._folder)
        name = f"index-{shard.number}-of-{shard.total}.csv"
        write_atomically(self._folder / name, _index(self.entries).encode())

    def finish(
        self,
        title: str,
        *,
        about: str = "",
        beside: Mapping[str, str] = MappingProxyType({}),
        partial: bool = False,
    ) -> None:
        """Write the index and what describes the whole.

        They replace those of an earlier run that was interrupted, whose models are among these.

        Parameters
        ----------
        title
            The README's heading.
        about
            Its paragraph on the models, by default that they are those of boards.
        beside
            The texts of further files, by their names.
        partial
            Whether models are missing. Then those of an earlier run with more models stay.
        """
        earlier = {name: digest for name, digest in self._earlier.items() if not _is_index(name)}
        if partial and self._sums.items() < earlier.items():
            return
        continues = earlier.items() <= self._sums.items()
        known = solu_text({entry.name: _solu_line(entry) for entry in self.entries})
        readme = _readme(title, self.entries, self._suffix, self._formulation, about)
        for name, content in {
            "index.solu": known,
            "index.csv": _index(self.entries),
            "README.md": readme,
            "LICENSE": _beside("LICENSE"),
            "CITATION.cff": _beside("CITATION.cff"),
            **beside,
        }.items():
            replaced = name == "index.csv" or (continues and self._is_earlier(name))
            self._put(name, content.encode(), force=replaced)
        lines = "".join(f"{digest}  {name}\n" for name, digest in self._sums.items())
        _put(self._folder / SUMS, lines.encode(), force=True)
        for path in self._folder.glob(INDEX_OF_SHARD):
            path.unlink()

    def _put(self, name: str, data: bytes, *, force: bool = False) -> None:
        make_folder(self._folder)
        self._sums[name] = _put(self._folder / name, data, force=self._force or force)


def write_library(
    title: str,
    models: Collection[Exportable],
    writer: LibraryWriter,
    limits: Limits,
    shard: Shard = WHOLE,
) -> tuple[LibraryEntry, ...]:
    """Write a library of models, or a shard of it; see `calmip.export.dates`."""
    own = [one for one in models if shard.has(_name_of(one))]
    limits.report(0, len(own))
    for one in own:
        writer.add(one)
        limits.report(len(writer.entries), len(own))
    if shard.whole:
        writer.finish(title)
    else:
        writer.finish_shard(shard)
    return tuple(writer.entries)


def _name_of(one: Exportable) -> str:
    return one.name if isinstance(one, Given) else one[0].name


def _entry(
    cover: ExactCover,
    text: ModelText,
    tilings: int | None,
    formulation: str,
    measured: Measured | None,
) -> LibraryEntry:
    """Return a line of the index; an earlier measurement is not repeated."""
    from calmip.puzzle.search.exact_cover.search import Search
    from calmip.puzzle.search.exact_cover.witnesses import exists

    feasible = None if tilings is None else tilings > 0
    if measured is None:
        search = Search(cover, limit=1, node_limit=MAX_MEASURED_NODES)
        found = any(True for _ in search)
        # A block of nodes may end beyond the limit, and blocks differ without the compiled search.
        ended = (found or search.complete) and search.nodes <= MAX_MEASURED_NODES
        nodes = search.nodes if ended else None
        measured = nodes, "exact-cover"
        if found or search.complete:
            feasible = found
    elif feasible is None:
        feasible = None if measured[0] is None else exists(cover)[0]
    return LibraryEntry(
        cover.instance.name,
        text.columns,
        text.rows,
        text.nonzeros,
        objective(formulation, cover),
        tilings,
        feasible,
        *measured,
    )


parts_of: PerKind[Iterator[str]] = per_kind()
"""Return the text of a problem in a linear format, under a name if one is given."""


@parts_of.register(InstanceProblem)
def _(problem: InstanceProblem, kind: str, name: str = "") -> Iterator[str]:
    return model_text(problem.cover, kind, name=name).parts


@parts_of.register(ModelProblem)
def _(problem: ModelProblem, kind: str, name: str = "") -> Iterator[str]:
    model = replace(problem.model, name=name) if name else problem.model
    if kind not in LINEAR:
        raise InputError(f"{name} is a model file, and is written as .mps or .lp, not {kind}")
    return model_parts(model, kind)


def _given_entry(given: Given) -> LibraryEntry:
    """Return a line of the index; without costs any solution is an optimum of 0.

    The written model minimises: a maximum changes its sign.
    """
    problem, (word, value) = problem_of(given.model), given.known or ("unkn", None)
    model = problem.relaxed(packing=False)
    if word == "feas" and not model.cost.any():
        word, value = "opt", model.offset
    feasible = {"opt": True, "best": True, "feas": True, "inf": False}.get(word)
    if value is not None and model.maximise:
        value = 0.0 - value
    bounds = zip(model.column_lower, model.column_upper, model.integer, strict=True)
    binaries = sum(bool(one) and low > -1 and high < 2 for low, high, one in bounds)
    kind = "binary" if model.binary else "integer" if model.integer.all() else "mixed_integer"
    entry = LibraryEntry(
        given.name,
        len(model.columns),
        len(model.rows),
        len(model.index),
        None if word == "feas" else value or 0.0,
        None,
        feasible,
        binaries=int(binaries),
        best=word == "best",
    )
    return entry if problem.has_board else replace(entry, tags=(kind,))


def _read_measured(path: Path) -> dict[str, Measured]:
    """Return the measurements of an earlier index, as far as it can be read."""
    import csv

    found: dict[str, Measured] = {}
    with contextlib.suppress(OSError, ValueError, csv.Error, KeyError, TypeError):
        if path.stat().st_size > MAX_INDEX_BYTES:
            return found
        text = path.read_text(encoding="utf-8")
        for line in csv.DictReader(io.StringIO(text)):
            nodes = line["nodes"]
            if line["solver"] == "exact-cover" and re.fullmatch(r"\d{0,18}", nodes, re.ASCII):
                found[line["instance"]] = int(nodes) if nodes else None, line["solver"]
    return found


def _is_index(name: str) -> bool:
    """Return whether a file of a library describes the whole."""
    return name.endswith(".csv") or name in ("index.solu", "README.md", "LICENSE", "CITATION.cff")


def _put(path: Path, data: bytes, *, force: bool) -> str:
    """Write a file unless it exists; return its SHA-256."""
    digest = digest_of(data)
    if path.is_file():
        with os_errors(path, "cannot be read"):
            same = path.read_bytes() == data
        if same:
            return digest
        if not force:
            raise InputError(
                "exists already, with another content; --force replaces it, or choose another "
                "folder",
                path=path,
            )
    write_atomically(path, data)
    return digest


def _index(entries: list[LibraryEntry]) -> str:
    rows = []
    for entry in entries:
        value = "" if entry.objective is None else f"{entry.objective:.15g}"
        tags = " ".join([*entry.tags, *["infeasible"] * (entry.feasible is False)])
        binaries = entry.columns if entry.binaries is None else entry.binaries
        rows.append(
            (
                entry.name,
                entry.nodes,
                entry.solver,
                entry.columns,
                binaries,
                entry.rows,
                entry.nonzeros,
                {True: value, False: "Infeasible", None: ""}[entry.feasible],
                tags,
                entry.tilings,
            )
        )
    return csv_text(INDEX_COLUMNS, rows)


def _solu_line(entry: LibraryEntry) -> Known:
    if entry.feasible is None:
        return "unkn", None
    if not entry.feasible:
        return "inf", None
    word = "feas" if entry.objective is None else "best" if entry.best else "opt"
    return word, entry.objective


def _readme(
    title: str, entries: list[LibraryEntry], suffix: str, formulation: str, about: str
) -> str:
    given = [entry.name for entry in entries if "set_partitioning" not in entry.tags]
    others = f", but not of {join_words(given)}, which came as files" if given else ""
    kind = " of binary variables" if all("binary" in entry.tags for entry in entries) else ""
    about = about or (
        f"Every solution is a tiling of a board by polyominoes or polyhexes{others}; the head\n"
        "of a file, where its format has comments, says of which, and how its names are read."
    )
    return f"""# {plain(title)}

{len(entries)} models ({suffix}){kind}, formulation {formulation}, written by calmip
{__version__}. {about}

* index.csv: sizes, objective, number of solutions, and the nodes until a solver (column
  `solver`) found the first one or had proved that there is none; empty where it did not
* index.solu: the known answers, as the checkers of SCIP and MIPLIB read them
* SHA256SUMS: `sha256sum -c SHA256SUMS`
* LICENSE, CITATION.cff

`calmip check .` holds the solution files NAME.sol in this folder against the models.
"""


def _beside(name: str) -> str:
    """Return a text of the package; in a checkout it lies beside the package."""
    package = Path(__file__).parents[2]
    path = package / name
    return (path if path.is_file() else package.parent / name).read_text(encoding="utf-8")
