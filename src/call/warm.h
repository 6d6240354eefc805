// Shared by warm.c and warm_data.c: the calls that warm a plan, and their data.
#pragma once

#include "call/call.h"

// PoCL compiles a kernel once for each group size, and again for launches of 65536 work-items or more.
struct clr_form_of_launch {
  enum clr_kernel kernel;
  cl_ulong group_size;
  bool is_large;
};

#define CLR_WARM_FORMS 32

struct clr_warming {
  clred_plan *plan;
  cl_command_queue queue;
  struct clr_form_of_launch forms[CLR_WARM_FORMS];
  size_t form_count;
  struct clr_extent extents[CLR_WARM_FORMS];  // calls that together cover all forms
  size_t extent_count;
  cl_ulong elements, rows;  // elements and rows of the longest call
  cl_mem in, inputs[CLR_INPUTS_MAX], out, segments;
  unsigned char parameters[CLR_OPERANDS_MAX][CLR_OWN_SIZE_MAX];
};

// --- warm_data.c ---
// Returns the number of results of a call with this many elements and rows.
cl_ulong clr_warm_results(const clred_plan *plan, cl_ulong elements, cl_ulong rows);

// Creates buffers for the longest call, and parameters. Release them also after a failure.
cl_int clr_warm_data(struct clr_warming *warming, struct clr_status *status);
void clr_warm_release(struct clr_warming *warming);

// Writes the offsets of one call's segments to warming->segments.
cl_int clr_warm_offsets(struct clr_warming *warming, const struct clr_extent *extent, struct clr_status *status);
