"""--axis and --output: NumPy's array, in a file, as lines, or as lists in JSON."""

import os
import subprocess
import unittest
from itertools import combinations

import numpy as np

from cli import TOOL, Case, fixed_order, wide_values
from test_terminal import shown

CUBE = np.random.default_rng(1).integers(-1000, 1000, (5, 7, 11), "int32")


class OnATerminal(Case):

    def shown(self, *arguments):
        return shown({}, *arguments, "--quiet").splitlines()

    def test_names_of_parts(self):
        """A terminal shows what the columns are, and aligns them. A pipe gets results alone."""
        path = self.write("named.npy", CUBE[0])
        lines = self.shown("reduce", "argmin", path, "--axis", "1")
        piped = self.run_well("reduce", "argmin", path, "--axis", 1).out.splitlines()
        self.assertEqual([line.split() for line in lines], [["index", "value"], *(line.split() for line in piped)])
        self.assertEqual({len(line) for line in lines}, {len("index value")})
        self.assertEqual(len(lines), 1 + len(CUBE[0]))
        keys = self.write("keys.npy", np.array([3, 3, 5], "int32"))
        values = self.write("values.npy", np.array([7, 4, 9], "int32"))
        self.assertEqual(self.shown("reduce", "argmin", values, "--by-key", keys),
                         ["key index value", "  3     1     4", "  5     0     9"])
        self.assertEqual(self.shown("reduce", "sum", values, "--by-key", keys), ["3 11", "5  9"])
        few = self.write("few.npy", np.array([0] * 10 + [5, -30], "int32"))
        self.assertEqual(self.shown("reduce", "top:2", few), ["index value", "   10     5", "    0     0"])
        self.assertEqual(self.shown("reduce", "minmax", few), ["min -30", "max 5"])
        self.assertEqual(len({line.rindex(" ") for line in self.shown("reduce", "stats", values)}), 1)


class Against(Case):

    def reduced(self, *arguments):
        return self.array("reduce", *arguments)

    def test_every_axis(self):
        path = self.write("cube.npy", CUBE)
        for axis in range(-3, 3):
            result = self.reduced("sum", path, "--axis", axis, "--verify")
            self.assert_array(result, CUBE.sum(axis=axis, dtype="int64"), f"along {axis}")

    def test_means_of_four_dimensions(self):
        """Compares integers exactly, and floating values within the bound of docs/numerics.md: u of the mean, and
        (3 D + 3) u of the range."""
        random = np.random.default_rng(7)
        for dtype in ("float32", "float64", "uint8", "int64"):
            values = random.normal(50, 20, (6, 65, 9, 70)).astype(dtype)
            path = self.write("image.npy", values)
            for axis in range(4):
                result = self.reduced("mean", path, "--axis", axis, "--verify")
                exact = values.mean(axis=axis, dtype="float64")
                self.assertEqual(result.shape, exact.shape)
                if values.dtype.kind != "f":
                    np.testing.assert_array_equal(result, exact)
                    continue
                depth = 16 + int(np.ceil(np.log2(values.shape[axis])))
                bound = np.finfo(dtype).eps / 2 * (np.abs(exact).max() + (3 * depth + 3) * np.ptp(values))
                self.assertLessEqual(np.abs(result - exact).max(), bound)

    def test_fortran_order_and_byte_order(self):
        path = self.write("fortran.npy", np.asfortranarray(CUBE.astype(">i4")))
        for axis in range(3):
            np.testing.assert_array_equal(self.reduced("sum", path, "--axis", axis), CUBE.sum(axis=axis, dtype="int64"))

    def test_shapes(self):
        for shape in ((6,), (1, 9), (9, 1), (3, 1, 4), (2, 3, 2, 3), (1, 1, 1), (300, 5), (5, 300), (2,) * 12):
            values = np.arange(np.prod(shape), dtype="int16").reshape(shape)
            path = self.write("shape.npy", values)
            for axis in {0, len(shape) // 2, len(shape) - 1}:
                result = self.reduced("max", path, "--axis", axis)
                np.testing.assert_array_equal(result, values.max(axis=axis).astype("int64"))
                self.assertEqual(result.shape, values.max(axis=axis).shape)

    def test_floating_bits(self):
        values = wide_values(6000, "float32").reshape(3, 2000)
        path = self.write("floating.npy", values)
        np.testing.assert_array_equal(self.reduced("sum", path, "--axis", "1"), [fixed_order(row) for row in values])
        path = self.write("floating.npy", values.T.copy())
        np.testing.assert_array_equal(self.reduced("sum", path, "--axis", "0"), [fixed_order(row) for row in values])

    def test_several_parts(self):
        path = self.write("cube.npy", CUBE)
        result = self.reduced("argmin", path, "--axis", "1", "--verify")
        np.testing.assert_array_equal(result["index"], CUBE.argmin(axis=1))
        np.testing.assert_array_equal(result["value"], CUBE.min(axis=1))
        self.assertEqual(result.dtype.names, ("index", "value"))

    def test_complex_numbers(self):
        values = np.arange(24).reshape(4, 6) * (1 + 1j)
        result = self.reduced("sum", self.write("complex.npy", values.astype("complex64")), "--axis", "0")
        np.testing.assert_array_equal(result, values.sum(axis=0))
        self.assertEqual(result.dtype, np.dtype("complex64"))

    def test_dot(self):
        other = CUBE[::-1].copy()
        result = self.reduced("dot", self.write("x.npy", CUBE), "--with", self.write("y.npy", other), "--axis", "2",
                            "--verify")
        np.testing.assert_array_equal(result, (CUBE.astype("int64") * other).sum(axis=2))

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

    def test_bits_of_rows(self):
        values = wide_values(3 * 40 * 5 * 50, "float32").reshape(3, 40, 5, 50)
        path = self.write("wide.npy", values)
        for axes in ("1,3", "3,1", "-1,-3", "0,2", "1,2"):
            rows, shape, _ = self.rows_of(values, [int(axis) for axis in axes.split(",")])
            self.assert_array(self.array("reduce", "sum", path, f"--axis={axes}"),
                              np.array([fixed_order(row) for row in rows]).reshape(shape), axes)

    def test_element_sizes(self):
        for dtype in ("bool", "int16", "float64", "complex128"):
            values = np.arange(2 * 33 * 34).reshape(2, 33, 34).astype(dtype)
            result = self.array("reduce", "sum", self.write("sizes.npy", values), "--axis", "0,2")
            np.testing.assert_array_equal(result, values.sum(axis=(0, 2)))

    def test_further_inputs(self):
        x, y = self.write("x.npy", CUBE), self.write("y.npy", CUBE[::-1].copy())
        self.assert_array(self.array("reduce", "dot", x, "--with", y, "--axis", "0,2", "--verify"),
                          (CUBE.astype("int64") * CUBE[::-1]).sum(axis=(0, 2)))

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


class Printed(Case):

    def test_lists(self):
        path = self.write("lists.npy", np.arange(12, dtype="float64").reshape(2, 2, 3))
        self.expect("reduce", "sum", path, "--axis", "1", result=[3, 5, 7, 15, 17, 19], shape=[2, 3], count=12)
        answer = self.json("reduce", "minmax", path, "--axis", "-1")
        self.assertEqual(answer["result"][3], {"min": 9, "max": 11})

    def test_one_dimension(self):
        path = self.write("one.npy", np.arange(10, dtype="int8"))
        self.assertEqual(self.json("reduce", "sum", path, "--axis", "-1")["result"], [45])
        answer = self.json("reduce", "sum", path, "--axis", "0", "--strategy", "bottom_up", "--verify")
        self.assertEqual((answer["result"], answer["verified"]), ([45], True))


class Empty(Case):

    def test_no_rows(self):
        path = self.write("empty.npy", np.empty((3, 0, 2), "float32"))
        for op in ("sum", "argmin"):
            self.assertEqual(self.json("reduce", op, path, "--axis", "2")["result"], [])
        out = self.path("none.npy")
        self.run_well("reduce", "sum", path, "--axis", "0", "--output", out)
        self.assertEqual(np.load(out).shape, (0, 2))


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

    def test_replaces_what_was_there(self):
        out = self.write("old.npy", b"something else")
        self.run_well("reduce", "sum", "--generate", "ones:5", "--output", out)
        self.assertEqual(float(np.load(out)), 5)

    @unittest.skipUnless(os.path.exists("/dev/full"), "no /dev/full")
    def test_full_disk(self):
        self.assert_refused("reduce", "sum", "--generate", "ones:5", "--output", "/dev/full", code=1,
                            naming="/dev/full")

    def test_through_a_pipe(self):
        process = subprocess.run([TOOL, "reduce", "sum", "--generate", "ones:5", "--output", "/dev/stdout"],
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120, check=True)
        self.assertEqual(process.stdout[:6], b"\x93NUMPY")
        self.assertEqual(process.stdout[-4:], np.float32(5).tobytes())
