"""What the library cannot do in one call: `where`, `initial` of reductions, and quantiles of rows. The rows are copied
so that each is contiguous."""
import math
from typing import Any, Mapping, NamedTuple, Optional

import numpy as np

from ._arrays import Elements, Place, fetched, is_of_pyopencl, ndarray, take_out
from ._axes import axes_of, copy_inputs, copy_of
from ._calls import _elements, one_call, refuse_pairs, select, target_for
from ._devices import Target
from ._library import ArgumentError, ResultsError
from ._run import in_segments
from ._types import op_of

_BEGUN = {op_of(name) for name in ("sum", "prod", "min", "max", "and", "or", "xor")}
_INDEXED = {op_of(name) for name in ("argmin", "argmax", "argminmax", "stats")}
_TO_BEGIN = ("nan", "overflow")  # options that the second call, which joins the values, has, too


class Rows(NamedTuple):
    """Row i has the elements from offsets[i] to offsets[i + 1] - 1."""
    elements: Elements          # C-ordered
    source: Elements            # the caller's
    order: tuple                # of the axes of `source` in `elements`
    offsets: np.ndarray         # int64
    shape: tuple                # of one result for each row
    axes: tuple                 # that are reduced
    keys: Optional[np.ndarray]  # of runs
    target: Target


def _checked(offsets: np.ndarray, count: int) -> np.ndarray:
    signed = offsets.astype(np.int64)
    wrong = (signed < 0) | (signed > count) | (np.diff(signed, prepend=0) < 0)
    if wrong.any():
        first = int(np.argmax(wrong))
        raise ResultsError(f"segments: {offsets[first]} at index {first} is wrong; offsets do not decrease, and reach "
                           f"at most {count}, the number of elements")
    return signed


def rows_of(x: Any, axis: Any = None, *, keepdims: bool = False, segments: Any = None, keys: Any = None,
            type: Any = None, on: Any = None, segment_type: Any = None, **unknown: Any) -> Rows:
    for name in unknown:
        raise TypeError(f"{name}: no such argument of quantiles and of top; docs/python.md lists all")
    refuse_pairs(axis, segments, keys, keepdims)
    source, shape, count = _elements(x, type, "kept")
    if len(shape) < len(source.shape):
        raise ArgumentError("type: elements are vectors, and these have no quantiles and no where; give numbers")
    target, found = target_for(on, source), None
    axes = tuple(range(len(shape))) if axis is None else axes_of(axis, len(shape))
    kept = tuple(one for one in range(len(shape)) if one not in axes)
    results = tuple(1 if one in axes else length for one, length in enumerate(shape) if keepdims or one not in axes)
    if segments is not None:
        taken = in_segments(segments, count, segment_type).segments
        offsets = _checked(fetched(taken, target.queue), count)  # type: ignore[arg-type]
        results = (offsets.size - 1,)
    elif keys is not None:
        options = {} if segment_type is None else {"segment_type": segment_type}
        found, counts = one_call("count_nonzero", np.ones(count, np.uint8), None, keys=keys, on=target, **options)
        offsets = np.concatenate(([0], np.cumsum(counts))).astype(np.int64)
        results = (offsets.size - 1,)
    else:
        offsets = np.arange(math.prod(shape[one] for one in kept) + 1) * math.prod(shape[one] for one in axes)
    return Rows(copy_of(source, kept + axes), source, kept + axes, offsets, results, axes, found, target)


# ---------------------------------------------------------------- where

def _flags(where: Any, rows: Rows) -> np.ndarray:
    """A truth value for each element, in the order of the rows."""
    flags = np.asarray(where.get() if hasattr(where, "base_data") else where)
    if flags.dtype != np.bool_ and not (hasattr(where, "base_data") and flags.dtype.itemsize == 1):
        raise TypeError(f"where: has dtype {flags.dtype}; give truth values")
    shape = rows.source.shape
    try:
        flags = np.broadcast_to(flags.astype(np.bool_), shape)
    except ValueError:
        raise ArgumentError(f"where: has the shape {flags.shape}, and x has {shape}; give one that can be broadcast "
                            "to it") from None
    return flags.transpose(rows.order).reshape(-1)


def _kept(x: Any, flags: np.ndarray, argument: str, target: Target) -> Any:
    """The elements with true flags; on the device, if the elements are there."""
    if isinstance(x, ndarray) or not is_of_pyopencl(x):
        x = np.asarray(x).reshape(-1)
        if x.size != flags.size:
            raise ArgumentError(f"{argument}: has {x.size} elements, and x has {flags.size}; give as many")
        return x[flags]
    if not hasattr(x, "base_data"):
        raise TypeError(f"{argument}: is a buffer, and where needs an array; give a pyopencl.array.Array")
    return select(x, "m", inputs={"m": flags}, on=target)


def masked(what: Any, x: Any, axis: Any, where: Any, *, keepdims: bool = False, segments: Any = None, keys: Any = None,
           inputs: Any = (), out: Any = None, type: Any = None, on: Any = None, **arguments: Any) -> Any:
    """A reduction of the elements that `where` keeps. One row becomes x[where]; several rows become segments."""
    for name in what if isinstance(what, (list, tuple)) else (what,):
        if isinstance(name, str) and op_of(name) in _INDEXED:
            raise ArgumentError(f"where: {name} has indices, which would count only what is kept; leave it out")
    rows = rows_of(x, axis, keepdims=keepdims, segments=segments, keys=keys, type=type, on=on,
                   segment_type=arguments.pop("segment_type", None))
    flags = _flags(where, rows)
    values = copy_inputs(inputs, rows.source, rows.order)
    names = list(values) if isinstance(values, Mapping) else range(len(values))
    kept = [_kept(values[name], flags, f"inputs[{name!r}]", rows.target) for name in names]
    arguments.update(inputs=dict(zip(names, kept)) if isinstance(values, Mapping) else kept, on=rows.target)
    elements = rows.elements.owner if isinstance(rows.elements, Place) else rows.elements
    elements = _kept(elements, flags, "x", rows.target)
    if axis is None and segments is None and keys is None:
        result = one_call(what, elements, None, out=out, **arguments)
        return result if out is not None or not keepdims else np.asarray(result).reshape(rows.shape)
    offsets = np.concatenate(([0], np.cumsum(flags)))[rows.offsets].astype(np.uint64)
    if out is not None and keys is None and out.shape != rows.shape:
        raise ArgumentError(f"out: has the shape {out.shape}, and the results have {rows.shape}; give an array of that "
                            "shape")
    room = None if out is None else out.reshape(-1)[:offsets.size - 1]
    result = one_call(what, elements, None, segments=offsets, out=room, **arguments)
    if keys is not None:
        return rows.keys, result
    return out if out is not None else result.reshape(rows.shape)


# ---------------------------------------------------------------- Values that rows begin with, and empty rows

def fitting(value: Any, dtype: np.dtype, argument: str) -> np.ndarray:
    """A value as a dtype. Refused if an integer dtype cannot hold it."""
    made = np.asarray(value)
    if made.ndim or made.dtype.kind not in "biufc" or (made.dtype.kind == "c" and dtype.kind != "c"):
        raise TypeError(f"{argument}: {value!r} is not a number for results of {dtype}; give a number")
    if dtype.kind in "iub" and (made != made or made.item() in (math.inf, -math.inf) or
                                made.item() != made.astype(dtype).item()):
        raise ArgumentError(f"{argument}: {dtype} cannot hold {value!r}; give a value that it can hold")
    return made.astype(dtype)


def begun(what: Any, x: Any, axis: Any, initial: Any, out: Any, where: Any = None, **arguments: Any) -> Any:
    """A reduction with `initial`: a second call joins this value with the result of each row."""
    if not isinstance(what, str) or op_of(what) not in _BEGUN:
        raise ArgumentError(f"initial: rows of {what} do not begin with a value; leave it out")
    if out is not None and is_of_pyopencl(out):
        raise ArgumentError("initial: cannot be joined with results on the device; leave out `out`")
    if arguments.get("overflow") == "detect":
        raise ArgumentError("initial, overflow: results say whether they overflowed, and cannot be joined; give one")
    result = masked(what, x, axis, where, **arguments) if where is not None else one_call(what, x, axis, **arguments)
    values = result[1] if isinstance(result, tuple) else result
    first = np.broadcast_to(fitting(initial, values.dtype, "initial"), np.shape(values))
    options = {name: arguments[name] for name in _TO_BEGIN if name in arguments}
    on = arguments.get("on") if arguments.get("on") is not None else getattr(x, "queue", None)
    values = one_call(what, np.stack([first, values], -1), -1, dtype=values.dtype, on=on, **options)
    if out is not None:
        room = out[:values.size] if isinstance(result, tuple) else out
        take_out(room, "out", values.dtype, values.shape)
        room[...] = values
        values = room
    return (result[0], values) if isinstance(result, tuple) else values


def refuse_empty(name: str, hint: str, bad: np.ndarray, why: str = "no elements") -> None:
    """Refuses rows that have no result."""
    rows = np.flatnonzero(bad)
    if rows.size:
        where = f"row {rows[0]} " if bad.size > 1 else ""
        raise ArgumentError(f"x: {where}has {why}, and {name} of none is not defined; give empty=VALUE{hint}")


def fill(result: Any, bad: np.ndarray, empty: Any) -> Any:
    """Replaces the results of empty rows by the value `empty`."""
    if not bad.any():
        return result
    if not isinstance(result, (np.generic, ndarray)):
        raise ArgumentError("empty: the results are on the device, where empty rows cannot be filled; leave out `out`")
    for dtype in [result.dtype[name] for name in result.dtype.names or ()] or [result.dtype]:
        fitting(empty, dtype, "empty")
    filled = np.asarray(result)
    filled[bad.reshape(filled.shape)] = empty
    return filled[()] if isinstance(result, np.generic) else result
