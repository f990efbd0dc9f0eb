"""Work in parts: each equals its part of the whole, parts that do not fit are refused, and examples run on two workers."""

import importlib.util
import os
import pickle
import shutil
import subprocess
import sys
from pathlib import Path

import manycore as mc
import numpy as np
import pytest

EXAMPLES = Path(__file__).parents[1] / "examples"


@pytest.mark.parametrize("order", [0, 1, 2, 5, 20])
def test_parts_of_a_determinant(device, rng, order):
    large = np.array([[int(value) * 10**30 for value in row] for row in rng.integers(-99, 99, (order, order))], dtype=object)
    for entries in (rng.integers(-(2**62), 2**62, (order, order)), large.reshape(order, order)):
        a = mc.IntegerMatrix(entries, device=device)
        for count in (1, 2, 7):
            parts = [a.det_residues(part, count) for part in range(count)]
            assert mc.det_of_parts(pickle.loads(pickle.dumps(parts))) == a.det()
            assert mc.det_of_parts([*reversed(parts), parts[0]]) == a.det()
            for part in parts:
                assert all(residue == a.det() % prime for prime, residue in part.residues)
                assert part.bound >= abs(a.det())


def test_parts_of_a_determinant_that_do_not_fit():
    a = mc.IntegerMatrix([[2**62, 1], [2, 2**62]])
    first, second = a.det_residues(0, 2), a.det_residues(1, 2)
    wrong = second._replace(residues=[(prime, residue ^ 1) for prime, residue in second.residues])
    other = mc.IntegerMatrix([[1, 0], [0, 1]]).det_residues(0, 1)
    for parts, reason in [
        ([], "there are none"),
        ([second], "none has the residue modulo 2147483647"),
        ([first, second, wrong], "one has"),
        ([first, other], "different"),
        ([first, second._replace(residues=[(7, 9)])], "9 is no residue modulo 7"),
        ([first._replace(bound=-1)], "the parts make no determinant"),
        ([first, second._replace(residues=[(2**40, 1)])], "the parts make no determinant"),
    ]:
        with pytest.raises(ValueError, match=reason):
            mc.det_of_parts(parts)
    with pytest.raises(TypeError, match="part 1 of the determinant is 5"):
        mc.det_of_parts([first, 5])
    for part, parts in [(2, 2), (-1, 2), (0, 0)]:
        with pytest.raises(ValueError, match=f"part {part} of {parts}"):
            a.det_residues(part, parts)
    with pytest.raises(TypeError):
        a.det_residues(0.5, 2)
    with pytest.raises(ValueError, match="not square"):
        mc.IntegerMatrix([[1, 2]]).det_residues(0, 1)


def unit(seed, variant, task):
    """A number of SplitMix64, whose seed is a number of that of another one (Steele, Lea, Flood 2014)."""

    def draw(seed, index):
        z = (seed + 0x9E3779B97F4A7C15 * (index + 1)) % 2**64
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 % 2**64
        z = (z ^ z >> 27) * 0x94D049BB133111EB % 2**64
        return z ^ z >> 31

    return (draw(draw(seed, variant), task) >> 11) / 2**53


def project():
    links = [("a", "b"), ("a", "c", "SS", 2), ("b", "d"), ("c", "d", "FF", 1)]
    return mc.Project({"a": 3, "b": 5, "c": 4, "d": 2}, links, releases={"c": 1}, deadlines={"d": 9})


@pytest.mark.parametrize("variants", [range(0), range(5), range(3, 9), range(1, 40, 7), range(9, -1, -3), range(2**63 - 2, 2**63 - 1)])
@pytest.mark.parametrize("seed", [0, 7, 2**64 - 1])
def test_draws_are_those_of_each_variant(variants, seed):
    drawn = project().draws(variants, seed=seed)
    assert drawn.shape == (len(variants), 4) and drawn.dtype == np.float64
    assert drawn.tolist() == [[unit(seed, variant, task) for task in range(4)] for variant in variants]


def test_draws_of_nothing():
    assert mc.Project({}, []).draws(range(3)).shape == (3, 0)
    for variants, seed, error in [(3, 0, TypeError), (range(-1, 2), 0, ValueError), (range(2), -1, ValueError)]:
        with pytest.raises(error, match="variants|seed"):
            project().draws(variants, seed=seed)
    with pytest.raises(ValueError, match="2\\^63"):
        project().draws(range(2**63, 2**63 + 1))
    with pytest.raises(TypeError):
        project().draws(range(2), seed=0.5)


def test_parts_of_variants(device):
    def simulate(project, variants):
        return project.simulate((1 + 9 * project.draws(variants, seed=3)).astype(int), device=device)

    whole = simulate(project(), range(100))
    again = pickle.loads(pickle.dumps(project()))
    for cuts in ([0, 100], [0, 37, 100], [0, 0, 1, 99, 100]):
        parts = [simulate(again, range(*ends)) for ends in zip(cuts, cuts[1:])]
        found = mc.Simulation.of_parts(pickle.loads(pickle.dumps(parts)))
        assert found.lengths.dtype == whole.lengths.dtype and found.critical.dtype == whole.critical.dtype
        assert np.array_equal(found.lengths, whole.lengths) and np.array_equal(found.critical, whole.critical)
    with pytest.raises(ValueError, match="no parts"):
        mc.Simulation.of_parts([])
    with pytest.raises(ValueError, match="part 1 has 1 tasks, and part 0 has 4"):
        mc.Simulation.of_parts([whole, mc.Project({"a": 1}, []).simulate([[1]])])
    with pytest.raises(TypeError, match="part 0 of the variants is 5"):
        mc.Simulation.of_parts([5])


def test_a_pickled_project_is_the_same():
    again = pickle.loads(pickle.dumps(project()))
    assert again.names == project().names and again._project.tasks() == project()._project.tasks()
    assert again._project.links() == project()._project.links() and again.schedule().late == project().schedule().late != {}


def test_rows_of_tables_are_parts(device, rng):
    sbox = mc.SBox(rng.permutation(64), device=device)
    cuts = [range(0, 20), range(20, 64)]
    for table in (sbox.linear_approximation_table, sbox.difference_distribution_table):
        assert np.array_equal(np.concatenate([table(rows=rows) for rows in cuts]), table())


SETS = ["host:1,host:2", " host:1 , host:1", ",".join(device.id for device in mc.devices())]


@pytest.mark.parametrize("names", SETS)
def test_several_devices_give_what_one_gives(names, rng):
    for devices in (names, mc.DeviceSet(names)):
        x = rng.integers(-1000, 1000, (12, 64))
        assert np.array_equal(mc.fwht(x, device=devices), mc.fwht(x, device="host"))
        assert np.array_equal(mc.ifwht(mc.fwht(x, device=devices), device=devices), x)
        assert np.array_equal(mc.arithmetic_transform(x, device=devices), mc.arithmetic_transform(x, device="host"))
        bits = x & 1
        assert np.array_equal(mc.reed_muller(bits, device=devices), mc.reed_muller(bits, device="host"))
        boxes = rng.permuted(np.tile(np.arange(16, dtype=np.uint8), (50, 1)), axis=1)
        assert np.array_equal(mc.nonlinearities(boxes, device=devices), mc.nonlinearities(boxes, device="host"))
        assert np.array_equal(mc.uniformities(boxes, device=devices), mc.uniformities(boxes, device="host"))
        assert np.array_equal(mc.sort(x, device=devices), np.sort(x))
        keys = rng.integers(0, 2**63, 20_000)
        assert np.array_equal(mc.sort(keys, descending=True, device=devices), np.sort(keys)[::-1])
        a = rng.integers(-(2**62), 2**62, (9, 9))
        assert mc.det(a, device=devices) == mc.det(a, device="host") == mc.IntegerMatrix(a).det()


@pytest.mark.parametrize("names", [*(device.id for device in mc.devices()[1:]), *SETS])
def test_transforms_and_sorts_go_past_the_memory_of_devices(names, rng):
    x = rng.integers(-1000, 1000, 1 << 17)
    right = mc.fwht(x, device="host"), np.sort(x)
    with mc.limits(memory=1 << 19):  # half of the array
        found = mc.fwht(x, device=names), mc.sort(x, device=names)
    assert all(np.array_equal(one, other) for one, other in zip(found, right))


@pytest.mark.parametrize("names", [*(device.id for device in mc.devices()), *SETS])
@pytest.mark.parametrize("modulus", [998244353, 2**64 - 2**32 + 1, 4611686018326724609])
def test_number_theoretic_transforms_by_several_devices(names, modulus, rng):
    for x, limit in ((rng.integers(-1000, 1000, (12, 64)), None), (rng.integers(-1000, 1000, 1 << 17), 1 << 18)):
        right = mc.ntt(x, modulus=modulus, device="host")
        with mc.limits(memory=limit):
            for devices in (names, mc.DeviceSet(names)):
                spectrum = mc.ntt(x, modulus=modulus, device=devices)
                assert np.array_equal(spectrum, right)
                assert np.array_equal(mc.intt(spectrum, modulus=modulus, device=devices), x.astype(object) % modulus)


def test_sets_of_devices():
    one, two = mc.Device("host:1"), mc.Device("host:2")
    both = mc.DeviceSet([one, "host:2"])
    assert both.devices == [one, two] and len(both) == 2 and both.failures == []
    assert both == mc.DeviceSet("host:1,host:2") != mc.DeviceSet("host:2,host:1") and hash(both) == hash(mc.DeviceSet("host:1,host:2"))
    named = pickle.loads(pickle.dumps(mc.DeviceSet("host:1,host:2")))
    assert named == both and "host:1,host:2" in repr(named)
    with pytest.raises(ValueError, match="no device \"nothing\""):
        mc.fwht([1, 2], device="host,nothing")
    with pytest.raises(ValueError, match="no devices"):
        mc.DeviceSet([])
    for names in ("", "host,"):
        with pytest.raises(ValueError, match="a name is empty"):
            mc.DeviceSet(names)
    with pytest.raises(TypeError, match="device 1 of the set is 5"):
        mc.DeviceSet(["host", 5])
    with pytest.raises(TypeError, match="one device"):
        mc.haar([1, 2], device=both)
    with pytest.raises(TypeError, match="one device"):
        mc.det([[1.5]], device=both)
    if not any(device.kind == "OpenCL GPU" for device in mc.devices()):
        with pytest.raises(ValueError, match="gpus"):
            mc.sort([2, 1], device="gpus")


def two_workers(name, command, seconds=300):
    """What an example prints, two workers of which have a thread of the host each."""
    environment = {**os.environ, "MANYCORE_DEVICE": "host:1"}
    done = subprocess.run(
        [*command, str(EXAMPLES / name)], capture_output=True, text=True, env=environment, timeout=seconds
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def needs(module, package):
    return pytest.mark.skipif(importlib.util.find_spec(module) is None, reason=f"{package} is not installed")


@needs("ray", "ray")
def test_ray_by_two_workers():
    assert two_workers("ray_shards.py", [sys.executable]).startswith("of 500 permutations the best has the nonlinearity ")


@needs("distributed", "distributed")
def test_dask_by_two_workers():
    assert two_workers("dask_shards.py", [sys.executable]).startswith("days in 9 of 10 houses: ")


@needs("mpi4py", "mpi4py")
@pytest.mark.skipif(shutil.which("mpirun") is None, reason="no mpirun: Open MPI or MPICH is not installed")
def test_mpi_by_two_ranks():
    # Open MPI refuses to start ranks of root, and more of them than there are cores.
    allowed = ("OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "OMPI_MCA_rmaps_base_oversubscribe")
    variables = ["env", *(f"{name}=1" for name in allowed)]
    printed = two_workers("mpi_shards.py", [*variables, "mpirun", "-n", "2", sys.executable, "-m", "mpi4py"])
    trees = "2954540993952788006228764987084443226815814190099484786032640000"
    assert printed.endswith(f"the 12 by 12 grid has {trees} spanning trees\n") and printed.startswith("by [")
