"""MPS files: the writer, and in `reader` what a file of somebody else is read with."""

from calmip.formats.mps.writer import mps_text

__all__ = ["mps_text"]
