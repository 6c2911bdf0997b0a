"""Exact covers among models: they are recognised, and searched and counted as such."""
