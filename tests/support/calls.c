// Calls and the loops that give their results: see calls.h.

#include "support/calls.h"

#include <stdlib.h>
#include <string.h>

#include "oracle/tree.h"

// ---------------------------------------------------------------- The numbers

static cl_mem upload(const struct device *device, const void *bytes, size_t size) {
  // clCreateBuffer takes no pointer to const, but it only reads the bytes.
  union {
    const void *read;
    void *given;
  } from = {bytes};
  cl_int err;
  cl_mem buffer = clCreateBuffer(device->context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, size, from.given, &err);
  if (err)
    oracle_fail("clCreateBuffer", clred_status_name(err));
  return buffer;
}

struct block {
  float value, rest[63];
};

static const cl_uint block_offsets[] = {0, 37, BLOCKS};

static void create_blocks(struct numbers *numbers, const struct device *device) {
  struct block *blocks = oracle_claim(BLOCKS, sizeof *blocks);
  cl_uchar flags[BLOCKS] = {0};
  flags[block_offsets[1]] = 1;
  for (size_t i = 0; i < BLOCKS; i++)
    blocks[i] = (struct block){.value = numbers->values[i]};
  numbers->blocks_buffer = upload(device, blocks, BLOCKS * sizeof *blocks);
  numbers->block_offsets_buffer = upload(device, block_offsets, sizeof block_offsets);
  numbers->block_flags_buffer = upload(device, flags, sizeof flags);
  free(blocks);
}

// Some segments are empty. The last one has all remaining elements.
void numbers_create(struct numbers *numbers, const struct device *device, uint64_t seed) {
  random_state random = random_seed(seed);
  memset(numbers, 0, sizeof *numbers);
  for (size_t i = 0; i < NUMBERS; i++) {
    numbers->values[i] = (float)(1 + random_below(&random, 97));
    numbers->before[i + 1] = numbers->before[i] + (double)numbers->values[i];
    numbers->flags[i] = i && random_below(&random, 6) == 0;
    numbers->keys[i] = i ? numbers->keys[i - 1] + 3 * numbers->flags[i] : -7;
  }
  for (size_t i = 1; i <= SEGMENTS; i++)
    numbers->offsets[i] = i == SEGMENTS
                            ? NUMBERS
                            : numbers->offsets[i - 1] + (cl_uint)(random_below(&random, 3) * random_below(&random, 60));
  numbers->values_buffer = upload(device, numbers->values, sizeof numbers->values);
  numbers->keys_buffer = upload(device, numbers->keys, sizeof numbers->keys);
  numbers->flags_buffer = upload(device, numbers->flags, sizeof numbers->flags);
  numbers->offsets_buffer = upload(device, numbers->offsets, sizeof numbers->offsets);
  create_blocks(numbers, device);
}

void numbers_release(struct numbers *numbers) {
  RELEASE(numbers->values_buffer, numbers->keys_buffer, numbers->flags_buffer, numbers->offsets_buffer,
          numbers->blocks_buffer, numbers->block_offsets_buffer, numbers->block_flags_buffer);
}

// ---------------------------------------------------------------- Loops

float calls_sum(const struct numbers *numbers, cl_ulong first, cl_ulong count) {
  return (float)(numbers->before[first + count] - numbers->before[first]);
}

bool calls_kept_are_right(const struct numbers *numbers, cl_ulong first, cl_ulong count, const float *kept,
                          cl_ulong number) {
  cl_ulong found = 0;
  for (cl_ulong i = first; i < first + count; i++) {
    if (!(numbers->values[i] > 40))
      continue;
    if (found == number || kept[found] != numbers->values[i])
      return false;
    found++;
  }
  return found == number;
}

bool calls_counts_are_right(const struct numbers *numbers, cl_ulong first, cl_ulong count, const cl_ulong *counts) {
  cl_ulong expected[BINS] = {0};
  for (cl_ulong i = first; i < first + count; i++)
    expected[(size_t)numbers->values[i] * BINS / 128]++;
  return memcmp(expected, counts, sizeof expected) == 0;
}

bool calls_scan_is_right(const struct numbers *numbers, cl_ulong first, cl_ulong count, bool exclusive,
                         const float *results) {
  for (cl_ulong i = 0; i < count; i++)
    if (results[i] != calls_sum(numbers, first, i + !exclusive))
      return false;
  return true;
}

static bool is_greatest(const struct numbers *numbers, const struct asked *asked, const clred_place_double *place) {
  const float *values = numbers->values + asked->first;
  cl_ulong greatest = 0;
  for (cl_ulong i = 1; i < asked->count; i++)
    greatest = values[i] > values[greatest] ? i : greatest;
  return place->index == greatest && place->value == (double)values[greatest];
}

static bool are_columns(const struct numbers *numbers, const struct asked *asked, const float *sums) {
  for (cl_ulong column = 0; column < asked->columns; column++) {
    float sum = 0;
    for (cl_ulong i = 0; i < asked->count; i++)
      sum += numbers->values[asked->first + i * asked->columns + column];
    if (sums[column] != sum)
      return false;
  }
  return true;
}

enum fold { SUMMED, SCANNED, SCANNED_BEFORE };

// Rows that begin at `offsets`, or that have `count` elements each if there are none.
static bool are_rows(const struct numbers *numbers, const struct asked *asked, const cl_uint *offsets, enum fold fold,
                     const float *results) {
  for (cl_ulong row = 0; row < asked->rows; row++) {
    const cl_ulong at = offsets ? offsets[row] : row * asked->count, first = offsets ? at : asked->first + at,
                   count = offsets ? offsets[row + 1] - at : asked->count;
    if (fold == SUMMED ? results[row] != calls_sum(numbers, first, count)
                       : !calls_scan_is_right(numbers, first, count, fold == SCANNED_BEFORE, results + at))
      return false;
  }
  return true;
}

static bool are_runs(const struct numbers *numbers, const struct asked *asked, enum fold fold, const float *results,
                     const cl_int *keys) {
  const cl_ulong end = asked->first + asked->count;
  cl_ulong runs = 0;
  for (cl_ulong begin = asked->first, i = begin + 1; begin < end; begin = i++, runs++) {
    while (i < end && !numbers->flags[i])
      i++;
    if (fold == SUMMED ? results[runs] != calls_sum(numbers, begin, i - begin)
                       : !calls_scan_is_right(numbers, begin, i - begin, false, results + (begin - asked->first)))
      return false;
    if (keys && keys[runs] != numbers->keys[begin])
      return false;
  }
  return asked->outcome.count == runs && asked->outcome.fault == 0;
}

bool call_is_right(enum call_kind kind, const struct numbers *numbers, const struct asked *asked, const void *out,
                   const cl_int *keys_out) {
  const float *values = out;
  switch (kind) {
  case CALL_SUM:
    return *values == calls_sum(numbers, asked->first, asked->count);
  case CALL_SCALED:
    return *values == asked->parameter * calls_sum(numbers, asked->first, asked->count);
  case CALL_LAST:
    return *values == (asked->count ? numbers->values[asked->first + asked->count - 1] : 0);
  case CALL_GREATEST:
    return is_greatest(numbers, asked, out);
  case CALL_INCLUSIVE:
    return calls_scan_is_right(numbers, asked->first, asked->count, false, values);
  case CALL_EXCLUSIVE:
    return calls_scan_is_right(numbers, asked->first, asked->count, true, values);
  case CALL_ROWS:
    return are_rows(numbers, asked, NULL, SUMMED, values);
  case CALL_COLUMNS:
    return are_columns(numbers, asked, values);
  case CALL_ROWS_SCANNED:
    return are_rows(numbers, asked, NULL, SCANNED, values);
  case CALL_SEGMENTS:
    return are_rows(numbers, asked, numbers->offsets + asked->first, SUMMED, values);
  case CALL_SEGMENTS_SCANNED:
    return are_rows(numbers, asked, numbers->offsets + asked->first, SCANNED_BEFORE, values);
  case CALL_BLOCKS:
  case CALL_BLOCKS_BY_HEADS:
    return are_rows(numbers, asked, block_offsets, SUMMED, values);
  case CALL_BLOCKS_SCANNED:
  case CALL_BLOCKS_SCANNED_BY_HEADS:
    return are_rows(numbers, asked, block_offsets, SCANNED_BEFORE, values);
  case CALL_KEYS:
    return are_runs(numbers, asked, SUMMED, values, keys_out);
  case CALL_HEADS:
    return are_runs(numbers, asked, SUMMED, values, NULL);
  case CALL_RUNS_SCANNED:
    return are_runs(numbers, asked, SCANNED, values, NULL);
  case CALL_KEPT:
    return !asked->outcome.fault &&
           calls_kept_are_right(numbers, asked->first, asked->count, values, asked->outcome.count);
  case CALL_COUNTS:
    return calls_counts_are_right(numbers, asked->first, asked->count, out);
  }
  return false;
}

// ---------------------------------------------------------------- Questions

static void into_memory(struct asked *asked, random_state *random, clred_call *call) {
  asked->bytes = sizeof(float);
  asked->in_memory = random_below(random, 2) != 0;
  if (!asked->in_memory)
    return;
  call->out = NULL;
  call->result = &asked->result;
  call->blocking = random_below(random, 2) != 0;
}

static void draw_rows(struct asked *asked, struct call_limits limits, random_state *random, clred_call *call) {
  asked->rows = call->rows = 1 + random_below(random, limits.rows);
  if (limits.elements)
    asked->count = call->count =
      limits.rows == 1 ? limits.elements : 1 + random_below(random, limits.elements / asked->rows);
}

static void ask_blocks(const struct numbers *numbers, cl_mem segments, struct asked *asked, clred_call *call) {
  asked->rows = call->rows = sizeof block_offsets / sizeof *block_offsets - 1;
  call->in = numbers->blocks_buffer;
  call->in_offset = 0;
  call->count = BLOCKS;
  call->segments = segments;
}

static void draw_segments(const struct numbers *numbers, struct asked *asked, random_state *random, clred_call *call) {
  asked->first = call->segments_offset = random_below(random, SEGMENTS);
  asked->rows = call->rows = 1 + random_below(random, SEGMENTS - asked->first);
  call->in_offset = 0;
  call->count = NUMBERS;
  call->segments = numbers->offsets_buffer;
}

static void want_outcome(struct asked *asked, random_state *random, clred_call *call) {
  call->outcome = &asked->outcome;
  call->blocking = random_below(random, 2) != 0;
}

static void shape(enum call_kind kind, const struct numbers *numbers, struct call_limits limits, cl_mem keys_out,
                  struct asked *asked, random_state *random, clred_call *call) {
  if (kind == CALL_ROWS || kind == CALL_COLUMNS || kind == CALL_ROWS_SCANNED)
    draw_rows(asked, limits, random, call);
  if (kind == CALL_COLUMNS) {
    asked->columns = call->columns = call->stride = asked->rows;
    call->rows = 1;
  }
  if (kind == CALL_SEGMENTS || kind == CALL_SEGMENTS_SCANNED)
    draw_segments(numbers, asked, random, call);
  if (kind == CALL_BLOCKS || kind == CALL_BLOCKS_SCANNED)
    ask_blocks(numbers, numbers->block_offsets_buffer, asked, call);
  if (kind == CALL_BLOCKS_BY_HEADS || kind == CALL_BLOCKS_SCANNED_BY_HEADS)
    ask_blocks(numbers, numbers->block_flags_buffer, asked, call);
  if (kind == CALL_KEYS || kind == CALL_HEADS || kind == CALL_RUNS_SCANNED) {
    call->segments = kind == CALL_KEYS ? numbers->keys_buffer : numbers->flags_buffer;
    call->segments_offset = asked->first;
    call->keys_out = kind == CALL_KEYS ? keys_out : NULL;
  }
  if (kind == CALL_KEYS || kind == CALL_HEADS || kind == CALL_RUNS_SCANNED || kind == CALL_KEPT)
    want_outcome(asked, random, call);
}

static size_t bytes_of(enum call_kind kind, const struct asked *asked) {
  switch (kind) {
  case CALL_GREATEST:
    return sizeof(clred_place_double);
  case CALL_ROWS:
  case CALL_SEGMENTS:
  case CALL_BLOCKS:
  case CALL_BLOCKS_BY_HEADS:
    return asked->rows * sizeof(float);
  case CALL_COLUMNS:
    return asked->columns * sizeof(float);
  case CALL_ROWS_SCANNED:
    return asked->rows * asked->count * sizeof(float);
  case CALL_SEGMENTS_SCANNED:
    return NUMBERS * sizeof(float);
  case CALL_BLOCKS_SCANNED:
  case CALL_BLOCKS_SCANNED_BY_HEADS:
    return BLOCKS * sizeof(float);
  case CALL_COUNTS:
    return BINS * sizeof(cl_ulong);
  default:
    return asked->count * sizeof(float);
  }
}

bool call_may_be_empty(enum call_kind kind) {
  return kind == CALL_SUM || kind == CALL_SCALED || kind == CALL_LAST || kind == CALL_ROWS || kind == CALL_COLUMNS;
}

clred_call call_draw(enum call_kind kind, const struct numbers *numbers, struct call_limits limits, cl_mem out,
                     cl_mem keys_out, struct asked *asked, random_state *random) {
  *asked = (struct asked){.first = random_below(random, NUMBERS - limits.elements), .rows = 1};
  asked->count = limits.elements ? 1 + random_below(random, limits.elements) : 0;
  asked->parameter = (float)(1 + random_below(random, 8));
  asked->parameters[0] = &asked->parameter;
  clred_call call = {.in = numbers->values_buffer, .in_offset = asked->first, .count = asked->count, .out = out};
  if (kind == CALL_SCALED)
    call.parameters = asked->parameters;
  shape(kind, numbers, limits, keys_out, asked, random, &call);
  asked->bytes = bytes_of(kind, asked);
  if (kind == CALL_SUM || kind == CALL_SCALED || kind == CALL_LAST)
    into_memory(asked, random, &call);
  return call;
}

// ---------------------------------------------------------------- What plans are made of

static const clred_operand scale = {"scale", "float", sizeof(float)};

const clred_operator calls_scaled = OPERATOR(.name = "scaled", .element = "float", .state = "float", .identity = "0",
                                             .lift = "x * scale", .combine = "a + b", .parameters = &scale,
                                             .parameter_count = 1, .commutative = CL_TRUE, .elementwise = CL_TRUE);
const clred_operator calls_last =
  OPERATOR(.name = "last", .element = "float", .state = "{ float value; uint has_value; }", .identity = "{ 0, 0 }",
           .lift = "MAKE(x, 1)", .combine = "b.has_value ? b : a", .result = "float", .lower = "s.value");
const clred_operator calls_blocks =
  OPERATOR(.name = "blocks", .preamble = "typedef struct { float value; float rest[63]; } block;", .element = "block",
           .element_size = sizeof(struct block), .state = "float", .identity = "0", .lift = "x.value",
           .combine = "a + b", .commutative = CL_TRUE);
const clred_selection calls_selection = {.name = "above_forty", .keep = "x > 40.0f"};
const clred_histogram calls_histogram = {.bins = BINS, .low = 0, .high = 128};
