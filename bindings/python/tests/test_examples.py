"""Short examples, as in a notebook, compared with the results of NumPy."""
import array

import numpy as np
import pytest

import clreduce

# The result of an example, and the right result.
EXAMPLES = {
    "sum": lambda x: (clreduce.sum(x), x.sum()),
    "sum of a list": lambda x: (clreduce.sum(np.float32([1, 2, 3.5])), 6.5),
    "smallest and largest": lambda x: ([clreduce.min(x), clreduce.max(x)], [x.min(), x.max()]),
    "index of the largest": lambda x: (clreduce.argmax(x), x.argmax()),
    "both ends in one pass": lambda x: (clreduce.minmax(x).item(), (x.min(), x.max())),
    "several operators in one pass": lambda x: (
        clreduce.reduce(["sum", "min", "argmax"], x)[["sum", "min", "argmax_index"]].item(),
        (x.sum(), x.min(), x.argmax())),
    "all statistics": lambda x: (clreduce.stats(x)[["count", "min", "max_index"]].item(),
                                 (x.size, x.min(), x.argmax())),
    "sums of bytes do not wrap": lambda x: (clreduce.sum(np.full(5000, 255, np.uint8)), 5000 * 255),
    "NaNs left out": lambda x: (clreduce.sum(np.float32([1, np.nan, 2]), nan="ignore"), 3),
    "dot product": lambda x: (clreduce.dot(x[:100], x[100:200]), np.dot(x[:100], x[100:200])),
    "is any true": lambda x: (clreduce.any(x > 998), (x > 998).any()),
    "how many are not zero": lambda x: (clreduce.count_nonzero(x > 0), np.count_nonzero(x > 0)),
    "running sums": lambda x: (clreduce.cumsum(x), x.cumsum()),
    "offsets of rows": lambda x: (clreduce.scan("sum", np.float32([3, 0, 2, 4]), exclusive=True), [0, 3, 3, 5]),
    "select": lambda x: (clreduce.select(x, "x > limit", parameters={"limit": 900}), x[x > 900]),
    "where": lambda x: (clreduce.select(x, "x > limit", parameters={"limit": 900}, indices=True),
                        np.flatnonzero(x > 900)),
    "median": lambda x: (clreduce.median(x), np.median(x.astype(np.float64))),
    "quartiles": lambda x: (clreduce.quantile(x, [0.25, 0.75]), np.quantile(x.astype(np.float64), [0.25, 0.75])),
    "rows of a sparse matrix": lambda x: (clreduce.sum(x, segments=np.uint32([0, 3, 3, 10, 5000])),
                                          [x[:3].sum(), 0, x[3:10].sum(), x[10:].sum()]),
    "other arrays": lambda x: (clreduce.sum(array.array("f", [1, 2, 3])), 6),
}
OF_A_TABLE = {
    "columns": lambda table: (clreduce.sum(table, axis=0), table.sum(axis=0)),
    "rows": lambda table: (clreduce.sum(table, axis=-1), table.sum(axis=-1)),
    "two axes at once": lambda table: (clreduce.sum(table, axis=(1, 2)), table.sum(axis=(1, 2))),
    "subtract row sums": lambda table: (table - clreduce.sum(table, axis=2, keepdims=True),
                                        table - table.sum(axis=2, keepdims=True)),
}


@pytest.mark.parametrize("example", EXAMPLES.values(), ids=EXAMPLES)
def test_example(example, x):
    np.testing.assert_array_equal(*example(x))


@pytest.mark.parametrize("example", OF_A_TABLE.values(), ids=OF_A_TABLE)
def test_table(example, table):
    np.testing.assert_array_equal(*example(table))


def test_mean_and_deviation(x):
    np.testing.assert_allclose(clreduce.mean(x), x.mean(dtype=np.float64), rtol=1e-6)
    np.testing.assert_allclose(clreduce.std(x, ddof=1), x.std(ddof=1, dtype=np.float64), rtol=1e-6)


def test_scan_in_place(x):
    copy = x.copy()
    assert clreduce.cumsum(copy, out=copy) is copy
    np.testing.assert_array_equal(copy, x.cumsum())


def test_histogram(x):
    counts, edges = clreduce.histogram(x, bins=7, range=(-1000, 1000))
    expected, at = np.histogram(x, 7, (-1000, 1000))
    np.testing.assert_array_equal(counts, expected)
    np.testing.assert_allclose(edges, at, rtol=1e-6)
    edges[:] = 0  # belongs to the caller: the next call must not see this
    np.testing.assert_allclose(clreduce.histogram(x, bins=7, range=(-1000, 1000))[1], at, rtol=1e-6)


def test_the_three_largest(x):
    values, places = clreduce.top(x, 3)
    order = np.argsort(-x, kind="stable")[:3]
    np.testing.assert_array_equal(values, x[order])
    np.testing.assert_array_equal(places, order)


def test_an_operator_of_your_own(x):
    farthest = clreduce.Operator("farthest", element="float", state="float", identity="0", commutative=True,
                                 lift="fabs(x - centre)", combine="fmax(a, b)", parameters={"centre": "float"})
    assert clreduce.reduce(farthest, x, parameters={"centre": 10}) == np.abs(x - 10).max()


def test_an_operator_over_structs():
    points = np.zeros(1000, np.dtype([("x", "f4"), ("weight", "f4")]))
    points["x"], points["weight"] = np.arange(1000) % 7, 2
    centre = clreduce.Operator("centre", preamble="typedef struct { float x, weight; } point;", element="point",
                               state="{ float sum; float weight; }", identity="{0, 0}",
                               lift="MAKE(x.x * x.weight, x.weight)",
                               combine="MAKE(a.sum + b.sum, a.weight + b.weight)")
    found = clreduce.reduce(centre, points)
    assert found["sum"] / found["weight"] == np.average(points["x"], weights=points["weight"])


def test_a_stream_of_pieces(x):
    with clreduce.Stream(clreduce.Plan("sum", "float32")) as stream:
        for start in range(0, x.size, 999):
            stream.push(x[start:start + 999])
        assert stream.finish() == clreduce.sum(x)


def test_two_processes_share_the_work(x):
    plan = clreduce.Plan("sum", "float32")
    left, right = clreduce.Partial(plan), clreduce.Partial(plan, first=3000)
    left.push(x[:3000])
    right.push(x[3000:])
    sent = right.pack()
    assert left.join(clreduce.Partial.unpack(plan, sent)).result() == clreduce.sum(x)


def test_parts_are_neighbours(x):
    plan = clreduce.Plan("sum", "int32")
    values = np.arange(300, dtype=np.int32)
    parts = {first: clreduce.Partial(plan, first=first) for first in (0, 100, 200)}
    for first, part in parts.items():
        part.push(values[first:first + 100])
    assert parts[200].span == (200, 300) and clreduce.Partial(plan, first=7).span == (7, 7)
    with pytest.raises(clreduce.Error, match="right 0 to 99: they are not neighbours"):
        parts[200].join(parts[0])
    joined = parts[200].join(parts[100])
    with pytest.raises(clreduce.Error, match="the partial begins at element 100"):
        joined.result()
    with pytest.raises(clreduce.Error, match="right 100 to 199: they overlap"):
        joined.join(parts[100])
    assert joined.join(parts[0]).result() == values.sum()


def test_a_scan_in_chunks(x):
    stream = clreduce.ScanStream(clreduce.Plan("sum", "float32", scan="inclusive"), chunk=1024)
    pieces = [stream.next(x[start:start + stream.chunk]) for start in range(0, x.size, stream.chunk)]
    np.testing.assert_array_equal(np.concatenate(pieces), x.cumsum())
