// Keeps the rows, and computes medians, quartiles and speeds.

#include "bench/rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/quantile.h"

const char *side_kind_name(enum side_kind kind) {
  static const char *const names[] = {[SIDE_OURS] = "ours", [SIDE_LIMIT] = "limit", [SIDE_PEER] = "peer"};
  return names[kind];
}

struct spread spread_of(double *seconds, size_t count) {
  if (count == 0)
    return (struct spread){NAN, NAN, NAN, 0};
  return (struct spread){median(seconds, count), quantile(seconds, count, 0.25), quantile(seconds, count, 0.75), count};
}

struct bench_row *bench_rows_add(struct bench_rows *rows, size_t count) {
  static const struct spread none = {NAN, NAN, NAN, 0};
  struct bench_row *grown = realloc(rows->list, (rows->count + count) * sizeof *grown);
  if (grown == NULL)
    return NULL;
  rows->list = grown;
  for (size_t i = rows->count; i < rows->count + count; i++)
    rows->list[i] = (struct bench_row){.times = {none, none}};
  rows->count += count;
  return rows->list + rows->count - count;
}

void bench_rows_release(struct bench_rows *rows) {
  free(rows->list);
  *rows = (struct bench_rows){0};
}

double bench_row_speed(const struct bench_row *row, enum bench_clock clock) {
  return row->bytes / row->times[clock].median / 1e9;
}

bool bench_same_case(const struct bench_row *a, const struct bench_row *b) {
  return a->of.device == b->of.device && a->of.count == b->of.count && strcmp(a->of.op, b->of.op) == 0 &&
         strcmp(a->of.type, b->of.type) == 0;
}
