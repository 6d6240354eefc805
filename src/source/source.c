// Writes the generated files of a program and resolves it.
#include "source/source.h"

#include <stdio.h>

#include "model/identifiers.h"
#include "source/generated.h"

// Names of kernels: whole names, or suffixes of the strategy's name.
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

// Refuses a macro of the caller whose name our files use, too: it would change their meaning.
static cl_int check_macros(const void *of, const char *text, struct clr_status *status) {
  const struct clr_custom *custom = ((const struct clr_operation *)of)->custom;
  struct clr_place place;
  if (!custom || !custom->preamble || !clr_find_macro_of(custom->preamble, text, &place))
    return CL_SUCCESS;
  return clr_fail_operator(status, custom->name,
                           "preamble, line %u, column %u: '%.*s': the library's kernels use this name themselves",
                           place.line, place.column, (int)(place.length < 60 ? place.length : 60), place.text);
}

// Refuses names of inputs and parameters that are macros of the finished text. Macros of the caller are allowed.
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
  const struct clr_operation_file *files = operation->several ? clr_op_list_files : clr_operation_files;
  bool failed = false;
  for (size_t i = 0; i < MADE_FILES; i++) {
    const struct clr_operation_file *file = i < 2 ? NULL : &files[i - 2];
    // A histogram counts elements and has no operator.
    if (file && file->write && (operation->form || operation->custom))
      file->write(operation, &made->texts[i]);
    failed |= made->texts[i].failed;
    made->files[i].name = file ? file->name : names[i];
    made->files[i].text = made->texts[i].bytes ? made->texts[i].bytes : "";
  }
  return !failed;
}

// Resolves program.cl, and releases the generated files.
static cl_int finish(struct made *made, const struct clr_operation *operation, const struct clr_source_from *from,
                     struct clr_text *text, struct clr_status *status) {
  const struct clr_sources sources = {made->files, *from, check_macros, operation};
  cl_int err =
    finish_made(made, operation) ? clr_resolve(&sources, "program.cl", text, status) : clr_fail_program_memory(status);
  for (size_t i = 0; i < MADE_FILES; i++)
    clr_text_release(&made->texts[i]);
  return err ? err : check_names(operation, text->bytes, status);
}

// The strategy's file is included once for each kernel that has the strategy's name. With bins, wide reads the elements
// by cl/exact/wide.cl.
static void include_kernel(const struct clr_strategy *strategy, const struct clr_shape *shape, enum clr_kernel kernel,
                           struct clr_text *text) {
  const bool in_bins = shape->wide.digit_copies && kernel == CLR_KERNEL_ELEMENTS;
  clr_text_format(text, "#define SUFFIX _%s\n", kernel_names[kernel].name);
  clr_define_number(text, "SOURCE_IS_STATES", kernel == CLR_KERNEL_STATES);
  clr_define_number(text, "APPLIES", kernel == CLR_KERNEL_APPLY);
  clr_text_format(text, "#include \"%s/%s.cl\"\n#undef SUFFIX\n#undef SOURCE_IS_STATES\n#undef APPLIES\n",
                  in_bins ? "exact" : "strategies", strategy->name);
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
  if (shape->fold.bin_lanes)
    clr_bins_defines(operation, shape, text);
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
      include_kernel(strategy, shape, kernels[i], &made.texts[1]);
  return finish(&made, operation, from, text, status);
}

// Writes a program without a strategy: the operator on up to `width` lanes, and the kernels of the file `root`.
static cl_int write_alone(const struct clr_operation *operation, unsigned width, const char *root,
                          const struct clr_source_from *from, struct clr_text *text, struct clr_status *status) {
  static const char *const ones[] = {"GROUP_SIZE", "LANES_PER_TILE", "ROWS"};
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
  // With two lanes, the compiler compiles the texts for vectors, too. This checks a caller's claim about them.
  const unsigned width = operation->lanes_form == CLR_LANES_ARRAY ? 1 : 2;
  return write_alone(operation, width, "probes/probe.cl", from, text, status);
}

cl_int clr_source_laws(const struct clr_operation *operation, const struct clr_source_from *from, struct clr_text *text,
                       struct clr_status *status) {
  return write_alone(operation, 1, "probes/laws.cl", from, text, status);
}

cl_int clr_source_file(const struct clr_operation *operation, const char *plan, const char *root,
                       const struct clr_source_from *from, struct clr_text *text, struct clr_status *status) {
  struct made made = {0};
  clr_text_append(&made.texts[0], plan);
  clr_text_format(&made.texts[1], "#include \"%s\"\n", root);
  return finish(&made, operation, from, text, status);
}
