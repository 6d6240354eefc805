"""The fastest calls of a plan: one row without inputs and parameters, one result."""
from typing import Any

import numpy as np

from ._arrays import take
from ._devices import Target
from ._errors import fail
from ._library import HEADER, NULL, Handle, Owner, Process, ffi, lib

_from_buffer, _new, _cast, _pop = ffi.from_buffer, ffi.new, ffi.cast, list.pop
_HOST_CALL, _CALL = ffi.typeof("clred_host_call *"), ffi.typeof("clred_call *")
_run_host, _enqueue = lib.clred_plan_run_host_v, lib.clred_enqueue_v
_busy = Process.busy


class ShortWays(Owner):
    """The base class of Plan that makes these calls. Functions are names of this module, because Python finds names
    faster than attributes."""
    target: Target
    result_dtype: np.dtype
    _runtime: Handle
    _element_size: int

    def __init__(self) -> None:
        self._calls: list = []  # structs of calls with one result that no thread is using
        self._host_calls: list = []

    def reduce_array(self, x: np.ndarray) -> Any:
        """One result of an array of this dtype, without inputs and parameters. Checks little, to be fast."""
        try:
            source = _from_buffer(x)  # keeps the memory from being resized
        except ValueError:
            source = _from_buffer(take(x, "x"))
        try:
            kept = _pop(self._host_calls)
        except IndexError:
            kept = self._new_host_call()
        call = kept[0]
        call.in_, call.count = source, x.size
        _busy.add(call)  # as Calling does, in less time
        try:
            handle = self._handle  # stays alive while the call runs
            if Process.closed or handle is None:
                _busy.discard(call)  # the end of the interpreter must not wait for this thread
                self._held()
            status = _run_host(HEADER, self.target.queue, handle.pointer, call)
        finally:
            _busy.discard(call)
        return self._single(status, kept, self._host_calls)

    def reduce_buffer(self, x: Any) -> Any:
        """The same for a PyOpenCL array on the plan's queue, of one dimension and without gaps."""
        events = x.events
        try:
            kept = _pop(self._calls)
        except IndexError:
            kept = self._new_call()
        call, _, mem, words, wait_list = kept
        mem[0], call.in_offset, call.count = x.base_data.int_ptr, x.offset // self._element_size, x.size
        waits = len(events)
        if waits == 1:
            words[0] = events[0].int_ptr
        elif waits:
            words = _new("uintptr_t[]", [event.int_ptr for event in events])
            wait_list = _cast("cl_event *", words)
        _busy.add(call)
        try:
            handle = self._handle
            if Process.closed or handle is None:
                _busy.discard(call)  # the end of the interpreter must not wait for this thread
                self._held()
            status = _enqueue(HEADER, self.target.queue, handle.pointer, call, waits, wait_list if waits else NULL,
                              NULL)
        finally:
            _busy.discard(call)
        return self._single(status, kept, self._calls)

    def _new_host_call(self) -> tuple:
        """A call on host memory, and its result."""
        call, result = _new(_HOST_CALL), np.empty(1, self.result_dtype)
        call.out = ffi.from_buffer(result)
        return call, result

    def _new_call(self) -> tuple:
        """A call and its result. Also the call's buffer, and an event and its address, as numbers, because cffi sets
        numbers faster than pointers."""
        call, result, event = _new(_CALL), np.empty(1, self.result_dtype), _new("uintptr_t[1]")
        call.result, call.blocking = ffi.from_buffer(result), 1
        return call, result, _cast("uintptr_t *", ffi.addressof(call, "in_")), event, _cast("cl_event *", event)

    def _single(self, status: int, kept: tuple, calls: list) -> Any:
        """The result of a call, which is then kept for the next one."""
        value = kept[1][0]
        if self.result_dtype.names:
            value = value.copy()
        calls.append(kept)
        if status:
            fail(status, self._runtime.pointer)
        return value
