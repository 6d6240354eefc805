// The data of a trial: elements, inputs, parameters, rows, and room for results.
#include <stdlib.h>
#include <string.h>

#include "host/samples.h"
#include "trial/trial.h"

#define GUARD_BYTES ((cl_ulong)65536)
#define GUARDS_LEAST 16
#define GUARDS_MAX 2048

// ---------------------------------------------------------------- Elements

// Values of moderate size, and of any size for integers. A float sum of numbers of any size is often infinite.
static void fill(const struct clr_operation *operation, const unsigned char *pool, size_t size, cl_ulong count,
                 cl_ulong seed, unsigned char *to) {
  const bool real = !operation->element.row || operation->element.row->wide == CLRED_TYPE_FLOAT ||
                    operation->element.row->wide == CLRED_TYPE_DOUBLE;
  const unsigned first = CLR_POOL_MIXED_END, behind = real ? CLR_POOL_MODERATE_END : CLR_POOL_SIZE;
  for (cl_ulong i = 0; i < count; i++)
    memcpy(to + i * size, pool + (first + clr_random(&seed) % (behind - first)) * size, size);
}

// Every second element of a histogram is an edge in all axes, so that most elements are counted.
static void put_edges(struct clr_trial *trial) {
  const struct clr_histogram *axis = trial->plan->problem.histogram;
  const struct clr_element *element = &trial->plan->problem.operation.element;
  unsigned char *to = trial->in;
  cl_ulong seed = 3;
  for (size_t input = 0; axis; axis = axis->next, to = trial->inputs[input++])
    for (cl_ulong i = 0; i < trial->elements; i += 2) {
      const struct clr_sample edge = {CLR_EDGE_NUMBER, axis->marks[clr_random(&seed) % axis->bins]};
      clr_put_sample(element->row, &edge, to + i * element->size);
    }
}

// The first entries of the pool are edge values.
static void fill_edges(const unsigned char *pool, size_t size, unsigned char *to) {
  memcpy(to, pool, CLR_TRIAL_EDGES * size);
}

static void put_parameters(struct clr_trial *trial) {
  const struct clr_operation *operation = &trial->plan->problem.operation;
  struct clr_layout layout;
  for (size_t i = 0; i < operation->parameter_count; i++) {
    clr_layout_parameter(operation, i, &layout);
    clr_put_edge(&layout, 0, trial->parameters[i]);
  }
}

// What a trial compares. A scan makes all results of a row at once.
static bool allocate_compared(struct clr_trial *trial, size_t elements) {
  const struct clr_operation *operation = &trial->plan->problem.operation;
  const size_t results = (size_t)(trial->results + 2 * trial->guards) * operation->result_size;
  trial->line = malloc(elements * operation->element.size);
  trial->expected = malloc(results);
  trial->got = malloc(results);
  trial->made = malloc(results);
  bool done = trial->line && trial->expected && trial->got && trial->made;
  for (size_t i = 0; i < operation->input_count && done; i++)
    done = (trial->line_inputs[i] = malloc(elements * operation->input_sizes[i])) != NULL;
  return done;
}

static bool allocate(struct clr_trial *trial) {
  const struct clr_operation *operation = &trial->plan->problem.operation;
  const bool has_segments = trial->plan->problem.layout >= CLRED_LAYOUT_SEGMENTS;
  const size_t elements = (size_t)trial->elements + CLR_TRIAL_EDGES;
  trial->in = malloc(elements * operation->element.size);
  bool done = trial->in != NULL;
  for (size_t i = 0; i < operation->input_count && done; i++)
    done = (trial->inputs[i] = malloc(elements * operation->input_sizes[i])) != NULL;
  if (has_segments) {
    trial->segments = calloc(clr_trial_segment_bytes(trial->elements, trial->rows), 1);
    trial->begins = calloc((size_t)trial->rows + elements + 1, sizeof *trial->begins);
    done = done && trial->segments && trial->begins;
  }
  return done && (trial->warms || allocate_compared(trial, elements));
}

static void fill_with_one(const struct clr_layout *layout, cl_ulong count, unsigned char *to) {
  clr_put_edge(layout, 0, to);
  for (cl_ulong i = 1; i < count; i++)
    memcpy(to + i * layout->size, to, layout->size);
}

// Warming uses ones, because operators may divide by elements.
static void fill_with_ones(struct clr_trial *trial) {
  const struct clr_operation *operation = &trial->plan->problem.operation;
  const cl_ulong count = trial->elements + CLR_TRIAL_EDGES;
  struct clr_layout layout;
  clr_layout_element(operation, &layout);
  fill_with_one(&layout, count, trial->in);
  for (size_t i = 0; i < operation->input_count; i++) {
    clr_layout_input(operation, i, &layout);
    fill_with_one(&layout, count, trial->inputs[i]);
  }
}

static bool fill_from_pool(struct clr_trial *trial) {
  const struct clr_operation *operation = &trial->plan->problem.operation;
  struct clr_pool pool;
  cl_ulong random = 7;
  if (clr_pool_make(operation, &random, &pool)) {
    clr_pool_release(&pool);
    return false;
  }
  fill(operation, pool.elements, operation->element.size, trial->elements, 5, trial->in);
  fill_edges(pool.elements, operation->element.size, trial->in + trial->elements * operation->element.size);
  for (size_t i = 0; i < operation->input_count; i++) {
    const size_t size = operation->input_sizes[i];
    fill(operation, pool.inputs[i], size, trial->elements, 11 + i, trial->inputs[i]);
    fill_edges(pool.inputs[i], size, trial->inputs[i] + trial->elements * size);
  }
  clr_pool_release(&pool);
  if (trial->plan->problem.histogram)
    put_edges(trial);
  return true;
}

static bool fill_all(struct clr_trial *trial) {
  put_parameters(trial);
  if (!trial->warms)
    return fill_from_pool(trial);
  fill_with_ones(trial);
  return true;
}

static cl_int make_buffers(struct clr_trial *trial, struct clr_status *status) {
  const struct clr_problem *problem = &trial->plan->problem;
  const struct clr_operation *operation = &problem->operation;
  const size_t elements = (size_t)trial->elements + CLR_TRIAL_EDGES,
               results = (size_t)(trial->results + 2 * trial->guards);
  struct clr_session *session = &trial->session;
  cl_int err = clr_session_buffer(session, elements * operation->element.size, trial->in, &trial->in_buffer, status);
  for (size_t i = 0; i < operation->input_count && !err; i++)
    err = clr_session_buffer(session, elements * operation->input_sizes[i], trial->inputs[i], &trial->input_buffers[i],
                             status);
  if (!err)
    err = clr_session_buffer(session, results * operation->result_size, NULL, &trial->out_buffer, status);
  if (!err && problem->layout >= CLRED_LAYOUT_SEGMENTS)
    err = clr_session_buffer(session, clr_trial_segment_bytes(trial->elements, trial->rows), NULL,
                             &trial->segments_buffer, status);
  return err;
}

cl_int clr_trial_open(struct clr_trial *trial, struct clr_status *status) {
  const clred_runtime *runtime = trial->plan->runtime;
  trial->guards = clr_clamp(GUARD_BYTES / trial->plan->problem.operation.result_size, GUARDS_LEAST, GUARDS_MAX);
  if (!allocate(trial) || !fill_all(trial))
    return clr_fail(status, CL_OUT_OF_HOST_MEMORY, "out of memory for a trial of a program");
  cl_int err = clr_session_open(runtime->context, runtime->device, "a trial of a program", &trial->session, status);
  trial->queue = trial->queue ? trial->queue : trial->session.queue;
  return err ? err : make_buffers(trial, status);
}

void clr_trial_close(struct clr_trial *trial) {
  clr_session_close(&trial->session);
  for (size_t i = 0; i < CLR_INPUTS_MAX; i++) {
    free(trial->inputs[i]);
    free(trial->line_inputs[i]);
  }
  free(trial->in);
  free(trial->line);
  free(trial->segments);
  free(trial->begins);
  free(trial->expected);
  free(trial->got);
  free(trial->made);
}

// ---------------------------------------------------------------- Rows

static void put_keys(const struct clr_trial *trial, const struct clr_type *type, cl_ulong row) {
  const struct clr_sample key = {CLR_EDGE_NUMBER, (double)(1 + row % 3)};
  for (cl_ulong i = trial->begins[row]; i < trial->begins[row + 1]; i++)
    clr_put_sample(type, &key, trial->segments + i * type->size);
}

void clr_trial_lay_rows(struct clr_trial *trial, const struct clr_trial_case *one) {
  const struct clr_problem *problem = &trial->plan->problem;
  cl_ulong *begins = trial->begins;
  begins[0] = 0;
  for (cl_ulong i = 0; i < one->rows; i++) {
    const cl_ulong left = one->count - begins[i], length = clr_trial_length(trial->plan, one, i);
    begins[i + 1] = begins[i] + (i + 1 == one->rows || length > left ? left : length);
  }
  if (problem->layout == CLRED_LAYOUT_HEADS)
    memset(trial->segments, 0, (size_t)one->count);
  for (cl_ulong i = 0; i < one->rows; i++)
    if (problem->layout == CLRED_LAYOUT_KEYS)
      put_keys(trial, problem->key_type, i);
    else if (problem->layout == CLRED_LAYOUT_HEADS)
      trial->segments[begins[i]] = 1;
  for (cl_ulong i = 0; i <= one->rows && problem->layout == CLRED_LAYOUT_SEGMENTS; i++)
    clr_bits_put(begins[i], problem->segment_type->size, trial->segments + i * problem->segment_type->size);
}
