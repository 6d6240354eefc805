"""Runs calls: one row, an array along an axis, segments, runs of equal keys."""
import math
from typing import TYPE_CHECKING, Any, Callable, NamedTuple, Optional, Sequence

import numpy as np

from ._arrays import Buffers, Elements, Place, take, take_out
from ._library import NULL, ArgumentError, check_process, cl, fail, ffi
from ._texts import Histogram, Selection
from ._types import type_of

if TYPE_CHECKING:
    from ._plan import Plan

OFFSETS = ("uint32", "int32", "uint64", "int64")


class Given(NamedTuple):
    """What a call needs in addition to its elements and results."""
    inputs: Sequence[Elements] = ()
    parameters: Any = NULL  # const void *[]
    initial: Any = NULL     # a state
    keep: Any = None        # what `parameters` and `initial` point to


class Layout(NamedTuple):
    """Where the rows of a call are: the plan's layout, the fields of clred_call, and the shape of the results of a
    reduction."""
    name: str
    fields: dict
    shape: tuple
    segments: Optional[Elements] = None


def line(count: int, stride: int = 1) -> Layout:
    fields = {"count": count} if stride == 1 else {"count": count, "stride": stride}
    return Layout("line" if stride == 1 else "strided", fields, ())


def in_segments(offsets: Any, count: int, kind: Any = None) -> Layout:
    """Row i has the elements from offsets[i] to offsets[i + 1] - 1. `kind` is the type of a buffer's elements."""
    taken = _taken(offsets, "segments", kind)
    if taken.dtype.name not in OFFSETS or len(taken.shape) != 1 or taken.size < 1:
        raise TypeError(f"segments: give 1 or more offsets in one dimension, of {', '.join(OFFSETS)}")
    rows = taken.size - 1
    return Layout("segments", {"count": count, "rows": rows}, (rows,), taken)


def in_runs(keys: Any, count: int, kind: Any = None) -> Layout:
    """Neighbours with equal keys are one row."""
    taken = _taken(keys, "keys", kind)
    if taken.size != count:
        raise ArgumentError(f"keys: there are {taken.size}, and x has {count} elements; give as many")
    return Layout("keys", {"count": count}, (count,), taken)


def _taken(x: Any, argument: str, kind: Any) -> Elements:
    if kind is None and hasattr(x, "int_ptr") and not hasattr(x, "base_data"):
        raise TypeError(f'{argument}: a buffer has no type of its own; give segment_type, such as '
                        'segment_type="uint32"')
    taken = take(x, argument, kind)
    if kind is not None and type_of(kind, "segment_type") != type_of(taken.dtype, argument):
        raise TypeError(f"segment_type: is {kind}, and {argument} has dtype {taken.dtype}; leave it out")
    return taken


def _results(plan: 'Plan', layout: Layout, shape: tuple) -> tuple:
    if isinstance(plan.what, Histogram):
        return plan.what.shape
    return shape if plan.scan or isinstance(plan.what, Selection) else layout.shape


class _Sink:
    """Memory for the results of one call: the caller's `out`, a new PyOpenCL array, or a new NumPy array."""

    def __init__(self, plan: 'Plan', shape: tuple, x: Elements, out: Any, exact: bool, buffers: Buffers):
        self.shape, self.buffers, self.mem = shape, buffers, NULL
        self.array: Optional[np.ndarray] = None
        owner: Any = getattr(x, "owner", None)
        if out is None and (plan.scan or isinstance(plan.what, Selection)) and hasattr(owner, "base_data"):
            out = type(owner)(owner.queue, shape, plan.result_dtype, allocator=owner.allocator)
        self.out = out
        size = math.prod(shape) * plan.result_dtype.itemsize
        place = None if out is None else take_out(out, "out", plan.result_dtype, shape if exact else None)
        if isinstance(place, Place):
            self.mem, self.offset = place.mem, place.offset
        else:
            self.mem, self.offset = buffers.room(size), 0
            self.array = place if place is not None else np.empty(shape, plan.result_dtype)
        self.room = None if place is None else place.size  # results; None: enough
        self.fetched = False

    def finish(self, plan: 'Plan', early: bool) -> None:
        """Waits for the call. `early`: also copies the results to the host, because a second wait would take as long
        again."""
        try:
            if early and self.array is not None:
                self.buffers.fetch(self.mem, self.array, 0)
                self.fetched = True
        finally:
            finish(plan)

    def deliver(self, count: Optional[int] = None) -> Any:
        """The results: `count` of them, or all."""
        if self.array is None:
            return self.out if count is None else self.out[:count]
        part = self.array if count is None else self.array[:count]
        if not self.fetched:
            self.buffers.fetch(self.mem, part)
        return part if part.shape else (self.array[()] if self.out is None else self.out)


def run_single(plan: 'Plan', x: Elements, layout: Layout, given: Given) -> Any:
    """A call with one result, which the library writes to host memory."""
    result = np.empty(1, plan.result_dtype)
    with plan.buffers() as buffers:
        call = ffi.new("clred_call *", layout.fields)
        call.in_, call.in_offset = buffers.read(x)
        keep = plan.fill_inputs(call, given, buffers, getattr(x, "stride", 1))
        call.result, call.blocking = ffi.from_buffer(result), 1
        plan.enqueue_call(call, *buffers.wait_list(), NULL)
        del keep
    return result[0]


def is_on_device(*values: Any) -> bool:
    """Whether any of the values is memory of the device."""
    return any(isinstance(value, Place) or hasattr(value, "int_ptr") or hasattr(value, "base_data")
               for value in values)


def _run_on_host(plan: 'Plan', x: np.ndarray, layout: Layout, shape: tuple, given: Given, out: Any) -> Any:
    """A call on host memory."""
    selects, results = isinstance(plan.what, Selection), _results(plan, layout, shape)
    array: Any = np.empty(results, plan.result_dtype) if out is None else take_out(
        out, "out", plan.result_dtype, None if selects else results)
    if selects and array.size < layout.fields["count"]:
        raise ArgumentError(f"out: has room for {array.size} elements; give room for {layout.fields['count']}")
    kept = plan.run_host(x, layout.fields, given, array)
    if selects:
        return array[:kept]
    return array if out is not None or results else array[()]


def run_layout(plan: 'Plan', x: Elements, layout: Layout, shape: tuple, given: Given, out: Any) -> Any:
    """A call of any layout. Waits for its results."""
    if layout.segments is None and not is_on_device(x, out, *given.inputs):
        return _run_on_host(plan, x, layout, shape, given, out)  # type: ignore[arg-type]
    if layout.shape == () and out is None and not (plan.scan or isinstance(plan.what, (Selection, Histogram))):
        return run_single(plan, x, layout, given)
    with plan.buffers() as buffers:
        call, outcome = ffi.new("clred_call *", layout.fields), ffi.new("clred_outcome *")
        call.in_, call.in_offset = buffers.read(x)
        keep = plan.fill_inputs(call, given, buffers, getattr(x, "stride", 1))
        counted = layout.name == "keys" or isinstance(plan.what, Selection)
        sink = _Sink(plan, _results(plan, layout, shape), x, out, not counted, buffers)
        call.out, call.out_offset = sink.mem, sink.offset
        keys = None
        if layout.segments is not None:
            call.segments, call.segments_offset = buffers.read(layout.segments)
            if layout.name == "keys" and not plan.scan:
                keys = np.empty(layout.segments.size, layout.segments.dtype)
                call.keys_out = buffers.room(keys.nbytes)
                call.rows = sink.room or 0  # with more runs the call fails
        if counted or layout.segments is not None:
            call.outcome, call.blocking = outcome, 1
        waits, events = buffers.wait_list()
        plan.enqueue_call(call, waits, events, NULL)
        # `waits`: some drivers never complete a read that waits for an event if this event fails.
        sink.finish(plan, waits == 0 and not counted)
        del keep
        if keys is not None:
            part = keys[:outcome.count]
            buffers.fetch(call.keys_out, part)
            return part, sink.deliver(outcome.count)
        return sink.deliver(outcome.count if isinstance(plan.what, Selection) else None)


def rows_way(plan: 'Plan', layout: Layout) -> Callable[[np.ndarray], np.ndarray]:
    """A function that does the same as run_layout in less time, for reductions of C-ordered arrays of one shape,
    without inputs."""
    calls: list = []  # structs that no thread is using

    def way(x: np.ndarray) -> np.ndarray:
        check_process()
        call = calls.pop() if calls else ffi.new("clred_host_call *", layout.fields)
        result = np.empty(layout.shape, plan.result_dtype)
        call.in_, call.out = ffi.from_buffer(x), ffi.from_buffer(result)
        plan.call_host(call)
        calls.append(call)
        return result

    return way


def finish(plan: Any) -> None:
    """Waits until all commands of the queue are complete."""
    status = cl.clFinish(plan.target.queue)
    if status:
        fail(status, None, "the call failed on the device")


def run_line(plan: 'Plan', x: Elements, count: int, given: Given, out: Any) -> Any:
    """A call over all elements as one row."""
    return run_layout(plan, x, line(count, getattr(x, "stride", 1)), (count,), given, out)
