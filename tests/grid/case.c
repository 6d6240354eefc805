// Calls in any layout and their expected results: see case.h.

#include "case.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "oracle/tree.h"

#define TILE 1024
#define SEGMENTS_MAX 3000
#define BEHIND 3        // elements behind the last one
#define RESULT_MAX 256  // bytes

const struct sample *layout_sample(const clred_problem *problem) {
  return (const struct sample *)problem->custom;  // its first member
}

bool layout_is_builtin(const clred_problem *problem) {
  return !problem->custom && !problem->list && !problem->selection && !problem->histogram;
}

const struct bins *layout_bins(const clred_problem *problem) {
  return (const struct bins *)problem->histogram;  // its first member
}

bool layout_is_exact(const clred_problem *problem) {
  return problem->order == CLRED_ORDER_EXACT || (problem->custom && layout_sample(problem)->exact);
}

clred_type layout_type(const clred_problem *problem) {
  return problem->custom ? layout_sample(problem)->exact : problem->type;
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

// Segments may begin after the first element and end before the last; some are empty. Runs have all elements.
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

// An array while it is filled.
struct filling {
  const struct layout_case *of;
  unsigned char *array;
  uint64_t lead;  // elements before those of the call
  clred_op op;
  clred_type type;  // of a component
  random_state *random;
};

// Component c of element i of a line.
static uint64_t position_in(const struct filling *filling, const struct line *line, uint64_t i, unsigned c) {
  return (filling->lead + line->first + i * line->step) * oracle_components(layout_type(filling->of->problem)) + c;
}

static void put(const struct filling *filling, const struct line *line, uint64_t i, unsigned c, uint64_t bits) {
  oracle_store(filling->array, oracle_size(filling->type), position_in(filling, line, i, c), bits);
}

// Components with a value. The fourth of a vector of 3 has none and is poison.
static unsigned used(clred_type type) {
  return (int)type >> 8 == 3 ? 3 : oracle_components(type);
}

// Flips bits at four places. Each of them changes an `and` or an `or`.
static void plant_bits(const struct filling *filling, const struct line *line, unsigned c) {
  const uint64_t places[4] = {0, line->count - 1, line->count / 2, random_below(filling->random, line->count)};
  const uint64_t first = random_word(filling->random);
  for (unsigned i = 0; i < 4; i++) {
    const uint64_t bit = (uint64_t)1 << ((first + 2 * i) % (8 * oracle_size(filling->type)));
    put(filling, line, places[i], c,
        bit ^ oracle_load(filling->array, oracle_size(filling->type), position_in(filling, line, places[i], c)));
  }
}

// The element that decides is at an end of the line or at a random place. Extremes occur twice: the first one must be
// found. In every fourth line nothing decides `all` and `any`, so that the other result occurs.
static void plant(const struct filling *filling, const struct line *line, unsigned c, unsigned turn) {
  const clred_op op = filling->op;
  const uint64_t any = random_below(filling->random, line->count), again = random_below(filling->random, line->count),
                 places[3] = {line->count - 1, 0, any};
  if (op == CLRED_OP_AND || op == CLRED_OP_OR)
    plant_bits(filling, line, c);
  if ((op == CLRED_OP_ALL || op == CLRED_OP_ANY) && turn % 4 < 3)
    put(filling, line, places[turn % 4], c, element_decisive(op, filling->type, false, turn));
  for (unsigned least = 0; least < 2; least++)
    if (least ? seeks_least(op) : seeks_greatest(op)) {
      const uint64_t bits = element_decisive(op, filling->type, least, turn);
      put(filling, line, places[(turn + !least) % 3], c, bits);
      put(filling, line, least ? again : line->count - 1 - again, c, bits);
    }
}

// Every second line of zeros has only -0.
static void mix_in(const struct filling *filling, const struct line *line, unsigned c, unsigned turn) {
  const enum flavour flavour = filling->of->flavour;
  const uint64_t every = flavour == ZEROS ? 1 : 5;
  uint64_t at = random_below(filling->random, line->count);
  for (uint64_t i = 0; i <= line->count / every; i++) {
    uint64_t bits = element_special(flavour, filling->type, i, filling->random);
    if (flavour == ZEROS && turn % 2 && oracle_is_floating(filling->type))
      bits = oracle_float_bits(filling->type, -0.0);
    put(filling, line, at, c, bits);
    at = flavour == ZEROS ? (at + 1) % line->count : random_below(filling->random, line->count);
  }
}

// Elements around a mean, or around 0, times a power of two. Integers of some bits, above or below a number.
static void scale(const struct filling *filling, const struct line *line, unsigned c) {
  random_state *random = filling->random;
  const bool wide = filling->type == CLRED_TYPE_DOUBLE;
  const int lowest = wide ? -1022 : filling->type == CLRED_TYPE_HALF ? -14 : -126;
  const int exponent = lowest + (int)random_below(random, (uint64_t)(-2 * lowest + 1));
  const double mean = random_below(random, 2) ? 1 : 0, width = ldexp(1, -(int)random_below(random, wide ? 40 : 12));
  const uint64_t mask = UINT64_MAX >> random_below(random, 8 * oracle_size(filling->type)), from = random_word(random);
  for (uint64_t i = 0; i < line->count; i++) {
    const uint64_t word = random_word(random);
    const double value = ldexp(mean + width * ((double)(word >> 11) * 0x1p-52 - 1), exponent);
    put(filling, line, i, c,
        oracle_is_floating(filling->type) ? oracle_float_bits(filling->type, value) : from + (word & mask));
  }
}

// In the order exact: multiples of 2^-60 below 2^63, so that sums of them are exact in 128 bits.
static uint64_t draw_exact(clred_type type, random_state *random) {
  const uint64_t word = random_word(random), bits = type == CLRED_TYPE_DOUBLE ? 53 : 24;
  const double value = ldexp((double)(word >> (64 - bits) | (uint64_t)1 << (bits - 1)), (int)(word % 50) - 60);
  return oracle_float_bits(type, word >> 6 & 1 ? -value : value);
}

static void fill_line(const struct filling *filling, const struct line *line, unsigned turn) {
  const struct layout_case *one = filling->of;
  for (unsigned c = 0; c < used(layout_type(one->problem)); c++) {
    const bool imaginary = oracle_is_complex(one->problem->type) && c == 1;
    for (uint64_t i = 0; i < line->count; i++)
      put(filling, line, i, c,
          layout_is_exact(one->problem) ? draw_exact(filling->type, filling->random)
                                        : element_draw(filling->op, filling->type, imaginary, turn, filling->random));
    if (line->count && !layout_is_exact(one->problem))
      plant(filling, line, c, turn + c);
    if (line->count && one->flavour == SCALED)
      scale(filling, line, c);
    else if (line->count && one->flavour != PLAIN)
      mix_in(filling, line, c, turn);
  }
}

// Elements between the lines would change the results.
static void fill(const struct layout_case *one, unsigned char *array, uint64_t lead, random_state *random) {
  const clred_problem *problem = one->problem;
  const clred_type whole = layout_type(problem), type = oracle_component(whole);
  const clred_op op = layout_is_builtin(problem) ? problem->op : CLRED_OP_SUM;
  const struct filling filling = {one, array, lead, op, type, random};
  for (uint64_t i = 0; i < (one->length + lead) * oracle_components(whole); i++)
    oracle_store(array, oracle_size(type), i, element_poison(filling.op, type, problem->nan, random));
  for (uint64_t l = 0; l < one->line_count; l++)
    fill_line(&filling, &one->lines[l], one->turn + (unsigned)l);
}

// The elements around the line would all be kept.
static void fill_for_selection(struct layout_case *one, random_state *random) {
  const struct choice *of = choice_of(one->problem);
  const struct line *line = &one->lines[0];
  one->kept = oracle_claim(line->count, sizeof *one->kept);
  for (uint64_t i = 0; i < one->length * of->size; i++)
    one->elements[i] = (unsigned char)random_word(random);
  for (uint64_t at = 0; at < one->length; at++) {
    const uint64_t i = at - line->first;
    const bool inside = i < line->count;
    const bool keeps = !inside || choice_keeps(of, (enum choice_pattern)one->flavour, i, line->count);
    choice_make(of, one->elements + at * of->size, keeps, random_word(random));
    if (inside)
      one->kept_count += one->kept[i] = keeps;
  }
}

// Of the flavour ZEROS, all elements are one edge.
static void fill_for_histogram(const struct layout_case *one, random_state *random) {
  const struct bins *bins = layout_bins(one->problem);
  bins_fill(bins, one->elements, one->length, random);
  for (uint64_t i = 0; one->flavour == ZEROS && i < one->length; i++)
    memcpy(one->elements + i * one->size, bins->elements + bins->given.bins / 2 * one->size, one->size);
}

static void make_elements(struct layout_case *one) {
  const clred_problem *problem = one->problem;
  random_state random = random_seed(one->length + one->turn);
  const bool further = one->sample ? one->sample->input != 0 : oracle_is_dot(problem->op);
  one->size = one->sample          ? one->sample->element
              : problem->selection ? choice_of(problem)->size
                                   : oracle_size(problem->type);
  one->other_size = one->sample ? one->sample->input : one->size;
  one->elements = oracle_claim(one->length, one->size);
  one->others = further ? oracle_claim(one->length + LAYOUT_OTHER_LEAD, one->other_size) : NULL;
  if (problem->selection)
    fill_for_selection(one, &random);
  else if (problem->histogram)
    fill_for_histogram(one, &random);
  else if (one->sample && !one->sample->exact)
    sample_fill(one->sample, false, one->elements, one->length, &random);
  else
    fill(one, one->elements, 0, &random);
  if (further && one->sample)
    sample_fill(one->sample, true, one->others, one->length + LAYOUT_OTHER_LEAD, &random);
  else if (further)
    fill(one, one->others, LAYOUT_OTHER_LEAD, &random);
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

static uint64_t start_bits(const clred_problem *problem, clred_type type, unsigned c) {
  const bool single = type == CLRED_TYPE_FLOAT;
  if (oracle_is_floating(type) && problem->op == CLRED_OP_PROD)  // its exponent of 0 is too small or too large
    return oracle_float_bits(type, c ? ldexp(0.625, single ? -140 : -1060) : ldexp(1.375, single ? 126 : 1000));
  if (oracle_is_floating(type))
    return oracle_float_bits(type, c ? 0.625 : 1.375);
  return problem->op == CLRED_OP_AND ? ~(uint64_t)8 : 37 + 2 * c;
}

// A state in the form of a result. After the number of a product, there are zeros.
static void make_start(const clred_problem *problem, void *state) {
  oracle_result result;
  oracle_parts(problem, &result);
  const clred_type type = oracle_component(result.parts[0].type);
  const bool is_three = (int)result.parts[0].type >> 8 == 3;
  for (unsigned c = 0; c < (is_three ? 3 : result.parts[0].components); c++)
    oracle_store(state, oracle_size(type), c, start_bits(problem, type, c));
}

// Scans with a state in one piece may have a start.
static const void *start_of(const clred_problem *problem, uint64_t turn) {
  static uint64_t words[STATE_MAX / 8];
  const struct sample *sample = layout_sample(problem);
  if (!problem->scan || turn % 3 == 0 || layout_is_exact(problem) || (!sample && !oracle_takes_start(problem)))
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
    make_start(problem, words);
  }
  return words;
}

void layout_case_make(struct layout_case *one, const clred_problem *problem, const struct layout_shape *shape,
                      uint64_t turn) {
  *one = (struct layout_case){.problem = problem,
                              .sample = layout_sample(problem),
                              .call = shape->call,
                              .flavour = shape->flavour,
                              .turn = (unsigned)turn};
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
  RELEASE(one->lines, one->elements, one->others, one->marks, one->kept);
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
                     const oracle_tree *tree, oracle_result *result, unsigned char *to) {
  oracle_solve(problem, x, y, count, tree, result);
  for (size_t p = 0; p < result->count; p++)
    store_part(&result->parts[p], to + oracle_offset(result, p));
}

#define EXACT_BITS 60
__extension__ typedef __int128 whole;

// `negative`: a sum of 0 is -0.
static void store_sum(clred_type type, whole sum, bool negative, unsigned char *to, uint64_t index) {
  const double value = type == CLRED_TYPE_DOUBLE ? (double)sum : (double)(float)sum;
  oracle_store(to, oracle_size(type), index,
               oracle_float_bits(type, sum        ? ldexp(value, -EXACT_BITS)
                                       : negative ? -0.0
                                                  : 0.0));
}

// Each operator of a list has the parts that it has alone, in the same order, at other offsets.
static void solve_list(const struct layout_case *one, const clred_plan *plan, const unsigned char *x, uint64_t count,
                       const oracle_tree *tree, unsigned char *to) {
  clred_problem problem = *one->problem;
  clred_part part;
  oracle_result result;
  size_t at = 0;
  problem.list = NULL;
  for (size_t i = 0; i < one->problem->list_count; i++) {
    unsigned char own[RESULT_MAX] = {0};
    size_t end = 0;
    problem.op = one->problem->list[i];
    solve_op(&problem, x, NULL, count, tree, &result, own);
    for (; clred_plan_part(plan, at, &part) == CL_SUCCESS && part.op == problem.op; at++) {
      const size_t size = oracle_size(part.type);
      end = (end + size - 1) / size * size;
      memcpy(to + part.offset, own + end, size);
      end += size;
    }
  }
}

// Sums in the order exact, rounded once. A sum is -0 if all elements are.
static void solve_exact(const struct layout_case *one, const unsigned char *x, uint64_t count, unsigned char *to) {
  const clred_type type = layout_type(one->problem);
  whole sum = 0;
  bool negative = count > 0;
  for (uint64_t i = 0; i < count; i++) {
    const uint64_t at = one->problem->reversed ? count - 1 - i : i;
    const double value = oracle_float_value(type, oracle_load(x, one->size, at));
    if (one->problem->scan == CLRED_SCAN_EXCLUSIVE)
      store_sum(type, sum, negative && i, to, at);
    sum += (whole)ldexp(value, EXACT_BITS);
    negative = negative && signbit(value);
    if (one->problem->scan == CLRED_SCAN_INCLUSIVE)
      store_sum(type, sum, negative, to, at);
  }
  if (!one->problem->scan)
    store_sum(type, sum, negative, to, 0);
}

// The results of a line, one after another.
static void solve_line(struct layout_case *one, const clred_plan *plan, const struct line *line,
                       const oracle_tree *tree, unsigned char *to) {
  const oracle_scan scan = {one->problem->scan == CLRED_SCAN_INCLUSIVE, one->problem->reversed, one->start};
  const struct line other = {line->first + LAYOUT_OTHER_LEAD, line->step, line->count};
  unsigned char *x = gather(one->elements, one->size, line), *y = gather(one->others, one->other_size, &other);
  const struct sample_row row = {x, y, 1, line->count};
  if (layout_is_exact(one->problem))
    solve_exact(one, x, line->count, to);
  else if (one->sample && one->problem->scan)
    sample_scan(one->sample, &row, &scan, to);
  else if (one->sample)
    sample_fold(one->sample, &row, to);
  else if (one->problem->list)
    solve_list(one, plan, x, line->count, tree, to);
  else if (!one->problem->scan)
    solve_op(one->problem, x, y, line->count, tree, &one->result, to);
  else if (line->count)
    oracle_solve_scan(one->problem, &scan, x, y, line->count, tree, to);
  RELEASE(x, y);
}

// Scans of one line may have a stride of results.
static uint64_t place_of(const struct layout_case *one, uint64_t l, uint64_t i) {
  const struct line *line = &one->lines[l];
  return !one->problem->scan    ? l
         : one->call.out_stride ? i * one->call.out_stride
                                : line->first - one->call.in_offset + i * (line->step ? line->step : 1);
}

// The kept elements, or their indices.
static void solve_selection(const struct layout_case *one, size_t result_size, unsigned char *results) {
  for (cl_ulong i = 0; i < one->lines[0].count; i++)
    if (one->kept[i]) {
      const unsigned char *element = one->elements + (one->lines[0].first + i * one->lines[0].step) * one->size;
      memcpy(results, one->problem->indices ? (const unsigned char *)&i : element, result_size);
      results += result_size;
    }
}

static void solve_histogram(const struct layout_case *one, unsigned char *results) {
  const struct bins *bins = layout_bins(one->problem);
  uint64_t *counts = oracle_claim(bins->given.bins, sizeof *counts);
  bins_count(bins, one->elements + one->lines[0].first * one->size, one->lines[0].count, counts);
  memcpy(results, counts, bins->given.bins * sizeof *counts);
  free(counts);
}

void layout_case_solve(struct layout_case *one, const clred_plan *plan, const oracle_tree *tree, uint64_t lines,
                       size_t result_size, unsigned char *results) {
  if (one->problem->selection) {
    solve_selection(one, result_size, results);
    return;
  }
  if (one->problem->histogram) {
    solve_histogram(one, results);
    return;
  }
  for (uint64_t l = 0; l < lines; l++) {
    const uint64_t count = one->problem->scan ? one->lines[l].count : 1;
    unsigned char *own = oracle_claim(count, result_size);
    memset(own, 0, count * result_size);
    solve_line(one, plan, &one->lines[l], tree, own);
    for (uint64_t i = 0; i < count; i++)
      memcpy(results + place_of(one, l, i) * result_size, own + i * result_size, result_size);
    free(own);
  }
}

bool layout_case_near(const struct layout_case *one, size_t result_size, const unsigned char *results, char *text,
                      size_t size) {
  bool near = true;
  for (uint64_t l = 0; near && l < one->line_count; l++) {
    const struct line *line = &one->lines[l];
    const struct line other = {line->first + LAYOUT_OTHER_LEAD, line->step, line->count};
    unsigned char *x = gather(one->elements, one->size, line), *y = gather(one->others, one->other_size, &other);
    near = oracle_near(one->problem, x, y, line->count, results + l * result_size, text, size);
    RELEASE(x, y);
  }
  return near;
}
