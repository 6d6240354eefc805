// Calls in any layout and their expected results: see layout_case.h.

#include "layout_case.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "element.h"
#include "oracle/tree.h"
#include "scan_case.h"

#define TILE 1024
#define SEGMENTS_MAX 3000
#define BEHIND 3        // elements behind the last one
#define RESULT_MAX 256  // bytes

const struct sample *layout_sample(const clred_problem *problem) {
  return (const struct sample *)problem->custom;  // its first member
}

// ---------------------------------------------------------------- Lines

static void add_line(struct layout_case *one, uint64_t first, uint64_t step, uint64_t count) {
  one->lines[one->line_count++] = (struct line){first, step, count};
}

static void make_lines(struct layout_case *one) {
  const clred_call *call = &one->call;
  const clred_layout layout = one->problem->layout;
  const bool has_rows = layout == CLRED_LAYOUT_ROWS || layout == CLRED_LAYOUT_COLUMNS;
  const uint64_t columns = layout == CLRED_LAYOUT_COLUMNS ? call->columns : 1;
  const uint64_t step = layout == CLRED_LAYOUT_STRIDED || layout == CLRED_LAYOUT_COLUMNS ? call->stride : 1;
  const uint64_t row_stride = call->row_stride ? call->row_stride : call->count * (step > columns ? step : columns);
  const uint64_t lines = (has_rows ? call->rows : 1) * columns;
  one->lines = oracle_claim(lines, sizeof *one->lines);
  for (uint64_t i = 0; i < lines; i++)
    add_line(one, call->in_offset + i / columns * row_stride + i % columns, step, call->count);
}

// Element i of line j by the indices of a C-ordered array, one dimension after the other.
static uint64_t position(const struct layout_shape *shape, uint64_t j, uint64_t i) {
  uint64_t sum = 0, apart = 1;
  for (cl_uint d = shape->dimensions; d-- > 0; apart *= shape->lengths[d]) {
    sum += apart * (d == shape->axis ? i : j % shape->lengths[d]);
    j = d == shape->axis ? j : j / shape->lengths[d];
  }
  return sum;
}

static void make_axis(struct layout_case *one, const struct layout_shape *shape) {
  uint64_t lines = 1;
  clred_layout layout = CLRED_LAYOUT_LINE;
  const cl_int err = clred_call_along_axis(&one->call, &layout, shape->dimensions, shape->lengths, shape->axis);
  if (err || layout != one->problem->layout)
    oracle_fail("clred_call_along_axis gives another", err ? "status" : "layout");
  for (cl_uint d = 0; d < shape->dimensions; d++)
    lines *= d == shape->axis ? 1 : shape->lengths[d];
  one->lines = oracle_claim(lines, sizeof *one->lines);
  for (uint64_t j = 0; j < lines; j++)
    add_line(one, one->call.in_offset + position(shape, j, 0), position(shape, j, 1) - position(shape, j, 0),
             shape->lengths[shape->axis]);
}

static uint64_t length_of(enum layout_pattern pattern, uint64_t line, uint64_t count, random_state *random) {
  const uint64_t one_of = random_below(random, 512) + 1, some = random_below(random, 700);
  const uint64_t mixed = some < 200 ? 0 : some < 650 ? some % 40 : some * 9;
  const uint64_t lengths[PATTERNS] = {[EMPTY] = 0,
                                      [ONES] = 1,
                                      [FEW] = line % 2 ? 37 : 0,
                                      [SIXTEENS] = 16,
                                      [SIXTY_FOURS] = 64,
                                      [MIXED] = mixed,
                                      [POWER_LAW] = 65536 / (one_of * one_of),
                                      [AROUND_TILES] = TILE - 1 + line % 3,
                                      [GIANT] = line == 5 ? count * 9 / 10 : 8,
                                      [ONE_OF_ALL] = count};
  return lengths[pattern];
}

// Keys 3 and 4 of every five are NaNs. Two adjacent NaNs are two runs.
static bool is_nan(const clred_problem *problem, uint64_t run) {
  return problem->layout == CLRED_LAYOUT_KEYS && oracle_is_floating(problem->segment_type) && run % 5 > 2;
}

// Segments may begin after the first element and end before the last; some have none. Runs have all elements.
static void make_segments(struct layout_case *one, enum layout_pattern pattern) {
  const bool runs = one->problem->layout != CLRED_LAYOUT_SEGMENTS;
  const uint64_t count = one->call.count;
  const uint64_t most = runs ? count : pattern == FEW ? 4 : SEGMENTS_MAX;
  random_state random = random_seed(pattern + count);
  uint64_t at = !runs && pattern % 3 == 2 && count > 19 ? 19 : 0;
  one->lines = oracle_claim(most, sizeof *one->lines);
  while (one->line_count < most && (at < count || (!runs && pattern == EMPTY))) {
    uint64_t length = length_of(pattern, one->line_count, count, &random);
    length = is_nan(one->problem, one->line_count) || (runs && !length) ? 1 : length;
    length = length < count - at ? length : count - at;
    add_line(one, one->call.in_offset + at, 1, length);
    at += length;
  }
  one->call.rows = one->line_count;
}

// ---------------------------------------------------------------- Offsets, flags, keys

// Element `at` of run number `run`. Keys repeat in later runs. -0 and +0 are one key and alternate.
static void store_key(const struct layout_case *one, uint64_t place, uint64_t run, uint64_t at) {
  const clred_type type = one->problem->segment_type;
  const double floats[] = {at % 3 == 1 ? -0.0 : 0.0, -1.5, 7};
  const uint64_t wide = (run % 3) << (one->mark_size == 8 ? 40 : 0) | 8;
  const uint64_t flag = at ? 0 : run % 2 ? 128 : run != 0;
  uint64_t bits = one->problem->layout == CLRED_LAYOUT_HEADS ? flag : wide ^ (run % 3 == 1 ? UINT64_MAX : 0);
  if (oracle_is_floating(type))
    bits = is_nan(one->problem, run) ? oracle_float_bits(type, (double)NAN) + run % 100
                                     : oracle_float_bits(type, floats[run % 5 % 3]);
  oracle_store(one->marks, one->mark_size, place, bits);
}

// The memory before and behind an offset holds all ones. The key before the first one, and behind the last one, is the
// same again: a call that read them would find longer runs.
static void make_marks(struct layout_case *one) {
  const clred_problem *problem = one->problem;
  const bool offsets = problem->layout == CLRED_LAYOUT_SEGMENTS;
  one->mark_size = problem->segment_type ? oracle_size(problem->segment_type) : 1;
  one->mark_count = LAYOUT_MARKS_LEAD + (offsets ? one->line_count + 1 : one->call.count) + 1;
  one->marks = oracle_claim(one->mark_count, one->mark_size);
  memset(one->marks, 0xff, one->mark_count * one->mark_size);
  for (uint64_t l = 0; l < one->line_count; l++) {
    const struct line *line = &one->lines[l];
    const uint64_t at = line->first - one->call.in_offset;
    if (offsets) {
      oracle_store(one->marks, one->mark_size, LAYOUT_MARKS_LEAD + l, at);
      oracle_store(one->marks, one->mark_size, LAYOUT_MARKS_LEAD + l + 1, at + line->count);
    }
    for (uint64_t i = 0; !offsets && i < line->count; i++)
      store_key(one, LAYOUT_MARKS_LEAD + at + i, l, i);
  }
  if (offsets && one->line_count == 0)
    oracle_store(one->marks, one->mark_size, LAYOUT_MARKS_LEAD, 0);
  if (!offsets && one->line_count) {
    store_key(one, LAYOUT_MARKS_LEAD - 1, 0, 2);
    store_key(one, one->mark_count - 1, one->line_count - 1, 2);
  }
  one->call.segments_offset = LAYOUT_MARKS_LEAD;
}

// ---------------------------------------------------------------- Elements

static void put(const struct layout_case *one, unsigned char *array, uint64_t at, unsigned component, uint64_t bits) {
  const clred_type type = oracle_component(one->problem->type);
  oracle_store(array, oracle_size(type), at * oracle_components(one->problem->type) + component, bits);
}

// Elements of the lines do not decide an extreme but one or two of each line. Those between the lines do.
static void fill(const struct layout_case *one, unsigned char *array, uint64_t lead, random_state *random) {
  const clred_problem *problem = one->problem;
  const clred_op op = problem->list ? CLRED_OP_SUM : problem->op;
  const clred_type type = oracle_component(problem->type);
  const unsigned components = oracle_components(problem->type);
  for (uint64_t i = 0; i < (one->length + lead) * components; i++)
    oracle_store(array, oracle_size(type), i, element_poison(op, type, problem->nan, random));
  for (uint64_t l = 0; l < one->line_count; l++) {
    const struct line *line = &one->lines[l];
    for (uint64_t i = 0; i < line->count * components; i++)
      put(one, array, lead + line->first + i / components * line->step, (unsigned)(i % components),
          element_draw(op, type, oracle_is_complex(problem->type) && i % 2, (unsigned)l, random));
    for (unsigned i = 0; i < 2 && line->count && (seeks_least(op) || seeks_greatest(op)); i++)
      put(one, array, lead + line->first + random_below(random, line->count) * line->step, 0,
          element_decisive(op, type, seeks_least(op) && !(seeks_greatest(op) && i), (unsigned)l));
  }
}

static void make_elements(struct layout_case *one) {
  random_state random = random_seed(one->length);
  const bool further = one->sample ? one->sample->input != 0 : oracle_is_dot(one->problem->op);
  one->size = one->sample ? one->sample->element : oracle_size(one->problem->type);
  one->other_size = one->sample ? one->sample->input : one->size;
  one->elements = oracle_claim(one->length, one->size);
  one->others = further ? oracle_claim(one->length + DATA_OTHER_LEAD, one->other_size) : NULL;
  if (one->sample)
    sample_fill(one->sample, false, one->elements, one->length, &random);
  else
    fill(one, one->elements, 0, &random);
  if (further && one->sample)
    sample_fill(one->sample, true, one->others, one->length + DATA_OTHER_LEAD, &random);
  else if (further)
    fill(one, one->others, DATA_OTHER_LEAD, &random);
}

static uint64_t length_of_array(const struct layout_case *one, bool exact) {
  uint64_t length = one->call.in_offset + (one->problem->layout >= CLRED_LAYOUT_SEGMENTS ? one->call.count : 0);
  for (uint64_t l = 0; l < one->line_count; l++) {
    const struct line *line = &one->lines[l];
    const uint64_t end = line->first + (line->count ? (line->count - 1) * line->step + 1 : 0);
    length = end > length ? end : length;
  }
  return length + (exact ? 0 : BEHIND);
}

// Scans with a state in one piece may have a start: of samples a state of theirs, else as in scans of lines.
static const void *start_of(const clred_problem *problem, uint64_t turn) {
  static uint64_t words[START_MAX / 8];
  const struct sample *sample = layout_sample(problem);
  if (!problem->scan || turn % 3 == 0 || (!sample && (problem->list || !oracle_takes_start(problem))))
    return NULL;
  memset(words, 0, sizeof words);
  if (sample) {
    unsigned char element[256], input[64];
    const void *inputs = input;
    random_state random = random_seed(5);
    sample_fill(sample, false, element, 1, &random);
    sample_fill(sample, true, input, sample->input ? 1 : 0, &random);
    sample->op.host->lift(element, 5, &inputs, &sample->parameter, words, NULL);
  } else {
    scan_case_start(problem, words);
  }
  return words;
}

void layout_case_make(struct layout_case *one, const clred_problem *problem, const struct layout_shape *shape,
                      uint64_t turn) {
  *one = (struct layout_case){.problem = problem, .sample = layout_sample(problem), .call = shape->call};
  if (shape->dimensions)
    make_axis(one, shape);
  else if (problem->layout >= CLRED_LAYOUT_SEGMENTS)
    make_segments(one, (enum layout_pattern)shape->pattern);
  else
    make_lines(one);
  if (problem->layout >= CLRED_LAYOUT_SEGMENTS)
    make_marks(one);
  one->length = length_of_array(one, turn % 2);
  make_elements(one);
  one->start = start_of(problem, turn);
}

void layout_case_release(struct layout_case *one) {
  RELEASE(one->lines, one->elements, one->others, one->marks);
}

// ---------------------------------------------------------------- Expected results

static void store_part(const oracle_part *part, unsigned char *to) {
  const size_t size = oracle_size(oracle_component(part->type));
  for (unsigned i = 0; i < part->components; i++)
    oracle_store(to, size, i, part->bits[i]);
}

static unsigned char *gather(const unsigned char *array, size_t size, const struct line *line) {
  unsigned char *own = array ? oracle_claim(line->count, size) : NULL;
  for (uint64_t i = 0; array && i < line->count; i++)
    memcpy(own + i * size, array + (line->first + i * line->step) * size, size);
  return own;
}

// `to` gets a struct of the result's parts.
static void solve_op(const clred_problem *problem, const unsigned char *x, const unsigned char *y, uint64_t count,
                     const oracle_tree *tree, unsigned char *to) {
  oracle_result result;
  oracle_solve(problem, x, y, count, tree, &result);
  for (size_t p = 0; p < result.count; p++)
    store_part(&result.parts[p], to + oracle_offset(&result, p));
}

// Each operator of a list has the parts that it has alone, in the same order, at other offsets.
static void solve_list(const struct layout_case *one, const clred_plan *plan, const unsigned char *x, uint64_t count,
                       const oracle_tree *tree, unsigned char *to) {
  clred_problem problem = *one->problem;
  clred_part part;
  size_t at = 0;
  problem.list = NULL;
  for (size_t i = 0; i < one->problem->list_count; i++) {
    unsigned char own[RESULT_MAX] = {0};
    size_t end = 0;
    problem.op = one->problem->list[i];
    solve_op(&problem, x, NULL, count, tree, own);
    for (; clred_plan_part(plan, at, &part) == CL_SUCCESS && part.op == problem.op; at++) {
      const size_t size = oracle_size(part.type);
      end = (end + size - 1) / size * size;
      memcpy(to + part.offset, own + end, size);
      end += size;
    }
  }
}

// The results of a line, one after another.
static void solve_line(const struct layout_case *one, const clred_plan *plan, const struct line *line,
                       const oracle_tree *tree, unsigned char *to) {
  const oracle_scan scan = {one->problem->scan == CLRED_SCAN_INCLUSIVE, one->problem->reversed, one->start};
  const struct line other = {line->first + DATA_OTHER_LEAD, line->step, line->count};
  unsigned char *x = gather(one->elements, one->size, line), *y = gather(one->others, one->other_size, &other);
  const struct sample_row row = {x, y, 1, line->count};
  if (one->sample && one->problem->scan)
    sample_scan(one->sample, &row, &scan, to);
  else if (one->sample)
    sample_fold(one->sample, &row, to);
  else if (one->problem->list)
    solve_list(one, plan, x, line->count, tree, to);
  else if (!one->problem->scan)
    solve_op(one->problem, x, y, line->count, tree, to);
  else if (line->count)
    oracle_solve_scan(one->problem, &scan, x, y, line->count, tree, to);
  RELEASE(x, y);
}

void layout_case_solve(const struct layout_case *one, const clred_plan *plan, const oracle_tree *tree, uint64_t lines,
                       size_t result_size, unsigned char *results) {
  for (uint64_t l = 0; l < lines; l++) {
    const struct line *line = &one->lines[l];
    const uint64_t count = one->problem->scan ? line->count : 1;
    unsigned char *own = oracle_claim(count, result_size);
    memset(own, 0, count * result_size);
    solve_line(one, plan, line, tree, own);
    for (uint64_t i = 0; i < count; i++) {
      const uint64_t at = one->problem->scan ? line->first - one->call.in_offset + i * line->step : l;
      memcpy(results + at * result_size, own + i * result_size, result_size);
    }
    free(own);
  }
}
