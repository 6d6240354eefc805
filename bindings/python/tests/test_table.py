"""Every function by name, with elements of every dtype, as one row, without elements, along an axis, in segments and in
runs of equal keys: beside NumPy. A cell that the module refuses is checked, too: it must be one that REFUSED names."""
import os

import numpy as np
import pytest

import clreduce

DTYPES = ("bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float16", "float32",
          "float64", "complex64", "complex128")
if "CLREDUCE_TABLE_PART" in os.environ:  # of 4 processes, because a driver keeps memory of each program it built
    DTYPES = DTYPES[int(os.environ["CLREDUCE_TABLE_PART"])::4]
OTHERS = {"clear", "devices", "reduce", "scan", "select", "use"}  # by texts and operators; or not about elements
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
    "vdot": lambda row: np.sum(wide(row).conj() * row)}
ARGUMENTS = {"bottom": (2,), "top": (2,), "quantile": ([0.25, 0.5],), "histogram": (3, (0, 9))}
SCANS = {"cumsum", "cumprod"}
LEAVES = {"min", "max", "argmin", "argmax", "minmax", "median", "quantile"}  # refuse empty rows, or take `empty`
NUMPYS_DTYPES = {"sum", "prod", "min", "max", "all", "any", "argmin", "argmax", "count_nonzero", "bitwise_and",
                 "bitwise_or", "bitwise_xor", "cumsum", "cumprod"}  # but float16, which is summed in float32
FEW = {"top", "bottom"}
OF_ORDER = {"argmax", "argmin", "bottom", "histogram", "logsumexp", "max", "median", "min", "minmax", "quantile",
            "stats", "top"}  # not of complex numbers


def refused(name, dtype, layout):
    """The exception of a cell that the module does not have, or None."""
    if name == "histogram" and layout in ("axis", "segments", "keys"):
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
            exact = name in ("min", "max", "minmax") or np.asarray(value).dtype.kind in "iub"
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


def check_empty(name, x):
    """A row without elements by itself, along an axis, and among segments."""
    some = np.array([0, 5, 5, 12, 12], np.uint32)
    layouts = [(x[:0], {}, 1, "x: has no"), (x[:0].reshape(2, 0), {"axis": 1}, 2, "row 0 has no"),
               (x, {"segments": some}, 4, "row 1 has no")]
    for values, layout, rows, message in layouts[:1] if name == "histogram" else layouts:
        if name in FEW:
            with pytest.raises(ValueError, match="k: 2 is more than the 0 elements"):
                call(name, values, **layout)
        elif name in LEAVES:
            with pytest.raises(ValueError, match=message):
                call(name, values, **layout)
            got = call(name, values, empty=1, **layout)
            got = got if name == "quantile" else np.atleast_1d(got)
            for one in [got[part] for part in got.dtype.names] if got.dtype.names else [got]:
                assert (one[..., [1, 3]] if "segments" in layout else one == 1).all()
            if "segments" in layout:
                compare(name, got[..., [0, 2]], [x[:5], x[5:]], x.dtype.name)
        elif name in SCANS:
            assert call(name, values, **layout).size == values.size
        else:
            got = np.atleast_1d(call(name, values, **layout))
            pieces = [x[:5], x[:0], x[5:], x[:0]] if "segments" in layout else [x[:0]] * rows
            got = [got] if name == "histogram" else got
            compare(name, got, pieces, x.dtype.name)


CHECKS = {"line": check_line, "empty": check_empty, "axis": check_axis, "segments": check_segments, "keys": check_keys}


def test_the_table_has_every_function():
    functions = {name for name in clreduce.__all__
                 if callable(getattr(clreduce, name)) and not isinstance(getattr(clreduce, name), type)}
    assert functions == NUMPY.keys() | OTHERS and not NUMPY.keys() & OTHERS


@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # NumPy's, of rows without elements
@pytest.mark.parametrize("layout", CHECKS)
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", sorted(NUMPY))
def test_cell(name, dtype, layout):
    if layout == "line":
        clreduce.clear()  # frees the programs of the cells before
    x, refusal = elements(dtype), refused(name, dtype, layout)
    if refusal is None:
        CHECKS[layout](name, x)
    else:
        with pytest.raises(refusal):
            call(name, x, **{"line": {}, "empty": {}, "axis": {"axis": 0}, "segments": {"segments": SEGMENTS},
                             "keys": {"keys": np.arange(12) // 6}}[layout])
