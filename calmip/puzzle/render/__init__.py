"""Drawings of puzzles and tilings."""
