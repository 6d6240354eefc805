// The arguments of a histogram's kernels, made when the plan is made.
#include <stdlib.h>

#include "plan/make.h"

// Keys in kernels are as wide as elements, and at least 32 bits.
static void *narrow_keys(const struct clr_histogram *histogram) {
  cl_uint *keys = malloc((size_t)histogram->bins * sizeof *keys);
  for (cl_ulong i = 0; keys && i < histogram->inner; i++)
    keys[i] = (cl_uint)histogram->keys[i];
  return keys;
}

static void put_key(union clr_number *number, size_t key_size, cl_ulong key) {
  if (key_size == sizeof(cl_ulong))
    number->wide = key;
  else
    number->narrow = (cl_uint)key;
}

static void put_real(union clr_number *number, bool in_doubles, double real) {
  if (in_doubles)
    number->wide_real = real;
  else
    number->real = (cl_float)real;
}

// In the order of PARAMETERS in cl/histogram_words.clh.
static void fill_arguments(const struct clr_problem *problem, struct clr_histogram_arguments *arguments) {
  const struct clr_histogram *histogram = problem->histogram;
  const struct clr_type *type = problem->operation.element.row;
  const size_t key = type->size == 8 ? 8 : 4;
  const bool in_doubles = type->size == 8 && type->class == CLR_FLOATING, in_floats = type->class == CLR_FLOATING;
  const double reals[] = {in_floats ? histogram->base : 0, histogram->scale, histogram->offset, histogram->margin};
  put_key(&arguments->numbers[0], key, histogram->lowest);
  put_key(&arguments->numbers[1], key, histogram->span);
  put_key(&arguments->numbers[2], sizeof(cl_uint), histogram->inner);
  for (size_t i = 0; i < sizeof reals / sizeof *reals; i++)
    put_real(&arguments->numbers[3 + i], in_doubles, histogram->guesses ? reals[i] : 0);
  const size_t real = in_doubles ? sizeof(cl_double) : sizeof(cl_float);
  const size_t sizes[CLR_HISTOGRAM_NUMBERS] = {key, key, sizeof(cl_uint), real, real, real, real};
  for (size_t i = 0; i < CLR_HISTOGRAM_NUMBERS; i++) {
    arguments->sizes[i] = sizes[i];
    arguments->pointers[i] = &arguments->numbers[i];
  }
}

cl_int clr_histogram_make_arguments(clred_plan *plan, struct clr_status *status) {
  const struct clr_histogram *histogram = plan->problem.histogram;
  struct clr_histogram_arguments *arguments = &plan->histogram;
  bool is_narrow = plan->problem.operation.element.size < 8;
  cl_int err = CL_SUCCESS;
  if (!histogram || plan->strategy->team == CLR_TEAM_HOST || arguments->edges)
    return CL_SUCCESS;
  void *keys = is_narrow ? narrow_keys(histogram) : histogram->keys;
  if (!keys)
    return clr_fail(status, CL_OUT_OF_HOST_MEMORY, "out of memory for the edges of %llu bins",
                    (unsigned long long)histogram->bins);
  size_t size = is_narrow ? sizeof(cl_uint) : sizeof(cl_ulong), count = histogram->inner ? (size_t)histogram->inner : 1;
  arguments->edges =
    clCreateBuffer(plan->runtime->context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, count * size, keys, &err);
  if (is_narrow)
    free(keys);
  fill_arguments(&plan->problem, arguments);
  arguments->operands =
    (struct clr_operands){1, &arguments->edges, NULL, CLR_HISTOGRAM_NUMBERS, arguments->sizes, arguments->pointers};
  return err ? clr_fail_call(status, err, "clCreateBuffer", "the edges") : CL_SUCCESS;
}

void clr_histogram_release_arguments(clred_plan *plan) {
  if (plan->histogram.edges)
    clReleaseMemObject(plan->histogram.edges);
  plan->histogram.edges = NULL;
}
