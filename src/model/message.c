// Problems and options as bytes; see message.h.
#include "model/message.h"

#include <stdlib.h>
#include <string.h>

#include "model/element.h"
#include "model/histogram.h"

// One walk over all pointers of a struct packs or unpacks it. Each block has its size in front; CL_ULONG_MAX means
// NULL.
struct walk {
  struct clr_text *to;        // packing: where the blocks go; NULL when unpacking
  const char *from, *behind;  // unpacking: the bytes that are left
  struct clr_unpacked *blocks;
  bool failed;
};

static void pack(struct walk *walk, const void *block, size_t size) {
  const cl_ulong length = block ? size : CL_ULONG_MAX;
  clr_text_add(walk->to, (const char *)&length, sizeof length);
  if (block)
    clr_text_add(walk->to, block, size);
}

// Copies the block, because blocks in a message are not aligned, and adds a 0 behind it.
static void *unpack(struct walk *walk, cl_ulong *length) {
  const size_t left = (size_t)(walk->behind - walk->from);
  char *block = NULL;
  walk->failed |= left < sizeof *length || walk->blocks->count == CLR_MESSAGE_BLOCKS;
  if (walk->failed)
    return NULL;
  memcpy(length, walk->from, sizeof *length);
  walk->from += sizeof *length;
  if (*length == CL_ULONG_MAX)
    return NULL;
  if (*length <= left - sizeof *length)
    block = malloc((size_t)*length + 1);
  walk->failed = !block;
  if (!block)
    return NULL;
  memcpy(block, walk->from, (size_t)*length);
  block[*length] = 0;
  walk->from += *length;
  return walk->blocks->blocks[walk->blocks->count++] = block;
}

// `pointer` is the address of a pointer to `size` bytes, or to a string if `size` is 0.
static void visit(struct walk *walk, const void *pointer, size_t size) {
  const void *block;
  cl_ulong length = size;
  memcpy(&block, pointer, sizeof block);
  if (walk->to) {
    pack(walk, block, size || !block ? size : strlen(block));
    return;
  }
  block = unpack(walk, &length);
  walk->failed |= block && size && length != size;
  memcpy((void *)(uintptr_t)pointer, &block, sizeof block);
}

// The struct itself.
static void visit_struct(struct walk *walk, void *whole, size_t size) {
  cl_ulong length = size;
  if (walk->to) {
    pack(walk, whole, size);
    return;
  }
  const void *block = unpack(walk, &length);
  walk->failed |= !block || length != size;
  if (!walk->failed)
    memcpy(whole, block, size);
}

static void visit_all(struct walk *walk, const void *const *pointers, size_t count) {
  for (size_t i = 0; i < count && !walk->failed; i++)
    visit(walk, pointers[i], 0);
}

static void visit_operands(struct walk *walk, const clred_operand *const *operands, size_t count) {
  if (count)
    visit(walk, operands, count * sizeof **operands);
  else
    *(const clred_operand **)(uintptr_t)operands = NULL;
  for (size_t i = 0; *operands && i < count && !walk->failed; i++)
    visit_all(walk, (const void *const[]){&(*operands)[i].name, &(*operands)[i].type}, 2);
}

static void visit_operator(struct walk *walk, clred_operator *of) {
  const void *const texts[] = {&of->name,     &of->preamble, &of->element, &of->state, &of->result,
                               &of->identity, &of->lift,     &of->combine, &of->lower};
  visit_all(walk, texts, sizeof texts / sizeof *texts);
  visit_operands(walk, &of->inputs, of->input_count);
  visit_operands(walk, &of->parameters, of->parameter_count);
  of->host = NULL;
}

static void visit_selection(struct walk *walk, clred_selection *of) {
  const void *const texts[] = {&of->name, &of->preamble, &of->element, &of->keep};
  visit_all(walk, texts, sizeof texts / sizeof *texts);
  visit_operands(walk, &of->inputs, of->input_count);
  visit_operands(walk, &of->parameters, of->parameter_count);
  of->host = NULL;
}

static void visit_histogram(struct walk *walk, const clred_problem *problem, clred_histogram *of, size_t most_axes) {
  const struct clr_type *type = clr_type_row(problem->type);
  const size_t size = type ? type->size : 1;
  visit(walk, &of->edges, (size_t)(of->bins + 1) * sizeof *of->edges);
  visit(walk, &of->low_element, size);
  visit(walk, &of->high_element, size);
  visit(walk, &of->edge_elements, (size_t)(of->bins + 1) * size);
  // Further axes are copied to the room behind `of`, so that their pointers can be changed.
  if (most_axes == 1)
    of->next = NULL;
  else
    visit(walk, &of->next, sizeof *of->next);
  if (!of->next || walk->failed)
    return;
  of[1] = *of->next;
  of->next = of + 1;
  visit_histogram(walk, problem, of + 1, most_axes - 1);
}

// Structs behind a pointer to const are copied before they are changed: `copy` has room for one.
#define VISIT_PART(walk, problem, field, copy, function) \
  do { \
    visit(walk, &(problem)->field, sizeof *(problem)->field); \
    if ((problem)->field && !(walk)->failed) { \
      *(copy) = *(problem)->field; \
      function; \
      (problem)->field = (copy); \
    } \
  } while (0)

struct parts {
  clred_operator custom;
  clred_selection selection;
  clred_histogram histogram[CLR_AXES_MAX + 1];
};

static void visit_problem(struct walk *walk, void *whole, struct parts *parts) {
  clred_problem *problem = whole;
  if (!walk->failed)
    visit_all(walk, (const void *const[]){&problem->strategy, &problem->finish}, 2);
  if (!walk->failed)
    visit(walk, &problem->list, problem->list_count * sizeof *problem->list);
  if (!walk->failed)
    VISIT_PART(walk, problem, custom, &parts->custom, visit_operator(walk, &parts->custom));
  if (!walk->failed)
    VISIT_PART(walk, problem, selection, &parts->selection, visit_selection(walk, &parts->selection));
  if (!walk->failed)
    VISIT_PART(walk, problem, histogram, parts->histogram,
               visit_histogram(walk, problem, parts->histogram, CLR_AXES_MAX + 1));
}

static void visit_quantile(struct walk *walk, void *whole, struct parts *parts) {
  clred_quantile_problem *problem = whole;
  (void)parts;
  if (!walk->failed)
    visit(walk, &problem->at, problem->at_count * sizeof *problem->at);
}

static void visit_sort(struct walk *walk, void *whole, struct parts *parts) {
  (void)walk, (void)whole, (void)parts;
}

static void visit_options(struct walk *walk, void *whole, struct parts *parts) {
  clred_options *options = whole;
  const void *const texts[] = {&options->assume, &options->build_options, &options->tuning_file,
                               &options->cache_directory};
  (void)parts;
  options->log = NULL;
  options->user_data = options->error = NULL;
  options->error_size = 0;
  options->trial_command = NULL;
  if (!walk->failed)
    visit_all(walk, texts, sizeof texts / sizeof *texts);
}

static const struct {
  size_t size;
  void (*visit)(struct walk *walk, void *whole, struct parts *parts);
} rows[] = {[CLR_PACKED_OPTIONS] = {sizeof(clred_options), visit_options},
            [CLR_PACKED_PROBLEM] = {sizeof(clred_problem), visit_problem},
            [CLR_PACKED_QUANTILE] = {sizeof(clred_quantile_problem), visit_quantile},
            [CLR_PACKED_SORT] = {sizeof(clred_sort_problem), visit_sort}};

void clr_pack(enum clr_packed what, const void *whole, struct clr_text *bytes) {
  struct walk walk = {.to = bytes};
  union {
    clred_options options;
    clred_problem problem;
    clred_quantile_problem quantile;
    clred_sort_problem sort;
  } copy;
  struct parts parts;
  memcpy(&copy, whole, rows[what].size);
  visit_struct(&walk, &copy, rows[what].size);
  rows[what].visit(&walk, &copy, &parts);
}

bool clr_unpack(enum clr_packed what, const char **from, const char *behind, void *whole, struct clr_unpacked *blocks) {
  struct walk walk = {.from = *from, .behind = behind, .blocks = blocks};
  struct parts *parts = blocks->count < CLR_MESSAGE_BLOCKS ? calloc(1, sizeof *parts) : NULL;
  if (!parts)
    return false;
  blocks->blocks[blocks->count++] = parts;
  visit_struct(&walk, whole, rows[what].size);
  rows[what].visit(&walk, whole, parts);
  *from = walk.from;
  return !walk.failed;
}

void clr_unpacked_release(struct clr_unpacked *blocks) {
  while (blocks->count)
    free(blocks->blocks[--blocks->count]);
}
