// Loops over elements in order, on the host: the strategies host_serial, scan_host_serial and histogram_host_serial,
// and the reference of selections and histograms.
#include "host/in_order.h"

#include <string.h>

// --- The loops of forms ---

// Elements of other types are widened in pieces that fit the first-level cache.
enum { PIECE = 512 };

static bool has_loops(const struct clr_operation *operation) {
  return operation->form && operation->element.components == 1;
}

// Returns the bytes of one number in memory; complex elements have two.
static size_t scalar_size(const struct clr_operation *operation) {
  const struct clr_type *row = operation->element.row;
  return row->class == CLR_COMPLEX ? row->size / 2 : row->size;
}

// Returns the loop that reads the elements as they are in memory; NULL if there is none.
static clr_host_loop *direct_loop(const struct clr_operation *operation) {
  const struct clr_type *row = operation->element.row;
  const bool same = clr_type_row(clr_kind_type(operation->kind))->wide == row->wide;
  return same ? operation->host->loops[CLR_LOOP_OF(scalar_size(operation))] : NULL;
}

static const unsigned char *at_place(const struct clr_values *values, const void *elements, cl_ulong place) {
  return (const unsigned char *)elements + place * values->stride * values->operation->element.size;
}

static void widen(const struct clr_values *values, const void *elements, cl_ulong place, cl_ulong count, size_t size,
                  void *wide) {
  const struct clr_operation *operation = values->operation;
  cl_ulong together = values->stride == 1 ? count : 1;
  for (cl_ulong i = 0; i < count; i += together)
    operation->element.row->widen[operation->kind](at_place(values, elements, place + i), together,
                                                   (unsigned char *)wide + i * size);
}

// Returns the arguments of a loop over the elements from position `from` on. `scan` is NULL for a reduction.
static struct clr_host_run run_from(const struct clr_values *values, const struct clr_scan *scan, cl_ulong from) {
  const struct clr_operation *operation = values->operation;
  const bool backwards = scan && scan->reversed;
  const ptrdiff_t sign = backwards ? -1 : 1;
  const cl_ulong place = backwards ? values->count - 1 - from : from;
  struct clr_host_run run = {.x = at_place(values, values->elements, place),
                             .step = sign * (ptrdiff_t)(values->stride * operation->element.size),
                             .count = values->count - from,
                             .index = values->first + place,
                             .turn = backwards ? CL_ULONG_MAX : 1,
                             .ignores_nan = operation->ignores_nan};
  run.y = operation->input_count ? at_place(values, values->inputs[0], place) : run.x;
  if (scan) {
    run.inclusive = scan->inclusive;
    run.apart = sign * (ptrdiff_t)(scan->stride * operation->result_size);
    run.results = scan->results + (ptrdiff_t)place * sign * run.apart;
  }
  return run;
}

// Runs the loop over widened copies of the elements, piece by piece.
static void run_widened(const struct clr_values *values, struct clr_host_run run, void *state) {
  const struct clr_operation *operation = values->operation;
  const size_t size = clr_type_row(clr_kind_type(operation->kind))->size;
  clr_host_loop *loop = operation->host->loops[CLR_LOOP_OF(size)];
  const bool backwards = run.step < 0;
  cl_double x[PIECE], y[PIECE];
  run.step = backwards ? -(ptrdiff_t)size : (ptrdiff_t)size;
  for (cl_ulong left = run.count; left; left -= run.count) {
    run.count = left < PIECE ? left : PIECE;
    const cl_ulong place = run.index - values->first, lowest = backwards ? place + 1 - run.count : place;
    const size_t within = (size_t)(place - lowest) * size;
    widen(values, values->elements, lowest, run.count, size, x);
    run.x = run.y = (const unsigned char *)x + within;
    if (operation->input_count) {
      widen(values, values->inputs[0], lowest, run.count, size, y);
      run.y = (const unsigned char *)y + within;
    }
    loop(&run, state);
    run.results = run.results ? run.results + (ptrdiff_t)run.count * run.apart : NULL;
    run.index += run.count * run.turn;
  }
}

static void run_loop(const struct clr_values *values, const struct clr_scan *scan, cl_ulong from, void *state) {
  clr_host_loop *loop = direct_loop(values->operation);
  const struct clr_host_run run = run_from(values, scan, from);
  if (loop)
    loop(&run, state);
  else
    run_widened(values, run, state);
}

// --- Reductions ---

// Each operator of a list runs its own loop.
static void fold_parts(const struct clr_values *values, void *state) {
  const struct clr_op_list *several = values->operation->several;
  struct clr_values own = *values;
  union clr_room part;
  for (size_t i = 0; i < several->state_count; i++) {
    own.operation = several->states[i].owner;
    clr_fold_elements(&own, &part);
    clr_part_put(&several->states[i], &part, state);
  }
}

void clr_fold_elements(const struct clr_values *values, void *state) {
  union clr_room lifted;
  if (values->operation->several) {
    fold_parts(values, state);
    return;
  }
  clr_lift(values, 0, state);
  if (has_loops(values->operation) && values->count > 1) {
    run_loop(values, NULL, 1, state);
    return;
  }
  for (cl_ulong i = 1; i < values->count; i++) {
    clr_lift(values, i, &lifted);
    clr_state_combine(values->operation, state, &lifted);
  }
}

// True if elements in memory have the type that functions for lanes read.
static bool is_wide(const struct clr_operation *operation) {
  return direct_loop(operation) && scalar_size(operation) == clr_type_row(clr_kind_type(operation->kind))->size;
}

bool clr_has_lanes(const struct clr_operation *operation) {
  return !operation->several && has_loops(operation) &&
         (is_wide(operation) || operation->element.row->class != CLR_COMPLEX);
}

// A block has at most BLOCK lanes, whose states fit BLOCK_ROOMS rooms. BLOCK_ROWS elements of each are widened at once.
enum { BLOCK = 64, BLOCK_ROWS = 16, BLOCK_ROOMS = 7 };

// Widens `rows` elements of each lane, row after row.
static void widen_lanes(const struct clr_values *values, const void *elements, const struct clr_lanes *lanes,
                        cl_ulong rows, size_t size, unsigned char *wide) {
  const size_t element_size = values->operation->element.size;
  const cl_ulong together = lanes->apart == 1 ? lanes->width : 1;
  for (cl_ulong row = 0; row < rows; row++)
    for (cl_ulong i = 0; i < lanes->width; i += together, wide += together * size)
      values->operation->element.row->widen[values->operation->kind](
        (const unsigned char *)elements + (row * values->stride + i * lanes->apart) * element_size, together, wide);
}

// Folds at most BLOCK lanes over widened copies of their elements, BLOCK_ROWS rows at a time.
static void fold_widened_lanes(struct clr_values values, const struct clr_lanes *lanes, struct clr_host_run run,
                               unsigned char *states) {
  const struct clr_operation *operation = values.operation;
  const size_t size = clr_type_row(clr_kind_type(operation->kind))->size;
  cl_double x[BLOCK * BLOCK_ROWS], y[BLOCK * BLOCK_ROWS];
  union clr_room more[BLOCK_ROOMS];
  run.step = (ptrdiff_t)(lanes->width * size);
  run.apart = (ptrdiff_t)size;
  for (cl_ulong row = 0; row < values.count; row += BLOCK_ROWS, run.index += BLOCK_ROWS * run.turn) {
    run.count = values.count - row < BLOCK_ROWS ? values.count - row : BLOCK_ROWS;
    widen_lanes(&values, at_place(&values, values.elements, row), lanes, run.count, size, (unsigned char *)x);
    if (operation->input_count)
      widen_lanes(&values, at_place(&values, values.inputs[0], row), lanes, run.count, size, (unsigned char *)y);
    run.x = (const unsigned char *)x;
    run.y = operation->input_count ? (const unsigned char *)y : run.x;
    operation->host->lanes(&run, lanes->width, row ? (void *)more : states);
    if (row)
      operation->host->combine(states, more, lanes->width);
  }
}

void clr_fold_lanes(const struct clr_values *values, const struct clr_lanes *lanes, void *states) {
  const struct clr_operation *operation = values->operation;
  const cl_ulong element_size = operation->element.size,
                 most = BLOCK_ROOMS * sizeof(union clr_room) / operation->state_size;
  struct clr_host_run run = run_from(values, NULL, 0);
  run.turn = lanes->turn;
  run.across = lanes->across;
  run.apart = (ptrdiff_t)(lanes->apart * element_size);
  if (is_wide(operation)) {
    operation->host->lanes(&run, lanes->width, states);
    return;
  }
  struct clr_values own = *values;
  struct clr_lanes block = *lanes;
  for (cl_ulong lane = 0; lane < lanes->width; lane += block.width) {
    const void *input =
      operation->input_count ? (const unsigned char *)values->inputs[0] + lane * (cl_ulong)run.apart : NULL;
    block.width = lanes->width - lane < BLOCK ? lanes->width - lane : BLOCK;
    block.width = block.width < most ? block.width : most;
    own.elements = (const unsigned char *)values->elements + lane * (cl_ulong)run.apart;
    own.inputs = &input;
    fold_widened_lanes(own, &block, run, (unsigned char *)states + lane * operation->state_size);
    run.index += block.width * run.across;
  }
}

// --- Scans and selections ---

void clr_scan_in_order(const struct clr_scan *scan, const struct clr_values *values) {
  struct clr_prefix x = clr_scan_start(scan, values->operation);
  union clr_room lifted;
  for (cl_ulong i = 0; i < values->count; i++) {
    if (x.has_value && has_loops(values->operation)) {
      run_loop(values, scan, i, &x.state);
      return;
    }
    // Lift first: writing the result may overwrite the element.
    clr_scan_lift(scan, values, i, &lifted);
    if (!scan->inclusive)
      clr_scan_put(scan, values, i, &x);
    clr_prefix_add(values->operation, &x, &lifted);
    if (scan->inclusive)
      clr_scan_put(scan, values, i, &x);
  }
}

cl_ulong clr_select_in_order(const struct clr_values *values, void *results) {
  const struct clr_operation *operation = values->operation;
  size_t size = operation->result_size;
  cl_ulong kept = 0;
  for (cl_ulong i = 0; i < values->count; i++) {
    const void *element =
      (const unsigned char *)values->elements + (size_t)(i * values->stride) * operation->element.size;
    if (clr_keeps(values, i))
      memcpy((unsigned char *)results + (size_t)kept++ * size, operation->custom->keeping.indices ? &i : element, size);
  }
  return kept;
}

// --- Histograms ---

// Finds the bin: the number of inner edges that are at most `above`, the element's key minus the lowest key.
static cl_ulong find_bin(const struct clr_histogram *histogram, cl_ulong above) {
  cl_ulong first = 0, left = histogram->inner;
  while (left > 0) {
    cl_ulong half = left / 2;
    if (histogram->keys[first + half] <= above) {
      first += half + 1;
      left -= half + 1;
    } else {
      left = half;
    }
  }
  return first;
}

// Finds the bin of element i in all axes. False if an axis has no bin for it.
static bool find_result(const struct clr_histogram *axis, const struct clr_values *values, cl_ulong i,
                        cl_ulong *result) {
  const struct clr_type *type = values->operation->element.row;
  *result = 0;
  for (size_t input = 0; axis; axis = axis->next, input++) {
    const unsigned char *samples = input ? values->inputs[input - 1] : values->elements;
    cl_ulong key = clr_key_at(type, samples + i * type->size), above = key - axis->lowest;
    if (key < axis->lowest || above > axis->span)
      return false;
    *result = *result * axis->bins + find_bin(axis, above);
  }
  return true;
}

static void sum_weights(const struct clr_histogram *histogram, const struct clr_values *values, void *room,
                        void *results) {
  const struct clr_operation *operation = values->operation, *sum = operation->weights;
  const void *weights = values->count ? values->inputs[operation->input_count - 1] : NULL;
  const union clr_room zero = {{0}};
  union clr_room state;
  cl_ulong bin;
  // A sum begins with the weight +0, so it is never -0.
  clr_lift(&(struct clr_values){.operation = sum, .elements = &zero, .count = 1, .stride = 1}, 0, &state);
  for (cl_ulong k = 0; k < histogram->results; k++)
    memcpy((unsigned char *)room + k * sum->state_size, &state, sum->state_size);
  const struct clr_values terms = {.operation = sum, .elements = weights, .count = values->count, .stride = 1};
  for (cl_ulong i = 0; i < values->count; i++)
    if (find_result(histogram, values, i, &bin)) {
      clr_lift(&terms, i, &state);
      clr_state_combine(sum, (unsigned char *)room + bin * sum->state_size, &state);
    }
  clr_states_lower(sum, room, histogram->results, results);
}

void clr_count_elements(const struct clr_histogram *histogram, const struct clr_values *values, void *room,
                        void *results) {
  cl_ulong *counts = results, bin;
  if (values->operation->weights) {
    sum_weights(histogram, values, room, results);
    return;
  }
  memset(counts, 0, (size_t)histogram->results * sizeof *counts);
  for (cl_ulong i = 0; i < values->count; i++)
    if (find_result(histogram, values, i, &bin))
      counts[bin]++;
}
