"""The JSON Schemas of the site, made of what the program declares.

Which keys there are, the names that an entry may be, and of results the types and the meanings
as well, are the program's: the readers' keys, the columns of a campaign's file, the fields and
the docstrings of results. `plain.py` writes the files; none is committed.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Iterable, Mapping
from typing import Any

from pages import meaning

from calmip import Solution, SolutionPool
from calmip.bench.bench import Report
from calmip.bench.bench_report import FIRST
from calmip.bench.campaign import campaign_file as campaigns
from calmip.bench.campaign.jobs import STATUSES
from calmip.bench.campaign.statistics import CLOCKS, Pair
from calmip.bench.campaign.store import COLUMNS, SIDES
from calmip.mip.iis.constraint_sets import SIDES as SIDES_OF_COLUMNS
from calmip.mip.iis.least_change import Repair
from calmip.mip.iis.subsystem import ALL_BOUNDS, FARKAS, Subsystem
from calmip.mip.lp.inequality import Basis
from calmip.models import FORMULATIONS
from calmip.puzzle.documents.reader import INSTANCE_KEYS, PIECE_KEYS, PUZZLE_KEYS
from calmip.puzzle.lattice import LATTICES, SHAPES
from calmip.puzzle.render.reports.enumerate import STOPPED
from calmip.puzzle.tasks.compare import ModelComparison
from calmip.puzzle.tasks.enumeration import METHODS
from calmip.solvers import SOLVERS

SITE = "https://calmip.github.io/calmip/reference/schemas/"

Schema = dict[str, Any]

BOOLEAN, STRING, NUMBER = ({"type": name} for name in ("boolean", "string", "number"))
NAME = STRING | {"minLength": 1}
COUNT = {"type": "integer", "minimum": 0}
SECONDS = NUMBER | {"minimum": 0}


def ref(name: str) -> Schema:
    """Return what stands for a definition of the same schema."""
    return {"$ref": f"#/$defs/{name}"}


TEXT, TEXTS = ref("text"), ref("texts")


def about(description: str, kind: Schema) -> Schema:
    """Return a schema with a description."""
    return {"description": description, **kind}


def listed(kind: Schema, **more: Any) -> Schema:
    """Return the schema of a list, of one entry or more unless said otherwise."""
    return {"type": "array", "minItems": 1, **more, "items": kind}


def record(properties: Schema, required: Iterable[str] | None = None, **more: Any) -> Schema:
    """Return the schema of a mapping that has no other keys; all are required unless given."""
    needed = list(properties if required is None else required)
    kind = {"required": needed, "additionalProperties": False, "properties": properties}
    return {"type": "object", **kind, **more}


def keyed(keys: Iterable[str], kinds: Mapping[str, Schema]) -> Schema:
    """Return the kinds of all keys that the program knows, in its order.

    Raises
    ------
    ValueError
        If the program knows other keys.
    """
    keys = list(keys)
    if set(keys) != set(kinds):
        raise ValueError(f"declare here, or drop: {sorted(set(keys) ^ set(kinds))}")
    return {key: kinds[key] for key in keys}


def optional(kind: Schema) -> Schema:
    """Return the schema of what may be null."""
    return {**kind, "type": [kind["type"], "null"]}


KINDS = {
    "int": COUNT,
    "float": NUMBER,
    "str": STRING,
    "bool": BOOLEAN,
    "tuple[Tiling, ...]": {"type": "array", "items": ref("tiling")},
    "tuple[str, ...]": {"type": "array", "items": STRING},
}


def field(owner: type, key: str, own: Mapping[str, Schema] | None = None) -> Schema:
    """Return the schema of a field or a property by its annotation, with its meaning."""
    declared = getattr(owner, key, None)
    function = getattr(declared, "fget", None) or getattr(declared, "func", None)
    kinds = function.__annotations__ if function else inspect.get_annotations(owner)
    kind = kinds["return" if function else key] if not own or key not in own else ""
    plain = KINDS[kind.removesuffix(" | None")] if kind else (own or {})[key]
    return about(meaning(owner, key), optional(plain) if kind.endswith("None") else plain)


def puzzle() -> Schema:
    """Return the schema of puzzle files, without its definitions."""
    rows = about("The rows as a block text, after '|'.", STRING | {"pattern": "\\n"})
    kinds = {
        "name": about("The puzzle's name for people.", TEXT),
        "grid": about(
            "One text per row, places separated by blanks: a label, * for a cell without a label, "
            ". for a place off the board.",
            {"oneOf": [listed(STRING), rows]},
        ),
        "uncover": about("The reveal groups; exactly one label of each stays uncovered.", TEXTS),
        "groups": about(
            "Which labels make a group, where usual names of months and weekdays and numbers of "
            "days do not say it.",
            {"type": "object", "additionalProperties": TEXTS},
        ),
        "flip": about("Whether pieces may be turned over.", BOOLEAN | {"default": True}),
        "pieces": about(PIECES, ref("pieces")),
        "no_flip_pieces": about(
            "The pieces as they lie when they may not be turned over.", ref("pieces")
        ),
        "use": about(
            "How many pieces a tiling uses; if no piece is optional, all may be left out.",
            {"oneOf": [COUNT | {"minimum": 1}, STRING | {"pattern": "^[0-9]+$"}]},
        ),
        "lattice": about("Which cells touch.", {"enum": list(LATTICES), "default": "square"}),
        "id": about("A short name for programs, such as the file's.", TEXT),
        "note": about("For people; shown beside the puzzle.", TEXT),
        "sources": about("Where the board, the pieces and the counts are from.", TEXTS),
        "counts": about("Published counts; carried along.", {"type": "object"}),
    }
    return record(keyed(PUZZLE_KEYS, kinds), ["grid", "pieces"])


PIECES = (
    "A list whose entries are names of shapes or rows of '#'; or a mapping from a name to either."
)
SCALAR = about(
    "Any scalar; it is taken as the text that was written.",
    {"type": ["string", "number", "boolean"]},
)


def of_puzzles() -> Schema:
    """Return the definitions that puzzles need."""
    colour = about(
        "The colour in which it is drawn, or those of its front and its back: names, #rrggbb or "
        "#rgb.",
        {"oneOf": [STRING, listed(STRING, minItems=2, maxItems=2)]},
    )
    facts = {
        "shape": ref("shape"),
        "colour": colour,
        "flip": about("Whether it may be turned over, if the puzzle allows flips.", BOOLEAN),
        "rotate": about("Whether it may be turned; if not, it lies as drawn.", BOOLEAN),
        "optional": about("Whether it may be left out.", BOOLEAN),
    }
    shaped = keyed(PIECE_KEYS, facts)
    named = {"type": "object", "additionalProperties": ref("piece"), "minProperties": 1}
    shape = [
        about(
            "A shape by its name; which ones there are depends on the lattice.",
            {"enum": list(dict.fromkeys(name for names in SHAPES.values() for name in names))},
        ),
        about(
            "Rows: '#' is a cell, '.' or a blank none.", listed(STRING | {"pattern": "^[#. ]+$"})
        ),
        about("The rows as a block text, after '|'.", STRING | {"pattern": "^[#. ]*#[#. \\n]*$"}),
    ]
    return {
        "text": SCALAR,
        "texts": {"type": "array", "items": TEXT},
        "pieces": about(PIECES, {"oneOf": [listed(ref("piece")), named]}),
        "piece": {
            "oneOf": [ref("shape"), about("A shape with more keys.", record(shaped, ["shape"]))]
        },
        "shape": {"oneOf": shape},
    }


def instance() -> Schema:
    """Return the schema of instance files, without its definitions."""
    kinds = {
        "puzzle": about(
            "A bundled puzzle's name, a path relative to this file, or the puzzle itself.",
            {"oneOf": [NAME, ref("puzzle")]},
        ),
        "reveal": about(
            "What stays uncovered: the label of every group ('free' leaves it to the model), or a "
            "list of labels.",
            {"oneOf": [{"type": "object", "additionalProperties": TEXT}, TEXTS]},
        ),
        "placed": about(
            "Pieces that lie on the board already: places by piece, or entries such as U:15+16.",
            {
                "oneOf": [
                    {"type": "object", "additionalProperties": {"oneOf": [TEXTS, TEXT]}},
                    TEXTS,
                ]
            },
        ),
        "flip": about("Instead of the puzzle's.", BOOLEAN),
        "name": about("The instance's name for people.", TEXT),
        "note": about("For people; carried along.", TEXT),
    }
    return record(keyed(INSTANCE_KEYS, kinds), ["puzzle"])


def campaign() -> Schema:
    """Return the schema of campaigns."""
    names = {
        "propertyNames": {"pattern": "^[A-Za-z][A-Za-z0-9_./:-]*$"},
        "additionalProperties": TEXT,
    }
    options = about("The solver's options by their own names.", {"type": "object", **names})
    settings = about(
        "As its authors ship it, or with calmip's options for models of puzzles.",
        {"enum": list(campaigns.SETTINGS), "default": campaigns.SETTINGS[0]},
    )
    setting = keyed(
        campaigns.SOLVER_KEYS, {"name": ref("solver"), "settings": settings, "options": options}
    )
    size = {"type": "integer", "minimum": 1_000_000}
    goals = {"enum": list(campaigns.GOALS)}
    unique: Any = {"uniqueItems": True}
    kinds = {
        "instances": about(
            "What is to be solved: puzzles with dates, model files, bundled suites.",
            listed({"anyOf": [ref("puzzle"), ref("files"), ref("suite")]}),
        ),
        "formulations": about(
            "How puzzles become models; a model file is its own formulation.",
            listed({"enum": list(FORMULATIONS.own)}, **unique, default=["matrix"]),
        ),
        "solvers": about(
            "Solvers by name, or with options of their own; one may occur with several settings.",
            listed(
                {"anyOf": [ref("solver"), record(setting, ["name"])]},
                **unique,
                default=["highs", "cbc"],
            ),
        ),
        "seeds": about(
            "The solvers' random seeds.", listed(COUNT | {"maximum": 2**31 - 1}, default=[0])
        ),
        "time_limit": about(
            "Wall-clock seconds of each run.", NUMBER | {"exclusiveMinimum": 0, "default": 60}
        ),
        "cpu_limit": about(
            "CPU seconds of all processes of a run; then time_limit is three times as much unless "
            "given.",
            NUMBER | {"exclusiveMinimum": 0},
        ),
        "memory_limit": about(
            "What the processes of a run may hold together: bytes, or a size such as 500MB or "
            "2GiB. None unless given.",
            {"oneOf": [size, STRING | {"pattern": "^[0-9]+([.][0-9]+)? ?([kKmMgG][iI]?[bB])?$"}]},
        ),
        "goal": about(
            "One solution or the proof that there is none; or how many there are.",
            goals | {"default": "solve"},
        ),
        "shuffle": about("The seed of the order of the runs.", COUNT | {"default": 0}),
        "reference_every": about(
            "After so many runs a reference job shows how fast the machine is; 0 for never.",
            COUNT | {"default": 50},
        ),
        "logs": about("Whether the solvers' logs are kept.", BOOLEAN | {"default": True}),
        "name": about("The campaign's name for people.", TEXT),
        "note": about("For people; carried along.", TEXT),
    }
    tags = about(
        "Words by which reports group and filter the instances.",
        listed(STRING | {"pattern": "^[\\w.+-]{1,40}$"}),
    )
    known = {
        "goal": about("Instead of the campaign's.", goals),
        "why": about("For people: why it is there.", TEXT),
        "answer": about(
            "What is known of all its instances without a solver.",
            {"enum": list(campaigns.ANSWERS)},
        ),
        "reason": about("Why the answer holds.", NAME),
        "tags": tags,
    }
    both = {"dependentRequired": {"answer": ["reason"], "reason": ["answer"]}}
    one = {
        "puzzle": about(
            "A bundled puzzle's name, the path of a puzzle or an instance relative to this file, "
            "or the puzzle itself.",
            {"oneOf": [NAME, {"$ref": "puzzle.schema.json"}]},
        ),
        "dates": about(
            "An instance for each: days such as 2024-02-29, or all.",
            {"oneOf": [{"const": "all"}, listed(STRING)]},
        ),
        "reveal": about("Instead of dates: the labels that stay uncovered, such as Feb,29.", TEXT),
        "free": about("The model chooses what stays uncovered.", BOOLEAN | {"default": False}),
        "flip": about("Instead of the puzzle's.", BOOLEAN),
        "name": about("The instance's name.", TEXT),
    }
    files = about(
        "Model files (.mps, .lp, with or without .gz) relative to this file, such as lib/*.mps; "
        ".solu files beside them say what is known.",
        NAME,
    )
    suites = {"enum": list(campaigns.bundled_suites())}
    suite = {"suite": about("All instances of a bundled suite.", suites), "tags": tags}
    definitions = {
        "text": SCALAR,
        "solver": about("A solver's name.", {"enum": list(SOLVERS.own)}),
        "puzzle": record(keyed(campaigns.INSTANCE_KEYS, one | known), ["puzzle"], **both),
        "files": record(keyed(campaigns.FILE_KEYS, {"files": files} | known), ["files"], **both),
        "suite": record(suite, ["suite"]),
    }
    return record(keyed(campaigns.KEYS, kinds), ["instances"], **{"$defs": definitions})


def solution() -> Schema:
    """Return the schema of what solve and enumerate print of an instance."""
    total = {"additionalProperties": SECONDS, "required": ["total"]}
    placements = {"type": "array", "items": ref("placement")}
    own = {
        "instance": record(
            {
                "name": STRING,
                "puzzle": STRING,
                "reveal": ref("reveal"),
                "flip": BOOLEAN,
                "placed": placements,
            },
            ["name", "puzzle", "reveal", "flip"],
            additionalProperties=True,
        ),
        "status": {"enum": ["feasible", "infeasible", "unknown"]},
        "seconds": {"type": "object", **total},
        "stopped": {"enum": ["", *STOPPED]},
        "method": {"enum": list(METHODS)},
        "packing": {"allOf": [ref("tiling")], "required": ["missing"]},
    }
    found = {key: field(Solution, key, own) for key in (*Solution.KEYS, "packing")}
    for key in (*SolutionPool.KEYS, "tilings"):
        # Types are those of a pool, where the solver may be null.
        told = found.get(key) if key not in ("complete", "tilings") else None
        found[key] = field(SolutionPool, key, own) | (
            {"description": told["description"]} if told else {}
        )
    always = [key for key in SolutionPool.KEYS if key in Solution.KEYS and key != "reduced"]
    cell = about("[row, column], 0-based.", listed(COUNT, minItems=2, maxItems=2))
    placement = record({"piece": STRING, "cells": listed(ref("cell"))}, additionalProperties=True)
    definitions = {
        "cell": cell,
        "placement": placement,
        "tiling": record(
            {
                "reveal": ref("reveal"),
                "placements": placements,
                "left": listed(STRING, minItems=0),
                "backs": listed(STRING, minItems=0),
            },
            ["reveal", "placements"],
            additionalProperties=True,
        ),
        "reveal": {"type": "object", "additionalProperties": {"type": ["string", "array"]}},
    }
    return record(found, [*always, "tilings"], additionalProperties=True, **{"$defs": definitions})


RUN = {
    "instance": "The instance's name.",
    "formulation": "The formulation's name.",
    "solver": "The solver's name.",
    "version": "The solver's version.",
    "settings": "Whether the solver is as its authors ship it, or has calmip's options too.",
    "chosen": "The options that the campaign gives, in one line.",
    "options": "The options that the solver got, calmip's own included, in one line.",
    "seed": "The solver's random seed.",
    "status": "How the run ended.",
    "correct": "Whether a check or a witness verifies the answer; null where there is none.",
    "wall": "Wall-clock seconds of the solver's call.",
    "cpu": "Processor seconds of all processes of the run.",
    "start_wall": "Those of the seconds in which the solver's process started and loaded its "
    "package; null if unknown.",
    "start_cpu": "The same in processor seconds.",
    "waited": "Seconds in which the run waited for a processor; null if unknown.",
    "memory": "Bytes at the peak.",
    "nodes": "Nodes of the solver's search.",
    "key": "The hash of all that makes a run this one and no other.",
    "goal": "Whether one solution was to be found, or all to be counted.",
    "answer": "The solver's claim in calmip's terms, such as optimal.",
    "objective": "The objective's value at the solution that was found.",
    "bound": "The best bound that the solver proved.",
    "sense": "Whether the objective is minimised or maximised.",
    "count": "How many solutions, where they were counted.",
    "detail": "The solver's own word, or what went wrong.",
    "time_limit": "Wall-clock seconds that were allowed.",
    "cpu_limit": "Processor seconds that were allowed; null for any number.",
    "side": "Before or after, in a campaign in pairs; empty in others.",
    "round": "The number of the repetition, from 0.",
    "memory_limit": "Bytes that were allowed; null for any number.",
    "model": "The hash of the model's bytes.",
    "machine": "The kind of processor and the number of cores.",
    "host": "The machine's name.",
    "overhead": "Seconds beyond the solver's call.",
    "calmip": "The version of calmip.",
    "finished": "When it ended, in UTC.",
}
"""What the columns of a campaign's file mean; their types are the file's."""

LOGGED = {
    "root_bound": "The last bound at the root node by the solver's log; null if the log has none.",
    "first_solution": "Seconds until the first incumbent by the log; null without one.",
    "primal_integral": "The integral of the primal gap in seconds; null without a log, or without "
    "a checked objective.",
}

SECONDS_OF_RUNS = (
    "wall",
    "cpu",
    "start_wall",
    "start_cpu",
    "waited",
    "time_limit",
    "cpu_limit",
)

STORED = {"TEXT": STRING, "REAL": NUMBER, "INTEGER": COUNT}


def run() -> Schema:
    """Return the schema of a run."""
    own = {
        "status": {"enum": list(STATUSES)},
        "goal": {"enum": list(campaigns.GOALS)},
        "sense": {"enum": ["min", "max"]},
        "correct": {"type": ["boolean", "null"]},
        "settings": {"enum": list(campaigns.SETTINGS)},
        "side": {"enum": list(SIDES)},
        "finished": STRING | {"format": "date-time"},
    }
    kinds = {}
    for key, sql in COLUMNS.items():
        kind = own.get(key, STORED[sql.split()[0]])
        kind = kind | ({"minimum": 0} if key in SECONDS_OF_RUNS else {})
        sure = key in own or "NOT NULL" in sql or "KEY" in sql
        kinds[key] = about(RUN[key], kind if sure else optional(kind))
    logged = {key: about(text, optional(NUMBER)) for key, text in LOGGED.items()}
    every = {**keyed(COLUMNS, kinds), **logged}
    return record({key: every[key] for key in dict.fromkeys([*FIRST, *COLUMNS])})


def results() -> Schema:
    """Return the schema of the results of a campaign."""
    means = {
        "par2": "Mean seconds; a run that is not solved counts as 2 times its limit.",
        "par10": "The same with 10 times.",
        "shifted_mean": "The shifted geometric mean of seconds, where such a run counts as its "
        "limit.",
    }
    numbers = {
        "runs": about("Runs that it takes part in.", COUNT),
        "solved": about("Runs with a verified answer in time.", COUNT),
        "unverified": about(
            "Runs with an answer in time that nothing refutes and no witness has decided; they "
            "count as solved in par2, par10 and shifted_mean.",
            COUNT,
        ),
        **{key: about(text, optional(SECONDS)) for key, text in means.items()},
    }
    ended = {
        "propertyNames": {"enum": list(STATUSES)},
        "additionalProperties": COUNT | {"minimum": 1},
    }
    many = {"type": "array"}
    competitor = {
        "name": about("What it is called here.", STRING),
        **{key: about(RUN[key], STRING) for key in ("formulation", "solver", "version")},
        "settings": about(RUN["settings"], {"enum": list(campaigns.SETTINGS)}),
        "options": about(RUN["chosen"], STRING),
        "passed": about("What the runs have as options.", many | {"items": STRING}),
        "statuses": about("How many runs ended how.", {"type": "object", **ended}),
        **numbers,
        "left_out": about("Runs without a time: unfit, infeasible or starved.", COUNT),
        "startup": about(
            "Mean seconds of starting the solver, which the means leave out; null if unknown.",
            optional(SECONDS),
        ),
        "mean_with_startup": about(
            "The shifted geometric mean with these seconds.", optional(SECONDS)
        ),
        "primal_integral": about(
            "The shifted geometric mean of the runs' primal integrals; null without logs.",
            optional(SECONDS),
        ),
    }
    taken = {
        "competitors": about(
            "The means of each competitor.",
            many | {"items": record({"name": competitor["name"], **numbers})},
        ),
        "virtual_best": about("Those of the virtual best solver.", record(numbers)),
    }
    tagged = {
        "tag": about("The tag.", STRING),
        "instances": about("How many instances have it.", COUNT),
        **taken,
    }
    of_machine = {
        "machine": about(RUN["machine"], STRING),
        "instances": about("How many instances were run on it.", COUNT),
        **taken,
    }
    pair = {
        "first": about("One of the two.", STRING),
        "second": about("The other.", STRING),
        **{key: field(Pair, key) for key in inspect.get_annotations(Pair)},
    }
    apart = {
        "instance": about(RUN["instance"], STRING),
        "goal": about(RUN["goal"], {"enum": list(campaigns.GOALS)}),
        "fastest": about("The competitor with the least PAR10.", STRING),
        "fastest_par10": about("Its seconds.", SECONDS),
        "slowest": about("The one with the greatest PAR10.", STRING),
        "slowest_par10": about("Its seconds.", SECONDS),
        "ratio": about("Of the two.", SECONDS),
    }
    three = listed(SECONDS, minItems=3, maxItems=3)
    jobs = record(
        {"jobs": about("How many there were.", COUNT), **dict.fromkeys(CLOCKS, three)}, ["jobs"]
    )
    summary = {
        "clock": about(meaning(Report, "clock"), {"enum": list(CLOCKS)}),
        "shift": about(meaning(Report, "shift"), SECONDS),
        "competitors": about(meaning(Report, "entries"), many | {"items": record(competitor)}),
        "virtual_best": about(
            "The best run of any competitor on each instance and seed.", record(numbers)
        ),
        "taken_by_all": about(
            "The means on the runs that all competitors take; null if these are all runs, or none.",
            optional(record(taken)),
        ),
        "pairs": about(
            "Two competitors on the runs that both have.", many | {"items": record(pair)}
        ),
        "tags": about(
            "For each tag the means of the competitors on its instances.",
            many | {"items": record(tagged)},
        ),
        "machines": about(
            "For each machine the means of the competitors on it.",
            many | {"items": record(of_machine)},
        ),
        "discriminating": about(
            "The most discriminating instances, in this order.", many | {"items": record(apart)}
        ),
        "telling": about(
            "The same under its name in version 0.2; use discriminating.",
            many | {"items": record(apart)},
        ),
        "reference": about(
            "The reference jobs: the least, the median and the most seconds; null without any.",
            optional(jobs),
        ),
        "doubts": field(Report, "doubts"),
        "contradictions": field(Report, "contradictions"),
    }
    return record(
        {
            "runs": about("Every run.", many | {"items": run()}),
            "summary": about("What the report says of them.", record(summary)),
        }
    )


def comparison() -> Schema:
    """Return the schema of what check prints of two models."""
    number = {"type": ["number", "string"]}
    value = {"type": ["number", "string", "null"]}
    model = record({"file": STRING, "name": STRING, "columns": COUNT, "rows": COUNT})
    owner = {"enum": ["model", "against"]}
    names = {"type": "array", "items": STRING}
    bases = {"propertyNames": {"enum": list(map(str, Basis))}, "additionalProperties": COUNT}
    counts = {"type": "object", **bases}
    relations = [
        "same",
        "shifted",
        "scaled",
        "monotone",
        "reversed",
        "different",
        "unlike",
        "unknown",
    ]
    kinds = {"enum": ["row", "bound", "integrality"]}
    how = dict.fromkeys(("equal", "mapped", "spelling", "structure"), COUNT)
    renamed = {"type": "object", "additionalProperties": STRING}
    violation = record({"kind": kinds, "name": STRING, "value": number, "allowed": number})
    point = record(
        {
            "of": owner,
            "values": {"type": "object", "additionalProperties": number},
            "violations": {"type": "array", "items": violation},
            "reason": STRING,
        }
    )
    side = record(
        {
            "of": owner,
            "kind": kinds,
            "name": STRING,
            "words": STRING,
            "holds": {"type": ["boolean", "null"]},
            "basis": {"enum": [*map(str, Basis), None]},
            "relaxed": {"type": ["boolean", "null"]},
        }
    )
    pair = {"type": "array", "minItems": 2, "maxItems": 2, "items": value}
    return record(keyed(ModelComparison.KEYS, {
        "model": about("The first model.", model),
        "against": about("The second model.", model),
        "status": about("Accepted if they are the same, refused if not, or unknown.",
                        {"enum": ["accepted", "refused", "unknown"]}),
        "proved": field(ModelComparison, "proved"),
        "proved_parts": about(
            "Which answers rest on exact numbers alone.",
            record(dict.fromkeys(("feasible_set", "objective", "relaxation"), BOOLEAN)),
        ),
        "feasible_set": about(
            "The solutions of the first model beside those of the second one.",
            {"enum": ["same", "smaller", "larger", "different", "unknown"]},
        ),
        "objective": about(
            "The second objective as a multiple of the first one, plus a shift; both minimised.",
            record({"relation": {"enum": relations}, "factor": number, "shift": number,
                    "by_rows": BOOLEAN, "proved": BOOLEAN, "reason": STRING}),
        ),
        "relaxation": about("The model whose linear relaxation is a proper subset.",
                            {"enum": ["model", "against", "same", "neither", None]}),
        "bounds": about("The optimum of each linear relaxation, if known.", pair),
        "optima": about("The best objective of each model, if they differ and it is known.", pair),
        "columns": about(
            "How many columns were paired how, the pairs with different names, and the columns "
            "of one model alone.",
            record(how | {"renamed": renamed, "model": names, "against": names},
                   ["renamed", "model", "against"]),
        ),
        "point": about("A solution of one model alone, exact, and what it violates in the other.",
                       optional(point)),
        "basis": about("How many rows and bounds of each model hold in the other, by what.",
                       record({"model": counts, "against": counts})),
        "sides": about("The rows, bounds and types that the other model has not as such.",
                       {"type": "array", "items": side}),
        "seconds": about("The wall-clock seconds.", SECONDS),
    }))  # fmt: skip


def explanation() -> Schema:
    """Return the schema of what explain prints of a model."""
    number = {"type": ["number", "string"]}
    names = {"type": "array", "items": STRING}
    numbers = {"type": "object", "additionalProperties": number}
    solution = {**record({"values": numbers}), "type": ["object", "null"]}
    bound = record(
        {"column": STRING, "side": {"enum": list(SIDES_OF_COLUMNS[:2])}, "value": number}
    )
    witness = record(
        {
            "without": {"enum": ["row", "group", *SIDES_OF_COLUMNS]},
            "of": STRING,
            "solution": record({"values": numbers}),
        }
    )
    subsystem = {
        "rows": about("The rows of the subsystem, those of groups too.", names),
        "bounds": about("The bounds of columns in it.", {"type": "array", "items": bound}),
        "integer": about("The columns whose integrality is in it.", names),
        "irreducible": field(Subsystem, "irreducible", {"irreducible": BOOLEAN}),
        "rows_irreducible": field(Subsystem, "rows_irreducible", {"rows_irreducible": BOOLEAN}),
        "proved": field(Subsystem, "proved", {"proved": BOOLEAN}),
        "proof": about(
            "Why it is infeasible; null if only HiGHS says so.",
            {"enum": [FARKAS, "exact search", "bounds", ALL_BOUNDS, None]},
        ),
        "multipliers": about(
            "The Farkas multipliers of rows, if they are the proof.",
            optional({"type": "object", "additionalProperties": STRING}),
        ),
        "witnesses": about(
            "For a member, a solution of all others.", {"type": "array", "items": witness}
        ),
    }
    extra = {
        "smallest": field(Subsystem, "smallest", {"smallest": BOOLEAN}),
        "least": about("No subsystem has fewer rows, a group counted as one.", COUNT),
        "groups": about(
            "The rows of each group in it, by its name.",
            {"type": "object", "additionalProperties": names},
        ),
    }
    repair = {
        "rows": about("The number of rows that change.", COUNT),
        "amount": about("The sum of the sizes of all changes.", number),
        "changes": about(
            "By row, the rise of its upper side (positive) or the fall of its lower "
            "side (negative).",
            numbers,
        ),
        "proved": field(Repair, "proved", {"proved": BOOLEAN}),
        "fewest": field(Repair, "fewest", {"fewest": BOOLEAN}),
        "solution": about("A solution of the changed model.", record({"values": numbers})),
    }
    cost = {"cost": about("The same sum with the weights of the rows.", number)}
    file = {"type": ["string", "null"]}
    kinds = {
        "model": about(
            "The model.", record({"file": file, "name": STRING, "columns": COUNT, "rows": COUNT})
        ),
        "status": about(
            "Unknown if a conflict is HiGHS's claim alone, or at the time limit.",
            {"enum": ["infeasible", "feasible", "unbounded", "unknown"]},
        ),
        "conflicts": about(
            "The infeasible subsystems, without common rows.",
            {"type": "array", "items": record(subsystem | extra, subsystem)},
        ),
        "complete": about("Whether the rows in no conflict are proved feasible together.", BOOLEAN),
        "kept": about("The rows that are given.", names),
        "kept_alone": about("Whether these conflict without any other row.", BOOLEAN),
        "solution": about("A solution of the model, or of the rows in no conflict.", solution),
    }
    more = {
        "ray": about("A direction in which the objective improves for ever.", numbers),
        "repairs": about(
            "The least changes that make the model feasible.",
            {"type": "array", "items": record(repair | cost, repair)},
        ),
    }
    return record(kinds | more, kinds)


def schemas() -> dict[str, str]:
    """Return the texts of all schemas by the names of their files."""
    of_both = of_puzzles()
    titled = {
        "puzzle": ("A calendar puzzle for calmip", puzzle() | {"$defs": of_both}),
        "instance": (
            "An instance for calmip: a puzzle and what it leaves uncovered",
            instance() | {"$defs": {**of_both, "puzzle": puzzle()}},
        ),
        "solution": ("What calmip solve and calmip enumerate print with --format json", solution()),
        "campaign": (
            "A campaign for calmip bench run: what to run, on what, for how long",
            campaign(),
        ),
        "results": (
            "The results of a campaign, as calmip bench report writes them with the suffix .json",
            results(),
        ),
        "comparison": (
            "What calmip compare MODEL OTHER prints with --format json",
            comparison(),
        ),
        "explanation": ("What calmip explain MODEL prints with --format json", explanation()),
    }
    draft = "https://json-schema.org/draft/2020-12/schema"
    found = {}
    for name, (title, kind) in titled.items():
        file = f"{name}.schema.json"
        whole = {"$schema": draft, "$id": SITE + file, "title": title, **kind}
        found[file] = json.dumps(whole, indent=2) + "\n"
    return found
