"""The features of design."""

from calmip.features import Feature, Parameter, Steps

POOL = Parameter(parts="calmip.design.piece_set_words.pool_of")

FEATURES = (
    Feature(
        name="design",
        line="Find the pieces that make every date solvable.",
        group="Make",
        task="calmip.design.design.design",
        reports={"Design": "calmip.design.report.DESIGN"},
        names=("design", "design_by_model", "calmip.design.piece_set_words.read_pool"),
        steps=Steps(counts="sets", part=True),
        parameters={
            "pool": POOL,
            "by": Parameter(words="calmip.design.design.ABOUT"),
            "arrange_by": Parameter(words="calmip.design.rearrange.ORDERS", needs="rearrange"),
            "resume": Parameter(needs="output"),
        },
        examples=(
            "calmip design a-puzzle-a-day --pool pentominoes --with O6 --pieces 8",
            "calmip design a-puzzle-a-day --pool pentominoes,hexominoes --pieces 8",
            "calmip design hex43-v1 --pool tetrahexes,tetrahexes --with 5-11 --pieces 10 "
            "-o best.yaml",
            "calmip design weekday-8x7 --pool F,L,P,T,U,V,Z,I4,L4,S4 --rearrange --keep weekday",
        ),
        exits=(
            "The exit code is 0 if a set works, perhaps with rearranged labels, 1 if all were "
            "decided and none does, 3 if a limit is reached. With -o the decided sets are in "
            "FILE.part until all are decided; --resume continues from there."
        ),
        commands=(
            Feature(
                name="model",
                task="calmip.design.design.design_by_model",
                reports={"Design": "calmip.design.report.DESIGN"},
                steps=Steps(counts="dates in the model"),
                parameters={"pool": POOL},
                examples=("calmip design model a-puzzle-a-day --pool pentominoes --with O6",),
                exits="The exit code is 0 if a set was found, 3 if not.",
            ),
        ),
    ),
    Feature(
        name="rearrange",
        line="Arrange months and days so that the year grows difficult.",
        group="Make",
        task="calmip.design.rearrange.rearrange",
        reports={"Rearrangement": "calmip.design.report.REARRANGEMENT"},
        names=("rearrange",),
        files=("a puzzle", "yaml", "yml"),
        free=True,
        steps=Steps(counts="starts"),
        parameters={"by": Parameter(words="calmip.design.rearrange.ORDERS")},
        examples=(
            "calmip rearrange a-puzzle-a-day --starts 1",
            "calmip rearrange a-puzzle-a-day -o new.yaml",
            "calmip rearrange weekday-8x7 --by min --keep weekday -o new.yaml",
        ),
        exits=(
            "The exit code is 0, also if the time limit ends the search for a better "
            "arrangement, and 3 if the tilings are not counted within it."
        ),
    ),
)
