// Files of tunings: what is written is read, damage shows, and rows are found by the problem (fuzz_tuning has random
// bytes). The numbers that plans take from tunings stay within the device, and the caller's come first. No device is
// opened.
#include "base/version.h"
#include "model/tuning_text.h"
#include "support/suite.h"
#include "unit/letters.h"
#include "unit/shapes.h"

// The device that the files are about, and the lines that name it in a file.
static const struct clr_tuning_key here = {"a device", "software 1"};
#define KEY "device a device\nsoftware software 1\n"

// The next part of a list whose parts are separated by '|'; false at its end. Start with `*at` NULL.
static bool next_part(const char *list, const char **at, char part[256]) {
  if (*at && **at == '\0')
    return false;
  *at = *at ? *at + 1 : list;
  const size_t length = strcspn(*at, "|");
  ck_assert_uint_lt(length, 256);
  snprintf(part, 256, "%.*s", (int)length, *at);
  *at += length;
  return true;
}

// The body with its right checksum behind it, so that only the body can be wrong. The caller frees the bytes.
static char *with_checksum(const char *body, size_t *length) {
  unsigned long long sum = 0xcbf29ce484222325u;
  char *bytes = malloc(*length + 64);
  ck_assert_ptr_nonnull(bytes);
  memcpy(bytes, body, *length);
  for (size_t i = 0; i < *length; i++)
    sum = (sum ^ (unsigned char)bytes[i]) * 0x100000001b3u;
  *length += (size_t)snprintf(bytes + *length, 64, "check %016llx\n", sum);
  return bytes;
}

static struct clr_tuned numbers(cl_ulong vector, cl_ulong groups) {
  struct clr_tuned tuned = {0};
  clr_tuned_set(&tuned, CLR_TUNE_VECTOR, vector);
  clr_tuned_set(&tuned, CLR_TUNE_GROUPS, groups);
  return tuned;
}

static struct clr_tuning_row row_of(const char *op, enum clr_length length, struct clr_tuned tuned) {
  struct clr_tuning_row row = {
    .strategy = "chunked", .type = "float", .state_size = 4, .length = length, .tuned = tuned};
  snprintf(row.op, sizeof row.op, "%s", op);
  return row;
}

static void put(struct clr_tuning *tuning, struct clr_tuning_row row) {
  ck_assert(clr_tuning_put(tuning, &row));
}

// A file with two rows about a device, instead of the old file or of its section of the same device.
static struct clr_text file_of(const struct clr_text *old, const struct clr_tuning_key *key, const char *op,
                               struct clr_tuned tuned) {
  struct clr_tuning tuning = {0};
  struct clr_text text = {0};
  put(&tuning, row_of(op, CLR_LENGTH_LARGE, tuned));
  put(&tuning, row_of(op, CLR_LENGTH_SMALL, (struct clr_tuned){0}));
  clr_tuning_write(old ? old->bytes : NULL, old ? old->length : 0, key, &tuning, &text);
  ck_assert(!text.failed);
  clr_tuning_release(&tuning);
  return text;
}

static enum clr_tuning_state read_rows(const char *bytes, size_t length, const struct clr_tuning_key *key,
                                       size_t *rows) {
  struct clr_tuning tuning = {0};
  enum clr_tuning_state state = clr_tuning_read(bytes, length, key, &tuning);
  ck_assert_msg(state == CLR_TUNING_FOUND || tuning.count == 0, "rows of a file that was not taken");
  *rows = tuning.count;
  for (size_t i = 0; i < tuning.count; i++)
    for (unsigned j = 0; j < CLR_TUNABLES; j++)
      ck_assert(!clr_tuned_has(&tuning.rows[i].tuned, j) || clr_tunable_allows(j, tuning.rows[i].tuned.values[j]));
  clr_tuning_release(&tuning);
  return state;
}

static enum clr_tuning_state read_forged(const char *body, size_t length) {
  size_t rows;
  char *bytes = with_checksum(body, &length);
  enum clr_tuning_state state = read_rows(bytes, length, &here, &rows);
  free(bytes);
  return state;
}

TEST_CASE("files", NULL, NULL);

TEST(what_is_written_is_read) {
  struct clr_text text = file_of(NULL, &here, "sum", numbers(8, 64));
  struct clr_tuning tuning = {0};
  ck_assert_int_eq(clr_tuning_read(text.bytes, text.length, &here, &tuning), CLR_TUNING_FOUND);
  ck_assert_uint_eq(tuning.count, 2);
  ck_assert_str_eq(tuning.rows[0].op, "sum");
  ck_assert_int_eq(tuning.rows[0].length, CLR_LENGTH_LARGE);
  ck_assert_uint_eq(tuning.rows[0].tuned.values[CLR_TUNE_VECTOR], 8);
  ck_assert_uint_eq(tuning.rows[0].tuned.values[CLR_TUNE_GROUPS], 64);
  ck_assert_uint_eq(tuning.rows[0].tuned.given, CLR_TUNE_BIT(VECTOR) | CLR_TUNE_BIT(GROUPS));
  ck_assert_uint_eq(tuning.rows[1].tuned.given, 0);
  clr_tuning_release(&tuning);
  clr_text_release(&text);
}

// Each bit flipped, and each shorter length.
TEST(any_damage_shows) {
  struct clr_text text = file_of(NULL, &here, "sum", numbers(8, 64));
  size_t rows;
  for (size_t i = 0; i < text.length; i++)
    for (unsigned bit = 0; bit < 8; bit++) {
      text.bytes[i] = (char)(text.bytes[i] ^ 1 << bit);
      enum clr_tuning_state state = read_rows(text.bytes, text.length, &here, &rows);
      ck_assert_msg(state == CLR_TUNING_DAMAGED || (state == CLR_TUNING_VERSION && i < 18), "byte %zu, bit %u", i, bit);
      text.bytes[i] = (char)(text.bytes[i] ^ 1 << bit);
    }
  for (size_t length = 0; length < text.length; length++) {
    char *exact = malloc(length ? length : 1);  // a sanitizer reports any read past it
    ck_assert_ptr_nonnull(exact);
    memcpy(exact, text.bytes, length);
    ck_assert_int_ne(read_rows(exact, length, &here, &rows), CLR_TUNING_FOUND);
    free(exact);
  }
  clr_text_release(&text);
}

#define BEGIN "clreduce tuning 1\n"
#define ROW "numbers chunked sum float 4 large "

// The lines are separated by '|'. Each line replaces %s in the body.
static void check_lines(const char *body, const char *lines, enum clr_tuning_state expected) {
  char line[256], text[512];
  for (const char *at = NULL; next_part(lines, &at, line);) {
    size_t length = (size_t)snprintf(text, sizeof text, body, line);
    ck_assert_msg(read_forged(text, length) == expected, "%s", line);
  }
}

TEST(nonsense_is_damage) {
  check_lines("%s", BEGIN KEY "|" BEGIN KEY "device another\nnonsense\n", CLR_TUNING_FOUND);
  check_lines("%s", BEGIN ROW "-\n|" BEGIN "numbers\n|" BEGIN "\n|" BEGIN KEY "\n|" BEGIN "software software 1\n\n",
              CLR_TUNING_DAMAGED);
  check_lines("%s", "clreduce tuning 2\n" KEY, CLR_TUNING_VERSION);
  check_lines(BEGIN KEY ROW "%s\n", "-|vector=8|vectors_at_once=0", CLR_TUNING_FOUND);
  check_lines(BEGIN KEY ROW "%s\n",
              "|wings=2|vector=3|vector=0|vector=32|vector=|vector|=8|vector=-8|,vector=8|vector=8,\nvector=8|groups=0|"
              "groups=1048577|groups=18446744073709551617|group_size=2048|prefetches=2|lanes=8",
              CLR_TUNING_DAMAGED);
  check_lines(
    BEGIN KEY "%s\n",
    "numbers chunked sum float 4 huge vector=8|numbers chunked sum float x large vector=8|numbers chunked sum|"
    "nombres chunked sum float 4 large vector=8||"
    "numbers a_name_that_is_longer_than_any_word_of_a_tuning_file_may_be_and_so_is_none sum float 4 large -",
    CLR_TUNING_DAMAGED);
}

TEST(files_too_short_and_too_long_are_damage) {
  static const char begin[] = BEGIN "device ", end[] = "\nsoftware s\n" KEY ROW "vector=8\n";
  const size_t sum_length = strlen("check 0123456789abcdef\n"), most = CLR_TUNING_FILE_MAX - sum_length;
  size_t rows;
  ck_assert_int_eq(read_rows(BEGIN, strlen(BEGIN), &here, &rows), CLR_TUNING_DAMAGED);
  ck_assert_int_eq(read_rows(BEGIN "check 0123", strlen(BEGIN "check 0123"), &here, &rows), CLR_TUNING_DAMAGED);
  // The section of another device with the longest name that fits the file, and with one letter more.
  for (size_t length = most; length <= most + 1; length++) {
    char *body = malloc(length + 1), *name = body + strlen(begin);
    ck_assert_ptr_nonnull(body);
    strcpy(body, begin);
    memset(name, 'y', length - strlen(begin) - strlen(end));
    strcpy(body + length - strlen(end), end);
    ck_assert_int_eq(read_forged(body, length), length == most ? CLR_TUNING_FOUND : CLR_TUNING_DAMAGED);
    free(body);
  }
}

static void check_rows(const struct clr_text *text, const struct clr_tuning_key *key, enum clr_tuning_state expected,
                       size_t expected_rows) {
  size_t rows;
  ck_assert_int_eq(read_rows(text->bytes, text->length, key, &rows), expected);
  ck_assert_uint_eq(rows, expected_rows);
}

TEST(other_drivers_and_libraries_are_stale) {
  struct clr_text text = file_of(NULL, &here, "sum", numbers(8, 64));
  const struct clr_tuning_key others[] = {
    {"a device", "software 2"}, {"a device", "software 1 "}, {"a devic", "software 1"}, {"a device ", "software 1"}};
  for (size_t i = 0; i < COUNT_OF(others); i++)
    check_rows(&text, &others[i], i < 2 ? CLR_TUNING_STALE : CLR_TUNING_ABSENT, 0);
  clr_text_release(&text);
}

TEST(a_file_serves_several_devices) {
  struct clr_tuning_key there = here, newer = here;
  strcpy(there.device, "another device");
  strcpy(newer.software, "software 2");
  struct clr_text files[5] = {file_of(NULL, &here, "sum", numbers(8, 64))};
  files[1] = file_of(&files[0], &there, "max", numbers(4, 2));
  files[2] = file_of(&files[1], &here, "min", numbers(2, 3));
  check_rows(&files[2], &there, CLR_TUNING_FOUND, 2);
  check_rows(&files[2], &here, CLR_TUNING_FOUND, 4);
  files[3] = file_of(&files[2], &newer, "sum", numbers(16, 1));
  check_rows(&files[3], &newer, CLR_TUNING_FOUND, 2);
  check_rows(&files[3], &here, CLR_TUNING_STALE, 0);
  check_rows(&files[3], &there, CLR_TUNING_FOUND, 2);
  files[3].bytes[files[3].length / 2] ^= 1;
  files[4] = file_of(&files[3], &here, "sum", numbers(8, 64));
  check_rows(&files[4], &here, CLR_TUNING_FOUND, 2);
  check_rows(&files[4], &there, CLR_TUNING_ABSENT, 0);
  for (size_t i = 0; i < 5; i++)
    clr_text_release(&files[i]);
}

// The oldest sections are dropped.
TEST(a_file_does_not_grow_without_limit) {
  struct clr_text text = {0};
  struct clr_tuning_key key = here;
  for (unsigned i = 0; i < 200; i++) {
    snprintf(key.device, sizeof key.device, "device %u", i);
    struct clr_text next = file_of(text.bytes ? &text : NULL, &key, "sum", numbers(8, 64));
    clr_text_release(&text);
    text = next;
  }
  check_rows(&text, &key, CLR_TUNING_FOUND, 2);
  ck_assert_uint_lt(text.length, 64 * 200);
  clr_text_release(&text);
}

TEST_CASE("names", NULL, NULL);

// The number of groups of the row for this problem; 0 if there is none.
static cl_ulong groups_for(const struct clr_tuning *tuning, const char *strategy, const clred_problem *given) {
  struct clr_problem problem = problem_of(given);
  struct clr_tuning_row like;
  clr_tuning_name(strategy, &problem, &like);
  const struct clr_tuning_row *found = clr_tuning_find(tuning, &like);
  return found ? found->tuned.values[CLR_TUNE_GROUPS] : 0;
}

TEST(calls_of_any_length_stand_for_all) {
  const clred_problem few = {OF(SUM, FLOAT), .count_max = 1000}, many = {OF(SUM, FLOAT), .count_max = 1ull << 40};
  const clred_problem doubles = {OF(SUM, DOUBLE), .count_max = 1000};
  struct clr_tuning tuning = {0};
  put(&tuning, row_of("sum", CLR_LENGTH_ANY, numbers(8, 1)));
  put(&tuning, row_of("sum", CLR_LENGTH_SMALL, numbers(8, 2)));
  ck_assert_uint_eq(groups_for(&tuning, "chunked", &few), 2);
  ck_assert_uint_eq(groups_for(&tuning, "chunked", &many), 1);
  ck_assert_uint_eq(groups_for(&tuning, "wide", &many), 0);
  ck_assert_uint_eq(groups_for(&tuning, "chunked", &doubles), 0);
  put(&tuning, row_of("sum", CLR_LENGTH_SMALL, numbers(8, 3)));
  ck_assert_uint_eq(tuning.count, 2);
  clr_tuning_release(&tuning);
}

// Names become words of a file. Names in a key become plain text. Both are cut.
TEST(names_are_words) {
  static const char *const names[][2] = {{"two words\nand \"more\", =", "two_words_and__more____"}, {"", "_"}};
  struct clr_problem problem = problem_of(&(clred_problem){OF(SUM, FLOAT)});
  struct clr_tuning_row row;
  struct clr_tuning_key key, cpu;
  char word[CLR_TUNING_WORD];
  for (size_t i = 0; i < COUNT_OF(names); i++) {
    problem.operation.name = names[i][0];
    clr_tuning_name("chunked", &problem, &row);
    ck_assert_str_eq(row.op, names[i][1]);
  }
  strcpy(word, letters(CLR_TUNING_WORD - 1, ""));
  problem.operation.name = letters(CLR_TUNING_WORD + 6, "");
  clr_tuning_name("chunked", &problem, &row);
  ck_assert_str_eq(row.op, word);
  ck_assert_str_eq(row.strategy, "chunked");
  ck_assert_str_eq(row.type, "float");
  clr_tuning_key_make("a\ndevice", "b\x7f\tc", "1\n", ON(GPU, 0), &key);
  clr_tuning_key_make("a\ndevice", "b\x7f\tc", "1\n", ON(CPU, 0), &cpu);
  ck_assert_int_eq(strncmp(key.device, "a device, b  c, cpu=0,compute_units=", 36), 0);
  ck_assert_int_eq(strncmp(cpu.device, "a device, b  c, cpu=1,", 22), 0);
  ck_assert_str_eq(key.software, "1 , libclreduce " CLR_VERSION);
  clr_tuning_key_make(letters(1000, ""), letters(1000, ""), letters(1000, ""), ON(GPU, 0), &key);
  ck_assert_uint_eq(strspn(key.device, "y"), 200);
  ck_assert_uint_eq(strspn(key.software, "y"), 200);
}

TEST(tunings_grow_up_to_a_bound) {
  struct clr_tuning tuning = {0};
  struct clr_tuning_row row = {.strategy = "chunked", .op = "sum", .type = "float"};
  for (row.state_size = 1; row.state_size <= CLR_TUNING_ROWS_MAX; row.state_size++) {
    clr_tuned_set(&row.tuned, CLR_TUNE_GROUPS, row.state_size + 1);
    ck_assert(clr_tuning_put(&tuning, &row));
    ck_assert_uint_eq(tuning.count, row.state_size);
  }
  ck_assert(!clr_tuning_put(&tuning, &row));
  ck_assert_uint_eq(tuning.count, CLR_TUNING_ROWS_MAX);
  ck_assert_ptr_null(clr_tuning_find(&tuning, &row));
  // Growing keeps the earlier rows with their numbers. A row of a full table may be replaced.
  for (row.state_size = 1; row.state_size <= 17; row.state_size++) {
    const struct clr_tuning_row *found = clr_tuning_find(&tuning, &row);
    ck_assert_ptr_nonnull(found);
    ck_assert_uint_eq(found->tuned.values[CLR_TUNE_GROUPS], row.state_size + 1);
  }
  ck_assert(clr_tuning_put(&tuning, &row));
  clr_tuning_release(&tuning);
}

// ---------------------------------------------------------------- Plans

static struct clr_tuned any_numbers(unsigned *state) {
  struct clr_tuned tuned = {0};
  for (unsigned i = 0; i < CLR_TUNABLES; i++) {
    const struct clr_tunable_row *row = clr_tunable_row(i);
    *state = *state * 1664525u + 1013904223u;
    cl_ulong value = row->kind == CLR_TUNABLE_FLAG ? *state >> 31 : (cl_ulong)1 << (*state >> 16) % 21;
    if (*state >> 30 != 0 && clr_tunable_allows(i, value))
      clr_tuned_set(&tuned, i, value);
  }
  return tuned;
}

TEST_CASE("plans", NULL, NULL);

TEST_EACH(measured_numbers_stay_within_the_device, 0, DEVICES) {
  static const clred_type types[] = {CLRED_TYPE_FLOAT, CLRED_TYPE_DOUBLE, CLRED_TYPE_UCHAR, CLRED_TYPE_CFLOAT};
  static const clred_op ops[] = {CLRED_OP_SUM, CLRED_OP_PROD};
  struct clr_facts facts = facts_of((size_t)_i, 0);
  unsigned state = 7;
  facts.fp64 = 1;
  for (unsigned i = 0; i < 480; i++) {
    struct clr_problem problem = problem_of(&(clred_problem){.op = ops[i % 2], .type = types[i / 2 % 4]});
    const struct clr_strategy *strategy = clr_strategy_named(i / 8 % 2 ? "wide" : "chunked");
    struct clr_shape plain, tuned;
    struct clr_status status;
    cl_int expected = clr_strategy_fit(strategy, &facts, &problem, &plain, &status);
    problem.tuned = any_numbers(&state);
    ck_assert_int_eq(clr_strategy_fit(strategy, &facts, &problem, &tuned, &status), expected);
    if (expected)
      continue;
    ck_assert_uint_eq(tuned.lanes, plain.lanes);
    ck_assert_uint_eq(tuned.rows, plain.rows);
    assert_within(&devices[_i], &facts, strategy, &tuned);
    ck_assert(tuned.vector <= tuned.lanes && tuned.loads.rows_at_once <= tuned.rows);
    for (cl_ulong n = 1; n < (cl_ulong)1 << 40; n = n * 3 + 1) {
      struct clr_pass pass;
      ck_assert(strategy->pass(&tuned, LINE(n), 0, &pass));
      ck_assert_msg(pass.groups >= 1 && pass.groups <= tuned.groups_max &&
                      pass.groups * pass.span * 16 * tuned.lanes >= n,
                    "n = %llu", (unsigned long long)n);
    }
    for (unsigned j = 0; j < CLR_TUNABLES; j++)
      if (clr_tuned_has(&tuned.tuned, j))
        ck_assert_msg(clr_tunable_in_use(&tuned, j) == tuned.tuned.values[j], "%s, %s: %s is given and not used",
                      devices[_i].name, strategy->name, clr_tunable_row(j)->name);
  }
}

TEST(callers_numbers_come_first) {
  struct clr_facts facts = facts_of(GPU, 0);
  struct clr_problem problem = problem_of(&(clred_problem){OF(SUM, FLOAT)});
  clr_tuned_set(&problem.tuned, CLR_TUNE_GROUP_SIZE, 512);
  clr_tuned_set(&problem.tuned, CLR_TUNE_GROUPS, 77);
  struct clr_shape shape = fitted("wide", &facts, &problem);
  ck_assert_uint_eq(shape.group_size, 512);
  ck_assert_uint_eq(shape.groups_max, 77);
  problem.group_size = 32;
  problem.groups = 5;
  shape = fitted("wide", &facts, &problem);
  ck_assert_uint_eq(shape.group_size, 32);
  ck_assert_uint_eq(shape.groups_max, 5);
  ck_assert_uint_eq(shape.tuned.given, 0);
}

// Group sizes decide the tree of the textbook's strategies, so they are not tuned. Other layouts are not tuned either.
TEST(other_strategies_and_layouts_have_no_tunings) {
  struct clr_facts facts = facts_of(GPU, 0);
  struct clr_problem problem = problem_of(&(clred_problem){OF(SUM, FLOAT), .count_max = 1000});
  struct clr_shape shape;
  struct clr_status status;
  const struct clr_strategy *strategy;
  clr_tuned_set(&problem.tuned, CLR_TUNE_GROUP_SIZE, 32);
  for (size_t i = 0; (strategy = clr_strategy_at(i)) != NULL; i++) {
    ck_assert_msg(!strategy->reduce.tunables || strategy->fixed_order, "%s", strategy->name);
    if (!strategy->reduce.tunables && !clr_strategy_fit(strategy, &facts, &problem, &shape, &status))
      ck_assert_msg(shape.tuned.given == 0 && shape.group_size != 32, "%s", strategy->name);
  }
  problem.layout = CLRED_LAYOUT_STRIDED;
  shape = fitted("wide", &facts, &problem);
  ck_assert_uint_eq(shape.tuned.given, 0);
}

TEST(numbers_above_the_limits_are_dropped) {
  struct clr_facts facts = facts_of(GROUPS_OF_64, 0);
  struct clr_problem problem = problem_of(&(clred_problem){OF(SUM, FLOAT)});
  clr_tuned_set(&problem.tuned, CLR_TUNE_GROUP_SIZE, 128);
  struct clr_shape shape = fitted("wide", &facts, &problem);
  ck_assert_uint_eq(shape.group_size, 64);
  ck_assert_uint_eq(shape.tuned.given, 0);
  facts = facts_of(GPU, 0);
  clr_tuned_set(&problem.tuned, CLR_TUNE_PREFETCHES, 1);  // a GPU's compiler has no builtin for it
  problem.tuned.given = CLR_TUNE_BIT(PREFETCHES);
  shape = fitted("chunked", &facts, &problem);
  ck_assert(!shape.loads.prefetches);
}

TEST(few_elements_take_few_groups) {
  struct clr_problem problem = problem_of(&(clred_problem){OF(SUM, FLOAT)});
  struct clr_pass pass;
  clr_tuned_set(&problem.tuned, CLR_TUNE_TILES, 16);
  const struct clr_strategy *strategy = clr_strategy_named("chunked");
  struct clr_shape shape = fitted("chunked", ON(CPU, 0), &problem);
  ck_assert(strategy->pass(&shape, LINE(16 * 1024), 0, &pass));
  ck_assert_uint_eq(pass.groups, 1);
  ck_assert(strategy->pass(&shape, LINE(16 * 1024 + 1), 0, &pass));
  ck_assert_uint_eq(pass.groups, 2);
}
