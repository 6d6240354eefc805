// clreduce_quantile.h: medians and other quantiles, and the largest or smallest elements with their indices.
//
//   const double at[] = {0.5};
//   double median;
//   clred_quantile *quantile;
//   clred_quantile_create(runtime, &(clred_quantile_problem){.type = CLRED_TYPE_FLOAT, .at = at, .at_count = 1},
//                         &quantile);
//   clred_quantile_run(queue, quantile, in, 0, count, &median, NULL, 0, NULL);
//   clred_quantile_release(quantile);
//
// Elements are compared as numbers: -0 equals 0. The device works on sort keys, integers in the order of the elements,
// so results have the same bits on every device. docs/quantiles.md explains it. Units, errors, threads and structs: see
// the head of clreduce.h.

#ifndef CLREDUCE_QUANTILE_H
#define CLREDUCE_QUANTILE_H

#include "clreduce.h"

#ifdef __cplusplus
extern "C" {
#endif

// Quantile q of n elements lies at the position q (n - 1), counted from the smallest element and computed in double. If
// the position is not an integer, the result follows from the elements before and after the position. NumPy's methods
// of these names do the same.
//
// LINEAR: let a be the element before the position, b the element after it, and t the fractional part of the position.
// The result is the double nearest to the exact value of a + t (b - a); ties go to even. This holds for 64-bit
// integers, too, and where b - a overflows. NumPy rounds several times, so its last bits may differ. If a or b is
// infinite, the result is this infinity; between -infinity and +infinity it is NaN.
typedef enum clred_interpolation {
  CLRED_INTERPOLATION_LINEAR = 0,  // the nearest double to a + t (b - a), for every element type
  CLRED_INTERPOLATION_LOWER = 1,   // the element before
  CLRED_INTERPOLATION_HIGHER = 2,  // the element after
  CLRED_INTERPOLATION_NEAREST = 3  // the nearer element; half way, the element at the even position
} clred_interpolation;

#define CLRED_QUANTILES_MAX 256  // the most quantiles of one problem

// Exactly one of `at`, `top` and `bottom` is given.
typedef struct clred_quantile_problem {
  clred_type type;                    // CHAR to BFLOAT16. Complex numbers and vectors have no order
  const double *at;                   // quantiles, each from 0 to 1, in any order: 0.5 is the median
  size_t at_count;                    // up to CLRED_QUANTILES_MAX
  cl_ulong top;                       // how many of the largest elements to give, the largest first; up to 2^30
  cl_ulong bottom;                    // how many of the smallest elements to give, the smallest first; up to 2^30
  clred_interpolation interpolation;  // for `at`: how a quantile between two elements is computed
  // PROPAGATE: one NaN makes all quantiles NaN; `top` and `bottom` put NaNs before all numbers. IGNORE: NaNs count as
  // absent.
  clred_nan nan;
  cl_ulong count_max;  // no call has a larger count. 0: unlimited; then calls over more than 2^25 elements may read
                       // the elements one more time
} clred_quantile_problem;

// Kernels and scratch memory for one problem. Runs build no program and allocate no memory, except for the buffers of
// clred_quantile_run_host. One thread at a time may use a quantile object.
typedef struct clred_quantile clred_quantile;

// Builds the program (once per runtime) and allocates scratch memory for count_max / 10 keys, at most 2^30 keys. If
// count_max is 0, it is for 2^22 keys. A key takes 4 bytes; for types of 8 bytes, 8 bytes. The scratch memory has at
// least 300 KB. Each element of `top` and `bottom` takes 12 more bytes (types of 8 bytes: 16), and 64 bytes of host
// memory. Errors: CLRED_INVALID_ARGUMENT, CLRED_INVALID_PROBLEM, CLRED_OPERATOR_TYPE (a type without an order),
// CLRED_TYPE_NOT_SUPPORTED, CLRED_STRATEGY_REFUSED (the device lacks what the kernels need), CLRED_KERNEL_SOURCE,
// CL_BUILD_PROGRAM_FAILURE, CL_OUT_OF_HOST_MEMORY, those of OpenCL.
CLRED_INLINE cl_int clred_quantile_create(clred_runtime *runtime, const clred_quantile_problem *problem,
                                          clred_quantile **quantile);

// Releases kernels and scratch memory. Call it before you release the runtime. NULL does nothing.
CLRED_API void clred_quantile_release(clred_quantile *quantile);

// Compiles what a driver compiles at the first launch of a kernel (PoCL on CPUs), so that later runs compile nothing.
// Launches each kernel without elements on `queue` and waits. Errors: CLRED_INVALID_ARGUMENT, CLRED_CONTEXT_MISMATCH,
// those of OpenCL.
CLRED_API cl_int clred_quantile_warm(cl_command_queue queue, clred_quantile *quantile);

// Sizes of a quantile object, and what its latest run did.
typedef struct clred_quantile_info {
  clred_type result_type;  // double for LINEAR, otherwise the type of the elements
  size_t result_size;      // bytes
  cl_ulong results;        // at_count, top or bottom
  cl_ulong readings;       // how often the latest run read all elements; reading a smaller sample does not count
  cl_ulong launches;       // kernel launches of the latest run
  cl_ulong nans;           // NaNs that the latest run found. With PROPAGATE there may be more: quantiles stop at the
                           // first few NaNs, and `top` and `bottom` do not count them
  size_t device_bytes;     // scratch memory on the device
  // From the start of the latest run's first launch to the end of its last launch, with the host's work between
  // launches, by event profiling. 0 if the queue was created without CL_QUEUE_PROFILING_ENABLE, or if OpenCL returns no
  // times.
  cl_double seconds;
} clred_quantile_info;

// Describes the object and its latest run. Errors: CLRED_INVALID_ARGUMENT.
CLRED_INLINE cl_int clred_quantile_inspect(const clred_quantile *quantile, clred_quantile_info *info);

// Searches in[in_offset .. in_offset + count), waits, and writes all results to `results`. Quantiles are in the order
// of `at`. `top` begins with the largest element, `bottom` with the smallest; of equal elements the one with the
// smaller index is first. A quantile that is zero is always +0: also if it is an element -0, if it lies between -0 and
// 0 or between -1 and 1, and if the exact value is rounded to 0. `top` and `bottom` give elements with their own bits.
// The call writes to `places` the index, from 0, of each element of `top` or `bottom`. NULL: it writes none; quantiles
// need NULL. The call usually reads all elements once or twice; docs/quantiles.md has the limit. The elements must not
// change meanwhile.
//
// Errors: CLRED_INVALID_ARGUMENT, also for count 0 and for quantiles if IGNORE leaves no element; CLRED_OUT_OF_RANGE,
// also if there are fewer elements than `top` or `bottom` asks for; CLRED_COUNT_ABOVE_MAXIMUM, CLRED_CONTEXT_MISMATCH,
// CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, CLRED_WRONG_RESULT (the elements changed during the run), those of
// OpenCL. `results` and `places` do not change then.
CLRED_API cl_int clred_quantile_run(cl_command_queue queue, clred_quantile *quantile, cl_mem in, cl_ulong in_offset,
                                    cl_ulong count, void *results, cl_ulong *places, cl_uint num_events_in_wait_list,
                                    const cl_event *event_wait_list);

// As clred_quantile_run, for elements in host memory. Creates buffers for the run, without a copy if the device shares
// the memory of the host. Elements that do not fit one buffer are passed to the device piece by piece at each reading.
CLRED_API cl_int clred_quantile_run_host(cl_command_queue queue, clred_quantile *quantile, const void *in,
                                         cl_ulong count, void *results, cl_ulong *places);

// ---------------------------------------------------------------- Exported functions (see clreduce_abi.h)

CLRED_API cl_int clred_quantile_create_v(cl_uint header, clred_runtime *runtime, const clred_quantile_problem *problem,
                                         clred_quantile **quantile);
CLRED_API cl_int clred_quantile_inspect_v(cl_uint header, const clred_quantile *quantile, clred_quantile_info *info);

CLRED_INLINE cl_int clred_quantile_create(clred_runtime *runtime, const clred_quantile_problem *problem,
                                          clred_quantile **quantile) {
  return clred_quantile_create_v(CLRED_HEADER_VERSION, runtime, problem, quantile);
}

CLRED_INLINE cl_int clred_quantile_inspect(const clred_quantile *quantile, clred_quantile_info *info) {
  return clred_quantile_inspect_v(CLRED_HEADER_VERSION, quantile, info);
}

#ifdef __cplusplus
}
#endif

#endif
