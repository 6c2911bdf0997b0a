"""Print the script by which a shell completes the words of calmip."""

from __future__ import annotations

from dataclasses import dataclass

from calmip._base.errors import InputError, clip, join_words
from calmip.cli._variables import VARIABLE
from calmip.mip.status import Status
from calmip.puzzle.render.characters import Style
from calmip.puzzle.render.report import Document, Output, as_json, as_text
from calmip.puzzle.tasks.results import Result

SHELLS = {
    "bash": "Name the file in ~/.bashrc: . calmip.bash",
    "zsh": "Name the file in ~/.zshrc, below compinit: . calmip.zsh",
    "fish": "Put the file into ~/.config/fish/completions.",
}
"""The shells, and what to do with the script of each."""


@dataclass(frozen=True, repr=False)
class Completion(Result):
    """The script of a shell.

    Parameters
    ----------
    shell
        The shell.
    script
        The script.
    """

    shell: str
    script: str

    status = Status.DONE

    def _summary(self) -> str:
        return f"{self.shell}, {len(self.script.splitlines())} lines"


def completion(shell: str) -> Completion:
    """Print the script by which a shell completes commands, options and names of puzzles.

    Parameters
    ----------
    shell
        The shell: bash, zsh or fish.

    Raises
    ------
    InputError
        If the shell is another one.
    """
    from click.shell_completion import get_completion_class

    from calmip.cli import cli

    found = get_completion_class(shell) if shell in SHELLS else None
    if found is None:
        raise InputError(f"the shell is one of {join_words(SHELLS)}, not '{clip(shell)}'")
    complete = found(cli, {}, "calmip", VARIABLE)
    # source() would run bash, to look at its version.
    return Completion(shell, complete.source_template % complete.source_vars())


def _text(found: Completion, style: Style) -> str:
    """Return the script."""
    return as_text(Document("", [found.script.strip("\n")]), style)


COMPLETION = Output({"text": _text, "json": as_json})
