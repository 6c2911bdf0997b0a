"""The features of the command line itself."""

from calmip.features import Feature, Parameter

FEATURES = (
    Feature(
        name="config",
        line="Show the defaults of options that files and variables set.",
        group="Set-up",
        task="calmip.cli.config.config",
        reports={"Configuration": "calmip.cli.config.CONFIGURATION"},
        examples=("calmip config",),
        exits="The exit code is 2 if a file has a wrong key or value, which the message names.",
    ),
    Feature(
        name="completion",
        line="Print the script by which a shell completes commands.",
        group="Set-up",
        task="calmip.cli.completion.completion",
        reports={"Completion": "calmip.cli.completion.COMPLETION"},
        files=("a script", "bash", "zsh", "fish", "sh"),
        parameters={"shell": Parameter(words="calmip.cli.completion.SHELLS")},
        examples=(
            "calmip completion bash -o calmip.bash",
            "calmip completion fish -o ~/.config/fish/completions/calmip.fish",
        ),
    ),
)
