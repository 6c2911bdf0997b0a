"""``calmip prove``."""

from __future__ import annotations

from pathlib import Path

import click

from calmip.cli import exit_code
from calmip.cli._command import Source, command
from calmip.cli._options import deliver, note
from calmip.cli._progress import bar, counter
from calmip.cli._work import kept
from calmip.documents.reader import read_instance
from calmip.errors import InputError, shown
from calmip.proofs.folder import PARTS
from calmip.proofs.logs import DIALECTS
from calmip.tasks.prove import prove, prove_check, prove_dates

__all__ = ["prove_command"]


@command(
    "prove",
    "calmip prove a-puzzle-a-day --reveal Oct,6 -o oct6",
    "calmip prove --check oct6",
    "calmip prove heart-set1 --all-dates --workers 2",
)
@click.argument("source", type=Source(), metavar="[INSTANCE]", required=False)
@click.option("--reveal", metavar="LABELS", help="Leave uncovered: month=Feb,day=29 or Feb,29.")
@click.option(
    "--date", metavar="DATE", help="Leave a date uncovered: 2024-02-29, today, tomorrow, +3 days."
)
@click.option("--flip/--no-flip", default=None, help="Whether pieces may be turned over.")
@click.option("-o", "--output", type=click.Path(path_type=Path), help="The folder to write to.")
@click.option(
    "--check", "checked", type=click.Path(path_type=Path), metavar="DIR", help="Check a folder."
)
@click.option(
    "--part",
    "parts",
    type=click.Choice(list(PARTS)),
    multiple=True,
    help="What to write; may be repeated.  [default: all, with --all-dates tree]",
)
@click.option(
    "--dialect",
    type=click.Choice(DIALECTS),
    help=f"The version of VeriPB's format.  [default: {DIALECTS[0]}]",
)
@click.option("--all-dates", is_flag=True, help="Prove and check every real date of a puzzle.")
@click.option(
    "--workers", type=int, default=1, show_default=True, help="With --all-dates: processes."
)
def prove_command(
    source: str | None,
    reveal: str | None,
    date: str | None,
    flip: bool | None,
    output: Path | None,
    checked: Path | None,
    parts: tuple[str, ...],
    dialect: str | None,
    all_dates: bool,
    workers: int,
) -> int:
    """Prove how many tilings INSTANCE has: these, and no others.

    Writes the model and the proof in three languages: proof.json is the
    search tree; model.opb and proof.pbp are for VeriPB, in the version 1.1 of
    its format or with --dialect 3.0 in that; model.cnf, in which the tilings
    are excluded, and proof.drat are for drat-trim.

    --check DIR checks such a folder, against INSTANCE if it is given. With
    --all-dates every real date of INSTANCE's puzzle is proved and checked, in
    memory or in a folder for each date under -o; if it was interrupted, run
    it again. The exit code is 0 if there is a tiling, 1 if it is proved that
    there is none, 4 if a proof does not hold.
    """
    if checked is not None:
        if output is not None or all_dates or parts or dialect:
            raise InputError(
                "--check DIR only checks; leave out -o, --part, --dialect and --all-dates"
            )
        if source is None and (reveal is not None or date is not None or flip is not None):
            raise InputError("--reveal, --date and --no-flip need an INSTANCE")
        instance = source and read_instance(source, reveal=reveal, date=date, flip=flip)
        proof = prove_check(checked, instance or None)
        if source is None:
            note("the puzzle is the one that proof.json states; name INSTANCE to compare it too")
    elif source is None:
        raise InputError("name an INSTANCE to prove something about, or a folder to --check")
    elif all_dates:
        if reveal is not None or date is not None:
            raise InputError("--all-dates proves every date; leave out --reveal and --date")
        if dialect is not None:
            raise InputError(f"--all-dates writes VeriPB's {DIALECTS[0]}; leave out --dialect")
        puzzle = read_instance(source, flip=flip, free=True).puzzle
        where = "proved in memory, and nothing is written"
        if output is not None:
            where = f"in {shown(output, 300)}; run it again to go on"
        with bar("dates", len(puzzle.named_dates()), where) as step:
            proof = prove_dates(
                puzzle, output, parts=parts or ("tree",), workers=workers, progress=step
            )
    elif output is None:
        raise InputError("name a folder for the proof: -o DIR")
    else:
        instance = read_instance(source, reveal=reveal, date=date, flip=flip)
        kept("the proof is not finished")
        with counter("nodes") as show:
            proof = prove(
                instance, output, parts=parts or tuple(PARTS), dialect=dialect or DIALECTS[0],
                progress=show,
            )  # fmt: skip
        if not proof.tilings:
            note(
                "calmip explain shows a smallest conflict, and multipliers where equations conflict"
            )
    deliver(f"{proof}\n", None)
    return exit_code(proof)
