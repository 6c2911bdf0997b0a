"""Proofs that a list of tilings is complete, and checkers of such proofs."""
