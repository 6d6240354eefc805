// One scenario with all its failures: see inject.h.
#include "inject.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "memory.h"

static const char *const source_names[SOURCES] = {"once", "from then on", "late", "memory once", "memory from then on"};

long counts_injections(const struct counts *counts) {
  long sum = 0;
  for (int i = 0; i < SOURCES; i++)
    sum += counts->injections[i];
  return sum;
}

long counts_failures(const struct counts *counts) {
  return counts->crashes + counts->hangs + counts->leaks + counts->wrong + counts->others;
}

void counts_add(struct counts *to, const struct counts *from) {
  for (int i = 0; i < SOURCES; i++)
    to->injections[i] += from->injections[i];
  to->unseen += from->unseen;
  to->crashes += from->crashes;
  to->hangs += from->hangs;
  to->leaks += from->leaks;
  to->wrong += from->wrong;
  to->others += from->others;
}

// Live OpenCL objects and allocations.
struct living {
  long objects[FAULT_KINDS];
  long blocks;
  size_t bytes;
};

struct injector {
  struct bench bench;
  const struct effort *effort;
  struct tally *tally;
  struct living at_rest;
  long ordinal;
};

struct injection {
  enum source source;
  long at;
  size_t code;
};

struct outcome {
  bool hit, too_far;
  enum fault_entry entry;  // FAULT_ENTRIES: memory
  cl_int code, status;
  char message[512];
};

static bool is_of_memory(enum source source) {
  return source == SOURCE_MEMORY_ONCE || source == SOURCE_MEMORY_ON;
}

// Prints the name of the injection and the failure, and counts it.
static void complain(struct injector *injector, long *count, const char *format, ...) {
  va_list values;
  ++*count;
  printf("  FAILED %s: ", injector->tally->now);
  va_start(values, format);
  vprintf(format, values);
  va_end(values);
  printf("\n");
  fflush(stdout);
}

// ---------------------------------------------------------------- Leaks

static struct living look(const struct injector *injector) {
  struct living living = {.blocks = memory_blocks(), .bytes = memory_bytes()};
  injector->bench.layer->live(living.objects);
  return living;
}

// Whether the same numbers of objects and allocations exist as before.
static bool is_at_rest(const struct injector *injector) {
  const struct living now = look(injector), *before = &injector->at_rest;
  return now.blocks == before->blocks && memcmp(now.objects, before->objects, sizeof now.objects) == 0;
}

static void check_leaks(struct injector *injector) {
  const struct living now = look(injector), *before = &injector->at_rest;
  long *leaks = &injector->tally->counts.leaks;
  for (int i = 0; i < FAULT_KINDS; i++)
    if (now.objects[i] != before->objects[i])
      complain(injector, leaks, "LEAK: %ld more %s", now.objects[i] - before->objects[i],
               injector->bench.layer->kinds[i]);
  if (now.blocks != before->blocks)
    complain(injector, leaks, "LEAK: %ld more allocations, %ld bytes", now.blocks - before->blocks,
             (long)now.bytes - (long)before->bytes);
  injector->at_rest = now;
}

// ---------------------------------------------------------------- Status and message

static bool forgives(const struct scenario *scenario, const struct outcome *outcome) {
  if (scenario->flags & TRIES && (outcome->code == CL_OUT_OF_RESOURCES || outcome->code == CL_INVALID_WORK_GROUP_SIZE ||
                                  outcome->code == CL_INVALID_WORK_ITEM_SIZE))
    return true;
  if (outcome->entry == FAULT_ENTRIES)
    return scenario->forgives_memory > 0;
  if (scenario->flags & DROPS)
    return true;
  // With this code a device reports that it does not know the query.
  if (outcome->entry == FAULT_clGetDeviceInfo && outcome->code == CL_INVALID_VALUE)
    return true;
  const char *name = fault_rows[outcome->entry].name, *at = scenario->forgives;
  for (; at && (at = strstr(at, name)) != NULL; at++)
    if (at[strlen(name)] == ' ' || at[strlen(name)] == '\0')
      return true;
  return false;
}

static void check_message(struct injector *injector, const struct outcome *outcome) {
  const bool memory = outcome->entry == FAULT_ENTRIES;
  const char *word = memory ? "memory" : fault_rows[outcome->entry].name;
  if (injector->bench.scenario->flags & SILENT || injector->bench.is_silent)
    return;
  if (!strstr(outcome->message, word) || (!memory && !strstr(outcome->message, clred_status_name(outcome->code))))
    complain(injector, &injector->tally->counts.others, "the message does not name %s and %s: '%s'", word,
             clred_status_name(outcome->code), outcome->message);
}

// The first failure was forgiven, so the message may name a later one.
static void check_any_message(struct injector *injector, const struct outcome *outcome) {
  bool names = false;
  for (int i = 0; i < FAULT_ENTRIES; i++)
    names |= strstr(outcome->message, fault_rows[i].name) != NULL;
  if (!names && !strstr(outcome->message, "memory"))
    complain(injector, &injector->tally->counts.others, "the message names no call: '%s'", outcome->message);
}

static void check_failed_at_once(struct injector *injector, const struct injection *injection,
                                 const struct outcome *outcome) {
  const struct bench *bench = &injector->bench;
  long *others = &injector->tally->counts.others;
  const bool forgiven = forgives(bench->scenario, outcome) || (bench->is_over && !bench->fell);
  if (outcome->status == CL_SUCCESS && !forgiven)
    complain(injector, others, "not reported");
  else if (outcome->status == CL_SUCCESS && outcome->entry == FAULT_ENTRIES &&
           ++injector->tally->forgiven[injection->source] > bench->scenario->forgives_memory)
    complain(injector, others, "not reported: allocation failure number %ld",
             injector->tally->forgiven[injection->source]);
  else if (outcome->status == CL_SUCCESS)
    injector->tally->counts.unseen++;
  else if (forgiven && (bench->scenario->flags & SILENT || bench->is_silent))
    return;
  else if (forgiven)
    check_any_message(injector, outcome);
  // The program has only the caller's text, so only this text can be wrong.
  else if (outcome->status == CLRED_OPERATOR_TEXT && outcome->code == CL_BUILD_PROGRAM_FAILURE)
    check_message(injector, outcome);
  else if (outcome->status != outcome->code)
    complain(injector, others, "status %s instead of %s: '%s'", clred_status_name(outcome->status),
             clred_status_name(outcome->code), outcome->message);
  else
    check_message(injector, outcome);
}

// An error on the device is reported by a status or by the call's event.
static void check_failed_late(struct injector *injector, const struct outcome *outcome) {
  if (outcome->status < 0)
    return;
  if (!(injector->bench.scenario->flags & UNSEEN_LATE) && !forgives(injector->bench.scenario, outcome))
    complain(injector, &injector->tally->counts.others, "not reported: a command ended in an error");
  else
    injector->tally->counts.unseen++;
}

// ---------------------------------------------------------------- All of it

// Checks memory and results after a call in which a fault was planted.
static void judge(struct injector *injector, bool succeeded) {
  struct bench *bench = &injector->bench;
  const char *trouble = (bench->scenario->judge ? bench->scenario->judge : bench_judge)(bench, succeeded);
  if (trouble)
    complain(injector, &injector->tally->counts.wrong, "%s", trouble);
}

// Checks status, message, memory and results.
static void check(struct injector *injector, const struct injection *injection, const struct outcome *outcome) {
  if (outcome->hit && injection->source == SOURCE_LATE)
    check_failed_late(injector, outcome);
  else if (outcome->hit)
    check_failed_at_once(injector, injection, outcome);
  else if (outcome->status && !outcome->too_far)
    complain(injector, &injector->tally->counts.others, "it failed by itself: %s: '%s'",
             clred_status_name(outcome->status), outcome->message);
  const bool unseen = outcome->hit && injection->source == SOURCE_LATE && injector->bench.scenario->flags & UNSEEN_LATE;
  judge(injector, outcome->status == CL_SUCCESS && !unseen);
}

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
