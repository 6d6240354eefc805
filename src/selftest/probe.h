// Probes check that a device computes right where plans rely on it, and that it supports the limits that it reports.
// Probes use the kernels of cl/probes, not those of plans. The program of a plan is checked by a trial, before its
// first result (trial/trial.h).
#pragma once

#include "clreduce_device.h"
#include "host/scalars.h"
#include "model/facts.h"
#include "opencl/device.h"
#include "opencl/session.h"
#include "runtime/runtime.h"

// The outcome of a probe.
struct clr_probed {
  clred_verdict verdict;
  char detail[CLRED_FINDING_DETAIL];
};

#define CLR_PROBE_BYTES ((size_t)256 << 10)

// A device that is being probed, and what was found so far.
struct clr_prober {
  struct clr_session session;    // buffers and kernels of the current probe
  struct clr_programs programs;  // the programs of all probes, with the device and the caller's build options
  const struct clr_facts *reported;
  struct clr_facts found;     // the reported facts with the corrections so far
  struct clr_probed *probed;  // outcome of the current probe
  cl_int err;                 // the first error of the current probe; the functions below then do nothing
  char because[64];
  void *in, *got, *expected;  // inputs and results on the host, CLR_PROBE_BYTES each
};

// The probes in running order: name, subject, function. A probe that relies on what another found comes after it.
#define CLR_PROBE_MAP(X) \
  X("work-groups", "limits", groups) \
  X("local memory", "limits", local_memory) \
  X("largest buffer", "limits", buffers) \
  X("turns of loops", "limits", loops) \
  X("reads, writes, copies", "memory", transfers) \
  X("fills", "memory", fills) \
  X("mapping", "memory", mapping) \
  X("buffers in host memory", "memory", host_memory) \
  X("order in queues", "memory", queues) \
  X("sizes of types", "numbers", sizes) \
  X("integers", "numbers", integers) \
  X("float", "numbers", floats) \
  X("divide, sqrt", "numbers", divides) \
  X("NaN, infinities", "numbers", comparisons) \
  X("denormals", "numbers", denormals) \
  X("half", "numbers", halves) \
  X("double", "numbers", doubles) \
  X("atomics", "atomics", atomics) \
  X("atomics, 64 bits", "atomics", long_atomics) \
  X("atomics, local", "atomics", local_atomics) \
  X("handing on", "atomics", handing_on)

#define CLR_PROBE_FUNCTION(name, about, probe) void clr_probe_##probe(struct clr_prober *prober);
CLR_PROBE_MAP(CLR_PROBE_FUNCTION)
#undef CLR_PROBE_FUNCTION

// Implements clred_probe_device.
cl_int clr_probe_device(clred_runtime *runtime, const clred_probe_options *options, clred_probe_result *result,
                        struct clr_status *status);

// --- For probes ---
// Sets the verdict and its message. Only the first call with a verdict other than CLRED_HOLDS has an effect.
void clr_probe_say(struct clr_prober *prober, clred_verdict verdict, const char *format, ...) CLR_PRINTF(3, 4);

// Sets the verdict to AVOIDED and corrects a fact that the device reported wrong.
void clr_probe_correct(struct clr_prober *prober, const char *fact, cl_ulong value, const char *format, ...)
  CLR_PRINTF(4, 5);

// --- Kernels and buffers. They live until the probe ends or calls clr_probe_drop. After an error, these functions do
// nothing, and return NULL. ---

// Builds a file of cl/probes whose plan.clh is `defines` and creates a kernel.
cl_kernel clr_probe_kernel(struct clr_prober *prober, const char *defines, const char *file, bool opencl_3,
                           const char *name);

// Launches the kernel and waits until it has finished.
void clr_probe_launch(struct clr_prober *prober, cl_kernel kernel, size_t groups, size_t group_size,
                      const struct clr_argument *arguments, size_t count);

cl_mem clr_probe_buffer(struct clr_prober *prober, size_t bytes, const void *contents);
void clr_probe_drop(struct clr_prober *prober);
void clr_probe_write(struct clr_prober *prober, cl_mem buffer, size_t offset, size_t bytes, const void *from);
void clr_probe_read(struct clr_prober *prober, cl_mem buffer, size_t offset, size_t bytes, void *to);

// Returns the name of the error, or NULL if there is none, and forgets the error, so that the probe may go on.
const char *clr_probe_trouble(struct clr_prober *prober);

// Returns the facts as plans would use them with what was found so far.
struct clr_facts clr_probe_facts(const struct clr_prober *prober);

// Returns the end of a message: ": " and the name of the error, or "".
const char *clr_probe_because(struct clr_prober *prober);

// Returns a group size that the device supports: at most 64.
size_t clr_probe_group_size(const struct clr_prober *prober);

// --- numbers.c ---
// Defines for the kernels that compute in float.
extern const char clr_probe_single[];
