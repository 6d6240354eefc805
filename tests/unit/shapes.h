// Devices, problems and shapes for suites that open no device: strategies fitted to problems on devices written by
// hand.
#pragma once

#include "support/suite.h"

#include "strategies/strategies.h"
#include "unit/devices.h"

// The extent of a call over rows of n elements, and over one line of n elements.
#define EXTENT(n, rows_, columns_) \
  (&(const struct clr_extent){.count = (n), .stride = 1, .rows = (rows_), .columns = (columns_)})
#define LINE(n) EXTENT(n, 1, 1)

// The fields of a problem that name its operator and its type.
#define OF(op_name, type_name) .op = CLRED_OP_##op_name, .type = CLRED_TYPE_##type_name

// Indexes of `devices`.
enum { GPU = 0, GPU_WITHOUT_FENCE = 1, GROUPS_OF_64 = 3, GROUPS_OF_ONE = 4, WITHOUT_DOUBLE = 12, CPU = 13 };

// The facts of a device, made sane; a `local_mem_size` other than 0 replaces the device's.
static inline struct clr_facts facts_of(size_t device, cl_ulong local_mem_size) {
  struct clr_facts facts = devices[device].facts;
  facts.local_mem_size = local_mem_size ? local_mem_size : facts.local_mem_size;
  clr_facts_make_sane(&facts);
  return facts;
}

// These facts, as an argument.
#define ON(device, local_mem_size) ((const struct clr_facts[]){facts_of(device, local_mem_size)})

// The caller releases the problem if it holds an operator, a selection or a histogram of the caller.
static inline struct clr_problem problem_of(const clred_problem *given) {
  struct clr_problem problem;
  struct clr_status status = {0};
  ck_assert_msg(!clr_problem_make(given, &problem, &status), "%s", status.message);
  return problem;
}

// The shape of a strategy that must take the problem.
static inline struct clr_shape fitted(const char *strategy, const struct clr_facts *facts,
                                      const struct clr_problem *problem) {
  struct clr_shape shape;
  struct clr_status status = {0};
  ck_assert_msg(!clr_strategy_fit(clr_strategy_named(strategy), facts, problem, &shape, &status), "%s", status.message);
  ck_assert_msg(shape.local_bytes <= facts->local_mem_size, "%s: %llu bytes", strategy,
                (unsigned long long)shape.local_bytes);
  return shape;
}

static inline struct clr_shape shape_of(const char *strategy, const struct clr_facts *facts,
                                        const clred_problem *given) {
  struct clr_problem problem = problem_of(given);
  struct clr_shape shape = fitted(strategy, facts, &problem);
  clr_problem_release(&problem);
  return shape;
}

// The shape for a problem of these fields.
#define SHAPE(strategy, facts, ...) shape_of(strategy, facts, &(clred_problem){__VA_ARGS__})

static inline void assert_within(const struct device *device, const struct clr_facts *facts,
                                 const struct clr_strategy *strategy, const struct clr_shape *shape) {
  cl_ulong size = shape->group_size;
  ck_assert_msg((size & (size - 1)) == 0, "%s, %s: group size %llu", device->name, strategy->name,
                (unsigned long long)size);
  ck_assert_msg(size <= facts->max_work_group_size && size <= facts->max_work_item_size &&
                  (!facts->kernel_work_group_size || size <= facts->kernel_work_group_size),
                "%s, %s: group size %llu", device->name, strategy->name, (unsigned long long)size);
  ck_assert_msg(shape->local_bytes <= facts->local_mem_size, "%s, %s: %llu bytes of local memory", device->name,
                strategy->name, (unsigned long long)shape->local_bytes);
  ck_assert_msg(shape->scratch <= facts->max_alloc / shape->state_size, "%s, %s: scratch", device->name,
                strategy->name);
}

// The strategy must refuse the problem with a message that contains `words`.
static inline void assert_refused(const char *strategy, const struct clr_facts *facts, const clred_problem *given,
                                  const char *words) {
  struct clr_problem problem = problem_of(given);
  struct clr_shape shape;
  struct clr_status status = {0};
  ck_assert_int_eq(clr_strategy_fit(clr_strategy_named(strategy), facts, &problem, &shape, &status),
                   CLRED_STRATEGY_REFUSED);
  ck_assert_msg(strstr(status.message, words) != NULL, "'%s' lacks '%s'", status.message, words);
  clr_problem_release(&problem);
}

#define ASSERT_REFUSED(strategy, facts, words, ...) \
  assert_refused(strategy, facts, &(clred_problem){__VA_ARGS__}, words)

// An operator over structs of these sizes. Its texts do not matter: nothing compiles them.
static inline clred_operator sized(size_t element, size_t state, size_t result) {
  const clred_operator own =
    OPERATOR(.name = "own", .element = "e", .element_size = element, .state = "s", .state_size = state, .result = "r",
             .result_size = result, .identity = "0", .lift = "0", .combine = "a", .lower = "s", .commutative = CL_TRUE);
  return own;
}
