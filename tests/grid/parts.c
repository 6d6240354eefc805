// parts: reductions and scans in parts, against the oracle or a loop, byte by byte. Streams get elements in pieces of
// any size. Partials are cut anywhere, folded by the device or the host, packed or not, and joined in any order. All
// give the bits of one call over all elements. Runs on the device of CLREDUCE_TEST_DEVICE, with the facts of
// CLREDUCE_TEST_ASSUME. If that is not set, elements also lie on the first device and the next two, if there are such.

#define _POSIX_C_SOURCE 200809L  // setenv

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oracle/tree.h"
#include "program.h"

#define COUNT_OF(table) (sizeof(table) / sizeof *(table))
#define FENCE 64       // bytes on both sides of results, which must not change
#define SCANNED 70001  // elements of the longest scan, and of reductions without a number of groups
#define PARTS_MAX 8    // of a scan
#define DEVICES_MAX 3
#define TURNS 4  // of each way

// Around lanes and tiles; several folds of a stream's chunks; so many that partials have nodes of several levels and a
// group folds several tiles.
static const uint64_t sizes[] = {0, 1, 3, 777, 1023, 4096, 5000, SCANNED, 3000017, ((uint64_t)1 << 26) + 5};

// ---------------------------------------------------------------- What is computed

// Rounds, does not commute, uses the index and a parameter, and has no host functions: the device joins.
static const cl_float decay = 0.75f;
static const clred_operand decay_operand = {.type = "float", .name = "decay"};
static const struct sample decaying = {
  .op = OPERATOR(.name = "decaying", .element = "float", .state = "{ float m; float c; }", .identity = "{ 1, 0 }",
                 .lift = "MAKE(index % 5 ? decay : 1.1f, x)", .combine = "MAKE(b.m * a.m, b.m * a.c + b.c)",
                 .parameters = &decay_operand, .parameter_count = 1),
  .element = sizeof(cl_float),
  .result = 2 * sizeof(cl_float),
  .parameter = &decay,
  .below = 64};

#define EXACT .order = CLRED_ORDER_EXACT
#define OWN_BITS .result_bits = CLRED_RESULT_OWN
#define LIST(...) \
  .list = (const clred_op[]){__VA_ARGS__}, .list_count = sizeof((clred_op[]){__VA_ARGS__}) / sizeof(clred_op)

static const struct kind {
  clred_problem problem;
  const char *sample;  // an operator of a caller
} kinds[] = {
  {{OP(SUM, FLOAT), .groups = 64}, NULL},
  {{OP(SUM, DOUBLE)}, NULL},
  {{OP(MEAN, FLOAT)}, NULL},
  {{OP(VAR, DOUBLE)}, NULL},
  {{OP(NORM2, FLOAT)}, NULL},
  {{OP(DOT, FLOAT)}, NULL},
  {{OP(DOT, DOUBLE)}, NULL},
  {{OP(ARGMIN, FLOAT)}, NULL},
  {{OP(STATS, FLOAT)}, NULL},
  {{OP(SUM, UCHAR)}, NULL},
  {{OP(SUM, HALF)}, NULL},
  {{.type = CLRED_VECTOR(CLRED_TYPE_FLOAT, 3), .op = CLRED_OP_SUM}, NULL},
  {{OP(SUM, CFLOAT)}, NULL},
  {{OP(SUM, INT), .overflow = CLRED_OVERFLOW_DETECT}, NULL},
  {{OP(SUM, SHORT), OWN_BITS}, NULL},
  {{OP(SUM, UCHAR), .result_bits = CLRED_RESULT_32}, NULL},
  {{OP(LOGSUMEXP, FLOAT)}, NULL},
  {{OP(SUM, FLOAT), EXACT}, NULL},
  {{OP(SUM, DOUBLE), EXACT}, NULL},
  {{.type = CLRED_TYPE_FLOAT, LIST(CLRED_OP_SUM, CLRED_OP_MIN, CLRED_OP_MAX, CLRED_OP_ARGMIN)}, NULL},
  {{OP(NONE, NONE)}, "affine"},
  {{OP(NONE, NONE)}, "hash"},
  {{OP(NONE, NONE)}, "matrix"},
  {{OP(NONE, NONE)}, "blob256"},
  {{OP(NONE, NONE)}, "packed"},
  {{OP(NONE, NONE)}, "moments"},
  {{OP(NONE, NONE)}, "padded"},
  {{OP(NONE, NONE)}, "exact_float"},
  {{OP(NONE, NONE)}, "decaying"},
  {{OP(SUM, FLOAT), SCAN(INCLUSIVE)}, NULL},
  {{OP(SUM, FLOAT), SCAN(EXCLUSIVE)}, NULL},
  {{OP(SUM, DOUBLE), SCAN(INCLUSIVE)}, NULL},
  {{OP(MEAN, FLOAT), SCAN(EXCLUSIVE)}, NULL},
  {{OP(MEAN, DOUBLE), SCAN(INCLUSIVE)}, NULL},
  {{OP(DOT, FLOAT), SCAN(INCLUSIVE)}, NULL},
  {{OP(SUM, INT), SCAN(INCLUSIVE)}, NULL},
  {{OP(ARGMIN, CHAR), SCAN(INCLUSIVE)}, NULL},
  {{OP(PROD, FLOAT), SCAN(EXCLUSIVE)}, NULL},
  {{OP(PROD, CFLOAT), SCAN(INCLUSIVE)}, NULL},
  {{OP(SUM, HALF), SCAN(INCLUSIVE)}, NULL},
  {{OP(MAX, INT), SCAN(INCLUSIVE)}, NULL},
  {{OP(SUM, SHORT), SCAN(EXCLUSIVE), OWN_BITS}, NULL},
  {{OP(SUM, UCHAR), SCAN(EXCLUSIVE), .result_bits = CLRED_RESULT_32}, NULL},
  {{OP(NONE, NONE), SCAN(EXCLUSIVE)}, "affine"},
  {{OP(NONE, NONE), SCAN(INCLUSIVE)}, "matrix"},
  {{OP(NONE, NONE), SCAN(INCLUSIVE)}, "decaying"},
};

static bool is_long;  // all reductions of all sizes, which takes minutes

static void list(struct combinations *all, bool full) {
  is_long = full;
  for (size_t i = 0; i < COUNT_OF(kinds); i++) {
    clred_problem problem = kinds[i].problem;
    if (kinds[i].sample)
      problem.custom = strcmp(kinds[i].sample, "decaying") == 0 ? &decaying.op : &sample_named(kinds[i].sample)->op;
    combinations_add(all, &problem);
  }
}

// ---------------------------------------------------------------- One problem with one number of elements

// What a device has for the problem.
struct seat {
  struct device *device;
  clred_plan *plan, *folds;  // folds: makes the partials of a scan; of a reduction, the plan itself
  struct image in, other, out;
};

struct parts {
  struct run *run;
  const struct combination *named;
  struct seat on[DEVICES_MAX];  // the first is the device under test
  size_t devices;
  bool on_host;  // the host can fold
  struct layout_case of;
  cl_ulong other_offset;
  const void *const *parameters;
  unsigned char *elements;  // those of the call, in host memory, at any address
  const unsigned char *others;
  size_t result_size, bytes;  // bytes: of all results
  unsigned char *expected;
  random_state random;
  char text[400];  // the first failure
};

// Keeps the first failure. What follows then fails, too, and is not shown.
#define TRY(parts, call) note(parts, #call, call)
static void note(struct parts *parts, const char *call, cl_int err) {
  if (err && !*parts->text)
    snprintf(parts->text, sizeof parts->text, "%.*s gave %s: %.200s", (int)strcspn(call, "("), call,
             clred_status_name(err), clred_last_error(parts->on[0].device->runtime));
}

static void keep_trouble(struct parts *parts, const char *trouble) {
  if (trouble && !*parts->text)
    snprintf(parts->text, sizeof parts->text, "%s", trouble);
}

static void expect_count(struct parts *parts, cl_ulong first, cl_ulong count, cl_ulong expected) {
  if (first != 0 || count != expected)
    note(parts, "the number of elements", CLRED_WRONG_RESULT);
}

// True in one of `limit` cases.
static bool draw(struct parts *parts, uint64_t limit) {
  return random_below(&parts->random, limit) == 0;
}

// A call over elements from `first` on, in buffers; `*offset` keeps the offset of the further input.
static clred_call device_call(const struct parts *parts, const struct seat *seat, cl_ulong first, cl_ulong count,
                              cl_ulong *offset) {
  const bool further = parts->others != NULL;
  *offset = parts->other_offset + first;
  return (clred_call)CALL(.in = seat->in.mem, .in_offset = parts->of.call.in_offset + first,
                          .inputs = further ? &seat->other.mem : NULL, .input_offsets = further ? offset : NULL,
                          .count = count);
}

// The same in host memory; `*input` keeps the address of the further input.
static clred_host_call host_call(const struct parts *parts, cl_ulong first, cl_ulong count, const void **input) {
  *input = parts->others ? parts->others + first * parts->of.other_size : NULL;
  return (clred_host_call)CALL(.in = parts->elements + first * parts->of.size, .inputs = *input ? input : NULL,
                               .count = count);
}

// ---------------------------------------------------------------- Streams

static void call_all(struct parts *parts, unsigned char *results) {
  const void *input;
  clred_host_call call = host_call(parts, 0, parts->of.call.count, &input);
  call.parameters = parts->parameters, call.initial = parts->of.start, call.out = results;
  TRY(parts, clred_plan_run_host(parts->on[0].device->queue, parts->on[0].plan, &call));
}

static cl_ulong piece_of(struct parts *parts, cl_ulong at) {
  const cl_ulong left = parts->of.call.count - at, tile = clred_partial_tile(parts->on[0].folds);
  const cl_ulong pieces[] = {left, left > 9000 ? 1001 : 7, 333, 3 * tile + 1, 100001};
  const cl_ulong piece = pieces[random_below(&parts->random, COUNT_OF(pieces))];
  return piece < left ? piece : left;
}

static void push(struct parts *parts, clred_stream *stream) {
  const void *input;
  for (cl_ulong at = 0, taken; at < parts->of.call.count; at += taken) {
    const clred_host_call from = host_call(parts, at, taken = piece_of(parts, at), &input);
    TRY(parts, clred_stream_push(stream, from.in, from.inputs, taken));
  }
}

static void fill(struct parts *parts, clred_stream *stream) {
  for (cl_ulong at = 0, taken; at < parts->of.call.count && !*parts->text; at += taken) {
    const void *from;
    void *in = NULL, *input = NULL;
    cl_ulong room = 0;
    const clred_host_call call = host_call(parts, at, taken = piece_of(parts, at), &from);
    TRY(parts, clred_stream_acquire(stream, &in, from ? &input : NULL, &room));
    if (!room) {
      note(parts, "the room for elements", CLRED_WRONG_RESULT);
      return;
    }
    taken = taken < room ? taken : room;
    memcpy(in, call.in, taken * parts->of.size);
    if (from)
      memcpy(input, from, taken * parts->of.other_size);
    TRY(parts, clred_stream_commit(stream, taken));
  }
}

// The library makes a chunk of one element a tile, and chooses a chunk of none.
static void stream(struct parts *parts, bool fills, bool on_host, unsigned char *results) {
  const cl_ulong chunks[] = {1, 4 * clred_partial_tile(parts->on[0].folds), 0, 65536};
  const clred_stream_options options = {.chunk = chunks[random_below(&parts->random, COUNT_OF(chunks))],
                                        .parameters = parts->parameters,
                                        .on_host = on_host};
  clred_stream *stream = NULL;
  clred_stream_info info = {0};
  TRY(parts, clred_stream_create(parts->on[0].device->queue, parts->on[0].plan, &options, &stream));
  if (stream)
    (fills ? fill : push)(parts, stream);
  TRY(parts, clred_stream_inspect(stream, &info));
  expect_count(parts, 0, info.count, parts->of.call.count);
  TRY(parts, clred_stream_finish(stream, results));
  RELEASE(stream);
}

static void stream_all(struct parts *parts, unsigned char *results) {
  stream(parts, draw(parts, 2), false, results);
}

static void stream_on_host(struct parts *parts, unsigned char *results) {
  stream(parts, draw(parts, 2), true, results);
}

static void stream_scan(struct parts *parts, unsigned char *results) {
  static const cl_ulong chunks[] = {1, 4096, 8192, 0};
  clred_scan_stream *stream = NULL;
  cl_ulong chunk = chunks[random_below(&parts->random, COUNT_OF(chunks))], taken = chunk;
  TRY(parts, clred_scan_stream_create(parts->on[0].device->queue, parts->on[0].plan, &taken, parts->of.start, &stream));
  if (!taken || (chunk >= 4096 && taken > chunk))
    note(parts, "the chunk", CLRED_WRONG_RESULT);
  for (cl_ulong at = 0; at < parts->of.call.count && !*parts->text; at += taken) {
    const void *input;
    const cl_ulong left = parts->of.call.count - at, count = left < taken ? left : taken;
    const clred_host_call from = host_call(parts, at, count, &input);
    TRY(parts, clred_scan_stream_next(stream, from.in, from.inputs, count, results + at * parts->result_size));
  }
  RELEASE(stream);
}

// ---------------------------------------------------------------- Partials

static void fold(struct parts *parts, clred_partial *partial, cl_ulong first, cl_ulong count) {
  cl_command_queue queue = parts->on[0].device->queue;
  const void *input;
  cl_ulong offset;
  const clred_host_call on_host = host_call(parts, first, count, &input);
  const clred_call call = device_call(parts, parts->on, first, count, &offset);
  if (draw(parts, 2))
    TRY(parts, clred_partial_fold(queue, partial, &call, 0, NULL, NULL));
  else if (parts->on_host && draw(parts, 2))
    TRY(parts, clred_partial_fold_host(partial, &on_host));
  else
    TRY(parts, clred_partial_push(queue, partial, &on_host));
}

static clred_partial *pack_and_unpack(struct parts *parts, clred_partial *partial) {
  size_t size = 0, again = 0;
  clred_partial *unpacked = NULL;
  TRY(parts, clred_partial_pack(partial, NULL, 0, &size));
  unsigned char *bytes = oracle_claim(size + 1, 1), *twice = oracle_claim(size, 1);
  bytes[size] = 0x5a;
  TRY(parts, clred_partial_pack(partial, bytes, size, &size));
  TRY(parts, clred_partial_unpack(parts->on[0].folds, bytes, size, &unpacked));
  TRY(parts, clred_partial_pack(unpacked, twice, size, &again));
  if (size > clred_partial_bytes(parts->on[0].folds) || bytes[size] != 0x5a || again != size ||
      memcmp(bytes, twice, size) != 0)
    note(parts, "clred_partial_pack", CLRED_WRONG_RESULT);
  RELEASE(partial, bytes, twice);
  return unpacked;
}

// What was folded before a reset does not count.
static clred_partial *make_piece(struct parts *parts, cl_ulong first, cl_ulong count) {
  const clred_partial_options options = {.first = first + 1, .parameters = parts->parameters};
  const cl_ulong some = draw(parts, 2) ? random_below(&parts->random, count + 1) : 0;
  clred_partial *partial = NULL;
  TRY(parts, clred_partial_create(parts->on[0].folds, &options, &partial));
  if (count)
    fold(parts, partial, first, 1);
  TRY(parts, clred_partial_reset(partial, first));
  fold(parts, partial, first, some);
  fold(parts, partial, first + some, count - some);
  return draw(parts, 3) ? pack_and_unpack(parts, partial) : partial;
}

// Joins the pieces from `first` to `end` by a random tree, so any association may come, and either of two neighbours
// takes the other. Pieces are made when they are needed, so few of them exist at once.
static clred_partial *join(struct parts *parts, const cl_ulong *cuts, size_t first, size_t end) {
  if (end - first == 1)
    return make_piece(parts, cuts[first], cuts[end] - cuts[first]);
  const size_t middle = first + 1 + (size_t)random_below(&parts->random, end - first - 1);
  clred_partial *left = join(parts, cuts, first, middle), *right = join(parts, cuts, middle, end);
  clred_partial *into = draw(parts, 2) ? left : right, *from = into == left ? right : left;
  TRY(parts, clred_partial_join(into, from));
  RELEASE(from);
  return into;
}

static void join_all(struct parts *parts, unsigned char *results) {
  static const size_t counts[] = {1, 2, 3, 5, 8, 40, 1000};
  const uint64_t count = parts->of.call.count;
  const size_t pieces = counts[random_below(&parts->random, count > SCANNED ? COUNT_OF(counts) : 6)];
  cl_ulong *cuts = oracle_claim(pieces + 1, sizeof *cuts);
  clred_partial_info info = {0};
  random_cuts(&parts->random, count, pieces, cuts);
  clred_partial *joined = join(parts, cuts, 0, pieces);
  TRY(parts, clred_partial_inspect(joined, &info));
  expect_count(parts, info.first, info.count, count);
  TRY(parts, clred_partial_result(joined, results));
  RELEASE(joined, cuts);
}

// ---------------------------------------------------------------- Scans of parts

// Cuts at random places, some of them at whole tiles.
static void cut(struct parts *parts, size_t count, cl_ulong *cuts) {
  const cl_ulong tile = clred_partial_tile(parts->on[0].folds);
  random_cuts(&parts->random, parts->of.call.count, count, cuts);
  for (size_t i = 1; i < count; i++)
    if (draw(parts, 3) && cuts[i] - cuts[i] % tile > cuts[i - 1])
      cuts[i] -= cuts[i] % tile;
}

static void scan_part(struct parts *parts, clred_partial *before, cl_ulong first, cl_ulong count) {
  cl_ulong offset;
  cl_event event = NULL;
  clred_partial_info info = {0};
  clred_partial *mine = make_piece(parts, first, count);
  clred_call call = device_call(parts, parts->on, first, count, &offset);
  call.out = parts->on[0].out.mem, call.out_offset = first, call.initial = parts->of.start;
  TRY(parts, clred_partial_scan(parts->on[0].device->queue, parts->on[0].plan, before, mine, &call, 0, NULL, &event));
  if (event)
    TRY(parts, clWaitForEvents(1, &event));
  TRY(parts, clred_partial_inspect(before, &info));
  expect_count(parts, info.first, info.count, first + count);
  RELEASE(mine, event);
}

// From left to right, one partial goes through all parts. Otherwise the last part comes first, and the partial before
// each part is joined anew.
static void scan_parts(struct parts *parts, unsigned char *results) {
  static const size_t counts[] = {1, 2, 3, 5, PARTS_MAX};
  const size_t count = counts[random_below(&parts->random, COUNT_OF(counts))];
  const bool from_left = draw(parts, 2);
  struct seat *seat = parts->on;
  cl_ulong cuts[PARTS_MAX + 1];
  clred_partial *before = make_piece(parts, 0, 0);
  const char *trouble = image_create(&seat->out, seat->device, parts->bytes ? parts->bytes : 1);
  cut(parts, count, cuts);
  for (size_t i = 0; i < count && !trouble; i++) {
    const size_t at = from_left ? i : count - 1 - i;
    if (!from_left && at) {
      RELEASE(before);
      before = join(parts, cuts, 0, at);
    } else if (!from_left) {
      TRY(parts, clred_partial_reset(before, 0));
    }
    scan_part(parts, before, cuts[at], cuts[at + 1] - cuts[at]);
  }
  if (!trouble)
    trouble = image_check_except(&seat->out, seat->device, 0, parts->bytes, results);
  keep_trouble(parts, trouble);
  image_release(&seat->out);
  RELEASE(before);
}

// ---------------------------------------------------------------- Several devices

// Whatever the partials of a scan had before does not count.
static clred_partial *create(struct parts *parts, const struct seat *seat) {
  const clred_partial_options options = {.first = parts->named->problem.scan ? 9 : 0, .parameters = parts->parameters};
  clred_partial *partial = NULL;
  TRY(parts, clred_partial_create(seat->folds, &options, &partial));
  return partial;
}

static void reduce_on_devices(struct parts *parts, unsigned char *results) {
  clred_device_share shares[DEVICES_MAX];
  clred_call calls[DEVICES_MAX];
  cl_ulong cuts[DEVICES_MAX + 1], offsets[DEVICES_MAX];
  cut(parts, parts->devices, cuts);
  for (size_t i = 0; i < parts->devices; i++) {
    const struct seat *seat = &parts->on[i];
    calls[i] = device_call(parts, seat, cuts[i], cuts[i + 1] - cuts[i], &offsets[i]);
    shares[i] = (clred_device_share){seat->device->queue, create(parts, seat), &calls[i]};
  }
  TRY(parts, clred_devices_reduce(shares, parts->devices, results));
  for (size_t i = 0; i < parts->devices; i++)
    RELEASE(shares[i].partial);
}

// A device writes the results of its elements only. Another queue does not wait for the scan, which must be complete.
static void take_results(struct parts *parts, struct seat *seat, const cl_ulong *cuts, unsigned char *results) {
  const size_t first = (size_t)cuts[0] * parts->result_size, end = (size_t)cuts[1] * parts->result_size;
  struct device apart = *seat->device;
  apart.queue = clCreateCommandQueue(apart.context, apart.id, 0, NULL);
  const char *trouble = image_check_except(&seat->out, &apart, first, end - first, results + first);
  keep_trouble(parts, trouble);
  clReleaseCommandQueue(apart.queue);
}

static void scan_on_devices(struct parts *parts, unsigned char *results) {
  clred_device_scan shares[DEVICES_MAX];
  clred_call calls[DEVICES_MAX];
  cl_ulong cuts[DEVICES_MAX + 1], offsets[DEVICES_MAX];
  clred_partial_info info = {0};
  cut(parts, parts->devices, cuts);
  for (size_t i = 0; i < parts->devices; i++) {
    struct seat *seat = &parts->on[i];
    const char *trouble = image_create(&seat->out, seat->device, parts->bytes ? parts->bytes : 1);
    if (trouble)
      oracle_fail("no results", trouble);
    calls[i] = device_call(parts, seat, cuts[i], cuts[i + 1] - cuts[i], &offsets[i]);
    calls[i].out = seat->out.mem, calls[i].out_offset = cuts[i], calls[i].initial = i ? NULL : parts->of.start;
    shares[i] =
      (clred_device_scan){seat->device->queue, seat->plan, create(parts, seat), create(parts, seat), &calls[i]};
  }
  TRY(parts, clred_devices_scan(shares, parts->devices));
  TRY(parts, clred_partial_inspect(shares[parts->devices - 1].before, &info));
  expect_count(parts, info.first, info.count, parts->of.call.count);
  for (size_t i = 0; i < parts->devices; i++) {
    take_results(parts, &parts->on[i], &cuts[i], results);
    image_release(&parts->on[i].out);
    RELEASE(shares[i].before, shares[i].partial);
  }
}

// ---------------------------------------------------------------- Every way

// Only built-in operators without indices have streams of scans.
static bool has_scan_stream(const struct parts *parts) {
  return !parts->named->problem.custom && parts->named->problem.op != CLRED_OP_ARGMIN;
}

static bool folds_on_host(const struct parts *parts) {
  return parts->on_host;
}

static bool has_devices(const struct parts *parts) {
  return parts->devices > 1;
}

static const struct way {
  const char *name;
  bool scans;
  void (*compute)(struct parts *parts, unsigned char *results);
  bool (*exists)(const struct parts *parts);  // NULL: for every problem
} ways[] = {{"one call", false, call_all, NULL},
            {"a stream", false, stream_all, NULL},
            {"a stream on the host", false, stream_on_host, folds_on_host},
            {"partials", false, join_all, NULL},
            {"devices", false, reduce_on_devices, has_devices},
            {"a stream", true, stream_scan, has_scan_stream},
            {"parts", true, scan_parts, NULL},
            {"devices", true, scan_on_devices, has_devices}};

static bool compare(struct parts *parts, const struct way *way) {
  const size_t all = FENCE + parts->bytes + FENCE;
  unsigned char *got = oracle_claim(all, 1), *wanted = oracle_claim(all, 1);
  size_t at = 0;
  image_pattern(got, all);
  image_pattern(wanted, all);
  memcpy(wanted + FENCE, parts->expected, parts->bytes);
  *parts->text = '\0';
  way->compute(parts, got + FENCE);
  while (at < all && got[at] == wanted[at])
    at++;
  if (at < all && !*parts->text)
    snprintf(parts->text, sizeof parts->text, "byte %td of %zu is 0x%02x, not 0x%02x", (ptrdiff_t)at - FENCE,
             parts->bytes, got[at], wanted[at]);
  RELEASE(got, wanted);
  if (*parts->text)
    printf("FAILED %s --filter \"%s\" count %" PRIu64 "%s%s, by %s: %s\n", parts->run->program, parts->named->name,
           (uint64_t)parts->of.call.count, parts->on_host ? "" : ", without the host", parts->of.start ? ", start" : "",
           way->name, parts->text);
  return !*parts->text;
}

static bool compare_ways(struct parts *parts) {
  bool same = true;
  for (size_t i = 0; i < COUNT_OF(ways) * TURNS && same; i++) {
    const struct way *way = &ways[i / TURNS];
    if (way->scans == (parts->named->problem.scan != CLRED_SCAN_NONE) && (!way->exists || way->exists(parts)))
      same = compare(parts, way);
  }
  return same;
}

// The oracle has no operator of this kind: one call gives the expected results. Functions of the host may have other
// bits than those of the device.
static bool is_of_one_call(const clred_problem *problem) {
  return problem->op == CLRED_OP_LOGSUMEXP || problem->custom == &decaying.op;
}

static void expect(struct parts *parts) {
  const oracle_tree tree = {.strategy = parts->named->problem.scan ? "scan_chunked" : "wide"};
  parts->expected = oracle_claim(parts->bytes, 1);
  if (is_of_one_call(&parts->named->problem))
    call_all(parts, parts->expected);
  else
    layout_case_solve(&parts->of, parts->on[0].plan, &tree, 1, parts->result_size, parts->expected);
}

static void upload(struct parts *parts) {
  const struct layout_case *of = &parts->of;
  for (size_t i = 0; i < parts->devices; i++) {
    struct seat *seat = &parts->on[i];
    const char *trouble = image_create_of(&seat->in, seat->device, of->elements, of->length * of->size);
    if (!trouble && of->others)
      trouble =
        image_create_of(&seat->other, seat->device, of->others, (of->length + LAYOUT_OTHER_LEAD) * of->other_size);
    if (trouble)
      oracle_fail("no buffers", trouble);
  }
}

// Elements of every second case are at an address that is not aligned. Scans of every third case begin with a state.
static bool check_count(struct parts *parts, uint64_t count, uint64_t turn) {
  const struct layout_shape shape = {.call = {.count = count, .in_offset = turn % 4}, .flavour = PLAIN};
  struct layout_case *of = &parts->of;
  layout_case_make(of, &parts->named->problem, &shape, is_of_one_call(&parts->named->problem) ? 3 * turn : turn);
  parts->parameters = of->sample && of->sample->parameter ? &of->sample->parameter : NULL;
  parts->other_offset = of->call.in_offset + LAYOUT_OTHER_LEAD;
  unsigned char *memory = oracle_claim(count * of->size + 1, 1);
  parts->elements = memory + turn % 2;
  memcpy(parts->elements, of->elements + of->call.in_offset * of->size, count * of->size);
  parts->others = of->others ? of->others + parts->other_offset * of->other_size : NULL;
  parts->bytes = (parts->named->problem.scan ? count : 1) * parts->result_size;
  parts->random = random_seed(turn);
  upload(parts);
  expect(parts);
  const bool same = compare_ways(parts);
  for (size_t i = 0; i < parts->devices; i++) {
    image_release(&parts->on[i].in);
    image_release(&parts->on[i].other);
  }
  layout_case_release(of);
  RELEASE(memory, parts->expected);
  return same;
}

// ---------------------------------------------------------------- One problem

static struct device further[DEVICES_MAX - 1];
static size_t further_count;

// The devices that follow, each with a context of its own and with other facts, so that their kernels differ.
static void open_further(void) {
  static const char *const facts[] = {"cpu=0", "cpu=1,native_vector_width=4"};
  static bool done;
  while (!done && further_count < COUNT_OF(further) && !getenv("CLREDUCE_TEST_ASSUME")) {
    char index[8];
    snprintf(index, sizeof index, "%zu", further_count + 1);
    setenv("CLREDUCE_TEST_DEVICE", index, 1);
    if (device_open_assuming(&further[further_count], facts[further_count]))
      break;
    further_count++;
  }
  done = true;
}

static bool make_plans(struct parts *parts, const clred_problem *problem) {
  open_further();
  parts->devices = 1 + further_count;
  cl_int err = CL_SUCCESS;
  for (size_t i = 0; i < parts->devices && !err; i++) {
    struct seat *seat = &parts->on[i];
    seat->device = i ? &further[i - 1] : parts->run->device;
    err = clred_plan_create(seat->device->runtime, problem, &seat->plan);
    seat->folds = seat->plan;
    if (!err && problem->scan)
      err = clred_plan_create_scan_partials(seat->plan, &seat->folds);
    if (err)
      printf("FAILED %s: %s\n", parts->named->name, clred_last_error(seat->device->runtime));
  }
  return !err;
}

static void release_plans(struct parts *parts) {
  for (size_t i = 0; i < parts->devices; i++) {
    if (parts->on[i].folds != parts->on[i].plan)
      RELEASE(parts->on[i].folds);
    RELEASE(parts->on[i].plan);
  }
}

static bool check_sizes(struct parts *parts) {
  const clred_problem *problem = &parts->named->problem;
  clred_plan_info info = {0};
  bool passed = true;
  clred_plan_inspect(parts->on[0].plan, 1, &info);
  parts->result_size = info.result_size;
  for (size_t i = 0; i < parts->run->sizes.count && passed; i++)
    if (parts->run->sizes.list[i] <= SCANNED || (!problem->scan && (problem->groups || is_long)))
      passed = check_count(parts, parts->run->sizes.list[i], i + problem->op);
  return passed;
}

// Operators with host functions, then without them, so that the device joins.
static enum outcome check(struct run *run, const struct combination *one) {
  clred_problem problem = one->problem;
  const bool own = problem.custom && problem.custom->host;
  clred_operator bare;
  bool passed = true;
  if (oracle_needs_fp64(&problem) && !device_has_fp64(run->device)) {
    printf("skipped %s: the device has no double\n", one->name);
    return SKIPPED;
  }
  for (int without = 0; without <= own && passed; without++) {
    struct parts parts = {.run = run, .named = one};
    if (without) {
      bare = *one->problem.custom;
      bare.host = NULL;
      problem.custom = &bare;
    }
    parts.on_host = !problem.custom || problem.custom->host;
    passed = make_plans(&parts, &problem) && check_sizes(&parts);
    release_plans(&parts);
  }
  return passed ? PASSED : FAILED;
}

int main(int argc, char **argv) {
  const struct program parts = {"parts", "all problems (default)", sizes, COUNT_OF(sizes), false, list, false, check};
  const int code = program_main(&parts, argc, argv);
  for (size_t i = 0; i < further_count; i++)
    device_close(&further[i]);
  return code;
}
