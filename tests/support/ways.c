// Ways to reduce a line: see ways.h.
#include "support/ways.h"

bool way_at(int index, struct way *way) {
  clred_strategy_info info;
  for (size_t s = 0; clred_strategy_at(s, &info) == CL_SUCCESS; s++)
    for (size_t f = 0; reduces_lines(&info) && f < finish_count(&info); f++)
      if (index-- == 0) {
        *way = (struct way){.strategy = info.name, .finish = info.finishes[f]};
        snprintf(way->name, sizeof way->name, "%s+%s", info.name, way->finish ? way->finish : "");
        return true;
      }
  return false;
}

bool is_way(const struct way *way, const char *name) {
  return strcmp(way->name, name) == 0;
}

clred_problem problem_for(const clred_operator *op, const struct way *way) {
  return (clred_problem){.custom = op, .strategy = way->strategy, .finish = way->finish, .count_max = WAYS_COUNT_MAX};
}

struct way way_named(const char *name) {
  struct way way;
  for (int w = 0; way_at(w, &way); w++)
    if (is_way(&way, name))
      return way;
  ck_abort_msg("there is no %s", name);
}

bool is_atomic(const struct way *way) {
  return strcmp(way->strategy, "atomic") == 0 || (way->finish && strcmp(way->finish, "atomic") == 0);
}

bool has_atomics_of(size_t state) {
  return state == 4 || (state == 8 && device_fact(&under_test, "int64_atomics", 0));
}
