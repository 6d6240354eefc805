// Builds or loads programs, and keeps those that exist. runtime_programs.c calls this.
#include "runtime/program.h"

#include <stdlib.h>
#include <string.h>

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

size_t clr_programs_save(struct clr_programs *programs) {
  size_t saved = 0;
  for (struct clr_built *built = programs->first; built && programs->cache.folder; built = built->next)
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
  clr_text_release(&programs->log);
  clr_cache_close(&programs->cache);
}
