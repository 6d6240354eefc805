"""Calls that find or make the plan they need; select() and histogram()."""
import builtins
import math
import reprlib
import threading
from typing import Any, Callable, Mapping, Optional

import numpy as np

from ._arrays import Elements, Place, fetched, gather, ndarray, take
from ._axes import arrange, restore
from ._devices import SHORT_WAYS, Target, target_of
from ._library import ArgumentError, check_process, ffi, lib
from ._plan import Plan
from ._run import Layout, in_runs, in_segments, is_on_device, line, run_layout, run_line
from ._texts import Histogram, Selection
from ._types import dtype_of, type_of

_KEPT = 256  # plans
_RESERVED = ("op", "dtype", "on", "self")
_plans: dict = {}
_lock = threading.RLock()


def plan_for(what: Any, x: Elements, target: Target, options: Mapping, kind: Any = None) -> Plan:
    """The plan of a problem: one of the latest plans, or a new one."""
    for name, value in options.items():
        if name in _RESERVED or not isinstance(value, (str, int, float, np.generic, type(None))):
            raise TypeError(f"{name}: {reprlib.repr(value)} is not an option of a plan; options are texts and numbers "
                            "for fields of clred_problem in clreduce.h")
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


def _result_options(dtype: np.dtype, element: np.dtype) -> Optional[dict]:
    """Options of a plan that give results of a dtype: the width of integers, or the floating type of the computation.
    None: there are no such options, so elements must be converted first, as NumPy does."""
    if dtype.kind == "f" and element.kind != "c" and (dtype.itemsize == 8 or (
            dtype.itemsize == 4 and element.kind == "f" and element.itemsize <= 4)):
        return {"state": dtype.name}
    if dtype.kind in "iu" and element.kind in "iub" and (dtype.kind == "i") == (element.kind == "i"):
        bits = "own" if dtype.itemsize == element.itemsize else {4: "32", 8: "64"}.get(dtype.itemsize)
        return {"result_bits": bits} if bits and dtype.itemsize >= element.itemsize else None
    return {} if dtype.kind == "c" and dtype == element else None


def _for_dtype(elements: Elements, dtype: Any, options: dict) -> Elements:
    """Sets the options for results of a dtype. Returns the elements, or a copy of another dtype."""
    for name in ("state", "result_bits"):
        if name in options:
            raise ArgumentError(f"dtype, {name}: give one of them")
    wanted, element = np.dtype(dtype), elements.dtype
    found = _result_options(wanted, element)
    if found is None:
        known = wanted.kind in "iuc" or (wanted.kind == "f" and wanted.itemsize in (4, 8))
        integers = wanted.kind in "iu" and element.kind in "iu"
        if not known or not (integers or np.can_cast(element, wanted, "same_kind")):
            raise TypeError(f"dtype: results over {element} cannot be {wanted}; give a type of the same sort: integers "
                            "for integers, float32 or float64, complex64 or complex128 for all")
        if isinstance(elements, Place) and not hasattr(elements.owner, "base_data"):
            raise TypeError(f"dtype: results over a buffer of {element} cannot be {wanted}; give an array")
        if not isinstance(elements, ndarray) and elements.queue is None:
            raise ArgumentError(f"dtype: x has no queue to copy it to {wanted}; give an array of {wanted}")
        elements = elements.astype(wanted) if isinstance(elements, ndarray) else gather(
            elements, tuple(range(len(elements.shape))), dtype=wanted)
        found = {"result_bits": "own"} if wanted.kind in "iu" else {}
    options.update(found)
    return elements


def _elements(x: Any, kind: Any, gaps: str = "copied") -> "tuple[Elements, tuple, int]":
    """Elements, their shape and their number. If the type is a vector, the last axis is its components."""
    taken = take(x, "x", kind, "copied" if gaps == "kept" and kind is not None else gaps)
    element = dtype_of(type_of(kind, "type")) if isinstance(kind, str) else taken.dtype
    if taken.dtype not in (element, element.base) and not (taken.dtype == np.bool_ and element == np.uint8):
        raise TypeError(f"type: {kind} is not a type of x, which has dtype {taken.dtype}; convert x")
    size = element.itemsize
    if size == taken.dtype.itemsize:
        return taken, taken.shape, taken.size
    lanes = size // taken.dtype.itemsize
    if len(taken.shape) < 2 or taken.shape[-1] * taken.dtype.itemsize != size:
        raise ArgumentError(f"type: the last axis of x has no {lanes} numbers for one {kind}; reshape x")
    return taken, taken.shape[:-1], taken.size // lanes


def _gaps(x: Any, axis: Any, rows: bool, inputs: Any) -> str:
    """The argument `gaps` of take() for elements that are not C-ordered. Inputs must have the stride of the elements.
    """
    if axis is not None:
        return "kept"
    values = inputs.values() if isinstance(inputs, Mapping) else inputs
    alike = all(getattr(value, "strides", None) == getattr(x, "strides", 0) for value in values)
    return "stepped" if alike and not rows else "copied"


def _layout(count: int, x: Elements, segments: Any, keys: Any, kind: Any) -> Layout:
    if segments is None and keys is None:
        return line(count, getattr(x, "stride", 1))
    return in_segments(segments, count, kind) if segments is not None else in_runs(keys, count, kind)


def _layout_options(layout: Layout, scan: bool) -> dict:
    options: dict = {} if layout.name == "line" else {"layout": layout.name}
    if layout.segments is not None:
        name = layout.segments.dtype.name
        type_of(name, layout.name)  # refuses dtypes that no type has
        options["segment_type"] = "uint8" if name == "bool" else name
        if scan and layout.name == "keys":
            options["count_max"] = 1 << max(0, (layout.fields["count"] - 1).bit_length())
    return options


def _empty_rows(layout: Layout, target: Target) -> np.ndarray:
    """Which rows have no elements."""
    if layout.name == "segments":
        return np.diff(fetched(layout.segments, target.queue)) == 0  # type: ignore[arg-type]
    rows = 0 if layout.name == "keys" else math.prod(layout.shape)
    return np.full(rows, layout.fields["count"] == 0)


def refuse_pairs(axis: Any, segments: Any, keys: Any, keepdims: bool) -> None:
    """Refuses more than one of the arguments that decide what the rows are."""
    if sum(one is not None for one in (axis, segments, keys)) > 1:
        raise ArgumentError("axis, segments, keys: give one of them")
    if keepdims and (segments is not None or keys is not None):
        raise ArgumentError("keepdims: segments and keys reduce no axes; leave it out")


def one_call(what: Any, x: Any, axis: Any, *, keepdims: bool = False, segments: Any = None, keys: Any = None,
             inputs: Any = (), parameters: Optional[Mapping] = None, initial: Any = None, out: Any = None,
             dtype: Any = None, type: Any = None, on: Any = None, check: Optional[Callable] = None,
             **options: Any) -> Any:
    """One call of the library. `check` is called with an array that says which rows have no elements."""
    if keepdims and "scan" in options:
        raise TypeError("keepdims: a scan keeps all axes; leave it out")
    refuse_pairs(axis, segments, keys, keepdims)
    what = tuple(what) if isinstance(what, list) else what
    elements, shape, count = _elements(x, type, _gaps(x, axis, segments is not None or keys is not None, inputs))
    target, back, given_dtype = target_for(on, elements), None, elements.dtype
    if dtype is not None:
        elements = _for_dtype(elements, dtype, options)
        type = type if elements.dtype == given_dtype else None
    if axis is None:
        layout = _layout(count, elements, segments, keys, options.pop("segment_type", None))
    else:
        elements, inputs, layout, shape, back = arrange(elements, inputs, shape, axis, keepdims, "scan" in options, out)
    if check is not None:
        check(_empty_rows(layout, target))
    options.update(_layout_options(layout, "scan" in options))
    if out is x and x is not None and back is None and elements.dtype == given_dtype:
        options["in_place"] = 1
    others = inputs.values() if isinstance(inputs, Mapping) else inputs
    if layout.segments is None and not is_on_device(elements, out, *others):
        options["host_calls"] = 1
    plan = plan_for(what, elements, target, options, type)
    given = plan.given(count, inputs, parameters, initial, getattr(elements, "stride", 1))
    if layout.name == "line":
        result = run_line(plan, elements, count, given, out)
    else:
        result = run_layout(plan, elements, layout, shape, given, None if back else out)
    if back is not None:
        return restore(result, back, out)
    if keepdims and axis is None and out is None and layout.name in ("line", "strided"):
        return np.asarray(result).reshape((1,) * len(shape))
    return result


def select(x: Any, keep: Any, *, indices: bool = False, inputs: Optional[Mapping] = None,
           parameters: Optional[Mapping] = None, preamble: Optional[str] = None, element: Any = None, out: Any = None,
           type: Any = None, on: Any = None, **options: Any) -> Any:
    """The elements of `x` that satisfy a predicate in OpenCL C, in their order, in one dimension. The predicate uses
    `x`, `index`, and the names of inputs and parameters.

    >>> select(prices, "x > limit && index % 2 == 0", parameters={"limit": numpy.float32(10)})

    `keep` may also be a Selection, which declares the types of its operands. With `indices` the result has the
    positions of the kept elements instead. The selection of a PyOpenCL array is a PyOpenCL array."""
    check_process()
    elements, _, count = _elements(x, type)
    if not isinstance(keep, Selection):
        keep = Selection(keep, preamble=preamble, element=element, inputs=_types_of(inputs, elements.dtype),
                         parameters=_types_of(parameters, elements.dtype))
    if indices:
        options["indices"] = 1
    plan = plan_for(keep, elements, target_for(on, elements), options, type)
    kept = run_line(plan, elements, count, plan.given(count, inputs or (), parameters), out)
    return kept.view(np.int64) if indices and out is None else kept


def _types_of(values: Optional[Mapping], element: np.dtype) -> dict:
    """The types of operands from their values. A Python float is a float32 if elements are float32 or float16."""
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
    of equal bins, or their increasing edges. Without `range` the bins reach from the smallest element to the largest.
    """
    check_process()
    elements, _, count = _elements(x, type)
    target = target_for(on, elements)
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
    plan = plan_for("minmax", elements, target, {} if is_on_device(elements) else {"host_calls": 1}, kind)
    ends = run_line(plan, elements, count, plan.given(count), None)
    low, high = float(ends["min"]), float(ends["max"])
    if not (np.isfinite(low) and np.isfinite(high)):
        raise ArgumentError(f"x: has elements from {low} to {high}, so bins cannot reach from the "
                            "smallest to the largest; give range")
    return (low, high) if low < high else (low - 0.5, high + 0.5)


def plan_edges(plan: Plan) -> np.ndarray:
    """A copy of the edges of a histogram's bins, as the plan rounds them."""
    if plan.edges is None:
        edges, edge = np.empty(plan.what.bins + 1), ffi.new("double *")
        for index in builtins.range(edges.size):
            lib.clred_plan_edge(plan._pointer, index, edge)
            edges[index] = edge[0]
        plan.edges = edges
    return plan.edges.copy()
