// What plans take from a runtime: programs, which the runtime loads or builds and keeps, and measured numbers. Keeps
// the last error.
#include "runtime/runtime.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/program.h"
#include "source/source.h"

// --- A list of programs ---

static struct clr_built *find(const struct clr_programs *programs, const char *text) {
  struct clr_built *built = programs->first;
  while (built && strcmp(built->text, text) != 0)
    built = built->next;
  return built;
}

static void keep_log(struct clr_programs *programs, cl_program program) {
  size_t size = 0;
  clr_text_release(&programs->log);
  if (clGetProgramBuildInfo(program, programs->device, CL_PROGRAM_BUILD_LOG, 0, NULL, &size) || size < 2)
    return;
  char *log = calloc(size + 1, 1);
  if (log && !clGetProgramBuildInfo(program, programs->device, CL_PROGRAM_BUILD_LOG, size, log, NULL))
    clr_text_append(&programs->log, log);
  free(log);
}

// -w: without it, compilers based on clang print "2 warnings generated." to stderr from inside clBuildProgram.
static struct clr_text options_of(const struct clr_programs *programs, bool opencl_3) {
  struct clr_text options = {0};
  clr_text_format(&options, "-cl-std=%s -w %s %s", opencl_3 ? "CL3.0" : "CL1.2",
                  programs->rounds_divide ? "-cl-fp32-correctly-rounded-divide-sqrt" : "", programs->options);
  return options;
}

static cl_int build(struct clr_programs *programs, cl_program program, const char *options, struct clr_status *status) {
  cl_int err = clBuildProgram(program, 1, &programs->device, options, NULL, NULL);
  keep_log(programs, program);
  const char *log = programs->log.bytes ? programs->log.bytes : "nothing";
  log += strspn(log, "\r\n");
  int first_line = (int)strcspn(log, "\r\n");
  if (err)
    clr_fail(status, err, "clBuildProgram: %s (%d) with options '%s'; the compiler says: %.*s", clr_status_name(err),
             err, options, first_line < 200 ? first_line : 200, log);
  else
    programs->builds++;
  return err;
}

static cl_int build_text(struct clr_programs *programs, const char *text, const char *options, cl_program *program,
                         struct clr_status *status) {
  cl_int err = CL_SUCCESS;
  cl_program made = clCreateProgramWithSource(programs->context, 1, &text, NULL, &err);
  if (err)
    return clr_fail_call(status, err, "clCreateProgramWithSource", "the program's text");
  err = build(programs, made, options, status);
  if (err)
    clReleaseProgram(made);
  else
    *program = made;
  return err;
}

static struct clr_built *keep(struct clr_programs *programs, const char *text, bool opencl_3, cl_program program) {
  struct clr_built *built = calloc(1, sizeof *built);
  char *copy = malloc(strlen(text) + 1);
  if (!built || !copy) {
    free(built);
    free(copy);
    return NULL;
  }
  strcpy(copy, text);
  *built = (struct clr_built){.next = programs->first, .program = program, .text = copy, .opencl_3 = opencl_3};
  atomic_init(&built->launched, false);
  programs->first = built;
  return built;
}

static bool save(struct clr_programs *programs, struct clr_built *built) {
  struct clr_text options = options_of(programs, built->opencl_3);
  if (!options.failed)
    built->cached = clr_cache_save(&programs->cache, built->program, options.bytes, built->text);
  clr_text_release(&options);
  return built->cached;
}

static cl_int load_or_build(struct clr_programs *programs, const char *text, bool opencl_3, cl_program *program,
                            bool *loaded, struct clr_status *status) {
  struct clr_text options = options_of(programs, opencl_3);
  if (options.failed) {
    clr_text_release(&options);
    return clr_fail(status, CL_OUT_OF_HOST_MEMORY, "out of memory while writing build options");
  }
  *program = clr_cache_load(&programs->cache, programs->context, options.bytes, text);
  *loaded = *program;
  cl_int err = *loaded ? CL_SUCCESS : build_text(programs, text, options.bytes, program, status);
  clr_text_release(&options);
  return err;
}

cl_int clr_programs_get(struct clr_programs *programs, const char *text, bool opencl_3, struct clr_built **built,
                        struct clr_status *status) {
  cl_program program = NULL;
  bool loaded = false;
  *built = find(programs, text);
  if (*built)
    return CL_SUCCESS;
  cl_int err = load_or_build(programs, text, opencl_3, &program, &loaded, status);
  if (err)
    return err;
  *built = keep(programs, text, opencl_3, program);
  if (!*built) {
    clReleaseProgram(program);
    return clr_fail(status, CL_OUT_OF_HOST_MEMORY, "out of memory while keeping a program");
  }
  (*built)->cached = loaded;
  programs->loads += loaded;
  if (!loaded && !programs->late)
    save(programs, *built);
  return CL_SUCCESS;
}

void clr_programs_source(const struct clr_programs *programs, const struct clr_built *built, struct clr_text *text) {
  struct clr_text options = options_of(programs, built->opencl_3);
  text->failed |= options.failed;
  if (!text->failed)
    clr_text_format(text, "// build options: %s\n", options.bytes);
  clr_text_append(text, built->text);
  clr_text_release(&options);
}

// Writes to the cache each program that is built and not yet there. If the driver compiles late, writes only programs
// that were launched.
static size_t save_all(struct clr_programs *programs) {
  size_t saved = 0;
  for (struct clr_built *built = programs->first; built && programs->cache.directory; built = built->next)
    if (!built->cached && (atomic_load(&built->launched) || !programs->late))
      saved += save(programs, built);
  return saved;
}

void clr_programs_release(struct clr_programs *programs) {
  while (programs->first) {
    struct clr_built *built = programs->first;
    programs->first = built->next;
    clReleaseProgram(built->program);
    free(built->text);
    free(built);
  }
  clr_notes_release(programs);
  clr_text_release(&programs->log);
  clr_cache_close(&programs->cache);
}

// --- Programs of plans ---

void clr_runtime_log(const clred_runtime *runtime, const char *format, ...) {
  char line[CLR_MESSAGE_SIZE + 80];
  va_list values;
  if (!runtime->log)
    return;
  va_start(values, format);
  vsnprintf(line, sizeof line, format, values);
  va_end(values);
  runtime->log(line, runtime->user_data);
}

// Logs what the cache could not do, line by line. The lock is not held while the caller's function runs.
static void log_remarks(clred_runtime *runtime) {
  clr_mutex_lock(&runtime->lock);
  struct clr_text remarks = runtime->programs.cache.remarks;
  runtime->programs.cache.remarks = (struct clr_text){0};
  clr_mutex_unlock(&runtime->lock);
  for (char *line = remarks.bytes, *end; runtime->log && line && (end = strchr(line, '\n')) != NULL; line = end + 1) {
    *end = 0;
    runtime->log(line, runtime->user_data);
  }
  clr_text_release(&remarks);
}

size_t clr_runtime_save(clred_runtime *runtime) {
  clr_mutex_lock(&runtime->lock);
  size_t saved = save_all(&runtime->programs);
  clr_mutex_unlock(&runtime->lock);
  log_remarks(runtime);
  return saved;
}

// Where a program's text comes from: the kernels of a strategy, a file, or a writer of a program without a strategy.
struct writing {
  const struct clr_strategy *strategy;  // NULL: use `root`, or `alone`
  const struct clr_shape *shape;
  unsigned kernels;
  struct clr_vet vet;
  bool *is_right;  // becomes true if a trial has found the program right; NULL: not wanted
  const char *plan, *root;
  bool is_own;  // for the library itself: users do not see that it is built or loaded
  cl_int (*alone)(const struct clr_operation *operation, const struct clr_source_from *from, struct clr_text *text,
                  struct clr_status *status);
};

static bool is_opencl_3(const clred_runtime *runtime) {
  return runtime->facts.device_fence == CLR_FENCE_C11;
}

// Looks up what trials found out about a text. Then finds, loads or builds its program.
static cl_int vet_and_get(clred_runtime *runtime, const struct writing *writing, const char *title, const char *text,
                          struct clr_built **made, struct clr_status *status) {
  struct clr_programs *programs = &runtime->programs;
  struct clr_text options = options_of(programs, is_opencl_3(runtime));
  bool is_right = false;
  cl_int err = options.failed
                 ? clr_fail(status, CL_OUT_OF_HOST_MEMORY, "out of memory while writing build options")
                 : clr_programs_vet(programs, title, options.bytes, text, &writing->vet, &is_right, status);
  if (!err) {
    err = clr_programs_get(programs, text, is_opencl_3(runtime), made, status);
    // A program that was not built was not tried.
    if (err && writing->vet.vetting == CLR_VET_BEGIN && !is_right)
      clr_programs_judge(programs, options.bytes, text, writing->vet.cover, err, NULL);
  }
  if (writing->is_right)
    *writing->is_right = is_right;
  clr_text_release(&options);
  return err;
}

// Loads or builds a text, and logs which.
static cl_int load(clred_runtime *runtime, const struct writing *writing, const char *what,
                   const struct clr_operation *operation, struct clr_text *text, struct clr_built **made,
                   struct clr_status *status) {
  char title[128];
  snprintf(title, sizeof title, "%s of %.60s", what, operation->name);
  clr_mutex_lock(&runtime->lock);
  size_t builds = runtime->programs.builds, loads = runtime->programs.loads;
  cl_int err = vet_and_get(runtime, writing, title, text->bytes, made, status);
  bool built = runtime->programs.builds > builds, loaded = runtime->programs.loads > loads;
  if (writing->is_own) {
    runtime->programs.builds = builds;
    runtime->programs.loads = loads;
  }
  if (err == CL_BUILD_PROGRAM_FAILURE && operation->custom && runtime->programs.log.bytes &&
      clr_explain_log(runtime->programs.log.bytes, text->bytes, operation->name, status))
    err = status->code;
  clr_mutex_unlock(&runtime->lock);
  if (writing->is_own)
    return err;
  log_remarks(runtime);
  if (built || loaded)
    clr_runtime_log(runtime, "%s %s for %.60s of %s", built ? "built" : "loaded", what, operation->name,
                    operation->element.name);
  return err;
}

// Writes the program's text. If a file in the directory CLREDUCE_CL_DIR was wrong, the message names the directory.
static cl_int write(clred_runtime *runtime, const struct writing *writing, const struct clr_operation *operation,
                    struct clr_text *text, struct clr_status *status) {
  enum clr_fence fence = (enum clr_fence)runtime->facts.device_fence;
  struct clr_kernel_reader reader = clr_kernel_reader_open();
  const struct clr_source_from from = {clr_kernel_read, &reader, runtime->programs.options};
  cl_int err = writing->strategy ? clr_source_write(writing->strategy, operation, writing->shape, writing->kernels,
                                                    fence, &from, text, status)
               : writing->root   ? clr_source_file(operation, writing->plan, writing->root, &from, text, status)
                                 : writing->alone(operation, &from, text, status);
  const struct clr_status inner = *status;
  if (err == CLRED_KERNEL_SOURCE && reader.directory)
    clr_fail(status, err, "%.200s from the directory %.200s (CLREDUCE_CL_DIR)", inner.message, reader.directory);
  clr_kernel_reader_close(&reader);
  return err;
}

static cl_int make_program(clred_runtime *runtime, const struct writing *writing, const char *what,
                           const struct clr_operation *operation, struct clr_built **built, struct clr_status *status) {
  struct clr_text text = {0};
  cl_int err = write(runtime, writing, operation, &text, status);
  if (!err)
    err = load(runtime, writing, what, operation, &text, built, status);
  clr_text_release(&text);
  // In a program without a strategy only the caller's text can be wrong, even if the compiler names no piece.
  if (err == CL_BUILD_PROGRAM_FAILURE && operation->custom && !writing->strategy) {
    const struct clr_status inner = *status;
    err = clr_fail_operator(status, operation->name, "%.300s", inner.message);
  }
  return err;
}

cl_int clr_runtime_program(clred_runtime *runtime, const struct clr_strategy *strategy,
                           const struct clr_operation *operation, const struct clr_shape *shape, unsigned kernels,
                           const struct clr_vet *vet, struct clr_built **built, bool *is_right,
                           struct clr_status *status) {
  const struct writing writing = {
    .strategy = strategy, .shape = shape, .kernels = kernels, .vet = *vet, .is_right = is_right};
  return make_program(runtime, &writing, strategy->name, operation, built, status);
}

cl_int clr_runtime_probe(clred_runtime *runtime, const struct clr_operation *operation, struct clr_built **built,
                         struct clr_status *status) {
  return make_program(runtime, &(struct writing){.alone = clr_source_probe}, "a probe", operation, built, status);
}

cl_int clr_runtime_laws(clred_runtime *runtime, const struct clr_operation *operation, struct clr_built **built,
                        struct clr_status *status) {
  return make_program(runtime, &(struct writing){.alone = clr_source_laws}, "the laws", operation, built, status);
}

cl_int clr_runtime_file(clred_runtime *runtime, const struct clr_operation *operation, const char *plan,
                        const char *root, const struct clr_vet *vet, struct clr_built **built, bool *is_right,
                        struct clr_status *status) {
  const struct writing writing = {.plan = plan, .root = root, .vet = *vet, .is_right = is_right};
  return make_program(runtime, &writing, "kernels", operation, built, status);
}

cl_int clr_runtime_own_file(clred_runtime *runtime, const char *root, struct clr_built **built,
                            struct clr_status *status) {
  const struct clr_operation none = {.name = "none"};
  return make_program(runtime, &(struct writing){.plan = "", .root = root, .is_own = true}, "kernels", &none, built,
                      status);
}

void clr_runtime_judge(clred_runtime *runtime, struct clr_built *built, unsigned cover, cl_int err, const char *why) {
  clr_mutex_lock(&runtime->lock);
  struct clr_text options = options_of(&runtime->programs, built->opencl_3);
  if (!options.failed)
    clr_programs_judge(&runtime->programs, options.bytes, built->text, cover, err, why);
  clr_text_release(&options);
  clr_mutex_unlock(&runtime->lock);
  log_remarks(runtime);
}

// --- Measured numbers and the last error ---

struct clr_tuned clr_runtime_tuned(clred_runtime *runtime, const char *strategy, const struct clr_problem *problem) {
  struct clr_tuning_row like;
  struct clr_tuned tuned = {0};
  clr_tuning_name(strategy, problem, &like);
  clr_mutex_lock(&runtime->lock);
  const struct clr_tuning_row *row = clr_tuning_find(&runtime->tuning, &like);
  if (row)
    tuned = row->tuned;
  clr_mutex_unlock(&runtime->lock);
  return tuned;
}

cl_int clr_runtime_keep(clred_runtime *runtime, cl_int err, const struct clr_status *status) {
  if (!err)
    return CL_SUCCESS;
  clr_mutex_lock(&runtime->lock);
  runtime->error = *status;
  clr_mutex_unlock(&runtime->lock);
  return err;
}
