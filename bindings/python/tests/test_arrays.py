"""Arrays of every kind, and the lifetime of what calls use."""
import gc
import threading
import time
import weakref

import numpy as np
import pytest

import clreduce

HOST = {"strategy": "host_serial"}


class WithInterface:
    """An array of another library."""

    def __init__(self, array):
        self._array, self.__array_interface__ = array, array.__array_interface__


class WithDlpack:
    """An array of another library that has only DLPack."""

    def __init__(self, array):
        self._array = array

    def __dlpack__(self, **arguments):
        return self._array.__dlpack__(**arguments)

    def __dlpack_device__(self):
        return self._array.__dlpack_device__()


@pytest.mark.parametrize("kind", [WithInterface, WithDlpack, memoryview, list])
def test_other_libraries(x, kind):
    assert clreduce.sum(kind(x), **HOST) == x.sum()


def test_vectors():
    x = np.arange(12, dtype=np.float32).reshape(3, 4)
    np.testing.assert_array_equal(clreduce.sum(x, type="float4", **HOST), x.sum(axis=0))


def test_no_elements():
    nothing = np.zeros(0, np.float32)
    assert clreduce.sum(nothing) == 0 and clreduce.prod(nothing, **HOST) == 1 and clreduce.min(
        nothing, keys=np.zeros(0, np.int32))[1].size == 0


def test_result_dtypes():
    x = np.full(3, 2**31 - 1, np.int32)
    assert clreduce.sum(x, **HOST) == 3 * (2**31 - 1)
    assert clreduce.sum(x, dtype=np.int32, **HOST) == x.sum(dtype=np.int32)
    assert clreduce.sum(x, dtype=np.float64, **HOST).dtype == np.float64


def test_keepdims_of_all_axes(table):
    assert clreduce.sum(table, keepdims=True, **HOST).shape == (1, 1, 1)


def test_parts_along_an_axis(table):
    found = clreduce.reduce(["sum", "min", "argmax"], table, axis=2)
    np.testing.assert_array_equal(found["argmax_index"], table.argmax(axis=2))
    np.testing.assert_array_equal(found["sum"], table.sum(axis=2))


def test_out(table):
    out = np.zeros((6, 5), np.float32)
    assert clreduce.sum(table, axis=2, out=out) is out
    np.testing.assert_array_equal(out, table.sum(axis=2))


def test_out_for_runs(x):
    groups, out = np.repeat(np.arange(50, dtype=np.int32), 100), np.zeros(60, np.float32)
    keys, sums = clreduce.sum(x, keys=groups, out=out)
    np.testing.assert_array_equal(sums, x.reshape(50, 100).sum(axis=1))
    assert np.shares_memory(sums, out) and keys.size == 50
    with pytest.raises(clreduce.ResultsError):
        clreduce.sum(x, keys=groups, out=out[:49])


def test_a_plan_says_what_it_does(x):
    plan = clreduce.Plan("sum", "float32")
    assert "wide" in plan.describe() and "kernel" in plan.source()
    assert plan.info(5000)["order"] == "fixed/1" and plan.result_dtype == np.float32
    assert plan.reference(x) == plan(x) == plan(x[None])
    assert repr(plan) == "<Plan sum of float32>"


def test_equal_texts_share_a_plan(x):
    from clreduce._calls import _plans
    clreduce.select(x, "x > limit", parameters={"limit": 1})
    count = len(_plans)
    clreduce.select(x, "x > limit", parameters={"limit": 2})
    assert len(_plans) == count


def test_objects_may_be_collected_in_any_order(x):
    plan = clreduce.Plan("sum", "float32")
    stream, partial = clreduce.Stream(plan), clreduce.Partial(plan)
    partial.push(x)
    stream.push(x)
    plan.circle = [plan, stream, partial]
    plan.release()
    assert stream.finish() == partial.result() == x.sum()
    seen = weakref.ref(plan)
    del plan, stream, partial
    gc.collect()
    assert seen() is None


def test_arrays_with_gaps_are_copied(x, table):
    assert clreduce.sum(x) == x.sum() and clreduce.sum(x[::2]) == x[::2].sum() and clreduce.sum(x[::-1]) == x.sum()
    y, keys = table.T[::2], np.arange(240)[::-1][::2] // 50
    flat = np.ascontiguousarray(y).reshape(-1)
    for call in (lambda y: clreduce.cumsum(y), lambda y: clreduce.argmax(y), lambda y: clreduce.select(y, "x > 3"),
                 lambda y: clreduce.histogram(y, 5)[0], lambda y: clreduce.quantile(y, [0.1, 0.5]),
                 lambda y: clreduce.top(y, 3), lambda y: clreduce.dot(y, y * 2), lambda y: clreduce.sum(y, keys=keys),
                 lambda y: clreduce.sum(y, segments=np.array([0, 9, 5, 9, 120])[::2]),
                 lambda y: clreduce.Plan("sum", "float32")(y)):
        for ours, theirs in zip(np.atleast_1d(call(y)), np.atleast_1d(call(flat))):
            np.testing.assert_array_equal(ours, theirs)
    plan, out = clreduce.Plan("sum", "float32"), np.zeros((6, 10), np.float32)
    with clreduce.Stream(plan) as stream:
        stream.push(y)
        assert stream.finish() == y.sum()
    assert clreduce.sum(table, 1, out=out[:, ::-1][:, :8]) is not out
    np.testing.assert_array_equal(out[:, ::-1][:, :8], table.sum(1))


def test_devices():
    device = clreduce.use()
    assert device in clreduce.devices() and device.name in repr(device)
    assert clreduce.sum(np.float32([1]), on=device, **HOST) == clreduce.sum(np.float32([1]), on=device.index) == 1
    assert clreduce.use(device.name[:6]) is device and clreduce.use(device.index) is device


# ---------------------------------------------------------------- PyOpenCL

def test_offsets_and_strides(on_device, x):
    y = on_device(x)
    assert clreduce.sum(y[7:500]) == x[7:500].sum()
    assert clreduce.sum(y[3:500:2]) == x[3:500:2].sum()


def test_tables_on_the_device(on_device, table):
    y = on_device(table)
    np.testing.assert_array_equal(clreduce.sum(y, axis=0), table.sum(axis=0))
    out = on_device(np.zeros((6, 5), np.float32))
    assert clreduce.sum(y, axis=2, out=out) is out
    np.testing.assert_array_equal(out.get(), table.sum(axis=2))


def test_raw_buffers(queue, x):
    opencl = pytest.importorskip("pyopencl")
    flags = opencl.mem_flags
    buffer = opencl.Buffer(queue.context, flags.READ_ONLY | flags.COPY_HOST_PTR, hostbuf=x)
    assert clreduce.sum(buffer, type="float32", on=queue) == x.sum()
    assert clreduce.sum(np.float32([1, 2]), on=queue) == 3


@pytest.mark.parametrize("dtype", ["f4", "f8", "c8", "c16"])
def test_scans_of_products_begin_with_a_number(dtype):
    x = np.array([3, 0.5, 4], dtype)
    np.testing.assert_array_equal(clreduce.scan("prod", x, initial=2.0), [6, 3, 12])
    np.testing.assert_array_equal(clreduce.scan("prod", x, initial=2.0, exclusive=True), [2, 6, 3])
    most = float(np.ldexp(1.0, np.finfo(dtype).maxexp - 1))
    y = np.array([most, 1 / most, 1 / most], dtype)
    np.testing.assert_array_equal(clreduce.scan("prod", y, initial=most).real, [np.inf, most, 1])
    np.testing.assert_array_equal(clreduce.Plan("prod", dtype, scan="inclusive")(x, initial=2.0), [6, 3, 12])


def test_other_calls_on_the_device(on_device, x):
    y = on_device(x)
    assert clreduce.dot(y[:100], y[100:200]) == np.dot(x[:100], x[100:200])
    assert clreduce.median(y) == np.median(x.astype(np.float64))
    kept = clreduce.select(y, "x > limit", parameters={"limit": 900})
    assert isinstance(kept, type(y)) and clreduce.select(y, "x > 2000").shape == (0,)
    np.testing.assert_array_equal(kept.get(), x[x > 900])
    np.testing.assert_array_equal(clreduce.select(y, "x > 900", indices=True).get(), np.flatnonzero(x > 900))
    assert clreduce.sum(y, where=x > 3, initial=5) == x[x > 3].sum() + 5
    assert clreduce.sum(y, dtype=np.float64).dtype == np.float64
    assert clreduce.sum(kept[::-1], dtype=np.complex64).dtype == np.complex64
    assert clreduce.sum(on_device(np.full(3, 2**17 + 1)), dtype=np.int16) == 3
    np.testing.assert_array_equal(clreduce.median(y.reshape(50, 100), 0), np.median(x.reshape(50, 100), 0))
    np.testing.assert_array_equal(clreduce.histogram(y, 7, (-1000, 1000))[0], np.histogram(x, 7, (-1000, 1000))[0])
    both = on_device(np.stack([x[:2000], x[1000:3000]], 1))
    np.testing.assert_array_equal(clreduce.histogramdd(both, 3, weights=both[:, 1])[0],
                                  clreduce.histogram2d(x[:2000], x[1000:3000], 3, weights=x[1000:3000])[0])
    assert clreduce.bincount(on_device(np.int32([2, 0, 2])), on_device(np.float32([0.1, 1, 2]))).tolist() == [
        1, 0, np.float64(np.float32(0.1)) + 2]
    keys = np.repeat(np.arange(50, dtype=np.int32), 100)
    np.testing.assert_array_equal(clreduce.sum(y, keys=keys)[1], x.reshape(50, 100).sum(axis=1))


def test_enqueued_calls_keep_their_arrays(queue, on_device, x):
    opencl = pytest.importorskip("pyopencl")
    from clreduce._library import Process
    plan, gate = clreduce.Plan("sum", "float32", on=queue, in_flight=4), opencl.UserEvent(queue.context)
    out = np.zeros(1, np.float32)
    event = plan.enqueue(on_device(x), out, wait_for=[gate])
    seen = weakref.ref(out)
    del out, plan
    gc.collect()
    assert not event.done and seen() is not None and event in Process.pending
    later = opencl.Event.from_int_ptr(event.int_ptr, retain=True)
    gate.set_status(opencl.command_execution_status.COMPLETE)
    later.wait()
    event.wait()
    assert seen() is None or seen()[0] == x.sum()
    assert event.done and event not in Process.pending


@pytest.mark.parametrize("count", [1, 3])
@pytest.mark.parametrize("call", [clreduce.sum, lambda y: clreduce.sort(y).get().sum()], ids=["sum", "sort"])
def test_a_call_waits_for_the_events_of_an_array(queue, on_device, x, call, count):
    opencl = pytest.importorskip("pyopencl")
    y, gates, opened = on_device(x), [opencl.UserEvent(queue.context) for _ in range(count)], []
    assert call(y) == call(y) == x.sum()  # the second sum is a fast one (SHORT_WAYS)
    y.events[:] = gates

    def open_gates():
        for gate in gates:
            time.sleep(0.05)  # if the call did not wait, it would return before this
            opened.append(gate)
            gate.set_status(opencl.command_execution_status.COMPLETE)

    thread = threading.Thread(target=open_gates)
    thread.start()
    assert call(y) == x.sum() and opened == gates
    thread.join()


def test_events_that_are_dropped_are_forgotten(queue, on_device, x):
    from clreduce._library import Process
    plan, out, y = clreduce.Plan("sum", "float32", on=queue), np.zeros(1, np.float32), on_device(x)
    for _ in range(20):
        plan.enqueue(y, out)
        queue.finish()
    assert len(Process.pending) == 1


def test_results_do_not_change_with_the_next_call(x):
    clreduce.minmax(x)
    first = clreduce.minmax(x)  # a fast call (SHORT_WAYS)
    before = first.copy()
    clreduce.minmax(x * 2)
    assert first == before


def test_results_stay_on_the_device(queue, on_device, x):
    plan, out = clreduce.Plan("sum", "float32", on=queue, scan="inclusive"), on_device(np.zeros_like(x))
    x = (x > 0).astype(np.float32)
    first = plan.enqueue(on_device(x), out)
    plan.enqueue(out, out2 := on_device(np.zeros_like(x)), wait_for=[first]).wait()
    np.testing.assert_array_equal(out2.get(), x.cumsum().cumsum())
