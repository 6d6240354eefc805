// Sums of floats by strategies with one, a few and many launches. None of them blocks the host. For the suites on
// events and on overlapping calls.
#pragma once

#include "clreduce.h"

#define PROBLEM_COUNT_MAX 100000

#define BOUND .count_max = PROBLEM_COUNT_MAX

static const clred_problem problems[] = {
  {OP(SUM, FLOAT), .strategy = "wide", .finish = "last_group"},
  {OP(SUM, FLOAT), .strategy = "wide", .finish = "relaunch", BOUND},
  {OP(SUM, FLOAT), .strategy = "chunked", .finish = "last_group"},
  {OP(SUM, FLOAT), .strategy = "bottom_up", BOUND},
  {OP(SUM, FLOAT), .strategy = "top_down", BOUND},
  {OP(SUM, FLOAT), .strategy = "hand_off", .finish = "relaunch", BOUND},
  {OP(SUM, FLOAT), .strategy = "local_sequential", .finish = "relaunch", BOUND},
  {OP(SUM, FLOAT), .strategy = "atomic", BOUND},
};

#define PROBLEMS ((int)COUNT_OF(problems))
