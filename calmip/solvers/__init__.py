"""Solvers: a model file in, an outcome out."""
