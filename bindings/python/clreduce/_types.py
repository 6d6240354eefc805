"""NumPy's dtypes, the library's types, and OpenCL's names."""
from typing import Any

import numpy as np

from ._library import ArgumentError, ffi, lib

OPENCL_NAMES = {"int8": "char", "uint8": "uchar", "int16": "short", "uint16": "ushort", "int32": "int",
                "uint32": "uint", "int64": "long", "uint64": "ulong", "float16": "half", "float32": "float",
                "float64": "double", "bfloat16": "bfloat16", "complex64": "cfloat", "complex128": "cdouble"}


PAIRS = ("dot", "vdot")  # operators with a second input of the elements' type


def type_of_name(name: str) -> int:
    return int(lib.clred_type_from_name(name.encode()))


_DTYPES = {type_of_name(name): np.dtype(name) for name in OPENCL_NAMES if name != "bfloat16"}
_DTYPES[type_of_name("bfloat16")] = np.dtype("uint16")  # NumPy has no bfloat16: its bits


def type_of(dtype: Any, argument: str) -> int:
    """The library's type of a dtype, or of a name such as "float32", "bfloat16" or "float4"."""
    if isinstance(dtype, str) and type_of_name(dtype):
        return type_of_name(dtype)
    try:
        dtype = np.dtype(dtype)
    except TypeError:
        raise TypeError(f"{argument}: {dtype!r} is not a type; give a dtype of NumPy, or a type of OpenCL C") from None
    if not dtype.isnative:
        raise TypeError(f"{argument}: {dtype} has the bytes of another machine; give "
                        f"{argument}.astype({argument}.dtype.newbyteorder('='))")
    found = type_of_name("uint8" if dtype == np.bool_ else dtype.name)
    if not found:
        raise TypeError(f"{argument}: no reduction has elements of dtype {dtype}; convert them to one of "
                        f"{', '.join(OPENCL_NAMES)}, or write an Operator")
    return found


def op_of(name: Any) -> int:
    """An operator by its name in the library."""
    if not isinstance(name, str):
        raise TypeError(f"op: a {type(name).__name__} is not an operator; give a name, a list of names, or an Operator")
    found = int(lib.clred_op_from_name(name.encode()))
    if not found:
        raise ArgumentError(f"op: {name!r} is not an operator; docs/numerics.md lists them")
    return found


def dtype_of(kind: int) -> np.dtype:
    """The dtype of a type. Of a vector of n: n numbers; a vector of 3 has the size of 4."""
    base, n = _DTYPES[kind & 0xff], kind >> 8
    return np.dtype((base, (4 if n == 3 else n,))) if n else base


def opencl_name(dtype: Any, argument: str) -> str:
    """The name in OpenCL C of a dtype; a text stays as it is."""
    if isinstance(dtype, str) and not type_of_name(dtype):
        return dtype  # a type of the preamble, or members in braces
    if isinstance(dtype, str) and dtype not in OPENCL_NAMES:
        return dtype
    name = OPENCL_NAMES.get("uint8" if np.dtype(dtype) == np.bool_ else np.dtype(dtype).name)
    if name is None:
        raise TypeError(f"{argument}: {dtype} has no name in OpenCL C; give the name of a type of your preamble")
    return name


def enum_value(ctype: Any, value: Any, argument: str) -> int:
    """The value of an enum by the end of its name: "any" of clred_order is CLRED_ORDER_ANY."""
    if ctype.cname == "clred_type":
        return type_of(value, argument)
    names = {name.split("_", 2)[2].lower(): number for number, name in sorted(ctype.elements.items())}
    if str(value).lower() not in names:
        raise ArgumentError(f"{argument}: {value!r} is unknown; give one of {', '.join(names)}")
    return int(names[str(value).lower()])


def set_number(struct: Any, field: str, value: Any, argument: str) -> None:
    try:
        setattr(struct, field, value)
    except (OverflowError, TypeError) as error:
        raise ArgumentError(f"{argument}: {value!r} is not possible; give a number that is not negative") from error


def set_fields(struct: Any, fields: dict, keep: list) -> None:
    """Sets fields of a struct by their names: texts, enums by name, and numbers. `keep` gets what must stay alive."""
    known = dict(ffi.typeof(struct).item.fields)
    for name, value in fields.items():
        if name not in known:
            raise TypeError(f"{name}: no such argument; arguments of a plan are fields of clred_problem in clreduce.h")
        kind = known[name].type
        if kind.kind == "enum":
            setattr(struct, name, enum_value(kind, value, name))
        elif kind.kind == "pointer" and kind.item.cname == "char":
            if value is not None:
                keep.append(ffi.new("char[]", str(value).encode()))
                setattr(struct, name, keep[-1])
        elif kind.kind == "primitive":
            set_number(struct, name, value, name)
        else:
            raise TypeError(f"{name}: give it to the function or the Operator, not as an option of the plan")
