// Shapes of strategies on those devices, and operators of which only sizes matter.
#ifndef TESTS_UNIT_SHAPES_H
#define TESTS_UNIT_SHAPES_H

#include <check.h>

#include "strategies/strategies.h"
#include "unit/devices.h"

// A call over rows of n elements, and over one line.
#define EXTENT(n, rows_, columns_) \
  (&(const struct clr_extent){.count = (n), .stride = 1, .rows = (rows_), .columns = (columns_)})
#define LINE(n) EXTENT(n, 1, 1)

enum { GPU = 0, GPU_WITHOUT_FENCE = 1, GROUPS_OF_ONE = 4, CPU = 13 };

// With other local memory where that is not 0.
static inline struct clr_facts facts_of(size_t device, cl_ulong local_mem_size) {
  struct clr_facts facts = devices[device].facts;
  facts.local_mem_size = local_mem_size ? local_mem_size : facts.local_mem_size;
  clr_facts_make_sane(&facts);
  return facts;
}

static inline struct clr_shape shape_of(const char *strategy, const struct clr_facts *facts,
                                        const clred_problem *given) {
  struct clr_problem problem;
  struct clr_shape shape;
  struct clr_status status = {0};
  ck_assert_msg(!clr_problem_make(given, &problem, &status), "%s", status.sentence);
  ck_assert_msg(!clr_strategy_fit(clr_strategy_named(strategy), facts, &problem, &shape, &status), "%s",
                status.sentence);
  ck_assert_msg(shape.local_bytes <= facts->local_mem_size, "%s: %llu bytes", strategy,
                (unsigned long long)shape.local_bytes);
  clr_problem_release(&problem);
  return shape;
}

// An operator over structs of these sizes, of which nothing else matters here.
static inline clred_operator sized(size_t element, size_t state, size_t result) {
  return (clred_operator){.name = "own",
                          .element = "e",
                          .element_size = element,
                          .state = "s",
                          .state_size = state,
                          .result = "r",
                          .result_size = result,
                          .identity = "0",
                          .lift = "0",
                          .combine = "a",
                          .lower = "s",
                          .commutative = CL_TRUE};
}

#endif
