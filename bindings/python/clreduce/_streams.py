"""Elements that arrive piece by piece, and reductions in parts."""
from typing import Any, Mapping, Optional

import numpy as np

from ._arrays import ndarray, take
from ._library import HEADER, NULL, ArgumentError, Calling, Handle, Owner, fail, ffi, lib
from ._plan import Plan
from ._types import set_number


class _OfPlan(Owner):
    """The base class of streams and partials, which belong to a plan. One thread at a time may use such an object."""

    def __init__(self, plan: Plan):
        self.plan = plan

    def _own(self, pointer: Any, release: Any) -> None:
        self._handle = Handle(pointer, release, self.plan._handle)

    def _try(self, function: Any, *arguments: Any) -> None:
        with Calling():
            status = function(*arguments)
        if status:
            fail(status, self.plan._runtime.pointer)

    def _host(self, x: Any, inputs: Any) -> "tuple[np.ndarray, int, Any, list]":
        """Elements of the host, their number, the pointers to inputs, and what must stay alive."""
        array = take(x, "x")
        if not isinstance(array, ndarray):
            raise TypeError("x: is on the device; give an array in host memory")
        count = self.plan.count_of(array)
        taken = self.plan.given(count, inputs, self._parameters).inputs
        if not all(isinstance(value, ndarray) for value in taken):
            raise TypeError("inputs: are on the device; give arrays in host memory")
        sources = [ffi.from_buffer(value) for value in taken]
        return array, count, ffi.new("void *[]", sources) if sources else NULL, sources

    _parameters: Optional[Mapping] = None

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *_: Any) -> None:
        self.release()


class Stream(_OfPlan):
    """A reduction of elements that need not fit in memory together.

    >>> stream = Stream(Plan("sum", "float32"))
    >>> for piece in pieces:
    ...     stream.push(piece)
    >>> total = stream.finish()

    The result has the bits of one call over all elements, however they are cut into pieces."""

    def __init__(self, plan: Plan, *, chunk: int = 0, parameters: Optional[Mapping] = None):
        super().__init__(plan)
        self._parameters = parameters
        made = ffi.new("clred_stream **")
        given = plan.given(0, [np.empty(0, d) for d in _input_dtypes(plan)], parameters)
        options = ffi.new("clred_stream_options *", {"parameters": given.parameters})
        set_number(options, "chunk", chunk, "chunk")
        self._try(lib.clred_stream_create_v, HEADER, plan.target.queue, plan._pointer, options, made)
        self._own(made[0], lib.clred_stream_release)

    def push(self, x: Any, *, inputs: Any = ()) -> None:
        """Takes more elements. You may change the array afterwards."""
        array, count, pointers, _ = self._host(x, inputs)
        self._try(lib.clred_stream_push, self._pointer, ffi.from_buffer(array), pointers, count)

    def finish(self) -> Any:
        """The result over all elements. The stream is then empty."""
        result = np.empty(1, self.plan.result_dtype)
        self._try(lib.clred_stream_finish, self._pointer, ffi.from_buffer(result))
        return result[0]


class ScanStream(_OfPlan):
    """A scan of elements that arrive chunk by chunk, with the bits of one scan.

    >>> stream = ScanStream(Plan("sum", "float32", scan="inclusive"))
    >>> for start in range(0, x.size, stream.chunk):
    ...     results = stream.next(x[start:start + stream.chunk])

    Each array has `chunk` elements; only the last may have fewer. `initial` is a state before the first element."""

    def __init__(self, plan: Plan, *, chunk: int = 0, initial: Any = None):
        super().__init__(plan)
        given, made = plan.given(0, (), None, initial), ffi.new("clred_scan_stream **")
        wanted = ffi.new("clred_stream_options *")
        set_number(wanted, "chunk", chunk, "chunk")
        self._try(lib.clred_scan_stream_create, plan.target.queue, plan._pointer, ffi.addressof(wanted, "chunk"),
                  given.initial, made)
        self._own(made[0], lib.clred_scan_stream_release)
        self.chunk = int(wanted.chunk)

    def next(self, x: Any) -> np.ndarray:
        """The results for the next elements."""
        array, count, pointers, _ = self._host(x, ())
        out = np.empty(count, self.plan.result_dtype)
        self._try(lib.clred_scan_stream_next, self._pointer, ffi.from_buffer(array), pointers, count,
                  ffi.from_buffer(out))
        return out


class Partial(_OfPlan):
    """A part of a reduction: the elements from index `first` on. Joined parts give the bits of one call, wherever the
    elements were cut (docs/distributed.md).

    >>> left, right = Partial(plan), Partial(plan, first=1000)
    >>> left.push(x[:1000]); right.push(x[1000:])
    >>> left.join(right)
    >>> total = left.result()"""

    def __init__(self, plan: Plan, *, first: int = 0, parameters: Optional[Mapping] = None, packed: Any = None):
        super().__init__(plan)
        self._parameters = parameters
        made = ffi.new("clred_partial **")
        if packed is not None:
            self._try(lib.clred_partial_unpack, plan._pointer, ffi.from_buffer(packed), len(packed), made)
        else:
            given = plan.given(0, [np.empty(0, d) for d in _input_dtypes(plan)], parameters)
            options = ffi.new("clred_partial_options *", {"parameters": given.parameters})
            set_number(options, "first", first, "first")
            self._try(lib.clred_partial_create_v, HEADER, plan._pointer, options, made)
        self._own(made[0], lib.clred_partial_release)

    @classmethod
    def unpack(cls, plan: Plan, packed: Any) -> "Partial":
        """The partial that pack() wrote, for a plan of the same problem; perhaps in another process."""
        if not isinstance(packed, (bytes, bytearray, memoryview)):
            raise TypeError(f"packed: a {type(packed).__name__} is not a packed partial; give the bytes of pack()")
        return cls(plan, packed=packed)

    def push(self, x: Any, *, inputs: Any = ()) -> None:
        """Appends elements of host memory."""
        array, count, pointers, sources = self._host(x, inputs)
        call = ffi.new("clred_host_call *", {"in_": ffi.from_buffer(array), "count": count, "inputs": pointers})
        self._try(lib.clred_partial_push_v, HEADER, self.plan.target.queue, self._pointer, call)
        del sources

    def join(self, right: "Partial") -> "Partial":
        """Adds the elements of `right`, which begins where this partial ends, or ends where this partial begins."""
        if not isinstance(right, Partial):
            raise TypeError(f"right: a {type(right).__name__} is not a Partial")
        self._try(lib.clred_partial_join, self._pointer, right._pointer)
        return self

    def result(self) -> Any:
        """The result over all elements. The partial must begin at 0. You may push more elements afterwards."""
        result = np.empty(1, self.plan.result_dtype)
        self._try(lib.clred_partial_result, self._pointer, ffi.from_buffer(result))
        return result[0]

    def pack(self) -> bytes:
        """The partial as bytes, for a file or another process."""
        size = ffi.new("size_t *")
        self._try(lib.clred_partial_pack, self._pointer, NULL, 0, size)
        room = ffi.new("char[]", size[0])
        self._try(lib.clred_partial_pack, self._pointer, room, size[0], size)
        return bytes(ffi.buffer(room, size[0]))

    @property
    def span(self) -> "tuple[int, int]":
        """The index of the first element, and the index after the last."""
        info = ffi.new("clred_partial_info *")
        self._try(lib.clred_partial_inspect_v, HEADER, self._pointer, info)
        return int(info.first), int(info.first + info.count)


def _input_dtypes(plan: Plan) -> list:
    if None in plan.input_dtypes:
        raise ArgumentError("plan: streams need inputs of plain types")
    return plan.input_dtypes
