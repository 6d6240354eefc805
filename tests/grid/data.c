// What the grid reduces: see data.h.

#include "data.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../oracle_tree.h"
#include "random.h"

#define MARGIN 64           // elements between stretches, at least
#define STEPS 13            // values that decide a minimum or maximum, next to the type's own end
#define FLAVOURED_MAX 1000  // stretches with special values are this long at most

const char *const flavour_names[FLAVOURS] = {"plain", "zeros", "denormals", "one infinity", "both infinities", "NaNs"};

static bool is_floating(clred_type type) {
  return type == CLRED_TYPE_FLOAT || type == CLRED_TYPE_DOUBLE;
}

static bool is_signed(clred_type type) {
  return type == CLRED_TYPE_CHAR || type == CLRED_TYPE_SHORT || type == CLRED_TYPE_INT || type == CLRED_TYPE_LONG;
}

static uint64_t ones(clred_type type) {
  return UINT64_MAX >> (64 - 8 * oracle_size(type));
}

// The bits of a floating type with nothing but the sign set.
static uint64_t sign_bit(clred_type type) {
  return (ones(type) >> 1) + 1;
}

// The bits of an integer type's least value; of its greatest.
static uint64_t lowest(clred_type type) {
  return is_signed(type) ? sign_bit(type) : 0;
}

static uint64_t highest(clred_type type) {
  return lowest(type) ^ ones(type);
}

// ---------------------------------------------------------------- Elements

// An element that is not decisive.
static uint64_t draw_float(clred_op op, clred_type type, random_state *random) {
  const bool   single = type == CLRED_TYPE_FLOAT;
  const double value = op == CLRED_OP_MUL ? random_factor(random, single) : random_addend(random, single);
  if (op == CLRED_OP_ANY)
    return random_word(random) & sign_bit(type);
  if (op == CLRED_OP_ALL && !(value < 0 || value > 0))
    return oracle_float_bits(type, 1);
  return oracle_float_bits(type, value);
}

static uint64_t draw_integer(clred_op op, clred_type type, random_state *random) {
  const uint64_t word = random_word(random) & ones(type);
  switch (op) {
  case CLRED_OP_MUL:
  case CLRED_OP_ALL:
    return word | 1;  // even factors would soon make every product 0
  case CLRED_OP_MIN:
    return ((word - lowest(type)) & ones(type)) <= STEPS ? highest(type) : word;
  case CLRED_OP_MAX:
    return ((highest(type) - word) & ones(type)) <= STEPS ? lowest(type) : word;
  case CLRED_OP_AND:
    return ones(type);
  case CLRED_OP_OR:
  case CLRED_OP_ANY:
    return 0;
  default:
    return word;
  }
}

static uint64_t draw(clred_op op, clred_type type, random_state *random) {
  return is_floating(type) ? draw_float(op, type, random) : draw_integer(op, type, random);
}

// An element that spoils the result of its neighbours.
static uint64_t poison(clred_op op, clred_type type, random_state *random) {
  if (is_floating(type))
    return op == CLRED_OP_ALL ? 0 : oracle_float_bits(type, NAN);
  switch (op) {
  case CLRED_OP_MIN:
    return lowest(type);
  case CLRED_OP_MAX:
    return highest(type);
  case CLRED_OP_AND:
  case CLRED_OP_ALL:
    return 0;
  case CLRED_OP_OR:
  case CLRED_OP_ANY:
    return ones(type);
  default:
    return (random_word(random) | 2) & ones(type);
  }
}

// The one element that decides a min, max, all or any. Another one in every stretch: a result left from the call before
// would show.
static uint64_t decisive(clred_op op, clred_type type, unsigned turn) {
  const unsigned step = turn * 5 % STEPS;
  switch (op) {
  case CLRED_OP_MIN:
    return is_floating(type) ? oracle_float_bits(type, -1000.0 - step) : lowest(type) + 1 + step;
  case CLRED_OP_MAX:
    return is_floating(type) ? oracle_float_bits(type, 1000.0 + step) : highest(type) - 1 - step;
  case CLRED_OP_ANY:
    return 1;  // of a floating type: the least denormal, which is not zero
  default:
    return 0;
  }
}

// ---------------------------------------------------------------- Stretches

static void put(struct data *data, uint64_t index, uint64_t bits) {
  oracle_store(data->elements, data->size, index, bits);
}

// Turns bits at four places: each of them shows in an and or an or.
static void plant_bits(struct data *data, const struct stretch *stretch, random_state *random) {
  const uint64_t places[4] = {0, stretch->count - 1, stretch->count / 2, random_below(random, stretch->count)};
  const uint64_t first = random_word(random);
  for (unsigned i = 0; i < 4; i++) {
    const uint64_t index = stretch->offset + places[i];
    const uint64_t bit = (uint64_t)1 << ((first + 2 * i) % (8 * data->size));
    put(data, index, oracle_load(data->elements, data->size, index) ^ bit);
  }
}

static void plant(struct data *data, const struct stretch *stretch, unsigned turn, random_state *random) {
  const uint64_t places[3] = {stretch->count - 1, 0, random_below(random, stretch->count)};
  switch (data->op) {
  case CLRED_OP_AND:
  case CLRED_OP_OR:
    plant_bits(data, stretch, random);
    break;
  case CLRED_OP_ALL:
  case CLRED_OP_ANY:
    if (turn % 4 < 3)  // every fourth stretch has none, which is the other result
      put(data, stretch->offset + places[turn % 4], decisive(data->op, data->type, turn));
    break;
  case CLRED_OP_MIN:
  case CLRED_OP_MAX:
    put(data, stretch->offset + places[turn % 3], decisive(data->op, data->type, turn));
    break;
  default:
    break;
  }
}

// A special value of the flavour, the `turn`th of its stretch.
static uint64_t special(enum flavour flavour, clred_type type, uint64_t turn, random_state *random) {
  const uint64_t infinity = oracle_float_bits(type, INFINITY), word = random_word(random);
  const uint64_t sign = word & sign_bit(type);
  switch (flavour) {
  case ZEROS:
    return sign;
  case DENORMALS:
    return sign | (word & (sign_bit(type) - 1) & ~infinity);
  case ONE_INFINITY:
    return infinity;
  case BOTH_INFINITIES:
    return turn % 2 ? infinity | sign_bit(type) : infinity;
  default:  // any payload, quiet or signalling, but not all of it zero
    return sign | infinity | (word & (sign_bit(type) - 1)) | 1;
  }
}

static void mix_in(struct data *data, const struct stretch *stretch, random_state *random) {
  const uint64_t every = stretch->flavour == ZEROS ? 1 : 5;
  uint64_t       turn = 0;
  for (uint64_t i = random_below(random, stretch->count); turn <= stretch->count / every; turn++) {
    put(data, stretch->offset + i, special(stretch->flavour, data->type, turn, random));
    i = stretch->flavour == ZEROS ? (i + 1) % stretch->count : random_below(random, stretch->count);
  }
}

static void fill(struct data *data, const struct stretch *stretch, unsigned turn, random_state *random) {
  for (uint64_t i = 0; i < stretch->count; i++)
    put(data, stretch->offset + i, draw(data->op, data->type, random));
  if (stretch->count == 0)
    return;
  plant(data, stretch, turn, random);
  if (stretch->flavour != PLAIN)
    mix_in(data, stretch, random);
}

// ---------------------------------------------------------------- Layout

static void add_stretch(struct data *data, uint64_t count, enum flavour flavour, unsigned residue) {
  static const uint64_t residues[] = {0, 1, 3, 7, 255};
  const bool            first = data->stretch_count == 0;
  const uint64_t        base = first ? 0 : (data->length + 255) / 256 * 256;
  struct stretch       *stretch = &data->stretches[data->stretch_count++];
  if (data->stretch_count == DATA_STRETCHES_MAX)
    oracle_fail("too many", "stretches");
  stretch->offset = base + residues[residue % 5];
  stretch->count = count;
  stretch->flavour = flavour;
  data->length = stretch->offset + count + MARGIN;
}

static void lay_out(struct data *data, const uint64_t *sizes, size_t size_count) {
  // Another size stands first, at the very start of the buffer, and every size has another offset, from array to array.
  const unsigned turn = (unsigned)data->op * 3 + (unsigned)data->type;
  for (unsigned i = 0; i < size_count; i++)
    add_stretch(data, sizes[(i + turn) % size_count], PLAIN, i + turn / 2);
  for (unsigned i = 0; is_floating(data->type) && i < size_count; i++)
    for (int flavour = PLAIN + 1; flavour < FLAVOURS && sizes[i] > 0 && sizes[i] <= FLAVOURED_MAX; flavour++)
      add_stretch(data, sizes[i], (enum flavour)flavour, i + (unsigned)flavour);
}

void data_create(struct data *data, clred_op op, clred_type type, const uint64_t *sizes, size_t size_count) {
  random_state random = random_seed((uint64_t)op * 100 + (uint64_t)type);
  memset(data, 0, sizeof *data);
  data->op = op;
  data->type = type;
  data->size = oracle_size(type);
  lay_out(data, sizes, size_count);
  data->elements = oracle_claim(data->length, data->size);
  for (uint64_t i = 0; i < data->length; i++)
    put(data, i, poison(op, type, &random));
  for (size_t i = 0; i < data->stretch_count; i++)
    fill(data, &data->stretches[i], (unsigned)i, &random);
}

void data_release(struct data *data) {
  free(data->elements);
  memset(data, 0, sizeof *data);
}

const void *data_at(const struct data *data, const struct stretch *stretch) {
  return (const char *)data->elements + stretch->offset * data->size;
}
