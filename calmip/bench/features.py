"""The features of benchmarks."""

from calmip.features import Feature, Parameter, Steps

SEVERAL = Parameter(value="RESULTS...")

FEATURES = (
    Feature(
        name="generate",
        line="Draw random instances with known answers, as hard as you ask.",
        group="Compare solvers",
        after="export",
        task="calmip.bench.generate.generate",
        reports={"Generated": "calmip.bench.generate_report.GENERATED"},
        names=("generate",),
        output="folder",
        steps=Steps(counts="instances", left="in {output}"),
        parameters={
            "family": Parameter(words="calmip.bench.random_families.SENTENCES"),
            "answer": Parameter(words="calmip.bench.random_families.ANSWERS"),
            "lattice": Parameter(words="calmip.puzzle.lattice.LATTICES"),
        },
        examples=(
            "calmip generate tiling --size 40 --number 100 --seed 7 -o tilings",
            "calmip generate tiling --answer infeasible --number 20 -o impossible",
            "calmip generate weighted --hardness 2s:highs --number 3 -o hard",
        ),
        exits="The exit code is 3 if the time limit was reached before all instances were drawn.",
    ),
    Feature(
        name="bench",
        line="Benchmark solvers on many instances, and report the results.",
        group="Compare solvers",
        names=(
            "bench_aa",
            "bench_diff",
            "bench_log",
            "bench_merge",
            "bench_report",
            "bench_run",
            "bench_watch",
        ),
        commands=(
            Feature(
                name="run",
                task="calmip.bench.bench.bench_run",
                reports={"Bench": "calmip.bench.bench_report.BENCH"},
                steps=Steps(counts="runs", left="are done, in {output}; run it again to continue"),
                parameters={"measure": Parameter(words="calmip.bench.campaign.runner.MEASURES")},
                examples=(
                    "calmip bench run easy -o easy.db",
                    "calmip bench run campaign.yaml -o results.db",
                    "calmip bench run campaign.yaml -o 3.db --shard 3/8",
                ),
                page="https://calmip.github.io/calmip/how-to/campaigns.html",
                exits=(
                    "The exit code is 0 if all runs are done, and 4 if an answer was refuted, or "
                    "two solvers contradict each other."
                ),
            ),
            Feature(
                name="report",
                task="calmip.bench.bench.bench_report",
                reports={"Report": "calmip.bench.bench_report.REPORT"},
                parameters={
                    "clock": Parameter(words="calmip.bench.campaign.statistics.CLOCKS"),
                    "results": SEVERAL,
                },
                examples=(
                    "calmip bench report results.db -o report.html",
                    "calmip bench report results.db -o table.tex --columns solved,par10,mean",
                ),
                exits=(
                    "With --strict the exit code is 4 if an answer was refuted, or two solvers "
                    "contradict each other."
                ),
            ),
            Feature(
                name="merge",
                task="calmip.bench.bench.bench_merge",
                reports={"Merged": "calmip.bench.bench_report.MERGED"},
                parameters={"results": SEVERAL},
                examples=("calmip bench merge 1.db 2.db -o results.db",),
                exits="The exit code is 4 if a conflict is kept.",
            ),
            Feature(
                name="watch",
                task="calmip.bench.bench.bench_watch",
                run="calmip.bench.bench_report.run_watch",
                reports={"Watched": "calmip.bench.bench_report.WATCHED"},
                parameters={"results": SEVERAL},
                steps=Steps(unfinished="the campaign goes on"),
                examples=(
                    "calmip bench watch results.db",
                    "calmip bench watch *.db --refresh 5 -o progress.html",
                ),
                exits="The exit code is 4 if an answer was refuted.",
            ),
            Feature(
                name="log",
                task="calmip.bench.bench.bench_log",
                reports={"SolverLog": "calmip.bench.bench_report.SOLVER_LOG"},
                examples=("calmip bench log results.db feb29/scip/0",),
            ),
            Feature(
                name="diff",
                task="calmip.bench.bench.bench_diff",
                reports={"Difference": "calmip.bench.bench_report.DIFFERENCE"},
                parameters={"clock": Parameter(words="calmip.bench.campaign.statistics.CLOCKS")},
                examples=("calmip bench diff before.db after.db",),
                exits=(
                    "The exit code is 1 if there is a regression, and 4 if an answer of the second "
                    "side was refuted, or answers contradict each other."
                ),
            ),
            Feature(
                name="aa",
                task="calmip.bench.bench.bench_aa",
                reports={"Alarms": "calmip.bench.bench_report.ALARMS"},
                steps=Steps(counts="runs", left="are done, in {output}; run it again to continue"),
                parameters={"clock": Parameter(words="calmip.bench.campaign.statistics.CLOCKS")},
                examples=("calmip bench aa campaign.yaml -o same.db",),
            ),
        ),
    ),
    Feature(
        name="suite",
        above="export",
        task="calmip.bench.campaign.export.export_suite",
        names=("export_suite",),
        reports={"Library": "calmip.puzzle.render.reports.answers.LIBRARY"},
        output="folder",
        steps=Steps(counts="files", left="in {output}; run it again to continue"),
        parameters={"suffix": Parameter(words="calmip.puzzle.tasks.export.SUFFIXES")},
        examples=("calmip export suite infeasible -o models",),
    ),
    Feature(
        name="formulations",
        above="compare",
        task="calmip.bench.compare.compare_formulations",
        reports={"Comparison": "calmip.bench.compare_report.COMPARISON"},
        names=("compare_formulations",),
        steps=Steps(counts="runs"),
        examples=("calmip compare formulations heart-set1 --date today --solver highs,cbc",),
        exits=(
            "The exit code is 0 if a tiling was found, 1 if there is none, 3 if no run ended "
            "within its limit, 4 if an answer was refuted."
        ),
    ),
)
