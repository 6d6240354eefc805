// Comparisons: sides are opened, checked, run in turn and checked again.

#define _XOPEN_SOURCE 700

#include "bench/beside.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fail.h"
#include "bench/request.h"
#include "bench/turns.h"

bool beside_on_cpu(const struct beside *beside) {
  return (beside->bed.session.device.type & CL_DEVICE_TYPE_CPU) != 0;
}

// Sums of so many floats are exact (answers.c), and offsets of 32 bits reach all elements.
enum { COUNT_MOST = 1 << 30 };

// ---- Checking

static int spoil_all(struct side *side, const struct answers *answers) {
  int code = EXIT_DONE;
  for (size_t i = 0; i < answers->stretches && code == EXIT_DONE; i++)
    code = side->spoil(side, BENCH_RESULTS, answers->first[i], answers->length);
  for (int i = BENCH_KEYS_OUT; i < BENCH_PARTS && code == EXIT_DONE; i++) {
    const size_t count = bench_part_count(answers->work, (enum bench_part)i);
    code = count == 0 ? EXIT_DONE : side->spoil(side, (enum bench_part)i, 0, count);
  }
  return code;
}

static int check_results(struct side *side, const struct answers *answers) {
  int code = EXIT_DONE;
  for (size_t i = 0; i < answers->stretches && code == EXIT_DONE; i++) {
    const size_t count = answers->stretches > 1 ? answers->length : answers->count;
    code = side->read(side, BENCH_RESULTS, answers->first[i], count, answers->read);
    if (code == EXIT_DONE)
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
  if (code != EXIT_DONE || bench_part_count(answers->work, BENCH_KEYS_OUT) == 0)
    return code;
  code = side->read(side, BENCH_KEYS_OUT, 0, answers->count, answers->read);
  side->wrong = side->wrong || memcmp(answers->read, answers->keys, answers->count * sizeof *answers->keys) != 0;
  return code;
}

typedef int for_side(struct side *side, const struct answers *answers);

static int check(struct side *side, const struct answers *answers) {
  int code = check_results(side, answers);
  return code == EXIT_DONE ? check_runs(side, answers) : code;
}

static int for_checked(struct side sides[], size_t count, const struct answers *answers, for_side *act) {
  int code = EXIT_DONE;
  for (size_t i = 0; i < count && code == EXIT_DONE; i++)
    if (sides[i].read != NULL && *sides[i].lost == '\0')
      code = act(&sides[i], answers);
  return code;
}

// ---- One comparison

struct sides {
  struct side list[SIDES_MOST];
  size_t count;
};

static bool has_clock(const struct beside *beside, const struct sides *sides, enum bench_clock clock) {
  bool all = beside->task->clocks[clock];
  for (size_t i = 0; i < sides->count && clock == BENCH_DEVICE; i++)
    all = all && (sides->list[i].has_device_clock || *sides->list[i].lost != '\0');
  return all;
}

// One run of each side is checked alone, so that no other run has written its results; then the last timed run.
static int compare_by(const struct beside *beside, struct sides *sides, struct bench_row rows[],
                      const struct answers *answers, enum bench_clock clock) {
  const struct bench_request *request = beside->report->request;
  const struct bench_task *task = beside->task;
  struct turns_rule rule = {.runs = request->args->repeat.given ? request->runs : task->runs,
                            .warm_up = task->warm_up,
                            .calls = beside_on_cpu(beside) ? 1 : task->gpu_calls};
  int code = EXIT_DONE;
  rule.clocks[clock] = true;
  if (request->args->calls.given)
    rule.calls = request->args->calls.value;
  if (answers->work != NULL)
    code = for_checked(sides->list, sides->count, answers, spoil_all);
  for (size_t i = 0; i < sides->count && code == EXIT_DONE; i++) {
    double seconds;
    if (*sides->list[i].lost == '\0')
      code = sides->list[i].run(&sides->list[i], clock, 1, &seconds);
  }
  if (code == EXIT_DONE && answers->work != NULL)
    code = for_checked(sides->list, sides->count, answers, check);
  if (code == EXIT_DONE)
    code = bench_take_turns(sides->list, rows, sides->count, &rule);
  if (code == EXIT_DONE && answers->work != NULL)
    code = for_checked(sides->list, sides->count, answers, check);
  for (size_t i = 0; i < sides->count; i++)
    rows[i].correct = !sides->list[i].wrong;
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
  work.narrow = module->on_gpu && work.kind == BENCH_HISTOGRAM;
  int code = bench_module_open(&sides->list[sides->count++], module, &work, c->peer_bytes);
  work.narrow = 1;
  if (code == EXIT_DONE && c->narrow && module->on_gpu)
    code = bench_module_open(&sides->list[sides->count++], module, &work,
                             2 * (double)beside->count * (double)beside->type.size);
  return code;
}

static int open_sides(struct beside *beside, const struct comparison *c, struct sides *sides, struct bench_row rows[]) {
  const struct bench_request *request = beside->report->request;
  const struct bench_work *work = c->work.elements == NULL ? NULL : &c->work;
  int code = EXIT_DONE;
  for (size_t i = 0; i < request->strategy_count && code == EXIT_DONE; i++) {
    struct plan_side plan = c->ours;
    ours_set_strategy(&plan.problem, &request->strategies[i]);
    plan.problem.groups = request->args->groups.value;
    plan.problem.group_size = request->args->group_size.value;
    code = plan_side_open(&sides->list[sides->count], beside, &plan, work, &rows[sides->count]);
    snprintf(sides->list[sides->count++].name, BENCH_NAME_SIZE, "%s", request->strategies[i].spelt);
  }
  if (code == EXIT_DONE && c->reference.name != NULL) {
    code = plan_side_open(&sides->list[sides->count], beside, &c->reference, NULL, &rows[sides->count]);
    snprintf(sides->list[sides->count++].name, BENCH_NAME_SIZE, "%s", c->reference.name);
  }
  if (code == EXIT_DONE)
    code = open_modules(beside, c, sides);
  if (code == EXIT_DONE && c->empty)
    code = bench_empty_open(&sides->list[sides->count++], &beside->bed, c->ours.bytes);
  return code;
}

static int measure_sides(struct beside *beside, const struct comparison *c, struct sides *sides,
                         struct bench_row rows[]) {
  struct answers answers = {.work = NULL};
  int code = EXIT_DONE;
  if (c->work.elements != NULL && answers_make(&answers, &c->work, c->pattern) != 0)
    code = fail_memory();
  if (code == EXIT_DONE)
    code = open_sides(beside, c, sides, rows);
  for (int clock = BENCH_DEVICE; clock >= BENCH_WALL && code == EXIT_DONE; clock--)
    if (has_clock(beside, sides, (enum bench_clock)clock))
      code = compare_by(beside, sides, rows, &answers, (enum bench_clock)clock);
  answers_release(&answers);
  for (size_t i = 0; i < sides->count; i++)
    if (sides->list[i].own != NULL)
      sides->list[i].close(&sides->list[i]);
  return code;
}

static int add_rows(const struct beside *beside, const struct comparison *c, const struct sides *sides,
                    const struct bench_row rows[]) {
  struct bench_row *added = bench_rows_add(&beside->report->rows, sides->count);
  if (added == NULL)
    return fail_memory();
  for (size_t i = 0; i < sides->count; i++) {
    const struct side *side = &sides->list[i];
    added[i] = rows[i];
    added[i].of = (struct bench_case){.device = &beside->bed.session.device,
                                      .type = beside->type.name,
                                      .count = beside->count,
                                      .bytes = (uint64_t)side->bytes};
    for (size_t j = 0; j < beside->report->device_count; j++)
      if (beside->report->devices[j].index == beside->bed.session.device.index)
        added[i].of.device = &beside->report->devices[j];
    snprintf(added[i].of.op, sizeof added[i].of.op, "%s", c->label);
    snprintf(added[i].name, sizeof added[i].name, "%s", side->name);
    added[i].kind = side->kind;
    added[i].bytes = side->bytes;
  }
  return EXIT_DONE;
}

int beside_compare(struct beside *beside, const struct comparison *comparison) {
  static const struct spread none = {NAN, NAN, NAN, 0};
  const char *only = beside->report->request->args->only;
  if (only != NULL && strstr(comparison->label, only) == NULL)
    return EXIT_DONE;
  struct sides *sides = calloc(1, sizeof *sides);
  struct bench_row *rows = calloc(SIDES_MOST, sizeof *rows);
  int code = sides != NULL && rows != NULL ? EXIT_DONE : fail_memory();
  for (size_t i = 0; i < SIDES_MOST && code == EXIT_DONE; i++)
    rows[i].times[BENCH_WALL] = rows[i].times[BENCH_DEVICE] = none;
  if (code == EXIT_DONE)
    code = measure_sides(beside, comparison, sides, rows);
  if (code == EXIT_DONE)
    code = add_rows(beside, comparison, sides, rows);
  free(rows);
  free(sides);
  return code;
}

// ---- Elements

void *beside_claim(size_t bytes) {
  const size_t page = 4096, whole = (bytes + page - 1) / page * page;
  void *memory = aligned_alloc(page, whole == 0 ? page : whole);
  if (memory != NULL)
    memset(memory, 0, whole);
  return memory;
}

static int failed(cl_int status, const char *call) {
  return status == CL_SUCCESS ? EXIT_DONE : fail_opencl(call, status, "the elements of a comparison");
}

// In pieces, because not every driver takes more than 2^32 bytes in one call.
int beside_buffer(const struct beside *beside, void *data, size_t bytes, cl_mem *buffer) {
  const size_t most = (size_t)1 << 30;
  const bool shares = beside_on_cpu(beside);
  cl_int status;
  *buffer = clCreateBuffer(beside->bed.session.context, CL_MEM_READ_ONLY | (shares ? CL_MEM_USE_HOST_PTR : 0), bytes,
                           shares ? data : NULL, &status);
  for (size_t done = 0; done < bytes && status == CL_SUCCESS && !shares; done += most)
    status = clEnqueueWriteBuffer(beside->bed.wall_queue, *buffer, CL_TRUE, done,
                                  bytes - done < most ? bytes - done : most, (char *)data + done, 0, NULL, NULL);
  return failed(status, "clCreateBuffer");
}

static void release_buffer(cl_mem *buffer) {
  if (*buffer != NULL)
    clReleaseMemObject(*buffer);
  *buffer = NULL;
}

int beside_fill(struct beside *beside, enum pattern pattern) {
  const size_t bytes = (size_t)beside->count * beside->type.size;
  release_buffer(&beside->bed.in);
  if (beside->task->fill != NULL)
    beside->task->fill(beside->elements, bytes);
  else
    elements_make(pattern, beside->peer_type, beside->elements, (size_t)beside->count);
  return beside_buffer(beside, beside->elements, bytes, &beside->bed.in);
}

static int fill_second(struct beside *beside) {
  const size_t bytes = (size_t)beside->count * beside->type.size;
  if (!beside->task->second)
    return EXIT_DONE;
  beside->second_elements = beside_claim(bytes);
  if (beside->second_elements == NULL)
    return fail_memory();
  beside->task->fill(beside->second_elements, bytes);
  return beside_buffer(beside, beside->second_elements, bytes, &beside->second);
}

// Elements, results and a copy of both for a peer; a fifth is left free.
static bool fits(const struct beside *beside) {
  const double bytes = (double)beside->count * (double)beside->type.size;
  const double all = 3 * bytes + (beside->task->wide ? 16.0 * (double)beside->count : 0);
  const double host = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
  cl_ulong memory = 0;
  clGetDeviceInfo(beside->bed.session.device.id, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof memory, &memory, NULL);
  return bytes <= (double)session_fact(&beside->bed.session, "max_alloc", memory) && all < 0.8 * (double)memory &&
         bytes < 0.4 * host;
}

// ---- All of them

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
  beside->elements = beside_claim((size_t)beside->count * beside->type.size);
  int code = beside->elements == NULL ? fail_memory() : beside_fill(beside, beside->task->pattern);
  if (code == EXIT_DONE)
    code = fill_second(beside);
  if (code == EXIT_DONE)
    code = beside->task->measure(beside);
  clFinish(beside->bed.wall_queue);
  clFinish(beside->bed.session.queue);
  release_buffer(&beside->bed.in);
  release_buffer(&beside->second);
  free(beside->elements);
  free(beside->second_elements);
  beside->elements = beside->second_elements = NULL;
  return code;
}

// The task's own sizes, if none are asked for.
static int list_sizes(const struct beside *beside, struct bench_request *sizes) {
  *sizes = *beside->report->request;
  if (sizes->size_count > 0)
    return EXIT_DONE;
  return bench_request_sizes(sizes, beside_on_cpu(beside) ? beside->task->cpu_sizes : beside->task->gpu_sizes);
}

static enum bench_type peer_type_of(clred_type type) {
  static const clred_type types[BENCH_TYPES] = {CLRED_TYPE_FLOAT, CLRED_TYPE_DOUBLE, CLRED_TYPE_INT, CLRED_TYPE_UCHAR,
                                                CLRED_TYPE_HALF,  CLRED_TYPE_USHORT, CLRED_TYPE_LONG};
  int i = 0;
  while (i < BENCH_TYPES && types[i] != type)
    i++;
  return (enum bench_type)i;
}

static int measure_device(struct beside *beside, struct bench_request *sizes) {
  const struct bench_request *request = beside->report->request;
  int code = list_sizes(beside, sizes);
  for (size_t i = 0; i < sizes->size_count && code == EXIT_DONE; i++)
    for (size_t j = 0; j < request->type_count && code == EXIT_DONE; j++) {
      beside->type = request->types[j];
      beside->peer_type = peer_type_of(beside->type.type);
      beside->count = sizes->sizes[i];
      code = measure_count(beside);
    }
  return code;
}

int beside_measure(struct bench_report *report) {
  struct beside beside = {.report = report, .task = report->request->task};
  struct bench_request *sizes = malloc(sizeof *sizes);
  int code = sizes == NULL ? fail_memory() : EXIT_DONE;
  for (size_t i = 0; i < report->device_count && code == EXIT_DONE; i++) {
    code = bench_bed_open(&beside.bed, &report->devices[i], report->request);
    if (code == EXIT_DONE)
      code = measure_device(&beside, sizes);
    bench_bed_close(&beside.bed);
  }
  free(sizes);
  return code;
}
