#include "source/source.h"

#include <stdio.h>

#include "model/identifiers.h"
#include "source/defines.h"
#include "source/histogram_text.h"
#include "source/operation_text.h"
#include "source/shape_defines.h"

// What a kernel is called: by itself, or as a suffix of its strategy's name.
static const struct {
  const char *name;
  bool of_strategy;
} kernel_names[CLR_KERNELS] = {
  [CLR_KERNEL_ELEMENTS] = {"elements", true}, [CLR_KERNEL_STATES] = {"states", true},
  [CLR_KERNEL_DELIVER] = {"deliver", false},  [CLR_KERNEL_BEGIN] = {"begin", false},
  [CLR_KERNEL_APPLY] = {"apply", true},       [CLR_KERNEL_CLEAR] = {"clear", false},
  [CLR_KERNEL_CUT] = {"cut", false},
};

void clr_source_entry(const struct clr_strategy *strategy, enum clr_kernel kernel, char *name, size_t size) {
  if (kernel_names[kernel].of_strategy)
    snprintf(name, size, "clred_%s_%s", strategy->name, kernel_names[kernel].name);
  else
    snprintf(name, size, "clred_%s", kernel_names[kernel].name);
}

struct writer {
  const struct clr_operation *operation;
  clr_read_part *read;
  void *from;
  struct clr_text *text;
  struct clr_status *status;
};

// A macro of the caller's that our text uses too would change what that means, or be changed.
static cl_int check_macros(const struct writer *writer, const char *bytes) {
  const struct clr_custom *custom = writer->operation->custom;
  struct clr_place place;
  if (!custom || !custom->preamble || !clr_find_macro_of(custom->preamble, bytes, &place))
    return CL_SUCCESS;
  return clr_fail_operator(writer->status, custom->name,
                           "preamble, line %u, column %u: '%.*s': the library's kernels use this name themselves",
                           place.line, place.column, (int)(place.length < 60 ? place.length : 60), place.text);
}

// Names that become arguments and members, likewise: against all macros of the finished text but the caller's own.
static cl_int check_names(const struct writer *writer) {
  const struct clr_custom *custom = writer->operation->custom;
  struct clr_place place;
  if (!custom || writer->text->failed)
    return CL_SUCCESS;
  const struct clr_operand *const lists[] = {custom->inputs, custom->parameters};
  const size_t counts[] = {custom->input_count, custom->parameter_count};
  for (size_t i = 0; i < 2; i++)
    for (size_t j = 0; j < counts[i]; j++)
      if (clr_find_macro_of(writer->text->bytes, lists[i][j].name, &place) &&
          !(custom->preamble && clr_find_macro_of(custom->preamble, lists[i][j].name, &place)))
        return clr_fail_operator(writer->status, custom->name,
                                 "%s '%.60s': the library's kernels use this name themselves",
                                 i ? "parameter" : "input", lists[i][j].name);
  return CL_SUCCESS;
}

static cl_int part(struct writer *writer, const char *name) {
  const char *bytes = writer->read(writer->from, name);
  if (!bytes)
    return clr_fail(writer->status, CLRED_KERNEL_SOURCE, "kernel source %s could not be read", name);
  cl_int err = check_macros(writer, bytes);
  if (err)
    return err;
  // Messages of the compiler then name our file and its line.
  clr_text_format(writer->text, "#line 1 \"%s\"\n", name);
  clr_text_append(writer->text, bytes);
  return CL_SUCCESS;
}

static cl_int parts(struct writer *writer, const char *const *names) {
  cl_int err = CL_SUCCESS;
  for (; *names && !err; names++)
    err = part(writer, *names);
  return err;
}

static void define_context(struct clr_text *text, unsigned width, bool single) {
  if (width > 1)
    clr_define_number(text, "WIDTH", width);
  else
    clr_text_append(text, "#define WIDTH\n");
  clr_define_number(text, "ARE_VECTORS", width > 1);
  clr_define_number(text, "TWICE", 2 * (cl_ulong)width);
  clr_define_number(text, "SINGLE", single);
  clr_define_number(text, "HALF_WIDTH", width / 2);
}

static void end_context(struct clr_text *text) {
  clr_text_append(text, "#undef WIDTH\n#undef ARE_VECTORS\n#undef TWICE\n#undef SINGLE\n#undef HALF_WIDTH\n");
}

// The words for `width` lanes, and for the texts of built-in operators those of arithmetic.
static cl_int begin_context(struct writer *writer, unsigned width, bool single) {
  define_context(writer->text, width, single);
  cl_int err = part(writer, "context.clh");
  if (!err && writer->operation->form)
    err = part(writer, "arithmetic.clh");
  return err;
}

// The operator on one state; a vector's components are what lanes are to others.
static cl_int single(struct writer *writer) {
  const struct clr_operation *operation = writer->operation;
  cl_int err = begin_context(writer, operation->element.components, true);
  if (!err)
    err = part(writer, "single.clh");
  if (!err && operation->form)
    err = part(writer, "lower.clh");
  if (err)
    return err;
  clr_text_append(writer->text, "#line 1 \"generated\"\n");
  clr_operation_single(operation, writer->text);
  end_context(writer->text);
  define_context(writer->text, 1, true);
  err = part(writer, "input.clh");
  end_context(writer->text);
  return err;
}

// The operator on `width` lanes; and what scans need of them.
static cl_int lanes_of(struct writer *writer, unsigned width, bool narrow, bool scans) {
  const struct clr_operation *operation = writer->operation;
  cl_int err = begin_context(writer, width, false);
  if (!err)
    err = part(writer, "lanes.clh");
  clr_text_append(writer->text, "#line 1 \"generated\"\n");
  if (!err && clr_lanes_form(operation) != CLR_LANES_ARRAY)
    clr_operation_lanes(operation, narrow, writer->text);
  if (!err)
    err = part(writer, "lanes_end.clh");
  if (!err && scans)
    err = part(writer, "scan_lanes.clh");
  end_context(writer->text);
  return err;
}

// On 2, 4, ... lanes, up to what a load brings.
static cl_int lanes(struct writer *writer, cl_ulong vector, bool narrow, bool scans) {
  cl_int err = CL_SUCCESS;
  if (narrow)
    clr_operation_narrow(writer->operation, writer->text);
  for (unsigned width = 2; width <= vector && !err; width *= 2)
    err = lanes_of(writer, width, narrow, scans);
  if (narrow)
    clr_operation_widen(writer->operation, writer->text);
  return err;
}

// The strategy's file as one of its kernels, if it has this one.
static cl_int strategy_part(struct writer *writer, const struct clr_strategy *strategy, enum clr_kernel kernel) {
  char name[64];
  bool states = kernel == CLR_KERNEL_STATES;
  if (!(clr_strategy_kernels(strategy) & CLR_KERNEL_BIT(kernel)))
    return CL_SUCCESS;
  snprintf(name, sizeof name, "strategies/%s.cl", strategy->name);
  clr_text_format(writer->text, "#define SUFFIX _%s\n#define APPLIES %d\n", kernel_names[kernel].name,
                  kernel == CLR_KERNEL_APPLY);
  clr_text_append(writer->text, states ? "#define SOURCE STATE\n#define SOURCE_IS_STATES 1\n"
                                         "#define LOAD(i) source[first + (i)]\n"
                                       : "#define SOURCE const ELEMENT\n#define SOURCE_IS_STATES 0\n"
                                         "#define LOAD(i) clred_lift_at(INPUT_NOW, (i))\n");
  cl_int err = strategy->own_part ? part(writer, strategy->own_part) : CL_SUCCESS;
  if (!err)
    err = part(writer, name);
  clr_text_append(writer->text, "#undef SOURCE\n#undef SOURCE_IS_STATES\n#undef SUFFIX\n#undef APPLIES\n#undef LOAD\n");
  return err;
}

cl_int clr_source_write(const struct clr_strategy *strategy, const struct clr_operation *operation,
                        const struct clr_shape *shape, enum clr_fence fence, clr_read_part *read, void *from,
                        struct clr_text *text, struct clr_status *status) {
  static const char *const vocabulary[] = {"words.clh", "loads.clh", "ptx.clh", NULL};
  static const char *const machinery[] = {"pairs.clh",   "tiles.clh", "device_scope.clh", "entry.clh",
                                          "deliver.clh", "trees.clh", "finish.clh",       NULL};
  static const char *const scan_machinery[] = {"pairs.clh", "device_scope.clh", "entry.clh", "scan.clh", NULL};
  struct writer writer = {operation, read, from, text, status};
  if (strategy->task == CLR_TASK_COUNT)
    return clr_histogram_text(strategy, operation, shape, read, from, text, status);
  clr_shape_defines(strategy, shape, fence, text);
  clr_operation_defines(operation, text);
  if (shape->finish == CLR_FINISH_ATOMIC)
    clr_atomic_defines(operation, text);
  cl_int err = parts(&writer, vocabulary);
  clr_operation_declarations(operation, text);
  if (!err)
    err = single(&writer);
  if (!err)
    err = lanes(&writer, shape->vector, shape->loads.narrow, strategy->task == CLR_TASK_SCAN);
  if (!err && shape->outcome)
    err = part(&writer, "outcome.clh");
  if (!err)
    err = parts(&writer, strategy->task == CLR_TASK_SCAN ? scan_machinery : machinery);
  for (size_t i = 0; !err && i < sizeof strategy->parts / sizeof *strategy->parts && strategy->parts[i]; i++)
    err = part(&writer, strategy->parts[i]);
  if (!err && operation->custom && operation->custom->keeping.keeps)
    err = part(&writer, strategy->scan.select_part);
  if (!err)
    err = strategy_part(&writer, strategy, CLR_KERNEL_STATES);
  if (!err)
    err = strategy_part(&writer, strategy, CLR_KERNEL_ELEMENTS);
  if (!err)
    err = strategy_part(&writer, strategy, CLR_KERNEL_APPLY);
  if (!err)
    err = check_names(&writer);
  if (!err && text->failed)
    err = clr_fail(status, CL_OUT_OF_HOST_MEMORY, "out of memory while writing the program's text");
  return err;
}

// The operator without a strategy, and one kernel over it.
static cl_int write_alone(struct writer *writer, unsigned width, const char *kernel) {
  const struct clr_operation *operation = writer->operation;
  static const char *const ones[] = {"GROUP_SIZE", "LANES_A_TILE", "ROWS"};
  static const char *const noughts[] = {"IN_ORDER", "STRIDED"};
  static const char *const vocabulary[] = {"words.clh", "loads.clh", NULL};
  for (size_t i = 0; i < sizeof ones / sizeof *ones; i++)
    clr_define_number(writer->text, ones[i], 1);
  for (size_t i = 0; i < sizeof noughts / sizeof *noughts; i++)
    clr_define_number(writer->text, noughts[i], 0);
  clr_define_text(writer->text, "NODE_SPACE", "__private");
  clr_operation_defines(operation, writer->text);
  cl_int err = parts(writer, vocabulary);
  clr_operation_declarations(operation, writer->text);
  if (!err)
    err = single(writer);
  if (!err)
    err = lanes(writer, width, false, false);
  if (!err)
    err = part(writer, kernel);
  if (!err)
    err = check_names(writer);
  if (!err && writer->text->failed)
    err = clr_fail(writer->status, CL_OUT_OF_HOST_MEMORY, "out of memory while writing the program's text");
  return err;
}

cl_int clr_source_probe(const struct clr_operation *operation, clr_read_part *read, void *from, struct clr_text *text,
                        struct clr_status *status) {
  // Lanes bring out what the compiler has against vectors in texts that claim to be good for them.
  const unsigned width = clr_lanes_form(operation) == CLR_LANES_ARRAY ? 1 : 2;
  return write_alone(&(struct writer){operation, read, from, text, status}, width, "probe.cl");
}

cl_int clr_source_laws(const struct clr_operation *operation, clr_read_part *read, void *from, struct clr_text *text,
                       struct clr_status *status) {
  return write_alone(&(struct writer){operation, read, from, text, status}, 1, "laws.cl");
}
