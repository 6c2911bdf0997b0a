"""LP files: the writer, and in `reader` what a file of somebody else is read with."""

from calmip.formats.lp.writer import lp_text

__all__ = ["lp_text"]
