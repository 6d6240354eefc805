// clreduce reduce with the operators median, quantile, top and bottom, alone or in a list with operators of plans.
// Loads the elements, searches each row, and leaves one outcome, which run/answer.c prints and writes.
#include "verbs/quantile.h"

#include <clreduce_quantile.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/json.h"
#include "base/number.h"
#include "base/wrap.h"
#include "input/row_files.h"
#include "operator/operation.h"
#include "run/job.h"
#include "verify/ranks.h"
#include "verify/verify.h"

enum { LIST_MAX = 64, NAME_SIZE = 64 };

// Each row has its own search for quantiles. For small rows, a search takes longer than reading the elements.
enum { ROWS_MAX = 1 << 16 };

// What the command line asks for.
struct request_of_ranks {
  const char *op;  // the text of the command line; for a list, its first quantile
  bool is_list;
  size_t word_count;  // the operators of a list; without a list, the quantiles
  struct word {
    // In a list: median or quantile:0.99, also for the second number of a quantile. Without a list: the number.
    char name[NAME_SIZE];
    bool ranked;  // is a quantile
  } words[CLRED_QUANTILES_MAX];
  char *plain;  // the list without its quantiles; a plan computes these operators
  double at[CLRED_QUANTILES_MAX];
  clred_quantile_problem problem;  // without its type and count_max; `at` points into this struct
};

struct quantiles {
  struct job job;
  struct request_of_ranks asked;
  clred_quantile *quantile;
  struct mapping mapping;  // if the input is mapped
  clred_quantile_info info;
  struct outcome found;  // the values of all quantiles, row by row
  cl_ulong *places;      // the index of each chosen element in its row
};

// True for top and bottom.
static bool chooses(const struct quantiles *at) {
  return at->asked.problem.at == NULL;
}

// True for a list that also has other operators. A plan computes these.
static bool is_mixed(const struct quantiles *at) {
  return at->asked.is_list && *at->asked.plain != '\0';
}

// ---------------------------------------------------------------- The operators

// A number after a comma is a further quantile, even if it is not from 0 to 1: then the message can say so.
static bool is_number(const char *word) {
  double value;
  return number_parse_part(CLRED_TYPE_DOUBLE, word, strlen(word), &value);
}

static bool is_quantile(const char *word) {
  return strncmp(word, "quantile:", strlen("quantile:")) == 0;
}

bool quantile_is_named(const char *op) {
  return op != NULL && list_has(QUANTILE_NAMES, ",", op, strcspn(op, ":"));
}

static bool is_operator(const char *word) {
  return quantile_is_named(word) || clred_op_from_name(word) != CLRED_OP_NONE;
}

// Calls `is` for each word up to its colon.
static bool has_word(const char *op, bool (*is)(const char *word)) {
  char word[NAME_SIZE];
  for (const char *from = op; from != NULL; from = strchr(from, ',')) {
    from += *from == ',';
    snprintf(word, sizeof word, "%.*s", (int)strcspn(from, ",:"), from);
    if (is(word))
      return true;
  }
  return false;
}

bool quantile_is_list(const char *op) {
  const char *comma = op == NULL ? NULL : strchr(op, ',');
  if (comma == NULL)
    return false;
  return is_quantile(op) ? has_word(comma + 1, is_operator) : has_word(op, quantile_is_named);
}

// ---- Words

static int take_number(struct request_of_ranks *at, const char *text) {
  double *value = &at->at[at->problem.at_count];
  if (at->problem.at_count++ == CLRED_QUANTILES_MAX)
    return fail(EXIT_BAD_USE, "%s: has more than %d quantiles; give fewer", at->op, CLRED_QUANTILES_MAX);
  at->problem.at = at->at;
  if (number_parse_part(CLRED_TYPE_DOUBLE, text, strlen(text), value) && *value >= 0 && *value <= 1)
    return EXIT_DONE;
  return fail(EXIT_BAD_USE, "%s: '%s' is no quantile; give numbers from 0 to 1, as in quantile:0.99", at->op, text);
}

static int check_word(const struct request_of_ranks *at, const char *word) {
  if (quantile_is_named(word) && (*word == 't' || *word == 'b'))
    return fail(EXIT_BAD_USE, "'%s': %s gives places and elements, the others numbers; reduce it in a run of its own",
                at->op, word);
  if (strncmp(word, "median:", 7) == 0)
    return fail(EXIT_BAD_USE, "%s: median takes no number; give median, or quantile:Q", word);
  if (*word == '\0')
    return fail(EXIT_BAD_USE, "'%s': an operator is missing; put one comma between two operators, as in sum,median",
                at->op);
  if (strcmp(word, "quantile") == 0 || strcmp(word, "quantile:") == 0)
    return fail(EXIT_BAD_USE, "%s: the quantile is missing; give numbers from 0 to 1, as in quantile:0.99", word);
  for (size_t i = 0; at->is_list && i < at->word_count; i++)
    if (strcmp(at->words[i].name, word) == 0)
      return fail(EXIT_BAD_USE, "'%s': %s is given twice; give each operator once", at->op, word);
  if (at->is_list && at->word_count == LIST_MAX)
    return fail(EXIT_BAD_USE, "'%s': more than %d operators; give the rest in another run", at->op, LIST_MAX);
  return EXIT_DONE;
}

// `continues`: the word is a further number of the quantile before it.
static int take_word(struct request_of_ranks *at, const char *word, bool continues) {
  char name[NAME_SIZE];
  const size_t length = (size_t)snprintf(name, sizeof name, "%s%s", continues ? "quantile:" : "", word);
  if (at->is_list && length >= sizeof name)
    return fail(EXIT_BAD_USE, "'%s': '%s' is no operator; it is too long", at->op, word);
  int code = continues && !at->is_list ? EXIT_DONE : check_word(at, name);
  if (code)
    return code;
  const bool ranked = quantile_is_named(name);
  if (ranked)
    code = take_number(at, continues ? word : is_quantile(word) ? word + strlen("quantile:") : "0.5");
  else
    list_append(at->plain, strlen(at->op) + 1, ",", name);
  if (code)
    return code;
  struct word *next = &at->words[at->word_count++];
  next->ranked = ranked;
  if (at->is_list)
    strcpy(next->name, name);
  else
    number_double_text(at->at[at->word_count - 1], next->name);
  return EXIT_DONE;
}

// Reads a list, or a median or quantiles.
static int take_words(struct request_of_ranks *at) {
  char *copy = strdup(at->op);
  bool in_quantile = false;
  int code = copy == NULL ? fail_memory() : EXIT_DONE;
  for (char *word = copy, *next = word; next != NULL && !code; word = next) {
    if ((next = strchr(word, ',')) != NULL)
      *next++ = '\0';
    const bool continues = in_quantile && (!at->is_list || is_number(word));
    code = take_word(at, word, continues);
    in_quantile = continues || is_quantile(word);
  }
  free(copy);
  for (size_t i = at->word_count; at->is_list && i > 0 && !code; i--)
    if (at->words[i - 1].ranked)
      at->op = at->words[i - 1].name;
  return code;
}

static int take_op(struct request_of_ranks *at) {
  const size_t length = strcspn(at->op, ":");
  const char *value = at->op + length + (at->op[length] == ':');
  uint64_t chosen;
  at->is_list = quantile_is_list(at->op);
  at->plain = calloc(strlen(at->op) + 1, 1);
  if (at->plain == NULL)
    return fail_memory();
  if (at->is_list || *at->op == 'm' || *at->op == 'q')
    return take_words(at);
  if (!count_parse(value, strlen(value), &chosen) || chosen == 0)
    return fail(EXIT_BAD_USE, "%s: '%s' is no number of elements; give 1 or more, as in %.*s:5", at->op, value,
                (int)length, at->op);
  *(*at->op == 't' ? &at->problem.top : &at->problem.bottom) = chosen;
  return EXIT_DONE;
}

// ---- Options

static int take_rules(struct request_of_ranks *at, const struct args *args) {
  size_t nan = CLRED_NAN_PROPAGATE, rule = CLRED_INTERPOLATION_LINEAR;  // their words are in the order of these values
  int code = args_take_word("nan", "nan", args->nan, &nan);
  at->problem.nan = (clred_nan)nan;
  if (!code && args->interpolation != NULL && at->problem.at == NULL)
    return fail(EXIT_BAD_USE, "--interpolation: %s takes whole elements; leave it out", at->op);
  code = code ? code : args_take_word("interpolation", "rule", args->interpolation, &rule);
  at->problem.interpolation = (clred_interpolation)rule;
  return code;
}

// Reads the operator and its options. The request must not move.
static int take_request(struct request_of_ranks *at, const struct args *args) {
  at->op = args_op(args);
  int code = take_op(at);
  code = code ? code : take_rules(at, args);
  return code ? code
              : args_exclude(args, at->op,
                             "segments,by-key,heads,stride,with,chunk,overflow,result-type,state,strategy,"
                             "finish,order,stage,group-size,groups,elements,stop-at,operator,combine");
}

// ---------------------------------------------------------------- Rows

static bool has_rows(const struct quantiles *at) {
  return at->job.args->group != NULL || at->job.args->axes.count > 0;
}

// The elements of one row: of a group of --group, or along --axis. Without both there is one, of all elements.
struct range {
  uint64_t first, count;
};

static uint64_t row_count(const struct quantiles *at) {
  return at->job.args->group != NULL ? segments_number(&at->job.runs) : at->job.layout.results;
}

static struct range range_of(const struct quantiles *at, uint64_t row) {
  const struct input *runs = &at->job.runs;
  const uint64_t count = at->job.layout.call.count;
  if (at->job.args->group == NULL)
    return (struct range){row * count, count};
  uint64_t first = segments_offset(runs, row);
  return (struct range){first, segments_offset(runs, row + 1) - first};
}

// ---- Refusals

static int check_rows(const struct quantiles *at) {
  const struct args *args = at->job.args;
  const unsigned long long rows = row_count(at);
  if (rows > ROWS_MAX && args->group == NULL)
    return fail(EXIT_BAD_USE, "--axis %s: %llu rows; %s takes at most %d rows, so give a part of the array at a time",
                args->axes.text, rows, at->asked.op, ROWS_MAX);
  if (rows > ROWS_MAX)
    return fail(EXIT_BAD_USE,
                "--group %s: %llu groups; %s takes at most %d groups, so sort by key and give a part of the rows at a "
                "time",
                args->group, rows, at->asked.op, ROWS_MAX);
  // The library checks each row; this is for numbers that no memory holds.
  if (rows > 0 && at->asked.problem.top + at->asked.problem.bottom > at->job.input.count)
    return fail(EXIT_BAD_USE, "%s: %s has only %llu elements; ask for no more", at->asked.op,
                input_name(&at->job.input), (unsigned long long)at->job.input.count);
  if (chooses(at) && at->job.layout.dimensions == NPY_DIMENSIONS_MAX)
    return fail(EXIT_BAD_USE, "--keepdims: %s adds a dimension, and an array has at most %d; leave --keepdims out",
                at->asked.op, NPY_DIMENSIONS_MAX);
  return EXIT_DONE;
}

// Says why the library refused a row. Returns an exit code.
static int refuse_row(const struct quantiles *at, uint64_t row) {
  const char *message = clred_last_error(at->job.session.runtime), *name = input_name(&at->job.input);
  if (!has_rows(at))
    return fail(EXIT_BAD_USE, "%s: %s", name, message);
  if (at->job.args->group == NULL)
    return fail(EXIT_BAD_USE, "%s: row %llu: %s", name, (unsigned long long)row, message);
  char *key = results_keys_text(at->job.group_keys, row);
  fail(EXIT_BAD_USE, "%s: the group %s: %s", name, key != NULL ? key : "", message);
  free(key);
  return EXIT_BAD_USE;
}

// ---------------------------------------------------------------- Elements

static int check_type(const struct quantiles *at) {
  const clred_type_info *type = &at->job.input.type;
  if (type->components == 1)
    return EXIT_DONE;
  return fail(EXIT_BAD_USE, "%s is not defined for %s, which has several components and no order", at->asked.op,
              type->name);
}

static int open_input(void *about) {
  struct quantiles *at = about;
  mapping_close(&at->mapping);
  int code = job_open_inputs(&at->job);
  return code ? code : check_type(at);
}

// Elements are read several times. So a pipe must fit into memory; at most one buffer of elements is allowed.
static int hold_pipe(struct quantiles *at, cl_ulong most) {
  struct input *input = &at->job.input;
  int code = input->counted ? EXIT_DONE : input_hold(input, most, &at->job.progress);
  progress_end(&at->job.progress);
  if (code || input->counted)
    return code;
  return fail(EXIT_BAD_USE,
              "%s: %s reads the elements several times, and %llu bytes of them can be held here; write them to a .npy "
              "file first",
              input_name(input), at->asked.op, (unsigned long long)most);
}

// A plan needs a buffer, and its verification needs host memory. So with a plan a file is mapped only if it fits no
// buffer.
static bool may_map(const struct quantiles *at, bool fits) {
  if (is_mixed(at))
    return !fits && !at->job.args->verify;
  return session_fact(&at->job.session, "unified_memory", 0) || !fits;
}

// A file is mapped if the device shares the host's memory, or if no buffer holds it. Otherwise the elements go into a
// buffer, which rows of groups need in any case.
static int load(struct quantiles *at) {
  struct job *job = &at->job;
  struct input *input = &job->input;
  const cl_ulong most = session_fact(&job->session, "max_alloc", CL_ULONG_MAX);
  if (job->args->group != NULL) {
    job->wants_places = job->wants_places || chooses(at);
    return job_load(job);
  }
  int code = hold_pipe(at, most);
  code = code ? code : job_finalize(job);
  if (code)
    return code;
  const bool fits = input_bytes(input) <= most;
  if (input_is_in_file(input) && input->count > 0 && job->layout.axes == 0 && may_map(at, fits) &&
      mapping_open(&at->mapping, &input->stream, 0, input_bytes(input)))
    return mapping_check(&input->stream, input_bytes(input));
  if (fits || (is_mixed(at) && has_rows(at)))  // a plan of rows needs a buffer
    return job_load(job);
  code = input_load(input, &job->progress);
  progress_end(&job->progress);
  if (!code && job->layout.axes > 0)
    code = input_reorder(input, job->layout.merged, job->layout.axes, job->layout.order);
  return code;
}

static const void *elements_of(const struct quantiles *at) {
  return at->mapping.pages != NULL ? at->mapping.data : at->job.input.data;
}

// ---------------------------------------------------------------- Runs

static void release(struct quantiles *at) {
  clred_quantile_release(at->quantile);
  free(at->places);
  at->quantile = NULL;
  at->places = NULL;
}

// With --each, the object that was made for the previous file is used again if it fits.
static int create(struct quantiles *at) {
  const clred_quantile_problem *made = &at->asked.problem;
  const uint64_t rows = row_count(at);
  uint64_t most = 0;
  for (uint64_t i = 0; i < rows; i++)
    most = range_of(at, i).count > most ? range_of(at, i).count : most;
  if (!has_rows(at) && at->quantile != NULL && made->type == at->job.input.type.type &&
      made->count_max >= at->job.input.count)
    return EXIT_DONE;
  release(at);
  at->asked.problem.type = at->job.input.type.type;
  at->asked.problem.count_max = most > 0 ? most : 1;  // 0 has no bound, and takes the most memory
  struct making making;
  session_make_begin(&at->job.session, &making);
  cl_int status = clred_quantile_create(at->job.session.runtime, &at->asked.problem, &at->quantile);
  if (status == CL_SUCCESS)
    status = clred_quantile_warm(at->job.session.queue, at->quantile);
  session_make_end(&at->job.session, &making);
  int code = session_check(&at->job.session, status);
  if (code)
    return code;
  clred_quantile_inspect(at->quantile, &at->info);
  at->places = calloc(rows * at->info.results + 1, sizeof *at->places);
  return at->places == NULL ? fail_memory() : EXIT_DONE;
}

static cl_int run_row(struct quantiles *at, uint64_t row, char *values) {
  const struct job *job = &at->job;
  const struct range range = range_of(at, row);
  cl_ulong *places = chooses(at) ? at->places + row * at->info.results : NULL;
  if (job->buffer == NULL)
    return clred_quantile_run_host(job->session.queue, at->quantile,
                                   (const char *)elements_of(at) + range.first * job->input.type.size, range.count,
                                   values, places);
  return clred_quantile_run(job->session.queue, at->quantile, job->buffer, range.first, range.count, values, places, 0,
                            NULL);
}

// Afterwards `info` has the sums over all rows.
static int run_rows(void *about, struct results *values, double *kernel, double *wall) {
  struct quantiles *at = about;
  clred_quantile_info sum = {.readings = 0};
  cl_int status = CL_SUCCESS;
  double begun = seconds_now();
  uint64_t i = 0;
  for (; i < row_count(at) && status == CL_SUCCESS; i++) {
    status = run_row(at, i, results_at(values, i * at->info.results));
    clred_quantile_inspect(at->quantile, &at->info);
    sum.readings += at->info.readings;
    sum.launches += at->info.launches;
    sum.nans += at->info.nans;
    sum.seconds += at->info.seconds;
  }
  *wall = seconds_now() - begun;
  *kernel = sum.seconds > 0 ? sum.seconds : NAN;
  at->info.readings = sum.readings;
  at->info.launches = sum.launches;
  at->info.nans = sum.nans;
  // The row has too few elements that are not NaN. The message names the data, because the call is correct.
  if (status == CLRED_INVALID_ARGUMENT || status == CLRED_OUT_OF_RANGE)
    return refuse_row(at, i - 1);
  return session_check(&at->job.session, status);
}

static int run_all(struct quantiles *at) {
  const cl_ulong calls = at->job.args->repeat.given ? at->job.args->repeat.value : 1;
  at->found = (struct outcome){0};
  int code = results_make_values(&at->found.results, at->info.result_type, row_count(at) * at->info.results);
  return code ? code : run_repeatedly(run_rows, at, (struct repeats){.count = calls, .warm = calls > 1}, &at->found);
}

static int verify(const struct quantiles *at, struct verdict *verdict) {
  bool correct = true;
  int code = EXIT_DONE;
  if (!at->job.args->verify)
    return EXIT_DONE;
  for (uint64_t i = 0; i < row_count(at) && correct && !code; i++) {
    const struct range range = range_of(at, i);
    const uint64_t first = i * at->info.results;
    code = ranks_verify(&at->asked.problem, (const char *)elements_of(at) + range.first * at->job.input.type.size,
                        range.count, results_at(&at->found.results, first), at->places + first, &correct);
  }
  correct = correct && at->found.steady;
  if (verdict->correct && !correct)
    verdict->wrong = UINT64_MAX;  // the reference has only the other operators
  verdict->correct = verdict->correct && correct;
  return code;
}

// ---------------------------------------------------------------- Results

enum { PART_BYTES = 8 };  // bytes of each part of a result

// The results of top and bottom have the parts of argmax. A line has all results of a row.
static int make_chosen(const struct quantiles *at, struct results *all) {
  const struct results *values = &at->found.results;
  *all = (struct results){.type_name = values->type_name, .part_count = 2, .size = 2 * PART_BYTES};
  all->parts = calloc(2, sizeof *all->parts);
  if (all->parts == NULL)
    return fail_memory();
  all->parts[0] = (struct part){.name = "index", .type = CLRED_TYPE_ULONG};
  all->parts[1] = (struct part){.name = "value", .type = values->type, .offset = PART_BYTES};
  all->per_line = has_rows(at) ? at->info.results : 0;
  int code = results_make_more(all, values->count);
  for (uint64_t i = 0; i < all->count && !code; i++) {
    char *result = results_at(all, i);
    memcpy(result, &at->places[i], sizeof at->places[i]);
    memcpy(result + PART_BYTES, results_at(values, i), values->size);
  }
  return code;
}

// ---- One result for each row, with a part for each quantile, and the parts of the other operators

// Appends a part named after the operator's word. `from` is the part of its operator alone.
static void add_part(struct results *all, const char *word, const struct part *from) {
  struct part *part = &all->parts[all->part_count++];
  const char *own = part_own_name(from);
  *part = (struct part){.op = from->op, .word = strlen(word), .type = from->type, .offset = all->size};
  list_append(part->name, sizeof part->name, "", word);
  if (*own != '\0')
    list_append(part->name, sizeof part->name, "_", own);
  all->size += PART_BYTES;
}

static void copy_part(struct results *all, uint64_t row, size_t part, const void *value) {
  memcpy((char *)results_at(all, row) + all->parts[part].offset, value, value_size(all->parts[part].type));
}

// A plan of one operator has parts without its word.
static bool belongs(const struct part *part, const char *word) {
  return part->word == 0 || (part->word == strlen(word) && strncmp(part->name, word, part->word) == 0);
}

// Goes over the parts of a row in the order of the words. Without `row` it appends them, with `row` it copies them.
static void join_parts(const struct quantiles *at, const struct results *plain, const uint64_t *row,
                       struct results *all) {
  const struct results *values = &at->found.results;
  size_t part = 0, value = 0;
  for (size_t i = 0; i < at->asked.word_count; i++) {
    const struct word *word = &at->asked.words[i];
    if (word->ranked && row == NULL)
      add_part(all, at->asked.word_count == 1 ? "" : word->name, values->parts);
    else if (word->ranked)
      copy_part(all, *row, part++, results_at(values, *row * at->info.results + value++));
    for (size_t k = 0; k < plain->part_count && !word->ranked; k++)
      if (belongs(&plain->parts[k], word->name) && row == NULL)
        add_part(all, word->name, &plain->parts[k]);
      else if (belongs(&plain->parts[k], word->name))
        copy_part(all, *row, part++, results_part(plain, *row, k));
  }
}

static int make_joined(const struct quantiles *at, const struct results *plain, struct results *all) {
  const struct results *values = &at->found.results;
  *all = (struct results){.type_name = plain->part_count == 0 ? values->type_name : "struct",
                          .type = at->asked.word_count == 1 ? values->type : CLRED_TYPE_NONE};
  all->parts = calloc(at->asked.word_count + plain->part_count, sizeof *all->parts);
  if (all->parts == NULL)
    return fail_memory();
  join_parts(at, plain, NULL, all);
  int code = results_make_more(all, row_count(at));
  for (uint64_t row = 0; row < all->count && !code; row++)
    join_parts(at, plain, &row, all);
  return code;
}

// ---- The outcome

// One operator without rows: the values are an array. Each line begins with the number of the quantile.
static int take_values(struct quantiles *at, struct outcome *outcome) {
  const clred_quantile_problem *problem = &at->asked.problem;
  outcome->results = at->found.results;
  at->found.results = (struct results){0};
  if (problem->at_count == 1)
    return EXIT_DONE;
  int code = results_make_values(&outcome->keys, CLRED_TYPE_DOUBLE, problem->at_count);
  if (!code)
    memcpy(outcome->keys.bytes, problem->at, problem->at_count * sizeof *problem->at);
  return code;
}

// Replaces the results of the other operators, if there are any, by all results.
static int take_results(struct quantiles *at, struct outcome *outcome) {
  struct layout *layout = &at->job.layout;
  struct results all;
  const bool alone = !has_rows(at) && !at->asked.is_list;
  if (chooses(at) || (alone && at->info.results > 1)) {
    layout->listed = true;
    layout->shape[layout->dimensions++] = at->info.results;
  }
  if (alone && !chooses(at))
    return take_values(at, outcome);
  int code = chooses(at) ? make_chosen(at, &all) : make_joined(at, &outcome->results, &all);
  results_release(code ? &all : &outcome->results);
  if (!code)
    outcome->results = all;
  return code;
}

static int add_measures(const struct quantiles *at, struct outcome *outcome) {
  const clred_quantile_problem *problem = &at->asked.problem;
  outcome->kernel_seconds += at->found.kernel_seconds;
  outcome->wall_seconds += at->found.wall_seconds;
  outcome->steady = outcome->steady && at->found.steady;
  outcome->info.passes += at->info.launches;
  outcome->more = cJSON_CreateObject();
  if (outcome->more == NULL)
    return fail_memory();
  if (!is_mixed(at)) {
    outcome->info.portable = CL_TRUE;
    json_add_count(outcome->more, "passes", at->info.launches);
    json_add_count(outcome->more, "scratch_bytes", at->info.device_bytes);
  }
  json_add_count(outcome->more, "nans", at->info.nans);
  json_add_count(outcome->more, "readings", at->info.readings);
  cJSON *list = chooses(at) ? NULL : cJSON_AddArrayToObject(outcome->more, "quantiles");
  for (size_t i = 0; list != NULL && i < problem->at_count; i++)
    cJSON_AddItemToArray(list, json_value(CLRED_TYPE_DOUBLE, &problem->at[i]));
  return EXIT_DONE;
}

// The `run` or the `add` of the job: makes the whole outcome, or adds to the outcome of a plan.
static int compute(void *about, struct outcome *outcome, struct verdict *verdict) {
  struct quantiles *at = about;
  int code = run_all(at);
  code = code ? code : verify(at, verdict);
  code = code ? code : add_measures(at, outcome);
  code = code ? code : take_results(at, outcome);
  if (!code && at->job.args->explain && !at->job.args->quiet)
    fprintf(stderr, "%s%s: readings of all elements: %llu; launches: %llu; scratch memory: %zu bytes\n",
            each_prefix(&at->job.each), at->asked.op, (unsigned long long)at->info.readings,
            (unsigned long long)at->info.launches, at->info.device_bytes);
  outcome_release(&at->found);
  return code;
}

// ---------------------------------------------------------------- The verb

// Streams the elements, because no buffer holds them.
static cl_int fold_elements(void *about, void *results) {
  const struct quantiles *at = about;
  const struct job *job = &at->job;
  clred_stream *stream = NULL;
  cl_int status = clred_stream_create(job->session.queue, job->plan, NULL, &stream);
  if (status == CL_SUCCESS)
    status = clred_stream_push(stream, elements_of(at), NULL, job->input.count);
  if (status == CL_SUCCESS)
    status = clred_stream_finish(stream, results);
  clred_stream_release(stream);
  return status;
}

static int prepare(void *about) {
  struct quantiles *at = about;
  struct job *job = &at->job;
  int code = load(at);
  code = code ? code : check_rows(at);
  code = code ? code : create(at);
  code = code || !is_mixed(at) ? code : job_finalize(job);
  if (!code && is_mixed(at) && job->buffer == NULL && !has_rows(at)) {
    job->problem.count_max = 0;  // as for streams
    job->work.by_hand = fold_elements;
    job->work.about = at;
  }
  return code;
}

static int begin_mixed(struct job *job, const struct args *args, const char *plain) {
  int code = job_begin_operation(job, args, plain);
  if (!code && job->operation.inputs > 0)
    return fail(EXIT_BAD_USE, "'%s': %s reads a second array, the others do not; reduce it in a run of its own",
                args_op(args), job->operation.name);
  job->add = compute;
  return code;
}

static int begin_alone(struct job *job, const struct args *args) {
  job->plain = true;
  job->run = compute;
  int code = each_begin(&job->each, args);
  return code ? code : each_columns(&job->each);
}

static int begin(struct quantiles *at, const struct args *args) {
  struct job *job = &at->job;
  job_begin(job, args);
  int code = take_request(&at->asked, args);
  if (!code)
    code = is_mixed(at) ? begin_mixed(job, args, at->asked.plain) : begin_alone(job, args);
  job->operation.name = args_op(args);
  job->open = open_input;
  job->load = prepare;
  job->about = at;
  job->wants_lines = true;
  return code;
}

int quantile_reduce(const struct args *args) {
  struct quantiles at = {.quantile = NULL};
  int code = job_compute(&at.job, begin(&at, args));
  release(&at);
  job_close(&at.job);
  mapping_close(&at.mapping);
  free(at.asked.plain);
  return code;
}
