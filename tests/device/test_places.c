// Argmin and argmax by groups that publish keys with places (cl/group/places.clh). The first of equal elements wins,
// however far apart they are. Elements may be the least and the greatest of their type. NaNs may be propagated or
// ignored; if they are ignored, groups publish states instead.

#include "support/fixture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "plan/plan.h"

#define GPU "cpu=0,compute_units=132"
#define COUNT 150001
#define NOWHERE CL_ULONG_MAX

struct found {
  cl_ulong index;
  union {
    cl_long number;
    cl_ulong natural;
    cl_float single;
    cl_double real;
  } value;
};

#define STORE(name, type) \
  static void store_##name(void *to, size_t at, double value) { \
    ((type *)to)[at] = (type)value; \
  }
STORE(char, cl_char)
STORE(uchar, cl_uchar)
STORE(ushort, cl_ushort)
STORE(int, cl_int)
STORE(uint, cl_uint)
STORE(long, cl_long)
STORE(float, cl_float)
STORE(double, cl_double)
static double number_of(const struct found *found) {
  return (double)found->value.number;
}
static double natural_of(const struct found *found) {
  return (double)found->value.natural;
}
static double single_of(const struct found *found) {
  return found->value.single;
}
static double real_of(const struct found *found) {
  return found->value.real;
}

// Types with the least and the greatest of their values that a double can hold. Floating types come last. For long,
// groups hand over states, not places, because no instruction finds the extremes of its keys of 64 bits.
static const struct kind {
  clred_type type;
  size_t size;
  double least, greatest;
  void (*store)(void *to, size_t at, double value);
  double (*value)(const struct found *found);
} kinds[] = {
  {CLRED_TYPE_CHAR, 1, CL_CHAR_MIN, CL_CHAR_MAX, store_char, number_of},
  {CLRED_TYPE_UCHAR, 1, 0, CL_UCHAR_MAX, store_uchar, natural_of},
  {CLRED_TYPE_USHORT, 2, 0, CL_USHRT_MAX, store_ushort, natural_of},
  {CLRED_TYPE_INT, 4, CL_INT_MIN, CL_INT_MAX, store_int, number_of},
  {CLRED_TYPE_UINT, 4, 0, CL_UINT_MAX, store_uint, natural_of},
  {CLRED_TYPE_LONG, 8, CL_LONG_MIN, 0x7ffffffffffffc00, store_long, number_of},
  {CLRED_TYPE_FLOAT, 4, -INFINITY, INFINITY, store_float, single_of},
  {CLRED_TYPE_DOUBLE, 8, -INFINITY, INFINITY, store_double, real_of},
};
#define KINDS (int)COUNT_OF(kinds)
#define FLOATING (KINDS - 2)

static const struct kind *kind_of(int turn) {
  return &kinds[turn / 2];
}

struct search {
  const struct kind *kind;
  bool finds_least;
  clred_plan *plan;
  void *elements;
  cl_mem in;
};

// Adds an option to those of the environment.
static void build_by_place(void) {
  char options[256];
  const char *given = getenv("CLREDUCE_TEST_BUILD_OPTIONS");
  snprintf(options, sizeof options, "%s -DMUST_GO_BY_PLACE=1", given ? given : "");
  ck_assert_int_eq(setenv("CLREDUCE_TEST_BUILD_OPTIONS", options, 1), 0);
}

static struct search search_by(int turn, clred_nan nan, cl_ulong group_size) {
  struct search search = {.kind = kind_of(turn), .finds_least = turn % 2 == 0};
  const clred_problem problem =
    PROBLEM(.type = search.kind->type, .op = search.finds_least ? CLRED_OP_ARGMIN : CLRED_OP_ARGMAX, .nan = nan,
            .strategy = "wide", .finish = "last_group", .group_size = group_size);
  if (nan == CLRED_NAN_PROPAGATE && problem.type != CLRED_TYPE_LONG)
    build_by_place();
  fixture_open_assuming(GPU ",groups_go_on=1");
  search.plan = fixture_plan(&problem);
  ck_assert(search.plan->shape.fold.exact && search.plan->shape.fold.counts_places &&
            search.plan->shape.fold.handover_words);
  search.elements = claim(COUNT * search.kind->size);
  search.in = fixture_buffer(search.elements, COUNT * search.kind->size);
  return search;
}

static struct search search_of(int turn, clred_nan nan) {
  return search_by(turn, nan, 0);
}

static void fill(struct search *search, double value) {
  for (size_t i = 0; i < COUNT; i++)
    search->kind->store(search->elements, i, value);
}

// Expects `index` and `value`, which may be a NaN.
static void check_found(struct search *search, cl_ulong first, cl_ulong index, double value) {
  struct found found = {0};
  write_buffer(search->in, search->elements, COUNT * search->kind->size);
  RUN(search->plan, .in = search->in, .in_offset = first, .count = COUNT - first, .result = &found);
  ck_assert_uint_eq(found.index, index);
  double got = search->kind->value(&found);
  ck_assert(isnan(value) ? isnan(got) : got == value);
}

static const size_t places[] = {0,    1,    3,    4,    7,    15,    16,    255,       256,      1023,
                                1024, 4095, 4096, 8191, 8192, 16383, 65536, COUNT - 2, COUNT - 1};
#define PLACES COUNT_OF(places)

TEST_EACH(the_first_of_two, 0, 2 * KINDS) {
  struct search search = search_of(_i, CLRED_NAN_PROPAGATE);
  const double best = search.finds_least ? search.kind->least : search.kind->greatest, other = 42;
  fill(&search, other);
  for (size_t i = 0; i < PLACES; i++) {
    for (size_t j = i; j < PLACES; j += 1 + i % 3) {
      search.kind->store(search.elements, places[i], best);
      search.kind->store(search.elements, places[j], best);
      check_found(&search, 0, places[i], best);
      search.kind->store(search.elements, places[i], other);
      search.kind->store(search.elements, places[j], other);
    }
  }
  fixture_close();
}

// Groups of two work-items, each of which takes many partials.
TEST_EACH(the_first_of_two_among_many_groups, 0, 2 * KINDS) {
  struct search search = search_by(_i, CLRED_NAN_PROPAGATE, 2);
  const double best = search.finds_least ? search.kind->least : search.kind->greatest, other = 42;
  fill(&search, other);
  for (size_t i = 0; i < PLACES; i++) {
    search.kind->store(search.elements, places[i], best);
    search.kind->store(search.elements, COUNT - 1, best);
    check_found(&search, 0, places[i], best);
    search.kind->store(search.elements, places[i], other);
  }
  fixture_close();
}

TEST_EACH(all_are_equal, 0, 2 * KINDS) {
  struct search search = search_of(_i, CLRED_NAN_PROPAGATE);
  const double values[] = {search.kind->least, 1, search.kind->greatest};
  for (size_t i = 0; i < COUNT_OF(values); i++)
    for (size_t first = 0; first < 4; first++) {
      fill(&search, values[i]);
      check_found(&search, first, 0, values[i]);
    }
  fixture_close();
}

TEST_EACH(nans_that_are_ignored, 2 * FLOATING, 2 * KINDS) {
  struct search search = search_of(_i, CLRED_NAN_IGNORE);
  const double worst = search.finds_least ? INFINITY : -INFINITY;
  fill(&search, NAN);
  check_found(&search, 0, NOWHERE, worst);
  check_found(&search, COUNT - 1, NOWHERE, worst);
  for (size_t i = 0; i < PLACES; i++) {
    search.kind->store(search.elements, places[i], worst);
    check_found(&search, 0, places[i], worst);
    search.kind->store(search.elements, places[i], NAN);
  }
  fixture_close();
}

TEST_EACH(the_first_nan, 2 * FLOATING, 2 * KINDS) {
  struct search search = search_of(_i, CLRED_NAN_PROPAGATE);
  fill(&search, search.finds_least ? -INFINITY : INFINITY);
  for (size_t i = PLACES; i-- > 0;) {
    search.kind->store(search.elements, places[i], NAN);
    check_found(&search, 0, places[i], NAN);
  }
  fixture_close();
}
