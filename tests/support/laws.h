// The laws of an operator, checked by clred_check_laws, and what each check must report: for the suites on laws and on
// their counterexamples. Each suite includes it once.
#pragma once

#include "support/fixture.h"

enum { IDENTITY, ASSOCIATIVITY, COMMUTATIVITY };

#define SEED 7

// The laws that the latest check reported.
static clred_law laws[CLRED_LAWS];

// Checks the laws. The check itself must succeed.
static void ask(const clred_problem *problem) {
  memset(laws, 0x55, sizeof laws);
  assert_ok(clred_check_laws(under_test.runtime, problem, SEED, laws));
  ck_assert_str_eq(laws[IDENTITY].name, "identity");
  ck_assert_str_eq(laws[ASSOCIATIVITY].name, "associativity");
  ck_assert_str_eq(laws[COMMUTATIVITY].name, "commutativity");
  ck_assert(laws[IDENTITY].claimed && laws[ASSOCIATIVITY].claimed);
  for (int i = 0; i < CLRED_LAWS; i++) {
    ck_assert_uint_gt(laws[i].trials, 4000);
    ck_assert_msg(laws[i].holds || laws[i].counterexample[0], "%s fails without a counterexample", laws[i].name);
  }
}

static void ask_own(const clred_operator *op) {
  ask(&(clred_problem){.custom = op});
}

// Checks the laws of an operator from named fields.
#define ASK(...) ask_own(&(clred_operator){__VA_ARGS__})

static void check_law(int law, bool holds, const char *counterexample) {
  ck_assert_msg(!laws[law].holds == !holds, "%s: %s", laws[law].name, laws[law].counterexample);
  ck_assert_str_eq(laws[law].counterexample, counterexample);
}

static void check_holds(int law) {
  check_law(law, true, "");
}

static void check_all_hold(void) {
  for (int law = 0; law < CLRED_LAWS; law++)
    check_holds(law);
}

static void check_fails(int law, const char *counterexample) {
  check_law(law, false, counterexample);
}
