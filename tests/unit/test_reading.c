// How elements are read by groups of GPU-like devices: how many loads are under way, and what they tell the cache. No
// device is opened.
#include <string.h>

#include "opencl/device.h"
#include "source/generated.h"
#include "strategies/strategies.h"
#include "support/suite.h"
#include "unit/shapes.h"

// ---------------------------------------------------------------- Loads under way

// Vectors of 256 bytes of states leave registers for 64 bytes of elements.
TEST(large_states_leave_room_for_few_rows) {
  const clred_problem given[] = {{.op = CLRED_OP_ADD, .type = CLRED_TYPE_UCHAR, .overflow = CLRED_OVERFLOW_DETECT},
                                 {.op = CLRED_OP_STATS, .type = CLRED_TYPE_UCHAR},
                                 {.op = CLRED_OP_ADD, .type = CLRED_TYPE_UCHAR}};
  struct clr_facts facts = facts_of(GPU, 0);
  for (size_t i = 0; i < sizeof given / sizeof *given; i++) {
    struct clr_shape shape = shape_of("wide", &facts, &given[i]);
    ck_assert_uint_le(shape.vector * shape.state_size, 256);
    ck_assert_uint_le(shape.vector * (shape.state_size + shape.loads.rows_at_once), 320);
    ck_assert_uint_ge(shape.loads.rows_at_once, 1);
  }
}

// Rows of 16 bytes: 32 elements, but four rows at least; twice as many of numbers that become floats, where it is not
// the best that is chosen.
TEST(loads_under_way) {
  static const struct {
    clred_type type;
    clred_op op;
    cl_ulong vector, rows_at_once;
  } cases[] = {{CLRED_TYPE_FLOAT, CLRED_OP_ADD, 4, 8},   {CLRED_TYPE_DOUBLE, CLRED_OP_ADD, 2, 16},
               {CLRED_TYPE_SHORT, CLRED_OP_ADD, 8, 4},   {CLRED_TYPE_UCHAR, CLRED_OP_ADD, 16, 4},
               {CLRED_TYPE_HALF, CLRED_OP_ADD, 8, 8},    {CLRED_TYPE_HALF, CLRED_OP_MEAN, 8, 8},
               {CLRED_TYPE_HALF, CLRED_OP_ARGMIN, 8, 4}, {CLRED_TYPE_BFLOAT16, CLRED_OP_MAX, 8, 8},
               {CLRED_TYPE_HALF, CLRED_OP_STATS, 4, 8}};
  struct clr_facts facts = facts_of(GPU, 0);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const clred_problem given = {.op = cases[i].op, .type = cases[i].type};
    struct clr_shape shape = shape_of("wide", &facts, &given);
    ck_assert_msg(shape.vector == cases[i].vector && shape.loads.rows_at_once == cases[i].rows_at_once,
                  "case %zu: %llu rows of %llu", i, (unsigned long long)shape.loads.rows_at_once,
                  (unsigned long long)shape.vector);
  }
}

// ---------------------------------------------------------------- What loads tell the cache

#define CACHE "shared_cache=62914560"

TEST(loads_tell_the_cache) {
  static const clred_operator by_itself = {
    .name = "own", .element = "float", .state = "float", .identity = "0", .combine = "a + b", .commutative = CL_TRUE};
  static const clred_operator elementwise = {.name = "own",
                                             .element = "float",
                                             .state = "float",
                                             .identity = "0",
                                             .combine = "a + b",
                                             .commutative = CL_TRUE,
                                             .elementwise = CL_TRUE};
  static const struct {
    const char *assume;
    clred_problem given;
    cl_ulong kept_mib;
  } cases[] = {{CACHE, {.op = CLRED_OP_ADD, .type = CLRED_TYPE_FLOAT}, 24},
               {CACHE, {.op = CLRED_OP_ARGMIN, .type = CLRED_TYPE_UCHAR}, 24},
               {CACHE, {.op = CLRED_OP_MEAN, .type = CLRED_TYPE_BFLOAT16}, 24},
               {CACHE, {.custom = &elementwise}, 24},
               {CACHE ",ptx_target=80", {.op = CLRED_OP_ADD, .type = CLRED_TYPE_FLOAT}, 24},
               {CACHE ",ptx_target=79", {.op = CLRED_OP_ADD, .type = CLRED_TYPE_FLOAT}, 0},
               {CACHE ",device_fence=0", {.op = CLRED_OP_ADD, .type = CLRED_TYPE_FLOAT}, 0},
               {"shared_cache=3145728", {.op = CLRED_OP_ADD, .type = CLRED_TYPE_FLOAT}, 1},
               {"shared_cache=2097152", {.op = CLRED_OP_ADD, .type = CLRED_TYPE_FLOAT}, 0},
               {"shared_cache=0", {.op = CLRED_OP_ADD, .type = CLRED_TYPE_FLOAT}, 0},
               // Loads of eight bytes, of single elements, of what is lifted one by one, of complex numbers.
               {CACHE, {.op = CLRED_OP_STATS, .type = CLRED_TYPE_HALF}, 0},
               {CACHE, {.op = CLRED_OP_ADD, .type = CLRED_TYPE_FLOAT, .layout = CLRED_LAYOUT_STRIDED}, 0},
               {CACHE, {.op = CLRED_OP_ADD, .type = CLRED_TYPE_CDOUBLE}, 0},
               {CACHE, {.custom = &by_itself}, 0},
               {CACHE, {.op = CLRED_OP_ADD, .type = CLRED_TYPE_CFLOAT}, 0}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct clr_facts facts = facts_of(GPU, 0);
    struct clr_status status = {0};
    ck_assert_msg(!clr_facts_assume(&facts, cases[i].assume, &status), "%s", status.sentence);
    cl_ulong kept = shape_of("wide", &facts, &cases[i].given).fold.kept_bytes;
    ck_assert_msg(kept == cases[i].kept_mib << 20, "case %zu: %llu", i, (unsigned long long)kept);
  }
}

static void check_explained(const struct clr_facts *facts, const struct clr_problem *problem,
                            const struct clr_shape *shape, const char *words) {
  const clred_plan_info info = {.strategy = "wide", .finish = "last_group", .order = "fixed/1"};
  struct clr_text text = {0};
  clr_explain(facts, problem, shape, &info, 1000, &text);
  ck_assert_msg(text.bytes && strstr(text.bytes, words), "%s", text.bytes);
  clr_text_release(&text);
}

TEST(what_is_kept_can_be_measured) {
  const clred_problem given = {.op = CLRED_OP_ADD, .type = CLRED_TYPE_FLOAT, .strategy = "wide"};
  struct clr_facts facts = facts_of(GPU, 0);
  struct clr_problem problem;
  struct clr_shape shape;
  struct clr_status status = {0};
  ck_assert_msg(!clr_problem_make(&given, &problem, &status), "%s", status.sentence);
  clr_tuned_set(&problem.tuned, CLR_TUNE_KEPT, 7);
  ck_assert_msg(!clr_strategy_fit(clr_strategy_named("wide"), &facts, &problem, &shape, &status), "%s",
                status.sentence);
  ck_assert_uint_eq(shape.fold.kept_bytes, (cl_ulong)7 << 20);
  ck_assert(clr_tuned_has(&shape.tuned, CLR_TUNE_KEPT));
  check_explained(&facts, &problem, &shape, "left in cache 7: MiB");
  facts.shared_cache = 0;
  ck_assert_msg(!clr_strategy_fit(clr_strategy_named("wide"), &facts, &problem, &shape, &status), "%s",
                status.sentence);
  ck_assert_uint_eq(shape.fold.kept_bytes, 0);
  ck_assert(!clr_tuned_has(&shape.tuned, CLR_TUNE_KEPT));
  clr_problem_release(&problem);
}

TEST(caches_of_compute_capabilities) {
  ck_assert_uint_eq(clr_device_shared_cache(90, 132, "580.159.04"), 387ull * 132 * 1024);
  ck_assert_uint_eq(clr_device_shared_cache(86, 82, "470.0"), 74ull * 82 * 1024);
  ck_assert_uint_eq(clr_device_shared_cache(90, 132, "469.9"), 0);
  ck_assert_uint_eq(clr_device_shared_cache(75, 40, "580"), 0);
  ck_assert_uint_eq(clr_device_shared_cache(90, 132, ""), 0);
}
