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
from .boolean import BooleanFunction, SBox, nonlinearities, uniformities
from .characters import AbelianGroup, character_table
from .codes import ErasureCode
from .devices import Device, devices, explain
from .matrices import IntegerMatrix, Matrix, det
from .paths import Project, Schedule, all_pairs, cycle_mean
from .polynomials import Poly, PolyRing, SubproductTree
from .semirings import matmul
from .sorting import argsort, argsort_strings, sort, topk
from .sparse import SparseMatrix, cache_misses, reorder
from .systems import Solutions, resultant, solve_system
from .transforms import (
    arithmetic_transform,
    convolve,
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
    "BooleanFunction",
    "Device",
    "ErasureCode",
    "IntegerMatrix",
    "Matrix",
    "Poly",
    "PolyRing",
    "Project",
    "SBox",
    "Schedule",
    "Solutions",
    "SparseMatrix",
    "SubproductTree",
    "__version__",
    "all_pairs",
    "argsort",
    "argsort_strings",
    "arithmetic_transform",
    "cache_misses",
    "character_table",
    "convolve",
    "cycle_mean",
    "det",
    "devices",
    "explain",
    "fft",
    "fwht",
    "haar",
    "iarithmetic_transform",
    "ifft",
    "ifwht",
    "ihaar",
    "intt",
    "kronecker",
    "matmul",
    "nonlinearities",
    "ntt",
    "polarity_terms",
    "reed_muller",
    "reorder",
    "resultant",
    "solve_system",
    "sort",
    "topk",
    "uniformities",
]
