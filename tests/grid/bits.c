// bits: results have the same bits however they are computed, as the host's reference computes them: on the device, on
// assumed devices, by artificial tunings, by every strategy of the order fixed/1 and every finish, at 200 random counts
// and offsets. There are two sets of operators, each with a file of stored bits in tests/data, which every machine must
// give: nine operators and a histogram over float and double (bits1.txt), and, with --order, sums, products and
// deviations over longer ranges (fixed1.txt; docs/order.md).

#define _POSIX_C_SOURCE 200809L  // fmemopen

#include <clreduce_device.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bits_kinds.h"
#include "options.h"
#include "oracle/tree.h"
#include "support/device.h"
#include "support/random.h"
#include "trial/trial.h"

#define CASES 200
#define OFFSETS 1024
#define KINDS_MAX 32
#define LINES_MAX 20
#define LINE_BYTES 1024
#define LENGTH ((1u << set->count_bits) + OFFSETS)

// Assumed devices. A limit above the device's is refused, and the device is skipped. `tuned`: of how many operators one
// has tunings there; 0: none.
static const struct {
  const char *assume;
  size_t tuned;
} devices[] = {
  {NULL, 1},
  {"cpu=0", 1},
  {"max_work_group_size=64,cpu=0,local_mem_size=4096,compute_units=3", 4},
  {"max_work_group_size=1", 0},
  {"local_mem_size=1024", 0},
  {"local_mem_size=16384,cpu=0", 0},
  {"compute_units=1,native_vector_width=4", 0},
  {"compute_units=132,cpu=0,forward_progress=0", 0},
  {"compute_units=256,forward_progress=0,ptx_target=0", 0},
  {"cpu=0,forward_progress=1,ptx_target=0", 0},
  {"cpu=1,native_vector_width=16", 0},
  {"kernel_work_group_size=32,cpu=0", 0},
  {"device_fence=0", 0},
  {"kernel_work_group_size=32,cpu=0,device_fence=0,compute_units=8", 0},
};
#define DEVICES (sizeof devices / sizeof *devices)

// How a plan differs from that of `auto`: by strategy and finish, or by a tuning.
struct way {
  char name[160];
  const char *strategy, *finish;
  struct clr_tuned tuned;
};

static const struct bits_set *set;
static struct {
  uint64_t count[CASES], offset[CASES];
  void *elements[KINDS_MAX], *others[KINDS_MAX];  // others: dot's second input
  unsigned char expected[KINDS_MAX][CASES][BITS_RESULT_MAX];
  size_t kinds;  // the number of kinds that this device can compute
  size_t passed, failed;
  bool order, full;
  struct slice slice;  // this slice of the operators is run
  uint64_t most;
} bits = {.most = UINT64_MAX, .slice = {1, 1}};

static void judge(bool right, const char *where, size_t kind, size_t i, const char *detail) {
  bits.passed += right;
  bits.failed += !right;
  if (!right && bits.failed <= LINES_MAX)
    printf("FAILED %s %s n %" PRIu64 " offset %" PRIu64 " %s\n", where, set->kinds[kind].name, bits.count[i],
           bits.offset[i], detail);
}

// ---------------------------------------------------------------- Elements

static const void *at(void *const *elements, size_t kind, uint64_t offset) {
  return (const char *)elements[kind] + offset * oracle_size(set->kinds[kind].type);
}

static void *draw_elements(const struct bits_kind *kind, random_state *random) {
  const bool single = kind->type != CLRED_TYPE_DOUBLE;
  const size_t size = oracle_size(kind->type);
  void *elements = oracle_claim(LENGTH, size);
  for (uint64_t i = 0; i < LENGTH; i++) {
    const double value =
      kind->problem.op == CLRED_OP_PROD ? random_factor(random, single) : random_addend(random, single);
    oracle_store(elements, size, i, oracle_float_bits(kind->type, value));
  }
  return elements;
}

// A kind without a seed has the elements of the kind before it, if both have one type; else it draws on.
static void draw(void) {
  random_state random = random_seed(set->seed);
  for (size_t i = 1; i < CASES; i++) {  // the first is a range of nothing
    const uint64_t power = (uint64_t)1 << random_below(&random, set->count_bits);
    bits.count[i] = power + random_below(&random, power);
    bits.offset[i] = random_below(&random, OFFSETS);
  }
  for (size_t i = 0; i < set->count; i++) {
    const struct bits_kind *kind = &set->kinds[i];
    if (kind->has_seed)
      random = random_seed(kind->seed);
    const bool shares = i && !kind->has_seed && kind->type == kind[-1].type;
    bits.elements[i] = shares ? bits.elements[i - 1] : draw_elements(kind, &random);
    bits.others[i] = shares ? bits.others[i - 1] : kind->has_seed ? NULL : draw_elements(kind, &random);
  }
}

// ---------------------------------------------------------------- What is expected

static bool expect(struct device *device, size_t kind) {
  clred_plan *plan = NULL;
  bool has_value = clred_plan_create(device->runtime, &set->kinds[kind].problem, &plan) == CL_SUCCESS;
  for (size_t i = 0; has_value && i < CASES; i++) {
    const void *const inputs[] = {bits.others[kind] ? at(bits.others, kind, bits.offset[i]) : NULL};
    const clred_host_call call = CALL(.in = at(bits.elements, kind, bits.offset[i]), .inputs = inputs,
                                      .count = bits.count[i], .out = bits.expected[kind][i]);
    has_value = clred_plan_reference(plan, &call) == CL_SUCCESS;
  }
  clred_plan_release(plan);
  return has_value;
}

// ---------------------------------------------------------------- Files of stored bits

// With --order, results are numbers: the last byte comes first.
static void write_bits(FILE *to, const unsigned char *result, size_t size) {
  fputs(" ", to);
  for (size_t byte = 0; byte < size; byte++)
    fprintf(to, "%02x", result[bits.order ? size - 1 - byte : byte]);
}

// The first line names the columns: n, offset, and each operator over a type. Each line after it is one case: the
// number of elements, the offset of the first one, and the bits of each result.
static void write_line(FILE *to, size_t line) {
  const size_t columns = bits.kinds < set->stored ? bits.kinds : set->stored;
  if (line == 0)
    fputs("n offset", to);
  else
    fprintf(to, "%" PRIu64 " %" PRIu64, bits.count[line - 1], bits.offset[line - 1]);
  for (size_t kind = 0; kind < columns; kind++)
    if (line == 0)
      fprintf(to, " %s", set->kinds[kind].name);
    else
      write_bits(to, bits.expected[kind][line - 1], set->kinds[kind].result_size);
  fputs("\n", to);
}

static bool write_file(const char *path) {
  FILE *file = fopen(path, "w");
  for (size_t line = 0; file && line <= CASES; line++)
    write_line(file, line);
  return file && fclose(file) == 0;
}

// The file may have more columns, which this device cannot compute.
static void compare_line(const char *ours, const char *theirs, size_t line) {
  size_t same = 0, column = 0;
  for (; ours[same] && ours[same] != '\n' && ours[same] == theirs[same]; same++)
    column += ours[same] == ' ';
  judge(ours[same] == '\n' && strchr(" \n", theirs[same]),
        "the file has other bits than the host:", column > 2 ? column - 2 : 0, line ? line - 1 : 0, "");
}

// The reference of this machine must have the file's bits.
static bool compare_file(const char *path) {
  char ours[LINE_BYTES], theirs[LINE_BYTES];
  FILE *file = fopen(path, "r");
  size_t line = 0;
  for (; file && line <= CASES && fgets(theirs, sizeof theirs, file); line++) {
    FILE *own = fmemopen(ours, sizeof ours, "w");
    write_line(own, line);
    fclose(own);
    compare_line(ours, theirs, line);
  }
  if (file)
    fclose(file);
  return line > CASES;
}

// ---------------------------------------------------------------- Plans

static void check_calls(struct device *device, clred_plan *plan, size_t kind, const char *where) {
  const size_t size = LENGTH * oracle_size(set->kinds[kind].type);
  struct image in, other;
  const char *trouble = image_create_of(&in, device, at(bits.elements, kind, 0), size);
  const char *second =
    image_create_of(&other, device, at(bits.others[kind] ? bits.others : bits.elements, kind, 0), size);
  for (size_t i = 0; i < CASES && !trouble && !second; i++) {
    if (bits.count[i] > bits.most)
      continue;
    unsigned char got[BITS_RESULT_MAX] = {0};
    const clred_call call =
      CALL(.in = in.mem, .in_offset = bits.offset[i], .inputs = &other.mem, .input_offsets = &bits.offset[i],
           .count = bits.count[i], .result = got, .blocking = CL_TRUE);
    const bool done = clred_enqueue(device->queue, plan, &call, 0, NULL, NULL) == CL_SUCCESS;
    judge(done && memcmp(got, bits.expected[kind][i], BITS_RESULT_MAX) == 0, where, kind, i,
          done ? "" : clred_last_error(device->runtime));
  }
  if (!trouble)
    trouble = image_check(&in, device);
  if (trouble || second)
    judge(false, where, kind, 0, trouble ? trouble : second);
  image_release(&in);
  image_release(&other);
}

static void check_kind(struct device *device, size_t kind, const struct way *way, const char *assume) {
  clred_problem problem = set->kinds[kind].problem;
  struct clr_status status;
  clred_plan *plan = NULL;
  char where[256];
  problem.strategy = way->strategy;
  problem.finish = way->finish;
  snprintf(where, sizeof where, "%s assuming '%s'", way->name, assume ? assume : "");
  const cl_int err = clr_plan_make_tuned(device->runtime, &problem, &way->tuned, &plan, &status);
  if (!err)
    check_calls(device, plan, kind, where);
  else if (err == CLRED_STRATEGY_REFUSED && assume && way->strategy)
    printf("skipped: %s %s: %s\n", where, set->kinds[kind].name, status.message);
  else
    judge(false, where, kind, 0, status.message);
  clred_plan_release(plan);
}

// The ways of the set: as the library chooses and by each tuning, or by each strategy and finish.
static bool way_at(size_t number, struct way *way) {
  clred_strategy_info info;
  *way = (struct way){.name = "as it is"};
  if (!bits.order) {
    if (number)
      snprintf(way->name, sizeof way->name, "tuning %zu", number - 1);
    if (number && number <= bits_tuning_count)
      way->tuned = bits_tunings[number - 1];
    return number <= bits_tuning_count;
  }
  for (size_t s = 0; clred_strategy_at(s, &info) == CL_SUCCESS; s++)
    for (size_t f = 0; info.fixed_order && info.finishes[f]; f++)
      if (number-- == 0) {
        way->strategy = info.name;
        way->finish = info.finishes[f];
        snprintf(way->name, sizeof way->name, "%s+%s", info.name, info.finishes[f]);
        return true;
      }
  return false;
}

// Without --full an assumed device has every seventh or eleventh plan. Tunings that change the program need a build, so
// each operator gets a quarter of them, and each tuning several operators.
static bool is_due(size_t device, size_t kind, size_t number, const struct way *way) {
  const unsigned builds = way->tuned.given & ~(CLR_TUNE_BIT(GROUPS) | CLR_TUNE_BIT(TILES));
  if (kind % bits.slice.count != bits.slice.index - 1)
    return false;
  if (way->tuned.given)
    return devices[device].tuned && kind % devices[device].tuned == 0 &&
           (bits.full || !builds || (number + kind) % 4 == 1);
  return bits.full || device == 0 || (device + kind + number) % (bits.order ? 11 : 7) == 0;
}

static void check_ways(struct device *device, size_t number) {
  struct way way;
  for (size_t w = 0; way_at(w, &way); w++)
    for (size_t kind = 0; kind < bits.kinds; kind++)
      if (is_due(number, kind, w, &way))
        check_kind(device, kind, &way, devices[number].assume);
}

// Returns whether the device accepts the assumption.
static bool check_assumed(size_t number) {
  struct device device;
  const char *trouble = device_open_assuming(&device, devices[number].assume);
  if (trouble)
    printf("skipped: '%s' cannot be assumed: %s\n", devices[number].assume, trouble);
  else
    check_ways(&device, number);
  device_close(&device);
  return !trouble;
}

static int run(struct device *device, const char *write_path, const char *compare_path) {
  bits.kinds = device_has_fp64(device) ? set->count : set->singles;
  printf("%s\n", device->name);
  for (size_t kind = 0; kind < bits.kinds; kind++)
    if (!expect(device, kind))
      judge(false, "the reference", kind, 0, clred_last_error(device->runtime));
  if ((write_path && !write_file(write_path)) || (compare_path && !compare_file(compare_path))) {
    fprintf(stderr, "bits: cannot use %s\n", write_path ? write_path : compare_path);
    return 2;
  }
  check_ways(device, 0);
  size_t assumed = 1;
  for (size_t i = 1; i < DEVICES && (!bits.order || bits.full); i++)
    assumed += check_assumed(i);
  // Assumptions above the limits of the device are skipped, but most assumptions must be possible.
  judge((bits.order && !bits.full) || 2 * assumed > DEVICES, "too few assumptions hold:", 0, 0, "");
  printf("%zu passed, %zu failed\n", bits.passed, bits.failed);
  return bits.failed ? 1 : 0;
}

int main(int argc, char **argv) {
  const char *write_path = NULL, *compare_path = NULL;
  struct device device;
  const struct option options[] = {
    OPTION("--order", "the operators of fixed1.txt, by every strategy of the order fixed/1 and every finish",
           .flag = &bits.order),
    OPTION("--full", "every operator in every way on every assumed device", .flag = &bits.full),
    OPTION("--most", "only ranges of up to N elements on the device", .number = &bits.most),
    OPTION("--slice", "the Ith of N parts of the operators, for several processes at once", .slice = &bits.slice),
    OPTION("--write", "write the bits that the host's reference gave to the file TEXT", .text = &write_path),
    OPTION("--compare", "expect the bits of the file TEXT", .text = &compare_path),
  };
  if (!OPTIONS_READ("bits", options, argc, argv))
    return 2;
  set = bits.order ? &bits_of_order : &bits_of_kinds;
  draw();
  const char *trouble = device_open(&device);
  if (trouble)
    fprintf(stderr, "bits: %s\n", trouble);
  const int result = trouble ? 2 : run(&device, write_path, compare_path);
  device_close(&device);
  return result;
}
