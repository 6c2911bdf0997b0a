"""Solvers that are programs of their own, found on the search path."""
