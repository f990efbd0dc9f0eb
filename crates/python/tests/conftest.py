"""Every test of results runs on every device that is present."""

import os

import manycore as mc
import numpy as np
import pytest

DEVICES = [device.id for device in mc.devices()]
if os.environ.get("MANYCORE_REQUIRE_OPENCL") and len(DEVICES) < 2:
    raise RuntimeError("MANYCORE_REQUIRE_OPENCL is set, and there is no OpenCL device")


@pytest.fixture(params=DEVICES)
def device(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(20121101)
