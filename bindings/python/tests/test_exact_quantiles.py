"""Linear quantiles of two neighbours beside exact rationals: the nearest double, for every type and fraction."""
from fractions import Fraction

import numpy as np
import pytest

import clreduce

# Of two elements, a quantile is the fraction itself.
HARD = [0.5, 0.25, 0.75, 5e-324, 2.0**-1022, 2.0**-53, 1 - 2.0**-53, 0.5 - 2.0**-54, 0.5 + 2.0**-53, 1 / 3]
PAIRS = {"int64": 200, "uint64": 200, "float64": 20}  # 256 fractions of each


def fractions(rng):
    powers = rng.integers(1, 60, 123)
    return HARD + rng.random(123).tolist() + (rng.integers(1, 2**31, 123) % 2**powers / 2.0**powers).tolist()


def pairs(dtype, count, rng):
    """Any bits, and neighbours that are close."""
    size = np.dtype(dtype).itemsize
    lower, other = np.frombuffer(rng.bytes(2 * count * size), dtype).reshape(2, count).copy()
    near = np.frombuffer(lower.tobytes(), f"u{size}") + rng.integers(1, 100, count).astype(f"u{size}")
    other[::2] = np.frombuffer(near.tobytes(), dtype)[::2]
    if lower.dtype.kind != "f":
        ends = np.iinfo(dtype)
        lower[0], other[0] = ends.min, ends.max
        lower[1], other[1] = ends.max - 2, ends.max
    else:
        lower[0], other[0] = np.finfo(dtype).min, np.finfo(dtype).max
        lower[1], other[1] = -5e-324, 0  # 0 for narrower types
    return [np.sort(pair) for pair in np.stack([lower, other], 1) if np.isfinite(pair).all()]


def wrong(pair, at):
    low, high = (Fraction(element.item()) for element in pair)
    exact = [float(low + (high - low) * Fraction(q)) + 0.0 for q in at]
    return [(pair, q, got, right) for q, got, right in zip(at, clreduce.quantile(pair, at), exact)
            if np.float64(got).tobytes() != np.float64(right).tobytes()]


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float16",
                                   "float32", "float64"])
def test_the_nearest_double(dtype):
    rng = np.random.default_rng(5)
    at = fractions(rng)
    assert not [case for pair in pairs(dtype, PAIRS.get(dtype, 4), rng) for case in wrong(pair, at)][:3]


def test_between_many():
    """The median of an even number of elements, and a fraction that the position leaves."""
    x = np.arange(2**63 - 2000, 2**63, 2, dtype=np.uint64)
    assert clreduce.median(x) == float(Fraction(2**63 - 1001))
    assert clreduce.median(np.array([9007199254740993, 9007199254740995])) == 9007199254740994
    assert clreduce.median(np.array([-2**63, 2**63 - 1])) == -0.5
