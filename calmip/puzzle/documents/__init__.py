"""Puzzles and instances as text: read from YAML, written as YAML."""
