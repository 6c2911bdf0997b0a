"""The trades of calmip: each a folder that may be left out."""

TRADES = ("year", "proofs", "design", "bench", "course", "workshop")
