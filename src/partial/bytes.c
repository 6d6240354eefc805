// Packs a partial into bytes and unpacks it. The bytes:
//   header       56 bytes, below
//   parameters   their values
//   states       of the nodes, from left to right
//   elements     of the incomplete tiles: head and tail, each source after source
// Which nodes there are follows from `first` and `count`, so it is not written. All numbers are little-endian; opaque
// values (portable.h) have the byte order of the machine that packed them, which the header then names.
#include "partial/partial.h"

#include <string.h>

#include "base/checksum.h"
#include "partial/portable.h"

#define MAGIC "CLRDPART"
#define VERSION 5

// Offsets of the header's fields; all but the first three have 8 bytes.
enum {
  AT_MAGIC = 0,
  AT_VERSION = 8,
  AT_BYTE_ORDER = 9,  // of opaque values; CLR_ORDER_ANY if there are none
  AT_FINGERPRINT = 16,
  AT_FIRST = 24,
  AT_COUNT = 32,
  AT_SIZE = 40,  // all bytes
  AT_CHECKSUM = 48,
  HEADER = 56
};

// The byte order of packed bytes that this machine writes and reads.
static unsigned char byte_order(const struct clr_operation *operation) {
  return clr_portable_order(clr_portable_is_opaque(operation), clr_is_big_endian());
}

// Returns the checksum of all 8-byte words but its own. Zeros fill the last word, and the header has the size.
static cl_ulong checksum_of(const unsigned char *bytes, size_t size) {
  cl_ulong sum = CLR_CHECKSUM_BEGIN;
  unsigned char last[sizeof sum] = {0};
  size_t at = 0;
  for (; at + sizeof sum <= size; at += sizeof sum)
    if (at != AT_CHECKSUM)
      sum = clr_checksum_word(sum, clr_portable_get(bytes + at));
  memcpy(last, bytes + at, size - at);
  return clr_checksum_word(sum, clr_portable_get(last));
}

// --- Sizes ---

static size_t parameter_bytes(const struct clr_operation *operation) {
  size_t bytes = 0;
  for (size_t i = 0; i < operation->parameter_count; i++)
    bytes += operation->parameter_sizes[i];
  return bytes;
}

static size_t packed_size(const clred_partial *partial) {
  const struct clr_operation *operation = &partial->plan->problem.operation;
  return HEADER + parameter_bytes(operation) + partial->node_count * operation->state_size +
         (size_t)(partial->head.count + partial->tail.count) * clr_operand_bytes(operation);
}

size_t clr_partial_bytes(const clred_plan *plan) {
  const struct clr_operation *operation = &plan->problem.operation;
  const size_t tile = (size_t)(plan->shape.rows * plan->shape.lanes);
  struct clr_status unused = {0};
  if (clr_partial_check(plan, &unused))
    return 0;
  const size_t fixed = HEADER + parameter_bytes(operation);
  return clr_partial_is_of_any_order(operation)
           ? fixed + operation->state_size
           : fixed + CLR_PARTIAL_NODES * operation->state_size + 2 * (tile - 1) * clr_operand_bytes(operation);
}

// --- Packing ---

static unsigned char *put_tile(const clred_partial *partial, const struct clr_incomplete_tile *tile,
                               unsigned char *to) {
  struct clr_layout layout;
  for (size_t i = 0; i < partial->source_count && tile->count; i++) {
    clr_portable_source(&partial->plan->problem.operation, i, &layout);
    clr_portable_copy(&layout, tile->elements[i], tile->count, clr_is_big_endian(), to);
    to += (size_t)tile->count * partial->sizes[i];
  }
  return to;
}

static unsigned char *put_parameters(const clred_partial *partial, unsigned char *to) {
  const struct clr_operation *operation = &partial->plan->problem.operation;
  struct clr_layout layout;
  for (size_t i = 0; i < operation->parameter_count; i++) {
    clr_portable_parameter(operation, i, &layout);
    clr_portable_copy(&layout, partial->parameters[i], 1, clr_is_big_endian(), to);
    to += operation->parameter_sizes[i];
  }
  return to;
}

static void put_all(const clred_partial *partial, unsigned char *bytes, size_t size) {
  const struct clr_operation *operation = &partial->plan->problem.operation;
  struct clr_layout layout;
  memset(bytes, 0, HEADER);
  memcpy(bytes + AT_MAGIC, MAGIC, sizeof MAGIC - 1);
  bytes[AT_VERSION] = VERSION;
  bytes[AT_BYTE_ORDER] = byte_order(operation);
  clr_portable_put(bytes + AT_FINGERPRINT, partial->fingerprint);
  clr_portable_put(bytes + AT_FIRST, partial->first);
  clr_portable_put(bytes + AT_COUNT, partial->count);
  clr_portable_put(bytes + AT_SIZE, size);
  unsigned char *to = put_parameters(partial, bytes + HEADER);
  clr_portable_state(operation, &layout);
  clr_portable_copy(&layout, partial->states, partial->node_count, clr_is_big_endian(), to);
  to += partial->node_count * operation->state_size;
  to = put_tile(partial, &partial->head, to);
  put_tile(partial, &partial->tail, to);
  clr_portable_put(bytes + AT_CHECKSUM, checksum_of(bytes, size));
}

cl_int clr_partial_pack(const clred_partial *partial, void *bytes, size_t room, size_t *size,
                        struct clr_status *status) {
  *size = packed_size(partial);
  if (!bytes)
    return CL_SUCCESS;
  if (room < *size)
    return clr_fail(status, CL_INVALID_BUFFER_SIZE, "room is %zu bytes; the packed partial has %zu", room, *size);
  put_all(partial, bytes, *size);
  return CL_SUCCESS;
}

// --- Unpacking ---

static cl_int damaged(const char *what, struct clr_status *status) {
  return clr_fail(status, CLRED_PARTIAL_DAMAGED, "bytes: %s", what);
}

static bool is_zero(const unsigned char *from, const unsigned char *end) {
  while (from < end && *from == 0)
    from++;
  return from == end;
}

static cl_int check_header(const unsigned char *bytes, size_t size, struct clr_status *status) {
  if (size < HEADER || memcmp(bytes + AT_MAGIC, MAGIC, sizeof MAGIC - 1) != 0)
    return damaged("this is no packed partial", status);
  if (bytes[AT_VERSION] != VERSION)
    return clr_fail(status, CLRED_PARTIAL_DAMAGED,
                    "bytes: version %u of packed partials; this library reads version %u", bytes[AT_VERSION], VERSION);
  if (bytes[AT_BYTE_ORDER] != CLR_ORDER_ANY && bytes[AT_BYTE_ORDER] != clr_portable_order(true, clr_is_big_endian()))
    return damaged("their elements or states are of a type that only a preamble declares, in another byte order",
                   status);
  if (!is_zero(bytes + AT_BYTE_ORDER + 1, bytes + AT_FINGERPRINT))
    return damaged("reserved bytes of the header are not 0", status);
  if (clr_portable_get(bytes + AT_SIZE) != size)
    return clr_fail(status, CLRED_PARTIAL_DAMAGED, "bytes: the packed partial has %llu bytes, not %zu",
                    (unsigned long long)clr_portable_get(bytes + AT_SIZE), size);
  return clr_portable_get(bytes + AT_CHECKSUM) == checksum_of(bytes, size)
           ? CL_SUCCESS
           : damaged("the checksum is wrong, so some bytes were altered", status);
}

static const unsigned char *get_tile(const clred_partial *partial, const struct clr_incomplete_tile *tile,
                                     const unsigned char *from) {
  struct clr_layout layout;
  for (size_t i = 0; i < partial->source_count && tile->count; i++) {
    clr_portable_source(&partial->plan->problem.operation, i, &layout);
    clr_portable_copy(&layout, from, tile->count, clr_is_big_endian(), tile->elements[i]);
    from += (size_t)tile->count * partial->sizes[i];
  }
  return from;
}

// Sets the range of an empty partial and how many elements and nodes it has.
static cl_int get_range(clred_partial *partial, const unsigned char *bytes, size_t size, struct clr_status *status) {
  partial->first = clr_portable_get(bytes + AT_FIRST);
  partial->count = clr_portable_get(bytes + AT_COUNT);
  if (partial->count > CL_ULONG_MAX - partial->first)
    return damaged("first and count exceed 64 bits", status);
  clr_partial_lay_out(partial);
  return packed_size(partial) == size ? CL_SUCCESS
                                      : damaged("they have another size than their range of elements needs", status);
}

static cl_int get_all(clred_partial *partial, const unsigned char *bytes, size_t size, struct clr_status *status) {
  const struct clr_operation *operation = &partial->plan->problem.operation;
  const unsigned char *from = bytes + HEADER + parameter_bytes(operation);
  struct clr_layout layout;
  cl_int err = get_range(partial, bytes, size, status);
  if (err)
    return err;
  clr_portable_state(operation, &layout);
  clr_portable_copy(&layout, from, partial->node_count, clr_is_big_endian(), partial->states);
  from = get_tile(partial, &partial->head, from + partial->node_count * operation->state_size);
  get_tile(partial, &partial->tail, from);
  return CL_SUCCESS;
}

// The parameters of packed bytes, at places that are aligned.
struct parameters {
  cl_double16 places[CLR_OPERANDS_MAX];
  const void *values[CLR_OPERANDS_MAX];
};

// A type of the tables is never larger than a place.
static void get_parameters(const struct clr_operation *operation, const unsigned char *bytes,
                           struct parameters *parameters) {
  const unsigned char *from = bytes + HEADER;
  struct clr_layout layout;
  for (size_t i = 0; i < operation->parameter_count; i++) {
    parameters->values[i] = from;
    if (operation->parameter_sizes[i] <= sizeof *parameters->places) {
      clr_portable_parameter(operation, i, &layout);
      clr_portable_copy(&layout, from, 1, clr_is_big_endian(), &parameters->places[i]);
      parameters->values[i] = &parameters->places[i];
    }
    from += operation->parameter_sizes[i];
  }
}

// Checks everything but the range, and gets the parameters.
static cl_int check(const clred_plan *plan, const unsigned char *bytes, size_t size, struct parameters *parameters,
                    struct clr_status *status) {
  char ours[80];
  cl_int err = check_header(bytes, size, status);
  if (!err && size < HEADER + parameter_bytes(&plan->problem.operation))
    err = clr_fail(status, CLRED_PARTIAL_MISMATCH, "bytes: packed for an operator with other parameters");
  if (err)
    return err;
  get_parameters(&plan->problem.operation, bytes, parameters);
  if (clr_partial_fingerprint(plan, parameters->values) == clr_portable_get(bytes + AT_FINGERPRINT))
    return bytes[AT_BYTE_ORDER] == byte_order(&plan->problem.operation) ? CL_SUCCESS
                                                                        : damaged("their byte order is wrong", status);
  clr_partial_describe(plan, ours, sizeof ours);
  return clr_fail(status, CLRED_PARTIAL_MISMATCH,
                  "bytes: packed for another problem than %s: operator, types, policies and order must be the same",
                  ours);
}

cl_int clr_partial_unpack(clred_plan *plan, const void *bytes, size_t size, clred_partial **partial,
                          struct clr_status *status) {
  struct parameters parameters;
  clred_partial *made = NULL;
  cl_int err = clr_partial_check(plan, status);
  if (!err)
    err = check(plan, bytes, size, &parameters, status);
  if (!err)
    err = clr_partial_create(plan, &(clred_partial_options){.parameters = parameters.values}, &made, status);
  if (!err)
    err = get_all(made, bytes, size, status);
  if (err)
    clr_partial_release(made);
  else
    *partial = made;
  return err;
}

cl_int clr_partial_read(clred_partial *partial, const void *bytes, size_t size, struct clr_status *status) {
  const struct clr_operation *operation = &partial->plan->problem.operation;
  struct parameters parameters;
  clred_partial tried = *partial;  // takes the range first, so that nothing is changed if it is wrong
  struct clr_status dropped = {0};
  clr_partial_empty(&tried, 0);
  cl_int err = check(partial->plan, bytes, size, &parameters, status);
  if (!err)
    err = get_range(&tried, bytes, size, status);
  if (err)
    return err;
  clr_partial_reset(partial, 0, &dropped);
  for (size_t i = 0; i < operation->parameter_count; i++)
    memcpy((void *)partial->parameters[i], parameters.values[i], operation->parameter_sizes[i]);
  partial->fingerprint = clr_portable_get((const unsigned char *)bytes + AT_FINGERPRINT);
  return get_all(partial, bytes, size, status);
}
