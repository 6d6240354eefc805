// Checks that all ranks of a handle reduce in the same way. Each rank describes itself by a card of fixed size.
#include "mpi/ranks.h"

#include <string.h>

#define CARD_VERSION 1

// Numbers are sent as little-endian bytes, so that an error can name a rank with another byte order.
struct card {
  cl_ulong version, byte_order, block, fingerprint, status;
  char name[80], message[CLR_MPI_MESSAGE];
};

static cl_ulong portable(cl_ulong number) {
  unsigned char bytes[sizeof number];
  cl_ulong swapped;
  for (size_t i = 0; i < sizeof bytes; i++)
    bytes[i] = (unsigned char)(number >> 8 * i);
  memcpy(&swapped, bytes, sizeof swapped);
  return swapped;
}

static void fill(const clred_mpi *handle, const struct clr_mpi_failure *own, struct card *card) {
  memset(card, 0, sizeof *card);
  card->version = portable(CARD_VERSION);
  card->byte_order = portable(portable(1) == 1 ? 1 : 2);
  card->block = portable(handle->block);
  card->fingerprint = portable(clred_partial_fingerprint(handle->plan, card->name, sizeof card->name));
  card->status = portable((cl_ulong)(cl_uint)own->status);
  memcpy(card->message, own->message, sizeof card->message);
}

static bool are_equal(const struct card *a, const struct card *b) {
  return a->version == b->version && a->byte_order == b->byte_order && a->block == b->block &&
         a->fingerprint == b->fingerprint;
}

// Collective. Finds the smallest rank on which `holds` is true; the number of ranks if there is none.
static cl_int find_rank(const clred_mpi *handle, bool holds, int *rank, struct clr_mpi_failure *failure) {
  const int own = holds ? handle->rank : handle->size;
  return clr_mpi_check(failure, MPI_Allreduce(&own, rank, 1, MPI_INT, MPI_MIN, handle->comm), "MPI_Allreduce");
}

// Collective. Gives all ranks the card of this rank.
static cl_int get_card(const clred_mpi *handle, int rank, struct card *card, struct clr_mpi_failure *failure) {
  return clr_mpi_check(failure, MPI_Bcast(card, (int)sizeof *card, MPI_BYTE, rank, handle->comm), "MPI_Bcast");
}

static cl_int fail_different(const struct card *first, const struct card *other, int rank,
                             struct clr_mpi_failure *failure) {
  if (first->version != other->version || first->byte_order != other->byte_order)
    return clr_mpi_failed(failure, CLRED_PARTIAL_MISMATCH,
                          "ranks 0 and %d have different versions of libclreduce-mpi or different byte orders", rank);
  return clr_mpi_failed(failure, CLRED_PARTIAL_MISMATCH,
                        "rank 0 reduces %.80s, and rank %d %.80s: operator text, types, policies and order must be "
                        "the same, and so must the version of the library",
                        first->name, rank, other->name);
}

cl_int clr_mpi_agree(const clred_mpi *handle, const struct clr_mpi_failure *own, struct clr_mpi_failure *failure) {
  struct card mine, first, other;
  int rank = 0;
  fill(handle, own, &mine);
  first = other = mine;
  cl_int err = find_rank(handle, mine.status != 0, &rank, failure);
  if (!err && rank < handle->size) {
    err = get_card(handle, rank, &other, failure);
    return err
             ? err
             : clr_mpi_failed(failure, (cl_int)(cl_uint)portable(other.status), "rank %d: %.480s", rank, other.message);
  }
  if (!err)
    err = get_card(handle, 0, &first, failure);
  if (!err)
    err = find_rank(handle, !are_equal(&mine, &first), &rank, failure);
  if (err || rank == handle->size)
    return err;
  err = get_card(handle, rank, &other, failure);
  return err ? err : fail_different(&first, &other, rank, failure);
}
