"""Functions by name: rows without elements, arguments as in NumPy, pairs of calls that differ in one argument, and
linear quantiles compared with exact rationals. test_table.py has all types of elements and kinds of rows."""
import itertools
import math
from fractions import Fraction

import numpy as np
import pytest

import clreduce

EXTREMES = {"min": np.min, "max": np.max, "argmin": np.argmin, "argmax": np.argmax}


@pytest.mark.parametrize("name", EXTREMES)
@pytest.mark.parametrize("dtype", ("int8", "int32", "float32"))
def test_rows_without_elements(name, dtype):
    """As NumPy, also if the element type cannot hold the identity."""
    ours, numpys = getattr(clreduce, name), EXTREMES[name]
    for shape, axis in (((0,), None), ((0, 2), 0), ((2, 0), 1), ((0, 2), None), ((2, 0, 3), 1)):
        x = np.zeros(shape, dtype)
        with pytest.raises(ValueError):
            numpys(x, axis=axis)
        with pytest.raises(ValueError, match="has no elements"):
            ours(x, axis)
        filled = ours(x, axis, empty=7)
        assert np.shape(filled) == np.sum(x, axis=axis).shape and np.all(filled == 7)
    assert ours(np.zeros((0, 2), dtype), 1).shape == (0,)
    with pytest.raises(ValueError, match="row 2 has no elements"):
        ours(np.zeros(3, dtype), segments=np.array([0, 1, 2, 2, 3], np.uint32))


def test_rows_whose_elements_are_all_ignored():
    x = np.array([[1, 2], [np.nan, np.nan]], np.float32)
    with pytest.raises(ValueError, match="row 1 has only elements that are ignored"):
        clreduce.argmin(x, 1, nan="ignore")
    assert clreduce.argmax(x, 1, nan="ignore", empty=-9).tolist() == [1, -9]
    with pytest.raises(ValueError, match="x: has only elements that are ignored"):
        clreduce.argmax(x[1], nan="ignore")


def test_empty_segments_in_memory_of_the_device(queue, on_device):
    opencl = pytest.importorskip("pyopencl")
    x, offsets = on_device(np.array([5, -3, 7], np.int8)), np.array([0, 2, 2, 3], np.uint32)
    buffer = opencl.Buffer(queue.context, opencl.mem_flags.COPY_HOST_PTR, hostbuf=offsets)
    for given in ({"segments": on_device(offsets)}, {"segments": buffer, "segment_type": "uint32"}):
        for name, expected in (("min", [-3, 1, 7]), ("argmin", [1, 1, 0]), ("median", [1, 1, 7])):
            with pytest.raises(ValueError, match="row 1 has no elements"):
                getattr(clreduce, name)(x, **given)
            assert getattr(clreduce, name)(x, empty=1, **given).tolist() == expected
    with pytest.raises(TypeError, match="segments: a buffer has no type of its own; give segment_type"):
        clreduce.min(x, segments=buffer)


# ---------------------------------------------------------------- Arguments as in NumPy

@pytest.mark.parametrize("name", ("sum", "prod", "min", "max", "mean", "std", "any", "all"))
@pytest.mark.parametrize("dtype", ("int8", "float32"))
def test_where(name, dtype):
    x = np.arange(-12, 12).reshape(2, 3, 4).astype(dtype)
    ours, numpys = getattr(clreduce, name), getattr(np, name)
    first = {"initial": 3} if name in ("min", "max") else {}  # NumPy requires it together with `where`
    for where in (x % 2 == 0, x[0] > -9, np.array([[True], [False], [True]])):
        for axis in (None, 1, (0, 2)):
            for y in (x, np.asfortranarray(x)):
                np.testing.assert_allclose(ours(y, axis, where=where, **first),
                                           numpys(y, axis, where=where, **first), rtol=1e-6)
            assert ours(x, axis, where=where, keepdims=True, **first).shape == x.sum(axis, keepdims=True).shape


def test_where_in_segments_runs_and_inputs():
    x, where = np.arange(1, 7), np.array([True, False, True, False, False, True])
    assert clreduce.sum(x, where=where, segments=[0, 2, 5, 6]).tolist() == [1, 3, 6]
    keys, sums = clreduce.sum(x, where=where, keys=[1, 1, 2, 3, 3, 1])
    assert keys.tolist() == [1, 2, 3, 1] and sums.tolist() == [1, 3, 0, 6]
    assert clreduce.dot(x, x * 10, where=where) == 460
    with pytest.raises(ValueError, match="row 1 has no elements"):
        clreduce.max(x.reshape(3, 2), 1, where=where.reshape(3, 2) & [[True], [False], [True]])
    out = np.zeros((2, 3), np.int64).T
    assert clreduce.sum(x.reshape(3, 2, 1), 2, where=where.reshape(3, 2, 1), out=out) is out
    assert out.tolist() == [[1, 0], [3, 0], [0, 6]]


UFUNCS = {"sum": np.add, "prod": np.multiply, "min": np.minimum, "max": np.maximum, "bitwise_and": np.bitwise_and,
          "bitwise_xor": np.bitwise_xor}


@pytest.mark.parametrize("name, ufunc", UFUNCS.items())
def test_initial(name, ufunc):
    ours = getattr(clreduce, name)
    for dtype in ("bool", "int8", "uint64", "float32")[:3 if name.startswith("bitwise") else 4]:
        x = np.arange(1, 7).reshape(2, 3).astype(dtype)
        for axis in (None, 0, 1):
            wide = np.int64 if name in ("sum", "prod") and dtype in ("bool", "int8") else None
            expected = ufunc.reduce(x, axis, initial=1, dtype=wide)
            got, out = ours(x, axis, initial=1), np.zeros_like(expected)
            np.testing.assert_array_equal(got, expected)
            assert got.dtype == expected.dtype
            if out.shape and dtype != "bool":
                assert ours(x, axis, initial=1, out=out) is out and out.tolist() == expected.tolist()
    assert ours(np.zeros((2, 0), np.int8), 1, initial=1).tolist() == [1, 1]
    assert ours(np.ones(3, np.int8), keys=[1, 1, 2], initial=1)[1].size == 2
    assert clreduce.sum(np.array([True]), initial=-3) == -2


def test_dtypes_of_results():
    elements = ("bool", "int8", "uint8", "int32", "uint64", "float16", "float32", "float64")
    results = ("int8", "int16", "uint32", "int64", "float32", "float64", "complex64")
    for element, wanted in itertools.product(elements, results):
        x = np.array([[1, 3, 100], [2, 5, 90]]).T.astype(element)  # with gaps
        if np.dtype(element).kind == "f" and np.dtype(wanted).kind in "iu":
            with pytest.raises(TypeError, match=f"dtype: results over {element} cannot be {wanted}"):
                clreduce.sum(x, dtype=wanted)
            continue
        for axis in (None, 1):
            got, expected = clreduce.sum(x, axis, dtype=wanted), x.sum(axis, dtype=wanted)
            np.testing.assert_array_equal(got, expected)
            assert got.dtype == expected.dtype
        np.testing.assert_array_equal(clreduce.cumsum(x, 0, dtype=wanted), x.cumsum(0, dtype=wanted))


@pytest.mark.parametrize("axis", (None, 0, 1, -1, (0, 2), (1, 2)))
@pytest.mark.parametrize("keepdims", (False, True))
def test_quantiles_along_axes(table, axis, keepdims):
    axes = (0, 1, 2) if axis is None else axis if isinstance(axis, tuple) else (axis % 3,)
    rest, place = [one for one in range(3) if one not in axes], axes[-1] - (0 if keepdims else len(axes) - 1)
    for y in (table, table.T, table[:, ::-1, ::2]):
        z, how = y.astype(np.float64), {"axis": axis, "keepdims": keepdims}
        np.testing.assert_array_equal(clreduce.median(y, **how), np.median(z, **how))
        np.testing.assert_allclose(clreduce.quantile(y, [0.1, 0.75], **how), np.quantile(z, [0.1, 0.75], **how))
        rows = y.transpose(rest + list(axes)).reshape([y.shape[one] for one in rest] + [-1])
        order = np.argsort(-rows, kind="stable")[..., :2]
        shape = [2 if one == axes[-1] else 1 if one in axes else length for one, length in enumerate(y.shape)
                 if keepdims or one not in axes[:-1]]
        for found, expected in zip(clreduce.top(y, 2, **how), (np.take_along_axis(rows, order, -1), order)):
            assert list(found.shape) == shape
            np.testing.assert_array_equal(np.moveaxis(found, place, -1).reshape(order.shape), expected)


CALLS = [{}, {"ddof": 1}, {"nan": "ignore"}, {"order": "any"}, {"dtype": "float64"}, {"keepdims": True}, {"axis": 0}]


@pytest.mark.parametrize("name", ("var", "std"))
def test_calls_that_differ_in_one_argument(name):
    """A call must not use what was kept for another call."""
    x = np.array([1, 2, 3, 4], np.float32)
    for first, second in itertools.permutations(CALLS, 2):
        clreduce.clear()
        for arguments in (first, second, first):
            ddof = arguments.get("ddof", 0)
            got = getattr(clreduce, name)(x, **arguments)
            np.testing.assert_allclose(got, getattr(np, name)(x, ddof=ddof), rtol=1e-6)


def test_operators_that_differ_in_the_dtype_of_results():
    x = np.array([1, 2, 3], np.int32)
    for dtype in (np.int32, np.uint32, np.float32):
        op = clreduce.Operator("total", element="int", state="int", identity="0", combine="a + b", result_dtype=dtype)
        assert clreduce.reduce(op, x).dtype == dtype


def test_elements_that_are_members_in_braces():
    op = clreduce.Operator("far", element="{ float x; float y; }", state="float", identity="0", combine="fmax(a, b)",
                           lift="x.x * x.x + x.y * x.y", commutative=True)
    points = np.array([(1, 2), (3, 4), (0, 1)], np.dtype([("x", np.float32), ("y", np.float32)]))
    assert clreduce.reduce(op, points) == 25


def test_inputs_of_truth_values():
    x, mask = np.array([5, 6, 7], np.float32), np.array([True, False, True])
    for marks in (mask, mask.view(np.uint8), mask):
        assert clreduce.select(x, "m", inputs={"m": marks}).tolist() == [5, 7]


def test_a_range_may_be_an_array():
    counts, edges = clreduce.histogram(np.array([1, 2, 5], np.float32), 2, np.array([0., 6.]))
    assert counts.tolist() == [2, 1] and edges.tolist() == [0, 3, 6]


@pytest.mark.parametrize("dtype", ["float32", "float64", "int32", "uint8", "float16"])
def test_weights_are_summed_exactly(dtype):
    rng = np.random.default_rng(3)
    x, y, z = rng.normal(size=(3, 3001)).astype(np.float32)
    weights = (rng.normal(size=3001) * 2.0 ** rng.integers(-9, 12, 3001)).astype(dtype)
    if dtype == "float64":
        weights *= 10.0 ** rng.integers(-200, 200, 3001)
    sums, edges = clreduce.histogram(x, 9, (-2, 2), weights=weights)
    bins = np.where(x == edges[-1], 8, np.digitize(x, edges) - 1)
    expected = [math.fsum(weights[bins == k].astype(float)) for k in range(9)]
    assert sums.dtype == {"float16": "float32", "int32": "int64", "uint8": "uint64"}.get(dtype, dtype)
    np.testing.assert_array_equal(sums, np.array(expected).astype(sums.dtype))
    sums, of_x, of_y = clreduce.histogram2d(x, y, (3, [-1, 0, 2]), [(-2, 2), None], weights=weights)
    for i, j in np.ndindex(3, 2):
        inside = (x >= of_x[i]) & (x < of_x[i + 1]) & (y >= of_y[j]) & (y < of_y[j + 1])
        assert sums[i, j] == sums.dtype.type(math.fsum(weights[inside].astype(float)))
    counts, of_all = clreduce.histogramdd([x, y, z], 4, density=dtype == "float64")
    expected, at = np.histogramdd([x, y, z], 4, density=dtype == "float64")
    np.testing.assert_allclose(counts, expected, rtol=1e-5)
    np.testing.assert_allclose(of_all, at, rtol=1e-5)  # newer versions of NumPy have edges of float32


def test_axes_and_weights_as_in_numpy():
    points = np.random.default_rng(4).random((500, 3))
    for bins in (5, (2, 3, 4), [[0, 0.5, 1]] * 3):
        np.testing.assert_array_equal(clreduce.histogramdd(points, bins, [(0, 1)] * 3)[0],
                                      np.histogramdd(points, bins, [(0, 1)] * 3)[0])
    for bins in (4, [0, 0.25, 1], ([0, 1], 3)):
        np.testing.assert_array_equal(clreduce.histogram2d(*points.T[:2], bins, [(0, 1)] * 2)[0],
                                      np.histogram2d(*points.T[:2], bins, [(0, 1)] * 2)[0])
    found = clreduce.histogram(points[:, 0], 5, (0, 1), weights=points[:, 1], density=True)[0]
    np.testing.assert_allclose(found, np.histogram(points[:, 0], 5, (0, 1), weights=points[:, 1], density=True)[0])


def test_bincount():
    x = np.array([3, 1, 1, 7, 3, 3], np.uint8)
    assert clreduce.bincount(x).tolist() == np.bincount(x).tolist() and clreduce.bincount([]).tolist() == []
    assert clreduce.bincount(x, minlength=300).tolist() == np.bincount(x, minlength=300).tolist()
    found = clreduce.bincount(x, weights=[1e30, 2, np.inf, np.nan, 1, -1e30], minlength=2)
    np.testing.assert_array_equal(found, [0, np.inf, 0, 1, 0, 0, 0, np.nan])
    assert clreduce.bincount([-0, 0], [1, 2]).dtype == np.float64 and clreduce.bincount([], [], 2).tolist() == [0, 0]


def test_a_wrong_option_is_named_in_a_few_words():
    with pytest.raises(TypeError) as raised:
        clreduce.sum(np.ones(3, np.float32), wrong=np.arange(1000))
    assert str(raised.value).startswith("wrong: ") and len(str(raised.value)) < 200


def test_exact_complex():
    rng = np.random.default_rng(5)
    parts = rng.standard_normal((4, 50)) * 2.0 ** rng.integers(-300, 300, (4, 50))
    a, b, c, d = ([Fraction(value) for value in part] for part in parts)
    x, y = parts[0] + 1j * parts[1], parts[2] + 1j * parts[3]
    for conjugate, function in ((-1, clreduce.dot), (1, clreduce.vdot)):
        got = function(x, y, order="exact")
        assert got.real == float(sum(p * r + conjugate * q * s for p, q, r, s in zip(a, b, c, d)))
        assert got.imag == float(sum(p * s - conjugate * q * r for p, q, r, s in zip(a, b, c, d)))
    got = clreduce.mean(x, order="exact")
    assert (got.real, got.imag) == (float(sum(a) / 50), float(sum(b) / 50))
    with pytest.raises(TypeError, match="exact is not defined for var of cdouble"):
        clreduce.var(x, order="exact")


# ---------------------------------------------------------------- Linear quantiles are the nearest double

# Fractions. In a list of two elements, the fraction is also the position.
HARD = [0.5, 0.25, 0.75, 5e-324, 2.0**-1022, 2.0**-53, 1 - 2.0**-53, 0.5 - 2.0**-54, 0.5 + 2.0**-53, 1 / 3]
PAIRS = {"int64": 200, "uint64": 200, "float64": 20}  # of elements; each with 256 fractions


def fractions(rng):
    powers = rng.integers(1, 60, 123)
    return HARD + rng.random(123).tolist() + (rng.integers(1, 2**31, 123) % 2**powers / 2.0**powers).tolist()


def pairs(dtype, count, rng):
    """Pairs of elements: random bits, close neighbours, and the ends of the type."""
    size = np.dtype(dtype).itemsize
    lower, other = np.frombuffer(rng.bytes(2 * count * size), dtype).reshape(2, count).copy()
    near = np.frombuffer(lower.tobytes(), f"u{size}") + rng.integers(1, 100, count).astype(f"u{size}")
    other[::2] = np.frombuffer(near.tobytes(), dtype)[::2]
    if lower.dtype.kind != "f":
        ends = np.iinfo(dtype)
        lower[0], other[0] = ends.min, ends.max
        lower[1], other[1] = ends.max - 2, ends.max
    else:
        lower[0], other[0] = np.finfo(dtype).min, np.finfo(dtype).max
        lower[1], other[1] = -5e-324, 0  # 0 for narrower types
    return [np.sort(pair) for pair in np.stack([lower, other], 1) if np.isfinite(pair).all()]


def wrong(pair, at):
    low, high = (Fraction(element.item()) for element in pair)
    exact = [float(low + (high - low) * Fraction(q)) + 0.0 for q in at]
    return [(pair, q, got, right) for q, got, right in zip(at, clreduce.quantile(pair, at), exact)
            if np.float64(got).tobytes() != np.float64(right).tobytes()]


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float16",
                                   "float32", "float64"])
def test_the_nearest_double(dtype):
    rng = np.random.default_rng(5)
    at = fractions(rng)
    assert not [case for pair in pairs(dtype, PAIRS.get(dtype, 4), rng) for case in wrong(pair, at)][:3]


def test_between_many():
    """Medians of an even number of elements: half way between two."""
    x = np.arange(2**63 - 2000, 2**63, 2, dtype=np.uint64)
    assert clreduce.median(x) == float(Fraction(2**63 - 1001))
    assert clreduce.median(np.array([9007199254740993, 9007199254740995])) == 9007199254740994
    assert clreduce.median(np.array([-2**63, 2**63 - 1])) == -0.5
