"""The arguments of calls: arrays in host memory, buffers and arrays of PyOpenCL; and copies of arrays on the device."""
from typing import Any, Iterable, Optional, Union

import numpy as np

from ._events import wait_list
from ._library import NULL, ArgumentError, Process, cl, fail, ffi
from ._types import dtype_of, opencl_name, type_of

ndarray = np.ndarray
_MEM_TYPE, _MEM_SIZE = 0x1100, 0x1102
_A_BUFFER = 0x10F0
_READ_ONLY, _USE_HOST, _COPY_HOST, _READ_WRITE = 4, 8, 32, 1


class Place:
    """Elements in memory of a device. `offset` and `strides` are in elements; `stride` is the stride of a line."""
    __slots__ = ("mem", "offset", "stride", "strides", "shape", "size", "dtype", "queue", "events", "owner")

    def __init__(self, mem: Any, offset: int, strides: tuple, shape: tuple, dtype: np.dtype, owner: Any):
        self.mem, self.offset, self.strides, self.shape, self.dtype = mem, offset, strides, shape, dtype
        self.size = 1
        for length in shape:
            self.size *= length
        self.stride = strides[0] if len(shape) == 1 and self.size > 1 else 1
        self.queue, self.events, self.owner = getattr(owner, "queue", None), getattr(owner, "events", ()), owner


Elements = Union[np.ndarray, Place]


def _mem(x: Any) -> Any:
    return ffi.cast("cl_mem", x.int_ptr)


def is_of_pyopencl(x: Any) -> bool:
    """True of an array or buffer of PyOpenCL."""
    return hasattr(x, "base_data") or hasattr(x, "int_ptr")


def steps_of(shape: tuple) -> tuple:
    """The steps along the axes of a C-ordered array, in elements."""
    steps, step = [], 1
    for length in reversed(shape):
        steps.append(step)
        step *= length
    return tuple(reversed(steps))


def has_gaps(x: Elements) -> bool:
    """True if the array is not C-ordered."""
    if isinstance(x, Place):
        return any(length > 1 and step != own for length, step, own in zip(x.shape, x.strides, steps_of(x.shape)))
    return not x.flags.c_contiguous


def _place_of_array(x: Any, argument: str, gaps: str) -> Place:
    size = x.dtype.itemsize
    if x.offset % size or any(length > 1 and step % size for length, step in zip(x.shape, x.strides)):
        raise ArgumentError(f"{argument}: the offsets of its elements are not multiples of {size} bytes; copy it")
    mem = NULL if x.base_data is None else _mem(x.base_data)
    place = Place(mem, x.offset // size, tuple(step // size for step in x.strides), x.shape, x.dtype, x)
    if gaps == "kept" or (gaps == "stepped" and place.stride > 0 and len(x.shape) == 1) or not place.size or \
       not has_gaps(place):
        return place
    if x.queue is None:
        raise ArgumentError(f"{argument}: has gaps between its elements and no queue on which to copy it; give a copy")
    return gather(place, tuple(range(len(x.shape))))


def _place_of_buffer(x: Any, kind: Any, argument: str) -> Place:
    number = ffi.new("size_t *")
    mem = _mem(x)
    if not hasattr(x, "get_host_array") or cl.clGetMemObjectInfo(mem, _MEM_TYPE, 4, number, NULL) or \
       (number[0] & 0xFFFFFFFF) != _A_BUFFER:
        raise TypeError(f"{argument}: a {type(x).__name__} has no elements to reduce; give a pyopencl.Buffer")
    if kind is None:
        raise TypeError(f'{argument}: a buffer has no type of its own; give type, such as type="float32"')
    dtype = dtype_of(type_of(kind, "type")) if isinstance(kind, str) else np.dtype(kind)
    cl.clGetMemObjectInfo(mem, _MEM_SIZE, 8, number, NULL)
    if number[0] % dtype.itemsize:
        raise ArgumentError(f"{argument}: {number[0]} bytes are not a whole number of {dtype}; give another type")
    return Place(mem, 0, (1,), (number[0] // dtype.itemsize,), dtype, x)


def _array_of(x: Any, argument: str) -> np.ndarray:
    if hasattr(x, "__array_interface__") or not hasattr(x, "__dlpack__"):
        try:
            return np.asarray(x)
        except Exception as error:
            raise TypeError(f"{argument}: is not an array: {error}") from None
    if tuple(x.__dlpack_device__())[0] != 1:
        raise TypeError(f"{argument}: its memory is on a device that OpenCL cannot read; copy it to the host")
    try:
        return np.from_dlpack(x)
    except Exception as error:
        raise TypeError(f"{argument}: its DLPack cannot be read: {error}") from None


def take(x: Any, argument: str, kind: Any = None, gaps: str = "copied") -> Elements:
    """Elements to read. `kind` is the type of a buffer's elements, and may give an array another type. `gaps` is for
    arrays that are not C-ordered. "copied": the result is a copy. "kept": it is the array as it is. "stepped": one
    dimension on the device with a positive step is kept, anything else is copied."""
    if hasattr(x, "base_data"):
        return _place_of_array(x, argument, gaps)
    if hasattr(x, "int_ptr"):
        return _place_of_buffer(x, kind, argument)
    array = x if isinstance(x, ndarray) else _array_of(x, argument)
    if array.dtype.hasobject:
        raise TypeError(f"{argument}: has elements of dtype object; convert them to numbers")
    if isinstance(x, np.ma.MaskedArray):
        raise TypeError(f"{argument}: is a masked array, and the mask would be lost; give {argument}.compressed()")
    return array if gaps == "kept" else np.asarray(array, order="C")


def take_out(out: Any, argument: str, dtype: np.dtype, shape: "tuple | None") -> Elements:
    """Memory for results, of exactly this dtype and shape. If `shape` is (), any shape with one element will do."""
    place = take(out, argument, dtype, "kept")
    if isinstance(place, ndarray):
        if place is not out:
            raise TypeError(f"{argument}: a {type(out).__name__} cannot take results; give a NumPy array")
        if not place.flags.writeable:
            raise ArgumentError(f"{argument}: is read-only; give an array that may be written")
    if has_gaps(place):
        raise ArgumentError(f"{argument}: is not C-contiguous; give an array without gaps")
    if place.dtype != dtype:
        raise TypeError(f"{argument}: has dtype {place.dtype}, and the results have {dtype}; give an array of these")
    if hasattr(out, "int_ptr") and shape is not None and place.size >= int(np.prod(shape, dtype=np.int64)):
        return place  # a buffer may have room for more
    if shape is not None and place.shape != shape and not (shape == () and place.size == 1):
        raise ArgumentError(f"{argument}: has the shape {place.shape}, and the results have {shape}; give an array "
                            "of that shape")
    return place


def fetched(elements: Elements, queue: Any) -> np.ndarray:
    """Elements in host memory, in one dimension. Elements on the device are copied; waits for the copy."""
    if not isinstance(elements, Place):
        return elements.reshape(-1)
    array = np.empty(elements.size, elements.dtype)
    if array.nbytes:
        events = list(elements.events or ())
        status = cl.clEnqueueReadBuffer(queue, elements.mem, 1, elements.offset * array.itemsize, array.nbytes,
                                        ffi.from_buffer(array), len(events), wait_list(events), NULL)
        if status:
            fail(status, None, "the device's memory could not be read")
    return array


# ---------------------------------------------------------------- Copies on the device

_AXES = 8
_TYPES = {1: "uchar", 2: "ushort", 4: "uint", 8: "ulong", 16: "uint4"}
# The last three axes are dimensions of the range; the loop is for the axes before them.
_TEXT = """
kernel void gather(global const element *from, ulong at, global result *to, ulong begin, ulong8 lengths, long8 steps) {
  ulong outer = get_global_id(2);
  begin += (outer * lengths.s6 + get_global_id(1)) * lengths.s7 + get_global_id(0);
  at += (ulong)((long)get_global_id(0) * steps.s7 + (long)get_global_id(1) * steps.s6);
  at += (ulong)((long)(outer % lengths.s5) * steps.s5);
  for (outer /= lengths.s5; outer; outer /= lengths.s5) {
    lengths = lengths.s70123456;
    steps = steps.s70123456;
    at += (ulong)((long)(outer % lengths.s5) * steps.s5);
  }
  to[begin] = READ;
}
"""
_programs: dict = {}  # (context, text before the kernel) -> program
_KEPT = 64  # programs


def merged(axes: list) -> list:
    """Axes as pairs of length and step. Neighbouring axes are merged if one step leads through both."""
    found: list = []
    for length, step in axes:
        if length == 1:
            continue
        if found and found[-1][1] == length * step:
            found[-1] = (found[-1][0] * length, step)
        else:
            found.append((length, step))
    return found


def _types(element: np.dtype, result: np.dtype) -> str:
    """OpenCL C before the kernel: its types, and how an element becomes a result. A complex number is a vector of two.
    """
    if element == result:
        name = _TYPES.get(element.itemsize, f"struct {{ uchar bytes[{element.itemsize}]; }}")
        return f"typedef {name} element;\ntypedef element result;\n#define READ from[at]\n"
    names = [opencl_name(dtype, "dtype") for dtype in (element, result)]
    source, to = (f"{name[1:]}2" if name[0] == "c" and name[1:] in ("float", "double") else name for name in names)
    read = "vload_half(at, from)" if source == "half" else "from[at]"
    if result.kind == "c" and element.kind != "c":
        read = f"({to})({read}, 0)"
    elif source != "half" or to != "float":
        read = f"convert_{to}({read})"
    return f"typedef {source} element;\ntypedef {to} result;\n#define READ {read}\n"


def _program(context: Any, types: str) -> Any:
    import pyopencl
    key = (context, types)
    if key not in _programs:
        while len(_programs) >= _KEPT:
            _programs.pop(next(iter(_programs)))
        _programs[key] = pyopencl.Program(context, types + _TEXT).build()
    return _programs[key]


def gather(x: Place, order: tuple, into: Optional[Place] = None, dtype: Optional[np.dtype] = None) -> Place:
    """A copy of a PyOpenCL array whose axes have another order: a new array on the same queue, of `dtype` if given, or
    `into`. Does not wait: the array has the event of the copy."""
    source, shape, dtype = x.owner, tuple(x.shape[axis] for axis in order), dtype or x.dtype
    copy = into.owner if into else type(source)(source.queue, shape, dtype, allocator=source.allocator)
    axes = merged([(x.shape[axis], x.strides[axis]) for axis in order])
    if len(axes) > _AXES:
        raise ArgumentError(f"x: has {len(axes)} axes with gaps; give a copy without gaps")
    if x.size:
        axes = [(1, 0)] * (_AXES - len(axes)) + axes
        lengths, steps = (np.array(numbers, dtype) for numbers, dtype in zip(zip(*axes), (np.uint64, np.int64)))
        last, before = axes[-1][0], axes[-2][0]
        kernel = _program(source.queue.context, _types(x.dtype, dtype)).gather
        copy.add_event(kernel(
            source.queue, (last, before, x.size // (last * before)), None, source.base_data, np.uint64(x.offset),
            copy.base_data, np.uint64(copy.offset // dtype.itemsize), lengths, steps,
            wait_for=list(x.events) + list(copy.events)))
    return take(copy, "x")  # type: ignore[return-value]


# ---------------------------------------------------------------- Buffers of a call

class Buffers:
    """The memory objects of one call: the caller's own, and temporary ones over arrays of the host."""

    def __init__(self, target: Any, context: Any):
        self.target, self.context = target, context
        self.made: list = []
        self.places: list = []

    def _create(self, flags: int, size: int, host: Any) -> Any:
        status = ffi.new("cl_int *")
        mem = cl.clCreateBuffer(self.context, flags, max(size, 1), host, status)
        if status[0]:
            fail(status[0], None, f"the device has no buffer of {size} bytes")
        self.made.append(mem)
        return mem

    def read(self, elements: Elements) -> Any:
        """The buffer of elements to read, and their offset in elements."""
        if isinstance(elements, Place):
            self.places.append(elements)
            return elements.mem, elements.offset
        if elements.size == 0:
            return NULL, 0
        source = ffi.from_buffer(elements)
        flags = _READ_ONLY | (_USE_HOST if self.target.unified else _COPY_HOST)
        return self._create(flags, elements.nbytes, source), 0

    def room(self, size: int) -> Any:
        return self._create(_READ_WRITE, size, NULL)

    def fetch(self, mem: Any, array: np.ndarray, blocking: int = 1) -> None:
        """Copies the first bytes of a buffer to an array. Waits for them, if `blocking`."""
        if array.nbytes:
            status = cl.clEnqueueReadBuffer(self.target.queue, mem, blocking, 0, array.nbytes, ffi.from_buffer(array),
                                            0, NULL, NULL)
            if status:
                fail(status, None, "the results could not be read from the device")

    def wait_list(self, more: Iterable = ()) -> "tuple[int, Any]":
        """What the call must wait for: the events of PyOpenCL's arrays, and `more`."""
        events = [event for place in self.places for event in place.events or ()] + list(more)
        return len(events), wait_list(events)

    def release(self) -> None:
        made, self.made = self.made, []
        for mem in made:
            cl.clReleaseMemObject(mem)

    def __del__(self) -> None:
        if not Process.closed:
            self.release()

    def __enter__(self) -> "Buffers":
        return self

    def __exit__(self, *_: Any) -> None:
        self.release()
