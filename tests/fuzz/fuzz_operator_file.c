// An operator file: the tool reads it, and the library checks the operator as far as it can without a compiler.
#include <stdlib.h>

#include "base/fail.h"
#include "cli/verbs.h"
#include "fuzz.h"
#include "model/custom.h"
#include "operator/user_operator.h"

static void offer(struct user_operator *user) {
  struct clr_custom custom;
  struct clr_status status = {0};
  user_operator_resolve(user, "float");
  cl_int err = clr_custom_make(&user->made, &custom, &status);
  PROMISE(err == CL_SUCCESS || status.message[0] != '\0');
  clr_custom_release(&custom);
  if (err != CL_SUCCESS)
    PROMISE(FUZZ_EXIT(user_operator_failed(user, err, status.message)) != EXIT_DONE);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const struct verb reduce = {.name = "reduce", .bit = VERB_REDUCE};
  const struct args args = {.verb = &reduce, .operator_file = fuzz_file(data, size)};
  struct user_operator user;
  if (FUZZ_EXIT(user_operator_take(&user, &args)) == EXIT_DONE)
    offer(&user);
  user_operator_release(&user);
  return 0;
}
