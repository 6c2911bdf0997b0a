"""Readers of modelling languages, one file each; every one gives the arrays of the protocol.

None imports a package: an object's class says which one it is of, and that is loaded already.
"""

from calmip.mip.files.native import Native

LAYERS: tuple[type[Native], ...] = ()
"""The kinds of objects that are read."""
