// Operators that are exact in any order: the order of elements need not be the order of ranks, and ranks may have
// several ranges. Overlaps, gaps and too many ranges are the same error on all ranks. Scans need neighbours.
#include "mpi/mpi_test.h"

enum { PARTS = 2 * 64 };

// --- Bits ---

static void shuffle(int *numbers, int count, uint64_t seed) {
  random_state random = random_seed(seed);
  for (int i = 0; i < count; i++)
    numbers[i] = i;
  for (int i = count; i > 1; i--) {
    const int j = (int)random_below(&random, (uint64_t)i), was = numbers[i - 1];
    numbers[i - 1] = numbers[j];
    numbers[j] = was;
  }
}

static void add(const struct subject *subject, clred_partial *mine, cl_ulong first, cl_ulong count) {
  clred_partial *part = make_partial(subject, first, count);
  GIVES(clred_partial_join(mine, part), CL_SUCCESS);
  clred_partial_release(part);
}

// Each rank takes this many parts of the whole. All ranks shuffle the parts in the same way.
static clred_partial *take(const struct subject *subject, int parts_each, uint64_t seed) {
  const int parts = parts_each * here.size;
  int numbers[PARTS];
  clred_partial *mine = make_partial(subject, 0, 0);
  shuffle(numbers, parts, seed);
  for (int i = 0; i < parts_each; i++) {
    const cl_ulong part = (cl_ulong)numbers[here.rank * parts_each + i], n = subject->count;
    const cl_ulong first = part * n / (cl_ulong)parts;
    add(subject, mine, first, (part + 1) * n / (cl_ulong)parts - first);
  }
  return mine;
}

static void check_calls(const struct subject *subject, clred_partial *mine) {
  unsigned char all[RESULT_MAX] = {0}, one[RESULT_MAX] = {0}, later[RESULT_MAX] = {0};
  GIVES(clred_mpi_allreduce(subject->handle, mine, all), CL_SUCCESS);
  check_result(subject, all, "clred_mpi_allreduce");
  GIVES(clred_mpi_reduce(subject->handle, mine, 0, one), CL_SUCCESS);
  if (here.rank == 0)
    check_result(subject, one, "clred_mpi_reduce");
  GIVES(clred_mpi_iallreduce(subject->handle, mine, later), CL_SUCCESS);
  GIVES(clred_mpi_wait(subject->handle), CL_SUCCESS);
  check_result(subject, later, "clred_mpi_iallreduce");
  check_whole(subject, mine);
}

static void check_counts(struct subject *subject) {
  static const cl_ulong counts[] = {1, 3, 777, 5000, MOST};
  for (uint64_t i = 0; i < 10; i++) {
    solve(subject, counts[i / 2]);
    clred_partial *mine = take(subject, 1 + (int)(i % 2), 50 + i);
    check_calls(subject, mine);
    clred_partial_release(mine);
  }
}

// --- What is refused ---

static void check_fails(const struct subject *subject, clred_partial *mine, const char *words) {
  unsigned char result[RESULT_MAX] = {7};
  GIVES(clred_mpi_allreduce(subject->handle, mine, result), CLRED_PARTIAL_GAP);
  same_message(words);
  GIVES(clred_mpi_iallreduce(subject->handle, mine, result), CL_SUCCESS);
  GIVES(clred_mpi_wait(subject->handle), CLRED_PARTIAL_GAP);
  same_message(words);
  EXPECT(result[0] == 7, "%s", "a refused result was written");
  clred_partial_release(mine);
}

static clred_partial *hundred(const struct subject *subject, cl_ulong first) {
  return make_partial(subject, first, 100);
}

// The ranks have their elements in reverse order. The last rank begins at element 90 instead of 0, so it overlaps.
static void overlaps(const struct subject *subject) {
  const cl_ulong turned = (cl_ulong)(here.size - 1 - here.rank);
  const cl_ulong first = turned ? turned * 100 : 90;
  check_fails(subject, hundred(subject, first), "left and right both have elements 100 to 189");
  check_fails(subject, hundred(subject, first), ": cannot join rank");
}

// The whole lacks 5 elements behind the first 100, wherever the ranks are; or the first 5.
static void gaps(const struct subject *subject) {
  const cl_ulong turned = (cl_ulong)(here.size - 1 - here.rank);
  clred_partial_info info = {0};
  check_fails(subject, hundred(subject, turned * 100 + (turned > 0 ? 5 : 0)), "no rank has elements 100 to 104");
  check_fails(subject, hundred(subject, turned * 100 + 5),
              "it begins at element 5, but no rank has the elements before it");
  clred_partial *mine = hundred(subject, turned * 200);
  GIVES(clred_mpi_allreduce_partial(subject->handle, mine), CL_SUCCESS);
  GIVES(clred_partial_inspect(mine, &info), CL_SUCCESS);
  EXPECT(info.first == 0 && info.count == (cl_ulong)here.size * 100, "%llu elements from %llu",
         (unsigned long long)info.count, (unsigned long long)info.first);
  clred_partial_release(mine);
}

// Every second element, 40 on each rank.
static void too_many_ranges(const struct subject *subject) {
  clred_partial *mine = make_partial(subject, 0, 0);
  for (cl_ulong i = 0; i < 40; i++)
    add(subject, mine, 2 * (40 * (cl_ulong)here.rank + i), 1);
  check_fails(subject, mine, "join neighbours first");
}

// --- Scans ---

static void check_scans_of(const struct subject *subject) {
  const cl_ulong turned = (cl_ulong)(here.size - 1 - here.rank);
  clred_partial *mine = hundred(subject, turned * 100), *before = make_partial(subject, 7, 0);
  GIVES(clred_mpi_exscan(subject->handle, mine, before), CLRED_PARTIAL_GAP);
  same_message("rank 1: it begins at element ");
  if (here.rank == here.size - 1)
    add(subject, mine, 5000, 3);
  GIVES(clred_mpi_exscan(subject->handle, mine, before), CLRED_PARTIAL_GAP);
  clred_partial_release(mine);
  mine = hundred(subject, (cl_ulong)here.rank * 100);
  if (here.rank == here.size - 1)
    add(subject, mine, 5000, 3);
  GIVES(clred_mpi_exscan(subject->handle, mine, before), CLRED_PARTIAL_GAP);
  same_message("the elements of its partial have gaps; a scan needs neighbours");
  RELEASE(mine, before);
}

static void check_refused(struct subject *subject) {
  if (here.size == 1)
    return;
  overlaps(subject);
  gaps(subject);
  too_many_ranges(subject);
  check_scans_of(subject);
}

void check_any_order(void) {
  struct subject subjects[] = {
    {.name = "exact sum of floats", .problem = {OP(SUM, FLOAT), .order = CLRED_ORDER_EXACT}},
    {.name = "argmin", .problem = {OP(ARGMIN, FLOAT)}},
    {.name = "exact mean of floats", .problem = {OP(MEAN, FLOAT), .order = CLRED_ORDER_EXACT}},
    {.name = "exact sum of doubles", .problem = {OP(SUM, DOUBLE), .order = CLRED_ORDER_EXACT}},
  };
  struct subject refused = subjects[0];
  check_each(subjects, sizeof subjects / sizeof *subjects, check_counts);
  check_each(&refused, 1, check_refused);
}
