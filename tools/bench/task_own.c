// The tasks that compare the library with its own sum, or with its own scan of one line.
#include <math.h>
#include <stdio.h>

#include "base/fail.h"
#include "bench/beside.h"

static struct comparison own_comparison(const struct beside *beside, const char *label) {
  struct comparison c = beside_sum(beside, BENCH_KINDS, label);
  c.ours.problem.count_max = 0;
  c.ours.call.inputs = &beside->bed.second;
  c.ours.out_bytes = (size_t)c.ours.bytes / 8 + 1024;
  c.work = (struct bench_work){.elements = NULL};
  c.reference = beside_plain_sum(beside);
  return c;
}

static int measure_operator(struct beside *beside, const clred_op_info *op) {
  struct comparison c = own_comparison(beside, op->name);
  clred_type result;
  if (clred_result_type(op->op, beside->type.type, &result) != CL_SUCCESS)
    return EXIT_DONE;
  c.ours.problem.op = op->op;
  c.ours.bytes *= op->inputs;
  return beside_compare(beside, &c);
}

// The operators that a user would write for sum and dot.
static int measure_own(struct beside *beside, bool dot) {
  const clred_operand y = {"y", beside->type.name, beside->type.size};
  const clred_operator own = {.name = dot ? "own dot" : "own sum",
                              .element = beside->type.name,
                              .state = beside->type.name,
                              .identity = "0",
                              .lift = dot ? "x * y" : NULL,
                              .combine = "a + b",
                              .inputs = &y,
                              .input_count = dot,
                              .commutative = CL_TRUE,
                              .elementwise = CL_TRUE};
  struct comparison c = own_comparison(beside, own.name);
  c.ours.problem = (clred_problem){.custom = &own};
  c.ours.bytes *= dot ? 2 : 1;
  return beside_compare(beside, &c);
}

int measure_operators(struct beside *beside) {
  const struct bench_request *request = beside->report->request;
  clred_op_info op;
  int code = EXIT_DONE;
  if (args_op(request->args) != NULL) {
    for (size_t i = 0; i < request->op_count && !code; i++)
      code = measure_operator(beside, &request->ops[i]);
    return code;
  }
  for (size_t i = 0; !code && clred_op_inspect((clred_op)(i + 1), &op) == CL_SUCCESS; i++)
    code = measure_operator(beside, &op);
  for (int dot = 0; dot < 2 && !code; dot++)
    code = measure_own(beside, dot == 1);
  return code;
}

static int measure_along(struct beside *beside, struct comparison *c, const cl_ulong shape[2], cl_uint axis) {
  snprintf(c->label, sizeof c->label, "(%llu x %llu) axis %u", (unsigned long long)shape[0],
           (unsigned long long)shape[1], axis);
  cl_int status = clred_call_along_axis(&c->ours.call, &c->ours.problem.layout, 2, shape, axis);
  return status == CL_SUCCESS ? beside_compare(beside, c) : fail_library(status, c->label);
}

// Both axes of three shapes, and few columns.
int measure_axes(struct beside *beside) {
  const cl_ulong all = beside->count, side = (cl_ulong)1 << (int)(log2((double)all) / 2);
  const struct {
    cl_ulong shape[2];
    cl_uint axis;
  } ways[] = {{{all / 64, 64}, 0}, {{all / 64, 64}, 1},     {{64, all / 64}, 0},
              {{64, all / 64}, 1}, {{side, all / side}, 0}, {{side, all / side}, 1},
              {{all / 3, 3}, 0},   {{all / 4, 4}, 0},       {{all / 16, 16}, 0}};
  int code = EXIT_DONE;
  for (size_t i = 0; i < sizeof ways / sizeof *ways && !code; i++) {
    struct comparison c = own_comparison(beside, "");
    c.ours.call.inputs = NULL;
    code = measure_along(beside, &c, ways[i].shape, ways[i].axis);
  }
  return code;
}

// Measures a scan with the requested strategies, or with both strategies for rows.
static int measure_scan_of(struct beside *beside, const cl_ulong shape[2], cl_uint axis) {
  struct comparison c = own_comparison(beside, "");
  clred_type result = CLRED_TYPE_NONE;
  clred_type_info info;
  clred_result_type(CLRED_OP_SUM, beside->type.type, &result);
  clred_type_inspect(result, &info);
  c.ours.call.inputs = NULL;
  c.ours.problem.scan = c.reference.problem.scan = CLRED_SCAN_INCLUSIVE;
  c.reference.name = "our line";
  c.ours.out_bytes = c.reference.out_bytes = (size_t)(beside->count * info.size);
  c.ours.bytes = c.reference.bytes = (double)beside->count * (double)(beside->type.size + info.size);
  return measure_along(beside, &c, shape, axis);
}

// Rows of 2^4 elements and more, along the fastest axis and across it.
int measure_scan_rows(struct beside *beside) {
  int code = EXIT_DONE;
  for (unsigned bits = 4; (UINT64_C(1) << bits) <= beside->count && !code; bits += bits < 12 ? 2 : 4) {
    const cl_ulong rows[2] = {beside->count >> bits, (cl_ulong)1 << bits}, columns[2] = {rows[1], rows[0]};
    code = measure_scan_of(beside, rows, 1);
    code = code ? code : measure_scan_of(beside, columns, 0);
  }
  return code;
}
