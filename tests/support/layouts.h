// Built-in operators and operators of a caller, and calls in any layout. The oracle, or a loop over the host callbacks,
// folds each line of elements as a line of its own: the bits must be the same. Each suite includes it once.
#pragma once

#include "support/lines.h"
#include "support/material.h"

// ---------------------------------------------------------------- What is folded

static const clred_problem built_in[] = {{OP(SUM, INT)},   {OP(ARGMIN, INT)},   {OP(MEAN, INT)},
                                         {OP(SUM, FLOAT)}, {OP(ARGMIN, FLOAT)}, {OP(MEAN, FLOAT)}};
static const char *const samples[] = {"matrix", "affine", "hash"};

#define BUILT_IN ((int)COUNT_OF(built_in))
#define SUBJECTS (BUILT_IN + (int)COUNT_OF(samples))
enum { SUM_INT, ARGMIN_INT, SUM_FLOAT = 3, ARGMIN_FLOAT, MEAN_FLOAT, AFFINE = 7 };

#define LENGTH 12000

// The elements of the running test, and its plans by layout.
static struct material material;
static clred_plan *plans[4];
static size_t result_size;

static clred_problem problem_with(clred_layout layout) {
  clred_problem problem = material.problem;
  problem.layout = layout;
  return problem;
}

static clred_plan *plan_with(clred_layout layout) {
  const clred_problem problem = problem_with(layout);
  if (!plans[layout])
    plans[layout] = fixture_plan(&problem);
  return plans[layout];
}

// Makes elements for a built-in operator. Integers have both signs, and many are equal. Sums of the floats are rounded.
static struct material make_numbers(const clred_problem *problem) {
  struct material made = material_of_problem(problem, LENGTH, 8, 11);
  for (size_t i = 0; problem->type == CLRED_TYPE_INT && i < LENGTH; i++)
    ((cl_int *)(void *)made.elements)[i] -= 1000;
  write_buffer(made.in, made.elements, LENGTH * made.size);
  return made;
}

// False if the device cannot compute the subject. Prints this.
static bool begin(int index) {
  memset(plans, 0, sizeof plans);
  if (index < BUILT_IN && oracle_needs_fp64(&built_in[index]) && fixture_lacks_double("mean of int"))
    return false;
  material = index < BUILT_IN ? make_numbers(&built_in[index])
                              : material_create(sample_named(samples[index - BUILT_IN]), LENGTH);
  result_size = fixture_inspect(plan_with(CLRED_LAYOUT_LINE), 1).result_size;
  return true;
}

// ---------------------------------------------------------------- A call, and what came out

static void complete(clred_call *call) {
  call->in = material.in;
  call->inputs = material.input ? &material.input_buffer : NULL;
  call->input_offsets = material.input ? &call->in_offset : NULL;
  call->parameters = material.parameters;
}

static void compare(const struct lines *at, const unsigned char *got, const char *what) {
  char where[200];
  for (size_t i = 0; i < at->count; i++) {
    const struct line *line = &at->list[i];
    const struct row row = {line->first, line->first, line->step, line->count};
    const struct answer expected = material_answer_of_row(&material, &row);
    snprintf(where, sizeof where, "from %" PRIu64 " on, %" PRIu64 " apart, result %zu of %zu, %s",
             (uint64_t)line->first, (uint64_t)line->step, i, at->count, what);
    material_check_answer(&material, &expected, got + i * result_size, where);
  }
}

// Results in a buffer, with room for 3 before and 5 after them. The bytes there must not change.
static void check_in_buffer(clred_plan *plan, clred_layout layout, clred_call call, const char *what) {
  static struct lines at;
  lines_of_call(&call, layout, &at);
  struct image image = fixture_image((3 + at.count + 5) * result_size);
  unsigned char *got = claim(at.count * result_size);
  complete(&call);
  call.out = image.mem;
  call.out_offset = 3;
  fixture_call(plan, &call, CL_SUCCESS, "");
  take_image(&image, 3 * result_size, at.count * result_size, got, what);
  compare(&at, got, what);
  RELEASE(got);
}

static void check_call(clred_layout layout, clred_call call) {
  check_in_buffer(plan_with(layout), layout, call, "into a buffer");
}
