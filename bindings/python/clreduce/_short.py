"""The short ways of a plan: one row without inputs and parameters, one result, in as little time as Python allows."""
from typing import Any

import numpy as np

from ._arrays import take
from ._devices import Target
from ._errors import fail
from ._library import HEADER, NULL, Handle, Owner, Process, ffi, lib

_from_buffer, _new, _cast, _pop = ffi.from_buffer, ffi.new, ffi.cast, list.pop
_HOST_CALL, _CALL, _MEM = ffi.typeof("clred_host_call *"), ffi.typeof("clred_call *"), ffi.typeof("cl_mem")
_EVENT = ffi.typeof("cl_event")
_run_host, _enqueue = lib.clred_plan_run_host_v, lib.clred_enqueue_v
_busy = Process.busy


class ShortWays(Owner):
    """What a plan needs for short ways. The names of functions are those of this module, because Python finds them
    faster than attributes."""
    target: Target
    result_dtype: np.dtype
    _runtime: Handle
    _element_size: int

    def __init__(self) -> None:
        self._calls: list = []  # calls with one result that no thread uses now
        self._host_calls: list = []

    def reduce_array(self, x: np.ndarray) -> Any:
        """One result of an array of this dtype, without inputs and parameters. Little is checked, so that it costs
        little."""
        try:
            source = _from_buffer(x)  # keeps the memory from being resized
        except ValueError:
            take(x, "x")
            raise
        try:
            call, result = _pop(self._host_calls)
        except IndexError:
            call, result = self._new_call(_HOST_CALL)
        call.in_, call.count = source, x.size
        _busy.add(call)  # as Calling does, in less time
        try:
            handle = self._handle  # stays alive while the call runs
            if Process.closed or handle is None:
                self._held()
            status = _run_host(HEADER, self.target.queue, handle.pointer, call)
        finally:
            _busy.discard(call)
        return self._single(status, call, result, self._host_calls)

    def reduce_buffer(self, x: Any) -> Any:
        """The same for a PyOpenCL array on the plan's queue, of one dimension and without gaps."""
        try:
            call, result = _pop(self._calls)
        except IndexError:
            call, result = self._new_call(_CALL)
        call.in_, call.in_offset = _cast(_MEM, x.base_data.int_ptr), x.offset // self._element_size
        call.count = x.size
        events = x.events
        if events:
            events = [_cast(_EVENT, event.int_ptr) for event in events]
        _busy.add(call)
        try:
            handle = self._handle
            if Process.closed or handle is None:
                self._held()
            status = _enqueue(HEADER, self.target.queue, handle.pointer, call, len(events), events or NULL, NULL)
        finally:
            _busy.discard(call)
        return self._single(status, call, result, self._calls)

    def _new_call(self, kind: Any) -> "tuple[Any, np.ndarray]":
        """A call with one result in host memory."""
        call, result = _new(kind), np.empty(1, self.result_dtype)
        pointer = ffi.cast("void *", ffi.from_buffer(result))
        if kind is _CALL:
            call.result, call.blocking = pointer, 1
        else:
            call.out = pointer
        return call, result

    def _single(self, status: int, call: Any, result: np.ndarray, kept: list) -> Any:
        """The result of a call, which is then kept for the next one."""
        value = result[0]
        if self.result_dtype.names:
            value = value.copy()
        kept.append((call, result))
        if status:
            fail(status, self._runtime.pointer)
        return value
