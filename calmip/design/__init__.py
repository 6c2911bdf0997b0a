"""New puzzles: sets of pieces, and arrangements of the labels."""
