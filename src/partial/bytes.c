// Packs a partial into bytes and unpacks it. The bytes:
//   header       64 bytes, below; its numbers are little-endian
//   parameters   their values
//   states       of the nodes, from left to right
//   elements     of the begun tiles: head and tail, each source after source
// Which nodes there are follows from `first` and `count`, so it is not written. Values are in the byte order of the
// machine that packed them; a machine with the other order refuses them.
#include "partial/partial.h"

#include <stdlib.h>
#include <string.h>

#include "base/arithmetic.h"
#include "base/checksum.h"

#define MAGIC "CLRDPART"
#define VERSION 1

// Offsets of the header's fields; all but the first three have 8 bytes.
enum {
  AT_MAGIC = 0,
  AT_VERSION = 8,
  AT_BYTE_ORDER = 9,  // 1: little-endian; 2: big-endian
  AT_FINGERPRINT = 16,
  AT_FIRST = 24,
  AT_COUNT = 32,
  AT_SIZE = 40,  // all bytes
  AT_CHECKSUM = 48,
  HEADER = 64
};

static void put_number(unsigned char *to, cl_ulong number) {
  for (size_t i = 0; i < sizeof number; i++)
    to[i] = (unsigned char)(number >> 8 * i);
}

static cl_ulong get_number(const unsigned char *from) {
  cl_ulong number = 0;
  for (size_t i = 0; i < sizeof number; i++)
    number |= (cl_ulong)from[i] << 8 * i;
  return number;
}

static unsigned char byte_order(void) {
  const cl_ushort one = 1;
  return *(const unsigned char *)&one ? 1 : 2;
}

static cl_ulong checksum_of(const unsigned char *bytes, size_t size) {
  const cl_ulong sum = clr_checksum(CLR_CHECKSUM_BEGIN, bytes, AT_CHECKSUM);
  return clr_checksum(sum, bytes + AT_CHECKSUM + sizeof sum, size - AT_CHECKSUM - sizeof sum);
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
  return HEADER + parameter_bytes(operation) + CLR_PARTIAL_NODES * operation->state_size +
         2 * (tile - 1) * clr_operand_bytes(operation);
}

// --- States without their padding ---

// A vector of three has the size of a vector of four; the fourth component may be anything. `vector` is the bytes of
// one.
static void clear_fourth(const struct clr_operation *operation, unsigned char *bytes, size_t vector, size_t size) {
  const bool are_threes = !operation->custom && operation->element.components == 3;
  for (size_t at = 0; are_threes && at + vector <= size; at += vector)
    memset(bytes + at + vector / 4 * 3, 0, vector / 4);
}

// Copies the members of a state; `to` is zero before. A state whose members the library does not know is copied whole.
static void copy_state(const struct clr_operation *operation, const unsigned char *from, unsigned char *to) {
  const struct clr_custom *custom = operation->custom;
  const clred_part *parts = custom ? custom->state.members : operation->host->state_parts;
  const size_t count = custom ? custom->state.member_count : operation->host->state_part_count;
  struct clr_element member;
  size_t end = 0;
  if (count < 2) {
    memcpy(to, from, operation->state_size);
    clear_fourth(operation, to, operation->state_size, operation->state_size);
    return;
  }
  for (size_t i = 0; i < count; i++) {
    clr_element_make(parts[i].type, &member);
    const size_t at = clr_round_up(end, member.size), bytes = custom ? member.size : operation->host->state_sizes[i];
    memcpy(to + at, from + at, bytes);
    end = at + bytes;
  }
}

// --- Packing ---

static unsigned char *put_tile(const clred_partial *partial, const struct clr_begun_tile *tile, unsigned char *to) {
  for (size_t i = 0; i < partial->source_count; i++) {
    const size_t bytes = (size_t)tile->count * partial->sizes[i];
    memcpy(to, tile->elements[i], bytes);
    clear_fourth(&partial->plan->problem.operation, to, partial->sizes[i], bytes);
    to += bytes;
  }
  return to;
}

static void put_all(const clred_partial *partial, unsigned char *bytes, size_t size) {
  const struct clr_operation *operation = &partial->plan->problem.operation;
  unsigned char *to = bytes + HEADER;
  memset(bytes, 0, size);
  memcpy(bytes + AT_MAGIC, MAGIC, sizeof MAGIC - 1);
  bytes[AT_VERSION] = VERSION;
  bytes[AT_BYTE_ORDER] = byte_order();
  put_number(bytes + AT_FINGERPRINT, partial->fingerprint);
  put_number(bytes + AT_FIRST, partial->first);
  put_number(bytes + AT_COUNT, partial->count);
  put_number(bytes + AT_SIZE, size);
  for (size_t i = 0; i < operation->parameter_count; i++) {
    memcpy(to, partial->parameters[i], operation->parameter_sizes[i]);
    to += operation->parameter_sizes[i];
  }
  for (size_t i = 0; i < partial->node_count; i++, to += operation->state_size)
    copy_state(operation, partial->states + i * operation->state_size, to);
  to = put_tile(partial, &partial->head, to);
  put_tile(partial, &partial->tail, to);
  put_number(bytes + AT_CHECKSUM, checksum_of(bytes, size));
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
  if (bytes[AT_BYTE_ORDER] != byte_order())
    return damaged("packed on a machine with another byte order", status);
  if (!is_zero(bytes + AT_BYTE_ORDER + 1, bytes + AT_FINGERPRINT) ||
      !is_zero(bytes + AT_CHECKSUM + sizeof(cl_ulong), bytes + HEADER))
    return damaged("reserved bytes of the header are not 0", status);
  if (get_number(bytes + AT_SIZE) != size)
    return clr_fail(status, CLRED_PARTIAL_DAMAGED, "bytes: the packed partial has %llu bytes, not %zu",
                    (unsigned long long)get_number(bytes + AT_SIZE), size);
  return get_number(bytes + AT_CHECKSUM) == checksum_of(bytes, size)
           ? CL_SUCCESS
           : damaged("the checksum is wrong, so some bytes were altered", status);
}

// Sets the nodes of tiles `begin` to `end`: from both ends the nodes become larger.
static void lay_out_nodes(clred_partial *partial, cl_ulong begin, cl_ulong end) {
  while (begin < end) {
    unsigned level = 0;
    while (!(begin >> level & 1) && level < 63 && 2ull << level <= end - begin)
      level++;
    partial->nodes[partial->node_count++] = (struct clr_node){begin, level};
    begin += 1ull << level;
  }
}

// Sets how many elements and nodes the range has.
static void lay_out(clred_partial *partial) {
  const cl_ulong tile = partial->tile, end = partial->first + partial->count;
  const cl_ulong begin = clr_ceil_divide(partial->first, tile);
  if (partial->any_order) {
    partial->node_count = partial->count != 0;
  } else if (begin > end / tile) {
    partial->tail.count = partial->count;
  } else {
    partial->head.count = begin * tile - partial->first;
    partial->tail.count = end % tile;
    lay_out_nodes(partial, begin, end / tile);
  }
}

static const unsigned char *get_tile(const clred_partial *partial, const struct clr_begun_tile *tile,
                                     const unsigned char *from) {
  for (size_t i = 0; i < partial->source_count; i++) {
    const size_t bytes = (size_t)tile->count * partial->sizes[i];
    memcpy(tile->elements[i], from, bytes);
    from += bytes;
  }
  return from;
}

// Sets the range of an empty partial and how many elements and nodes it has.
static cl_int get_range(clred_partial *partial, const unsigned char *bytes, size_t size, struct clr_status *status) {
  partial->first = get_number(bytes + AT_FIRST);
  partial->count = get_number(bytes + AT_COUNT);
  if (partial->count > CL_ULONG_MAX - partial->first)
    return damaged("first and count exceed 64 bits", status);
  lay_out(partial);
  return packed_size(partial) == size ? CL_SUCCESS
                                      : damaged("they have another size than their range of elements needs", status);
}

static cl_int get_all(clred_partial *partial, const unsigned char *bytes, size_t size, struct clr_status *status) {
  const struct clr_operation *operation = &partial->plan->problem.operation;
  const unsigned char *from = bytes + HEADER + parameter_bytes(operation);
  cl_int err = get_range(partial, bytes, size, status);
  if (err)
    return err;
  memcpy(partial->states, from, partial->node_count * operation->state_size);
  from = get_tile(partial, &partial->head, from + partial->node_count * operation->state_size);
  get_tile(partial, &partial->tail, from);
  return CL_SUCCESS;
}

// The parameters of packed bytes, at places that are aligned.
struct parameters {
  cl_double16 places[CLR_OPERANDS_MAX];
  const void *values[CLR_OPERANDS_MAX];
};

static void get_parameters(const struct clr_operation *operation, const unsigned char *bytes,
                           struct parameters *parameters) {
  const unsigned char *from = bytes + HEADER;
  for (size_t i = 0; i < operation->parameter_count; i++) {
    if (operation->parameter_sizes[i] > sizeof *parameters->places)
      parameters->values[i] = from;
    else
      parameters->values[i] = memcpy(&parameters->places[i], from, operation->parameter_sizes[i]);
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
  if (clr_partial_fingerprint(plan, parameters->values) == get_number(bytes + AT_FINGERPRINT))
    return CL_SUCCESS;
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
  tried.head.count = tried.tail.count = 0;
  tried.node_count = 0;
  cl_int err = check(partial->plan, bytes, size, &parameters, status);
  if (!err)
    err = get_range(&tried, bytes, size, status);
  if (err)
    return err;
  clr_partial_reset(partial, 0, &dropped);
  for (size_t i = 0; i < operation->parameter_count; i++)
    memcpy((void *)partial->parameters[i], parameters.values[i], operation->parameter_sizes[i]);
  partial->fingerprint = get_number((const unsigned char *)bytes + AT_FINGERPRINT);
  return get_all(partial, bytes, size, status);
}
