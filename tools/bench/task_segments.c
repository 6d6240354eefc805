// The comparisons of the task `segments`: rows and offsets of equal lengths, and lengths that differ much.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/fail.h"
#include "bench/beside.h"
#include "input/generate.h"

static size_t offsets_of_length(uint32_t *offsets, size_t count, size_t length) {
  for (size_t i = 0; i <= count / length; i++)
    offsets[i] = (uint32_t)(i * length);
  return count / length;
}

// Draws lengths l from 1 to 2^22 with a density of l^-1.5, by the inverse of the integral of the density. The last
// segment ends at the last element.
static size_t offsets_of_power_law(uint32_t *offsets, size_t count) {
  const uint64_t seed = UINT64_C(1) << 40;  // larger than the index of any element
  const double least = 1 / sqrt((double)(1 << 22));
  size_t segments = 0, at = 0;
  while (at < count) {
    const double uniform = (double)(splitmix64(seed + segments) >> 11) * 0x1p-53;
    const double root = 1 - uniform * (1 - least), length = floor(1 / (root * root));
    offsets[segments++] = (uint32_t)at;
    at += length < (double)(count - at) ? (size_t)length : count - at;
  }
  offsets[segments] = (uint32_t)count;
  return segments;
}

// One segment of half of the elements among many of 8.
static size_t offsets_of_giant(uint32_t *offsets, size_t count) {
  const size_t small = count / 2 / 8;
  size_t segments = 0, at = 0;
  for (; segments < small + 1; segments++) {
    offsets[segments] = (uint32_t)at;
    at += segments == small / 2 ? count / 2 : 8;
  }
  offsets[segments] = (uint32_t)count;
  return segments;
}

// `length` is 0 if offsets say where segments end.
static int measure_segmented(struct beside *beside, const char *label, uint32_t *offsets, size_t segments,
                             size_t length) {
  struct comparison c = beside_sum(beside, BENCH_SEGMENTS, label);
  c.ours.problem.count_max = length;
  c.ours.problem.layout = length > 0 ? CLRED_LAYOUT_ROWS : CLRED_LAYOUT_SEGMENTS;
  c.ours.problem.segment_type = length > 0 ? CLRED_TYPE_NONE : CLRED_TYPE_UINT;
  c.ours.call.rows = c.work.results = segments;
  c.ours.call.count = length > 0 ? length : beside->count;
  c.work.length = length;
  c.work.offsets = length > 0 ? NULL : offsets;
  if (beside_on_cpu(beside))
    c.reference = beside_plain_sum(beside);
  int code = EXIT_DONE;
  if (length == 0)
    code = session_buffer(&beside->bed.session, offsets, (segments + 1) * sizeof *offsets, "the offsets",
                          &c.ours.call.segments);
  code = code ? code : beside_compare(beside, &c);
  buffer_release(c.ours.call.segments);
  return code;
}

static int measure_lengths(struct beside *beside, uint32_t *offsets, bool rows) {
  static const size_t lengths[] = {16, 64, 256, 1024, 16384, 1 << 20};
  int code = EXIT_DONE;
  for (size_t i = 0; i < sizeof lengths / sizeof *lengths && lengths[i] <= beside->count && !code; i++) {
    char label[32];
    const size_t segments = offsets_of_length(offsets, (size_t)beside->count, lengths[i]);
    snprintf(label, sizeof label, "%s of %zu", rows ? "rows" : "offsets", lengths[i]);
    code = measure_segmented(beside, label, offsets, segments, rows ? lengths[i] : 0);
  }
  return code;
}

// There are never more segments than elements.
int measure_segments(struct beside *beside) {
  const size_t count = (size_t)beside->count;
  uint32_t *offsets = bed_claim((count + 1) * sizeof *offsets);
  if (offsets == NULL)
    return fail_memory();
  int code = measure_lengths(beside, offsets, true);
  code = code ? code : measure_lengths(beside, offsets, false);
  code = code ? code : measure_segmented(beside, "power law", offsets, offsets_of_power_law(offsets, count), 0);
  code = code ? code : measure_segmented(beside, "one of half", offsets, offsets_of_giant(offsets, count), 0);
  free(offsets);
  return code;
}
