"""Reductions, scans, selections, histograms, quantiles, sorts on every OpenCL device; the same bits on all of them.

>>> import clreduce, numpy
>>> clreduce.sum(numpy.arange(10))
45

Arrays may be in host memory (NumPy, __array_interface__, DLPack) or on a device (PyOpenCL's arrays and buffers).
docs/python.md explains the module by examples; reduce() lists the arguments that all reductions have.
"""
from ._calls import bincount, clear, histogram, histogram2d, histogramdd, select
from ._devices import Device, devices, use
from ._events import Event
from ._functions import (all, any, argmax, argmin, bitwise_and, bitwise_or, bitwise_xor, count_nonzero, cumprod, cumsum,
                         dot, logsumexp, max, mean, min, minmax, norm1, norm2, prod, reduce, scan, std, stats, sum,
                         sumsq, var, vdot)
from ._library import (ArgumentError, ElementTypeError, Error, OutOfMemoryError, ResultOverflowError, ResultsError,
                       ffi as _ffi, lib as _lib)
from ._plan import Plan
from ._quantiles import bottom, median, quantile, top
from ._sorts import argsort, rank, run_lengths, sort, sort_pairs, unique, value_counts
from ._streams import Partial, ScanStream, Stream
from ._texts import Histogram, Operator, Selection

__version__ = "0.1.0"
library_version: str = _ffi.string(_lib.clred_version()).decode()

__all__ = [
    "ArgumentError", "Device", "ElementTypeError", "Error", "Event", "Histogram", "Operator", "OutOfMemoryError",
    "Partial", "Plan", "ResultOverflowError", "ResultsError", "ScanStream", "Selection", "Stream", "all", "any",
    "argmax", "argmin", "argsort", "bincount", "bitwise_and", "bitwise_or", "bitwise_xor", "bottom", "clear",
    "count_nonzero", "cumprod", "cumsum", "devices", "dot", "histogram", "histogram2d", "histogramdd",
    "library_version", "logsumexp", "max", "mean", "median", "min", "minmax", "norm1", "norm2", "prod", "quantile",
    "rank", "reduce", "run_lengths", "scan", "select", "sort", "sort_pairs", "std", "stats", "sum", "sumsq", "top",
    "unique", "use", "value_counts", "var", "vdot",
]

for _name in __all__:  # messages and help name the module that users import
    if isinstance(globals()[_name], type):
        globals()[_name].__module__ = __name__
