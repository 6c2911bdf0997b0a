"""Constructs that are not linear as they stand: what they mean, and rows that say the same."""
