"""Formulations: an exact cover written as a model."""
