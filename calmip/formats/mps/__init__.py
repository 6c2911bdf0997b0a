"""MPS files: the writer and the reader."""

from calmip.formats.mps.reader import read_mps
from calmip.formats.mps.writer import mps_text

__all__ = ["mps_text", "read_mps"]
