// The passes that run on the host: one row for each kind. opencl/passes.c runs them.
#include "planning/host_passes.h"

#include "host/in_order.h"
#include "host/trees.h"

static void fold_partials(struct clr_host_work *work) {
  const struct clr_operation *operation = &work->problem->operation;
  union clr_room state;
  clr_fold_partials(operation, work->partials, work->pass->count, work->pass->pairs, &state);
  clr_state_lower(operation, &state, work->result);
}

static void walk(struct clr_host_work *work) {
  const struct clr_operation *operation = &work->problem->operation;
  union clr_room state;
  clr_state_identity(operation, &state);
  if (work->values.count)
    clr_fold_elements(&work->values, &state);
  clr_state_lower(operation, &state, work->result);
}

static void scan(struct clr_host_work *work) {
  if (work->problem->selects)
    work->kept = clr_select_in_order(&work->values, work->scan.results);
  else
    clr_scan_in_order(&work->scan, &work->values);
}

static void count(struct clr_host_work *work) {
  clr_count_elements(work->problem->histogram, &work->values, work->room, work->result);
}

const struct clr_host_pass clr_host_passes[] = {
  [CLR_PASS_FOLD_ON_HOST] = {CLR_NEEDS_PARTIALS, fold_partials},
  [CLR_PASS_WALK_ON_HOST] = {CLR_NEEDS_ELEMENTS, walk},
  [CLR_PASS_SCAN_ON_HOST] = {CLR_NEEDS_ELEMENTS | CLR_NEEDS_OUT, scan},
  [CLR_PASS_COUNT_ON_HOST] = {CLR_NEEDS_ELEMENTS | CLR_NEEDS_OUT, count},
};
