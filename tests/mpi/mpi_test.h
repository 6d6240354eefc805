// What the files of the program share. Every rank runs the same checks; a check that fails on one rank does not stop
// the others, so no rank waits for one that is gone.
#pragma once

#include <clreduce_mpi.h>
#include <stdbool.h>

#include "support/device.h"
#include "support/random.h"

#define MOST 300017u

struct ranks {
  struct device device;
  int rank, size;
  int failures;
  float *elements, *input;  // MOST of each, the same on all ranks
  double *doubles;          // the same as `elements`
  cl_mem buffer, input_buffer, double_buffer;
};
extern struct ranks here;

#define EXPECT(condition, ...) expect(condition, #condition, __FILE__, __LINE__, __VA_ARGS__)
void expect(bool condition, const char *text, const char *file, int line, const char *format, ...);

// The status must be this one.
#define GIVES(call, status) gives((call), status, #call, __FILE__, __LINE__)
void gives(cl_int got, cl_int wanted, const char *text, const char *file, int line);

// All ranks must have the same last message, with these words in it.
void same_message(const char *words);

// The affine map of an element: v -> -v + x, or v -> decay v + x. It does not commute, and its floats round.
extern const clred_operator affine, affine_on_device;
extern const float decay;

#define RESULT_MAX 256

// A problem, what the library makes of it, and the results of one call.
struct subject {
  const char *name;
  clred_problem problem;
  clred_plan *scan;  // NULL: the problem is a reduction
  clred_plan *plan;  // makes partials
  clred_mpi *handle;
  size_t size;  // of a result
  cl_ulong count;
  unsigned char *expected;  // of the first `count` elements
};

clred_plan *make_plan(const clred_problem *problem);

// Opens one subject after the other, calls `check` and closes the subject. Leaves out types that the device lacks.
void check_each(struct subject *subjects, size_t count, void (*check)(struct subject *subject));

// Computes what one call gives over the first `count` elements.
void solve(struct subject *subject, cl_ulong count);

// A partial of elements `first` to `first + count`, folded from the buffer.
clred_partial *make_partial(const struct subject *subject, cl_ulong first, cl_ulong count);

// Collective calls on partials. Those of results come first, and TESTED ones end by clred_mpi_test, not clred_mpi_wait.
enum call { REDUCE_ALL, REDUCE_ONE, REDUCE_LATER, REDUCE_TESTED, WHOLE, SCAN_NOW, SCAN_LATER, SCAN_TESTED, CALLS };
#define ROOT (here.size / 2)  // of REDUCE_ONE

// Begins and ends a call. Meanwhile kernels run.
cl_int call_ranks(enum call call, clred_mpi *handle, clred_partial *mine, clred_partial *before, void *result);

// Calls `check` with the share of this rank for several numbers of elements: even shares, and random cuts.
void check_cuts(struct subject *subject,
                void (*check)(const struct subject *subject, cl_ulong first, cl_ulong count, int turn));

// The result must have the expected bits.
void check_result(const struct subject *subject, const unsigned char *result, enum call call);

// A partial without elements, for the elements before those of this rank; and it must still be that.
clred_partial *make_before(const struct subject *subject);
void check_unchanged(clred_partial *before);

// A function of MPI that fails on this rank from now on, by its name; NULL: none.
extern const char *failing;

void check_bits(void);
void check_scans(void);
void check_shares(void);
void check_failures(void);
