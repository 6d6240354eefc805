// Argmin and argmax by groups that publish keys with places (cl/group/places.clh). The first of equal elements wins,
// however far apart they are. Elements may be the least and the greatest of their type. NaNs may be propagated or
// ignored; if they are ignored, groups publish states instead.

#include "support/fixture.h"

#include <math.h>

#include "plan/plan.h"

#define GPU "cpu=0,compute_units=132"
#define COUNT 150001
#define NOWHERE CL_ULONG_MAX

struct found {
  cl_ulong index, value;  // the value has the type of a minimum
};

// Types with the least and the greatest of their values that a double can hold. Floating types come last. For long,
// groups hand over states, not places, because no instruction finds the extremes of its keys of 64 bits.
static const struct kind {
  clred_type type;
  double least, greatest;
} kinds[] = {
  {CLRED_TYPE_CHAR, CL_CHAR_MIN, CL_CHAR_MAX}, {CLRED_TYPE_UCHAR, 0, CL_UCHAR_MAX},
  {CLRED_TYPE_USHORT, 0, CL_USHRT_MAX},        {CLRED_TYPE_INT, CL_INT_MIN, CL_INT_MAX},
  {CLRED_TYPE_UINT, 0, CL_UINT_MAX},           {CLRED_TYPE_LONG, CL_LONG_MIN, 0x7ffffffffffffc00},
  {CLRED_TYPE_FLOAT, -INFINITY, INFINITY},     {CLRED_TYPE_DOUBLE, -INFINITY, INFINITY},
};
#define KINDS (int)COUNT_OF(kinds)
#define FLOATING (KINDS - 2)

struct search {
  const struct kind *kind;
  bool finds_least;
  clred_plan *plan;
  void *elements;
  cl_mem in;
};

static struct search search_by(int turn, clred_nan nan, cl_ulong group_size) {
  struct search search = {.kind = &kinds[turn / 2], .finds_least = turn % 2 == 0};
  const clred_problem problem =
    PROBLEM(.type = search.kind->type, .op = search.finds_least ? CLRED_OP_ARGMIN : CLRED_OP_ARGMAX, .nan = nan,
            .strategy = "wide", .finish = "last_group", .group_size = group_size);
  if (nan == CLRED_NAN_PROPAGATE && problem.type != CLRED_TYPE_LONG)
    fixture_add_build_options("-DMUST_GO_BY_PLACE=1");
  fixture_open_assuming(GPU ",forward_progress=1");
  search.plan = fixture_plan(&problem);
  ck_assert(search.plan->shape.fold.exact && search.plan->shape.fold.counts_places &&
            search.plan->shape.fold.handover_words);
  search.elements = claim(COUNT * oracle_size(search.kind->type));
  search.in = fixture_buffer(search.elements, COUNT * oracle_size(search.kind->type));
  return search;
}

static struct search search_of(int turn, clred_nan nan) {
  return search_by(turn, nan, 0);
}

static void put(struct search *search, size_t at, double value) {
  oracle_put(search->kind->type, search->elements, at, (long double)value);
}

static void fill(struct search *search, double value) {
  for (size_t i = 0; i < COUNT; i++)
    put(search, i, value);
}

// Expects `index` and `value`, which may be a NaN.
static void check_found(struct search *search, cl_ulong first, cl_ulong index, double value) {
  struct found found = {0};
  write_buffer(search->in, search->elements, COUNT * oracle_size(search->kind->type));
  RUN(search->plan, .in = search->in, .in_offset = first, .count = COUNT - first, .result = &found);
  ck_assert_uint_eq(found.index, index);
  const double got = (double)oracle_value_at(oracle_result_type(CLRED_OP_MIN, search->kind->type), &found.value, 0);
  ck_assert(isnan(value) ? isnan(got) : got == value);
}

static const size_t places[] = {0,    1,    3,    4,    7,    15,    16,    255,       256,      1023,
                                1024, 4095, 4096, 8191, 8192, 16383, 65536, COUNT - 2, COUNT - 1};
#define PLACES COUNT_OF(places)

TEST_CASE("tests", NULL, fixture_close);

TEST_EACH(the_first_of_two, 0, 2 * KINDS) {
  struct search search = search_of(_i, CLRED_NAN_PROPAGATE);
  const double best = search.finds_least ? search.kind->least : search.kind->greatest, other = 42;
  fill(&search, other);
  for (size_t i = 0; i < PLACES; i++) {
    for (size_t j = i; j < PLACES; j += 1 + i % 3) {
      put(&search, places[i], best);
      put(&search, places[j], best);
      check_found(&search, 0, places[i], best);
      put(&search, places[i], other);
      put(&search, places[j], other);
    }
  }
}

// Groups of two work-items, each of which takes many partials.
TEST_EACH(the_first_of_two_among_many_groups, 0, 2 * KINDS) {
  struct search search = search_by(_i, CLRED_NAN_PROPAGATE, 2);
  const double best = search.finds_least ? search.kind->least : search.kind->greatest, other = 42;
  fill(&search, other);
  for (size_t i = 0; i < PLACES; i++) {
    put(&search, places[i], best);
    put(&search, COUNT - 1, best);
    check_found(&search, 0, places[i], best);
    put(&search, places[i], other);
  }
}

TEST_EACH(all_are_equal, 0, 2 * KINDS) {
  struct search search = search_of(_i, CLRED_NAN_PROPAGATE);
  const double values[] = {search.kind->least, 1, search.kind->greatest};
  for (size_t i = 0; i < COUNT_OF(values); i++)
    for (size_t first = 0; first < 4; first++) {
      fill(&search, values[i]);
      check_found(&search, first, 0, values[i]);
    }
}

TEST_EACH(nans_that_are_ignored, 2 * FLOATING, 2 * KINDS) {
  struct search search = search_of(_i, CLRED_NAN_IGNORE);
  const double worst = search.finds_least ? INFINITY : -INFINITY;
  fill(&search, NAN);
  check_found(&search, 0, NOWHERE, worst);
  check_found(&search, COUNT - 1, NOWHERE, worst);
  for (size_t i = 0; i < PLACES; i++) {
    put(&search, places[i], worst);
    check_found(&search, 0, places[i], worst);
    put(&search, places[i], NAN);
  }
}

TEST_EACH(the_first_nan, 2 * FLOATING, 2 * KINDS) {
  struct search search = search_of(_i, CLRED_NAN_PROPAGATE);
  fill(&search, search.finds_least ? -INFINITY : INFINITY);
  for (size_t i = PLACES; i-- > 0;) {
    put(&search, places[i], NAN);
    check_found(&search, 0, places[i], NAN);
  }
}
