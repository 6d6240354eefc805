"""prod of floats that leaves the range on the way and comes back, beside exact powers of two. The program algebra has
bounds for other products; scans and layouts compare those of rows, segments, vectors, and with ignored NaNs."""

import math

import numpy as np

from cli import Case


def and_back(powers, most):
    """The powers, and some more that make the product 1; in whole tiles."""
    total = int(np.sum(powers))
    whole = np.append(powers, [-most if total > 0 else most] * (abs(total) // most))
    whole = np.append(whole, -np.sum(whole))
    return np.append(whole, [0] * (-len(whole) % 512)).astype(int)


class Products(Case):

    def setUp(self):
        super().setUp()
        self.random = np.random.default_rng(11)

    def call(self, verb, written, *options):
        return self.array(verb, "prod", self.write("x.npy", written), *options)

    def test_complex_parts_far_apart(self):
        """The parts may differ by any power of two."""
        for dtype, by in (("complex64", 2.0**100), ("complex128", 2.0**1000)):
            apart = np.array([2.0**100 + 2.0**-100 * 1j, 1, 2.0**-100], dtype)
            last = 1 if dtype == "complex64" else apart[0] * apart[2]
            np.testing.assert_array_equal(self.call("scan", apart), np.array([apart[0], apart[0], last], dtype))
            uneven = np.array([1j / by] * 3 + [by + 1j / by] + [by] * 4, dtype)
            self.assertEqual(self.call("scan", uneven)[-1].real, 1)

    def test_initial(self):
        """A number, also one that would leave the range with the first element, and after a scan that left it."""
        for dtype, most, up in (("float32", 127, 100), ("float64", 1023, 900), ("complex64", 127, 100)):
            for exponent in (0, most, -most - 20):
                x = np.array([2.0**up, 2.0**up, 2.0**-up, 2.0**-up] * 80 + [2.0**-up, 2.0**up], dtype)
                exact = np.cumsum(np.append(0, np.tile([1, 1, -1, -1], 80))) * up + exponent
                with np.errstate(over="ignore", under="ignore"):
                    expected = np.ldexp(dtype.startswith("complex") and np.float32(1) or np.dtype(dtype).type(1), exact)
                start = float(np.ldexp(1.0, exponent))
                got = self.call("scan", x, "--exclusive", "--initial", f"{start!r},0" if "c" in dtype else start)
                np.testing.assert_array_equal(got.real[:321], expected, (dtype, exponent))

    def test_infinities_and_zeros(self):
        inf, nan = math.inf, math.nan
        for dtype, up in (("float32", 1e30), ("float64", 1e300)):
            for values, expected in (([up, up, inf], inf), ([1 / up, 1 / up, -inf], -inf), ([inf, up, 0.0], nan),
                                     ([0.0, up, up, up], 0.0), ([nan, 0.0, inf], nan), ([up, up, -0.0], -0.0),
                                     (list(range(200)), 0.0), ([-up, up], -inf), ([-1 / up, 1 / up], -0.0)):
                got = self.call("reduce", np.array(values, dtype)).item()
                np.testing.assert_array_equal((got, math.copysign(1, got) if got == 0 else 1),
                                              (expected, math.copysign(1, expected) if got == 0 else 1), f"{values}")

    def test_powers_of_two(self):
        """Their products are exact. A prefix beyond the range is infinite or 0; later results are right again."""
        count = 5000
        jumps = np.where(np.arange(count) % 2, 1, -1)
        for dtype, most, least, beyond, level, dip in (("float32", 120, -149, 128, 241, 2),
                                                       ("float64", 1000, -1074, 1024, 1952, 16)):
            near, steep = self.random.integers(-1, 2, count), most * jumps
            far = near.copy()
            far[[0, 1, 2, 3, 1000, 1001, 1002, 1003]] = [most] * 4 + [-most] * 4
            # Lanes that dip while the exponents of their prefixes are 3 and -3.
            deep = np.append([level // 2, level - level // 2 - 12], np.tile([-15 * dip] + [dip] * 15, count // 16))
            deep = np.insert(deep, 2, [0] * 14)
            up_down = np.where(np.arange(count) < count / 2, most, -most) // 5
            # A product that is 0 as a plain number, between numbers near 1: in a lane of a scan, and of a reduction.
            lost = np.tile([-most // 4, -most, most, most // 4] + [0] * 12, 40)
            cases = (near, lost, np.repeat(lost, 32), far, -far, deep,
                     np.append([-level // 2, -level // 2 - 12], -deep[2:]), steep, up_down,
                     np.append(-most // 2, steep[1:]), self.random.integers(-most, most, count))
            powers = np.concatenate([and_back(case, most) for case in cases] + [[0] * 5])
            written = np.ldexp(self.random.choice([-1.0, 1.0], len(powers)), powers).astype(dtype)
            signs, sums = np.cumprod(np.sign(written)), np.cumsum(powers)
            with np.errstate(over="ignore", under="ignore"):
                exact = signs * np.where(sums >= beyond, np.inf, np.where(
                    sums < least, 0, np.ldexp(1.0, np.clip(sums, least, beyond - 1))))
            results = self.call("scan", written)
            np.testing.assert_array_equal(results, exact.astype(written.dtype), dtype)
            np.testing.assert_array_equal(np.signbit(results), signs < 0)
            np.testing.assert_array_equal(self.call("scan", written, "--exclusive")[1:], results[:-1])
            for end in (len(powers), len(powers) - 2000, 9000):
                np.testing.assert_array_equal(self.call("reduce", written[:end]).item(), exact[end - 1])
            self.turned(dtype, written, exact)

    def turned(self, dtype, written, exact):
        """The same with factors 1, i, -1, -i. So one part of each number is 0."""
        units, turns = np.array([1, 1j, -1, -1j]), self.random.integers(0, 4, len(written))
        x = (written * units[turns]).astype("complex64" if dtype == "float32" else "complex128")
        total = units[np.cumsum(turns) % 4]
        results, whole = self.call("scan", x), self.call("reduce", x).item()
        for got, unit, last in ((results.real, total.real, whole.real), (results.imag, total.imag, whole.imag)):
            expected = np.where(unit != 0, np.where(unit < 0, -exact, exact), 0).astype(written.dtype)
            np.testing.assert_array_equal(got, expected, dtype)
            self.assertEqual(last, expected[-1], dtype)
