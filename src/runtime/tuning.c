#include "runtime/tuning.h"

#include "runtime/kept_file.h"

static const struct clr_kept_kind tuning_kind = {
  "tuning", CLR_TUNING_BEGIN, "it was measured with another version of the driver or of this library; tune anew",
  .by_reported = false};

static enum clr_tuning_state take(clred_runtime *runtime, const char *bytes, size_t length,
                                  const struct clr_tuning_key *key) {
  return clr_tuning_read(bytes, length, key, &runtime->tuning);
}

void clr_runtime_read_tuning(clred_runtime *runtime, const char *file) {
  clr_kept_load(runtime, &tuning_kind, file, &runtime->tuning_note, take);
}

struct clr_tuned clr_runtime_tuned(clred_runtime *runtime, const struct clr_strategy *strategy,
                                   const struct clr_problem *problem) {
  struct clr_tuning_row like;
  struct clr_tuned tuned = {0};
  clr_tuning_name(strategy->name, problem, &like);
  mtx_lock(&runtime->lock);
  const struct clr_tuning_row *row = clr_tuning_find(&runtime->tuning, &like);
  if (row)
    tuned = row->tuned;
  mtx_unlock(&runtime->lock);
  return tuned;
}

bool clr_runtime_keep_tuned(clred_runtime *runtime, const struct clr_tuning_row *row) {
  mtx_lock(&runtime->lock);
  bool kept = clr_tuning_put(&runtime->tuning, row);
  mtx_unlock(&runtime->lock);
  return kept;
}

static void write(clred_runtime *runtime, const char *old, size_t length, const struct clr_tuning_key *key,
                  struct clr_text *text) {
  clr_tuning_write(old, length, key, &runtime->tuning, text);
}

cl_int clr_runtime_save_tuning(clred_runtime *runtime, const char *file, struct clr_status *status) {
  return clr_kept_save(runtime, &tuning_kind, file, write, status);
}
