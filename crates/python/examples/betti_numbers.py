"""Betti numbers modulo 2 of the torus with seven vertices, by ranks of sparse matrices of 0 and 1."""

from itertools import combinations

import manycore as mc
import numpy as np
from scipy.sparse import csr_array

triangles = [sorted({i, (i + 1) % 7, (i + 3) % 7}) for i in range(7)] + [sorted({i, (i + 2) % 7, (i + 3) % 7}) for i in range(7)]
edges = list(combinations(range(7), 2))
number = {edge: place for place, edge in enumerate(edges)}

ends = np.array(edges)
first = csr_array((np.ones(42, np.uint8), (ends.T.ravel(), np.tile(np.arange(21), 2))), shape=(7, 21))
sides = np.array([[number[side] for side in combinations(triangle, 2)] for triangle in triangles])
second = csr_array((np.ones(42, np.uint8), (sides.ravel(), np.repeat(np.arange(14), 3))), shape=(21, 14))

boundary_1, boundary_2 = mc.BitMatrix(first.toarray()), mc.BitMatrix(second.toarray())
assert not (boundary_1 @ boundary_2).numpy().any()  # a boundary has none
ranks = boundary_1.rank(), boundary_2.rank()
print("Betti numbers:", [7 - ranks[0], 21 - ranks[0] - ranks[1], 14 - ranks[1]])
print("the surface itself:", boundary_2.nullspace().numpy().ravel().tolist())
