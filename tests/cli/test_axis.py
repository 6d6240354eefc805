"""--axis and --output: NumPy's array, in a file, as lines, or as lists in JSON."""

import subprocess
from itertools import combinations

import numpy as np

from cli import TOOL, Case, wide_values

CUBE = np.random.default_rng(1).integers(-1000, 1000, (5, 7, 11), "int32")


class Against(Case):

    def reduced(self, *arguments):
        return self.array("reduce", *arguments)

    def test_every_axis_and_order_of_memory(self):
        for values in (CUBE, np.asfortranarray(CUBE.astype(">i4"))):
            path = self.write("cube.npy", values)
            for axis in range(-3, 3):
                result = self.reduced("sum", path, "--axis", axis, "--verify")
                self.assert_array(result, CUBE.sum(axis=axis, dtype="int64"), f"along {axis}")

    def test_shapes(self):
        for shape in ((6,), (1, 9), (9, 1), (3, 1, 4), (2, 3, 2, 3), (1, 1, 1), (300, 5), (5, 300), (2,) * 12):
            values = np.arange(np.prod(shape), dtype="int16").reshape(shape)
            path = self.write("shape.npy", values)
            for axis in {0, len(shape) // 2, len(shape) - 1}:
                result = self.reduced("max", path, "--axis", axis)
                np.testing.assert_array_equal(result, values.max(axis=axis).astype("int64"))
                self.assertEqual(result.shape, values.max(axis=axis).shape)

    def test_every_operator_is_verified_row_by_row(self):
        path = self.write("verified.npy", wide_values(900, "float32").reshape(30, 30))
        for op in ("mean", "var", "norm2", "stats", "logsumexp", "minmax"):
            for axis in "01":
                self.expect("reduce", op, path, "--axis", axis, "--verify", verified=True, shape=[30])


class SeveralAxes(Case):
    """A row has the elements along all reduced axes, in C order."""

    def rows_of(self, values, axes):
        """The rows, and the shape of the results, without and with --keepdims."""
        axes = [axis % values.ndim for axis in axes]
        kept = [axis for axis in range(values.ndim) if axis not in axes]
        shape = [values.shape[axis] for axis in kept]
        rows = values.transpose(kept + sorted(axes)).reshape(int(np.prod(shape)), -1)
        return rows, tuple(shape), tuple(1 if axis in axes else n for axis, n in enumerate(values.shape))

    def test_every_subset(self):
        values = np.random.default_rng(3).integers(-1000, 1000, (3, 1, 4, 2, 3), "int32")
        files = (self.write("c.npy", values), self.write("fortran.npy", np.asfortranarray(values)))
        subsets = [axes for n in range(2, 6) for axes in combinations(range(5), n)]
        for i, axes in enumerate(subsets):
            rows, shape, kept = self.rows_of(values, axes)
            keeps = ("--keepdims",) if i % 3 else ()
            result = self.array("reduce", "sum,argmin", files[i % 2], "--axis", ",".join(map(str, axes)), *keeps,
                                "--verify")
            self.assertEqual(result.shape, kept if keeps else shape, axes)
            np.testing.assert_array_equal(result["sum"].ravel(), rows.sum(axis=1, dtype="int64"), str(axes))
            np.testing.assert_array_equal(result["argmin_index"].ravel(), rows.argmin(axis=1), str(axes))

    def test_element_sizes(self):
        for dtype in ("bool", "int16", "float64", "complex128"):
            values = np.arange(2 * 33 * 34).reshape(2, 33, 34).astype(dtype)
            result = self.array("reduce", "sum", self.write("sizes.npy", values), "--axis", "0,2")
            np.testing.assert_array_equal(result, values.sum(axis=(0, 2)))

    def test_lengths_of_0(self):
        for shape in ((0, 3, 4), (2, 0, 4), (2, 3, 0)):
            path = self.write("empty.npy", np.empty(shape, "int32"))
            for axes in ((0, 2), (1, 2), (0, 1, 2)):
                self.assert_array(self.array("reduce", "sum", path, "--axis", ",".join(map(str, axes))),
                                  np.empty(shape, "int64").sum(axis=axes))

    def test_keepdims_of_one_axis(self):
        path = self.write("cube.npy", CUBE)
        self.assert_array(self.array("reduce", "max", path, "--axis", "1", "--keepdims"),
                          CUBE.max(axis=1, keepdims=True).astype("int64"))
        self.expect("reduce", "sum", path, "--axis", "0,2", "--keepdims", shape=[1, 7, 1], count=CUBE.size)
        self.expect("plan", "sum", path, "--axis", "0,2", count=55, results=7)


class Output(Case):

    def test_single_values(self):
        total = self.array("reduce", "sum", "--generate", "iota:100", "--type", "int")
        self.assertEqual((total.shape, total.dtype, int(total)), ((), np.dtype("int64"), 4950))
        place = self.array("reduce", "argmax", "--generate", "iota:100")
        self.assertEqual((place.shape, place.dtype.names, int(place["index"])), ((), ("index", "value"), 99))
        self.assertEqual(self.array("reduce", "sum", "--generate", "ones:5", "--type", "cdouble"), 5)
        np.testing.assert_array_equal(self.array("reduce", "sum", "--generate", "iota:2", "--type", "int3"), [3, 5, 7])

    def test_json_too(self):
        out = self.path("json.npy")
        answer = self.json("reduce", "sum", "--generate", "ones:5", "--output", out)
        self.assertEqual((answer["result"], answer["output"], float(np.load(out))), (5, out, 5))

    def test_through_a_pipe(self):
        process = subprocess.run([TOOL, "reduce", "sum", "--generate", "ones:5", "--output", "/dev/stdout"],
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120, check=True)
        self.assertEqual(process.stdout[:6], b"\x93NUMPY")
        self.assertEqual(process.stdout[-4:], np.float32(5).tobytes())
