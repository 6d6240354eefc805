"""Sorts, ranks, unique elements and runs, compared with NumPy's stable sorts, and with Python's sorted() and counting
by their definitions. The host sorts small arrays; the others need the device."""
import itertools
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import clreduce
from clreduce._calls import _plans
from clreduce._devices import SORTERS
from clreduce._library import HEADER, ffi, lib

DTYPES = ("bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float16", "float32",
          "float64")
ORDERS = [{"descending": descending, "nans": nans} for descending in (False, True) for nans in ("last", "first")]


def elements(dtype, count=60):
    """Few different elements, with the ends of the type; -0, infinities, and NaNs with different bits."""
    rng, dtype = np.random.default_rng(7), np.dtype(dtype)
    if dtype.kind == "b":
        return rng.integers(0, 2, count).astype(bool)
    if dtype.kind in "iu":
        ends = np.iinfo(dtype)
        some = np.array([ends.min, ends.min + 1, 0, 1, 2, 100, ends.max - 1, ends.max], dtype)
    else:
        some = np.array([0, -0.0, np.inf, -np.inf, 1, -1, 0.5, np.nan, -np.nan, np.finfo(dtype).max,
                         np.finfo(dtype).tiny / 2], dtype)
        some.view(f"u{dtype.itemsize}")[8] += 3
    return some[rng.integers(0, some.size, count)]


def order_of(row, descending=False, nans="last"):
    """The indices in sorted order, by Python's numbers, which are exact."""
    keys = [(number != number, 0 if number != number else -number if descending else number) for number in row.tolist()]
    if nans == "first":
        keys = [(not is_nan, number) for is_nan, number in keys]
    return np.array(sorted(range(row.size), key=keys.__getitem__), np.int64)


def same_bytes(got, expected):
    assert (got.dtype, got.shape) == (expected.dtype, expected.shape) and got.tobytes() == expected.tobytes()


@pytest.mark.parametrize("dtype", DTYPES)
def test_as_numpy(dtype):
    x = elements(dtype)
    before = x.copy()
    same_bytes(clreduce.sort(x), np.sort(x, kind="stable"))
    same_bytes(clreduce.argsort(x), np.argsort(x, kind="stable"))
    for how in ORDERS:
        order = order_of(x, **how)
        same_bytes(clreduce.sort(x, **how), x[order])
        same_bytes(clreduce.argsort(x, **how), order)
        keys, values = clreduce.sort_pairs(x, np.arange(60.), **how)
        same_bytes(keys, x[order])
        same_bytes(values, order.astype(float))
    same_bytes(x, before)


@pytest.mark.parametrize("dtype", DTYPES)
def test_ranks(dtype):
    x = elements(dtype)
    for how in ORDERS:
        order = order_of(x, **how)
        groups = [list(group) for _, group in itertools.groupby(order, lambda i: "nan" if x[i] != x[i] else x[i])]
        expected, first = {method: np.zeros(60) for method in ("average", "min", "max", "dense")}, 1
        for dense, group in enumerate(groups):
            last = first + len(group) - 1
            for method, rank in (("average", (first + last) / 2), ("min", first), ("max", last), ("dense", dense + 1)):
                expected[method][group] = rank
            first = last + 1
        expected["ordinal"] = np.argsort(order) + 1
        for method, ranks in expected.items():
            same_bytes(clreduce.rank(x, method, **how), ranks.astype(float if method == "average" else np.int64))
    table = x.reshape(3, 4, 5)
    for axis in range(3):
        expected = np.apply_along_axis(clreduce.rank, axis, table)
        np.testing.assert_array_equal(clreduce.rank(table, axis=axis), expected)


@pytest.mark.parametrize("dtype", DTYPES)
def test_unique_elements_and_runs(dtype):
    x = elements(dtype)
    found, expected = (of(x, True, True, True) for of in (clreduce.unique, np.unique))
    for one, other in zip(found, expected):
        same_bytes(one, other)
    values, counts = clreduce.unique(x, return_counts=True)
    np.testing.assert_array_equal(values, expected[0])
    same_bytes(counts, expected[3])
    assert clreduce.unique(x.reshape(3, 20), return_inverse=True)[1].shape == (3, 20)
    np.testing.assert_array_equal(clreduce.unique(x)[clreduce.unique(x, return_inverse=True)[1]], x)
    most = sorted(zip(-counts, range(counts.size)))
    values, found = clreduce.value_counts(x)
    np.testing.assert_array_equal(values, [expected[0][place] for _, place in most])
    assert found.tolist() == [-count for count, _ in most]
    nans = int((x != x).sum())
    assert clreduce.unique(x, equal_nan=False).size == expected[0].size + max(0, nans - 1)
    for equal_nan in (False, True):
        y = np.repeat(x, 2)
        starts = [i for i, number in enumerate(y) if not i or (number != y[i - 1] and not (
            equal_nan and np.isnan(number) and np.isnan(y[i - 1])))]
        for one, other in zip(clreduce.run_lengths(y, equal_nan=equal_nan),
                              (y[starts], np.array(starts), np.diff(starts + [y.size]))):
            same_bytes(one, other)


VIEWS = {"whole": lambda a: a, "transposed": lambda a: a.T, "steps": lambda a: a[:, ::2, ::3],
         "backwards": lambda a: a[::-1, :, ::-1], "spread": lambda a: np.broadcast_to(a[:, :1], (6, 4, 8)),
         "rows without elements": lambda a: a[:, :, :0], "no rows": lambda a: a[:, :0], "number": lambda a: a[1, 2, 3]}


@pytest.mark.parametrize("view", VIEWS.values(), ids=VIEWS)
def test_axes(table, view):
    x = np.asarray(view(table)).view()
    x.flags.writeable = False
    for axis in (*range(-x.ndim, x.ndim), None):
        for ours, theirs in ((clreduce.sort, np.sort), (clreduce.argsort, np.argsort)):
            expected = theirs(x, axis, kind="stable")
            np.testing.assert_array_equal(ours(x, axis), expected)
            gaps = np.empty(expected.shape + (2,), expected.dtype)[..., 0]
            for out in (np.empty_like(expected, order="C"), gaps):
                out[...] = 0
                assert ours(x, axis, out=out) is out
                np.testing.assert_array_equal(out, expected)
    assert clreduce.rank(x).shape == (x.size,) and clreduce.unique(x, True)[0].tolist() == np.unique(x).tolist()
    assert sum(clreduce.run_lengths(x)[2].tolist()) == x.size == clreduce.value_counts(x)[1].sum()


def test_in_place(table):
    for axis in (0, 1, -1):
        for x in (table.copy(), table.T.copy(), table.copy().T):
            expected = np.sort(x, axis)
            assert clreduce.sort(x, axis, out=x) is x
            np.testing.assert_array_equal(x, expected)
    keys, values = elements("float64"), np.arange(60)
    order = order_of(keys)
    found = clreduce.sort_pairs(keys, values, out=(keys, values))
    assert found[0] is keys and found[1] is values and values.tolist() == order.tolist()


VALUES = {"bytes": lambda n: np.arange(n, dtype=np.uint8), "texts": lambda n: np.arange(n).astype("S3"),
          "structs": lambda n: np.rec.fromarrays([np.arange(n, dtype="i2"), np.arange(n) / 3]),
          "rows": lambda n: np.arange(6 * n).reshape(n, 2, 3), "times": lambda n: np.arange(n).astype("M8[s]"),
          "another machine's": lambda n: np.arange(n, dtype=">i4"), "gaps": lambda n: np.arange(4 * n)[::4]}


@pytest.mark.parametrize("kind", VALUES.values(), ids=VALUES)
def test_values(kind):
    keys, values = elements("int16"), kind(60)
    order, out = order_of(keys), np.zeros_like(values)
    same_bytes(clreduce.sort_pairs(keys, values)[1], values[order])
    assert clreduce.sort_pairs(keys, values, out=(None, out))[1] is out
    same_bytes(out, values[order])
    assert clreduce.sort_pairs(keys[:0], values[:0])[1].shape == values[:0].shape


def device_bytes(sorter):
    info = ffi.new("clred_sorter_info *")
    assert lib.clred_sorter_inspect_v(HEADER, sorter._pointer, info) == 0
    return info.device_bytes


def test_small_calls_build_nothing():
    clreduce.clear()
    x = np.arange(16384)[::-1].copy()
    for call in (clreduce.sort, clreduce.argsort, clreduce.rank, clreduce.unique, clreduce.value_counts,
                 clreduce.run_lengths):
        call(x)
    assert clreduce.sort_pairs(x, x)[1][0] == 0
    assert len(SORTERS) == 4 and not any(map(device_bytes, SORTERS.values())) and not _plans
    clreduce.clear()
    assert not SORTERS


def test_bfloat16():
    bits = np.array([0x7fc0, 0x8000, 0xbf80, 0, 0x3f80, 0xffc0], np.uint16)  # NaN, -0, -1, 0, 1, NaN
    assert clreduce.argsort(bits, type="bfloat16").tolist() == [2, 1, 3, 4, 0, 5]
    assert clreduce.unique(bits, type="bfloat16").tolist() == [0xbf80, 0x8000, 0x3f80, 0x7fc0]
    assert clreduce.rank(bits, "min", type="bfloat16").tolist() == [5, 2, 1, 2, 4, 5]


# ---------------------------------------------------------------- On the device

def test_many_elements(rng):
    """More elements than the host sorts, in a row and in rows; a sorter grows."""
    for count in (20000, 140001):
        x = rng.integers(-999, 1000, count).astype(np.float32)
        x[::1000] = np.nan
        same_bytes(clreduce.sort(x), np.sort(x, kind="stable"))
        same_bytes(clreduce.argsort(x), np.argsort(x, kind="stable"))
    table, expected = x[:140000].reshape(7, 20000), np.sort(x, kind="stable").tobytes()
    for axis in (0, 1):
        np.testing.assert_array_equal(clreduce.argsort(table, axis), np.argsort(table, axis, kind="stable"))
        np.testing.assert_array_equal(clreduce.sort(table, axis), np.sort(table, axis, kind="stable"))
    with ThreadPoolExecutor(4) as threads:
        assert set(threads.map(lambda y: clreduce.sort(y, out=y).tobytes(), [x.copy() for _ in range(8)])) == {expected}


@pytest.mark.parametrize("size", (4, 12))
def test_equal_keys(size):
    """No pass is needed, but what is not in place must be written."""
    for out in itertools.product((None, "in place"), repeat=2):
        pair = np.full(20000, 7, np.uint8), np.arange(5000 * size, dtype=np.int32).reshape(20000, -1)
        found = clreduce.sort_pairs(*pair, out=[one and array for one, array in zip(out, pair)])
        assert found[0].tolist() == [7] * 20000 and found[1].ravel().tolist() == list(range(5000 * size))


@pytest.mark.parametrize("dtype", ("bool", "float16", "float32"))
def test_arrays_of_pyopencl(on_device, dtype):
    x = elements(dtype, 30000)
    y, order = on_device(x), np.argsort(x, kind="stable")
    for found, expected in ((clreduce.sort(y), x[order]), (clreduce.argsort(y), order)):
        assert isinstance(found, type(y))
        same_bytes(found.get(), expected)
    wide = x.astype(np.float32)  # NumPy 2.2 does not put all halves in order
    for ours, theirs in zip(clreduce.unique(y, return_counts=True), np.unique(wide, return_counts=True)):
        np.testing.assert_array_equal(ours, theirs)
    for name, how in (("run_lengths", {"equal_nan": False}), ("run_lengths", {}), ("value_counts", {}), ("rank", {})):
        for ours, theirs in zip(*(np.atleast_1d(getattr(clreduce, name)(each, **how)) for each in (y, x))):
            np.testing.assert_array_equal(ours, theirs)
    values = np.arange(90000, dtype=np.int16).reshape(-1, 3)
    same_bytes(clreduce.sort_pairs(y, on_device(values))[1].get(), values[order])
    same_bytes(clreduce.sort_pairs(y, values)[1], values[order])
    assert clreduce.sort(y, out=y) is y
    same_bytes(y.get(), x[order])


def test_axes_and_memory_of_pyopencl(queue, on_device, table):
    opencl = pytest.importorskip("pyopencl")
    y, out = on_device(table), on_device(np.zeros((6, 5, 8), np.int64))
    for axis in range(3):
        np.testing.assert_array_equal(clreduce.sort(y, axis).get(), np.sort(table, axis))
        part = clreduce.argsort(y[:, 1:, ::2], axis).get()
        np.testing.assert_array_equal(part, np.argsort(table[:, 1:, ::2], axis, "stable"))
        assert clreduce.argsort(table, axis, out=out, on=queue) is out
        np.testing.assert_array_equal(out.get(), np.argsort(table, axis, "stable"))
        assert clreduce.sort(y, axis, out=y) is y
        np.testing.assert_array_equal(y.get(), table := np.sort(table, axis))
    x, host = table.reshape(-1)[::-1].copy(), np.zeros(240, np.float32)
    buffer = opencl.Buffer(queue.context, opencl.mem_flags.COPY_HOST_PTR, hostbuf=x)
    how, values = {"type": "float32", "on": queue}, on_device(np.arange(484, dtype=np.int32))
    same_bytes(clreduce.sort(buffer, **how), np.sort(x))
    same_bytes(clreduce.argsort(buffer, **how), np.argsort(x, kind="stable"))
    for begin in (2, 1):  # 1 is in the middle of a value
        pairs = values[begin:480 + begin].reshape(240, 2)
        keys, found = clreduce.sort_pairs(buffer, pairs, out=(host, None), **how)
        assert keys is host and host.tolist() == sorted(x.tolist())
        same_bytes(found.get(), expected := pairs.get()[np.argsort(x, kind="stable")])
        assert clreduce.sort_pairs(x, pairs, out=(None, pairs), on=queue)[1] is pairs
        same_bytes(pairs.get(), expected)
    indices = clreduce.sort_pairs(x, np.arange(240), out=(on_device(x), None), on=queue)[1]
    same_bytes(indices, np.argsort(x, kind="stable"))
    assert clreduce.unique(buffer, **how).tolist() == np.unique(x).tolist()
    assert clreduce.sort(on_device(x), out=buffer, on=queue) is buffer
    same_bytes(clreduce.sort(buffer, descending=True, **how), np.sort(x)[::-1])
    with pytest.raises(TypeError, match="out: a buffer takes only keys or values"):
        clreduce.argsort(x, out=opencl.Buffer(queue.context, opencl.mem_flags.READ_WRITE, 1920), on=queue)
    with pytest.raises(TypeError, match="values: a buffer has no type of its own; give values_type"):
        clreduce.sort_pairs(x, buffer)
