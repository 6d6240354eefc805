"""--generate: the elements and sums that the definition gives, the same on every machine."""

import numpy as np

from cli import FLOATING, INTEGERS, TYPES, Case, fixed_order, whole_sum

# The data of --generate, computed again from its definition (tools/input/generate.h) with NumPy's integers.
U = np.uint64


def splitmix64(x):
    x = x + U(0x9E3779B97F4A7C15)
    x = (x ^ (x >> U(30))) * U(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> U(27))) * U(0x94D049BB133111EB)
    return x ^ (x >> U(31))


def twelve_uniforms(words):
    """The sum of twelve uniform 16-bit fractions plus 34 random lower bits, as an integer in units of 2^-50."""
    total = np.zeros_like(words)
    for k in (1, 2, 3):
        word = splitmix64(words + U(k))
        for shift in (0, 16, 32, 48):
            total += (word >> U(shift)) & U(0xFFFF)
    return (total << U(34)) + (splitmix64(words + U(4)) >> U(30))


def uniform(words, name):
    if name in FLOATING:
        kept = 24 if name == "float" else 53
        return np.ldexp((words >> U(64 - kept)).astype(TYPES[name]), -kept)
    return (words >> U(64 - bits(name))).astype(unsigned(name)).view(TYPES[name])


def normal(words, name):
    sums = twelve_uniforms(words)
    if name in FLOATING:
        return ((sums.astype("int64") - (6 << 50)).astype("float64") * 2.0 ** -50).astype(TYPES[name])
    b = bits(name)
    unit = 2 ** (b - 4)
    middle = 2 ** (b - 1) if np.dtype(TYPES[name]).kind == "i" else 0
    # Rounded to nearest, halves up, in whole numbers of any size.
    return np.array([(2 * int(s) * unit + 2 ** 50) // 2 ** 51 + 2 * unit - middle for s in sums], TYPES[name])


def wide(words, name):
    if name == "float":
        return (words >> U(63) << U(31) | ((words >> U(34) & U(63)) + U(127 - 32)) << U(23) |
                words >> U(40) & U(0x7FFFFF)).astype("uint32").view("float32")
    if name == "double":
        return (words >> U(63) << U(63) | ((words >> U(2) & U(511)) + U(1023 - 256)) << U(52) |
                words >> U(11) & U(2 ** 52 - 1)).view("float64")
    b = bits(name)
    places = (words & U(0xFFFF)) * U(b) >> U(16)
    if np.dtype(TYPES[name]).kind == "u":
        return ((words >> U(64 - b)) >> places).astype(TYPES[name])
    magnitude = ((words & U(2 ** 63 - 1)) >> U(64 - b)) >> places
    signed = np.where(words >> U(63), -magnitude.astype("int64"), magnitude.astype("int64"))
    return signed.astype(TYPES[name])


def iota(words, name):
    return np.arange(len(words), dtype="uint64").astype(TYPES[name])


def ones(words, name):
    return np.ones(len(words), TYPES[name])


KINDS = {"iota": iota, "ones": ones, "uniform": uniform, "normal": normal, "wide": wide}


def bits(name):
    return 8 * np.dtype(TYPES[name]).itemsize


def unsigned(name):
    return f"uint{bits(name)}"


def made(kind, count, seed, name):
    """The first `count` elements of --generate KIND:COUNT:SEED --type NAME."""
    with np.errstate(over="ignore"):
        return KINDS[kind](splitmix64(U(seed) + np.arange(count, dtype="uint64")), name)


def to_bfloat16(floats):
    """The nearest bfloat16, halves to even, as a float."""
    bits = floats.astype("float32").view("uint32").astype("uint64")
    return ((bits + U(0x7FFF) + (bits >> U(16) & U(1))) >> U(16) << U(16)).astype("uint32").view("float32")


def made_short(kind, count, seed, name):
    """Like made(), for half and bfloat16; the elements are floats."""
    floats = made(kind, count, seed, "float")
    if name == "bfloat16":
        return to_bfloat16(floats)
    if kind == "wide":  # 16 binades from 2^-8 instead of 64 from 2^-32
        words = splitmix64(U(seed) + np.arange(count, dtype="uint64"))
        exponents = (words >> U(34) & U(63)).astype("int64") - 32
        floats = np.ldexp(floats, ((words >> U(34) & U(15)).astype("int64") - 8 - exponents).astype("int32"))
    return floats.astype("float16").astype("float32")


def made_complex(kind, count, seed, name):
    """Like made(), for complex numbers whose parts have type NAME."""
    if kind in ("iota", "ones"):
        return made(kind, count, seed, name) + 0j
    return made(kind, 2 * count, seed, name).view("complex64" if name == "float" else "complex128")

COUNT = 3001


class Elements(Case):

    def test_integers(self):
        for kind in ("iota", "ones", "uniform", "normal", "wide"):
            for name in INTEGERS:
                self.assertEqual(self.result("reduce", "sum", "--generate", f"{kind}:{COUNT}:5", "--type", name),
                                 str(whole_sum(made(kind, COUNT, 5, name))))

    def test_floating(self):
        for kind in ("iota", "ones", "uniform", "normal", "wide"):
            for name in FLOATING:
                text = self.result("reduce", "sum", "--generate", f"{kind}:{COUNT}:5", "--type", name)
                self.assert_same_bits(text, fixed_order(made(kind, COUNT, 5, name)), f"{kind} {name}")

    def test_half_and_bfloat16(self):
        for kind in ("iota", "ones", "uniform", "normal", "wide"):
            for name in ("half", "bfloat16"):
                text = self.result("reduce", "sum", "--generate", f"{kind}:{COUNT}:5", "--type", name)
                self.assert_same_bits(text, fixed_order(made_short(kind, COUNT, 5, name), element_size=2))

    def test_complex_numbers(self):
        for kind in ("iota", "ones", "uniform", "normal", "wide"):
            for name in ("float", "double"):
                values = made_complex(kind, COUNT, 5, name)
                answer = self.run_well("reduce", "sum", "--generate", f"{kind}:{COUNT}:5", "--type", f"c{name}").out
                for line, part in zip(answer.splitlines(), (values.real, values.imag)):
                    expected = fixed_order(part.copy(), element_size=values.dtype.itemsize)
                    self.assert_same_bits(line.split()[1], expected, f"{kind} {name}")

    def test_vectors_are_their_components_in_line(self):
        for name, width in (("float", 4), ("uchar", 2), ("double", 3), ("short", 16)):
            values = made("uniform", width * 500, 3, name).reshape(500, width)
            text = self.result("reduce", "max", "--generate", "uniform:500:3", "--type", f"{name}{width}")
            self.assertEqual([values.dtype.type(word) for word in text.split()], list(values.max(axis=0)))

    def test_type_is_float_unless_given(self):
        self.assertEqual(self.json("reduce", "sum", "--generate", "ones:5")["type"], "float")

    def test_seed_is_zero_unless_given(self):
        text = self.result("reduce", "sum", "--generate", f"uniform:{COUNT}")
        self.assert_same_bits(text, fixed_order(made("uniform", COUNT, 0, "float")))

    def test_seeds(self):
        for seed in (1, 2**32, 2**64 - 2):
            text = self.result("reduce", "sum", "--generate", f"normal:{COUNT}:{seed}")
            self.assert_same_bits(text, fixed_order(made("normal", COUNT, seed, "float")), seed)

    def test_same_from_a_file(self):
        values = made("wide", COUNT, 9, "double")
        raw = self.write("wide.raw", values.tobytes())
        self.assertEqual(self.result("reduce", "sum", raw, "--type", "double"),
                         self.result("reduce", "sum", "--generate", f"wide:{COUNT}:9", "--type", "double"))


class Pinned(Case):
    """Stored sums: if one changes, results can no longer be compared with those of earlier versions."""

    SUMS = {
        ("uniform:100000", "float"): "0x1.85c6800000000p+15",
        ("normal:100000:1", "float"): "-0x1.25d2860000000p+8",
        ("wide:100000:2", "float"): "0x1.55d5580000000p+37",
        ("uniform:100000", "double"): "0x1.85c67f45f6fd2p+15",
        ("normal:100000:1", "double"): "-0x1.25d28622179a0p+8",
        ("wide:100000:2", "double"): "-0x1.ff88d50fdb2f8p+260",
        ("uniform:100000", "int"): "761276806988",
        ("normal:100000:1", "short"): "-1203476",
        ("wide:100000:2", "ulong"): "17547660449432037249"}

    def test_sums(self):
        for (spec, name), total in self.SUMS.items():
            text = self.result("reduce", "sum", "--generate", spec, "--type", name)
            if name in FLOATING:
                self.assert_same_bits(text, np.dtype(FLOATING[name]).type(float.fromhex(total)))
            else:
                self.assertEqual(text, total)


class Constants(Case):

    def test_values(self):
        for value, name, total in (("1000.23", "double", "4000.92"), ("-7", "char", "-28"), ("255", "uchar", "1020"),
                                   ("4611686018427387903", "long", "18446744073709551612"),
                                   ("0.1", "float", "0.4")):
            text = self.result("reduce", "sum", "--generate", f"constant:4:{value}", "--type", name)
            self.assertEqual(text, total if name != "long" else str(int(total) - 2**64))

    def test_extremes(self):
        for name, value in (("long", -2**63), ("long", 2**63 - 1), ("ulong", 2**64 - 1)):
            spec = f"constant:3:{value}"
            self.assertEqual(self.result("reduce", "max", "--generate", spec, "--type", name), str(value))
            self.assertEqual(self.json("reduce", "max", "--generate", spec, "--type", name)["result"], value)
