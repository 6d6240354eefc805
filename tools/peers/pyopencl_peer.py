#!/usr/bin/python3
"""The peer `pyopencl`: its ReductionKernel, on the same OpenCL device as the library."""

import sys
import warnings

sys.dont_write_bytecode = True
warnings.simplefilter("ignore")

import numpy as np  # noqa: E402
import pyopencl as cl  # noqa: E402
import pyopencl.array  # noqa: E402
from pyopencl.reduction import ReductionKernel  # noqa: E402

from serve import Refused, serve  # noqa: E402

C_NAMES = {np.int8: "char", np.uint8: "uchar", np.int16: "short", np.uint16: "ushort", np.int32: "int",
           np.uint32: "uint", np.int64: "long", np.uint64: "ulong", np.float32: "float", np.float64: "double"}


def wide(dtype):
    """The type of a sum: 64 bits of integers."""
    return np.dtype({"i": np.int64, "u": np.uint64}.get(dtype.kind, dtype.type))


def least(dtype):
    if dtype.kind == "f":
        return "-INFINITY"
    return f"({-np.iinfo(dtype).max}L - 1)" if dtype.kind == "i" else "0"


def greatest(dtype):
    return "INFINITY" if dtype.kind == "f" else f"{np.iinfo(dtype).max}UL"


# Operator: type of the result, neutral element, combination.
OPS = {"sum": (wide, lambda _: "0", "a + b"), "min": (np.dtype, greatest, "a < b ? a : b"),
       "max": (np.dtype, least, "a > b ? a : b")}


class Peer:
    def __init__(self):
        self.kernels = {}

    def open(self, _kind, index, name):
        devices = [device for platform in cl.get_platforms() for device in platform.get_devices()]
        if index >= len(devices) or devices[index].name.strip() != name:
            raise Refused("it does not find this device")
        self.context = cl.Context([devices[index]])
        self.queue = cl.CommandQueue(self.context)
        self.shares = devices[index].host_unified_memory
        self.kernels = {}

    def kernel(self, dtype, op):
        result, neutral, combine = OPS[op][0](dtype), OPS[op][1](dtype), OPS[op][2]
        if (dtype, op) not in self.kernels:
            self.kernels[dtype, op] = ReductionKernel(
                self.context, result, neutral=neutral, reduce_expr=combine, map_expr="x[i]",
                arguments=f"__global const {C_NAMES[dtype.type]} *x")
        return self.kernels[dtype, op]

    def prepare(self, elements, op):
        if op not in OPS or elements.dtype.type not in C_NAMES:
            raise Refused("it has no such operator or type")
        flags = cl.mem_flags.READ_ONLY | (cl.mem_flags.USE_HOST_PTR if self.shares else cl.mem_flags.COPY_HOST_PTR)
        buffer = cl.Buffer(self.context, flags, hostbuf=elements)
        self.elements = elements
        self.array = cl.array.Array(self.queue, elements.shape, elements.dtype, data=buffer)
        self.reduce = self.kernel(elements.dtype, op)

    def run(self, calls):
        for _ in range(calls):
            value = self.reduce(self.array)
        self.queue.finish()
        return value

    def fetch(self, value):
        return value.get()


serve("pyopencl", cl.VERSION_TEXT, Peer())
