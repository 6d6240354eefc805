// Checks that all ranks agree on what must be the same, by one MPI_Allreduce of a card of fixed size. The operator
// keeps the card of the first rank, the first card that differs from this card, and the first failure.
#include "mpi/agree.h"

#include <string.h>

#define CARD_VERSION 1

// Numbers are sent as little-endian bytes, so that an error can name a rank with another byte order.
struct card {
  cl_ulong rank, version, byte_order, block, fingerprint;
  char name[80];
};

struct cards {
  struct card first, other;  // other: of the first rank that differs; version 0: none
  cl_ulong failed_rank, status;
  char message[CLR_MPI_MESSAGE];
};

static cl_ulong portable(cl_ulong number) {
  unsigned char bytes[sizeof number];
  cl_ulong swapped;
  for (size_t i = 0; i < sizeof bytes; i++)
    bytes[i] = (unsigned char)(number >> 8 * i);
  memcpy(&swapped, bytes, sizeof swapped);
  return swapped;
}

static bool are_equal(const struct card *a, const struct card *b) {
  return a->version == b->version && a->byte_order == b->byte_order && a->block == b->block &&
         a->fingerprint == b->fingerprint;
}

// This function is associative: whichever cards are joined first, the first card that differs stays.
static void join(const struct cards *left, struct cards *right) {
  struct cards joined = *left;
  if (!joined.other.version)
    joined.other = are_equal(&left->first, &right->first) ? right->other : right->first;
  if (!joined.status) {
    joined.status = right->status;
    joined.failed_rank = right->failed_rank;
    memcpy(joined.message, right->message, sizeof joined.message);
  }
  *right = joined;
}

static void join_cards(void *a, void *b, int *count, MPI_Datatype *type) {
  (void)type;
  for (int i = 0; i < *count; i++) {
    struct cards left, right;
    unsigned char *to = (unsigned char *)b + (size_t)i * sizeof right;
    memcpy(&left, (const unsigned char *)a + (size_t)i * sizeof left, sizeof left);
    memcpy(&right, to, sizeof right);
    join(&left, &right);
    memcpy(to, &right, sizeof right);
  }
}

static void fill(const clred_mpi *handle, const struct clr_mpi_failure *own, struct cards *cards) {
  memset(cards, 0, sizeof *cards);
  cards->first.rank = portable((cl_ulong)handle->rank);
  cards->first.version = portable(CARD_VERSION);
  cards->first.byte_order = portable(portable(1) == 1 ? 1 : 2);
  cards->first.block = portable(handle->block);
  cards->first.fingerprint =
    portable(clred_partial_fingerprint(handle->plan, cards->first.name, sizeof cards->first.name));
  cards->failed_rank = portable((cl_ulong)handle->rank);
  cards->status = portable((cl_ulong)(cl_uint)own->status);
  memcpy(cards->message, own->message, sizeof cards->message);
}

static cl_int refuse(const struct cards *cards, struct clr_mpi_failure *failure) {
  const struct card *first = &cards->first, *other = &cards->other;
  const int one = (int)portable(first->rank), two = (int)portable(other->rank);
  if (cards->status)
    return clr_mpi_failed(failure, (cl_int)(cl_uint)portable(cards->status), "rank %d: %.480s",
                          (int)portable(cards->failed_rank), cards->message);
  if (first->version != other->version || first->byte_order != other->byte_order)
    return clr_mpi_failed(failure, CLRED_PARTIAL_MISMATCH,
                          "ranks %d and %d have different versions of libclreduce-mpi or different byte orders", one,
                          two);
  return clr_mpi_failed(failure, CLRED_PARTIAL_MISMATCH,
                        "rank %d reduces %.80s, and rank %d %.80s: operator text, types, policies and order must be "
                        "the same, and so must the version of the library",
                        one, first->name, two, other->name);
}

cl_int clr_mpi_agree(const clred_mpi *handle, const struct clr_mpi_failure *own, struct clr_mpi_failure *failure) {
  struct cards mine, all;
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Op op = MPI_OP_NULL;
  fill(handle, own, &mine);
  memset(&all, 0, sizeof all);
  cl_int err = clr_mpi_check(failure, MPI_Type_contiguous((int)sizeof mine, MPI_BYTE, &type), "MPI_Type_contiguous");
  if (!err)
    err = clr_mpi_check(failure, MPI_Type_commit(&type), "MPI_Type_commit");
  if (!err)
    err = clr_mpi_check(failure, MPI_Op_create(join_cards, 0, &op), "MPI_Op_create");
  if (!err)
    err = clr_mpi_check(failure, MPI_Allreduce(&mine, &all, 1, type, op, handle->comm), "MPI_Allreduce");
  if (op != MPI_OP_NULL)
    MPI_Op_free(&op);
  if (type != MPI_DATATYPE_NULL)
    MPI_Type_free(&type);
  if (!err && (all.status || all.other.version))
    err = refuse(&all, failure);
  return err;
}
