// order: the contract of docs/order.md. Sums and products of floats, doubles and halves, and deviations of doubles, by
// wide and chunked, with each finish, at 200 random counts and offsets: all give the oracle's bits, on each assumed
// device. The bits can be written on one device and compared on another.

#include <clreduce_device.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bits_table.h"
#include "options.h"
#include "oracle/tree.h"
#include "support/device.h"
#include "support/random.h"

#define CASES 200
#define KINDS 6
#define SINGLES 3  // the first kinds need no double
#define COUNT_BITS 21
#define OFFSETS 1024
#define LENGTH ((1u << COUNT_BITS) + OFFSETS)
#define LINES_MAX 20

// Assumed devices. A limit above the device's is refused, and the assumption is skipped.
static const char *const assumptions[] = {
  "max_work_group_size=1",
  "max_work_group_size=64",
  "local_mem_size=1024",
  "local_mem_size=16384",
  "compute_units=1",
  "compute_units=132",
  "compute_units=256,forward_progress=0,ptx_target=0",
  "cpu=0,forward_progress=1",
  "cpu=1",
  "kernel_work_group_size=32",
  "device_fence=0",
  "kernel_work_group_size=32,cpu=0,device_fence=0,compute_units=8",
};

static const struct kind {
  clred_type type;
  clred_op op;
  const char *name;
  uint64_t seed;
} kinds[KINDS] = {
  {CLRED_TYPE_FLOAT, CLRED_OP_SUM, "float_sum", 0},     {CLRED_TYPE_FLOAT, CLRED_OP_PROD, "float_prod", 1},
  {CLRED_TYPE_HALF, CLRED_OP_SUM, "half_sum", 4},       {CLRED_TYPE_DOUBLE, CLRED_OP_SUM, "double_sum", 2},
  {CLRED_TYPE_DOUBLE, CLRED_OP_PROD, "double_prod", 3}, {CLRED_TYPE_DOUBLE, CLRED_OP_STD, "double_std", 5},
};

struct order {
  uint64_t count[CASES];
  uint64_t offset[CASES];
  void *elements[KINDS];
  uint64_t expected[KINDS][CASES];
  uint64_t got[KINDS][CASES];
  uint64_t most;
  size_t passed;
  size_t failed;
  size_t compared;  // entries of the file
};

static void fail_line(struct order *order, const char *what, const char *detail) {
  if (order->failed++ < LINES_MAX)
    printf("FAILED %s: %.*s\n", what, (int)strcspn(detail, "\n"), detail);
}

// ---------------------------------------------------------------- Cases

static void draw_cases(struct order *order) {
  random_state random = random_seed(200);
  for (size_t i = 1; i < CASES; i++) {  // the first is a range of nothing
    const uint64_t power = (uint64_t)1 << random_below(&random, COUNT_BITS);
    order->count[i] = power + random_below(&random, power);
    order->offset[i] = random_below(&random, OFFSETS);
  }
}

static void *draw_elements(size_t kind) {
  const bool single = kinds[kind].type != CLRED_TYPE_DOUBLE;
  const size_t size = oracle_size(kinds[kind].type);
  random_state random = random_seed(kinds[kind].seed);
  void *elements = oracle_claim(LENGTH, size);
  for (uint64_t i = 0; i < LENGTH; i++) {
    const double value =
      kinds[kind].op == CLRED_OP_PROD ? random_factor(&random, single) : random_addend(&random, single);
    oracle_store(elements, size, i, oracle_float_bits(kinds[kind].type, value));
  }
  return elements;
}

static void expect(struct order *order, size_t kind) {
  static const oracle_tree tree = {.strategy = "wide"};
  const size_t size = oracle_size(kinds[kind].type);
  for (size_t i = 0; i < CASES; i++) {
    const char *start = (const char *)order->elements[kind] + order->offset[i] * size;
    order->expected[kind][i] = oracle_reduce(kinds[kind].op, kinds[kind].type, start, order->count[i], &tree).bits;
  }
}

// ---------------------------------------------------------------- Files

static void write_entry(void *given, struct bits_entry *entry) {
  const struct order *order = given;
  const struct kind *kind = &kinds[entry->column];
  const size_t size = oracle_size(oracle_result_type(kind->op, kind->type));
  entry->count = order->count[entry->row];
  entry->offset = order->offset[entry->row];
  snprintf(entry->name, sizeof entry->name, "%s", kind->name);
  snprintf(entry->word, sizeof entry->word, "%0*" PRIx64, 2 * (int)size, order->got[entry->column][entry->row]);
}

// The file's bits become the expected ones. If the oracle has other bits, that is a failure.
static void compare_entry(void *given, struct bits_entry *entry) {
  struct order *order = given;
  if (entry->column >= KINDS || entry->row >= CASES)
    return;
  uint64_t *expected = &order->expected[entry->column][entry->row];
  const uint64_t bits = strtoull(entry->word, NULL, 16);
  order->compared++;
  if (strcmp(entry->name, kinds[entry->column].name) != 0 || entry->count != order->count[entry->row] ||
      entry->offset != order->offset[entry->row])
    fail_line(order, "the file has an entry for another case", entry->name);
  else if (bits != *expected)
    fail_line(order, "the oracle has other bits than the file", entry->name);
  else
    order->passed++;
  *expected = bits;
}

static bool compare_file(struct order *order, const char *path) {
  if (!bits_table_read(path, compare_entry, order))
    return false;
  if (order->compared != SINGLES * CASES && order->compared != KINDS * CASES)
    fail_line(order, "the file ends too soon", path);
  return true;
}

// ---------------------------------------------------------------- One device

static void check_case(struct order *order, struct device *device, clred_plan *plan, cl_mem in, size_t kind, size_t i,
                       const char *where) {
  uint64_t word = 0;
  const cl_int err = clred_enqueue(
    device->queue, plan,
    &(clred_call){
      .in = in, .in_offset = order->offset[i], .count = order->count[i], .result = &word, .blocking = CL_TRUE},
    0, NULL, NULL);
  const uint64_t got = oracle_load(&word, oracle_size(oracle_result_type(kinds[kind].op, kinds[kind].type)), 0);
  order->got[kind][i] = got;
  if (err == CL_SUCCESS && got == order->expected[kind][i]) {
    order->passed++;
    return;
  }
  if (order->failed++ < LINES_MAX)
    printf("FAILED %s %s n %" PRIu64 " offset %" PRIu64 " expected 0x%" PRIx64 " got 0x%" PRIx64 " %s\n", where,
           kinds[kind].name, order->count[i], order->offset[i], order->expected[kind][i], got,
           err ? clred_last_error(device->runtime) : "");
}

static void check_way(struct order *order, struct device *device, cl_mem in, size_t kind, const char *strategy,
                      const char *finish, const char *assume) {
  const clred_problem problem = {
    .type = kinds[kind].type, .op = kinds[kind].op, .strategy = strategy, .finish = finish, .count_max = LENGTH};
  clred_plan *plan = NULL;
  char where[256];
  snprintf(where, sizeof where, "%s+%s assuming '%s'", strategy, finish, assume ? assume : "");
  const cl_int err = clred_plan_create(device->runtime, &problem, &plan);
  if (err == CLRED_STRATEGY_REFUSED && assume) {
    printf("skipped: %s %s: %s\n", where, kinds[kind].name, clred_last_error(device->runtime));
    return;
  }
  if (err != CL_SUCCESS) {
    fail_line(order, where, clred_last_error(device->runtime));
    return;
  }
  for (size_t i = 0; i < CASES; i++)
    if (order->count[i] <= order->most)
      check_case(order, device, plan, in, kind, i, where);
  clred_plan_release(plan);
}

// Each assumption runs every eleventh pair of way and kind; the device without assumptions runs all.
static bool is_due(const char *assume, size_t number, size_t kind, size_t way) {
  return !assume || (kind + way + number) % 11 == 0;
}

static void check_kind(struct order *order, struct device *device, size_t kind, const char *assume, size_t number) {
  clred_strategy_info info;
  struct image in;
  size_t ways = 0;
  const char *trouble = image_create(&in, device, LENGTH * oracle_size(kinds[kind].type));
  if (!trouble) {
    memcpy(in.bytes, order->elements[kind], in.size);
    trouble = image_upload(&in, device);
  }
  for (size_t s = 0; !trouble && clred_strategy_at(s, &info) == CL_SUCCESS; s++)
    for (size_t f = 0; info.fixed_order && info.finishes[f]; f++, ways++)
      if (is_due(assume, number, kind, ways))
        check_way(order, device, in.mem, kind, info.name, info.finishes[f], assume);
  if (!trouble && ways < 2)
    trouble = "no strategy computes the fixed order";
  if (!trouble)
    trouble = image_check(&in, device);
  if (trouble)
    fail_line(order, kinds[kind].name, trouble);
  image_release(&in);
}

// Runs under an assumption, or under none (NULL). Returns whether the device has double.
static bool check_device(struct order *order, const char *assume, size_t number) {
  struct device device;
  const char *trouble = device_open_assuming(&device, assume);
  bool fp64 = false;
  if (trouble && assume && device.status == CLRED_INVALID_ARGUMENT) {
    printf("skipped: '%s' cannot be assumed: %s\n", assume, trouble);
  } else if (trouble) {
    fail_line(order, assume ? assume : "the device", trouble);
  } else {
    fp64 = device_has_fp64(&device);
    printf("%s%s%s%s\n", device.name, assume ? " assuming " : "", assume ? assume : "", fp64 ? "" : ", without double");
    for (size_t kind = 0; kind < (fp64 ? KINDS : SINGLES); kind++)
      check_kind(order, &device, kind, assume, number);
  }
  device_close(&device);
  fflush(stdout);
  return fp64;
}

static int run(struct order *order, bool assumed, const char *write_path, const char *compare_path) {
  if (compare_path && !compare_file(order, compare_path)) {
    fprintf(stderr, "order: cannot read %s\n", compare_path);
    return 2;
  }
  const bool fp64 = check_device(order, NULL, 0);
  if (write_path && !bits_table_write(write_path, fp64 ? KINDS : SINGLES, CASES, write_entry, order)) {
    fprintf(stderr, "order: cannot write %s\n", write_path);
    return 2;
  }
  for (size_t i = 0; assumed && i < sizeof assumptions / sizeof *assumptions; i++)
    check_device(order, assumptions[i], i);
  printf("%zu passed, %zu failed\n", order->passed, order->failed);
  return order->failed ? 1 : 0;
}

int main(int argc, char **argv) {
  static struct order order = {.most = UINT64_MAX};
  const char *write_path = NULL, *compare_path = NULL;
  bool assumed = false;
  const struct option options[] = {
    OPTION("--assumed", "once more for each of the assumed devices", .flag = &assumed),
    OPTION("--most", "only ranges of up to N elements", .number = &order.most),
    OPTION("--write", "write the bits that the device gave to the file TEXT", .text = &write_path),
    OPTION("--compare", "expect the bits of the file TEXT", .text = &compare_path),
  };
  if (!OPTIONS_READ("order", options, argc, argv))
    return 2;
  draw_cases(&order);
  for (size_t kind = 0; kind < KINDS; kind++) {
    order.elements[kind] = draw_elements(kind);
    expect(&order, kind);
  }
  const int result = run(&order, assumed, write_path, compare_path);
  for (size_t kind = 0; kind < KINDS; kind++)
    free(order.elements[kind]);
  return result;
}
