#!/usr/bin/python3
"""The peers `numpy` and `pyopencl`: which one, the name of the program says. Lines in, lines out (README.md)."""
import os
import sys
import time
import warnings

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

    def open(self, kind, _index, _name):
        if "cpu" not in kind:
            raise Refused("it computes elsewhere")

    def prepare(self, elements, work):
        self.elements, self.axis = elements, None
        if "rows" in work:
            shape, self.axis = (int(work["rows"]), int(work["columns"])), int(work["axis"])
            self.elements = elements[:shape[0] * shape[1]].reshape(shape)
        self.reduce = self.OPS[work["work"]]

    def run(self, calls):
        for _ in range(calls):
            value = self.reduce(self.elements, axis=self.axis)
        return value

    def fetch(self, value):
        return value


class Pyopencl:
    """PyOpenCL's ReductionKernel, on the same OpenCL device as the library."""
    # The neutral element and the combination.
    OPS = {"sum": (lambda _: "0", "a + b"),
           "min": (lambda dtype: "INFINITY" if dtype.kind == "f" else f"{np.iinfo(dtype).max}UL", "a < b ? a : b"),
           "max": (lambda dtype: "-INFINITY" if dtype.kind == "f" else
                   f"({-np.iinfo(dtype).max}L - 1)" if dtype.kind == "i" else "0", "a > b ? a : b")}

    def __init__(self):
        warnings.simplefilter("ignore")
        import pyopencl
        import pyopencl.array
        import pyopencl.reduction
        self.cl, self.version = pyopencl, pyopencl.VERSION_TEXT

    def open(self, _kind, index, name):
        devices = [device for platform in self.cl.get_platforms() for device in platform.get_devices()]
        if index >= len(devices) or devices[index].name.strip() != name:
            raise Refused("it does not find this device")
        self.context = self.cl.Context([devices[index]])
        self.queue = self.cl.CommandQueue(self.context)
        self.shares = devices[index].host_unified_memory

    def prepare(self, elements, work):
        if "rows" in work:
            raise Refused("it does not do this")
        cl, dtype, (neutral, combine) = self.cl, elements.dtype, self.OPS[work["work"]]
        # Sums of integers have 64 bits.
        result = {"i": np.dtype(np.int64), "u": np.dtype(np.uint64)}.get(dtype.kind, dtype)
        self.reduce = cl.reduction.ReductionKernel(
            self.context, result if combine == "a + b" else dtype, neutral=neutral(dtype), reduce_expr=combine,
            map_expr="x[i]", arguments=f"__global const {work['type']} *x")
        flags = cl.mem_flags.READ_ONLY | (cl.mem_flags.USE_HOST_PTR if self.shares else cl.mem_flags.COPY_HOST_PTR)
        buffer = cl.Buffer(self.context, flags, hostbuf=elements)
        self.elements = elements
        self.array = cl.array.Array(self.queue, elements.shape, dtype, data=buffer)

    def run(self, calls):
        for _ in range(calls):
            value = self.reduce(self.array)
        self.queue.finish()
        return value

    def fetch(self, value):
        return value.get()


def spell(value):
    """Integers with all digits; floating values with as many as restore the same value; arrays are not compared."""
    if np.ndim(value):
        return "-"
    value = np.asarray(value).reshape(())[()]
    return str(int(value)) if np.issubdtype(type(value), np.integer) else repr(float(value))


def prepare(peer, work):
    if work["type"] not in TYPES or work["work"] not in peer.OPS or "strategy" in work:
        raise Refused("it does not do this")
    peer.prepare(np.fromfile(work["elements"], TYPES[work["type"]], int(work["count"])), work)


def serve(name, peer):
    value, reply = None, f"peer {name} wall {peer.version}"
    while True:
        print(reply, flush=True)
        verb, *words = sys.stdin.readline().rstrip("\n").split(" ")
        try:
            if verb == "device":
                peer.open(words[0], int(words[1]), " ".join(words[2:]))
                reply = "ready"
            elif verb == "prepare":
                prepare(peer, dict(word.split("=", 1) for word in words))
                reply = "ready " + name
            elif verb == "run" and words[0] == "wall":
                begun, calls = time.perf_counter(), int(words[1])
                value = peer.run(calls)
                reply = f"seconds {(time.perf_counter() - begun) / calls:.9e}"
            elif verb == "check":
                reply = "value " + spell(peer.fetch(value))
            else:
                return
        except Refused as reason:
            reply = f"refused {reason}"


NAME = os.path.basename(sys.argv[0])
serve(NAME, {"numpy": Numpy, "pyopencl": Pyopencl}[NAME]())
