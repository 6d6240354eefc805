// Selections for cases: see choices.h.

#include "choices.h"

#include <string.h>

#define LIMIT 0.25f

static const clred_operand limit = {"limit", "float", sizeof(float)};
static const float limit_value = LIMIT;
const void *const choice_parameters[] = {&limit_value};

static cl_uint not_below(const void *element, cl_ulong index, const void *const *inputs, const void *const *values,
                         void *user_data) {
  float x;
  (void)index, (void)inputs, (void)user_data;
  memcpy(&x, element, sizeof x);
  return !(x < *(const float *)values[0]) ? 7 : 0;
}

const struct choice choices[] = {
  {CLRED_TYPE_CHAR, {.name = "negative", .keep = "x < 0"}, 1, CLRED_TYPE_CHAR, {0, -1}, {1, -1}},
  {CLRED_TYPE_FLOAT,
   OPERATOR(.name = "not_below", .keep = "!(x < limit)", .parameters = &limit, .parameter_count = 1, .host = not_below),
   4,
   CLRED_TYPE_FLOAT,
   {-LIMIT, LIMIT},
   {-LIMIT, LIMIT}},
  {CLRED_TYPE_DOUBLE, {.name = "whole", .keep = "x == floor(x)"}, 8, CLRED_TYPE_DOUBLE, {2.5, 2}, {2, 2}},
  ROW(CLRED_VECTOR(CLRED_TYPE_FLOAT, 4), {.name = "tall", .keep = "x.s3 > x.s0"}, 16, CLRED_TYPE_FLOAT, {-1, 1},
      {-1, 1}),
  {CLRED_TYPE_HALF, {.name = "large", .keep = "x >= 0.5f"}, 2, CLRED_TYPE_HALF, {-0.5, 0.5}, {-0x1p-11, 0x1p-11}},
  {CLRED_TYPE_NONE,
   OPERATOR(.name = "threefold", .preamble = "typedef struct { long key; float weight[3]; char kind; } record;",
            .element = "record", .element_size = 24,
            .keep = "{\n  // any number but 0\n  if (x.key % 3 == 0)\n    return -2;\n  return 0;\n}"),
   24,
   CLRED_TYPE_LONG,
   {1, 0},
   {3, 3}},
  {CLRED_TYPE_UINT, {.name = "fifth", .keep = "index % 5 == 0"}, 4, CLRED_TYPE_NONE, {0}, {0}},
  // No word has this size.
  {CLRED_TYPE_NONE,
   {.name = "three", .preamble = "typedef struct { char a[3]; } three;", .element = "three", .keep = "x.a[0] < 0"},
   3,
   CLRED_TYPE_CHAR,
   {0, -1},
   {1, -1}},
};

const size_t choice_count = sizeof choices / sizeof *choices;

const struct choice *choice_of(const clred_problem *problem) {
  size_t i = 0;
  while (&choices[i].selection != problem->selection)
    i++;
  return &choices[i];
}

void choice_make(const struct choice *of, void *at, bool kept, uint64_t random) {
  const uint32_t nan = 0x7fa00000u | ((uint32_t)random & 0xfffffu);
  const bool is_vector = oracle_components(of->type) == 4;
  const uint64_t turns = random % (of->number == CLRED_TYPE_CHAR ? 128 : 1000);
  const double number = of->first[kept] + of->step[kept] * (double)turns;
  if (is_vector)
    oracle_put(of->number, at, 0, -number);
  if (of->number)
    oracle_put(of->number, at, is_vector ? 3 : 0, number);
  if (of->type == CLRED_TYPE_FLOAT && kept && random % 7 == 0)
    memcpy(at, &nan, sizeof nan);
}

bool choice_keeps(const struct choice *of, enum choice_pattern pattern, uint64_t i, uint64_t count) {
  const bool kept[CHOICE_PATTERNS] = {
    random_at(pattern, i) % 3 == 0, true, false, i % 2 == 1, i % 16 != 15, i + 1 == count};
  return of->number == CLRED_TYPE_NONE ? i % 5 == 0 : kept[pattern];
}
