// Makes trials of laws, and compares the two sides of a law in a trial, with rounding taken into account.
#include "host/law_check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// --- Trials ---

#define SMALL 4
#define RANDOM 4096

static void add(struct clr_law_samples *triples, const cl_uint *lengths, const cl_uint *picks) {
  struct clr_triple *row = &triples->rows[triples->count++];
  *row = (struct clr_triple){.lengths = {lengths[0], lengths[1], lengths[2]}};
  for (unsigned piece = 0; piece < 3; piece++)
    for (unsigned i = 0; i < lengths[piece]; i++)
      row->picks[piece][i] = *picks++;
}

// Adds all triples of single elements, small ones first.
static void add_singles(struct clr_law_samples *triples, cl_uint edges) {
  static const cl_uint lengths[3] = {1, 1, 1};
  for (cl_uint largest = 0; largest < edges; largest++)
    for (cl_uint i = 0; i <= largest; i++)
      for (cl_uint j = 0; j <= largest; j++)
        for (cl_uint k = i == largest || j == largest ? 0 : largest; k <= largest; k++)
          add(triples, lengths, (const cl_uint[]){i, j, k});
}

// Adds triples in which one state is made of two elements: combined states may break a law that lifted states keep.
static void add_pairs(struct clr_law_samples *triples, cl_uint edges) {
  const cl_uint small = edges < SMALL ? edges : SMALL, squared = small * small;
  for (unsigned piece = 0; piece < 3; piece++) {
    cl_uint lengths[3] = {1, 1, 1};
    lengths[piece] = 2;
    for (cl_uint all = 0; all < squared * squared; all++)
      add(triples, lengths,
          (const cl_uint[]){all % small, all / small % small, all / squared % small, all / squared / small});
  }
}

static void add_random(struct clr_law_samples *triples, cl_ulong *random) {
  // The parts of the pool to draw from. With the whole pool alone, almost every triple would contain an extreme
  // element.
  static const struct {
    cl_uint first, end;
  } sources[] = {{0, CLR_POOL_MIXED_END},
                 {CLR_POOL_MIXED_END, CLR_POOL_MODERATE_END},
                 {CLR_POOL_MIXED_END, CLR_POOL_MODERATE_END},
                 {0, CLR_POOL_SIZE}};
  const cl_ulong bits = clr_random(random), which = bits / 27 % 4;
  const cl_uint lengths[3] = {1 + (cl_uint)(bits % 3), 1 + (cl_uint)(bits / 3 % 3), 1 + (cl_uint)(bits / 9 % 3)};
  cl_uint picks[9];
  for (unsigned i = 0; i < 9; i++)
    picks[i] = sources[which].first + (cl_uint)(clr_random(random) % (sources[which].end - sources[which].first));
  add(triples, lengths, picks);
}

cl_int clr_law_samples_make(unsigned edges, cl_ulong *random, struct clr_law_samples *triples) {
  const size_t most = (size_t)edges * edges * edges + (size_t)3 * SMALL * SMALL * SMALL * SMALL + RANDOM;
  *triples = (struct clr_law_samples){.rows = malloc(most * sizeof(struct clr_triple))};
  if (!triples->rows)
    return CL_OUT_OF_HOST_MEMORY;
  add_singles(triples, edges);
  add_pairs(triples, edges);
  triples->enumerated = triples->count;
  for (unsigned i = 0; i < RANDOM; i++)
    add_random(triples, random);
  return CL_SUCCESS;
}

void clr_law_samples_release(struct clr_law_samples *triples) {
  free(triples->rows);
  *triples = (struct clr_law_samples){0};
}

unsigned clr_law_pieces(enum clr_law law) {
  return law == CLR_LAW_IDENTITY ? 1 : law == CLR_LAW_COMMUTATIVITY ? 2 : 3;
}

// Some enumerated triples differ only in states that the law does not use. Of these triples, one is tested: the triple
// in which each unused state is the first edge value.
bool clr_triple_is_new(const struct clr_law_samples *triples, size_t index, enum clr_law law) {
  const struct clr_triple *row = &triples->rows[index];
  for (unsigned piece = clr_law_pieces(law); piece < 3 && index < triples->enumerated; piece++)
    if (row->lengths[piece] > 1 || row->picks[piece][0])
      return false;
  return true;
}

// --- Checks ---

// Callers choose the functions in lift and lower, so rounding errors may add up to a few hundred units in the last
// place.
#define ULPS 512

// A number above this, or below 1 / this, is extreme: a product of a few such numbers may overflow or underflow.
#define MODERATE 8192

struct operand_flags {
  bool has_nan, has_infinity;  // in the elements
  bool has_extreme;            // an element is very large or very small
  bool left_range;             // states are infinite or NaN
  double scale;                // the largest magnitude of all numbers involved
};

static bool is_floating(clred_type type) {
  return clr_type_row(type)->class == CLR_FLOATING;
}

static bool has_narrow_floats(const struct clr_layout *layout) {
  for (size_t i = 0; i < layout->run_count; i++)
    if (is_floating(layout->runs[i].type) && layout->runs[i].type != CLRED_TYPE_DOUBLE)
      return true;
  return layout->is_opaque;
}

void clr_law_check_make(const struct clr_operation *operation, struct clr_law_check *judge) {
  *judge = (struct clr_law_check){.input_count = operation->input_count, .tolerance = ULPS * 0x1p-23};
  clr_layout_element(operation, &judge->element);
  clr_layout_state(operation, &judge->state);
  clr_layout_result(operation, &judge->result);
  for (size_t i = 0; i < operation->input_count; i++) {
    clr_layout_input(operation, i, &judge->inputs[i]);
    judge->input_names[i] = operation->custom ? operation->custom->inputs[i].name : "y";
  }
  judge->tolerance_of_double = has_narrow_floats(&judge->state) ? judge->tolerance : ULPS * 0x1p-52;
}

static double number_at(clred_type type, const unsigned char *bytes) {
  double number;
  clr_type_row(type)->widen[CLR_KIND_DOUBLE](bytes, 1, &number);
  return number;
}

// ---------------------------------------------------------------- Numbers that excuse a difference

typedef void note(double number, bool is_floating, struct operand_flags *operand_flags);

static void note_all(const struct clr_layout *layout, const unsigned char *value, note *note_one,
                     struct operand_flags *operand_flags) {
  for (size_t i = 0; i < layout->run_count && !layout->is_opaque; i++) {
    const struct clr_run *run = &layout->runs[i];
    for (unsigned j = 0; j < run->count; j++)
      note_one(number_at(run->type, value + run->offset + j * clr_type_row(run->type)->size), is_floating(run->type),
               operand_flags);
  }
}

static void note_element(double number, bool floating, struct operand_flags *now) {
  double magnitude = fabs(number);
  (void)floating;
  now->has_nan |= isnan(number) != 0;
  now->has_infinity |= isinf(number) != 0;
  now->has_extreme |= isfinite(number) && number != 0 && (magnitude > MODERATE || magnitude < 1.0 / MODERATE);
  if (isfinite(number) && magnitude > now->scale)
    now->scale = magnitude;
}

static void note_computed(double number, bool floating, struct operand_flags *now) {
  if (!floating)
    return;
  now->left_range |= !isfinite(number);
  if (isfinite(number) && fabs(number) > now->scale)
    now->scale = fabs(number);
}

// The values to compare: a result, and the state that it is made from.
struct value {
  unsigned result, state;
};

// A law: the states that it uses, one bit each, and its equations.
static const struct law {
  unsigned states;
  unsigned equations;
  struct value equation[2][2];
} laws[CLRED_LAWS] = {
  [CLR_LAW_IDENTITY] = {0x301, 2, {{{5, 8}, {0, 0}}, {{6, 9}, {0, 0}}}},
  [CLR_LAW_ASSOCIATIVITY] = {0x07f, 1, {{{1, 4}, {2, 5}}}},
  [CLR_LAW_COMMUTATIVITY] = {0x0c3, 1, {{{3, 6}, {4, 7}}}},
};

static void look_around(const struct clr_law_check *judge, const struct clr_counterexample *evidence, enum clr_law law,
                        struct operand_flags *now) {
  for (unsigned piece = 0; piece < clr_law_pieces(law); piece++)
    for (unsigned i = 0; i < evidence->triple->lengths[piece]; i++) {
      cl_uint pick = evidence->triple->picks[piece][i];
      note_all(&judge->element, evidence->pool->elements + pick * judge->element.size, note_element, now);
      for (size_t k = 0; k < judge->input_count; k++)
        note_all(&judge->inputs[k], evidence->pool->inputs[k] + pick * judge->inputs[k].size, note_element, now);
    }
  for (unsigned state = 0; state < CLR_LAW_STATES; state++)
    if (laws[law].states >> state & 1)
      note_all(&judge->state, evidence->states + state * judge->state.size, note_computed, now);
}

// ---------------------------------------------------------------- Two values

// True if something other than rounding explains the difference: infinities cancel, NaNs spread, values overflow. With
// extreme numbers, terms may also cancel within combine.
static bool is_explained(double left, double right, const struct operand_flags *now) {
  if (isnan(left) || isnan(right))
    return now->has_nan || now->has_infinity || now->has_extreme || now->left_range;
  bool ends = isinf(left) || isinf(right);
  return now->has_extreme || (ends && now->left_range && !now->has_infinity && !now->has_nan);
}

static bool is_same(clred_type type, const unsigned char *left, const unsigned char *right) {
  double l = number_at(type, left), r = number_at(type, right);
  // Laws ignore the sign of a zero. Compare integers as bytes: as doubles, some different 64-bit integers would be
  // equal.
  return is_floating(type) ? l == r || (isnan(l) && isnan(r)) : memcmp(left, right, clr_type_row(type)->size) == 0;
}

static bool compare_one(const struct clr_law_check *judge, const struct operand_flags *now, clred_type type,
                        const unsigned char *left, const unsigned char *right, double *error) {
  double l = number_at(type, left), r = number_at(type, right);
  bool floating = is_floating(type);
  if (is_same(type, left, right) || (floating && is_explained(l, r, now)))
    return true;
  double scale = fmax(floating ? now->scale : 0, fmax(fabs(l), fabs(r)));
  double difference = isfinite(l) && isfinite(r) && scale > 0 ? fabs(l - r) / scale : 1;
  *error = fmax(*error, difference);
  return floating && difference <= (type == CLRED_TYPE_DOUBLE ? judge->tolerance_of_double : judge->tolerance);
}

static bool compare(const struct clr_law_check *judge, const struct operand_flags *now, const struct clr_layout *layout,
                    const unsigned char *left, const unsigned char *right, double *error) {
  bool is_good = true;
  for (size_t i = 0; i < layout->run_count; i++) {
    const struct clr_run *run = &layout->runs[i];
    size_t size = clr_type_row(run->type)->size;
    for (unsigned j = 0; j < run->count; j++)
      is_good &=
        compare_one(judge, now, run->type, left + run->offset + j * size, right + run->offset + j * size, error);
  }
  return is_good;
}

// Compares results. But lower may enlarge a rounding error, for example by dividing by nearly 0. So it is enough if the
// states are equal up to rounding.
static bool are_equal(const struct clr_law_check *judge, const struct clr_counterexample *evidence,
                      const struct operand_flags *now, const struct value sides[2], double *error) {
  const unsigned char *results = evidence->results, *states = evidence->states;
  double of_results = 0, of_states = 0;
  bool is_good = compare(judge, now, &judge->result, results + sides[0].result * judge->result.size,
                         results + sides[1].result * judge->result.size, &of_results);
  bool is_excused = !is_good && compare(judge, now, &judge->state, states + sides[0].state * judge->state.size,
                                        states + sides[1].state * judge->state.size, &of_states);
  if (!now->has_nan && !now->has_infinity && !now->has_extreme)
    *error = fmax(*error, is_excused ? of_states : of_results);
  return is_good || is_excused;
}

enum clr_verdict clr_law_check_run(const struct clr_law_check *judge, const struct clr_counterexample *evidence,
                                   enum clr_law which, unsigned *side, double *error) {
  const struct law *law = &laws[which];
  struct operand_flags now = {.scale = 0};
  look_around(judge, evidence, which, &now);
  for (unsigned i = 0; i < law->equations; i++) {
    if (are_equal(judge, evidence, &now, law->equation[i], error))
      continue;
    *side = i;
    return now.has_nan ? CLR_VERDICT_NAN_ONLY : CLR_VERDICT_FAILS;
  }
  return CLR_VERDICT_HOLDS;
}
