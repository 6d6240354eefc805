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

// ---------------------------------------------------------------- Expected results

struct line {
  cl_ulong first, step, count;  // elements of the call
};

// The next line, which is number `l`, behind `line`. False if there is none.
static bool next_line(const struct numbers *numbers, const struct asked *asked, cl_ulong l, struct line *line) {
  const cl_ulong end = asked->first + asked->count;
  if (asked->finds_runs) {
    *line = (struct line){l ? line->first + line->count : asked->first, 1, 1};
    while (line->first + line->count < end && !numbers->flags[line->first + line->count])
      line->count++;
    return line->first < end;
  }
  if (l == asked->rows * asked->columns)
    return false;
  const cl_uint *at = asked->offsets ? asked->offsets + l : NULL;
  *line = at ? (struct line){at[0], 1, at[1] - at[0]}
             : (struct line){asked->first + l / asked->columns * asked->count + l % asked->columns, asked->columns,
                             asked->count};
  return true;
}

// `results` has the sum of the line, or its scan.
static bool line_is_right(const struct numbers *numbers, const struct line *line, clred_scan scan, float factor,
                          const float *results) {
  float sum = 0;
  for (cl_ulong i = 0; i < line->count; i++) {
    const float before = sum;
    sum += factor * numbers->values[line->first + i * line->step];
    if (scan && results[i] != (scan == CLRED_SCAN_INCLUSIVE ? sum : before))
      return false;
  }
  return scan || *results == sum;
}

static bool lines_are_right(const clred_problem *problem, const struct numbers *numbers, const struct asked *asked,
                            const float *results, const cl_int *keys) {
  const float factor = problem->custom == &calls_scaled ? asked->parameter : 1;
  struct line line = {0};
  cl_ulong l = 0;
  for (; next_line(numbers, asked, l, &line); l++)
    if (!line_is_right(numbers, &line, problem->scan, factor,
                       results + (problem->scan ? line.first - (asked->offsets ? 0 : asked->first) : l)) ||
        (asked->has_keys && keys[l] != numbers->keys[line.first]))
      return false;
  return !asked->finds_runs || (asked->outcome.count == l && asked->outcome.fault == 0);
}

static bool kept_are_right(const float *values, const struct asked *asked, const float *kept) {
  cl_ulong found = 0;
  for (cl_ulong i = 0; i < asked->count; i++)
    if (values[i] > 40 && (found == asked->outcome.count || kept[found++] != values[i]))
      return false;
  return found == asked->outcome.count && asked->outcome.fault == 0;
}

// Each element is its own weight.
static bool bins_are_right(bool has_weights, const float *values, cl_ulong count, const void *results) {
  cl_ulong expected[BINS] = {0};
  float sums[BINS];
  for (cl_ulong i = 0; i < count; i++)
    expected[(size_t)values[i] * BINS / 128] += has_weights ? (cl_ulong)values[i] : 1;
  for (size_t i = 0; i < BINS; i++)
    sums[i] = (float)expected[i];
  return has_weights ? memcmp(sums, results, sizeof sums) == 0 : memcmp(expected, results, sizeof expected) == 0;
}

static bool is_greatest(const float *values, cl_ulong count, const clred_place_double *place) {
  cl_ulong greatest = 0;
  for (cl_ulong i = 1; i < count; i++)
    greatest = values[i] > values[greatest] ? i : greatest;
  return place->index == greatest && place->value == (double)values[greatest];
}

bool call_is_right(const clred_problem *problem, const struct numbers *numbers, const struct asked *asked,
                   const void *out, const cl_int *keys_out) {
  const float *values = numbers->values + asked->first, *results = out;
  if (problem->selection)
    return kept_are_right(values, asked, results);
  if (problem->histogram)
    return bins_are_right(problem->histogram->weight_type, values, asked->count, out);
  if (problem->op == CLRED_OP_ARGMAX)
    return is_greatest(values, asked->count, out);
  if (problem->custom == &calls_last)
    return *results == (asked->count ? values[asked->count - 1] : 0);
  return lines_are_right(problem, numbers, asked, results, keys_out);
}

// ---------------------------------------------------------------- Calls

static bool gives_sums(const clred_problem *problem) {
  return !problem->scan && !problem->selection && !problem->histogram && problem->op != CLRED_OP_ARGMAX;
}

bool call_may_be_empty(const clred_problem *problem) {
  return gives_sums(problem) && problem->layout <= CLRED_LAYOUT_COLUMNS;
}

static void draw_rows(struct call_limits limits, struct asked *asked, random_state *random) {
  asked->rows = 1 + random_below(random, limits.rows);
  if (limits.elements)
    asked->count = limits.rows == 1 ? limits.elements : 1 + random_below(random, limits.elements / asked->rows);
}

static void draw_segments(const struct numbers *numbers, struct asked *asked, random_state *random, clred_call *call) {
  const cl_ulong first = random_below(random, SEGMENTS);
  asked->rows = 1 + random_below(random, SEGMENTS - first);
  asked->offsets = numbers->offsets + first;
  call->in_offset = 0;
  call->count = NUMBERS;
  call->segments = numbers->offsets_buffer;
  call->segments_offset = first;
}

static void ask_blocks(const struct numbers *numbers, bool by_offsets, struct asked *asked, clred_call *call) {
  asked->rows = sizeof block_offsets / sizeof *block_offsets - 1;
  asked->offsets = block_offsets;
  call->in = numbers->blocks_buffer;
  call->in_offset = 0;
  call->count = BLOCKS;
  call->segments = by_offsets ? numbers->block_offsets_buffer : numbers->block_flags_buffer;
}

static void ask_runs(const struct numbers *numbers, bool by_keys, cl_mem keys_out, struct asked *asked,
                     clred_call *call) {
  asked->finds_runs = true;
  asked->has_keys = by_keys;
  call->segments = by_keys ? numbers->keys_buffer : numbers->flags_buffer;
  call->segments_offset = asked->first;
  call->keys_out = by_keys ? keys_out : NULL;
}

static size_t bytes_of(const clred_problem *problem, const struct asked *asked, const clred_call *call) {
  const bool many = problem->scan || problem->selection || asked->finds_runs;
  const cl_ulong results = !many            ? asked->rows * asked->columns
                           : asked->offsets ? call->count
                                            : asked->rows * asked->count;
  return problem->histogram               ? BINS * (problem->histogram->weight_type ? sizeof(float) : sizeof(cl_ulong))
         : problem->op == CLRED_OP_ARGMAX ? sizeof(clred_place_double)
                                          : (size_t)results * sizeof(float);
}

clred_call call_draw(const clred_problem *problem, const struct numbers *numbers, struct call_limits limits, cl_mem out,
                     cl_mem keys_out, struct asked *asked, random_state *random) {
  const clred_layout layout = problem->layout;
  *asked = CALL_OVER(random_below(random, NUMBERS - limits.elements),
                     limits.elements ? 1 + random_below(random, limits.elements) : 0);
  asked->parameter = (float)(1 + random_below(random, 8));
  asked->parameters[0] = &asked->parameter;
  if (layout == CLRED_LAYOUT_ROWS || layout == CLRED_LAYOUT_COLUMNS)
    draw_rows(limits, asked, random);
  clred_call call = {.in = numbers->values_buffer, .in_offset = asked->first, .count = asked->count, .out = out};
  if (problem->custom == &calls_blocks)
    ask_blocks(numbers, layout == CLRED_LAYOUT_SEGMENTS, asked, &call);
  else if (layout == CLRED_LAYOUT_SEGMENTS)
    draw_segments(numbers, asked, random, &call);
  else if (layout > CLRED_LAYOUT_SEGMENTS)
    ask_runs(numbers, layout == CLRED_LAYOUT_KEYS, keys_out, asked, &call);
  call.rows = asked->finds_runs || layout == CLRED_LAYOUT_LINE ? 0 : asked->rows;
  if (layout == CLRED_LAYOUT_COLUMNS) {
    asked->columns = call.columns = call.stride = asked->rows;
    asked->rows = call.rows = 1;
  }
  call.parameters = problem->custom == &calls_scaled ? asked->parameters : NULL;
  call.inputs = problem->histogram == &calls_weights ? &numbers->values_buffer : NULL;
  call.input_offsets = &asked->first;
  asked->bytes = bytes_of(problem, asked, &call);
  asked->in_memory = gives_sums(problem) && layout == CLRED_LAYOUT_LINE && random_below(random, 2);
  call.out = asked->in_memory ? NULL : out;
  call.result = asked->in_memory ? &asked->result : NULL;
  call.outcome = asked->finds_runs || problem->selection ? &asked->outcome : NULL;
  call.blocking = (call.result || call.outcome) && random_below(random, 2);
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
const clred_histogram calls_histogram = {.bins = BINS, .low = 0, .high = 128},
                      calls_weights = {.bins = BINS, .low = 0, .high = 128, .weight_type = CLRED_TYPE_FLOAT};
