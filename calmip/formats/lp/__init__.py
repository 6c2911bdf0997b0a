"""LP files: the writer and the reader."""

from calmip.formats.lp.reader import read_lp
from calmip.formats.lp.writer import lp_text

__all__ = ["lp_text", "read_lp"]
