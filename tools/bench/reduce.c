// Reductions: loops over devices, types, operators and sizes; for each of them all sides run in turn.
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/fail.h"
#include "bench/shared_data.h"
#include "bench/side.h"
#include "bench/variants.h"
#include "device/session.h"
#include "input/generate.h"
#include "operator/operation.h"

enum { USUAL_FIRST = 1 << 10, USUAL_FACTOR = 4 };

struct measuring {
  struct bench_report *report;
  struct shared_data *data;
  struct progress progress;
  uint64_t done, total;  // cases
  size_t device;         // index in the report
  bool serves[PEERS_MOST];
  clred_type_info type;
  struct bench_sizes sizes;
  struct bench_bed bed;
  struct bench_variants variants;
};

static uint64_t largest_of(const struct measuring *m) {
  const uint64_t largest = m->sizes.list[m->sizes.count - 1], others = m->bed.others;
  return largest > others ? largest : others;
}

// ---- The numbers of elements

static uint64_t least(uint64_t a, uint64_t b) {
  return a < b ? a : b;
}

static uint64_t host_memory(void) {
#ifdef _SC_PHYS_PAGES
  long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
  if (pages > 0 && size > 0)
    return (uint64_t)pages * (uint64_t)size;
#endif
  return UINT64_MAX;
}

// A quarter of each memory holds the elements; the rest is for a copy on the device and for peers.
static uint64_t bytes_that_fit(const struct session *session, uint64_t room) {
  cl_ulong memory = 0;
  clGetDeviceInfo(session->device.id, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof memory, &memory, NULL);
  uint64_t bytes = least(session_fact(session, "max_alloc", memory), memory / 4);
  return least(bytes, least(host_memory() / 4, room / 2));
}

static int check_largest(const struct bench_sizes *sizes, const struct session *session, const clred_type_info *type) {
  uint64_t largest = sizes->list[sizes->count - 1] * type->size, most = session_fact(session, "max_alloc", UINT64_MAX);
  if (largest > host_memory() / 2)
    return fail(EXIT_WORK_FAILED, "--sizes: %llu elements of %s take more than half of the host's memory",
                (unsigned long long)sizes->list[sizes->count - 1], type->name);
  if (largest > most)
    return fail(EXIT_WORK_FAILED, "--sizes: %llu elements of %s are %llu bytes, one buffer of %s holds at most %llu",
                (unsigned long long)sizes->list[sizes->count - 1], type->name, (unsigned long long)largest,
                session->device.name, (unsigned long long)most);
  return EXIT_DONE;
}

// Takes the requested sizes, or powers of 4 up to what fits. `room`: bytes that the shared file may take.
static int choose_sizes(struct bench_sizes *sizes, const struct bench_request *request, const struct session *session,
                        const clred_type_info *type, uint64_t room) {
  uint64_t most = bytes_that_fit(session, room) / type->size;
  *sizes = request->sizes;
  if (sizes->count == 0)
    for (uint64_t size = USUAL_FIRST; sizes->count == 0 || size <= most; size *= USUAL_FACTOR)
      sizes->list[sizes->count++] = size;
  return check_largest(sizes, session, type);
}

// Each size uses the first elements of the same array.
static int make_elements(struct measuring *m) {
  struct recipe recipe;
  char spec[64];
  uint64_t count = largest_of(m);
  int code = shared_data_map(m->data, count * m->type.size);
  if (code)
    return code;
  snprintf(spec, sizeof spec, "uniform:%llu", (unsigned long long)count);
  code = generate_parse(spec, &m->type, &recipe);
  if (!code)
    generate_fill(&recipe, m->data->bytes, &m->progress);
  m->bed.elements = m->data->bytes;
  return code;
}

// The copy is written, too, so that no run is the first to touch its pages.
static int upload(struct measuring *m) {
  struct bench_bed *bed = &m->bed;
  size_t bytes = (size_t)(largest_of(m) * m->type.size);
  int code = session_buffer(&bed->session, m->data->bytes, bytes, "the elements", &bed->in);
  code = code ? code : session_room(&bed->session, NULL, bytes, "a copy of the elements", &bed->second);
  return code ? code : session_write(&bed->session, bed->second, bed->elements, bytes, "a copy of the elements");
}

// ---- One case

// Opens one side for each variant. Without variants, opens one for each strategy.
static int open_ours(struct measuring *m, const struct expected *expected, struct sides *sides) {
  const struct bench_request *request = m->report->request;
  const size_t variants = m->variants.count, count = variants > 0 ? variants : request->strategy_count;
  const uint64_t largest = m->bed.others > expected->count ? m->bed.others : expected->count;
  struct plan_side plan = {
    .problem = {.type = m->type.type, .op = expected->op, .count_max = problem_count_max(largest)},
    .call = {.in = m->bed.in, .count = expected->count},
    .bytes = (double)expected->count * (double)m->type.size,
    .expected = expected};
  int code = EXIT_DONE;
  for (size_t i = 0; i < count && !code; i++) {
    const struct bench_strategy *strategy = &request->strategies[variants > 0 ? 0 : i];
    plan.variant = variants > 0 ? &m->variants.list[i] : NULL;
    plan.name = variants > 0 ? plan.variant->words : strategy->spelt;
    ours_set_strategy(&plan.problem, strategy);
    code = bench_ours_open(&sides->list[i], &m->bed, &plan, &sides->rows[i]);
    sides->count++;
  }
  return code;
}

static int open_limits(struct measuring *m, const struct bench_case *of, struct sides *sides) {
  int code = bench_copy_open(&sides->list[sides->count++], &m->bed, of->bytes);
  return code ? code : bench_read_open(&sides->list[sides->count++], &m->bed, of->bytes);
}

static int open_peers(struct measuring *m, const struct bench_case *of, const struct expected *expected,
                      struct sides *sides) {
  struct peers *peers = m->report->peers;
  int code = EXIT_DONE;
  for (size_t i = 0; i < peers->count && !code; i++)
    if (m->serves[i] && !peers->list[i].out)
      code = bench_peer_open(&sides->list[sides->count++], &peers->list[i], of, expected);
  return code;
}

// The results of variants are compared with those of the first variant.
static void note_differences(const struct measuring *m, struct sides *sides) {
  for (size_t i = 1; i < m->variants.count; i++)
    if (*sides->list[0].lost == '\0' && *sides->list[i].lost == '\0')
      sides->rows[i].differs = !bench_ours_agree(&sides->list[0], &sides->list[i]);
}

static int measure_sides(struct measuring *m, const struct bench_case *of, const struct expected *expected,
                         struct sides *sides) {
  const struct bench_request *request = m->report->request;
  const struct turns_rule rule = {.runs = request->runs,
                                  .warm_up = 3,
                                  .calls = request->args->calls.value,
                                  .clocks = {true, true},
                                  .shuffled = true,
                                  .budget = 2};
  int code = open_ours(m, expected, sides);
  code = code ? code : open_limits(m, of, sides);
  code = code ? code : open_peers(m, of, expected, sides);
  sides_name(sides, of);
  code = code ? code : bench_take_turns(sides, &rule);
  if (!code)
    note_differences(m, sides);
  return code;
}

static int measure_case(struct measuring *m, const struct bench_case *of, const struct expected *expected) {
  struct sides *sides = sides_begin(m->report);
  int code = sides == NULL ? fail_memory() : measure_sides(m, of, expected, sides);
  sides_end(sides, m->report);
  return code;
}

static int measure_sizes(struct measuring *m, const clred_op_info *op) {
  int code = EXIT_DONE;
  for (size_t i = 0; i < m->sizes.count && !code; i++) {
    struct expected expected;
    uint64_t count = m->sizes.list[i];
    struct bench_case of = {
      .device = &m->report->devices[m->device], .type = m->type.name, .count = count, .bytes = count * m->type.size};
    snprintf(of.op, sizeof of.op, "%s", op->name);
    progress_show(&m->progress, op->name, m->done++, m->total);
    expect(&expected, op->op, m->type.type, m->bed.elements, count);
    code = measure_case(m, &of, &expected);
  }
  return code;
}

static int measure_type(struct measuring *m, const clred_type_info *type) {
  const struct bench_request *request = m->report->request;
  m->type = *type;
  m->bed.others = request->args->after.value;
  int code = choose_sizes(&m->sizes, request, &m->bed.session, type, shared_data_room(m->data));
  code = code ? code : make_elements(m);
  code = code ? code : upload(m);
  m->total = m->sizes.count * request->op_count * request->type_count * m->report->device_count;
  for (size_t i = 0; i < request->op_count && !code; i++)
    code = measure_sizes(m, &request->ops[i]);
  bed_release_elements(&m->bed);
  return code;
}

static void open_device_in_peers(struct measuring *m) {
  struct peers *peers = m->report->peers;
  for (size_t i = 0; i < peers->count; i++)
    m->serves[i] = !peers->list[i].out && peer_open(&peers->list[i], &m->report->devices[m->device]);
}

static int measure_device(struct measuring *m) {
  const struct bench_request *request = m->report->request;
  int code = bench_bed_open(&m->bed, &m->report->devices[m->device], request);
  code = code ? code : bench_limit_build(&m->bed);
  code = code ? code : variants_open(&m->variants, &m->bed.session);
  if (!code)
    open_device_in_peers(m);
  for (size_t i = 0; i < request->type_count && !code; i++)
    code = measure_type(m, &request->types[i]);
  variants_close(&m->variants);
  bench_bed_close(&m->bed);
  return code;
}

int bench_measure(struct bench_report *report, struct shared_data *data) {
  struct measuring *m = calloc(1, sizeof *m);
  if (m == NULL)
    return fail_memory();
  m->report = report;
  m->data = data;
  int code = variants_take(&m->variants, &report->request->args->variants);
  progress_begin(&m->progress, report->request->args->quiet);
  for (m->device = 0; m->device < report->device_count && !code; m->device++)
    code = measure_device(m);
  progress_end(&m->progress);
  variants_release(&m->variants);
  free(m);
  return code;
}
