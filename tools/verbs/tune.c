// clreduce tune: measures the parameters of plans that may vary, for operators and types, and saves them in a file.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/json.h"
#include "base/progress.h"
#include "base/wrap.h"
#include "cli/verbs.h"
#include "device/session.h"
#include "input/input.h"
#include "operator/operation.h"
#include "run/laws.h"
#include "verbs/textbook.h"

struct tune_item {
  struct operation operation;
  clred_type_info type;
  clred_problem problem;
  clred_tuned found[CLRED_TUNED_MAX];
  size_t found_count;
};

struct tune {
  const struct args *args;
  struct tune_item *items;
  size_t count;
  struct session session;
  struct progress progress;
  size_t at;                  // the current item
  char path[KEPT_PATH_SIZE];  // "" if nothing is kept
};

enum { WORD_SIZE = 128, USUAL_SECONDS = 20 };

static size_t count_words(const char *list) {
  const char *word;
  size_t count = 0, length;
  while (list_next(&list, ",", &word, &length))
    count++;
  return count > 0 ? count : 1;
}

// Copies word number `index` of a list with commas. NULL if there is no list.
static const char *word_of(const char *list, size_t index, char word[WORD_SIZE]) {
  const char *found = NULL;
  size_t length = 0;
  for (size_t i = 0; i <= index && list_next(&list, ",", &found, &length); i++)
    ;
  if (found == NULL)
    return NULL;
  snprintf(word, WORD_SIZE, "%.*s", (int)length, found);
  return word;
}

static int take_item(const struct args *args, const char *op, const char *type, struct tune_item *item) {
  int code = input_type_named(type, &item->type);
  code = code ? code : operation_take(&item->operation, args, op);
  code = code ? code : problem_take(args, &item->operation, &item->type, &item->problem);
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
    op = "sum";
  size_t ops = count_words(op), types = count_words(args->type);
  tune->items = calloc(ops * types, sizeof *tune->items);
  if (tune->items == NULL)
    return fail_memory();
  for (size_t i = 0; i < ops * types && !code; i++)
    code = take_item(args, word_of(op, i / types, op_word), word_of(args->type, i % types, type_word),
                     &tune->items[tune->count++]);
  return code;
}

static cl_bool show_progress(double done, void *user_data) {
  struct tune *tune = user_data;
  const struct tune_item *item = &tune->items[tune->at];
  char work[WORD_SIZE];
  snprintf(work, sizeof work, "tuning %s", item->operation.name);
  progress_show(&tune->progress, work, (uint64_t)(1000 * ((double)tune->at + done)), 1000 * (uint64_t)tune->count);
  return CL_FALSE;
}

static int failed(const struct tune *tune, const struct tune_item *item, cl_int status) {
  progress_end((struct progress *)&tune->progress);
  return operation_failed(&item->operation, tune->session.runtime, status);
}

// Finds errors in all items before the first is measured.
static int try_plans(const struct tune *tune) {
  cl_int status = CL_SUCCESS;
  size_t i = 0;
  for (; i < tune->count && status == CL_SUCCESS; i++) {
    clred_plan *plan = NULL;
    status = session_plan(&tune->session, &tune->items[i].problem, &plan);
    clred_plan_release(plan);
  }
  int code = status ? failed(tune, &tune->items[i - 1], status) : EXIT_DONE;
  for (i = 0; i < tune->count && !code; i++)
    code = laws_require(&tune->session, tune->args, &tune->items[i].operation);
  return code;
}

static int save(const struct tune *tune) {
  if (*tune->path == '\0')
    return EXIT_DONE;
  return session_check(&tune->session, clred_tuning_save(tune->session.runtime, tune->path));
}

// Saves after each item, so that an interrupt loses only the current one.
static int measure(struct tune *tune) {
  const struct args *args = tune->args;
  const clred_tune_options options = {.seconds =
                                        args->seconds.given ? (double)args->seconds.value : (double)USUAL_SECONDS,
                                      .progress = show_progress,
                                      .user_data = tune};
  int code = EXIT_DONE;
  for (tune->at = 0; tune->at < tune->count && !code; tune->at++) {
    struct tune_item *item = &tune->items[tune->at];
    cl_int status = clred_tune(tune->session.runtime, &item->problem, &options, item->found, &item->found_count);
    code = status == CL_SUCCESS ? save(tune) : failed(tune, item, status);
  }
  progress_end(&tune->progress);
  return code;
}

// Writes the file once before measuring, so that errors show early.
static int run(struct tune *tune) {
  const struct args *args = tune->args;
  int code = kept_path(KEPT_TUNING, args->tuning, tune->path);
  code = code ? code : session_open_picked(&tune->session, args, true);
  code = code ? code : try_plans(tune);
  kept_make_directory(KEPT_TUNING, args->tuning, tune->path);
  code = code ? code : save(tune);
  return code ? code : measure(tune);
}

static const char *element_name(const struct tune_item *item) {
  return item->operation.own ? item->operation.user.made.element : item->type.name;
}

static void print_row(const struct tune_item *item, const clred_tuned *found) {
  const bool timed = found->before > 0;
  char before[CELL_SIZE], after[CELL_SIZE], ratio[CELL_SIZE], numbers[sizeof found->numbers], elements[32] = "all";
  write_time(timed ? found->before : NAN, before);
  write_time(timed ? found->after : NAN, after);
  write_measure("%.2f", timed ? found->before / found->after : NAN, ratio);
  if (found->count > 0)
    snprintf(elements, sizeof elements, "%llu", (unsigned long long)found->count);
  snprintf(numbers, sizeof numbers, "%s", found->numbers);
  for (char *comma = strchr(numbers, ','); comma != NULL; comma = strchr(comma, ','))
    *comma = ' ';
  int at = printf("%-13s %-8s %-8s %-6s %10s %9s %9s %5s", item->operation.name, element_name(item), found->strategy,
                  found->length, elements, before, after, ratio);
  at = table_is_narrow() ? printf("\n    ") - 1 : at + printf("  ");
  wrap_print(*numbers == '\0' ? "as the facts say" : numbers, (size_t)at, (size_t)at, table_width());
}

// The row for calls of any length has no times. If it has no numbers either, it is not printed.
static bool says_something(const clred_tuned *found) {
  return found->before > 0 || *found->numbers != '\0';
}

static int print_text(const struct tune *tune) {
  char line[1024];
  snprintf(line, sizeof line, "on %s (%s, %s)", tune->session.device.name, tune->session.device.platform,
           tune->session.device.driver);
  wrap_print(line, 0, 2, table_width());
  printf("%-13s %-8s %-8s %-6s %10s %9s %9s %5s%snumbers\n", "operator", "type", "strategy", "calls", "elements",
         "before", "after", "ratio", table_is_narrow() ? "\n    " : "  ");
  for (size_t i = 0; i < tune->count; i++)
    for (size_t j = 0; j < tune->items[i].found_count; j++)
      if (says_something(&tune->items[i].found[j]))
        print_row(&tune->items[i], &tune->items[i].found[j]);
  if (*tune->path != '\0')
    printf("kept in %s\n", tune->path);
  return EXIT_DONE;
}

// Converts "vector=8,groups=64" to an object.
static void add_numbers(cJSON *row, const char *numbers) {
  cJSON *object = cJSON_AddObjectToObject(row, "numbers");
  const char *item;
  size_t all;
  while (list_next(&numbers, ",", &item, &all) && all > 0) {
    char name[64];
    size_t length = strcspn(item, "=");
    snprintf(name, sizeof name, "%.*s", (int)length, item);
    json_add_count(object, name, strtoull(item + length + 1, NULL, 10));
  }
}

static void add_row(cJSON *rows, const struct tune_item *item, const clred_tuned *found) {
  cJSON *row = json_add_item(rows);
  json_add_text(row, "op", item->operation.name);
  json_add_text(row, "type", element_name(item));
  json_add_text(row, "strategy", found->strategy);
  json_add_text(row, "calls", found->length);
  json_add_count(row, "count", found->count);
  json_add_count(row, "tried", found->tried);
  if (found->before > 0) {
    json_add_measure(row, "before_seconds", found->before);
    json_add_measure(row, "after_seconds", found->after);
    json_add_measure(row, "ratio", found->before / found->after);
  }
  add_numbers(row, found->numbers);
}

static int print_json(const struct tune *tune) {
  cJSON *object = cJSON_CreateObject();
  device_add_json(object, &tune->session.device);
  json_add_text(object, "assumed", tune->args->assume);
  json_add_text(object, "file", *tune->path == '\0' ? NULL : tune->path);
  cJSON *rows = cJSON_AddArrayToObject(object, "rows");
  for (size_t i = 0; i < tune->count; i++)
    for (size_t j = 0; j < tune->items[i].found_count; j++)
      add_row(rows, &tune->items[i], &tune->items[i].found[j]);
  return json_print(object);
}

int cmd_tune(const struct args *args) {
  struct tune tune = {.args = args};
  if (args->textbook)
    return tune_textbook(args);
  progress_begin(&tune.progress, args->quiet);
  int code = take_items(&tune);
  code = code ? code : run(&tune);
  if (!code)
    code = args->json ? print_json(&tune) : print_text(&tune);
  session_close(&tune.session);
  for (size_t i = 0; i < tune.count; i++)
    operation_release(&tune.items[i].operation);
  free(tune.items);
  return code;
}
