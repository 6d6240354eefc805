// The data of the grid: see data.h.

#include "data.h"

#include <stdlib.h>
#include <string.h>

#include "element.h"
#include "oracle/tree.h"
#include "support/random.h"

#define MARGIN 64              // elements between stretches, at least
#define FLAVOURED_MAX 1000     // sizes up to this have a stretch for every flavour
#define FLAVOURED_ONCE 200000  // sizes up to this have a stretch for one flavour

const char *const flavour_names[FLAVOURS] = {"plain",           "zeros", "denormals", "one infinity",
                                             "both infinities", "NaNs",  "extremes"};

// One of the two arrays while it is filled.
struct filling {
  const struct data *data;
  void *elements;
  uint64_t lead;
  random_state random;
};

// ---------------------------------------------------------------- Stretches

static clred_type scalar(const struct data *data) {
  return oracle_component(data->type);
}

// Components with a value. The fourth of a vector of 3 has none and is poison.
static unsigned used(const struct data *data) {
  return (int)data->type >> 8 == 3 ? 3 : oracle_components(data->type);
}

static void put(struct filling *filling, uint64_t index, unsigned component, uint64_t bits) {
  const clred_type type = scalar(filling->data);
  const uint64_t place = (index + filling->lead) * oracle_components(filling->data->type) + component;
  oracle_store(filling->elements, oracle_size(type), place, bits);
}

static uint64_t get(const struct filling *filling, uint64_t index, unsigned component) {
  const clred_type type = scalar(filling->data);
  const uint64_t place = (index + filling->lead) * oracle_components(filling->data->type) + component;
  return oracle_load(filling->elements, oracle_size(type), place);
}

// Flips bits at four places. Each of them changes an `and` or an `or`.
static void plant_bits(struct filling *filling, const struct stretch *stretch, unsigned component) {
  const uint64_t places[4] = {0, stretch->count - 1, stretch->count / 2,
                              random_below(&filling->random, stretch->count)};
  const uint64_t first = random_word(&filling->random);
  for (unsigned i = 0; i < 4; i++) {
    const uint64_t index = stretch->offset + places[i];
    const uint64_t bit = (uint64_t)1 << ((first + 2 * i) % (8 * oracle_size(scalar(filling->data))));
    put(filling, index, component, get(filling, index, component) ^ bit);
  }
}

// Each extreme occurs twice: the first one must be found.
static void plant_extreme(struct filling *filling, const struct stretch *stretch, unsigned component, bool least,
                          unsigned turn) {
  const uint64_t places[3] = {stretch->count - 1, 0, random_below(&filling->random, stretch->count)};
  const uint64_t bits = element_decisive(filling->data->op, scalar(filling->data), least, turn);
  put(filling, stretch->offset + places[turn % 3], component, bits);
  put(filling, stretch->offset + random_below(&filling->random, stretch->count), component, bits);
}

static void plant(struct filling *filling, const struct stretch *stretch, unsigned component, unsigned turn) {
  const clred_op op = filling->data->op;
  const uint64_t places[3] = {stretch->count - 1, 0, random_below(&filling->random, stretch->count)};
  if (op == CLRED_OP_AND || op == CLRED_OP_OR)
    plant_bits(filling, stretch, component);
  // Every fourth stretch has no element that decides, so that the other result occurs.
  if ((op == CLRED_OP_ALL || op == CLRED_OP_ANY) && turn % 4 < 3)
    put(filling, stretch->offset + places[turn % 4], component,
        element_decisive(op, scalar(filling->data), false, turn));
  if (seeks_least(op))
    plant_extreme(filling, stretch, component, true, turn);
  if (seeks_greatest(op))
    plant_extreme(filling, stretch, component, false, turn + 1);
}

static void mix_in(struct filling *filling, const struct stretch *stretch, unsigned component) {
  const uint64_t every = stretch->flavour == ZEROS ? 1 : 5;
  random_state *random = &filling->random;
  uint64_t turn = 0;
  for (uint64_t i = random_below(random, stretch->count); turn <= stretch->count / every; turn++) {
    put(filling, stretch->offset + i, component,
        element_special(stretch->flavour, scalar(filling->data), turn, random));
    i = stretch->flavour == ZEROS ? (i + 1) % stretch->count : random_below(random, stretch->count);
  }
}

static void fill_stretch(struct filling *filling, const struct stretch *stretch, unsigned component, unsigned turn) {
  const struct data *data = filling->data;
  const bool imaginary = oracle_is_complex(data->type) && component == 1;
  for (uint64_t i = 0; i < stretch->count; i++)
    put(filling, stretch->offset + i, component,
        element_draw(data->op, scalar(data), imaginary, turn, &filling->random));
  if (stretch->count == 0)
    return;
  plant(filling, stretch, component, turn + component);
  if (stretch->flavour != PLAIN)
    mix_in(filling, stretch, component);
}

static void *fill(const struct data *data, uint64_t seed, uint64_t lead) {
  const unsigned components = oracle_components(data->type);
  struct filling filling = {data, oracle_claim(data->length + lead, data->size), lead, random_seed(seed)};
  for (uint64_t i = 0; i < (data->length + lead) * components; i++)
    oracle_store(filling.elements, oracle_size(scalar(data)), i,
                 element_poison(data->op, scalar(data), data->nan, &filling.random));
  for (size_t i = 0; i < data->stretch_count; i++)
    for (unsigned component = 0; component < used(data); component++)
      fill_stretch(&filling, &data->stretches[i], component, (unsigned)i);
  return filling.elements;
}

// ---------------------------------------------------------------- Layout

static void add_stretch(struct data *data, uint64_t count, enum flavour flavour, unsigned residue) {
  static const uint64_t residues[] = {0, 1, 3, 7, 255};
  const bool first = data->stretch_count == 0;
  const uint64_t base = first ? 0 : (data->length + 255) / 256 * 256;
  struct stretch *stretch = &data->stretches[data->stretch_count++];
  if (data->stretch_count == DATA_STRETCHES_MAX)
    oracle_fail("too many", "stretches");
  stretch->offset = base + residues[residue % 5];
  stretch->count = count;
  stretch->flavour = flavour;
  data->length = stretch->offset + count + MARGIN;
}

static bool has_flavour(const struct data *data, enum flavour flavour) {
  return oracle_is_floating(scalar(data)) || flavour == ZEROS || flavour == EXTREMES;
}

static void lay_out(struct data *data, const uint64_t *sizes, size_t size_count) {
  // The size that comes first, at the start of the buffer, differs from array to array, and so do the offsets of the
  // sizes.
  const unsigned turn = (unsigned)data->op * 3 + (unsigned)data->type;
  for (unsigned i = 0; i < size_count; i++)
    add_stretch(data, sizes[(i + turn) % size_count], PLAIN, i + turn / 2);
  for (unsigned i = 0; i < size_count; i++)
    for (unsigned flavour = PLAIN + 1; flavour < FLAVOURS; flavour++) {
      const bool all = sizes[i] <= FLAVOURED_MAX, its = flavour == PLAIN + 1 + (i + turn) % (FLAVOURS - 1);
      if (sizes[i] > 0 && (all || (its && sizes[i] <= FLAVOURED_ONCE)) && has_flavour(data, (enum flavour)flavour))
        add_stretch(data, sizes[i], (enum flavour)flavour, i + flavour);
    }
}

void data_create_for(struct data *data, const clred_problem *problem, const uint64_t *sizes, size_t size_count) {
  const uint64_t seed = (uint64_t)problem->op * 100 + (uint64_t)problem->type;
  memset(data, 0, sizeof *data);
  data->op = problem->op;
  data->type = problem->type;
  data->nan = problem->nan;
  data->size = oracle_size(data->type);
  lay_out(data, sizes, size_count);
  data->elements = fill(data, seed, 0);
  if (oracle_is_dot(data->op))
    data->others = fill(data, seed + 50, DATA_OTHER_LEAD);
}

void data_create(struct data *data, clred_op op, clred_type type, const uint64_t *sizes, size_t size_count) {
  const clred_problem problem = {.op = op, .type = type};
  data_create_for(data, &problem, sizes, size_count);
}

void data_release(struct data *data) {
  free(data->elements);
  free(data->others);
  memset(data, 0, sizeof *data);
}

const void *data_at(const struct data *data, const struct stretch *stretch) {
  return (const char *)data->elements + stretch->offset * data->size;
}

const void *data_other_at(const struct data *data, const struct stretch *stretch) {
  return data->others ? (const char *)data->others + (stretch->offset + DATA_OTHER_LEAD) * data->size : NULL;
}
