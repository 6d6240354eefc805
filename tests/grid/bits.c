// bits: results have the same bits however they are computed. For nine operators and a histogram over float and double,
// at 200 random counts and offsets, it compares the bits of the host's reference with those of the device, of each
// assumed device, of each artificial tuning, and of streams in chunks of three sizes. The bits can be written on one
// device and compared on another.

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bits_kinds.h"
#include "bits_table.h"
#include "options.h"
#include "plan/plan.h"
#include "support/device.h"
#include "support/random.h"

#define CASES 200
#define COUNT_BITS 17
#define OFFSETS 1024
#define LENGTH ((1u << COUNT_BITS) + OFFSETS)
#define KINDS_MAX 32
#define LINES_MAX 20
#define SHARE 7  // without --full, each assumed device and each tuning runs every seventh operator

static const char *const assumptions[] = {"max_work_group_size=1",
                                          "max_work_group_size=64,cpu=0",
                                          "local_mem_size=4096,cpu=0",
                                          "compute_units=1,native_vector_width=4",
                                          "compute_units=132,cpu=0,forward_progress=0",
                                          "cpu=0,forward_progress=1,ptx_target=0",
                                          "cpu=1,native_vector_width=16",
                                          "kernel_work_group_size=32,cpu=0",
                                          "device_fence=0",
                                          "kernel_work_group_size=32,cpu=0,device_fence=0,compute_units=8"};
#define ASSUMPTIONS (sizeof assumptions / sizeof *assumptions)

static struct {
  uint64_t count[CASES], offset[CASES];
  void *elements[2], *others[2];  // float, double; others: dot's second input
  unsigned char expected[KINDS_MAX][CASES][BITS_RESULT_MAX];
  size_t kinds;  // the number of kinds that this device can compute
  size_t passed, failed, compared;
  bool full;
  struct slice slice;  // this slice of the operators is run
  uint64_t most;
} bits = {.most = UINT64_MAX, .slice = {1, 1}};

static void judge(bool right, const char *where, size_t kind, size_t i, const char *detail) {
  bits.passed += right;
  bits.failed += !right;
  if (!right && bits.failed <= LINES_MAX)
    printf("FAILED %s %s n %" PRIu64 " offset %" PRIu64 " %s\n", where, bits_kinds[kind].name, bits.count[i],
           bits.offset[i], detail);
}

static size_t element_size(size_t kind) {
  return bits_kinds[kind].wide ? sizeof(double) : sizeof(float);
}

static const void *at(void *const elements[2], size_t kind, uint64_t offset) {
  return (const char *)elements[bits_kinds[kind].wide] + offset * element_size(kind);
}

static void draw(void) {
  random_state random = random_seed(17);
  for (size_t i = 1; i < CASES; i++) {  // the first is a range of nothing
    const uint64_t power = (uint64_t)1 << random_below(&random, COUNT_BITS);
    bits.count[i] = power + random_below(&random, power);
    bits.offset[i] = random_below(&random, OFFSETS);
  }
  for (int wide = 0; wide < 2; wide++)
    for (int other = 0; other < 2; other++) {
      const size_t size = wide ? sizeof(double) : sizeof(float);
      char *made = malloc(LENGTH * size);
      for (size_t i = 0; made && i < LENGTH; i++) {
        const double value = random_addend(&random, !wide);
        const float narrow = (float)value;
        memcpy(made + i * size, wide ? (const void *)&value : (const void *)&narrow, size);
      }
      (other ? bits.others : bits.elements)[wide] = made;
    }
}

// ---------------------------------------------------------------- What is expected

static bool expect(struct device *device, size_t kind) {
  clred_plan *plan = NULL;
  bool has_value = clred_plan_create(device->runtime, &bits_kinds[kind].problem, &plan) == CL_SUCCESS;
  for (size_t i = 0; has_value && i < CASES; i++) {
    const void *const inputs[] = {at(bits.others, kind, bits.offset[i])};
    const clred_host_call call = CALL(.in = at(bits.elements, kind, bits.offset[i]), .inputs = inputs,
                                      .count = bits.count[i], .out = bits.expected[kind][i]);
    has_value = clred_plan_reference(plan, &call) == CL_SUCCESS;
  }
  clred_plan_release(plan);
  return has_value;
}

static void write_entry(void *unused, struct bits_entry *entry) {
  const size_t kind = entry->column, i = entry->row;
  (void)unused;
  entry->count = bits.count[i];
  entry->offset = bits.offset[i];
  snprintf(entry->name, sizeof entry->name, "%s", bits_kinds[kind].name);
  for (size_t byte = 0; byte < bits_kinds[kind].result_size; byte++)
    snprintf(entry->word + 2 * byte, 3, "%02x", bits.expected[kind][i][byte]);
}

// The reference of this machine must have the file's bits. Columns that this device cannot compute are skipped.
static void compare_entry(void *unused, struct bits_entry *entry) {
  struct bits_entry ours = {.column = entry->column, .row = entry->row};
  (void)unused;
  if (entry->column >= bits.kinds || entry->row >= CASES)
    return;
  write_entry(NULL, &ours);
  bits.compared++;
  judge(strcmp(entry->name, ours.name) == 0 && entry->count == ours.count && entry->offset == ours.offset &&
          strcmp(entry->word, ours.word) == 0,
        "the file has other bits than the host:", entry->column, entry->row, "");
}

static bool compare_file(const char *path) {
  return bits_table_read(path, compare_entry, NULL) && bits.compared == bits.kinds * CASES;
}

// ---------------------------------------------------------------- Plans and streams

static void check_calls(struct device *device, clred_plan *plan, size_t kind, const char *where) {
  const size_t size = LENGTH * element_size(kind);
  struct image in, other;
  const char *trouble = image_create(&in, device, size), *second = image_create(&other, device, size);
  if (!trouble && !second) {
    memcpy(in.bytes, at(bits.elements, kind, 0), size);
    memcpy(other.bytes, at(bits.others, kind, 0), size);
    trouble = image_upload(&in, device);
    second = image_upload(&other, device);
  }
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
  if (trouble || second)
    judge(false, where, kind, 0, trouble ? trouble : second);
  image_release(&in);
  image_release(&other);
}

// Pushes pieces of a third of the range, so that pieces and chunks differ.
static bool push(clred_stream *stream, size_t kind, size_t i) {
  const uint64_t piece = bits.count[i] / 3 + 1;
  for (uint64_t done = 0; done < bits.count[i]; done += piece) {
    const uint64_t left = bits.count[i] - done, offset = bits.offset[i] + done;
    const void *const inputs[] = {at(bits.others, kind, offset)};
    if (clred_stream_push(stream, at(bits.elements, kind, offset), inputs, left < piece ? left : piece))
      return false;
  }
  return true;
}

static void check_stream(struct device *device, clred_plan *plan, size_t kind, cl_ulong chunk) {
  const clred_stream_options options = {.chunk = chunk};
  clred_stream *stream = NULL;
  bool done = clred_stream_create(device->queue, plan, &options, &stream) == CL_SUCCESS;
  for (size_t i = 0; i < CASES; i++) {
    unsigned char got[BITS_RESULT_MAX] = {0};
    if (bits.count[i] > bits.most)
      continue;
    done = done && push(stream, kind, i) && clred_stream_finish(stream, got) == CL_SUCCESS;
    judge(done && memcmp(got, bits.expected[kind][i], BITS_RESULT_MAX) == 0, "streamed:", kind, i,
          done ? "" : clred_last_error(device->runtime));
  }
  clred_stream_release(stream);
}

static void check_kind(struct device *device, size_t kind, const struct clr_tuned *tuned, const char *where,
                       bool streams) {
  static const cl_ulong chunks[] = {1024, 8192, 65536};
  static const struct clr_tuned none;
  struct clr_status status;
  clred_plan *plan = NULL;
  if (clr_plan_make_tuned(device->runtime, &bits_kinds[kind].problem, tuned ? tuned : &none, &plan, &status)) {
    judge(false, where, kind, 0, status.message);
    return;
  }
  check_calls(device, plan, kind, where);
  for (size_t i = 0; streams && i < sizeof chunks / sizeof *chunks; i++)
    check_stream(device, plan, kind, chunks[i]);
  clred_plan_release(plan);
}

static bool is_ours(size_t kind) {
  return kind % bits.slice.count == bits.slice.index - 1;
}

static bool is_due(size_t number, size_t kind) {
  return is_ours(kind) && (bits.full || (number + kind) % SHARE == 0);
}

static void check_tuned(struct device *device, size_t number, size_t kinds) {
  char where[32];
  snprintf(where, sizeof where, "tuning %zu", number);
  for (size_t kind = 0; kind < kinds; kind++)
    if (is_due(number, kind))
      check_kind(device, kind, &bits_tunings[number], where, false);
}

// Returns whether the device accepts the assumption.
static bool check_assumed(size_t number, size_t kinds) {
  struct device device;
  const char *trouble = device_open_assuming(&device, assumptions[number]);
  if (trouble)
    printf("skipped: '%s' cannot be assumed: %s\n", assumptions[number], trouble);
  for (size_t kind = 0; !trouble && kind < kinds; kind++)
    if (is_due(number, kind))
      check_kind(&device, kind, NULL, assumptions[number], false);
  device_close(&device);
  return !trouble;
}

static int run(struct device *device, const char *write_path, const char *compare_path) {
  const size_t kinds = bits.kinds = device_has_fp64(device) ? bits_kind_count : bits_single_count;
  printf("%s\n", device->name);
  for (size_t kind = 0; kind < kinds; kind++)
    if (!expect(device, kind))
      judge(false, "the reference", kind, 0, clred_last_error(device->runtime));
  if ((write_path && !bits_table_write(write_path, kinds, CASES, write_entry, NULL)) ||
      (compare_path && !compare_file(compare_path))) {
    fprintf(stderr, "bits: cannot use %s\n", write_path ? write_path : compare_path);
    return 2;
  }
  for (size_t kind = 0; kind < kinds; kind++)
    if (is_ours(kind))
      check_kind(device, kind, NULL, "as it is", !bits_kinds[kind].problem.histogram);  // they take no streams
  for (size_t t = 0; t < bits_tuning_count; t++)
    check_tuned(device, t, kinds);
  size_t assumed = 0;
  for (size_t i = 0; i < ASSUMPTIONS; i++)
    assumed += check_assumed(i, kinds);
  // Assumptions above the limits of the device are skipped, but most assumptions must be possible.
  judge(2 * assumed > ASSUMPTIONS, "too few assumptions hold:", 0, 0, "");
  printf("%zu passed, %zu failed\n", bits.passed, bits.failed);
  return bits.failed ? 1 : 0;
}

int main(int argc, char **argv) {
  const char *write_path = NULL, *compare_path = NULL;
  struct device device;
  const struct option options[] = {
    OPTION("--full", "every operator on every assumed device and under every tuning", .flag = &bits.full),
    OPTION("--most", "only ranges of up to N elements on the device", .number = &bits.most),
    OPTION("--slice", "the Ith of N parts of the operators, for several processes at once", .slice = &bits.slice),
    OPTION("--write", "write the bits that the host's reference gave to the file TEXT", .text = &write_path),
    OPTION("--compare", "expect the bits of the file TEXT", .text = &compare_path),
  };
  if (!OPTIONS_READ("bits", options, argc, argv))
    return 2;
  draw();
  const char *trouble = device_open(&device);
  if (trouble)
    fprintf(stderr, "bits: %s\n", trouble);
  const int result = trouble ? 2 : run(&device, write_path, compare_path);
  device_close(&device);
  RELEASE(bits.elements[0], bits.others[0], bits.elements[1], bits.others[1]);
  return result;
}
