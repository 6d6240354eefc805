"""A table of every function by name, every dtype and every kind of rows, compared with NumPy. The kinds of rows are
one row, an axis, segments, runs of equal keys, and the first three without elements. If the module refuses a cell,
refused() must name it.

Compiling programs takes nearly all of the time. So a first run tests the cells that the host computes, and all that are
refused: they need no program. A second run, with CLREDUCE_DEVICE_ONLY=1, tests on the device each function with each
kind of rows, for two dtypes, and each dtype with each kind of rows."""
import itertools
import os

import numpy as np
import pytest

import clreduce

DTYPES = ("bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float16", "float32",
          "float64", "complex64", "complex128")
ON_DEVICE = os.environ.get("CLREDUCE_DEVICE_ONLY", "") not in ("", "0")
# By texts and operators; not about elements; or in test_named.py and test_sorts.py.
OTHERS = {"bincount", "clear", "devices", "histogram2d", "histogramdd", "reduce", "run_lengths", "scan", "select",
          "sort_pairs", "unique", "use", "value_counts"}
SEGMENTS = np.array([0, 5, 12], np.uint32)


def wide(row):
    """As the module computes: small floats in float32 or more, so here in float64."""
    return row.astype(np.float64) if row.dtype in (np.float16, np.float32) else row


def real(row):
    return row.astype(np.complex128 if row.dtype.kind == "c" else np.float64)


def stats(row):
    if not row.size:
        return {"count": 0, "nan_count": 0, "sum": 0, "mean": np.nan, "var": np.nan}
    return {"count": row.size, "nan_count": 0, "min": row.min(), "max": row.max(), "min_index": row.argmin(),
            "max_index": row.argmax(), "mean": real(row).mean(), "var": real(row).var(), "sum": wide(row).sum()}


def ends(row, sign):
    order = np.argsort(sign * real(row), kind="stable")[:2]
    return row[order], order


NUMPY = {
    "all": np.all, "any": np.any, "argmax": np.argmax, "argmin": np.argmin, "bitwise_and": np.bitwise_and.reduce,
    "bitwise_or": np.bitwise_or.reduce, "bitwise_xor": np.bitwise_xor.reduce, "bottom": lambda row: ends(row, 1),
    "count_nonzero": np.count_nonzero, "cumprod": lambda row: np.cumprod(wide(row)),
    "cumsum": lambda row: np.cumsum(wide(row)), "dot": lambda row: np.sum(wide(row) * row),
    "histogram": lambda row: np.histogram(row, 3, (0, 9))[0], "logsumexp": lambda row: np.log(np.exp(real(row)).sum()),
    "max": np.max, "mean": lambda row: real(row).mean(), "median": lambda row: np.median(real(row)), "min": np.min,
    "minmax": lambda row: {"min": row.min(), "max": row.max()}, "norm1": lambda row: np.abs(real(row)).sum(),
    "norm2": lambda row: np.sqrt((np.abs(real(row)) ** 2).sum()), "prod": lambda row: np.prod(wide(row)),
    "quantile": lambda row: np.quantile(real(row), [0.25, 0.5]), "std": lambda row: real(row).std(), "stats": stats,
    "sum": lambda row: np.sum(wide(row)), "sumsq": lambda row: (np.abs(real(row)) ** 2).sum(),
    "top": lambda row: ends(row, -1), "var": lambda row: real(row).var(),
    "vdot": lambda row: np.sum(wide(row).conj() * row), "sort": np.sort,
    "argsort": lambda row: np.argsort(row, kind="stable"),
    "rank": lambda row: (row[:, None] > row).sum(1) + ((row[:, None] == row).sum(1) + 1) / 2}
ARGUMENTS = {"bottom": (2,), "top": (2,), "quantile": ([0.25, 0.5],), "histogram": (3, (0, 9))}
SORTS = {"sort", "argsort", "rank"}
SCANS = {"cumsum", "cumprod"} | SORTS  # as many results as elements
LEAVES = {"min", "max", "argmin", "argmax", "minmax", "median", "quantile"}  # refuse empty rows, or take `empty`
NUMPYS_DTYPES = {"sum", "prod", "min", "max", "all", "any", "argmin", "argmax", "count_nonzero", "bitwise_and",
                 "bitwise_or", "bitwise_xor", "cumsum", "cumprod", "sort", "argsort"}  # sums of float16 are float32
FEW = {"top", "bottom"}
OF_ORDER = {"argmax", "argmin", "bottom", "histogram", "logsumexp", "max", "median", "min", "minmax", "quantile",
            "stats", "top"} | SORTS  # not of complex numbers


def refused(name, dtype, layout):
    """The exception of a cell that the module does not have, or None."""
    if name == "histogram" and layout not in ("line", "empty"):
        return TypeError
    if name in SORTS and layout.endswith(("segments", "keys")):
        return TypeError
    if name.startswith("bitwise") and np.dtype(dtype).kind in "fc":
        return TypeError  # as in NumPy
    if np.dtype(dtype).kind == "c" and name in OF_ORDER:
        return TypeError
    return None


def elements(dtype):
    x = np.array([3, 1, 2, 1, 5, 0, 7, 6, 1, 2, 9, 8])
    if np.dtype(dtype).kind in "ifc":
        x[::3] *= -1
    return x.astype(dtype) * (1 + 1j if np.dtype(dtype).kind == "c" else 1) if dtype != "bool" else x > 1


def call(name, x, **layout):
    function, arguments = getattr(clreduce, name), ARGUMENTS.get(name, ())
    found = function(x, x, **layout) if name in ("dot", "vdot") else function(x, *arguments, **layout)
    return found[0] if name == "histogram" else found


def compare(name, got, rows, dtype):
    """Compares the results of rows: `got` has them as its first axis, or as its last in `quantile`."""
    expected = [NUMPY[name](row) for row in rows]
    if name in FEW:
        for part in (0, 1):
            np.testing.assert_array_equal(got[part], [one[part] for one in expected])
        assert got[0].dtype == dtype
        return
    for row, one in enumerate(expected):
        mine = got[..., row] if name == "quantile" else got[row]
        for part, value in one.items() if isinstance(one, dict) else [(None, one)]:
            ours = mine if part is None else mine[part]
            exact = name in ("min", "max", "minmax", *SORTS) or np.asarray(value).dtype.kind in "iub"
            np.testing.assert_allclose(ours, value, rtol=0 if exact else 3e-6, err_msg=f"row {row} {part or ''}")
    if name in NUMPYS_DTYPES and dtype != "float16":
        plain = np.asarray(expected[0]).dtype
        wanted = np.dtype(dtype) if np.dtype(dtype).kind in "fc" and plain.kind in "fc" else plain
        assert {np.asarray(one).dtype for one in got} == {wanted}


def check_line(name, x):
    got = call(name, x)
    compare(name, tuple(part[None] for part in got) if name in FEW else np.asarray(got)[..., None]
            if name == "quantile" else [got], [x], x.dtype.name)


def check_axis(name, x):
    table = x.reshape(4, 3).T  # from a copy, or in place where the library has columns
    got = call(name, table, axis=1)
    compare(name, got, list(table), x.dtype.name)


def check_segments(name, x):
    rows = [x[:5], x[5:]]
    got = call(name, x, segments=SEGMENTS)
    compare(name, [got[:5], got[5:]] if name in SCANS else got, rows, x.dtype.name)


def check_keys(name, x):
    got, keys = call(name, x, keys=np.repeat([True, False], [5, 7])), [True, False]
    if name in SCANS:
        return compare(name, [got[:5], got[5:]], [x[:5], x[5:]], x.dtype.name)
    assert got[0].dtype == np.bool_ and got[0].tolist() == keys
    return compare(name, got[1:] if name in FEW else got[1], [x[:5], x[5:]], x.dtype.name)


def check_no_elements(name, x, values, message, pieces, **layout):
    """Rows of which some have no elements: `pieces` are the rows, and `message` says which row is refused."""
    if name in FEW:
        with pytest.raises(ValueError, match="k: 2 is more than the 0 elements"):
            call(name, values, **layout)
    elif name in LEAVES:
        with pytest.raises(ValueError, match=message):
            call(name, values, **layout)
        got = call(name, values, empty=1, **layout)
        got = got if name == "quantile" else np.atleast_1d(got)
        empty = [row for row, piece in enumerate(pieces) if not piece.size]
        for one in [got[part] for part in got.dtype.names] if got.dtype.names else [got]:
            assert (one == 1 if len(empty) == len(pieces) else one[..., empty] == 1).all()
        if len(empty) < len(pieces):
            compare(name, got[..., [0, 2]], [pieces[0], pieces[2]], x.dtype.name)
    elif name in SCANS:
        assert call(name, values, **layout).size == values.size
    else:
        got = np.atleast_1d(call(name, values, **layout))
        compare(name, [got] if name == "histogram" else got, pieces, x.dtype.name)


def check_empty(name, x):
    check_no_elements(name, x, x[:0], "x: has no", [x[:0]])


def check_empty_axis(name, x):
    check_no_elements(name, x, x[:0].reshape(2, 0), "row 0 has no", [x[:0]] * 2, axis=1)


def check_empty_segments(name, x):
    check_no_elements(name, x, x, "row 1 has no", [x[:5], x[:0], x[5:], x[:0]],
                      segments=np.array([0, 5, 5, 12, 12], np.uint32))


# Of each kind of rows: its check, an argument for which a cell is refused, and whether the host computes such calls.
LAYOUTS = {"line": (check_line, {}, True), "empty": (check_empty, {}, True),
           "axis": (check_axis, {"axis": 0}, True), "empty_axis": (check_empty_axis, {"axis": 0}, True),
           "segments": (check_segments, {"segments": SEGMENTS}, False),
           "empty_segments": (check_empty_segments, {"segments": SEGMENTS}, False),
           "keys": (check_keys, {"keys": np.arange(12) // 6}, False)}
SHARING = (("line", "empty"), ("axis", "empty_axis"), ("segments", "empty_segments"), ("keys",))  # mostly a program


def cells():
    """The cells of this run, as (name, dtype, layout)."""
    names = sorted(NUMPY)
    if not ON_DEVICE:
        for name, dtype, layout in itertools.product(names, DTYPES, LAYOUTS):
            on_host = LAYOUTS[layout][2] and name != "logsumexp"  # which always needs the device
            if on_host or refused(name, dtype, layout):
                yield name, dtype, layout
        return
    for (row, name), (kind, layouts) in itertools.product(enumerate(names), enumerate(SHARING)):
        dtypes = [dtype for dtype in DTYPES if refused(name, dtype, layouts[0]) is None]
        first = 3 * row + 4 * kind
        for place in (first, first + len(dtypes) // 2) if dtypes else ():
            dtype = dtypes[place % len(dtypes)]
            yield from ((name, dtype, layout) for layout in layouts if refused(name, dtype, layout) is None)


def test_the_table_has_every_function():
    functions = {name for name in clreduce.__all__
                 if callable(getattr(clreduce, name)) and not isinstance(getattr(clreduce, name), type)}
    assert functions == NUMPY.keys() | OTHERS and not NUMPY.keys() & OTHERS


def test_each_dtype_has_each_kind_of_rows():
    assert {cell[1:] for cell in cells()} >= set(itertools.product(DTYPES, LAYOUTS if ON_DEVICE else ("line", "axis")))


@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # NumPy's, of rows without elements
@pytest.mark.parametrize("name, dtype, layout", cells())
def test_cell(name, dtype, layout):
    if not layout.startswith("empty"):
        clreduce.clear()  # frees the programs of the cells before
    (check, argument, _), x, refusal = LAYOUTS[layout], elements(dtype), refused(name, dtype, layout)
    if refusal is None:
        check(name, x)
    else:
        with pytest.raises(refusal):
            call(name, x, **argument)
