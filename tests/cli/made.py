"""The data of --generate, computed again from its definition (tools/input/generate.h) with NumPy's integers."""

import numpy as np

from cli import FLOATING, TYPES

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
