"""Irreducible infeasible subsystems (IIS) of a model, and its least changes."""
