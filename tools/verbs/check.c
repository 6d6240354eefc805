// clreduce check: tests on the device whether an operator fulfils the laws that reductions need.
#include <stdio.h>
#include <string.h>

#include "base/fail.h"
#include "base/json.h"
#include "base/wrap.h"
#include "cli/verbs.h"
#include "device/session.h"
#include "input/input.h"
#include "operator/operation.h"

struct check {
  const struct args *args;
  struct operation operation;
  clred_type_info type;  // of the elements
  clred_problem problem;
  struct session session;
  clred_law laws[CLRED_LAWS];
};

static int test_laws(struct check *check) {
  cl_int status = session_check_laws(&check->session, &check->problem, check->args->seed.value, check->laws);
  return status ? operation_failed(&check->operation, check->session.runtime, status) : EXIT_DONE;
}

static bool is_broken(const clred_law *law) {
  return law->claimed && !law->holds;
}

static size_t count_broken(const struct check *check) {
  size_t count = 0;
  for (size_t i = 0; i < CLRED_LAWS; i++)
    count += is_broken(&check->laws[i]);
  return count;
}

static void describe(const clred_law *law, char *text, size_t size) {
  const unsigned long long trials = law->trials;
  const char *example = law->counterexample;
  if (!law->holds)
    snprintf(text, size, "%s: %s", law->claimed ? "FAILS" : "does not hold", example);
  else if (*example != '\0')
    snprintf(text, size, "holds in %llu trials, but not %s", trials, example);
  else if (law->error == 0)
    snprintf(text, size, "holds in %llu trials", trials);
  else
    snprintf(text, size, "holds up to rounding in %llu trials, largest error %.2g", trials, law->error);
}

// A counterexample may have several lines; a law has one.
static void print_law(const clred_law *law) {
  char text[sizeof law->counterexample + 80], line[sizeof text + 80];
  describe(law, text, sizeof text);
  for (char *end = text; (end = strchr(end, '\n')) != NULL;)
    *end = ' ';
  snprintf(line, sizeof line, "%s: %s%s\n", law->name, law->claimed ? "" : "not claimed; ", text);
  wrap_print_lines(line);
}

static int print_text(const struct check *check) {
  for (size_t i = 0; i < CLRED_LAWS; i++)
    print_law(&check->laws[i]);
  return EXIT_DONE;
}

static void add_law(cJSON *laws, const clred_law *law) {
  cJSON *object = json_add_item(laws);
  json_add_text(object, "name", law->name);
  json_add_truth(object, "claimed", law->claimed);
  json_add_truth(object, "holds", law->holds);
  json_add_measure(object, "error", law->error);
  json_add_count(object, "trials", law->trials);
  json_add_text(object, "counterexample", law->counterexample[0] == '\0' ? NULL : law->counterexample);
}

static int print_json(const struct check *check) {
  cJSON *object = cJSON_CreateObject();
  json_add_text(object, "op", check->operation.name);
  json_add_text(object, "type", check->operation.own ? check->operation.user.made.element : check->type.name);
  device_add_json(object, &check->session.device);
  json_add_count(object, "seed", check->args->seed.value);
  json_add_truth(object, "holds", count_broken(check) == 0);
  cJSON *laws = cJSON_AddArrayToObject(object, "laws");
  for (size_t i = 0; i < CLRED_LAWS; i++)
    add_law(laws, &check->laws[i]);
  return json_print(object);
}

static int say_what_is_broken(const struct check *check) {
  char names[128] = "";
  for (size_t i = 0; i < CLRED_LAWS; i++)
    if (is_broken(&check->laws[i]))
      list_append(names, sizeof names, " and ", check->laws[i].name);
  return fail(EXIT_WRONG, "%s is not a reduction: %s %s", check->operation.name, names,
              count_broken(check) == 1 ? "fails" : "fail");
}

static int answer(const struct check *check) {
  int code = check->args->json ? print_json(check) : print_text(check);
  if (!code && count_broken(check) > 0)
    code = say_what_is_broken(check);
  return code;
}

int cmd_check(const struct args *args) {
  struct check check = {.args = args};
  int code = input_type_named(args->type, &check.type);
  code = code ? code : operation_take(&check.operation, args, args_op(args));
  code = code ? code : problem_take(args, &check.operation, &check.type, &check.problem);
  code = code ? code : session_open_picked(&check.session, args, false);
  code = code ? code : test_laws(&check);
  code = code ? code : answer(&check);
  session_close(&check.session);
  operation_release(&check.operation);
  return code;
}
