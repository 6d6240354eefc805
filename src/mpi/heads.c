// The heads of blocks: what ranks have, and which error counts if blocks are joined.
#include "mpi/ranks.h"

#include <stdio.h>
#include <string.h>

long long clr_mpi_place_of(int rank, enum clr_mpi_fault fault) {
  return (long long)rank * CLR_MPI_FAULTS + fault;
}

// MPI's own memory may begin anywhere, so heads are copied.
struct clr_mpi_head clr_mpi_head_of(const unsigned char *block) {
  struct clr_mpi_head head;
  memcpy(&head, block, sizeof head);
  return head;
}

const char *clr_mpi_message_of(const unsigned char *block) {
  return (const char *)block + CLR_MPI_PAYLOAD;
}

void clr_mpi_put_head(unsigned char *block, const struct clr_mpi_head *head) {
  memset(block, 0, CLR_MPI_PAYLOAD);
  memcpy(block, head, sizeof *head);
}

// --- Joining ---

// The error that stays, and where its message is.
struct verdict {
  cl_int status;
  long long place;
  enum { OF_LEFT, OF_RIGHT, OF_BOUNDARY } from;
};

static void consider(struct verdict *verdict, struct verdict other) {
  if (other.status && (!verdict->status || other.place < verdict->place))
    *verdict = other;
}

static struct verdict judge(const struct clr_mpi_head *left, const struct clr_mpi_head *right) {
  struct verdict verdict = {left->status, left->place, OF_LEFT};
  consider(&verdict, (struct verdict){right->status, right->place, OF_RIGHT});
  if (left->last.is_known && right->first.is_known && left->last.value != right->first.value)
    consider(&verdict, (struct verdict){CLRED_PARTIAL_MISMATCH,
                                        clr_mpi_place_of(right->first.rank, CLR_MPI_FAULT_PARAMETERS), OF_BOUNDARY});
  if (left->end.state == CLR_MPI_KNOWN && right->begin.state == CLR_MPI_KNOWN &&
      left->end.element != right->begin.element)
    consider(&verdict,
             (struct verdict){CLRED_PARTIAL_GAP, clr_mpi_place_of(right->begin.rank, CLR_MPI_FAULT_GAP), OF_BOUNDARY});
  return verdict;
}

static void say_boundary(const struct clr_mpi_head *left, const struct clr_mpi_head *right, cl_int status, char *text) {
  if (status == CLRED_PARTIAL_MISMATCH)
    snprintf(text, CLR_MPI_MESSAGE, "rank %d: its parameters have other values than those of rank %d",
             right->first.rank, left->last.rank);
  else
    snprintf(text, CLR_MPI_MESSAGE,
             "rank %d: it begins at element %llu, but the ranks before it end before element %llu: %s; give each rank "
             "the elements behind those of the rank before it",
             right->begin.rank, (unsigned long long)right->begin.element, (unsigned long long)left->end.element,
             right->begin.element > left->end.element ? "the elements between them are missing" : "they overlap");
}

bool clr_mpi_fit(const struct clr_mpi_head *left, const struct clr_mpi_head *right) {
  return !judge(left, right).status;
}

// Writes the message of the error to b, after the head.
static void put_message(const unsigned char *a, unsigned char *b, const struct verdict *verdict) {
  const struct clr_mpi_head left = clr_mpi_head_of(a), right = clr_mpi_head_of(b);
  if (verdict->from == OF_LEFT)
    memcpy(b + CLR_MPI_PAYLOAD, a + CLR_MPI_PAYLOAD, CLR_MPI_MESSAGE);
  else if (verdict->from == OF_BOUNDARY)
    say_boundary(&left, &right, verdict->status, (char *)b + CLR_MPI_PAYLOAD);
}

void clr_mpi_join_heads(const unsigned char *a, unsigned char *b, cl_ulong size) {
  const struct clr_mpi_head left = clr_mpi_head_of(a), right = clr_mpi_head_of(b);
  const struct verdict verdict = judge(&left, &right);
  const struct clr_mpi_head head = {.status = verdict.status,
                                    .place = verdict.place,
                                    .size = size,
                                    .begin = left.begin.state == CLR_MPI_EMPTY ? right.begin : left.begin,
                                    .end = right.end.state == CLR_MPI_EMPTY ? left.end : right.end,
                                    .first = left.first,
                                    .last = right.last};
  if (verdict.status)
    put_message(a, b, &verdict);
  clr_mpi_put_head(b, &head);
}

void clr_mpi_judge(void *a, void *b, int *count, MPI_Datatype *type) {
  (void)type;
  for (int i = 0; i < *count; i++)
    clr_mpi_join_heads((const unsigned char *)a + (size_t)i * CLR_MPI_VERDICT,
                       (unsigned char *)b + (size_t)i * CLR_MPI_VERDICT, 0);
}
