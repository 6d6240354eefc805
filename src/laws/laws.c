// Checks the laws of a reduction (identity, associativity, ...) for an operator by random trials on the device.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arithmetic.h"
#include "host/law_check.h"
#include "laws/laws.h"
#include "opencl/session.h"
#include "plan/plan.h"

// Trials in one launch.
#define BATCH 1024

// ---------------------------------------------------------------- Runs on the device

// The device's buffers of a run, and the host's copies of the results of one launch.
struct run {
  const struct clr_operation *operation;
  struct clr_status *status;
  struct clr_session session;
  cl_kernel kernel;
  cl_mem triples, states, results, elements, inputs[CLR_INPUTS_MAX];
  unsigned char *states_read, *results_read;
};

// Kernel arguments before the operator's own.
#define COMMON_ARGUMENTS 5

static const char purpose[] = "trying the laws of an operator";

static cl_int fail(struct run *run, cl_int err, const char *call) {
  return clr_fail_call(run->status, err, call, purpose);
}

static cl_int make_buffers(struct run *run, const struct clr_pool *pool) {
  const struct clr_operation *operation = run->operation;
  const struct {
    cl_mem *buffer;
    size_t size;
    const void *contents;
  } buffers[] = {
    {&run->triples, BATCH * sizeof(struct clr_triple), NULL},
    {&run->states, operation->state_size * BATCH * CLR_LAW_STATES, NULL},
    {&run->results, operation->result_size * BATCH * CLR_LAW_RESULTS, run->results_read},
    {&run->elements, CLR_POOL_SIZE * operation->element.size, pool->elements},
  };
  cl_int err = CL_SUCCESS;
  for (size_t i = 0; i < sizeof buffers / sizeof *buffers && !err; i++)
    err = clr_session_buffer(&run->session, buffers[i].size, buffers[i].contents, buffers[i].buffer, run->status);
  for (size_t i = 0; i < operation->input_count && !err; i++)
    err = clr_session_buffer(&run->session, CLR_POOL_SIZE * operation->input_sizes[i], pool->inputs[i], &run->inputs[i],
                             run->status);
  return err;
}

static cl_int set_buffers(struct run *run) {
  const cl_mem common[COMMON_ARGUMENTS] = {run->triples, NULL, run->states, run->results, run->elements};
  cl_int err = CL_SUCCESS;
  for (cl_uint i = 0; i < COMMON_ARGUMENTS && !err; i++)
    if (common[i])
      err = clSetKernelArg(run->kernel, i, sizeof common[i], &common[i]);
  for (cl_uint i = 0; i < run->operation->input_count && !err; i++)
    err = clSetKernelArg(run->kernel, COMMON_ARGUMENTS + i, sizeof run->inputs[i], &run->inputs[i]);
  return err ? fail(run, err, "clSetKernelArg") : CL_SUCCESS;
}

static cl_int make_room(struct run *run) {
  run->states_read = calloc((size_t)BATCH * CLR_LAW_STATES, run->operation->state_size);
  run->results_read = calloc((size_t)BATCH * CLR_LAW_RESULTS, run->operation->result_size);
  return run->states_read && run->results_read
           ? CL_SUCCESS
           : clr_fail(run->status, CL_OUT_OF_HOST_MEMORY, "out of memory while trying the laws of an operator");
}

// Builds the program and copies the pool to the device. Close the run also after a failure.
static cl_int open_run(clred_runtime *runtime, const struct clr_operation *operation, const struct clr_pool *pool,
                       struct run *run, struct clr_status *status) {
  struct clr_built *built = NULL;
  *run = (struct run){.operation = operation, .status = status};
  cl_int err = clr_runtime_laws(runtime, operation, &built, status);
  if (err)
    return err;
  atomic_store(&built->launched, true);
  err = clr_session_open(runtime->context, runtime->device, purpose, &run->session, status);
  if (!err)
    err = clr_session_kernel(&run->session, built->program, "clred_laws", &run->kernel, status);
  if (err)
    return err;
  err = make_room(run);
  if (!err)
    err = make_buffers(run, pool);
  return err ? err : set_buffers(run);
}

static void close_run(struct run *run) {
  clr_session_close(&run->session);
  free(run->states_read);
  free(run->results_read);
  *run = (struct run){.operation = NULL};
}

// Sets the operator's parameters for the next trials: `first`, first + step, ... in all their scalars.
static cl_int set_parameters(struct run *run, int first, int step) {
  const struct clr_operation *operation = run->operation;
  cl_int err = CL_SUCCESS;
  for (size_t i = 0; i < operation->parameter_count && !err; i++) {
    struct clr_layout layout;
    clr_layout_parameter(operation, i, &layout);
    unsigned char *value = malloc(layout.size);
    if (!value)
      return clr_fail(run->status, CL_OUT_OF_HOST_MEMORY, "out of memory while trying the laws of an operator");
    clr_put_ramp(&layout, first + step * (int)i, step, value);
    err = clSetKernelArg(run->kernel, COMMON_ARGUMENTS + (cl_uint)(operation->input_count + i), layout.size, value);
    free(value);
  }
  return err ? fail(run, err, "clSetKernelArg") : CL_SUCCESS;
}

// Returns the size of groups for the trials; 0: the driver chooses. With states of 1024 bytes a trial needs about 24
// KiB of private memory. PoCL has 8 MiB for all work-items of a group, but chooses groups of 512.
static size_t group_size_of(const struct clr_operation *operation) {
  const size_t small_state = 256, group_bytes = (size_t)1 << 20, states_a_trial = 64;
  return operation->state_size <= small_state
           ? 0
           : (size_t)clr_pow2_floor(group_bytes / (states_a_trial * operation->state_size));
}

// Runs `count` trials, at most BATCH, and reads their results.
static cl_int run_batch(struct run *run, const struct clr_triple *triples, size_t count) {
  const struct clr_operation *operation = run->operation;
  const cl_uint trials = (cl_uint)count;
  cl_int err = clr_session_write(&run->session, run->triples, count * sizeof *triples, triples, run->status);
  if (!err && (err = clSetKernelArg(run->kernel, 1, sizeof trials, &trials)) != CL_SUCCESS)
    fail(run, err, "clSetKernelArg");
  if (!err)
    err = clr_session_launch(&run->session, run->kernel, BATCH, group_size_of(operation), run->status);
  if (!err)
    err = clr_session_read(&run->session, run->states, count * CLR_LAW_STATES * operation->state_size, run->states_read,
                           run->status);
  return err ? err
             : clr_session_read(&run->session, run->results, count * CLR_LAW_RESULTS * operation->result_size,
                                run->results_read, run->status);
}

// ---------------------------------------------------------------- Findings

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
  struct run run;
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
  for (size_t first = 0; first < search->triples.count && !err; first += BATCH) {
    size_t left = search->triples.count - first, count = left < BATCH ? left : BATCH;
    err = run_batch(&search->run, &search->triples.rows[first], count);
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
    err = set_parameters(&search->run, parameter_values[i].first, parameter_values[i].step);
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
    err = open_run(runtime, operation, &search.pool, &search.run, status);
  if (!err)
    err = try_parameters(&search);
  close_run(&search.run);
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
