// Rows and facts: what is known of operators, types and statuses, and how facts are assumed. No device is opened.
#include <check.h>
#include <math.h>
#include <string.h>

#include "model/facts.h"
#include "model/problem.h"

START_TEST(every_operator_has_a_host_form_where_it_is_defined)
{
  const struct clr_op *op;
  const struct clr_type *type;
  unsigned defined = 0;
  for (size_t i = 0; (op = clr_op_at(i)) != NULL; i++) {
    for (size_t j = 0; (type = clr_type_at(j)) != NULL; j++) {
      struct clr_operation operation;
      struct clr_status status = {0};
      cl_int err = clr_operation_make(op->id, type->id, &operation, &status);
      bool refused = op->domain == CLR_DOMAIN_INTEGERS && type->class == CLR_FLOATING;
      ck_assert_int_eq(err, refused ? CLRED_OPERATOR_TYPE : CL_SUCCESS);
      if (err)
        ck_assert(strstr(status.sentence, op->name) && strstr(status.sentence, type->name));
      else
        ck_assert(operation.host && operation.host->combine && ++defined);
    }
  }
  ck_assert_uint_eq(defined, 9 * 10 - 3 * 2);
}
END_TEST

START_TEST(integers_widen_to_64_bits_and_floats_stay)
{
  static const struct {
    clred_op   op;
    clred_type type, result;
  } cases[] = {
    {CLRED_OP_ADD, CLRED_TYPE_CHAR, CLRED_TYPE_LONG},    {CLRED_OP_MUL, CLRED_TYPE_UCHAR, CLRED_TYPE_ULONG},
    {CLRED_OP_MIN, CLRED_TYPE_INT, CLRED_TYPE_LONG},     {CLRED_OP_XOR, CLRED_TYPE_USHORT, CLRED_TYPE_ULONG},
    {CLRED_OP_ADD, CLRED_TYPE_FLOAT, CLRED_TYPE_FLOAT},  {CLRED_OP_MAX, CLRED_TYPE_DOUBLE, CLRED_TYPE_DOUBLE},
    {CLRED_OP_ALL, CLRED_TYPE_DOUBLE, CLRED_TYPE_UINT},  {CLRED_OP_ANY, CLRED_TYPE_CHAR, CLRED_TYPE_UINT},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    clred_type result;
    ck_assert_int_eq(clred_result_type(cases[i].op, cases[i].type, &result), CL_SUCCESS);
    ck_assert_int_eq(result, cases[i].result);
  }
}
END_TEST

START_TEST(host_extremes_wrap_and_order_as_written)
{
  const struct clr_host_operator *add = clr_host_operator(CLRED_OP_ADD, CLRED_TYPE_LONG);
  const struct clr_host_operator *min = clr_host_operator(CLRED_OP_MIN, CLRED_TYPE_FLOAT);
  cl_long most = CL_LONG_MAX, one = 1;
  add->combine(&most, &one);
  ck_assert(most == CL_LONG_MIN);
  cl_float zero = 0.0f, minus_zero = -0.0f, nan = NAN, result;
  min->combine(&zero, &minus_zero);
  ck_assert(signbit(zero));
  min->combine(&zero, &nan);
  min->lower(&zero, &result);
  cl_uint bits;
  memcpy(&bits, &result, sizeof bits);
  ck_assert_uint_eq(bits, 0x7fc00000u);
}
END_TEST

START_TEST(names_and_synonyms_are_found)
{
  ck_assert_int_eq(clred_op_from_name("sum"), CLRED_OP_ADD);
  ck_assert_int_eq(clred_op_from_name("prod"), CLRED_OP_MUL);
  ck_assert_int_eq(clred_op_from_name("nosuch"), CLRED_OP_NONE);
  ck_assert_int_eq(clred_op_from_name(NULL), CLRED_OP_NONE);
  ck_assert_int_eq(clred_type_from_name("float64"), CLRED_TYPE_DOUBLE);
  ck_assert_int_eq(clred_type_from_name("uchar"), CLRED_TYPE_UCHAR);
  ck_assert_int_eq(clred_type_from_name(""), CLRED_TYPE_NONE);
}
END_TEST

START_TEST(statuses_have_names)
{
  ck_assert_str_eq(clred_status_name(CL_SUCCESS), "CL_SUCCESS");
  ck_assert_str_eq(clred_status_name(CL_OUT_OF_RESOURCES), "CL_OUT_OF_RESOURCES");
  ck_assert_str_eq(clred_status_name(CLRED_OUT_OF_RANGE), "CLRED_OUT_OF_RANGE");
  ck_assert_str_eq(clred_status_name(-987654), "unknown status");
}
END_TEST

static struct clr_facts some_facts(void)
{
  struct clr_facts facts = {.max_work_group_size = 1024, .max_work_item_size = 1024, .compute_units = 4,
                            .preferred_multiple = 32, .local_mem_size = 49152, .fp64 = 1, .device_fence = 2};
  clr_facts_make_sane(&facts);
  return facts;
}

START_TEST(assumed_facts_bind)
{
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
END_TEST

START_TEST(wrong_assumptions_are_refused_by_name)
{
  static const struct {
    const char *assume, *culprit;
  } cases[] = {
    {"max_work_group_size=2048", "max_work_group_size"}, {"local_mem_size=49153", "local_mem_size"},
    {"nonsense=1", "nonsense"},   {"cpu", "cpu"},         {"cpu=", "cpu="},
    {"cpu=-1", "cpu=-1"},         {"cpu=2", "cpu"},       {"compute_units=0", "compute_units"},
    {"cpu=1x", "cpu=1x"},         {"device_fence=1", "device_fence"},
    {"compute_units=99999999999999999999999", "compute_units"}, {"=5", "''"},
    {"fp64=0,nonsense=1", "nonsense"},
    {"max_work_group_size=0", "max_work_group_size"}, {"kernel_work_group_size=1025", "kernel_work_group_size"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct clr_facts facts = some_facts(), before = facts;
    struct clr_status status = {0};
    ck_assert_msg(clr_facts_assume(&facts, cases[i].assume, &status) != CL_SUCCESS, "%s", cases[i].assume);
    ck_assert_msg(strstr(status.sentence, cases[i].culprit) != NULL, "%s: %s", cases[i].assume, status.sentence);
    ck_assert_msg(memcmp(&facts, &before, sizeof facts) == 0, "%s changed something", cases[i].assume);
  }
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("model");
  TCase *tests = tcase_create("rows and facts");
  tcase_add_test(tests, every_operator_has_a_host_form_where_it_is_defined);
  tcase_add_test(tests, integers_widen_to_64_bits_and_floats_stay);
  tcase_add_test(tests, host_extremes_wrap_and_order_as_written);
  tcase_add_test(tests, names_and_synonyms_are_found);
  tcase_add_test(tests, statuses_have_names);
  tcase_add_test(tests, assumed_facts_bind);
  tcase_add_test(tests, wrong_assumptions_are_refused_by_name);
  suite_add_tcase(suite, tests);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_NORMAL);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed != 0;
}
