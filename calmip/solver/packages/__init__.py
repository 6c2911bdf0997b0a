"""Solvers that are Python packages, each run in a process of its own."""
