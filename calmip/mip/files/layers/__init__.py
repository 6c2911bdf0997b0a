"""Readers of modelling languages, one file each; every one gives the arrays of the protocol.

None imports a package: an object's class says which one it is of, and that is loaded already.
"""

from calmip.mip.files.layers.cvxpy import CvxpyObject
from calmip.mip.files.layers.docplex import DocplexObject
from calmip.mip.files.layers.linopy import LinopyObject
from calmip.mip.files.layers.optlang import CobraObject, OptlangObject
from calmip.mip.files.layers.ortools_cpsat import CpSatObject
from calmip.mip.files.layers.ortools_linear import BuilderObject, SolverObject
from calmip.mip.files.layers.ortools_mathopt import MathOptObject
from calmip.mip.files.layers.python_mip import PythonMipObject
from calmip.mip.files.layers.xpress import XpressObject
from calmip.mip.files.native import Native

LAYERS: tuple[type[Native], ...] = (
    CvxpyObject,
    DocplexObject,
    LinopyObject,
    OptlangObject,
    CobraObject,
    SolverObject,
    BuilderObject,
    MathOptObject,
    CpSatObject,
    PythonMipObject,
    XpressObject,
)
"""The kinds of objects that are read."""
