// Reductions: loops over devices, types, operators and sizes; for each of them all sides run in turn.

#include "bench/reduce.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/fail.h"
#include "bench/sizes.h"
#include "bench/turns.h"
#include "bench/variants.h"
#include "device/session.h"
#include "input/generate.h"

enum { PIECE = 1 << 26 };

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

// ---- The elements

// Each size uses the first elements of the same array.
static int make_elements(struct measuring *m) {
  struct recipe recipe;
  char spec[64];
  uint64_t count = largest_of(m);
  int code = shared_data_map(m->data, count * m->type.size);
  if (code != EXIT_DONE)
    return code;
  snprintf(spec, sizeof spec, "uniform:%llu", (unsigned long long)count);
  code = generate_parse(spec, &m->type, &recipe);
  if (code == EXIT_DONE)
    generate_fill(&recipe, m->data->bytes, &m->progress);
  m->bed.elements = m->data->bytes;
  return code;
}

// In pieces, because not every driver takes more than 2^32 bytes in one call. The copy is written, too, so that no run
// is the first to touch its pages.
static int write_elements(const struct bench_bed *bed, cl_mem buffer, size_t bytes) {
  cl_int status = CL_SUCCESS;
  for (size_t done = 0; done < bytes && status == CL_SUCCESS; done += PIECE)
    status = clEnqueueWriteBuffer(bed->wall_queue, buffer, CL_TRUE, done, bytes - done < PIECE ? bytes - done : PIECE,
                                  (const char *)bed->elements + done, 0, NULL, NULL);
  return status == CL_SUCCESS ? EXIT_DONE : fail_opencl("clEnqueueWriteBuffer", status, "the elements");
}

static int upload(struct measuring *m) {
  struct bench_bed *bed = &m->bed;
  size_t bytes = (size_t)(largest_of(m) * m->type.size);
  bool shares = session_fact(&bed->session, "unified_memory", 0) != 0;
  cl_int status;
  bed->in = clCreateBuffer(bed->session.context, CL_MEM_READ_ONLY | (shares ? CL_MEM_USE_HOST_PTR : 0), bytes,
                           shares ? m->data->bytes : NULL, &status);
  if (status != CL_SUCCESS)
    return fail_opencl("clCreateBuffer", status, "the elements");
  int code = shares ? EXIT_DONE : write_elements(bed, bed->in, bytes);
  if (code != EXIT_DONE)
    return code;
  bed->copy = clCreateBuffer(bed->session.context, CL_MEM_READ_WRITE, bytes, NULL, &status);
  bed->other = bed->copy;  // for --after
  return status == CL_SUCCESS ? write_elements(bed, bed->copy, bytes)
                              : fail_opencl("clCreateBuffer", status, "a copy of the elements");
}

// After a failure, calls that read the elements may still be running.
static void release_elements(struct bench_bed *bed) {
  if (bed->wall_queue != NULL)
    clFinish(bed->wall_queue);
  if (bed->session.queue != NULL)
    clFinish(bed->session.queue);
  if (bed->in != NULL)
    clReleaseMemObject(bed->in);
  if (bed->copy != NULL)
    clReleaseMemObject(bed->copy);
  bed->in = bed->copy = NULL;
}

// ---- One case

struct sides {
  struct side list[SIDES_MOST];
  size_t count;
};

static size_t peers_serving(const struct measuring *m) {
  size_t count = 0;
  for (size_t i = 0; i < m->report->peers->count; i++)
    count += m->serves[i] && !m->report->peers->list[i].out;
  return count;
}

// One side for each variant if there are variants, else one for each strategy.
static int open_ours(struct measuring *m, const struct expected *expected, struct sides *sides,
                     struct bench_row rows[]) {
  const struct bench_request *request = m->report->request;
  const size_t variants = m->variants.count, count = variants > 0 ? variants : request->strategy_count;
  int code = EXIT_DONE;
  for (size_t i = 0; i < count && code == EXIT_DONE; i++) {
    code = bench_ours_open(&sides->list[i], &m->bed, &request->strategies[variants > 0 ? 0 : i],
                           variants > 0 ? &m->variants.list[i] : NULL, m->type.type, expected, &rows[i]);
    sides->count++;
  }
  return code;
}

static int open_limits(struct measuring *m, const struct bench_case *of, struct sides *sides) {
  int code = bench_copy_open(&sides->list[sides->count++], &m->bed, of->bytes);
  return code == EXIT_DONE ? bench_read_open(&sides->list[sides->count++], &m->bed, of->bytes) : code;
}

static int open_peers(struct measuring *m, const struct bench_case *of, const struct expected *expected,
                      struct sides *sides) {
  struct peers *peers = m->report->peers;
  int code = EXIT_DONE;
  for (size_t i = 0; i < peers->count && code == EXIT_DONE; i++)
    if (m->serves[i] && !peers->list[i].out)
      code = bench_peer_open(&sides->list[sides->count++], &peers->list[i], of, expected);
  return code;
}

static void name_rows(const struct sides *sides, const struct bench_case *of, struct bench_row rows[]) {
  for (size_t i = 0; i < sides->count; i++) {
    rows[i].of = *of;
    rows[i].kind = sides->list[i].kind;
    snprintf(rows[i].name, sizeof rows[i].name, "%s", sides->list[i].name);
  }
}

static void close_sides(struct sides *sides) {
  for (size_t i = 0; i < sides->count; i++)
    if (sides->list[i].own != NULL)
      sides->list[i].close(&sides->list[i]);
}

// The results of variants are compared with those of the first variant.
static void note_differences(const struct measuring *m, const struct sides *sides, struct bench_row rows[]) {
  for (size_t i = 1; i < m->variants.count; i++)
    if (*sides->list[0].lost == '\0' && *sides->list[i].lost == '\0')
      rows[i].differs = !bench_ours_agree(&sides->list[0], &sides->list[i]);
}

static int measure_case(struct measuring *m, const struct bench_case *of, const struct expected *expected) {
  const struct bench_request *request = m->report->request;
  const struct turns_rule rule = {.runs = request->runs,
                                  .warm_up = 3,
                                  .calls = request->args->calls.value,
                                  .clocks = {true, true},
                                  .shuffled = true,
                                  .budget = 2};
  size_t count = (m->variants.count > 0 ? m->variants.count : request->strategy_count) + 2 + peers_serving(m);
  struct bench_row *rows = bench_rows_add(&m->report->rows, count);
  struct sides *sides = calloc(1, sizeof *sides);
  int code = rows != NULL && sides != NULL ? EXIT_DONE : fail_memory();
  if (code == EXIT_DONE)
    code = open_ours(m, expected, sides, rows);
  if (code == EXIT_DONE)
    code = open_limits(m, of, sides);
  if (code == EXIT_DONE)
    code = open_peers(m, of, expected, sides);
  if (code == EXIT_DONE) {
    name_rows(sides, of, rows);
    code = bench_take_turns(sides->list, rows, sides->count, &rule);
  }
  if (code == EXIT_DONE)
    note_differences(m, sides, rows);
  if (sides != NULL)
    close_sides(sides);
  free(sides);
  return code;
}

// ---- All cases

static int measure_sizes(struct measuring *m, const clred_op_info *op) {
  int code = EXIT_DONE;
  for (size_t i = 0; i < m->sizes.count && code == EXIT_DONE; i++) {
    struct expected expected;
    uint64_t count = m->sizes.list[i];
    struct bench_case of = {
      .device = &m->report->devices[m->device], .type = m->type.name, .count = count, .bytes = count * m->type.size};
    snprintf(of.op, sizeof of.op, "%s", op->name);
    progress_tell(&m->progress, op->name, m->done++, m->total);
    expect(&expected, op->op, m->type.type, m->bed.elements, count);
    code = measure_case(m, &of, &expected);
  }
  return code;
}

static int measure_type(struct measuring *m, const clred_type_info *type) {
  const struct bench_request *request = m->report->request;
  m->type = *type;
  m->bed.others = request->args->after.value;
  int code = bench_sizes_choose(&m->sizes, request, &m->bed.session, type, shared_data_room(m->data));
  if (code == EXIT_DONE)
    code = make_elements(m);
  if (code == EXIT_DONE)
    code = upload(m);
  m->total = m->sizes.count * request->op_count * request->type_count * m->report->device_count;
  for (size_t i = 0; i < request->op_count && code == EXIT_DONE; i++)
    code = measure_sizes(m, &request->ops[i]);
  release_elements(&m->bed);
  return code;
}

static void ask_peers(struct measuring *m) {
  struct peers *peers = m->report->peers;
  for (size_t i = 0; i < peers->count; i++)
    m->serves[i] = !peers->list[i].out && peer_open(&peers->list[i], &m->report->devices[m->device]);
}

int bench_bed_open(struct bench_bed *bed, const struct device *device, const struct bench_request *request) {
  cl_int status;
  *bed = (struct bench_bed){.in = NULL};
  int code = session_open_tuned_on(&bed->session, device, request->args);
  if (code != EXIT_DONE)
    return code;
  bed->wall_queue = clCreateCommandQueue(bed->session.context, bed->session.device.id, 0, &status);
  return status == CL_SUCCESS ? EXIT_DONE : fail_opencl("clCreateCommandQueue", status, "without profiling");
}

void bench_bed_close(struct bench_bed *bed) {
  if (bed->readers != NULL)
    clReleaseProgram(bed->readers);
  if (bed->wall_queue != NULL)
    clReleaseCommandQueue(bed->wall_queue);
  session_close(&bed->session);
  *bed = (struct bench_bed){.in = NULL};
}

static int measure_device(struct measuring *m) {
  const struct bench_request *request = m->report->request;
  int code = bench_bed_open(&m->bed, &m->report->devices[m->device], request);
  if (code == EXIT_DONE)
    code = bench_limit_build(&m->bed);
  if (code == EXIT_DONE)
    code = variants_open(&m->variants, &m->bed.session);
  if (code == EXIT_DONE)
    ask_peers(m);
  for (size_t i = 0; i < request->type_count && code == EXIT_DONE; i++)
    code = measure_type(m, &request->types[i]);
  variants_close(&m->variants);
  bench_bed_close(&m->bed);
  return code;
}

int bench_measure(struct bench_report *report, struct shared_data *data) {
  struct measuring *m = calloc(1, sizeof *m);
  int code = m == NULL ? fail_memory() : EXIT_DONE;
  if (m == NULL)
    return code;
  m->report = report;
  m->data = data;
  code = variants_take(&m->variants, &report->request->args->variants);
  progress_begin(&m->progress, report->request->args->quiet);
  for (m->device = 0; m->device < report->device_count && code == EXIT_DONE; m->device++)
    code = measure_device(m);
  progress_end(&m->progress);
  variants_release(&m->variants);
  free(m);
  return code;
}
