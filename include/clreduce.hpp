// clreduce.hpp: libclreduce for C++17 and later (docs/languages.md). Each object releases its handle. An array is any
// container with data() and size(), also std::span. The element type follows from the C++ type. The header works with
// the classes of CLHPP (cl::CommandQueue, cl::Buffer, ...) and with the handles of OpenCL.
//
//   clreduce::runtime runtime(context, device);
//   std::vector<float> prices = ...;
//   float total = runtime.sum(prices);
//
//   clreduce::plan plan(runtime, clreduce::problem<float>(CLRED_OP_SUM));
//   plan.reduce(queue, in, out, count);                      // cl::CommandQueue, cl::Buffer
//
// Errors. Each function that can fail has a last argument `cl_int *status`; for plan::reduce_host it is the second. If
// it is missing or null, a failure throws clreduce::error. Otherwise nothing is thrown, *status gets the status, and
// the result is empty or zero. Without exceptions (-fno-exceptions) a failure without `status` calls std::abort.

#ifndef CLREDUCE_HPP
#define CLREDUCE_HPP

#include <complex>
#include <cstdlib>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "clreduce.h"

namespace clreduce {

// ---------------------------------------------------------------- Errors

class error : public std::runtime_error {
public:
  error(cl_int status, const std::string &message)
      : std::runtime_error(std::string(clred_status_name(status)) + ": " + message), code(status) {
  }
  cl_int status() const noexcept {
    return code;
  }

private:
  cl_int code;
};

// Sets *status, or throws if there is an error and no `status`. Returns true for CL_SUCCESS.
template <class Message> bool settle(cl_int err, cl_int *status, Message message) {
  if (status)
    *status = err;
  else if (err) {
#if defined(__cpp_exceptions) || defined(_CPPUNWIND)
    throw error(err, message());
#else
    static_cast<void>(message);
    std::abort();
#endif
  }
  return err == CL_SUCCESS;
}

// ---------------------------------------------------------------- Types

template <class T> struct type_of_complex { static constexpr clred_type value = CLRED_TYPE_NONE; };
template <> struct type_of_complex<std::complex<float>> { static constexpr clred_type value = CLRED_TYPE_CFLOAT; };
template <> struct type_of_complex<std::complex<double>> { static constexpr clred_type value = CLRED_TYPE_CDOUBLE; };

// The element type of T: integers of 8 to 64 bits, float, double, and std::complex of float or double. half, bfloat16
// and vectors have no type in C++: set problem.type.
template <class T> constexpr clred_type type_of() {
  if constexpr (std::is_same_v<T, float>)
    return CLRED_TYPE_FLOAT;
  else if constexpr (std::is_same_v<T, double>)
    return CLRED_TYPE_DOUBLE;
  else if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
    constexpr clred_type base = sizeof(T) == 1   ? CLRED_TYPE_CHAR
                                : sizeof(T) == 2 ? CLRED_TYPE_SHORT
                                : sizeof(T) == 4 ? CLRED_TYPE_INT
                                                 : CLRED_TYPE_LONG;
    return static_cast<clred_type>(base + (std::is_signed_v<T> ? 0 : 1));
  } else {
    static_assert(type_of_complex<T>::value != CLRED_TYPE_NONE, "clreduce has no element type for this C++ type");
    return type_of_complex<T>::value;
  }
}

// The type of sums, extremes and products of T: 64 bits for integers, T itself otherwise.
template <class T>
using result_of =
  std::conditional_t<std::is_integral_v<T>, std::conditional_t<std::is_signed_v<T>, cl_long, cl_ulong>, T>;

template <class Range>
using element_of = std::remove_const_t<std::remove_pointer_t<decltype(std::data(std::declval<Range &>()))>>;

// The problem of a built-in operator over elements of T; change further fields as you need.
template <class T> clred_problem problem(clred_op op, clred_scan scan = CLRED_SCAN_NONE) {
  clred_problem made = clred_problem();
  made.type = type_of<T>();
  made.op = op;
  made.scan = scan;
  return made;
}

// The handle of OpenCL in an object of CLHPP, or the handle itself.
template <class T> auto raw(const T &object) {
  if constexpr (std::is_pointer_v<T>)
    return object;
  else
    return object();
}

// ---------------------------------------------------------------- Runtime

// A device in a context. Copies share one clred_runtime; the last one releases it, after all plans.
class runtime {
public:
  runtime() = default;

  template <class Context, class Device>
  runtime(const Context &context, const Device &device, const clred_options *options = nullptr,
          cl_int *status = nullptr) {
    char message[512] = "";
    clred_options with = options ? *options : clred_options();
    if (!with.error) {
      with.error = message;
      with.error_size = sizeof message;
    }
    clred_runtime *made = nullptr;
    const cl_int err = clred_runtime_create(raw(context), raw(device), &with, &made);
    if (settle(err, status, [&] { return std::string(with.error); }))
      held.reset(made, clred_runtime_release);
  }

  clred_runtime *get() const noexcept {
    return held.get();
  }
  explicit operator bool() const noexcept {
    return held != nullptr;
  }

  // The message of the last failure.
  std::string last_error() const {
    std::string text(clred_copy_error(get(), nullptr, 0) + 1, '\0');
    clred_copy_error(get(), &text[0], text.size());
    text.pop_back();
    return text;
  }

  bool check(cl_int err, cl_int *status) const {
    return settle(err, status, [this] { return last_error(); });
  }

  // One call on host memory, as clred_reduce_host. Result must be the type of one result (clred_result_type).
  template <class Result, class Range> Result reduce(clred_op op, const Range &in, cl_int *status = nullptr) const {
    Result result{};
    clred_type type = CLRED_TYPE_NONE;
    cl_int err = clred_result_type(op, type_of<element_of<const Range>>(), &type);
    if (!err && type != type_of<Result>()) {
      settle(CLRED_INVALID_ARGUMENT, status, [] { return "the result has another type; see clred_result_type"; });
      return result;
    }
    check(clred_reduce_host(get(), type_of<element_of<const Range>>(), op, std::data(in), std::size(in), &result),
          status);
    return result;
  }

  template <class Range> auto sum(const Range &in, cl_int *status = nullptr) const {
    return reduce<result_of<element_of<const Range>>>(CLRED_OP_SUM, in, status);
  }
  template <class Range> auto min(const Range &in, cl_int *status = nullptr) const {
    return reduce<result_of<element_of<const Range>>>(CLRED_OP_MIN, in, status);
  }
  template <class Range> auto max(const Range &in, cl_int *status = nullptr) const {
    return reduce<result_of<element_of<const Range>>>(CLRED_OP_MAX, in, status);
  }

  // A result for each element, by an operator whose result has one part.
  template <class Range> auto scan(clred_op op, clred_scan scan, const Range &in, cl_int *status = nullptr) const {
    using element = element_of<const Range>;
    using result = result_of<element>;
    std::vector<result> out;
    clred_type type = CLRED_TYPE_NONE;
    cl_int err = clred_result_type(op, type_of<element>(), &type);
    if (!err && type != type_of<result>()) {
      settle(CLRED_INVALID_ARGUMENT, status, [] { return "the results have another type; use a plan"; });
      return out;
    }
    out.resize(std::size(in));
    if (!check(clred_scan_host(get(), type_of<element>(), op, scan, std::data(in), std::size(in), out.data()), status))
      out.clear();
    return out;
  }

  // The elements that the selection keeps.
  template <class Range>
  auto select(const clred_selection &selection, const Range &in, cl_int *status = nullptr) const {
    using element = element_of<const Range>;
    std::vector<element> out(std::size(in));
    cl_ulong kept = 0;
    const clred_type type = selection.element ? CLRED_TYPE_NONE : type_of<element>();
    check(clred_select_host(get(), type, &selection, std::data(in), std::size(in), out.data(), &kept), status);
    out.resize(static_cast<std::size_t>(kept));
    return out;
  }

  // How many elements each bin has.
  template <class Range>
  std::vector<cl_ulong> histogram(const clred_histogram &bins, const Range &in, cl_int *status = nullptr) const {
    std::vector<cl_ulong> counts(static_cast<std::size_t>(bins.bins));
    if (!check(clred_histogram_host(get(), type_of<element_of<const Range>>(), &bins, std::data(in), std::size(in),
                                    counts.data()),
               status))
      counts.clear();
    return counts;
  }

private:
  std::shared_ptr<clred_runtime> held;
};

// ---------------------------------------------------------------- Plans

// Copies share one clred_plan. A plan keeps its runtime.
class plan {
public:
  plan() = default;
  plan(const runtime &of, const clred_problem &problem, cl_int *status = nullptr) : owner(of) {
    clred_plan *made = nullptr;
    if (owner.check(clred_plan_create(owner.get(), &problem, &made), status))
      held.reset(made, [of](clred_plan *released) { clred_plan_release(released); });
  }

  clred_plan *get() const noexcept {
    return held.get();
  }
  explicit operator bool() const noexcept {
    return held != nullptr;
  }
  const runtime &get_runtime() const noexcept {
    return owner;
  }

  clred_plan_info info(cl_ulong count, cl_int *status = nullptr) const {
    clred_plan_info info = clred_plan_info();
    owner.check(clred_plan_inspect(get(), count, &info), status);
    return info;
  }

  template <class Queue> bool warm(const Queue &queue, cl_int *status = nullptr) const {
    return owner.check(clred_plan_warm(raw(queue), get()), status);
  }

  // Enqueues a call, as clred_enqueue. `event` may be an object of CLHPP (cl::Event) or null.
  template <class Queue>
  bool enqueue(const Queue &queue, const clred_call &call, const std::vector<cl_event> &wait_list = {},
               cl_event *event = nullptr, cl_int *status = nullptr) const {
    return owner.check(clred_enqueue(raw(queue), get(), &call, static_cast<cl_uint>(wait_list.size()),
                                     wait_list.empty() ? nullptr : wait_list.data(), event),
                       status);
  }

  // Reduces the first `count` elements of `in` to the first of `out`; does not wait.
  template <class Queue, class In, class Out>
  bool reduce(const Queue &queue, const In &in, const Out &out, cl_ulong count, cl_int *status = nullptr) const {
    return owner.check(clred_enqueue_reduce(raw(queue), get(), raw(in), raw(out), 0, 0, count, 0, nullptr, nullptr),
                       status);
  }

  // As above, but waits for the result and returns it. Result must have plan_info.result_size bytes.
  template <class Result, class Queue, class In>
  Result reduce(const Queue &queue, const In &in, cl_ulong count, cl_int *status = nullptr) const {
    Result result{};
    clred_call call = clred_call();
    call.in = raw(in);
    call.count = count;
    call.result = &result;
    call.blocking = CL_TRUE;
    if (has_size(count, sizeof result, status))
      enqueue(queue, call, {}, nullptr, status);
    return result;
  }

  // Scans the first `count` elements of `in`; writes `count` results to `out`. Does not wait.
  template <class Queue, class In, class Out>
  bool scan(const Queue &queue, const In &in, const Out &out, cl_ulong count, cl_int *status = nullptr) const {
    return owner.check(clred_enqueue_scan(raw(queue), get(), raw(in), raw(out), 0, 0, count, 0, nullptr, nullptr),
                       status);
  }

  // Runs a call on host memory and waits for it, as clred_plan_run_host.
  template <class Queue>
  bool run_host(const Queue &queue, const clred_host_call &call, cl_int *status = nullptr) const {
    return owner.check(clred_plan_run_host(raw(queue), get(), &call), status);
  }

  // A reduction of host memory. `inputs` are the operator's further inputs, as long as `in`; dot has one.
  template <class Result, class Queue, class Range, class... Inputs>
  Result reduce_host(const Queue &queue, cl_int *status, const Range &in, const Inputs &...inputs) const {
    Result result{};
    const void *const further[] = {std::data(inputs)..., nullptr};
    clred_host_call call = clred_host_call();
    call.in = std::data(in);
    call.inputs = sizeof...(inputs) ? further : nullptr;
    call.count = std::size(in);
    call.out = &result;
    if (((std::size(inputs) != std::size(in)) || ... || false))
      settle(CLRED_INVALID_ARGUMENT, status, [] { return "the inputs have different lengths"; });
    else if (has_size(call.count, sizeof result, status))
      run_host(queue, call, status);
    return result;
  }

private:
  bool has_size(cl_ulong count, std::size_t size, cl_int *status) const {
    cl_int err = CL_SUCCESS;
    const clred_plan_info about = info(count, status ? &err : nullptr);
    if (err)
      return settle(err, status, [this] { return owner.last_error(); });
    return settle(about.result_size == size ? CL_SUCCESS : CLRED_INVALID_ARGUMENT, status, [&] {
      return "a result has " + std::to_string(about.result_size) + " bytes, but the type has " + std::to_string(size);
    });
  }

  runtime owner;
  std::shared_ptr<clred_plan> held;
};

// ---------------------------------------------------------------- Streams

// A reduction of elements that arrive in pieces. Copies share one clred_stream, which keeps its plan.
class stream {
public:
  stream() = default;
  template <class Queue>
  stream(const Queue &queue, const plan &of, const clred_stream_options *options = nullptr, cl_int *status = nullptr)
      : owner(of.get_runtime()) {
    clred_stream *made = nullptr;
    if (owner.check(clred_stream_create(raw(queue), of.get(), options, &made), status))
      held.reset(made, [of](clred_stream *released) { clred_stream_release(released); });
  }

  clred_stream *get() const noexcept {
    return held.get();
  }
  explicit operator bool() const noexcept {
    return held != nullptr;
  }

  template <class Range> bool push(const Range &in, cl_int *status = nullptr) {
    return owner.check(clred_stream_push(get(), std::data(in), nullptr, std::size(in)), status);
  }

  // Waits for the result over all elements. The stream is then empty.
  template <class Result> Result finish(cl_int *status = nullptr) {
    Result result{};
    owner.check(clred_stream_finish(get(), &result), status);
    return result;
  }

private:
  runtime owner;
  std::shared_ptr<clred_stream> held;
};

// The sum of products of two arrays of equal length in host memory.
template <class Queue, class Range>
auto dot(const runtime &of, const Queue &queue, const Range &a, const Range &b, cl_int *status = nullptr) {
  using element = element_of<const Range>;
  result_of<element> result{};
  cl_int err = CL_SUCCESS;
  const plan products(of, problem<element>(CLRED_OP_DOT), status ? &err : nullptr);
  if (status)
    *status = err;
  if (products)
    result = products.reduce_host<result_of<element>>(queue, status, a, b);
  return result;
}

}  // namespace clreduce

#endif
