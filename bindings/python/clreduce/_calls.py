"""Calls that find or make the plan they need."""
import builtins
import reprlib
import threading
from typing import Any, Mapping, Optional

import numpy as np

from ._arrays import Elements, Place, take
from ._axes import arrange, restore
from ._devices import SHORT_WAYS, Target, target_of
from ._errors import ArgumentError
from ._library import check_process, ffi, lib
from ._plan import Plan
from ._run import Layout, in_runs, in_segments, line, run_layout, run_line
from ._texts import Histogram, Selection
from ._types import dtype_of, type_of

_KEPT = 256  # plans
_RESERVED = ("op", "dtype", "on", "self")
_plans: dict = {}
_lock = threading.RLock()


def plan_for(what: Any, x: Elements, target: Target, options: Mapping, kind: Any = None) -> Plan:
    """The plan of a problem, from the last ones or new."""
    for name, value in options.items():
        if name in _RESERVED or not isinstance(value, (str, int, float, np.generic, type(None))):
            raise TypeError(f"{name}: {reprlib.repr(value)} is no option of a plan; options are texts and numbers for "
                            "fields of clred_problem in clreduce.h")
    key = (what, x.dtype, kind, target, tuple(sorted(options.items())))
    plan = _plans.get(key)
    if plan is None:
        if kind is None and not getattr(what, "names_element", False):
            type_of(x.dtype, "x")
        with _lock:
            dtype = kind or (np.dtype(np.uint8) if x.dtype == np.bool_ else x.dtype)
            plan = _plans.get(key) or Plan(what, dtype, on=target, **options)
            while len(_plans) >= _KEPT:
                del _plans[next(iter(_plans))]
            _plans[key] = plan
    return plan


def clear() -> None:
    """Forgets all plans that functions such as sum() have kept. They are made again when they are needed."""
    _plans.clear()
    SHORT_WAYS.clear()


def target_for(on: Any, *elements: Any) -> Target:
    """Where a call runs: on the queue given, otherwise on that of the first PyOpenCL array."""
    for place in elements:
        if on is None and isinstance(place, Place):
            if place.queue is None:
                raise ArgumentError("x: the buffer or array has no queue; give on=queue")
            on = place.queue
    return target_of(on)


def _result_options(dtype: Any, element: np.dtype) -> dict:
    """Options for results of a dtype: integers of other widths, or floating numbers to compute in."""
    wanted = np.dtype(dtype)
    if wanted.kind == "f" and wanted.itemsize >= 4:
        return {"state": wanted.name}
    if wanted.kind in "iu" and element.kind in "iub":
        bits = "own" if wanted.itemsize == element.itemsize else {4: "32", 8: "64"}.get(wanted.itemsize)
        if bits and (wanted.kind == "i") == (element.kind == "i"):
            return {"result_bits": bits}
    raise TypeError(f"dtype: results over {element} cannot be {wanted}; give a type of the same sort with 32 or 64 "
                    "bits, or float32 or float64")


def _elements(x: Any, kind: Any, gaps: bool = False) -> "tuple[Elements, tuple, int]":
    """Elements, their shape and their number. A vector type takes the last axis."""
    taken = take(x, "x", kind, gaps and kind is None)
    element = dtype_of(type_of(kind, "type")) if isinstance(kind, str) else taken.dtype
    if taken.dtype not in (element, element.base) and not (taken.dtype == np.bool_ and element == np.uint8):
        raise TypeError(f"type: {kind} is no type of x, which has dtype {taken.dtype}; convert x")
    size = element.itemsize
    if size == taken.dtype.itemsize:
        return taken, taken.shape, taken.size
    lanes = size // taken.dtype.itemsize
    if len(taken.shape) < 2 or taken.shape[-1] * taken.dtype.itemsize != size:
        raise ArgumentError(f"type: the last axis of x has no {lanes} numbers for one {kind}; reshape x")
    return taken, taken.shape[:-1], taken.size // lanes


def _layout(count: int, x: Elements, segments: Any, keys: Any) -> Layout:
    if segments is None and keys is None:
        return line(count, getattr(x, "stride", 1))
    if getattr(x, "stride", 1) != 1:
        raise ArgumentError("x: has gaps between its elements; leave out segments and keys, or give a copy")
    return in_segments(segments, count) if segments is not None else in_runs(keys, count)


def _layout_options(layout: Layout, scan: bool) -> dict:
    options: dict = {} if layout.name == "line" else {"layout": layout.name}
    if layout.segments is not None:
        name = layout.segments.dtype.name
        type_of(name, layout.name)  # refuses dtypes that no type has
        options["segment_type"] = "uint8" if name == "bool" else name
        if scan and layout.name == "keys":
            options["count_max"] = 1 << max(0, (layout.fields["count"] - 1).bit_length())
    return options


def _call(what: Any, x: Any, axis: Any, *, keepdims: bool = False, segments: Any = None, keys: Any = None,
          inputs: Any = (), parameters: Optional[Mapping] = None, initial: Any = None, out: Any = None,
          dtype: Any = None, type: Any = None, on: Any = None, **options: Any) -> Any:
    """One reduction or scan of any kind."""
    check_process()
    if keepdims and "scan" in options:
        raise TypeError("keepdims: a scan keeps all axes; leave it out")
    if sum(one is not None for one in (axis, segments, keys)) > 1:
        raise ArgumentError("axis, segments, keys: give one of them")
    what = tuple(what) if isinstance(what, list) else what
    elements, shape, count = _elements(x, type, axis is not None)
    target, back = target_for(on, elements), None
    if axis is None:
        layout = _layout(count, elements, segments, keys)
    else:
        elements, inputs, layout, shape, back = arrange(elements, inputs, shape, axis, keepdims, "scan" in options, out)
    if dtype is not None:
        options.update(_result_options(dtype, elements.dtype))
    options.update(_layout_options(layout, "scan" in options))
    if out is x and x is not None and back is None:
        options["in_place"] = 1
    plan = plan_for(what, elements, target, options, type)
    given = plan.given(count, inputs, parameters, initial)
    if layout.name == "line":
        result = run_line(plan, elements, count, given, out)
    else:
        result = run_layout(plan, elements, layout, shape, given, None if back else out)
    if back is not None:
        return restore(result, back, out)
    if keepdims and axis is None and out is None and layout.name in ("line", "strided"):
        return np.asarray(result).reshape((1,) * len(shape))
    return result


def reduce(op: Any, x: Any, axis: Any = None, *, keepdims: bool = False, dtype: Any = None, inputs: Any = (),
           parameters: Optional[Mapping] = None, segments: Any = None, keys: Any = None, out: Any = None,
           type: Any = None, on: Any = None, **options: Any) -> Any:
    """The reduction of `x` by an operator.

    op          a name ("sum", "argmin", "stats", ...: docs/numerics.md), a list of names (one reading of the elements;
                the result has a part for each), or an Operator
    x           a NumPy array, anything with __array_interface__ or DLPack in host memory, or a PyOpenCL array or
                buffer; C-contiguous unless axis is given
    axis        a number or a tuple of numbers; None: all elements as one row
    keepdims    reduced axes stay, with length 1
    dtype       of results: integers with 32 or 64 bits, or float32 or float64 to compute in
    inputs      the operator's further inputs: a list, or a dict by name
    parameters  values of the operator's parameters, by name
    segments    offsets; row i has the elements from segments[i] to segments[i + 1] - 1
    keys        one key per element: each run of equal keys is a row. Returns the keys and the results
    out         a NumPy or PyOpenCL array that gets the results
    type        the type of elements in a pyopencl.Buffer, such as "float32"; or a vector, such as "float4"
    on          a Device, its index or name, or a PyOpenCL queue
    options     fields of clred_problem: nan="ignore", order="any", overflow="detect", strategy="wide", ...

    Returns a NumPy scalar or array. Operators with several parts return structs: reduce("minmax", x)["max"]."""
    return _call(op, x, axis, keepdims=keepdims, dtype=dtype, inputs=inputs, parameters=parameters, segments=segments,
                 keys=keys, out=out, type=type, on=on, **options)


def scan(op: Any, x: Any, axis: Any = None, *, exclusive: bool = False, reversed: bool = False, initial: Any = None,
         dtype: Any = None, inputs: Any = (), parameters: Optional[Mapping] = None, segments: Any = None,
         keys: Any = None, out: Any = None, type: Any = None, on: Any = None, **options: Any) -> Any:
    """The scan of `x`: result i is the combination of elements 0 to i. As reduce(), and:

    exclusive   result i is the combination of elements 0 to i - 1
    reversed    from the last element to the first
    initial     a state before the first element
    out         may be `x` itself if results have the size of elements

    The scan of a PyOpenCL array is a PyOpenCL array. Without an axis the result has one dimension."""
    if reversed:
        options["reversed"] = 1
    return _call(op, x, axis, scan="exclusive" if exclusive else "inclusive", initial=initial, dtype=dtype,
                 inputs=inputs, parameters=parameters, segments=segments, keys=keys, out=out, type=type, on=on,
                 **options)


def select(x: Any, keep: Any, *, indices: bool = False, inputs: Optional[Mapping] = None,
           parameters: Optional[Mapping] = None, preamble: Optional[str] = None, element: Any = None, out: Any = None,
           type: Any = None, on: Any = None, **options: Any) -> Any:
    """The elements of `x` that satisfy a predicate in OpenCL C, in their order, in one dimension. The predicate uses
    `x`, `index`, and the names of inputs and parameters.

    >>> select(prices, "x > limit && index % 2 == 0", parameters={"limit": numpy.float32(10)})

    `keep` may also be a Selection, whose operands have types. indices: the positions of kept elements instead."""
    check_process()
    elements, _, count = _elements(x, type)
    if not isinstance(keep, Selection):
        keep = Selection(keep, preamble=preamble, element=element, inputs=_types_of(inputs, elements.dtype),
                         parameters=_types_of(parameters, elements.dtype))
    if indices:
        options["indices"] = 1
    if getattr(elements, "stride", 1) != 1:
        raise ArgumentError("x: has gaps between its elements; give a copy")
    plan = plan_for(keep, elements, target_for(on, elements), options, type)
    kept = run_line(plan, elements, count, plan.given(count, inputs or (), parameters), out)
    return kept.view(np.int64) if indices and out is None else kept


def _types_of(values: Optional[Mapping], element: np.dtype) -> dict:
    """The types of operands from their values. A float of Python is a float beside elements of 32 bits or fewer."""
    found = {}
    for name, value in (values or {}).items():
        dtype = getattr(value, "dtype", None)
        if dtype is None:
            dtype = np.asarray(value).dtype
            if dtype == np.float64 and element.kind == "f" and element.itemsize <= 4:
                dtype = np.dtype(np.float32)
        found[name] = dtype
    return found


def histogram(x: Any, bins: Any = 10, range: Optional[tuple] = None, *, type: Any = None, on: Any = None,
              **options: Any) -> "tuple[np.ndarray, np.ndarray]":
    """Counts the elements of `x` in bins, as numpy.histogram does: returns the counts and the edges. `bins` is a number
    of equal bins, or their increasing edges. Without `range` the bins reach from the least element to the greatest."""
    check_process()
    elements, _, count = _elements(x, type)
    target = target_for(on, elements)
    if getattr(elements, "stride", 1) != 1:
        raise ArgumentError("x: has gaps between its elements; give a copy")
    if range is not None and len(range) != 2:
        raise ArgumentError(f"range: give the first and the last edge; there are {len(range)} numbers")
    if np.ndim(bins) == 0 and range is None:
        range = _range_of(elements, count, target, type)
    what = Histogram(bins, *((None, None) if range is None else range))
    plan = plan_for(what, elements, target, options, type)
    counts = run_line(plan, elements, count, plan.given(count), None)
    return counts.view(np.int64), plan_edges(plan)


def _range_of(elements: Elements, count: int, target: Target, kind: Any) -> tuple:
    if count == 0:
        return 0.0, 1.0
    plan = plan_for("minmax", elements, target, {}, kind)
    ends = run_line(plan, elements, count, plan.given(count), None)
    low, high = float(ends["min"]), float(ends["max"])
    if not (np.isfinite(low) and np.isfinite(high)):
        raise ArgumentError(f"x: has elements from {low} to {high}, so bins cannot reach from end to end; give range")
    return (low, high) if low < high else (low - 0.5, high + 0.5)


def plan_edges(plan: Plan) -> np.ndarray:
    """The edges of a histogram's bins, as the plan rounds them."""
    edges, edge = np.empty(plan.what.bins + 1), ffi.new("double *")
    for index in builtins.range(edges.size):
        lib.clred_plan_edge(plan._pointer, index, edge)
        edges[index] = edge[0]
    return edges
