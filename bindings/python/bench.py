#!/usr/bin/env python3
"""The time of a call from C, from Python, and by PyOpenCL, for sums of 2^10, 2^16 and 2^24 floats in a device buffer.

usage: bench.py [REPEATS]      (default: 15 turns; each turn measures all sides one after the other)

Times are medians over all calls of all turns, in microseconds. `C` is a loop in C, compiled by cc, around the same call
of the library. `C, pausing` computes between two calls, outside the measured time, for as long as Python does: threads
of a driver fall asleep in the meantime, and the next call wakes them. All sides end with the sum in host memory.

How long Python computes is measured apart: the library's function is replaced by a C function that returns at once,
and the least processor time of 600 rounds of 100 calls is taken.
"""
import os
import statistics
import subprocess
import sys
import tempfile
import time
import timeit

import numpy as np
import pyopencl as cl
import pyopencl.array
from pyopencl.reduction import ReductionKernel

import clreduce
from clreduce import _short
from clreduce._arrays import take
from clreduce._library import HEADER, ffi, lib

LOOP = """
#include <time.h>
typedef int enqueue(unsigned, void *, void *, void *, unsigned, void *, void *);
static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1e6 + time.tv_nsec * 1e-3;
}
int loop(enqueue *call, unsigned header, void *queue, void *plan, void *what, unsigned waits, void *events, double pause,
         double *times, int count) {
  int status = 0;
  for (int i = 0; i < count && !status; i++) {
    const double start = now();
    status = call(header, queue, plan, what, waits, events, 0);
    const double end = now();
    times[i] = end - start;
    while (now() < end + pause)
      continue;
  }
  return status;
}
int enqueue_nothing(unsigned a, void *b, void *c, void *d, unsigned e, void *f, void *g) { return 0; }
int run_nothing(unsigned a, void *b, void *c, void *d) { return 0; }
"""


def compiled_loop():
    """The loop in C as a function."""
    folder = tempfile.mkdtemp()
    source, library = os.path.join(folder, "loop.c"), os.path.join(folder, "loop.so")
    with open(source, "w", encoding="ascii") as file:
        file.write(LOOP)
    subprocess.run(["cc", "-O2", "-shared", "-fPIC", source, "-o", library], check=True)
    declared = type(ffi)()
    declared.include(ffi)
    declared.cdef("""int loop(void *, unsigned, void *, void *, void *, unsigned, void *, double, double *, int);
      int enqueue_nothing(cl_uint, cl_command_queue, clred_plan *, const clred_call *, cl_uint, const cl_event *,
                          cl_event *);
      int run_nothing(cl_uint, cl_command_queue, clred_plan *, const clred_host_call *);""")
    return declared, declared.dlopen(library)


DECLARED, C = compiled_loop()


def c_calls(queue, on_device, pause):
    """Calls of the library from C."""
    plan, place = clreduce.Plan("sum", "float32", on=queue), take(on_device, "x")
    result, call = np.empty(1, np.float32), ffi.new("clred_call *")
    call.in_, call.count, call.result, call.blocking = place.mem, place.size, ffi.from_buffer(result), 1
    events = ffi.new("cl_event[]", [ffi.cast("cl_event", event.int_ptr) for event in on_device.events])
    address = [DECLARED.cast("void *", int(ffi.cast("intptr_t", pointer))) for pointer in (
        ffi.addressof(lib, "clred_enqueue_v"), plan.target.queue, plan._pointer, call, events)]

    def run(count):
        keep, times = (plan, result, call, events), np.empty(count)
        assert C.loop(address[0], HEADER, *address[1:4], len(events), address[4], pause,
                      DECLARED.from_buffer("double[]", times), count) == 0 and keep
        return times.tolist()
    return run


def python_calls(function, *arguments):
    def run(count):
        times, clock = [], time.perf_counter
        for _ in range(count):
            start = clock()
            function(*arguments)
            times.append((clock() - start) * 1e6)
        return times
    return run


def sides(queue, on_device, pause):
    kernel = ReductionKernel(queue.context, np.float32, neutral="0", reduce_expr="a+b", map_expr="x[i]",
                             arguments="__global const float *x")
    return {"C": c_calls(queue, on_device, 0),
            "C, pausing": c_calls(queue, on_device, pause),
            "clreduce.sum": python_calls(clreduce.sum, on_device),
            "array.sum": python_calls(lambda: cl.array.sum(on_device, queue=queue).get(queue=queue)),
            "ReductionKernel": python_calls(lambda: kernel(on_device, queue=queue).get(queue=queue))}


def row(queue, exponent, turns, pause):
    """Median times of a call by side, in microseconds."""
    on_device = cl.array.to_device(queue, np.ones(1 << exponent, np.float32))
    runs, count = sides(queue, on_device, pause), {10: 300, 16: 200}.get(exponent, 5)
    measured = {name: [] for name in runs}
    for run in runs.values():
        run(3)
    for _ in range(turns):
        for name, run in runs.items():
            measured[name] += run(count)
    return {name: statistics.median(found) for name, found in measured.items()}


def added_by_python(queue):
    """Microseconds that Python adds to a call over an array on the host, and over one on the device."""
    on_host = np.ones(1024, np.float32)
    arrays = on_host, cl.array.to_device(queue, on_host)
    for array in arrays:
        clreduce.sum(array)
        clreduce.sum(array)
    kept = _short._enqueue, _short._run_host
    _short._enqueue, _short._run_host = C.enqueue_nothing, C.run_nothing
    found = [min(timeit.repeat(lambda: clreduce.sum(array), number=100, repeat=600, timer=time.thread_time))
             for array in arrays]
    _short._enqueue, _short._run_host = kept
    return [seconds / 100 * 1e6 for seconds in found]


def main():
    turns = int(sys.argv[1]) if len(sys.argv) > 1 else 15
    wanted = clreduce.use()
    device = next(d for p in cl.get_platforms() for d in p.get_devices() if d.name == wanted.name)
    queue = cl.CommandQueue(cl.Context([device]))
    added = added_by_python(queue)
    print(f"{device.name}, {turns} turns, load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores\n")
    names = ["C", "C, pausing", "clreduce.sum", "array.sum", "ReductionKernel"]
    print("| floats | " + " | ".join(names) + " | sum - pausing C | array.sum / sum |\n|---|" + "---|" * (len(names) + 2))
    for exponent in (10, 16, 24):
        times = row(queue, exponent, turns, added[1])
        print(f"| 2^{exponent} | " + " | ".join(f"{times[name]:.1f}" for name in names) +
              f" | {times['clreduce.sum'] - times['C, pausing']:.1f}"
              f" | {times['array.sum'] / times['clreduce.sum']:.1f} |", flush=True)
    print("\nPython computes for {:.1f} us in a call over a NumPy array, {:.1f} us over a PyOpenCL array".format(*added))


main()
