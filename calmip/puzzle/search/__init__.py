"""All solutions: no-good cuts, one tree, and compiled exact cover."""
