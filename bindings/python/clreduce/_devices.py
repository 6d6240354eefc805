"""Devices; and for each call the target on which it runs: a queue and its runtime."""
import os
import sys
import threading
import warnings
from typing import Any, Optional

from ._library import (HEADER, LIBRARY, NULL, SAVERS, ArgumentError, Error, Handle, check_process, cl, fail, ffi, lib,
                       open_process)

_NO_PLATFORM = -1001  # CL_PLATFORM_NOT_FOUND_KHR
_DEVICE_NOT_FOUND = -1
_ALL_TYPES = 0xFFFFFFFF
_TYPES = {2: "cpu", 4: "gpu", 8: "accelerator", 16: "custom"}
_NAME, _VENDOR, _VERSION = 0x102B, 0x102C, 0x102F
_TYPE, _UNITS, _MEMORY, _UNIFIED, _PLATFORM_NAME = 0x1000, 0x1002, 0x101F, 0x1035, 0x0902
_QUEUE_CONTEXT, _QUEUE_DEVICE = 0x1090, 0x1091
_QUEUES_KEPT = 64  # the largest number of PyOpenCL queues in _targets

_lock = threading.RLock()  # some drivers cannot be initialised by two threads at once


def _check(status: int, message: str) -> None:
    if status:
        fail(status, None, message)


def ask(function: Any, thing: Any, query: int, kind: str) -> Any:
    """One number or handle of clGet...Info."""
    value = ffi.new(f"{kind} *")
    _check(function(thing, query, ffi.sizeof(kind), value, NULL), "OpenCL: a query failed")
    return value[0]


def _text(function: Any, thing: Any, query: int) -> str:
    size = ffi.new("size_t *")
    _check(function(thing, query, 0, NULL, size), "OpenCL: a query failed")
    text = ffi.new("char[]", size[0] + 1)
    function(thing, query, size[0], text, NULL)
    return str(ffi.string(text).decode(errors="replace").strip())


def _cache_directory() -> str:
    """The user's cache directory; "" if there is none that belongs to the user."""
    named = os.environ.get("XDG_CACHE_HOME", "")
    directory = named if os.path.isabs(named) else os.path.join(os.environ.get("HOME", ""), ".cache")
    try:
        os.makedirs(directory, mode=0o700, exist_ok=True)
        return directory if not hasattr(os, "geteuid") or os.stat(directory).st_uid == os.geteuid() else ""
    except OSError:
        return ""


def _kept(variable: str, place: str) -> str:
    """The path of a file that the command-line tool uses, too: compiled programs, tunings."""
    chosen, directory = os.environ.get(variable, ""), _cache_directory()
    if chosen:
        return "" if chosen == "off" else chosen
    return os.path.join(directory, place) if directory else ""


class Target:
    """A queue, and the runtime of its context and device."""
    __slots__ = ("queue", "runtime", "unified", "_handle")

    def __init__(self, queue: Handle, runtime: Handle, unified: bool):
        self._handle, self.queue, self.runtime, self.unified = queue, queue.pointer, runtime, unified


_runtimes: "dict[tuple, Handle]" = {}  # (context, device) -> Handle
_targets: "dict[int, Target]" = {}   # the address of a retained queue -> Target
_devices: "list[Device]" = []
_default: "list[Device]" = []
SHORT_WAYS: dict = {}  # (function, dtype, ...) -> what reduces such an array
SORTERS: dict = {}  # (target, type, form, ...) -> what sorts such rows


def _save() -> None:
    for runtime in _runtimes.values():
        lib.clred_runtime_save_cache(runtime.pointer)


SAVERS.append(_save)


def _restore_lists() -> None:
    # OpenCL loaders cut these lists at the first separator, in the environment's own memory. The process that tries
    # programs needs the whole lists.
    for name in ("OCL_ICD_FILENAMES", "OPENCL_LAYERS"):
        if name in os.environ:
            os.environ[name] = os.environ[name]


def _runtime(context: Any, device: Any) -> Handle:
    key = (int(ffi.cast("intptr_t", context)), int(ffi.cast("intptr_t", device)))
    if key not in _runtimes:
        texts = [ffi.new("char[]", _kept(*place).encode()) for place in (
            ("CLREDUCE_CACHE_DIR", "clreduce"), ("CLREDUCE_TUNING", "clreduce/tuning.txt"))]
        if os.environ.get("CLREDUCE_FINDINGS", "") not in ("", "off"):
            warnings.warn("CLREDUCE_FINDINGS is not read: every program is tried before its first result")
        error, made = ffi.new("char[]", 1024), ffi.new("clred_runtime **")
        options = ffi.new("clred_options *", {"cache_directory": texts[0], "error": error, "error_size": 1024})
        options.tuning_file = texts[1] if texts[1][0] != b"\0" else NULL
        options.trust_driver = os.environ.get("CLREDUCE_TRUST_DRIVER", "") not in ("", "0")
        options.device_only = os.environ.get("CLREDUCE_DEVICE_ONLY", "") not in ("", "0")
        seconds = os.environ.get("CLREDUCE_TRIAL_SECONDS", "")
        options.trial_seconds = min(int(seconds), 2 ** 31) if seconds.isdecimal() else 0
        # Another process tries programs, so that a driver that crashes does not end this one. -I and -S: that process
        # needs only the C library.
        words = [ffi.new("char[]", os.fsencode(word)) for word in (
            sys.executable, "-I", "-S", os.path.join(os.path.dirname(__file__), "_trials.py"), LIBRARY)]
        command = ffi.new("char *[]", words + [NULL])
        # If Python is embedded, sys.executable may be the application.
        is_python = not getattr(sys, "frozen", False) and os.path.basename(sys.executable or "").startswith("python")
        options.trial_command = ffi.cast("char **", command) if is_python else NULL
        _restore_lists()
        status = lib.clred_runtime_create_v(HEADER, context, device, options, made)
        _check(status, ffi.string(error).decode(errors="replace"))
        _runtimes[key] = Handle(made[0], lib.clred_runtime_release)
    return _runtimes[key]


def _target(queue: Handle, context: Any, device: Any) -> Target:
    return Target(queue, _runtime(context, device), bool(ask(cl.clGetDeviceInfo, device, _UNIFIED, "cl_bool")))


class Device:
    """An OpenCL device. `devices()` lists them. Give it, its index or a part of its name as `on`."""

    def __init__(self, index: int, platform: Any, device: Any):
        self._id = device
        self._made: Optional[Target] = None
        self.index = index
        self.name: str = _text(cl.clGetDeviceInfo, device, _NAME)
        self.platform: str = _text(cl.clGetPlatformInfo, platform, _PLATFORM_NAME)
        self.vendor: str = _text(cl.clGetDeviceInfo, device, _VENDOR)
        self.version: str = _text(cl.clGetDeviceInfo, device, _VERSION)
        kinds = ask(cl.clGetDeviceInfo, device, _TYPE, "cl_bitfield")
        self.type: str = next((name for bit, name in _TYPES.items() if kinds & bit), "other")
        self.compute_units: int = ask(cl.clGetDeviceInfo, device, _UNITS, "cl_uint")
        self.memory: int = ask(cl.clGetDeviceInfo, device, _MEMORY, "cl_ulong")  # bytes

    def __repr__(self) -> str:
        return f"<Device {self.index}: {self.name} ({self.type}, {self.platform})>"

    def _target(self) -> Target:
        with _lock:
            if self._made is None:
                status, one = ffi.new("cl_int *"), ffi.new("cl_device_id[1]", [self._id])
                context = cl.clCreateContext(NULL, 1, one, NULL, NULL, status)
                _check(status[0], f"{self.name}: no context can be made")
                owner = Handle(context, cl.clReleaseContext)
                queue = cl.clCreateCommandQueue(context, self._id, 0, status)
                _check(status[0], f"{self.name}: no queue can be made")
                self._made = _target(Handle(queue, cl.clReleaseCommandQueue, owner), context, self._id)
            return self._made


def _list_devices() -> list:
    count = ffi.new("cl_uint *")
    status = cl.clGetPlatformIDs(0, NULL, count)
    _check(0 if status == _NO_PLATFORM else status, "OpenCL: the platforms cannot be listed")
    platforms = ffi.new("cl_platform_id[]", max(1, count[0]))
    cl.clGetPlatformIDs(count[0], platforms, NULL)
    found: list = []
    for platform in platforms[0:count[0]] if count[0] else ():
        status = cl.clGetDeviceIDs(platform, _ALL_TYPES, 0, NULL, count)
        if status == _DEVICE_NOT_FOUND:
            continue
        _check(status, "OpenCL: the devices cannot be listed")
        ids = ffi.new("cl_device_id[]", max(1, count[0]))
        cl.clGetDeviceIDs(platform, _ALL_TYPES, count[0], ids, NULL)
        found += [(platform, device) for device in ids[0:count[0]]]
    return [Device(index, *ids) for index, ids in enumerate(found)]


def devices() -> "list[Device]":
    """All OpenCL devices of this machine."""
    with _lock:
        open_process()
        if not _devices:
            _devices.extend(_list_devices())
        return list(_devices)


def find_device(wanted: Any) -> Device:
    listed = devices()
    if not listed:
        raise Error("OpenCL: there is no device; install a driver, such as pocl-opencl-icd for the processor")
    if isinstance(wanted, str):
        for device in listed:
            if wanted.lower() in f"{device.name} {device.platform}".lower():
                return device
    elif isinstance(wanted, int) and not isinstance(wanted, bool) and 0 <= wanted < len(listed):
        return listed[wanted]
    raise ArgumentError(f"on: no device is {wanted!r}; devices are " + ", ".join(map(repr, listed)))


def use(device: Any = None) -> Device:
    """Sets the device for arrays in host memory, and returns it. `device` is a Device, its index, or a part of its name
    or platform. None: the device in the environment variable CLREDUCE_DEVICE (index or name); without it the first GPU,
    or else the first device."""
    check_process()
    if device is None and os.environ.get("CLREDUCE_DEVICE"):
        device = os.environ["CLREDUCE_DEVICE"]
        device = int(device) if device.isdigit() else device
    if device is None:
        device = next((d for d in devices() if d.type == "gpu"), 0)
    chosen = device if isinstance(device, Device) else find_device(device)
    _default[:] = [chosen]
    SHORT_WAYS.clear()
    return chosen


def _queue_target(queue: Any) -> Target:
    """The target of a PyOpenCL queue. Retains the queue: its address is a key of _targets, so no other queue may get
    it."""
    pointer = ffi.cast("cl_command_queue", queue.int_ptr)
    with _lock:
        open_process()
        context = ask(cl.clGetCommandQueueInfo, pointer, _QUEUE_CONTEXT, "cl_context")
        device = ask(cl.clGetCommandQueueInfo, pointer, _QUEUE_DEVICE, "cl_device_id")
        _check(cl.clRetainCommandQueue(pointer), "on: the queue cannot be used")
        while len(_targets) >= _QUEUES_KEPT:
            del _targets[next(iter(_targets))]
        _targets[queue.int_ptr] = _target(Handle(pointer, cl.clReleaseCommandQueue), context, device)
        return _targets[queue.int_ptr]


def target_of(on: Any) -> Target:
    """Where a call with this argument `on` runs."""
    if isinstance(on, Target):
        return on
    if on is None:
        return (_default[0] if _default else use())._target()
    pointer = getattr(on, "int_ptr", None)
    if pointer is None:
        return (on if isinstance(on, Device) else find_device(on))._target()
    known: Optional[Target] = _targets.get(pointer)
    if known is None and not (hasattr(on, "device") and hasattr(on, "context")):
        raise TypeError(f"on: a {type(on).__name__} is not a queue; give a pyopencl.CommandQueue or a Device")
    return known or _queue_target(on)
