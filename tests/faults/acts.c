// Scenarios of table rows that call one function of the library: see calls.h.
#include "calls.h"

const struct act_row *act_row_of(const struct bench *bench) {
  return bench->scenario->row;
}

static const char *open_act(struct bench *bench) {
  const struct act_row *row = act_row_of(bench);
  bench->host_size = row->results;
  return row->with_plan ? bench_open_plan(bench, row->assume, &row->problem) : NULL;
}

static const char *open_runtime(struct bench *bench) {
  return bench_open_runtime(bench, act_row_of(bench)->assume);
}

void add_acts(struct scenarios *all, const struct act_row *rows, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const struct act_row *row = &rows[i];
    struct scenario scenario =
      ROW(.row = row, .open = open_act, .act = row->run, .judge = bench_judge, .forgives = row->forgives,
          .forgives_memory = row->forgives_memory, .flags = row->flags);
    scenario.before = row->with_plan ? NULL : open_runtime;
    scenario.after = row->with_plan ? NULL : bench_release;
    add_scenario(all, row->name, scenario);
  }
}
