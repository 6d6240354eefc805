"""Statistics and types. Expected values are NumPy's or exact fractions; answers.txt has those by hand."""

import math
from fractions import Fraction

import numpy as np

from cli import Case, wide_values

INF, NAN = float("inf"), float("nan")


def close(test, got, expected, tolerance=1e-6):
    test.assertLessEqual(abs(float(got) - expected), tolerance * max(1, abs(expected)), f"{got} for {expected}")


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


class Types(Case):

    def test_half(self):
        values = np.random.default_rng(5).standard_normal(3000).astype("float16")
        path, wide = self.write("half.npy", values), values.astype("float64")
        answer = self.expect("reduce", "sum", path, "--verify", type="half", result_type="float", verified=True)
        close(self, answer["result"], wide.sum(), 1e-5)
        close(self, self.result("reduce", "sum", path, "--state", "double"), wide.sum(), 1e-14)

    def test_complex(self):
        random = np.random.default_rng(6)
        values = random.standard_normal(2000) + 1j * random.standard_normal(2000)
        for dtype, name in (("complex64", "cfloat"), ("complex128", "cdouble"), (">c16", "cdouble")):
            path = self.write("complex.npy", values.astype(dtype))
            answer = self.expect("reduce", "sum", path, "--verify", type=name, result_type=name, verified=True)
            close(self, answer["result"]["re"], values.real.sum(), 1e-4)
            close(self, answer["result"]["im"], values.imag.sum(), 1e-4)
            close(self, self.result("reduce", "norm1", path), np.abs(values).sum(), 1e-5)


class Inputs(Case):

    def test_dot(self):
        random = np.random.default_rng(8)
        for name in ("int16", "float32", "float64", "uint64"):
            x, y = (random.integers(0, 100, 2000).astype(name) for _ in range(2))
            path = self.write("x.npy", x)
            for other in (self.write("y.npy", y), self.write("y.raw", y.tobytes())):
                for step in (1, 7):
                    self.assertEqual(self.result("reduce", "dot", path, "--with", other, "--stride", step, "--verify"),
                                     str(int(np.dot(x[::step].astype("float64"), y[::step]))))

    def test_stride(self):
        values = wide_values(5000, "float64", seed=3)
        path = self.write("stride.npy", values)
        for stride in (1, 2, 3, 64, 4999, 5000, 100000):
            expected = self.result("reduce", "sum", self.write("neighbours.npy", values[::stride].copy()))
            self.assertEqual(self.result("reduce", "sum", path, "--stride", stride, "--verify"), expected)
