"""The version, in a module of its own so that any module may import it."""

__version__ = "0.2.0"
