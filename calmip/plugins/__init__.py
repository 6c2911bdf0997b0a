"""calmip as a solver of PuLP and Pyomo; importing a module of this folder registers it there.

Neither library looks for solvers of other packages, so one import is needed.
"""
