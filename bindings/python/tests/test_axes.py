"""Axes of every kind of array, read in place or from a copy."""
import os
import pathlib
import shutil
import subprocess
import sys

import numpy as np
import pytest

import clreduce

HOST = {"strategy": "host_serial"}
AXES = [None, (), 0, 1, 2, -1, (0, 2), (2, 0), (0, 1), (-1, 1), (0, 1, 2)]
VIEWS = {"whole": lambda a: a, "transposed": lambda a: a.T, "turned": lambda a: a.transpose((1, 2, 0)),
         "part": lambda a: a[1:, :, 2:7], "steps": lambda a: a[:, ::2, ::3], "backwards": lambda a: a[::-1],
         "one": lambda a: a[:, 2:3], "none": lambda a: a[:, :0]}


@pytest.mark.parametrize("view", VIEWS.values(), ids=VIEWS)
def test_any_axes(table, view):
    y = view(table)
    for axis in AXES:
        np.testing.assert_array_equal(clreduce.sum(y, axis), y.sum(axis))
        kept, expected = clreduce.sum(y, axis, keepdims=True), y.sum(axis, keepdims=True)
        np.testing.assert_array_equal(kept, expected)
        assert kept.shape == expected.shape
    for axis in range(3):
        np.testing.assert_array_equal(clreduce.cumsum(y, axis), y.cumsum(axis))


def test_results_have_the_same_bits_where_the_elements_lie_otherwise(rng):
    x = rng.standard_normal((30, 40, 50)).astype(np.float32)
    rows = np.ascontiguousarray(x.transpose(1, 0, 2)).reshape(40, -1)
    np.testing.assert_array_equal(clreduce.sum(x, (0, 2)), clreduce.sum(rows, 1))
    for axis in range(3):
        np.testing.assert_array_equal(clreduce.sum(x.T, axis), clreduce.sum(np.ascontiguousarray(x.T), axis))


def test_elements_that_lie_in_several_rows(x):
    windows = np.lib.stride_tricks.sliding_window_view(x[:99], 7)
    spread = np.broadcast_to(x[:99, None], (99, 5))
    for axis in (0, 1):
        np.testing.assert_array_equal(clreduce.sum(windows, axis), windows.sum(axis))
        np.testing.assert_array_equal(clreduce.sum(spread, axis), spread.sum(axis))


def test_few_elements_of_much_memory_are_copied(table):
    from clreduce._axes import arrange
    thin, dense = table[:, 0, 0], table[:, :, :4]
    assert arrange(thin, (), thin.shape, 0, False, False, None).elements.nbytes == thin.nbytes
    assert np.shares_memory(arrange(dense, (), dense.shape, 2, False, False, None).elements, table)
    np.testing.assert_array_equal(clreduce.sum(thin, 0), thin.sum(0))


def test_inputs_and_indices_along_any_axes(table):
    other = table[::-1]
    np.testing.assert_array_equal(clreduce.dot(table, other, (0, 2)), (table * other).sum((0, 2)))
    np.testing.assert_array_equal(clreduce.dot(table.T, other.T, 1), (table * other).T.sum(1))
    rows = table.transpose(1, 0, 2).reshape(5, -1)
    np.testing.assert_array_equal(clreduce.argmax(table, (2, 0)), rows.argmax(1))


def test_out_along_any_axes(table):
    out = np.zeros((8, 6), np.float32)
    assert clreduce.sum(table.T, 1, out=out) is out
    np.testing.assert_array_equal(out, table.T.sum(1))
    moved, out = table.T, np.zeros((8, 5, 6), np.float32)
    assert clreduce.cumsum(moved, 2, out=out) is out
    np.testing.assert_array_equal(out, moved.cumsum(2))


# ---------------------------------------------------------------- PyOpenCL

@pytest.mark.parametrize("view", [VIEWS[name] for name in VIEWS if name not in ("whole", "none")])
def test_any_axes_on_the_device(on_device, table, view):
    y, expected = view(on_device(table)), view(table)
    for axis in AXES:
        np.testing.assert_array_equal(clreduce.sum(y, axis), expected.sum(axis))
    for axis in range(3):
        np.testing.assert_array_equal(clreduce.cumsum(y, axis).get(), expected.cumsum(axis))


def test_any_axes_to_out_on_the_device(on_device, table):
    y = on_device(table)
    sums, scanned = on_device(np.zeros((8, 6), np.float32)), on_device(np.zeros((8, 5, 6), np.float32))
    assert clreduce.sum(y.T, 1, out=sums) is sums and clreduce.cumsum(y.T, 2, out=scanned) is scanned
    np.testing.assert_array_equal(sums.get(), table.T.sum(1))
    np.testing.assert_array_equal(scanned.get(), table.T.cumsum(2))
    np.testing.assert_array_equal(clreduce.dot(y, y, (0, 2)), (table * table).sum((0, 2)))


@pytest.mark.parametrize("dtype", ["int8", "float16", "float64", "complex128"])
def test_copies_of_many_axes_on_the_device(on_device, dtype):
    from clreduce._arrays import take
    from clreduce._arrays import gather
    x = np.arange(3**6).reshape((3,) * 6).astype(dtype)
    order = (5, 3, 1, 0, 2, 4)
    np.testing.assert_array_equal(gather(take(on_device(x), "x"), order).owner.get(), x.transpose(order))


@pytest.mark.parametrize("message, call", [
    ("x: only reductions and scans without gaps", lambda y: clreduce.Plan(
        "sum", "float32", on=y.queue, **HOST).enqueue(y.reshape(2, 4).T, np.zeros(1, np.float32))),
    ("out: is not C-contiguous", lambda y: clreduce.cumsum(y[:4], out=y[::2], strategy="scan_host_serial")),
])
def test_gaps_that_are_refused(queue, message, call):
    y = pytest.importorskip("pyopencl.array").to_device(queue, np.arange(8, dtype=np.float32))
    with pytest.raises(ValueError) as raised:
        call(y)
    assert message in str(raised.value)


def test_gaps_on_the_device_without_an_axis(on_device):
    x = np.arange(8, dtype=np.float32)
    y = on_device(x)
    assert clreduce.median(y[::2]) == 3 and clreduce.sum(y[::-1]) == 28 and clreduce.dot(y[::2], y[:4]) == 28
    assert clreduce.dot(y[::2], y[1::2]) == 68 and clreduce.argmax(y.reshape(2, 4).T) == 7
    np.testing.assert_array_equal(clreduce.cumsum(y.reshape(2, 4).T).get(), x.reshape(2, 4).T.cumsum())
    np.testing.assert_array_equal(clreduce.sum(y[::2], keys=y[::2])[1], x[::2])
    assert clreduce.Plan("sum", "float32", on=y.queue, **HOST)(y[::2]) == 12


@pytest.mark.parametrize("name", ("sum", "max", "argmax", "mean", "any"))
def test_later_calls_along_an_axis(name):
    """Calls that differ only in the elements are fast ones (SHORT_WAYS). Other calls must not be."""
    ours, numpys, rng = getattr(clreduce, name), getattr(np, name), np.random.default_rng(3)
    tables = [rng.integers(-9, 9, shape).astype(dtype) for shape in ((6, 4), (4, 6), (6, 4, 2))
              for dtype in ("int32", "float32")]
    for _ in range(3):
        for table in tables:
            for axis in (0, 1, -1):
                got = ours(table, axis)
                np.testing.assert_allclose(got, numpys(table, axis), rtol=1e-6)
                assert got.flags.owndata and got.shape == numpys(table, axis).shape
                np.testing.assert_allclose(ours(table[::2], axis), numpys(table[::2], axis), rtol=1e-6)
            table[:] = table[::-1] * 2


SMALL = """
import hashlib, numpy as np, clreduce
rng, digest = np.random.default_rng(5), hashlib.sha256()
for shape in ((7,), (40, 3), (5, 1, 9), (2, 6, 4)):
    for dtype in ("float32", "int16", "float64", "complex64"):
        x = (rng.standard_normal(shape) * 50).astype(dtype)
        for name in ("sum", "mean", "prod", "argmin", "std", "cumsum", "any"):
            if dtype == "complex64" and name == "argmin":
                continue
            for axis in (None, *range(len(shape)), (0, len(shape) - 1) if name != "cumsum" and len(shape) > 1 else 0):
                for view in (x, x[::-1], x.T):
                    digest.update(np.ascontiguousarray(getattr(clreduce, name)(view, axis)).tobytes())
print(digest.hexdigest())
"""


def test_small_calls_have_the_bits_of_the_device():
    """The host computes small calls itself, unless CLREDUCE_DEVICE_ONLY is set."""
    bits = [subprocess.run([sys.executable, "-c", SMALL], env={**os.environ, "CLREDUCE_DEVICE_ONLY": only}, text=True,
                           check=True, capture_output=True).stdout for only in ("0", "1")]
    assert len(bits[0]) > 64 and bits[0] == bits[1]


def test_who_computes_small_calls(tmp_path):
    """With kernels that give 7 for every sum, the result shows whether the host or the device computed it."""
    shutil.copytree(pathlib.Path(__file__).parents[3] / "cl", tmp_path / "cl")
    operator = tmp_path / "cl" / "common" / "operator.clh"
    right = "#define LOWER_HEAD RESULT clred_lower(const STATE s)"
    assert right in operator.read_text()
    operator.write_text(operator.read_text().replace(
        right, right + " { return 7; } RESULT clred_right(const STATE s)"))
    sums = [subprocess.run(
        [sys.executable, "-c", "import clreduce, numpy; print(clreduce.sum(numpy.ones(5, numpy.float32)))"], text=True,
        env={**os.environ, "CLREDUCE_DEVICE_ONLY": only, "CLREDUCE_CL_DIR": str(tmp_path / "cl"),
             "CLREDUCE_TRUST_DRIVER": "1"}, check=True, capture_output=True).stdout for only in ("0", "1")]
    assert sums == ["5.0\n", "7.0\n"]
