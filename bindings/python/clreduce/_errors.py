"""Statuses of the library and of OpenCL as exceptions."""
from typing import Any, NoReturn

from ._library import Error, ffi, lib


class ArgumentError(Error, ValueError):
    """An argument is wrong."""


class ElementTypeError(Error, TypeError):
    """The operator or the device has no such element type."""


class OutOfMemoryError(Error, MemoryError):
    """The host or the device has not enough memory."""


class ResultOverflowError(Error, OverflowError):
    """A sum of integers left its range; only with overflow="detect"."""


class ResultsError(Error, ArithmeticError):
    """The device gave wrong results, or found wrong offsets, heads or keys."""


_CLASSES = {
    "CLRED_INVALID_ARGUMENT": ArgumentError, "CLRED_INVALID_PROBLEM": ArgumentError,
    "CLRED_UNKNOWN_NAME": ArgumentError, "CLRED_OUT_OF_RANGE": ArgumentError,
    "CLRED_COUNT_ABOVE_MAXIMUM": ArgumentError, "CLRED_CONTEXT_MISMATCH": ArgumentError,
    "CLRED_STRATEGY_REFUSED": ArgumentError, "CLRED_OPERATOR_TEXT": ArgumentError,
    "CLRED_PARTIAL_MISMATCH": ArgumentError, "CLRED_PARTIAL_GAP": ArgumentError,
    "CLRED_PARTIAL_DAMAGED": ArgumentError, "CLRED_OPERATOR_TYPE": ElementTypeError,
    "CLRED_TYPE_NOT_SUPPORTED": ElementTypeError, "CLRED_OVERFLOW": ResultOverflowError,
    "CLRED_INVALID_SEGMENTS": ResultsError, "CLRED_WRONG_RESULT": ResultsError,
    "CL_OUT_OF_HOST_MEMORY": OutOfMemoryError, "CL_OUT_OF_RESOURCES": OutOfMemoryError,
    "CL_MEM_OBJECT_ALLOCATION_FAILURE": OutOfMemoryError, "CL_INVALID_BUFFER_SIZE": OutOfMemoryError,
}


def text_of(function: Any, *arguments: Any) -> str:
    """The text of a function that writes like snprintf."""
    size = function(*arguments, ffi.NULL, 0) + 1
    text = ffi.new("char[]", size)
    function(*arguments, text, size)
    return str(ffi.string(text).decode(errors="replace"))


def fail(status: int, runtime: Any = None, message: str = "") -> NoReturn:
    """Raises the exception of a status. Its message is the given one, or the runtime's last error."""
    name = ffi.string(lib.clred_status_name(status)).decode()
    if runtime and not message:
        message = text_of(lib.clred_copy_error, runtime)
    raise _CLASSES.get(name, Error)(message or "the call failed", status, name)
