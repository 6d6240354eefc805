// clreduce.hpp: as C++17 every class and both ways to report errors; as C++20 std::span. Expected values are worked out
// by hand. CLHPP is used where it is installed.
#include <cstdio>
#include <cstring>
#include <numeric>

#if __has_include(<CL/opencl.hpp>)
#define CL_HPP_TARGET_OPENCL_VERSION 120
#define CL_HPP_MINIMUM_OPENCL_VERSION 120
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/opencl.hpp>
#define HAS_CLHPP 1
#endif
#if __cplusplus >= 202002L
#include <span>
#endif

#include <clreduce.hpp>

static_assert(clreduce::type_of<signed char>() == CLRED_TYPE_CHAR &&
                clreduce::type_of<cl_ushort>() == CLRED_TYPE_USHORT,
              "types of 8 and 16 bits");
static_assert(clreduce::type_of<int>() == CLRED_TYPE_INT && clreduce::type_of<unsigned>() == CLRED_TYPE_UINT,
              "types of 32 bits");
static_assert(clreduce::type_of<long long>() == CLRED_TYPE_LONG && clreduce::type_of<cl_long>() == CLRED_TYPE_LONG &&
                clreduce::type_of<unsigned long long>() == CLRED_TYPE_ULONG,
              "types of 64 bits, whatever their name");
static_assert(clreduce::type_of<std::complex<float>>() == CLRED_TYPE_CFLOAT, "complex numbers");
static_assert(std::is_same_v<clreduce::result_of<cl_uchar>, cl_ulong>, "sums of integers have 64 bits");

static int failures;

static void check(bool holds, const char *what, int line) {
  if (!holds)
    std::fprintf(stderr, "line %d: %s\n", line, what);
  failures += !holds;
}
#define CHECK(condition) check(condition, #condition, __LINE__)

struct device {
  cl_device_id id = nullptr;
  cl_context context = nullptr;
  cl_command_queue queue = nullptr;

  device() {
    cl_platform_id platform;
    cl_int err = clGetPlatformIDs(1, &platform, nullptr);
    if (!err)
      err = clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &id, nullptr);
    if (!err)
      context = clCreateContext(nullptr, 1, &id, nullptr, nullptr, &err);
    if (!err)
      queue = clCreateCommandQueue(context, id, 0, &err);
    CHECK(err == CL_SUCCESS);
  }
  device(const device &) = delete;
  device &operator=(const device &) = delete;
  ~device() {
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
  }
};

static std::vector<float> first(int count) {
  std::vector<float> numbers(static_cast<size_t>(count));
  std::iota(numbers.begin(), numbers.end(), 1.0f);
  return numbers;
}

#if __cplusplus < 202002L

static void host_calls(const clreduce::runtime &runtime) {
  const int numbers[] = {3, -1, 4, 1};
  CHECK(runtime.sum(first(1000)) == 500500.0f);
  CHECK(runtime.scan(CLRED_OP_SUM, CLRED_SCAN_INCLUSIVE, numbers) == (std::vector<cl_long>{3, 2, 6, 7}));
  clred_selection positive = clred_selection();
  positive.name = "positive";
  positive.keep = "x > 0";
  CHECK(runtime.select(positive, numbers) == (std::vector<int>{3, 4, 1}));
  clred_histogram bins = clred_histogram();
  bins.bins = 2;
  bins.low = 0;
  bins.high = 4;
  CHECK(runtime.histogram(bins, numbers) == (std::vector<cl_ulong>{1, 2}));
}

static void errors(const clreduce::runtime &runtime) {
  const std::vector<float> numbers = first(4);
  cl_int status = CL_SUCCESS;
  CHECK(runtime.reduce<double>(CLRED_OP_SUM, numbers, &status) == 0 && status == CLRED_INVALID_ARGUMENT);
  CHECK(runtime.reduce<float>(CLRED_OP_AND, numbers, &status) == 0 && status == CLRED_OPERATOR_TYPE);
  const clreduce::plan none(runtime, clred_problem(), &status);
  CHECK(!none && status == CLRED_INVALID_PROBLEM && !runtime.last_error().empty());
  bool caught = false;
  try {
    clreduce::plan(runtime, clred_problem());
  } catch (const clreduce::error &error) {
    caught = error.status() == CLRED_INVALID_PROBLEM && std::strstr(error.what(), "CLRED_INVALID_PROBLEM: ");
  }
  CHECK(caught);
  caught = false;
  try {
    clreduce::runtime(static_cast<cl_context>(nullptr), static_cast<cl_device_id>(nullptr));
  } catch (const clreduce::error &error) {
    caught = std::strlen(error.what()) > std::strlen("CLRED_INVALID_ARGUMENT: ");
  }
  CHECK(caught);
}

// The handles may go out of scope in any order.
static void plans_and_streams(const device &device) {
  clreduce::stream stream;
  {
    const clreduce::runtime runtime(device.context, device.id);
    const clreduce::plan plan(runtime, clreduce::problem<float>(CLRED_OP_SUM));
    CHECK(plan.info(1000).result_type == CLRED_TYPE_FLOAT);
    CHECK(plan.reduce_host<float>(device.queue, nullptr, first(10)) == 55.0f);
    cl_int status = CL_SUCCESS;
    plan.reduce_host<double>(device.queue, &status, first(10));
    CHECK(status == CLRED_INVALID_ARGUMENT);
    plan.reduce_host<float>(device.queue, &status, first(10), first(9));
    CHECK(status == CLRED_INVALID_ARGUMENT);
    stream = clreduce::stream(device.queue, plan);
  }
  stream.push(first(10));
  stream.push(first(100));
  CHECK(stream.finish<float>() == 55.0f + 5050.0f);
  stream = clreduce::stream();
  const clreduce::runtime runtime(device.context, device.id);
  CHECK(clreduce::dot(runtime, device.queue, first(4), first(4)) == 30.0f);
}

#else

static void spans(const device &device) {
  const clreduce::runtime runtime(device.context, device.id);
  const std::vector<float> numbers = first(1000);
  CHECK(runtime.sum(std::span(numbers)) == 500500.0f);
  CHECK(runtime.sum(std::span(numbers).subspan(990)) == 9955.0f);
  CHECK(runtime.sum(std::span<const float>()) == 0.0f);
}

#endif

#ifdef HAS_CLHPP
static void clhpp(const device &device) {
  const cl::Context context(device.context, true);
  const cl::CommandQueue queue(device.queue, true);
  const clreduce::runtime runtime(context, cl::Device(device.id, true));
  std::vector<float> numbers = first(1000);
  const cl::Buffer in(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, size_t{4000}, numbers.data());
  const cl::Buffer out(context, CL_MEM_WRITE_ONLY, size_t{4});
  const clreduce::plan plan(runtime, clreduce::problem<float>(CLRED_OP_SUM));
  float total = 0;
  CHECK(plan.reduce(queue, in, out, 1000));
  queue.enqueueReadBuffer(out, CL_TRUE, 0, sizeof total, &total);
  CHECK(total == 500500.0f);
  CHECK(plan.reduce<float>(queue, in, 100) == 5050.0f);
}
#endif

int main() {
  const device device;
#if __cplusplus < 202002L
  const clreduce::runtime runtime(device.context, device.id);
  host_calls(runtime);
  errors(runtime);
  plans_and_streams(device);
#else
  spans(device);
#endif
#ifdef HAS_CLHPP
  clhpp(device);
#else
  std::puts("without CLHPP: CL/opencl.hpp is missing");
#endif
  return failures != 0;
}
