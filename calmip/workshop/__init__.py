"""Puzzles to make, by laser, cutter, scissors or 3D printer."""
