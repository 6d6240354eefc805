"""prod of floats beside exact fractions: products that leave the range on the way and come back."""

from fractions import Fraction
import math

import numpy as np

from cli import Case

# The dtype of elements as they are written, its type, precision, and exponents of the least and beyond the largest.
TYPES = {"half": ("float16", 24, -149, 128), "bfloat16": ("uint16", 24, -149, 128), "float": ("float32", 24, -149, 128),
         "double": ("float64", 53, -1074, 1024)}
COUNT = 700
# The lines of calls whose results are the product of everything.
WHOLE = ((), ("--chunk", "256"), ("--strategy", "host_serial"), ("--strategy", "wide"), ("--strategy", "top_down"))
SCANS = ("scan_chunked", "scan_wide", "scan_blelloch", "scan_reduce_then_scan", "scan_host_serial")


def numbers(type, random, count=COUNT, widest=True):
    """Random numbers over all exponents whose product is near 1: the second half returns. Values, and what is written.
    """
    digits = 7 if type == "bfloat16" else 10 if type == "half" else 20
    most = {"half": 14, "double": 1000}.get(type, 120) if widest else 3
    up = random.integers(-most, most, count // 2)
    mantissas = 1 + random.integers(0, 2**digits, count) / 2.0**digits
    values = random.choice([-1.0, 1.0], count) * mantissas * 2.0**(np.concatenate([up, -up]) -
                                                                   (random.random(count) < 0.557))
    if type == "bfloat16":
        return values, (values.astype("float32").view("uint32") >> 16).astype("uint16")
    written = values.astype(TYPES[type][0])
    return written.astype("float64"), written


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

    def call(self, verb, type, written, *options):
        path = self.write("x.npy", written)
        options += ("--type", type) if type == "bfloat16" else ()
        if type == "bfloat16":
            path = self.path("x.raw")
            written.tofile(path)
        self.run_well(verb, "prod", path, *options, "--output", self.path("out.npy"))
        return np.load(self.path("out.npy"))

    def near(self, type, got, exact, count, what):
        _, digits, least, beyond = TYPES[type]
        if abs(exact) >= Fraction(2)**beyond:
            self.assertEqual(got, math.inf if exact > 0 else -math.inf, what)
        else:
            self.assertTrue(math.isfinite(got), what)
            bound = abs(exact) * count / 2**digits + Fraction(2)**(least - 1)
            self.assertLessEqual(abs(Fraction(float(got)) - exact), bound, what)

    def prefixes(self, type, results, values, what):
        exact = Fraction(1)
        for i, value in enumerate(values):
            exact *= Fraction(value)
            self.near(type, results[i], exact, i + 1, (type, what, i))

    def test_every_call(self):
        for type in TYPES:
            values, written = numbers(type, self.random)
            order = self.random.permutation(COUNT)
            exact = math.prod(map(Fraction, values.tolist()))
            few = None if type == "float" else 1  # strategies: other types have the same texts
            for x, how in [(written, options) for options in WHOLE[:few]] + [(written[order], ())]:
                self.near(type, self.call("reduce", type, x, *how).item(), exact, COUNT, (type, how))
            for strategy in SCANS[:few]:
                self.prefixes(type, self.call("scan", type, written, "--strategy", strategy), values, strategy)
            behind = self.call("scan", type, written, "--exclusive")
            self.prefixes(type, np.append(behind[1:], self.call("reduce", type, written)), values, "exclusive")
            turned = self.call("scan", type, written, "--reverse")
            self.prefixes(type, turned[::-1], values[::-1], "reverse")

    def test_rows_segments_keys(self):
        ends = [0, 1, 100, 640, COUNT]
        keys = np.repeat(np.arange(4), np.diff(ends))
        for type in ("float", "double"):
            values, written = numbers(type, self.random)
            rows = np.tile(written, (3, 1))
            for axis, x in (("1", rows), ("0", rows.T.copy())):
                for got in self.call("reduce", type, x, "--axis", axis).ravel():
                    self.near(type, got, math.prod(map(Fraction, values.tolist())), COUNT, (type, axis))
            self.prefixes(type, self.call("scan", type, rows, "--axis", "1").reshape(3, -1)[2], values, "rows")
            for options in (("--segments", self.write("ends.npy", np.array(ends, "uint64"))),
                            ("--by-key", self.write("keys.npy", keys.astype("int32")))):
                results, prefixes = (self.call(verb, type, written, *options) for verb in ("reduce", "scan"))
                results = results["prod"] if results.dtype.names else results
                for i, (begin, end) in enumerate(zip(ends, ends[1:])):
                    exact = math.prod(map(Fraction, values[begin:end].tolist()))
                    self.near(type, results.ravel()[i], exact, COUNT, (type, options, i))
                    self.prefixes(type, prefixes[begin:end], values[begin:end], options)

    def test_partials(self):
        for type in ("float", "double"):
            values, written = numbers(type, self.random)
            files = []
            for i, (begin, end) in enumerate(((0, 1), (1, 350), (350, COUNT))):
                files.append(self.path(f"part{i}.clr"))
                self.run_well("reduce", "prod", self.write(f"part{i}.npy", written[begin:end]), "--first", str(begin),
                              "--partial", files[-1])
            self.assertEqual(self.json("join", *files)["result"], self.json(
                "reduce", "prod", self.write("x.npy", written))["result"])

    def test_complex(self):
        """Each part of the product of moduli is within the bound; the parts may differ by any power of two."""
        for type, dtype, part in (("cfloat", "complex64", "float"), ("cdouble", "complex128", "double")):
            re, im = numbers(part, self.random, 200)[0], numbers(part, self.random, 200, widest=False)[0]
            scale = np.concatenate([re[:100], 1 / re[:100]]).astype(dtype)
            written = (scale * (1 + 1j * im.clip(-2, 2))).astype(dtype)
            results = self.call("scan", type, written)
            exact, moduli = (Fraction(1), Fraction(0)), Fraction(1)
            for i, z in enumerate(written.tolist()):
                p, q = Fraction(z.real), Fraction(z.imag)
                exact = exact[0] * p - exact[1] * q, exact[0] * q + exact[1] * p
                moduli *= Fraction(math.hypot(float(p / max(abs(p), abs(q))), float(q / max(abs(p), abs(q))))) * max(
                    abs(p), abs(q))
                for got, of in zip((results[i].real, results[i].imag), exact):
                    bound = 3 * (i + 1) * moduli / 2**TYPES[part][1] + Fraction(2)**TYPES[part][2]
                    if math.isfinite(got):
                        self.assertLessEqual(abs(Fraction(float(got)) - of), bound, (type, i))
                    else:
                        self.assertGreaterEqual(abs(of) + bound, Fraction(2)**TYPES[part][3], (type, i))
            apart = np.array([2.0**100 + 2.0**-100 * 1j, 1, 2.0**-100], dtype)
            np.testing.assert_array_equal(self.call("scan", type, apart),
                                          np.array([apart[0], apart[0], 1 if type == "cfloat" else apart[0] * apart[2]],
                                                   dtype))
            by = 2.0**(100 if type == "cfloat" else 1000)
            uneven = np.array([1j / by] * 3 + [by + 1j / by] + [by] * 4, dtype)
            self.assertEqual(self.call("scan", type, uneven)[-1].real, 1)

    def test_initial(self):
        """A number, also one that would leave the range with the first element, and after a scan that left it."""
        for type, dtype, most, up in (("float", "float32", 127, 100), ("double", "float64", 1023, 900),
                                      ("cfloat", "complex64", 127, 100)):
            for exponent in (0, most, -most - 20):
                x = np.array([2.0**up, 2.0**up, 2.0**-up, 2.0**-up] * 80 + [2.0**-up, 2.0**up], dtype)
                exact = np.cumsum(np.append(0, np.tile([1, 1, -1, -1], 80))) * up + exponent
                with np.errstate(over="ignore", under="ignore"):
                    expected = np.ldexp(dtype.startswith("complex") and np.float32(1) or np.dtype(dtype).type(1), exact)
                start = float(np.ldexp(1.0, exponent))
                got = self.call("scan", type, x, "--exclusive", "--initial", f"{start!r},0" if "c" in type else start)
                np.testing.assert_array_equal(got.real[:321], expected, (type, exponent))

    def test_ignored_nans(self):
        values, written = numbers("float", self.random, 3000)
        with_nans = np.insert(written, np.arange(0, 3000, 7), np.nan)
        results = self.call("scan", "float", with_nans, "--nan", "ignore")
        self.prefixes("float", results[~np.isnan(with_nans)], values, "ignore")
        self.near("float", self.call("reduce", "float", with_nans, "--nan", "ignore").item(),
                  math.prod(map(Fraction, values.tolist())), 3000, "ignore")

    def test_vectors(self):
        values, written = numbers("float", self.random, 800)
        path = self.path("x.raw")
        written.tofile(path)
        for verb in ("reduce", "scan"):
            self.run_well(verb, "prod", path, "--type", "float4", "--output", self.path("out.npy"))
            got = np.load(self.path("out.npy")).reshape(-1, 4)
            for c in range(4):
                part = values[c::4].tolist()
                self.near("float", got[-1, c], math.prod(map(Fraction, part)), 200, (verb, c))

    def test_powers_of_two_change_no_bits(self):
        for type, by in (("float", 90), ("double", 900)):
            x = numbers(type, self.random, 4096, widest=False)[1]
            scaled = x * x.dtype.type(2)**np.where(np.arange(4096) % 2, by, -by).astype(x.dtype)
            for verb in ("reduce", "scan"):
                plain, far = self.call(verb, type, x), self.call(verb, type, scaled)
                if verb == "scan":
                    plain, far = plain[1::2], far[1::2]
                kept = np.isfinite(plain) & (np.abs(plain) > np.finfo(x.dtype).tiny)
                self.assertTrue(kept.any(), type)
                np.testing.assert_array_equal(plain[kept], far[kept], type)

    def test_infinities_and_zeros(self):
        inf, nan = math.inf, math.nan
        for type, up in (("float", 1e30), ("double", 1e300)):
            for values, expected in (([up, up, inf], inf), ([1 / up, 1 / up, -inf], -inf), ([inf, up, 0.0], nan),
                                     ([0.0, up, up, up], 0.0), ([nan, 0.0, inf], nan), ([up, up, -0.0], -0.0),
                                     (list(range(200)), 0.0), ([-up, up], -inf), ([-1 / up, 1 / up], -0.0)):
                got = self.call("reduce", type, np.array(values, TYPES[type][0])).item()
                np.testing.assert_array_equal((got, math.copysign(1, got) if got == 0 else 1),
                                              (expected, math.copysign(1, expected) if got == 0 else 1), f"{values}")

    def test_powers_of_two(self):
        """Their products are exact. A prefix beyond the range is infinite or 0; later results are right again."""
        count = 5000
        jumps = np.where(np.arange(count) % 2, 1, -1)
        for type, most, least, beyond, level, dip in (("float", 120, -149, 128, 241, 2),
                                                      ("double", 1000, -1074, 1024, 1952, 16)):
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
            written = np.ldexp(self.random.choice([-1.0, 1.0], len(powers)), powers).astype(TYPES[type][0])
            signs, sums = np.cumprod(np.sign(written)), np.cumsum(powers)
            with np.errstate(over="ignore", under="ignore"):
                exact = signs * np.where(sums >= beyond, np.inf, np.where(
                    sums < least, 0, np.ldexp(1.0, np.clip(sums, least, beyond - 1))))
            results = self.call("scan", type, written)
            np.testing.assert_array_equal(results, exact.astype(written.dtype), type)
            np.testing.assert_array_equal(np.signbit(results), signs < 0)
            np.testing.assert_array_equal(self.call("scan", type, written, "--exclusive")[1:], results[:-1])
            for end in (len(powers), len(powers) - 2000, 9000):
                np.testing.assert_array_equal(self.call("reduce", type, written[:end]).item(), exact[end - 1])
            self.turned(type, written, exact)

    def turned(self, type, written, exact):
        """The same with factors 1, i, -1, -i. So one part of each number is 0."""
        units, turns = np.array([1, 1j, -1, -1j]), self.random.integers(0, 4, len(written))
        x = (written * units[turns]).astype("complex64" if type == "float" else "complex128")
        total = units[np.cumsum(turns) % 4]
        results, whole = self.call("scan", "c" + type, x), self.call("reduce", "c" + type, x).item()
        for got, unit, last in ((results.real, total.real, whole.real), (results.imag, total.imag, whole.imag)):
            expected = np.where(unit != 0, np.where(unit < 0, -exact, exact), 0).astype(written.dtype)
            np.testing.assert_array_equal(got, expected, type)
            self.assertEqual(last, expected[-1], type)
