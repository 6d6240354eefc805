#include "turns.h"

#include "quantile.h"

int take_turns(const struct turn_side *const sides[], size_t count, enum bench_clock clock, size_t runs, size_t calls,
               double medians[]) {
  static double seconds[TURNS_MOST_SIDES][TURNS_WARM_UP + TURNS_MOST_RUNS];

  for (size_t turn = 0; turn < TURNS_WARM_UP + runs; turn++)
    for (size_t i = 0; i < count; i++) {
      enum bench_clock own = sides[i]->has_device_clock ? clock : BENCH_WALL;
      if (sides[i]->run(own, calls, &seconds[i][turn]))
        return 1;
    }
  for (size_t i = 0; i < count; i++)
    medians[i] = median(seconds[i] + TURNS_WARM_UP, runs);
  return 0;
}
