"""Calls that find or make the plan they need; select() and histogram()."""
import builtins
import math
import reprlib
import threading
from typing import Any, Callable, Mapping, Optional

import numpy as np

from ._arrays import Elements, Place, fetched, gather, ndarray, take
from ._axes import arrange, restore
from ._devices import SHORT_WAYS, SORTERS, Target, target_of
from ._library import ArgumentError, check_process, ffi, lib
from ._plan import Plan
from ._run import Layout, in_runs, in_segments, is_on_device, line, run_layout, run_line
from ._texts import Histogram, Selection
from ._types import dtype_of, type_of

_KEPT = 256  # plans
_RESERVED = ("op", "dtype", "on", "self")
_ONE = (int, np.integer, str)  # the bins of all axes; a string is refused later
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
    """Forgets all plans and sorters that functions such as sum() have kept. Later calls make them again."""
    _plans.clear()
    SORTERS.clear()
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


def histogram(x: Any, bins: Any = 10, range: Optional[tuple] = None, *, weights: Any = None, density: bool = False,
              type: Any = None, on: Any = None, **options: Any) -> "tuple[np.ndarray, np.ndarray]":
    """Counts the elements of `x` in bins, as numpy.histogram does: returns the counts and the edges. `bins` is a number
    of equal bins, or their increasing edges. Without `range` the bins reach from the smallest element to the largest.
    With `weights` the bins have the sums of the weights of their elements; sums of floats are exact and rounded once.
    `density` divides by the widths of the bins and by the total."""
    found, edges = _histogram([x], [bins], [range], weights, density, type, on, options)
    return found, edges[0]


def histogram2d(x: Any, y: Any, bins: Any = 10, range: Any = None, *, weights: Any = None, density: bool = False,
                type: Any = None, on: Any = None, **options: Any) -> "tuple[np.ndarray, np.ndarray, np.ndarray]":
    """Counts pairs of elements of `x` and `y` in bins, as numpy.histogram2d does: returns the counts and the edges of
    both axes. `bins` is a number or an array of edges for both axes, or a pair of these. See histogram()."""
    both = [bins, bins] if isinstance(bins, _ONE) or len(bins) not in (1, 2) else list(bins) * (3 - len(bins))
    found, edges = _histogram([x, y], both, range, weights, density, type, on, options)
    return found, edges[0], edges[1]


def histogramdd(sample: Any, bins: Any = 10, range: Any = None, *, weights: Any = None, density: bool = False,
                type: Any = None, on: Any = None, **options: Any) -> "tuple[np.ndarray, tuple]":
    """Counts points in bins of one to three axes, as numpy.histogramdd does: returns the counts, and a tuple of the
    edges of each axis. `sample` has a row for each point, or is a list of arrays, one for each axis. `bins` is a number
    of bins for all axes, or a list with a number or edges for each. See histogram()."""
    if hasattr(sample, "shape"):
        sample = [sample] if len(sample.shape) == 1 else [sample[:, axis] for axis in builtins.range(sample.shape[1])]
    bins = [bins] * len(sample) if isinstance(bins, _ONE) else list(bins)
    return _histogram(list(sample), bins, range, weights, density, type, on, options)


def bincount(x: Any, weights: Any = None, minlength: int = 0, *, type: Any = None, on: Any = None,
             **options: Any) -> np.ndarray:
    """How often each of the integers 0, 1, 2, ... is in `x`, as numpy.bincount does. With `weights`, which become
    doubles: the sums of the weights of these elements, exact and rounded once."""
    check_process()
    x = np.zeros(0, np.int64) if isinstance(x, (list, tuple)) and not x else x
    elements, shape, count = _elements(x, type)
    if elements.dtype.kind not in "iub" or len(shape) != 1:
        raise TypeError(f"x: has dtype {elements.dtype} and the shape {shape}; give integers in one dimension")
    if minlength < 0:
        raise ArgumentError(f"minlength: {minlength} is negative; give 0 or more")
    low, high = _ends_of(elements, count, target_for(on, elements), type) if count else (0, -1)
    if low < 0:
        raise ArgumentError(f"x: has the negative element {low}; give elements from 0 on")
    length = builtins.max(int(high) + 1, minlength)
    if weights is not None:
        weights = take(weights, "weights")
        if weights.dtype.kind == "c":
            raise TypeError(f"weights: {weights.dtype} cannot become float64; give real numbers")
        if weights.dtype != np.float64:
            weights = weights.astype(np.float64) if isinstance(weights, ndarray) else gather(
                weights, tuple(builtins.range(len(weights.shape))), dtype=np.dtype(np.float64)).owner
    if length == 0:
        return np.zeros(0, np.int64 if weights is None else np.float64)
    return _histogram([x], [length], [(0, length)], weights, False, type, on, options)[0]


def _histogram(samples: list, bins: list, ranges: Any, weights: Any, density: bool, kind: Any, on: Any,
               options: dict) -> "tuple[np.ndarray, tuple]":
    check_process()
    ranges = [None] * len(samples) if ranges is None else list(ranges)
    if not 1 <= len(samples) <= 3:
        raise ArgumentError(f"sample: there are {len(samples)} axes; give 1 to 3")
    for name, values in (("bins", bins), ("range", ranges)):
        if len(values) != len(samples):
            raise ArgumentError(f"{name}: there are {len(values)} for {len(samples)} axes; give one for each axis")
    if not any(hasattr(one, "base_data") or hasattr(one, "int_ptr") for one in samples) and len(samples) > 1:
        samples = [take(one, "x") for one in samples]
        samples = [one.astype(np.result_type(*samples), copy=False) for one in samples]
    elements, _, count = _elements(samples[0], kind)
    target, axes = target_for(on, elements), []
    for sample, of_axis, ends in zip(samples, bins, ranges):
        if ends is not None and len(ends) != 2:
            raise ArgumentError(f"range: give the first and the last edge; there are {len(ends)} numbers")
        if np.ndim(of_axis) == 0 and ends is None:
            axis, _, length = _elements(sample, kind)
            ends = _range_of(axis, length, target, kind)
        axes.append((of_axis, *((None, None) if ends is None else ends)))
    if weights is not None:
        weights = take(weights, "weights")
    what = Histogram(*axes[0], weights=None if weights is None else weights.dtype,
                     more=[Histogram(*axis) for axis in axes[1:]])
    plan = plan_for(what, elements, target, options, kind)
    inputs = samples[1:] + ([] if weights is None else [getattr(weights, "owner", weights)])
    found, edges = run_line(plan, elements, count, plan.given(count, inputs), None), plan_edges(plan)
    found = found if weights is not None else found.view(np.int64)
    if density:
        total = found.sum(dtype=np.float64)
        for axis, of_axis in enumerate(edges):
            found = found / np.diff(of_axis).reshape((-1,) + (1,) * (len(edges) - 1 - axis))
        found = found / total
    return found, edges


def _ends_of(elements: Elements, count: int, target: Target, kind: Any) -> tuple:
    plan = plan_for("minmax", elements, target, {} if is_on_device(elements) else {"host_calls": 1}, kind)
    ends = run_line(plan, elements, count, plan.given(count), None)
    return ends["min"], ends["max"]


def _range_of(elements: Elements, count: int, target: Target, kind: Any) -> tuple:
    if count == 0:
        return 0.0, 1.0
    low, high = (float(end) for end in _ends_of(elements, count, target, kind))
    if not (np.isfinite(low) and np.isfinite(high)):
        raise ArgumentError(f"x: has elements from {low} to {high}, so bins cannot reach from the "
                            "smallest to the largest; give range")
    return (low, high) if low < high else (low - 0.5, high + 0.5)


def plan_edges(plan: Plan) -> "tuple[np.ndarray, ...]":
    """Copies of the edges of each axis of a histogram, as the plan rounds them."""
    if plan.edges is None:
        edges, edge = np.empty(builtins.sum(plan.what.shape) + len(plan.what.shape)), ffi.new("double *")
        for index in builtins.range(edges.size):
            lib.clred_plan_edge(plan._pointer, index, edge)
            edges[index] = edge[0]
        plan.edges = edges
    return tuple(part.copy() for part in np.split(plan.edges, np.cumsum([bins + 1 for bins in plan.what.shape[:-1]])))
