// Shared by all probes: verdicts, programs, launches and buffers.
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "selftest/probe.h"
#include "source/source.h"

void clr_probe_drop(struct clr_prober *prober) {
  clr_session_drop(&prober->session);
}

// ---------------------------------------------------------------- Verdicts

void clr_probe_say(struct clr_prober *prober, clred_verdict verdict, const char *format, ...) {
  struct clr_probed *probed = prober->probed;
  va_list values;
  if (probed->verdict != CLRED_HOLDS)
    return;
  probed->verdict = verdict;
  va_start(values, format);
  vsnprintf(probed->detail, sizeof probed->detail, format, values);
  va_end(values);
}

void clr_probe_correct(struct clr_prober *prober, const char *fact, cl_ulong value, const char *format, ...) {
  char why[CLRED_FINDING_DETAIL];
  va_list values;
  va_start(values, format);
  vsnprintf(why, sizeof why, format, values);
  va_end(values);
  clr_fact_set(&prober->found, clr_fact_named(fact, strlen(fact)), value);
  clr_probe_say(prober, CLRED_AVOIDED, "%s (assume %s=%llu)", why, fact, (unsigned long long)value);
}

// ---------------------------------------------------------------- Programs

// Returns the text of a file of cl/probes; `defines` is its plan.clh.
static struct clr_text text_of(const char *defines, const char *file, const char *options) {
  struct clr_kernel_reader reader = clr_kernel_reader_open();
  const struct clr_made_file made[] = {{"plan.clh", defines}, {NULL, NULL}};
  const struct clr_sources sources = {.made = made, .from = {clr_kernel_read, &reader, options}};
  struct clr_text text = {0};
  struct clr_status ignored;
  text.failed |= clr_resolve(&sources, file, &text, &ignored) != CL_SUCCESS;
  clr_kernel_reader_close(&reader);
  return text;
}

cl_kernel clr_probe_kernel(struct clr_prober *prober, const char *defines, const char *file, bool opencl_3,
                           const char *name) {
  if (prober->err)
    return NULL;
  struct clr_text text = text_of(defines, file, prober->programs.options);
  struct clr_built *built = NULL;
  struct clr_status ignored;
  cl_kernel kernel = NULL;
  prober->err =
    text.failed ? CL_OUT_OF_HOST_MEMORY : clr_programs_get(&prober->programs, text.bytes, opencl_3, &built, &ignored);
  clr_text_release(&text);
  if (!prober->err)
    prober->err = clr_session_kernel(&prober->session, built->program, name, &kernel, &ignored);
  return kernel;
}

// ---------------------------------------------------------------- Launches and memory

void clr_probe_launch(struct clr_prober *prober, cl_kernel kernel, size_t groups, size_t group_size,
                      const struct clr_argument *arguments, size_t count) {
  const size_t global_size = groups * group_size;
  cl_uint next = 0;
  if (prober->err)
    return;
  cl_int err = clr_set_arguments(kernel, arguments, count, &next);
  if (!err)
    err = clEnqueueNDRangeKernel(prober->session.queue, kernel, 1, NULL, &global_size, &group_size, 0, NULL, NULL);
  cl_int finished = clFinish(prober->session.queue);
  prober->err = err ? err : finished;
}

cl_mem clr_probe_buffer(struct clr_prober *prober, size_t bytes, const void *contents) {
  cl_mem buffer = NULL;
  struct clr_status ignored;
  if (!prober->err)
    prober->err = clr_session_buffer(&prober->session, bytes, NULL, &buffer, &ignored);
  if (contents)
    clr_probe_write(prober, buffer, 0, bytes, contents);
  return prober->err ? NULL : buffer;
}

void clr_probe_write(struct clr_prober *prober, cl_mem buffer, size_t offset, size_t bytes, const void *from) {
  if (!prober->err)
    prober->err = clEnqueueWriteBuffer(prober->session.queue, buffer, CL_TRUE, offset, bytes, from, 0, NULL, NULL);
}

void clr_probe_read(struct clr_prober *prober, cl_mem buffer, size_t offset, size_t bytes, void *to) {
  if (!prober->err)
    prober->err = clEnqueueReadBuffer(prober->session.queue, buffer, CL_TRUE, offset, bytes, to, 0, NULL, NULL);
}

const char *clr_probe_trouble(struct clr_prober *prober) {
  const char *name = prober->err ? clr_status_name(prober->err) : NULL;
  prober->err = CL_SUCCESS;
  return name;
}

const char *clr_probe_because(struct clr_prober *prober) {
  snprintf(prober->because, sizeof prober->because, ": %s", clr_status_name(prober->err));
  return prober->err ? prober->because : "";
}

struct clr_facts clr_probe_facts(const struct clr_prober *prober) {
  struct clr_facts facts = prober->found;
  clr_facts_make_sane(&facts);
  return facts;
}

size_t clr_probe_group_size(const struct clr_prober *prober) {
  const struct clr_facts facts = clr_probe_facts(prober);
  size_t size = 64;
  while (size > facts.max_work_group_size || size > facts.max_work_item_size)
    size /= 2;
  return size;
}
