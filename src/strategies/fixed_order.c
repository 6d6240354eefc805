// How the strategies of the order fixed/1 read elements and fold nodes, and their tree on the host.
#include "strategies/fixed_order.h"

#include "host/in_order.h"
#include "planning/strategy.h"

// Returns the register bytes that one element takes until it is combined: the element, or the state if it is lifted at
// once.
static cl_ulong held_bytes(const struct clr_operation *operation) {
  cl_ulong bytes = clr_operand_bytes(operation);
  bool lifted = operation->lanes_form == CLR_LANES_ARRAY;
  return lifted && operation->state_size > bytes ? operation->state_size : bytes;
}

static bool reads_singly(const struct clr_shape *shape) {
  return shape->in_order || shape->strided;
}

// Returns how many small elements of a column to load before combining. Converting half and bfloat16 to float takes
// longer than combining, so more loads in flight are worth their registers, except for operators that choose keys row
// by row.
static cl_ulong small_at_once(const struct clr_operation *operation) {
  const struct clr_type *type = operation->element.row;
  bool converts = type && (type->reading == CLR_READING_HALF || type->reading == CLR_READING_BFLOAT16);
  return converts && !operation->choice ? 64 : 32;
}

void clr_fixed_rows_at_once(const struct clr_operation *operation, cl_ulong elements, struct clr_shape *shape) {
  const cl_ulong most_held = 320, least_held = 64;
  // Registers hold the lanes' states and the elements that are being loaded. A row fold holds only a few numbers of
  // each state (row_folds.clh).
  cl_ulong states = operation->row_fold ? 0 : shape->vector * shape->state_size,
           left = states < most_held - least_held ? most_held - states : least_held;
  cl_ulong rows = clr_clamp(left / (shape->vector * held_bytes(operation)), 1, shape->rows);
  // Small elements take a whole register each, so more rows than `enough` would need too many registers. With fewer
  // than four loads in flight, work-items would wait for memory.
  const bool are_small = shape->element_size < 4;
  cl_ulong most = are_small ? small_at_once(operation) : elements;
  cl_ulong enough = clr_clamp(most / shape->vector, 4, shape->rows);
  shape->loads.rows_at_once = clr_pow2_floor(clr_min(rows, enough));
}

// Compilers for GPUs inline every call. So the time to build a program grows with the number of combines in unrolled
// loops. Combines that divide or take exponentials are long. So nodes are folded two at a time if combine is long.
cl_ulong clr_fixed_radix(const struct clr_operation *operation) {
  bool computes_reals = operation->form && operation->form->uses_real && !operation->exact;
  return computes_reals || operation->state_size > CLR_LARGE_STATE ? 2 : 8;
}

void clr_fixed_columns(const struct clr_operation *operation, struct clr_shape *shape) {
  const cl_ulong load_bytes = 16;
  // Measured on an H200: `stats` is faster if it reads whole columns at once, mean and var are not.
  bool reads_much = operation->row_fold && shape->state_size > CLR_LARGE_STATE;
  bool array = operation->lanes_form == CLR_LANES_ARRAY;
  cl_ulong by_load = load_bytes / shape->element_size, by_state = (array ? 64 : 256) / shape->state_size;
  shape->vector = reads_singly(shape) ? 1 : clr_pow2_floor(clr_min(by_load, by_state));
  shape->loads.narrow = operation->narrows;
  shape->fold.radix = clr_fixed_radix(operation);
  clr_fixed_rows_at_once(operation, reads_much ? 64 : 32, shape);
}

// True if a tile is read row after row, so that memory is read in order. The states of a whole row must then stay in
// registers. If an operator divides by counts, vector after vector is faster: rows are unrolled then, and counts are
// constants.
static bool takes_rows(const struct clr_operation *operation, const struct clr_shape *shape) {
  const cl_ulong bytes = shape->lanes * shape->state_size, most = 512, most_of_list = 1536;
  if (operation->several)
    return !operation->form->uses_real && bytes <= most_of_list;
  return operation->lanes_form == CLR_LANES_VECTOR && bytes <= most;
}

// Elements become doubles, so devices must not take denormal floats for 0. Loops over the terms that do not fit the
// bins have no bound, so devices must not end loops early.
bool clr_has_bins(const struct clr_facts *facts, const struct clr_problem *problem) {
  return facts->fp64 && facts->denormals && !facts->loop_trips && problem->operation.bins != NULL;
}

void clr_fixed_vectors(const struct clr_facts *facts, const struct clr_operation *operation, struct clr_shape *shape) {
  enum clr_lanes_form form = operation->lanes_form;
  bool pairs = clr_element_is_complex(&operation->element);
  // If no instruction works on 16 numbers, 8 lanes are at least as fast as 16 when states are one number, even for
  // small types.
  bool in_halves = facts->native_vector_width < 16 && form == CLR_LANES_VECTOR;
  cl_ulong widest = pairs || in_halves ? 8 : 16, by_state = (form == CLR_LANES_ARRAY ? 256 : 1024) / shape->state_size;
  cl_ulong vector = clr_clamp(by_state, 1, widest);
  shape->vector = reads_singly(shape) ? 1 : clr_pow2_floor(clr_min(vector, shape->lanes));
  shape->loads.narrow = operation->narrows;
  shape->loads.vectors_at_once = takes_rows(operation, shape);
}

bool clr_fixed_folds_beside(const struct clr_operation *operation) {
  // exp and log may give other bits for vectors than for single values. Then the bits of a row would depend on the
  // neighbouring rows.
  if (!operation->form || !operation->portable || operation->lanes_form == CLR_LANES_ARRAY)
    return false;
  // Means divide by counts. If a row is folded alone, in parts of 1, 2, 4 and 8 elements, the compiler knows most
  // counts and multiplies instead. Rows side by side must divide. In float this is still faster, in double slower.
  const struct clr_row_fold *fold = &clr_ops[operation->form->op].row_fold;
  bool reals_are_double = operation->form->uses_real && clr_kind_real(operation->kind) == CLR_KIND_DOUBLE;
  return !reals_are_double || (!operation->several && (!fold->mean || fold->ends));
}

void clr_fixed_runs(const struct clr_facts *facts, const struct clr_problem *problem, struct clr_shape *shape) {
  const cl_ulong runs_per_unit = 8, tiles_per_run = 32;
  shape->groups_max = clr_groups_or(problem, clr_multiply(runs_per_unit, facts->compute_units));
  if (!problem->groups)
    shape->fold.tiles_at_least = tiles_per_run;
}

void clr_fixed_beside(const struct clr_operation *operation, cl_ulong most_bytes, struct clr_shape *shape) {
  enum clr_lanes_form form = operation->lanes_form;
  bool pairs = clr_element_is_complex(&operation->element);
  cl_ulong by_state = (form == CLR_LANES_ARRAY ? 256 : 1024) / shape->state_size;
  cl_ulong vector = clr_clamp(most_bytes / shape->element_size, 1, pairs ? 8 : 16);
  shape->vector = clr_pow2_floor(clr_clamp(by_state, 1, vector));
}

// The same as NODE_ROOM in cl/group/node_list.clh.
static cl_ulong room(cl_ulong nodes) {
  return nodes + nodes / 8;
}

cl_int clr_fixed_nodes(const struct clr_facts *facts, struct clr_shape *shape, struct clr_status *status) {
  const cl_ulong turns_at_once = 8, good_bytes = 16384, bytes_of_two = 32768;
  // Local memory holds one node for each work-item. The kernel over states also needs room for its list.
  cl_ulong of_items = room(shape->group_size) * shape->state_size;
  shape->fold.exact = shape->fold.exact && of_items + CLR_LOCAL_RESERVE <= facts->local_mem_size;
  cl_ulong stack = CLR_STACK_DEPTH * shape->state_size;
  cl_ulong usable = clr_usable_local(facts) > stack ? clr_usable_local(facts) - stack : 0;
  shape->fold.nodes = shape->group_size * turns_at_once;
  // The second iteration at once is worth more local memory than further iterations.
  while (shape->fold.nodes > shape->group_size &&
         shape->fold.nodes * shape->state_size >
           (shape->fold.nodes > 2 * shape->group_size ? good_bytes : bytes_of_two))
    shape->fold.nodes /= 2;
  // If work-items fold their own nodes first, there is only one iteration, so the number of iterations cannot be
  // measured.
  if (!shape->fold.exact)
    shape->fold.nodes = clr_tuned_or(shape, CLR_TUNE_TURNS, shape->fold.nodes / shape->group_size) * shape->group_size;
  while (shape->fold.nodes > 1 && room(shape->fold.nodes) * shape->state_size > usable)
    shape->fold.nodes /= 2;
  shape->local_bytes = room(shape->fold.nodes) * shape->state_size + stack;
  if (shape->fold.exact && of_items > shape->local_bytes)
    shape->local_bytes = of_items;
  if (shape->local_bytes + CLR_LOCAL_RESERVE > facts->local_mem_size)
    return clr_refuse_local_memory(facts, shape, status);
  return CL_SUCCESS;
}

cl_ulong clr_fixed_scratch(const struct clr_shape *shape) {
  return shape->groups_max;
}

cl_ulong clr_fixed_tile(const struct clr_shape *shape) {
  return shape->rows * shape->lanes;
}

cl_ulong clr_fixed_tiles(const struct clr_shape *shape, cl_ulong n) {
  return clr_ceil_divide(n, clr_fixed_tile(shape));
}

cl_ulong clr_fixed_lanes(const struct clr_shape *shape, cl_ulong n) {
  cl_ulong tile = clr_fixed_tile(shape), rest = n % tile;
  cl_ulong in_last = shape->in_order ? clr_ceil_divide(rest, shape->rows) : clr_min(rest, shape->lanes);
  return n / tile * shape->lanes + in_last;
}

// --- The tree on the host ---

// Returns the values from position `at` on. If there is a second input, they point to *input.
static struct clr_values values_from(const struct clr_values *values, cl_ulong at, const void **input) {
  const struct clr_operation *operation = values->operation;
  const cl_ulong skipped = at * values->stride;
  struct clr_values own = *values;
  own.elements = (const unsigned char *)values->elements + (size_t)skipped * operation->element.size;
  own.first += at;
  if (operation->input_count && !operation->custom) {
    *input = (const unsigned char *)values->inputs[0] + (size_t)skipped * operation->input_sizes[0];
    own.inputs = input;
  }
  return own;
}

// A tile, or what a line has of it. The first `more` lanes have one element more than the others.
struct tile {
  cl_ulong at, present;
  cl_ulong rows, more;
};

static struct tile tile_at(const struct clr_shape *shape, cl_ulong at, cl_ulong count) {
  const cl_ulong present = clr_min(count - at, clr_fixed_tile(shape));
  return (struct tile){at, present, present / shape->lanes, present % shape->lanes};
}

// Folds the lanes from `first` to `end`, which have `rows` elements each.
static void fold_lanes(const struct clr_shape *shape, const struct clr_values *values, cl_ulong first, cl_ulong end,
                       cl_ulong rows, unsigned char *states) {
  const void *input;
  struct clr_values own = values_from(values, first, &input);
  own.count = rows;
  own.stride *= shape->lanes;
  if (first < end && rows)
    clr_fold_lanes(&own, &(struct clr_lanes){end - first, values->stride, 1, shape->lanes},
                   states + first * values->operation->state_size);
}

// Folds a tile of a built-in operator to one node. Returns false and pushes nothing if that is not possible.
static bool fold_tile_at_once(const struct clr_shape *shape, const struct clr_values *values, const struct tile *tile,
                              struct clr_pairs *pairs) {
  union clr_room states[8];
  const struct clr_operation *operation = values->operation;
  const void *input;
  const struct clr_values own = values_from(values, tile->at, &input);
  if (shape->in_order || !clr_has_lanes(operation) || shape->lanes * operation->state_size > sizeof states)
    return false;
  fold_lanes(shape, &own, 0, tile->more, tile->rows + 1, (unsigned char *)states);
  fold_lanes(shape, &own, tile->more, shape->lanes, tile->rows, (unsigned char *)states);
  clr_states_fold_pairs(operation, states, tile->rows ? shape->lanes : tile->more);
  clr_pairs_push(pairs, states, shape->lanes);
  return true;
}

// Folds a lane of `count` elements, `step` apart, from position `at` on.
static void fold_lane(const struct clr_values *values, cl_ulong at, cl_ulong step, cl_ulong count, void *state) {
  union clr_room lifted;
  clr_lift(values, at, state);
  for (cl_ulong i = 1; i < count; i++) {
    clr_lift(values, at + i * step, &lifted);
    clr_state_combine(values->operation, state, &lifted);
  }
}

// Folds the lanes of all tiles as one list, in adjacent pairs.
void clr_fixed_fold(const struct clr_shape *shape, const struct clr_values *values, struct clr_pairs *pairs) {
  const cl_ulong lane_step = shape->in_order ? shape->rows : 1, row_step = shape->in_order ? 1 : shape->lanes;
  for (cl_ulong at = 0; at < values->count; at += clr_fixed_tile(shape)) {
    const struct tile tile = tile_at(shape, at, values->count);
    if (fold_tile_at_once(shape, values, &tile, pairs))
      continue;
    for (cl_ulong i = 0; i < lane_step * shape->lanes && i < tile.present; i += lane_step) {
      union clr_room node;
      fold_lane(values, at + i, row_step, clr_min(shape->rows, clr_ceil_divide(tile.present - i, row_step)), &node);
      clr_pairs_push(pairs, &node, 1);
    }
  }
}

// Returns the values of line number `line`. Each line begins `apart` elements after the line before it.
static struct clr_values line_from(const struct clr_values *values, cl_ulong apart, cl_ulong line, const void **input) {
  struct clr_values own = *values;
  own.stride = apart;
  own = values_from(&own, line, input);
  own.stride = values->stride;
  own.first = values->first;
  return own;
}

// Folds all lines together: the first lane of each, then the second, and so on.
static void fold_lines_at_once(const struct clr_shape *shape, const struct clr_values *values, cl_ulong apart,
                               cl_ulong width, void *states) {
  struct clr_pairs pairs;
  union clr_room nodes;
  clr_pairs_begin(&pairs, values->operation, width);
  for (cl_ulong at = 0; at < values->count; at += clr_fixed_tile(shape)) {
    const struct tile tile = tile_at(shape, at, values->count);
    for (cl_ulong lane = 0; lane < clr_min(shape->lanes, tile.present); lane++) {
      const void *input;
      struct clr_values own = values_from(values, at + lane, &input);
      own.count = tile.rows + (lane < tile.more);
      own.stride *= shape->lanes;
      clr_fold_lanes(&own, &(struct clr_lanes){width, apart, 0, shape->lanes}, &nodes);
      clr_pairs_push(&pairs, &nodes, 1);
    }
  }
  clr_pairs_root(&pairs, states);
}

// Folds the lines by one operator of a list. Its state may be larger alone than in the list, because of padding.
static void fold_part_of_lines(const struct clr_shape *shape, const struct clr_values *values, cl_ulong apart,
                               cl_ulong width, const struct clr_kept_state *kept, unsigned char *states) {
  const size_t size = kept->owner->state_size;
  union clr_room parts;
  for (cl_ulong line = 0, block; line < width; line += block) {
    const void *input;
    struct clr_values own = line_from(values, apart, line, &input);
    block = clr_min(width - line, sizeof parts / size);
    own.operation = kept->owner;
    clr_fixed_lines(shape, &own, apart, block, &parts);
    for (size_t i = 0; i < block; i++, states += values->operation->state_size)
      clr_part_put(kept, parts.bytes + i * size, states);
  }
}

// Each operator of a list folds the lines alone.
static void fold_parts_of_lines(const struct clr_shape *shape, const struct clr_values *values, cl_ulong apart,
                                cl_ulong width, unsigned char *states) {
  const struct clr_op_list *several = values->operation->several;
  for (size_t i = 0; i < several->state_count; i++)
    fold_part_of_lines(shape, values, apart, width, &several->states[i], states);
}

void clr_fixed_lines(const struct clr_shape *shape, const struct clr_values *values, cl_ulong apart, cl_ulong width,
                     void *states) {
  const struct clr_operation *operation = values->operation;
  if (operation->several) {
    fold_parts_of_lines(shape, values, apart, width, states);
  } else if (width == 1 || shape->in_order || !clr_has_lanes(operation)) {
    for (cl_ulong line = 0; line < width; line++) {
      const void *input;
      const struct clr_values own = line_from(values, apart, line, &input);
      clr_fixed_reference(shape, &own, (unsigned char *)states + line * operation->state_size);
    }
  } else if (clr_fixed_is_any(operation)) {
    clr_fold_lanes(values, &(struct clr_lanes){width, apart, 0, 1}, states);
  } else {
    fold_lines_at_once(shape, values, apart, width, states);
  }
}

bool clr_fixed_is_any(const struct clr_operation *operation) {
  return operation->exact && operation->commutes && !operation->detects && !operation->custom;
}

// The pairs take 73 KiB of the stack, so a function that calls itself has none.
static void fold_line(const struct clr_shape *shape, const struct clr_values *values, void *state) {
  struct clr_pairs pairs;
  clr_pairs_begin(&pairs, values->operation, 1);
  clr_fixed_fold(shape, values, &pairs);
  clr_pairs_root(&pairs, state);
}

cl_int clr_fixed_reference(const struct clr_shape *shape, const struct clr_values *values, void *state) {
  if (clr_fixed_is_any(values->operation))
    clr_fold_elements(values, state);
  else if (values->operation->several)
    fold_parts_of_lines(shape, values, 1, 1, state);
  else
    fold_line(shape, values, state);
  return CL_SUCCESS;
}
