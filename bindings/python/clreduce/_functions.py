"""Reductions and scans: reduce(), scan(), and functions by name with the results that NumPy users expect."""
from typing import Any, Callable, Mapping, Optional, Protocol

import numpy as np

from ._arrays import ndarray
from ._axes import arrange
from ._calls import _elements, one_call, plan_for, target_for
from ._devices import SHORT_WAYS
from ._library import ArgumentError, check_process
from ._rows import begun, fill, masked, refuse_empty
from ._run import line, rows_way


def _call(what: Any, x: Any, axis: Any, *, where: Any = None, initial: Any = None, out: Any = None,
          **arguments: Any) -> Any:
    """One reduction or scan of any kind."""
    check_process()
    if isinstance(out, ndarray) and not out.flags.c_contiguous and out.flags.writeable:
        whole = np.array(out, order="C")
        result = _call(what, x, axis, where=where, initial=initial, out=whole, **arguments)
        out[...] = whole
        return (result[0], out[:len(result[1])]) if isinstance(result, tuple) else out
    if "scan" in arguments:
        if where is not None:
            raise TypeError("where: a scan leaves no elements out; give x[where]")
        return one_call(what, x, axis, initial=initial, out=out, **arguments)
    if initial is not None:
        return begun(what, x, axis, initial, out, where=where, **arguments)
    if where is not None:
        return masked(what, x, axis, where, out=out, **arguments)
    return one_call(what, x, axis, out=out, **arguments)


def reduce(op: Any, x: Any, axis: Any = None, *, keepdims: bool = False, dtype: Any = None, inputs: Any = (),
           parameters: Optional[Mapping] = None, segments: Any = None, keys: Any = None, initial: Any = None,
           where: Any = None, out: Any = None, type: Any = None, on: Any = None, **options: Any) -> Any:
    """The reduction of `x` by an operator.

    op          a name ("sum", "argmin", "stats", ...: docs/numerics.md), a list of names (one pass over the elements;
                the result has a part for each), or an Operator
    x           a NumPy array, anything with __array_interface__ or DLPack in host memory, or a PyOpenCL array or
                buffer
    axis        a number or a tuple of numbers; None: all elements as one row
    keepdims    reduced axes stay, with length 1
    dtype       of the results; the library computes in it, or the elements are converted to it first
    inputs      the operator's further inputs: a list, or a dict by name
    parameters  values of the operator's parameters, by name
    segments    offsets; row i has the elements from segments[i] to segments[i + 1] - 1
    keys        one key per element: each run of equal keys is a row. Returns the keys and the results
    initial     a value that is joined with the result of each row (sum, prod, min, max, bitwise operators)
    where       truth values: which elements to reduce. The shape of x, or one that NumPy can broadcast to it
    out         a NumPy or PyOpenCL array that gets the results
    type        the type of elements in a pyopencl.Buffer, such as "float32"; or a vector, such as "float4"
    on          a Device, its index or name, or a PyOpenCL queue
    options     fields of clred_problem: nan="ignore", order="any", overflow="detect", strategy="wide", ...

    Returns a NumPy scalar or array. Operators with several parts return structs: reduce("minmax", x)["max"]."""
    return _call(op, x, axis, keepdims=keepdims, dtype=dtype, inputs=inputs, parameters=parameters, segments=segments,
                 keys=keys, initial=initial, where=where, out=out, type=type, on=on, **options)


def scan(op: Any, x: Any, axis: Any = None, *, exclusive: bool = False, reversed: bool = False, initial: Any = None,
         dtype: Any = None, inputs: Any = (), parameters: Optional[Mapping] = None, segments: Any = None,
         keys: Any = None, out: Any = None, type: Any = None, on: Any = None, **options: Any) -> Any:
    """The scan of `x`: result i is the combination of elements 0 to i. As reduce(), and:

    exclusive   result i is the combination of elements 0 to i - 1
    reversed    from the last element to the first
    initial     a state before the first element
    out         may be `x` itself if results have the size of elements

    The scan of a PyOpenCL array is a PyOpenCL array. Without an axis the result has one dimension."""
    if reversed:
        options["reversed"] = 1
    return _call(op, x, axis, scan="exclusive" if exclusive else "inclusive", initial=initial, dtype=dtype,
                 inputs=inputs, parameters=parameters, segments=segments, keys=keys, out=out, type=type, on=on,
                 **options)


class Reduction(Protocol):
    """A reduction by name. Its arguments are those of reduce() without the operator."""

    def __call__(self, x: Any, axis: Any = None, *, keepdims: bool = False, dtype: Any = None, segments: Any = None,
                 keys: Any = None, initial: Any = None, where: Any = None, out: Any = None, type: Any = None,
                 on: Any = None, **options: Any) -> Any: ...


class Extreme(Protocol):
    """A reduction that is not defined for rows without elements. `empty` is the result of such rows; None: they are
    refused. Other arguments are those of reduce() without the operator."""

    def __call__(self, x: Any, axis: Any = None, *, empty: Any = None, keepdims: bool = False, dtype: Any = None,
                 segments: Any = None, keys: Any = None, initial: Any = None, where: Any = None, out: Any = None,
                 type: Any = None, on: Any = None, **options: Any) -> Any: ...


_SHORT_KEPT = 256
Change = Callable[[Any, np.dtype], Any]  # makes the user's result from the library's; gets the dtype of the elements


def _as_element(result: Any, dtype: np.dtype) -> Any:
    return result if result.dtype == dtype else result.astype(dtype)  # truth values, and halves: nothing is lost


def _own(change: Optional[Change], dtype: np.dtype) -> dict:
    """Options for results with the type of the elements. Converting 64-bit results is not enough: the identity of the
    wide type, converted, is not that of the element type."""
    return {"result_bits": "own"} if change is _as_element and dtype.kind in "iub" and dtype.itemsize < 8 else {}


def _as_bool(result: Any, dtype: np.dtype) -> Any:
    return result.astype(np.bool_)


def _index(result: Any, dtype: np.dtype) -> Any:
    return result["index"].astype(np.int64)


def _as_int(result: Any, dtype: np.dtype) -> Any:
    return result.astype(np.int64)


def _as_sum(result: Any, dtype: np.dtype) -> Any:
    return result.astype(np.int64) if dtype == np.bool_ else result


def _key(op: str, x: Any, axis: Any) -> Any:
    """The key of an array in SHORT_WAYS, or None if such arrays take the general way."""
    if x.__class__ is np.ndarray:
        if axis is None:
            return op, x.dtype
        return (op, x.dtype, x.shape, axis) if axis.__class__ is int and x.flags.c_contiguous and x.size else None
    if axis is not None:
        return None
    queue = getattr(x, "queue", None)
    if queue is None or len(x.shape) != 1:
        return None
    dtype = x.dtype
    if x.strides[0] != dtype.itemsize or x.offset % dtype.itemsize or x.base_data is None:
        return None
    return op, dtype, queue.int_ptr


def _shorten(key: tuple, op: str, x: Any, change: Optional[Change]) -> None:
    """Later calls over arrays with this key take a short way: a function of the array alone."""
    while len(SHORT_WAYS) >= _SHORT_KEPT:
        SHORT_WAYS.pop(next(iter(SHORT_WAYS)))
    dtype, target, layout = x.dtype, target_for(None, x), line(x.size)
    if len(key) == 4:
        layout = arrange(x, (), x.shape, key[3], False, False, None).layout
    plan = plan_for(op, x, target, {**({} if len(key) == 3 else {"host_calls": 1}), **_own(change, dtype),
                                    **({"layout": layout.name} if layout.shape else {})})
    way: Callable = plan.reduce_buffer if len(key) == 3 else plan.reduce_array
    if layout.shape:
        way = rows_way(plan, layout)
    if change is None or (change is _as_element and plan.result_dtype == dtype) or (
            change is _as_sum and dtype != np.bool_):
        SHORT_WAYS[key] = way
    else:
        SHORT_WAYS[key] = lambda array: change(way(array), dtype)


def _changed(result: Any, change: Change, dtype: np.dtype, keys: Any) -> Any:
    return (result[0], change(result[1], dtype)) if keys is not None else change(result, dtype)


def _extreme(name: str, op: str, summary: str, change: Optional[Change] = None) -> Extreme:
    plain, hint = _named(name, op, summary, change), f", or reduce({op!r}, x), which gives the identity"

    def function(x: Any, axis: Any = None, *, empty: Any = None, **arguments: Any) -> Any:
        if (axis is None or x.__class__ is np.ndarray) and empty is None and not arguments and getattr(x, "size", 0):
            result = plain(x, axis)
            if change is not _index or axis is not None or result >= 0:
                return result
        if arguments.get("initial") is not None:
            if empty is not None:
                raise ArgumentError("empty, initial: rows that begin with a value are not empty; give one of them")
            return plain(x, axis, **arguments)
        bad = np.zeros(0, np.bool_)

        def check(rows: np.ndarray) -> None:
            nonlocal bad
            bad = rows
            if empty is None:
                refuse_empty(name, hint, bad)

        result = plain(x, axis, check=check, **arguments)
        values = result[1] if isinstance(result, tuple) else result
        if change is _index and values.dtype == np.int64:  # otherwise the caller wants structs
            bad = np.atleast_1d(values).reshape(-1) < 0
            if empty is None:
                refuse_empty(name, hint, bad, "only elements that are ignored")
        if empty is None or not bad.size:
            return result
        filled = fill(values, bad, empty)
        return (result[0], filled) if isinstance(result, tuple) else filled

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"{summary} Arguments are those of reduce(), and empty: the result of rows without elements."
    return function


def _named(name: str, op: str, summary: str, change: Optional[Change] = None) -> Reduction:
    def function(x: Any, axis: Any = None, *, keepdims: bool = False, dtype: Any = None, segments: Any = None,
                 keys: Any = None, out: Any = None, type: Any = None, on: Any = None, **options: Any) -> Any:
        key = None
        if on is None and not (keepdims or options) and dtype is None and segments is None and \
           keys is None and out is None and type is None:
            key = _key(op, x, axis)
            way = SHORT_WAYS.get(key)
            if way is not None:
                return way(x)
        elements, _, _ = _elements(x, type, "kept")
        if dtype is not None and change in (_as_bool, _index, _as_int):
            raise TypeError(f"dtype: {name} has results of one dtype; leave it out")
        if change is _as_sum and elements.dtype == np.bool_ and options.get("initial") is not None:
            dtype = dtype or np.int64
        if dtype is None and (out is None or getattr(out, "dtype", None) == elements.dtype):
            options = {**_own(change, elements.dtype), **options}
        result = _call(op, x, axis, keepdims=keepdims, dtype=dtype, segments=segments, keys=keys, out=out, type=type,
                       on=on, **options)
        if key is not None:
            _shorten(key, op, elements, change)
        if change is not None and out is None and dtype is None:
            return _changed(result, change, elements.dtype, keys)
        return result

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"{summary} Arguments are those of reduce()."
    return function


sum = _named("sum", "sum", "The sum. Sums of integers have 64 bits; floats are summed in a fixed tree (docs/order.md).",
             _as_sum)
prod = _named("prod", "prod", "The product. Products of integers have 64 bits.", _as_sum)
min = _extreme("min", "min", "The smallest element.", _as_element)
max = _extreme("max", "max", "The largest element.", _as_element)
all = _named("all", "all", "True if no element is zero.", _as_bool)
any = _named("any", "any", "True if some element is not zero.", _as_bool)
bitwise_and = _named("bitwise_and", "and", "Bitwise and.", _as_element)
bitwise_or = _named("bitwise_or", "or", "Bitwise or.", _as_element)
bitwise_xor = _named("bitwise_xor", "xor", "Bitwise exclusive or.", _as_element)
count_nonzero = _named("count_nonzero", "count_nonzero", "How many elements are not zero.", _as_int)
argmin = _extreme("argmin", "argmin", 'The index of the first smallest element. reduce("argmin", x) also has its '
                  'value.', _index)
argmax = _extreme("argmax", "argmax", 'The index of the first largest element. reduce("argmax", x) also has its '
                  'value.', _index)
minmax = _extreme("minmax", "minmax", 'The smallest and the largest element: parts "min" and "max".')
mean = _named("mean", "mean", "The arithmetic mean.")
norm1 = _named("norm1", "norm1", "The sum of magnitudes.")
norm2 = _named("norm2", "norm2", "The Euclidean norm, without overflow of the squares.")
sumsq = _named("sumsq", "sumsq", "The sum of squares.")
logsumexp = _named("logsumexp", "logsumexp", "The logarithm of the sum of exponentials.")
stats = _named("stats", "stats", 'Parts "count", "nan_count", "min", "max", "min_index", "max_index", "mean", "var", '
               '"sum".')
_var = (_named("var", "var", "The variance."), _named("var", "var_sample", "The variance."))
_std = (_named("std", "std", "The standard deviation."), _named("std", "std_sample", "The standard deviation."))


def _by_ddof(functions: tuple, ddof: int) -> Reduction:
    if ddof not in (0, 1):
        raise ArgumentError(f"ddof: {ddof} is not possible; give 0 for a population or 1 for a sample")
    return functions[ddof]  # type: ignore[no-any-return]


def var(x: Any, axis: Any = None, *, ddof: int = 0, **arguments: Any) -> Any:
    """The variance, of a population (ddof=0) or estimated from a sample (ddof=1). Other arguments as reduce()."""
    return _by_ddof(_var, ddof)(x, axis, **arguments)


def std(x: Any, axis: Any = None, *, ddof: int = 0, **arguments: Any) -> Any:
    """The standard deviation, of a population (ddof=0) or estimated from a sample (ddof=1). Other arguments as
    reduce()."""
    return _by_ddof(_std, ddof)(x, axis, **arguments)


def _products(op: str, x: Any, y: Any, axis: Any, arguments: dict) -> Any:
    if getattr(x, "shape", None) != getattr(y, "shape", None):
        raise ArgumentError(f"y: has the shape {getattr(y, 'shape', None)}, and x has {getattr(x, 'shape', None)}; "
                            "give arrays of one shape")
    return reduce(op, x, axis, inputs=[y], **arguments)


def dot(x: Any, y: Any, axis: Any = None, **arguments: Any) -> Any:
    """The sum of products of the elements of `x` and `y`, which have the same shape. Other arguments as reduce()."""
    return _products("dot", x, y, axis, arguments)


def vdot(x: Any, y: Any, axis: Any = None, **arguments: Any) -> Any:
    """The same with the complex conjugates of the elements of `x`."""
    return _products("vdot", x, y, axis, arguments)


def _cumulative(op: str, x: Any, axis: Any, arguments: dict) -> Any:
    result = _call(op, x, axis, scan="inclusive", **arguments)
    if arguments.get("out") is None and arguments.get("dtype") is None and result.dtype == np.uint64:
        elements, _, _ = _elements(x, arguments.get("type"), "kept")
        return result.view(np.int64) if elements.dtype == np.bool_ else result
    return result


def cumsum(x: Any, axis: Any = None, **arguments: Any) -> Any:
    """Sums of the elements up to each. Other arguments as scan()."""
    return _cumulative("sum", x, axis, arguments)


def cumprod(x: Any, axis: Any = None, **arguments: Any) -> Any:
    """Products of the elements up to each. Other arguments as scan()."""
    return _cumulative("prod", x, axis, arguments)
