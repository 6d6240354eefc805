// clreduce reduce with the operators median, quantile, top and bottom.
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
#include "input/mapping.h"
#include "input/row_files.h"
#include "operator/operation.h"
#include "run/job.h"
#include "verify/ranks.h"
#include "verify/verify.h"

// ---------------------------------------------------------------- Lists of operators

// Reads lists of operators that have a median or quantiles among them, as in sum,median,quantile:0.05,0.95.

enum { QUANTILE_WORDS_MAX = 64, QUANTILE_NAME_SIZE = 64 };

// The operators of a list, in its order.
struct quantile_list {
  size_t count;
  struct quantile_word {
    char name[QUANTILE_NAME_SIZE];  // median and quantile:0.99; also for further numbers of a quantile
    bool ranked;                    // is one of these two
  } words[QUANTILE_WORDS_MAX];
  char *plain, *quantiles;  // the other operators, and the numbers of the quantiles, each as a list of its own
  size_t room;              // of both, in bytes
};

struct quantile_request {
  const char *op;             // as the command line has it; of a list, its first quantile
  struct quantile_list list;  // empty if there is one operator
  double at[CLRED_QUANTILES_MAX];
  clred_quantile_problem problem;  // without its type and count_max; `at` points into this struct
};

// Each row has its own search for quantiles. For small rows, a search takes longer than reading the elements.
enum { QUANTILE_ROWS_MAX = 1 << 16 };

struct quantiles {
  struct job job;
  struct quantile_request asked;
  clred_quantile *quantile;
  clred_plan *plan;        // of the other operators of a list; NULL: there are none
  struct mapping mapping;  // if the input is mapped
  clred_quantile_info info;
  struct results values;  // of each row those of all quantiles
  struct results rows;    // the values as they are shown: with places, or one result for each row
  cl_ulong *places;
  off_t start;  // of standard input, with --rows
  double kernel_seconds, wall_seconds;
  bool steady, correct;
};

static int quantile_lines_check(const struct args *args, bool chooses);
static bool chooses(const struct quantiles *at);
static int quantile_open_input(struct quantiles *at, bool again);
static const void *quantile_elements(const struct quantiles *at);
static int quantile_run(struct quantiles *at);
static int quantile_verify(struct quantiles *at);
static void quantile_explain(const struct quantiles *at);

// True for a list with other operators in it. A plan computes those.
static inline bool quantile_is_mixed(const struct quantiles *at) {
  return at->asked.list.count > 0 && *at->asked.list.plain != '\0';
}

// The elements of one row: of a group of --group, or along --axis. Without both there is one, of all elements.
struct quantile_range {
  uint64_t first, count;
};

// ---- Words

// The number behind a comma continues the quantiles before it, also if it is none from 0 to 1.
static bool is_number(const char *word) {
  double value;
  return number_parse_part(CLRED_TYPE_DOUBLE, word, strlen(word), &value);
}

static bool is_quantile(const char *word) {
  return strncmp(word, "quantile:", strlen("quantile:")) == 0;
}

static int check_word(const struct quantile_list *list, const char *op, const char *word) {
  const char *chosen = strncmp(word, "top", 3) == 0 || strncmp(word, "bottom", 6) == 0 ? word : NULL;
  if (chosen != NULL && quantile_is_named(word))
    return fail(EXIT_BAD_USE, "'%s': %s gives places and elements, the others numbers; reduce it in a run of its own",
                op, word);
  if (strncmp(word, "median:", 7) == 0)
    return fail(EXIT_BAD_USE, "%s: median takes no number; give median, or quantile:Q", word);
  if (*word == '\0')
    return fail(EXIT_BAD_USE, "'%s': an operator is missing; put one comma between two operators, as in sum,median",
                op);
  if (strcmp(word, "quantile") == 0 || strcmp(word, "quantile:") == 0)
    return fail(EXIT_BAD_USE, "%s: the quantile is missing; give numbers from 0 to 1, as in quantile:0.99", word);
  for (size_t i = 0; i < list->count; i++)
    if (strcmp(list->words[i].name, word) == 0)
      return fail(EXIT_BAD_USE, "'%s': %s is given twice; give each operator once", op, word);
  if (list->count == QUANTILE_WORDS_MAX)
    return fail(EXIT_BAD_USE, "'%s': more than %d operators; give the rest in another run", op, QUANTILE_WORDS_MAX);
  return EXIT_DONE;
}

static int add_word(struct quantile_list *list, const char *op, const char *word, bool continues) {
  struct quantile_word *next = &list->words[list->count];
  char name[QUANTILE_NAME_SIZE];
  if ((size_t)snprintf(name, sizeof name, "%s%s", continues ? "quantile:" : "", word) >= sizeof name)
    return fail(EXIT_BAD_USE, "'%s': '%s' is no operator; it is too long", op, word);
  int code = check_word(list, op, name);
  if (code)
    return code;
  next->ranked = quantile_is_named(name);
  strcpy(next->name, name);
  list->count++;
  const char *item = !next->ranked ? name : is_quantile(name) ? name + strlen("quantile:") : "0.5";
  list_append(next->ranked ? list->quantiles : list->plain, list->room, ",", item);
  return EXIT_DONE;
}

// Returns an exit code. Call quantile_list_release in any case.
static int quantile_list_take(struct quantile_list *list, const char *op) {
  *list = (struct quantile_list){.room = 4 * strlen(op) + 1};  // 0.5 takes less room than median
  char *copy = malloc(list->room), *next = copy;
  list->plain = calloc(list->room, 1);
  list->quantiles = calloc(list->room, 1);
  int code = copy != NULL && list->plain != NULL && list->quantiles != NULL ? EXIT_DONE : fail_memory();
  if (!code)
    strcpy(copy, op);
  for (bool quantiles = false; !code && next != NULL;) {
    char *word = next;
    if ((next = strchr(word, ',')) != NULL)
      *next++ = '\0';
    const bool continues = quantiles && is_number(word);
    code = add_word(list, op, word, continues);
    quantiles = continues || is_quantile(word);
  }
  free(copy);
  return code;
}

static void quantile_list_release(struct quantile_list *list) {
  free(list->plain);
  free(list->quantiles);
  *list = (struct quantile_list){.count = 0};
}

// ---- Which operators are such a list

// Calls `is` for each word up to its colon.
static bool has_word(const char *op, bool (*is)(const char *word)) {
  char word[QUANTILE_NAME_SIZE];
  for (const char *from = op; from != NULL; from = strchr(from, ',')) {
    from += *from == ',';
    snprintf(word, sizeof word, "%.*s", (int)strcspn(from, ",:"), from);
    if (is(word))
      return true;
  }
  return false;
}

static bool is_operator(const char *word) {
  return quantile_is_named(word) || clred_op_from_name(word) != CLRED_OP_NONE;
}

bool quantile_is_list(const char *op) {
  const char *comma = op == NULL ? NULL : strchr(op, ',');
  if (comma == NULL)
    return false;
  return is_quantile(op) ? has_word(comma + 1, is_operator) : has_word(op, quantile_is_named);
}

// ---------------------------------------------------------------- The operators and their options

static const char *const names[] = {"median", "quantile", "top", "bottom"};

static size_t name_length(const char *op) {
  return strcspn(op, ":");
}

bool quantile_is_named(const char *op) {
  for (size_t i = 0; op != NULL && i < sizeof names / sizeof names[0]; i++)
    if (strlen(names[i]) == name_length(op) && strncmp(op, names[i], name_length(op)) == 0)
      return true;
  return false;
}

static int take_quantiles(struct quantile_request *at, const char *list) {
  size_t count = 0;
  for (const char *from = list; *from != '\0';) {
    size_t length = strcspn(from, ",");
    if (count == CLRED_QUANTILES_MAX)
      return fail(EXIT_BAD_USE, "%s: has more than %d quantiles; give fewer", at->op, CLRED_QUANTILES_MAX);
    if (!number_parse_part(CLRED_TYPE_DOUBLE, from, length, &at->at[count]) ||
        !(at->at[count] >= 0 && at->at[count] <= 1))
      return fail(EXIT_BAD_USE, "%s: '%.*s' is no quantile; give numbers from 0 to 1, as in quantile:0.99", at->op,
                  (int)length, from);
    count++;
    from += length + (from[length] == ',');
  }
  if (count == 0)
    return fail(EXIT_BAD_USE, "%s: the quantile is missing; give numbers from 0 to 1, as in quantile:0.99", at->op);
  at->problem.at = at->at;
  at->problem.at_count = count;
  return EXIT_DONE;
}

static int take_list(struct quantile_request *at) {
  int code = quantile_list_take(&at->list, at->op);
  code = code ? code : take_quantiles(at, at->list.quantiles);
  for (size_t i = at->list.count; i > 0 && !code; i--)
    if (at->list.words[i - 1].ranked)
      at->op = at->list.words[i - 1].name;
  return code;
}

static int take_op(struct quantile_request *at) {
  const char *colon = strchr(at->op, ':'), *value = colon == NULL ? "" : colon + 1;
  uint64_t chosen;
  if (quantile_is_list(at->op))
    return take_list(at);
  if (*at->op == 'm')
    return colon == NULL ? take_quantiles(at, "0.5")
                         : fail(EXIT_BAD_USE, "%s: median takes no number; give median, or quantile:Q", at->op);
  if (*at->op == 'q')
    return take_quantiles(at, value);
  if (!count_parse(value, strlen(value), &chosen) || chosen == 0)
    return fail(EXIT_BAD_USE, "%s: '%s' is no number of elements; give 1 or more, as in %.*s:5", at->op, value,
                (int)name_length(at->op), at->op);
  if (*at->op == 't')
    at->problem.top = chosen;
  else
    at->problem.bottom = chosen;
  return EXIT_DONE;
}

// ---- Options

static int take_words(struct quantile_request *at, const struct args *args) {
  size_t nan = CLRED_NAN_PROPAGATE, rule = CLRED_INTERPOLATION_LINEAR;  // their words are in the order of these values
  int code = args_take_word("nan", "nan", args->nan, &nan);
  at->problem.nan = (clred_nan)nan;
  if (!code && args->interpolation != NULL && at->problem.at == NULL)
    return fail(EXIT_BAD_USE, "--interpolation: %s takes whole elements; leave it out", at->op);
  code = code ? code : args_take_word("interpolation", "rule", args->interpolation, &rule);
  at->problem.interpolation = (clred_interpolation)rule;
  return code;
}

// Reads the operator and its options. Returns an exit code. The request must not move. Call quantile_list_release in
// any case.
static int quantile_take(struct quantile_request *at, const struct args *args) {
  *at = (struct quantile_request){.op = args_op(args)};
  int code = take_op(at);
  code = code ? code : take_words(at, args);
  code = code ? code
              : args_exclude(args, at->op,
                             "segments,by-key,heads,stride,layout,with,chunk,overflow,result-type,state,strategy,"
                             "finish,order,stage,group-size,groups,elements,stop-at,operator,combine");
  code = code ? code : quantile_lines_check(args, at->problem.at == NULL);
  return code;
}

// ---------------------------------------------------------------- Rows

static bool quantile_has_rows(const struct quantiles *at) {
  return at->job.args->group != NULL || at->job.args->axes.count > 0;
}

static uint64_t quantile_rows(const struct quantiles *at) {
  return at->job.args->group != NULL ? segments_number(&at->job.runs) : at->job.layout.results;
}

static struct quantile_range quantile_range_of(const struct quantiles *at, uint64_t row) {
  const struct input *runs = &at->job.runs;
  const uint64_t count = at->job.layout.call.count;
  if (at->job.args->group == NULL)
    return (struct quantile_range){row * count, count};
  uint64_t first = segments_offset(runs, row);
  return (struct quantile_range){first, segments_offset(runs, row + 1) - first};
}

// ---- Refusals

static int check_number(const struct quantiles *at) {
  const struct args *args = at->job.args;
  const unsigned long long rows = quantile_rows(at);
  if (rows <= QUANTILE_ROWS_MAX)
    return EXIT_DONE;
  if (args->group == NULL)
    return fail(EXIT_BAD_USE, "--axis %s: %llu rows; %s takes at most %d rows, so give a part of the array at a time",
                args->axes.text, rows, at->asked.op, QUANTILE_ROWS_MAX);
  return fail(EXIT_BAD_USE,
              "--group %s: %llu groups; %s takes at most %d groups, so sort by key and give a part of the rows at a "
              "time",
              args->group, rows, at->asked.op, QUANTILE_ROWS_MAX);
}

// Every group must have as many elements as are chosen.
static int check_groups(const struct quantiles *at, cl_ulong chosen) {
  for (uint64_t i = 0; i < quantile_rows(at); i++) {
    const uint64_t count = quantile_range_of(at, i).count;
    if (chosen <= count)
      continue;
    char *key = results_keys_text(at->job.group_keys, i);
    fail(EXIT_BAD_USE, "%s: --group %s: the group %s has only %llu element%s; ask for no more", at->asked.op,
         at->job.args->group, key != NULL ? key : "", (unsigned long long)count, count == 1 ? "" : "s");
    free(key);
    return EXIT_BAD_USE;
  }
  return EXIT_DONE;
}

// Refuses too many rows, and rows of too few elements. Returns an exit code.
static int quantile_rows_check(const struct quantiles *at) {
  const char *name = input_name(&at->job.input), *row = quantile_has_rows(at) ? " in a row" : "";
  const cl_ulong chosen = at->asked.problem.top + at->asked.problem.bottom, count = at->job.layout.call.count;
  int code = check_number(at);
  if (!code && chosen > 0 && at->job.layout.dimensions == NPY_DIMENSIONS_MAX)
    return fail(EXIT_BAD_USE, "--keepdims: %s adds a dimension, and an array has at most %d; leave --keepdims out",
                at->asked.op, NPY_DIMENSIONS_MAX);
  if (code || at->job.args->group != NULL)
    return code ? code : check_groups(at, chosen);
  if (count == 0 && quantile_rows(at) > 0)
    return fail(EXIT_BAD_USE, "%s: %s of 0 elements has no result", name, at->asked.op);
  if (chosen > count)
    return fail(EXIT_BAD_USE, "%s: %s has only %llu elements%s; ask for no more", at->asked.op, name,
                (unsigned long long)count, row);
  return EXIT_DONE;
}

// Says why the library refused a row. Returns an exit code.
static int quantile_rows_refuse(const struct quantiles *at, uint64_t row) {
  const char *message = clred_last_error(at->job.session.runtime), *name = input_name(&at->job.input);
  if (!quantile_has_rows(at))
    return fail(EXIT_BAD_USE, "%s: %s", name, message);
  if (at->job.args->group == NULL)
    return fail(EXIT_BAD_USE, "%s: row %llu: %s", name, (unsigned long long)row, message);
  char *key = results_keys_text(at->job.group_keys, row);
  fail(EXIT_BAD_USE, "%s: the group %s: %s", name, key != NULL ? key : "", message);
  free(key);
  return EXIT_BAD_USE;
}

// ---------------------------------------------------------------- Lists with other operators

// Lists of operators with a median or quantiles among them: a plan computes the other operators from the same elements,
// and the results of both become one.

enum { PART_BYTES = 8 };  // bytes of each part of the joined result

// ---- One result

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

static int make_parts(const struct quantiles *at, const struct results *plain, struct results *all) {
  const struct quantile_list *list = &at->asked.list;
  *all = (struct results){.type_name = "struct"};
  all->parts = calloc(list->count + plain->part_count, sizeof *all->parts);
  if (all->parts == NULL)
    return fail_memory();
  for (size_t i = 0; i < list->count; i++) {
    const struct quantile_word *word = &list->words[i];
    if (word->ranked)
      add_part(all, word->name, at->values.parts);
    for (size_t k = 0; k < plain->part_count && !word->ranked; k++)
      if (belongs(&plain->parts[k], word->name))
        add_part(all, word->name, &plain->parts[k]);
  }
  return results_make_more(all, plain->count);
}

// The parts in the same order.
static void fill_row(const struct quantiles *at, const struct results *plain, uint64_t row, struct results *all) {
  const struct quantile_list *list = &at->asked.list;
  size_t part = 0;
  uint64_t value = row * at->info.results;
  for (size_t i = 0; i < list->count; i++) {
    if (list->words[i].ranked)
      copy_part(all, row, part++, results_at(&at->values, value++));
    for (size_t k = 0; k < plain->part_count && !list->words[i].ranked; k++)
      if (belongs(&plain->parts[k], list->words[i].name))
        copy_part(all, row, part++, results_part(plain, row, k));
  }
}

static int join(const struct quantiles *at, struct results *plain) {
  struct results all;
  int code = make_parts(at, plain, &all);
  for (uint64_t row = 0; row < plain->count && !code; row++)
    fill_row(at, plain, row, &all);
  if (code) {
    results_release(&all);
    return code;
  }
  results_release(plain);
  *plain = all;
  return EXIT_DONE;
}

// ---- The quantiles

static int add_measures(const struct quantiles *at, struct outcome *outcome) {
  outcome->kernel_seconds += at->kernel_seconds;
  outcome->wall_seconds += at->wall_seconds;
  outcome->info.passes += at->info.launches;
  outcome->more = cJSON_CreateObject();
  if (outcome->more == NULL)
    return fail_memory();
  json_add_count(outcome->more, "nans", at->info.nans);
  json_add_count(outcome->more, "readings", at->info.readings);
  return EXIT_DONE;
}

static int add_quantiles(void *about, struct outcome *outcome, struct verdict *verdict) {
  struct quantiles *at = about;
  int code = quantile_run(at);
  code = code ? code : quantile_verify(at);
  code = code ? code : add_measures(at, outcome);
  code = code ? code : join(at, &outcome->results);
  if (code)
    return code;
  quantile_explain(at);
  if (verdict->correct && !at->correct)
    verdict->wrong = UINT64_MAX;  // the reference has only the other operators
  verdict->correct = verdict->correct && at->correct;
  return EXIT_DONE;
}

// ---- The other operators

static int quantile_mix_begin(struct quantiles *at, const struct args *args) {
  struct job *job = &at->job;
  int code = job_begin_operation(job, args, at->asked.list.plain);
  if (code)
    return code;
  if (job->operation.inputs > 0)
    return fail(EXIT_BAD_USE, "'%s': %s reads a second array, the others do not; reduce it in a run of its own",
                args_op(args), job->operation.name);
  job->operation.name = args_op(args);
  job->add = add_quantiles;
  job->about = at;
  return EXIT_DONE;
}

// Folds elements that no buffer holds.
static cl_int fold_elements(void *about, void *results) {
  const struct quantiles *at = about;
  const struct job *job = &at->job;
  clred_stream *stream = NULL;
  cl_int status = clred_stream_create(job->session.queue, at->plan, NULL, &stream);
  if (status == CL_SUCCESS)
    status = clred_stream_push(stream, quantile_elements(at), NULL, job->input.count);
  if (status == CL_SUCCESS)
    status = clred_stream_finish(stream, results);
  clred_stream_release(stream);
  return status;
}

static int quantile_mix(struct quantiles *at) {
  struct job *job = &at->job;
  int code = job_finalize(job);
  if (code)
    return code;
  if (job->buffer == NULL && !quantile_has_rows(at)) {
    job->problem.count_max = 0;  // as for streams
    job->work.by_hand = fold_elements;
    job->work.about = at;
  }
  code = job_plan(job, &at->plan);
  return code ? code : answer(job, at->plan);
}

// ---------------------------------------------------------------- --rows

// --rows: prints the lines of text in which top and bottom found their elements. The text is read once more, with the
// same columns, so that the same rows are left out.

// A line to print. `rank` is its place in the output.
struct line {
  cl_ulong place;  // of its element in INPUT
  size_t rank, size;
  char *text;
};

// ---- Options

static int quantile_lines_check(const struct args *args, bool chooses) {
  size_t count;
  args_inputs(args, &count);
  if (!args->rows)
    return EXIT_DONE;
  if (!chooses)
    return fail(EXIT_BAD_USE, "--rows: applies only to top and bottom, as in top:1; leave it out");
  return count < 2 ? EXIT_DONE : fail(EXIT_BAD_USE, "--rows: prints lines of one file, not of %zu; give one", count);
}

static int check_text(const struct input *input) {
  if (input->table != NULL)
    return EXIT_DONE;
  return fail(EXIT_BAD_USE, "--rows: %s is not text, so it has no lines; leave --rows out", input_name(input));
}

// Before INPUT is opened, for the first time or again.
static int quantile_lines_open(struct quantiles *at, bool again) {
  const char *name = args_input(at->job.args);
  if (!at->job.args->rows || name == NULL)
    return EXIT_DONE;
  if (stream_is_pipe(name))
    return fail(EXIT_BAD_USE,
                "%s: is a pipe, which can be read once, and --rows needs it twice; give it as standard input", name);
  return strcmp(name, "-") == 0 ? stream_repeat_standard(&at->start, again, &at->job.progress) : EXIT_DONE;
}

// ---- Lines

static int by_place(const void *a, const void *b) {
  const struct line *first = a, *second = b;
  return first->place < second->place ? -1 : first->place > second->place;
}

static int by_rank(const void *a, const void *b) {
  const struct line *first = a, *second = b;
  return first->rank < second->rank ? -1 : first->rank > second->rank;
}

static int keep(struct line *line, const char *text, size_t size) {
  line->text = malloc(size + 1);
  if (line->text == NULL)
    return fail_memory();
  memcpy(line->text, text, size);
  line->size = size;
  return EXIT_DONE;
}

// Reads on to the element at this place. `next` is the place of the next element.
static int read_to(struct input *input, uint64_t place, uint64_t *next) {
  enum { PIECE = 1 << 13 };
  char piece[PIECE * NUMBER_SIZE];
  uint64_t got = 1;
  for (; *next <= place && got > 0; *next += got) {
    const uint64_t before = place - *next, count = before == 0 ? 1 : before < PIECE ? before : PIECE;
    int code = input_read(input, piece, count, &got);
    if (code)
      return code;
  }
  if (got > 0)
    return EXIT_DONE;
  return fail(EXIT_WORK_FAILED, "%s: was changed while it was read", input_name(input));
}

// lines[0] is the header, or empty.
static int read_lines(struct input *input, struct line *lines, size_t count) {
  const char *text;
  size_t size;
  uint64_t next = 0;
  int code = text_table_header(input->table, &text, &size);
  code = code ? code : keep(&lines[0], text, size);
  for (size_t i = 1; i < count && !code; i++) {
    code = read_to(input, lines[i].place, &next);
    if (code)
      return code;
    text_table_row(input->table, &text, &size);
    code = keep(&lines[i], text, size);
  }
  return code;
}

// The last line of a text may lack its end.
static void print(const struct line *line) {
  fwrite(line->text, 1, line->size, stdout);
  if (line->size == 0 || line->text[line->size - 1] != '\n')
    putchar('\n');
}

// Closes the inputs, reads the text again and prints the lines of at->rows.
static int quantile_show_lines(struct quantiles *at) {
  const size_t count = at->rows.count + 1;
  struct line *lines = calloc(count, sizeof *lines);
  int code = lines == NULL ? fail_memory() : check_text(&at->job.input);
  for (size_t i = 1; i < count && !code; i++) {
    memcpy(&lines[i].place, results_part(&at->rows, i - 1, 0), sizeof lines[i].place);
    lines[i].rank = i;
  }
  code = code ? code : quantile_open_input(at, true);
  if (!code) {
    qsort(lines + 1, count - 1, sizeof *lines, by_place);
    code = read_lines(&at->job.input, lines, count);
  }
  if (!code) {
    qsort(lines + 1, count - 1, sizeof *lines, by_rank);
    for (size_t i = lines[0].size == 0; i < count; i++)
      print(&lines[i]);
  }
  for (size_t i = 0; i < count && lines != NULL; i++)
    free(lines[i].text);
  free(lines);
  return code;
}

// ---------------------------------------------------------------- Printing and writing

static bool chooses(const struct quantiles *at) {
  return at->asked.problem.at == NULL;
}

static bool has_groups(const struct quantiles *at) {
  return at->job.args->group != NULL;
}

static const struct results *keys_of(const struct quantiles *at) {
  return has_groups(at) ? at->job.group_keys : NULL;
}

// In INPUT; with --axis, in the row. --rows finds elements by their number among those that were read.
static cl_ulong place_at(const struct quantiles *at, uint64_t index) {
  cl_ulong place = at->places[index];
  if (has_groups(at))
    place = at->job.places[quantile_range_of(at, index / at->info.results).first + place];
  return at->job.args->rows ? place : text_row_number(&at->job.input.gaps, place);
}

// What top and bottom give: results with the parts of argmax. Those of a row stand in one line.
static int make_chosen(struct quantiles *at) {
  const size_t size = value_size(at->values.type);
  struct results *rows = &at->rows;
  rows->parts[0] = (struct part){.name = "index", .type = CLRED_TYPE_ULONG};
  rows->parts[1] = (struct part){.name = "value", .type = at->values.type, .offset = sizeof *at->places};
  rows->size = 2 * sizeof *at->places;
  rows->per_line = quantile_has_rows(at) ? at->info.results : 0;
  int code = results_make_more(rows, at->values.count);
  for (uint64_t i = 0; i < rows->count && !code; i++) {
    const cl_ulong place = place_at(at, i);
    char *result = results_at(rows, i);
    memcpy(result, &place, sizeof place);
    memcpy(result + sizeof *at->places, results_at(&at->values, i), size);
  }
  return code;
}

// One result for each row, with a part for each quantile.
static int make_several(struct quantiles *at) {
  struct results *rows = &at->rows;
  for (size_t i = 0; i < rows->part_count; i++) {
    rows->parts[i] = (struct part){.type = at->values.type, .offset = i * at->values.size};
    if (at->asked.list.count > 0)
      rows->parts[i].word = (size_t)sprintf(rows->parts[i].name, "%s", at->asked.list.words[i].name);
    else if (rows->part_count > 1)
      number_double_text(at->asked.at[i], rows->parts[i].name);
  }
  if (rows->part_count == 1) {
    rows->type = at->values.type;
    rows->type_name = at->values.type_name;
  }
  rows->size = rows->part_count * at->values.size;
  int code = results_make_more(rows, quantile_rows(at));
  if (!code && rows->count > 0)
    memcpy(rows->bytes, at->values.bytes, rows->count * rows->size);
  return code;
}

// The results as they are printed and written.
static const struct results *shown(const struct quantiles *at) {
  return chooses(at) || quantile_has_rows(at) || at->asked.list.count > 0 ? &at->rows : &at->values;
}

// True if the results are a list: rows, elements, or the quantiles of one operator.
static bool is_array(const struct quantiles *at) {
  return quantile_has_rows(at) || chooses(at) || (at->values.count > 1 && at->asked.list.count == 0);
}

static int make_rows(struct quantiles *at) {
  struct results *rows = &at->rows;
  results_release(rows);
  if (shown(at) != rows)
    return EXIT_DONE;
  *rows = (struct results){.type_name = "struct", .part_count = chooses(at) ? 2 : at->asked.problem.at_count};
  rows->parts = calloc(rows->part_count, sizeof *rows->parts);
  if (rows->parts == NULL)
    return fail_memory();
  return chooses(at) ? make_chosen(at) : make_several(at);
}

static void add_result(cJSON *object, const struct quantiles *at) {
  if (at->job.args->output != NULL)
    cJSON_AddNullToObject(object, "result");
  else
    cJSON_AddItemToObject(object, "result", results_json(shown(at), is_array(at)));
  if (at->asked.problem.at == NULL)
    return;
  cJSON *quantiles = cJSON_AddArrayToObject(object, "quantiles");
  for (size_t i = 0; i < at->asked.problem.at_count; i++)
    cJSON_AddItemToArray(quantiles, json_value(CLRED_TYPE_DOUBLE, &at->asked.problem.at[i]));
}

static struct layout layout_of(const struct quantiles *at) {
  struct layout layout = {.dimensions = is_array(at), .shape = {has_groups(at) ? quantile_rows(at) : at->info.results}};
  if (at->job.args->axes.count > 0)
    layout = at->job.layout;
  if (chooses(at) && quantile_has_rows(at))
    layout.shape[layout.dimensions++] = at->info.results;
  return layout;
}

static int print_object(const struct quantiles *at) {
  const struct job *job = &at->job;
  const struct layout layout = layout_of(at);
  cJSON *object = each_object(&job->each, &job->input);
  job_add_keys(object, job, keys_of(at));
  add_result(object, at);
  job_add_shape(object, &layout);
  json_add_text(object, "op", args_op(job->args));
  json_add_text(object, "type", job->input.type.name);
  json_add_text(object, "result_type", at->values.type_name);
  json_add_count(object, "count", job->input.count);
  json_add_count(object, "nans", at->info.nans);
  json_add_count(object, "readings", at->info.readings);
  json_add_count(object, "passes", at->info.launches);
  json_add_count(object, "scratch_bytes", at->info.device_bytes);
  device_add_json(object, &job->session.device);
  json_add_text(object, "assumed", job->args->assume);
  const struct outcome outcome = {.kernel_seconds = at->kernel_seconds, .wall_seconds = at->wall_seconds};
  job_add_outcome(object, job, &outcome, input_bytes(&job->input), at->correct);
  json_add_text(object, "output", job->args->output);
  return each_print(&job->each, object);
}

// One value alone; several quantiles after their numbers; elements after their places.
static int print_lines(const struct quantiles *at) {
  const struct lines lines = each_lines(&at->job.each);
  struct results numbers = {0};
  if (shown(at) == &at->rows || at->values.count == 1)
    return results_print(shown(at), keys_of(at), is_array(at), &lines);
  int code = results_make_values(&numbers, CLRED_TYPE_DOUBLE, at->values.count);
  if (!code)
    memcpy(numbers.bytes, at->asked.problem.at, numbers.count * numbers.size);
  code = code ? code : results_print(&at->values, &numbers, true, &lines);
  results_release(&numbers);
  return code;
}

// Prints or writes the results. Returns an exit code.
static int quantile_show(struct quantiles *at) {
  int code = make_rows(at);
  if (!code && at->job.args->rows)
    return quantile_show_lines(at);
  const struct layout layout = layout_of(at);
  code = code ? code : job_write(&at->job, shown(at), &layout, keys_of(at));
  if (!code && at->job.args->json)
    return print_object(at);
  return !code && at->job.args->output == NULL ? print_lines(at) : code;
}

// ---------------------------------------------------------------- The verb

// ---- Elements

static int check_type(const struct quantiles *at) {
  const clred_type_info *type = &at->job.input.type;
  if (type->components == 1)
    return EXIT_DONE;
  return fail(EXIT_BAD_USE, "%s is not defined for %s, which has several components and no order", at->asked.op,
              type->name);
}

static int quantile_open_input(struct quantiles *at, bool again) {
  mapping_close(&at->mapping);
  int code = quantile_lines_open(at, again);
  code = code ? code : job_open_inputs(&at->job);
  return code ? code : check_type(at);
}

// Elements are read several times, so a pipe must fit memory; we allow what fits one buffer.
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

// A plan needs a buffer, and its verification memory, so only what no buffer holds is mapped for a plan.
static bool may_map(const struct quantiles *at, bool fits) {
  const struct job *job = &at->job;
  if (quantile_is_mixed(at))
    return !fits && !job->args->verify;
  return session_fact(&job->session, "unified_memory", 0) || !fits;
}

// A file is mapped if the device shares the host's memory, or if no buffer holds it. Otherwise the elements go into a
// buffer.
static int load(struct quantiles *at) {
  struct job *job = &at->job;
  struct input *input = &job->input;
  cl_ulong most = session_fact(&job->session, "max_alloc", CL_ULONG_MAX);
  if (job->args->group != NULL) {
    job->wants_places = job->wants_places || chooses(at);
    return job_load(job);
  }
  int code = hold_pipe(at, most);
  code = code ? code : job_finalize(job);
  if (code)
    return code;
  bool fits = input_bytes(input) <= most;
  if (input_is_in_file(input) && input->count > 0 && job->layout.axes == 0 && may_map(at, fits) &&
      mapping_open(&at->mapping, &input->stream, 0, input_bytes(input)))
    return mapping_check(&input->stream, input_bytes(input));
  if (fits || (quantile_is_mixed(at) && quantile_has_rows(at)))  // a plan of rows needs a buffer
    return job_load(job);
  code = input_load(input, &job->progress);
  progress_end(&job->progress);
  if (!code && job->layout.axes > 0)
    code = input_reorder(input, job->layout.merged, job->layout.axes, job->layout.order);
  return code;
}

static const void *quantile_elements(const struct quantiles *at) {
  return at->mapping.pages != NULL ? at->mapping.data : at->job.input.data;
}

// ---- Runs

static void release(struct quantiles *at) {
  clred_quantile_release(at->quantile);
  results_release(&at->values);
  results_release(&at->rows);
  free(at->places);
  at->quantile = NULL;
  at->places = NULL;
}

// With --each, the object that was made for the previous file is used again if it fits.
static int create(struct quantiles *at) {
  const clred_quantile_problem *made = &at->asked.problem;
  const uint64_t rows = quantile_rows(at);
  uint64_t most = 0;
  for (uint64_t i = 0; i < rows; i++)
    most = quantile_range_of(at, i).count > most ? quantile_range_of(at, i).count : most;
  if (!quantile_has_rows(at) && at->quantile != NULL && made->type == at->job.input.type.type &&
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
  return at->places == NULL ? fail_memory()
                            : results_make_values(&at->values, at->info.result_type, rows * at->info.results);
}

// The times of a call; `kernel` is NaN without event profiling.
struct times {
  double *kernel, *wall;
};

// The same numbers of all groups.
static void add_info(clred_quantile_info *sum, const clred_quantile_info *info) {
  sum->readings += info->readings;
  sum->launches += info->launches;
  sum->nans += info->nans;
  sum->seconds += info->seconds;
}

static cl_int run_row(struct quantiles *at, uint64_t row, char *values) {
  const struct job *job = &at->job;
  const struct quantile_range range = quantile_range_of(at, row);
  const uint64_t first = row * at->info.results;
  cl_ulong *places = at->asked.problem.at == NULL ? at->places + first : NULL;
  values += first * at->values.size;
  if (job->buffer == NULL)
    return clred_quantile_run_host(job->session.queue, at->quantile,
                                   (const char *)quantile_elements(at) + range.first * job->input.type.size,
                                   range.count, values, places);
  return clred_quantile_run(job->session.queue, at->quantile, job->buffer, range.first, range.count, values, places, 0,
                            NULL);
}

static int run_once(struct quantiles *at, void *values, double *kernel, double *wall) {
  clred_quantile_info sum = {.readings = 0};
  cl_int status = CL_SUCCESS;
  double begun = seconds_now();
  uint64_t i = 0;
  for (; i < quantile_rows(at) && status == CL_SUCCESS; i++) {
    status = run_row(at, i, values);
    clred_quantile_inspect(at->quantile, &at->info);
    add_info(&sum, &at->info);
  }
  *wall = seconds_now() - begun;
  at->info.readings = sum.readings;
  at->info.launches = sum.launches;
  at->info.nans = sum.nans;
  *kernel = sum.seconds > 0 ? sum.seconds : NAN;
  // Without its NaNs, the input has too few elements: the data is to blame, not the call.
  if (status == CLRED_INVALID_ARGUMENT || status == CLRED_OUT_OF_RANGE)
    return quantile_rows_refuse(at, i - 1);
  return session_check(&at->job.session, status);
}

// In whole nanoseconds; further digits are noise of the double.
static double median_time(double *seconds, size_t count) {
  return round(median(seconds, count) * 1e9) / 1e9;
}

// Computes the values, and verifies them if --verify is given. Both return an exit code.
static int quantile_run(struct quantiles *at) {
  cl_ulong calls = at->job.args->repeat.given ? at->job.args->repeat.value : 1;
  struct times times = {calloc(calls, sizeof(double)), calloc(calls, sizeof(double))};
  bool room = times.kernel != NULL && times.wall != NULL;
  struct results again = {0};
  int code = room ? results_make_like(&again, &at->values) : fail_memory();
  if (!code && calls > 1)  // not timed
    code = run_once(at, again.bytes, times.kernel, times.wall);
  at->steady = true;
  for (cl_ulong i = 0; i < calls && !code; i++) {
    code = run_once(at, i == 0 ? at->values.bytes : again.bytes, &times.kernel[i], &times.wall[i]);
    at->steady = at->steady && (i == 0 || memcmp(again.bytes, at->values.bytes, again.count * again.size) == 0);
  }
  if (!code) {
    at->kernel_seconds = median_time(times.kernel, calls);
    at->wall_seconds = median_time(times.wall, calls);
  }
  results_release(&again);
  free(times.kernel);
  free(times.wall);
  return code;
}

static int quantile_verify(struct quantiles *at) {
  at->correct = true;
  if (!at->job.args->verify)
    return EXIT_DONE;
  int code = EXIT_DONE;
  for (uint64_t i = 0; i < quantile_rows(at) && at->correct && !code; i++) {
    struct quantile_range range = quantile_range_of(at, i);
    code = ranks_verify(&at->asked.problem, (const char *)quantile_elements(at) + range.first * at->job.input.type.size,
                        range.count, results_at(&at->values, i * at->info.results), at->places + i * at->info.results,
                        &at->correct);
  }
  at->correct = at->correct && at->steady;
  return code;
}

static void quantile_explain(const struct quantiles *at) {
  if (at->job.args->explain && !at->job.args->quiet)
    fprintf(stderr, "%s%s: readings of all elements: %llu; launches: %llu; scratch memory: %zu bytes\n",
            each_prefix(&at->job.each), at->asked.op, (unsigned long long)at->info.readings,
            (unsigned long long)at->info.launches, at->info.device_bytes);
}

static int run_plain(void *about, struct outcome *outcome, struct verdict *verdict) {
  struct quantiles *at = about;
  int code = quantile_run(at);
  code = code ? code : quantile_verify(at);
  outcome->steady = at->steady;
  verdict->correct = at->correct;
  if (!code)
    quantile_explain(at);
  return code;
}

static int print_plain(void *about, const struct outcome *outcome, const struct verdict *verdict) {
  (void)outcome, (void)verdict;
  return quantile_show(about);
}

static int reduce_inputs(struct quantiles *at) {
  int code = quantile_open_input(at, false);
  code = code ? code : load(at);
  code = code ? code : quantile_rows_check(at);
  code = code ? code : create(at);
  if (code)
    return code;
  return quantile_is_mixed(at) ? quantile_mix(at) : answer(&at->job, NULL);
}

static int begin_plain(struct quantiles *at, const struct args *args) {
  at->job.plain = true;
  at->job.operation.name = at->asked.op;
  at->job.run = run_plain;
  at->job.print = print_plain;
  at->job.about = at;
  int code = each_begin(&at->job.each, args);
  code = code ? code : layout_check(args);
  return code ? code : each_columns(&at->job.each);
}

static int begin(struct quantiles *at, const struct args *args) {
  job_begin(&at->job, args);
  int code = quantile_take(&at->asked, args);
  if (!code)
    code = (quantile_is_mixed(at) ? quantile_mix_begin : begin_plain)(at, args);
  at->job.wants_lines = true;
  return code;
}

int quantile_reduce(const struct args *args) {
  struct quantiles at = {.steady = true};
  int code = begin(&at, args);
  do
    code = code ? code : reduce_inputs(&at);
  while (each_next(&at.job.each, &code));
  code = each_end(&at.job.each, code);
  release(&at);
  clred_plan_release(at.plan);
  job_close(&at.job);
  mapping_close(&at.mapping);
  quantile_list_release(&at.asked.list);
  return code;
}
