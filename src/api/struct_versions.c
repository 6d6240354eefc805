// Copies structs between the header version of the program and the header version of the library.
#include "api/struct_versions.h"

#include <string.h>

#include "base/arithmetic.h"

#define END_OF(type, last) (offsetof(type, last) + sizeof(((type *)NULL)->last))

// A struct with a new last field needs a new row.
#define CLR_STRUCT(name, type, last) \
  _Static_assert(sizeof(type) - END_OF(type, last) < _Alignof(type), \
                 "struct_versions.def: " #last " is not the last field");
#define CLR_UNTIL(name, type, header, last)
#include "api/struct_versions.def"

struct struct_size {
  size_t size, alignment;
  size_t end;  // of the last field, without padding
};

static const struct struct_size sizes[] = {
#define CLR_STRUCT(name, type, last) [CLR_STRUCT_##name] = {sizeof(type), _Alignof(type), END_OF(type, last)},
#define CLR_UNTIL(name, type, header, last)
#include "api/struct_versions.def"
};

// The ends of structs in earlier versions of the header. The last row fits no version; it keeps the table from being
// empty.
static const struct earlier_end {
  enum clr_struct what;
  cl_uint header;
  size_t end;
} earlier_ends[] = {
#define CLR_STRUCT(name, type, last)
#define CLR_UNTIL(name, type, header, last) {CLR_STRUCT_##name, header, END_OF(type, last)},
#include "api/struct_versions.def"
  {CLR_STRUCT_OPTIONS, 0, 0}};

// Returns the bytes up to the end of the last field that this version of the header has. A struct only grows, so the
// smallest end that applies is the right one.
static size_t known_bytes(enum clr_struct what, cl_uint header) {
  size_t end = sizes[what].end;
  for (size_t i = 0; header < CLRED_HEADER_VERSION && i < sizeof earlier_ends / sizeof *earlier_ends; i++)
    if (earlier_ends[i].what == what && header <= earlier_ends[i].header && earlier_ends[i].end < end)
      end = earlier_ends[i].end;
  return end;
}

// Returns the distance in bytes between two neighbouring structs in a program's array.
static size_t stride_of(enum clr_struct what, cl_uint header) {
  return clr_round_up(known_bytes(what, header), sizes[what].alignment);
}

bool clr_knows_header(cl_uint header) {
  return header >= 1 && header <= CLRED_HEADER_VERSION;
}

static cl_int check_header(cl_uint header, struct clr_status *status) {
  if (clr_knows_header(header))
    return CL_SUCCESS;
  return clr_fail(
    status, CLRED_INVALID_ARGUMENT,
    "header: version %u is unknown, this library has versions 1 to %u; install the library of that header", header,
    (unsigned)CLRED_HEADER_VERSION);
}

static void take_array(enum clr_struct what, cl_uint header, const void *theirs, size_t count, void *full) {
  const unsigned char *from = theirs;
  unsigned char *to = full;
  memset(to, 0, count * sizes[what].size);
  for (size_t i = 0; from && i < count; i++)
    memcpy(to + i * sizes[what].size, from + i * stride_of(what, header), known_bytes(what, header));
}

cl_int clr_struct_import(enum clr_struct what, cl_uint header, const void *theirs, void *full,
                         struct clr_status *status) {
  cl_int err = check_header(header, status);
  take_array(what, header, err ? NULL : theirs, 1, full);
  return err;
}

cl_int clr_take_given(enum clr_struct what, cl_uint header, const char *name, const void *theirs, void *full,
                      struct clr_status *status) {
  cl_int err = clr_require(theirs, name, status);
  return err ? err : clr_struct_import(what, header, theirs, full, status);
}

void clr_take_one(enum clr_struct what, cl_uint header, const void *theirs, size_t index, void *full) {
  take_array(what, header, (const unsigned char *)theirs + index * stride_of(what, header), 1, full);
}

cl_int clr_struct_export(enum clr_struct what, cl_uint header, const void *full, size_t count, void *theirs) {
  const unsigned char *from = full;
  unsigned char *to = theirs;
  if (!theirs || !clr_knows_header(header))
    return CLRED_INVALID_ARGUMENT;
  for (size_t i = 0; i < count; i++)
    memcpy(to + i * stride_of(what, header), from + i * sizes[what].size, known_bytes(what, header));
  return CL_SUCCESS;
}

// --- A problem and everything that it points to ---

// If there are more than `most` operands, none is copied: the problem is refused before they are read.
static const clred_operand *take_operands(cl_uint header, const clred_operand *theirs, size_t count, size_t most,
                                          clred_operand *full) {
  take_array(CLR_STRUCT_OPERAND, header, theirs, count <= most ? count : 0, full);
  return theirs ? full : NULL;
}

static void take_operator(cl_uint header, const clred_operator *theirs, struct clr_problem_taken *taken) {
  clred_operator *custom = &taken->custom;
  struct clr_operands_taken *operands = &taken->custom_operands;
  take_array(CLR_STRUCT_OPERATOR, header, theirs, 1, custom);
  custom->inputs = take_operands(header, custom->inputs, custom->input_count, CLR_INPUTS_MAX, operands->inputs);
  custom->parameters =
    take_operands(header, custom->parameters, custom->parameter_count, CLR_OPERANDS_MAX, operands->parameters);
  if (!custom->host)
    return;
  take_array(CLR_STRUCT_HOST_OPERATOR, header, custom->host, 1, &taken->host);
  custom->host = &taken->host;
}

static void take_selection(cl_uint header, const clred_selection *theirs, struct clr_problem_taken *taken) {
  clred_selection *selection = &taken->selection;
  struct clr_operands_taken *operands = &taken->selection_operands;
  take_array(CLR_STRUCT_SELECTION, header, theirs, 1, selection);
  selection->inputs =
    take_operands(header, selection->inputs, selection->input_count, CLR_INPUTS_MAX, operands->inputs);
  selection->parameters =
    take_operands(header, selection->parameters, selection->parameter_count, CLR_OPERANDS_MAX, operands->parameters);
}

cl_int clr_take_parts(cl_uint header, struct clr_problem_taken *taken, struct clr_status *status) {
  clred_problem *problem = &taken->problem;
  cl_int err = check_header(header, status);
  if (err)
    return err;
  if (problem->custom) {
    take_operator(header, problem->custom, taken);
    problem->custom = &taken->custom;
  }
  if (problem->selection) {
    take_selection(header, problem->selection, taken);
    problem->selection = &taken->selection;
  }
  const clred_histogram **axis = &problem->histogram;
  for (clred_histogram *copy = taken->histogram; copy <= taken->histogram + CLR_AXES_MAX && *axis; copy++) {
    take_array(CLR_STRUCT_HISTOGRAM, header, *axis, 1, copy);
    *axis = copy;
    axis = &copy->next;
  }
  *axis = NULL;
  return CL_SUCCESS;
}

cl_int clr_take_problem(cl_uint header, const clred_problem *theirs, struct clr_problem_taken *taken,
                        struct clr_status *status) {
  cl_int err = clr_take_given(CLR_STRUCT_PROBLEM, header, "problem", theirs, &taken->problem, status);
  return err ? err : clr_take_parts(header, taken, status);
}
