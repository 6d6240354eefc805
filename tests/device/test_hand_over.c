// Groups publish their partials in cells, and the group that began last waits for them. Many calls use the same cells,
// with different numbers of groups and several calls in flight; each call leaves the cells empty. Elements are small
// whole numbers, so every order gives the same result.

#include "support/fixture.h"

#include "plan/plan.h"

#define GPU "cpu=0,compute_units=132"
#define GOES_ON GPU ",forward_progress=1"
#define ELEMENTS 200000
#define LOWEST -5
#define HIGHEST 60

// The results of all operators.
struct answer {
  float sum, min, max;
  cl_ulong min_index, max_index;
};

static float element_at(size_t i) {
  return (float)((i * i / 977 + i / 1000) % (HIGHEST - LOWEST - (i / 5000) % 30)) + LOWEST + (float)((i / 7000) % 25);
}

static float elements[ELEMENTS];

static cl_mem make_elements(void) {
  for (size_t i = 0; i < ELEMENTS; i++)
    elements[i] = element_at(i);
  return fixture_buffer(elements, sizeof elements);
}

static struct answer answer_of(size_t first, size_t count) {
  struct answer answer = {.min = HIGHEST + 1, .max = LOWEST - 1};
  for (size_t i = 0; i < count; i++) {
    const float x = elements[first + i];
    answer.sum += x;
    if (x < answer.min)
      answer.min = x, answer.min_index = i;
    if (x > answer.max)
      answer.max = x, answer.max_index = i;
  }
  return answer;
}

static void check_sum(const void *result, const struct answer *answer) {
  ck_assert_float_eq(*(const float *)result, answer->sum);
}

static void check_max(const void *result, const struct answer *answer) {
  ck_assert_float_eq(*(const float *)result, answer->max);
}

static void check_place(const void *result, const struct answer *answer) {
  const clred_place_float *place = result;
  ck_assert_float_eq(place->value, answer->min);
  ck_assert_uint_eq(place->index, answer->min_index);
}

static void check_places(const void *result, const struct answer *answer) {
  const clred_argminmax_float *places = result;
  ck_assert_float_eq(places->min, answer->min);
  ck_assert_uint_eq(places->min_index, answer->min_index);
  ck_assert_float_eq(places->max, answer->max);
  ck_assert_uint_eq(places->max_index, answer->max_index);
}

// Operators, and the number of words in their states. A group has one cell for each word.
static const struct kind {
  clred_op op;
  cl_ulong words;
  void (*check)(const void *result, const struct answer *answer);
} kinds[] = {
  {CLRED_OP_SUM, 1, check_sum},
  {CLRED_OP_MAX, 1, check_max},
  {CLRED_OP_ARGMIN, 4, check_place},
  {CLRED_OP_ARGMINMAX, 8, check_places},
};
#define KINDS (int)COUNT_OF(kinds)

static const struct {
  size_t first, count;
} calls[] = {{0, ELEMENTS}, {3, 1},     {1, 16384},        {0, 16385},  {5, 0},
             {7, 100000},   {0, 33000}, {1, ELEMENTS - 1}, {100, 50000}};
#define CALLS COUNT_OF(calls)
#define ROUNDS 3

// With groups of two work-items, each group reads several partials, some of them in a second turn. Delayed groups
// publish long after the others. If groups may not wait, the last one that finishes folds the states.
static const struct way {
  const char *facts;
  cl_ulong group_size;
  bool waits, delays;
} ways[] = {
  {GOES_ON, 0, true, false},
  {GOES_ON, 0, true, true},
  {GOES_ON, 2, true, false},
  {GPU ",forward_progress=0", 2, false, false},
};

static clred_plan *plan_of(const struct kind *kind, const struct way *way) {
  clred_plan *plan = PLAN(.type = CLRED_TYPE_FLOAT, .op = kind->op, .strategy = "wide", .finish = "last_group",
                          .in_flight = 2, .group_size = way->group_size);
  ck_assert_uint_eq(plan->shape.fold.handover_words, way->waits ? kind->words * plan->shape.groups_max : 0);
  return plan;
}

TEST_CASE("tests", NULL, fixture_close);

TEST_EACH(call_after_call, 0, (int)COUNT_OF(ways) * KINDS) {
  const struct kind *kind = &kinds[_i % KINDS];
  const struct way *way = &ways[_i / KINDS];
  if (way->delays)
    fixture_add_build_options("-DFAULT_DELAY=100000");
  fixture_open_assuming(way->facts);
  clred_plan *plan = plan_of(kind, way);
  cl_mem in = make_elements();
  clred_argminmax_float results[ROUNDS][CALLS];
  for (size_t round = 0; round < ROUNDS; round++)
    for (size_t i = 0; i < CALLS; i++)
      ENQUEUE(plan, .in = in, .in_offset = calls[i].first, .count = calls[i].count, .result = &results[round][i]);
  assert_ok(clFinish(under_test.queue));
  for (size_t round = 0; round < ROUNDS; round++)
    for (size_t i = 0; i < CALLS; i++) {
      const struct answer answer = answer_of(calls[i].first, calls[i].count);
      if (calls[i].count)
        kind->check(&results[round][i], &answer);
    }
}

// The last group that finishes folds the partials if groups may not wait, if 64-bit words are not atomic, if loops are
// limited or if a state has too many words.
TEST_EACH(no_group_waits, 0, 4) {
  static const struct {
    const char *facts;
    clred_type type;
    clred_op op;
  } cases[] = {
    {GPU ",forward_progress=0", CLRED_TYPE_FLOAT, CLRED_OP_SUM},
    {GPU ",forward_progress=1,int64_atomics=0", CLRED_TYPE_FLOAT, CLRED_OP_SUM},
    {GPU ",forward_progress=1,loop_trips=1000000", CLRED_TYPE_FLOAT, CLRED_OP_SUM},
    {GPU ",forward_progress=1", CLRED_TYPE_DOUBLE, CLRED_OP_STATS},
  };
  fixture_open_assuming(cases[_i].facts);
  clred_plan *plan = PLAN(.type = cases[_i].type, .op = cases[_i].op, .strategy = "wide", .finish = "last_group");
  ck_assert_uint_eq(plan->shape.fold.handover_words, 0);
}
