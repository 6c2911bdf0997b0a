"""Measurements against peers; none is part of the test suite."""
