"""Exact algebra and spectral methods on many-core devices.

Arrays of NumPy go in and come out. Every function takes ``device="auto"``, ``"host"``, ``"opencl:0"`` or a :class:`Device`;
``"auto"`` is the environment's ``MANYCORE_DEVICE``, else an OpenCL GPU, else the host. Results are exact, and the same bits on
every device, except floating-point transforms of other devices, which differ by rounding.

>>> import manycore as mc
>>> mc.fwht([1, 0, 1, 0])
array([2, 2, 0, 0])
>>> f, g = mc.Poly([1, 2, 3], 97), mc.Poly([4, 5], 97)
>>> f * g
15*x^3 + 22*x^2 + 13*x + 4 (mod 97)
"""

from ._version import __version__
from .batches import determinants, inverses
from .bits import BitMatrix
from .boolean import BooleanFunction, SBox, nonlinearities, uniformities
from .characters import AbelianGroup, character_table
from .codes import ErasureCode, join_parts, split_parts
from .devices import Device, DeviceSet, Progress, devices, explain, limits
from .integers import integer_product
from .matrices import DeterminantResidues, IntegerMatrix, Matrix, det, det_of_parts
from .paths import Project, Schedule, Simulation, all_pairs, best_path, cycle_mean, eigenvectors, reachability
from .polynomials import Poly, PolyRing, SubproductTree
from .semirings import Semiring, matmul, matmul_with_places, star
from .sorting import argsort, argsort_strings, sort, topk
from .sparse import SparseMatrix, cache_misses, page_rank, reorder
from .systems import Solutions, resultant, solve_system
from .transforms import (
    arithmetic_transform,
    convolve,
    correlate,
    fft,
    fwht,
    haar,
    iarithmetic_transform,
    ifft,
    ifwht,
    ihaar,
    intt,
    kronecker,
    ntt,
    polarity_terms,
    reed_muller,
)

__all__ = [
    "AbelianGroup",
    "BitMatrix",
    "BooleanFunction",
    "DeterminantResidues",
    "Device",
    "DeviceSet",
    "ErasureCode",
    "IntegerMatrix",
    "Matrix",
    "Poly",
    "PolyRing",
    "Progress",
    "Project",
    "SBox",
    "Schedule",
    "Semiring",
    "Simulation",
    "Solutions",
    "SparseMatrix",
    "SubproductTree",
    "__version__",
    "all_pairs",
    "argsort",
    "argsort_strings",
    "arithmetic_transform",
    "best_path",
    "cache_misses",
    "character_table",
    "convolve",
    "correlate",
    "cycle_mean",
    "det",
    "det_of_parts",
    "determinants",
    "devices",
    "eigenvectors",
    "explain",
    "fft",
    "fwht",
    "haar",
    "iarithmetic_transform",
    "ifft",
    "ifwht",
    "ihaar",
    "integer_product",
    "intt",
    "inverses",
    "join_parts",
    "kronecker",
    "limits",
    "matmul",
    "matmul_with_places",
    "nonlinearities",
    "ntt",
    "page_rank",
    "polarity_terms",
    "reachability",
    "reed_muller",
    "reorder",
    "resultant",
    "solve_system",
    "sort",
    "split_parts",
    "star",
    "topk",
    "uniformities",
]
