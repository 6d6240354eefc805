// Runs the probes of a device (clred_probe_device), reports each, and lists the facts to assume.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "selftest/probe.h"

struct probe {
  const char *name, *about;
  void (*run)(struct clr_prober *prober);
};

#define ROW(name, about, probe) {name, about, clr_probe_##probe},
static const struct probe probes[] = {CLR_PROBE_MAP(ROW)};
#undef ROW
#define PROBES (sizeof probes / sizeof *probes)

static cl_int open_prober(struct clr_prober *prober, struct clr_status *status) {
  struct clr_programs *programs = &prober->programs;
  unsigned char *memory = malloc(3 * CLR_PROBE_BYTES);
  if (!memory)
    return clr_fail(status, CL_OUT_OF_HOST_MEMORY, "out of memory for the results of probes");
  prober->in = memory;
  prober->got = memory + CLR_PROBE_BYTES;
  prober->expected = memory + 2 * CLR_PROBE_BYTES;
  cl_int err =
    clr_session_open(programs->context, programs->device, "the queue of the probes", &prober->session, status);
  return err ? err : clr_device_rounds_divide(programs->device, &programs->rounds_divide, status);
}

static void close_prober(struct clr_prober *prober) {
  clr_programs_release(&prober->programs);
  clr_session_close(&prober->session);
  free(prober->in);
}

// True if the caller wants probes about this. `only` is a list such as "limits,memory", or NULL.
static bool is_wanted(const char *only, const char *about) {
  const size_t length = strlen(about);
  for (const char *at = only; at && (at = strstr(at, about)) != NULL; at += length)
    if ((at == only || at[-1] == ',') && (at[length] == ',' || at[length] == 0))
      return true;
  return !only;
}

// True if the caller wants to stop before this probe.
static bool is_stopped(const clred_probe_options *options, size_t index) {
  return options->begins &&
         options->begins(probes[index].name, (double)index / (double)PROBES, options->user_data) != CL_FALSE;
}

static void report(const clred_probe_options *options, const struct probe *probe, const struct clr_probed *probed,
                   clred_probe_result *result) {
  cl_ulong *const counts[] = {&result->holds, &result->avoided, &result->wrong, &result->lacking};
  clred_finding finding = {.name = probe->name, .about = probe->about, .verdict = probed->verdict};
  ++*counts[probed->verdict];
  for (size_t i = 0; probed->detail[i]; i++)
    finding.detail[i] = (unsigned char)probed->detail[i] < ' ' ? ' ' : probed->detail[i];
  if (options->ends)
    options->ends(&finding, options->user_data);
}

// Lists the facts that are not as reported, as clred_options.assume takes them.
static void list_facts(const struct clr_prober *prober, char *text, size_t size) {
  const struct clr_fact_row *row;
  size_t length = 0;
  for (size_t i = 0; (row = clr_fact_row(i)) != NULL && length < size; i++)
    if (clr_fact_value(&prober->found, row) != clr_fact_value(prober->reported, row))
      length += (size_t)snprintf(text + length, size - length, "%s%s=%llu", length ? "," : "", row->name,
                                 (unsigned long long)clr_fact_value(&prober->found, row));
}

cl_int clr_probe_device(clred_runtime *runtime, const clred_probe_options *options, clred_probe_result *result,
                        struct clr_status *status) {
  struct clr_prober prober = {
    .reported = &runtime->reported,
    .found = runtime->reported,
    .programs = {.context = runtime->context, .device = runtime->device, .options = runtime->options}};
  cl_int err = open_prober(&prober, status);
  for (size_t i = 0; i < PROBES && !err; i++) {
    struct clr_probed probed = {.verdict = CLRED_HOLDS};
    if (!is_wanted(options->only, probes[i].about))
      continue;
    if (is_stopped(options, i))
      break;
    prober.probed = &probed;
    prober.err = CL_SUCCESS;
    probes[i].run(&prober);
    clr_probe_drop(&prober);
    report(options, &probes[i], &probed, result);
  }
  list_facts(&prober, result->assume, sizeof result->assume);
  close_prober(&prober);
  return err;
}
