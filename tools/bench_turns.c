// The rounds.

#include "bench_turns.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fail.h"

enum { WARM_UP = 3, ENOUGH_RUNS = 5, CALLS_MOST = 1000 };

static const double run_seconds = 2e-3;  // that one run is to take, by as many calls as that needs
static const double side_budget = 2;     // seconds for the runs of a side

// Of one side.
struct turns {
  double *seconds[BENCH_CLOCKS];
  size_t count[BENCH_CLOCKS];
  uint64_t calls;
  double spent;
};

static bool is_lost(const struct side *side) {
  return *side->lost != '\0';
}

// A device that tells no time for a run leaves that run out.
static void note(struct turns *turns, enum bench_clock clock, double seconds) {
  if (!isnan(seconds))
    turns->seconds[clock][turns->count[clock]++] = seconds;
}

static uint64_t enough_calls(double seconds) {
  return (uint64_t)fmin(fmax(ceil(run_seconds / fmax(seconds, 1e-9)), 1), CALLS_MOST);
}

// The quickest call says how many make a run: what else the machine did is not to make runs short.
static int warm_up(struct side *side, struct turns *turns) {
  double seconds = INFINITY;
  for (int i = 0; i < WARM_UP; i++)
    for (int clock = 0; clock <= (int)side->has_device_clock; clock++) {
      double one = NAN;
      int code = is_lost(side) ? EXIT_DONE : side->run(side, (enum bench_clock)clock, 1, &one);
      if (code != EXIT_DONE)
        return code;
      seconds = clock == BENCH_WALL ? fmin(one, seconds) : seconds;
    }
  turns->calls = enough_calls(seconds);
  return EXIT_DONE;
}

static int take_turn(struct side *side, struct turns *turns) {
  if (is_lost(side) || (turns->count[BENCH_WALL] >= ENOUGH_RUNS && turns->spent > side_budget))
    return EXIT_DONE;
  for (int clock = 0; clock <= (int)side->has_device_clock && !is_lost(side); clock++) {
    double seconds = NAN;
    int code = side->run(side, (enum bench_clock)clock, turns->calls, &seconds);
    if (code != EXIT_DONE)
      return code;
    if (is_lost(side))
      break;
    note(turns, (enum bench_clock)clock, seconds);
    turns->spent += isnan(seconds) ? 0 : clock == BENCH_WALL ? seconds * (double)turns->calls : seconds;
  }
  return EXIT_DONE;
}

static void write_row(const struct side *side, const struct turns *turns, struct bench_row *row) {
  snprintf(row->refused, sizeof row->refused, "%s", side->lost);
  if (is_lost(side))
    return;
  row->bytes = side->bytes;
  row->calls = turns->calls;
  row->correct = !side->wrong;
  for (int clock = 0; clock < BENCH_CLOCKS; clock++)
    row->times[clock] = spread_of(turns->seconds[clock], turns->count[clock]);
}

// Another order in each round, the same in each program: whoever is before leaves caches and cores as it pleases, and
// always the same one would favour somebody.
static void shuffle(size_t order[], size_t count, uint32_t *state) {
  for (size_t i = count; i > 1; i--) {
    *state = *state * 1664525u + 1013904223u;
    size_t j = (size_t)(*state >> 8) % i, other = order[j];
    order[j] = order[i - 1];
    order[i - 1] = other;
  }
}

static int take_all(struct side sides[], struct turns turns[], size_t count, uint64_t runs) {
  size_t order[SIDES_MOST];
  uint32_t state = 1;
  int code = EXIT_DONE;
  for (size_t i = 0; i < count && code == EXIT_DONE; i++) {
    code = warm_up(&sides[i], &turns[i]);
    order[i] = i;
  }
  for (uint64_t run = 0; run < runs && code == EXIT_DONE; run++) {
    shuffle(order, count, &state);
    for (size_t i = 0; i < count && code == EXIT_DONE; i++)
      code = take_turn(&sides[order[i]], &turns[order[i]]);
  }
  return code;
}

int bench_take_turns(struct side sides[], struct bench_row rows[], size_t count, uint64_t runs) {
  struct turns *turns = calloc(count, sizeof *turns);
  double *room = calloc(count * BENCH_CLOCKS * runs, sizeof *room);
  int code = turns != NULL && room != NULL ? EXIT_DONE : fail_memory();
  for (size_t i = 0; i < count && code == EXIT_DONE; i++)
    for (size_t clock = 0; clock < BENCH_CLOCKS; clock++)
      turns[i].seconds[clock] = room + (i * BENCH_CLOCKS + clock) * runs;
  if (code == EXIT_DONE)
    code = take_all(sides, turns, count, runs);
  for (size_t i = 0; i < count && code == EXIT_DONE; i++)
    write_row(&sides[i], &turns[i], &rows[i]);
  free(turns);
  free(room);
  return code;
}
