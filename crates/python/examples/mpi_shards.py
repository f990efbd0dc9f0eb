"""A determinant over the integers by MPI: each rank has every so many-th of the primes that prove it.

mpirun -n 2 python -m mpi4py mpi_shards.py
"""

import manycore as mc
import numpy as np
from mpi4py import MPI

ranks = MPI.COMM_WORLD
n = 12
path = 2 * np.eye(n, dtype=int) - np.eye(n, k=1, dtype=int) - np.eye(n, k=-1, dtype=int)
path[0, 0] = path[-1, -1] = 1
laplacian = np.kron(path, np.eye(n, dtype=int)) + np.kron(np.eye(n, dtype=int), path)

part = mc.IntegerMatrix(laplacian[1:, 1:]).det_residues(ranks.rank, ranks.size)
parts = ranks.gather(part)
if parts is not None:  # at rank 0
    found = mc.det_of_parts(parts)
    assert found == mc.det(laplacian[1:, 1:])
    print(f"by {[len(one.residues) for one in parts]} primes: the {n} by {n} grid has {found} spanning trees")
