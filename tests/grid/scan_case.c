// The expected results of a scan: see scan_case.h.

#include "scan_case.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oracle/tree.h"

// ---------------------------------------------------------------- Elements

static unsigned char *gather(const struct scan_case *one, const void *array, uint64_t lead) {
  const size_t size = one->data->size;
  const unsigned char *from = (const unsigned char *)array + (one->in_offset + lead) * size;
  unsigned char *elements = oracle_claim(one->count, size);
  for (uint64_t i = 0; i < one->count; i++)
    memcpy(elements + i * size, from + i * one->stride * size, size);
  return elements;
}

// ---------------------------------------------------------------- The state before the first element

static uint64_t start_bits(const clred_problem *problem, clred_type type, unsigned component) {
  const bool is_float = type == CLRED_TYPE_FLOAT;
  if (oracle_is_floating(type) && problem->op == CLRED_OP_PROD)  // its exponent of 0 is too small or too large
    return oracle_float_bits(type,
                             component ? ldexp(0.625, is_float ? -140 : -1060) : ldexp(1.375, is_float ? 126 : 1000));
  if (oracle_is_floating(type))
    return oracle_float_bits(type, component ? 0.625 : 1.375);
  return problem->op == CLRED_OP_AND ? ~(uint64_t)8 : 37 + 2 * component;
}

void scan_case_start(const clred_problem *problem, void *state) {
  oracle_result result;
  oracle_parts(problem, &result);
  const oracle_part *part = &result.parts[0];
  const clred_type type = oracle_component(part->type);
  const bool is_three = (int)part->type >> 8 == 3;
  uint64_t words[START_MAX / 8] = {0};
  for (unsigned c = 0; c < (is_three ? 3 : part->components); c++)
    oracle_store(words, oracle_size(type), c, start_bits(problem, type, c));
  memcpy(state, words, sizeof words);
}

void scan_case_solve(struct scan_case *one, const oracle_tree *tree) {
  oracle_parts(one->problem, &one->result);
  one->size = oracle_offset(&one->result, one->result.count);
  scan_case_start(one->problem, one->state);
  one->elements = gather(one, one->data->elements, 0);
  one->others = one->data->others ? gather(one, one->data->others, DATA_OTHER_LEAD) : NULL;
  one->expected = oracle_claim(one->count, one->size);
  const oracle_scan scan = {.inclusive = one->problem->scan == CLRED_SCAN_INCLUSIVE,
                            .reversed = one->problem->reversed,
                            .start = one->start == START_ABSENT ? NULL : one->state};
  oracle_solve_scan(one->problem, &scan, one->elements, one->others, one->count, tree, one->expected);
}

void scan_case_release(struct scan_case *one) {
  RELEASE(one->elements, one->others, one->expected);
}

// ---------------------------------------------------------------- Comparing

// Bytes between parts are not compared.
static bool same_result(const struct scan_case *one, uint64_t i, const unsigned char *got, char *text, size_t size) {
  for (size_t p = 0; p < one->result.count; p++) {
    const oracle_part *part = &one->result.parts[p];
    const size_t bytes = oracle_size(part->type), at = oracle_offset(&one->result, p);
    const unsigned char *expected = one->expected + i * one->size + at;
    uint64_t words[2] = {0, 0};
    if (memcmp(got + at, expected, bytes) == 0)
      continue;
    memcpy(&words[0], expected, bytes < 8 ? bytes : 8);
    memcpy(&words[1], got + at, bytes < 8 ? bytes : 8);
    snprintf(text, size, "result %" PRIu64 " %s expected 0x%" PRIx64 " got 0x%" PRIx64, i, part->name, words[0],
             words[1]);
    return false;
  }
  return true;
}

bool scan_case_same(const struct scan_case *one, const unsigned char *results, uint64_t stride, char *text,
                    size_t size) {
  for (uint64_t i = 0; i < one->count; i++)
    if (!same_result(one, i, results + i * stride * one->size, text, size))
      return false;
  return true;
}
