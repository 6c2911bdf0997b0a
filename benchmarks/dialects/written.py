"""What readers read in the files that other programs write."""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from benchmarks.dialects.readers import ONLY_MPS, READERS, Reading
from benchmarks.dialects.writers import MODELS, WRITERS, Small

ROOT = Path(__file__).parents[2]
TIME_LIMIT = 60
RANGE = re.compile(r"(\S+) <= (.+) <= (\S+)")

Facets = Mapping[str, str]


def intended(model: Small) -> dict[str, str]:
    """Return the model in words, as `Reading.facets` does."""
    reading = Reading("")
    reading.maximise, reading.offset = model.maximise, model.offset
    for name, (cost, low, high, integer) in model.columns.items():
        reading.column(name, low, high, "integer" if integer else "continuous", cost)
    for name, (terms, low, high) in model.rows.items():
        reading.row(name, terms.items(), low, high)
    return reading.facets()


def parts(facets: Facets) -> dict[str, str]:
    """Return the parts of a reading; rows without their names, a range as two rows."""
    found = {}
    for name, text in facets.items():
        if not name.endswith(":"):
            found[name] = text
            continue
        match = RANGE.fullmatch(text)
        both = [f"{match[2]} >= {match[1]}", f"{match[2]} <= {match[3]}"] if match else [text]
        found.update({f"{one}:": one for one in both})
    return found


def difference(model: Small, facets: Facets) -> str:
    """Return how a reading differs from the model that was written; an empty text if it does not.

    What concerns a column that the model has not is that column alone: such a column may stand
    for a constant or a range.
    """
    wanted, found = parts(intended(model)), parts(facets)
    if model.maximise and found["objective"] == "minimise -x - 2 y":
        found["objective"] = wanted["objective"]
        texts = ["negated objective"]
    else:
        texts = []
    more = [name for name in found if name not in wanted and name[-1:] != ":"]
    texts += [f"further column {name}" for name in more]
    changed = [name for name, text in found.items() if wanted.get(name) != text]
    own = [name for name in changed if name not in more]
    with_more = {name for name in own if set(found[name].split()) & set(more)}
    texts += [found[name] for name in own if name not in with_more]
    gone = [name for name in wanted if name not in found]
    # A row or an objective with a further column is another way to say what is missing.
    if not with_more:
        texts += [f"without {name.rstrip(':')}" for name in gone]
    return "; ".join(texts)


def write(job: tuple[str, str, str], folder: Path) -> Path | None:
    """Return the file that a writer makes of a model; None if it makes none."""
    writer, key, suffix = job
    path = folder / f"{writer}-{key}{suffix}"
    command = [sys.executable, "-m", "benchmarks.dialects.writers", writer, key, str(path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, timeout=TIME_LIMIT, check=False)
    return path if done.returncode == 0 and path.exists() else None


def measure_written(ask: Callable[[str, Path], dict[str, Any]]) -> dict[str, dict[str, str]]:
    """Return what each reader reads otherwise in each file: a text, "same" or "refused"."""
    jobs = [
        (writer, key, suffix)
        for key, model in MODELS.items()
        for writer in WRITERS
        for suffix in (".mps", ".lp")
        # CBC reads no sense from MPS files.
        if not (model.maximise and writer == "CBC")
    ]
    found: dict[str, dict[str, str]] = {}
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(2) as pool:
        paths = list(pool.map(lambda job: write(job, Path(folder)), jobs))
        pairs = [
            (job, path, reader)
            for job, path in zip(jobs, paths, strict=True)
            for reader in READERS
            if path is not None
            and reader != "GLPK (fixed)"
            and (job[2] == ".mps" or reader not in ONLY_MPS)
        ]
        readings = pool.map(lambda pair: ask(pair[2], pair[1]), pairs)
        for (job, _, reader), reading in zip(pairs, readings, strict=True):
            text = "refused"
            if "facets" in reading:
                text = difference(MODELS[job[1]], reading["facets"]) or "same"
            elif "crash" in reading:
                text = "crashes"
            found.setdefault(" ".join((job[1], job[0], job[2])), {})[reader] = text
    return found


def plain(text: str, code: Callable[[str], str]) -> str:
    """Return a part of a difference, its name or formula as code."""
    for words in ("refused", "crashes", "negated objective"):
        if text == words:
            return words
    for words in ("further column ", "without "):
        if text.startswith(words):
            return words + code(text.removeprefix(words))
    kind, comma, formula = text.rpartition(", ")
    return f"{kind}{' ' if comma else ''}{code(formula)}"


def written_rows(
    written: Mapping[str, Mapping[str, str]], code: Callable[[str], str]
) -> Iterator[list[str]]:
    """Yield a row for each reading that is not the model that was written."""
    for name, readings in written.items():
        key, writer, suffix = name.split(" ")
        texts: dict[str, list[str]] = {}
        for reader, text in readings.items():
            if text != "same":
                texts.setdefault(text, []).append(reader)
        for text, readers in sorted(texts.items(), key=lambda pair: pair[0] == "refused"):
            reading = "; ".join(plain(one, code) for one in text.split("; "))
            yield [MODELS[key].title, writer, suffix[1:].upper(), reading, ", ".join(readers)]
