// What a plan for a histogram holds: the bound of its bins, and the arguments of kernels, which all its calls share.
#include <stdlib.h>

#include "plan/slots.h"

#include "opencl/session.h"

// --- The bound ---

// Bytes that a bin takes at most: the host holds an edge as number and key, and makes a copy of the key; the device has
// the key, a counter in scratch, and a count. The caller has a count, too. Each call in flight has its own counters.
#define BYTES_A_BIN 40
#define BYTES_A_BIN_IN_FLIGHT 12

// The other half of the memory is left for elements and other programs. Systems promise more memory than they have and
// end the process that uses it, so the bound must hold before anything is allocated.
cl_int clr_bins_check_bound(const clred_problem *problem, const struct clr_facts *facts, struct clr_status *status) {
  const cl_ulong calls = problem->in_flight ? problem->in_flight : 1,
                 bytes = clr_add(BYTES_A_BIN, clr_multiply(calls, BYTES_A_BIN_IN_FLIGHT));
  const cl_ulong memory = facts->global_mem_size ? facts->global_mem_size : CL_ULONG_MAX;
  const cl_ulong most = clr_at_most(memory / 2 / bytes, facts->max_alloc / sizeof(cl_ulong));
  // The device does not matter for more than CLR_BINS_MAX bins: these are always refused.
  if (!problem->histogram || problem->histogram->bins <= most || problem->histogram->bins > CLR_BINS_MAX)
    return CL_SUCCESS;
  return clr_fail(status, CLRED_STRATEGY_REFUSED,
                  "histogram: bins %llu take up to %llu bytes each, too much for this device (global_mem_size %llu, "
                  "max_alloc %llu); give at most %llu",
                  (unsigned long long)problem->histogram->bins, (unsigned long long)bytes,
                  (unsigned long long)facts->global_mem_size, (unsigned long long)facts->max_alloc,
                  (unsigned long long)most);
}

// --- Arguments ---

// Kernels use keys as wide as the elements, but at least 32 bits.
static void *narrow_keys(const struct clr_histogram *histogram) {
  cl_uint *keys = malloc((size_t)histogram->bins * sizeof *keys);
  for (cl_ulong i = 0; keys && i < histogram->inner; i++)
    keys[i] = (cl_uint)histogram->keys[i];
  return keys;
}

static union clr_number *put(struct clr_histogram_arguments *arguments, size_t *next, size_t size) {
  union clr_number *number = &arguments->numbers[*next];
  arguments->sizes[*next] = size;
  arguments->pointers[(*next)++] = number;
  return number;
}

static void put_key(struct clr_histogram_arguments *arguments, size_t *next, size_t size, cl_ulong key) {
  union clr_number *number = put(arguments, next, size);
  if (size == sizeof(cl_ulong))
    number->wide = key;
  else
    number->narrow = (cl_uint)key;
}

static void put_real(struct clr_histogram_arguments *arguments, size_t *next, bool in_doubles, double real) {
  union clr_number *number = put(arguments, next, in_doubles ? sizeof(cl_double) : sizeof(cl_float));
  if (in_doubles)
    number->wide_real = real;
  else
    number->real = (cl_float)real;
}

// Fills in the numbers in the order of PARAMETERS in cl/histogram/words.clh.
static void fill_numbers(const clred_plan *plan, struct clr_histogram_arguments *arguments) {
  const struct clr_histogram *histogram = plan->problem.histogram;
  const struct clr_counting *counting = &plan->shape.counting;
  const struct clr_type *type = plan->problem.operation.element.row;
  const size_t key = type->size == 8 ? 8 : 4;
  const bool in_doubles = type->size == 8 && type->class == CLR_FLOATING, in_floats = type->class == CLR_FLOATING;
  const cl_ulong keys[] = {histogram->lowest, histogram->span};
  const cl_ulong counts[] = {histogram->inner, counting->bins, counting->slots, counting->local_slots,
                             counting->copies};
  const double reals[] = {in_floats ? histogram->base : 0, histogram->scale, histogram->offset, histogram->margin};
  size_t next = 0;
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
    put_key(arguments, &next, key, keys[i]);
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
    put_key(arguments, &next, sizeof(cl_uint), counts[i]);
  for (size_t i = 0; i < sizeof reals / sizeof *reals; i++)
    put_real(arguments, &next, in_doubles, histogram->guesses ? reals[i] : 0);
}

static cl_int make_edges(const clred_plan *plan, cl_mem *edges, struct clr_status *status) {
  const struct clr_histogram *histogram = plan->problem.histogram;
  const bool is_narrow = plan->problem.operation.element.size < 8;
  void *keys = is_narrow ? narrow_keys(histogram) : histogram->keys;
  if (!keys)
    return clr_fail(status, CL_OUT_OF_HOST_MEMORY, "out of memory for the edges of %llu bins",
                    (unsigned long long)histogram->bins);
  size_t size = is_narrow ? sizeof(cl_uint) : sizeof(cl_ulong), count = histogram->inner ? (size_t)histogram->inner : 1;
  cl_int err = clr_buffer_make(plan->runtime->context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, count * size, keys,
                               "the edges", edges, status);
  if (is_narrow)
    free(keys);
  return err;
}

cl_int clr_histogram_make_arguments(clred_plan *plan, struct clr_status *status) {
  struct clr_histogram_arguments *arguments = &plan->histogram;
  if (!plan->problem.histogram || plan->strategy->team == CLR_TEAM_HOST)
    return CL_SUCCESS;
  cl_int err = arguments->edges ? CL_SUCCESS : make_edges(plan, &arguments->edges, status);
  // The numbers depend on the shape, which is made again if a trial refuses the group size.
  fill_numbers(plan, arguments);
  arguments->operands = (struct clr_operands){.input_count = 1,
                                              .inputs = &arguments->edges,
                                              .parameter_count = CLR_HISTOGRAM_NUMBERS,
                                              .parameter_sizes = arguments->sizes,
                                              .parameters = arguments->pointers,
                                              .local_bytes = (size_t)plan->shape.local_bytes};
  return err;
}

void clr_histogram_release_arguments(clred_plan *plan) {
  if (plan->histogram.edges)
    clReleaseMemObject(plan->histogram.edges);
  plan->histogram.edges = NULL;
}
