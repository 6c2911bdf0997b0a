"""The environment variables of the command line."""

PREFIX = "CALMIP"
"""The start of the names of variables for options: CALMIP_SOLVE_TIME_LIMIT."""

VARIABLE = "_CALMIP_COMPLETE"
"""The variable by which the script of a shell asks for completions."""
