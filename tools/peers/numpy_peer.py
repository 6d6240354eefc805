#!/usr/bin/python3
"""The peer `numpy`. Lines in, lines out (README.md)."""
import sys
import time

import numpy as np

TYPES = {"char": np.int8, "uchar": np.uint8, "short": np.int16, "ushort": np.uint16, "int": np.int32, "uint": np.uint32,
         "long": np.int64, "ulong": np.uint64, "float": np.float32, "double": np.float64}


class Refused(Exception):
    """Raised for work that this peer does not do; the text is the reason."""


class Numpy:
    """On CPUs: reductions of NumPy's ufuncs, which use one thread. It sums integers in 64 bits by itself."""
    OPS = {"sum": np.add.reduce, "prod": np.multiply.reduce, "min": np.minimum.reduce, "max": np.maximum.reduce,
           "and": np.bitwise_and.reduce, "or": np.bitwise_or.reduce, "xor": np.bitwise_xor.reduce, "mean": np.mean,
           "var": np.var, "std": np.std, "argmin": np.argmin, "argmax": np.argmax}
    version = np.__version__

    def open(self, kind):
        if "cpu" not in kind:
            raise Refused("it computes elsewhere")

    def prepare(self, elements, work):
        self.elements, self.reduce = elements, self.OPS[work["work"]]

    def run(self, calls):
        for _ in range(calls):
            value = self.reduce(self.elements)
        return value


def spell(value):
    """Integers with all digits; floating values with as many as restore the same value."""
    value = np.asarray(value).reshape(())[()]
    return str(int(value)) if np.issubdtype(type(value), np.integer) else repr(float(value))


def prepare(peer, work):
    if work["type"] not in TYPES or work["work"] not in peer.OPS or "strategy" in work:
        raise Refused("it does not do this")
    peer.prepare(np.fromfile(work["elements"], TYPES[work["type"]], int(work["count"])), work)


def serve(peer):
    value, reply = None, f"peer numpy wall {peer.version}"
    while True:
        print(reply, flush=True)
        verb, *words = sys.stdin.readline().rstrip("\n").split(" ")
        try:
            if verb == "device":
                peer.open(words[0])
                reply = "ready"
            elif verb == "prepare":
                prepare(peer, dict(word.split("=", 1) for word in words))
                reply = "ready numpy"
            elif verb == "run" and words[0] == "wall":
                begun, calls = time.perf_counter(), int(words[1])
                value = peer.run(calls)
                reply = f"seconds {(time.perf_counter() - begun) / calls:.9e}"
            elif verb == "check":
                reply = "value " + spell(value)
            else:
                return
        except Refused as reason:
            reply = f"refused {reason}"


serve(Numpy())
