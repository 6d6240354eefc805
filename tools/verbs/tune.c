// clreduce tune: measures the free numbers of plans for operators and types, and keeps them in a file.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "cli/verbs.h"
#include "device/session_asked.h"
#include "input/input.h"
#include "operator/problem.h"
#include "verbs/tune.h"

enum { WORD_SIZE = 128, USUAL_SECONDS = 20 };

// ---- What is asked

static size_t count_words(const char *list) {
  size_t count = 1;
  for (; list != NULL && *list != '\0'; list++)
    count += *list == ',';
  return count;
}

// Word `index` of a list with commas; NULL where there is no list.
static const char *word_of(const char *list, size_t index, char word[WORD_SIZE]) {
  if (list == NULL)
    return NULL;
  for (; index > 0; index--)
    list += strcspn(list, ",") + 1;
  snprintf(word, WORD_SIZE, "%.*s", (int)strcspn(list, ","), list);
  return word;
}

static int take_type(const char *name, clred_type_info *type) {
  const struct request request = {.type = name};
  struct input input = {.request = request};
  int code = input_take_type(&input, CLRED_TYPE_FLOAT);
  *type = input.type;
  return code;
}

static int take_item(const struct args *args, const char *op, const char *type, struct tune_item *item) {
  int code = take_type(type, &item->type);
  if (code == EXIT_DONE)
    code = operation_take(&item->operation, args, op);
  if (code == EXIT_DONE)
    code = problem_take(args, &item->operation, &item->type, &item->problem);
  item->problem.profile = CL_FALSE;
  item->problem.count_max = args->n.value;
  return code;
}

static int take_items(struct tune *tune) {
  const struct args *args = tune->args;
  const char *op = args_op(args);
  char op_word[WORD_SIZE], type_word[WORD_SIZE];
  int code = EXIT_DONE;
  if (op == NULL && !args_bring_operator(args))
    op = "add";
  size_t ops = count_words(op), types = count_words(args->type);
  tune->items = calloc(ops * types, sizeof *tune->items);
  if (tune->items == NULL)
    return fail_memory();
  if (args->n.given && args->n.value == 0)
    return fail(EXIT_BAD_USE, "tune: -n 0: calls of no elements have nothing to measure");
  for (size_t i = 0; i < ops * types && code == EXIT_DONE; i++)
    code = take_item(args, word_of(op, i / types, op_word), word_of(args->type, i % types, type_word),
                     &tune->items[tune->count++]);
  return code;
}

// ---- Measuring

static cl_bool tell(double done, void *user_data) {
  struct tune *tune = user_data;
  const struct tune_item *item = &tune->items[tune->at];
  char work[WORD_SIZE];
  snprintf(work, sizeof work, "tuning %s", item->operation.name);
  progress_tell(&tune->progress, work, (uint64_t)(1000 * ((double)tune->at + done)), 1000 * (uint64_t)tune->count);
  return CL_FALSE;
}

static int failed(const struct tune *tune, const struct tune_item *item, cl_int status) {
  const char *sentence = clred_last_error(tune->session.runtime);
  progress_end((struct progress *)&tune->progress);
  return item->operation.own ? user_operator_failed(&item->operation.user, status, sentence)
                             : fail_library(status, sentence);
}

// Mistakes of any item are found before the first is measured.
static int try_plans(const struct tune *tune) {
  cl_int status = CL_SUCCESS;
  size_t i = 0;
  for (; i < tune->count && status == CL_SUCCESS; i++) {
    clred_plan *plan = NULL;
    status = session_plan(&tune->session, &tune->items[i].problem, &plan);
    clred_plan_release(plan);
  }
  return status == CL_SUCCESS ? EXIT_DONE : failed(tune, &tune->items[i - 1], status);
}

static int save(const struct tune *tune) {
  if (*tune->path == '\0')
    return EXIT_DONE;
  cl_int status = clred_tuning_save(tune->session.runtime, tune->path);
  return status == CL_SUCCESS ? EXIT_DONE : fail_library(status, clred_last_error(tune->session.runtime));
}

// Kept after each item: who has no patience for all loses only the last.
static int measure(struct tune *tune) {
  const clred_tune_options options = {.seconds =
                                        tune->args->seconds.given ? (double)tune->args->seconds.value : USUAL_SECONDS,
                                      .progress = tell,
                                      .user_data = tune};
  int code = EXIT_DONE;
  for (tune->at = 0; tune->at < tune->count && code == EXIT_DONE; tune->at++) {
    struct tune_item *item = &tune->items[tune->at];
    cl_int status = clred_tune(tune->session.runtime, &item->problem, &options, item->found, &item->found_count);
    code = status == CL_SUCCESS ? save(tune) : failed(tune, item, status);
  }
  progress_end(&tune->progress);
  return code;
}

// A file that cannot be written is found before minutes are spent.
static int run(struct tune *tune) {
  const struct args *args = tune->args;
  int code = tuning_path(args->tuning, tune->path);
  if (code == EXIT_DONE)
    code = session_open_tuned(&tune->session, args);
  if (code == EXIT_DONE)
    code = try_plans(tune);
  tuning_make_folder(args->tuning, tune->path);
  if (code == EXIT_DONE)
    code = save(tune);
  return code == EXIT_DONE ? measure(tune) : code;
}

int cmd_tune(const struct args *args) {
  struct tune tune = {.args = args};
  progress_begin(&tune.progress, args->quiet);
  int code = take_items(&tune);
  if (code == EXIT_DONE)
    code = run(&tune);
  if (code == EXIT_DONE)
    code = args->json ? tune_print_json(&tune) : tune_print_text(&tune);
  session_close(&tune.session);
  for (size_t i = 0; i < tune.count; i++)
    operation_release(&tune.items[i].operation);
  free(tune.items);
  return code;
}
