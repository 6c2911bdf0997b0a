"""Proofs that the listed tilings are all of them, and checkers of such proofs."""
