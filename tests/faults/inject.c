// One scenario with all its failures: see inject.h.
#include "inject.h"

#include <stdio.h>
#include <string.h>

#include "memory.h"

// ---------------------------------------------------------------- The calls that fail, if not all do

#define LISTED_MAX 8192

// The calls of a run without injected failures: the entries of OpenCL calls, or the number of allocations.
struct listed {
  long count;
  unsigned char entries[LISTED_MAX];
};

// EVENLY: `most` calls at equal distances. FIRST: also the first call of each entry. FIRST_AND_LAST: also the first and
// the last call of each entry.
enum choice { CHOOSE_EVENLY, CHOOSE_FIRST, CHOOSE_FIRST_AND_LAST };

static bool is_first_or_last(const struct listed *listed, long at, bool last_too) {
  const unsigned char entry = listed->entries[at - 1];
  bool first = true, last = last_too;
  for (long i = 0; i < at - 1 && first; i++)
    first = listed->entries[i] != entry;
  for (long i = at; i < listed->count && i < LISTED_MAX && last; i++)
    last = listed->entries[i] != entry;
  return first || last;
}

// Whether call `at`, from 1, is chosen. Calls past the end of the list are chosen. `most` 0: all are.
static bool choice_has(const struct listed *listed, long at, long most, enum choice choice) {
  const long step = most && listed->count > most ? (listed->count + most - 1) / most : 1;
  if (at > listed->count || (at - 1) % step == 0)
    return true;
  return choice != CHOOSE_EVENLY && at <= LISTED_MAX && is_first_or_last(listed, at, choice == CHOOSE_FIRST_AND_LAST);
}

// ---------------------------------------------------------------- One injection

static cl_int act(struct injector *injector, struct outcome *outcome) {
  struct bench *bench = &injector->bench;
  outcome->status = bench->scenario->act(bench);
  const char *message = bench->runtime ? clred_last_error(bench->runtime) : bench->error;
  snprintf(outcome->message, sizeof outcome->message, "%s", outcome->status ? message : "");
  return outcome->status;
}

static void arm(struct injector *injector, const struct injection *injection) {
  const struct fault_plan plan = {(enum fault_mode)injection->source, injection->at, injection->code};
  if (is_of_memory(injection->source))
    memory_arm(injection->at, injection->source == SOURCE_MEMORY_ON);
  else
    injector->bench.layer->arm(&plan);
}

static void disarm(struct injector *injector, const struct injection *injection, struct outcome *outcome) {
  struct fault_seen seen = {.entry = FAULT_ENTRIES};
  outcome->code = CL_OUT_OF_HOST_MEMORY;
  outcome->entry = FAULT_ENTRIES;
  if (is_of_memory(injection->source)) {
    memory_disarm(&outcome->hit);
    return;
  }
  injector->bench.layer->disarm(&seen);
  outcome->hit = seen.entry != FAULT_ENTRIES;
  outcome->too_far = seen.too_far;
  outcome->entry = seen.entry;
  outcome->code = seen.code;
}

// A call without an injection, in the same runtime.
static void act_well(struct injector *injector, const char *when) {
  struct outcome outcome = {.hit = false};
  bench_reset(&injector->bench);
  if (act(injector, &outcome))
    complain(injector, &injector->tally->counts.others, "%s: %s: '%s'", when, clred_status_name(outcome.status),
             outcome.message);
  judge(injector, outcome.status == CL_SUCCESS);
}

// Repeats the call until the plan's slots have no state of the failed call.
static void settle(struct injector *injector) {
  const struct scenario *scenario = injector->bench.scenario;
  for (unsigned i = 0; i < (scenario->settles ? scenario->settles : 1); i++)
    act_well(injector, "the same call afterwards");
  if (scenario->after)
    scenario->after(&injector->bench);
}

// The first call after a failure may do more than others and keep events until the next call. A leak stays after any
// number of calls.
static void settle_again(struct injector *injector) {
  const struct scenario *scenario = injector->bench.scenario;
  const char *trouble = scenario->before ? scenario->before(&injector->bench) : NULL;
  if (trouble)
    complain(injector, &injector->tally->counts.others, "%s", trouble);
  settle(injector);
}

static void note(struct injector *injector, const struct injection *injection, const struct outcome *outcome) {
  struct tally *tally = injector->tally;
  tally->counts.injections[injection->source] += outcome->hit;
  if (outcome->hit && outcome->entry != FAULT_ENTRIES)
    tally->met[outcome->entry][injection->code % CODES_MAX]++;
  snprintf(tally->now + strlen(tally->now), sizeof tally->now - strlen(tally->now), " [%s %s]",
           outcome->entry == FAULT_ENTRIES ? "memory" : fault_rows[outcome->entry].name,
           clred_status_name(outcome->code));
}

// True if the call that must fail was reached.
static bool inject(struct injector *injector, const struct injection *injection, struct outcome *outcome) {
  struct bench *bench = &injector->bench;
  const struct scenario *scenario = bench->scenario;
  struct tally *tally = injector->tally;
  const char *trouble;
  *outcome = (struct outcome){.entry = FAULT_ENTRIES};
  snprintf(tally->now, sizeof tally->now, "%s, %s, call %ld, code %zu", scenario->name, source_names[injection->source],
           injection->at, injection->code);
  tally->beats++;
  bench_reset(bench);
  if ((trouble = scenario->before ? scenario->before(bench) : NULL) != NULL)
    complain(injector, &tally->counts.others, "%s", trouble);
  arm(injector, injection);
  act(injector, outcome);
  disarm(injector, injection, outcome);
  note(injector, injection, outcome);
  check(injector, injection, outcome);
  settle(injector);
  if (!is_at_rest(injector))
    settle_again(injector);
  check_leaks(injector);
  return outcome->hit;
}

// ---------------------------------------------------------------- All of them

// Calls inject, but skips injections that are done or that crashed an earlier process.
static bool inject_new(struct injector *injector, const struct injection *injection, struct outcome *outcome) {
  struct tally *tally = injector->tally;
  const long ordinal = ++injector->ordinal;
  if (ordinal >= ORDINALS_MAX || ordinal <= tally->skip)
    return ordinal < ORDINALS_MAX && tally->met_any[ordinal];
  tally->ordinal = ordinal;
  tally->met_any[ordinal] = true;
  return tally->met_any[ordinal] = inject(injector, injection, outcome);
}

// Makes one call fail with each of its error codes.
static bool inject_codes(struct injector *injector, struct injection injection) {
  struct outcome outcome;
  bool any = false;
  // Without all_codes only one code is used, which differs from call to call. Each entry has at least three.
  injection.code = injector->effort->all_codes ? 0 : (size_t)injection.at % 3;
  for (; injection.code < CODES_MAX; injection.code++) {
    if (!inject_new(injector, &injection, &outcome))
      break;
    any = true;
    if (is_of_memory(injection.source) || injection.source == SOURCE_LATE || !injector->effort->all_codes)
      break;
  }
  return any;
}

static void inject_source(struct injector *injector, enum source source, const struct listed *listed) {
  const enum choice choice = is_of_memory(source)    ? CHOOSE_EVENLY
                             : source == SOURCE_ONCE ? CHOOSE_FIRST_AND_LAST
                                                     : CHOOSE_FIRST;
  for (long at = 1, any = 1; any; at++)
    if (choice_has(listed, at, injector->effort->calls_most, choice))
      any = inject_codes(injector, (struct injection){.source = source, .at = at});
}

static void list_calls(struct injector *injector, enum source source, struct listed *listed) {
  const struct injection none = {.source = source};
  struct outcome outcome = {.hit = false};
  bool failed;
  bench_reset(&injector->bench);
  if (injector->bench.scenario->before)
    injector->bench.scenario->before(&injector->bench);
  arm(injector, &none);
  act(injector, &outcome);
  listed->count = is_of_memory(source) ? memory_disarm(&failed)
                                       : (long)injector->bench.layer->list(listed->entries, sizeof listed->entries);
  if (!is_of_memory(source))
    disarm(injector, &none, &outcome);
  if (injector->bench.scenario->after)
    injector->bench.scenario->after(&injector->bench);
}

// The first calls compile programs, fill caches and give the expected results.
static bool warm_up(struct injector *injector) {
  const struct scenario *scenario = injector->bench.scenario;
  const long failures = counts_failures(&injector->tally->counts);
  snprintf(injector->tally->now, sizeof injector->tally->now, "%s, undisturbed", scenario->name);
  for (int i = 0; i < 3; i++) {
    const char *trouble = scenario->before ? scenario->before(&injector->bench) : NULL;
    if (trouble)
      complain(injector, &injector->tally->counts.others, "%s", trouble);
    for (unsigned j = 0; !trouble && j < (scenario->settles ? scenario->settles : 1); j++)
      act_well(injector, "without a failure");
    if (scenario->after)
      scenario->after(&injector->bench);
  }
  injector->at_rest = look(injector);
  return failures == counts_failures(&injector->tally->counts);
}

void inject_all(const struct scenario *scenario, const struct effort *wanted, struct tally *tally) {
  const struct effort brief = {.calls_most = QUICK_CALLS, .only = wanted->only};
  const struct effort *effort = scenario->flags & BRIEFLY ? &brief : wanted;
  struct injector injector = {.effort = effort, .tally = tally};
  const char *trouble = bench_open(&injector.bench, scenario);
  snprintf(tally->now, sizeof tally->now, "%s, opening", scenario->name);
  if (!trouble && scenario->open)
    trouble = scenario->open(&injector.bench);
  if (trouble)
    complain(&injector, &tally->counts.others, "%s", trouble);
  if (trouble || !warm_up(&injector))
    return;
  static struct listed listed;
  for (int source = 0; source < SOURCES; source++) {
    if ((effort->only >= 0 && effort->only != source) || scenario->flags & UNDISTURBED)
      continue;
    list_calls(&injector, (enum source)source, &listed);
    inject_source(&injector, (enum source)source, &listed);
  }
  if (scenario->close)
    scenario->close(&injector.bench);
  bench_close(&injector.bench);
  // After everything is released, no object may be left, except the context that device.c keeps.
  injector.at_rest = (struct living){.objects[FAULT_CONTEXTS] = 1};
  snprintf(tally->now, sizeof tally->now, "%s, at its end", scenario->name);
  check_leaks(&injector);
}
