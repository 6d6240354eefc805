// The tables of operators, types, statuses and facts, assumed facts, and what is derived from a caller's problem. No
// device is opened.
#include <math.h>

#include "model/facts.h"
#include "model/histogram.h"
#include "model/problem.h"
#include "support/suite.h"
#include "unit/shapes.h"

static struct clr_operation operation_of(clred_op op, clred_type type) {
  const struct clr_choice choice = {.op = op, .type = type};
  struct clr_operation operation;
  struct clr_status status;
  ck_assert_int_eq(clr_operation_make(&choice, &operation, &status), CL_SUCCESS);
  return operation;
}

TEST(every_operator_has_a_host_form_where_it_is_defined) {
  const struct clr_op *op;
  const struct clr_type *type;
  unsigned defined = 0;
  for (size_t i = 0; (op = clr_op_at(i)) != NULL; i++) {
    for (size_t j = 0; (type = clr_type_at(j)) != NULL; j++) {
      const struct clr_choice choice = {.op = op->id, .type = type->id};
      struct clr_operation operation;
      struct clr_status status = {0};
      cl_int err = clr_operation_make(&choice, &operation, &status);
      if (err) {
        ck_assert_int_eq(err, CLRED_OPERATOR_TYPE);
        ck_assert(strstr(status.message, op->name) && strstr(status.message, type->name));
      } else {
        ck_assert(operation.host && operation.host->combine && operation.part_count && ++defined);
      }
    }
  }
  // 26 operators over 14 types. But AND, OR and XOR take integers only, and five operators take complex numbers.
  ck_assert_uint_eq(defined, 27 * 12 - 3 * 4 + 16 * 2);
}

TEST(vectors_are_types_too) {
  struct clr_operation operation = operation_of(CLRED_OP_SUM, CLRED_VECTOR(CLRED_TYPE_FLOAT, 3));
  const struct clr_choice choice = {.op = CLRED_OP_ARGMIN, .type = CLRED_VECTOR(CLRED_TYPE_INT, 4)};
  struct clr_status status;
  ck_assert_uint_eq(operation.element.size, 16);
  ck_assert_uint_eq(operation.state_size, 16);
  ck_assert_int_eq(operation.result_type, CLRED_VECTOR(CLRED_TYPE_FLOAT, 3));
  ck_assert_int_eq(clr_operation_make(&choice, &operation, &status), CLRED_OPERATOR_TYPE);
  ck_assert(strstr(status.message, "int4"));
}

TEST(storage_types_become_floats) {
  static const struct {
    clred_type type;
    cl_ushort bits;
    cl_float value;
  } cases[] = {
    {CLRED_TYPE_HALF, 0x3c00, 1},
    {CLRED_TYPE_HALF, 0xc000, -2},
    {CLRED_TYPE_HALF, 0x7bff, 65504},
    {CLRED_TYPE_HALF, 0x0001, 0x1p-24f},
    {CLRED_TYPE_HALF, 0x83ff, -0x1.ff8p-15f},
    {CLRED_TYPE_HALF, 0xfc00, -INFINITY},
    {CLRED_TYPE_BFLOAT16, 0x3f80, 1},
    {CLRED_TYPE_BFLOAT16, 0xff80, -INFINITY},
    {CLRED_TYPE_BFLOAT16, 0x0001, 0x1p-133f},
  };
  for (size_t i = 0; i < COUNT_OF(cases); i++) {
    cl_float value;
    clr_type_row(cases[i].type)->widen[CLR_KIND_FLOAT](&cases[i].bits, 1, &value);
    ck_assert(value == cases[i].value);
  }
}

TEST(host_extremes_wrap_and_order_as_written) {
  struct clr_operation sum = operation_of(CLRED_OP_SUM, CLRED_TYPE_LONG);
  struct clr_operation min = operation_of(CLRED_OP_MIN, CLRED_TYPE_FLOAT);
  cl_long most = CL_LONG_MAX, one = 1;
  sum.host->combine(&most, &one, 1);
  ck_assert(most == CL_LONG_MIN);
  cl_float zero = 0.0f, minus_zero = -0.0f, nan = NAN, result;
  min.host->combine(&zero, &minus_zero, 1);
  ck_assert(signbit(zero));
  min.host->combine(&zero, &nan, 1);
  min.host->lower(&zero, 1, &result, false);
  cl_uint bits;
  memcpy(&bits, &result, sizeof bits);
  ck_assert_uint_eq(bits, 0x7fc00000u);
}

TEST(members_of_own_states) {
  static const clred_operator own =
    OPERATOR(.name = "own", .element = "float", .state = "{ float value; ulong index; uchar last; }", .result = "float",
             .identity = "{0, 0, 0}", .combine = "a");
  static const clred_part members[] = {
    {"value", CLRED_TYPE_FLOAT, 0}, {"index", CLRED_TYPE_ULONG, 8}, {"last", CLRED_TYPE_UCHAR, 16}};
  struct clr_custom custom;
  struct clr_status status;
  ck_assert_int_eq(clr_custom_make(&own, &custom, &status), CL_SUCCESS);
  ck_assert_uint_eq(custom.state.size, 24);
  ck_assert_uint_eq(custom.state.member_count, COUNT_OF(members));
  for (size_t i = 0; i < COUNT_OF(members); i++) {
    ck_assert_str_eq(custom.state.members[i].name, members[i].name);
    ck_assert_int_eq(custom.state.members[i].type, members[i].type);
    ck_assert_uint_eq(custom.state.members[i].offset, members[i].offset);
  }
  clr_custom_release(&custom);
}

TEST(names_are_found) {
  ck_assert_int_eq(clred_op_from_name("sum"), CLRED_OP_SUM);
  ck_assert_int_eq(clred_op_from_name("prod"), CLRED_OP_PROD);
  ck_assert_int_eq(clred_op_from_name("add"), CLRED_OP_NONE);
  ck_assert_int_eq(clred_op_from_name("nosuch"), CLRED_OP_NONE);
  ck_assert_int_eq(clred_op_from_name(NULL), CLRED_OP_NONE);
  ck_assert_int_eq(clred_type_from_name("float64"), CLRED_TYPE_DOUBLE);
  ck_assert_int_eq(clred_type_from_name("uchar"), CLRED_TYPE_UCHAR);
  ck_assert_int_eq(clred_type_from_name("ushort"), CLRED_TYPE_USHORT);
  ck_assert_int_eq(clred_type_from_name("uint16"), CLRED_TYPE_USHORT);
  ck_assert_int_eq(clred_type_from_name("quaternion"), CLRED_TYPE_NONE);
  ck_assert_int_eq(clred_type_from_name(""), CLRED_TYPE_NONE);
}

TEST(statuses_have_names) {
  ck_assert_str_eq(clred_status_name(CL_SUCCESS), "CL_SUCCESS");
  ck_assert_str_eq(clred_status_name(CL_OUT_OF_RESOURCES), "CL_OUT_OF_RESOURCES");
  ck_assert_str_eq(clred_status_name(CLRED_OUT_OF_RANGE), "CLRED_OUT_OF_RANGE");
  ck_assert_str_eq(clred_status_name(-987654), "unknown status");
}

static struct clr_facts some_facts(void) {
  struct clr_facts facts = FACTS(.max_work_group_size = 1024, .max_work_item_size = 1024, .compute_units = 4,
                                 .preferred_multiple = 32, .local_mem_size = 49152, .fp64 = 1, .device_fence = 2);
  clr_facts_make_sane(&facts);
  return facts;
}

TEST(assumed_facts_bind) {
  struct clr_facts facts = some_facts();
  struct clr_status status;
  const char *assume = "max_work_group_size=64,compute_units=256,fp64=0,cpu=1,kernel_work_group_size=32,device_fence=0";
  ck_assert_int_eq(clr_facts_assume(&facts, assume, &status), CL_SUCCESS);
  ck_assert_uint_eq(facts.max_work_group_size, 64);
  ck_assert_uint_eq(facts.max_work_item_size, 64);
  ck_assert_uint_eq(facts.compute_units, 256);
  ck_assert_uint_eq(facts.fp64, 0);
  ck_assert_uint_eq(facts.cpu, 1);
  ck_assert_uint_eq(facts.kernel_work_group_size, 32);
  ck_assert_uint_eq(facts.device_fence, 0);
}

TEST(wrong_assumptions_are_refused_by_name) {
  static const struct {
    const char *assume, *culprit;
    cl_int status;
  } cases[] = {
    {"max_work_group_size=2048", "max_work_group_size", CLRED_INVALID_ARGUMENT},
    {"max_work_group_size=1073741824", "1073741824", CLRED_INVALID_ARGUMENT},
    {"local_mem_size=49153", "local_mem_size", CLRED_INVALID_ARGUMENT},
    {"fp64=0,fp64=1", "fp64", CLRED_INVALID_ARGUMENT},
    {"nonsense=1", "nonsense", CLRED_UNKNOWN_NAME},
    {"cpu", "cpu", CLRED_INVALID_ARGUMENT},
    {"cpu=", "cpu=", CLRED_INVALID_ARGUMENT},
    {"cpu=-1", "cpu=-1", CLRED_INVALID_ARGUMENT},
    {"cpu=2", "cpu", CLRED_INVALID_ARGUMENT},
    {"compute_units=0", "compute_units", CLRED_INVALID_ARGUMENT},
    {"cpu=1x", "cpu=1x", CLRED_INVALID_ARGUMENT},
    {"max_work_group_size=many", "many", CLRED_INVALID_ARGUMENT},
    {"device_fence=1", "device_fence", CLRED_INVALID_ARGUMENT},
    {"ptx_target=90", "ptx_target", CLRED_INVALID_ARGUMENT},
    {"forward_progress=2", "forward_progress", CLRED_INVALID_ARGUMENT},
    {"compute_units=99999999999999999999999", "compute_units", CLRED_INVALID_ARGUMENT},
    {"=5", "''", CLRED_UNKNOWN_NAME},
    {"fp64=0,nonsense=1", "nonsense", CLRED_UNKNOWN_NAME},
    {"max_work_group_size=0", "max_work_group_size", CLRED_INVALID_ARGUMENT},
    {"kernel_work_group_size=1025", "kernel_work_group_size", CLRED_INVALID_ARGUMENT},
  };
  for (size_t i = 0; i < COUNT_OF(cases); i++) {
    struct clr_facts facts = some_facts(), before = facts;
    struct clr_status status = {0};
    const cl_int err = clr_facts_assume(&facts, cases[i].assume, &status);
    ck_assert_msg(err == cases[i].status, "%s: %d", cases[i].assume, (int)err);
    ck_assert_msg(strstr(status.message, cases[i].culprit) != NULL, "%s: %s", cases[i].assume, status.message);
    ck_assert_msg(memcmp(&facts, &before, sizeof facts) == 0, "%s changed something", cases[i].assume);
  }
}

// --- Lists of operators ---

// Properties by which plans decide. A list has some of them if all of its operators have them, others if one operator
// has them.
TEST(a_list_is_what_its_operators_are) {
  static const clred_op exact[] = {CLRED_OP_MIN, CLRED_OP_ARGMAX}, sums[] = {CLRED_OP_MIN, CLRED_OP_SUM},
                        exponentials[] = {CLRED_OP_MAX, CLRED_OP_LOGSUMEXP}, means[] = {CLRED_OP_MEAN, CLRED_OP_COUNT};
  static const struct {
    const clred_op *list;
    clred_type type;
    bool exact, narrows, moves, portable, needs_fp64;
  } rows[] = {
    {exact, CLRED_TYPE_FLOAT, true, false, true, true, false},
    {sums, CLRED_TYPE_FLOAT, false, false, false, true, false},
    {exact, CLRED_TYPE_INT, true, true, true, true, false},
    {sums, CLRED_TYPE_INT, true, false, false, true, false},
    {sums, CLRED_TYPE_SHORT, true, true, false, true, false},
    {exponentials, CLRED_TYPE_FLOAT, false, false, false, false, false},
    {means, CLRED_TYPE_INT, true, false, false, true, true},
  };
  for (size_t i = 0; i < COUNT_OF(rows); i++) {
    const clred_problem given = {.type = rows[i].type, .list = rows[i].list, .list_count = 2};
    struct clr_problem problem;
    struct clr_status status = {0};
    ck_assert_int_eq(clr_problem_make(&given, &problem, &status), CL_SUCCESS);
    const struct clr_operation *operation = &problem.operation;
    ck_assert_msg(operation->exact == rows[i].exact && operation->narrows == rows[i].narrows &&
                    operation->moves == rows[i].moves && operation->portable == rows[i].portable &&
                    operation->needs_fp64 == rows[i].needs_fp64,
                  "row %zu", i);
    clr_problem_release(&problem);
  }
}

// No list of 16 operators has more members than there is room for.
TEST(the_longest_lists_fit) {
  clred_op most[CLRED_LIST_MAX] = {CLRED_OP_STATS,  CLRED_OP_ARGMINMAX, CLRED_OP_ARGMIN, CLRED_OP_ARGMAX,
                                   CLRED_OP_MINMAX, CLRED_OP_MEAN,      CLRED_OP_NORM2,  CLRED_OP_LOGSUMEXP,
                                   CLRED_OP_SUM,    CLRED_OP_PROD,      CLRED_OP_AND,    CLRED_OP_OR,
                                   CLRED_OP_XOR,    CLRED_OP_NORM1,     CLRED_OP_SUMSQ,  CLRED_OP_COUNT_NONZERO};
  for (int turn = 0; turn < 2; turn++) {
    const clred_problem given = {.type = CLRED_TYPE_LONG, .list = most, .list_count = CLRED_LIST_MAX};
    struct clr_problem problem;
    struct clr_status status = {0};
    ck_assert_int_eq(clr_problem_make(&given, &problem, &status), CL_SUCCESS);
    ck_assert_uint_le(problem.operation.part_count, CLR_PARTS_MAX);
    ck_assert_uint_le(problem.operation.host->state_part_count, CLR_PARTS_MAX);
    ck_assert_uint_le(problem.operation.state_size, CLR_STATE_SIZE_MAX);
    ck_assert_uint_le(problem.operation.result_size, CLR_STATE_SIZE_MAX);
    clr_problem_release(&problem);
    most[0] = CLRED_OP_VAR;  // without stats more operators need states of their own
  }
}

// Kept elements are counted in 32 bits if count_max fits them. Kernels read a complex number as a vector of two.
TEST(selections_know_the_size_of_their_counts) {
  const clred_selection all = {.name = "all", .keep = "1"};
  const struct {
    clred_type type;
    cl_ulong count_max;
    size_t state_size, element_size;
    const char *element;
  } cases[] = {
    {CLRED_TYPE_FLOAT, 1000, 4, 4, "float"},
    {CLRED_TYPE_FLOAT, CL_UINT_MAX, 4, 4, "float"},
    {CLRED_TYPE_FLOAT, (cl_ulong)CL_UINT_MAX + 1, 8, 4, "float"},
    {CLRED_TYPE_FLOAT, 0, 8, 4, "float"},
    {CLRED_TYPE_CFLOAT, 1, 4, 8, "float2"},
    {CLRED_TYPE_CDOUBLE, 1, 4, 16, "double2"},
  };
  for (size_t i = 0; i < COUNT_OF(cases); i++) {
    struct clr_problem problem =
      problem_of(&(clred_problem){.type = cases[i].type, .selection = &all, .count_max = cases[i].count_max});
    ck_assert_uint_eq(problem.operation.state_size, cases[i].state_size);
    ck_assert_uint_eq(problem.operation.element.size, cases[i].element_size);
    ck_assert_str_eq(problem.operation.element.name, cases[i].element);
    clr_problem_release(&problem);
  }
}

// A size that only a compiler knows is not checked here. A result wider than its element is refused.
TEST(scans_in_place_need_results_of_the_elements_size) {
  clred_operator own = {
    .name = "own", .element = "point", .state = "float", .identity = "0", .lift = "0", .combine = "a"};
  const clred_problem given = {.custom = &own, .scan = CLRED_SCAN_INCLUSIVE, .in_place = CL_TRUE};
  struct clr_problem problem = problem_of(&given);
  struct clr_status status;
  clr_problem_release(&problem);
  own.element = "float", own.state = "sum";
  problem = problem_of(&given);
  clr_problem_release(&problem);
  own.state = "double";
  ck_assert_int_eq(clr_problem_make(&given, &problem, &status), CLRED_INVALID_PROBLEM);
  ck_assert_msg(strstr(status.message, "results of 8 bytes do not fit elements of 4 bytes"), "%s", status.message);
  clr_problem_release(&problem);
}

#if SIZE_MAX == UINT32_MAX
// The edges of 2^31 bins take 2^34 bytes, which wraps to 0 in 32 bits.
TEST(bins_beyond_the_address_space_are_refused) {
  const clred_histogram bins = {.bins = (cl_ulong)1 << 31, .low = 0, .high = 1};
  struct clr_histogram made;
  struct clr_status status = {0};
  ck_assert_int_eq(clr_histogram_make(&bins, clr_type_row(CLRED_TYPE_FLOAT), &made, &status), CL_OUT_OF_HOST_MEMORY);
  clr_histogram_release(&made);
}
#endif
