// The message of a rank: a block of fixed size with a head, and the packed partial or the error of a rank. The
// operators of MPI join the blocks of neighbouring ranks.
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "mpi/ranks.h"

// --- Heads: what ranks have, and which error counts if blocks are joined ---

// If a rank has several faults, the first in this order is reported.
enum fault { FAULT_PARAMETERS, FAULT_GAP, FAULT_OTHER, FAULTS };

static long long place_of(int rank, enum fault fault) {
  return (long long)rank * FAULTS + fault;
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

static void put_head(unsigned char *block, const struct clr_mpi_head *head) {
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
    consider(&verdict,
             (struct verdict){CLRED_PARTIAL_MISMATCH, place_of(right->first.rank, FAULT_PARAMETERS), OF_BOUNDARY});
  if (left->end.state == CLR_MPI_KNOWN && right->begin.state == CLR_MPI_KNOWN &&
      left->end.element != right->begin.element)
    consider(&verdict, (struct verdict){CLRED_PARTIAL_GAP, place_of(right->begin.rank, FAULT_GAP), OF_BOUNDARY});
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

// False if blocks with these heads join to an error.
static bool fit(const struct clr_mpi_head *left, const struct clr_mpi_head *right) {
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

// The head of b becomes that of both blocks, with a packed partial of `size` bytes or the message of an error.
static void join_heads(const unsigned char *a, unsigned char *b, cl_ulong size) {
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
  put_head(b, &head);
}

void clr_mpi_judge(void *a, void *b, int *count, MPI_Datatype *type) {
  (void)type;
  for (int i = 0; i < *count; i++)
    join_heads((const unsigned char *)a + (size_t)i * CLR_MPI_VERDICT, (unsigned char *)b + (size_t)i * CLR_MPI_VERDICT,
               0);
}

// --- Blocks ---

size_t clr_mpi_block_size(size_t bytes) {
  const size_t payload = bytes > CLR_MPI_MESSAGE ? bytes : CLR_MPI_MESSAGE;
  return CLR_MPI_PAYLOAD + (payload + 15) / 16 * 16;
}

// --- The block of one rank ---

void clr_mpi_block_fail(const clred_mpi *handle, unsigned char *block, const struct clr_mpi_failure *failure) {
  const struct clr_mpi_end unknown = {CLR_MPI_UNKNOWN, handle->rank, 0};
  const struct clr_mpi_head head = {
    .status = failure->status, .place = place_of(handle->rank, FAULT_OTHER), .begin = unknown, .end = unknown};
  memset(block, 0, handle->block);
  put_head(block, &head);
  snprintf((char *)block + CLR_MPI_PAYLOAD, CLR_MPI_MESSAGE, "rank %d: %.480s", handle->rank, failure->message);
}

cl_int clr_mpi_read(const clred_mpi *handle, const unsigned char *block, clred_partial **partial) {
  const unsigned char *bytes = block + CLR_MPI_PAYLOAD;
  const size_t size = (size_t)clr_mpi_head_of(block).size;
  return *partial ? clred_partial_read(*partial, bytes, size)
                  : clred_partial_unpack(handle->plan, bytes, size, partial);
}

// Packs the partial behind the head of this rank's block.
static cl_int pack(clred_mpi *handle, clred_partial *partial, struct clr_mpi_head *head, clred_partial_info *info) {
  size_t size = 0;
  cl_int err = clred_partial_inspect(partial, info);
  memset(handle->mine, 0, handle->block);
  if (!err)
    err = clred_partial_pack(partial, handle->mine + CLR_MPI_PAYLOAD, handle->block - CLR_MPI_PAYLOAD, &size);
  head->size = size;
  put_head(handle->mine, head);
  return err;
}

// Reads the bytes back. Bytes of another problem are rejected. After this, `left` and `right` exist; joins by MPI need
// them.
static cl_int accept(clred_mpi *handle, cl_ulong fingerprint) {
  cl_int err = CL_SUCCESS;
  if (handle->right && fingerprint == handle->accepted)
    return CL_SUCCESS;
  clr_mutex_lock(&handle->lock);
  err = clr_mpi_read(handle, handle->mine, &handle->left);
  if (!err)
    err = clr_mpi_read(handle, handle->mine, &handle->right);
  clr_mutex_unlock(&handle->lock);
  if (!err)
    handle->accepted = fingerprint;
  return err;
}

// The status of a partial that cannot be sent, with the message of the runtime that said it.
static cl_int refuse(struct clr_mpi_failure *failure, cl_int err, clred_runtime *said_by) {
  if (err == CLRED_PARTIAL_MISMATCH || err == CL_INVALID_BUFFER_SIZE)
    return clr_mpi_failed(failure, CLRED_PARTIAL_MISMATCH,
                          "the partial is of another problem than the plan of clred_mpi_open");
  return clr_mpi_take(failure, err, said_by);
}

static cl_int make(clred_mpi *handle, clred_partial *partial, struct clr_mpi_failure *failure) {
  struct clr_mpi_head head = {0};
  clred_partial_info info = {0};
  if (!partial)
    return clr_mpi_failed(failure, CLRED_INVALID_ARGUMENT, "partial is NULL");
  cl_int err = pack(handle, partial, &head, &info);
  if (err)
    return refuse(failure, err, clred_plan_runtime(clred_partial_plan(partial)));
  err = accept(handle, info.fingerprint);
  if (err)
    return refuse(failure, err, handle->runtime);
  const enum clr_mpi_state state = info.count ? CLR_MPI_KNOWN : CLR_MPI_EMPTY;
  head.begin = (struct clr_mpi_end){state, handle->rank, info.first};
  head.end = (struct clr_mpi_end){state, handle->rank, info.first + info.count};
  head.first = head.last = (struct clr_mpi_print){true, handle->rank, info.fingerprint};
  put_head(handle->mine, &head);
  return CL_SUCCESS;
}

void clr_mpi_block_make(clred_mpi *handle, clred_partial *partial) {
  struct clr_mpi_failure failure = handle->failed;
  handle->failed.status = CL_SUCCESS;
  if (!failure.status)
    make(handle, partial, &failure);
  if (failure.status)
    clr_mpi_block_fail(handle, handle->mine, &failure);
}

// --- Joining the blocks of neighbouring ranks ---

static cl_int join_partials(clred_mpi *handle, const unsigned char *a, unsigned char *b, cl_ulong *joined) {
  const size_t room = handle->block - CLR_MPI_PAYLOAD;
  size_t size = 0;
  clr_mutex_lock(&handle->lock);
  cl_int err = clr_mpi_read(handle, a, &handle->left);
  if (!err)
    err = clr_mpi_read(handle, b, &handle->right);
  if (!err)
    err = clred_partial_join(handle->left, handle->right);
  if (!err)
    err = clred_partial_pack(handle->left, b + CLR_MPI_PAYLOAD, room, &size);
  clr_mutex_unlock(&handle->lock);
  if (!err)
    memset(b + CLR_MPI_PAYLOAD + size, 0, room - size);
  *joined = size;
  return err;
}

// Joins the partials of blocks without errors. `size` gets the bytes of the joined partial.
static cl_int join_payloads(clred_mpi *handle, const unsigned char *a, unsigned char *b, cl_ulong *size) {
  const struct clr_mpi_head left = clr_mpi_head_of(a), right = clr_mpi_head_of(b);
  *size = left.begin.state == CLR_MPI_EMPTY ? right.size : left.size;
  if (right.begin.state == CLR_MPI_EMPTY)
    memcpy(b + CLR_MPI_PAYLOAD, a + CLR_MPI_PAYLOAD, handle->block - CLR_MPI_PAYLOAD);
  else if (left.begin.state != CLR_MPI_EMPTY)
    return join_partials(handle, a, b, size);
  return CL_SUCCESS;
}

static void join_blocks(clred_mpi *handle, const unsigned char *a, unsigned char *b) {
  const struct clr_mpi_head left = clr_mpi_head_of(a), right = clr_mpi_head_of(b);
  struct clr_mpi_failure failure = {0};
  cl_ulong size = 0;
  if (fit(&left, &right))
    clr_mpi_take(&failure, join_payloads(handle, a, b, &size), handle->runtime);
  join_heads(a, b, size);
  if (failure.status)
    clr_mpi_block_fail(handle, b, &failure);
}

// MPI gives the operator only a datatype, so the operator needs this key to find the handle. The key belongs to no
// handle: a process creates one key and never frees it; it ends with MPI_Finalize.
int clr_mpi_key(void) {
  static atomic_int key = MPI_KEYVAL_INVALID;
  int made = MPI_KEYVAL_INVALID, none = MPI_KEYVAL_INVALID;
  if (atomic_load(&key) != MPI_KEYVAL_INVALID)
    return atomic_load(&key);
  if (MPI_Type_create_keyval(MPI_TYPE_DUP_FN, MPI_TYPE_NULL_DELETE_FN, &made, NULL) != MPI_SUCCESS)
    return MPI_KEYVAL_INVALID;
  if (!atomic_compare_exchange_strong(&key, &none, made))
    MPI_Type_free_keyval(&made);
  return atomic_load(&key);
}

// Without its handle the operator cannot join. The block then contains this error, because a result without some ranks
// would be wrong.
static void give_up(unsigned char *b) {
  const struct clr_mpi_head head = {.status = CLRED_MPI_FAILED};
  put_head(b, &head);
  snprintf((char *)b + CLR_MPI_PAYLOAD, CLR_MPI_MESSAGE, "MPI lost the attribute of a datatype");
}

void clr_mpi_join(void *a, void *b, int *count, MPI_Datatype *type) {
  clred_mpi *handle = NULL;
  int is_set = 0;
  if (MPI_Type_get_attr(*type, clr_mpi_key(), &handle, &is_set) != MPI_SUCCESS || !is_set)
    give_up(b);
  for (int i = 0; i < *count && is_set; i++)
    join_blocks(handle, (const unsigned char *)a + (size_t)i * handle->block,
                (unsigned char *)b + (size_t)i * handle->block);
}
