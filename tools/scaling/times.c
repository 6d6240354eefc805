// The times of both devices beside one: sums of floats that lie on the devices, with the result in host memory. Calls
// of the two sides take turns; medians.
#include "pair.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define TURNS 51
#define SHIFT 777  // elements before a share that begins within a tile

static double now(void) {
  struct timespec time;
  timespec_get(&time, TIME_UTC);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static int compare(const void *a, const void *b) {
  double left, right;
  memcpy(&left, a, sizeof left);
  memcpy(&right, b, sizeof right);
  return (left > right) - (left < right);
}

static double median(double *seconds) {
  qsort(seconds, TURNS, sizeof *seconds, compare);
  return seconds[TURNS / 2];
}

// One of the things that are compared.
struct side {
  enum { ONE_DEVICE, BOTH_DEVICES, ONE_SHARE } kind;
  cl_ulong cut, count;  // ONE_SHARE: `count` elements from `cut` on, whose partial is not lowered
  float result;
  double enqueued;  // ONE_SHARE: the moment when the latest fold was enqueued
  double seconds;
  double enqueueing;  // ONE_SHARE: seconds
};

static void run_share(struct pair_plans *plans, struct side *side) {
  const struct pair_device *device = &plans->pair->devices[0];
  clred_partial_info info;
  clred_call call = plans->calls[0];
  call.in_offset = side->cut;
  call.count = side->count;
  pair_check(device, clred_partial_reset(plans->partials[0], side->cut), "clred_partial_reset");
  pair_check(device, clred_partial_fold(device->queue, plans->partials[0], &call, 0, NULL, NULL), "clred_partial_fold");
  side->enqueued = now();
  pair_check(device, clred_partial_inspect(plans->partials[0], &info), "clred_partial_inspect");
}

static void run(struct pair_plans *plans, struct side *side) {
  if (side->kind == ONE_DEVICE)
    pair_reduce_on_one(plans, 0, side->count, &side->result);
  else if (side->kind == BOTH_DEVICES)
    pair_reduce(plans, side->cut, side->count, &side->result);
  else
    run_share(plans, side);
}

// The first turn is not counted.
static void take_turns(struct pair_plans *plans, struct side *a, struct side *b) {
  struct side *sides[] = {a, b};
  double seconds[2][TURNS], enqueueing[2][TURNS] = {{0}};
  for (int turn = -1; turn < TURNS; turn++)
    for (int i = 0; i < 2; i++) {
      const double begun = now();
      run(plans, sides[i]);
      if (turn < 0)
        continue;
      seconds[i][turn] = now() - begun;
      enqueueing[i][turn] = sides[i]->enqueued - begun;
    }
  for (int i = 0; i < 2; i++) {
    sides[i]->seconds = median(seconds[i]);
    sides[i]->enqueueing = median(enqueueing[i]);
  }
}

// ---- One device beside both

static size_t check_result(const struct side *a, const struct side *b) {
  const bool are_same = memcmp(&a->result, &b->result, sizeof a->result) == 0;
  printf("%s", are_same ? "right" : "wrong");
  return !are_same;
}

static cl_ulong share_of(struct pair_plans *plans, cl_ulong count) {
  cl_ulong first, share;
  pair_check(&plans->pair->devices[0], clred_share(plans->plans[0], count, PAIR, 0, &first, &share), "clred_share");
  return share;
}

// Halves that begin at whole tiles, whatever clred_share says.
static cl_ulong half_of(cl_ulong count) {
  const cl_ulong tiles = (cl_ulong)1 << 14;
  return count >= 2 * tiles ? count / 2 / tiles * tiles : count;
}

static size_t print_sizes(struct pair_plans *plans, int greatest) {
  size_t wrong = 0;
  printf("\nsum of floats: halves on both devices, and shares of clred_share, beside one call\n"
         "   floats  one us  halves us  ratio  bits   shares us  ratio  bits\n");
  for (int power = 14; power <= greatest; power++) {
    const cl_ulong count = (cl_ulong)1 << power;
    struct side one = {.kind = ONE_DEVICE, .count = count}, again = one;
    struct side halves = {.kind = BOTH_DEVICES, .cut = half_of(count), .count = count};
    struct side shares = {.kind = BOTH_DEVICES, .cut = share_of(plans, count), .count = count};
    take_turns(plans, &one, &halves);
    take_turns(plans, &again, &shares);
    printf("     2^%-2d %7.0f  %9.0f  %5.2f  ", power, one.seconds * 1e6, halves.seconds * 1e6,
           one.seconds / halves.seconds);
    wrong += check_result(&one, &halves);
    printf("  %9.0f  %5.2f  ", shares.seconds * 1e6, again.seconds / shares.seconds);
    wrong += check_result(&again, &shares);
    printf("%s\n", shares.cut == count ? "  all on one" : "");
  }
  return wrong;
}

// ---- Measured speeds

// The speeds that clred_partial_speed measures, and from which power of two on the devices share by them.
static void print_speeds(struct pair_plans *plans) {
  double starts[PAIR], speeds[PAIR];
  cl_ulong first = 0, share = 0;
  int power = 10;
  printf("\n");
  for (size_t i = 0; i < PAIR; i++) {
    const struct pair_device *device = &plans->pair->devices[i];
    const double begun = now();
    pair_check(device, clred_partial_speed(device->queue, plans->partials[i], &starts[i], &speeds[i]),
               "clred_partial_speed");
    printf("device %zu: starts in %.1f us, %.1f GB/s; measured in %.0f ms\n", i, starts[i] * 1e6,
           speeds[i] * sizeof(float) * 1e-9, (now() - begun) * 1e3);
  }
  for (; power < 40; power++) {
    pair_check(&plans->pair->devices[0],
               clred_share_by_speed(plans->plans[0], (cl_ulong)1 << power, PAIR, starts, speeds, 0, &first, &share),
               "clred_share_by_speed");
    if (share && share < (cl_ulong)1 << power)
      break;
  }
  printf("clred_share_by_speed: both devices from 2^%d floats on; device 0 then has %.0f %%\n", power,
         100 * (double)share / (double)((cl_ulong)1 << power));
}

// ---- The goals

static void print_goal(const char *what, double ratio, bool is_reached) {
  printf("%s: %.3f: %s\n", what, ratio, is_reached ? "reached" : "missed");
}

static void print_both(struct pair_plans *plans, int power, double goal) {
  const cl_ulong count = (cl_ulong)1 << power;
  struct side one = {.kind = ONE_DEVICE, .count = count};
  struct side both = {.kind = BOTH_DEVICES, .cut = share_of(plans, count), .count = count};
  char what[80];
  take_turns(plans, &one, &both);
  snprintf(what, sizeof what, "2^%d floats by clred_share, times one device (goal %.2f)", power, goal);
  print_goal(what, one.seconds / both.seconds, one.seconds >= goal * both.seconds);
}

static void print_unaligned(struct pair_plans *plans, int power) {
  const cl_ulong count = (cl_ulong)1 << power;
  struct side whole = {.kind = ONE_SHARE, .cut = count, .count = count};
  struct side cut = {.kind = ONE_SHARE, .cut = count + SHIFT, .count = count};
  char what[80];
  take_turns(plans, &whole, &cut);
  printf("a share of 2^%d floats: %.0f us from a whole tile on, %.0f us from within a tile on; %.0f and %.0f us to "
         "enqueue them\n",
         power, whole.seconds * 1e6, cut.seconds * 1e6, whole.enqueueing * 1e6, cut.enqueueing * 1e6);
  snprintf(what, sizeof what, "unaligned share of 2^%d floats, time to an aligned one (goal 1.03)", power);
  print_goal(what, cut.seconds / whole.seconds, cut.seconds <= 1.03 * whole.seconds);
}

// The greatest power of two of floats that one buffer of each device can have.
static int power_that_fits(const struct pair *pair, int greatest) {
  for (size_t i = 0; i < PAIR; i++) {
    cl_ulong most = 0;
    clGetDeviceInfo(pair->devices[i].id, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof most, &most, NULL);
    while (greatest > 10 && most / sizeof(float) < (cl_ulong)1 << greatest)
      greatest--;
  }
  return greatest;
}

size_t pair_measure(const struct pair *pair, int greatest) {
  const clred_problem sum = {.type = CLRED_TYPE_FLOAT, .op = CLRED_OP_ADD};
  const int power = power_that_fits(pair, greatest), share = power - 2 < 28 ? power - 2 : 28;
  struct pair_plans plans;
  pair_plan(pair, &sum, &plans);
  for (size_t i = 0; i < PAIR; i++)
    plans.calls[i] = (clred_call){.in = pair_floats(&pair->devices[i], (cl_ulong)1 << power)};
  if (power < greatest)
    printf("one buffer has at most 2^%d floats\n", power);
  const size_t wrong = print_sizes(&plans, power);
  print_speeds(&plans);
  printf("\n");
  print_both(&plans, power, 1.9);
  print_both(&plans, power < 24 ? power : 24, 1);
  print_unaligned(&plans, share);
  for (size_t i = 0; i < PAIR; i++)
    clReleaseMemObject(plans.calls[i].in);
  pair_plan_release(&plans);
  return wrong;
}
