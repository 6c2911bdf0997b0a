"""Campaigns of solvers on instances, drawn instances, and formulations compared."""
