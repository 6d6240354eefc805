// Tries the laws of the user's operator with the values of its parameters, and refuses it if one fails.
#include "run/laws.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"

// ---- The operator of the trials

// Writes the bits of a number, because OpenCL C has no decimal text for infinities and NaNs.
static void write_component(FILE *text, const clred_type_info *component, const void *from) {
  static const char *const words[] = {[1] = "uchar", [2] = "ushort", [4] = "uint", [8] = "ulong"};
  unsigned long long bits = 0;
  for (size_t i = component->size; i > 0; i--)
    bits = bits << 8 | ((const unsigned char *)from)[i - 1];
  fprintf(text, "as_%s((%s)0x%llx%s)", component->name, words[component->size], bits, component->size == 8 ? "ul" : "");
}

// "float scale = as_float((uint)0x3f800000);"
static void write_parameter(FILE *text, const clred_operand *parameter, const union value *value) {
  clred_type_info type, component;
  if (!type_of_opencl(parameter->type, &type) || clred_type_inspect(type.component, &component) != CL_SUCCESS)
    return;
  fprintf(text, "%s %s = (%s)(", parameter->type, parameter->name, parameter->type);
  for (cl_uint i = 0; i < type.components; i++) {
    fputs(i == 0 ? "" : ", ", text);
    write_component(text, &component, value_component(&type, value->bytes, i));
  }
  fputs("); ", text);
}

// Comments may precede a body.
static bool is_body(const char *text) {
  for (;;) {
    text += strspn(text, " \t\r\n");
    const char *end = strncmp(text, "//", 2) == 0   ? strchr(text, '\n')
                      : strncmp(text, "/*", 2) == 0 ? strstr(text + 2, "*/")
                                                    : NULL;
    if (end == NULL)
      return *text == '{';
    text = end + (*end == '*' ? 2 : 1);
  }
}

// The body of a lift that has the parameters as variables with the user's values. If they stayed parameters,
// clred_check_laws would choose values.
static char *lift_with_values(const struct user_operator *user) {
  const char *lift = user->made.lift == NULL ? "x" : user->made.lift;
  char *written = NULL;
  size_t length;
  FILE *text = open_memstream(&written, &length);
  if (text == NULL)
    return NULL;
  fputs("{ ", text);
  for (size_t i = 0; i < user->made.parameter_count; i++)
    write_parameter(text, &user->parameters[i], &user->values[i]);
  fprintf(text, is_body(lift) ? "%s\n}" : "return (%s\n); }", lift);
  bool failed = ferror(text) != 0;
  if (fclose(text) == 0 && !failed)
    return written;
  free(written);
  return NULL;
}

// ---- Trying

static cl_int try_operator(const struct session *session, const clred_operator *made, clred_law laws[CLRED_LAWS]) {
  const clred_problem problem = {.custom = made};
  return session_check_laws(session, &problem, 0, laws);
}

static cl_int try_with_values(const struct session *session, const struct user_operator *user,
                              clred_law laws[CLRED_LAWS]) {
  clred_operator made = user->made;
  char *lift = lift_with_values(user);
  made.lift = lift;
  made.parameter_count = 0;
  made.elementwise = CL_FALSE;  // the variables are not vectors
  cl_int status = lift == NULL ? CL_OUT_OF_HOST_MEMORY : try_operator(session, &made, laws);
  free(lift);
  return status;
}

// The text of the trials is not the user's. So the function makes a plan of the user's text, and reports the error with
// its position there.
static int text_failed(const struct session *session, const struct user_operator *user, cl_int status) {
  const clred_problem problem = {.custom = &user->made};
  clred_plan *plan = NULL;
  char message[SESSION_ERROR_SIZE];
  snprintf(message, sizeof message, "%s", clred_last_error(session->runtime));
  cl_int of_plan = session_plan(session, &problem, &plan);
  clred_plan_release(plan);
  if (of_plan != CL_SUCCESS)
    return user_operator_failed(user, of_plan, clred_last_error(session->runtime));
  return fail(fail_code(status), "%s: its laws could not be tried: %s; give --unchecked to use it all the same",
              user->file == NULL ? "--combine" : user->file, message);
}

static int trial_failed(const struct session *session, const struct user_operator *user, cl_int status) {
  if (status == CLRED_OPERATOR_TEXT || status == CL_BUILD_PROGRAM_FAILURE)
    return text_failed(session, user, status);
  return session_check(session, status);
}

// ---- Refusing

// For each law: the key of the operator that breaks it, and what is wrong.
static const struct breach {
  const char *key, *wrong;
} breaches[CLRED_LAWS] = {
  {"identity", "no identity"}, {"combine", "not associative"}, {"commutative", "does not commute"}};

static int refuse(const struct user_operator *user, unsigned broken, const char *counterexample) {
  const struct breach *breach = &breaches[broken];
  char culprit[1024];
  user_operator_culprit(user, breach->key, culprit, sizeof culprit);
  return fail(EXIT_BAD_USE, "%s: %s: %s; correct it, or give --unchecked if it holds for your data", culprit,
              breach->wrong, counterexample);
}

int laws_require(const struct session *session, const struct args *args, const struct operation *operation) {
  // If several laws fail, the message names the first in this order.
  static const unsigned order[CLRED_LAWS] = {1, 0, 2};
  const struct user_operator *user = &operation->user;
  clred_law laws[CLRED_LAWS];
  if (!operation->own || operation->selects || args->unchecked)
    return EXIT_DONE;
  cl_int status =
    user->made.parameter_count > 0 ? try_with_values(session, user, laws) : try_operator(session, &user->made, laws);
  if (status != CL_SUCCESS)
    return trial_failed(session, user, status);
  for (size_t i = 0; i < CLRED_LAWS; i++)
    if (laws[order[i]].claimed && !laws[order[i]].holds)
      return refuse(user, order[i], laws[order[i]].counterexample);
  return EXIT_DONE;
}
