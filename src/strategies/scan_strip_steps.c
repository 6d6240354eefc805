// The analysis of how a group reads a tile of elements and writes its results: cl/scan/strip.clh. Each work-item has a
// strip of neighbouring elements. Whole tiles may pass through local memory, in words.
#include "strategies/scan_tiles.h"

#define WORD 16

// The strips of tiles. Results may pass through local memory in several pieces.
struct strips {
  cl_ulong size, lanes, rows;  // elements of a strip, its lanes, and the elements of a lane
  cl_ulong count;              // strips with elements
  cl_ulong rest;               // elements of the last of them
};

static struct strips strips_of(const struct clr_tiles *it) {
  const struct clr_shape *shape = it->shape;
  cl_ulong size = shape->rows * shape->scan.strip_lanes, count = clr_ceil_divide(it->present, size);
  return (struct strips){size, shape->scan.strip_lanes, shape->rows, count, it->present - (count - 1) * size};
}

cl_ulong clr_tiles_strips(const struct clr_tiles *it) {
  return it->pass->kernel == CLR_KERNEL_STATES ? it->present : strips_of(it).count;
}

// In a reversed scan, whole tiles begin at a word only if the elements end at one.
static bool is_through_local(const struct clr_tiles *it) {
  bool aligned = !it->shape->scan.reversed || it->pass->count * it->shape->element_size % WORD == 0;
  return it->shape->scan.exchanges && it->present == it->size && aligned;
}

static bool writes_through_local(const struct clr_tiles *it) {
  bool aligned = !it->shape->scan.reversed || it->pass->count * it->shape->result_size % WORD == 0;
  return is_through_local(it) && it->shape->scan.exchange_out && aligned;
}

// The number of the tiles' first element.
static cl_ulong first_of(const struct clr_tiles *it) {
  return (it->launch->first + it->first) * it->size;
}

// ---------------------------------------------------------------- Reading

// Each work-item reads its strip. For each lane that its strip lacks, it reads the first element of the tile.
static cl_ulong element_of(const void *data, cl_ulong item, cl_ulong turn) {
  const struct strips *strips = data;
  cl_ulong own = item + 1 < strips->count ? strips->size : item + 1 == strips->count ? strips->rest : 0;
  cl_ulong absent = strips->lanes - clr_ceil_divide(own, strips->rows);
  if (turn < own)
    return item * strips->size + turn;
  return turn < own + absent ? 0 : CLR_NOWHERE;
}

// Elements that work-items read one by one, `turn` elements after the begin of their strips.
static void load_strips(const struct clr_making *making, const struct clr_tiles *it) {
  struct strips strips = strips_of(it);
  for (cl_ulong turn = 0; turn < strips.size && turn < it->present; turn++) {
    cl_ulong values = clr_ceil_divide(it->present - turn, strips.size);
    clr_step_load(making, clr_tiles_access(it, values, 0), first_of(it) + turn, it->size, strips.size);
  }
}

// A tile that is not whole is the last one, so it is one of its kind.
static void load_partial(const struct clr_making *making, const struct clr_tiles *it) {
  const struct strips strips = strips_of(it);
  cl_ulong size = it->shape->element_size;
  const struct clr_pattern pattern = {it->pass->group_size, strips.size, element_of, &strips};
  for (cl_ulong input = 0; input <= it->shape->inputs; input++)
    clr_step_pattern(making, &pattern, (struct clr_access){.groups = 1, .size = size, .base = first_of(it) * size});
  if (it->shape->strided || it->shape->inputs)
    making->step->lines = CLR_UNKNOWN;
}

// Further inputs do not pass through local memory.
static void load_inputs(const struct clr_making *making, const struct clr_tiles *it) {
  struct clred_step *step = making->step, without = *step;
  if (!it->shape->inputs)
    return;
  load_strips(making, it);
  cl_ulong elements = it->count * it->present, inputs = it->shape->inputs;
  step->global_accesses = without.global_accesses + elements * inputs;
  step->requests = without.requests + (step->requests - without.requests) / (inputs + 1) * inputs;
}

// Each work-item folds the lanes of its strip, and these in adjacent pairs.
static void fold_strips(const struct clr_making *making, const struct clr_tiles *it) {
  struct strips strips = strips_of(it);
  cl_ulong lanes = clr_ceil_divide(it->present, strips.rows), size = it->pass->group_size;
  clr_step_local(making, clr_tiles_access(it, size, 0), 0, 1);
  clr_step_combine(making, it->count * (it->present - lanes + size * (strips.lanes - 1)), CLR_UNKNOWN,
                   it->count * (it->present > 1 ? lanes : 0));
}

// Words of a strip in local memory, and their distance there from strip to strip: STRIP_STEP.
struct words {
  cl_ulong count, apart, group_size;
};

static struct words words_of(const struct clr_tiles *it, cl_ulong size) {
  cl_ulong count = size * it->shape->scan.strip_lanes;
  return (struct words){count, count | 1, it->pass->group_size};
}

static cl_ulong word_in_local(const void *data, cl_ulong item, cl_ulong turn) {
  const struct words *words = data;
  cl_ulong word = turn * words->group_size + item;
  return word / words->count * words->apart + word % words->count;
}

// Neighbouring work-items copy neighbouring words between global and local memory, `turns` words each, from byte
// `begin` of the tile on.
static void copy_words(const struct clr_making *making, const struct clr_tiles *it, cl_ulong size, cl_ulong begin,
                       cl_ulong turns) {
  const struct words words = words_of(it, size);
  const struct clr_pattern pattern = {words.group_size, turns, word_in_local, &words};
  struct clr_access global = clr_tiles_access(it, turns * words.group_size, 0);
  global.size = global.a_value = WORD;
  global.holds = WORD / size;
  global.base = first_of(it) * size + begin;
  global.a_group = it->size * size;
  clr_step_access(making, global);
  clr_step_pattern(making, &pattern,
                   (struct clr_access){.groups = it->count, .local = true, .size = WORD, .holds = WORD / size});
  if (it->shape->strided)
    making->step->lines = CLR_UNKNOWN;
}

// `items` work-items access all words of their strips in local memory.
static void access_room(const struct clr_making *making, const struct clr_tiles *it, cl_ulong size, cl_ulong items) {
  struct words words = words_of(it, size);
  for (cl_ulong word = 0; word < words.count; word++) {
    struct clr_access access = clr_tiles_access(it, items, 0);
    access.local = true;
    access.size = WORD;
    access.holds = WORD / size;
    access.base = word * WORD;
    access.a_value = words.apart * WORD;
    clr_step_access(making, access);
  }
}

static void load(const struct clr_tiles *it, cl_ulong barriers, struct clred_step *step) {
  struct clr_making making = clr_tiles_begin(it, step, it->pass->group_size, "load");
  step->barriers = barriers;
  if (is_through_local(it)) {
    copy_words(&making, it, it->shape->element_size, 0, words_of(it, it->shape->element_size).count);
    return;
  }
  if (it->present == it->size)
    load_strips(&making, it);
  else
    load_partial(&making, it);
  fold_strips(&making, it);
}

// Tiles that pass through local memory are folded from there.
static void fold(const struct clr_tiles *it, cl_ulong number, struct clred_step *step) {
  bool through = is_through_local(it);
  struct clr_making making = clr_tiles_begin(it, step, through ? it->pass->group_size : 0, "fold");
  (void)number;
  if (!through)
    return;
  access_room(&making, it, it->shape->element_size, it->pass->group_size);
  load_inputs(&making, it);
  fold_strips(&making, it);
  step->barriers = 1;
}

void clr_tiles_add_loads(const struct clr_shape *shape, bool waits, struct clr_tile_steps *steps) {
  clr_tiles_add(steps, load, waits);
  if (shape->scan.exchanges)
    clr_tiles_add(steps, fold, 0);
}

// ---------------------------------------------------------------- Results

// Returns the operations by which a strip of `rows` elements makes its results. `has_prefix`: something is before it.
// `last`: an inclusive lane combines its last element with its prefix, although the prefix of the next lane is known.
static cl_ulong operations_of(const struct clr_tiles *it, cl_ulong rows, bool has_prefix, bool last) {
  struct strips strips = strips_of(it);
  cl_ulong operations = 0;
  for (cl_ulong lane = 0; lane * strips.rows < rows; lane++) {
    cl_ulong in_lane = clr_at_most(rows - lane * strips.rows, strips.rows), is_there = has_prefix || lane > 0;
    bool inclusive = it->shape->scan.kind == CLRED_SCAN_INCLUSIVE;
    operations += in_lane - 1 + is_there * (in_lane - !(inclusive && last));
    // The prefixes of this lane and of the next. The prefix of lane k takes k operations.
    operations += lane - (lane > 0 && !has_prefix);
    if (lane + 1 < strips.lanes)
      operations += lane + 1 - !has_prefix;
  }
  return operations;
}

static void combine_results(const struct clr_making *making, const struct clr_tiles *it, bool last) {
  struct strips strips = strips_of(it);
  cl_ulong first = strips.count > 1 ? strips.size : strips.rest;
  cl_ulong operations =
    (strips.count - 1) * operations_of(it, strips.size, true, last) + operations_of(it, strips.rest, true, last);
  if (!it->prefixed)
    operations -= operations_of(it, first, true, last) - operations_of(it, first, false, last);
  // The prefix of a lane is combined with each of its elements, all at once.
  clr_step_combine(making, it->count * operations, CLR_UNKNOWN, operations ? it->count * it->present : 0);
}

// Each strip needs its prefix, and a whole strip the prefix after it. The last of a whole tile finds that elsewhere.
static void read_prefixes(const struct clr_making *making, const struct clr_tiles *it) {
  struct strips strips = strips_of(it);
  bool whole = it->present == it->size;
  clr_step_alone(making, it->count * whole);
  clr_step_local(making, clr_tiles_access(it, it->present / strips.size - whole, 0), 1, 1);
  clr_step_local(making, clr_tiles_access(it, strips.count, !it->prefixed), 0, 1);
}

// Work-items read their strips again and write the results one by one.
static void write_strips(const struct clr_making *making, const struct clr_tiles *it) {
  struct strips strips = strips_of(it);
  load_strips(making, it);
  for (cl_ulong turn = 0; turn < strips.size && turn < it->present; turn++) {
    struct clr_access access = clr_tiles_access(it, clr_ceil_divide(it->present - turn, strips.size), 0);
    clr_step_results(making, access, first_of(it) + turn, it->size, strips.size);
  }
  combine_results(making, it, true);
}

// Work-items make the results of a piece of the tile in local memory.
static void lower(const struct clr_tiles *it, cl_ulong piece, struct clred_step *step) {
  bool through = writes_through_local(it);
  cl_ulong size = it->pass->group_size, pieces = it->shape->scan.exchange_out, items = size / pieces;
  struct clr_making making = clr_tiles_begin(it, step, !through ? 0 : piece ? items : size, "lower");
  if (!through)
    return;
  if (piece == 0)
    read_prefixes(&making, it);
  access_room(&making, it, it->shape->element_size, items);
  access_room(&making, it, it->shape->result_size, items);
  if (piece == 0) {
    load_inputs(&making, it);
    combine_results(&making, it, false);
  }
  step->barriers = 1;
}

static void results(const struct clr_tiles *it, cl_ulong piece, struct clred_step *step) {
  bool through = writes_through_local(it);
  cl_ulong size = it->pass->group_size, pieces = it->shape->scan.exchange_out;
  cl_ulong items = through ? size : piece ? 0 : strips_of(it).count;
  struct clr_making making = clr_tiles_begin(it, step, items, "results");
  if (through) {
    cl_ulong words = words_of(it, it->shape->result_size).count / pieces;
    copy_words(&making, it, it->shape->result_size, piece * words * size * WORD, words);
  } else if (piece == 0) {
    read_prefixes(&making, it);
    write_strips(&making, it);
  }
  step->barriers = through || piece == 0;
}

void clr_tiles_add_results(const struct clr_shape *shape, struct clr_tile_steps *steps) {
  cl_ulong pieces = shape->scan.exchange_out;
  for (cl_ulong piece = 0; piece == 0 || piece < pieces; piece++) {
    if (pieces)
      clr_tiles_add(steps, lower, piece);
    clr_tiles_add(steps, results, piece);
  }
}
