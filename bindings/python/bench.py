#!/usr/bin/env python3
"""The time of a call from C, from Python, and by PyOpenCL, for sums of 2^10, 2^16 and 2^24 floats in a device buffer.

usage: bench.py [REPEATS]      (default: 15 turns; each turn measures all sides one after the other)

Times are medians over all calls of all turns, in microseconds. All sides end with the sum in host memory.

  C               a loop in C, compiled by cc, around the same call of the library
  C, pausing      the same, but between two calls it computes for as long as Python does, outside the measured time:
                  meanwhile threads of a driver fall asleep, and the next call must wake them
  clreduce.sum    of this module
  in Python       the part of it outside the library: a C function takes the place of the library's, calls it, and
                  measures it
"""
import os
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np
import pyopencl as cl
import pyopencl.array
from pyopencl.reduction import ReductionKernel

import clreduce
from clreduce import _plan
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
int loop(enqueue *call, unsigned header, void *queue, void *plan, void *what, unsigned waits, void *events,
         double pause, double *times, int count) {
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
static enqueue *timed_call;
static int (*timed_host_call)(unsigned, void *, void *, void *);
static double inside;
void time_calls(void *call, void *host_call) {
  timed_call = (enqueue *)call;
  timed_host_call = (int (*)(unsigned, void *, void *, void *))host_call;
}
double time_inside(void) { return inside; }
int timed_enqueue(unsigned header, void *queue, void *plan, void *what, unsigned waits, void *events, void *event) {
  const double start = now();
  const int status = timed_call(header, queue, plan, what, waits, events, event);
  inside = now() - start;
  return status;
}
int timed_run_host(unsigned header, void *queue, void *plan, void *what) {
  const double start = now();
  const int status = timed_host_call(header, queue, plan, what);
  inside = now() - start;
  return status;
}
"""


def compiled_loop():
    """The loop in C as a function."""
    directory = tempfile.mkdtemp()
    source, library = os.path.join(directory, "loop.c"), os.path.join(directory, "loop.so")
    with open(source, "w", encoding="ascii") as file:
        file.write(LOOP)
    subprocess.run(["cc", "-O2", "-shared", "-fPIC", source, "-o", library], check=True)
    declared = type(ffi)()
    declared.include(ffi)
    declared.cdef("""int loop(void *, unsigned, void *, void *, void *, unsigned, void *, double, double *, int);
      void time_calls(void *, void *);
      double time_inside(void);
      int timed_enqueue(cl_uint, cl_command_queue, clred_plan *, const clred_call *, cl_uint, const cl_event *,
                        cl_event *);
      int timed_run_host(cl_uint, cl_command_queue, clred_plan *, const clred_host_call *);""")
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


def in_python(array, count):
    """Median time of a call of clreduce.sum outside the library, in microseconds."""
    addresses = [ffi.addressof(lib, name) for name in ("clred_enqueue_v", "clred_plan_run_host_v")]
    C.time_calls(*(DECLARED.cast("void *", int(ffi.cast("intptr_t", address))) for address in addresses))
    kept, times, clock = (_plan._enqueue, _plan._run_host), [], time.perf_counter
    _plan._enqueue, _plan._run_host = C.timed_enqueue, C.timed_run_host
    for _ in range(count):
        start = clock()
        clreduce.sum(array)
        end = clock()
        times.append((end - start) * 1e6 - C.time_inside())
    _plan._enqueue, _plan._run_host = kept
    return statistics.median(times)


def row(queue, exponent, turns):
    """Median times of a call by side, in microseconds."""
    on_device = cl.array.to_device(queue, np.ones(1 << exponent, np.float32))
    count = {10: 300, 16: 200}.get(exponent, 5)
    clreduce.sum(on_device)
    runs = sides(queue, on_device, in_python(on_device, 10 * count))
    measured = {name: [] for name in [*runs, "in Python"]}
    for run in runs.values():
        run(3)
    order = list(runs)
    for _ in range(turns):
        for name in order:
            measured[name] += runs[name](count)
        measured["in Python"].append(in_python(on_device, count))
        order.append(order.pop(0))
    return {name: statistics.median(found) for name, found in measured.items()}


def main():
    turns = int(sys.argv[1]) if len(sys.argv) > 1 else 15
    wanted = clreduce.use()
    device = next(d for p in cl.get_platforms() for d in p.get_devices() if d.name == wanted.name)
    queue = cl.CommandQueue(cl.Context([device]))
    print(f"{device.name}, {turns} turns, load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores\n")
    names = ["C", "C, pausing", "clreduce.sum", "in Python", "array.sum", "ReductionKernel"]
    print("| floats | " + " | ".join(names) + " | array.sum / clreduce.sum |\n|---|" + "---|" * (len(names) + 1))
    for exponent in (10, 16, 24):
        times = row(queue, exponent, turns)
        print(f"| 2^{exponent} | " + " | ".join(f"{times[name]:.1f}" for name in names) +
              f" | {times['array.sum'] / times['clreduce.sum']:.1f} |", flush=True)
    on_host = np.ones(1 << 10, np.float32)
    clreduce.sum(on_host)
    print(f"\nin Python, over a NumPy array of 2^10 floats: {in_python(on_host, 3000):.1f} us")


main()
