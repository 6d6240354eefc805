// Lists of operators with a median or quantiles among them: a plan computes the other operators from the same elements,
// and the results of both become one.
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/json.h"
#include "base/wrap.h"
#include "verbs/quantile_run.h"
#include "verify/verify.h"

enum { PART_BYTES = 8 };  // each part of the whole takes as many

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

int quantile_mix_begin(struct quantiles *at, const struct args *args) {
  struct job *job = &at->job;
  int code = job_begin_operation(job, args, at->asked.list.plain);
  if (code)
    return code;
  if (job->operation.inputs > 0)
    return fail(EXIT_BAD_USE, "'%s': %s reads a second array, the others do not; reduce it in a run of its own",
                args_op(args), job->operation.name);
  job->operation.name = args_op(args);
  job->wants_lines = true;
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

int quantile_mix(struct quantiles *at) {
  struct job *job = &at->job;
  int code = job_settle(job);
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
