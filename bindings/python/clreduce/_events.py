"""Events of calls that do not wait."""
from typing import Any, Iterable

from ._library import NULL, Process, check_process, cl, fail, ffi

_EVENT_STATUS = 0x11D3
_COMPLETE = 0


class Event:
    """Completes when an enqueued call is complete. Until then the arrays of the call stay alive, even if you drop the
    event. For PyOpenCL it is pyopencl.Event.from_int_ptr(event.int_ptr)."""

    def __init__(self, event: Any, keep: Any):
        self._event, self._keep = event, keep
        self.int_ptr = int(ffi.cast("intptr_t", event))
        Process.pending.add(self)

    def _status(self) -> int:
        status = ffi.new("cl_int *")
        failed = cl.clGetEventInfo(self._event, _EVENT_STATUS, 4, status, NULL)
        return int(failed or status[0])

    @property
    def done(self) -> bool:
        """True if the call is complete, or has failed."""
        if Process.forked:
            check_process()
        done = self._keep is None or self._status() <= _COMPLETE
        if done:
            self._keep = None
            Process.pending.discard(self)
        return done

    def wait(self) -> None:
        """Waits until the results are written. Raises an Error if the call failed on the device."""
        check_process()
        waited = cl.clWaitForEvents(1, ffi.new("cl_event[1]", [self._event]))
        status = self._status()
        self._keep = None
        Process.pending.discard(self)
        if waited or status < _COMPLETE:
            fail(status if status < _COMPLETE else waited, None, "wait: the call failed on the device")

    def __del__(self) -> None:
        if not Process.closed:
            cl.clReleaseEvent(self._event)


def sweep() -> None:
    """Forgets complete calls, and the arrays that they needed."""
    for event in tuple(Process.pending):
        event.done


def wait_list(events: Iterable) -> Any:
    """cl_event[] of events of this module or of PyOpenCL, or NULL."""
    pointers = []
    for event in events:
        if not isinstance(event, Event) and not hasattr(event, "command_execution_status"):
            raise TypeError(f"wait_for: a {type(event).__name__} is not an event; give a list of events")
        pointers.append(ffi.cast("cl_event", event.int_ptr))
    return ffi.new("cl_event[]", pointers) if pointers else NULL
