"""Monte Carlo of a schedule by Dask: two workers have ranges of the variants, each of which draws by its number."""

import manycore as mc
import numpy as np
from dask.distributed import Client

durations = {"ground": 40, "walls": 100, "roof": 60, "pipes": 120, "wires": 70, "paint": 90, "floors": 40}
after = [("ground", "walls"), ("walls", "roof"), ("walls", "pipes"), ("roof", "wires"), ("pipes", "paint")]
after += [("wires", "paint"), ("wires", "floors"), ("paint", "floors")]
project = mc.Project(durations, after)


def simulate(project, variants):
    factors = 0.8 + 0.6 * project.draws(variants, seed=7)  # each task takes from 20 % less to 40 % more
    return project.simulate(np.rint(factors * list(durations.values())).astype(np.int64))


if __name__ == "__main__":  # Dask starts workers as processes that read this file
    with Client(n_workers=2, threads_per_worker=1, dashboard_address=None) as client:  # on a cluster: Client("host:8786")
        ranges = [range(start, start + 2500) for start in range(0, 10_000, 2500)]
        parts = client.gather(client.map(simulate, [project] * len(ranges), ranges, pure=False))
    found, whole = mc.Simulation.of_parts(parts), simulate(project, range(10_000))
    assert np.array_equal(found.lengths, whole.lengths) and np.array_equal(found.critical, whole.critical)
    print("days in 9 of 10 houses:", np.quantile(found.lengths, 0.9) / 10)
    print("critical:", {name: f"{count / 100:.0f} %" for name, count in zip(project.names, found.critical)})
