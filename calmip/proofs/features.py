"""The features of proofs."""

from calmip.features import Feature, Parameter, Steps

EXITS = (
    "The exit code is 0 if there is a tiling or a solution, 1 if it is proved that there is none, "
    "3 if the time limit is reached, 4 if a proof does not hold."
)

FEATURES = (
    Feature(
        name="prove",
        line="Prove that the solutions of a puzzle or a model are all.",
        group="Make",
        task="calmip.proofs.prove.prove",
        reports={"Proof": "calmip.proofs.report.PROOF"},
        names=("prove", "prove_check", "prove_dates"),
        output="folder",
        steps=Steps(counts="nodes", unfinished="the proof is not finished"),
        models=("folder", "output", "optimal", "gap", "within", "distinct", "time_limit"),
        only_models=("optimal", "gap", "within", "distinct"),
        parameters={
            "optimal": Parameter(excludes=("gap", "within")),
            "gap": Parameter(excludes=("within",)),
            "proofs": Parameter(words="calmip.proofs.logs.PROOFS"),
            "dialect": Parameter(words="calmip.proofs.logs.DIALECTS"),
        },
        examples=(
            "calmip prove a-puzzle-a-day --reveal Oct,6 -o oct6",
            "calmip prove model.mps --gap 1% -o pool-proof",
        ),
        exits=EXITS,
        commands=(
            Feature(
                name="check",
                task="calmip.proofs.prove.prove_check",
                reports={"Proof": "calmip.proofs.report.PROOF"},
                output="",
                models=("folder",),
                examples=("calmip prove check oct6",),
                exits=EXITS,
            ),
            Feature(
                name="dates",
                task="calmip.proofs.prove.prove_dates",
                reports={"Proof": "calmip.proofs.report.PROOF"},
                output="folder",
                free=True,
                steps=Steps(counts="dates", left="in {output}; run it again to continue"),
                parameters={"proofs": Parameter(words="calmip.proofs.logs.PROOFS")},
                examples=("calmip prove dates heart-set1 --workers 2",),
                exits=EXITS,
            ),
        ),
    ),
)
