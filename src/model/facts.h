// Facts: numbers that a device reports about itself. Every choice is arithmetic on facts, so tests can write them by
// hand. A row of CLR_FACT_MAP is a field of struct clr_facts, a name for --assume, and a line of `clreduce query`.
#pragma once

#include "base/status.h"

// kind: what --assume may set. LIMIT: at most the device's value. COUNT: any value from 1 on. FLAG: 0 or the device's
// value. SHAPE: 0 or 1. MASK: bits can only be cleared. SET: any value.
// keyed: YES if shapes follow from the fact. Numbers that were measured with another value of the fact are not used
// (tuning_text.c).
//  name, kind, keyed, summary
#define CLR_FACT_MAP(X) \
  X(cpu, SHAPE, YES, \
    "1: each work-item reads a contiguous run (CPUs); 0: neighbours read neighbouring elements (GPUs)") \
  X(compute_units, COUNT, YES, "compute units") \
  X(max_work_group_size, LIMIT, YES, "most work-items of a group") \
  X(kernel_work_group_size, COUNT, YES, \
    "most work-items of a group for one kernel; 0: the driver reports it for each kernel") \
  X(max_work_item_size, LIMIT, YES, "most work-items of a group in the first dimension") \
  X(preferred_multiple, COUNT, YES, "work-items that run together: the width of a sub-group") \
  X(native_vector_width, COUNT, YES, "floats in a vector of one instruction, if the device has vectors") \
  X(local_mem_size, LIMIT, YES, "most bytes of local memory of a group") \
  X(local_mem_dedicated, FLAG, YES, "1: local memory is separate memory; 0: it is part of global memory") \
  X(global_mem_size, LIMIT, NO, "bytes of global memory") \
  X(max_alloc, LIMIT, NO, "most bytes of one buffer") \
  X(unified_memory, FLAG, NO, "1: device and host share one memory") \
  X(fp64, FLAG, YES, "1: the device has double") \
  X(denormals, FLAG, NO, "1: the device keeps floats below 2^-126; 0: they count as 0") \
  X(int64_atomics, FLAG, YES, "1: the device has atomics on 64-bit integers") \
  X(device_fence, FLAG, YES, "fence between groups of one launch: 0 none, 1 OpenCL C 3.0, 2 inline PTX") \
  X(ptx_target, LIMIT, NO, "compute capability that inline PTX may use, as 10 x major + minor; 0: none") \
  X(shared_cache, SET, NO, "bytes of the cache that all compute units share; 0: unknown") \
  X(line_bytes, COUNT, NO, "bytes of a line of global memory's cache; the analysis of plans counts lines") \
  X(forward_progress, SHAPE, NO, \
    "1: groups that have begun make progress while another group polls; 0: not guaranteed") \
  X(opencl_version, LIMIT, NO, "the device's OpenCL version, as 100 x major + 10 x minor") \
  X(atomics, FLAG, YES, "1: atomics on 32-bit integers in global memory are correct") \
  X(local_atomics, FLAG, YES, "1: atomics on 32-bit integers in local memory are correct") \
  X(fills, FLAG, NO, "1: clEnqueueFillBuffer works") \
  X(loop_trips, COUNT, YES, \
    "turns after which the device ends the loops of a work-item, all loops together; 0: no limit") \
  X(types, MASK, NO, "element types that work, as a sum of 2^number: char is number 1, uchar 2, ...") \
  X(avoided, SET, NO, "strategies with wrong results, as a sum of 2^place: the first in the list has place 0")

struct clr_facts {
#define CLR_FACT_FIELD(name, ...) cl_ulong name;
  CLR_FACT_MAP(CLR_FACT_FIELD)
#undef CLR_FACT_FIELD
};

// Bits of `types`: 1 << the type's number.
#define CLR_TYPE_BIT(name, value, ...) | (cl_ulong)1 << (value)
#define CLR_ALL_TYPES (0 CLRED_TYPE_MAP(CLR_TYPE_BIT))

enum clr_fence { CLR_FENCE_NONE, CLR_FENCE_C11, CLR_FENCE_PTX };

// Row `index`: name, summary and the offset of the value; NULL past the end.
struct clr_fact_row {
  const char *name;
  const char *summary;
  size_t offset;
  bool (*allows)(cl_ulong reported, cl_ulong assumed);
  bool keyed;  // part of a tuning key
};
const struct clr_fact_row *clr_fact_row(size_t index);
const struct clr_fact_row *clr_fact_named(const char *name, size_t length);  // NULL if there is none
cl_ulong clr_fact_value(const struct clr_facts *facts, const struct clr_fact_row *row);
void clr_fact_set(struct clr_facts *facts, const struct clr_fact_row *row, cl_ulong value);

// Corrects values that no device has, such as 0 compute units or a work-group of 2^40.
void clr_facts_make_sane(struct clr_facts *facts);

// Applies "name=value,name=value" to facts. Refuses an unknown name, a value that is not a number, and a value that the
// fact's kind does not allow; the facts are then unchanged.
cl_int clr_facts_assume(struct clr_facts *facts, const char *assume, struct clr_status *status);
