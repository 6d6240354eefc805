#include "inject.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"

// What lives, of OpenCL's and of our own.
struct living {
  long   objects[FAULT_KINDS];
  long   blocks;
  size_t bytes;
};

struct injector {
  struct bench         bench;
  const struct effort *effort;
  struct tally        *tally;
  struct living        at_rest;
  long                 ordinal;
};

struct injection {
  enum source source;
  long        at;
  size_t      code;
};

struct outcome {
  bool              hit, too_far;
  enum fault_entry  entry;   // FAULT_ENTRIES: memory
  cl_int            code, status;
  char              sentence[512];
};

static bool is_of_memory(enum source source) {
  return source == SOURCE_MEMORY_ONCE || source == SOURCE_MEMORY_ON;
}

// ---------------------------------------------------------------- What is wrong

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

// --- Leaks ---

static struct living look(const struct injector *injector) {
  struct living living = {.blocks = memory_blocks(), .bytes = memory_bytes()};
  injector->bench.layer->live(living.objects);
  return living;
}

static void check_leaks(struct injector *injector) {
  const struct living now = look(injector), *before = &injector->at_rest;
  long               *leaks = &injector->tally->counts.leaks;
  for (int i = 0; i < FAULT_KINDS; i++)
    if (now.objects[i] != before->objects[i])
      complain(injector, leaks, "LEAK: %ld more %s", now.objects[i] - before->objects[i], injector->bench.layer->kinds[i]);
  if (now.blocks != before->blocks)
    complain(injector, leaks, "LEAK: %ld more allocations, %ld bytes", now.blocks - before->blocks,
             (long)now.bytes - (long)before->bytes);
  injector->at_rest = now;
}

// --- Status and sentence ---

static bool forgives(const struct scenario *scenario, const struct outcome *outcome) {
  if (scenario->flags & TRIES && (outcome->code == CL_OUT_OF_RESOURCES || outcome->code == CL_INVALID_WORK_GROUP_SIZE))
    return true;
  if (outcome->entry == FAULT_ENTRIES)
    return scenario->forgives_memory > 0;
  if (scenario->flags & DROPS)
    return true;
  // So a device says that it does not know what it is asked.
  if (outcome->entry == FAULT_clGetDeviceInfo && outcome->code == CL_INVALID_VALUE)
    return true;
  const char *name = fault_rows[outcome->entry].name, *at = scenario->forgives;
  for (; at && (at = strstr(at, name)) != NULL; at++)
    if (at[strlen(name)] == ' ' || at[strlen(name)] == '\0')
      return true;
  return false;
}

static void check_sentence(struct injector *injector, const struct outcome *outcome) {
  const bool  memory = outcome->entry == FAULT_ENTRIES;
  const char *word = memory ? "memory" : fault_rows[outcome->entry].name;
  if (injector->bench.scenario->flags & SILENT || injector->bench.is_silent)
    return;
  if (!strstr(outcome->sentence, word) || (!memory && !strstr(outcome->sentence, clred_status_name(outcome->code))))
    complain(injector, &injector->tally->counts.others, "the sentence does not name %s and %s: '%s'", word,
             clred_status_name(outcome->code), outcome->sentence);
}

// Where the first failure was forgiven, one that came after it is told.
static void check_any_sentence(struct injector *injector, const struct outcome *outcome) {
  bool names = false;
  for (int i = 0; i < FAULT_ENTRIES; i++)
    names |= strstr(outcome->sentence, fault_rows[i].name) != NULL;
  if (!names && !strstr(outcome->sentence, "memory"))
    complain(injector, &injector->tally->counts.others, "the sentence names no call: '%s'", outcome->sentence);
}

static void check_failed_at_once(struct injector *injector, const struct injection *injection, const struct outcome *outcome) {
  const struct bench *bench = &injector->bench;
  long               *others = &injector->tally->counts.others;
  const bool          forgiven = forgives(bench->scenario, outcome) || (bench->is_over && !bench->fell);
  if (outcome->status == CL_SUCCESS && !forgiven)
    complain(injector, others, "nobody was told");
  else if (outcome->status == CL_SUCCESS && outcome->entry == FAULT_ENTRIES && ++injector->tally->forgiven[injection->source] > bench->scenario->forgives_memory)
    complain(injector, others, "nobody was told, and that for the %ldth allocation", injector->tally->forgiven[injection->source]);
  else if (outcome->status == CL_SUCCESS)
    injector->tally->counts.unseen++;
  else if (forgiven && (bench->scenario->flags & SILENT || bench->is_silent))
    return;
  else if (forgiven)
    check_any_sentence(injector, outcome);
  else if (outcome->status != outcome->code)
    complain(injector, others, "status %s in place of %s: '%s'", clred_status_name(outcome->status),
             clred_status_name(outcome->code), outcome->sentence);
  else
    check_sentence(injector, outcome);
}

// What ends in an error on the device is told by a status, or by the call's event.
static void check_failed_late(struct injector *injector, const struct outcome *outcome) {
  if (outcome->status < 0)
    return;
  if (!(injector->bench.scenario->flags & UNSEEN_LATE) && !forgives(injector->bench.scenario, outcome))
    complain(injector, &injector->tally->counts.others, "nobody was told that a command ended in an error");
  else
    injector->tally->counts.unseen++;
}

// ---------------------------------------------------------------- One injection

static cl_int act(struct injector *injector, struct outcome *outcome) {
  struct bench *bench = &injector->bench;
  outcome->status = bench->scenario->act(bench);
  const char *sentence = bench->runtime ? clred_last_error(bench->runtime) : bench->error;
  snprintf(outcome->sentence, sizeof outcome->sentence, "%s", outcome->status ? sentence : "");
  return outcome->status;
}

static void arm(struct injector *injector, const struct injection *injection) {
  const struct fault_plan plan = {(enum fault_mode)injection->source, injection->at, -1, injection->code};
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

static void judge(struct injector *injector, bool succeeded) {
  const char *trouble = injector->bench.scenario->judge ? injector->bench.scenario->judge(&injector->bench, succeeded) : NULL;
  if (trouble)
    complain(injector, &injector->tally->counts.wrong, "%s", trouble);
}

// A call that nothing disturbs, in the same runtime.
static void act_well(struct injector *injector, const char *when) {
  struct outcome outcome = {.hit = false};
  bench_reset(&injector->bench);
  if (act(injector, &outcome))
    complain(injector, &injector->tally->counts.others, "%s: %s: '%s'", when, clred_status_name(outcome.status), outcome.sentence);
  judge(injector, outcome.status == CL_SUCCESS);
}

static void check(struct injector *injector, const struct injection *injection, const struct outcome *outcome) {
  if (outcome->hit && injection->source == SOURCE_LATE)
    check_failed_late(injector, outcome);
  else if (outcome->hit)
    check_failed_at_once(injector, injection, outcome);
  else if (outcome->status && !outcome->too_far)
    complain(injector, &injector->tally->counts.others, "it failed by itself: %s: '%s'", clred_status_name(outcome->status),
             outcome->sentence);
  judge(injector, outcome->status == CL_SUCCESS && !(outcome->hit && injection->source == SOURCE_LATE && injector->bench.scenario->flags & UNSEEN_LATE));
}

static void note(struct injector *injector, const struct injection *injection, const struct outcome *outcome) {
  struct tally *tally = injector->tally;
  tally->counts.injections[injection->source] += outcome->hit;
  if (outcome->hit && outcome->entry != FAULT_ENTRIES)
    tally->met[outcome->entry][injection->code % CODES_MOST]++;
  snprintf(tally->now + strlen(tally->now), sizeof tally->now - strlen(tally->now), " [%s %s]",
           outcome->entry == FAULT_ENTRIES ? "memory" : fault_rows[outcome->entry].name, clred_status_name(outcome->code));
}

// Whether the failure was met.
static bool inject(struct injector *injector, const struct injection *injection, struct outcome *outcome) {
  struct bench          *bench = &injector->bench;
  const struct scenario *scenario = bench->scenario;
  struct tally          *tally = injector->tally;
  const char            *trouble;
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
  for (unsigned i = 0; i < (scenario->settles ? scenario->settles : 1); i++)
    act_well(injector, "the same call afterwards");
  if (scenario->after)
    scenario->after(bench);
  check_leaks(injector);
  return outcome->hit;
}

// ---------------------------------------------------------------- All of them

// The same, but for those that are done already, and one that ended an earlier process.
static bool inject_new(struct injector *injector, const struct injection *injection, struct outcome *outcome) {
  struct tally *tally = injector->tally;
  const long    ordinal = ++injector->ordinal;
  if (ordinal >= ORDINALS_MOST || ordinal <= tally->skip)
    return ordinal < ORDINALS_MOST && tally->met_any[ordinal];
  tally->ordinal = ordinal;
  tally->met_any[ordinal] = true;
  return tally->met_any[ordinal] = inject(injector, injection, outcome);
}

// Code after code of one call, until it has no more.
static bool inject_codes(struct injector *injector, struct injection injection) {
  struct outcome outcome;
  bool           any = false;
  // One code, another one for each call; calls have three codes at least.
  injection.code = injector->effort->all_codes ? 0 : (size_t)injection.at % 3;
  for (; injection.code < CODES_MOST; injection.code++) {
    if (!inject_new(injector, &injection, &outcome))
      break;
    any = true;
    if (is_of_memory(injection.source) || injection.source == SOURCE_LATE || !injector->effort->all_codes)
      break;
  }
  return any;
}

static void inject_source(struct injector *injector, enum source source, long calls) {
  const long most = injector->effort->calls_most, step = most && calls > most ? (calls + most - 1) / most : 1;
  // Evenly spread, not always at the same place of a period.
  for (long at = 1; inject_codes(injector, (struct injection){.source = source, .at = at}); at += step)
    ;
}

static long count_calls(struct injector *injector, enum source source) {
  const struct injection none = {.source = source};
  struct outcome         outcome = {.hit = false};
  unsigned char          entry;
  long                   calls;
  bool                   failed;
  bench_reset(&injector->bench);
  if (injector->bench.scenario->before)
    injector->bench.scenario->before(&injector->bench);
  arm(injector, &none);
  act(injector, &outcome);
  calls = is_of_memory(source) ? memory_disarm(&failed) : (long)injector->bench.layer->list(&entry, 0);
  if (!is_of_memory(source))
    disarm(injector, &none, &outcome);
  if (injector->bench.scenario->after)
    injector->bench.scenario->after(&injector->bench);
  return calls;
}

// What is built, compiled and kept by the first calls is there afterwards, and results are known.
static bool warm_up(struct injector *injector) {
  const struct scenario *scenario = injector->bench.scenario;
  const long             failures = counts_failures(&injector->tally->counts);
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

void inject_all(const struct scenario *scenario, const struct effort *effort, struct tally *tally) {
  struct injector injector = {.effort = effort, .tally = tally};
  const char     *trouble = bench_open(&injector.bench, scenario);
  snprintf(tally->now, sizeof tally->now, "%s, opening", scenario->name);
  if (!trouble && scenario->open)
    trouble = scenario->open(&injector.bench);
  if (trouble)
    complain(&injector, &tally->counts.others, "%s", trouble);
  if (trouble || !warm_up(&injector))
    return;
  for (int source = 0; source < SOURCES; source++)
    if (effort->only < 0 || effort->only == source)
      inject_source(&injector, (enum source)source, count_calls(&injector, (enum source)source));
  if (scenario->close)
    scenario->close(&injector.bench);
  bench_close(&injector.bench);
  // With all released, nothing may be left at all.
  injector.at_rest = (struct living){.blocks = 0};
  snprintf(tally->now, sizeof tally->now, "%s, at its end", scenario->name);
  check_leaks(&injector);
}
