"""Fixtures. NumPy is the oracle of all tests. Programs take most of the time, so tests share operators and dtypes."""
import numpy as np
import pytest

import clreduce

if int(np.__version__.split(".")[0]) >= 2:
    np.set_printoptions(legacy="1.25")  # the pages show numbers as older versions of NumPy print them


def pytest_configure(config):
    if not clreduce.devices():
        pytest.exit("no OpenCL device; install pocl-opencl-icd", returncode=1)


@pytest.fixture(scope="session")
def rng():
    return np.random.default_rng(1)


@pytest.fixture(scope="session")
def x():
    """Integers as floats, so that sums are exact in any order."""
    return np.random.default_rng(2).integers(-999, 1000, 5000).astype(np.float32)


@pytest.fixture(scope="session")
def table():
    return np.random.default_rng(3).integers(-99, 100, (6, 5, 8)).astype(np.float32)


@pytest.fixture(scope="session")
def queue():
    """A PyOpenCL queue on the default device."""
    opencl = pytest.importorskip("pyopencl")
    pytest.importorskip("pyopencl.array")
    wanted = clreduce.use()
    for platform in opencl.get_platforms():
        for device in platform.get_devices():
            if device.name == wanted.name:
                return opencl.CommandQueue(opencl.Context([device]))
    pytest.skip("PyOpenCL does not see the device")


@pytest.fixture
def on_device(queue):
    arrays = pytest.importorskip("pyopencl.array")
    return lambda array: arrays.to_device(queue, array)
