#include "compare.h"

#include <math.h>

#include "quantile.h"

static int is_right(double sum, const struct expectation *expected) {
  return fabs(sum - expected->sum) <= expected->tolerance;  // false for a NaN
}

static int run_once(const struct bench_side *side, enum bench_clock clock, const struct expectation *expected,
                    double *seconds, size_t *wrong) {
  double sum = 0;

  if (side->run(clock, 1, seconds) || side->result(&sum))
    return 1;
  *wrong += !is_right(sum, expected);
  return 0;
}

int bench_compare(const struct bench_side *const sides[2], const struct expectation expected[2], enum bench_clock clock,
                  size_t pairs, struct comparison *comparison) {
  static double seconds[2][BENCH_WARM_UP + BENCH_MOST_RUNS];

  *comparison = (struct comparison){.clock = clock};
  for (size_t pair = 0; pair < BENCH_WARM_UP + pairs; pair++)
    for (size_t i = 0; i < 2 && sides[i]; i++, comparison->runs++)
      if (run_once(sides[i], clock, &expected[i], &seconds[i][pair], &comparison->wrong[i]))
        return 1;
  for (size_t i = 0; i < 2 && sides[i]; i++)
    comparison->median_seconds[i] = median(seconds[i] + BENCH_WARM_UP, pairs);
  return 0;
}
