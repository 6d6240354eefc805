"""The shared libraries, the lifetime of their objects, and the checks before every call.

An object of the library is a Handle. A parent is released after its children, in whatever order Python's garbage
collector finalizes them.
"""
import atexit
import ctypes.util
import os
import threading
import time
from typing import Any, Callable, NoReturn, Optional

from cffi import FFI

from ._declarations import CLREDUCE, HEADER_VERSION, OPENCL

ffi: Any = FFI()
ffi.cdef(OPENCL + CLREDUCE)
NULL = ffi.NULL
HEADER = HEADER_VERSION
EXIT_PATIENCE = 10.0  # seconds that the end of the interpreter waits for calls in flight


def _open(variable: str, short: str, names: list) -> "tuple[Any, str]":
    chosen = os.environ.get(variable)
    found = ctypes.util.find_library(short)
    reasons = []
    for name in [chosen] if chosen else names + [found] * bool(found):
        try:
            return ffi.dlopen(name), name
        except OSError as error:
            reasons.append(str(error).split(".  Additionally", maxsplit=1)[0])
    raise ImportError(f"{reasons[0]}; install the C library, or set {variable} to its path")


lib, LIBRARY = _open("CLREDUCE_LIBRARY", "clreduce", ["libclreduce.so.0.1", "libclreduce.so", "libclreduce.dylib"])
cl, _ = _open("CLREDUCE_OPENCL", "OpenCL", ["libOpenCL.so.1", "libOpenCL.so"])


class Error(RuntimeError):
    """A call failed. `status` is the number of the status, `name` its name in C, such as "CLRED_OUT_OF_RANGE";
    both are None if the module itself refused the call. Also a ValueError, TypeError, MemoryError or OverflowError
    where one of these fits."""

    def __init__(self, message: str, status: "int | None" = None, name: "str | None" = None):
        super().__init__(f"{message} ({name})" if name else message)
        self.status, self.name = status, name


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


class Process:
    """What this process has done so far."""
    pid: Optional[int] = None  # of the process that opened a device; None: no device is open
    forked = False  # this process is a fork of one that had opened a device
    closed = False  # the library must not be called: after a fork, or while the interpreter ends
    busy: set = set()     # calls that run in some thread
    pending: set = set()  # events of calls that may be in flight: each keeps the memory of its call


def _mark_fork() -> None:
    Process.forked = Process.closed = Process.pid is not None
    Process.busy.clear()


os.register_at_fork(after_in_child=_mark_fork)


def check_process() -> None:
    """Raises an Error if this process must not call the library. Fast calls read `closed` themselves."""
    if Process.pid is not None and Process.pid != os.getpid():
        Process.forked = Process.closed = True
    if Process.forked:
        raise Error("fork: this process was forked after clreduce had opened a device, and drivers do not survive a "
                    "fork; start processes with multiprocessing's 'spawn', or call clreduce in the child only")
    if Process.closed:
        # Besides the main thread only daemon threads still run. They sleep until the process ends: Python would print
        # their exception, and abort if another thread holds the lock of stderr.
        while threading.current_thread() is not threading.main_thread():
            time.sleep(EXIT_PATIENCE)
        raise Error("exit: the interpreter is ending; finish calls before it ends")


class Calling:
    """`with Calling():` surrounds a call of the library. The end of the interpreter waits for such calls. The call is
    added to Process.busy before `closed` is read: so either this thread sees `closed`, or _end() sees the call."""

    def __enter__(self) -> None:
        Process.busy.add(self)
        if Process.closed:
            Process.busy.discard(self)
            check_process()

    def __exit__(self, *_: Any) -> None:
        Process.busy.discard(self)


def open_process() -> None:
    """Called before the first call of OpenCL."""
    check_process()
    Process.pid = os.getpid()


_lock = threading.RLock()  # the garbage collector may run a finalizer while this thread has the lock


class Handle:
    """A pointer of the library. It is released by `release` when Python has collected the handle and all its children.
    `users` counts the children, plus 1 until the handle itself is collected. A running call keeps a reference to the
    handle."""
    __slots__ = ("pointer", "release", "parent", "users")

    def __init__(self, pointer: Any, release: Callable, parent: "Optional[Handle]" = None):
        self.pointer, self.release, self.parent, self.users = pointer, release, parent, 1
        if parent is not None:
            with _lock:
                parent.users += 1

    def _drop(self) -> None:
        if Process.closed:
            return
        with _lock:
            self.users -= 1
            last = self.users == 0
        if last:
            self.release(self.pointer)
            if self.parent is not None:
                self.parent._drop()

    __del__ = _drop


class Owner:
    """An object with a Handle."""
    _handle: Any = None

    def release(self) -> None:
        """Frees the memory now rather than when Python collects the object. The object cannot be used afterwards."""
        self._handle = None

    def _held(self) -> Handle:
        check_process()
        handle = self._handle
        if handle is None:
            raise ValueError(f"{type(self).__name__}: it was released; make a new one")
        return handle  # type: ignore[no-any-return]

    @property
    def _pointer(self) -> Any:
        return self._held().pointer


SAVERS: list = []  # functions that the end of the interpreter calls, once no call is in flight


def _end() -> None:
    """Waits for calls in flight, so that no driver works on memory that the end of the interpreter frees."""
    if Process.forked:
        return
    Process.closed = True
    limit = time.monotonic() + EXIT_PATIENCE
    while Process.busy or any(not event.done for event in tuple(Process.pending)):
        if time.monotonic() > limit:
            # Some call cannot complete, for example because it waits for a user event. Its memory must outlive the
            # interpreter.
            ctypes.pythonapi.Py_IncRef(ctypes.py_object(Process.pending))
            return
        time.sleep(0.001)
    for save in SAVERS:
        save()


atexit.register(_end)
