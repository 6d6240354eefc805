// Reads the files of cl/, and puts the text of a program together.
#include "source/source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/identifiers.h"
#include "source/operation_text.h"
#include "source/resolve.h"
#include "source/shape_defines.h"

// --- Files of cl/ ---

struct clr_kernel_reader clr_kernel_reader_open(void) {
  const char *folder = getenv("CLREDUCE_CL_DIR");
  return (struct clr_kernel_reader){.folder = folder && *folder ? folder : NULL};
}

static const char *embedded(const char *name) {
  for (const struct clr_kernel_text *row = clr_embedded_kernels; row->name; row++)
    if (strcmp(row->name, name) == 0)
      return row->text;
  return NULL;
}

static bool read_all(FILE *file, struct clr_text *text) {
  char piece[4097];
  size_t length;
  while ((length = fread(piece, 1, sizeof piece - 1, file)) > 0) {
    piece[length] = 0;
    clr_text_append(text, piece);
  }
  return !ferror(file) && !text->failed && text->bytes;
}

const char *clr_kernel_read(void *from, const char *name) {
  struct clr_kernel_reader *reader = from;
  if (!reader->folder)
    return embedded(name);
  clr_text_release(&reader->held);
  struct clr_text path = {0};
  clr_text_format(&path, "%s/%s", reader->folder, name);
  FILE *file = path.failed ? NULL : fopen(path.bytes, "rb");
  clr_text_release(&path);
  if (!file)
    return NULL;
  bool whole = read_all(file, &reader->held);
  fclose(file);
  return whole ? reader->held.bytes : NULL;
}

void clr_kernel_reader_close(struct clr_kernel_reader *reader) {
  clr_text_release(&reader->held);
}

// --- The text of a program ---

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

// A macro of the caller's that our text uses too would change what that means, or be changed.
static cl_int check_macros(const void *of, const char *text, struct clr_status *status) {
  const struct clr_custom *custom = ((const struct clr_operation *)of)->custom;
  struct clr_place place;
  if (!custom || !custom->preamble || !clr_find_macro_of(custom->preamble, text, &place))
    return CL_SUCCESS;
  return clr_fail_operator(status, custom->name,
                           "preamble, line %u, column %u: '%.*s': the library's kernels use this name themselves",
                           place.line, place.column, (int)(place.length < 60 ? place.length : 60), place.text);
}

// Names that become arguments and members, likewise: against all macros of the finished text but the caller's own.
static cl_int check_names(const struct clr_operation *operation, const char *text, struct clr_status *status) {
  const struct clr_custom *custom = operation->custom;
  struct clr_place place;
  if (!custom)
    return CL_SUCCESS;
  const struct clr_operand *const lists[] = {custom->inputs, custom->parameters};
  const size_t counts[] = {custom->input_count, custom->parameter_count};
  for (size_t i = 0; i < 2; i++)
    for (size_t j = 0; j < counts[i]; j++)
      if (clr_find_macro_of(text, lists[i][j].name, &place) &&
          !(custom->preamble && clr_find_macro_of(custom->preamble, lists[i][j].name, &place)))
        return clr_fail_operator(status, custom->name, "%s '%.60s': the library's kernels use this name themselves",
                                 i ? "parameter" : "input", lists[i][j].name);
  return CL_SUCCESS;
}

// ---------------------------------------------------------------- The generated files

// plan.clh, program.cl and the files of the operator.
#define MADE_FILES (2 + CLR_OPERATION_FILES)

struct made {
  struct clr_text texts[MADE_FILES];
  struct clr_made_file files[MADE_FILES + 1];
};

static bool finish_made(struct made *made, const struct clr_operation *operation) {
  static const char *const names[] = {"plan.clh", "program.cl"};
  bool failed = false;
  for (size_t i = 0; i < MADE_FILES; i++) {
    const struct clr_operation_file *file = i < 2 ? NULL : &clr_operation_files[i - 2];
    // A histogram counts elements and has no operator.
    if (file && (operation->form || operation->custom))
      file->write(operation, &made->texts[i]);
    failed |= made->texts[i].failed;
    made->files[i].name = file ? file->name : names[i];
    made->files[i].text = made->texts[i].bytes ? made->texts[i].bytes : "";
  }
  return !failed;
}

// Resolves program.cl, and takes the made files apart.
static cl_int finish(struct made *made, const struct clr_operation *operation, const struct clr_source_from *from,
                     struct clr_text *text, struct clr_status *status) {
  const struct clr_sources sources = {.made = made->files,
                                      .read = from->read,
                                      .from = from->from,
                                      .options = from->options,
                                      .check = check_macros,
                                      .check_of = operation};
  cl_int err = finish_made(made, operation)
                 ? clr_resolve(&sources, "program.cl", text, status)
                 : clr_fail(status, CL_OUT_OF_HOST_MEMORY, "out of memory while writing the program's text");
  for (size_t i = 0; i < MADE_FILES; i++)
    clr_text_release(&made->texts[i]);
  return err ? err : check_names(operation, text->bytes, status);
}

// The strategy's file is included once for each of its kernels that has its name.
static void include_kernel(const struct clr_strategy *strategy, enum clr_kernel kernel, struct clr_text *text) {
  clr_text_format(text, "#define SUFFIX _%s\n", kernel_names[kernel].name);
  clr_define_number(text, "SOURCE_IS_STATES", kernel == CLR_KERNEL_STATES);
  clr_define_number(text, "APPLIES", kernel == CLR_KERNEL_APPLY);
  clr_text_format(text, "#include \"strategies/%s.cl\"\n#undef SUFFIX\n#undef SOURCE_IS_STATES\n#undef APPLIES\n",
                  strategy->name);
}

static void write_plan(const struct clr_strategy *strategy, const struct clr_operation *operation,
                       const struct clr_shape *shape, enum clr_fence fence, struct clr_text *text) {
  clr_text_append(text, "#pragma once\n");
  if (strategy->task == CLR_TASK_COUNT) {
    clr_histogram_defines(operation, shape, text);
    return;
  }
  clr_fence_defines(fence, text);
  clr_shape_defines(strategy, shape, text);
  clr_operation_defines(operation, text);
  if (shape->finish == CLR_FINISH_ATOMIC)
    clr_atomic_defines(operation, text);
}

cl_int clr_source_write(const struct clr_strategy *strategy, const struct clr_operation *operation,
                        const struct clr_shape *shape, unsigned wanted, enum clr_fence fence,
                        const struct clr_source_from *from, struct clr_text *text, struct clr_status *status) {
  static const enum clr_kernel kernels[] = {CLR_KERNEL_STATES, CLR_KERNEL_ELEMENTS, CLR_KERNEL_APPLY};
  struct made made = {0};
  write_plan(strategy, operation, shape, fence, &made.texts[0]);
  clr_define_number(&made.texts[0], "DELIVERS", (wanted & CLR_KERNEL_BIT(CLR_KERNEL_DELIVER)) != 0);
  clr_text_append(&made.texts[1], "#include \"plan.clh\"\n");
  for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++)
    if (clr_strategy_kernels(strategy) & wanted & CLR_KERNEL_BIT(kernels[i]))
      include_kernel(strategy, kernels[i], &made.texts[1]);
  return finish(&made, operation, from, text, status);
}

// The operator without a strategy, on up to `width` lanes, and the kernels of one file.
static cl_int write_alone(const struct clr_operation *operation, unsigned width, const char *root,
                          const struct clr_source_from *from, struct clr_text *text, struct clr_status *status) {
  static const char *const ones[] = {"GROUP_SIZE", "LANES_A_TILE", "ROWS"};
  static const char *const noughts[] = {"IN_ORDER", "STRIDED", "NARROW"};
  struct made made = {0};
  struct clr_text *plan = &made.texts[0];
  clr_text_append(plan, "#pragma once\n");
  for (size_t i = 0; i < sizeof ones / sizeof *ones; i++)
    clr_define_number(plan, ones[i], 1);
  for (size_t i = 0; i < sizeof noughts / sizeof *noughts; i++)
    clr_define_number(plan, noughts[i], 0);
  clr_define_number(plan, "VECTOR", width);
  clr_fence_defines(CLR_FENCE_NONE, plan);
  clr_operation_defines(operation, plan);
  clr_text_format(&made.texts[1], "#include \"%s\"\n", root);
  return finish(&made, operation, from, text, status);
}

cl_int clr_source_probe(const struct clr_operation *operation, const struct clr_source_from *from,
                        struct clr_text *text, struct clr_status *status) {
  // Lanes bring out what the compiler has against vectors in texts that claim to be good for them.
  const unsigned width = clr_lanes_form(operation) == CLR_LANES_ARRAY ? 1 : 2;
  return write_alone(operation, width, "probes/probe.cl", from, text, status);
}

cl_int clr_source_laws(const struct clr_operation *operation, const struct clr_source_from *from, struct clr_text *text,
                       struct clr_status *status) {
  return write_alone(operation, 1, "probes/laws.cl", from, text, status);
}
