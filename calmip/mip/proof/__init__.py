"""The number of solutions of a binary model, written as a proof, and its checker."""
