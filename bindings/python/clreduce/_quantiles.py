"""Quantiles, and the greatest and least elements."""
import threading
from typing import Any, Optional

import numpy as np

from ._arrays import Place
from ._calls import _elements, target_for
from ._devices import Target
from ._errors import ArgumentError, fail
from ._events import wait_list
from ._library import HEADER, NULL, Calling, Handle, Owner, check_process, ffi, lib
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

    def run(self, elements: Any, count: int) -> "tuple[np.ndarray, np.ndarray]":
        values = np.empty(self.results, np.float64 if self.doubles else elements.dtype)
        places = np.empty(self.results, np.uint64)
        where = ffi.cast("cl_ulong *", ffi.from_buffer(places)) if self.places else NULL
        sink = ffi.from_buffer(values)
        with self.lock, Calling():
            if isinstance(elements, Place):
                events = list(elements.events or ())
                status = lib.clred_quantile_run(self.target.queue, self._pointer, elements.mem, elements.offset, count,
                                                sink, where, len(events), wait_list(events))
            else:
                status = lib.clred_quantile_run_host(self.target.queue, self._pointer, ffi.from_buffer(elements), count,
                                                     sink, where)
            self._check(status)
        return values, places.view(np.int64)


def _search(x: Any, at: tuple, top: int, bottom: int, method: str, nan: str, kind: Any, on: Any) -> tuple:
    check_process()
    elements, _, count = _elements(x, kind)
    if getattr(elements, "stride", 1) != 1:
        raise ArgumentError("x: has gaps between its elements; give a copy")
    if count == 0:
        raise ArgumentError("x: has no elements, and quantiles of none are not defined")
    if max(top, bottom) > count:
        raise ArgumentError(f"k: {max(top, bottom)} is more than the {count} elements; give at most that")
    target = target_for(on, elements)
    key = (target, type_of(kind or elements.dtype, "x"), at, top, bottom, method, nan)
    with _lock:
        search = _kept.get(key)
        if search is None:
            while len(_kept) >= _KEPT:
                del _kept[next(iter(_kept))]
            search = _kept[key] = _Search(*key)
    return search.run(elements, count)


def quantile(x: Any, q: Any, *, method: str = "linear", nan: str = "propagate", type: Optional[str] = None,
             on: Any = None) -> Any:
    """Quantiles of all elements, as numpy.quantile: `q` is a number from 0 to 1, or up to 256 of them. `method` is
    linear, lower, higher or nearest. nan="ignore" leaves NaNs out."""
    at = np.atleast_1d(np.asarray(q, np.float64))
    if at.ndim != 1:
        raise ArgumentError(f"q: has {at.ndim} dimensions; give a number, or numbers in one dimension")
    for one in at:
        if not 0 <= one <= 1:
            raise ArgumentError(f"q: {one} is no quantile; give numbers from 0 to 1")
    values, _ = _search(x, tuple(at.tolist()), 0, 0, method, nan, type, on)
    return values[0] if np.ndim(q) == 0 else values


def median(x: Any, *, nan: str = "propagate", type: Optional[str] = None, on: Any = None) -> Any:
    """The median of all elements."""
    return quantile(x, 0.5, nan=nan, type=type, on=on)


def _extremes(x: Any, k: int, name: str, nan: str, kind: Any, on: Any) -> "tuple[np.ndarray, np.ndarray]":
    if isinstance(k, bool) or not isinstance(k, (int, np.integer)) or k < 1:
        raise ArgumentError(f"k: {k!r} is no number of elements; give 1 or more")
    return _search(x, (), int(k) if name == "top" else 0, int(k) if name == "bottom" else 0, "linear", nan, kind,
                   on)  # type: ignore[return-value]


def top(x: Any, k: int, *, nan: str = "propagate", type: Optional[str] = None,
        on: Any = None) -> "tuple[np.ndarray, np.ndarray]":
    """The `k` greatest elements, the greatest first, and their indices."""
    return _extremes(x, k, "top", nan, type, on)


def bottom(x: Any, k: int, *, nan: str = "propagate", type: Optional[str] = None,
           on: Any = None) -> "tuple[np.ndarray, np.ndarray]":
    """The `k` least elements, the least first, and their indices."""
    return _extremes(x, k, "bottom", nan, type, on)
