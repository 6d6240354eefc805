// Runs the sides of a measurement in turn: see side.h.
#include "bench/side.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/fail.h"

enum { ENOUGH_RUNS = 5, CALLS_MOST = 1000 };

static const double run_seconds = 2e-3;  // how long one run takes, if the rule does not say how many calls it has

// The measured times of one side.
struct turns {
  double *seconds[BENCH_CLOCKS];
  size_t count[BENCH_CLOCKS];
  uint64_t calls, taken;
  double spent;
};

static bool is_lost(const struct side *side) {
  return *side->lost != '\0';
}

static bool has_clock(const struct side *side, const struct turns_rule *rule, int clock) {
  return rule->clocks[clock] && !is_lost(side) && (clock == BENCH_WALL || side->has_device_clock);
}

static uint64_t enough_calls(double seconds) {
  return (uint64_t)fmin(fmax(ceil(run_seconds / fmax(seconds, 1e-9)), 1), CALLS_MOST);
}

// The fastest call decides how many calls make a run, because other work on the machine only makes calls slower.
static int warm_up(struct side *side, struct turns *turns, const struct turns_rule *rule) {
  double fastest = INFINITY;
  for (uint64_t i = 0; i < rule->warm_up; i++)
    for (int clock = 0; clock < BENCH_CLOCKS; clock++) {
      double seconds = NAN;
      int code = has_clock(side, rule, clock) ? side->run(side, (enum bench_clock)clock, 1, &seconds) : EXIT_DONE;
      if (code)
        return code;
      fastest = clock == BENCH_WALL ? fmin(seconds, fastest) : fastest;
    }
  turns->calls = rule->calls > 0 ? rule->calls : enough_calls(fastest);
  return EXIT_DONE;
}

// A run without a time (NaN) is left out.
static int run_once(struct side *side, struct turns *turns, enum bench_clock clock) {
  double seconds = NAN;
  int code = side->run(side, clock, turns->calls, &seconds);
  if (code || is_lost(side) || isnan(seconds))
    return code;
  turns->seconds[clock][turns->count[clock]++] = seconds;
  turns->spent += clock == BENCH_WALL ? seconds * (double)turns->calls : seconds;
  return EXIT_DONE;
}

static int take_turn(struct side *side, struct turns *turns, const struct turns_rule *rule) {
  int code = EXIT_DONE;
  if (rule->budget > 0 && turns->taken >= ENOUGH_RUNS && turns->spent > rule->budget)
    return EXIT_DONE;
  turns->taken++;
  for (int clock = 0; clock < BENCH_CLOCKS && !code; clock++)
    if (has_clock(side, rule, clock))
      code = run_once(side, turns, (enum bench_clock)clock);
  return code;
}

static void write_row(const struct side *side, const struct turns *turns, const struct turns_rule *rule,
                      struct bench_row *row) {
  snprintf(row->refused, sizeof row->refused, "%s", side->lost);
  if (is_lost(side))
    return;
  row->bytes = side->bytes;
  row->calls = rule->clocks[BENCH_WALL] ? turns->calls : row->calls;
  row->correct = !side->wrong;
  for (int clock = 0; clock < BENCH_CLOCKS; clock++)
    if (rule->clocks[clock])
      row->times[clock] = spread_of(turns->seconds[clock], turns->count[clock]);
}

// The sequence of orders is the same in each process. A side finds caches and cores as the side before it leaves them.
// With only one order, the same side would always have the advantage.
static void shuffle(size_t order[], size_t count, uint32_t *state) {
  for (size_t i = count; i > 1; i--) {
    *state = *state * 1664525u + 1013904223u;
    size_t j = (size_t)(*state >> 8) % i, other = order[j];
    order[j] = order[i - 1];
    order[i - 1] = other;
  }
}

static int take_all(struct side sides[], struct turns turns[], size_t count, const struct turns_rule *rule) {
  size_t order[SIDES_MOST];
  uint32_t state = 1;
  int code = EXIT_DONE;
  for (size_t i = 0; i < count && !code; i++) {
    code = warm_up(&sides[i], &turns[i], rule);
    order[i] = i;
  }
  for (uint64_t run = 0; run < rule->runs && !code; run++) {
    if (rule->shuffled)
      shuffle(order, count, &state);
    for (size_t i = 0; i < count && !code; i++)
      code = take_turn(&sides[order[i]], &turns[order[i]], rule);
  }
  return code;
}

int bench_take_turns(struct sides *sides, const struct turns_rule *rule) {
  const size_t count = sides->count;
  struct turns *turns = calloc(count, sizeof *turns);
  double *room = calloc(count * BENCH_CLOCKS * rule->runs, sizeof *room);
  int code = turns != NULL && room != NULL ? EXIT_DONE : fail_memory();
  for (size_t i = 0; i < count && !code; i++)
    for (size_t clock = 0; clock < BENCH_CLOCKS; clock++)
      turns[i].seconds[clock] = room + (i * BENCH_CLOCKS + clock) * rule->runs;
  code = code ? code : take_all(sides->list, turns, count, rule);
  for (size_t i = 0; i < count && !code; i++)
    write_row(&sides->list[i], &turns[i], rule, &sides->rows[i]);
  free(turns);
  free(room);
  return code;
}
