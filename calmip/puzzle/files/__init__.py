"""Exact covers as model files."""
