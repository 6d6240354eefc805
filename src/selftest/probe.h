// What a device is asked to show: that it is right where plans rely on it, and that limits it reports can be held.
// Kernels of cl/probes; nothing here knows of plans.
#ifndef CLR_PROBES_PROBE_H
#define CLR_PROBES_PROBE_H

#include "clreduce_device.h"
#include "model/findings.h"
#include "opencl/device.h"
#include "opencl/session.h"

// What came out of a probe.
struct clr_probed {
  clred_verdict verdict;
  char detail[CLRED_FINDING_DETAIL];
};

#define CLR_PROBE_PROGRAMS 8

// A device being probed, and what was found so far.
struct clr_prober {
  struct clr_session session;  // buffers and kernels of the probe that is running
  cl_device_id device;
  const struct clr_facts *reported;
  struct clr_findings *findings;
  const char *options;  // of the caller's, for the compiler
  bool rounds_divide;
  bool full;  // take the time that it takes
  struct {
    char *text;
    cl_program program;
  } programs[CLR_PROBE_PROGRAMS];
  size_t program_count;
  struct clr_probed *probed;  // of the probe that is running
};

struct clr_probe {
  const char *name;
  const char *about;  // "limits", "memory", "numbers", "atomics"
  void (*run)(struct clr_prober *prober);
};
extern const struct clr_probe clr_probes[];  // ended by a row without a name

cl_int clr_prober_open(struct clr_prober *prober, cl_context context, struct clr_status *status);
void clr_prober_close(struct clr_prober *prober);

// Runs one probe; what it finds goes to `findings`.
void clr_probe_run(struct clr_prober *prober, const struct clr_probe *probe, struct clr_probed *probed);

// --- For probes ---
// The verdict, with a sentence. The first that is not HOLDS stays.
void clr_probe_say(struct clr_prober *prober, clred_verdict verdict, const char *format, ...) CLR_PRINTF(3, 4);

// The verdict AVOIDED: a fact is not what was reported.
void clr_probe_correct(struct clr_prober *prober, const char *fact, cl_ulong value, const char *format, ...)
  CLR_PRINTF(4, 5);

// A kernel of a file of cl/probes whose plan.clh is `defines`; NULL if it could not be had, and `err` says why. Kernels
// and buffers last until the probe ends, or until clr_probe_drop.
cl_kernel clr_probe_kernel(struct clr_prober *prober, const char *defines, const char *file, bool opencl_3,
                           const char *name, cl_int *err);

struct clr_probe_argument {
  size_t size;
  const void *value;
};
#define CLR_ARGUMENT(value) \
  { sizeof(value), &(value) }

// Launches, and waits until it is done.
cl_int clr_probe_launch(struct clr_prober *prober, cl_kernel kernel, size_t groups, size_t group_size,
                        const struct clr_probe_argument *arguments, size_t count);

cl_mem clr_probe_buffer(struct clr_prober *prober, size_t bytes, const void *contents, cl_int *err);
void clr_probe_drop(struct clr_prober *prober);
cl_int clr_probe_read(struct clr_prober *prober, cl_mem buffer, size_t offset, size_t bytes, void *to);

// The size of groups that is known to be held: at most 64.
size_t clr_probe_group_size(const struct clr_prober *prober);

// Deterministic words for data.
cl_ulong clr_probe_word(cl_ulong *state);

#endif
