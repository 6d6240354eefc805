// How groups of GPUs read elements: how many loads are in flight, and the cache hints of the loads. No device is
// opened.
#include "opencl/device.h"
#include "source/generated.h"
#include "strategies/strategies.h"
#include "support/suite.h"
#include "unit/shapes.h"

// ---------------------------------------------------------------- Loads in flight

// Registers hold 256 bytes of states and 64 bytes of elements.
TEST(large_states_leave_room_for_few_rows) {
  const clred_problem given[] = {
    {OF(SUM, UCHAR), .overflow = CLRED_OVERFLOW_DETECT}, {OF(STATS, UCHAR)}, {OF(SUM, UCHAR)}};
  for (size_t i = 0; i < COUNT_OF(given); i++) {
    struct clr_shape shape = shape_of("wide", ON(GPU, 0), &given[i]);
    ck_assert_uint_le(shape.vector * shape.state_size, 256);
    ck_assert_uint_le(shape.vector * (shape.state_size + shape.loads.rows_at_once), 320);
    ck_assert_uint_ge(shape.loads.rows_at_once, 1);
  }
}

// A load has at most 16 bytes. 32 elements are in flight, or four loads if these have more elements. For half and
// bfloat16 it is 64 elements, unless the operator chooses an element. An operator with a row fold and large states
// reads whole columns.
TEST(loads_in_flight) {
  static const struct {
    clred_type type;
    clred_op op;
    cl_ulong vector, rows_at_once;
  } cases[] = {{CLRED_TYPE_FLOAT, CLRED_OP_SUM, 4, 8},   {CLRED_TYPE_DOUBLE, CLRED_OP_SUM, 2, 16},
               {CLRED_TYPE_SHORT, CLRED_OP_SUM, 8, 4},   {CLRED_TYPE_UCHAR, CLRED_OP_SUM, 16, 4},
               {CLRED_TYPE_HALF, CLRED_OP_SUM, 8, 8},    {CLRED_TYPE_HALF, CLRED_OP_MEAN, 8, 8},
               {CLRED_TYPE_HALF, CLRED_OP_ARGMIN, 8, 4}, {CLRED_TYPE_BFLOAT16, CLRED_OP_MAX, 8, 8},
               {CLRED_TYPE_HALF, CLRED_OP_STATS, 4, 16}, {CLRED_TYPE_FLOAT, CLRED_OP_STATS, 4, 16},
               {CLRED_TYPE_FLOAT, CLRED_OP_VAR, 4, 8}};
  for (size_t i = 0; i < COUNT_OF(cases); i++) {
    const clred_problem given = {.op = cases[i].op, .type = cases[i].type};
    struct clr_shape shape = shape_of("wide", ON(GPU, 0), &given);
    ck_assert_msg(shape.vector == cases[i].vector && shape.loads.rows_at_once == cases[i].rows_at_once,
                  "case %zu: %llu rows of %llu", i, (unsigned long long)shape.loads.rows_at_once,
                  (unsigned long long)shape.vector);
  }
}

// A tile has 1024 floats. Rows that may have 16 tiles keep more loads in flight.
TEST(long_rows_have_eight_loads_in_flight) {
  static const struct {
    cl_ulong count_max, rows_at_once;
  } cases[] = {{0, 4}, {1, 4}, {16383, 4}, {16384, 8}, {1 << 24, 8}};
  for (size_t i = 0; i < COUNT_OF(cases); i++) {
    const clred_problem given = {
      .op = CLRED_OP_SUM, .type = CLRED_TYPE_FLOAT, .layout = CLRED_LAYOUT_ROWS, .count_max = cases[i].count_max};
    ck_assert_uint_eq(shape_of("rows_wide", ON(GPU, 0), &given).loads.rows_at_once, cases[i].rows_at_once);
  }
}

// ---------------------------------------------------------------- Cache hints

#define CACHE "shared_cache=62914560"

// Loads ask the cache to keep elements if they are vectors of 16 bytes and the device has compute capability 8.0.
TEST(loads_have_cache_hints) {
  static const clred_operator by_itself = {
    .name = "own", .element = "float", .state = "float", .identity = "0", .combine = "a + b", .commutative = CL_TRUE};
  clred_operator elementwise = by_itself;
  elementwise.elementwise = CL_TRUE;
  const struct {
    const char *assume;
    clred_problem given;
    cl_ulong kept_mib;
  } cases[] = {{CACHE, {OF(SUM, FLOAT)}, 24},
               {CACHE, {OF(ARGMIN, UCHAR)}, 24},
               {CACHE, {OF(MEAN, BFLOAT16)}, 24},
               {CACHE, {.custom = &elementwise}, 24},
               {CACHE ",ptx_target=80", {OF(SUM, FLOAT)}, 24},
               {CACHE ",ptx_target=79", {OF(SUM, FLOAT)}, 0},
               {CACHE ",device_fence=0", {OF(SUM, FLOAT)}, 0},
               {"shared_cache=3145728", {OF(SUM, FLOAT)}, 1},
               {"shared_cache=2097152", {OF(SUM, FLOAT)}, 0},
               {"shared_cache=0", {OF(SUM, FLOAT)}, 0},
               // Loads of 8 bytes, of single elements, of elements lifted one by one, of complex numbers.
               {CACHE, {OF(STATS, HALF)}, 0},
               {CACHE, {OF(SUM, FLOAT), .layout = CLRED_LAYOUT_STRIDED}, 0},
               {CACHE, {OF(SUM, CDOUBLE)}, 0},
               {CACHE, {.custom = &by_itself}, 0},
               {CACHE, {OF(SUM, CFLOAT)}, 0}};
  for (size_t i = 0; i < COUNT_OF(cases); i++) {
    struct clr_facts facts = facts_of(GPU, 0);
    struct clr_status status = {0};
    ck_assert_msg(!clr_facts_assume(&facts, cases[i].assume, &status), "%s", status.message);
    cl_ulong kept = shape_of("wide", &facts, &cases[i].given).wide.kept_bytes;
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

TEST(the_size_to_keep_can_be_tuned) {
  const clred_problem given = {OF(SUM, FLOAT), .strategy = "wide"};
  struct clr_facts facts = facts_of(GPU, 0);
  struct clr_problem problem = problem_of(&given);
  clr_tuned_set(&problem.tuned, CLR_TUNE_KEPT, 7);
  struct clr_shape shape = fitted("wide", &facts, &problem);
  ck_assert_uint_eq(shape.wide.kept_bytes, (cl_ulong)7 << 20);
  ck_assert(clr_tuned_has(&shape.tuned, CLR_TUNE_KEPT));
  check_explained(&facts, &problem, &shape, "left in cache 7: MiB");
  check_explained(&facts, &problem, &shape,
                  "others that would serve by name (auto takes wide here):\n    host_serial, ");
  check_explained(&facts, &problem, &shape, "atomic, chunked\nfor other layouts:\n    rows_chunked, ");
  facts.shared_cache = 0;
  shape = fitted("wide", &facts, &problem);
  ck_assert_uint_eq(shape.wide.kept_bytes, 0);
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
