// Comparisons: sides are opened, checked, run in turn and checked again.
#define _XOPEN_SOURCE 700

#include "bench/beside.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fail.h"
#include "bench/request.h"
#include "bench/side.h"

bool beside_on_cpu(const struct beside *beside) {
  return (beside->bed.session.device.type & CL_DEVICE_TYPE_CPU) != 0;
}

// With this number of elements, sums of floats are exact (answers.c), and offsets of 32 bits reach all elements.
enum { COUNT_MOST = 1 << 30 };

// ---- Checking

static int spoil_all(struct side *side, const struct answers *answers) {
  int code = EXIT_DONE;
  for (size_t i = 0; i < answers->stretches && !code; i++)
    code = side->spoil(side, BENCH_RESULTS, answers->first[i], answers->length);
  for (int i = BENCH_KEYS_OUT; i < BENCH_PARTS && !code; i++) {
    const size_t count = bench_part_count(answers->work, (enum bench_part)i);
    code = count == 0 ? EXIT_DONE : side->spoil(side, (enum bench_part)i, 0, count);
  }
  return code;
}

static int check_results(struct side *side, const struct answers *answers) {
  int code = EXIT_DONE;
  for (size_t i = 0; i < answers->stretches && !code; i++) {
    const size_t count = answers->stretches > 1 ? answers->length : answers->count;
    code = side->read(side, BENCH_RESULTS, answers->first[i], count, answers->read);
    if (!code)
      side->wrong = side->wrong || answers_wrong(answers, side->work, i * answers->length, answers->read, count) > 0;
  }
  return code;
}

static int check_runs(struct side *side, const struct answers *answers) {
  uint64_t reported = 0;
  int code = EXIT_DONE;
  if (bench_part_count(answers->work, BENCH_NUMBER) > 0)
    code = side->read(side, BENCH_NUMBER, 0, 1, &reported);
  side->wrong = side->wrong || reported != answers->number;
  if (code || bench_part_count(answers->work, BENCH_KEYS_OUT) == 0)
    return code;
  code = side->read(side, BENCH_KEYS_OUT, 0, answers->count, answers->read);
  side->wrong = side->wrong || memcmp(answers->read, answers->keys, answers->count * sizeof *answers->keys) != 0;
  return code;
}

typedef int for_side(struct side *side, const struct answers *answers);

static int check(struct side *side, const struct answers *answers) {
  int code = check_results(side, answers);
  return code ? code : check_runs(side, answers);
}

static int for_checked(struct side sides[], size_t count, const struct answers *answers, for_side *act) {
  int code = EXIT_DONE;
  for (size_t i = 0; i < count && !code && answers->work != NULL; i++)
    if (sides[i].read != NULL && *sides[i].lost == '\0')
      code = act(&sides[i], answers);
  return code;
}

// ---- One comparison

static bool has_clock(const struct beside *beside, const struct sides *sides, enum bench_clock clock) {
  bool all = beside->task->clocks[clock];
  for (size_t i = 0; i < sides->count && clock == BENCH_DEVICE; i++)
    all = all && (sides->list[i].has_device_clock || *sides->list[i].lost != '\0');
  return all;
}

// Overwrites the results, runs each side once and checks it, so that no result is left over from another run. After the
// timed runs, checks the last run of each side.
static int compare_by(const struct beside *beside, struct sides *sides, const struct answers *answers,
                      enum bench_clock clock) {
  const struct bench_request *request = beside->report->request;
  const struct bench_task *task = beside->task;
  struct turns_rule rule = {.runs = request->args->repeat.given ? request->runs : task->runs,
                            .warm_up = task->warm_up,
                            .calls = beside_on_cpu(beside) ? 1 : task->gpu_calls};
  rule.clocks[clock] = true;
  if (request->args->calls.given)
    rule.calls = request->args->calls.value;
  int code = for_checked(sides->list, sides->count, answers, spoil_all);
  for (size_t i = 0; i < sides->count && !code; i++) {
    double seconds;
    if (*sides->list[i].lost == '\0')
      code = sides->list[i].run(&sides->list[i], clock, 1, &seconds);
  }
  code = code ? code : for_checked(sides->list, sides->count, answers, check);
  code = code ? code : bench_take_turns(sides, &rule);
  code = code ? code : for_checked(sides->list, sides->count, answers, check);
  for (size_t i = 0; i < sides->count; i++)
    sides->rows[i].correct = !sides->list[i].wrong;
  return code;
}

static bool is_wanted(const struct beside *beside, const char *module) {
  const char *wanted = beside->report->request->args->peers;
  return wanted == NULL || strcmp(wanted, "all") == 0 || strstr(wanted, module) != NULL;
}

static int open_modules(const struct beside *beside, const struct comparison *c, struct sides *sides) {
  const char *name = beside_on_cpu(beside) ? beside->task->cpu_peer : beside->task->gpu_peer;
  const struct bench_side *module =
    name != NULL && c->work.elements != NULL && beside->peer_type != BENCH_TYPES && is_wanted(beside, name)
      ? bench_module(name, &beside->bed.session.device)
      : NULL;
  if (module == NULL)
    return EXIT_DONE;
  struct bench_work work = c->work;
  if (module->on_gpu && work.kind == BENCH_HISTOGRAM)
    work.narrow = BENCH_32_BITS;
  int code = bench_module_open(&sides->list[sides->count++], module, &work, c->peer_bytes);
  work.narrow = BENCH_OWN_BITS;
  if (!code && c->narrow && module->on_gpu)
    code = bench_module_open(&sides->list[sides->count++], module, &work,
                             2 * (double)beside->count * (double)beside->type.size);
  return code;
}

static int open_plan(const struct beside *beside, const struct plan_side *plan, struct sides *sides) {
  const size_t at = sides->count++;
  return bench_ours_open(&sides->list[at], &beside->bed, plan, &sides->rows[at]);
}

static int open_sides(struct beside *beside, const struct comparison *c, struct sides *sides) {
  const struct bench_request *request = beside->report->request;
  struct plan_side plan = c->ours;
  int code = EXIT_DONE;
  plan.work = c->work.elements == NULL ? NULL : &c->work;
  plan.problem.groups = request->args->groups.value;
  plan.problem.group_size = request->args->group_size.value;
  for (size_t i = 0; i < request->strategy_count && !code; i++) {
    plan.name = request->strategies[i].spelt;
    ours_set_strategy(&plan.problem, &request->strategies[i]);
    code = open_plan(beside, &plan, sides);
  }
  if (!code && c->reference.reference)
    code = open_plan(beside, &c->reference, sides);
  code = code ? code : open_modules(beside, c, sides);
  if (!code && c->empty)
    code = bench_empty_open(&sides->list[sides->count++], &beside->bed, c->ours.bytes);
  return code;
}

// Each row has its own number of bytes, because sides may move different numbers.
static void name_rows(const struct beside *beside, const struct comparison *c, struct sides *sides) {
  struct bench_case of = {.device = beside->device, .type = beside->type.name, .count = beside->count};
  snprintf(of.op, sizeof of.op, "%s", c->label);
  sides_name(sides, &of);
  for (size_t i = 0; i < sides->count; i++) {
    sides->rows[i].bytes = sides->list[i].bytes;
    sides->rows[i].of.bytes = (uint64_t)sides->list[i].bytes;
  }
}

static int measure_sides(struct beside *beside, const struct comparison *c, struct sides *sides) {
  struct answers answers = {.work = NULL};
  int code = EXIT_DONE;
  if (c->work.elements != NULL && answers_make(&answers, &c->work, c->pattern) != 0)
    code = fail_memory();
  code = code ? code : open_sides(beside, c, sides);
  name_rows(beside, c, sides);
  for (int clock = BENCH_DEVICE; clock >= BENCH_WALL && !code; clock--)
    if (has_clock(beside, sides, (enum bench_clock)clock))
      code = compare_by(beside, sides, &answers, (enum bench_clock)clock);
  answers_release(&answers);
  return code;
}

int beside_compare(struct beside *beside, const struct comparison *comparison) {
  const char *only = beside->report->request->args->only;
  if (only != NULL && strstr(comparison->label, only) == NULL)
    return EXIT_DONE;
  struct sides *sides = sides_begin(beside->report);
  int code = sides == NULL ? fail_memory() : measure_sides(beside, comparison, sides);
  sides_end(sides, beside->report);
  return code;
}

int beside_fill(struct beside *beside, enum pattern pattern) {
  const size_t bytes = (size_t)beside->count * beside->type.size;
  buffer_release(beside->bed.in);
  if (beside->task->fill != NULL)
    beside->task->fill(beside->elements, bytes);
  else
    elements_make(pattern, beside->peer_type, beside->elements, (size_t)beside->count);
  return session_buffer(&beside->bed.session, beside->elements, bytes, "the elements", &beside->bed.in);
}

static int fill_second(struct beside *beside) {
  const size_t bytes = (size_t)beside->count * beside->type.size;
  if (!beside->task->second)
    return EXIT_DONE;
  beside->second_elements = bed_claim(bytes);
  if (beside->second_elements == NULL)
    return fail_memory();
  beside->task->fill(beside->second_elements, bytes);
  return session_buffer(&beside->bed.session, beside->second_elements, bytes, "the elements", &beside->bed.second);
}

// Memory must hold elements, results, and a copy of both for a peer. A fifth of it is left free.
static bool fits(const struct beside *beside) {
  const double bytes = (double)beside->count * (double)beside->type.size;
  const double all = 3 * bytes + (beside->task->wide ? 16.0 * (double)beside->count : 0);
  const double host = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
  cl_ulong memory = 0;
  clGetDeviceInfo(beside->bed.session.device.id, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof memory, &memory, NULL);
  return bytes <= (double)session_fact(&beside->bed.session, "max_alloc", memory) && all < 0.8 * (double)memory &&
         bytes < 0.4 * host;
}

static int measure_count(struct beside *beside) {
  if (beside->task->known != NULL && beside->count > COUNT_MOST)
    return fail(EXIT_BAD_USE, "--sizes: %llu is too many for task %s; give up to %d", (unsigned long long)beside->count,
                beside->task->name, COUNT_MOST);
  if (!fits(beside)) {
    if (!beside->report->request->args->quiet)
      fprintf(stderr, "clreduce: bench: %llu elements of %s are left out: they need more memory\n",
              (unsigned long long)beside->count, beside->type.name);
    return EXIT_DONE;
  }
  beside->elements = bed_claim((size_t)beside->count * beside->type.size);
  int code = beside->elements == NULL ? fail_memory() : beside_fill(beside, beside->task->pattern);
  code = code ? code : fill_second(beside);
  code = code ? code : beside->task->measure(beside);
  bed_release_elements(&beside->bed);
  free(beside->elements);
  free(beside->second_elements);
  beside->elements = beside->second_elements = NULL;
  return code;
}

static enum bench_type peer_type_of(clred_type type) {
  int i = 0;
  while (i < BENCH_TYPES && bench_types[i] != type)
    i++;
  return (enum bench_type)i;
}

static int measure_device(struct beside *beside) {
  const struct bench_request *request = beside->report->request;
  struct bench_sizes sizes = request->sizes;
  int code = EXIT_DONE;
  if (sizes.count == 0)
    code =
      bench_sizes_take(&sizes, "--sizes", beside_on_cpu(beside) ? beside->task->cpu_sizes : beside->task->gpu_sizes);
  for (size_t i = 0; i < sizes.count && !code; i++)
    for (size_t j = 0; j < request->type_count && !code; j++) {
      beside->type = request->types[j];
      beside->peer_type = peer_type_of(beside->type.type);
      beside->count = sizes.list[i];
      code = measure_count(beside);
    }
  return code;
}

int beside_measure(struct bench_report *report) {
  struct beside beside = {.report = report, .task = report->request->task};
  int code = EXIT_DONE;
  for (size_t i = 0; i < report->device_count && !code; i++) {
    beside.device = &report->devices[i];
    code = bench_bed_open(&beside.bed, beside.device, report->request);
    code = code ? code : measure_device(&beside);
    bench_bed_close(&beside.bed);
  }
  return code;
}
