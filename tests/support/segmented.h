// What rows of different lengths are asked, and what must come out: built-in operators by the oracle, operators of
// one's own by a loop. It knows nothing of how the rows are told: by offsets, flags or keys.

#ifndef CLREDUCE_TESTS_DEVICE_SEGMENTED_H
#define CLREDUCE_TESTS_DEVICE_SEGMENTED_H

#include "support/operators.h"

struct segmented_subject {
  const char *name;  // of a sample, where type is NONE
  clred_type type;
  clred_op op;
};

enum { SUMS, MAXIMA, MEANS, LEAST, MAPS, MATRICES, MOMENTS };
extern const struct segmented_subject segmented_subjects[];

enum { REDUCES, INCLUSIVE, EXCLUSIVE };

// How a subject is asked for.
struct segmented_question {
  int subject;
  clred_type tells;  // of offsets or keys
  int scan;
  enum { PLAINLY = 0, REVERSED = 1, IN_PLACE = 2, INITIAL = 4 } how;
};

struct segmented_task {
  const struct segmented_question *question;
  const struct segmented_subject *subject;
  const struct material *material;
  size_t result;  // bytes
};

struct material segmented_elements(const struct segmented_subject *subject, size_t length);

// What stands before the first element of each row; NULL where nothing is asked to.
const void *segmented_start(const struct segmented_task *task);

// The results of a row of `count` elements from element `first` of the material on.
void segmented_expect(const struct segmented_task *task, uint64_t first, uint64_t count, unsigned char *to);

#endif
