// Sorts of every type and form, compared byte by byte with a stable sort in long double: many lengths and kinds of
// data, in place and not, groups of every shape, host memory, and calls in several queues and threads.

#include "support/sorted.h"

#include <pthread.h>

#include "sort/sort.h"

// ---------------------------------------------------------------- One sort

#define VALUE_MAX 40
#define SPARE 5  // elements of a buffer that a call does not use
#define ROWS_MAX (2 * LONGEST)

struct subject {
  clred_sort_problem problem;
  clred_sorter *sorter;
  clred_sorter_info info;
  unsigned char *keys, *values;
  struct item *items;
  uint64_t count;  // what is sorted in `items`
  int kind;
  // Row i has the keys offsets[i] to offsets[i + 1] - 1. LINE: one row.
  uint64_t rows, *offsets;
};

static struct subject open_subject(const clred_sort_problem *problem) {
  struct subject subject = {.problem = *problem, .sorter = fixture_sorter(problem)};
  const size_t value = problem->value_size ? problem->value_size : 1;
  const size_t most = problem->count_max < LONGEST ? (size_t)problem->count_max : LONGEST;
  random_state random = random_seed(value);
  assert_ok(clred_sorter_inspect(subject.sorter, &subject.info));
  subject.keys = claim((LONGEST + MARGIN) * oracle_size(problem->type));
  subject.items = claim(LONGEST * sizeof *subject.items);
  subject.offsets = claim(ROWS_MAX * sizeof *subject.offsets);
  subject.rows = 1;
  subject.values = claim(most * value + sizeof(uint64_t));
  for (size_t i = 0; i < most * value; i += sizeof(uint64_t))
    memcpy(subject.values + i, &(uint64_t){random_word(&random)}, sizeof(uint64_t));
  return subject;
}

// Sorts the first elements of this kind on the host, row by row.
static void expect(struct subject *subject, int kind, uint64_t count) {
  const clred_sort_problem *problem = &subject->problem;
  const unsigned end = problem->end_bit ? problem->end_bit : 8 * (unsigned)oracle_size(problem->type);
  nans_first = problem->nans_first;
  descends = problem->descending;
  first_bit = problem->begin_bit;
  key_bits = end - first_bit;
  if (subject->kind != kind)
    fill(problem->type, kind, subject->keys);
  if (problem->layout == CLRED_LAYOUT_LINE)
    subject->offsets[1] = count;
  if (problem->layout != CLRED_LAYOUT_LINE || subject->kind != kind || subject->count != count)
    for (uint64_t row = 0; row < subject->rows; row++) {
      const uint64_t begin = subject->offsets[row];
      sort(problem->type, subject->keys + begin * oracle_size(problem->type), subject->offsets[row + 1] - begin,
           subject->items + begin);
    }
  subject->kind = kind;
  subject->count = count;
}

// The results of keys or values; of indices if `from` is NULL. What is outside all rows stays as it is.
static void put_sorted(const struct subject *subject, const unsigned char *from, size_t size, void *to) {
  for (uint64_t row = 0; row < subject->rows; row++)
    for (uint64_t begin = subject->offsets[row], i = begin; i < subject->offsets[row + 1]; i++) {
      const uint64_t place = subject->items[i].place;
      if (from)
        memcpy((unsigned char *)to + i * size, from + (begin + place) * size, size);
      else
        oracle_store(to, size, i, place);
    }
}

// The keys, or the values, of a call: what is read and what is written; the same image in place.
struct side {
  struct image in, out;
  uint64_t in_offset, out_offset;
  cl_mem read, written;  // for the call
};

#define HIDES_OUT 4  // in place by NULL

static struct side open_side(const struct subject *subject, const unsigned char *from, size_t size, unsigned how) {
  const bool in_place = how & 1, has_in = from, has_out = how & 2;
  const size_t bytes = (size_t)(subject->count + SPARE) * size;
  struct side side = {.in_offset = how / 8 % SPARE};
  side.out_offset = in_place ? side.in_offset : (side.in_offset + 3) % SPARE;
  if (has_in) {
    side.in = fixture_image(bytes);
    memcpy(side.in.bytes + side.in_offset * size, from, (size_t)subject->count * size);
    image_upload(&side.in, &under_test);
  }
  if (has_out && !in_place)
    side.out = fixture_image(bytes);
  struct image *out = in_place ? &side.in : &side.out;
  if (has_out)
    put_sorted(subject, from, size, out->bytes + side.out_offset * size);
  side.read = side.in.mem;
  side.written = in_place && how & HIDES_OUT ? NULL : out->mem;
  return side;
}

static const char *name_of(const struct subject *subject, int kind, uint64_t count, unsigned how) {
  static const char *const forms[] = {"keys", "pairs", "indices"};
  static char name[200];
  const clred_sort_problem *problem = &subject->problem;
  snprintf(name, sizeof name, "%s of %s%s%s, values of %zu, bits %u to %u, kind %d, count %llu, rows %llu, how %u",
           forms[problem->form], type_name(problem->type), problem->descending ? " descending" : "",
           problem->nans_first ? " nans_first" : "", problem->value_size, problem->begin_bit, problem->end_bit, kind,
           (unsigned long long)count, (unsigned long long)subject->rows, how);
  return name;
}

// SEGMENTS: the offsets of a call, behind SPARE other bytes, and the expected outcome behind another one.
static struct image open_offsets(const struct subject *subject) {
  const size_t size = oracle_size(subject->problem.segment_type);
  struct image image = fixture_image((size_t)(subject->rows + 1 + SPARE) * size);
  for (uint64_t row = 0; row <= subject->rows; row++)
    oracle_store(image.bytes, size, SPARE + row, subject->offsets[row]);
  image_upload(&image, &under_test);
  return image;
}

static struct image open_outcome(uint64_t number, uint64_t fault) {
  struct image image = fixture_image(2 * sizeof(clred_outcome));
  memcpy(image.bytes + sizeof(clred_outcome), &(clred_outcome){number, fault}, sizeof(clred_outcome));
  return image;
}

static void close_image(struct image *image, const char *what, const char *name) {
  const char *trouble = image->mem ? image_check(image, &under_test) : NULL;
  ck_assert_msg(!trouble, "%s: %s: %s", name, what, trouble);
  if (image->mem)
    take_image(image, 0, 0, NULL, name);
}

static void close_side(struct side *side, const char *what, const char *name) {
  close_image(&side->in, what, name);
  close_image(&side->out, what, name);
}

// Bits of `how`: 1 and 2, keys and values are sorted in place; 4, by NULL; 8 of SEGMENTS, with an outcome; the others
// are offsets.
static void run(struct subject *subject, int kind, uint64_t count, unsigned how) {
  const clred_sort_form form = subject->problem.form;
  const clred_layout layout = subject->problem.layout;
  const bool is_indices = form == CLRED_SORT_INDICES, has_offsets = layout == CLRED_LAYOUT_SEGMENTS;
  struct side keys, values = {.in_offset = 0};
  struct image offsets = {NULL}, outcome = {NULL};
  expect(subject, kind, count);
  keys = open_side(subject, subject->keys, oracle_size(subject->problem.type),
                   (how & ~3u) | (is_indices ? 0 : 2 | (how & 1)));
  if (form != CLRED_SORT_KEYS)
    values = open_side(subject, is_indices ? NULL : subject->values, subject->info.value_size,
                       ((how + 8) & ~3u) | 2 | (is_indices ? 0 : how >> 1 & 1));
  if (has_offsets)
    offsets = open_offsets(subject);
  if (has_offsets && how & 8)
    outcome = open_outcome(subject->rows, 0);
  const clred_sort_call call = {.keys = keys.read,
                                .keys_offset = keys.in_offset,
                                .count = layout == CLRED_LAYOUT_ROWS ? subject->offsets[1] : count,
                                .keys_out = keys.written,
                                .keys_out_offset = keys.written ? keys.out_offset : 0,
                                .values = values.read,
                                .values_offset = values.in_offset,
                                .values_out = values.written,
                                .values_out_offset = values.written ? values.out_offset : 0,
                                .rows = layout == CLRED_LAYOUT_LINE ? 0 : subject->rows,
                                .segments = offsets.mem,
                                .segments_offset = has_offsets ? SPARE : 0,
                                .outcome = outcome.mem,
                                .outcome_offset = outcome.mem ? 1 : 0};
  const char *name = name_of(subject, kind, count, how);
  const cl_int err = clred_enqueue_sort(under_test.queue, subject->sorter, &call, 0, NULL, NULL);
  ck_assert_msg(!err, "%s: %s: %s", name, clred_status_name(err), clred_last_error(under_test.runtime));
  close_side(&keys, "keys", name);
  close_side(&values, "values", name);
  close_image(&offsets, "segments", name);
  close_image(&outcome, "outcome", name);
}

// ---------------------------------------------------------------- Many sorts by one sorter

#define LARGEST 300007

// Each length with some kinds of data: all of them if it is short. The rest of the choices follow from a counter.
static void run_lengths(struct subject *subject, const uint64_t *lengths, size_t number, unsigned seed) {
  unsigned choice = seed;
  for (size_t i = 0; i < number; i++) {
    const uint64_t count = lengths[i];
    const int kinds = count <= 1000 ? SORT_KINDS : count <= 40000 ? 3 : 1;
    for (int j = 0; j < kinds && count <= subject->problem.count_max; j++, choice += 7)
      run(subject, (int)(choice + (unsigned)j) % SORT_KINDS, count, choice);
  }
}

static void run_all(const clred_sort_problem *problem, unsigned seed) {
  struct subject subject = open_subject(problem);
  const uint64_t tile = subject.info.tile ? subject.info.tile : 1 << 13, alone = subject.info.alone_max;
  const uint64_t lengths[] = {0,         1,
                              2,         3,
                              63,        64,
                              65,        1000,
                              tile - 1,  tile,
                              tile + 1,  2 * tile + 1,
                              alone - 1, alone,
                              alone + 1, (1 << 15) - 1,
                              1 << 15,   (1 << 15) + 1,
                              LARGEST};
  run_lengths(&subject, lengths, COUNT_OF(lengths), seed);
}

#define TYPES ((int)CLRED_TYPE_BFLOAT16 - (int)CLRED_TYPE_CHAR + 1)

static const size_t value_sizes[] = {1, 2, 3, 4, 8, 12, 16, VALUE_MAX};
#define FORMS ((int)COUNT_OF(value_sizes) + 2)
#define ORDERS 4
#define PROBLEMS (TYPES * FORMS * ORDERS)

static clred_sort_problem problem_of(int i) {
  const int form = i / TYPES % FORMS, order = i / TYPES / FORMS;
  clred_sort_problem problem = {.type = (clred_type)(CLRED_TYPE_CHAR + i % TYPES),
                                .form = form == 0   ? CLRED_SORT_KEYS
                                        : form == 1 ? CLRED_SORT_INDICES
                                                    : CLRED_SORT_PAIRS,
                                .descending = order & 1,
                                .nans_first = order >= 2,
                                .count_max = LARGEST};
  if (form > 1)
    problem.value_size = value_sizes[form - 2];
  return problem;
}

TEST_CASE("types", fixture_open, fixture_close);

TEST_STEPS(in_chunks, 0, PROBLEMS, 37) {
  const clred_sort_problem problem = problem_of(_i);
  run_all(&problem, (unsigned)_i);
}

static const char *const shapes[] = {
  "cpu=0",
  "cpu=0,device_fence=0",
  "cpu=0,max_work_group_size=64",
  "cpu=0,forward_progress=0",
  "cpu=0,local_mem_size=14000,compute_units=3",
  "compute_units=1",
  "compute_units=300",
};

TEST_STEPS(by_groups_and_others, 5, PROBLEMS, 43) {
  const clred_sort_problem problem = problem_of(_i);
  fixture_reopen(shapes[_i / 43 % (int)COUNT_OF(shapes)]);
  run_all(&problem, (unsigned)_i);
}

// Positions of 64 bits, in a sorter that could sort 2^32 keys.
TEST_EACH(wide_positions, 0, 2) {
  static const uint64_t lengths[] = {1, 1000, 40000};
  const clred_sort_problem problem = {
    .type = CLRED_TYPE_CHAR, .form = CLRED_SORT_PAIRS, .value_size = 1, .count_max = (cl_ulong)1 << 32};
  clred_sorter *sorter = NULL;
  fixture_reopen(_i ? "cpu=0" : NULL);
  if (clred_sorter_create(under_test.runtime, &problem, &sorter) == CL_SUCCESS) {
    clred_sorter_release(sorter);
    struct subject subject = open_subject(&problem);
    run_lengths(&subject, lengths, COUNT_OF(lengths), 3);
    run(&subject, TWO_VALUES, LARGEST, 3);  // counts above 2^16
  } else
    fixture_skip("positions of 64 bits", clred_last_error(under_test.runtime));
}

// Integers by some of their bits: with the sign and without, one digit, and odd numbers of digits, which a sort in
// place must copy back.
static const struct part {
  clred_type type;
  cl_uint begin, end;
} parts[] = {
  {CLRED_TYPE_INT, 0, 31},   {CLRED_TYPE_INT, 24, 0},  {CLRED_TYPE_UINT, 5, 6},   {CLRED_TYPE_LONG, 20, 60},
  {CLRED_TYPE_LONG, 40, 64}, {CLRED_TYPE_ULONG, 1, 0}, {CLRED_TYPE_SHORT, 3, 16}, {CLRED_TYPE_USHORT, 0, 3},
  {CLRED_TYPE_CHAR, 7, 8},   {CLRED_TYPE_UCHAR, 2, 7}, {CLRED_TYPE_UINT, 8, 32},  {CLRED_TYPE_SHORT, 0, 15},
};

TEST_ROWS(some_bits, parts) {
  const struct part *part = &parts[_i];
  static const uint64_t lengths[] = {2, 65, 1000, 5000, 40000};
  if (_i % 2)
    fixture_reopen(shapes[_i % 4]);
  struct subject subject = open_subject(&(clred_sort_problem){.type = part->type,
                                                              .form = (clred_sort_form)(_i % 3),
                                                              .descending = _i % 4 > 1,
                                                              .begin_bit = part->begin,
                                                              .end_bit = part->end,
                                                              .value_size = _i % 3 == 1 ? 4 : 0,
                                                              .count_max = 40000});
  run_lengths(&subject, lengths, COUNT_OF(lengths), (unsigned)_i);
}

// ---------------------------------------------------------------- Rows and segments

#define IN_ROWS 30011

// Rows of at most `most` keys, of lengths around those at which kernels change their method, and many without keys.
// SEGMENTS: the first row may begin behind key 0, the last one end before the last key, and there may be no row at all.
// Returns the number of keys of the call.
static uint64_t lay_rows(struct subject *subject, uint64_t most, random_state *random) {
  const uint64_t tile = subject->info.tile ? subject->info.tile : 1 << 13, half = tile / 2, total = IN_ROWS;
  const uint64_t lengths[] = {1,    2,        3,    17,       63,       64,           65,           300,
                              half, half + 1, tile, tile - 1, tile + 1, 3 * tile + 5, 7 * tile - 1, half - 1};
  uint64_t *offsets = subject->offsets, at = 0;
  const uint64_t equal = random_word(random) % COUNT_OF(lengths), range = 1 + random_word(random) % COUNT_OF(lengths);
  subject->rows = 0;
  if (subject->problem.layout == CLRED_LAYOUT_ROWS) {
    offsets[1] = lengths[equal] < most ? lengths[equal] : most;
    subject->rows = random_word(random) % (total / offsets[1] + 1);
    for (uint64_t row = 2; row <= subject->rows; row++)
      offsets[row] = row * offsets[1];
    return subject->rows * offsets[1];
  }
  const uint64_t first = random_word(random) % 3 ? 0 : random_word(random) % 300;
  const uint64_t end = random_word(random) % 2 ? total : total - random_word(random) % total;
  for (offsets[0] = at = first; at < end && range > 1; subject->rows++) {
    uint64_t length = random_word(random) % 4 ? lengths[random_word(random) % range] : 0;
    length = length < most ? length : most;
    offsets[subject->rows + 1] = at += length < end - at ? length : end - at;
  }
  for (uint64_t empty = random_word(random) % 3 * 500; empty > 0; empty--)
    offsets[++subject->rows] = at;
  return total;
}

static void run_rows(clred_sort_problem problem, int number, int times) {
  static const clred_type offsets[] = {CLRED_TYPE_UINT, CLRED_TYPE_LONG, CLRED_TYPE_INT, CLRED_TYPE_ULONG};
  static const cl_ulong longest[] = {0, 3, 0, 70, 0, 700};
  random_state random = random_seed((uint64_t)number);
  problem.layout = number % 3 ? CLRED_LAYOUT_SEGMENTS : CLRED_LAYOUT_ROWS;
  problem.segment_type = number % 3 ? offsets[number % 4] : CLRED_TYPE_NONE;
  problem.row_max = longest[number % (int)COUNT_OF(longest)];
  problem.count_max = IN_ROWS;
  struct subject subject = open_subject(&problem);
  for (int i = 0; i < times; i++) {
    const uint64_t count = lay_rows(&subject, problem.row_max ? problem.row_max : IN_ROWS, &random);
    run(&subject, (number + i) % SORT_KINDS, count, (unsigned)random_word(&random) % 64);
  }
}

TEST_CASE("rows", fixture_open, fixture_close);

TEST_STEPS(rows_in_chunks, 1, PROBLEMS, 41) {
  run_rows(problem_of(_i), _i, 24);
}

TEST_STEPS(rows_by_groups, 7, PROBLEMS, 41) {
  fixture_reopen(shapes[_i / 41 % (int)COUNT_OF(shapes)]);
  run_rows(problem_of(_i), _i, 24);
}

// Fewer digits than work-items, and one digit: an odd number of passes.
TEST_ROWS(rows_by_some_bits, parts) {
  fixture_reopen(_i % 3 ? "cpu=0,max_work_group_size=64" : NULL);
  run_rows((clred_sort_problem){.type = parts[_i].type,
                                .form = (clred_sort_form)(_i / 2 % 3),
                                .begin_bit = parts[_i].begin,
                                .end_bit = parts[_i].end,
                                .value_size = _i / 2 % 3 == 1 ? 4 : 0},
           _i, 12);
}

// A wrong offset is reported, and neither keys nor values change.
static const struct wrong {
  uint64_t offsets[4], fault;
} wrongs[] = {
  {{0, 7, 5, 400}, 3}, {{0, 300, 400, 1001}, 4}, {{2000, 2001, 2002, 2003}, 1}, {{0, 10, 511, 600}, 3}, {{0, 1, 2}, 4},
};

TEST_EACH(wrong_offsets, 0, 4 * (int)COUNT_OF(wrongs)) {
  const struct wrong *wrong = &wrongs[_i / 4];
  fixture_reopen(_i % 2 ? "cpu=0,max_work_group_size=16" : NULL);
  struct subject subject = open_subject(&(clred_sort_problem){.type = CLRED_TYPE_INT,
                                                              .form = CLRED_SORT_PAIRS,
                                                              .value_size = _i % 4 > 1 ? 3 : 4,
                                                              .layout = CLRED_LAYOUT_SEGMENTS,
                                                              .segment_type = CLRED_TYPE_INT,
                                                              .row_max = 500,
                                                              .count_max = 1000});
  struct image keys = fixture_image(1000 * sizeof(cl_int)), values = fixture_image(1000 * subject.problem.value_size),
               outcome = open_outcome(0, wrong->fault);
  subject.rows = 3;
  memcpy(subject.offsets, wrong->offsets, sizeof wrong->offsets);
  struct image offsets = open_offsets(&subject);
  assert_ok(clred_enqueue_sort(under_test.queue, subject.sorter,
                               &(clred_sort_call){.keys = keys.mem,
                                                  .count = 1000,
                                                  .values = values.mem,
                                                  .rows = 3,
                                                  .segments = offsets.mem,
                                                  .segments_offset = SPARE,
                                                  .outcome = outcome.mem,
                                                  .outcome_offset = 1},
                               0, NULL, NULL));
  close_image(&keys, "keys", "a wrong offset");
  close_image(&values, "values", "a wrong offset");
  close_image(&outcome, "outcome", "a wrong offset");
  close_image(&offsets, "segments", "a wrong offset");
}

// ---------------------------------------------------------------- Tiles that publish late or never

#define OF_TILES "cpu=0,max_work_group_size=16"  // tiles of 128 keys
#define IN_TILES 40003

static const struct fault {
  const char *options, *assume;
} faults[] = {
  {"-DFAULT_SILENT=2 -DPOLLS=64", OF_TILES},                    // each second tile publishes
  {"-DFAULT_SILENT=7 -DPOLLS=64", OF_TILES ",device_fence=0"},  // each seventh
  {"-DFAULT_DELAY=2000", OF_TILES},
  {"-DFAULT_DELAY=2000 -DPOLLS=16", OF_TILES},
};

TEST_CASE("look_back", NULL, fixture_close);

TEST_ROWS(tiles_with_faults, faults) {
  fixture_add_build_options(faults[_i].options);
  const char *trouble = device_open_assuming(&under_test, faults[_i].assume);
  ck_assert_msg(!trouble, "%s", trouble);
  struct subject subject = open_subject(
    &(clred_sort_problem){.type = CLRED_TYPE_FLOAT, .form = CLRED_SORT_PAIRS, .value_size = 4, .count_max = IN_TILES});
  for (unsigned i = 0; i < 4; i++)
    run(&subject, i % 2 ? ANY_BITS : FEW_VALUES, IN_TILES, i);
}

// A pass over more than 2^28 keys has several launches. Here each launch has 16 tiles, which publish late, so groups
// would read cells that the launch before left.
TEST(several_launches) {
  fixture_add_build_options("-DFAULT_DELAY=20000");
  device_open_assuming(&under_test, OF_TILES);
  struct subject subject =
    open_subject(&(clred_sort_problem){.type = CLRED_TYPE_SHORT, .form = CLRED_SORT_INDICES, .count_max = IN_TILES});
  subject.sorter->shape.portion = 16 * subject.info.tile;
  for (unsigned i = 0; i < 3; i++)
    run(&subject, (int)i, IN_TILES - 100 * i, 8 * i);
}

// ---------------------------------------------------------------- Host memory

TEST_CASE("host", fixture_open, fixture_close);

// The runtime of the suite computes everything on the device. This one lets the host compute.
static void reopen_with_host(const char *assume) {
  const clred_options options = {
    .assume = assume, .build_options = getenv("CLREDUCE_TEST_BUILD_OPTIONS"), .trust_driver = CL_TRUE};
  clred_runtime_release(under_test.runtime);
  under_test.runtime = NULL;
  assert_ok(clred_runtime_create(under_test.context, under_test.id, &options, &under_test.runtime));
}

#define EDGE 64

// Host memory of a call, with other bytes on both sides, and what it must hold afterwards. It begins `shift` bytes
// behind an aligned address.
struct memory {
  unsigned char *bytes, *expected;
  size_t size, shift;
};

static struct memory open_memory(const void *content, size_t size, size_t shift) {
  struct memory memory = {claim(size + 2 * EDGE), claim(size + 2 * EDGE), size, EDGE + shift};
  image_pattern(memory.bytes, size + 2 * EDGE);
  if (content)
    memcpy(memory.bytes + memory.shift, content, size);
  memcpy(memory.expected, memory.bytes, size + 2 * EDGE);
  return memory;
}

static void close_memory(struct memory *memory, const char *name) {
  ck_assert_msg(!memory->bytes || memcmp(memory->bytes, memory->expected, memory->size + 2 * EDGE) == 0,
                "%s: wrong bytes", name);
  if (memory->bytes)
    RELEASE(memory->bytes, memory->expected);
}

// Bits of `how` as for run; the others shift the memory.
static void run_host(struct subject *subject, int kind, uint64_t count, unsigned how) {
  const clred_layout layout = subject->problem.layout;
  const clred_sort_form form = subject->problem.form;
  const bool has_keys = form != CLRED_SORT_INDICES, has_values = form == CLRED_SORT_PAIRS, keys_stay = !(how & 1);
  const size_t key = oracle_size(subject->problem.type), value = subject->info.value_size, shift = how / 8 % 4;
  expect(subject, kind, count);
  struct memory keys = open_memory(subject->keys, (size_t)count * key, shift), keys_out = {NULL}, values = {NULL},
                values_out = {NULL};
  struct memory *sorted = has_keys && keys_stay ? &keys_out : &keys,
                *moved = has_values && how & 2 ? &values : &values_out;
  if (has_keys && keys_stay)
    keys_out = open_memory(NULL, keys.size, 3 - shift);
  if (has_values)
    values = open_memory(subject->values, (size_t)count * value, shift);
  if (form != CLRED_SORT_KEYS && moved == &values_out)
    values_out = open_memory(NULL, (size_t)count * value, 3 - shift);
  if (has_keys)
    put_sorted(subject, subject->keys, key, sorted->expected + sorted->shift);
  if (form != CLRED_SORT_KEYS)
    put_sorted(subject, has_values ? subject->values : NULL, value, moved->expected + moved->shift);
  const clred_sort_host_call call = {.keys = keys.bytes + keys.shift,
                                     .count = layout == CLRED_LAYOUT_ROWS ? subject->offsets[1] : count,
                                     .rows = layout == CLRED_LAYOUT_LINE ? 0 : subject->rows,
                                     .segments = layout == CLRED_LAYOUT_SEGMENTS ? subject->offsets : NULL,
                                     .keys_out = has_keys ? sorted->bytes + sorted->shift : NULL,
                                     .values = has_values ? values.bytes + values.shift : NULL,
                                     .values_out = moved->bytes ? moved->bytes + moved->shift : NULL};
  const char *name = name_of(subject, kind, count, how);
  const cl_int err = clred_sorter_run_host(under_test.queue, subject->sorter, &call);
  ck_assert_msg(!err, "%s: %s: %s", name, clred_status_name(err), clred_last_error(under_test.runtime));
  close_memory(&keys, name);
  close_memory(&keys_out, name);
  close_memory(&values, name);
  close_memory(&values_out, name);
}

// With host_calls, up to CLRED_SORT_HOST_MAX keys are sorted without a program.
TEST_EACH(on_the_host, 0, 3 * TYPES) {
  const clred_sort_form form = (clred_sort_form)(_i % 3);
  const bool has_bits = _i % 5 == 0 && !oracle_is_floating((clred_type)(CLRED_TYPE_CHAR + _i / 3));
  reopen_with_host(NULL);
  struct subject subject =
    open_subject(&(clred_sort_problem){.type = (clred_type)(CLRED_TYPE_CHAR + _i / 3),
                                       .form = form,
                                       .descending = _i % 2 != 0,
                                       .nans_first = _i % 4 > 1,
                                       .begin_bit = has_bits ? 3 : 0,
                                       .value_size = form == CLRED_SORT_PAIRS ? 3 + (size_t)_i % 9 : 0,
                                       .host_calls = CL_TRUE,
                                       .count_max = CLRED_SORT_HOST_MAX});
  for (int kind = 0; kind < SORT_KINDS; kind++)
    for (unsigned how = 0; how < 32; how += 3)
      run_host(&subject, kind, how % 2 ? how : 700, how);
  run_host(&subject, ANY_BITS, CLRED_SORT_HOST_MAX, 1);
  ck_assert_uint_eq(runtime_info(under_test.runtime).builds, 0);
}

// The first call with one key more builds. By buffers that share the memory, and by copies.
TEST_EACH(from_host_to_device, 0, 6) {
  const clred_sort_form form = (clred_sort_form)(_i / 2);
  reopen_with_host(_i % 2 ? "unified_memory=0" : NULL);
  struct subject subject = open_subject(&(clred_sort_problem){.type = CLRED_TYPE_SHORT,
                                                              .form = form,
                                                              .value_size = form == CLRED_SORT_PAIRS ? 6 : 0,
                                                              .host_calls = CL_TRUE,
                                                              .count_max = 2 * CLRED_SORT_HOST_MAX});
  for (uint64_t count = CLRED_SORT_HOST_MAX - 1; count <= CLRED_SORT_HOST_MAX + 2; count++) {
    for (unsigned how = 0; how < 32; how += 5)
      run_host(&subject, (int)how % SORT_KINDS, count, how);
    assert_ok(clred_sorter_inspect(subject.sorter, &subject.info));
    ck_assert_int_eq(subject.info.device_bytes > 0, count > CLRED_SORT_HOST_MAX);
    ck_assert_int_eq(runtime_info(under_test.runtime).builds > 0, count > CLRED_SORT_HOST_MAX);
  }
}

// Rows on the host, and by the device with copies of the memory. Memory outside all rows does not change.
TEST_EACH(rows_of_host_memory, 0, 12) {
  const clred_sort_form form = (clred_sort_form)(_i / 4);
  random_state random = random_seed((uint64_t)_i);
  reopen_with_host(_i % 2 ? "unified_memory=0" : NULL);
  struct subject subject =
    open_subject(&(clred_sort_problem){.type = CLRED_TYPE_SHORT,
                                       .form = form,
                                       .value_size = form == CLRED_SORT_PAIRS ? 6 : 0,
                                       .layout = _i % 4 > 1 ? CLRED_LAYOUT_ROWS : CLRED_LAYOUT_SEGMENTS,
                                       .segment_type = _i % 4 > 1 ? CLRED_TYPE_NONE : CLRED_TYPE_ULONG,
                                       .host_calls = CL_TRUE,
                                       .count_max = IN_ROWS});
  for (unsigned how = 0; how < 16; how++) {
    const uint64_t count = lay_rows(&subject, IN_ROWS, &random), end = subject.offsets[subject.rows];
    const bool is_short = how % 2 && subject.problem.layout == CLRED_LAYOUT_SEGMENTS && end <= CLRED_SORT_HOST_MAX;
    run_host(&subject, (int)how % SORT_KINDS, is_short ? end : count, how);
  }
}

TEST_EACH(without_a_sorter, 0, TYPES) {
  const clred_type type = (clred_type)(CLRED_TYPE_CHAR + _i);
  reopen_with_host(NULL);
  struct subject subject = open_subject(&(clred_sort_problem){.type = type, .host_calls = CL_TRUE, .count_max = 20000});
  for (uint64_t count = 0; count <= 20000; count += _i % 4 ? 999 : 20000) {
    expect(&subject, EXTREMES, count);
    const size_t key = oracle_size(type);
    struct memory keys = open_memory(subject.keys, (size_t)count * key, 1),
                  indices = open_memory(NULL, (size_t)count * sizeof(cl_ulong), 0);
    put_sorted(&subject, NULL, sizeof(cl_ulong), indices.expected + indices.shift);
    if (_i % 4 == 0 || count <= CLRED_SORT_HOST_MAX) {
      assert_ok(clred_argsort_host(under_test.runtime, type, keys.bytes + keys.shift, count,
                                   (cl_ulong *)(void *)(indices.bytes + indices.shift)));
      close_memory(&indices, "indices");
      put_sorted(&subject, subject.keys, key, keys.expected + keys.shift);
      assert_ok(clred_sort_host(under_test.runtime, type, keys.bytes + keys.shift, count));
      close_memory(&keys, "keys");
    }
  }
}

// ---------------------------------------------------------------- Queues, events and threads

#define IN_QUEUE 50021  // more than one launch on every device

static cl_int event_status(cl_event event) {
  cl_int status = -1;
  clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL);
  return status;
}

static clred_sorter *sorter_of_floats(void) {
  return SORTER(.type = CLRED_TYPE_FLOAT, .form = CLRED_SORT_INDICES, .count_max = IN_QUEUE);
}

// The keys of call number i are a permutation of 0 to IN_QUEUE - 1, shifted by i.
static cl_mem keys_of_call(unsigned i) {
  float *keys = claim(IN_QUEUE * sizeof *keys);
  for (uint64_t j = 0; j < IN_QUEUE; j++)
    keys[j] = (float)((j * 7919 + i) % IN_QUEUE);
  cl_mem buffer = fixture_buffer(keys, IN_QUEUE * sizeof *keys);
  RELEASE(keys);
  return buffer;
}

static cl_mem room_for_indices(void) {
  return fixture_buffer(claim(IN_QUEUE * sizeof(cl_uint)), IN_QUEUE * sizeof(cl_uint));
}

static const char *say_indices(cl_command_queue queue, cl_mem buffer, unsigned i) {
  cl_uint *indices = malloc(IN_QUEUE * sizeof *indices);
  const char *trouble = NULL;
  if (!indices ||
      clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, IN_QUEUE * sizeof *indices, indices, 0, NULL, NULL) != CL_SUCCESS)
    trouble = "no indices";
  for (uint64_t j = 0; j < IN_QUEUE && !trouble; j++)
    if ((indices[j] * (uint64_t)7919 + i) % IN_QUEUE != j)
      trouble = "a wrong index";
  free(indices);
  return trouble;
}

static void check_indices(cl_mem buffer, unsigned i) {
  const char *trouble = say_indices(under_test.queue, buffer, i);
  ck_assert_msg(!trouble, "call %u: %s", i, trouble);
}

static cl_int enqueue(cl_command_queue queue, clred_sorter *sorter, cl_mem keys, cl_mem indices, cl_event wait,
                      cl_event *done) {
  return clred_enqueue_sort(queue, sorter, &(clred_sort_call){.keys = keys, .count = IN_QUEUE, .values_out = indices},
                            wait ? 1 : 0, wait ? &wait : NULL, done);
}

// Properties of two queues.
static const cl_command_queue_properties pairs[][2] = {
  {0, 0},
  {CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE},
  {CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0},
};

static bool open_queues(int i, cl_command_queue queues[2]) {
  for (int j = 0; j < 2; j++)
    queues[j] = fixture_queue(fixture_has_out_of_order() ? pairs[i][j] : 0);
  return fixture_has_user_events();
}

TEST_CASE("queues", fixture_open, fixture_close);

// The first call waits for an event. The second one, on the other queue or on the same, waits for the first, because
// both use the scratch memory, and for an event of its own.
TEST_EACH(calls_wait_for_each_other, 0, 6) {
  cl_command_queue queues[2];
  cl_event done = NULL;
  if (!open_queues(_i / 2, queues))
    return;
  clred_sorter *sorter = sorter_of_floats(), *other = sorter_of_floats();
  cl_event gates[2] = {fixture_user_event(), fixture_user_event()};
  cl_mem outs[2] = {room_for_indices(), room_for_indices()}, apart = room_for_indices();
  assert_ok(enqueue(queues[0], sorter, keys_of_call(1), outs[0], gates[0], NULL));
  assert_ok(enqueue(queues[_i % 2], sorter, keys_of_call(2), outs[1], gates[1], &done));
  OWN(done);
  assert_ok(clFlush(queues[_i % 2]));
  for (int first = _i / 2 % 2, i = 0; i < 2; i++) {
    for (int j = 0; j < 3; j++)  // takes longer than the call would, if it did not wait
      assert_ok(enqueue(under_test.queue, other, keys_of_call(3), apart, NULL, NULL));
    check_indices(apart, 3);
    ck_assert_int_gt(event_status(done), CL_COMPLETE);
    assert_ok(clSetUserEventStatus(gates[i ? !first : first], CL_COMPLETE));
  }
  assert_ok(clWaitForEvents(1, &done));
  check_indices(outs[0], 1);
  check_indices(outs[1], 2);
}

TEST_EACH(alternating_queues, 0, 3) {
  enum { CALLS = 8 };
  cl_command_queue queues[2];
  cl_mem keys[CALLS], outs[CALLS];
  open_queues(_i, queues);
  clred_sorter *sorter = sorter_of_floats();
  for (unsigned i = 0; i < CALLS; i++) {
    keys[i] = keys_of_call(i);
    outs[i] = room_for_indices();
  }
  for (unsigned i = 0; i < CALLS; i++)
    assert_ok(enqueue(queues[i * 5 / 3 % 2], sorter, keys[i], outs[i], NULL, NULL));
  assert_ok(clFinish(queues[0]));
  assert_ok(clFinish(queues[1]));
  for (unsigned i = 0; i < CALLS; i++)
    check_indices(outs[i], i);
}

// If the event that a call waits for ends in an error, so does the call. The next call, on any queue, is right.
TEST_EACH(after_an_event_that_failed, 0, 6) {
  cl_command_queue queues[2];
  cl_event done = NULL;
  if (!open_queues(_i / 2, queues))
    return;
  clred_sorter *sorter = sorter_of_floats();
  cl_event gate = fixture_user_event(), failed = fixture_user_event();
  cl_mem keys = keys_of_call(1), out = room_for_indices(), untouched = room_for_indices();
  cl_uint first = 9;
  assert_ok(clSetUserEventStatus(failed, -5));
  assert_status(enqueue(queues[0], sorter, keys, out, failed, NULL), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  assert_ok(enqueue(queues[0], sorter, keys, untouched, gate, &done));
  OWN(done);
  assert_ok(clFlush(queues[0]));
  assert_ok(clSetUserEventStatus(gate, -5));
  ck_assert_int_ne(clWaitForEvents(1, &done), CL_SUCCESS);
  ck_assert_int_lt(event_status(done), 0);
  read_buffer(untouched, &first, sizeof first);
  ck_assert_uint_eq(first, 0);
  cl_event next = NULL;
  for (int i = 0; i < 2; i++) {
    assert_ok(enqueue(queues[_i % 2], sorter, keys, out, NULL, &next));
    assert_ok(clWaitForEvents(1, &next));
    clReleaseEvent(next);
    check_indices(out, 1);
  }
}

// An event of a call without keys completes after its wait list.
TEST(no_keys) {
  cl_event done = NULL;
  clred_sorter *sorter = sorter_of_floats();
  if (!fixture_has_user_events())
    return;
  cl_event gate = fixture_user_event();
  assert_ok(clred_enqueue_sort(under_test.queue, sorter, &(clred_sort_call){.count = 0}, 1, &gate, &done));
  OWN(done);
  ck_assert_int_gt(event_status(done), CL_COMPLETE);
  assert_ok(clSetUserEventStatus(gate, CL_COMPLETE));
  assert_ok(clWaitForEvents(1, &done));
}

// Every thread has a queue, and all threads one sorter. Warming and calls of host memory take turns with calls.
struct worker {
  pthread_t thread;
  cl_command_queue queue;
  clred_sorter *sorter;
  cl_mem keys, out;
  unsigned number;
  const char *trouble;
};

static void *work(void *data) {
  struct worker *worker = data;
  for (int i = 0; i < 12 && !worker->trouble; i++) {
    const cl_int err = i % 6 == 5 ? clred_sorter_warm(worker->queue, worker->sorter)
                                  : enqueue(worker->queue, worker->sorter, worker->keys, worker->out, NULL, NULL);
    worker->trouble = err ? clred_status_name(err) : say_indices(worker->queue, worker->out, worker->number);
  }
  return NULL;
}

TEST(threads) {
  struct worker workers[4];
  clred_sorter *sorter = sorter_of_floats();
  for (unsigned i = 0; i < COUNT_OF(workers); i++) {
    workers[i] = (struct worker){
      .queue = fixture_queue(0), .sorter = sorter, .keys = keys_of_call(i), .out = room_for_indices(), .number = i};
    ck_assert_int_eq(enqueue(workers[i].queue, sorter, workers[i].keys, workers[i].out, NULL, NULL), CL_SUCCESS);
  }
  for (size_t i = 0; i < COUNT_OF(workers); i++)
    ck_assert_int_eq(pthread_create(&workers[i].thread, NULL, work, &workers[i]), 0);
  for (size_t i = 0; i < COUNT_OF(workers); i++)
    ck_assert_int_eq(pthread_join(workers[i].thread, NULL), 0);
  for (size_t i = 0; i < COUNT_OF(workers); i++)
    ck_assert_msg(!workers[i].trouble, "thread %zu: %s", i, workers[i].trouble);
}
