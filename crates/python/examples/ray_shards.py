"""Nonlinearities of a batch of S-boxes by Ray: each of two workers has a slice of the batch."""

import manycore as mc
import numpy as np
import ray


@ray.remote(num_cpus=1)
def nonlinearities(sboxes):
    return mc.nonlinearities(sboxes)


ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)  # on a cluster: ray.init(address="auto")
rng = np.random.default_rng(7)
sboxes = rng.permuted(np.tile(np.arange(256, dtype=np.uint8), (500, 1)), axis=1)
parts = [nonlinearities.remote(part) for part in np.array_split(sboxes, 2)]
found = np.concatenate(ray.get(parts))

assert np.array_equal(found, mc.nonlinearities(sboxes))
print(f"of {len(found)} permutations the best has the nonlinearity {found.max()}")
ray.shutdown()
