"""The features of puzzles, their models and their solvers."""

from calmip.features import Feature, Parameter, Steps

FEATURES = (
    Feature(
        name="play",
        line="Open a page to play on, with the model and a solver inside.",
        group="Your puzzle",
        task="calmip.puzzle.tasks.play.play",
        reports={"Page": "calmip.puzzle.render.reports.answers.PAGE"},
        names=("play",),
        files=("a page", "html", "htm", "js"),
        remembered=True,
        examples=(
            "calmip play",
            "calmip play hex43-v1 --date tomorrow",
            "calmip play heart-set1 -o heart.html",
        ),
    ),
    Feature(
        name="today",
        line="Show today's tiling of your puzzle, and remember the puzzle.",
        group="Your puzzle",
        task="calmip.puzzle.tasks.today.today",
        reports={"Today": "calmip.puzzle.render.reports.answers.TODAY"},
        names=("today",),
        remembered=True,
        run="calmip.cli._puzzle.today",
        examples=(
            "calmip today",
            "calmip today praxis-rhombus",
            "calmip today --date tomorrow -o tomorrow.svg",
        ),
        exits=(
            "The exit code is 0 if there is a tiling, 1 if there is none, 3 if the time limit "
            "is reached."
        ),
    ),
    Feature(
        name="hint",
        line="Check whether a position is solvable, and suggest the next piece.",
        group="Your puzzle",
        task="calmip.puzzle.tasks.hint.hint",
        reports={"Hint": "calmip.puzzle.render.reports.answers.HINT"},
        names=("hint",),
        remembered=True,
        examples=(
            "calmip hint",
            'calmip hint a-puzzle-a-day --reveal Feb,29 --placed "U:Jan+Mar"',
            "calmip hint a-puzzle-a-day -o hint.svg",
            "calmip hint a-puzzle-a-day --date today --difficulty",
        ),
        exits=(
            "Without an instance, the puzzle is that which calmip today remembers; without labels, "
            "the day is today. The exit code is 0 if the position is solvable, 1 if not, 3 after a "
            "limit."
        ),
    ),
    Feature(
        name="puzzles",
        line="List the bundled puzzles, show one, or check your own.",
        group="Your puzzle",
        task="calmip.puzzle.tasks.puzzles.puzzles",
        reports={"Puzzles": "calmip.puzzle.render.reports.puzzles.PUZZLES"},
        names=("puzzles",),
        examples=(
            "calmip puzzles",
            "calmip puzzles a-puzzle-a-day -o mine.yaml",
            "calmip puzzles a-puzzle-a-day -o puzzle.svg",
            "calmip puzzles heart-set1",
        ),
        page="https://calmip.github.io/calmip/how-to/add-puzzle.html",
    ),
    Feature(
        name="solve",
        line="Find a solution of a puzzle or a model, or prove there is none.",
        group="Any model",
        task="calmip.puzzle.tasks.solve.solve",
        reports={"Solution": "calmip.puzzle.render.reports.answers.SOLUTION"},
        names=("Solution", "solve"),
        run="calmip.cli._puzzle.solve",
        models=("solver", "time_limit", "seed", "threads"),
        parameters={"warm_start": Parameter(words="calmip.puzzle.tasks.solve.STARTS")},
        examples=(
            "calmip solve a-puzzle-a-day --date today",
            "calmip solve model.lp --solver highs",
            "calmip solve a-puzzle-a-day --reveal month=Feb,day=29 --solver cbc",
            "calmip solve hex43-v1 --date +3 -o hexagons.svg",
        ),
    ),
    Feature(
        name="enumerate",
        line="Find all solutions of a puzzle or a model, or the best ones.",
        group="Any model",
        task="calmip.puzzle.tasks.enumerate.enumerate",
        reports={"SolutionPool": "calmip.puzzle.render.reports.enumerate.SOLUTION_POOL"},
        names=("SolutionPool", "enumerate"),
        run="calmip.cli._puzzle.enumerate",
        models=(
            "form",
            "method",
            "limit",
            "time_limit",
            "memory_limit",
            "optimal",
            "gap",
            "within",
            "best",
            "distinct",
            "node_limit",
            "count",
            "usage",
            "workers",
            "resume",
            "diverse",
            "distance",
        ),
        only_models=(
            "optimal",
            "gap",
            "within",
            "best",
            "distinct",
            "node_limit",
            "count",
            "usage",
            "workers",
        ),
        parameters={
            **dict.fromkeys(("file", "keep", "resumable"), Parameter(hidden=True)),
            "method": Parameter(words="calmip.puzzle.tasks.enumeration.METHODS"),
            "no_good_cut": Parameter(words="calmip.puzzle.tasks.no_good.CUTS"),
            "optimal": Parameter(excludes=("gap", "within", "best")),
            "gap": Parameter(excludes=("within", "best")),
            "within": Parameter(excludes=("best",)),
            "best": Parameter(excludes=("limit", "count")),
            "count": Parameter(excludes=("limit",)),
            "usage": Parameter(excludes=("limit", "workers", "diverse")),
            "diverse": Parameter(
                value="K",
                excludes=(
                    "best",
                    "limit",
                    "count",
                    "method",
                    "memory_limit",
                    "node_limit",
                    "workers",
                    "resume",
                    "reduce",
                    "up_to_symmetry",
                ),
            ),
            "distance": Parameter(words="calmip.mip.optima.distance.DISTANCES", needs="diverse"),
        },
        examples=(
            "calmip enumerate a-puzzle-a-day --reveal Feb,29",
            "calmip enumerate model.mps --gap 1% --format jsonl",
            "calmip enumerate a-puzzle-a-day --date today --method one-tree --limit 5",
            "calmip enumerate a-puzzle-a-day --reveal Oct,6 -o oct6.jsonl",
            "calmip enumerate model.mps --gap 5% --diverse 5",
        ),
        exits=(
            "The exit code is 0 if all were found, 1 if there is none, 3 if a limit is reached. "
            "After Ctrl-C (130) the tilings found are kept."
        ),
    ),
    Feature(
        name="count",
        line="Count the solutions without listing them; those of a whole year.",
        group="Any model",
        task="calmip.puzzle.tasks.count.count",
        reports={"Counts": "calmip.puzzle.render.reports.answers.COUNTS"},
        names=("count",),
        free=True,
        steps=Steps(counts="states", unfinished="the count is not finished, so nothing is written"),
        models=("time_limit", "memory_limit", "memory", "workers", "journal"),
        only_models=("memory",),
        parameters={"any_cells": Parameter(excludes=("reveal", "date"))},
        examples=(
            "calmip count a-puzzle-a-day",
            "calmip count model.mps",
            "calmip count praxis-rhombus --date today",
            "calmip count a-puzzle-a-day --any-cells 2 --format csv",
        ),
        exits=(
            "The exit code is 0 if there is a tiling, 1 if there is none, 3 if the time limit "
            "is reached; then nothing is written."
        ),
    ),
    Feature(
        name="unique",
        line="Check whether a puzzle or a model has exactly one solution.",
        group="Any model",
        task="calmip.puzzle.tasks.unique.unique",
        reports={"Uniqueness": "calmip.puzzle.render.reports.unique.UNIQUENESS"},
        names=("unique",),
        models=("ignore_objective", "ranges", "vertices", "sensitivity", "time_limit"),
        only_models=("ignore_objective", "vertices", "sensitivity"),
        parameters={
            "ranges": Parameter(excludes=("vertices", "sensitivity")),
            "sensitivity": Parameter(excludes=("vertices", "ignore_objective")),
        },
        examples=(
            "calmip unique a-puzzle-a-day --reveal Oct,6",
            "calmip unique model.lp",
            "calmip unique model.mps --ignore-objective --format json",
            "calmip unique model.mps --ranges -o ranges.csv",
            "calmip unique model.lp --vertices",
            "calmip unique model.lp --sensitivity",
        ),
        exits=(
            "The exit code is 0 if there is exactly one, 1 if there are several or none, 3 if a "
            "limit is reached."
        ),
    ),
    Feature(
        name="explain",
        line="Explain why there is no solution: name what conflicts.",
        group="Any model",
        task="calmip.puzzle.tasks.explain.explain",
        reports={"Explanation": "calmip.puzzle.render.reports.conflicts.EXPLANATION"},
        names=("explain",),
        models=(
            "tries",
            "keep",
            "group",
            "smallest",
            "disjoint",
            "rows_only",
            "repair",
            "penalty",
            "time_limit",
        ),
        only_models=(
            "keep",
            "group",
            "smallest",
            "disjoint",
            "rows_only",
            "repair",
            "penalty",
        ),
        parameters={"penalty": Parameter(value="ROW")},
        examples=(
            "calmip explain a-puzzle-a-day --reveal Jul,Feb",
            "calmip explain model.mps --smallest --repair",
            'calmip explain a-puzzle-a-day --reveal Feb,29 --placed "N:1+8+9+16+23"',
            "calmip explain a-puzzle-a-day --reveal Dec,29 --no-flip --format json",
            'calmip explain model.lp --keep "demand*" --time-limit 60',
            'calmip explain model.lp --group "capacity*" --repair --penalty "demand*=10"',
        ),
        exits=(
            "The exit code is 0 if a proved conflict is named, 1 if there is a solution and "
            "nothing to explain, 3 if no conflict is proved. At the time limit the conflict may "
            "be reducible; the code is 0, as it is for a solution of solve that may not be "
            "optimal."
        ),
    ),
    Feature(
        name="check",
        line="Check the answer of any solver, or how programs read a model.",
        group="Any model",
        task="calmip.puzzle.tasks.check.check",
        reports={
            "Verdict": "calmip.puzzle.render.reports.answers.VERDICT",
        },
        names=("check", "check_file", "check_folder"),
        run="calmip.cli._puzzle.check",
        choose="calmip.cli._puzzle.below_check",
        models=("all", "answer", "time_limit"),
        parameters={
            "time_limit": Parameter(default=120.0),
            "names": Parameter(value="FILE"),
        },
        examples=(
            "calmip check a-puzzle-a-day feb29.sol --reveal Feb,29",
            "calmip check model.mps model.sol",
            "calmip check a-puzzle-a-day mine.lp --reveal Feb,29",
            "calmip check a-puzzle-a-day today.sol --date today --format json",
            "calmip check mine.lp",
        ),
        exits=(
            "The exit code is 0 if the file holds a tiling or a solution (or rightly says that "
            "there is none) or the model is right, 1 if not, 2 if the file cannot be read. It "
            "is 3 if the time limit is reached, or if a point satisfies a model within 1e-6 but "
            "not exactly."
        ),
        commands=(
            Feature(
                name="folder",
                task="calmip.puzzle.tasks.check.check_folder",
                reports={"FolderVerdict": "calmip.puzzle.render.reports.answers.FOLDER_VERDICT"},
                steps=Steps(counts="files"),
                parameters={"time_limit": Parameter(default=120.0)},
                examples=("calmip check folder models answers",),
                exits=(
                    "The exit code is 0 if all answers are right, 1 if one is wrong, 3 if one is "
                    "missing or was not decided."
                ),
            ),
            Feature(
                name="file",
                task="calmip.puzzle.tasks.check.check_file",
                reports={"FileVerdict": "calmip.puzzle.render.reports.answers.FILE_VERDICT"},
                models=("path",),
                examples=("calmip check file mine.lp",),
                exits=(
                    "The exit code is 0 if nothing is found, 1 if something is, 2 if the file "
                    "cannot be read."
                ),
            ),
        ),
    ),
    Feature(
        name="compare",
        line="Compare two models, or the formulations of a puzzle.",
        group="Any model",
        after="check",
        task="calmip.puzzle.tasks.compare.compare",
        reports={
            "ModelComparison": "calmip.puzzle.render.reports.comparison.MODEL_COMPARISON",
        },
        names=("compare",),
        extended=True,
        run="calmip.cli._puzzle.compare",
        choose="calmip.cli._puzzle.below_compare",
        models=("model", "against", "match", "names", "time_limit"),
        parameters={
            "time_limit": Parameter(default=120.0),
            "against": Parameter(value="OTHER"),
            "names": Parameter(value="FILE"),
        },
        examples=(
            "calmip compare mine.lp reference.mps",
            "calmip compare mine.lp reference.mps --match --format json",
        ),
        exits=(
            "With a puzzle instead of two models, its formulations are compared: calmip compare "
            "formulations --help. The exit code is 0 if both models have the same solutions and "
            "rank them alike, 1 if not, 3 if that was not decided."
        ),
    ),
    Feature(
        name="export",
        line="Write a puzzle or a model for other solvers.",
        group="Any model",
        task="calmip.puzzle.tasks.export.export",
        reports={"Export": "calmip.puzzle.render.reports.answers.EXPORT"},
        names=("export", "export_dates"),
        extended=True,
        output="path",
        models=("path", "output", "suffix", "constructs", "dialect"),
        only_models=("constructs", "dialect"),
        parameters={
            "suffix": Parameter(words="calmip.puzzle.tasks.export.SUFFIXES"),
            "dialect": Parameter(words="calmip.mip.files.registry.DIALECTS"),
        },
        examples=(
            "calmip export a-puzzle-a-day --reveal Feb,29 -o feb29.mps",
            "calmip export model.lp -o model.mps",
            "calmip export a-puzzle-a-day --date today -o today.lp --formulation pyomo",
        ),
        commands=(
            Feature(
                name="dates",
                task="calmip.puzzle.tasks.export.export_dates",
                reports={"Library": "calmip.puzzle.render.reports.answers.LIBRARY"},
                output="folder",
                free=True,
                steps=Steps(counts="files", left="in {output}; run it again to continue"),
                parameters={"suffix": Parameter(words="calmip.puzzle.tasks.export.SUFFIXES")},
                examples=("calmip export dates a-puzzle-a-day --suffix .lp.gz -o models",),
            ),
        ),
    ),
    Feature(
        name="relax",
        line="Solve the linear relaxation, with cuts and a picture.",
        group="Teach",
        task="calmip.puzzle.tasks.relax.relax",
        reports={"Relaxation": "calmip.puzzle.render.reports.relaxations.RELAXATION"},
        names=("relax",),
        models=("cuts", "rounds", "fix", "weight", "time_limit"),
        parameters={"rounds": Parameter(needs="cuts")},
        examples=(
            "calmip relax a-puzzle-a-day --reveal Feb,29 --cuts clique,odd-hole",
            "calmip relax model.mps",
            "calmip relax a-puzzle-a-day --date today -o relaxation.svg",
            "calmip relax a-puzzle-a-day --reveal Feb,29 --fix U:Jan+Mar+Jul+Aug+Sep=1",
        ),
        exits=(
            "The exit code is 0 if the relaxation is feasible, 1 if it is proved infeasible, 3 "
            "if no exact proof was found or the time limit is reached."
        ),
    ),
    Feature(
        name="tree",
        line="Draw the branch-and-bound tree of a small instance.",
        group="Teach",
        task="calmip.puzzle.tasks.tree.tree",
        reports={"Tree": "calmip.puzzle.render.reports.relaxations.TREE"},
        names=("tree",),
        models=("order", "branching", "every", "weight", "node_limit", "time_limit", "form"),
        examples=(
            "calmip tree a-puzzle-a-day --reveal Feb,29",
            "calmip tree model.mps -o tree.svg",
            "calmip tree a-puzzle-a-day --reveal Oct,6 -o tree.svg",
            "calmip tree heart-set1 --date today --order depth-first,best-first -o t.html",
        ),
        exits=(
            "The exit code is 0 if there is a tiling, 1 if it is verified that there is none, 3 "
            "if the time limit is reached, or the node limit without a tiling."
        ),
    ),
    Feature(
        name="solvers",
        line="List the solvers and formulations, and how to get them.",
        group="Compare solvers",
        after="bench",
        task="calmip.puzzle.tasks.solvers.installed_solvers",
        reports={"Installed": "calmip.puzzle.render.reports.answers.INSTALLED"},
        names=("installed_solvers",),
        examples=("calmip solvers",),
    ),
)
