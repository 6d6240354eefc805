// Checks of the result of an injection: see inject.h.
#include "inject.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "memory.h"

const char *const source_names[SOURCES] = {"once", "from then on", "late", "memory once", "memory from then on"};

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

bool is_of_memory(enum source source) {
  return source == SOURCE_MEMORY_ONCE || source == SOURCE_MEMORY_ON;
}

void complain(struct injector *injector, long *count, const char *format, ...) {
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

struct living look(const struct injector *injector) {
  struct living living = {.blocks = memory_blocks(), .bytes = memory_bytes()};
  injector->bench.layer->live(living.objects);
  return living;
}

bool is_at_rest(const struct injector *injector) {
  const struct living now = look(injector), *before = &injector->at_rest;
  return now.blocks == before->blocks && memcmp(now.objects, before->objects, sizeof now.objects) == 0;
}

void check_leaks(struct injector *injector) {
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

// --- Status and message ---

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

// --- All of it ---

void judge(struct injector *injector, bool succeeded) {
  struct bench *bench = &injector->bench;
  const char *trouble = (bench->scenario->judge ? bench->scenario->judge : bench_judge)(bench, succeeded);
  if (trouble)
    complain(injector, &injector->tally->counts.wrong, "%s", trouble);
}

void check(struct injector *injector, const struct injection *injection, const struct outcome *outcome) {
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
