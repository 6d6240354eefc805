// boost::compute::reduce on the same OpenCL device; its result stays there. The peer `boost_compute`. An exception ends
// it, which compare.py reports.
#define CL_TARGET_OPENCL_VERSION 120
#define BOOST_COMPUTE_MAX_CL_VERSION 102
#include <boost/compute/algorithm/reduce.hpp>
#include <boost/compute/buffer.hpp>
#include <boost/compute/functional/common.hpp>
#include <boost/compute/functional/integer.hpp>
#include <boost/compute/functional/operator.hpp>
#include <boost/compute/iterator/buffer_iterator.hpp>
#include <boost/compute/system.hpp>
#include <functional>
#include <memory>

#include "peer_side.h"

namespace compute = boost::compute;

namespace {

compute::device device;
compute::context context;
compute::command_queue queue;

struct boost_job : bench_job {
  compute::buffer in, out;
  std::function<void()> reduce;
};

template <typename Element, typename Function> int set(boost_job &job, Function function) {
  job.reduce = [&job, function] {
    auto begin = compute::make_buffer_iterator<Element>(job.in, 0);
    compute::reduce(begin, begin + static_cast<std::ptrdiff_t>(job.work.count),
                    compute::make_buffer_iterator<Element>(job.out, 0), function, queue);
  };
  return 0;
}

// Boost folds integers in their own type, so it has no 64-bit sums of them.
template <typename Element> int set_kind(boost_job &job) {
  switch (job.work.kind) {
  case BENCH_SUM:
    return std::is_integral<Element>::value ? 1 : set<Element>(job, compute::plus<Element>());
  case BENCH_MIN:
    return set<Element>(job, compute::min<Element>());
  case BENCH_MAX:
    return set<Element>(job, compute::max<Element>());
  default:
    return 1;
  }
}

int set_type(boost_job &job) {
  static int (*const types[])(boost_job &) = {set_kind<cl_float>, set_kind<cl_double>, set_kind<cl_int>,
                                              set_kind<cl_uchar>};
  return job.work.type <= BENCH_UCHAR ? types[job.work.type](job) : 1;
}

int open(unsigned index, const char *name) {
  auto devices = compute::system::devices();
  if (index >= devices.size() || devices[index].name().find(name) == std::string::npos)
    return 1;
  device = devices[index];
  context = compute::context(device);
  queue = compute::command_queue(context, device);
  return 0;
}

bench_job *prepare(const bench_work *work) {
  std::unique_ptr<boost_job> job(new boost_job());
  const bool shares = device.get_info<cl_bool>(CL_DEVICE_HOST_UNIFIED_MEMORY);
  job->name = "boost_compute";
  job->work = *work;
  job->result_type = work->type;
  job->in = compute::buffer(context, work->count * bench_size(work->type),
                            CL_MEM_READ_ONLY | (shares ? CL_MEM_USE_HOST_PTR : CL_MEM_COPY_HOST_PTR),
                            const_cast<void *>(work->elements));
  job->out = compute::buffer(context, sizeof(cl_double));
  return set_type(*job) ? nullptr : job.release();
}

void release(bench_job *job) {
  delete static_cast<boost_job *>(job);
}

int enqueue(bench_job *job) {
  static_cast<boost_job *>(job)->reduce();
  return 0;
}

int finish(bench_job *) {
  queue.finish();
  return 0;
}

int copy(bench_job *job, bench_part, int into_part, size_t at, size_t bytes, void *memory) {
  auto &out = static_cast<boost_job *>(job)->out;
  if (into_part)
    queue.enqueue_write_buffer(out, at, bytes, memory);
  else
    queue.enqueue_read_buffer(out, at, bytes, memory);
  return 0;
}

}  // namespace

extern "C" const bench_side bench_peer = {"boost_compute", 0,      open,    prepare, release,
                                          enqueue,         finish, nullptr, copy,    nullptr};
