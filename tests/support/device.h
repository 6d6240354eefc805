// The device under test, and buffers that show when a wrong byte was written. Independent of Check: functions that can
// fail return a message, or NULL on success.
//
// CLREDUCE_TEST_DEVICE: an index over all devices, or a part of a device's or platform's name; the first device if
// unset. CLREDUCE_TEST_ASSUME: facts to assume of it, as in clred_options. CLREDUCE_TEST_BUILD_OPTIONS: options for the
// device's compiler. CLREDUCE_TEST_TRIALS: programs are tried, as by default in the library; otherwise tests see what
// kernels do that are wrong.
#pragma once

#include <clreduce_device.h>
#include <stdlib.h>

#include "clreduce_partial.h"
#include "clreduce_quantile.h"
#include "clreduce_scan_stream.h"
#include "clreduce_sort.h"
#include "oracle/oracle.h"

// Initializers from named fields, for the library's structs and for a row of a table.
#define OPERATOR(...) \
  { __VA_ARGS__ }
#define PROBLEM(...) \
  { __VA_ARGS__ }
#define CALL(...) \
  { __VA_ARGS__ }
#define ROW(...) \
  { __VA_ARGS__ }

// Fields of clred_problem: OP(SUM, FLOAT) is sum of float.
#define OP(of_op, of_type) .type = CLRED_TYPE_##of_type, .op = CLRED_OP_##of_op
#define LAYOUT(of) .layout = CLRED_LAYOUT_##of
#define SCAN(of) .scan = CLRED_SCAN_##of

// RELEASE(a, b, ...): releases OpenCL's and the library's objects, and memory, up to eight of them. RELEASE_MAP has the
// types of the objects and the functions that release them.
#define RELEASE_MAP(ENTRY) \
  ENTRY(cl_mem, clReleaseMemObject) \
  ENTRY(cl_event, clReleaseEvent) \
  ENTRY(cl_context, clReleaseContext) \
  ENTRY(cl_command_queue, clReleaseCommandQueue) \
  ENTRY(clred_plan *, clred_plan_release) \
  ENTRY(clred_stream *, clred_stream_release) \
  ENTRY(clred_partial *, clred_partial_release) \
  ENTRY(clred_quantile *, clred_quantile_release) \
  ENTRY(clred_sorter *, clred_sorter_release) \
  ENTRY(clred_scan_stream *, clred_scan_stream_release) \
  ENTRY(clred_runtime *, clred_runtime_release)
#define RELEASE_CASE(type, function) , type : function
#define RELEASE_ONE(object) ((void)_Generic((object)RELEASE_MAP(RELEASE_CASE), default : free)(RELEASED(object)))
#define RELEASED(object) (object)
#define RELEASE_1(a) RELEASE_ONE(a)
#define RELEASE_2(a, ...) RELEASE_ONE(a), RELEASE_1(__VA_ARGS__)
#define RELEASE_3(a, ...) RELEASE_ONE(a), RELEASE_2(__VA_ARGS__)
#define RELEASE_4(a, ...) RELEASE_ONE(a), RELEASE_3(__VA_ARGS__)
#define RELEASE_5(a, ...) RELEASE_ONE(a), RELEASE_4(__VA_ARGS__)
#define RELEASE_6(a, ...) RELEASE_ONE(a), RELEASE_5(__VA_ARGS__)
#define RELEASE_7(a, ...) RELEASE_ONE(a), RELEASE_6(__VA_ARGS__)
#define RELEASE_8(a, ...) RELEASE_ONE(a), RELEASE_7(__VA_ARGS__)
#define RELEASE_PICK(a, b, c, d, e, f, g, h, chosen, ...) chosen
#define RELEASE(...) \
  RELEASE_PICK(__VA_ARGS__, RELEASE_8, RELEASE_7, RELEASE_6, RELEASE_5, RELEASE_4, RELEASE_3, RELEASE_2, RELEASE_1, ) \
  (__VA_ARGS__)

struct device {
  cl_device_id id;
  cl_context context;
  cl_command_queue queue;
  clred_runtime *runtime;
  cl_int status;  // the status of clred_runtime_create
  char name[256];
  char message[512];  // holds the returned messages
};

// Opens the device, with a context, an in-order queue and a runtime. Drivers do not survive a fork, so call it in the
// process that uses the device.
const char *device_open(struct device *device);

// The same with these assumed facts instead of those of the environment. NULL: none.
const char *device_open_assuming(struct device *device, const char *assume);

// Also allowed after a failed open.
void device_close(struct device *device);

// Facts that OpenCL reports, without the library.
bool device_has_fp64(const struct device *device);
bool device_has_extension(const struct device *device, const char *extension);

// The value that the runtime uses for a fact; `otherwise` if it has no fact of this name.
uint64_t device_fact(const struct device *device, const char *name, uint64_t otherwise);

// True if the strategy reduces lines. Strategies of other layouts need calls with rows, segments, flags or keys.
bool reduces_lines(const clred_strategy_info *strategy);

// The number of the strategy's finishes. A strategy without finishes has one, which is NULL.
size_t finish_count(const clred_strategy_info *strategy);

// The plan's tree for this count. The names belong to the plan.
const char *device_tree(const struct device *device, const clred_plan *plan, uint64_t count, oracle_tree *tree);

// The library's names of an operator and a type; "" if there is none.
const char *op_name(clred_op op);
const char *type_name(clred_type type);

// The runtime's report; zeros for a NULL runtime.
clred_runtime_info runtime_info(clred_runtime *runtime);

// ---------------------------------------------------------------- Buffers

// A buffer and the bytes that it must hold. New images have a pattern without runs of zeros or ones. The buffer is a
// part of a larger one: IMAGE_GUARD bytes on both sides have the pattern, too, and must not change. They are wider than
// the results of a group, so that a write by work-items that have no result is seen, and does not end the process.
#define IMAGE_GUARD ((size_t)16384)
struct image {
  cl_mem whole, mem;
  unsigned char *bytes;
  size_t size;
};

const char *image_create(struct image *image, struct device *device, size_t size);

// The same without guards: `mem` is no part of another buffer, so it may have parts.
const char *image_create_whole(struct image *image, struct device *device, size_t size);
void image_release(struct image *image);

// An image of these bytes. Its buffer has at least one byte.
const char *image_create_of(struct image *image, struct device *device, const void *bytes, size_t size);

// Makes the buffer hold `bytes`.
const char *image_upload(struct image *image, struct device *device);

// Compares the buffer with `bytes`. The message names the first byte that differs.
const char *image_check(struct image *image, struct device *device);

// The same, but `size` bytes at `at` may have any value. They are copied to `result`.
const char *image_check_except(struct image *image, struct device *device, size_t at, size_t size, void *result);

// Sets every byte of a large buffer to 1 by writes. NVIDIA's driver 580 fills only the size modulo 2^32 bytes of a
// larger buffer and reports no error, and a fill that begins at 2^31 bytes breaks the context.
cl_int device_write_ones(const struct device *device, cl_mem buffer, uint64_t size);

// Fills memory with the pattern.
void image_pattern(void *bytes, size_t size);
