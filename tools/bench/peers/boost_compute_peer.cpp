// boost_compute_peer.cpp: boost::compute::reduce on the same OpenCL device, with its result left there.

#define CL_TARGET_OPENCL_VERSION 120
#define BOOST_COMPUTE_MAX_CL_VERSION 102
#include <boost/compute/algorithm/reduce.hpp>
#include <boost/compute/buffer.hpp>
#include <boost/compute/functional/operator.hpp>
#include <boost/compute/functional/common.hpp>
#include <boost/compute/functional/integer.hpp>
#include <boost/compute/iterator/buffer_iterator.hpp>
#include <boost/compute/system.hpp>

#include <chrono>
#include <exception>
#include <functional>
#include <memory>

#include "side.h"

namespace compute = boost::compute;

namespace {

struct state {
  compute::device        device;
  compute::context       context;
  compute::command_queue queue;
  compute::buffer        in, out;
  std::function<void()>  reduce;
  std::function<double()> fetch;
};
std::unique_ptr<state> now;

template <typename Element, typename Function>
int set(size_t count, Function function)
{
  now->reduce = [count, function] {
    auto begin = compute::make_buffer_iterator<Element>(now->in, 0);
    compute::reduce(begin, begin + static_cast<std::ptrdiff_t>(count), compute::make_buffer_iterator<Element>(now->out, 0), function,
                    now->queue);
  };
  now->fetch = [] {
    Element value;
    now->queue.enqueue_read_buffer(now->out, 0, sizeof value, &value);
    return static_cast<double>(value);
  };
  return 0;
}

template <typename Element>
int set_op(bench_op op, size_t count)
{
  switch (op) {
  case BENCH_ADD: return set<Element>(count, compute::plus<Element>());
  case BENCH_MIN: return set<Element>(count, compute::min<Element>());
  case BENCH_MAX: return set<Element>(count, compute::max<Element>());
  case BENCH_ARGMIN: break;
  }
  return 1;
}

// It folds integers in their own type, so of these there is no sum in 64 bits.
int set_type(bench_type type, bench_op op, size_t count)
{
  bool whole = type == BENCH_INT || type == BENCH_UCHAR;
  if (whole && op == BENCH_ADD)
    return 1;
  switch (type) {
  case BENCH_FLOAT:  return set_op<cl_float>(op, count);
  case BENCH_DOUBLE: return set_op<cl_double>(op, count);
  case BENCH_INT:    return set_op<cl_int>(op, count);
  case BENCH_UCHAR:  return set_op<cl_uchar>(op, count);
  case BENCH_HALF:   break;
  }
  return 1;
}

size_t size_of(bench_type type)
{
  return type == BENCH_DOUBLE ? 8 : type == BENCH_UCHAR ? 1 : 4;
}

int open(unsigned index, const char *name)
try {
  auto devices = compute::system::devices();
  if (index >= devices.size() || devices[index].name().find(name) == std::string::npos)
    return 1;
  now.reset(new state);
  now->device = devices[index];
  now->context = compute::context(now->device);
  now->queue = compute::command_queue(now->context, now->device);
  return 0;
} catch (const std::exception &) {
  return 1;
}

int prepare(const void *data, bench_type type, bench_op op, size_t count)
try {
  bool   shares = now->device.get_info<cl_bool>(CL_DEVICE_HOST_UNIFIED_MEMORY);
  size_t bytes = count * size_of(type);
  now->in = compute::buffer(now->context, bytes, CL_MEM_READ_ONLY | (shares ? CL_MEM_USE_HOST_PTR : CL_MEM_COPY_HOST_PTR),
                            const_cast<void *>(data));
  now->out = compute::buffer(now->context, sizeof(cl_double));
  return set_type(type, op, count);
} catch (const std::exception &) {
  return 1;
}

int run(bench_clock, size_t calls, double *seconds)
try {
  now->queue.finish();
  auto begun = std::chrono::steady_clock::now();
  for (size_t i = 0; i < calls; i++)
    now->reduce();
  now->queue.finish();
  *seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count() / static_cast<double>(calls);
  return 0;
} catch (const std::exception &) {
  return 1;
}

int result(double *value)
try {
  *value = now->fetch();
  return 0;
} catch (const std::exception &) {
  return 1;
}

void release()
{
  now->in = compute::buffer();
  now->out = compute::buffer();
}

}  // namespace

extern "C" const bench_side bench_boost_compute = {"boost_compute", 0, 0, open, prepare, run, result, release};
