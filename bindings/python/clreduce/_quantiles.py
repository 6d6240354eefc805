"""Quantiles, and the largest and smallest elements."""
import threading
from typing import Any, Optional

import numpy as np

from ._arrays import Place
from ._devices import Target
from ._events import wait_list
from ._library import HEADER, NULL, ArgumentError, Calling, Handle, Owner, check_process, fail, ffi, lib
from ._rows import Rows, fitting, refuse_empty, rows_of
from ._types import enum_value, type_of

_KEPT = 32
_kept: dict = {}
_lock = threading.RLock()


class _Search(Owner):
    """A clred_quantile. One thread at a time may use it, so it has a lock."""

    def __init__(self, target: Target, kind: int, at: tuple, top: int, bottom: int, method: str, nan: str):
        self.target, self.at, self.places, self.lock = target, at, bool(top or bottom), threading.Lock()
        self.results = len(at) or top or bottom
        points, made = ffi.new("double[]", at), ffi.new("clred_quantile **")
        problem = ffi.new("clred_quantile_problem *", {
            "type": kind, "at": points if at else NULL, "at_count": len(at), "top": top, "bottom": bottom,
            "interpolation": enum_value(ffi.typeof("clred_interpolation"), method, "method"),
            "nan": enum_value(ffi.typeof("clred_nan"), nan, "nan")})
        self._check(lib.clred_quantile_create_v(HEADER, target.runtime.pointer, problem, made))
        self._handle = Handle(made[0], lib.clred_quantile_release, target.runtime)
        self.doubles = bool(at) and method == "linear"

    def _check(self, status: int) -> None:
        if status:
            fail(status, self.target.runtime.pointer)

    def run(self, elements: Any, offsets: np.ndarray) -> "tuple[np.ndarray, np.ndarray]":
        """Values and indices for each row that has elements, by one call for each row: the library has no calls for
        rows."""
        shape = (offsets.size - 1, self.results)
        values = np.empty(shape, np.float64 if self.doubles else elements.dtype)
        places = np.zeros(shape, np.uint64)
        with self.lock, Calling():
            for row, (begin, end) in enumerate(zip(offsets[:-1].tolist(), offsets[1:].tolist())):
                if begin < end:
                    self._run_row(elements, begin, end, values[row], places[row])
        return values, places.view(np.int64)

    def _run_row(self, elements: Any, begin: int, end: int, values: np.ndarray, places: np.ndarray) -> None:
        where = ffi.cast("cl_ulong *", ffi.from_buffer(places)) if self.places else NULL
        sink = ffi.from_buffer(values)
        if isinstance(elements, Place):
            events = list(elements.events or ())
            status = lib.clred_quantile_run(self.target.queue, self._pointer, elements.mem, elements.offset + begin,
                                            end - begin, sink, where, len(events), wait_list(events))
        else:
            status = lib.clred_quantile_run_host(self.target.queue, self._pointer, ffi.from_buffer(
                elements.reshape(-1)[begin:end]), end - begin, sink, where)
        self._check(status)


def _search(rows: Rows, at: tuple, top: int, bottom: int, method: str, nan: str, kind: Any) -> tuple:
    elements = rows.elements
    key = (rows.target, type_of(kind or elements.dtype, "x"), at, top, bottom, method, nan)
    with _lock:
        search = _kept.get(key)
        if search is None:
            while len(_kept) >= _KEPT:
                del _kept[next(iter(_kept))]
            search = _kept[key] = _Search(*key)
    return search.run(elements, rows.offsets)


def quantile(x: Any, q: Any, axis: Any = None, *, method: str = "linear", nan: str = "propagate", empty: Any = None,
             type: Optional[str] = None, **rows: Any) -> Any:
    """Quantiles, as numpy.quantile: `q` is a number from 0 to 1, or up to 256 numbers; then the first axis of the
    results is that of `q`. `method` is linear, lower, higher or nearest. nan="ignore" leaves NaNs out. `empty` is the
    result of rows without elements. axis, keepdims, segments, keys and on are as in reduce(). Makes one call of the
    library for each row."""
    check_process()
    at = np.atleast_1d(np.asarray(q, np.float64))
    if at.ndim != 1:
        raise ArgumentError(f"q: has {at.ndim} dimensions; give a number, or numbers in one dimension")
    for one in at:
        if not 0 <= one <= 1:
            raise ArgumentError(f"q: {one} is not a quantile; give numbers from 0 to 1")
    found = rows_of(x, axis, type=type, **rows)
    bad = np.diff(found.offsets) == 0
    if empty is None:
        refuse_empty("a quantile", "", bad)
    values, _ = _search(found, tuple(at.tolist()), 0, 0, method, nan, type)
    if empty is not None and bad.any():
        values[bad] = fitting(empty, values.dtype, "empty")
    values = values.T.reshape((at.size,) + found.shape)
    values = values[0] if np.ndim(q) == 0 else values
    return values if found.keys is None else (found.keys, values)


def median(x: Any, axis: Any = None, **arguments: Any) -> Any:
    """The median. Arguments are those of quantile()."""
    return quantile(x, 0.5, axis, **arguments)


def _extremes(x: Any, k: int, name: str, axis: Any, nan: str, kind: Any, rows: dict) -> tuple:
    check_process()
    if isinstance(k, bool) or not isinstance(k, (int, np.integer)) or k < 1:
        raise ArgumentError(f"k: {k!r} is not a number of elements; give 1 or more")
    found = rows_of(x, axis, type=kind, **rows)
    counts = np.diff(found.offsets)
    if (counts < k).any():
        row = int(np.argmax(counts < k))
        where = f" of row {row}" if counts.size > 1 else ""
        raise ArgumentError(f"k: {k} is more than the {counts[row]} elements{where}; give at most that")
    both = _search(found, (), int(k) if name == "top" else 0, int(k) if name == "bottom" else 0, "linear", nan, kind)
    if rows.get("segments") is None and found.keys is None:  # the k elements replace the last axis
        place = max(found.axes, default=0) - (0 if rows.get("keepdims") else max(0, len(found.axes) - 1))
        shape = found.shape[:place] + found.shape[place + bool(rows.get("keepdims")):]
        both = tuple(np.moveaxis(one.reshape(shape + (int(k),)), -1, place) for one in both)
    return both if found.keys is None else (found.keys,) + both


def top(x: Any, k: int, axis: Any = None, *, nan: str = "propagate", type: Optional[str] = None, **rows: Any) -> tuple:
    """The `k` largest elements, the largest first, and their indices in the row. With `axis`, they replace the last
    axis that is reduced; with `segments` or `keys` they are the last axis of the results. axis, keepdims, segments,
    keys and on are as in reduce(). Makes one call of the library for each row."""
    return _extremes(x, k, "top", axis, nan, type, rows)


def bottom(x: Any, k: int, axis: Any = None, *, nan: str = "propagate", type: Optional[str] = None,
           **rows: Any) -> tuple:
    """The `k` smallest elements, the smallest first, and their indices. Other arguments as top()."""
    return _extremes(x, k, "bottom", axis, nan, type, rows)
