#include "variants.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fail.h"
#include "number.h"
#include "progress.h"

enum { WARM_UP = 2, MOST_CALLS = 1000, MOST_LOG2 = 34 };

static const double run_seconds = 2e-3;  // of calls back to back

// ---- Words

int variants_take_count(const char *words, cl_ulong *count) {
  uint64_t value;
  if (!count_parse(words, strlen(words), &value))
    return fail(EXIT_BAD_USE, "bench_variants: '%s' is not a number", words);
  *count = value;
  return EXIT_DONE;
}

int variants_take_log2(const char *words, cl_ulong *log2_count) {
  int code = variants_take_count(words, log2_count);
  if (code == EXIT_DONE && *log2_count > MOST_LOG2)
    return fail(EXIT_BAD_USE, "bench_variants: 2^%s elements: 2^%d at most", words, MOST_LOG2);
  return code;
}

static int take_word(struct variant *variant, const char *word) {
  const char *value = strchr(word, '=');
  size_t length = value == NULL ? 0 : (size_t)(value - word);
  const struct {
    const char *name;
    cl_ulong *number;
    const char **text;
  } words[] = {{"groups", &variant->problem.groups, NULL},
               {"group_size", &variant->problem.group_size, NULL},
               {"assume", NULL, &variant->options.assume},
               {"build", NULL, &variant->options.build_options}};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    if (length != strlen(words[i].name) || strncmp(word, words[i].name, length) != 0)
      continue;
    if (words[i].number != NULL)
      return variants_take_count(value + 1, words[i].number);
    *words[i].text = value + 1;
    return EXIT_DONE;
  }
  return fail(EXIT_BAD_USE,
              "bench_variants: %s: '%s' is none of groups=N, group_size=N, assume=FACT=VALUE and build=OPTIONS",
              variant->words, word);
}

int variant_take(struct variant *variant, const char *words) {
  char *copy = strdup(words), *rest = NULL;
  if (copy == NULL)
    return fail_memory();
  char *word = strtok_r(copy, "@", &rest);
  variant->words = words;
  variant->folder = word == NULL || strcmp(word, "own") == 0 ? NULL : word;
  int code = word == NULL ? fail(EXIT_BAD_USE, "bench_variants: '%s' names no folder; own is for the library's", words)
                          : EXIT_DONE;
  while (code == EXIT_DONE && (word = strtok_r(NULL, "@", &rest)) != NULL)
    code = take_word(variant, word);
  return code;  // its words are parts of the copy, which stays as long as the process
}

// ---- Plans

// Kernels are read when a plan is made.
static void choose_kernels(const struct variant *variant) {
  if (variant->folder == NULL)
    unsetenv("CLREDUCE_CL_DIR");
  else
    setenv("CLREDUCE_CL_DIR", variant->folder, 1);
}

static int make_plan(struct variants *variants, struct variant *variant, clred_op op, clred_type type) {
  char error[SESSION_ERROR_SIZE] = "";
  cl_int status = CL_SUCCESS;
  variant->options.error = error;
  variant->options.error_size = sizeof error;
  variant->problem.op = op;
  variant->problem.type = type;
  choose_kernels(variant);
  if (variant->runtime == NULL)
    status = clred_runtime_create(variants->session.context, variants->session.device.id, &variant->options,
                                  &variant->runtime);
  const struct session own = {.runtime = variant->runtime};
  if (status == CL_SUCCESS && (status = session_plan(&own, &variant->problem, &variant->plan)) != CL_SUCCESS)
    clred_copy_error(variant->runtime, error, sizeof error);
  return status == CL_SUCCESS
           ? EXIT_DONE
           : fail(EXIT_WORK_FAILED, "bench_variants: %s: %s: %s", variant->words, clred_status_name(status), error);
}

void variants_release_plans(struct variants *variants) {
  for (size_t i = 0; i < variants->count; i++) {
    clred_plan_release(variants->list[i].plan);
    variants->list[i].plan = NULL;
  }
}

// ---- Runs

static cl_int run_by_wall(const struct variants *variants, const struct variant *variant, cl_ulong count,
                          uint64_t calls, double *seconds) {
  cl_int status = clFinish(variants->queue);
  double begun = seconds_now();
  for (uint64_t i = 0; i < calls && status == CL_SUCCESS; i++)
    status =
      clred_enqueue_reduce(variants->queue, variant->plan, variants->in, variants->out, 0, 0, count, 0, NULL, NULL);
  if (status == CL_SUCCESS)
    status = clFinish(variants->queue);
  *seconds = (seconds_now() - begun) / (double)calls;
  return status;
}

static cl_int run_by_device(const struct variants *variants, const struct variant *variant, cl_ulong count,
                            double *seconds) {
  cl_event event;
  cl_ulong begun = 0, ended = 0;
  cl_int status = CL_SUCCESS;
  if (variants->others)
    status = clred_enqueue_reduce(variants->session.queue, variant->plan, variants->other, variants->out, 0, 0,
                                  variants->others, 0, NULL, NULL);
  if (status == CL_SUCCESS)
    status = clred_enqueue_reduce(variants->session.queue, variant->plan, variants->in, variants->out, 0, 0, count, 0,
                                  NULL, &event);
  if (status != CL_SUCCESS)
    return status;
  status = clWaitForEvents(1, &event);
  if (status == CL_SUCCESS)
    status = clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof begun, &begun, NULL);
  if (status == CL_SUCCESS)
    status = clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof ended, &ended, NULL);
  clReleaseEvent(event);
  *seconds = (double)(ended - begun) * 1e-9;
  return status;
}

static cl_int warm_up(struct variants *variants, struct variant *variant, cl_ulong count, uint64_t *calls) {
  double seconds = INFINITY, one;
  cl_int status = CL_SUCCESS;
  for (int i = 0; i < WARM_UP && status == CL_SUCCESS; i++) {
    status = run_by_wall(variants, variant, count, 1, &one);
    seconds = fmin(seconds, one);
  }
  *calls = (uint64_t)fmin(fmax(ceil(run_seconds / fmax(seconds, 1e-9)), 1), MOST_CALLS);
  return status == CL_SUCCESS ? clEnqueueReadBuffer(variants->queue, variants->out, CL_TRUE, 0, MOST_RESULT,
                                                    variant->result, 0, NULL, NULL)
                              : status;
}

cl_int variants_take_turns(struct variants *variants, cl_ulong count, uint64_t runs) {
  cl_int status = CL_SUCCESS;
  uint64_t calls[MOST_VARIANTS] = {0};
  for (size_t i = 0; i < variants->count && status == CL_SUCCESS; i++)
    status = warm_up(variants, &variants->list[i], count, &calls[i]);
  for (uint64_t run = 0; run < runs && status == CL_SUCCESS; run++)
    for (size_t turn = 0; turn < variants->count && status == CL_SUCCESS; turn++) {
      const size_t i = (turn + run) % variants->count;
      struct variant *variant = &variants->list[i];
      status = run_by_wall(variants, variant, count, calls[i], &variant->wall[run]);
      if (status == CL_SUCCESS)
        status = run_by_device(variants, variant, count, &variant->device[run]);
    }
  return status;
}

// What lies between parts is nobody's.
bool variants_agree(const struct variant *a, const struct variant *b) {
  clred_part part;
  clred_type_info type;
  bool agree = true;
  for (size_t i = 0; agree && clred_plan_part(a->plan, i, &part) == CL_SUCCESS; i++)
    agree = clred_type_inspect(part.type, &type) == CL_SUCCESS &&
            memcmp(a->result + part.offset, b->result + part.offset, type.size) == 0;
  return agree;
}

int variants_plan(struct variants *variants, clred_op op, clred_type type) {
  int code = EXIT_DONE;
  for (size_t i = 0; i < variants->count && code == EXIT_DONE; i++)
    code = make_plan(variants, &variants->list[i], op, type);
  return code;
}

static void release_memory(cl_mem *memory) {
  if (*memory != NULL)
    clReleaseMemObject(*memory);
  *memory = NULL;
}

void variants_release_elements(struct variants *variants) {
  release_memory(&variants->in);
  release_memory(&variants->other);
}

void variants_release(struct variants *variants) {
  for (size_t i = 0; i < variants->count; i++)
    clred_runtime_release(variants->list[i].runtime);
  release_memory(&variants->out);
  if (variants->queue != NULL)
    clReleaseCommandQueue(variants->queue);
  session_close(&variants->session);
  free(variants->list);
}
