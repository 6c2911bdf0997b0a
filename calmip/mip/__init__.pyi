"""The public names of the engine, for type checkers."""

from calmip.mip.files.arrays import ModelArrays as ModelArrays
from calmip.mip.files.arrays import SupportsArrays as SupportsArrays
from calmip.mip.files.arrays import read_arrays as read_arrays
from calmip.mip.files.layers.scipy_milp import read_milp as read_milp
from calmip.mip.files.model_files import read_model as read_model
from calmip.mip.files.model_files import write_model as write_model
from calmip.mip.iis.least_change import Repair as Repair
from calmip.mip.iis.least_change import find_repairs as find_repairs
from calmip.mip.iis.subsystem import Subsystem as Subsystem
from calmip.mip.iis.subsystem import Subsystems as Subsystems
from calmip.mip.model import Model as Model
from calmip.mip.optima.diversity import DiverseSolutions as DiverseSolutions
from calmip.mip.optima.diversity import Diversity as Diversity
from calmip.mip.optima.diversity import find_diverse as find_diverse
from calmip.mip.optima.face import OptimalFace as OptimalFace
from calmip.mip.optima.face import find_face as find_face
from calmip.mip.optima.ranges import Range as Range
from calmip.mip.optima.ranges import Ranges as Ranges
from calmip.mip.optima.ranges import find_ranges as find_ranges
from calmip.mip.optima.sensitivity import Sensitivity as Sensitivity
from calmip.mip.optima.sensitivity import find_sensitivity as find_sensitivity
from calmip.mip.pool import Goal as Goal
from calmip.mip.pool import PoolSearch as PoolSearch
from calmip.mip.pool import PoolSolution as PoolSolution
from calmip.mip.status import Status as Status
