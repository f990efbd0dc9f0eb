"""Spanning trees of a grid by a determinant of integers, exactly; and this file restored from 4 of its 6 parts."""

from pathlib import Path

import manycore as mc
import numpy as np

n = 12
path = 2 * np.eye(n, dtype=int) - np.eye(n, k=1, dtype=int) - np.eye(n, k=-1, dtype=int)
path[0, 0] = path[-1, -1] = 1
laplacian = np.kron(path, np.eye(n, dtype=int)) + np.kron(np.eye(n, dtype=int), path)
print(f"spanning trees of the {n} by {n} grid:", mc.det(laplacian[1:, 1:]))

text = Path(__file__).read_bytes()
parts = mc.split_parts(text, data=4, parity=2)
kept = {f"part {place}": parts[place] for place in (5, 3, 0, 4)}
print("restored from", ", ".join(kept), ":", mc.join_parts(kept) == text)
