"""Rows along axes of an array. The library reads them in place if one step leads along each row, and one or two
steps lead from row to row. Otherwise it reads a copy."""
import math
from typing import Any, Mapping, NamedTuple, Optional, Union

import numpy as np

from ._arrays import (Elements, Place, gather, has_gaps, is_of_pyopencl, merged, ndarray, steps_of, take,
                      take_out)
from ._library import ArgumentError
from ._run import Layout

_SPARSE = 2  # arrays of the host that span more memory than this times their elements are copied


class Arranged(NamedTuple):
    """What a call reads, and what its results need."""
    elements: Elements
    inputs: Any
    layout: Layout
    shape: tuple               # of the elements that are read
    back: Optional[tuple] = None  # the order of the results' axes in the caller's view; None: as they are


def axes_of(axis: Any, dimensions: int) -> tuple:
    """Increasing axes."""
    found = []
    for one in axis if isinstance(axis, tuple) else (axis,):
        if isinstance(one, bool) or not isinstance(one, (int, np.integer)):
            raise TypeError(f"axis: {axis!r} is not an axis; give a number, or a tuple of numbers")
        if not -dimensions <= one < dimensions:
            raise ArgumentError(f"axis: {one} is out of range; the array has {dimensions} dimensions")
        found.append(int(one) % dimensions)
    if len(set(found)) < len(found):
        raise ArgumentError(f"axis: {axis} has an axis twice; give each once")
    return tuple(sorted(found))


def _strides(x: Elements, shape: tuple) -> Optional[tuple]:
    """The steps along the axes, in elements; None if they are not whole numbers."""
    if x.size == 0 or not has_gaps(x):
        return steps_of(shape)
    if isinstance(x, Place):
        return x.strides
    size = x.itemsize
    return None if any(step % size for step in x.strides) else tuple(step // size for step in x.strides)


def _fields(rows: list, row: list) -> "Optional[tuple[str, dict]]":
    """The layout that reads elements in place, and the fields of the call. `rows` are the axes from row to row, `row`
    those along a row, as pairs of length and step. None if no layout fits."""
    if len(row) > 1 or len(rows) > 2 or any(step <= 0 for _, step in rows + row):
        return None
    count, stride = row[0] if row else (1, 1)
    number, step = rows[-1] if rows else (1, count)
    if count == 1 and len(rows) == 1 and step == 1:  # each element is a row, which is faster as a column
        return "columns", {"count": 1, "stride": number, "rows": 1, "row_stride": number, "columns": number}
    if stride == 1 and len(rows) < 2:
        return "rows", {"count": count, "stride": 1, "rows": number, "row_stride": step, "columns": 1}
    if not rows:
        return "strided", {"count": count, "stride": stride}
    if step != 1:
        return None
    blocks, apart = rows[0] if len(rows) == 2 else (1, count * stride)
    return "columns", {"count": count, "stride": stride, "rows": blocks, "row_stride": apart, "columns": number}


def _rows(shape: tuple, kept: tuple, axes: tuple) -> "tuple[str, dict]":
    """The layout of contiguous rows, and the fields of the call."""
    count, rows = (math.prod(shape[axis] for axis in some) for some in (axes, kept))
    return "rows", {"count": count, "stride": 1, "rows": rows, "row_stride": count, "columns": 1}


def _in_place(x: Elements, spread: list) -> Optional[Elements]:
    """All memory from the first element to the last, as one line; None if the elements are too sparse in it."""
    if isinstance(x, Place) or not has_gaps(x):
        return x
    span = 1 + sum((length - 1) * step for length, step in spread)
    if span > _SPARSE * x.size:
        return None
    return np.lib.stride_tricks.as_strided(x, (span,), (x.itemsize,), writeable=False)


def copy_of(x: Elements, order: tuple) -> Elements:
    if order == tuple(range(len(x.shape))) and not has_gaps(x):
        return x
    return gather(x, order) if isinstance(x, Place) else np.ascontiguousarray(x.transpose(order))


def copy_inputs(inputs: Any, x: Elements, order: tuple) -> Any:
    """Inputs in the order of the elements that are read. An input of another size stays as it is; it is refused later.
    """
    if isinstance(inputs, Mapping):
        return dict(zip(inputs, copy_inputs(list(inputs.values()), x, order)))
    return [_copy_input(value, f"inputs[{index}]", x, order) for index, value in enumerate(inputs)]


def _copy_input(value: Any, argument: str, x: Elements, order: tuple) -> Any:
    if not hasattr(value, "base_data") and hasattr(value, "int_ptr"):
        return value  # a buffer has no shape
    taken = take(value, argument, gaps="kept")
    if taken.size == x.size and not isinstance(taken, Place):
        taken = taken.reshape(x.shape)
    if taken.shape != x.shape:
        return value
    copied = copy_of(taken, order)
    return copied.owner if isinstance(copied, Place) else copied


def arrange(x: Elements, inputs: Any, shape: tuple, axis: Any, keepdims: bool, scan: bool, out: Any) -> Arranged:
    """Rows along one axis or several. The elements of a row follow each other as in a C-ordered array."""
    axes = axes_of(axis, len(shape))
    kept = tuple(one for one in range(len(shape)) if one not in axes)
    results = tuple(1 if one in axes else length for one, length in enumerate(shape) if keepdims or one not in axes)
    if x.size == 0:
        return Arranged(x, inputs, Layout(*_rows(shape, kept, axes), results), shape)
    return _arrange_in_place(x, inputs, shape, axes, kept, results, scan, keepdims or is_of_pyopencl(out)) or \
        _arrange_copy(x, inputs, shape, axes, kept, results, scan)


def _arrange_in_place(x: Elements, inputs: Any, shape: tuple, axes: tuple, kept: tuple, results: tuple, scan: bool,
                      keeps_order: bool) -> Optional[Arranged]:
    """Rows that the library reads in place; None if it cannot. The results may then have another order of axes, which
    restore() corrects; not if `keeps_order`."""
    strides, plain = _strides(x, shape), not has_gaps(x)
    if strides is None or (not plain and (scan or len(inputs))):  # these have the stride of the elements
        return None
    order = kept if plain or keeps_order else tuple(sorted(kept, key=lambda one: -strides[one]))
    rows, row = (merged([(shape[one], strides[one]) for one in some]) for some in (order, axes))
    found = _fields(rows, row)
    elements = _in_place(x, rows + row) if found else None
    if found is None or elements is None:
        return None
    if order == kept:
        return Arranged(elements, copy_inputs(inputs, x, tuple(range(len(x.shape)))), Layout(*found, results), shape)
    return Arranged(elements, inputs, Layout(*found, tuple(shape[one] for one in order)), shape,
                    tuple(order.index(one) for one in kept))


def _arrange_copy(x: Elements, inputs: Any, shape: tuple, axes: tuple, kept: tuple, results: tuple,
                  scan: bool) -> Arranged:
    """A copy in which the rows are contiguous."""
    order = kept + axes
    if len(order) != len(x.shape):
        raise ArgumentError("type: axes of vectors must be neighbours; reduce along one after the other")
    back = tuple(order.index(one) for one in range(len(order))) if scan else None
    return Arranged(copy_of(x, order), copy_inputs(inputs, x, order), Layout(*_rows(shape, kept, axes), results),
                    tuple(shape[one] for one in order), back)


def restore(result: Any, back: tuple, out: Any) -> Any:
    """Results with their axes in the caller's order; written to `out`, if it is given."""
    if isinstance(result, ndarray):
        moved = result.transpose(back)
        if out is None:
            return moved
        place: Union[ndarray, Place] = take_out(out, "out", moved.dtype, moved.shape)
        place[...] = moved
        return out
    place = take(result, "result")
    dtype, shape = place.dtype, tuple(place.shape[one] for one in back)
    return gather(place, back, None if out is None else take_out(out, "out", dtype, shape)).owner
