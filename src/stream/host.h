// Calls on host memory: through buffers that are released after the call, or through a stream. src/api calls these.
#pragma once

#include "call/call.h"

// Elements, and the further inputs of the operator.
#define CLR_SOURCES_MAX (CLR_INPUTS_MAX + 1)

// Host memory that a call reads. Empty if the call has no elements.
struct clr_host_sources {
  size_t count;
  const char *names[CLR_SOURCES_MAX];
  const void *memory[CLR_SOURCES_MAX];
  size_t sizes[CLR_SOURCES_MAX];  // bytes of an element
  cl_mem buffers[CLR_SOURCES_MAX];
};

// Results in host memory, and the buffer for them.
struct clr_host_results {
  void *memory;
  bool has_gaps;  // bytes of `memory` that are no results must not change
  bool shared;
  cl_mem buffer;
};

// --- sources.c ---
// Whether the device may use a buffer around the memory: it shares the memory of the host, and elements are aligned.
bool clr_host_is_shared(const clred_plan *plan, const void *memory, size_t size);

// Fails if the memory `name` does not fit one buffer of the device. We compute this, because some drivers accept any
// size.
cl_int clr_host_check_size(const clred_plan *plan, const char *name, const char *what, size_t size, cl_ulong count,
                           struct clr_status *status);

// Takes the elements and inputs of a call. Fails if one is NULL.
cl_int clr_host_sources_take(const clred_plan *plan, const clred_host_call *call, struct clr_host_sources *sources,
                             struct clr_status *status);

// Fails if a source does not fit one buffer of the device.
cl_int clr_host_sources_check(const clred_plan *plan, cl_ulong count, const struct clr_host_sources *sources,
                              struct clr_status *status);

// Creates read-only buffers for all sources: around the memory, or copies. A source that overlaps `written`, of
// `written_bytes` bytes, is copied: OpenCL does not define what two buffers around the same memory hold. Release the
// buffers also after a failure.
cl_int clr_host_sources_wrap(const clred_plan *plan, cl_ulong count, const void *written, size_t written_bytes,
                             struct clr_host_sources *sources, struct clr_status *status);
void clr_host_sources_release(struct clr_host_sources *sources);

// Describes the call on the sources' buffers, without results.
clred_call clr_host_call_on(const struct clr_host_sources *sources, const clred_host_call *call);

// True if two blocks of memory have bytes in common.
bool clr_host_do_overlap(const void *a, size_t a_bytes, const void *b, size_t b_bytes);

// --- on_host.c ---
// True if the host computes the call, because it does so before a device could begin.
bool clr_host_computes(const clred_plan *plan, const struct clr_extent *extent);

// Computes the call on the host.
cl_int clr_host_compute(const clred_plan *plan, const clred_host_call *call, const struct clr_extent *extent,
                        struct clr_status *status);

// --- host.c ---
// Creates a buffer for `count` results: around the memory if the device may use it there.
cl_int clr_host_results_wrap(const clred_plan *plan, cl_ulong count, struct clr_host_results *results,
                             struct clr_status *status);

// Waits for `scanned`, and copies the first `written` bytes of the results to host memory.
cl_int clr_host_results_fetch(cl_command_queue queue, const struct clr_host_results *results, size_t written,
                              const cl_event *scanned, struct clr_status *status);

// As clred_plan_run_host.
cl_int clr_run_host(cl_command_queue queue, clred_plan *plan, const clred_host_call *call, struct clr_status *status);

// As clr_run_host with a plan and a queue for this call only.
cl_int clr_run_host_planless(clred_runtime *runtime, const clred_problem *problem, const clred_host_call *call,
                             struct clr_status *status);
