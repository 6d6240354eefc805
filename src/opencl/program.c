#include "opencl/program.h"

#include <stdlib.h>
#include <string.h>

struct clr_built {
  struct clr_built *next;
  cl_program        program;
  char             *text;
};

static cl_program find(const struct clr_programs *programs, const char *text)
{
  for (const struct clr_built *built = programs->first; built; built = built->next)
    if (strcmp(built->text, text) == 0)
      return built->program;
  return NULL;
}

static void keep_log(struct clr_programs *programs, cl_program program)
{
  size_t size = 0;
  clr_text_release(&programs->log);
  if (clGetProgramBuildInfo(program, programs->device, CL_PROGRAM_BUILD_LOG, 0, NULL, &size) || size < 2)
    return;
  char *log = calloc(size + 1, 1);
  if (log && !clGetProgramBuildInfo(program, programs->device, CL_PROGRAM_BUILD_LOG, size, log, NULL))
    clr_text_append(&programs->log, log);
  free(log);
}

static cl_int build(struct clr_programs *programs, cl_program program, bool opencl_3, struct clr_status *status)
{
  struct clr_text options = {0};
  clr_text_format(&options, "-cl-std=%s %s %s", opencl_3 ? "CL3.0" : "CL1.2",
                  programs->rounds_divide ? "-cl-fp32-correctly-rounded-divide-sqrt" : "", programs->options);
  if (options.failed)
    return clr_fail(status, CL_OUT_OF_HOST_MEMORY, "out of memory while writing build options");
  cl_int err = clBuildProgram(program, 1, &programs->device, options.bytes, NULL, NULL);
  keep_log(programs, program);
  const char *log = programs->log.bytes ? programs->log.bytes : "nothing";
  log += strspn(log, "\r\n");
  int first_line = (int)strcspn(log, "\r\n");
  if (err)
    clr_fail(status, err, "clBuildProgram: %s (%d) with options '%s'; the compiler says: %.*s",
             clred_status_name(err), err, options.bytes, first_line < 200 ? first_line : 200, log);
  else
    programs->builds++;
  clr_text_release(&options);
  return err;
}

static cl_int keep(struct clr_programs *programs, const char *text, cl_program program, struct clr_status *status)
{
  struct clr_built *built = calloc(1, sizeof *built);
  char *copy = malloc(strlen(text) + 1);
  if (!built || !copy) {
    free(built);
    free(copy);
    return clr_fail(status, CL_OUT_OF_HOST_MEMORY, "out of memory while keeping a program");
  }
  strcpy(copy, text);
  *built = (struct clr_built){programs->first, program, copy};
  programs->first = built;
  return CL_SUCCESS;
}

cl_int clr_programs_get(struct clr_programs *programs, const char *text, bool opencl_3, cl_program *program,
                        struct clr_status *status)
{
  cl_int err = CL_SUCCESS;
  *program = find(programs, text);
  if (*program)
    return CL_SUCCESS;
  cl_program made = clCreateProgramWithSource(programs->context, 1, &text, NULL, &err);
  if (err)
    return clr_fail_call(status, err, "clCreateProgramWithSource", "the program's text");
  err = build(programs, made, opencl_3, status);
  if (!err)
    err = keep(programs, text, made, status);
  if (err)
    clReleaseProgram(made);
  else
    *program = made;
  return err;
}

void clr_programs_release(struct clr_programs *programs)
{
  while (programs->first) {
    struct clr_built *built = programs->first;
    programs->first = built->next;
    clReleaseProgram(built->program);
    free(built->text);
    free(built);
  }
  clr_text_release(&programs->log);
}
