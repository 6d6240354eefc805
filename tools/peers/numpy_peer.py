#!/usr/bin/python3
"""The peer `numpy`, on CPUs: reductions of its ufuncs, which use one thread."""

import sys

sys.dont_write_bytecode = True

import numpy as np  # noqa: E402

from serve import Refused, serve  # noqa: E402

# NumPy sums integers in 64 bits by itself.
OPS = {"sum": np.add.reduce, "prod": np.multiply.reduce, "min": np.minimum.reduce, "max": np.maximum.reduce,
       "and": np.bitwise_and.reduce, "or": np.bitwise_or.reduce, "xor": np.bitwise_xor.reduce, "mean": np.mean,
       "var": np.var, "std": np.std, "argmin": np.argmin, "argmax": np.argmax}


class Peer:
    def open(self, kind, _index, _name):
        if "cpu" not in kind:
            raise Refused("it computes elsewhere")

    def prepare(self, elements, op):
        if op not in OPS:
            raise Refused("it has no such operator")
        self.elements, self.reduce = elements, OPS[op]

    def run(self, calls):
        for _ in range(calls):
            value = self.reduce(self.elements)
        return value

    def fetch(self, value):
        return value


serve("numpy", np.__version__, Peer())
