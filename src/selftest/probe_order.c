// Checks that results in the order fixed/1 (docs/order.md) have the bits that probe_bits.def lists.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "selftest/probe_plans.h"

#define ROW(type, op, count, offset, bits) {CLRED_TYPE_##type, CLRED_OP_##op, count, offset, bits},
const struct clr_stored_bits clr_stored_bits[] = {
#include "selftest/probe_bits.def"
};
#undef ROW
#define BITS (sizeof clr_stored_bits / sizeof *clr_stored_bits)
const size_t clr_stored_bits_count = BITS;

#define STEP 0x9e3779b97f4a7c15u
#define DRAWN_BEFORE 597  // tests/grid/bits.c draws this many values first when it makes the same elements
#define LENGTH ((1u << 17) + 1024)

// Makes `count` elements of the type, from element `offset` on; with `other`, those of the second input.
static void make_elements(clred_type type, bool other, cl_ulong offset, cl_ulong count, void *elements) {
  const bool wide = type == CLRED_TYPE_DOUBLE;
  const int bits = wide ? 53 : 24;
  cl_ulong before = DRAWN_BEFORE + (wide ? 2u * LENGTH : 0) + (other ? LENGTH : 0) + offset;
  cl_ulong state = 17 * STEP + 1 + before * STEP;
  for (cl_ulong i = 0; i < count; i++) {
    cl_ulong word = clr_random(&state);
    double value = ldexp(ldexp((double)(word >> (64 - bits)), -bits), (int)(word & 7));
    value = word & 8 ? -value : value;
    const float narrow = (float)value;
    memcpy((char *)elements + i * (wide ? sizeof value : sizeof narrow),
           wide ? (const void *)&value : (const void *)&narrow, wide ? sizeof value : sizeof narrow);
  }
}

static cl_int run(struct clr_plan_trials *trials, clred_plan *plan, const struct clr_stored_bits *row, cl_ulong *got) {
  const size_t size = row->type == CLRED_TYPE_DOUBLE ? sizeof(cl_double) : sizeof(cl_float),
               bytes = (size_t)row->count * size;
  cl_mem buffers[2] = {NULL, NULL};
  struct clr_status ignored;
  char *elements = malloc(bytes);
  cl_int err = elements ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
  for (int i = 0; i < 2 && !err; i++) {
    make_elements(row->type, i == 1, row->offset, row->count, elements);
    err = clr_session_buffer(&trials->session, bytes, elements, &buffers[i], &ignored);
  }
  free(elements);
  *got = 0;
  const struct clr_request request = {
    .queue = trials->session.queue,
    .call = {.in = buffers[0], .inputs = &buffers[1], .count = row->count, .result = got, .blocking = CL_TRUE}};
  if (!err)
    err = clr_enqueue(plan, &request, &ignored);
  clr_session_drop(&trials->session);
  return err;
}

static void try_row(struct clr_plan_trials *trials, const char *strategy, const struct clr_stored_bits *row,
                    struct clr_probed *probed) {
  const clred_problem problem = {.type = row->type, .op = row->op, .strategy = strategy};
  clred_plan *plan = NULL;
  struct clr_status ignored;
  cl_ulong got = 0;
  if (clr_plan_make(trials->runtime, &problem, &plan, &ignored))
    return;
  cl_int err = row->count <= plan->shape.count_most ? run(trials, plan, row, &got) : CL_SUCCESS;
  bool right = row->count > plan->shape.count_most || (!err && got == row->bits);
  clr_plan_release(plan);
  if (right || probed->verdict != CLRED_HOLDS)
    return;
  probed->verdict = CLRED_AVOIDED;
  snprintf(probed->detail, sizeof probed->detail, "%s of %llu elements of %s has the bits %llx, not %llx%s%s",
           clr_op_row(row->op)->name, (unsigned long long)row->count,
           row->type == CLRED_TYPE_DOUBLE ? "double" : "float", (unsigned long long)got, (unsigned long long)row->bits,
           err ? ": " : "", err ? clr_status_name(err) : "");
}

// A short probing tries only the sums and one variance.
static bool is_due(const struct clr_plan_trials *trials, const struct clr_stored_bits *row) {
  return trials->options->full || row->op == CLRED_OP_SUM || (row->op == CLRED_OP_VAR && row->type == CLRED_TYPE_FLOAT);
}

void clr_try_order(struct clr_plan_trials *trials) {
  static const char *const strategies[] = {"chunked", "wide"};
  const struct clr_facts *facts = &trials->runtime->facts;
  char name[32];
  for (int s = 0; s < 2; s++) {
    struct clr_probed probed = {.verdict = CLRED_HOLDS};
    const struct clr_strategy *strategy = clr_strategy_named(strategies[s]);
    snprintf(name, sizeof name, "fixed/1 by %s", strategies[s]);
    bool short_one = !trials->options->full && (facts->cpu != 0) != (s == 0);
    if (short_one || !clr_trials_want(trials, "order") || !clr_strategy_is_trusted(strategy, facts))
      continue;
    if (!clr_trials_begin(trials, name, s / 2.0))
      return;
    for (size_t i = 0; i < BITS; i++)
      if (is_due(trials, &clr_stored_bits[i]))
        try_row(trials, strategies[s], &clr_stored_bits[i], &probed);
    if (probed.verdict == CLRED_AVOIDED)
      clr_avoid_strategy(trials, strategies[s], probed.detail);
    clr_trials_end(trials, name, "order", &probed);
  }
}
