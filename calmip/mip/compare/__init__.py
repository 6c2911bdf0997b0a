"""Whether two models have the same solutions, by exact proofs or counter-examples."""
