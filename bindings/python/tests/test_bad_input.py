"""Wrong calls raise an exception that names the argument. Plans on the host compile nothing."""
import os
import subprocess
import sys
import threading

import numpy as np
import pytest

import clreduce

HOST = {"strategy": "host_serial"}
SAFE = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}


def array(*values):
    return np.array(values, np.float32)


def plan(**options):
    return clreduce.Plan("sum", "float32", **HOST, **options)


class OnAnotherDevice:
    """Says that its memory is on a CUDA device."""

    def __dlpack_device__(self):
        return (2, 0)

    def __dlpack__(self, stream=None):
        raise AssertionError("must not be called")


read_only = array(0)
read_only.flags.writeable = False
overlapping = array(2, 1, 0)
TABLE = [
    ("x: has elements of dtype object", TypeError, lambda: clreduce.sum([1, "a", None])),
    ("x: no reduction has elements of dtype <U", TypeError, lambda: clreduce.sum("text")),
    ("x: no reduction has elements of dtype datetime64", TypeError, lambda: clreduce.sum(np.zeros(2, "M8[s]"))),
    ("x: >f4 has the bytes of another machine", TypeError, lambda: clreduce.sum(np.zeros(2, ">f4"))),
    ("x: is a masked array", TypeError, lambda: clreduce.sum(np.ma.zeros(3))),
    ("x: its memory is on a device", TypeError, lambda: clreduce.sum(OnAnotherDevice())),
    ("x: a Plan has no elements", TypeError, lambda: clreduce.sum(type("Plan", (), {"int_ptr": 1})())),
    ("x: has dtype int32, and the plan is for float32", TypeError, lambda: plan()(np.zeros(3, np.int32))),
    ("x: has no elements", ValueError, lambda: clreduce.min(np.zeros(0, np.float32))),
    ("out: is read-only", ValueError, lambda: clreduce.cumsum(array(1), out=read_only, **HOST_SCAN)),
    ("out: has dtype float64", TypeError, lambda: clreduce.cumsum(array(1), out=np.zeros(1), **HOST_SCAN)),
    ("out: has the shape (2,)", ValueError, lambda: clreduce.cumsum(array(1), out=array(1, 2), **HOST_SCAN)),
    ("out: is not C-contiguous", ValueError, lambda: plan()(array(1, 2), out=np.zeros(4, np.float32)[::2])),
    ("out: a list cannot take results", TypeError, lambda: clreduce.cumsum(array(1), out=[0.0], **HOST_SCAN)),
    ("axis: 2 is out of range", ValueError, lambda: clreduce.sum(np.zeros((2, 2), np.float32), axis=2)),
    ("axis: (0, -2) has an axis twice", ValueError, lambda: clreduce.sum(np.zeros((2, 2), "f"), axis=(0, -2))),
    ("type: axes of vectors must be neighbours", ValueError,
     lambda: clreduce.sum(np.zeros((2, 2, 2, 4), "f"), axis=(0, 2), type="float4")),
    ("inputs[0]: has 3 elements, and x has 8", ValueError,
     lambda: clreduce.reduce("dot", np.zeros((2, 2, 2), "f"), (0, 2), inputs=[array(1, 2, 3)])),
    ("out: has the shape (2, 3)", ValueError,
     lambda: clreduce.sum(np.zeros((2, 3, 4), "f").T, axis=0, out=np.zeros((2, 3), "f"))),
    ("axis: 'x' is not an axis", TypeError, lambda: clreduce.sum(array(1), axis="x")),
    ("op: 'sums' is not an operator", ValueError, lambda: clreduce.reduce("sums", array(1))),
    ("op: a int is not an operator", TypeError, lambda: clreduce.reduce(3, array(1))),
    ("strategies: no such argument", TypeError, lambda: clreduce.sum(array(1), strategies="wide")),
    ("order: 'best' is unknown; give one of default, fixed, any, exact", ValueError,
     lambda: clreduce.sum(array(1), order="best")),
    ("dtype: results over float32 cannot be int32", TypeError, lambda: clreduce.sum(array(1), dtype="int32")),
    ("inputs: 0 are given", ValueError, lambda: clreduce.reduce("dot", array(1), **HOST)),
    ("inputs[0]: has 1 elements, and x has 2", ValueError,
     lambda: clreduce.reduce("dot", array(1, 2), inputs=[array(1)], **HOST)),
    ("inputs[0]: has dtype int64", TypeError, lambda: clreduce.reduce("dot", array(1), inputs=[[1]], **HOST)),
    ("y: has the shape (2,)", ValueError, lambda: clreduce.dot(array(1), array(1, 2))),
    ("parameters: the operator has none", ValueError, lambda: clreduce.sum(array(1), **HOST) + clreduce.reduce(
        "sum", array(1), parameters={"k": 1}, **HOST)),
    ("initial: only scans begin with a state", ValueError, lambda: plan()(array(1), initial=3)),
    ("segments: give 1 or more offsets", TypeError, lambda: clreduce.sum(array(1), segments=[0.5])),
    ("keys: there are 1, and x has 2", ValueError, lambda: clreduce.sum(array(1, 2), keys=[1])),
    ("axis, segments, keys: give one", ValueError, lambda: clreduce.sum(array(1), axis=0, keys=[1])),
    ("axis, segments, keys: give one", ValueError, lambda: clreduce.top(array(1), 1, 0, segments=[0, 1])),
    ("keepdims: segments and keys reduce no axes", ValueError, lambda: clreduce.sum(array(1), keys=[1], keepdims=True)),
    ("keepdims: segments and keys reduce no axes", ValueError,
     lambda: clreduce.median(array(1), segments=[0, 1], keepdims=True)),
    ("dtype, state: give one", ValueError, lambda: clreduce.sum(array(1), dtype="float64", state="double")),
    ("dtype: argmin has results of one dtype", TypeError, lambda: clreduce.argmin(array(1), dtype=np.int32)),
    ("dtype: results over float32 cannot be float16", TypeError, lambda: clreduce.sum(array(1), dtype=np.float16)),
    ("empty, initial: rows", ValueError, lambda: clreduce.min(array(1), empty=1, initial=1)),
    ("initial: rows of mean do not begin", ValueError, lambda: clreduce.mean(array(1), initial=1)),
    ("wrong: no such argument", TypeError, lambda: clreduce.median(array(1), wrong=1)),
    ("where: no such argument", TypeError, lambda: clreduce.top(array(1), 1, where=True)),
    ("initial, overflow: results", ValueError, lambda: clreduce.sum([1], initial=1, overflow="detect")),
    ("initial: int8 cannot hold 300", ValueError, lambda: clreduce.max(np.ones(1, np.int8), initial=300)),
    ("initial: [1, 2] is not a number", TypeError, lambda: clreduce.sum(array(1), initial=[1, 2])),
    ("empty: int8 cannot hold nan", ValueError, lambda: clreduce.max(np.ones(0, np.int8), empty=np.nan)),
    ("where: has dtype int64", TypeError, lambda: clreduce.sum(array(1), where=[1])),
    ("where: has the shape (2,), and x has (3,)", ValueError,
     lambda: clreduce.sum(array(1, 2, 3), where=np.array([True, False]))),
    ("where: argmin has indices", ValueError, lambda: clreduce.argmin(array(1), where=np.array([True]))),
    ("where: a scan", TypeError, lambda: clreduce.cumsum(array(1), where=np.array([True]))),
    ("segments: 2 at index 1 is wrong", ArithmeticError, lambda: clreduce.median(array(1), segments=[0, 2])),
    ("segments: 0 at index 1 is wrong", ArithmeticError, lambda: clreduce.median(array(1), segments=[1, 0])),
    ("segment_type: is int32, and segments has dtype int64", TypeError,
     lambda: clreduce.sum(array(1), segments=[0, 1], segment_type="int32")),
    ("x: row 1 has no elements, and a quantile of none", ValueError,
     lambda: clreduce.median(array(1), segments=[0, 1, 1])),
    ("k: 2 is more than the 1 elements of row 0", ValueError, lambda: clreduce.top(array(1, 2), 2, keys=[1, 2])),
    ("on: no device is 'nothing'", ValueError, lambda: clreduce.sum(array(1), on="nothing")),
    ("on: no device is 99", ValueError, lambda: clreduce.sum(array(1), on=99)),
    ("on: a Context is not a queue", TypeError,
     lambda: clreduce.sum(array(1), on=type("Context", (), {"int_ptr": 1, "devices": ()})())),
    ("bins: 0 is too few", ValueError, lambda: clreduce.histogram(array(1), 0, (0, 1))),
    ("bins: give a number", TypeError, lambda: clreduce.histogram(array(1), "auto", (0, 1))),
    ("bins: give increasing numbers", ValueError, lambda: clreduce.histogram(array(1), [0, 2, 1])),
    ("range: give increasing numbers", ValueError, lambda: clreduce.histogram(array(1), 4, (5, 1))),
    ("bins: there are 2 for 1 axes", ValueError, lambda: clreduce.histogramdd(array(1), [2, 3])),
    ("range: there are 1 for 2 axes", ValueError, lambda: clreduce.histogram2d(array(1), array(1), 3, [(0, 1)])),
    ("sample: there are 4 axes", ValueError, lambda: clreduce.histogramdd([array(1)] * 4)),
    ("inputs[0]: has 2 elements, and x has 1", ValueError, lambda: clreduce.histogram(array(1), weights=[1, 2])),
    ("histogram: weight_type", TypeError, lambda: clreduce.histogram(array(1), weights=np.array([1j]))),
    ("x: has dtype float32", TypeError, lambda: clreduce.bincount(array(1))),
    ("x: has the negative element -1", ValueError, lambda: clreduce.bincount([3, -1])),
    ("minlength: -1 is negative", ValueError, lambda: clreduce.bincount([3], minlength=-1)),
    ("weights: complex128", TypeError, lambda: clreduce.bincount([3], [1j])),
    ("q: 1.5 is not a quantile", ValueError, lambda: clreduce.quantile(array(1), 1.5)),
    ("k: 3 is more than the 1 elements", ValueError, lambda: clreduce.top(array(1), 3)),
    ("x: has dtype int32, and o reads float", TypeError, lambda: clreduce.reduce(
        clreduce.Operator("o", "float", "float", "0", "a + b"), np.zeros(1, np.int32))),
    ("keepdims: a scan keeps", TypeError, lambda: clreduce.cumsum(array(1), keepdims=True)),
    ("op: 'min' is not an option", TypeError, lambda: clreduce.sum(array(1), op="min")),
    ("group_size: -1 is not possible", ValueError, lambda: clreduce.sum(array(1), group_size=-1)),
    ("group_size: 'a' is not possible", ValueError, lambda: clreduce.sum(array(1), group_size="a")),
    ("nan: ['a'] is not an option", TypeError, lambda: clreduce.sum(array(1), nan=["a"])),
    ("dtype: 'float33' is not a type", TypeError, lambda: clreduce.Plan("sum", "float33")),
    ("first: -3 is not possible", ValueError, lambda: clreduce.Partial(
        clreduce.Plan("sum", "float32"), first=-3)),
    ("packed: a str is not a packed partial", TypeError, lambda: clreduce.Partial.unpack(plan(), "text")),
    ("type: int is not a type of x", TypeError, lambda: clreduce.sum(array(1), type="int")),
    ("ddof: 2 is not possible", ValueError, lambda: clreduce.var(array(1), ddof=2)),
    ("k: 0 is not a number of elements", ValueError, lambda: clreduce.top(array(1), 0)),
    ("method: 'weibull' is unknown", ValueError, lambda: clreduce.quantile(array(1), 0.5, method="weibull")),
    ("x: has no elements", ValueError, lambda: clreduce.median(array())),
    ("strategy: there is none named 'nothing'", ValueError, lambda: clreduce.sum(array(1), strategy="nothing")),
    ("and", TypeError, lambda: clreduce.bitwise_and(array(1))),
    ("Plan: it was released", ValueError, lambda: released()(array(1))),
    ("type: cfloat has no order", TypeError, lambda: clreduce.sort(np.zeros(0, "c8"))),
    ("x: >f4 has the bytes of another machine", TypeError, lambda: clreduce.argsort(np.zeros(2, ">f4"))),
    ("type: float4 is not a type of x", TypeError, lambda: clreduce.rank(np.zeros((2, 4), "f"), type="float4")),
    ("axis: -1 is out of range; the array has 0", ValueError, lambda: clreduce.sort(np.float32(1))),
    ("axis: (0, 1) has 2 axes", ValueError, lambda: clreduce.argsort(np.zeros((2, 2)), (0, 1))),
    ("nans: 'ignore' is unknown; give one of first, last", ValueError, lambda: clreduce.sort(array(1), nans="ignore")),
    ("method: 'first' is unknown", ValueError, lambda: clreduce.rank(array(1), "first")),
    ("out: is read-only", ValueError, lambda: clreduce.sort(array(1), out=read_only)),
    ("out: has dtype float32, and the results have int64", TypeError, lambda: clreduce.argsort(array(1), out=array(1))),
    ("out: has the shape (3, 2), and the results have (2, 3)", ValueError,
     lambda: clreduce.sort(np.zeros((2, 3), "f"), 0, out=np.zeros((2, 3), "f").T)),
    ("keys_out overlaps keys", ValueError, lambda: clreduce.sort(overlapping[1:], out=overlapping[:-1])),
    ("out: give a pair", TypeError, lambda: clreduce.sort_pairs(array(1), array(1), out=array(1))),
    ("out[1]: has the shape (2,)", ValueError,
     lambda: clreduce.sort_pairs(array(1), array(1), out=(None, array(1, 2)))),
    ("keys: has 2 dimensions", ValueError, lambda: clreduce.sort_pairs(array([1]), array(1))),
    ("values: has the shape (2, 1), and there are 1 keys", ValueError,
     lambda: clreduce.sort_pairs(array(1), array([1], [2]))),
    ("value_size: a value has 1 to 65536 bytes, not 65537", ValueError,
     lambda: clreduce.sort_pairs(array(1), np.zeros((1, 65537), np.int8))),
    ("wait_for: a int is not an event", TypeError, lambda: __import__("clreduce._events")._events.wait_list([1])),
]
HOST_SCAN = {"strategy": "scan_host_serial"}


def released():
    made = plan()
    made.release()
    return made


@pytest.mark.parametrize("message, kind, call", TABLE, ids=[row[0] for row in TABLE])
def test_refused(message, kind, call):
    with pytest.raises(kind) as raised:
        call()
    assert message in str(raised.value)


def test_errors_have_the_status():
    with pytest.raises(clreduce.Error) as raised:
        clreduce.sum(array(1), strategy="nothing")
    assert raised.value.name == "CLRED_UNKNOWN_NAME" and raised.value.status < 0


def test_overflow():
    with pytest.raises(OverflowError):
        clreduce.sum(np.full(3, 2**62), overflow="detect", **HOST)


def test_read_only_elements_are_fine():
    assert plan()(read_only) == 0


def test_a_buffer_of_another_context(queue):
    opencl = pytest.importorskip("pyopencl")
    other = opencl.Context([queue.device])
    buffer = opencl.Buffer(other, opencl.mem_flags.READ_WRITE, 64)
    with pytest.raises(clreduce.ArgumentError) as raised:
        clreduce.sum(buffer, type="float32", on=queue, **HOST)
    assert raised.value.name == "CLRED_CONTEXT_MISMATCH"


@pytest.mark.parametrize("message, call", [
    ("on=queue", lambda cl, b, q: clreduce.sum(b, type="float32")),
    ("type=", lambda cl, b, q: clreduce.sum(b, on=q)),
    ("x: a Context", lambda cl, b, q: clreduce.sum(q.context, type="float32", on=q)),
    ("x: a Image", lambda cl, b, q: clreduce.sum(cl.Image(q.context, cl.mem_flags.READ_WRITE, cl.ImageFormat(
        cl.channel_order.RGBA, cl.channel_type.FLOAT), (4, 4)), type="float32", on=q)),
    ("on: a Context", lambda cl, b, q: clreduce.sum(b, type="float32", on=q.context)),
    ("x: is in host memory", lambda cl, b, q: clreduce.Plan("sum", "float32", on=q, **HOST).enqueue(array(1), b)),
])
def test_wrong_objects_of_pyopencl(queue, message, call):
    opencl = pytest.importorskip("pyopencl")
    buffer = opencl.Buffer(queue.context, opencl.mem_flags.READ_WRITE, 64)
    with pytest.raises((TypeError, ValueError)) as raised:
        call(opencl, buffer, queue)
    assert message in str(raised.value)


def test_threads_share_a_plan():
    shared, results = plan(), []

    def work(value):
        results.extend(shared(np.full(100, value, np.float32)) == 100 * value for _ in range(20))

    threads = [threading.Thread(target=work, args=(value,)) for value in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 160 and all(results)


def test_a_plan_may_be_released_while_threads_call():
    for _ in range(5):
        shared, ended = plan(), []

        def work(shared=shared, ended=ended):
            try:
                while True:
                    shared(array(1, 2, 3))
            except ValueError as error:
                ended.append(str(error))

        threads = [threading.Thread(target=work) for _ in range(3)]
        for thread in threads:
            thread.start()
        shared.release()
        for thread in threads:
            thread.join()
        assert len(ended) == 3 and all("it was released" in message for message in ended)


# What programs with a queue of PyOpenCL begin with.
QUEUE = """
import atexit, threading, time, numpy, clreduce, clreduce._library, pyopencl, pyopencl.array
device = [d for p in pyopencl.get_platforms() for d in p.get_devices() if d.name == clreduce.use().name][0]
context = pyopencl.Context([device])
queue = pyopencl.CommandQueue(context)
x = pyopencl.array.to_device(queue, numpy.ones(1 << 10, 'f'))
"""


def run(text):
    return subprocess.run([sys.executable, "-c", text], env=SAFE, capture_output=True, text=True, timeout=100)


def test_lists_that_the_loader_cut_are_restored():
    ran = run("""
import ctypes, os, clreduce
os.environ['OCL_ICD_FILENAMES'] = '/nowhere/first.so:/nowhere/second.so'
get = ctypes.CDLL(None).getenv
get.restype, get.argtypes = ctypes.c_void_p, [ctypes.c_char_p]
ctypes.memset(get(b'OCL_ICD_FILENAMES') + len('/nowhere/first.so'), 0, 1)
assert clreduce.sum([1.0, 2.0]) == 3
print(ctypes.string_at(get(b'OCL_ICD_FILENAMES')).decode())
""")
    assert ran.stdout.strip() == "/nowhere/first.so:/nowhere/second.so", ran.stderr


def test_a_removed_variable_is_noted():
    ran = run("""
import os, clreduce
os.environ['CLREDUCE_FINDINGS'] = 'findings.txt'
assert clreduce.sum([1.0, 2.0]) == 3
""")
    assert ran.returncode == 0 and "CLREDUCE_FINDINGS is not read" in ran.stderr, ran.stderr


def test_a_fork_after_use_is_refused():
    ran = run("""
import os, sys, numpy, clreduce
x = numpy.ones(10, 'f')
plan = clreduce.Plan('sum', 'float32', strategy='host_serial')
assert plan(x) == 10
child = os.fork()
if child == 0:
    caught = 0
    for call in (lambda: plan(x), lambda: clreduce.sum(x), lambda: clreduce.Plan('sum', 'float32'),
                 lambda: clreduce.devices()):
        try:
            call()
        except clreduce.Error as error:
            caught += 'fork' in str(error)
    del plan
    os._exit(caught)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), plan(x))
""")
    assert (ran.stdout.split(), ran.returncode) == (["4", "10.0"], 0), ran.stderr


def test_a_fork_before_use_works():
    ran = run("""
import os, numpy, clreduce
child = os.fork()
if child == 0:
    x = numpy.ones(10, 'f')
    print(clreduce.sum(x, strategy='host_serial'))
else:
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
""")
    assert (ran.stdout.split(), ran.returncode) == (["10.0", "0"], 0), ran.stderr


def test_exit_while_threads_call():
    ran = run("""
import atexit
atexit.register(lambda: print(len(clreduce._library.Process.busy)))   # runs after the module's own function
import threading, numpy, clreduce, clreduce._library
x = numpy.ones(1 << 18, 'f')
plan = clreduce.Plan('sum', 'float32', strategy='host_serial')
begun = threading.Barrier(4)

def work():
    plan(x)
    begun.wait()
    while True:
        plan(x)

for _ in range(3):
    threading.Thread(target=work, daemon=True).start()
begun.wait()
""")
    assert (ran.stdout.split(), ran.returncode) == (["0"], 0), ran.stderr
    assert not any(word in ran.stderr for word in ("Fatal", "Segmentation", "Traceback"))


def test_exit_while_a_call_is_in_flight(queue):
    ran = run("""
import atexit
atexit.register(lambda: print(out[0]))   # runs after the module's own function
""" + QUEUE + """
gate, out = pyopencl.UserEvent(context), numpy.zeros(1, 'f')

def open_gate():
    while not clreduce._library.Process.closed:
        time.sleep(0.001)
    gate.set_status(pyopencl.command_execution_status.COMPLETE)

clreduce.Plan('sum', 'float32', on=queue).enqueue(x, out, wait_for=[gate])
threading.Thread(target=open_gate, daemon=True).start()
""")
    assert (ran.stdout.split(), ran.returncode) == (["1024.0"], 0), ran.stderr


def test_exit_while_a_call_waits_for_ever(queue):
    ran = run(QUEUE + """
clreduce._library.EXIT_PATIENCE = 0.05
never = pyopencl.UserEvent(context)
event = clreduce.Plan('sum', 'float32', on=queue).enqueue(x, numpy.zeros(1, 'f'), wait_for=[never])
assert not event.done
print('ended', flush=True)
""")
    assert ran.stdout.split() == ["ended"] and ran.returncode == 0, (ran.returncode, ran.stderr)
