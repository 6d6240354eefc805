// A file of a partial: the tool reads it, and sets the operator and the problem that the file names. Most inputs fail
// at the checksum. So the same bytes are read a second time, after a first line with the right checksum. The bytes are
// also two lists of ranges, as packed partials have them: their union has all elements, or is refused.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "cli/verbs.h"
#include "fuzz.h"
#include "partial/ranges.h"
#include "run/partial.h"

static void read_as_file(const uint8_t *data, size_t size) {
  static const struct verb join = {.name = "join", .bit = VERB_JOIN};
  struct args args = {.verb = &join};
  struct partial_file file;
  struct job job;
  job_begin(&job, &args);
  int code = FUZZ_EXIT(partial_file_read(&file, fuzz_file(data, size)));
  if (!code) {
    PROMISE(file.packed + file.packed_size == (const unsigned char *)file.bytes + size);
    code = FUZZ_EXIT(partial_take_problem(&job, &args, &file));
  }
  PROMISE(code != EXIT_DONE || job.operation.name != NULL);
  job_close(&job);
  partial_file_release(&file);
}

// --- Ranges ---

enum { ELEMENTS = CLR_PARTIAL_RANGES * 512 };

// Makes a list of ranges from pairs of bytes: the elements between two ranges, and those of a range; at least 1 each.
static void make_ranges(const uint8_t *data, size_t pairs, struct clr_ranges *ranges) {
  cl_ulong end = 0;
  ranges->count = pairs < CLR_PARTIAL_RANGES ? pairs : CLR_PARTIAL_RANGES;
  for (size_t i = 0; i < ranges->count; i++) {
    const cl_ulong first = end + (i ? 1u + data[2 * i] : data[0]);
    end = first + 1 + data[2 * i + 1];
    ranges->at[i] = (struct clr_element_range){first, end};
  }
}

static cl_ulong mark(const struct clr_ranges *ranges, unsigned char *marks) {
  cl_ulong elements = 0;
  for (size_t i = 0; i < ranges->count; i++)
    for (cl_ulong j = ranges->at[i].first; j < ranges->at[i].end; j++, elements++)
      marks[j]++;
  return elements;
}

// How many ranges the marked elements are, or 0 if an element is marked twice.
static size_t count_ranges(const unsigned char *marks) {
  size_t count = 0;
  for (size_t i = 0; i < ELEMENTS; i++) {
    if (marks[i] > 1)
      return 0;
    count += marks[i] && (i == 0 || !marks[i - 1]);
  }
  return count;
}

static void check_list(const struct clr_ranges *ranges, cl_ulong elements) {
  unsigned char bytes[CLR_PARTIAL_RANGES * CLR_RANGE_BYTES];
  struct clr_ranges read = {.count = ranges->count};
  if (!ranges->count)
    return;
  clr_ranges_put(ranges, bytes);
  PROMISE(clr_ranges_get(&read, bytes, ranges->at[0].first, elements));
  PROMISE(memcmp(read.at, ranges->at, ranges->count * sizeof *read.at) == 0);
}

static void unite(const uint8_t *data, size_t size) {
  static unsigned char marks[ELEMENTS], after[ELEMENTS];
  struct clr_ranges left, right;
  struct clr_status status;
  const size_t half = size / 4;
  make_ranges(data, half, &left);
  make_ranges(data + 2 * half, half, &right);
  memset(marks, 0, sizeof marks);
  memset(after, 0, sizeof after);
  const cl_ulong elements = mark(&left, marks) + mark(&right, marks);
  const size_t count = count_ranges(marks);
  const bool fits = count <= CLR_PARTIAL_RANGES && (count || !elements);
  PROMISE((clr_ranges_check_union(&left, &right, &status) == CL_SUCCESS) == fits);
  if (!fits)
    return;
  clr_ranges_unite(&left, &right);
  PROMISE(left.count == count && mark(&left, after) == elements && memcmp(marks, after, sizeof marks) == 0);
  check_list(&left, elements);
}

// What is accepted is sorted and disjoint, and has so many elements.
static void read_ranges(const uint8_t *data, size_t size) {
  struct clr_ranges ranges = {.count = size / CLR_RANGE_BYTES};
  if (ranges.count < 2 || ranges.count > CLR_PARTIAL_RANGES)
    return;
  cl_ulong first, elements = 0;
  memcpy(&first, data, sizeof first);
  if (clr_ranges_get(&ranges, data, first, 1000))
    for (size_t i = 0; i < ranges.count; i++) {
      elements += ranges.at[i].end - ranges.at[i].first;
      PROMISE(i == 0 || ranges.at[i].first > ranges.at[i - 1].end);
      PROMISE(ranges.at[i].first < ranges.at[i].end && elements <= 1000);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char line[PARTIAL_LINE_SIZE];
  unite(data, size);
  read_ranges(data, size);
  read_as_file(data, size);
  partial_first_line(line, 0, 5, data, size);
  const size_t length = strlen(line);
  uint8_t *whole = malloc(length + size);
  if (whole == NULL)
    return 0;
  memcpy(whole, line, length);
  memcpy(whole + length, data, size);
  read_as_file(whole, length + size);
  free(whole);
  return 0;
}
