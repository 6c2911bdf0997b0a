"""Model files by their suffix: written from exact covers and models, and read.

The readers are calmip's own. What a solver's reader does with a faulty file is
its own affair: HiGHS 1.15 takes the coefficient ``abc`` for 0 and a file cut
within COLUMNS for a smaller model. A model that is to be judged must not be
read so.

The comments at the head of a written file say what it is, and how to read its names. The ``.solu``
files of MIPLIB and SCIP beside model files say what is known of them.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from calmip._files import suffix_of, write_text
from calmip.errors import InputError, shown
from calmip.formats.covers import FORMATS
from calmip.formats.reading import parse_number, quoted, read_source
from calmip.problem.binary_model import BinaryModel
from calmip.problem.cover import ExactCover, Placement, Reveal

__all__ = [
    "READERS",
    "WRITERS",
    "Known",
    "cover_parts",
    "header",
    "is_model",
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


READERS = {suffix: one.read for suffix, one in FORMATS.items() if one.read}
"""The suffixes of files that are read; any binary model is written in these formats too."""

WRITERS = tuple(suffix for suffix, one in FORMATS.items() if one.cover or one.model)
"""The suffixes of files that an exact cover is written in."""

WIDTH = 75


def read_model(path: str | Path) -> BinaryModel:
    """Return the model in an MPS or LP file, which may be compressed by gzip.

    The objective is turned to be minimised, its sense and its constant noted; bounds that
    fix a variable become rows ``fix_NAME``; rows without a name are called R1,
    R2, ...

    Parameters
    ----------
    path
        A file whose name ends in ``.mps`` or ``.lp``, with or without ``.gz``.

    Raises
    ------
    InputError
        If the file cannot be read, is cut or not valid, or holds anything but
        a linear model whose variables are all binary; with the line where
        there is one.
    """
    file = Path(path)
    language = Path(file.name.lower().removesuffix(".gz")).suffix
    if language in FORMATS and FORMATS[language].convert:
        raise InputError(
            "is a program in a modelling language; write its model as an MPS or LP file first: "
            + FORMATS[language].convert.format(
                shown(file.name[: file.name.lower().rindex(language)], 100)
            ),
            path=shown(file, 200),
        )
    suffix, _ = suffix_of(file, READERS)
    return READERS[suffix](read_source(file)).changed(source=str(path))


def is_model(path: Path) -> bool:
    """Return whether a file is by its name a model that `read_model` reads."""
    return path.name.lower().removesuffix(".gz").endswith(tuple(READERS))


def model_parts(model: BinaryModel, suffix: str) -> Iterator[str]:
    """Return the text of a binary model in the format of a suffix, in parts.

    Raises
    ------
    InputError
        If no binary model is written in this format.
    """
    suffix_of(Path(f"model{suffix}"), READERS)
    write = FORMATS[suffix].model
    assert write is not None
    return iter([write(model)])


def write_model(path: Path, model: BinaryModel) -> None:
    """Write a binary model in the format of the file's suffix, compressed behind ``.gz``.

    Raises
    ------
    InputError
        If no binary model is written in this format, or the file cannot be written.
    """
    suffix, _ = suffix_of(path, READERS)
    write_text(path, model_parts(model, suffix))


def cover_parts(cover: ExactCover, suffix: str, comments: Iterable[str] = ()) -> Iterator[str]:
    """Return the text of an exact cover in the format of a suffix, in parts.

    Raises
    ------
    InputError
        If the suffix is unknown.
    """
    suffix_of(Path(f"model{suffix}"), WRITERS)
    write = FORMATS[suffix].cover
    if write is not None:
        return write(cover, comments)
    return model_parts(BinaryModel.from_cover(cover, comments=comments), suffix)


def write_cover(path: Path, cover: ExactCover, comments: Iterable[str] = ()) -> None:
    """Write an exact cover in the format of the file's suffix, compressed behind ``.gz``.

    The same cover and comments give the same bytes, wherever they are written.

    Parameters
    ----------
    path
        The file to make or replace; its suffix is one of `WRITERS`, each also
        with ``.gz``.
    cover
        The exact cover.
    comments
        Lines of printable ASCII for the head, such as those of
        `header`.

    Raises
    ------
    InputError
        If the suffix is unknown or the file cannot be written.
    """
    suffix, _ = suffix_of(path, WRITERS)
    write_text(path, cover_parts(cover, suffix, comments))


def plain(text: str) -> str:
    """Return a text on one line of printable ASCII, whatever a label or a name contains."""
    return "".join(
        c if " " <= c <= "~" else c.encode("unicode_escape").decode("ascii") for c in text
    )


def header(
    cover: ExactCover, size: tuple[int, int, int] | None = None, *, tilings: int | None = None
) -> tuple[str, ...]:
    """Return the lines that open an exported file.

    Parameters
    ----------
    cover
        The exact cover in the file.
    size
        The numbers of columns, rows and nonzeros in the file, where they are not the cover's.
    tilings
        The number of its tilings, where it is known.

    Returns
    -------
    tuple of str
        Lines of printable ASCII, under 80 characters.
    """
    return tuple(line for part in _parts(cover, size, tilings) for line in _wrapped(part))


def meaning(cover: ExactCover, option: int) -> str:
    """Return what an option does, in words: the piece and its cells, or the label it reveals."""
    chosen = cover.option(option)
    if isinstance(chosen, Reveal):
        return f"reveals {chosen.label}"
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
    yield f"uncovered: {', '.join(reveal) or 'nothing'}; pieces {flips} be turned over"
    for placed in instance.placed:
        cells = " ".join(f"{board.label((r, c))}({r},{c})" for r, c in placed.cells)
        yield f"placed already: {placed.piece} on {cells}"
    count = "" if tilings is None else f"; {tilings} tilings"
    columns, rows, nonzeros = size or (cover.columns, cover.rows, cover.nonzeros)
    yield f"{columns} columns, {rows} rows, {nonzeros} nonzeros{count}"
    shown = next((n for n in range(cover.columns) if isinstance(cover.option(n), Placement)), None)
    if shown is not None:
        yield (
            f"A column is a placement: {cover.option_names[shown]} is {meaning(cover, shown)}. "
            "Its name is piece _ orientation (a, b, ...) row column; row and column, from 0, "
            "are those of the first cell in row-major order."
        )
    if instance.free:
        yield "A column r_LABEL reveals that label."
    yield (
        "A row is what must be covered: c_ row column a cell, p_ a piece"
        + (", g_ a group with one label to reveal." if instance.free else ".")
    )


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(plain(text), WIDTH, subsequent_indent="  ", break_on_hyphens=False)


Known = tuple[str, float | None]
"""A word of `WORDS` and the value of the objective, None where the word has none."""

WORDS = {"opt": True, "best": True, "inf": False, "feas": False, "unkn": False}
"""``opt`` is the optimum, ``best`` the best that is known, ``inf`` that there is no solution,
``feas`` that there is one; and whether a value follows."""


def read_solu(path: Path) -> dict[str, Known]:
    """Return what a ``.solu`` file knows, by the instances' names.

    Raises
    ------
    InputError
        If it cannot be read or a line is none of ``=opt= NAME VALUE``, ``=best= NAME VALUE``,
        ``=inf= NAME``, ``=feas= NAME`` and ``=unkn= NAME``, or if an instance is there
        with two different answers.
    """
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
            raise source.error(
                f"found {quoted(line)}; a line is =opt= NAME VALUE, =best= NAME VALUE, "
                "=inf= NAME, =feas= NAME or =unkn= NAME",
                number,
            )
        known = (word, value)
        if found.setdefault(parts[1], known) != known:
            raise InputError(f"knows two answers of {quoted(parts[1])}", path=path, line=number)
    return found


def known_beside(folder: Path) -> dict[str, tuple[Known, str]]:
    """Return what the ``.solu`` files of a folder know, each with the name of its file.

    The last file that names an instance counts.

    Raises
    ------
    InputError
        As `read_solu` does.
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
