"""Random search for S-boxes of 8 bits by nonlinearity and differential uniformity, in batches."""

import manycore as mc
import numpy as np

rng = np.random.default_rng(7)
best = (0, 0)
for _ in range(4):
    batch = rng.permuted(np.tile(np.arange(256, dtype=np.uint8), (256, 1)), axis=1)
    nonlinearity, uniformity = mc.nonlinearities(batch), mc.uniformities(batch)
    first = np.lexsort((uniformity, -nonlinearity.astype(int)))[0]
    found = (int(nonlinearity[first]), -int(uniformity[first]))
    if found > best:
        best, sbox = found, mc.SBox(batch[first])
print(f"of 1024 permutations: nonlinearity {sbox.nonlinearity()}, uniformity {sbox.differential_uniformity()}")
