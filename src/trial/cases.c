// Chooses the calls of a trial from the plan's geometry.
#include "call/check.h"
#include "planning/strategy.h"
#include "trial/trial.h"

#define MOST_ELEMENTS CLR_TRIAL_ELEMENTS

// Warming makes calls up to these sizes. Forms that need longer calls are compiled at the first such call.
#define WARMED_ELEMENTS ((cl_ulong)1 << 24)
#define WARMED_BYTES ((cl_ulong)64 << 20)

// From this number of work-items on, a launch has another form.
#define LARGE 65535

static bool is_grid(const clred_plan *plan) {
  return plan->problem.layout == CLRED_LAYOUT_ROWS || plan->problem.layout == CLRED_LAYOUT_COLUMNS;
}

// Elements apart in strided calls. Warming needs memory for longer calls.
cl_ulong clr_trial_stride(const struct clr_trial *trial) {
  return trial->warms ? 1 : 3;
}

cl_ulong clr_trial_elements(const struct clr_trial *trial, const struct clr_trial_case *one) {
  const clred_plan *plan = trial->plan;
  if (plan->problem.layout == CLRED_LAYOUT_STRIDED)
    return one->count ? (one->count - 1) * clr_trial_stride(trial) + 1 : 0;
  return is_grid(plan) ? one->count * one->rows * one->columns : one->count;
}

cl_ulong clr_trial_results(const struct clr_trial *trial, const struct clr_trial_case *one) {
  const clred_plan *plan = trial->plan;
  if (plan->problem.selects)
    return one->count + plan->problem.custom->keeping.ends;
  return plan->problem.scan ? clr_trial_elements(trial, one)
                            : one->rows * one->columns * clr_values_per_result(&plan->problem);
}

// ---------------------------------------------------------------- Which calls are possible

// Half of the device's largest buffer is left for further elements (edge values) and for the guards around the results.
static cl_ulong most_bytes(const struct clr_trial *trial) {
  return clr_min(trial->warms ? WARMED_BYTES : CLR_TRIAL_BYTES, trial->plan->runtime->facts.max_alloc / 2);
}

static cl_ulong bytes_an_element(const clred_plan *plan) {
  const cl_ulong largest = clr_largest_operand(&plan->problem.operation);
  return plan->problem.layout >= CLRED_LAYOUT_SEGMENTS ? clr_max(largest, sizeof(cl_ulong)) : largest;
}

static bool is_possible(const struct clr_trial *trial, const struct clr_trial_case *one) {
  const clred_plan *plan = trial->plan;
  const cl_ulong most = trial->warms ? WARMED_ELEMENTS : clr_trial_stride(trial) * MOST_ELEMENTS;
  const cl_ulong elements = clr_trial_elements(trial, one), results = clr_trial_results(trial, one);
  return one->count <= clr_min(plan->shape.count_max, plan->shape.count_most) && elements <= most &&
         one->rows * one->columns <= most &&
         clr_max(elements, one->rows) * bytes_an_element(plan) <= most_bytes(trial) &&
         results * plan->problem.operation.result_size <= most_bytes(trial);
}

static struct clr_extent extent_of(const struct clr_trial *trial, const struct clr_trial_case *one) {
  const clred_plan *plan = trial->plan;
  const bool columns = plan->problem.layout == CLRED_LAYOUT_COLUMNS;
  return clr_extent_of(plan, &(clred_call){.count = one->count,
                                           .stride = columns ? one->columns : clr_trial_stride(trial),
                                           .rows = one->rows,
                                           .columns = one->columns});
}

static bool is_known(const struct clr_trial *trial, const struct clr_launch_form *form) {
  for (size_t i = 0; i < trial->form_count; i++) {
    const struct clr_launch_form *other = &trial->forms[i];
    if (other->kernel == form->kernel && other->group_size == form->group_size &&
        other->has_groups == form->has_groups && other->is_large == form->is_large)
      return true;
  }
  return trial->form_count == CLR_TRIAL_FORMS;
}

// Adds the forms of the call's launches to those of the calls before. True if one of them is new.
static bool add_forms(struct clr_trial *trial, const struct clr_trial_case *one) {
  const clred_plan *plan = trial->plan;
  const struct clr_extent extent = extent_of(trial, one);
  const size_t before = trial->form_count;
  struct clr_pass pass;
  if (clr_writes_nothing(&plan->problem, plan->strategy, &extent))
    return false;
  for (unsigned i = 0; clr_strategy_pass(&plan->shape, &extent, i, &pass); i++) {
    const struct clr_launch_form form = {pass.kernel, pass.group_size, pass.groups > 1,
                                         pass.groups * pass.group_size >= LARGE};
    if (pass.kind == CLR_PASS_LAUNCH && !is_known(trial, &form))
      trial->forms[trial->form_count++] = form;
  }
  return trial->form_count > before;
}

// ---------------------------------------------------------------- The list

static bool is_listed(const struct clr_trial *trial, const struct clr_trial_case *one) {
  for (size_t i = 0; i < trial->case_count; i++) {
    const struct clr_trial_case *other = &trial->cases[i];
    if (other->count == one->count && other->rows == one->rows && other->columns == one->columns &&
        other->lengths == one->lengths && other->first == one->first && other->decides == one->decides &&
        other->common == one->common)
      return true;
  }
  return false;
}

// Lengths of rows of calls over segments and runs. A call has as many rows as its elements fill.
static const cl_ulong mixed[] = {3, 0, 1, 1, 2, 16, 17, 5, 64, 1, 33, 130, 7, 1025, 1, 0, 0, 255, 256, 257, 4097};

cl_ulong clr_trial_length(const clred_plan *plan, const struct clr_trial_case *one, cl_ulong row) {
  if (one->lengths == CLR_TRIAL_EQUAL)
    return one->count / one->rows;
  if (one->lengths == CLR_TRIAL_ONES)
    return 1;
  const cl_ulong length = mixed[row % (sizeof mixed / sizeof *mixed)];
  return plan->problem.layout == CLRED_LAYOUT_SEGMENTS || length ? length : 1;
}

static cl_ulong mixed_rows(const clred_plan *plan, cl_ulong count) {
  const struct clr_trial_case one = {.lengths = CLR_TRIAL_MIXED};
  cl_ulong rows = 0;
  for (cl_ulong used = 0; used < count; rows++)
    used += clr_trial_length(plan, &one, rows);
  return rows;
}

static void raise(cl_ulong *most, cl_ulong value) {
  *most = value > *most ? value : *most;
}

static void add(struct clr_trial *trial, const struct clr_trial_case *given) {
  const clred_plan *plan = trial->plan;
  struct clr_trial_case counted = *given, *one = &counted;
  if (one->lengths == CLR_TRIAL_MIXED)
    one->rows = mixed_rows(plan, one->count);
  if (!is_possible(trial, one) || is_listed(trial, one) || trial->case_count == CLR_TRIAL_CASES)
    return;
  trial->cases[trial->case_count++] = *one;
  raise(&trial->elements, clr_trial_elements(trial, one));
  raise(&trial->results, clr_trial_results(trial, one));
  raise(&trial->rows, one->rows * one->columns);
}

// Adds a call only if it launches something that the calls so far do not.
static void add_if_new(struct clr_trial *trial, const struct clr_trial_case *one) {
  if (is_possible(trial, one) && add_forms(trial, one))
    add(trial, one);
}

static void note_forms(struct clr_trial *trial) {
  for (size_t i = 0; i < trial->case_count; i++)
    add_forms(trial, &trial->cases[i]);
}

// ---------------------------------------------------------------- Lines

// Where something of the geometry ends: a load, the elements that a group loads at once, a tile, the share of a group.
#define BOUNDARIES 6
static void boundaries_of(const clred_plan *plan, cl_ulong at[BOUNDARIES]) {
  const struct clr_shape *shape = &plan->shape;
  clred_plan_info info = {.elements_per_group = 0};
  clr_plan_inspect(plan, MOST_ELEMENTS, &info);
  const cl_ulong tile = shape->lanes * shape->rows, loads = shape->group_size * (shape->vector ? shape->vector : 1);
  const cl_ulong found[BOUNDARIES] = {shape->vector, shape->group_size, loads, tile, 2 * tile, info.elements_per_group};
  for (size_t i = 0; i < BOUNDARIES; i++)
    at[i] = found[i] <= MOST_ELEMENTS / 2 ? found[i] : 0;
}

// Calls over a few edge values each, and one over all. Only built-in operators must treat them as the host does, and
// only if the device has subnormal numbers.
static void choose_edges(struct clr_trial *trial) {
  const clred_plan *plan = trial->plan;
  const cl_ulong first = trial->elements, few = 3;
  if (plan->problem.layout != CLRED_LAYOUT_LINE || plan->problem.custom || plan->problem.in_place ||
      !plan->runtime->facts.denormals)
    return;
  for (cl_ulong i = 0; i + few <= CLR_TRIAL_EDGES; i += few)
    add(trial, &(struct clr_trial_case){few, 1, 1, CLR_TRIAL_EQUAL, first + i, 0, 0, 0});
  add(trial, &(struct clr_trial_case){CLR_TRIAL_EDGES, 1, 1, CLR_TRIAL_EQUAL, first, 0, 0, 0});
}

// The most elements of a call that the plan takes and for which there is memory.
static cl_ulong most_of(const struct clr_trial *trial) {
  const clred_plan *plan = trial->plan;
  const struct clr_operation *operation = &plan->problem.operation;
  const bool has_many_results = plan->problem.scan != CLRED_SCAN_NONE || plan->problem.selects;
  const cl_ulong step = plan->problem.layout == CLRED_LAYOUT_STRIDED ? clr_trial_stride(trial) : 1,
                 bytes = clr_max(bytes_an_element(plan), has_many_results ? operation->result_size : 1);
  const cl_ulong fits = clr_max(most_bytes(trial) / (bytes * step), 1) - 1;
  return clr_min(clr_min(MOST_ELEMENTS, fits), clr_min(plan->shape.count_max, plan->shape.count_most));
}

// One element decides the result, in one call for each position near a boundary: no group and no work-item may be left
// out. Sums show a missing element anyway; minimum, maximum, and, or and products of many random numbers do not.
static void choose_deciding(struct clr_trial *trial, const cl_ulong *at, size_t count) {
  const clred_plan *plan = trial->plan;
  const cl_ulong share = at[count - 1] ? at[count - 1] : 1024;
  const cl_ulong elements = clr_min(3 * share + 7, most_of(trial));
  if (plan->problem.layout != CLRED_LAYOUT_LINE || (plan->problem.custom && !clr_plan_is_above_hint(plan)) ||
      plan->problem.selects || plan->problem.scan || plan->problem.histogram || !elements)
    return;
  for (size_t i = 0; i <= count; i++)
    for (int beside = -1; beside <= 0; beside++) {
      const cl_ulong boundary = i == count ? elements : at[i], place = boundary + (cl_ulong)beside;
      if (boundary > 0 && place < elements) {
        add(trial, &(struct clr_trial_case){elements, 1, 1, CLR_TRIAL_EQUAL, 0, place + 1, 0x3f, 0});
        add(trial, &(struct clr_trial_case){elements, 1, 1, CLR_TRIAL_EQUAL, 0, place + 1, 0, 0x3f});
      }
    }
}

static void choose_lines(struct clr_trial *trial) {
  const bool selects = trial->plan->problem.selects;
  const struct clr_trial_case longest = {most_of(trial), 1, 1, CLR_TRIAL_EQUAL, 0, 0, 0, 0};
  cl_ulong at[BOUNDARIES];
  boundaries_of(trial->plan, at);
  // Selections compare the other calls with the longest, so it comes first.
  if (selects)
    add(trial, &longest);
  for (cl_ulong count = 0; count <= 3; count++)
    add(trial, &(struct clr_trial_case){count, 1, 1, CLR_TRIAL_EQUAL, 0, 0, 0, 0});
  for (size_t i = 0; i < BOUNDARIES; i++)
    for (int beside = -1; beside <= 1 && at[i]; beside++)
      add(trial, &(struct clr_trial_case){at[i] + (cl_ulong)beside, 1, 1, CLR_TRIAL_EQUAL, 0, 0, 0, 0});
  add(trial,
      &(struct clr_trial_case){clr_min(3 * at[BOUNDARIES - 1] + 7, longest.count), 1, 1, CLR_TRIAL_EQUAL, 0, 0, 0, 0});
  note_forms(trial);
  for (cl_ulong count = 4; count < MOST_ELEMENTS; count *= 2)
    add_if_new(trial, &(struct clr_trial_case){count + 1, 1, 1, CLR_TRIAL_EQUAL, 0, 0, 0, 0});
  add(trial, &longest);
  choose_edges(trial);
  choose_deciding(trial, at, BOUNDARIES);
}

// ---------------------------------------------------------------- Rows and columns

static struct clr_trial_case grid(const clred_plan *plan, cl_ulong count, cl_ulong rows) {
  const bool columns = plan->problem.layout == CLRED_LAYOUT_COLUMNS;
  const cl_ulong blocks = columns && rows > 2 ? 2 : 1;
  return (struct clr_trial_case){
    count, columns ? blocks : rows, columns ? clr_ceil_divide(rows, blocks) : 1, CLR_TRIAL_EQUAL, 0, 0, 0, 0};
}

static void choose_grids(struct clr_trial *trial) {
  const clred_plan *plan = trial->plan;
  const cl_ulong lengths[] = {1, 2, 3, 16, 17, 33}, group = plan->shape.group_size;
  cl_ulong at[BOUNDARIES];
  struct clr_trial_case one;
  boundaries_of(plan, at);
  one = grid(plan, 0, 3);
  add(trial, &one);
  for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
    one = grid(plan, lengths[i], 3);
    add(trial, &one);
    one = grid(plan, lengths[i], 2 * group + 67);
    add(trial, &one);
  }
  for (size_t i = 0; i < BOUNDARIES; i++)
    for (int beside = -1; beside <= 1 && at[i]; beside++) {
      one = grid(plan, at[i] + (cl_ulong)beside, 3);
      add(trial, &one);
    }
  note_forms(trial);
  for (cl_ulong size = 1; size < MOST_ELEMENTS; size *= 2)
    for (cl_ulong rows = 1; rows <= size; rows *= 2) {
      one = grid(plan, size / rows + 1, rows);
      add_if_new(trial, &one);
    }
}

// ---------------------------------------------------------------- Segments and runs

static void choose_rows(struct clr_trial *trial) {
  const cl_ulong group = trial->plan->shape.group_size;
  const cl_ulong counts[] = {1, 2, 17, group, group + 1, 4107, 16428};
  cl_ulong at[BOUNDARIES];
  boundaries_of(trial->plan, at);
  add(trial, &(struct clr_trial_case){most_of(trial), 0, 1, CLR_TRIAL_MIXED, 0, 0, 0, 0});
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
    add(trial, &(struct clr_trial_case){counts[i], counts[i], 1, CLR_TRIAL_ONES, 0, 0, 0, 0});
    add(trial, &(struct clr_trial_case){counts[i], 1, 1, CLR_TRIAL_EQUAL, 0, 0, 0, 0});
    add(trial, &(struct clr_trial_case){counts[i], 0, 1, CLR_TRIAL_MIXED, 0, 0, 0, 0});
  }
  for (size_t i = 2; i < BOUNDARIES; i++)
    for (int beside = 0; beside <= 1 && at[i]; beside++)
      add(trial, &(struct clr_trial_case){at[i] + (cl_ulong)beside, 1, 1, CLR_TRIAL_EQUAL, 0, 0, 0, 0});
  add(trial, &(struct clr_trial_case){most_of(trial), 1, 1, CLR_TRIAL_EQUAL, 0, 0, 0, 0});
}

void clr_trial_choose(struct clr_trial *trial) {
  if (is_grid(trial->plan))
    choose_grids(trial);
  else if (trial->plan->problem.layout >= CLRED_LAYOUT_SEGMENTS)
    choose_rows(trial);
  else
    choose_lines(trial);
}

// ---------------------------------------------------------------- Warming

static struct clr_trial_case equal_rows(const clred_plan *plan, cl_ulong count, cl_ulong rows) {
  const bool columns = plan->problem.layout == CLRED_LAYOUT_COLUMNS;
  return (struct clr_trial_case){count, columns ? 1 : rows, columns ? rows : 1, CLR_TRIAL_EQUAL, 0, 0, 0, 0};
}

// Tries short calls first: they have most forms.
void clr_trial_choose_to_warm(struct clr_trial *trial) {
  const clred_plan *plan = trial->plan;
  const bool has_rows = is_grid(plan) || plan->problem.layout == CLRED_LAYOUT_SEGMENTS;
  for (cl_ulong size = 1; size <= WARMED_ELEMENTS; size *= 2)
    for (cl_ulong rows = 1; rows <= (has_rows ? size : 1); rows *= 2)
      for (cl_ulong more = size == rows ? 0 : 1; more <= 2; more++) {
        const cl_ulong count = size / (is_grid(plan) ? rows : 1);
        const struct clr_trial_case one = equal_rows(plan, more ? count + more - 1 : 0, rows);
        add_if_new(trial, &one);
      }
}
