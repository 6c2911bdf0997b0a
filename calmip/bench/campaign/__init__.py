"""Campaigns: many instances, formulations, solvers and seeds, each run a process of its own."""
