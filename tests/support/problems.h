// Sums of floats by strategies with one launch, with a few, and with many, none of which blocks the host: what the
// suites on events and on overlapping calls run.

#ifndef CLREDUCE_TESTS_DEVICE_PROBLEMS_H
#define CLREDUCE_TESTS_DEVICE_PROBLEMS_H

#include "clreduce.h"

#define PROBLEM_COUNT_MAX 100000

#define SUM .type = CLRED_TYPE_FLOAT, .op = CLRED_OP_ADD
#define BOUND .count_max = PROBLEM_COUNT_MAX

static const clred_problem problems[] = {
  {SUM, .strategy = "wide", .finish = "last_group"},
  {SUM, .strategy = "wide", .finish = "relaunch", BOUND},
  {SUM, .strategy = "chunked", .finish = "last_group"},
  {SUM, .strategy = "bottom_up", BOUND},
  {SUM, .strategy = "top_down", BOUND},
  {SUM, .strategy = "hand_off", .finish = "relaunch", BOUND},
  {SUM, .strategy = "local_sequential", .finish = "relaunch", BOUND},
  {SUM, .strategy = "atomic", BOUND},
};

#define PROBLEMS ((int)(sizeof problems / sizeof *problems))

#endif
