"""The package itself: devices, foreign arrays, threads, explanations, documentation, types."""

import doctest
import importlib
import pkgutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import manycore as mc
import numpy as np
import pytest

MODULES = ["manycore", *(f"manycore.{module.name}" for module in pkgutil.iter_modules(mc.__path__))]


@pytest.mark.parametrize("name", [name for name in MODULES if not name.endswith("_native")])
def test_examples_of_the_documentation(name, monkeypatch):
    monkeypatch.setenv("MANYCORE_DEVICE", "host")
    results = doctest.testmod(importlib.import_module(name), optionflags=doctest.NORMALIZE_WHITESPACE)
    assert results.failed == 0


def test_every_public_name_has_an_example():
    examples = doctest.DocTestFinder(exclude_empty=True)
    for name in mc.__all__:
        item = getattr(mc, name)
        if not callable(item) or name in {"Device", "DeviceSet", "Progress", "Schedule", "Solutions"}:
            continue
        assert any(test.examples for test in examples.find(item, name)), f"{name} has no example"


def test_devices():
    host = mc.Device("host")
    assert host.id == "host" and host.memory_bytes > 0 and host == mc.devices()[0] and hash(host) == hash(mc.Device("host"))
    assert "host" in repr(host)
    with pytest.raises(ValueError, match="no device \"nothing\""):
        mc.Device("nothing")
    with pytest.raises(ValueError):
        mc.fwht([1, 2], device="nothing")


def test_foreign_arrays(device):
    class Dlpack:
        def __init__(self, array):
            self.array = array

        def __dlpack__(self, **options):
            return self.array.__dlpack__(**options)

        def __dlpack_device__(self):
            return self.array.__dlpack_device__()

    class Interface:
        def __init__(self, array):
            self.array = array
            self.__array_interface__ = array.__array_interface__

    x = np.array([1, 0, 1, 0])
    for foreign in (Dlpack(x), Interface(x), memoryview(x), x.tolist(), tuple(x.tolist())):
        assert mc.fwht(foreign, device=device).tolist() == [2, 2, 0, 0]
    assert mc.Poly(Dlpack(x), 7, device=device) == mc.Poly(x, 7, device=device)


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int16, np.uint16, np.bool_, ">i4", "<i8"])
def test_other_element_types(dtype):
    assert mc.fwht(np.array([1, 0, 1, 0], dtype)).tolist() == [2, 2, 0, 0]


@pytest.mark.parametrize("dtype", [">f8", ">f4", ">i4", ">i8"])
def test_other_byte_orders(dtype):
    x = np.array([3, 1, 2, 0], dtype)
    assert mc.sort(x).tolist() == [0, 1, 2, 3]
    assert mc.fwht(x).tolist() == [6, 4, 2, 0]
    graph = np.array([[0, 5], [1, 0]], dtype)
    assert mc.all_pairs(graph, shortest=True).tolist() == [[0, 5], [1, 0]]
    assert (mc.SparseMatrix(graph) @ np.array([1, 2], dtype)).tolist() == [10, 1]


def test_strided_arrays(rng):
    x = rng.integers(-9, 9, (8, 16))
    for view in (x[::-1, ::2], x.T[::2], np.asfortranarray(x)):
        assert np.array_equal(mc.fwht(view), mc.fwht(view.copy()))
        assert np.array_equal(mc.sort(view), np.sort(view))


def test_threads_compute_at_once(device):
    f = mc.Poly.random(5000, 469762049, seed=1, device=device)
    right = (f * f).coeffs()
    found = [None] * 8

    def work(number):
        found[number] = (f * f).coeffs()

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(np.array_equal(one, right) for one in found)


def test_other_threads_of_python_go_on(rng):
    keys = rng.integers(0, 2**63, 4_000_000)
    count, done = 0, threading.Event()

    def work():
        mc.sort(keys, device="host:1")
        done.set()

    thread = threading.Thread(target=work)
    thread.start()
    while not done.is_set():
        count += 1
        done.wait(0.001)
    thread.join()
    assert count > 1


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no timers")
def test_a_signal_stops_long_work():
    class Stop(Exception):
        pass

    def handler(*_):
        raise Stop

    f = mc.Poly.random(20_000, 469762049, seed=1, device="host")
    previous = signal.signal(signal.SIGALRM, handler)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.3)
        with pytest.raises(Stop):
            f.factor()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)
    assert mc.Poly([6, 0, 1], 469762049, device="host").factor()[0] == 1


def test_limits(device):
    f = mc.Poly.random(600, 469762049, seed=1, device=device)
    seen = []
    with mc.limits(progress=seen.append, seconds=600, memory=2**40):
        for _ in range(1000):
            if not seen:
                f.factor()
    assert seen and seen[-1].steps > 0 and seen[-1].bytes > 0 and isinstance(seen[0].step, str)
    assert [one.steps for one in seen] == sorted(one.steps for one in seen)
    begin = time.perf_counter()
    with pytest.raises(TimeoutError, match="the time is over"), mc.limits(seconds=0.2):
        for _ in range(1000):
            f.factor()
    assert time.perf_counter() - begin < 60
    with pytest.raises(MemoryError), mc.limits(memory=2_000):
        f * f
    with mc.limits(memory=2**40), pytest.raises(MemoryError), mc.limits(memory=2_000), mc.limits(memory=2**30):
        f * f

    def refuse(done):
        raise KeyError(done.step)

    with pytest.raises(KeyError), mc.limits(progress=refuse):
        for _ in range(1000):
            f.factor()
    with pytest.raises(ValueError, match="-1 seconds"), mc.limits(seconds=-1):
        pass
    assert (f * f).degree() == 1198


@pytest.mark.parametrize(
    ("operation", "arguments"),
    [
        (mc.fwht, ([1] * 1024,)),
        (mc.ntt, ([1] * 1024,)),
        (mc.sort, (np.arange(1000),)),
        (mc.Poly.__mul__, (mc.Poly.random(500, 97), mc.Poly.random(500, 97))),
        (mc.Poly.gcd, (mc.Poly.random(500, 97), mc.Poly.random(500, 97))),
        (mc.Poly.__divmod__, (mc.Poly.random(500, 97), mc.Poly.random(50, 97))),
        (mc.Poly.__call__, (mc.Poly.random(500, 97), 3)),
        (mc.Matrix.__matmul__, (mc.Matrix.random(50, 50, 97), mc.Matrix.random(50, 50, 97))),
        (mc.Matrix.det, (mc.Matrix.random(50, 50, 97),)),
        (mc.Matrix.inv, (mc.Matrix.random(50, 50, 97),)),
        (mc.Matrix.rref, (mc.Matrix.random(50, 60, 97),)),
        (mc.SBox.nonlinearity, (mc.SBox(range(16)),)),
        (mc.SBox.differential_uniformity, (mc.SBox(range(16)),)),
        (mc.SparseMatrix.__matmul__, (mc.SparseMatrix(np.eye(50)), np.ones(50))),
    ],
)
def test_explanations_name_the_device(operation, arguments):
    text = mc.explain(operation, *arguments, device="auto")
    assert str(text).count("\n") > 1 and "<pre>" in text._repr_html_()
    assert str(text).startswith(mc.Device("auto").id)


def test_explaining_something_else():
    with pytest.raises(TypeError, match="explained are"):
        mc.explain(print)


def test_types():
    root = Path(__file__).parents[1]
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "python/manycore"], cwd=root, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_stub_names_what_is_compiled():
    stub = (Path(mc.__file__).parent / "_native.pyi").read_text()
    for name in dir(importlib.import_module("manycore._native")):
        if not name.startswith("__"):
            assert f"def {name}(" in stub or f"class {name}:" in stub, name
