#include "planning/source.h"

#include <stdio.h>

void clr_source_entry(const struct clr_strategy *strategy, enum clr_kernel kernel, char *name, size_t size)
{
  if (kernel == CLR_KERNEL_DELIVER || kernel == CLR_KERNEL_BEGIN)
    snprintf(name, size, "clred_%s", kernel == CLR_KERNEL_DELIVER ? "deliver" : "begin");
  else
    snprintf(name, size, "clred_%s_%s", strategy->name, kernel == CLR_KERNEL_ELEMENTS ? "elements" : "states");
}

static void define_number(struct clr_text *text, const char *name, cl_ulong value)
{
  clr_text_format(text, "#define %s %llu\n", name, (unsigned long long)value);
}

static void define_text(struct clr_text *text, const char *name, const char *value)
{
  clr_text_format(text, "#define %s %s\n", name, value);
}

static void define_operation(struct clr_text *text, const struct clr_operation *operation)
{
  const struct clr_op *op = operation->op;
  const struct clr_type *element = operation->element, *state = operation->state;
  define_text(text, "ELEMENT", element->name);
  define_text(text, "STATE", state->name);
  define_text(text, "RESULT", state->name);
  define_number(text, "ELEMENT_SIZE", element->size);
  define_number(text, "STATE_SIZE", state->size);
  define_text(text, "STATE_BITS", state->size == 4 ? "uint" : "ulong");
  define_number(text, "STATE_IS_FLOATING", state->class == CLR_FLOATING);
  define_number(text, "USES_FP64", element->need == CLR_NEEDS_FP64 || state->need == CLR_NEEDS_FP64);
  define_text(text, "HIGHEST", state->highest);
  define_text(text, "LOWEST", state->lowest);
  define_text(text, "IDENTITY", op->identity);
  define_text(text, "OP_LIFT", op->lift);
  define_text(text, "OP_COMBINE", op->combine);
  define_text(text, "OP_LOWER", op->lower);
}

// The direct atomic where the state is an integer and the operator has one, else compare-and-swap.
static void define_atomics(struct clr_text *text, const struct clr_operation *operation)
{
  bool wide = operation->state->size == 8;
  const char *prefix = wide ? "atom_" : "atomic_";
  if (wide)
    clr_text_append(text, "#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable\n"
                          "#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable\n");
  if (*operation->op->atomic && operation->state->class != CLR_FLOATING)
    clr_text_format(text, "#define ATOMIC_DIRECT %s%s\n", prefix, operation->op->atomic);
  clr_text_format(text, "#define ATOMIC_COMPARE_EXCHANGE %scmpxchg\n", prefix);
}

static void define_shape(struct clr_text *text, const struct clr_strategy *strategy, const struct clr_shape *shape,
                         enum clr_fence fence)
{
  define_number(text, "GROUP_SIZE", shape->group_size);
  define_number(text, "LANES", shape->lanes);
  define_number(text, "ROWS", shape->rows);
  define_number(text, "VECTOR", shape->vector);
  define_number(text, "NODES", shape->nodes);
  clr_text_append(text, "#define FINISH_HOST 0\n#define FINISH_RELAUNCH 1\n#define FINISH_LAST_GROUP 2\n"
                        "#define FINISH_ATOMIC 3\n#define FENCE_NONE 0\n#define FENCE_C11 1\n#define FENCE_PTX 2\n");
  define_number(text, "FINISH", shape->finish);
  define_number(text, "FENCE", fence);
  define_text(text, "PLACES", strategy->tree_in_global ? "__global" : "__local");
  define_text(text, "PLACES_FENCE", strategy->tree_in_global ? "CLK_GLOBAL_MEM_FENCE" : "CLK_LOCAL_MEM_FENCE");
}

struct writer {
  clr_read_part     *read;
  void              *from;
  struct clr_text   *text;
  struct clr_status *status;
};

static cl_int part(struct writer *writer, const char *name)
{
  const char *bytes = writer->read(writer->from, name);
  if (!bytes)
    return clr_fail(writer->status, CLRED_KERNEL_SOURCE, "kernel source %s could not be read", name);
  // Messages of the compiler then name our file and its line.
  clr_text_format(writer->text, "#line 1 \"%s\"\n", name);
  clr_text_append(writer->text, bytes);
  return CL_SUCCESS;
}

static cl_int parts(struct writer *writer, const char *const *names)
{
  cl_int err = CL_SUCCESS;
  for (; *names && !err; names++)
    err = part(writer, *names);
  return err;
}

// The operator on 2, 4, ... lanes, up to what a load brings.
static cl_int lanes(struct writer *writer, cl_ulong vector)
{
  cl_int err = CL_SUCCESS;
  for (cl_ulong width = 2; width <= vector && !err; width *= 2) {
    define_number(writer->text, "WIDTH", width);
    define_number(writer->text, "HALF", width / 2);
    err = part(writer, "lanes.clh");
    clr_text_append(writer->text, "#undef WIDTH\n#undef HALF\n");
  }
  return err;
}

static cl_int strategy_part(struct writer *writer, const struct clr_strategy *strategy, bool states)
{
  char name[64];
  snprintf(name, sizeof name, "strategies/%s.cl", strategy->name);
  clr_text_append(writer->text, states ? "#define SOURCE STATE\n#define SOURCE_IS_STATES 1\n#define SUFFIX _states\n"
                                         "#define LOAD(i) source[first + (i)]\n"
                                       : "#define SOURCE const ELEMENT\n#define SOURCE_IS_STATES 0\n"
                                         "#define SUFFIX _elements\n"
                                         "#define LOAD(i) clred_lift(source[first + (i)], (i))\n");
  cl_int err = part(writer, name);
  clr_text_append(writer->text, "#undef SOURCE\n#undef SOURCE_IS_STATES\n#undef SUFFIX\n#undef LOAD\n");
  return err;
}

cl_int clr_source_write(const struct clr_strategy *strategy, const struct clr_operation *operation,
                        const struct clr_shape *shape, enum clr_fence fence, clr_read_part *read, void *from,
                        struct clr_text *text, struct clr_status *status)
{
  static const char *const vocabulary[] = {"words.clh", "operator.clh", NULL};
  static const char *const machinery[] = {"pairs.clh", "device_scope.clh", "entry.clh", "deliver.clh", "trees.clh",
                                          "finish.clh", NULL};
  struct writer writer = {read, from, text, status};
  define_operation(text, operation);
  if (shape->finish == CLR_FINISH_ATOMIC)
    define_atomics(text, operation);
  define_shape(text, strategy, shape, fence);
  cl_int err = parts(&writer, vocabulary);
  if (!err)
    err = lanes(&writer, shape->vector);
  if (!err)
    err = parts(&writer, machinery);
  if (!err)
    err = strategy_part(&writer, strategy, true);
  if (!err)
    err = strategy_part(&writer, strategy, false);
  if (!err && text->failed)
    err = clr_fail(status, CL_OUT_OF_HOST_MEMORY, "out of memory while writing the program's text");
  return err;
}
