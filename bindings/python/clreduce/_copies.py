"""Copies of PyOpenCL arrays on the device, with other orders of their axes, and of other types."""
from typing import Any, Optional

import numpy as np

from ._arrays import Place, take
from ._errors import ArgumentError
from ._types import opencl_name

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
    """Axes after each other, as pairs of length and step: those that one step leads along are one."""
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
    """The kernel's types, and how an element becomes a result. A complex number is a vector of two."""
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
