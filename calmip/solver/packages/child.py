"""The child of a solver that is a Python package: it does one task and writes down the answer."""

from __future__ import annotations

import json
import time
from importlib import import_module
from pathlib import Path

from calmip._limits import LEAST, Limits
from calmip.errors import CalmipError
from calmip.solver.base import ModelRefused, OptionUnknown

__all__ = ["serve"]


def serve(module: str, name: str) -> None:
    """Do the task in the current folder with the `Package` of this name in a module."""
    solver = getattr(import_module(module), name)()
    task = json.loads(Path("task.json").read_text(encoding="utf-8"))
    answer: dict[str, object]
    try:
        import_module(solver.module)
        seconds = task["seconds"]
        if seconds is not None:
            # The time is the caller's: to start this process and to load the package is part of it.
            seconds = max(seconds - (time.time() - task["asked"]), LEAST)
        log = print if task["log"] else None
        limits = Limits(
            seconds, task["seed"], task["threads"], log, tuple(task["start"]),
            tuple((str(name), str(value)) for name, value in task.get("options", ())),
        )  # fmt: skip
        outcome = solver.work(Path(task["model"]), limits)
        answer = {
            "status": outcome.status.value,
            "values": dict(outcome.values),
            "detail": outcome.detail,
            "nodes": outcome.nodes,
            "bound": outcome.bound,
        }
    except ImportError as error:
        answer = {"missing": str(error)}
    except OptionUnknown as error:
        answer = {"option": str(error)}
    except ModelRefused as error:
        answer = {"refused": str(error)}
    except CalmipError as error:
        answer = {"failed": str(error)}
    whole = Path("answer.part")
    whole.write_text(json.dumps(answer), encoding="utf-8")
    whole.replace("answer.json")
