"""Operators with states and results of several parts, more element types, and the options that change the result:
--nan, --overflow, --state, --with, --stride. Expected values are NumPy's, or written by hand."""

import math
from fractions import Fraction

import numpy as np

from cli import Case, wide_values

SMALL = np.array([3, -7, 5, -7, 11, 0, 5], "int16")
INF, NAN = float("inf"), float("nan")


def close(test, got, expected, tolerance=1e-6):
    test.assertLessEqual(abs(float(got) - expected), tolerance * max(1, abs(expected)), f"{got} for {expected}")


class Parts(Case):
    """Results of several parts: lines of name and value, or an object in JSON."""

    def parts(self, *arguments):
        lines = self.run_well("reduce", *arguments).out.splitlines()
        return dict(line.split(" ") for line in lines)

    def test_where_extremes_are(self):
        path = self.write("small.npy", SMALL)
        self.assertEqual(self.parts("argmin", path), {"index": "1", "value": "-7"})
        self.assertEqual(self.parts("argmax", path), {"index": "4", "value": "11"})
        self.assertEqual(self.parts("minmax", path), {"min": "-7", "max": "11"})
        self.assertEqual(self.parts("argminmax", path), {"min": "-7", "min_index": "1", "max": "11", "max_index": "4"})

    def test_as_objects(self):
        path = self.write("small.npy", SMALL)
        self.expect("reduce", "argmin", path, "--verify", result={"index": 1, "value": -7}, result_type="struct",
                    verified=True, error_ulp=None)
        self.assertEqual(self.json("reduce", "minmax", path)["result"], {"min": -7, "max": 11})

    def test_stats(self):
        values = np.array([1, NAN, 4, -2], "float32")
        self.expect("reduce", "stats", self.write("stats.npy", values), "--nan", "ignore", "--verify", verified=True,
                    result={"count": 4, "nan_count": 1, "min": -2, "max": 4, "min_index": 3, "max_index": 2, "mean": 1,
                            "var": 6, "sum": 3})
        answer = self.json("reduce", "stats", self.write("stats.npy", values))["result"]
        self.assertEqual((answer["min"], answer["mean"], answer["sum"], answer["min_index"]), ("nan", "nan", "nan", 1))

    def test_values_of_64_bits_stay_exact(self):
        path = self.write("large.npy", np.array([2**64 - 1, 2**63 + 1], "uint64"))
        self.assertEqual(self.parts("minmax", path), {"min": str(2**63 + 1), "max": str(2**64 - 1)})
        self.assertEqual(self.json("reduce", "argmax", path)["result"], {"index": 0, "value": 2**64 - 1})


class Statistics(Case):

    def test_against_numpy(self):
        values = np.random.default_rng(1).standard_normal(5000)
        expected = {"mean": values.mean(), "var": values.var(), "var_sample": values.var(ddof=1), "std": values.std(),
                    "std_sample": values.std(ddof=1),
                    "norm1": np.abs(values).sum(), "norm2": np.linalg.norm(values), "sumsq": (values**2).sum(),
                    "logsumexp": np.log(np.exp(values).sum())}
        for name in ("float64", "float32"):
            path = self.write("normal.npy", values.astype(name))
            for op, value in expected.items():
                answer = self.json("reduce", op, path, "--verify")
                close(self, answer["result"], value, 1e-12 if name == "float64" else 1e-5)
                self.assertIs(answer["verified"], True)
                self.assertLess(answer["error_ulp"], 64)

    def test_of_integers(self):
        values = np.random.default_rng(2).integers(-2**31, 2**31, 5000, "int32")
        path = self.write("integers.npy", values)
        self.assertEqual(self.result("reduce", "mean", path), repr(float(int(values.sum(dtype="int64")) / 5000)))
        self.assertEqual(self.result("reduce", "norm1", path), str(int(np.abs(values.astype("int64")).sum())))
        close(self, self.result("reduce", "var", path), values.astype("float64").var(), 1e-12)

    def test_norm_neither_overflows_nor_vanishes(self):
        close(self, self.result("reduce", "norm2", "--generate", "constant:4:1e-30"), 2e-30, 1e-36)


def hard_rows(count):
    """Rows whose means and variances lose digits easily. The last four have no variance: not all is finite."""
    random = np.random.default_rng(11)
    normal, near = random.standard_normal(count), random.normal(1e5, 1, count)
    rows = [near, np.r_[0, near[1:]], np.r_[near[1:], 0], np.r_[1e8, normal[1:]], 3e7 + np.arange(count) % 3,
            np.r_[1e4, np.zeros(count // 2), np.full(count - count // 2 - 1, 10)], np.full(count, 0.1),
            normal * 10.0**random.integers(-12, 12, count), 1e5 + normal * 0.01, -near, normal]
    for place, value in ((5, INF), (count - 9, -INF), (count // 2, NAN), (0, INF)):
        rows.append(np.r_[near[:place], value, near[place + 1:]])
    return np.array(rows).astype("float32")


class Moments(Case):

    def test_bounds_hold_against_fractions(self):
        """The bounds of docs/numerics.md, on rows of several full tiles, by the kernels for CPUs and for GPUs."""
        rows = hard_rows(4000)
        path = self.write("hard.npy", rows)
        u, depth = Fraction(1, 2**24), 16 + 12
        for device in ("", "cpu=0"):
            results = self.array("reduce", "mean,var,std", path, "--axis", 1, *(("--assume", device) if device else ()))
            for row, result in zip(rows[:-4], results):
                x = [Fraction(float(value)) for value in row]
                mean, extent = sum(x) / len(x), max(x) - min(x)
                var = sum((value - mean)**2 for value in x) / len(x)
                off = (3 * depth + 3) * u * extent
                deviation = Fraction(math.sqrt(var)) * (1 + Fraction(1, 2**50))
                most = 2 * off * (var / extent + deviation) + off**2 if extent else 0
                self.assertLessEqual(abs(Fraction(float(result["mean"])) - mean), u * abs(mean) + off)
                self.assertLessEqual(abs(Fraction(float(result["var"])) - var), most * Fraction(101, 100))
            self.assertEqual([str(mean) for mean in results["mean"][-4:]], ["inf", "-inf", "nan", "inf"])
            self.assertTrue(np.isnan(results["var"][-4:]).all() and np.isnan(results["std"][-4:]).all())
            # A constant that is added moves no digit of the variance.
            self.assertLess(abs(float(results["var"][0]) / rows[0].astype("float64").var() - 1), 1e-6)

    def test_columns_that_are_not_finite_are_folded_again(self):
        """Infinities, NaNs and the largest numbers within full tiles: the bits of the host's reference."""
        rows = hard_rows(4000)
        rows[:4, 1000:1003], rows[4:8, 77], rows[0, 3000] = 3.4e38, -3.4e38, -3.4e38
        path, lines = self.write("mixed.npy", rows.reshape(-1)), self.write("lines.npy", rows)
        for op in ("stats", "mean", "argminmax"):
            for assumed in ((), ("--assume", "cpu=0"), ("--assume", "cpu=0", "--nan", "ignore")):
                self.expect("reduce", op, path, *assumed, "--verify", verified=True)
                self.expect("reduce", op, lines, "--axis", 1, *assumed, "--verify", verified=True)


class FreeOrder(Case):
    """With --order any, results are verified by their distance from the exact value, and exact parts by their bits."""

    def test_any(self):
        second = {"dot": ("--with", "generate:wide:3001:5")}
        for op in ("sum", "norm1", "norm2", "sumsq", "mean", "var", "var_sample", "std", "std_sample",
                   "dot", "logsumexp", "stats"):
            kind = "normal" if op == "logsumexp" else "wide"
            for name in ("float", "double"):
                self.expect("reduce", op, "--generate", f"{kind}:3001:4", "--type", name, "--order", "any",
                            "--verify", *second.get(op, ()), verified=True)

    def test_products(self):
        values = np.random.default_rng(3).uniform(0.9, 1.1, 3000)
        for dtype in ("float32", "complex64"):
            path = self.write("factors.npy", (values + (0.1j if dtype == "complex64" else 0)).astype(dtype))
            self.assertIs(self.json("reduce", "prod", path, "--order", "any", "--verify")["verified"], True)


class Types(Case):

    def test_half(self):
        values = np.random.default_rng(5).standard_normal(3000).astype("float16")
        path = self.write("half.npy", values)
        raw = self.write("half.raw", values.tobytes())
        wide = values.astype("float64")
        answer = self.expect("reduce", "sum", path, "--verify", type="half", result_type="float", verified=True)
        close(self, answer["result"], wide.sum(), 1e-5)
        self.assertEqual(float(self.result("reduce", "max", path)), wide.max())
        self.assertEqual(self.result("reduce", "sum", raw, "--type", "half"), self.result("reduce", "sum", path))
        close(self, self.result("reduce", "sum", path, "--state", "double"), wide.sum(), 1e-14)

    def test_half_of_the_other_byte_order_and_axes(self):
        values = np.arange(24, dtype="float16").reshape(4, 6)
        path = self.write("both.npy", np.asarray(values.astype(">f2"), order="F"))
        self.assertEqual(self.json("reduce", "argmax", path)["result"], {"index": 23, "value": 23})

    def test_bfloat16(self):
        bits = np.array([0x3F80, 0x4000, 0xC040, 0x3F81], "uint16")  # 1, 2, -3, 1 + 2^-7
        raw = self.write("bfloat16.raw", bits.tobytes())
        self.assertEqual(self.result("reduce", "sum", raw, "--type", "bfloat16"), "1.0078125")
        self.assertEqual(self.json("reduce", "argmin", raw, "--type", "bfloat16")["result"], {"index": 2, "value": -3})

    def test_complex(self):
        random = np.random.default_rng(6)
        values = random.standard_normal(2000) + 1j * random.standard_normal(2000)
        for dtype, name in (("complex64", "cfloat"), ("complex128", "cdouble"), (">c16", "cdouble")):
            path = self.write("complex.npy", values.astype(dtype))
            answer = self.expect("reduce", "sum", path, "--verify", type=name, result_type=name, verified=True)
            close(self, answer["result"]["re"], values.real.sum(), 1e-4)
            close(self, answer["result"]["im"], values.imag.sum(), 1e-4)
            close(self, self.result("reduce", "norm1", path), np.abs(values).sum(), 1e-5)
        out = self.run_well("reduce", "prod", self.write("complex.npy", np.array([1 + 2j, 3 - 1j], "complex64"))).out
        self.assertEqual(out, "re 5\nim 5\n")

    def test_complex_in_fortran_order(self):
        values = np.arange(6).reshape(2, 3) * (1 - 2j)
        path = self.write("fortran.npy", np.asfortranarray(values))
        out = self.run_well("reduce", "sum", path, "--stride", "2").out
        self.assertEqual(out, "re 6\nim -12\n")

    def test_vectors(self):
        values = np.arange(24, dtype="float32")
        raw = self.write("vectors.raw", values.tobytes())
        self.assertEqual(self.result("reduce", "sum", raw, "--type", "float4"), "60 66 72 78")
        self.assertEqual(self.result("reduce", "max", raw, "--type", "float8"), "16 17 18 19 20 21 22 23")
        self.expect("reduce", "sum", raw, "--type", "float2", "--verify", result=[132, 144], type="float2",
                    result_type="float2", count=12, verified=True)
        # A vector of 3 takes the memory of a vector of 4.
        self.assertEqual(self.result("reduce", "sum", raw, "--type", "float3"), "60 66 72")


class Nan(Case):

    def test_propagate_and_ignore(self):
        path = self.write("nan.npy", np.array([2, NAN, -1, 5], "float32"))
        for op, ignored in (("sum", "6"), ("prod", "-10"), ("min", "-1"), ("max", "5"), ("mean", "2"), ("sumsq", "30"),
                            ("norm1", "8")):
            self.assertEqual(self.result("reduce", op, path, "--nan", "ignore", "--verify"), ignored)
        self.assertEqual(self.json("reduce", "argmin", path)["result"], {"index": 1, "value": "nan"})
        self.assertEqual(self.json("reduce", "argmin", path, "--nan", "ignore")["result"], {"index": 2, "value": -1})


class Overflow(Case):

    def test_along_an_axis(self):
        path = self.write("rows.npy", np.array([[1, 2], [2**63 - 1, 1]], "int64"))
        self.assertEqual(self.run_well("reduce", "sum", path, "--overflow", "detect", "--axis", "0", code=1).out, "")
        path = self.write("rows.npy", np.array([[1, 2], [2**63 - 2, 1]], "int64"))
        self.assertEqual(self.run_well("reduce", "sum", path, "--overflow", "detect", "--axis", "1").out,
                         f"3\n{2**63 - 1}\n")


class Dot(Case):

    def test_against_numpy(self):
        random = np.random.default_rng(8)
        for name in ("int16", "float32", "float64", "uint64"):
            x, y = (random.integers(0, 100, 2000).astype(name) for _ in range(2))
            paths = self.write("x.npy", x), self.write("y.npy", y)
            raw = self.write("y.raw", y.tobytes())
            expected = str(int(np.dot(x.astype("float64"), y.astype("float64"))))
            self.assertEqual(self.result("reduce", "dot", paths[0], "--with", paths[1], "--verify"), expected)
            self.assertEqual(self.result("reduce", "dot", paths[0], "--with", raw), expected)

    def test_by_stride(self):
        x, y = np.arange(100, dtype="int32"), np.arange(100, dtype="int32")[::-1].copy()
        self.expect("reduce", "dot", self.write("x.npy", x), "--with", self.write("y.npy", y), "--stride", "7",
                    "--verify", result=int(np.dot(x[::7], y[::7])), count=15, verified=True)


class Stride(Case):

    def test_against_numpy(self):
        values = wide_values(5000, "float64", seed=3)
        path = self.write("stride.npy", values)
        for stride in (1, 2, 3, 64, 4999, 5000, 100000):
            neighbours = self.write("neighbours.npy", values[::stride].copy())
            expected = self.result("reduce", "sum", neighbours)
            self.assertEqual(self.result("reduce", "sum", path, "--stride", stride, "--verify"), expected)

    def test_indices_count_visited_elements(self):
        path = self.write("stride.npy", np.array([5, -9, 3, 1, -2, 8], "int32"))
        self.assertEqual(self.json("reduce", "argmin", path, "--stride", "2")["result"], {"index": 2, "value": -2})


class Nothing(Case):

    def test_a_note_about_identities(self):
        """NumPy refuses the least of no elements."""
        path = self.write("none.npy", np.empty(0, "float32"))
        for op, noted in (("min", "min"), ("sum,max,min", "max"), ("sum", None)):
            run = self.run_well("reduce", op, path)
            note = f"clreduce: {path}: has 0 elements; the result of {noted} is its identity\n"
            self.assertEqual(run.err, note if noted else "")
        self.assertEqual(self.run_well("reduce", "min", path, "--quiet").err, "")


class State(Case):

    def test_double(self):
        values = wide_values(4000, "float32")
        answer = self.json("reduce", "sum", self.write("state.npy", values), "--state", "double", "--verify")
        self.assertEqual((answer["result_type"], answer["verified"]), ("double", True))
        close(self, answer["result"], values.astype("float64").sum(), 1e-13)


class Ladder(Case):

    def rows(self, *arguments):
        return {row["name"]: row for row in self.json("ladder", *arguments, "--repeat", "1")["rows"]}

    def test_of_several_parts(self):
        rows = self.rows("--op", "argmin", "--generate", "normal:1000:2")
        self.assertEqual(set(rows["wide"]["result"]), {"index", "value"})
        for name, row in rows.items():
            if row["refused"] is None:
                self.assertEqual((row["result"], row["error"]), (rows["wide"]["result"], 0), name)

    def test_of_two_inputs(self):
        rows = self.rows("--op", "dot", "--generate", "iota:1000", "--type", "int", "--with", "generate:ones:1000")
        self.assertEqual({row["result"] for row in rows.values() if row["refused"] is None}, {499500})

    def test_errors_are_against_exact_values(self):
        rows = self.rows("--op", "var", "--generate", "normal:1000:2")
        self.assertLess(abs(rows["wide"]["error"] / rows["wide"]["result"]), 1e-5)
