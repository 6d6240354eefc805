"""What real.py expects of each operator: the exact value, and the bound of docs/numerics.md."""

import math
from fractions import Fraction

import numpy as np


class Exact:
    """The elements as whole numbers times `unit`, in Python's integers or in NumPy's where nothing can overflow."""

    def __init__(self, x):
        self.unit = Fraction(1)
        if x.dtype.kind == "f":
            mantissas, exponents = np.frexp(x.astype("float64"))
            low = int(exponents.min()) - 53
            self.unit = Fraction(2) ** low
            whole = (mantissas * 2.0**53).astype("int64").tolist()
            self.x = np.array([m << e for m, e in zip(whole, (exponents - 53 - low).tolist())], object)
        else:
            self.x = x.astype("int64" if x.dtype.itemsize <= 2 else object)

    def sum(self, x, power=1):
        return Fraction(int(x.sum())) * self.unit**power


def root(q):
    shift = 150 + max(0, q.denominator.bit_length() - q.numerator.bit_length())
    return Fraction(math.isqrt(q.numerator * 4**shift // q.denominator), 2**shift)


def depth(n):
    return 16 + math.ceil(math.log2(max(n, 1)))


def roundoff(x):
    return Fraction(1, 2**24 if x.dtype == "float32" else 2**53)


def expected(x):
    """What each operator gives: its name, the exact value and the bound; the bound 0 asks for equal values."""
    exact, n, real = Exact(x), x.size, x.dtype.kind == "f"
    u = roundoff(x)
    u2, d, sums = (u if real else 0), depth(n), exact.sum
    magnitude, squares, total = sums(abs(exact.x)), sums(exact.x * exact.x, 2), sums(exact.x)
    extent = (Fraction(exact.x.max()) - Fraction(exact.x.min())) * exact.unit
    mean, var = total / n, squares / n - (total / n)**2
    off = (6 * d + 6) * u * (var + extent * root(var)) + ((3 * d + 3) * u * extent)**2
    # -0 is less than +0.
    key = np.where((x == 0) & np.signbit(x), -np.finfo(x.dtype).smallest_subnormal, x) if real else x
    low, high = int(key.argmin()), int(key.argmax())
    return {"sum": (total, d * u2 * magnitude), "min": (x[low], 0), "max": (x[high], 0), "argmin": (low, 0),
            "argmax": (high, 0), "mean": (mean if real else float(mean), u2 * (abs(mean) + (3 * d + 3) * extent)), "var": (var, off),
            "std": (root(var), off / (2 * root(var)) if var else root(off)),
            "norm1": (magnitude, (d + 3) * u2 * magnitude),
            "norm2": (root(squares), Fraction(d + 8, 2) * u * root(squares)),
            "sumsq": (squares if real else squares % 2**64, (d + 3) * u2 * squares), "count": (n, 0),
            "all": (int(x.all()), 0), "any": (int(x.any()), 0), "count_nonzero": (int(np.count_nonzero(x)), 0)}
