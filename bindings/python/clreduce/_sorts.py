"""Sorts, and what follows from sorted elements: ranks, unique elements, and runs of equal elements."""
import math
import threading
from typing import Any, NamedTuple, Optional

import numpy as np

from ._arrays import Buffers, Elements, Place, fetched, gather, has_gaps, ndarray, take, take_out
from ._axes import axes_of, copy_of
from ._calls import select, target_for
from ._devices import SORTERS, Target, ask
from ._library import HEADER, NULL, ArgumentError, Calling, Handle, Owner, check_process, cl, fail, ffi, lib
from ._run import finish, is_on_device
from ._types import dtype_of, type_of, type_of_name

_KEPT = 16  # sorters
_LEAST = 1 << 17  # keys for which a sorter has room: a larger one needs no further trials of its program
_EXACT = 1 << 24  # up to here sorters have room for a power of two, so that few are made
_CONTEXT_OF_QUEUE = 0x1090
_KEYS, _PAIRS, _INDICES = range(3)  # clred_sort_form
_BFLOAT16 = type_of_name("bfloat16")
_lock = threading.RLock()


class Lines(NamedTuple):
    """What is sorted: each row is the last axis of `elements`, without gaps."""
    elements: Elements  # C-ordered
    source: Elements    # the caller's
    shape: tuple        # of `elements`
    back: tuple         # the axes of `shape`, in the order of the caller's axes
    kind: int           # clred_type
    target: Target
    count: int          # of the elements of a row
    rows: int           # 0: one row


def _lines(x: Any, argument: str, axis: Any, kind: Any, on: Any) -> Lines:
    source = take(x, argument, kind, "kept")
    number = type_of(kind or source.dtype, argument)
    if dtype_of(number) != source.dtype and source.dtype != np.bool_:
        raise TypeError(f"type: {kind} is not a type of {argument}, which has dtype {source.dtype}; convert {argument}")
    target, all_axes = target_for(on, source), tuple(range(len(source.shape)))
    if axis is None:
        return Lines(copy_of(source, all_axes), source, (source.size,), (0,), number, target, source.size, 0)
    axes = axes_of(axis, len(source.shape))
    if len(axes) != 1:
        raise ArgumentError(f"axis: {axis} has {len(axes)} axes, and a sort is along one; give a number")
    order = tuple(one for one in all_axes if one != axes[0]) + axes
    back, shape = tuple(order.index(one) for one in all_axes), tuple(source.shape[one] for one in order)
    rows = math.prod(shape[:-1])
    return Lines(copy_of(source, order), source, shape, back, number, target, shape[-1], rows if rows > 1 else 0)


# ---------------------------------------------------------------- Sorters

class _Sorter(Owner):
    """A clred_sorter. Any number of threads may use it."""

    def __init__(self, target: Target, kind: int, form: int, descending: bool, nans_first: bool, value_size: int,
                 layout: int, host_calls: bool, count_max: int):
        self.target, self.count_max, made = target, count_max, ffi.new("clred_sorter **")
        problem = ffi.new("clred_sort_problem *", {
            "type": kind, "form": form, "descending": descending, "nans_first": nans_first, "value_size": value_size,
            "layout": layout, "host_calls": host_calls, "count_max": count_max})
        self._check(lib.clred_sorter_create_v(HEADER, target.runtime.pointer, problem, made))
        self._handle = Handle(made[0], lib.clred_sorter_release, target.runtime)
        info = ffi.new("clred_sorter_info *")
        self._check(lib.clred_sorter_inspect_v(HEADER, self._pointer, info))
        # Bytes of an entry of `keys` and `keys_out`, and of `values` and `values_out`.
        self.sizes = {"k": dtype_of(kind).itemsize, "v": int(info.value_size)}

    def _check(self, status: int) -> None:
        if status:
            fail(status, self.target.runtime.pointer)

    def run_host(self, count: int, rows: int, memory: dict) -> None:
        """Sorts each row of host memory. `memory` has an array for each field of the call."""
        sources = {name: ffi.from_buffer(_bytes(array)) for name, array in memory.items()}
        call, handle = ffi.new("clred_sort_host_call *", {"count": count, "rows": rows, **sources}), self._held()
        with Calling():
            self._check(lib.clred_sorter_run_host_v(HEADER, self.target.queue, handle.pointer, call))

    def run_device(self, count: int, rows: int, memory: dict, waits: int, events: Any) -> None:
        """The same on the device. Waits. `memory` has the buffers, and their offsets in entries."""
        call, handle = ffi.new("clred_sort_call *", {"count": count, "rows": rows, **memory}), self._held()
        with Calling():
            try:
                self._check(lib.clred_enqueue_sort_v(HEADER, self.target.queue, handle.pointer, call, waits, events,
                                                     NULL))
            finally:
                finish(self)  # also after an error: a part of the call may run


def _bytes(array: np.ndarray) -> np.ndarray:
    """The memory of a C-ordered array. Python has no buffers of some dtypes, such as datetime64."""
    return array.reshape(-1).view(np.uint8)


def _sorter(lines: Lines, form: int, ordering: tuple, on_device: bool, value_size: int = 0) -> _Sorter:
    """The sorter of a problem: the latest one if it has room, or a new one. It keeps its memory until clear()."""
    layout = lib.CLRED_LAYOUT_LINE if lines.rows == 0 else lib.CLRED_LAYOUT_ROWS
    key = (lines.target, lines.kind, form, *ordering, value_size, layout, not on_device)
    count = max(lines.elements.size, min(_LEAST, _EXACT // (value_size + 8)))
    with _lock:
        found = SORTERS.get(key)
        if found is None or found.count_max < count:
            SORTERS.pop(key, None)  # frees its memory before the new one takes more
            del found
            while len(SORTERS) >= _KEPT:
                del SORTERS[next(iter(SORTERS))]
            found = SORTERS[key] = _Sorter(*key, count if count > _EXACT else 1 << (count - 1).bit_length())
    return found


def _ordering(descending: Any, nans: Any) -> "tuple[bool, bool]":
    if nans not in ("first", "last"):
        raise ArgumentError(f"nans: {nans!r} is unknown; give one of first, last")
    return bool(descending), nans == "first"


def _sort_rows(sorter: _Sorter, lines: Lines, **memory: Optional[Elements]) -> None:
    """Sorts each row and waits. `memory`: keys_out, values and values_out, C-ordered, on the host or the device."""
    given = {name: one for name, one in {"keys": lines.elements, **memory}.items() if one is not None}
    if not lines.elements.size:
        return
    if not is_on_device(*given.values()):
        sorter.run_host(lines.count, lines.rows, given)
        return
    with Buffers(sorter.target, ask(cl.clGetCommandQueueInfo, sorter.target.queue, _CONTEXT_OF_QUEUE,
                                    "cl_context")) as buffers:
        memory = {}
        for name, one in given.items():
            if isinstance(one, Place):
                memory[name], offset = buffers.read(one)
                memory[f"{name}_offset"] = offset * one.dtype.itemsize // sorter.sizes[name[0]]
            else:
                memory[name] = buffers.room(one.nbytes) if name.endswith("out") else buffers.read(_bytes(one))[0]
        sorter.run_device(lines.count, lines.rows, memory, *buffers.wait_list())
        for name, one in given.items():
            if name.endswith("out") and isinstance(one, ndarray):
                buffers.fetch(memory[name], _bytes(one))


# ---------------------------------------------------------------- Memory for results

def _checked_out(out: Any, dtype: np.dtype, shape: tuple, argument: str = "out") -> Optional[Elements]:
    """The caller's memory for results. A NumPy array may have gaps."""
    if isinstance(out, ndarray) and out.flags.writeable and not out.flags.c_contiguous:
        take_out(np.empty(out.shape, out.dtype), argument, dtype, shape)
        return out
    return None if out is None else take_out(out, argument, dtype, shape)


def _room(out: Any, place: Optional[Elements], source: Elements, shape: tuple, dtype: np.dtype, is_direct: bool,
          argument: str = "out") -> Elements:
    """Memory that a sort writes: `place` if `is_direct`, otherwise new memory where the results will be."""
    if place is not None and is_direct and (isinstance(place, Place) or not has_gaps(place)):
        return place
    owner = getattr(source, "owner", None) if out is None else out
    if isinstance(place, Place) and not hasattr(owner, "base_data"):
        raise TypeError(f"{argument}: a buffer takes only keys or values, along the last axis; give a "
                        "pyopencl.array.Array")
    if hasattr(owner, "base_data"):
        return take(type(owner)(owner.queue, shape, dtype, allocator=owner.allocator), argument)
    return np.empty(shape, dtype)


def _delivered(found: Elements, back: tuple, out: Any, place: Optional[Elements], dtype: np.dtype) -> Any:
    """The results in the caller's order of axes and with `dtype`; in `out`, if it is given."""
    if found is place:
        return out
    if isinstance(found, ndarray):
        moved = found.transpose(back)
        if out is None:
            return moved.astype(dtype, copy=False)
        out[...] = moved
        return out
    if place is None and found.dtype == dtype and back == tuple(range(len(back))):
        return found.owner
    return gather(found, back, place, dtype).owner  # type: ignore[arg-type]


# ---------------------------------------------------------------- Functions for users

def _sorted(form: int, x: Any, axis: Any, descending: bool, nans: str, out: Any, kind: Any, on: Any) -> Any:
    check_process()
    lines, ordering = _lines(x, "x", axis, kind, on), _ordering(descending, nans)
    dtype = lines.source.dtype if form == _KEYS else np.dtype(np.int64)
    place = _checked_out(out, dtype, tuple(lines.shape[one] for one in lines.back))
    sorter = _sorter(lines, form, ordering, is_on_device(lines.source, out))
    if form == _KEYS:
        room = _room(out, place, lines.source, lines.shape, dtype, lines.back == tuple(range(len(lines.back))))
        _sort_rows(sorter, lines, keys_out=room)
    else:  # the library's indices are unsigned
        room = _room(out, place, lines.source, lines.shape, np.dtype(f"u{sorter.sizes['v']}"), False)
        _sort_rows(sorter, lines, values_out=room)
    return _delivered(room, lines.back, out, place, dtype)


def sort(x: Any, axis: Any = -1, *, descending: bool = False, nans: str = "last", out: Any = None, type: Any = None,
         on: Any = None) -> Any:
    """The sorted elements along an axis, as numpy.sort; axis=None: all elements in one dimension. Sorts are stable,
    also if `descending`. `nans` is "last" or "first", also if `descending`. With out=x the sort is in place. type and
    on are as in reduce(). The result of a PyOpenCL array is a PyOpenCL array."""
    return _sorted(_KEYS, x, axis, descending, nans, out, type, on)


def argsort(x: Any, axis: Any = -1, *, descending: bool = False, nans: str = "last", out: Any = None, type: Any = None,
            on: Any = None) -> Any:
    """The index of each element in sorted order, as numpy.argsort with kind="stable": int64, from 0 in each row.
    Arguments are those of sort()."""
    return _sorted(_INDICES, x, axis, descending, nans, out, type, on)


def sort_pairs(keys: Any, values: Any, *, descending: bool = False, nans: str = "last", out: Optional[tuple] = None,
               type: Any = None, values_type: Any = None, on: Any = None) -> tuple:
    """The sorted keys, in one dimension, and the values in the order of their keys. Key i has the value values[i]: a
    number, a struct, or an array, of up to 65536 bytes. `out` is a pair of arrays for both results; either may be None.
    A pyopencl.Buffer of values needs values_type. Other arguments are those of sort()."""
    check_process()
    lines, ordering = _lines(keys, "keys", None, type, on), _ordering(descending, nans)
    if len(lines.source.shape) != 1:
        raise ArgumentError(f"keys: has {len(lines.source.shape)} dimensions, and pairs have one; use argsort")
    if values_type is None and hasattr(values, "int_ptr") and not hasattr(values, "base_data"):
        raise TypeError('values: a buffer has no type of its own; give values_type, such as values_type="float32"')
    outs = (None, None) if out is None else out
    if not isinstance(outs, (tuple, list)) or len(outs) != 2:
        raise TypeError("out: give a pair, of an array for the keys and an array for the values")
    taken = take(values, "values", values_type)
    if taken.shape[:1] != lines.shape:
        raise ArgumentError(f"values: has the shape {taken.shape}, and there are {lines.count} keys; give one value "
                            "for each key")
    lanes = math.prod(taken.shape[1:])
    if isinstance(taken, Place) and taken.offset % max(1, lanes):
        taken = gather(taken, tuple(range(len(taken.shape))))  # the library counts offsets in values
    sources, size = (lines.source, taken), taken.dtype.itemsize * lanes
    places = [_checked_out(outs[i], one.dtype, one.shape, f"out[{i}]") for i, one in enumerate(sources)]
    rooms = [_room(outs[i], places[i], one, one.shape, one.dtype,
                   getattr(places[i], "offset", 0) % max(1, (1, lanes)[i]) == 0, f"out[{i}]")
             for i, one in enumerate(sources)]
    sorter = _sorter(lines, _PAIRS, ordering, is_on_device(lines.source, taken, *outs), size)
    _sort_rows(sorter, lines, keys_out=rooms[0], values=taken, values_out=rooms[1])
    return tuple(_delivered(room, tuple(range(len(room.shape))), outs[i], places[i], room.dtype)
                 for i, room in enumerate(rooms))


# ---------------------------------------------------------------- Equal elements

def _begins(keys: np.ndarray, kind: int, equal_nan: bool = True) -> np.ndarray:
    """True for each element that differs from the element before it in its row."""
    if kind == _BFLOAT16:
        keys = (keys.astype(np.uint32) << 16).view(np.float32)
    found, left, right = np.ones(keys.shape, np.bool_), keys[..., :-1], keys[..., 1:]
    np.not_equal(left, right, out=found[..., 1:])
    if equal_nan and keys.dtype.kind in "fc":
        found[..., 1:] &= (left == left) | (right == right)
    return found


def _with_indices(lines: Lines, ordering: tuple) -> "tuple[np.ndarray, np.ndarray]":
    """The sorted elements and their indices, in host memory."""
    keys = np.empty(lines.shape, lines.source.dtype)
    indices = np.empty(lines.shape, np.uint32 if lines.count < 1 << 32 else np.uint64)
    indices[...] = np.arange(lines.count, dtype=indices.dtype)
    sorter = _sorter(lines, _PAIRS, ordering, is_on_device(lines.source), indices.itemsize)
    _sort_rows(sorter, lines, keys_out=keys, values=indices, values_out=indices)
    return keys, indices.astype(np.int64)


def rank(x: Any, method: str = "average", axis: Any = None, *, descending: bool = False, nans: str = "last",
         type: Any = None, on: Any = None) -> np.ndarray:
    """The rank of each element, from 1, as scipy.stats.rankdata: axis=None ranks all elements in one dimension.
    `method` decides the ranks of equal elements. "average": the mean of their ranks, in float64. "min", "max": the
    smallest, or the largest, for all of them. "dense": as "min", but the next element has the next rank. "ordinal":
    different ranks, in their order. NaNs are equal, and are ranked as numbers are. Returns a NumPy array. Other
    arguments are those of sort()."""
    check_process()
    if method not in ("average", "min", "max", "dense", "ordinal"):
        raise ArgumentError(f"method: {method!r} is unknown; give one of average, min, max, dense, ordinal")
    lines = _lines(x, "x", axis, type, on)
    keys, order = _with_indices(lines, _ordering(descending, nans))
    begins, at = _begins(keys, lines.kind), np.arange(lines.count)
    if method == "ordinal":
        found = np.broadcast_to(at + 1, lines.shape)
    elif method == "dense":
        found = np.cumsum(begins, axis=-1)
    else:
        low = np.maximum.accumulate(np.where(begins, at + 1, 0), axis=-1)
        ends = np.ones(lines.shape, np.bool_)
        ends[..., :-1] = begins[..., 1:]
        high = np.minimum.accumulate(np.where(ends, at + 1, lines.count)[..., ::-1], axis=-1)[..., ::-1]
        found = {"min": low, "max": high, "average": (low + high) / 2}[method]
    ranks = np.empty(lines.shape, found.dtype)
    np.put_along_axis(ranks, order, found, -1)
    return ranks.transpose(lines.back)


def _runs(elements: Elements, kind: int, target: Target, equal_nan: bool) -> tuple:
    """The first element of each run of equal elements, and its index. The device compares elements of PyOpenCL arrays,
    so that only the results are copied to the host."""
    array = getattr(elements, "owner", None)
    if not hasattr(array, "base_data") or elements.size < 2 or kind == _BFLOAT16 or elements.dtype.kind == "c":
        values = fetched(elements, target.queue)
        starts = np.flatnonzero(_begins(values, kind, equal_nan))
        return values[starts], starts
    array = array.reshape(-1)
    differs = "x != before && (x == x || before == before)" if equal_nan else "x != before"
    values, starts = (select(array[1:], differs, inputs={"before": array[:-1]}, indices=indices, on=target).get()
                      for indices in (False, True))
    return np.concatenate((array[:1].get(), values)), np.concatenate(([0], starts + 1))


def unique(x: Any, return_index: bool = False, return_inverse: bool = False, return_counts: bool = False, *,
           equal_nan: bool = True, type: Any = None, on: Any = None) -> Any:
    """The different elements of `x`, sorted, as numpy.unique without an axis. Then, if wanted: the index of the first
    element of each value; for each element of `x` the index of its value, in the shape of `x`; how many elements have
    each value. -0 and 0 are equal: the first of them in `x` is returned. Returns NumPy arrays. type and on are as in
    reduce()."""
    check_process()
    lines, ordering = _lines(x, "x", None, type, on), (False, False)
    if return_index or return_inverse:
        keys, order = _with_indices(lines, ordering)
        begins = _begins(keys, lines.kind, equal_nan)
        starts = np.flatnonzero(begins)
        values, inverse = keys[starts], np.empty(lines.count, np.int64)
        inverse[order] = np.cumsum(begins) - 1
        extra = [order[starts]] * bool(return_index) + [inverse.reshape(lines.source.shape)] * bool(return_inverse)
    else:
        room, extra = _room(None, None, lines.source, lines.shape, lines.source.dtype, True), []
        _sort_rows(_sorter(lines, _KEYS, ordering, is_on_device(lines.source)), lines, keys_out=room)
        values, starts = _runs(room, lines.kind, lines.target, equal_nan)
    found = [values] + extra + [np.diff(starts, append=lines.count)] * bool(return_counts)
    return tuple(found) if len(found) > 1 else values


def value_counts(x: Any, *, type: Any = None, on: Any = None) -> tuple:
    """The different elements of `x`, and how many elements have each value: the most frequent first; of equally
    frequent ones, the smallest first. NaNs are one value, the largest. Returns NumPy arrays. type and on are as in
    reduce()."""
    values, counts = unique(x, return_counts=True, type=type, on=on)
    order = np.argsort(-counts, kind="stable")
    return values[order], counts[order]


def run_lengths(x: Any, *, equal_nan: bool = True, type: Any = None, on: Any = None) -> tuple:
    """The runs of equal neighbours in `x`, in their order: the first element of each run, its index, and the length of
    the run. x is read in one dimension. Returns NumPy arrays. type and on are as in reduce()."""
    check_process()
    lines = _lines(x, "x", None, type, on)
    values, starts = _runs(lines.elements, lines.kind, lines.target, equal_nan)
    return values, starts, np.diff(starts, append=lines.count)
