// Checks the laws of a reduction (identity, associativity, ...) for an operator by random trials on the device.
#include "laws/laws.h"
#include "plan/plan.h"

#include <stdio.h>
#include <string.h>

// Parameter values to try, as the caller's values are unknown here.
static const struct parameters {
  int first, step;
  const char *words;
} parameter_values[] = {
  {1, 0, "; parameters are 1"}, {2, 1, "; parameters are 2, 3, ..."}, {0, 0, "; parameters are 0"}};

// The results of the trials of one law so far, with the best counterexample.
struct finding {
  clred_law *law;
  bool is_weak;      // the counterexample contains a NaN
  cl_uint elements;  // elements in the counterexample; 0: none was found
};

struct search {
  struct clr_law_check judge;
  struct clr_pool pool;
  struct clr_law_samples triples;
  struct clr_law_run run;
  struct finding findings[CLRED_LAWS];
  const char *parameters;  // the parameter values that the counterexample names
};

// ---------------------------------------------------------------- Counterexamples

// Copies the text and marks it with "..." if it is cut.
static void copy_text(const struct clr_text *text, char *to, size_t size) {
  static const char cut[] = "...";
  const char *bytes = text->bytes && !text->failed ? text->bytes : "(out of memory)";
  snprintf(to, size, "%s", bytes);
  if (strlen(bytes) >= size)
    memcpy(to + size - sizeof cut, cut, sizeof cut);
}

static void write_down(const struct search *search, const struct clr_counterexample *evidence, enum clr_law which,
                       unsigned side) {
  const struct finding *finding = &search->findings[which];
  struct clr_text text = {0};
  if (finding->is_weak)
    clr_text_append(&text, "with a NaN: ");
  clr_counterexample_text(&search->judge, evidence, which, side, &text);
  clr_text_append(&text, search->parameters);
  copy_text(&text, finding->law->counterexample, sizeof finding->law->counterexample);
  clr_text_release(&text);
}

// Prefers counterexamples without a NaN, then counterexamples of fewer elements.
static bool is_better(const struct finding *finding, bool is_weak, cl_uint elements) {
  if (!finding->elements || is_weak != finding->is_weak)
    return !finding->elements || !is_weak;
  return elements < finding->elements;
}

static void weigh(struct search *search, const struct clr_counterexample *evidence, enum clr_law which) {
  struct finding *finding = &search->findings[which];
  unsigned side = 0, elements = 0;
  enum clr_verdict verdict = clr_law_check_run(&search->judge, evidence, which, &side, &finding->law->error);
  finding->law->trials++;
  for (unsigned i = 0; i < clr_law_pieces(which); i++)
    elements += evidence->triple->lengths[i];
  if (verdict == CLR_VERDICT_HOLDS || !is_better(finding, verdict == CLR_VERDICT_NAN_ONLY, elements))
    return;
  finding->is_weak = verdict == CLR_VERDICT_NAN_ONLY;
  finding->elements = elements;
  finding->law->holds = finding->is_weak;
  write_down(search, evidence, which, side);
}

// ---------------------------------------------------------------- Trials

static void judge_batch(struct search *search, size_t first, size_t count) {
  const struct clr_law_check *judge = &search->judge;
  for (size_t i = 0; i < count; i++) {
    const struct clr_counterexample evidence = {
      .pool = &search->pool,
      .triple = &search->triples.rows[first + i],
      .states = search->run.states_read + i * CLR_LAW_STATES * judge->state.size,
      .results = search->run.results_read + i * CLR_LAW_RESULTS * judge->result.size,
    };
    for (int law = 0; law < CLRED_LAWS; law++)
      if (clr_triple_is_new(&search->triples, first + i, (enum clr_law)law))
        weigh(search, &evidence, (enum clr_law)law);
  }
}

static cl_int try_all(struct search *search) {
  cl_int err = CL_SUCCESS;
  for (size_t first = 0; first < search->triples.count && !err; first += CLR_LAW_BATCH) {
    size_t left = search->triples.count - first, count = left < CLR_LAW_BATCH ? left : CLR_LAW_BATCH;
    err = clr_law_run_batch(&search->run, &search->triples.rows[first], count);
    if (!err)
      judge_batch(search, first, count);
  }
  return err;
}

static cl_int try_parameters(struct search *search) {
  const bool has_parameters = search->run.operation->parameter_count > 0;
  cl_int err = CL_SUCCESS;
  for (size_t i = 0; i < (has_parameters ? sizeof parameter_values / sizeof *parameter_values : 1) && !err; i++) {
    search->parameters = has_parameters ? parameter_values[i].words : "";
    err = clr_law_run_set_parameters(&search->run, parameter_values[i].first, parameter_values[i].step);
    if (!err)
      err = try_all(search);
  }
  return err;
}

// ---------------------------------------------------------------- The question

static void begin(const struct clr_operation *operation, clred_law *laws, struct search *search) {
  static const char *const names[CLRED_LAWS] = {
    [CLR_LAW_IDENTITY] = "identity",
    [CLR_LAW_ASSOCIATIVITY] = "associativity",
    [CLR_LAW_COMMUTATIVITY] = "commutativity",
  };
  for (int i = 0; i < CLRED_LAWS; i++) {
    laws[i] = (clred_law){.name = names[i], .claimed = CL_TRUE, .holds = CL_TRUE};
    search->findings[i].law = &laws[i];
  }
  laws[CLR_LAW_COMMUTATIVITY].claimed = operation->commutes;
  clr_law_check_make(operation, &search->judge);
}

static cl_int look(clred_runtime *runtime, const struct clr_operation *operation, cl_ulong seed, clred_law *laws,
                   struct clr_status *status) {
  struct search search = {.parameters = ""};
  cl_ulong random = seed;
  begin(operation, laws, &search);
  cl_int err = clr_pool_make(operation, &random, &search.pool);
  if (!err)
    err = clr_law_samples_make(search.pool.edges, &random, &search.triples);
  if (err)
    clr_fail(status, err, "out of memory while trying the laws of an operator");
  else
    err = clr_law_run_open(runtime, operation, &search.pool, &search.run, status);
  if (!err)
    err = try_parameters(&search);
  clr_law_run_close(&search.run);
  clr_law_samples_release(&search.triples);
  clr_pool_release(&search.pool);
  return err;
}

cl_int clr_check_laws(clred_runtime *runtime, const clred_problem *given, cl_ulong seed, clred_law *laws,
                      struct clr_status *status) {
  struct clr_problem problem = {.custom = NULL};
  const struct clr_operation *operation = &problem.operation;
  if (given->selection)
    return clr_fail(status, CLRED_INVALID_PROBLEM, "selection: only operators have laws; leave selection out");
  cl_int err = clr_problem_make(given, &problem, status);
  if (!err && problem.custom)
    err = clr_probe(runtime, &problem, status);
  if (!err)
    err = clr_check_types(operation, &runtime->facts, status);
  if (!err)
    err = look(runtime, operation, seed, laws, status);
  clr_problem_release(&problem);
  return err;
}
