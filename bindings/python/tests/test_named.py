"""Functions by name: each sort of elements and rows beside NumPy, rows without elements, and pairs of calls that differ
in one argument."""
import itertools

import numpy as np
import pytest

import clreduce

EXTREMES = {"min": np.min, "max": np.max, "argmin": np.argmin, "argmax": np.argmax}
TYPES = ("bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float16", "float32",
         "float64")


def elements(dtype):
    return np.array([3, 1, 2, 0, 5, 4, 7, 6, 1, 2, 9, 8]).astype(dtype)


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("name", EXTREMES)
def test_extremes_of_every_type(name, dtype):
    ours, numpys, x = getattr(clreduce, name), EXTREMES[name], elements(dtype)
    dtypes = {np.dtype(dtype)} if name in ("min", "max") else {np.dtype(np.int64)}
    table = x.reshape(3, 4)
    for got, expected in ((ours(x), numpys(x)), (ours(x), numpys(x)), (ours(table, 1), numpys(table, 1)),
                          (ours(table, 0, keepdims=True), numpys(table, 0, keepdims=True))):
        np.testing.assert_array_equal(got, expected)
        assert {np.asarray(got).dtype} == dtypes
    offsets = np.array([0, 0, 5, 12, 12], np.uint32)
    kept = ours(x, segments=offsets, empty=1)
    np.testing.assert_array_equal(kept, [1, numpys(x[:5]), numpys(x[5:]), 1])
    assert {kept.dtype} == dtypes
    keys, values = ours(x, keys=np.repeat([True, False], [5, 7]))
    assert keys.dtype == np.bool_ and keys.tolist() == [True, False]
    np.testing.assert_array_equal(values, [numpys(x[:5]), numpys(x[5:])])


@pytest.mark.parametrize("name", EXTREMES)
@pytest.mark.parametrize("dtype", ("int8", "int32", "float32"))
def test_rows_without_elements(name, dtype):
    """As NumPy, also where the identity would be no element of the type."""
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


CALLS = [{}, {"ddof": 1}, {"nan": "ignore"}, {"order": "any"}, {"dtype": "float64"}, {"keepdims": True}, {"axis": 0}]


@pytest.mark.parametrize("name", ("var", "std"))
def test_calls_that_differ_in_one_argument(name):
    """No call gets what was kept for another one."""
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


def test_a_wrong_option_is_named_in_a_few_words():
    with pytest.raises(TypeError) as raised:
        clreduce.sum(np.ones(3, np.float32), wrong=np.arange(1000))
    assert str(raised.value).startswith("wrong: ") and len(str(raised.value)) < 200
