#include "strategies/fixed_order.h"

#include "planning/trips.h"
#include "planning/tune.h"
#include "source/operation_text.h"

static cl_ulong within(cl_ulong value, cl_ulong low, cl_ulong high) {
  return value < low ? low : value > high ? high : value;
}

// Bytes a work-item holds of one element until it is combined: what it reads, or the state where that is made at once.
static cl_ulong held_bytes(const struct clr_operation *operation) {
  cl_ulong bytes = operation->element.size;
  for (size_t i = 0; i < operation->input_count; i++)
    bytes += operation->input_sizes[i];
  bool lifted = clr_lanes_form(operation) == CLR_LANES_ARRAY;
  return lifted && operation->state_size > bytes ? operation->state_size : bytes;
}

static bool reads_singly(const struct clr_shape *shape) {
  return shape->in_order || shape->strided;
}

// Elements of a column that are under way at once. Numbers of two bytes that become floats take longer to become that
// than others to be combined; more of them are worth their registers, but where the best is chosen of each row as it is
// there.
static cl_ulong elements_at_once(const struct clr_operation *operation) {
  const struct clr_type *type = operation->element.row;
  bool converts = type && (type->reading == CLR_READING_HALF || type->reading == CLR_READING_BFLOAT16);
  return converts && !clr_operation_choice(operation) ? 64 : 32;
}

void clr_fixed_columns(const struct clr_operation *operation, struct clr_shape *shape) {
  const cl_ulong load_bytes = 16, most_held = 320, least_held = 64;
  bool array = clr_lanes_form(operation) == CLR_LANES_ARRAY;
  cl_ulong by_load = load_bytes / shape->element_size, by_state = (array ? 64 : 256) / shape->state_size;
  shape->vector = reads_singly(shape) ? 1 : clr_power_of_two_below(by_load < by_state ? by_load : by_state);
  shape->narrow = clr_narrows(operation);
  // Registers hold the lanes' states and what is under way.
  cl_ulong states = shape->vector * shape->state_size,
           left = states < most_held - least_held ? most_held - states : least_held;
  cl_ulong rows = within(left / (shape->vector * held_bytes(operation)), 1, shape->rows);
  // An element of a small type takes a register all the same once it is there. Fewer than four loads wait for each
  // other.
  cl_ulong enough = within(elements_at_once(operation) / shape->vector, 4, shape->rows);
  shape->rows_at_once = clr_power_of_two_below(rows < enough ? rows : enough);
}

void clr_fixed_vectors(const struct clr_facts *facts, const struct clr_operation *operation, struct clr_shape *shape) {
  enum clr_lanes_form form = clr_lanes_form(operation);
  bool pairs = clr_element_is_complex(&operation->element);
  // Of states of one number eight lanes, also of small types, are as quick as sixteen or quicker where instructions
  // take no sixteen.
  bool in_halves = facts->native_vector_width < 16 && form == CLR_LANES_VECTOR;
  cl_ulong widest = pairs || in_halves ? 8 : 16, by_state = (form == CLR_LANES_ARRAY ? 256 : 1024) / shape->state_size;
  cl_ulong vector = within(by_state, 1, widest);
  shape->vector = reads_singly(shape) ? 1 : clr_power_of_two_below(vector < shape->lanes ? vector : shape->lanes);
  shape->narrow = clr_narrows(operation);
  // All states of a row in registers, if they are few.
  shape->vectors_at_once = form == CLR_LANES_VECTOR && shape->lanes * shape->state_size <= 512;
}

void clr_fixed_beside(const struct clr_operation *operation, cl_ulong most_bytes, struct clr_shape *shape) {
  enum clr_lanes_form form = clr_lanes_form(operation);
  bool pairs = clr_element_is_complex(&operation->element);
  cl_ulong by_state = (form == CLR_LANES_ARRAY ? 256 : 1024) / shape->state_size;
  cl_ulong vector = within(most_bytes / shape->element_size, 1, pairs ? 8 : 16);
  shape->vector = clr_power_of_two_below(within(by_state, 1, vector));
}

// NODE_ROOM of cl/nodes.clh.
static cl_ulong room(cl_ulong nodes) {
  return nodes + nodes / 8;
}

cl_int clr_fixed_nodes(const char *name, const struct clr_facts *facts, struct clr_shape *shape,
                       struct clr_status *status) {
  const cl_ulong turns_at_once = 8, good_bytes = 16384;
  // A node of each work-item in the kernel of elements, beside which that of states has its list.
  cl_ulong of_items = room(shape->group_size) * shape->state_size;
  shape->exact = shape->exact && of_items + CLR_LOCAL_RESERVE <= facts->local_mem_size;
  cl_ulong stack = CLR_STACK_DEPTH * shape->state_size;
  cl_ulong usable =
    facts->local_mem_size > CLR_LOCAL_RESERVE + stack ? facts->local_mem_size - CLR_LOCAL_RESERVE - stack : 0;
  shape->nodes = shape->group_size * turns_at_once;
  while (shape->nodes > shape->group_size && shape->nodes * shape->state_size > good_bytes)
    shape->nodes /= 2;
  // Where work-items fold by themselves first, there is but one turn, and nothing to measure.
  if (!shape->exact)
    shape->nodes = clr_tuned_or(shape, CLR_TUNE_TURNS, shape->nodes / shape->group_size) * shape->group_size;
  while (shape->nodes > 1 && room(shape->nodes) * shape->state_size > usable)
    shape->nodes /= 2;
  shape->local_bytes = room(shape->nodes) * shape->state_size + stack;
  if (shape->exact && of_items > shape->local_bytes)
    shape->local_bytes = of_items;
  if (shape->local_bytes + CLR_LOCAL_RESERVE > facts->local_mem_size)
    return clr_fail(status, CLRED_STRATEGY_REFUSED, "%s: local_mem_size is %llu: too little for states of %llu bytes",
                    name, (unsigned long long)facts->local_mem_size, (unsigned long long)shape->state_size);
  return CL_SUCCESS;
}

void clr_fixed_groups(const struct clr_problem *problem, cl_ulong groups_max, struct clr_shape *shape) {
  shape->groups_max = problem->groups ? problem->groups : groups_max;
}

void clr_fixed_fit(const struct clr_facts *facts, const struct clr_problem *problem, cl_ulong groups_max,
                   struct clr_shape *shape) {
  if (!*problem->finish)
    shape->finish = facts->device_fence ? CLR_FINISH_LAST_GROUP : CLR_FINISH_RELAUNCH;
  clr_fixed_groups(problem, clr_trips_groups(facts, groups_max), shape);
}

cl_ulong clr_fixed_scratch(const struct clr_shape *shape, cl_ulong n, bool *bounded) {
  (void)n;
  *bounded = true;
  return shape->groups_max;
}

static cl_ulong tiles(const struct clr_shape *shape, cl_ulong n) {
  return clr_ceil_divide(n, shape->rows * shape->lanes);
}

// Tiles a group takes: the smallest power of two with which the groups are enough, and no fewer than a group is worth.
static cl_ulong span(const struct clr_shape *shape, cl_ulong n) {
  cl_ulong enough = clr_power_of_two_above(clr_ceil_divide(tiles(shape, n), shape->groups_max));
  return enough > shape->tiles_at_least ? enough : shape->tiles_at_least;
}

cl_ulong clr_fixed_elements(const struct clr_shape *shape, cl_ulong n) {
  return clr_ceil_divide(span(shape, n) * shape->rows * shape->lanes, shape->group_size);
}

bool clr_fixed_pass(const struct clr_shape *shape, cl_ulong n, unsigned index, struct clr_pass *pass) {
  struct clr_pass fold = {
    .kernel = CLR_KERNEL_ELEMENTS,
    .groups = clr_ceil_divide(tiles(shape, n), span(shape, n)),
    .group_size = shape->group_size,
    .count = n,
    .span = span(shape, n),
  };
  *pass = fold;
  if (index == 0)
    return true;
  if (shape->finish == CLR_FINISH_HOST)
    *pass = (struct clr_pass){.kind = CLR_PASS_FOLD_ON_HOST, .count = fold.groups, .pairs = true};
  else
    *pass = (struct clr_pass){
      .kernel = CLR_KERNEL_STATES, .groups = 1, .group_size = shape->group_size, .count = fold.groups};
  bool relaunches = shape->finish == CLR_FINISH_RELAUNCH && fold.groups > 1;
  return index == 1 && (relaunches || shape->finish == CLR_FINISH_HOST);
}

// RADIX of cl/nodes.clh.
static cl_ulong radix(const struct clr_shape *shape) {
  return shape->state_size > 64 ? 2 : shape->state_size > 32 ? 4 : 8;
}

// One before each round of a fold of `nodes` nodes, and one behind.
static cl_ulong barriers_of_fold(const struct clr_shape *shape, cl_ulong nodes) {
  cl_ulong rounds = 0;
  for (cl_ulong apart = 1; apart < nodes; apart *= radix(shape))
    rounds++;
  return rounds + 1;
}

// wide folds one node of each work-item once, or its list turn by turn; chunked has no barrier.
static cl_ulong barriers(const struct clr_shape *shape, const struct clr_pass *pass) {
  bool reads_elements = pass->kernel == CLR_KERNEL_ELEMENTS;
  cl_ulong listed = reads_elements ? pass->span * (shape->lanes / shape->vector) : pass->count;
  if (!shape->nodes)
    return 0;
  if (reads_elements && shape->exact)
    return barriers_of_fold(shape, shape->group_size);
  return clr_ceil_divide(listed, shape->nodes) * barriers_of_fold(shape, shape->nodes);
}

bool clr_fixed_step(const struct clr_shape *shape, cl_ulong n, const struct clr_pass *pass, unsigned index,
                    struct clred_step *step) {
  struct clr_activity all = {.items = pass->group_size, .apart = 1};
  (void)n;
  if (index > 0)
    return index == 1 && clr_step_partials(step, shape, pass, 1);
  clr_step_make(step, shape, pass, all, all, pass->kernel == CLR_KERNEL_ELEMENTS ? "tiles" : "nodes");
  step->global_requests = pass->count;
  step->barriers = barriers(shape, pass);
  return true;
}

// The lanes of all tiles as one list, in adjacent pairs.
void clr_fixed_fold(const struct clr_shape *shape, const struct clr_values *values, struct clr_pairs *pairs) {
  cl_ulong tile_size = shape->rows * shape->lanes;
  cl_ulong lane_step = shape->in_order ? shape->rows : 1, row_step = shape->in_order ? 1 : shape->lanes;
  for (cl_ulong tile = 0; tile < values->count; tile += tile_size) {
    cl_ulong present = values->count - tile < tile_size ? values->count - tile : tile_size;
    for (cl_ulong lane = 0; lane < shape->lanes && lane * lane_step < present; lane++) {
      union clr_room node, lifted;
      cl_ulong at = lane * lane_step;
      clr_lift(values, tile + at, &node);
      for (cl_ulong row = 1; row < shape->rows && at + row * row_step < present; row++) {
        clr_lift(values, tile + at + row * row_step, &lifted);
        clr_state_combine(values->operation, &node, &lifted);
      }
      clr_pairs_push(pairs, &node);
    }
  }
}

cl_int clr_fixed_reference(const struct clr_shape *shape, const struct clr_values *values, void *state) {
  struct clr_pairs pairs = {.operation = values->operation};
  clr_fixed_fold(shape, values, &pairs);
  clr_pairs_root(&pairs, state);
  return CL_SUCCESS;
}
