"""Model files by their suffix: written from exact covers and models, and read.

The readers are calmip's own, as solvers accept faulty files: HiGHS 1.15 reads the coefficient
``abc`` as 0, and a file cut within COLUMNS as a smaller model.

The comments at the head of a written file describe its contents and its names. ``.solu`` files,
as in MIPLIB and SCIP, have the known answers of the model files beside them.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from calmip._base.errors import InputError, clip, join_words
from calmip._base.files import bare_suffix, suffix_of, write_text
from calmip._base.registry import View
from calmip.formats.covers import FORMATS
from calmip.formats.reading import MAX_BYTES, TextFile, parse_number, quote, read_source
from calmip.problem.cover import ExactCover, Reveal
from calmip.problem.model import Model

__all__ = [
    "LINEAR",
    "READERS",
    "WRITERS",
    "Known",
    "cover_parts",
    "header",
    "is_model",
    "kind_of_text",
    "known_beside",
    "meaning",
    "model_parts",
    "plain",
    "read_model",
    "read_solu",
    "solu_text",
    "write_cover",
    "write_model",
]


READERS = View(FORMATS, lambda one: one.model)
"""The suffixes of files that are read."""

LINEAR = View(FORMATS, lambda one: None if one.cover else one.model)
"""The suffixes of files of any linear model."""

WRITERS = View(FORMATS, lambda one: one.cover or one.model)
"""The suffixes of files that an exact cover is written in."""

YAML = (".yaml", ".yml")
"""The suffixes of puzzles and instances, which no format has."""

WIDTH = 75


def read_model(path: str | Path, *, integer_default: float | None = None) -> Model:
    """Return the model in a file, which may be compressed by gzip, bzip2 or xz.

    LP and MPS files hold any mixed-integer linear model, OPB, CNF and DLX files binary ones.

    ``cost`` is minimised; ``maximise`` and ``offset`` have the file's sense and constant. Rows
    without a name are called R1, R2, ...

    Parameters
    ----------
    path
        A file whose name ends in ``.mps``, ``.lp``, ``.opb``, ``.cnf`` or ``.dlx``, with or
        without ``.gz``, ``.bz2`` or ``.xz``.
    integer_default
        The upper bound, 1 or infinity, of an integer variable without bounds in an MPS file;
        solvers differ. Without it such a file is refused. Other formats have their own default.

    Raises
    ------
    InputError
        If the file cannot be read, is cut or not valid, or is not a linear model. The
        error has the line if it is known.
    """
    file = Path(path)
    language = bare_suffix(file)
    if language in FORMATS and FORMATS[language].convert:
        raise InputError(
            "is a program in a modelling language; write its model as an MPS or LP file first: "
            + FORMATS[language].convert.format(
                clip(file.name[: file.name.lower().rindex(language)], 100)
            ),
            path=clip(file, 200),
        )
    suffix, _ = suffix_of(file, READERS, read=True)
    _, read = READERS[suffix]()
    if integer_default not in (None, 1, math.inf):
        raise InputError(f"the integer default is 1 or inf, not {integer_default}")
    # Some programs write an objective, or a row, on one line.
    text = read_source(file, longest=MAX_BYTES)
    source = replace(text, integer_default=integer_default)
    return read(source).changed(source=str(path))


def is_model(path: Path) -> bool:
    """Return whether a file's name is that of a model that `read_model` reads."""
    suffix = bare_suffix(path)
    return suffix not in YAML and suffix in READERS


KINDS = {
    ".cnf": r"p\s+cnf\s.*",
    ".mps": r"(?:NAME|ROWS|OBJSENSE|OBJNAME)(?:\s.*)?",
    ".opb": r"\*\s*#variable=.*|(?:min|max):.*|(?:[^*].*)?;\s*",
    ".lp": r"\\.*|\s*(?:min|max)(?:imi[sz]e|imum)?\b.*",
    ".yaml": r"[A-Za-z_-]+\s*:.*|\{.*|---.*",
}
"""The suffixes of texts of models and instances by a line that no other kind begins with."""


def kind_of_text(source: TextFile) -> str:
    """Return the suffix that a text of a model or an instance has as a file, empty if unknown."""
    kinds = dict(KINDS)
    if any(line.strip().lower() == "end" for line in source.lines):
        del kinds[".opb"]  # whose objective begins as that of an LP file
    elif any(line.rstrip().endswith(";") for line in source.lines):
        del kinds[".lp"]
    for line in source.lines:
        for kind, pattern in kinds.items():
            if re.fullmatch(pattern, line, re.IGNORECASE if kind == ".lp" else 0):
                return kind
    return ""


def model_parts(model: Model, suffix: str) -> Iterator[str]:
    """Return the text of a model in the format of a suffix, in parts.

    Raises
    ------
    InputError
        If the format cannot say the model.
    """
    suffix_of(Path(f"model{suffix}"), WRITERS)
    write = READERS[suffix]()[0] if suffix in READERS else None
    if write is None:
        known = join_words([one for one in READERS.own if READERS[one]()[0]])
        raise InputError(f"a {suffix} file holds an exact cover, not a model; write one of {known}")
    return iter([write(model)])


def write_model(path: Path, model: Model) -> None:
    """Write a model in the format of the file's suffix, compressed if ``.gz`` follows."""
    suffix, _ = suffix_of(path, WRITERS)
    write_text(path, model_parts(model, suffix))


def cover_parts(cover: ExactCover, suffix: str, comments: Iterable[str] = ()) -> Iterator[str]:
    """Return the text of an exact cover in the format of a suffix, in parts."""
    suffix_of(Path(f"model{suffix}"), WRITERS)
    write = FORMATS[suffix].cover
    if write is not None:
        return write(cover, comments)
    return model_parts(Model.from_cover(cover, comments=comments), suffix)


def write_cover(path: Path, cover: ExactCover, comments: Iterable[str] = ()) -> None:
    """Write an exact cover in the format of the file's suffix, compressed if ``.gz`` follows.

    The same cover and comments give the same bytes on every system.

    Parameters
    ----------
    path
        The file to make or replace; its suffix is one of `WRITERS`, each also with ``.gz``.
    cover
        The exact cover.
    comments
        Lines of printable ASCII for the head, such as those of `header`.

    Raises
    ------
    InputError
        If the suffix is unknown or the file cannot be written.
    """
    suffix, _ = suffix_of(path, WRITERS)
    write_text(path, cover_parts(cover, suffix, comments))


def plain(text: str) -> str:
    """Return a text as one line of printable ASCII, with any other character replaced."""
    return "".join(
        c if " " <= c <= "~" else c.encode("unicode_escape").decode("ascii") for c in text
    )


def header(
    cover: ExactCover, size: tuple[int, int, int] | None = None, *, tilings: int | None = None
) -> tuple[str, ...]:
    """Return the lines that open an exported file, printable ASCII of under 80 characters.

    Parameters
    ----------
    cover
        The exact cover in the file.
    size
        The numbers of columns, rows and nonzeros in the file, if they are not the cover's.
    tilings
        The number of its tilings, if it is known.
    """
    import textwrap

    wrapper = textwrap.TextWrapper(WIDTH, subsequent_indent="  ", break_on_hyphens=False)
    parts = _parts(cover, size, tilings)
    return tuple(line for part in parts for line in wrapper.wrap(plain(part)))


def meaning(cover: ExactCover, option: int) -> str:
    """Return an option in words: the piece and its cells, or the label that it reveals."""
    chosen = cover.option(option)
    if isinstance(chosen, Reveal):
        return f"reveals {chosen.label}"
    if not chosen.cells:
        rule = cover.option_names[option].rpartition("_")[2]
        if rule.startswith("max"):
            return f"leaves at most {rule[3:]} of piece {chosen.piece} and its equals out"
        return f"leaves piece {chosen.piece} out" + ", or an equal one" * (rule != "left")
    board = cover.instance.puzzle.board
    cells = " ".join(f"{board.label(cell)}({cell[0]},{cell[1]})" for cell in chosen.cells)
    return f"piece {chosen.piece} on {cells}"


def _parts(
    cover: ExactCover, size: tuple[int, int, int] | None, tilings: int | None
) -> Iterator[str]:
    instance = cover.instance
    puzzle, board = instance.puzzle, instance.puzzle.board
    yield puzzle.name + (f": {instance.name}" if instance.name != puzzle.name else "")
    group_of = {label: group for group, labels in puzzle.groups.items() for label in labels}
    reveal = [f"{group_of.get(label, 'label')} {label}" for label in instance.labels]
    reveal += [f"{group} free" for group in instance.free]
    flips = "may" if puzzle.flip else "may not"
    rules = "".join(f"; {rule}" for rule in puzzle.piece_rules)
    yield f"uncovered: {', '.join(reveal) or 'nothing'}; pieces {flips} be turned over{rules}"
    for placed in instance.placed:
        cells = " ".join(f"{board.label((r, c))}({r},{c})" for r, c in placed.cells)
        yield f"placed already: {placed.piece} on {cells}"
    columns, rows, nonzeros = size or (cover.columns, cover.rows, cover.nonzeros)
    count = "" if tilings is None else f"; {tilings} tilings"
    yield f"{columns} columns, {rows} rows, {nonzeros} nonzeros{count}"
    if cover.placements:
        yield (
            f"A column is a placement: {cover.option_names[0]} is {meaning(cover, 0)}. "
            "Its name is piece _ orientation (a, b, ...) row column; row and column, from 0, "
            "are those of the first cell in row-major order."
        )
    if puzzle.optional:
        equal = any(number > 1 for number in cover.spare)
        more = (
            " Of equal pieces, PIECE_out1, PIECE_out2, ... leave one more out each, and "
            "PIECE_max0, PIECE_max1, ... state that at most so many are."
        )
        yield "A column PIECE_left leaves that piece out." + more * equal
    if instance.free:
        yield "A column r_LABEL reveals that label."
    yield (
        "A row is what must be covered: c_ row column a cell, p_ a piece"
        + ", g_ a group with one label to reveal" * bool(instance.free)
        + ", u_left the number of pieces left out" * bool(instance.use)
        + ", o_ the order in which equal pieces are left out" * any(n > 1 for n in cover.spare)
        + "."
    )


Known = tuple[str, float | None]
"""A word of `WORDS` and the value of the objective, None if the word has none."""

WORDS = {"opt": True, "best": True, "inf": False, "feas": False, "unkn": False}
"""``opt`` is the optimum, ``best`` the best that is known, ``inf`` that there is no solution,
``feas`` that there is one; and whether a value follows."""


def read_solu(path: Path) -> dict[str, Known]:
    """Return the answers in a ``.solu`` file by the instances' names, one for each."""
    source = read_source(path)
    found: dict[str, Known] = {}
    for number, line in enumerate(source.lines, start=1):
        parts = line.split()
        if not parts or parts[0].startswith("#"):
            continue
        word = parts[0].strip("=")
        value = parse_number(parts[2]) if len(parts) == 3 else None
        proper = parts[0] == f"={word}=" and word in WORDS and len(parts) in (2, 3)
        if not proper or WORDS[word] != (value is not None):
            forms = "=opt= NAME VALUE, =best= NAME VALUE, =inf= NAME, =feas= NAME or =unkn= NAME"
            raise source.error(f"found {quote(line)}; a line is {forms}", number)
        known = (word, value)
        if found.setdefault(parts[1], known) != known:
            raise InputError(f"has two answers for {quote(parts[1])}", path=path, line=number)
    return found


def known_beside(folder: Path) -> dict[str, tuple[Known, str]]:
    """Return the answers in the ``.solu`` files of a folder, each with the name of its file.

    The last file that names an instance counts.
    """
    return {
        name: (known, path.name)
        for path in sorted(folder.glob("*.solu"))
        for name, known in read_solu(path).items()
    }


def solu_text(known: Mapping[str, Known]) -> str:
    """Return the lines of a ``.solu`` file."""
    return "".join(
        f"={word}= {name}\n" if value is None else f"={word}= {name} {value:.15g}\n"
        for name, (word, value) in known.items()
    )
