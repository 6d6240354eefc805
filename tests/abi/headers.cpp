// The public headers compile as C++11 without warnings.
#include <clreduce.h>
#include <clreduce_device.h>
#include <clreduce_partial.h>
#include <clreduce_quantile.h>
#include <clreduce_scan_stream.h>
#include <clreduce_shares.h>
#include <clreduce_sort.h>

cl_int use_headers(clred_runtime *runtime, clred_plan **plan);

cl_int use_headers(clred_runtime *runtime, clred_plan **plan) {
  clred_problem problem = clred_problem();
  clred_fact fact;
  problem.type = CLRED_VECTOR(CLRED_TYPE_FLOAT, 4);
  problem.op = CLRED_OP_SUM;
  cl_int err = clred_runtime_fact(runtime, 0, &fact);
  return err ? err : clred_plan_create(runtime, &problem, plan);
}
