"""The features of the workshop."""

from calmip.features import Feature, Parameter

FEATURES = (
    Feature(
        name="cut",
        line="Draw a puzzle at its real size, to cut it from wood or paper.",
        group="Make",
        after="puzzles",
        task="calmip.workshop.cut.cut",
        reports={"CuttingPlan": "calmip.workshop.report.CUTTING_PLAN"},
        names=("cut",),
        parameters={
            "words": Parameter(words="calmip.workshop.cut.WORDS"),
            "extras": Parameter(words="calmip.workshop.cut.EXTRAS"),
            "kerf": Parameter(value="LENGTH"),
            "radius": Parameter(value="LENGTH"),
            "sheet": Parameter(value="SIZE"),
            "clearance": Parameter(value="LENGTH"),
            "thickness": Parameter(value="LENGTH"),
            "margin": Parameter(value="LENGTH"),
            "card": Parameter(value="ADDRESS"),
            "cell": Parameter(value="LENGTH"),
        },
        examples=(
            "calmip cut a-puzzle-a-day -o cut.svg",
            "calmip cut a-puzzle-a-day --cell 15mm --kerf 0.1mm -o cut.dxf",
            "calmip cut heart-set1 --cell 18mm --sheet A4 -o paper.pdf",
            "calmip cut a-puzzle-a-day --extras notch,lid --sheet 300x300 -o cut.svg",
            "calmip cut a-puzzle-a-day --clearance 0.3mm --sheet 220x220 -o print.3mf",
        ),
    ),
)
