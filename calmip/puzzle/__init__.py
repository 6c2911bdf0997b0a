"""Calendar puzzles, from board to tiling, and what is done with them."""
