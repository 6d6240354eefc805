// Compares the host's loops over many elements with operators applied to one element after another. The bits must be
// the same for every operator, type and option, at the lengths of pieces, forwards, reversed, with steps and in place.
// No device is opened.

#include "host/in_order.h"
#include "host/trees.h"
#include "support/suite.h"

enum { MOST = 1100, STEP = 3, RESULT_MAX = 96, LANES_MAX = 75 };

// How the elements of one case are laid out in memory, and the options of a scan.
struct way {
  cl_ulong count, stride;
  bool starts, reversed, inclusive, in_place;
};

// Bytes of all kinds; among floating ones NaNs, infinities, zeros of both signs and numbers near one.
static void fill(const struct clr_element *element, unsigned char *bytes, size_t size, unsigned seed) {
  static const unsigned char heads[] = {0x00, 0x80, 0x3f, 0xbf, 0x7f, 0xff, 0x3c, 0x40};
  unsigned random = seed;
  size_t scalar = element->row->class == CLR_COMPLEX ? element->row->size / 2 : element->row->size;
  for (size_t i = 0; i < size; i++) {
    random = random * 1664525u + 1013904223u;
    bytes[i] = (unsigned char)(random >> 24);
    if (element->row->class != CLR_SIGNED && element->row->class != CLR_UNSIGNED && i % scalar == scalar - 1)
      bytes[i] = heads[random >> 20 & 7];
  }
  for (size_t i = 0; i + 1 < size / scalar && i < 40; i += 9)
    memset(bytes + i * scalar, 0, scalar);
}

static void fold_one_by_one(const struct clr_values *values, void *state) {
  union clr_room lifted;
  clr_lift(values, 0, state);
  for (cl_ulong i = 1; i < values->count; i++) {
    clr_lift(values, i, &lifted);
    clr_state_combine(values->operation, state, &lifted);
  }
}

static void scan_one_by_one(const struct clr_scan *scan, const struct clr_values *values) {
  struct clr_prefix x = clr_scan_start(scan, values->operation);
  union clr_room lifted;
  for (cl_ulong i = 0; i < values->count; i++) {
    clr_scan_lift(scan, values, i, &lifted);
    if (!scan->inclusive)
      clr_scan_put(scan, values, i, &x);
    clr_prefix_add(values->operation, &x, &lifted);
    if (scan->inclusive)
      clr_scan_put(scan, values, i, &x);
  }
}

// One byte more than aligned memory, because elements may be unaligned.
static unsigned char first[MOST * STEP * 16 + 1], second[MOST * STEP * 16 + 1];
static unsigned char ours[MOST * STEP * RESULT_MAX + 1], theirs[MOST * STEP * RESULT_MAX + 1];

static void check_fold(const struct clr_values *values) {
  union clr_room state, expected;
  unsigned char result[RESULT_MAX], wanted[RESULT_MAX];
  clr_fold_elements(values, &state);
  fold_one_by_one(values, &expected);
  clr_state_lower(values->operation, &state, result);
  clr_state_lower(values->operation, &expected, wanted);
  ck_assert_msg(memcmp(result, wanted, values->operation->result_size) == 0, "%s of %llu %s by %llu",
                values->operation->name, (unsigned long long)values->count, values->operation->element.name,
                (unsigned long long)values->stride);
}

// The lane that begins at element `at`, one element after another.
static void fold_lane(const struct clr_values *values, cl_ulong at, cl_ulong apart, void *state) {
  union clr_room lifted;
  clr_lift(values, at, state);
  for (cl_ulong i = 1; i < values->count; i++) {
    clr_lift(values, at + i * apart, &lifted);
    clr_state_combine(values->operation, state, &lifted);
  }
}

// Lanes side by side: `apart` elements and `across` indices from one to the next.
static void check_lanes(const struct clr_operation *operation, cl_ulong width, cl_ulong apart, cl_ulong across,
                        cl_ulong count) {
  const cl_ulong step = 3;
  const void *inputs[] = {second + 1};
  const struct clr_values values = {operation, first + 1, count, step, inputs, NULL, 7};
  const struct clr_values all = {operation, first + 1, count, 1, inputs, NULL, 7};
  union clr_room states[LANES_MAX], wanted;
  unsigned char results[RESULT_MAX], expected[RESULT_MAX];
  clr_fold_lanes(&values, &(struct clr_lanes){width, apart, across, step}, states);
  for (cl_ulong lane = 0; lane < width; lane++) {
    struct clr_values own = all;
    own.first += lane * across - lane * apart;
    fold_lane(&own, lane * apart, step, &wanted);
    clr_state_lower(operation, &wanted, expected);
    clr_states_lower(operation, (unsigned char *)states + lane * operation->state_size, 1, results);
    ck_assert_msg(memcmp(results, expected, operation->result_size) == 0,
                  "lane %d of %d of %s of %s, %d elements apart", (int)lane, (int)width, operation->name,
                  operation->element.name, (int)apart);
  }
}

// The functions for many states give the bits of one pair after another.
static void check_states(const struct clr_operation *operation) {
  enum { STATES = 7 };
  const void *inputs[] = {second + 1};
  const struct clr_values values = {operation, first + 1, STATES, 1, inputs, NULL, 7};
  struct clr_states one = clr_states_make(operation, STATES), many = clr_states_make(operation, STATES);
  unsigned char results[STATES][RESULT_MAX], expected[RESULT_MAX];
  for (cl_ulong i = 0; i < STATES; i++) {
    clr_lift(&values, i, clr_state_at(&one, i));
    clr_lift(&values, i, clr_state_at(&many, i));
  }
  clr_states_combine(operation, many.bytes, one.bytes, STATES);
  for (cl_ulong i = 0; i < STATES; i++)
    clr_state_combine(operation, clr_state_at(&one, i), clr_state_at(&one, i));
  clr_states_lower(operation, many.bytes, STATES, results);
  for (cl_ulong i = 0; i < STATES; i++) {
    clr_state_lower(operation, clr_state_at(&one, i), expected);
    ck_assert_mem_eq((unsigned char *)results + i * operation->result_size, expected, operation->result_size);
  }
  ck_assert(clr_states_fold_pairs(operation, many.bytes, STATES));
  clr_tree_doubling(&one, 0, STATES);
  clr_state_lower(operation, many.bytes, results[0]);
  clr_state_lower(operation, one.bytes, expected);
  ck_assert_mem_eq(results[0], expected, operation->result_size);
  clr_states_release(&one);
  clr_states_release(&many);
}

static void check_scan(struct clr_values values, const struct way *way) {
  const struct clr_operation *operation = values.operation;
  const size_t size = (size_t)(way->count * way->stride) * operation->result_size;
  union clr_room start;
  struct clr_scan scan = {.inclusive = way->inclusive, .reversed = way->reversed, .stride = way->stride};
  clr_lift(&values, 0, &start);
  scan.start = way->starts ? &start : NULL;
  for (int one_by_one = 0; one_by_one < 2; one_by_one++) {
    scan.results = one_by_one ? theirs + 1 : ours + 1;
    memset(scan.results, 0xa5, size);
    if (way->in_place)
      memcpy(scan.results, first + 1, size);
    values.elements = way->in_place ? scan.results : first + 1;
    if (one_by_one)
      scan_one_by_one(&scan, &values);
    else
      clr_scan_in_order(&scan, &values);
  }
  ck_assert_msg(memcmp(ours, theirs, size + 1) == 0,
                "scan by %s of %llu %s by %llu: starts %d, reversed %d, inclusive %d, in place %d", operation->name,
                (unsigned long long)way->count, operation->element.name, (unsigned long long)way->stride, way->starts,
                way->reversed, way->inclusive, way->in_place);
}

// Pieces have 512 elements. CLREDUCE_TEST_SHORT, for emulated processors, tests the first four lengths only.
static size_t lengths(const cl_ulong **counts) {
  static const cl_ulong all[] = {0, 1, 2, 514, 511, 512, 513, 1025};
  *counts = all;
  return getenv("CLREDUCE_TEST_SHORT") != NULL ? 4 : COUNT_OF(all);
}

static void check_operation(const struct clr_operation *operation) {
  const void *inputs[] = {second + 1};
  const cl_ulong *counts;
  const size_t cases = 16 * lengths(&counts);
  for (unsigned i = 0; i < cases; i++) {
    struct way way = {counts[i / 16], i % 16 / 8 ? STEP : 1, i & 1, i >> 1 & 1, i >> 2 & 1, false};
    const struct clr_values values = {operation, first + 1, way.count, way.stride, inputs, NULL, 7};
    if (way.count && i % 8 == 0)
      check_fold(&values);
    check_scan(values, &way);
    way.in_place = operation->result_size == operation->element.size;
    if (way.in_place)
      check_scan(values, &way);
  }
}

static unsigned with_lanes;  // operations that have functions for lanes

// A block of lanes of neighbours that is full, two that are not, lanes apart from each other, and more than a block
// that is widened. An order matters only for lanes of at most 16 elements.
static void check_side_by_side(const struct clr_operation *operation) {
  const cl_ulong most = operation->exact ? 40 : 16;
  if (!clr_has_lanes(operation))
    return;
  with_lanes++;
  check_states(operation);
  check_lanes(operation, CLR_LANES_AT_ONCE, 1, 1, 5);
  check_lanes(operation, LANES_MAX, 1, 1, most);
  check_lanes(operation, 3, 1, 0, 1);
  check_lanes(operation, LANES_MAX, 4, 0, most);
}

static unsigned check_options(const struct clr_choice *choice) {
  struct clr_operation operation;
  struct clr_status status;
  if (clr_operation_make(choice, &operation, &status))
    return 0;
  check_operation(&operation);
  check_side_by_side(&operation);
  return 1;
}

TEST_EACH(loops_give_the_bits_of_one_element_after_another, 0, 14) {
  const struct clr_type *type = clr_type_at((size_t)_i);
  const struct clr_op *op;
  struct clr_element element;
  unsigned checked = 0;
  with_lanes = 0;
  ck_assert(clr_element_make(type->id, &element));
  fill(&element, first + 1, sizeof first - 1, 1);
  fill(&element, second + 1, sizeof second - 1, 2);
  for (size_t i = 0; (op = clr_op_at(i)) != NULL; i++)
    for (int nan = 0; nan < 2; nan++) {
      struct clr_choice choice = {.op = op->id, .type = type->id, .nan = nan ? CLRED_NAN_IGNORE : CLRED_NAN_PROPAGATE};
      checked += check_options(&choice);
      choice.state = CLRED_TYPE_DOUBLE;
      checked += check_options(&choice);
      choice.state = CLRED_TYPE_NONE;
      choice.overflow = CLRED_OVERFLOW_DETECT;
      checked += check_options(&choice);
      choice.overflow = CLRED_OVERFLOW_WRAP;
      for (int bits = CLRED_RESULT_OWN; nan && bits <= CLRED_RESULT_64; bits++) {
        choice.result_bits = (clred_result_bits)bits;
        checked += check_options(&choice);
      }
    }
  ck_assert_uint_ge(with_lanes, 10);
  ck_assert_uint_ge(checked, type->class == CLR_COMPLEX ? 5 * 2 : 21 * 4);
}

// 24 nodes as three pushes of eight, and then three single ones, give the root of 27 single pushes. In the second case
// the root is 1 only if the first two pushes of eight are joined before the third: 1 + 2^-24 is 1.
TEST_EACH(a_push_of_eight_nodes_is_eight_pushes, 0, 2) {
  enum { NODES = 27, TOGETHER = 24 };
  struct clr_choice choice = {.op = CLRED_OP_SUM, .type = CLRED_TYPE_FLOAT};
  struct clr_operation operation;
  struct clr_status status;
  struct clr_pairs single, together;
  union clr_room root, expected;
  float nodes[NODES];
  ck_assert(!clr_operation_make(&choice, &operation, &status));
  clr_pairs_begin(&single, &operation, 1);
  clr_pairs_begin(&together, &operation, 1);
  for (int i = 0; i < NODES; i++) {
    nodes[i] = _i == 0 ? 1.0f / (float)(i * i + 1) : i == 0 ? 1 : i % 8 == 0 && i < TOGETHER ? 0x1p-24f : 0;
    clr_pairs_push(&single, &nodes[i], 1);
  }
  for (int i = 0; i < TOGETHER; i += 8) {
    const struct clr_states states = {&operation, (unsigned char *)&nodes[i], 8};
    clr_tree_doubling(&states, 0, 8);
    clr_pairs_push(&together, &nodes[i], 8);
  }
  for (int i = TOGETHER; i < NODES; i++)
    clr_pairs_push(&together, &nodes[i], 1);
  clr_pairs_root(&single, &expected);
  clr_pairs_root(&together, &root);
  ck_assert_mem_eq(&root, &expected, sizeof(float));
}
