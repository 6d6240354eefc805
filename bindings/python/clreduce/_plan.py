"""Plans: one problem, prepared for one device."""
from typing import Any, Mapping, Optional, Sequence

import numpy as np

from ._arrays import Buffers, Elements, has_gaps, ndarray, take, take_out
from ._devices import Target, ask, target_of
from ._events import Event, sweep
from ._library import (HEADER, NULL, ArgumentError, Calling, Handle, Owner, Process, check_process, cl, fail, ffi, lib,
                       text_of)
from ._run import Given, run_line
from ._texts import Histogram, Selection
from ._types import PAIRS, dtype_of, op_of, set_fields, type_of

_CONTEXT_OF_QUEUE = 0x1090
# For the fastest calls: Python finds names of a module faster than attributes.
_run_host, _enqueue, _busy = lib.clred_plan_run_host_v, lib.clred_enqueue_v, Process.busy
_from_buffer, _new, _cast, _pop = ffi.from_buffer, ffi.new, ffi.cast, list.pop
_HOST_CALL, _CALL = ffi.typeof("clred_host_call *"), ffi.typeof("clred_call *")


class Plan(Owner):
    """A reduction, scan, selection or histogram for elements of one dtype, on one device.

    >>> plan = Plan("sum", "float32")
    >>> plan(numpy.ones(1000, "float32"))
    1000.0

    `op` is the name of an operator, a list of names, an Operator, a Selection or a Histogram. `scan` is None,
    "inclusive" or "exclusive". `on` is a Device, its index or name, or a PyOpenCL queue. Other arguments are fields of
    clred_problem in clreduce.h: nan="ignore", order="any", strategy="wide", result_bits=32, count_max, reversed, ...
    Any number of threads may use a plan."""

    def __init__(self, op: Any, dtype: Any, *, scan: Optional[str] = None, on: Any = None, **fields: Any):
        check_process()
        self._calls: list = []  # structs of calls with one result that no thread is using
        self._host_calls: list = []
        self.target: Target = target_of(on)
        self._runtime = self.target.runtime
        self._context = ask(cl.clGetCommandQueueInfo, self.target.queue, _CONTEXT_OF_QUEUE, "cl_context")
        problem = ffi.new("clred_problem *")
        keep: list = []
        self.what, self.scan = op, scan
        self.edges: Optional[np.ndarray] = None  # of a histogram's bins, once they are needed
        self.dtype = dtype_of(type_of(dtype, "dtype")) if isinstance(dtype, str) else np.dtype(dtype)
        custom = hasattr(op, "fill")
        if custom:
            op.fill(problem, self.dtype, keep)
        elif isinstance(op, (list, tuple)):
            keep.append(ffi.new("clred_op[]", [op_of(name) for name in op]))
            problem.list, problem.list_count = keep[-1], len(op)
        else:
            problem.op = op_of(op)
        if not getattr(op, "names_element", False):
            problem.type = type_of(dtype, "dtype")
        set_fields(problem, {**fields, **({"scan": scan} if scan else {})}, keep)
        self._handle = self._make(problem)
        self._describe_results()

    def _make(self, problem: Any) -> Handle:
        made = ffi.new("clred_plan **")
        status = lib.clred_plan_create_v(HEADER, self._runtime.pointer, problem, made)
        if status:
            fail(status, self._runtime.pointer)
        return Handle(made[0], lib.clred_plan_release, self._runtime)

    def _info(self, count: int) -> Any:
        info = ffi.new("clred_plan_info *")
        status = lib.clred_plan_inspect_v(HEADER, self._pointer, count, info)
        if status:
            fail(status, self._runtime.pointer, f"count: {count} is above the plan's count_max")
        return info

    def _describe_results(self) -> None:
        info = self._info(0)
        self._element_size, self._state_size = int(info.element_size), int(info.state_size)
        if self.dtype.itemsize != self._element_size:
            raise TypeError(f"dtype: {self.dtype} has {self.dtype.itemsize} bytes, and an element has "
                            f"{self._element_size}; give the dtype of an element")
        self.state_dtype = dtype_of(info.state_type) if info.state_type else (
            self.dtype if self.dtype.kind == "c" and self.dtype.itemsize == info.state_size
            else np.dtype((np.void, info.state_size)))
        self.result_dtype = getattr(self.what, "result_dtype", None) or self._parts(info)
        self.input_dtypes = list(getattr(self.what, "input_dtypes", ())) or (
            [self.dtype] if self.what in PAIRS else [])
        if isinstance(self.what, Histogram):
            self.input_dtypes = [dtype or self.dtype for dtype in self.input_dtypes]
        self._plain = not (self.scan or isinstance(self.what, (Selection, Histogram)) or self.input_dtypes or
                           getattr(self.what, "parameters", ()))

    def _parts(self, info: Any) -> np.dtype:
        """The dtype of a result: a number, or a struct with the names of its parts. In a list, an operator with one
        part names this part as the caller named the operator."""
        part, parts = ffi.new("clred_part *"), []
        names = {op_of(name): name for name in self.what} if isinstance(self.what, (list, tuple)) else {}
        for index in range(info.parts):
            lib.clred_plan_part_v(HEADER, self._pointer, index, part)
            name = ffi.string(part.name).decode()
            if name and lib.clred_op_from_name(name.encode()) == part.op:
                name = names.get(part.op, name)
            parts.append((name, dtype_of(part.type), part.offset))
        if len(parts) == 1 and parts[0][0] == "":
            return parts[0][1]
        if not parts:
            return self.dtype if info.result_size == self._element_size else np.dtype((np.void, info.result_size))
        if [name for name, _, _ in parts] == ["re", "im"]:
            return np.dtype(f"c{info.result_size}")
        return np.dtype({"names": [name for name, _, _ in parts], "formats": [kind for _, kind, _ in parts],
                         "offsets": [offset for _, _, offset in parts], "itemsize": info.result_size})

    # ------------------------------------------------------------ Calls

    def enqueue_call(self, call: Any, waits: int, wait_list: Any, event: Any) -> None:
        """clred_enqueue, with an exception for each error."""
        handle = self._held()
        with Calling():
            status = _enqueue(HEADER, self.target.queue, handle.pointer, call, waits, wait_list, event)
        if status:
            if not call.blocking:
                cl.clFinish(self.target.queue)  # a part of the call may run, and its memory must outlive it
            fail(status, self._runtime.pointer)

    def count_of(self, x: Elements, argument: str = "x") -> int:
        """The number of elements; refuses other dtypes."""
        if x.dtype != self.dtype and x.dtype != self.dtype.base and not (
                x.dtype == np.bool_ and self.dtype == np.uint8):
            raise TypeError(f"{argument}: has dtype {x.dtype}, and the plan is for {self.dtype}; convert it, or make "
                            "another plan")
        size = x.size * x.dtype.itemsize
        if size % self._element_size:
            raise ArgumentError(f"{argument}: {size} bytes are not a whole number of elements of {self._element_size}")
        return size // self._element_size

    def given(self, count: int, inputs: Any = (), parameters: Optional[Mapping] = None, initial: Any = None,
              stride: int = 1) -> Given:
        """Checks inputs, parameters and the initial state of a call over `count` elements, `stride` apart."""
        keep: list = []
        array, names = NULL, [name for name, _ in getattr(self.what, "parameters", ())]
        if set(names) != set(parameters or {}):
            raise ArgumentError(f"parameters: the operator has {', '.join(names) or 'none'}; give each of them, and no "
                                "others")
        if names:
            values = [self._parameter(name, parameters[name], dtype)  # type: ignore[index]
                      for name, dtype in zip(names, self.what.parameter_dtypes)]
            keep += [values, [ffi.from_buffer(value) for value in values]]
            array = ffi.new("void *[]", keep[-1])
            keep.append(array)
        state = NULL
        if initial is not None:
            if not self.scan:
                raise ArgumentError("initial: only scans begin with a state; leave it out")
            # The exponent of a product stays 0.
            value = np.array(initial, dtype=self.state_dtype).tobytes().ljust(self._state_size, b"\0")
            state = ffi.from_buffer(value)
            keep += [value, state]
        return Given(self._inputs(inputs, count, stride), array, state, keep)

    def _parameter(self, name: str, value: Any, dtype: Optional[np.dtype]) -> np.ndarray:
        try:
            return np.array(value, dtype=dtype)
        except (TypeError, ValueError) as error:
            raise TypeError(f"parameters[{name!r}]: {error}") from None

    def _inputs(self, inputs: Any, count: int, stride: int) -> Sequence[Elements]:
        declared = getattr(self.what, "inputs", ())
        dtypes = self.input_dtypes
        if isinstance(inputs, Mapping):
            unknown = set(inputs) ^ {name for name, _ in declared}
            if unknown:
                raise ArgumentError(f"inputs: {', '.join(sorted(unknown))} is missing or unknown")
            inputs = [inputs[name] for name, _ in declared]
        if len(inputs) != len(dtypes):
            raise ArgumentError(f"inputs: {len(inputs)} are given, and the operator has {len(dtypes)}")
        gaps = "copied" if stride == 1 else "stepped"
        taken = [take(value, f"inputs[{index}]", dtype, gaps)
                 for index, (value, dtype) in enumerate(zip(inputs, dtypes))]
        for index, (value, dtype) in enumerate(zip(taken, dtypes)):
            if dtype is not None and value.dtype != dtype and not (value.dtype == np.bool_ and dtype == np.uint8):
                raise TypeError(f"inputs[{index}]: has dtype {value.dtype}, and the operator reads {dtype}; convert it")
            if value.size != count:
                raise ArgumentError(f"inputs[{index}]: has {value.size} elements, and x has {count}; give as many")
        return taken

    def run_host(self, x: np.ndarray, fields: dict, given: Given, out: np.ndarray) -> int:
        """A call on host memory; `fields` says where the rows are. For a selection, returns the number of kept
        elements."""
        inputs = [ffi.from_buffer(value) for value in given.inputs]
        kept = ffi.new("cl_ulong *")
        source, sink = ffi.from_buffer(x), ffi.from_buffer(out, require_writable=True)
        pointers = ffi.new("void *[]", inputs) if inputs else NULL
        call = ffi.new("clred_host_call *", {**fields, "in_": source, "parameters": given.parameters,
                                             "initial": given.initial, "out": sink, "inputs": pointers})
        if isinstance(self.what, Selection):
            call.kept = kept
        self.call_host(call)
        return int(kept[0])

    def call_host(self, call: Any) -> None:
        """clred_plan_run_host."""
        handle = self._held()
        with Calling():
            status = _run_host(HEADER, self.target.queue, handle.pointer, call)
        if status:
            fail(status, self._runtime.pointer)

    def buffers(self) -> Buffers:
        return Buffers(self.target, self._context)

    def fill_inputs(self, call: Any, given: Given, buffers: Buffers, stride: int = 1) -> list:
        """Sets the inputs, parameters and initial state of a call. Inputs must have the `stride` of the elements.
        Returns what must stay alive."""
        for index, value in enumerate(given.inputs):
            if getattr(value, "stride", 1) != stride:
                raise ArgumentError(f"inputs[{index}]: has other gaps between its elements than x; give copies")
        call.parameters, call.initial = given.parameters, given.initial
        if not given.inputs:
            return [given]
        read = [buffers.read(value) for value in given.inputs]
        mems, offsets = ffi.new("cl_mem[]", [mem for mem, _ in read]), ffi.new("cl_ulong[]", [at for _, at in read])
        call.inputs, call.input_offsets = mems, offsets
        return [given, mems, offsets]

    # ------------------------------------------------------------ For users

    def __call__(self, x: Any, *, inputs: Any = (), parameters: Optional[Mapping] = None, initial: Any = None,
                 out: Any = None) -> Any:
        """Runs the plan over all elements of `x` as one row, waits, and returns the result: a NumPy scalar of a
        reduction, an array of a scan, selection or histogram."""
        if self._plain and x.__class__ is ndarray and x.dtype == self.dtype and \
           out is None and not inputs and parameters is None and initial is None:
            return self.reduce_array(x)
        elements = take(x, "x", self.dtype)
        count = self.count_of(elements)
        return run_line(self, elements, count, self.given(count, inputs, parameters, initial), out)

    def enqueue(self, x: Any, out: Any, *, inputs: Any = (), parameters: Optional[Mapping] = None, initial: Any = None,
                wait_for: Sequence = ()) -> Event:
        """Enqueues a reduction or scan of elements on the device, and does not wait. `x` is a PyOpenCL array or buffer.
        So is `out`; for a single result it may be a NumPy array. Both stay alive until the event is complete."""
        sweep()
        place = take(x, "x", self.dtype, "kept")
        if isinstance(place, ndarray):
            raise TypeError("x: is in host memory; give a PyOpenCL array or buffer, or call the plan")
        if isinstance(self.what, (Selection, Histogram)) or has_gaps(place):
            raise ArgumentError("x: only reductions and scans without gaps can be enqueued; call the plan instead")
        count = self.count_of(place)
        given = self.given(count, inputs, parameters, initial)
        call, buffers = ffi.new("clred_call *"), self.buffers()
        call.in_, call.in_offset = buffers.read(place)
        call.count = count
        results = take_out(out, "out", self.result_dtype, (count,) if self.scan else ())
        if isinstance(results, ndarray):
            if self.scan:
                raise TypeError("out: is in host memory; give a PyOpenCL array or buffer")
            sink = ffi.from_buffer(results, require_writable=True)
            call.result = sink
        else:
            sink = results
            call.out, call.out_offset = results.mem, results.offset
        keep = [self, x, out, sink, call, self.fill_inputs(call, given, buffers)]
        waits, events = buffers.wait_list(wait_for)
        event = ffi.new("cl_event *")
        self.enqueue_call(call, waits, events, event)
        cl.clFlush(self.target.queue)
        return Event(event[0], [keep, events, buffers])

    def warm(self) -> "Plan":
        """Compiles now what a driver would compile at the first call."""
        status = lib.clred_plan_warm(self.target.queue, self._pointer)
        if status:
            fail(status, self._runtime.pointer)
        return self

    def reference(self, x: Any, *, parameters: Optional[Mapping] = None) -> Any:
        """The result of a reduction of host memory, computed on the host in the same order: slow, the same bits."""
        elements = take(x, "x", self.dtype)
        if not isinstance(elements, ndarray) or self.scan:
            raise TypeError("x: the reference is for reductions of arrays in host memory")
        count = self.count_of(elements)
        given, result = self.given(count, (), parameters), np.empty(1, self.result_dtype)
        call = ffi.new("clred_host_call *", {"in_": ffi.from_buffer(elements), "count": count,
                                             "parameters": given.parameters, "out": ffi.from_buffer(result)})
        status = lib.clred_plan_reference_v(HEADER, self._pointer, call)
        if status:
            fail(status, None, "reference: the operator cannot run on the host")
        return result[0]

    def describe(self, count: int = 1 << 24) -> str:
        """What a call over `count` elements would run, and why."""
        return text_of(lib.clred_plan_describe, self._pointer, count)

    def source(self) -> str:
        """The OpenCL C that the plan compiled."""
        return text_of(lib.clred_plan_source, self._pointer)

    def info(self, count: int = 1 << 24) -> dict:
        """The fields of clred_plan_info for a call over `count` elements: strategy, order, group_size, passes, ..."""
        info, found = self._info(count), {}
        for name, field in ffi.typeof("clred_plan_info").fields:
            value = getattr(info, name)
            if field.type.kind == "pointer":
                value = None if value == NULL else ffi.string(value).decode()
            found[name] = value
        return found

    def __repr__(self) -> str:
        name = self.what if isinstance(self.what, str) else repr(self.what)
        return f"<Plan {name} of {self.dtype}{' ' + self.scan + ' scan' if self.scan else ''}>"

    # ------------------------------------------------------------ The fastest calls: one row, one result

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
